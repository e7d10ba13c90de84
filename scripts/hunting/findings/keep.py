# SPDX-License-Identifier: MIT
"""Keeps a finding: copies its minimised input to corpus/found, with a story to fill in."""

from __future__ import annotations

import json
from pathlib import Path

from ..files import write_file
from ..exits import CannotRun
from .store import Store

STORY = """
## {key}

{letter}
(What was wrong, why nothing had caught it before, and since when it is fixed: to be written here.)
"""


def keep(root: Path, store: Store, key: str) -> Path:
    """Copies the input of an earlier hunt's finding and returns the new file. Raises CannotRun if there is no such finding, if it is a
    plant's, which is no real divergence, or if a file of its name is kept already."""
    folders = {folder.name: folder for folder in store.earlier()}
    if key not in folders:
        there = ", ".join(folders) or "none at all"
        raise CannotRun(f"--keep: there is no finding '{key}' in {store.folder}; there are: {there}")
    folder, place = root / "corpus/found", root / "corpus/found" / key
    readme = folder / "README.md"
    if place.exists():
        raise CannotRun(f"--keep: {place} is there already; give that one another name first")
    try:
        story = readme.read_text()
        letter = (folders[key] / "letter.txt").read_text()
        content = (folders[key] / "input").read_bytes()
        plant = json.loads((folders[key] / "info.json").read_text()).get("plant")
    except OSError as error:
        raise CannotRun(f"--keep: {error.filename} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise CannotRun(f"--keep: {folders[key] / 'info.json'} cannot be read: {error}") from error
    if plant is not None:
        raise CannotRun(f"--keep: {key} is of the plant {plant}, which is meant to be wrong; corpus/found is for divergences that there were")
    quoted = "".join(f"    {line}\n" for line in letter.splitlines() if not line.startswith("  again "))
    write_file(place, content)
    write_file(readme, (story.rstrip() + "\n" + STORY.format(key=key, letter=quoted)).encode())
    return place
