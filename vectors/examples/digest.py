# SPDX-License-Identifier: CC0-1.0
"""Python's answers to every string of 1 and 2 bytes, and to every scalar value, as digests. In a checkout, or in share/utf8-assay of
an installation:

    python3 vectors/examples/digest.py vectors/complete/utf-8-digests.tsv
"""
import itertools
import sys

MASK = (1 << 64) - 1


def value(text):
    v = 1
    for character in text:
        v = v * 0x100000001B3 + ord(character) + 1 & MASK
    return v


def digests(strings):
    """The columns verdict, strict and whatwg."""
    verdict = strict = whatwg = 0
    for data in strings:
        try:
            answer = value(data.decode("utf-8"))
        except UnicodeDecodeError:
            answer = 0
        verdict = verdict * 0x9E3779B97F4A7C15 + bool(answer) & MASK
        strict = strict * 0x9E3779B97F4A7C15 + answer & MASK
        whatwg = whatwg * 0x9E3779B97F4A7C15 + value(data.decode("utf-8", "replace")) & MASK
    return [f"{one:016X}" for one in (verdict, strict, whatwg)]


SETS = {
    "scalars": (chr(n).encode("utf-8") for n in range(0x110000) if not 0xD800 <= n <= 0xDFFF),
    "bytes-1": map(bytes, itertools.product(range(256), repeat=1)),
    "bytes-2": map(bytes, itertools.product(range(256), repeat=2)),
}
if len(sys.argv) != 2:
    print("usage: digest.py TABLE-OF-DIGESTS", file=sys.stderr)
    sys.exit(2)
try:
    with open(sys.argv[1], encoding="ascii") as file:
        table = {name: fields[-3:] for name, *fields in map(str.split, file)}
    wanted = {name: table[name] for name in SETS}
except (OSError, ValueError, KeyError) as error:
    print(f"{sys.argv[1]} is no table of digests: {type(error).__name__}: {error}", file=sys.stderr)
    sys.exit(2)
differs = False
for name, strings in SETS.items():
    same = digests(strings) == wanted[name]
    print(f"{name}: {'as it should be' if same else 'differs'}")
    differs |= not same
sys.exit(differs)
