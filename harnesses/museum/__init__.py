# SPDX-License-Identifier: MIT
"""Tests of the museum: that the vectors kill its mutants, and that it says so where they do not."""
