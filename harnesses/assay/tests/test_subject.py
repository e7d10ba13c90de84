# SPDX-License-Identifier: MIT
"""`assay subject`: a driver that shares no code with it holds every codec against CPython and the Python witness.

CPython answers where it implements the policy: `strict` (with the range of its error), `replace` (whatwg), `ignore`
(skip), `surrogateescape`, UTF-16, the signature, and decoding in pieces. The witness answers for the other policies.
Where CPython's incremental decoders are left out, it is said why.
"""

from __future__ import annotations

import codecs
import os
import random
import re
import subprocess
import unittest
from typing import Iterator, List, Optional, Sequence, Tuple

from .driver import ASSAY, Exchange, groups_of, hexadecimal, pieces_of, running, scalars, talk, unlike
from witness import encoders
from witness import policies
from witness.rows import UTF_8, UTF_8_SIG

SEED = 20240607
COUNT = int(os.environ.get("ASSAY_REQUESTS", "700"))  # inputs for each codec; each is several requests

CPYTHON = {"strict": "strict", "whatwg": "replace", "skip": "ignore", "surrogateescape": "surrogateescape"}
FRAGMENTS = tuple(bytes.fromhex(text) for text in (
    "41 00 7F C280 DFBF E0A080 EC9D80 ED9FBF EE8080 EFBFBF F0908080 F48FBFBF EFBBBF EFBFBD "  # well-formed
    "80 BF C0 C1 C2 E0 E0A0 E09F ED EDA0 EDA080 EDBFBF F0 F090 F09080 F08F F4 F490 F48F F5 F8 FC FE FF "
    "C080 E08080 F0808080 F4908080 F888808080 FC8480808080 EDA0BDEDB2A9").split())
SURROGATE = re.compile(rb"\xED[\xA0-\xBF]")
UNITS = (0x0041, 0x0000, 0xFFFD, 0xFEFF, 0xFFFF, 0xD7FF, 0xE000, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xDC80, 0x20AC)
VALUES = (0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF, 0xD800, 0xDBFF, 0xDC00, 0xDC80, 0xDCFF, 0xDFFF,
          0x110000, 0xFFFFFFFF)


def error_of(text: bytes, codec: str) -> Optional[str]:
    """The reply for CPython's first error, or None if there is none."""
    try:
        text.decode(codec)
    except UnicodeDecodeError as error:
        return f"error {error.start} {error.end - error.start}"
    return None


def inputs(dice: random.Random, count: int) -> Iterator[bytes]:
    """Fragments, good and bad, after fillers that put them at every offset of a block."""
    yield b""
    for number in range(count - 1):
        text = b"".join(dice.choices(FRAGMENTS, k=dice.randrange(1, 9)))
        if number % 3 == 0:
            text = dice.choice(("a", "\u00e9", "\u20ac", "\U0001f600")).encode() * dice.randrange(40) + text
        if number % 7 == 0:
            text = b"\xEF\xBB\xBF" + text
        yield text + b"z" * (dice.randrange(70) if number % 5 == 0 else 0)


def decoding_in_pieces(pieces: Sequence[bytes], policy: str) -> str:
    """The output of CPython's incremental decoder after each piece."""
    decoder = codecs.getincrementaldecoder("utf-8")(CPYTHON[policy])
    groups = [decoder.decode(piece, index + 1 == len(pieces)) for index, piece in enumerate(pieces)]
    return "ok " + "|".join(scalars([ord(char) for char in group]) for group in groups)


def utf_8_questions(dice: random.Random, text: bytes) -> Iterator[Exchange]:
    """One input, whole, under every policy, and its conversion to UTF-16."""
    error = error_of(text, "utf-8")
    yield f"validate utf-8 {hexadecimal(text)}", error or "ok"
    yield f"validate utf-8-sig {hexadecimal(text).lower()}", error or "ok"
    for policy in policies.POLICIES:
        output = policies.decode(UTF_8, text, policy)
        if policy in CPYTHON and (policy != "strict" or error is None):
            assert output == [ord(char) for char in text.decode("utf-8", CPYTHON[policy])], (text, policy)
        stopped = error if policy == "strict" else None
        yield f"decode utf-8 {policy} {hexadecimal(text)}", stopped or f"ok {scalars(output)}"
    policy = dice.choice(policies.POLICIES)
    stopped = error if policy == "strict" else None
    units = policies.utf16_units(policies.decode(UTF_8, text, policy))
    for order in ("little", "big"):
        out = b"".join(unit.to_bytes(2, order) for unit in units)  # type: ignore[arg-type]
        yield f"transcode utf-8 utf-16{order[0]}e {policy} {hexadecimal(text)}", stopped or f"ok {hexadecimal(out)}"
    yield f"transcode utf-8 utf-8 surrogateescape {hexadecimal(text)}", f"ok {hexadecimal(text)}"
    whole = policies.decode(UTF_8_SIG, text, "whatwg")
    yield f"transcode utf-8-sig utf-8 whatwg {hexadecimal(text)}", "ok " + hexadecimal("".join(map(chr, whole)).encode())


def signature_questions(dice: random.Random, text: bytes) -> Iterator[Exchange]:
    """One U+FEFF at the very start does not belong to the text. CPython counts offsets after it, we from the first byte."""
    pieces = pieces_of(dice, text)
    policy = dice.choice(policies.POLICIES[1:])
    if policy in CPYTHON:
        ours = policies.decode(UTF_8_SIG, text, policy)
        assert ours == [ord(char) for char in text.decode("utf-8-sig", CPYTHON[policy])], (text, policy)
    yield (f"decode utf-8-sig {policy} {','.join(map(hexadecimal, pieces))}",
           groups_of(policies.decode_chunks(UTF_8_SIG, pieces, policy)))


def piece_questions(dice: random.Random, text: bytes) -> Iterator[Exchange]:
    """The same input in pieces. CPython's incremental decoder reports the error of a surrogate too late (at ED A0 it waits for a third
    byte), so it is asked only about inputs without one.
    """
    pieces = pieces_of(dice, text)
    error = error_of(text, "utf-8")
    joined = ",".join(piece.hex() or dice.choice(("-", "")) for piece in pieces) if len(pieces) > 1 else hexadecimal(text)
    for policy in policies.POLICIES:
        reply = groups_of(policies.decode_chunks(UTF_8, pieces, policy))
        if policy in CPYTHON and policy != "strict" and not SURROGATE.search(text):
            assert decoding_in_pieces(pieces, policy) == reply, (pieces, policy)
        yield f"decode utf-8 {policy} {joined}", error if policy == "strict" and error else reply


def encode_questions(dice: random.Random) -> Iterator[Exchange]:
    """Code points, surrogates and values beyond U+10FFFF among them."""
    values = dice.choices(VALUES, k=dice.randrange(8))
    if dice.randrange(2):
        values = [value for value in values if value not in range(0xD800, 0xE000) and value <= 0x10FFFF]
    for policy in policies.POLICIES:
        out, stopped = encoders.encode(UTF_8, encoders.steps_of_code_points(UTF_8, values), policy)
        if policy in ("strict", "skip", "surrogateescape") and max(values, default=0) <= 0x10FFFF and stopped is None:
            assert out == "".join(map(chr, values)).encode("utf-8", CPYTHON[policy]), (values, policy)
        yield f"encode utf-8 {policy} {scalars(values)}", f"ok {hexadecimal(out)}" if stopped is None else f"error {stopped}"
    held = [value for value in values if value <= 0x10FFFF and value not in range(0xD800, 0xE000)]
    text = "".join(map(chr, held))
    for name in ("utf-16le", "utf-16be"):
        yield f"encode {name} strict {scalars(held)}", f"ok {hexadecimal(text.encode(name))}"


def concat_questions(text: bytes, other: bytes) -> Iterator[Exchange]:
    """Each part must be well-formed by itself."""
    good = error_of(text, "utf-8") is None and error_of(other, "utf-8") is None
    yield f"concat utf-8 {hexadecimal(text)},{hexadecimal(other)}", f"ok {hexadecimal(text + other)}" if good else "error"
    part = text.decode("utf-8", "ignore").encode()
    yield f"concat utf-8 {hexadecimal(part)},-", f"ok {hexadecimal(part)}"


def utf_8_exchanges(count: int) -> List[Exchange]:
    """All requests to a codec for UTF-8."""
    dice = random.Random(SEED)
    exchanges: List[Exchange] = []
    previous = b""
    for text in inputs(dice, count):
        exchanges += [*utf_8_questions(dice, text), *signature_questions(dice, text), *piece_questions(dice, text),
                      *encode_questions(dice), *concat_questions(previous, text)]
        previous = text
    return exchanges


def utf_16_questions(dice: random.Random, name: str) -> Iterator[Exchange]:
    """Units in a byte order, some followed by an odd byte."""
    order = "little" if name == "utf-16le" else "big"
    units = dice.choices(UNITS, k=dice.randrange(7))
    text = b"".join(unit.to_bytes(2, order) for unit in units)  # type: ignore[arg-type]
    text += b"\x41" * dice.randrange(2)
    error = error_of(text, name)
    yield f"validate {name} {hexadecimal(text)}", error or "ok"
    for policy in ("strict", "whatwg", "skip"):
        output = text.decode(name, CPYTHON[policy]) if policy != "strict" or error is None else ""
        stopped = error if policy == "strict" else None
        yield f"decode {name} {policy} {hexadecimal(text)}", stopped or f"ok {scalars([ord(char) for char in output])}"
        yield f"transcode {name} utf-8 {policy} {hexadecimal(text)}", stopped or f"ok {hexadecimal(output.encode())}"
    if error is None:
        cut = dice.randrange(len(text) + 1)
        decoder = codecs.getincrementaldecoder(name)()
        first, second = decoder.decode(text[:cut]), decoder.decode(text[cut:], True)
        groups = "|".join(scalars([ord(char) for char in group]) for group in (first, second))
        yield f"decode {name} strict {hexadecimal(text[:cut])},{hexadecimal(text[cut:])}", f"ok {groups}"


EXAMPLES = (
    ("1 validate utf-8 41C080", "1 error 1 1"),
    ("2 decode utf-8 whatwg E2,82AC41", "2 ok -|20AC,41"),
    ("3 decode utf-8 strict EDA080", "3 error 0 1"),
    ("surrogate-3 decode utf-8 surrogateescape 41FF", "surrogate-3 ok 41,DCFF"),
    ("hello validate utf-8 41", "hello ok"),  # an ID may be any word
)

# Malformed requests, and the words of each refusal.
MALFORMED = (
    (b"", b"- skip"), (b" ", b"- skip"), (b"1", b"1 skip"), (b"1 validate", b"1 skip"), (b"1 validate utf-8", b"1 skip"),
    (b"1 validate utf-8 4", b"1 skip malformed"), (b"1 validate utf-8 4G", b"1 skip malformed"),
    (b"1 validate utf-8 0x41", b"1 skip malformed"), (b"1 validate utf-8 41 42", b"1 skip the wrong number"),
    (b"1 validate utf-8 41,42", b"1 skip malformed"), (b"1 validate utf-9 41", b"1 skip this encoding"),
    (b"1 validate UTF-8 41", b"1 skip this encoding"), (b"1 decode utf-8 lenient 41", b"1 skip there is no such policy"),
    (b"1 decode utf-8 whatwg 41|42", b"1 skip malformed"), (b"1 decode utf-8 whatwg 4,1", b"1 skip malformed"),
    (b"1 decode utf-8 strict", b"1 skip the wrong number"), (b"1 decode utf-16le jdk 4100", b"1 skip this policy"),
    (b"1 encode utf-8 strict 0x41", b"1 skip malformed"), (b"1 encode utf-8 strict 41,", b"1 skip malformed"),
    (b"1 encode utf-8 strict ,41", b"1 skip malformed"), (b"1 encode utf-8 strict 41,,42", b"1 skip malformed"),
    (b"1 encode utf-8 strict U+41", b"1 skip malformed"), (b"1 encode utf-8 strict -41", b"1 skip malformed"),
    (b"1 transcode utf-8 utf-16le strict 41 42", b"1 skip the wrong number"),
    (b"1 transcode utf-8 utf-7 strict 41", b"1 skip this pair"), (b"1 concat utf-8 41", b"1 skip malformed"),
    (b"1 concat utf-8 41,42,43", b"1 skip malformed"), (b"1 guess utf-8 41", b"1 skip this operation"),
    (b"hello", b"hello skip"), (b"hello assay/2", b"hello skip"), (b"hello assay/1 there", b"hello skip"),
    (b"1 validate utf-8 41\x00", b"- skip"), (b"1 validate utf-8 41\r\r", b"- skip"), (b"\x00", b"- skip"),
    (b"1\rvalidate utf-8 41", b"- skip"), (b"1\tvalidate\tutf-8\t41", b"- skip"), (b"\xFF\xFE 1", b"- skip"),
    (b"\x1b[2J validate utf-8 41", b"- skip"), (b"%s%n validate utf-8 41", b"%s%n ok"),
)


class SubjectTest(unittest.TestCase):
    """One reply for each request."""

    def assert_replies(self, codec: str, exchanges: Sequence[Exchange]) -> None:
        """Every reply is the one that was expected."""
        self.assertEqual(unlike(codec, exchanges), [])

    def test_every_codec_answers_as_cpython_and_the_witness(self) -> None:
        """Several thousand requests to each codec that runs here."""
        exchanges = utf_8_exchanges(COUNT)
        self.assertGreater(len(exchanges), 25 * COUNT)
        names = running("utf-8")
        self.assertIn("utf-8/reference", names)
        for name in names:
            self.assert_replies(name, exchanges)

    def test_a_piece_may_end_right_after_an_error(self) -> None:
        """An error near the end of a block, then one or two bytes, then a cut: the error must not be remembered. One codec did so."""
        exchanges = []
        for lead in (b"\xC3", b"\xE4", b"\xE4\xB8", b"\xF0\x9F", b"\xF0\x9F\x98", b"\xF5", b"\x80"):
            for before in range(52, 70):
                text = b"a" * before + lead + b"abc"
                for cut in range(before + 1, len(text)):
                    pieces = [text[:cut], text[cut:]]
                    exchanges.append((f"decode utf-8 whatwg {','.join(map(hexadecimal, pieces))}",
                                      groups_of(policies.decode_chunks(UTF_8, pieces, "whatwg"))))
        for name in running("utf-8"):
            self.assert_replies(name, exchanges)

    def test_utf_16_is_answered_as_cpython_does(self) -> None:
        """In both byte orders, also by a subject for another encoding."""
        for name in ("utf-16le", "utf-16be"):
            dice = random.Random(SEED)
            exchanges = [exchange for _ in range(COUNT) for exchange in utf_16_questions(dice, name)]
            for codec in [*running(name), "utf-8/reference"]:
                self.assert_replies(codec, exchanges)

    def test_utf_16_runs_are_one_replacement(self) -> None:
        """Not in CPython: an end inside a pair, and runs."""
        self.assert_replies("utf-16le/reference", [
            ("validate utf-16le 3DD800", "error 0 3"), ("decode utf-16le whatwg 3DD800", "ok FFFD"),
            ("decode utf-16le per-run 00D800D84100", "ok FFFD,41"), ("decode utf-16le whatwg 3D,D8,A9,DE", "ok -|-|-|1F6A9"),
            ("transcode utf-16be utf-8 strict D83DDEA9", "ok F09F9AA9"), ("concat utf-16le 3DD8,A9DE", "error")])

    def test_says_hello(self) -> None:
        """The form of the greeting; each item that it offers is answered."""
        for name in running("utf-8"):
            hello, = talk(name, b"hello assay/1\n")
            words = hello.decode("ascii").split(" ")
            self.assertEqual(words[:3], ["hello", "assay/1", name])
            offers = dict(word.split("=") for word in words[4:])
            self.assertEqual(set(offers), {"encodings", "policies", "ops", "chunks"})
            self.assertEqual(set(offers["policies"].split(",")), set(policies.POLICIES))
            self.assertLessEqual({"utf-8", "utf-8-sig", "utf-16le", "utf-16be", "utf-16le-sig", "utf-16be-sig"}, set(offers["encodings"].split(",")))

    def test_answers_the_examples(self) -> None:
        """The examples in the description of the protocol."""
        requests = "".join(f"{request}\n" for request, _ in EXAMPLES).encode()
        for name in running("utf-8"):
            self.assertEqual([reply.decode() for reply in talk(name, requests)], [reply for _, reply in EXAMPLES])

    def test_help_states_the_protocol(self) -> None:
        """The help has a reply for each operation, in its real form, the forms of refusal, and a true example in pieces."""
        said = subprocess.run([ASSAY, "subject", "--help"], capture_output=True, text=True, check=True).stdout
        words = " ".join(said.split())
        for request, reply in (("validate utf-8 41", "ok"), ("decode utf-8 strict 41,42", "ok 41|42"), ("encode utf-8 strict 41", "ok 41"),
                               ("transcode utf-8 utf-16be strict 41", "ok 0041"), ("concat utf-8 41,42", "ok 4142")):
            self.assertEqual(unlike("utf-8/reference", [(request, reply)]), [])
            form = "ID ok" if reply == "ok" else "ID ok SCALARS" if "decode" in request else "ID ok HEX"
            self.assertRegex(said, rf"(?m)^  ID {request.split()[0]} .* {form}\b")
        self.assertRegex(words, r"validate, decode and transcode reply `ID error OFFSET LENGTH`.* in bytes of the input;")
        self.assertRegex(said, r"(?m)^  ID encode .* ID error INDEX$")
        self.assertRegex(said, r"(?m)^  ID concat .* ID error$")
        self.assertIn("INDEX is the index of the first scalar that encode refuses, from 0.", words)
        self.assertIn("`ID skip REASON`", words)
        self.assertEqual(unlike("utf-8/reference", [
            ("validate utf-8 41E282", "error 1 2"), ("decode utf-8 strict 41,E2,82", "error 1 2"), ("encode utf-8 strict 41,D800", "error 1"),
            ("transcode utf-16le utf-8 strict 410000D8", "error 2 2"), ("concat utf-8 41,FF", "error")]), [])
        request, reply = re.findall(r"`(1 [^`]*)`", words)
        self.assertEqual(talk("utf-8/reference", request.encode("ascii")), [reply.encode("ascii")])
        self.assertRegex(request, r"[0-9A-F],[0-9A-F]")

    def test_names_faults_when_asked_to(self) -> None:
        """With the option, the fault is the third figure."""
        self.assertEqual(talk("utf-8/reference", b"1 validate utf-8 EDA080\n2 decode utf-8 strict E282\n", "--faults"),
                         [b"1 error 0 1 surrogate", b"2 error 0 2 truncated"])

    def test_a_signature_is_at_the_very_beginning_only(self) -> None:
        """A second U+FEFF is not a signature, nor one after an error that is skipped."""
        self.assert_replies("utf-8/reference", [
            ("decode utf-8-sig skip FFEFBBBF41", "ok FEFF,41"), ("transcode utf-8-sig utf-8 skip FFEFBBBF41", "ok EFBBBF41"),
            ("decode utf-8-sig skip EF,-,BB,BF,41", "ok -|-|-|-|41"), ("decode utf-8-sig strict EFBBBFEFBBBF", "ok FEFF"),
            ("decode utf-8-sig strict EFBBBFFF", "error 3 1"), ("decode utf-8-sig whatwg EFBB", "ok FFFD"),
            ("decode utf-16le-sig skip FF,-,FE,41,00", "ok -|-|-|-|41"), ("decode utf-16be-sig strict FEFFFEFF", "ok FEFF"),
            ("decode utf-16le-sig skip 00DCFFFE", "ok FEFF"), ("decode utf-16le-sig strict FEFF", "ok FFFE"),
            ("decode utf-16be-sig whatwg FE", "ok FFFD"), ("validate utf-16be-sig FEFFDC00", "error 2 2"),
            ("transcode utf-16be-sig utf-8 strict FEFF0041", "ok 41"), ("encode utf-16be-sig strict 41", "skip encoding to this is not offered")])


class HostileTest(unittest.TestCase):
    """Malformed requests also get one line each."""

    def test_refuses_malformed_requests(self) -> None:
        """The next request is answered."""
        for name in running("utf-8"):
            for end in (b"\n", b"\r\n"):
                replies = talk(name, b"".join(request + end + b"2 validate utf-8 41" + end for request, _ in MALFORMED))
                self.assertEqual(len(replies), 2 * len(MALFORMED))
                for (request, expected), reply, after in zip(MALFORMED, replies[::2], replies[1::2]):
                    self.assertTrue(reply.startswith(expected), (name, request, reply))
                    self.assertEqual(after, b"2 ok")

    def test_the_last_line_needs_no_end(self) -> None:
        """With and without LF."""
        self.assertEqual(talk("utf-8/reference", b"1 validate utf-8 41\n2 validate utf-8 FF"), [b"1 ok", b"2 error 0 1"])
        self.assertEqual(talk("utf-8/reference", b""), [])

    def test_takes_large_requests(self) -> None:
        """A mebibyte of hex, 5000 pieces, 100000 code points."""
        text = "\u20ac\U0001f600a".encode() * 65536  # 8 bytes, 3 code points
        codepoints = "20AC,1F600,61"
        for name in running("utf-8"):
            replies = talk(name, b"".join((
                b"1 validate utf-8 " + text.hex().encode() + b"\n",
                b"2 validate utf-8 " + text.hex().encode() + b"C\n",
                b"3 decode utf-8 whatwg " + b",".join(text[i:i + 1].hex().encode() for i in range(5000)) + b"\n",
                b"4 encode utf-8 strict " + ",".join([codepoints] * 33334).encode() + b"\n",
                b"5 validate utf-8 " + text.hex().encode() + b"FF\n",
                b"6 decode utf-8 whatwg " + b"," * 5000 + b"\n",
                b"x" * (1 << 20) + b" validate utf-8 41\n")))
            self.assertEqual((replies[0], replies[1]), (b"1 ok", b"2 skip malformed HEX"), name)
            self.assertEqual(replies[2], b"3 ok " + b"|".join([b"-|-|20AC|-|-|-|1F600|61"] * 625), name)
            self.assertEqual(replies[3], b"4 ok " + text.hex().upper().encode()[:16] * 33334, name)
            self.assertEqual(replies[4], f"5 error {len(text)} 1".encode(), name)
            self.assertEqual(replies[5], b"6 ok " + b"|".join([b"-"] * 5001), name)
            self.assertEqual(replies[6], b"x" * (1 << 20) + b" ok", name)

    def test_a_line_without_end_is_refused(self) -> None:
        """Such a line would fill the memory."""
        with open("/dev/zero", "rb") as endless:
            done = subprocess.run([ASSAY, "subject", "utf-8/reference"], stdin=endless, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"longer than 67108864 bytes", done.stderr)

    def test_garbage_gets_a_line_for_a_line(self) -> None:
        """Random bytes, and requests with random damage, get one line each."""
        dice = random.Random(SEED)
        lines = [bytes(dice.randrange(256) for _ in range(dice.randrange(80))).replace(b"\n", b"") for _ in range(500)]
        for request, _ in utf_8_exchanges(20):
            line = bytearray(b"1 " + request.encode())
            for _ in range(3):
                line[dice.randrange(len(line))] = dice.choice(b" ,|-0FfG\x00\xFF")
            lines.append(bytes(line))
        for name in running("utf-8"):
            replies = talk(name, b"\n".join(lines) + b"\n")
            self.assertEqual(len(replies), len(lines), name)
            for reply in replies:
                self.assertRegex(reply, rb"\A[ -~]+ (ok|error|skip)( [ -~]+)?\Z", name)

    def test_refuses_unknown_codecs(self) -> None:
        """Exit code 2."""
        for codec in ("utf-8", "utf-8/", "/", "utf-8/none", "utf-9/reference", ""):
            done = subprocess.run([ASSAY, "subject", codec], capture_output=True, text=True, check=False, input="")
            self.assertEqual((done.returncode, done.stdout), (2, ""), codec)
            self.assertIn("assay subject: ", done.stderr)
        folder = os.open("/", os.O_RDONLY)
        self.addCleanup(os.close, folder)
        done = subprocess.run([ASSAY, "subject", "utf-8/reference"], capture_output=True, text=True, check=False, stdin=folder)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("directory", done.stderr)


if __name__ == "__main__":
    unittest.main()
