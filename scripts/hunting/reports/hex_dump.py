# SPDX-License-Identifier: MIT
"""The bytes of a finding as rows of a hex dump, with a mark on those at which the reference and the codec report an error."""

from __future__ import annotations

from typing import Any, Dict, List

from ..findings.evidence import marks

ROW = 8  # bytes; a row of 16 does not fit on a telephone
WORDS = {"reference": "the reference reports an error here", "codec": "{codec} reports an error here", "both": "both report an error here",
         "window": "the bytes that the letter shows"}


def printable(byte: int) -> str:
    """The byte as ASCII; a middle dot if it is not printable."""
    return chr(byte) if 0x20 <= byte < 0x7F else "·"


def dump(finding: Dict[str, Any]) -> Dict[str, Any]:
    """The rows of a finding's input, and a legend of their marks. Rows that repeat the one before, without a mark, are counted."""
    content, marked = bytes.fromhex(finding["input"]), marks(finding["letter"], finding.get("codec"))
    rows: List[Dict[str, Any]] = []
    before = b""
    for offset in range(0, len(content), ROW):
        part = content[offset:offset + ROW]
        cells = [(f"{byte:02X}", marked.get(offset + place, "")) for place, byte in enumerate(part)]
        if part == before and not any(mark for _, mark in cells) and rows[-1].get("same", True):
            if "same" not in rows[-1]:
                rows.append({"same": 0})
            rows[-1]["same"] += ROW
            continue
        before = b"" if any(mark for _, mark in cells) else part
        rows.append({"offset": f"{offset:04X}", "cells": cells, "text": "".join(map(printable, part))})
    present = {mark for place, mark in marked.items() if place < len(content)}
    return {"rows": rows, "legend": [(mark, words.format(codec=finding.get("codec"))) for mark, words in WORDS.items() if mark in present]}
