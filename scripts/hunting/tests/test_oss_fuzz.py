# SPDX-License-Identifier: MIT
"""build.sh in an environment like OSS-Fuzz's, and what their checks look at afterwards.

It builds all targets with a sanitizer, which takes minutes, so it runs where ASSAY_OSS_FUZZ names sanitizers:

    ASSAY_OSS_FUZZ=address,undefined,memory,coverage python3 -B -m unittest discover -s scripts/hunting -t scripts -p 'test_oss*'

With address it prints the rate of each target, and fails below the least that it must have. ASSAY_OSS_FUZZ_TARGETS=decode,stream
looks at these targets alone. The name afl stands for a build by AFL++, with AddressSanitizer.
"""

from __future__ import annotations

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
import zipfile
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Dict, List, Tuple

from hunting.targets import read_targets
from hunting.tests.modes import FAULT, Modes

ROOT = Path(__file__).resolve().parents[3]
SANITIZERS = [name for name in os.environ.get("ASSAY_OSS_FUZZ", "").split(",") if name]
ONLY = [name for name in os.environ.get("ASSAY_OSS_FUZZ_TARGETS", "").split(",") if name]
SUFFIXES = ("", "_long")  # of a target's name: its short regime and its long one
# The least executions a second of processor time, with AddressSanitizer and the options of the target.
LEAST = 2000
CLAIMS = ("decode", "stream", "roundtrip", "promises", "convert")
LEAST_OF = {f"fuzz_{claim}{suffix}": least for claim in CLAIMS for suffix, least in zip(SUFFIXES, (100000, 5000))}
RATE_SECONDS = 3
DRIVERS = (Path("/usr/lib/afl/libAFLDriver.a"), Path("/usr/local/lib/afl/libAFLDriver.a"))  # Debian's, and where it installs itself
FOR_ENGINE = " -fsanitize=fuzzer-no-link"
FLAGS = {
    "address": "-fsanitize=address -fsanitize-address-use-after-scope" + FOR_ENGINE,
    "undefined": "-fsanitize=undefined -fno-sanitize-recover=undefined" + FOR_ENGINE,
    "memory": "-fsanitize=memory -fsanitize-memory-track-origins" + FOR_ENGINE,
    "coverage": "-fprofile-instr-generate -fcoverage-mapping -pthread -Wl,--no-as-needed -Wl,-ldl -Wl,-lm -Wno-unused-command-line-argument",
}
# How many calls of a sanitizer's functions bad_build_check wants at the least, and at the most where it is not that sanitizer's build.
CALLS = {"address": ("asan", 1000, 0), "undefined": ("ubsan", 169, 200), "memory": ("msan", 1000, 0)}
CALL = re.compile(r"\bcallq?\s+[0-9a-f]+ <__(asan|ubsan|msan)")
MARKS = {sanitizer: ("__sanitizer_cov_", f"__{name}_") for sanitizer, (name, _, _) in CALLS.items()}
MARKS["coverage"] = ("__llvm_profile_",)
# What infra/presubmit.py and infra/constants.py of OSS-Fuzz let through, as of August 2026.
LICENCE = "http://www.apache.org/licenses/LICENSE-2.0"  # in each Dockerfile and source, but not in YAML
SECTIONS = {"architectures", "auto_ccs", "base_os_version", "blackbox", "builds_per_day", "coverage_extra_args", "disable_remediation",
            "disable_remediation_pre_review", "disabled", "file_github_issue", "fuzzing_engines", "help_url", "homepage", "indexer", "labels",
            "language", "main_repo", "primary_contact", "run_tests", "sanitizers", "selective_unpack", "vendor_ccs", "view_restrictions"}
REQUIRED = {"language", "main_repo"}
CONSTANTS = {"architectures": {"i386", "x86_64", "aarch64"},
             "fuzzing_engines": {"libfuzzer", "afl", "honggfuzz", "centipede", "none", "wycheproof"},
             "language": {"c", "c++", "go", "javascript", "jvm", "python", "ruby", "rust", "swift"},
             "sanitizers": {"address", "coverage", "hwaddress", "introspector", "memory", "none", "thread", "undefined"}}
# The C library's, and what the C++ compiler of a machine without libc++ links; theirs puts that in statically.
LIBRARIES = re.compile(r"^\s*(linux-vdso|lib(c|m|pthread|dl|rt|gcc_s|resolv|stdc\+\+)|/lib(64)?/ld-linux[^.]*)\.so")


def sections_of(project: Path) -> Dict[str, List[str]]:
    """A project.yaml as ours are, lines such as `name: value` and `name: [value, value]`: the values of each section."""
    lines = [line for line in project.read_text().splitlines() if line and not line.startswith("#")]
    return {name: [value.strip(' "') for value in values.strip(" []").split(",")]
            for name, _, values in (line.partition(":") for line in lines)}


def tree_of(folder: Path) -> Dict[str, Tuple[int, int]]:
    """Every file of a folder with its size and time, which a build must not change."""
    return {str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


class ProjectTest(unittest.TestCase):
    """The files for OSS-Fuzz, which need a public repository."""

    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "projects/utf8-assay"

    def fill(self, owner: str, contact: str) -> int:
        """Fills the files in. Returns the exit code."""
        return subprocess.run([sys.executable, "-B", str(ROOT / "scripts/oss-fuzz/fill.py"), owner, contact, str(self.folder)],
                              stderr=subprocess.DEVNULL).returncode

    def test_names_nobody_who_is_not_there(self) -> None:
        """A placeholder, a word that is not a name, or one that is not an address, is refused, and no file is written."""
        for owner, contact in (("OWNER", "a@example.org"), ("me", "CONTACT"), ("me", "a@b"), ("a b", "a@example.org"), ("me", "\"@x.y")):
            with self.subTest(owner=owner, contact=contact):
                self.assertEqual(self.fill(owner, contact), 2)
        self.assertFalse(self.folder.exists())

    def test_is_filled_in(self) -> None:
        """All fields that OSS-Fuzz's documentation requires are there, without placeholders; an existing folder is not overwritten."""
        self.assertEqual(self.fill("some-body", "someone@example.org"), 0)
        project, docker = ((self.folder / name).read_text() for name in ("project.yaml", "Dockerfile"))
        for line in ('homepage: "https://github.com/some-body/utf8-assay"', 'main_repo: "https://github.com/some-body/utf8-assay"',
                     "language: c", 'primary_contact: "someone@example.org"', "sanitizers: [address, undefined, memory]"):
            self.assertIn(line, project.splitlines())
        self.assertIn("https://github.com/some-body/utf8-assay", docker)
        self.assertNotRegex(project + docker, "OWNER|CONTACT")
        self.assertEqual(self.fill("some-body", "someone@example.org"), 2)

    def test_passes_their_presubmit(self) -> None:
        """Names, sections and their values, addresses, licences, and how packages are installed."""
        self.assertEqual(self.fill("some-body", "someone@example.org"), 0)
        self.assertRegex(self.folder.name, r"^(?!.*(google|g00gle))[a-z0-9_-]+$")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["Dockerfile", "project.yaml"], "no other file's licence is asked for")
        docker = (self.folder / "Dockerfile").read_text()
        self.assertIn(LICENCE, docker)
        self.assertNotRegex(docker, "RUN apt(-get)? install", "without an update in the same step")
        self.assertNotIn("-lFuzzingEngine", (ROOT / ".clusterfuzzlite/build.sh").read_text())
        sections = sections_of(self.folder / "project.yaml")
        self.assertLessEqual(set(sections), SECTIONS)
        self.assertLessEqual(REQUIRED, set(sections))
        self.assertRegex(sections["primary_contact"][0], r"@.*[.]")
        for name in set(sections) & set(CONSTANTS):
            self.assertLessEqual(set(sections[name]), CONSTANTS[name])
        self.assertLessEqual(set(sections_of(ROOT / ".clusterfuzzlite/project.yaml")["language"]), CONSTANTS["language"])

    def test_every_target_is_fitted_out(self) -> None:
        """Every target in the folder of a build gets its files, whatever its program does."""
        build, out = self.folder / "build", self.folder / "out"
        build.mkdir(parents=True)
        out.mkdir()
        names = [target.program for target in read_targets(ROOT)]
        for name in names:
            (build / name).touch()
        subprocess.run([sys.executable, "-B", str(ROOT / ".clusterfuzzlite/copy_targets.py"), str(build), str(out)], check=True)
        self.assertEqual(sorted(path.name for path in out.iterdir()),
                         sorted(name + suffix + end for name in names for suffix in SUFFIXES
                                for end in ("", ".dict", ".options", "_seed_corpus.zip")))
        for name in names:
            short, long = ((out / f"{name}{suffix}_seed_corpus.zip").read_bytes() for suffix in SUFFIXES)
            self.assertEqual(short, long, "both regimes begin from the same")


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

    def build(self, sanitizer: str, **other: str) -> Path:
        """Runs build.sh with the variables of the contract, and those of another engine if it is one."""
        out, work = self.folder / f"out-{sanitizer}", self.folder / f"work-{sanitizer}"
        out.mkdir()
        work.mkdir()
        flags = f"-O1 -fno-omit-frame-pointer -gline-tables-only {FLAGS[sanitizer]}"
        if other:
            flags = flags.replace(FOR_ENGINE, "")  # which they give to libFuzzer alone
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "SRC": str(self.folder / "src"), "OUT": str(out), "WORK": str(work),
                       "CC": "clang", "CXX": "clang++", "CFLAGS": flags, "CXXFLAGS": flags, "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer",
                       "SANITIZER": sanitizer, "FUZZING_ENGINE": "libfuzzer", "ARCHITECTURE": "x86_64", **other}
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
        """Each target passes in both regimes, with each sanitizer."""
        targets = [target for target in read_targets(ROOT) if not ONLY or target.name in ONLY]
        self.assertGreater(len(targets), 0, ONLY)
        if "afl" in SANITIZERS:
            self.check_afl()
        for sanitizer in [name for name in SANITIZERS if name != "afl"]:
            out = self.build(sanitizer)
            for name in (target.program + suffix for target in targets for suffix in SUFFIXES):
                with self.subTest(sanitizer=sanitizer, target=name):
                    self.check_files(out, name)
                    self.check_program(out / name, sanitizer)
                    self.check_seeds(out, name)
                    if sanitizer == "address":
                        self.check_rate(out, name)
            self.check_calls(out / targets[0].program, sanitizer)
            if sanitizer == "address":
                self.assertEqual(Modes(out / "fuzz_decode", self.folder / "modes").minimised(), FAULT)

    def check_rate(self, out: Path, name: str) -> None:
        """Requires the least rate, with the target's own options and seeds."""
        options = configparser.ConfigParser()
        options.read(out / f"{name}.options")
        flags = [f"-{key}={out / value if key == 'dict' else value}" for key, value in options["libfuzzer"].items()]
        corpus = self.folder / "corpus" / name
        corpus.mkdir(parents=True)
        before = os.times()
        done = subprocess.run([str(out / name), *flags, "-seed=1", f"-max_total_time={RATE_SECONDS}", "-print_final_stats=1", str(corpus),
                               str(self.folder / "seeds" / name)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        after = os.times()
        executed = re.search(r"number_of_executed_units: (\d+)", done.stdout)
        if done.returncode != 0 or executed is None:
            self.fail(done.stdout[-2000:])
        seconds = after.children_user + after.children_system - before.children_user - before.children_system
        rate = int(executed.group(1)) / seconds
        print(f"| {name} | {rate:,.0f} |", flush=True)
        self.assertGreater(rate, LEAST_OF.get(name, LEAST))

    def check_afl(self) -> None:
        """Requires that AFL++ executes a target, and counts the edges of the references, not those of all codecs."""
        driver = next(path for path in DRIVERS if path.exists())
        out = self.build("address", CC="afl-clang-fast", CXX="afl-clang-fast++", FUZZING_ENGINE="afl", LIB_FUZZING_ENGINE=str(driver),
                         AFL_QUIET="1")
        seed, edges = self.folder / "seed", self.folder / "edges"
        seed.write_bytes("a蚧".encode() + b"\xED\xA0")
        environment = {**os.environ, "AFL_QUIET": "1", "ASAN_OPTIONS": "abort_on_error=1:symbolize=0:detect_leaks=0"}
        for name in ("fuzz_decode", "fuzz_decode_long", "fuzz_decode-utf-16le"):
            done = subprocess.run(["afl-showmap", "-m", "none", "-o", str(edges), "--", str(out / name), str(seed)], env=environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
            reached = len(edges.read_text().splitlines()) if edges.exists() else 0
            self.assertTrue(5 < reached < 500, f"{name} reached {reached} edges: {done.stdout[-1000:]}")
            edges.unlink()

    def check_calls(self, program: Path, sanitizer: str) -> None:
        """Requires enough calls of its sanitizer, and none of another."""
        code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout
        calls = Counter(CALL.findall(code))
        for other, (name, least, most) in CALLS.items():
            if other == sanitizer:
                self.assertGreater(calls[name], least, name)
            else:
                self.assertLessEqual(calls[name], most, name)

    def check_files(self, out: Path, name: str) -> None:
        """Requires the program, its seeds, its dictionary and its options."""
        self.assertRegex(name, r"^[a-zA-Z0-9_-]+$")
        self.assertTrue(os.access(out / name, os.X_OK))
        options = configparser.ConfigParser()
        options.read(out / f"{name}.options")
        self.assertTrue((out / options["libfuzzer"]["dict"]).is_file())
        length = int(options["libfuzzer"]["max_len"])
        self.assertGreater(length, 4200) if name.endswith("_long") else self.assertEqual(length, 64)

    def check_program(self, program: Path, sanitizer: str) -> None:
        """Requires that the program is instrumented, needs common libraries only, and executes a few inputs."""
        symbols = subprocess.run(["nm", str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout
        for mark in ("LLVMFuzzerTestOneInput", *MARKS[sanitizer]):
            self.assertIn(mark, symbols)
        needed = subprocess.run(["ldd", str(program)], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual([line for line in needed.splitlines() if not LIBRARIES.match(line)], [])
        done = subprocess.run([str(program), "-runs=4", "-seed=1337", "-len_control=0"], env={"LLVM_PROFILE_FILE": os.devnull}, cwd="/", stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])

    def check_seeds(self, out: Path, name: str) -> None:
        """Requires that every seed is executed without a crash."""
        seeds = self.folder / "seeds" / name
        shutil.rmtree(seeds, ignore_errors=True)
        with zipfile.ZipFile(out / f"{name}_seed_corpus.zip") as archive:
            self.assertGreater(len(archive.namelist()), 0)
            archive.extractall(seeds)
        profile = self.folder / "profile"
        done = subprocess.run([str(out / name), "-runs=0", str(seeds)], env={"LLVM_PROFILE_FILE": str(profile)}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])
        if profile.exists():
            self.check_coverage(out / name, profile)

    def check_coverage(self, program: Path, profile: Path) -> None:
        """Requires a coverage report of the seeds, by source file."""
        merged = profile.with_suffix(".merged")
        subprocess.run(["llvm-profdata", "merge", "-sparse", str(profile), "-o", str(merged)], check=True)
        said = subprocess.run(["llvm-cov", "export", "-summary-only", f"-instr-profile={merged}", str(program)], stdout=subprocess.PIPE,
                              text=True, check=True).stdout
        reached = {row["filename"]: row["summary"]["lines"]["covered"] for row in json.loads(said)["data"][0]["files"]}
        self.assertTrue(all(Path(name).is_relative_to(self.source) for name in reached) and sum(reached.values()) > 100, reached)
        profile.unlink()


if __name__ == "__main__":
    unittest.main()
