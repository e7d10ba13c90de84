# SPDX-License-Identifier: MIT
"""Rows of documents/wtf-8.md: the algorithms of the WTF-8 document, typed from its steps, against the witness's rows; and what it defines.

The lists of section 6.3 and of "if and only if" in section 5 are missing in the copy of the document that the project began from; they
are here as https://simonsapin.github.io/wtf-8/ has them."""

from __future__ import annotations

import itertools
import re
import struct
import unittest
from typing import Iterator, List, Sequence

from witness import conversion, encoders
from witness.policies import REPLACEMENT, decode, spans
from witness.rows import ENCODINGS, GENERALIZED_UTF_8, UTF_8, WTF_8

WTF_16 = ENCODINGS["wtf-16be"]

# The ends of all ranges that the document names, and a pair in the middle.
ENDS = (0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xD800, 0xD83D, 0xDBFF, 0xDC00, 0xDE00, 0xDFFF, 0xE000, 0xFFFF, 0x10000,
        0x1F600, 0x3FFFF, 0x40000, 0xFFFFF, 0x100000, 0x10FFFF)
KINDS = (0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0x1F600)


# Table 3, and a pair of surrogate byte sequences (section 3.3).
TABLE_3 = re.compile(rb"(?:[\0-\x7F]|[\xC2-\xDF][\x80-\xBF]|\xE0[\xA0-\xBF][\x80-\xBF]|[\xE1-\xEF][\x80-\xBF]{2}"
                     rb"|\xF0[\x90-\xBF][\x80-\xBF]{2}|[\xF1-\xF3][\x80-\xBF]{3}|\xF4[\x80-\x8F][\x80-\xBF]{2})*")
PAIR = re.compile(rb"\xED[\xA0-\xAF][\x80-\xBF]\xED[\xB0-\xBF][\x80-\xBF]")


class Items:
    """A sequence that is iterated over; `consume` advances, so that the item is not one of the iteration (section 3)."""

    def __init__(self, items: Sequence[int]) -> None:
        """At the first item."""
        self.items, self.at = items, 0

    def __iter__(self) -> Iterator[int]:
        """Each item that is not consumed."""
        while self.at < len(self.items):
            yield self.consume()

    def next_is_trail(self) -> bool:
        """Whether there is a next item, and it is a trail surrogate."""
        return self.at < len(self.items) and 0xDC00 <= self.items[self.at] <= 0xDFFF

    def consume(self) -> int:
        """The next item, which becomes a past one."""
        self.at += 1
        return self.items[self.at - 1]


def is_lead(item: int) -> bool:
    """A lead surrogate, as a code point or as a unit (sections 3.1 and 3.2)."""
    return 0xD800 <= item <= 0xDBFF


def to_units(points: Sequence[int]) -> List[int]:
    """Section 4.1."""
    result = []
    for point in points:
        if point > 0xFFFF:
            result += [((point - 0x10000) >> 10) + 0xD800, ((point - 0x10000) & 0x3FF) + 0xDC00]
        else:
            result.append(point)
    return result


def from_units(units: Sequence[int]) -> List[int]:
    """Section 4.2."""
    result, items = [], Items(units)
    for unit in items:
        if is_lead(unit) and items.next_is_trail():
            result.append(0x10000 + ((unit - 0xD800) << 10) + (items.consume() - 0xDC00))
        else:
            result.append(unit)
    return result


def to_wtf_8(points: Sequence[int]) -> bytes:
    """Section 6.1."""
    result, items = bytearray(), Items(points)
    for point in items:
        if is_lead(point) and items.next_is_trail():
            point = 0x10000 + ((point - 0xD800) << 10) + (items.consume() - 0xDC00)
        if point <= 0x7F:
            result.append(point)
        elif point <= 0x7FF:
            result += bytes((0xC0 | (point >> 6), 0x80 | (point & 0x3F)))
        elif point <= 0xFFFF:
            result += bytes((0xE0 | (point >> 12), 0x80 | ((point >> 6) & 0x3F), 0x80 | (point & 0x3F)))
        else:
            result += bytes((0xF0 | (point >> 18), 0x80 | ((point >> 12) & 0x3F), 0x80 | ((point >> 6) & 0x3F), 0x80 | (point & 0x3F)))
    return bytes(result)


def from_wtf_8(text: bytes) -> List[int]:
    """Section 6.2."""
    result, items = [], Items(text)
    for byte in items:
        if byte <= 0x7F:
            result.append(byte)
        elif 0xC2 <= byte <= 0xDF:
            result.append(((byte & 0x1F) << 6) + (items.consume() & 0x3F))
        elif 0xE0 <= byte <= 0xEF:
            two, three = items.consume(), items.consume()
            result.append(((byte & 0x0F) << 12) + ((two & 0x3F) << 6) + (three & 0x3F))
        elif 0xF0 <= byte <= 0xF4:
            two, three, four = items.consume(), items.consume(), items.consume()
            result.append(((byte & 0x07) << 18) + ((two & 0x3F) << 12) + ((three & 0x3F) << 6) + (four & 0x3F))
    return result


def by_code_point(point: int) -> bytes:
    """The bytes of one code point."""
    return to_wtf_8([point])


def concatenated(left: bytes, right: bytes) -> bytes:
    """Section 6.5."""
    if re.search(rb"\xED[\xA0-\xAF][\x80-\xBF]\Z", left) and re.match(rb"\xED[\xB0-\xBF][\x80-\xBF]", right):
        lead, trail = from_wtf_8(left[-3:])[0], from_wtf_8(right[:3])[0]
        return left[:-3] + to_wtf_8([0x10000 + ((lead - 0xD800) << 10) + (trail - 0xDC00)]) + right[3:]
    return left + right


def sequences() -> Iterator[List[int]]:
    """Each end alone, each two of them, and each three of the kinds."""
    for length, points in ((1, ENDS), (2, ENDS), (3, KINDS)):
        yield from map(list, itertools.product(points, repeat=length))


def without_pairs() -> Iterator[List[int]]:
    """The strings in which no trail follows a lead."""
    return (points for points in sequences() if from_units(to_units(points)) == points)


def as_bytes(units: Sequence[int]) -> bytes:
    """Units as `wtf-16be` has them."""
    return struct.pack(f">{len(units)}H", *units)


class AlgorithmsTest(unittest.TestCase):
    """Sections 4.1 to 6.5."""

    def test_consuming_prints_1_2_4(self) -> None:
        """Section 3: the example, by the same iteration as all algorithms here."""
        printed, items = [], Items([1, 2, 3, 4])
        for digit in items:
            printed.append(digit)
            if digit == 2:
                items.consume()
        self.assertEqual(printed, [1, 2, 4])

    def test_units_are_those_of_the_steps(self) -> None:
        """4.1 and 4.2, in both orders of bytes; every 251st code point, and sequences of up to three."""
        for name, order in (("wtf-16le", "<"), ("wtf-16be", ">")):
            for points in [*([point] for point in range(0, 0x110000, 251)), *without_pairs()]:
                units = to_units(points)
                raw = struct.pack(f"{order}{len(units)}H", *units)
                self.assertEqual(b"".join(ENCODINGS[name].encode(point) or b"" for point in points), raw, points)
                self.assertEqual(decode(ENCODINGS[name], raw, "strict"), points)

    def test_wtf_8_is_encoded_by_the_steps(self) -> None:
        """6.1, with WTF-8's rows: every 251st code point, and sequences of up to three, pairs among them."""
        for points in [*([point] for point in range(0, 0x110000, 251)), *sequences()]:
            steps = encoders.steps_of_code_points(WTF_8, points)
            self.assertEqual(encoders.encode(WTF_8, steps, "strict"), (to_wtf_8(points), None), points)

    def test_wtf_8_is_decoded_by_the_steps(self) -> None:
        """6.2, with WTF-8's rows: the same, without pairs."""
        for points in [*([point] for point in range(0, 0x110000, 251)), *without_pairs()]:
            text = to_wtf_8(points)
            self.assertEqual(from_wtf_8(text), points)
            self.assertEqual(decode(WTF_8, text, "strict"), points)

    def test_conversion_is_decoding_then_encoding(self) -> None:
        """6.3, both ways, by the steps of the published document: every sequence of units, and back without loss."""
        for points in sequences():
            raw = as_bytes(to_units(points))
            text = to_wtf_8(from_units(to_units(points)))
            self.assertEqual(conversion.convert(WTF_16, WTF_8, raw, "strict"), text, points)
            self.assertEqual(as_bytes(to_units(from_wtf_8(text))), raw)
            self.assertEqual(conversion.convert(WTF_8, WTF_16, text, "strict"), raw)

    def test_conversion_of_ill_formed_wtf_8_fails(self) -> None:
        """6.3: `strict` has no result, the other policies replace or leave out; a pair of surrogate byte sequences is such input."""
        for text in (b"\x41\xFF", b"\x41\xED\xA0\xBD\xED\xB8\x80", b"\x41\xC0\x80"):
            self.assertIsNone(conversion.convert(WTF_8, WTF_16, text, "strict"))
            self.assertIn(b"\xFF\xFD", conversion.convert(WTF_8, WTF_16, text, "whatwg") or b"")
            self.assertNotIn(b"\xFF\xFD", conversion.convert(WTF_8, WTF_16, text, "skip") or b"\xFF\xFD")

    def test_sources_of_wtf_8_are_well_formed(self) -> None:
        """6.2: what is encoded from code points, converted from units, or concatenated is of rows of Table 3, without a pair."""
        texts = []
        for points in sequences():
            for units in (points, to_units(points)):
                texts.append(encoders.encode(WTF_8, encoders.steps_of_code_points(WTF_8, units), "strict")[0])
            texts.append(conversion.convert(WTF_16, WTF_8, as_bytes(to_units(points)), "strict") or b"")
        texts += [encoders.concatenate(WTF_8, by_code_point(left), by_code_point(right)) for left, right in itertools.product(KINDS, repeat=2)]
        for text in texts:
            self.assertTrue(text and TABLE_3.fullmatch(text) and not PAIR.search(text), text)
            self.assertEqual(spans(WTF_8, text), [], text)

    def test_concatenation_is_by_the_steps(self) -> None:
        """6.5: three bytes are removed of each side of a pair; otherwise the bytes are concatenated."""
        texts = [to_wtf_8(points) for length in (1, 2) for points in itertools.product(KINDS, repeat=length)]
        lengths = set()
        for left, right in itertools.product(texts, repeat=2):
            joined = concatenated(left, right)
            lengths.add(len(left) + len(right) - len(joined))
            self.assertEqual(encoders.concatenate(WTF_8, left, right), joined, (left, right))
        self.assertEqual(lengths, {0, 2})

    def test_wtf_8_to_utf_8_is_by_the_steps(self) -> None:
        """6.4: strictly, the input itself or nothing; lossily, two texts become one; from UTF-8, the input itself."""
        for points in without_pairs():
            text = to_wtf_8(points)
            has_surrogate = any(0xD800 <= point <= 0xDFFF for point in points)
            self.assertEqual(conversion.convert(WTF_8, UTF_8, text, "strict"), None if has_surrogate else text)
            replaced = [0xFFFD if 0xD800 <= point <= 0xDFFF else point for point in points]
            self.assertEqual(conversion.convert(WTF_8, UTF_8, text, "whatwg"), to_wtf_8(replaced))
            if not has_surrogate:
                self.assertEqual(conversion.convert(UTF_8, WTF_8, text, "strict"), text)
        lossy = {conversion.convert(WTF_8, UTF_8, text, "whatwg") for text in (b"\xED\xA0\x80", b"\xED\xB0\x80", b"\xEF\xBF\xBD")}
        self.assertEqual(lossy, {b"\xEF\xBF\xBD"})


class DefinitionsTest(unittest.TestCase):
    """Sections 3 and 5, and the notes about them."""

    def test_ranges_of_code_points(self) -> None:
        """0..1114111 in all; 2 units from U+10000 on and 1 of the same value below; UTF-8 and UTF-16 leave out U+D800..U+DFFF."""
        self.assertEqual(list(GENERALIZED_UTF_8.code_points()), list(range(1114112)))
        scalar_values = [*range(0xD800), *range(0xE000, 0x110000)]
        for name in ("utf-8", "utf-16be", "utf-16le"):
            self.assertEqual(list(ENCODINGS[name].code_points()), scalar_values, name)
        utf_16 = ENCODINGS["utf-16be"]
        for point in ENDS:
            units = None if 0xD800 <= point <= 0xDFFF else as_bytes(to_units([point]))
            self.assertEqual((utf_16.encode(point), units and len(units)), (units, units and (2 if point <= 0xFFFF else 4)))

    def test_pairs_are_a_lead_and_a_trail(self) -> None:
        """3.1: of all two ends, U+D800..U+DBFF and then U+DC00..U+DFFF; all other surrogates are unpaired."""
        for left, right in itertools.product(ENDS, repeat=2):
            is_pair = left in (0xD800, 0xD83D, 0xDBFF) and right in (0xDC00, 0xDE00, 0xDFFF)
            self.assertEqual(encoders.supplementary(left, right) is not None, is_pair, (left, right))
            self.assertEqual(bool(spans(WTF_8, by_code_point(left) + by_code_point(right))), is_pair, (left, right))

    def test_surrogate_byte_sequences(self) -> None:
        """3.3, Table 1, all three rows: every ED A0..BF 80..BF is a surrogate, none other is, and UTF-8 takes none (CPython neither)."""
        for second in range(0x80, 0xC0):
            for third in range(0x80, 0xC0):
                text = bytes((0xED, second, third))
                found = GENERALIZED_UTF_8.decode(text)
                expected = range(0xD800, 0xDC00) if second in range(0xA0, 0xB0) else range(0xDC00, 0xE000) if second >= 0xB0 else range(0xD000, 0xD800)
                self.assertIn(found, expected)
                self.assertEqual(bool(spans(UTF_8, text)), second >= 0xA0)
                self.assertEqual(text.decode("utf-8", "ignore") == "", second >= 0xA0)

    def test_decoders_report_each_surrogate(self) -> None:
        """3.3: `strict` stops before them with nothing decoded; what replaces errors has nothing but replacements."""
        for text in (b"\xED\xA0\x80", b"\xED\xAF\xBF", b"\xED\xB0\x80", b"\xED\xBF\xBF"):
            self.assertEqual(decode(UTF_8, text, "strict"), [])
            for policy in ("whatwg", "jdk", "per-byte", "per-sequence", "per-run"):
                self.assertEqual(set(decode(UTF_8, text, policy)), {REPLACEMENT}, policy)

    def test_what_is_decoded_is_unicode_text(self) -> None:
        """4.2 and 6.2, notes: well-formed UTF-16 and UTF-8 decode alike as WTF-16 and WTF-8, to scalar values alone."""
        texts = 0
        for points in without_pairs():
            for name, wide, text in (("utf-16be", WTF_16, as_bytes(to_units(points))), ("utf-8", WTF_8, to_wtf_8(points))):
                is_text = not any(0xD800 <= point <= 0xDFFF for point in points)
                texts += is_text
                self.assertEqual(not spans(ENCODINGS[name], text), is_text, (name, points))
                if is_text:
                    self.assertEqual([decode(one, text, "strict") for one in (ENCODINGS[name], wide)], [points, points])
        self.assertGreater(texts, 500)

    def test_generalized_utf_8_is_rows_of_table_3(self) -> None:
        """5: empty, or well-formed and then a row of Table 3; all strings of up to three bytes at the ends of its ranges, and pairs."""
        edges = (0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5)
        texts = [bytes(text) for length in range(4) for text in itertools.product(edges, repeat=length)]
        texts += [bytes((lead, *rest)) for lead in (0xF0, 0xF1, 0xF3, 0xF4, 0xF5) for rest in itertools.product((0x7F, 0x80, 0x8F, 0x90, 0xBF, 0xC0), repeat=3)]
        for text in [*texts, b"\xED\xA0\xBD\xED\xB8\x80"]:
            self.assertEqual(not spans(GENERALIZED_UTF_8, text), TABLE_3.fullmatch(text) is not None, text)

    def test_restrictions_match_utf_16(self) -> None:
        """6, note: a sequence of code points has bytes in WTF-8 exactly if potentially ill-formed UTF-16 holds it."""
        for points in sequences():
            is_held = from_units(to_units(points)) == points
            self.assertEqual(not spans(WTF_8, b"".join(map(by_code_point, points))), is_held, points)
            self.assertEqual(decode(WTF_16, as_bytes(to_units(points)), "strict") == points, is_held, points)
            self.assertEqual(spans(GENERALIZED_UTF_8, b"".join(map(by_code_point, points))), [], points)


if __name__ == "__main__":
    unittest.main()
