# SPDX-License-Identifier: MIT
"""build.sh in an environment like OSS-Fuzz's, and what their checks look at afterwards.

It builds all targets with a sanitizer, which takes minutes, so it runs where ASSAY_OSS_FUZZ names sanitizers:

    ASSAY_OSS_FUZZ=address,undefined,memory python3 -B -m unittest discover -s scripts/hunting -t scripts -p 'test_oss*'
"""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import unittest
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Dict, Tuple

from hunting.targets import read_targets

ROOT = Path(__file__).resolve().parents[2]
SANITIZERS = [name for name in os.environ.get("ASSAY_OSS_FUZZ", "").split(",") if name]
FLAGS = {
    "address": "-fsanitize=address -fsanitize-address-use-after-scope",
    "undefined": "-fsanitize=undefined -fno-sanitize-recover=undefined",
    "memory": "-fsanitize=memory -fsanitize-memory-track-origins",
}
MARKS = {"address": "__asan_", "undefined": "__ubsan_", "memory": "__msan_"}
# The C library's, and what the C++ compiler of a machine without libc++ links; theirs puts that in statically.
LIBRARIES = re.compile(r"^\s*(linux-vdso|lib(c|m|pthread|dl|rt|gcc_s|resolv|stdc\+\+)|/lib(64)?/ld-linux[^.]*)\.so")


def tree_of(folder: Path) -> Dict[str, Tuple[int, int]]:
    """Every file of a folder with its size and time: what a build must leave alone."""
    return {str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


@unittest.skipUnless(SANITIZERS, "NOT RUN: ASSAY_OSS_FUZZ names no sanitizer")
class OssFuzzTest(unittest.TestCase):
    """The contract of OSS-Fuzz and ClusterFuzzLite."""

    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.source = self.folder / "src/utf8-assay"
        names = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "-co", "--exclude-standard"], stdout=subprocess.PIPE, check=True).stdout
        for name in filter(None, names.decode().split("\0")):
            (self.source / name).parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_file():
                shutil.copy2(ROOT / name, self.source / name)
        subprocess.run(["chmod", "-R", "a-w", str(self.source)], check=True)
        self.addCleanup(subprocess.run, ["chmod", "-R", "u+w", str(self.source)], check=True)

    def build(self, sanitizer: str) -> Path:
        """Runs build.sh with what the contract names, and nothing else."""
        out, work = self.folder / f"out-{sanitizer}", self.folder / f"work-{sanitizer}"
        out.mkdir()
        work.mkdir()
        flags = f"-O1 -fno-omit-frame-pointer -gline-tables-only {FLAGS[sanitizer]} -fsanitize=fuzzer-no-link"
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "SRC": str(self.folder / "src"), "OUT": str(out), "WORK": str(work),
                       "CC": "clang", "CXX": "clang++", "CFLAGS": flags, "CXXFLAGS": flags, "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer",
                       "SANITIZER": sanitizer, "FUZZING_ENGINE": "libfuzzer", "ARCHITECTURE": "x86_64"}
        before = tree_of(self.source)
        done = subprocess.run(["bash", "-eu", str(self.source / ".clusterfuzzlite/build.sh")], env=environment, cwd=self.source,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        self.assertEqual(tree_of(self.source), before, "the source is not to be written")
        elsewhere = self.folder / f"not-out-{sanitizer}"  # as their test does: nothing may know where it was built
        out.rename(elsewhere)
        shutil.rmtree(work)
        return elsewhere

    def test_what_it_builds_passes_their_checks(self) -> None:
        """For each sanitizer and each target."""
        for sanitizer in SANITIZERS:
            out = self.build(sanitizer)
            for target in read_targets(ROOT):
                with self.subTest(sanitizer=sanitizer, target=target.name):
                    self.check_files(out, target.program)
                    self.check_program(out / target.program, sanitizer)
                    self.check_seeds(out, target.program)

    def check_files(self, out: Path, name: str) -> None:
        """A program, its seeds, its dictionary and its options."""
        self.assertRegex(name, r"^[a-zA-Z0-9_-]+$")
        self.assertTrue(os.access(out / name, os.X_OK))
        options = configparser.ConfigParser()
        options.read(out / f"{name}.options")
        self.assertTrue((out / options["libfuzzer"]["dict"]).is_file())
        self.assertGreater(int(options["libfuzzer"]["max_len"]), 4200)

    def check_program(self, program: Path, sanitizer: str) -> None:
        """It is instrumented, needs no library that is not everywhere, and runs a few inputs."""
        symbols = subprocess.run(["nm", str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout
        for mark in ("LLVMFuzzerTestOneInput", "__sanitizer_cov_", MARKS[sanitizer]):
            self.assertIn(mark, symbols)
        needed = subprocess.run(["ldd", str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual([line for line in needed.splitlines() if not LIBRARIES.match(line)], [])
        done = subprocess.run([str(program), "-runs=4", "-seed=1337", "-len_control=0"], env={}, cwd="/", stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])

    def check_seeds(self, out: Path, name: str) -> None:
        """Every seed is run and none of them is a crash."""
        seeds = self.folder / "seeds" / name
        shutil.rmtree(seeds, ignore_errors=True)
        with zipfile.ZipFile(out / f"{name}_seed_corpus.zip") as archive:
            self.assertGreater(len(archive.namelist()), 0)
            archive.extractall(seeds)
        done = subprocess.run([str(out / name), "-runs=0", str(seeds)], env={}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])


if __name__ == "__main__":
    unittest.main()
