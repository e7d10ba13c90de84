# SPDX-License-Identifier: MIT
"""The build trees a hunt needs: the fuzzers of each engine, and a plain one to replay and explain with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

from .options import Options
from .processes import run
from .targets import Target
from .trouble import CannotRun, last_lines

PRESETS = {"plain": "dev", "libfuzzer": "fuzz", "afl": "afl"}
FOLDERS = {"plain": ".", "libfuzzer": "fuzz", "afl": "afl"}
BUILD_SECONDS = 1800


@dataclass(frozen=True)
class Tree:
    """A CMake preset, built in a folder."""

    name: str
    folder: Path
    variables: Tuple[str, ...]

    def program(self, target: Target) -> Path:
        """A target's program in this tree."""
        return self.folder / target.program

    @property
    def assay(self) -> Path:
        """The command line in this tree."""
        return self.folder / "assay"


def trees_of(options: Options) -> Dict[str, Tree]:
    """The trees to build; with the canary they are others, so that it gets into no program one trusts."""
    base = options.root / "build"
    trees = {}
    for name in ("plain", *options.engines):
        folder = base / FOLDERS[name]
        if options.canary:
            folder = base / "canary" / FOLDERS[name]
        variables = ("-DASSAY_CANARY=ON",) if options.canary else ("-DASSAY_CANARY=OFF",)
        trees[name] = Tree(name, folder, variables)
    return trees


def build(tree: Tree, root: Path, targets: Sequence[Target], logs: Path) -> None:
    """Configures and builds what is needed of a tree."""
    programs = [target.program for target in targets] + (["assay"] if tree.name == "plain" else [])
    configure = ["cmake", "--preset", PRESETS[tree.name], "-B", str(tree.folder), *tree.variables]
    make = ["cmake", "--build", str(tree.folder), "--target", *programs]
    for step, command in (("configure", configure), ("build", make)):
        log = logs / f"{step}-{tree.name}.log"
        try:
            outcome = run(command, log, BUILD_SECONDS, cwd=root)
        except FileNotFoundError as error:
            raise CannotRun(f"{error.filename} is not there; scripts/setup build hunt installs it") from error
        if outcome.code != 0:
            why = f"took longer than {BUILD_SECONDS} s" if outcome.timed_out else f"failed (exit code {outcome.code})"
            raise CannotRun(f"the {step} of {tree.folder} {why}; the end of {log}:\n{last_lines(log)}")


def codecs(tree: Tree, logs: Path) -> List[Dict[str, Any]]:
    """Every codec there is, what it needs, and whether it runs here."""
    log = logs / "codecs.log"
    outcome = run([str(tree.assay), "list", "--json"], log, 30)
    if outcome.code != 0:
        raise CannotRun(f"`assay list --json` failed: {outcome.said.strip()}")
    return json.loads(outcome.said)


def check_expected(rows: Sequence[Dict[str, Any]], expected: Sequence[str], encodings: Sequence[str]) -> None:
    """An instruction set that was expected and does not run is an error, said aloud."""
    known = {row["needs"] for row in rows}
    runs = {row["needs"] for row in rows if row["runs"] and row["encoding"] in encodings}
    for isa in expected:
        if isa not in known:
            raise CannotRun(f"--expect: no codec needs '{isa}'; they need {', '.join(sorted(known))}")
        if isa not in runs:
            raise CannotRun(f"--expect: {isa} was expected, and no codec that needs it runs here "
                            "(this CPU lacks it, the build leaves it out, or ASSAY_WITHOUT takes it away)")
