# SPDX-License-Identifier: MIT
"""All cases as one page for a browser, offline: index.html, which searches them by words and by bytes."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any, Dict

from . import template

File = Dict[str, Any]


def files(suite: Dict[str, File]) -> Dict[str, bytes]:
    """index.html. The cases are in it as JSON, compressed: a twentieth of their size."""
    first = next(iter(suite.values()))
    shown = [{name: file[name] for name in ("encoding", "category", "about", "tests")} for file in suite.values()]
    packed = gzip.compress(json.dumps(shown, separators=(",", ":")).encode("ascii"), mtime=0)
    page = template("index.html")
    for name, value in (("version", first["version"]), ("unicode", first["unicode"]), ("count", str(sum(file["count"] for file in suite.values()))),
                        ("data", base64.b64encode(packed).decode("ascii"))):
        page = page.replace("{" + name + "}", value)
    return {"index.html": page.encode("ascii")}
