# SPDX-License-Identifier: MIT
"""Compares how long tests took with scripts/upkeep/budget.txt, and says what exceeded it. Nothing fails by that: a machine may be slow.

    python3 scripts/upkeep/budget.py --seconds SECONDS LOG...       the clock of all; what ctest said, a file build/PRESET.log.tests for each preset

How much slower than the budget the machine is, is the median of all groups; a group is named if it took longer than that explains.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

FILE = Path(__file__).resolve().parent / "budget.txt"
AT_A_TIME = 3  # tests on the two cores that the budget is for
TOTAL = "total"
BUILD = "build"
LEEWAY = 1.5  # times as much as others: less is chance
SMALL = 5.0  # seconds, which do not count
RESULT = re.compile(r"Test +#\d+: (\S+) \.+ *(?:\*+)?\w.*? ([\d.]+) sec", re.MULTILINE)


@dataclass
class Group:
    """A row of the budget, and what was measured for it."""

    name: str
    seconds: float
    tests: "re.Pattern[str]"
    measured: float = 0.0
    count: int = 0
    longest: Tuple[float, str] = field(default=(0.0, ""))

    def add(self, test: str, seconds: float) -> None:
        """Adds the seconds of a test."""
        self.measured += seconds
        self.count += 1
        self.longest = max(self.longest, (seconds, test))

    @property
    def factor(self) -> float:
        """The measured seconds as a multiple of the budget."""
        return self.measured / self.seconds


def read(path: Path = FILE) -> List[Group]:
    """The rows; what follows # is a remark. ValueError if one is no row."""
    groups = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) not in (2, 3) or not words[1].isdigit() or int(words[1]) == 0:
            raise ValueError(f"{path}:{number}: not a name, seconds and a regular expression: {line}")
        groups.append(Group(words[0], float(words[1]), re.compile(words[2] if len(words) == 3 else "(?!)")))
    return groups


def group_of(groups: Sequence[Group], test: str) -> Group:
    """The first group that a test, PRESET/NAME, belongs to. KeyError if there is none."""
    for group in groups:
        if group.tests.fullmatch(test):
            return group
    raise KeyError(f"no group of {FILE.name} is for the test {test}")


def measured(groups: Sequence[Group], logs: Sequence[Path]) -> None:
    """Adds what ctest said to the groups."""
    for log in logs:
        preset = log.name.partition(".")[0]
        for name, seconds in RESULT.findall(log.read_text(errors="replace")):
            group_of(groups, f"{preset}/{name}").add(f"{preset}/{name}", float(seconds))


def report(groups: Sequence[Group], seconds: float) -> List[str]:
    """The time taken compared with the budget, and each group that exceeds its own."""
    ran = [group for group in groups if group.count]
    if not ran:
        return []
    total = next(group for group in groups if group.name == TOTAL)
    slow = max(statistics.median(group.factor for group in ran), 1.0)
    lines = [f"{seconds:.0f} s by the clock, of {total.seconds:.0f}" +
             (f"; groups of tests took {slow:.1f} times their budget on this machine (median)" if slow > 1 else "")]
    for group in sorted(ran, key=lambda group: -group.measured):
        if group.factor > LEEWAY * slow and group.measured > SMALL:
            lines.append(f"over budget: {group.name} took {group.measured:.0f} s of {group.seconds:.0f}, {group.factor:.1f} times"
                         f"; the longest of {group.count}: {group.longest[1]}, {group.longest[0]:.0f} s")
    return lines


def clock(groups: Sequence[Group]) -> float:
    """The seconds of the whole budget by the clock: several tests run at a time."""
    rows: Dict[str, float] = {group.name: group.seconds for group in groups}
    total, build = rows.pop(TOTAL), rows.pop(BUILD)
    del total
    return build + sum(rows.values()) / AT_A_TIME


def main(words: Sequence[str]) -> int:
    """Exit 0, or 2 if the budget cannot be read or a test is in no group."""
    parser = argparse.ArgumentParser(prog="scripts/upkeep/budget.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, required=True, metavar="SECONDS", help="by the clock, with set-up and builds")
    parser.add_argument("logs", nargs="*", type=Path, metavar="LOG")
    given = parser.parse_args(words)
    try:
        groups = read()
        measured(groups, given.logs)
    except (KeyError, OSError, ValueError) as error:
        print(f"budget: {error.args[0] if isinstance(error, KeyError) else error}", file=sys.stderr)
        return 2
    for line in report(groups, given.seconds):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
