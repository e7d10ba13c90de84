# SPDX-License-Identifier: MIT
"""What a program prints about one input: keys and letters of a target, or a sanitizer's report."""

from __future__ import annotations

import re
from typing import Dict, List, Optional, Tuple

FINDING = re.compile(r"finding ([A-Za-z0-9._-]+)")
KEY_LINE = re.compile(r"(?:finding| *key) +([A-Za-z0-9._-]+)")
LETTER_HEAD = re.compile(r"\S+/(\S+) (differs from|breaks the law|gives no answer)")
WHERE = re.compile(r"in (\S.*)")
HEADS = (
    (re.compile(r"ERROR: (AddressSanitizer|MemorySanitizer|LeakSanitizer): ([A-Za-z-]+)"), "{1}"),
    (re.compile(r"WARNING: (MemorySanitizer): ([a-z-]+)"), "{1}"),
    (re.compile(r"(runtime error): "), "undefined"),
    (re.compile(r"ERROR: (libFuzzer): (timeout|out-of-memory|deadly signal)"), "{1}"),
)
FRAME = re.compile(r"^ *#\d+ 0x[0-9a-f]+ in (\w+) (/[^\s:]+\.\w+)", re.MULTILINE)
SPAN = re.compile(r"^  (\S+) .*?ill-formed at (\d+), maximal subpart of (\d+) byte", re.MULTILINE)
WINDOW = re.compile(r"^  bytes .*\((\d+) bytes?, at offset (\d+) of \d+\)$", re.MULTILINE)
OUR_OWN = ("/harnesses/core/", "/harnesses/fuzz/")
EXCERPT_LINES = 14


def letters(text: str) -> Dict[str, str]:
    """The letters that a target printed, by key."""
    return {key: letter for key, letter, _ in letters_by_file(text)}


def keys(text: str) -> List[str]:
    """The keys that a target or `assay diff` printed, once each."""
    found = (KEY_LINE.fullmatch(line) for line in text.splitlines())
    return list(dict.fromkeys(line.group(1) for line in found if line))


def marks(letter: str, codec: Optional[str]) -> Dict[int, str]:
    """What is marked at each offset: "reference", "codec" or "both"; "window" if the letter names no error and shows only a part."""
    found: Dict[int, str] = {}
    for name, offset, length in SPAN.findall(letter):
        mark = "reference" if name == "reference" else "codec" if name == codec else None
        for place in range(int(offset), int(offset) + int(length)) if mark else ():
            found[place] = mark if found.get(place, mark) == mark else "both"
    window = WINDOW.search(letter)
    if not found and window:
        found = {int(window[2]) + place: "window" for place in range(int(window[1]))}
    return found


def letters_by_file(text: str) -> List[Tuple[str, str, Optional[str]]]:
    """The key, the letter and, if a replayer names it, the file of each finding."""
    found: List[Tuple[str, str, Optional[str]]] = []
    letter: List[str] = []
    for line in text.splitlines():
        finding, where = FINDING.fullmatch(line), WHERE.fullmatch(line)
        if LETTER_HEAD.match(line):
            letter = [line]
        elif finding:
            found.append((finding.group(1), "\n".join(letter) + "\n", None))
            letter = []
        elif where:
            found = [(key, said, file or where.group(1)) for key, said, file in found]
        elif letter:
            letter.append(line)
    return found


def sanitizer_report(text: str) -> Optional[Tuple[str, str]]:
    """The end of a key (kind and function), and the first lines of a sanitizer's report; None if there is none."""
    for pattern, kind in HEADS:
        head = pattern.search(text)
        if head:
            name = kind.format(*head.groups()).lower().replace(" ", "-")
            rest = text[text.rfind("\n", 0, head.start()) + 1:]
            return f"{name}-{place(rest)}", "\n".join(rest.splitlines()[:EXCERPT_LINES])
    return None


def place(report: str) -> str:
    """The innermost function of a report whose source is known; `harness` if that is one of ours, or if there is none."""
    frame = FRAME.search(report)
    return "harness" if frame is None or any(part in frame.group(2) for part in OUR_OWN) else frame.group(1)
