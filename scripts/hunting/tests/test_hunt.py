# SPDX-License-Identifier: MIT
"""Tests of whole hunts in a checkout of fake programs: the output, the files and the exit code of each outcome."""

from __future__ import annotations

import compileall
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Dict, Iterator, List, Optional
from unittest import mock

from hunting.findings.replay import replay_odd
from hunting.fuzzing import Fuzzing
from hunting.hunt import main
from hunting.plan import SHORT, Piece, Way
from hunting.targets import Target
from hunting.trees import Tree
from hunting.exits import CannotRun

PACKAGE = Path(__file__).resolve().parents[1]
COMPILER = os.environ.get("CC") or "cc"
KEY = "utf8-validate-fake-verdict"
LIMIT = 600  # seconds for what takes a few on a machine that has nothing else to do

@lru_cache(maxsize=None)
def compiled_packages() -> Path:
    """A copy of the packages that a hunt imports, compiled once: to compile them takes a hunt over fakes half of its time."""
    folder = TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    for name in ("hunting", "witness"):
        shutil.copytree(PACKAGE.parent / name, Path(folder.name) / name, ignore=shutil.ignore_patterns("__pycache__", "test_*", "tests"))
    with mock.patch.object(sys, "pycache_prefix", None):  # beside the sources, with which they are copied
        compileall.compile_dir(folder.name, quiet=2)
    return Path(folder.name)


@lru_cache(maxsize=None)
def fake() -> bytes:
    """The program of fakes.c, which pretends to be every program that a hunt starts."""
    with TemporaryDirectory() as folder:
        program = Path(folder) / "fake"
        subprocess.run([COMPILER, "-std=c11", "-O1", str(Path(__file__).with_name("fakes.c")), "-o", str(program)], check=True)
        return program.read_bytes()


class Checkout:
    """A folder that looks like the project, with programs that only pretend."""

    def __init__(self, root: Path) -> None:
        self.root = root
        shutil.copytree(compiled_packages(), root / "scripts")
        self.write("CMakeLists.txt", b"")
        self.write("harnesses/core/claims.def", b"CLAIM(decode)\n")
        self.write("codecs/codecs.def", b'ENCODING(utf8, "utf-8")\n')
        self.write("harnesses/museum/plants.def", b'PLANT(utf8, canary, ANY, decode, "C0 80")\n'
                   b'PLANT(utf8, broad, avx512, decode, "61")\nPLANT(utf8, fake, ANY, decode, "21")\n')
        self.write("vectors/utf-8/good.json", b'{"encoding": "utf-8", "category": "good", "kind": "decode", '
                   b'"tests": [{"id": "utf-8/good/good", "bytes": "676F6F64"}]}')
        self.write("scripts/setup", b"#!/bin/sh\nexit ${SETUP_EXIT:-0}\n").chmod(0o755)
        self.write("without/jinja2.py", b"raise ImportError\n")  # the page, which takes longer than all else, has its own test
        for name in ("cmake", "afl-fuzz", "llvm-profdata", "llvm-cov"):
            self.write(f"bin/{name}", fake()).chmod(0o755)

    def write(self, name: str, content: bytes) -> Path:
        """Writes a file in the checkout."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def start(self, *words: str, how: str = "", env: Optional[Dict[str, str]] = None) -> subprocess.Popen:
        """Starts a hunt. It looks for no packages of this machine (-S), which takes time."""
        environment = {**os.environ, "PATH": f"{self.root / 'bin'}:/usr/bin:/bin", "FAKE": how,
                       "PIDS": str(self.root / "pids"), "PYTHONPATH": str(self.root / "without"), "PYTHONPYCACHEPREFIX": "", **(env or {})}
        return subprocess.Popen([sys.executable, "-BS", str(self.root / "scripts/hunting"), "--seconds", "1", "--jobs", "2",
                                 *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    @property
    def summary(self) -> Dict[str, Any]:
        """The hunt's summary.json."""
        return json.loads((self.root / "build/hunt/summary.json").read_text())


class HuntTest(unittest.TestCase):
    """Outcomes and their exit codes."""

    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.checkout = Checkout(Path(folder.name).resolve())
        self.findings = self.checkout.root / "build/hunt/findings"

    def hunt(self, code: int, *words: str, how: str = "", env: Optional[Dict[str, str]] = None) -> str:
        """Runs a hunt to its end, and requires this exit code."""
        process = self.checkout.start(*words, how=how, env=env)
        said = process.communicate(timeout=LIMIT)[0]
        self.assertEqual(process.returncode, code, said)
        return said

    def assert_in_order(self, text: str, *parts: str) -> None:
        """Requires these parts in the text, one after the other."""
        at = 0
        for part in parts:
            self.assertIn(part, text[at:])
            at = text.index(part, at)

    # ---- 0 and 1 -------------------------------------------------------------------------------

    def test_is_clean_when_nothing_is_found(self) -> None:
        """The report names what ran and what did not."""
        said = self.hunt(0, "--seed", "5")
        self.assert_in_order(said, "seed 5", "not run   utf-8/wide: needs avx9", "replayed  1 known inputs", "executions",
                             "clean: no finding", "report    ")
        for name in ("report.txt", "summary.json", "junit.xml"):
            self.assertTrue((self.checkout.root / "build/hunt" / name).is_file(), name)
        summary = self.checkout.summary
        self.assertEqual((summary["exit_code"], summary["findings"]), (0, []))
        self.assertEqual({job["engine"] for job in summary["jobs"]}, {"libfuzzer", "afl"})
        self.assertEqual(summary["ran"]["decode with afl"], ["reference", "fake"])
        self.assertEqual((summary["made"]["command"][0], summary["made"]["command"][-2:]), ("scripts/hunt", ["--seed", "5"]))

    def assert_is_kept(self, said: str) -> None:
        """Requires the finding, as a folder and in the report."""
        folder = self.findings / KEY
        self.assertEqual((folder / "input").read_bytes(), b"!")
        self.assertEqual((folder / "repro.txt").read_text(), f"build/assay diff @build/hunt/findings/{KEY}/input\n")
        self.assertIn("differs from utf-8/reference", (folder / "letter.txt").read_text())
        info = json.loads((folder / "info.json").read_text())
        self.assertEqual((info["codec"], info["operation"], info["field"], info["shown_again"], info["minimised"]),
                         ("fake", "validate", "verdict", True, True))
        self.assertEqual(info["shows"], [KEY])
        self.assert_in_order(said, f"finding   {KEY}", f"build/assay diff @build/hunt/findings/{KEY}/input", "1 finding, in")
        self.assertEqual(sorted(path.name for path in self.findings.iterdir()), [KEY])
        row = self.checkout.summary["findings"][0]
        self.assertEqual((row["input"], row["input_bytes"], row["explanation"]), ("21", 1, f"key {KEY}\n"))  # the fake explains so

    def test_keeps_what_libfuzzer_finds(self) -> None:
        """The finding is stored under its key, minimised, with its letter and the command that shows it again; the hunt continues after
        it."""
        said = self.hunt(1, "--seconds", "600", "--jobs", "1", "--engine", "libfuzzer", how="libfuzzer-finds hasty")
        self.assert_is_kept(said)
        jobs = [job for job in self.checkout.summary["jobs"] if job["engine"] == "libfuzzer"]
        self.assertTrue(any(job["runs"] == 2 for job in jobs), jobs)

    def test_keeps_what_afl_finds(self) -> None:
        """A crash in AFL++'s folder becomes a finding in the same way."""
        self.assert_is_kept(self.hunt(1, how="afl-finds"))

    def test_finds_what_the_corpus_shows(self) -> None:
        """Known inputs are replayed first; those that show a finding are no seeds."""
        self.checkout.write("corpus/found/old/input", b"in!")
        self.assert_is_kept(self.hunt(1))
        seeds = list((self.checkout.root / "build/hunt/runs/seeds").rglob("*"))
        self.assertEqual({path.read_bytes() for path in seeds if path.is_file()}, {b"good"})

    def test_replays_so_much_of_a_text_as_engines_are_given(self) -> None:
        """Only the first 8,192 bytes of a text are replayed, the length that engines are given."""
        self.checkout.write("corpus/text/long", b"x" * 8192 + b"!")
        self.assertIn("replayed  2 known inputs", self.hunt(0))
        self.checkout.write("corpus/text/long", b"x" * 50 + b"!")
        self.assert_is_kept(self.hunt(1))

    def test_remembers_what_earlier_hunts_found(self) -> None:
        """An earlier finding that still shows is a finding, one that does not is reported as gone; neither is deleted."""
        self.hunt(1, how="libfuzzer-finds")
        said = self.hunt(1)
        self.assertIn("left by an earlier hunt, and still so", said)
        (self.findings / KEY / "input").write_bytes(b"mended")
        said = self.hunt(0)
        self.assert_in_order(said, f"gone      {KEY}", "its folder is kept", "clean")
        self.hunt(1, how="libfuzzer-finds")
        self.assertEqual((self.findings / f"{KEY}.1" / "input").read_bytes(), b"mended")
        self.assertEqual((self.findings / KEY / "input").read_bytes(), b"!")

    def test_ends_at_what_it_finds_if_that_is_enough(self) -> None:
        """What is left undone is reported, and is done by --resume; a known finding does not end the hunt again."""
        said = self.hunt(1, "--seconds", "6", "--jobs", "1", "--fail-fast", how="libfuzzer-finds")
        self.assert_is_kept(said)
        self.assert_in_order(said, f"left      the hunt ended at {KEY}, as --fail-fast asks; --resume continues after it",
                             "left      1 of 3 pieces of work were begun and not finished: decode libfuzzer ",
                             "left      2 of 3 pieces of work were not begun: decode libfuzzer ", "1 finding, in")
        summary = self.checkout.summary
        self.assertEqual(([job["new_keys"] for job in summary["jobs"]], summary["ended_at"]), ([[KEY]], KEY))
        said = self.hunt(1, "--resume", "--fail-fast")
        self.assertNotIn("left      ", said)
        summary = self.checkout.summary
        self.assertEqual((len(summary["jobs"]), summary["left"], summary["ended_at"]), (3, [], None))
        self.assertFalse((self.checkout.root / "build/hunt/state.json").exists())

    def test_does_not_go_on_with_another_plant(self) -> None:
        """Otherwise findings of the earlier plant would be reported for the new one."""
        self.hunt(1, "--seconds", "6", "--jobs", "1", "--fail-fast", how="libfuzzer-finds")
        self.assertIn("that hunt was without a plant", self.hunt(2, "--resume", "--plant", "canary", "--out",
                                                                      str(self.checkout.root / "build/hunt")))

    def test_ends_before_it_fuzzes_if_known_inputs_are_enough(self) -> None:
        """The hunt can be resumed."""
        self.checkout.write("corpus/found/old/input", b"in!")
        said = self.hunt(1, "--fail-fast")
        self.assert_in_order(said, "left      the hunt ended at", "pieces of work were not begun")
        self.assertEqual(self.checkout.summary["jobs"], [])
        self.assertNotIn("left      ", self.hunt(1, "--resume"))

    def test_ends_at_its_plant_alone(self) -> None:
        """Other findings do not end it."""
        self.assertIn(f"ended at {KEY}", self.hunt(1, "--fail-fast", "--plant", "fake", how="libfuzzer-finds"))
        self.assertNotIn("ended at", self.hunt(1, "--fail-fast", "--plant", "broad", how="libfuzzer-finds"))

    def test_keeps_a_finding_for_ever(self) -> None:
        """The input is copied to the corpus, with its letter in a story to be written; no file is overwritten."""
        self.checkout.write("corpus/found/README.md", b"# Found\n")
        self.hunt(1, how="libfuzzer-finds")
        self.assertIn("write its story in the README.md next to it", self.hunt(0, "--keep", KEY))
        self.assertEqual((self.checkout.root / "corpus/found" / KEY).read_bytes(), b"!")
        story = (self.checkout.root / "corpus/found/README.md").read_text()
        self.assert_in_order(story, "# Found", f"## {KEY}", "    utf-8/fake differs from utf-8/reference", "to be written here")
        self.assertNotIn("again", story)
        self.assertIn("is there already", self.hunt(2, "--keep", KEY))
        self.assertIn("there is no finding 'other'", self.hunt(2, "--keep", "other"))

    def test_keeps_no_finding_of_a_plant(self) -> None:
        """A plant's finding is no real divergence; other findings of a hunt with a plant can be kept."""
        self.checkout.write("corpus/found/README.md", b"# Found\n")
        for plant, code, said in (("fake", 2, f"{KEY} is of the plant fake"), ("broad", 0, "write its story in the README.md next to it")):
            out = str(self.checkout.root / f"build/hunt-{plant}")
            self.hunt(1, "--plant", plant, "--out", out, how="libfuzzer-finds")
            self.assertIn(said, self.hunt(code, "--keep", KEY, "--out", out))
            self.assertEqual((self.checkout.root / "corpus/found" / KEY).exists(), code == 0)

    def test_says_what_others_say_of_a_finding(self) -> None:
        """It gives at least the witness's opinion, and the expected output."""
        self.hunt(1, how="libfuzzer-finds")
        info = json.loads((self.findings / KEY / "info.json").read_text())
        self.assertEqual(info["opinions"]["witness"], "well-formed")
        case = json.loads((self.findings / KEY / "case.json").read_text())
        self.assertEqual((case["bytes"], case["errors"], case["utf32"]["strict"]), ("21", [], ["0021"]))

    def test_says_which_subjects_could_not_be_asked(self) -> None:
        """The opinions of the other subjects are given."""
        self.checkout.write("build/subjects/odd.so", b"")
        self.assertIn("note      odd could not be asked", self.hunt(1, how="libfuzzer-finds"))
        self.assertEqual(json.loads((self.findings / KEY / "info.json").read_text())["probably_wrong"], "fake")

    def test_hunts_with_a_codec_of_somebody_elses(self) -> None:
        """Only the targets of its encoding run; a finding is minimised, shown again by a command that loads the codec, and kept like
        others."""
        self.checkout.write("codecs/codecs.def", b'ENCODING(utf8, "utf-8")\nENCODING(wtf8, "wtf-8")\n')
        self.checkout.write("corpus/found/README.md", b"# Found\n")
        library, key = self.checkout.write("its own/libmine.so", b"utf-8/mine"), "utf8-validate-mine-verdict"
        said = self.hunt(1, "--codec", str(library), how="libfuzzer-finds")
        self.assert_in_order(said, f", with {library}", "codecs    utf-8: reference fake mine", "ran       reference mine fake", f"finding   {key}")
        folder = self.checkout.root / "build/hunt-libmine/findings" / key
        self.assertEqual((folder / "input").read_bytes(), b"?")
        self.assertEqual((folder / "repro.txt").read_text(), f"build/assay diff '--codec=its own/libmine.so' @build/hunt-libmine/findings/{key}/input\n")
        info = json.loads((folder / "info.json").read_text())
        self.assertEqual((info["codec"], info["minimised"], info["probably_wrong"]), ("mine", True, "mine"))
        summary = json.loads((folder.parents[1] / "summary.json").read_text())
        self.assertEqual((summary["options"]["targets"], summary["options"]["codecs"]), (["decode"], [str(library)]))
        self.assertIn("write its story in the README.md next to it", self.hunt(0, "--codec", str(library), "--keep", key))
        self.assertEqual((self.checkout.root / "corpus/found" / key).read_bytes(), b"?")

    def test_puts_findings_of_one_cause_together(self) -> None:
        """Findings of codecs that share code and show the same input: one is minimised and explained, the others are listed under it."""
        twin = "utf8-validate-twin-verdict"
        for folder, said in (("simd", "2 findings, 1 probable cause, in"), ("swar", "2 findings, in")):
            shutil.rmtree(self.checkout.root / "build", ignore_errors=True)
            self.checkout.write("codecs/codecs.def", b'ENCODING(utf8, "utf-8")\nCODEC(utf8, fake, simd/a.c, ANY)\nCODEC(utf8, twin, %s/b.c, ANY)\n'
                                % folder.encode())
            self.assert_in_order(self.hunt(1, how="afl-finds twins"), f"finding   {KEY}", "  utf-8/fake differs", twin, said)
            self.assertEqual((self.findings / twin / "input").read_bytes(), b"!")
            self.assertEqual([json.loads((self.findings / key / "info.json").read_text())["minimised"] for key in (KEY, twin)], [True, False])
        self.checkout.write("codecs/codecs.def", b'ENCODING(utf8, "utf-8")\nCODEC(utf8, fake, simd/a.c, ANY)\nCODEC(utf8, twin, simd/b.c, ANY)\n')
        self.assert_in_order(self.hunt(1, how="twins"), f"finding   {KEY}", "also      1 more, probably of the same cause", f"  {twin} (left by an earlier hunt")
        self.assertEqual(self.checkout.summary["causes"], [[KEY, twin]])

    def test_lists_apart_what_does_not_come_again(self) -> None:
        """A crash that no program shows again is no cause, and the report says how often it was tried."""
        key = "utf8-decode-not-again"
        for how, said, rows in (("afl-crashes-once", "1 crash that did not come again, in", []),
                                ("afl-crashes-once afl-finds", "1 finding, 1 crash that did not come again, in", [[KEY]])):
            shutil.rmtree(self.checkout.root / "build", ignore_errors=True)
            self.assert_in_order(self.hunt(1, how=how), f"not again {key} (came up 1 time)", "did not come again in 6 tries, 2 with each of these builds: plain, libfuzzer, afl",
                                 f"again         build/fuzz_decode build/hunt/findings/{key}/input", said)
            self.assertEqual((self.checkout.summary["causes"], self.checkout.summary["not_again"]), (rows, [key]))
            info = json.loads((self.findings / key / "info.json").read_text())
            self.assertEqual((info["not_again_in"], info["shown_again"], info["bytes"]), (6, False, 5))

    def test_goes_on_with_the_codec_that_it_began_with(self) -> None:
        """Another codec is refused."""
        out = ["--out", str(self.checkout.root / "out")]
        library, other = (self.checkout.write(f"lib{name}.so", f"utf-8/{name}".encode()) for name in ("mine", "other"))
        self.hunt(1, "--codec", str(library), "--seconds", "6", "--jobs", "1", "--fail-fast", *out, how="libfuzzer-finds")
        self.assertIn("start a new hunt, or leave --codec out", self.hunt(2, "--resume", "--codec", str(other), *out))
        self.assertIn("ran       reference mine fake", self.hunt(1, "--resume", *out))

    def test_says_why_it_cannot_hunt_with_a_codec(self) -> None:
        """It refuses a name that another codec has or that cannot name a folder, an encoding without a target, a missing library, a path with
        a colon, and a plant besides the codec."""
        for content, part in ((b"utf-8/fake", "so is another one called"), (b"utf-8/my codec", "cannot be the name of a folder"),
                              (b"ebcdic/mine", "is of ebcdic, which none of the targets is about")):
            library = self.checkout.write("libmine.so", content)
            self.assertIn(part, self.hunt(2, "--codec", str(library)))
        self.assertIn("there is no file", self.hunt(2, "--codec", "nowhere.so"))
        self.assertIn("has a colon", self.hunt(2, "--codec", str(self.checkout.write("a:b.so", b"utf-8/mine"))))
        self.assertIn("take one of the two", self.hunt(2, "--codec", str(library), "--plant", "canary"))

    # ---- 2 ---------------------------------------------------------------------------------------

    def test_does_not_take_trouble_for_a_finding(self) -> None:
        """Each trouble gives exit code 2 and a sentence."""
        for how, part in (("no-build", "it does not compile"), ("afl-refuses", "Pipe at the beginning of 'core_pattern'"),
                          ("afl-idle", "not one execution of decode with afl")):
            with self.subTest(how):
                said = self.hunt(2, how=how)
                self.assert_in_order(said, "trouble", part, "could not run as asked")
                self.assertEqual(self.checkout.summary["exit_code"], 2)
                self.assertEqual(self.checkout.summary["seconds"] > 0, how != "no-build", "of fuzzing, that is")
        self.assertFalse(self.findings.exists())

    def test_lets_a_finding_outweigh_trouble(self) -> None:
        """Trouble does not make a finding untrue; both are in the report."""
        self.checkout.write("corpus/found/old/input", b"in!")
        said = self.hunt(1, how="afl-refuses")
        self.assert_in_order(said, f"finding   {KEY}", "trouble", "core_pattern", "1 finding")

    def test_misses_what_was_expected(self) -> None:
        """It refuses an instruction set that does not run here, and one that no codec needs."""
        self.assertIn("avx9 was expected", self.hunt(2, "--expect", "any,avx9"))
        self.assertIn("no codec needs 'avx99'", self.hunt(2, "--expect", "avx99"))

    def test_counts_coverage_when_it_is_resumed(self) -> None:
        """Coverage is counted if it was asked for then, or if it is asked for now."""
        for before, now in ((["--coverage"], []), ([], ["--coverage"])):
            with self.subTest(before=before):
                process = self.checkout.start("--seconds", "60", "--jobs", "1", *before, how="hasty-once")
                self.interrupt_after_a_piece(process, signal.SIGTERM, 130)
                self.assertEqual(self.checkout.summary["coverage"], [])
                self.assertIn("coverage  75.0 % of the lines", self.hunt(0, "--resume", *now, how="hasty"))
                row = self.checkout.summary["coverage"][0]
                self.assertEqual((row["file"], row["lines"], row["missed"]), ("codecs/reference/utf8.c", 4, "4"))

    def test_says_that_coverage_could_not_be_counted(self) -> None:
        """This is trouble, and a finding outweighs it; --resume counts again without fuzzing again."""
        for how, part in (("no-replay", "the coverage of decode could not be counted: its replay ended with exit code 3; see "),
                          ("no-profile", "counted nothing; the logs are in ")):
            with self.subTest(how):
                self.assert_in_order(self.hunt(2, "--coverage", how=how), "trouble", part, "could not run as asked")
        self.assert_in_order(self.hunt(1, "--coverage", how="no-profile afl-finds"), "finding", "trouble", "counted nothing", "1 finding")
        said = self.hunt(1, "--resume")
        self.assertIn("coverage  75.0 %", said)
        self.assertNotIn("fuzzing   ", said)
        (self.checkout.root / "bin/llvm-cov").unlink()
        self.assertIn("llvm-cov is not there; scripts/setup hunt installs it",
                      self.hunt(1, "--coverage", env={"PATH": f"{self.checkout.root}/bin:/nowhere"}))

    def test_emulates_for_a_plant_that_needs_it(self) -> None:
        """It emulates in a separate build, unless the user forbids it; other short hunts do not emulate."""
        said = self.hunt(0, "--plant", "broad")
        self.assert_in_order(said, "emulated  utf-8/broad: needs avx512", "building  emulated", "libfuzzer/emulated", "clean: no finding")
        self.assertIn("broad needs avx512", self.hunt(2, "--plant", "broad", env={"ASSAY_WITHOUT": "sse41,avx512"}))
        self.assertIn("broad needs avx512", self.hunt(2, "--plant", "broad", "--engine", "afl"))
        self.assertNotIn("emulated", self.hunt(0))

    def test_refuses_bad_use(self) -> None:
        """Wrong options are refused before anything is built."""
        for words, part in ((("--targets", "decode,nonsense"), "no 'nonsense'"), (("--engine", "honggfuzz"), "no 'honggfuzz'"),
                            (("--seconds", "0"), "less than 1"), (("--seconds", "x"), "invalid"), (("--nonsense",), "--nonsense"),
                            (("--jobs", "0"), "less than 1"), (("--jobs", "5000"), "5000 is more than"), (("--out", ""), "it is empty"),
                            (("--out", "a\nb"), "as text"), (("--out", os.fsdecode(b"\xff")), "as text")):
            with self.subTest(words):
                self.assertIn(part, self.hunt(2, *words))
        self.assertFalse((self.checkout.root / "build").exists())

    def test_cannot_run_without_setup_engine_or_vectors(self) -> None:
        """It stops at a failed set-up, at ASSAY_CODECS in the environment, without an engine, without vectors, and if --out is a file."""
        self.assertIn("scripts/setup says above", self.hunt(2, env={"SETUP_EXIT": "2"}))
        self.assertIn("ASSAY_CODECS is set", self.hunt(2, env={"ASSAY_CODECS": "./libmine.so"}))
        (self.checkout.root / "bin/afl-fuzz").unlink()
        self.assertIn("afl-fuzz is not there", self.hunt(2, env={"PATH": f"{self.checkout.root}/bin:/nowhere"}))
        shutil.rmtree(self.checkout.root / "vectors")
        self.assertIn("no vectors from which seeds could be made", self.hunt(2))
        self.assertIn("is not a folder", self.hunt(2, "--out", str(self.checkout.root / "CMakeLists.txt")))

    def test_ends_before_the_disk_is_full(self) -> None:
        """On a full disk, an engine would lose findings without an error."""
        triage = mock.Mock(work=self.checkout.root)
        fuzzing = Fuzzing(triage, [[Piece(Target("decode", "utf-8"), Way("afl", "afl", SHORT), 0, 1, 1)]], mock.Mock(), mock.Mock())
        with mock.patch("shutil.disk_usage", return_value=mock.Mock(free=1 << 20)):
            with self.assertRaisesRegex(CannotRun, "only 1 MiB are free"):
                fuzzing.run()
        self.assertEqual(fuzzing.jobs, [])

    @contextmanager
    def small_disk(self, size: str) -> Iterator[Path]:
        """Mounts a small file system, and unmounts it in the end."""
        folder = self.checkout.root / "disk"
        folder.mkdir(exist_ok=True)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)], stderr=subprocess.PIPE, text=True)
        if mounted.returncode != 0:
            self.skipTest(f"NOT RUN: a small file system takes root's rights ({mounted.stderr.strip()})")
        try:
            yield folder
        finally:
            subprocess.run(["umount", "-l", str(folder)], check=True)

    def test_says_that_a_disk_is_full(self) -> None:
        """The disk is real: an engine fills it, or it has no room from the start."""
        with self.small_disk("18m") as disk:
            said = self.hunt(2, "--out", str(disk / "out"), how="fills-the-disk", env={"FULL": str(disk)})
            self.assert_in_order(said, "trouble", "MiB are free", "make room (16 MiB at the least), or name another folder with --out")
        with self.small_disk("4k") as disk:
            (disk / "filling").write_bytes(bytes(4096))
            self.assert_in_order(self.hunt(2, "--out", str(disk / "out")), "No space left", "make room, or name another folder with --out")

    def test_says_what_it_has_to_read_and_write(self) -> None:
        """It names the folder that it may not write to."""
        with self.small_disk("4k") as disk:
            subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
            said = self.hunt(2, "--out", str(disk / "out"))
            self.assert_in_order(said, "Read-only file system: ", "to write into build/ there and into the folder that --out names")

    def test_another_build_replays_all_inputs(self) -> None:
        """Another build replays all inputs; known findings are not reported again."""
        program = self.checkout.root / "odd/fuzz_decode"
        self.checkout.write("odd/fuzz_decode", fake()).chmod(0o755)
        self.assertTrue(program.is_file())
        bad = self.checkout.write("out/corpus/decode/short/bad", b"!")
        self.checkout.write("out/corpus/decode/long/good", b"good")
        target = Target("decode", "utf-8")
        triage = mock.Mock(work=self.checkout.root, trees={"odd": Tree("odd", program.parent)})
        triage.options.out, triage.options.loading = self.checkout.root / "out", {}
        for known, taken in (({}, [bad]), ({KEY: None}, [])):
            triage.take.reset_mock()
            triage.store.findings = known
            replay_odd(triage, [target], 1, "")
            self.assertEqual([call.args[0] for call in triage.take.call_args_list], taken)

    def test_loses_nothing_when_it_is_killed(self) -> None:
        """The next hunt judges the inputs that an engine had saved."""
        self.hunt(0, "--seed", "4")
        work = self.checkout.root / "build/hunt/runs/000-decode-libfuzzer-short"
        self.checkout.write("build/hunt/runs/000-decode-libfuzzer-short/artifacts/0/crash-1", b"noise!")
        self.assertTrue((work / "target").is_file())
        self.checkout.write("build/hunt/state.json", b"{}")
        self.assert_is_kept(self.hunt(1))
        self.assertEqual(list((self.checkout.root / "build/hunt/unjudged").rglob("crash-*")), [])

    def test_is_alone_in_its_folder(self) -> None:
        """A second hunt in the folder is refused, because it would delete the first one's files."""
        out = self.checkout.root / "build/hunt"
        out.mkdir(parents=True)
        with (out / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertIn("another hunt is at work", self.hunt(2))
        self.assertEqual([path.name for path in out.iterdir()], ["lock"])

    def test_goes_on_when_nobody_listens(self) -> None:
        """The reader is gone, as with `| head -1`: that is no finding, and the report is written."""
        process = self.checkout.start()
        assert process.stdout is not None
        self.assertIn("seed", process.stdout.readline())
        process.stdout.close()
        self.assertEqual(process.wait(LIMIT), 0)
        self.assertEqual(self.checkout.summary["verdict"], "clean: no finding")

    def test_cares_for_any_name_of_a_folder(self) -> None:
        """The name has spaces and characters that are not ASCII, also in a locale without them."""
        for locale in ("C.UTF-8", "C"):
            with self.subTest(locale):
                out = self.checkout.root / f"it's \u00E4 {locale}"
                self.hunt(1, "--out", str(out), how="afl-finds", env={"LC_ALL": locale})
                self.assertEqual((out / "findings" / KEY / "input").read_bytes(), b"!")
                self.assertTrue(json.loads((out / "findings" / KEY / "info.json").read_text())["shown_again"])

    def test_does_not_take_its_own_mistakes_for_findings(self) -> None:
        """Python's exit code for an uncaught error is 1, the code of a finding."""
        out = self.checkout.root / "out"
        with mock.patch("hunting.hunt.carry_out", side_effect=ZeroDivisionError), mock.patch("signal.signal"), \
                mock.patch("hunting.hunt.Progress"):
            self.assertEqual(main(["--out", str(out)]), 2)
        self.assertIn("mistake in the hunt itself", (out / "report.txt").read_text())

    def test_does_not_go_on_with_what_it_cannot_read(self) -> None:
        """A damaged state file is refused."""
        state = self.checkout.write("build/hunt/state.json", b"")
        for damaged in (b"[]", b'{"format": 1, "asked": 5, "done": [], "seconds": 0}', b"\xff",
                       b'{"format": 1, "asked": {"seconds": 1, "targets": 5}, "done": [], "seconds": 0}'):
            with self.subTest(damaged):
                state.write_bytes(damaged)
                self.assertRegex(self.hunt(2, "--resume"), "cannot be read .*start a new hunt")

    # ---- 130 -------------------------------------------------------------------------------------

    def children(self, count: int) -> List[int]:
        """The processes that the fakes started, once there are `count`."""
        path = self.checkout.root / "pids"
        for _ in range(10 * LIMIT):
            pids = [int(line) for line in path.read_text().splitlines()] if path.exists() else []
            if len(pids) >= count:
                return pids
            time.sleep(0.1)
        self.fail("the fakes did not start")

    def test_ends_in_order_when_interrupted(self) -> None:
        """No child process is left, even if it ignores signals or has children; the report is written."""
        process = self.checkout.start("--seconds", "100", "--jobs", "2", how="stubborn afl-finds")
        pids = self.children(4)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=LIMIT)[0]
        self.assertEqual(process.returncode, 130, said)
        self.assertIn("interrupted", said)
        self.assertEqual(self.checkout.summary["exit_code"], 130)
        for pid in pids:
            self.assertTrue(has_ended(pid), f"{pid} still runs")

    def interrupt_after_a_piece(self, process: subprocess.Popen, number: signal.Signals, code: int) -> None:
        """Ends a hunt by a signal after one finished piece of work, and requires this exit code."""
        state = self.checkout.root / "build/hunt/state.json"
        for _ in range(10 * LIMIT):
            if state.exists() and json.loads(state.read_text())["done"]:
                break
            time.sleep(0.1)
        process.send_signal(number)
        self.assertEqual(process.wait(LIMIT), code, process.communicate()[0])
        (self.checkout.root / "pids").unlink()

    def test_goes_on_where_it_was_interrupted(self) -> None:
        """After an interruption or a kill, finished work is not repeated, and is in the report."""
        self.addCleanup(signal.signal, signal.SIGHUP, signal.signal(signal.SIGHUP, signal.SIG_DFL))  # with nohup, a hunt ignores it, too
        self.assertIn("holds no interrupted hunt", self.hunt(2, "--resume"))
        state = self.checkout.root / "build/hunt/state.json"
        for number, code in ((signal.SIGHUP, 130), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(number.name):
                process = self.checkout.start("--seconds", "60", "--jobs", "1", "--seed", "5", how="hasty-once")
                self.interrupt_after_a_piece(process, number, code)
                done, seconds = (json.loads(state.read_text())[name] for name in ("done", "seconds"))
                self.hunt(2, "--resume", how="no-build")
                self.assertEqual(self.checkout.summary["seconds"], round(seconds, 3), "what was fuzzed before it was interrupted")
                self.assertGreater(seconds, 0)
                said = self.hunt(0, "--resume", how="hasty")
                self.assert_in_order(said, "seed 5", f"resumed   {len(done)} pieces of work are done already", "clean")
                self.assertEqual(len(self.checkout.summary["jobs"]), 3)
                self.assertFalse(state.exists())


def has_ended(pid: int) -> bool:
    """True if a process has ended, even if its parent has not waited for it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


if __name__ == "__main__":
    unittest.main()
