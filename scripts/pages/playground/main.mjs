// SPDX-License-Identifier: MIT
//
// The page: takes the input, asks the worker, and shows what it answers.

import { CELLS, Cells } from './cells.mjs';
import { asCArray, asCurl, asDiff, FORMS, guessForm, hexOf, readForm, scalarsOf } from './forms.mjs';
import { Lab } from './lab.mjs';
import { drawCodecs, drawMatrix, drawProblem, drawVerdict } from './outputs.mjs';
import { Pieces, STRIP } from './pieces.mjs';
import { announce, byId, counted, fill, h, number } from './ui.mjs';
import { BrowserTest, drawReport } from './vectors.mjs';
import { Walk } from './walk.mjs';
import { legible } from './words.mjs';

const LINK_MOST = 4096; // bytes that a link holds
const COPY_MOST = 65536;
const COPY_SHOWN = 4096; // characters of a copy: all of a long one takes seconds to lay out
const FIELD_MOST = 1 << 15; // characters: a longer text that is pasted is not put into the field, which takes longer to lay it out than all else does
const LONG = 1 << 18; // characters: a longer text is read by the worker
const WAIT_MILLISECONDS = 120; // after a key
const LATER_MILLISECONDS = 2000; // for a link that the browser refuses
const BROWSERS = 'Chrome 91, Firefox 113, Safari 16.4 or later'; // vectors in WebAssembly, DecompressionStream
const DAMAGED_LINK = 'The link is damaged: after x= come pairs of hex digits.';
const UNKNOWN_ENCODING = 'The link names an encoding that this page does not have: the bytes are shown as';
const FIRST = 'E4B896 EDA080';
const EXAMPLES = {'a surrogate': 'E4B896 EDA080', 'overlong slash': '2F C0 AF E0 80 AF', 'cut emoji': 'F0 9F 98', 'Latin-1 as UTF-8': 'na\\xEFve', 'Java\'s NUL and emoji': 'C080 EDA0BD EDB880', 'a UTF-16 file': 'FF FE 48 00 69 00 3D D8'};

const state = {bytes: new Uint8Array(0), encoding: 'utf-8', cuts: [], errors: 0, overview: {first: null, errors: 0}};

// ---- the worker ----------------------------------------------------------------------------------------------

const waiting = new Map();
const worker = new Worker(URL.createObjectURL(new Blob([byId('worker').textContent], {type: 'text/javascript'})));
worker.onmessage = ({data: {id, answer, problem}}) => {
  const {done, failed} = waiting.get(id);
  waiting.delete(id);
  if (problem === undefined) done(answer);
  else {
    drawProblem(`The module failed: ${problem}.`);
    failed(new Error(problem));
  }
};
worker.onerror = (event) => drawProblem(`The module does not run in this browser: ${event.message}`);

let asked = 0;
const ask = (question, ...words) => new Promise((done, failed) => {
  waiting.set(++asked, {done, failed});
  worker.postMessage({id: asked, question, words});
});

async function unpack(id) {
  const packed = Uint8Array.from(atob(byId(id).textContent), (char) => char.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

// ---- what is shown -------------------------------------------------------------------------------------------

const cells = new Cells(state, showCells);
const walk = new Walk();
const pieces = new Pieces(state, ask, writeLink);
const lab = new Lab(ask);
let turn = 0; // of the input: answers for an earlier one are dropped

async function showCells(begin, chosen) {
  const mine = turn, {encoding, bytes} = state;
  const to = begin === null ? await ask('nextError', encoding, chosen) ?? await ask('nextError', encoding, 0) : chosen;
  const from = Math.floor((begin ?? to ?? 0) / CELLS) * CELLS, end = Math.min(from + CELLS, bytes.length);
  const roles = bytes.length > 0 ? await ask('roles', encoding, from, end) : [];
  if (mine !== turn) return;
  await cells.draw(roles, from, to ?? 0);
  if (mine !== turn) return;
  if (chosen > 0) cells.choose(to ?? 0);
  const steps = bytes.length > 0 ? await ask('walk', encoding, from, end) : [];
  if (mine === turn) walk.take(steps);
}

async function show() {
  const mine = ++turn, {encoding} = state;
  await showCells(0, 0); // first of all, as it takes as long for a long input as for a short one
  if (mine !== turn) return;
  writeLink();
  const overview = await ask('overview', encoding);
  if (mine !== turn) return;
  Object.assign(state, {overview, errors: overview.errors});
  drawVerdict(state);
  drawCopies();
  cells.drawPaging();
  const inPieces = pieces.take(), rows = []; // a stream of this browser may never answer: what follows does not wait for it
  for (const one of state.encodings) { // not all at once: the worker may be asked about another input in between
    if (mine !== turn) return;
    rows.push(await ask('row', one));
  }
  if (mine === turn) drawMatrix(rows, state.allPolicies, state, chooseEncoding);
  const codecs = await ask('codecs', encoding);
  if (mine !== turn) return;
  drawCodecs(codecs, state);
  await inPieces;
  if (mine === turn) document.body.dataset.shown = String(mine);
}

async function take(bytes, said) {
  state.bytes = bytes;
  byId('read').textContent = said;
  drawProblem('');
  await Promise.all([ask('take', bytes), show()]); // the worker answers in order; its answer to the first would wait for a layout of the long text
}

function chooseEncoding(encoding) {
  state.encoding = encoding;
  byId('encoding').value = encoding;
  return show();
}

// ---- the input -----------------------------------------------------------------------------------------------

let pasted = null; // a text that is too long for the field
let inputs = 0; // what is read of an earlier one is dropped
let timer; // of keys
let isFile = false; // a file has no form
let givenForm = null; // the form of a link or an example: what is pasted over it may be in another one

async function readInput() {
  clearTimeout(timer);
  isFile = false;
  const mine = ++inputs, text = pasted ?? byId('input').value, form = byId('form').value, isLong = text.length > LONG;
  if (isLong) byId('read').textContent = `Reading ${number(text.length)} characters.`;
  const {form: found, bytes, doubt, problem} = isLong ? await ask('read', text, form) : readForm(text, form);
  if (mine !== inputs) return undefined;
  if (problem !== undefined) {
    byId('read').textContent = 'What is below is still the input before.';
    return drawProblem(problem);
  }
  const shown = pasted === null ? '' : `Pasted: ${number(text.length)} characters, which are too many for the field. `;
  return take(bytes, text === '' ? '' : `${shown}Read as ${FORMS[found]}: ${counted(bytes.length, 'byte')}.${doubt === '' ? '' : ` ${doubt}`}`);
}

function fillField(text, form) {
  pasted = text.length > FIELD_MOST ? text : null;
  byId('input').value = pasted === null ? text : '';
  byId('form').value = givenForm = form;
}

function setInput(text, form = 'auto') {
  fillField(text, form);
  return readInput();
}

// The first of the files. A folder cannot be read.
async function readFiles(files) {
  clearTimeout(timer);
  const mine = ++inputs, name = legible(files[0].name), rest = files.length > 1 ? ` It is the first of ${number(files.length)} files; the page shows one.` : '';
  byId('read').textContent = `Reading ${name}.`;
  const buffer = await files[0].arrayBuffer().catch((error) => error);
  if (mine !== inputs) return undefined;
  if (!(buffer instanceof ArrayBuffer)) {
    byId('read').textContent = '';
    return drawProblem(`${name} cannot be read: ${buffer.message}`);
  }
  pasted = null;
  isFile = true;
  byId('input').value = byId('file').value = '';
  return take(new Uint8Array(buffer), `${name}: ${counted(buffer.byteLength, 'byte')}.${rest}`);
}

function paste(event) {
  if (byId('form').value === givenForm) byId('form').value = 'auto';
  const text = event.clipboardData.getData('text/plain'), {files} = event.clipboardData;
  if (text.length <= FIELD_MOST && files.length === 0) return;
  event.preventDefault();
  if (files.length > 0) readFiles(files);
  else setInput(text, byId('form').value);
}

// ---- link and copies -----------------------------------------------------------------------------------------

let linkTimer;

function writeLink(section) {
  const words = new URLSearchParams({e: state.encoding});
  if (state.bytes.length <= LINK_MOST) words.set('x', hexOf(state.bytes, ''));
  if (state.cuts.length > 0) words.set('c', state.cuts.join('.'));
  if (section !== undefined) words.set('s', section);
  clearTimeout(linkTimer);
  try {
    history.replaceState(null, '', `#${words}`);
  } catch (error) {
    if (error.name !== 'SecurityError') throw error;
    linkTimer = setTimeout(() => writeLink(section), LATER_MILLISECONDS); // browsers refuse more than some 100 in 10 seconds, as when a cut is dragged
  }
}

const cutsOf = (words, byteCount) => [...new Set((words.get('c') ?? '').split('.').map(Number))].filter((cut) => Number.isInteger(cut) && cut > 0 && cut < Math.min(STRIP, byteCount)).sort((a, b) => a - b);

// Puts into the field what the link holds, and returns what that is: {held: 'bytes', 'nothing' or 'damage', problem: a sentence or ''}.
function readLink() {
  const words = new URLSearchParams(location.hash.slice(1)), hex = words.get('x');
  if (hex === null) return {held: 'nothing', problem: ''};
  if (hex.length % 2 > 0 || /[^0-9a-fA-F]/.test(hex)) return {held: 'damage', problem: DAMAGED_LINK};
  if (state.encodings.includes(words.get('e'))) state.encoding = words.get('e');
  state.cuts = cutsOf(words, hex.length / 2);
  byId('encoding').value = state.encoding;
  fillField(hex.toUpperCase().replace(/..(?!$)/g, '$& '), 'hex');
  return {held: 'bytes', problem: [null, state.encoding].includes(words.get('e')) ? '' : `${UNKNOWN_ENCODING} ${state.encoding}.`};
}

// Shows the section that a link names, if there is one. The address then holds the input, too, until this changes.
function goTo(hash) {
  const section = new URLSearchParams(hash.slice(1)).get('s'), head = section === null ? null : document.querySelector(`h2[id="${CSS.escape(section)}-title"] a`);
  if (head === null) return;
  head.focus({preventScroll: true});
  head.parentElement.scrollIntoView();
  writeLink(section);
}

function followLink(event) {
  const link = event.target.closest('a[href^="#s="]');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  goTo(link.hash);
}

async function goldenCase() {
  const {spans, outputs, utf16} = await ask('goldenCase', state.encoding);
  return JSON.stringify({id: `${state.encoding}/mine/${hexOf(state.bytes.subarray(0, 16), '').toLowerCase()}`, comment: 'pasted', flags: [], bytes: hexOf(state.bytes, '') || '-', well_formed: spans.length === 0,
                         spans, outputs: Object.fromEntries(Object.entries(outputs).map(([policy, units]) => [policy, scalarsOf(units)])), utf16: scalarsOf(utf16)});
}

const COPIES = {'Copy golden-vector case': goldenCase, 'Copy C array': () => asCArray(state.bytes), 'Copy for curl': () => asCurl(state.bytes), 'Copy assay diff line': () => asDiff(state.bytes, state.encoding), 'Copy link': () => location.href};

// Where a page is served without encryption there is no clipboard.
const copied = (text) => (navigator.clipboard?.writeText(text) ?? Promise.reject(new Error())).then(() => true, () => false);

async function copy(word, textOf) {
  const text = await textOf(), done = await copied(text);
  if (done) announce(`${word}: copied`);
  const rest = done ? text.length - COPY_SHOWN : 0;
  fill('copied', h('p', {class: done ? 'good' : ''}, done ? 'Copied:' : 'This browser does not let the page copy; here it is:'),
       h('pre', {tabindex: 0}, rest > 0 ? `${text.slice(0, COPY_SHOWN)} \u2026 and ${counted(rest, 'character')} more` : text));
}

function drawCopies() {
  const {length} = state.bytes, fits = (word) => length <= (word === 'Copy link' ? LINK_MOST : COPY_MOST);
  fill('copies', Object.entries(COPIES).map(([word, textOf]) => h('button', {type: 'button', disabled: !fits(word), onclick: () => copy(word, textOf)}, word)),
       length <= LINK_MOST ? '' : h('span', {class: 'soft'}, length <= COPY_MOST ? `a link holds ${number(LINK_MOST)} bytes at most` : `copies hold ${number(COPY_MOST)} bytes at most`), h('div', {id: 'copied'}));
}

// ---- begin ---------------------------------------------------------------------------------------------------

function listen() {
  byId('input').addEventListener('paste', paste);
  byId('input').addEventListener('input', () => {
    pasted = null;
    clearTimeout(timer);
    timer = setTimeout(readInput, WAIT_MILLISECONDS);
  });
  byId('form').addEventListener('change', () => {
    givenForm = null;
    return isFile || readInput();
  });
  byId('encoding').addEventListener('change', (event) => chooseEncoding(event.target.value));
  byId('clear').addEventListener('click', () => setInput(''));
  byId('file').addEventListener('change', (event) => event.target.files.length > 0 && readFiles(event.target.files));
  document.addEventListener('click', followLink);
  addEventListener('hashchange', async () => {
    const {hash} = location, {held, problem} = readLink();
    if (held === 'bytes') await readInput();
    if (problem !== '') drawProblem(problem);
    goTo(hash);
  });
  addEventListener('dragover', (event) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', () => document.body.classList.remove('dropping'));
  addEventListener('drop', (event) => {
    document.body.classList.remove('dropping');
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    readFiles(event.dataTransfer.files);
  });
}

async function test(browserTest) {
  byId('test').disabled = true;
  const report = await browserTest.run();
  drawReport(report, copied);
  announce(byId('test-verdict').textContent);
  byId('test').disabled = false;
}

async function begin() {
  Object.assign(state, await ask('open', await unpack('module')), {tables: JSON.parse(byId('tables').textContent)});
  fill('form', Object.entries(FORMS).map(([form, word]) => h('option', {value: form}, word)));
  fill('encoding', state.encodings.map((encoding) => h('option', {}, encoding)));
  fill('examples', h('span', {class: 'soft'}, 'Examples:'), Object.entries(EXAMPLES).map(([word, text]) => h('button', {type: 'button', onclick: () => setInput(text, guessForm(text))}, word)));
  listen();
  const {hash} = location, {held, problem} = readLink();
  if (held !== 'bytes') byId('input').value = FIRST;
  const browserTest = new BrowserTest(JSON.parse(await new Response(await unpack('vectors')).text()), ask, state.sentences);
  byId('test').addEventListener('click', () => test(browserTest));
  await readInput();
  if (problem !== '') drawProblem(problem);
  byId('lab-text').value = 'a\u0434\u4e16\u{1F600}z';
  await lab.draw();
  goTo(hash);
}

begin().catch((error) => {
  drawProblem(`The page could not begin: ${error.message}`);
  byId('verdict').textContent = `There is none: the page needs ${BROWSERS}.`;
});
