// SPDX-License-Identifier: MIT
//
// Bytes as cells, a page of them at a time, and the explanation of the one that is chosen.

import { codeOf, hexOf } from './forms.mjs';
import { byId, counted, fill, h, mark, number, painted } from './ui.mjs';
import { glyphOf, letterOf, refusalOf, rowOf } from './words.mjs';

export const CELLS = 256;
const SCREEN = 64; // cells that are laid out and painted first
const ROOM_IN_ROW = 'ArrowDown';

// How many of the highest bits say what kind of byte it is. UTF-16 has no such bits.
function markBits(byte, encoding) {
  if (/-16[bl]e$/.test(encoding)) return 0;
  const ones = Math.clz32(~(byte << 24));
  return ones === 0 ? 1 : Math.min(ones + 1, 8);
}

// The style sheet draws the bits and what is below them: to a screen reader they say nothing more than the label.
function bitsOf(byte, encoding) {
  const bits = byte.toString(2).padStart(8, '0'), marks = markBits(byte, encoding);
  return h('i', {'data-marks': bits.slice(0, marks), 'data-bits': bits.slice(marks)});
}

const kindOf = (role) => (role.error !== null ? 'error' : role.length === 1 ? 'ascii' : role.index === 0 ? 'lead' : 'continuation');

// What a screen reader says. A label: an element out of sight in each cell would be laid out and painted, too.
function spokenOf(role) {
  const what = role.error !== null ? `error, ${role.error.fault}` : `U+${codeOf(role.codePoint ?? 0)} ${glyphOf(role.codePoint ?? 0)}`;
  return `${hexOf([role.byte])} offset ${role.offset}, ${what}${role.length > 1 ? `, byte ${role.index + 1} of ${role.length}` : ''}`;
}

function cellOf(role, encoding) {
  const begins = role.index === 0, below = role.error !== null ? (begins ? role.error.fault.split('-')[0] : '') : begins ? glyphOf(role.codePoint ?? 0) || `U+${codeOf(role.codePoint ?? 0)}` : '';
  return h('div', {class: `cell ${kindOf(role)}${begins ? ' begins' : ''}`, role: 'option', id: `cell-${role.offset}`, 'aria-selected': 'false', 'aria-label': spokenOf(role), 'data-offset': String(role.offset)},
           h('b', {}, hexOf([role.byte])), bitsOf(role.byte, encoding), h('small', {'data-below': below}));
}

function detailOf(role, state) {
  const table = state.tables[state.encoding];
  if (role.error === null) {
    const row = table.rows.find((one) => role.codePoint >= one.first && role.codePoint <= one.last && one.ranges.length === role.length);
    return [h('p', {}, h('strong', {}, `Byte ${number(role.offset)}, ${hexOf([role.byte])}: `), `byte ${role.index + 1} of ${role.length} of U+${codeOf(role.codePoint ?? 0)} `, h('bdi', {}, glyphOf(role.codePoint ?? 0))),
            row !== undefined ? h('p', {class: 'soft'}, `${table.name}: ${rowOf(row)}`) : null,
            h('p', {class: 'soft'}, role.index === 0 ? 'The text may be cut before this byte.' : `No cut here: the character began ${counted(role.index, 'byte')} before.`)];
  }
  const refusal = refusalOf(role.error, state.bytes, table);
  return [h('p', {}, h('strong', {class: 'alarm'}, `${role.error.fault}: `), letterOf(role.error, state.bytes, state.sentences), '.'),
          h('p', {}, refusal.sentence), refusal.rows.length > 0 ? h('ul', {}, refusal.rows.map((row) => h('li', {}, h('code', {}, rowOf(row))))) : null,
          h('p', {class: 'soft'}, role.error.incomplete ? 'Only the end of the input makes this an error: more bytes could complete it.' : 'The error is certain, whatever follows. Decoding continues right after the maximal subpart.')];
}

export class Cells {
  constructor(state, show) {
    this.state = state;
    this.show = show; // asks for another page: show(begin, chosen)
    this.roles = [];
    this.chosen = 0;
    const box = byId('cells');
    box.addEventListener('keydown', (event) => this.#key(event));
    box.addEventListener('click', (event) => this.#point(event));
    box.addEventListener('pointerover', (event) => this.#point(event));
  }

  async draw(roles, begin, chosen) {
    const cellsOf = (from, to) => roles.slice(from, to).map((role) => cellOf(role, this.state.encoding));
    const choose = () => this.choose(Math.min(Math.max(chosen, begin), begin + roles.length - 1), false);
    this.roles = roles;
    this.begin = begin;
    fill('cells', cellsOf(0, SCREEN));
    fill('detail', h('p', {class: 'soft'}, roles.length === 0 ? 'There are no bytes.' : 'Point at a byte, or move to one with the keyboard.'));
    byId('cells').removeAttribute('aria-activedescendant');
    this.drawPaging();
    choose();
    if (roles.length <= SCREEN) return;
    await painted();
    if (this.roles !== roles) return;
    byId('cells').append(...cellsOf(SCREEN));
    if (chosen >= begin + SCREEN) choose();
  }

  choose(offset, scroll = true) {
    const role = this.roles[offset - this.begin], cell = byId(`cell-${offset}`), box = byId('cells');
    if (role === undefined || cell === null) return;
    box.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
    cell.setAttribute('aria-selected', 'true');
    mark(box, 'aria-activedescendant', cell.id);
    if (scroll) cell.scrollIntoView({block: 'nearest'});
    this.chosen = offset;
    fill('detail', detailOf(role, this.state).filter((one) => one !== null));
  }

  #point(event) {
    const cell = event.target.closest('.cell');
    if (cell !== null) this.choose(Number(cell.dataset.offset), false);
  }

  // A row of cells is as long as the window lets it be.
  #perRow() {
    const cells = [...byId('cells').children];
    return Math.max(1, cells.findIndex((cell) => cell.offsetTop > cells[0].offsetTop + 4));
  }

  #key(event) {
    const steps = {ArrowRight: 1, ArrowLeft: -1, [ROOM_IN_ROW]: this.#perRow(), ArrowUp: -this.#perRow(), PageDown: CELLS, PageUp: -CELLS, Home: -Infinity, End: Infinity};
    if (!(event.key in steps) || this.state.bytes.length === 0) return;
    event.preventDefault();
    const to = Math.min(Math.max(this.chosen + steps[event.key], 0), this.state.bytes.length - 1);
    if (to >= this.begin && to < this.begin + this.roles.length) this.choose(to);
    else this.show(Math.floor(to / CELLS) * CELLS, to);
  }

  drawPaging() {
    const {length} = this.state.bytes, go = (word, begin, enabled) => h('button', {type: 'button', disabled: !enabled, onclick: () => this.show(begin, begin)}, word);
    fill('paging', length > CELLS ? [go('First bytes', 0, this.begin > 0), go('Before', Math.max(0, this.begin - CELLS), this.begin > 0), go('After', this.begin + CELLS, this.begin + CELLS < length),
         go('Last bytes', Math.floor((length - 1) / CELLS) * CELLS, this.begin + CELLS < length)] : [],
         this.state.errors > 0 ? h('button', {type: 'button', id: 'next-error', onclick: () => this.show(null, this.chosen + 1)}, 'Next error') : [],
         h('span', {class: 'soft'}, length === 0 ? '' : `bytes ${number(this.begin)} to ${number(this.begin + this.roles.length - 1)} of ${number(length)}`));
  }
}
