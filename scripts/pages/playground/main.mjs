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

const LINK_MOST = 4096; // bytes that a link holds
const COPY_MOST = 65536;
const WAIT_MILLISECONDS = 120; // after a key
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
  await pieces.take();
  const rows = await ask('matrix');
  if (mine === turn) drawMatrix(rows, state.allPolicies, state, chooseEncoding);
  const codecs = await ask('codecs', encoding);
  if (mine === turn) drawCodecs(codecs, state);
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

function readInput() {
  const text = byId('input').value;
  try {
    const {form, bytes} = readForm(text, byId('form').value);
    return take(bytes, text === '' ? '' : `Read as ${FORMS[form]}: ${counted(bytes.length, 'byte')}.`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    drawProblem(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`);
    return undefined;
  }
}

function setInput(text, form = 'auto') {
  byId('input').value = text;
  byId('form').value = form;
  return readInput();
}

async function readFile(file) {
  byId('read').textContent = `Reading ${file.name}.`;
  const bytes = new Uint8Array(await file.arrayBuffer());
  byId('input').value = '';
  await take(bytes, `${file.name}: ${counted(bytes.length, 'byte')}.`);
}

// ---- link and copies -----------------------------------------------------------------------------------------

function writeLink() {
  const words = new URLSearchParams({e: state.encoding});
  if (state.bytes.length <= LINK_MOST) words.set('x', hexOf(state.bytes, ''));
  if (state.cuts.length > 0) words.set('c', state.cuts.join('.'));
  history.replaceState(null, '', `#${words}`);
}

function readLink() {
  const words = new URLSearchParams(location.hash.slice(1)), hex = words.get('x') ?? '';
  if (!words.has('x') || !/^([0-9a-fA-F]{2})*$/.test(hex)) return false;
  if (state.encodings.includes(words.get('e'))) state.encoding = words.get('e');
  state.cuts = (words.get('c') ?? '').split('.').map(Number).filter((cut) => cut > 0 && cut < Math.min(STRIP, hex.length / 2));
  byId('encoding').value = state.encoding;
  byId('input').value = hexOf(Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16)));
  byId('form').value = 'hex';
  return true;
}

async function goldenCase() {
  const {spans, outputs, utf16} = await ask('goldenCase', state.encoding);
  return JSON.stringify({id: `${state.encoding}/mine/${hexOf(state.bytes.subarray(0, 16), '').toLowerCase()}`, comment: 'pasted', flags: [], bytes: hexOf(state.bytes, '') || '-', well_formed: spans.length === 0,
                         spans, outputs: Object.fromEntries(Object.entries(outputs).map(([policy, units]) => [policy, scalarsOf(units)])), utf16: scalarsOf(utf16)});
}

const COPIES = {'Copy golden-vector case': goldenCase, 'Copy C array': () => asCArray(state.bytes), 'Copy for curl': () => asCurl(state.bytes), 'Copy assay diff line': () => asDiff(state.bytes, state.encoding), 'Copy link': () => location.href};

async function copy(word, textOf) {
  const text = await textOf();
  try {
    await navigator.clipboard.writeText(text);
    announce(`${word}: copied`);
    fill('copied', h('p', {class: 'good'}, 'Copied:'), h('pre', {}, text));
  } catch {
    fill('copied', h('p', {}, 'This browser does not let the page copy; here it is:'), h('pre', {}, text));
  }
}

function drawCopies() {
  const few = state.bytes.length <= COPY_MOST;
  fill('copies', Object.entries(COPIES).map(([word, textOf]) => h('button', {type: 'button', disabled: !few, onclick: () => copy(word, textOf)}, word)),
       few ? '' : h('span', {class: 'soft'}, `copies hold ${number(COPY_MOST)} bytes at most`), h('div', {id: 'copied'}));
}

// ---- begin ---------------------------------------------------------------------------------------------------

function listen() {
  let timer;
  byId('input').addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(readInput, WAIT_MILLISECONDS);
  });
  byId('form').addEventListener('change', readInput);
  byId('encoding').addEventListener('change', (event) => chooseEncoding(event.target.value));
  byId('clear').addEventListener('click', () => setInput(''));
  byId('file').addEventListener('change', (event) => event.target.files.length > 0 && readFile(event.target.files[0]));
  addEventListener('hashchange', () => readLink() && readInput());
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', () => document.body.classList.remove('dropping'));
  addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    if (event.dataTransfer.files.length > 0) readFile(event.dataTransfer.files[0]);
  });
}

async function test(browserTest) {
  byId('test').disabled = true;
  const report = await browserTest.run();
  drawReport(report);
  announce(byId('test-verdict').textContent);
  byId('test').disabled = false;
}

async function begin() {
  Object.assign(state, await ask('open', await unpack('module')), {tables: JSON.parse(byId('tables').textContent)});
  fill('form', Object.entries(FORMS).map(([form, word]) => h('option', {value: form}, word)));
  fill('encoding', state.encodings.map((encoding) => h('option', {}, encoding)));
  fill('examples', h('span', {class: 'soft'}, 'Examples:'), Object.entries(EXAMPLES).map(([word, text]) => h('button', {type: 'button', onclick: () => setInput(text, guessForm(text))}, word)));
  listen();
  if (!readLink()) byId('input').value = FIRST;
  const browserTest = new BrowserTest(JSON.parse(new TextDecoder().decode(await unpack('vectors'))));
  byId('test').addEventListener('click', () => test(browserTest));
  await readInput();
  byId('lab-text').value = 'a\u0434\u4e16\u{1F600}z';
  await lab.draw();
}

begin().catch((error) => drawProblem(`The page could not begin: ${error.message}`));
