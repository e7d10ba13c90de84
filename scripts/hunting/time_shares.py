# SPDX-License-Identifier: MIT
"""The weight of a target: its share of a hunt's time. `decode` of UTF-8 has the most; then other targets of UTF-8, and targets that found something
or whose sources changed since the previous hunt; then all others."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Mapping, Sequence, Set

from .files import write_file
from .findings.store import Store
from .targets import ENCODING, Target
from .exits import CannotRun

# Three in four decoders that people use are of UTF-8, and so are most of ours; `decode` asks each of them the most questions.
MAIN, UTF8, FRESH, REST = 32.0, 8.0, 8.0, 1.0

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
CODEC = re.compile(r"^CODEC\((\w+), *\w+, *([^, ]+),", re.MULTILINE)


@dataclass(frozen=True)
class Worth:
    """A weight relative to other targets' weights, and the reason for it."""

    weight: float
    why: str


def worth_of(target: Target, changed: Set[str], found: Set[str]) -> Worth:
    """The worth of one target. `changed` holds names of encodings and claims, `found` names of targets."""
    if target.encoding == "utf-8":
        return Worth(MAIN, "UTF-8, every operation") if target.name == "decode" else Worth(UTF8, "UTF-8")
    if target.name in found:
        return Worth(FRESH, "found something before")
    if target.encoding in changed or target.claim in changed:
        return Worth(FRESH, "its sources changed since the hunt before")
    return Worth(REST, "another encoding")


def worths(targets: Sequence[Target], changed: Set[str], found: Set[str]) -> Dict[str, Worth]:
    """The worth of each target, by its name."""
    return {target.name: worth_of(target, changed, found) for target in targets}


def as_data(rows: Mapping[str, Worth]) -> Dict[str, List[Any]]:
    """The worths for the file that --resume reads, because a resumed hunt must have the same plan."""
    return {name: [worth.weight, worth.why] for name, worth in rows.items()}


def from_data(rows: Mapping[str, Sequence[Any]]) -> Dict[str, Worth]:
    """The inverse of as_data(). Raises CannotRun if the data have another form."""
    try:
        return {name: Worth(float(weight), str(why)) for name, (weight, why) in rows.items()}
    except (AttributeError, TypeError, ValueError) as error:
        raise CannotRun(f"--resume: what that hunt's targets are worth cannot be read ({error}); start a new hunt") from error


# ---- what changed ------------------------------------------------------------------------------

def included(path: Path, seen: Set[Path]) -> None:
    """Adds a source, and all that it includes by a name in quotes, to `seen`."""
    if path in seen or not path.is_file():
        return
    seen.add(path)
    for name in INCLUDE.findall(path.read_text()):
        included((path.parent / name).resolve(), seen)


def digest(paths: Sequence[Path]) -> str:
    """The digest of the content of files, in their order."""
    content = hashlib.sha256()
    for path in paths:
        content.update(hashlib.sha256(path.read_bytes()).digest())
    return content.hexdigest()


def digests(root: Path, targets: Sequence[Target]) -> Dict[str, str]:
    """A digest for each encoding (the sources of its codecs) and for each claim (its own file), by name."""
    registry = (root / "codecs/codecs.def").read_text()
    rows = {}
    for id_, name in ENCODING.findall(registry):
        sources: Set[Path] = set()
        for encoding, file in CODEC.findall(registry):
            if encoding == id_:
                included(root / "codecs" / file, sources)
        rows[name] = digest(sorted(sources))
    claims = {target.claim: root / "harnesses/fuzz" / f"{target.claim}.c" for target in targets}
    return {**rows, **{claim: digest([path]) for claim, path in claims.items() if path.is_file()}}


def record(out: Path) -> Path:
    """The file of the previous hunt's digests. It lies beside the corpora, which pass from one hunt to the next."""
    return out / "corpus/sources.json"


def recorded(out: Path) -> Dict[str, str]:
    """The digests that earlier hunts wrote; none if they cannot be read."""
    try:
        return dict(json.loads(record(out).read_text()))
    except (OSError, TypeError, ValueError):
        return {}


def changed_since(out: Path, now: Mapping[str, str]) -> Set[str]:
    """The names whose digest differs from that of the previous hunt; none if there was no previous hunt, or if all digests differ."""
    before = recorded(out)
    changed = {name for name, value in now.items() if before.get(name, value) != value}
    return set() if changed == set(now) else changed


def remember(out: Path, now: Mapping[str, str]) -> None:
    """Writes the digests, at the end of a hunt. Digests of names that are not in this hunt are kept."""
    record(out).parent.mkdir(parents=True, exist_ok=True)
    write_file(record(out), json.dumps({**recorded(out), **now}, indent=1).encode() + b"\n")


def found_before(store: Store) -> Set[str]:
    """The names of the targets to which the findings of earlier hunts belong."""
    names = set()
    for folder in store.earlier():
        try:
            names.add(str(json.loads((folder / "info.json").read_text())["target"]))
        except (OSError, ValueError, KeyError, TypeError):
            pass  # the check of earlier findings says so
    return names
