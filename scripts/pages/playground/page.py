# SPDX-License-Identifier: MIT
"""The page as one file: HTML, styles, scripts, the module and the vectors."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
import shlex
from pathlib import Path
from typing import Any, Dict, Sequence

from hunting import provenance
from pages.playground.bundle import bundle
from pages.playground.vectors import compact
from witness.rows import ENCODINGS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
MOST_BYTES = 1_000_000
HEAD = r'<h2 id="(\w+)-title">(.*?)</h2>'
TABLES = {"utf-8": "Table 3-7 of Unicode", "wtf-8": "the table of WTF-8", "generalized-utf-8": "the table of generalized UTF-8"}


def packed(data: bytes) -> str:
    """Compressed, as base64; the same for the same data."""
    return base64.b64encode(gzip.compress(data, mtime=0)).decode("ascii")


def digest(text: str) -> str:
    """The source expression of an inline script or style, for the Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def tables() -> Dict[str, Any]:
    """The rows of each encoding, from the witness."""
    return {name: {"name": TABLES.get(name, f"the table of {name}"),
                   "rows": [{"first": row.first, "last": row.last, "ranges": row.ranges} for row in encoding.read_rows]}
            for name, encoding in ENCODINGS.items() if not encoding.strips_bom}


def made(command: Sequence[str]) -> str:
    """Version, commit and date, and the command that makes the page, as HTML."""
    by = provenance.made(ROOT, command)
    commit = f", commit {by['commit']}" if by["commit"] else ""
    return html.escape(f"{by['version']}{commit}, on {by['date'][:10]}: ") + f"<code class=\"command\">{html.escape(shlex.join(command))}</code>"


def with_contents(page: str) -> str:
    """The page with its contents, made from the heads of its sections, each of which links to itself."""
    heads = re.findall(HEAD, page)
    page = re.sub(HEAD, r'<h2 id="\1-title"><a href="#s=\1">\2</a></h2>', page)
    return page.replace("{{contents}}", " ".join(f'<a href="#s={name}">{title}</a>' for name, title in heads))


def page_of(module: bytes, vectors: Path, command: Sequence[str] = ("scripts/playground", "OUT.html")) -> str:
    """The whole page. Raises ValueError if it is too large, or if a part would end the element that holds it."""
    style = (HERE.parent / "style.css").read_text("utf-8") + (HERE / "page.css").read_text("utf-8")
    script = bundle(HERE / "main.mjs") + (HERE.parent / "copy.js").read_text("utf-8")
    policy = (f"default-src 'none'; script-src {digest(script)} 'wasm-unsafe-eval'; style-src {digest(style)}; worker-src blob:; "
              "base-uri 'none'; form-action 'none'")
    parts = {"policy": html.escape(policy, quote=False), "style": style, "script": script, "worker": bundle(HERE / "worker.mjs"),
             "tables": json.dumps(tables(), separators=(",", ":")), "module": packed(module),
             "vectors": packed(json.dumps(compact(vectors), separators=(",", ":")).encode("ascii")),
             "made": made(command), "module_size": f"{len(module) // 1024:,} KB"}
    for name, part in parts.items():
        if re.search(r"</(?:script|style)|<!--", part, re.I):
            raise ValueError(f"{name} would end the element that holds it")
    page = re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], with_contents((HERE / "page.html").read_text("utf-8")))
    if len(page.encode()) > MOST_BYTES:
        raise ValueError(f"the page has {len(page.encode()):,} bytes, more than {MOST_BYTES:,}")
    return page
