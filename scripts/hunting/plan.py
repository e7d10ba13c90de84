# SPDX-License-Identifier: MIT
"""Who fuzzes what, when: targets by engines by regimes, laid over the processors so that none is idle."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from itertools import count
from typing import List, Sequence, Tuple

from .targets import Target


@dataclass(frozen=True)
class Regime:
    """How long inputs may be: size blinds a fuzzer, so short-and-fast is not enough."""

    name: str
    max_length: int


SHORT = Regime("short", 64)
LONG = Regime("long", 8192)
REGIMES = (SHORT, LONG)
ENGINES = {"libfuzzer": (SHORT, LONG), "afl": (LONG,)}

SECONDS_MIN = 2.0  # less than this and an engine is not yet under way


@dataclass(frozen=True)
class Piece:
    """One engine on one target in one regime, from one moment of the hunt to another."""

    target: Target
    engine: str
    regime: Regime
    begin: float
    end: float
    seed: int

    @property
    def name(self) -> str:
        """What the report calls it."""
        return f"{self.target.name} {self.engine} {self.regime.name}"


def shares(targets: Sequence[Target], engines: Sequence[str]) -> List[Tuple[Target, str, Regime, float]]:
    """The share of all time of each kind of work: equal for targets, then for engines, then for regimes."""
    rows = []
    for engine in engines:
        for target in targets:
            for regime in ENGINES[engine]:
                rows.append((target, engine, regime, 1 / (len(targets) * len(engines) * len(ENGINES[engine]))))
    return rows


def seconds_needed(targets: Sequence[Target], engines: Sequence[str], workers: int) -> float:
    """The shortest hunt in which the smallest share is still worth its start."""
    return SECONDS_MIN / (min(share for *_, share in shares(targets, engines)) * workers)


def piece_seed(seed: int, number: int) -> int:
    """A seed for each piece; never 0, which engines take for 'by chance'."""
    return random.Random(f"{seed}/{number}").randrange(1, 1 << 31)


def cut(work: Sequence[Tuple[Target, str, Regime, float]], seconds: float, workers: int) -> List[List[Piece]]:
    """Lays all work end to end and cuts it into rows of equal length (McNaughton 1959): every row is full."""
    rows: List[List[Piece]] = [[] for _ in range(workers)]
    done = 0.0
    for target, engine, regime, share in work:
        end = done + share * seconds * workers
        for number, row in enumerate(rows):
            first, last = max(done - number * seconds, 0.0), min(end - number * seconds, seconds)
            if last > first:
                row.append(Piece(target, engine, regime, first, last, 0))
        done = end
    return rows


def without_scraps(row: Sequence[Piece]) -> List[Piece]:
    """A row in which each piece too short to be worth its start is given to the piece before it, or after it."""
    kept: List[Piece] = []
    begin = 0.0
    for piece in row:
        if piece.end - piece.begin >= SECONDS_MIN / 2:
            kept.append(replace(piece, begin=begin))
        elif kept:
            kept[-1] = replace(kept[-1], end=piece.end)
        begin = kept[-1].end if kept else 0.0
    return kept


def plan(targets: Sequence[Target], engines: Sequence[str], seconds: float, workers: int, seed: int) -> List[List[Piece]]:
    """One row of pieces a worker, each piece with a seed of its own."""
    rows = [without_scraps(row) for row in cut(shares(targets, engines), seconds, workers)]
    numbers = count(1)
    return [[replace(piece, seed=piece_seed(seed, next(numbers))) for piece in row] for row in rows]
