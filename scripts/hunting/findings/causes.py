# SPDX-License-Identifier: MIT
"""Findings by probable cause: one wrong line in code that many codecs share gives a key for each codec, encoding and operation.

Two findings are put together if their codecs share code (a folder of codecs/) and either the minimised input of one contains that of the
other, or the same field differs in inputs of one length, because mistakes at block edges and in lanes show at one length. If there was
no time to minimise an input to the end, its bytes and its length say little: its finding is put together with those whose answer to the
same question differs in the same field, in any encoding. This is a guess for readers, so no finding is left out by it.
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
    """The folder of each registered codec, by encoding and name."""
    text = (root / "codecs/codecs.def").read_text()
    encodings = dict(ENCODING.findall(text))
    return {(encodings[id_], codec): folder for id_, codec, folder in CODEC.findall(text) if id_ in encodings}


def family_of(finding: Dict[str, Any], families: Families) -> str:
    """The folder of a finding's codec; the codec's name if it is not registered; an empty string if the finding names none."""
    head = LETTER_HEAD.match(finding["letter"])
    return families.get((finding["encoding"], head.group(1)), head.group(1)) if head is not None else ""


def core(content: bytes, others: Sequence[bytes]) -> bytes:
    """The smallest of `others` that `content` contains, else `content`. Single bytes, and strings of the letter that minimising inserts, do
    not count."""
    return min((other for other in others if len(other) > 1 and other.strip(bytes([PLAIN])) and other in content), key=len, default=content)


def question(finding: Dict[str, Any], family: str) -> Tuple[str, ...]:
    """What was asked, and which field differs, or which law is broken."""
    head = LETTER_HEAD.match(finding["letter"])
    law = finding["key"].rpartition("-law-")[2]
    return (family, "question", finding.get("operation") or "", finding.get("field") or (law.replace(f"{head.group(1)}-", "", 1) if head is not None else law))


def marks(finding: Dict[str, Any], content: bytes, family: str, others: Sequence[bytes]) -> List[Tuple[str, ...]]:
    """The features of a finding; two findings that share one are put together. `others`: the inputs of all findings of the same family and
    encoding. Minimised inputs of two encodings may have the same bytes."""
    if not family:  # a crash: its kind and its function
        prefix = f"{finding['encoding'].replace('-', '')}-{finding['target']}-"
        return [("died", finding["key"][len(prefix):] if finding["key"].startswith(prefix) else finding["key"])]
    kind = finding.get("field") or finding["key"].rpartition("-law-")[2]
    return [(family, "bytes", core(content, others).hex()), (family, "place", kind, str(len(content)))]


def by_cause(findings: Sequence[Dict[str, Any]], contents: Sequence[bytes], families: Families) -> List[List[str]]:
    """The keys of each probable cause, that of the smallest input first; causes in the order of their first findings."""
    groups: List[Tuple[List[int], set]] = []
    kin = [(family_of(finding, families), finding["encoding"]) for finding in findings]
    whole = {content for finding, content in zip(findings, contents) if finding.get("minimised", True)}  # minimised, for one key at least
    asked: set = set()  # questions to findings whose input was minimised: only the first of each is put together with those whose was not
    for number, finding in enumerate(findings):
        others = list(dict.fromkeys(content for content, of in zip(contents, kin) if of == kin[number]))
        own, mark = set(marks(finding, contents[number], kin[number][0], others)), question(finding, kin[number][0])
        if kin[number][0] and (contents[number] not in whole or mark not in asked):
            own.add(mark)
        if contents[number] in whole:
            asked.add(mark)
        alike = [group for group in groups if group[1] & own]
        members = sorted([number, *(member for group in alike for member in group[0])])
        merged = (members, own.union(*(group[1] for group in alike)))
        groups = sorted([group for group in groups if group not in alike] + [merged], key=lambda group: group[0][0])
    return [[findings[number]["key"] for number in sorted(members, key=lambda number: (len(contents[number]), number))] for members, _ in groups]


def counted(causes: Sequence[Sequence[str]]) -> str:
    """`75 findings, 1 probable cause`; only the first part if each finding has its own cause."""
    findings = sum(map(len, causes))
    said = f"{findings} finding{'s' if findings != 1 else ''}"
    return said if findings == len(causes) else f"{said}, {len(causes)} probable cause{'s' if len(causes) != 1 else ''}"
