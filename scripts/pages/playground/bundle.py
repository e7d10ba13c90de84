# SPDX-License-Identifier: MIT
"""Combines JavaScript modules into one script: each becomes a function that is called once and returns its exports, after the modules that
it imports."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, List

IMPORT = re.compile(r"^import \{([^}]*)\} from '(\.[^']+)';$", re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|class|function)\*? (\w+))", re.M)


def bundle(entry: Path) -> str:
    """The script. Raises ValueError for an import or export of a form that is not known here, and for modules that import each other."""
    texts: Dict[Path, str] = {}
    add(entry.resolve(), texts, [])
    if len({path.stem for path in texts}) < len(texts):
        raise ValueError("two modules have the same name")
    return "'use strict';\n" + "".join(texts.values())


def add(path: Path, texts: Dict[Path, str], way: List[Path]) -> None:
    """Adds a module after those that it imports."""
    if path in way:
        raise ValueError(f"{path.name} imports itself, by way of {way[-1].name}")
    if path in texts:
        return
    text = path.read_text("utf-8").replace("// SPDX-License-Identifier: MIT\n//\n", "", 1)
    for _, name in IMPORT.findall(text):
        add((path.parent / name).resolve(), texts, [*way, path])
    body = IMPORT.sub(lambda found: f"const {{{found[1].replace(' as ', ': ')}}} = from_{Path(found[2]).stem};", EXPORT.sub("", text))
    if re.search(r"^(?:import|export)\b", body, re.M):
        raise ValueError(f"{path.name} has an import or export of a form that is not known here")
    texts[path] = f"const from_{path.stem} = (() => {{\n{body}return {{{', '.join(EXPORT.findall(text))}}};\n}})();\n"
