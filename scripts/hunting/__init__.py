# SPDX-License-Identifier: MIT
"""The hunt: builds the fuzzers, runs them for a while, and turns what they find into things one can hold."""
