<?php
// SPDX-License-Identifier: MIT
//
// PHP as a subject: mbstring. mb_check_encoding validates, mb_convert_encoding, with U+FFFD as its substitute, converts, mb_scrub
// replaces, mb_chr encodes, mb_strcut finds where a character begins.

mb_substitute_character(0xFFFD);
const NAMES = ['utf-8' => 'UTF-8', 'utf-16le' => 'UTF-16LE', 'utf-16be' => 'UTF-16BE'];

function scalars(string $utf32): string
{
    return $utf32 === '' ? '-' : implode(',', array_map(fn($point) => strtoupper(dechex($point)), unpack('N*', $utf32)));
}

function hexed(string $bytes): string
{
    return 'ok ' . ($bytes === '' ? '-' : bin2hex($bytes));
}

// Of code points or UTF-16 units.
function encoded(string $operation, string $policy, array $units): string
{
    if ($operation === 'encode-utf16' && $policy === 'whatwg')
        return hexed(mb_convert_encoding(pack('v*', ...$units), 'UTF-8', 'UTF-16LE'));
    if ($operation !== 'encode' || $policy !== 'strict')
        return 'skip not offered';
    $bytes = '';
    foreach ($units as $index => $point) {
        $char = mb_chr($point, 'UTF-8');
        if ($char === false)
            return "error $index";
        $bytes .= $char;
    }
    return hexed($bytes);
}

// mb_strcut begins with the first byte of the character in which it is asked to begin; it is asked of well-formed text only.
function boundaries(string $bytes): string
{
    if (!mb_check_encoding($bytes, 'UTF-8'))
        return 'skip not offered';
    $length = strlen($bytes);
    return 'ok ' . implode(',', array_map(fn($at) => $length - strlen(mb_strcut($bytes, $at, null, 'UTF-8')), range(0, $length)));
}

function answer(array $request): string
{
    [, $operation, $encoding] = $request;
    if ($operation === 'transcode')
        return isset(NAMES[$encoding], NAMES[$request[3]]) && $request[4] === 'whatwg'
            ? hexed(mb_convert_encoding(hex2bin(str_replace('-', '', $request[5])), NAMES[$request[3]], NAMES[$encoding])) : 'skip not offered';
    if ($encoding === 'utf-8' && str_starts_with($operation, 'encode'))
        return encoded($operation, $request[3], $request[4] === '-' ? [] : array_map('hexdec', explode(',', $request[4])));
    if ($encoding === 'utf-8' && $operation === 'boundaries')
        return boundaries(hex2bin(str_replace('-', '', $request[3])));
    if (isset(NAMES[$encoding]) && $operation === 'to-well-formed' && $request[3] === 'own')
        return hexed(mb_scrub(hex2bin(str_replace('-', '', $request[4])), NAMES[$encoding]));
    $last = end($request);
    $policy = $operation === 'validate' ? 'strict' : $request[3];
    if (!isset(NAMES[$encoding]) || !in_array($operation, ['validate', 'decode']) || !in_array($policy, ['strict', 'own']) || str_contains($last, ','))
        return 'skip not offered';
    $bytes = hex2bin(str_replace('-', '', $last));
    if ($policy === 'strict' && !mb_check_encoding($bytes, NAMES[$encoding]))
        return 'error';
    return $operation === 'validate' ? 'ok' : 'ok ' . scalars(mb_convert_encoding($bytes, 'UTF-32BE', NAMES[$encoding]));
}

while (($line = fgets(STDIN)) !== false) {
    $request = explode(' ', rtrim($line, "\n"));
    echo $request[0] === 'hello'
        ? 'hello assay/1 php-mbstring ' . PHP_VERSION . ' encodings=' . implode(',', array_keys(NAMES)) . ' policies=strict,own,whatwg ops=validate,decode,encode,encode-utf16,boundaries,to-well-formed,transcode chunks=no'
        : "$request[0] " . answer($request), "\n";
    flush();
}
