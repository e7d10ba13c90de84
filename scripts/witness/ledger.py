# SPDX-License-Identifier: MIT
"""The ledger of released cases: an id is never reused, and what it asks for never changes; a category may be retired."""

from __future__ import annotations

from typing import Dict, List

PATH = "vectors/LEDGER.tsv"
HEAD = "id\tdigest\tsince\tretired"
PRESENT = "-"

# Categories of which no case is asked any more, and the version without them. Their ids stay in the ledger.
RETIRED = {"utf-8/block-edge": "0.3.0"}  # complete/utf-8-positions.tsv has what it had, and more


def category_of(name: str) -> str:
    """The category of an id."""
    return name.rsplit("/", 1)[0]


def parse(text: str) -> Dict[str, List[str]]:
    """The lines of a ledger: id -> [digest, version since which, version without it]."""
    lines = text.splitlines()
    if not lines or lines[0] != HEAD:
        raise ValueError(f"{PATH} does not begin with the line {HEAD!r}")
    pinned: Dict[str, List[str]] = {}
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        if len(fields) != 4 or not all(fields):
            raise ValueError(f"{PATH}:{number}: not an id, a digest and two versions: {line!r}")
        if fields[0] in pinned:
            raise ValueError(f"{PATH}:{number}: {fields[0]} stands here twice")
        pinned[fields[0]] = fields[1:]
    return pinned


def render(pinned: Dict[str, List[str]]) -> str:
    """The text of a ledger, ids in order."""
    return "\n".join([HEAD] + ["\t".join([name, *pinned[name]]) for name in sorted(pinned)]) + "\n"


def broken_promises(pinned: Dict[str, List[str]], current: Dict[str, str]) -> List[str]:
    """A sentence for each released id that is gone or asks for something else now, and for each that is used again."""
    broken = [f"{name} is in a category that was retired in {RETIRED[category_of(name)]}"
              for name in current if category_of(name) in RETIRED]
    for name, (digest, version, _) in pinned.items():
        if category_of(name) in RETIRED:
            continue
        if name not in current:
            broken.append(f"{name} was released in {version} and is gone")
        elif current[name] != digest:
            broken.append(f"{name} was released in {version} and now asks for something else")
    return broken


def with_release(pinned: Dict[str, List[str]], current: Dict[str, str], version: str) -> Dict[str, List[str]]:
    """The ledger after a release: all current ids are pinned, those already there as they were, or retired."""
    kept = {name: [digest, since, RETIRED.get(category_of(name), PRESENT)] for name, (digest, since, _) in pinned.items()}
    return {**{name: [digest, version, PRESENT] for name, digest in current.items()}, **kept}
