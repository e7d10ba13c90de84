// SPDX-License-Identifier: MIT
//
// The forms in which bytes are pasted and copied.

// What the form is guessed from; regular expressions see no more of a long text, as some take the square of its length.
const HEAD = 4096;
const HEX = /^(?:0[xX])?[0-9a-fA-F]{2}(?:[\s,:-]*(?:0[xX])?[0-9a-fA-F]{2})*[\s,:-]*$/;
const CAST = /^\((?:byte|sbyte|char|(?:un)?signed char|u?int8(?:_t)?)\)\s*/; // of Java, C and C#
const ITEMS = /^\s*(?:\([a-z0-9_ ]{4,13}\)\s*)?(?:0[xX][0-9a-fA-F]|0b[01]|-?\d|b?'.')[^\]}]*,/;
const SIMPLE = {n: 10, r: 13, t: 9, a: 7, b: 8, f: 12, v: 11, e: 27, 0: 0, '\\': 92, '"': 34, "'": 39, '?': 63};

export const FORMS = {auto: 'find out', hex: 'hex', escapes: '\\x escapes', percent: 'percent-encoding', base64: 'base64', array: 'array of bytes', text: 'text'};

const encoder = new TextEncoder();

const DIGITS = new Int8Array(128).fill(-1);
for (const [value, digit] of Array.from('0123456789abcdef').entries()) DIGITS[digit.charCodeAt(0)] = DIGITS[digit.toUpperCase().charCodeAt(0)] = value;

const SEPARATORS = new Set(Array.from(' \t\r\n\v\f\u00a0\u2007\u202f\ufeff,:-', (char) => char.charCodeAt(0)));

function joined(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

// A loop, as a regular expression takes too much of the stack for a long text. `0x` may be before each pair.
function readHex(text) {
  const out = new Uint8Array(text.length >> 1);
  let count = 0, high = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at), digit = code < 128 ? DIGITS[code] : -1;
    if (high < 0 && digit === 0 && (text[at + 1] === 'x' || text[at + 1] === 'X')) at++;
    else if (digit >= 0 && high >= 0) {
      out[count++] = high << 4 | digit;
      high = -1;
    } else if (digit >= 0) high = digit;
    else if (high >= 0 || !SEPARATORS.has(code)) throw new SyntaxError('this is no hex: pairs of digits are needed, such as E4 B8 96');
  }
  if (high >= 0) throw new SyntaxError('this is no hex: the last pair of digits is incomplete');
  return out.slice(0, count);
}

const ESCAPE = /\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\x([0-9a-fA-F]{2})|\\([0-7]{3})|\\u([0-9a-fA-F]{4})|\\u\{([0-9a-fA-F]{1,6})\}|\\U([0-9a-fA-F]{8})|\\([nrtabfve0\\"'?])|[^\\]+|\\/gu;

// What is in quotes. C joins strings that stand one after another.
const unquoted = (text) => text.replace(/^(?:b|u8)?(["'])([\s\S]*)\1$/, (whole, quote, body) => (quote === '"' ? body.replace(/(\\[\s\S])|"\s*"/g, '$1') : body));

function bytesOfScalar(scalar, escape) {
  if (scalar >= 0xd800 && scalar <= 0xdfff) throw new SyntaxError(`${escape} is one half of a surrogate pair, which has no bytes in UTF-8`);
  return encoder.encode(String.fromCodePoint(scalar));
}

// C, Rust, Python, JSON and shell: \xE4, \344, \u4E16, \u{4E16}, \uD83D\uDE00, \n. What is no escape is text.
function readEscapes(text) {
  const out = [], body = unquoted(text.trim());
  for (const match of body.matchAll(ESCAPE)) {
    const [whole, lead, trail, hex, octal, four, braced, eight, simple] = match, scalar = four ?? braced ?? eight;
    if (lead !== undefined) out.push(encoder.encode(String.fromCharCode(parseInt(lead, 16), parseInt(trail, 16))));
    else if (hex !== undefined) out.push([parseInt(hex, 16)]);
    else if (octal !== undefined && parseInt(octal, 8) < 256) out.push([parseInt(octal, 8)]);
    else if (scalar !== undefined && parseInt(scalar, 16) <= 0x10ffff) out.push(bytesOfScalar(parseInt(scalar, 16), whole));
    else if (simple !== undefined) out.push([SIMPLE[simple]]);
    else if (whole.startsWith('\\')) throw new SyntaxError(`there is no escape ${body.slice(match.index, match.index + 4)}`);
    else out.push(encoder.encode(whole));
  }
  return joined(out);
}

function readPercent(text) {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) throw new SyntaxError('after % two hex digits are needed');
  return joined(Array.from(text.trim().matchAll(/%([0-9a-fA-F]{2})|[^%]+/g), ([whole, pair]) => (pair !== undefined ? [parseInt(pair, 16)] : encoder.encode(whole))));
}

function readBase64(text) {
  const plain = text.replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
  if (!/^[A-Za-z0-9+/]*$/.test(plain) || plain.length % 4 === 1) throw new SyntaxError('this is no base64');
  return Uint8Array.from(atob(plain), (char) => char.charCodeAt(0));
}

const lastOpened = (text) => Math.max(text.lastIndexOf('{'), text.lastIndexOf('['));

// Without comments of C, each of which ends where the first end is, and those of a line.
const uncommented = (text) => text.split('/*').map((part, index) => (index === 0 ? part : part.slice(part.includes('*/') ? part.indexOf('*/') + 2 : part.length))).join(' ').replace(/\/\/.*/g, '');

// What is in the last brackets: those before it are of the type, as in `unsigned char a[3] = {1, 2, 3}`.
function readArray(text) {
  const plain = uncommented(text), inner = plain.slice(lastOpened(plain) + 1), end = inner.search(/[\]}]/);
  const items = (end < 0 ? inner : inner.slice(0, end)).split(',').map((item) => item.trim().replace(CAST, '').replace(/_?u8$/, '')).filter((item) => item !== '');
  return Uint8Array.from(items, (item) => {
    const char = /^b?'([\x20-\x7e])'$/.exec(item);
    const value = char !== null ? char[1].charCodeAt(0) : /^-?(?:0x[0-9a-f]+|0b[01]+|\d+)$/i.test(item) ? (item.startsWith('-') ? 256 - Number(item.slice(1)) : Number(item)) : NaN;
    if (!(value >= 0 && value <= 255)) throw new SyntaxError(`'${item.slice(0, 20)}' is no byte`);
    return value;
  });
}

const READERS = {hex: readHex, escapes: readEscapes, percent: readPercent, base64: readBase64, array: readArray, text: (text) => encoder.encode(text)};

export function guessForm(text) {
  const plain = text.trim(), isLong = plain.length > HEAD, head = plain.slice(0, HEAD), array = isLong ? plain : uncommented(plain), opened = lastOpened(array);
  if (HEX.test(isLong ? head.slice(0, head.search(/[0-9a-fA-Fx]*$/) || HEAD) : plain)) return 'hex';
  if (/\\(?:x[0-9a-fA-F]{2}|[0-7]{3}|[uU])/.test(head)) return 'escapes';
  if (opened >= 0 && ITEMS.test(array.slice(opened + 1, opened + HEAD)) && /[\]}]/.test(array.slice(-HEAD))) return 'array';
  if (/%[0-9a-fA-F]{2}/.test(head)) return 'percent';
  if (plain.endsWith('=') && /^[A-Za-z0-9+/_\s-]{6,}={1,2}$/.test(isLong ? `${head}=` : plain) && (isLong || plain.replace(/\s/g, '').length % 4 === 0)) return 'base64';
  return 'text';
}

// What is said of input that is read as text and looks like another form; '' of other text.
const HEX_LIKE = /^(?:0[xX]|[0-9a-fA-F]|[\s,:-])+$/;
function likeness(text) {
  const plain = text.slice(0, HEAD).trim();
  if (HEX_LIKE.test(plain) && /[0-9]/.test(plain)) return 'It looks like hex, but a pair of digits is incomplete.';
  if (plain.length % 4 === 0 && /^[A-Za-z0-9+/_-]+={1,2}$/.test(plain)) return 'It may be base64: choose the form to read it so.';
  return '';
}

// The bytes that a text stands for: {form, bytes}, or {problem}, a sentence. A guess that is wrong further on becomes text. `doubt`: of a guess.
export function readForm(text, form) {
  const chosen = form === 'auto' ? guessForm(text) : form;
  try {
    return {form: chosen, bytes: READERS[chosen](text), doubt: form === 'auto' && chosen === 'text' ? likeness(text) : ''};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (form === 'auto' && text.length > HEAD) return {...readForm(text, 'text'), doubt: likeness(text)};
    return {problem: `${error.message[0].toUpperCase()}${error.message.slice(1)}.`};
  }
}

export const hexOf = (bytes, between = ' ') => Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(between);
export const codeOf = (codePoint) => codePoint.toString(16).toUpperCase().padStart(4, '0');
export const scalarsOf = (units) => Array.from(units, (unit) => unit.toString(16).toUpperCase()).join(',') || '-';

export const asCArray = (bytes) => `static const unsigned char bytes[${bytes.length}] = {${Array.from(bytes, (byte) => '0x' + hexOf([byte])).join(', ')}};`;
export const asCurl = (bytes) => `printf '${Array.from(bytes, (byte) => '\\' + byte.toString(8).padStart(3, '0')).join('')}' | curl --data-binary @- http://localhost:8080/`;
export const asDiff = (bytes, encoding) => `build/assay diff -e ${encoding} ${hexOf(bytes, '')}`;
