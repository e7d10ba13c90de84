# SPDX-License-Identifier: MIT
"""Mutants of an automaton, and which of them a set of inputs kills.

Three families are those of the literature on table-driven decoders: one transition on one byte is wrong; one byte is
in the wrong class; one transition on a whole class is wrong. The fourth has one state more than the standard: a copy
of a state, reached by one transition, with one of its own transitions wrong.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import Callable, Dict, FrozenSet, Iterable, Iterator, List, Optional, Sequence, Set, Tuple

from .automaton import ACCEPT, REJECT, Automaton

Edge = Tuple[int, int]  # a state and a byte
Delta = Sequence[Sequence[int]]

TRANSITION, CLASS_MAP, CLASS_TRANSITION, EXTRA_STATE = "transition", "class-map", "class-transition", "extra-state"
FAMILIES = (TRANSITION, CLASS_MAP, CLASS_TRANSITION, EXTRA_STATE)


@dataclass(frozen=True)
class Mutant:
    """The changed entries. `extra`: the state that the added state copies, if one is added."""

    changes: Tuple[Tuple[Edge, int], ...]
    first_edges: Tuple[Edge, ...]  # of the real automaton; a run without any of them is the same in both
    extra: int = -1

    def table(self, delta: Delta) -> Delta:
        """The transition table of the mutant; unchanged rows are the objects of `delta`."""
        rows: List[Sequence[int]] = list(delta)
        if self.extra >= 0:
            rows.append(delta[self.extra])
        copies: Dict[int, List[int]] = {}
        for (state, byte), target in self.changes:
            if state not in copies:
                rows[state] = copies[state] = list(rows[state])
            copies[state][byte] = target
        return rows


def working_states(automaton: Automaton) -> List[int]:
    """All states but the refusing one."""
    return [state for state in range(automaton.state_count) if state != REJECT]


def bytes_of_classes(automaton: Automaton) -> List[List[int]]:
    """The bytes of each class."""
    return [[byte for byte in range(256) if automaton.classes[byte] == number] for number in range(automaton.class_count)]


def transition_mutants(automaton: Automaton) -> Iterator[Mutant]:
    """One transition on one byte leads elsewhere: for UTF-8, 8 x 256 x 8."""
    for state in working_states(automaton):
        for byte in range(256):
            for target in range(automaton.state_count):
                if target != automaton.delta[state][byte]:
                    yield Mutant((((state, byte), target),), ((state, byte),))


def class_map_mutants(automaton: Automaton) -> Iterator[Mutant]:
    """One byte has another class: for UTF-8, 256 x 11."""
    states = working_states(automaton)
    for byte in range(256):
        for number, representative in enumerate(automaton.representatives()):
            if number != automaton.classes[byte]:
                changes = tuple(((state, byte), automaton.delta[state][representative]) for state in states
                                if automaton.delta[state][representative] != automaton.delta[state][byte])
                yield Mutant(changes, tuple(edge for edge, _ in changes))


def class_transition_mutants(automaton: Automaton) -> Iterator[Mutant]:
    """One transition on all bytes of a class leads elsewhere: for UTF-8, 8 x 12 x 8."""
    for state in working_states(automaton):
        for members in bytes_of_classes(automaton):
            for target in range(automaton.state_count):
                if target != automaton.delta[state][members[0]]:
                    edges = tuple((state, byte) for byte in members)
                    yield Mutant(tuple((edge, target) for edge in edges), edges)


def extra_state_mutants(automaton: Automaton) -> Iterator[Mutant]:
    """A copy of a state, reached on one class from one state, is wrong on one class: for UTF-8, 8 x 12 x 12 x 8."""
    new, classes = automaton.state_count, bytes_of_classes(automaton)
    for state in working_states(automaton):
        for members in classes:
            original = automaton.delta[state][members[0]]
            entrance = tuple(((state, byte), new) for byte in members)
            for wrong in classes:
                for target in range(automaton.state_count):
                    if target != automaton.delta[original][wrong[0]]:
                        yield Mutant(entrance + tuple(((new, byte), target) for byte in wrong),
                                     tuple(edge for edge, _ in entrance), original)


MAKERS = {TRANSITION: transition_mutants, CLASS_MAP: class_map_mutants, CLASS_TRANSITION: class_transition_mutants,
          EXTRA_STATE: extra_state_mutants}


def equivalent(automaton: Automaton, table: Delta, extra: int = -1) -> bool:
    """True if a mutant accepts the same language. An added state is a copy of `extra`."""
    delta, whole = automaton.delta, (*automaton.whole, automaton.whole[extra])
    seen = {(ACCEPT, ACCEPT)}
    pending = deque(seen)
    while pending:
        real, other = pending.popleft()
        if whole[real] != whole[other]:
            return False
        same = other < len(delta) and table[other] is delta[other]
        for pair in (automaton.pairs[real, other] if same else set(zip(delta[real], table[other]))) - seen:
            seen.add(pair)
            pending.append(pair)
    return True


def verdict(automaton: Automaton, table: Delta, text: bytes, extra: int = -1, taken: Optional[Set[Edge]] = None) -> bool:
    """True if an automaton with this table accepts the bytes. Adds the edges on the way to `taken`."""
    state = ACCEPT
    for byte in text:
        if taken is not None:
            taken.add((state, byte))
        state = table[state][byte]
        if state == REJECT:
            return False
    return automaton.whole[state if state < len(automaton.whole) else extra]


def outcome(scanner: Automaton, table: Delta, text: bytes, extra: int = -1, taken: Optional[Set[Edge]] = None,
            unit: int = 1) -> List[Tuple[int, bool]]:
    """The end of each character and each error, for a decoder that walks the scanner: this covers verdict, offsets and output."""
    between, back = (*scanner.between, scanner.between[extra]), (*scanner.back, scanner.back[extra])
    half_is_character = any(whole and held == 0 for whole, held in zip(scanner.whole, scanner.back))
    found: List[Tuple[int, bool]] = []
    state, start, at = ACCEPT, 0, 0
    while start < len(text):
        ends = at == len(text)
        if not ends and taken is not None:
            taken.add((state, text[at]))
        following = REJECT if ends else table[state][text[at]]
        if following != REJECT:
            at += 1
            state = following
            if between[state]:
                found.append((at, True))
                start = at
            continue
        half = back[state]
        if half is not None and (half_is_character or not ends):
            end, character = max(at - half, start + 1), half_is_character
        else:
            end, character = at if ends else max(at + 1 - unit, start + unit), False
        found.append((end, character))
        start, at, state = end, end, ACCEPT
    return found


class Killer:
    """A set of inputs, indexed by the edges of the real automaton that each input uses."""

    def __init__(self, automaton: Automaton, texts: Iterable[bytes], by_verdict: bool, unit: int = 1) -> None:
        """Runs each input through the real automaton once."""
        self.automaton = automaton
        self.judge: Callable = verdict if by_verdict else partial(outcome, unit=unit)
        self.by_edge: Dict[Edge, List[bytes]] = {}
        self.expected: Dict[bytes, object] = {}
        for text in sorted(set(texts), key=lambda one: (len(one), one)):
            taken: Set[Edge] = set()
            self.expected[text] = self.judge(automaton, automaton.delta, text, taken=taken)
            for edge in taken:
                self.by_edge.setdefault(edge, []).append(text)

    def kills(self, mutant: Mutant) -> bool:
        """True if some input has another answer than with the real automaton."""
        table = mutant.table(self.automaton.delta)
        candidates = (text for edge in mutant.first_edges for text in self.by_edge.get(edge, ()))
        return any(self.judge(self.automaton, table, text, mutant.extra) != self.expected[text] for text in candidates)


@dataclass(frozen=True)
class Rate:
    """The numbers of mutants, of equivalent mutants, and of killed ones."""

    mutants: int
    equivalent: int
    killed: int

    @property
    def percent(self) -> float:
        """The percentage of the mutants that are not equivalent; 100 where all are."""
        return 100 * self.killed / (self.mutants - self.equivalent) if self.mutants > self.equivalent else 100


def equivalents(automaton: Automaton, family: str) -> FrozenSet[int]:
    """The indexes, in the family, of the equivalent mutants."""
    return frozenset(index for index, mutant in enumerate(MAKERS[family](automaton))
                     if equivalent(automaton, mutant.table(automaton.delta), mutant.extra))


def rate(automaton: Automaton, family: str, same: FrozenSet[int], killer: Killer) -> Rate:
    """The kill rate of a set of inputs for a family."""
    mutants = list(MAKERS[family](automaton))
    killed = sum(index not in same and killer.kills(mutant) for index, mutant in enumerate(mutants))
    return Rate(len(mutants), len(same), killed)
