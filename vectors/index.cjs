// SPDX-License-Identifier: CC0-1.0
// The golden vectors for JavaScript: which encodings and categories there are, and the files themselves. FORMAT.md says what a file
// holds; index.d.ts has its types.
"use strict";
const { readFileSync, readdirSync, statSync } = require("node:fs");
const { join } = require("node:path");

const COMPLETE = "complete"; // the folder of test sets that are no JSON

/** The encodings that have vectors, in alphabetical order. */
function encodings() {
  return readdirSync(__dirname)
    .filter((name) => name !== COMPLETE && statSync(join(__dirname, name)).isDirectory() && categories(name).length > 0)
    .sort();
}

/** The categories of an encoding, in alphabetical order; none if there is no such encoding. */
function categories(encoding) {
  const folder = join(__dirname, encoding);
  if (!/^[a-z0-9-]+$/.test(encoding) || !statSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length)).sort();
}

/** One file: load("utf-8", "overlong").tests[0].bytes */
function load(encoding, category) {
  const known = categories(encoding);
  if (known.length === 0) throw new RangeError(`no encoding '${encoding}'; there are: ${encodings().join(", ")}`);
  if (!known.includes(category)) throw new RangeError(`${encoding} has no category '${category}'; it has: ${known.join(", ")}`);
  return JSON.parse(readFileSync(join(__dirname, encoding, `${category}.json`), "ascii"));
}

/** The bytes of a field such as "C080", or "-" for none. */
function bytes(hex) {
  if (!/^(-|([0-9A-F]{2})+)$/.test(hex)) throw new TypeError(`'${hex}' is neither '-' nor pairs of upper-case hex digits`);
  return Uint8Array.from(hex === "-" ? [] : hex.match(/../g), (pair) => parseInt(pair, 16));
}

module.exports = { version: require("./package.json").version, encodings, categories, load, bytes };
