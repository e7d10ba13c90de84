# SPDX-License-Identifier: MIT
"""Child processes, each with a process group of its own, none of which outlives the hunt."""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence

SAID_BYTES = 16 << 20  # at the beginning and at the end of a log: no engine says more that is wanted
MARK = "ASSAY_STARTED_AS"
NUMBERS = itertools.count()
ROUNDS, ROUND_SECONDS = 200, 0.02  # a killed process ends at once, unless the system is at fault
ANSI = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9])")


@dataclass(frozen=True)
class Outcome:
    """How a process ended, and what it said (standard output and error in one)."""

    code: int
    said: str
    timed_out: bool = False

    @property
    def died_of(self) -> Optional[str]:
        """The signal that ended it, by name."""
        return signal.Signals(-self.code).name if self.code < 0 else None


class Child(subprocess.Popen):
    """A process, by whose mark in their environment all that it starts is known."""

    mark = b""


def start(command: Sequence[str], log: Path, env: Optional[Dict[str, str]] = None, cwd: Optional[Path] = None) -> Child:
    """Starts a program that writes to a log; the terminal's Ctrl-C does not reach it, only we do."""
    mark = f"{os.getpid()}-{next(NUMBERS)}"
    with log.open("wb") as file:
        child = Child([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                      env={**os.environ, **(env or {}), MARK: mark}, cwd=cwd, start_new_session=True)
    child.mark = f"{MARK}={mark}".encode()
    return child


def left_of(child: Child) -> List[int]:
    """Whatever still runs of all that it started, in whatever session: a fork server has one of its own, and who ends before what it
    started leaves that with another parent."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if child.mark in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:
            pass  # it has just ended, or is somebody else's
    return found


def stop(child: Child, grace: float = 3.0, knock: int = signal.SIGINT) -> None:
    """Asks a process to end, waits for its last words, then ends it and all that it started."""
    child.send_signal(knock)
    try:
        child.wait(grace)
    except subprocess.TimeoutExpired:
        child.kill()
    child.wait()
    for _ in range(ROUNDS):  # one of them may just have started another
        left = left_of(child)
        if not left:
            break
        for pid in left:
            send(pid, signal.SIGKILL)
        time.sleep(ROUND_SECONDS)


def send(pid: int, number: int) -> None:
    """A signal to one process, which may be gone."""
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def run(command: Sequence[str], log: Path, timeout: float, env: Optional[Dict[str, str]] = None,
        cwd: Optional[Path] = None, knock: int = signal.SIGINT) -> Outcome:
    """Runs a program to its end, or to ours; `knock` is the signal that asks it to end when its time is over."""
    process = start(command, log, env, cwd)
    timed_out = False
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        timed_out = True
    finally:
        if process.poll() is None:
            stop(process, 0.5, knock)
    return Outcome(process.returncode, said(log), timed_out)


def said(log: Path) -> str:
    """What is in a log, without colours: of one that became huge, its beginning and its end."""
    with log.open("rb") as file:
        begin = file.read(SAID_BYTES)
        file.seek(max(SAID_BYTES, file.seek(0, os.SEEK_END) - SAID_BYTES))
        end = file.read()
    return ANSI.sub("", (begin + end).decode(errors="replace"))

