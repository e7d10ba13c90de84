# SPDX-License-Identifier: MIT
"""Rows of documents/hoehrmann-dfa.md whose expected values come from neither automaton: from CPython's UTF-8, from arithmetic on the
bits of bytes, or typed from the document."""

from __future__ import annotations

import re
import unittest
from pathlib import Path
from typing import Callable, List, Sequence, Set, Tuple

from witness import automaton, hoehrmann, tables
from witness.policies import decode
from witness.rows import UTF_8

ROOT = Path(__file__).resolve().parents[2]
ACCEPT, REJECT, REPLACEMENT = 0, 12, 0xFFFD

# One byte of each class, and the last one of some ranges.
BYTES = (0x41, 0x80, 0x90, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5)


def printed_table() -> List[int]:
    """The table as the document prints it: E0 has class 0."""
    table = hoehrmann.table_2010()
    table[0xE0] = 0
    return table


def walk(text: bytes, table: Sequence[int]) -> List[Tuple[int, int, int]]:
    """Class, state and code point after each byte, by the function `decode` as printed."""
    state, code_point, steps = ACCEPT, 0, []
    for byte in text:
        number = table[byte]
        code_point = (byte & 0x3F) | (code_point << 6) if state != ACCEPT else (0xFF >> number) & byte
        state = table[256 + state + number]
        steps.append((number, state, code_point))
    return steps


def printed_loop(text: bytes, table: Sequence[int], reads_again: bool) -> List[int]:
    """What the document's loop emits; with `reads_again`, a byte that was refused inside a character is read again."""
    state, code_point, at, emitted = ACCEPT, 0, 0, []
    while at < len(text) and text[at] != 0:
        before, number = state, table[text[at]]
        code_point = (text[at] & 0x3F) | (code_point << 6) if state != ACCEPT else (0xFF >> number) & text[at]
        state = table[256 + state + number]
        if state == ACCEPT:
            emitted.append(code_point)
        elif state == REJECT:
            emitted.append(REPLACEMENT)
            state = ACCEPT
            if reads_again and before != ACCEPT:
                continue
        at += 1
    return emitted + [REPLACEMENT] * (state != ACCEPT)


def beginnings() -> Set[bytes]:
    """What characters of UTF-8 begin with, by CPython: each without its last byte, its last two bytes, and so on."""
    texts = (chr(point).encode() for point in range(0x80, 0x110000, 0x40) if not 0xD800 <= point <= 0xDFFF)
    return {text[:length] for text in texts for length in range(1, len(text))}


def expected(text: bytes, begun: Set[bytes]) -> str:
    """What a recogniser of UTF-8 must say after a text, by CPython: accept, reject, or wait for more bytes."""
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        return "wait" if text[error.start:] in begun else "reject"
    return "accept"


def texts(length: int) -> List[bytes]:
    """All strings of up to that length over BYTES; a string is continued only while it is no error."""
    begun, found, last = beginnings(), [], [b""]
    for _ in range(length):
        last = [text + bytes([byte]) for text in last if expected(text, begun) != "reject" for byte in BYTES]
        found += last
    return found


class RecogniserTest(unittest.TestCase):
    """Well-formedness by state transitions alone."""

    def test_states_say_what_cpython_says(self) -> None:
        """After every string of up to four bytes of all classes: ACCEPT where CPython decodes, REJECT after a byte with which no well-formed
        text begins, and from then on, else another state. Both published forms and the derived automaton."""
        derived, first, second = tables.numbered(UTF_8), hoehrmann.table_2008(), hoehrmann.table_2010()
        forms: Tuple[Tuple[str, int, Callable[[int, int], int]], ...] = (
            ("derived", automaton.REJECT, lambda state, byte: derived.delta[state][byte]),
            ("2008", hoehrmann.REJECT, lambda state, byte: first[256 + state * 16 + first[byte]]),
            ("2010", REJECT, lambda state, byte: second[256 + state + second[byte]]))
        begun = beginnings()
        said = [(text, expected(text, begun)) for text in texts(4)]
        self.assertEqual({word for _, word in said}, {"accept", "wait", "reject"})
        for name, refused, step in forms:
            self.assertEqual({step(refused, byte) for byte in BYTES}, {refused}, name)
            for text, word in said:
                state = ACCEPT
                for byte in text:
                    state = step(state, byte)
                self.assertEqual({ACCEPT: "accept", refused: "reject"}.get(state, "wait"), word, (name, text.hex()))

    def test_loop_is_the_standard_only_if_it_reads_again(self) -> None:
        """E4 41 is U+FFFD and A; the printed loop loses the A. With the byte read again it emits what the standard does, of every text
        without a 00, at which it stops."""
        table = hoehrmann.table_2010()
        self.assertEqual((printed_loop(b"\xE4\x41", table, False), printed_loop(b"\xE4\x41", table, True)), ([0xFFFD], [0xFFFD, 0x41]))
        self.assertEqual(printed_loop(b"\x41\0\x42", table, True), [0x41])
        for text in texts(3):
            self.assertEqual(printed_loop(text, table, True), decode(UTF_8, text, "whatwg"), text)


class BytesTest(unittest.TestCase):
    """What a byte says of itself."""

    def test_lengths_are_one_to_four(self) -> None:
        """In UTF-8, by CPython: 1 byte of the same value up to U+007F, 2 up to U+07FF, 3 up to U+FFFF, 4 for the rest, and by the rows no other."""
        for length, ends in ((1, (0, 0x7F)), (2, (0x80, 0x7FF)), (3, (0x800, 0xFFFF)), (4, (0x10000, 0x10FFFF))):
            for end in ends:
                self.assertEqual((UTF_8.encode(end), len(UTF_8.encode(end) or b"")), (chr(end).encode(), length))
        self.assertEqual({len(row.ranges) for row in UTF_8.rows}, {1, 2, 3, 4})
        self.assertEqual([UTF_8.encode(point) for point in range(0x80)], [bytes([point]) for point in range(0x80)])

    def test_prefix_does_not_tell_which_continuation_byte(self) -> None:
        """Leads stand at the first place only; each of 80..BF stands at the second, the third and the fourth."""
        places = {byte: {place for row in UTF_8.rows for place, (low, high) in enumerate(row.ranges, 1) if low <= byte <= high}
                  for byte in range(0x100)}
        self.assertEqual({byte for byte in places if places[byte] == {2, 3, 4}}, set(range(0x80, 0xC0)))
        self.assertEqual({byte for byte in places if places[byte] == {1}}, {*range(0x80), *range(0xC2, 0xF5)})

    def test_classes_of_the_six_lines(self) -> None:
        """12 classes in 14 ranges, as the document's six lines have them."""
        lines = {0: "00-7F", 1: "80-8F", 9: "90-9F", 7: "A0-BF", 2: "C2-DF", 10: "E0-E0", 3: "E1-EC EE-EF", 4: "ED-ED", 11: "F0-F0",
                 6: "F1-F3", 5: "F4-F4", 8: "C0-C1 F5-FF"}
        ranges = [(int(low, 16), int(high, 16), number) for number, line in lines.items() for low, high in (part.split("-") for part in line.split())]
        self.assertEqual((len(lines), len(ranges)), (12, 14))
        classes = hoehrmann.classes()
        for low, high, number in ranges:
            self.assertEqual(classes[low:high + 1], [number] * (high - low + 1))
        self.assertEqual(sum(left != right for left, right in zip(classes, classes[1:])) + 1, len(ranges))

    def test_overlong_forms_are_what_fewer_bytes_express(self) -> None:
        """By the bits of all second and third bytes: after E0, values below 800 exactly with 80..9F; after F0, below 10000 exactly with 80..8F."""
        tails = range(0x80, 0xC0)
        for second in tails:
            for third in tails:
                of_three = (second & 0x3F) << 6 | third & 0x3F
                self.assertEqual(len(chr(of_three).encode()) <= 2, second <= 0x9F)
                self.assertEqual(UTF_8.decode((0xE0, second, third)) is None, second <= 0x9F)
                of_four = (second & 0x3F) << 12 | (third & 0x3F) << 6 | 0x3F
                self.assertEqual(of_four < 0x10000, second <= 0x8F)
                self.assertEqual(UTF_8.decode((0xF0, second, third, 0xBF)) is None, second <= 0x8F)

    def test_slash_of_two_bytes(self) -> None:
        """The bits of C0 AF are those of a slash, which is 2F."""
        self.assertEqual((0xC0 & 0x1F) << 6 | 0xAF & 0x3F, ord("/"))
        self.assertEqual((UTF_8.encode(ord("/")), UTF_8.decode(b"\xC0\xAF")), (b"/", None))


class ExamplesTest(unittest.TestCase):
    """The document's examples, step by step: class, state and code point after each byte."""

    def test_steps_of_the_examples(self) -> None:
        """Example 1 expects 2, 1 and 0 bytes; example 2 has the three stages after F0; example 3 is refused."""
        table = hoehrmann.table_2010()
        self.assertEqual(walk(b"\xE4\xB8\x96", table), [(3, 36, 4), (7, 24, 0x138), (9, 0, 0x4E16)])
        self.assertEqual(walk(b"\xF0\x9F\x98\x80", table), [(11, 72, 0), (9, 36, 0x1F), (9, 24, 0x7D8), (1, 0, 0x1F600)])
        self.assertEqual([step[:2] for step in walk(b"\xED\xA0\x80", table)[:2]], [(4, 60), (7, 12)])
        self.assertEqual([step[:2] for step in walk(b"\xF0\x8F", table)], [(11, 72), (1, 12)])
        self.assertEqual(ord("😀"), 0x1F600)

    def test_printed_table_takes_e0_for_a_character(self) -> None:
        """E0 A0 80 is U+00E0 and an error by the printed table; of each 64 code points, U+0800..U+0FFF alone are lost."""
        self.assertEqual([step[:2] for step in walk(b"\xE0\xA0", printed_table())], [(0, ACCEPT), (7, REJECT)])
        self.assertEqual(printed_table()[0xF0], 11)
        for point in range(0, 0x110000, 0x40):
            if not 0xD800 <= point <= 0xDFFF:
                emitted = [point] if point and not 0x800 <= point <= 0xFFF else [] if point == 0 else [0xE0, 0xFFFD, 0xFFFD]
                self.assertEqual(printed_loop(chr(point).encode(), printed_table(), False), emitted, hex(point))


class SourceTest(unittest.TestCase):
    """What the project's own copy of the decoder is."""

    def test_a_step_reads_the_table_twice(self) -> None:
        """Once for the class and once for the state; the step has no `if`, no loop and no call."""
        source = (ROOT / "codecs/dfa/hoehrmann.c").read_text("utf-8")
        body = source.split("published_step(uint32_t *state, uint32_t *code_point, uint32_t byte)\n{")[1].split("\n}")[0]
        self.assertEqual(body.count("utf8_hoehrmann2010["), 2)
        self.assertIsNone(re.search(r"\b(if|for|while|switch|goto)\b|\w\(", body))
        self.assertEqual(body.count("?"), 1)

    def test_notices_have_the_years_of_the_second_form(self) -> None:
        """2008-2010, as his page has over the form of 2010, wherever this project names him as the author."""
        notices = [line for path in ("scripts/witness/hoehrmann.py", "scripts/packages/debian/copyright.in")
                   for line in (ROOT / path).read_text("utf-8").splitlines() if re.search(r"20\d\d-20\d\d Bjoern Hoehrmann", line)]
        self.assertEqual(["2008-2010" in line for line in notices], [True, True])


if __name__ == "__main__":
    unittest.main()
