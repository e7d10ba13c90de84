# SPDX-License-Identifier: MIT
"""Runs mutants of machine code by build/museum, and says what became of each."""

from __future__ import annotations

import math
import os
import re
import resource
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from .machine import CONDITION, IMMEDIATE, SWAP, Mutant, Program

KILLED, SURVIVED = "killed", "survived"
ENUMERATION = "enumeration"
PARTS = ("strings", "pairs", "rooms", "far", "scalars")
REGISTRY = Path(__file__).resolve().parents[2] / "codecs" / "codecs.def"
SECONDS_OF_ENUMERATION = 300


@dataclass(frozen=True)
class Asked:
    """Which codec of UTF-8, which of its operations, by which vectors, and the seconds of processor time for each mutant."""

    vectors: Path
    codec: str
    operations: Sequence[str]
    seconds: int


@dataclass
class Result:
    """What became of a mutant: `by` is the file that kills it, `field` what differs, or `time` or `crash`."""

    mutant: Mutant
    state: str
    by: str = ""
    field: str = ""
    place: str = ""


@dataclass
class Results:
    """Of all mutants of one codec."""

    results: List[Result]
    left_out: int = 0
    sampled_from: int = 0  # how many mutants there are, if these are a sample

    def figures(self) -> Iterator[Tuple[str, int, int]]:
        """Each family: the killed ones, and all."""
        for family in (CONDITION, IMMEDIATE, SWAP):
            states = [one.state for one in self.results if one.mutant.family == family]
            yield family, states.count(KILLED), len(states)

    def killers(self) -> Dict[str, int]:
        """How many each file kills, and the enumeration."""
        by = [one.by or one.field for one in self.results if one.state == KILLED]
        return {name: by.count(name) for name in sorted(set(by), key=by.count, reverse=True)}

    def survivors(self) -> Dict[str, List[str]]:
        """By the place in the source."""
        found: Dict[str, List[str]] = {}
        for one in self.results:
            if one.state == SURVIVED:
                found.setdefault(one.place, []).append(f"{one.mutant.of.address:x} {one.mutant.family}: {one.mutant.text}")
        return dict(sorted(found.items()))

    def as_json(self) -> Dict[str, Any]:
        """All figures, and the survivors by name."""
        return {"killers": self.killers(), "families": {family: {KILLED: killed, "mutants": all_} for family, killed, all_ in self.figures()}, "survivors": self.survivors(),
                "left_out": self.left_out, "sampled_from": self.sampled_from}


def interval(killed: int, all_: int) -> Tuple[float, float]:
    """Wilson's interval of 95 % for a share, in per cent."""
    if all_ == 0:
        return 0.0, 100.0
    z, share = 1.96, killed / all_
    middle, width = share + z * z / (2 * all_), z * math.sqrt(share * (1 - share) / all_ + z * z / (4 * all_ * all_))
    scale = 100 / (1 + z * z / all_)
    return (middle - width) * scale, (middle + width) * scale


def patch_of(mutant: Mutant) -> str:
    """The line that harnesses/museum/code_mutants.c reads."""
    return f"{mutant.of.address:x} {mutant.of.code.hex()} {mutant.code.hex()}\n"


def run_some(program: Path, asked: Asked, mutants: Sequence[Mutant]) -> List[Result]:
    """Runs them in one process. Raises ValueError."""
    done = subprocess.run([str(program), "code", str(asked.vectors), "utf-8", asked.codec, ",".join(asked.operations), str(asked.seconds)], input="".join(map(patch_of, mutants)), capture_output=True,
                          text=True, check=False)
    if done.returncode != 0 or len(done.stdout.splitlines()) != len(mutants):
        raise ValueError(done.stderr.strip() or f"{program} ended with {done.returncode}")
    return [Result(mutant, *line.split("\t")) for mutant, line in zip(mutants, done.stdout.splitlines())]


def limit_time(seconds: int) -> None:
    """Of this process: seconds of processor time."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def enumeration(asked: Asked) -> List[str]:
    """The arguments of `assay` that ask a codec exhaustively: the verdict and first error, or everything."""
    return ["prove", "-j", "1", "-t", "texts", f"utf-8/{asked.codec}"] if list(asked.operations) == ["validate"] else ["sweep", "--fail-fast", *PARTS]


def enumerate_one(assay: Path, asked: Asked, result: Result, shift: int) -> None:
    """Asks a copy of the command line that has the mutant at `shift` from its address. Raises ValueError."""
    of = result.mutant.of
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "assay"
        shutil.copy(assay, copy)
        with copy.open("r+b") as file:
            file.seek(of.address + shift)
            if file.read(len(of.code)) != of.code:
                raise ValueError(f"{assay} has other machine code than the mutants are of")
            file.seek(of.address + shift)
            file.write(result.mutant.code)
        others = ",".join(isa for isa in re.findall(r"(?m)^ISA\((\w+),", REGISTRY.read_text("utf-8")) if isa != asked.codec)
        done = subprocess.run([str(copy), *enumeration(asked)], capture_output=True, check=False, env={**os.environ, "ASSAY_WITHOUT": others},
                              preexec_fn=lambda: limit_time(SECONDS_OF_ENUMERATION))
    if done.returncode != 0:
        result.state, result.by = KILLED, ENUMERATION
        result.field = "" if done.returncode == 1 else f"ends with {done.returncode}"


def enumerate_survivors(program: Program, assay: Program, asked: Asked, results: Sequence[Result], jobs: int) -> None:
    """Asks the survivors of the vectors. Both programs are linked from the same objects."""
    entry = f"utf8_{asked.codec}_{asked.operations[0]}"
    shift = assay.offset_of(entry) - next(begin for begin, _, name in program.functions if name == entry)
    alive = [one for one in results if one.state == SURVIVED]
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        list(pool.map(lambda one: enumerate_one(assay.path, asked, one, shift), alive))


def note_places(program: Path, results: Sequence[Result]) -> None:
    """Where in the source the survivors are from: the innermost function that was inlined, and its line."""
    alive = [one for one in results if one.state == SURVIVED]
    if not alive:
        return
    said = Program.run("addr2line", "-f", "-s", "-e", str(program), *(f"{one.mutant.of.address:x}" for one in alive)).splitlines()
    for one, function, line in zip(alive, said[::2], said[1::2]):
        one.place = f"{line.split(' ')[0]} {function}"


def run(program: Program, assay: Program, asked: Asked, mutants: Sequence[Mutant], jobs: int) -> Results:
    """Runs all of them, `jobs` at once: by the vectors, then by enumeration. Raises ValueError."""
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        parts = pool.map(lambda begin: run_some(program.path, asked, mutants[begin::jobs]), range(jobs))
        results = [one for part in parts for one in part]
    results.sort(key=lambda one: one.mutant.of.address)
    enumerate_survivors(program, assay, asked, results, jobs)
    note_places(program.path, results)
    return Results(results)
