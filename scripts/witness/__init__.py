# SPDX-License-Identifier: MIT
"""The Python witness: the second, independent definition of well-formedness, and all files that are derived from it.

No expected value comes from a decoder of this project or from CPython's codecs.
"""
