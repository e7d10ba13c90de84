# SPDX-License-Identifier: MIT
"""The replay of known inputs, before any fuzzing: what they show need not be hunted for."""

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
from ..trouble import CannotRun
from .evidence import letters, letters_by_file
from .triage import STUCK_SECONDS, Origin, Triage

ODD_SECONDS = 120.0  # for one target; what is not looked at by then is not
WORDLESS_MAX = 4  # inputs on which the replayer dies or is stuck that are examined; each takes long


def seconds_for(files: Sequence[Path]) -> float:
    """Far more than a replay takes, even on a busy machine; after this one of the inputs must be stuck."""
    return 30 + 60 * sum(path.stat().st_size for path in files) / (1 << 20)


def one_by_one(triage: Triage, target: Target, files: Sequence[Path]) -> Dict[Path, Set[str]]:
    """Which files do not replay in order, with their keys; none if the replayer dies or is stuck without a word."""
    found: Dict[Path, Set[str]] = {}
    patience = float(INPUT_SECONDS)
    for path in files:
        outcome = run([str(triage.trees["plain"].program(target)), str(path)], triage.work / "replay-one.log", patience,
                      triage.options.loading)
        if outcome.timed_out:
            patience = STUCK_SECONDS  # the others need not be waited for as long
        if outcome.code != 0:
            found[path] = set(letters(outcome.said))
    return found


def by_file(said: str) -> Dict[Path, Set[str]]:
    """The keys of each file that the replayer complains about."""
    found: Dict[Path, Set[str]] = {}
    for key, _, where in letters_by_file(said):
        if where is not None:
            found.setdefault(Path(where), set()).add(key)
    return found


def seed_folder(files: Sequence[Path], length: int, folder: Path) -> Path:
    """One flat folder with these files, cut to a length: what ends an engine can then be taken away one by one."""
    folder.mkdir(parents=True)
    for path in files:
        content = path.read_bytes()[:length]
        (folder / content_name(content)).write_bytes(content)
    return folder


def cut_texts(triage: Triage, target: Target, length: int) -> None:
    """Makes of the texts what is replayed of them: no more than engines are given, for all of it takes longer than a short hunt has."""
    seed_folder(files_in(target.texts(triage.options.root)), length, triage.work / "texts" / target.name)


def known_folders(triage: Triage, target: Target) -> List[Path]:
    """Where the inputs are that there are for a target before it is fuzzed."""
    return [*target.seeds(triage.options.root, triage.options.seeds), triage.work / "texts" / target.name]


def known_inputs(triage: Triage, target: Target) -> List[Path]:
    """All of them; CannotRun if there is none."""
    files = files_in(known_folders(triage, target))
    if not files:
        raise CannotRun(f"there is no seed for {target.name}: no vectors of {target.encoding}")
    return files


def replay_known(triage: Triage, target: Target) -> Outcome:
    """How the plain replayer, looking at all known inputs, ended, and what it said."""
    return run([str(triage.trees["plain"].program(target)), "--each-file", *map(str, known_folders(triage, target))],
               triage.work / f"replay-{target.name}.log", seconds_for(known_inputs(triage, target)), triage.options.loading,
               knock=signal.SIGALRM)


def replay_odd(triage: Triage, targets: Sequence[Target], jobs: int, without: str) -> None:
    """Has replayers of another build look at all that was gathered: what only they show goes to triage. CannotRun if one could not."""
    tree = triage.trees["odd"]

    def look(target: Target) -> Outcome:
        """One target's share."""
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
    """The known inputs on which a replay showed something; what is new goes to triage. CannotRun if it could not replay."""
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
