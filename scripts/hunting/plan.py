# SPDX-License-Identifier: MIT
"""The schedule of a hunt: pieces of work for targets, engines and regimes, packed without gaps into rows that run side by side."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from itertools import count
from math import ceil
from typing import Dict, List, Mapping, Sequence, Tuple

from .targets import Target


@dataclass(frozen=True)
class Regime:
    """A limit on the length of inputs, in bytes. Short inputs run faster; some bugs show only in long ones. So each target is fuzzed under
    several limits."""

    name: str
    max_length: int


SHORT = Regime("short", 64)
LONG = Regime("long", 8192)
VERY_LONG = Regime("very-long", 65536)
REGIMES = (SHORT, LONG, VERY_LONG)
ENGINE_NAMES = ("libfuzzer", "afl")

SECONDS_MIN = 1.25  # an engine needs about this long to start
SECONDS_GOOD = 2.5  # what each piece of work gets at least, if others may share its processor
CROWD_MAX = 4  # pieces of work that share a processor, at most
DEEP_SECONDS = 600  # a hunt this long has time for more builds, and for sanitizers on what a fast build found
# AFL++'s docs/fuzzing_in_depth.md recommends for secondary instances: a different power schedule each; the queue in sequential order
# (-Z) for 10 % of them; no trimming for 60 %. It also recommends MOpt (-L 0), which cannot be combined with our mutator: with the
# schedules lin and quad, AFL++ 4.04 then executes nothing, and writes 100 MB of log per second.
SCHEDULES = ("explore", "fast", "exploit", "rare", "coe", "lin", "quad")
VARIATIONS = {"in-order": 0.1, "untrimmed": 0.6}


@dataclass(frozen=True)
class Way:
    """A way to fuzz a target: an engine, the build tree of its program, and the length of inputs."""

    engine: str
    tree: str
    regime: Regime
    compares: bool = False  # with AFL++'s CmpLog, which records the operands of comparisons


SHALLOW: Sequence[Tuple[float, Sequence[Way]]] = (
    (1.0, (Way("libfuzzer", "libfuzzer", SHORT), Way("libfuzzer", "libfuzzer", LONG), Way("afl", "afl", LONG))),)

# First fast builds, without sanitizers; then builds with sanitizers, which start from the corpus of the fast ones.
DEEP: Sequence[Tuple[float, Sequence[Way]]] = (
    (0.6, (Way("libfuzzer", "fast", SHORT), Way("libfuzzer", "fast", LONG), Way("libfuzzer", "fast", VERY_LONG),
           Way("afl", "afl", LONG), Way("afl", "afl", VERY_LONG), Way("afl", "afl", LONG, True))),
    (0.4, (*(Way("libfuzzer", tree, regime) for tree in ("libfuzzer", "msan") for regime in REGIMES), Way("afl", "afl", SHORT))),
)

# For a CPU that lacks an instruction set that can be emulated. Emulation is slow: a long hunt does this in its last part, besides other
# ways; a short hunt does it only for a plant that needs the instruction set, instead of libFuzzer's other ways.
EMULATED: Sequence[Way] = (Way("libfuzzer", "emulated", SHORT), Way("libfuzzer", "emulated", LONG))


@dataclass(frozen=True)
class Piece:
    """One engine on one target in one regime, from `begin` to `end` in seconds of the hunt."""

    target: Target
    way: Way
    begin: float
    end: float
    seed: int
    number: int = 0  # in the plan
    without: str = ""  # instruction sets that its target must not use, separated by commas
    variations: Tuple[str, ...] = ()  # names in VARIATIONS

    @property
    def engine(self) -> str:
        """The engine's name."""
        return self.way.engine

    @property
    def regime(self) -> Regime:
        """The limit on the length of inputs."""
        return self.way.regime

    @property
    def schedule(self) -> str:
        """AFL++'s power schedule, chosen by the piece's seed."""
        return SCHEDULES[self.seed % len(SCHEDULES)]

    @property
    def name(self) -> str:
        """The name in the report: target, engine and build, regime."""
        tree = "cmplog" if self.way.compares else self.way.tree
        return f"{self.target.name} {self.engine if tree == self.engine else f'{self.engine}/{tree}'} {self.regime.name}"


def phases(engines: Sequence[str], seconds: float, emulates: bool = False, foreign: bool = False) -> List[Tuple[float, List[Way]]]:
    """The parts of a hunt in order, each with its share of the time and its ways. With --codec (`foreign`) there is no MemorySanitizer
    build: memory that an uninstrumented library writes would be reported as uninitialised."""
    *parts, (share, last) = SHALLOW if seconds < DEEP_SECONDS else DEEP
    if emulates:
        last = [*(way for way in last if seconds >= DEEP_SECONDS or way.engine != "libfuzzer"), *EMULATED]
    parts.append((share, last))
    chosen = [(share, [way for way in ways if way.engine in engines and not (foreign and way.tree == "msan")]) for share, ways in parts]
    return [(share, ways) for share, ways in chosen if ways]


def trees_needed(engines: Sequence[str], seconds: float, emulates: bool = False, foreign: bool = False) -> List[str]:
    """The names of the build trees that the plan uses."""
    ways = [way for _, ways in phases(engines, seconds, emulates, foreign) for way in ways]
    return list(dict.fromkeys([way.tree for way in ways] + ["cmplog" for way in ways if way.compares]))


def floor_of(targets: Sequence[Target], ways: Sequence[Way], seconds: float, crowding: float) -> float:
    """The least seconds of a piece: what an engine needs to start, at most the mean for each target and engine."""
    return min(SECONDS_MIN * crowding, SECONDS_GOOD, seconds / (len(targets) * len({way.engine for way in ways})))


def seconds_by_target(targets: Sequence[Target], weights: Mapping[str, float], seconds: float, floor: float) -> List[float]:
    """The seconds of each target: the least that it needs to start, and a share of the rest by its weight."""
    least = min(floor, seconds / len(targets))
    rest = seconds - least * len(targets)
    whole = sum(weights.get(target.name, 1.0) for target in targets)
    return [least + rest * weights.get(target.name, 1.0) / whole for target in targets]


def ways_by_turns(ways: Sequence[Way], turn: int) -> List[Way]:
    """The ways of one target, in order; if its time is short, the last ones are dropped. First one way of each engine, then the rest.
    `turn` rotates the order of engines and of the ways of each engine."""
    engines = list(dict.fromkeys(way.engine for way in ways))
    turns = len(engines)
    rows = []
    for engine in engines[turn % turns:] + engines[:turn % turns]:
        own = [way for way in ways if way.engine == engine]
        first = turn // turns % len(own)
        rows.append(own[first:] + own[:first])
    return [row[0] for row in rows] + [way for row in rows for way in row[1:]]


def shares(seconds: float, ways: Sequence[Way]) -> List[Tuple[Way, float]]:
    """The ways with their seconds: equal for each engine, then for each way of an engine."""
    engines = [way.engine for way in ways]
    return [(way, seconds / (len(set(engines)) * engines.count(way.engine))) for way in ways]


def at_once(targets: Sequence[Target], engines: Sequence[str], seconds: float, workers: int) -> int:
    """The number of pieces that run at the same time: one for each processor; up to CROWD_MAX for each if pieces would otherwise be shorter
    than SECONDS_GOOD, because engines count whole seconds, and wait at times for processes and files."""
    pieces = len(targets) * len(engines)
    return max(workers, min(workers * min(ceil(SECONDS_GOOD * pieces / (seconds * workers)), CROWD_MAX), pieces))


def seconds_needed(targets: Sequence[Target], engines: Sequence[str], workers: int) -> float:
    """The seconds of the shortest hunt in which each engine can start on each target."""
    return max(SECONDS_MIN, SECONDS_GOOD * len(targets) * len(engines) / (workers * CROWD_MAX))


def work_of(targets: Sequence[Target], ways: Sequence[Way], seconds: float, floor: float, seed: int,
            weights: Mapping[str, float]) -> List[Tuple[Target, Way, float]]:
    """All work, as target, way and seconds. A target with too little time for all its ways has some of them, chosen by the seed."""
    rows = []
    for number, (target, own) in enumerate(zip(targets, seconds_by_target(targets, weights, seconds, floor))):
        chosen = ways_by_turns(ways, seed + number)[:max(int(own / floor + 1e-9), 1)]
        rows += [(target, way, part) for way, part in shares(own, chosen)]
    order = list(dict.fromkeys(way.engine for way in ways))
    return sorted(rows, key=lambda row: order.index(row[1].engine))


def piece_seed(seed: int, number: int) -> int:
    """A seed for each piece; never 0, which engines take as a request for a random one."""
    return random.Random(f"{seed}/{number}").randrange(1, 1 << 31)


def cut(work: Sequence[Tuple[Target, Way, float]], seconds: float, row_count: int) -> List[List[Piece]]:
    """Lays all work end to end and cuts it into rows of equal length (McNaughton 1959): every row is full."""
    rows: List[List[Piece]] = [[] for _ in range(row_count)]
    done = 0.0
    for target, way, own in work:
        end = done + own
        for number, row in enumerate(rows):
            first, last = max(done - number * seconds, 0.0), min(end - number * seconds, seconds)
            if last > first:
                row.append(Piece(target, way, first, last, 0))
        done = end
    return rows


def without_scraps(row: Sequence[Piece]) -> List[Piece]:
    """The row, with the time of each piece shorter than SECONDS_MIN / 2 given to the piece before it, or to the one after it."""
    kept: List[Piece] = []
    begin = 0.0
    for piece in row:
        if piece.end - piece.begin >= SECONDS_MIN / 2:
            kept.append(replace(piece, begin=begin))
        elif kept:
            kept[-1] = replace(kept[-1], end=piece.end)
        begin = kept[-1].end if kept else 0.0
    return kept


def instruction_sets_to_leave(seed: int, isas: Sequence[str]) -> str:
    """The instruction sets that a piece does without: for one seed in four each with probability 1/2, so that the code that replaces them
    runs, too."""
    chance = random.Random(seed)
    return ",".join(isa for isa in isas if chance.random() < 0.5) if chance.random() < 0.25 else ""


def variations(seed: int) -> Tuple[str, ...]:
    """The names in VARIATIONS that apply to one AFL++ instance, chosen by its seed."""
    chance = random.Random(f"{seed}/afl")
    return tuple(name for name, share in VARIATIONS.items() if chance.random() < share)


def plan(targets: Sequence[Target], engines: Sequence[str], seconds: float, workers: int, seed: int,
         isas: Sequence[str] = (), emulates: bool = False, weights: Mapping[str, float] = {}, foreign: bool = False) -> List[List[Piece]]:
    """The plan: rows that run at the same time; the pieces of a row run one after the other, each with its own seed. `isas`: the instruction sets that run here.
    `weights`: by target, 1 for those without one."""
    crowd = at_once(targets, engines, seconds, workers)
    rows: List[List[Piece]] = [[] for _ in range(crowd)]
    parts = phases(engines, seconds, emulates, foreign)
    begin = 0.0
    for share, ways in parts:
        length = seconds * share / sum(part for part, _ in parts)
        floor = floor_of(targets, ways, length * crowd, crowd / workers)
        part = cut(work_of(targets, ways, length * crowd, floor, seed, weights), length, crowd)
        for row, pieces in zip(rows, part):
            row += [replace(piece, begin=piece.begin + begin, end=piece.end + begin) for piece in without_scraps(pieces)]
        begin += length
    numbers = count(1)
    deep = seconds >= DEEP_SECONDS
    return [[dressed(piece, seed, next(numbers), isas, deep) for piece in row] for row in rows]


def dressed(piece: Piece, seed: int, number: int, isas: Sequence[str], deep: bool) -> Piece:
    """The piece with its number and its seed; in a long hunt also with the instruction sets and variations that its seed chooses."""
    own = piece_seed(seed, number)
    numbered = replace(piece, seed=own, number=number)
    return replace(numbered, without=instruction_sets_to_leave(own, isas),
                   variations=variations(own) if piece.engine == "afl" else ()) if deep else numbered


def what_is_left(rows: Sequence[Sequence[Piece]], done: Sequence[int]) -> List[List[Piece]]:
    """The plan without the pieces that are done. Later pieces of a row move up; empty rows are dropped."""
    left = []
    for row in rows:
        moved: List[Piece] = []
        for piece in row:
            if piece.number not in done:
                begin = moved[-1].end if moved else 0.0
                moved.append(replace(piece, begin=begin, end=begin + piece.end - piece.begin))
        if moved:
            left.append(moved)
    return left
