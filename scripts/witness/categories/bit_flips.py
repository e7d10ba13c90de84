# SPDX-License-Identifier: MIT
"""Boundary characters with one bit flipped, as noise on a line leaves them, between A and B."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import Encoding
from ..samples import boundaries, of_each_length, spaced, unique


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Every single-bit flip of every boundary character and of one ordinary character of each length."""
    seen = set()
    for character in unique(iter(boundaries(encoding) + of_each_length(encoding))):
        for bit in range(8 * len(character)):
            flipped = bytearray(character)
            flipped[bit // 8] ^= 0x80 >> bit % 8
            if bytes(flipped) in seen:
                continue
            seen.add(bytes(flipped))
            comment = f"{spaced(character)}, bit {7 - bit % 8} of byte {bit // 8}"
            yield Draft(comment, b"A" + bytes(flipped) + b"B", ("single-bit",))
