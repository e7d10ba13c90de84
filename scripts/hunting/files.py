# SPDX-License-Identifier: MIT
"""Files of a hunt: what a corpus calls them, how they are replaced, which a folder holds."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import List, Sequence


def content_name(content: bytes) -> str:
    """What libFuzzer calls a file of its corpus."""
    return hashlib.sha1(content).hexdigest()


def write_file(path: Path, content: bytes) -> None:
    """Replaces a file in one step."""
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_bytes(content)
    os.replace(temporary, path)


def files_in(folders: Sequence[Path]) -> List[Path]:
    """All files of some folders, hidden ones left out as the replayer does."""
    return sorted(path for folder in folders for path in folder.rglob("*")
                  if path.is_file() and not path.name.startswith("."))
