# SPDX-License-Identifier: MIT
"""The Python witness: what is well-formed, written down a second time, and all that is derived from it.

Nothing here calls a decoder of this project or one of CPython's for an expected value.
"""
