# SPDX-License-Identifier: MIT
"""Byte strings worth trying, found from the rows: boundary characters, their prefixes, and each way to be ill-formed."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Sequence, Tuple

from . import faults
from .automaton import ACCEPT, REJECT
from .policies import machine, old_scheme_continuations, spans
from .rows import RELATIVES, Encoding

# Bytes that end a sequence too early: one of each sort that a decoder may treat in its own way.
BREAKERS = (0x00, 0x41, 0x7F, 0xC0, 0xC2, 0xE0, 0xE1, 0xED, 0xF0, 0xF4, 0xF5, 0xFE, 0xFF)

PRINTABLE = tuple(range(0x20, 0x7F))  # of ASCII: more than a block of 64 units, and no multiple of one, or of a shorter one


def few(encoding: Encoding, items: Sequence[Any], step: int) -> Sequence[Any]:
    """All items for UTF-8; every `step`th for its relatives, for which decoders share most of their code."""
    return items[::step] if encoding.name in RELATIVES else items


def unique(items: Iterator[bytes]) -> List[bytes]:
    """The items in order, each once."""
    return list(dict.fromkeys(items))


def boundary_code_points(encoding: Encoding) -> List[int]:
    """The first and last code point of each row, in order."""
    return list(dict.fromkeys(code_point for row in encoding.rows for code_point in (row.first, row.last)))


def boundaries(encoding: Encoding) -> List[bytes]:
    """The first and last sequence of each row."""
    return unique(row.encode(code_point) for row in encoding.rows for code_point in (row.first, row.last))


def of_each_length(encoding: Encoding) -> List[bytes]:
    """One ordinary character of each length: inside the widest row, its payload bits well mixed (golden section)."""
    widest = {len(row.ranges): row for row in sorted(encoding.rows, key=lambda row: row.last - row.first)}
    return [widest[length].encode(widest[length].first + (widest[length].last - widest[length].first) * 618 // 1000)
            for length in sorted(widest)]


def leads(encoding: Encoding) -> List[int]:
    """Every byte that begins a sequence of more than one byte."""
    return [byte for byte in range(256) if machine(encoding).delta[ACCEPT][byte] not in (ACCEPT, REJECT)]


def refused_leads(encoding: Encoding) -> List[int]:
    """Every byte that begins nothing and is no continuation either."""
    delta = machine(encoding).delta
    return [byte for byte in range(256) if delta[ACCEPT][byte] == REJECT and not faults.is_continuation(byte)]


def prefixes(encoding: Encoding) -> List[bytes]:
    """Every proper prefix of a boundary sequence that is not a character itself: a truncated sequence."""
    scanner = machine(encoding)
    found = unique(sequence[:length] for sequence in boundaries(encoding) for length in range(1, len(sequence)))
    return [prefix for prefix in found if not scanner.whole[scanner.walk(prefix)]]


def short_prefixes(encoding: Encoding) -> List[bytes]:
    """One prefix for each way to stand in the middle of a character: every state, at every depth."""
    chosen: Dict[Tuple[int, int, int], bytes] = {}
    for prefix in prefixes(encoding):
        key = (len(prefix), machine(encoding).classes[prefix[0]], machine(encoding).walk(prefix))
        chosen.setdefault(key, prefix)
    return list(chosen.values())


def completion(encoding: Encoding, text: bytes, candidates: Sequence[int]) -> bytes:
    """The bytes that complete the unfinished character at the end of `text`: each is the first of `candidates` that the
    automaton accepts there. `text` must be well-formed so far. Empty if the text ends at a character boundary, or in a
    code unit that is an error whatever its other bytes are."""
    automaton = machine(encoding)
    state, found = automaton.walk(text), b""
    while not automaton.whole[state] and set(automaton.delta[state]) != {REJECT}:
        byte = next(byte for byte in candidates if automaton.delta[state][byte] != REJECT)
        found += bytes((byte,))
        state = automaton.delta[state][byte]
    return found


def least_completion(encoding: Encoding, text: bytes) -> bytes:
    """As `completion`, each byte the least that is accepted."""
    return completion(encoding, text, range(256))


def greatest_completion(encoding: Encoding, text: bytes) -> bytes:
    """As `completion`, each byte the greatest that is accepted."""
    return completion(encoding, text, range(255, -1, -1))


def bit_pattern(value: int, length: int) -> bytes:
    """A value in the scheme of RFC 2279, section 2, in `length` bytes, whether or not that is the shortest form."""
    if length == 1:
        return bytes((value,))
    marks = 0xFF00 >> length & 0xFF
    tail = bytes(0x80 | value >> 6 * shift & 0x3F for shift in range(length - 2, -1, -1))
    return bytes((marks | value >> 6 * (length - 1),)) + tail


def refused_pairs(encoding: Encoding) -> List[bytes]:
    """The pairs of a lead and a continuation byte that begin no sequence, although the lead begins some."""
    automaton = machine(encoding)
    return [bytes((lead, byte)) for lead in leads(encoding) for byte in range(0x80, 0xC0)
            if automaton.delta[automaton.delta[ACCEPT][lead]][byte] == REJECT]


def completed(pattern: bytes, fill: int) -> bytes:
    """The text of a lead and what follows, extended to the length that the lead has in the scheme of RFC 2279."""
    return pattern + bytes((fill,)) * (old_scheme_continuations(pattern[0]) + 1 - len(pattern))


def ill_formed(encoding: Encoding) -> List[bytes]:
    """One short example of each way to be ill-formed: by fault, by state, and by how far the old scheme reaches."""
    examples = ill_formed_bytes(encoding) if encoding.unit == 1 else []
    return [text for text in unique(iter(examples + refused_in_context(encoding))) if spans(encoding, text)]


def ill_formed_bytes(encoding: Encoding) -> List[bytes]:
    """Texts that a decoder of bytes refuses at the first or second byte, and the forms of the old scheme that they begin."""
    automaton = machine(encoding)
    examples = [bytes((byte,)) for byte in (0x80, 0xBF, *refused_leads(encoding))]
    examples += short_prefixes(encoding)
    chosen: Dict[Tuple[int, int], bytes] = {}
    for pair in refused_pairs(encoding):
        chosen.setdefault((automaton.classes[pair[0]], automaton.classes[pair[1]]), pair)
    examples += chosen.values()
    examples += [completed(pair, 0x80) for pair in chosen.values()]
    return examples + [completed(bytes((lead,)), 0x80) for lead in (0xC0, 0xC1, 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFD)]


def refused_in_context(encoding: Encoding) -> List[bytes]:
    """Texts whose last byte is refused because of the text before it: after a character that matters, after a half, inside a code unit."""
    automaton = machine(encoding)
    return [automaton.access[state] + bytes((byte,)) for state in range(automaton.state_count)
            if encoding.unit > 1 or automaton.back[state] is not None or automaton.held(state) != automaton.access[state]
            for byte in automaton.representatives() if faults.fault_in(encoding, automaton, state, byte)]


def written(encoding: Encoding, text: str) -> bytes:
    """Characters that every encoding holds, in its bytes."""
    sequences = [encoding.encode(ord(character)) for character in text]
    assert None not in sequences
    return b"".join(sequence for sequence in sequences if sequence is not None)


def surrogates(encoding: Encoding, *values: int) -> bytes:
    """Surrogates, each in the bytes of its own that an encoding has for it or would have, were it a character."""
    if encoding.unit == 1:
        return b"".join(bit_pattern(value, 3) for value in values)
    # A code unit that is a surrogate has the bytes of any other: those of U+0000 + its value in the same places.
    row = encoding.rows[0]
    return b"".join(bytes(value >> 8 * (1 - row.places.index(place)) & 0xFF for place in range(2)) for value in values)


def spaced(text: Sequence[int]) -> str:
    """Bytes in hex, with spaces: `E2 82 AC`."""
    return " ".join(f"{byte:02X}" for byte in text)
