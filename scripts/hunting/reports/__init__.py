# SPDX-License-Identifier: MIT
"""What a hunt leaves to read: text, JSON, a page, JUnit XML, issues, coverage."""
