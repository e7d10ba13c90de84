# SPDX-License-Identifier: MIT
"""The progress of a running hunt: one line that changes on a terminal, a few plain lines elsewhere."""

from __future__ import annotations

import os
import shutil
import sys
import time
from typing import TYPE_CHECKING, Sequence, TextIO

if TYPE_CHECKING:
    from .fuzzing import Job

REFRESH_SECONDS = 0.5


def short_number(number: float) -> str:
    """A rounded number with a unit: 1.2 M for 1234567."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return f"{number:.0f}"


class Progress:
    """The progress lines."""

    def __init__(self, out: TextIO = sys.stdout) -> None:
        self.out = out
        self.on_terminal = out.isatty()
        self.shown = 0.0
        self.pending = False

    def line(self, text: str = "") -> None:
        """Prints a line that stays."""
        self.clear()
        self.write(text + "\n")

    def write(self, text: str) -> None:
        """Writes a line; if the reader is gone, as after `| head`, the hunt continues without it."""
        try:
            print(text, end="", file=self.out, flush=True)
        except BrokenPipeError:
            self.out = open(os.devnull, "w", encoding="utf-8")
            os.dup2(self.out.fileno(), sys.stdout.fileno())  # else Python, when it ends, would try once more and complain

    def clear(self) -> None:
        """Removes the changing line."""
        if self.pending:
            self.write("\r\x1b[K")
            self.pending = False

    def show(self, seconds_left: float, jobs: Sequence[Job], executions: int) -> None:
        """Updates the changing line: time left, the pieces that are running, executions so far."""
        if not self.on_terminal or time.monotonic() < self.shown + REFRESH_SECONDS:
            return
        self.shown = time.monotonic()
        left = max(int(seconds_left), 0)
        text = f"{left // 60}:{left % 60:02} left   {'   '.join(job.piece.name for job in jobs)}"
        if executions:
            text += f"   {short_number(executions)} executions so far"
        self.write("\r\x1b[K" + text[:shutil.get_terminal_size().columns - 1])
        self.pending = True

    def line_for(self, job: Job) -> None:
        """Prints the figures of a finished piece of work."""
        figures = job.total()
        rate = figures.executions / job.seconds if job.seconds else 0
        tail = f", {job.crashes} crashes" if job.crashes else ""
        self.line(f"  {job.piece.name:<28} {job.seconds:5.1f} s  {short_number(figures.executions):>8} executions  "
                  f"{short_number(rate):>8}/s{tail}")
