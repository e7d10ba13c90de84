# SPDX-License-Identifier: MIT
"""What every page is made with: Jinja2 and matplotlib, and how it is said that something is wrong."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

# What comes of figures in another shape than their verb writes, wherever it is noticed.
OUT_OF_SHAPE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)

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


def write_page(path: Path, page_of: Callable[[], str]) -> int:
    """Writes what the function returns, whole or not at all. Returns the exit code: 0 if it is written, 2 if it could not be."""
    import jinja2

    try:
        page = page_of()
        if path.exists() and not path.is_file():
            path.write_text(page, encoding="utf-8")  # a device or a pipe
            return 0
        place = path.resolve()
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=".page-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                os.chmod(temporary, 0o644)
                file.write(page)
            os.replace(temporary, place)
        finally:
            Path(temporary).unlink(missing_ok=True)
    except (OSError, subprocess.SubprocessError) as trouble:
        return fail(str(trouble))
    except (*OUT_OF_SHAPE, jinja2.TemplateError) as trouble:
        return fail(f"these are not the figures that a page is made of ({type(trouble).__name__}: {trouble})")
    return 0


def render(template: str, **values: Any) -> str:
    """A page of a template that lies beside this file."""
    import jinja2

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True,
                                     undefined=jinja2.StrictUndefined)
    return environment.get_template(template).render(**values)
