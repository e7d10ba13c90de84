# SPDX-License-Identifier: MIT
"""All cases as one page for a browser, offline: index.html, which searches them by words and by bytes."""

from __future__ import annotations

import base64
import gzip
import json
import os
import time
from pathlib import Path
from typing import Any, Dict

from hunting.provenance import commit, version

from . import template

File = Dict[str, Any]
ROOT = Path(__file__).resolve().parents[3]


def made() -> str:
    """The version and commit of the checkout, and the day: that of SOURCE_DATE_EPOCH if it is set, as for the packages."""
    day = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())))
    known = commit(ROOT)
    return f"{version(ROOT)}{f', commit {known}' if known else ''}, on {day}"


def files(suite: Dict[str, File]) -> Dict[str, bytes]:
    """index.html. The cases are in it as JSON, those of UTF-8 first, compressed: a twentieth of their size."""
    first = next(iter(suite.values()))
    shown = [{name: file[name] for name in ("encoding", "category", "about", "tests")} for file in sorted(suite.values(), key=lambda file: file["encoding"] != "utf-8")]
    packed = gzip.compress(json.dumps(shown, separators=(",", ":")).encode("ascii"), mtime=0)
    page = template("index.html")
    for name, value in (("version", first["version"]), ("unicode", first["unicode"]), ("count", f"{sum(file['count'] for file in suite.values()):,}"),
                        ("made", made()), ("copy", (ROOT / "scripts" / "pages" / "copy.js").read_text("ascii").rstrip()), ("data", base64.b64encode(packed).decode("ascii"))):
        page = page.replace("{" + name + "}", value)
    return {"index.html": page.encode("ascii")}
