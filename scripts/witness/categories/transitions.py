# SPDX-License-Identifier: MIT
"""Every state of the scanner, then the first and last byte of each run that it treats alike, and what completes that."""

from __future__ import annotations

from typing import Iterator, List, Tuple

from ..automaton import REJECT
from ..cases import Draft
from ..policies import machine
from ..rows import RELATIVES, Encoding
from ..samples import greatest_completion, least_completion, spaced, surrogates, written

ENCODINGS = RELATIVES


def ends_of_runs(encoding: Encoding) -> List[Tuple[int, bool]]:
    """The bytes at which a class begins or ends, and whether it begins there."""
    classes = machine(encoding).classes
    begins = [byte == 0 or classes[byte - 1] != classes[byte] for byte in range(256)]
    return [(byte, begins[byte]) for byte in range(256) if begins[byte] or byte == 255 or begins[byte + 1]]


def cases(encoding: Encoding) -> Iterator[Draft]:
    """The least string that leads to a state, one more byte, and what completes it, or shows that it was refused."""
    automaton = machine(encoding)
    for state in range(automaton.state_count):
        if state == REJECT:
            continue
        access = automaton.access[state]
        for byte, begins in ends_of_runs(encoding):
            text = access + bytes((byte,))
            taken = automaton.delta[state][byte] != REJECT
            comment = f"{byte:02X} after {spaced(access)}" if access else f"{byte:02X} at the start"
            endings = after_taken(encoding, text) if taken else after_refused(encoding)
            for end in endings if begins else endings[:1]:
                whole = text + end
                yield Draft(comment, whole, name=whole.hex())


def after_taken(encoding: Encoding, text: bytes) -> List[bytes]:
    """The greatest and the least bytes that complete a character, and a trail surrogate after that."""
    least = least_completion(encoding, text)
    return [greatest_completion(encoding, text), least, least + surrogates(encoding, 0xDC00) + written(encoding, "A")]


def after_refused(encoding: Encoding) -> List[bytes]:
    """What would come to light if a byte that is refused were taken."""
    hidden = (b"\x80\x80\x80", b"\xB0\x80") if encoding.unit == 1 else (b"\xDC\xDC", b"\x41\x00")
    return [end + written(encoding, "A") for end in (b"", *hidden)]
