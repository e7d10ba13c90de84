// SPDX-License-Identifier: MIT
//
// Runs a script with the module in a browser, as in_node.mjs does in Node.js: node in_browser.mjs MODULES BROWSER PROGRAM SCRIPT.mjs
// MODULE.wasm WORD... MODULES is the folder in which npm installed puppeteer-core. The page has its files from a server of this
// process, for files may not import each other there.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [modules, browserName, program, script, module, ...words] = process.argv.slice(2);
const require = createRequire(join(resolve(modules), 'package.json'));
const puppeteer = (await import(pathToFileURL(require.resolve('puppeteer-core')))).default;
const TYPES = {'.mjs': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html; charset=utf-8'};
const LINES = 512; // of a message to the browser
const MILLISECONDS = 600_000; // no message takes 60,000

function fileAt(path) {
  if (path === '/') return Buffer.from('<!DOCTYPE html><html lang="en"><title>assay.wasm</title></html>');
  return readFileSync(path === '/module.wasm' ? module : join(dirname(script), basename(path)));
}

const server = createServer((request, response) => {
  try {
    const content = fileAt(request.url);
    response.writeHead(200, {'content-type': TYPES[extname(request.url)] ?? TYPES['.html']}).end(content);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const browser = await puppeteer.launch({executablePath: program, browser: browserName, headless: true, timeout: MILLISECONDS, protocolTimeout: MILLISECONDS,
                                        args: browserName === 'chrome' ? ['--no-sandbox', '--disable-gpu'] : []});
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.evaluate(async (name, all) => {
    const {begin} = await import(name), response = await fetch('/module.wasm');
    window.answer = await begin(await response.arrayBuffer(), ...all);
  }, `/${basename(script)}`, words);
  const waiting = [];
  let wake = () => {}, ended = false;
  createInterface({input: process.stdin, crlfDelay: Infinity})
    .on('line', (line) => { waiting.push(line); wake(); })
    .on('close', () => { ended = true; wake(); });
  while (!ended || waiting.length > 0) {
    if (waiting.length === 0) await new Promise((done) => { wake = done; });
    const replies = await page.evaluate((lines) => lines.map((line) => window.answer(line)), waiting.splice(0, LINES));
    process.stdout.write(replies.map((reply) => `${reply}\n`).join(''));
  }
} finally {
  await browser.close();
  server.close();
}
