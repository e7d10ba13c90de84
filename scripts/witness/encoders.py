# SPDX-License-Identifier: MIT
"""The expected output of encoders, from code points or UTF-16 units, under every policy (Unicode 17.0, D92, D91)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

from . import faults
from .policies import (ERROR, ESCAPE, FULL, OK, PER_RUN, REPLACEMENT, SKIP, STRICT, SURROGATEESCAPE, Limited, Span,
                       require_offered, segments, spans)
from .rows import LEADS, TRAILS, Encoding


@dataclass(frozen=True)
class UnitError:
    """Units of the input that the encoding cannot hold."""

    offset: int
    length: int
    fault: str


@dataclass(frozen=True)
class Step:
    """One code point of the input, `length` units long, and its fault, if any."""

    offset: int
    length: int
    code_point: int
    fault: Optional[str]


def supplementary(left: int, right: Optional[int]) -> Optional[int]:
    """The character of a lead and a trail surrogate (Table 3-5); None if the units are no pair."""
    if right is None or not LEADS[0] <= left <= LEADS[1] or not TRAILS[0] <= right <= TRAILS[1]:
        return None
    return 0x10000 + (left - LEADS[0]) * 0x400 + right - TRAILS[0]


def steps_of_code_points(encoding: Encoding, units: Sequence[int]) -> List[Step]:
    """Reads 32-bit units. A unit without bytes in the encoding is an error (D76). A lead and a trail that must not be adjacent
    are one character (WTF-8, section 6.1), or the trail is an error (section 4.1)."""
    steps: List[Step] = []
    at = 0
    while at < len(units):
        unit, following = units[at], units[at + 1] if at + 1 < len(units) else None
        joined = supplementary(unit, following)
        if unit > faults.LAST_CODE_POINT:
            steps.append(Step(at, 1, unit, faults.OUT_OF_RANGE))
        elif encoding.encode(unit) is None:
            steps.append(Step(at, 1, unit, faults.SURROGATE))
        elif encoding.refuses_pairs and at > 0 and supplementary(units[at - 1], unit) is not None:
            steps.append(Step(at, 1, unit, faults.SURROGATE_PAIR))
        elif joined is not None and following is not None and not encoding.may_follow(unit, following):
            steps.append(Step(at, 2, joined, None))
        else:
            steps.append(Step(at, 1, unit, None))
        at += steps[-1].length
    return steps


def steps_of_utf16(encoding: Encoding, units: Sequence[int]) -> List[Step]:
    """Reads 16-bit units. A lead and the trail after it are one code point (Table 3-5); a lone surrogate is an error unless
    the encoding holds it (WTF-8, section 4.2)."""
    steps: List[Step] = []
    at = 0
    while at < len(units):
        unit, joined = units[at], supplementary(units[at], units[at + 1] if at + 1 < len(units) else None)
        if joined is not None:
            steps.append(Step(at, 2, joined, None))
        else:
            steps.append(Step(at, 1, unit, faults.UNPAIRED_SURROGATE if encoding.encode(unit) is None else None))
        at += steps[-1].length
    return steps


def errors(steps: Sequence[Step]) -> List[UnitError]:
    """The errors of the input, in order."""
    return [UnitError(step.offset, step.length, step.fault) for step in steps if step.fault is not None]


def stops(step: Step, policy: str) -> bool:
    """True if a policy stops at an error."""
    escaped = ESCAPE + 0x80 <= step.code_point <= ESCAPE + 0xFF
    return policy == STRICT or policy == SURROGATEESCAPE and not escaped


def events(encoding: Encoding, steps: Sequence[Step], policy: str) -> List[Tuple[Step, Optional[bytes]]]:
    """The bytes of each code point under a policy, written whole or not at all; None where the policy stops."""
    require_offered(encoding, policy)
    found: List[Tuple[Step, Optional[bytes]]] = []
    in_run = False
    for step in steps:
        if step.fault is None:
            output = encoding.encode(step.code_point)
        elif stops(step, policy):
            return found + [(step, None)]
        elif policy == SURROGATEESCAPE:
            output = bytes((step.code_point - ESCAPE,))
        elif policy == SKIP or policy == PER_RUN and in_run:
            output = b""
        else:
            output = encoding.encode(REPLACEMENT)
        in_run = step.fault is not None
        found.append((step, output))
    return found


def encode(encoding: Encoding, steps: Sequence[Step], policy: str) -> Tuple[bytes, Optional[int]]:
    """The bytes written, and the offset of the unit at which the policy stopped, if it did."""
    written = b""
    for step, output in events(encoding, steps, policy):
        if output is None:
            return written, step.offset
        written += output
    return written, None


def limited(encoding: Encoding, steps: Sequence[Step], policy: str, capacity: int) -> Limited:
    """The result of encoding into `capacity` bytes."""
    read = written = 0
    for step, output in events(encoding, steps, policy):
        if output is None:
            return Limited(capacity, read, written, ERROR)
        if written + len(output) > capacity:
            return Limited(capacity, read, written, FULL)
        read += step.length
        written += len(output)
    return Limited(capacity, read, written, OK)


class IllFormed(ValueError):
    """One of two strings is ill-formed: its index, and its first error."""

    def __init__(self, index: int, span: Span) -> None:
        """The index of the string, 0 or 1."""
        super().__init__(f"string {index}: {span.fault} at {span.offset}")
        self.index, self.span = index, span


def concatenate(encoding: Encoding, left: bytes, right: bytes) -> bytes:
    """Concatenates two well-formed strings. A lead and a trail that must not be adjacent are joined (WTF-8, section 6.5)."""
    for index, text in enumerate((left, right)):
        found = spans(encoding, text)
        if found:
            raise IllFormed(index, found[0])
    if not left or not right:
        return left + right
    last, first = segments(encoding, left)[-1], segments(encoding, right)[0]
    assert last.code_point is not None and first.code_point is not None
    joined = supplementary(last.code_point, first.code_point)
    if joined is None or encoding.may_follow(last.code_point, first.code_point):
        return left + right
    middle = encoding.encode(joined)
    assert middle is not None
    return left[:last.offset] + middle + right[first.length:]
