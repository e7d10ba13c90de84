// SPDX-License-Identifier: MIT
//
// Drives the page in a browser: node drive.mjs MODULES BROWSER PROGRAM PAGE OTHERS.json SHOTS CHECK... Prints a line of JSON for each
// check: {name, problem, said}. MODULES is the folder in which npm installed puppeteer-core and axe-core.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { attacks } from './attacks.mjs';

const [modules, browserName, program, pageFile, othersFile, shots, ...chosen] = process.argv.slice(2);
const require = createRequire(join(modules, 'package.json'));
const puppeteer = (await import(pathToFileURL(require.resolve('puppeteer-core')))).default;
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf-8');
const others = JSON.parse(readFileSync(othersFile, 'utf-8')); // {planted, letters, cases, golden}
const SECONDS = 300; // nothing here takes 10
const url = (file, fragment = '') => `${pathToFileURL(file)}${fragment}`;

const launch = (preferences = {}) => puppeteer.launch({executablePath: program, browser: browserName, headless: true, timeout: SECONDS * 1000, protocolTimeout: SECONDS * 1000, extraPrefsFirefox: preferences,
                                                       args: browserName === 'chrome' ? ['--no-sandbox', '--disable-gpu'] : []});
const browser = await launch();

// A page, and what it fetched, logged or threw.
async function open({fragment = '', file = pageFile, before = null, width = 1200, features = [], inside = browser, isShown = true} = {}) {
  const page = await inside.newPage(), trouble = [], fetched = [];
  page.on('console', (message) => ['error', 'warn'].includes(message.type()) && trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on('request', (request) => !/^(blob|data):/.test(request.url()) && fetched.push(request.url()));
  page.setDefaultTimeout(SECONDS * 1000);
  await page.setViewport({width, height: 900});
  if (features.length > 0) await page.emulateMediaFeatures(features);
  if (before !== null) await page.evaluateOnNewDocument(before);
  await page.goto(url(file, fragment));
  if (isShown) await shown(page, '0');
  await page.evaluate(arrival);
  return {page, trouble, fetched};
}

const wait = (page, what, ...words) => page.waitForFunction(what, {timeout: SECONDS * 1000, polling: 20}, ...words);
const shown = (page, before) => wait(page, (last) => document.body.dataset.shown !== undefined && document.body.dataset.shown !== last, before);
const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
const texts = (page, selector) => page.$$eval(selector, (elements) => elements.map((element) => element.textContent));

// What is out of view is laid out only when it comes into view, and may move then.
async function click(page, selector) {
  await page.$eval(selector, (element) => element.scrollIntoView({block: 'center'}));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.click(selector);
}

// Does something that changes the input or the encoding, and waits until all of the page shows it.
async function change(page, use) {
  const before = await page.evaluate(() => document.body.dataset.shown);
  await use();
  await shown(page, before);
}

async function type(page, input, form = 'auto') {
  await change(page, () => page.evaluate((value, kind) => {
    document.getElementById('form').value = kind;
    document.getElementById('input').value = value;
    document.getElementById('input').dispatchEvent(new Event('input'));
  }, input, form));
}

// Firefox does not report files.
const onlyThePage = (fetched) => assert.deepEqual(fetched.filter((one) => one !== url(pageFile)), []);

const outputs = (page, encoding) => page.evaluate((name) => {
  const row = [...document.querySelectorAll('#matrix tbody tr')].find((one) => one.cells[0].textContent === name);
  return Object.fromEntries([...row.querySelectorAll('td[data-policy]')].map((cell) => [cell.dataset.policy, cell.querySelector('.codes').textContent]));
}, encoding);

// A decoder with a fault that is not on the page's own bytes: pictures have a report with differences.
const wrongOnLongText = () => {
  const Real = window.TextDecoder;
  window.TextDecoder = class extends Real {
    decode(...words) { return super.decode(...words).replace(/\uFFFD{9}$/, '\uFFFD'); }
  };
};

// In the page: an event that brings a long input, a dropped file or pasted text.
const arrival = `window.arrival = (kind, size) => {
  let seed = 1;
  const data = new DataTransfer(), part = Uint8Array.from({length: 1 << 16}, () => (seed = seed * 48271 % 2147483647)), parts = Array(size >> 16).fill(part);
  if (kind === 'bytes') data.items.add(new File(parts, 'an \\u202Eevil\\u2066 name'));
  else if (kind === 'hex') data.setData('text/plain', Array.from(part, (byte) => byte.toString(16).padStart(2, '0')).join(' ').concat(' ').repeat(parts.length));
  else data.setData('text/plain', String.fromCharCode(...Array.from(part.subarray(0, 1 << 13), (byte) => byte % 128)).repeat(size >> 13));
  const options = {bubbles: true, cancelable: true};
  return kind === 'bytes' ? new DragEvent('drop', {...options, dataTransfer: data}) : Object.defineProperty(new Event('paste', options), 'clipboardData', {value: data});
}`;

// In the page, when it has done what came before: gives it 64 KiB, and waits until the first bytes are painted. The page adds the rest
// of the cells after that; a timer of this function would run only after the frame that has these, too.
const paint = (kind) => new Promise((done) => requestIdleCallback(() => requestIdleCallback(() => {
  const event = window.arrival(kind, 1 << 16), cells = document.getElementById('cells'), before = cells.firstElementChild, begin = performance.now();
  const rest = () => ['verdict', 'matrix', 'codecs', 'strip', 'walk'].map((id) => document.getElementById(id).firstChild), last = rest();
  const seen = {isFirst: null, frames: 0};
  new MutationObserver((_, observer) => {
    if (cells.firstElementChild === before) return;
    if (seen.isFirst === null) {
      seen.isFirst = rest().every((node, index) => node === last[index]);
      requestAnimationFrame(() => seen.frames++);
    }
    if (cells.childElementCount < 256) return;
    observer.disconnect();
    done({...seen, milliseconds: performance.now() - begin});
  }).observe(cells, {childList: true});
  document.getElementById('input').dispatchEvent(event);
})));

// In the page: gives it a long input, and uses the page until all of the input is shown.
const arrive = (kind, size, last) => new Promise((done) => {
  const event = window.arrival(kind, size), begin = performance.now(), seen = {turns: 0, gap: 0, answers: []};
  document.getElementById('input').dispatchEvent(event);
  const key = (name) => { document.getElementById('cells').dispatchEvent(new KeyboardEvent('keydown', {key: name})); seen.answers.push(document.querySelector('[aria-selected=true]').id); };
  const press = (id) => { document.getElementById(id).click(); seen.answers.push(/Step \d+/.exec(document.querySelector('#walk .now').textContent)[0]); };
  const uses = [() => key('ArrowRight'), () => key('ArrowRight'), () => press('walk-on'), () => press('walk-on'), () => press('walk-back')];
  const walk = document.getElementById('walk').firstElementChild; // of the input before
  let before = performance.now();
  const turn = () => {
    seen.gap = Math.max(seen.gap, performance.now() - before);
    if (document.body.dataset.shown !== last) return done({...seen, milliseconds: performance.now() - begin});
    seen.turns++;
    if (document.getElementById('walk').firstElementChild !== walk && uses.length > 0) uses.shift()();
    before = performance.now();
    return setTimeout(turn);
  };
  turn();
});

// A page as it is now: judged by axe-core, not wider than its window, and pictured.
async function judge(page, width, name) {
  await page.evaluate(() => document.querySelectorAll('section').forEach((one) => { one.style.contentVisibility = 'visible'; })); // what is out of view, too
  const found = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
  assert.deepEqual(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 80)).slice(0, 3)}`), [], name);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width, `${name} is wider than its window`);
  writeFileSync(join(shots, `playground-${browserName}-${name}.png`), await page.screenshot({fullPage: true}));
}

// Brings the page to what other pictures do not show: more than a page of bytes, cut everywhere, where this browser is wrong; a rejecting step;
// damage; a copy; a problem; a file above the page; the focus.
async function use(page) {
  await change(page, () => page.evaluate(() => { location.hash = `#e=utf-8&x=${'EDA0BDC080EDA080F09F98'.repeat(30)}41FF`; }));
  await click(page, '#cut-all');
  await wait(page, () => document.querySelectorAll('#pieces tbody tr').length === 64 && document.querySelectorAll('#browser .differs').length > 0);
  await page.evaluate(() => ['walk-on', 'walk-on'].forEach((id) => document.getElementById(id).click()));
  await click(page, 'input[value=double]');
  await click(page, '#lab-utf-8 .bytes button:nth-child(4)');
  await click(page, '#test-report summary');
  await page.evaluate(() => document.querySelector('#copies button').click());
  await wait(page, () => document.querySelector('#copied pre') !== null && document.querySelector('#lab-utf-8 .hit') !== null);
  await page.evaluate(() => {
    document.getElementById('input').value = '{0xE4, 0x1FF}';
    document.getElementById('form').value = 'array';
    document.getElementById('input').dispatchEvent(new Event('input'));
    document.body.classList.add('dropping');
  });
  await wait(page, () => document.getElementById('problem').textContent !== '');
  await page.focus('#next-error');
  await page.keyboard.press('Enter');
}

// The rows of the report's categories that take more than one line.
const brokenRows = (page) => page.$eval('#test-categories', (table) => {
  const range = document.createRange(), text = table.firstChild, found = [];
  table.parentElement.open = true;
  for (let at = 0, end; (end = text.data.indexOf('\n', at)) >= 0; at = end + 1) {
    range.setStart(text, at);
    range.setEnd(text, end);
    if (new Set(Array.from(range.getClientRects(), ({top}) => top)).size !== 1) found.push(range.toString());
  }
  table.parentElement.open = false;
  return found;
});

const checks = {
  async begins_and_fetches_nothing() {
    const {page, trouble, fetched} = await open();
    assert.match(await text(page, '#verdict'), /^utf-8, 6 bytes: ill-formed, 3 errors; the first at 3: ED, a surrogate/);
    assert.equal((await outputs(page, 'utf-8')).whatwg, '4E16 FFFD FFFD FFFD');
    const refused = await page.evaluate(() => fetch('https://example.org/').then(() => 'fetched', () => 'refused'));
    assert.equal(refused, 'refused');
    assert.match(await page.$eval('noscript', (element) => element.textContent), /needs JavaScript/);
    onlyThePage(fetched.filter((one) => one !== 'https://example.org/'));
    return trouble.filter((one) => !/example\.org|Refused to connect|Fetch API/.test(one));
  },
  // Also from a link that names a section, and without a section that does not exist.
  async contents_lead_to_each_section_and_keep_the_input() {
    const {page, trouble} = await open({fragment: '#e=utf-8&x=C0AF41&c=1'}), fragment = /#e=utf-8&x=C0AF41&c=1(?:&s=(\w+))?$/;
    const at = (name) => page.evaluate((section) => {
      const head = document.getElementById(`${section}-title`), root = document.documentElement;
      return {top: Math.round(head.getBoundingClientRect().top), isAtEnd: root.scrollTop + root.clientHeight >= root.scrollHeight - 1, isFocused: document.activeElement === head.firstElementChild};
    }, name);
    const heads = await page.$$eval('h2 a', (all) => all.map((one) => [one.hash, one.textContent]));
    assert.equal(heads.length, await page.$$eval('main section', (all) => all.length));
    assert.deepEqual(await page.$$eval('.contents a', (all) => all.map((one) => [one.hash, one.textContent])), heads);
    for (const [hash] of heads) {
      const name = hash.slice('#s='.length);
      await page.evaluate((link) => document.querySelector(`.contents a[href="${link}"]`).click(), hash);
      assert.equal(fragment.exec(page.url())?.[1], name);
      await wait(page, (section) => {
        const {top} = document.getElementById(`${section}-title`).getBoundingClientRect();
        return top > -1 && top < innerHeight;
      }, name);
      const seen = await at(name);
      assert.ok(seen.isFocused && (seen.top < 100 || seen.isAtEnd), `${name}: ${JSON.stringify(seen)}`);
    }
    await change(page, () => page.evaluate(() => { location.hash = '#e=cesu-8&x=41&s=lab'; }));
    await wait(page, () => document.activeElement.textContent === 'The laboratory');
    const other = await open({fragment: '#e=utf-8&x=C0AF41&c=1&s=pieces'});
    await wait(other.page, () => document.activeElement.textContent === 'In pieces');
    assert.equal(fragment.exec(other.page.url())?.[1], 'pieces');
    const none = await open({fragment: '#e=utf-8&x=C0AF41&c=1&s=%22%5D'});
    assert.match(await text(none.page, '#verdict'), /^utf-8, 3 bytes/);
    return [...trouble, ...other.trouble, ...none.trouble];
  },
  async its_own_command_can_be_copied() {
    const before = () => Object.defineProperty(Navigator.prototype, 'clipboard', {get: () => ({writeText: async (words) => { window.written = words; }})});
    const {page, trouble} = await open({before});
    await click(page, 'footer .copy');
    await wait(page, () => document.querySelector('footer .copy').textContent === 'copied');
    assert.match(await page.evaluate(() => window.written), /^scripts\/playground .*\.html$/);
    return trouble;
  },
  async every_form_of_input_gives_the_same_bytes() {
    const {page, trouble} = await open();
    for (const [input, form] of [['E4 B8 96', 'hex'], ['0xE4,0xB8,0x96', 'hex'], ['"\\xE4\\xb8\\226"', 'escapes'], ['\\u4E16', 'escapes'], ['\\u{4e16}', 'escapes'], ['%E4%b8%96', 'percent'], ['5LiW', 'base64'],
                                 ['{0xE4, 184, 0x96}', 'array'], ['&[0xE4u8, 0xb8, 0x96]', 'array'], ['\u4E16', 'text']]) {
      await type(page, '', 'auto');
      await type(page, input, form);
      assert.match(await text(page, '#verdict'), /utf-8, 3 bytes: well-formed/, input);
      assert.equal((await outputs(page, 'utf-8')).whatwg, '4E16', input);
    }
    for (const input of await texts(page, '#examples button')) {
      await type(page, '', 'auto');
      await change(page, () => page.evaluate((word) => [...document.querySelectorAll('#examples button')].find((one) => one.textContent === word).click(), input));
      assert.match(await text(page, '#verdict'), /ill-formed/, input);
    }
    await page.evaluate(() => { document.getElementById('form').value = 'hex'; document.getElementById('input').value = 'E4 XY'; document.getElementById('input').dispatchEvent(new Event('input')); });
    await wait(page, () => document.getElementById('problem').textContent.includes('pairs of digits'));
    return trouble;
  },
  async what_is_pasted_over_a_link_has_its_own_form() {
    const {page, trouble} = await open({fragment: '#x=41'});
    const paste = (input) => change(page, () => page.evaluate((value) => {
      const data = new DataTransfer(), field = document.getElementById('input');
      data.setData('text/plain', value);
      if (field.dispatchEvent(Object.defineProperty(new Event('paste', {cancelable: true}), 'clipboardData', {value: data}))) field.value = value;
      field.dispatchEvent(new Event('input'));
    }, input));
    for (const [input, said] of [['caf\\xC3\\xA9', 'Read as \\x escapes: 5 bytes.'], ['%E4%B8', 'Read as percent-encoding: 2 bytes.'], ['{0xC3, 0xA9}', 'Read as array of bytes: 2 bytes.'], ['8J+YgA==', 'Read as base64: 4 bytes.'],
                                 ['41 4', 'Read as text: 4 bytes. It looks like hex, but a pair of digits is incomplete.']]) {
      await change(page, () => page.evaluate(() => { location.hash = location.hash.includes('x=42') ? '#x=43' : '#x=42'; }));
      await paste(input);
      assert.equal(await text(page, '#read'), said);
    }
    await change(page, () => page.select('#form', 'text')); // what the user chose stays
    await paste('%E4%B8');
    assert.equal(await text(page, '#read'), 'Read as text: 6 bytes.');
    return trouble;
  },
  async golden_cases_have_their_outputs() {
    const {page, trouble} = await open();
    for (const [encoding, bytes, expected] of others.cases) {
      await change(page, () => page.evaluate((fragment) => { location.hash = fragment; }, `#e=${encoding}&x=${bytes}`));
      const got = await outputs(page, encoding);
      for (const [policy, output] of Object.entries(expected)) assert.equal(got[policy], output, `${encoding} ${bytes} ${policy}`);
    }
    assert.ok(others.cases.length > 10);
    return trouble;
  },
  async cells_explain_errors_as_assay_does() {
    const {page, trouble} = await open();
    for (const [encoding, bytes, letters] of others.letters) {
      await change(page, () => page.evaluate((fragment) => { location.hash = fragment; }, `#e=${encoding}&x=${bytes}`));
      for (const letter of letters) {
        await click(page, `#cell-${/at (\d+)/.exec(letter)[1]}`);
        assert.ok((await text(page, '#detail')).includes(letter), `${letter} not in ${await text(page, '#detail')}`);
      }
    }
    assert.ok(others.letters.length > 5);
    return trouble;
  },
  async keyboard_moves_over_bytes() {
    const {page, trouble} = await open({fragment: '#e=utf-8&x=41F09F9880C0AF'});
    await page.focus('#cells');
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'End', 'ArrowLeft']) await page.keyboard.press(key);
    assert.equal(await page.$eval('#cells', (element) => element.getAttribute('aria-activedescendant')), 'cell-5');
    assert.match(await text(page, '#detail'), /overlong.*No row of Table 3-7 of Unicode begins with C0/s);
    await page.keyboard.press('Home');
    assert.match(await text(page, '#detail'), /U\+0041.*The text may be cut before this byte/s);
    await page.focus('#next-error');
    await page.keyboard.press('Enter');
    await wait(page, () => document.querySelector('[aria-selected=true]').id === 'cell-5');
    assert.deepEqual(await page.$$eval('#cell-2, #cell-5', (all) => all.map((one) => one.getAttribute('aria-label'))), ['9F offset 2, U+1F600 \u{1F600}, byte 2 of 4', 'C0 offset 5, error, overlong']);
    await page.hover('#cell-2');
    assert.match(await text(page, '#detail'), /^Byte 2, 9F: byte 2 of 4 of U\+1F600.*No cut here: the character began 1 byte before/s);
    assert.deepEqual(await page.$$eval('.cell.begins', (all) => all.map((one) => one.dataset.offset)), ['0', '1', '5', '6']);
    return trouble;
  },
  async focus_stays_where_keys_are_pressed() {
    const {page, trouble} = await open({fragment: '#e=utf-8&x=EDA0BDEDB880C0AF&c=2.4'}), focused = () => page.evaluate(() => [document.activeElement.closest('[id]').id, document.activeElement.textContent]);
    await page.focus('#next-error');
    for (const offset of [1, 2]) {
      await page.keyboard.press('Enter');
      await wait(page, (at) => document.querySelector('[aria-selected=true]').id === `cell-${at}`, offset);
      assert.deepEqual(await focused(), ['next-error', 'Next error']);
    }
    await page.evaluate(() => [...document.querySelectorAll('#matrix tbody button')].find((one) => one.textContent === 'cesu-8').focus());
    await change(page, () => page.keyboard.press('Enter'));
    assert.deepEqual(await focused(), ['matrix', 'cesu-8']);
    await page.focus('#cut-1');
    await page.keyboard.press('Delete');
    assert.deepEqual((await focused())[0], 'cut-0');
    await page.focus('#lab-leb128 .bytes button:nth-child(3)');
    await page.keyboard.press('Enter');
    await wait(page, () => document.querySelector('#lab-leb128 .hit') !== null);
    assert.match((await focused()).join(), /^lab-leb128,.*byte 2 of leb128/);
    return trouble;
  },
  async another_encoding_is_chosen_in_the_table() {
    const {page, trouble} = await open({fragment: '#e=utf-8&x=EDA0BDEDB880'});
    assert.ok((await texts(page, '#codecs tbody th')).length > 5);
    assert.ok((await texts(page, '#codecs td:last-child')).every((one) => one === 'agrees with the reference'));
    await change(page, () => page.evaluate(() => [...document.querySelectorAll('#matrix tbody button')].find((one) => one.textContent === 'cesu-8').click()));
    assert.match(await text(page, '#verdict'), /^cesu-8, 6 bytes: well-formed/);
    assert.ok((await texts(page, '#codecs tbody th')).includes('cesu-8/dfa'));
    assert.ok((await texts(page, '#codecs td:last-child')).every((one) => one === 'agrees with the reference'));
    assert.match(page.url(), /e=cesu-8/);
    return trouble;
  },
  async automaton_steps_both_ways_and_plays() {
    const {page, trouble} = await open({fragment: '#e=utf-8&x=E4B89641ED'});
    const now = () => text(page, '#walk .now');
    assert.match(await now(), /Step 1 of 5: E4 at 0, class \d+: state 0 to/);
    await click(page, '#walk-on');
    await click(page, '#walk-on');
    assert.match(await now(), /Step 3 of 5.*Accepts U\+4E16/);
    await click(page, '#walk-back');
    assert.match(await now(), /Step 2 of 5.*more bytes are needed/);
    await click(page, '#walk-play');
    assert.equal(await text(page, '#walk-play'), 'Stop');
    await wait(page, () => /Step [45] of 5/.test(document.querySelector('#walk .now').textContent));
    await page.evaluate(() => { const play = document.getElementById('walk-play'); if (play.textContent === 'Stop') play.click(); });
    assert.equal(await text(page, '#walk-play'), 'Play');
    return trouble;
  },
  async cuts_move_by_key_and_by_pointer() {
    const {page, trouble} = await open({fragment: '#e=utf-8&x=41E4B89642&c=2'});
    const held = () => texts(page, '#pieces tbody td:last-child');
    assert.deepEqual(await held(), ['1 byte: E4', 'nothing']);
    await page.focus('#cut-0');
    await page.keyboard.press('ArrowRight');
    await wait(page, () => document.querySelector('#pieces tbody td:last-child').textContent === '2 bytes: E4 B8');
    assert.match(page.url(), /c=3/);
    const box = await (await page.$('#cut-0')).boundingBox(), byte = await page.$eval('.strip .byte', (one) => one.getBoundingClientRect().width);
    await page.mouse.move(box.x + box.width / 2, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + byte, box.y + 8, {steps: 4});
    await page.mouse.up();
    await wait(page, () => document.querySelector('#pieces tbody td:last-child').textContent === 'nothing');
    assert.equal(await page.$eval('#cut-0', (one) => one.getAttribute('aria-valuenow')), '4');
    await click(page, '#cut-all');
    await wait(page, () => document.querySelectorAll('#pieces tbody tr').length === 5);
    assert.deepEqual(await texts(page, '#pieces td .codes'), ['0041', '(nothing)', '(nothing)', '4E16', '0042']);
    return trouble;
  },
  async this_browser_answers_as_the_standard_says() {
    const {page, trouble} = await open({fragment: '#e=utf-8&x=EFBBBF41EDA080F09F98C0AF20E4B8&c=4.9.12'});
    await wait(page, () => document.querySelectorAll('#browser tbody tr').length === 6);
    assert.deepEqual(await texts(page, '#browser td:last-child'), Array(6).fill('as the standard says'));
    await click(page, '#test');
    await wait(page, () => document.getElementById('test-verdict') !== null);
    const verdict = await text(page, '#test-verdict');
    assert.match(verdict, /^9,\d{3} cases: 9,\d{3} passed, 0 failed/);
    trouble.said = verdict;
    return trouble;
  },
  async a_wrong_text_decoder_is_found() {
    const before = () => {
      const Real = window.TextDecoder;
      window.TextDecoder = class extends Real {
        decode(...words) { return super.decode(...words).replace('\uFFFD\uFFFD', '\uFFFD'); }
      };
    };
    const {page, trouble} = await open({fragment: '#e=utf-8&x=C0AF', before});
    await wait(page, () => document.querySelectorAll('#browser tbody tr').length === 6);
    assert.deepEqual((await texts(page, '#browser td:last-child')).slice(0, 2), ['differs from the standard', 'as the standard says']);
    await click(page, '#test');
    await wait(page, () => document.getElementById('test-verdict') !== null);
    const [, failed] = /([\d,]+) failed;/.exec(await text(page, '#test-verdict'));
    assert.ok(Number(failed.replace(',', '')) > 100, failed);
    const report = await text(page, '#test-text');
    assert.match(report, /utf-8 reading: output differs, first error overlong: [\d,]+ requests of [\d,]+ cases\n {2}by decode whatwg, decode whatwg, byte by byte/);
    assert.match(report, /\n {4}bytes {6}(?:[0-9A-F]{2} )+ {2}\(\d+ bytes\)\n {4}expected {3}.*\n {4}got {8}.*\n {4}standard {3}ill-formed at \d+, maximal subpart of/);
    assert.doesNotMatch(report, /writing/); // the encoder is right
    assert.match(await text(page, '#test-categories'), /utf-8\/overlong +\d+ +[1-9]\d*\n/);
    const links = await page.$$eval('#test-text a', (all) => all.map((one) => one.hash));
    assert.ok(links.length > 5 && links.every((one) => /^#e=[\w-]+&x=[0-9A-F]*$/.test(one)), links.join());
    await change(page, () => click(page, '#test-text a'));
    assert.ok((await texts(page, '#browser td:last-child')).includes('differs from the standard'));
    return trouble;
  },
  async the_laboratory_shows_damage() {
    const {page, trouble} = await open();
    await wait(page, () => document.querySelectorAll('#lab-utf-8 button').length === 11);
    const strike = async (encoding, at) => {
      await click(page, `#lab-${encoding} .bytes button:nth-child(${at + 1})`);
      await wait(page, (id) => /lost/.test(document.querySelector(`#lab-${id} small`)?.textContent), encoding);
      return text(page, `#lab-${encoding} small`);
    };
    assert.match(await strike('utf-8', 2), /1 character lost, 1 strange, noticed/);
    assert.match(await strike('leb128', 1), /2 characters lost, 1 strange, not noticed/); // the rest of the second joins the first
    await click(page, 'input[value=double]');
    assert.match(await strike('counter-decent', 0), /0 characters lost, 1 strange/);
    await click(page, 'input[value=change]');
    assert.match(await strike('unary', 0), /1 character lost, 1 strange, not noticed/);
    assert.match(await text(page, '#lab-utf-8 p:last-child'), /Whole again/);
    return trouble;
  },
  async copies_are_ready_to_use() {
    const {page, trouble} = await open({fragment: '#e=utf-8&x=41C080'});
    const copied = async (index) => {
      await page.evaluate((at) => document.querySelectorAll('#copies button')[at].click(), index);
      await wait(page, () => document.querySelector('#copied pre') !== null);
      const found = await text(page, '#copied pre');
      await page.evaluate(() => document.getElementById('copied').replaceChildren());
      return found;
    };
    const golden = JSON.parse(await copied(0));
    assert.deepEqual([golden.bytes, golden.well_formed, golden.outputs.whatwg, golden.outputs.strict, golden.spans.length, golden.spans[0].fault], ['41C080', false, '41,FFFD,FFFD', '41', 2, 'overlong']);
    assert.equal(await copied(1), 'static const unsigned char bytes[3] = {0x41, 0xC0, 0x80};');
    const curl = await copied(2);
    assert.equal(curl, "printf '\\101\\300\\200' | curl --data-binary @- http://localhost:8080/");
    assert.equal(execFileSync('sh', ['-c', curl.split(' | ')[0]]).toString('hex'), '41c080');
    assert.equal(await copied(3), 'build/assay diff -e utf-8 41C080');
    const again = await open({fragment: new URL(await copied(4)).hash});
    assert.equal(await text(again.page, '#verdict'), await text(page, '#verdict'));
    const {id, comment, flags, ...wanted} = others.golden, same = await open({fragment: `#e=utf-8&x=${wanted.bytes}`});
    await click(same.page, '#copies button');
    await wait(same.page, () => document.querySelector('#copied pre') !== null);
    const made = JSON.parse(await text(same.page, '#copied pre'));
    assert.deepEqual(Object.keys(made), Object.keys(others.golden));
    assert.deepEqual({...made, id, comment, flags}, {id, comment, flags, ...wanted});
    return [...trouble, ...again.trouble, ...same.trouble];
  },
  async pasted_markup_is_harmless() {
    const {page, trouble, fetched} = await open();
    await page.evaluate(() => { window.broken = 0; });
    await type(page, '<img src=x onerror="window.broken=1"><script>window.broken=1</script><b>\u202E\u2066\u200F\u0000</b>\u{1F600}', 'text');
    await page.$eval('#lab-text', (input) => { input.value = '<img src=x onerror="window.broken=1">\u202E'; input.dispatchEvent(new Event('input')); });
    await wait(page, () => document.querySelectorAll('#lab-utf-8 button').length > 30);
    assert.equal(await page.evaluate(() => window.broken), 0);
    assert.equal(await page.evaluate(() => document.querySelectorAll('main img, main script, main b:not(.cell b)').length), 0);
    assert.doesNotMatch(await page.evaluate(() => document.querySelector('main').textContent), /[\u202E\u2066\u200F\u0000]/);
    onlyThePage(fetched);
    return trouble;
  },
  // Times are reported and not judged, because a machine may be slow; what is judged is that the first bytes are shown before the
  // rest of the page is ready.
  async first_bytes_are_shown_first() {
    const {page, trouble} = await open(), times = [];
    await wait(page, () => document.querySelectorAll('#lab-utf-8 button').length === 11);
    for (const kind of ['hex', 'bytes', 'hex', 'bytes', 'hex']) {
      const last = await page.evaluate(() => document.body.dataset.shown), {isFirst, frames, milliseconds} = await page.evaluate(paint, kind);
      assert.ok(isFirst, 'something else of the page is shown before the bytes');
      await shown(page, last);
      assert.equal(await page.$$eval('.cell', (all) => all.length), 256);
      assert.match(await text(page, '#verdict'), /^utf-8, 65,536 bytes/);
      if (frames > 0) times.push(milliseconds); // where a machine stands still, the page waits for no frame
    }
    assert.ok(times.length > 0, 'the rest of the cells is there before the first are painted');
    times.sort((a, b) => a - b);
    trouble.said = `the first bytes of 64 KiB are painted after ${times[times.length >> 1].toFixed(0)} ms (median of pastes and drops; ${times[0].toFixed(0)} to ${times.at(-1).toFixed(0)})`;
    return trouble;
  },
  // What is judged is the order: while the module is still at work on the input, the page lets other things run, and keys and buttons do what they do.
  async page_answers_while_ten_megabytes_are_decoded() {
    const {page, trouble, fetched} = await open(), said = [];
    const garbage = {bytes: 'a file', hex: 'hex', text: 'text'};
    for (const [kind, form] of Object.entries(garbage)) {
      const last = await page.evaluate(() => document.body.dataset.shown);
      const seen = await page.evaluate(arrive, kind, 10 << 20, last);
      await shown(page, last);
      assert.match(await text(page, '#verdict'), kind === 'text' ? /^utf-8, 10,485,760 bytes: well-formed/ : /^utf-8, 10,485,760 bytes: ill-formed, [\d,]{7,} errors/, kind);
      assert.match(await text(page, '#read'), kind === 'bytes' ? /^an {2}evil {2}name: 10,485,760 bytes/ : new RegExp(`Read as ${form}: 10,485,760 bytes`));
      assert.ok(seen.turns > 10, `${kind}: ${seen.turns} turns before all is shown`);
      assert.deepEqual(seen.answers, ['cell-1', 'cell-2', 'Step 2', 'Step 3', 'Step 2'], kind);
      said.push(`${form} after ${seen.milliseconds.toFixed(0)} ms, in which the page did not answer for ${seen.gap.toFixed(0)} ms at most`);
    }
    await change(page, () => click(page, '#clear'));
    assert.equal(await text(page, '#verdict'), 'There are no bytes yet.');
    onlyThePage(fetched);
    trouble.said = `of 10 MB everything is shown: ${said.join('; ')}`;
    return trouble;
  },
  async files_are_dropped() {
    const {page, trouble} = await open();
    const drop = (name, bytes) => page.evaluate((word, list) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(list)], word));
      const over = new DragEvent('dragover', {dataTransfer: data, bubbles: true, cancelable: true}), event = new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true});
      document.querySelector('h1').dispatchEvent(over);
      const marked = document.body.classList.contains('dropping');
      document.querySelector('h1').dispatchEvent(event);
      return [over.defaultPrevented, marked, event.defaultPrevented, document.body.classList.contains('dropping')];
    }, name, bytes);
    await change(page, async () => assert.deepEqual(await drop('<b>\u202Etxt', [0xE4, 0xB8, 0x96, 0xC0]), [true, true, true, false]));
    assert.match(await text(page, '#verdict'), /^utf-8, 4 bytes: ill-formed, 1 error; the first at 3: C0/);
    assert.equal(await text(page, '#read'), '<b> txt: 4 bytes.');
    assert.equal(await page.$eval('#input', (input) => input.value), '');
    await change(page, async () => assert.deepEqual(await drop('empty', []), [true, true, true, false]));
    assert.equal(await text(page, '#verdict'), 'There are no bytes yet.');
    return trouble;
  },
  async anybody_can_use_it() {
    const troubles = [];
    for (const scheme of ['light', 'dark']) {
      const inside = browserName === 'chrome' ? browser : await launch({'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1});
      const features = browserName === 'chrome' ? [{name: 'prefers-color-scheme', value: scheme}] : [];
      for (const width of [1200, 390, 360]) {
        const name = `${scheme}-${width}`, {page, trouble} = await open({fragment: '#e=utf-8&x=41D0B4E4B896F09F9880EDA080C0AF20F09F98&c=2.6', width, features, inside, before: wrongOnLongText});
        assert.equal(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches), scheme === 'dark', name);
        await click(page, '#cell-10');
        await click(page, '#lab-leb128 .bytes button:nth-child(3)');
        await click(page, '#test');
        await wait(page, () => document.getElementById('test-verdict') !== null && document.querySelector('#lab-leb128 .hit') !== null);
        assert.deepEqual(await brokenRows(page), [], `${name}: categories`);
        await page.evaluate(axe);
        await judge(page, width, name);
        if (['light-1200', 'dark-360'].includes(name)) {
          await use(page);
          await judge(page, width, `${name}-used`);
        }
        troubles.push(...trouble);
        await page.close();
      }
      if (inside !== browser) await inside.close();
    }
    return troubles;
  },
  async colours_that_say_something_are_not_forced() {
    const inside = browserName === 'chrome' ? browser : await launch({'browser.display.document_color_use': 2}), {page, trouble} = await open({fragment: '#x=41D0B4C0', inside});
    if (browserName === 'chrome') await (await page.createCDPSession()).send('Emulation.setEmulatedMedia', {features: [{name: 'forced-colors', value: 'active'}]});
    assert.equal(await page.evaluate(() => matchMedia('(forced-colors: active)').matches), true);
    const colours = await page.$$eval('.cell', (all) => all.map((one) => getComputedStyle(one).backgroundColor));
    assert.equal(new Set(colours).size, 4, colours.join('; ')); // single, lead, continuation, error
    if (inside !== browser) await inside.close();
    return trouble;
  },
  async a_fault_in_the_module_is_shown() {
    const {page, trouble} = await open({file: others.planted, fragment: '#e=utf-8&x=C0AF'});
    assert.match(await text(page, '#verdict'), /well-formed/);
    assert.equal((await outputs(page, 'utf-8')).whatwg, '002F');
    assert.ok((await texts(page, '#codecs td:last-child')).includes('differs from the reference'));
    assert.ok((await texts(page, '#browser td:last-child')).includes('differs from the standard'));
    return trouble;
  },
  ...attacks({open, change, click, shown, text, texts, type, wait}),
};

for (const name of chosen.includes('all') ? Object.keys(checks) : chosen) {
  let problem = null, said = '';
  try {
    const trouble = await checks[name]();
    said = trouble.said ?? '';
    assert.deepEqual([...trouble], [], 'the console has errors');
  } catch (error) {
    problem = `${error.message}\n${error.stack}`;
  }
  console.log(JSON.stringify({name, problem, said}));
  for (const page of (await browser.pages()).slice(1)) await page.close();
}
await browser.close();
