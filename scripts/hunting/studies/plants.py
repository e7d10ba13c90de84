# SPDX-License-Identifier: MIT
"""Measures whole hunts: runs `scripts/hunt --plant NAME --fail-fast` for each plant, once for each seed.

Prints a table: the number of hunts that found the plant under its own name; the median of the seconds from a hunt's start (checks of the
builds and replay of known inputs included) until the finding was written; what found it; the fewest bytes left after minimising, of the
fewest possible; and the number of findings that the printed command showed again.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Dict, List, Sequence

sys.path[0] = str(Path(__file__).resolve().parents[2])

from hunting.findings.store import is_about  # noqa: E402
from hunting.options import ROOT, choose, positive  # noqa: E402
from hunting.targets import Plant, read_plants  # noqa: E402
from hunting.exits import CLEAN, FOUND, CannotRun  # noqa: E402


@dataclass(frozen=True)
class Find:
    """A finding of a hunt, as far as the table needs it."""

    seconds: float
    by: str
    size: int  # bytes
    shown_again: bool


def finds_of(plant: Plant, summary: Dict[str, Any]) -> List[Find]:
    """The findings of a hunt that are about its plant, from its summary."""
    began = datetime.fromisoformat(summary["began"])
    return [Find((datetime.fromisoformat(row["found_at"]) - began).total_seconds(), row["found_by"], row["bytes"], row["shown_again"])
            for row in summary["findings"] if is_about(row, plant)]


def hunt(plant: Plant, seconds: int, seed: int, out: Path) -> List[Find]:
    """Runs one hunt. Returns what it found of the plant."""
    command = [str(ROOT / "scripts/hunt"), "--no-install", "--fail-fast", "--plant", plant.name, "--seconds", str(seconds), "--seed", str(seed),
               "--out", str(out)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode not in (CLEAN, FOUND):
        raise CannotRun(f"the hunt for {plant.name} with seed {seed} ended with exit code {done.returncode}: {done.stdout.strip()[-500:]}")
    return finds_of(plant, json.loads((out / "summary.json").read_text()))


def row(plant: Plant, hunts: Sequence[Sequence[Find]]) -> str:
    """A line of the table, from what each hunt found of it."""
    firsts = [min(finds, key=lambda find: find.seconds) for finds in hunts if finds]
    all_finds = [find for finds in hunts for find in finds]
    cells = [plant.name, f"{len(firsts)} of {len(hunts)}"]
    if firsts:
        cells += [f"{statistics.median(find.seconds for find in firsts):.0f}", Counter(find.by for find in firsts).most_common(1)[0][0],
                  f"{min(find.size for find in all_finds)} of {len(plant.smallest)}",
                  f"{sum(find.shown_again for find in all_finds)} of {len(all_finds)}"]
    else:
        cells += ["", "", "", ""]
    return f"| {' | '.join(cells)} |"


def main(words: Sequence[str]) -> int:
    """Returns the exit code: 0 if every hunt found its plant, 1 if one did not, 2 if one could not run."""
    plants = {plant.name: plant for plant in read_plants(ROOT)}
    parser = argparse.ArgumentParser(prog="scripts/hunting/studies/plants.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=positive, default=120, metavar="N", help="of each hunt (default %(default)s)")
    parser.add_argument("--seeds", type=positive, default=10, metavar="N", help="hunts for each plant (default %(default)s)")
    parser.add_argument("--plants", default=",".join(plants), metavar="NAME,...", help="default: %(default)s")
    given = parser.parse_args(words)
    chosen = choose(parser, "--plants", given.plants, list(plants))
    print("| plant | found in | seconds | first by | bytes left, of the fewest | shown again |\n|---|---|---|---|---|---|", flush=True)
    missed = False
    try:
        for name in chosen:
            with TemporaryDirectory() as folder:
                hunts = [hunt(plants[name], given.seconds, seed, Path(folder) / str(seed)) for seed in range(1, given.seeds + 1)]
            print(row(plants[name], hunts), flush=True)
            missed |= not all(hunts)
    except CannotRun as error:
        print(f"plants: {error}", file=sys.stderr)
        return 2
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
