# SPDX-License-Identifier: MIT
"""Modules of Python that decode JSON from bytes, as subjects: ujson, orjson, or another that has loads()."""

from __future__ import annotations

import importlib
import re
import sys

NAME = sys.argv[1]
LOADS = importlib.import_module(NAME).loads


def answer(operation: str, encoding: str, *fields: str) -> str:
    """The reply without its ID: the input is a string of JSON."""
    is_offered = encoding == "utf-8" and (operation == "validate" or (operation == "decode" and fields[0] == "strict"))
    if not is_offered or "," in fields[-1]:
        return "skip not offered"
    data = bytes.fromhex(fields[-1].replace("-", ""))
    try:
        text = LOADS(b'["' + re.sub(rb'[\0-\x1F"\\]', lambda match: b"\\u%04X" % ord(match[0]), data) + b'"]')[0]
        return "ok" if operation == "validate" else "ok " + (",".join(f"{ord(char):X}" for char in text) or "-")
    except (ValueError, SystemError):  # SystemError: the text that was made is none that Python can hold
        return "error"


for line in sys.stdin:
    number, *request = line.split()
    if number == "hello":
        print(f"hello assay/1 python-{NAME} encodings=utf-8 policies=strict ops=validate,decode chunks=no", flush=True)
    else:
        print(f"{number} {answer(*request)}", flush=True)
