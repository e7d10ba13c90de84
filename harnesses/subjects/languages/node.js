// SPDX-License-Identifier: MIT
//
// Node, Bun or Deno as a subject: TextDecoder and TextEncoder (WHATWG Encoding), String.prototype.toWellFormed (ECMA-262).
// The Encoding standard says what comes out with each chunk.

'use strict';
const readline = require('readline');
const write = (line) => process.stdout.write(line + '\n');

const LABELS = {'utf-8': 'utf-8', 'utf-16le': 'utf-16le', 'utf-16be': 'utf-16be'};
const name = process.versions.bun ? `bun ${process.versions.bun}` : process.versions.deno ? `deno ${process.versions.deno}` : `node ${process.versions.node}`;
const HELLO = `hello assay/1 ${name} encodings=utf-8,utf-8-sig,utf-16le,utf-16be,utf-16le-sig,utf-16be-sig ` +
  'policies=strict,whatwg ops=validate,decode,stop,reuse,encode-utf16,to-well-formed chunks=yes';

const bytes = (hex) => (hex === '-' || hex === '' ? new Uint8Array(0) : Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16)));
const hex = (array) => Array.from(array, (byte) => byte.toString(16).padStart(2, '0')).join('') || '-';
const scalars = (text) => Array.from(text, (char) => char.codePointAt(0).toString(16).toUpperCase()).join(',') || '-';

function decoder(encoding, policy) {
  const label = LABELS[encoding.replace(/-sig$/, '')];
  if (label === undefined || !(policy === 'strict' || policy === 'whatwg')) throw new RangeError('not offered');
  return new TextDecoder(label, {fatal: policy === 'strict', ignoreBOM: !encoding.endsWith('-sig')});
}

// A group for each chunk; throws TypeError where the decoder is fatal.
function stream(one, chunks, groups) {
  const pieces = chunks.split(',').map(bytes);
  pieces.forEach((piece, index) => groups.push(scalars(one.decode(piece, {stream: index + 1 < pieces.length}))));
}

function streamed(one, chunks, failed) {
  const groups = [];
  try {
    stream(one, chunks, groups);
    return groups.join('|');
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return failed(groups);
  }
}

// UTF-16LE, in place; without Buffer, which browsers do not have.
function wellFormed(array) {
  const view = new DataView(array.buffer);
  let text = '';
  for (let at = 0; at < array.length; at += 2) text += String.fromCharCode(view.getUint16(at, true));
  text = text.toWellFormed();
  for (let at = 0; at < array.length; at += 2) view.setUint16(at, text.charCodeAt(at / 2), true);
  return array;
}

function answer(operation, encoding, fields) {
  const last = fields[fields.length - 1];
  if (operation === 'validate' || operation === 'decode') {
    const reply = streamed(decoder(encoding, operation === 'decode' ? fields[0] : 'strict'), last, () => null);
    return reply === null ? 'error' : operation === 'validate' ? 'ok' : `ok ${reply}`;
  }
  if (operation === 'stop') {
    let failed = null;
    const reply = streamed(decoder(encoding, 'strict'), last, (groups) => { failed = groups; return ''; });
    return failed === null ? `ok ${reply}` : 'skip a fatal TextDecoder does not give what came before an error';
  }
  if (operation === 'reuse') {
    const one = decoder(encoding, fields[0]);
    return 'ok ' + last.split(';').map((chunks) => streamed(one, chunks, () => 'error')).join(';');
  }
  if (operation === 'encode-utf16' && encoding === 'utf-8' && fields[0] === 'whatwg') {
    const units = last === '-' ? [] : last.split(',').map((unit) => parseInt(unit, 16));
    return 'ok ' + hex(new TextEncoder().encode(String.fromCharCode(...units)));
  }
  if (operation === 'to-well-formed' && encoding === 'utf-16le' && fields[0] === 'whatwg' && bytes(last).length % 2 === 0 && ''.toWellFormed)
    return 'ok ' + hex(wellFormed(bytes(last)));
  throw new RangeError('not offered');
}

readline.createInterface({input: process.stdin, crlfDelay: Infinity}).on('line', (line) => {
  const [id, operation, encoding, ...fields] = line.split(' ');
  if (id === 'hello') return write(HELLO);
  try {
    write(`${id} ${answer(operation, encoding, fields)}`);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    write(`${id} skip not offered`);
  }
});
