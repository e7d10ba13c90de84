# SPDX-License-Identifier: MIT
"""`assay bench`: what is measured, what is refused, and that a wrong answer is never timed."""

from __future__ import annotations

import json
import operator
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from itertools import islice
from pathlib import Path
from typing import Any, Dict, Iterator, List
from unittest import mock

from .driver import ASSAY, CANARY, COMPILER, ROOT, loadable
from .test_cli import printed_on_terminal

PEERS = {path.stem for path in (Path(ASSAY).parent / "subjects").glob("*.so")}
OURS = "hoehrmann2010,shift"


def without_neighbours(readings: str = "1", clock: str = "1") -> Dict[str, str]:
    """An environment in which the calibrator's readings are those of the test, whatever else runs on the machine."""
    return {**os.environ, "ASSAY_BENCH_NEIGHBOUR": readings, "ASSAY_BENCH_CLOCK": clock}


def bench(*arguments: str, readings: str = "1", clock: str = "1") -> subprocess.CompletedProcess[str]:
    """Runs the command with the fewest turns for each runner."""
    return subprocess.run([ASSAY, "bench", "--no-peers", "--seconds", "0", *arguments], capture_output=True, text=True, check=False,
                          env=without_neighbours(readings, clock))


def cells(*arguments: str) -> List[Dict[str, Any]]:
    """The cells of a report."""
    done = bench("--json", *arguments)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return list(json.loads(done.stdout)["cells"])


def strings_in(kept: bytes) -> Iterator[bytes]:
    """The strings that the codec `recorder` kept, each after its length."""
    at = 0
    while at < len(kept):
        begin = kept.index(b" ", at) + 1
        at = begin + int(kept[at:begin])
        yield kept[begin:at]


# A letter: the codec, the operation, the input and its size, and the command that asks again.
LETTER = re.compile(r"""(?m)^[a-z0-9-]+/(\S+) differs from \S+/reference
  asked         ([a-z0-9-]+)\b.* differs
  (?:bytes|units) +(.*?)   \((\d+) [a-z]+\)
  reference .*
  \1 .*
  again         (.* diff .*)
""")


class BenchTest(unittest.TestCase):
    """Small runs."""

    def test_measures_what_was_chosen(self) -> None:
        """Measures every chosen operation, in the order given, and the limit last."""
        for cell in cells("-c", OURS, "--text", "ru", "--size", "4K,1..64"):
            names = [runner["name"] for runner in cell["runners"]]
            self.assertEqual(names[:2], OURS.split(","), cell)
            self.assertEqual(cell["runners"][-1]["kind"], "limit")
            self.assertEqual(names[-1] == "call", cell["size"] == "1..64")
            self.assertGreater(cell["strings"], 10)
            for runner in cell["runners"]:
                self.assertLess(0, runner["minimum_ns"])
                self.assertLessEqual(runner["minimum_ns"], runner["median_ns"])
                self.assertGreaterEqual(runner["samples"], 5)

    def test_a_text_keeps_its_length_and_its_characters(self) -> None:
        """Strings end at character boundaries; UTF-32 has four bytes for each character."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t"
            path.write_text("\u4e16" * 1000, encoding="utf-8")
            validate, encode = cells("-c", "shift", "--text", f"@{path}", "--size", "20000", "--operation", "validate,from-utf32")
        self.assertEqual(validate["bytes"], 19998 * validate["strings"])
        self.assertEqual(encode["bytes"], 4 * 6666 * validate["strings"])

    def test_takes_strings_of_any_length(self) -> None:
        """Sizes may be shorter than a character; the total size is the one that the help states."""
        for text, share in (("ascii", 1), ("ru", 0.7), ("ccp", 0.5)):
            for cell in cells("-c", "shift", "--text", text, "--size", "1,2,3,4,5,7,8,1..4,3..5,4095,4097,99999", "--operation", "validate"):
                self.assertTrue(cell["strings"] == 524288 or cell["bytes"] >= share * (2 << 20), cell)
                self.assertLessEqual(cell["bytes"], cell["strings"] * max(4, int(cell["size"].split("..")[-1])), cell["size"])

    def test_damaged_text_is_decoded_and_not_validated(self) -> None:
        """Operations that stop at the first error are not timed on damaged text."""
        found = cells("-c", "shift", "--text", "ru~10,ru", "--size", "1K")
        self.assertEqual({cell["operation"] for cell in found if cell["text"] == "ru-cyrillic~10"}, {"lossy-utf16", "lossy-utf32", "to-well-formed"})
        self.assertIn("validate", {cell["operation"] for cell in found if cell["text"] == "ru-cyrillic"})
        self.assertEqual(bench("--text", "ru~1", "--operation", "validate").returncode, 2)

    def test_every_encoding_can_be_measured(self) -> None:
        """Texts are converted to the encoding."""
        for encoding, size in (("utf-16be", 2), ("cesu-8", 6)):
            cell, = cells("-e", encoding, "-c", "reference", "--text", "ccp", "--size", "8K", "--operation", "to-utf32")
            self.assertGreater(cell["bytes"], 8000 * size // 6)

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_no_runner_gets_text_that_branch_predictors_can_memorise(self) -> None:
        """Long texts do not repeat a short file, and each sheet is different; all are checked before any is timed."""
        french = (ROOT / "corpus" / "text" / "fr-latin.txt").read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            kept, long = (str(Path(folder) / name) for name in ("kept", "long"))
            library = loadable(Path(folder), "recorder", KEPT=f'"{kept}"')
            Path(long).write_bytes(bytes(range(128)) * 262145)

            def given(text: str, seed: str, size: str = "128K") -> List[bytes]:
                """The sheets that are checked, of one string each. After them come damaged strings, 1 MiB of them, each asked twice; then all sheets in
                rotation, some of the sheets, and damaged strings again."""
                cell, = cells("--peer", library, "-c", "recorder", "--operation", "validate", "--size", size, "--text", text, "--seed", seed)
                strings = list(strings_in(Path(kept).read_bytes()))
                count = cell["strings"]
                damaged, again = 2 * {"128K": 8, "1M": 1}[size], len(range(0, count, count // 8 + 1))
                checked, timed = strings[:count], strings[count + damaged:-damaged - again]
                self.assertEqual(len(set(checked) & set(strings[count:count + damaged])), 0)
                self.assertEqual(sum(map(len, checked)), cell["bytes"])
                self.assertGreater(len(timed), 5)
                self.assertTrue(timed[:count] == checked[:len(timed)], "timed in another order")
                self.assertTrue(timed[count:] == timed[:max(0, len(timed) - count)], "timed in another order the second time")
                return checked

            sheets = given("fr", "1")
            self.assertTrue(sheets == given("fr", "1"), "a seed is no seed")
            self.assertTrue(sheets != given("fr", "2"), "any seed does the same")
            self.assertEqual(len(set(given("fr", "1", "1M"))), 32, "these come in turn, more than once")
            self.assertTrue(b"".join(given(f"@{long}", "1")) == Path(long).read_bytes()[:32 << 20], "cut, though it is long enough")
        self.assertEqual(len(set(sheets)), 256)
        for sheet in sheets[:16]:
            again = sum(map(operator.eq, sheet, sheet[len(french):]))
            self.assertLess(again, 0.2 * len(sheet))
            self.assertLessEqual(131072 - 3, len(sheet))
            self.assertLessEqual(set(sheet.decode()), set(french.decode()))

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_long_strings_begin_at_any_address(self) -> None:
        """Strings of all sizes, also powers of two, begin at different places in a cache line."""
        with tempfile.TemporaryDirectory() as folder:
            kept = Path(folder) / "kept"
            library = loadable(Path(folder), "recorder", KEPT=f'"{kept}"', PLACES="1")
            # 128 strings are checked, then four damaged ones, twice each
            for size, places, mebibytes, checked in (("256K", 64, 32, 128 + 2 * 4), ("4K", 64, 2, 0)):
                kept.unlink(missing_ok=True)
                cell, = cells("--peer", library, "-c", "recorder", "--operation", "validate", "--size", size, "--text", "ascii")
                given = kept.read_text(encoding="ascii").split()[checked:][:6 if checked else cell["strings"]]
                self.assertEqual(cell["bytes"], mebibytes << 20)
                self.assertEqual(len(set(given)), min(places, len(given)))
                self.assertGreater(len(given), 5)

    @unittest.skipUnless(PEERS, "no peer was built")
    def test_peers_give_the_reference_s_answers(self) -> None:
        """On real text, clean and damaged, each peer has an operation and gives the reference's answers; but GLib converts surrogates
        and values beyond U+10FFFF (harnesses/subjects/deviations.def)."""
        done = subprocess.run([ASSAY, "bench", "--json", "--seconds", "0", "--text", "vi,ccp,vi~10", "--size", "2K,1..64"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = LETTER.sub("", done.stderr).splitlines()
        self.assertEqual([line for line in said if " without the peers " not in line and " left out " not in line], [])
        letters = LETTER.findall(done.stderr)
        found = [(cell["operation"], runner) for cell in json.loads(done.stdout)["cells"] for runner in cell["runners"] if runner["kind"] == "peer"]
        self.assertLessEqual({(operation, runner["name"]) for operation, runner in found if "differs" in runner}, {("from-utf32", "glib"), ("to-utf32", "glib"), ("to-utf16", "glib")})
        self.assertEqual(sorted({(operation.replace("to", "decode").replace("from", "encode"), runner["name"]) for operation, runner in found if "differs" in runner}),
                         sorted((operation, name) for name, operation, *_ in letters))
        for *_, again in letters:
            self.assertEqual(subprocess.run(again, shell=True, capture_output=True, check=False).returncode, 1, again)
        self.assertEqual({runner["name"] for _, runner in found}, PEERS)

    @unittest.skipUnless(PEERS, "no peer was built")
    def test_says_which_peers_are_absent(self) -> None:
        """Peers that were not built beside the program are reported, unless peers are not requested."""
        chosen = ("--seconds", "0", "--text", "ascii", "--size", "1K", "--operation", "validate")
        with tempfile.TemporaryDirectory() as folder:
            alone = Path(folder) / "assay"
            shutil.copy(ASSAY, alone)
            for more, absent in (((), sorted(path.stem for path in (ROOT / "harnesses" / "subjects").glob("*.c*") if path.suffix in (".c", ".cpp"))),
                                 (("-c", "shift,ico*"), ["iconv"]), (("-c", "shift"), []), (("--no-peers",), []), (("-e", "wtf-8"), [])):
                done = subprocess.run([alone, "bench", *chosen, *more], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                printed = re.findall(r"(?m)^assay bench: without the peers ([^:]*): `cmake .*$", done.stderr)
                self.assertEqual([name for line in printed for name in line.split(", ")], absent, more)
        self.assertNotIn(min(PEERS), subprocess.run([ASSAY, "bench", *chosen], capture_output=True, text=True, check=True).stderr)

    def test_reports_operations_that_are_left_out(self) -> None:
        """One line names the operations that stop at an error; no line if none was named or no text is damaged."""
        chosen = ("-c", "shift", "--size", "1K", "--operation", "validate,lossy-utf16,from-utf16")
        self.assertEqual(bench(*chosen, "--text", "ru~10,ru~1,ru").stderr, "assay bench: left out of what is ill-formed, since they stop "
                                                                           "at the first error: validate, from-utf16\n")
        self.assertEqual(bench(*chosen, "--text", "ru").stderr, "")
        self.assertEqual(bench("-c", "shift", "--size", "1K", "--operation", "validate").stderr, "")

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_a_wrong_answer_is_not_timed(self) -> None:
        """A peer that differs is reported; a codec of ours that differs fails the run."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "wrong_once")
            chosen = ("-c", "shift,wrong", "--text", "ru", "--size", "4K", "--operation", "validate,count")
            done = bench("--peer", library, "--json", *chosen)
            self.assertEqual(done.returncode, 0, done.stderr)
            validate, count = json.loads(done.stdout)["cells"]
            self.assertIn({"name": "wrong", "kind": "peer", "differs": True}, validate["runners"])
            self.assertEqual([runner["name"] for runner in count["runners"]], ["shift", "load"])
            self.assertIn("differs", bench("--peer", library, *chosen).stdout)
            done = bench("--codec", library, *chosen)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("wrong differs from the reference: validate of ru-cyrillic, 4K", done.stderr)

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_a_wrong_answer_has_a_letter(self) -> None:
        """One for each codec and operation: a shortest input, and a command that asks about it again. An answer that is right when asked again has a line."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "text").write_text("Жё, and this is 漢字! " * 500, "utf-8")
            broken = {member: loadable(folder, "damaging", member, OPERATION=member, DAMAGE="out[i]++") for member in ("decode_utf16", "encode_utf16", "count")}
            lying = loadable(folder, "lying", NAME='"lying"', ENCODING='"utf-16le"', RESULT=".status = ASSAY_OK")
            ways = [(ASSAY, ("--peer", broken["decode_utf16"], "-c", "shift,broken"), "to-utf16", "decode-utf16", "21"),
                    (ASSAY, ("--codec", broken["encode_utf16"], "-c", "broken"), "from-utf16", "encode-utf16", "0021"),
                    (ASSAY, ("--peer", broken["count"], "-c", "shift,broken"), "count", "count", "21"),
                    (ASSAY, ("--peer", lying, "-c", "*", "-e", "utf-16le"), "validate", "validate", None),
                    (CANARY, ("-c", "canary"), "validate", "validate", "C0 80")]
            for program, chosen, operation, asked, shortest in ways:
                with self.subTest(operation=operation, chosen=chosen):
                    done = subprocess.run([program, "bench", "--no-peers", "--seconds", "0", *chosen, "--operation", operation, "--size", "64,4K", "--text", f"@{folder}/text"],
                                          capture_output=True, text=True, check=False, env=without_neighbours())
                    self.assertIn("differs", done.stdout)
                    (_, said, input_, count, again), = LETTER.findall(done.stderr)
                    self.assertEqual((said, input_ if shortest else len(input_) <= 5), (asked, shortest or True), done.stderr)
                    self.assertEqual(int(count), len(input_.split()))
                    repeated = subprocess.run(again, shell=True, capture_output=True, text=True, check=False)
                    self.assertEqual(repeated.returncode, 1, again)
                    self.assertIn(done.stderr[:done.stderr.index("\n")], repeated.stdout)
            done = bench("--peer", loadable(folder, "wrong_once"), "-c", "shift,wrong", "--text", "ascii", "--size", "64", "--operation", "validate")
            self.assertIn("assay bench: wrong differs from the reference, but not when it is asked again: validate\n", done.stderr)

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_every_string_is_checked(self) -> None:
        """A peer that is wrong about the 200th of 256 strings only is not timed."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "dying", NAME='"late"', END="return false", WHEN="calls == 200", ANSWER="valid_up_to(bytes, count) == count")
            done = bench("--json", "--peer", library, "-c", "shift,late", "--text", "ru", "--size", "128K", "--operation", "validate")
            self.assertIn({"name": "late", "kind": "peer", "differs": True}, json.loads(done.stdout)["cells"][0]["runners"])

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_a_validator_that_is_right_about_well_formed_text_only_is_not_timed(self) -> None:
        """Always yes; yes unless there is an FF; right until it has been asked 280 times, so that it is timed when it is wrong."""
        right = "valid_up_to(bytes, count) == count"
        with tempfile.TemporaryDirectory() as folder:
            for when, answer, sizes in (("false", "true", ("64", "4K", "128K")), ("false", "__builtin_memchr(bytes, 0xFF, count) == NULL", ("64", "4K", "128K")),
                                        ("calls > 280", right, ("128K",)), ("false", right, ("64", "4K", "128K"))):
                library = loadable(Path(folder), "dying", NAME='"yes"', END="return true", WHEN=when, ANSWER=answer)
                for size in sizes:
                    runners = cells("--peer", library, "-c", "shift,yes", "--text", "ru", "--size", size, "--operation", "validate")[0]["runners"]
                    self.assertEqual(runners[1].get("differs", False), (when, answer) != ("false", right), (when, answer, size))
                    self.assertNotIn("differs", runners[0])

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_a_peer_that_writes_where_it_may_not_is_reported(self) -> None:
        """To the text, which the others are given, too; the report has the string that was asked about."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "dying", NAME='"writing"', END="return true", WHEN="false", ANSWER="(((uint8_t *)bytes)[0] = 'a', true)")
            done = bench("--peer", library, "-c", "shift,writing", "--text", "ascii", "--size", "17", "--operation", "validate")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr + done.stdout, r"(?s)utf-8/writing gives no answer.*SIGSEGV.*\(17 bytes\)")

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_a_peer_cannot_have_the_name_of_a_limit(self) -> None:
        """Nor that of an empty codec: figures of both would be taken for each other's."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("load", "move", "call", "empty-peer", "empty-codec", "noisy", "differs"):
                library = loadable(Path(folder), "example", NAME=f'"{name}"')
                for option in ("--peer", "--codec"):
                    done = bench(option, library, "--text", "ascii", "--seconds", "3600")
                    self.assertEqual((done.returncode, done.stdout), (2, ""))
                    self.assertIn(f"a codec cannot be called '{name}' here", done.stderr)

    def test_names_of_texts_are_printed_whole(self) -> None:
        """As many characters as fit, not bytes; a name that would change the terminal is refused."""
        chosen = ("-c", "shift", "--operation", "validate", "--size", "64", "--text")
        with tempfile.TemporaryDirectory() as folder:
            for name in ("ж", "жж語語語"):
                (Path(folder) / name).write_text("text", "ascii")
                printed = bench(*chosen, f"@{folder}/{name}").stdout
                self.assertRegex(printed, rf"(?m)^  {re.escape(f'@{folder}/{name}'[:20].ljust(20))}[ 0-9.]{{7}}[0-9] ")
        for control in ("\x1b[31m", "\x7f", "\n", "\x9b31m"):
            done = bench(*chosen, f"@/tmp/a{control}b")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("a name has control characters", done.stderr)

    def test_a_table_fits_the_terminal(self) -> None:
        """Columns that do not fit are printed below, each once, with the texts again; the ratios are last. Elsewhere a table is whole."""
        chosen = ("bench", "--no-peers", "--seconds", "0", "-c", "hoehrmann*,shift*", "--operation", "validate", "--size", "64", "--text", "ascii,ru")
        with mock.patch.dict(os.environ, without_neighbours()):
            parts = {columns: printed_on_terminal(*chosen, columns=columns).split("\33[K")[-1].replace("\r", "") for columns in (24, 50, 80, 200)}
        parts[0] = bench(*chosen[2:]).stdout
        for columns, printed in parts.items():
            heads = re.findall(r"(?m)^  text(.*)$", printed)
            self.assertEqual(" ".join(heads).split(), ["hoehrmann2008", "hoehrmann2010", "hoehrmann_loop", "shift", "shift_bmi2", "call", "x", "peer", "x", "limit"], columns)
            for text in "ascii", "ru-cyrillic":
                figures = re.findall(rf"(?m)^  {text}(.*)$", printed)
                self.assertEqual([len(line) for line in figures], [len(head) - len(text) + 4 for head in heads], columns)
                self.assertEqual(len(" ".join(figures).replace("no limit", "-").split()), 8, columns)
            if columns >= 50:
                self.assertEqual([line for line in printed.splitlines() if len(line) > columns], [])
        self.assertEqual([len(re.findall(r"(?m)^  text", parts[columns])) for columns in (24, 50, 80, 200, 0)], [7, 4, 2, 1, 1])

    def test_reports_regressions(self) -> None:
        """Compares ratios to the limit: half the ratio is a regression, a higher ratio is not. Other strings are said to be others."""
        chosen = ("-c", "shift", "--text", "ru", "--size", "4K", "--operation", "to-utf16")
        report = json.loads(bench("--json", *chosen).stdout)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "old.json"
            for factor, code in ((0.2, 1), (5, 0)):
                old = json.loads(json.dumps(report))
                old["cells"][0]["runners"][0]["minimum_ns"] *= factor
                path.write_text(json.dumps(old), encoding="utf-8")
                done = bench("--compare", str(path), *chosen)
                self.assertEqual(done.returncode, code, done.stderr)
                printed = "slower: shift, to-utf16 of ru-cyrillic, 4K bytes"
                self.assertEqual(re.findall(rf"{printed}.* lost, looked at (\d) times", done.stderr), ["3"] * code, done.stderr)
                self.assertNotIn("seed", done.stderr)
            path.write_text(json.dumps({**report, "seed": 7}), encoding="utf-8")
            self.assertIn("is of seed 7, so of other strings of the same texts", bench("--compare", str(path), *chosen).stderr)
            path.write_text(json.dumps({**report, "encoding": "wtf-8"}), encoding="utf-8")
            done = bench("--compare", str(path), *chosen)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("is of wtf-8, not of utf-8", done.stderr)
            for content in ("{}", "no json", json.dumps({"assay_bench": 1, "cells": [{}]}), json.dumps({"assay_bench": 1, "cells": []})):
                path.write_text(content, encoding="utf-8")
                self.assertEqual(bench("--compare", str(path), *chosen).returncode, 2, content)

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_a_busy_moment_is_no_regression(self) -> None:
        """A cell with a slower codec is measured again: a codec that is slow only in the first measurement, of 22 calls, is not reported."""
        chosen = ("-c", "sluggish", "--text", "ascii", "--size", "2M", "--operation", "validate")
        with tempfile.TemporaryDirectory() as folder:
            old = Path(folder) / "old.json"
            for slow, code, looks in ((0, 0, None), (22, 0, 2), (1000, 1, 3)):
                library = loadable(Path(folder), "sluggish", str(slow), SLOW=str(slow), READS="0")
                if looks is None:
                    old.write_text(bench("--json", "--codec", library, *chosen).stdout, encoding="utf-8")
                    continue
                done = bench("--json", "--margin", "90", "--compare", str(old), "--codec", library, *chosen)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(json.loads(done.stdout)["cells"][0]["looks"], looks)
                self.assertIn("1 cell was measured again", done.stderr)

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_a_ratio_below_its_floor_fails(self) -> None:
        """The last matching line of the floors counts; a cell below its floor is measured three times; a run without any floor to check
        fails. Strings are short, so that even a peer that does nothing takes longer than reading the clock."""
        with tempfile.TemporaryDirectory() as folder:
            path, peer = Path(folder) / "floors", loadable(Path(folder), "sluggish", SLOW="0")
            chosen = ("--peer", peer, "-c", "shift,sluggish", "--text", "ascii,ru", "--size", "64", "--operation", "validate", "--check", str(path))
            for lines, code, printed in (("* * * 1e-9 # all", 0, "2 of 2 figures have a floor in .* and a peer; 0 below\n"),
                                         ("* * * 1e-9\nvalidate * rru* 1\nto-utf16 * ru* 1", 0, "; 0 below; 2 of 3 lines of the file match nothing that was measured\n"),
                                         ("* * * 1e9\n\nvalidate 64 ru* 1e-9\n", 1, "below: validate of ascii, 64 bytes: shift has .* times the rate of "
                                          r"sluggish, the floor is 1000000000\.00 \(looked at 3 times\)\n.*; 1 below"),
                                         ("to-utf16 * * 1", 2, "nothing that was measured has a floor in .* and a peer"), ("", 2, "has no floor"),
                                         ("* * 1", 2, "line 1 of .* is not OPERATION SIZE TEXT RATIO"), ("# x\n* * * 0", 2, "line 2 of"),
                                         ("* * * 1 2", 2, "line 1 of"), ("* * * 1\n\0* * * 9", 2, "line 2 of .* has a NUL"), ("* * * inf", 2, "line 1 of"),
                                         (f"# {'x ' * 300}\n* * * 1\nvaldate * * 1", 2, "line 3 of .*: there is no operation 'valdate'")):
                path.write_text(lines, encoding="utf-8")
                done = bench(*chosen)
                self.assertEqual(done.returncode, code, (lines, done.stderr))
                self.assertRegex(done.stderr, printed)
            path.write_text("* * * 1", encoding="utf-8")
            done = bench("-c", "shift", "--text", "ascii", "--size", "64", "--seconds", "3600", "--check", str(path))
            self.assertEqual(done.returncode, 2)
            self.assertIn("no peer is measured", done.stderr, "said before an hour is over")
            self.assertIn("cannot be read: Is a directory", bench(*chosen[:-1], folder).stderr)

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_the_time_of_an_adapter_is_subtracted_from_peers(self) -> None:
        """An adapter that takes thousands of cycles more than the peer: what remains is the time of a codec that does nothing. Nothing is
        subtracted for strings of more than 4 KiB; if there is no empty peer beside the program, the output says so."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            alone, adapter = folder / "assay", ROOT / "harnesses" / "subjects" / "empty" / "empty_peer.c"
            shutil.copy(ASSAY, alone)
            (folder / "corpus").symlink_to(ROOT / "corpus")
            chosen = ("--no-peers", "--peer", loadable(folder, "example", NAME='"example"'), "-c", "shift,example", "--text", "ascii", "--operation", "validate", "--seconds", "0")

            def printed(*more: str) -> str:
                """The output of a copy of the program."""
                return subprocess.run([alone, "bench", *chosen, *more], capture_output=True, text=True, check=True, env=without_neighbours()).stdout

            self.assertIn("peers: with what their adapters take, which was not measured", printed("--size", "64"))
            (folder / "subjects" / "empty").mkdir(parents=True)
            loadable(folder / "subjects" / "empty", adapter, SPINS="4000")
            short, middle, mixed, long = json.loads(printed("--json", "--size", "64,4K,mixed,64K"))["cells"]
            for cell in middle, mixed:
                self.assertGreater(cell["runners"][1]["adapter_ns"] / cell["strings"], 100)
            self.assertRegex(printed("--size", "4K"), r"peers: less \d+\.\d\d to \d+\.\d\d ns a string, which an adapter takes")
            self.assertEqual([runner["kind"] for runner in short["runners"]], ["codec", "peer", "limit"])
            for runner in short["runners"]:
                self.assertGreater(runner["minimum_ns"], 0)
                if runner["kind"] == "peer":
                    self.assertLess(runner["minimum_ns"], runner["adapter_ns"])
                    self.assertLessEqual(runner["minimum_ns"], runner["median_ns"])
                else:
                    self.assertNotIn("adapter_ns", runner)
            self.assertEqual({runner.get("adapter_ns", 0) for runner in long["runners"]}, {0})
            for option in (), ("--long",):
                self.assertRegex(printed("--size", "64", *option), r"peers: less \d+\.\d\d to \d+\.\d\d ns a string, which an adapter takes")
            direct, = json.loads(printed("--json", "--size", "64", "--direct", "exam*"))["cells"]
            self.assertEqual([(runner["adapter_ns"], runner["direct"]) for runner in direct["runners"] if runner["kind"] == "peer"], [(0, True)])
            self.assertIn("\n  direct peers: as measured\n", printed("--size", "64", "--direct", "example"))
            self.assertIn("--direct: no peer that is measured is called 'shift'", bench("-c", "shift", "--direct", "shift").stderr)

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_a_limit_that_a_codec_beats_is_not_called_a_limit(self) -> None:
        """A codec that reads nothing when it is timed beats the limit; in a cell where it takes longer than reading everything, the ratio is printed."""
        chosen = ("-c", "sluggish", "--text", "ascii", "--operation", "validate", "--size", "2M")
        with tempfile.TemporaryDirectory() as folder:
            for slow, is_beaten in (("0", True), ("1000000", False)):
                library = loadable(Path(folder), "sluggish", slow, SLOW=slow, READS="17")
                for kind in ("--codec", "--peer"):
                    printed = bench(kind, library, *chosen).stdout
                    row = re.search(r"(?m)^  ascii .*$", printed)
                    assert row is not None
                    self.assertEqual(row[0].endswith(" no limit"), is_beaten, printed)
                    self.assertEqual("no limit: in 1 of 1 cells a codec or a peer was faster" in printed, is_beaten, printed)
                self.assertEqual(" no limit" in bench("--codec", library, "--long", *chosen).stdout, is_beaten)

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_random_texts_and_mixed_lengths(self) -> None:
        """Each seed gives its own text; mixed lengths have each power of two up to 64K."""
        with tempfile.TemporaryDirectory() as folder:
            kept = Path(folder) / "kept"
            library = loadable(Path(folder), "recorder", KEPT=f'"{kept}"')

            def given(text: str, size: str) -> List[bytes]:
                """The strings on which a codec was checked."""
                kept.unlink(missing_ok=True)
                cell, = cells("--peer", library, "-c", "recorder", "--operation", "validate", "--size", size, "--text", text)
                return list(islice(strings_in(kept.read_bytes()), cell["strings"]))

            texts = [b"".join(given(f"random:{seed}", "32K")) for seed in (1, 2, 3, 1)]
            self.assertTrue(texts[0] == texts[3], "a seed is no seed")
            self.assertEqual(len(set(texts)), 3)
            for text in texts:
                self.assertGreater(len(set(text.decode())), 20)
            doublings = {len(string).bit_length() for string in given("random:1", "mixed")}
            self.assertLessEqual(set(range(3, 17)), doublings)

    def test_rounds_are_merged(self) -> None:
        """A cell is reported once, however often it is measured, with the share of quiet turns."""
        cell, = cells("-c", "shift", "--text", "ru", "--size", "4K", "--operation", "validate", "--rounds", "3")
        for runner in cell["runners"]:
            self.assertTrue(0 <= runner["quiet"] <= 1, runner)
        self.assertIn("The readings of the calibrator were replaced", bench("-c", "shift", "--text", "ru", "--size", "64", "--operation", "validate").stdout)
        self.assertEqual(json.loads(bench("--json", "-c", "shift", "--text", "ru", "--size", "64", "--operation", "validate").stdout)["calibrator"], "replaced")
        self.assertIn("of the turns were quiet", bench("-c", "shift", "--text", "ru", "--size", "4K", "--operation", "validate").stdout)

    def test_figures_with_a_neighbour_are_refused(self) -> None:
        """With fewer than five quiet turns, or one in ten, no figure and no ratio is printed; the JSON has both, marked. A turn is quiet if
        the readings before and after it are at most 1.1 times those of a core alone. The first 32 readings belong to no turn."""
        chosen = ("-c", "shift", "--text", "ru", "--size", "4K", "--operation", "validate")
        calm, noise = "1," * 500, "2," * 52
        for readings, refused, quiet in (("1", False, "100"), ("1.05,1", False, "100"), ("2", True, "0"), ("1.2,1.2,1", True, "0"), (noise + calm, True, "0"), (calm + "9", False, "100")):
            with self.subTest(readings[:20]):
                done = bench(*chosen, readings=readings.rstrip(","))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(f"{quiet} % of the turns were quiet", done.stdout)
                row = re.search(r"(?m)^  ru-cyrillic (.*)$", done.stdout)
                assert row is not None
                self.assertEqual(row[1].split(), ["noisy", "noisy", "-", "-"] if refused else [*row[1].split()[:2], "-", row[1].split()[3]])
                self.assertEqual("noisy: 2 of 2 figures are refused" in done.stdout, refused)
                runners = json.loads(bench("--json", *chosen, readings=readings.rstrip(",")).stdout)["cells"][0]["runners"]
                self.assertEqual({runner.get("noisy", False) for runner in runners}, {refused})
                self.assertTrue(all(runner["minimum_ns"] > 0 for runner in runners))
        self.assertIn(" noisy\n", bench(*chosen, "--long", readings="2").stdout)
        calm_again = json.loads(bench("--json", *chosen, "--rounds", "3", readings=noise + calm.rstrip(",")).stdout)["cells"][0]["runners"]
        self.assertEqual([runner for runner in calm_again if "noisy" in runner], [], "a round was quiet")
        for wrong in ("x", "0.5", "1;2"):
            self.assertEqual(bench(*chosen, readings=wrong).returncode, 2)

    @unittest.skipIf(COMPILER is None, "no compiler")
    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_times_are_those_at_the_first_clock(self) -> None:
        """Times are scaled to the first clock. A call of the peer takes 2 ms; if the clock then runs at a thousandth of the rate, that is
        as long as 2 us were. Strings beyond the caches are not scaled. A turn in which the clock changes by more than 1 % is refused. The
        first 32 readings belong to no turn."""
        settled = "1," * 32
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "sluggish", SLOW="1000000")
            chosen = ("--json", "--peer", library, "-c", "sluggish", "--text", "ascii", "--operation", "validate")
            for size, clock, refused, is_short in (("32K", "1", False, False), ("32K", settled + "1000," * 999, False, True), ("32K", settled + "1,1.009," * 99, False, False),
                                                   ("32K", settled + "1,1.02," * 99, True, False), ("1M", settled + "1,1000," * 99, False, False)):
                with self.subTest(size=size, clock=clock[64:80]):
                    cell, = json.loads(bench(*chosen, "--size", size, clock=clock.rstrip(",")).stdout)["cells"]
                    runner = cell["runners"][0]
                    self.assertEqual((runner.get("noisy", False), "ghz" in cell), (refused, size == "32K"))
                    self.assertEqual(runner["minimum_ns"] / cell["strings"] < 1.98e6, is_short, runner)
            self.assertEqual(cells("-c", "shift", "--text", "ascii", "--size", "1K", "--operation", "validate")[0]["ghz"], 4)
        self.assertEqual(bench("-c", "shift", clock="x").returncode, 2)

    def test_nothing_noisy_is_compared_or_checked(self) -> None:
        """A noisy cell is measured again; if it stays noisy, it is not compared, and a run with no other cell exits 2."""
        with tempfile.TemporaryDirectory() as folder:
            path, peer = Path(folder) / "kept", loadable(Path(folder), "sluggish", SLOW="0")
            chosen = ("--peer", peer, "-c", "shift,sluggish", "--text", "ascii", "--size", "64", "--operation", "validate")
            path.write_text("* * * 1e9", encoding="utf-8")
            done = bench(*chosen, "--check", str(path), readings="2")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("nothing could be checked: a neighbour took part of the core in all 1 cells", done.stderr)
            path.write_text(bench("--json", *chosen).stdout, encoding="utf-8")
            done = bench(*chosen, "--compare", str(path), readings="2")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("nothing could be compared: a neighbour took part of the core in 1 of 1 cells", done.stderr)
            path.write_text("* * * 1e-9", encoding="utf-8")
            done = bench(*chosen, "--check", str(path), readings="2," * 72 + "1," * 999 + "1")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_text_of_continuation_bytes_is_cut_anyway(self) -> None:
        """Text without character boundaries is cut anyway: strings are at most three bytes shorter than their size, or as long as a
        character."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t"
            path.write_bytes((b"ab" + b"\x80" * 64) * 100)
            for cell in cells("-c", OURS, "--operation", "lossy-utf16", "--text", f"@{path}", "--size", "1,64,4000"):
                size = int(cell["size"])
                self.assertTrue(cell["strings"] * max(1, size - 3) <= cell["bytes"] <= cell["strings"] * max(4, size), cell)

    def test_reports_too_many_codecs(self) -> None:
        """The message says that there are too many codecs, not that one is unknown."""
        self.assertRegex(bench("--operation", ",".join(["count"] * 100)).stderr, r"no more than \d+")

    @unittest.skipIf(COMPILER is None, "no compiler")
    def test_an_interrupted_run_prints_what_it_measured(self) -> None:
        """An interrupt ends the run after the current cell, with exit code 130."""
        with tempfile.TemporaryDirectory() as folder:
            kept = Path(folder) / "kept"
            library = loadable(Path(folder), "recorder", KEPT=f'"{kept}"')
            with subprocess.Popen([ASSAY, "bench", "--no-peers", "--json", "--peer", library, "-c", "recorder", "--operation", "validate", "--size", "1M",
                                   "--text", "ascii,ru", "--seconds", "36000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
                while running.poll() is None and not kept.is_file():
                    time.sleep(0.05)
                running.send_signal(signal.SIGINT)
                output, complaint = running.communicate()
            self.assertEqual(running.returncode, 130, complaint)
            self.assertIn("interrupted: 1 of 2 cells were measured\n", complaint)
            self.assertEqual([cell["text"] for cell in json.loads(output)["cells"]], ["ascii"])
            self.assertTrue(json.loads(output)["interrupted"])

    def test_an_old_report_is_read_before_anything_is_measured(self) -> None:
        """A report that cannot be read fails the run before anything is measured."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "old"
            begun = ("--compare", str(path), "--seconds", "3600")
            self.assertIn("No such file", bench(*begun).stderr)
            for runner in ({}, {"name": "avx2"}, 3, {"name": "avx2", "kind": 3}):
                cell = {"operation": "validate", "size": "1", "text": "ascii", "runners": [runner]}
                path.write_text(json.dumps({"assay_bench": 1, "cells": [cell]}), encoding="utf-8")
                self.assertEqual(bench(*begun).returncode, 2, runner)

    def test_refuses_unknown_choices(self) -> None:
        """Unknown names are refused, and the known ones listed."""
        for option, value in (("--operation", "transcode"), ("--operation", ","), ("--text", "klingon"), ("--text", "zh"), ("--text", "ru~101"),
                              ("--text", "ru~x"), ("--text", "@/nowhere"), ("--size", "0"), ("--size", "1..5000"), ("--size", "9..3"),
                              ("--size", "4X"), ("--size", ""), ("--seconds", "-1"), ("--seed", "a"), ("-c", "unknown"),
                              ("--peer", "/nowhere.so"), ("--margin", "0"), ("-e", "utf-9"), ("--size", "2048M"), ("--operation", "count,,nonsense"),
                              ("-c", "avx2,,sse41"), ("--peer", "/nowhere.so,,x"), ("--peer", ""), ("--direct", "nobody"), ("--text", "ascii,,nonsense"),
                              ("--size", "64,,x"), ("--rounds", "0"), ("--check", "/nowhere"), ("--text", "random:x"), ("--text", "random:"), ("--text", b"@n\xff")):
            done = bench(option, value)
            self.assertEqual((done.returncode, done.stdout), (2, ""), (option, value))
            self.assertTrue(done.stderr.startswith("assay bench: "), done.stderr)


if __name__ == "__main__":
    unittest.main()
