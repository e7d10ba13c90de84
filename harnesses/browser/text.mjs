// SPDX-License-Identifier: MIT
//
// UTF-16 units as a string, also where surrogates are unpaired. In parts, because a call takes a limited number of arguments; by apply(),
// because `...` takes six times as long.

const PART = 4096;

export const textOf = (units) => Array.from({length: Math.ceil(units.length / PART)}, (_, index) => String.fromCharCode.apply(null, units.subarray(PART * index, PART * (index + 1)))).join('');

const engine = new TextDecoder('utf-16le', {fatal: true, ignoreBOM: true});

// The same, several times as fast where no surrogate is unpaired: the engine copies the units.
export function fastTextOf(units) {
  try {
    return engine.decode(units);
  } catch {
    return textOf(units);
  }
}
