# SPDX-License-Identifier: MIT
"""Programs that worker threads run, each with a time limit; the main thread can stop all of them."""

from __future__ import annotations

import shlex
import subprocess
import threading
from pathlib import Path
from typing import List, Set, Tuple

from hunting import processes

SAID_BYTES = 64 << 20


class Stopped(Exception):
    """The report was interrupted."""


class TooSlow(Exception):
    """A program was stopped at its limit."""


class Children:
    """The programs that are running."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.running: Set[processes.Child] = set()
        self.is_stopped = False

    def start(self, command: List[str], text: bytes, folder: Path, cwd: Path) -> Tuple[processes.Child, Path, Path]:
        """Starts a program with its own files for input, output and errors."""
        given, out, errors = (folder / name for name in (".given", ".out", ".errors"))
        given.write_bytes(text)
        redirected = f"exec {shlex.join(command)} <{shlex.quote(str(given))} >{shlex.quote(str(out))}"
        with self.lock:
            if self.is_stopped:
                raise Stopped
            child = processes.start(["sh", "-c", redirected], errors, cwd=cwd)
            self.running.add(child)
        return child, out, errors

    def run(self, command: List[str], text: bytes, folder: Path, cwd: Path, seconds: float) -> Tuple[int, bytes, str]:
        """Runs a program to its end; returns its exit code, standard output, and the end of its standard error."""
        child, out, errors = self.start(command, text, folder, cwd)
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            raise TooSlow(f"{command[0]} was stopped after {seconds:.0f} s") from None
        finally:
            processes.stop(child, 1.0)
            with self.lock:
                self.running.discard(child)
        if self.is_stopped:
            raise Stopped
        with out.open("rb") as file:
            said = file.read(SAID_BYTES)
        return child.returncode, said, processes.said(errors)[-2000:]

    def stop_all(self) -> None:
        """Stops all running programs; a later start raises Stopped."""
        with self.lock:
            self.is_stopped = True
            running = list(self.running)
        for child in running:
            processes.stop(child, 1.0)
