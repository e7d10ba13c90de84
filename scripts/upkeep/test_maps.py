# SPDX-License-Identifier: MIT
"""The file maps of READMEs are complete and true: each source file of a mapped folder is in the map, and no other."""

import re
import unittest
from pathlib import Path
from typing import Set

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {".c", ".h", ".inc", ".def", ".cmake", ".cpp", ".py"}
ASSAY = "harnesses/assay"
# The README of a folder, and what its map begins with.
MAPS = {
    f"{ASSAY}/run": (f"{ASSAY}/README.md", "| `run/` | the vectors"),
    f"{ASSAY}/vectors": (f"{ASSAY}/README.md", "| `vectors/` | the golden"),
    f"{ASSAY}/prove": (f"{ASSAY}/README.md", "| `prove/` | theorems about all inputs; [`PROOF.md`]"),
    f"{ASSAY}/bench": (f"{ASSAY}/bench/README.md", "| file |"),
    f"{ASSAY}/damage": (f"{ASSAY}/README.md", "| `damage/` | the effect of damage"),
    f"{ASSAY}/sweep": (f"{ASSAY}/sweep/README.md", "| file |"),
    "scripts/hunting": ("scripts/hunting/README.md", "| file |"),
    "harnesses/core": ("harnesses/core/README.md", "| file |"),
}


def files_in(folder: str) -> Set[str]:
    """The source files below a folder, but not those of tests. A header is described by the .c file of its name, if there is one."""
    top = ROOT / folder
    found = {path.relative_to(top).as_posix() for path in top.rglob("*") if path.suffix in SOURCES and path.is_file()}
    return {name for name in found if not name.startswith(("tests/", "__")) and "/__" not in name}


def named_in(readme: str, begin: str) -> Set[str]:
    """The files that a table names: in backquotes, in its first column."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    at = text.index(begin)
    rows = text[at:text.find("\n\n", at)].split("\n")[1:]
    return {name for row in rows for name in re.findall(r"`([\w/]+\.\w+)`", row.split("|")[1])}


def stem(name: str) -> str:
    return name.rsplit(".", 1)[0]


class Maps(unittest.TestCase):
    def test_name_every_file_and_no_other(self) -> None:
        for folder, (readme, begin) in MAPS.items():
            with self.subTest(folder=folder):
                files, named = files_in(folder), named_in(readme, begin)
                self.assertGreater(len(named), 2)
                self.assertEqual(sorted(named - files), [], f"{readme} names files that are not in {folder}")
                described = {stem(name) for name in named}
                self.assertEqual(sorted(name for name in files if stem(name) not in described), [], f"{readme} lacks these of {folder}")


if __name__ == "__main__":
    unittest.main()
