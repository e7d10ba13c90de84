# SPDX-License-Identifier: MIT
"""The positions tier: each kind of error, character and unit at every offset of a block, amid characters of each length.

A *part* is a piece of text with its own answer; a *line* stands for the texts in which parts follow each other, one for each
offset (vectors/FORMAT.md). A part's answer is what the witness says of it inside its line's texts. It must be the same in
all of them, so that the answer to a text is those of its parts, one after the other.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from . import conversion, encoders, policies
from .ledger import digest_of
from .rows import ENCODINGS, Encoding

FOLDER = "vectors/complete"
PART_COLUMNS = ("operation", "part", "input", "lengths", "faults", "certain")
LINE_COLUMNS = ("name", "operation", "offsets", "before", "pad", "filler", "subject", "after", "times")

DECODE, ENCODE, ENCODE_UTF16, CONVERT = "decode", "encode", "encode-utf16", "convert-"
OF_UNITS = (ENCODE, ENCODE_UTF16)
STOPS = "!"
NOTHING = "-"
NULL = "null"  # where an operation has no such policy
PAD = 0x41

LONGEST_NAME = 256
EVERY = "0-130"
LONG = "255-257,65535-65537,70000"
Units = Tuple[int, ...]


class Segment(NamedTuple):
    """A character or an error, with its output under each policy but `strict`."""

    length: int
    fault: Optional[str]
    certain: Optional[int]  # after this many bytes of the part; None: at the end of input
    outputs: Tuple[str, ...]


Answer = Tuple[Segment, ...]


@dataclass(frozen=True)
class Sketch:
    """A line without its answers: units (for `decode` and `convert`, bytes) in the order in which they stand in the text."""

    operation: str
    filler: Units
    subject: Units
    after: Units = ()
    times: int = 0
    before: Units = ()
    offsets: str = EVERY


def numbers(offsets: str) -> List[int]:
    """The offsets that a column of the table lists."""
    found: List[int] = []
    for item in offsets.split(","):
        first, _, last = item.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def policies_of(encoding: Encoding, operation: str) -> Tuple[str, ...]:
    """The policies whose output the table of parts gives; that of `strict` follows from the faults."""
    offered = conversion.LOOSE if operation.startswith(CONVERT) else encoding.policies
    return tuple(policy for policy in offered if policy != policies.STRICT)


def hexadecimal(text: bytes) -> str:
    """The bytes as HEX of vectors/FORMAT.md."""
    return text.hex().upper() or NOTHING


@lru_cache(maxsize=1 << 12)
def scalars(units: Units) -> str:
    """The units as SCALARS of vectors/FORMAT.md."""
    return ",".join(f"{unit:X}" for unit in units) or NOTHING


def decoded(encoding: Encoding, text: bytes) -> Answer:
    """The expected answer of a decoder, for each segment."""
    columns = [[scalars(event.output) for event in policies.events(encoding, text, policy)]
               for policy in policies_of(encoding, DECODE)]
    return tuple(Segment(one.length, one.span and one.span.fault, one.known_after, outputs)
                 for one, *outputs_ in zip(policies.segments(encoding, text), *columns) for outputs in [tuple(outputs_)])


def encoded(encoding: Encoding, operation: str, units: Units) -> Answer:
    """The expected answer of an encoder, for each code point. If a policy stops at one, encoding starts again after it, because other parts
    may follow."""
    read = encoders.steps_of_utf16 if operation == ENCODE_UTF16 else encoders.steps_of_code_points
    steps = read(encoding, units)
    columns = []
    for policy in policies_of(encoding, operation):
        column: List[str] = []
        while len(column) < len(steps):
            column += [STOPS if output is None else hexadecimal(output)
                       for _, output in encoders.events(encoding, steps[len(column):], policy)]
        columns.append(column)
    return tuple(Segment(step.length, step.fault, None, outputs)
                 for step, *outputs_ in zip(steps, *columns) for outputs in [tuple(outputs_)])


def split(answer: Answer, lengths: Sequence[int]) -> List[Answer]:
    """The segments of an answer, for each part; `certain` counts from the start of the part."""
    found, at, rest = [], 0, list(answer)
    for length in lengths:
        start, own = at, []
        while at < start + length:
            segment = rest.pop(0)
            own.append(segment._replace(certain=None if segment.certain is None else segment.certain - start))
            at += segment.length
        if at != start + length:
            raise ValueError(f"a character or an error is in two parts, at {start + length}")
        found.append(tuple(own))
    return found


def converted(source: Encoding, target: Encoding, texts: Sequence[bytes]) -> List[Answer]:
    """The expected answers of a conversion, for each part: all output of a part belongs to its first segment."""
    ends = [b"".join(texts[:count]) for count in range(len(texts) + 1)]
    written = [[conversion.convert(source, target, end, policy) or b"" for end in ends] for policy in policies_of(source, CONVERT)]
    found: List[Answer] = []
    for index, text in enumerate(texts):
        outputs = []
        for before, until in (column[index:index + 2] for column in written):
            if not until.startswith(before):
                raise ValueError("what follows a part changes what comes out of it")
            outputs.append(hexadecimal(until[len(before):]))
        error = conversion.first_error(source, target, text)
        cuts = [(len(text), None)] if error is None else [
            (error.offset, None), (error.length, error.fault), (len(text) - error.offset - error.length, None)]
        nothing = (NOTHING,) * len(outputs)
        segments = [Segment(length, fault, None, nothing) for length, fault in cuts if length]
        found.append(tuple([segments[0]._replace(outputs=tuple(outputs)), *segments[1:]] if segments else ()))
    return found


class Tier:
    """The parts and lines of an encoding."""

    def __init__(self, encoding: Encoding) -> None:
        """Starts without parts and lines."""
        self.encoding = encoding
        self.parts: Dict[Tuple[str, Units], Dict[Answer, str]] = {}
        self.lines: Dict[str, Tuple[Sketch, Dict[str, str]]] = {}
        self.pads: Dict[str, str] = {}  # the name of the pad, for each operation

    def pad(self, operation: str) -> Units:
        """The character of one unit that fills an offset before the fillers, if it is not a multiple of the filler's length."""
        return (PAD,) if operation in OF_UNITS else tuple(self.encoding.encode(PAD) or b"")

    def roles(self, sketch: Sketch, offset: int, times: int) -> List[Tuple[str, Units]]:
        """The parts of one text in order, each with its role."""
        pad = self.pad(sketch.operation)
        count, rest = divmod(offset, len(sketch.filler) // len(pad))
        return [("before", sketch.before), *[("pad", pad)] * rest, *[("filler", sketch.filler)] * count,
                ("subject", sketch.subject), *[("after", sketch.after)] * times]

    def answers(self, operation: str, texts: Sequence[Units]) -> List[Answer]:
        """The answer of each part of a text."""
        if operation.startswith(CONVERT):
            return converted(self.encoding, ENCODINGS[operation[len(CONVERT):]], [bytes(text) for text in texts])
        whole = tuple(unit for text in texts for unit in text)
        answer = encoded(self.encoding, operation, whole) if operation in OF_UNITS else decoded(self.encoding, bytes(whole))
        return split(answer, [len(text) for text in texts])

    def name(self, operation: str, units: Units, answer: Answer) -> str:
        """The name of a part: its units, or how many they are and a digest; and a number if the same units have another answer elsewhere."""
        if not units:
            return NOTHING
        known = self.parts.setdefault((operation, units), {})
        text = "-".join(f"{unit:x}" for unit in units) if operation in OF_UNITS else bytes(units).hex()
        if len(text) > LONGEST_NAME:
            text = f"{len(units)}-units-{digest_of(text)}"
        return known.setdefault(answer, f"{text}_{len(known) + 1}" if known else text)

    def add(self, sketch: Sketch) -> None:
        """Adds a line. Raises ValueError unless each part has the same answer at two offsets: the first, and after two fillers and a pad.
        Parts that are repeated are tested twice."""
        operation, first = sketch.operation, numbers(sketch.offsets)[0] if sketch.offsets[0] == "1" else 0
        pad = self.pad(operation)
        two_and_a_pad = 2 * len(sketch.filler) // len(pad) + 1
        if operation not in self.pads:
            self.pads[operation] = self.name(operation, pad, self.answers(operation, [pad])[0])
        columns = {"pad": self.pads[operation]}
        for offset in (first, two_and_a_pad):
            roles = self.roles(sketch, offset, min(sketch.times, 2))
            for (role, units), answer in zip(roles, self.answers(operation, [units for _, units in roles])):
                name = self.name(operation, units, answer)
                if columns.setdefault(role, name) != name:
                    raise ValueError(f"{self.encoding.name}: the {role} of {sketch} has two answers")
        columns = {"before": NOTHING, "after": NOTHING, **columns}
        words = [operation, columns["before"], columns["filler"], columns["subject"],
                 f"{columns['after']}x{sketch.times}", sketch.offsets.replace(",", "-")]
        name = f"{self.encoding.name}/positions/{hashlib.sha256(' '.join(words).encode('ascii')).hexdigest()[:8]}"
        if self.lines.setdefault(name, (sketch, columns)) != (sketch, columns):
            raise ValueError(f"{name} is two lines")

    def part_rows(self) -> Iterator[Tuple[str, ...]]:
        """The rows of the table of parts, one for each part."""
        named = policies_of(self.encoding, DECODE)
        yield (*PART_COLUMNS, *named)
        for (operation, units), known in self.parts.items():
            for answer, name in known.items():
                given = scalars(units) if operation in OF_UNITS else hexadecimal(bytes(units))
                groups = dict(zip(policies_of(self.encoding, operation), zip(*(one.outputs for one in answer))))
                yield (operation, name, given, *lengths_of(answer),
                       *("|".join(groups[policy]) if policy in groups else NULL for policy in named))

    def line_rows(self) -> Iterator[Tuple[str, ...]]:
        """The rows of the table of lines."""
        yield LINE_COLUMNS
        for name, (sketch, columns) in self.lines.items():
            yield (name.rsplit("/", 1)[1], sketch.operation, sketch.offsets, columns["before"], columns["pad"], columns["filler"],
                   columns["subject"], columns["after"], str(sketch.times))

    def digests(self) -> Dict[str, str]:
        """The digest of each line, as its id and the other columns, and of its parts with their answers; by id."""
        rows = {(row[0], row[1]): row for row in self.part_rows()}
        lines = [(name, *row[1:]) for name, row in zip(self.lines, list(self.line_rows())[1:])]
        return {row[0]: digest_of(repr((row, [rows.get((row[1], part)) for part in row[3:8]]))) for row in lines}


def lengths_of(answer: Answer) -> Tuple[str, ...]:
    """Three columns: the length of each segment, its fault, and the number of bytes after which it is certain."""
    return (",".join(str(one.length) for one in answer), ",".join(one.fault or NOTHING for one in answer),
            ",".join(NOTHING if one.certain is None else str(one.certain) for one in answer))


def table(rows: Iterator[Tuple[str, ...]]) -> str:
    """Rows as tab-separated lines."""
    return "".join("\t".join(row) + "\n" for row in rows)
