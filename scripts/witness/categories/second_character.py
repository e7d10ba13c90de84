# SPDX-License-Identifier: MIT
"""What begins right after a character, by every way in which one ends: a decoder must be there as it was at the start."""

from __future__ import annotations

from typing import Iterator

from ..automaton import REJECT
from ..cases import Draft
from ..policies import machine
from ..rows import Encoding
from ..samples import spaced

# What completes a sequence, or shows one that was never begun, in each of the states that ask for different bytes.
ENDINGS = (b"\x80\x80\x80A", b"\x90\x80\x80A", b"\xA0\x80\x80A", b"\xBF\xBF\xBFA")


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Each state and class of bytes that end a character, then each class, then each ending."""
    automaton = machine(encoding)
    classes = automaton.representatives()
    for state in range(automaton.state_count):
        for last in classes:
            if state == REJECT or not automaton.between[automaton.delta[state][last]]:
                continue
            character = automaton.access[state] + bytes((last,))
            for first in classes:
                for ending in ENDINGS:
                    text = character + bytes((first,)) + ending
                    yield Draft(f"{first:02X} after {spaced(character)}, then {spaced(ending)}", text)
