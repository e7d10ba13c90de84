# SPDX-License-Identifier: MIT
"""Tests of AFL++ across machines, by two instances on one: each gets the inputs of the other."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import time
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

from unittest import mock

from hunting.engines.afl import Afl, hand_over
from hunting.engines.engine import Material
from hunting.farm import copy_new, exchange, main
from hunting.fuzzing import ENGINES, EXCHANGE_SECONDS, Job
from hunting.plan import LONG, Piece, Way
from hunting.targets import Target

FARM = Path(__file__).resolve().parents[1] / "farm.py"


def piece(compares: bool = False, *variations: str) -> Piece:
    """A piece of work for AFL++."""
    return Piece(Target("decode", "utf-8"), Way("afl", "afl", LONG, compares), 0, 100, 1, variations=variations)


class SecondaryTest(unittest.TestCase):
    """An instance of AFL++ among others, and together with libFuzzer."""

    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.material = Material(Path("fuzz"), [], None, self.folder, Path("mutator.so"), self.folder / "corpus", Path("cmplog"))
        self.material.corpus.mkdir()

    def test_is_handed_what_libfuzzer_finds(self) -> None:
        """New inputs are numbered in order, by which AFL++ knows what it has read; none twice, and none half written."""
        queue = self.folder / "sync/libfuzzer/queue"
        for name in ("b", ".new"):
            (self.material.corpus / name).write_text(name)
        Afl().exchange(self.material)
        (self.material.corpus / "a").write_text("a")
        Afl().exchange(self.material)
        self.assertEqual({path.name: path.read_text() for path in queue.iterdir()}, {"id:000000,src:b": "b", "id:000001,src:a": "a"})
        (self.material.corpus / "c").symlink_to("nowhere")
        hand_over(self.material.corpus, queue)
        self.assertEqual(len(list(queue.iterdir())), 2)

    def test_gives_back_what_is_its_own_and_new(self) -> None:
        """An input is written once, because libFuzzer would read a file that is written again."""
        queue = self.folder / "sync/default/queue"
        queue.mkdir(parents=True)
        (queue / "id:000000,time:0,orig:seed").write_text("seed")
        (queue / "id:000001,src:000000,op:havoc").write_text("find")
        seen = []
        for _ in range(2):
            Afl().give_back(self.material)
            seen.append([(path.read_text(), path.stat().st_mtime_ns, path.stat().st_ino) for path in self.material.corpus.iterdir()])
        self.assertEqual(seen[0], seen[1])
        self.assertEqual([content for content, *_ in seen[0]], ["find"])

    def test_exchanges_while_it_is_at_work(self) -> None:
        """Inputs are exchanged each minute; a run that has just begun has all inputs."""
        engine = mock.Mock()
        with mock.patch.dict(ENGINES, {"afl": engine}), mock.patch("time.monotonic", return_value=1000.0) as clock:
            job = Job(piece(), self.material, exchanged=1000.0)
            job.exchange()
            engine.exchange.assert_not_called()
            clock.return_value += EXCHANGE_SECONDS + 1
            job.exchange()
            job.exchange()
        engine.exchange.assert_called_once_with(self.material)

    def test_differs_from_others_as_their_documentation_says(self) -> None:
        """With CmpLog it follows transformations. MOpt is not used: with some schedules it executes nothing (AFL++ 4.04)."""
        plain, other = (Afl().command(way, self.material, 100, 0) for way in (piece(), piece(True, "in-order", "untrimmed")))
        self.assertFalse({"-L", "-Z", "-c", "-S"} & set(plain))
        self.assertNotIn("-L", other)
        for words in ("-Z", "-c cmplog -l 2AT"):
            self.assertIn(f" {words} ", f" {' '.join(other)} ")
        self.assertIn(" -S one ", " ".join(Afl("one").command(piece(), self.material, 100, 0)))
        environments = [Afl().environment(way, self.material) for way in (piece(), piece(False, "untrimmed"))]
        self.assertEqual(["AFL_CUSTOM_MUTATOR_LIBRARY" in environment for environment in environments], [True, True])
        self.assertEqual([environment.get("AFL_DISABLE_TRIM") for environment in environments], [None, "1"])


class FarmTest(unittest.TestCase):
    """The exchange."""

    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_each_gets_what_the_others_found_and_nothing_of_its_own(self) -> None:
        """Inputs are exchanged by a folder; existing files are not changed."""
        for name in ("one", "two"):
            (self.folder / name / "sync" / name / "queue").mkdir(parents=True)
            (self.folder / name / "sync" / name / "queue" / f"id:{name}").write_bytes(name.encode())
        place = self.folder / "place"
        place.mkdir()
        for name in ("one", "two", "one"):
            exchange(self.folder / name / "sync", name, str(place))
        self.assertEqual((self.folder / "one/sync/two/queue/id:two").read_bytes(), b"two")
        self.assertEqual((self.folder / "two/sync/one/queue/id:one").read_bytes(), b"one")
        self.assertEqual(sorted(path.name for path in (self.folder / "one/sync").iterdir()), ["one", "two"])
        (place / "two/queue/id:two").write_bytes(b"changed")
        copy_new(place / "two/queue", self.folder / "one/sync/two/queue")
        self.assertEqual((self.folder / "one/sync/two/queue/id:two").read_bytes(), b"two")

    def test_is_given_a_seed(self) -> None:
        """The seed that it prints gives the same schedule, variations and random numbers."""
        printed, asked = set(), set()
        for _ in range(2):
            said = io.StringIO()
            with mock.patch("hunting.farm.build"), mock.patch("hunting.farm.start", side_effect=OSError("not today")) as start, \
                 redirect_stdout(said), redirect_stderr(io.StringIO()):
                self.assertEqual(main(["--name", "one", "--exchange", str(self.folder / "place"), "--out", str(self.folder / "one"), "--seed", "7"]), 2)
            printed.add(said.getvalue())
            asked.add(tuple(start.call_args[0][0]))
        self.assertEqual((len(printed), len(asked)), (1, 1))
        self.assertTrue(printed.pop().startswith("one: seed 7, "))
        self.assertIn(" -s 7 ", " ".join(asked.pop()))

    @unittest.skipUnless(shutil.which("afl-fuzz") and os.environ.get("ASSAY_AFL"), "NOT RUN: ASSAY_AFL is not set, or there is no afl-fuzz")
    def test_takes_in_what_libfuzzer_finds(self) -> None:
        """AFL++ records how many inputs of that queue it has executed; and its own inputs are given back."""
        corpus = self.folder / "corpus"
        corpus.mkdir()
        for number in range(3):
            (corpus / str(number)).write_bytes(b"\xF4\x8F\xBF\xBF" * (1000 + number))
        said = subprocess.run([sys.executable, "-B", str(FARM), "--name", "one", "--exchange", str(self.folder / "place"), "--seconds", "150",
                               "--every", "5", "--cmplog", "--corpus", str(corpus), "--out", str(self.folder / "one")],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900)
        self.assertEqual(said.returncode, 0, said.stdout)
        self.assertRegex(said.stdout, r"one: seed \d+, .* cmplog\n")
        count = int.from_bytes((self.folder / "one/sync/one/.synced/libfuzzer").read_bytes(), sys.byteorder)
        self.assertGreaterEqual(count, 3)
        self.assertGreater(len(list(corpus.iterdir())), 3)

    @unittest.skipUnless(shutil.which("afl-fuzz") and os.environ.get("ASSAY_AFL"), "NOT RUN: ASSAY_AFL is not set, or there is no afl-fuzz")
    def test_two_instances_on_one_machine(self) -> None:
        """Both fuzz, and both read the inputs of the other."""
        place = self.folder / "place"
        started = []
        for name in ("one", "two"):
            started.append(subprocess.Popen([sys.executable, "-B", str(FARM), "--name", name, "--exchange", str(place), "--seconds", "30",
                                             "--every", "5", "--out", str(self.folder / name)], stdout=subprocess.PIPE,
                                            stderr=subprocess.STDOUT, text=True))
            if name == "one":  # both build in the same folder
                while not (self.folder / "one/sync/one/queue").is_dir() and started[0].poll() is None:
                    time.sleep(0.2)
        said = [process.communicate(timeout=600)[0] for process in started]
        for process, words in zip(started, said):
            self.assertEqual(process.returncode, 0, words)
            self.assertRegex(words, r"\d+ executions, \d+ inputs")
        for name, other in (("one", "two"), ("two", "one")):
            self.assertTrue(any((self.folder / name / "sync" / other / "queue").glob("id:*")))


if __name__ == "__main__":
    unittest.main()
