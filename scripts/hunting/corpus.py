# SPDX-License-Identifier: MIT
"""The replay of known inputs, before any fuzzing: what they show need not be hunted for."""

from __future__ import annotations

from pathlib import Path
from typing import Dict, List, Sequence, Set

from .evidence import letters_by_file
from .processes import run
from .targets import Target
from .triage import Origin, Triage
from .trouble import CannotRun

REPLAY_SECONDS = 600


def files_in(folders: Sequence[Path]) -> List[Path]:
    """All files of some folders, hidden ones left out as the replayer does."""
    return sorted(path for folder in folders for path in folder.rglob("*")
                  if path.is_file() and not path.name.startswith("."))


def replay_corpus(triage: Triage, target: Target) -> Set[Path]:
    """Replays all known inputs through a target; those that show something are findings, and no seeds for a fuzzer."""
    root = triage.options.root
    folders = [*target.seeds(root), *target.texts(root)]
    files = files_in(folders)
    if not files:
        raise CannotRun(f"there is no seed for {target.name}; scripts/generate writes them")
    outcome = run([str(triage.trees["plain"].program(target)), *map(str, folders)],
                  triage.work / f"replay-{target.name}.log", REPLAY_SECONDS)
    if outcome.code == 0:
        return set()
    by_file: Dict[Path, Set[str]] = {}
    for key, _, where in letters_by_file(outcome.said):
        if where is not None:
            by_file.setdefault(Path(where), set()).add(key)
    if outcome.code == 2:
        raise CannotRun(f"the replay of the corpus through {target.name} could not run: {outcome.said.strip()[-500:]}")
    if outcome.code != 1:  # it died: which file was it?
        by_file = {path: set() for path in files if triage.examine(target, path).letters}
    for path, keys in sorted(by_file.items(), key=lambda row: row[0].stat().st_size):
        if keys and keys <= set(triage.store.findings):
            triage.store.count_all(keys)
        else:
            triage.take(path, Origin(target, "corpus"), outcome.said)
    return set(by_file)
