# SPDX-License-Identifier: MIT
"""The divergences in corpus/field: in what is installed, each is still there or fixed; the vectors that it names exist."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import unittest
from typing import List, Tuple

from subjects.divergences import FIELD, KEYS, ask_one, read_checks, states, verdict
from subjects.subjects import HERE, SECONDS, installed, rows

VECTORS = FIELD.parents[1] / "vectors"
EXHIBITS = FIELD.parents[1] / "harnesses" / "museum" / "decoders"


def run(command: List[str], text: bytes) -> Tuple[int, bytes]:
    """Runs the program of a subject."""
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, cwd=HERE, timeout=SECONDS)
    return done.returncode, done.stdout


NEWEST = re.compile(r"^- Versions: (?!.*not run).*(the newest|of 2026-)", re.MULTILINE)


class FieldTest(unittest.TestCase):
    """corpus/field."""

    def test_they_are_many_and_read_twice(self) -> None:
        """25 or more, in 12 or more implementations; 8 or more in a newest release, or in an upstream build of this year; each with a second reader."""
        implementations = {subject.name: subject.implementation for subject in rows()}
        checks = read_checks()
        texts = {name: (FIELD / name / "README.md").read_text("utf-8") for name in checks}
        self.assertGreaterEqual(len(checks), 25)
        self.assertGreaterEqual(len({implementations[check["subject"]] for check in checks.values()}), 12)
        self.assertGreaterEqual(sum(NEWEST.search(text) is not None for text in texts.values()), 8)
        for name, text in texts.items():
            for part in ("\n> ", "\n- Versions: ", "\n- Read in: ", "\n- Who is right: ", "\n- Severity: ", "\n    "):
                self.assertIn(part, text, name)

    def test_each_is_complete(self) -> None:
        """Each has its six lines, a subject that is in the table, and names vectors that exist."""
        names = {subject.name for subject in rows()}
        checks = read_checks()
        self.assertGreater(len(checks), 0)
        for name, check in checks.items():
            with self.subTest(name):
                self.assertEqual(set(check), set(KEYS))
                self.assertIn(check["subject"], names)
                self.assertFalse(states(check["wrong"], check["right"]))
                for vector in check["vectors"].split():
                    category = json.loads((VECTORS / f"{vector.rsplit('/', 1)[0]}.json").read_text("utf-8"))
                    self.assertIn(vector, {case["id"] for case in category["tests"]})

    def test_each_is_an_exhibit(self) -> None:
        """A decoder of the museum makes the mistake, and names where it was seen; else the reason is given."""
        sources = "".join(path.read_text("ascii") for path in EXHIBITS.glob("*.c"))
        without = []
        for name, check in read_checks().items():
            if check["exhibit"].startswith("none: "):
                without.append(name)
            else:
                self.assertIsNotNone(re.search(rf'\n    {{"{check["exhibit"]}",\s+"[^"]*",\s+"', sources), name)
        self.assertLessEqual(len(without), 3)

    def test_each_is_still_there_or_fixed(self) -> None:
        """What is installed gives the reply that was seen, or the one that the promise asks for."""
        checks = read_checks()
        named = {check["subject"] for check in checks.values()}
        table = {subject.name: (subject, version) for subject, version in installed([row for row in rows() if row.name in named])}
        for name, check in checks.items():
            subject, version = table[check["subject"]]
            if version is None or (subject.build and not subject.build.startswith("cc ") and os.environ.get("ASSAY_SUBJECTS") != "all"):
                print(f"skipped: {name} ({'not installed: ' + subject.packages if version is None else 'asked by scripts/test --long'})")
                continue
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                if subject.build:
                    subprocess.run(subject.filled(subject.build, folder), shell=True, check=True, capture_output=True, cwd=HERE, timeout=SECONDS)
                reply = ask_one(subject, check["asked"], folder, run)
                self.assertIn(verdict(check, reply), ("still there", "fixed"), f"{check['asked']}: {reply}")
                print(f"{verdict(check, reply)}: {name} ({version})")


if __name__ == "__main__":
    unittest.main()
