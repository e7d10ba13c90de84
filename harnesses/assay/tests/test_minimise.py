# SPDX-License-Identifier: MIT
"""`assay minimise`: the shortest input with the same key, also if a codec crashes, ends the process, or is asked about 16-bit units."""

from __future__ import annotations

import json
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Tuple

from .driver import ASSAY, CANARY, COMPILER, is_built_with, loadable

# Text with the bytes about which the codecs of these tests are wrong in the middle: C1 BF, ED A0, and 07 after offset 40.
TEXT = "Grüße, 世界. ".encode() * 3 + b"\xC1\xBF" + "ünd noch mehr 😀 ".encode() + b"\xED\xA0\x80\x07" + " Ende".encode()


def run(*arguments: str, program: str = ASSAY) -> subprocess.CompletedProcess[str]:
    """Runs the command."""
    return subprocess.run([program, "minimise", *arguments], capture_output=True, text=True, check=False)


class MinimiseTest(unittest.TestCase):
    """Each test has a codec whose fault, and so the shortest input, is known."""

    def setUp(self) -> None:
        """Creates a folder for codecs."""
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def codec(self, name: str, before: str, encoding: str = "utf-8", **macros: str) -> str:
        """Builds a loadable codec that validates as the reference does, but runs a statement first."""
        if COMPILER is None:
            self.skipTest("there is no C compiler")
        if is_built_with("msan"):
            self.skipTest("MemorySanitizer does not see what a library without it writes")
        return loadable(self.folder, "example", name, NAME=f'"{name}"', ENCODING=f'"{encoding}"', BEFORE=before, **macros)

    def minimised(self, *arguments: str) -> Tuple[str, str]:
        """The key, and the shortest input as hex, for which `assay diff` shows the same key."""
        done = run("--json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        result: Any = json.loads(done.stdout)
        again = subprocess.run(shlex.split(result["again"]), capture_output=True, text=True, check=False)
        self.assertEqual(again.returncode, 1, result)
        said = again.stdout + again.stderr
        self.assertIn(f"  key           {result['key']}\n" if again.stdout else f"finding {result['key']}\n", said)
        self.assertIn(result["letter"].split("\n")[0], said)
        self.assertIn(f"  again         {result['again']}\n", result["letter"])
        self.assertEqual(len(result["minimised"]), 2 * result["minimised_byte_count"])
        return result["key"], result["minimised"]

    def test_a_divergence_of_a_built_in_codec(self) -> None:
        """The canary accepts C0 80."""
        done = run("4142C3A9F09F9880" * 4 + "C0802041", program=CANARY)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertRegex(done.stdout, r"\Autf-8/canary differs from utf-8/reference\n(.*\n)+  bytes +C0 80   \(2 bytes\)\n")
        self.assertRegex(done.stdout, r"(?m)^  again +\S+ diff C080\n  key +utf8-validate-canary-verdict$")
        self.assertRegex(done.stdout, r"\n2 of 36 bytes, after \d+ inputs: C080\n\Z")

    def test_a_divergence_of_a_loaded_codec(self) -> None:
        """The field of the key stays the same: here the verdict, although the whole text differs in the offset."""
        wrong = self.codec("wrong", "(void)0", WRONG="1")
        self.assertEqual(self.minimised("--codec", wrong, "4141C1BF4141"), ("utf8-validate-wrong-verdict", "C1BF"))
        key, shortest = self.minimised("--codec", wrong, TEXT.hex())
        self.assertEqual((key, shortest[:4]), ("utf8-validate-wrong-offset", "C1BF"))

    def test_a_codec_that_gives_no_answer(self) -> None:
        """By a signal, or by ending the process."""
        surrogate = "for (size_t i = 0; i + 1 < count; i++) if (bytes[i] == 0xED && bytes[i + 1] == 0xA0)"
        for name, end, word in (("crash", "*(volatile char *)0 = 1", "segv"), ("trap", "__builtin_trap()", "ill"), ("end", "exit(0)", "exit"),
                                ("at_once", "_Exit(0)", "exit"), ("raise", "abort()", "abort")):
            library = self.codec(name, f"{surrogate} {end}")
            self.assertEqual(self.minimised("--codec", library, TEXT.hex()), (f"utf8-validate-{name}-{word}", "EDA0"))

    def test_what_shows_only_at_an_offset_stays_there(self) -> None:
        """Bytes before it become letters."""
        library = self.codec("far", "if (count > 40 && bytes[40] == 0x07) abort()")
        self.assertEqual(self.minimised("--codec", library, "--", (b"\xC3\xA9" * 20 + b"\x07\x07\xFF").hex())[1], "61" * 40 + "07")

    def test_an_input_does_not_change_the_answers_to_the_next(self) -> None:
        """Each input has its own process: this codec crashes at its first call after one with 07."""
        library = self.codec("grudge", "static int seen; for (size_t i = 0; i < count; i++) { if (seen) abort(); seen = bytes[i] == 7; }")
        self.assertEqual(self.minimised("--codec", library, "4142C3A9" "07" "C3A94142"), ("utf8-validate-grudge-abort", "07"))

    def test_units_of_16_bits(self) -> None:
        """Units are removed whole, and half a unit at the end, too."""
        library = self.codec("narrow", "for (size_t i = 0; i + 1 < count; i += 2) if (bytes[i + 1] == 0xDC) abort()", "utf-16le")
        self.assertEqual(self.minimised("-e", "utf-16le", "--codec", library, "4100 3DD8 12DC DC00 41"), ("utf16le-validate-narrow-abort", "12DC"))

    def test_a_file_and_a_large_input(self) -> None:
        """More than 64 KiB, of which each operation is asked once at first."""
        library = self.codec("large", "if (__builtin_memchr(bytes, 0xFE, count)) abort()")
        large, small = self.folder / "large", self.folder / "small"
        large.write_bytes(b"\xC3\xA9" * 20000 + b"\xFE" + b"a" * 50000)
        done = run("--codec", library, "--out", str(small), f"@{large}")
        self.assertEqual((done.returncode, done.stderr, small.read_bytes()), (1, "", b"\xFE"))
        self.assertIn(f" diff --codec {library} @{small}\n", done.stdout)
        self.assertIn("1 of 90001 bytes, after ", done.stdout)

    def test_a_key_is_chosen(self) -> None:
        """--key selects one of the keys that the input shows; others are refused."""
        wrong, right = self.codec("wrong", "(void)0", WRONG="1"), self.codec("other", "(void)0", WRONG="1")
        both = ("--codec", wrong, "--codec", right)
        self.assertEqual(self.minimised(*both, "C1BF41")[0], "utf8-validate-wrong-verdict")
        self.assertEqual(self.minimised(*both, "--key", "utf8-validate-other-verdict", "C1BF41"), ("utf8-validate-other-verdict", "C1BF"))
        done = run(*both, "--key", "utf8-count-other-written", "C1BF41")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("does not show 'utf8-count-other-written', but: utf8-validate-wrong-verdict utf8-validate-other-verdict\n", done.stderr)

    def test_no_divergence(self) -> None:
        """Exit code 0, and no key."""
        done = run("4142C080")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "no divergence: nothing to minimise in 4 bytes\n", ""))
        self.assertEqual(json.loads(run("--json", "C080").stdout), {"encoding": "utf-8", "byte_count": 2, "key": None})

    def test_what_cannot_run(self) -> None:
        """A codec that cannot be asked anything, and a process that is killed by somebody else."""
        silent = self.codec("silent", "(void)0", OFFERED="")
        done = run("--codec", silent, "41")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("nothing was asked of", done.stderr)
        done = run("--codec", self.codec("killed", "extern int raise(int); raise(9)"), "41")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("assay minimise: the process that asks ended by signal 9 before all was asked\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
