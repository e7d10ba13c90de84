// META: title=TextDecoderStream: golden vectors, input in pieces
// META: global=window,worker
// META: timeout=long
// META: script=../resources/utf8-assay.js
// META: script=../resources/utf8-assay-streams.js
'use strict';

// All text that comes out of a stream, or 'TypeError'.
async function assayPipe(category, fatal, pieces) {
  const source = new ReadableStream({
    start(controller) {
      pieces.forEach((piece) => controller.enqueue(assayBytes(piece)));
      controller.close();
    },
  });
  const reader = source.pipeThrough(new TextDecoderStream(...assayOptions(category, fatal))).getReader();
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return 'TypeError';
  }
  return assayScalars(text);
}

for (const [category, rows] of Object.entries(ASSAY_STREAMS)) {
  for (const fatal of [false, true]) {
    promise_test(async () => {
      const failures = [];
      for (const [id, pieces, errorPiece, emitted] of rows) {
        const expected = fatal && errorPiece !== null ? 'TypeError' : emitted.filter((group) => group !== '-').join(',') || '-';
        assayCompare(failures, id, expected, await assayPipe(category, fatal, pieces));
      }
      assayReport(failures);
    }, `TextDecoderStream: ${category}, ${fatal ? 'fatal' : 'replacement'}`);
  }
}
