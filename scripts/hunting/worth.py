# SPDX-License-Identifier: MIT
"""What a target is worth: the share of a hunt's time that it has. UTF-8 first, then what changed since the hunt before, or found something."""

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
from .trouble import CannotRun

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
    """One target's. `changed` holds names of encodings and claims, `found` names of targets."""
    if target.encoding == "utf-8":
        return Worth(MAIN, "UTF-8, every operation") if target.name == "decode" else Worth(UTF8, "UTF-8")
    if target.name in found:
        return Worth(FRESH, "found something before")
    if target.encoding in changed or target.claim in changed:
        return Worth(FRESH, "its sources changed since the hunt before")
    return Worth(REST, "another encoding")


def worths(targets: Sequence[Target], changed: Set[str], found: Set[str]) -> Dict[str, Worth]:
    """That of each target, by its name."""
    return {target.name: worth_of(target, changed, found) for target in targets}


def as_data(rows: Mapping[str, Worth]) -> Dict[str, List[Any]]:
    """For the file that --resume reads: the plan of a hunt that goes on must be the same."""
    return {name: [worth.weight, worth.why] for name, worth in rows.items()}


def from_data(rows: Mapping[str, Sequence[Any]]) -> Dict[str, Worth]:
    """The inverse. CannotRun if it is not what was written."""
    try:
        return {name: Worth(float(weight), str(why)) for name, (weight, why) in rows.items()}
    except (AttributeError, TypeError, ValueError) as error:
        raise CannotRun(f"--resume: what that hunt's targets are worth cannot be read ({error}); start a new hunt") from error


# ---- what changed ------------------------------------------------------------------------------

def included(path: Path, seen: Set[Path]) -> None:
    """Adds a source and all that it includes by a name in quotes."""
    if path in seen or not path.is_file():
        return
    seen.add(path)
    for name in INCLUDE.findall(path.read_text()):
        included((path.parent / name).resolve(), seen)


def digest(paths: Sequence[Path]) -> str:
    """Of the content of files, in their order."""
    content = hashlib.sha256()
    for path in paths:
        content.update(hashlib.sha256(path.read_bytes()).digest())
    return content.hexdigest()


def digests(root: Path, targets: Sequence[Target]) -> Dict[str, str]:
    """A digest of the codecs' sources for each encoding, and of its own file for each claim, by their names."""
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
    """Where the digests of the hunt before are: next to the corpora, which pass from one hunt to the next."""
    return out / "corpus/sources.json"


def recorded(out: Path) -> Dict[str, str]:
    """What hunts before this one wrote down; nothing if that cannot be read."""
    try:
        return dict(json.loads(record(out).read_text()))
    except (OSError, TypeError, ValueError):
        return {}


def changed_since(out: Path, now: Mapping[str, str]) -> Set[str]:
    """What has another digest than at the end of the hunt before. Nothing if there was none, or all changed: then none stands out."""
    before = recorded(out)
    changed = {name for name, value in now.items() if before.get(name, value) != value}
    return set() if changed == set(now) else changed


def remember(out: Path, now: Mapping[str, str]) -> None:
    """Writes the digests down, at the end of a hunt; of what it was not about, those of hunts before stay."""
    record(out).parent.mkdir(parents=True, exist_ok=True)
    write_file(record(out), json.dumps({**recorded(out), **now}, indent=1).encode() + b"\n")


def found_before(store: Store) -> Set[str]:
    """The targets that found what lies in the folder of findings."""
    names = set()
    for folder in store.earlier():
        try:
            names.add(str(json.loads((folder / "info.json").read_text())["target"]))
        except (OSError, ValueError, KeyError, TypeError):
            pass  # the check of earlier findings says so
    return names
