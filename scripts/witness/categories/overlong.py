# SPDX-License-Identifier: MIT
"""Non-shortest forms: bytes whose bits spell a code point that a shorter sequence stands for (Unicode 17.0, D92)."""

from __future__ import annotations

from typing import Iterator

from .. import faults
from ..cases import Draft
from ..rows import PRINCIPAL_OF_BYTES, Encoding
from ..samples import bit_pattern, completed, few, refused_pairs, unique

ENCODINGS = (*PRINCIPAL_OF_BYTES, "mutf-8-readutf")

LONGEST = 6

# Characters that filters look for.
SENSITIVE = "\0./\\<>\"'%;"


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Every overlong second byte, every two-byte form, and sensitive and boundary code points in every longer form."""
    for value in few(encoding, range(0x80), 7):
        yield Draft(f"U+{value:04X} in 2 bytes", bit_pattern(value, 2), ("overlong-ascii",))
    pairs = [pair for pair in refused_pairs(encoding) if faults.fault_of_bits(encoding, pair[:1], pair[1]) == faults.OVERLONG]
    yield from longer_forms(encoding)
    for text in unique(completed(pair, fill) for pair in few(encoding, pairs, 5) for fill in (0x80, 0xBF)):
        value = faults.reach(text)
        assert value is not None
        yield Draft(f"U+{value[0]:04X} in {len(text)} bytes", text)
    for text in (b"\xC0\xAE\xC0\xAE\xC0\xAF", b"\xE0\x80\xAE\xE0\x80\xAE\xE0\x80\xAF"):
        yield Draft("../ in non-shortest form, as in directory traversal", text, ("overlong-ascii",))


def longer_forms(encoding: Encoding) -> Iterator[Draft]:
    """Code points in 3 to 6 bytes that need fewer, but for those already made from pairs."""
    values = [ord(character) for character in few(encoding, SENSITIVE, 4)] + [0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF]
    for value in values:
        for length in range(3, LONGEST + 1):
            least = 1 << (5 * length - 4)  # the first value that needs `length` bytes, from 3 bytes on
            if value < least:
                flags = ("overlong-ascii",) * (value < 0x80) + ("old-scheme",) * (length > 4)
                yield Draft(f"U+{value:04X} in {length} bytes", bit_pattern(value, length), flags)
