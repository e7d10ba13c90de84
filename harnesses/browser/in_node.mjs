// SPDX-License-Identifier: MIT
//
// Runs a script with the module in Node.js: node in_node.mjs SCRIPT.mjs MODULE.wasm WORD... The script exports
// begin(bytes, ...words), which returns a function from a line of standard input to a line of standard output.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [script, module, ...words] = process.argv.slice(2);
const {begin} = await import(pathToFileURL(resolve(script)));
const answer = await begin(readFileSync(module), ...words);
createInterface({input: process.stdin, crlfDelay: Infinity}).on('line', (line) => process.stdout.write(`${answer(line)}\n`));
