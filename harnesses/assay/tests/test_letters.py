# SPDX-License-Identifier: MIT
"""Letters: they show the bytes that matter, the question, and how to repeat it."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, List

from .driver import ASSAY, CANARY, COMPILER, is_built_with, loadable

BUILD = Path(ASSAY).parent

Done = subprocess.CompletedProcess[str]


@unittest.skipIf(COMPILER is None, "there is no C compiler")
@unittest.skipIf(is_built_with("msan"), "MemorySanitizer does not see what a library without it writes")
class LetterTest(unittest.TestCase):
    """Letters about a codec that is wrong somewhere in a long input."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def build(self, operation: str, damage: str = "") -> str:
        """Builds a codec with one operation, which it damages in this way."""
        return loadable(self.folder, "damaging", OPERATION=operation, DAMAGE=damage)

    def letters(self, library: str, text: bytes) -> List[str]:
        """The letters of `diff`."""
        path = self.folder / "input"
        path.write_bytes(text)
        done = subprocess.run([ASSAY, "diff", "--codec", library, f"@{path}"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        found = [letter for letter in done.stdout.split("\n\n") if " differs from " in letter]
        self.assertTrue(found, done.stdout)
        return found

    def test_bytes_are_shown_where_the_answers_differ(self) -> None:
        """Whatever differs (a unit of output, the number written, the number read), the bytes there are shown."""
        text = ("\u00e9" * 30 + "!" + "\u20ac" * 30).encode()
        for operation, damage in (("count", "(void)0"), ("decode_utf16", "out[i] = '?'"), ("decode_utf16", "result.written = i"),
                                 ("encode_utf16", "out[i] = '?'"), ("encode_utf16", "result.written = i")):
            given = text.decode().encode("utf-16le") if operation.startswith("encode") else text
            for letter in self.letters(self.build(operation, damage), given):
                shown, = re.findall(r"(?m)^  (?:bytes|units) +((?:[0-9A-F]+ )+) ", letter)
                self.assertRegex(shown, r"\b(00)?21 ", (operation, damage, letter))

    def test_an_unset_error_is_reported_as_unset(self) -> None:
        """An ill-formed input without an offset is reported as such, not as "0 bytes, well-formed"."""
        done = subprocess.run([ASSAY, "diff", "--codec", self.build("validate"), "41FF"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("  broken        ill-formed, but its error has length 0: was it left unset?\n", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^  broken +ill-formed +- +-$")

    def test_unknown_figures_are_not_printed(self) -> None:
        """A codec presets ASSAY_UNKNOWN, and sets a fault before it finds that all is well-formed."""
        source = self.folder / "presets.c"
        source.write_text("""#include "codec.h"
static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    (void)bytes, (void)count;
    if (error != NULL)
        *error = (struct assay_span){ASSAY_UNKNOWN, 7, ASSAY_FAULT_OVERLONG, false};
    return true;
}
extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "presets"), .validate = validate};
""", "ascii")
        done = subprocess.run([ASSAY, "diff", "--codec", loadable(self.folder, source), "41"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("  presets       well-formed, but sets an error, length 7, fault overlong\n", done.stdout)
        self.assertNotIn("18446744073709551615", done.stdout)

    def test_a_verdict_that_depends_on_the_error_pointer_is_reported(self) -> None:
        """With `error` NULL the verdict changes: found by `diff` and by the golden vectors; a crash there names the codec."""
        for verdict, text, said in (("1", "C0", "ill-formed, but well-formed if error is NULL"),
                                    ("0", "41", "well-formed, but ill-formed if error is NULL")):
            library = loadable(self.folder, "wavering", WITHOUT_ERROR=verdict)
            for words in (["diff", text], ["check", "-c", "wavering", "utf-8/invalid-lead", "utf-8/well-formed"]):
                done = subprocess.run([ASSAY, words[0], "--codec", library, *words[1:]], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(f"  wavering      {said}\n", done.stdout)
        library = loadable(self.folder, "wavering", WITHOUT_ERROR="error->length > 0")
        done = subprocess.run([ASSAY, "diff", "--codec", library, "C0"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("validate, error is NULL", done.stdout + done.stderr)

    @unittest.skipIf(sys.maxsize < 1 << 32, "these figures are those of 64 bits")
    def test_nonsense_is_called_out_of_range(self) -> None:
        """Each figure as the codec returned it, with the largest that is possible; in the table, and in JSON, which cannot hold it."""
        library, most = loadable(self.folder, "nonsense"), (1 << 64) - 1
        done = subprocess.run([ASSAY, "diff", "--codec", library, "41C0"], capture_output=True, text=True, check=False)
        said = re.findall(r"(?m)^  nonsense +(.*)$", done.stdout)
        self.assertEqual((done.returncode, re.sub(" +", " ", said[0])), (1, "ill-formed, out of range out of range out of range"))
        for sentence in (f"ill-formed at {most - 4}, 3 bytes (outside the input of 2 bytes)",
                         f"{most - 8} spans (out of range: at most 2); span 0: not written: still the fill pattern",
                         f"counts {most - 2} code points (out of range: at most 7), {most - 1} UTF-16 units (out of range: at most 7)",
                         "returns status 77 (out of range: at most 3)",
                         "writes A5A5A5A5 at 0 of 1 code point, not written: still the fill pattern",
                         f"reports that it wrote {most - 5} UTF-16 units (out of range: at most 1)",
                         f"returns {most - 6} (out of range: at most 2) at 0 of 3 offsets"):
            self.assertIn(sentence, said)
        self.assertNotRegex(done.stdout, "  -[0-9]")
        done = subprocess.run([ASSAY, "diff", "--json", "--codec", library, "41C0"], capture_output=True, text=True, check=False)
        row, = [row for row in json.loads(done.stdout)["codecs"] if row["codec"] == "nonsense"]
        self.assertEqual((row["error"]["offset"], row["code_points"], row["utf16_units"]), (None, None, None))

    def test_a_breach_says_what_the_law_is_and_what_was_asked(self) -> None:
        """The letter names the law and the policy."""
        done = subprocess.run([ASSAY, "diff", "--codec", self.build("decode_utf16", "result.status = ASSAY_ILL_FORMED"), "41213F"],
                              capture_output=True, text=True, check=False)
        self.assertRegex(done.stdout, "breaks the law only-strict-stops\n  law           under every policy but strict, decoding goes to the end\n"
                                      "  asked         decode-utf16, policy surrogateescape\n  bytes         41 21 3F ")


@unittest.skipIf(COMPILER is None, "there is no C compiler")
@unittest.skipIf(is_built_with("asan") or is_built_with("msan"), "what is enumerated is the same under a sanitizer")
class EnumerationTest(unittest.TestCase):
    """Which questions `sweep` and `diff` ask."""

    def test_pairs_meet_every_operation_at_every_offset(self) -> None:
        """No question depends only on the offset."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "notes_offsets")
            self.assert_says_nothing("pairs", library, 23)

    def test_pieces_are_of_every_sort_under_every_policy(self) -> None:
        """All kinds of cuts are combined with all policies, in both forms."""
        with tempfile.TemporaryDirectory() as folder:
            self.assert_says_nothing("pieces", loadable(Path(folder), "notes_pieces"), 23)

    def test_diff_cuts_few_bytes_at_every_pair_of_places(self) -> None:
        """`diff` cuts few bytes at each pair of places, and at all places, under every policy, in both forms."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([ASSAY, "diff", "--codec", loadable(Path(folder), "notes_cuts"), "41E282ACF09F9880"], capture_output=True, text=True,
                                  check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def assert_says_nothing(self, part: str, library: str, stride: int) -> None:
        """Asserts that the codec reports nothing it missed."""
        done = subprocess.run([ASSAY, "sweep", "--stride", str(stride), "--codec", library, part], capture_output=True, text=True,
                              check=False, env={**os.environ, "ASSAY_WITHOUT": "sse41,avx2,avx512,neon"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class AgainTest(unittest.TestCase):
    """The command that repeats the question."""

    def test_a_short_input_from_standard_input_is_shown_again_in_hex(self) -> None:
        """A long input from standard input has no name, and no such line."""
        for text, expected in ((b"A\xC0\x80", True), (b"A" * 70 + b"\xC0\x80", False)):
            done = subprocess.run([CANARY, "diff", "-"], input=text, capture_output=True, check=False)
            again = re.findall(r"(?m)^  again +(.*)$", done.stdout.decode())
            self.assertEqual((done.returncode, set(again)), (1, {f"{CANARY} diff 41C080"} if expected else set()))

    def test_the_command_in_a_letter_of_enumeration_shows_it_again(self) -> None:
        """By the input, if it is short; otherwise by the part."""
        for part in ("strings", "pairs"):
            done = subprocess.run([CANARY, "sweep", "--stride", "31", part], capture_output=True, text=True, check=False)
            again, = re.findall(r"(?m)^  again +(.*)$", done.stderr)
            self.assertRegex(again, r" diff ([0-9A-F]{2})+$")
            printed = subprocess.run(shlex.split(again), capture_output=True, text=True, check=False)
            self.assertEqual(printed.returncode, 1, (again, printed.stderr))
            self.assertIn("utf8-validate-canary-verdict", printed.stdout)

    def test_pieces_are_shown_again_as_they_were_cut(self) -> None:
        """Questions with many cuts, or little room, are not among those that `diff` asks about every input; the command then has the
        question itself."""
        program = BUILD / "assay-early"
        if not program.exists():
            self.skipTest("there is no plant")
        done = subprocess.run([program, "sweep", "--stride", "101", "pieces"], capture_output=True, text=True, check=False)
        letters = re.findall(r"(?m)^  asked +(.*)\n(?:.*\n)*?  again +(.*)$", done.stderr)
        self.assertTrue([asked for asked, _ in letters if re.search(r"per call|cut at \d+ \d", asked)], done.stderr)
        for asked, again in letters:
            if re.search(r"per call|cut at \d+ \d", asked):
                self.assertRegex(again, r" diff (--codec \S+ )?--operation feed-utf(16|32) --policy [a-z-]+ --capacity \d+ --cuts [\d,]+( --room \d+)?( --shifts [\d,]+)? ([0-9A-F]+|'[0-9A-F* ]+')$", asked)
        for again in {again for _, again in letters}:
            self.assertEqual(subprocess.run(shlex.split(again), capture_output=True, check=False).returncode, 1, again)

    def replay(self, *words: Any) -> Done:
        """Runs the replayer that has the canary."""
        program = BUILD / "fuzz_decode-canary"
        if not program.exists():
            self.skipTest("there is no replayer")
        return subprocess.run([program, *words], capture_output=True, text=True, check=False)

    def test_a_replayer_continues_after_unreadable_files(self) -> None:
        """Files that cannot be read are named; exit code 1 with a finding, 2 without. An endless file is not read to its end."""
        with tempfile.TemporaryDirectory() as folder:
            right, wrong, pipe, missing = (Path(folder) / name for name in ("right", "wrong", "pipe", "missing"))
            right.write_bytes(b"A")
            wrong.write_bytes(b"\xC0\x80")
            os.mkfifo(pipe)
            for name in ("itself", "again"):
                (Path(folder) / name).symlink_to(".")
            for words, code, said in (([missing, wrong], 1, "1 file replayed, 1 finding; 1 could not be replayed\n"),
                                      ([missing, right], 2, "1 file replayed, 0 findings; 1 could not be replayed\n"),
                                      ([folder, "/dev/zero"], 1, "2 files replayed, 1 finding; 4 could not be replayed\n"),
                                      ([missing], 2, "")):
                done = self.replay(*words)
                self.assertEqual((done.returncode, done.stdout), (code, said), done.stderr)
                self.assertEqual(f"in {wrong}\n" in done.stderr, code == 1)
            done = self.replay(missing, folder, "/dev/zero")
            self.assertEqual(re.findall(r"(?m)^replay: (.*)$", done.stderr),
                             [f"{missing}: No such file or directory",
                              *(f"{folder}/{name}: this link leads back to a folder that contains it" for name in ("again", "itself")),
                              f"{pipe}: not a regular file, and not in /dev",
                              "/dev/zero: longer than 64 MiB, or endless; cut it into smaller files, or pass it to `assay diff`"])

    def test_a_replayer_takes_options_anywhere(self) -> None:
        """Options may stand anywhere; an unknown option is refused, not taken for a file."""
        with tempfile.TemporaryDirectory() as folder:
            for name in "ab":
                (Path(folder) / name).write_bytes(b"\xC0\x80")
            for words in ((folder, "--each-file"), ("--each-file", "--", folder)):
                done = self.replay(*words)
                self.assertEqual((done.returncode, done.stderr.count("\nin ")), (1, 2), done.stderr)
            for words in ((folder, "--each"), ("-1", folder), ("-", folder)):
                done = self.replay(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("replay: no option is called '-", done.stderr)
        self.assertIn("1 = findings, 2 = no finding, but a file could not be replayed", self.replay("--help").stdout)

    def test_a_replayer_writes_one_letter_for_each_key(self) -> None:
        """One letter for each key, and how many more there are; with --each-file, one for each key in each file."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / name for name in "abc"]
            for path in paths:
                path.write_bytes(b"\xC0\x80")
            for words, shown, last in (((), paths[:1], "2 more like utf8-validate-canary-verdict\n"), (("--each-file",), paths, "")):
                done = self.replay(*words, *paths)
                self.assertEqual((done.returncode, done.stdout), (1, "3 files replayed, 3 findings\n"))
                self.assertEqual(done.stderr.count("utf-8/canary differs from utf-8/reference\n"), len(shown))
                self.assertEqual(re.findall(r"(?m)^in (.*)$", done.stderr), list(map(str, shown)))
                self.assertEqual(re.findall(r"(?m)^.* more like .*\n", done.stderr), [last] if last else [])


if __name__ == "__main__":
    unittest.main()
