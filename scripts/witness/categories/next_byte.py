# SPDX-License-Identifier: MIT
"""Every byte at every point of a character: each state of the minimal automaton, then each of the 256 bytes."""

from __future__ import annotations

from typing import Iterator

from ..automaton import REJECT
from ..cases import Draft
from ..policies import machine
from ..rows import Encoding
from ..samples import shortest_end, spaced


def cases(encoding: Encoding) -> Iterator[Draft]:
    """The least string that leads to a state, one more byte, and the least that completes the character."""
    automaton = machine(encoding)
    for state in range(automaton.state_count):
        if state == REJECT:
            continue
        access = automaton.access[state]
        for byte in range(256):
            text = access + bytes((byte,))
            taken = automaton.delta[state][byte] != REJECT
            after = f"after {spaced(access)}" if access else "at the start"
            comment = f"{byte:02X} {after}, which {'takes' if taken else 'refuses'} it"
            yield Draft(comment, text + (shortest_end(encoding, text) if taken else b"A"))
