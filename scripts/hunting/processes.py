# SPDX-License-Identifier: MIT
"""Child processes, each with a process group of its own, none of which outlives the hunt."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Optional, Sequence, Tuple

SAID_BYTES = 16 << 20  # at the beginning and at the end of a log: no engine says more that is wanted
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


def start(command: Sequence[str], log: Path, env: Optional[Dict[str, str]] = None,
          cwd: Optional[Path] = None) -> subprocess.Popen:
    """Starts a program that writes to a log; the terminal's Ctrl-C does not reach it, only we do."""
    with log.open("wb") as file:
        return subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=file,
                                stderr=subprocess.STDOUT, env={**os.environ, **(env or {})}, cwd=cwd,
                                start_new_session=True)


def origin(pid: int) -> Optional[Tuple[int, int]]:
    """A process's parent and when it began (proc(5), fields 4 and 22); None if there is no such process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return int(fields[1]), int(fields[19])
    except (OSError, IndexError, ValueError):
        return None


def descendants(pid: int) -> Dict[int, Tuple[int, int]]:
    """A process's children and theirs, those in other sessions included: a fork server makes one of its own."""
    origins = {int(path.name): origin(int(path.name)) for path in Path("/proc").glob("[0-9]*")}
    family = [pid]
    for member in family:
        family += [child for child, where in origins.items() if where is not None and where[0] == member]
    return {member: origins[member] for member in family[1:]}


def stop(process: subprocess.Popen, grace: float = 3.0, knock: int = signal.SIGINT) -> None:
    """Asks a process to end, waits for its last words, then ends it and all that it started."""
    family = descendants(process.pid)
    send(process.pid, knock)
    try:
        process.wait(grace)
    except subprocess.TimeoutExpired:
        family.update(descendants(process.pid))
        process.kill()
    for pid, (_, began) in family.items():
        now = origin(pid)
        if now is not None and now[1] == began:  # and not another process that got its number
            send(pid, signal.SIGKILL)
    process.wait()


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

