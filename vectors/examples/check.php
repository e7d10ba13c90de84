<?php
// SPDX-License-Identifier: CC0-1.0
// Holds PHP's mbstring (Debian: php-mbstring) against the golden vectors: php vectors/examples/check.php vectors
// To test another, put it into valid() and replaced().
function valid(string $bytes): bool { return mb_check_encoding($bytes, 'UTF-8'); }
function replaced(string $bytes): string { return mb_scrub($bytes, 'UTF-8'); }

function scalars(string $text): string
{
    return $text === '' ? '-' : implode(',', array_map(fn($char) => strtoupper(dechex(mb_ord($char, 'UTF-8'))), mb_str_split($text, 1, 'UTF-8')));
}

if ($argc !== 2) {
    fwrite(STDERR, "usage: check.php FOLDER-OF-VECTORS\n");
    exit(2);
}
if (!extension_loaded('mbstring')) {
    fwrite(STDERR, "check.php: PHP has no extension mbstring here; Debian has it in php-mbstring\n");
    exit(2);
}
mb_substitute_character(0xFFFD);
$passed = $total = [];
foreach (glob("$argv[1]/utf-8/*.json") as $path) {
    $file = json_decode(file_get_contents($path), true, 512, JSON_THROW_ON_ERROR);
    foreach ($file['kind'] === 'decode' ? $file['tests'] : [] as $test) {
        $bytes = hex2bin(str_replace('-', '', $test['bytes']));
        $asked = ['verdict' => [valid($bytes), $test['well_formed']], 'whatwg' => [scalars(replaced($bytes)), $test['outputs']['whatwg']]];
        foreach ($asked as $what => [$given, $wanted]) {
            $total[$what] = ($total[$what] ?? 0) + 1;
            $passed[$what] = ($passed[$what] ?? 0) + (int)($given === $wanted);
            if ($given !== $wanted)
                fwrite(STDERR, "$test[id]: $what of $test[bytes]: given " . var_export($given, true) . ', wanted ' . var_export($wanted, true) . "\n");
        }
    }
}
foreach ($total as $what => $count)
    echo "$what: $passed[$what] of $count passed\n";
if (!$total)
    fwrite(STDERR, "no vectors in $argv[1]\n");
exit(!$total ? 2 : (int)($passed !== $total));
