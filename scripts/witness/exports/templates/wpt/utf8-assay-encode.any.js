// META: title=TextEncoder: golden vectors, encode() and encodeInto() with room for 0 bytes to enough
// META: global=window,worker
// META: script=resources/utf8-assay.js
// META: script=resources/utf8-assay-encode.js
'use strict';

for (const [category, rows] of Object.entries(ASSAY_ENCODE)) {
  test(() => {
    const failures = [];
    for (const [id, units, bytes] of rows) assayCompare(failures, id, bytes, assayHex(new TextEncoder().encode(assayUnits(units))));
    assayReport(failures);
  }, `TextEncoder: ${category}, encode`);

  test(() => {
    const failures = [];
    for (const [id, units, bytes, limits] of rows) {
      for (const [capacity, read, written] of limits) {
        const room = new Uint8Array(capacity + 1).fill(0xAA);
        const result = new TextEncoder().encodeInto(assayUnits(units), room.subarray(0, capacity));
        const whole = bytes === '-' ? '' : bytes;
        assayCompare(failures, `${id}, ${capacity} bytes`, `${read} ${written} ${whole.slice(0, 2 * written) || '-'} AA`,
                     `${result.read} ${result.written} ${assayHex(room.subarray(0, result.written))} ${assayHex(room.subarray(capacity))}`);
      }
    }
    assayReport(failures);
  }, `TextEncoder: ${category}, encodeInto`);
}
