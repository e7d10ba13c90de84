// SPDX-License-Identifier: MIT
// The npm package assay-wasm: the interface of assay.mjs, and the module that comes with it.

import { open } from './assay.mjs';

export { Assay, open } from './assay.mjs';

const MODULE = new URL('./assay.wasm', import.meta.url);

async function bytesOf(url) {
  if (url.protocol === 'file:') return (await import('node:fs/promises')).readFile(url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}: the package's assay.wasm must be beside its index.mjs`);
  return response.arrayBuffer();
}

/** Opens the module of this package, in Node.js, Deno, Bun or a browser. */
export const load = async () => open(await bytesOf(MODULE));
