# SPDX-License-Identifier: MIT
"""The well-formedness rows of each encoding, typed from Unicode 17.0, Table 3-7."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Optional, Sequence, Tuple

ByteRange = Tuple[int, int]


@dataclass(frozen=True)
class Row:
    """Code points `first`..`last`, and the range of each byte of the sequences that stand for them."""

    first: int
    last: int
    ranges: Tuple[ByteRange, ...]

    def __post_init__(self) -> None:
        """Holds a row against itself: it has as many byte sequences as code points."""
        sequences = 1
        for low, high in self.ranges:
            sequences *= high - low + 1
        if sequences != self.last - self.first + 1:
            raise ValueError(f"row U+{self.first:04X}..U+{self.last:04X} has {sequences} byte sequences")

    def encode(self, code_point: int) -> bytes:
        """The byte sequence of a code point of this row: its rank, in the mixed radix of the byte ranges."""
        rank = code_point - self.first
        digits = []
        for low, high in reversed(self.ranges):
            rank, digit = divmod(rank, high - low + 1)
            digits.append(low + digit)
        return bytes(reversed(digits))

    def decode(self, sequence: Sequence[int]) -> int:
        """The code point that a byte sequence of this row stands for."""
        rank = 0
        for byte, (low, high) in zip(sequence, self.ranges):
            rank = rank * (high - low + 1) + (byte - low)
        return self.first + rank

    def matches(self, sequence: Sequence[int]) -> bool:
        """Whether the bytes are one whole sequence of this row."""
        return len(sequence) == len(self.ranges) and all(
            low <= byte <= high for byte, (low, high) in zip(sequence, self.ranges))


@dataclass(frozen=True, eq=False)  # there is one of each: identity is enough, and quick as a key
class Encoding:
    """An encoding that is a set of rows: any concatenation of their sequences is well-formed.

    With `strips_bom`, one U+FEFF at the very beginning is a signature and no part of the text (Unicode 17.0, 3.10).
    """

    name: str
    rows: Tuple[Row, ...]
    strips_bom: bool = False

    def row_of_code_point(self, code_point: int) -> Optional[Row]:
        """The row that holds a code point, or None if the encoding has no sequence for it."""
        for row in self.rows:
            if row.first <= code_point <= row.last:
                return row
        return None

    def encode(self, code_point: int) -> Optional[bytes]:
        """The byte sequence of a code point, or None if it has none."""
        row = self.row_of_code_point(code_point)
        return None if row is None else row.encode(code_point)

    def decode(self, sequence: Sequence[int]) -> Optional[int]:
        """The code point of one whole well-formed sequence, or None."""
        for row in self.rows:
            if row.matches(sequence):
                return row.decode(sequence)
        return None

    def code_points(self) -> Iterator[int]:
        """Every code point that the encoding holds, in order of the rows."""
        for row in self.rows:
            yield from range(row.first, row.last + 1)


# Unicode 17.0, Table 3-7: Well-Formed UTF-8 Byte Sequences.
UTF_8 = Encoding("utf-8", (
    Row(0x0000, 0x007F, ((0x00, 0x7F),)),
    Row(0x0080, 0x07FF, ((0xC2, 0xDF), (0x80, 0xBF))),
    Row(0x0800, 0x0FFF, ((0xE0, 0xE0), (0xA0, 0xBF), (0x80, 0xBF))),
    Row(0x1000, 0xCFFF, ((0xE1, 0xEC), (0x80, 0xBF), (0x80, 0xBF))),
    Row(0xD000, 0xD7FF, ((0xED, 0xED), (0x80, 0x9F), (0x80, 0xBF))),
    Row(0xE000, 0xFFFF, ((0xEE, 0xEF), (0x80, 0xBF), (0x80, 0xBF))),
    Row(0x10000, 0x3FFFF, ((0xF0, 0xF0), (0x90, 0xBF), (0x80, 0xBF), (0x80, 0xBF))),
    Row(0x40000, 0xFFFFF, ((0xF1, 0xF3), (0x80, 0xBF), (0x80, 0xBF), (0x80, 0xBF))),
    Row(0x100000, 0x10FFFF, ((0xF4, 0xF4), (0x80, 0x8F), (0x80, 0xBF), (0x80, 0xBF))),
))

UTF_8_SIG = Encoding("utf-8-sig", UTF_8.rows, strips_bom=True)

ENCODINGS = {encoding.name: encoding for encoding in (UTF_8, UTF_8_SIG)}
