# SPDX-License-Identifier: MIT
"""Sequences that stop too soon: at the end of input, before ASCII, before a lead, before another that stops too soon."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import ALL, WTF_16, Encoding
from ..samples import few, leads, of_each_length, prefixes, short_prefixes, spaced, written

ENCODINGS = ALL


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Every lead and every prefix of a boundary character at the end; every two sorts of prefix in a row."""
    for lead in leads(encoding) if encoding.unit == 1 else ():
        yield Draft(f"{lead:02X}, and the end", bytes((lead,)), ("incomplete",))
    for prefix in prefixes(encoding):
        if len(prefix) > 1:
            yield Draft(f"{spaced(prefix)}, and the end", prefix, ("incomplete",))
        yield Draft(f"A, {spaced(prefix)}, and the end", written(encoding, "A") + prefix, ("incomplete",))
    if encoding.name in WTF_16:  # the only error there, right after the character that replaces it
        yield Draft("U+FFFD, half a unit, and the end", written(encoding, "\uFFFD") + b"\0", ("incomplete",))
    for prefix in short_prefixes(encoding):
        for character in few(encoding, of_each_length(encoding), 2):
            yield Draft(f"{spaced(character)}, {spaced(prefix)}, and the end", character + prefix, ("incomplete",))
            yield Draft(f"{spaced(prefix)} before {spaced(character)}", prefix + character, ("swallow",))
        for other in few(encoding, short_prefixes(encoding), 4):
            yield Draft(f"{spaced(prefix)} and {spaced(other)}", prefix + other, ("incomplete",))
