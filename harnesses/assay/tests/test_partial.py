# SPDX-License-Identifier: MIT
"""A correct loadable codec that leaves out what codec.h allows: no command reports an error of it, and skipped questions are counted."""

from __future__ import annotations

import os
import re
import subprocess
import unittest
from pathlib import Path

from .driver import ASSAY

LIBRARY = str(Path(ASSAY).parent / "libpartial_utf8.so")  # harnesses/museum/partial.c

# What is left out: only figures, which skips nothing; a policy of all operations; an operation; an operation under a policy; figures of errors.
LEFT_OUT = ("offset", "strict", "whatwg", "skip per-run", "decode_utf16", "encode_utf32:per-run", "validate decode_utf32:strict", "length spans")


def assay(left_out: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a command with the codec."""
    environment = {**os.environ, "ASSAY_PARTIAL": left_out, "ASSAY_WITHOUT": "sse41,avx2,avx512,neon"}
    return subprocess.run([ASSAY, *arguments, "--codec", LIBRARY], env=environment, capture_output=True, text=True, errors="replace", check=False)


class PartialTest(unittest.TestCase):
    """partial.c as users load it; partial_test asks the claims about all other choices."""

    usual = 0  # questions that the built-in codecs skip

    def assert_skips(self, left_out: str, done: subprocess.CompletedProcess[str]) -> None:
        """Asserts that no error is reported, and that more is skipped than if only figures are hidden."""
        self.assertEqual((done.returncode, done.stderr), (0, ""), (left_out, done.stdout))
        skipped = sum(map(int, re.findall(r"(\d+) skipped", done.stdout)))
        if left_out == LEFT_OUT[0]:
            self.usual = skipped
        self.assertEqual(skipped > self.usual, left_out != LEFT_OUT[0], (left_out, done.stdout))

    def test_diff(self) -> None:
        """With an error, a run of errors, and characters."""
        for left_out in LEFT_OUT:
            self.assert_skips(left_out, assay(left_out, "diff", "41EDA080FFC3A9F09F9880"))

    def test_sweep(self) -> None:
        """Every part that asks questions of its own."""
        for left_out in LEFT_OUT:
            self.assert_skips(left_out, assay(left_out, "sweep", "--stride", "4099", "strings", "pairs", "pieces", "rooms", "units"))

    def test_check(self) -> None:
        """Only conversions also ask another codec."""
        for left_out in LEFT_OUT:
            done = assay(left_out, "check", "-c", "partial", "utf-8/convert", "utf-8/encode", "utf-8/concat", "utf-8/streaming")
            self.assertEqual((done.returncode, done.stderr), (0, ""), (left_out, done.stdout))

    def test_promises(self) -> None:
        """A codec without the operations for the check is refused; no broken promise is reported."""
        for left_out in LEFT_OUT:
            done = assay(left_out, "promises", "-e", "utf-8", "-c", "partial", "--stride", "99999", "--string-stride", "99999")
            lacks = any(word in left_out for word in ("strict", "whatwg", "skip"))
            self.assertEqual(done.returncode, 2 if lacks else 0, (left_out, done.stdout))
            self.assertEqual("no codec 'partial' that runs here validates, encodes, and decodes to UTF-32 under strict, skip and whatwg" in done.stderr, lacks)

    def test_a_count_that_is_not_offered_is_no_count(self) -> None:
        """In the table of `diff`."""
        self.assertRegex(assay("count:whatwg", "diff", "4142").stdout, r"(?m)^  partial +well-formed +- +-$")
        self.assertRegex(assay("count:strict", "diff", "4142").stdout, r"(?m)^  partial +well-formed +2 +2$")


if __name__ == "__main__":
    unittest.main()
