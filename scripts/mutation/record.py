# SPDX-License-Identifier: MIT
"""A file of what became of mutants, a line of JSON for each, so that an interrupted run goes on. The first line says of which program they are,
and what they were asked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .equivalence import Rules
from .isa import Mutant
from .machine import Program
from .runs import EQUIVALENT, SURVIVED, UNEXECUTED, Asked, Result, explain

FIELDS = ("state", "by", "field", "place")


def sum_of(path: Path) -> str:
    """The digest of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sum_of_folder(path: Path) -> str:
    """The digest of all files in a folder, and below it."""
    files = sorted(one for one in path.rglob("*") if one.is_file())
    return hashlib.sha256("".join(f"{sum_of(one)} {one.relative_to(path)}\n" for one in files).encode()).hexdigest()


class Record:
    """Of the mutants of one codec; without a path, nothing is kept."""

    def __init__(self, path: Optional[Path], programs: Sequence[Program], asked: Asked, also: Sequence[str]) -> None:
        """Reads it, or begins it. Raises ValueError if it is of another program, or of other questions."""
        self.path, self.known = path, {}  # type: Optional[Path], Dict[str, Dict[str, str]]
        if path is None:
            return
        head = json.dumps({"programs": [sum_of(one.path) for one in programs], "asked": {**asdict(asked), "vectors": sum_of_folder(asked.vectors), "also": list(also)}})
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(head + "\n", "utf-8")
        first, *lines = path.read_text("utf-8").split("\n")
        if first != head:
            raise ValueError(f"{path} is of another program, or of other questions")
        path.write_text("\n".join([first, *lines[:-1]]) + "\n", "utf-8")  # without a line that was interrupted
        rows: List[Dict[str, Any]] = [json.loads(line) for line in lines[:-1]]
        self.known = {row["label"]: {name: row[name] for name in FIELDS} for row in rows}

    def known_of(self, program: Program, rules: Rules, mutants: Sequence[Mutant]) -> Tuple[List[Result[Mutant]], List[Mutant]]:
        """The results that are known, and the mutants that are to be asked: also those that a rule explains only now, or did when they were asked."""
        results = [Result(mutant, **self.known[mutant.label()]) for mutant in mutants if mutant.label() in self.known]
        alive = [one for one in results if one.state in (SURVIVED, EQUIVALENT, UNEXECUTED)]
        now = [Result(one.mutant, SURVIVED) for one in alive]
        explain(rules, now, rules.places_of(program, [one.mutant.of.address for one in now]))
        changed = {one.mutant.label() for one, other in zip(alive, now) if (one.state == EQUIVALENT) != (other.state == EQUIVALENT)}
        for one, other in zip(alive, now):
            one.by = other.by if one.state == EQUIVALENT else one.by
        kept = [one for one in results if one.mutant.label() not in changed]
        there = {one.mutant.label() for one in kept}
        return kept, [mutant for mutant in mutants if mutant.label() not in there]

    def add(self, results: Sequence[Result[Mutant]]) -> None:
        """Writes what became of some more."""
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write("".join(json.dumps({"label": one.mutant.label(), **{name: getattr(one, name) for name in FIELDS}}) + "\n" for one in results))
