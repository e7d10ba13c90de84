# SPDX-License-Identifier: MIT
"""The seconds of tests: the budget fits into the available time, and tests that exceed it are named, on slow machines, too."""

from __future__ import annotations

import json
import os
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Dict, List

from upkeep.budget import AT_A_TIME, FILE, Group, clock, group_of, main, measured, read, report

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ASSAY", str(ROOT / "build/assay"))).parent
LINE = " 12/149 Test  #96: {name} ...........   {outcome}  {seconds:6.2f} sec\n"
GROUPS = "total 100\nbuild 10\na 10 dev/a_.*\nb 20 dev/b\nc 30 dev/c\nrest 5 dev/.*\n"


class BudgetTest(unittest.TestCase):
    """The budget and the measured seconds."""

    def groups(self, text: str) -> List[Group]:
        """The groups of a file with this text."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / "budget.txt"
            path.write_text(text)
            return read(path)

    def report_of(self, tests: Dict[str, float], outcome: str = "Passed", seconds: float = 90) -> List[str]:
        """What is said of these tests of preset dev."""
        groups = self.groups(GROUPS)
        with TemporaryDirectory() as folder:
            log = Path(folder) / "dev.log.tests"
            log.write_text("".join(LINE.format(name=name, outcome=outcome, seconds=took) for name, took in tests.items()))
            measured(groups, [log])
        return report(groups, seconds)

    def test_comes_to_no_more_than_twelve_minutes(self) -> None:
        """With set-up and builds, tests three at a time."""
        groups = read()
        self.assertEqual(next(group.seconds for group in groups if group.name == "total"), 720)
        self.assertLessEqual(clock(groups), 720)
        self.assertEqual(clock(self.groups(GROUPS)), 10 + 65 / AT_A_TIME)

    def test_every_test_is_in_a_group_that_names_it(self) -> None:
        """Every test of this build is in a group that names it, and each group of its preset has a test."""
        said = subprocess.run(["ctest", "--show-only=json-v1"], cwd=BUILD, stdout=subprocess.PIPE, check=True).stdout
        names = [test["name"] for test in json.loads(said)["tests"]]
        self.assertGreater(len(names), 100)
        groups = read()
        used = {group_of(groups, f"dev/{name}").name for name in names}
        self.assertEqual(used, {group.name for group in groups if group.tests.pattern.startswith("dev/")})
        others = [name for name in names if group_of(groups, f"dev/{name}").name == "dev-others"]
        self.assertLess(len(others), 12, others)

    def test_names_what_took_too_long(self) -> None:
        """With the test that took longest, and by what factor; skipped and failed ones count, too."""
        self.assertEqual(self.report_of({"a_1": 5, "a_2": 5, "b": 20, "c": 29}), ["90 s by the clock, of 100"])
        self.assertEqual(self.report_of({"a_1": 5, "a_2": 25, "b": 20, "c": 29}),
                         ["90 s by the clock, of 100", "over budget: a took 30 s of 10, 3.0 times; the longest of 2: dev/a_2, 25 s"])
        self.assertEqual(len(self.report_of({"a_1": 30, "b": 20, "c": 29}, "***Failed ")), 2)

    def test_a_slow_machine_is_no_reason(self) -> None:
        """The report then says how slow the machine is; a group that is slower than that is still named. A few seconds are not."""
        slow = {"a_1": 40, "b": 80, "c": 120}
        self.assertEqual(self.report_of(slow), ["90 s by the clock, of 100; groups of tests took 4.0 times their budget on this machine (median)"])
        self.assertIn("over budget: a took 70 s", self.report_of({**slow, "a_2": 30})[1])
        self.assertEqual(len(self.report_of({"b": 2, "c": 3, "another": 4})), 1)

    def test_says_what_cannot_be_read(self) -> None:
        """A malformed row, a test without a group, a missing log."""
        for text in ("a\n", "a b c\n", "a 0 x\n"):
            with self.assertRaisesRegex(ValueError, "not a name, seconds"):
                self.groups(text)
        with self.assertRaisesRegex(KeyError, f"no group of {FILE.name} is for the test other/a"):
            group_of(self.groups(GROUPS), "other/a")
        self.assertEqual(main(["--seconds", "1", "/no/such/log"]), 2)


if __name__ == "__main__":
    unittest.main()
