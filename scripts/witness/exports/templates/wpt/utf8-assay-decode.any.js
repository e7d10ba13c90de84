// META: title=TextDecoder: golden vectors, the whole input at once
// META: global=window,worker
// META: timeout=long
// META: script=resources/utf8-assay.js
// META: script=resources/utf8-assay-decode.js
'use strict';

assayTests('TextDecoder', ASSAY_DECODE, (category, fatal, [, bytes, isWellFormed, text]) => [
  fatal && !isWellFormed ? 'TypeError' : text,
  assayTry(() => assayScalars(new TextDecoder(...assayOptions(category, fatal)).decode(assayBytes(bytes)))),
]);
