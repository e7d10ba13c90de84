# SPDX-License-Identifier: MIT
"""Tests of the plan: no processor is idle, and each target and engine has its share."""

from __future__ import annotations

import unittest
from typing import Dict, List, Sequence

from hunting.plan import DEEP_SECONDS, ENGINE_NAMES, SCHEDULES, SECONDS_MIN, VARIATIONS, Piece, at_once, phases, plan, seconds_needed, trees_needed, what_is_left
from hunting.targets import Target

MANY = [Target(f"decode-{number}", "utf-8") for number in range(45)]
TARGETS = [Target(name, "utf-8") for name in ("decode", "stream", "roundtrip")]


def seconds_by(rows: Sequence[Sequence[Piece]], what: str) -> Dict[str, float]:
    """The seconds of work, by engine or by target."""
    totals: Dict[str, float] = {}
    for piece in (piece for row in rows for piece in row):
        name = piece.engine if what == "engine" else piece.target.name
        totals[name] = totals.get(name, 0.0) + piece.end - piece.begin
    return totals


class PlanTest(unittest.TestCase):
    """The plan of a hunt."""

    def assert_full(self, rows: List[List[Piece]], seconds: float) -> None:
        """Requires that each row goes from 0 to the end without a gap, in pieces that are not too short."""
        for row in rows:
            self.assertEqual(row[0].begin, 0)
            self.assertAlmostEqual(row[-1].end, seconds)
            for before, after in zip(row, row[1:]):
                self.assertAlmostEqual(before.end, after.begin)
            for piece in row:
                self.assertGreaterEqual(piece.end - piece.begin, SECONDS_MIN / 2)

    def test_keeps_every_processor_busy(self) -> None:
        """This holds for any number of processors, also for more than there are kinds of work."""
        for workers in (1, 2, 3, 4, 7, 16, 64):
            for seconds in (60, 61, 600):
                rows = plan(TARGETS, list(ENGINE_NAMES), seconds, workers, 1)
                self.assertEqual(len(rows), workers)
                self.assert_full(rows, seconds)

    def test_shares_time_fairly(self) -> None:
        """Each engine has half of the time, each of three targets a third."""
        rows = plan(TARGETS, list(ENGINE_NAMES), 60, 2, 1)
        self.assertEqual({name: round(seconds) for name, seconds in seconds_by(rows, "engine").items()},
                         {"libfuzzer": 60, "afl": 60})
        self.assertEqual(set(map(round, seconds_by(rows, "target").values())), {40})

    def test_leaves_nobody_out_of_the_shortest_hunt(self) -> None:
        """Every target is fuzzed by every engine, on any number of processors; in every regime if there is time."""
        for targets in (TARGETS, MANY):
            for workers in (1, 2, 3, 5, 8):
                seconds = seconds_needed(targets, list(ENGINE_NAMES), workers)
                rows = plan(targets, list(ENGINE_NAMES), seconds, workers, 1)
                pairs = {(piece.target.name, piece.engine) for row in rows for piece in row}
                self.assertEqual(len(pairs), len(targets) * len(ENGINE_NAMES), workers)
        names = {piece.name for row in plan(TARGETS, list(ENGINE_NAMES), 60, 2, 1) for piece in row}
        self.assertEqual(len(names), 3 * len(TARGETS))

    def test_copes_with_many_targets_in_a_minute(self) -> None:
        """On two processors a target has some regimes in turn, and others with another seed."""
        self.assertLessEqual(seconds_needed(MANY, list(ENGINE_NAMES), 2), 60)
        self.assertEqual([at_once(MANY, ENGINE_NAMES, seconds, 2) for seconds in (30, 60, 600)], [8, 4, 2])
        self.assertEqual(at_once(TARGETS, ENGINE_NAMES, 1, 16), 16)
        names = [{piece.name for row in plan(MANY, list(ENGINE_NAMES), 60, 2, seed) for piece in row} for seed in (1, 2)]
        self.assertEqual(len(names[0]), 2 * len(MANY))
        self.assertNotEqual(names[0], names[1])

    def test_a_long_hunt_explores_before_it_sanitizes(self) -> None:
        """All pieces of the first part come before those of the second; there are more builds, and some pieces have fewer instruction
        sets."""
        self.assertEqual(len(trees_needed(ENGINE_NAMES, DEEP_SECONDS - 1)), 2)
        self.assertEqual(set(trees_needed(ENGINE_NAMES, DEEP_SECONDS)), {"fast", "afl", "cmplog", "libfuzzer", "msan"})
        rows = plan(MANY, list(ENGINE_NAMES), 3600, 2, 1, ["avx2", "avx512"])
        turn = 3600 * phases(ENGINE_NAMES, 3600)[0][0]
        for piece in (piece for row in rows for piece in row):
            self.assertEqual(piece.way.tree in ("libfuzzer", "msan") or piece.way.engine == "afl" and piece.regime.name == "short",
                             piece.begin >= turn - 0.001, piece)
        self.assertEqual({piece.without for row in rows for piece in row}, {"", "avx2", "avx512", "avx2,avx512"})
        self.assertEqual({piece.without for row in plan(MANY, list(ENGINE_NAMES), 60, 2, 1, ["avx2"]) for piece in row}, {""})

    def test_instances_of_afl_differ_in_a_long_hunt(self) -> None:
        """Each variation applies to about the recommended share; in a short hunt the instances differ by their schedules only."""
        long, short = ([piece for row in plan(MANY, list(ENGINE_NAMES), seconds, 2, 1) for piece in row] for seconds in (7200, 60))
        self.assertEqual({piece.variations for piece in [*short, *(piece for piece in long if piece.engine != "afl")]}, {()})
        instances = [piece for piece in long if piece.engine == "afl"]
        for name, share in VARIATIONS.items():
            self.assertAlmostEqual(sum(name in piece.variations for piece in instances) / len(instances), share, delta=0.1)
        self.assertEqual({piece.schedule for piece in instances}, set(SCHEDULES))

    def test_what_the_cpu_lacks_is_emulated_in_the_last_part(self) -> None:
        """Emulation is slow, so it starts from the inputs that other pieces found."""
        for seconds in (30, 3600):
            trees = [{piece.way.tree for row in plan(TARGETS, list(ENGINE_NAMES), seconds, 2, 1, (), emulates) for piece in row}
                     for emulates in (False, True)]
            self.assertEqual(trees[1] - trees[0], {"emulated"})
            self.assertEqual(trees[0] - trees[1], {"libfuzzer"} if seconds == 30 else set())
            self.assertEqual(trees[1] | {"cmplog"}, set(trees_needed(ENGINE_NAMES, seconds, True)) | {"cmplog"})
        rows = plan(TARGETS, list(ENGINE_NAMES), 3600, 2, 1, (), True)
        turn = 3600 * phases(ENGINE_NAMES, 3600, True)[0][0]
        self.assertGreaterEqual(min(piece.begin for row in rows for piece in row if piece.way.tree == "emulated"), turn - 0.001)

    def test_what_is_left_begins_at_once(self) -> None:
        """Finished pieces are removed, the others move up."""
        rows = plan(TARGETS, list(ENGINE_NAMES), 60, 2, 1)
        done = [rows[0][0].number, *(piece.number for piece in rows[1])]
        left = what_is_left(rows, done)
        self.assertEqual([piece.number for piece in left[0]], [piece.number for piece in rows[0][1:]])
        self.assertEqual((len(left), left[0][0].begin), (1, 0.0))

    def test_gives_each_piece_a_seed_of_its_own(self) -> None:
        """The seed is never 0, which engines take as a request for a random one; it is the same for the same seed of the hunt."""
        rows = plan(TARGETS, list(ENGINE_NAMES), 60, 16, 0x7FFFFFFF)
        seeds = [piece.seed for row in rows for piece in row]
        self.assertEqual(len(set(seeds)), len(seeds))
        self.assertTrue(all(0 < seed < 1 << 31 for seed in seeds))
        self.assertEqual(rows, plan(TARGETS, list(ENGINE_NAMES), 60, 16, 0x7FFFFFFF))
        self.assertNotEqual(rows, plan(TARGETS, list(ENGINE_NAMES), 60, 16, 1))


if __name__ == "__main__":
    unittest.main()
