// SPDX-License-Identifier: MIT
//
// assay.wasm for JavaScript: copies bytes into the module, asks, and copies the answer out. It decides nothing by itself. The page
// (scripts/playground), the npm package (scripts/assay-wasm) and the tests use it; assay.d.ts has its types.

import { fastTextOf } from './text.mjs';

const NULL = 0;
const STATUSES = ['ok', 'ill-formed', 'full', 'unsupported'];
const ARRAYS = {1: Uint8Array, 2: Uint16Array, 4: Uint32Array}; // by the bytes of a unit
const STEP_BYTES = 28;
const SPAN_BYTES = 16;
const NO_CLASS = 0xffffffff;
const UNKNOWN = 0xffffffff; // a figure of an error that a codec does not report; it becomes null
const WALKS_FIRST = ['hoehrmann2010', 'dfa'];

/** Compiles and opens the module: its bytes, or a compiled WebAssembly.Module. */
export async function open(module) {
  const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
  return new Assay((await WebAssembly.instantiate(compiled, {})).exports);
}

const beginsWith = (bytes, head) => head.every((byte, index) => bytes[index] === byte);

export class Assay {
  #wasm;
  #rows = [];
  #named = new Map(); // a row by encoding/name; and by the encoding alone, the last: that is the fastest
  #answerAt;
  #lastView = new DataView(new ArrayBuffer(0));
  #operations;
  #signatures = new Map(); // name of the encoding with `-sig`: {encoding, bytes}

  constructor(wasm) {
    this.#wasm = wasm;
    this.#answerAt = wasm.answer_at() >>> 0;
    this.#operations = new Map(this.#words((index) => wasm.operation_word(index)).map((name, index) => [name, index]));
    this.faults = this.#words((index) => wasm.fault_word(index, 0));
    this.policies = this.#words((index) => wasm.policy_word(index, 0));
    this.sentences = Object.fromEntries([
      ...this.faults.map((name, index) => [name, this.#text(wasm.fault_word(index, 1))]),
      ...this.policies.map((name, index) => [name, this.#text(wasm.policy_word(index, 1))])]);
    for (let row = 0; row < wasm.row_count(); row++) {
      if (wasm.row_kind(row) === 0) continue;
      this.#rows.push({row, encoding: this.#text(wasm.row_encoding(row)), name: this.#text(wasm.row_name(row)),
                       isReference: wasm.row_kind(row) === 2, isScheme: wasm.row_is_scheme(row) !== 0, walks: wasm.row_walks(row) !== 0});
      if (wasm.signature_bytes(row) > 0) this.#signatures.set(this.#text(wasm.signature_name(row)), {encoding: this.#text(wasm.row_encoding(row)), bytes: this.#bytes(wasm.signature_at(row), wasm.signature_bytes(row))});
    }
    for (const one of this.#rows) this.#named.set(one.encoding, one).set(`${one.encoding}/${one.name}`, one);
    this.codecs = this.#rows.map(({encoding, name, isReference, isScheme, walks}) => ({encoding, name, isReference, isScheme, walks}));
    this.encodings = [...new Set(this.#rows.filter((one) => !one.isScheme).map((one) => one.encoding))];
    this.signed = [...this.#signatures.keys()];
    this.schemes = [...new Set(this.#rows.filter((one) => one.isScheme).map((one) => one.encoding))];
  }

  /** The first error, or null: {offset, length, fault, incomplete}. */
  validate(bytes, options = {}) {
    const answer = this.#ask('validate', bytes, options, 0);
    if (answer.status === 'unsupported') throw new RangeError('this codec does not validate');
    return answer.status === 'ok' ? null : answer.error;
  }

  /** Every error in order, `limit` at most; `total` says how many there are. */
  spans(bytes, options = {}) {
    return this.#with(() => {
      const input = this.#put(bytes);
      const row = this.#row(options).row;
      const total = this.#askAt(row, 'spans', 0, input, bytes.length, NULL, 0, 0).written;
      const room = Math.min(total, options.limit ?? total);
      const output = this.#take(room * SPAN_BYTES);
      this.#askAt(row, 'spans', 0, input, bytes.length, output, room, 0);
      const list = Array.from({length: room}, (_, index) => this.#span(output + index * SPAN_BYTES));
      return Object.assign(list, {total});
    });
  }

  /** How many units decoding writes: {status, utf32, utf16}. */
  count(bytes, options = {}) {
    const answer = this.#ask('count', bytes, options, 2);
    return {status: answer.status, utf32: answer.units?.[0] ?? 0, utf16: answer.units?.[1] ?? 0};
  }

  /** Decodes: {status, read, units, error}. Options: encoding, codec, policy, units ('utf-32' or 'utf-16'), limit (units of output). */
  decode(bytes, options = {}) {
    const name = options.units === 'utf-16' ? 'decode-utf16' : 'decode-utf32', signature = this.#signatures.get(options.encoding);
    if (signature === undefined) return this.#ask(name, bytes, options, options.limit);
    const dropped = beginsWith(bytes, signature.bytes) ? 1 : 0, limit = options.limit === undefined ? undefined : options.limit + dropped;
    const answer = this.#ask(name, bytes, {...options, encoding: signature.encoding}, limit);
    return {...answer, units: answer.units.slice(dropped)};
  }

  /** Decodes to a string. Throws a TypeError if the policy is strict and the bytes are ill-formed, as a fatal TextDecoder does. */
  text(bytes, options = {}) {
    const {status, units, error} = this.decode(bytes, {...options, units: 'utf-16', limit: undefined});
    if (status === 'unsupported') throw new RangeError('this codec does not decode under this policy');
    if (status === 'ill-formed') throw new TypeError(`ill-formed at ${error.offset}: ${error.fault}`);
    return fastTextOf(units);
  }

  /** Encodes a Uint32Array of code points, or a Uint16Array of UTF-16 units: {status, read, units, error}. */
  encode(units, options = {}) {
    return this.#ask(units.BYTES_PER_ELEMENT === 2 ? 'encode-utf16' : 'encode-utf32', units, options, options.limit);
  }

  /** Converts from one encoding to another: {status, read, units, error}. Options: from, to, codec (of both, where they have it), policy. */
  convert(bytes, {from = 'utf-8', to = 'utf-8', codec, policy}) {
    const signature = this.#signatures.get(from), rows = [signature?.encoding ?? from, to].map((encoding) => this.#row({encoding, codec: this.#has(encoding, codec) ? codec : undefined}).row);
    const number = this.#policy({policy});
    return this.#with(() => {
      this.#wasm.transcode(rows[0], signature !== undefined ? 1 : 0, rows[1], number, this.#put(bytes), bytes.length);
      const {written, ...answer} = this.#answer();
      return {...answer, units: this.#bytes(this.#wasm.transcoded_at(), written)};
    });
  }

  /** Well-formed text in the same encoding: {status, read, units, error}. */
  toWellFormed(bytes, options = {}) {
    return this.#ask('to-well-formed', bytes, options, options.limit);
  }

  /** For each byte from `begin` on, and for `end`, where the character or error begins that it is in. A cut is allowed where it begins. */
  boundaries(bytes, options = {}) {
    const {begin = 0, end = bytes.length} = options;
    return this.#with(() => {
      const input = this.#put(bytes), output = this.#take(4), row = this.#row(options).row, found = [];
      for (let at = begin; at <= end; at++) {
        if (this.#askAt(row, 'boundary', 0, input, bytes.length, output, 1, at).status === 'unsupported') return null;
        found.push(this.#view().getUint32(output, true));
      }
      return found;
    });
  }

  /** Two strings as one: {status, read, units, error}. */
  concat(left, right, options = {}) {
    return this.#with(() => {
      const from = this.#put(left), and = this.#put(right), room = left.length + right.length, output = this.#take(room);
      this.#wasm.concat(this.#row(options).row, from, left.length, and, right.length, output, room);
      const answer = this.#answer();
      return {...answer, units: new Uint8Array(this.#wasm.memory.buffer, output, answer.written).slice()};
    });
  }

  /** A decoder of pieces. feed(bytes, last) returns what is certain then: {status, read, units, error}. */
  stream(options = {}) {
    const signature = this.#signatures.get(options.encoding);
    const {row} = this.#row({...options, encoding: signature?.encoding ?? options.encoding}), policy = this.#policy(options);
    const operation = this.#operations.get(options.units === 'utf-16' ? 'feed-utf16' : 'feed-utf32');
    const size = this.#wasm.stream_bytes();
    let state = this.#with(() => {
      const at = this.#take(size);
      this.#wasm.stream_start(at, policy);
      return this.#bytes(at, size);
    });
    let ended = false, head = signature !== undefined ? [] : null; // the first bytes, until there is output
    const isSignature = (bytes, units) => {
      if (head === null) return false;
      head.push(...bytes.subarray(0, signature.bytes.length - head.length));
      const found = units.length > 0 && beginsWith(head, signature.bytes);
      if (units.length > 0) head = null;
      return found;
    };
    const feed = (bytes, last = false) => this.#with(() => {
      if (ended) throw new RangeError('the stream has ended: begin another');
      const at = this.#put(state), input = this.#put(bytes), room = this.#wasm.capacity(operation, bytes.length);
      const output = this.#take(room * this.#wasm.unit_bytes(operation, 1));
      this.#wasm.feed(row, operation, at, input, bytes.length, last ? 1 : 0, output, room);
      const answer = this.#answer();
      state = this.#bytes(at, size);
      ended = last || answer.status !== 'ok';
      const units = this.#units(operation, output, answer.written);
      return {...answer, units: isSignature(bytes, units) ? units.subarray(1) : units};
    });
    return {feed};
  }

  /** The steps of the automaton, `limit` at most. */
  walk(bytes, options = {}) {
    const {row} = this.#walker(options);
    return this.#with(() => {
      const input = this.#put(bytes), room = options.limit ?? 4 * bytes.length + 8, output = this.#take(room * STEP_BYTES);
      const count = this.#wasm.walk(row, input, bytes.length, output, room), view = this.#view();
      return Array.from({length: count}, (_, index) => {
        const at = output + index * STEP_BYTES, word = (place) => view.getUint32(at + place, true);
        return {offset: word(0), byte: view.getUint8(at + 4), class: word(8) === NO_CLASS ? null : word(8), before: word(12), after: word(16),
                codePoint: word(20), accepts: view.getUint8(at + 24) !== 0, rejects: view.getUint8(at + 25) !== 0};
      });
    });
  }

  /** For each byte of a scheme: the sequence or error it is in, and how many bits of it are tag, counter and payload. */
  layout(bytes, options) {
    return this.#with(() => {
      const input = this.#put(bytes), output = this.#take(bytes.length * 28);
      this.#wasm.layout(this.#row(options).row, input, bytes.length, output);
      const words = new Uint32Array(this.#wasm.memory.buffer, output, bytes.length * 7).slice();
      return Array.from(bytes, (byte, index) => {
        const [begin, length, codePoint, fault, tag, counter, payload] = words.subarray(7 * index, 7 * index + 7);
        return {byte, begin, length, codePoint, fault: this.faults[fault], tag, counter, payload};
      });
    });
  }

  /** Of code points and what damage made of them: how many are the same before and after the damage. */
  survivors(original, damaged) {
    return this.#with(() => {
      const words = [this.#put(original, 4), original.length, this.#put(damaged, 4), damaged.length];
      return {before: this.#wasm.survivors_before(...words), after: this.#wasm.survivors_after(...words)};
    });
  }

  /** True if the codec answers the operation under the policy. */
  offers(operation, options = {}) {
    const {row} = this.#row(options), number = this.#operations.get(operation), policy = this.#policy(options);
    return this.#with(() => {
      const room = this.#wasm.capacity(number, 0), output = this.#take(room * this.#wasm.unit_bytes(number, 1));
      return this.#askAt(row, operation, policy, output, 0, output, room, 0).status !== 'unsupported';
    });
  }

  // ---- memory ------------------------------------------------------------------------------------------------

  // The buffer is another one after the memory has grown.
  #view() {
    const {buffer} = this.#wasm.memory;
    if (this.#lastView.buffer !== buffer) this.#lastView = new DataView(buffer);
    return this.#lastView;
  }

  #with(use) {
    try {
      return use();
    } finally {
      this.#wasm.release();
    }
  }

  #take(size) {
    const at = this.#wasm.take(size) >>> 0;
    if (at === NULL) throw new RangeError(`no memory for ${size} bytes`);
    return at;
  }

  #put(array, unitBytes = 1) {
    if (array?.BYTES_PER_ELEMENT !== unitBytes) throw new TypeError(unitBytes === 1 ? 'bytes are a Uint8Array' : 'units are a Uint32Array or a Uint16Array');
    const at = this.#take(array.byteLength);
    new ARRAYS[unitBytes](this.#wasm.memory.buffer, at, array.length).set(array);
    return at;
  }

  #bytes(at, count) { return new Uint8Array(this.#wasm.memory.buffer, at, count).slice(); }

  #text(at) {
    const bytes = new Uint8Array(this.#wasm.memory.buffer);
    return String.fromCharCode(...bytes.subarray(at, bytes.indexOf(0, at)));
  }

  #words(wordAt) {
    const words = [];
    for (let at = wordAt(0); at !== NULL; at = wordAt(words.length)) words.push(this.#text(at));
    return words;
  }

  #units(operation, at, count) {
    const Type = ARRAYS[this.#wasm.unit_bytes(operation, 1)];
    return count === 0 ? new Type(0) : new Type(this.#wasm.memory.buffer, at, count).slice();
  }

  // ---- questions ---------------------------------------------------------------------------------------------

  #row({encoding = 'utf-8', codec}) {
    const found = this.#named.get(codec === undefined ? encoding : `${encoding}/${codec}`);
    if (found === undefined) throw new RangeError(`there is no codec ${encoding}/${codec ?? '...'}`);
    return found;
  }

  #has(encoding, codec) { return this.#named.has(`${encoding}/${codec}`); }

  #walker({encoding = 'utf-8', codec}) {
    const name = codec ?? WALKS_FIRST.find((one) => this.#rows.some((row) => row.encoding === encoding && row.name === one));
    const found = this.#row({encoding, codec: name});
    if (!found.walks) throw new RangeError(`${encoding}/${found.name} has no automaton`);
    return found;
  }

  #policy({policy = 'whatwg'}) {
    const found = this.policies.indexOf(policy);
    if (found < 0) throw new RangeError(`there is no policy ${policy}`);
    return found;
  }

  #span(at) {
    const view = this.#view(), word = (place) => view.getUint32(at + place, true);
    const figure = (place) => (word(place) === UNKNOWN ? null : word(place));
    return {offset: figure(0), length: figure(4), fault: this.faults[word(8)], incomplete: view.getUint8(at + 12) !== 0};
  }

  #answer() {
    const at = this.#answerAt, view = this.#view(), status = STATUSES[view.getUint32(at, true)];
    return {status, read: view.getUint32(at + 4, true), written: view.getUint32(at + 8, true),
            error: status === 'ill-formed' ? this.#span(at + 12) : null};
  }

  #askAt(row, operation, policy, input, count, output, room, at) {
    this.#wasm.ask(row, this.#operations.get(operation), policy, input, count, output, room, at);
    return this.#answer();
  }

  #ask(name, units, options, limit) {
    const operation = this.#operations.get(name), {row} = this.#row(options), policy = this.#policy(options);
    return this.#with(() => {
      const input = this.#put(units, this.#wasm.unit_bytes(operation, 0)), room = limit ?? this.#wasm.capacity(operation, units.length);
      const output = this.#take(room * this.#wasm.unit_bytes(operation, 1));
      const {written, ...answer} = this.#askAt(row, name, policy, input, units.length, output, room, 0);
      return {...answer, units: this.#units(operation, output, written)};
    });
  }
}
