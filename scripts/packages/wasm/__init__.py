# SPDX-License-Identifier: MIT
"""The npm package assay-wasm."""
