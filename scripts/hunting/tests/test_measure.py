# SPDX-License-Identifier: MIT
"""Tests of the measurements: the table of the mutator, of whole hunts, of rates."""

from __future__ import annotations

import io
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Dict, List, Optional
from unittest import mock

from hunting.exits import CannotRun
from hunting.plan import LONG, Piece, Way
from hunting.studies import exhibits, measure, rate
from hunting.studies.exhibits import Attempt, Exhibit
from hunting.studies.measure import Result, Trial, median, table
from hunting.studies.plants import finds_of, row
from hunting.targets import Plant, Target

PLANT = Plant("edge", "utf-8", "ANY", "decode", b"x" * 65)


def found(codec: Optional[str], second: int, size: int) -> Dict[str, Any]:
    """A finding as it is in a summary."""
    return {"key": f"utf8-decode-{codec or 'not-again'}-verdict", "codec": codec, "found_at": f"2026-01-02T03:00:{second:02}+00:00",
            "found_by": "afl, long", "bytes": size, "shown_again": size < 90}


class PlantsTableTest(unittest.TestCase):
    """The table of whole hunts."""

    def test_only_its_own_name_is_a_hit(self) -> None:
        """The best finding of each hunt counts; findings without a codec are known by their keys."""
        summaries = [[found("edge", 9, 99), found("edge", 5, 65)], [found("other", 1, 1)], [found(None, 2, 2), found("edge", 3, 70)]]
        hunts = [finds_of(PLANT, {"began": "2026-01-02T03:00:00+00:00", "findings": findings}) for findings in summaries]
        self.assertEqual(row(PLANT, hunts), "| edge | 2 of 3 | 4 | afl, long | 65 of 65 | 2 of 3 |")
        self.assertEqual(row(PLANT, [[]]), "| edge | 0 of 1 |  |  |  |  |")
        dead = {**found(None, 3, 2), "key": "utf8-decode-edge-segv"}
        self.assertIn("1 of 1", row(PLANT, [finds_of(PLANT, {"began": "2026-01-02T03:00:00+00:00", "findings": [dead]})]))


class ExhibitsTest(unittest.TestCase):
    """The list of exhibits that the fuzzers find. A real fuzzer finds one in a test of the preset fuzz."""

    EXHIBIT = Exhibit("bom-twice", "utf-8")

    def row_of(self, *attempts: Attempt) -> str:
        """The row of these attempts."""
        return exhibits.row("afl", self.EXHIBIT, attempts)

    def test_a_median_needs_more_hits_than_misses(self) -> None:
        """An attempt without a hit counts as longer than all others, however few executions it made."""
        hit, missed = Attempt(2000, 1.5, "decode, short"), Attempt(900)
        self.assertEqual(self.row_of(hit, hit, missed), 'FUZZED(afl, "bom-twice", "utf-8", 2, 3, 2000, 1500, "decode, short")')
        self.assertEqual(self.row_of(hit, missed), 'FUZZED(afl, "bom-twice", "utf-8", 1, 2, 0, 0, "decode, short")')
        self.assertEqual(self.row_of(missed), 'FUZZED(afl, "bom-twice", "utf-8", 0, 1, 0, 0, "")')

    def attempt_with(self, results: List[Result], crashes: List[Path]) -> Attempt:
        """An attempt in which the parts have these results."""
        targets = [Target("decode", "utf-8"), Target("stream", "utf-8")]
        engine = mock.Mock(crashes=lambda folder: crashes)
        with mock.patch.object(exhibits, "fuzz_from_nothing", side_effect=results), mock.patch.dict(exhibits.ENGINES, {"libfuzzer": engine}):
            return exhibits.attempt(self.EXHIBIT, targets, "libfuzzer", 1, 20, Path("nowhere"))

    def test_an_attempt_ends_at_its_first_hit(self) -> None:
        """Its time is that of the parts before, and its own; an input that took too long is no hit."""
        parts = [Result(None, 100), Result(None, 50), Result(0.5, 7)]
        self.assertEqual(self.attempt_with(parts, [Path("artifacts/0/crash-1")]), Attempt(157, 10.5, "decode, long"))
        self.assertEqual(self.attempt_with([Result(2.0, 10)] * 4, [Path("artifacts/0/timeout-1")]), Attempt(40))

    def test_a_seed_that_crashes_is_a_hit(self) -> None:
        """AFL++ then refuses to begin; any other refusal ends the measurement."""
        piece = Piece(Target("decode", "utf-8"), Way("afl", "afl", LONG), 0, 4, 1)
        for refusal, executions in (("We need at least one valid input seed that does not crash!", 1), ("Fork server crashed", None)):
            engine = mock.Mock(environment=lambda piece, material: {}, crashes=lambda folder: [], refusal=lambda code, log, crashed, words=refusal: words)
            with TemporaryDirectory() as folder, mock.patch.dict(measure.ENGINES, {"afl": engine}), mock.patch.object(measure, "stop"), \
                 mock.patch.object(measure, "said", return_value=""), mock.patch.object(measure, "start"):
                if executions is None:
                    with self.assertRaises(CannotRun):
                        measure.fuzz_from_nothing(piece, Path("fuzz_decode"), None, {}, Path(folder) / "run")
                else:
                    result = measure.fuzz_from_nothing(piece, Path("fuzz_decode"), None, {}, Path(folder) / "run")
                    self.assertEqual((result.executions, result.seconds is None), (executions, False))

    def test_what_a_standstill_cut_short_is_repeated(self) -> None:
        """The clock shows it: an engine ends by the clock, too."""
        with mock.patch.object(exhibits.time, "monotonic", side_effect=[0, 100, 200, 205, 300, 305, 400, 405, 500, 505]):
            self.assertEqual(self.attempt_with([Result(None, 1)] + [Result(None, 10)] * 4, []), Attempt(40))


class MeasureTest(unittest.TestCase):
    """The table of the mutator, and that of rates."""

    def test_what_was_not_found_counts_as_more_than_the_cap(self) -> None:
        """Otherwise a median would look better than it is."""
        found, missed = Result(1.5, 2000), Result(None, 90000)
        self.assertEqual(median([found, found, missed], 30), ("1.50", "2.0 k"))
        self.assertEqual(median([found, missed, missed], 30), ("> 30", "> 90.0 k"))

    def test_the_table_has_a_row_for_each_plant(self) -> None:
        """A row has the results with and without the mutator."""
        outcome = [(Trial(PLANT, 1, True), Result(0.25, 100)), (Trial(PLANT, 1, False), Result(None, 500))]
        self.assertEqual(table([PLANT], outcome, 9)[2], "| edge | 65 | 1 of 1 | 0.25 | 100 | 0 of 1 | > 9 | > 500 |")

    def test_a_plant_that_does_not_run_here_is_not_missed(self) -> None:
        """Its row says that it cannot run here, and the exit code is that of an incomplete measurement."""
        said, complaint = io.StringIO(), io.StringIO()
        wide = Plant("wide", "utf-8", "avx512", "decode", b"x" * 64)
        with mock.patch.object(measure, "read_plants", return_value=[PLANT, wide]), \
             mock.patch.object(measure, "build"), mock.patch.object(measure, "attempt", return_value=Result(0.25, 100)), \
             mock.patch.object(measure, "codecs", return_value=[{"encoding": "utf-8", "codec": "edge", "runs": True, "emulated": False},
                                                                {"encoding": "utf-8", "codec": "wide", "runs": False, "emulated": False}]), \
             redirect_stdout(said), redirect_stderr(complaint):
            code = measure.main(["--seeds", "1", "--cap", "9"])
        self.assertEqual(said.getvalue().splitlines()[2:], ["| edge | 65 | 1 of 1 | 0.25 | 100 | 1 of 1 | 0.25 | 100 |",
                         "| wide | 64 | needs avx512, cannot run here |  |  | needs avx512, cannot run here |  |  |"])
        self.assertEqual((code, complaint.getvalue()), (2, "measure: wide needs avx512 and does not run here\n"))

    def test_a_rate_is_by_the_second_and_by_that_of_the_processor(self) -> None:
        """The rate of a program that never ran is 0."""
        self.assertEqual(str(rate.Rate(3000, 2.0, 1.5)), "1.5 k/s, 2.0 k a second of processor time")
        self.assertEqual(rate.Rate().by_processor, 0.0)

    def test_the_table_of_rates_has_a_row_for_each_target(self) -> None:
        """Each target has a row, fast or slow."""
        rates = {"decode": rate.Rate(600000, 2.5, 2.0), "stream-wtf-8": rate.Rate(100, 2.0, 1.0)}
        self.assertEqual(rate.table(rates)[2:], ["| decode | 300.0 k |", "| stream-wtf-8 | 100 |"])


if __name__ == "__main__":
    unittest.main()
