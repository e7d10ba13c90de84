# SPDX-License-Identifier: MIT
"""Tests of the command line: output and exit codes."""
