# SPDX-License-Identifier: MIT
"""Two well-formed strings as one: their bytes, but for a lead and a trail that WTF-8 joins (section 6.5)."""

from __future__ import annotations

from itertools import product
from typing import Iterator, Tuple

from ..cases import Draft, pieces_name
from ..rows import ALL, Encoding
from ..samples import few, ill_formed, of_each_length, spaced, surrogates, written

ENCODINGS = ALL
KIND = "concat"

# What may meet: the characters next to the surrogates, the first and last lead and trail, and nothing.
ENDS = (0x41, 0xD7FF, 0xD800, 0xD83D, 0xDBFF, 0xDC00, 0xDCA9, 0xDFFF, 0xE000, 0x10000)


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Every two characters that may meet; with text around them; halves of a sequence; what is ill-formed for itself."""
    whole = [encoding.encode(point) or surrogates(encoding, point) for point in ENDS]
    a, b = written(encoding, "A"), written(encoding, "B")
    for left, right in product([b"", *whole], repeat=2):
        yield draft((left, right))
    lead, trail = surrogates(encoding, 0xD83D), surrogates(encoding, 0xDCA9)
    for pair in ((a + lead, trail + b), (lead + a, trail), (lead, b + trail), (lead + lead, trail), (lead, trail + trail),
                 (trail, lead), (trail + lead, trail + lead), (lead + trail, lead + trail)):
        yield draft(pair)
    for character in of_each_length(encoding):
        for at in range(1, len(character)):
            yield draft((character[:at], character[at:]))
    for text in few(encoding, ill_formed(encoding), 3):
        yield draft((text, a))
        yield draft((a, text))


def draft(pair: Tuple[bytes, bytes]) -> Draft:
    """A case named by both strings."""
    comment = " and ".join(spaced(one) or "nothing" for one in pair)
    return Draft(comment, name=pieces_name(pair), pieces=pair)

