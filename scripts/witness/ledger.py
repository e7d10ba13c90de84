# SPDX-License-Identifier: MIT
"""The ledger of released cases: an id is never reused, and what it asks for never changes."""

from __future__ import annotations

from typing import Dict, List

PATH = "vectors/LEDGER.tsv"
HEAD = "id\tdigest\tsince"


def parse(text: str) -> Dict[str, List[str]]:
    """The lines of a ledger: id -> [digest, version]."""
    lines = text.splitlines()
    if not lines or lines[0] != HEAD:
        raise ValueError(f"{PATH} does not begin with the line {HEAD!r}")
    pinned: Dict[str, List[str]] = {}
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        if len(fields) != 3 or not all(fields):
            raise ValueError(f"{PATH}:{number}: not an id, a digest and a version: {line!r}")
        if fields[0] in pinned:
            raise ValueError(f"{PATH}:{number}: {fields[0]} stands here twice")
        pinned[fields[0]] = fields[1:]
    return pinned


def render(pinned: Dict[str, List[str]]) -> str:
    """The text of a ledger, ids in order."""
    return "\n".join([HEAD] + ["\t".join([name, *pinned[name]]) for name in sorted(pinned)]) + "\n"


def broken_promises(pinned: Dict[str, List[str]], current: Dict[str, str]) -> List[str]:
    """A sentence for each released id that is gone or asks for something else now."""
    broken = []
    for name, (digest, version) in pinned.items():
        if name not in current:
            broken.append(f"{name} was released in {version} and is gone")
        elif current[name] != digest:
            broken.append(f"{name} was released in {version} and now asks for something else")
    return broken


def with_release(pinned: Dict[str, List[str]], current: Dict[str, str], version: str) -> Dict[str, List[str]]:
    """The ledger after a release: all current ids are pinned, those already there as they were."""
    return {**{name: [digest, version] for name, digest in current.items()}, **pinned}
