# SPDX-License-Identifier: MIT
"""Tests of the hunt."""
