# SPDX-License-Identifier: MIT
"""Decoders by others, and a test of those that are installed."""
