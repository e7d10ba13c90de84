# SPDX-License-Identifier: MIT
"""The categories, found by looking: each module here is one, and says what it is about in its first lines.

A category has `cases(encoding)`, which yields drafts, and may have ENCODINGS (the names of those it is made for),
KIND (what a case holds) and NOTES (what its flags mean, where they are its own).
"""
