# SPDX-License-Identifier: MIT
"""The rules by which a mutant that nothing kills is equivalent: rows of any_operation.def; for one operation of UTF-8, of equivalent.def and only_OPERATION.def, too; for machine code, those of code_rules()."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from .machine import Program, run

CODECS = Path(__file__).resolve().parents[2] / "codecs"
TABLE = Path(__file__).with_name("equivalent.def")
CODE_TABLE = Path(__file__).with_name("equivalent_code.def")
ANY_TABLE = Path(__file__).with_name("any_operation.def")
VALIDATION = {"validate", "spans"}  # the operations that answer where the errors are
X86 = {"sse41", "avx2", "avx512"}  # the codecs that the shared rows for machine code are about
UTF_8 = "utf-8/*" # the codecs of a row that names none


def tables_of(operation: str) -> List[Path]:
    """The tables about one operation of UTF-8; it may have no rows of its own."""
    return [path for path in (TABLE, TABLE.with_name(f"only_{operation}.def")) if path.exists()]


def tables_for(operation: Optional[str]) -> List[Path]:
    """The tables for the sources that an operation reaches, or, without one, that any of them does."""
    return [*([] if operation is None else tables_of(operation)), ANY_TABLE]


def code_tables(codec: str, operations: Sequence[str]) -> Tuple[List[Path], List[Path]]:
    """For the machine code of a codec of UTF-8: the tables whose rows are read, and those of which only the reasons are. Both lists are empty if no table is
    about these operations. The codec's own table is first: its labels are exact."""
    shared = [*tables_of("validate"), CODE_TABLE] if codec in X86 else []
    of_validation = [path for path in (CODE_TABLE.with_name(f"equivalent_{codec}.def"), *shared) if path.exists()]
    every = sorted(CODE_TABLE.parent.glob("*.def"))
    if set(operations) <= VALIDATION:
        return of_validation, every
    own, of_x86 = (CODE_TABLE.with_name(f"code_{operations[0]}{suffix}.def") for suffix in (f"_{codec}", ""))
    if len(operations) > 1 or not own.exists():
        others = CODE_TABLE.with_name(f"code_others_{codec}.def")
        return ([others], every) if others.exists() else ([], [])
    if codec not in X86:
        return [own], every
    return [own, of_x86], [*tables_of(operations[0]), *of_validation, ANY_TABLE]


@dataclass(frozen=True)
class Place:
    """A line of a file below codecs/."""

    file: str
    number: int
    function: str

    def code(self) -> str:
        """Its text."""
        lines = lines_of(self.file)
        return lines[self.number - 1].strip() if 0 < self.number <= len(lines) else ""

    def __str__(self) -> str:
        return f"{self.file}:{self.number} {self.function}".rstrip()


@lru_cache(maxsize=None)
def lines_of(file: str) -> Sequence[str]:
    """Of a file below codecs/; none if there is no such file."""
    path = CODECS / file
    return path.read_text("utf-8").split("\n") if path.is_file() else []


@dataclass(frozen=True)
class Rule:
    """Explains the changes that match a glob, on the lines of a file, or of one function there, that have a text, in the codecs that match another."""

    file: str
    function: str
    text: str
    changes: str
    reason: str
    codecs: str = UTF_8

    def globs(self) -> List[str]:
        """Of the changes: parted by each `|` that is not of an operator (`|`, `||`, `|=`)."""
        return re.split(r"(?<![ |])\|(?![|=: ])", self.changes)


@dataclass
class Rules:
    """In the order of the table."""

    rules: List[Rule]
    sentences: Dict[str, str]

    def about(self, codec: str) -> Rules:
        """Those about a codec, which is ENCODING/NAME."""
        return Rules([rule for rule in self.rules if any(fnmatchcase(codec, glob) for glob in rule.codecs.split())], self.sentences)

    def reason_for(self, place: Place, label: str) -> Optional[str]:
        """The name of the reason, or None. `label` is that of the mutant."""
        for rule in self.rules:
            if rule.file == place.file and rule.function in ("", place.function) and rule.text in place.code() and any(fnmatchcase(label, f"*{change}*") for change in rule.globs()):
                return rule.reason
        return None

    @staticmethod
    def places_of(program: Program, addresses: Sequence[int]) -> List[List[Place]]:
        """Of each address: where its instruction is from, and where that was inlined, innermost first."""
        if not addresses:
            return []
        said = run("addr2line", "-a", "-f", "-i", "-e", str(program.path), *(f"{address:x}" for address in addresses))
        found = []
        for block in re.split(r"(?m)^0x[0-9a-f]+\n", said)[1:]:
            lines = block.splitlines()
            places = [(re.search(r"\bcodecs/(\S+):(\d+)", where), function) for function, where in zip(lines[::2], lines[1::2])]
            found.append([Place(os.path.normpath(match[1]), int(match[2]), function) for match, function in places if match is not None])
        return found


def without_comments(tables: Sequence[Path]) -> str:
    """The text of these tables, one after the other, without comments."""
    return "".join(re.sub(r"/\*.*?\*/", "", table.read_text("utf-8"), flags=re.DOTALL) for table in tables)  # a row may have the begin of one


def read(*tables: Path, reasons: Sequence[Path] = ()) -> Rules:
    """Rows may have reasons of the tables `reasons`, too. Raises ValueError if a row has a reason that is not there, names a line that is not, or has an empty or cut glob."""
    text, names = without_comments(tables), " and ".join(map(str, tables))
    sentences, lent = (dict(re.findall(r'REASON\((\w+),\s*"([^"]*)"\)', rows)) for rows in (text, without_comments(reasons)))
    rules = [Rule(*where.partition(" ")[::2], *row, codecs or UTF_8)
             for where, *row, codecs in re.findall(r'EQUIVALENT\(([^,"]+),\s*"([^"]*)",\s*"([^"]*)",\s*(\w+)(?:,\s*"([^"]*)")?\)', text)]
    if len(sentences) != text.count("REASON(") or len(rules) != text.count("EQUIVALENT("):
        raise ValueError(f"{names}: a row has another form")
    for rule in rules:
        if rule.reason not in sentences:
            if rule.reason not in lent:
                raise ValueError(f"{names}: there is no reason {rule.reason}")
            sentences[rule.reason] = lent[rule.reason]
        if any(glob == "" or glob.startswith((":", " ")) for glob in rule.globs()):
            raise ValueError(f"{names}: a row about {rule.file} has an empty glob, or one that begins within another")
        if not any(rule.text in line for line in lines_of(rule.file)):
            raise ValueError(f"{names}: {rule.file} has no line with {rule.text}")
    return Rules(rules, sentences)


def code_rules(codec: str, operations: Sequence[str]) -> Rules:
    """Those for the machine code of a codec of UTF-8. Raises ValueError."""
    tables, reasons = code_tables(codec, operations)
    return read(*tables, reasons=reasons).about(f"utf-8/{codec}")
