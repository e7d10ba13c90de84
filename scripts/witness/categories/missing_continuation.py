# SPDX-License-Identifier: MIT
"""Sequences broken off by a byte that is no continuation: the byte that breaks them is read again (Unicode 17.0, 3.9)."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import PRINCIPAL_OF_BYTES, Encoding
from ..samples import BREAKERS, few, prefixes, short_prefixes, spaced

ENCODINGS = PRINCIPAL_OF_BYTES


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Every sort of unfinished prefix before every sort of breaking byte, and again with a character after it."""
    for prefix in short_prefixes(encoding):
        for breaker in few(encoding, BREAKERS, 2):
            yield Draft(f"{spaced(prefix)} before {breaker:02X}", prefix + bytes((breaker,)), ("swallow",))
    for prefix in prefixes(encoding):
        for other in (b"A", b"\xC3\xA9"):
            text = prefix + other + b"B"
            yield Draft(f"{spaced(prefix)} before {spaced(other)} B", text, ("swallow",))
