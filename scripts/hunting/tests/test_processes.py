# SPDX-License-Identifier: MIT
"""Tests of child processes: their output is read, and none of them is left."""

from __future__ import annotations

import subprocess
import sys
import time
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from hunting.processes import holders, kill_all, mark_of_all, said, start, stop, variable

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

    def test_ends_what_nobody_has_yet(self) -> None:
        """A signal comes when the program runs and `start` has not returned: the process is killed all the same, and no other one."""
        def start_and_raise(*words: Any, **options: Any) -> None:
            subprocess.Popen(*words, **options)
            raise KeyboardInterrupt

        with TemporaryDirectory() as folder:
            other = subprocess.Popen(["sleep", "1000"], env={"ASSAY_STARTED_AS": "1-1"})
            with mock.patch("hunting.processes.Child", start_and_raise), self.assertRaises(KeyboardInterrupt):
                start(["sleep", "1000"], Path(folder) / "log")
            self.assertEqual(len(holders(variable(mark_of_all()))), 1)
            kill_all()
            self.assertEqual(holders(variable(mark_of_all())), [])
            self.assertIsNone(other.poll())
            other.kill()
            other.wait()


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
