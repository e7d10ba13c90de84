# SPDX-License-Identifier: MIT
"""`python3 scripts/hunting`: runs the package by its path, from any folder."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)

if any(word == "--" or word.split("=")[0] == "--subjects" for word in sys.argv[1:]):
    from hunting.subject_hunt import main
else:
    from hunting.hunt import main

sys.exit(main(sys.argv[1:]))
