# SPDX-License-Identifier: MIT
"""Tests of the command line: what it says, and with which exit code."""
