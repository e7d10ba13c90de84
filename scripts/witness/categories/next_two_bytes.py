# SPDX-License-Identifier: MIT
"""Every two classes of bytes at every point of a character: each state of the minimal automaton, then 12 x 12 classes."""

from __future__ import annotations

from typing import Iterator, Tuple

from ..automaton import ACCEPT, REJECT
from ..cases import Draft
from ..policies import machine
from ..rows import Encoding
from ..samples import greatest_completion, spaced


def cases(encoding: Encoding) -> Iterator[Draft]:
    """The least string that leads to a state, two representatives of classes, and what completes the last character."""
    automaton = machine(encoding)
    classes = automaton.representatives()
    for state in range(automaton.state_count):
        if state == REJECT:
            continue
        access = automaton.access[state]
        for first in classes:
            for second in classes:
                text = access + bytes((first, second))
                where = f"after {spaced(access)}" if access else "at the start"
                yield Draft(f"{first:02X} and {second:02X} {where}", text + end_of(encoding, text))


def end_of(encoding: Encoding, text: bytes) -> bytes:
    """What completes the character that a decoder is in the middle of after these bytes; A if it is in none."""
    automaton, state = machine(encoding), ACCEPT
    unfinished: Tuple[int, ...] = ()
    for byte in text:
        refused = automaton.delta[state][byte] == REJECT
        unfinished = (byte,) if refused else (*unfinished, byte)
        state = automaton.delta[ACCEPT][byte] if refused else automaton.delta[state][byte]
        if state in (ACCEPT, REJECT):
            state, unfinished = ACCEPT, ()
    return greatest_completion(encoding, bytes(unfinished)) if unfinished else b"A"
