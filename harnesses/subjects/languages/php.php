<?php
// SPDX-License-Identifier: MIT
//
// PHP as a subject: mbstring. mb_check_encoding validates, mb_scrub replaces, mb_convert_encoding to UTF-32 decodes.

mb_substitute_character(0xFFFD);
const NAMES = ['utf-8' => 'UTF-8', 'utf-16le' => 'UTF-16LE', 'utf-16be' => 'UTF-16BE'];

function scalars(string $utf32): string
{
    return $utf32 === '' ? '-' : implode(',', array_map(fn($point) => strtoupper(dechex($point)), unpack('N*', $utf32)));
}

function answer(array $request): string
{
    [, $operation, $encoding] = $request;
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
        ? 'hello assay/1 php-mbstring ' . PHP_VERSION . ' encodings=' . implode(',', array_keys(NAMES)) . ' policies=strict,own ops=validate,decode chunks=no'
        : "$request[0] " . answer($request), "\n";
    flush();
}
