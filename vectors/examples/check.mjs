// SPDX-License-Identifier: CC0-1.0
// Holds TextDecoder against the golden vectors: node check.mjs FOLDER, the folder being `vectors`.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const scalars = (text) => Array.from(text, (c) => c.codePointAt(0).toString(16).toUpperCase()).join(",") || "-";
const verdict = (accepted) => (accepted ? "well-formed" : "ill-formed");
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const fatal = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

function bytes(hex) {
  if (!/^(-|([0-9A-F]{2})+)$/.test(hex)) throw new Error(`${hex} is no hex`);
  return Uint8Array.from(hex === "-" ? [] : hex.match(/../g), (pair) => parseInt(pair, 16));
}

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

function checkFile(path) {
  for (const test of JSON.parse(readFileSync(path, "ascii")).tests) {
    if (!("bytes" in test)) continue;
    const data = bytes(test.bytes);
    total += 1;
    check("strict (verdict)", test, verdict(accepts(data)), verdict(test.well_formed));
    check("whatwg", test, scalars(lossy.decode(data)), test.outputs.whatwg);
  }
}

function fail(text) {
  console.error(text);
  process.exit(2);
}

if (process.argv.length !== 3) fail("usage: node check.mjs FOLDER-OF-VECTORS");
const folder = join(process.argv[2], "utf-8");
let path = folder;
try {
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    path = join(folder, name);
    checkFile(path);
  }
} catch (error) {
  fail(`${path}: ${error.message}`);
}
if (total === 0) fail(`no vectors in ${folder}`);
for (const line of failed.slice(0, SHOWN)) console.error(line);
for (const [policy, count] of Object.entries(passed)) console.log(`${policy}: ${count} of ${total} passed`);
if (failed.length > 0) process.exitCode = 1;
