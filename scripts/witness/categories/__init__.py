# SPDX-License-Identifier: MIT
"""The categories: each module of this folder is one, and its first lines describe it. A category has `cases(encoding)`, which yields
drafts, and may have ENCODINGS (the names of those it is made for), KIND (the kind of its cases) and NOTES (the meaning of its own flags).
"""
