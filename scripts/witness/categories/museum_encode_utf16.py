# SPDX-License-Identifier: MIT
"""The museum's fourth room: real bugs of converters from UTF-16."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..exhibits import ACCEPTS, MEMORY, SWALLOWS, WRONG, Exhibit, notes_of, unit_drafts
from ..notes import cve
from ..rows import Encoding

KIND = "encode-utf16"

EXHIBITS = (
    Exhibit("encoding-rs-1f0292d", ACCEPTS, "Of the low surrogates only DC00 was known for one.",
            ("https://github.com/hsivonen/encoding_rs",), ("DC00 DEDE", "DEDE", "DFFF")),
    Exhibit("expat-2026-72522", MEMORY, "A mask of F8 for FC took a low surrogate for a high one at the end of a buffer.",
            (cve("2026-72522"),), ("D83D DE00", "41 D83D DE00")),
    Exhibit("expat-2026-93990", SWALLOWS, "A high surrogate hid the < after it.", (cve("2026-93990"),), ("D800 3C",)),
    Exhibit("simdutf-445", MEMORY, "A low surrogate as last unit made the converter read past the end.",
            ("https://github.com/simdutf/simdutf/issues/445",), ("DD20", "41 DD20")),
    Exhibit("simdutf-911", MEMORY, "Two units that need three bytes were written into room for two.",
            ("https://github.com/simdutf/simdutf/issues/911",), ("E9 41",)),
    Exhibit("rust-wtf8-2f59eb9", WRONG, "100000 was added to a pair for 10000.",
            ("https://github.com/SimonSapin/rust-wtf8",), ("D83D DCA9", "D800 DC00")),
)

NOTES = notes_of(EXHIBITS)


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Each bug in the units that show it."""
    del encoding
    yield from unit_drafts(EXHIBITS)
