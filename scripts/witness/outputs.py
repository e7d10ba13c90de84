# SPDX-License-Identifier: MIT
"""All generated files: path in the checkout, and bytes."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Dict, List, Tuple

from . import complete, declarations, digests, forms, ledger, position_lines, shuffles, simd_tables, tables, tokens, vectors
from .rows import ALL, ENCODINGS, UTF_8

ROOT = Path(__file__).resolve().parents[2]


def owned_folders(made: Dict[str, bytes]) -> List[str]:
    """The folders whose files are all generated: vectors of one encoding."""
    parents = {name.rsplit("/", 1)[0] for name in made}
    return sorted(parent for parent in parents if parent.startswith(f"{vectors.FOLDER}/"))


def case_digests(files: Dict[str, vectors.File]) -> Dict[str, str]:
    """The digest of each case, by id."""
    current: Dict[str, str] = {}
    for path, file in files.items():
        for case in file["tests"]:
            if case["id"] in current:
                raise ValueError(f"{path}: the id {case['id']} is in two files")
            current[case["id"]] = vectors.digest(case)
    return current


def read_ledger(root: Path) -> Dict[str, List[str]]:
    """The ledger of the checkout; empty if there is no file."""
    path = root / ledger.PATH
    try:
        return ledger.parse(path.read_text("ascii")) if path.exists() else {}
    except UnicodeDecodeError as error:
        raise ValueError(f"{ledger.PATH} is not ASCII: {error}") from error


@lru_cache(maxsize=None)
def derived() -> Tuple[Dict[str, bytes], Dict[str, str]]:
    """All files that follow from the witness alone, and the digest of each case; made once per process."""
    suite = dict(vectors.all_files())
    texts = {path: vectors.render(file) for path, file in suite.items()}
    texts.update(tables.headers())
    texts.update(simd_tables.headers())
    texts[shuffles.PATH] = shuffles.header()
    texts[shuffles.DECODE_PATH] = shuffles.decode_header()
    texts[shuffles.COMPRESS_PATH] = shuffles.compress_header()
    texts[shuffles.REPLACE_PATH] = shuffles.replace_header()
    texts[tokens.PATH] = tokens.header()
    for name in ALL:
        texts.update(complete.texts(ENCODINGS[name]))
    for encoding in ENCODINGS.values():
        texts.update(position_lines.texts(encoding))
    texts[digests.PATH] = digests.render(UTF_8)
    texts[f"{vectors.FOLDER}/package.json"] = vectors.npm_package()
    rules = json.loads((ROOT / vectors.FOLDER / "schema.json").read_text("ascii"))
    texts[f"{vectors.FOLDER}/index.d.ts"] = declarations.declarations(rules)
    texts[declarations.WORDS_PATH] = declarations.words(rules)
    made = {name: text.encode("ascii") for name, text in texts.items()}
    return made, {**case_digests(suite), **position_lines.case_digests()}


def files(root: Path, release: bool) -> Dict[str, bytes]:
    """All generated files, in order of path; with `release`, the ledger pins new cases.

    Raises an error if a released case would change or go, so that nothing is written.
    """
    pinned = read_ledger(root)
    made, current = derived()
    broken = ledger.broken_promises(pinned, current)
    if broken:
        raise ValueError("released cases never change:\n  " + "\n  ".join(broken[:20]))
    if release:
        pinned = ledger.with_release(pinned, current, vectors.VERSION)
    made = {**made, ledger.PATH: ledger.render(pinned).encode("ascii")}
    made[f"{vectors.FOLDER}/SHA256SUMS"] = forms.sums(
        (name[len(vectors.FOLDER) + 1:], made[name]) for name in sorted(made) if name.startswith(f"{vectors.FOLDER}/"))
    return dict(sorted(made.items()))
