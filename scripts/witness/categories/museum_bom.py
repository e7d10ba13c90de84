# SPDX-License-Identifier: MIT
"""The museum's third room: real bugs with a signature that comes in pieces."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..exhibits import STATE, Exhibit, notes_of, stream_drafts
from ..rows import Encoding

ENCODINGS = ("utf-8-sig",)
KIND = "stream"

EXHIBITS = (
    Exhibit("bun-25495", STATE, "A signature that was cut in two came out as U+FEFF.",
            ("https://github.com/oven-sh/bun/issues/25495",), ("EF | BB BF", "EF | BB | BF", "EF BB | BF 41")),
    Exhibit("node-25315", STATE, "A signature that was cut, or that came after an empty piece, came out as U+FEFF.",
            ("https://github.com/nodejs/node/issues/25315",), (" | EF BB BF 41", "EF BB | BF 41", "| EF | | BB BF")),
)

NOTES = notes_of(EXHIBITS)


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Each bug in the pieces that show it."""
    del encoding
    yield from stream_drafts(EXHIBITS)
