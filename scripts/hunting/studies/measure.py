# SPDX-License-Identifier: MIT
"""Measures the mutator: how often and how fast each plant is found from nothing, with it and without.

Each plant is hunted by one engine, from an empty corpus with the dictionary, in the regime that can hold its smallest input, with the
same seeds with and without the mutator. Prints a table: hits out of all seeds; the medians of the seconds and of the executions until
then. A trial that found nothing counts as more than the cap (Klees et al. 2018). A plant that needs an instruction set that this machine
lacks is not hunted; its row says so.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import List, Mapping, Optional, Sequence, Tuple

sys.path[0] = str(Path(__file__).resolve().parents[2])

from hunting.engines.afl import ALL_SEEDS_CRASH  # noqa: E402
from hunting.engines.engine import Material  # noqa: E402
from hunting.fuzzing import ENGINES  # noqa: E402
from hunting.options import ROOT, processors  # noqa: E402
from hunting.plan import LONG, SHORT, Piece, Way  # noqa: E402
from hunting.processes import said, start, stop  # noqa: E402
from hunting.progress import short_number  # noqa: E402
from hunting.targets import Plant, Target, read_plants  # noqa: E402
from hunting.trees import Tree, build, codecs, runs, tree_folder  # noqa: E402
from hunting.exits import CannotRun  # noqa: E402
from witness.corpus import write_dictionary  # noqa: E402

POLL_SECONDS = 0.02
OVERTIME_SECONDS = 5.0


@dataclass(frozen=True)
class Trial:
    """One attempt to find a plant."""

    plant: Plant
    seed: int
    mutator: bool


@dataclass(frozen=True)
class Result:
    """The result of a trial; no seconds if nothing was found."""

    seconds: Optional[float]
    executions: int


def attempt(trial: Trial, engine_name: str, tree: Tree, mutator: Path, cap: int, folder: Path) -> Result:
    """Hunts a plant until something is found, at most `cap` seconds. Raises CannotRun if the engine did not work."""
    target = Target(trial.plant.claim, trial.plant.encoding)
    regime = SHORT if len(trial.plant.smallest) <= SHORT.max_length else LONG
    piece = Piece(target, Way(engine_name, engine_name, regime), 0, cap, trial.seed)
    program = Tree(tree.name, tree.folder, trial.plant).program(target)
    return fuzz_from_nothing(piece, program, mutator if trial.mutator else None, {"ASSAY_MUTATOR": "on" if trial.mutator else "off"}, folder)


def fuzz_from_nothing(piece: Piece, program: Path, mutator: Optional[Path], environment: Mapping[str, str], folder: Path) -> Result:
    """Fuzzes without a corpus, with the dictionary, until something is found, at most the seconds of the piece. Raises CannotRun if the
    engine did not work."""
    engine, cap = ENGINES[piece.engine], round(piece.end - piece.begin)
    begin = folder / "begin"
    begin.mkdir(parents=True)
    (begin / "aa").write_bytes(b"aa")  # AFL++ wants something to begin with that no mistake is about: text in each encoding
    material = Material(program, [begin], write_dictionary(piece.target.encoding, folder), folder, mutator)
    began = time.monotonic()
    process = start(engine.command(piece, material, cap, 0), folder / "log", {**engine.environment(piece, material), **environment})
    try:
        found = False
        while not found and process.poll() is None and time.monotonic() < began + cap + OVERTIME_SECONDS:
            time.sleep(POLL_SECONDS)
            found = bool(engine.crashes(folder))
        seconds = time.monotonic() - began
    finally:
        stop(process, 2.0)
    log = said(folder / "log")
    crashed = bool(engine.crashes(folder))
    refusal = engine.refusal(process.returncode, log, crashed)
    if refusal is not None and ALL_SEEDS_CRASH in refusal:  # what it began with was enough
        return Result(seconds, 1)
    if refusal is not None and not crashed:
        raise CannotRun(f"{piece.engine} could not run {program.name}: {refusal}")
    return Result(seconds if crashed else None, engine.figures(folder, log).executions)


def median(results: Sequence[Result], cap: int) -> Tuple[str, str]:
    """The medians of seconds and of executions; lower bounds if half of the trials found nothing."""
    seconds = statistics.median(result.seconds if result.seconds is not None else float("inf") for result in results)
    executions = statistics.median(result.executions for result in results)
    if seconds == float("inf"):
        return f"> {cap}", f"> {short_number(executions)}"
    return f"{seconds:.2f}", short_number(executions)


def table(plants: Sequence[Plant], outcome: Sequence[Tuple[Trial, Result]], cap: int) -> List[str]:
    """A table in Markdown, a row for each plant: how many trials found it, median seconds and executions, with our mutator and without.
    A plant that needs what this CPU lacks has no trials."""
    lines = ["| plant | smallest, bytes | found with our mutator | seconds | executions | found without it | seconds | executions |",
             "|---|---|---|---|---|---|---|---|"]
    for plant in plants:
        cells = [plant.name, str(len(plant.smallest))]
        for mutator in (True, False):
            results = [result for trial, result in outcome if trial.plant == plant and trial.mutator == mutator]
            if not results:
                cells += [f"needs {plant.needs}, cannot run here", "", ""]
                continue
            hits = sum(result.seconds is not None for result in results)
            cells += [f"{hits} of {len(results)}", *median(results, cap)]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def measure(plants: Sequence[Plant], seeds: int, cap: int, engine: str, jobs: int) -> List[Tuple[Trial, Result]]:
    """The results of all trials of the plants that run here. Trials with and without the mutator alternate, so that other work on the
    machine affects both alike."""
    tree = Tree(engine, tree_folder(ROOT, engine))
    plain = Tree("plain", tree_folder(ROOT, "plain"))
    with TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        logs = Path(folder)
        trials = []
        for plant in plants:
            planted = Tree("plain", plain.folder, plant)
            build(planted, ROOT, [], logs)
            if runs(codecs(planted, logs), plant):
                build(Tree(engine, tree.folder, plant), ROOT, [Target(plant.claim, plant.encoding)], logs)
                trials += [Trial(plant, seed, mutator) for seed in range(1, seeds + 1) for mutator in (True, False)]
        trials.sort(key=lambda trial: trial.seed)
        futures = [pool.submit(attempt, trial, engine, tree, plain.mutator, cap, logs / str(number))
                   for number, trial in enumerate(trials)]
        return [(trial, future.result()) for trial, future in zip(trials, futures)]


def main(words: Sequence[str]) -> int:
    """Returns the exit code: 0 if everything was measured, 2 if not."""
    names = [plant.name for plant in read_plants(ROOT)]
    parser = argparse.ArgumentParser(prog="scripts/hunting/studies/measure.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10, metavar="N", help="how many (default %(default)s)")
    parser.add_argument("--cap", type=int, default=30, metavar="SECONDS", help="the longest attempt (default %(default)s)")
    parser.add_argument("--engine", choices=sorted(ENGINES), default="libfuzzer", help="default %(default)s")
    parser.add_argument("--jobs", type=int, default=processors(), metavar="N", help="at a time (default: as many as processors)")
    parser.add_argument("--plants", default=",".join(names), metavar="NAME,...", help="default: %(default)s")
    given = parser.parse_args(words)
    for name in given.plants.split(","):
        if name not in names:
            parser.error(f"--plants: there is no '{name}'; there are {', '.join(names)}")
    plants = [plant for plant in read_plants(ROOT) if plant.name in given.plants.split(",")]
    try:
        outcome = measure(plants, given.seeds, given.cap, given.engine, given.jobs)
    except CannotRun as error:
        print(f"measure: {error}", file=sys.stderr)
        return 2
    print("\n".join(table(plants, outcome, given.cap)))
    absent = [plant for plant in plants if plant not in {trial.plant for trial, _ in outcome}]
    for plant in absent:
        print(f"measure: {plant.name} needs {plant.needs} and does not run here", file=sys.stderr)
    return 2 if absent else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
