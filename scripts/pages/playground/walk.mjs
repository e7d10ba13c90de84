// SPDX-License-Identifier: MIT
//
// The walk of the automaton, a step at a time, forwards, backwards, or played.

import { codeOf, hexOf } from './forms.mjs';
import { byId, fill, h } from './ui.mjs';

const MILLISECONDS = 700;

function sentenceOf(step) {
  const seen = `${hexOf([step.byte])} at ${step.offset}${step.class === null ? '' : `, class ${step.class}`}: state ${step.before} to state ${step.after}.`;
  if (step.accepts) return `${seen} Accepts U+${codeOf(step.codePoint)}${step.rejects ? ', and the bytes after it come again' : ''}.`;
  if (step.rejects) return `${seen} Rejects${step.before !== 0 ? '; the byte comes again from the start' : ''}.`;
  return `${seen} So far ${step.codePoint.toString(2)} in binary; more bytes are needed.`;
}

export class Walk {
  constructor() {
    const button = (id, word, use) => h('button', {type: 'button', id, onclick: use}, word);
    fill('walk-bar', button('walk-first', 'First', () => this.go(0)), button('walk-back', 'Back', () => this.go(this.at - 1)), button('walk-on', 'Step', () => this.go(this.at + 1)),
         button('walk-play', 'Play', () => (this.timer === null ? this.play() : this.stop())), h('label', {}, 'Step ', h('input', {type: 'range', id: 'walk-at', min: 0, max: 0, value: 0, oninput: (event) => { this.stop(); this.draw(Number(event.target.value)); }})));
    this.timer = null;
    this.steps = [];
  }

  take(steps) {
    this.stop();
    this.steps = steps;
    this.states = [...new Set(steps.flatMap((step) => [step.before, step.after]))].sort((a, b) => a - b);
    this.start = steps[0]?.before; // the bytes that are shown begin with a character or an error
    this.rejecting = new Set(steps.filter((step) => step.rejects && step.after !== this.start).map((step) => step.after));
    byId('walk-at').max = Math.max(0, steps.length - 1);
    this.draw(0);
  }

  go(at) {
    this.stop();
    this.draw(at);
  }

  play() {
    if (this.at + 1 >= this.steps.length) this.draw(0);
    byId('walk-play').textContent = 'Stop';
    this.timer = setInterval(() => (this.at + 1 < this.steps.length ? this.draw(this.at + 1) : this.stop()), MILLISECONDS);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    byId('walk-play').textContent = 'Play';
  }

  nameOf(state) {
    const name = state === this.start ? 'start' : this.rejecting.has(state) ? 'error' : null;
    return name === null ? null : h('small', {}, ` ${name}`);
  }

  draw(at) {
    this.at = Math.min(Math.max(at, 0), Math.max(0, this.steps.length - 1));
    byId('walk-back').disabled = byId('walk-first').disabled = this.at === 0;
    byId('walk-on').disabled = this.at + 1 >= this.steps.length;
    byId('walk-at').value = this.at;
    const step = this.steps[this.at];
    if (step === undefined) return fill('walk', h('p', {class: 'soft'}, 'No steps: there are no bytes.'));
    const near = this.steps.slice(Math.max(0, this.at - 8), this.at + 9);
    return fill('walk', h('div', {class: 'tape', 'aria-hidden': 'true'}, near.map((one) => h('span', {class: one === step ? 'here' : ''}, hexOf([one.byte])))),
                h('ul', {class: 'states', 'aria-hidden': 'true'}, this.states.map((state) => h('li', {class: `${state === step.before ? 'before ' : ''}${state === step.after ? 'after' : ''}${step.rejects ? ' rejecting' : ''}`}, String(state), this.nameOf(state)))),
                h('p', {class: 'now', 'aria-live': this.timer === null ? 'polite' : 'off'}, `Step ${this.at + 1} of ${this.steps.length}: ${sentenceOf(step)}`));
  }
}
