# SPDX-License-Identifier: MIT
"""Compiles mutants of a source, and runs them as loadable codecs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

from . import source
from .equivalence import Place, Rules
from .runs import EQUIVALENT, Asked, Result, Results, alive, enumerate_one, explain, run_some

SAME_CODE = "the compiler makes the same machine code"


@dataclass(frozen=True)
class Bench:
    """Where mutants are made, and what runs them."""

    codecs: Path
    folder: Path
    build: source.Build
    museum: Path
    assay: Path


def compile_some(bench: Bench, number: int, mutants: Sequence[Tuple[int, source.Mutant]]) -> Dict[int, Path]:
    """One after the other in a copy of the sources; without those that the compiler refuses. Raises ValueError."""
    workshop = source.Workshop(bench.codecs, bench.folder / str(number), bench.build)
    if not workshop.compile(None, bench.folder / f"original-{number}.so"):
        raise ValueError(f"{bench.build.compiler} does not compile {bench.build.file} as it is")
    libraries = {index: bench.folder / f"{index}.so" for index, _ in mutants}
    return {index: libraries[index] for index, mutant in mutants if workshop.compile(mutant, libraries[index])}


def run(bench: Bench, asked: Asked, mutants: Sequence[source.Mutant], jobs: int, rules: Rules) -> Results[source.Mutant]:
    """By the vectors, then by enumeration; what is left and no rule explains has survived. Raises ValueError."""
    numbered = list(enumerate(mutants))
    results: List[Result[source.Mutant]] = []
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        libraries: Dict[int, Path] = {}
        for part in pool.map(lambda number: compile_some(bench, number, numbered[number::jobs]), range(jobs)):
            libraries.update(part)
        original = (bench.folder / "original-0.so").read_bytes()
        changed = [index for index in sorted(libraries) if libraries[index].read_bytes() != original]
        results += [Result(mutants[index], EQUIVALENT, SAME_CODE) for index in sorted(set(libraries) - set(changed))]
        parts = pool.map(lambda begin: run_some(bench.museum, asked, [mutants[index] for index in changed[begin::jobs]], [f"{libraries[index]}\n" for index in changed[begin::jobs]]),
                         range(jobs))
        ran = [one for part in parts for one in part]
        library_of = {mutants[index]: libraries[index] for index in changed}
        list(pool.map(lambda one: enumerate_one(bench.assay, asked, one, "--codec", str(library_of[one.mutant])), alive(ran)))
    explain(rules, alive(ran), [[Place(one.mutant.line.file, one.mutant.line.number, one.mutant.line.function)] for one in alive(ran)])
    return Results(results + ran, source.FAMILIES, left_out=len(mutants) - len(libraries))
