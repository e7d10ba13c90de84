# SPDX-License-Identifier: CC0-1.0
"""Holds Python's own decoders and encoder against the golden vectors. In a checkout, or in share/utf8-assay of an installation:

    python3 vectors/examples/check.py vectors

To test others, put them into `whole`, `in_pieces` and `encoded`. One that raises an exception has failed that case."""
import json
import sys
from binascii import unhexlify
from codecs import getincrementaldecoder
from pathlib import Path

HANDLERS = {"strict": "strict", "whatwg": "replace", "skip": "ignore", "surrogateescape": "surrogateescape"}
SHOWN = 60  # characters of a long row


def scalars(text):
    return ",".join(f"{ord(character):X}" for character in text) or "-"


def whole(data, policy):
    """The code points; under `strict` those before the error, and its span."""
    try:
        return scalars(data.decode("utf-8", HANDLERS[policy]))
    except UnicodeDecodeError as error:
        before = scalars(data[:error.start].decode("utf-8"))
        return f"{before} and an error at {error.start} of {error.end - error.start}"


def in_pieces(streams, policy):
    """The code points of each stream, or that it is ill-formed, from one decoder that is reset after each."""
    decoder, given = getincrementaldecoder("utf-8")(HANDLERS[policy]), []
    for pieces in streams:
        try:
            given.append(scalars("".join(map(decoder.decode, pieces)) + decoder.decode(b"", True)))
        except UnicodeDecodeError:
            given.append("ill-formed")
        decoder.reset()
    return "; ".join(given)


def encoded(text, policy):
    """The bytes; under `strict` those before the error, and its index."""
    try:
        return text.encode("utf-8", HANDLERS[policy]).hex().upper() or "-"
    except UnicodeEncodeError as error:
        return f"{text[:error.start].encode('utf-8').hex().upper() or '-'} and an error at {error.start}"


# ---- what is asked, and what is wanted ------------------------------------------------------------

def unhex(text):
    return unhexlify("" if text == "-" else text)


def wanted_of_stream(stream, policy):
    if policy == "strict" and not stream["well_formed"]:
        return "ill-formed"
    return ",".join(output for output in stream["emitted"][policy] if output != "-") or "-"


def questions(test, kind):
    """What is asked (a policy, and how), the input for readers, the call that answers, and the answer that is wanted."""
    streams = test.get("streams", [test] if "pieces" in test else [])
    for policy in HANDLERS:
        if "bytes" in test:
            wanted = test["outputs"][policy]
            for span in test["spans"][:1] if policy == "strict" else []:
                wanted += f" and an error at {span['offset']} of {span['length']}"
            yield policy, test["bytes"], (whole, unhex(test["bytes"]), policy), wanted
        elif streams:
            pieces = [list(map(unhex, stream["pieces"])) for stream in streams]
            shown = "; ".join(" | ".join(stream["pieces"]) for stream in streams)
            wanted = "; ".join(wanted_of_stream(stream, policy) for stream in streams)
            yield f"{policy} in pieces", shown, (in_pieces, pieces, policy), wanted
        elif kind == "encode" and policy in ("strict", "skip"):
            units = [int(unit, 16) for unit in test["units"].split(",") if unit != "-"]
            if max(units, default=0) > 0x10FFFF:
                continue  # no string of Python holds it
            output = test["outputs"][policy]
            stopped = "" if output["stopped_at"] is None else f" and an error at {output['stopped_at']}"
            yield f"{policy} of the encoder", test["units"], (encoded, "".join(map(chr, units)), policy), output["bytes"] + stopped


# ---- asking ---------------------------------------------------------------------------------------

def answer(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:  # also one that no decoder should raise: the case has failed, and the next is asked
        return f"raised {type(error).__name__}: {error}"


def cut(text, at=0):
    """A long row, cut so that the place `at` is in it."""
    start = max(0, at - SHOWN // 2) if len(text) > SHOWN else 0
    return ("..." if start else "") + text[start:start + SHOWN] + ("..." if len(text) > start + SHOWN else "")


def letter(test, question, shown, given, wanted):
    at = next((i for i, (a, b) in enumerate(zip(given, wanted)) if a != b), min(len(given), len(wanted)))
    return f"{test['id']}: {question} of {cut(shown)}\n    given   {cut(given, at)}\n    wanted  {cut(wanted, at)}"


def read(path):
    """Each test that Python can answer, with its questions."""
    try:
        file = json.loads(path.read_text("ascii"))
        asked = [(test, list(questions(test, file.get("kind")))) for test in file["tests"]]
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        print(f"{path}: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(2)
    return [(test, rows) for test, rows in asked if rows]


def main():
    if len(sys.argv) != 2:
        print("usage: check.py FOLDER-OF-VECTORS", file=sys.stderr)
        return 2
    passed, total = {}, {}
    for path in sorted(Path(sys.argv[1], "utf-8").glob("*.json")):
        tests, failed, first = read(path), set(), None
        for test, rows in tests:
            for question, shown, call, wanted in rows:
                given = answer(*call)
                total[question] = total.get(question, 0) + 1
                passed[question] = passed.get(question, 0) + (given == wanted)
                if given != wanted:
                    failed.add(test["id"])
                    first = first or letter(test, question, shown, given, wanted)
        if failed:
            print(f"utf-8/{path.stem}: {len(failed)} of {len(tests)} cases failed, the first:\n  {first}", file=sys.stderr)
    if not total:
        print(f"no vectors in {sys.argv[1]}", file=sys.stderr)
        return 2
    for question, count in total.items():
        print(f"{question}: {passed[question]} of {count} passed")
    return int(passed != total)


sys.exit(main())
