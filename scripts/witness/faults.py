# SPDX-License-Identifier: MIT
"""The fault of a refused byte, from the code point that the bit patterns of Table 3-6 would give."""

from __future__ import annotations

from typing import Optional, Tuple

from .automaton import REJECT, Automaton
from .rows import LEADS, TRAILS, Encoding

OVERLONG = "overlong"
SURROGATE = "surrogate"
OUT_OF_RANGE = "out-of-range"
INVALID_LEAD = "invalid-lead"
STRAY_CONTINUATION = "stray-continuation"
MISSING_CONTINUATION = "missing-continuation"
TRUNCATED = "truncated"
UNPAIRED_SURROGATE = "unpaired-surrogate"
SURROGATE_PAIR = "surrogate-pair"

SURROGATES = (LEADS[0], TRAILS[1])
LAST_CODE_POINT = 0x10FFFF
CONTINUATIONS = (0x80, 0xBF)

# Unicode 17.0, Table 3-6: the bits of the first byte, and the least code point that needs the form.
FORMS = (
    (0x00, 0x80, 1, 0x0000),
    (0xC0, 0xE0, 2, 0x0080),
    (0xE0, 0xF0, 3, 0x0800),
    (0xF0, 0xF8, 4, 0x10000),
)


def is_continuation(byte: int) -> bool:
    """True if the byte has the form 10xxxxxx."""
    return CONTINUATIONS[0] <= byte <= CONTINUATIONS[1]


def form_of(lead: int) -> Optional[Tuple[int, int, int]]:
    """The length, payload mask and least code point of a first byte in Table 3-6, or None."""
    for bits, mask, length, least in FORMS:
        if lead & mask == bits:
            return length, ~mask & 0xFF, least
    return None


def reach(prefix: bytes) -> Optional[Tuple[int, int]]:
    """The least and greatest value of a bit pattern that begins with these bytes, or None."""
    form = form_of(prefix[0])
    if form is None:
        return None
    length, payload, _ = form
    low = prefix[0] & payload
    for byte in prefix[1:]:
        low = low << 6 | byte & 0x3F
    missing = 6 * (length - len(prefix))
    return low << missing, (low + 1 << missing) - 1


def surrogate_fault(encoding: Encoding) -> str:
    """The fault of a surrogate that an encoding refuses: either everywhere, or only at its place."""
    if encoding.holds_surrogates:
        return SURROGATE_PAIR
    return UNPAIRED_SURROGATE if encoding.spells_pairs else SURROGATE


def fault_of_bits(encoding: Encoding, prefix: bytes, byte: int) -> str:
    """The fault of a byte that is refused after a well-formed prefix (Unicode 17.0, 3.9)."""
    if prefix and not is_continuation(byte):
        return MISSING_CONTINUATION
    if not prefix and is_continuation(byte):
        return STRAY_CONTINUATION
    text = prefix + bytes((byte,))
    form, values = form_of(text[0]), reach(text)
    if form is None or values is None or form[0] > longest_form(encoding):
        return INVALID_LEAD
    low, high = values
    if high < form[2]:
        return OVERLONG
    if low > LAST_CODE_POINT:
        return OUT_OF_RANGE
    if SURROGATES[0] <= low and high <= SURROGATES[1]:
        return surrogate_fault(encoding)
    if not prefix and encoding.encode(low) not in (None, text):  # the character has another spelling
        return INVALID_LEAD
    raise ValueError(f"no clause of {encoding.name} refuses {byte:02X} after {prefix.hex(' ').upper() or 'nothing'}")


def longest_form(encoding: Encoding) -> int:
    """The length of the longest form of Table 3-6 that an encoding uses."""
    return max(row.half or len(row.ranges) for row in encoding.rows)


def fault_of(encoding: Encoding, held: bytes, back: Optional[int], byte: int) -> Optional[str]:
    """The fault of a byte that is refused after an incomplete sequence, whose last `back` bytes follow a complete half; None
    if that half is a character, which the byte only ends."""
    if back is not None:
        return UNPAIRED_SURROGATE if encoding.decode(held[:len(held) - back]) is None else None
    if encoding.unit > 1:  # every code unit that is not a surrogate is a character
        return surrogate_fault(encoding)
    return fault_of_bits(encoding, held, byte)


def fault_in(encoding: Encoding, scanner: Automaton, state: int, byte: int) -> Optional[str]:
    """The fault of a byte in a state; None if the state accepts it, or if it only ends a character."""
    if state == REJECT or scanner.delta[state][byte] != REJECT:
        return None
    return fault_of(encoding, scanner.held(state), scanner.back[state], byte)
