# SPDX-License-Identifier: MIT
"""The positions tier: that each answer is that of the whole text, and that no kind of error and no offset is missing."""

from __future__ import annotations

import csv
import unittest
from itertools import product
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

from witness import conversion, encoders, faults, policies, positions
from witness.automaton import REJECT
from witness.positions import CONVERT, DECODE, ENCODE_UTF16, EVERY, NOTHING, NULL, STOPS
from witness.rows import ENCODINGS, UTF_8, WTF_16, Encoding

ROOT = Path(__file__).resolve().parent.parent.parent
STRIDE = 37  # every 37th line is compared with the witness, at some offsets of each
FARTHEST = 600
FEW = 64  # units; the texts with every window are longer


def read(name: str) -> List[Dict[str, str]]:
    """A table as it lies in the checkout."""
    with (ROOT / positions.FOLDER / name).open(encoding="ascii", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def parts_of(encoding: Encoding) -> Dict[Tuple[str, str], Dict[str, str]]:
    """The parts of an encoding, by operation and name."""
    return {(row["operation"], row["part"]): row for row in read(f"{encoding.name}-parts.tsv")}


def composed(parts: Dict[Tuple[str, str], Dict[str, str]], line: Dict[str, str], offset: int) -> List[Dict[str, str]]:
    """The parts of one text, by the rule of FORMAT.md."""
    part = {role: parts.get((line["operation"], line[role])) for role in ("before", "pad", "filler", "subject", "after")}
    units = len(items(part["filler"])) // len(items(part["pad"]))
    row = [part["before"], *[part["pad"]] * (offset % units), *[part["filler"]] * (offset // units), part["subject"],
           *[part["after"]] * int(line["times"])]
    return [one for one in row if one is not None]


def items(part: Any) -> Sequence[int]:
    """The input of a part: bytes, or units."""
    if part["operation"] in positions.OF_UNITS:
        return [int(unit, 16) for unit in part["input"].split(",")]
    return bytes.fromhex(part["input"])


def groups(row: Sequence[Dict[str, str]], policy: str) -> List[str]:
    """What comes out of each segment under a policy, until it stops."""
    found: List[str] = []
    for part in row:
        for group in part[policy].split("|"):
            if group == STOPS:
                return found
            found.append(group)
    return found


class PositionsTest(unittest.TestCase):
    """The tables of the checkout."""

    def test_texts_of_utf_8_begin_with_every_order_of_lengths(self) -> None:
        """Decoded: four characters of 1 to 3 bytes, six of 1 or 2. Encoded from UTF-16: four of 1 to 3."""
        parts = parts_of(UTF_8)
        begins = set()
        for line in read("utf-8-positions.tsv"):
            if line["offsets"] == "0":
                units = [unit for one in composed(parts, line, 0) for unit in items(one)]
                points = units if line["operation"] in positions.OF_UNITS else policies.decode(UTF_8, bytes(units), policies.WHATWG)
                lengths = tuple(1 if point < 0x80 else 2 if point < 0x800 else 3 for point in points)
                begins |= {(line["operation"], lengths[:4]), (line["operation"], lengths[:6])}
        for operation, lengths, count in ((DECODE, (1, 2, 3), 4), (DECODE, (1, 2), 6), (ENCODE_UTF16, (1, 2, 3), 4)):
            self.assertEqual({(operation, order) for order in product(lengths, repeat=count)} - begins, set())

    def test_texts_to_encode_have_every_window(self) -> None:
        """Eight units of 1 or 2 bytes, and four of 1 to 3, in every order, where an encoder that takes 16 units at a time finds its first window, and
        each other one."""
        for encoding in [one for one in ENCODINGS.values() if one.unit == 1 and not one.strips_bom]:
            parts, found = parts_of(encoding), set()
            lines = [line for line in read(f"{encoding.name}-positions.tsv") if line["operation"] == ENCODE_UTF16]
            for line in [line for line in lines if len(items(parts[ENCODE_UTF16, line["subject"]])) > FEW]:
                for offset in positions.numbers(line["offsets"]):
                    units = [unit for one in composed(parts, line, offset) for unit in items(one)]
                    lengths = [1 if unit < 0x80 else 2 if unit < 0x800 else 3 for unit in units]
                    found |= {(at % 16, *lengths[at:at + size]) for size in (4, 8) for at in range(0, len(lengths), size)}
            for kinds, size in ((1, 2), 8), ((1, 2, 3), 4):
                wanted = {(at, *order) for at in range(0, 16, size) for order in product(kinds, repeat=size)}
                self.assertEqual(wanted - found, set(), encoding.name)

    def assert_decodes(self, encoding: Encoding, row: Sequence[Dict[str, str]]) -> None:
        """Spans, when they are certain, and every output are those of the whole text."""
        text = b"".join(bytes(items(part)) for part in row)
        segments, at = [], 0
        for part in row:
            begin = at
            for length, fault, certain in zip(*(part[key].split(",") for key in ("lengths", "faults", "certain"))):
                segments.append((at, int(length), fault, None if certain == NOTHING else begin + int(certain)))
                at += int(length)
        real = policies.segments(encoding, text)
        self.assertEqual(segments, [(one.offset, one.length, one.span.fault if one.span else NOTHING, one.known_after)
                                    for one in real])
        for policy in positions.policies_of(encoding, DECODE):
            self.assertEqual(groups(row, policy), [positions.scalars(event.output)
                                                   for event in policies.events(encoding, text, policy)])

    def assert_encodes(self, encoding: Encoding, operation: str, row: Sequence[Dict[str, str]]) -> None:
        """Bytes under every policy, and where it stops, are those of the whole text."""
        units = [unit for part in row for unit in items(part)]
        read_steps = encoders.steps_of_utf16 if operation == ENCODE_UTF16 else encoders.steps_of_code_points
        steps = read_steps(encoding, units)
        faults = [fault for part in row for fault in part["faults"].split(",")]
        self.assertEqual(faults, [step.fault or NOTHING for step in steps])
        for policy in positions.policies_of(encoding, operation):
            output = "".join(groups(row, policy)).replace(NOTHING, "")
            self.assertEqual(output, encoders.encode(encoding, steps, policy)[0].hex().upper())

    def assert_converts(self, encoding: Encoding, target: Encoding, row: Sequence[Dict[str, str]]) -> None:
        """Bytes under every policy, and the error at which strict stops, are those of the whole text."""
        text = b"".join(bytes(items(part)) for part in row)
        for policy in positions.policies_of(encoding, CONVERT):
            output = "".join(groups(row, policy)).replace(NOTHING, "")
            self.assertEqual(output, (conversion.convert(encoding, target, text, policy) or b"").hex().upper())
        error, at, first = conversion.first_error(encoding, target, text), 0, None
        for length, fault in (pair for part in row for pair in zip(part["lengths"].split(","), part["faults"].split(","))):
            first = first or ((at, int(length), fault) if fault != NOTHING else None)
            at += int(length)
        self.assertEqual(first, error and (error.offset, error.length, error.fault))

    def test_texts_are_their_parts(self) -> None:
        """Tries some lines of each operation, at some of their offsets, for every encoding."""
        for encoding in ENCODINGS.values():
            parts, operations = parts_of(encoding), set()
            for number, line in enumerate(read(f"{encoding.name}-positions.tsv")):
                offsets = [offset for offset in positions.numbers(line["offsets"]) if offset <= FARTHEST]
                if number % STRIDE and line["operation"] in operations:
                    continue
                operations.add(line["operation"])
                for offset in {offsets[0], offsets[number % len(offsets)], offsets[-1]}:
                    row = composed(parts, line, offset)
                    if line["operation"] == DECODE:
                        self.assert_decodes(encoding, row)
                    elif line["operation"].startswith(CONVERT):
                        self.assert_converts(encoding, ENCODINGS[line["operation"][len(CONVERT):]], row)
                    else:
                        self.assert_encodes(encoding, line["operation"], row)
            self.assertEqual(operations, {line["operation"] for line in read(f"{encoding.name}-positions.tsv")})

    def test_every_refusal_is_at_every_offset(self) -> None:
        """Each state and each class of bytes that it refuses is the subject of a line, after characters of each length."""
        for encoding in [one for one in ENCODINGS.values() if not one.strips_bom]:
            scanner, parts = policies.machine(encoding), parts_of(encoding)
            before: Dict[bytes, set] = {}
            for line in read(f"{encoding.name}-positions.tsv"):
                if line["operation"] == DECODE and line["offsets"] == EVERY:
                    subject = bytes(items(parts[DECODE, line["subject"]]))
                    before.setdefault(subject, set()).add(len(items(parts[DECODE, line["filler"]])))
            for state in (state for state in range(scanner.state_count) if state != REJECT):
                for byte in scanner.representatives():
                    wanted = scanner.access[state] + bytes((byte,))
                    if faults.fault_in(encoding, scanner, state, byte) is not None:
                        found = [lengths for subject, lengths in before.items() if subject.startswith(wanted)]
                        self.assertTrue(any(len(lengths) >= 2 for lengths in found), (encoding.name, wanted.hex()))

    def test_every_fault_is_right_after_another_error(self) -> None:
        """At every offset, in one part; but the second half of a pair in WTF-8: a character is before it. In WTF-16 only the end of input
        is an error, so no other can be before it."""
        for encoding in [one for one in ENCODINGS.values() if not one.strips_bom]:
            parts, after_error, faults_seen = parts_of(encoding), set(), set()
            for line in read(f"{encoding.name}-positions.tsv"):
                if line["operation"] == DECODE and line["offsets"] == EVERY:
                    found = parts[DECODE, line["subject"]]["faults"].split(",")
                    faults_seen.update(found)
                    after_error.update(fault for before, fault in zip(found, found[1:]) if before != NOTHING)
            if encoding.name in WTF_16:
                self.assertEqual(faults_seen, {NOTHING, faults.TRUNCATED})
            else:
                self.assertEqual(faults_seen - {NOTHING, faults.SURROGATE_PAIR}, after_error - {NOTHING}, encoding.name)

    def test_columns_hold_what_the_format_says(self) -> None:
        """An operation has `null` for the policies that it does not have, and no other has."""
        for (operation, name), part in parts_of(UTF_8).items():
            offered = positions.policies_of(UTF_8, operation)
            for policy in UTF_8.policies[1:]:
                self.assertEqual(part[policy] == NULL, policy not in offered, (operation, name))

    def test_a_part_with_two_answers_is_refused(self) -> None:
        """A trail after a lead: what comes out of it is not what comes out of it elsewhere."""
        wtf_8, lead, trail = ENCODINGS["wtf-8"], (0xED, 0xA0, 0xBD), (0xED, 0xB0, 0x80)
        tier = positions.Tier(wtf_8)
        tier.add(positions.Sketch(DECODE, lead, (0x41,)))
        with self.assertRaises(ValueError):
            tier.add(positions.Sketch(DECODE, lead, trail))


if __name__ == "__main__":
    unittest.main()
