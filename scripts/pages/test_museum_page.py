# SPDX-License-Identifier: MIT
"""The museum page shows the cells of a matrix, counts survivors again, and refuses other input."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

from pages.test_damage_page import Balance, can_import, lost_sections

SCRIPT = Path(__file__).resolve().parents[1] / "museum-page"


def cell(fate: str, cases: int = 0, by: str = "") -> Dict[str, Any]:
    """A cell."""
    return {"fate": fate, "cases": cases, "seconds": 0.5, "by": by, "field": "verdict" if by else ""}


def report() -> Dict[str, Any]:
    """A matrix of three columns: an exhibit that all kill, and one that only a theorem refutes."""
    columns = [{"name": name, "group": group, "sentence": f"{name} <of> all", "asked": 2, "killed": 1, "median_cases": 20000, "seconds": 1.0}
               for name, group in (("vectors", "vectors"), ("strings", "enumeration"), ("texts", "proof"))]
    rows = [{"name": "dies", "encoding": "utf-8", "sentence": "takes <C0>", "origin": "somebody#1", "survives": False,
             "cells": {"vectors": cell("killed", 3, "utf-8/overlong"), "strings": cell("killed", 20000, "validate"), "texts": cell("killed", 7, "why")}},
            {"name": "lives", "encoding": "wtf-8", "sentence": "lives on", "origin": None, "survives": True,
             "cells": {"vectors": cell("survived", 9), "strings": cell("not asked"), "texts": cell("killed", 7, "why")}}]
    made = {"version": "1.2.3", "commit": "abc1234", "date": "2026-01-02T03:04:05Z", "command": ["assay", "museum", "<a b>"]}
    return {"made": made, "stride": 101, "fuzzing": None, "seconds": 12.0, "columns": columns, "exhibits": rows}


def make(matrix: Any) -> subprocess.CompletedProcess[str]:
    """Runs the script; standard output is the page."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        done = subprocess.run([sys.executable, str(SCRIPT), "-", str(page)], input=json.dumps(matrix), text=True, check=False, capture_output=True)
        done.stdout += page.read_text(encoding="utf-8") if page.exists() else ""
    return done


@unittest.skipUnless(can_import("jinja2"), "python3-jinja2 is not installed")
class MuseumPageTest(unittest.TestCase):
    """Pages of an invented matrix."""

    def test_shows_cells_and_survivors(self) -> None:
        """The number of answers, the reason in the title; text is escaped; the page loads nothing else."""
        done = make(report())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for said in ('title="killed by answer 3 in 0.50 s: utf-8/overlong verdict" class="kill"', ">20k</td>", ">alive</td>", "takes &lt;C0&gt;",
                     "The vectors alone kill 1", "Vectors and enumeration together miss 1.", "<code>lives</code> of wtf-8",
                     "utf8-assay 1.2.3, commit abc1234, on 2026-01-02 03:04:05 UTC: <code class=\"command\">assay museum &#39;&lt;a b&gt;&#39;</code>"):
            self.assertIn(said, done.stdout)
        balance = Balance()
        balance.feed(done.stdout)
        self.assertEqual((balance.open, balance.outside, lost_sections(done.stdout)), ([], [], []))

    def test_shows_fuzzers(self) -> None:
        """Attempts that found the mistake, and the medians if they are known; when and where it was measured."""
        matrix = report()
        matrix["fuzzing"] = {"date": "2026-01-02", "processor": "A <fast> one", "seconds_max": 12}
        matrix["columns"].append({"name": "afl", "group": "fuzzing", "sentence": "AFL++", "asked": 2, "killed": 1, "median_cases": 325, "seconds": 1.0})
        cells: List[Dict[str, Any]] = [{"fate": "killed", "hits": 10, "cases": 325, "seconds": 0.5}, {"fate": "killed", "hits": 3, "cases": None, "seconds": None}]
        for row, fuzzed in zip(matrix["exhibits"], cells):
            row["cells"]["afl"] = {**fuzzed, "seeds": 10, "by": "decode, short", "field": ""}
        done = make(matrix)
        for said in ('title="found in 10 of 10 attempts; medians 325 executions, 0.50 s; most often by decode, short" class="kill"', ">10/10</td>",
                     'title="found in 3 of 10 attempts; no median is known; most often by decode, short" class="kill"', ">3/10</td>",
                     "on a processor that calls itself A &lt;fast&gt; one", "at most 12 s", ">fuzzing</th>"):
            self.assertIn(said, done.stdout)
        self.assertIn("Nothing was fuzzed.", make(report()).stdout)

    def test_refuses_what_contradicts_itself(self) -> None:
        """A survivor that is not named as one, no exhibits, another report, an unknown fate."""
        contradicting, empty, unknown = report(), report(), report()
        contradicting["exhibits"][1]["survives"] = False
        empty["exhibits"] = []
        unknown["exhibits"][0]["cells"]["texts"]["fate"] = "ran away"
        for matrix in (contradicting, empty, unknown, {}, []):
            done = make(matrix)
            self.assertEqual((done.returncode, done.stdout), (2, ""), matrix)
            self.assertRegex(done.stderr, r"\Amuseum-page: [^\n]+\n\Z")


if __name__ == "__main__":
    unittest.main()
