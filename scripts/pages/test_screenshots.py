# SPDX-License-Identifier: MIT
"""The pages in headless Chromium, 1200 and 390 pixels wide, light and dark: nothing sticks out, and all text can be read. Screenshots are
kept in the build folder."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path

from pages.screenshots import SMALLEST, browser, look
from pages.test_bench_page import cell, page_of
from pages.test_damage_page import ASSAY, can_draw
from pages.test_museum_page import make, report

BUILD = Path(ASSAY).parent


@unittest.skipUnless(os.environ.get("ASSAY_PAGES") == "all", "ASSAY_PAGES=all looks at the pages in Chromium")
@unittest.skipUnless(browser() and can_draw(), "NOT LOOKED AT: no Chromium, no matplotlib or no Jinja2")
class LookTest(unittest.TestCase):
    """Pages of invented reports, and that of the vectors."""

    def assert_fits(self, name: str, text: str, keeps: bool = True) -> None:
        """Asserts that nothing of a page sticks out and nothing is too small."""
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / f"{name}.html"
            page.write_text(text, "utf-8")
            seen = look(page, BUILD / "screenshots" if keeps else Path(folder))
        self.assertEqual({(scheme, width) for scheme, widths in seen.items() for width in widths},
                         {(scheme, width) for scheme in ("light", "dark") for width in ("1200", "390")})
        for scheme, widths in seen.items():
            for width, what in widths.items():
                self.assertEqual(what["out"], 0, (name, scheme, width))
                self.assertGreaterEqual(what["pixels"], SMALLEST, (name, scheme, width, what["text"]))

    def test_throughput(self) -> None:
        """Of several sizes, with a matrix, plots and tables."""
        self.assert_fits("bench", page_of([cell(size, 1, "load", mine=100, theirs=250, load=50) for size in ("1K", "4K", "16K")]))

    def test_museum(self) -> None:
        """A matrix of three columns."""
        self.assert_fits("museum", make(report()).stdout)

    def test_vectors(self) -> None:
        """All golden cases."""
        self.assert_fits("vectors", (BUILD / "forms" / "index.html").read_text("utf-8"))

    def test_a_page_that_does_not_fit_is_seen(self) -> None:
        """A row that is too wide, and text of 7 pixels."""
        for text in ('<p style="width: 2000px">wide</p>', '<p style="font-size: 7px">small</p>'):
            with self.assertRaises(AssertionError):
                self.assert_fits("wrong", f"<!DOCTYPE html><body>{text}</body>", keeps=False)


if __name__ == "__main__":
    unittest.main()
