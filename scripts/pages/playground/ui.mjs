// SPDX-License-Identifier: MIT
//
// Elements. Text is only ever set as text.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

// Replaces what is in an element. What had the focus there gives it to what stands in its place: that with the same text, or the same index.
export function fill(id, ...children) {
  const box = byId(id), reached = () => [...box.querySelectorAll('button:enabled, input, select, [tabindex]')], before = reached(), at = before.indexOf(document.activeElement), word = before[at]?.textContent;
  box.replaceChildren(...children.flat());
  if (at >= 0) (reached().find((one) => one.textContent === word) ?? reached()[Math.min(at, reached().length - 1)])?.focus();
}

export const number = (count) => count.toLocaleString('en-US');
export const counted = (count, word) => `${number(count)} ${word}${count === 1 ? '' : 's'}`;
export const announce = (text) => { byId('said').textContent = text; };

// The roles say what it is where a narrow window shows each row as a block, with the labels beside the cells.
export function table(head, rows, caption) {
  const cellOf = (content, index) => {
    const cell = content instanceof HTMLTableCellElement ? content : h('td', {}, content);
    cell.setAttribute('role', 'cell');
    cell.dataset.label = head[index + 1];
    return cell;
  };
  return h('table', {role: 'table'}, h('caption', {}, caption), h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, head.map((word) => h('th', {scope: 'col', role: 'columnheader'}, word)))),
           h('tbody', {role: 'rowgroup'}, rows.map(([first, ...cells]) => h('tr', {role: 'row'}, h('th', {scope: 'row', role: 'rowheader'}, first), cells.map(cellOf)))));
}

// Sets an attribute only where it changes: fewer mutations for a screen reader.
export function mark(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

// After the next frame is painted. A hidden page paints none, and waits no longer than this.
const HIDDEN_MILLISECONDS = 200;
export const painted = () => new Promise((done) => {
  requestAnimationFrame(() => setTimeout(done));
  setTimeout(done, HIDDEN_MILLISECONDS);
});
