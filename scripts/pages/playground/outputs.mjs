// SPDX-License-Identifier: MIT
//
// Decoded output: characters, those that replace errors marked, and code points below.

import { codeOf, hexOf } from './forms.mjs';
import { byId, counted, fill, h, number, table } from './ui.mjs';
import { glyphOf, legible } from './words.mjs';

const REPLACEMENT = 0xfffd;
const isEscape = (unit) => unit >= 0xdc80 && unit <= 0xdcff;

function chip(unit) {
  const glyph = glyphOf(unit);
  if (unit === REPLACEMENT || isEscape(unit)) return h('span', {class: 'replaced'}, glyph || `U+${codeOf(unit)}`);
  return unit === 0x20 ? ' ' : glyph || h('small', {class: 'soft'}, `U+${codeOf(unit)} `);
}

export function outputOf(units, total, suffix = '') {
  const rest = total === null ? 'more' : total > units.length ? `${number(total - units.length)} more` : '';
  return [h('span', {class: 'out'}, h('bdi', {}, Array.from(units, chip)), rest !== '' ? ' \u2026' : '', suffix),
          h('span', {class: 'codes'}, units.length === 0 ? '(nothing)' : Array.from(units, codeOf).join(' '), rest !== '' ? ` and ${rest}` : '')];
}

function cell(output, policy) {
  if (output === null) return h('td', {class: 'soft none'}, 'has no such policy');
  const stopped = output.stopped !== null ? ` stops at ${number(output.stopped.offset)}` : '';
  return h('td', {'data-policy': policy}, outputOf(output.units, output.total, h('span', {class: 'alarm'}, stopped)));
}

export function drawMatrix(rows, policies, state, choose) {
  const body = rows.map(({encoding, errors, first, outputs}) => [
    h('button', {type: 'button', 'aria-pressed': String(encoding === state.encoding), onclick: () => choose(encoding)}, encoding),
    first === null ? h('span', {class: 'good'}, 'well-formed') : [h('span', {class: 'alarm'}, counted(errors, 'error')), h('span', {class: 'codes'}, ` first at ${number(first.offset)}: ${first.fault}`)],
    ...policies.map((policy) => cell(outputs[policy], policy))]);
  const drawn = table(['encoding', 'verdict', ...policies], body, 'Encodings and policies');
  drawn.querySelectorAll('thead th').forEach((head, index) => { if (index > 1) head.title = state.sentences[policies[index - 2]]; });
  rows.forEach(({encoding}, index) => drawn.tBodies[0].rows[index].classList.toggle('chosen', encoding === state.encoding));
  fill('matrix', drawn);
}

export function drawCodecs(codecs, state) {
  const body = codecs.map(({name, agrees, error}) => [`${state.encoding}/${name}`, error === null ? 'well-formed' : error.length === null ? `ill-formed${error.offset === null ? '' : ` at ${number(error.offset)}`}` : `ill-formed at ${number(error.offset)}, ${counted(error.length, 'byte')}: ${error.fault}`,
    h('td', {class: agrees ? 'good' : 'differs'}, agrees ? 'agrees with the reference' : 'differs from the reference')]);
  fill('codecs', table(['codec', 'verdict', 'all errors and outputs'], body, state.bytes.length > 65536 ? 'The first 64 KiB' : 'All bytes'));
}

export function drawVerdict(state) {
  const {bytes, encoding, overview} = state;
  if (bytes.length === 0) return fill('verdict', 'There are no bytes yet.');
  const size = `${encoding}, ${counted(bytes.length, 'byte')}: `;
  if (overview.first === null) return fill('verdict', size, h('span', {class: 'good'}, 'well-formed'));
  const {first, errors} = overview;
  return fill('verdict', size, h('span', {class: 'alarm'}, `ill-formed, ${counted(errors, 'error')}`), `; the first at ${number(first.offset)}: ${hexOf(bytes.subarray(first.offset, first.offset + first.length))}, ${state.sentences[first.fault]}.`);
}

export const drawProblem = (text) => { byId('problem').textContent = legible(text); };
