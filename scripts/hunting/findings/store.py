# SPDX-License-Identifier: MIT
"""Findings on disk: a folder a key, written whole or not at all, never overwritten."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional

from ..targets import Plant


@dataclass
class Finding:
    """Something found by this hunt, or by one before it that still shows."""

    key: str
    folder: Path
    letter: str
    again: str
    info: Dict[str, Any]
    from_before: bool = False
    count: int = 1


def is_about(info: Dict[str, Any], plant: Plant) -> bool:
    """Whether what is known of a finding says that a plant is what was found: as its codec, or, where none is named, in its key."""
    return f"-{plant.name}-" in f"-{info['codec'] or info['key']}-"


@dataclass
class Store:
    """The folder `findings` of a hunt."""

    folder: Path
    findings: Dict[str, Finding] = field(default_factory=dict)
    gone: List[str] = field(default_factory=list)  # from before, and no longer to be seen

    def earlier(self) -> List[Path]:
        """The folders that earlier hunts left."""
        if not self.folder.is_dir():
            return []
        return sorted(path for path in self.folder.iterdir() if (path / "info.json").is_file())

    def count_all(self, keys: Iterable[str]) -> None:
        """Counts those of an input's keys that are known already."""
        for key in keys:
            if key in self.findings:
                self.findings[key].count += 1

    def remember(self, finding: Finding) -> None:
        """Takes in a finding whose folder is there already."""
        self.findings[finding.key] = finding

    def add(self, finding: Finding, files: Dict[str, bytes]) -> None:
        """Writes a finding's folder under another name, then renames it; an older one of its name is renamed before."""
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = self.folder / f".{finding.key}.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        for name, content in {**files, "info.json": json.dumps(finding.info, indent=2).encode() + b"\n"}.items():
            (fresh / name).write_bytes(content)
        set_aside(finding.folder)
        os.replace(fresh, finding.folder)
        self.remember(finding)


def set_aside(folder: Path) -> Optional[Path]:
    """Gives a folder that is in the way another name: nothing found is ever lost."""
    if not folder.exists():
        return None
    number = 1
    while (aside := folder.with_name(f"{folder.name}.{number}")).exists():
        number += 1
    os.replace(folder, aside)
    return aside
