# SPDX-License-Identifier: MIT
"""The inputs of the vectors as seed corpora for fuzzers in other languages."""

from __future__ import annotations

import hashlib
from typing import Any, Dict, Iterator, List

from . import template
from .archives import tar_gz

File = Dict[str, Any]


def inputs(suite: Dict[str, File]) -> Dict[str, List[bytes]]:
    """For each encoding, all bytes that cases decode, whole or in pieces, without those that are there already."""
    found: Dict[str, Dict[bytes, None]] = {}
    for file in suite.values():
        for case in file["tests"]:
            for one in streams(case):
                found.setdefault(file["encoding"], {})[one] = None
    return {encoding: list(texts) for encoding, texts in found.items()}


def streams(case: Dict[str, Any]) -> Iterator[bytes]:
    """The inputs of a case that are bytes to decode."""
    if "bytes" in case:
        yield bytes.fromhex(case["bytes"].replace("-", ""))
    if "pieces" in case:
        yield bytes.fromhex("".join(case["pieces"]).replace("-", ""))
    for one in case.get("streams", []):
        yield from streams(one)


def go_file(text: bytes) -> bytes:
    """A file of Go's testdata/fuzz/FuzzNAME."""
    return ('go test fuzz v1\n[]byte("' + "".join(f"\\x{byte:02x}" for byte in text) + '")\n').encode("ascii")


def files(suite: Dict[str, File]) -> Dict[str, bytes]:
    """seeds/FORM-ENCODING.tar.gz; each file in it is named by the SHA-1 of the input. FORM is raw, for fuzzers that read bytes, or go."""
    made = {"seeds/README.md": template("seeds.md").encode("ascii")}
    for encoding, texts in inputs(suite).items():
        named = [(hashlib.sha1(text).hexdigest(), text) for text in texts]
        made[f"seeds/raw-{encoding}.tar.gz"] = tar_gz((f"{encoding}/{name}", text) for name, text in named)
        made[f"seeds/go-{encoding}.tar.gz"] = tar_gz((f"{encoding}/{name}", go_file(text)) for name, text in named)
    return made
