# SPDX-License-Identifier: MIT
"""`assay check`: right codecs pass, every changed expectation is noticed, and files that violate the format are refused."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Set, Tuple

from .driver import ASSAY, CANARY, ROOT, in_ordinary_build, loadable
from .test_cli import printed_on_terminal

VECTORS = ROOT / "vectors"

File = Dict[str, Any]
Leaf = Tuple[Any, ...]  # the path of a value: keys and indexes

# One case of each kind, and a second if one does not show everything.
SAMPLES = ("utf-8/overlong/c080", "utf-8/truncated/e0a0", "utf-8/streaming/c2_80", "utf-8/museum-streaming/bpo-24214-ed_a4_80",
           "utf-8/reuse/ff-then-80808041", "utf-8/limited-output/41ff42", "utf-8/encode/41-d800-42",
           "utf-8/encode-utf16/0042-d800-0043", "utf-8-sig/bom/_efbbbf41", "utf-16le-sig/bom/ff_fe4100", "wtf-8/surrogate/eda0bdeda0bdedb880",
           "cesu-8/streaming/eda0bd_eda0bd", "utf-16le/limited-output/41003dd84200", "mutf-8/encode/d83d-dca9",
           "wtf-8/boundaries/eda0bdedb2a9", "wtf-8/concat/eda0bd_edb2a9", "cesu-8/concat/41_eda0bd",
           "wtf-8/convert/to-utf-8-41eda0bd42", "wtf-8/convert/to-utf-16le-eda0bd", "cesu-8/convert/to-wtf-8-eda0bd")


def check(*arguments: str, program: str = ASSAY) -> subprocess.CompletedProcess[str]:
    """Runs the command."""
    return subprocess.run([program, "check", *arguments], capture_output=True, text=True, check=False)


def load(category: str) -> File:
    """Loads a file of the vectors."""
    file: File = json.loads((VECTORS / f"{category}.json").read_text("ascii"))
    return file


def only(id_: str) -> File:
    """The file of a case, with only this case in it."""
    file = load(id_.rsplit("/", 1)[0])
    file["tests"] = [case for case in file["tests"] if case["id"] == id_]
    assert file["tests"], id_
    file["count"] = 1
    return file


def leaves(value: Any, way: Leaf = ()) -> Iterator[Leaf]:
    """The paths of all values that contain no others."""
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*way, key))
    else:
        yield way


def changed(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value is None:
        return 0
    other = {"-": "41", "ok": "full", "full": "ok", "error": "ok", "overlong": "surrogate"}
    if value in other or value.islower():
        return other.get(value, "overlong")
    return value[:-1] + ("1" if value[-1] == "0" else "0")


def with_change(file: File, way: Leaf, change: Callable[[Any], Any]) -> File:
    """A copy of a file in which one value differs."""
    copied = copy.deepcopy(file)
    holder = copied
    for key in way[:-1]:
        holder = holder[key]
    holder[way[-1]] = change(holder[way[-1]])
    return copied


def expectations(file: File) -> List[Leaf]:
    """The paths of what the only case of a file expects, as far as answers show it. More room than stated may give the same answer, and an
    encoder reports only the error at which it stops.
    """
    found: List[Leaf] = []
    for way in leaves(file["tests"][0]):
        given = way[0] in ("id", "comment", "flags", "bytes", "units", "input", "left", "right") or "pieces" in way or way[-1] == "capacity"
        if not given and not (way[0] == "errors" and way[1] > 0):
            found.append(("tests", 0, *way))
    return found


class Folder:
    """A folder of vectors made by the test."""

    def __init__(self) -> None:
        """Creates an empty folder."""
        self.temporary = tempfile.TemporaryDirectory()
        self.path = Path(self.temporary.name)

    def __enter__(self) -> Folder:
        """For `with`."""
        return self

    def __exit__(self, *ignored: object) -> None:
        """Removes the folder."""
        self.temporary.cleanup()

    def write(self, category: str, text: str) -> None:
        """Writes a file into it."""
        path = self.path / f"{category}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def check(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs the command on it."""
        return check("--vectors", str(self.path), *arguments)


def failed_cases(folder: Folder, file: File, cases: Dict[str, Any]) -> Set[str]:
    """The ids of the cases that fail or are refused. Refused cases are removed, and the others are run again."""
    refused: Set[str] = set()
    while True:
        tests = [{**case, "id": id_} for id_, case in cases.items() if id_ not in refused]
        folder.write(f"{file['encoding']}/{file['category']}", json.dumps({**file, "tests": tests, "count": len(tests)}))
        done = folder.check("--json")
        if done.returncode != 2:
            return refused | {failure["id"] for failure in json.loads(done.stdout)["failures"]}
        match = re.search("case ([^ ,:]+)", done.stderr)
        assert match and match[1] not in refused, done.stderr
        refused.add(match[1])


class VerdictTest(unittest.TestCase):
    """Exit codes 0 and 1."""

    def test_every_codec_is_asked_every_case(self) -> None:
        """No case is skipped silently. (That the whole set passes is a test of its own, of each build.)"""
        categories = ("utf-8/t*", "utf-8/concat", "wtf-8/s*", "utf-16le/l*")
        done = check("--json", *categories)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        files = [json.loads(path.read_text("ascii")) for category in categories for path in VECTORS.glob(f"{category}.json")]
        self.assertEqual(report["cases"], sum(file["count"] for file in files))
        self.assertEqual((report["failed"], report["failures"]), (0, []))
        self.assertTrue(all(category["compared"] > category["cases"] for category in report["categories"]))

    def test_the_canary_is_caught_and_named(self) -> None:
        """A decoder that accepts C0 80 fails, and no other."""
        done = check("--json", "utf-8/o*", "mutf-8/overlong", program=CANARY)
        self.assertEqual(done.returncode, 1, done.stderr)
        failures = json.loads(done.stdout)["failures"]
        self.assertEqual({failure["codec"] for failure in failures}, {"canary"})
        self.assertIn("utf-8/overlong/c080", {failure["id"] for failure in failures})
        text = check("utf-8/overlong", program=CANARY).stdout
        self.assertIn("utf-8/canary differs", text)
        self.assertRegex(text, r"again         \S*assay-canary check -c canary utf-8/overlong/c080")

    def test_to_well_formed_is_checked(self) -> None:
        """Codecs whose to_well_formed leaves errors, replaces too much, or replaces each byte, fail; everything else in them is right."""
        for law in ("WELL_FORMED", "LEFT_ALONE", "SAME_TEXT"):
            library = Path(ASSAY).parent / f"liblawbreaker_{law}.so"
            if not library.exists():
                self.skipTest(f"there is no {library.name}")
            done = check("--json", "--codec", str(library), "-c", "lawbreaker", "utf-8/surrogate", "utf-8/well-formed", "utf-8-sig/bom")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual({failure["operation"] for failure in json.loads(done.stdout)["failures"]}, {"to-well-formed"})

    @in_ordinary_build
    def test_notices_every_changed_expectation(self) -> None:
        """Whichever value of a case is changed, the codecs no longer pass it, or it is refused."""
        for id_ in SAMPLES:
            file = only(id_)
            changes = {f"{id_}-{number}": with_change(file, way, changed)["tests"][0]
                       for number, way in enumerate(expectations(file))}
            with Folder() as folder:
                folder.write(id_.rsplit("/", 1)[0], json.dumps(file))
                self.assertEqual(folder.check().returncode, 0, id_)
                self.assertEqual(failed_cases(folder, file, changes), set(changes), id_)

    def test_notices_output_that_comes_a_piece_later(self) -> None:
        """The same output one piece later counts as a failure."""
        file = only("utf-8/streaming/c2_80")
        groups = file["tests"][0]["emitted"]["whatwg"]
        groups[1], groups[2] = groups[2], groups[1]
        with Folder() as folder:
            folder.write("utf-8/streaming", json.dumps(file))
            done = folder.check()
        self.assertEqual(done.returncode, 1)
        self.assertIn("timing differs", done.stdout)

    def test_a_letter_comes_back_with_its_own_command(self) -> None:
        """The last line of a letter is a command that shows it again."""
        done = check("utf-8/overlong", program=CANARY)
        line = next(line for line in done.stdout.splitlines() if line.startswith("  again "))
        again = check(*line.split()[3:], program=CANARY)
        self.assertEqual(again.returncode, 1)
        self.assertIn("1 case on 1 codec:", again.stdout)


    def test_a_letter_has_a_command_for_the_input(self) -> None:
        """`diff` with the whole input, which asks all codecs: with options if the input alone does not show the failure. As JSON, too."""
        for operation, fault, globs, begins in (
                ("validate", "accepts_c1_at_100", ("utf-8/positions",), r"'[0-9A-F* ]+ C1"),
                ("validate", "accepts_by_address", ("utf-8/overlong",), r"--operation validate --shifts \d+,\d+ [0-9A-F]+$"),
                ("spans", "counts_to_capacity", ("utf-8/limited-output", "utf-8/overlong"), r"(--operation spans --capacity \d+ )?[0-9A-F]+$"),
                ("feed_utf32", "feeds_in_16_bits", ("utf-8/positions/4ba9e44e",), r"--operation feed-utf32 --policy \S+ .*'65536\*20 FD8080808080202020'$"),
                ("concat", "concatenates_and_writes", ("utf-8/concat",), r"[0-9A-F]+$"),
                ("decode_utf16", "never_answers", ("utf-8/surrogate", "utf-8/convert"), r"([0-9A-F]+|'')$")):
            with self.subTest(fault), tempfile.TemporaryDirectory() as folder:
                library = loadable(Path(folder), "faulty_part", method="swar", OFFERED=f".{operation}={fault}")
                done = check("--json", "--codec", library, "-c", "planted", *globs)
                self.assertEqual(done.returncode, 1, done.stderr)
                for failure in json.loads(done.stdout)["failures"][:5]:
                    self.assertIn(f"\n  diff          {failure['diff']}\n", failure["letter"])
                    self.assertTrue(failure["diff"].endswith((f" {failure['input']}", f" '{failure['input']}'")), failure)
                    self.assertRegex(failure["diff"].split(f" diff --codec {library} ", 1)[1], f"^{begins}")
                    again = subprocess.run(failure["diff"], shell=True, capture_output=True, text=True, check=False)
                    self.assertEqual(again.returncode, 1, (failure["letter"], again.stdout, again.stderr))

    def test_a_failed_conversion_has_its_input(self) -> None:
        """As JSON, without a command: `diff` asks about conversions by laws."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "damaging", OPERATION="decode_utf16", DAMAGE=";result.written--")  # whether it is an exclamation mark or not
            done = check("--json", "--codec", library, "-c", "broken", "utf-8/convert/to-utf-16le-4ed4a1e89aa7f2b6a9be")
            self.assertEqual(done.returncode, 1, done.stderr)
            failure = json.loads(done.stdout)["failures"][0]
        self.assertEqual((failure["operation"], failure["input"], failure["diff"]), ("convert", "4ED4A1E89AA7F2B6A9BE", None))
        self.assertNotIn("  diff  ", failure["letter"])


class ChoiceTest(unittest.TestCase):
    """Globs, codecs, lists."""

    def test_lists_what_a_glob_chooses(self) -> None:
        """A glob, a folder, and everything."""
        for globs, files in ((["utf-8/overlong"], ["utf-8/overlong"]), (["utf-8/overlong/*"], ["utf-8/overlong"]),
                             (["*/bom/*", "utf-8/reuse"], ["utf-8/reuse", "utf-8-sig/bom", "utf-16le-sig/bom", "utf-16be-sig/bom"])):
            ids = {case["id"] for case in json.loads(check("--list", "--json", *globs).stdout)}
            self.assertEqual(ids, {case["id"] for name in files for case in load(name)["tests"]})

    def test_zero_cases_or_codecs_are_no_success(self) -> None:
        """A misspelt glob must not pass as success."""
        for arguments in (["utf-8/no-such"], ["utf-8/overlong", "utf-8/no-such"], ["-c", "no-such", "utf-8/overlong"],
                          ["--list", "no-such"], ["-c", "utf-16le/no-such", "utf-8/overlong"]):
            done = check(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn("no", done.stderr)
        done = check("-c", "canary", "utf-8/encode", program=CANARY)
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing was checked", done.stderr)


class PositionsTest(unittest.TestCase):
    """The tables of the positions tier."""

    def test_a_part_may_have_a_long_name(self) -> None:
        """A part of 300 bytes, as subject, as filler and after it: its name is cut where the case is listed."""
        count, outputs = 300, 7 * ["|".join(300 * ["41"])]
        part = ["decode", count * "41", count * "41", ",".join(count * ["1"]), ",".join(count * ["-"]), ",".join(map(str, range(1, count + 1))), *outputs]
        with Folder() as folder:
            folder.write("utf-8/overlong", json.dumps(only("utf-8/overlong/c080")))
            tables = folder.path / "complete"
            tables.mkdir()
            for name, row in (("parts", part), ("positions", ["aaaaaaaa", "decode", "0,600", "-", *3 * [count * "41"], count * "41", "2"])):
                head = (ROOT / "vectors" / "complete" / f"utf-8-{name}.tsv").read_text("ascii").splitlines()[0]
                (tables / f"utf-8-{name}.tsv").write_text("\n".join([head, "\t".join(row), ""]), "ascii")
            done = folder.check("utf-8/positions")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            listed = folder.check("--list", "utf-8/positions").stdout
            self.assertIn("utf-8/positions/aaaaaaaa", listed)
            self.assertLess(max(map(len, listed.splitlines())), 300)


class ProgressTest(unittest.TestCase):
    """Progress of a run."""

    def test_progress_names_the_current_category(self) -> None:
        """On a terminal the current category is shown, unless each category has its own line."""
        for option, said in (("--quiet", "\r\33[Kutf-8/boundaries\r\33[Kutf-8/overlong\r\33[K"), ("--all", "")):
            self.assertEqual(printed_on_terminal("check", option, "utf-8/overlong", "utf-8/boundaries"), said)
        self.assertEqual(check("--quiet", "utf-8/overlong").stderr, "")


class ReportTest(unittest.TestCase):
    """JUnit."""

    def test_junit_is_xml_and_says_the_same(self) -> None:
        """JUnit has one testcase for each case; failures contain their letters."""
        with Folder() as folder:
            path = folder.path / "report.xml"
            self.assertEqual(check("-q", "--junit", str(path), "utf-8/overlong", program=CANARY).returncode, 1)
            root = xml.parse(path).getroot()
            self.assertEqual([path.name], [other.name for other in folder.path.iterdir()])
        count = load("utf-8/overlong")["count"]
        self.assertEqual((root.get("tests"), len(root.findall("testsuite/testcase"))), (str(count), count))
        failures = root.findall("testsuite/testcase/failure")
        self.assertEqual(str(len(failures)), root.get("failures"))
        self.assertTrue(all("utf-8/canary differs" in str(failure.text) for failure in failures))

    def test_junit_escapes_what_a_comment_holds(self) -> None:
        """Comments may contain quotation marks and angle brackets."""
        comment = "<b a=\"1\" c='2'> & ]]> </b>"
        file = with_change(only("utf-8/overlong/c080"), ("tests", 0, "comment"), lambda _: comment)
        with Folder() as folder:
            folder.write("utf-8/overlong", json.dumps(with_change(file, ("tests", 0, "utf16"), changed)))
            path = folder.path / "report.xml"
            self.assertEqual(folder.check("--junit", str(path)).returncode, 1)
            failure = xml.parse(path).getroot().find("testsuite/testcase/failure")
        assert failure is not None
        self.assertEqual(failure.get("message"), comment)
        self.assertIn(comment, str(failure.text))

    def test_junit_goes_where_a_path_leads(self) -> None:
        """The report is written through links, also dangling ones, and into pipes; these stay what they are."""
        with Folder() as folder:
            link, there, fifo = folder.path / "link", folder.path / "there", folder.path / "fifo"
            link.symlink_to("there")
            os.mkfifo(fifo)
            for _ in range(2):
                self.assertEqual(check("-q", "--junit", str(link), "utf-8/overlong/c080").returncode, 0)
                self.assertTrue(link.is_symlink())
                self.assertEqual(xml.parse(there).getroot().get("tests"), "1")
            with subprocess.Popen(["cat", str(fifo)], stdout=subprocess.PIPE, text=True) as reader:
                self.assertEqual(check("-q", "--junit", str(fifo), "utf-8/overlong/c080").returncode, 0)
                self.assertEqual(xml.fromstring(reader.communicate()[0]).get("tests"), "1")
            self.assertTrue(fifo.is_fifo())
            self.assertEqual(sorted(path.name for path in folder.path.iterdir()), ["fifo", "link", "there"])
            self.assertEqual(check("--junit", "/dev/null", "utf-8/overlong/c080").returncode, 0)
            self.assertTrue(Path("/dev/null").is_char_device())

    def test_junit_escapes_what_an_id_holds(self) -> None:
        """Ids are escaped in class names, and in the letter's command, for a shell."""
        id_ = 'utf-8/over&long/c"<080'
        file = with_change(only("utf-8/overlong/c080"), ("tests", 0, "id"), lambda _: id_)
        with Folder() as folder:
            folder.write("utf-8/over&long", json.dumps(with_change({**file, "category": "over&long"}, ("tests", 0, "utf16"), changed)))
            path = folder.path / "report.xml"
            done = folder.check("--junit", str(path))
            self.assertEqual(done.returncode, 1)
            case = xml.parse(path).getroot().find("testsuite/testcase")
        assert case is not None
        self.assertEqual((case.get("classname"), case.get("name")), ("utf-8.over&long", 'c"<080'))
        self.assertIn(f"'{id_}'\n", done.stdout)

    def test_a_report_that_cannot_be_written_leaves_nothing(self) -> None:
        """No report is left if its folder is missing, or a folder has its name."""
        with Folder() as folder:
            (folder.path / "taken").mkdir()
            for name in ("missing/report.xml", "taken"):
                done = check("--junit", str(folder.path / name), "utf-8/overlong")
                self.assertEqual(done.returncode, 2, name)
                self.assertRegex(done.stderr, "--junit: .* cannot be written: ")
                self.assertEqual(done.stdout, "", "it was known before the run")
            self.assertEqual([path.name for path in folder.path.iterdir()], ["taken"])


    def test_junit_goes_to_standard_output(self) -> None:
        """Standard output has only the report, and the text goes to standard error. Each suite has the versions."""
        done = check("--junit", "-", "utf-8/overlong/c080", program=CANARY)
        self.assertEqual(done.returncode, 1)
        root = xml.fromstring(done.stdout)
        self.assertEqual((root.get("tests"), root.get("failures")), ("1", "1"))
        properties = {one.get("name"): one.get("value") for one in root.findall("testsuite/properties/property")}
        self.assertEqual(properties["vectors"], load("utf-8/overlong")["version"])
        self.assertRegex(str(properties["utf8-assay"]), r"^\d+\.\d+\.\d+$")
        self.assertRegex(done.stderr, r"(?m)^1 case on .* 1 case failed$")

    def test_fail_fast_ends_at_the_first_failed_case(self) -> None:
        """Text, JSON and JUnit have the cases up to the first that fails, and say how many were not asked; of a right codec all are."""
        chosen = ("utf-8/overlong", "utf-8/surrogate")
        with Folder() as folder:
            wrong = ("--codec", loadable(folder.path, "example", NAME='"mine"', WRONG="1"), "-c", "mine", *chosen)
            whole = json.loads(check("--json", *wrong).stdout)
            done = check("--json", "--fail-fast", *wrong)
            said, report = check("--fail-fast", *wrong).stdout, check("--fail-fast", "--junit", "-", *wrong).stdout
            last = check("--fail-fast", *wrong[:-2], whole["failures"][-1]["id"])
        ended = json.loads(done.stdout)
        self.assertEqual((done.returncode, ended["failed"], whole["not_asked"]), (1, 1, 0))
        self.assertEqual([one["id"] for one in ended["failures"]], [whole["failures"][0]["id"]])
        self.assertGreater(whole["failed"], 1)
        self.assertEqual(ended["cases"] + ended["not_asked"], whole["cases"])
        self.assertEqual([one["category"] for one in ended["categories"]], ["utf-8/overlong"])
        sentence = f"ended at the first failed case (--fail-fast): {ended['not_asked']} cases were not asked"
        self.assertIn(f"\n{sentence}\n{ended['cases']} case", said)
        root = xml.fromstring(report)
        cases = root.findall("testsuite/testcase")
        self.assertEqual((root.get("tests"), root.get("failures"), len(cases)), (str(ended["cases"] + 1), "1", ended["cases"] + 1))
        self.assertEqual([(one.get("classname"), one.get("name"), skipped.get("message")) for one in cases for skipped in one.findall("skipped") if skipped.get("message")],
                         [("assay check", "--fail-fast", sentence)])
        self.assertEqual((last.returncode, "not asked" in last.stdout), (1, False), "no case is left after it")
        right = [json.loads(check("--json", "-c", "reference", *options, *chosen).stdout) for options in ((), ("--fail-fast",))]
        self.assertEqual(right[0], right[1])

    def test_an_interruption_loses_no_results(self) -> None:
        """The codec sends it, amid a question. A case that failed before is reported; the one under way and those after it are counted."""
        for number, code in ((2, 130), (15, 143)):
            with Folder() as folder:
                again = "{ extern int kill(int, int), getpid(void); static int calls; if (++calls == 500) { kill(getpid(), %d); for (;;) {} } }" % number
                library = loadable(folder.path, "example", NAME='"mine"', WRONG="1", BEFORE=again)
                report = folder.path / "report.xml"
                report.write_text("old")
                words = ("--codec", library, "-c", "mine", "utf-8/overlong", "utf-8/surrogate")
                said, done = check(*words), check("--json", "--junit", str(report), *words)
                self.assertEqual((report.read_text(), list(folder.path.glob("report.xml.*"))), ("old", []))
            result = json.loads(done.stdout)
            self.assertEqual((said.returncode, done.returncode, done.stderr, result["interrupted"]), (code, code, "", True))
            self.assertGreater(min(result["failed"], result["cases"] - result["failed"], result["not_asked"]), 0)
            self.assertEqual(result["cases"] + result["not_asked"], sum(len(load(one)["tests"]) for one in words[-2:]))
            self.assertEqual({failure["field"] for failure in result["failures"]} & {"timeout"}, set())
            self.assertIn(f"\ninterrupted: {result['not_asked']} cases were not asked\n{result['cases']} cases on 1 codec", said.stdout)

    def test_text_and_json_have_the_versions(self) -> None:
        """The versions of the program and of the vectors."""
        version = load("utf-8/overlong")["version"]
        self.assertRegex(check("utf-8/overlong/c080").stdout, rf"^utf8-assay \d+\.\d+\.\d+, vectors {re.escape(version)}\n")
        report = json.loads(check("--json", "utf-8/overlong/c080").stdout)
        self.assertEqual(report["vectors_version"], version)
        self.assertRegex(report["version"], r"^\d+\.\d+\.\d+$")

    def test_each_kind_of_error_has_its_letter(self) -> None:
        """Two mistakes in one operation are two sorts, if they are about errors of two kinds."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "example", "twice", NAME='"twice"',
                               BEFORE="if ((count == 2 && bytes[0] == 0xC0) || (count == 3 && bytes[0] == 0xED)) return true")
            done = check("--codec", library, "-c", "twice", "utf-8/overlong/c08*", "utf-8/surrogate/eda?80", "utf-8/surrogate/edb?80")
        letters = re.findall(r"(?m)^utf-8/(\S+)/\S+: ", done.stdout)
        self.assertEqual((done.returncode, letters), (1, ["overlong", "surrogate"]), done.stdout)
        self.assertRegex(done.stdout, r"\n\d+ more letters of these sorts: ")

    def test_letters_are_annotations_of_github_actions(self) -> None:
        """Each letter is one annotation; line ends and percent signs are escaped, so that it is one line and complete."""
        file = with_change(only("utf-8/overlong/c080"), ("tests", 0, "comment"), lambda _: "100 % wrong")
        with Folder() as folder:
            folder.write("utf-8/overlong", json.dumps(with_change(file, ("tests", 0, "utf16"), changed)))
            done = folder.check("--github", "-c", "reference")
            self.assertEqual(done.returncode, 1)
            annotations = [line for line in done.stdout.splitlines() if line.startswith("::error ")]
            letters = done.stdout.count(" differs from utf-8/expected\n")
            self.assertEqual(len(annotations), letters)
            self.assertGreater(letters, 0)
            self.assertRegex(annotations[0], r"^::error title=utf-8/reference fails utf-8/overlong/c080::utf-8/overlong/c080: 100 %25 wrong%0A")
            self.assertEqual(folder.check("--github", "--json").returncode, 2)

    def test_letters_have_colour_where_it_is_asked_for(self) -> None:
        """The expected answer, the codec's, and the number of failed cases have colours."""
        done = check("--color", "always", "utf-8/overlong/c080", program=CANARY)
        self.assertIn("\33[31m  canary", done.stdout)
        self.assertIn("\33[32m  expected", done.stdout)
        self.assertIn("\33[31m1 case failed\33[0m", done.stdout)
        self.assertNotIn("\33", check("utf-8/overlong/c080", program=CANARY).stdout)


class VersionTest(unittest.TestCase):
    """The version of the vectors."""

    def check_version(self, version: str) -> "subprocess.CompletedProcess[str]":
        """Checks a file with this version."""
        with Folder() as folder:
            folder.write("utf-8/overlong", json.dumps({**only("utf-8/overlong/c080"), "version": version}))
            return folder.check()

    def test_another_major_version_is_refused(self) -> None:
        """Fields of another major version may mean something else. A malformed version is refused, too."""
        major, minor, _ = map(int, load("utf-8/overlong")["version"].split("."))
        done = self.check_version(f"{major + 1}.{minor}.0")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("another major version; this program reads vectors ", done.stderr)
        for version in ("1.2", "a.b.c", "", f"{major}.{minor}.0x"):
            self.assertEqual(self.check_version(version).returncode, 2, version)

    def test_a_newer_minor_version_is_read_with_a_warning(self) -> None:
        """A newer minor version is read with a warning, an older one without."""
        major, minor, patch = map(int, load("utf-8/overlong")["version"].split("."))
        for version, warning in ((f"{major}.{minor + 1}.0", "assay: warning: the vectors are version"), (f"{major}.{minor}.{patch + 1}", "")):
            done = self.check_version(version)
            self.assertEqual((done.returncode, done.stderr[:len(warning) or None].partition(" 0.")[0][:len(warning)]), (0, warning), version)
            self.assertTrue(done.stdout.startswith("utf8-assay "), done.stdout)


# Id of a case, path of a value, its new value, and the words of the refusal.
BAD_VALUES: Tuple[Tuple[str, Leaf, Any, Tuple[str, ...]], ...] = (
    ("utf-8/overlong/c080", ("suite",), "other", ("field suite", "utf8-assay")),
    ("utf-8/overlong/c080", ("kind",), "guess", ("field kind", "no kind 'guess'")),
    ("utf-8/overlong/c080", ("encoding",), "utf-9", ("field encoding", "utf-9")),
    ("utf-8/overlong/c080", ("category",), "other", ("field category", "utf-8/other")),
    ("utf-8/overlong/c080", ("count",), 2, ("field count", "says 2", "1 tests")),
    ("utf-8/overlong/c080", ("version",), 7, ("field version", "not a string")),
    ("utf-8/overlong/c080", ("notes",), {}, ("field flags[0]", "no note")),
    ("utf-8/overlong/c080", ("tests",), {}, ("field tests", "not an array")),
    ("utf-8/overlong/c080", ("tests", 0, "id"), "utf-8/other/c080", ("field tests[0].id", "utf-8/overlong/")),
    ("utf-8/overlong/c080", ("tests", 0, "comment"), "caf\u00e9", ("c080, field comment", "ASCII")),
    ("utf-8/overlong/c080", ("tests", 0, "bytes"), "C08", ("c080, field bytes", "hex")),
    ("utf-8/overlong/c080", ("tests", 0, "bytes"), "c080", ("c080, field bytes", "upper-case")),
    ("utf-8/overlong/c080", ("tests", 0, "bytes"), "", ("c080, field bytes", "empty")),
    ("utf-8/overlong/c080", ("tests", 0, "well_formed"), True, ("c080, field well_formed", "2")),
    ("utf-8/overlong/c080", ("tests", 0, "spans", 0, "fault"), "typo", ("c080, field spans[0].fault", "no fault 'typo'")),
    ("utf-8/overlong/c080", ("tests", 0, "spans", 1, "offset"), 9, ("c080, field spans[1].offset", "9 is more than")),
    ("utf-8/overlong/c080", ("tests", 0, "spans", 1, "offset"), -1, ("c080, field spans[1].offset", "no number")),
    ("utf-8/overlong/c080", ("tests", 0, "outputs", "jdk"), "FFFD,", ("c080, field outputs.jdk", "commas")),
    ("utf-8/overlong/c080", ("tests", 0, "outputs", "jdk"), "110000", ("c080, field outputs.jdk", "beyond 10FFFF")),
    ("utf-8/overlong/c080", ("tests", 0, "utf16"), "10000", ("c080, field utf16", "beyond FFFF")),
    ("utf-8/streaming/c2_80", ("tests", 0, "error_piece"), 0, ("c2_80, field error_piece", "null")),
    ("utf-8/streaming/c2_80", ("tests", 0, "emitted", "skip"), ["80"], ("c2_80, field emitted.skip", "1 items")),
    ("utf-8/reuse/ff-then-80808041", ("tests", 0, "streams", 1, "pieces", 0), "8", ("field streams[1].pieces[0]", "hex")),
    ("utf-8/limited-output/41ff42", ("tests", 0, "utf16_limits", "jdk", 1, "status"), "odd",
     ("field utf16_limits.jdk[1].status", "no status 'odd'")),
    ("utf-8/encode/41-d800-42", ("tests", 0, "outputs", "strict", "stopped_at"), 2,
     ("field outputs.strict.stopped_at", "unit 2")),
    ("utf-8/overlong/c080", ("policies",), ["strict", "strict"], ("field policies[1]", "twice")),
    ("utf-8/overlong/c080", ("policies",), ["strict", "replace"], ("field policies[1]", "no policy 'replace'")),
    ("utf-8/overlong/c080", ("policies",), ["strict"], ("field policies", "must have")),
    ("wtf-8/boundaries/eda0bdedb2a9", ("tests", 0, "boundaries", 2), 3, ("field boundaries[2]", "3 is more than")),
    ("wtf-8/boundaries/eda0bdedb2a9", ("tests", 0, "boundaries"), [0], ("field boundaries", "has 1 items")),
    ("wtf-8/concat/eda0bd_edb2a9", ("tests", 0, "joined"), None, ("field joined", "null if and only if")),
    ("cesu-8/concat/41_eda0bd", ("tests", 0, "error", "string"), 2, ("field error.string", "2 is more than")),
    ("wtf-8/convert/to-utf-16le-eda0bd", ("tests", 0, "to"), "utf-9", ("field to", "utf-9")),
    ("wtf-8/convert/to-utf-8-41eda0bd42", ("tests", 0, "outputs", "strict"), "41", ("field outputs.strict", "null")),
)

# A field too many, and a field too few: the path, and its name.
FIELDS: Tuple[Tuple[str, Leaf, str], ...] = (
    ("utf-8/overlong/c080", (), "about"), ("utf-8/overlong/c080", ("tests", 0), "spans"),
    ("utf-8/overlong/c080", ("tests", 0, "outputs"), "per-run"), ("utf-8/overlong/c080", ("tests", 0, "spans", 0), "fault"),
    ("utf-8/overlong/c080", ("notes", "overlong-ascii"), "links"), ("utf-8/streaming/c2_80", ("tests", 0), "pieces"),
    ("utf-8/reuse/ff-then-80808041", ("tests", 0, "streams", 0), "emitted"),
    ("utf-8/limited-output/41ff42", ("tests", 0, "utf32_limits", "skip", 0), "read"),
    ("utf-8/encode/41-d800-42", ("tests", 0, "outputs", "skip"), "bytes"),
    ("utf-8/encode-utf16/d800-dc00", ("tests", 0), "limits"), ("wtf-8/concat/eda0bd_edb2a9", ("tests", 0), "left"),
    ("cesu-8/concat/41_eda0bd", ("tests", 0, "error"), "fault"), ("wtf-8/boundaries/eda0bdedb2a9", ("tests", 0), "input"),
    ("wtf-8/convert/to-utf-8-41eda0bd42", ("tests", 0, "outputs"), "skip"),
    ("wtf-8/convert/to-utf-8-41eda0bd42", ("tests", 0, "error"), "offset"),
)


class RefusalTest(unittest.TestCase):
    """Exit code 2, with file, case and field, and nothing on standard output."""

    def assert_refused(self, category: str, text: str, words: Tuple[str, ...]) -> None:
        """Asserts that a set with this file beside a correct one is refused, and that an existing report is not changed."""
        with Folder() as folder:
            folder.write("utf-8/standard-examples", json.dumps(load("utf-8/standard-examples")))
            folder.write(category, text)
            report = folder.path / "report.xml"
            report.write_text("old")
            done = folder.check("--junit", str(report))
            self.assertEqual((done.returncode, done.stdout), (2, ""), (words, done.stderr))
            for word in (f"{category}.json", *words):
                self.assertIn(word, done.stderr)
            self.assertEqual(report.read_text(), "old")

    def test_refuses_wrong_values(self) -> None:
        """A wrong value of each kind is refused."""
        for id_, way, value, words in BAD_VALUES:
            file = with_change(only(id_), way, lambda _, value=value: value)
            self.assert_refused(id_.rsplit("/", 1)[0], json.dumps(file), words)

    def test_refuses_a_field_too_many_or_too_few(self) -> None:
        """At each depth."""
        for id_, way, name in FIELDS:
            for more in (True, False):
                file = only(id_)
                holder: Any = file
                for key in way:
                    holder = holder[key]
                if more:
                    holder["surprise"] = 1
                else:
                    del holder[name]
                words = ("surprise", "there is no") if more else (name, "missing")
                self.assert_refused(id_.rsplit("/", 1)[0], json.dumps(file), words)

    def test_refuses_malformed_json(self) -> None:
        """Refused: JSON that is cut anywhere, empty, has a key twice, or has text after its end."""
        text = json.dumps(only("utf-8/overlong/c080"))
        for bad in (text[:len(text) // 2], text[:-1], "", "[]", text + "x", text.replace('"about"', '"suite"', 1)):
            self.assert_refused("utf-8/overlong", bad, ())

    def test_refuses_unreadable_files(self) -> None:
        """Refused: a folder, a pipe without a writer, a dangling link."""
        for make, word in ((Path.mkdir, "no file"), (os.mkfifo, "no file"), (lambda path: path.symlink_to("nowhere"), "No such file")):
            with Folder() as folder:
                (folder.path / "utf-8").mkdir()
                make(folder.path / "utf-8" / "a.json")
                done = folder.check()
            self.assertEqual(done.returncode, 2)
            self.assertIn(word, done.stderr)

    def test_refuses_an_incomplete_id(self) -> None:
        """Refused: an id without the name of the case."""
        with Folder() as folder:
            folder.write("utf-8/overlong", json.dumps(with_change(only("utf-8/overlong/c080"), ("tests", 0, "id"), lambda id_: id_ + "/")))
            done = folder.check()
        self.assertEqual(done.returncode, 2)
        self.assertIn("ends in /", done.stderr)

    def test_refuses_an_id_twice(self) -> None:
        """Refused: two cases with one id."""
        file = only("utf-8/overlong/c080")
        file["tests"] *= 2
        file["count"] = 2
        self.assert_refused("utf-8/overlong", json.dumps(file), ("tests[1].id", "another case"))

    def test_refuses_no_tests(self) -> None:
        """Refused: a file without tests."""
        file = only("utf-8/overlong/c080")
        self.assert_refused("utf-8/overlong", json.dumps({**file, "tests": [], "count": 0}), ("field count",))

    def test_refuses_a_folder_without_vectors(self) -> None:
        """Refused: a folder that is missing, empty or has nothing useful, and a file in place of a folder."""
        with Folder() as folder:
            (folder.path / "empty" / "utf-8").mkdir(parents=True)
            (folder.path / "file").write_text("")
            for name in ("missing", "empty", "file"):
                done = check("--vectors", str(folder.path / name))
                self.assertEqual((done.returncode, done.stdout), (2, ""), name)
                self.assertIn(name, done.stderr)


class PoliciesTest(unittest.TestCase):
    """--policies: how many cases pass under each policy."""

    CATEGORIES = ("utf-8/overlong", "utf-8/surrogate", "utf-8/truncated")
    COUNTS = re.compile(r"(?m)^  ([\w-]+) +(\d+) of +(\d+)(, all)?$")

    def check(self, policy: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Checks a codec that decodes under this policy, whatever policy is requested."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "one_policy", NAME='"mine"', POLICY="ASSAY_POLICY_" + policy.upper().replace("-", "_"))
            return check("--policies", "--codec", library, "-c", "mine", *arguments, *self.CATEGORIES)

    def test_shows_which_policy_a_codec_has(self) -> None:
        """All cases pass under the codec's policy and under no other; each case counts once."""
        count = sum(load(category)["count"] for category in self.CATEGORIES)
        for own in ("whatwg", "per-byte", "skip"):
            done = self.check(own)
            rows = {name: (int(passed), int(cases)) for name, passed, cases, _ in self.COUNTS.findall(done.stdout)}
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertEqual(sorted(rows), sorted(load(self.CATEGORIES[0])["policies"]))
            self.assertEqual(rows[own], (count, count))
            self.assertEqual([name for name, (passed, cases) in rows.items() if passed == cases], [own])
            self.assertEqual([name for name, _, _, everything in self.COUNTS.findall(done.stdout) if everything], [own])
            listed = json.loads(self.check(own, "--json").stdout)["policies"]
            self.assertEqual({row["policy"]: (row["passed"], row["cases"]) for row in listed}, rows)

    def test_a_codec_that_follows_each_policy_passes_all(self) -> None:
        """With --policies, codecs that follow each policy pass all cases."""
        done = check("--policies", "-c", "utf-8/reference", *self.CATEGORIES)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count(", all\n"), len(load(self.CATEGORIES[0])["policies"]))

    def test_refuses_options_about_letters(self) -> None:
        """--policies makes no letters, so options about letters are refused."""
        for option in (("--github",), ("--junit", "-")):
            done = check("--policies", *option, *self.CATEGORIES)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("--policies makes no letters", done.stderr)
        done = check("--policies", "--fail-fast", *self.CATEGORIES)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--policies counts all cases", done.stderr)


if __name__ == "__main__":
    unittest.main()
