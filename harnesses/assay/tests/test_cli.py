# SPDX-License-Identifier: MIT
"""The command line: names, exit codes, where output goes, and hostile arguments."""

from __future__ import annotations

import fcntl
import json
import os
import platform
import re
import resource
import shlex
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import threading
import unittest
from pathlib import Path
from typing import Any, List, Optional, Tuple, Union
from unittest import mock
from xml.etree import ElementTree

from .driver import ASSAY, CANARY, COMPILER, ROOT, in_ordinary_build, is_built_with, loadable
from witness.rows import ALL

Done = subprocess.CompletedProcess[str]


def assay(*arguments: Any, program: str = ASSAY, without: Optional[str] = None, codecs: Optional[str] = None, **options: Any) -> Done:
    """Runs a command; its output is read as UTF-8, with escapes for bytes that are not."""
    environment = {**os.environ, **({} if without is None else {"ASSAY_WITHOUT": without}),
                   **({} if codecs is None else {"ASSAY_CODECS": codecs})}
    return subprocess.run([program, *arguments], env=environment, check=False, text=True, encoding="utf-8",
                          errors="backslashreplace", **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options})


def printed_on_terminal(*arguments: Any, program: str = ASSAY, columns: int = 0) -> str:
    """The standard error of a command, if that is a terminal; with columns, its standard output. The terminal's other side stays open here,
    and a mark of ours ends the reading: Linux may report the end of a terminal whose last writer has closed it before all that it wrote has
    been read.
    """
    ours, its = os.openpty()
    end = b"\0end of output\0"
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("4H", 25, columns, 0, 0))
    with subprocess.Popen([program, *arguments], stdout=its if columns else subprocess.DEVNULL, stderr=its) as process:
        marker = threading.Thread(target=lambda: (process.wait(), os.write(its, end)))
        marker.start()
        said = b""
        while not said.endswith(end):
            said += os.read(ours, 4096)
        marker.join()
    os.close(its)
    os.close(ours)
    return said[:-len(end)].decode()


COMMANDS = ("list", "explain", "diff", "minimise", "check", "convert", "subject", "sweep", "prove", "museum", "bench", "damage", "promises")
FAMILY = list(ALL)


def rows_of_walk(text: str) -> List[Tuple[str, str, str, str]]:
    """Byte, state before, state after, and the code point, or the reason why there is none."""
    walk = text.split("  walk of ")[1].splitlines()[2:]
    return [(row[1], row[3], row[4], row[5]) for row in (line.split(maxsplit=5) for line in walk if line)]


class Case(unittest.TestCase):
    """Helpers of the cases."""

    folder: Path

    def setUp(self) -> None:
        """Creates a temporary folder."""
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def fifo(self) -> Path:
        """A pipe without a writer: opening it blocks for ever."""
        path = self.folder / "fifo"
        os.mkfifo(path)
        return path

    def assert_refused(self, done: Done, *words: str) -> None:
        """Asserts exit code 2, a sentence on standard error that names the program, and nothing on standard output."""
        self.assertEqual((done.returncode, done.stdout), (2, ""), (done.args, done.stderr))
        self.assertRegex(done.stderr, r"\Aassay[^\n]*: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, done.stderr)


class HelpTest(Case):
    """Help and version."""

    def test_every_command_has_help(self) -> None:
        """Each command prints help on standard output with exit code 0; the program lists all commands."""
        done = assay("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        commands = re.findall(r"(?m)^  ([a-z]+) +[^ ]", done.stdout)
        self.assertLessEqual({"list", "explain", "diff", "check", "convert", "subject", "sweep"}, set(commands))
        for command in commands:
            for word in ("--help", "-h"):
                said = assay(command, word)
                self.assertEqual((said.returncode, said.stderr), (0, ""))
                self.assertTrue(said.stdout.startswith(f"usage: assay {command} "))
                self.assertIn("\n\nexit code: 0 = ", said.stdout)  # ends with a whole line: nothing is cut off
                self.assertIn("--codec LIBRARY", said.stdout)

    def test_says_its_version(self) -> None:
        """One line."""
        self.assertRegex(assay("--version").stdout, r"\Aassay \d+\.\d+\.\d+\n\Z")

    def test_a_misspelt_encoding_is_recognised(self) -> None:
        """Suggests encodings with the same letters and digits, or that begin with them."""
        for name, meant in (("utf8", "utf-8"), ("utf_8", "utf-8"), ("Utf 8", "utf-8"), ("cesu8", "cesu-8"), ("MUTF8", "mutf-8"),
                            ("utf16", "utf-16le' or 'utf-16be"), ("UTF16LE", "utf-16le"), ("wtf8", "wtf-8"), ("wtf16", "wtf-16le' or 'wtf-16be"), ("cesu8jdk", "cesu-8-jdk")):
            for arguments in (["explain", "-e", name, "41"], ["convert", "utf-8", name, "41"], ["subject", f"{name}/reference"]):
                self.assert_refused(assay(*arguments), f"there is no encoding '{name}' (did you mean '{meant}'?); there are: utf-8 ")
        for name in ("", "-", "latin1", "x" * 100):
            self.assertNotIn("did you mean", assay("explain", "-e", name, "41").stderr)

    def test_help_with_a_command_is_help_of_the_command(self) -> None:
        """`help COMMAND` and `COMMAND --help` print the same."""
        for command in COMMANDS:
            for word in ("help", "--help", "-h"):
                self.assertEqual(assay(word, command).stdout, assay(command, "--help").stdout)
        self.assert_refused(assay("help", "guess"), "there is no command 'guess'")
        self.assert_refused(assay("--guess"), "there is no option '--guess'; see assay --help")
        self.assert_refused(assay("list", "guess"), "'guess' is one operand too many; see its --help")
        self.assert_refused(assay("explain", "C0", "80"), "'80' is one operand too many; hex with spaces needs quotes")

    def test_refuses_unknown_words(self) -> None:
        """Unknown commands, options, encodings, codecs and operands are refused."""
        self.assertEqual(assay().returncode, 2)
        for arguments, word in (
                (["guess"], "guess"), ([""], "command"), (["--guess"], "--guess"), (["explain", "--guess", "41"], "--guess"),
                (["explain", "-x", "41"], "-x"), (["explain", "--e=utf-8", "41"], "--e"), (["explain", "-e"], "ENCODING"),
                (["explain", "--json=yes", "41"], "--json"), (["explain", "-e", "utf-9", "41"], "utf-9"),
                (["explain", "-e", "", "41"], "a value: ENCODING"), (["diff", "-e", "UTF_8", "41"], "UTF_8"),
                (["explain", "-w", "guess", "41"], "guess"), (["explain", "-w", "avx2", "41"], "avx2"),
                (["explain"], "too few"), (["diff"], "too few"), (["explain", "41", "42"], "too many"),
                (["explain", "41", "--json", "42"], "too many"), (["list", "utf-8"], "too many"),
                (["list", "-e", "utf-9"], "utf-9"), (["sweep", "guess"], "guess"), (["check", "-c", "guess"], "guess")):
            self.assert_refused(assay(*arguments), word)


class ListTest(Case):
    """`list`."""

    def test_lists_what_runs(self) -> None:
        """Prints ENCODING/CODEC and nothing else, the reference first; all codecs as a table and as JSON."""
        names = assay("list").stdout.splitlines()
        self.assertEqual(names[:4], ["utf-8/reference", "utf-8/hoehrmann2008", "utf-8/hoehrmann2010", "utf-8/hoehrmann_loop"])
        self.assertTrue(all(re.fullmatch(r"[a-z0-9-]+/[a-z0-9_]+", name) for name in names), names)
        rows = json.loads(assay("list", "--json").stdout)
        self.assertEqual([f"{row['encoding']}/{row['codec']}" for row in rows if row["runs"]], names)
        *table, _ = assay("list", "--long").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in table], [f"{row['encoding']}/{row['codec']}" for row in rows])
        self.assertEqual(["emulated" in line for line in table], [row["emulated"] for row in rows])
        of_one = assay("list", "-e", "utf-16be").stdout.splitlines()
        self.assertEqual(of_one[:3], ["utf-16be/reference", "utf-16be/dfa", "utf-16be/shift"])
        self.assertEqual(of_one, [name for name in names if name.startswith("utf-16be/")])

    def test_the_table_is_aligned_and_says_why_a_codec_does_not_run(self) -> None:
        """Columns are aligned for the longest encoding name; a row says why its codec does not run."""
        *table, _ = assay("list", "--long", without="sse41").stdout.splitlines()
        self.assertEqual(len({line.index(" needs ") for line in table}), 1)
        rows = json.loads(assay("list", "--json", without="sse41").stdout)
        why = r" does not run: (this CPU lacks it|for another processor|ASSAY_WITHOUT names it)$"
        self.assertEqual([re.search(why, line) is None for line in table], [row["runs"] for row in rows])
        if any(name.endswith("/sse41") for name in assay("list", without="").stdout.splitlines()):
            self.assertEqual({line.endswith("ASSAY_WITHOUT names it") for line in table if "/sse41 " in line}, {True})

    def test_says_for_which_vendor_it_is_tuned(self) -> None:
        """The processor decides, and the environment instead of it; every command refuses a vendor that it does not know."""
        for vendor, said in (("intel", "Intel: prefetched ASCII; stores past the caches; validation by loads"),
                             ("amd", "AMD: ASCII not prefetched; ordinary stores; validation with a shift")):
            with mock.patch.dict(os.environ, ASSAY_VENDOR=vendor):
                self.assertTrue(assay("list", "--long").stdout.splitlines()[-1].endswith(said))
        with mock.patch.dict(os.environ, ASSAY_VENDOR="Intel"):
            for command in (["list"], ["check", "utf-8/overlong"]):
                self.assert_refused(assay(*command), "ASSAY_VENDOR: 'Intel' is neither intel nor amd")

    def test_help_is_broken_between_words_on_a_terminal(self) -> None:
        """No line is longer than the terminal is wide, continued lines are aligned with the words, and no word is lost."""
        for words in (["--help"], *([command, "--help"] for command in COMMANDS)):
            whole = assay(*words).stdout
            for columns in (80, 100):
                printed = printed_on_terminal(*words, columns=columns).replace("\r", "")
                self.assertEqual([line for line in printed.splitlines() if len(line) > columns], [], words)
                self.assertEqual(printed.split(), whole.split())
        self.assertRegex(printed_on_terminal("explain", "--help", columns=80).replace("\r", ""),
                         r"\n  -w, --walk CODEC {11}the table-driven codec whose walk is shown, or\n {29}`none` \(default hoehrmann2010, or dfa\)\n")
        self.assertIn(" `none` (default", printed_on_terminal("explain", "--help", columns=10).replace("\r", ""))

    @in_ordinary_build
    def test_progress_fits_the_terminal(self) -> None:
        """Progress is one line, which the next replaces."""
        path = self.folder / "large"
        path.write_bytes(b"x" * 70000)
        for words in (("promises", "--stride=99999", "--string-stride=9999"), ("diff", f"@{path}"), ("check", "--quiet", "utf-8/overlong"),
                      ("damage", "-s", "9", f"@{ROOT}/corpus/text/am-ethiopic.txt"),
                      ("bench", "--seconds", "0", "--no-peers", "--operation", "to-well-formed", "--size", "8", "--text", "ascii")):
            steps = printed_on_terminal(*words, columns=20).split("\r\33[K")
            self.assertGreater(len(steps), 2, words)
            self.assertEqual([step for step in steps[:-1] if len(step) > 19 or "\n" in step], [], words)

    def test_an_empty_value_is_none(self) -> None:
        """An empty value of an option is refused, in each form."""
        for words in (("explain", "41", "-w", ""), ("explain", "41", "--from="), ("check", "--junit", ""), ("check", "--vectors="), ("diff", "41", "--codec", "")):
            self.assert_refused(assay(*words), " needs a value: ")

    def test_instruction_sets_go_one_by_one(self) -> None:
        """Codecs of the instruction sets in ASSAY_WITHOUT do not run, all others do; every command refuses an unknown name."""
        names = assay("list", without="").stdout.splitlines()
        for isa in sorted({name.split("/")[1] for name in names} & {"sse41", "avx2", "avx512", "neon"}):
            left = assay("list", without=isa).stdout.splitlines()
            self.assertEqual(left, [name for name in names if not name.endswith(f"/{isa}")])
            self.assert_refused(assay("list", "--expect", isa, without=isa), isa)
            self.assert_refused(assay("subject", f"utf-8/{isa}", without=isa), isa)
            self.assertEqual(assay("list", "--expect", isa).returncode, 0)
        few = assay("list", without="sse41, avx2,avx512 neon").stdout.splitlines()
        portable = [name for name in names if name.split("/")[1] not in ("sse41", "avx2", "avx512", "neon")]
        self.assertEqual(few, portable)
        for command in (["list"], ["diff", "41"], ["explain", "41"], ["check"], ["subject", "utf-8/reference"], ["sweep"]):
            for unknown in ("avx3", "avx2,avx3", "any", "AVX2"):
                self.assert_refused(assay(*command, without=unknown), "ASSAY_WITHOUT")

    def test_refuses_unknown_expected_instruction_sets(self) -> None:
        """An instruction set that is unknown, or that does not run, fails the test of expected ones."""
        for isa in ("", "guess", "any,guess", ",any"):
            self.assert_refused(assay("list", "--expect", isa), "expect")
        self.assert_refused(assay("list", "--expect", "avx3"), "no instruction set is called 'avx3' (did you mean 'avx2'?)")


class ExplainTest(Case):
    """`explain`, on the examples of the document on the table-driven decoder."""

    def test_walks_as_the_document_says(self) -> None:
        """E4 B8 96 in the 2010 form: classes 3, 7, 9, states 36, 24, 0, and the code point so far."""
        self.assertEqual(re.findall(r"^ +\d+  [0-9A-F]{2} +(\d+) ", assay("explain", "E4 B8 96").stdout.split("  walk of ")[1], re.M), ["3", "7", "9"])
        walk = rows_of_walk(assay("explain", "E4 B8 96").stdout)
        self.assertEqual(walk, [("E4", "0", "36", "000004"), ("B8", "36", "24", "000138"),
                                ("96", "24", "0", "004E16 accept U+4E16")])
        walk = rows_of_walk(assay("explain", "F09F9880").stdout)
        self.assertEqual([row[1:3] for row in walk], [("0", "72"), ("72", "36"), ("36", "24"), ("24", "0")])
        self.assertEqual(walk[3][3], "01F600 accept U+1F600")
        walk = rows_of_walk(assay("explain", "-w", "hoehrmann2008", "E4B896").stdout)
        self.assertEqual([row[3][:6] for row in walk], ["000004", "000138", "004E16"])
        self.assertTrue(all(int(row[2]) <= 8 for row in walk))

    def test_rejects_where_the_error_is_certain(self) -> None:
        """ED A0 80 is rejected at A0, F0 8F 98 80 at 8F, by each automaton; the byte is then fed again."""
        for walker, reject in (("hoehrmann2008", "1"), ("hoehrmann2010", "12"), ("shift", None)):
            for text, offset in (("EDA080", "A0"), ("F08F9880", "8F")):
                first, second, third = rows_of_walk(assay("explain", f"--walk={walker}", text).stdout)[:3]
                self.assertFalse(first[3].startswith("reject"))
                self.assertEqual((second[0], second[3]), (offset, "reject; it comes again"))
                self.assertEqual((third[0], third[1], third[3]), (offset, "0", "reject"))
                if reject is not None:
                    self.assertEqual(second[2], reject)
        self.assertNotIn("walk", assay("explain", "-w", "none", "41").stdout)

    def test_explains_a_golden_case(self) -> None:
        """`explain ID` shows, in the case's encoding, the input of a decoder or the output of an encoder, for cases of every kind."""
        for name, encoding, data in (("utf-8/overlong/c080", "utf-8", "C080"), ("utf-8/encode/7ff", "utf-8", "DFBF"),
                                     ("utf-8/encode-utf16/d83d-de00-de00", "utf-8", "F09F9880EFBFBD"),
                                     ("utf-8/reuse/f0_9f-then-_92a9-then-f09f_92a9", "utf-8", "F09F"),
                                     ("utf-8-sig/bom/_ff__fe__41__00_", "utf-8", "FFFE4100"),
                                     ("wtf-8/convert/to-utf-16be-41eda080edf042", "wtf-8", "41EDA080EDF042")):
            listed = assay("check", "--list", name).stdout.rstrip("\n").split("  ", 1)
            done = assay("explain", name)
            self.assertEqual(done.stdout.split("\n", 1), [f"{name}: {listed[1]}", assay("explain", "-e", encoding, data).stdout])

    def test_an_id_is_an_input(self) -> None:
        """`diff` and `minimise`, too, take a golden case in its encoding; what has none says where an id is taken, and how a file is named."""
        for name, encoding, data in (("utf-8/overlong/c080", "utf-8", "C080"), ("wtf-8/convert/to-utf-16be-41eda080edf042", "wtf-8", "41EDA080EDF042")):
            self.assertEqual(assay("diff", name).stdout, assay("diff", "-e", encoding, data).stdout)
            self.assertEqual(json.loads(assay("minimise", "--json", name).stdout), {"encoding": encoding, "byte_count": len(data) // 2, "key": None})
            subjects = [word for codec in ("reference", "dfa" if encoding == "wtf-8" else "swar") for word in ("--subject", f"{ASSAY} subject {encoding}/{codec}")]
            self.assertEqual(json.loads(assay("diff", "--json", *subjects, name).stdout)["byte_count"], len(data) // 2)
        for command in ("explain", "diff", "minimise"):
            self.assert_refused(assay(command, "utf-8/overlong/nothing"), "there is no golden case 'utf-8/overlong/nothing' in ")
            self.assert_refused(assay(command, "no/where"), "; a file is named with @: @no/where\n")
            self.assert_refused(assay(command, "utf-8/positions/c25c2bec"), "assay check utf-8/positions/c25c2bec prints the command of assay diff for it\n")
            self.assert_refused(assay(command, "-e", "wtf-8", "utf-8/overlong/c080"), "utf-8/overlong/c080 is in utf-8, not in wtf-8 (-e)\n")
            if command != "explain":
                self.assert_refused(assay(command, "utf-8/reuse/f0_9f-then-_92a9-then-f09f_92a9"), "is 3 streams, one after the other; assay run and assay check ask about all of them\n")
        self.assert_refused(assay("convert", "utf-8", "wtf-8", "utf-8/overlong/c080"), "the id of a golden case is taken by assay explain, assay diff and assay minimise\n")

    def test_says_what_each_byte_is(self) -> None:
        """As text and as JSON; for an empty input, too."""
        said = assay("explain", "41 E282AC EDA0").stdout
        for line in ("utf-8, 6 bytes: ill-formed, 2 errors", "U+0041 'A'", "U+20AC, byte 2 of 3", "error: surrogate",
                     "ill-formed at 4, maximal subpart of 1 byte: ED then A0", "0041 20AC, then stops at 4"):
            self.assertIn(line, said)
        data = json.loads(assay("explain", "--json", "41E282ACEDA0").stdout)
        self.assertEqual([(span["offset"], span["length"], span["fault"]) for span in data["spans"]],
                         [(4, 1, "surrogate"), (5, 1, "stray-continuation")])
        self.assertEqual(data["policies"]["whatwg"], {"stopped": False, "code_points": [0x41, 0x20AC, 0xFFFD, 0xFFFD]})
        empty = assay("explain", "")
        self.assertEqual(empty.returncode, 0)
        self.assertTrue(empty.stdout.startswith("utf-8, 0 bytes: well-formed\n"))
        self.assertIn("U+1F6A9, byte 4 of 4", assay("explain", "-e", "utf-16be", "D83DDEA9").stdout)

    def test_limits_what_it_shows_of_long_input(self) -> None:
        """Of a long input without errors the beginning is shown, and how much is left out; what is shown of a cut character is right."""
        path = self.folder / "large"
        path.write_bytes(b"x" * 62 + "\u20ac".encode() * 30000)
        said = assay("explain", f"@{path}").stdout
        self.assertIn("well-formed\nshown: bytes 0 to 63, the beginning; --from OFFSET shows others, --all every one\n", said)
        self.assertIn("      63  82    10000010  U+20AC, byte 2 of 3\n  ... 89998 bytes after\n", said)
        self.assertEqual(said.count("  ... 89998 bytes after\n"), 2, "the walk, too")
        self.assertIn("(29998 after)", said)
        self.assertLess(len(said), 20000)
        self.assertIn("well-formed\nshown: bytes 89999 to 90061\n", assay("explain", "--all", "--from", "90000", f"@{path}").stdout)
        everything = assay("explain", "--all", f"@{path}").stdout
        self.assertIn("   90061  AC ", everything)
        self.assertNotIn("shown:", everything)
        self.assert_refused(assay("explain", "--json", f"@{path}"), "--all")

    def test_begins_near_the_first_error(self) -> None:
        """A long input is shown from near the first error on: bytes, code points and walk alike, with whole characters before it; in UTF-8
        and in a scheme."""
        path = self.folder / "large"
        path.write_bytes("\u20ac".encode() * 9000 + b"\xFF" + b"y" * 9000 + b"\xFE")
        said = assay("explain", f"@{path}").stdout
        self.assertIn("shown: bytes 26982 to 27047, around the first error;", said)
        for head in ("what it is\n", "  code point\n"):
            rows = said.split(head)[1].split("\n\n")[0].splitlines()
            self.assertEqual((rows[0], rows[-1]), ("  ... 26982 bytes before", "  ... 8954 bytes after"))
            self.assertTrue(rows[1].startswith("   26982  E2 ") and rows[-2].startswith("   27047  79 "), rows)
        self.assertIn("   27000  FF    11111111  error: invalid-lead\n", said)
        self.assertIn("(8994 before) 20AC 20AC 20AC 20AC 20AC 20AC, then stops at 27000\n", said)
        self.assertIn("(8994 before) 20AC 20AC 20AC 20AC 20AC 20AC FFFD 0079 ", said)
        self.assertIn("    ill-formed at 36001,", said)
        scheme = assay("explain", "-e", "unary", "41" * 200 + "FF" + "42" * 200).stdout
        self.assertIn("  ... 184 bytes before\n     184  41 ", scheme)
        self.assertIn("  ... 153 bytes after\n", scheme)
        at_end = assay("explain", "41" * 70 + "FF").stdout
        self.assertIn("  ... 7 bytes before\n       7  41 ", at_end)
        self.assertNotIn("after\n ", at_end.split("errors")[0])
        self.assertNotIn("shown:", assay("explain", "41" * 63 + "FF").stdout)

    def test_begins_at_the_given_offset(self) -> None:
        """--offset begins with the character or error that contains that byte; errors before it are counted."""
        path = self.folder / "large"
        path.write_bytes(b"\xFF" + "\u20ac".encode() * 90 + b"\xE2\x82" + b"z" * 90)
        said = assay("explain", "--from", "12", f"@{path}").stdout
        self.assertIn("  ... 10 bytes before\n      10  E2    11100010  U+20AC, byte 1 of 3\n", said)
        self.assertIn("  ... 1 error before\n    ill-formed at 271,", said)
        self.assertIn("strict            stops at 0\n", said)
        self.assertIn("whatwg            (4 before) 20AC ", said)
        self.assertIn("  ... 271 bytes before\n     271  E2    11100010  error: missing-continuation, byte 1 of 2\n",
                      assay("explain", "-f", "272", f"@{path}").stdout)
        last = assay("explain", "-f", "362", f"@{path}").stdout
        self.assertIn("  ... 362 bytes before\n     362  7A    01111010  U+007A 'z'\n\n", last)
        for arguments, word in ((["363"], "0 to 362"), (["-1"], "--from"), (["1", "-e", "all"], "one encoding"), (["1", "--json", "-e", "all"], "one encoding")):
            self.assert_refused(assay("explain", "--from", *arguments, f"@{path}"), word)

    def test_json_begins_at_the_given_offset(self) -> None:
        """--json --from explains the bytes from there on, from the begin of a character or an error: as if they were the input, at their
        offsets in it. The limit counts these bytes; the message about more has a command that cuts them."""
        for encoding, before, after in (("utf-8", "\u20ac".encode() * 50000, "a\u20acb".encode() + b"\xFF\xE2\x82"), ("utf-16le", b"\x41\x00" * 50001, b"\x3D\xD8\x12\xDC\x00\xDC"),
                                        ("unary", b"\x41" * 70001, b"\xC0\x41\x42")):
            path = self.folder / "large"
            path.write_bytes(before + after)
            part = json.loads(assay("explain", "-e", encoding, "--json", after.hex()).stdout)
            for row in [*part["spans"], *part["walk"], *part.get("layout", [])]:
                row["offset"] += len(before)
            for name, start in (("--from", len(before)), ("-f", len(before) + (1 if encoding == "utf-16le" else 0))):
                said = json.loads(assay("explain", "-e", encoding, "--json", name, str(start), f"@{path}").stdout)
                self.assertEqual(said, {**part, "byte_count": len(before + after), "from": len(before)}, encoding)
        path.write_bytes("\u20ac".encode() * 500000)
        within = json.loads(assay("explain", "--json", "--from", "1499999", f"@{path}").stdout)
        self.assertEqual((within["from"], within["byte_count"], within["policies"]["strict"]["code_points"]), (1499997, 1500000, [0x20AC]))
        self.assert_refused(assay("explain", "--json", "--from", "1000", f"@{path}"),
                            "1499000 bytes from there on are more than the 65536 that --json explains without --all; of a part: "
                            "tail -c +1001 FILE | head -c 65536 | assay explain --json -\n")
        self.assert_refused(assay("explain", "--json", "--all", f"@{path}"), "tail -c +1 FILE | head -c 1048576 | assay explain --json --all -\n")
        self.assert_refused(assay("explain", "--json", "-e", "utf-16le", f"@{path}"), "tail -c +1 FILE | head -c 65536 | assay explain --json -e utf-16le -\n")

    def test_says_that_it_asks_about_a_long_input(self) -> None:
        """`diff` and `minimise`: a line on standard error before the first question about more than 1 MiB, without a terminal, too."""
        path = self.folder / "large"
        for count, said in ((1 << 20, ""), ((1 << 20) + 1, "question 1 of 34, about 1048577 bytes\n")):
            path.write_bytes(b"a" * count)
            for command in ("diff", "minimise"):
                done = assay(command, f"@{path}")
                self.assertEqual((done.returncode, done.stderr), (0, said), command)

    def test_says_why_a_long_input_takes_long(self) -> None:
        """A line on standard error for more than 1 MiB, with a command that is faster."""
        path = self.folder / "large"
        path.write_bytes(b"a" * ((1 << 20) + 1))
        done = assay("explain", "--from", "1000000", f"@{path}")
        self.assertEqual(done.stderr, "all 1048577 bytes are read under each policy; of a part: tail -c +1000001 FILE | head -c 65536 | assay explain -\n")
        self.assertTrue(done.stdout.startswith("utf-8, 1048577 bytes: well-formed\n"))
        path.write_bytes(b"a" * (1 << 20))
        self.assertEqual(assay("explain", f"@{path}").stderr, "")

    def test_shows_one_input_in_every_encoding(self) -> None:
        """The two halves of a supplementary character, three bytes each, in all encodings of the family."""
        rows = {line.split()[0]: line.split()[1:] for line in assay("explain", "-e", "all", "EDA0BDEDB880").stdout.splitlines()[3:]}
        self.assertEqual(list(rows), FAMILY)
        for encoding, words in (
                ("utf-8", "6 errors, at 0: surrogate FFFD FFFD FFFD FFFD FFFD FFFD"), ("generalized-utf-8", "well-formed D83D DE00"),
                ("wtf-8", "3 errors, at 3: surrogate-pair D83D FFFD FFFD FFFD"), ("cesu-8", "well-formed 1F600"),
                ("mutf-8", "well-formed 1F600"), ("utf-16be", "well-formed EDA0 BDED B880")):
            self.assertEqual(rows[encoding], words.split(), encoding)
        printed = json.loads(assay("explain", "-e", "all", "--json", "C080").stdout)
        self.assertEqual([each["encoding"] for each in printed], FAMILY)
        self.assertEqual([each["well_formed"] for each in printed if "mutf" in each["encoding"]], [True, True])
        self.assert_refused(assay("explain", "-e", "all", "-w", "hoehrmann2010", "41"), "--walk")

    def test_the_last_character_that_is_shown_may_be_a_long_one(self) -> None:
        """Eight bytes of a scheme, of which the first is the last one shown; and an error after them."""
        for tail in ("", "80"):
            done = assay("explain", "-e", "unary", "41" * 63 + "FE00000000000041" + "42" * 20 + tail)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("error" if tail else "well-formed", done.stdout.splitlines()[0])

    def test_says_what_each_byte_is_if_characters_are_late(self) -> None:
        """A lead surrogate is a character only when no trail follows; the bytes before and after it are assigned correctly."""
        said = assay("explain", "-e", "mutf-8", "EDA0BD 41 C080 EDA0BDEDB880 EDA080 EDB0").stdout
        for line in ("     2  BD    10111101  U+D83D, byte 3 of 3", "     3  41    01000001  U+0041 'A'",
                     "     5  80    10000000  U+0000, byte 2 of 2", "    11  80    10000000  U+1F600, byte 6 of 6",
                     "    14  80    10000000  U+D800, byte 3 of 3", "    15  ED    11101101  error: truncated, byte 1 of 2"):
            self.assertIn(line, said)

    def test_json_is_whole_or_refused(self) -> None:
        """If memory runs out, the JSON does not lack an element."""
        if is_built_with("asan") or is_built_with("msan"):
            self.skipTest("sanitizers need more address space than is left")
        path = self.folder / "text"
        path.write_bytes(b"A" * 100000)
        done = assay("explain", "--json", "-a", f"@{path}", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (100 << 20, 100 << 20)))
        self.assert_refused(done, "out of memory")

    def test_json_is_limited(self) -> None:
        """JSON is limited, also with --all, since it takes two kilobytes of memory for each byte."""
        path = self.folder / "large"
        path.write_bytes(b"A" * ((1 << 20) + 1))
        self.assert_refused(assay("explain", "--json", f"@{path}"), "without --all")
        self.assert_refused(assay("explain", "--json", "-a", f"@{path}"), "at most")


class PolicyTest(Case):
    """Wherever policies are chosen or shown, the help describes each."""

    def test_help_says_what_each_policy_does(self) -> None:
        """In the words of codec.h."""
        listed = re.findall(r'(?m)^ +X\([A-Z_]+, "([a-z-]+)", "([^"]+)"\) *\\?$',
                            (ROOT / "codecs/codec.h").read_text(encoding="utf-8").partition("#define ASSAY_POLICIES")[2].partition("enum")[0])
        self.assertEqual(len(listed), 8)
        for command in ("convert", "explain", "subject"):
            printed = assay(command, "--help").stdout
            for name, sentence in listed:
                self.assertRegex(printed, rf"(?m)^  {name} +{re.escape(sentence)}$")


class ConvertTest(Case):
    """`convert`."""

    # FROM, TO, policy, input; then the output, or words of the refusal. Sections are those of the WTF-8 specification.
    CASES = (
        ("utf-8", "utf-16le", "strict", "41E282AC", "4100AC20"), ("utf-16be", "utf-8", "strict", "D83DDE00", "F09F9880"),
        ("utf-8", "cesu-8", "strict", "F09F9880", "EDA0BDEDB880"), ("cesu-8", "utf-8", "strict", "EDA0BDEDB880", "F09F9880"),
        ("utf-8", "mutf-8", "strict", "00F09F9880", "C080EDA0BDEDB880"), ("mutf-8", "utf-8", "strict", "C080", "00"),
        ("mutf-8-readutf", "mutf-8", "strict", "00C081", "C08001"),
        ("utf-16le", "wtf-8", "strict", "3DD8", "EDA0BD"), ("wtf-8", "utf-16le", "strict", "EDA0BD", "3DD8"),  # 6.3
        ("utf-16be", "mutf-8", "strict", "D8000000", "EDA080C080"), ("utf-16be", "wtf-8", "strict", "D83DDE00D83D", "F09F9880EDA0BD"),
        ("utf-16be", "wtf-8", "whatwg", "D80041", "EDA080EFBFBD"), ("utf-16be", "wtf-8", "strict", "D80041", "at 2"),
        ("wtf-8", "utf-8", "whatwg", "41EDA0BD", "41EFBFBD"), ("wtf-8", "utf-8", "strict", "41EDA0BD", "at 1 of the input: ED A0 BD"),  # 6.4
        ("generalized-utf-8", "wtf-8", "strict", "EDA0BDEDB880", "F09F9880"),  # 6.1
        ("generalized-utf-8", "utf-16be", "strict", "EDA0BDEDB880", "at 3"), ("generalized-utf-8", "wtf-16be", "strict", "EDA0BDEDB880", "at 3"),  # 4.1
        ("generalized-utf-8", "wtf-16le", "whatwg", "EDA0BDEDB880", "3DD8FDFF"), ("wtf-16le", "utf-16be", "strict", "41003DD8", "at 2"),
        ("utf-16be", "wtf-16le", "strict", "D83D0041", "3DD84100"), ("wtf-16be", "wtf-8", "strict", "D83DDE00DE00", "F09F9880EDB880"),  # 6.3
        ("WTF-16BE", "utf-8", "whatwg", "D83D0041", "EFBFBD41"), ("wtf-16be", "wtf-16le", "strict", "D83D00", "at 2"),
        ("generalized-utf-8", "utf-8", "whatwg", "EDA0BDEDB880", "EFBFBDEFBFBD"),
        ("utf-16be", "utf-16le", "whatwg", "D8000041DC00", "FDFF4100FDFF"), ("utf-16be", "utf-16le", "strict", "0041D8000041", "at 2"),
        ("utf-16be", "cesu-8", "strict", "D8000041", "at 0"), ("utf-8", "utf-16be", "surrogateescape", "41FF", "0041DCFF"),
        ("utf-8", "utf-8", "surrogateescape", "41FF", "41FF"), ("utf-8", "wtf-8", "surrogateescape", "41FF", "41EDB3BF"),
        ("utf-8", "cesu-8", "surrogateescape", "41FF", "at 1 of the input: FF"), ("utf-8", "cesu-8", "jdk", "EDA080", "EFBFBD"),
        ("utf-8-sig", "utf-8", "strict", "EFBBBF41", "41"), ("utf-8-sig", "utf-8", "strict", "EFBBBFFF", "at 3"),
        ("utf-8-sig", "utf-8", "skip", "FFEFBBBF", "EFBBBF"), ("utf-8", "utf-8", "strict", "", ""),
        ("utf-16le-sig", "utf-8", "strict", "FFFE4100", "41"), ("utf-16be-sig", "utf-8", "strict", "FEFFFEFF", "EFBBBF"),
        ("utf-16be-sig", "utf-8", "strict", "FEFFDC00", "at 2"), ("utf-16le-sig", "utf-8", "strict", "FEFF", "EFBFBE"),
    )

    def test_converts(self) -> None:
        """Raw, as hex, as JSON; an error is reported with its place, and nothing is written."""
        for source, target, policy, text, expected in self.CASES:
            done = assay("convert", source, target, "--policy", policy, "--hex", text)
            printed = json.loads(assay("convert", "-p", policy, "--json", source, target, text).stdout)
            if expected and not re.fullmatch("[0-9A-F]+", expected):
                self.assertEqual((done.returncode, done.stdout, printed["converted"]), (1, "", False), (source, target, text))
                self.assertIn(expected, done.stderr)
                self.assertIn(f"at {printed['error']['offset']}", done.stderr)
            else:
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{expected}\n", ""), (source, target, text))
                self.assertEqual(printed["hex"], expected)
        with open(self.folder / "out", "wb") as out:
            self.assertEqual(assay("convert", "utf-16be", "utf-8", "00E9FFFF0000", stdout=out).returncode, 0)
        self.assertEqual((self.folder / "out").read_bytes(), b"\xC3\xA9\xEF\xBF\xBF\0")

    def test_advises_no_policy_that_was_given(self) -> None:
        """Replacing is advised only if the policy stops."""
        self.assertIn("--policy whatwg", assay("convert", "utf-8", "utf-16le", "FF").stderr)
        done = assay("convert", "-p", "surrogateescape", "utf-8", "cesu-8", "FF")
        self.assertIn("cannot hold", done.stderr)
        self.assertNotIn("--policy whatwg", done.stderr)

    def test_refuses_ambiguous_conversions(self) -> None:
        """An ambiguous conversion is refused, with the reason and what to do."""
        for word in ("auto", "guess", "detect"):
            for arguments in ([word, "utf-8"], ["utf-8", word]):
                self.assert_refused(assay("convert", *arguments, "41"), "never guessed", "CESU-8", "mutf-8")
            self.assert_refused(assay("explain", "-e", word, "41"), "never guessed")

    def test_refuses_unknown_words(self) -> None:
        """Unknown encodings, policies and codecs are refused. So is a policy that one side does not offer; the message names those that both offer."""
        for arguments, word in (
                (["utf-7", "utf-8", "41"], "utf-7"), (["utf-8", "utf-8-sig", "41"], "U+FEFF"), (["utf-8", "utf-16be-sig", "41"], "convert to utf-16be"), (["utf-8", "wtf-8"], "too few"),
                (["utf-8", "wtf-8", "-p", "lenient", "41"], "whatwg"), (["utf-8", "wtf-8", "-c", "guess", "41"], "guess"),
                (["utf-16le", "utf-8", "-p", "jdk", "41"], "under the policy jdk; it is under: strict whatwg"), (["unary", "utf-16le", "41"], "strict; nor under any other")):
            self.assert_refused(assay("convert", *arguments), word)
        for encoding in ("utf-8", "utf-16le", "utf-16be"):
            self.assert_refused(assay("diff", "-e", f"{encoding}-sig", "41"), f"convert {encoding}-sig {encoding}")


class DiffTest(Case):
    """`diff`."""

    def test_the_published_loop_is_the_reference(self) -> None:
        """Hoehrmann's loop against the vectors: its verdicts, counts and outputs under two policies are right."""
        done = assay("check", "-c", "hoehrmann_loop", "utf-8/well-formed", "utf-8/truncated", "utf-8/swallowing", "utf-8/museum", "utf-8/limited-output")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"cases on 1 codec: [1-9]\d{3,} answers compared, \d+ skipped, 0 cases failed\n\Z")

    def test_prints_a_row_for_each_codec(self) -> None:
        """For well-formed and ill-formed input: one line for each codec, no divergence. Hoehrmann's loop has only a verdict and two
        policies, so questions are skipped."""
        names = [name.split("/")[1] for name in assay("list", "-e", "utf-8").stdout.split()]
        others = [name for name in names if name != "hoehrmann_loop"]
        self.assertEqual(len(others), len(names) - 1)
        for text, verdict in (("41E282AC", "well-formed"), ("", "well-formed"), ("41C080", "ill-formed at 1, 1 byte, overlong"),
                              ("41E282", "ill-formed at 1, 2 bytes, truncated")):
            done = assay("diff", text)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout.count(verdict), len(names if verdict == "well-formed" else others))
            self.assertRegex(done.stdout, r"no divergence: [1-9]\d* answers compared, [1-9]\d* skipped\n\Z")
        data = json.loads(assay("diff", "--json", "41C080").stdout)
        self.assertEqual([row["codec"] for row in data["codecs"]], names)
        self.assertEqual((data["divergences"], data["thorough"]), ({}, True))
        without = json.loads(assay("diff", "--json", "41", without="sse41").stdout)
        self.assertIn("sse41", without["not_run"])
        self.assertEqual({row["codec"] for row in data["codecs"]}, {row["codec"] for row in without["codecs"]} | set(without["not_run"]) - set(data["not_run"]))
        self.assertIn("  sse41            does not run here\n", assay("diff", "41", without="sse41").stdout)
        errors = {row["codec"]: row["error"] for row in data["codecs"]}
        self.assertEqual(errors, {name: {"offset": 1, "length": 1, "fault": "overlong"} if name in others else {} for name in names})

    @in_ordinary_build
    def test_asks_one_question_under_each_policy(self) -> None:
        """Unless one is named: a codec is wrong under surrogateescape alone."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "faulty_part", method="swar", OFFERED=".decode_utf32 = drops_last_of_four")
            asked = ("diff", "--operation", "decode-utf32", "--codec", library)
            for policy, code in ((), 1), (("-p", "surrogateescape"), 1), (("-p", "strict"), 0):
                done = assay(*asked, *policy, "1281*41")
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)

    def test_asks_one_question(self) -> None:
        """`diff --operation` asks the question that a letter of `sweep` names; malformed questions are refused."""
        done = assay("diff", "--operation", "feed-utf16", "--policy", "whatwg", "--cuts", "1,1,2", "--room", "5", "FFE282")
        self.assertRegex(done.stdout, r"\Autf-8, 3 bytes\n\nno divergence: [1-9]\d* answers compared, 1 skipped\n\Z")  # Hoehrmann's loop does not stream
        done = assay("diff", "--operation", "encode-utf32", "-p", "strict", "--capacity", "1", "00D80000", program=CANARY)
        self.assertRegex(done.stdout, r"no divergence: [1-9]\d* answers compared, 2 skipped\n\Z")  # the canary and the loop do not encode
        done = assay("diff", "--operation", "validate", "C080", program=CANARY)
        self.assertIn("  key           utf8-validate-canary-verdict\n", done.stdout)
        self.assertIn(f"  again         {CANARY} diff --operation validate C080\n", done.stdout)
        for words, said in ((("--cuts", "1", "FF"), "name its --operation"), (("--operation", "guess", "FF"), "there are: validate spans"),
                            (("--operation", "spans", "-p", "guess", "FF"), "no policy 'guess'"),
                            (("--operation", "decode-utf32", "--capacity", "4294967295", "FF"), "from 0 to 1048576"),
                            (("--operation", "count", "--capacity", "1", "80"), "from 2 to 1048576"),
                            (("--operation", "boundary", "--capacity", "2", "4142"), "from 3 to 1048576"),
                            (("--operation", "encode-utf32", "FF"), "units of 4 bytes"), (("--operation", "spans", "--cuts", "1", "FF"), "--cuts is for"),
                            (("--operation", "feed-utf16", "--cuts", "1,0", "FF"), "from 1 to 1, not '0'"),
                            (("--operation", "concat", "FF"), "--cuts takes one number"), (("--operation", "spans", "--room", "9", "FF"), "--room is for"),
                            (("--shifts", "1,0", "FF"), "name its --operation"), (("--operation", "spans", "--shifts", "1", "FF"), "takes two numbers"),
                            (("--operation", "spans", "--shifts", "1,2", "FF"), "multiples of 8"), (("--operation", "spans", "--shifts", "64,0", "FF"), "from 0 to 63"),
                            (("--operation", "spans", "--shifts", "0,0,0", "FF"), "takes two numbers")):
            self.assert_refused(assay("diff", *words), said)

    def test_every_built_in_codec_has_every_operation(self) -> None:
        """Each codec has all operations of its encoding's reference: a forgotten one would only be counted as skipped."""
        encodings = {name.split("/")[0] for name in assay("list").stdout.split()}
        self.assertGreater(len(encodings), 9)
        for encoding in sorted(encodings - {"utf-8"}):
            self.assertRegex(assay("diff", "-e", encoding, "41").stdout, r"(?m)(\b0 skipped|^no other codec for .*)$", encoding)
        operations = re.findall(r'(?m)^OPERATION\(\w+, +\w+, +"([\w-]+)"', (ROOT / "codecs/operations.def").read_text())
        self.assertGreater(len(operations), 11)
        for operation in operations:  # of UTF-8, Hoehrmann's loop lacks some, and no other codec does
            done = assay("diff", "--operation", operation, "-p", "strict", *(["--cuts", "1"] if operation == "concat" else []), "41000000")
            self.assertRegex(done.stdout, r"(?m)\b[01] skipped$", operation)

    def test_says_when_there_is_only_one_codec(self) -> None:
        """An encoding with only one codec: nothing is compared, and the output says so."""
        self.assertIn("no other codec for utf-8-rfc2279", assay("diff", "-e", "utf-8-rfc2279", "41").stdout)

    def test_asks_less_about_large_inputs(self) -> None:
        """Large inputs get fewer questions, and the output says which were left out; an error at the far end is found nevertheless."""
        path = self.folder / "large"
        path.write_bytes("\u20acx".encode() * 20000 + b"\xC0\x80")
        done = assay("diff", f"@{path}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("80002 bytes are more than 65536: each was asked once", done.stdout)
        done = assay("diff", f"@{path}", program=CANARY)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("80002)", done.stdout)
        self.assertFalse(json.loads(assay("diff", "--json", f"@{path}").stdout)["thorough"])

    def test_the_command_in_a_letter_shows_it_again(self) -> None:
        """The command in a letter works for file names with spaces, quotation marks, other scripts, and bytes that are not text."""
        for name in (b"plain", b"with space", b"it's", b"\xC3\xBCber \xE4\xB8\x96", b"no text \xFF\xFEf", b"$(exit 9)", b"a\nb", b"-"):
            path = os.fsencode(self.folder) + b"/" + name
            with open(path, "wb") as file:
                file.write(b"\xC0\x80")
            done = assay("diff", b"@" + path, program=CANARY)
            self.assertEqual(done.returncode, 1, name)
            self.assertEqual(json.loads(assay("diff", "--json", b"@" + path, program=CANARY).stdout)["divergences"].keys(),
                             {"utf8-validate-canary-verdict"})
            again, = re.findall(r"(?m)^  again +(.*)$", done.stdout)
            self.assertTrue(again.startswith(f"{shlex.quote(CANARY)} diff "), again)
            shell = shutil.which("bash")
            if shell is not None:
                printed = subprocess.run([shell, "-c", again], capture_output=True, check=False)
                self.assertEqual(printed.returncode, 1, (again, printed.stderr))


class InputTest(Case):
    """INPUT: hex, files, standard input."""

    def test_terminals_get_no_controls_of_names(self) -> None:
        """A message has control characters and bytes that are no UTF-8 in hex, and other text as it is."""
        self.assert_refused(assay("explain", "@no/\u9B3C \x1B[31m \x7F \u0085\u00A0"), "no/\u9B3C \\x1B[31m \\x7F \\xC2\\x85\u00A0: No such file")
        self.assert_refused(assay("explain", b"@no/\xC3\xBC \xFF"), r"no/\xC3\xBC \xFF: No such file")
        (self.folder / "complete").mkdir()
        for name in ("parts", "positions"):
            (self.folder / f"complete/utf-8-{name}.tsv").write_bytes(b"\x1B]0;owned\a\n")
        self.assertNotRegex(assay("check", "--vectors", self.folder).stderr, r"[^ -~\n]")

    def test_accepts_every_form(self) -> None:
        """Each form of INPUT gives the same bytes."""
        path = self.folder / "\u00fc ber"
        path.write_bytes(b"A\xE2\x82\xAC")
        first = assay("explain", "41e282AC").stdout
        for done in (assay("explain", " 41 e2\t82\nac "), assay("explain", f"@{path}"), assay("explain", "--", "41E282AC"),
                     assay("explain", "-", input="A\u20ac"), assay("explain", "@/dev/stdin", input="A\u20ac")):
            self.assertEqual((done.returncode, done.stdout), (0, first), done.stderr)
        for text, data in (("3*e2 41", b"\xE2\xE2\xE2A"), ("41 2*e282AC", "A€€".encode()), ("1*41\t2*42", b"ABB"), ("70*41", b"A" * 70)):
            path.write_bytes(data)
            self.assertEqual(assay("explain", text).stdout, assay("explain", f"@{path}").stdout, text)
        (self.folder / "empty").write_bytes(b"")
        for command in ("explain", "diff"):
            self.assertEqual(assay(command, "").stdout, assay(command, f"@{self.folder}/empty").stdout)

    def test_refuses_malformed_hex(self) -> None:
        """Malformed hex is refused, with the place."""
        for text, word in (("4", "odd"), ("414", "odd"), ("4 1 4", "odd"), ("4G", "character 2"), ("0x41", "character 2"),
                           ("41,42", "character 3"), ("caf\u00e9", "character 4"), ("\u0661", "character 1"), ("41_", "character 3"),
                           ("0*41", "1 to 1073741824 times"), ("3*4", "whole bytes"), ("2*4 1", "whole bytes"), ("3*", "character 3"), ("*41", "character 1"),
                           ("18446744073709551617*41", "1 to 1073741824 times"), ("1000000000*4142", "1073741824 at most"), ("4 1*41", "character 4"),
                           ("1000000000*41 1000000000*41", "longer than"),
                           ("z" * 100000, "...")):
            for command in ("explain", "diff"):
                done = assay(command, text)
                self.assert_refused(done, word)
                self.assertLess(len(done.stderr), 400)

    def test_refuses_unreadable_files(self) -> None:
        """Refused: a missing file, a folder, an empty name, an unreadable file, an endless file."""
        secret = self.folder / "secret"
        secret.write_bytes(b"A")
        secret.chmod(0)
        cases = [(f"@{self.folder}/missing", "No such file"), (f"@{self.folder}", "folder"), ("@", "no file"),
                 (f"@{'x' * 5000}", "too long"), (f"@{secret}/below", "directory")]
        if os.geteuid() != 0:
            cases.append((f"@{secret}", "denied"))
        for text, word in cases:
            for command in ("explain", "diff"):
                self.assert_refused(assay(command, text), word)

    def test_a_file_without_its_sign_is_recognised(self) -> None:
        """The path of a file, in place of @ and the path, whether there is such a file or not."""
        path = self.folder / "crash"
        path.write_bytes(b"A")
        for command in ("explain", "diff", "minimise"):
            self.assert_refused(assay(command, str(path)), f"'{path}' is no hex; a file is named with @: @{path}\n")
            for missing in (f"{path}2", "./crash2", "../crash2"):
                self.assert_refused(assay(command, missing), f"'{missing}' is no hex; a file is named with @: @{missing}\n")

    def test_accepts_any_bytes(self) -> None:
        """Long random input crashes no command, in any encoding."""
        path = self.folder / "nonsense"
        path.write_bytes(bytes((i * i >> 7 ^ i * 131) & 0xFF for i in range(20000)))
        self.assertEqual(assay("explain", "--all", f"@{path}").returncode, 0)
        for encoding in ("utf-8", "utf-16le", "utf-16be"):
            done = assay("diff", "-e", encoding, f"@{path}")
            self.assertEqual((done.returncode, done.stderr), (0, ""))


class PathTest(Case):
    """Paths in messages."""

    def test_paths_have_no_empty_steps(self) -> None:
        """Of the data of a build."""
        said = assay("check", "utf-8/nope").stderr
        self.assertIn("/vectors matches 'utf-8/nope'", said)
        self.assertNotIn("/./", said)


class OutputTest(Case):
    """Output that cannot be written."""

    def test_a_full_disk_is_no_success(self) -> None:
        """A full disk gives exit code 2 and a message."""
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        for arguments in (["list"], ["list", "--json"], ["explain", "41"], ["explain", "--json", "41"], ["diff", "41"],
                          ["--help"], ["--version"], ["list", "--help"], ["check", "--list"], ["sweep", "--stride", "1000", "pairs"],
                          ["check", "-q", "utf-8/overlong/c080"]):
            with open("/dev/full", "w", encoding="ascii") as full:
                done = assay(*arguments, stdout=full)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertRegex(done.stderr, r": standard output cannot be written: No space left on device\n$")
        with open("/dev/full", "w", encoding="ascii") as full:
            done = assay("subject", "utf-8/reference", stdout=full, input="1 validate utf-8 41\n")
        self.assertEqual(done.returncode, 2)

    def test_a_reader_may_end_first(self) -> None:
        """If a reader such as `head` ends, the program ends by SIGPIPE or with exit code 2, and reports no crash."""
        for arguments in (["explain", "--all", "41" * 30000], ["check", "--list"]):
            with subprocess.Popen([ASSAY, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                assert process.stdout is not None and process.stderr is not None
                process.stdout.read(10)
                process.stdout.close()
                said = process.stderr.read()
                self.assertIn(process.wait(60), (-13, 0, 2), said)


@in_ordinary_build
class SweepTest(Case):
    """`sweep`."""

    def test_refuses_wrong_strides(self) -> None:
        """A stride must be a whole number from 1 on."""
        for stride in ("0", "-1", " -1", "", "x", "1e3", "1.5", "+5", "0x10", "99999999999999999999999", "1000001"):
            self.assert_refused(assay("sweep", "--stride", stride, "pairs"), "--stride")
        self.assert_refused(assay("sweep", "--from", "10000", "unit-pairs"), "--from")
        self.assert_refused(assay("sweep", "--from", "100", "pairs"), "unit-pairs")
        self.assert_refused(assay("sweep", "-e", "utf-8", "unit-pairs"), "utf-8")
        self.assert_refused(assay("sweep", "-e", "leb128", "strings"), "leb128")

    def test_reports_text_and_json(self) -> None:
        """As text and as JSON."""
        self.assertRegex(assay("sweep", "-e", "cesu-8", "--stride", "999", "pairs").stdout,
                         r"\Acesu-8 +pairs +\d+ inputs, +\d+ answers compared, 0 skipped, 0 divergences, [0-9.]+ s\n\Z")
        part, = json.loads(assay("sweep", "-e", "cesu-8", "--stride", "999", "--json", "pairs").stdout)
        self.assertEqual([part[key] for key in ("encoding", "part", "skipped", "diverged", "sorts")], ["cesu-8", "pairs", 0, 0, {}])
        self.assertGreater(part["asked"], part["inputs"])

    def test_enumerates_every_encoding(self) -> None:
        """All encodings in turn; a part of only one encoding runs for that one."""
        printed = json.loads(assay("sweep", "--json", "-e", "all", "--stride", "9999", "pairs", "units").stdout)
        self.assertEqual([part["encoding"] for part in printed], [name for name in FAMILY for _ in range(2)])
        printed = json.loads(assay("sweep", "--json", "--from", "FFF0", "--stride", "5", "unit-pairs").stdout)
        self.assertEqual([(part["encoding"], part["inputs"], part["diverged"]) for part in printed], [("wtf-8", 4 * 65536, 0)])

    @in_ordinary_build
    def test_a_wrong_codec_is_a_divergence(self) -> None:
        """Exit code 1, with one letter for each key, in however many parts it shows; the others are counted."""
        done = assay("sweep", "--stride", "31", "strings", "pairs", program=CANARY)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("utf-8/canary differs from utf-8/reference\n"), 1, done.stderr)
        sorts = re.findall(r"(?m)^ +([0-9]+) of the sort (.*)$", done.stdout)
        self.assertEqual([key for _, key in sorts], 2 * ["utf8-validate-canary-verdict"])
        parts = json.loads(assay("sweep", "--json", "--stride", "31", "strings", "pairs", program=CANARY).stdout)
        self.assertEqual([(int(count), key) for count, key in sorts],
                         [(count, key) for part in parts for key, count in part["sorts"].items()])
        for part in parts:
            self.assertGreater(part["diverged"], 2)
            self.assertEqual(part["diverged"], sum(part["sorts"].values()))

    def test_fail_fast_ends_at_the_first_wrong_input(self) -> None:
        """--fail-fast ends at the first wrong input of the first part, with a complete summary. A right codec is asked everything."""
        whole, _ = json.loads(assay("sweep", "--json", "--stride", "31", "pairs", "strings", program=CANARY).stdout)
        done = assay("sweep", "--fail-fast", "--json", "--stride", "31", "pairs", "strings", program=CANARY)
        self.assertEqual(done.returncode, 1, done.stderr)
        part, = json.loads(done.stdout)
        self.assertEqual((part["part"], part["sorts"]), (whole["part"], {"utf8-validate-canary-verdict": part["diverged"]}))
        self.assertEqual((part["diverged"] > 0, part["inputs"] < whole["inputs"]), (True, True))
        again, = re.findall(r"(?m)^  again +(.*)$", done.stderr)
        self.assertEqual(assay(*shlex.split(again)[1:], program=CANARY).returncode, 1, again)
        inputs = [[part["inputs"] for part in json.loads(assay("sweep", *options, "--json", "--stride", "9999", "pairs", "units").stdout)]
                  for options in ((), ("--fail-fast",))]
        self.assertEqual(inputs[0], inputs[1])

    def test_sweep_can_compare_one_codec_only(self) -> None:
        """--only leaves the reference and that codec: a wrong codec is not asked beside a right one, and still is if it is the one."""
        asked = ("sweep", "--json", "--stride", "997", "pairs")
        [every], [one] = (json.loads(assay(*asked, *options, program=CANARY).stdout) for options in ((), ("--only", "swar")))
        self.assertEqual((one["inputs"], one["diverged"], 0 < one["asked"] < every["asked"] // 2), (every["inputs"], 0, True))
        self.assertEqual(assay(*asked, "--only", "canary", program=CANARY).returncode, 1)
        for wrong, complaint in ((("--only", "swor"), "--only: no codec utf-8/swor runs here"), (("--only", "swar", "--checkpoint", "a", "strings-of-4"), "--only: a checkpoint"),
                                 (("--against", "swor"), "--against: no codec utf-8/swor runs here"), (("--only", "swar", "--against", "swar", "pairs"), "swar would be compared with itself"),
                                 (("--against", "swar", "--checkpoint", "a", "strings-of-4"), "--against: a checkpoint"), (("--operation", "spans,valid", "pairs"), "there is no operation 'valid'"),
                                 (("--operation", "concat", "--only", "swar", "far"), "nothing was compared")):
            done = assay("sweep", *wrong)
            self.assertEqual((done.returncode, complaint in done.stderr), (2, True), done.stderr)

    def test_sweep_goes_on_after_a_part_that_asks_nothing_of_a_codec(self) -> None:
        """As of one that only validates."""
        done = assay("sweep", "--json", "--stride", "997", "--operation", "validate", "--only", "swar", "joined", "pairs")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([(row["part"], row["asked"] > 0) for row in json.loads(done.stdout)], [("joined", False), ("pairs", True)])

    def test_sweep_can_ask_about_some_operations_only(self) -> None:
        """--operation leaves out the questions about the others: the canary, which validates wrongly, is right about them."""
        for part in ("strings", "pairs", "far"):
            asked = ("sweep", "--json", "--stride", "997", "--only", "canary", part)
            [every], [validated] = (json.loads(assay(*asked, *options, program=CANARY).stdout) for options in ((), ("--operation", "validate")))
            self.assertEqual((validated["inputs"], validated["sorts"]), (every["inputs"], every["sorts"]), part)
            self.assertGreater(validated["skipped"], 0, part)
        self.assertEqual(assay("sweep", "--stride", "997", "--operation", "spans", "pairs", program=CANARY).returncode, 0)
        [every], [decoded] = (json.loads(assay("sweep", "--json", "--stride", "997", "pairs", *options).stdout) for options in ((), ("--operation", "decode-utf16,count")))
        self.assertTrue(0 < decoded["asked"] < every["asked"] // 2, (decoded, every))

    def test_sweep_can_compare_with_another_codec(self) -> None:
        """--against puts a codec in the reference's place: it is not asked beside the others, and a wrong one makes them differ."""
        asked = ("sweep", "--json", "--stride", "997", "pairs")
        [every], [others] = (json.loads(assay(*asked, *options).stdout) for options in ((), ("--against", "swar")))
        self.assertEqual((others["inputs"], others["diverged"], 0 < others["asked"] < every["asked"]), (every["inputs"], 0, True))
        done = assay("sweep", "--stride", "31", "--only", "swar", "--against", "canary", "--operation", "validate", "strings", program=CANARY)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("utf-8/swar differs from utf-8/canary\n", done.stderr)

    def test_a_letter_begins_a_line_on_a_terminal(self) -> None:
        """A letter begins a new line, not after the progress line."""
        self.assertIn("\r\33[Kutf-8/canary differs", printed_on_terminal("sweep", "--stride", "31", "strings", program=CANARY))

    def test_what_a_codec_does_not_offer_is_skipped(self) -> None:
        """Skipped questions are counted: the canary only validates."""
        for part in json.loads(assay("sweep", "--json", "--stride", "9999", program=CANARY).stdout):
            self.assertGreater(part["skipped"], 0, part["part"])
            self.assertIn(f" {part['skipped']} skipped, ", assay("sweep", "--stride", "9999", part["part"], program=CANARY).stdout)


class LoadableTest(Case):
    """`--codec`."""

    def build(self, source: Union[str, Path], name: str, encoding: str = "utf-8", **macros: str) -> str:
        """Builds a loadable codec with a name."""
        if COMPILER is None:
            self.skipTest("there is no C compiler")
        if is_built_with("msan"):
            self.skipTest("MemorySanitizer does not see what a library without it writes")
        return loadable(self.folder, source, name, NAME=f'"{name}"', ENCODING=f'"{encoding}"', **macros)

    def test_a_right_one_agrees_and_a_wrong_one_is_caught(self) -> None:
        """Figures that a codec does not know are not errors; wrong acceptance is."""
        right, wrong = self.build("example", "right"), self.build("example", "wrong", WRONG="1")
        for text in ("", "41E282AC", "C080", "41C1BF", "EDA080", "F4908080", "E282"):
            done = assay("diff", "--codec", right, text)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertIn("  right  ", done.stdout)
        done = assay("diff", "--codec", right, "--codec", wrong, "41C080")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^  right +ill-formed at 1 ")
        for line in ("utf-8/wrong differs from utf-8/reference", "  wrong         well-formed", "1 divergence",
                     f"  again         {ASSAY} diff --codec {right} --codec {wrong} 41C080"):
            self.assertIn(line, done.stdout)
        self.assertIn("utf-8/wrong", assay("list", "--codec", wrong).stdout)
        for command in (("diff", "41"), ("sweep", "strings"), ("bench", "--seconds", "1")):  # silence would look like agreement
            done = assay(command[0], "-e", "wtf-8", "--codec", right, *command[1:])
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("right.so is utf-8/right, and nothing would be asked of it", done.stderr)
        self.assertEqual(assay("subject", "--codec", right, "utf-8/right", input="1 validate utf-8 41FF\n").stdout, "1 error 1 ?\n")
        self.assertEqual(assay("check", "--codec", wrong, "-c", "wrong", "utf-8/overlong").returncode, 1)
        self.assertEqual(assay("check", "--codec", right, "-c", "right", "utf-8/overlong").returncode, 0)

    def test_a_codec_that_nothing_is_asked_of_is_refused(self) -> None:
        """Every command that would silently not ask the codec refuses it: because of its encoding, its name, or its operations."""
        utf_8, wtf_8, leb128 = self.build("example", "right"), self.build("example", "w4", "wtf-8"), self.build("example", "own", "leb128")
        ticks = ("--no-peers", "--seconds", "0", "--text", "ascii", "--size", "64")
        for command, library in ((("sweep", "units"), wtf_8), (("sweep", "edge-pairs"), utf_8), (("sweep", "-e", "all"), leb128),
                              (("promises",), utf_8), (("museum", "control"), utf_8), (("damage", "-s", "1"), utf_8), (("explain", "41"), utf_8),
                              (("convert", "-c", "dfa", "utf-8", "wtf-8", "41"), utf_8), (("subject", "utf-8/shift"), utf_8), (("check", "-c", "shift", "utf-8/overlong"), utf_8),
                              (("bench", "-c", "shift", *ticks), utf_8)):
            self.assert_refused(assay(*command, "--codec", library), "nothing would be asked of it")
        self.assert_refused(assay("bench", *ticks, "--peer", wtf_8), "--peer", "nothing would be asked of it")
        subjects = ("--subject", f"{ASSAY} subject utf-8/reference", "--subject", f"{ASSAY} subject utf-8/swar")
        for command, why in ((("check", "-c", "rigth", "utf-8/overlong"), "-c 'rigth' does not match that name"), (("diff", "-e", "wtf-8", "41"), "the encoding here is wtf-8 (-e)"),
                             (("minimise", "-e", "wtf-8", "41"), "the encoding here is wtf-8 (-e)"), (("diff", *subjects, "41"), "two of --subject are compared with each other alone; "),
                             (("minimise", *subjects, "41"), "two of --subject are compared with each other alone; ")):
            self.assert_refused(assay(*command, "--codec", utf_8), f"--codec: {utf_8} is utf-8/right, and nothing would be asked of it: {why}")
        self.assert_refused(assay("bench", *ticks, "--operation", "count", "-c", "right", "--codec", utf_8), "nothing to measure")
        silent = self.build("example", "silent", OFFERED="")
        for command, library in ((("diff", "41"), silent), (("sweep", "--stride", "999", "strings"), silent), (("check", "utf-8/overlong"), silent),
                              (("sweep", "--stride", "999", "units"), utf_8), (("sweep", "edge-pairs"), wtf_8),
                              (("check", "utf-8/overlong"), wtf_8), (("bench", "--operation", "count", *ticks), utf_8)):
            done = assay(*command, "--codec", library)
            self.assertEqual(done.returncode, 2, command)
            self.assertIn("nothing was asked of", done.stderr)
        self.assert_refused(assay("bench", "--operation", "count", *ticks, "--peer", utf_8),
                            "--peer: nothing was asked of utf-8/right that it answers")

    def test_a_codec_that_supports_no_pairs_is_skipped(self) -> None:
        """A codec that offers no pairs is skipped, not wrong; the output says that nothing is left to ask."""
        silent = self.build("unsupporting", "unsupporting", "wtf-8")
        done = assay("sweep", "edge-pairs", "--stride", "24", "--codec", silent)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stdout, " 2 skipped, 0 divergences")

    def test_a_codec_that_dies_is_named(self) -> None:
        """In every command, a codec that crashes or ends the process is reported, and the command does not succeed."""
        for name, end, word in (("segv", "*(volatile char *)0 = 1", "SIGSEGV"), ("abort", "abort()", "SIGABRT"),
                                ("exit", "exit(0)", "exit()"), ("at_once", "_exit(0)", "exit()"), ("quick", "quick_exit(0)", "exit()"),
                                ("stack", "page[1] = validate(bytes, count, error)", "SIGSEGV")):
            library = self.build("dying", name, END=end)
            for command in (["diff", "41"], ["check", "-c", name, "utf-8/overlong"], ["sweep", "--stride", "1000000", "strings"],
                         ["bench", "-c", name, "--no-peers", "--seconds", "0", "--text", "ascii", "--size", "64"]):
                done = assay(command[0], "--codec", library, *command[1:])
                goes_on = command[0] in ("check", "diff")
                letters = done.stdout if goes_on else done.stderr
                self.assertIn(f"utf-8/{name} gives no answer\n", letters, command)
                self.assertIn(word, letters, command)
                self.assertEqual((done.returncode, done.stderr if goes_on else ""), (1, ""), command)
        self.assert_refused(assay("list", "--codec", self.build("dying", "begin", END="abort()", AT_LOAD="exit(0)")), "begin.so ended the process: exit code 0")
        self.assert_refused(assay("list", "--codec", self.build("dying", "aborts", END="abort()", AT_LOAD="abort()")), "aborts.so ended the process: signal 6")

    def test_a_subject_that_dies_says_of_what(self) -> None:
        """Earlier requests are answered; then a letter follows, and the request, which is cut if it is long."""
        for end, word in (("abort()", "SIGABRT: it calls abort()"), ("exit(0)", "it ends the process, as exit() does")):
            library = self.build("dying", "gone", WHEN="count != 2", END=end)
            for count, shown in ((1, "2 validate utf-8 41"), (200, "2 validate utf-8 " + "41" * 51 + "4...")):
                done = assay("subject", "--codec", library, "utf-8/gone",
                             input=f"1 encode utf-8 strict 41\n2 validate utf-8 {'41' * count}\n3 validate utf-8 4142\n")
                self.assertEqual((done.returncode, done.stdout), (1, "1 skip encoding to this is not offered\n"), done.stderr)
                self.assertIn(f"utf-8/gone gives no answer\n  asked         validate; {word}\n", done.stderr)
                self.assertTrue(done.stderr.endswith(f"\nin {shown}\n"), done.stderr)

    def test_enumeration_continues_after_a_crash(self) -> None:
        """Strings of three bytes, about which codecs are asked directly. After five crashes the codec is not asked again."""
        library = self.build("example", "third", BEFORE="if (count == 3) abort()")
        words = ("sweep", "--json", "--stride", "65792", "strings", "pieces")
        whole, done = json.loads(assay(*words).stdout), assay(*words, "--codec", library)
        self.assertEqual(done.returncode, 1, done.stderr)
        for part, without in zip(json.loads(done.stdout), whole):
            self.assertEqual(part["inputs"], without["inputs"], part)
            self.assertGreaterEqual(part["asked"], without["asked"], part)
        self.assertEqual([(part["diverged"], part["sorts"]) for part in json.loads(done.stdout)],
                         [(5, {"utf8-validate-third-abort": 5}), (0, {})])
        self.assertIn("utf-8/third gives no answer\n  asked         validate; SIGABRT: it calls abort()\n  bytes         00 00 00 ", done.stderr)
        self.assertIn(f"  again         {ASSAY} diff --codec {library} 000000\nfinding utf8-validate-third-abort\n", done.stderr)
        self.assertTrue(done.stderr.endswith("utf-8/third gave no answer 5 times: it is not asked any more\n"), done.stderr)
        self.assertEqual(assay("diff", "--codec", library, "000000").returncode, 1)

    def test_a_crash_in_enumeration_is_one_divergence(self) -> None:
        """A crash is one divergence: the codec's next questions and the other codecs' are still asked. --fail-fast ends there."""
        index = 256 + 0xC3FE  # of this string of two bytes
        words = ("sweep", "--json", "--stride", str(index), "strings", "--codec")
        right = self.build("example", "right")
        wrong = self.build("example", "wrong", BEFORE="if (count == 2 && bytes[0] == 0xC3 && bytes[1] == 0xFE) *(volatile char *)0 = 1")
        [all_right], [part], [ended] = (json.loads(assay(*words, *more).stdout) for more in ((right,), (wrong,), (wrong, "--fail-fast")))
        self.assertEqual((part["diverged"], part["sorts"], part["inputs"]), (1, {"utf8-validate-wrong-segv": 1}, all_right["inputs"]))
        self.assertEqual(part["asked"], all_right["asked"] - 5, "the one question has two placements with each room at guard pages, and a further one")
        self.assertEqual((ended["diverged"], ended["inputs"]), (1, 2))

    def test_a_crash_on_long_input_is_repeated_by_the_part(self) -> None:
        """If the input does not fit on a line, the command repeats the part."""
        library = self.build("dying", "long", WHEN="count > 300", END="abort()")
        done = assay("sweep", "--stride", "11", "scalars", "--codec", library)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"  again         {ASSAY} sweep --codec {library} --stride 11 scalars\nfinding utf8-validate-long-abort\n", done.stderr)

    def test_a_fault_with_little_room_is_repeated_by_its_question(self) -> None:
        """`diff` of the input alone asks only with all the room, and with random room. The question's command shows the same key again."""
        library = self.build("lying", "cramped", RESULT=".status = ASSAY_OK")
        done = assay("sweep", "--stride", "999", "rooms", "--codec", library)
        self.assertEqual(done.returncode, 1)
        letters = re.findall(r"(?m)^  asked +([a-z0-9-]+), .*\n(?:.*\n)*?  again +(.*)$", done.stderr)
        self.assertGreater(len(letters), 2, done.stderr)
        for asked, again in letters:
            self.assertRegex(again, rf"^{re.escape(ASSAY)} diff --codec {re.escape(library)} --operation {asked} --policy \S+ --capacity \d+ ([0-9A-F]+|'[0-9A-F* ]+')$")
            self.assertIn(f"  key           utf8-{asked}-cramped-", assay(*shlex.split(again)[1:]).stdout)

    @in_ordinary_build
    def test_blocks_that_overrun_little_room_are_found_by_enumeration(self) -> None:
        """A copy of `swar` that requires too little room overruns it; enumeration finds this for decoding errors and for encoding."""
        folder = ROOT / "codecs" / "swar"
        source = (folder / "utf8.c").read_text()
        for part in ("encode.h", "strings.h", "decode.h", "validate.h"):  # each size includes those after it
            source = source.replace(f'#include "{part}"', (folder / part).read_text())
        source = source.replace('#include "../', '#include "').replace('#include "decode_lossy.h"', '#include "swar/decode_lossy.h"')
        for name, right, wrong, asked in (("lossy", "capacity - written >=", "capacity - written + 1 >=", "decode-utf(16|32)"),
                                          ("groups", "ENCODED_MOST * AT_ONCE)", "ENCODED_MOST * AT_ONCE - 4)", "encode-utf32")):
            self.assertEqual(source.count(right), 1, name)
            path = self.folder / f"{name}.c"
            named = source.replace("#define NAME", f"#undef NAME\n#define codec_utf8_{name} assay_codec\n#define NAME")
            path.write_text(named.replace("#define CODEC swar", f"#define CODEC {name}").replace(right, wrong))
            done = assay("sweep", "--stride", "7", "rooms", "--codec", self.build(path, name))
            self.assertEqual(done.returncode, 1, name)
            self.assertRegex(done.stderr, rf"utf-8/{name} (differs|gives no answer).*\n  asked +{asked}, policy whatwg, room for ")

    def test_the_advised_command_has_the_instruction_sets(self) -> None:
        """Those that ASSAY_WITHOUT removes may be needed to see the divergence again."""
        wrong = self.build("example", "wrong", WRONG="1")
        for words in (["diff", "--codec", wrong, "41C080"], ["check", "--codec", wrong, "-c", "wrong", "utf-8/overlong/c080"]):
            again, = re.findall(r"(?m)^  again +(.*)$", assay(*words, without="avx512,avx2").stdout)
            self.assertTrue(again.startswith(f"ASSAY_WITHOUT=avx512,avx2 {ASSAY} "), again)
            self.assertIn(f"again         {again}\n", subprocess.run(["sh", "-c", again], capture_output=True, text=True, check=False).stdout)

    def test_the_environment_names_codecs_for_every_command(self) -> None:
        """ASSAY_CODECS applies to all commands, as to fuzz targets. Such codecs are asked once if they fit, and the command of a letter
        names them."""
        library = self.build("wrong_once", "named")
        self.assertIn("utf-8/wrong", assay("list", codecs=library).stdout.split())
        for words in (["diff", "C080"], ["diff", "C080", "--codec", library]):
            done = assay(*words, codecs=library)
            self.assertEqual(done.returncode, 1, done.stderr)
            again, = set(re.findall(r"(?m)^  again +(.*)$", done.stdout))
            self.assertEqual(again.count(f"--codec {library}"), 1)
        self.assertEqual(assay("diff", "-e", "utf-16le", "4100", codecs=library).returncode, 0)
        self.assertEqual(assay("check", "-q", "utf-16le/truncated", codecs=library).returncode, 0)
        missing = assay("list", codecs="./none.so")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("ASSAY_CODECS: ", missing.stderr)

    def test_a_codec_that_dies_late_is_named(self) -> None:
        """A codec that dies in the table below the letters, where it is asked again, is named."""
        for calls in (1, 2, 3):  # claims ask twice, the table once
            library = self.build("dying", f"late{calls}", WHEN=f"calls == {calls}", END="abort()", ANSWER="true")
            done = assay("diff", "41", "--codec", library)
            self.assertEqual(done.returncode, 1, (calls, done.stderr))
            self.assertIn(f"utf-8/late{calls} gives no answer\n", done.stdout)

    def test_of_two_loaded_codecs_of_a_name_only_one_is_shown_again(self) -> None:
        """Two loaded codecs of one name, each of its own encoding."""
        libraries = [loadable(self.folder, "lying", encoding, NAME='"mine"', ENCODING=f'"{encoding}"', RESULT="")
                     for encoding in ("utf-8", "wtf-8")]
        done = assay("sweep", "-e", "all", "--stride", "65792", "strings", *(word for library in libraries for word in ("--codec", library)))
        for again in re.findall(r"(?m)^  again +(.*)$", done.stderr):
            self.assertEqual(again.count("--codec"), 1, again)
        self.assertEqual(len(set(re.findall(r"--codec (\S+)", done.stderr))), 2, done.stderr)

    def test_a_codec_that_does_not_end_is_named(self) -> None:
        """Ten seconds suffice for any small question."""
        done = assay("check", "--codec", self.build("dying", "loop", END="for (;;) pause()"), "-c", "loop", "utf-8/overlong/c080")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^utf-8/overlong/c080: .*\nutf-8/loop gives no answer\n.*; it had not ended when its time was over\n")
        self.assertIn("1 case on 1 codec: 0 answers compared, 0 skipped, 1 case failed\n", done.stdout)

    def test_a_codec_that_no_signal_reaches_is_killed(self) -> None:
        """It stops its process, or ignores SIGALRM; or it waits while it is loaded. One line names it, what it was asked, the time, and how to
        see that again."""
        deaf = "{ extern void (*signal(int, void (*)(int)))(int); signal(14, (void *)1); signal(15, (void *)1); for (;;) pause(); }"
        stops = self.build("dying", "stops", END="{ extern int raise(int); for (;;) raise(19); }")
        ignores = self.build("dying", "ignores", END=deaf)
        waits = self.build("dying", "waits", END="abort()", AT_LOAD="for (;;) pause()")
        walks = self.build("dying", "walks", END="abort()", WALK="pause()")
        asked = "asked to validate 1 unit, had not ended after 15 seconds, and was killed"
        commands = [(library, [name, "--codec", library, "4F"], f"utf-8/{Path(library).stem}, {asked}",
                     f"; again: {ASSAY} diff --codec {library} -e utf-8 --operation validate --capacity 0 4F")
                    for library in (stops, ignores) for name in ("diff", "minimise")]
        commands += [(stops, ["check", "--json", "--codec", stops, "-c", "stops", "utf-8/overlong/c080"], "utf-8/stops, asked to validate 2 units", "--capacity 0 C080"),
                     (waits, ["list", "--codec", waits], f"the loading of {waits} had not ended after 15 seconds", f"; again: {ASSAY} list --codec {waits}"),
                     (walks, ["explain", "--codec", walks, "-w", "walks", "4F"], "the walk of utf-8/walks had not ended", "; again: ")]
        running_now = [subprocess.Popen([ASSAY, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _, words, _, _ in commands]
        for process, (_, words, said, again) in zip(running_now, commands):
            errors = process.communicate(timeout=100)[1]
            self.assertEqual((process.returncode, errors.count("\n")), (2, 1), (words, errors))
            self.assertIn(f"assay {words[0]}: {said}", errors)
            self.assertIn(again, errors)

    def test_an_endless_walk_ends(self) -> None:
        """A walk has a few steps for each byte."""
        endless = self.build("dying", "endless", END="abort()", WALK="1")
        for words in ([], ["--json"]):
            self.assertIn("utf-8/endless has more than 8 steps for each byte", assay("explain", *words, "--codec", endless, "-w", "endless", "41").stderr)

    def test_a_codec_that_closes_everything_is_reported(self) -> None:
        """The report is lost, and cannot say so."""
        library = self.build("dying", "closes", WHEN="1", END="for (int i = 0; i < 64; i++) close(i)", ANSWER="false")
        for words in (["diff", "41"], ["diff", "--json", "41"], ["check", "--json", "-c", "closes", "utf-8/overlong"]):
            self.assert_refused(assay(words[0], "--codec", library, *words[1:]), "closed standard output and standard error")

    def test_what_a_codec_prints_is_not_in_the_report(self) -> None:
        """With --json; it goes to standard error."""
        noise = '{ extern int puts(const char *); puts("{noise}"); write(1, "{noise}", 7); }'
        library = self.build("example", "noisy", BEFORE=noise)
        for words in (["diff", "41"], ["check", "-c", "noisy", "utf-8/overlong/c080"], ["sweep", "--stride", "999999", "strings"]):
            done = assay(words[0], "--json", "--codec", library, *words[1:])
            self.assertEqual(done.returncode, 0, done.stderr)
            json.loads(done.stdout)
            self.assertIn("{noise}", done.stderr)
        report = self.folder / "junit"
        done = assay("check", "--json", "--junit", "-", "--codec", library, "-c", "noisy", "utf-8/overlong/c080")
        self.assertEqual(ElementTree.fromstring(done.stdout).tag, "testsuites")

    def test_processes_of_a_codec_end_with_it(self) -> None:
        """They keep standard error open: the reading below would not end."""
        library = self.build("example", "forks", BEFORE="if (fork() == 0) for (;;) pause()")
        for words in (["diff", "41"], ["check", "-c", "forks", "utf-8/overlong/c080"], ["minimise", "41"]):
            self.assertEqual(assay(words[0], "--codec", library, *words[1:], timeout=60).returncode, 0)

    def test_a_codec_that_ends_the_process_by_a_system_call_is_reported(self) -> None:
        """Go's os.Exit does that. No handler notices, and its exit code must not become the program's."""
        for name, end, word in (("raw", "extern long syscall(long, ...); syscall(231, 0);", "by a system call, with exit code 0"), ("killed", "extern int kill(int, int); kill(getpid(), 9);", "SIGKILL")):
            if name == "raw" and platform.machine() != "x86_64":
                continue
            library = self.build("dying", name, WHEN="count == 6", END=f"{{ {end} }}")
            self.assert_refused(assay("check", "--json", "--codec", library, "-c", name, "utf-8/overlong"), word, "assay run --codec")

    @in_ordinary_build
    def test_a_codec_that_takes_the_handler_away_and_crashes_is_reported(self) -> None:
        """With the question; the signal is not the program's end."""
        library = self.build("dying", "bare", WHEN="count == 6", END="{ extern void (*signal(int, void (*)(int)))(int); signal(11, 0); raise(11); }")
        self.assert_refused(assay("check", "--json", "--codec", library, "-c", "bare", "utf-8/overlong"), "utf-8/bare, asked to validate 6 units, ended the process: signal 11", "; again: ")

    @in_ordinary_build
    def test_the_exit_code_is_not_that_of_a_destructor(self) -> None:
        """It runs when the verdict is known."""
        for name, end in (("leaves", "_exit(0)"), ("crashes", "abort()")):
            library = self.build("dying", name, WHEN="count == 6", END="return true", AT_UNLOAD=end)
            done = assay("check", "--codec", library, "-c", name, "utf-8/overlong")
            self.assertEqual((done.returncode, "cases failed" in done.stdout), (1, True), done)

    def test_a_signal_to_the_program_ends_its_codec_too(self) -> None:
        """The codec runs in a child process, which also ends; the exit code is the signal's. `check` reports what it has (test_check.py)."""
        library = self.build("dying", "waits", END='do { write(2, "asked\\n", 6); pause(); } while (1)')
        for number in (signal.SIGTERM, signal.SIGKILL):
            with subprocess.Popen([ASSAY, "check", "--codec", library, "-c", "waits", "utf-8/overlong/c080"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE) as process:
                self.assertEqual(process.stderr.readline(), b"asked\n")
                process.send_signal(number)
                self.assertEqual(process.stderr.read().replace(b"asked\n", b""), b"")  # at its end: no process writes to it any more
                self.assertEqual(process.wait(), 143 if number == signal.SIGTERM else -number)

    def check(self, *arguments: str) -> Tuple[Any, ElementTree.Element]:
        """Runs `check` on the overlong cases, which fail: JSON and JUnit."""
        report = self.folder / "report.xml"
        done = assay("check", "--json", "--junit", str(report), "utf-8/overlong", *arguments)
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        return json.loads(done.stdout), ElementTree.parse(report).getroot()

    def test_check_continues_after_a_crash(self) -> None:
        """Exactly the cases in which a codec dies have failed; both reports are complete."""
        cases = json.loads((ROOT / "vectors" / "utf-8" / "overlong.json").read_text("ascii"))["tests"]
        dies_of = [case["id"] for case in cases if len(case["bytes"]) == 12 and case["bytes"].endswith("80")]
        self.assertIn(len(dies_of), range(1, 5))
        for name, end in (("segv", "*(volatile char *)0 = 1"), ("trap", "__builtin_trap()"), ("abort", "abort()"), ("exit", "exit(0)"), ("at_once", "_Exit(0)")):
            library = self.build("example", name, BEFORE=f"if (count == 6 && bytes[5] == 0x80) {end}")
            result, report = self.check("--codec", library, "-c", name)
            self.assertEqual([failure["id"] for failure in result["failures"]], dies_of, name)
            self.assertEqual({(failure["field"] in ("segv", "ill", "abort", "exit")) for failure in result["failures"]}, {True})
            self.assertEqual((result["cases"], result["failed"], result["left_alone"]), (len(cases), len(dies_of), []), name)
            self.assertGreaterEqual(result["compared"], len(cases) - len(dies_of))
            failed = [f"{case.get('classname')}.{case.get('name')}".replace(".", "/") for case in report.iter("testcase") if case.find("failure") is not None]
            self.assertEqual((len(list(report.iter("testcase"))), failed), (len(cases), dies_of), name)

    def test_a_line_of_positions_is_many_texts(self) -> None:
        """Letters name its id, which `explain` cannot explain."""
        self.assert_refused(assay("explain", "utf-8/positions/242cef09"), "utf-8/positions/242cef09 is a line of the positions tier, many texts")

    def test_diff_continues_after_a_crash(self) -> None:
        """All other codecs answer, and what crashed is in its row, with its letter, as text and as JSON."""
        for name, end in (("segv", "*(volatile char *)0 = 1"), ("abort", "abort()"), ("exit", "exit(0)")):
            library = self.build("example", name, BEFORE=f"if (count == 3) {end}")
            done = assay("diff", "--json", "--codec", library, "EDA080")
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            result = json.loads(done.stdout)
            rows = {row["codec"]: row for row in result["codecs"]}
            self.assertEqual(rows.pop(name), {"codec": name, "silent": name})
            self.assertGreater(len(rows), 2)
            self.assertEqual({row["well_formed"] for row in rows.values()}, {False})
            self.assertGreater(result["asked"], 1000)
            done = assay("diff", "--codec", library, "EDA080")
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertRegex(done.stdout, rf"(?m)^  {name} +crashed: {name}\b")
            self.assertRegex(done.stdout, r"(?m)^  reference +ill-formed at 0, 1 byte, surrogate\b")
            self.assertRegex(done.stdout, rf"(?m)^  again +\S+ diff --codec {re.escape(library)} EDA080$")

    def test_check_stops_asking_a_codec_that_always_crashes(self) -> None:
        """After five crashes the codec is not asked; its remaining cases are counted, and another codec is asked everything."""
        dead, right = self.build("dying", "dead", END="abort()"), self.build("example", "right")
        alone = json.loads(assay("check", "--json", "utf-8/overlong", "--codec", right, "-c", "right").stdout)
        result, report = self.check("--codec", dead, "--codec", right, "-c", "[dr][ei][ag][dh]*")
        self.assertEqual(result["codecs"], ["utf-8/dead", "utf-8/right"])
        left = result["cases"] - 5
        self.assertEqual((result["failed"], result["left_alone"]), (5, [{"codec": "utf-8/dead", "silences": 5, "skipped": left}]))
        self.assertEqual(result["compared"], alone["compared"])
        self.assertEqual(len(list(report.iter("failure"))), 5)
        self.assertIn(f"utf-8/dead gave no answer 5 times; then it was left alone, and {left} cases were skipped\n",
                      assay("check", "-q", "--codec", dead, "-c", "dead", "utf-8/overlong").stdout)

    def test_a_breach_of_contract_is_no_error_of_the_input(self) -> None:
        """A status that does not exist, and an error outside the input."""
        for number, result in enumerate((".status = (enum assay_status)77", ".status = ASSAY_ILL_FORMED",
                                         ".status = ASSAY_ILL_FORMED, .error = {.offset = 9, .length = 1}",
                                         ".status = ASSAY_ILL_FORMED, .error = {.offset = 0, .length = 9}")):
            library, name = self.build("lying", f"breach{number}", RESULT=result), f"breach{number}"
            self.assert_refused(assay("convert", "--codec", library, "-c", name, "utf-8", "wtf-8", "4142"), "does not do what codec.h says")
            printed = assay("subject", "--faults", "--codec", library, f"utf-8/{name}", input="1 transcode utf-8 wtf-8 strict 4142\n")
            self.assertEqual(printed.stdout, "1 error\n")

    def test_promises_are_kept_by_text_alone(self) -> None:
        """A codec that can neither encode nor decode keeps no promise; impossible counts are not used."""
        for number, result in enumerate((".status = ASSAY_OUTPUT_FULL", ".status = ASSAY_ILL_FORMED", ".written = (size_t)-1, .read = (size_t)-1",
                                         ".written = 1000000, .read = 1000000", ".status = ASSAY_OUTPUT_FULL, .read = 1000")):
            library = self.build("lying", f"lying{number}", RESULT=result)
            self.assert_refused(assay("promises", "--codec", library, "-e", "utf-8", "-c", f"lying{number}"), f"utf-8/lying{number} does not encode")

    def test_refuses_libraries_without_a_codec(self) -> None:
        """Refused: a missing file, a text file, a library without a codec, with another ABI, with an unknown encoding, with a name that is
        in use."""
        (self.folder / "text.so").write_text("no library")
        for library, word in (
                (str(self.folder / "missing.so"), "missing.so"), (str(self.folder / "text.so"), "text.so"),
                (str(self.folder), "directory"), (str(self.fifo()), "no file"), ("x" * 5000, "too long"),
                *((loadable(self.folder, "example", f"name{number}", NAME=f'"{name}"'), "name of a codec")
                  for number, name in enumerate(("", "m\\377", "a b", "a/b", "a,b", "a\\n", "*", "a" * 65))),
                (self.build("no_codec", "nothing"), "assay_codec"),
                (self.build("no_codec", "abi", ABI="99"), "ABI 99"),
                (loadable(self.folder, "example", "nameless", NAME="NULL"), "has no name (NULL)"),
                (self.build("example", "lost", "utf-9"), "lost.so is for the encoding 'utf-9', and nothing here can be compared with it\n"),
                *((self.build("example", f"alike{number}", name), f"is for the encoding '{name}', and nothing here can be compared with it; did it mean '{meant}'?\n")
                  for number, (name, meant) in enumerate((("utf8", "utf-8"), ("UTF_16LE", "utf-16le")))),
                (self.build("example", "unnamed", "a b"), "is for an encoding that nothing here can be compared with, and that has no name\n"), (self.build("example", "reference"), "already")):
            self.assert_refused(assay("diff", "--codec", library, "41"), "--codec", word)
        self.assertEqual(assay("diff", "--codec").returncode, 2)

    def test_an_older_codec_lacks_what_came_later(self) -> None:
        """Members beyond the struct that it was built with are absent; a struct that is smaller than the first version is refused, and one
        that is longer than this program's."""
        done = assay("diff", "--codec", self.build("example", "older", OLDER_BY="0"), "C080")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("no divergence", done.stdout)
        self.assert_refused(assay("diff", "--codec", self.build("example", "oldest", OLDER_BY="1"), "41"), "bytes; this program")
        self.assert_refused(assay("diff", "--codec", self.build("example", "newer", OLDER_BY="-16"), "41"), " with 136 bytes; this program speaks 2 with 128")


if __name__ == "__main__":
    unittest.main()
