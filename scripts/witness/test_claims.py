# SPDX-License-Identifier: MIT
"""What the pages of documents/ say of texts, names and bounds, where no codec is asked."""

from __future__ import annotations

import itertools
import unicodedata
import unittest
from typing import List

from .corpus_figures import best_of_two_bytes, by_rows, pairs_that_split, phonetic_extensions, texts
from .rows import GENERALIZED_UTF_8, LEADS, TRAILS, UTF_8

COMBINING_SUPPLEMENT = range(0x1DC0, 0x1E00)


def first_words(block: range) -> List[str]:
    """The first word of each character's name."""
    return [unicodedata.name(chr(code_point)).split()[0] for code_point in block]


class InventingUtf8Test(unittest.TestCase):
    """"Inventing UTF-8"."""

    def test_a_character_can_be_split_by_two_bytes(self) -> None:
        """"We need one counter!": between the bytes of U+00E9, a continuation and a lead make two characters of it; by CPython."""
        self.assertEqual(pairs_that_split(), 64 * 30)

    def test_whole_bits_are_not_the_best(self) -> None:
        """As many bytes for all other characters as in UTF-8, and disjoint values for first and following bytes: more characters in two
        bytes."""
        follows, two_bytes = best_of_two_bytes()
        begins = two_bytes // follows
        three = -(-(0x10000 - 0x800 - 0x80 - two_bytes) // follows ** 2)
        four = -(-0x100000 // follows ** 3)
        self.assertLessEqual(begins + three + four + follows, 128)
        self.assertGreater(two_bytes, sum(by_rows(UTF_8)(code_point) == 2 for code_point in range(0x800)))
        self.assertGreater(two_bytes, 32 * 64)  # more than the 11 bits, too

    def test_no_text_gains_by_biasing(self) -> None:
        """"Removing nonsense": no character of a text is among those that need a byte less."""
        saved = {*range(0x800, 0x880), *range(0x10000, 0x11080)}
        self.assertEqual(len(saved), 4352)
        self.assertEqual(saved & {ord(char) for text in texts().values() for char in text}, set())

    def test_surrogates_are_in_the_bmp(self) -> None:
        """"Terms used": plane 0 is U+0000..U+FFFF, all of them code points; it has all surrogates, which are no scalar values."""
        self.assertTrue(0 <= LEADS[0] <= TRAILS[1] <= 0xFFFF)
        plane = [code_point for code_point in GENERALIZED_UTF_8.code_points() if code_point >> 16 == 0]
        self.assertEqual(plane, list(range(0x10000)))
        self.assertEqual([code_point for code_point in plane if UTF_8.encode(code_point) is None], list(range(LEADS[0], TRAILS[1] + 1)))

    def test_two_blocks_are_not_just_latin(self) -> None:
        """"Terms used": Greek and Cyrillic in Phonetic Extensions; no Latin letter in Combining Diacritical Marks Supplement."""
        self.assertEqual([phonetic_extensions(script) for script in ("GREEK", "CYRILLIC")], [12, 2])
        self.assertEqual(set(first_words(COMBINING_SUPPLEMENT)), {"COMBINING"})
        for block in (range(0x100, 0x180), range(0x180, 0x250), range(0x1E00, 0x1F00)):
            self.assertEqual(set(first_words(block)), {"LATIN"})

    def test_ants_are_counted(self) -> None:
        """"Terms used": four ants are 4; with a flag after the third, 3 and 4."""
        for drawing, numbers in (("\U0001F41C" * 4, [4]), ("\U0001F41C" * 3 + "\U0001F3F3\uFE0F\u200D\U0001F308" + "\U0001F41C" * 4, [3, 4])):
            runs = [len(list(run)) for is_ant, run in itertools.groupby(drawing, "\U0001F41C".__eq__) if is_ant]
            self.assertEqual(runs, numbers)


if __name__ == "__main__":
    unittest.main()
