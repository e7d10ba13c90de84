# SPDX-License-Identifier: MIT
"""Text files obey .editorconfig, and hand-written C and C++ .clang-format."""

from __future__ import annotations

import re
import shutil
import subprocess
import unittest
from pathlib import Path
from typing import List

ROOT = Path(__file__).resolve().parents[2]
VERSION = "14."
COLUMNS = int(re.findall(r"(?m)^ColumnLimit: (\d+)", (ROOT / ".clang-format").read_text(encoding="utf-8"))[0])
"""Of all lines; clang-format itself leaves comments and strings as they are."""
SOURCES = ["*.c", "*.h", "*.inc", "*.cc", "*.cpp"]  # not *.def: rows in columns
GENERATED = ["codecs/dfa/*_tables.h", "codecs/simd/tables/*", "harnesses/core/tokens.h", "vectors"]


def complaints(name: str, content: bytes) -> List[str]:
    """What .editorconfig asks of a text file and does not find."""
    found = []
    if b"\r" in content:
        found.append(f"{name}: has a carriage return")
    if content and not content.endswith(b"\n"):
        found.append(f"{name}: its last line does not end")
    for number, line in enumerate(content.split(b"\n"), 1):
        if line != line.rstrip(b" \t"):
            found.append(f"{name}:{number}: white space at the end of the line")
        if line.startswith(b"\t") and not name.endswith(".go"):
            found.append(f"{name}:{number}: a tab")
    return found


def tracked(*patterns: str) -> List[str]:
    """The files that git knows; none if this is no checkout of git."""
    done = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "--", *patterns], stdout=subprocess.PIPE, check=False)
    return [name for name in done.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def long_lines(name: str, text: str) -> List[str]:
    """The lines of C that are longer than COLUMNS, other than by what a string literal holds."""
    return [f"{name}:{number}: {len(line)} columns" for number, line in enumerate(text.split("\n"), 1)
            if len(re.sub(r'"(?:\\.|[^"\\])*"', '""', line)) > COLUMNS]


class FormatTest(unittest.TestCase):
    """The checkout."""

    def test_names_each_fault(self) -> None:
        """One of each."""
        self.assertEqual(complaints("a.c", b"int a; \n\tint b;\r\nint c;"), [
            "a.c: has a carriage return", "a.c: its last line does not end", "a.c:1: white space at the end of the line", "a.c:2: a tab"])
        self.assertEqual(complaints("a.go", b"\tx\n"), [])

    def test_text_files_obey_editorconfig(self) -> None:
        """All that git knows, but for the corpus, whose bytes are data, and the vectors, which are generated."""
        names = tracked(":!corpus", ":!vectors")
        if not names:
            self.skipTest("no git checkout")
        self.assertGreater(len(names), 100)
        self.assertEqual([line for name in names for line in complaints(name, (ROOT / name).read_bytes())], [])

    def test_two_files_fit_side_by_side(self) -> None:
        """Comments and macros, too; a long string counts as an empty one."""
        self.assertEqual(long_lines("a.c", f"int {'a' * (COLUMNS - 5)};\n/* {'a' * COLUMNS} */\nchar *b = \"{'a' * COLUMNS}\\\"\";"), [
            f"a.c:2: {COLUMNS + 6} columns"])
        names = tracked(*SOURCES, *(f":!{pattern}" for pattern in GENERATED))
        if not names:
            self.skipTest("no git checkout")
        self.assertGreater(len(names), 400)
        self.assertEqual([line for name in names for line in long_lines(name, (ROOT / name).read_text(encoding="utf-8"))], [])

    def test_hand_written_c_obeys_clang_format(self) -> None:
        """By the version that .clang-format is for; another breaks lines at other places."""
        program = shutil.which("clang-format-14") or shutil.which("clang-format")
        version = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout if program else "none"
        if not re.search(rf"version {re.escape(VERSION)}", version):
            self.skipTest(f"clang-format {VERSION}x is not here (Debian: clang-format-14), but {version.strip()}")
        names = tracked(*SOURCES, *(f":!{name}" for name in GENERATED))
        if not names:
            self.skipTest("no git checkout")
        self.assertGreater(len(names), 400)
        done = subprocess.run([str(program), "--dry-run", *(str(ROOT / name) for name in names)], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{program} -i FILE formats it")


if __name__ == "__main__":
    unittest.main()
