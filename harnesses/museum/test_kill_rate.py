# SPDX-License-Identifier: MIT
"""`scripts/kill-rate --decoders --lanes` kills the mutants that the vectors catch, names the survivors, and can fail."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List, Sequence

ROOT = Path(__file__).resolve().parents[2]
MUSEUM = os.environ.get("ASSAY_MUSEUM", str(ROOT / "build" / "museum"))

# Decoders that are possible in UTF-8 and WTF-8, and in WTF-16.
OF_BYTES = ("overlong-e0-9f", "word-takes-7ff", "fourth-byte-unchecked", "refuses-07ff", "second-of-four-masked", "swallows-lead", "two-as-one",
            "offset-in-16-bits-in-streams", "spans-in-8-bits", "room-for-one-more", "full-before-error", "held-is-lost-when-full", "held-is-shared", "forgets-before-ascii-block-64",
            "last-byte-of-128", "bom-in-pieces", "boundary-of-halves", "incomplete-end-is-fine", "encodes-from-10001", "encode-read-in-16-bits",
            "plane-sixteen-refused", "swallows-offender", "window-of-eight-units", "ascii-below-zero")
OF_WTF_16 = ("offset-in-16-bits", "room-for-one-less", "held-is-lost-when-full", "held-is-shared", "encodes-110000", "narrows-after-63", "bom-turned-round",
             "encode-written-in-16-bits", "odd-byte-is-lost", "ascii-below-zero")


def kill_rate(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the script."""
    command = [sys.executable, "-B", str(ROOT / "scripts" / "kill-rate"), "--program", MUSEUM, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class OfFewVectors(unittest.TestCase):
    """A checkout with one file of vectors, whose kills are known."""

    def setUp(self) -> None:
        """Copies only the overlong sequences of UTF-8."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "vectors" / "utf-8").mkdir(parents=True)
        shutil.copy(ROOT / "vectors" / "utf-8" / "overlong.json", self.root / "vectors" / "utf-8")

    def figures(self, option: str) -> Dict[str, Any]:
        """Returns the figures of a kind of mutants, some of which survive."""
        done = kill_rate(option, "--json", "-e", "utf-8", "--root", str(self.root))
        self.assertEqual(done.returncode, 1, done.stderr)
        figures: Dict[str, Any] = json.loads(done.stdout)["utf-8"][option.lstrip("-")]
        return figures

    def test_kills_the_mutants_that_the_vectors_show(self) -> None:
        """That file kills a decoder that accepts overlong sequences, and not one that accepts surrogates."""
        figures = self.figures("--decoders")
        killed: List[str] = figures["killed"]["utf-8/overlong"]
        self.assertEqual(list(figures["killed"]), ["utf-8/overlong"])
        self.assertLessEqual({"overlong-of-two", "overlong-of-three", "overlong-f0-8f"}, set(killed))
        self.assertLessEqual({"surrogates", "beyond-f4", "offset-in-8-bits", "encodes-110000"}, set(figures["survivors"]))

    def test_kills_at_the_lanes_they_have(self) -> None:
        """An overlong sequence at the start kills the lane mutants of overlong sequences at lane 0, and no others."""
        figures = self.figures("--lanes")
        killed: List[str] = figures["killed"]["utf-8/overlong"]
        self.assertIn("overlong-3/verdict/64/0/rest", killed)
        self.assertIn("overlong-3/utf16/8/0/rest", killed)
        self.assertFalse([name for name in killed if name.startswith("surrogate/")])
        self.assertIn("overlong-3/verdict/64/63/whole", figures["survivors"])

    def test_names_survivors(self) -> None:
        """The text report names survivors with their sentences; lanes of one kind share a line."""
        done = kill_rate("--decoders", "--only=surrogates", "--lanes", "--all", "-e", "utf-8", "--root", str(self.root))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("\n  survives    surrogates: takes ED A0..BF with a continuation\n", done.stdout)
        self.assertIn("\n  survives    surrogate, verdict: blocks of 64, lanes 0-63\n", done.stdout)

    def test_cannot_run_without_vectors_or_program(self) -> None:
        """Exit code 2, and the reason."""
        done = kill_rate("--decoders", "-e", "cesu-8", "--root", str(self.root))
        self.assertEqual((done.returncode, "has no vectors of cesu-8" in done.stderr), (2, True), done.stderr)
        done = kill_rate("--decoders", "-e", "utf-8", "--program", str(self.root / "none"))
        self.assertEqual((done.returncode, "cannot be run" in done.stderr), (2, True), done.stderr)

    def test_a_wrong_vector_is_no_kill(self) -> None:
        """If the vectors are wrong, the decoder without a mistake fails them, and nothing is counted."""
        path = self.root / "vectors" / "utf-8" / "overlong.json"
        path.write_text(path.read_text("ascii").replace('"length": 1', '"length": 2', 1).replace('"length":1', '"length":2', 1), "ascii")
        done = kill_rate("--lanes", "-e", "utf-8", "--root", str(self.root))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("utf-8", done.stderr)


class OfTheVectors(unittest.TestCase):
    """A sample of what `scripts/kill-rate --decoders --lanes` measures; vectors/README.md has the figures of all."""

    def kills_decoders(self, encodings: Sequence[str], names: Sequence[str]) -> None:
        """Asserts that exactly these decoders were asked, and that the vectors kill them."""
        done = kill_rate("--json", "--decoders", *(f"--only={name}" for name in names), *(f"-e{name}" for name in encodings))
        self.assertEqual(done.returncode, 0, done.stdout[:2000] + done.stderr)
        shelves = json.loads(done.stdout)
        self.assertEqual(sorted(shelves), sorted(encodings))
        for encoding, figures in shelves.items():
            self.assertEqual(sorted(sum(figures["decoders"]["killed"].values(), [])), sorted(names), encoding)

    def test_vectors_kill_decoders_with_one_mistake(self) -> None:
        """Some of each file of decoders/, in two encodings."""
        self.kills_decoders(("utf-8", "wtf-8"), OF_BYTES)

    def test_vectors_kill_lane_mutants(self) -> None:
        """Every 50th lane mutant of an encoding with few: all questions are asked about a sample, too."""
        done = kill_rate("--json", "--lanes", "--sample", "50", "-e", "utf-16le")
        self.assertEqual(done.returncode, 0, done.stdout[:2000] + done.stderr)
        figures = json.loads(done.stdout)["utf-16le"]["lanes"]
        self.assertEqual(figures["survivors"], [])
        self.assertGreater(sum(map(len, figures["killed"].values())), 300)

    def test_vectors_of_wtf_16_kill_decoders_with_one_mistake(self) -> None:
        """Decoders that few questions kill: an offset, the room, an encoder, streams."""
        self.kills_decoders(("wtf-16le",), OF_WTF_16)

    def test_a_name_that_no_decoder_has_is_refused(self) -> None:
        """Exit code 2, even beside a name that exists."""
        done = kill_rate("--decoders", "--only", "surrogates", "--only", "surrogate", "-e", "utf-8")
        self.assertEqual((done.returncode, done.stderr), (2, "kill-rate: assay: no decoder is called 'surrogate'\n"))

    def test_prints_the_mutants_of_an_automaton(self) -> None:
        """The automaton of WTF-16 has one class of bytes, so one family has no mutant that differs; its tiers kill the others."""
        done = kill_rate("-e", "wtf-16le")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^transitions, by verdict +100\.00 % of [0-9]+ +100\.00 % of 0 ")

    def test_inputs_made_for_lane_mutants_kill_them(self) -> None:
        """Every lane mutant differs from the right decoder on some input."""
        done = subprocess.run([MUSEUM, "lanes", "made", "utf-16le", "41"], capture_output=True, text=True, check=True)
        states = [line.split("\t")[1] for line in done.stdout.splitlines()]
        self.assertGreater(states.count("killed"), 400)
        self.assertEqual(states.count("survived"), 0)


if __name__ == "__main__":
    unittest.main()
