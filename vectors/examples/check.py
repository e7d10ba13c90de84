# SPDX-License-Identifier: CC0-1.0
"""Holds Python's own decoder against the golden vectors: python3 check.py FOLDER, the folder being `vectors`."""
import json
import sys
from binascii import unhexlify
from pathlib import Path

HANDLERS = {"whatwg": "replace", "skip": "ignore", "surrogateescape": "surrogateescape"}
SHOWN = 10  # of those that fail


def scalars(text):
    return ",".join(f"{ord(character):X}" for character in text) or "-"


def strict(data):
    """The code points and no span, or those before the error and its span."""
    try:
        return scalars(data.decode("utf-8")), []
    except UnicodeDecodeError as error:
        return scalars(data[:error.start].decode("utf-8")), [(error.start, error.end - error.start)]


def answers(test):
    """Python's, and those wanted, by policy."""
    data = unhexlify("" if test["bytes"] == "-" else test["bytes"])
    wanted = {policy: test["outputs"][policy] for policy in HANDLERS}
    wanted["strict"] = test["outputs"]["strict"], [(span["offset"], span["length"]) for span in test["spans"][:1]]
    given = {policy: scalars(data.decode("utf-8", handler)) for policy, handler in HANDLERS.items()}
    given["strict"] = strict(data)
    return given, wanted


if len(sys.argv) != 2:
    print("usage: check.py FOLDER-OF-VECTORS", file=sys.stderr)
    sys.exit(2)
passed, failed, total = dict.fromkeys(["strict", *HANDLERS], 0), [], 0
for path in sorted(Path(sys.argv[1], "utf-8").glob("*.json")):
    try:
        tests = [(test, *answers(test)) for test in json.loads(path.read_text("ascii"))["tests"] if "bytes" in test]
    except (OSError, ValueError, LookupError, TypeError) as error:
        print(f"{path}: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(2)
    total += len(tests)
    for test, given, wanted in tests:
        for policy in passed:
            if given[policy] == wanted[policy]:
                passed[policy] += 1
            else:
                failed.append(f"{test['id']}: {policy} of {test['bytes']}: {given[policy]}, not {wanted[policy]}")

if total == 0:
    print(f"no vectors in {sys.argv[1]}", file=sys.stderr)
    sys.exit(2)
for line in failed[:SHOWN]:
    print(line, file=sys.stderr)
for policy, count in passed.items():
    print(f"{policy}: {count} of {total} passed")
sys.exit(any(count < total for count in passed.values()))
