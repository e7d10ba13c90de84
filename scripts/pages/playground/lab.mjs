// SPDX-License-Identifier: MIT
//
// The laboratory: text in the schemes that UTF-8 was chosen over, and one byte of it lost, doubled or changed.

import { codeOf, hexOf } from './forms.mjs';
import { announce, byId, counted, fill, h } from './ui.mjs';
import { glyphOf } from './words.mjs';

const SHOWN = ['leb128', 'counter-naive', 'counter-terrible', 'counter-decent', 'unary', 'unary-freed', 'utf-8'];
const BLOWS = {lose: 'loses the byte', double: 'doubles it', change: 'changes its lowest bit'};
const WORDS = {
  leb128: 'seven bits a byte; bytes that begin with 1 continue the character', 'counter-naive': 'every byte of a longer character counts its place in three bits',
  'counter-terrible': 'the first byte begins with 10, those after it with 11, and all count their place', 'counter-decent': 'only the first byte counts; those after it begin with 11',
  unary: 'the ones of the first byte say how many bytes there are; those after it have no mark', 'unary-freed': 'those after the first byte begin with 10, and no first byte does',
  'utf-8': 'the same bytes; overlong forms, surrogates and values beyond U+10FFFF are errors',
};
const UTF8_DRAWN_AS = 'utf-8-unchecked';

function struck(bytes, at, blow) {
  if (blow === 'lose') return Uint8Array.of(...bytes.subarray(0, at), ...bytes.subarray(at + 1));
  if (blow === 'double') return Uint8Array.of(...bytes.subarray(0, at + 1), ...bytes.subarray(at));
  return bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
}

const show = (scalar) => glyphOf(scalar) || (scalar === 0x20 ? '\u00a0' : `[${codeOf(scalar)}]`);
const textOf = (scalars) => Array.from(scalars, show).join('');

function bitsOf(byte, {tag, counter}) {
  const bits = byte.toString(2).padStart(8, '0');
  return h('span', {class: 'bits', 'aria-hidden': 'true'}, h('span', {class: 'tag'}, bits.slice(0, tag)), h('span', {class: 'counter'}, bits.slice(tag, tag + counter)), h('span', {class: 'payload'}, bits.slice(tag + counter)));
}

export class Lab {
  constructor(ask) {
    this.ask = ask;
    this.drawn = 0;
    byId('lab-blow').append(...Object.entries(BLOWS).map(([name, word], index) => h('label', {}, h('input', {type: 'radio', name: 'blow', value: name, checked: index === 0}), ` ${word}`)));
    byId('lab-text').addEventListener('input', () => this.draw());
    fill('lab', SHOWN.map((encoding) => h('div', {class: 'scheme', id: `lab-${encoding}`})));
  }

  blow() { return document.querySelector('input[name=blow]:checked').value; }

  async draw() {
    const drawn = ++this.drawn, scalars = Uint32Array.from(Array.from(byId('lab-text').value, (char) => char.codePointAt(0)).filter((scalar) => scalar < 0xd800 || scalar > 0xdfff));
    for (const encoding of SHOWN) {
      const {bytes} = await this.ask('write', encoding, scalars);
      if (drawn !== this.drawn) return;
      await this.scheme(encoding, scalars, bytes, bytes, null);
    }
  }

  async scheme(encoding, scalars, whole, bytes, hit) {
    const {drawn} = this, {units, before, after, noticed, layout} = await this.ask('damaged', encoding, bytes, scalars);
    if (drawn !== this.drawn) return null; // there is another text
    const head = scalars.subarray(0, before), lost = scalars.subarray(before, scalars.length - after), strange = units.subarray(before, units.length - after), tail = scalars.subarray(scalars.length - after);
    const buttons = Array.from(bytes, (byte, at) => h('button', {type: 'button', class: layout[at].fault === 'none' ? '' : 'error', onclick: () => this.strike(encoding, scalars, whole, at)}, hexOf([byte]), h('span', {class: 'hidden'}, ` byte ${at} of ${encoding}`), bitsOf(byte, layout[at])));
    if (hit !== null) buttons[Math.min(hit, buttons.length - 1)]?.classList.add('hit');
    const verdict = hit === null ? counted(bytes.length, 'byte') : `${counted(lost.length, 'character')} lost, ${strange.length} strange, ${noticed ? 'noticed' : 'not noticed'}`;
    fill(`lab-${encoding}`, h('h3', {}, encoding, ' ', h('small', {class: hit === null ? 'soft' : lost.length > 1 || !noticed ? 'alarm' : 'good'}, verdict)),
         h('p', {class: 'soft what'}, WORDS[encoding]),
         h('div', {class: 'bytes', 'data-drawn-as': encoding === 'utf-8' ? UTF8_DRAWN_AS : encoding}, buttons),
         h('p', {}, h('bdi', {}, textOf(head), lost.length > 0 ? h('span', {class: 'lost'}, textOf(lost)) : '', strange.length > 0 ? h('span', {class: 'strange'}, textOf(strange)) : '', textOf(tail)), ' ',
           hit !== null ? h('button', {type: 'button', onclick: () => this.scheme(encoding, scalars, whole, whole, null)}, 'Whole again') : ''));
    return verdict;
  }

  async strike(encoding, scalars, whole, at) {
    const place = Math.min(at, whole.length - 1), verdict = await this.scheme(encoding, scalars, whole, struck(whole, place, this.blow()), place);
    if (verdict !== null) announce(`${encoding}: ${verdict}`);
  }
}
