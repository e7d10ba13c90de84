# SPDX-License-Identifier: MIT
"""From an input that stopped a program to a finding on disk: shown again, minimised, explained, kept."""
