# SPDX-License-Identifier: MIT
"""Tests of the issues of a nightly hunt, with a `gh` that only records its arguments."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Dict, List

from hunting.reports.issues import NEW_MAX

SCRIPT = Path(__file__).resolve().parents[1] / "reports" / "issues.py"
GH = """#!/usr/bin/env python3
import json, os, sys
words = sys.argv[1:]
if words[:2] == ["issue", "list"]:
    print(json.dumps([{"number": 7, "title": "hunt: utf8-a", "state": "OPEN"}, {"number": 8, "title": "hunt: utf8-b", "state": "CLOSED"},
                      {"number": 9, "title": "utf8-c", "state": "OPEN"}]))
else:
    print(f"https://x/{len(open(os.environ['CALLS']).readlines())}")
    open(os.environ["CALLS"], "a").write(json.dumps([*words, sys.stdin.read() if "--body-file" in words else ""]) + "\\n")
sys.exit(int(os.environ.get("GH_EXIT", "0")))
"""


class IssuesTest(unittest.TestCase):
    """Each key has one issue."""

    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.calls = self.folder / "calls"
        self.calls.touch()
        (self.folder / "gh").write_text(GH)
        (self.folder / "gh").chmod(0o755)

    def tell(self, code: int, keys: List[str], env: Dict[str, str]) -> str:
        """Runs the program on a summary with these keys. Returns its output."""
        summary: Dict[str, Any] = {"began": "2026-01-02T03:04:05+00:00", "options": {"seed": 7}, "cpu": "A processor",
                                   "findings": [{"key": key, "letter": f"letter of {key}\n", "found_by": "afl, long"} for key in keys]}
        (self.folder / "summary.json").write_text(json.dumps(summary))
        done = subprocess.run([sys.executable, "-B", str(SCRIPT), str(self.folder / "summary.json")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "CALLS": str(self.calls), **env})
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def test_a_key_has_one_issue(self) -> None:
        """An open issue gets a comment, a closed one is opened again, a new one has the letter."""
        said = self.tell(0, ["utf8-a", "utf8-b", "utf8-c"], {"GITHUB_SHA": "abc", "GITHUB_RUN_ID": "5", "GITHUB_SERVER_URL": "https://g", "GITHUB_REPOSITORY": "o/r"})
        self.assertEqual(said.splitlines(), ["added to #7: utf8-a", "added to #8: utf8-b", "opened https://x/3: utf8-c"])
        calls = [json.loads(line) for line in self.calls.read_text().splitlines()]
        self.assertEqual([call[:3] for call in calls], [["issue", "comment", "7"], ["issue", "reopen", "8"], ["issue", "comment", "8"], ["issue", "create", "--title"]])
        self.assertEqual(calls[3][3], "hunt: utf8-c")
        for part in ("letter of utf8-c\n```", "afl, long", "seed 7", "commit abc", "https://g/o/r/actions/runs/5"):
            self.assertIn(part, calls[3][-1])

    def test_a_night_opens_no_flood_of_them(self) -> None:
        """Keys without an issue are named in the log."""
        said = self.tell(0, [f"key-{number}" for number in range(NEW_MAX + 2)], {})
        self.assertEqual(len(self.calls.read_text().splitlines()), NEW_MAX)
        self.assertIn(f"not opened, as {NEW_MAX} were: key-{NEW_MAX + 1}\n", said)

    def test_says_that_it_could_not(self) -> None:
        """Each failure is reported."""
        self.assertIn("issues: ", self.tell(2, ["utf8-a"], {"GH_EXIT": "1"}))


if __name__ == "__main__":
    unittest.main()
