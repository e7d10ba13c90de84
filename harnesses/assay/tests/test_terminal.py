# SPDX-License-Identifier: MIT
"""The command line on terminals: suggestions, the manual page, completion."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import List, Set
from unittest import mock

from .driver import ASSAY, CANARY
from .test_cli import COMMANDS, assay, printed_on_terminal


def options_of(command: str) -> List[str]:
    """The long options that the help of a command lists."""
    return [word.rstrip(",") for line in assay(command, "--help").stdout.splitlines() if line.startswith("  ")
            for word in line.split()[:2] if word.startswith("--")]


class SuggestionTest(unittest.TestCase):
    """A misspelt word is refused, with the nearest existing one."""

    def test_suggests_the_nearest(self) -> None:
        """A letter too few, too many, wrong, or two swapped: in a command, an option, an encoding, a codec, a part."""
        for words, meant in ((["lst"], "list"), (["chekc"], "check"), (["diff", "--jsn", "41"], "--json"),
                             (["diff", "--encodings", "utf-8", "41"], "--encoding"), (["diff", "-e", "uft-8", "41"], "utf-8"),
                             (["explain", "-e", "csu-8", "41"], "cesu-8"), (["subject", "utf-8/refrence"], "reference"),
                             (["check", "-c", "refrence", "utf-8/overlong"], "reference"), (["check", "-c", "utf-8/sarw", "utf-8/overlong"], "utf-8/swar"),
                             (["promises", "-c", "refrence"], "reference"), (["bench", "--seconds", "0", "-c", "swra"], "swar"),
                             (["prove", "utf-8/swat"], "utf-8/swar"), (["sweep", "unit-piars"], "unit-pairs"),
                             (["convert", "--policy", "whatwgg", "utf-8", "utf-16le", "41"], "whatwg"), (["run", "--profile", "per-bite", "--", "true"], "per-byte"),
                             (["bench", "--operation", "validat"], "validate")):
            done = assay(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(f"(did you mean '{meant}'?)", done.stderr)

    def test_suggests_nothing_for_what_is_far_from_everything(self) -> None:
        """Nor for one letter, nor for a very long word."""
        for words in (["frobnicate"], ["diff", "--q", "41"], ["diff", "-x", "41"], ["x" * 5000], ["diff", "--" + "y" * 5000, "41"],
                      ["diff", "-e", "klingon", "41"], ["check", "-c", "klingon", "utf-8/overlong"]):
            done = assay(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertNotIn("did you mean", done.stderr)


class NameTest(unittest.TestCase):
    """Encodings may be named as in IANA's registry."""

    def test_takes_names_and_aliases_in_any_case(self) -> None:
        """UTF-8, CESU-8 (UTR 26, section 5) and both UTF-16, in options and operands."""
        for name, encoding in (("UTF-8", "utf-8"), ("csUTF8", "utf-8"), ("CESU-8", "cesu-8"), ("csCESU-8", "cesu-8"), ("CSCESU8", "cesu-8"),
                               ("UTF-16BE", "utf-16be"), ("csUTF16LE", "utf-16le"), ("Wtf-8", "wtf-8"), ("106", "utf-8"), ("1016", "cesu-8"), ("1014", "utf-16le")):
            self.assertEqual(assay("list", "-e", name).stdout, assay("list", "-e", encoding).stdout)
            self.assertEqual(json.loads(assay("diff", "--json", "-e", name, "4100").stdout)["encoding"], encoding)
            self.assertEqual(*(assay("subject", f"{given}/reference", input="hello assay/1\n1 validate utf-8 FF\n").stdout for given in (name, encoding)))
            self.assertEqual(assay("convert", name, "UTF-8", "--hex", "4100").stdout, assay("convert", encoding, "utf-8", "--hex", "4100").stdout)
        self.assertIn("error 0 1", assay("subject", "csUTF8/reference", input="hello assay/1\n1 validate utf-8 FF\n").stdout)
        for unknown in ("csUTF9", "1015", "0106"):
            self.assertEqual(assay("list", "-e", unknown).returncode, 2)
        numbers = {row["encoding"]: row.get("iana_mib") for row in json.loads(assay("list", "--json").stdout)}
        self.assertEqual({name: number for name, number in numbers.items() if number is not None},
                         {"utf-8": "106", "cesu-8": "1016", "utf-16be": "1013", "utf-16le": "1014"})
        self.assertIn("wtf-8", numbers)


class ColourTest(unittest.TestCase):
    """Colour marks differences, and only if a person reads it."""

    def colours(self, *words: str, **environment: str) -> Set[str]:
        """The escape sequences that a command prints to a terminal."""
        with mock.patch.dict(os.environ, {"TERM": "xterm", "NO_COLOR": "", **environment}):
            return set(re.findall(r"\x1b\[(\d+)m", printed_on_terminal(*words, program=CANARY, columns=100)))

    def test_marks_what_differs(self) -> None:
        """Headings are bold, errors and the codec at fault red, the reference green; without colour the text is the same."""
        for words, styles in ((("diff", "C080"), {"1", "31", "32", "0"}), (("diff", "41"), {"32", "0"}),
                              (("explain", "41EDA080"), {"1", "31", "0"}), (("explain", "41"), {"1", "32", "0"})):
            self.assertEqual(self.colours(*words), styles, words)
            whole, plain = assay(*words, "--color=always", program=CANARY), assay(*words, "--color=never", program=CANARY)
            self.assertEqual(re.sub(r"\x1b\[\d+m", "", whole.stdout).replace(" --color=always", ""),
                             plain.stdout.replace(" --color=never", ""))
        red = re.findall(r"\x1b\[31m(.*?)\x1b\[0m", assay("diff", "C080", "--color", "always", program=CANARY).stdout)
        self.assertEqual([line.strip() for line in red], ["well-formed", "canary        well-formed", "1 divergence"])

    def test_is_left_out_where_it_is_not_wanted(self) -> None:
        """In a pipe, with NO_COLOR, with --color never, on a dumb terminal; the value of --color is checked."""
        self.assertNotIn("\x1b", assay("explain", "41EDA080").stdout)
        self.assertEqual(self.colours("explain", "41EDA080", NO_COLOR="1"), set())
        self.assertEqual(self.colours("explain", "41EDA080", TERM="dumb"), set())
        self.assertEqual(self.colours("explain", "41EDA080", "--color", "never"), set())
        done = assay("explain", "41", "--color", "sometimes")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("auto, always or never", done.stderr)


class TableTest(unittest.TestCase):
    """Tables on a terminal of 80 columns."""

    def test_rows_are_whole(self) -> None:
        """`list` prints complete rows; `promises` prints columns that do not fit as a second table."""
        listed = printed_on_terminal("list", columns=80).replace("\r", "")
        self.assertEqual(listed, assay("list", "--long").stdout)
        promised = printed_on_terminal("promises", "--stride=99999", "--string-stride=9999", columns=80).split("\33[K")[-1].replace("\r", "")
        self.assertEqual([line for line in (listed + promised).splitlines() if len(line) > 80], [])
        self.assertRegex(promised, r"(?m)^utf-8 +yes +yes +yes +yes +no$")
        self.assertRegex(promised, r"(?m)^utf-8 +yes +yes +yes$")


class RecordingTest(unittest.TestCase):
    """`check`, `diff`, `explain` and `minimise` on terminals of 40 to 120 columns, with colour and without. The recordings are kept in the build
    folder, where a person can look at them: `cat build/recordings/diff-80.txt`."""

    COMMANDS = {"check": ("check", "utf-8/overlong"), "diff": ("diff", "C080"), "explain": ("explain", "41 E4B896 EDA080"), "minimise": ("minimise", "6161C080")}
    FOLDER = Path(ASSAY).parent / "recordings"

    def record(self, name: str, columns: int, **environment: str) -> str:
        """What a command prints to a terminal; the recording is kept."""
        with mock.patch.dict(os.environ, {"TERM": "xterm", "NO_COLOR": "", **environment}):
            said = printed_on_terminal(*self.COMMANDS[name], program=CANARY, columns=columns)
        self.FOLDER.mkdir(exist_ok=True)
        (self.FOLDER / f"{name}-{columns}{'-no-color' if environment else ''}.txt").write_bytes(said.encode())
        return said.split("\33[K")[-1].replace("\r", "")  # without the line of progress

    def test_lines_are_broken_between_words(self) -> None:
        """Each terminal shows the same words, and no line of words is longer than the terminal is wide; commands and keys are not broken,
        nor the tables of `explain` below 60 columns."""
        for name, words in self.COMMANDS.items():
            piped = assay(*words, program=CANARY).stdout
            self.assertNotIn("\x1b", piped)
            for columns in (40, 60, 80, 120):
                coloured, plain = self.record(name, columns), self.record(name, columns, NO_COLOR="1")
                self.assertIn("\x1b[31m", coloured)
                self.assertEqual(re.sub(r"\x1b\[\d+m", "", coloured), plain)
                for line in plain.splitlines():
                    whole = line.startswith(("  again ", "  diff ", "  key ")) or columns < 60 and re.match(r"  offset | +\d+  [0-9A-F]{2}  ", line)
                    self.assertTrue(whole or len(line) <= columns, (columns, line))
                self.assertEqual(plain == piped, max(map(len, piped.splitlines())) <= columns)

    def test_the_rest_of_a_line_stands_under_its_words(self) -> None:
        """In letters, errors and policies; if the table does not fit, figures follow the verdict, and those of the reference are not repeated."""
        narrow = self.record("diff", 40, NO_COLOR="1")
        self.assertIn("  reference     ill-formed at 0, maximal\n                subpart of 1 byte: C0\n                then 80, not the\n", narrow)
        self.assertIn("\n  reference       ill-formed at 0, 1\n                  byte, overlong; 2 code\n                  points, 2 in UTF-16\n", narrow)
        at_80 = self.record("diff", 80, NO_COLOR="1")
        self.assertIn("\n  reference       ill-formed at 0, 1 byte, overlong; 2 code points, 2 in UTF-16\n", at_80)
        for row in "hoehrmann_loop  ill-formed", "swar            as the reference", "canary          well-formed":
            self.assertIn(f"\n  {row}\n", at_80)
        self.assertNotIn("as the reference", self.record("diff", 120, NO_COLOR="1"))
        explained = self.record("explain", 40, NO_COLOR="1")
        self.assertIn("\n    ill-formed at 4, maximal subpart of\n    1 byte: ED then A0, a surrogate code\n", explained)
        self.assertIn("\n  whatwg            0041 4E16 FFFD FFFD\n                    FFFD\n", explained)
        self.assertIn("\nutf-8/overlong\n  286 cases, ", self.record("check", 80, NO_COLOR="1"))

    def test_prose_of_a_report_is_broken(self) -> None:
        """What the standard says of the shortest case, in `run`; what can be copied is not broken, nor is anything elsewhere."""
        words = ("run", "utf-8/overlong", "--", CANARY, "subject", "utf-8/canary")
        said = printed_on_terminal(*words, columns=60).split("\33[K")[-1].replace("\r", "")
        self.assertIn("    standard   ill-formed at 0, maximal subpart of 1 byte:\n               C0 then 80, ", said)
        self.assertIn(f"\n    again      {ASSAY} run utf-8/", said)
        self.assertIn("    standard   ill-formed at 0, maximal subpart of 1 byte: C0 then 80, not the shortest form of its code point\n", assay(*words).stdout)

    def test_a_command_is_never_broken(self) -> None:
        """It must be possible to copy it."""
        for name in ("check", "diff"):
            again = next(line for line in self.record(name, 40, NO_COLOR="1").splitlines() if line.startswith("  again "))
            self.assertEqual(subprocess.run(again.split(maxsplit=1)[1], shell=True, stdout=subprocess.DEVNULL, check=False).returncode, 1)


class ManualTest(unittest.TestCase):
    """The manual page has what the help has."""

    def test_has_every_option_of_every_command(self) -> None:
        """Each option below the name of its command."""
        manual = assay("--manual").stdout.replace("\\-", "-")
        sections = {part.split('"')[0]: part for part in manual.split('.SS "')[1:]}
        for command in COMMANDS:
            for option in options_of(command):
                where = manual if option in ("--codec", "--color", "--help") else sections[command]
                self.assertIn(f"\\fB{option}\\fR", where, command)

    @unittest.skipIf(shutil.which("groff") is None, "groff is not installed: the manual page is not formatted")
    def test_is_formatted_without_a_warning(self) -> None:
        """By groff, with all its warnings."""
        done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou"], input=assay("--manual").stdout, check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.stderr, "")
        self.assertIn("EXIT STATUS", done.stdout)


class CompletionTest(unittest.TestCase):
    """The shells complete commands, options and the values of options."""

    def complete(self, *words: str) -> List[str]:
        """The completions that bash proposes for the last word, without spaces."""
        return [word for line in self.proposals(*words) for word in line.split()]

    def proposals(self, *words: str) -> List[str]:
        """The completions that bash proposes, one on each line."""
        script = assay("--completion", "bash").stdout + (
            'compopt() { :; }\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assay; printf "%s\\n" "${COMPREPLY[@]}"\n')
        return subprocess.run(["bash", "-c", script, "bash", *words], check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()

    def test_bash_completes(self) -> None:
        """Commands, options of each command, encodings, policies, codecs; files are left to the shell."""
        self.assertEqual(self.complete("assay", "ch"), ["check"])
        self.assertEqual(set(self.complete("assay", "")) - {"--help", "--version", "--manual", "--completion"}, {*COMMANDS, "run"})
        self.assertEqual(set(self.complete("assay", "diff", "--")), set(options_of("diff")))
        encodings = {row["encoding"] for row in json.loads(assay("list", "--json").stdout)}
        self.assertEqual(set(self.complete("assay", "diff", "-e", "")), encodings)
        self.assertEqual(set(self.complete("assay", "explain", "-e", "")), encodings | {"all"})
        self.assertEqual(self.complete("assay", "explain", "--walk", "=", "non"), ["none"])
        self.assertEqual(self.complete("assay", "convert", "--policy", "wh"), ["whatwg"])
        self.assertEqual(self.complete("assay", "explain", "-w", "hoehrmann201"), ["hoehrmann2010"])
        self.assertEqual(self.complete("assay", "check", "--junit", ""), [])

    def test_bash_completes_at_file(self) -> None:
        """@FILE, whether bash treats @ as a word of its own or not; a folder ends with a slash."""
        with TemporaryDirectory() as folder:
            (Path(folder) / "in put").touch()
            (Path(folder) / "inner").mkdir()
            at = f"{folder}/in"
            expected = ["@" + folder + "/in\\ put ", "@" + folder + "/inner/"]
            for words in ([f"@{at}"], ["@", at]):
                self.assertEqual(sorted(self.proposals("assay", "diff", *words)), expected)

    @unittest.skipIf(shutil.which("fish") is None, "fish is not installed: its completion is not read")
    def test_fish_completes(self) -> None:
        """Commands, values of options, and @FILE."""
        with TemporaryDirectory() as folder:
            (Path(folder) / "input").touch()
            for line, expected in (("assay che", "check"), ("assay explain -e al", "all"), (f"assay diff @{folder}/in", f"@{folder}/input")):
                done = subprocess.run(["fish", "--no-config", "-c", f"source; complete -C '{line}'"], input=assay("--completion", "fish").stdout, check=True,
                                      text=True, capture_output=True, env={**os.environ, "HOME": folder})
                self.assertEqual((done.stdout.split("\t")[0].strip(), done.stderr), (expected, ""))

    @unittest.skipIf(shutil.which("zsh") is None, "zsh is not installed: its completion is not read")
    def test_zsh_reads_its_completion(self) -> None:
        """Without a complaint, and with the words that follow an option."""
        script = assay("--completion", "zsh").stdout
        done = subprocess.run(["zsh", "-fn"], input=script, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("'*--policy=[", script)

    def test_fish_names_every_option(self) -> None:
        """One line an option."""
        lines = assay("--completion", "fish").stdout.splitlines()
        for command in COMMANDS:
            named = {line.split(" -l ")[1].split()[0] for line in lines if f"from {command}'" in line}
            self.assertEqual(named, {option[2:] for option in options_of(command)}, command)

    def test_refuses_another_shell(self) -> None:
        """Or none; the existing ones are listed."""
        for words in (["--completion"], ["--completion", "tcsh"]):
            done = assay(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("bash, zsh and fish", done.stderr)
