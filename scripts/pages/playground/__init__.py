# SPDX-License-Identifier: MIT
"""The page in the browser: its module (`module.py`), its scripts (`bundle.py`), its vectors (`vectors.py`), and the whole (`page.py`)."""
