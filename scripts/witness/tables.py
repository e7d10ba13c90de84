# SPDX-License-Identifier: MIT
"""Writes codecs/dfa/ENCODING_tables.h: the automaton of each encoding in the forms that the table-driven decoders walk."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, Iterable, List, Sequence, Tuple

from . import faults
from .automaton import ACCEPT, REJECT, Automaton, scanner_of
from .rows import ENCODINGS as BY_NAME, UTF_8, Encoding

# The encodings by their names in C symbols and in file names: the rows of the registry.
REGISTRY = Path(__file__).resolve().parents[2] / "codecs" / "codecs.def"
ENCODINGS = {symbol: BY_NAME[name] for symbol, name in re.findall(r'^ENCODING\((\w+), *"([^"]+)"\)', REGISTRY.read_text("ascii"), re.M)}

# Representatives that define the numbers of Hoehrmann's states and classes; the rest is derived.
STATE_ACCESS = (b"", b"\xFF", b"\xC2", b"\xE1", b"\xE0", b"\xED", b"\xF0", b"\xF1", b"\xF4")
CLASS_BYTES = (0x00, 0x80, 0xC2, 0xE1, 0xED, 0xF4, 0xF1, 0xA0, 0xC0, 0x90, 0xE0, 0xF0)
COLUMNS_2008 = 16
SHIFT_BITS = 6
WORD_BITS = 64

# Short names, so that rows of faults are readable.
SHORT_FAULTS = {None: "OK", faults.OVERLONG: "OV", faults.SURROGATE: "SU", faults.OUT_OF_RANGE: "RA",
                faults.INVALID_LEAD: "LE", faults.STRAY_CONTINUATION: "ST", faults.MISSING_CONTINUATION: "MI",
                faults.UNPAIRED_SURROGATE: "UN", faults.SURROGATE_PAIR: "PA"}


def path(symbol: str) -> str:
    """The path of the tables of an encoding."""
    return f"codecs/dfa/{symbol}_tables.h"


def numbered(encoding: Encoding) -> Automaton:
    """The scanner derived from the rows; that of UTF-8 under the published numbers."""
    derived = scanner_of(encoding)
    return numbered_as_published(derived) if encoding is UTF_8 else derived


def numbered_as_published(derived: Automaton) -> Automaton:
    """The automaton with the published numbers; raises an error if two states or classes have the same representative."""
    states = [derived.walk(access) for access in STATE_ACCESS]
    classes = [derived.classes[byte] for byte in CLASS_BYTES]
    if sorted(states) != list(range(derived.state_count)):
        raise ValueError(f"the {len(states)} access strings reach states {states} of {derived.state_count}")
    if sorted(classes) != list(range(derived.class_count)):
        raise ValueError(f"the {len(classes)} representatives have classes {classes} of {derived.class_count}")
    return derived.renumbered(states, classes)


def hoehrmann_2008(automaton: Automaton) -> List[int]:
    """256 classes, then the next state at 256 + state * 16 + class."""
    table = list(automaton.classes)
    for row in automaton.delta:
        next_states = [row[byte] for byte in automaton.representatives()]
        table += next_states + [REJECT] * (COLUMNS_2008 - len(next_states))
    return table


def hoehrmann_2010(automaton: Automaton) -> List[int]:
    """256 classes, then the next state at 256 + state + class, where states are multiplied by the number of classes."""
    return list(automaton.classes) + [
        automaton.class_count * row[byte] for row in automaton.delta for byte in automaton.representatives()]


def has_shift_words(automaton: Automaton) -> bool:
    """True if all states fit into one word."""
    return SHIFT_BITS * automaton.state_count <= WORD_BITS


def shift_words(automaton: Automaton) -> List[int]:
    """One word per byte: at bit 6 * state, 6 times the next state."""
    return [sum(SHIFT_BITS * row[byte] << SHIFT_BITS * state for state, row in enumerate(automaton.delta))
            for byte in range(256)]


def fault_rows(encoding: Encoding, automaton: Automaton) -> List[List[str]]:
    """The fault of each byte that a state refuses, by state."""
    return [[SHORT_FAULTS[faults.fault_in(encoding, automaton, state, byte)] for byte in range(256)]
            for state in range(automaton.state_count)]


def sorted_faults(encoding: Encoding, automaton: Automaton) -> Tuple[List[int], List[List[str]]]:
    """The same, compressed: a class for each byte, and for each state the fault of each class."""
    columns = list(zip(*fault_rows(encoding, automaton)))
    order = list(dict.fromkeys(columns))
    return [order.index(column) for column in columns], [list(row) for row in zip(*order)]


def payloads(encoding: Encoding, automaton: Automaton) -> List[int]:
    """The payload bits of each byte that may begin or continue a character, 0 for others; of code units, all bits."""
    if encoding.unit > 1:
        return [0xFF] * 256
    masks = []
    for byte in range(256):
        form = faults.form_of(byte)
        begins = automaton.delta[ACCEPT][byte] != REJECT
        masks.append(form[1] if begins and form else 0x3F if faults.is_continuation(byte) else 0)
    return masks


def after_lead(automaton: Automaton) -> int:
    """The state between characters after a lead surrogate; 0 if there is none."""
    return max(state for state in range(automaton.state_count) if automaton.between[state])


def grid(cells: Iterable[str], columns: int, indent: str = "    ") -> List[str]:
    """Cells as lines of C, `columns` per line."""
    cells = list(cells)
    return [indent + ", ".join(cells[at:at + columns]) + "," for at in range(0, len(cells), columns)]


def array(comment: str, declaration: str, lines: Sequence[str]) -> List[str]:
    """A C table with its comment."""
    return ["", f"/* {comment} */", f"static const {declaration} = {{", *lines, "};"]


def class_table(comment: str, name: str, table: Sequence[int], states: int, columns: int) -> List[str]:
    """Classes and transitions as one table of C."""
    lines = grid((f"{n:2}" for n in table[:256]), 16) + grid((f"{n:3}" for n in table[256:]), columns)
    return array(comment, f"uint8_t {name}[256 + {states} * {columns}]", lines)


def walk_lines(symbol: str, automaton: Automaton) -> List[str]:
    """The transition tables."""
    states, classes = automaton.state_count, automaton.class_count
    lines: List[str] = []
    if ENCODINGS[symbol] is UTF_8:
        lines += class_table("Class of each byte, then the next state at 256 + state * 16 + class. Accept 0, reject 1.",
                             f"{symbol}_hoehrmann2008", hoehrmann_2008(automaton), states, COLUMNS_2008)
    name = "hoehrmann2010" if ENCODINGS[symbol] is UTF_8 else "dfa"
    lines += class_table(f"Class of each byte, then the next state at 256 + state + class. Accept 0, reject {classes}.",
                         f"{symbol}_{name}", hoehrmann_2010(automaton), states, classes)
    lines += ["", f"enum {{ {symbol}_class_count = {classes} }};"]
    if has_shift_words(automaton):
        lines += array(f"Shift-based: next = {symbol}_shift[byte] >> (state & 63), a state being 6 times its number.",
                       f"uint64_t {symbol}_shift[256]", grid((f"UINT64_C(0x{n:016X})" for n in shift_words(automaton)), 4))
    return lines


def fault_lines(symbol: str, encoding: Encoding, automaton: Automaton) -> List[str]:
    """The tables of faults."""
    sorts, table = sorted_faults(encoding, automaton)
    used = [fault for fault, short in SHORT_FAULTS.items() if any(short in row for row in table)]
    rows = []
    for state, row in enumerate(table):
        after = "refused" if state == REJECT else f"after {automaton.access[state].hex().upper()}" if state else "start"
        rows.append(f"    {', '.join(row)}, /* {state}: {after} */")
    lines = array("The sort of each byte. All states have the same faults for bytes of one sort.", f"uint8_t {symbol}_sorts[256]",
                  grid((f"{n:2}" for n in sorts), 16))
    lines += [""] + [f"#define {SHORT_FAULTS[fault]} ASSAY_FAULT_{(fault or 'none').upper().replace('-', '_')}" for fault in used]
    lines += array("The fault for each state, a row, and each sort of byte that it refuses, a column; else none.",
                   f"uint8_t {symbol}_faults[{len(table)} * {len(table[0])}]", rows)
    lines += [""] + [f"#undef {SHORT_FAULTS[fault]}" for fault in used]
    return lines


def encoding_lines(symbol: str, encoding: Encoding, automaton: Automaton) -> List[str]:
    """The other constants of the engine."""
    lines = array("Payload bits of a byte that begins or continues a character; 0 for a byte that does neither.",
                  f"uint8_t {symbol}_payload[256]", grid((f"0x{n:02X}" for n in payloads(encoding, automaton)), 16))
    if encoding.spells_pairs:
        back = ["NO_HALF" if count is None else str(count) for count in automaton.back]
        lines += array("For each state, the number of bytes read after a complete lead surrogate.",
                       f"uint8_t {symbol}_past_lead[{automaton.state_count}]", grid(back, 16))
    fields = {
        "payload": f"{symbol}_payload", "sorts": f"{symbol}_sorts", "faults": f"{symbol}_faults",
        "sort_count": str(len(sorted_faults(encoding, automaton)[1][0])),
        "past_lead": f"{symbol}_past_lead" if encoding.spells_pairs else "NULL",
        "after_lead": str(after_lead(automaton)),
        "holds_surrogates": "true" if encoding.holds_surrogates else "false",
        "refuses_pairs": "true" if encoding.refuses_pairs else "false",
        "nul_length": str(len(encoding.encode(0) or b"")),
        "unit": str(encoding.unit),
        "is_swapped": "true" if any(row.significance for row in encoding.rows) else "false",
        "policies": " | ".join(f"1u << ASSAY_POLICY_{policy.upper().replace('-', '_')}" for policy in encoding.policies),
    }
    lines += ["", f"static const struct encoding {symbol} = {{"]
    return lines + [f"    .{field} = {value}," for field, value in fields.items()] + ["};"]


def header(symbol: str) -> str:
    """The content of one header."""
    encoding = ENCODINGS[symbol]
    automaton = numbered(encoding)
    about = [f" * The minimal automaton that finds the characters of {encoding.name}."]
    if encoding is UTF_8:
        about = [" * The minimal automaton of well-formed UTF-8 (Unicode 17.0, Table 3-7). States and classes have the numbers",
                 " * of Bjoern Hoehrmann's tables, https://bjoern.hoehrmann.de/utf-8/decoder/dfa/."]
    guard = f"{symbol.upper()}_TABLES_H"
    lines = ["/* Generated by scripts/generate (scripts/witness/tables.py). Do not edit. */", "/* SPDX-License-Identifier: MIT",
             " *", *about, " */", f"#ifndef {guard}", f"#define {guard}", "", '#include "engine.h"']
    lines += walk_lines(symbol, automaton)
    lines += fault_lines(symbol, encoding, automaton)
    lines += encoding_lines(symbol, encoding, automaton)
    return "\n".join([*lines, "", "#endif", ""])


def headers() -> Dict[str, str]:
    """All headers, by path."""
    return {path(symbol): header(symbol) for symbol in ENCODINGS}
