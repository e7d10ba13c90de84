# SPDX-License-Identifier: MIT
"""A sequence at every place where a decoder that works in blocks may lose it: across the edges of 16, 32, 64 and 128."""

from __future__ import annotations

from typing import Iterator, Tuple

from ..cases import Draft
from ..policies import spans
from ..rows import ALL, WTF_16, Encoding
from ..samples import of_each_length, refused_in_context, spaced, surrogates, written

# Not WTF-16: the positions tier has a surrogate at every offset, which is all that can be lost there.
ENCODINGS = tuple(name for name in ALL if name not in WTF_16)
EDGES = (16, 32, 64)
TAIL = 35
FEW = 2


def cases(encoding: Encoding) -> Iterator[Draft]:
    """What ends at an edge, crosses it or begins there, with and without text after it; the last byte of a block."""
    blank, longest = written(encoding, " "), of_each_length(encoding)[-1]
    for edge in EDGES:
        for subject in subjects(encoding):
            for index, offset in enumerate(range(edge - len(subject), edge + 1, max(2, encoding.unit))):
                yield placed(blank, offset, subject, blank * TAIL if index % 3 == 1 else b"")
            yield placed(longest, edge - encoding.unit, subject, b"")
        for offset in range(edge - len(longest) + 1, edge, 2):
            yield placed(blank, offset, longest[:edge - offset], b"")


def subjects(encoding: Encoding) -> Tuple[bytes, ...]:
    """The longest character; each half of a pair, the pair, and the wrong pair; and what is refused for its context."""
    pair = surrogates(encoding, 0xD83D, 0xDE00)
    half = len(pair) // 2
    found = (of_each_length(encoding)[-1], pair[:half], pair[half:], pair, pair[:half] * 2)
    wrong = [text for text in refused_in_context(encoding) if spans(encoding, text)]
    return (*found, *wrong[:FEW])


def placed(filler: bytes, offset: int, subject: bytes, tail: bytes) -> Draft:
    """A subject at an exact offset: fillers, after as much of one as they leave over."""
    count, left_over = divmod(offset, len(filler))
    name, after = f"{filler.hex()}-{offset}-{subject.hex()}", ""
    if tail:
        name, after = f"{name}-{len(tail)}", f", then {len(tail)} bytes"
    text = (filler[:left_over] if left_over else b"") + filler * count + subject + tail
    return Draft(f"{spaced(subject)} at {offset}, after {count} x {spaced(filler)}{after}", text, ("block-edge",), name)
