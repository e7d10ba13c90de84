# SPDX-License-Identifier: MIT
"""What changed from one field.json to another: the failures of the cases that every subject is asked, and the divergences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Set

from witness.schema import failures

LINES = 20  # of one kind, of one subject
SCHEMA = Path(__file__).parent / "schema.json"

Field = Dict[str, Any]


def read_field(path: Path) -> Field:
    """Reads an earlier field.json. Raises ValueError where it is something else."""
    schema = json.loads(SCHEMA.read_text("ascii"))
    try:
        field: Field = json.loads(path.read_text("ascii"))
    except ValueError:
        raise ValueError(f"--baseline: {path} is no JSON") from None
    wrong = failures(field, schema, schema)
    if wrong:
        raise ValueError(f"--baseline: {path} is no field.json of this version: {wrong[0]}")
    return field


def listed(what: str, names: Set[str]) -> List[str]:
    """A line for each name, and one for those that are left out."""
    lines = [f"    {what}: {name}" for name in sorted(names)[:LINES]]
    return lines + ([f"    {what}: {len(names) - LINES} more"] if len(names) > LINES else [])


def of_subject(old: Field, new: Field) -> List[str]:
    """What changed in the answers of one subject."""
    before, after = set(old["failed_first"]), set(new["failed_first"])
    status = {one["name"]: one["status"] for one in old["divergences"]}
    lines = listed("new failure", after - before) + listed("fails no longer", before - after)
    return lines + [f"    divergence {one['name']}: {status[one['name']]}, now {one['status']}" for one in new["divergences"]
                    if status.get(one["name"], one["status"]) != one["status"]]


class Changes:
    """The comparison of two reports. `lines` is for a person; `found` counts subjects whose answers changed."""

    def __init__(self, old: Field, new: Field) -> None:
        self.lines: List[str] = []
        self.found = 0
        before = {one["name"]: one for one in old["subjects"]}
        after = {one["name"]: one for one in new["subjects"]}
        if old["vectors"] != new["vectors"]:
            self.lines.append(f"vectors {old['vectors']}, now {new['vectors']}")
        for name in after:
            if name in before:
                self.compare(before[name], after[name])
        for words, names in (("asked for the first time", [name for name in after if name not in before]),
                             ("not asked this time", [name for name in before if name not in after])):
            self.lines += [f"{words}: {', '.join(names)}"] if names else []
        self.lines.append(f"since {old['made']}: the answers of {self.found} of {len(set(before) & set(after))} subjects changed")

    def compare(self, old: Field, new: Field) -> None:
        """Adds the lines of a subject."""
        lines = of_subject(old, new)
        self.found += bool(lines)
        if lines or old["version"] != new["version"]:
            version = new["version"] if old["version"] == new["version"] else f"{old['version']}, now {new['version']}"
            self.lines += [f"{new['name']} ({version})" + (":" if lines else ": answers as before"), *lines]
