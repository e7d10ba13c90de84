# SPDX-License-Identifier: MIT
"""UTF-16 units as bytes (Unicode 17.0, D91, Table 3-5): pairs are one code point, half a pair is an error."""

from __future__ import annotations

from itertools import product
from typing import Iterator, Tuple

from ..cases import Draft
from ..policies import utf16_units
from ..rows import PRINCIPAL, UTF_8, Encoding
from ..samples import PRINTABLE, boundary_code_points, few

ENCODINGS = (*PRINCIPAL, "generalized-utf-8", "cesu-8-jdk")
KIND = "encode-utf16"

# One unit of each sort: what is next to the surrogates, each end of both halves, and those of surrogateescape.
SORTS = (0xD800, 0xD7FF, 0xDC00, 0xDC80, 0x0041, 0xE000, 0xDBFF, 0xDFFF)

# Pairs and halves that real converters got wrong.
REAL = ((0xDC00, 0xDEDE), (0xD83D, 0xDE00), (0xD800, 0x003C), (0xDD20,), (0x41, 0xDD20), (0xD83D, 0xD83D, 0xDE00),
        (0xD83D, 0xDE00, 0xDE00), (0xDBC0, 0xDC00), (0xD800, 0xE000), (0xD7FF, 0xDC00))


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Every boundary; every two sorts of unit side by side; each half between characters; what went wrong before; ASCII."""
    drafts = [draft(())]
    drafts += [draft(tuple(utf16_units([code_point]))) for code_point in few(encoding, boundary_code_points(encoding), 2)]
    drafts += [draft(tuple(utf16_units([0x10000 | 1 << bit]))) for bit in few(encoding, range(16), 8)]
    drafts += [draft(units) for units in product(few(encoding, SORTS, 2), repeat=2)]
    drafts += [draft((0x42, unit, 0x43)) for unit in few(encoding, SORTS, 2)]
    drafts += [draft(units) for units in REAL]
    drafts += [Draft("the printable characters of ASCII", name="printable", units=PRINTABLE)] if encoding is UTF_8 else []
    yield from {one.name: one for one in drafts}.values()


def draft(units: Tuple[int, ...]) -> Draft:
    """A case named by its units."""
    names = [f"{unit:04X}" for unit in units]
    return Draft(" ".join(names) or "nothing", name="-".join(names).lower() or "empty", units=units)
