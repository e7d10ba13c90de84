# SPDX-License-Identifier: MIT
"""From an input that stopped a program to a finding on disk: replayed, minimised, explained, kept."""
