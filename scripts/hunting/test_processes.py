# SPDX-License-Identifier: MIT
"""What is read of what programs say."""

from __future__ import annotations

import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from hunting.processes import said


class SaidTest(unittest.TestCase):
    """A log may be empty, short, or larger than memory."""

    def test_of_a_huge_log_the_beginning_and_the_end(self) -> None:
        """And all of any other."""
        with TemporaryDirectory() as folder, mock.patch("hunting.processes.SAID_BYTES", 4):
            log = Path(folder) / "log"
            for text, expected in (("", ""), ("abc", "abc"), ("abcdefg", "abcdefg"), ("abcdefgh", "abcdefgh"), ("abcdefghijkl", "abcdijkl")):
                log.write_text(text)
                self.assertEqual(said(log), expected)


if __name__ == "__main__":
    unittest.main()
