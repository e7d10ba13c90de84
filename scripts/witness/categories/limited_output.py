# SPDX-License-Identifier: MIT
"""Output with room for N units: how much is read and written when the next character does not fit."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import PRINCIPAL, UTF_8, Encoding
from ..samples import few, of_each_length, refused_in_context, spaced, surrogates, written

ENCODINGS = PRINCIPAL
KIND = "limited"
FEW = 6

# Errors whose replacements are of many sizes: of one byte, of three, of absorbed bytes, in runs, at the end.
TEXTS = ("41FF42", "E28241", "F09F92", "F09F9241", "EDA080", "41EDA08042", "C0AF", "F880808080", "FFFF41FFFF", "80",
         "41E282", "F09F92A9FF", "FFF09F92A9", "C3A9E282C3A9", "EFBBBF41", "FC848080808041", "F4908080F09F92A9")


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Characters of every length next to each other, and errors whose replacement is longer, shorter or empty."""
    yield Draft("nothing needs no room")
    characters = of_each_length(encoding)
    for left in characters:
        yield Draft(f"{spaced(left)} alone", left)
        for right in characters:
            yield Draft(f"{spaced(left)}, then {spaced(right)}", left + right)
    texts = [bytes.fromhex(text) for text in few(encoding, TEXTS, 3)] if encoding.unit == 1 else []
    a, b = written(encoding, "A"), written(encoding, "B")
    texts += [a + text + b for text in refused_in_context(encoding)[:FEW]]
    halves = ((0xD83D,), (0xDE00,), (0xD83D, 0xD83D, 0xDE00))[:2 if encoding is UTF_8 else 3]  # in UTF-8, each is three errors wherever it is
    texts += [a + surrogates(encoding, *values) + b for values in halves]
    for text in texts:
        yield Draft(spaced(text), text, name=text.hex())
