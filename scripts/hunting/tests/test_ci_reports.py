# SPDX-License-Identifier: MIT
"""Tests of the page (in a browser), JUnit XML, the step summary and coverage."""

from __future__ import annotations

import base64
import json
import os
import re
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Dict

from hunting.findings.evidence import marks
from hunting.reports.coverage import covered_lines, in_all, missed_branches, ranges, rows_of
from hunting.reports.ci_reports import junit, python_with_jinja2, step_summary, write_page
from hunting.reports.hex_dump import dump
from pages.screenshots import browser, faults, look

BUILD = Path(os.environ.get("ASSAY_BUILD", str(Path(__file__).resolve().parents[3] / "build")))
JOB = {"number": 1, "target": "decode", "encoding": "utf-8", "engine": "libfuzzer", "build": "libfuzzer", "without": None,
       "schedule": None, "samples": [[1.0, 1000, 50], [2.0, 2500, 80]], "regime": "short", "max_length": 64, "seed": 9,
       "seconds": 2.0, "runs": 1, "executions": 2500, "edges": 80, "edges_known": None, "features": 90, "corpus": 12,
       "crashes": 1, "new_keys": ["utf8-validate-edge-verdict"], "note": None}
INPUT = b"a" * 62 + b"\xe8\x9aa\xa5"
LETTER = ("utf-8/edge differs from utf-8/reference\n  asked         validate; <b>verdict</b> differs\n  bytes         " + "61 " * 60 +
          "\n  reference     ill-formed at 62, maximal subpart of 2 bytes: E8 9A then 61, <reason>\n"
          "  edge          ill-formed at 63, maximal subpart of 1 byte: 9A, <reason>\n  CPython 3.11  ill-formed at 0, maximal subpart of 9 bytes\n")
SUMMARY: Dict[str, Any] = {
    "made": {"version": "1.2.3", "commit": "abc1234", "date": "2026-01-02T03:04:05Z", "command": ["scripts/hunt", "--seconds", "2 "]},
    "root": "/a/checkout", "without": None, "format": 1, "exit_code": 1, "verdict": "found something", "trouble": None, "began": "2026-01-02T03:04:05+00:00",
    "seconds": 2.5, "executions": 2500, "cpu": "A processor", "compilers": {"plain": "gcc 12"}, "gone": [], "not_shown_again": [],
    "options": {"seconds": 2, "targets": ["decode", "stream"], "engines": ["libfuzzer"], "jobs": 2, "seed": 7, "plant": None, "expect": [], "codecs": []},
    "codecs": [{"encoding": "utf-8", "codec": "reference", "needs": "any", "runs": True, "emulated": False},
               {"encoding": "utf-8", "codec": "neon", "needs": "neon", "runs": False, "emulated": False},
               {"encoding": "utf-8", "codec": "avx512", "needs": "avx512", "runs": False, "emulated": True},
               {"encoding": "wtf-8", "codec": "reference", "needs": "any", "runs": True, "emulated": False}],
    "ran": {}, "replayed": {"decode": 300}, "worths": [], "jobs": [JOB, {**JOB, "number": 2, "without": "avx2,sse41"},
                                                    {**JOB, "number": 3, "target": "roundtrip", "without": "avx2", "build": "emulated"}], "merged": [],
    "corpora": [{"target": "decode", "regime": "short", "inputs": 12, "mean_bytes": 30, "well_formed": 0.25}],
    "coverage": [{"file": "codecs/reference/utf8.c", "lines": 100, "lines_missed": 1, "percent": 99.0, "missed": "7", "branches": 8,
                  "branches_missed": ["7:9 never true"], "branch_percent": 87.5}],
    "ended_at": None, "planned": 3, "left": [],
    "coverage_in_all": {"lines": 99.0, "branches": 87.5},
    "findings": [{"key": "utf8-validate-edge-verdict", "target": "decode", "letter": LETTER, "bytes": 65, "bytes_original": 80,
                  "minimised": True, "found_by": "libfuzzer, short", "count": 2, "from_before": False, "codec": "edge", "folder": "/out/findings/key",
                  "again": "build/assay diff '@in put'", "input": INPUT.hex(), "input_bytes": len(INPUT), "explanation": "utf-8, 66 bytes: <ill-formed>\n"}],
    "causes": [["utf8-validate-edge-verdict"]], "not_again": [],
}


class PageTest(unittest.TestCase):
    """report.html."""

    page: str

    @classmethod
    def setUpClass(cls) -> None:
        """Makes the page once."""
        if python_with_jinja2() is None:
            raise unittest.SkipTest("NOT LOOKED AT: Jinja2 is not installed (Debian: python3-jinja2)")
        with TemporaryDirectory() as name:
            (Path(name) / "summary.json").write_text(json.dumps(SUMMARY))
            trouble = write_page(Path(name))
            if trouble is not None:
                raise AssertionError(trouble)
            cls.page = (Path(name) / "report.html").read_text(encoding="utf-8")

    def setUp(self) -> None:
        """A folder of our own, with the page."""
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "report.html").write_text(self.page, encoding="utf-8")

    def test_holds_what_ran_and_what_did_not(self) -> None:
        """The text of a finding is never markup."""
        for part in ("utf8-validate-edge-verdict", "utf-8/neon needs neon, which did not run here: this processor lacks it, or the build leaves it out<", "utf-8/avx512 needs avx512, which did not run here but in one build, emulated", "stream was not fuzzed with libfuzzer: not one input was executed<",
                     "no target of this hunt was about wtf-8: their targets executed nothing, or --targets does not name them<",
                     "Made by utf8-assay 1.2.3, commit abc1234, on 2026-01-02 03:04:05 UTC: <code class=\"command\">scripts/hunt --seconds &#39;2 &#39;</code>",
                     "avx2 was left out by chance of 2 of 3 pieces of work, 4 s in all; never with it: roundtrip<",
                     "sse41 was left out by chance of 1 of 3 pieces of work, 2 s in all<",
                     "&lt;b&gt;verdict", "99.0 %", "87.5 %", "7:9 never true", "25 %"):
            self.assertIn(part, self.page)

    def test_an_emulation_counts_if_it_ran(self) -> None:
        """If no emulated piece of work ran, as after an interruption, the codec is listed as not run."""
        self.assertNotIn("utf-8/avx512 needs avx512, which did not run here:", self.page)
        (self.folder / "summary.json").write_text(json.dumps({**SUMMARY, "jobs": [JOB]}))
        self.assertIsNone(write_page(self.folder))
        self.assertIn("utf-8/avx512 needs avx512, which did not run here: this", (self.folder / "report.html").read_text(encoding="utf-8"))

    def test_says_when_nothing_was_fuzzed(self) -> None:
        """Seconds without an execution are no fuzzing."""
        self.assertIn("<dd>2,500 executions in 2 s of fuzzing</dd>", self.page)
        (self.folder / "summary.json").write_text(json.dumps({**SUMMARY, "executions": 0, "jobs": [{**JOB, "executions": 0, "samples": []}]}))
        self.assertIsNone(write_page(self.folder))
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        self.assertIn("<dd>nothing was fuzzed</dd>", page)
        self.assertIn("decode and stream were not fuzzed with libfuzzer", page)
        self.assertNotIn("s of fuzzing", page)

    def test_needs_no_network(self) -> None:
        """Nothing is fetched: the script and the input are in the page, and there is no address but the names of XML namespaces."""
        self.assertEqual(re.findall(r"<script[^>]*>", self.page), ["<script>"])
        self.assertEqual(re.findall(r"(?:src|href)=\"(?!#|data:)[^\"]*\"", self.page), [])
        self.assertNotRegex(self.page, r"\b(?:fetch|import|XMLHttpRequest)\b *\(")
        self.assertNotRegex(self.page, r"url\((?!#)|@import")

    def test_begins_with_the_finding(self) -> None:
        """Its letter, its input as a hex dump and a download, the command with its folder, and what `assay explain` says, before all else."""
        self.assertEqual(base64.b64decode(re.findall(r'href="data:application/octet-stream;base64,([^"]*)" download="utf8-validate-edge-verdict"', self.page)[0]), INPUT)
        parts = ["utf8-validate-edge-verdict</a></h3>", "<div>  reference     ill-formed at 62", ">0000</td>", "48 more such bytes", ">0038</td>",
                 "In the checkout, <code>/a/checkout</code>", "build/assay diff &#39;@in put&#39;", "/out/findings/key", "utf-8, 66 bytes: &lt;ill-formed&gt;", 'id="hunt"', 'id="not-run"', 'id="done"']
        self.assertEqual(sorted(parts, key=self.page.index), parts)

    def test_lists_apart_what_did_not_come_again(self) -> None:
        """After the causes, in a section of its own that the contents name; alone, it leaves no empty section of findings."""
        crash = {**SUMMARY["findings"][0], "key": "utf8-decode-not-again", "letter": "fuzz_decode <crashed>\n"}
        for findings, causes in (([*SUMMARY["findings"], crash], SUMMARY["causes"]), ([crash], [])):
            (self.folder / "summary.json").write_text(json.dumps({**SUMMARY, "findings": findings, "causes": causes, "not_again": [crash["key"]]}))
            self.assertIsNone(write_page(self.folder))
            page = (self.folder / "report.html").read_text(encoding="utf-8")
            parts = ["1 crash that did not come again</h1>", 'href="#not-again"', 'id="not-again"', "utf8-decode-not-again</a></h3>", "fuzz_decode &lt;crashed&gt;", 'id="hunt"']
            self.assertEqual(sorted(parts, key=page.index), parts)
            self.assertEqual('id="findings"' in page, bool(causes))
        self.assertNotIn('href="#not-again"', self.page)

    def test_marks_the_bytes_that_two_report(self) -> None:
        """An error of both is marked as such; what others say marks nothing."""
        self.assertEqual(re.findall(r'<span class="mark (\w+)">(\w\w)</span>', self.page), [("reference", "E8"), ("both", "9A"), ("reference", "00"), ("both", "00")])
        self.assertEqual(marks("  bytes         61 61   (2 bytes, at offset 7 of 80)\n", "edge"), {7: "window", 8: "window"})
        self.assertEqual(marks("  bytes         61 61   (2 bytes)\n", "edge"), {})

    def test_a_long_input_is_shown_near_its_marks(self) -> None:
        """The beginning, the end, and what is near a mark; the bytes between are counted, and none is counted twice."""
        content = bytes(place * 7 % 251 for place in range(6000)) + b"a" * 200
        letter = "utf-8/edge differs from utf-8/reference\n  bytes         61 61   (2 bytes, at offset 3003 of 6200)\n"
        rows = dump({"input": content.hex(), "letter": letter, "codec": "edge"})["rows"]
        shown = [int(row["offset"], 16) for row in rows if "offset" in row]
        self.assertEqual(shown, [*range(0, 72, 8), *range(2936, 3072, 8), 6136])
        self.assertEqual([(kind, row[kind]) for row in rows for kind in ("far", "same") if kind in row], [("far", 2864), ("far", 3064), ("same", 56)])
        self.assertEqual(len(shown) * 8 + 2864 + 3064 + 56, len(content))

    def test_draws_the_executions_of_each_target(self) -> None:
        """A bar for each engine; the longest fills the width."""
        self.assertEqual(re.findall(r"<span>(\w+)</span><b>([0-9,]+)</b><span class=\"bar\"><i class=\"libfuzzer\" style=\"width: ([0-9.]+)%", self.page),
                         [("decode", "5,000", "100.00"), ("stream", "0", "0.00")])

    def test_says_why_there_is_no_page(self) -> None:
        """A summary that cannot be read gives a sentence, and leaves no half page."""
        (self.folder / "summary.json").write_text("{}")
        (self.folder / "report.html").unlink()
        self.assertIn("there is no report.html", write_page(self.folder) or "")
        self.assertFalse((self.folder / "report.html").exists())

    def test_fits_a_browser_wide_and_narrow(self) -> None:
        """In headless Chromium nothing sticks out of the page, and no text is too small; screenshots are kept in the build folder."""
        if browser() is None:
            self.skipTest("NOT LOOKED AT: there is no Chromium")
        (self.folder / "hunt-report.html").write_text(self.page, encoding="utf-8")
        self.assertEqual(faults(look(self.folder / "hunt-report.html", BUILD / "screenshots")), [])


class ForMachinesTest(unittest.TestCase):
    """JUnit XML, the step summary and the figures of coverage."""

    def test_junit_tells_findings_from_trouble(self) -> None:
        """A finding is a failure, trouble an error, what was not fuzzed is skipped."""
        suite = ElementTree.fromstring(junit({**SUMMARY, "trouble": "no disk\nmore"}))
        self.assertEqual([suite.get(name) for name in ("tests", "failures", "errors", "skipped")], ["4", "1", "1", "1"])
        self.assertEqual(suite.find("testcase/failure").text, LETTER)  # type: ignore[union-attr]

    def test_what_did_not_execute_was_not_fuzzed(self) -> None:
        """A target without an execution was not fuzzed, however many seconds it took."""
        idle = {**SUMMARY, "executions": 0, "jobs": [{**JOB, "executions": 0}]}
        self.assertEqual([case.get("classname") for case in ElementTree.fromstring(junit(idle)).findall("testcase[skipped]")], ["decode", "stream"])
        self.assertIn("\nnothing was fuzzed, seed 7, ", step_summary(idle))
        self.assertIn("\n2,500 executions in 2 s of fuzzing, seed 7, ", step_summary(SUMMARY))

    def test_what_was_left_undone_is_told(self) -> None:
        """The reason is the end of the hunt, not a lack of time."""
        target = {**SUMMARY["options"], "targets": ["decode", "roundtrip", "stream"]}
        short = {**SUMMARY, "options": target, "jobs": [JOB, {**JOB, "target": "roundtrip", "regime": "long"}]}
        self.assertIn("- not with short inputs by libfuzzer, as time was short: roundtrip\n", step_summary(short))
        left = [{"target": "roundtrip", "engine": "libfuzzer", "regime": "short", "name": "roundtrip libfuzzer short", "begun": False}]
        said = step_summary({**short, "ended_at": "utf8-x", "left": left})
        self.assertIn("- the hunt ended at utf8-x, as --fail-fast asks; --resume continues after it\n"
                      "- 1 of 3 pieces of work were not begun: roundtrip libfuzzer short\n", said)
        self.assertNotIn("not with short inputs by libfuzzer", said)

    def test_the_step_summary_holds_what_the_page_holds(self) -> None:
        """It holds the letter unchanged, what did not run, the codecs, coverage, corpora, and a row for each target."""
        said = step_summary({**SUMMARY, "merged": [{"before": 1234, "after": 56}, {"before": 1, "after": 1}]})
        for part in (LETTER.rstrip(), "- utf-8/neon needs neon, which did not run here: this processor", "- stream was not fuzzed with libfuzzer: not one",
                     "- utf-8: reference\n", "99.0 % of the lines and 87.5 % of the branches", "1,235 inputs of 2 corpora were merged into 57.",
                     "| decode | 4 | 5,000 | 2 | 2 |\n", "| stream | 0 | 0 | 0 | 0 |\n"):
            self.assertIn(part, said)
        self.assertNotIn("merged", step_summary(SUMMARY))

    def test_lines_count_as_covered_if_any_part_of_them_ran(self) -> None:
        """From segments (line, column, count, has a count) as llvm-cov gives them."""
        segments = [[1, 1, 5, True], [3, 5, 0, True], [5, 2, 0, False], [6, 1, 0, True], [7, 1, 0, False]]
        self.assertEqual(covered_lines(segments), {1: True, 2: True, 3: True, 4: False, 5: False, 6: False})
        self.assertEqual(ranges([4, 5, 9, 1]), "1, 4-5, 9")
        exported = {"data": [{"files": [{"filename": f"/x/{name}", "segments": segments, "branches": []}
                                        for name in ("codecs/dfa/a.c", "codecs/schemes/b.c", "codecs/simd/emulated_x.h", "codecs/cpu.c",
                                                     "codecs/swar/d.c", "harnesses/c.c")]}]}
        rows = rows_of(exported, Path("/x"))
        self.assertEqual([(row["file"], row["lines"], row["missed"], row["percent"]) for row in rows], [(f"codecs/{name}.c", 6, "4-6", 50.0) for name in ("dfa/a", "swar/d")])

    def test_branches_count_both_ways(self) -> None:
        """All instances of a template are counted together; constants do not count if their line ran."""
        lines = {1: True, 2: False}
        branches = [[1, 5, 1, 9, 0, 3], [1, 5, 1, 9, 2, 0], [1, 12, 1, 15, 0, 0], [1, 20, 1, 25, 7, 0], [2, 3, 2, 4, 0, 0]]
        total, missed = missed_branches(branches, lines)
        self.assertEqual((total, missed), (6, ["1:20 never false", "2:3 never true", "2:3 never false"]))
        row = {"lines": 2, "lines_missed": 1, "branches": total, "branches_missed": missed}
        self.assertEqual(in_all([row]), {"lines": 50.0, "branches": 50.0})


if __name__ == "__main__":
    unittest.main()
