# SPDX-License-Identifier: MIT
"""Four bytes whose bits spell a value beyond U+10FFFF, the last code point (Unicode 17.0, D9, D92)."""

from __future__ import annotations

from typing import Iterator

from .. import faults
from ..cases import Draft
from ..rows import Encoding
from ..samples import completed, refused_pairs, spaced


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Every second byte of F4 that is refused, and F5 to F7, whole, cut short, and before A."""
    pairs = [pair for pair in refused_pairs(encoding) if faults.fault_of_bits(encoding, pair[:1], pair[1]) == faults.OUT_OF_RANGE]
    for pair in pairs:
        for fill in (0x80, 0xBF):
            yield whole(completed(pair, fill))
        yield Draft(f"{spaced(pair)}, and the end", pair, ("early",))
        yield Draft(f"{spaced(pair)}, and then A", pair + b"A", ("early",))
    for lead in range(0xF5, 0xF8):
        for second in (0x80, 0x8F, 0x90, 0xA0, 0xBF):
            for fill in (0x80, 0xBF):
                yield whole(completed(bytes((lead, second)), fill))
        for length in range(1, 4):
            text = completed(bytes((lead,)), 0x80)[:length]
            yield Draft(f"{spaced(text)}, and the end", text, ("early",))
            yield Draft(f"{spaced(text)}, and then A", text + b"A", ("early",))


def whole(text: bytes) -> Draft:
    """Four bytes and the value that they spell."""
    value = faults.reach(text)
    assert value is not None
    return Draft(f"{value[0]:X}, beyond U+10FFFF", text)
