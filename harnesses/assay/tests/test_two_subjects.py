# SPDX-License-Identifier: MIT
"""`assay diff --subject A --subject B`: two subjects on one input, by command or by their row of subjects.def."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Dict

from .driver import ASSAY, HERE, in_ordinary_build

REFERENCE = f"{shlex.quote(ASSAY)} subject utf-8/reference"
HOSTILE = f"{shlex.quote(sys.executable)} {shlex.quote(str(HERE / 'hostile.py'))} "

# CPython's decoder with one policy. The arguments are the policy that it names, its error handler, and `whole`, or `alone` if each piece is
# decoded by itself.
DECODER = """import codecs, sys
policy, handler, way = sys.argv[1:]
for line in sys.stdin:
    number, *words = line.split()
    if number == "hello":
        print(f"hello assay/1 {policy}-{way} encodings=utf-8 policies={policy} ops=decode", flush=True)
        continue
    pieces = [bytes.fromhex(piece.replace("-", "")) for piece in words[-1].split(",")]
    decoder = codecs.getincrementaldecoder("utf-8")(handler)
    texts = [piece.decode("utf-8", handler) if way == "alone" else decoder.decode(piece, index + 1 == len(pieces)) for index, piece in enumerate(pieces)]
    print(number, "ok", "|".join(",".join(f"{ord(one):X}" for one in text) or "-" for text in texts), flush=True)
"""


def diff(one: str, other: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Compares two subjects."""
    return subprocess.run([ASSAY, "diff", "--subject", one, "--subject", other, *arguments], capture_output=True, text=True, check=False, timeout=600)


def divergences(one: str, other: str, *arguments: str) -> Dict[str, Any]:
    """The report as JSON; the exit code says whether it has divergences."""
    done = diff(one, other, "--json", *arguments)
    assert done.returncode in (0, 1), (done.returncode, done.stderr)
    report: Dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode == 1) == bool(report["divergences"]), report
    return report


class TwoSubjectsTest(unittest.TestCase):
    """Commands."""

    def setUp(self) -> None:
        """Writes the decoder."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "decoder.py"
        self.path.write_text(DECODER, "utf-8")

    def decoder(self, policy: str, handler: str, way: str = "whole") -> str:
        """The command that runs the decoder."""
        return shlex.join([sys.executable, str(self.path), policy, handler, way])

    def test_replies_that_begin_alike_are_shown_where_they_differ(self) -> None:
        """In the table, which has no room for the whole; each cell begins with a number. Replies that are alike are shown from the beginning."""
        one, other = self.decoder("own", "replace"), self.decoder("own", "ignore")
        said = diff(one, other, "20*61 C080 61").stdout
        self.assertRegex(said, r"\n  decode own +\.\.\.61,61,61,61,61,FFFD,FFFD,61 +\.\.\.61,61,61,61,61,61\n")
        self.assertRegex(diff(one, other, "20*61").stdout, r"\n  decode own +(ok 61,61,61,61,61,61,61,61,61,61,6\.\.\.) \1\n")
        self.assertIn("no divergence: 1 answer compared, 0 skipped\n", diff(one, other, "41").stdout)

    def minimise(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Where two decoders differ that replace errors in another way."""
        command = [ASSAY, "minimise", "--subject", self.decoder("own", "replace"), "--subject", self.decoder("own", "ignore"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)

    def test_a_golden_case_is_asked_in_its_encoding(self) -> None:
        """By the name that the protocol has for it: a signature is one in utf-8-sig only."""
        self.assertEqual(divergences(REFERENCE, f"{ASSAY} subject utf-8/swar", "utf-8-sig/bom/efbbbf")["encoding"], "utf-8-sig")

    def test_the_shortest_input_on_which_they_differ(self) -> None:
        """Its letter ends with the command that shows it again."""
        done = self.minimise("--json", "20*61 C3A9 C2 F09F9880 62 C3A9")
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, done.stderr, report["key"], report["minimised"]), (1, "", "decode own: output", "C2"))
        again = subprocess.run(shlex.split(report["again"]), capture_output=True, text=True, check=False)
        self.assertEqual((again.returncode, report["letter"]), (1, again.stdout[again.stdout.index("own-whole, first differs"):again.stdout.index("  key ")]))
        self.assertRegex(self.minimise("41 E282").stdout, r"\n  key +decode own: output\n\n1 of 3 bytes, after \d+ inputs: 82\n\Z")
        self.assertEqual((self.minimise("C3A9").returncode, self.minimise("C3A9").stdout), (0, "no divergence: nothing to minimise in 2 bytes\n"))
        self.assertIn("the input does not show 'x', but: 'decode own: output'", self.minimise("--key", "x", "FF").stderr)
        one = subprocess.run([ASSAY, "minimise", "--subject", REFERENCE, "41"], capture_output=True, text=True, check=False)
        self.assertEqual((one.returncode, one.stderr), (2, "assay minimise: --subject: two are compared; name the second, too\n"))

    def test_the_shortest_input_on_which_one_crashes(self) -> None:
        """It is started again for each input, and the crash is chosen, not that the output of the other is not UTF-8."""
        crashing = Path(self.path.parent) / "crashing"
        crashing.write_text("#!/bin/sh\ntext=$(od -An -tx1 -v | tr -d ' \\n')\ncase $text in *c1*) kill -SEGV $$;; esac\n", "utf-8")
        crashing.chmod(0o755)
        command = [ASSAY, "minimise", "--subject", f"--plain --no-verdict {shlex.quote(str(crashing))}", "--subject", "--plain --no-verdict cat"]
        done = subprocess.run([*command, "--json", "30*61 C3A9 C1 62 FF 30*63"], capture_output=True, text=True, check=False, timeout=600)
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, done.stderr, report["key"], report["minimised"]), (1, "", "decode own: no reply", "C1"))

    def test_two_that_agree(self) -> None:
        """One line for each question; pieces are asked, too."""
        done = diff(self.decoder("whatwg", "replace"), REFERENCE, "41 C080")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\Autf-8, 3 bytes\n\n +whatwg-whole +utf-8/reference .*\n  decode whatwg +ok 41,FFFD,FFFD +ok 41,FFFD,FFFD\n\n"
                                      r"no divergence: 3 answers compared, 0 skipped\n\Z")
        self.assertEqual(divergences(REFERENCE, REFERENCE, "")["divergences"], {})

    def test_two_that_differ(self) -> None:
        """A letter, with a command that shows it again."""
        wrong = self.decoder("whatwg", "ignore")
        done = diff(REFERENCE, wrong, "41EDA080")
        self.assertEqual(done.returncode, 1, done.stderr)
        for line in ("utf-8/reference 0.1.0 differs from whatwg-whole", "  asked         decode utf-8 whatwg 41EDA080; output differs",
                     "  bytes         41 ED A0 80   (4 bytes)", "  standard      ill-formed at 1, maximal subpart of 1 byte: ED then A0, a surrogate code point, which is no scalar value",
                     "  utf-8/reference 0.1.0 ok 41,FFFD,FFFD,FFFD", "  whatwg-whole          ok 41"):
            self.assertIn(line + "\n", done.stdout)
        again = next(line.split(None, 1)[1] for line in done.stdout.splitlines() if line.startswith("  again "))
        self.assertEqual(subprocess.run(again, shell=True, capture_output=True, text=True, check=False).stdout, done.stdout)
        report = divergences(REFERENCE, wrong, "41EDA080")
        self.assertEqual(list(report["divergences"]), ["decode whatwg: output"])
        self.assertEqual(report["answers"], [{"asked": "decode whatwg", "first_piece_bytes": 0, "replies": ["ok 41,FFFD,FFFD,FFFD", "ok 41"]}])

    def test_pieces(self) -> None:
        """Two decoders that read the whole input alike; one keeps nothing between pieces."""
        report = divergences(self.decoder("whatwg", "replace"), self.decoder("whatwg", "replace", "alone"), "E282AC")
        self.assertEqual(list(report["divergences"]), ["decode whatwg, in pieces: output"])
        self.assertEqual(report["answers"][1]["replies"], ["ok -|20AC", "ok FFFD|FFFD,FFFD"])

    def test_practices(self) -> None:
        """Without a common policy, the default of one is compared with that of the other."""
        report = divergences(self.decoder("own", "ignore"), REFERENCE, "41FF")
        self.assertEqual(list(report["divergences"]), ["decode own, whatwg: output"])
        self.assertEqual(divergences(self.decoder("own", "replace"), REFERENCE, "41FF")["divergences"], {})

    def test_one_that_misbehaves(self) -> None:
        """It is started again, and the other questions are answered; what it printed is escaped."""
        for way, said in (("abort", "signal 6|exit code 134"), ("exit", "exit code 3"), ("empty", "reply out of step"),
                          ("flood", "reply too long"), ("bytes", r"\\xFF\\xFE\\x1B\[31m")):
            report = divergences(HOSTILE + way, REFERENCE, "C080")
            (key, letter), = report["divergences"].items()
            self.assertIn(key, ("validate: no reply", "validate: malformed reply"))
            self.assertRegex(letter, said)
            self.assertEqual([answer["asked"] for answer in report["answers"]], ["validate", "decode strict", "decode whatwg"])

    def test_what_cannot_be_compared(self) -> None:
        """Exit code 2, with the reason."""
        for arguments, said in ((["--subject", REFERENCE, "41"], "name the second"), (["--subject", "a", "--subject", "b", "--subject", "c", "41"], "'c' is one more"),
                                (["--subject", REFERENCE, "--subject", REFERENCE, "--thorough", "41"], "are about our codecs"),
                                (["--subject", REFERENCE, "--subject", REFERENCE, "--cuts", "1", "41"], "name its --operation"),
                                (["--subject", REFERENCE, "--subject", "no_such_subject", "41"], "no_such_subject"),
                                (["--subject", REFERENCE, "--subject", REFERENCE, "-e", "utf-9", "41"], "utf-9"),
                                (["--subject", REFERENCE, "--subject", HOSTILE + "none", "-e", "cesu-8", "41"], "nothing was compared")):
            done = subprocess.run([ASSAY, "diff", *arguments], capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(said, done.stderr)


class RowsTest(unittest.TestCase):
    """Rows of the table, by name."""

    def test_a_row_is_its_adapter(self) -> None:
        """CPython's row, since every machine that runs this has it; and a plain program."""
        report = divergences("cpython", "iconv_c", "41FF42")
        self.assertEqual([subject["subject"] for subject in report["subjects"]], ["cpython", "iconv_c"])
        self.assertEqual(list(report["divergences"]), ["decode own: output"])
        self.assertEqual(report["answers"][-1]["replies"], ["ok 41,FFFD,42", "ok 41,42"])

    def test_names_what_is_no_subject(self) -> None:
        """The row or the command, and not the shell or the interpreter that was started for it; lines stay lines."""
        for one, said in (("nodee", "assay diff: nodee, which is no row of subjects.def (did you mean 'node'?), is no subject: it ends "),
                          ("no_row_is_near_to_this", "assay diff: no_row_is_near_to_this, which is no row of subjects.def, is no subject: it ends "),
                          ("exec true", "assay diff: exec true is no subject: it ends without an answer (to `hello assay/1` it said nothing); a program that "),
                          ("echo '\u00fc\ntwo' >&2", "assay diff: echo '\u00fc\\x0Atwo' >&2 is no subject: it ends without an answer (to `hello assay/1` it said nothing); on standard error:\n    \u00fc\n    two\n")):
            done = diff(one, REFERENCE, "41")
            self.assertEqual((done.returncode, done.stdout, done.stderr[:len(said)]), (2, "", said))
        done = subprocess.run([ASSAY, "diff", "--subject", "node", "--subject", REFERENCE, "41"], capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": str(self.path_with_python())})
        self.assertIn("assay diff: node is no subject: ", done.stderr)
        self.assertTrue(done.stderr.endswith("; on standard error: subjects: node is not installed: nodejs (scripts/setup subjects installs it)\n"), done.stderr)

    def test_names_what_does_not_greet(self) -> None:
        """A program that reads all its input before it answers: within --start-limit, which is 20 s for a command, by diff and by minimise."""
        for command in ("diff", "minimise"):
            done = subprocess.run([ASSAY, command, "--start-limit", "0.5", "--subject", REFERENCE, "--subject", "cat >&2", "41"],
                                  capture_output=True, text=True, check=False, timeout=60)
            said = (f"assay {command}: cat >&2 is no subject: it does not answer (to `hello assay/1` it said nothing); "
                    "on standard error: hello assay/1\n")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", said))
            for option in ("--start-limit", "--time-limit"):
                done = subprocess.run([ASSAY, command, option, "1", "41"], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(f"{option} is about a --subject, not about our codecs\n", done.stderr)
        done = diff("sleep 1000; exit 1", REFERENCE, "--start-limit", "0.1", "41")
        self.assertIn("; a program that reads bytes and writes text is tested with --plain\n", done.stderr)

    @in_ordinary_build
    def test_a_command_has_twenty_seconds_to_greet(self) -> None:
        """Without an option, as in assay run. By the clock here it greets after 200 seconds, which an adapter may take."""
        with tempfile.TemporaryDirectory() as folder:
            clock = f"{folder}/fast_clock.so"
            subprocess.run(["cc", "-shared", "-fPIC", str(HERE / "fast_clock.c"), "-o", clock], check=True)
            done = subprocess.run([ASSAY, "diff", "--subject", f"sleep 2; exec {REFERENCE}", "--subject", REFERENCE, "41"], capture_output=True, text=True,
                                  check=False, timeout=60, env={**os.environ, "LD_PRELOAD": clock})
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(" is no subject: it does not answer (to `hello assay/1` it said nothing); a program that ", done.stderr)

    def path_with_python(self) -> str:
        """A folder for PATH that has Python and a shell only."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        (Path(folder.name) / "python3").symlink_to(sys.executable)
        (Path(folder.name) / "sh").symlink_to("/bin/sh")
        return folder.name


class PlainTest(unittest.TestCase):
    """--plain and a program that is no subject."""

    def plain(self, code: str, options: str = "") -> str:
        """The words for a Python program."""
        return f"--plain {options}{shlex.join([sys.executable, '-c', 'import sys; data = sys.stdin.buffer.read(); ' + code])}"

    def test_is_a_subject(self) -> None:
        """Its exit code and its text are compared."""
        ignores = self.plain("sys.stdout.buffer.write(data.decode('utf-8', 'ignore').encode())")
        report = divergences(ignores, REFERENCE, "41FF42")
        self.assertEqual(sorted(report["divergences"]), ["decode own, whatwg: output", "validate: verdict"])
        self.assertEqual([answer["replies"] for answer in report["answers"]], [["ok", "error 1 1"], ["ok 41,42", "ok 41,FFFD,42"]])
        self.assertEqual(divergences(ignores, "iconv_c", "41FF42")["divergences"], {})
        for options, count in (("--no-verdict -- ", 1), ("--no-output ", 1), ("", 2)):
            self.assertEqual(divergences(self.plain("sys.stdout.buffer.write(data)", options), REFERENCE, "C3BC")["asked"], count)
        self.assertEqual(divergences("--no-output " + self.plain("sys.stdout.buffer.write(data)"), REFERENCE, "C3BC")["asked"], 1)

    def test_one_that_refuses(self) -> None:
        """A refusal without output is a verdict, and no empty text."""
        refuses = self.plain("sys.stdout.buffer.write(data.decode('utf-8').encode())").replace("import sys;", "import sys; sys.excepthook = lambda *_: None;")
        report = divergences(refuses, REFERENCE, "41FF")
        self.assertEqual([answer["replies"] for answer in report["answers"]], [["error", "error 1 1"], ["skip it refuses these bytes", "ok 41,FFFD"]])
        self.assertEqual(report["divergences"], {})

    def test_one_that_ends_otherwise(self) -> None:
        """An exit code that is no verdict is no reply."""
        report = divergences(self.plain("sys.exit(3)"), REFERENCE, "41")
        self.assertEqual(list(report["divergences"]), ["validate: no reply", "decode own, whatwg: no reply"])
        self.assertIn("ended by exit code 3\n", report["divergences"]["validate: no reply"])
        self.assertEqual(divergences(self.plain("sys.exit(3)", "--no-verdict "), REFERENCE, "")["divergences"], {})

    def test_what_cannot_be_compared(self) -> None:
        """With the reason: what it is in the words, or what both reply."""
        for one, said in (("--plain no_such_program", "there is no program no_such_program"), ("--plain", "no program is named"), ("--plain --quick true", "--subject: '--plain --quick true': there is no option --quick; a plain program is named as "),
                          ("-x true", "there is no option -x; "), ("--no-output true", "'--no-output true': its options are of a plain program, and --plain must be among them\n"),
                          ("--plain --no-verdict --no-output true", "nothing is left to compare"),
                          (self.plain("sys.exit(1)"), "nothing was compared: to 'decode own', python")):
            done = diff(one, "--plain --no-verdict cat", "FF")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(said, done.stderr)

    def test_output_that_is_not_utf_8(self) -> None:
        """Its bytes are compared: with text they differ, with the same bytes they do not."""
        as_it_is, longer = self.plain("sys.stdout.buffer.write(data)", "--no-verdict "), self.plain("sys.stdout.buffer.write(data + b'\\xFF')", "--no-verdict ")
        self.assertEqual(list(divergences(as_it_is, REFERENCE, "FF")["divergences"]), ["decode own, whatwg: output"])
        self.assertEqual(list(divergences(as_it_is, longer, "FF")["divergences"]), ["decode own: output"])
        same = divergences(as_it_is, as_it_is, "41FF")
        self.assertEqual((same["divergences"], same["asked"], same["answers"][0]["replies"][0]), ({}, 1, "its output is not UTF-8: 41FF"))

    def test_a_time_limit(self) -> None:
        """Of a reply; the command that shows the finding again has it."""
        hangs = self.plain("__import__('time').sleep(60 if data == b'A' else 0)")
        done = subprocess.run([ASSAY, "minimise", "--time-limit", "2", "--subject", hangs, "--subject", REFERENCE, "41"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("  asked         validate utf-8 41; no reply\n", done.stdout)
        self.assertIn("no reply in 2 s\n", done.stdout)
        self.assertIn(" --time-limit 2 41\n", done.stdout)

    def test_minimise_is_interrupted(self) -> None:
        """What it has is written and printed."""
        slow = self.plain("__import__('time').sleep(0.2); sys.stdout.buffer.write(data)", "--no-verdict ")
        with tempfile.TemporaryDirectory() as folder:
            command = [ASSAY, "minimise", "--subject", slow, "--subject", REFERENCE, "--json", "-o", f"{folder}/short", "FF".join(["61" * 64] * 64)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                time.sleep(4)
                process.terminate()
                out, err = process.communicate(timeout=60)
            report = json.loads(out)
            self.assertEqual((process.returncode, err, report["interrupted"], report["letter"]), (128 + signal.SIGTERM, "", True, None))
            shortest = Path(folder, "short").read_bytes()
            self.assertEqual(report["minimised"], shortest.hex().upper())
            self.assertIn(b"\xFF", shortest)

    def test_a_path_with_a_space(self) -> None:
        """What is missing is quotes; with them, it is a program."""
        with tempfile.TemporaryDirectory(prefix="with space") as folder:
            program = Path(folder) / "over lang"
            program.write_text("#!/bin/sh\ncat\n", "ascii")
            program.chmod(0o755)
            done = diff(f"--plain {program} --fast", REFERENCE, "41")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"there is no program {folder.split()[0]}; a path with a space needs quotes inside: '{program}'\n", done.stderr)
            self.assertEqual(divergences(f"--plain '{program}' --fast", REFERENCE, "41")["divergences"], {})


if __name__ == "__main__":
    unittest.main()
