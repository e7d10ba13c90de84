# SPDX-License-Identifier: MIT
"""The replay of known inputs, before any fuzzing: what they show need not be searched for."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Dict, List, Sequence, Set

from ..engines.corpora import corpus_folder
from ..engines.engine import INPUT_SECONDS
from ..files import content_name, files_in
from ..plan import REGIMES
from ..processes import Outcome, run
from ..targets import Target
from ..exits import CannotRun
from .evidence import letters, letters_by_file
from .triage import STUCK_SECONDS, Origin, Triage

ODD_SECONDS = 120.0  # for one target; inputs that are not replayed by then are left out
WORDLESS_MAX = 4  # inputs without a key (a crash, a hang) that are examined; each takes long


def seconds_for(files: Sequence[Path]) -> float:
    """A time limit for a replay, in seconds: far more than it takes, even on a busy machine. Beyond it, one of the inputs is stuck."""
    return 30 + 60 * sum(path.stat().st_size for path in files) / (1 << 20)


def one_by_one(triage: Triage, target: Target, files: Sequence[Path]) -> Dict[Path, Set[str]]:
    """The files with a finding, each with its keys; no keys if the replayer crashes or hangs without printing one."""
    found: Dict[Path, Set[str]] = {}
    patience = float(INPUT_SECONDS)
    for path in files:
        outcome = run([str(triage.trees["plain"].program(target)), str(path)], triage.work / "replay-one.log", patience,
                      triage.options.loading)
        if outcome.timed_out:
            patience = STUCK_SECONDS  # one wait of the full length is enough
        if outcome.code != 0:
            found[path] = set(letters(outcome.said))
    return found


def by_file(said: str) -> Dict[Path, Set[str]]:
    """The keys of each file that the replayer reports."""
    found: Dict[Path, Set[str]] = {}
    for key, _, where in letters_by_file(said):
        if where is not None:
            found.setdefault(Path(where), set()).add(key)
    return found


def seed_folder(files: Sequence[Path], length: int, folder: Path) -> Path:
    """Copies the files, cut to a length, into one flat folder, in which single seeds can be deleted. Returns the folder."""
    folder.mkdir(parents=True)
    for path in files:
        content = path.read_bytes()[:length]
        (folder / content_name(content)).write_bytes(content)
    return folder


def cut_texts(triage: Triage, target: Target, length: int) -> None:
    """Writes the texts, cut to the length that engines are given, for the replay; replaying them whole takes longer than a short hunt
    has."""
    seed_folder(files_in(target.texts(triage.options.root)), length, triage.work / "texts" / target.name)


def known_folders(triage: Triage, target: Target) -> List[Path]:
    """The folders of a target's known inputs: its seeds, and the cut texts."""
    return [*target.seeds(triage.options.root, triage.options.seeds), triage.work / "texts" / target.name]


def known_inputs(triage: Triage, target: Target) -> List[Path]:
    """The known inputs of a target. Raises CannotRun if there is none."""
    files = files_in(known_folders(triage, target))
    if not files:
        raise CannotRun(f"there is no seed for {target.name}: no vectors of {target.encoding}")
    return files


def replay_known(triage: Triage, target: Target) -> Outcome:
    """Replays all known inputs of a target with the plain replayer. Returns its outcome."""
    return run([str(triage.trees["plain"].program(target)), "--each-file", *map(str, known_folders(triage, target))],
               triage.work / f"replay-{target.name}.log", seconds_for(known_inputs(triage, target)), triage.options.loading,
               knock=signal.SIGALRM)


def replay_odd(triage: Triage, targets: Sequence[Target], jobs: int, without: str) -> None:
    """Replays the corpora with another build, and passes what only this build shows to triage. Raises CannotRun if a replayer could not
    run."""
    tree = triage.trees["odd"]

    def look(target: Target) -> Outcome:
        """Replays the corpora of one target."""
        folders = [corpus_folder(triage.options.out, target, regime) for regime in REGIMES]
        there = [str(folder) for folder in folders if folder.is_dir()]
        environment = {**triage.options.loading, **({"ASSAY_WITHOUT": without} if without else {})}
        folders = there or target.seeds(triage.options.root, triage.options.seeds)
        return run([str(tree.program(target)), "--each-file", *map(str, folders)], triage.work / f"odd-{target.name}.log", ODD_SECONDS, environment, knock=signal.SIGALRM)

    with ThreadPoolExecutor(jobs) as pool:
        outcomes = list(pool.map(look, targets))
    for target, outcome in zip(targets, outcomes):
        for path, keys in sorted(by_file(outcome.said).items()):
            if not keys <= set(triage.store.findings):
                triage.take(path, Origin(target, f"replay by {tree.folder.name}"), outcome.said)
        if outcome.code not in (0, 1) and not outcome.timed_out and not by_file(outcome.said):
            raise CannotRun(f"the replay by {tree.program(target)} could not run: {outcome.said.strip()[-500:]}")


def judge(triage: Triage, target: Target, outcome: Outcome) -> Set[Path]:
    """The known inputs that a replay reports; new findings go to triage. Raises CannotRun if it could not replay."""
    files = known_inputs(triage, target)
    if outcome.code == 0:
        return set()
    if outcome.code == 2:
        raise CannotRun(f"the replay of the corpus through {target.name} could not run: {outcome.said.strip()[-500:]}")
    tainted = by_file(outcome.said) if outcome.code == 1 else one_by_one(triage, target, files)
    wordless = 0
    for path, keys in sorted(tainted.items(), key=lambda row: row[0].stat().st_size):
        wordless += not keys
        if keys and keys <= set(triage.store.findings):
            triage.store.count_all(keys)
        elif keys or wordless <= WORDLESS_MAX:
            triage.take(path, Origin(target, "corpus"), outcome.said)
    return set(tainted)
