# SPDX-License-Identifier: MIT
"""What a program says about one input: the keys and letters that targets print, or a sanitizer's report."""

from __future__ import annotations

import re
from typing import Dict, List, Optional, Tuple

FINDING = re.compile(r"finding ([A-Za-z0-9._-]+)")
LETTER_HEAD = re.compile(r"\S+/(\S+) (differs from|breaks the law|gives no answer)")
WHERE = re.compile(r"in (\S.*)")
HEADS = (
    (re.compile(r"ERROR: (AddressSanitizer|MemorySanitizer|LeakSanitizer): ([A-Za-z-]+)"), "{1}"),
    (re.compile(r"WARNING: (MemorySanitizer): ([a-z-]+)"), "{1}"),
    (re.compile(r"(runtime error): "), "undefined"),
    (re.compile(r"ERROR: (libFuzzer): (timeout|out-of-memory|deadly signal)"), "{1}"),
)
FRAME = re.compile(r"^ *#\d+ 0x[0-9a-f]+ in (\w+) (/[^\s:]+\.\w+)", re.MULTILINE)
OUR_OWN = ("/harnesses/core/", "/harnesses/fuzz/")
EXCERPT_LINES = 14


def letters(text: str) -> Dict[str, str]:
    """The letter of each key that a target printed."""
    return {key: letter for key, letter, _ in letters_by_file(text)}


def letters_by_file(text: str) -> List[Tuple[str, str, Optional[str]]]:
    """Key, letter and, where a replayer names it, file of each finding."""
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
    """A key's end, kind and function, and the report's beginning; None if no sanitizer spoke."""
    for pattern, kind in HEADS:
        head = pattern.search(text)
        if head:
            name = kind.format(*head.groups()).lower().replace(" ", "-")
            rest = text[text.rfind("\n", 0, head.start()) + 1:]
            return f"{name}-{place(rest)}", "\n".join(rest.splitlines()[:EXCERPT_LINES])
    return None


def place(report: str) -> str:
    """The function that a report points at: the innermost with a known source, which is a codec's if it asked one."""
    frame = FRAME.search(report)
    return "harness" if frame is None or any(part in frame.group(2) for part in OUR_OWN) else frame.group(1)
