// SPDX-License-Identifier: CC0-1.0
// Holds TextDecoder and TextEncoder against the golden vectors. In a checkout, or in share/utf8-assay of an installation:
//
//     node vectors/examples/check.mjs vectors
//
// To test others, put them into `whole`, `accepts`, `inPieces`, `encoded` and `limited`. One that throws has failed that case.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const decoder = (fatal) => new TextDecoder("utf-8", { ignoreBOM: true, fatal });
const lossy = decoder(false);
const fatal = decoder(true);
const encoder = new TextEncoder();

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join("") || "-";
const scalars = (text) => Array.from(text, (c) => c.codePointAt(0).toString(16).toUpperCase()).join(",") || "-";

const whole = (data) => scalars(lossy.decode(data));

function accepts(data) {
  try {
    fatal.decode(data);
    return "well-formed";
  } catch (error) {
    if (error.code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    return "ill-formed";
  }
}

// One decoder for all streams; the call without { stream: true } resets it.
function inPieces(streams) {
  const one = decoder(false);
  return streams
    .map((pieces) => scalars(pieces.map((piece) => one.decode(piece, { stream: true })).join("") + one.decode()))
    .join("; ");
}

const encoded = (text) => hex(encoder.encode(text));

function limited(text, capacity) {
  const { read, written } = encoder.encodeInto(text, new Uint8Array(capacity));
  return `${read} read, ${written} written`;
}

// ---- what is asked, and what is wanted --------------------------------------------------------

function bytes(digits) {
  if (!/^(-|([0-9A-F]{2})+)$/.test(digits)) throw new Error(`${digits} is no hex`);
  return Uint8Array.from(digits === "-" ? [] : digits.match(/../g), (pair) => parseInt(pair, 16));
}

function string(units) {
  if (!/^(-|[0-9A-F]{1,4}(,[0-9A-F]{1,4})*)$/.test(units)) throw new Error(`${units} are no units`);
  return units === "-" ? "" : units.split(",").map((unit) => String.fromCharCode(parseInt(unit, 16))).join("");
}

const emitted = (stream) => stream.emitted.whatwg.filter((output) => output !== "-").join() || "-";

// Rows of: what is asked, the input for readers, the call that answers, the answer that is wanted.
function questions(test, kind) {
  if ("bytes" in test) {
    const data = bytes(test.bytes);
    return [
      ["strict (verdict)", test.bytes, () => accepts(data), test.well_formed ? "well-formed" : "ill-formed"],
      ["whatwg", test.bytes, () => whole(data), test.outputs.whatwg],
    ];
  }
  const streams = test.streams ?? ("pieces" in test ? [test] : []);
  if (streams.length > 0) {
    const pieces = streams.map((stream) => stream.pieces.map(bytes));
    const shown = streams.map((stream) => stream.pieces.join(" | ")).join("; ");
    return [["whatwg in pieces", shown, () => inPieces(pieces), streams.map(emitted).join("; ")]];
  }
  if (kind !== "encode-utf16") return [];
  const text = string(test.units);
  return [
    ["whatwg of the encoder", test.units, () => encoded(text), test.outputs.whatwg.bytes],
    ...test.limits.whatwg.map(({ capacity, read, written }) => [
      "whatwg of the encoder with limited room",
      `${test.units} into ${capacity} bytes`,
      () => limited(text, capacity),
      `${read} read, ${written} written`,
    ]),
  ];
}

// ---- asking -----------------------------------------------------------------------------------

const SHOWN = 60; // characters of a long row

function answer(call) {
  try {
    return call();
  } catch (error) {
    return `threw ${error}`;
  }
}

// A long row, cut so that the place `at` is in it.
function cut(text, at = 0) {
  const start = text.length > SHOWN ? Math.max(0, at - SHOWN / 2) : 0;
  return (start > 0 ? "..." : "") + text.slice(start, start + SHOWN) + (text.length > start + SHOWN ? "..." : "");
}

function letter(id, question, shown, given, wanted) {
  let at = 0;
  while (at < given.length && given[at] === wanted[at]) at++;
  return `${id}: ${question} of ${cut(shown)}\n    given   ${cut(given, at)}\n    wanted  ${cut(wanted, at)}`;
}

const counts = new Map(); // by question: passed, total

function checkFile(path, category) {
  const { kind, tests } = JSON.parse(readFileSync(path, "ascii"));
  const asked = tests.map((test) => [test.id, questions(test, kind)]).filter(([, rows]) => rows.length > 0);
  const failed = new Set();
  let first;
  for (const [id, rows] of asked) {
    for (const [question, shown, call, wanted] of rows) {
      const given = answer(call);
      const [passed, total] = counts.get(question) ?? [0, 0];
      counts.set(question, [passed + (given === wanted), total + 1]);
      if (given === wanted) continue;
      failed.add(id);
      first ??= letter(id, question, shown, String(given), wanted);
    }
  }
  if (failed.size > 0)
    console.error(`utf-8/${category}: ${failed.size} of ${asked.length} cases failed, the first:\n  ${first}`);
}

function fail(text) {
  console.error(text);
  process.exit(2);
}

if (process.argv.length !== 3) fail("usage: node check.mjs FOLDER-OF-VECTORS");
const folder = join(process.argv[2], "utf-8");
for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
  try {
    checkFile(join(folder, name), name.replace(".json", ""));
  } catch (error) {
    fail(`${join(folder, name)}: ${error.message}`);
  }
}
if (counts.size === 0) fail(`no vectors in ${folder}`);
for (const [question, [passed, total]] of counts) console.log(`${question}: ${passed} of ${total} passed`);
if ([...counts.values()].some(([passed, total]) => passed < total)) process.exitCode = 1;
