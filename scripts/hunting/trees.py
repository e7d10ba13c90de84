# SPDX-License-Identifier: MIT
"""The build trees of a hunt: the fuzzers of each engine, and a plain build that replays and explains."""

from __future__ import annotations

import json
import os
import random
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .options import Options
from .plan import trees_needed
from .processes import run
from .targets import Plant, Target
from .exits import CannotRun, last_lines

BUILD_SECONDS = 1800
NAME = re.compile(r"[A-Za-z0-9._-]+")  # of a codec, as evidence.FINDING reads keys
EMULATED_ISA = "avx512"  # the instruction set that a build can emulate


@dataclass(frozen=True)
class Recipe:
    """How a tree is made: a CMake preset, its folder under build/, its extra CMake variables and its environment."""

    preset: str
    folder: str
    variables: Tuple[str, ...] = ()
    environment: Tuple[Tuple[str, str], ...] = ()


RECIPES = {
    "plain": Recipe("dev", "."),
    "libfuzzer": Recipe("fuzz", "fuzz"),
    "afl": Recipe("afl", "afl"),
    "fast": Recipe("fuzz", "fuzz-fast", ("-DASSAY_SANITIZE=", "-DASSAY_SANITIZE_CODECS_ONLY=OFF")),
    "msan": Recipe("fuzz", "fuzz-msan", ("-DASSAY_SANITIZE=memory", "-DASSAY_SANITIZE_CODECS_ONLY=OFF")),
    "emulated": Recipe("fuzz", "fuzz-emulated",
                       ("-DASSAY_SANITIZE=", "-DASSAY_SANITIZE_CODECS_ONLY=OFF", "-DASSAY_EMULATE_AVX512=ON")),
    "coverage": Recipe("coverage", "coverage"),
    "cmplog": Recipe("afl", "afl-cmplog", (), (("AFL_LLVM_CMPLOG", "1"),)),
}


@dataclass(frozen=True)
class Tree:
    """A CMake preset, built in a folder."""

    name: str
    folder: Path
    plant: Optional[Plant] = None  # in the programs of its encoding whose names end in its name
    own_recipe: Optional[Recipe] = None

    @property
    def recipe(self) -> Recipe:
        """The recipe of this tree."""
        return self.own_recipe or RECIPES[self.name]

    def program(self, target: Target) -> Path:
        """The path of a target's program."""
        planted = self.plant is not None and self.plant.encoding == target.encoding
        return self.folder / (f"{target.program}-{self.plant.name}" if self.plant and planted else target.program)

    @property
    def mutator(self) -> Path:
        """The path of the mutator that AFL++ loads."""
        return self.folder / "afl-mutator.so"

    @property
    def exhibit(self) -> Path:
        """The path of the museum's wrong decoders as a loadable codec."""
        return self.folder / "libexhibit.so"

    @property
    def subjects(self) -> List[Path]:
        """Decoders by others that were built with this tree, as loadable codecs."""
        return sorted((self.folder / "subjects").glob("*.so"))

    @property
    def assay(self) -> Path:
        """The path of the command line."""
        return self.folder / (f"assay-{self.plant.name}" if self.plant else "assay")


def tree_folder(root: Path, name: str) -> Path:
    """The folder in which a tree is built."""
    return root / "build" / RECIPES[name].folder


def plain_tree(options: Options) -> Tree:
    """The tree that every hunt needs; its `assay list` says which codecs run here."""
    return Tree("plain", tree_folder(options.root, "plain"), options.plant)


def fuzzing_trees(options: Options, emulates: bool) -> Dict[str, Tree]:
    """The trees that the plan uses, by name."""
    return {name: Tree(name, tree_folder(options.root, name), options.plant)
            for name in trees_needed(options.engines, options.seconds, emulates, bool(options.codecs))}


def coverage_tree(options: Options, emulates: bool) -> Tree:
    """The tree that counts executed lines. If it emulates, lines of codecs that this CPU cannot run count, too."""
    recipe = replace(RECIPES["coverage"], variables=(f"-DASSAY_EMULATE_AVX512={'ON' if emulates else 'OFF'}",))
    return Tree("coverage", tree_folder(options.root, "coverage"), options.plant, recipe)


def odd_tree(root: Path, plant: Optional[Plant], seed: int) -> Tree:
    """The tree of replayers by another compiler, or at another level of optimisation, chosen by the seed. They must give the same
    answers."""
    chance = random.Random(f"{seed}/odd")
    preset, level = chance.choice(("dev", "clang")), chance.choice(("O0", "O1", "O3", "Os"))
    name = f"odd-{preset}-{level}"
    recipe = Recipe(preset, name, ("-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_C_FLAGS=-{level} -g"))
    return Tree("odd", root / "build" / name, plant, recipe)


def build(tree: Tree, root: Path, targets: Sequence[Target], logs: Path, more: Sequence[str] = ()) -> None:
    """Configures a tree, and builds the programs that are needed, and `more`. Raises CannotRun with the end of the log if that fails."""
    programs = [tree.program(target).name for target in targets] + (["afl-mutator", tree.assay.name, "subjects"] if tree.name == "plain" else [])
    programs += more
    recipe = tree.recipe
    configure = ["cmake", "--preset", recipe.preset, "-B", str(tree.folder), *recipe.variables]
    make = ["cmake", "--build", str(tree.folder), "--target", *programs]
    for step, command in (("configure", configure), ("build", make)):
        log = logs / f"{step}-{tree.name}.log"
        try:
            outcome = run(command, log, BUILD_SECONDS, dict(recipe.environment), root)
        except FileNotFoundError as error:
            raise CannotRun(f"{error.filename} is not there; scripts/setup build hunt installs it") from error
        if outcome.code != 0:
            why = f"took longer than {BUILD_SECONDS} s" if outcome.timed_out else f"failed (exit code {outcome.code})"
            raise CannotRun(f"the {step} of {tree.folder} {why}; the end of {log}:\n{last_lines(log)}")


def codecs(tree: Tree, logs: Path, libraries: Sequence[Path] = ()) -> List[Dict[str, Any]]:
    """The rows of `assay list --json`, one for each codec, those of `libraries` last. Raises CannotRun if it fails."""
    log = logs / "codecs.log"
    outcome = run([str(tree.assay), "list", "--json", *(f"--codec={path}" for path in libraries)], log, 30)
    if outcome.code != 0:
        raise CannotRun(f"`assay list --json` failed: {outcome.said.strip()}")
    return json.loads(outcome.said)


def check_loaded(rows: Sequence[Dict[str, Any]], libraries: Sequence[Path]) -> List[Dict[str, Any]]:
    """The rows of the loadable codecs. Raises CannotRun if a name cannot name a folder, or is another codec's."""
    ours, loaded = rows[:len(rows) - len(libraries)], rows[len(rows) - len(libraries):]
    names = [(row["encoding"], row["codec"]) for row in ours]
    for path, row in zip(libraries, loaded):
        name = (row["encoding"], row["codec"])
        if not NAME.fullmatch(row["codec"]):
            raise CannotRun(f"--codec: {path} calls its codec {row['codec']!r}, which cannot be the name of a folder; letters, digits, '.', '_' "
                            "and '-' can")
        if name in names:
            raise CannotRun(f"--codec: {path} calls its codec {'/'.join(name)}, and so is another one called; give it another name")
        names.append(name)
    return list(loaded)


def check_expected(rows: Sequence[Dict[str, Any]], expected: Sequence[str], encodings: Sequence[str]) -> None:
    """Raises CannotRun if an expected instruction set cannot be used here."""
    known = {row["needs"] for row in rows}
    runs = {row["needs"] for row in rows if row["runs"] and row["encoding"] in encodings}
    for isa in expected:
        if isa not in known:
            raise CannotRun(f"--expect: no codec needs '{isa}'; they need {', '.join(sorted(known))}")
        if isa not in runs:
            raise CannotRun(f"--expect: {isa} was expected, and no codec that needs it runs here "
                            "(this CPU lacks it, the build leaves it out, or ASSAY_WITHOUT takes it away)")


def runs(rows: Sequence[Dict[str, Any]], plant: Plant) -> bool:
    """True if the plant runs here, by the codecs of a tree with the plant."""
    return any(row["runs"] for row in rows if (row["encoding"], row["codec"]) == (plant.encoding, plant.name))


def can_emulate(rows: Sequence[Dict[str, Any]]) -> bool:
    """True if a build can run codecs that this CPU cannot. ASSAY_WITHOUT disables emulation, too; and the emulation needs a little-endian
    processor."""
    without = os.environ.get("ASSAY_WITHOUT", "").replace(",", " ").split()
    return sys.byteorder == "little" and EMULATED_ISA not in without and \
        any(row["needs"] == EMULATED_ISA and not row["runs"] for row in rows)


def check_plant(rows: Sequence[Dict[str, Any]], plant: Optional[Plant], emulates: bool) -> None:
    """Raises CannotRun if this machine can neither run nor emulate the plant's instruction set: a hunt without findings would prove
    nothing."""
    if plant is not None and not runs(rows, plant) and not (emulates and plant.needs == EMULATED_ISA):
        raise CannotRun(f"--plant: {plant.name} needs {plant.needs} and does not run here (this CPU lacks it, the build leaves "
                        "it out, or ASSAY_WITHOUT takes it away)")
