// SPDX-License-Identifier: MIT
//
// Digests of all strings of a length, by the codecs of assay-test.wasm. A request is `CODEC LENGTH`, CODEC being ENCODING/NAME; the
// reply, three digests in hex: the verdict, strict, whatwg (vectors/FORMAT.md, "The complete tiers"). in_node.mjs and in_browser.mjs run it.

import { open } from './assay.mjs';

const hexOf = (digest) => BigInt.asUintN(64, digest).toString(16).toUpperCase().padStart(16, '0');

export async function begin(bytes) {
  const module = await WebAssembly.compile(bytes), wasm = (await WebAssembly.instantiate(module, {})).exports, assay = await open(module);
  const present = Array.from({length: wasm.row_count()}, (_, row) => row).filter((row) => wasm.row_kind(row) !== 0);
  const rows = new Map(assay.codecs.map(({encoding, name}, index) => [`${encoding}/${name}`, present[index]]));
  return (request) => {
    const [codec, length] = request.split(' ');
    return [0, 1, 2].map((column) => hexOf(wasm.digest(rows.get(codec), Number(length), column))).join(' ');
  };
}
