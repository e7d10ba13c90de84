# SPDX-License-Identifier: MIT
"""Where a cut is allowed: for each byte, the start of the character or maximal subpart that it is in."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import ALL, Encoding
from ..samples import few, ill_formed, of_each_length, refused_in_context, short_prefixes, spaced, surrogates, written

ENCODINGS = ALL
KIND = "boundaries"
PAIRS = ((0xD83D, 0xDCA9), (0xD83D, 0xD83D, 0xDCA9), (0xD83D, 0xDCA9, 0xDCA9), (0xDCA9, 0xD83D), (0xD83D,), (0xDCA9,),
         (0xD83D, 0xD83D, 0xD83D, 0xDCA9))


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Characters of each length side by side; runs of bytes that could belong to the one before; errors between characters."""
    a, characters = written(encoding, "A"), of_each_length(encoding)
    yield draft(b"")
    yield draft(b"".join(characters) + b"".join(reversed(characters)))
    for left in characters:
        for right in few(encoding, characters, 2):
            yield draft(left + right)
    for values in PAIRS:
        yield draft(surrogates(encoding, *values))
        yield draft(characters[-1] + surrogates(encoding, *values) + a)
    for text in few(encoding, ill_formed(encoding), 2):
        yield draft(a + text + characters[-1])
    for text in refused_in_context(encoding)[:12]:
        yield draft(text + a)
    for prefix in short_prefixes(encoding):
        yield draft(prefix + prefix)
    if encoding.unit == 1:
        for count in range(1, 9):
            yield draft(b"A" + b"\x80" * count)
            yield draft(characters[-1] + b"\x80" * count)


def draft(text: bytes) -> Draft:
    """A case named by its bytes."""
    return Draft(spaced(text) or "nothing", text, name=text.hex() or "empty")
