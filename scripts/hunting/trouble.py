# SPDX-License-Identifier: MIT
"""What keeps a hunt from running as asked; never reported as a finding."""

from __future__ import annotations

from pathlib import Path

CLEAN, FOUND, CANNOT_RUN, INTERRUPTED = 0, 1, 2, 130


class CannotRun(Exception):
    """The sentence says what is wrong and what to do about it; the exit code is 2."""


class Enough(Exception):
    """The hunt has found what it was to end at: no trouble. It is the finding's key."""


def last_lines(log: Path, count: int = 20) -> str:
    """The end of a log, indented, for those who do not want to open it."""
    try:
        lines = log.read_text(errors="replace").splitlines()[-count:]
    except OSError:
        return ""
    return "\n".join(f"    {line}" for line in lines)
