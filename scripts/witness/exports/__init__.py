# SPDX-License-Identifier: MIT
"""Forms of the vectors for other test suites and other languages; `templates` has the files that they contain unchanged."""

from __future__ import annotations

from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"


def template(name: str) -> str:
    """The text of a template."""
    return (TEMPLATES / name).read_text("ascii")
