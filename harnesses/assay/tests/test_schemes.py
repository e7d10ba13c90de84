# SPDX-License-Identifier: MIT
"""The worked examples of "Inventing UTF-8" (Evyl Blue) and of "How UTF-8 Encoding Works" (peter0x44), as they print them.

Each test names the heading under which its examples stand. `x` in a pattern is a bit of payload.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import unittest
from typing import Iterable, List, Tuple

from .test_cli import ASSAY

SCHEMES = ("leb128", "counter-naive", "counter-terrible", "counter-decent", "unary", "unary-freed", "utf-8-unchecked",
           "utf-8-biased", "utf-8-rfc2279")
FOR_UNICODE = ("leb128", "counter-naive", "counter-terrible", "counter-decent", "utf-8-biased")


def ask(requests: Iterable[str]) -> List[str]:
    """The replies of our codecs over the line protocol, without ids, with the names of faults."""
    lines = [f"{number} {request}" for number, request in enumerate(requests)]
    done = subprocess.run([ASSAY, "subject", "--faults", "utf-8/reference"], input="\n".join(lines) + "\n", check=True,
                          stdout=subprocess.PIPE, text=True)
    replies = done.stdout.splitlines()
    assert len(replies) == len(lines), done.stdout
    return [reply.split(" ", 1)[1] for reply in replies]


def encode_all(scheme: str, texts: Iterable[Iterable[int]]) -> List[str]:
    """The bytes of each text, in hex."""
    replies = ask(f"encode {scheme} strict " + ",".join(f"{value:X}" for value in values) for values in texts)
    return [reply[3:] if reply.startswith("ok ") else reply for reply in replies]


def encode(scheme: str, *values: int) -> str:
    """The bytes of code points, in hex."""
    return encode_all(scheme, [values])[0]


def decode_all(scheme: str, texts: Iterable[str], policy: str = "whatwg") -> List[List[int]]:
    """The code points of each text, which is in hex."""
    return [code_points(reply) for reply in ask(f"decode {scheme} {policy} {text}" for text in texts)]


def decode(scheme: str, text: str, policy: str = "whatwg") -> List[int]:
    """The code points of bytes in hex."""
    return decode_all(scheme, [text], policy)[0]


def code_points(reply: str) -> List[int]:
    """The code points in a reply to `decode`."""
    word, _, codes = reply.partition(" ")
    assert word == "ok", reply
    units = codes.split("|")[-1].replace(" ", "")
    return [int(code, 16) for code in units.split(",")] if units not in ("-", "") else []


def verdict(scheme: str, text: str) -> str:
    """`ok`, or `error OFFSET LENGTH FAULT`."""
    return ask([f"validate {scheme} {text}"])[0]


def bits(*pictures: str) -> str:
    """Bytes as a document draws them, in hex: digits, with separators that have no meaning."""
    numbers = ["".join(digit for digit in picture if digit in "01") for picture in pictures]
    assert all(len(number) == 8 for number in numbers), pictures
    return "".join(f"{int(number, 2):02X}" for number in numbers)


class Leb128Test(unittest.TestCase):
    """"Inventing UTF-8", before "We need a counter!": the table of LEB128 and what is said of its chunks."""

    BLUE, RED, GREEN = "0010'1001", "1000'0110", "1000'0010"
    TABLE: Tuple[Tuple[int, str, Tuple[str, ...]], ...] = (
        (41, "0010'1001", (BLUE,)), (297, "1 0010'1001", (BLUE, GREEN)), (809, "11 0010'1001", (BLUE, RED)),
        (33577, "1000'0011 0010'1001", (BLUE, RED, GREEN)))
    # DWARF version 5, table 7.7: examples of unsigned LEB128.
    OF_DWARF = ((2, "02"), (127, "7F"), (128, "8001"), (129, "8101"), (130, "8201"), (12857, "B964"))

    def test_the_table_byte_for_byte(self) -> None:
        """Decimal, binary and LEB128, there and back."""
        for number, binary, chunks in self.TABLE:
            self.assertEqual(int(re.sub("[^01]", "", binary), 2), number)
            self.assertEqual(encode("leb128", number), bits(*chunks))
            self.assertEqual(decode("leb128", bits(*chunks), "strict"), [number])

    def test_leb128_of_others_has_other_tags(self) -> None:
        """In DWARF and WebAssembly the bit is 1 if more chunks follow: it marks the last chunk, not the first, so the loss of the first one
        is undetected."""
        def dwarf(number: int) -> str:
            """The bytes of a number, in hex."""
            return f"{number:02X}" if number < 128 else f"{number & 127 | 128:02X}" + dwarf(number >> 7)

        for number, text in self.OF_DWARF:
            self.assertEqual(dwarf(number), text)
            self.assertEqual(encode("leb128", number) == text, number < 128)
        self.assertEqual((dwarf(297), encode("leb128", 297)), ("A902", "2982"))
        self.assertEqual((dwarf(33577), dwarf(0x106)), ("A98602", "8602"))
        self.assertEqual(decode("leb128", "A902"), [0xFFFD, 2])

    def test_padding_is_in_the_last_chunk_only(self) -> None:
        """Numbers of 1 to 21 bits have as many chunks of seven bits as they need; six bits are wasted at most, by 1, 8 and 15 bits."""
        sizes = [len(encode("leb128", min((1 << bits) - 1, 0x10FFFF))) // 2 for bits in range(1, 22)]
        self.assertEqual(sizes, [1] * 7 + [2] * 7 + [3] * 7)
        wasted = [7 * size - bits for bits, size in enumerate(sizes, 1)]
        self.assertEqual([bits for bits, waste in enumerate(wasted, 1) if waste == max(wasted)], [1, 8, 15])
        self.assertEqual(encode("leb128", 0x80), "0081")

    def test_deleted_and_appended_chunks_are_undetected(self) -> None:
        """33577 without its green chunk is 809, without the red one 297, without both 41; 41 and green is 297."""
        for chunks, number in (((self.BLUE, self.RED), 809), ((self.BLUE, self.GREEN), 297), ((self.BLUE,), 41)):
            self.assertEqual(verdict("leb128", bits(*chunks)), "ok")
            self.assertEqual(decode("leb128", bits(*chunks)), [number])

    def test_a_lost_first_chunk_is_detected_only_at_the_start_of_a_text(self) -> None:
        """"We need a start bit!" says that LEB128 cannot have this fault. After a character, the rest of the chunks joins that one."""
        self.assertEqual(verdict("leb128", bits(self.RED, self.GREEN)), "error 0 1 stray-continuation")
        whole = encode("leb128", 0x41, 33577)
        self.assertEqual(whole, "41" + bits(self.BLUE, self.RED, self.GREEN))
        self.assertEqual(verdict("leb128", "41" + bits(self.RED, self.GREEN)), "ok")
        self.assertEqual(decode("leb128", "41" + bits(self.RED, self.GREEN)), [0x41 + 6 * 128 + 2 * 128 * 128])


class NaiveCounterTest(unittest.TestCase):
    """"Inventing UTF-8", "We need a counter!": the table of 33577."""

    BLUE, RED, GREEN, BLACK = "1'011'1001", "1'010'0010", "1'001'0011", "1'000'1000"

    def test_33577(self) -> None:
        """The first row; and the binary column."""
        self.assertEqual((int("1000001100101001", 2), int("100000110010", 2)), (33577, 2098))
        text = bits(self.BLUE, self.RED, self.GREEN, self.BLACK)
        self.assertEqual(text, bits("10111001", "10100010", "10010011", "10001000"))
        self.assertEqual((encode("counter-naive", 33577), decode("counter-naive", text, "strict")), (text, [33577]))

    def test_loss_of_a_later_chunk_is_detected(self) -> None:
        """The red, the green or the black chunk; the second row lacks the red one."""
        for left, error in (((self.BLUE, self.GREEN, self.BLACK), "error 0 1 missing-continuation"),
                            ((self.BLUE, self.RED, self.BLACK), "error 0 2 missing-continuation"),
                            ((self.BLUE, self.RED, self.GREEN), "error 0 3 truncated")):
            self.assertEqual(verdict("counter-naive", bits(*left)), error)

    def test_loss_of_the_first_chunk_is_not(self) -> None:
        """The third row: the blue chunk is missing, and the value is 2098."""
        left = bits(self.RED, self.GREEN, self.BLACK)
        self.assertEqual((verdict("counter-naive", left), decode("counter-naive", left)), ("ok", [2098]))

    def test_a_repeated_chunk_leaves_an_incomplete_value_and_2098(self) -> None:
        """The last row: the red chunk twice."""
        text = bits(self.BLUE, self.RED, self.RED, self.GREEN, self.BLACK)
        self.assertEqual(verdict("counter-naive", text), "error 0 2 missing-continuation")
        self.assertEqual(decode("counter-naive", text), [0xFFFD, 2098])

    def test_24_bits_in_six_bytes(self) -> None:
        """Four bits in each chunk, and the smallest counter with which chunks reach 21 bits. It could count two chunks more; such bytes
        begin nothing here."""
        self.assertEqual([bits for bits in range(1, 7) if (7 - bits) * 2 ** bits >= 21][0], 3)
        self.assertEqual([len(encode("counter-naive", value)) // 2 for value in (0xFFFFF, 0x100000)], [5, 6])
        self.assertEqual(len(encode("counter-naive", 0x10FFFF)), 2 * 6)
        for first in ("1'110'0000", "1'111'0000"):
            self.assertEqual(verdict("counter-naive", bits(first)), "error 0 1 invalid-lead")


class TerribleCounterTest(unittest.TestCase):
    """"Inventing UTF-8", "We need a start bit!": the table of 297 and its faults."""

    FIRST, SECOND, THIRD = "1'0'010'001", "1'1'001'101", "1'1'000'100"

    def test_counters_of_later_bytes_notice_changed_bytes(self) -> None:
        """Of the 255 changes to the second byte of U+FFFF: 7 are undetected, which keep tag, start bit and counter; 63 if only the first
        byte has a counter."""
        for scheme, unseen in (("counter-terrible", 7), ("counter-decent", 63)):
            data = encode(scheme, 0xFFFF)
            changed = [f"{data[:2]}{value:02X}{data[4:]}" for value in range(256) if value != int(data[2:4], 16)]
            self.assertEqual(sum(verdict(scheme, text) == "ok" for text in changed), unseen)

    def test_the_table_of_faults(self) -> None:
        """Each row: the bytes as printed, and the expected error."""
        self.assertEqual(bits(self.FIRST, self.SECOND, self.THIRD), bits("10010001", "11001101", "11000100"))
        self.assertEqual(encode("counter-terrible", 297), bits(self.FIRST, self.SECOND, self.THIRD))
        for chunks, said in (
                ((self.FIRST, self.SECOND, self.THIRD), "ok"),
                ((self.SECOND, self.THIRD), "error 0 1 stray-continuation"),  # where is the start?
                ((self.FIRST, self.THIRD), "error 0 1 missing-continuation"),  # something is missing in the middle
                ((self.FIRST, self.SECOND), "error 0 2 truncated"),  # where is the rest?
                ((self.FIRST, self.THIRD, self.SECOND), "error 0 1 missing-continuation"),  # a hole, no start, no end
                ((self.FIRST, self.SECOND, self.SECOND, self.THIRD), "error 0 2 missing-continuation")):  # no rest, no start
            self.assertEqual(verdict("counter-terrible", bits(*chunks)), said, chunks)

    def test_21_bits_in_seven_bytes(self) -> None:
        """Three bits in each chunk. Two chunks hold six bits, fewer than one byte of ASCII, so no character takes two bytes. The counter of
        three bits could count an eighth byte, which begins nothing here."""
        seven = encode("counter-terrible", 0x10FFFF)
        self.assertEqual((seven[:2], verdict("counter-terrible", seven)), (bits("1'0'110'111"), "ok"))
        self.assertEqual(verdict("counter-terrible", bits("1'0'111'111", "1'1'110'111") + seven[2:]), "error 0 1 invalid-lead")
        self.assertEqual(len(encode("counter-terrible", 0x10FFFF)), 2 * 7)
        lengths = {len(reply) // 2 for reply in ask(f"encode counter-terrible strict {value:X}" for value in range(0x1000))}
        self.assertNotIn(len("ok ") // 2 + 2, lengths)
        self.assertEqual(verdict("counter-terrible", bits("1'0'001'111", "1'1'000'111")), "error 0 2 overlong")


class DecentCounterTest(unittest.TestCase):
    """"Inventing UTF-8", "We need one counter!" and "Information density of the start byte"."""

    FIRST, SECOND = "1'0'001'001", "11'100101"

    def test_the_table_of_297(self) -> None:
        """Complete; the rest missing; the start missing."""
        self.assertEqual(bits(self.FIRST, self.SECOND), bits("10001001", "11100101"))
        self.assertEqual(encode("counter-decent", 297), bits(self.FIRST, self.SECOND))
        self.assertEqual(verdict("counter-decent", bits(self.FIRST, self.SECOND)), "ok")
        self.assertEqual(verdict("counter-decent", bits(self.FIRST)), "error 0 1 truncated")
        self.assertEqual(verdict("counter-decent", bits(self.SECOND)), "error 0 1 stray-continuation")

    def test_two_bytes_hold_nine_bits(self) -> None:
        """Up to U+01FF: of the 208 code points of Latin Extended-B (U+0180..U+024F), 128. Offset by 128: all, to U+027F."""
        self.assertEqual([len(encode("counter-decent", value)) // 2 for value in (0x7F, 0x80, 0x1FF, 0x200)], [1, 2, 2, 3])
        self.assertEqual(len(range(0x180, 0x200)) / len(range(0x180, 0x250)), 128 / 208)
        self.assertGreater(0x1FF + 0x80, 0x24F)

    def test_swapped_later_bytes_are_undetected(self) -> None:
        """The counters in every byte detected such swaps."""
        text = encode("counter-decent", 0x20AC)
        swapped = text[:2] + text[4:6] + text[2:4]
        self.assertNotEqual(text, swapped)
        self.assertEqual(verdict("counter-decent", swapped), "ok")


class UnaryCounterTest(unittest.TestCase):
    """"Inventing UTF-8", "An unary counter" and "Removing nonsense": starting bytes and how many bytes follow."""

    BEFORE = ("0xxx'xxxx", "10xx'xxxx", "110x'xxxx", "1110'xxxx", "1111'0xxx", "1111'10xx", "1111'110x", "1111'1110")
    FREED = ("0xxx'xxxx", "110x'xxxx", "1110'xxxx", "1111'0xxx", "1111'10xx", "1111'110x", "1111'1110")

    def check_table(self, scheme: str, table: Tuple[str, ...], follow_up: str) -> None:
        """Every first byte of every row requires as many bytes as the table says; other bytes begin nothing."""
        asked = {}
        for follow_ups, picture in enumerate(table):
            digits = picture.replace("'", "")
            for value in range(256):
                if all(digit in ("x", have) for digit, have in zip(digits, f"{value:08b}")):
                    asked[value] = follow_ups
        rest = follow_up.replace("x", "0")
        requests = [f"validate {scheme} {first:02X}" + bits(rest) * count for first in range(256) for count in range(8)]
        replies = iter(ask(requests))
        for first in range(256):
            said = [next(replies) for _ in range(8)]
            if first not in asked:
                self.assertTrue(said[0].startswith("error 0 1 "), (scheme, first, said))
                continue
            for count in range(asked[first]):
                self.assertEqual(said[count], f"error 0 {count + 1} truncated", (scheme, first, count))
            self.assertTrue(said[asked[first]] in ("ok", f"error 0 {asked[first] + 1} out-of-range"), (scheme, first, said))
            self.assertFalse(said[asked[first]].endswith("truncated"))

    def test_before_the_pattern_is_freed(self) -> None:
        """0 to 7 follow."""
        self.check_table("unary", self.BEFORE, "xxxx'xxxx")

    def test_after_it_is_freed(self) -> None:
        """0 to 6 follow: the number of leading ones, minus one if there is any."""
        self.check_table("unary-freed", self.FREED, "10xx'xxxx")
        for follow_ups, picture in enumerate(self.FREED):
            ones = len(picture.replace("'", "")) - len(picture.replace("'", "").lstrip("1"))
            self.assertEqual(ones - (ones > 0), follow_ups)

    def test_four_bytes_and_no_more_are_utf_8(self) -> None:
        """"Removing nonsense": the marks of UTF-8, in which longer sequences do not begin."""
        self.check_table("utf-8-unchecked", self.FREED[:4], "10xx'xxxx")

    def test_two_bytes_have_11_bits_three_16_four_21(self) -> None:
        """"Information density of the start byte", and the x of the last table but one."""
        for scheme in ("unary-freed", "utf-8-unchecked", "utf-8", "utf-8-rfc2279"):
            sizes = [len(encode(scheme, value)) // 2 for value in (0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF)]
            self.assertEqual(sizes, [1, 2, 2, 3, 3, 4, 4], scheme)
        self.assertEqual(decode("utf-8-unchecked", bits("1111'0111", *["10'111111"] * 3)), [2 ** 21 - 1])

    def test_redundant_forms_and_surrogates(self) -> None:
        """1100'000x 10xx'xxxx has the value of 0xxx'xxxx. The quick pass accepts it, and surrogates; the validation does not."""
        for value in range(0x80):
            text = bits(f"1100'000{value >> 6}", f"10'{value & 63:06b}")
            self.assertEqual(decode("utf-8-unchecked", text, "strict"), [value])
            self.assertTrue(verdict("utf-8", text).endswith(" overlong"))
        self.assertEqual(decode("utf-8-unchecked", "EDA080", "strict"), [0xD800])
        self.assertTrue(verdict("utf-8", "EDA080").endswith(" surrogate"))

    def test_the_quick_pass_is_right_after_a_validation(self) -> None:
        """It decodes all scalar values that UTF-8 encodes."""
        values = [value for value in range(0x110000) if not 0xD800 <= value <= 0xDFFF]
        for begin in range(0, len(values), 0x10000):
            part = values[begin:begin + 0x10000]
            text = "".join(map(chr, part)).encode().hex().upper()
            self.assertEqual(decode("utf-8-unchecked", text, "strict"), part)


class BiasedTest(unittest.TestCase):
    """"Inventing UTF-8", "Removing nonsense": biasing, which "is complicated to do right"."""

    def test_every_scalar_value_has_one_form_and_nothing_is_in_between(self) -> None:
        """Forms in the order of their bytes are the scalar values in order, without a gap."""
        ends = {"00": 0, "7F": 0x7F, "C080": 0x80, "DFBF": 0x87F, "E08080": 0x880, "EFBFBF": 0x1107F, "F0808080": 0x11080}
        for text, value in ends.items():
            self.assertEqual((encode("utf-8-biased", value), decode("utf-8-biased", text)), (text, [value]))
        below, above = encode("utf-8-biased", 0xD7FF), encode("utf-8-biased", 0xE000)
        self.assertEqual(int(bits_of_payload(above), 2) - int(bits_of_payload(below), 2), 1)

    def test_how_many_bytes_it_saves(self) -> None:
        """One byte for 128 characters of U+0800..U+087F and for 4224 of U+10000..U+1107F; the document says that it saves nothing."""
        wins = [value for value in (0x7FF, 0x800, 0x87F, 0x880, 0xFFFF, 0x10000, 0x1107F, 0x11080)
                if len(encode("utf-8-biased", value)) < len(encode("utf-8", value))]
        self.assertEqual(wins, [0x800, 0x87F, 0x10000, 0x1107F])

    def test_only_what_lies_beyond_is_ill_formed(self) -> None:
        """The last scalar value and the one after it."""
        last = encode("utf-8-biased", 0x10FFFF)
        self.assertEqual(verdict("utf-8-biased", last), "ok")
        self.assertEqual(last, "F3BEBDBF")
        self.assertEqual(verdict("utf-8-biased", "F3BEBE80"), "error 0 4 out-of-range")


def bits_of_payload(text: str) -> str:
    """The payload of a sequence of three bytes with the marks of UTF-8."""
    first, second, third = (f"{byte:08b}" for byte in bytes.fromhex(text))
    return first[4:] + second[2:] + third[2:]


class TermsTest(unittest.TestCase):
    """"Inventing UTF-8", "Terms used"."""

    def test_little_and_big_endian(self) -> None:
        """The memory layout of 0815: 15 08, and 08 15."""
        self.assertEqual((encode("utf-16le", 0x815), encode("utf-16be", 0x815)), ("1508", "0815"))


class Rfc2279Test(unittest.TestCase):
    """FSS-UTF and RFC 2279, section 2: six bytes, 31 bits."""

    def test_the_ends_of_the_six_rows(self) -> None:
        """The table of section 2."""
        for length, last in enumerate((0x7F, 0x7FF, 0xFFFF, 0x1FFFFF, 0x3FFFFFF, 0x7FFFFFFF), 1):
            self.assertEqual(len(encode("utf-8-rfc2279", last)) // 2, length)
            if last < 0x7FFFFFFF:
                self.assertEqual(len(encode("utf-8-rfc2279", last + 1)) // 2, length + 1)
        self.assertEqual(encode("utf-8-rfc2279", 0x7FFFFFFF), "FDBFBFBFBFBF")
        self.assertEqual(ask(["encode utf-8-rfc2279 strict 80000000"]), ["error 0"])

    def test_holds_what_utf_8_holds(self) -> None:
        """The same bytes for every sampled scalar value; only the values beyond Unicode differ."""
        dice = random.Random(2279)
        values = [value for value in dice.sample(range(0x110000), 2000) if not 0xD800 <= value <= 0xDFFF]
        self.assertEqual(encode("utf-8-rfc2279", *values), encode("utf-8", *values))
        self.assertEqual(decode("utf-8-rfc2279", "F4908080", "strict"), [0x110000])
        self.assertTrue(verdict("utf-8-rfc2279", "F88080808A").endswith("overlong"))


class HowUtf8EncodingWorksTest(unittest.TestCase):
    """"How UTF-8 Encoding Works": its examples and its classes of what is invalid."""

    def test_encoding_examples(self) -> None:
        """Examples 1 to 4, in decimal, in binary, padded, by their thresholds, as bits and as bytes; and "Example: Decoding 0xC3 0xA9"."""
        for character, number, thresholds, binary, padded, text, pictures in (
                ("A", 65, (0, 128), "0100 0001", "1000001", "41", ("0100 0001",)),
                ("é", 233, (128, 2048), "1110 1001", "000 1110 1001", "C3A9", ("110 00011", "10 101001")),
                ("中", 20013, (2048, 65536), "0100 1110 0010 1101", "0100 1110 0010 1101", "E4B8AD", ("1110 0100", "10 111000", "10 101101")),
                ("😀", 128512, (65536, 0x110000), "0001 1111 0110 0000 0000", "0 0001 1111 0110 0000 0000", "F09F9880",
                 ("11110 000", "10 011111", "10 011000", "10 000000"))):
            self.assertEqual((ord(character), int(binary.replace(" ", ""), 2)), (number, number))
            self.assertTrue(thresholds[0] <= number < thresholds[1])
            self.assertEqual({len(one) for one in encode_all("utf-8", [[thresholds[0]], [number], [thresholds[1] - 1]])}, {len(text)})
            self.assertEqual(padded.replace(" ", ""), "".join(re.sub("^1+0|^0", "", picture.replace(" ", "")) for picture in pictures))
            self.assertEqual((encode("utf-8", ord(character)), bits(*pictures)), (text, text))
            self.assertEqual(decode("utf-8", text, "strict"), [ord(character)])

    def test_overlong_encodings(self) -> None:
        """A is 41, not C1 81 and not E0 81 81. No other character has a longer form either: ends of each length, and every 97th between
        them."""
        for count, shorter in ((2, 0x80), (3, 0x800), (4, 0x10000)):
            values = sorted({*range(0, shorter, 97), *range(0x80), 0x7FF & shorter - 1, shorter - 1})
            payloads = [[value >> 6 * at & 63 for at in reversed(range(count))] for value in values]
            longer = [f"{0xF00 >> count & 0xFF | first:02X}" + "".join(f"{0x80 | rest:02X}" for rest in others) for first, *others in payloads]
            self.assertEqual([texts[0] for texts in decode_all("utf-8-unchecked", longer, "strict")], values)
            self.assertEqual({said for said in ask(f"validate utf-8 {text}" for text in longer)}, {"error 0 1 overlong"})
        for text in ("C181", "E08181"):
            self.assertEqual(verdict("utf-8", text), "error 0 1 overlong")
            self.assertEqual(decode("utf-8-unchecked", text, "strict"), [0x41])

    def test_invalid_continuation_bytes(self) -> None:
        """80 alone; C3 without a continuation byte."""
        self.assertEqual(verdict("utf-8", "80"), "error 0 1 stray-continuation")
        self.assertEqual(verdict("utf-8", "C3"), "error 0 1 truncated")
        self.assertEqual(verdict("utf-8", "C341"), "error 0 1 missing-continuation")

    def test_invalid_byte_values(self) -> None:
        """C0, C1 and F5 to FF never appear. Of the latter, F5..F7 alone would always be beyond U+10FFFF: F8..FD begin the
        longer forms of RFC 2279, of small values too, and FE and FF nothing."""
        for value in (0xC0, 0xC1, *range(0xF5, 0x100)):
            for tail in ("", "80", "8080", "808080", "BFBFBFBFBF"):
                self.assertTrue(verdict("utf-8", f"{value:02X}{tail}").startswith("error 0 1 "))
        self.assertEqual(decode("utf-8-unchecked", "".join(f"{lead:02X}{rest:02X}" for lead in (0xC0, 0xC1) for rest in range(0x80, 0xC0)), "strict"),
                         list(range(0x80)))
        self.assertEqual(decode("utf-8-unchecked", "F5808080", "strict"), [0x140000])
        self.assertEqual(decode("unary-freed", "F88080808A", "strict"), [0x0A])
        for value in (0xFE, 0xFF):
            self.assertEqual(verdict("utf-8-rfc2279", f"{value:02X}"), "error 0 1 invalid-lead")

    def test_surrogate_code_points(self) -> None:
        """U+D800 to U+DFFF, both ends and their neighbours."""
        for text, said in (("ED9FBF", "ok"), ("EDA080", "error 0 1 surrogate"), ("EDBFBF", "error 0 1 surrogate"),
                           ("EE8080", "ok")):
            self.assertEqual(verdict("utf-8", text), said)


class ExplainTest(unittest.TestCase):
    """`assay explain` draws the bits as the document does: tag, counter, payload."""

    DRAWN = (
        ("leb128", 33577, ("0||0101001", "1||0000110", "1||0000010")),
        ("counter-naive", 33577, ("1|011|1001", "1|010|0010", "1|001|0011", "1|000|1000")),
        ("counter-terrible", 297, ("10|010|001", "11|001|101", "11|000|100")),
        ("counter-decent", 297, ("10|001|001", "11||100101")),
        ("unary", 297, ("|10|000001", "||00101001")),
        ("unary-freed", 0x1F600, ("|11110|000", "10||011111", "10||011000", "10||000000")),
        ("utf-8-unchecked", 0x41, ("|0|1000001",)),
    )

    def test_draws_tag_counter_and_payload(self) -> None:
        """As JSON and as text, whose rows have the same parts."""
        for scheme, value, parts in self.DRAWN:
            text = encode(scheme, value)
            done = subprocess.run([ASSAY, "explain", "--json", "-e", scheme, text], check=True, stdout=subprocess.PIPE)
            rows = json.loads(done.stdout)["layout"]
            self.assertEqual(tuple("|".join((row["tag"], row["counter"], row["payload"])) for row in rows), parts)
            self.assertEqual([row["code_point"] for row in rows], [value] * len(parts))
            done = subprocess.run([ASSAY, "explain", "-e", scheme, text], check=True, stdout=subprocess.PIPE, text=True)
            for row, part in zip(done.stdout.splitlines()[3:], parts):
                self.assertEqual(row.split()[2:2 + len(part.replace("|", " ").split())], part.replace("|", " ").split())
            self.assertIn(f"U+{value:04X}", done.stdout)
            self.assertIn(f" = {value}\n", done.stdout)

    def test_builds_utf_8_step_by_step(self) -> None:
        """--build: in every step, a character's bytes are those that the scheme's encoder writes, and in the last step those of CPython."""
        for value in (0x41, 0xE9, 0x8329, 0x1F600, 0x10FFFF):
            text = chr(value).encode().hex().upper()
            done = subprocess.run([ASSAY, "explain", "--build", "--json", text], check=True, stdout=subprocess.PIPE)
            built = json.loads(done.stdout)
            drawn = {step["name"]: "".join(f"{row['byte']:02X}" for row in step["layout"]) for step in built["steps"]}
            self.assertEqual((built["code_point"], drawn["utf-8"]), (value, text))
            self.assertEqual(drawn, {name: encode(name, value) for name in drawn})
            for row in (row for step in built["steps"] for row in step["layout"]):
                self.assertEqual(int(row["tag"] + row["counter"] + row["payload"], 2), row["byte"])

    def test_builds_one_character_only(self) -> None:
        """Refused: no character, two, a part of one, a surrogate, a golden case of an error, whose title is not printed."""
        for words in (("",), ("4142",), ("E4B8",), ("-e", "wtf-8", "EDA080"), ("utf-8/overlong/c080",)):
            done = subprocess.run([ASSAY, "explain", "--build", *words], check=False, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn("one well-formed character", done.stderr)

    def test_draws_what_is_in_error(self) -> None:
        """The bytes of an error have the marks by which they were read; a byte that begins nothing is drawn as what it resembles."""
        done = subprocess.run([ASSAY, "explain", "--json", "-e", "unary-freed", "E4B890FF"], check=True, stdout=subprocess.PIPE)
        rows = json.loads(done.stdout)["layout"]
        self.assertEqual([row["fault"] for row in rows], ["none"] * 3 + ["invalid-lead"])
        self.assertEqual((rows[3]["tag"], rows[3]["counter"], rows[3]["payload"]), ("", "", "11111111"))


class CodecTest(unittest.TestCase):
    """What holds for the codecs of all schemes."""

    def test_ascii_has_the_bytes_that_it_had(self) -> None:
        """In every scheme: the same number of bytes, with the same bits, in both directions."""
        text = bytes(range(0x80)).hex().upper()
        for scheme in (*SCHEMES, "utf-8"):
            self.assertEqual((encode(scheme, *range(0x80)), decode(scheme, text, "strict")), (text, list(range(0x80))), scheme)

    def test_gives_every_code_point_back(self) -> None:
        """Every 13th scalar value (`assay promises` checks all), and surrogates in the schemes that hold them."""
        values = [value for value in range(0, 0x110000, 13) if not 0xD800 <= value <= 0xDFFF]
        for scheme in SCHEMES:
            for begin in range(0, len(values), 0x40000):
                part = values[begin:begin + 0x40000]
                self.assertEqual(decode(scheme, encode(scheme, *part), "strict"), part, scheme)
        for scheme in ("unary", "unary-freed", "utf-8-unchecked"):
            self.assertEqual(decode(scheme, encode(scheme, 0xD800, 0xDFFF), "strict"), [0xD800, 0xDFFF])

    def test_well_formed_is_what_the_encoder_writes(self) -> None:
        """For the schemes of Unicode, well-formed is exactly what the encoder writes: random strings, and damaged ones."""
        dice = random.Random(8)
        for scheme in FOR_UNICODE:
            texts = [bytes(dice.choices(range(256), k=dice.randint(1, 6))).hex().upper() for _ in range(3000)]
            good = [text for text, said in zip(texts, ask(f"validate {scheme} {text}" for text in texts)) if said == "ok"]
            self.assertGreater(len(good), 50, scheme)
            self.assertEqual(encode_all(scheme, decode_all(scheme, good, "strict")), good, scheme)

    def test_any_cut_gives_the_same(self) -> None:
        """In streams, errors and characters do not depend on the pieces."""
        dice = random.Random(9)
        requests, groups = [], []
        for scheme in SCHEMES:
            texts = [dice.choices((0x41, 0xE9, 0x20AC, 0x1F600, 0x10FFFF), k=4) for _ in range(200)]
            for encoded in encode_all(scheme, texts):
                text = bytearray.fromhex(encoded)
                text[dice.randrange(len(text))] = dice.randrange(256)
                hexes = [f"{byte:02X}" for byte in text]
                cut = dice.randrange(len(hexes))
                for policy in ("whatwg", "skip", "per-run", "strict"):
                    groups.append(len(requests))
                    for text_of in ("".join(hexes), ",".join(hexes), "".join(hexes[:cut]) + "," + "".join(hexes[cut:])):
                        requests.append(f"decode {scheme} {policy} {text_of.strip(',')}")
        replies = [reply.replace("|", "").replace(",", "") for reply in ask(requests)]
        for at in groups:
            self.assertEqual(len({reply.replace("-", "") for reply in replies[at:at + 3]}), 1, requests[at:at + 3])

    def test_diff_holds_no_scheme_to_what_only_utf_8_claims(self) -> None:
        """Bytes that are not encoded again, and a number that another byte would change, are no divergence between decoders."""
        for scheme, text in (("utf-8-unchecked", "C080"), ("unary-freed", "C080"), ("leb128", "8100")):
            done = subprocess.run([ASSAY, "diff", "-e", scheme, text], stdout=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_refuses_what_it_does_not_hold(self) -> None:
        """Refused: values beyond the scheme, surrogates, policies of UTF-8."""
        for scheme in FOR_UNICODE:
            self.assertEqual(ask([f"encode {scheme} strict D800", f"encode {scheme} strict 41,110000",
                                  f"encode {scheme} whatwg DC00"]),
                             ["error 0", "error 1", "ok " + encode(scheme, 0xFFFD)])
            self.assertTrue(ask([f"decode {scheme} surrogateescape 80"])[0].startswith("skip"))


if __name__ == "__main__":
    unittest.main()
