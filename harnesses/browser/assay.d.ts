// SPDX-License-Identifier: MIT
// The types of assay.mjs.
import type { Encoding, Fault, Policy } from './words.js';
export type { Encoding, Fault, Policy } from './words.js';

/** An ill-formed part: its first byte or unit, and the length of the maximal subpart (Unicode, definition D93b). */
export interface ErrorSpan {
  /** null if the codec does not report it; the default codec of each encoding does. */
  offset: number | null;
  length: number | null;
  fault: Fault | 'none';
  /** Only the end of the input makes it an error. */
  incomplete: boolean;
}

/** The encoding without `-sig`, in which one U+FEFF at the very beginning is a signature, which is removed, as by TextDecoder. */
export type SignedEncoding = `${'utf-8' | 'utf-16le' | 'utf-16be'}-sig`;

export interface Options {
  /** Default: utf-8. */
  encoding?: Encoding;
  /** A codec of the encoding, from Assay.codecs. Default: the fastest. */
  codec?: string;
}

export interface PolicyOptions extends Options {
  /** What stands in place of an error. Default: whatwg, as TextDecoder. */
  policy?: Policy;
}

export interface LimitedOptions extends PolicyOptions {
  /** How many units of output there is room for; then the status is full. Default: as many as are needed. */
  limit?: number;
}

export interface ConvertOptions {
  /** Default of both: utf-8. */
  from?: Encoding | SignedEncoding;
  to?: Encoding;
  /** Of both encodings, where they have one of that name. Default: the fastest. */
  codec?: string;
  /** Of errors in the input, and of code points that `to` cannot hold. Default: whatwg. */
  policy?: Policy;
}

export type Signed<AnyOptions> = Omit<AnyOptions, 'encoding'> & { encoding?: Encoding | SignedEncoding };

export interface Utf16Options { units: 'utf-16' }
export interface Utf32Options { units?: 'utf-32' }

export interface Answer<Units> {
  status: 'ok' | 'ill-formed' | 'full' | 'unsupported';
  /** How many bytes or units of the input the output stands for. */
  read: number;
  units: Units;
  /** Where it stopped, if the status is ill-formed. */
  error: ErrorSpan | null;
}

export interface Stream<Units> {
  /** Takes the next piece and returns what is certain after it. Throws a RangeError after the last piece, and after an error. */
  feed(bytes: Uint8Array, last?: boolean): Answer<Units>;
}

export interface Codec {
  encoding: string;
  name: string;
  isReference: boolean;
  /** It is one of the schemes that UTF-8 was chosen over. */
  isScheme: boolean;
  /** It has an automaton whose steps walk() lists. */
  walks: boolean;
}

export interface Step {
  offset: number;
  byte: number;
  class: number | null;
  before: number;
  after: number;
  codePoint: number;
  accepts: boolean;
  rejects: boolean;
}

/** A byte of a scheme: the sequence it is in, and how many of its bits, from the highest, are tag, counter and payload. */
export interface LaidOut {
  byte: number;
  begin: number;
  length: number;
  codePoint: number;
  fault: Fault | 'none';
  tag: number;
  counter: number;
  payload: number;
}

/** Opens the module: its bytes, or a compiled one. It imports nothing. */
export function open(module: BufferSource | WebAssembly.Module): Promise<Assay>;

/** All codecs. A method throws a TypeError for input of another type than it takes, and a RangeError for a word it does not know. */
export class Assay {
  private constructor();
  readonly codecs: Codec[];
  readonly encodings: Encoding[];
  readonly policies: Policy[];
  readonly faults: (Fault | 'none')[];
  /** What each fault and each policy is, in a sentence. */
  readonly sentences: Record<string, string>;
  readonly schemes: string[];
  /** What decode, text, stream and convert take besides `encodings`. */
  readonly signed: SignedEncoding[];

  /** The first error, or null. */
  validate(bytes: Uint8Array, options?: Options): ErrorSpan | null;
  /** Every error in order, `limit` at most; `total` says how many there are. */
  spans(bytes: Uint8Array, options?: Options & { limit?: number }): ErrorSpan[] & { total: number };
  /** A string. With the policy strict, throws a TypeError at the first error. */
  text(bytes: Uint8Array, options?: Signed<PolicyOptions>): string;
  /** Code points or UTF-16 units. With the policy strict, stops at the first error. */
  decode(bytes: Uint8Array, options: Signed<LimitedOptions> & Utf16Options): Answer<Uint16Array>;
  decode(bytes: Uint8Array, options?: Signed<LimitedOptions> & Utf32Options): Answer<Uint32Array>;
  /** How many units decoding gives. */
  count(bytes: Uint8Array, options?: PolicyOptions): { status: Answer<never>['status']; utf32: number; utf16: number };
  /** Encodes code points or UTF-16 units; an error counts units. */
  encode(units: Uint32Array | Uint16Array, options?: LimitedOptions): Answer<Uint8Array>;
  /** Bytes in another encoding. What it cannot hold is an error, as ill-formed input is; both count bytes of the input. */
  convert(bytes: Uint8Array, options: ConvertOptions): Answer<Uint8Array>;
  /** Well-formed text in the same encoding. */
  toWellFormed(bytes: Uint8Array, options?: LimitedOptions): Answer<Uint8Array>;
  /** A decoder of pieces. */
  stream(options: Signed<PolicyOptions> & Utf16Options): Stream<Uint16Array>;
  stream(options?: Signed<PolicyOptions> & Utf32Options): Stream<Uint32Array>;
  /** For each offset from `begin` to `end`, where the character or error begins that it is in; null if the codec has no answer. */
  boundaries(bytes: Uint8Array, options?: Options & { begin?: number; end?: number }): number[] | null;
  /** Two well-formed strings as one; in WTF-8, a lead surrogate and a trail become one character. */
  concat(left: Uint8Array, right: Uint8Array, options?: Options): Answer<Uint8Array>;
  /** The steps of the automaton, `limit` at most. */
  walk(bytes: Uint8Array, options?: Options & { limit?: number }): Step[];
  /** Whether the codec answers the operation under the policy. */
  offers(operation: string, options?: PolicyOptions): boolean;
  /** Each byte of a text in one of the schemes. */
  layout(bytes: Uint8Array, options: { encoding: string; codec?: string }): LaidOut[];
  /** Of code points and what damage made of them: how many are the same before and after the damage. */
  survivors(original: Uint32Array, damaged: Uint32Array): { before: number; after: number };
}
