# SPDX-License-Identifier: MIT
"""Findings by probable cause: one wrong line in code that many codecs share gives a key for each codec, encoding and operation.

A question is an operation and the field that differs. First, crashes, and wrong answers with minimised inputs, are grouped, if their
codecs share code (a folder of codecs/). Two of them have one cause if the input of one shows the key of the other, if one input contains the other, or if question
and length are the same: mistakes at block edges and in lanes show at one length. Two groups with a common question and no common encoding
have one cause, too: an input that is minimised for UTF-8 has other bytes than one for UTF-16. Groups with a common encoding stay apart, because
two lines may be wrong.

Then each finding that is left goes to the group with which it has most in common, and merges no groups. It is a broken law, which follows from
a wrong answer, or it has an input that there was no time to minimise, whose bytes say little. All this is a guess for readers, so no finding is
left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

from ..targets import ENCODING
from .evidence import LETTER_HEAD
from .minimise import PLAIN

CODEC = re.compile(r"^CODEC\((\w+), *(\w+), *([^/, ]+)/", re.MULTILINE)

Families = Dict[Tuple[str, str], str]
Mark = Tuple[str, ...]


class Group(NamedTuple):
    """Findings of one cause: their numbers, their features, the keys that their inputs show, their questions and encodings."""

    members: List[int]
    marks: Set[Mark]
    keys: Set[str]
    questions: Set[Mark]
    encodings: Set[str]


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


def question(finding: Dict[str, Any], family: str) -> Mark:
    """What was asked, and which field differs, or which law is broken; the kind and the function of a crash."""
    if not family:
        prefix = f"{finding['encoding'].replace('-', '')}-{finding['target']}-"
        return ("died", finding["key"].removeprefix(prefix))
    head = LETTER_HEAD.match(finding["letter"])
    law = finding["key"].rpartition("-law-")[2]
    return (family, finding.get("operation") or "", finding.get("field") or (law.replace(f"{head.group(1)}-", "", 1) if head is not None else law))


def keys_of(finding: Dict[str, Any]) -> Set[str]:
    """The keys that the input of a finding shows."""
    return {finding["key"], *finding.get("shows", [])}


def merged(groups: Sequence[Group]) -> Group:
    """One group of several."""
    return Group(sorted(member for group in groups for member in group.members), *(set().union(*(group[part] for group in groups)) for part in range(1, 5)))


def joined(groups: Sequence[Group], new: Group) -> List[Group]:
    """The groups with one more; all that share a mark with it become one."""
    alike = [group for group in groups if group.marks & new.marks]
    return [group for group in groups if group not in alike] + [merged([*alike, new])]


def across_encodings(groups: Sequence[Group]) -> List[Group]:
    """The groups, of which two that share a question and no encoding become one, the largest first."""
    found: List[Group] = []
    for group in sorted(groups, key=lambda group: -len(group.members)):
        alike = [other for other in found if other.questions & group.questions and not other.encodings & group.encodings][:1]
        found = [other for other in found if other not in alike] + [merged([*alike, group])]
    return found


def operations(group: Group) -> Set[Mark]:
    """The operations of its questions. A broken law has none."""
    return {asked[:2] for asked in group.questions if asked[1]}


def nearest(groups: Sequence[Group], new: Group, is_minimised: bool) -> List[Group]:
    """The group that a finding has most in common with: keys that both show, then bytes, then the question, then the operation. If it has
    nothing in common with any and is not minimised, the only group of its family, if there is only one. At most one group."""
    def common(group: Group) -> Tuple[int, ...]:
        return (len(group.keys & new.keys), len(group.marks & new.marks), len(group.questions & new.questions), len(operations(group) & operations(new)),
                len(group.encodings & new.encodings), len(group.members))

    best = max(groups, key=common, default=None)
    if best is not None and any(common(best)[:4]):
        return [best]
    kin = [group for group in groups if {asked[0] for asked in group.questions} == {asked[0] for asked in new.questions}]
    return kin if len(kin) == 1 and not is_minimised else []


def by_cause(findings: Sequence[Dict[str, Any]], contents: Sequence[bytes], families: Families) -> List[List[str]]:
    """The keys of each probable cause, that of the smallest input first; causes in the order of their first findings."""
    kin = [(family_of(finding, families), finding["encoding"]) for finding in findings]
    whole = {content for finding, content in zip(findings, contents) if finding.get("minimised", True)}  # minimised, for one key at least
    plain = {number for number, finding in enumerate(findings) if not kin[number][0] or (contents[number] in whole and finding.get("field"))}
    keys = {findings[number]["key"] for number in plain}

    def alone(number: int) -> Group:
        """The group of one finding. Minimised inputs of two encodings may have the same bytes."""
        finding, content, (family, encoding) = findings[number], contents[number], kin[number]
        asked = question(finding, family)
        others = [other for other, of in zip(contents, kin) if of == kin[number]]
        marks = {asked} if not family else {(family, "bytes", core(content, others).hex()), (*asked, str(len(content))),
                                            *((family, "key", key) for key in keys_of(finding) & keys)}
        return Group([number], marks if content in whole else set(), keys_of(finding), {asked}, {encoding})

    groups: List[Group] = []
    for number in sorted(plain):
        groups = joined(groups, alone(number))
    groups = across_encodings(groups)
    for number in sorted(set(range(len(findings))) - plain, key=lambda number: (contents[number] not in whole, number)):
        new = alone(number)
        near = nearest(groups, new, contents[number] in whole)
        groups = [group for group in groups if group not in near] + [merged([*near, new])]
    return [[findings[number]["key"] for number in sorted(group.members, key=lambda number: (len(contents[number]), number))]
            for group in sorted(groups, key=lambda group: group.members[0])]


def numbered(count: int, word: str, ending: str = "s") -> str:
    """A number and a word, with the ending of the plural unless the number is 1."""
    return f"{count} {word}{ending if count != 1 else ''}"


def counted(causes: Sequence[Sequence[str]], not_again: Sequence[str] = ()) -> str:
    """`75 findings, 1 probable cause`; only the first part if each finding has its own cause. Then the crashes that did not come again."""
    findings = sum(map(len, causes))
    parts = [numbered(findings, "finding")] * bool(causes or not not_again)
    parts += [numbered(len(causes), "probable cause")] * (findings != len(causes))
    return ", ".join(parts + [f"{numbered(len(not_again), 'crash', 'es')} that did not come again"] * bool(not_again))
