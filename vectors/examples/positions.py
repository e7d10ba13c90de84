# SPDX-License-Identifier: CC0-1.0
"""Holds Python's decoders against the positions tier. In a checkout, or in share/utf8-assay of an installation:

    python3 vectors/examples/positions.py vectors [ENCODING]
"""
import csv
import sys
from pathlib import Path

HANDLERS = {"whatwg": "replace", "skip": "ignore", "surrogateescape": "surrogateescape"}
CODECS = {"utf-8": "utf-8", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}
SHOWN = 10  # of those that fail


def table(folder, name):
    with open(Path(folder, "complete", name), encoding="ascii", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def numbers(text):
    for item in text.split(","):
        first, _, last = item.partition("-")
        yield from range(int(first), int(last or first) + 1)


def texts(parts, line):
    """Each text of a line, as its offset and its parts in order."""
    before, pad, filler, subject, after = (parts.get(line[role]) for role in ("before", "pad", "filler", "subject", "after"))
    times = len(filler["bytes"]) // len(pad["bytes"])
    for n in numbers(line["offsets"]):
        row = [before, *[pad] * (n % times), *[filler] * (n // times), subject, *[after] * int(line["times"])]
        yield n, [part for part in row if part]


def first_error(row):
    at = 0
    for part in row:
        for length, fault in zip(part["lengths"].split(","), part["faults"].split(",")):
            if fault != "-":
                return at, int(length)
            at += int(length)
    return None


def text_of(groups):
    """Code points in groups, as a string."""
    return "".join(chr(int(scalar, 16)) for group in groups.split("|") for scalar in group.split(",") if scalar != "-")


def strict(data, codec):
    try:
        data.decode(codec)
    except UnicodeDecodeError as error:
        return error.start, error.end - error.start
    return None


if len(sys.argv) not in (2, 3):
    print("usage: positions.py FOLDER-OF-VECTORS [utf-8|utf-16le|utf-16be]", file=sys.stderr)
    sys.exit(2)
encoding = sys.argv[2] if len(sys.argv) == 3 else "utf-8"
try:
    parts = {part["part"]: part for part in table(sys.argv[1], f"{encoding}-parts.tsv") if part["operation"] == "decode"}
    lines = [line for line in table(sys.argv[1], f"{encoding}-positions.tsv") if line["operation"] == "decode"]
    codec = CODECS[encoding]
    for part in parts.values():
        part["bytes"] = bytes.fromhex(part["input"])
        part["texts"] = {policy: text_of(part[policy]) for policy in HANDLERS if policy in part}
except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
    print(f"{sys.argv[1]}: {type(error).__name__}: {error}", file=sys.stderr)
    sys.exit(2)
failed, total = [], 0
for line in lines:
    for n, row in texts(parts, line):
        data = b"".join(part["bytes"] for part in row)
        total += 1
        if strict(data, codec) != first_error(row):
            failed.append(f"{line['name']} at {n}: strict gives {strict(data, codec)}, not {first_error(row)}: {data.hex()}")
        for policy in row[0]["texts"]:
            if data.decode(codec, HANDLERS[policy]) != "".join(part["texts"][policy] for part in row):
                failed.append(f"{line['name']} at {n}: {policy}: {data.hex()}")
if total == 0:
    print(f"no lines in {sys.argv[1]}", file=sys.stderr)
    sys.exit(2)
for text in failed[:SHOWN]:
    print(text, file=sys.stderr)
print(f"{encoding}: {total} texts of {len(lines)} lines, {len(failed)} answers wrong")
sys.exit(bool(failed))
