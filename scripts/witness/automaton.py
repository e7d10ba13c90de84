# SPDX-License-Identifier: MIT
"""Derives minimal automata from the rows of an encoding; one byte is one step (Unicode 17.0, D92).

Each encoding has two automata, which are equal for UTF-8. The *scanner* finds the next character: where it refuses, a
character or an error ends, and it starts again. The *language* accepts exactly the well-formed texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Dict, FrozenSet, Hashable, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from .rows import ANYWHERE, ByteRange, Encoding

ACCEPT = 0
REJECT = 1


class Rest(NamedTuple):
    """The rest of a sequence, the context after it, and the number of bytes that its first half still needs."""

    ranges: Tuple[ByteRange, ...]
    leaves: int
    to_half: Optional[int]


class Place(NamedTuple):
    """The state of a scanner: possible rests; the number of bytes since a first half was complete, if one was; bytes of a unit."""

    rests: FrozenSet[Rest]
    back: Optional[int]
    phase: int


NOWHERE = Place(frozenset(), None, 0)


@dataclass(frozen=True)
class Automaton:
    """States are numbers; 0 is the start, 1 refuses; `access[s]` is the least string that leads to s.

    `whole[s]`: a text may end in s. `between[s]`: s is between characters. `back[s]`: the number of bytes after a lead
    surrogate that is complete in s, or None; if s refuses, the surrogate is a character or an error of its own, and those bytes
    are read again.
    """

    delta: Tuple[Tuple[int, ...], ...]
    access: Tuple[bytes, ...]
    classes: Tuple[int, ...]
    whole: Tuple[bool, ...]
    between: Tuple[bool, ...]
    back: Tuple[Optional[int], ...]

    @property
    def state_count(self) -> int:
        """The number of states, the refusing one included."""
        return len(self.delta)

    @property
    def class_count(self) -> int:
        """The number of classes of bytes that all states treat alike."""
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

    def held(self, state: int) -> bytes:
        """The bytes of the access string of a state after its last character; none between characters. They may begin with a complete
        lead surrogate (see `back`), and those of the refusing state end with the byte that it refuses."""
        access, at = self.access[state], ACCEPT
        start = 0
        for index, byte in enumerate(access, 1):
            at = self.delta[at][byte]
            start = index if self.between[at] else start
        return access[start:]

    def representatives(self) -> List[int]:
        """The least byte of each class."""
        return [self.classes.index(number) for number in range(self.class_count)]

    def renumbered(self, states: Sequence[int], classes: Sequence[int]) -> Automaton:
        """The same automaton with new numbers: state `new` was `states[new]`, class `new` was `classes[new]`."""
        new_state = {old: new for new, old in enumerate(states)}
        new_class = {old: new for new, old in enumerate(classes)}
        return Automaton(
            tuple(tuple(new_state[target] for target in self.delta[old]) for old in states),
            tuple(self.access[old] for old in states),
            tuple(new_class[number] for number in self.classes),
            tuple(self.whole[old] for old in states),
            tuple(self.between[old] for old in states),
            tuple(self.back[old] for old in states))


def begin(encoding: Encoding, context: int) -> Place:
    """The state between characters, in a context."""
    return Place(frozenset(Rest(row.ranges, row.leaves, row.half or None) for row in encoding.read_rows
                           if context in row.stands), None, 0)


def step(encoding: Encoding, place: Place, byte: int) -> Place:
    """The state after one more byte (Brzozowski's derivative, for sets of range sequences)."""
    if place == NOWHERE:
        return NOWHERE
    rests = frozenset(Rest(rest.ranges[1:], rest.leaves, rest.to_half and rest.to_half - 1) for rest in place.rests
                      if rest.ranges and rest.ranges[0][0] <= byte <= rest.ranges[0][1])
    phase = (place.phase + 1) % encoding.unit
    ended = [rest for rest in rests if not rest.ranges]
    if ended and len(rests) == 1:
        return begin(encoding, ended[0].leaves)
    if any(rest.to_half == 0 for rest in rests) and place.back is None:
        return Place(rests, 0, phase)
    if not rests and not phase:
        return NOWHERE
    return Place(rests, None if place.back is None else place.back + 1, phase)


class Draft(NamedTuple):
    """An automaton before minimisation: transitions, access strings, and the place of each state."""

    delta: List[List[int]]
    access: List[bytes]
    places: List[Place]


def explore(encoding: Encoding) -> Draft:
    """Finds all places, breadth first, and the least access string of each."""
    order = [begin(encoding, ANYWHERE), NOWHERE]
    numbers: Dict[Place, int] = {place: number for number, place in enumerate(order)}
    access: List[bytes] = [b"", b""]
    delta: List[List[int]] = []
    for place in order:  # grows during the loop
        row = []
        for byte in range(256):
            target = step(encoding, place, byte)
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
                access.append(access[len(delta)] + bytes((byte,)))
            if numbers[target] == REJECT and not access[REJECT] and place is not NOWHERE:
                access[REJECT] = access[len(delta)] + bytes((byte,))
            row.append(numbers[target])
        delta.append(row)
    return Draft(delta, access, order)


def minimal_blocks(delta: Sequence[Sequence[int]], kinds: Sequence[Hashable]) -> List[int]:
    """The block of each state after Moore's refinement of the partition by kind."""
    order = list(dict.fromkeys(kinds))
    blocks = [order.index(kind) for kind in kinds]
    while True:
        signatures = [(blocks[s], tuple(blocks[t] for t in delta[s])) for s in range(len(delta))]
        found = list(dict.fromkeys(signatures))
        refined = [found.index(signature) for signature in signatures]
        if len(found) == len(set(blocks)):
            return refined
        blocks = refined


def byte_classes(delta: Sequence[Sequence[int]]) -> Tuple[int, ...]:
    """The class of each byte: two bytes share a class exactly if all states treat them alike."""
    columns = [tuple(row[byte] for row in delta) for byte in range(256)]
    order = list(dict.fromkeys(columns))
    return tuple(order.index(column) for column in columns)


def merged(delta: Sequence[Sequence[int]], access: Sequence[bytes], kinds: Sequence[Tuple]) -> Automaton:
    """The minimal automaton. The kind of a state has `whole`, `between`, `back`, and whatever else keeps states apart."""
    blocks = minimal_blocks(delta, kinds)
    kept = [blocks.index(block) for block in range(max(blocks) + 1)]
    small = tuple(tuple(blocks[target] for target in delta[state]) for state in kept)
    whole, between, back = zip(*(kinds[state][:3] for state in kept))
    return Automaton(small, tuple(access[state] for state in kept), byte_classes(small), whole, between, back)


def is_whole(encoding: Encoding, place: Place) -> bool:
    """True if a text may end there: between characters, or after one that more bytes could have changed."""
    return is_between(encoding, place) or any(not rest.ranges for rest in place.rests)


def is_between(encoding: Encoding, place: Place) -> bool:
    """True if the place is between characters, in any context."""
    contexts = {row.leaves for row in encoding.rows} | {ANYWHERE}
    return any(place == begin(encoding, context) for context in contexts)


@lru_cache(maxsize=None)
def scanner_of(encoding: Encoding) -> Automaton:
    """The minimal scanner of an encoding, states and classes numbered in order of discovery."""
    draft = explore(encoding)
    return merged(draft.delta, draft.access, [
        (is_whole(encoding, place), is_between(encoding, place), place.back, place.phase, place == NOWHERE)
        for place in draft.places])


@lru_cache(maxsize=None)
def automaton_of(encoding: Encoding) -> Automaton:
    """The minimal automaton of the well-formed texts: where the scanner only ends a character, this one continues."""
    scanner = scanner_of(encoding)

    def after(state: int, byte: int) -> int:
        """The state of the scanner after a byte and after all bytes that it then reads again."""
        back, access = scanner.back[state], scanner.access[state]
        target = scanner.delta[state][byte]
        if target != REJECT or back is None or encoding.decode(scanner.held(state)[:len(scanner.held(state)) - back]) is None:
            return target
        again = ACCEPT
        for one in access[len(access) - back:] + bytes((byte,)):
            again = after(again, one)
        return again

    delta = [[after(state, byte) for byte in range(256)] for state in range(scanner.state_count)]
    return merged(delta, scanner.access, [(whole, whole, None) for whole in scanner.whole])
