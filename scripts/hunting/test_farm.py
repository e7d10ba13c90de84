# SPDX-License-Identifier: MIT
"""AFL++ across machines, as two instances on one: each gets what the other found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from hunting.farm import copy_new, exchange

FARM = Path(__file__).resolve().parent / "farm.py"


class FarmTest(unittest.TestCase):
    """The exchange."""

    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_each_gets_what_the_others_found_and_nothing_of_its_own(self) -> None:
        """By way of a folder; what is there already is left alone."""
        for name in ("one", "two"):
            (self.folder / name / "sync" / name / "queue").mkdir(parents=True)
            (self.folder / name / "sync" / name / "queue" / f"id:{name}").write_bytes(name.encode())
        place = self.folder / "place"
        place.mkdir()
        for name in ("one", "two", "one"):
            exchange(self.folder / name / "sync", name, str(place))
        self.assertEqual((self.folder / "one/sync/two/queue/id:two").read_bytes(), b"two")
        self.assertEqual((self.folder / "two/sync/one/queue/id:one").read_bytes(), b"one")
        self.assertEqual(sorted(path.name for path in (self.folder / "one/sync").iterdir()), ["one", "two"])
        (place / "two/queue/id:two").write_bytes(b"changed")
        copy_new(place / "two/queue", self.folder / "one/sync/two/queue")
        self.assertEqual((self.folder / "one/sync/two/queue/id:two").read_bytes(), b"two")

    @unittest.skipUnless(shutil.which("afl-fuzz") and os.environ.get("ASSAY_AFL"), "NOT RUN: ASSAY_AFL is not set, or there is no afl-fuzz")
    def test_two_instances_on_one_machine(self) -> None:
        """Both fuzz, both take in what the other found."""
        place = self.folder / "place"
        started = []
        for name in ("one", "two"):
            started.append(subprocess.Popen([sys.executable, "-B", str(FARM), "--name", name, "--exchange", str(place), "--seconds", "30",
                                             "--every", "5", "--out", str(self.folder / name)], stdout=subprocess.PIPE,
                                            stderr=subprocess.STDOUT, text=True))
            if name == "one":  # both build in the same folder
                while not (self.folder / "one/sync/one/queue").is_dir() and started[0].poll() is None:
                    time.sleep(0.2)
        said = [process.communicate(timeout=600)[0] for process in started]
        for process, words in zip(started, said):
            self.assertEqual(process.returncode, 0, words)
            self.assertRegex(words, r"\d+ executions, \d+ inputs")
        for name, other in (("one", "two"), ("two", "one")):
            self.assertTrue(any((self.folder / name / "sync" / other / "queue").glob("id:*")))


if __name__ == "__main__":
    unittest.main()
