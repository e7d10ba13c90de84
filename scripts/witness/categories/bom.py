# SPDX-License-Identifier: MIT
"""One U+FEFF at the very beginning is a signature and is taken away, in whatever pieces it comes; any other one stays."""

from __future__ import annotations

from typing import Iterator, Sequence

from ..cases import Draft, pieces_name
from ..rows import UTF_16BE_SIG, WITH_SIGNATURE, Encoding
from .streaming import comment_of, cuts

ENCODINGS = WITH_SIGNATURE
KIND = "stream"

TEXTS = ("EFBBBF", "EFBBBF41", "EFBBBFEFBBBF", "41EFBBBF", "EFBB", "EF", "EFBB41", "EFBBBE", "EFBBC3A9", "EFBF",
         "FFEFBBBF", "C3A9EFBBBF", "EFBBBF80", "FEFF0041", "FFFE4100")

# UTF-16, most significant byte first. FF FE is the signature of the other byte order, and here no character of text.
TEXTS_OF_UNITS = ("FEFF", "FEFF0041", "FEFFFEFF", "0041FEFF", "FE", "FEFF00", "FFFE0041", "DC00FEFF", "FEFFDC00", "D800FEFF", "FEFFD83DDE00", "EFBBBF41")


def texts(encoding: Encoding) -> Sequence[bytes]:
    """The texts in the encoding's byte order."""
    if encoding.unit == 1:
        return [bytes.fromhex(text) for text in TEXTS]
    in_order = [bytes.fromhex(text) for text in TEXTS_OF_UNITS]
    if encoding == UTF_16BE_SIG:
        return in_order
    return [b"".join(text[at:at + 2][::-1] for at in range(0, len(text), 2)) for text in in_order]


def cases(encoding: Encoding) -> Iterator[Draft]:
    """A signature whole, cut, doubled, late, unfinished, after an error, and in other encodings."""
    for whole in texts(encoding):
        for pieces, flags in [((whole,), ()), ((b"", whole), ("empty-piece",)), *cuts(whole)]:
            yield Draft(comment_of(pieces), flags=flags, name=pieces_name(pieces), pieces=pieces)
