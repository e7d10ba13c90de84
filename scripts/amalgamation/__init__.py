# SPDX-License-Identifier: MIT
"""All codecs, or some, as one C file and one header: scripts/amalgamate.

registry.py reads codecs.def; expansion.py resolves includes and conditionals; names.py keeps the names of translation units apart;
amalgam.py puts the parts together."""
