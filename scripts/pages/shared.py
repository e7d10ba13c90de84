# SPDX-License-Identifier: MIT
"""Shared by all pages: dependencies (Jinja2, matplotlib), templates. Shared by other scripts, too: error messages, writing files."""

from __future__ import annotations

import errno
import importlib.util
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator, List, NoReturn, Sequence, Tuple

# Exceptions that JSON of an unexpected shape causes anywhere.
SHAPE_ERRORS = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)

NEEDS = ("jinja2", "matplotlib")
SYSTEM_PYTHON = "/usr/bin/python3"


def require_packages(names: Sequence[str] = NEEDS) -> None:
    """Continues under Debian's Python if this one lacks a package; ends with a message if both do."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM_PYTHON) and os.access(SYSTEM_PYTHON, os.X_OK):
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    if missing:
        sys.exit(fail(f"needs {' and '.join('python3-' + name for name in missing)}; scripts/setup page installs them"))


def fail(message: str) -> int:
    """Prints why it cannot run; returns the exit code."""
    print(f"{Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    return 2


def interrupt_by_sigterm() -> None:
    """From now on SIGTERM raises KeyboardInterrupt, so that it ends a program, and what that program runs, as Ctrl-C does."""

    def interrupt(_number: int, _frame: object) -> NoReturn:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """While a file or a folder is written. An OSError becomes one with the sentence that `assay` has for it, without names of temporary
    files."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(errno.ENOTDIR) if isinstance(error, FileExistsError) else error.strerror  # a file where a folder would be made
        raise OSError(f"{path} cannot be written: {reason or error}") from error


def write_whole(path: Path, text: str) -> None:
    """Writes a file, whole or not at all. Raises OSError as writing() does."""
    with writing(path):
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")  # a device or a pipe
            return
        place = path.resolve()
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=".page-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                os.chmod(temporary, 0o644)
                file.write(text)
            os.replace(temporary, place)
        finally:
            Path(temporary).unlink(missing_ok=True)


def write_page(path: Path, page_of: Callable[[], str]) -> int:
    """Writes the page that the function returns, whole or not at all. Returns the exit code: 0 if written, 2 if not."""
    import jinja2

    try:
        write_whole(path, page_of())
    except (OSError, subprocess.SubprocessError) as error:
        return fail(str(error))
    except (*SHAPE_ERRORS, jinja2.TemplateError) as error:
        return fail(f"the input is not a report of this kind ({type(error).__name__}: {error})")
    return 0


def headings(content: str) -> List[Tuple[Any, Any]]:
    """The anchors and titles of the sections of a page, escaped, as heading() in macros.j2 writes them."""
    import markupsafe

    return [(markupsafe.Markup(name), markupsafe.Markup(title)) for name, title in re.findall(r'<h2 id="([^"]*)"><a href="#[^"]*">(.*?)</a></h2>', str(content))]


def render(template: str, **values: Any) -> str:
    """Renders a template of this folder."""
    import jinja2

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True,
                                     undefined=jinja2.StrictUndefined)
    environment.filters.update(shell=shlex.join, headings=headings)
    return environment.get_template(template).render(**values)
