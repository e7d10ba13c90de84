# SPDX-License-Identifier: MIT
"""Conversion from one encoding to another: decoding, then encoding the result, both under the same policy.

Text passes as code points, or as UTF-16 units if one side is UTF-16: so encodings that hold surrogates and potentially
ill-formed UTF-16 convert into each other without errors (WTF-8, section 6.3). For all others, UTF-16 must be well-formed.

A pair of surrogate code points, which only generalized UTF-8 has, is an error when it is encoded to UTF-16, which would make one
character of it (WTF-8, section 4.1). The lead is kept, and the trail is the error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

from . import encoders, faults, policies
from .encoders import Step
from .policies import Span
from .rows import GENERALIZED_UTF_8, LEADS, TRAILS, Encoding

LOOSE = (policies.STRICT, policies.WHATWG, policies.PER_RUN, policies.SKIP)  # the policies of all encodings


@dataclass(frozen=True)
class Piece:
    """A character of the input, as code points or units, or an error."""

    offset: int
    length: int
    units: Tuple[int, ...]
    span: Optional[Span]


def is_surrogate(unit: int) -> bool:
    """True if a unit is a surrogate."""
    return LEADS[0] <= unit <= TRAILS[1]


def may_lose_pairs(source: Encoding, target: Encoding) -> bool:
    """True if surrogates are code points here that may stand side by side, and units that pair there."""
    return source is GENERALIZED_UTF_8 and target.unit == 2


def pairs(code_points: Sequence[int]) -> List[int]:
    """The places of trails that follow a lead."""
    return [index for index in range(1, len(code_points))
            if LEADS[0] <= code_points[index - 1] <= LEADS[1] and TRAILS[0] <= code_points[index] <= TRAILS[1]]


def without_pairs(code_points: Sequence[int], policy: str) -> List[int]:
    """The code points, the trail of each pair replaced or left out."""
    wrong = set(pairs(code_points))
    replacement = [] if policy == policies.SKIP else [policies.REPLACEMENT]
    return [one for index, code_point in enumerate(code_points) for one in (replacement if index in wrong else [code_point])]


def pieces_of(source: Encoding, target: Encoding, text: bytes) -> List[Piece]:
    """The characters and errors of the input, as code points, or as units if one side is UTF-16."""
    if source.unit == 2 and target.holds_surrogates:
        return pieces_of_units(source, text)
    wide = 2 in (source.unit, target.unit) and not may_lose_pairs(source, target)
    found = []
    for segment in policies.segments(source, text):
        points = [] if segment.code_point is None else [segment.code_point]
        units = policies.utf16_units(points) if wide else points
        found.append(Piece(segment.offset, segment.length, tuple(units), segment.span))
    return found


def pieces_of_units(source: Encoding, text: bytes) -> List[Piece]:
    """Potentially ill-formed UTF-16: each two bytes are a unit; only an odd last byte is an error."""
    places = source.rows[0].places
    whole = len(text) // 2 * 2
    found = [Piece(at, 2, (text[at + places[0]] << 8 | text[at + places[1]],), None) for at in range(0, whole, 2)]
    if whole < len(text):
        found.append(Piece(whole, 1, (), Span(whole, 1, faults.TRUNCATED, True)))
    return found


def units_as_bytes(target: Encoding, units: Sequence[int]) -> bytes:
    """16-bit units as bytes, in the byte order of an encoding."""
    places = target.rows[0].places
    return b"".join(bytes(unit >> 8 * (1 - places.index(place)) & 0xFF for place in range(2)) for unit in units)


def decoded(pieces: Sequence[Piece], policy: str) -> List[int]:
    """The output of decoding, if it does not stop."""
    units: List[int] = []
    in_run = False
    for piece in pieces:
        units += piece.units
        if piece.span is not None and policy != policies.SKIP and not (policy == policies.PER_RUN and in_run):
            units.append(policies.REPLACEMENT)
        in_run = piece.span is not None
    return units


def steps_of(source: Encoding, target: Encoding, units: Sequence[int]) -> List[Step]:
    """The input of encoding, as steps."""
    wide = 2 in (source.unit, target.unit)
    return encoders.steps_of_utf16(target, units) if wide else encoders.steps_of_code_points(target, units)


def first_error(source: Encoding, target: Encoding, text: bytes) -> Optional[Span]:
    """The span at which `strict` stops, in bytes of the input: the first error, or the first character that the target cannot hold."""
    pieces = pieces_of(source, target, text)
    for piece in pieces:
        if piece.span is not None:
            return piece.span
    starts = [piece for piece in pieces for _ in piece.units]
    if may_lose_pairs(source, target):
        lost = pairs(decoded(pieces, policies.STRICT))
        return Span(starts[lost[0]].offset, starts[lost[0]].length, faults.SURROGATE_PAIR, False) if lost else None
    if target.unit == 2 and source.unit != 2:
        return None
    for step in steps_of(source, target, decoded(pieces, policies.STRICT)):
        if step.fault is not None:
            piece = starts[step.offset]
            return Span(piece.offset, piece.length, step.fault, False)
    return None


def convert(source: Encoding, target: Encoding, text: bytes, policy: str) -> Optional[bytes]:
    """The text in the target encoding; None if `strict` stops."""
    if policy not in LOOSE:
        raise ValueError(f"no conversion has the policy {policy!r}")
    if policy == policies.STRICT and first_error(source, target, text) is not None:
        return None
    units = decoded(pieces_of(source, target, text), policy)
    if may_lose_pairs(source, target):
        units = policies.utf16_units(without_pairs(units, policy))
    if target.unit == 2 and source.unit != 2:
        return units_as_bytes(target, units)
    return encoders.encode(target, steps_of(source, target, units), policy)[0]
