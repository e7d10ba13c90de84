# SPDX-License-Identifier: MIT
"""Mutants of the code itself, and what the vectors and the enumeration say of them."""
