# SPDX-License-Identifier: MIT
"""Every state of the scanner, then the first and last byte of each run that it treats alike, and what completes that."""

from __future__ import annotations

from typing import Iterator, List

from ..automaton import REJECT
from ..cases import Draft
from ..policies import machine
from ..rows import RELATIVES, Encoding
from ..samples import greatest_end, least_end, spaced, surrogates, written

ENCODINGS = RELATIVES

# What would come to light if a byte that is refused were taken, by the size of code units.
AFTER_REFUSED = {1: (b"\x80\x80\x80", b"\xB0\x80"), 2: (b"\xDC\xDC", b"\x41\x00")}


def ends_of_runs(encoding: Encoding) -> List[int]:
    """The bytes at which a class begins or ends."""
    classes = machine(encoding).classes
    return [byte for byte in range(256) if byte in (0, 255) or classes[byte - 1] != classes[byte]
            or classes[byte] != classes[byte + 1]]


def cases(encoding: Encoding) -> Iterator[Draft]:
    """The least string that leads to a state, one more byte, and then the least and greatest that completes it, or A."""
    automaton = machine(encoding)
    for state in range(automaton.state_count):
        if state == REJECT:
            continue
        access = automaton.access[state]
        for byte in ends_of_runs(encoding):
            text = access + bytes((byte,))
            after = f"after {spaced(access)}" if access else "at the start"
            if automaton.delta[state][byte] == REJECT:
                for end in (b"", *AFTER_REFUSED[encoding.unit]):
                    yield draft(f"{byte:02X} {after}, which refuses it", text + end + written(encoding, "A"))
            else:
                least, greatest = least_end(encoding, text), greatest_end(encoding, text)
                for end in (least, greatest, least + surrogates(encoding, 0xDC00) + written(encoding, "A")):
                    yield draft(f"{byte:02X} {after}, which takes it", text + end)


def draft(comment: str, text: bytes) -> Draft:
    """A case named by its bytes."""
    return Draft(comment, text, name=text.hex())
