# SPDX-License-Identifier: MIT
"""Continuation bytes that no lead asked for: each is a maximal subpart of its own (Unicode 17.0, D93b)."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import PRINCIPAL_OF_BYTES, Encoding
from ..samples import boundaries, few, spaced

ENCODINGS = PRINCIPAL_OF_BYTES


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Each alone, runs of each length to 9, all 64 in a row, and after and before every boundary character."""
    for byte in few(encoding, range(0x80, 0xC0), 9):
        yield Draft(f"{byte:02X} alone", bytes((byte,)))
    for count in range(2, 10):
        yield Draft(f"80, {count} times", b"\x80" * count)
        yield Draft(f"BF, {count} times, then A", b"\xBF" * count + b"A")
    yield Draft("80 to BF in a row", bytes(range(0x80, 0xC0)), name="all-64")
    for character in boundaries(encoding):
        for byte in (0x80, 0xBF):
            stray = bytes((byte,))
            yield Draft(f"{byte:02X} after {spaced(character)}", character + stray, ("swallow",))
            yield Draft(f"{byte:02X} before {spaced(character)}", stray + character, ("swallow",))
        yield Draft(f"two strays between {spaced(character)} and A", character + b"\x80\xBFA", ("swallow",))
