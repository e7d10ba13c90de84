# SPDX-License-Identifier: MIT
"""scripts/generate as people run it: what it writes, checks, refuses, and does not change."""

from __future__ import annotations

import importlib.util
import io
import shutil
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from unittest import mock

from witness import ledger

ROOT = Path(__file__).resolve().parent.parent.parent


def load(path: Path) -> ModuleType:
    """Loads a script without a file extension as a module, so that it derives its data only once for all tests."""
    name = f"{path.name}_under_test"
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, SourceFileLoader(name, str(path))))
    module.__spec__.loader.exec_module(module)
    return module


SCRIPT = load(ROOT / "scripts" / "generate")


def generate(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs the script's main in this process."""
    out, error = io.StringIO(), io.StringIO()
    with mock.patch.object(sys, "argv", ["generate", *arguments]), redirect_stdout(out), redirect_stderr(error):
        code = SCRIPT.main()
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), error.getvalue())


class GenerateTest(unittest.TestCase):
    """The command."""

    @classmethod
    def setUpClass(cls) -> None:
        """Writes everything once, into an empty folder with the ledger of the checkout."""
        cls.root = Path(tempfile.mkdtemp())
        (cls.root / "vectors").mkdir()
        for name in ("CMakeLists.txt", "vectors/LEDGER.tsv"):
            shutil.copy(ROOT / name, cls.root / name)
        cls.first = generate("--root", str(cls.root))

    @classmethod
    def tearDownClass(cls) -> None:
        """Removes the folder."""
        shutil.rmtree(cls.root)

    def test_the_exit_code_is_that_of_the_process(self) -> None:
        """Bad input is 2 for the shell, too."""
        command = [sys.executable, str(ROOT / "scripts" / "generate"), "--root", str(self.root / "nowhere")]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (2, ""))

    def test_writes_what_the_checkout_has(self) -> None:
        """In an empty folder the same files come into being, and --check of the checkout finds nothing that differs or is stray."""
        self.assertEqual(self.first.returncode, 0, self.first.stderr)
        for name in generate("--list").stdout.split():
            self.assertEqual((self.root / name).read_bytes(), (ROOT / name).read_bytes(), name)
        checked = generate("--check")
        self.assertEqual((checked.returncode, checked.stderr), (0, ""), checked.stdout)

    def test_check_lists_what_differs_is_missing_or_stray(self) -> None:
        """Exit 1, a line each, and nothing is written; then everything is written again."""
        differing, missing = self.root / "vectors/utf-8/overlong.json", self.root / "codecs/dfa/utf8_tables.h"
        stray = self.root / "vectors/utf-8/stray"
        differing.write_text("{", "ascii")
        missing.unlink()
        stray.write_text("x", "ascii")
        run = generate("--check", "--root", str(self.root))
        self.assertEqual(run.returncode, 1)
        self.assertEqual(sorted(line.split() for line in run.stdout.splitlines()),
                         [["differs", "vectors/utf-8/overlong.json"], ["missing", "codecs/dfa/utf8_tables.h"],
                          ["stray", "vectors/utf-8/stray"]])
        self.assertEqual(differing.read_text("ascii"), "{")
        self.assertEqual(generate("--root", str(self.root)).returncode, 0)
        self.assertEqual(generate("--check", "--root", str(self.root)).returncode, 0)
        self.assertFalse(stray.exists())

    def test_refuses_to_break_a_promise(self) -> None:
        """A ledger that pins something else is exit 2, and not a file is touched."""
        with tempfile.TemporaryDirectory() as folder:
            group, changed, gone = "utf-8/overlong\t0.0.1\t-\n", "c080\t0000000000000000\n", "gone\t1\n"
            for line, reason in ((group + changed + gone, "asks for something else"), (group + gone, "is gone"),
                                 ("damaged\n", "LEDGER.tsv:3")):
                path = Path(folder) / "vectors" / "LEDGER.tsv"
                path.parent.mkdir(exist_ok=True)
                path.write_text(f"{ledger.HEAD}\n{line}", "ascii")
                run = generate("--root", folder)
                self.assertEqual(run.returncode, 2, line)
                self.assertIn(reason, run.stderr)
                self.assertEqual([item for item in Path(folder).rglob("*") if item.is_file()], [path])

    def test_leaves_nothing_half_written(self) -> None:
        """If one file cannot be written, no other is: exit 2, and the tree is as it was."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "vectors" / "utf-8" / "truncated.json").mkdir(parents=True)
            run = generate("--root", folder)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("truncated.json is a folder", run.stderr)
            self.assertEqual([path for path in Path(folder).rglob("*") if path.is_file()], [])

    def test_removes_nothing_where_no_checkout_is(self) -> None:
        """Somebody's own file in a folder of that name stays: exit 2, and nothing is written."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "vectors" / "utf-8" / "mine.txt"
            path.parent.mkdir(parents=True)
            path.write_text("mine", "ascii")
            run = generate("--root", folder)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("mine.txt", run.stderr)
            self.assertEqual([item for item in Path(folder).rglob("*") if item.is_file()], [path])

    def test_refuses_a_ledger_that_is_no_text(self) -> None:
        """Bytes beyond ASCII; a folder in its place."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "vectors" / "LEDGER.tsv"
            path.parent.mkdir()
            path.write_bytes(ledger.HEAD.encode("ascii") + b"\nx\t0.1.0\t-\n\xFF\t1\n")
            self.assertIn("LEDGER.tsv is not ASCII", generate("--root", folder).stderr)
            path.unlink()
            path.mkdir()
            for option in ("--check", "--release"):
                run = generate(option, "--root", folder)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn("LEDGER.tsv", run.stderr)

    def test_refuses_a_folder_that_is_none(self) -> None:
        """Exit 2, with the reason."""
        run = generate("--root", str(self.root / "nowhere"))
        self.assertEqual(run.returncode, 2)
        self.assertIn("is not a folder", run.stderr)


if __name__ == "__main__":
    unittest.main()
