// SPDX-License-Identifier: MIT
//
// A codec of assay.wasm as a subject (vectors/PROTOCOL.md), for every encoding that has a codec of that name: in_node.mjs and
// in_browser.mjs run it.

import { open } from './assay.mjs';

const SIGNED = ['validate', 'decode', 'stop', 'reuse', 'transcode']; // those of OPS that take encodings with a signature
const OPS = 'validate,decode,stop,reuse,into,encode,encode-utf16,to-well-formed,boundaries,concat,transcode';
const SKIP = 'skip not offered';
const unsigned = (encoding) => encoding.replace(/-sig$/, '');
const bytesOf = (hex) => Uint8Array.from(hex === '-' ? [] : hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('').toUpperCase() || '-';
const numbersOf = (list) => (list === '-' ? [] : list.split(',').map((unit) => parseInt(unit, 16)));
const list = (units) => Array.from(units, (unit) => unit.toString(16).toUpperCase()).join(',') || '-';
const figures = ({offset, length, fault}, separator) => (length === null ? [offset ?? '?', '?'] : [offset, length, fault]).map((figure) => separator + figure).join('');

function written(answer, indexed) {
  if (answer.status === 'ok') return `ok ${hexOf(answer.units)}`;
  if (answer.status === 'unsupported') return SKIP;
  return indexed ? `error ${answer.error.offset}` : `error${figures(answer.error, ' ')}`;
}

export async function begin(bytes, codec) {
  const assay = await open(bytes);
  const encodings = assay.codecs.filter((one) => one.name === codec && !one.isScheme).map((one) => one.encoding);
  const offered = [...encodings, ...assay.signed.filter((name) => encodings.includes(unsigned(name)))];
  if (encodings.length === 0) throw new Error(`the module has no codec '${codec}'`);

  // One decoder for the pieces: groups, one a piece, and the error where it stopped.
  function streamed(options, chunks) {
    const pieces = chunks.split(',').map(bytesOf), stream = assay.stream(options), groups = [];
    for (const [index, piece] of pieces.entries()) {
      const answer = stream.feed(piece, index + 1 === pieces.length);
      groups.push(list(answer.units));
      if (answer.status !== 'ok') return {groups, ...answer};
    }
    return {groups, status: 'ok'};
  }

  const answers = {
    validate(signed, hex) {
      const encoding = unsigned(signed); // the signature is well-formed
      if (!assay.offers('validate', {encoding, codec})) return SKIP;
      const error = assay.validate(bytesOf(hex), {encoding, codec});
      return error === null ? 'ok' : `error${figures(error, ' ')}`;
    },
    decode(encoding, policy, chunks) {
      const found = streamed({encoding, codec, policy}, chunks);
      if (found.status === 'unsupported') return SKIP;
      return found.status === 'ok' ? `ok ${found.groups.join('|')}` : `error${figures(found.error, ' ')}`;
    },
    stop(encoding, chunks) {
      const {status, groups, error} = streamed({encoding, codec, policy: 'strict'}, chunks);
      if (status === 'unsupported') return SKIP;
      return status === 'ok' ? `ok ${groups.join('|')}` : `error ${groups.length - 1} ${groups.join('|')}${figures(error, ' ')}`;
    },
    reuse(encoding, policy, streams) {
      const found = streams.split(';').map((chunks) => streamed({encoding, codec, policy}, chunks));
      if (found.some((one) => one.status === 'unsupported')) return SKIP;
      return `ok ${found.map((one) => (one.status === 'ok' ? one.groups.join('|') : `error${figures(one.error, ':')}`)).join(';')}`;
    },
    into(encoding, policy, units, room, hex) {
      if (units === 'utf-8') return SKIP;
      const answer = assay.decode(bytesOf(hex), {encoding, codec, policy, units, limit: Number(room)});
      if (answer.status === 'unsupported') return SKIP;
      const word = {'ill-formed': 'error'}[answer.status] ?? answer.status;
      return `${word} ${answer.read} ${list(answer.units)}${word === 'error' ? figures(answer.error, ' ') : ''}`;
    },
    encode: (encoding, policy, scalars) => written(assay.encode(Uint32Array.from(numbersOf(scalars)), {encoding, codec, policy}), true),
    'encode-utf16': (encoding, policy, units) => written(assay.encode(Uint16Array.from(numbersOf(units)), {encoding, codec, policy}), true),
    'to-well-formed': (encoding, policy, hex) => written(assay.toWellFormed(bytesOf(hex), {encoding, codec, policy}), false),
    boundaries(encoding, hex) {
      const found = assay.boundaries(bytesOf(hex), {encoding, codec});
      return found === null ? SKIP : `ok ${found.join(',')}`;
    },
    transcode(from, to, policy, hex) {
      if (!encodings.includes(to)) return SKIP;
      const answer = assay.convert(bytesOf(hex), {from, to, policy, codec});
      return answer.status === 'ok' ? `ok ${hexOf(answer.units)}` : answer.status === 'unsupported' ? SKIP : `error${figures(answer.error, ' ')}`;
    },
    concat(encoding, both) {
      const [left, right] = both.split(',').map(bytesOf);
      const answer = assay.concat(left, right, {encoding, codec});
      if (answer.status === 'unsupported') return SKIP;
      return answer.status === 'ok' ? `ok ${hexOf(answer.units)}` : 'error';
    },
  };

  function answerLine(line) {
    const [id, operation, encoding, ...fields] = line.split(' ');
    if (id === 'hello')
      return `hello assay/1 wasm/${codec} encodings=${offered.join(',')} policies=${assay.policies.join(',')} ops=${OPS} chunks=yes`;
    return `${id} ${answers[operation] !== undefined && (SIGNED.includes(operation) ? offered : encodings).includes(encoding) ? answers[operation](encoding, ...fields) : SKIP}`;
  }
  return answerLine;
}
