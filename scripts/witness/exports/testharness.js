// SPDX-License-Identifier: MIT
//
// As much of testharness.js as the exported tests for web-platform-tests need, for browsers, Node, Bun and Deno.
// assayResults() waits for all tests: an object, name to '' or the message of the failure.
'use strict';

const pending = [];

function note(name, body) {
  pending.push([name, (async () => {
    try {
      await body();
      return '';
    } catch (error) {
      return String(error.message || error) || 'failed';
    }
  })()]);
}

globalThis.test = (body, name) => note(name, body);
globalThis.promise_test = (body, name) => note(name, body);
globalThis.assert_equals = (got, expected, about) => {
  if (!Object.is(got, expected)) throw new Error(`${about}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
};

globalThis.assayResults = async () => {
  const results = {};
  for (const [name, result] of pending) results[name] = await result;
  return results;
};

// Outside a browser: the test file is the argument; its META lines name the scripts before it.
if (typeof document === 'undefined') {
  const {readFileSync} = require('fs');
  const {dirname, join} = require('path');
  const {runInThisContext} = require('vm');
  const path = process.argv[2];
  const text = readFileSync(path, 'utf8');
  for (const [, script] of text.matchAll(/^\/\/ META: script=(.*)$/gm)) runInThisContext(readFileSync(join(dirname(path), script), 'utf8'), script);
  runInThisContext(text, path);
  globalThis.assayResults().then((results) => console.log(JSON.stringify(results)));
}
