#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the folder for OSS-Fuzz: the files of this folder, with the repository's owner and a maintainer's address filled in."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Callable, Sequence

HERE = Path(__file__).resolve().parent
FILES = ("project.yaml", "Dockerfile")


def matching(pattern: str, what: str) -> Callable[[str], str]:
    """An argparse type: accepts what matches the pattern, and no placeholder."""
    def check(text: str) -> str:
        if not re.fullmatch(pattern, text) or text in ("OWNER", "CONTACT"):
            raise argparse.ArgumentTypeError(f"'{text}' is not {what}")
        return text
    return check


def main(words: Sequence[str]) -> int:
    """Exit 0 if the folder is written, 2 if not."""
    parser = argparse.ArgumentParser(prog="scripts/oss-fuzz/fill.py", description=__doc__)
    parser.add_argument("owner", type=matching(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*", "the name of a GitHub account"),
                        help="the GitHub account that owns the repository")
    parser.add_argument("contact", type=matching(r"[^@\s\"]+@[^@\s\"]+\.[^@\s\"]+", "an e-mail address"),
                        help="the e-mail address, known to Google, that gets findings before they are public")
    parser.add_argument("folder", type=Path, help="projects/utf8-assay in a clone of OSS-Fuzz; must not exist")
    given = parser.parse_args(words)
    try:
        given.folder.mkdir(parents=True)
        for name in FILES:
            text = (HERE / name).read_text(encoding="utf-8")
            (given.folder / name).write_text(text.replace("OWNER", given.owner).replace("CONTACT", given.contact), encoding="utf-8")
    except OSError as error:
        print(f"fill.py: {given.folder} cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
