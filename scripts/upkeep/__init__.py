# SPDX-License-Identifier: MIT
"""Tests of the checkout itself: set-up, workflows, formatting, the time that tests may take."""
