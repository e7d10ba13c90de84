// SPDX-License-Identifier: MIT
//
// "Test this browser": the golden vectors that TextDecoder and TextEncoder can be asked, whole and in pieces.

import { codePointsOf, decodePieces, decoderOf } from './browser.mjs';
import { hexOf, scalarsOf } from './forms.mjs';
import { byId, counted, fill, h, number } from './ui.mjs';
import { letterOf } from './words.mjs';

const SLICE_MILLISECONDS = 12; // of work, then the page gets its turn

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

// What a failed request has in common with others: encoding, direction, what differs, and the first error of the input.
const kindOf = (asked) => (asked.startsWith('encode') ? 'writing' : 'reading');
const differenceOf = (asked) => (/^(?:validate|stop|reuse \S+ strict)/.test(asked) ? 'verdict' : 'output');
const inputOf = (asked) => bytesOf(asked.split(' ').at(-1).replace(/[,-]/g, ''));
const wordsOf = (asked) => asked.split(' ').slice(0, -1).filter((word, index) => index !== 1).join(' ');

export class BrowserTest {
  constructor(groups, ask, sentences) {
    this.groups = groups; // {encoding, kind, category, tests}
    this.ask = ask;
    this.sentences = sentences;
    this.total = groups.reduce((sum, group) => sum + group.tests.length, 0);
    byId('test-what').textContent = `${number(this.total)} golden vectors for TextDecoder and TextEncoder: whole, byte by byte, in pieces, fatal or not, with a signature, and one decoder used again.`;
  }

  *cases() {
    for (const {encoding, kind, category, tests} of this.groups) for (const test of tests) yield {encoding, kind, category, id: `${encoding}/${category}/${test[0]}`, test};
  }

  async run() {
    const report = {cases: 0, failed: 0, requests: 0, wrong: 0, differences: new Map(), categories: new Map()};
    let until = performance.now() + SLICE_MILLISECONDS;
    for (const one of this.cases()) {
      if (performance.now() > until) {
        byId('test-progress').value = report.cases / this.total;
        await new Promise((done) => setTimeout(done));
        until = performance.now() + SLICE_MILLISECONDS;
      }
      await this.#judge(report, one);
    }
    byId('test-progress').value = 1;
    return report;
  }

  async #judge(report, {encoding, kind, category, id, test}) {
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
    for (const one of wrong) await this.#keep(report, encoding, id, one);
  }

  async #keep({differences}, encoding, id, [asked, expected, got]) {
    const isRead = kindOf(asked) === 'reading', bytes = isRead ? inputOf(asked) : null, plain = encoding.replace(/-sig$/, '');
    const error = isRead ? await this.ask('firstError', plain, bytes) : null;
    const title = `${encoding} ${kindOf(asked)}: ${differenceOf(asked)} differs${isRead ? `, first error ${error?.fault ?? 'none'}` : ''}`;
    const standard = isRead ? error === null ? 'the input is well-formed' : letterOf(error, bytes, this.sentences) : null;
    const found = differences.get(title) ?? {requests: 0, ids: new Set(), words: new Set(), first: {id, asked, bytes, expected, got, standard, again: isRead ? `#e=${plain}&x=${hexOf(bytes, '')}` : null}};
    differences.set(title, found);
    found.requests++;
    found.ids.add(id);
    found.words.add(wordsOf(asked));
  }
}

const line = (name, value) => (value === null ? '' : `\n    ${name.padEnd(10)} ${value}`);

function partOf([title, {requests, ids, words, first}]) {
  const head = `\n${title}: ${counted(requests, 'request')} of ${counted(ids.size, 'case')}\n  by ${[...words].join(', ')}\n  ${first.id}`;
  const bytes = first.bytes === null ? null : `${hexOf(first.bytes)}   (${counted(first.bytes.length, 'byte')})`;
  return [head, line('asked', first.asked), line('bytes', bytes), line('expected', first.expected), line('got', first.got), line('standard', first.standard),
          ...(first.again === null ? [] : [line('again', ''), h('a', {href: first.again}, first.again)]), '\n'];
}

const lastLine = (report) => `${counted(report.cases, 'case')}: ${number(report.cases - report.failed)} passed, ${number(report.failed)} failed; ${counted(report.requests, 'request')} answered, ${number(report.wrong)} failed`;

function categoriesOf(report) {
  const rows = [...report.categories].map(([name, row]) => [name, row.cases - row.failed, row.failed]), width = Math.max(...rows.map(([name]) => name.length));
  return [['category', 'passed', 'failed'], ...rows].map(([name, passed, failed]) => `${name.padEnd(width)} ${String(passed).padStart(7)} ${String(failed).padStart(7)}\n`).join('');
}

// As `assay run` prints it. The differences that most requests show come first.
export function drawReport(report, copy) {
  const found = [...report.differences].sort(([, a], [, b]) => b.requests - a.requests);
  const text = h('pre', {id: 'test-text', tabindex: 0}, `subject ${navigator.userAgent}\n`, found.flatMap(partOf), `\n${lastLine(report)}`), categories = categoriesOf(report);
  const said = h('span', {role: 'status'}), copyAll = async () => { said.textContent = await copy(`${categories}\n${text.textContent}\n`) ? 'Copied.' : 'This browser does not let the page copy; the report is below.'; };
  fill('test-report',
       h('p', {id: 'test-verdict', class: report.failed === 0 ? 'good' : 'alarm'}, lastLine(report)),
       h('div', {class: 'bar'}, h('button', {type: 'button', id: 'copy-report', onclick: copyAll}, 'Copy report'), said),
       text, h('details', {}, h('summary', {}, `${number(report.categories.size)} categories`), h('pre', {id: 'test-categories', tabindex: 0}, categories)));
}
