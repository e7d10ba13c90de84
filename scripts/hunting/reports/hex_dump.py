# SPDX-License-Identifier: MIT
"""The bytes of a finding as rows of a hex dump, with a mark on those at which the reference and the codec report an error."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, Dict, List

from ..findings.evidence import marks

ROW = 8  # bytes; a row of 16 does not fit on a telephone
NEAR = 8  # rows shown at the beginning, at the end, and before and after each mark
WORDS = {"reference": "the reference reports an error here", "codec": "{codec} reports an error here", "both": "both report an error here",
         "window": "the bytes that the letter shows"}


def printable(byte: int) -> str:
    """The byte as ASCII; a middle dot if it is not printable."""
    return chr(byte) if 0x20 <= byte < 0x7F else "·"


def is_near(place: int, anchors: List[int]) -> bool:
    """True if a row is shown, of which only those near the sorted `anchors` are."""
    at = bisect_left(anchors, place)
    return any(abs(anchor - place) <= NEAR for anchor in anchors[max(0, at - 1):at + 1])


def dump(finding: Dict[str, Any]) -> Dict[str, Any]:
    """The rows of a finding's input, and a legend of their marks. Rows that repeat the one before, without a mark, are counted, and so are
    the bytes of long inputs that are far from each mark."""
    content, marked = bytes.fromhex(finding["input"]), marks(finding["letter"], finding.get("codec"))
    anchors = sorted({0, len(content) // ROW, *(place // ROW for place in marked)})
    rows: List[Dict[str, Any]] = []

    def count(kind: str, size: int) -> None:
        if not rows or kind not in rows[-1]:
            rows.append({kind: 0})
        rows[-1][kind] += size

    before = b""
    for offset in range(0, len(content), ROW):
        part = content[offset:offset + ROW]
        cells = [(f"{byte:02X}", marked.get(offset + place, "")) for place, byte in enumerate(part)]
        is_marked = any(mark for _, mark in cells)
        if part == before and not is_marked:
            count("same", ROW)
            continue
        before = b"" if is_marked else part
        if is_near(offset // ROW, anchors):
            rows.append({"offset": f"{offset:04X}", "cells": cells, "text": "".join(map(printable, part))})
        else:
            before = b""
            count("far", ROW)
    present = {mark for place, mark in marked.items() if place < len(content)}
    return {"rows": rows, "legend": [(mark, words.format(codec=finding.get("codec"))) for mark, words in WORDS.items() if mark in present]}
