// SPDX-License-Identifier: MIT
//
// Packages of npm that decode, as subjects: the folder of packages and the package are named on the command line.

'use strict';
const path = require('path');
const readline = require('readline');

const [folder, name] = process.argv.slice(2);
const load = (file = name) => require(path.resolve(folder, file));
const SIZE = {strict: {fatal: true}, whatwg: {}};

// A standard's TextDecoder (`whatwg` and in pieces), or a function from Buffer to string.
const standard = (make) => ({policies: 'strict,whatwg', decoder: (policy) => make({...SIZE[policy], ignoreBOM: true})});
const whole = (policy, decode) => ({policies: policy, decode});
const SUBJECTS = {
  'iconv-lite': () => ({policies: 'own', decoder: () => {
    const one = load().getDecoder('utf-8', {stripBOM: false});
    return {decode: (bytes, {stream}) => one.write(Buffer.from(bytes)) + (stream ? '' : one.end() || '')};
  }}),
  'text-encoding': () => standard((options) => new (load().TextDecoder)('utf-8', options)),
  '@zxing/text-encoding': () => standard((options) => new (load().TextDecoder)('utf-8', options)),
  '@exodus/bytes': () => standard((options) => new (load('@exodus/bytes/encoding.js').TextDecoder)('utf-8', options)),
  'string_decoder': () => ({policies: 'own', decoder: () => {
    const one = new (load('string_decoder/lib/string_decoder.js').StringDecoder)('utf8');
    return {decode: (bytes, {stream}) => one.write(Buffer.from(bytes)) + (stream ? '' : one.end())};
  }}),
  'text-decoder': () => ({policies: 'own', decoder: () => {
    const one = new (load())('utf8');
    return {decode: (bytes, {stream}) => one.push(Buffer.from(bytes)) + (stream ? '' : one.end())};
  }}),
  'buffer': () => whole('own', (bytes) => load('buffer/index.js').Buffer.from(bytes).toString('utf8')),
  'utf8': () => whole('strict', (bytes) => load().decode(bytes.toString('latin1'))),
  '@protobufjs/utf8': () => whole('own', (bytes) => load('@protobufjs/utf8').read(bytes, 0, bytes.length)),
  'utf-8-validate': () => ({policies: 'strict', decode: (bytes) => { if (!load('utf-8-validate/fallback.js')(bytes)) throw new TypeError(); return ''; }, ops: 'validate'}),
};
const subject = SUBJECTS[name]();
const bytes = (hex) => Buffer.from(hex === '-' ? '' : hex, 'hex');
const scalars = (text) => Array.from(text, (char) => char.codePointAt(0).toString(16).toUpperCase()).join(',') || '-';

function answer(operation, encoding, fields) {
  const last = fields[fields.length - 1], policy = operation === 'decode' ? fields[0] : 'strict';
  const isOffered = encoding === 'utf-8' && (operation === 'decode' || operation === 'validate') && subject.policies.split(',').includes(policy);
  if (!isOffered || (subject.decode && last.includes(','))) return 'skip not offered';
  try {
    const one = subject.decode ? {decode: subject.decode} : subject.decoder(policy);
    const pieces = last.split(',').map(bytes);
    const groups = pieces.map((piece, index) => scalars(one.decode(piece, {stream: index + 1 < pieces.length})));
    return operation === 'validate' ? 'ok' : `ok ${groups.join('|')}`;
  } catch (error) {
    if (policy !== 'strict') throw error;
    return 'error';
  }
}

readline.createInterface({input: process.stdin, crlfDelay: Infinity}).on('line', (line) => {
  const [id, operation, encoding, ...fields] = line.split(' ');
  if (id === 'hello')
    process.stdout.write(`hello assay/1 ${name} encodings=utf-8 policies=${subject.policies} ops=${subject.ops || 'validate,decode'} chunks=${subject.decode ? 'no' : 'late'}\n`);
  else
    process.stdout.write(`${id} ${answer(operation, encoding, fields)}\n`);
});
