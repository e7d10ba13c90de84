# SPDX-License-Identifier: MIT
"""The reports of a hunt: text, JSON, a page, JUnit XML, issues, coverage."""
