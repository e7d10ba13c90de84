# SPDX-License-Identifier: MIT
"""`assay run`: reports on right and wrong subjects, in every form that a subject can have, and on hostile ones."""

from __future__ import annotations

import copy
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, List, Set, Tuple

from .driver import ASSAY, CANARY, HERE, ROOT, in_ordinary_build, loadable, processes_of
from subjects import operations
from pages import screenshots  # the driver has added scripts to the path
from witness.schema import failures as breaches

VECTORS = ROOT / "vectors"
SCHEMA = json.loads((ROOT / "harnesses" / "assay" / "run" / "schema.json").read_text("ascii"))
HOSTILE = (sys.executable, str(HERE / "hostile.py"))
CASE = "utf-8/overlong/c080"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command."""
    return subprocess.run([ASSAY, "run", *arguments], capture_output=True, text=True, check=False, timeout=300)


def report(*arguments: str) -> Dict[str, Any]:
    """The report as JSON, which obeys its schema."""
    done = run("--json", *arguments)
    assert done.returncode in (0, 1), (done.returncode, done.stderr)
    result: Dict[str, Any] = json.loads(done.stdout)
    assert breaches(result, SCHEMA, SCHEMA) == [], breaches(result, SCHEMA, SCHEMA)
    assert (done.returncode == 0) == (not result["failures"] and not result["is_troubled"]), done.returncode
    return result


def failed_ids(result: Dict[str, Any]) -> Set[str]:
    """The ids of the failed cases."""
    return {failure["id"] for failure in result["failures"]}


@lru_cache(maxsize=None)
def long_texts() -> List[str]:
    """The lines that --list prints for them."""
    return run("--list", "*/long-texts").stdout.splitlines()


# Accepts surrogates, and decodes each piece by itself.
TWICE_WRONG = """import sys
for line in sys.stdin:
    number, *words = line.split()
    if number == "hello":
        print("hello assay/1 twice-wrong encodings=utf-8 policies=strict ops=validate,decode", flush=True)
        continue
    try:
        texts = [bytes.fromhex(piece.replace("-", "")).decode("utf-8", "surrogatepass") for piece in words[-1].split(",")]
        groups = "|".join(",".join(f"{ord(one):X}" for one in text) or "-" for text in texts)
        print(number, "ok" if words[0] == "validate" else "ok " + groups, flush=True)
    except UnicodeDecodeError:
        print(number, "error", flush=True)
"""


# Decodes pieces with CPython's decoder, which forgets what it holds after each block of a stream.
IN_BLOCKS = """import codecs, sys
for line in sys.stdin:
    number, *words = line.split()
    if number == "hello":
        print("hello assay/1 in-blocks encodings=utf-8 policies=strict,whatwg ops=decode chunks=late", flush=True)
        continue
    pieces, block, read, texts = words[-1].split(","), int(sys.argv[1]), 0, []
    decoder = codecs.getincrementaldecoder("utf-8")({"strict": "strict", "whatwg": "replace"}[words[2]])
    try:
        for index, piece in enumerate(pieces):
            data, text = bytes.fromhex(piece.replace("-", "")), ""
            for byte in data:
                text += decoder.decode(bytes([byte]))
                read += 1
                if read % block == 0:
                    decoder.reset()
            texts.append(text + (decoder.decode(b"", True) if index + 1 == len(pieces) else ""))
        print(number, "ok", "|".join(",".join(f"{ord(one):X}" for one in text) or "-" for text in texts), flush=True)
    except UnicodeDecodeError:
        print(number, "error", flush=True)
"""


# Says which bytes are UTF-8, and nothing else.
VALIDATING = """import sys
for line in sys.stdin:
    number, *words = line.split()
    if number == "hello":
        print("hello assay/1 validating encodings=utf-8 ops=validate", flush=True)
        continue
    try:
        bytes.fromhex(words[-1].replace("-", "")).decode()
        print(number, "ok", flush=True)
    except UnicodeDecodeError as error:
        print(number, "error", error.start, flush=True)
"""

# Interrupts the program that asks, at the 40th request, and does not answer it.
INTERRUPTING = """import os, sys, time
for line in sys.stdin:
    number, *words = line.split()
    if number == "hello":
        print("hello assay/1 interrupting encodings=utf-8 policies=strict ops=validate", flush=True)
        continue
    if number == "40":
        time.sleep(0.3)  # the answers so far are read
        os.kill(os.getppid(), int(sys.argv[1]))
        time.sleep(60)
    try:
        bytes.fromhex(words[-1].replace("-", "")).decode()
        print(number, "ok", flush=True)
    except UnicodeDecodeError as error:
        print(number, "error", error.start, flush=True)
"""

# The same of a plain program, at any request about C0 9F.
INTERRUPTING_PLAIN = """import os, sys, time
data = sys.stdin.buffer.read()
if data == b"\\xC0\\x9F":
    os.kill(os.getppid(), int(sys.argv[1]))
    time.sleep(60)
try:
    sys.stdout.buffer.write(data.decode().encode())
except UnicodeDecodeError:
    sys.exit(1)
"""


class GoodTest(unittest.TestCase):
    """A right subject."""

    def test_all_vectors_hold_for_our_codec(self) -> None:
        """Our codec passes every case of every encoding, and each case asks something. Under a sanitizer every fifth case, unless all are
        asked for."""
        share = () if os.environ.get("ASSAY_RUN") == "all" or not os.environ.get("ASSAY_SANITIZED") else ("--every", "5")
        result = report(*share, "--", ASSAY, "subject", "--faults", "utf-8/reference")
        count = sum(json.loads(path.read_text("ascii"))["count"] for path in VECTORS.glob("*/*.json")) + len(long_texts())
        count += sum(len(path.read_text("ascii").splitlines()) - 1 for path in VECTORS.glob("complete/*-positions.tsv"))
        if share:
            all_of_them, count = count, len(run("--list", *share).stdout.splitlines())
            self.assertGreater(5 * count, all_of_them)
        self.assertEqual(result["cases"], {"passed": count, "failed": 0, "skipped": 0, "skipped_by_wish": 0})
        self.assertEqual((result["requests"]["skipped"], result["requests"]["not_offered"], result["restarts"]), (0, 0, 0))
        self.assertEqual(result["offers"], operations.requests())
        self.assertEqual([(row["asked_for"], row["profile"], row["left_over"][row["profile"]]) for row in result["profiles"]],
                         [(row["asked_for"], row["asked_for"], 0) for row in result["profiles"]])
        self.assertEqual(len([row for row in result["profiles"] if row["encoding"] == "utf-8"]), 8)

    def test_a_share_of_each_category(self) -> None:
        """--every 3 asks the first case and each third one after it, and --list shows the same; N is a number from 1."""
        globs = ("utf-8/overlong", "utf-8/standard-examples")
        listed = run("--list", "--every", "3", *globs).stdout.splitlines()
        for name in globs:
            ids = [case["id"] for case in json.loads((VECTORS / f"{name}.json").read_text("ascii"))["tests"]]
            self.assertEqual([line.split("  ")[0] for line in listed if line.startswith(name)], ids[::3])
        result = report("--every", "3", *globs, "--", ASSAY, "subject", "utf-8/reference")
        self.assertEqual(sum(result["cases"].values()), len(listed))
        self.assertEqual(run("--every", "0", "--list").returncode, 2)
        self.assertEqual([f"{case['id']}  {case['comment']}" for case in json.loads(run("--list", "--json", "--every", "3", *globs).stdout)], listed)

    def test_an_interruption_loses_no_results(self) -> None:
        """The subject, a process or a plain program, sends it, and ends no more. What was answered before is reported, and no file is written."""
        halves = {"process": (INTERRUPTING, ()), "plain": (INTERRUPTING_PLAIN, ("--plain", "-j", "2"))}
        for name, (source, options) in halves.items():
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "subject.py").write_text(source)
                page = Path(folder) / "page.html"
                page.write_text("old")
                for number, code in ((2, 130), (15, 143)):
                    words = (*options, "--html", str(page), "--junit", str(page) + ".xml", "--shrink", "0", "utf-8/overlong", "utf-8/surrogate",
                             "--", sys.executable, str(Path(folder) / "subject.py"), str(number), folder)
                    done, said = run("--json", *words), run(*words)
                    self.assertEqual((said.returncode, done.returncode, done.stderr), (code, code, ""), name)
                    self.assertEqual((page.read_text(), sorted(path.name for path in Path(folder).glob("page*"))), ("old", ["page.html"]))
                    result = json.loads(done.stdout)
                    self.assertEqual(list(breaches(result, SCHEMA, SCHEMA)), [])
                    cases = sum(result["cases"].values())
                    self.assertEqual((result["interrupted"], result["cases"]["failed"]), (True, 0), result["failures"])
                    self.assertEqual((result["cases"]["passed"] > 0, result["cases"]["passed"] + result["not_asked"]), (True, cases))
                    self.assertRegex(said.stdout, rf"(?m)^interrupted: \d+ cases were not asked\n{cases} cases: ")

    def test_an_interruption_changes_no_total(self) -> None:
        """Of the texts of the positions tier, that are asked last: those that the program does not offer are none of them."""
        globs = ("utf-8/overlong/c0*", "utf-8/positions/57*")
        words = ("--plain", "--no-output", "-j", "1", "--json", *globs, "--")
        whole = json.loads(run(*words, "true").stdout)["positions"]
        part = json.loads(run(*words, sys.executable, "-c", INTERRUPTING_PLAIN, "2").stdout)["positions"]
        self.assertEqual((part["texts"], part["asked"]), (whole["texts"], 0))
        self.assertGreater(whole["asked"], 0)

    def test_long_texts_are_asked_in_pieces(self) -> None:
        """Each encoding that removes no signature has six, of more than 8,192 bytes, but WTF-16, which has no error before the end, four; what is
        expected of UTF-8 is what CPython's decoder gives; they find a decoder that begins anew after each 1,000 bytes, which short streams do not."""
        encodings = {path.parent.name for path in VECTORS.glob("*/streaming.json")}
        listed = long_texts()
        self.assertEqual(Counter(line.split("/")[0] for line in listed), {encoding: 4 if encoding.startswith("wtf-16") else 6 for encoding in encodings})
        self.assertEqual(len(encodings), 11)
        for line in listed:
            size, pieces = re.findall(r"  (\d+) bytes in (\d+) pieces: ", line)[0]
            self.assertTrue(int(size) > 8192 and int(pieces) > 1, line)
        for block, failures in ((1 << 20, set()), (1000, {"utf-8/long-texts"})):
            result = report("--answers", "utf-8/long-texts", "utf-8/streaming", "--", sys.executable, "-c", IN_BLOCKS, str(block))
            self.assertEqual({failure["id"].rsplit("/", 1)[0] for failure in result["failures"]}, failures)
            self.assertEqual(sum(answer[0].startswith("utf-8/long-texts") for answer in result["answers"]), 12)

    def test_a_policy_that_no_answer_shows_is_not_known(self) -> None:
        """`cat` writes ill-formed text as it is, so that only its answers to well-formed input can be read."""
        done = run("-q", "--plain", "utf-8/well-formed", "utf-8/overlong/c0*", "--", "cat")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"utf-8 own +is not known: \d+ answers, 0 left over, none to ill-formed input")

    def test_a_letter_states_the_error_whatever_the_room(self) -> None:
        """Where `strict` was not asked with as much room, too."""
        script = ("import sys\nfor line in sys.stdin:\n    number, *words = line.split()\n"
                  "    print('hello assay/1 x encodings=utf-8 policies=whatwg ops=into' if number == 'hello' else number + ' full 0 -', flush=True)")
        done = run("-q", "--shrink", "0", "--all", "utf-8/limited-output/f09f92", "--", sys.executable, "-c", script)
        self.assertIn("into utf-8 whatwg utf-32 1 F09F92", done.stdout)
        self.assertNotIn("the input is well-formed", done.stdout)
        self.assertNotIn("first error none", done.stdout)

    def test_a_letter_is_about_the_stream_that_differs(self) -> None:
        """This subject accepts surrogates in streams only; the first stream of the case has another error, which it finds."""
        script = """import sys
for line in sys.stdin:
    number, *words = line.split()
    if number == "hello":
        print("hello assay/1 x encodings=utf-8 policies=strict ops=reuse", flush=True)
        continue
    answers = []
    for stream in words[-1].split(";"):
        try:
            text = bytes.fromhex(stream.replace("-", "").replace(",", "")).decode("utf-8", "surrogatepass")
            answers.append(",".join(f"{ord(one):X}" for one in text) or "-")
        except UnicodeDecodeError:
            answers.append("error")
    print(number, "ok", ";".join(answers), flush=True)
"""
        done = run("-q", "utf-8/reuse/c2-then-edb880", "--", sys.executable, "-c", script)
        self.assertIn("accepted, first error surrogate, in a stream after another: ", done.stdout)
        self.assertRegex(done.stdout, r"bytes +ED B8 80   \(3 bytes\), stream 2\n")
        self.assertRegex(done.stdout, r"standard +ill-formed at 0, .*: ED then B8, a surrogate")

    def test_answers_are_listed(self) -> None:
        """--answers lists each request to validate or decode, and its answer; it needs --json."""
        result = report("--answers", CASE, "--", *HOSTILE, "none")
        self.assertEqual(result["answers"], [[CASE, "validate utf-8 C080", "error 0 1 overlong"], [CASE, "decode utf-8 strict C080", "error 0 1"],
                                             [CASE, "decode utf-8 whatwg C080", "ok FFFD,FFFD"]])
        wrong = report("--answers", CASE, "--", CANARY, "subject", "utf-8/canary")
        self.assertIn([CASE, "validate utf-8 C080", "ok"], wrong["answers"])
        self.assertEqual(run("--answers", CASE, "--", *HOSTILE, "none").returncode, 2)

    def test_the_schema_is_strict(self) -> None:
        """It refuses fields that are missing, of another type or unknown; all reports of this file obey it."""
        result = report("--answers", "utf-8/surrogate", "--", sys.executable, "-c", TWICE_WRONG)
        for path, value in (("seconds", "1"), ("seconds", True), ("unknown", 1), ("made.date", "today"), ("cases.passed", -1), ("profiles.0.left_over", []),
                            ("causes.0.shrunk", {}), ("failures.0.got", None), ("failures.0.policy", ""), ("answers.0", []), ("requests", {})):
            wrong: Any = copy.deepcopy(result)
            *way, last = path.split(".")
            place = wrong
            for word in way:
                place = place[int(word)] if word.isdigit() else place[word]
            place[int(last) if last.isdigit() else last] = value
            self.assertNotEqual(breaches(wrong, SCHEMA, SCHEMA), [], path)

    def test_what_is_not_offered_is_skipped_and_counted(self) -> None:
        """Streams are skipped for a subject without them."""
        result = report("utf-8/streaming", "utf-8/encode", "utf-8/standard-examples", "--", *HOSTILE, "none")
        self.assertEqual(result["categories"]["utf-8/encode"]["passed"], 0)
        self.assertGreater(result["categories"]["utf-8/encode"]["skipped"], 0)
        self.assertGreater(result["requests"]["not_offered"], 0)
        self.assertEqual(result["failures"], [])


    def test_skipped_cases_add_up(self) -> None:
        """The columns of the table, and the line about categories that it leaves out, have the sums of the last line; with --all it leaves out none."""
        globs = ("utf-8/overlong", "utf-8/encode*", "utf-8/positions/2*", "utf-16le/surrogate", "--", sys.executable, "-c", VALIDATING)
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.html"
            said, everything = run("--html", str(page), *globs).stdout, run("--all", *globs).stdout
            shown = page.read_text("utf-8")
        last = [int(number) for number in re.findall(r"(\d+) (?:passed|failed|skipped \()", said.splitlines()[-1])]
        (line, count), = re.findall(r"(?m)^(not listed: (\d+) skipped cases in 2 categories, which ask only what it does not offer)$", said)
        self.assertIn(line, shown)
        for text, left_out in ((said, int(count)), (everything, 0)):
            rows = [[int(number) for number in row] for row in re.findall(r"(?m)^utf-8/\S+ +(\d+) +(\d+) +(\d+)$", text)]
            self.assertEqual([sum(column) for column in zip(*rows)], [last[0], last[1], last[2] - left_out], text)
        self.assertGreater(last[2], int(count))
        self.assertNotIn("not listed", everything)
        self.assertNotIn("utf-16le/surrogate", everything)


# Accepts inputs of more than five bytes; if there are more than two pieces, decodes each by itself.
WRONG_IN_MUCH = """import sys
for line in sys.stdin:
    number, *words = line.split()
    if number == "hello":
        print("hello assay/1 wrong-in-much encodings=utf-8 policies=whatwg ops=validate,decode", flush=True)
        continue
    pieces = [bytes.fromhex(piece.replace("-", "")) for piece in words[-1].split(",")]
    whole = b"".join(pieces)
    if words[0] == "validate":
        print(number, "ok" if len(whole) > 5 or whole.decode("utf-8", "replace").encode() == whole else "error", flush=True)
        continue
    texts = [piece.decode("utf-8", "replace") for piece in (pieces if len(pieces) > 2 else [whole])]
    print(number, "ok", ",".join(f"{ord(one):X}" for text in texts for one in text) or "-", flush=True)
"""


class ShrunkTest(unittest.TestCase):
    """Shorter inputs for failures."""

    def shrunk(self, *arguments: str) -> List[Any]:
        """The shrunk inputs of the failures of a wrong subject."""
        result = report(*arguments, "--", sys.executable, "-c", WRONG_IN_MUCH)
        return [cause["shrunk"] for cause in result["causes"]]

    def test_bytes(self) -> None:
        """Of 63 characters around a lead, five are left: with fewer the verdict is right; the lead stays, because the fault must stay the
        same."""
        shrunk, = self.shrunk("-e", "utf-8", "utf-8/museum/*20x63-c2-20x64-80")
        word, _, text = shrunk["asked"].split()
        self.assertEqual((word, shrunk["bytes"], len(bytes.fromhex(text)), shrunk["pieces"]), ("validate", 6, 6, 1))
        self.assertEqual(shrunk["got"], "ok")
        self.assertRegex(shrunk["expected"], "^error [0-5] 1 ")

    def test_pieces(self) -> None:
        """One character in three pieces; --shrink 0 changes nothing, and a case that is already shortest is not shrunk."""
        shrunk, = self.shrunk("utf-8/streaming/euro-between-63-and-63")
        pieces = shrunk["asked"].split()[-1].split(",")
        self.assertEqual((len(pieces), "".join(pieces).replace("-", ""), shrunk["pieces"], shrunk["bytes"]), (3, "E282AC", 3, 3))
        self.assertEqual(shrunk["expected"], "ok -|-|20AC")
        shrunk, = self.shrunk("utf-8/streaming/_f4__8f__bf__bf_")  # of nine pieces
        self.assertEqual((shrunk["bytes"], shrunk["pieces"]), (4, 3))
        self.assertEqual(self.shrunk("--shrink", "0", "utf-8/streaming/euro-between-63-and-63"), [None])
        self.assertEqual(run("--shrink", "-1", "--list").returncode, 2)
        self.assertEqual(report("utf-8/overlong", "--", CANARY, "subject", "utf-8/canary")["causes"][0]["shrunk"], None)

    def test_of_a_plain_program(self) -> None:
        """The letter shows it."""
        dots = "import sys; data = sys.stdin.buffer.read(); sys.stdout.write(data.decode('utf-8', 'replace').replace('  ', '.'))"
        said = run("--plain", "--no-verdict", "--shrink", "120", "utf-8/blocks/20-60-f2b6a9be", "--", sys.executable, "-c", dots).stdout
        self.assertIn("    shrunk     to 2 bytes in 1 piece\n      asked    decode utf-8 own 2020\n      expected (whatwg) ok 20,20\n      got      ok 2E\n", said)

    def test_columns_are_aligned(self) -> None:
        """Those of categories, however long a name is."""
        said = run("utf-8/overlong", "generalized-utf-8/standard-examples", "--", ASSAY, "subject", "utf-8/reference").stdout
        rows = [line for line in said.splitlines() if re.match(r"(category|utf-8/overlong|generalized-utf-8/standard-examples) ", line)]
        self.assertEqual((len(rows), len({len(line) for line in rows})), (3, 1), rows)

    def test_a_page(self) -> None:
        """Each cause has its letter, above the table of categories; what the subject printed is escaped; nothing is loaded."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.html"
            self.assertEqual(run("--html", str(path), "utf-8/overlong", "--", CANARY, "subject", "utf-8/canary").returncode, 1)
            page = path.read_text("utf-8")
            self.assertIn("utf-8/<wbr>overlong<td>", page)
            self.assertIn("C0 80", page)
            self.assertLess(page.index('id="cause-1"'), page.index('id="categories"'))
            self.assertRegex(page, r"(?s)<td>again<td><code class=.command.>[^<]* run utf-8/overlong/[^<]* -- ")
            self.assertRegex(page, r"Made by utf8-assay \d+\.\d+\.\d+(, commit \S+)?, vectors \d+\.\d+\.\d+, on \d{4}-\d\d-\d\d [\d:]{8} UTC: "
                             rf"<code class=.command.>[^<]* run --html {path} utf-8/overlong -- ")
            for anchor in re.findall(r'href="#([^"]*)"', page):
                self.assertEqual(page.count(f'id="{anchor}"'), 1, anchor)
            run("--html", str(path), CASE, "--", *HOSTILE, "form")
            page = path.read_text("utf-8")
            self.assertIn("&lt;script&gt;", page)
        self.assertEqual(page.count("<script"), 1)
        self.assertNotRegex(page, "src=|href=[^\"]|href=\"[^#]|url\\(")

    @in_ordinary_build
    def test_a_page_can_be_read(self) -> None:
        """At both widths, light and dark; the screenshots are kept in the build folder."""
        if screenshots.browser() is None:
            self.skipTest("Chromium is not installed: the page is not looked at")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.html"
            run("--html", str(path), "utf-8", "--", CANARY, "subject", "utf-8/canary")
            self.assertEqual(screenshots.faults(screenshots.look(path, Path(ASSAY).parent / "screenshots")), [])

    def test_a_file_that_cannot_be_written_is_reported_before_the_run(self) -> None:
        """And what a run does not finish leaves as it was."""
        for option in ("--html", "--badge", "--write-baseline", "--junit"):
            done = run(option, "/no/folder/file", CASE, "--", "false")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, rf": {option}: /no/folder/file cannot be written: No such file or directory\n$")
        self.assertIn("only one of them can go to standard output", run("--html", "-", "--badge", "-", CASE, "--", "false").stderr)

    def test_a_full_disk_leaves_the_file_that_was_there(self) -> None:
        """And nothing beside it. The limit of a file's size takes the place of a full disk."""
        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file"
            path.write_text("old", "ascii")
            for option in ("--html", "--write-baseline", "--junit"):
                done = subprocess.run([ASSAY, "run", "--plain", option, str(path), "utf-8/overlong", "--", "cat"], capture_output=True, text=True, check=False,
                                      preexec_fn=limit, restore_signals=False)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(f"{option}: {path} cannot be written: File too large", done.stderr)
                self.assertEqual((path.read_text("ascii"), [one.name for one in Path(folder).iterdir()]), ("old", ["file"]))

    def test_files_may_go_to_standard_output(self) -> None:
        """The text goes to standard error."""
        for option, begin in (("--html", "<!doctype html>"), ("--badge", "<svg"), ("--write-baseline", "# Failures"), ("--junit", "<?xml")):
            done = run(option, "-", CASE, "--", CANARY, "subject", "utf-8/reference")
            self.assertEqual(done.stdout[:len(begin)], begin)
            self.assertIn("1 case: 1 passed", done.stderr)

    def test_a_badge(self) -> None:
        """An image with the number of failed cases, or of passed ones."""
        with tempfile.TemporaryDirectory() as folder:
            texts = []
            for codec in ("canary", "reference"):
                path = Path(folder, codec)
                run("--badge", str(path), "utf-8/overlong", "--", CANARY, "subject", f"utf-8/{codec}")
                texts.append([one.text for one in xml.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")])
        self.assertEqual(texts, [["utf8-assay", "1 of 286 failed"], ["utf8-assay", "286 passed"]])
        self.assertEqual(run("--badge", "/no/folder/badge", CASE, "--", *HOSTILE, "none").returncode, 2)


# Decodes with CPython, but accepts F4 90..BF at offset 32 or later, and E0 80..9F after a character of four bytes: as a subject, or, without
# a greeting, as a plain program.
WRONG_BY_POSITION = r"""import re, sys
def decode(data):
    while True:
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            wrong = data[error.start:error.start + 4]
            late = error.start >= 32 and re.match(b"\xf4[\x90-\xbf][\x80-\xbf]{2}", wrong, re.S)
            context = re.search(b"[\xf0-\xf4][\x80-\xbf]{3}$", data[:error.start], re.S) and re.match(b"\xe0[\x80-\x9f][\x80-\xbf]", wrong, re.S)
            if not late and not context:
                return None
            data = data[:error.start] + b"?" + data[error.start + (4 if late else 3):]
if sys.argv[1] == "plain":
    text = decode(sys.stdin.buffer.read())
    sys.stdout.buffer.write((text or "").encode())
    sys.exit(text is None)
for line in sys.stdin:
    number, *words = line.split()
    if number == "hello":
        print("hello assay/1 by-position encodings=utf-8 policies=strict ops=validate,decode chunks=no", flush=True)
        continue
    text = decode(bytes.fromhex(words[-1].replace("-", "")))
    if text is None:
        print(number, "error", flush=True)
    else:
        print(number, "ok" if words[0] == "validate" else "ok " + (",".join(f"{ord(one):X}" for one in text) or "-"), flush=True)
"""
FAULTS_BY_POSITION = ["utf-8 reading: accepted, first error out-of-range", "utf-8 reading: accepted, first error overlong"]


class PositionsTest(unittest.TestCase):
    """The positions tier."""

    def test_a_fault_that_only_positions_show(self) -> None:
        """All other cases pass; the letter's command shows it again, of a plain program, too."""
        subject = (sys.executable, "-c", WRONG_BY_POSITION, "subject")
        result = report("-e", "utf-8", "--", *subject)
        self.assertEqual({failure["id"].rsplit("/", 1)[0] for failure in result["failures"]}, {"utf-8/positions"})
        self.assertEqual(sorted(cause["cause"] for cause in result["causes"]), FAULTS_BY_POSITION)
        self.assertGreater(result["requests"]["failed"], len(result["failures"]))
        for cause in result["causes"]:
            self.assertIn(cause["cause"], [again["cause"] for again in report(cause["smallest"], "--", *subject)["causes"]])
        lines = [cause["smallest"] for cause in result["causes"]]
        result = report("--plain", "--shrink", "0", *lines, "--", sys.executable, "-c", WRONG_BY_POSITION, "plain")
        self.assertEqual(sorted(cause["cause"] for cause in result["causes"] if "accepted" in cause["cause"]), FAULTS_BY_POSITION)

    def test_encodings_that_it_does_not_name_are_counted_apart(self) -> None:
        """Neither their cases nor their requests are of the sums; and who decodes nothing gets no hint about pieces."""
        globs = ("utf-8/overlong", "utf-16le/surrogate", "utf-16be/surrogate", "--", sys.executable, "-c", VALIDATING)
        said, alone = run(*globs).stdout, run(globs[0], *globs[3:]).stdout
        others = sum(json.loads((VECTORS / f"{name}.json").read_text("ascii"))["count"] for name in globs[1:3])
        *_, before, last = said.splitlines()
        self.assertEqual(before, f"not counted: {others} cases of encodings that it does not name")
        self.assertEqual(last, alone.splitlines()[-1])
        self.assertIn(" 0 skipped (0 by wish)", last)
        self.assertNotIn("hint", said)
        self.assertNotIn("not counted", alone)

    def test_what_was_not_asked_is_counted(self) -> None:
        """One text of eight, and of each line one at least; with --thorough all, under each policy. Lines that are not offered have no texts."""
        globs = ("utf-8/positions/2*", "--", ASSAY, "subject", "utf-8/reference")
        listed = len(run("--list", globs[0]).stdout.splitlines())
        share, whole = report(*globs), report("--thorough", *globs)
        self.assertEqual(whole["positions"]["texts"], whole["positions"]["asked"])
        self.assertEqual(share["positions"]["texts"], whole["positions"]["texts"])
        self.assertGreater(share["positions"]["asked"] * 8, share["positions"]["texts"])
        self.assertLess(share["positions"]["asked"] * 7, share["positions"]["texts"])
        self.assertGreater(whole["requests"]["answered"], 4 * 8 * share["requests"]["answered"] // 2)
        for result in (share, whole):
            self.assertEqual(result["cases"], {"passed": listed, "failed": 0, "skipped": 0, "skipped_by_wish": 0})
        said = run("--quiet", *globs).stdout
        self.assertIn(f"positions tier: {share['positions']['asked']} of {whole['positions']['texts']} texts asked", said)
        self.assertIn("--thorough asks about all", said)
        result = report(globs[0], "utf-8/overlong", "--", *HOSTILE, "none")
        self.assertLess(result["positions"]["texts"], whole["positions"]["texts"])
        self.assertGreater(result["cases"]["skipped"], 0)
        self.assertEqual(report(CASE, *globs[1:])["positions"], {"texts": 0, "asked": 0})

    def test_the_own_policy_is_recognised_by_positions_alone(self) -> None:
        """Its failures are those that the policy does not explain."""
        result = report("--plain", "--no-verdict", "utf-8/positions/242cef09", "utf-8/positions/5750527a", "--", sys.executable, "-c",
                        "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().decode('utf-8', 'ignore').encode())")
        self.assertEqual([row["profile"] for row in result["profiles"]], ["skip"])
        self.assertEqual((result["cases"]["passed"], result["failures"]), (2, []))


class WrongTest(unittest.TestCase):
    """Wrong subjects."""

    def test_the_canary_is_caught(self) -> None:
        """It accepts C0 80: the letter has the bytes, the expected reply, the reply, the clause and the id; many cases, few causes."""
        done = run("utf-8/overlong", "--", CANARY, "subject", "utf-8/canary")
        self.assertEqual(done.returncode, 1)
        for words in ("utf-8 reading: accepted, first error overlong", "  by validate\n", "  utf-8/overlong/c080: ", "    bytes      C0 80   (2 bytes)\n",
                      "    expected   error 0 1 overlong\n", "    got        ok\n", "not the shortest form of its code point",
                      f"    again      {ASSAY} run utf-8/overlong/c080 -- "):
            self.assertIn(words, done.stdout)

    def test_a_letter_about_boundaries_calls_no_input_well_formed(self) -> None:
        """The vectors state no error for boundaries, whatever the input is."""
        subject = ("import sys\nfor line in sys.stdin:\n    print('hello assay/1 x encodings=utf-8 ops=boundaries' if line.startswith('hello') "
                   "else line.split()[0] + ' ok 0', flush=True)\n")
        done = run("utf-8/boundaries", "--", sys.executable, "-c", subject)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("    standard   each byte is of a character, or of the maximal subpart of an error (Unicode, D93b)\n", done.stdout)
        self.assertNotIn("well-formed", done.stdout)

    def test_one_mistake_is_one_cause(self) -> None:
        """Requests that fail in pieces as they do whole have the same cause; those that fail only in pieces have another."""
        result = report("utf-8/surrogate", "utf-8/streaming", "--", sys.executable, "-c", TWICE_WRONG)
        self.assertEqual({cause["cause"]: cause["by"] for cause in result["causes"]},
                         {"utf-8 reading: accepted, first error surrogate": "validate, decode strict, pieces strict",
                          "utf-8 reading in pieces: refused, first error none": "pieces strict"})
        self.assertEqual([cause["asked"] for cause in result["causes"]], ["validate utf-8 EDA0BD", "decode utf-8 strict C2,80"])
        self.assertEqual(sum(cause["requests"] for cause in result["causes"]), result["requests"]["failed"])

    def test_the_letter_shows_it_again(self) -> None:
        """The last line of a letter is a command."""
        done = run("utf-8/overlong", "--", CANARY, "subject", "utf-8/canary")
        again = next(line for line in done.stdout.splitlines() if line.startswith("    again"))[15:]
        done = subprocess.run(again, shell=True, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("utf-8/overlong/c080", done.stdout)

    def test_the_command_keeps_the_time_limit(self) -> None:
        """Without it, what was too slow would not be so again."""
        done = run("--plain", "--time-limit", "0.5", "--shrink", "0", CASE, "--", "sleep", "2")
        self.assertRegex(done.stdout, rf"(?m)^    again      \S+ run --plain --time-limit 0.5 {CASE} -- sleep 2$")

    def test_a_policy_is_recognised(self) -> None:
        """Answers are compared with the policy that the subject names; --profile chooses another; the report names one that fits better."""
        command = ("utf-8/overlong", "utf-8/truncated", "--", sys.executable, "-c", RENAMED, ASSAY)
        named = report(*command)
        row = next(row for row in named["profiles"] if row["asked_for"] == "whatwg")
        self.assertEqual((row["profile"], row["left_over"]["per-byte"]), ("whatwg", 0))
        self.assertGreater(row["left_over"]["whatwg"], 0)
        self.assertIn("per-byte fits better, with 0 left over", run(*command).stdout)
        self.assertEqual(report("--profile", "per-byte", *command)["failures"], [])
        self.assertEqual(named["offers"], ["decode", "pieces"])
        own = report(*command, "own")
        self.assertEqual([(row["asked_for"], row["profile"]) for row in own["profiles"]], [("own", "per-byte")])
        self.assertNotRegex(run(*command, "own").stdout, "(?m)^  whatwg ")
        cases = [case["outputs"] for name in ("overlong", "truncated")
                 for case in json.loads((VECTORS / "utf-8" / f"{name}.json").read_text("ascii"))["tests"]]
        printed = dict(re.findall(r"(?m)^  ([a-z-]+) +([0-9]+ of [0-9]+) answers$", run("--policies", *command, "own").stdout))
        self.assertEqual(len(printed), 8)
        for policy in ("whatwg", "jdk", "per-byte", "per-sequence", "per-run", "surrogateescape"):
            alike = sum(outputs[policy] == outputs["per-byte"] for outputs in cases)
            self.assertEqual(printed[policy], f"{alike} of {len(cases)}", policy)
        self.assertEqual((own["failures"], own["requests"]["answered"]), ([], 2 * len(cases)))

    def test_failures_under_a_fitted_policy_name_it_and_show_again(self) -> None:
        """Which policy fits is a question about the whole run, so the command of a letter names the answer: of one case alone, another policy fits.
        Where none fits well, a hint says what whatwg leaves over."""
        command = ("-e", "utf-8", "--shrink", "0", "utf-8/[m-t]*", "--", sys.executable, "-S", "-c", OVERLONG)
        result = report(*command)
        row, = result["profiles"]
        self.assertEqual((row["asked_for"], row["profile"]), ("own", "per-sequence"))
        self.assertEqual({failure["compared_with"] for failure in result["failures"]}, {"per-sequence"})
        self.assertGreater(len(result["causes"]), 2)
        cause, = [cause for cause in result["causes"] if cause["cause"].endswith("invalid-lead")]
        self.assertEqual(report(cause["smallest"], *command[5:])["failures"], [])
        again = subprocess.run(["bash", "-c", cause["again"]], capture_output=True, text=True, check=False)
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertIn(f". {cause['cause']}: ", again.stdout)
        self.assertIn(" --profile per-sequence ", cause["again"])
        also_named = report(*command[:-1], OVERLONG.replace("policies=own", "policies=own,whatwg"))  # --profile would be about both
        self.assertEqual([cause["again"] for cause in also_named["causes"] if "--profile" in cause["again"]], [])
        said = run(*command).stdout
        self.assertIn(f"    again      {cause['again']}\n", said)
        self.assertEqual(set(re.findall(r"(?m)^    expected   (\S+) ok ", said)), {"(per-sequence)"})
        left = row["left_over"]
        self.assertIn(f"\nhint: no policy fits utf-8 well: per-sequence, the nearest, leaves over {left['per-sequence']} of {row['answers']} answers, "
                      f"whatwg {left['whatwg']}; --profile whatwg compares them with whatwg\n", said)
        self.assertNotIn("hint: no policy", run("--profile", "whatwg", *command).stdout)
        self.assertNotIn("hint: no policy", run("utf-8/overlong", "utf-8/truncated", "--", sys.executable, "-c", RENAMED, ASSAY, "own").stdout)

    def test_one_mistake_in_several_groups(self) -> None:
        """A group is named after the first error of its inputs. Where another error is the one that is answered wrongly, the group says whose it is; that
        is asked: the bytes that it gives fail, and those of a group that says nothing begin with its own mistake."""
        command = ("--shrink", "60", "utf-8/overlong", "utf-8/old-scheme/f884", "utf-8/next-two-bytes", "--", sys.executable, "-S", "-c", OVERLONG)
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.html"
            result, said = report("--profile", "per-sequence", *command), run("--profile", "per-sequence", "--html", str(page), *command).stdout
            shown = page.read_text("utf-8")
        names = [cause["cause"].rsplit(" ", 1)[1] for cause in result["causes"]]
        as_in = {name: cause["as_in"] for name, cause in zip(names, result["causes"])}
        self.assertEqual((as_in.pop("overlong"), as_in.pop("invalid-lead")), (None, None))
        self.assertEqual({name: row["cause"] for name, row in as_in.items()},
                         {"missing-continuation": "utf-8 reading: output differs, first error overlong"})
        row, number = as_in["missing-continuation"], names.index("overlong") + 1
        self.assertRegex(row["bytes"], "^(C[01]|E0[89]|F08)")
        line = f"group {number} ({row['cause']}): {row['bytes']}, which follows the first error, fails alone as the input there"
        self.assertIn(f"\n    as in      {line}\n", said)
        self.assertIn(f'<tr><td>as in<td><a href="#cause-{number}">{line}</a>', shown)
        self.assertRegex(said, rf"(?m)^{number}\. utf-8 reading: output differs, first error overlong: ")
        self.assertEqual({cause["as_in"] for cause in report("--shrink", "0", *command[2:])["causes"]}, {None})

    def test_no_group_is_about_what_follows_nothing(self) -> None:
        """A program that fails on the empty text, too: what follows the last error is no input."""
        result = report("--plain", "--no-verdict", "--every", "100", "utf-8/truncated", "utf-8/well-formed", "--", "sh", "-c", "iconv -c -f utf-8 -t utf-8; echo")
        self.assertGreater(len(result["causes"]), 1)
        self.assertEqual([cause["as_in"] for cause in result["causes"] if cause["as_in"] is not None and cause["as_in"]["bytes"] == ""], [])

    def test_a_policy_must_fit_clearly_better_than_whatwg(self) -> None:
        """By a tenth at least of what whatwg leaves over: a subject that says nothing fits `skip` where an input is all errors, by accident."""
        script = ("import sys\nfor line in sys.stdin:\n    number = line.split()[0]\n"
                  "    print('hello assay/1 x encodings=utf-8 policies=own ops=decode chunks=no' if number == 'hello' else number + ' ok -', flush=True)")
        command = ("utf-8/standard-examples", "utf-8/well-formed", "utf-8/overlong/c080", "--", sys.executable, "-S", "-c", script)
        row, = report(*command)["profiles"]
        left = row["left_over"]
        self.assertEqual((left["skip"] < left["whatwg"], 10 * left["skip"] > 9 * left["whatwg"], row["profile"]), (True, True, "whatwg"), left)
        self.assertIn(f"; skip fits better, with {left['skip']} left over\n", run(*command).stdout)
        row, = report("utf-8/overlong", *command[3:])["profiles"]
        self.assertEqual(row["profile"], "skip", row)

    def test_a_policy_that_no_answer_follows_is_not_said_to_be_it(self) -> None:
        """The report says `is not` and `is nearest to`; and `1 case`."""
        command = (CASE, "--", sys.executable, "-c", RENAMED, ASSAY)
        self.assertRegex(run(*command, "skip").stdout, r"(?m)^utf-8 skip +is not skip: 0 of 1 answer, 1 left over; whatwg fits better")
        said = run(*command, "per-byte").stdout
        self.assertRegex(said, r"(?m)^utf-8 per-byte +is per-byte: 1 of 1 answer, 0 left over$")
        self.assertRegex(said, r"(?m)^1 case: 1 passed, 0 failed, 0 skipped \(0 by wish\); 1 request answered, ")
        lenient = run("--profile", "skip", "utf-8/truncated", "utf-8/standard-examples", *command[1:], "own").stdout
        self.assertRegex(lenient, r"(?m)^utf-8 own +is nearest to skip: ")


# Takes a lead and the continuation bytes that it asks for as one character, shortest form or not; replaces all else, F8 to FF a byte each. So it
# follows per-sequence, but for the characters that it should not accept, and for these leads. It shows neither verdict nor policy.
OVERLONG = """
import sys
def decode(data):
    at, text = 0, []
    while at < len(data):
        lead = data[at]
        asked = 0 if lead < 0xC0 or lead > 0xF7 else 1 if lead < 0xE0 else 2 if lead < 0xF0 else 3
        end, value = at + 1, lead if asked == 0 else lead & 0x3F >> asked
        while end < len(data) and end <= at + asked and data[end] & 0xC0 == 0x80:
            value, end = value << 6 | data[end] & 0x3F, end + 1
        whole = end == at + 1 + asked and (lead < 0x80 or asked > 0)
        text.append(value if whole and value < 0x110000 and not 0xD800 <= value < 0xE000 else 0xFFFD)
        at = end
    return ",".join(f"{one:X}" for one in text) or "-"
for line in sys.stdin:
    number, *words = line.split()
    if number == "hello":
        print("hello assay/1 overlong encodings=utf-8 policies=own ops=decode chunks=no", flush=True)
    else:
        print(number, "ok", decode(bytes.fromhex(words[-1].replace("-", ""))), flush=True)
"""


# Validates, and misbehaves when each process is asked for the Nth time, whatever that is; late: answers after 2 seconds.
AT_THE_NTH = """
import os, signal, sys, time
way, nth = sys.argv[1], int(sys.argv[2])
for count, line in enumerate(sys.stdin):
    number, *words = line.split()
    if count == nth and way == "half":
        print(number, end=" err", flush=True)
    if count == nth and way == "late":
        time.sleep(2)
    elif count == nth and way == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif count == nth and way == "child" and os.fork():
        os._exit(3)
    elif count == nth:
        time.sleep(60)
    try:
        reply = "ok" if number != "hello" and bytes.fromhex(words[-1].replace("-", "")).decode() is not None else ""
    except UnicodeDecodeError:
        reply = "error"
    print("hello assay/1 x encodings=utf-8 ops=validate" if number == "hello" else f"{number} {reply}", flush=True)
"""


# Answers per-byte under the policy that is asked for, and offers nothing else; if that is `own`, it makes text well-formed, too.
RENAMED = """
import subprocess, sys
name = sys.argv[2] if len(sys.argv) > 2 else "whatwg"
with subprocess.Popen([sys.argv[1], "subject", "utf-8/reference"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as ours:
    for line in sys.stdin:
        ours.stdin.write(line.replace(" " + name + " ", " per-byte "))
        ours.stdin.flush()
        reply = ours.stdout.readline()
        if reply.startswith("hello"):
            reply = "hello assay/1 renamed encodings=utf-8 policies=" + name + " ops=decode" + (",to-well-formed" if name == "own" else "") + "\\n"
        print(reply, end="", flush=True)
    ours.stdin.close()
"""


class HostileTest(unittest.TestCase):
    """Whatever a subject does, one case fails, and the others are asked as usual."""

    def assert_alone(self, way: str, outcome: str) -> Dict[str, Any]:
        """Asserts that exactly the case in which it misbehaves fails, in this way."""
        result = report("--time-limit", "0.3", "utf-8/overlong", "--", *HOSTILE, way)
        self.assertEqual(failed_ids(result), {CASE}, way)
        self.assertEqual({failure["outcome"] for failure in result["failures"]}, {outcome}, way)
        self.assertEqual(result["requests"]["not_asked"], 0)
        self.assertEqual(result["cases"]["passed"], result["cases"]["passed"] + result["cases"]["failed"] - 1)
        return result

    def test_one_that_is_silent_or_slow(self) -> None:
        """A time limit ends it; it may write anything to standard error."""
        for way in ("silent", "slow", "errors", "deaf", "stopped"):
            self.assert_alone(way, "timeout")
        self.assertEqual(report("utf-8/overlong", "--", *HOSTILE, "loud")["failures"], [])

    def test_one_that_leaves_a_child(self) -> None:
        """Which keeps the pipes open, so that no end of output is seen: it ends with the run."""
        self.assert_alone("child", "timeout")
        self.assertEqual(processes_of("hostile.py\0child\0"), [])

    def test_one_that_dies(self) -> None:
        """It is started again, and the report says how it ended."""
        self.assertIn("signal 6", self.assert_alone("abort", "crashed")["failures"][0]["got"])
        self.assertIn("exit code 3", self.assert_alone("exit", "crashed")["failures"][0]["got"])
        self.assertIn("closed its output, but did not end", self.assert_alone("closed", "crashed")["failures"][0]["got"])
        self.assertIn("exit code 0", self.assert_alone("half", "crashed")["failures"][0]["got"])

    def test_one_that_floods(self) -> None:
        """Memory and time are limited."""
        self.assert_alone("flood", "reply too long")
        self.assert_alone("lines", "reply out of step")

    def test_one_out_of_step(self) -> None:
        """A wrong ID, no ID, the same ID twice."""
        for way in ("step", "empty", "twice", "ahead", "page"):
            self.assert_alone(way, "reply out of step")

    def test_one_with_malformed_replies(self) -> None:
        """What it printed is shown escaped, in every report."""
        self.assertEqual(self.assert_alone("bytes", "malformed reply")["failures"][0]["got"], "\\xFF\\xFE\\x1B[31m")
        self.assert_alone("form", "malformed reply")
        self.assert_alone("nul", "malformed reply")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.xml"
            done = run("--junit", str(path), CASE, "--", *HOSTILE, "bytes")
            self.assertTrue(done.stdout.isascii() and "\x1B" not in done.stdout, done.stdout)
            self.assertIn("\\xFF", str(xml.parse(path).getroot().find("testsuite/testcase/failure").text))  # type: ignore[union-attr]

    def test_one_that_is_wrong_is_just_wrong(self) -> None:
        """An answer that can be compared is an ordinary failure."""
        self.assertEqual(self.assert_alone("whole", "answered")["failures"][0]["difference"], "accepted")

    def test_an_unusable_subject_is_no_failure(self) -> None:
        """Exit code 2, with the reason."""
        for way, words in (("version", "does not speak assay/1"), ("mute", "does not answer"), ("noise", "Welcome!")):
            done = run("--start-limit", "2", CASE, "--", *HOSTILE, way)
            self.assertEqual((done.returncode, done.stdout), (2, ""), way)
            self.assertIn(words, done.stderr)
        for command in (("/no/such/program",), ("false",), ("sh", "-c", "echo broken >&2; exit 1")):
            done = run(CASE, "--", *command)
            self.assertEqual((done.returncode, done.stdout), (2, ""), command)
        self.assertIn("broken", done.stderr)

    def test_it_is_not_started_for_ever(self) -> None:
        """A subject that always dies is asked nothing more of a category, which is a failure."""
        script = "import sys\nfor line in sys.stdin:\n    if line[0] != 'h': sys.exit(1)\n    print('hello assay/1 x', flush=True)"
        done = run("utf-8/overlong", "--", sys.executable, "-c", script)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"\nafter 5 restarts in succession without an answer it was asked nothing more of a category, 1 time "
                         r"\(--restarts N: only after N in all\)\n\d{3,} requests were not asked\n")
        self.assertNotIn("given up", done.stdout)

    def test_other_categories_are_asked_after_one_that_kills_it(self) -> None:
        """This one dies of each surrogate. --restarts lets it die in succession, and is the limit in all."""
        script = ("import sys\nfor line in sys.stdin:\n    number, *words = line.split()\n    if number == 'hello':\n"
                  "        print('hello assay/1 x encodings=utf-8 ops=validate', flush=True)\n        continue\n"
                  "    try:\n        bytes.fromhex(words[-1].replace('-', '')).decode()\n        print(number, 'ok', flush=True)\n"
                  "    except UnicodeDecodeError as error:\n        if error.object[error.start] == 0xED: sys.exit(1)\n        print(number, 'error', flush=True)")
        command = ("utf-8/surrogate", "utf-8/truncated/c*", "utf-8/well-formed/4*", "--", sys.executable, "-S", "-c", script)
        result = report(*command)
        self.assertGreater(result["requests"]["not_asked"], 90)
        self.assertEqual([result["categories"][name]["skipped"] for name in ("utf-8/truncated", "utf-8/well-formed")], [0, 0])
        self.assertEqual(result["categories"]["utf-8/surrogate"]["failed"], 4)
        said = run("--restarts", "7", *command).stdout
        self.assertIn("given up after 7 restarts (--restarts N allows more)\n", said)
        self.assertNotIn("in succession", said)

    def test_trouble_that_no_case_shows_is_in_every_report(self) -> None:
        """Each answer is right, but the subject hangs once and then starts no more: no case fails, and no report may look like that of a clean run."""
        script = "import os, sys\nos.path.exists(sys.argv[3]) and sys.exit(1)\nopen(sys.argv[3], 'w')\n" + AT_THE_NTH
        with tempfile.TemporaryDirectory() as folder:
            badge, junit, page = (Path(folder, name) for name in ("badge.svg", "junit.xml", "page.html"))
            done = run("--restarts", "2", "--time-limit", "1", "--badge", str(badge), "--junit", str(junit), "--html", str(page), "utf-8/overlong", "--",
                       sys.executable, "-c", script, "silent", "6", str(Path(folder, "started")))
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("started again 3 times; the last time: no reply in 1 s", done.stdout)
            self.assertIn("given up", badge.read_text())
            self.assertIn("given up after 2 restarts", page.read_text())
            suites = xml.parse(junit).getroot()
            self.assertEqual([case.get("classname") for case in suites.iter("testcase") if case.find("failure") is not None], ["process"])
            self.assertEqual((suites.get("failures"), suites.findtext(".//failure", "").count("given up")), ("1", 1))

    def test_a_hang_that_does_not_depend_on_the_request(self) -> None:
        """286 requests are under way. Of a hang at the 100th, the other 187 are asked one by one, and the 100th of these fails; of one at the 200th, the other
        87 are answered: then no case fails, but the run does."""
        overlong = ("--time-limit", "0.5", "utf-8/overlong", "--", sys.executable, "-S", "-c", AT_THE_NTH)
        for way, words in (("silent", ""), ("half", "; its reply ended in the middle of the line: "), ("stopped", "; it is stopped by signal "),
                           ("child", "; it has ended (exit code 3), but a process that it started holds its output open")):
            with self.subTest(way):
                result = report(*overlong, way, "100")
                self.assertEqual([failure["outcome"] for failure in result["failures"]], ["timeout"])
                self.assertIn(f"no reply in 0.5 s, nor in as long again{words}", result["failures"][0]["got"])
                self.assertEqual((result["unexplained"], result["requests"]["not_asked"]), (0, 0))
        result = report(*overlong, "half", "200")
        self.assertEqual((result["failures"], result["unexplained"], result["is_troubled"]), ([], 1, True))
        done = run(*overlong, "silent", "200")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("\nit died or hung 1 time with many requests under way, and no request brings that about alone: ", done.stdout)
        self.assertRegex(done.stdout, r"\n286 cases: 286 passed, 0 failed, .*; died or hung 1 time in no case\n$")

    def test_a_late_reply_is_counted(self) -> None:
        """The machine may have been busy, so the exit code stays 0; the last line and JSON say it. A plain program has as long again, too."""
        late = ("--time-limit", "1.5", "utf-8/overlong/c0*")
        process = ("--", sys.executable, "-S", "-c", AT_THE_NTH, "late", "7")
        plain = ("--plain", "--no-output", "--", "sh", "-c", '[ "$(od -An -tx1 | tr -d " ")" = c080 ] && sleep 2; exit 1')
        for form in (process, plain):
            result = report(*late, *form)
            self.assertEqual((result["failures"], result["restarts"], result["unexplained"], result["requests"]["late"]), ([], 0, 0, 1))
        done = run(*late, *process)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("\n1 reply came after the time limit, but within as long again, perhaps because the machine was busy: ", done.stdout)
        self.assertRegex(done.stdout, r" cases: .*; 1 late\n$")

    def test_restarts_are_as_many_as_asked_for(self) -> None:
        """With --restarts, more consecutive cases may kill the subject: each fails, and none is left out."""
        script = ("import sys\nfor line in sys.stdin:\n    if line[0] != 'h': sys.exit(1)\n"
                  "    print('hello assay/1 x encodings=utf-8 ops=validate', flush=True)")
        command = ("utf-8/overlong/c08*", "--", sys.executable, "-S", "-c", script)
        counts = report("--restarts", "40", *command)["requests"]
        self.assertEqual((counts["troubled"] > 6, counts["not_asked"]), (True, 0), counts)
        counts = report("--restarts", "3", *command)["requests"]
        self.assertEqual((counts["troubled"], counts["not_asked"] > 2), (3, True), counts)

    def test_the_end_of_a_traceback_is_shown_line_by_line(self) -> None:
        """If standard error is long, its last complete lines are shown: the reason is in the last one."""
        script = ("import sys\nprint('hello assay/1 x encodings=utf-8 ops=validate chunks=no', flush=True)\nsys.stdin.readline(); sys.stdin.readline()\n"
                  "def deep(n):\n    print(f'frame {n} ' + 'x' * 80, file=sys.stderr)\n    return deep(n - 1) if n else 1 / 0\ndeep(30)")
        said = run(CASE, "--", sys.executable, "-S", "-c", script).stdout
        lines = said.split("; on standard error: ...\n", 1)[1].split("    standard ")[0].splitlines()
        self.assertEqual(lines[-1], " " * 15 + "ZeroDivisionError: division by zero", said)
        self.assertTrue(all(line.startswith(" " * 15) for line in lines), said)
        self.assertRegex(lines[0], r"^ {15}frame \d+ x{80}$")
        said = run("--plain", CASE, "--", "sh", "-c", "echo one >&2; echo two >&2; exit 7").stdout
        self.assertIn(f"crashed: exit code 7; on standard error:\n{' ' * 15}one\n{' ' * 15}two\n    standard ", said)


class HelloTest(unittest.TestCase):
    """The words of the greeting."""

    def test_names_the_words_that_the_protocol_does_not_have(self) -> None:
        """Unknown words are named once, however often the subject is restarted: a misspelt word would silently leave out questions."""
        subject = ("import sys\nsys.stdin.readline()\n"
                   "print('hello assay/1 mine 1 encodings=utf-8,UTF-8,utf-8-sig ops=validate,decod policies=WHATWG,strict', flush=True)\n"
                   "sys.stdin.readline()\n")  # and ends at the first request
        done = run("utf-8/overlong", "--", sys.executable, "-c", subject)
        for what, word in (("encoding", "UTF-8"), ("operation", "decod"), ("policy", "WHATWG")):
            self.assertEqual(done.stderr.count(f"offers the {what} '{word}', which assay/1 does not have"), 1, done.stderr)
        for word in ("strict", "validate", "utf-8", "utf-8-sig"):
            self.assertNotIn(f"'{word}'", done.stderr)


    def test_the_subject_of_the_readme_passes(self) -> None:
        """With CPython's decoder, on all that it offers; README.md, the protocol and the help say how many lines it has."""
        code = re.findall(r"(?ms)^```python\n(.*?)^```$", (ROOT / "harnesses" / "subjects" / "README.md").read_text("utf-8"))[0]
        count = len(code.splitlines())
        self.assertIn(f"[{count} lines of Python]", (ROOT / "README.md").read_text("utf-8"))
        for text in ((VECTORS / "PROTOCOL.md").read_text("utf-8"), run("--help").stdout):
            self.assertIn(f" {count} lines of Python around a decoder", " ".join(text.split()))
        result = report("utf-8/*", "--", sys.executable, "-c", code)
        self.assertEqual((result["failures"], result["requests"]["skipped"]), ([], 0))
        self.assertGreater(result["requests"]["answered"], 10000)

    def test_a_program_that_does_not_start(self) -> None:
        """Of a file that exists, what is wrong with it, as a subject and as a plain program; a name without a slash is looked up in PATH."""
        files = {"my_script": ("#!/no/such/python3 -S\n", 0o755, "its first line names the interpreter /no/such/python3, which does not exist"),
                 "returns": ("#!/bin/sh\r\n", 0o755, "its first line names the interpreter /bin/sh\\x0D, which does not exist"),
                 "lines": ("exit 1\n", 0o755, "it is no program of this machine, and has no #! line; if it is a script, name its interpreter, too, as in: -- python3 FILE"),
                 "closed": ("#!/bin/sh\n", 0o644, "it may not be executed; chmod +x allows it, or, of a script, name its interpreter, too, as in: -- python3 FILE"),
                 "folder": (None, 0o755, "it is a folder, no program"), "none": (None, 0, "No such file or directory")}
        with tempfile.TemporaryDirectory() as folder:
            for name, (text, mode, words) in files.items():
                path = Path(folder) / name
                if text is None and mode:
                    path.mkdir()
                elif text is not None:
                    path.write_text(text, "ascii")
                    path.chmod(mode)
                for form in (("--plain",), ()):
                    done = run(*form, CASE, "--", str(path))
                    self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"assay run: cannot start {path}: {words}\n"))
            for found, words in ((folder, files["my_script"][2]), ("/usr/bin", "it is in no folder of PATH; the file in this folder is ./my_script")):
                done = subprocess.run([ASSAY, "run", "--plain", CASE, "--", "my_script"], capture_output=True, text=True, check=False, cwd=folder,
                                      env={**os.environ, "PATH": found})
                self.assertEqual((done.returncode, done.stderr), (2, f"assay run: cannot start my_script: {words}\n"))

    def test_an_option_after_the_command_is_noted(self) -> None:
        """It is given to the program, which may have it; its name is one of run's, with or without a value after `=`."""
        for words in (("--every", "10"), ("--every=10",)):
            done = run("--plain", "--no-output", CASE, "--", "sh", "-c", "exit 1", "sh", *words)
            self.assertEqual((done.returncode, done.stderr), (0, "assay run: note: --every is given to sh; before -- it is an option of assay run\n"))
        for words in (("--ever", "10"), ("-e", "utf-8"), ("every",)):
            self.assertEqual(run("--plain", "--no-output", "--every", "1", CASE, "--", "sh", "-c", "exit 1", "sh", *words).stderr, "")

    def test_names_the_option_for_a_program_that_is_no_subject(self) -> None:
        """One that says nothing; what one says on standard error is the reason by itself."""
        self.assertTrue(run("--", "true").stderr.endswith("it said nothing); a program that reads bytes and writes text is tested with --plain\n"))
        self.assertTrue(run("--", "sh", "-c", "echo why >&2").stderr.endswith("it said nothing); on standard error: why\n"))


class HintsTest(unittest.TestCase):
    """What the report says about what was not looked at."""

    def hints(self, hello: str, reply: str) -> List[str]:
        """The hints about a subject that greets so, says `ok` to validate, `ok 58` to whole texts, and gives one reply to all else."""
        script = ("import sys\nfor line in sys.stdin:\n    number, word, *_, last = line.split() + ['-']*(line[0] == 'h')\n"
                  "    is_whole = word == 'decode' and ',' not in last\n"
                  f"    print('hello assay/1 x {hello}' if number == 'hello' else number + ' ' + ('ok' if word == 'validate' else 'ok 58' if is_whole else {reply!r}), flush=True)\n")
        said = run("utf-8/streaming/c2_80", "utf-8/standard-examples", "--", sys.executable, "-S", "-c", script).stdout
        return [line for line in said.splitlines() if line.startswith("hint: ")]

    def test_texts_in_pieces(self) -> None:
        """That none was asked, or answered; or that they fail, where the greeting does not say that it takes them."""
        offer = "encodings=utf-8 ops=validate,decode policies=strict"
        for hello in (f"{offer} chunks=no", offer):
            hint, = self.hints(hello, "skip no")
            self.assertRegex(hint, r"^hint: it was not asked about texts in pieces \([1-9]\d* requests\); ")
        hint, = self.hints(offer, "ok 58")
        self.assertRegex(hint, r"^hint: [1-9]\d* requests about texts in pieces failed, and its reply to hello has no key chunks; ")
        self.assertEqual(self.hints(f"{offer} chunks=yes", "ok 58"), [])

    def test_texts_in_pieces_of_a_codec(self) -> None:
        """One that decodes, but does not feed: its user writes no reply to hello. One that decodes nothing gets no hint."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "validating.c"
            source.write_text('#include "codec.h"\nstatic bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)\n'
                              "{\n    (void)bytes, (void)count, (void)error;\n    return true;\n}\n"
                              'const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "validating"), .validate = validate};\n', "ascii")
            for path, hints in ((HERE / "lenient.c", [" requests): the codec has no feed_utf32"]), (source, [])):
                library = f"{folder}/{path.stem}.so"
                subprocess.run(["cc", "-I", str(ROOT / "codecs"), "-shared", "-fPIC", str(path), "-o", library], check=True)
                said = run("--shrink", "0", "utf-8/streaming/c2_80", "utf-8/overlong", "--codec", library).stdout
                self.assertEqual(re.findall(r"(?m)^hint: it was not asked about texts in pieces \([1-9]\d*(.*)$", said), hints)
                self.assertNotIn("hello", said)

    def test_a_plain_program_that_writes_nothing_or_refuses_all(self) -> None:
        """It is asked with the wrong options, or it is no plain program: the hint says which. One that does so in some cases only gets no hint."""
        globs = ("utf-8/standard-examples", "utf-8/well-formed/4*", "utf-8/overlong/c0*")
        for command, hints in ((("sh", "-c", "iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1"), ["it wrote nothing, not even for the "]),
                               (("false",), ["it refuses every text, all "]), (("iconv", "-f", "UTF-8", "-t", "UTF-8"), [])):
            said = run("--plain", "--shrink", "0", *globs, "--", *command).stdout
            found = re.findall(r"(?m)^hint: ([^\d]*)(\d+) well-formed", said)
            self.assertEqual([words for words, _ in found], hints, said)
            self.assertEqual("--no-output compares the verdict alone" in said, "wrote" in "".join(hints))
            self.assertEqual(len(re.findall("(?m)^hint: ", said)), len(hints))
        self.assertNotIn("hint: ", run("--plain", "--no-output", *globs, "--", "sh", "-c", "iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1").stdout)
        self.assertNotIn("hint: ", run("--plain", "utf-8/overlong", "--", "false").stdout)

    def test_a_verdict(self) -> None:
        """That there was none; where --no-verdict asks for that, nothing is said."""
        hint, = self.hints("encodings=utf-8 ops=decode policies=whatwg chunks=yes", "ok 58")
        self.assertRegex(hint, r"^hint: it gave no verdict \([1-9]\d* requests\): ")
        self.assertNotIn("hint: ", run("--plain", "--no-verdict", CASE, "--", "cat").stdout)
        self.assertRegex(run("--plain", "utf-8/overlong", "utf-8/positions/5750527a", "--", "cat").stdout, r"(?m)^hint: it exits with 0 for all ill-formed texts \([1-9]\d*\); ")
        refuses_one = ("sh", "-c", '[ "$(od -An -tx1 | tr -d " ")" != c080 ]')
        self.assertNotIn("hint: ", run("--plain", "--no-output", "utf-8/overlong", "--", *refuses_one).stdout)
        self.assertNotIn("hint: ", run(CASE, "--", ASSAY, "subject", "utf-8/reference").stdout)


class ListsTest(unittest.TestCase):
    """--skip, --baseline, --write-baseline."""

    def setUp(self) -> None:
        """Creates a folder for lists."""
        self.folder = tempfile.TemporaryDirectory()
        self.list = Path(self.folder.name) / "list"
        self.addCleanup(self.folder.cleanup)

    def test_a_baseline_fails_on_what_is_new_and_on_what_passes(self) -> None:
        """A written baseline is accepted; a new failure, or a listed one that passes, fails the run."""
        command = ("utf-8/overlong", "--", CANARY, "subject", "utf-8/canary")
        self.assertEqual(run("--write-baseline", str(self.list), *command).returncode, 1)
        lines = self.list.read_text("ascii").splitlines()
        self.assertIn("utf-8/overlong/c080 validate -", lines)
        self.assertEqual(run("--baseline", str(self.list), *command).returncode, 0)
        self.list.write_text("\n".join(lines[:-1]), "ascii")
        done = run("--baseline", str(self.list), *command)
        self.assertEqual((done.returncode, f"new failure: {lines[-1]}\n" in done.stdout), (1, True))
        self.assertEqual(report("--baseline", str(self.list), *command)["baseline"], {"known": len(lines) - 2, "new_failures": 1, "unexpected_passes": 0})
        self.list.write_text("\n".join([*lines, "utf-8/overlong/c180 validate -"]), "ascii")
        done = run("--baseline", str(self.list), *command)
        self.assertEqual(done.returncode, 1)
        self.assertIn("passes, and the baseline says that it fails: utf-8/overlong/c180 validate -", done.stdout)

    def test_a_skip_needs_a_reason_and_is_counted(self) -> None:
        """Listed cases are not asked; each needs a reason."""
        self.list.write_text(f"# known\n{CASE}  our fork does that\n", "ascii")
        result = report("--skip", str(self.list), "utf-8/overlong", "--", *HOSTILE, "abort")
        self.assertEqual((result["cases"]["skipped_by_wish"], result["failures"]), (1, []))
        for text, words in ((CASE, "no reason"), ("utf-8/nothing  because", "no case matches")):
            self.list.write_text(text, "ascii")
            for globs in ((), ("utf-8/truncated",)):
                done = run("--skip", str(self.list), *globs, "--", *HOSTILE, "abort")
                self.assertEqual(done.returncode, 2)
                self.assertIn(words, done.stderr)

    def test_a_skip_of_all_that_is_asked(self) -> None:
        """Is said, and not that the subject offers nothing."""
        self.list.write_text(f"{CASE}  our fork does that\n", "ascii")
        done = run("--skip", str(self.list), CASE, "--", ASSAY, "subject", "utf-8/reference")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("nothing was compared: --skip names each case that was chosen (1)\n", done.stderr)

    def test_a_skip_may_be_about_other_cases(self) -> None:
        """A list of a project is of use for a part of the cases, too."""
        self.list.write_text(f"{CASE}  our fork does that\n", "ascii")
        self.assertEqual(report("--skip", str(self.list), "utf-8/truncated", "--", ASSAY, "subject", "utf-8/reference")["cases"]["skipped_by_wish"], 0)

    def test_an_encoding_may_have_another_name(self) -> None:
        """In other case, or with the signature that is removed; a name that there is not is said, with the one that was meant."""
        for name, case in (("UTF-8", CASE), ("utf-8-sig", "utf-8-sig/bom")):
            self.assertEqual(run("-e", name, case, "--", ASSAY, "subject", "utf-8/reference").returncode, 0, name)
        done = run("-e", "utf8", CASE, "--", ASSAY, "subject", "utf-8/reference")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, "there is no encoding 'utf8' \\(did you mean 'utf-8'\\?\\); there are:")


class ProgressTest(unittest.TestCase):
    """What is said while the work goes on, and when it ends early."""

    def test_gives_up_on_a_program_that_always_fails(self) -> None:
        """As with a misspelt name: after 100 requests, also about well-formed text, with the reason; fewer, or only ill-formed ones, are reported,
        and so is a program that fails at first only."""
        with tempfile.TemporaryDirectory() as folder:
            fails = ("--plain", "utf-8/bit-flips", "--", "sh", "-c", f"echo >>{folder}/calls; echo 'no such file' >&2; exit 2")
            done = run(*fails)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, r"\Aassay run: sh answered none of the first 100 of 984 requests, and was not asked more: exit code 2; "
                                          r"on standard error: no such file \(exit code 0 says .*\n\Z")
            self.assertLess(len(Path(f"{folder}/calls").read_text("ascii")), 150)
            self.assertEqual(run("--no-verdict", *fails).returncode, 1)
            self.assertIn("; 612 requests answered, ", run("--plain", "utf-8/bit-flips", "--", "sh", "-c", "grep -qa '^A.B' || exit 2").stdout)
        self.assertIn("crashed: 572 requests of 286 cases\n", run("--plain", "--shrink", "0", "utf-8/overlong", "--", "sh", "-c", "exit 2").stdout)
        self.assertIn("crashed: 82 requests of 41 cases\n", run("--plain", "--shrink", "0", "--every", "8", "utf-8/well-formed", "--", "sh", "-c", "exit 2").stdout)

    @in_ordinary_build
    def test_a_line_each_minute_without_a_terminal(self) -> None:
        """For a program and for a process, with a clock by which a minute takes 0.6 seconds; a run of seconds says nothing. What there is in all includes
        the positions tier: here each start, or request, has one answer."""
        process = 'read h; echo "hello assay/1 slow encodings=utf-8 policies=strict ops=validate"; while read id rest; do sleep .01; echo $id error; done'
        chosen = ("--shrink", "0", "--time-limit", "1000", "--start-limit", "1000", "-j", "1", "--every", "4", "utf-8/overlong", "utf-8/positions/57*")
        with tempfile.TemporaryDirectory() as folder:
            clock = f"{folder}/fast_clock.so"
            subprocess.run(["cc", "-shared", "-fPIC", str(HERE / "fast_clock.c"), "-o", clock], check=True)
            for form in (("--plain", "--no-output", *chosen, "--", "sh", "-c", "sleep .01; exit 1"), (*chosen, "--", "sh", "-c", process)):
                with self.subTest(form[0]):
                    self.assertEqual(run(*form).stderr, "")
                    done = subprocess.run([ASSAY, "run", *form], capture_output=True, text=True, check=False, env={**os.environ, "LD_PRELOAD": clock})
                    what = "starts" if form[0] == "--plain" else "requests"
                    lines = re.findall(rf"(?m)^(\d+) of (\d+) {what}\n", done.stderr)
                    self.assertGreater(len(lines), 0, done)
                    self.assertEqual("".join(f"{number} of {count} {what}\n" for number, count in lines), done.stderr)
                    self.assertEqual({count for _, count in lines}, set(re.findall(r"; (\d+) requests answered, ", done.stdout)))
                    self.assertRegex(done.stdout, r"\npositions tier: [1-9]")
                    self.assertEqual(sorted({int(number) for number, _ in lines}), [int(number) for number, _ in lines])


    @in_ordinary_build
    def test_a_slow_program_is_noticed_early(self) -> None:
        """After its first hundred starts, with what takes less; by the same clock. Nothing is said of a program that is fast."""
        form = ("--plain", "--no-output", "--shrink", "0", "--time-limit", "1000", "-j", "1", "utf-8/overlong", "--", "sh", "-c", "sleep .01; exit 1")
        with tempfile.TemporaryDirectory() as folder:
            clock = f"{folder}/fast_clock.so"
            subprocess.run(["cc", "-shared", "-fPIC", str(HERE / "fast_clock.c"), "-o", clock], check=True)
            done = subprocess.run([ASSAY, "run", *form], capture_output=True, text=True, check=False, env={**os.environ, "LD_PRELOAD": clock})
        said = [line for line in done.stderr.splitlines() if not line.endswith(" starts")]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertRegex(said[0], r"^assay run: [\d.]+ starts a second, and one for each of 286 inputs: about \d+ seconds in all; --every \d+ asks a tenth of them, ")
        self.assertEqual(run(*form).stderr, "")


class FormsTest(unittest.TestCase):
    """The same decoder as a process, as a plain program, and as a loadable codec."""

    def lenient(self, folder: str, name: str, *flags: str) -> str:
        """Compiles the decoder."""
        path = f"{folder}/{name}"
        subprocess.run(["cc", "-O1", "-I", str(ROOT / "codecs"), *flags, str(HERE / "lenient.c"), "-o", path], check=True)
        return path

    def test_all_forms_give_the_same_result(self) -> None:
        """As far as each form can state it: a plain program reports no offset."""
        with tempfile.TemporaryDirectory() as folder:
            globs = ("utf-8/overlong", "utf-8/standard-examples", "utf-8/resynchronisation", "utf-8/old-scheme", "utf-8/swallowing")
            forms: Tuple[List[str], ...] = (["--", self.lenient(folder, "process", "-DPROCESS")],
                                            ["--codec", self.lenient(folder, "library.so", "-shared", "-fPIC")],
                                            ["--plain", "--", self.lenient(folder, "plain", "-DPLAIN")])
            found = [{(failure["id"], failure["request"], failure["difference"]) for failure in report(*globs, *form)["failures"]}
                     for form in forms]
        self.assertEqual(found[0], found[1])
        self.assertEqual({failure for failure in found[0] if failure[2] != "offset"}, found[2])
        self.assertIn((CASE, "validate", "accepted"), found[2])
        self.assertIn("offset", {failure[2] for failure in found[0]})

    def test_a_codec_that_reaches_past_the_end(self) -> None:
        """Of its input, or of the room for its output: it crashes there, so the case fails."""
        with tempfile.TemporaryDirectory() as folder:
            for operation, glob in (("validate", CASE), ("decode_utf32", CASE), ("feed_utf32", "utf-8/streaming/c2_80"), ("encode_utf32", "utf-8/encode/80")):
                library = loadable(Path(folder), "reaching", operation, OPERATION=operation)
                result = report("--shrink", "0", glob, "--codec", library)
                self.assertEqual({failure["outcome"] for failure in result["failures"]}, {"crashed"}, operation)
                self.assertEqual(result["requests"]["answered"], 0, operation)

    def test_a_plain_program_that_hangs_or_dies(self) -> None:
        """Only its case fails."""
        for last, outcome in (("exec sleep 60", "timeout"), ("kill -9 $$", "crashed"), ("exit 7", "crashed"), ("exec yes", "reply too long")):
            script = f'[ "$(od -An -tx1 | tr -d " ")" = c080 ] && {last}; exit 0'
            result = report("--plain", "--no-output", "--time-limit", "0.5", CASE, "utf-8/invalid-lead", "--", "sh", "-c", script)
            self.assertEqual({failure["outcome"] for failure in result["failures"] if failure["id"] == CASE}, {outcome}, last)
            self.assertEqual({failure["outcome"] for failure in result["failures"] if failure["id"] != CASE}, {"answered"}, last)

    def test_output_of_a_plain_program_that_is_not_utf_8(self) -> None:
        """The outcome says so, and the output is shown escaped."""
        failure = report("--plain", "--no-verdict", CASE, "--", "cat")["failures"][0]
        self.assertEqual((failure["outcome"], failure["got"]), ("output is not UTF-8", "\\xC0\\x80"))
        self.assertIn("\n1 output is not UTF-8, which is right under no policy\n", run("--plain", "--no-verdict", CASE, "--", "cat").stdout)

    def test_what_a_plain_program_does_not_state_is_not_compared(self) -> None:
        """iconv -c passes without a verdict: its policy is `skip`."""
        result = report("--plain", "--no-verdict", "utf-8/museum", "--", "iconv", "-c", "-f", "UTF-8", "-t", "UTF-8")
        self.assertEqual([row["profile"] for row in result["profiles"]], ["skip"])


if __name__ == "__main__":
    unittest.main()
