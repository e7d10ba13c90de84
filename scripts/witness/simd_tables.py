# SPDX-License-Identifier: MIT
"""Writes codecs/simd/tables/utf8.h and tables/family.h: encodings of bytes as data for the vector algorithms (Keiser &
Lemire 2021, section 4)."""

from __future__ import annotations

from functools import lru_cache
from typing import Dict, List, Optional, Sequence, Tuple

from .faults import SURROGATES, surrogate_fault
from .rows import (CESU_8, CESU_8_JDK, GENERALIZED_UTF_8, MUTF_8, MUTF_8_READUTF, NUL, UTF_8, WTF_8,
                   Encoding, Row)

FOLDER = "codecs/simd/tables"

# The encodings of each file, by their names in C. UTF-8 has a file of its own: its codecs are compiled by themselves.
HEADERS: Dict[str, Dict[str, Encoding]] = {
    "utf8.h": {"utf8": UTF_8},
    "family.h": {"generalized": GENERALIZED_UTF_8, "wtf8": WTF_8, "cesu8": CESU_8, "cesu8jdk": CESU_8_JDK,
                        "mutf8": MUTF_8, "readutf": MUTF_8_READUTF}}

# High nibbles of the first byte, its low nibbles, high nibbles of the second byte; True for the box of two
# continuation bytes, which is well-formed only after certain bytes.
Box = Tuple[Sequence[int], Tuple[int, ...], Tuple[int, ...], bool]


def is_surrogate_row(row: Row) -> bool:
    """True if all sequences of the row are surrogates, or pairs of them."""
    return row.half > 0 or SURROGATES[0] <= row.first and row.last <= SURROGATES[1]


def refuses_00(encoding: Encoding) -> bool:
    """True if the byte 00 is an error."""
    return encoding.decode(b"\0") is None


def plain_rows(encoding: Encoding) -> List[Row]:
    """The rows of the tables: those whose validity depends neither on neighbours nor on single byte values."""
    return [row for row in encoding.read_rows
            if not is_surrogate_row(row) and not (row is NUL and refuses_00(encoding))]


@lru_cache(maxsize=None)
def leads_of(encoding: Encoding) -> List[Sequence[Tuple[int, int]]]:
    """The byte ranges of the rows of the tables that have more than one byte."""
    return [row.ranges for row in plain_rows(encoding) if len(row.ranges) > 1]


def surrogates_of(encoding: Encoding) -> str:
    """The kind of surrogates of the encoding; see encoding.h."""
    if not any(map(is_surrogate_row, encoding.rows)):
        return "AS_THE_TABLES_SAY"
    if not encoding.spells_pairs:
        return "APART"
    return "JOINED" if encoding.holds_surrogates else "IN_PAIRS"


def pair_is_wrong(encoding: Encoding, first: int, second: int) -> Optional[bool]:
    """True if no well-formed text contains these two bytes in a row; None for two continuations, which need more bytes."""
    continuation = 0x80 <= second <= 0xBF
    if 0x80 <= first <= 0xBF:
        return None if continuation else False
    if first < 0x80:
        return continuation
    if not continuation:
        return True
    return not any(r[0][0] <= first <= r[0][1] and r[1][0] <= second <= r[1][1] for r in leads_of(encoding))


def boxes_of(encoding: Encoding) -> List[Box]:
    """The wrong pairs (and the two continuations) as boxes: high nibbles of the first byte, its low nibbles, high
    nibbles of the second byte. A bit for each box is what the three tables then hold."""
    boxes: Dict[Tuple[bool, Tuple[int, ...], Tuple[int, ...]], List[int]] = {}
    for high in range(16):
        seconds_of: Dict[Tuple[Tuple[int, Optional[bool]], ...], List[int]] = {}
        for second_high in range(16):
            lows = []
            for low in range(16):
                verdicts = {pair_is_wrong(encoding, high << 4 | low, second_high << 4 | n) for n in range(16)}
                if len(verdicts) != 1:
                    raise ValueError("a second byte's range ends inside sixteen: a nibble cannot tell")
                verdict = verdicts.pop()
                if verdict is not False:
                    lows.append((low, verdict))
            if lows:
                seconds_of.setdefault(tuple(lows), []).append(second_high)
        for lows, seconds in seconds_of.items():
            boxes.setdefault((lows[0][1] is None, tuple(low for low, _ in lows), tuple(seconds)), []).append(high)
    if len(boxes) > 8:
        raise ValueError(f"{len(boxes)} boxes do not fit the 8 bits of a byte")
    return [(highs, lows, seconds, two) for (two, lows, seconds), highs in boxes.items()]


def bits_of(boxes: Sequence[Box]) -> List[int]:
    """The bit of each box. Two continuations have the top bit, because the saturating subtractions set that one."""
    free = iter(range(7))
    return [0x80 if box[3] else 1 << next(free) for box in boxes]


def tables_of(encoding: Encoding, boxes: Sequence[Box]) -> List[List[int]]:
    """first_high, first_low, second_high: the bits of the boxes that contain a nibble. Checked for every pair of bytes."""
    bits_of_boxes = bits_of(boxes)
    tables = [[sum(bit for bit, box in zip(bits_of_boxes, boxes) if nibble in box[part]) for nibble in range(16)]
              for part in range(3)]
    for first in range(256):
        for second in range(256):
            bits = tables[0][first >> 4] & tables[1][first & 15] & tables[2][second >> 4]
            expected = pair_is_wrong(encoding, first, second)
            if (expected is None) != (bits == 0x80) or (expected is False) != (bits == 0):
                raise ValueError(f"the tables are wrong about {first:02X} {second:02X}")
    return tables


def runs(numbers: Sequence[int]) -> List[List[int]]:
    """Numbers as (first, last) runs."""
    out: List[List[int]] = []
    for n in numbers:
        if out and out[-1][1] == n - 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return out


def bytes_text(highs: Sequence[int], lows: Sequence[int]) -> str:
    """Byte ranges in words, for the comment."""
    values = [h << 4 | l for h in highs for l in lows]
    return " ".join(f"{a:02X}" if a == b else f"{a:02X}..{b:02X}" for a, b in runs(values))


def name_of(box: Box) -> str:
    """A short name of a box, so that table entries are readable."""
    highs, _, seconds, two = box
    if two:
        return "CC"
    if max(highs) < 8:
        return "TL"
    if len(highs) > 1:
        return "TS"
    return f"{highs[0]:X}_{seconds[0]:X}" + (f"{seconds[-1]:X}" if len(seconds) > 1 else "")


def names_of(boxes: Sequence[Box]) -> List[str]:
    """The names of all boxes; raises an error if two are equal."""
    names = [name_of(box) for box in boxes]
    if len(set(names)) != len(names):
        raise ValueError(f"two boxes have one name: {names}")
    return names


def bits_text(boxes: Sequence[Box], names: Sequence[str]) -> List[str]:
    """One line per bit: its name, and its pairs of bytes."""
    words = {"CC": "two continuations: ", "TL": "too long: ", "TS": "too short: "}
    return [f"#define {name} 0x{bit:02X} /* {words.get(name, '')}{bytes_text(box[0], box[1])}, "
            f"then {bytes_text(box[2], range(16))} */" for name, box, bit in zip(names, boxes, bits_of(boxes))]


def constants(encoding: Encoding, boxes: Sequence[Box], names: Sequence[str]) -> Dict[str, str]:
    """The constants of an encoding of the algorithms that are not tables, by field."""
    leads = leads_of(encoding)
    least = {length: min((ranges[0][0] for ranges in leads if len(ranges) >= length), default=0xFF)
             for length in (2, 3, 4)}
    surrogates, lead_of_surrogates = surrogates_of(encoding), 0xE0 | SURROGATES[0] >> 12
    by_marks = lead_of_surrogates if surrogates != "AS_THE_TABLES_SAY" else None
    refused = {name: box for name, box in zip(names, boxes) if min(box[0]) >= 12 and set(box[2]) & {8, 9, 10, 11}}
    second = [name for name, (highs, lows, _, _) in refused.items() if by_marks in [h << 4 | l for h in highs for l in lows]]
    fault = surrogate_fault(encoding).upper().replace("-", "_")
    return {"not_second": " | ".join(name for name in refused if name not in second) or "0",
            "surrogate_second": " | ".join(second) or "0",
            "two_continuations": next(name for name, box in zip(names, boxes) if box[3]),
            "first_lead": f"0x{least[2]:02X}", "last_lead": f"0x{max(ranges[0][1] for ranges in leads):02X}",
            "first_lead_of_3": f"0x{least[3]:02X}", "first_lead_of_4": f"0x{least[4]:02X}",
            "lead_of_surrogates": f"0x{lead_of_surrogates:02X}", "surrogates": surrogates,
            "fault_of_surrogates": f"ASSAY_FAULT_{fault}",
            "encodes_surrogates": "true" if encoding.holds_surrogates else "false",
            "writes_long_nul": "true" if NUL in encoding.rows else "false",
            "refuses_00": "true" if refuses_00(encoding) else "false",
            "policies": " | ".join(f"POLICY({name.upper().replace('-', '_')})" for name in encoding.policies)}


def definition(name: str, encoding: Encoding) -> List[str]:
    """One encoding, with its bits before it."""
    boxes = boxes_of(encoding)
    names, bits = names_of(boxes), bits_of(boxes)
    lines = [f"/* {encoding.name} */"] + bits_text(boxes, names) + ["", f"static const struct encoding {name} = {{"]
    for table, field in zip(tables_of(encoding, boxes), ("first_high", "first_low", "second_high")):
        lines.append(f"    .{field} = {{")
        for nibble, entry in enumerate(table):
            text = " | ".join(bit_name for bit_name, bit in zip(names, bits) if entry & bit) or "0"
            lines.append(f"        /* {nibble:X} */ {text},")
        lines.append("    },")
    lines += [f"    .{field} = {value}," for field, value in constants(encoding, boxes, names).items()]
    return lines + ["};", ""] + [f"#undef {bit_name}" for bit_name in names] + [""]


def header(name: str) -> str:
    """The content of one file."""
    guard = f"ASSAY_SIMD_TABLES_{name.upper().replace('.', '_')}"
    what = ", ".join(encoding.name for encoding in HEADERS[name].values())
    lines = ["/* Generated by scripts/generate (scripts/witness/simd_tables.py). Do not edit. */",
             "/* SPDX-License-Identifier: MIT", " *",
             f" * As data for the vector algorithms: {what}.",
             " * What is wrong with a pair of neighbouring bytes are the bits that first_high[high nibble of the first],",
             " * first_low[its low nibble] and second_high[high nibble of the second] have in common (Keiser & Lemire 2021,",
             " * \"Validating UTF-8 in less than one instruction per byte\").",
             " */", f"#ifndef {guard}", f"#define {guard}", "", '#include "../encoding.h"', ""]
    for c_name, encoding in HEADERS[name].items():
        lines += definition(c_name, encoding)
    return "\n".join(lines + ["#endif", ""])


def headers() -> Dict[str, str]:
    """All files, by path."""
    return {f"{FOLDER}/{name}": header(name) for name in HEADERS}
