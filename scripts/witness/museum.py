# SPDX-License-Identifier: MIT
"""The mutants of harnesses/museum, decoders with one mistake and lane mutants, and which of them the vectors kill."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

DECODERS, LANES = "decoders", "lanes"
SHELVES = (DECODERS, LANES)
KILLED, SURVIVED, EQUIVALENT, ABSENT = "killed", "survived", "equivalent", "absent"

# A lane mutant's name: kind, aspect, block, lane, extent.
LANE = re.compile(r"([^/]+)/([^/]+)/([0-9]+)/([0-9]+)/(whole|rest)")


@dataclass(frozen=True)
class Mutant:
    """What became of a mutant; `by` is the file that kills it first, or the reason why nothing can."""

    name: str
    state: str
    by: str
    field: str  # in which it differs there
    sentence: str  # what it does


def shoot(program: Path, shelf: str, vectors: Path, encoding: str, stride: int = 1) -> List[Mutant]:
    """Every `stride`th mutant of a shelf; those that cannot be made in the encoding are left out. Raises ValueError."""
    try:
        done = subprocess.run([str(program), shelf, str(vectors), encoding, str(stride)], capture_output=True, text=True, check=False)
    except OSError as error:
        raise ValueError(f"{program} cannot be run: {error.strerror}; cmake --preset dev && cmake --build build makes it") from error
    if done.returncode != 0:
        raise ValueError(done.stderr.strip() or f"{program} ended with {done.returncode}")
    mutants = [Mutant(*line.split("\t")) for line in done.stdout.splitlines()]
    there = [one for one in mutants if one.state != ABSENT]
    if not there:
        raise ValueError(f"{encoding}: no mutant was put to the vectors")
    return there


def survivors(mutants: List[Mutant]) -> List[Mutant]:
    """Those that the vectors do not tell from the right decoder, though some input does."""
    return [one for one in mutants if one.state == SURVIVED]


def ranges(numbers: List[int]) -> str:
    """`0-6, 9` for 0 to 6 and 9; where all are even, so are those of a range."""
    parts: List[str] = []
    step = 1 if any(number % 2 for number in numbers) else 2
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - step * pair[0]):
        members = [number for _, number in run]
        parts.append(str(members[0]) if len(members) == 1 else f"{members[0]}-{members[-1]}")
    return ", ".join(parts)


def grouped(mutants: List[Mutant]) -> Iterator[str]:
    """A line for each mutant; lane mutants that differ in their lanes share one."""
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
    """The names of those in a state: by the file that kills them first, the first ones first, or by the reason."""
    names: Dict[str, List[str]] = {}
    for one in mutants:
        if one.state == state:
            names.setdefault(one.by, []).append(one.name)
    return dict(sorted(names.items(), key=lambda item: -len(item[1])))


def figures(mutants: List[Mutant]) -> Dict[str, Any]:
    """What became of all of them, for a program."""
    return {"mutants": len(mutants), "killed": names_by(mutants, KILLED), "equivalent": names_by(mutants, EQUIVALENT),
            "survivors": [one.name for one in survivors(mutants)]}
