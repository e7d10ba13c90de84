# SPDX-License-Identifier: MIT
"""Tests of scripts/field-ask."""

from __future__ import annotations

import json
import subprocess
import sys
import unittest
from typing import Tuple

from field import ROOT, ask


def run(*words: str) -> Tuple[int, str, str]:
    """Exit code, standard output and standard error of the program."""
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "field-ask"), *words], capture_output=True, text=True, check=False, timeout=300)
    return done.returncode, done.stdout, done.stderr


class AskTest(unittest.TestCase):
    """One input, and what decoders say of it."""

    def test_a_subject_that_every_machine_has(self) -> None:
        """CPython replaces as whatwg; per-byte gives the same text here."""
        code, out, err = run("--json", "41 EDA080", "cpython")
        report = json.loads(out)
        self.assertEqual((code, err, report["bytes"], report["standard"], report["no_answer"]), (0, "", "41EDA080", "ill-formed at 1", {}))
        self.assertEqual(report["verdicts"], [{"verdict": "ill-formed at 1", "subjects": ["cpython"]}])
        self.assertEqual(report["texts"], [{"text": "41,FFFD,FFFD,FFFD", "policies": ["whatwg", "per-byte"], "subjects": ["cpython"]}])
        code, out, err = run("utf-8/overlong/c080", "cpyth*")
        self.assertEqual((code, out, err), (0, "utf-8, 2 bytes; the standard: ill-formed at 0\n\nverdict\n  ill-formed at 0  (1)\n      cpython\n\n"
                                               "text, by the practice of each\n  FFFD,FFFD   as whatwg, jdk, per-byte  (1)\n      cpython\n", ""))
        self.assertEqual(run("", "cpython")[0], 0)

    def test_what_cannot_be_asked(self) -> None:
        """Is said; exit code 2."""
        for words, said in ((("4", "cpython"), "assay explain: "), (("41", "no_such", "cpython"), "no row of subjects.def is named no_such\n"),
                            (("-e", "utf-16le", "4100", "jq"), "none of ")):
            code, out, err = run(*words)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(said, err)

    def test_groups(self) -> None:
        """The most frequent answer first; a verdict without an offset is not wrong for that."""
        facts = {"encoding": "utf-8", "bytes": "C080", "spans": [{"offset": 0}], "policies": {"whatwg": {"stopped": False, "code_points": [0xFFFD, 0xFFFD]}}}
        answers = [ask.Answer("a", "ok", "own", "ok 0"), ask.Answer("b", "error", "own", "ok FFFD|FFFD"), ask.Answer("c", "error 0 1 overlong", "own", "ok FFFD,FFFD"),
                   ask.Answer("d", "error", "", None), ask.Answer("e", None, "", None, "it ended"), ask.Answer("f", "error 1", "own", "skip no")]
        report = ask.report_of(facts, answers, 3)
        self.assertEqual([(group["verdict"], group["subjects"]) for group in report["verdicts"]],
                         [("ill-formed", ["b", "d"]), ("ill-formed at 0", ["c"]), ("ill-formed at 1", ["f"]), ("well-formed", ["a"])])
        self.assertEqual([ask.is_wrong(group["verdict"], report["standard"]) for group in report["verdicts"]], [False, False, True, True])
        self.assertEqual([(group["text"], group["policies"], group["subjects"]) for group in report["texts"]],
                         [("FFFD,FFFD", ["whatwg"], ["b", "c"]), ("0", [], ["a"])])
        self.assertEqual([ask.judgement(group, standard) for group in report["texts"] for standard in (report["standard"], "well-formed")],
                         ["   as whatwg", "", "   under no policy", "   not the standard's"])
        self.assertEqual((report["no_answer"], report["not_installed"]), ({"e": "it ended"}, 3))


if __name__ == "__main__":
    unittest.main()
