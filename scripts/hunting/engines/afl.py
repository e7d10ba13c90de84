# SPDX-License-Identifier: MIT
"""AFL++: its command line, its environment, its folders, and its statistics."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from ..files import content_name, write_file
from ..plan import Piece, Regime
from ..targets import Target
from .engine import Figures, Material

INSTANCE = "default"  # AFL++'s name for an instance without one; given a name, AFL++ first sleeps for a second
OTHERS = "libfuzzer"  # the folder of the other engine's inputs, which AFL++ reads as another instance's
HASTE_SECONDS = 10  # a shorter run begins with few seeds, since it runs each of them first
HASTE_SEEDS_MAX = 48
SEED_BYTES_MAX = 2048  # of a long text; AFL++ works through its seeds byte by byte
ENVIRONMENT = {
    "AFL_SKIP_CPUFREQ": "1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_NO_UI": "1", "AFL_NO_AFFINITY": "1",
    "AFL_FAST_CAL": "1", "AFL_SYNC_TIME": "1",
}
ALL_SEEDS_CRASH = "at least one valid input seed that does not crash"  # AFL++'s words when it refuses to begin
OPTIONS = {"in-order": ["-Z"]}  # of variations


def parse_stats(text: str) -> Dict[str, str]:
    """The lines `name : value` of fuzzer_stats, as a dictionary."""
    pairs = (line.partition(":") for line in text.splitlines())
    return {name.strip(): value.strip() for name, colon, value in pairs if colon}


def gather_seeds(folders: Sequence[Path], into: Path, max_length: int = SEED_BYTES_MAX) -> None:
    """Copies seeds into one flat folder, as AFL++ needs them. A number keeps equal names of two folders apart; long seeds are cut."""
    into.mkdir(parents=True, exist_ok=True)
    for number, folder in enumerate(folders):
        paths = [folder] if folder.is_file() else sorted(path for path in folder.rglob("*") if path.is_file())
        for path in paths:
            try:
                content = path.read_bytes()[:min(max_length, SEED_BYTES_MAX)]
            except FileNotFoundError:
                continue  # libFuzzer, which runs at the same time, has found a smaller one that does the same
            if content:
                (into / f"{number}-{path.name}").write_bytes(content)


def thin_out(seeds: Path, seed: int) -> None:
    """Deletes all but HASTE_SEEDS_MAX random seeds, so that a short run has time to fuzz."""
    paths = sorted(seeds.iterdir())
    random.Random(seed).shuffle(paths)
    for path in paths[HASTE_SEEDS_MAX:]:
        path.unlink()


def hand_over(corpus: Path, queue: Path) -> None:
    """Adds the new files of a corpus to a queue that AFL++ reads as another instance's: numbered, in order. (AFL++'s option -F does this,
    too, but only in a main instance, which neither trims its inputs nor selects them by weight.)"""
    queue.mkdir(parents=True, exist_ok=True)
    there = {path.name.partition(",src:")[2] for path in queue.glob("id:*")}
    fresh = sorted(path for path in corpus.iterdir() if path.name not in there and not path.name.startswith("."))
    for number, path in enumerate(fresh, len(there)):
        try:
            write_file(queue / f"id:{number:06},src:{path.name}", path.read_bytes())
        except FileNotFoundError:
            return  # libFuzzer, which runs at the same time, has found a smaller one that does the same; the others can wait


def with_mutator(library: Path, target: Target, regime: Regime) -> Dict[str, str]:
    """The environment variables that name the mutator to AFL++, and the encoding and the greatest length to the mutator."""
    return {"AFL_CUSTOM_MUTATOR_LIBRARY": str(library), "ASSAY_ENCODING": target.encoding, "ASSAY_MAX_LENGTH": str(regime.max_length)}


class Afl:
    """AFL++: one process, which continues after a crash."""

    name = "afl"
    restarts = False
    overtime = 2.0  # -V does not count the start, which takes a while on a busy machine

    def __init__(self, instance: str = INSTANCE) -> None:
        self.instance = instance

    def command(self, piece: Piece, material: Material, seconds: int, attempt: int) -> List[str]:
        """The command line of a run."""
        seeds = material.folder / "seeds"
        if not seeds.exists():
            folders = [*material.seeds, *([material.corpus] if material.corpus and material.corpus.is_dir() else [])]
            gather_seeds(folders, seeds, piece.regime.max_length)
            if seconds < HASTE_SECONDS:
                thin_out(seeds, piece.seed)
        words = ["afl-fuzz", "-V", str(seconds), "-s", str(piece.seed + attempt), "-t", "1000", "-m", "none",
                 "-G", str(piece.regime.max_length), "-i", str(seeds), "-o", str(material.folder / "sync")]
        if material.dictionary is not None:
            words += ["-x", str(material.dictionary)]
        words += ["-p", piece.schedule]
        words += [word for name in piece.variations for word in OPTIONS.get(name, [])]
        if self.instance != INSTANCE:
            words += ["-S", self.instance]
        if piece.way.compares and material.compared is not None:
            words += ["-c", str(material.compared), "-l", "2AT"]
        return [*words, "--", str(material.program)]

    def environment(self, piece: Piece, material: Material) -> Dict[str, str]:
        """The environment variables of a run."""
        return {**ENVIRONMENT, **({"AFL_CMPLOG_ONLY_NEW": "1"} if piece.way.compares else {}),
                **({"AFL_DISABLE_TRIM": "1"} if "untrimmed" in piece.variations else {}),
                **(with_mutator(material.mutator, piece.target, piece.regime) if material.mutator else {})}

    def give_back(self, material: Material) -> None:
        """Copies the inputs that it found to the common corpus."""
        if material.corpus is None:
            return
        material.corpus.mkdir(parents=True, exist_ok=True)
        for path in (material.folder / "sync" / self.instance / "queue").glob("id:*"):
            content = path.read_bytes()
            place = material.corpus / content_name(content)
            if ",orig:" not in path.name and not place.exists():
                write_file(place, content)

    def exchange(self, material: Material) -> None:
        """Exchanges inputs during a run: copies its own to the common corpus, and those of other engines to a queue that it reads."""
        self.give_back(material)
        if material.corpus is not None:
            hand_over(material.corpus, material.folder / "sync" / OTHERS / "queue")

    def figures(self, folder: Path, log: str) -> Figures:
        """The figures in its file of statistics."""
        path = folder / "sync" / self.instance / "fuzzer_stats"
        stats = parse_stats(path.read_text(errors="replace")) if path.is_file() else {}
        numbers = {name: int(value) for name, value in stats.items() if value.isdigit()}
        return Figures(numbers.get("execs_done", 0), numbers.get("edges_found", 0), 0, numbers.get("corpus_count", 0),
                       numbers.get("total_edges", 0))

    def crashes(self, folder: Path) -> List[Path]:
        """The inputs that it saved as crashes or hangs."""
        instance = folder / "sync" / self.instance
        return sorted(path for kind in ("crashes", "hangs") for path in (instance / kind).glob("id:*"))

    def has_begun(self, log: str) -> bool:
        """True if it has begun to execute inputs."""
        return "All set and ready to roll" in log

    def refusal(self, code: int, log: str, crashed: bool) -> Optional[str]:
        """The reason why it did not work, or None: its message between PROGRAM ABORT and the place in its source."""
        if code == 0 or (code < 0 and self.has_begun(log)):  # ours: it was slow to end
            return None
        said = re.search(r"(?:PROGRAM ABORT|SYSTEM ERROR) : *(.*?)\n *(?:Stop location|Location) *:", log, re.DOTALL)
        if said:
            return " ".join(said.group(1).split())
        return f"ended with exit code {code}" + ("; afl-fuzz is not there" if shutil.which("afl-fuzz") is None else "")
