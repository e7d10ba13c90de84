# SPDX-License-Identifier: MIT
"""The golden vectors that TextDecoder and TextEncoder can be asked, as short as JSON can be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

DECODED = ("utf-8", "utf-8-sig", "utf-16le", "utf-16le-sig", "utf-16be", "utf-16be-sig")
LOSSY = "whatwg"


def of_decode(test: Dict[str, Any]) -> List[Any]:
    """Bytes, output, whether they are well-formed."""
    return [test["bytes"], test["outputs"][LOSSY], int(test["well_formed"])]


def of_stream(test: Dict[str, Any]) -> List[Any]:
    """Pieces, output after each and after the end, the piece with which an error is certain."""
    return [",".join(test["pieces"]), "|".join(test["emitted"][LOSSY]), test["error_piece"]]


def of_reuse(test: Dict[str, Any]) -> List[Any]:
    """Streams."""
    return [[of_stream(stream) for stream in test["streams"]]]


def of_encode(test: Dict[str, Any]) -> List[Any]:
    """UTF-16 units and bytes."""
    return [test["units"], test["outputs"][LOSSY]["bytes"]]


def kind_of(encoding: str, kind: str) -> Optional[Callable[[Dict[str, Any]], List[Any]]]:
    """How a case of a kind is shortened; None if browsers cannot be asked it."""
    if kind == "encode-utf16":
        return of_encode if encoding == "utf-8" else None
    return {"decode": of_decode, "stream": of_stream, "reuse": of_reuse}.get(kind)


def compact(folder: Path) -> List[Dict[str, Any]]:
    """A group for each category: encoding, kind, category and tests, each of which begins with its name."""
    groups = []
    for encoding in DECODED:
        for path in sorted((folder / encoding).glob("*.json")):
            category = json.loads(path.read_text("ascii"))
            shorten = kind_of(encoding, category["kind"])
            if shorten is not None:
                tests = [[test["id"].rsplit("/", 1)[1], *shorten(test)] for test in category["tests"]]
                groups.append({"encoding": encoding, "kind": category["kind"].replace("encode-utf16", "encode"), "category": category["category"], "tests": tests})
    if not groups:
        raise ValueError(f"{folder} has no vectors")
    return groups
