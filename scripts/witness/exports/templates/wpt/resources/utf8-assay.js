// SPDX-License-Identifier: CC0-1.0
//
// What the tests utf8-assay-*.any.js share.
'use strict';

const assayBytes = (hex) => (hex === '-' ? new Uint8Array(0) : Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16)));
const assayHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('') || '-';
const assayScalars = (text) => Array.from(text, (character) => character.codePointAt(0).toString(16).toUpperCase()).join(',') || '-';
const assayUnits = (units) => (units === '-' ? '' : String.fromCharCode(...units.split(',').map((unit) => parseInt(unit, 16))));

// Encodings whose name ends with -sig lose a signature; in the others U+FEFF is text.
function assayOptions(category, fatal) {
  const encoding = category.split('/')[0];
  return [encoding.replace(/-sig$/, ''), {fatal, ignoreBOM: !encoding.endsWith('-sig')}];
}

// The result of a call; 'TypeError' where it throws one.
function assayTry(call) {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return 'TypeError';
  }
}

// The pieces of a stream, then its end: what each call of decode() returns, up to an error.
function assayStream(decoder, pieces) {
  const calls = [...pieces.map((piece) => () => decoder.decode(assayBytes(piece), {stream: true})), () => decoder.decode()];
  const groups = [];
  for (const call of calls) {
    groups.push(assayTry(() => assayScalars(call())));
    if (groups[groups.length - 1] === 'TypeError') break;
  }
  return groups.join('|');
}

// The same as the standard has it.
function assayStreamExpected(fatal, errorPiece, emitted, strict) {
  if (!fatal || errorPiece === null) return emitted.join('|');
  return [...strict.slice(0, errorPiece), 'TypeError'].join('|');
}

// Fails if a case has another result than the expected one; names each.
function assayReport(failures) {
  assert_equals(failures.join('\n'), '', 'cases that failed');
}

function assayCompare(failures, id, expected, got) {
  if (got !== expected) failures.push(`${id}: expected ${expected}, got ${got}`);
}

// A test for each category and each mode of a decoder, its name beginning with `what`: check(category, fatal, row) returns [expected, got].
function assayTests(what, data, check) {
  for (const [category, rows] of Object.entries(data)) {
    for (const fatal of [false, true]) {
      test(() => {
        const failures = [];
        for (const row of rows) assayCompare(failures, row[0], ...check(category, fatal, row));
        assayReport(failures);
      }, `${what}: ${category}, ${fatal ? 'fatal' : 'replacement'}`);
    }
  }
}
