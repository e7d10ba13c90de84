# SPDX-License-Identifier: MIT
"""From rows to the minimal automaton that takes exactly their sequences, one byte a step (Unicode 17.0, D92)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Dict, FrozenSet, Iterable, List, Sequence, Tuple

from .rows import ByteRange, Encoding

ACCEPT = 0
REJECT = 1

# What may still come: each tuple is the byte ranges that would complete a sequence.
Residual = FrozenSet[Tuple[ByteRange, ...]]
NOTHING: Residual = frozenset()
DONE: Residual = frozenset({()})


@dataclass(frozen=True)
class Automaton:
    """States are numbered; 0 is between characters, 1 refuses; `access[s]` is the least string that leads to s."""

    delta: Tuple[Tuple[int, ...], ...]
    access: Tuple[bytes, ...]
    classes: Tuple[int, ...]

    @property
    def state_count(self) -> int:
        """How many states there are, with the one that refuses."""
        return len(self.delta)

    @property
    def class_count(self) -> int:
        """How many classes of bytes that no state tells apart."""
        return max(self.classes) + 1

    @cached_property
    def pairs(self) -> Dict[Tuple[int, int], FrozenSet[Tuple[int, int]]]:
        """The pairs of states that follow each pair of states, on any byte."""
        states = range(self.state_count)
        return {(left, right): frozenset(zip(self.delta[left], self.delta[right])) for left in states for right in states}

    def walk(self, bytes_: Iterable[int], state: int = ACCEPT) -> int:
        """The state after these bytes."""
        for byte in bytes_:
            state = self.delta[state][byte]
        return state

    def representatives(self) -> List[int]:
        """The least byte of each class."""
        return [self.classes.index(number) for number in range(self.class_count)]

    def renumbered(self, states: Sequence[int], classes: Sequence[int]) -> Automaton:
        """The same automaton, with old state `states[new]` and old class `classes[new]` under the new numbers."""
        new_state = {old: new for new, old in enumerate(states)}
        new_class = {old: new for new, old in enumerate(classes)}
        return Automaton(
            tuple(tuple(new_state[target] for target in self.delta[old]) for old in states),
            tuple(self.access[old] for old in states),
            tuple(new_class[number] for number in self.classes))


def derivative(residual: Residual, byte: int) -> Residual:
    """What may still come after one more byte (Brzozowski's derivative, for sets of range sequences)."""
    return frozenset(
        ranges[1:] for ranges in residual if ranges and ranges[0][0] <= byte <= ranges[0][1])


def explore(encoding: Encoding) -> Tuple[List[List[int]], List[bytes]]:
    """The automaton of residuals, breadth first, with the least access string of each state."""
    start: Residual = frozenset(row.ranges for row in encoding.rows)
    numbers: Dict[Residual, int] = {start: ACCEPT, NOTHING: REJECT}
    order = [start, NOTHING]
    access = [b"", b""]
    delta: List[List[int]] = []
    at = 0
    while at < len(order):
        row = []
        for byte in range(256):
            target = derivative(order[at], byte)
            target = start if target == DONE else target
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
                access.append(access[at] + bytes((byte,)))
            row.append(numbers[target])
        delta.append(row)
        at += 1
    first_refused = delta[ACCEPT].index(REJECT)
    access[REJECT] = bytes((first_refused,))
    return delta, access


def minimal_blocks(delta: Sequence[Sequence[int]]) -> List[int]:
    """The block of each state under Moore's refinement, from the partition {start}, {reject}, {others}."""
    blocks = [min(state, 2) for state in range(len(delta))]
    while True:
        signatures = [(blocks[s], tuple(blocks[t] for t in delta[s])) for s in range(len(delta))]
        order = list(dict.fromkeys(signatures))
        refined = [order.index(signature) for signature in signatures]
        if len(order) == len(set(blocks)):
            return refined
        blocks = refined


def byte_classes(delta: Sequence[Sequence[int]]) -> Tuple[int, ...]:
    """The class of each byte: two bytes share one exactly when no state tells them apart."""
    columns = [tuple(row[byte] for row in delta) for byte in range(256)]
    order = list(dict.fromkeys(columns))
    return tuple(order.index(column) for column in columns)


def automaton_of(encoding: Encoding) -> Automaton:
    """The minimal automaton of an encoding, states and classes numbered in order of discovery."""
    delta, access = explore(encoding)
    blocks = minimal_blocks(delta)
    kept = [blocks.index(block) for block in range(max(blocks) + 1)]
    small = tuple(tuple(blocks[target] for target in delta[state]) for state in kept)
    return Automaton(small, tuple(access[state] for state in kept), byte_classes(small))
