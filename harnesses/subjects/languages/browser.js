// SPDX-License-Identifier: MIT
//
// A browser as a subject: node browser.js BROWSER WAY, BROWSER being chromium or firefox and WAY one of
//
//     decoder   TextDecoder and TextEncoder: the page runs node.js, which is in this folder, with its input and output replaced
//     stream    TextDecoderStream (WHATWG Encoding), a chunk for each piece
//     html      the text that the HTML parser makes of the bytes: a document over HTTP with the encoding in its header
//
// puppeteer-core is where scripts/setup page puts it. The browser does not outlive this process, however that ends: a second process
// waits for the end of a pipe, then kills what is left of the browser and removes its folder.

'use strict';
const {execFileSync, spawn} = require('child_process');
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');
const readline = require('readline');

const [browserName, way] = process.argv.slice(2);
const PROGRAMS = {chromium: ['chromium', 'chromium-browser', 'google-chrome'], firefox: ['firefox-esr', 'firefox']};
const MODULES = path.join(__dirname, '../../../build/page/node_modules');
const SECONDS = 120;
const AT_ONCE = {decoder: 512, stream: 512, html: 16}; // requests

const bytes = (hex) => Buffer.from(hex === '-' ? '' : hex, 'hex');

// ---- the browser ----------------------------------------------------------------------------------------

function programOf(names) {
  for (const name of names) {
    try {
      return execFileSync('sh', ['-c', 'command -v "$0"', name], {encoding: 'utf-8'}).trim();
    } catch {} // the next one
  }
  throw new Error(`${browserName} is not installed`);
}

// A folder with the profile and a program that notes its process before it becomes the browser; and what removes both.
function prepare(program) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'assay-browser-'));
  const file = path.join(folder, 'browser');
  const kill = 'read -r word; test "$word" = closed || kill -9 "-$(cat "$0/pid")"; rm -rf "$0"; sleep 1; rm -rf "$0"';
  const remover = spawn('sh', ['-c', kill, folder], {detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {PATH: process.env.PATH}}); // no mark by which it would be stopped
  fs.writeFileSync(file, `#!/bin/sh\necho $$ >'${folder}/pid'\nTMPDIR='${folder}' exec '${program}' "$@"\n`, {mode: 0o755});
  return {file, profile: path.join(folder, 'profile'), remover};
}

async function openBrowser() {
  const puppeteer = require(path.join(MODULES, 'puppeteer-core'));
  const {file, profile, remover} = prepare(programOf(PROGRAMS[browserName]));
  fs.mkdirSync(profile);
  const browser = await puppeteer.launch({executablePath: file, browser: browserName === 'chromium' ? 'chrome' : 'firefox', headless: true, userDataDir: profile,
    timeout: SECONDS * 1000, protocolTimeout: SECONDS * 1000,
    args: browserName === 'chromium' ? ['--disable-gpu', ...(process.getuid() === 0 ? ['--no-sandbox'] : [])] : []});
  const close = async () => { await browser.close(); remover.stdin.end('closed\n'); };
  return {browser, close};
}

// ---- TextDecoder, in the page ------------------------------------------------------------------------------

// Makes `ask` of a line: node.js writes what it would write to standard output.
function installDecoder(source) {
  let onLine = null, written = '';
  const modules = {createInterface: () => ({on: (event, callback) => { onLine = callback; }})};
  new Function('require', 'process', source)(() => modules, {versions: {node: '-'}, stdin: null, stdout: {write: (text) => { written += text; }}});
  globalThis.ask = (line) => { written = ''; onLine(line); return written.trim(); };
}

// ---- TextDecoderStream, in the page --------------------------------------------------------------------------

function installStream() {
  const bytesOf = (hex) => Uint8Array.from(hex === '-' || hex === '' ? [] : hex.match(/../g), (pair) => parseInt(pair, 16));
  const HELLO = 'hello assay/1 - - encodings=utf-8,utf-8-sig,utf-16le,utf-16be,utf-16le-sig,utf-16be-sig policies=strict,whatwg ops=validate,decode,encode-utf16 chunks=yes';
  const textOf = async (stream, pieces) => {
    const writer = stream.writable.getWriter(), reader = stream.readable.getReader();
    const writing = (async () => { for (const piece of pieces) await writer.write(piece); await writer.close(); })();
    writing.catch(() => {}); // the reader has the same error
    for (let text = ''; ;) {
      const {done, value} = await reader.read();
      if (done) return text;
      text += value;
    }
  };
  const encodedOf = async (stream, text) => {
    const writer = stream.writable.getWriter(), reader = stream.readable.getReader();
    writer.write(text).then(() => writer.close());
    for (let hex = ''; ;) {
      const {done, value} = await reader.read();
      if (done) return hex || '-';
      hex += Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('');
    }
  };
  globalThis.ask = async (line) => {
    const [id, operation, encoding, ...fields] = line.split(' '), policy = operation === 'decode' ? fields[0] : 'strict';
    if (id === 'hello') return HELLO;
    if (operation === 'encode-utf16' && encoding === 'utf-8' && fields[0] === 'whatwg') {
      const units = fields[1] === '-' ? [] : fields[1].split(',').map((unit) => parseInt(unit, 16));
      return `${id} ok ${await encodedOf(new TextEncoderStream(), String.fromCharCode(...units))}`;
    }
    if (!['validate', 'decode'].includes(operation) || !['strict', 'whatwg'].includes(policy)) return `${id} skip not offered`;
    const stream = new TextDecoderStream(encoding.replace(/-sig$/, ''), {fatal: policy === 'strict', ignoreBOM: !encoding.endsWith('-sig')});
    try {
      const text = await textOf(stream, fields[fields.length - 1].split(',').map(bytesOf));
      return operation === 'validate' ? `${id} ok` : `${id} ok ${Array.from(text, (char) => char.codePointAt(0).toString(16).toUpperCase()).join(',') || '-'}`;
    } catch (error) {
      if (!(error instanceof TypeError) || policy !== 'strict') throw error;
      return `${id} error`;
    }
  };
}

// ---- the HTML parser -------------------------------------------------------------------------------------------

const PREFIX = Buffer.from('<!DOCTYPE html><title>-</title><body><plaintext>'); // after which everything is text
const HTML_HELLO = 'hello assay/1 - - encodings=utf-8 policies=whatwg ops=decode chunks=no';

// The parser replaces U+0000, and makes a line feed of a carriage return.
const isChanged = (data) => data.includes(0) || data.includes(13);

// A server of documents by number.
async function serveDocuments() {
  const documents = new Map();
  const server = http.createServer((request, response) => {
    response.writeHead(200, {'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store'});
    response.end(Buffer.concat([PREFIX, documents.get(request.url) || Buffer.alloc(0)]));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {documents, server, url: `http://127.0.0.1:${server.address().port}/`};
}

// In the page: the texts of documents, each as SCALARS.
function loadAll(urls) {
  return Promise.all(urls.map((url) => new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.onload = () => {
      resolve(Array.from(frame.contentDocument.querySelector('plaintext').textContent, (char) => char.codePointAt(0).toString(16).toUpperCase()).join(',') || '-');
      frame.remove();
    };
    frame.src = url;
    document.body.append(frame);
  })));
}

async function askParser(page, documents, lines) {
  const replies = lines.map((line) => {
    const [id, operation, encoding, policy, hex] = line.split(' ');
    if (id === 'hello') return HTML_HELLO;
    if (operation !== 'decode' || encoding !== 'utf-8' || policy !== 'whatwg' || hex.includes(',')) return `${id} skip not offered`;
    if (isChanged(bytes(hex))) return `${id} skip HTML changes U+0000 and U+000D`;
    documents.set(`/${id}`, bytes(hex));
    return null;
  });
  const ids = lines.filter((line, index) => replies[index] === null).map((line) => line.split(' ')[0]);
  const texts = ids.length > 0 ? await page.evaluate(loadAll, ids.map((id) => `/${id}`)) : [];
  documents.clear();
  return replies.map((reply) => reply ?? `${ids.shift()} ok ${texts.shift()}`);
}

// ---- requests and replies -----------------------------------------------------------------------------------

// Returns what answers some lines.
async function answererOf(page) {
  if (way === 'html') {
    const {documents, server, url} = await serveDocuments();
    server.unref();
    await page.goto(url);
    return (lines) => askParser(page, documents, lines);
  }
  if (way === 'decoder') await page.evaluate(installDecoder, fs.readFileSync(path.join(__dirname, 'node.js'), 'utf-8'));
  else await page.evaluate(installStream);
  return (lines) => page.evaluate(async (all) => { const replies = []; for (const line of all) replies.push(await globalThis.ask(line)); return replies; }, lines);
}

async function main() {
  if (PROGRAMS[browserName] === undefined || AT_ONCE[way] === undefined) throw new Error('node browser.js chromium|firefox decoder|stream|html');
  const lines = [];
  let isAtEnd = false, wake = () => {};
  readline.createInterface({input: process.stdin, crlfDelay: Infinity}).on('line', (line) => { lines.push(line); wake(); }).on('close', () => { isAtEnd = true; wake(); });
  const {browser, close} = await openBrowser();
  try {
    const name = (await browser.version()).replace('/', ' ').replace(/^Headless/, ''); // "Chrome 156.0"
    const answer = await answererOf(await browser.newPage());
    while (lines.length > 0 || !isAtEnd) {
      if (lines.length === 0) await new Promise((resolve) => { wake = resolve; });
      const some = lines.splice(0, AT_ONCE[way]);
      const replies = some.length > 0 ? await answer(some) : [];
      for (const reply of replies) process.stdout.write(`${reply.replace(/^hello assay\/1 \S+ \S+/, `hello assay/1 ${name}`)}\n`);
    }
  } finally {
    await close();
  }
}

main().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
