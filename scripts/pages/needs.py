# SPDX-License-Identifier: MIT
"""What every page is made with: Jinja2 and matplotlib, and how it is said that something is wrong."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

NEEDS = ("jinja2", "matplotlib")
SYSTEM_PYTHON = "/usr/bin/python3"


def have_what_it_needs() -> None:
    """Debian's packages are for Debian's Python, which need not be the first in the path."""
    missing = [name for name in NEEDS if importlib.util.find_spec(name) is None]
    if missing and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM_PYTHON) and os.access(SYSTEM_PYTHON, os.X_OK):
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    if missing:
        sys.exit(fail(f"needs {' and '.join('python3-' + name for name in missing)}; scripts/setup page installs them"))


def fail(message: str) -> int:
    """Says why it cannot run."""
    print(f"{Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    return 2


def render(template: str, **values: Any) -> str:
    """A page of a template that lies beside this file."""
    import jinja2

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True,
                                     undefined=jinja2.StrictUndefined)
    return environment.get_template(template).render(**values)
