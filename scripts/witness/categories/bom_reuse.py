# SPDX-License-Identifier: MIT
"""Each stream has its own signature: what one decoder did before must not make it keep one, or take two."""

from __future__ import annotations

from typing import Iterator, Tuple

from ..cases import Draft, pieces_name
from ..policies import BOM
from ..rows import WITH_SIGNATURE, Encoding
from ..samples import written

ENCODINGS = WITH_SIGNATURE
KIND = "reuse"
MARK = b"\xEF\xBB\xBF"

STREAMS_OF_BYTES = (
    ((b"\xFF",), (MARK,)),
    ((MARK,), (MARK,)),
    ((MARK + b"A",), (MARK + b"B",)),
    ((b"A",), (MARK + b"B",)),
    ((b"\xEF",), (b"\xBB\xBF", b"A")),
    ((b"\xEF", b"\xBB"), (MARK,)),
    ((b"\xEF\xBB",), (b"\xBF",)),
    ((b"",), (b"", MARK), (b"\xEF", b"\xBB\xBF")),
)


def streams_of_units(encoding: Encoding) -> Tuple[Tuple[Tuple[bytes, ...], ...], ...]:
    """The same for UTF-16."""
    mark, a, b = written(encoding, chr(BOM)), written(encoding, "A"), written(encoding, "B")
    return (
        ((mark[:1],), (mark,)),
        ((mark + a,), (mark + b,)),
        ((a,), (mark + b,)),
        ((mark[:1], mark[1:]), (mark[:1], mark[1:], a)),
        ((b"",), (b"", mark)),
    )


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Two or three streams through one decoder."""
    for streams in STREAMS_OF_BYTES if encoding.unit == 1 else streams_of_units(encoding):
        name = "-then-".join(pieces_name(pieces) for pieces in streams)
        yield Draft(f"{len(streams)} streams through one decoder", flags=("reuse",), name=name, streams=streams)
