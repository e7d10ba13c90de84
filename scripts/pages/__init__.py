# SPDX-License-Identifier: MIT
"""Pages made of what `assay` measures: figures as JSON in, one HTML file that needs nothing else out."""
