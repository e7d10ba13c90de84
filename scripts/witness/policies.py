# SPDX-License-Identifier: MIT
"""The expected output of decoders: spans (Unicode 17.0, D93b), and from them the output under every policy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import List, NamedTuple, Optional, Sequence, Tuple

from . import faults
from .automaton import ACCEPT, REJECT, Automaton, scanner_of
from .rows import POLICIES, Encoding

STRICT, WHATWG, JDK, PER_BYTE, PER_SEQUENCE, PER_RUN, SKIP, SURROGATEESCAPE = POLICIES

REPLACEMENT = 0xFFFD
BOM = 0xFEFF
ESCAPE = 0xDC00  # PEP 383: U+DC00 + byte

OK, FULL, ERROR = "ok", "full", "error"


@dataclass(frozen=True)
class Span:
    """One maximal subpart of an ill-formed subsequence, in bytes."""

    offset: int
    length: int
    fault: str
    incomplete: bool


class Segment(NamedTuple):
    """A character (`code_point`) or a maximal subpart (`span`). It is certain after `known_after` bytes of input.

    A truncated sequence is certain only at the end of input; its `known_after` is None.
    """

    offset: int
    length: int
    code_point: Optional[int]
    span: Optional[Span]
    known_after: Optional[int]


class Event(NamedTuple):
    """The output of one segment under a policy: code points that are written whole or not at all."""

    segment: Segment
    output: Tuple[int, ...]


@dataclass(frozen=True)
class Limited:
    """The numbers of bytes read and units written, and the status, with limited room for output."""

    capacity: int
    read: int
    written: int
    status: str


machine = scanner_of  # finds the characters and the errors of a text


@lru_cache(maxsize=4096)
def character(encoding: Encoding, sequence: bytes) -> Optional[int]:
    """The code point of one whole sequence; cached."""
    return encoding.decode(sequence)


class Cutter:
    """Cuts a text into segments."""

    def __init__(self, encoding: Encoding, text: bytes) -> None:
        """Starts at the beginning of the text."""
        self.encoding, self.text, self.scanner = encoding, text, machine(encoding)
        self.found: List[Segment] = []
        self.start = self.at = self.seen = 0
        self.state = ACCEPT

    def add(self, length: int, code_point: Optional[int], span: Optional[Span], known_after: Optional[int]) -> None:
        """Ends a segment of `length` bytes; bytes read after it are read again."""
        self.found.append(Segment(self.start, length, code_point, span, known_after))
        self.start = self.at = self.start + length

    def add_refused(self) -> None:
        """Ends a complete half, or an error, because the byte before `at` was refused."""
        state, self.state = self.state, ACCEPT
        back, before = self.scanner.back[state], self.at - 1
        fault = faults.fault_in(self.encoding, self.scanner, state, self.text[before])
        unit = self.encoding.unit
        # The refused unit is read again, unless it is the first.
        length = before - back - self.start if back is not None else max(self.at - unit - self.start, unit)
        if fault is None:
            self.add_character(length)
        else:
            self.add(length, None, Span(self.start, length, fault, False), self.seen)

    def add_character(self, length: int) -> None:
        """Ends a segment that is a character."""
        self.add(length, character(self.encoding, self.text[self.start:self.start + length]), None, self.seen)

    def add_end(self) -> None:
        """Ends a text inside a sequence: the rest is one error, except for a half that is a character."""
        length, back = self.at - self.start, self.scanner.back[self.state]
        half = None if back is None else character(self.encoding, self.text[self.start:self.at - back])
        self.state = ACCEPT
        if half is None or back is None:
            self.add(length, None, Span(self.start, length, faults.TRUNCATED, True), None)
        else:
            self.add(length - back, half, None, None)

    def run(self) -> Tuple[Segment, ...]:
        """Returns all segments."""
        text, end, delta, between = self.text, len(self.text), self.scanner.delta, self.scanner.between
        while self.start < end:
            while self.at < end:
                following = delta[self.state][text[self.at]]
                self.at += 1
                if self.at > self.seen:
                    self.seen = self.at
                if following == REJECT:
                    self.add_refused()
                    continue
                self.state = following
                if between[following]:
                    self.add_character(self.at - self.start)
            if self.start < end:
                self.add_end()
        return tuple(self.found)


@lru_cache(maxsize=16)
def segments(encoding: Encoding, text: bytes) -> Tuple[Segment, ...]:
    """The characters and maximal subparts of any bytes, in order; together they cover the whole input."""
    return Cutter(encoding, text).run()


def boundary(encoding: Encoding, text: bytes, at: int) -> int:
    """The offset at which the character or maximal subpart that contains the byte at `at` begins; for the end, the end."""
    starts = [segment.offset for segment in segments(encoding, text)]
    return max((start for start in [*starts, len(text)] if start <= at), default=0)


def spans(encoding: Encoding, text: bytes) -> List[Span]:
    """Every error of the input, in order."""
    return [segment.span for segment in segments(encoding, text) if segment.span is not None]


def old_scheme_continuations(lead: int) -> int:
    """The number of continuation bytes after a lead in RFC 2279, section 2, which has up to 6 bytes per character."""
    ones = 0
    while ones < 8 and lead & 0x80 >> ones:
        ones += 1
    return ones - 1 if 2 <= ones <= 6 else 0


def absorbed_after(policy: str, text: bytes, span: Span) -> int:
    """The maximal number of continuation bytes after an error that belong to its replacement."""
    if policy == PER_SEQUENCE:
        return max(old_scheme_continuations(text[span.offset]) - (span.length - 1), 0)
    if policy == JDK and span.fault == faults.SURROGATE:
        return 2
    return 0


def replacement(policy: str, subpart: bytes, in_run: bool) -> Tuple[int, ...]:
    """The replacement of one maximal subpart under a policy."""
    if policy == SURROGATEESCAPE:
        return tuple(ESCAPE + byte for byte in subpart)
    if policy == PER_BYTE:
        return (REPLACEMENT,) * len(subpart)
    if policy in (SKIP, STRICT) or policy == PER_RUN and in_run:
        return ()
    return (REPLACEMENT,)


def require_offered(encoding: Encoding, policy: str) -> None:
    """Raises an error for an unknown policy, and for one that the encoding does not have."""
    if policy not in POLICIES:
        raise ValueError(f"no policy is called {policy!r}")
    if policy not in encoding.policies:
        raise ValueError(f"{encoding.name} has no policy {policy!r}")


def events(encoding: Encoding, text: bytes, policy: str) -> List[Event]:
    """The output of each segment under a policy; `strict` ends at the first error."""
    require_offered(encoding, policy)
    found: List[Event] = []
    absorb, in_run = 0, False
    for segment in segments(encoding, text):
        span = segment.span
        if span is None:
            assert segment.code_point is not None
            signature = encoding.strips_bom and segment.offset == 0 and segment.code_point == BOM
            output: Tuple[int, ...] = () if signature else (segment.code_point,)
            absorb = 0
        elif absorb and faults.is_continuation(text[span.offset]):
            output = ()
            absorb -= 1
        else:
            output = replacement(policy, text[span.offset:span.offset + span.length], in_run)
            absorb = absorbed_after(policy, text, span)
        in_run = span is not None
        found.append(Event(segment, output))
        if policy == STRICT and span is not None:
            break
    return found


def decode(encoding: Encoding, text: bytes, policy: str) -> List[int]:
    """The code points of the whole input under a policy; under `strict`, those before the first error."""
    return [code_point for event in events(encoding, text, policy) for code_point in event.output]


def piece_of(known_after: Optional[int], ends: Sequence[int]) -> int:
    """The index of the piece with which `known_after` bytes have arrived; the number of pieces for the end of input."""
    if known_after is None:
        return len(ends)
    return next(index for index, end in enumerate(ends) if end >= known_after)


def ends_of(pieces: Sequence[bytes]) -> List[int]:
    """The number of bytes that have arrived with each piece."""
    return [sum(len(piece) for piece in pieces[:index + 1]) for index in range(len(pieces))]


def decode_chunks(encoding: Encoding, pieces: Sequence[bytes], policy: str) -> List[List[int]]:
    """The output that is certain with each piece and not before, and the output at the end of input."""
    ends = ends_of(pieces)
    groups: List[List[int]] = [[] for _ in range(len(pieces) + 1)]
    for event in events(encoding, b"".join(pieces), policy):
        groups[piece_of(event.segment.known_after, ends)] += event.output
    return groups


def error_piece(encoding: Encoding, pieces: Sequence[bytes]) -> Optional[int]:
    """The index of the piece with which the first error is certain; the number of pieces for the end; None without error."""
    for segment in segments(encoding, b"".join(pieces)):
        if segment.span is not None:
            return piece_of(segment.known_after, ends_of(pieces))
    return None


def utf16_units(code_points: Sequence[int]) -> List[int]:
    """Code points as UTF-16 units (Unicode 17.0, Table 3-5); a surrogate is one unit."""
    units = []
    for code_point in code_points:
        if code_point > 0xFFFF:
            high, low = divmod(code_point - 0x10000, 0x400)
            units += [0xD800 + high, 0xDC00 + low]
        else:
            units.append(code_point)
    return units


def unit_count(code_points: Sequence[int], utf16: bool) -> int:
    """The number of output units of code points."""
    return len(utf16_units(code_points)) if utf16 else len(code_points)


def limited(encoding: Encoding, text: bytes, policy: str, capacity: int, utf16: bool) -> Limited:
    """The result of decoding the whole input into `capacity` units. A character or replacement is written whole or not at all."""
    read = written = 0
    for event in events(encoding, text, policy):
        if policy == STRICT and event.segment.span is not None:
            return Limited(capacity, read, written, ERROR)
        units = unit_count(event.output, utf16)
        if written + units > capacity:
            return Limited(capacity, read, written, FULL)
        read += event.segment.length
        written += units
    return Limited(capacity, read, written, OK)
