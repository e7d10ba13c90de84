// META: title=TextDecoder: golden vectors, input in pieces
// META: global=window,worker
// META: timeout=long
// META: script=resources/utf8-assay.js
// META: script=resources/utf8-assay-streams.js
'use strict';

assayTests('TextDecoder, pieces', ASSAY_STREAMS, (category, fatal, [, pieces, ...expected]) => [
  assayStreamExpected(fatal, ...expected),
  assayStream(new TextDecoder(...assayOptions(category, fatal)), pieces),
]);
