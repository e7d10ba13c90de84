# SPDX-License-Identifier: CC0-1.0
"""The golden vectors of utf8-assay: a conformance set for decoders and encoders of UTF-8 and its family.

    from utf8_assay_vectors import tests, unhex

    for test in tests("utf-8/overlong"):
        assert test["outputs"]["whatwg"] == my_decoder(unhex(test["bytes"]))
"""

import json
from importlib.resources import files
from typing import Any, Dict, List

_DATA = files(__name__) / "data"


def names() -> List[str]:
    """All categories: ENCODING/CATEGORY."""
    return sorted(f"{encoding.name}/{path.name[:-len('.json')]}" for encoding in _DATA.iterdir() for path in encoding.iterdir())


def file(name: str) -> Dict[str, Any]:
    """A whole file: FORMAT.md of utf8-assay has its fields. Raises KeyError if there is no such category."""
    if name not in names():
        raise KeyError(f"no vectors are called {name!r}")
    content: Dict[str, Any] = json.loads((_DATA / f"{name}.json").read_text("ascii"))
    return content


def tests(name: str) -> List[Dict[str, Any]]:
    """The tests of a category."""
    found: List[Dict[str, Any]] = file(name)["tests"]
    return found


def unhex(text: str) -> bytes:
    """HEX as bytes; `-` is none."""
    return b"" if text == "-" else bytes.fromhex(text)


def scalars(text: str) -> List[int]:
    """SCALARS as code points; `-` is none."""
    return [] if text == "-" else [int(item, 16) for item in text.split(",")]
