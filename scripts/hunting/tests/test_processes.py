# SPDX-License-Identifier: MIT
"""Tests of child processes: their output is read, and none of them is left."""

from __future__ import annotations

import sys
import time
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from hunting.processes import said, start, stop

ORPHAN = """
import os, signal, subprocess
child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
child.send_signal(signal.SIGSTOP)
print(child.pid)
"""


class StopTest(unittest.TestCase):
    """A process that ends may leave the processes that it started: AFL++ does, stopped, if its fork server is killed first."""

    def test_ends_what_a_process_that_has_ended_left(self) -> None:
        """The process that is left has its own session, and is stopped by a signal."""
        with TemporaryDirectory() as folder:
            log = Path(folder) / "log"
            process = start([sys.executable, "-c", ORPHAN], log)
            process.wait(60)
            orphan = Path("/proc") / said(log).strip()
            self.assertIn("sleep", (orphan / "cmdline").read_text())
            stop(process)
            for _ in range(100):
                if not orphan.exists() or ") Z " in (orphan / "stat").read_text():
                    break
                time.sleep(0.1)
            else:
                self.fail("it still runs")


class SaidTest(unittest.TestCase):
    """A log may be empty, short, or larger than memory."""

    def test_of_a_huge_log_the_beginning_and_the_end(self) -> None:
        """Any other log is returned whole."""
        with TemporaryDirectory() as folder, mock.patch("hunting.processes.SAID_BYTES", 4):
            log = Path(folder) / "log"
            for text, expected in (("", ""), ("abc", "abc"), ("abcdefg", "abcdefg"), ("abcdefgh", "abcdefgh"), ("abcdefghijkl", "abcdijkl")):
                log.write_text(text)
                self.assertEqual(said(log), expected)


if __name__ == "__main__":
    unittest.main()
