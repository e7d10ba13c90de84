# SPDX-License-Identifier: MIT
"""The corpora, which pass from one hunt to the next: a folder for each target and regime; and how they are merged."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Callable, Dict, List, Sequence

from ..plan import REGIMES, Regime
from ..processes import run
from ..targets import Target
from ..trees import Tree
from .engine import SANITIZERS, TARGET_FILE
from .libfuzzer import LibFuzzer

MERGE_SECONDS = 300.0
FILES_MAX = 2000  # a corpus with more is merged after a short hunt, too


def corpus_folder(out: Path, target: Target, regime: Regime) -> Path:
    """The folder of the inputs that were found for a target in a regime."""
    return out / "corpus" / target.name / regime.name


def merge(tree: Tree, target: Target, regime: Regime, folder: Path, work: Path, log: Path) -> str:
    """Reduces a corpus to the fewest inputs that reach the same code. Returns an empty string, or a sentence if that fails. Inputs at which
    the program ends stay in `work`, a folder like that of a piece of work."""
    work.mkdir(parents=True, exist_ok=True)
    (work / TARGET_FILE).write_text(target.name)
    fresh = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    outcome = run(LibFuzzer().merge_command(tree.program(target), folder, fresh, regime.max_length, work), log, MERGE_SECONDS, SANITIZERS)
    if outcome.code != 0 or not any(fresh.iterdir()):
        shutil.rmtree(fresh, ignore_errors=True)
        return f"the corpus of {target.name}, {regime.name}, could not be merged (exit code {outcome.code}); see {log}"
    old = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    os.replace(folder, old)
    os.replace(fresh, folder)
    shutil.rmtree(old, ignore_errors=True)
    return ""


def merge_all(out: Path, tree: Tree, targets: Sequence[Target], jobs: int, always: bool, say: Callable[[str], None],
              take: Callable[[Path, Target, Path], None]) -> List[Dict[str, object]]:
    """Merges every corpus, or, unless `always`, those of more than FILES_MAX inputs. Returns a row for each, with the number of inputs
    before and after. Calls `take` with each input at which the program ended, its target and the log."""
    rows: List[Dict[str, object]] = []
    (out / "logs").mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(jobs) as pool:
        futures = []
        for target in targets:
            for regime in REGIMES:
                folder = corpus_folder(out, target, regime)
                before = sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0
                if before > (0 if always else FILES_MAX):
                    log = out / "logs" / f"merge-{target.name}-{regime.name}.log"
                    work = out / "runs" / f"merge-{target.name}-{regime.name}"
                    futures.append((target, regime, folder, before, work, log,
                                    pool.submit(merge, tree, target, regime, folder, work, log)))
        for target, regime, folder, before, work, log, future in futures:
            complaint = future.result()
            if complaint:
                say(f"note      {complaint}")
            for path in LibFuzzer().crashes(work):
                take(path, target, log)
            rows.append({"target": target.name, "regime": regime.name, "before": before,
                         "after": sum(1 for _ in folder.iterdir()), "note": complaint or None})
    return rows
