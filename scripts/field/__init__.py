# SPDX-License-Identifier: MIT
"""The field report: the subjects of harnesses/subjects/subjects.def under the vectors, as JSON and as a page."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "harnesses"))  # the table of subjects lies beside their adapters
