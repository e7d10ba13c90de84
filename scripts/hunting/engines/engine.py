# SPDX-License-Identifier: MIT
"""What the engines have in common: their material, their figures, and the codecs that a target reports."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import List, Mapping, Optional, Sequence

INPUT_SECONDS = 10  # an input that takes longer when replayed is stuck

TARGET_FILE = "target"  # in the folder of each piece of work: the name of its target

SANITIZERS = {
    "MSAN_OPTIONS": "print_stacktrace=1",
    "ASAN_OPTIONS": "detect_leaks=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


@dataclass(frozen=True)
class Material:
    """The files of a piece of work, and the environment of its program."""

    program: Path
    seeds: Sequence[Path]
    dictionary: Optional[Path]
    folder: Path  # its own, for whatever the engine writes
    mutator: Optional[Path] = None  # the library that AFL++ loads; libFuzzer's is in the program
    corpus: Optional[Path] = None  # common to all pieces of the target in its regime, which add to it
    compared: Optional[Path] = None  # the program built for CmpLog
    environment: Mapping[str, str] = field(default_factory=dict)  # of the program, whatever the engine


@dataclass
class Figures:
    """The figures of one run of an engine."""

    executions: int = 0
    edges: int = 0
    features: int = 0
    corpus: int = 0
    edges_known: int = 0  # the number of all edges, if the engine reports it
    ran: List[str] = field(default_factory=list)  # codecs


RAN = re.compile(r"^ran \S+((?: [^ (]+)*) \((\d+) answers compared, (\d+) skipped\)", re.MULTILINE)


def codecs_that_ran(log: str) -> List[str]:
    """The codecs that a target reports to have asked; none if it compared no answers."""
    lines = RAN.findall(log)
    return lines[-1][0].split() if lines and int(lines[-1][1]) > 0 else []
