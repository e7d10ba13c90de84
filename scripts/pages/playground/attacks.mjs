// SPDX-License-Identifier: MIT
//
// What a hostile link, input or user does to the page: checks for drive.mjs, which gives its tools.

import assert from 'node:assert/strict';

const ALL_OF_BIDI = '\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u200E\u200F\u061C';

export const attacks = ({open, change, click, shown, text, texts, type, wait}) => {
  const verdict = (page) => text(page, '#verdict');
  const problem = async (page, pattern) => {
    await wait(page, () => document.getElementById('problem').textContent !== '');
    assert.match(await text(page, '#problem'), pattern);
  };
  // In the page: drops files, each of which is a name and bytes.
  const drop = (page, ...files) => page.evaluate((list) => {
    const data = new DataTransfer();
    for (const [name, bytes] of list) data.items.add(new File([Uint8Array.from(bytes)], name));
    document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
  }, files);
  const key = (page, value) => page.evaluate((word) => {
    document.getElementById('input').value = word;
    document.getElementById('input').dispatchEvent(new Event('input'));
  }, value);

  return {
    async damaged_links_are_refused_in_words() {
      const troubles = [];
      for (const fragment of ['#e=utf-8&x=4', '#x=4G', '#x=<img src=x>', '#x=%E4%B8%96', '#x=41%00', '#x=\u202E41']) {
        const {page, trouble} = await open({fragment});
        await problem(page, /^The link is damaged: after x= come pairs of hex digits\.$/);
        assert.match(await verdict(page), /^utf-8, 6 bytes/); // the page's own example
        troubles.push(...trouble);
        await page.close();
      }
      const {page, trouble} = await open({fragment: '#e=latin1&x=4142434445464748&c=5.2.5.-1.1e0.2.5e-1.x.99999999999999999999..7.Infinity.0.8'});
      await problem(page, /^The link names an encoding that this page does not have: the bytes are shown as utf-8\.$/);
      assert.deepEqual(await page.$$eval('.cut', (all) => all.map((one) => one.getAttribute('aria-valuenow'))), ['1', '2', '5', '7']);
      assert.deepEqual(await texts(page, '#pieces td .codes'), ['0041', '0042', '0043 0044 0045', '0046 0047', '0048']);
      await page.evaluate(() => { location.hash = '#x=414'; });
      await problem(page, /damaged/);
      await change(page, () => page.evaluate(() => { location.hash = '#x=4142&c=1'; }));
      assert.equal(await text(page, '#problem'), '');
      return [...troubles, ...trouble];
    },
    async long_links_stay_out_of_the_field() {
      const {page, trouble} = await open();
      await change(page, () => page.evaluate(() => { location.hash = `#x=${'41E4B896'.repeat(1 << 16)}`; }));
      assert.match(await verdict(page), /^utf-8, 262,144 bytes: well-formed/);
      assert.equal(await page.$eval('#input', (input) => input.value), '');
      assert.ok(page.url().length < 10000, 'the link holds all of a long input');
      return trouble;
    },
    async a_browser_that_throws_or_never_answers_hides_nothing_else() {
      const throwing = () => {
        const refuse = () => { throw new RangeError('no\u202E'); };
        Object.assign(TextDecoder.prototype, {decode: refuse});
        Object.assign(TextEncoder.prototype, {encodeInto: refuse});
        delete window.TextDecoderStream;
      };
      const {page, trouble} = await open({fragment: '#x=C0AF', before: throwing});
      assert.deepEqual(await texts(page, '#browser td:last-child'), Array(6).fill('differs from the standard'));
      assert.deepEqual((await texts(page, '#browser tbody td:nth-child(2)')).map((one) => /^(?:RangeError: no |ReferenceError: .*TextDecoderStream.*)$/.test(one)), Array(6).fill(true));
      await page.close();
      const silent = await open({fragment: '#x=C0AF', isShown: false, before: () => { window.TextDecoderStream = class { readable = new ReadableStream(); writable = new WritableStream(); }; }});
      await wait(silent.page, () => document.querySelectorAll('#matrix tbody tr').length > 5 && document.querySelectorAll('#codecs tbody tr').length > 5);
      return [...trouble, ...silent.trouble];
    },
    async an_old_browser_is_answered_in_words() {
      const {page, trouble} = await open({isShown: false, before: () => { delete window.DecompressionStream; }});
      await problem(page, /^The page could not begin: .*DecompressionStream/);
      assert.match(await verdict(page), /^There is none: the page needs Chrome \d+, Firefox \d+, Safari/);
      return trouble;
    },
    async a_link_that_the_browser_refuses_is_written_later() {
      const before = () => {
        const {replaceState} = History.prototype;
        window.left = 3;
        History.prototype.replaceState = function (...words) {
          if (window.left-- <= 0) throw new DOMException('too many', 'SecurityError');
          return replaceState.apply(this, words);
        };
      };
      const {page, trouble} = await open({fragment: '#x=4142434445464748&c=1', before});
      await page.focus('#cut-0');
      for (let place = 2; place <= 7; place++) await page.keyboard.press('ArrowRight');
      await wait(page, () => document.querySelector('#pieces tbody td code').textContent === '41 42 43 44 45 46 47');
      assert.doesNotMatch(page.url(), /c=7/);
      await page.evaluate(() => { window.left = 1; });
      await wait(page, () => /c=7$/.test(location.hash));
      return trouble;
    },
    async keys_before_a_drop_do_not_replace_the_file() {
      const {page, trouble} = await open();
      await change(page, async () => {
        await page.evaluate(() => { // a key, and before it is read, a file
          document.getElementById('input').value = '41';
          document.getElementById('input').dispatchEvent(new Event('input'));
          const data = new DataTransfer();
          data.items.add(new File([Uint8Array.of(0xC3, 0xA9)], 'file'));
          document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
        });
      });
      await page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
      await page.select('#form', 'hex'); // a file has no form
      await page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
      assert.match(await verdict(page), /^utf-8, 2 bytes: well-formed/);
      assert.equal(await text(page, '#read'), 'file: 2 bytes.');
      await change(page, () => key(page, '41'));
      assert.match(await verdict(page), /^utf-8, 1 byte: well-formed/);
      return trouble;
    },
    async several_files_and_folders_are_answered_in_words() {
      const {page, trouble} = await open();
      await change(page, () => drop(page, ['one', [0x41]], ['two', [0xFF]]));
      assert.equal(await text(page, '#read'), 'one: 1 byte. It is the first of 2 files; the page shows one.');
      assert.match(await verdict(page), /^utf-8, 1 byte: well-formed/);
      await page.evaluate(() => { File.prototype.arrayBuffer = () => Promise.reject(new DOMException('It is a folder.', 'NotFoundError')); });
      await drop(page, [`fo${ALL_OF_BIDI}lder`, []]);
      await problem(page, /^fo {12}lder cannot be read: It is a folder\.$/);
      assert.match(await verdict(page), /^utf-8, 1 byte: well-formed/);
      return trouble;
    },
    async problems_quote_nothing_that_turns_text() {
      const {page, trouble} = await open();
      for (const [input, form, said] of [[`{1, ${ALL_OF_BIDI}<b>}`, 'array', /^' {12}<b>' is no byte\.$/], ['\\\u202E\u0000<', 'escapes', /^There is no escape \\ {2}<\.$/], ['\\\u{1F600}', 'escapes', /^There is no escape \\\u{1F600}\.$/u]]) {
        await page.evaluate((value, kind) => {
          document.getElementById('problem').textContent = '';
          document.getElementById('form').value = kind;
          document.getElementById('input').value = value;
          document.getElementById('input').dispatchEvent(new Event('input'));
        }, input, form);
        await problem(page, said);
        assert.equal(await text(page, '#read'), 'What is below is still the input before.');
      }
      await type(page, `${ALL_OF_BIDI}\u{E0041}\uFFF9\u3164\u00AD\u034F`, 'text');
      assert.doesNotMatch(await page.evaluate(() => document.querySelector('main').textContent), new RegExp(`[${ALL_OF_BIDI}\\u{E0041}\\uFFF9\\u00AD\\u034F]`, 'u'));
      return trouble;
    },
    async a_cut_may_be_dragged_to_every_place() {
      const {page, trouble} = await open({fragment: '#e=utf-8&x=41E4B896F09F9880C0AFED&c=1.10'});
      await page.$eval('#strip', (element) => element.scrollIntoView({block: 'center'}));
      const {left, top, byte} = await page.evaluate(() => {
        const box = document.querySelector('.strip').getBoundingClientRect();
        return {left: box.left, top: document.getElementById('cut-0').getBoundingClientRect().top + 8, byte: document.querySelector('.strip .byte').getBoundingClientRect().width};
      });
      await page.mouse.move(left + byte, top);
      await page.mouse.down();
      for (const at of [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 30, 4, -5]) { // the other cut is before byte 10
        await page.mouse.move(Math.max(left + at * byte, 1), top, {steps: 3});
        const place = Math.min(Math.max(at, 1), 9);
        await wait(page, (bytes) => document.querySelector('#pieces tbody td code').textContent.split(' ').length === bytes, place);
        assert.equal(await page.$eval('#cut-0', (one) => one.getAttribute('aria-valuenow')), String(place));
        assert.deepEqual(await page.$$eval('#pieces td code', (all) => all.map((one) => one.textContent).join(' ')), '41 E4 B8 96 F0 9F 98 80 C0 AF ED');
        await wait(page, () => document.querySelectorAll('#browser .good').length === 6);
      }
      await change(page, () => key(page, '41 42')); // the input is another one while the cut is held
      await page.mouse.move(left + 6 * byte, top, {steps: 3});
      await page.mouse.up();
      assert.deepEqual(await page.$$eval('.cut', (all) => all.map((one) => one.getAttribute('aria-valuenow'))), ['1']);
      return trouble;
    },
    async typing_goes_on_while_a_file_is_decoded() {
      const {page, trouble} = await open();
      const file = () => page.evaluate(() => { document.getElementById('input').dispatchEvent(window.arrival('bytes', 10 << 20)); });
      await file();
      for (let count = 1; count <= 40; count++) await key(page, '41 '.repeat(count));
      await wait(page, () => /^utf-8, 40 bytes: well-formed/.test(document.getElementById('verdict').textContent) && document.querySelectorAll('.cell').length === 40);
      await file();
      await page.evaluate(() => { location.hash = '#e=cesu-8&x=EDA0BDEDB880'; });
      await wait(page, () => /^cesu-8, 6 bytes: well-formed/.test(document.getElementById('verdict').textContent));
      await file();
      await page.reload();
      await shown(page, '0');
      assert.match(await verdict(page), /^cesu-8, 6 bytes: well-formed/);
      return trouble;
    },
    async long_copies_are_whole_and_shown_in_part() {
      const {page, trouble} = await open({before: () => Object.defineProperty(Navigator.prototype, 'clipboard', {get: () => ({writeText: async (words) => { window.written = words; }})})});
      for (const [size, isCopied, note] of [[1 << 16, true, 'a link holds 4,096 bytes at most'], [1 << 17, false, 'copies hold 65,536 bytes at most']]) {
        await change(page, () => page.evaluate((count) => { document.getElementById('input').dispatchEvent(window.arrival('bytes', count)); }, size));
        assert.equal(await text(page, '#copies .soft'), note);
        assert.deepEqual(await page.$$eval('#copies button', (all) => all.map((one) => one.disabled)), [...Array(4).fill(!isCopied), true]);
      }
      await change(page, () => page.evaluate(() => { document.getElementById('input').dispatchEvent(window.arrival('bytes', 1 << 16)); }));
      await click(page, '#copies button');
      await wait(page, () => document.querySelector('#copied pre') !== null);
      assert.equal(await page.evaluate(() => JSON.parse(window.written).bytes.length), 2 << 16);
      assert.match(await text(page, '#copied pre'), /^\{"id":"utf-8\/mine\/.{4000,4200} \u2026 and [\d,]{9} characters more$/);
      return trouble;
    },
    async copies_are_shown_where_there_is_no_clipboard() {
      const {page, trouble} = await open({fragment: '#x=41', before: () => Object.defineProperty(Navigator.prototype, 'clipboard', {get: () => undefined})});
      await click(page, '#copies button:nth-child(2)');
      await wait(page, () => document.querySelector('#copied pre') !== null);
      assert.equal(await text(page, '#copied'), 'This browser does not let the page copy; here it is:static const unsigned char bytes[1] = {0x41};');
      return trouble;
    },
  };
};
