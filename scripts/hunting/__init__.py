# SPDX-License-Identifier: MIT
"""The hunt: builds the fuzzers, runs them for a while, and makes a folder of each finding."""
