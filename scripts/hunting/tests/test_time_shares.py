# SPDX-License-Identifier: MIT
"""Tests of the worths of targets, and of the plan of a hunt of all targets with these."""

from __future__ import annotations

import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Dict, Sequence

from hunting.plan import ENGINE_NAMES, Piece, plan
from hunting.reports.summary_text import time_by_worth
from hunting.targets import read_targets
from hunting.exits import CannotRun
from hunting.time_shares import FRESH, MAIN, REST, UTF8, as_data, changed_since, digests, from_data, remember, worths

ROOT = Path(__file__).resolve().parents[3]
TARGETS = read_targets(ROOT)


def weights(changed: Sequence[str] = (), found: Sequence[str] = ()) -> Dict[str, float]:
    """The weight of each target of this checkout."""
    return {name: worth.weight for name, worth in worths(TARGETS, set(changed), set(found)).items()}


def seconds(pieces: Sequence[Piece], target: str, engine: str = "", regime: str = "") -> float:
    """The seconds that a plan gives to a target, or to a part of its work."""
    return sum(piece.end - piece.begin for piece in pieces if piece.target.name == target and
               piece.engine in (engine or piece.engine) and piece.regime.name in (regime or piece.regime.name))


class PlanTest(unittest.TestCase):
    """A minute on two processors: four pieces of work at a time, 240 seconds in all."""

    def plan(self, changed: Sequence[str] = (), found: Sequence[str] = ()) -> Sequence[Piece]:
        """The pieces of the plan."""
        return [piece for row in plan(TARGETS, ENGINE_NAMES, 60, 2, 5, (), False, weights(changed, found)) for piece in row]

    def test_utf8_comes_first(self) -> None:
        """`decode` of UTF-8 has a sixth of the time, by both engines and in both regimes; its other claims have more than those of other
        encodings."""
        pieces = self.plan()
        self.assertGreater(seconds(pieces, "decode"), 40)
        for engine, regime, least in (("libfuzzer", "short", 10), ("libfuzzer", "long", 10), ("afl", "long", 20)):
            self.assertGreater(seconds(pieces, "decode", engine, regime), least)
        for target in TARGETS:
            if target.name != "decode":
                self.assertGreater(seconds(pieces, "decode"), 3 * seconds(pieces, target.name))
            if target.encoding != "utf-8":
                self.assertGreater(seconds(pieces, target.claim), 2 * seconds(pieces, target.name))

    def test_nobody_is_left_out(self) -> None:
        """Each target is fuzzed for as long as an engine needs to start; each encoding by both engines, on its claims one after the
        other."""
        pieces = self.plan()
        for target in TARGETS:
            self.assertGreater(seconds(pieces, target.name), 2.5)
        self.assertEqual({(piece.target.encoding, piece.engine) for piece in pieces},
                         {(target.encoding, engine) for target in TARGETS for engine in ENGINE_NAMES})

    def test_what_changed_or_found_something_comes_next(self) -> None:
        """It has as much time as the other claims about UTF-8."""
        pieces = self.plan(["cesu-8", "convert"], ["stream-wtf-8"])
        for name in ("decode-cesu-8", "convert-mutf-8", "stream-wtf-8"):
            self.assertAlmostEqual(seconds(pieces, name), seconds(pieces, "stream"), delta=2.5, msg=name)
        self.assertLess(seconds(pieces, "decode-wtf-8"), seconds(pieces, "stream") / 2)

    def test_the_report_says_how_time_was_shared(self) -> None:
        """Targets with one reason are in one part; nothing is printed if all have the same worth."""
        rows = [{"target": target.name, "weight": 1.0, "why": worths([target], set(), set())[target.name].why, "seconds": 10.0 + (target.name == "decode") * 30}
                for target in TARGETS[:25]]
        self.assertEqual(time_by_worth({"worths": rows}),
                         "decode: 14 % (UTF-8, every operation); stream, roundtrip, promises, convert: 4 % each (UTF-8); 20 targets: 4 % each (another encoding)")
        self.assertEqual(time_by_worth({"worths": rows[5:]}), "")


class ChangeTest(unittest.TestCase):
    """What changed since the hunt before."""

    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name, text in (("codecs/codecs.def", 'ENCODING(utf8, "utf-8")\nENCODING(wtf8, "wtf-8")\nCODEC(utf8, a, x/u.c, ANY)\nCODEC(wtf8, b, x/w.c, ANY)\n'),
                           ("codecs/x/u.c", '#include "own.h"\n'), ("codecs/x/w.c", '# include "../all.h"\n'), ("codecs/x/own.h", '#include "../all.h"\n#include "own.h"\n'),
                           ("codecs/all.h", "\n"), ("harnesses/fuzz/decode.c", "\n"), ("harnesses/core/claims.def", "CLAIM(decode)\nCLAIM(stream)\n")):
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.targets = read_targets(self.root)

    def changed(self, *names: str) -> Sequence[str]:
        """The names that are reported as changed if these files change."""
        remember(self.root, digests(self.root, self.targets))
        for name in names:
            path = self.root / name
            path.write_text(path.read_text() + "/* otherwise */\n")
        return sorted(changed_since(self.root, digests(self.root, self.targets)))

    def test_an_encoding_changes_with_all_that_its_codecs_include(self) -> None:
        """A claim changes with its file. If all names changed, none is reported."""
        self.assertEqual(self.changed(), [])
        self.assertEqual(self.changed("codecs/x/own.h"), ["utf-8"])
        self.assertEqual(self.changed("codecs/x/w.c"), ["wtf-8"])
        self.assertEqual(self.changed("codecs/all.h"), ["utf-8", "wtf-8"])
        self.assertEqual(self.changed("harnesses/fuzz/decode.c"), ["decode"])
        self.assertEqual(self.changed("codecs/all.h", "harnesses/fuzz/decode.c"), [])

    def test_before_the_first_hunt_nothing_has_changed(self) -> None:
        """The same if the record cannot be read. The digests of names that are not in the hunt stay."""
        now = digests(self.root, self.targets)
        self.assertEqual(changed_since(self.root, now), set())
        remember(self.root, {"utf-8": "old", "wtf-8": "old"})
        remember(self.root, {"wtf-8": now["wtf-8"]})
        self.assertEqual(changed_since(self.root, now), {"utf-8"})
        (self.root / "corpus/sources.json").write_text("[5]")
        self.assertEqual(changed_since(self.root, now), set())

    def test_a_hunt_that_goes_on_has_the_worths_that_it_had(self) -> None:
        """A hunt that cannot read them says so."""
        known = worths(self.targets, {"wtf-8"}, set())
        self.assertEqual([worth.weight for worth in known.values()], [MAIN, UTF8, FRESH, FRESH])
        self.assertEqual(from_data(as_data(known)), known)
        self.assertEqual(worths(self.targets[2:], set(), set())["decode-wtf-8"].weight, REST)
        for damaged in ([], {"a": 1}, {"a": ["b", "c"]}):
            with self.assertRaisesRegex(CannotRun, "start a new hunt"):
                from_data(damaged)  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
