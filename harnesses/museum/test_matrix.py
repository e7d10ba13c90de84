# SPDX-License-Identifier: MIT
"""`assay museum`: the kill matrix names what kills each exhibit, and the command fails if an exhibit survives."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

ROOT = Path(__file__).resolve().parents[2]
ASSAY = os.environ.get("ASSAY", str(ROOT / "build" / "assay"))
FUZZING = ROOT / "harnesses" / "museum" / "fuzzing.def"
QUICK = ("--columns", "vectors,strings,pairs")


def museum(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command."""
    return subprocess.run([ASSAY, "museum", *arguments], capture_output=True, text=True, check=False)


def exhibits(*arguments: str, code: int = 0) -> Dict[str, Any]:
    """The rows of the matrix, by name."""
    done = museum("--json", *arguments)
    assert done.returncode == code, (done.returncode, done.stderr)
    return {row["name"]: row for row in json.loads(done.stdout)["exhibits"]}


class MatrixTest(unittest.TestCase):
    """A few exhibits and columns; `scripts/test --long` asks all."""

    def few_vectors(self) -> str:
        """A folder of vectors that has only the overlong sequences of UTF-8."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        (Path(folder.name) / "utf-8").mkdir()
        shutil.copy(ROOT / "vectors" / "utf-8" / "overlong.json", Path(folder.name) / "utf-8")
        return folder.name

    def test_names_what_kills(self) -> None:
        """The file of the vectors or the operation, the field, and the number of answers."""
        rows = exhibits(*QUICK, "overlong-c1", "surrogates", "encodes-0800-as-c0")
        cells = rows["overlong-c1"]["cells"]
        self.assertEqual([cells["vectors"][name] for name in ("fate", "by", "field")], ["killed", "utf-8/bit-flips", "offset"])
        self.assertEqual([cells["strings"][name] for name in ("fate", "by")], ["killed", "validate"])
        self.assertGreater(cells["vectors"]["cases"], 1)
        self.assertEqual(rows["surrogates"]["origin"], "Crystal PR 3870, WAVM PR 286, Ladybird#5310")
        self.assertEqual(rows["encodes-0800-as-c0"]["cells"]["strings"]["fate"], "not asked")

    def test_a_survivor_fails(self) -> None:
        """The decoder without a mistake survives, and so does a mistake that the vectors used here do not show."""
        done = museum("--columns", "vectors,strings", "--stride", "997", "control", "overlong-c1")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("\nsurvives control of utf-8: makes no mistake\n2 exhibits: vectors kill 1, ", done.stdout)
        self.assertRegex(done.stdout, r"\ncontrol +utf-8 +alive +alive\n")
        few = ("--vectors", self.few_vectors(), "surrogates", "--columns")
        self.assertEqual(exhibits(*few, "vectors", code=1)["surrogates"]["cells"]["vectors"]["fate"], "survived")
        self.assertEqual(exhibits(*few, "vectors,pairs")["surrogates"]["cells"]["pairs"]["fate"], "killed")

    def test_a_theorem_refutes(self) -> None:
        """With its reason; a codec without an automaton is not asked. With only theorems, there are no survivors."""
        rows = exhibits("--columns", "characters,automaton", "refuses-10ffff")
        self.assertEqual([rows["refuses-10ffff"]["cells"]["characters"][name] for name in ("fate", "field")], ["killed", "refuted"])
        self.assertNotIn("automaton", rows["refuses-10ffff"]["cells"])
        self.assertEqual(museum("--columns", "automaton", "refuses-10ffff").returncode, 0)

    def test_writing_past_the_room_is_seen(self) -> None:
        """By the guard page, on which it crashes, or by the canary."""
        cell = exhibits("--columns", "vectors,rooms", "room-for-one-more")["room-for-one-more"]["cells"]["vectors"]
        self.assertEqual(cell["fate"], "killed")
        self.assertIn(cell["field"], ("crash", "bounds"))

    def test_exhibits_with_one_kill_set_are_reported(self) -> None:
        """A few vectors show one of three mistakes, and so do not distinguish the other two."""
        done = museum("--vectors", self.few_vectors(), "--kill-sets", "--columns", "vectors", "surrogates", "beyond-f4", "overlong-of-two")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "beyond-f4 and surrogates: nothing that was asked of utf-8 tells them apart\n")
        self.assertEqual(museum("--vectors", self.few_vectors(), "--kill-sets", "--columns", "vectors,pairs", "surrogates", "beyond-f4").returncode, 0)

    def test_fuzzers_are_read_from_their_list(self) -> None:
        """Each row of fuzzing.def is about an exhibit in the encoding in which it is asked; the control was not accused. Chance tells no two exhibits apart."""
        rows = re.findall(r'(?m)^FUZZED\((\w+), "([a-z0-9-]+)", "([a-z0-9-]+)", (\d+), (\d+), (\d+), \d+, "([a-z, ]*)"\)$', FUZZING.read_text("ascii"))
        matrix = json.loads(museum("--json", "--columns", "libfuzzer,afl").stdout)
        control = json.loads(museum("--json", "--columns", "libfuzzer,afl", "control").stdout)
        cells = {(engine, row["name"], row["encoding"]): cell for row in matrix["exhibits"] + control["exhibits"] for engine, cell in row["cells"].items()}
        self.assertEqual({engine for engine, *_ in rows}, {"libfuzzer", "afl"})
        self.assertEqual({column["group"] for column in matrix["columns"]}, {"fuzzing"})
        self.assertGreaterEqual(len(rows), 2 * 40)
        for engine, name, encoding, hits, seeds, executions, target in rows:
            cell = cells[engine, name, encoding]
            self.assertEqual((cell["hits"], cell["seeds"], cell["cases"], cell["by"]), (int(hits), int(seeds), int(executions) or None, target), name)
            self.assertEqual(cell["fate"], "killed" if int(hits) else "survived", name)
            self.assertEqual(int(executions) > 0, int(hits) > int(seeds) / 2, name)
        self.assertEqual({control["exhibits"][0]["cells"][engine]["hits"] for engine in ("libfuzzer", "afl")}, {0})
        done = museum("--vectors", self.few_vectors(), "--kill-sets", "--columns", "vectors,libfuzzer,afl", "surrogates", "beyond-f4")
        self.assertIn("nothing that was asked of utf-8 tells them apart", done.stderr)
        self.assertRegex(museum("--columns", "libfuzzer", "surrogates").stdout, r"\nsurrogates +utf-8 +\d+/10 [0-9k-]+\n")

    def test_each_encoding_has_its_own(self) -> None:
        """A mistake is tested in UTF-8 if it is possible there, else in another encoding; -e chooses one."""
        self.assertEqual(exhibits("--columns", "vectors", "lone-halves")["lone-halves"]["encoding"], "utf-16le")
        self.assertEqual(exhibits("-e", "wtf-8", "--columns", "vectors", "overlong-c1")["overlong-c1"]["encoding"], "wtf-8")

    def test_has_forty_exhibits_with_an_origin(self) -> None:
        """At least forty with an origin, with different names."""
        lines = re.findall(r"(?m)^  ([a-z0-9-]+) .*\(.+\)$", museum("--help").stdout.partition("columns:")[0])
        self.assertGreaterEqual(len(lines), 40)
        self.assertEqual(len(lines), len(set(lines)))

    def test_refuses_unknown_names(self) -> None:
        """Exit code 2, with the reason."""
        refused: List[List[str]] = [["overlong-c2"], ["--columns", "string"], ["--columns", ""], ["--stride", "0"], ["-e", "utf-16le", "overlong-c1"],
                                    ["--vectors", "/no/such/folder"]]
        for words in refused:
            done = museum(*words)
            self.assertEqual((done.returncode, done.stdout, bool(done.stderr)), (2, "", True), words)
        self.assertIn("did you mean 'overlong-c1'?", museum("overlong-c2").stderr)


if __name__ == "__main__":
    unittest.main()
