<?php
// SPDX-License-Identifier: MIT
//
// PHP's other decoders as subjects, one named on the command line: json_decode, preg_match with /u, htmlspecialchars, iconv.

function quoted(string $bytes): string
{
    return '["' . preg_replace_callback('/[\x00-\x1F"\\\\]/', fn($match) => sprintf('\u%04X', ord($match[0])), $bytes) . '"]';
}

$decoders = [
    'json' => ['strict', fn($bytes) => json_decode(quoted($bytes))[0] ?? null],
    'json-substitute' => ['own', fn($bytes) => json_decode(quoted($bytes), false, 512, JSON_INVALID_UTF8_SUBSTITUTE)[0] ?? null],
    'json-ignore' => ['own', fn($bytes) => json_decode(quoted($bytes), false, 512, JSON_INVALID_UTF8_IGNORE)[0] ?? null],
    'json-encode' => ['own', fn($bytes) => json_decode(json_encode([$bytes], JSON_INVALID_UTF8_SUBSTITUTE))[0] ?? null],
    'preg' => ['strict', fn($bytes) => @preg_match('//u', $bytes) === 1 ? $bytes : null],
    'htmlspecialchars' => ['own', fn($bytes) => htmlspecialchars_decode(htmlspecialchars($bytes, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8'), ENT_QUOTES)],
];
[$promise, $decode] = $decoders[$argv[1] ?? ''] ?? exit('which decoder? ' . implode(' ', array_keys($decoders)) . "\n");

function answer(array $request, string $promise, callable $decode): string
{
    [, $operation, $encoding] = $request;
    $last = end($request);
    $policy = $operation === 'validate' ? 'strict' : $request[3];
    if ($encoding !== 'utf-8' || !in_array($operation, ['validate', 'decode']) || $policy !== $promise || str_contains($last, ','))
        return 'skip not offered';
    $text = $decode(hex2bin(str_replace('-', '', $last)));
    if ($text === null)
        return 'error';
    $points = $text === '' ? [] : unpack('N*', mb_convert_encoding($text, 'UTF-32BE', 'UTF-8'));
    return $operation === 'validate' ? 'ok' : 'ok ' . ($points ? implode(',', array_map(fn($point) => strtoupper(dechex($point)), $points)) : '-');
}

while (($line = fgets(STDIN)) !== false) {
    $request = explode(' ', rtrim($line, "\n"));
    echo $request[0] === 'hello'
        ? "hello assay/1 php-$argv[1] " . PHP_VERSION . " encodings=utf-8 policies=$promise ops=" . ($promise === 'strict' ? 'validate,decode' : 'decode') . ' chunks=no'
        : "$request[0] " . answer($request, $promise, $decode), "\n";
    flush();
}
