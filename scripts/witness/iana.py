# SPDX-License-Identifier: MIT
"""Names of encodings as the registry of character sets of IANA has them: in any case, by alias, by number."""

from __future__ import annotations

import re
from pathlib import Path

TABLE = Path(__file__).resolve().parents[2] / "harnesses" / "assay" / "cli" / "encoding.c"
ROW = re.compile(r'\{"([\w-]+)", "([0-9]+)", "([\w-]+)"\}')


def encoding_name(name: str) -> str:
    """Our name of an encoding, as the command line accepts it; an unknown name is returned in lower case."""
    for alias, number, encoding in ROW.findall(TABLE.read_text("utf-8")):
        if name.lower() == alias.lower() or name == number:
            return str(encoding)
    return name.lower()
