# SPDX-License-Identifier: MIT
"""Findings on disk: one folder for each key, written whole or not at all, never overwritten."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional

from ..targets import Plant


EXPLANATION = "explanation.txt"  # in the folder of a finding: what `assay explain` says of its input


@dataclass
class Finding:
    """A finding of this hunt, or of an earlier hunt if it still shows."""

    key: str
    folder: Path
    letter: str
    again: str
    info: Dict[str, Any]
    from_before: bool = False
    count: int = 1


def is_about(info: Dict[str, Any], plant: Plant) -> bool:
    """True if a finding is the plant's: by its codec, or, if none is named, by its key."""
    return f"-{plant.name}-" in f"-{info['codec'] or info['key']}-"


@dataclass
class Store:
    """The folder `findings` of a hunt."""

    folder: Path
    findings: Dict[str, Finding] = field(default_factory=dict)
    gone: List[str] = field(default_factory=list)  # keys of earlier findings that no longer show

    def earlier(self) -> List[Path]:
        """The folders of the findings that earlier hunts left."""
        if not self.folder.is_dir():
            return []
        return sorted(path for path in self.folder.iterdir() if (path / "info.json").is_file())

    def count_all(self, keys: Iterable[str]) -> None:
        """Counts one more occurrence of each key that is known."""
        for key in keys:
            if key in self.findings:
                self.findings[key].count += 1

    def remember(self, finding: Finding) -> None:
        """Adds a finding whose folder exists already."""
        self.findings[finding.key] = finding

    def add(self, finding: Finding, files: Dict[str, bytes]) -> None:
        """Writes a finding's folder under another name, then renames it. An older folder of its name is renamed first."""
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
    """Renames a folder that is in the way, so that no finding is lost. Returns its new path."""
    if not folder.exists():
        return None
    number = 1
    while (aside := folder.with_name(f"{folder.name}.{number}")).exists():
        number += 1
    os.replace(folder, aside)
    return aside
