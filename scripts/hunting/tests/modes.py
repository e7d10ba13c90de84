# SPDX-License-Identifier: MIT
"""Tests of what libFuzzer does besides fuzzing, on a target that a loaded codec crashes: minimise, cleanse, merge, fork.

OSS-Fuzz and ClusterFuzzLite do the same with what they find. Preset fuzz runs these tests with its own target:

    ASSAY_FUZZ_TARGET=build/fuzz/fuzz_decode python3 -B -m unittest -v hunting.tests.modes      # in scripts/
"""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import List, Tuple

from hunting.options import ROOT

COMPILER = os.environ.get("CC") or shutil.which("clang") or shutil.which("cc") or "cc"

# The reference, but that it crashes at a lead surrogate and does not end if the input is the word `endless`.
FAULTY = r"""
#include "reference/utf8.c"
#include <string.h>
static bool validate_or_die(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    for (size_t i = 0; i + 1 < byte_count; i++)
        if (bytes[i] == 0xED && bytes[i + 1] == 0xA0)
            *(volatile char *)0 = 1;
    if (byte_count == 7 && memcmp(bytes, "endless", 7) == 0)
        for (;;)
            __asm__ volatile("");
    return codec_utf8_reference.validate(bytes, byte_count, error);
}
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "faulty"), .validate = validate_or_die};
"""
FAULT = b"\xED\xA0"
CRASH = "Grüße, 蚧 und noch mehr. ".encode() * 3 + FAULT + "\x80, und danach 😀 auch etwas".encode()
SOUND = (b"a", "蚧".encode(), b"a\xFF", "😀".encode())


class Modes:
    """The target, and a folder for the codec that crashes it and for all files that are written."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program, self.folder = program, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.codec = folder / "faulty.so"
        subprocess.run([COMPILER, "-shared", "-fPIC", "-w", "-I", str(ROOT / "codecs"), "-xc", "-", "-o", str(self.codec)],
                       input=FAULTY, text=True, check=True)

    def run(self, *words: str) -> Tuple[int, str]:
        """Runs the target on all questions of each input, so that the same inputs crash at any length. Returns the exit code and the
        output."""
        environment = {**os.environ, "ASSAY_CODECS": str(self.codec), "ASSAY_EFFORT": "thorough", "ASAN_OPTIONS": "symbolize=0"}
        done = subprocess.run([str(self.program), *words], env=environment, cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, errors="replace", timeout=300, check=False)
        return done.returncode, done.stdout

    def write(self, name: str, content: bytes) -> str:
        """Writes a file in the folder. Returns its name."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return name

    def minimised(self) -> bytes:
        """The minimised input of a crash."""
        code, said = self.run("-minimize_crash=1", "-runs=1000", "-seed=1", "-exact_artifact_path=minimised", self.write("crash", CRASH))
        if code != 0:
            raise AssertionError(f"-minimize_crash=1 ends with exit code {code}:\n{said[-2000:]}")
        return (self.folder / "minimised").read_bytes()

    def cleansed(self) -> bytes:
        """The cleansed input of a short crash: all bytes that may be spaces are spaces."""
        code, said = self.run("-cleanse_crash=1", "-exact_artifact_path=cleansed", self.write("short", b"ab" + FAULT + b"cd"))
        if code != 0:
            raise AssertionError(f"-cleanse_crash=1 ends with exit code {code}:\n{said[-2000:]}")
        return (self.folder / "cleansed").read_bytes()

    def merged(self) -> List[bytes]:
        """The inputs that are merged from a folder with a crash in it."""
        (self.folder / "merged").mkdir()
        self.write("from/crash", CRASH)
        for number, content in enumerate(SOUND):
            self.write(f"from/{number}", content)
        code, said = self.run("-merge=1", "-artifact_prefix=merge-", "merged", "from")
        if code != 0:
            raise AssertionError(f"-merge=1 ends with exit code {code}:\n{said[-2000:]}")
        return sorted(path.read_bytes() for path in (self.folder / "merged").iterdir())

    def forked(self) -> Tuple[str, List[bytes]]:
        """The output, and the crashes that are found from a corpus without one."""
        self.write("corpus/a", SOUND[0])
        dictionary = self.write("dictionary", b'"' + b"".join(b"\\x%02X" % byte for byte in FAULT) + b'"\n')
        _, said = self.run("-fork=1", "-max_len=64", "-max_total_time=60", "-seed=1", f"-dict={dictionary}", "-artifact_prefix=fork-", "corpus")
        return said, [path.read_bytes() for path in self.folder.glob("fork-crash-*")]


@unittest.skipUnless("ASSAY_FUZZ_TARGET" in os.environ, "NOT RUN: ASSAY_FUZZ_TARGET names no target of preset fuzz")
class ModesTest(unittest.TestCase):
    """Each mode works with our mutator in the target."""

    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.modes = Modes(Path(os.environ["ASSAY_FUZZ_TARGET"]).resolve(), Path(folder.name))

    def test_minimises_a_crash(self) -> None:
        """A crash is minimised to the two bytes that matter, wherever they are."""
        self.assertEqual(self.modes.minimised(), FAULT)

    def test_cleanses_a_crash(self) -> None:
        """All bytes but the two that matter are cleansed."""
        self.assertEqual(self.modes.cleansed(), b"  " + FAULT + b"  ")

    def test_names_the_codec_that_its_clock_ends(self) -> None:
        """The engine ends the process in the middle of the codec; that is a timeout, and not the codec that calls exit()."""
        code, said = self.modes.run("-timeout=1", self.modes.write("endless", b"endless"))
        self.assertEqual(code, 70, said)
        self.assertRegex(said, r"(?m)^utf-8/faulty gives no answer\n.*; it had not ended when its time was over\n")
        self.assertRegex(said, r"(?m)^finding utf8-\S+-faulty-timeout$")

    def test_merges_past_a_crash(self) -> None:
        """The crash is left out; the inputs before and after it are kept unchanged."""
        merged = self.modes.merged()
        self.assertGreater(len(merged), 1)
        self.assertLessEqual(set(merged), set(SOUND))

    def test_finds_a_crash_in_a_child(self) -> None:
        """The crash of a child process is kept whole, and crashes again."""
        said, crashes = self.modes.forked()
        self.assertEqual(len(crashes), 1, said[-2000:])
        self.assertIn(FAULT, crashes[0])
        code, said = self.modes.run(self.modes.write("again", crashes[0]))
        self.assertNotEqual(code, 0)
        self.assertIn("finding utf8-validate-faulty-segv\n", said)


if __name__ == "__main__":
    unittest.main()
