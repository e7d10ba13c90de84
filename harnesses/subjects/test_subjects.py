# SPDX-License-Identifier: MIT
"""Every subject of subjects.def whose runtime is installed speaks the protocol: it answers, and never with what is no reply."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import List, Tuple

HERE = Path(__file__).resolve().parent
ASSAY = os.environ.get("ASSAY", str(HERE.parents[1] / "build" / "assay"))
ROW = re.compile(r'^SUBJECT\((\w+), "([^"]+)", "([^"]*)", "([^"]+)", "([^"]+)", "(https://[^"]+)"\)$')

# What these documents promise, and what the subject does.
RIGHT = ("node", "lua", "go", "rust")


def rows() -> List[Tuple[str, ...]]:
    """Name, package, compilation, command, version query, document."""
    lines = [line for line in (HERE / "subjects.def").read_text("ascii").splitlines() if line.startswith("SUBJECT")]
    matches = [ROW.match(line) for line in lines]
    assert all(matches), [line for line, match in zip(lines, matches) if not match]
    return [match.groups() for match in matches if match]


class SubjectsTest(unittest.TestCase):
    """The table and its files."""

    def ask(self, build: str, command: str) -> "dict[str, object]":
        """The report of a short run."""
        with tempfile.TemporaryDirectory() as folder:
            if build:
                subprocess.run(build.replace("{}", folder), shell=True, check=True, cwd=HERE)
            done = subprocess.run([ASSAY, "run", "--json", "--time-limit", "20", "--start-limit", "60", "utf-8/standard-examples", "utf-8/museum-streaming",
                                   "utf-8-sig/museum-bom", "utf-16le/standard-examples", "--", *command.replace("{}", folder).split()],
                                  capture_output=True, text=True, check=False, cwd=HERE)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        report: "dict[str, object]" = json.loads(done.stdout)
        return report

    def test_those_that_are_installed_speak_the_protocol(self) -> None:
        """No reply is malformed or out of step, none is missing; those that keep their promises pass."""
        asked = []
        for name, package, build, command, version, _ in rows():
            if shutil.which(version.split()[0]) is None:
                print(f"skipped: {name} (package {package})")
                continue
            with self.subTest(name):
                report = self.ask(build, command)
                requests = report["requests"]
                self.assertGreater(requests["answered"], 20)  # type: ignore[index]
                self.assertEqual((requests["troubled"], requests["not_asked"], report["restarts"]), (0, 0, 0), report["failures"])  # type: ignore[index]
                if name in RIGHT:
                    self.assertEqual(report["failures"], [])
            asked.append(name)
        self.assertIn("cpython", asked)

    def test_every_adapter_is_in_the_table(self) -> None:
        """A file that no row names is asked by nobody."""
        words = " ".join(" ".join(row) for row in rows())
        for path in HERE.iterdir():
            if path.suffix in (".py", ".js", ".pl", ".java", ".rb", ".php", ".lua", ".go", ".rs") and not path.name.startswith(("test_", "__")):
                self.assertIn(path.name, words)


if __name__ == "__main__":
    unittest.main()
