# SPDX-License-Identifier: MIT
"""Surrogate code points spelled in bytes, which are no scalar values (Unicode 17.0, D76, D92): alone, paired, swapped."""

from __future__ import annotations

from typing import Iterator

from .. import faults
from ..cases import Draft
from ..rows import Encoding
from ..samples import bit_pattern, refused_pairs, spaced

HIGH, LOW = (0xD800, 0xDB7F, 0xDB80, 0xDBFF), (0xDC00, 0xDFFF)


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Every refused second byte, both ends of its range; every kind of pair; cut short; among neighbours."""
    pairs = [pair for pair in refused_pairs(encoding) if faults.fault_of_bits(encoding, pair[:1], pair[1]) == faults.SURROGATE]
    for pair in pairs:
        for last in (0x80, 0xBF):
            text = pair + bytes((last,))
            value = faults.reach(text)
            assert value is not None
            yield Draft(f"U+{value[0]:04X}", text)
        yield Draft(f"{spaced(pair)}, and the end", pair, ("early",))
        yield Draft(f"{spaced(pair)}, and then A", pair + b"A", ("early",))
    yield from combined()
    yield from among_neighbours(encoding)


def combined() -> Iterator[Draft]:
    """Two surrogates in a row."""
    for left in HIGH + LOW:
        for right in HIGH + LOW:
            is_pair = left in HIGH and right in LOW
            text = bit_pattern(left, 3) + bit_pattern(right, 3)
            yield Draft(f"U+{left:04X} U+{right:04X}", text, ("surrogate-pair",) if is_pair else ())


def among_neighbours(encoding: Encoding) -> Iterator[Draft]:
    """A surrogate beside characters that must come through, also those next to its own range."""
    for code_point in (0x41, 0x7FF, 0xD7FF, 0xE000, 0xFFFF, 0x10000):
        other = encoding.encode(code_point)
        assert other is not None
        for value in (0xD800, 0xDFFF):
            text = bit_pattern(value, 3)
            yield Draft(f"U+{code_point:04X} before U+{value:04X}", other + text)
            yield Draft(f"U+{value:04X} before U+{code_point:04X}", text + other)
