# SPDX-License-Identifier: MIT
"""The divergences in corpus/field: each is still there, or fixed, in what is installed; the vectors that it names exist."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import tempfile
import unittest
from typing import Dict

from subjects.subjects import HERE, SECONDS, Subject, installed, rows

TOP = HERE.parents[1]
KEYS = ("subject", "asked", "right", "wrong", "vectors")
LINE = re.compile(rf"^    ({'|'.join(KEYS)}) +(\S.*)$", re.MULTILINE)


def read_checks() -> Dict[str, Dict[str, str]]:
    """The five lines of each README, by the folder's name."""
    return {path.parent.name: dict(LINE.findall(path.read_text("utf-8"))) for path in sorted((TOP / "corpus" / "field").glob("*/README.md"))}


def ask_program(subject: Subject, hexadecimal: str) -> str:
    """The exit code of a plain program and what it writes, as hexadecimal digits."""
    done = subprocess.run(shlex.split(subject.command.split(" -- ", 1)[1]), input=bytes.fromhex(hexadecimal), capture_output=True, check=False, timeout=SECONDS)
    return f"exit {done.returncode} {done.stdout.hex().upper() or '-'}"


def ask_one(subject: Subject, request: str, folder: str) -> str:
    """The reply to one request, without its ID."""
    if subject.command.startswith("--plain"):
        return ask_program(subject, request)
    if subject.build:
        subprocess.run(subject.filled(subject.build, folder), shell=True, check=True, capture_output=True, cwd=HERE, timeout=SECONDS)
    done = subprocess.run(shlex.split(subject.filled(subject.command, folder)), input=f"hello assay/1\n1 {request}\n", capture_output=True, text=True,
                          check=True, cwd=HERE, timeout=SECONDS)
    return done.stdout.splitlines()[1].split(" ", 1)[1]


def states(reply: str, expected: str) -> bool:
    """An error may be stated with more figures than are expected, and where it is may be left out."""
    if expected.startswith("error"):
        words, wanted = reply.split(), expected.split()
        return all(word == want for word, want in zip(words, wanted))
    return re.sub(r"error(:\w+)+", "error", reply) == expected


class FieldTest(unittest.TestCase):
    """corpus/field."""

    def test_each_is_complete(self) -> None:
        """Each has its five lines, a subject that is in the table, and names vectors that exist."""
        names = {subject.name for subject in rows()}
        checks = read_checks()
        self.assertGreater(len(checks), 0)
        for name, check in checks.items():
            with self.subTest(name):
                self.assertEqual(set(check), set(KEYS))
                self.assertIn(check["subject"], names)
                self.assertFalse(states(check["wrong"], check["right"]))
                for vector in check["vectors"].split():
                    category = json.loads((TOP / "vectors" / f"{vector.rsplit('/', 1)[0]}.json").read_text("utf-8"))
                    self.assertIn(vector, {case["id"] for case in category["tests"]})

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
                reply = ask_one(subject, check["asked"], folder)
                is_fixed = states(reply, check["right"])
                self.assertTrue(is_fixed or states(reply, check["wrong"]), f"{check['asked']}: {reply}")
                print(f"{'fixed' if is_fixed else 'still there'}: {name} ({version})")


if __name__ == "__main__":
    unittest.main()
