# SPDX-License-Identifier: MIT
"""The throughput page shows the figures of a report, and refuses other input."""

from __future__ import annotations

import json
import re
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

from pages.test_damage_page import Balance, can_draw, lost_sections, run_script


def cell(size: str, strings: int, limit: str, **times: float) -> Dict[str, Any]:
    """A cell of 1000 bytes."""
    kinds = {"mine": "codec", "theirs": "peer", limit: "limit"}
    runners = [{"name": name, "kind": kinds[name], "minimum_ns": time, "median_ns": time, "samples": 5} for name, time in times.items()]
    return {"operation": "validate", "text": "<ascii>", "size": size, "bytes": 1000, "strings": strings, "runners": runners}


def page_of(cells: List[Dict[str, Any]]) -> str:
    """Runs the script on a report; returns the page."""
    report = {"assay_bench": 1, "version": "0", "encoding": "utf-8", "seed": 1, "cells": cells,
              "machine": {"processor": "a <processor>", "ghz": 3.5, "compiler": "12"}}
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        done = run_script("bench-page", "-", page, text=json.dumps(report))
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return page.read_text(encoding="utf-8")


@unittest.skipUnless(can_draw(), "no matplotlib or no Jinja2")
class BenchPageTest(unittest.TestCase):
    """Pages of an invented report."""

    def test_shows_rates_times_and_ratios(self) -> None:
        """GB/s of long strings, ns of short ones; the page loads nothing else, and each element is closed."""
        wrong = {"name": "theirs", "kind": "peer", "differs": True}
        cells = [cell("1K", 1, "load", mine=100, theirs=250, load=50), cell("1..64", 40, "call", mine=200, theirs=400, call=80),
                 cell("4K", 1, "load", mine=100, load=50), cell("16K", 1, "load", mine=100, load=50)]
        cells[2]["runners"].append(wrong)
        cells[3]["runners"][0]["samples"] = 4
        cells.append(cell("2K", 1, "load", mine=100, theirs=250, load=50))
        cells[4]["runners"][0]["noisy"] = True
        text = page_of(cells)
        for said in ('<td>2.50</td><td>0.50</td><td class="best">10.00</td><td>4.00</td><td>20.00</td>', '<td>2.00</td><td>0.40</td><td class="best">5.0</td>',
                     "<td>noisy</td>", 'style="--heat: 0.66" title="mine beside theirs">2.50</td>',
                     "validate of &lt;ascii&gt;, by length", "a &lt;processor&gt;, 3.50 GHz", "best of at least 4 turns"):
            self.assertIn(said, text)
        balance = Balance()
        balance.feed(text)
        self.assertEqual((balance.open, balance.outside, lost_sections(text)), ([], [], []))
        slower = page_of([cell("1K", 1, "load", mine=250, theirs=100, load=50)])
        self.assertIn('class="slower" style="--heat: 0.66"', slower)
        both = page_of([{**cell("1K", 1, "load", mine=250, theirs=100), "text": "one"}, {**cell("1K", 1, "load", mine=100, theirs=300), "text": "two"},
                        {**cell("1K", 1, "load", mine=100, theirs=200), "text": "three"}, cell("4K", 1, "load", mine=9)])
        self.assertRegex(both, r'--heat: 0.66">0.40</td><td class="total faster" style="--heat: 0.50">2.00</td><td>mine 2/3</td>')
        self.assertIn("No peer was measured for validate, 4K.", both)
        self.assertFalse("A cell is empty" in slower)
        noisy = cell("4K", 1, "load", mine=9, theirs=9)
        noisy["runners"][0]["noisy"] = True
        some = page_of([cell("1K", 1, "load", mine=1, theirs=9), noisy])
        self.assertIn("Other processes disturbed all texts of\nvalidate, 4K.", some)
        self.assertFalse("No peer was measured" in some)
        self.assertIn("A cell is empty", page_of([{**cell("1K", 1, "load", mine=1, theirs=9), "text": "one"}, {**noisy, "size": "1K", "text": "two"}]))
        self.assertNotIn('id="summary"', page_of([cell("1K", 1, "load", mine=100, load=50)]))

    def test_axes_are_labelled_however_near_the_figures_are(self) -> None:
        """Labels enclose the figures of one size and one text."""
        for times, labels in (({"mine": 130, "theirs": 150, "load": 120}, ["5", "10"]), ({"mine": 100, "load": 100}, ["10"]),
                              ({"mine": 10.000000000000002, "load": 10.000000000000002}, ["50", "100"]),  # the greatest double below 100
                              ({"mine": 3000, "load": 900}, ["0.2", "0.5", "1", "2"]),
                              ({"mine": 5000, "load": 3}, ["0.2", "0.5", "1", "2", "5", "10", "20", "100", "500"]),
                              ({"mine": 900000, "load": 30}, ["0.001", "0.01", "0.1", "1", "2", "10", "50"])):
            text = page_of([cell("1K", 1, "load", **times)])
            self.assertEqual(re.findall(r">([0-9.]+)</text>", text), labels)
        untimed = {"runners": [{"name": "mine", "kind": "codec", "differs": True}]}
        without = page_of([{**cell(size, 1, "load"), **untimed} for size in ("1K", "4K", "16K")])
        self.assertIn("validate of &lt;ascii&gt;, by length", without)
        self.assertEqual((without.count("<svg"), without.count("No figure to draw: ")), (0, 4))

    def test_says_how_much_was_refused(self) -> None:
        """Above all else; a plot that would be empty is a sentence, and one with a figure is drawn."""
        cells = [cell(size, 1, "load", mine=100, theirs=250, load=50) for size in ("1K", "4K")]
        self.assertNotIn("refused", page_of(cells))
        for runner in cells[0]["runners"]:
            runner["noisy"] = True
        cells[1]["runners"][1]["noisy"] = True
        text = page_of(cells)
        self.assertRegex(text, r"(?s)best of at least 5 turns.*<b>4 of 6 figures are refused</b>, because other processes disturbed them. Measure again.*<nav")
        self.assertEqual((text.count("<svg"), text.count("No figure to draw: ")), (1, 1))
        cells[0]["runners"][0].pop("noisy")
        self.assertNotIn("Measure again", page_of(cells))

    def test_a_name_is_no_markup(self) -> None:
        """A text is called as its file is."""
        text = page_of([{**cell(size, 1, "load", mine=100, load=50), "text": '@a"><b>.txt'} for size in ("1K", "4K", "16K")])
        self.assertIn('aria-label="validate of @a&quot;&gt;&lt;b&gt;.txt by length"', text)
        self.assertNotIn("<b>.txt", text)

    def test_refuses_what_is_no_report(self) -> None:
        """Exit code 2, one line with the reason, and the old page stays."""
        with tempfile.TemporaryDirectory() as folder:
            old = Path(folder) / "page.html"
            old.write_text("old", "ascii")
            for content in ("", "[]", "{}", '{"assay_bench": 1}', '{"assay_bench": 1, "cells": 3}', '{"assay_bench": 1, "cells": [3]}',
                            '{"assay_bench": 1, "cells": [], "machine": {}}', "[" * 100000):
                done = run_script("bench-page", "-", old, text=content)
                self.assertEqual(done.returncode, 2, content)
                self.assertRegex(done.stderr, r"\Abench-page: [^\n]+\n\Z")
            self.assertEqual([(path, path.read_text("ascii")) for path in Path(folder).iterdir()], [(old, "old")])

    def test_says_that_a_page_cannot_be_written(self) -> None:
        """In the sentence that `assay` has for it, and without the name of a temporary file."""
        report = {"assay_bench": 1, "version": "0", "encoding": "utf-8", "seed": 1, "cells": [], "machine": {"processor": "a", "ghz": 3.5, "compiler": "12"}}
        done = run_script("bench-page", "-", "/no/folder/page.html", text=json.dumps(report), alone=True)
        self.assertEqual((done.returncode, done.stderr), (2, "bench-page: /no/folder/page.html cannot be written: No such file or directory\n"))


if __name__ == "__main__":
    unittest.main()
