# SPDX-License-Identifier: MIT
"""The files of the npm package assay-wasm, and its package.json."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Dict

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
INTERFACE = ROOT / "harnesses" / "browser"
SOURCES = (HERE / "index.mjs", HERE / "index.d.ts", HERE / "README.md", INTERFACE / "assay.mjs", INTERFACE / "assay.d.ts", INTERFACE / "text.mjs",
           INTERFACE / "words.d.ts", ROOT / "LICENSE")
MODULE = "assay.wasm"


def version() -> str:
    """The version of the project."""
    found = re.search(r"project\(utf8-assay VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text("utf-8"))
    assert found is not None
    return found[1]


def package_json() -> str:
    """The text of package.json."""
    return json.dumps({
        "name": "assay-wasm",
        "version": version(),
        "license": "MIT",
        "description": "UTF-8, WTF-8, CESU-8, Modified UTF-8, UTF-16 and WTF-16 in WebAssembly: error spans, replacement policies, streams",
        "keywords": ["utf-8", "wtf-8", "cesu-8", "utf-16", "unicode", "webassembly", "wasm", "simd", "decoder"],
        "type": "module",
        "sideEffects": False,
        "engines": {"node": ">=16.4"},
        "files": [path.name for path in SOURCES if path.name not in ("LICENSE", "README.md")] + [MODULE],
        "exports": {".": {"types": "./index.d.ts", "default": "./index.mjs"}, f"./{MODULE}": f"./{MODULE}", "./package.json": "./package.json"},
    }, indent=2) + "\n"


def files_of(module: bytes) -> Dict[str, bytes]:
    """Every file of the package."""
    return {**{path.name: path.read_bytes() for path in SOURCES}, MODULE: module, "package.json": package_json().encode("ascii")}
