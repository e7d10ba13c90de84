# SPDX-License-Identifier: MIT
"""Tests of the minimiser."""

from __future__ import annotations

import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Dict, List
from unittest import mock

from hunting.findings.minimise import minimise
from hunting.findings.triage import Evidence, Triage, time_to_minimise

FOREVER = float("inf")


class MinimiseTest(unittest.TestCase):
    """An input that shows a finding becomes the smallest one that shows it."""

    def test_finds_the_least_form(self) -> None:
        """The smallest form is found at any offset, in any text."""
        for before in range(0, 90, 7):
            for after in range(0, 90, 11):
                data = bytes(range(1, before + 1)) + b"\xC0\x80" + b"\xE2" * after
                small, finished = minimise(data, lambda bytes_: b"\xC0\x80" in bytes_, FOREVER)
                self.assertEqual((small, finished), (b"\xC0\x80", True))

    def test_the_first_findings_have_the_more_time(self) -> None:
        """A finding has half of the time left, but enough to start; an endless loop has more; and never more than is left."""
        for left, stuck, seconds in ((60.0, False, 30.0), (8.0, False, 5.0), (3.0, False, 3.0), (-1.0, True, 0.0), (20.0, True, 15.0)):
            self.assertEqual(time_to_minimise(left, stuck), seconds)

    def test_makes_plain_what_does_not_matter_but_must_be_there(self) -> None:
        """A fault that shows at one offset keeps its offset; all other bytes become letters."""
        data = bytes(range(0x80, 0xC0)) + b"\xFF" + b"tail"
        small, _ = minimise(data, lambda bytes_: bytes_.find(b"\xFF") >= 31, FOREVER)
        self.assertEqual(small, b"a" * 31 + b"\xFF")

    def test_replaces_whole_characters(self) -> None:
        """Characters of several bytes are replaced or removed whole, because the rest of one would be another error."""
        def shows(data: bytes) -> bool:
            text, _, _ = data.partition(b"\xFF")
            return text != data and len(text) % 64 == 62 and text.decode(errors="replace").isalpha()
        self.assertEqual(minimise("b".encode() + "蚧".encode() * 63 + b"\xFF", shows, FOREVER), (b"a" * 62 + b"\xFF", True))

    def test_reaches_a_size_that_matters(self) -> None:
        """A fault that shows only past 4,200 bytes ends at 4,200 bytes."""
        small, finished = minimise(bytes(8192), lambda bytes_: len(bytes_) >= 4200, FOREVER)
        self.assertEqual((len(small), finished), (4200, True))

    def test_keeps_what_it_has_when_time_is_up(self) -> None:
        """It returns the smallest input so far, and that it was not finished."""
        ticks = iter(range(10 ** 6))
        data = bytes(range(256)) * 4
        small, finished = minimise(data, lambda bytes_: b"\x80" in bytes_, 12, lambda: next(ticks))
        self.assertFalse(finished)
        self.assertIn(b"\x80", small)
        self.assertGreater(small.count(b"a"), len(data) // 2)

    def test_time_for_all_findings_is_bounded(self) -> None:
        """75 findings, each of which could be minimised for minutes, take together no more than the hunt gives them, and one question
        each beyond it; every one of them is still returned as an input that shows it."""
        now, question = [0.0], 0.5

        def ask(_: object, __: object, ___: object, ____: object, path: Path, _____: float) -> Dict[str, str]:
            """Takes half a second; shows the key if the input has 256 different bytes."""
            now[0] += question
            return {"key": "letter"} if len(set(path.read_bytes())) == 256 else {}

        with TemporaryDirectory() as folder, mock.patch("time.monotonic", lambda: now[0]), mock.patch.object(Triage, "ask", ask):
            triage = Triage(mock.Mock(), {}, mock.Mock(), Path(folder), {}, minimise_seconds=60.0)
            clock, results = lambda: now[0], []
            with mock.patch("hunting.findings.triage.minimise", lambda data, shows, deadline: minimise(data, shows, deadline, clock)):
                for number in range(75):
                    results.append(triage.shrink("key", bytes(range(256)) * 8, mock.Mock(), Evidence({}, ("program",))))
        self.assertLessEqual(now[0], 60.0 + 75 * question)
        self.assertGreater(now[0], 59.0)
        self.assertEqual({len(set(small)) for small, _ in results}, {256})
        self.assertEqual([finished for _, finished in results][-60:], [False] * 60)

    def test_one_input_serves_other_keys_and_encodings(self) -> None:
        """The shortest minimised input that shows a key is taken, whatever encoding it was minimised for, and is replayed once for all keys of
        a target. One of another encoding that was minimised to the end is not minimised again."""
        asked: List[bytes] = []

        def ask(_: object, __: object, ___: object, ____: object, path: Path, _____: float) -> Dict[str, str]:
            """Shows two keys if C1 is in the input."""
            asked.append(path.read_bytes())
            return {"one": "letter", "two": "letter"} if b"\xc1" in asked[-1] else {}

        with TemporaryDirectory() as folder, mock.patch.object(Triage, "ask", ask):
            triage, data = Triage(mock.Mock(), {}, mock.Mock(), Path(folder), {}), bytes(range(256)) * 8
            evidence, targets = Evidence({}, ("program",)), [mock.Mock(encoding=encoding) for encoding in ("utf-8", "cesu-8")]
            small, finished = triage.shrink("one", data, targets[0], evidence)
            triage.smallest = {"utf-8": {b"a" * 100 + b"\xc1": False, small: finished, b"a": True}}
            self.assertEqual((small, finished), (b"\xc1", True))
            asked.clear()
            for key in ("one", "two"):
                self.assertEqual(triage.small_already(key, data, data, targets[1], evidence), b"\xc1", key)
            self.assertEqual(asked, [b"a", b"\xc1"])
            self.assertEqual(triage.small_already("three", data, data, targets[1], evidence), data)
            self.assertEqual(triage.small_of("one", data, data, targets[1], evidence), (b"\xc1", False))
            self.assertEqual(asked, [b"a", b"\xc1", b"a" * 100 + b"\xc1"])

    def test_leaves_an_empty_input_alone(self) -> None:
        """An empty input has nothing to remove."""
        self.assertEqual(minimise(b"", lambda bytes_: True, FOREVER), (b"", True))

    def test_never_accepts_what_does_not_show(self) -> None:
        """This holds even if no candidate shows the finding."""
        self.assertEqual(minimise(b"abc", lambda bytes_: False, FOREVER), (b"abc", True))


if __name__ == "__main__":
    unittest.main()
