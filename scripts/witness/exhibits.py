# SPDX-License-Identifier: MIT
"""The record of a real bug in the museum categories: kind, effect, links, and the inputs that show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterable, Iterator, Sequence, Tuple

from .cases import LONGEST_NAME_IN_HEX, Draft, pieces_name
from .notes import Note
from .samples import spaced

ACCEPTS = "accepts what is ill-formed"
REFUSES = "refuses what is well-formed"
WRONG = "gives a wrong code point"
MISCOUNTS = "gives too many or too few replacements"
SWALLOWS = "loses a well-formed neighbour"
EDGE = "fails at the edge of a block"
STATE = "mishandles what it keeps between pieces"
MEMORY = "reads or writes outside its buffers"


@dataclass(frozen=True)
class Exhibit:
    """A real bug: flag, kind, effect, links, and inputs as hex (`|` separates pieces, `*` repeats)."""

    flag: str
    kind: str
    effect: str
    links: Tuple[str, ...]
    inputs: Tuple[str, ...]


def bytes_of(text: str) -> bytes:
    """The bytes of hex with spaces; `20*63` is 63 bytes 20."""
    result = b""
    for word in text.split():
        unit, _, count = word.partition("*")
        result += bytes.fromhex(unit) * int(count or 1)
    return result


def name_of(text: str) -> str:
    """The name of an input: its hex if short, else its shorthand."""
    whole = bytes_of(text)
    return whole.hex() if len(whole) <= LONGEST_NAME_IN_HEX else "-".join(text.lower().replace("*", "x").split())


def notes_of(exhibits: Iterable[Exhibit]) -> Dict[str, Note]:
    """The notes of the flags of these bugs."""
    return {one.flag: Note(one.kind, one.effect, one.links) for one in exhibits}


def decode_drafts(exhibits: Sequence[Exhibit]) -> Iterator[Draft]:
    """One case per input; its name has the bug's flag, because two bugs may have the same bytes."""
    for one in exhibits:
        for text in one.inputs:
            whole = bytes_of(text)
            shown = spaced(whole) if len(whole) <= LONGEST_NAME_IN_HEX else text.replace("*", " x ")
            yield Draft(f"{one.flag}: {shown}", whole, (one.flag,), f"{one.flag}-{name_of(text)}")


def stream_drafts(exhibits: Sequence[Exhibit]) -> Iterator[Draft]:
    """One case per input, in pieces."""
    for one in exhibits:
        for text in one.inputs:
            pieces = tuple(bytes_of(piece) for piece in text.split("|"))
            yield Draft(f"{one.flag}: {text}", flags=(one.flag,), name=f"{one.flag}-{pieces_name(pieces)}", pieces=pieces)


def unit_drafts(exhibits: Sequence[Exhibit]) -> Iterator[Draft]:
    """One case per input, in code units."""
    for one in exhibits:
        for text in one.inputs:
            units = tuple(int(word, 16) for word in text.split())
            name = "-".join(text.lower().split())
            yield Draft(f"{one.flag}: {text}", flags=(one.flag,), name=f"{one.flag}-{name}", units=units)
