# SPDX-License-Identifier: MIT
"""The divergences in corpus/field: their READMEs, and whether a subject still shows them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Callable, Dict, List, Tuple

from .subjects import HERE, Subject

FIELD = HERE.parents[1] / "corpus" / "field"
KEYS = ("subject", "asked", "right", "wrong", "vectors", "exhibit")
LINE = re.compile(rf"^    ({'|'.join(KEYS)}) +(\S.*)$", re.MULTILINE)

# Runs a command with this standard input; returns the exit code and standard output.
Runner = Callable[[List[str], bytes], Tuple[int, bytes]]


def read_checks(folder: Path = FIELD) -> Dict[str, Dict[str, str]]:
    """The six lines of each README, by the folder's name."""
    return {path.parent.name: dict(LINE.findall(path.read_text("utf-8"))) for path in sorted(folder.glob("*/README.md"))}


def ask_one(subject: Subject, request: str, folder: str, run: Runner) -> str:
    """The reply to one request, without its ID; of a plain program, its exit code and what it writes. The adapter is compiled in `folder`."""
    if subject.command.startswith("--plain"):
        code, said = run(shlex.split(subject.filled(subject.command).split(" -- ", 1)[1]), bytes.fromhex(request))
        return f"exit {code} {said.hex().upper() or '-'}"
    code, said = run(shlex.split(subject.filled(subject.command, folder)), f"hello assay/1\n1 {request}\n".encode())
    lines = said.decode("ascii", "backslashreplace").splitlines()
    if code or len(lines) < 2 or not lines[1].startswith("1 "):
        return f"no reply (exit {code})"
    return lines[1][2:]


def states(reply: str, expected: str) -> bool:
    """True if the reply states the expected error; it may state more figures than expected, or leave out the place."""
    if expected.startswith("error"):
        words, wanted = reply.split(), expected.split()
        return all(word == want for word, want in zip(words, wanted))
    return re.sub(r"error(:\w+)+", "error", reply) == expected


def verdict(check: Dict[str, str], reply: str) -> str:
    """What the reply says about the divergence: still there, fixed, or something else."""
    return "fixed" if states(reply, check["right"]) else "still there" if states(reply, check["wrong"]) else "another answer"
