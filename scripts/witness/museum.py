# SPDX-License-Identifier: MIT
"""Runs build/museum: which decoders with one mistake, and which lane mutants, do the vectors kill?"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Dict, Iterator, List, Sequence, Tuple

DECODERS, LANES = "decoders", "lanes"
KINDS = (DECODERS, LANES)
KILLED, SURVIVED, EQUIVALENT, ABSENT = "killed", "survived", "equivalent", "absent"

# A lane mutant's name: kind, aspect, block, lane, extent.
LANE = re.compile(r"([^/]+)/([^/]+)/([0-9]+)/([0-9]+)/(whole|rest)")


@dataclass(frozen=True)
class Mutant:
    """A mutant and its result; `by` is the first file that kills it, or the reason why no input can."""

    name: str
    state: str
    by: str
    field: str  # the field of the answer that differs
    sentence: str  # what it does


def run_mutants(program: Path, kind: str, vectors: Path, encoding: str, choice: Sequence[str] = ()) -> List[Mutant]:
    """Runs the mutants of a kind that are possible in the encoding. `choice`: globs of decoders' names, or N for every Nth lane mutant.
    Raises ValueError."""
    try:
        done = subprocess.run([str(program), kind, str(vectors), encoding, *choice], capture_output=True, text=True, check=False)
    except OSError as error:
        raise ValueError(f"{program} cannot be run: {error.strerror}; cmake --preset dev && cmake --build build makes it") from error
    if done.returncode != 0:
        raise ValueError(done.stderr.strip() or f"{program} ended with {done.returncode}")
    mutants = [Mutant(*line.split("\t")) for line in done.stdout.splitlines()]
    there = [one for one in mutants if one.state != ABSENT]
    if not there:
        raise ValueError(f"{encoding}: no mutant ran")
    return there


def survivors(mutants: List[Mutant]) -> List[Mutant]:
    """The mutants that the vectors do not kill, although some input does."""
    return [one for one in mutants if one.state == SURVIVED]


def ranges(numbers: List[int]) -> str:
    """`0-6, 9` for the numbers 0 to 6 and 9. If all numbers are even, a range means its even numbers."""
    parts: List[str] = []
    step = 1 if any(number % 2 for number in numbers) else 2
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - step * pair[0]):
        members = [number for _, number in run]
        parts.append(str(members[0]) if len(members) == 1 else f"{members[0]}-{members[-1]}")
    return ", ".join(parts)


def grouped(mutants: List[Mutant]) -> Iterator[str]:
    """One line per mutant; lane mutants that differ only in their lanes share a line."""
    lanes: Dict[Tuple[str, str, str, str], List[int]] = {}
    for one in mutants:
        match = LANE.fullmatch(one.name)
        if match is None:
            yield f"{one.name}: {one.sentence}"
        else:
            lanes.setdefault((match[1], match[2], match[3], match[5]), []).append(int(match[4]))
    for (kind, aspect, block, extent), found in lanes.items():
        place = f"blocks of {block}" if extent == "whole" else f"the rest after blocks of {block}"
        yield f"{kind}, {aspect}: {place}, lanes {ranges(found)}"


def names_by(mutants: List[Mutant], state: str) -> Dict[str, List[str]]:
    """The names of the mutants in a state, by `by`; the longest lists come first."""
    names: Dict[str, List[str]] = {}
    for one in mutants:
        if one.state == state:
            names.setdefault(one.by, []).append(one.name)
    return dict(sorted(names.items(), key=lambda item: -len(item[1])))


def figures(mutants: List[Mutant]) -> Dict[str, Any]:
    """All results, for JSON output."""
    return {"mutants": len(mutants), "killed": names_by(mutants, KILLED), "equivalent": names_by(mutants, EQUIVALENT),
            "survivors": [one.name for one in survivors(mutants)]}
