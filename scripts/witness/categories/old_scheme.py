# SPDX-License-Identifier: MIT
"""Forms of 5 and 6 bytes, which RFC 2279 had and RFC 3629 has not: F8 to FD begin nothing, nor do FE and FF."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import Encoding
from ..samples import bit_pattern, completed, spaced

FIRST_AND_LAST = ((5, 0x200000), (5, 0x3FFFFFF), (6, 0x4000000), (6, 0x7FFFFFFF))


def cases(encoding: Encoding) -> Iterator[Draft]:
    """The first and last value of each form, each lead whole and cut short, alone, before A and before a character."""
    del encoding
    for length, value in FIRST_AND_LAST:
        yield Draft(f"{value:X} in {length} bytes", bit_pattern(value, length), ("old-scheme",))
    for lead in range(0xF8, 0xFE):
        form = completed(bytes((lead,)), 0x84)
        for length in range(1, len(form) + 2):
            text = (form + b"\x84")[:length]
            label = "whole" if text == form else f"{length} bytes of it" if length < len(form) else "and one more"
            yield Draft(f"the form of lead {lead:02X}, {label}", text, ("old-scheme",))
            yield Draft(f"the form of lead {lead:02X}, {label}, then A", text + b"A", ("old-scheme",))
        yield Draft(f"the form of lead {lead:02X}, then U+00E9", form + b"\xC3\xA9", ("old-scheme",))
    for text in (b"\xFE", b"\xFF", b"\xFE\xFF", b"\xFF\xFE", b"\xFE\xFE\xFF\xFF"):
        yield Draft(f"{spaced(text)}, in no scheme at all", text)
    for lead in (0xFE, 0xFF):
        text = bytes((lead,)) + b"\x80" * 6
        yield Draft(f"{lead:02X} and 6 continuation bytes", text)
