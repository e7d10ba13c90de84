# SPDX-License-Identifier: MIT
"""Every subject of subjects.def that is installed speaks the protocol: it answers, and only with well-formed replies."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Dict, Set
from unittest import mock

from assay.tests.driver import processes_of
from subjects.subjects import ASSAY, HERE, SECONDS, Subject, ask, build_loadable, can_be_loaded, installed, lacking, print_report, rows

# What these documents promise, and what the subject does.
RIGHT = ("node", "lua", "go", "rust", "musl_iconv", "musl_mbrtowc", "icu_string", "utf8proc", "jansson", "pcre2")
# The others take too long for every change; ASSAY_SUBJECTS=all asks them, too.
EVERY_DAY = ("cpython", "node", "perl", "php", "lua", "glibc_iconv", "glibc_mbrtowc", "jansson", "sqlite", "expat", "iconv_c")
SAMPLE = ["utf-8/standard-examples", "utf-8/museum-streaming", "utf-8-sig/museum-bom", "utf-16le/standard-examples"]
SAMPLE_PLAIN = ["utf-8/standard-examples"]


class SubjectsTest(unittest.TestCase):
    """The table and its files."""

    def test_those_that_are_installed_speak_the_protocol(self) -> None:
        """No reply is malformed, out of step or missing; subjects that keep their promises pass."""
        chosen = [subject for subject in rows() if os.environ.get("ASSAY_SUBJECTS") == "all" or subject.name in EVERY_DAY]
        asked = []
        for subject, version in installed(chosen):
            if version is None:
                print(f"skipped: {subject.name} (packages {subject.packages})")
                continue
            with self.subTest(subject.name), tempfile.TemporaryDirectory() as folder:
                is_plain = subject.command.startswith("-")
                report = ask(subject, SAMPLE_PLAIN if is_plain else SAMPLE, folder)
                requests = report["requests"]
                self.assertGreater(requests["answered"], 14)
                if not is_plain:  # which may print text that is not UTF-8: that is then the finding
                    self.assertEqual((requests["troubled"], requests["not_asked"], report["restarts"]), (0, 0, 0), report["failures"])
                if subject.name in RIGHT:
                    self.assertEqual(report["failures"], [])
            asked.append(subject.name)
        self.assertIn("cpython", asked)
        print(f"{len(asked)} of {len(chosen)} subjects asked: {' '.join(asked)}")

    def test_a_folder_may_have_a_space(self) -> None:
        """Both folders of a row are quoted: in its version, in what compiles it, and in its command."""
        with tempfile.TemporaryDirectory(prefix="a b'") as folder, mock.patch("subjects.subjects.NPM", Path(folder)):
            modules = Path(folder) / "copied" / "node_modules"
            modules.mkdir(parents=True)
            (modules / "version").write_text("1.2\n", "ascii")
            row = Subject("copied", "cpython", "npm copied", "cp languages/cpython.py {}/copied.py", "python3 {}/copied.py", "cat {npm}/version", "https://example.org/")
            self.assertEqual(installed([row]), [(row, "1.2")])
            self.assertGreater(ask(row, SAMPLE, folder)["requests"]["answered"], 14)

    def test_causes_are_sentences(self) -> None:
        """A line each, with the number of requests and the shortest one."""
        causes = [{"requests": 3, "cause": "utf-8 validate: accepted", "asked": "validate utf-8 41C080", "shrunk": shrunk} for shrunk in ({"asked": "validate utf-8 C080"}, None, None)]
        with contextlib.redirect_stdout(io.StringIO()) as said:
            print_report(rows()[0], "1", {"requests": {"answered": 9, "failed": 9, "troubled": 0}, "profiles": [], "causes": causes}, 2)
        self.assertEqual(said.getvalue().splitlines()[1:], [f"        3 of utf-8 validate: accepted, such as validate utf-8 {shown}" for shown in ("C080", "41C080")])

    def test_what_is_missing_is_named(self) -> None:
        """A browser may be installed without the module that drives it."""
        row = next(row for row in rows() if row.name == "chromium")
        self.assertIn("test -e ../../build/page/node_modules/puppeteer-core ", row.version)
        for version, said in (("test -e ../../none/puppeteer-core && true", "puppeteer-core (it needs chromium nodejs, too)"), ("test -e subjects.py && false", "chromium nodejs")):
            self.assertEqual(lacking(row._replace(version=version)), said)

    def test_names_are_those_of_one_row_each(self) -> None:
        """No name is used twice, and each name in the tables above is that of a row."""
        names = [subject.name for subject in rows()]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(set(RIGHT + EVERY_DAY) - set(names), set())

    def test_profiles_has_a_row_for_each(self) -> None:
        """In the order of the table, with its implementation."""
        found = re.findall(r"^\| (\w+) \| ([\w+-]+) \| [^|]+ \| [^|]+ \|$", (HERE / "PROFILES.md").read_text("utf-8"), re.MULTILINE)
        self.assertEqual(found[1:], [(subject.name, subject.implementation) for subject in rows()])

    def test_every_adapter_is_in_the_table(self) -> None:
        """No adapter file is without a row."""
        words = " ".join(f"{subject.build} {subject.command}" for subject in rows()).split()
        for folder in ("languages", "libraries"):
            for path in (HERE / folder).iterdir():
                if path.suffix not in (".h", ".pyc", ""):
                    self.assertIn(f"{folder}/{path.name}", words)


SEEDS = Path(ASSAY).parent / "seeds" / "utf-8"
FUZZ = Path(ASSAY).parent / "fuzz_subjects"


def answers_of(report: Dict[str, Any]) -> Dict[str, str]:
    """The answers to whole inputs under `strict`: `ok`, its text, or `error`."""
    answered = [(asked, got) for _, asked, got in report["answers"]] + [(row["asked"], row["got"]) for row in report["failures"]]
    return {asked: got if got.startswith("ok") else got.split()[0] for asked, got in answered
            if asked.startswith(("validate utf-8 ", "decode utf-8 strict ")) and "," not in asked}


class LoadableTest(unittest.TestCase):
    """Adapters of libraries as loadable codecs."""

    def setUp(self) -> None:
        chosen = [subject for subject in rows() if can_be_loaded(subject) and (os.environ.get("ASSAY_SUBJECTS") == "all" or subject.name in EVERY_DAY)]
        self.subjects = [subject for subject, version in installed(chosen) if version is not None]
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def test_process_and_library_give_the_same_result(self) -> None:
        """Both forms of an adapter give the same answers, right or wrong."""
        for subject in self.subjects:
            with self.subTest(subject.name):
                path = build_loadable(subject, self.folder)
                done = subprocess.run([ASSAY, "run", "--json", "--answers", "--codec", path, *SAMPLE], capture_output=True, text=True, check=False)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                library, process = (answers_of(report) for report in (json.loads(done.stdout), ask(subject, ["--answers", *SAMPLE], self.folder)))
                shared = set(library) & set(process)
                self.assertGreater(len(shared), 5)
                self.assertEqual({asked: library[asked] for asked in shared}, {asked: process[asked] for asked in shared})
        print(f"{len(self.subjects)} libraries give the same result in both forms")

    @unittest.skipUnless(FUZZ.exists(), "this build has no fuzz_subjects")
    def test_fuzz_subjects_takes_them(self) -> None:
        """In the differential fuzz target: each is asked, and only listed deviations occur. Also with a few questions for each input, as an engine
        asks them: then a validation has any policy, which means nothing; glibc_mbrtowc accepts these inputs."""
        paths = [build_loadable(subject, self.folder) for subject in self.subjects]
        beyond = Path(self.folder) / "beyond"
        beyond.mkdir()
        for count in range(60):
            (beyond / str(count)).write_bytes(b"A" * count + b"\xF4\x90\x80\x80")
        for effort, seeds in (("thorough", SEEDS), ("sampled", SEEDS), ("sampled", beyond)):
            done = subprocess.run([FUZZ, seeds], capture_output=True, text=True, check=False, env={**os.environ, "ASSAY_CODECS": ":".join(paths), "ASSAY_EFFORT": effort})
            self.assertEqual(done.returncode, 0, done.stderr[-3000:])
            ran = next(line for line in done.stderr.splitlines() if line.startswith("ran ")).split()
            self.assertLessEqual({subject.name for subject in self.subjects}, set(ran))
        if "glibc_mbrtowc" in {subject.name for subject in self.subjects}:
            self.assertIn("not reported: ", done.stderr)


def place_of(pid: str) -> str:
    """The current folder of a process; "" if it has ended, or must not be looked at."""
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


def working_in(folder: str) -> Set[str]:
    """The processes that have the folder in their command line, or are in it, as all of a server of databases are."""
    return {*processes_of(folder), *(pid for pid in os.listdir("/proc") if pid.isdigit() and place_of(pid).startswith(folder))}


class ServersTest(unittest.TestCase):
    """Browsers and servers of databases end with their adapter."""

    @unittest.skipUnless(os.environ.get("ASSAY_SUBJECTS") == "all", "browsers and databases are asked by scripts/test --long")
    def test_nothing_outlives_a_killed_adapter(self) -> None:
        """SIGKILL, which the adapter cannot handle: neither processes nor profile or data remain."""
        for subject, version in installed([subject for subject in rows() if subject.name in ("chromium", "firefox", "postgresql", "mariadb")]):
            if version is None:
                print(f"skipped: {subject.name} (packages {subject.packages})")
                continue
            with self.subTest(subject.name), tempfile.TemporaryDirectory() as folder:
                os.chmod(folder, 0o777)  # a server runs as an ordinary user
                with subprocess.Popen(subject.command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=HERE, env={**os.environ, "TMPDIR": folder}) as adapter:
                    assert adapter.stdin is not None and adapter.stdout is not None
                    adapter.stdin.write(b"hello assay/1\n")
                    adapter.stdin.flush()
                    self.assertTrue(adapter.stdout.readline().startswith(b"hello assay/1 "))
                    self.assertGreater(len(working_in(folder)), 1)
                    adapter.kill()
                end = time.monotonic() + SECONDS
                while (working_in(folder) or os.listdir(folder)) and time.monotonic() < end:
                    time.sleep(0.1)
                self.assertEqual((working_in(folder), os.listdir(folder)), (set(), []))


if __name__ == "__main__":
    unittest.main()
