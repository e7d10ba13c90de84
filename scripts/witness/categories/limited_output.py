# SPDX-License-Identifier: MIT
"""Output with room for N units: how much is read and written when the next character does not fit."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import Encoding
from ..samples import of_each_length, spaced

KIND = "limited"

# Errors whose replacements are of many sizes: of one byte, of three, of absorbed bytes, in runs, at the end.
TEXTS = ("41FF42", "E28241", "F09F92", "F09F9241", "EDA080", "41EDA08042", "C0AF", "F880808080", "FFFF41FFFF", "80",
         "41E282", "F09F92A9FF", "FFF09F92A9", "C3A9E282C3A9", "EFBBBF41", "FC848080808041", "F4908080F09F92A9")


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Characters of every length beside each other, and errors that are replaced by more, by less, by nothing."""
    yield Draft("nothing needs no room")
    characters = of_each_length(encoding)
    for left in characters:
        yield Draft(f"{spaced(left)} alone", left)
        for right in characters:
            yield Draft(f"{spaced(left)}, then {spaced(right)}", left + right)
    for text in TEXTS:
        yield Draft(f"{spaced(bytes.fromhex(text))}", bytes.fromhex(text))
