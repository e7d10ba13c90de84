# SPDX-License-Identifier: MIT
"""The fuzzing engines: command lines, corpora, logs."""
