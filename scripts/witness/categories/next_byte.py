# SPDX-License-Identifier: MIT
"""Every byte at every point of a character: each state of the minimal automaton, then each of the 256 bytes."""

from __future__ import annotations

from typing import Iterator

from ..automaton import ACCEPT, REJECT
from ..cases import Draft
from ..policies import machine
from ..rows import Encoding
from ..samples import greatest_completion, least_completion, spaced

AFTER_LEAD = b"\xBF\xBF\xBF"  # what would come to light if a byte that begins nothing were taken for a lead


def cases(encoding: Encoding) -> Iterator[Draft]:
    """The least string that leads to a state, one more byte, and then the least and greatest that completes it, or A."""
    automaton = machine(encoding)
    for state in range(automaton.state_count):
        if state == REJECT:
            continue
        access = automaton.access[state]
        for byte in range(256):
            text = access + bytes((byte,))
            taken = automaton.delta[state][byte] != REJECT
            comment = f"{byte:02X} after {spaced(access)}" if access else f"{byte:02X} at the start"
            yield Draft(comment, text + (least_completion(encoding, text) if taken else b"A"))
            if taken:
                yield Draft(comment, text + greatest_completion(encoding, text))
            elif state == ACCEPT:
                yield Draft(comment, text + AFTER_LEAD)
