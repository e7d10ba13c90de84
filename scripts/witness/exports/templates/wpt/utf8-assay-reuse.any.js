// META: title=TextDecoder: golden vectors, several streams by one decoder
// META: global=window,worker
// META: script=resources/utf8-assay.js
// META: script=resources/utf8-assay-reuse.js
'use strict';

// A stream that ended without an error resets the decoder; after an error in the middle of one, only a call without `stream` does.
assayTests('TextDecoder, reuse', ASSAY_REUSE, (category, fatal, [, streams]) => {
  const decoder = new TextDecoder(...assayOptions(category, fatal));
  const got = streams.map(([pieces]) => {
    const groups = assayStream(decoder, pieces);
    if (groups.endsWith('TypeError')) assayTry(() => decoder.decode());
    return groups;
  });
  return [streams.map(([, ...expected]) => assayStreamExpected(fatal, ...expected)).join(';'), got.join(';')];
});
