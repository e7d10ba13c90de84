# SPDX-License-Identifier: MIT
"""Findings by probable cause: one wrong line that many codecs share gives a key for each codec, encoding and operation.

Two findings are put together if their codecs share code (a folder of codecs/) and either the input of one, made small, is in that of
the other, or the same field differs in inputs of one length: block edges and lanes are places. That is a guess to read by, so nothing
is left out by it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

from ..targets import ENCODING
from .evidence import LETTER_HEAD
from .minimise import PLAIN

CODEC = re.compile(r"^CODEC\((\w+), *(\w+), *([^/, ]+)/", re.MULTILINE)

Families = Dict[Tuple[str, str], str]


def read_families(root: Path) -> Families:
    """The folder of each codec of the registry, by encoding and name."""
    text = (root / "codecs/codecs.def").read_text()
    encodings = dict(ENCODING.findall(text))
    return {(encodings[id_], codec): folder for id_, codec, folder in CODEC.findall(text) if id_ in encodings}


def family_of(finding: Dict[str, Any], families: Families) -> str:
    """The folder of its codec; the name of one that is in none of ours; nothing if no codec is named."""
    head = LETTER_HEAD.match(finding["letter"])
    return families.get((finding["encoding"], head.group(1)), head.group(1)) if head is not None else ""


def core(content: bytes, others: Sequence[bytes]) -> bytes:
    """The smallest of others that is in it. A byte alone, and letters that minimising puts in place of what does not matter, tell nothing."""
    return min((other for other in others if len(other) > 1 and other.strip(bytes([PLAIN])) and other in content), key=len, default=content)


def marks(finding: Dict[str, Any], content: bytes, family: str, others: Sequence[bytes]) -> List[Tuple[str, ...]]:
    """What it has in common with others of its cause, any one of which is enough. `others` are the inputs of its family and encoding."""
    if not family:  # it died: of what, and in which function
        prefix = f"{finding['encoding'].replace('-', '')}-{finding['target']}-"
        return [("died", finding["key"][len(prefix):] if finding["key"].startswith(prefix) else finding["key"])]
    kind = finding.get("field") or finding["key"].rpartition("-law-")[2]
    return [(family, "bytes", finding["encoding"], core(content, others).hex()), (family, "place", kind, str(len(content)))]


def by_cause(findings: Sequence[Dict[str, Any]], contents: Sequence[bytes], families: Families) -> List[List[str]]:
    """The keys of each probable cause, that of the smallest input first; causes in the order in which they came up."""
    groups: List[Tuple[List[int], set]] = []
    kin = [(family_of(finding, families), finding["encoding"]) for finding in findings]
    for number, finding in enumerate(findings):
        others = [content for content, of in zip(contents, kin) if of == kin[number]]
        own = set(marks(finding, contents[number], kin[number][0], others))
        alike = [group for group in groups if group[1] & own]
        members = sorted([number, *(member for group in alike for member in group[0])])
        merged = (members, own.union(*(group[1] for group in alike)))
        groups = sorted([group for group in groups if group not in alike] + [merged], key=lambda group: group[0][0])
    return [[findings[number]["key"] for number in sorted(members, key=lambda number: (len(contents[number]), number))] for members, _ in groups]


def counted(causes: Sequence[Sequence[str]]) -> str:
    """`75 findings, 1 probable cause`; nothing of causes where each finding has its own."""
    findings = sum(map(len, causes))
    said = f"{findings} finding{'s' if findings != 1 else ''}"
    return said if findings == len(causes) else f"{said}, {len(causes)} probable cause{'s' if len(causes) != 1 else ''}"
