# SPDX-License-Identifier: MIT
"""Tests of the plants in the programs of a build: each is found under its own name, and nothing is found without it."""

from __future__ import annotations

import json
import os
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import List
from unittest import mock

from hunting.findings.evidence import keys, letters
from hunting.targets import Plant, Target, read_plants, spelled_out
from hunting.trees import Tree, check_plant, codecs
from hunting.exits import CannotRun

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("ASSAY_BUILD", str(ROOT / "build")))


def said_in_time(plant: Plant, *command: object) -> "subprocess.CompletedProcess[str]":
    """Runs a program that asks a plant. An endless loop is a plant, too: it runs until its time is over, and all others end at once."""
    seconds = "1" if plant.name == "endless" else "3"
    return subprocess.run(["timeout", "-s", "ALRM", seconds, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def plants_here() -> List[Plant]:
    """The plants that this processor can run."""
    rows = json.loads(subprocess.run([str(BUILD / "assay"), "list", "--json"], stdout=subprocess.PIPE, check=True).stdout)
    runs = {row["needs"] for row in rows if row["runs"]} | {"ANY"}
    return [plant for plant in read_plants(ROOT) if plant.needs in runs]


class PlantsTest(unittest.TestCase):
    """Every row of harnesses/museum/plants.def."""

    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_their_smallest_inputs_are_spelled_out(self) -> None:
        """A byte, a repeated byte, and one after the other."""
        self.assertEqual(spelled_out("3*61 E2 82"), b"aaa\xE2\x82")

    def test_each_is_caught_by_its_own_name_and_by_its_claim(self) -> None:
        """The same input shows nothing in a program without the plant."""
        plants = plants_here()
        self.assertGreater(len(plants), 10)
        for plant in plants:
            with self.subTest(plant.name):
                path = self.folder / plant.name
                path.write_bytes(plant.smallest)
                target = Target(plant.claim, plant.encoding)
                found = set(letters(said_in_time(plant, Tree("plain", BUILD, plant).program(target), path).stdout))
                self.assertTrue(found)
                self.assertTrue(all(f"-{plant.name}-" in key for key in found), found)
                self.assertEqual(letters(said_in_time(plant, Tree("plain", BUILD).program(target), path).stdout), {})

    def test_letters_show_what_differs(self) -> None:
        """The letter shows two different answers."""
        seen = 0
        for plant in plants_here():
            path = self.folder / plant.name
            path.write_bytes(plant.smallest)
            done = said_in_time(plant, Tree("plain", BUILD, plant).program(Target(plant.claim, plant.encoding)), path)
            for key, letter in letters(done.stdout).items():
                said = dict(line.strip().partition(" ")[::2] for line in letter.splitlines()[1:])
                if "reference" in said:
                    seen += 1
                    self.assertNotEqual(said["reference"].strip(), said[plant.name].strip(), key)
        self.assertGreater(seen, 5)

    def test_what_gives_no_answer_is_named_by_diff_too(self) -> None:
        """The codec and the question are named, however the codec ends."""
        for plant in plants_here():
            if plant.name in ("overread", "overwrite", "endless"):
                with self.subTest(plant.name):
                    path = self.folder / plant.name
                    path.write_bytes(plant.smallest)
                    done = said_in_time(plant, Tree("plain", BUILD, plant).assay, "diff", f"@{path}")
                    self.assertRegex(done.stdout, rf"utf-8/{plant.name} gives no answer\n  asked  ")
                    self.assertIn(f"-{plant.name}-", "".join(keys(done.stdout)))
                    self.assertIn(done.returncode, (1, 124))  # 124: timeout's own, for its alarm

    def test_one_that_does_not_run_is_not_said_to_be_missed(self) -> None:
        """A hunt for it is refused before it starts."""
        wide = next(plant for plant in read_plants(ROOT) if plant.needs != "ANY")
        for plant in (*plants_here(), wide):
            without = wide.needs if plant == wide else ""
            with self.subTest(plant.name), mock.patch.dict(os.environ, {"ASSAY_WITHOUT": without}):
                rows = codecs(Tree("plain", BUILD, plant), self.folder)
                if plant == wide:
                    self.assertRaisesRegex(CannotRun, f"{wide.name} needs {wide.needs}", check_plant, rows, plant, False)
                else:
                    check_plant(rows, plant, False)


if __name__ == "__main__":
    unittest.main()
