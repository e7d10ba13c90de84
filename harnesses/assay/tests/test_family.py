# SPDX-License-Identifier: MIT
"""`assay subject` on every encoding of the family: each codec against the Python witness, and against CPython where it
has the codec (`surrogatepass`: generalized UTF-8, and UTF-16 with unpaired surrogates)."""

from __future__ import annotations

import os
import random
import unittest
from typing import Iterator, List, Optional, Sequence, Tuple

from .driver import Exchange, groups_of, hexadecimal, pieces_of, running, scalars, talk, unlike
from witness import encoders
from witness import policies
from witness.corpus import tokens
from witness.rows import ENCODINGS, POLICIES, Encoding

SEED = 20250301
COUNT = int(os.environ.get("ASSAY_REQUESTS", "700")) // 5  # inputs for each encoding; each is some thirty requests

FAMILY = [encoding for encoding in ENCODINGS.values() if not encoding.strips_bom]
VALUES = (0x00, 0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFD, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF, 0xD800, 0xD83D, 0xDBFF, 0xDC00,
          0xDC80, 0xDE00, 0xDFFF, 0x110000, 0xFFFFFFFF)
PLAIN = (0x41, 0xE9, 0x20AC, 0x1F600)

Place = Tuple[int, int, int]  # a code point; offset and length of its bytes


def error(offset: int, length: int) -> str:
    """The reply to ill-formed input."""
    return f"error {offset} {length}"


def first_error(encoding: Encoding, text: bytes) -> Optional[str]:
    """The reply for the witness's first error, or None if there is none."""
    found = policies.spans(encoding, text)
    return error(found[0].offset, found[0].length) if found else None


def byte_order(encoding: Encoding) -> str:
    """The byte order of an encoding of 16-bit units."""
    return "big" if encoding.rows[0].places[0] == 0 else "little"


def any_units(encoding: Encoding, text: bytes, policy: str) -> Tuple[List[Place], Optional[str]]:
    """Potentially ill-formed UTF-16 (WTF-8, section 4): pairs are joined, unpaired surrogates are kept."""
    units = [int.from_bytes(text[at:at + 2], byte_order(encoding)) for at in range(0, len(text) - 1, 2)]  # type: ignore[arg-type]
    found: List[Place] = []
    at = 0
    while at < len(units):
        joined = encoders.supplementary(units[at], units[at + 1] if at + 1 < len(units) else None)
        length = 1 if joined is None else 2
        found.append((units[at] if joined is None else joined, 2 * at, 2 * length))
        at += length
    name = f"utf-16-{byte_order(encoding)[0]}e"
    assert [place[0] for place in found] == [ord(char) for char in text[:2 * at].decode(name, "surrogatepass")], text
    if len(text) % 2 and policy == "strict":
        return found, error(len(text) - 1, 1)
    if len(text) % 2 and policy != "skip":
        found.append((policies.REPLACEMENT, len(text) - 1, 1))
    return found, None


def reading(source: Encoding, target: Encoding, text: bytes, policy: str) -> Tuple[List[Place], Optional[str]]:
    """The text as the other encoding reads it, and the reply to the error that ends it."""
    if source.unit == 2 and target.holds_surrogates:
        return any_units(source, text, policy)
    stopped = first_error(source, text) if policy == "strict" else None
    return [(code_point, event.segment.offset, event.segment.length)
            for event in policies.events(source, text, policy) for code_point in event.output], stopped


def converted(source: Encoding, target: Encoding, text: bytes, policy: str) -> str:
    """The reply to `transcode`: through code points; UTF-16 accepts unpaired surrogates from other encodings."""
    places, stopped = reading(source, target, text, policy)
    code_points = [place[0] for place in places]
    if stopped is not None:
        return stopped
    if target.unit == 2 and source.name == "generalized-utf-8":  # WTF-8, section 4.1: the trail of a pair of code points is an error
        trails = {index for index in range(1, len(places))
                  if 0xD800 <= code_points[index - 1] < 0xDC00 <= code_points[index] < 0xE000}
        if trails and policy == "strict":
            return error(*places[min(trails)][1:])
        code_points = [policies.REPLACEMENT if index in trails else code_point for index, code_point in enumerate(code_points)
                       if index not in trails or policy != "skip"]
    if target.unit == 2 and source.unit == 1:
        order = byte_order(target)
        units = policies.utf16_units(code_points)
        return f"ok {hexadecimal(b''.join(unit.to_bytes(2, order) for unit in units))}"  # type: ignore[arg-type]
    if policy not in target.policies:  # such a policy describes decoders: for encoding it replaces, or stops, depending on whether it gives bytes back
        policy = "strict" if policy == "surrogateescape" else "whatwg"
    out, index = encoders.encode(target, encoders.steps_of_code_points(target, code_points), policy)
    return f"ok {hexadecimal(out)}" if index is None else error(*places[index][1:])


def inputs(dice: random.Random, encoding: Encoding, count: int) -> Iterator[bytes]:
    """Tokens, alternately good and of any kind, after characters that put them at every offset of a block."""
    pieces = [text for _, text in tokens(encoding)]
    good = [text for text in pieces if not policies.spans(encoding, text)]
    yield b""
    for number in range(count - 1):
        text = b"".join(dice.choices(pieces if number % 2 else good, k=dice.randrange(1, 6)))
        if number % 3 == 0:
            text = (encoding.encode(dice.choice(PLAIN)) or b"") * dice.randrange(40) + text
        yield text + (encoding.encode(0x7A) or b"") * (dice.randrange(70) if number % 5 == 0 else 0)


def decoding(dice: random.Random, encoding: Encoding, text: bytes) -> Iterator[Exchange]:
    """One input, whole and in pieces, under every policy of its encoding."""
    stopped = first_error(encoding, text)
    yield f"validate {encoding.name} {hexadecimal(text)}", stopped or "ok"
    if encoding.name == "generalized-utf-8" and stopped is None:
        passed = text.decode("utf-8", "surrogatepass")
        assert policies.decode(encoding, text, "strict") == [ord(char) for char in passed], text
    for policy in encoding.policies:
        pieces = pieces_of(dice, text)
        ended = stopped if policy == "strict" else None
        yield (f"decode {encoding.name} {policy} {hexadecimal(text)}",
               ended or f"ok {scalars(policies.decode(encoding, text, policy))}")
        yield (f"decode {encoding.name} {policy} {','.join(map(hexadecimal, pieces))}",
               ended or groups_of(policies.decode_chunks(encoding, pieces, policy)))


def encoding_of_values(dice: random.Random, encoding: Encoding) -> Iterator[Exchange]:
    """Code points; half of the time only those that the encoding can hold."""
    values = dice.choices(VALUES, k=dice.randrange(8))
    if dice.randrange(2):
        values = [value for value in values if value <= 0x10FFFF and encoding.encode(value) is not None]
    for policy in encoding.policies:
        out, index = encoders.encode(encoding, encoders.steps_of_code_points(encoding, values), policy)
        yield (f"encode {encoding.name} {policy} {scalars(values)}",
               f"ok {hexadecimal(out)}" if index is None else f"error {index}")


def transcoding(dice: random.Random, source: Encoding, text: bytes) -> Iterator[Exchange]:
    """To every encoding, itself among them."""
    for target in FAMILY:
        policy = dice.choice(("strict", "whatwg", dice.choice(source.policies)))
        yield f"transcode {source.name} {target.name} {policy} {hexadecimal(text)}", converted(source, target, text, policy)


def concatenation(encoding: Encoding, left: bytes, right: bytes) -> Iterator[Exchange]:
    """Concatenates tokens as they are, and their well-formed parts."""
    def good(text: bytes) -> bytes:
        steps = encoders.steps_of_code_points(encoding, policies.decode(encoding, text, "skip"))
        return encoders.encode(encoding, steps, "strict")[0]

    for first, second in ((left, right), (good(left), good(right)), (good(right), right)):
        try:
            reply = f"ok {hexadecimal(encoders.concatenate(encoding, first, second))}"
        except encoders.IllFormed:
            reply = "error"
        yield f"concat {encoding.name} {hexadecimal(first)},{hexadecimal(second)}", reply


def exchanges(encoding: Encoding, count: int) -> List[Exchange]:
    """All requests to a codec of an encoding."""
    dice = random.Random(SEED)
    found: List[Exchange] = []
    previous = b""
    for text in inputs(dice, encoding, count):
        found += [*decoding(dice, encoding, text), *encoding_of_values(dice, encoding), *transcoding(dice, encoding, text),
                  *concatenation(encoding, previous, text)]
        previous = text
    return found


class FamilyTest(unittest.TestCase):
    """Every codec of every encoding."""

    def test_every_codec_answers_as_the_witness(self) -> None:
        """Thousands of requests to each codec that runs here."""
        for encoding in FAMILY:
            asked = exchanges(encoding, COUNT)
            self.assertGreater(len(asked), 24 * COUNT)
            names = running(encoding.name)
            self.assertIn(f"{encoding.name}/reference", names)
            for name in names:
                with self.subTest(codec=name):
                    self.assertEqual(unlike(name, asked), [])

    def test_offers_every_operation_of_every_encoding(self) -> None:
        """The greeting lists all operations; a policy that an encoding does not have is refused, not guessed."""
        for encoding in FAMILY:
            for name in running(encoding.name):
                hello = talk(name, b"hello assay/1\n")[0].decode()
                offers = dict(word.split("=") for word in hello.split(" ")[4:])
                self.assertLessEqual(set(ENCODINGS), set(offers["encodings"].split(",")))
                self.assertEqual(offers["ops"], "validate,decode,stop,reuse,into,encode,encode-utf16,boundaries,concat,to-well-formed,"
                                 "transcode")
                absent = [policy for policy in POLICIES if policy not in encoding.policies]
                replies = talk(name, "".join(f"1 decode {encoding.name} {policy} -\n" for policy in absent).encode())
                self.assertEqual([reply[:6] for reply in replies], [b"1 skip"] * len(absent), name)


if __name__ == "__main__":
    unittest.main()
