# SPDX-License-Identifier: MIT
"""`assay run`, and its tests."""
