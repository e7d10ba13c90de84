# SPDX-License-Identifier: MIT
"""Which engine fuzzes which target, and when: targets by engines by regimes, laid over the processors so that none is idle."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from itertools import count
from math import ceil
from typing import Dict, List, Mapping, Sequence, Tuple

from .targets import Target


@dataclass(frozen=True)
class Regime:
    """How long inputs may be: size blinds a fuzzer, so short-and-fast is not enough."""

    name: str
    max_length: int


SHORT = Regime("short", 64)
LONG = Regime("long", 8192)
VERY_LONG = Regime("very-long", 65536)
REGIMES = (SHORT, LONG, VERY_LONG)
ENGINE_NAMES = ("libfuzzer", "afl")

SECONDS_MIN = 1.25  # less than this and an engine is not yet under way
SECONDS_GOOD = 2.5  # what each piece of work gets at least, if others may share its processor
CROWD_MAX = 4  # pieces of work that share a processor, at most
DEEP_SECONDS = 600  # from here on there is time for more builds, and for what sanitizers say of what a fast build found
# What AFL++'s docs/fuzzing_in_depth.md recommends to its secondaries: each another schedule, and of them such shares with the queue in
# its order, and without trimming. Not its other mutator (-L 0), with which ours cannot be: under the schedules lin and quad AFL++ 4.04
# then goes round its queue without running anything, and says so in a hundred megabytes a second.
SCHEDULES = ("explore", "fast", "exploit", "rare", "coe", "lin", "quad")
VARIATIONS = {"in-order": 0.1, "untrimmed": 0.6}


@dataclass(frozen=True)
class Way:
    """One way to fuzz a target: an engine, the tree of builds it takes, and how long inputs are."""

    engine: str
    tree: str
    regime: Regime
    compares: bool = False  # AFL++ with CmpLog, which looks at what inputs are compared with


SHALLOW: Sequence[Tuple[float, Sequence[Way]]] = (
    (1.0, (Way("libfuzzer", "libfuzzer", SHORT), Way("libfuzzer", "libfuzzer", LONG), Way("afl", "afl", LONG))),)

# First explore with fast builds, then let sanitizers look at what was reached, and go on from there.
DEEP: Sequence[Tuple[float, Sequence[Way]]] = (
    (0.6, (Way("libfuzzer", "fast", SHORT), Way("libfuzzer", "fast", LONG), Way("libfuzzer", "fast", VERY_LONG),
           Way("afl", "afl", LONG), Way("afl", "afl", VERY_LONG), Way("afl", "afl", LONG, True))),
    (0.4, (*(Way("libfuzzer", tree, regime) for tree in ("libfuzzer", "msan") for regime in REGIMES), Way("afl", "afl", SHORT))),
)

# Where the CPU lacks an instruction set that can be emulated: slow, so that a long hunt does it last, together with others; a short one
# only if what it is after can be found nowhere else, and in their place.
EMULATED: Sequence[Way] = (Way("libfuzzer", "emulated", SHORT), Way("libfuzzer", "emulated", LONG))


@dataclass(frozen=True)
class Piece:
    """One engine on one target in one regime, from one time of the hunt to another."""

    target: Target
    way: Way
    begin: float
    end: float
    seed: int
    number: int = 0  # in the plan
    without: str = ""  # instruction sets that it does without
    variations: Tuple[str, ...] = ()  # of AFL++'s ways

    @property
    def engine(self) -> str:
        """The engine's name."""
        return self.way.engine

    @property
    def regime(self) -> Regime:
        """How long inputs are."""
        return self.way.regime

    @property
    def schedule(self) -> str:
        """AFL++'s order of work, by the piece's seed."""
        return SCHEDULES[self.seed % len(SCHEDULES)]

    @property
    def name(self) -> str:
        """What the report calls it."""
        tree = "cmplog" if self.way.compares else self.way.tree
        return f"{self.target.name} {self.engine if tree == self.engine else f'{self.engine}/{tree}'} {self.regime.name}"


def phases(engines: Sequence[str], seconds: float, emulates: bool = False, foreign: bool = False) -> List[Tuple[float, List[Way]]]:
    """The parts of a hunt one after the other, each with its share of the time. With a foreign codec, none under MemorySanitizer: what
    a library writes that was built without it would look unwritten."""
    *parts, (share, last) = SHALLOW if seconds < DEEP_SECONDS else DEEP
    if emulates:
        last = [*(way for way in last if seconds >= DEEP_SECONDS or way.engine != "libfuzzer"), *EMULATED]
    parts.append((share, last))
    chosen = [(share, [way for way in ways if way.engine in engines and not (foreign and way.tree == "msan")]) for share, ways in parts]
    return [(share, ways) for share, ways in chosen if ways]


def trees_needed(engines: Sequence[str], seconds: float, emulates: bool = False, foreign: bool = False) -> List[str]:
    """The trees of builds that the plan takes."""
    ways = [way for _, ways in phases(engines, seconds, emulates, foreign) for way in ways]
    return list(dict.fromkeys([way.tree for way in ways] + ["cmplog" for way in ways if way.compares]))


def floor_of(targets: Sequence[Target], ways: Sequence[Way], seconds: float, crowding: float) -> float:
    """The seconds that a piece has at least: those it takes to begin, but no more than there are for each target and engine."""
    return min(SECONDS_MIN * crowding, SECONDS_GOOD, seconds / (len(targets) * len({way.engine for way in ways})))


def seconds_by_target(targets: Sequence[Target], weights: Mapping[str, float], seconds: float, floor: float) -> List[float]:
    """Of all seconds, those of each target: as many as it takes to begin, and of the rest a share by its weight."""
    least = min(floor, seconds / len(targets))
    rest = seconds - least * len(targets)
    whole = sum(weights.get(target.name, 1.0) for target in targets)
    return [least + rest * weights.get(target.name, 1.0) / whole for target in targets]


def ways_by_turns(ways: Sequence[Way], turn: int) -> List[Way]:
    """The order in which a target has them, as far as its time goes: first one of each engine, then the others; which come first
    changes with the turn."""
    engines = list(dict.fromkeys(way.engine for way in ways))
    turns = len(engines)
    rows = []
    for engine in engines[turn % turns:] + engines[:turn % turns]:
        own = [way for way in ways if way.engine == engine]
        first = turn // turns % len(own)
        rows.append(own[first:] + own[:first])
    return [row[0] for row in rows] + [way for row in rows for way in row[1:]]


def shares(seconds: float, ways: Sequence[Way]) -> List[Tuple[Way, float]]:
    """A target's seconds, equal for engines, then for ways."""
    engines = [way.engine for way in ways]
    return [(way, seconds / (len(set(engines)) * engines.count(way.engine))) for way in ways]


def at_once(targets: Sequence[Target], engines: Sequence[str], seconds: float, workers: int) -> int:
    """How many pieces of work there are at a time: one a processor; more where each would else be over before it is under way,
    for engines count whole seconds, and wait at times for each other's processes and for files."""
    pieces = len(targets) * len(engines)
    return max(workers, min(workers * min(ceil(SECONDS_GOOD * pieces / (seconds * workers)), CROWD_MAX), pieces))


def seconds_needed(targets: Sequence[Target], engines: Sequence[str], workers: int) -> float:
    """The shortest hunt in which each target has each engine for as long as it takes to begin."""
    return max(SECONDS_MIN, SECONDS_GOOD * len(targets) * len(engines) / (workers * CROWD_MAX))


def work_of(targets: Sequence[Target], ways: Sequence[Way], seconds: float, floor: float, seed: int,
            weights: Mapping[str, float]) -> List[Tuple[Target, Way, float]]:
    """All kinds of work with the seconds of each. A target whose time is not enough for each way to begin has some of them, by the seed."""
    rows = []
    for number, (target, own) in enumerate(zip(targets, seconds_by_target(targets, weights, seconds, floor))):
        chosen = ways_by_turns(ways, seed + number)[:max(int(own / floor + 1e-9), 1)]
        rows += [(target, way, part) for way, part in shares(own, chosen)]
    order = list(dict.fromkeys(way.engine for way in ways))
    return sorted(rows, key=lambda row: order.index(row[1].engine))


def piece_seed(seed: int, number: int) -> int:
    """A seed for each piece; never 0, which engines take for 'by chance'."""
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


def instruction_sets_to_leave(seed: int, isas: Sequence[str]) -> str:
    """Every fourth piece does without some of the instruction sets, so that what stands in for them runs, too."""
    chance = random.Random(seed)
    return ",".join(isa for isa in isas if chance.random() < 0.5) if chance.random() < 0.25 else ""


def variations(seed: int) -> Tuple[str, ...]:
    """In what an instance of AFL++ differs from others, by its seed."""
    chance = random.Random(f"{seed}/afl")
    return tuple(name for name, share in VARIATIONS.items() if chance.random() < share)


def plan(targets: Sequence[Target], engines: Sequence[str], seconds: float, workers: int, seed: int,
         isas: Sequence[str] = (), emulates: bool = False, weights: Mapping[str, float] = {}, foreign: bool = False) -> List[List[Piece]]:
    """Rows of pieces, all at work at a time, each piece with a seed of its own; `isas` are those that run here, `weights` are by target
    and 1 if they are not there."""
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
    """A piece with its number, its seed and, in a long hunt, what follows from that."""
    own = piece_seed(seed, number)
    numbered = replace(piece, seed=own, number=number)
    return replace(numbered, without=instruction_sets_to_leave(own, isas),
                   variations=variations(own) if piece.engine == "afl" else ()) if deep else numbered


def what_is_left(rows: Sequence[Sequence[Piece]], done: Sequence[int]) -> List[List[Piece]]:
    """A plan less the pieces that are done, moved together; rows that are done are gone."""
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
