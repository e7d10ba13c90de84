# SPDX-License-Identifier: MIT
"""One U+FEFF at the very beginning is a signature and is taken away, in whatever pieces it comes; any other one stays."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft, pieces_name
from ..rows import Encoding
from .streaming import comment_of, cuts

ENCODINGS = ("utf-8-sig",)
KIND = "stream"

TEXTS = ("EFBBBF", "EFBBBF41", "EFBBBFEFBBBF", "41EFBBBF", "EFBB", "EF", "EFBB41", "EFBBBE", "EFBBC3A9", "EFBF",
         "FFEFBBBF", "C3A9EFBBBF", "EFBBBF80", "FEFF0041", "FFFE4100")


def cases(encoding: Encoding) -> Iterator[Draft]:
    """A signature whole, cut, doubled, late, unfinished, after an error, and in other encodings."""
    del encoding
    for text in TEXTS:
        whole = bytes.fromhex(text)
        for pieces, flags in [((whole,), ()), ((b"", whole), ("empty-piece",)), *cuts(whole)]:
            yield Draft(comment_of(pieces), flags=flags, name=pieces_name(pieces), pieces=pieces)
