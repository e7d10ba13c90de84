# SPDX-License-Identifier: MIT
"""The pages of documents/: each row names what checks it, and each figure is what the witness computes."""

from __future__ import annotations

import ast
import fnmatch
import itertools
import re
import struct
import subprocess
import sys
import unittest
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Callable, Dict, FrozenSet, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from . import conversion, corpus_figures, hoehrmann, iana
from . import encoders
from .policies import decode, spans
from .rows import CESU_8, ENCODINGS, GENERALIZED_UTF_8, LEADS, TRAILS, UTF_8, WTF_8, Encoding

ROOT = Path(__file__).resolve().parents[2]
PAGES = Path(__file__).parent / "documents"
VERDICTS = ("holds", "corrected", "differs", "out of scope")


class Claim(NamedTuple):
    """A row of a page."""

    page: str
    section: str
    statement: str
    verdict: str
    checks: str


def claims_of(name: str, text: str) -> Iterator[Claim]:
    """The rows of the table of a page; a row of another shape is an error."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if not line.startswith("|") or cells[0] == "section" or set(line) <= set("|-"):
            continue
        if len(cells) != 4:
            raise ValueError(f"{name}: {line}")
        yield Claim(name, *cells)


def all_claims() -> List[Claim]:
    """The claims of all pages."""
    return [claim for page in sorted(PAGES.glob("*.md")) if page.name != "README.md"
            for claim in claims_of(page.name, page.read_text("utf-8"))]


@lru_cache(maxsize=None)
def tests_of(file: str) -> FrozenSet[str]:
    """The tests in the files of that name."""
    paths = [path for folder in ("harnesses", "scripts") for path in (ROOT / folder).rglob(file)]
    return frozenset(node.name for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8")))
                     if isinstance(node, ast.FunctionDef))


@lru_cache(maxsize=None)
def names_in(path: str, macro: str) -> FrozenSet[str]:
    """The first names of the rows of a .def file."""
    return frozenset(re.findall(rf'^{macro}\(\w*?,? ?"?([\w-]+)"?', (ROOT / path).read_text("utf-8"), re.M))


@lru_cache(maxsize=None)
def case_ids(category: str) -> Tuple[str, ...]:
    """The ids of a category of the golden vectors."""
    path = ROOT / "vectors" / f"{category}.json"
    return tuple(re.findall(r'"id": *"([^"]+)"', path.read_text("ascii"))) if path.is_file() else ()


def has_check(check: str) -> bool:
    """Whether that which is named exists."""
    kind, _, name = check.partition(": ")
    if kind == "vectors":
        return any(fnmatch.fnmatchcase(case, name) for case in case_ids("/".join(name.split("/")[:2])))
    if kind == "claim":
        return name in names_in("harnesses/core/claims.def", "CLAIM")
    if kind == "law":
        return f'"{name}"' in (ROOT / "harnesses/core/laws.def").read_text("utf-8")
    if kind == "sweep":
        parts = (ROOT / "harnesses/assay/sweep/parts.def").read_text("utf-8")
        return f'"{name}"' in parts
    file, separator, test = check.partition("::")
    return separator == "::" and test in tests_of(file)


# ---- figures -------------------------------------------------------------------------------------------------

def holds(encoding: Encoding, sequence: bytes) -> bool:
    """Whether a byte sequence is well-formed."""
    return not spans(encoding, sequence)


def code_points_of(encoding: Encoding) -> int:
    """How many code points an encoding holds, by its rows; each once."""
    return sum(row.last - row.first + 1 for row in encoding.rows if row.stands)


def misprinted_walk_loses() -> int:
    """The code points whose lead byte is E0, which the misprinted table accepts as a character by itself."""
    return sum(row.last - row.first + 1 for row in UTF_8.rows if row.ranges[0] == (0xE0, 0xE0))


def saved_by_bias() -> int:
    """The scalar values that need a byte less if each length continues where the shorter one ends."""
    two, three = 0x80 + (1 << 11), 0x80 + (1 << 11) + (1 << 16) + 0x800  # the first that needs a byte more; surrogates are left out
    return (two - 0x800) + (three - 0x10000)


FIGURES: Dict[str, Callable[[], int]] = {
    "surrogates": lambda: TRAILS[1] - LEADS[0] + 1,
    "leads": lambda: LEADS[1] - LEADS[0] + 1,
    "trails": lambda: TRAILS[1] - TRAILS[0] + 1,
    "units": lambda: 1 << 8 * ENCODINGS["wtf-16be"].unit,
    "code_points": lambda: 0x10FFFF + 1,
    "scalar_values": lambda: code_points_of(UTF_8),
    "scalar_bits": lambda: max(row.last for row in UTF_8.rows).bit_length(),
    "bytes_that_never_appear": lambda: 256 - len({byte for row in UTF_8.rows for low, high in row.ranges for byte in range(low, high + 1)}),
    "bytes_past_the_end": lambda: max(len(row.ranges) for row in UTF_8.rows) - 1,
    "u_of_ed8180": lambda: decode(UTF_8, b"\xED\x81\x80", "strict")[0],
    "table_2010_bytes": lambda: len(hoehrmann.table_2010()),
    "table_2010_lines": lambda: -(-len(hoehrmann.table_2010()) // 64),
    "table_2010_lines_at_most": lambda: max(-(-(start + len(hoehrmann.table_2010())) // 64) for start in range(64)),
    "row_distance_2010": lambda: min(value for value in hoehrmann.table_2010()[256:] if value > 0),
    "mask_of_e0": lambda: 0xFF >> hoehrmann.classes()[0xE0],
    "lost_by_the_misprint": misprinted_walk_loses,
    "bytes_1111": lambda: sum(byte >> 4 == 0xF for byte in range(256)),
    "same_in_cesu_8": lambda: sum(row.last - row.first + 1 for row in UTF_8.rows if len(row.ranges) < 4),
    "saved_by_bias": saved_by_bias,
    "leb128_two_byte_forms": lambda: 1 << 14,
    "leb128_redundant": lambda: sum(number < 1 << 7 for number in range(1 << 14)),
    "mib_of_cesu_8": lambda: next(int(number) for alias, number, _ in iana.ROW.findall(iana.TABLE.read_text("utf-8")) if alias == "csCESU-8"),
    **corpus_figures.FIGURES,
}


def figure(name: str) -> int:
    """A figure of the pages."""
    return FIGURES[name]()


FIGURE = re.compile(r"(U\+[0-9A-F]+|[0-9A-F]{2}|[0-9][0-9,]*(?:\.[0-9]{2})?)(?: %)?<!--(\w+)-->")
COUNTED = re.compile(r"[0-9]<!--[\w/-]+ [\w+]+ \w+-->|[0-9] %<!--[\w/-]+ [\w+]+ \w+-->")  # test_damage.py counts these again


def value_of(written: str, name: str) -> int:
    """The number in a page: U+hex, the mask as two hex digits, else decimal; of a fraction, hundredths."""
    if written.startswith("U+"):
        return int(written[2:], 16)
    return int(written, 16) if name.startswith("mask") else int(re.sub("[,.]", "", written))


def wrong_figures(text: str) -> List[str]:
    """The figures of a text that differ from the computed ones."""
    return [f"{written} ({name}): {figure(name)}" for written, name in FIGURE.findall(text) if value_of(written, name) != figure(name)]


class PagesTest(unittest.TestCase):
    """The rows, and what they name."""

    def test_every_row_has_a_verdict_and_what_checks_it(self) -> None:
        """Only statements that are out of scope name no test."""
        claims = all_claims()
        self.assertGreater(len(claims), 140)
        for claim in claims:
            verdict = claim.verdict.replace("**", "")
            has_verdict = verdict.startswith(VERDICTS) or claim.section == "(not said)"
            self.assertTrue(has_verdict, claim)
            may_be_bare = verdict.startswith("out of scope")
            self.assertTrue(claim.checks != "" or may_be_bare, claim)

    def test_what_a_row_names_exists(self) -> None:
        """Tests, vectors, claims and parts of the sweep."""
        missing = [f"{claim.page}: {check}" for claim in all_claims() if claim.checks for check in claim.checks.split(", ")
                   if not has_check(check)]
        self.assertEqual(missing, [])

    def test_notices_what_does_not_exist(self) -> None:
        """One of each kind."""
        for check in ("test_documents.py::test_that_is_not_there", "test_nowhere.py::test_x", "vectors: utf-8/overlong/nothing*",
                      "vectors: utf-8/nothing/*", "claim: nothing", "sweep: nothing", "nothing"):
            self.assertFalse(has_check(check), check)
        with self.assertRaises(ValueError):
            list(claims_of("page", "| a | b | c |"))

    def test_figures_are_what_the_witness_computes(self) -> None:
        """Each figure with a name in a comment; each name is used, and a changed figure is noticed."""
        text = "\n".join(path.read_text("utf-8") for path in PAGES.glob("*.md"))
        self.assertEqual(wrong_figures(text), [])
        self.assertEqual({name for _, name in FIGURE.findall(text)}, set(FIGURES))
        self.assertEqual(text.count("<!--"), len(FIGURE.findall(text)) + len(COUNTED.findall(text)))
        for written, name in FIGURE.findall(text):
            self.assertEqual(len(wrong_figures(f"{written[:-1]}{'1' if written[-1] != '1' else '2'}<!--{name}-->")), 1, name)


# ---- what no other test looks at ---------------------------------------------------------------------------------

def by_shifts(code_point: int) -> bytes:
    """The bytes of a code point by shifting and masking: the other way to write Table 3-6, surrogates with it; none beyond U+10FFFF."""
    if code_point > 0x10FFFF:
        return b""
    if code_point < 0x80:
        return bytes([code_point])
    if code_point < 0x800:
        return bytes([0xC0 | code_point >> 6, 0x80 | code_point & 0x3F])
    tail = [0x80 | code_point >> 6 & 0x3F, 0x80 | code_point & 0x3F]
    if code_point < 0x10000:
        return bytes([0xE0 | code_point >> 12, *tail])
    return bytes([0xF0 | code_point >> 18, 0x80 | code_point >> 12 & 0x3F, *tail])


class Reader:
    """Bytes that are read one at a time; records the furthest one that was read."""

    def __init__(self, text: bytes) -> None:
        """Reads a text; after its end there are continuation bytes, as there may be in memory."""
        self.text, self.furthest = text, -1

    def at(self, index: int) -> int:
        """One byte."""
        self.furthest = max(self.furthest, index)
        return self.text[index] if index < len(self.text) else 0x80


def checked_at_the_end(reader: Reader) -> Optional[Tuple[int, int]]:
    """The length and the code point of the first character, by a decoder that decodes first and checks the code point afterwards."""
    lead = reader.at(0)
    if lead < 0x80:
        return 1, lead
    lengths = {0b110: 2, 0b1110: 3, 0b11110: 4}
    length = next((lengths[lead >> shift] for shift in (5, 4, 3) if lead >> shift in lengths), 0)
    if length == 0:
        return None
    code_point = lead & 0x7F >> length
    for index in range(1, length):
        if reader.at(index) >> 6 != 0b10:
            return None
        code_point = code_point << 6 | reader.at(index) & 0x3F
    is_shortest = code_point >= {2: 0x80, 3: 0x800, 4: 0x10000}[length]
    is_scalar_value = code_point <= 0x10FFFF and not LEADS[0] <= code_point <= TRAILS[1]
    return (length, code_point) if is_shortest and is_scalar_value else None


# One byte of each class of the automaton, and both ends of what is refused.
EDGES = (0x00, 0x80, 0x90, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xE0, 0xE1, 0xED, 0xEE, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF)


def strings(length: int, alphabet: Sequence[int] = EDGES) -> Iterator[bytes]:
    """All strings of that length over some bytes."""
    if length == 0:
        yield b""
        return
    for string in strings(length - 1, alphabet):
        for byte in alphabet:
            yield string + bytes([byte])


class Utf8Test(unittest.TestCase):
    """"How UTF-8 Encoding Works"."""

    def test_row_ends_have_the_lengths_of_the_table(self) -> None:
        """U+007F, U+07FF, U+FFFF and U+10FFFF are the last of their lengths, and the lead says which."""
        for length, last in enumerate((0x7F, 0x7FF, 0xFFFF, 0x10FFFF), 1):
            sequence = UTF_8.encode(last)
            self.assertEqual(sequence and len(sequence), length)
            following = UTF_8.encode(last + 1) if last < 0x10FFFF else b"?" * 5
            self.assertEqual(following and len(following), length + 1)
        for row in UTF_8.rows:
            for lead in range(row.ranges[0][0], row.ranges[0][1] + 1):
                ones = 8 - (lead ^ 0xFF).bit_length()
                self.assertEqual(len(row.ranges), ones or 1)

    def test_continuation_bytes_alone_begin_with_10(self) -> None:
        """Every place of every row."""
        for row in UTF_8.rows:
            leads = range(row.ranges[0][0], row.ranges[0][1] + 1)
            self.assertNotIn(0b10, {lead >> 6 for lead in leads})
            self.assertEqual({end >> 6 for ends in row.ranges[1:] for end in ends} - {0b10}, set())

    def test_encoder_by_shifts_writes_what_the_rows_say(self) -> None:
        """Every 31st code point and the ends of all rows; surrogates are refused by the rows of UTF-8 and written by generalized UTF-8's."""
        ends = [end for row in GENERALIZED_UTF_8.rows for end in (row.first, row.last)] + [LEADS[0], TRAILS[1]]
        for code_point in [*range(0, 0x110000, 31), *ends]:
            expected = by_shifts(code_point)
            self.assertEqual(GENERALIZED_UTF_8.encode(code_point), expected)
            is_surrogate = LEADS[0] <= code_point <= TRAILS[1]
            self.assertEqual(UTF_8.encode(code_point), None if is_surrogate else expected)
            self.assertEqual(len(expected), 1 + (code_point > 0x7F) + (code_point > 0x7FF) + (code_point > 0xFFFF))
            self.assertTrue(is_surrogate or chr(code_point).encode() == expected)
        self.assertEqual((by_shifts(0x110000), UTF_8.encode(0x110000)), (b"", None))

    def test_decoder_that_checks_at_the_end_takes_what_the_rows_say(self) -> None:
        """All strings of up to three bytes at the ends of ranges, and of four after a lead of four."""
        leads = [byte for byte in EDGES if byte >= 0xE0]
        longest = [bytes([lead]) + rest for lead in leads for rest in strings(3, [byte for byte in EDGES if 0x7F <= byte <= 0xC0])]
        for text in [*strings(1), *strings(2), *strings(3), *longest]:
            reader = Reader(text)
            found = checked_at_the_end(reader)
            if reader.furthest < len(text):
                whole = [end for end in range(1, 5) if holds(UTF_8, text[:end]) and len(decode(UTF_8, text[:end], "strict")) == 1]
                expected = (min(whole), decode(UTF_8, text[:min(whole)], "strict")[0]) if whole else None
                self.assertEqual(found, expected, text)
        self.assertEqual(checked_at_the_end(Reader("\u00e9".encode())), (2, 0xE9))

    def test_scan_finds_the_boundaries(self) -> None:
        """Characters of all lengths, three at a time: the bytes that do not begin with 10 are where characters begin, and from each place
        the next one, forwards and backwards, is a boundary."""
        for points in itertools.product([0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF], repeat=3):
            sequences = [UTF_8.encode(point) or b"" for point in points]
            text, begins = b"".join(sequences), [0, *itertools.accumulate(map(len, sequences))][:-1]
            self.assertEqual([at for at, byte in enumerate(text) if byte >> 6 != 0b10], begins)
            for at in range(len(text)):
                back = len(text[:at + 1]) - 1 - next(steps for steps, byte in enumerate(reversed(text[:at + 1])) if byte >> 6 != 0b10)
                self.assertEqual(back, max(begin for begin in begins if begin <= at))

    def test_decoder_without_a_length_reads_past_the_end(self) -> None:
        """At most three bytes, after a lead of four; not where a 00 follows."""
        self.assertEqual(max(self.furthest_past_the_end(text) for text in strings(1)), figure("bytes_past_the_end"))
        self.assertEqual(max(self.furthest_past_the_end(text + b"\0") for text in strings(1)), 0)

    def furthest_past_the_end(self, text: bytes) -> int:
        """How many bytes are read that are not in the text."""
        reader = Reader(text)
        checked_at_the_end(reader)
        return max(0, reader.furthest + 1 - len(text))


class DfaTest(unittest.TestCase):
    """The walk through Hoehrmann's decoder, by his published table."""

    def walk(self, text: bytes) -> List[Tuple[int, int]]:
        """State and code point after each byte, by the loop of the second form."""
        table, state, code_point, steps = hoehrmann.table_2010(), 0, 0, []
        for byte in text:
            number = table[byte]
            code_point = (byte & 0x3F) | (code_point << 6) if state != 0 else (0xFF >> number) & byte
            state = table[256 + state + number]
            steps.append((state, code_point))
        return steps

    def test_published_forms_take_ed_81_80(self) -> None:
        """As U+D040, in the last step."""
        self.assertEqual(self.walk(b"\xED\x81\x80")[-1], (0, 0xD040))

    def test_each_state_expects_one_number_of_bytes(self) -> None:
        """The continuation bytes from a state to ACCEPT: as many on every way. Not of ACCEPT and REJECT."""
        table, expected = hoehrmann.table_2010(), {0: {0}}
        while any(state not in expected for state in range(24, 108, 12)):
            for state in range(24, 108, 12):
                after = {table[256 + state + hoehrmann.classes()[byte]] for byte in range(0x100)} - {12}
                if after <= set(expected):
                    expected[state] = {1 + count for one in after for count in expected[one]}
        self.assertEqual({state: min(counts) for state, counts in expected.items() if len(counts) == 1},
                         {0: 0, 24: 1, 36: 2, 48: 2, 60: 2, 72: 3, 84: 3, 96: 3})

    def test_bytes_that_begin_nothing_are_one_class(self) -> None:
        """C0, C1 and F5..FF; no other byte is in it."""
        classes = hoehrmann.classes()
        alike = [byte for byte in range(256) if classes[byte] == classes[0xC0]]
        self.assertEqual(alike, [0xC0, 0xC1, *range(0xF5, 0x100)])

    def test_leads_that_restrict_have_classes_of_their_own(self) -> None:
        """E0, ED, F0, F4: those whose second byte is not any of 80..BF, and no others."""
        classes = hoehrmann.classes()
        alone = [byte for byte in range(0xC2, 0xF5) if classes.count(classes[byte]) == 1]
        restricting = [row.ranges[0][0] for row in UTF_8.rows if len(row.ranges) > 1 and row.ranges[1] != (0x80, 0xBF)]
        self.assertEqual(alone, restricting)

    def test_masks_by_class(self) -> None:
        """FF shifted by the class of each lead: what the page says."""
        masks = {lead: 0xFF >> hoehrmann.classes()[lead] for lead in (0x41, 0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF1, 0xF4)}
        self.assertEqual(masks, {0x41: 0xFF, 0xC2: 0x3F, 0xE0: 0x00, 0xE1: 0x1F, 0xED: 0x0F, 0xF0: 0x00, 0xF1: 0x03, 0xF4: 0x07})

    def test_second_bytes_after_restricting_leads(self) -> None:
        """The classes of the second bytes that E0, ED, F0 and F4 allow, of 1 (80..8F), 9 (90..9F) and 7 (A0..BF)."""
        classes, table = hoehrmann.classes(), hoehrmann.table_2010()
        for lead, allowed in ((0xE0, {7}), (0xED, {1, 9}), (0xF0, {9, 7}), (0xF4, {1})):
            state = table[256 + classes[lead]]
            self.assertEqual({number for number in (1, 9, 7) if table[256 + state + number] != 12}, allowed)

    def test_walk_of_the_emoji(self) -> None:
        """Classes and code points of F0 9F 98 80."""
        text = b"\xF0\x9F\x98\x80"
        self.assertEqual([hoehrmann.classes()[byte] for byte in text], [11, 9, 9, 1])
        self.assertEqual([code_point for _, code_point in self.walk(text)], [0, 0x1F, 0x7D8, 0x1F600])
        self.assertEqual([state for state, _ in self.walk(text)], [72, 36, 24, 0])

    def test_reset_without_rereading_swallows(self) -> None:
        """E4 41: after the reset nothing is left to read, so there is no A; the standard has U+FFFD and A."""
        states = [state for state, _ in self.walk(b"\xE4\x41")]
        self.assertEqual(states[-1], 12)
        self.assertEqual(decode(UTF_8, b"\xE4\x41", "whatwg"), [0xFFFD, 0x41])

    def test_strings_of_the_code(self) -> None:
        """Well-formed but for C0 AF, which is refused at once."""
        for text in ("Hello, 世界! ".encode(), b"\xF0\x9F\x98\x80", "世".encode(), b"\xED\x81\x80"):
            self.assertEqual(self.walk(text)[-1][0], 0)
        self.assertEqual(self.walk(b"\xC0\xAF")[0][0], 12)


class Cesu8Test(unittest.TestCase):
    """UTR 26."""

    def test_cesu_8_examples(self) -> None:
        """U+F0000 is DB80 DC00, by the rows of UTF-16 and by CPython; and the example of 2.1."""
        self.assertEqual(conversion.decoded(conversion.pieces_of(CESU_8, CESU_8, b"\xED\xAE\x80\xED\xB0\x80"), "strict"), [0xF0000])
        self.assertEqual((ENCODINGS["utf-16be"].encode(0xF0000), chr(0xF0000).encode("utf-16-be")), (b"\xDB\x80\xDC\x00",) * 2)
        self.assertEqual(b"".join(CESU_8.encode(unit) or b"" for unit in (0x4D, 0x61, 0xF0000)), b"\x4D\x61\xED\xAE\x80\xED\xB0\x80")

    def test_cesu_8_lengths(self) -> None:
        """One, two, three or six bytes, also when read; all scalar values have some, and surrogates, which are code points, have none."""
        self.assertEqual({len(row.ranges) for row in CESU_8.read_rows}, {1, 2, 3, 6})
        self.assertTrue(list(CESU_8.code_points()) == [*range(LEADS[0]), *range(TRAILS[1] + 1, 0x110000)])  # no diff of a million lines
        self.assertEqual([CESU_8.decode(by_shifts(code_point)) for code_point in range(LEADS[0], TRAILS[1] + 1)], [None] * 0x800)

    def test_cesu_8_is_utf_8_below_the_supplementary_planes(self) -> None:
        """Every scalar value of the BMP has the same bytes in both; of the others, every 31st, none has."""
        both = [(UTF_8.encode(code_point), CESU_8.encode(code_point)) for code_point in range(0x10000)]
        self.assertEqual(sum(mine is not None and mine == other for mine, other in both), figure("same_in_cesu_8"))
        self.assertFalse(any(UTF_8.encode(code_point) == CESU_8.encode(code_point) for code_point in range(0x10000, 0x110000, 31)))

    def test_cesu_8_is_utf_8_of_each_unit(self) -> None:
        """Every 31st supplementary character: the bytes of its two units, which CPython says, by the bits of the table; and not the four bytes
        of UTF-8. Every unit of the BMP, by the same bits: three bytes at most."""
        for code_point in [*range(0x10000, 0x110000, 31), 0x10FFFF]:
            units = struct.unpack(">2H", chr(code_point).encode("utf-16-be"))
            self.assertEqual(CESU_8.encode(code_point), by_shifts(units[0]) + by_shifts(units[1]))
            self.assertIsNone(CESU_8.decode(by_shifts(code_point)))
        for unit in [*range(LEADS[0]), *range(TRAILS[1] + 1, 0x10000)]:
            self.assertEqual(CESU_8.encode(unit), by_shifts(unit))
            self.assertEqual(len(by_shifts(unit)), 1 + (unit >= 0x80) + (unit >= 0x800))

    def test_cesu_8_has_no_byte_from_f0_on(self) -> None:
        """In no place of any row that is read."""
        self.assertLess(max(high for row in CESU_8.read_rows for _, high in row.ranges), 0xF0)

    def test_no_encoding_is_guessed(self) -> None:
        """The sentence with which `-e auto` is refused is in the command line's source, with UTR 26 named."""
        source = "\n".join(path.read_text("utf-8") for path in (ROOT / "harnesses/assay/cli").glob("*.c"))
        self.assertIn("auto-detected (UTR 26)", source)


class Wtf8Test(unittest.TestCase):
    """The WTF-8 encoding."""

    def test_supersets(self) -> None:
        """UTF-8 < WTF-8 < generalized UTF-8, each strictly; CESU-8 is none of UTF-8. Strings of up to three bytes, and pairs."""
        for text in [*strings(2), *strings(3), b"\xF0\x9F\x98\x80"]:
            if holds(UTF_8, text):
                self.assertTrue(holds(WTF_8, text), text)
                self.assertEqual(decode(WTF_8, text, "strict"), decode(UTF_8, text, "strict"))
            if holds(WTF_8, text):
                self.assertTrue(holds(GENERALIZED_UTF_8, text), text)
        verdicts = {text: [holds(encoding, text) for encoding in (UTF_8, WTF_8, GENERALIZED_UTF_8, CESU_8)]
                    for text in (b"\xED\xA0\xBD", b"\xED\xA0\xBD\xED\xB8\x80", b"\xF0\x9F\x98\x80")}
        self.assertEqual(list(verdicts.values()), [[False, True, True, False], [False, False, True, True], [True, True, True, False]])

    def test_units_of_code_points(self) -> None:
        """Section 4.1: the formulas, for every 31st code point; below U+10000 the unit has the value of the code point."""
        for code_point in range(0, 0x110000, 31):
            pair = (LEADS[0] + (code_point - 0x10000 >> 10), TRAILS[0] + (code_point - 0x10000 & 0x3FF))
            self.assertEqual(encoders.supplementary(*pair), code_point if code_point >= 0x10000 else None)
            units = b"".join(unit.to_bytes(2, "big") for unit in (pair if code_point >= 0x10000 else (code_point,)))
            self.assertEqual(ENCODINGS["wtf-16be"].encode(code_point), units)
            self.assertEqual(ENCODINGS["utf-16be"].encode(code_point), None if LEADS[0] <= code_point <= TRAILS[1] else units)

    def test_wtf_16_of_unicode_text_is_utf_16(self) -> None:
        """Sections 4.1 and 4.2, notes: texts without surrogates are as in UTF-16 in potentially ill-formed UTF-16, encoded and decoded."""
        utf_16, wtf_16 = ENCODINGS["utf-16be"], ENCODINGS["wtf-16be"]
        for points in ([0], [0xD7FF, 0xE000], [0xFFFF, 0x10000], [0x10FFFF], [0x41, 0x1F600, 0x42], list(range(0xF000, 0x11000, 31))):
            raw = b"".join(utf_16.encode(point) or b"" for point in points)
            wide = [2 if point > 0xFFFF else 1 for point in points]
            self.assertEqual(len(raw), 2 * sum(wide))
            generalized = b"".join(GENERALIZED_UTF_8.encode(point) or b"" for point in points)
            self.assertEqual(encoders.encode(wtf_16, encoders.steps_of_code_points(wtf_16, points), "strict"), (raw, None))
            for one in (utf_16, wtf_16):
                self.assertEqual(conversion.convert(GENERALIZED_UTF_8, one, generalized, "strict"), raw)
                self.assertEqual(conversion.convert(one, GENERALIZED_UTF_8, raw, "strict"), generalized)
                self.assertEqual((holds(one, raw), decode(one, raw, "strict")), (True, points))

    def test_no_alias_leads_to_wtf(self) -> None:
        """Section 1: none of the aliases that the command line accepts from IANA's registry."""
        aliases = [(alias, encoding) for alias, _, encoding in iana.ROW.findall(iana.TABLE.read_text("utf-8"))]
        self.assertIn(("csCESU8", "cesu-8"), aliases)
        self.assertEqual([alias for alias, name in aliases if "wtf" in (alias + name).lower()], [])

    def test_aliases_have_the_numbers_of_the_registry(self) -> None:
        """The table of the command line, row by row: alias, encoding and MIBenum, typed here from IANA's registry and from UTR 26."""
        rows = iana.ROW.findall(iana.TABLE.read_text("utf-8"))
        self.assertEqual(sorted(rows), [("csCESU-8", "1016", "cesu-8"), ("csCESU8", "1016", "cesu-8"), ("csUTF16BE", "1013", "utf-16be"),
                                        ("csUTF16LE", "1014", "utf-16le"), ("csUTF8", "106", "utf-8")])

    def test_scripts_take_the_names_of_the_registry(self) -> None:
        """Wherever they accept encodings: in any case, by alias, by number; an unknown name is refused."""
        self.assertEqual([iana.encoding_name(name) for name in ("CSUTF8", "1016", "UTF-16BE", "utf_8")], ["utf-8", "cesu-8", "utf-16be", "utf_8"])
        with TemporaryDirectory() as folder:
            for words, code in ((("scripts/amalgamate", "--out", folder, "--encodings", "106,csUTF16LE", "--isas", ""), 0),
                                (("scripts/amalgamate", "--out", folder, "--encodings", "107"), 2), (("scripts/kill-rate", "-e", "CESU_8"), 2)):
                done = subprocess.run([sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
                self.assertEqual(done.returncode, code, done.stdout)
                self.assertEqual("utf-8, utf-16le: portable C" in done.stdout, code == 0, done.stdout)

    def test_every_unit_is_wtf_16(self) -> None:
        """Sections 3 and 3.2: each unit alone is the code point of its value; 1,024 are leads, 1,024 trails, and only these are ill-formed in UTF-16."""
        wtf_16, utf_16 = ENCODINGS["wtf-16be"], ENCODINGS["utf-16be"]
        units = [unit.to_bytes(2, "big") for unit in range(figure("units"))]
        self.assertEqual([wtf_16.decode(unit) for unit in units], list(range(len(units))))
        lone = [value for value, unit in enumerate(units) if utf_16.decode(unit) is None]
        self.assertEqual(lone, list(range(LEADS[0], TRAILS[1] + 1)))

    def test_every_sequence_of_units_is_wtf_16(self) -> None:
        """Section 4: all strings of one to four bytes out of those that units of each kind begin with, in both orders."""
        for name in ("wtf-16le", "wtf-16be"):
            for length in range(1, 5):
                for text in strings(length, (0x41, 0xD7, 0xD8, 0xDC, 0xDF, 0xFF)):
                    found = [(span.offset, span.length, span.fault) for span in spans(ENCODINGS[name], text)]
                    self.assertEqual(found, [(length - 1, 1, "truncated")] if length % 2 else [], (name, text))

    def test_supersets_of_utf_16(self) -> None:
        """Section 4: what is well-formed in UTF-16 is in WTF-16, with the same code points; an isolated surrogate is only there."""
        for name, other in (("utf-16le", "wtf-16le"), ("utf-16be", "wtf-16be")):
            for text in strings(4, (0x00, 0x41, 0xD8, 0xDC, 0xE0)):
                if holds(ENCODINGS[name], text):
                    self.assertEqual(decode(ENCODINGS[other], text, "strict"), decode(ENCODINGS[name], text, "strict"), text)
            lone = ENCODINGS[other].encode(0xD83D) or b""
            self.assertEqual((holds(ENCODINGS[name], lone), decode(ENCODINGS[other], lone, "strict")), (False, [0xD83D]))

    def test_wtf_16_is_decoded_by_the_steps(self) -> None:
        """Section 4.2, typed from its steps, and CPython's `surrogatepass`, which agrees: strings of four units out of five kinds."""
        def steps(units: Sequence[int]) -> List[int]:
            """The algorithm of section 4.2."""
            result, at = [], 0
            while at < len(units):
                unit, at = units[at], at + 1
                if 0xD800 <= unit <= 0xDBFF and at < len(units) and 0xDC00 <= units[at] <= 0xDFFF:
                    result.append(0x10000 + ((unit - 0xD800) << 10) + (units[at] - 0xDC00))
                    at += 1
                else:
                    result.append(unit)
            return result

        for units in itertools.product((0x41, 0xD83D, 0xDE00, 0xDFFF, 0xE000), repeat=4):
            for name, codec, order in (("wtf-16le", "utf-16-le", "<"), ("wtf-16be", "utf-16-be", ">")):
                text = struct.pack(f"{order}4H", *units)
                self.assertEqual(decode(ENCODINGS[name], text, "strict"), steps(units), text)
                self.assertEqual([ord(char) for char in text.decode(codec, "surrogatepass")], steps(units), text)

    def test_pairs_would_be_other_code_points(self) -> None:
        """Section 4.1, note: the units of D83D and of DE00 together are those of U+1F600."""
        for name in ("wtf-16le", "wtf-16be"):
            one = ENCODINGS[name]
            self.assertEqual((one.encode(0xD83D) or b"") + (one.encode(0xDE00) or b""), one.encode(0x1F600))

    def test_pairs_are_refused_in_wtf_16(self) -> None:
        """Section 4.1: the trail is the error, at its place among the code points; other surrogates are encoded."""
        one = ENCODINGS["wtf-16be"]
        for points, offset, replaced, skipped in (([0xD83D, 0xDE00], 1, "D83DFFFD", "D83D"), ([0xDE00, 0xD83D], None, "DE00D83D", "DE00D83D"),
                                                  ([0x41, 0xD83D, 0xD83D, 0xDE00, 0x42], 3, "0041D83DD83DFFFD0042", "0041D83DD83D0042")):
            steps = encoders.steps_of_code_points(one, points)
            self.assertEqual([(error.offset, error.length, error.fault) for error in encoders.errors(steps)],
                             [] if offset is None else [(offset, 1, "surrogate-pair")])
            self.assertEqual(encoders.encode(one, steps, "strict")[1], offset)
            self.assertEqual(encoders.encode(one, steps, "whatwg"), (bytes.fromhex(replaced), None))
            self.assertEqual(encoders.encode(one, steps, "skip"), (bytes.fromhex(skipped), None))

    def test_bytes_without_a_step_begin_nothing(self) -> None:
        """Section 6.2: 80..C1 and F5..FF begin no row of WTF-8, and all other bytes begin one."""
        begins = {byte for row in WTF_8.rows for byte in range(row.ranges[0][0], row.ranges[0][1] + 1)}
        self.assertEqual(set(range(0x100)) - begins, {*range(0x80, 0xC2), *range(0xF5, 0x100)})

    def test_units_decode_to_no_pair(self) -> None:
        """Section 4.2, note: of all strings of four units out of four kinds."""
        kinds = (0x41, 0xD83D, 0xDE00, 0xE000)
        for units in [(a, b, c, d) for a in kinds for b in kinds for c in kinds for d in kinds]:
            steps = [step.code_point for step in encoders.steps_of_utf16(WTF_8, units)]
            self.assertEqual(decode(ENCODINGS["wtf-16be"], struct.pack(">4H", *units), "strict"), steps)
            pairs = [pair for pair in zip(steps, steps[1:]) if encoders.supplementary(*pair) is not None]
            self.assertEqual(pairs, [], units)

    def test_table_1_of_wtf_8(self) -> None:
        """ED, A0..AF or B0..BF, 80..BF: the ends of the first two rows, in generalized UTF-8."""
        ends = {"lead": (b"\xED\xA0\x80", b"\xED\xAF\xBF"), "trail": (b"\xED\xB0\x80", b"\xED\xBF\xBF")}
        self.assertEqual([tuple(map(GENERALIZED_UTF_8.encode, both)) for both in (LEADS, TRAILS)], list(ends.values()))

    def test_table_3_of_wtf_8(self) -> None:
        """Seven rows: those of UTF-8, with E1..EF in one; their code points, and their bytes."""
        self.assertEqual([(row.first, row.last) for row in GENERALIZED_UTF_8.rows], [
            (0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFF), (0x1000, 0xFFFF), (0x10000, 0x3FFFF), (0x40000, 0xFFFFF), (0x100000, 0x10FFFF)])
        self.assertEqual([row.ranges for row in GENERALIZED_UTF_8.rows], [
            ((0x00, 0x7F),), ((0xC2, 0xDF), (0x80, 0xBF)), ((0xE0, 0xE0), (0xA0, 0xBF), (0x80, 0xBF)),
            ((0xE1, 0xEF), (0x80, 0xBF), (0x80, 0xBF)), ((0xF0, 0xF0), (0x90, 0xBF), (0x80, 0xBF), (0x80, 0xBF)),
            ((0xF1, 0xF3), (0x80, 0xBF), (0x80, 0xBF), (0x80, 0xBF)), ((0xF4, 0xF4), (0x80, 0x8F), (0x80, 0xBF), (0x80, 0xBF))])

    def test_pairs_are_joined_as_in_utf_16(self) -> None:
        """Section 6.1, note: what WTF-8 makes of a pair, potentially ill-formed UTF-16 makes of it; it decodes to one code point."""
        for points in ([0xD83D, 0xDE00], [0x41, 0xD83D, 0xDE00, 0xDE00], [0xD83D, 0xD83D, 0xDE00]):
            steps = encoders.steps_of_code_points(WTF_8, points)
            by_units = encoders.encode(WTF_8, encoders.steps_of_utf16(WTF_8, points), "strict")
            self.assertEqual(encoders.encode(WTF_8, steps, "strict"), by_units)
            self.assertIn(0x1F600, decode(WTF_8, by_units[0], "strict"))

    def test_encoding_is_concatenation_of_code_points(self) -> None:
        """Section 6.1, note: strings of three code points out of five kinds."""
        kinds = (0x41, 0xD83D, 0xDE00, 0xFFFF, 0x1F600)
        for points in [(a, b, c) for a in kinds for b in kinds for c in kinds]:
            joined = b""
            for point in points:
                joined = encoders.concatenate(WTF_8, joined, WTF_8.encode(point) or b"")
            self.assertEqual(encoders.encode(WTF_8, encoders.steps_of_code_points(WTF_8, points), "strict"), (joined, None))


if __name__ == "__main__":
    unittest.main()
