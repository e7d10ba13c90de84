# SPDX-License-Identifier: MIT
"""Measures how fast a target is: libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer, and AFL++ compared with a target that does
nothing.

Short inputs, engines in turn. Prints executions per second, and per second of processor time of an engine and its target, which other
work on the machine changes less. AFL++ spends most of its time on waking and stopping the target.

`--target all`: every target under libFuzzer, in turn, as a table.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Dict, List, Sequence

sys.path[0] = str(Path(__file__).resolve().parents[2])

from hunting.engines.engine import Material  # noqa: E402
from hunting.fuzzing import ENGINES  # noqa: E402
from hunting.options import ROOT, positive  # noqa: E402
from hunting.plan import SHORT, Piece, Way  # noqa: E402
from hunting.processes import run, said, start, stop  # noqa: E402
from hunting.progress import short_number  # noqa: E402
from hunting.targets import Target, read_targets  # noqa: E402
from hunting.trees import Tree, build, tree_folder  # noqa: E402
from hunting.exits import CannotRun  # noqa: E402
from witness.corpus import write_dictionary  # noqa: E402

EMPTY = """#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count) { (void)bytes; (void)byte_count; return 0; }
"""
OVERTIME_SECONDS = 20.0


@dataclass
class Rate:
    """The figures of one program in all its turns."""

    executions: int = 0
    seconds: float = 0.0
    processor_seconds: float = 0.0

    @property
    def by_processor(self) -> float:
        """Executions per second of processor time."""
        return self.executions / self.processor_seconds if self.processor_seconds else 0.0

    def __str__(self) -> str:
        return f"{short_number(self.executions / self.seconds)}/s, {short_number(self.by_processor)} a second of processor time"


def turn(rate: Rate, engine_name: str, program: Path, target: Target, seconds: int, seed: int, folder: Path) -> None:
    """Runs an engine on a program for one turn, and adds its figures to `rate`."""
    engine = ENGINES[engine_name]
    folder.mkdir(parents=True)
    piece = Piece(target, Way(engine_name, engine_name, SHORT), 0, seconds, seed)
    begin = folder / "begin"  # one input: to run many known ones first would be most of a short turn
    begin.mkdir()
    (begin / "a").write_bytes(b"a")
    material = Material(program, [begin], write_dictionary(target.encoding, folder), folder)
    before, began = os.times(), time.monotonic()
    process = start(engine.command(piece, material, seconds, 0), folder / "log", engine.environment(piece, material))
    try:
        process.wait(seconds + OVERTIME_SECONDS)
    finally:
        stop(process)
    after = os.times()
    log = said(folder / "log")
    figures, refusal = engine.figures(folder, log), engine.refusal(process.returncode, log, False)
    if refusal is not None or not figures.executions:
        raise CannotRun(f"{program} could not be measured: {refusal or 'not one execution'}")
    rate.executions += figures.executions
    rate.seconds += time.monotonic() - began
    rate.processor_seconds += after.children_user + after.children_system - before.children_user - before.children_system


def make_empty(folder: Path) -> Path:
    """Builds a target that does nothing, with AFL++'s compiler. Returns its path."""
    source, program = folder / "empty.c", folder / "empty"
    source.write_text(EMPTY)
    outcome = run(["afl-clang-fast", "-O2", "-fsanitize=fuzzer", str(source), "-o", str(program)], folder / "empty.log", 60)
    if outcome.code != 0:
        raise CannotRun(f"afl-clang-fast could not build a target that does nothing: {outcome.said.strip()[-300:]}")
    return program


def measure_all(targets: Sequence[Target], seconds: int, turns: int) -> List[str]:
    """A table of the rates of all targets under libFuzzer."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        tree = Tree("libfuzzer", tree_folder(ROOT, "libfuzzer"))
        build(tree, ROOT, targets, folder)
        rates = {target.name: Rate() for target in targets}
        for number in range(turns):
            for target in targets:
                turn(rates[target.name], "libfuzzer", tree.program(target), target, seconds, number + 1, folder / f"{target.name}-{number}")
    return table(rates)


def table(rates: Dict[str, Rate]) -> List[str]:
    """The table, with a row for each target."""
    return ["| target | executions a second of processor time |", "|---|---|"] + \
        [f"| {name} | {short_number(rate.by_processor)} |" for name, rate in rates.items()]


def measure(target: Target, seconds: int, turns: int) -> List[str]:
    """Lines with the rates of a target under both engines, and with the share of AFL++'s greatest possible rate."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        trees = {engine: Tree(engine, tree_folder(ROOT, engine)) for engine in ENGINES}
        for tree in trees.values():
            build(tree, ROOT, [target], folder)
        programs = {("libfuzzer", target.program): trees["libfuzzer"].program(target),
                    ("afl", target.program): trees["afl"].program(target), ("afl", "nothing"): make_empty(folder)}
        rates: Dict[object, Rate] = {key: Rate() for key in programs}
        for number in range(turns):
            for (engine, what), program in programs.items():
                turn(rates[engine, what], engine, program, target, seconds, number + 1, folder / f"{engine}-{what}-{number}")
    share = rates["afl", target.program].by_processor / rates["afl", "nothing"].by_processor
    return [f"{engine:<10} {what:<24} {rate}" for (engine, what), rate in rates.items()] + \
        [f"under afl {target.program} has {100 * share:.0f} % of the rate of a target that does nothing"]


def main(words: Sequence[str]) -> int:
    """Returns the exit code: 0 if everything was measured, 2 if not."""
    targets = {target.name: target for target in read_targets(ROOT)}
    parser = argparse.ArgumentParser(prog="scripts/hunting/studies/rate.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=[*sorted(targets), "all"], default="decode", metavar="NAME", help="or 'all' (default %(default)s)")
    parser.add_argument("--seconds", type=positive, default=5, metavar="N", help="of a turn (default %(default)s)")
    parser.add_argument("--turns", type=positive, default=3, metavar="N", help="of each (default %(default)s)")
    given = parser.parse_args(words)
    try:
        lines = measure_all(list(targets.values()), given.seconds, given.turns) if given.target == "all" else \
            measure(targets[given.target], given.seconds, given.turns)
        print("\n".join(lines))
    except FileNotFoundError as error:
        print(f"rate: {error.filename} is not there; scripts/setup hunt installs it", file=sys.stderr)
        return 2
    except CannotRun as error:
        print(f"rate: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
