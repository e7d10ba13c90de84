# SPDX-License-Identifier: MIT
"""Measures which exhibits of the museum each engine finds: prints harnesses/museum/fuzzing.def, from which `assay museum` takes its columns
of fuzzers.

Each exhibit is hunted as a loadable codec, in the encoding in which the museum asks it, with several seeds. An attempt begins with nothing but
the dictionary and our mutator. It runs the targets of the encoding one after the other (libFuzzer: first all with short inputs, then all with
long ones), each for the same time, and ends when one of them finds something. Without a hit it counts as longer than any hit, so
a median may be unknown. Without --exhibits, all are hunted, and the decoder without a mistake, in which nothing may be found.
"""

from __future__ import annotations

import argparse
import json
import shlex
import statistics
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Dict, Iterator, List, Optional, Sequence, Tuple

sys.path[0] = str(Path(__file__).resolve().parents[2])

from hunting.exits import CannotRun  # noqa: E402
from hunting.findings.triage import cpu_model, is_about_time  # noqa: E402
from hunting.fuzzing import ENGINES  # noqa: E402
from hunting.options import ROOT, choose, positive, processors  # noqa: E402
from hunting.plan import ENGINE_NAMES, LONG, SHORT, Piece, Regime, Way  # noqa: E402
from hunting.processes import run  # noqa: E402
from hunting.studies.measure import Result, fuzz_from_nothing  # noqa: E402
from hunting.targets import Target, read_targets  # noqa: E402
from hunting.trees import Tree, build, tree_folder  # noqa: E402

REGIMES: Dict[str, Sequence[Regime]] = {"libfuzzer": (SHORT, LONG), "afl": (LONG,)}  # as in a short hunt
SENTENCES = {"libfuzzer": "libFuzzer, with AddressSanitizer and UndefinedBehaviorSanitizer", "afl": "AFL++"}
SECONDS_MIN = 20  # two for each of five targets and two regimes
STANDSTILL_SECONDS, REPEATS_MAX = 10, 5
CONTROL = "control"  # the decoder without a mistake


@dataclass(frozen=True)
class Exhibit:
    """A decoder with one mistake, in an encoding."""

    name: str
    encoding: str


@dataclass(frozen=True)
class Attempt:
    """An engine hunts an exhibit with one seed. Without a hit, no seconds and no target."""

    executions: int
    seconds: Optional[float] = None
    target: str = ""


def read_exhibits(assay: Path, log: Path) -> List[Exhibit]:
    """The exhibits with an origin, as the museum asks them."""
    done = run([str(assay), "museum", "--json", "--columns", ENGINE_NAMES[0]], log, 60)
    if done.code != 0:
        raise CannotRun(f"`assay museum --json` failed: {done.said.strip()}")
    return [Exhibit(row["name"], row["encoding"]) for row in json.loads(done.said)["exhibits"]]


def fuzz_undisturbed(piece: Piece, program: Path, mutator: Path, environment: Dict[str, str], folder: Path) -> Result:
    """Runs a target, and repeats that if the machine stood still, so that the engine had less time than it should. An input that took too
    long is no hit: exhibits end, and it may be the machine that was slow."""
    for number in range(REPEATS_MAX):
        began = time.monotonic()
        place = folder / str(number)
        result = fuzz_from_nothing(piece, program, mutator, environment, place)
        if time.monotonic() - began < piece.end + STANDSTILL_SECONDS:
            break
    crashes = ENGINES[piece.engine].crashes(place)
    is_late = crashes != [] and all(map(is_about_time, crashes))
    return Result(None, result.executions) if is_late else result


def attempt(exhibit: Exhibit, targets: Sequence[Target], engine: str, seed: int, seconds: int, folder: Path) -> Attempt:
    """Runs the targets in turn until one finds something."""
    tree, plain = Tree(engine, tree_folder(ROOT, engine)), Tree("plain", tree_folder(ROOT, "plain"))
    environment = {"ASSAY_CODECS": str(plain.exhibit), "ASSAY_EXHIBIT": f"{exhibit.encoding}/{exhibit.name}"}
    parts = [(regime, target) for regime in REGIMES[engine] for target in targets if target.encoding == exhibit.encoding]
    share = seconds // len(parts)
    before: List[Result] = []
    for regime, target in parts:
        piece = Piece(target, Way(engine, engine, regime), 0, share, seed)
        result = fuzz_undisturbed(piece, tree.program(target), plain.mutator, environment, folder / target.name / regime.name)
        before.append(result)
        if result.seconds is not None:
            spent = share * (len(before) - 1) + result.seconds
            return Attempt(sum(one.executions for one in before), spent, f"{target.claim}, {regime.name}")
    return Attempt(sum(one.executions for one in before))


def median(values: Sequence[Optional[float]]) -> int:
    """The median, where None is more than any number; 0 if it is that. Of two middle values the greater."""
    found = statistics.median_high(float("inf") if value is None else value for value in values)
    return 0 if found == float("inf") else max(1, round(found))


def row(engine: str, exhibit: Exhibit, attempts: Sequence[Attempt]) -> str:
    """A row of the list."""
    hits = [one for one in attempts if one.seconds is not None]
    target = Counter(one.target for one in hits).most_common(1)[0][0] if hits else ""
    executions = median([one.executions if one.seconds is not None else None for one in attempts])
    milliseconds = median([one.seconds * 1000 if one.seconds is not None else None for one in attempts])
    return f'FUZZED({engine}, "{exhibit.name}", "{exhibit.encoding}", {len(hits)}, {len(attempts)}, {executions}, {milliseconds}, "{target}")'


def head(engines: Sequence[str], seconds: int, words: Sequence[str]) -> List[str]:
    """The beginning of the list."""
    command = shlex.join(["python3", "scripts/hunting/studies/exhibits.py", *words])
    return ["/* SPDX-License-Identifier: MIT", " *", f" * Generated by: {command}", " *",
            " *   MEASURED(date, processor, seconds)       once: when and where; the limit of an attempt",
            " *   ENGINE(id, sentence)                     a column of the kill matrix",
            " *   FUZZED(engine, exhibit, encoding, hits, seeds, executions, milliseconds, target)",
            " *                                            attempts that found the mistake, of how many; the medians of what they took, 0 if half of",
            " *                                            them found nothing; the target that found it most often",
            " */",
            "#ifndef MEASURED", "#define MEASURED(date, processor, seconds)", "#endif",
            "#ifndef ENGINE", "#define ENGINE(id, sentence)", "#endif",
            "#ifndef FUZZED", "#define FUZZED(engine, exhibit, encoding, hits, seeds, executions, milliseconds, target)", "#endif", "",
            f'MEASURED("{datetime.now(timezone.utc):%Y-%m-%d}", "{cpu_model()}", {seconds})',
            *(f'ENGINE({engine}, "{SENTENCES[engine]}")' for engine in engines)]


TAIL = ["", "#undef MEASURED", "#undef ENGINE", "#undef FUZZED"]


def measure(exhibits: Sequence[Exhibit], engines: Sequence[str], seeds: int, seconds: int, jobs: int,
            folder: Path) -> Iterator[Tuple[str, Exhibit, List[Attempt]]]:
    """Hunts each exhibit with each engine. Yields the attempts of both as soon as they are over."""
    encodings = {exhibit.encoding for exhibit in exhibits}
    targets = [target for target in read_targets(ROOT) if target.encoding in encodings]
    for engine in engines:
        build(Tree(engine, tree_folder(ROOT, engine)), ROOT, targets, folder)
    with ThreadPoolExecutor(jobs) as pool:
        for exhibit in exhibits:
            for engine in engines:
                place = folder / exhibit.encoding / exhibit.name / engine
                futures = [pool.submit(attempt, exhibit, targets, engine, seed, seconds, place / str(seed)) for seed in range(1, seeds + 1)]
                yield engine, exhibit, [future.result() for future in futures]


def print_rows(given: argparse.Namespace, engines: Sequence[str], parser: argparse.ArgumentParser, folder: Path) -> bool:
    """Measures, and prints a row for each exhibit and engine. Returns true if something was found in the control."""
    plain, found = Tree("plain", tree_folder(ROOT, "plain")), False
    build(plain, ROOT, [], folder, ["exhibit"])
    exhibits = [*read_exhibits(plain.assay, folder / "museum.log"), Exhibit(CONTROL, "utf-8")]
    if given.exhibits:
        names = choose(parser, "--exhibits", given.exhibits, [exhibit.name for exhibit in exhibits])
        exhibits = [exhibit for exhibit in exhibits if exhibit.name in names]
    for engine, exhibit, attempts in measure(exhibits, engines, given.seeds, given.seconds, given.jobs, folder):
        print(row(engine, exhibit, attempts), flush=True)
        found |= exhibit.name == CONTROL and any(one.seconds is not None for one in attempts)
    return found


def main(words: List[str]) -> int:
    """Returns the exit code: 0 if everything was measured, 1 if something was found in the control, 2 if it could not run."""
    parser = argparse.ArgumentParser(prog="scripts/hunting/studies/exhibits.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=positive, default=10, metavar="N", help="attempts for each exhibit and engine (default %(default)s)")
    parser.add_argument("--seconds", type=positive, default=SECONDS_MIN, metavar="N", help="the longest attempt (default %(default)s, and no less)")
    parser.add_argument("--engines", default=",".join(REGIMES), metavar="NAME,...", help="default %(default)s")
    parser.add_argument("--exhibits", metavar="NAME,...", help="print the rows of these only")
    parser.add_argument("--jobs", type=positive, default=processors(), metavar="N", help="at a time (default: as many as processors)")
    given = parser.parse_args(words)
    engines = choose(parser, "--engines", given.engines, list(REGIMES))
    if given.seconds < SECONDS_MIN:
        parser.error(f"--seconds: {given.seconds} is less than {SECONDS_MIN}, which engines need to begin with each target")
    is_whole = given.exhibits is None
    try:
        if is_whole:
            print("\n".join(head(engines, given.seconds, words)), flush=True)
        with TemporaryDirectory() as name:
            found = print_rows(given, engines, parser, Path(name))
    except CannotRun as error:
        print(f"exhibits: {error}", file=sys.stderr)
        return 2
    if is_whole:
        print("\n".join(TAIL))
    if found:
        print("exhibits: something was found in the decoder without a mistake", file=sys.stderr)
    return int(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
