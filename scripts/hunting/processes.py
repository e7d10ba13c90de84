# SPDX-License-Identifier: MIT
"""Child processes, each in its own session, which end with the hunt."""

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

SAID_BYTES = 16 << 20  # read from the beginning and from the end of a log; what engines print there is enough
MARK = "ASSAY_STARTED_AS"
NUMBERS = itertools.count()
ROUNDS, ROUND_SECONDS = 200, 0.02  # a killed process ends at once, unless the system is at fault
ANSI = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9])")


@dataclass(frozen=True)
class Outcome:
    """How a process ended, and its standard output and standard error as one text."""

    code: int
    said: str
    timed_out: bool = False

    @property
    def died_of(self) -> Optional[str]:
        """The name of the signal that ended it, or None."""
        return signal.Signals(-self.code).name if self.code < 0 else None


class Child(subprocess.Popen):
    """A process with a mark in its environment, which all processes that it starts inherit."""

    mark = b""


def mark_of_all() -> str:
    """How the mark of each process that this one starts begins."""
    return f"{os.getpid()}-"


def variable(mark: str) -> bytes:
    """A mark, or how marks begin, as it is in the environment of a process."""
    return f"{MARK}={mark}".encode()


def start(command: Sequence[str], log: Path, env: Optional[Dict[str, str]] = None, cwd: Optional[Path] = None) -> Child:
    """Starts a program that writes to a log. The terminal's Ctrl-C does not reach it; only we stop it."""
    mark = f"{mark_of_all()}{next(NUMBERS)}"
    with log.open("wb") as file:
        child = Child([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                      env={**os.environ, **(env or {}), MARK: mark}, cwd=cwd, start_new_session=True)
    child.mark = variable(mark) + b"\0"
    return child


def holders(mark: bytes) -> List[int]:
    """The ids of all processes that have a mark in their environment. Session and parent do not identify them: AFL++'s fork server has
    its own session, and an orphan gets another parent."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            pass  # it has just ended, or is somebody else's
    return found


def kill_holders(mark: bytes) -> None:
    """Kills all processes that have a mark in their environment."""
    for _ in range(ROUNDS):  # one of them may just have started another
        left = holders(mark)
        if not left:
            break
        for pid in left:
            send(pid, signal.SIGKILL)
        time.sleep(ROUND_SECONDS)


def stop(child: Child, grace: float = 3.0, knock: int = signal.SIGINT) -> None:
    """Sends a process the signal `knock`, waits up to `grace` seconds, then kills it and all processes that it started."""
    child.send_signal(knock)
    try:
        child.wait(grace)
    except subprocess.TimeoutExpired:
        child.kill()
    child.wait()
    kill_holders(child.mark)


def kill_all() -> None:
    """Kills all processes that this one started, with what those started. For an exception that a signal raises: it may come when a
    process has been started and nobody has it yet, so that nobody stops it."""
    kill_holders(variable(mark_of_all()))


def send(pid: int, number: int) -> None:
    """Sends a signal to one process, which may have ended."""
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def run(command: Sequence[str], log: Path, timeout: float, env: Optional[Dict[str, str]] = None,
        cwd: Optional[Path] = None, knock: int = signal.SIGINT) -> Outcome:
    """Runs a program to its end, or for `timeout` seconds; `knock` is the signal that then asks it to end."""
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
    """The text of a log, without colours; of more than twice SAID_BYTES, only the beginning and the end."""
    with log.open("rb") as file:
        begin = file.read(SAID_BYTES)
        file.seek(max(SAID_BYTES, file.seek(0, os.SEEK_END) - SAID_BYTES))
        end = file.read()
    return ANSI.sub("", (begin + end).decode(errors="replace"))

