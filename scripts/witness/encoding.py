# SPDX-License-Identifier: MIT
"""What an encoder must give, from code points or from UTF-16 units, under every policy (Unicode 17.0, D92, D91)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

from . import faults
from .policies import ERROR, ESCAPE, FULL, OK, PER_RUN, POLICIES, REPLACEMENT, SKIP, STRICT, SURROGATEESCAPE, Limited
from .rows import Encoding


@dataclass(frozen=True)
class UnitError:
    """Units of the input that the encoding cannot hold."""

    offset: int
    length: int
    fault: str


@dataclass(frozen=True)
class Step:
    """One code point of the input, `length` units long, with what is wrong with it."""

    offset: int
    length: int
    code_point: int
    fault: Optional[str]


def steps_of_code_points(units: Sequence[int]) -> List[Step]:
    """Reads 32-bit units: all but scalar values (D76) are errors."""
    steps = []
    for offset, unit in enumerate(units):
        fault = None
        if unit > faults.LAST_CODE_POINT:
            fault = faults.OUT_OF_RANGE
        elif faults.SURROGATES[0] <= unit <= faults.SURROGATES[1]:
            fault = faults.SURROGATE
        steps.append(Step(offset, 1, unit, fault))
    return steps


def steps_of_utf16(units: Sequence[int]) -> List[Step]:
    """Reads 16-bit units: a high surrogate and the low one that follows are one code point (Table 3-5)."""
    steps = []
    at = 0
    while at < len(units):
        unit = units[at]
        low = units[at + 1] - 0xDC00 if at + 1 < len(units) else -1
        if unit >> 11 != 0x1B:
            steps.append(Step(at, 1, unit, None))
        elif unit < 0xDC00 and 0 <= low < 0x400:
            steps.append(Step(at, 2, 0x10000 + (unit - 0xD800) * 0x400 + low, None))
        else:
            steps.append(Step(at, 1, unit, faults.UNPAIRED_SURROGATE))
        at += steps[-1].length
    return steps


def errors(steps: Sequence[Step]) -> List[UnitError]:
    """Every error of the input, in order."""
    return [UnitError(step.offset, step.length, step.fault) for step in steps if step.fault is not None]


def stops(step: Step, policy: str) -> bool:
    """Whether a policy stops at an error, for want of anything to write."""
    escaped = ESCAPE + 0x80 <= step.code_point <= ESCAPE + 0xFF
    return policy == STRICT or policy == SURROGATEESCAPE and not escaped


def events(encoding: Encoding, steps: Sequence[Step], policy: str) -> List[Tuple[Step, Optional[bytes]]]:
    """The bytes of each code point under a policy, written together or not at all; None where the policy stops."""
    if policy not in POLICIES:
        raise ValueError(f"no policy is called {policy!r}")
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
    """Encoding into room for `capacity` bytes."""
    read = written = 0
    for step, output in events(encoding, steps, policy):
        if output is None:
            return Limited(capacity, read, written, ERROR)
        if written + len(output) > capacity:
            return Limited(capacity, read, written, FULL)
        read += step.length
        written += len(output)
    return Limited(capacity, read, written, OK)
