# SPDX-License-Identifier: MIT
"""A sequence at every place where a decoder that works in blocks may lose it: near 16, 32, 64 and 128, and below 131."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import Encoding
from ..samples import of_each_length, spaced

LAST_OFFSET = 130
EDGES = (16, 32, 64, 128)
NEAR = tuple(edge + step for edge in EDGES for step in range(-3, 4))

# At the end of input: one that is whole, one cut short, one that begins nothing, one with its error in the second byte.
AT_END = (b"\xF0\x9F\x98\x80", b"\xE2\x82", b"\xFF", b"\xED\xA0")
# With more text behind: an error that the next block must not hide.
INSIDE = (b"\xF0\x9F\x98\x80", b"\xD8", b"\xE2\x82", b"\x80", b"\xC0\x80", b"\xF4\x90\x80\x80")
TAIL = 67

# As the last byte of a block: what begins nothing is an error by itself. A decoder that judges pairs of bytes, and leaves the
# last of a block to the next, must not forget it when that is all ASCII, or is not there.
LAST = (b"\xC0", b"\xC1", b"\xF5", b"\xFF")


def cases(encoding: Encoding) -> Iterator[Draft]:
    """ASCII before, at every offset; longer fillers and text behind, near the edges of blocks."""
    for offset in range(LAST_OFFSET + 1):
        for subject in AT_END:
            yield placed(b" ", offset, subject, b"")
    for filler in of_each_length(encoding)[1:]:
        for offset in NEAR:
            for subject in AT_END:
                yield placed(filler, offset, subject, b"")
    for offset in NEAR:
        for subject in INSIDE:
            yield placed(b" ", offset, subject, b" " * TAIL)
    for filler in of_each_length(encoding):
        for edge in EDGES:
            for lead in LAST:
                for behind in ((lead, b""), (lead, b" " * TAIL), (lead + b"\x80", b" " * TAIL)):
                    yield placed(filler if len(filler) > 1 else b" ", edge - 1, *behind)
    yield placed(b" ", 127, b"\xD8", b" " * 128)
    for offset in (63, 64, 127):
        yield placed(b"\0", offset, b"\x80", b"")


def placed(filler: bytes, offset: int, subject: bytes, tail: bytes) -> Draft:
    """A subject at an exact offset: fillers, after as many A as they leave over."""
    count, left_over = divmod(offset, len(filler))
    before = "nothing" if not offset else f"{count} x {spaced(filler)}" + (f" after {left_over} x A" if left_over else "")
    name, behind = f"{filler.hex()}-{offset}-{subject.hex()}", ""
    if tail:
        name, behind = f"{name}-{len(tail)}", f", with {len(tail)} x 20 behind"
    text = b"A" * left_over + filler * count + subject + tail
    return Draft(f"{spaced(subject)} after {before}{behind}", text, ("block-edge",), name)
