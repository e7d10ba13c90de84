# SPDX-License-Identifier: MIT
"""What the hunt and its mutator are worth, in figures: programs run by hand."""
