# SPDX-License-Identifier: MIT
"""How the museum keeps a bug: what kind it was, what it did, where it is on record, and the input that shows it."""

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
    """A real bug: flag, kind, what it did, links, and inputs written as hex (pieces with `|`, repetition with `*`)."""

    flag: str
    kind: str
    effect: str
    links: Tuple[str, ...]
    inputs: Tuple[str, ...]


def bytes_of(text: str) -> bytes:
    """Hex with spaces; `20*63` is 63 times the byte 20."""
    result = b""
    for word in text.split():
        unit, _, count = word.partition("*")
        result += bytes.fromhex(unit) * int(count or 1)
    return result


def name_of(text: str) -> str:
    """A name for an input: its hex if that is short, else its shorthand."""
    whole = bytes_of(text)
    return whole.hex() if len(whole) <= LONGEST_NAME_IN_HEX else "-".join(text.lower().replace("*", "x").split())


def notes_of(exhibits: Iterable[Exhibit]) -> Dict[str, Note]:
    """What the flags of these bugs mean."""
    return {one.flag: Note(one.kind, one.effect, one.links) for one in exhibits}


def decode_drafts(exhibits: Sequence[Exhibit]) -> Iterator[Draft]:
    """One case an input; the name holds the bug, because two bugs may show on the same bytes."""
    for one in exhibits:
        for text in one.inputs:
            whole = bytes_of(text)
            shown = spaced(whole) if len(whole) <= LONGEST_NAME_IN_HEX else text.replace("*", " x ")
            yield Draft(f"{one.flag}: {shown}", whole, (one.flag,), f"{one.flag}-{name_of(text)}")


def stream_drafts(exhibits: Sequence[Exhibit]) -> Iterator[Draft]:
    """One case an input, in its pieces."""
    for one in exhibits:
        for text in one.inputs:
            pieces = tuple(bytes_of(piece) for piece in text.split("|"))
            yield Draft(f"{one.flag}: {text}", flags=(one.flag,), name=f"{one.flag}-{pieces_name(pieces)}", pieces=pieces)


def unit_drafts(exhibits: Sequence[Exhibit]) -> Iterator[Draft]:
    """One case an input, in code units."""
    for one in exhibits:
        for text in one.inputs:
            units = tuple(int(word, 16) for word in text.split())
            name = "-".join(text.lower().split())
            yield Draft(f"{one.flag}: {text}", flags=(one.flag,), name=f"{one.flag}-{name}", units=units)
