// SPDX-License-Identifier: MIT
//
// An error in words. The module says what the error is; here stand the bytes and the rows of the encoding's table beside it.

import { codeOf, hexOf } from './forms.mjs';

const range = ([low, high]) => (low === high ? hexOf([low]) : `${hexOf([low])}..${hexOf([high])}`);
export const rowOf = (row) => `U+${codeOf(row.first)}..U+${codeOf(row.last)}: ${row.ranges.map(range).join(' ')}`;
const fits = (row, bytes) => bytes.every((byte, index) => index < row.ranges.length && byte >= row.ranges[index][0] && byte <= row.ranges[index][1]);

// As `assay explain` says it.
export function letterOf(span, bytes, sentences) {
  const own = bytes.subarray(span.offset, span.offset + span.length), next = bytes[span.offset + span.length];
  const then = !span.incomplete && next !== undefined ? ` then ${hexOf([next])}` : '';
  return `ill-formed at ${span.offset}, maximal subpart of ${span.length} byte${span.length === 1 ? '' : 's'}: ${hexOf(own)}${then}, ${sentences[span.fault]}`;
}

// Which rows could have been meant, and what they ask for at the place of the error.
export function refusalOf(span, bytes, table) {
  const own = Array.from(bytes.subarray(span.offset, span.offset + span.length)), next = bytes[span.offset + span.length];
  const begun = table.rows.filter((row) => own.length < row.ranges.length && fits(row, own));
  if (begun.length === 0) {
    const lead = table.rows.some((row) => fits(row, own.slice(0, 1)));
    return {rows: [], sentence: lead ? `The rows of ${table.name} have ${hexOf(own)}, but not after what is before it, or not without what should follow.` : `No row of ${table.name} begins with ${hexOf(own.slice(0, 1))}.`};
  }
  const wanted = [...new Set(begun.map((row) => range(row.ranges[own.length])))].join(' or ');
  const came = span.incomplete || next === undefined ? 'the input ends' : `${hexOf([next])} comes`;
  return {rows: begun, sentence: `After ${hexOf(own)}, ${table.name} has ${wanted}; ${came}.`};
}

const INVISIBLE = /[\p{C}\p{Z}\p{M}]/u;

// A character that is safe to show beside others: nothing that turns the direction of text, and nothing invisible.
export function glyphOf(codePoint) {
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return '';
  const char = String.fromCodePoint(codePoint);
  return INVISIBLE.test(char) ? '' : char;
}

// What somebody else wrote, as part of a sentence of the page.
export const legible = (text) => Array.from(text, (char) => glyphOf(char.codePointAt(0)) || ' ').join('');
