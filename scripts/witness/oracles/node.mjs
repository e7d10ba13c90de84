// SPDX-License-Identifier: MIT
// TextDecoder, a line of pieces at a time: `[ENCODING:]MODE HEX,HEX,...` in; UTF-16 units out, a group a piece and one for the
// end. TextEncoder: `encode UNIT,UNIT,...` in; HEX out. String.toWellFormed: `to-well-formed UNIT,UNIT,...` in; units out.
import { createInterface } from "node:readline";

const MODES = {
  whatwg: { ignoreBOM: true },
  signature: {},
  fatal: { fatal: true, ignoreBOM: true },
};

const units = (text) => [...Array(text.length).keys()].map((i) => text.charCodeAt(i).toString(16).toUpperCase()).join(",") || "-";
const bytes = (hex) => Uint8Array.from(hex === "-" ? [] : hex.match(/../g), (pair) => parseInt(pair, 16));

const hex = (array) => Array.from(array, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join("") || "-";
const text = (words) => (words[0] === "-" ? "" : String.fromCharCode(...words.map((word) => parseInt(word, 16))));

function decoded(name, pieces) {
  const [mode, encoding] = name.split(":").reverse();
  const decoder = new TextDecoder(encoding ?? "utf-8", MODES[mode]);
  try {
    const groups = pieces.map((piece) => units(decoder.decode(bytes(piece), { stream: true })));
    return [...groups, units(decoder.decode())].join("|");
  } catch (error) {
    if (error.code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "error";
    throw error;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const [mode, rest] = line.split(" ");
  const words = rest.split(",");
  if (mode === "encode") console.log(hex(new TextEncoder().encode(text(words))));
  else if (mode === "to-well-formed") console.log(units(text(words).toWellFormed()));
  else console.log(decoded(mode, words));
}
