# SPDX-License-Identifier: MIT
"""`assay prove`: what holds is proven, and one changed entry of a table refutes the theorem about it."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

from .driver import ASSAY, CANARY, COMPILER, ROOT, running

EVERY_ENTRY = bool(os.environ.get("ASSAY_EVERY_ENTRY"))  # of all tables: minutes
SEED, SAMPLE = 20261123, 6
THEOREMS = ("automaton", "characters")

# Compiled into a copy of a codec: ENTRY="index,begin,end,nth" changes a table entry to the nth other value found between two places of it.
PATCH = """
#include <stdio.h>
#include <stdlib.h>
static void __attribute__((constructor)) patch(void)
{
    unsigned index, begin, end, nth;
    const char *entry = getenv("ENTRY");
    if (entry == NULL || sscanf(entry, "%u,%u,%u,%u", &index, &begin, &end, &nth) != 4)
        return;
    for (unsigned at = begin; at < end; at++) {
        unsigned before = begin;
        while (TABLE[before] != TABLE[at])
            before++;
        if (before == at && TABLE[at] != TABLE[index] && nth-- == 0) {
            TABLE[index] = TABLE[at];
            return;
        }
    }
    abort(); /* there are fewer */
}
"""


# The same for the bytes of a table: ENTRY="index,bits" flips these bits of one.
FLIP = """
#include <stdio.h>
#include <stdlib.h>
static void __attribute__((constructor)) flip(void)
{
    unsigned index, bits;
    const char *entry = getenv("ENTRY");
    if (entry != NULL && sscanf(entry, "%u,%x", &index, &bits) == 2)
        TABLE[index] ^= bits;
}
"""


def flags_of(isa: str) -> List[str]:
    """The compiler flags of an instruction set, from the registry."""
    found = re.search(rf'^ISA\({isa}, *"[^"]*", *"([^"]*)"\)', (ROOT / "codecs" / "codecs.def").read_text("utf-8"), re.MULTILINE)
    assert found, isa
    return found.group(1).split()


def prove(*arguments: str, program: str = ASSAY, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs the command."""
    return subprocess.run([program, "prove", *arguments], capture_output=True, text=True, check=False, env={**os.environ, **variables})


def outcomes(*arguments: str, **variables: str) -> List[Dict[str, Any]]:
    """The outcome for each theorem and codec."""
    done = prove("--json", *arguments, **variables)
    assert done.stderr == "", done.stderr
    rows: List[Dict[str, Any]] = json.loads(done.stdout)
    return rows


def entries_of(table: str) -> List[List[int]]:
    """The three lookup tables of UTF-8, as in a header."""
    values = {name: int(value, 16) for name, value in re.findall(r"#define (\w+) (0x[0-9A-F]{2}) ", table)}
    names = re.findall(r"/\* [0-9A-F] \*/ ([A-Z0-9_| ]+),", table)
    entries = [sum(values[name] for name in entry.split(" | ")) for entry in names]
    return [entries[at:at + 16] for at in (0, 16, 32)]


def meaning_of(entries: Sequence[Sequence[int]]) -> List[int]:
    """The meaning of each pair of bytes by its nibbles: right, two continuations, or wrong in another way. Only this decides."""
    first_high, first_low, second_high = entries
    pairs = (high & low & second for high in first_high for low in first_low for second in second_high)
    return [0 if pair == 0 else 1 if pair == 0x80 else 2 for pair in pairs]


KERNEL = next((isa for isa in ("avx2", "sse41", "neon") if f"utf-8/{isa}" in running("utf-8")), "")


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

    def test_json_has_what_the_text_has(self) -> None:
        """Sentence, premises, cases, outcome."""
        (row,) = outcomes("-t", "characters", "utf-8/shift")
        self.assertEqual((row["outcome"], row["cases"], row["why"]), ("proven", 0x110000 - 0x800, ""))
        self.assertTrue(row["sentence"].endswith(".") and row["premises"].endswith("."))


@unittest.skipUnless(KERNEL, "no instruction set with vectors runs here")
class KernelsAreProven(unittest.TestCase):
    """Theorems about lanes, loops and windows."""

    folder: Path
    library: str

    @classmethod
    def setUpClass(cls) -> None:
        """Builds a copy of a kernel whose tables can be changed."""
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        shutil.copytree(ROOT / "codecs", cls.folder / "codecs")
        prover = cls.folder / "harnesses" / "assay" / "prove"
        shutil.copytree(ROOT / "harnesses" / "assay" / "prove", prover)
        tables = cls.folder / "codecs" / "simd" / "tables" / "utf8.h"
        tables.write_text(tables.read_text("utf-8").replace("static const struct encoding utf8", "static struct encoding utf8"), "utf-8")
        patched = prover / "patched.c"
        patched.write_text(f'#include "kernel.c"\n#define TABLE ((unsigned char *)&utf8)\n{FLIP}', "utf-8")
        cls.library = str(cls.folder / "kernels.so")
        subprocess.run([str(COMPILER), "-std=c11", "-D_DEFAULT_SOURCE", "-shared", "-fPIC", "-w", "-O2", f"-DISA={KERNEL}", "-DKERNELS_LOADED",
                        *flags_of(KERNEL), "-o", cls.library, str(patched)], check=True)

    def test_every_lane_is_alike(self) -> None:
        """No lane depends on other lanes; in the canary, lane 37 does."""
        self.assertEqual([row["outcome"] for row in outcomes("-t", "lanes", f"utf-8/{KERNEL}")], ["proven"])
        canary = prove("-t", "lanes", "utf-8/sse41", "utf-8/avx2", "utf-8/neon", program=CANARY)
        self.assertEqual(canary.returncode, 1)
        self.assertIn("lane 37 of blocks depends on", canary.stdout)

    def test_the_loops_follow_from_what_they_ask(self) -> None:
        """A sample of all lengths; the canary's loops do not ask whether a sequence is incomplete at the end."""
        share = ("-t", "loops", "--stride", "31", "--seed", str(SEED), f"utf-8/{KERNEL}")
        self.assertEqual([row["outcome"] for row in outcomes(*share)], ["sampled"])
        canary = prove("-t", "loops", "utf-8/sse41", "utf-8/avx2", "utf-8/neon", program=CANARY)
        self.assertEqual(canary.returncode, 1)
        self.assertIn("64 bytes at offset 0 of a cache line are accepted; bytes from 64 on may be refused, or cut at the end", canary.stdout)

    def test_a_bit_of_a_table_changes_a_verdict(self) -> None:
        """A sample of all windows shows the changed bit and names it; without a change, none fails."""
        share = ("-t", "windows", "--stride", "61", "--seed", str(SEED), "--kernels", self.library, f"utf-8/{KERNEL}")
        self.assertRegex(prove(*share).stdout, rf"utf-8/{KERNEL} +sampled +[1-9]\d{{7}} cases")
        certificate = subprocess.run([sys.executable, str(ROOT / "harnesses" / "assay" / "prove" / "certificate.py"), "utf-8", "61", str(SEED % 61)],
                                     capture_output=True, text=True, check=True)
        self.assertIn(f"verdicts {certificate.stdout}", prove(*share).stdout, "as the Python witness's rows have it")
        entries = entries_of((ROOT / "codecs" / "simd" / "tables" / "utf8.h").read_text("utf-8"))
        bits = [(index, 1 << bit) for index in range(48) for bit in range(8)]
        alive, all_the_same = [], []
        for index, bit in bits if EVERY_ENTRY else random.Random(SEED).sample(bits, SAMPLE):
            flipped = [[entry ^ bit if 16 * table + at == index else entry for at, entry in enumerate(row)] for table, row in enumerate(entries)]
            if meaning_of(flipped) == meaning_of(entries): # another reason for a pair that was wrong before
                all_the_same.append((index, bit))
            done = prove(*share, ENTRY=f"{index},{bit:x}")
            self.assertIn(done.returncode, (0, 1), done.stderr)
            if done.returncode == 0:
                alive.append((index, bit))
            else:
                self.assertRegex(done.stdout, "the kernel of [a-z ]+ says that the last byte of (.. ){4}is (right|wrong), and it is")
        self.assertEqual(alive, all_the_same)


class WhatIsChangedIsRefuted(unittest.TestCase):
    """Codecs with one changed table entry, as loadable libraries."""

    folder: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        shutil.copytree(ROOT / "codecs", cls.folder / "codecs")

    def library(self, source: str, id_: str, name: str, table: str, *flags: str) -> str:
        """Builds a copy of a file of codecs/ as a loadable codec named `patched`, in which a table entry can be changed."""
        folder = self.folder / "codecs"
        header, = (path for path in folder.rglob("*.h") if re.search(rf"\b{table}\[", path.read_text("utf-8")))
        original, text = header.read_text("utf-8"), (folder / source).read_text("utf-8")
        patched = self.folder / "codecs" / source.replace(".c", "_patched.c")
        for old, new in ((f"CODEC {name}", "CODEC patched"), (f"_{name}_automaton", "_patched_automaton"), (f", {name})", ", patched)")):
            text = text.replace(old, new)
        patched.write_text(f"#define codec_{id_}_patched assay_codec\n{text}\n#define TABLE {table}\n{PATCH}", "utf-8")
        header.write_text(re.sub(rf"static const (\w+ {table}\[)", r"static \1", original), "utf-8")
        library = self.folder / f"{name}-{table}.so"
        subprocess.run([str(COMPILER), "-std=c11", "-D_DEFAULT_SOURCE", "-shared", "-fPIC", "-w", "-O1", *flags, "-o", str(library), str(patched)],
                       check=True)
        header.write_text(original, "utf-8")
        return str(library)

    def is_refuted(self, library: str, entry: Tuple[int, int, int, int]) -> bool:
        """True if this change refutes the theorem; None if there is no such change."""
        for theorem in THEOREMS:
            done = prove("--codec", library, "-t", theorem, "patched", ENTRY=",".join(map(str, entry)))
            self.assertIn(done.returncode, (0, 1, -signal.SIGABRT), done.stderr)
            if done.returncode != 0:
                return True
        return False

    def check_table(self, library: str, *parts: Tuple[int, int], only: Sequence[int] = range(1000), values: int = 2) -> None:
        """Changes some entries of these parts of a table, or all with EVERY_ENTRY, to `values` other values of the part: each change must
        refute."""
        for theorem in THEOREMS:
            self.assertEqual(prove("--codec", library, "-t", theorem, "patched").returncode, 0, "it holds as it is")
        entries = [(index, begin, end, nth) for begin, end in parts for index in range(begin, end) if index in only
                   for nth in range(values if EVERY_ENTRY else 1)]
        if not EVERY_ENTRY:
            entries = random.Random(SEED).sample(entries, SAMPLE)
        self.assertEqual([entry for entry in entries if not self.is_refuted(library, entry)], [])

    def test_an_entry_of_an_automaton(self) -> None:
        """Classes of bytes, and next states."""
        self.check_table(self.library("dfa/hoehrmann.c", "utf8", "hoehrmann2010", "utf8_hoehrmann2010"), (0, 256), (256, 256 + 9 * 12))

    def test_an_entry_of_a_shift_automaton(self) -> None:
        """The 64-bit word of each byte."""
        self.check_table(self.library("dfa/shift.c", "utf8", "shift", "utf8_shift"), (0, 256))

    def test_an_entry_of_the_payload(self) -> None:
        """The payload bits of each byte. For leads of two, 3F leaves the same bits as 1F, so one other value is tried."""
        self.check_table(self.library("dfa/hoehrmann.c", "utf8", "hoehrmann2010", "utf8_payload"), (0, 256), only=range(0xC2, 0xF5), values=1)
