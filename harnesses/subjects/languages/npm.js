// SPDX-License-Identifier: MIT
//
// Packages of npm that decode, and modules of Node, as subjects: the folder of packages and the package are named on the command line.

'use strict';
const path = require('path');
const readline = require('readline');

const [folder, name] = process.argv.slice(2);
const load = (file = name) => require(path.resolve(folder, file));
const SIZE = {strict: {fatal: true}, whatwg: {}};

// A standard's TextDecoder (`whatwg` and in pieces), or a function from Buffer to string. Its decoder can be used again after the end of a
// stream, and so can Node's StringDecoder, but not the one of Node 8, which npm has. `encode` makes bytes of a string, which has UTF-16 units;
// but for the one that throws, encoders put U+FFFD in place of unpaired surrogates, or encode these.
const standard = (make, Encoder) => ({policies: 'strict,whatwg', ops: 'validate,decode,reuse', encode: (text) => new (Encoder())().encode(text), decoder: (policy) => make({...SIZE[policy], ignoreBOM: true})});
const whole = (policy, decode, encode) => ({policies: policy, decode, encode});
const NODE = {'utf-8': 'utf8', 'utf-16le': 'utf16le'}; // its names of encodings
const SUBJECTS = {
  'iconv-lite': () => ({policies: 'own', encode: (text) => load().encode(text, 'utf-8'), decoder: () => {
    const one = load().getDecoder('utf-8', {stripBOM: false});
    return {decode: (bytes, {stream}) => one.write(Buffer.from(bytes)) + (stream ? '' : one.end() || '')};
  }}),
  'text-encoding': () => standard((options) => new (load().TextDecoder)('utf-8', options), () => load().TextEncoder),
  '@zxing/text-encoding': () => standard((options) => new (load().TextDecoder)('utf-8', options), () => load().TextEncoder),
  '@exodus/bytes': () => standard((options) => new (load('@exodus/bytes/encoding.js').TextDecoder)('utf-8', options), () => load('@exodus/bytes/encoding.js').TextEncoder),
  'string_decoder': () => ({policies: 'own', decoder: () => {
    const one = new (load('string_decoder/lib/string_decoder.js').StringDecoder)('utf8');
    return {decode: (bytes, {stream}) => one.write(Buffer.from(bytes)) + (stream ? '' : one.end())};
  }}),
  'text-decoder': () => ({policies: 'own', decoder: () => {
    const one = new (load())('utf8');
    return {decode: (bytes, {stream}) => one.push(Buffer.from(bytes)) + (stream ? '' : one.end())};
  }}),
  'buffer': () => whole('own', (bytes) => load('buffer/index.js').Buffer.from(bytes).toString('utf8'), (text) => load('buffer/index.js').Buffer.from(text, 'utf8')),
  'node:buffer': () => ({policies: 'own', encodings: 'utf-8,utf-16le', decode: (bytes, {encoding}) => Buffer.from(bytes).toString(NODE[encoding]),
    encode: (text) => Buffer.from(text, 'utf8'), ops: 'validate,decode', validate: (bytes) => require('buffer').isUtf8(bytes),
    transcode: (bytes, from, to) => require('buffer').transcode(bytes, NODE[from], NODE[to])}),
  'node:string_decoder': () => ({policies: 'own', ops: 'decode,reuse', encodings: 'utf-8,utf-16le', decoder: (policy, encoding) => {
    const one = new (require('string_decoder').StringDecoder)(NODE[encoding]);
    return {decode: (bytes, {stream}) => one.write(Buffer.from(bytes)) + (stream ? '' : one.end())};
  }}),
  // Response.text() of the Fetch Standard, which removes one signature; the pieces are those of a stream.
  'undici': () => ({policies: 'own', encodings: 'utf-8-sig,utf-8', encode: async (text) => new Uint8Array(await new (load().Response)(text).arrayBuffer()), decoder: () => {
    const pieces = [];
    return {decode: (bytes, {stream}) => {
      pieces.push(new Uint8Array(bytes));
      const body = () => new ReadableStream({start(controller) { pieces.forEach((piece) => controller.enqueue(piece)); controller.close(); }});
      return stream ? '' : new (load().Response)(body()).text();
    }};
  }}),
  'utf8': () => whole('strict', (bytes) => load().decode(bytes.toString('latin1')), (text) => Buffer.from(load().encode(text), 'latin1')),
  '@protobufjs/utf8': () => whole('own', (bytes) => load('@protobufjs/utf8').read(bytes, 0, bytes.length), (text) => {
    const bytes = Buffer.alloc(load('@protobufjs/utf8').length(text));
    load('@protobufjs/utf8').write(text, bytes, 0);
    return bytes;
  }),
  'utf-8-validate': () => ({policies: 'strict', decode: (bytes) => { if (!load('utf-8-validate/fallback.js')(bytes)) throw new TypeError(); return ''; }, ops: 'validate'}),
};
const subject = {encodings: 'utf-8', ...SUBJECTS[name]()};
const DECODES = subject.policies.split(',');
subject.ops = subject.ops || (subject.policies === 'own' ? 'decode' : 'validate,decode');
const ENCODING_POLICY = subject.policies === 'strict' ? 'strict' : 'whatwg';
if (subject.encode) {
  subject.ops += ',encode-utf16';
  subject.policies = [...new Set([...subject.policies.split(','), ENCODING_POLICY])].join(',');
}
if (subject.transcode) {
  subject.ops += ',transcode';
  subject.policies += ',strict';
}
const bytes = (hex) => Buffer.from(hex === '-' ? '' : hex, 'hex');
const scalars = (text) => Array.from(text, (char) => char.codePointAt(0).toString(16).toUpperCase()).join(',') || '-';

// The groups of a stream, or `error`.
async function streamed(one, chunks, policy, encoding) {
  try {
    const pieces = chunks.split(',').map(bytes);
    const groups = [];
    for (const [index, piece] of pieces.entries()) groups.push(scalars(await one.decode(piece, {encoding, stream: index + 1 < pieces.length})));
    return groups.join('|');
  } catch (error) {
    if (policy !== 'strict') throw error;
    return 'error';
  }
}

async function encoded(units) {
  try {
    return 'ok ' + (Buffer.from(await subject.encode(String.fromCharCode(...units))).toString('hex') || '-');
  } catch (error) {
    if (ENCODING_POLICY !== 'strict') throw error;
    return 'error';
  }
}

function transcoded(from, to, policy, hex) {
  if (!NODE[from] || !NODE[to] || policy !== (from === to ? 'whatwg' : 'strict')) return 'skip not offered'; // as it does
  try {
    return 'ok ' + (subject.transcode(bytes(hex), from, to).toString('hex') || '-');
  } catch (error) {
    return 'error';
  }
}

async function answer(operation, encoding, fields) {
  if (operation === 'transcode' && subject.transcode) return transcoded(encoding, ...fields);
  if (operation === 'validate' && subject.validate)
    return encoding === 'utf-8' ? (subject.validate(bytes(fields[0])) ? 'ok' : 'error') : 'skip not offered';
  if (operation === 'encode-utf16' && subject.encode && encoding === 'utf-8' && fields[0] === ENCODING_POLICY)
    return encoded(fields[1] === '-' ? [] : fields[1].split(',').map((unit) => parseInt(unit, 16)));
  const last = fields[fields.length - 1], policy = operation === 'validate' ? 'strict' : fields[0];
  const isOffered = subject.encodings.split(',').includes(encoding) && subject.ops.split(',').includes(operation) && operation !== 'encode-utf16' && DECODES.includes(policy) && !(name === 'undici' && encoding === 'utf-8');
  if (!isOffered || (subject.decode && last.includes(','))) return 'skip not offered';
  const one = subject.decode ? {decode: subject.decode} : subject.decoder(policy, encoding);
  const replies = [];
  for (const chunks of last.split(';')) replies.push(await streamed(one, chunks, policy, encoding));
  if (operation === 'reuse') return `ok ${replies.join(';')}`;
  return replies[0] === 'error' ? 'error' : operation === 'validate' ? 'ok' : `ok ${replies[0]}`;
}

async function reply(line) {
  const [id, operation, encoding, ...fields] = line.split(' ');
  if (id === 'hello')
    process.stdout.write(`hello assay/1 ${name} encodings=${subject.encodings} policies=${subject.policies} ops=${subject.ops} chunks=${subject.decode ? 'no' : 'late'}\n`);
  else
    process.stdout.write(`${id} ${await answer(operation, encoding, fields)}\n`);
}

let last = Promise.resolve(); // replies are in the order of the requests
readline.createInterface({input: process.stdin, crlfDelay: Infinity}).on('line', (line) => { last = last.then(() => reply(line)); });
