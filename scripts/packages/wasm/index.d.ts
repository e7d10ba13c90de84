// SPDX-License-Identifier: MIT
import type { Assay } from './assay.js';
export * from './assay.js';

/** Opens the module of this package, in Node.js, Deno, Bun or a browser. */
export function load(): Promise<Assay>;
