// SPDX-License-Identifier: CC0-1.0
// Holds TextDecoder against the golden vectors: node check.mjs FOLDER, the folder being `vectors`.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const folder = join(process.argv[2], "utf-8");
const bytes = (hex) => Uint8Array.from(hex === "-" ? [] : hex.match(/../g), (pair) => parseInt(pair, 16));
const scalars = (text) => Array.from(text, (c) => c.codePointAt(0).toString(16).toUpperCase()).join(",") || "-";
const verdict = (accepted) => (accepted ? "well-formed" : "ill-formed");
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

const SHOWN = 10; // of those that fail
const failed = [];
const passed = { "strict (verdict)": 0, whatwg: 0 };
let total = 0;

function check(policy, test, given, wanted) {
  if (given === wanted) passed[policy] += 1;
  else failed.push(`${test.id}: ${policy} of ${test.bytes}: ${given}, not ${wanted}`);
}

for (const name of readdirSync(folder).sort()) {
  for (const test of JSON.parse(readFileSync(join(folder, name), "ascii")).tests) {
    if (!("bytes" in test)) continue;
    const data = bytes(test.bytes);
    total += 1;
    check("strict (verdict)", test, verdict(accepts(data)), verdict(test.well_formed));
    check("whatwg", test, scalars(lossy.decode(data)), test.outputs.whatwg);
  }
}
for (const line of failed.slice(0, SHOWN)) console.error(line);
for (const [policy, count] of Object.entries(passed)) console.log(`${policy}: ${count} of ${total} passed`);
if (failed.length > 0) process.exitCode = 1;
