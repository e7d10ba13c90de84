# SPDX-License-Identifier: MIT
"""What runs a fuzzing engine: its command line, its corpora, what its log says."""
