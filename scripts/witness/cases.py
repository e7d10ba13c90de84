# SPDX-License-Identifier: MIT
"""The draft of a case, which a category makes: input and purpose. The witness adds the expected output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

from .samples import spaced

LONGEST_NAME_IN_HEX = 12


@dataclass(frozen=True)
class Draft:
    """One case: its input (bytes, pieces, streams, units or a target encoding, by the kind of the category), a comment and
    flags.

    The name is part of the id and never changes; without one it is the hex of the bytes.
    """

    comment: str
    text: bytes = b""
    flags: Tuple[str, ...] = ()
    name: str = ""
    pieces: Tuple[bytes, ...] = ()
    streams: Tuple[Tuple[bytes, ...], ...] = ()
    units: Tuple[int, ...] = ()
    to: str = ""

    def id_name(self) -> str:
        """The last part of the id."""
        if self.name:
            return self.name
        if len(self.text) > 2 * LONGEST_NAME_IN_HEX:
            raise ValueError(f"a case of {len(self.text)} bytes needs a name: {spaced(self.text)}")
        return self.text.hex() or "empty"


def pieces_name(pieces: Tuple[bytes, ...]) -> str:
    """A name for pieces: their hex, separated by `_`; an empty piece gives `__`."""
    return "_".join(piece.hex() for piece in pieces) or ("empty-piece" if pieces else "no-piece")
