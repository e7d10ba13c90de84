# SPDX-License-Identifier: MIT
"""Measurements of the hunt and of its mutator: programs that are run by hand."""
