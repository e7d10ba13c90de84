# SPDX-License-Identifier: MIT
"""The READMEs of corpus/field as HTML: headings, paragraphs, quotations, lists, code, links and emphasis; all else is text."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any, Dict, List

from subjects.divergences import FIELD, LINE

INLINE = re.compile(r"`([^`]+)`|\[([^\]]+)\]\((https://[^\s)]+(?:\([^\s)]*\)[^\s)]*)*)\)|\*([^\s*](?:[^*]*[^\s*])?)\*")


def inline(text: str) -> str:
    """The HTML of a line of text: code, links and emphasis."""
    out, at = [], 0
    for match in INLINE.finditer(text):
        out.append(html.escape(text[at:match.start()]))
        code, words, link, stressed = match.groups()
        out.append(f"<code>{html.escape(code)}</code>" if code else f"<em>{html.escape(stressed)}</em>" if stressed else f'<a href="{html.escape(link)}">{html.escape(words)}</a>')
        at = match.end()
    return "".join(out) + html.escape(text[at:])


def block(text: str) -> str:
    """The HTML of a block, which is the text between two empty lines."""
    lines = text.splitlines()
    if all(line.startswith("    ") for line in lines):
        return f"<pre>{html.escape(chr(10).join(line[4:] for line in lines))}</pre>"
    if lines[0].startswith("> "):
        return f"<blockquote>{inline(' '.join(line.removeprefix('>').strip() for line in lines))}</blockquote>"
    if lines[0].startswith("- "):
        items = re.split(r"^- ", text, flags=re.MULTILINE)[1:]
        return "<ul>" + "".join(f"<li>{inline(' '.join(item.split()))}</li>" for item in items) + "</ul>"
    return f"<p>{inline(' '.join(lines))}</p>"


def stories(folder: Path = FIELD) -> List[Dict[str, Any]]:
    """The divergences: the folder's name, heading, subject and vectors, and the text as HTML."""
    found = []
    for path in sorted(folder.glob("*/README.md")):
        heading, *blocks = path.read_text("utf-8").strip().split("\n\n")
        lines = dict(LINE.findall(path.read_text("utf-8")))
        paragraphs = [part for part in blocks if part.strip() != "The test asks:" and not LINE.match(part)]
        found.append({"name": path.parent.name, "title": heading.removeprefix("# "), "subject": lines["subject"], "vectors": lines["vectors"].split(),
                      "html": "\n".join(block(part.strip("\n")) for part in paragraphs)})
    return found
