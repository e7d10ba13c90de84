# SPDX-License-Identifier: MIT
"""The vectors as one file in the manner of the Unicode Character Database: UTF8Test.txt, whose lines are like those of NormalizationTest.txt."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List

from . import template

File = Dict[str, Any]


def spaced(text: str, width: int = 2) -> str:
    """HEX or SCALARS, with blanks between the items; scalars have four digits or more."""
    if text == "-":
        return ""
    items = text.split(",") if width == 4 else [text[at:at + 2] for at in range(0, len(text), 2)]
    return " ".join(item.zfill(width) for item in items)


def line(case: Dict[str, Any]) -> str:
    """Bytes; offset and length of each error; code points with one U+FFFD for each error; # and the name."""
    errors = " ".join(f"{span['offset']}+{span['length']}" for span in case["spans"])
    return f"{spaced(case['bytes'])};{errors};{spaced(case['outputs']['whatwg'], 4)}; # {case['id'].split('/', 1)[1]}: {case['comment']}"


def parts(suite: Dict[str, File]) -> Iterator[str]:
    """A part for each category of whole inputs in UTF-8."""
    categories: List[File] = [file for file in suite.values() if file["encoding"] == "utf-8" and file["kind"] in ("decode", "limited")]
    for number, file in enumerate(categories):
        yield f"@Part{number} # {file['category']}: {file['about']}\n#"
        yield from map(line, file["tests"])
        yield "#"


def files(suite: Dict[str, File]) -> Dict[str, bytes]:
    """UTF8Test.txt."""
    first = next(iter(suite.values()))
    head = template("UTF8Test.txt").format(version=first["version"], unicode=first["unicode"])
    return {"UTF8Test.txt": (head + "\n".join([*parts(suite), "# EOF"]) + "\n").encode("ascii")}
