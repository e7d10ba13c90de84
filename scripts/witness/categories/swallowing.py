# SPDX-License-Identifier: MIT
"""What is next to an error must be kept: each ill-formed prefix, a neighbour of each length, a stray after it."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import PRINCIPAL, Encoding
from ..samples import few, ill_formed, of_each_length, spaced, written

ENCODINGS = PRINCIPAL


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Every ill-formed prefix x a well-formed neighbour of 1 to 4 bytes x a trailing continuation."""
    for prefix in ill_formed(encoding):
        for character in of_each_length(encoding):
            for tail in few(encoding, (b"", b"\x80"), 2):
                after = ", 80" if tail else ", A"
                text = prefix + character + (tail or written(encoding, "A"))
                yield Draft(f"{spaced(prefix)} before {spaced(character)}{after}", text, ("swallow",))
