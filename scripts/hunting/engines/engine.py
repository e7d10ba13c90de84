# SPDX-License-Identifier: MIT
"""What the engines have in common: what they are given, what they report, and what a target says that they run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import List, Mapping, Optional, Sequence

INPUT_SECONDS = 10  # an input that takes longer when replayed is stuck

TARGET_FILE = "target"  # in the folder of each piece of work: whose it is

SANITIZERS = {
    "MSAN_OPTIONS": "print_stacktrace=1",
    "ASAN_OPTIONS": "detect_leaks=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


@dataclass(frozen=True)
class Material:
    """What a piece of work is given."""

    program: Path
    seeds: Sequence[Path]
    dictionary: Optional[Path]
    folder: Path  # its own, for whatever the engine writes
    mutator: Optional[Path] = None  # the library that AFL++ loads; libFuzzer's is in the program
    corpus: Optional[Path] = None  # what all of the target's pieces have found so far; they add to it
    compared: Optional[Path] = None  # the program built for CmpLog
    environment: Mapping[str, str] = field(default_factory=dict)  # of the program, whatever the engine


@dataclass
class Figures:
    """What one run of an engine did."""

    executions: int = 0
    edges: int = 0
    features: int = 0
    corpus: int = 0
    edges_known: int = 0  # how many there are, if the engine says so
    ran: List[str] = field(default_factory=list)  # codecs


RAN = re.compile(r"^ran \S+((?: [^ (]+)*) \((\d+) answers compared, (\d+) skipped\)", re.MULTILINE)


def codecs_that_ran(log: str) -> List[str]:
    """Which codecs a target says it asked."""
    lines = RAN.findall(log)
    return lines[-1][0].split() if lines and int(lines[-1][1]) > 0 else []
