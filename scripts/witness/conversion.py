# SPDX-License-Identifier: MIT
"""From one encoding to another: decoding, and then encoding what came out, each under the same policy.

Text passes as code points; where one side is UTF-16, as its units, so that what holds surrogates and potentially ill-formed
UTF-16 are converted into each other without failure (WTF-8, section 6.3). UTF-16 has to be well-formed towards all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple

from . import encoding as encoder, faults, policies
from .encoding import Step
from .policies import Span
from .rows import LEADS, TRAILS, Encoding

LOOSE = (policies.STRICT, policies.WHATWG, policies.PER_RUN, policies.SKIP)  # what every two encodings have in common


@dataclass(frozen=True)
class Piece:
    """What some bytes of the input stand for: code points or units, or an error."""

    offset: int
    length: int
    units: Tuple[int, ...]
    span: Optional[Span]


def is_surrogate(unit: int) -> bool:
    """Whether a unit is half a pair."""
    return LEADS[0] <= unit <= TRAILS[1]


def pieces_of(source: Encoding, target: Encoding, text: bytes) -> List[Piece]:
    """The characters and errors of the input, as code points or, where one side is UTF-16, as units."""
    if source.unit == 2 and target.holds_surrogates:
        return pieces_of_units(source, text)
    wide = 2 in (source.unit, target.unit)
    found = []
    for segment in policies.segments(source, text):
        points = [] if segment.code_point is None else [segment.code_point]
        units = policies.utf16_units(points) if wide else points
        found.append(Piece(segment.offset, segment.length, tuple(units), segment.span))
    return found


def pieces_of_units(source: Encoding, text: bytes) -> List[Piece]:
    """Potentially ill-formed UTF-16: every two bytes are a unit, and only an odd last byte is an error."""
    places = source.rows[0].places
    whole = len(text) // 2 * 2
    found = [Piece(at, 2, (text[at + places[0]] << 8 | text[at + places[1]],), None) for at in range(0, whole, 2)]
    if whole < len(text):
        found.append(Piece(whole, 1, (), Span(whole, 1, faults.TRUNCATED, True)))
    return found


def units_as_bytes(target: Encoding, units: Sequence[int]) -> bytes:
    """Any 16-bit units as bytes, in the order that an encoding has."""
    places = target.rows[0].places
    return b"".join(bytes(unit >> 8 * (1 - places.index(place)) & 0xFF for place in range(2)) for unit in units)


def decoded(pieces: Sequence[Piece], policy: str) -> List[int]:
    """What comes out of the first step, when it does not stop."""
    units: List[int] = []
    in_run = False
    for piece in pieces:
        units += piece.units
        if piece.span is not None and policy != policies.SKIP and not (policy == policies.PER_RUN and in_run):
            units.append(policies.REPLACEMENT)
        in_run = piece.span is not None
    return units


def steps_of(source: Encoding, target: Encoding, units: Sequence[int]) -> List[Step]:
    """The second step's input, read as what it is."""
    wide = 2 in (source.unit, target.unit)
    return encoder.steps_of_utf16(target, units) if wide else encoder.steps_of_code_points(target, units)


def first_error(source: Encoding, target: Encoding, text: bytes) -> Optional[Span]:
    """Where `strict` stops, in bytes of the input: its first error, or the first character that the other cannot hold."""
    pieces = pieces_of(source, target, text)
    for piece in pieces:
        if piece.span is not None:
            return piece.span
    if target.unit == 2 and source.unit != 2:
        return None
    starts = [piece for piece in pieces for _ in piece.units]
    for step in steps_of(source, target, decoded(pieces, policies.STRICT)):
        if step.fault is not None:
            piece = starts[step.offset]
            return Span(piece.offset, piece.length, step.fault, False)
    return None


def convert(source: Encoding, target: Encoding, text: bytes, policy: str) -> Optional[bytes]:
    """The text in the other encoding; None where `strict` stops."""
    if policy not in LOOSE:
        raise ValueError(f"no conversion has the policy {policy!r}")
    if policy == policies.STRICT and first_error(source, target, text) is not None:
        return None
    units = decoded(pieces_of(source, target, text), policy)
    if target.unit == 2 and source.unit != 2:
        return units_as_bytes(target, units)
    return encoder.encode(target, steps_of(source, target, units), policy)[0]
