# SPDX-License-Identifier: MIT
"""The hunt of decoders by others that are processes: it finds what is wrong, shortens it, and leaves alone what is listed."""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
import shlex
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import List, Tuple
from unittest import mock

from hunting import subject_hunt
from subjects import deviations

# Replaces as Python does, but for: `swallow`: the byte after EF BF BD is lost; `takes`: C0 80 is U+0000; `dies`: it ends at FE FF.
SUBJECT = """import sys
for line in sys.stdin:
    number, *words = line.split()
    if number == "hello":
        print("hello assay/1 wrong encodings=utf-8 policies=own ops=decode chunks=yes", flush=True)
        continue
    data = bytes.fromhex(words[-1].replace(",", "").replace("-", ""))
    if sys.argv[1] == "dies" and b"\\\\xFE\\\\xFF" in data:
        sys.exit(1)
    if sys.argv[1] == "takes":
        data = data.replace(b"\\\\xC0\\\\x80", b"\\\\0")
    if sys.argv[1] == "swallow":
        data = data.replace(b"\\\\xEF\\\\xBB\\\\xBFA", b"\\\\xEF\\\\xBB\\\\xBF")
    print(number, "ok", ",".join(f"{ord(one):X}" for one in data.decode("utf-8", "replace")) or "-", flush=True)
""".replace("\\\\", "\\")


class OthersTest(unittest.TestCase):
    """The hunt."""

    def hunt(self, name: str, mistake: str) -> Tuple[subject_hunt.Hunt, str]:
        """A hunt of the subject above, named like a row of the table, until it has found something or for some seconds."""
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            hunt = subject_hunt.Hunt(name, Path(folder), random.Random(1))
            hunt.subject.command = [sys.executable, "-c", SUBJECT, mistake]
            until = time.monotonic() + 20
            hunt.run(1)
            while mistake != "none" and name == "go" and not hunt.found and time.monotonic() < until:
                hunt.requests.clear()
                hunt.run(1)
            for key, letter in hunt.found.items():
                self.assertEqual((Path(folder) / f"{name}-{key}" / "letter.txt").read_text("utf-8"), letter)
        return hunt, said.getvalue()

    def test_finds_and_shortens(self) -> None:
        """Three mistakes: the shortest input that shows each, and its letter; without a mistake, nothing."""
        for mistake, shortest, key in (("swallow", "EF BB BF 41", "output"), ("takes", "C0 80", "output"), ("dies", "FE FF", "no-answer")):
            hunt, said = self.hunt("go", mistake)
            self.assertIn(f"decode-own-whole-{key}", hunt.found, mistake)
            letter = hunt.found[f"decode-own-whole-{key}"]
            self.assertIn(f"  bytes         {shortest}   (", letter)
            self.assertIn(letter, said)
        hunt, said = self.hunt("go", "none")
        self.assertEqual((hunt.found, said), ({}, ""))
        self.assertGreater(hunt.asked, 500)
        self.assertEqual(hunt.requests, [subject_hunt.Request("decode", "own", "whatwg")])

    def test_leaves_alone_what_is_listed(self) -> None:
        """C0 80 as U+0000 is a deviation of one of these, and none of the other."""
        takes_c080 = deviations.deviations_of('UTF8_DEVIATION(lua, TAKES(.takes_c080 = true), ERRORS(.cut = maximal), "takes C0 80", "", "")')[0][1]
        with mock.patch.dict(deviations.DEVIATIONS, {"lua": [takes_c080]}):
            hunt, _ = self.hunt("lua", "takes")
        self.assertEqual(hunt.found, {})
        self.assertGreater(hunt.deviations, 0)

    def test_minimised(self) -> None:
        """Pieces are joined where that changes nothing, and bytes left out."""
        def fails(pieces: List[bytes]) -> bool:
            return len(pieces) > 1 and b"".join(pieces).count(b"x") > 1
        self.assertEqual(subject_hunt.minimised([b"abx", b"c", b"dxe", b""], fails), [b"x", b"x"])
        self.assertEqual(subject_hunt.minimised([b"q", b"wr"], lambda pieces: sum(map(len, pieces)) > 1), [b"aa"])

    def test_a_command_and_an_older_one(self) -> None:
        """A command is hunted beside the reference, or beside another command: then only what the two read differently is a finding."""
        takes, plain = (shlex.join([sys.executable, "-c", SUBJECT, mistake]) for mistake in ("takes", "none"))
        for against, command, code in (([], takes, 1), (["--against", plain], takes, 1), (["--against", takes], takes, 0)):
            with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
                words = ["--seconds", "0.5", "--seed", "1", "--out", folder, *against, "--", *shlex.split(command)]
                self.assertEqual(subject_hunt.main(words), code, said.getvalue())
                found = [path.name for path in Path(folder).iterdir()]
            self.assertEqual(any(name.startswith("subject-decode-own-") for name in found), code == 1, found)
            self.assertRegex(said.getvalue(), f", (1 finding|[2-9] findings) in {re.escape(folder)}\n\\Z" if code == 1 else ", 0 findings\n\\Z")
            if code == 1:
                self.assertIn(f"--subject {shlex.quote(command)} --subject {shlex.quote((against or ['', 'build/assay subject utf-8/reference'])[1])} ", said.getvalue())

    def test_a_plain_program(self) -> None:
        """Its text is compared, and so is output that is not UTF-8, unless a deviation explains that."""
        program = "import sys; data = sys.stdin.buffer.read(); sys.stdout.buffer.write(data if b'\\xED\\xA0' in data else data.decode('utf-8', 'replace').encode())"
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            words = ["--seconds", "10", "--seed", "1", "--out", folder, "--", "--plain", "--no-verdict", sys.executable, "-S", "-c", program]
            self.assertEqual(subject_hunt.main(words), 1, said.getvalue())
            self.assertEqual([path.name for path in Path(folder).iterdir()], ["subject-decode-own-whole-output"])
        self.assertIn("  subject       skip its output is not UTF-8: EDA0", said.getvalue())
        for data, output, count in (("F888808080", "F888808080", 0), ("FF", "FF", 1)):
            hunt = subject_hunt.Hunt("iconv_c", Path(), random.Random(1))
            with mock.patch.object(hunt.reference, "ask", return_value=["ok -"]), mock.patch.object(hunt.subject, "ask", return_value=[subject_hunt.NO_TEXT + output]):
                found = hunt.differing([(subject_hunt.Request("decode", "own", "skip"), [bytes.fromhex(data)])])
            self.assertEqual(sum(one is not None for one in found), count)

    def test_what_is_no_subject(self) -> None:
        """A plain program waits for the end of its input: it has the time that `assay run` gives it, and not that of an adapter. One that ends is
        named with what it wrote on standard error; a row, too."""
        for command, said in (("import sys; sys.stdin.read()", "subject: could not be asked: no answer in 0.5 s (to `hello assay/1`); a program that reads bytes and writes text has --plain before it"),
                              ("import sys; sys.exit('one\\ntwo')", "subject: could not be asked: it ended (to `hello assay/1`)\n    one\n    two\n"),
                              ("import sys; sys.stdin.close(); sys.exit('three')", "(to `hello assay/1`)\n    three\n"),
                              ("print('hallo')", "subject: could not be asked: it does not speak assay/1; a program that ")):
            with contextlib.redirect_stdout(io.StringIO()) as out, mock.patch.object(subject_hunt, "START_SECONDS", 0.5 if "read" in command else 20):
                self.assertEqual(subject_hunt.main(["--seconds", "0.5", "--", sys.executable, "-c", command]), 2)
            self.assertIn(said, out.getvalue())
        with contextlib.redirect_stdout(io.StringIO()) as out, mock.patch.dict(os.environ, {"PATH": "/nowhere"}):
            self.assertEqual(subject_hunt.main(["--seconds", "0.5", "--subjects", "node"]), 2)
        self.assertIn("\n    subjects: node is not installed: nodejs (scripts/setup subjects installs it)\n", out.getvalue())

    def test_words(self) -> None:
        """What is no row, no list, and no command, is refused. There is help after --subjects."""
        with contextlib.redirect_stdout(io.StringIO()) as said, self.assertRaises(SystemExit) as ended:
            subject_hunt.main(["--subjects", "--help"])
        self.assertEqual((ended.exception.code, said.getvalue()[:20]), (0, "usage: scripts/hunt "))
        for words in (["--subjects", "no_such_row"], ["--seconds", "1"], ["--"], ["--subjects", "go", "--", "cat"]):
            with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as ended:
                subject_hunt.main(words)
            self.assertEqual(ended.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
