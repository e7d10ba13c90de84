# SPDX-License-Identifier: MIT
"""Each part of the enumeration finds the fault that it is there for: a loadable codec has it, and is right in all else."""

from __future__ import annotations

import os
import re
import signal
import shlex
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Dict, NamedTuple

from .driver import ASSAY, COMPILER, ROOT, in_ordinary_build, loadable


class Fault(NamedTuple):
    """A fault of codecs/faulty_part.c: the operations that the codec offers, the part's stride, and the key; an empty key where the
    part has no question to show, and so no key."""

    part: str
    offered: str
    stride: int
    key: str


FAULTS = (
    Fault("strings", ".validate = accepts_three_alone", 64, "utf8-validate-planted-verdict"),
    Fault("scalars", ".encode_utf32 = refuses_2f811", 1, "utf8-encode-utf32-planted-verdict"),
    Fault("pairs", ".validate = accepts_c1_at_100", 7, "utf8-validate-planted-verdict"),
    Fault("pieces", ".feed_utf32 = loses_byte_at_41", 1, "utf8-feed-utf32-planted-"),
    Fault("rooms", ".spans = counts_to_capacity", 29, "utf8-spans-planted-written"),
    Fault("far", ".validate = validates_in_16_bits", 7, "utf8-validate-planted-offset"),
    Fault("far", ".feed_utf32 = feeds_in_16_bits", 999, ""),
    Fault("far", ".validate = accepts_c2_before_stride", 1, "utf8-validate-planted-verdict"),
    Fault("amid-others", ".encode_utf16 = refuses_e9_at_15", 1, "utf8-encode-utf16-planted-verdict"),
    Fault("units", ".encode_utf16 = refuses_pair_after_lead", 1, "utf8-encode-utf16-planted-verdict"),
    Fault("edge-pairs", ".encode_utf16 = refuses_pair_at_edge, .decode_utf16 = decodes", 1, ""),
    Fault("unit-pairs", ".encode_utf16 = refuses_other_pair, .decode_utf16 = decodes", 65536, ""),
)
NOT_RUN = {"streams"}  # 4 GiB a codec: feeds_in_32_bits is for those who run it


@unittest.skipIf(COMPILER is None, "there is no C compiler")
@unittest.skipIf(re.search(b"__[am]san_init", Path(ASSAY).read_bytes()), "what is enumerated is the same under a sanitizer")
class PartsTest(unittest.TestCase):
    """Without SIMD codecs, so that it takes less time."""

    def run_assay(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A command of the program."""
        return subprocess.run([ASSAY, *words], capture_output=True, text=True, check=False,
                              env={**os.environ, "ASSAY_WITHOUT": "sse41,avx2,avx512,neon"})

    def sweep(self, fault: Fault, folder: Path) -> subprocess.CompletedProcess[str]:
        """A part with the codec that has a fault."""
        macros: Dict[str, str] = {"WTF_8": ""} if fault.part in ("edge-pairs", "unit-pairs") else {}
        beginning = ("--from", "D8A5") if fault.part == "unit-pairs" else ()
        library = loadable(folder, "faulty_part", OFFERED=fault.offered, **macros)
        return self.run_assay("sweep", "--fail-fast", "--stride", str(fault.stride), *beginning, "--codec", library, fault.part)

    @in_ordinary_build
    def test_each_part_finds_its_fault(self) -> None:
        """And names the codec, what it is wrong about, and a command that shows it again; what is quick is run."""
        for fault in FAULTS:
            with tempfile.TemporaryDirectory() as folder:
                done = self.sweep(fault, Path(folder))
                self.assertEqual(done.returncode, 1, (fault, done.stdout, done.stderr))
                self.assertRegex(done.stdout, " of the sort " + (re.escape(fault.key) or "(utf-8|wtf-8)/planted "), fault)
                self.assertEqual(set(re.findall(r"(?m)^(?:utf-8|wtf-8)/(\w+) ", done.stderr)), {"planted"}, fault)
                again = re.findall(r"(?m)^  again +(\S.*)$", done.stderr)
                self.assertTrue(again, fault)
                for command in again:
                    program, verb, *words = shlex.split(command)
                    self.assertEqual(program, ASSAY)
                    if verb == "diff" or "--from" in words:
                        shown = self.run_assay(verb, *words)
                        self.assertEqual((shown.returncode, fault.key in shown.stdout), (1, True), (fault, command, shown.stdout))
                self.assertEqual("--operation" in again[0], fault.part in ("pieces", "rooms"), again)
                self.assertEqual("--from D8A5" in again[0], fault.part == "unit-pairs", again)

    def test_an_interrupted_enumeration_says_how_to_continue(self) -> None:
        """The command for the rest, with the options; the interrupt comes as soon as the program handles it."""
        program = [ASSAY, "sweep", "--stride", "3", "--from", "10", "unit-pairs"]
        with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            while "SigCgt" not in (status := Path(f"/proc/{process.pid}/status").read_text()) or \
                    not int(re.findall(r"SigCgt:\s*(\w+)", status)[0], 16) & 1 << signal.SIGINT - 1:
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=300)[1]
        self.assertEqual(process.returncode, 130, said)
        self.assertRegex(said, r"interrupted; the rest: \S+ sweep -e wtf-8 --from [0-9A-F]+ --stride 3 unit-pairs\n$")

    def test_diff_asks_for_errors_with_little_room(self) -> None:
        """Which are counted all the same."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "faulty_part", OFFERED=".spans = counts_to_capacity")
            done = self.run_assay("diff", "--codec", library, "41FF")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("  asked         spans, room for 0", done.stdout)

    def test_every_part_has_a_fault(self) -> None:
        """Those of parts.def."""
        named = re.findall(r'(?m)^(?:LONG_)?PART\(\w+, *"([^"]+)"', (ROOT / "harnesses/assay/sweep/parts.def").read_text())
        self.assertEqual({fault.part for fault in FAULTS} | NOT_RUN, set(named))


if __name__ == "__main__":
    unittest.main()
