# SPDX-License-Identifier: MIT
"""The well-formedness rows of each encoding, typed from the document that defines it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Dict, FrozenSet, Iterator, Optional, Sequence, Tuple

ByteRange = Tuple[int, int]

# The context of a character: anything, or right after a lead surrogate.
ANYWHERE, AFTER_LEAD = 0, 1
EVERYWHERE = frozenset((ANYWHERE, AFTER_LEAD))

LEADS, TRAILS = (0xD800, 0xDBFF), (0xDC00, 0xDFFF)


@dataclass(frozen=True)
class Row:
    """Code points `first`..`last`, and the range of each byte of their sequences.

    `significance` lists the places of the bytes, most significant first, if that is not their order.
    `half` is the length of the first half if a sequence is two surrogates, else 0.
    The row is allowed in the contexts `stands`; after it, the context is `leaves`.
    """

    first: int
    last: int
    ranges: Tuple[ByteRange, ...]
    significance: Tuple[int, ...] = ()
    half: int = 0
    stands: FrozenSet[int] = EVERYWHERE
    leaves: int = ANYWHERE

    def __post_init__(self) -> None:
        """Checks that there are as many byte sequences as code points."""
        sequences = 1
        for low, high in self.ranges:
            sequences *= high - low + 1
        if sequences != self.last - self.first + 1:
            raise ValueError(f"row U+{self.first:04X}..U+{self.last:04X} has {sequences} byte sequences")
        if sorted(self.places) != list(range(len(self.ranges))):
            raise ValueError(f"row U+{self.first:04X}..U+{self.last:04X} names the places {self.significance}")

    @cached_property
    def places(self) -> Tuple[int, ...]:
        """The places of the bytes, most significant first."""
        return self.significance or tuple(range(len(self.ranges)))

    def encode(self, code_point: int) -> bytes:
        """The byte sequence of a code point of this row: its rank, in the mixed radix of the byte ranges."""
        rank = code_point - self.first
        sequence = bytearray(len(self.ranges))
        for place in reversed(self.places):
            low, high = self.ranges[place]
            rank, digit = divmod(rank, high - low + 1)
            sequence[place] = low + digit
        return bytes(sequence)

    def decode(self, sequence: Sequence[int]) -> int:
        """The code point of a byte sequence of this row."""
        rank = 0
        for place in self.places:
            low, high = self.ranges[place]
            rank = rank * (high - low + 1) + (sequence[place] - low)
        return self.first + rank

    def matches(self, sequence: Sequence[int]) -> bool:
        """True if the bytes are one whole sequence of this row."""
        return len(sequence) == len(self.ranges) and all(
            low <= byte <= high for byte, (low, high) in zip(sequence, self.ranges))


# The policies (see policies.py). The last four exist only for UTF-8, or for encodings of bytes.
POLICIES = ("strict", "whatwg", "jdk", "per-byte", "per-sequence", "per-run", "skip", "surrogateescape")
OF_BYTES = ("strict", "whatwg", "per-byte", "per-run", "skip")
OF_UNITS = ("strict", "whatwg", "per-run", "skip")


@dataclass(frozen=True, eq=False)  # compared by identity, which is fast as a key: there is one object for each
class Encoding:
    """An encoding as a set of rows: a text is well-formed if it consists of their sequences, in allowed contexts.

    If one sequence is the beginning of another, the longest one present counts. `aliases` are rows that are read but
    never written. Errors are whole code units of `unit` bytes. With `strips_bom`, one U+FEFF at the very beginning is a
    signature, which is removed (Unicode 17.0, 3.10).
    """

    name: str
    rows: Tuple[Row, ...]
    aliases: Tuple[Row, ...] = ()
    unit: int = 1
    policies: Tuple[str, ...] = OF_BYTES
    strips_bom: bool = False

    @property
    def read_rows(self) -> Tuple[Row, ...]:
        """All rows that a decoder accepts."""
        return self.rows + self.aliases

    def row_of_code_point(self, code_point: int) -> Optional[Row]:
        """The row of a code point, or None if the encoding has no sequence for it."""
        for row in self.rows:
            if row.first <= code_point <= row.last:
                return row
        return None

    @lru_cache(maxsize=1 << 16)
    def encode(self, code_point: int) -> Optional[bytes]:
        """The byte sequence of a code point, or None."""
        row = self.row_of_code_point(code_point)
        return None if row is None else row.encode(code_point)

    def decode(self, sequence: Sequence[int]) -> Optional[int]:
        """The code point of one whole well-formed sequence, or None."""
        for row in self.read_rows:
            if row.matches(sequence):
                return row.decode(sequence)
        return None

    def code_points(self) -> Iterator[int]:
        """All code points of the encoding, in order of the rows."""
        for row in self.rows:
            yield from range(row.first, row.last + 1)

    def may_follow(self, left: int, right: int) -> bool:
        """True if the sequence of `right` may follow that of `left`; the encoding has both."""
        before, after = self.row_of_code_point(left), self.row_of_code_point(right)
        if before is None or after is None:
            raise ValueError(f"{self.name} does not hold both U+{left:04X} and U+{right:04X}")
        return before.leaves in after.stands

    @cached_property
    def spells_pairs(self) -> bool:
        """True if supplementary characters are two surrogates."""
        return any(row.half for row in self.rows)

    @cached_property
    def refuses_pairs(self) -> bool:
        """True if a lead and a trail surrogate, two code points, are an error when they are encoded: their units would be those of
        another code point (WTF-8, section 4.1)."""
        return self.unit == 2 and self.holds_surrogates

    @cached_property
    def holds_surrogates(self) -> bool:
        """True if a lone surrogate is a character."""
        return self.row_of_code_point(LEADS[0]) is not None


CONTINUATION = (0x80, 0xBF)

# Unicode 17.0, Table 3-7: Well-Formed UTF-8 Byte Sequences.
ASCII = Row(0x0000, 0x007F, ((0x00, 0x7F),))
TWO = Row(0x0080, 0x07FF, ((0xC2, 0xDF), CONTINUATION))
THREE_FROM_E0 = Row(0x0800, 0x0FFF, ((0xE0, 0xE0), (0xA0, 0xBF), CONTINUATION))
THREE_TO_EC = Row(0x1000, 0xCFFF, ((0xE1, 0xEC), CONTINUATION, CONTINUATION))
THREE_OF_ED = Row(0xD000, 0xD7FF, ((0xED, 0xED), (0x80, 0x9F), CONTINUATION))
THREE_FROM_EE = Row(0xE000, 0xFFFF, ((0xEE, 0xEF), CONTINUATION, CONTINUATION))
FOUR = (
    Row(0x10000, 0x3FFFF, ((0xF0, 0xF0), (0x90, 0xBF), CONTINUATION, CONTINUATION)),
    Row(0x40000, 0xFFFFF, ((0xF1, 0xF3), CONTINUATION, CONTINUATION, CONTINUATION)),
    Row(0x100000, 0x10FFFF, ((0xF4, 0xF4), (0x80, 0x8F), CONTINUATION, CONTINUATION)),
)
UP_TO_D7FF = (ASCII, TWO, THREE_FROM_E0, THREE_TO_EC, THREE_OF_ED)

UTF_8 = Encoding("utf-8", (*UP_TO_D7FF, THREE_FROM_EE, *FOUR), policies=POLICIES)
UTF_8_SIG = Encoding("utf-8-sig", UTF_8.rows, policies=POLICIES, strips_bom=True)

# The WTF-8 specification, Table 3: one row of 3 bytes from U+1000 on, with the surrogates.
GENERALIZED_UTF_8 = Encoding("generalized-utf-8", (
    ASCII, TWO, THREE_FROM_E0, Row(0x1000, 0xFFFF, ((0xE1, 0xEF), CONTINUATION, CONTINUATION)), *FOUR))

# The WTF-8 specification, section 3.3, Table 1: surrogate byte sequences.
LEAD_BYTES: Tuple[ByteRange, ...] = ((0xED, 0xED), (0xA0, 0xAF), CONTINUATION)
TRAIL_BYTES: Tuple[ByteRange, ...] = ((0xED, 0xED), (0xB0, 0xBF), CONTINUATION)

# The WTF-8 specification, section 6: as generalized UTF-8, but a trail must not follow a lead.
WTF_8 = Encoding("wtf-8", (
    *UP_TO_D7FF, Row(*LEADS, LEAD_BYTES, leaves=AFTER_LEAD),
    Row(*TRAILS, TRAIL_BYTES, stands=frozenset((ANYWHERE,))), THREE_FROM_EE, *FOUR))

# Unicode Technical Report 26, section 2: each code unit in up to 3 bytes; no sequence begins with F0..FF.
SIX = Row(0x10000, 0x10FFFF, LEAD_BYTES + TRAIL_BYTES, half=len(LEAD_BYTES))
CESU_8 = Encoding("cesu-8", (*UP_TO_D7FF, THREE_FROM_EE, SIX))

# CESU-8 as the JDK decodes it: lone surrogates are characters.
LONE = (Row(*LEADS, LEAD_BYTES), Row(*TRAILS, TRAIL_BYTES))
CESU_8_JDK = Encoding("cesu-8-jdk", (*UP_TO_D7FF, *LONE, THREE_FROM_EE, SIX))

# java.io.DataOutput, "Modified UTF-8": U+0000 has 2 bytes, the rest is the JDK's CESU-8.
NUL = Row(0x0000, 0x0000, ((0xC0, 0xC0), (0x80, 0x80)))
MUTF_8 = Encoding("mutf-8", (
    NUL, Row(0x0001, 0x007F, ((0x01, 0x7F),)), TWO, THREE_FROM_E0, THREE_TO_EC, THREE_OF_ED, *LONE, THREE_FROM_EE, SIX))

# java.io.DataInput.readUTF checks only leads and continuations, so that it also accepts overlong forms.
MUTF_8_READUTF = Encoding("mutf-8-readutf", MUTF_8.rows, (
    Row(0x0000, 0x0000, ((0x00, 0x00),)),
    Row(0x0001, 0x003F, ((0xC0, 0xC0), (0x81, 0xBF))),
    Row(0x0040, 0x007F, ((0xC1, 0xC1), CONTINUATION)),
    Row(0x0000, 0x07FF, ((0xE0, 0xE0), (0x80, 0x9F), CONTINUATION))))

# Unicode 17.0, Table 3-5, with D97 and D98: the bytes of code units, most significant first.
BYTE = (0x00, 0xFF)
UTF_16BE = Encoding("utf-16be", (
    Row(0x0000, 0xD7FF, ((0x00, 0xD7), BYTE)),
    Row(0xE000, 0xFFFF, ((0xE0, 0xFF), BYTE)),
    Row(0x10000, 0x10FFFF, ((0xD8, 0xDB), BYTE, (0xDC, 0xDF), BYTE), half=2)), unit=2, policies=OF_UNITS)


# The WTF-8 specification, section 4: any sequence of 16-bit code units. A surrogate that is in no pair is a code point of its own.
WTF_16BE = Encoding("wtf-16be", (
    UTF_16BE.rows[0],
    Row(*LEADS, ((0xD8, 0xDB), BYTE)),
    Row(*TRAILS, ((0xDC, 0xDF), BYTE)),
    *UTF_16BE.rows[1:]), unit=2, policies=OF_UNITS)


def swapped(row: Row) -> Row:
    """The row with the bytes of each code unit in the other order."""
    places = tuple(place ^ 1 for place in row.places)
    return Row(row.first, row.last, tuple(row.ranges[place] for place in places), places, row.half)


WTF_16LE = Encoding("wtf-16le", tuple(map(swapped, WTF_16BE.rows)), unit=2, policies=OF_UNITS)
UTF_16LE = Encoding("utf-16le", tuple(map(swapped, UTF_16BE.rows)), unit=2, policies=OF_UNITS)
UTF_16LE_SIG = Encoding("utf-16le-sig", UTF_16LE.rows, unit=2, policies=OF_UNITS, strips_bom=True)
UTF_16BE_SIG = Encoding("utf-16be-sig", UTF_16BE.rows, unit=2, policies=OF_UNITS, strips_bom=True)

ENCODINGS: Dict[str, Encoding] = {encoding.name: encoding for encoding in (
    UTF_8, UTF_8_SIG, GENERALIZED_UTF_8, WTF_8, CESU_8, CESU_8_JDK, MUTF_8, MUTF_8_READUTF, UTF_16LE, UTF_16BE, UTF_16LE_SIG,
    UTF_16BE_SIG, WTF_16LE, WTF_16BE)}

# The encodings for which a category of vectors is made: all; all but UTF-8; those of which the others are variations; and those of
# the latter whose code units are bytes; those of UTF-16 in which a surrogate may be alone; those with a signature.
ALL = tuple(name for name, encoding in ENCODINGS.items() if not encoding.strips_bom)
RELATIVES = ALL[1:]
PRINCIPAL_OF_BYTES = ("utf-8", "wtf-8", "cesu-8", "mutf-8")
PRINCIPAL = (*PRINCIPAL_OF_BYTES, "utf-16le", "utf-16be")
WTF_16 = tuple(name for name, encoding in ENCODINGS.items() if encoding.refuses_pairs)
WITH_SIGNATURE = tuple(name for name, encoding in ENCODINGS.items() if encoding.strips_bom)
