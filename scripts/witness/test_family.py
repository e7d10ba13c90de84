# SPDX-License-Identifier: MIT
"""The relatives of UTF-8: rows, spans, pieces and encoding, against the documents and against themselves."""

from __future__ import annotations

import itertools
import random
import re
import struct
import unittest
from typing import List, Optional, Tuple

from witness import automaton, conversion, encoders, faults, policies
from witness.rows import ENCODINGS, LEADS, TRAILS, Encoding

FAMILY = [one for one in ENCODINGS.values() if not one.strips_bom]
BYTES = (0x00, 0x41, 0x80, 0x9F, 0xA0, 0xB0, 0xBF, 0xC0, 0xC2, 0xE0, 0xE1, 0xED, 0xEE, 0xF0, 0xF4, 0xF8)
UNITS = (0x00, 0x41, 0xD7, 0xD8, 0xDB, 0xDC, 0xDF, 0xE0)


def interesting(one: Encoding) -> Tuple[int, ...]:
    """Bytes of every sort."""
    return BYTES if one.unit == 1 else UNITS


def shown(name: str, text: str) -> str:
    """The segments of hex: code points, and errors as OFFSET+LENGTH FAULT, `...` if more could have completed them."""
    words = []
    for segment in policies.segments(ENCODINGS[name], bytes.fromhex(text)):
        span = segment.span
        if span is None:
            words.append(f"{segment.code_point:X}")
        else:
            words.append(f"{span.offset}+{span.length} {span.fault}" + "..." * span.incomplete)
    return ", ".join(words)


def spelled(one: Encoding, code_point: int) -> bytes:
    """A code point by CPython's codecs: what Java and UTR 26 write is UTF-8 of UTF-16 units."""
    if one.unit == 2:
        return chr(code_point).encode(one.name.replace("wtf", "utf"), "surrogatepass" if one.holds_surrogates else "strict")
    if not one.spells_pairs:
        return chr(code_point).encode("utf-8", "surrogatepass")
    units = policies.utf16_units([code_point])
    text = "".join(map(chr, units)).encode("utf-8", "surrogatepass")
    return text.replace(b"\0", b"\xC0\x80") if one.name.startswith("mutf-8") else text


class RowsTest(unittest.TestCase):
    """What each encoding holds."""

    def test_hold_what_their_documents_say(self) -> None:
        """All code points, with the surrogates or without, each in the bytes that another road leads to."""
        for one in FAMILY:
            surrogates = set(range(LEADS[0], TRAILS[1] + 1)) if one.holds_surrogates else set()
            self.assertEqual(sorted(one.code_points()), [n for n in range(0x110000)
                                                         if not LEADS[0] <= n <= TRAILS[1] or n in surrogates], one.name)
            for code_point in [n for n in one.code_points() if n % 97 == 0 or n & 0x3FF in (0, 1, 0x3FF)]:
                sequence = one.encode(code_point)
                self.assertEqual(sequence, spelled(one, code_point), one.name)
                self.assertEqual(one.decode(spelled(one, code_point)), code_point, one.name)

    def test_hold_surrogates_as_they_should(self) -> None:
        """Six encodings and one profile do; pairs are spelled by eight."""
        self.assertEqual([one.name for one in FAMILY if one.holds_surrogates],
                         ["generalized-utf-8", "wtf-8", "cesu-8-jdk", "mutf-8", "mutf-8-readutf", "wtf-16le", "wtf-16be"])
        self.assertEqual([one.name for one in FAMILY if one.spells_pairs],
                         ["cesu-8", "cesu-8-jdk", "mutf-8", "mutf-8-readutf", "utf-16le", "utf-16be", "wtf-16le", "wtf-16be"])

    def test_keep_the_order_of_utf_16(self) -> None:
        """UTR 26: binary order in CESU-8 is that of UTF-16, and not that of code points."""
        cesu, utf16 = ENCODINGS["cesu-8"], ENCODINGS["utf-16be"]
        points = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]
        by_cesu = sorted(points, key=lambda point: cesu.encode(point) or b"")
        self.assertEqual(by_cesu, sorted(points, key=lambda point: utf16.encode(point) or b""))
        self.assertNotEqual(by_cesu, points)


class AutomataTest(unittest.TestCase):
    """The scanners and the automata of the well-formed texts."""

    def test_are_as_large_as_they_must_be(self) -> None:
        """States of the scanner and of the language; WTF-8 has those of UTF-8, the lead's way, and one bit."""
        sizes = {one.name: (automaton.scanner_of(one).state_count, automaton.automaton_of(one).state_count) for one in FAMILY}
        self.assertEqual(sizes, {
            "utf-8": (9, 9), "generalized-utf-8": (8, 8), "wtf-8": (12, 12), "cesu-8": (10, 9), "cesu-8-jdk": (10, 5),
            "mutf-8": (11, 6), "mutf-8-readutf": (9, 4), "utf-16le": (5, 5), "utf-16be": (8, 5),
            "wtf-16le": (5, 3), "wtf-16be": (7, 3)})

    def test_take_what_has_no_spans(self) -> None:
        """Every string of up to three bytes of every sort, and random longer ones, seed 26."""
        chance = random.Random(26)
        for one in FAMILY:
            machine, sorts = automaton.automaton_of(one), interesting(one)
            texts: List[bytes] = [bytes(text) for length in range(4) for text in itertools.product(sorts, repeat=length)]
            texts += [bytes(chance.choices(sorts, k=chance.randrange(4, 14))) for _ in range(2000)]
            for text in texts:
                self.assertEqual(machine.whole[machine.walk(text)], not policies.spans(one, text), (one.name, text.hex()))

    def test_fault_and_state_belong_together(self) -> None:
        """Whatever string led to a state, a byte has the same fault there."""
        for one in FAMILY:
            scanner, distinguished = automaton.scanner_of(one), 0
            pending = [(state, b"") for state in range(scanner.state_count) if scanner.between[state]]
            while pending:
                state, held = pending.pop()
                for byte in scanner.representatives():
                    target = scanner.delta[state][byte]
                    if target == automaton.REJECT:
                        distinguished += 1
                        self.assertEqual(faults.fault_of(one, held, scanner.back[state], byte),
                                         faults.fault_in(one, scanner, state, byte), (one.name, held.hex(), byte))
                    elif not scanner.between[target]:
                        pending.append((target, held + bytes((byte,))))
            self.assertGreater(distinguished, scanner.class_count, one.name)


class SpansTest(unittest.TestCase):
    """What is ill-formed, and how far."""

    def test_differ_on_a_surrogate_pair(self) -> None:
        """What each makes of ED A0 BD ED B8 80."""
        for name, expected in (
                ("utf-8", "0+1 surrogate, 1+1 stray-continuation, 2+1 stray-continuation, "
                          "3+1 surrogate, 4+1 stray-continuation, 5+1 stray-continuation"),
                ("generalized-utf-8", "D83D, DE00"), ("cesu-8", "1F600"), ("cesu-8-jdk", "1F600"), ("mutf-8", "1F600"),
                ("mutf-8-readutf", "1F600"),
                ("wtf-8", "D83D, 3+1 surrogate-pair, 4+1 stray-continuation, 5+1 stray-continuation")):
            self.assertEqual(shown(name, "EDA0BDEDB880"), expected, name)

    def test_wtf_8_has_one_bit_of_memory(self) -> None:
        """Lead, lead, trail; trail, trail; an error clears the memory, and so does any character."""
        for text, expected in (("EDA080EDA080EDB080", "D800, D800, 6+1 surrogate-pair, 7+1 stray-continuation, "
                                                      "8+1 stray-continuation"), ("EDB080EDB080", "DC00, DC00"),
                               ("EDA080FFEDB080", "D800, 3+1 invalid-lead, DC00"), ("EDA08041EDB080", "D800, 41, DC00"),
                               ("EDA080ED9FBF", "D800, D7FF"), ("EDA080EE8080", "D800, E000")):
            self.assertEqual(shown("wtf-8", text), expected, text)

    def test_cesu_8_errors_are_halves_or_maximal_subparts(self) -> None:
        """UTR 26's example; a half without the other never includes its neighbour."""
        for text, expected in (
                ("4D61EDAE80EDB080", "4D, 61, F0000"), ("EDA08041", "0+3 unpaired-surrogate, 41"),
                ("EDA080ED9F80", "0+3 unpaired-surrogate, D7C0"), ("EDA080EDA080EDB080", "0+3 unpaired-surrogate, 10000"),
                ("EDB080", "0+1 unpaired-surrogate, 1+1 stray-continuation, 2+1 stray-continuation"),
                ("EDA080EDB041", "0+3 unpaired-surrogate, 3+1 unpaired-surrogate, 4+1 stray-continuation, 41"),
                ("EDA041", "0+2 missing-continuation, 41"), ("EDA080", "0+3 truncated..."),
                ("EDA080EDB0", "0+5 truncated..."), ("F09F9880", "0+1 invalid-lead, 1+1 stray-continuation, "
                                                                 "2+1 stray-continuation, 3+1 stray-continuation")):
            self.assertEqual(shown("cesu-8", text), expected, text)

    def test_java_takes_lone_surrogates(self) -> None:
        """The longest match: a lead alone, a lead before an unfinished trail, NUL and what readUTF accepts as NUL."""
        for text, expected in (("EDA080EDB041", "D800, 3+2 missing-continuation, 41"), ("EDA080EDB0", "D800, 3+2 truncated..."),
                               ("EDA080EDA080EDB080", "D800, 10000"), ("EDB080EDA080", "DC00, D800"), ("C080", "0"),
                               ("00", "0+1 invalid-lead"), ("C081", "0+1 overlong, 1+1 stray-continuation")):
            self.assertEqual(shown("mutf-8", text), expected, text)
        for text, expected in (("00", "0"), ("C081", "1"), ("C1BF", "7F"), ("E08080", "0"), ("E09FBF", "7FF"),
                               ("F0", "0+1 invalid-lead"), ("E041", "0+1 missing-continuation, 41")):
            self.assertEqual(shown("mutf-8-readutf", text), expected, text)

    def test_utf_16_errors_are_units(self) -> None:
        """Half a pair is two bytes; an odd byte, or half a pair, at the end is cut short."""
        for text, expected in (("D8000041", "0+2 unpaired-surrogate, 41"), ("DC000041", "0+2 unpaired-surrogate, 41"),
                               ("D800DC00", "10000"), ("D80000", "0+3 truncated..."), ("004100", "41, 2+1 truncated..."),
                               ("D800", "0+2 truncated..."), ("DC", "0+1 truncated..."),
                               ("D800D800DC00", "0+2 unpaired-surrogate, 10000")):
            self.assertEqual(shown("utf-16be", text), expected, text)
            raw = bytes.fromhex(text)
            if len(raw) % 2 == 0:
                swapped = bytes(raw[at ^ 1] for at in range(len(raw)))
                self.assertEqual(shown("utf-16le", swapped.hex()), expected, text)

    def test_are_known_when_they_are_certain(self) -> None:
        """Seed 43: no further byte changes what is certain, and some bytes change the rest; UTF-16 waits for whole units."""
        chance = random.Random(43)
        for one in FAMILY:
            sorts = interesting(one)
            endings = [b""] + [bytes(text) for text in itertools.product(sorts, repeat=2)]
            endings += [b"\xED\xB0\x80", b"\xB0\x80", b"\x80" * 3]
            for _ in range(20):
                text = bytes(chance.choices(sorts, k=6))
                for length in range(1, 6):
                    begun = {policies.segments(one, text[:length] + ending) for ending in endings}
                    found = policies.segments(one, text)
                    known = [segment for segment in found if segment.known_after is not None and segment.known_after <= length]
                    for other in begun:
                        self.assertEqual(list(other[:len(known)]), known, (one.name, text.hex(), length))
                    if one.unit == 1 and len(found) > len(known):
                        following = {other[len(known):][:1] for other in begun}
                        self.assertGreater(len(following), 1, (one.name, text.hex(), length))


class PiecesTest(unittest.TestCase):
    """Decoding in pieces, and into limited room."""

    def test_say_the_same_as_the_whole(self) -> None:
        """Every cut in two of random text, every policy that there is; and the rest of limited output, seed 8."""
        chance = random.Random(8)
        for one in FAMILY:
            for _ in range(60):
                text = bytes(chance.choices(interesting(one), k=8))
                for policy in one.policies:
                    whole = policies.decode(one, text, policy)
                    for cut in range(9):
                        groups = policies.decode_chunks(one, (text[:cut], text[cut:]), policy)
                        self.assertEqual([c for group in groups for c in group], whole)

    def test_refuse_a_policy_that_has_no_meaning(self) -> None:
        """What describes decoders of UTF-8, or of bytes, is offered by no other encoding."""
        for name, policy in (("wtf-8", policies.JDK), ("cesu-8", policies.SURROGATEESCAPE), ("utf-16le", policies.PER_BYTE)):
            with self.assertRaises(ValueError):
                policies.decode(ENCODINGS[name], b"", policy)

    def test_boundaries_are_where_segments_begin(self) -> None:
        """The start of a character, of an error, and of the end."""
        wtf8 = ENCODINGS["wtf-8"]
        text = bytes.fromhex("41EDA080FF")
        self.assertEqual([policies.boundary(wtf8, text, at) for at in range(6)], [0, 1, 1, 1, 4, 5])
        self.assertEqual(policies.boundary(wtf8, b"", 0), 0)


class EncodingTest(unittest.TestCase):
    """Encoding, concatenation."""

    def test_pairs_are_joined_where_they_must_be(self) -> None:
        """D83D DE00 as code points and as units; alone; the other way round."""
        pair, four, six = [0xD83D, 0xDE00], b"\xF0\x9F\x98\x80", b"\xED\xA0\xBD\xED\xB8\x80"
        for name, points, units in (("generalized-utf-8", six, four), ("wtf-8", four, four), ("mutf-8", six, six),
                                    ("cesu-8-jdk", six, six)):
            one = ENCODINGS[name]
            steps = encoders.steps_of_code_points(one, pair), encoders.steps_of_utf16(one, pair)
            self.assertEqual([encoders.encode(one, each, policies.STRICT)[0] for each in steps], [points, units], name)
            for lone in ([0xD83D], [0xDE00], [0xDE00, 0xD83D], [0xD83D, 0xD83D]):
                self.assertEqual(encoders.errors(encoders.steps_of_code_points(one, lone)), [], name)
        for name in ("utf-8", "cesu-8", "utf-16le", "utf-16be"):
            one = ENCODINGS[name]
            self.assertEqual([each.fault for each in encoders.errors(encoders.steps_of_code_points(one, pair))],
                             [faults.SURROGATE] * 2)
            self.assertEqual(encoders.errors(encoders.steps_of_utf16(one, pair)), [])
            self.assertEqual([each.fault for each in encoders.errors(encoders.steps_of_utf16(one, pair[::-1]))],
                             [faults.UNPAIRED_SURROGATE] * 2)

    def test_concatenation_is_that_of_utf_16(self) -> None:
        """WTF-8, section 6.5, last note: convert both, concatenate, convert back; and the table of what must not join."""
        wtf8 = ENCODINGS["wtf-8"]
        sorts = (0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0x10000)

        def written(code_points: List[int]) -> bytes:
            """By way of units."""
            return encoders.encode(wtf8, encoders.steps_of_utf16(wtf8, policies.utf16_units(code_points)), policies.STRICT)[0]

        for left in itertools.product(sorts, repeat=2):
            for right in itertools.product(sorts, repeat=2):
                joined = encoders.concatenate(wtf8, written(list(left)), written(list(right)))
                self.assertEqual(joined, written([*left, *right]), (left, right))
                self.assertEqual(policies.spans(wtf8, joined), [])
        self.assertEqual(encoders.concatenate(wtf8, b"\xED\xA0\xBD", b"\xED\xB2\xA9"), b"\xF0\x9F\x92\xA9")

    def test_concatenation_joins_bytes_elsewhere(self) -> None:
        """Also if the halves of a pair meet; ill-formed strings are refused."""
        lead, trail = b"\xED\xA0\xBD", b"\xED\xB8\x80"
        for name in ("generalized-utf-8", "mutf-8", "cesu-8-jdk", "mutf-8-readutf"):
            self.assertEqual(encoders.concatenate(ENCODINGS[name], lead, trail), lead + trail)
        for index, pair in enumerate(((lead, b""), (b"", trail))):
            with self.assertRaises(encoders.IllFormed) as caught:
                encoders.concatenate(ENCODINGS["cesu-8"], *pair)
            self.assertEqual(caught.exception.index, index)


class ConversionTest(unittest.TestCase):
    """From one to another, against what the documents say in their own words."""

    def setUp(self) -> None:
        """Random units, many of them surrogates; seed 63."""
        chance = random.Random(63)
        sorts = (0x41, 0xE9, 0x20AC, 0xD7FF, 0xD800, 0xD83D, 0xDBFF, 0xDC00, 0xDE00, 0xDFFF, 0xE000, 0xFFFF)
        self.texts = [chance.choices(sorts, k=chance.randrange(8)) for _ in range(400)]

    @staticmethod
    def convert(source: str, target: str, text: bytes, policy: str = policies.STRICT) -> Optional[bytes]:
        """By name."""
        return conversion.convert(ENCODINGS[source], ENCODINGS[target], text, policy)

    def test_wtf_8_holds_any_utf_16(self) -> None:
        """WTF-8, section 6.3: never fails, lossless, both ways; what comes out is well-formed."""
        for units in self.texts:
            raw = struct.pack(f"<{len(units)}H", *units)
            wtf8 = self.convert("utf-16le", "wtf-8", raw)
            assert wtf8 is not None
            self.assertEqual(policies.spans(ENCODINGS["wtf-8"], wtf8), [])
            self.assertEqual(self.convert("wtf-8", "utf-16le", wtf8), raw)
            self.assertEqual(wtf8, raw.decode("utf-16-le", "surrogatepass").encode("utf-8", "surrogatepass"))

    def test_wtf_8_to_utf_8_is_three_bytes_by_three(self) -> None:
        """WTF-8, section 6.4: lossily, each surrogate becomes EF BF BD in its place; strictly, any is a failure."""
        for units in self.texts:
            wtf8 = self.convert("utf-16le", "wtf-8", struct.pack(f"<{len(units)}H", *units))
            assert wtf8 is not None
            lossy = re.sub(b"\xED[\xA0-\xBF][\x80-\xBF]", b"\xEF\xBF\xBD", wtf8)
            self.assertEqual(self.convert("wtf-8", "utf-8", wtf8, policies.WHATWG), lossy)
            self.assertEqual(self.convert("wtf-8", "utf-8", wtf8), wtf8 if lossy == wtf8 else None)

    def test_errors_are_distinguished_in_bytes_of_the_input(self) -> None:
        """An ill-formed part; a character that the other encoding cannot hold; an odd byte."""
        for source, target, text, expected in (
                ("wtf-8", "utf-8", "41EDA08042", (1, 3, faults.SURROGATE)), ("wtf-8", "cesu-8", "EDB080", (0, 3, faults.SURROGATE)),
                ("utf-16be", "utf-8", "0041D800", (2, 2, faults.TRUNCATED)), ("utf-16be", "wtf-8", "0041D80000", (4, 1, faults.TRUNCATED)),
                ("utf-16be", "utf-8", "D8000041", (0, 2, faults.UNPAIRED_SURROGATE)), ("utf-8", "wtf-8", "41FF", (1, 1, faults.INVALID_LEAD))):
            span = conversion.first_error(ENCODINGS[source], ENCODINGS[target], bytes.fromhex(text))
            assert span is not None
            self.assertEqual((span.offset, span.length, span.fault), expected)

    def test_generalized_pairs_go_their_ways(self) -> None:
        """Two code points: joined by WTF-8, spelled as two by Java, refused by UTF-8, and by UTF-16, which would join them (WTF-8, section 4.1)."""
        pair = b"\xED\xA0\xBD\xED\xB8\x80"
        for target, expected in (("wtf-8", "F09F9880"), ("utf-16be", None), ("mutf-8", "EDA0BDEDB880"), ("utf-8", None)):
            got = self.convert("generalized-utf-8", target, pair)
            self.assertEqual(got, expected and bytes.fromhex(expected), target)

    def test_a_pair_is_an_error_in_utf_16_at_its_trail(self) -> None:
        """WTF-8, section 4.1. Other policies than `strict` keep the lead, and replace the trail or leave it out."""
        generalized, utf_16 = ENCODINGS["generalized-utf-8"], ENCODINGS["utf-16be"]
        for text, place, replaced, skipped in (("EDA0BDEDB880", 3, "D83DFFFD", "D83D"), ("41EDA0BDEDA0BDEDB88042", 7, "0041D83DD83DFFFD0042", "0041D83DD83D0042"),
                                               ("EDA0BDEDB880EDB880", 3, "D83DFFFDDE00", "D83DDE00"), ("EDA0BDFFEDB880", 3, "D83DFFFDDE00", "D83D")):
            data = bytes.fromhex(text)
            span = conversion.first_error(generalized, utf_16, data)
            assert span is not None
            self.assertEqual((span.offset, span.fault), (place, faults.INVALID_LEAD if "FF" in text else faults.SURROGATE_PAIR))
            for policy, expected in (("strict", None), ("whatwg", replaced), ("per-run", replaced), ("skip", skipped)):
                self.assertEqual(self.convert("generalized-utf-8", "utf-16be", data, policy), expected and bytes.fromhex(expected), (text, policy))


if __name__ == "__main__":
    unittest.main()
