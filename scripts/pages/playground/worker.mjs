// SPDX-License-Identifier: MIT
//
// The module at work beside the page: it holds the input, and answers questions about it.

import { open } from '../../../harnesses/browser/assay.mjs';
import { readForm } from './forms.mjs';

const SHOWN = 48; // code points of each output
const AROUND = 8; // bytes: no character and no error is longer
const FULL_COMPARISON = 1 << 16;
const COUNTED = 1 << 20; // bytes; of a longer input no output is counted, as that takes a pass for each encoding and policy

let assay, input = new Uint8Array(0);

const referenceOf = (encoding) => assay.codecs.find((one) => one.encoding === encoding && one.isReference).name;

// A long input is counted by the fastest codec; what is shown of it, and all of a short one, is the reference's.
const codecFor = (encoding) => (input.length > FULL_COMPARISON ? undefined : referenceOf(encoding));

// `total` is null where it is not counted.
function preview(encoding, policy, firstError) {
  const codec = referenceOf(encoding), shown = assay.decode(input, {encoding, codec, policy, limit: SHOWN});
  if (shown.status === 'unsupported') return null;
  const all = shown.status !== 'full', counted = all || input.length > COUNTED ? null : assay.count(input, {encoding, codec: codecFor(encoding), policy});
  return {units: shown.units, total: all ? shown.units.length : counted?.utf32 ?? null, stopped: policy === 'strict' ? firstError : null};
}

// Between two places where characters or errors begin, whatever is far away.
function piecesAround(encoding, begin, end) {
  const codec = referenceOf(encoding), first = Math.max(0, begin - 4 * AROUND), last = Math.min(input.length, end + 4 * AROUND);
  const from = assay.boundaries(input, {encoding, codec, begin: first, end: first})[0];
  const slice = input.subarray(from, last), starts = assay.boundaries(slice, {encoding, codec});
  const errors = new Map(assay.spans(slice, {encoding, codec}).map((span) => [span.offset, span]));
  return {from, slice, starts, errors, codec};
}

function characterAt(encoding, codec, slice, at, end) {
  const {units} = assay.decode(slice.subarray(at, end), {encoding, codec, policy: 'strict'});
  return units.length > 0 ? units[0] : null;
}

const answers = {
  async open(module) {
    assay = await open(module);
    const policies = Object.fromEntries(assay.encodings.map((encoding) => [encoding, assay.policies.filter((policy) => assay.count(new Uint8Array(0), {encoding, policy}).status !== 'unsupported')]));
    return {encodings: assay.encodings, schemes: assay.schemes, codecs: assay.codecs, policies, sentences: assay.sentences, allPolicies: assay.policies};
  },
  take(bytes) {
    input = bytes;
    return bytes.length;
  },
  read: readForm, // a long text: it takes seconds
  overview(encoding) {
    const first = assay.validate(input, {encoding, codec: codecFor(encoding)});
    return {length: input.length, first, errors: first === null ? 0 : assay.spans(input, {encoding, codec: codecFor(encoding), limit: 0}).total};
  },
  // Of other bytes than the input's.
  firstError: (encoding, bytes) => assay.validate(bytes, {encoding, codec: referenceOf(encoding)}),
  // What each byte of a part of the input is.
  roles(encoding, begin, end) {
    const {from, slice, starts, errors, codec} = piecesAround(encoding, begin, end), roles = [];
    for (let at = begin - from; at < end - from; at++) {
      const start = starts[at], span = errors.get(start) ?? null;
      let stop = at + 1;
      while (stop < slice.length && starts[stop] !== stop) stop++;
      const length = span !== null ? span.length : stop - start;
      roles.push({offset: from + at, byte: slice[at], begin: from + start, length, index: at - start,
                  error: span === null ? null : {...span, offset: from + span.offset},
                  codePoint: span === null ? characterAt(encoding, codec, slice, start, start + length) : null});
    }
    return roles;
  },
  // Where the first error at or after `begin` is, or null.
  nextError(encoding, begin) {
    const codec = codecFor(encoding), from = assay.boundaries(input, {encoding, codec, begin, end: begin})[0];
    for (let at = from; at < input.length;) {
      const error = assay.validate(input.subarray(at), {encoding, codec});
      if (error === null) return null;
      if (at + error.offset >= begin) return at + error.offset;
      at += error.offset + error.length;
    }
    return null;
  },
  row(encoding) {
    const overview = answers.overview(encoding);
    return {encoding, ...overview, outputs: Object.fromEntries(assay.policies.map((policy) => [policy, preview(encoding, policy, overview.first)]))};
  },
  // Every codec of the encoding beside its reference, on the first 64 KiB. What a codec does not offer, or not report, is not compared.
  codecs(encoding) {
    const part = input.subarray(0, FULL_COMPARISON), reference = referenceOf(encoding), expected = assay.validate(part, {encoding, codec: reference});
    const names = assay.codecs.filter((one) => one.encoding === encoding).map((one) => one.name);
    const spans = (codec) => JSON.stringify(Array.from(assay.spans(part, {encoding, codec})));
    const decoded = (codec, policy) => {
      const {status, read, units} = assay.decode(part, {encoding, codec, policy, units: 'utf-16'});
      return JSON.stringify([status, read, Array.from(units)]);
    };
    const agrees = (codec) => {
      const error = assay.validate(part, {encoding, codec});
      const sameError = (error === null) === (expected === null) && ['offset', 'length'].every((figure) => error === null || error[figure] === null || error[figure] === expected[figure]);
      return sameError && (!assay.offers('spans', {encoding, codec}) || spans(codec) === spans(reference)) &&
        assay.policies.every((policy) => !assay.offers('decode-utf16', {encoding, codec, policy}) || decoded(codec, policy) === decoded(reference, policy));
    };
    return names.map((name) => ({name, agrees: agrees(name), error: assay.validate(part, {encoding, codec: name})}));
  },
  walk(encoding, begin, end) {
    const {from, slice, starts} = piecesAround(encoding, begin, end);
    const start = starts[Math.max(0, begin - from)];
    return assay.walk(slice.subarray(start, end - from), {encoding}).map((step) => ({...step, offset: step.offset + from + start}));
  },
  decode: (encoding, policy, units) => assay.decode(input, {encoding, codec: codecFor(encoding), policy, units}),
  pieces(encoding, policy, units, part, cuts) {
    const stream = assay.stream({encoding, codec: referenceOf(encoding), policy, units});
    const ends = [...cuts, part.length], out = [];
    let begin = 0, written = 0;
    for (const [index, end] of ends.entries()) {
      const answer = stream.feed(part.subarray(begin, end), index + 1 === ends.length);
      const whole = assay.boundaries(part.subarray(0, end), {encoding, codec: referenceOf(encoding), begin: end - 1, end: end - 1})?.[0] ?? end;
      const tail = end > 0 ? assay.spans(part.subarray(whole, end), {encoding, codec: referenceOf(encoding)}) : [];
      const held = index + 1 < ends.length && tail.length > 0 && tail[0].incomplete ? end - whole : 0;
      written += answer.units.length;
      out.push({begin, end, units: answer.units, status: answer.status, error: answer.error, held});
      begin = end;
      if (answer.status !== 'ok') break;
    }
    return {pieces: out, written};
  },
  encode: (units, limit) => assay.encode(units, {encoding: 'utf-8', codec: 'reference', policy: 'whatwg', limit}),
  goldenCase(encoding) {
    const codec = referenceOf(encoding), outputs = {};
    for (const policy of assay.policies) {
      const answer = assay.decode(input, {encoding, codec, policy});
      if (answer.status !== 'unsupported') outputs[policy] = answer.units;
    }
    return {spans: Array.from(assay.spans(input, {encoding, codec})), outputs, utf16: assay.decode(input, {encoding, codec, units: 'utf-16'}).units};
  },
  // ---- the laboratory: text in a scheme, whole and damaged
  write(encoding, scalars) {
    const bytes = [], begins = [];
    for (const scalar of scalars) {
      const answer = assay.encode(Uint32Array.of(scalar), {encoding, policy: 'strict'});
      begins.push(bytes.length);
      bytes.push(...answer.units);
    }
    return {bytes: Uint8Array.from(bytes), begins};
  },
  damaged(encoding, bytes, scalars) {
    const isScheme = assay.schemes.includes(encoding);
    const {units} = assay.decode(bytes, {encoding, codec: 'reference', policy: 'whatwg'});
    return {units, noticed: assay.validate(bytes, {encoding, codec: 'reference'}) !== null, ...assay.survivors(scalars, units),
            layout: bytes.length > 0 ? assay.layout(bytes, {encoding: isScheme ? encoding : 'utf-8-unchecked'}) : []};
  },
};

self.onmessage = async ({data: {id, question, words}}) => {
  try {
    self.postMessage({id, answer: await answers[question](...words)});
  } catch (error) {
    self.postMessage({id, problem: `${error.name}: ${error.message}`});
  }
};
