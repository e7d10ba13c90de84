# SPDX-License-Identifier: MIT
"""The build trees a hunt needs: the fuzzers of each engine, and a plain one to replay and explain with."""

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
from .trouble import CannotRun, last_lines

BUILD_SECONDS = 1800
NAME = re.compile(r"[A-Za-z0-9._-]+")  # of a codec, as evidence.FINDING reads keys
EMULATED_ISA = "avx512"  # that a build can have without the instructions


@dataclass(frozen=True)
class Recipe:
    """How a tree is made: a CMake preset, its folder under build/, and what is otherwise."""

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
    plant: Optional[Plant] = None  # that is let in where its encoding is decoded
    own_recipe: Optional[Recipe] = None

    @property
    def recipe(self) -> Recipe:
        """How it is made."""
        return self.own_recipe or RECIPES[self.name]

    def program(self, target: Target) -> Path:
        """A target's program in this tree."""
        planted = self.plant is not None and self.plant.encoding == target.encoding
        return self.folder / (f"{target.program}-{self.plant.name}" if self.plant and planted else target.program)

    @property
    def mutator(self) -> Path:
        """The mutator as AFL++ loads it."""
        return self.folder / "afl-mutator.so"

    @property
    def subjects(self) -> List[Path]:
        """Decoders by others that were built into this tree, as loadable codecs."""
        return sorted((self.folder / "subjects").glob("*.so"))

    @property
    def assay(self) -> Path:
        """The command line in this tree."""
        return self.folder / (f"assay-{self.plant.name}" if self.plant else "assay")


def tree_folder(root: Path, name: str) -> Path:
    """Where a tree is built."""
    return root / "build" / RECIPES[name].folder


def plain_tree(options: Options) -> Tree:
    """The tree that every hunt needs, and that says which codecs run here."""
    return Tree("plain", tree_folder(options.root, "plain"), options.plant)


def fuzzing_trees(options: Options, emulates: bool) -> Dict[str, Tree]:
    """The trees that the plan takes."""
    return {name: Tree(name, tree_folder(options.root, name), options.plant)
            for name in trees_needed(options.engines, options.seconds, emulates, bool(options.codecs))}


def coverage_tree(options: Options, emulates: bool) -> Tree:
    """The tree that counts; where it emulates, the lines of codecs that this CPU cannot run count, too."""
    recipe = replace(RECIPES["coverage"], variables=(f"-DASSAY_EMULATE_AVX512={'ON' if emulates else 'OFF'}",))
    return Tree("coverage", tree_folder(options.root, "coverage"), options.plant, recipe)


def odd_tree(root: Path, plant: Optional[Plant], seed: int) -> Tree:
    """Replayers by another compiler, or at another level of optimisation, by the seed: they must say the same."""
    chance = random.Random(f"{seed}/odd")
    preset, level = chance.choice(("dev", "clang")), chance.choice(("O0", "O1", "O3", "Os"))
    name = f"odd-{preset}-{level}"
    recipe = Recipe(preset, name, ("-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_C_FLAGS=-{level} -g"))
    return Tree("odd", root / "build" / name, plant, recipe)


def build(tree: Tree, root: Path, targets: Sequence[Target], logs: Path) -> None:
    """Configures and builds what is needed of a tree; CannotRun with the end of the log if that fails."""
    programs = [tree.program(target).name for target in targets] + (["afl-mutator", tree.assay.name, "subjects"] if tree.name == "plain" else [])
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
    """A row of `assay list --json` for every codec there is, those of libraries last; CannotRun if it does not answer."""
    log = logs / "codecs.log"
    outcome = run([str(tree.assay), "list", "--json", *(f"--codec={path}" for path in libraries)], log, 30)
    if outcome.code != 0:
        raise CannotRun(f"`assay list --json` failed: {outcome.said.strip()}")
    return json.loads(outcome.said)


def check_loaded(rows: Sequence[Dict[str, Any]], libraries: Sequence[Path]) -> List[Dict[str, Any]]:
    """The rows of loadable codecs; CannotRun if the name of one does not distinguish its findings from others'."""
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
    """CannotRun if an instruction set that was expected does not run."""
    known = {row["needs"] for row in rows}
    runs = {row["needs"] for row in rows if row["runs"] and row["encoding"] in encodings}
    for isa in expected:
        if isa not in known:
            raise CannotRun(f"--expect: no codec needs '{isa}'; they need {', '.join(sorted(known))}")
        if isa not in runs:
            raise CannotRun(f"--expect: {isa} was expected, and no codec that needs it runs here "
                            "(this CPU lacks it, the build leaves it out, or ASSAY_WITHOUT takes it away)")


def runs(rows: Sequence[Dict[str, Any]], plant: Plant) -> bool:
    """Whether it runs here, by the rows of a tree that it is let into."""
    return any(row["runs"] for row in rows if (row["encoding"], row["codec"]) == (plant.encoding, plant.name))


def can_emulate(rows: Sequence[Dict[str, Any]]) -> bool:
    """Whether a build can run codecs that this CPU cannot. What ASSAY_WITHOUT takes away it takes away there, too; and the
    emulation is for little-endian processors."""
    without = os.environ.get("ASSAY_WITHOUT", "").replace(",", " ").split()
    return sys.byteorder == "little" and EMULATED_ISA not in without and \
        any(row["needs"] == EMULATED_ISA and not row["runs"] for row in rows)


def check_plant(rows: Sequence[Dict[str, Any]], plant: Optional[Plant], emulates: bool) -> None:
    """CannotRun if a plant does not run here, not even emulated: that nothing was found would say nothing."""
    if plant is not None and not runs(rows, plant) and not (emulates and plant.needs == EMULATED_ISA):
        raise CannotRun(f"--plant: {plant.name} needs {plant.needs} and does not run here (this CPU lacks it, the build leaves "
                        "it out, or ASSAY_WITHOUT takes it away)")
