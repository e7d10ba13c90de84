// SPDX-License-Identifier: MIT
//
// The speed of the codecs of UTF-8 through assay.mjs, and of the engine's TextDecoder, in one run: scripts/bench-wasm asks. A request
// is MILLISECONDS of a round and a text in base64; the reply is JSON, the GB/s of input for each operation and codec. What assay.mjs
// copies into the module and out of it is part of each call, but where it says in place. Ill-formed text is not validated, as that ends
// at the first error.

import { open } from './assay.mjs';

const CODECS = ['hoehrmann_loop', 'hoehrmann2010', 'swar', 'wasm']; // the first two are automata, of which the second skips ASCII
const ROUNDS = 5;

function gigabytesPerSecond(use, byteCount, milliseconds) {
  let calls = 1, least = Infinity;
  for (let round = 0; round < ROUNDS;) {
    const begin = performance.now();
    for (let call = 0; call < calls; call++) use();
    const taken = performance.now() - begin;
    if (taken < milliseconds) calls *= 2;
    else {
      least = Math.min(least, taken / calls);
      round++;
    }
  }
  return byteCount / least / 1e6;
}

// Validates a text that is in the memory of the module already: {codec: function}, in which a function returns whether it is well-formed.
async function inPlace(bytes, codecs) {
  const {exports: wasm} = await WebAssembly.instantiate(await WebAssembly.compile(bytes), {}), memory = () => new Uint8Array(wasm.memory.buffer);
  const wordAt = (at) => String.fromCharCode(...memory().subarray(at, memory().indexOf(0, at)));
  const numberOf = (name, nameOf) => { for (let number = 0; ; number++) if (nameOf(number) === name) return number; };
  const operation = numberOf('validate', (number) => wordAt(wasm.operation_word(number)));
  const rows = codecs.map((codec) => numberOf(`utf-8/${codec}`, (row) => `${wordAt(wasm.row_encoding(row))}/${wordAt(wasm.row_name(row))}`));
  return (text) => {
    wasm.release();
    const at = wasm.take(text.length);
    memory().set(text, at);
    return Object.fromEntries(rows.map((row, index) => [codecs[index], () => wasm.ask(row, operation, 0, at, text.length, 0, 0, 0) === 0]));
  };
}

export async function begin(bytes) {
  const assay = await open(bytes), decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  const offering = (operation) => CODECS.filter((codec) => assay.offers(operation, {codec}));
  const validators = await inPlace(bytes, offering('validate'));
  return (request) => {
    const [milliseconds, base64] = request.split(' '), text = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)), expected = decoder.decode(text);
    for (const codec of offering('decode-utf16')) if (assay.text(text, {codec}) !== expected) throw new Error(`${codec} and TextDecoder differ`);
    const isValid = assay.validate(text) === null, there = validators(text);
    for (const codec of offering('validate')) if (there[codec]() !== isValid) throw new Error(`${codec} in place and assay.mjs differ`);
    const rate = (use) => gigabytesPerSecond(use, text.length, Number(milliseconds));
    const uses = [['validate', 'validate', (codec) => () => assay.validate(text, {codec})], ['validate in place', 'validate', (codec) => there[codec]], ['decode to UTF-16', 'decode-utf16', (codec) => () => assay.decode(text, {codec, units: 'utf-16'})],
                  ['decode to a string', 'decode-utf16', (codec) => () => assay.text(text, {codec})]].slice(isValid ? 0 : 2);
    const rates = uses.flatMap(([name, operation, use]) => offering(operation).map((codec) => [`${name}, ${codec}`, rate(use(codec))]));
    return JSON.stringify(Object.fromEntries([...rates, ['decode to a string, TextDecoder', rate(() => decoder.decode(text))]]));
  };
}
