// SPDX-License-Identifier: MIT
//
// The bytes in pieces: cuts that move, what is certain after each piece, and what this browser's decoders say.

import { textOf } from '../../../harnesses/browser/text.mjs';
import { BROWSER_HAS, codePointsOf, decodePieces, decodeStream, decoderOf, encodeInto } from './browser.mjs';
import { codeOf, hexOf } from './forms.mjs';
import { outputOf } from './outputs.mjs';
import { byId, counted, fill, h, number, table } from './ui.mjs';
import { legible } from './words.mjs';

export const STRIP = 64; // bytes that are shown
const REM_PER_BYTE = 2.3;
const ENCODED_MOST = 4096; // UTF-16 units that encodeInto is asked about

const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);
const codes = (units) => (units.length === 0 ? '(nothing)' : Array.from(units, codeOf).join(' '));

// What a decoder or encoder of this browser answers; or, in words, what it throws. The page goes on.
async function answerOf(use) {
  try {
    return await use();
  } catch (error) {
    return legible(`${error?.name}: ${error?.message}`);
  }
}

export class Pieces {
  constructor(state, ask, moved) {
    this.state = state;
    this.ask = ask;
    this.moved = moved; // the cuts have changed
    this.asked = 0;
    fill('pieces-bar', h('button', {type: 'button', id: 'add-cut', onclick: () => this.add()}, 'Add a cut'), h('button', {type: 'button', onclick: () => this.set([])}, 'No cuts'),
         h('button', {type: 'button', id: 'cut-all', onclick: () => this.set(Array.from({length: Math.max(0, this.part().length - 1)}, (_, index) => index + 1))}, 'Cut everywhere'),
         h('label', {}, 'Policy ', h('select', {id: 'piece-policy', onchange: () => this.update()})));
  }

  part() { return this.state.bytes.subarray(0, STRIP); }

  cutPieces() {
    const ends = [...this.state.cuts, this.part().length];
    return ends.map((end, index) => this.part().subarray(index > 0 ? ends[index - 1] : 0, end));
  }

  set(cuts) {
    this.state.cuts = [...new Set(cuts)].filter((cut) => cut > 0 && cut < this.part().length).sort((a, b) => a - b);
    this.drawStrip();
    this.moved();
    return this.update();
  }

  // The first place that has no cut yet, from the middle on.
  add() {
    const {length} = this.part(), middle = Math.floor(length / 2);
    const places = Array.from({length: Math.max(0, length - 1)}, (_, index) => (middle + index - 1) % (length - 1) + 1);
    const free = places.find((place) => !this.state.cuts.includes(place));
    if (free !== undefined) this.set([...this.state.cuts, free]);
  }

  move(index, to) {
    const low = (this.state.cuts[index - 1] ?? 0) + 1, high = (this.state.cuts[index + 1] ?? this.part().length) - 1;
    const place = Math.min(Math.max(to, low), high);
    if (place === this.state.cuts[index]) return;
    this.state.cuts[index] = place;
    this.place(index);
    this.colour();
    this.moved();
    this.update();
  }

  place(index) {
    const handle = byId(`cut-${index}`), at = this.state.cuts[index];
    handle.style.left = `${at * REM_PER_BYTE}rem`;
    handle.setAttribute('aria-valuenow', at);
    handle.setAttribute('aria-valuetext', `before byte ${at}`);
  }

  handle(index) {
    const grab = (event) => {
      event.target.setPointerCapture(event.pointerId);
      event.preventDefault();
      event.target.focus();
    };
    const drag = (event) => {
      if (!event.target.hasPointerCapture(event.pointerId)) return;
      const left = byId('strip').firstElementChild.getBoundingClientRect().left;
      this.move(index, Math.round((event.clientX - left) / (REM_PER_BYTE * rem())));
    };
    const key = (event) => {
      const steps = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -STRIP, End: STRIP};
      if (event.key === 'Delete' || event.key === 'Backspace') this.set(this.state.cuts.filter((_, other) => other !== index));
      else if (event.key in steps) this.move(index, this.state.cuts[index] + steps[event.key]);
      else return;
      event.preventDefault();
    };
    return h('div', {class: 'cut', id: `cut-${index}`, role: 'slider', tabindex: 0, 'aria-label': `Cut ${index + 1}`, 'aria-valuemin': 1, 'aria-valuemax': this.part().length - 1, onpointerdown: grab, onpointermove: drag, onkeydown: key});
  }

  colour() {
    [...byId('strip').querySelectorAll('.byte')].forEach((byte, at) => {
      const piece = this.state.cuts.filter((cut) => cut <= at).length;
      byte.className = `byte ${piece % 2 === 0 ? 'even' : 'odd'}`;
    });
  }

  drawStrip() {
    const bytes = Array.from(this.part(), (byte, at) => {
      const cell = h('span', {}, hexOf([byte]));
      cell.classList.add('byte');
      cell.style.left = `${at * REM_PER_BYTE}rem`;
      return cell;
    });
    const strip = h('div', {class: 'strip'}, bytes, this.state.cuts.map((_, index) => this.handle(index)));
    strip.style.width = `${(this.part().length + 0.5) * REM_PER_BYTE}rem`;
    fill('strip', strip);
    this.state.cuts.forEach((_, index) => this.place(index));
    this.colour();
  }

  // A new input or encoding.
  take() {
    const chosen = byId('piece-policy').value || 'whatwg', policies = this.state.policies[this.state.encoding];
    fill('piece-policy', policies.map((policy) => h('option', {selected: policy === (policies.includes(chosen) ? chosen : 'whatwg')}, policy)));
    this.state.cuts = this.state.cuts.filter((cut) => cut < this.part().length);
    this.drawStrip();
    return this.update();
  }

  async update() {
    const asked = ++this.asked, {encoding} = this.state, policy = byId('piece-policy').value, part = this.part().slice(), cuts = [...this.state.cuts], cutPieces = this.cutPieces();
    const found = await this.ask('pieces', encoding, policy, 'utf-32', part, cuts);
    const standard = policy === 'whatwg' ? found : await this.ask('pieces', encoding, 'whatwg', 'utf-32', part, cuts);
    if (asked !== this.asked) return;
    fill('pieces', table(['piece', 'bytes', 'certain output', 'held back'], found.pieces.map((piece, index) => [
      `piece ${index + 1}${index === cuts.length ? ', the last' : ''}`, h('code', {}, hexOf(part.subarray(piece.begin, piece.end)) || '(none)'),
      h('td', {}, outputOf(piece.units, piece.units.length, piece.error !== null ? h('span', {class: 'alarm'}, ` stops at ${piece.error.offset}: ${piece.error.fault}`) : '')),
      piece.held > 0 ? `${counted(piece.held, 'byte')}: ${hexOf(part.subarray(piece.end - piece.held, piece.end))}` : 'nothing']),
      this.state.bytes.length > STRIP ? `The first ${STRIP} bytes, ${policy}` : `All bytes, ${policy}`));
    const rows = await this.browserRows(encoding, part, cutPieces, standard);
    if (asked === this.asked) drawBrowser(rows, encoding);
  }

  async browserRows(encoding, part, cutPieces, standard) {
    const wanted = standard.pieces.map((piece) => codes(piece.units)), whole = codes(standard.pieces.flatMap((piece) => Array.from(piece.units)));
    if (!BROWSER_HAS.includes(encoding)) return this.encodeRows(encoding);
    const error = await this.ask('pieces', encoding, 'strict', 'utf-32', part, []);
    const atCuts = () => {
      const {outputs} = decodePieces(decoderOf(encoding), cutPieces), last = outputs.splice(-2).join(''); // the last piece ends the input
      return [...outputs, last].map((text) => codes(codePointsOf(text))).join(' | ');
    };
    const questions = [['TextDecoder, whole', () => codes(codePointsOf(decoderOf(encoding).decode(part))), whole],
                       ['TextDecoder, fatal', () => (decodePieces(decoderOf(encoding, true), [part]).stopped !== null ? 'throws' : 'accepts'), error.pieces.at(-1)?.error !== null ? 'throws' : 'accepts'],
                       ['TextDecoder, at the cuts', atCuts, wanted.join(' | ')],
                       ['TextDecoderStream', async () => codes(codePointsOf(await decodeStream(encoding, cutPieces))), whole]];
    const rows = await Promise.all(questions.map(async ([what, use, expected]) => [what, await answerOf(use), expected]));
    return [...rows, ...await this.encodeRows(encoding)];
  }

  // What the input decodes to, encoded as UTF-8: with room for all, and for half.
  async encodeRows(encoding) {
    const decoded = await this.ask('decode', encoding, this.state.policies[encoding].includes('whatwg') ? 'whatwg' : 'skip', 'utf-16');
    const units = decoded.units.slice(0, ENCODED_MOST), text = textOf(units), all = await this.ask('encode', units, 3 * units.length), rows = [];
    for (const [what, room] of [['room for all', all.units.length], ['room for half', all.units.length >> 1]]) {
      const own = await answerOf(() => encodeInto(text, room)), wanted = await this.ask('encode', units, room);
      const say = (answer) => (typeof answer === 'string' ? answer :
        `${hexOf(answer.bytes.subarray(0, STRIP)) || '(nothing)'}${answer.bytes.length > STRIP ? ' \u2026' : ''}; ${number(answer.read)} units read, ${counted(answer.bytes.length, 'byte')} written`);
      rows.push([`encodeInto, ${what}`, say(own), say({bytes: wanted.units, read: wanted.read}), hexOf(own.bytes ?? []) === hexOf(wanted.units)]);
    }
    return rows;
  }
}

function drawBrowser(rows, encoding) {
  const body = rows.map(([what, own, wanted, same = true]) => {
    const agrees = same && own === wanted;
    return [what, h('code', {}, own), h('code', {}, wanted), h('td', {class: agrees ? 'good' : 'differs'}, agrees ? 'as the standard says' : 'differs from the standard')];
  });
  fill('browser', table(['asked', 'this browser', 'the standard', 'verdict'], body, BROWSER_HAS.includes(encoding) ? `${encoding}, ${counted(Math.max(0, rows.length), 'question')}` : `Browsers have no decoder for ${encoding}; its text, encoded as UTF-8`));
}
