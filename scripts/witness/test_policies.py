# SPDX-License-Identifier: MIT
"""Spans, policies, pieces and room: the witness against the standard's own words and against itself."""

from __future__ import annotations

import itertools
import random
import unittest
from functools import lru_cache
from typing import List, Sequence

from witness import encoders, faults, policies
from witness.rows import UTF_8

INTERESTING = (0x41, 0x80, 0x90, 0xA0, 0xC0, 0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF1, 0xF4, 0xF5, 0xF8)


def decode(text: str, policy: str) -> str:
    """The output for hex, written as the examples of the standard are."""
    return " ".join(f"{code_point:04X}" for code_point in policies.decode(UTF_8, bytes.fromhex(text), policy))


@lru_cache(maxsize=None)
def is_sequence(text: bytes) -> bool:
    """Whether the bytes are one whole well-formed sequence."""
    return UTF_8.decode(text) is not None


@lru_cache(maxsize=None)
def longest_prefix(text: bytes) -> int:
    """The length of a maximal subpart by the definition: the longest initial part that some sequence begins with."""
    for length in range(len(text), 0, -1):
        for row in UTF_8.rows:
            fits = length < len(row.ranges) and all(low <= byte <= high for byte, (low, high) in
                                                    zip(text[:length], row.ranges))
            if fits:
                return length
    return 1


def slow_spans(text: bytes) -> List[Sequence[int]]:
    """Spans by the letter of D93b, without an automaton."""
    found, at = [], 0
    while at < len(text):
        length = next((n for n in (1, 2, 3, 4) if is_sequence(text[at:at + n])), 0)
        if not length:
            length = longest_prefix(text[at:at + 4])
            found.append((at, length))
        at += length
    return found


class SpansTest(unittest.TestCase):
    """Maximal subparts."""

    def test_follow_the_definition(self) -> None:
        """Every string of up to four interesting bytes, against D93b without an automaton."""
        for length in range(5):
            for text in itertools.product(INTERESTING, repeat=length):
                got = [(span.offset, span.length) for span in policies.spans(UTF_8, bytes(text))]
                self.assertEqual(got, slow_spans(bytes(text)), bytes(text).hex())

    def test_cover_the_input(self) -> None:
        """Segments are the whole input, in order, and every one makes progress."""
        chance = random.Random(2026)
        for _ in range(2000):
            text = bytes(chance.choices(INTERESTING, k=chance.randrange(20)))
            at = 0
            for segment in policies.segments(UTF_8, text):
                self.assertEqual(segment.offset, at)
                self.assertGreater(segment.length, 0)
                at += segment.length
            self.assertEqual(at, len(text))

    def test_know_an_incomplete_end(self) -> None:
        """Only the end of input makes a truncated sequence ill-formed."""
        for text, incomplete in (("E282", True), ("E28241", False), ("EDA0", False), ("F4", True), ("F5", False)):
            self.assertEqual(policies.spans(UTF_8, bytes.fromhex(text))[0].incomplete, incomplete, text)


class PoliciesTest(unittest.TestCase):
    """The replacement practices."""

    def test_give_the_standards_examples(self) -> None:
        """Unicode 17.0, Tables 3-8 to 3-11, and the example of 3.9."""
        for text, output in (
                ("C0AFE080BFF0818241", "FFFD " * 8 + "0041"), ("EDA080EDBFBFEDAF41", "FFFD " * 8 + "0041"),
                ("F4919293FF4180BF42", "FFFD " * 5 + "0041 FFFD FFFD 0042"),
                ("E180E2F09192F1BF41", "FFFD " * 4 + "0041"),
                ("61F18080E180C262806380BF64", "0061 FFFD FFFD FFFD 0062 FFFD 0063 FFFD FFFD 0064")):
            self.assertEqual(decode(text, policies.WHATWG), output)

    def test_differ_where_they_should(self) -> None:
        """One row an input, one column a policy."""
        columns = (policies.WHATWG, policies.JDK, policies.PER_BYTE, policies.PER_SEQUENCE, policies.PER_RUN,
                   policies.SKIP)
        for text, counts in (("EDA080", (3, 1, 3, 1, 1, 0)), ("E28241", (1, 1, 2, 1, 1, 0)),
                             ("C080", (2, 2, 2, 1, 1, 0)), ("F880808080", (5, 5, 5, 1, 1, 0)),
                             ("FEFF", (2, 2, 2, 2, 1, 0)), ("F4908080", (4, 4, 4, 1, 1, 0)),
                             ("EDA041", (2, 1, 2, 1, 1, 0)), ("EDA0C280", (2, 1, 2, 1, 1, 0)),
                             ("E0808080", (4, 4, 4, 2, 1, 0)), ("FF41FF", (2, 2, 2, 2, 2, 0))):
            got = tuple(decode(text, policy).count("FFFD") for policy in columns)
            self.assertEqual(got, counts, text)

    def test_escape_gives_the_bytes_back(self) -> None:
        """PEP 383: encoding the output of `surrogateescape` under the same policy is the input, whatever it was."""
        chance = random.Random(383)
        for _ in range(3000):
            text = bytes(chance.choices(INTERESTING, k=chance.randrange(12)))
            steps = encoders.steps_of_code_points(UTF_8, policies.decode(UTF_8, text, policies.SURROGATEESCAPE))
            self.assertEqual(encoders.encode(UTF_8, steps, policies.SURROGATEESCAPE), (text, None))

    def test_agree_on_well_formed_text(self) -> None:
        """No policy has anything to say where there is no error."""
        for row in UTF_8.rows:
            for code_point in (row.first, row.last):
                for policy in policies.POLICIES:
                    self.assertEqual(policies.decode(UTF_8, row.encode(code_point), policy), [code_point])

    def test_refuse_an_unknown_policy(self) -> None:
        """A misspelt policy is an error, never a default."""
        with self.assertRaises(ValueError):
            policies.decode(UTF_8, b"", "wathwg")


class PiecesTest(unittest.TestCase):
    """Decoding in pieces."""

    def test_say_the_same_as_the_whole(self) -> None:
        """Every cut in three of random text, every policy."""
        chance = random.Random(7)
        for _ in range(150):
            text = bytes(chance.choices(INTERESTING, k=7))
            for first, second in itertools.combinations_with_replacement(range(8), 2):
                pieces = (text[:first], text[first:second], text[second:])
                for policy in policies.POLICIES:
                    joined = [c for group in policies.decode_chunks(UTF_8, pieces, policy) for c in group]
                    self.assertEqual(joined, policies.decode(UTF_8, text, policy))

    def test_report_as_soon_as_certain(self) -> None:
        """`ED A0`, `F0 80`, `F4 90`, `C0` and `F5` need no further byte; `E2 82` waits for the flush."""
        for pieces, expected in (("ED A0", [[], [0xFFFD, 0xFFFD], []]), ("F0 80", [[], [0xFFFD, 0xFFFD], []]),
                                 ("F4 90", [[], [0xFFFD, 0xFFFD], []]), ("C0", [[0xFFFD], []]),
                                 ("F5", [[0xFFFD], []]), ("E2 82", [[], [], [0xFFFD]]),
                                 ("E2 82 41", [[], [], [0xFFFD, 0x41], []])):
            cut = [bytes.fromhex(piece) for piece in pieces.split()]
            self.assertEqual(policies.decode_chunks(UTF_8, cut, policies.WHATWG), expected, pieces)

    def test_absorb_across_pieces(self) -> None:
        """Under `jdk`, `ED A0` gives its replacement at once and absorbs one more continuation byte."""
        cut = [b"\xED", b"\xA0", b"\x80", b"\x80"]
        self.assertEqual(policies.decode_chunks(UTF_8, cut, policies.JDK), [[], [0xFFFD], [], [0xFFFD], []])
        cut = [b"\xF8", b"\x88\x80", b"\x80\x80", b"\x80"]
        self.assertEqual(policies.decode_chunks(UTF_8, cut, policies.PER_SEQUENCE), [[0xFFFD], [], [], [0xFFFD], []])

    def test_name_the_piece_of_the_error(self) -> None:
        """The index is that of the byte that decides, and the flush is one past the last piece."""
        self.assertEqual(policies.error_piece(UTF_8, [b"\xED", b"", b"\xA0"]), 2)
        self.assertEqual(policies.error_piece(UTF_8, [b"\xE2", b"\x82"]), 2)
        self.assertIsNone(policies.error_piece(UTF_8, [b"\xC2", b"\x80"]))


class RoomTest(unittest.TestCase):
    """Decoding into limited room."""

    def test_resumes_as_if_there_had_been_no_stop(self) -> None:
        """At every capacity: what was written, and then the rest, is the whole."""
        chance = random.Random(11)
        for _ in range(400):
            text = bytes(chance.choices(INTERESTING + (0x92,), k=8))
            for policy in policies.POLICIES[1:]:
                whole = policies.decode(UTF_8, text, policy)
                for capacity in range(len(whole) + 2):
                    got = policies.limited(UTF_8, text, policy, capacity, False)
                    rest = policies.decode(UTF_8, text[got.read:], policy)
                    self.assertEqual(whole[:got.written] + rest, whole)
                    self.assertLessEqual(got.written, capacity)

    def test_writes_a_pair_whole_or_not_at_all(self) -> None:
        """One unit of room is not enough for a character beyond U+FFFF."""
        got = policies.limited(UTF_8, b"A\xF0\x9F\x98\x80", policies.WHATWG, 2, True)
        self.assertEqual((got.read, got.written, got.status), (1, 1, policies.FULL))

    def test_takes_errors_without_output_when_full(self) -> None:
        """Under `skip`, ill-formed bytes are consumed though there is no room."""
        got = policies.limited(UTF_8, b"A\xFF\xFFB", policies.SKIP, 1, False)
        self.assertEqual((got.read, got.written, got.status), (3, 1, policies.FULL))


class EncodingTest(unittest.TestCase):
    """Encoding from code points and from UTF-16."""

    def test_undoes_decoding(self) -> None:
        """All scalar values, by way of UTF-16 too."""
        for code_point in list(UTF_8.code_points())[::257] + [0xFFFF, 0x10000, 0x10FFFF]:
            steps = encoders.steps_of_utf16(UTF_8, policies.utf16_units([code_point]))
            written, _ = encoders.encode(UTF_8, steps, policies.STRICT)
            self.assertEqual(policies.decode(UTF_8, written, policies.STRICT), [code_point])

    def test_names_what_cannot_be_encoded(self) -> None:
        """A surrogate code point, a value beyond the last, and units that are no pair."""
        steps = encoders.steps_of_code_points(UTF_8, [0x41, 0xD800, 0x110000])
        self.assertEqual([error.fault for error in encoders.errors(steps)], [faults.SURROGATE, faults.OUT_OF_RANGE])
        self.assertEqual(encoders.encode(UTF_8, steps, policies.PER_RUN), (b"A\xEF\xBF\xBD", None))
        self.assertEqual(encoders.encode(UTF_8, steps, policies.STRICT), (b"A", 1))
        units = [0xDC00, 0xD83D, 0xDE00, 0xD83D]
        self.assertEqual([error.offset for error in encoders.errors(encoders.steps_of_utf16(UTF_8, units))], [0, 3])


if __name__ == "__main__":
    unittest.main()
