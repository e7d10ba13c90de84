# SPDX-License-Identifier: MIT
"""A subject that answers with CPython's decoder, and misbehaves in one way if it is asked to validate C0 80."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Callable, Dict, List

TRIGGER = "C080"


def out(text: bytes) -> None:
    """Writes and flushes."""
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


def flood(piece: bytes) -> None:
    """Writes for ever."""
    while True:
        out(piece)


def drip() -> None:
    """Writes a byte from time to time, and never ends the line."""
    while True:
        out(b"x")
        time.sleep(0.02)


def be_deaf() -> None:
    """Stops reading, and writes nothing."""
    os.close(0)
    time.sleep(60)


def leave_child() -> None:
    """Dies, and leaves a child that keeps its pipes open."""
    if os.fork() > 0:
        os._exit(3)
    time.sleep(60)


def be_loud(number: bytes) -> None:
    """Writes megabytes to standard error, and then the right answer."""
    os.write(2, b"e" * (4 << 20))
    out(number + b" error 0 1\n")


# The misbehaviour for request `number`.
WAYS: Dict[str, Callable[[bytes], object]] = {
    "silent": lambda number: time.sleep(60),
    "slow": lambda number: drip(),
    "abort": lambda number: os.abort(),
    "exit": lambda number: os._exit(3),
    "flood": lambda number: flood(b"f" * 65536),
    "lines": lambda number: flood(b"1 ok\n" * 4096),
    "errors": lambda number: [os.write(2, b"e" * 65536) for _ in iter(int, 1)],
    "step": lambda number: out(b"999999 ok\n"),
    "twice": lambda number: out(number + b" error 0 1\n" + number + b" error 0 1\n"),
    "form": lambda number: out(number + b" ok <script>alert(1)</script>\n"),
    "bytes": lambda number: out(number + b" \xFF\xFE\x1B[31m\n"),
    "empty": lambda number: out(b"\n"),
    "closed": lambda number: (os.close(1), time.sleep(60)),
    "deaf": lambda number: be_deaf(),
    "half": lambda number: (out(number + b" error 0"), os._exit(0)),
    "stopped": lambda number: os.kill(os.getpid(), signal.SIGSTOP),
    "child": lambda number: leave_child(),
    "loud": be_loud,
    "nul": lambda number: out(number + b" error 0 1\0\n"),
    "page": lambda number: out(b"<!doctype html><script>alert(1)</script>\n"),
    "ahead": lambda number: out(number + b" error 0 1\n%d error 0 1\n" % (int(number) + 1)),
    "whole": lambda number: out(number + b" ok\n"),
}


def scalars(text: str) -> str:
    """SCALARS."""
    return ",".join(f"{ord(char):X}" for char in text) or "-"


def answer(request: List[str]) -> str:
    """The reply of a correct decoder."""
    _, operation, _, *policy, text = request
    data = bytes.fromhex(text.replace("-", ""))
    try:
        decoded = data.decode("utf-8", {"strict": "strict", "whatwg": "replace"}[policy[0] if policy else "strict"])
    except UnicodeDecodeError as error:
        return f"error {error.start} {error.end - error.start}"
    return "ok" if operation == "validate" else f"ok {scalars(decoded)}"


def main(way: str) -> None:
    """Speaks the protocol until its input ends."""
    for line in sys.stdin:
        request = line.split()
        if request[0] == "hello":
            out({"version": b"hello assay/2 x\n", "mute": b"", "noise": b"Welcome!\n"}.get(
                way, b"hello assay/1 hostile 1 encodings=utf-8 policies=strict,whatwg ops=validate,decode chunks=no\n"))
        elif way in WAYS and request[1] == "validate" and request[3] == TRIGGER:
            WAYS[way](request[0].encode())
        else:
            out(f"{request[0]} {answer(request)}\n".encode())


if __name__ == "__main__":
    main(sys.argv[1])
