# SPDX-License-Identifier: MIT
"""Bytes that occur in no well-formed text, C0, C1 and F5 to FF, next to bytes of every sort (Unicode 17.0, D92)."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import PRINCIPAL_OF_BYTES, Encoding
from ..samples import of_each_length, refused_leads, short_prefixes, spaced

ENCODINGS = PRINCIPAL_OF_BYTES


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Each alone, doubled, around A, before and after characters of each length, and breaking a sequence."""
    for lead in refused_leads(encoding):
        bad = bytes((lead,))
        yield Draft(f"{lead:02X} alone", bad)
        yield Draft(f"{lead:02X} twice", bad * 2)
        yield Draft(f"{lead:02X} between A and B", b"A" + bad + b"B")
        for character in of_each_length(encoding):
            yield Draft(f"{lead:02X} before {spaced(character)}", bad + character)
            yield Draft(f"{lead:02X} after {spaced(character)}", character + bad)
    for prefix in short_prefixes(encoding):
        for lead in (0xC0, 0xFF):
            yield Draft(f"{lead:02X} after the unfinished {spaced(prefix)}", prefix + bytes((lead,)))
