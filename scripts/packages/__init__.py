# SPDX-License-Identifier: MIT
"""What is installed and packed, and the test of it."""
