# SPDX-License-Identifier: MIT
"""CPython (or PyPy) as a subject: bytes.decode, the incremental codecs and EncodedFile, with the error handlers of the codecs module."""

from __future__ import annotations

import codecs
import io
import os
import platform
import sys
from typing import List

CODECS = {"utf-8": "utf-8", "utf-8-sig": "utf-8-sig", "generalized-utf-8": "utf-8", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}
HANDLERS = {"strict": "strict", "own": "replace", "skip": "ignore", "surrogateescape": "surrogateescape"}
HELLO = (f"hello assay/1 {platform.python_implementation().lower()} {platform.python_version()} encodings={','.join(CODECS)} "
         f"policies={','.join(HANDLERS)} ops=validate,decode,stop,reuse,encode,to-well-formed,transcode chunks=late")


def scalars(text: str) -> str:
    """SCALARS."""
    return ",".join(f"{ord(char):X}" for char in text) or "-"


def handler(encoding: str, policy: str) -> str:
    """Surrogates pass where they are text; a second handler cannot be had then."""
    if encoding == "generalized-utf-8":
        return {"strict": "surrogatepass"}[policy]
    if encoding.startswith("utf-16"):
        return {"strict": "strict", "own": "replace", "skip": "ignore"}[policy]
    return HANDLERS[policy]


def stream(decoder: codecs.IncrementalDecoder, chunks: str, groups: List[str]) -> None:
    """Appends a group for each chunk; raises UnicodeDecodeError."""
    pieces = [bytes.fromhex(chunk.replace("-", "")) for chunk in chunks.split(",")]
    for index, piece in enumerate(pieces):
        groups.append(scalars(decoder.decode(piece, index + 1 == len(pieces))))


def reuse(decoder: codecs.IncrementalDecoder, streams: str) -> str:
    """One decoder, reset in between, as its documents ask for after an error."""
    answers = []
    for chunks in streams.split(";"):
        groups: List[str] = []
        try:
            stream(decoder, chunks, groups)
            answers.append("|".join(groups))
        except UnicodeDecodeError:
            answers.append("error")
        decoder.reset()
    return "ok " + ";".join(answers)


def converted(source: str, target: str, policy: str, text: str) -> str:
    """By EncodedFile, from bytes to bytes. Its one handler is for both sides, so text with surrogates stays in its encoding."""
    if (source == "generalized-utf-8") != (target == "generalized-utf-8"):
        return "skip not offered"
    file = io.BytesIO()
    try:
        codecs.EncodedFile(file, CODECS[source], CODECS[target], handler(source, policy)).write(bytes.fromhex(text.replace("-", "")))
    except UnicodeDecodeError as error:
        return f"error {error.start} {error.end - error.start}"
    except UnicodeEncodeError:  # the decoder's output under surrogateescape
        return "error"
    return f"ok {file.getvalue().hex() or '-'}"


def answer(operation: str, encoding: str, *fields: str) -> str:
    """The reply without its ID."""
    codec = CODECS[encoding]
    if operation in ("to-well-formed", "transcode"):
        return converted(encoding, *fields) if operation == "transcode" else converted(encoding, encoding, *fields)
    if operation in ("validate", "decode") and "," not in fields[-1]:
        data = bytes.fromhex(fields[-1].replace("-", ""))
        try:
            text = data.decode(codec, handler(encoding, fields[0] if operation == "decode" else "strict"))
        except UnicodeDecodeError as error:  # utf-8-sig counts from after the signature, and does not say so
            return "error" if encoding == "utf-8-sig" else f"error {error.start} {error.end - error.start}"
        return "ok" if operation == "validate" else f"ok {scalars(text)}"
    if operation == "encode":
        units = [int(unit, 16) for unit in fields[1].replace("-", "").split(",") if unit]
        if any(unit > 0x10FFFF for unit in units):
            return "skip a str holds no such unit"
        try:
            return "ok " + ("".join(map(chr, units)).encode(codec, handler(encoding, fields[0])).hex() or "-")
        except UnicodeEncodeError as error:
            return f"error {error.start}"
    decoder = codecs.getincrementaldecoder(codec)(handler(encoding, "strict" if operation == "stop" else fields[0]))
    if operation == "reuse":
        return reuse(decoder, fields[1])
    groups: List[str] = []
    try:
        stream(decoder, fields[-1], groups)
        return "ok " + "|".join(groups)
    except UnicodeDecodeError:  # its offsets count from bytes that it held back
        return f"error {len(groups)} {'|'.join([*groups, '-'])}" if operation == "stop" else "error"


def reply(line: str) -> str:
    """The reply to a request."""
    number, *request = line.split()
    if number == "hello":
        return HELLO
    try:
        return f"{number} {answer(*request)}"
    except (KeyError, TypeError):
        return f"{number} skip not offered"


def main() -> None:
    """Speaks the protocol until its input ends: answers all requests that are there, and then writes."""
    rest = b""
    while data := os.read(0, 1 << 16):
        *lines, rest = (rest + data).split(b"\n")
        sys.stdout.write("".join(reply(line.decode("ascii")) + "\n" for line in lines))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
