# SPDX-License-Identifier: MIT
"""Tests of the museum: the vectors kill its mutants, and survivors are reported."""
