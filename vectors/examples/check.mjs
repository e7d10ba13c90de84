// SPDX-License-Identifier: CC0-1.0
// Holds TextDecoder against the golden vectors: node check.mjs FOLDER, the folder being `vectors`.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const folder = join(process.argv[2], "utf-8");
const bytes = (hex) => Uint8Array.from(hex === "-" ? [] : hex.match(/../g), (pair) => parseInt(pair, 16));
const scalars = (text) => Array.from(text, (c) => c.codePointAt(0).toString(16).toUpperCase()).join(",") || "-";
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const fatal = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

function accepts(data) {
  try {
    fatal.decode(data);
    return true;
  } catch {
    return false;
  }
}

const passed = { "strict (verdict)": 0, whatwg: 0 };
let total = 0;
for (const name of readdirSync(folder).sort()) {
  for (const test of JSON.parse(readFileSync(join(folder, name), "ascii")).tests) {
    if (!("bytes" in test)) continue;
    const data = bytes(test.bytes);
    total += 1;
    passed["strict (verdict)"] += accepts(data) === test.well_formed;
    passed.whatwg += scalars(lossy.decode(data)) === test.outputs.whatwg;
  }
}
for (const [policy, count] of Object.entries(passed)) console.log(`${policy}: ${count} of ${total} passed`);
if (Object.values(passed).some((count) => count < total)) process.exitCode = 1;
