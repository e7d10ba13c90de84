# SPDX-License-Identifier: MIT
"""Compiles mutants of a source, and runs them as loadable codecs."""

from __future__ import annotations

import json
import math
import os
import resource
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from . import source
from .equivalence import Place, Rules
from .runs import (EQUIVALENT, KILLED, SAME_CODE, SHARED, SURVIVED, Asked, Result, Results, ask, check_against, enumerate_one, explain, far, has_more,
                   limit_time, run_some, share_of)

UNDEFINED = "undefined behaviour or a false ASSUME"
OFFERS_LESS = "offers less"
DIFF = "diff"  # of the codec and the reference, by all claims: also of what no vector asks, as policies that the encoding does not have
UNLIMITED = 3600  # seconds of processor time
SLOWER = 10  # times the processor time of the original: a mutant that takes more, and the seconds of `Asked`, is killed
# Undefined behaviour, a false ASSUME, and an access outside an object end the process. Variables that are not set have one of these values.
TRAPS = ("-fsanitize=address,undefined", "-fsanitize-undefined-trap-on-error", "-DASSAY_CHECKS_ASSUMPTIONS")
VALUES = ("zero", "pattern")
ASAN_OPTIONS = "detect_leaks=0:handle_segv=0:log_path=/dev/null" # the program that loads the library handles faults itself

ORIGINAL = source.Mutant(source.Line("", 0, "", ""), "", "", "")

Numbered = Sequence[Tuple[int, source.Mutant]]


@dataclass(frozen=True)
class Bench:
    """Where mutants are made, what runs them, and how many at once."""

    codecs: Path
    folder: Path
    build: source.Build
    museum: Path
    assay: Path
    jobs: int


def compile_original(bench: Bench, build: source.Build, name: str) -> Path:
    """Its library. Raises ValueError."""
    library = bench.folder / f"{name}-original.so"
    if not source.Workshop(bench.codecs, bench.folder / f"{name}-original", build).compile(None, library):
        raise ValueError(f"{build.compiler} does not compile {build.file} as it is")
    return library


def compile_some(bench: Bench, build: source.Build, name: str, mutants: Numbered) -> Dict[int, Path]:
    """One after the other in a copy of the sources; without those that the compiler refuses."""
    workshop = source.Workshop(bench.codecs, bench.folder / name, build)
    libraries = {index: bench.folder / f"{name}-{index}.so" for index, _ in mutants}
    return {index: libraries[index] for index, mutant in mutants if workshop.compile(mutant, libraries[index])}


def compile_all(bench: Bench, pool: ThreadPoolExecutor, build: source.Build, name: str, mutants: Numbered) -> Dict[int, Path]:
    """The libraries of those that compile, each by the number of its mutant."""
    parts = pool.map(lambda number: compile_some(bench, build, f"{name}{number}", mutants[number::bench.jobs]), range(bench.jobs))
    return {index: library for part in parts for index, library in part.items()}


def environment_of(build: source.Build) -> Optional[Dict[str, str]]:
    """What a program needs to load a library that was compiled with TRAPS."""
    if TRAPS[0] not in build.flags:
        return None
    runtime = subprocess.run([build.compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout.strip()
    return {**os.environ, "LD_PRELOAD": runtime, "ASAN_OPTIONS": ASAN_OPTIONS}


def ask_vectors(bench: Bench, pool: ThreadPoolExecutor, asked: Asked, mutants: Numbered, libraries: Dict[int, Path], environment: Optional[Dict[str, str]] = None) -> Dict[int, Result[source.Mutant]]:
    """What the vectors say of those that compile. Raises ValueError if they do not pass the original."""
    numbers = [pair for pair in mutants if pair[0] in libraries]
    shares = [numbers[begin::bench.jobs] for begin in range(bench.jobs)]
    parts = pool.map(lambda share: run_some(bench.museum, asked, [mutant for _, mutant in share], [f"{libraries[index]}\n" for index, _ in share], environment), shares)
    return {index: result for share, part in zip(shares, parts) for (index, _), result in zip(share, part)}


def ask_again(bench: Bench, pool: ThreadPoolExecutor, asked: Asked, build: source.Build, by: str, results: Dict[int, Result[source.Mutant]]) -> Dict[int, Path]:
    """Compiles what survives in another way, and asks the vectors again; `by` is what kills a mutant then. Returns the libraries of
    what still survives. Raises ValueError."""
    left = [(index, one.mutant) for index, one in results.items() if one.state == SURVIVED]
    if not left:
        return {}
    name = by.replace(" ", "-")
    original_library, libraries = compile_original(bench, build, name), compile_all(bench, pool, build, name, left)
    begin, environment = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, environment_of(build)
    [original] = run_some(bench.museum, replace(asked, seconds=UNLIMITED), [ORIGINAL], [f"{original_library}\n"], environment)
    if original.state == KILLED:
        raise ValueError(f"the vectors refuse the original, asked for {by}: {original.by} {original.field}")
    patient = replace(asked, seconds=asked.seconds + SLOWER * math.ceil(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin)) # there is more to ask
    for index, result in ask_vectors(bench, pool, patient, left, libraries, environment).items():
        if result.state == KILLED:
            results[index].state, results[index].by, results[index].field = KILLED, by, result.field
    return {index: library for index, library in libraries.items() if results[index].state == SURVIVED}


def ask_diff(bench: Bench, encoding: str, library: Path) -> Tuple[int, bool]:
    """The answers about two bytes that are compared if this codec is asked, too: fewer if it offers less, which no question calls wrong; 0 if it ends the process.
    And whether one is wrong."""
    done = subprocess.run([str(bench.assay), "diff", "-e", encoding, "--json", "--codec", str(library), "41FF"], capture_output=True, check=False,
                          preexec_fn=limit_time)
    return int(json.loads(done.stdout)["asked"]) if done.stdout else 0, done.returncode == 1


def compare_with_original(bench: Bench, pool: ThreadPoolExecutor, encoding: str, left: Sequence[Tuple[Path, Result[source.Mutant]]]) -> None:
    """Notes which of these have the same code, and kills those that do not offer all that the original does, or more than the encoding has. Raises ValueError."""
    original = compile_original(bench, bench.build, "mutant")
    code, (all_answers, _) = original.read_bytes(), ask_diff(bench, encoding, original)
    for (library, one), (answers, is_wrong) in zip(left, pool.map(lambda pair: ask_diff(bench, encoding, pair[0]), left)):
        if library.read_bytes() == code:
            one.state, one.by = EQUIVALENT, SAME_CODE
        elif is_wrong or answers < all_answers:
            one.state, one.by = KILLED, DIFF if is_wrong else OFFERS_LESS


def ask_far(bench: Bench, asked: Asked, library: Path, result: Result[source.Mutant], environment: Optional[Dict[str, str]]) -> None:
    """Asks a library that ends where behaviour is undefined about texts that are longer than those of the vectors. Raises ValueError."""
    against = ["--against", asked.against] if asked.against else []
    arguments = ["sweep", "-e", asked.encoding, "--fail-fast", "--only", "mutant", *against, "--codec", str(library), *far(asked)]
    if any(ask(bench.assay, arguments, vendor, environment) for vendor in asked.vendors):
        result.state, result.by, result.field = KILLED, UNDEFINED, "far"


def ask_more(bench: Bench, pool: ThreadPoolExecutor, asked: Asked, also: Sequence[str], left: Dict[int, Result[source.Mutant]], libraries: Dict[int, Path]) -> None:
    """Asks in four steps, until a mutant is killed; only the second is for those that a rule explains, too. 1: the vectors, and longer texts, compiled so that undefined behaviour, or an ASSUME() that is false,
    is a crash. 2: a share of the enumeration. 3: the vectors with the operations `also`, which share code. 4: the whole enumeration. Raises ValueError."""
    def enumerate_some(part: Asked, numbers: Sequence[int]) -> None:
        list(pool.map(lambda index: enumerate_one(bench.assay, part, left[index], "--codec", str(libraries[index])), numbers))

    for value in VALUES:
        build = replace(bench.build, flags=[*bench.build.flags, *TRAPS, f"-ftrivial-auto-var-init={value}"])
        trapping = ask_again(bench, pool, asked, build, UNDEFINED, left)
        list(pool.map(lambda pair: ask_far(bench, asked, pair[1], left[pair[0]], environment_of(build)), trapping.items()))
    enumerate_some(share_of(asked), [index for index, one in left.items() if one.state != KILLED])
    if also:
        ask_again(bench, pool, replace(asked, operations=also), replace(bench.build, operations=[*bench.build.operations, *also]), SHARED, left)
    enumerate_some(asked, [index for index, one in left.items() if has_more(asked, one)])


def run(bench: Bench, asked: Asked, also: Sequence[str], mutants: Sequence[source.Mutant], rules: Rules) -> Results[source.Mutant]:
    """By the vectors; what survives, by ask_more(), unless the stride of the enumeration is 0. Raises ValueError."""
    numbered = list(enumerate(mutants))
    with ThreadPoolExecutor(max_workers=bench.jobs) as pool:
        libraries = compile_all(bench, pool, bench.build, "mutant", numbered)
        results = ask_vectors(bench, pool, asked, numbered, libraries)
        survivors = [(libraries[index], one) for index, one in results.items() if one.state == SURVIVED]
        if survivors or not libraries:
            compare_with_original(bench, pool, asked.encoding, survivors)
        left = {index: one for index, one in results.items() if one.state == SURVIVED}
        explain(rules, list(left.values()), list(map(places_of, left.values())))
        if asked.stride > 0 and left:
            check_against(bench.assay, asked)
            ask_more(bench, pool, asked, also, left, libraries)
    for one in results.values():
        one.place = str(places_of(one)[0])
    killed = [(one, rules.reason_for(places_of(one)[0], one.mutant.label())) for one in results.values() if one.state == KILLED]
    return Results([results[index] for index in sorted(results)], source.FAMILIES, left_out=len(mutants) - len(libraries),
                   refuted=[f"{one.place} {one.mutant.label()} ({reason})" for one, reason in killed if reason is not None])


def places_of(result: Result[source.Mutant]) -> List[Place]:
    """Its line."""
    line = result.mutant.line
    return [Place(line.file, line.number, line.function)]
