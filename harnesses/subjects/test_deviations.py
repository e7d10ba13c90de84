# SPDX-License-Identifier: MIT
"""The deviations of subjects: their rows, and the mechanisms, which without any deviation are the policies of the vectors."""

from __future__ import annotations

import json
import unittest
from typing import Any, Dict, List

from subjects.deviations import DEVIATIONS, GOT_MAX, explained, gives, spelled
from subjects.divergences import FIELD
from subjects.mechanisms import NONCHARACTERS, Sequence, Utf8, Utf16, dropped, escaped, maximal, sqlite_utf8, tcl
from subjects.subjects import rows

VECTORS = FIELD.parents[1] / "vectors"


def cases(encoding: str) -> List[Dict[str, Any]]:
    """All cases of an encoding that decode a whole input."""
    files = [json.loads(path.read_text("ascii")) for path in sorted((VECTORS / encoding).glob("*.json"))]
    return [test for file in files if file["kind"] == "decode" for test in file["tests"]]


def failure(asked: str, got: str, request: str = "decode", policy: str = "own", outcome: str = "answered") -> Dict[str, Any]:
    """A failure as in the report of `assay run`."""
    return {"id": "utf-8/overlong/c0af", "asked": asked, "expected": "ok FFFD,FFFD", "got": got, "request": request, "policy": policy, "outcome": outcome,
            "difference": "output", "cause": "some"}


class DeviationsTest(unittest.TestCase):
    """The table, and what explains."""

    def test_rows(self) -> None:
        """Each is of a subject, which has five at most; a source is a document or a divergence that exists."""
        self.assertLessEqual(set(DEVIATIONS), {row.name for row in rows()})
        for name, deviations in DEVIATIONS.items():
            self.assertLessEqual(len(deviations), 5, name)
            self.assertEqual(len({one.sentence for one in deviations}), len(deviations), name)
            for one in deviations:
                self.assertTrue(one.source in ("",) or one.source.startswith("https://") or (FIELD.parents[1] / one.source / "README.md").exists(), one.source)

    def test_mechanisms_without_deviation_are_policies(self) -> None:
        """For every case of the vectors: text, and the offset of the first error."""
        policies = {"whatwg": Utf8(cut=maximal), "per-byte": Utf8(), "per-run": Utf8(by_run=True), "skip": Utf8(put=dropped), "surrogateescape": Utf8(put=escaped),
                    "per-sequence": Utf8(cut=Sequence(first=0xC0, last=0xFD))}
        tests = cases("utf-8")
        self.assertGreater(len(tests), 7000)
        for test in tests:
            for policy, mechanism in policies.items():
                text, first = mechanism(bytes.fromhex(test["bytes"].replace("-", "")))
                self.assertEqual(spelled(text) or "-", test["outputs"][policy], (test["id"], policy))
                self.assertEqual(first, test["spans"][0]["offset"] if test["spans"] else None, test["id"])
        for encoding in ("utf-16le", "utf-16be"):
            for test in cases(encoding):
                text, first = Utf16(big=encoding == "utf-16be", odd_alone=False)(bytes.fromhex(test["bytes"].replace("-", "")))
                self.assertEqual(spelled(text) or "-", test["outputs"]["whatwg"], test["id"])
                self.assertEqual(first, test["spans"][0]["offset"] if test["spans"] else None, test["id"])

    def test_well_formed_text_is_left_alone(self) -> None:
        """Also by the mechanisms of single subjects."""
        for text in ("", "A\u00e9\u20ac\U0001f600", "\ud7ff\ue000\U0010ffff"):
            for mechanism in (sqlite_utf8, tcl, Utf8(refused=NONCHARACTERS - {0x10FFFF})):
                self.assertEqual(mechanism(text.encode()), ([ord(char) for char in text], None), mechanism)

    def test_only_the_answer_of_the_mechanism_is_explained(self) -> None:
        """Another text, verdict, offset, encoding or outcome is not; of a reply that the report cut, the beginning counts."""
        takes = gives(Utf8(overlong=frozenset([2])))
        for row, is_explained in ((failure("decode utf-8 own C0AF", "ok 2F"), True), (failure("decode utf-8 own C0AF", "ok 2E"), False),
                                  (failure("decode utf-8 own C0,AF", "ok -|2F", "pieces"), True), (failure("decode utf-8 own C0AF", "error 0"), False),
                                  (failure("validate utf-8 C0AF", "ok", "validate", "-"), True), (failure("validate utf-8 C0AF", "error 0", "validate", "-"), False),
                                  (failure("validate utf-8 41E0", "error 1", "validate", "-"), True), (failure("validate utf-8 41E0", "error 0", "validate", "-"), False),
                                  (failure("decode cesu-8 own C0AF", "ok 2F"), False), (failure("decode utf-8 own " + "C0AF" * 400, ("ok " + "2F," * 400)[:GOT_MAX]), True)):
            self.assertEqual(takes(row), is_explained, row)
        counts, left = explained("libbson", [failure("validate utf-8 C080", "ok", "validate", "-"), failure("validate utf-8 C080", "", "validate", "-", "crashed"),
                                             failure("validate utf-8 EDA080", "ok", "validate", "-")])
        self.assertEqual((counts, [row["asked"] + row["outcome"] for row in left]), ({0: 1}, ["validate utf-8 C080crashed", "validate utf-8 EDA080answered"]))


if __name__ == "__main__":
    unittest.main()
