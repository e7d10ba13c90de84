# SPDX-License-Identifier: MIT
"""`assay prove`: what holds is proven, and one changed entry of a table refutes the theorem about it."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

from .driver import ASSAY, CANARY, COMPILER, ROOT, in_ordinary_build, loadable, running

from mutation import tables

SEED, SAMPLE = 20261123, 6
CODECS = {f"{codec.encoding}/{codec.name}": codec for codec in tables.codecs_in((ROOT / "codecs" / "codecs.def").read_text("utf-8"))}


def prove(*arguments: str, program: str = ASSAY, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs the command."""
    return subprocess.run([program, "prove", *arguments], capture_output=True, text=True, check=False, env={**os.environ, **variables})


def outcomes(*arguments: str, **variables: str) -> List[Dict[str, Any]]:
    """The outcome for each theorem and codec."""
    done = prove("--json", *arguments, **variables)
    assert done.stderr == "", done.stderr
    rows: List[Dict[str, Any]] = json.loads(done.stdout)
    return rows


VECTORS = [isa for isa in ("avx2", "sse41", "neon", "avx512") if f"utf-8/{isa}" in running("utf-8")]
KERNEL = next((isa for isa in VECTORS if isa != "avx512"), "")


class WhatHoldsIsProven(unittest.TestCase):
    """True theorems are proven, and reported with their premises and cases."""

    def test_the_automata_of_all_encodings_are_the_rows(self) -> None:
        """The automaton of each encoding, with all its reachable states."""
        done = prove("-t", "automaton")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(done.stdout, r"utf-8/hoehrmann2010 +proven +\d+ cases .* 8 states")
        self.assertIn("\n23 proven, 0 refuted\n", done.stdout)

    def test_codecs_are_chosen_by_globs_and_encoding(self) -> None:
        """A name, or ENCODING/NAME."""
        chosen = {(row["encoding"], row["codec"]) for row in outcomes("-t", "automaton", "-e", "cesu-8", "d*")}
        self.assertEqual(chosen, {("cesu-8", "dfa")})
        self.assertEqual(prove("utf-8/none").returncode, 2)
        self.assertEqual(prove("-t", "none").returncode, 2)

    def test_a_share_of_all_texts(self) -> None:
        """The verdict and the first error of each codec are checked; the report does not mention other texts."""
        rows = outcomes("-t", "texts", "--stride", "997", "--seed", str(SEED))
        self.assertEqual({row["outcome"] for row in rows}, {"sampled"}, [row for row in rows if row["why"]])
        self.assertEqual({row["encoding"] for row in rows}, {row["encoding"] for row in outcomes("-t", "automaton")})

    def test_a_codec_with_one_mistake_is_refuted(self) -> None:
        """The canary accepts C0 80."""
        done = prove("-t", "texts", "utf-8/canary", program=CANARY)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, "utf-8/canary +REFUTED(.|\n)*is not what the rules say of the 2 bytes C080")

    @in_ordinary_build
    def test_what_is_after_the_text_is_no_part_of_it(self) -> None:
        """A codec that uses bytes after the text, but not beyond its cache line, and one that only loads such a byte, which the guard page shows."""
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        share = ("-t", "texts", "-e", "utf-8", "--stride", "997", "--codec")
        self.assertIn("is not what the rules say", prove(*share, loadable(folder, "looking_ahead"), "looking_ahead").stdout)
        done = prove(*share, loadable(folder, "reaching", OPERATION="validate"), "reaching")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertRegex(done.stdout, r"utf-8/reaching +REFUTED(.|\n)*\n    Segmentation fault in validate, asked about the \d+ bytes [0-9A-F]+\n")

    def test_json_has_what_the_text_has(self) -> None:
        """Sentence, premises, cases, outcome."""
        (row,) = outcomes("-t", "characters", "utf-8/shift")
        self.assertEqual((row["outcome"], row["cases"], row["why"]), ("proven", 0x110000 - 0x800, ""))
        self.assertTrue(row["sentence"].endswith(".") and row["premises"].endswith("."))


@unittest.skipUnless(KERNEL, "no instruction set with vectors runs here")
class KernelsAreProven(unittest.TestCase):
    """Theorems about lanes, loops and windows."""

    library: Path

    @classmethod
    def setUpClass(cls) -> None:
        """Builds a copy of a kernel whose tables can be changed."""
        folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.library = tables.Workshop(ROOT, folder / "sources", str(COMPILER)).kernels(CODECS[f"utf-8/{KERNEL}"])

    def test_every_lane_is_alike(self) -> None:
        """No lane depends on other lanes; in the canary, lane 37 does."""
        self.assertEqual([row["outcome"] for row in outcomes("-t", "lanes", f"utf-8/{KERNEL}")], ["proven"])
        canary = prove("-t", "lanes", "utf-8/sse41", "utf-8/avx2", "utf-8/neon", program=CANARY)
        self.assertEqual(canary.returncode, 1)
        self.assertIn("lane 37 of one block depends on", canary.stdout)

    def test_the_loops_follow_from_what_they_ask(self) -> None:
        """A sample of all lengths; the canary's loops do not ask whether a sequence is incomplete at the end. Before the rest of a long text, they leave out a byte."""
        share = ("-t", "loops", "--stride", "31", "--seed", str(SEED), f"utf-8/{KERNEL}")
        self.assertEqual([row["outcome"] for row in outcomes(*share)], ["sampled"])
        for length, fault in ((64, "64 bytes at offset 0 of a cache line are accepted; bytes from 64 on may be refused, or cut at the end"),
                              (2200, "of 2200 bytes at offset 0 of a cache line, after [01] answers, at byte 1: a text of its own begins where a sequence before it may be incomplete")):
            with self.subTest(length=length):
                canary = prove("-t", "loops", "--stride", "10000", "--seed", str(length), "utf-8/sse41", "utf-8/avx2", "utf-8/neon", program=CANARY)
                self.assertEqual(canary.returncode, 1)
                self.assertRegex(canary.stdout, fault)

    @unittest.skipUnless({"sse41", "avx2"} <= set(VECTORS), "needs two vector codecs with the same loops")
    def test_loops_that_codecs_share_are_followed_once(self) -> None:
        """All rest on the first one's, and are refuted with it; alone, each has its own."""
        share, both = ("-t", "loops", "--stride", "2311", "--seed", "64"), ("utf-8/sse41", "utf-8/avx2")
        first, second = outcomes(*share, *both)
        self.assertEqual((first["found"], second["found"]), ("", "the loops of utf-8/sse41"))
        self.assertGreater(first["cases"], second["cases"])
        self.assertEqual([row["cases"] for row in outcomes(*share, "utf-8/avx2")], [first["cases"]])
        canary = prove(*share, *both, program=CANARY)
        self.assertEqual(canary.stdout.count("REFUTED"), 2)
        self.assertIn("what it shares with utf-8/sse41 is refuted", canary.stdout)

    def test_a_batch_that_loses_a_half_stride_is_refuted(self) -> None:
        """If three, five or 33 are not ASCII; if others are three and five after one and two before it; or never."""
        for lost, outcome in (*((f"__builtin_popcountll(others) == {count} ? others & (0 - others) : 0", "REFUTED") for count in (3, 5, 33)),
                              ("others >> 3 & others >> 5 & others << 2", "REFUTED"), ("0", "sampled")):
            with tempfile.TemporaryDirectory() as folder:
                workshop = tables.Workshop(ROOT, Path(folder) / "sources", str(COMPILER))
                header = workshop.folder / "codecs/simd/bytes/validate.h"
                text = header.read_text("utf-8")
                self.assertEqual(text.count("    return others;\n"), 1)
                header.write_text(text.replace("    return others;\n", f"    return others & ~({lost});\n"), "utf-8")
                library = workshop.kernels(CODECS[f"utf-8/{KERNEL}"])
                done = prove("-t", "loops", "--stride", "509", "--seed", str(SEED), "--kernels", str(library), f"utf-8/{KERNEL}")
            self.assertRegex(done.stdout, rf"utf-8/{KERNEL} +{outcome} ", lost)
            self.assertEqual((done.returncode, "half strides of a batch, those that are not ASCII are" in done.stdout), (1, True) if outcome == "REFUTED" else (0, False), lost)

    def test_a_bit_of_a_table_changes_a_verdict(self) -> None:
        """A sample of all windows shows the changed bit and names it; without a change, none fails."""
        share = ("-t", "windows", "--stride", str(tables.SHARE), "--seed", str(SEED), "--kernels", str(self.library), f"utf-8/{KERNEL}")
        self.assertRegex(prove(*share).stdout, rf"utf-8/{KERNEL} +sampled +[1-9]\d{{7}} cases")
        certificate = subprocess.run([sys.executable, str(ROOT / "harnesses" / "assay" / "prove" / "certificate.py"), "utf-8", str(tables.SHARE), str(SEED % tables.SHARE)],
                                     capture_output=True, text=True, check=True)
        self.assertIn(f"verdicts {certificate.stdout}", prove(*share).stdout, "as the Python witness's rows have it")
        entries = tables.entries_in(self.library)
        of_pairs = [change for change in tables.changes_of(CODECS[f"utf-8/{KERNEL}"], entries, 1) if change.index < tables.PAIRS]
        for change in random.Random(SEED).sample(of_pairs, SAMPLE):
            done = prove(*share, **change.variable())
            self.assertEqual(done.returncode, 0 if tables.why_same_kernel(entries["utf8"], change) else 1, (change, done.stderr))
            if done.returncode == 1:
                self.assertRegex(done.stdout, "the kernel of [a-z ]+ says that the last byte of (.. ){4}is (right|wrong), and it is")


class WhatIsChangedIsRefuted(unittest.TestCase):
    """Codecs with one changed table entry, as loadable libraries; scripts/table-mutants changes all entries."""

    def test_an_entry_of_an_automaton(self) -> None:
        """Classes of bytes, next states, payload, faults; and the 64-bit words of a shift automaton."""
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        workshop = tables.Workshop(ROOT, folder / "sources", str(COMPILER))
        for codec in (CODECS["utf-8/hoehrmann2010"], CODECS["cesu-8/shift"]):
            library = workshop.codec(codec)
            entries, theorems = tables.entries_in(library), tables.theorems_for(codec, library, None)
            automaton = tables.Automaton(codec, entries, ROOT / "codecs")
            self.assertIsNone(tables.refuted_by(Path(ASSAY), theorems, None), "it holds as it is")
            for table in tables.asked_with(codec, entries):
                changes = [change for change in tables.changes_of(codec, entries, 1) if change.table == table]
                for change in random.Random(SEED).sample(changes, SAMPLE):
                    self.assertEqual(tables.refuted_by(Path(ASSAY), theorems, change) is None, automaton.why_same(change) is not None, change)

    def test_every_codec_by_vectors_can_be_changed(self) -> None:
        """Its copy has all that it calls."""
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        workshop = tables.Workshop(ROOT, folder / "sources", str(COMPILER))
        for isa in VECTORS:
            codec = CODECS[f"utf-8/{isa}"]
            library = workshop.codec(codec)
            self.assertEqual(set(tables.entries_in(library)), {"utf8"})
            self.assertIsNone(tables.refuted_by(Path(ASSAY), tables.theorems_for(codec, library, None)[:1], None), "it is right as it is")

    @unittest.skipUnless(KERNEL in ("avx2", "sse41"), "the codec does not encode by shuffles from a table")
    def test_an_entry_of_a_shuffle(self) -> None:
        """The mixtures of the enumeration need every row; what a row does not write is the same."""
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        codec = CODECS[f"utf-8/{KERNEL}"]
        library = tables.Workshop(ROOT, folder / "sources", str(COMPILER)).codec(codec, ("ENCODE_UTF32",))
        entries, parts = tables.entries_in(library), tables.parts_for(library)
        self.assertIsNone(tables.refuted_by(Path(ASSAY), parts, None), "it is right as it is")
        changes = [change for change in tables.changes_of(codec, entries, 1) if change.table == "encode_fours"]
        for change in random.Random(SEED).sample(changes, SAMPLE):
            self.assertEqual(tables.refuted_by(Path(ASSAY), parts, change) is None, tables.why_same_shuffle(codec, entries["encode_fours"], change) is not None, change)


if __name__ == "__main__":
    unittest.main()
