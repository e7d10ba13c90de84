# SPDX-License-Identifier: MIT
"""No two places of hand-written C have six lines alike, but for those that a comment in the code defends."""

from __future__ import annotations

import re
import subprocess
import unittest
from pathlib import Path
from typing import Dict, Iterable, List, Sequence, Tuple

ROOT = Path(__file__).resolve().parents[2]
LINES = 6
SOURCES = ["*.c", "*.h", "*.inc", "*.cpp", ":!codecs/dfa/*_tables.h", ":!codecs/simd/tables", ":!harnesses/core/tokens.h", ":!vectors"]
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)

# Pairs of files that repeat lines on purpose, and words of the comment in the first file that says why.
DEFENDED: Dict[Tuple[str, str], str] = {
    ("codecs/reference/cesu8.c", "codecs/reference/utf8.c"): "they are typed again, since each reference can be checked with its own document alone",
}

Line = Tuple[int, str]


def code_lines(text: str) -> List[Line]:
    """The lines that say something: no comments, includes, blank lines and lone punctuation; white space is folded."""
    bare = COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)
    lines = [(number, " ".join(line.split()).rstrip(" \\")) for number, line in enumerate(bare.split("\n"), 1)]
    return [(number, line) for number, line in lines if re.search(r"\w", line) and not line.startswith("#include")]


def repeats(files: Iterable[Tuple[str, Sequence[Line]]], count: int = LINES) -> Dict[Tuple[str, str], List[Tuple[int, int]]]:
    """Pairs of files, and where in each the first of `count` equal lines is."""
    seen: Dict[Tuple[str, ...], Tuple[str, int, int]] = {}
    found: Dict[Tuple[str, str], List[Tuple[int, int]]] = {}
    for name, lines in files:
        for at in range(len(lines) - count + 1):
            run = tuple(line for _, line in lines[at:at + count])
            other = seen.setdefault(run, (name, lines[at][0], at))
            if other[0] != name or other[2] + count <= at:
                found.setdefault((other[0], name), []).append((other[1], lines[at][0]))
    return found


class Repeats(unittest.TestCase):
    """The checkout."""

    def test_are_seen(self) -> None:
        """Six equal lines in two files, whatever comments and white space are between them; five are allowed."""
        text = "int a;\nint b; /* one\n two */\n\nint c;\n}\nint  d;\n#include <e.h>\nint e;\nint f;\n"
        files = [("x.c", code_lines(text)), ("y.c", code_lines("\nint z;\n" + text))]
        self.assertEqual(repeats(files), {("x.c", "y.c"): [(1, 3)]})
        self.assertEqual(repeats(files, 7), {})

    def test_are_defended(self) -> None:
        """All that git knows."""
        done = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "--", *SOURCES], stdout=subprocess.PIPE, check=False)
        names = [name for name in done.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
        if not names:
            self.skipTest("no git checkout")
        self.assertGreater(len(names), 400)
        found = repeats((name, code_lines((ROOT / name).read_text(encoding="utf-8"))) for name in names)
        undefended = [f"{pair[0]}:{places[0][0]} ~ {pair[1]}:{places[0][1]}" for pair, places in found.items() if pair not in DEFENDED]
        self.assertEqual(undefended, [])
        self.assertEqual([pair for pair in DEFENDED if pair not in found], [], "these have no lines alike any more")
        for (name, _), words in DEFENDED.items():
            self.assertIn(words, " ".join((ROOT / name).read_text(encoding="utf-8").replace("*", " ").split()), name)


if __name__ == "__main__":
    unittest.main()
