# SPDX-License-Identifier: MIT
"""Files of a hunt: their names in a corpus, replacement in one step, lists of folders."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import List, Sequence


def content_name(content: bytes) -> str:
    """The name that libFuzzer gives a file of its corpus: the SHA-1 of the content."""
    return hashlib.sha1(content).hexdigest()


def write_file(path: Path, content: bytes) -> None:
    """Replaces a file in one step: writes another file, then renames it."""
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_bytes(content)
    os.replace(temporary, path)


def files_in(folders: Sequence[Path]) -> List[Path]:
    """All files of some folders, sorted; without hidden ones, which the replayer skips, too."""
    return sorted(path for folder in folders for path in folder.rglob("*")
                  if path.is_file() and not path.name.startswith("."))
