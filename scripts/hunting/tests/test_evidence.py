# SPDX-License-Identifier: MIT
"""Tests of what programs print: letters, keys, sanitizers' reports, statistics."""

from __future__ import annotations

import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from hunting.engines.afl import Afl, gather_seeds, parse_stats
from hunting.engines.engine import codecs_that_ran
from hunting.engines.libfuzzer import LibFuzzer
from hunting.findings.evidence import keys, letters, letters_by_file, sanitizer_report
from hunting.findings.triage import Evidence, Origin, Triage
from hunting.targets import Target

LETTER = """\
utf-8/canary differs from utf-8/reference
  asked         validate; verdict differs
  bytes         C0 80   (2 bytes)
"""

LIBFUZZER_LOG = f"""\
INFO: seed corpus: files: 2 min: 1b max: 9b total: 10b rss: 40Mb
#3	INITED cov: 70 ft: 71 corp: 2/10b exec/s: 0 rss: 41Mb
#512	NEW    cov: 80 ft: 99 corp: 3/14b lim: 64 exec/s: 256 rss: 41Mb L: 4/9 MS: 1 InsertByte-
{LETTER}finding utf8-validate-canary-verdict
==7== ERROR: libFuzzer: deadly signal
    #0 0x1 in __sanitizer_print_stack_trace (fuzz_decode+0x1)
SUMMARY: libFuzzer: deadly signal
stat::number_of_executed_units: 600
stat::average_exec_per_sec:     300
"""

ASAN_LOG = """\
=================================================================
==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x5 bp 0x7 sp 0x7
READ of size 16 at 0x602 thread T0
    #0 0x51 in __asan_memcpy (fuzz_decode+0x51)
    #1 0x52 in avx2_validate /somewhere/codecs/simd/validate.h:12:3
    #2 0x53 in ask /somewhere/harnesses/core/question.c:200:5
SUMMARY: AddressSanitizer: heap-buffer-overflow /somewhere/codecs/simd/validate.h:12:3 in avx2_validate
"""

UBSAN_LOG = """\
/somewhere/codecs/dfa/engine.h:40:9: runtime error: shift exponent 64 is too large for 64-bit type 'uint64_t'
    #0 0x52 in step /somewhere/codecs/dfa/shift.c:12:3
SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior /somewhere/codecs/dfa/engine.h:40:9 in
"""

STATS = """\
start_time        : 1700000000
execs_done        : 60269
execs_per_sec     : 10021.45
corpus_count      : 564
edges_found       : 679
total_edges       : 1955
command_line      : afl-fuzz -V 6 -- ./fuzz_decode
"""


class LettersTest(unittest.TestCase):
    """Keys and letters."""

    def test_keys_of_fuzzers_and_of_diff(self) -> None:
        """Each once, in order; of a word that only begins so, none."""
        said = f"{LETTER}finding utf8-validate-canary-verdict\n{LETTER}  key           utf8-spans-avx2-written\nfindings utf-8\nfinding utf8-validate-canary-verdict\n"
        self.assertEqual(keys(said), ["utf8-validate-canary-verdict", "utf8-spans-avx2-written"])

    def test_a_key_has_parts(self) -> None:
        """Operations, codecs and fields may have hyphens."""
        triage = Triage(mock.Mock(plant=None), {}, mock.Mock(), Path(), {})
        for key, codec, operation, field in (("utf8-validate-avx2-no-error", "avx2", "validate", "no-error"), ("cesu8jdk-feed-utf16-my-one-written", "my-one", "feed-utf16", "written")):
            info = triage.info(key, f"utf-8/{codec} differs from utf-8/reference\n", Origin(Target("decode", "utf-8"), "corpus"), Evidence({}))
            self.assertEqual((info["codec"], info["operation"], info["field"]), (codec, operation, field))
        info = triage.info("utf8-law-avx2-ways-agree", "utf-8/avx2 breaks the law ways-agree\n", Origin(Target("convert", "utf-8"), "corpus"), Evidence({}))
        self.assertEqual((info["codec"], info["operation"], info["field"]), (None, None, None))

    def test_reads_a_letter_and_its_key(self) -> None:
        """A letter is read whatever is printed before and after it."""
        self.assertEqual(letters(LIBFUZZER_LOG), {"utf8-validate-canary-verdict": LETTER})

    def test_tells_files_apart(self) -> None:
        """A replayer prints the file after all findings of the file."""
        text = f"{LETTER}finding a-key\n{LETTER}finding b-key\nin /one\n{LETTER}finding a-key\nin /two\n2 files replayed, 3 findings\n"
        self.assertEqual([(key, where) for key, _, where in letters_by_file(text)],
                         [("a-key", "/one"), ("b-key", "/one"), ("a-key", "/two")])

    def test_reads_a_broken_law(self) -> None:
        """A broken law of the reference has a letter, too."""
        text = "utf-8/reference breaks the law bytes-come-back\n  bytes         41 (1 bytes)\nfinding law-bytes-come-back\n"
        self.assertEqual(list(letters(text)), ["law-bytes-come-back"])

    def test_finds_nothing_in_nothing(self) -> None:
        """A text without a finding has no letter."""
        self.assertEqual(letters("403 files replayed, 0 findings\nfinding\n"), {})


class SanitizerTest(unittest.TestCase):
    """Reports of sanitizers."""

    def test_names_kind_and_function(self) -> None:
        """The function is the innermost one of a codec."""
        for log, key in ((ASAN_LOG, "heap-buffer-overflow-avx2_validate"), (UBSAN_LOG, "undefined-step"),
                         ("==1== ERROR: libFuzzer: timeout after 2 seconds\n", "timeout-harness"),
                         ("==1== ERROR: libFuzzer: out-of-memory (used: 3Mb; limit: 2Mb)\n", "out-of-memory-harness")):
            report = sanitizer_report(log)
            self.assertIsNotNone(report)
            assert report is not None
            self.assertEqual(report[0], key)

    def test_is_silent_where_no_sanitizer_spoke(self) -> None:
        """A clean log is no report."""
        self.assertIsNone(sanitizer_report("#2 INITED cov: 1 ft: 1 corp: 1/1b\nDone 2 runs\n"))


class FiguresTest(unittest.TestCase):
    """Statistics of the engines."""

    def test_reads_what_libfuzzer_did(self) -> None:
        """The executions come from its statistics, the coverage from its last line."""
        figures = LibFuzzer().figures(Path("."), LIBFUZZER_LOG)
        self.assertEqual((figures.executions, figures.edges, figures.features, figures.corpus), (600, 80, 99, 3))

    def test_reads_libfuzzer_without_statistics(self) -> None:
        """A killed run has its status lines only; a run that never started has nothing."""
        log = LIBFUZZER_LOG[:LIBFUZZER_LOG.index("stat::")]
        self.assertEqual(LibFuzzer().figures(Path("."), log).executions, 512)
        self.assertEqual(LibFuzzer().figures(Path("."), "").executions, 0)

    def test_reads_what_afl_did(self) -> None:
        """The figures come from fuzzer_stats; the file may be missing."""
        self.assertEqual(parse_stats(STATS)["execs_done"], "60269")
        with TemporaryDirectory() as folder:
            self.assertEqual(Afl().figures(Path(folder), "").executions, 0)
            stats = Path(folder) / "sync/default/fuzzer_stats"
            stats.parent.mkdir(parents=True)
            stats.write_text(STATS)
            figures = Afl().figures(Path(folder), "")
        self.assertEqual((figures.executions, figures.edges, figures.edges_known, figures.corpus), (60269, 679, 1955, 564))

    def test_reads_which_codecs_ran(self) -> None:
        """No codec ran if no answer was compared."""
        self.assertEqual(codecs_that_ran("ran decode reference shift (12 answers compared, 0 skipped)\n"), ["reference", "shift"])
        self.assertEqual(codecs_that_ran("ran decode reference (0 answers compared, 9 skipped)\n"), [])
        self.assertEqual(codecs_that_ran("nothing"), [])


class RefusalTest(unittest.TestCase):
    """An engine that could not work is trouble, not a finding; one that found something is no trouble."""

    def test_tells_crashes_from_refusals(self) -> None:
        """libFuzzer crashed if it wrote an input."""
        engine = LibFuzzer()
        self.assertIsNone(engine.refusal(0, "", False))
        self.assertIsNone(engine.refusal(72, "", False))
        self.assertIsNone(engine.refusal(77, LIBFUZZER_LOG, True))
        self.assertIsNotNone(engine.refusal(1, "ERROR: no such folder\n", False))
        self.assertEqual(engine.refusal(2, "fuzz_decode: ASSAY_WITHOUT: no instruction set is called 'x'\n", False),
                         "fuzz_decode: ASSAY_WITHOUT: no instruction set is called 'x'")

    def test_does_not_take_a_lack_of_memory_for_a_crash(self) -> None:
        """libFuzzer saves an input when a target ends the program itself."""
        log = "assay: no memory for a buffer of 9 bytes\n==1== ERROR: libFuzzer: fuzz target exited\n"
        self.assertEqual(LibFuzzer().refusal(77, log, True), "assay: no memory for a buffer of 9 bytes")

    def test_says_why_afl_refuses(self) -> None:
        """The refusal is AFL++'s own message, on one line."""
        log = "[-] Hmm, your system is configured to send core dumps\n\n[-] PROGRAM ABORT : Pipe at the beginning of\n" \
              "    'core_pattern'\n         Location : check_crash_handling(), src/afl-fuzz-init.c:2334\n"
        self.assertEqual(Afl().refusal(1, log, False), "Pipe at the beginning of 'core_pattern'")
        self.assertIsNone(Afl().refusal(0, log, False))
        self.assertIsNotNone(Afl().refusal(1, "", False))

    def test_gathers_flat_seeds(self) -> None:
        """Equal names in two folders stay apart, empty files are left out, long ones are cut."""
        with TemporaryDirectory() as folder:
            root = Path(folder)
            for name, content in (("a/x", b"1"), ("b/x", b"2"), ("b/y", b""), ("b/z", b"z" * 99999)):
                (root / name).parent.mkdir(exist_ok=True)
                (root / name).write_bytes(content)
            gather_seeds([root / "a", root / "b"], root / "out")
            self.assertEqual([(path.name, path.stat().st_size) for path in sorted((root / "out").iterdir())],
                             [("0-x", 1), ("1-x", 1), ("1-z", 2048)])
            with mock.patch.object(Path, "read_bytes", side_effect=[FileNotFoundError, b"", b"z"]):  # it was there when listed
                gather_seeds([root / "b"], root / "again")
            self.assertEqual([path.name for path in (root / "again").iterdir()], ["0-z"])


if __name__ == "__main__":
    unittest.main()
