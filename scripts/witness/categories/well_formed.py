# SPDX-License-Identifier: MIT
"""Text that every decoder must take, and give as exactly these code points (Unicode 17.0, D92, Table 3-7)."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import ALL, WTF_16, Encoding
from ..samples import boundaries, boundary_code_points, few, leads, least_completion, of_each_length, spaced, written

ENCODINGS = ALL

# What normalisation, translation of line ends, mapping of case or width, and removal of invisible characters change.
CHANGED_BY_OTHERS = "e\u0301\u212B\uF929\uFB01\u1100\u1161\u017F\u0130\xAD\u200B\u200D\u2028\u2029\u202E\uFE0F\uFF21\U000E0101"

NONCHARACTERS = tuple(range(0xFDD0, 0xFDF0)) + tuple(plane << 16 | low for plane in range(17) for low in (0xFFFE, 0xFFFF))


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Every length's first and last, each lead, each bit, noncharacters, NUL, U+FEFF and U+FFFD."""
    yield Draft("nothing at all")
    for code_point in few(encoding, sorted(set(code_points(encoding))), 5):
        text = encoding.encode(code_point)
        if text is not None:
            yield Draft(f"U+{code_point:04X}", text)
    for text in boundaries(encoding):
        yield Draft(f"{spaced(text)}, at the edge of a row", text)
    yield from neighbours(encoding)
    yield from placed(encoding)
    if encoding.name == "utf-8":
        yield Draft("characters that processing of text would change", written(encoding, CHANGED_BY_OTHERS), name="as-it-is")
    if encoding.name in WTF_16:
        yield from leading_bits(encoding)


def code_points(encoding: Encoding) -> Iterator[int]:
    """All of ASCII; boundaries and their neighbours; each bit set, each bit clear; the ends of each lead."""
    yield from range(0x80)
    for boundary in boundary_code_points(encoding):
        yield from (max(boundary - 1, 0), boundary, boundary + 1)
    yield from (1 << bit for bit in range(21))
    yield from (0xFFFF ^ 1 << bit for bit in range(16))
    yield from (0xFFFFF ^ 1 << bit for bit in range(20))
    yield from NONCHARACTERS
    yield from (0xFEFF, 0xFFFC, 0xFFFD)
    for lead in leads(encoding) if encoding.unit == 1 else ():
        first = bytes((lead,)) + least_completion(encoding, bytes((lead,)))
        code_point = encoding.decode(first)
        assert code_point is not None
        yield code_point


def leading_bits(encoding: Encoding) -> Iterator[Draft]:
    """A unit for each value of its first five bits, by which surrogates are found: a wrong mask or constant takes others for them."""
    for first in range(0x0800, 0x10000, 0x0800):
        code_point = first | 0x3A9
        yield Draft(f"U+{code_point:04X}", written(encoding, chr(code_point)))


def neighbours(encoding: Encoding) -> Iterator[Draft]:
    """Every length next to every length, so that a decoder that reads past the end of a character shows."""
    characters = of_each_length(encoding)
    for left in characters:
        for right in characters:
            yield Draft(f"{len(left)} bytes, then {len(right)}", left + right)
    yield Draft("one of each length, rising and falling", b"".join(characters + characters[::-1]), name="rise-and-fall")


def placed(encoding: Encoding) -> Iterator[Draft]:
    """Code points that decoders like to treat specially, at the beginning, between and at the end."""
    for label, code_point in (("nul", 0), ("bom", 0xFEFF), ("swapped-bom", 0xFFFE), ("replacement", 0xFFFD)):
        special = encoding.encode(code_point)
        if special is None:
            continue
        a, b = written(encoding, "A"), written(encoding, "B")
        for name, text in (("first", special + a + b), ("between", a + special + b), ("last", a + b + special),
                           ("twice", special * 2)):
            yield Draft(f"U+{code_point:04X}, {name}", text, name=f"{label}-{name}")
