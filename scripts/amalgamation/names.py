# SPDX-License-Identifier: MIT
"""Keeps the names of translation units apart: what a unit declares at file scope gets a prefix.

Macros keep their names, and are undefined at the end of the unit, but for those that stand for functions of a method (simd_validate):
codec_template.inc makes the names of these by pasting."""

from __future__ import annotations

import re
from typing import Iterable, List, Set

from .expansion import TOKEN, logical_lines, without_comments

IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z")
# Rows of codecs.def and operations.def, and the lines of codec_template.inc that paste: what is in them are parts of names.
ROWS = re.compile(r"^((?:OPERATION|ENCODING|ISA|CODEC)\(.*|.*\b(?:JOIN|OF_CODEC)\(.*)$", re.M)
NOT_NAMES = {"__attribute__", "_Static_assert", "__asm__", "sizeof", "static", "const", "inline", "void", "struct", "enum", "union"}


def declared(text: str) -> Set[str]:
    """The names that a text declares at file scope: functions, variables, types, tags and enumeration constants."""
    code = "\n".join(line for line in logical_lines(text) if not line.lstrip().startswith("#"))
    tokens = [token for token in TOKEN.findall(without_comments(code)) if not token.isspace()]
    names: Set[str] = set()
    braces = parentheses = 0
    in_enumeration = in_typedef = False
    last = ""  # identifier at file scope
    for i, token in enumerate(tokens):
        following = tokens[i + 1] if i + 1 < len(tokens) else ""
        before = tokens[i - 1] if i > 0 else ""
        if token in "{}":
            if token == "{" and braces == 0:
                in_enumeration = before == "enum" or (i > 1 and tokens[i - 2] == "enum")
            braces += 1 if token == "{" else -1
        elif token in "()":
            parentheses += 1 if token == "(" else -1
        elif braces == 0 and token == "typedef":
            in_typedef = True
        elif braces == 0 and token == ";":
            names |= {last} if in_typedef else set()
            in_typedef = False
        elif not IDENTIFIER.match(token) or token in NOT_NAMES:
            continue
        elif in_typedef and braces == parentheses == 0:
            last = token
        elif braces == 1 and in_enumeration and before in ("{", ",") and parentheses == 0:
            names.add(token)
        elif braces == 0 and before in ("struct", "enum", "union") and following == "{":
            names.add(token)
        elif braces == 0 and parentheses == 0 and following in ("(", "=", "[", ";", ",") and before not in ("", ";", "}"):
            names.add(token)
    return names


def pasted_prefixes(text: str) -> Set[str]:
    """The beginnings, `widen_by_` say, to which macros append parameters. Those in capitals are of shared names (ASSAY_POLICY_), and
    those of codecs are the same in all units."""
    found: Set[str] = set()
    for line in logical_lines(text):
        definition = re.match(r"\s*#\s*define\s+\w+\(([^)]*)\)(.*)", line, re.S)
        if definition:
            parameters = re.split(r"\s*,\s*", definition[1])
            found |= {name for name in re.findall(r"\b([a-z]\w*_)\s*##", definition[2]) if name not in parameters}
    return found - {"codec_"}


def separated(text: str, prefix: str, macros: Iterable[str], shared: Set[str]) -> str:
    """The text, with the prefix before each name that it declares, except for names of the public interface and shared ones."""
    methods: Set[str] = set(re.findall(r"^#define METHOD (\w+)", text, re.M))
    names = {name for name in declared(text) if not name.startswith("utf8_assay_")} - set(macros) - shared
    names |= {name for name in macros if any(name.startswith(f"{method}_") for method in methods)}
    beginnings = tuple(pasted_prefixes(text))
    result: List[str] = []
    for part in ROWS.split(text):
        is_row = ROWS.fullmatch(part) is not None
        for token in [part] if is_row else TOKEN.findall(part):
            is_name = token in names or (bool(beginnings) and token.startswith(beginnings))
            result.append(prefix + token if is_name and not is_row else token)
    return re.sub(r"^#define METHOD (\w+)", rf"#define METHOD {prefix}\1", "".join(result), flags=re.M)
