# SPDX-License-Identifier: MIT
"""What is generated: each path under the checkout with the bytes that belong there."""

from __future__ import annotations

from pathlib import Path
from typing import Dict

from . import tables

# Folders in which every file is generated, but for those of `is_handwritten`.
OWNED_FOLDERS = ()


def is_handwritten(name: str) -> bool:
    """Whether a file in an owned folder is written by hand."""
    return name.endswith((".md", "LICENSE"))


def files(root: Path) -> Dict[str, bytes]:
    """Every generated file, in order of path."""
    texts = {tables.PATH: tables.header()}
    return {name: text.encode("ascii") for name, text in sorted(texts.items())}
