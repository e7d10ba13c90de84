# SPDX-License-Identifier: MIT
"""Tests of which findings are put together as of one cause, and of how the reports show them."""

from __future__ import annotations

import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, Dict, List, Tuple
from unittest import mock

from hunting.findings.causes import by_cause, counted, read_families
from hunting.findings.store import Finding, Store
from hunting.reports.ci_reports import junit, step_summary
from hunting.reports.report import causes_of
from hunting.tests.test_ci_reports import SUMMARY

ROOT = Path(__file__).resolve().parents[3]
FAMILIES = read_families(ROOT)


def finding(encoding: str, codec: str, field: str = "verdict", operation: str = "validate") -> Dict[str, Any]:
    """A finding of a codec that differs from the reference."""
    return {"key": f"{encoding.replace('-', '')}-{operation}-{codec}-{field}", "target": "decode", "encoding": encoding, "field": field,
            "letter": f"{encoding}/{codec} differs from {encoding}/reference\n"}


def causes(*rows: Tuple[Dict[str, Any], bytes]) -> List[List[str]]:
    """The keys of the findings of each cause."""
    return by_cause([row for row, _ in rows], [content for _, content in rows], FAMILIES)


class CausesTest(unittest.TestCase):
    """Findings of one cause are put together, others are not."""

    def test_codecs_that_share_code_and_an_input(self) -> None:
        """The operation does not matter; the smallest finding comes first."""
        rows = [(finding("utf-8", "avx2"), b"abc"), (finding("utf-8", "sse41", "offset", "spans"), b"abc"), (finding("utf-8", "avx2", "written"), b"xy"),
                (finding("utf-8", "avx512", "written"), b"abc")]
        self.assertEqual(causes(*rows[:2]), [[rows[0][0]["key"], rows[1][0]["key"]]])
        self.assertEqual(causes(*rows), [[rows[0][0]["key"], rows[1][0]["key"], rows[3][0]["key"]], [rows[2][0]["key"]]])

    def test_the_same_place_in_other_encodings(self) -> None:
        """The inputs have other bytes, but the same length and the same field."""
        rows = [(finding("utf-8", "avx2"), b"a" * 64 + b"\xc1"), (finding("cesu-8", "neon"), b"a" * 64 + b"\xed"), (finding("cesu-8", "avx2", "offset"), b"a" * 64 + b"\xee"),
                (finding("wtf-8", "avx2"), b"a" * 63 + b"\xed")]
        self.assertEqual([len(keys) for keys in causes(*rows)], [2, 1, 1])

    def test_an_input_that_is_in_another(self) -> None:
        """An overlong sequence is in all inputs that show it, for every operation; inputs that are too short do not count. Of
        two encodings, the same bytes count."""
        rows = [(finding("utf-8", "avx2"), b"\xf4\x90\x80\x80"), (finding("utf-8", "avx512", "length"), b"\xf4\x90"), (finding("utf-8", "avx2", "offset"), b"a\xf4\x90\x80\x80\x9f")]
        self.assertEqual(causes(*rows), [[rows[number][0]["key"] for number in (1, 0, 2)]])
        self.assertEqual(len(causes(rows[0], (finding("cesu-8", "sse41", "offset"), rows[0][1]))), 1)
        for little in (b"\xf4", b"aa"):
            self.assertEqual(len(causes((finding("utf-8", "sse41", "length"), little), (finding("utf-8", "avx2"), b"aaa\xf4\x90"))), 2, little)

    def test_inputs_that_there_was_no_time_to_minimise(self) -> None:
        """Of these the question and the field decide, in any encoding; of minimised ones they do not. Other questions stay apart."""
        def unfinished(*words: str) -> Dict[str, Any]:
            return {**finding(*words), "operation": words[3] if len(words) > 3 else "validate", "minimised": False}
        minimised = [{**row, "operation": "validate", "minimised": True} for row in (finding("utf-8", "avx2"), finding("wtf-8", "avx2"))]
        rows = [(minimised[0], b"a" * 64 + b"\xc1"), (unfinished("cesu-8", "sse41"), b"\xe8\x9a\xa7" * 99), (unfinished("mutf-8", "avx512"), b"\xc3\xa9" * 500),
                (minimised[1], b"a" * 63 + b"\xed"), (unfinished("utf-8", "swar"), b"\xe8" * 400), (unfinished("wtf-8", "avx2", "offset"), b"\xe9" * 300),
                (unfinished("wtf-8", "avx2", "verdict", "concat"), b"\xea" * 200)]
        self.assertEqual([len(keys) for keys in causes(*rows)], [3, 1, 1, 1, 1])
        self.assertEqual(len(causes(rows[0], rows[3])), 2)
        same = (unfinished("utf-8", "sse41", "offset"), rows[0][1])  # minimised for another key
        self.assertEqual([len(keys) for keys in causes(rows[0], same, ({**minimised[1], "field": "offset"}, b"a" * 63 + b"\xed"))], [2, 1])
        laws = [({**unfinished(encoding, "avx2"), "key": f"{encoding.replace('-', '')}-law-{codec}-{law}", "operation": None, "field": None,
                  "letter": f"{encoding}/{codec} breaks the law\n"}, content)
                for encoding, codec, law, content in (("utf-8", "avx2", "text-comes-back", b"\xe8" * 90), ("mutf-8", "sse41", "text-comes-back", b"\xe9" * 91),
                                                      ("mutf-8", "sse41", "ways-agree", b"\xea" * 92))]
        self.assertEqual([len(keys) for keys in causes(*laws)], [2, 1])

    def test_links_are_followed(self) -> None:
        """A third finding that shares a feature with each of two makes one cause of them."""
        rows = [(finding("utf-8", "avx2"), b"abc"), (finding("utf-8", "sse41", "offset"), b"xyz"), (finding("utf-8", "avx512"), b"xyz")]
        self.assertEqual(len(causes(*rows[:2])), 2)
        self.assertEqual(causes(*rows), [[row["key"] for row, _ in rows]])

    def test_codecs_that_share_nothing_are_apart(self) -> None:
        """Codecs of other folders are apart, and so is a loaded one."""
        rows = [(finding("utf-8", codec), b"\xc0\x80") for codec in ("avx2", "swar", "shift", "mine")]
        self.assertEqual(len(causes(*rows)), 4)
        self.assertEqual(FAMILIES["cesu-8", "avx2"], "simd")

    def test_deaths_are_told_apart_by_their_place(self) -> None:
        """The sanitizer's words and the function decide, whatever the target is."""
        rows = [({"key": f"utf8-{target}-heap-buffer-overflow-{place}", "target": target, "encoding": "utf-8", "field": None, "letter": "ERROR: ...\n"}, b"a")
                for target, place in (("decode", "avx2_validate"), ("stream", "avx2_validate"), ("stream", "avx2_count"))]
        self.assertEqual([len(keys) for keys in causes(*rows)], [2, 1])

    def test_a_report_is_written_though_an_input_is_gone(self) -> None:
        """The finding whose input is gone has a cause of its own."""
        rows = [finding("utf-8", "avx2"), finding("utf-8", "sse41")]
        store = Store(Path("/no/such/folder"))
        for row in rows:
            store.remember(Finding(row["key"], store.folder / row["key"], row["letter"], "again", row))
        hunt = mock.Mock(store=store)
        hunt.options.root = ROOT
        self.assertEqual(causes_of(hunt), [[row["key"]] for row in rows])

    def test_every_report_has_them(self) -> None:
        """Each cause has one test case and one letter, with the keys of its other findings under it."""
        others = [{**SUMMARY["findings"][0], "key": f"utf8-spans-edge-{number}", "letter": f"letter {number}\n"} for number in range(74)]
        summary = {**SUMMARY, "findings": SUMMARY["findings"] + others, "causes": [[row["key"] for row in SUMMARY["findings"] + others]]}
        suite = ElementTree.fromstring(junit(summary))
        self.assertEqual(suite.get("failures"), "1")
        self.assertIn("utf8-spans-edge-73", suite.find("testcase/failure").text or "")  # type: ignore[union-attr]
        said = step_summary(summary)
        self.assertIn("75 findings, 1 probable cause.\n", said)
        self.assertEqual(said.count("\n### utf8-"), 1)
        self.assertIn("Also, probably of the same cause: utf8-spans-edge-0, ", said)
        self.assertEqual([counted(rows) for rows in ([["a"]], [["a"], ["b"]], [["a", "b"], ["c"]])], ["1 finding", "2 findings", "3 findings, 2 probable causes"])


if __name__ == "__main__":
    unittest.main()
