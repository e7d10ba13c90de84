# SPDX-License-Identifier: MIT
"""The UTF-8 automaton that Bjoern Hoehrmann published, for comparison with the derived one.

Copyright (c) 2008-2010 Bjoern Hoehrmann <bjoern@hoehrmann.de>, MIT licence; both forms of the table are at
https://bjoern.hoehrmann.de/utf-8/decoder/dfa/. Nothing is generated from this module.
"""

from __future__ import annotations

from typing import Dict, List, Tuple

CLASSES = 12
REJECT = 1

# Class of each range of bytes.
CLASS_RANGES: Tuple[Tuple[int, int, int], ...] = (
    (0x00, 0x7F, 0), (0x80, 0x8F, 1), (0x90, 0x9F, 9), (0xA0, 0xBF, 7), (0xC0, 0xC1, 8), (0xC2, 0xDF, 2),
    (0xE0, 0xE0, 10), (0xE1, 0xEC, 3), (0xED, 0xED, 4), (0xEE, 0xEF, 3), (0xF0, 0xF0, 11), (0xF1, 0xF3, 6),
    (0xF4, 0xF4, 5), (0xF5, 0xFF, 8),
)

# state -> {class: next state}; all other classes are refused.
TRANSITIONS: Tuple[Dict[int, int], ...] = (
    {0: 0, 2: 2, 3: 3, 4: 5, 5: 8, 6: 7, 10: 4, 11: 6},
    {},
    {1: 0, 7: 0, 9: 0},
    {1: 2, 7: 2, 9: 2},
    {7: 2},
    {1: 2, 9: 2},
    {7: 3, 9: 3},
    {1: 3, 7: 3, 9: 3},
    {1: 3},
)


def classes() -> List[int]:
    """The published class of each byte."""
    table = [-1] * 256
    for low, high, number in CLASS_RANGES:
        table[low:high + 1] = [number] * (high - low + 1)
    return table


def table_2008() -> List[int]:
    """The first published form: 256 classes, then 16 columns per state."""
    return classes() + [row.get(column, REJECT) for row in TRANSITIONS for column in range(16)]


def table_2010() -> List[int]:
    """The second published form: 256 classes, then 12 columns per state, states multiplied by 12."""
    return classes() + [12 * row.get(column, REJECT) for row in TRANSITIONS for column in range(CLASSES)]
