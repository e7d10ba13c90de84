# SPDX-License-Identifier: MIT
"""Code points as bytes (Unicode 17.0, D92, Table 3-6): all but scalar values are errors, whatever is next to them."""

from __future__ import annotations

from typing import Iterator, Tuple

from ..cases import Draft
from ..rows import ALL, UTF_8, Encoding
from ..samples import PRINTABLE, boundary_code_points, few

ENCODINGS = ALL
KIND = "encode"

# What no encoder may write: surrogates, among them those of surrogateescape, and values beyond the last code point.
REFUSED = (0xD800, 0xDBFF, 0xDC00, 0xDC7F, 0xDC80, 0xDCFF, 0xDD00, 0xDFFF, 0x110000, 0x1FFFFF, 0x7FFFFFFF, 0xFFFFFFFF)

# Surrogates that some encodings join, some write as two characters, and some refuse; and those that are no pair.
PAIRS = ((0xD83D, 0xDCA9), (0xD800, 0xDC00), (0xDBFF, 0xDFFF), (0xDCA9, 0xD83D), (0xD83D, 0xD83D, 0xDCA9),
         (0xD83D, 0xDCA9, 0xDCA9), (0xD83D, 0x41, 0xDCA9), (0xD800, 0xE000), (0xD7FF, 0xDC00), (0xD83D, 0x110000, 0xDCA9))


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Boundaries and single bits alone; each refused value alone, between characters, twice, and next to another; ASCII."""
    yield draft(())
    taken = set(boundary_code_points(encoding)) | {1 << bit for bit in few(encoding, range(21), 21)}
    for code_point in sorted(taken | {0xFDD0, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x1FFFF}):
        yield draft((code_point,))
    yield draft((0x41, 0xE9, 0x20AC, 0x1F4A9, 0x41))
    for value in few(encoding, REFUSED, 3):
        for units in few(encoding, ((value,), (0x41, value, 0x42), (0x1F4A9, value), (value, value), (value, 0x10FFFF, value)), 2):
            yield draft(units)
    for units in PAIRS:
        yield draft(units)
    if encoding is UTF_8:
        yield Draft("the printable characters of ASCII", name="printable", units=PRINTABLE)


def draft(units: Tuple[int, ...]) -> Draft:
    """A case named by its code points."""
    names = [f"{unit:x}" for unit in units]
    return Draft(" ".join(f"U+{unit:04X}" for unit in units) or "nothing", name="-".join(names) or "empty", units=units)
