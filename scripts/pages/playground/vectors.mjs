// SPDX-License-Identifier: MIT
//
// "Test this browser": the golden vectors that TextDecoder and TextEncoder can be asked, whole and in pieces.

import { codePointsOf, decodePieces, decoderOf } from './browser.mjs';
import { hexOf, scalarsOf } from './forms.mjs';
import { byId, counted, fill, h, number, table } from './ui.mjs';

const SLICE_MILLISECONDS = 12; // of work, then the page gets its turn
const SHOWN = 30; // failures

const bytesOf = (hex) => Uint8Array.from(hex === '-' ? [] : hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const piecesOf = (pieces) => (pieces === '' ? [] : pieces.split(',').map(bytesOf));
const scalars = (text) => scalarsOf(codePointsOf(text));
const joined = (outputs) => outputs.map(scalars).join('|');

// A decoder that threw amid a stream is still in it, by the standard; the end of the stream, which may throw again, resets it.
function endStream(decoder) {
  try {
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

// Each kind of case: requests as [what was asked, expected, got].
const KINDS = {
  decode(encoding, [, hex, expected, wellFormed]) {
    const bytes = bytesOf(hex), single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    return [[`decode ${encoding} whatwg ${hex}`, expected, scalars(decoderOf(encoding).decode(bytes))],
            [`validate ${encoding} ${hex}`, wellFormed ? 'ok' : 'error', decodePieces(decoderOf(encoding, true), [bytes]).stopped === null ? 'ok' : 'error'],
            [`decode ${encoding} whatwg, byte by byte ${hex}`, expected, scalars(decodePieces(decoderOf(encoding), single).outputs.join(''))]];
  },
  stream(encoding, [, pieces, emitted, errorPiece]) {
    const cut = piecesOf(pieces), stopped = decodePieces(decoderOf(encoding, true), cut).stopped;
    return [[`decode ${encoding} whatwg ${pieces}`, emitted, joined(decodePieces(decoderOf(encoding), cut).outputs)],
            [`stop ${encoding} ${pieces}`, errorPiece === null ? 'ok' : `error ${errorPiece}`, stopped === null ? 'ok' : `error ${stopped}`]];
  },
  reuse(encoding, [, streams]) {
    const lossy = decoderOf(encoding), fatal = decoderOf(encoding, true);
    return streams.flatMap(([pieces, emitted, errorPiece]) => {
      const cut = piecesOf(pieces), stopped = decodePieces(fatal, cut).stopped;
      if (stopped !== null) endStream(fatal);
      return [[`reuse ${encoding} whatwg ${pieces}`, emitted, joined(decodePieces(lossy, cut).outputs)],
              [`reuse ${encoding} strict ${pieces}`, errorPiece === null ? 'ok' : 'error', stopped === null ? 'ok' : 'error']];
    });
  },
  encode(encoding, [, units, expected]) {
    const text = units === '-' ? '' : units.split(',').map((unit) => String.fromCharCode(parseInt(unit, 16))).join('');
    const room = new Uint8Array(3 * text.length), {written} = new TextEncoder().encodeInto(text, room);
    return [[`encode-utf16 ${encoding} whatwg ${units}`, expected, hexOf(new TextEncoder().encode(text), '') || '-'],
            [`encodeInto ${encoding} ${units}`, expected, hexOf(room.subarray(0, written), '') || '-']];
  },
};

const answersOf = (kind, encoding, test) => {
  try {
    return KINDS[kind](encoding, test);
  } catch (error) {
    return [[`${kind} ${encoding}`, 'an answer', `${error.name}: ${error.message}`]];
  }
};

export class BrowserTest {
  constructor(groups) {
    this.groups = groups; // {encoding, kind, category, tests}
    this.total = groups.reduce((sum, group) => sum + group.tests.length, 0);
    byId('test-what').textContent = `${number(this.total)} golden vectors for TextDecoder and TextEncoder: whole, byte by byte, in pieces, fatal or not, with a signature, and one decoder used again.`;
  }

  *cases() {
    for (const {encoding, kind, category, tests} of this.groups) for (const test of tests) yield {encoding, kind, category, id: `${encoding}/${category}/${test[0]}`, test};
  }

  async run() {
    const report = {cases: 0, failed: 0, requests: 0, wrong: 0, failures: [], categories: new Map()};
    let until = performance.now() + SLICE_MILLISECONDS;
    for (const one of this.cases()) {
      if (performance.now() > until) {
        byId('test-progress').value = report.cases / this.total;
        await new Promise((done) => setTimeout(done));
        until = performance.now() + SLICE_MILLISECONDS;
      }
      this.#judge(report, one);
    }
    byId('test-progress').value = 1;
    return report;
  }

  #judge(report, {encoding, kind, category, id, test}) {
    const answers = answersOf(kind, encoding, test), wrong = answers.filter(([, expected, got]) => expected !== got);
    const name = `${encoding}/${category}`, row = report.categories.get(name) ?? {cases: 0, failed: 0};
    report.categories.set(name, row);
    row.cases++;
    report.cases++;
    report.requests += answers.length;
    report.wrong += wrong.length;
    if (wrong.length === 0) return;
    row.failed++;
    report.failed++;
    if (report.failures.length < SHOWN) report.failures.push({id, wrong: wrong[0]});
  }
}

export function drawReport(report) {
  const bad = [...report.categories].filter(([, row]) => row.failed > 0);
  fill('test-report',
       h('p', {id: 'test-verdict', class: report.failed === 0 ? 'good' : 'alarm'}, `${counted(report.cases, 'case')}: ${number(report.cases - report.failed)} passed, ${number(report.failed)} failed; ${counted(report.requests, 'request')} answered, ${number(report.wrong)} failed`),
       h('p', {class: 'soft'}, navigator.userAgent),
       bad.length > 0 ? table(['category', 'cases', 'failed'], bad.map(([name, row]) => [name, number(row.cases), number(row.failed)]), 'Categories with failures') : '',
       report.failed > 0 ? table(['case', 'asked', 'expected', 'got'], report.failures.map(({id, wrong}) => [id, ...wrong.map((text) => h('code', {}, text))]), `The first ${report.failures.length} failures`) : '');
}
