# SPDX-License-Identifier: MIT
"""Makes pages from the JSON output of `assay`: one HTML file each, which loads nothing else."""
