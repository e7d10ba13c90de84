# SPDX-License-Identifier: MIT
"""Tests of which findings are put together as of one cause, and of how the reports show them."""

from __future__ import annotations

import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple
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
    return {"key": f"{encoding.replace('-', '')}-{operation}-{codec}-{field}", "target": "decode", "encoding": encoding, "operation": operation, "field": field,
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

    def test_the_same_question_in_other_encodings(self) -> None:
        """Minimised inputs of other encodings have other bytes. Two inputs of one encoding have one cause only if their lengths are the same,
        too, or if one shows the key of the other."""
        rows = [(finding("utf-8", "avx2"), b"a" * 64 + b"\xc1"), (finding("cesu-8", "neon"), b"a" * 64 + b"\xed"), (finding("cesu-8", "avx2", "offset"), b"a" * 64 + b"\xee"),
                (finding("wtf-8", "avx2"), b"a" * 63 + b"\xed"), (finding("utf-8", "sse41"), b"a" * 20 + b"\xef\xbf")]
        self.assertEqual([len(keys) for keys in causes(*rows)], [3, 1, 1])
        self.assertEqual([len(keys) for keys in causes(*rows[:4], (rows[4][0], b"a" * 64 + b"\xef"))], [4, 1])
        self.assertEqual([len(keys) for keys in causes(*rows[:4], ({**rows[4][0], "shows": [rows[0][0]["key"]]}, rows[4][1]))], [4, 1])
        self.assertEqual([len(keys) for keys in causes(({**rows[0][0], "shows": [rows[4][0]["key"]]}, rows[0][1]), *rows[1:])], [4, 1])

    def test_two_wrong_lines(self) -> None:
        """One in an encoder, one in a decoder, found in two encodings each: their findings stay apart, also where inputs of both show one
        law broken, which goes to one of them."""
        law = {"key": "utf8-law-avx2-text-comes-back", "target": "convert", "encoding": "utf-8", "field": None, "operation": None,
               "letter": "utf-8/avx2 breaks the law text-comes-back\n"}
        rows = [({**finding(encoding, codec, "output", operation), "shows": shows}, content)
                for encoding, codec, operation, content, shows in (
                    ("utf-8", "avx2", "encode-utf16", b"\xf2\xb6\xa9\xbe", [law["key"]]), ("utf-8", "avx2", "decode-utf16", b"a" * 190 + b"\xe8\x9a\xa7", [law["key"]]),
                    ("utf-16le", "sse41", "encode-utf16", b"\xbfaaB", []), ("wtf-8", "sse41", "decode-utf16", b"a" * 199 + b"\xe9\x9a\xa7", []))]
        self.assertEqual(causes(*rows, (law, b"a" * 191 + b"\xe8\x9a\xa7")), [[rows[0][0]["key"], rows[2][0]["key"]], [rows[1][0]["key"], law["key"], rows[3][0]["key"]]])

    def test_an_input_that_is_in_another(self) -> None:
        """An overlong sequence is in all inputs that show it, for every operation; inputs that are too short do not count. Of
        two encodings, the same bytes count."""
        rows = [(finding("utf-8", "avx2"), b"\xf4\x90\x80\x80"), (finding("utf-8", "avx512", "length"), b"\xf4\x90"), (finding("utf-8", "avx2", "offset"), b"a\xf4\x90\x80\x80\x9f")]
        self.assertEqual(causes(*rows), [[rows[number][0]["key"] for number in (1, 0, 2)]])
        self.assertEqual(len(causes(rows[0], (finding("cesu-8", "sse41", "offset"), rows[0][1]))), 1)
        for little in (b"\xf4", b"aa"):
            self.assertEqual(len(causes((finding("utf-8", "sse41", "length"), little), (finding("utf-8", "avx2"), b"aaa\xf4\x90"))), 2, little)

    def test_inputs_that_there_was_no_time_to_minimise(self) -> None:
        """Such a finding goes to the cause whose keys its input shows, else to one of the same question or operation, else to the only cause
        there is in code that its codec shares; it joins no two. Without any of these, it is a cause of its own."""
        first, second = (finding("utf-8", "avx2"), b"a" * 64 + b"\xc1"), (finding("utf-8", "avx2", "output", "encode-utf16"), b"\xf2\xb6\xa9\xbe")

        def unfinished(*words: str, shows: Sequence[str] = ()) -> Tuple[Dict[str, Any], bytes]:
            return {**finding(*words), "minimised": False, "shows": [*shows]}, b"\xe8\x9a\xa7" * 99 + repr(words).encode()

        showing = unfinished("utf-8", "sse41", "written", "count", shows=[second[0]["key"]])
        asked = unfinished("mutf-8", "sse41", "verdict")
        strange = unfinished("mutf-8", "sse41", "offset", "spans")
        both = unfinished("utf-8", "sse41", "offset", shows=[first[0]["key"], second[0]["key"]])
        apart = unfinished("utf-8", "swar", "offset")
        longer = unfinished("wtf-8", "sse41", "written", "encode-utf16")
        self.assertEqual([len(keys) for keys in causes(first, second)], [1, 1])
        self.assertEqual([set(keys) for keys in causes(first, second, showing, asked, strange, apart)],
                         [{first[0]["key"], asked[0]["key"]}, {second[0]["key"], showing[0]["key"]}, {strange[0]["key"]}, {apart[0]["key"]}])
        self.assertEqual([len(keys) for keys in causes(first, second, longer)], [1, 2])
        self.assertEqual([len(keys) for keys in causes(first, second, both)], [2, 1])
        self.assertEqual([len(keys) for keys in causes(first, strange, apart)], [2, 1])
        self.assertEqual([len(keys) for keys in causes(strange, asked, unfinished("wtf-8", "avx2", "offset", "spans"))], [3])

    def test_laws_that_are_broken(self) -> None:
        """A law goes to the cause whose keys its input shows; if its input is minimised and shows none, it is a cause of its own."""
        first, law = finding("utf-8", "avx2"), {"key": "utf8-law-avx2-ways-agree", "target": "convert", "encoding": "utf-8", "field": None, "operation": None,
                                                "letter": "utf-8/avx2 breaks the law ways-agree\n"}
        for shows, count in (([], 2), ([first["key"]], 1)):
            self.assertEqual(len(causes((first, b"\xc0\x80"), ({**law, "shows": shows}, b"\xe8\x9a\xa7"))), count)

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
        self.assertNotIn("did not come again", said)
        self.assertEqual([counted(rows) for rows in ([["a"]], [["a"], ["b"]], [["a", "b"], ["c"]])], ["1 finding", "2 findings", "3 findings, 2 probable causes"])

    def test_a_crash_that_did_not_come_again_is_none(self) -> None:
        """It is listed apart in each report: an error and no failure in JUnit."""
        crash = {**SUMMARY["findings"][0], "key": "utf8-decode-not-again", "codec": None, "letter": "fuzz_decode crashed; 6 tries\n"}
        summary = {**SUMMARY, "findings": [*SUMMARY["findings"], crash], "not_again": [crash["key"]]}
        suite = ElementTree.fromstring(junit(summary))
        self.assertEqual((suite.get("failures"), suite.get("errors")), ("1", "1"))
        self.assertEqual([case.get("name") for case in suite if case.find("error") is not None], [crash["key"]])
        said = step_summary(summary)
        self.assertIn("1 finding, 1 crash that did not come again.\n", said)
        self.assertIn("### Did not come again: utf8-decode-not-again\n\n```text\nfuzz_decode crashed; 6 tries\n", said)
        self.assertEqual([counted(causes, ["c"] * many) for causes, many in (([], 1), ([], 2), ([["a", "b"]], 1))],
                         ["1 crash that did not come again", "2 crashes that did not come again", "2 findings, 1 probable cause, 1 crash that did not come again"])


if __name__ == "__main__":
    unittest.main()
