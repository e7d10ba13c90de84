# SPDX-License-Identifier: MIT
"""The pages in headless Chromium, 1200 and 390 pixels wide, light and dark: nothing sticks out, and all text can be read. Screenshots are
kept in the build folder."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from field.test_field_report import HOSTILE, row, start
from pages.screenshots import browser, faults, look
from pages.test_bench_page import cell, page_of
from pages.test_damage_page import ASSAY, can_draw
from pages.test_museum_page import make, report

BUILD = Path(ASSAY).parent
ROOT = Path(__file__).resolve().parents[2]


@unittest.skipUnless(os.environ.get("ASSAY_PAGES") == "all", "ASSAY_PAGES=all looks at the pages in Chromium")
@unittest.skipUnless(browser() and can_draw(), "NOT LOOKED AT: no Chromium, no matplotlib or no Jinja2")
class LookTest(unittest.TestCase):
    """Pages of invented reports, and that of the vectors."""

    def assert_fits(self, name: str, text: str, keeps: bool = True, place: str = "") -> None:
        """Asserts that nothing of a page (at `place`) sticks out and all can be read."""
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / f"{name}.html"
            page.write_text(text, "utf-8")
            seen = look(page, BUILD / "screenshots" if keeps else Path(folder), place)
        self.assertEqual(faults(seen), [], name)

    def test_throughput(self) -> None:
        """Several sizes, with a matrix, plots and tables."""
        self.assert_fits("bench", page_of([cell(size, 1, "load", mine=100, theirs=250, load=50) for size in ("1K", "4K", "16K")]))

    def test_damage(self) -> None:
        """All encodings, with a text of 4 lines and few samples."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "text").write_text("one\n\u00e9t\u00e9 \u20ac\n\u8329\u7532\n\U0001f600\n", encoding="utf-8")
            for what, words in (("damage", ["damage", "-s", "50", f"@{folder / 'text'}"]), ("misread", ["damage", "--misread", f"@{folder / 'text'}"]),
                                ("promises", ["promises", "--stride", "997", "--string-stride", "97"])):
                with open(folder / what, "wb") as out:
                    subprocess.run([ASSAY, *words, "--json"], check=False, stdout=out, stderr=subprocess.DEVNULL)
            options = [word for what in ("damage", "misread", "promises") for word in (f"--{what}", str(folder / what))]
            subprocess.run([sys.executable, str(ROOT / "scripts/damage-page"), "--assay", ASSAY, *options, str(folder / "page.html")], check=True)
            self.assert_fits("damage", (folder / "page.html").read_text("utf-8"))

    def test_field(self) -> None:
        """Four subjects with long names, of which two fail."""
        with tempfile.TemporaryDirectory() as name:
            table = "".join(row(f"{mistake}_of_a_long_name", f"{HOSTILE} {mistake}") for mistake in ("none", "whole", "abort", "form"))
            child = start(Path(name), table, "--seconds", "0.3")
            _, errors = child.communicate(timeout=300)
            self.assertEqual(child.returncode, 0, errors)
            self.assert_fits("field", (Path(name) / "out" / "field.html").read_text("utf-8"))

    def test_museum(self) -> None:
        """A matrix of three columns."""
        self.assert_fits("museum", make(report()).stdout)

    def test_vectors(self) -> None:
        """All golden cases, and long ones, which are folded at 390 pixels."""
        text = (BUILD / "forms" / "index.html").read_text("utf-8")
        self.assert_fits("vectors", text)
        self.assert_fits("vectors-long", text, place="#wtf-8/blocks/20-60")

    def test_a_page_that_does_not_fit_is_seen(self) -> None:
        """A row that is too wide, text of 7 pixels, a column as wide as a letter, a path broken within a name, a frame that hides lines, and a
        page that is never complete."""
        for text in ('<p style="width: 2000px">wide</p>', '<p style="font-size: 7px">small</p>',
                     '<table><tr><td style="width: 1px; overflow-wrap: anywhere">squeezed</td></tr></table>',
                     f'<code class="command" style="overflow-wrap: anywhere">{"/".join(["folder"] * 60)}</code>',
                     '<div class="frame" style="height: 1em; overflow: auto">one<br>two<br>three</div>'):
            with self.assertRaises(AssertionError):
                self.assert_fits("wrong", f"<!DOCTYPE html><body>{text}</body>", keeps=False)
        with mock.patch("pages.screenshots.LOADS", 9), self.assertRaisesRegex(AssertionError, "not complete"):
            self.assert_fits("wrong", '<!DOCTYPE html><body data-shown="0">empty</body>', keeps=False)


if __name__ == "__main__":
    unittest.main()
