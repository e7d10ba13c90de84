# SPDX-License-Identifier: MIT
"""OPERATIONS.md: what each subject offers, and a reason for what it does not."""

from __future__ import annotations

import os
import unittest

from subjects.operations import PAGE, Offers, ask_all, cells, page, problems, reasons, requests, written
from subjects.subjects import rows

# The others take too long for every change; ASSAY_SUBJECTS=all asks them, too.
EVERY_DAY = ("cpython", "lua", "glibc_iconv", "yajl", "iconv_c")


class OperationsTest(unittest.TestCase):
    """The table, its reasons, and the adapters."""

    def setUp(self) -> None:
        self.known, self.table = requests(), reasons()
        self.offers: Offers = written(self.known, PAGE.read_text("ascii"))

    def test_the_page_is_what_the_program_writes(self) -> None:
        """Of all subjects, in the order of subjects.def; each has a reason for what it does not offer, and none for what it offers."""
        self.assertEqual(list(self.offers), [subject.name for subject in rows()])
        self.assertEqual(problems(self.offers, self.table, self.known), [])
        self.assertEqual(page(self.offers, self.table, self.known), PAGE.read_text("ascii"))

    def test_what_is_wrong_is_found(self) -> None:
        """A reason that is missing, that is given for what is offered, or twice; names that are none."""
        mine = self.offers["utf8proc"]
        for offered, found in ((mine - {"encode"}, "utf8proc does not offer encode: no reason"), (mine | {"into"}, "utf8proc offers into, but: "),
                               (mine | {"encode-utf16"}, "utf8proc offers encode-utf16, but: ")):
            said = problems({**self.offers, "utf8proc": offered}, self.table, self.known)
            self.assertEqual([line for line in said if not line.startswith(found)], [], found)
            self.assertNotEqual(said, [])
        self.assertEqual(len(problems(self.offers, [*self.table, self.table[0]], self.known)), len(self.table[0].subjects))
        row = self.table[0]._replace(requests=frozenset({"count"}), subjects=frozenset({"nobody"}))
        self.assertEqual(problems(self.offers, [*self.table, row], self.known), ["no request is named count", "no subject is named nobody"])

    def test_the_page_of_a_report_has_what_was_offered_in_it(self) -> None:
        """Not what OPERATIONS.md says; a subject that it does not know has a row, and the reasons that are for all."""
        mine = self.offers["utf8proc"]
        shown = cells({"utf8proc": (mine | {"boundaries"}) - {"encode"}, "newcomer": frozenset({"decode"})})
        rows_shown = {name: dict(zip(shown["requests"], numbers)) for name, numbers in shown["subjects"]}
        self.assertEqual({request: rows_shown["utf8proc"][request] for request in ("decode", "boundaries", "encode")}, {"decode": 0, "boundaries": 0, "encode": None})
        self.assertEqual([rows_shown["newcomer"][request] for request in ("decode", "validate")], [0, None])
        self.assertTrue(shown["reasons"][rows_shown["newcomer"]["boundaries"] - 1].startswith("the API has no call that finds"))

    def test_adapters_offer_what_the_page_says(self) -> None:
        """In their replies to hello, and each request that they offer has an answer."""
        chosen = [subject for subject in rows() if os.environ.get("ASSAY_SUBJECTS") == "all" or subject.name in EVERY_DAY]
        asked, silent = ask_all(chosen, self.known)
        self.assertEqual(silent, [])
        self.assertEqual(asked, {name: self.offers[name] for name in asked})
        self.assertIn("cpython", asked)
        print(f"{len(asked)} of {len(chosen)} subjects asked")


if __name__ == "__main__":
    unittest.main()
