# SPDX-License-Identifier: MIT
"""The ledger of released cases: an id is never reused and its question never changes; an id or a category may be retired."""

from __future__ import annotations

import hashlib
from typing import Dict, List, Optional, Tuple

PATH = "vectors/LEDGER.tsv"
HEAD = "category\tsince\tretired\nname\tdigest"
PRESENT = "-"

# Retired categories and ids, and the first version without them. The ids stay in the ledger.
RETIRED = {
    "utf-8/block-edge": "0.3.0",  # complete/utf-8-positions.tsv has all of its cases, and more
    # A pair of surrogate code points became one character of UTF-16 in these. It is an error (WTF-8, section 4.1).
    **{f"generalized-utf-8/convert/to-utf-16{order}-{text}": "0.3.0" for order in ("le", "be")
       for text in ("eda0bdedb2a9", "41eda0bdedb2a942", "eda0bdeda0bdedb2a9", "41eda0bdeda0bdedb2a942")},
    **{f"generalized-utf-8/positions/{line}": "0.3.0" for line in ("7217b7aa", "5d2e9848", "a8b893cc", "d259348d")},
}


DIGITS = 8  # of a digest: one change in 4 billion goes unseen


def digest_of(question: str) -> str:
    """The digest of what a case asks."""
    return hashlib.sha256(question.encode("ascii")).hexdigest()[:DIGITS]


def category_of(name: str) -> str:
    """The category of an id."""
    return name.rsplit("/", 1)[0]


def retired_in(name: str) -> Optional[str]:
    """The first version without an id, or None if it is not retired."""
    return RETIRED.get(name, RETIRED.get(category_of(name)))


def parse(text: str) -> Dict[str, List[str]]:
    """The lines of a ledger: id -> [digest, first version, first version without it]. A line of three fields is a category; the
    lines of two fields after it are its cases."""
    if not text.startswith(HEAD + "\n"):
        raise ValueError(f"{PATH} does not begin with the lines {HEAD!r}")
    pinned: Dict[str, List[str]] = {}
    group: List[str] = []
    first = HEAD.count("\n") + 2
    for number, line in enumerate(text.splitlines()[first - 1:], first):
        fields = line.split("\t")
        if len(fields) == 3 and all(fields):
            group = fields
            continue
        if len(fields) != 2 or not all(fields) or not group:
            raise ValueError(f"{PATH}:{number}: neither a category and two versions nor, after one, a name and a digest: {line!r}")
        name = f"{group[0]}/{fields[0]}"
        if name in pinned:
            raise ValueError(f"{PATH}:{number}: {name} stands here twice")
        pinned[name] = [fields[1], *group[1:]]
    return pinned


def render(pinned: Dict[str, List[str]]) -> str:
    """The text of a ledger: groups and ids in order."""
    groups: Dict[Tuple[str, str, str], List[str]] = {}
    for name, (digest, since, retired) in sorted(pinned.items()):
        groups.setdefault((category_of(name), since, retired), []).append(f"{name.rsplit('/', 1)[1]}\t{digest}")
    lines = [line for group in sorted(groups) for line in ("\t".join(group), *groups[group])]
    return "\n".join([HEAD, *lines]) + "\n"


def broken_promises(pinned: Dict[str, List[str]], current: Dict[str, str]) -> List[str]:
    """A sentence for each released id that is gone, has another question, or is used again."""
    broken = [f"{name} was retired in {retired_in(name)}, or its category was" for name in current if retired_in(name)]
    for name, (digest, version, _) in pinned.items():
        if retired_in(name):
            continue
        if name not in current:
            broken.append(f"{name} was released in {version} and is gone")
        elif current[name] != digest:
            broken.append(f"{name} was released in {version} and now asks for something else")
    return broken


def with_release(pinned: Dict[str, List[str]], current: Dict[str, str], version: str) -> Dict[str, List[str]]:
    """The ledger after a release: new ids are pinned, retired categories are marked, older lines stay."""
    kept = {name: [digest, since, retired_in(name) or PRESENT] for name, (digest, since, _) in pinned.items()}
    return {**{name: [digest, version, PRESENT] for name, digest in current.items()}, **kept}
