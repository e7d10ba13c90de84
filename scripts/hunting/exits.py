# SPDX-License-Identifier: MIT
"""The exit codes of a hunt, and the exceptions that end it early."""

from __future__ import annotations

from pathlib import Path

CLEAN, FOUND, CANNOT_RUN, INTERRUPTED = 0, 1, 2, 130


class CannotRun(Exception):
    """The hunt cannot run as asked; exit code 2, never a finding. The message says what is wrong, and what to do about it."""


class Enough(Exception):
    """Raised under --fail-fast to end the hunt at a finding; not an error. Its message is the finding's key."""


def last_lines(log: Path, count: int = 20) -> str:
    """The last lines of a log, indented; an empty string if it cannot be read."""
    try:
        lines = log.read_text(errors="replace").splitlines()[-count:]
    except OSError:
        return ""
    return "\n".join(f"    {line}" for line in lines)
