// SPDX-License-Identifier: MIT
//
// The forms in which bytes are pasted and copied.

const HEX = /^(?:0x)?[0-9a-fA-F]{2}(?:[\s,:-]*(?:0x)?[0-9a-fA-F]{2})*$/;
const SIMPLE = {n: 10, r: 13, t: 9, a: 7, b: 8, f: 12, v: 11, e: 27, 0: 0, '\\': 92, '"': 34, "'": 39, '?': 63};

export const FORMS = {auto: 'find out', hex: 'hex', escapes: '\\x escapes', percent: 'percent-encoding', base64: 'base64', array: 'array of bytes', text: 'text'};

const encoder = new TextEncoder();

const DIGITS = new Int8Array(128).fill(-1);
for (const [value, digit] of Array.from('0123456789abcdef').entries()) DIGITS[digit.charCodeAt(0)] = DIGITS[digit.toUpperCase().charCodeAt(0)] = value;

// A loop, as long inputs are to be shown at once. What is no digit is left out.
function pairs(text) {
  const out = new Uint8Array(text.length >> 1);
  let count = 0, high = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at), digit = code < 128 ? DIGITS[code] : -1;
    if (digit >= 0 && high >= 0) out[count++] = high << 4 | digit;
    if (digit >= 0) high = high >= 0 ? -1 : digit;
  }
  return out.slice(0, count);
}

function readHex(text) {
  const plain = text.trim();
  if (plain !== '' && !HEX.test(plain)) throw new SyntaxError('this is no hex: pairs of digits are needed, such as E4 B8 96');
  return pairs(plain.replace(/0x/g, ''));
}

// C, Rust, Python and shell: \xE4, \344, \u4E16, \u{4E16}, \n. What is no escape is text.
function readEscapes(text) {
  const out = [], body = text.trim().replace(/^b?(["'])([\s\S]*)\1$/, '$2');
  for (const [whole, hex, octal, four, braced, eight, simple] of body.matchAll(
    /\\x([0-9a-fA-F]{2})|\\([0-7]{3})|\\u([0-9a-fA-F]{4})|\\u\{([0-9a-fA-F]{1,6})\}|\\U([0-9a-fA-F]{8})|\\([nrtabfve0\\"'?])|[^\\]|\\/gu)) {
    const scalar = four ?? braced ?? eight;
    if (hex !== undefined) out.push(parseInt(hex, 16));
    else if (octal !== undefined && parseInt(octal, 8) < 256) out.push(parseInt(octal, 8));
    else if (scalar !== undefined && parseInt(scalar, 16) <= 0x10ffff) out.push(...encoder.encode(String.fromCodePoint(parseInt(scalar, 16))));
    else if (simple !== undefined) out.push(SIMPLE[simple]);
    else if (whole.startsWith('\\')) throw new SyntaxError(`there is no escape ${body.slice(body.indexOf(whole), body.indexOf(whole) + 4)}`);
    else out.push(...encoder.encode(whole));
  }
  return Uint8Array.from(out);
}

function readPercent(text) {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) throw new SyntaxError('after % two hex digits are needed');
  const out = [];
  for (const [whole, pair] of text.trim().matchAll(/%([0-9a-fA-F]{2})|[\s\S]/gu)) out.push(...(pair !== undefined ? pairs(pair) : encoder.encode(whole)));
  return Uint8Array.from(out);
}

function readBase64(text) {
  const plain = text.replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
  if (!/^[A-Za-z0-9+/]*$/.test(plain) || plain.length % 4 === 1) throw new SyntaxError('this is no base64');
  return Uint8Array.from(atob(plain), (char) => char.charCodeAt(0));
}

function readArray(text) {
  const items = text.replace(/^[^{[]*[{[]/, '').replace(/[\]}][^\]}]*$/, '').split(',').map((item) => item.trim().replace(/_?u8$/, '')).filter((item) => item !== '');
  return Uint8Array.from(items, (item) => {
    const char = /^b?'([\x20-\x7e])'$/.exec(item);
    const value = char !== null ? char[1].charCodeAt(0) : /^-?(?:0x[0-9a-f]+|0b[01]+|\d+)$/i.test(item) ? (item.startsWith('-') ? 256 - Number(item.slice(1)) : Number(item)) : NaN;
    if (!(value >= 0 && value <= 255)) throw new SyntaxError(`'${item.slice(0, 20)}' is no byte`);
    return value;
  });
}

const READERS = {hex: readHex, escapes: readEscapes, percent: readPercent, base64: readBase64, array: readArray, text: (text) => encoder.encode(text)};

export function guessForm(text) {
  const plain = text.trim();
  if (HEX.test(plain)) return 'hex';
  if (/\\(?:x[0-9a-fA-F]{2}|[0-7]{3}|[uU])/.test(plain)) return 'escapes';
  if (/[{[][\s\S]*(?:0x[0-9a-fA-F]|\d)[\s\S]*[\]}]/.test(plain) && plain.includes(',')) return 'array';
  if (/%[0-9a-fA-F]{2}/.test(plain)) return 'percent';
  if (/^[A-Za-z0-9+/]{6,}={1,2}$/.test(plain)) return 'base64';
  return 'text';
}

// The bytes that a text stands for; throws SyntaxError with a sentence.
export function readForm(text, form) {
  const chosen = form === 'auto' ? guessForm(text) : form;
  return {form: chosen, bytes: READERS[chosen](text)};
}

export const hexOf = (bytes, between = ' ') => Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(between);
export const codeOf = (codePoint) => codePoint.toString(16).toUpperCase().padStart(4, '0');
export const scalarsOf = (units) => Array.from(units, (unit) => unit.toString(16).toUpperCase()).join(',') || '-';

export const asCArray = (bytes) => `static const unsigned char bytes[${bytes.length}] = {${Array.from(bytes, (byte) => '0x' + hexOf([byte])).join(', ')}};`;
export const asCurl = (bytes) => `printf '${Array.from(bytes, (byte) => '\\' + byte.toString(8).padStart(3, '0')).join('')}' | curl --data-binary @- http://localhost:8080/`;
export const asDiff = (bytes, encoding) => `build/assay diff -e ${encoding} ${hexOf(bytes, '')}`;
