# SPDX-License-Identifier: MIT
"""Each stream has its own signature: what one decoder did before must not make it keep one, or take two."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft, pieces_name
from ..rows import Encoding

ENCODINGS = ("utf-8-sig",)
KIND = "reuse"
MARK = b"\xEF\xBB\xBF"

STREAMS = (
    ((b"\xFF",), (MARK,)),
    ((MARK,), (MARK,)),
    ((MARK + b"A",), (MARK + b"B",)),
    ((b"A",), (MARK + b"B",)),
    ((b"\xEF",), (b"\xBB\xBF", b"A")),
    ((b"\xEF", b"\xBB"), (MARK,)),
    ((b"\xEF\xBB",), (b"\xBF",)),
    ((b"",), (b"", MARK), (b"\xEF", b"\xBB\xBF")),
)


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Two or three streams through one decoder."""
    del encoding
    for streams in STREAMS:
        name = "-then-".join(pieces_name(pieces) for pieces in streams)
        yield Draft(f"{len(streams)} streams through one decoder", flags=("reuse",), name=name, streams=streams)
