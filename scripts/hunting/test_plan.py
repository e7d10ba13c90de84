# SPDX-License-Identifier: MIT
"""The plan: every processor busy all the time, every target and engine with its share."""

from __future__ import annotations

import unittest
from typing import Dict, List, Sequence

from hunting.plan import ENGINES, SECONDS_MIN, Piece, plan, seconds_needed
from hunting.targets import Target

TARGETS = [Target(name, "utf-8") for name in ("decode", "stream", "roundtrip")]


def seconds_by(rows: Sequence[Sequence[Piece]], what: str) -> Dict[str, float]:
    """Seconds of work by a piece's engine or target."""
    totals: Dict[str, float] = {}
    for piece in (piece for row in rows for piece in row):
        name = piece.engine if what == "engine" else piece.target.name
        totals[name] = totals.get(name, 0.0) + piece.end - piece.begin
    return totals


class PlanTest(unittest.TestCase):
    """Work laid over processors."""

    def assert_full(self, rows: List[List[Piece]], seconds: float) -> None:
        """Each row goes from 0 to the end without a gap, in pieces worth their start."""
        for row in rows:
            self.assertEqual(row[0].begin, 0)
            self.assertAlmostEqual(row[-1].end, seconds)
            for before, after in zip(row, row[1:]):
                self.assertAlmostEqual(before.end, after.begin)
            for piece in row:
                self.assertGreaterEqual(piece.end - piece.begin, SECONDS_MIN / 2)

    def test_keeps_every_processor_busy(self) -> None:
        """For any number of processors, also more than there is kinds of work."""
        for workers in (1, 2, 3, 4, 7, 16, 64):
            for seconds in (60, 61, 600):
                rows = plan(TARGETS, list(ENGINES), seconds, workers, 1)
                self.assertEqual(len(rows), workers)
                self.assert_full(rows, seconds)

    def test_shares_time_fairly(self) -> None:
        """Half the time for each engine, a third for each target."""
        rows = plan(TARGETS, list(ENGINES), 60, 2, 1)
        self.assertEqual({name: round(seconds) for name, seconds in seconds_by(rows, "engine").items()},
                         {"libfuzzer": 60, "afl": 60})
        self.assertEqual(set(map(round, seconds_by(rows, "target").values())), {40})

    def test_leaves_nobody_out_of_the_shortest_hunt(self) -> None:
        """All targets by all engines by all regimes, on any number of processors."""
        for workers in (1, 2, 3, 5, 8):
            seconds = seconds_needed(TARGETS, list(ENGINES), workers)
            rows = plan(TARGETS, list(ENGINES), seconds, workers, 1)
            names = {piece.name for row in rows for piece in row}
            self.assertEqual(len(names), len(TARGETS) * sum(map(len, ENGINES.values())), workers)

    def test_gives_each_piece_a_seed_of_its_own(self) -> None:
        """Never 0, which engines take for `by chance`; the same for the same seed."""
        rows = plan(TARGETS, list(ENGINES), 60, 16, 0x7FFFFFFF)
        seeds = [piece.seed for row in rows for piece in row]
        self.assertEqual(len(set(seeds)), len(seeds))
        self.assertTrue(all(0 < seed < 1 << 31 for seed in seeds))
        self.assertEqual(rows, plan(TARGETS, list(ENGINES), 60, 16, 0x7FFFFFFF))
        self.assertNotEqual(rows, plan(TARGETS, list(ENGINES), 60, 16, 1))


if __name__ == "__main__":
    unittest.main()
