# SPDX-License-Identifier: MIT
"""Which version, commit and command made a report, and when; as `made` in the JSON of `assay bench`, `damage` and `museum`."""

from __future__ import annotations

import re
import subprocess
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, Optional, Sequence

PROJECT = re.compile(r"^project\(utf8-assay VERSION ([0-9.]+)", re.MULTILINE)


def version(root: Path) -> str:
    """The version of the checkout; "unknown" if its CMakeLists.txt has none."""
    found = PROJECT.search((root / "CMakeLists.txt").read_text("utf-8")) if (root / "CMakeLists.txt").is_file() else None
    return found[1] if found else "unknown"


def commit(root: Path) -> Optional[str]:
    """What `git describe` says of the checkout; None if it is no checkout, or if there is no git."""
    if not (root / ".git").exists():
        return None
    try:
        done = subprocess.run(["git", "-C", str(root), "describe", "--always", "--dirty", "--match", "v[0-9]*"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None


def made(root: Path, command: Sequence[str], when: Optional[datetime] = None) -> Dict[str, Any]:
    """The object `made` of a report by this checkout."""
    return {"version": version(root), "commit": commit(root), "date": (when or datetime.now(timezone.utc)).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "command": list(command)}
