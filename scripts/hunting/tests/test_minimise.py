# SPDX-License-Identifier: MIT
"""The minimiser."""

from __future__ import annotations

import unittest

from hunting.findings.minimise import minimise
from hunting.findings.triage import time_to_minimise

FOREVER = float("inf")


class MinimiseTest(unittest.TestCase):
    """From an input that shows something to the smallest one that does."""

    def test_finds_the_least_form(self) -> None:
        """Wherever it lies, and whatever lies around it."""
        for before in range(0, 90, 7):
            for after in range(0, 90, 11):
                data = bytes(range(1, before + 1)) + b"\xC0\x80" + b"\xE2" * after
                small, finished = minimise(data, lambda bytes_: b"\xC0\x80" in bytes_, FOREVER)
                self.assertEqual((small, finished), (b"\xC0\x80", True))

    def test_the_first_findings_have_the_more_time(self) -> None:
        """Half of what is left, but enough to begin with; an endless loop takes longer; and never more than there is."""
        for left, stuck, seconds in ((60.0, False, 30.0), (8.0, False, 5.0), (3.0, False, 3.0), (-1.0, True, 0.0), (20.0, True, 15.0)):
            self.assertEqual(time_to_minimise(left, stuck), seconds)

    def test_makes_plain_what_does_not_matter_but_must_be_there(self) -> None:
        """A fault that shows at an offset keeps its offset, not its noise."""
        data = bytes(range(0x80, 0xC0)) + b"\xFF" + b"tail"
        small, _ = minimise(data, lambda bytes_: bytes_.find(b"\xFF") >= 31, FOREVER)
        self.assertEqual(small, b"a" * 31 + b"\xFF")

    def test_takes_characters_apart_from_what_is_wrong(self) -> None:
        """Those of several bytes go as one: what were left of them would be an error before the error."""
        def shows(data: bytes) -> bool:
            text, _, _ = data.partition(b"\xFF")
            return text != data and len(text) % 64 == 62 and text.decode(errors="replace").isalpha()
        self.assertEqual(minimise("b".encode() + "蚧".encode() * 63 + b"\xFF", shows, FOREVER), (b"a" * 62 + b"\xFF", True))

    def test_reaches_a_size_that_matters(self) -> None:
        """A fault that shows only past 4,200 bytes ends at 4,200 bytes."""
        small, finished = minimise(bytes(8192), lambda bytes_: len(bytes_) >= 4200, FOREVER)
        self.assertEqual((len(small), finished), (4200, True))

    def test_keeps_what_it_has_when_time_is_up(self) -> None:
        """Half done is better than not at all, and says so."""
        ticks = iter(range(10 ** 6))
        data = bytes(range(256)) * 4
        small, finished = minimise(data, lambda bytes_: b"\x80" in bytes_, 12, lambda: next(ticks))
        self.assertFalse(finished)
        self.assertIn(b"\x80", small)
        self.assertGreater(small.count(b"a"), len(data) // 2)

    def test_leaves_an_empty_input_alone(self) -> None:
        """There is nothing to take away."""
        self.assertEqual(minimise(b"", lambda bytes_: True, FOREVER), (b"", True))

    def test_never_accepts_what_does_not_show(self) -> None:
        """Not even if nothing shows any more."""
        self.assertEqual(minimise(b"abc", lambda bytes_: False, FOREVER), (b"abc", True))


if __name__ == "__main__":
    unittest.main()
