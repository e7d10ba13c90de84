# SPDX-License-Identifier: MIT
"""Surrogates spelled in bytes: alone, paired, swapped, in threes. They are no scalar values (Unicode 17.0, D76, D92),
and what becomes of them is the main thing in which the relatives of UTF-8 differ."""

from __future__ import annotations

from itertools import product
from typing import Iterator, Tuple

from ..cases import Draft
from ..policies import spans
from ..rows import ALL, Encoding
from ..samples import few, spaced, surrogates, written

ENCODINGS = ALL
HIGH, LOW = (0xD800, 0xDB7F, 0xDB80, 0xDBFF), (0xDC00, 0xDFFF)


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Both ends of each second byte; every kind of pair; cut short; in threes; among neighbours."""
    for value in few(encoding, range(0xD800, 0xE000, 0x40), 5):
        for one in (value, value + 0x3F):
            yield Draft(f"U+{one:04X}", surrogates(encoding, one))
        half = surrogates(encoding, value)[:2]
        if encoding.unit == 1:
            yield cut_short(encoding, half, f"{spaced(half)}, and the end")
            yield cut_short(encoding, half + b"A", f"{spaced(half)}, and then A")
    for left, right in product(HIGH + LOW, repeat=2):
        yield Draft(f"U+{left:04X} U+{right:04X}", surrogates(encoding, left, right), pair_flags(left, right))
    for three in product((0xD83D, 0xDE00), repeat=3):
        text = surrogates(encoding, *three)
        yield Draft(" ".join(f"U+{one:04X}" for one in three), text, name=text.hex())
    yield from among_neighbours(encoding)


def pair_flags(left: int, right: int) -> Tuple[str, ...]:
    """The flag of a lead and a trail."""
    return ("surrogate-pair",) if left in HIGH and right in LOW else ()


def cut_short(encoding: Encoding, text: bytes, comment: str) -> Draft:
    """The first two bytes of a surrogate; where they are an error, they need no third."""
    certain = any(not span.incomplete for span in spans(encoding, text[:2]))
    return Draft(comment, text, ("early",) if certain else ())


def among_neighbours(encoding: Encoding) -> Iterator[Draft]:
    """A surrogate next to characters that must be kept, also those next to its own range; between the halves."""
    for code_point in (0x41, 0x7FF, 0xD7FF, 0xE000, 0xFFFF, 0x10000):
        other = encoding.encode(code_point)
        assert other is not None
        for value in (0xD800, 0xDFFF):
            text = surrogates(encoding, value)
            yield Draft(f"U+{code_point:04X} before U+{value:04X}", other + text)
            yield Draft(f"U+{value:04X} before U+{code_point:04X}", text + other)
    for name, between in (("A", written(encoding, "A")), ("an unfinished sequence", other[:1])):
        text = surrogates(encoding, 0xD83D) + between + surrogates(encoding, 0xDE00)
        yield Draft(f"U+D83D and U+DE00, {name} between them", text, name=text.hex())
