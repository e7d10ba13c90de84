# SPDX-License-Identifier: MIT
"""Tests of `assay run`, and the subjects that they ask."""
