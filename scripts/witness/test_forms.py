# SPDX-License-Identifier: MIT
"""Other forms of the vectors, and the examples that read them."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Dict, List

from witness import forms

ROOT = Path(__file__).resolve().parent.parent.parent
VECTORS = ROOT / "vectors"
EXAMPLES = VECTORS / "examples"


def run(*command: object, **options: object) -> "subprocess.CompletedProcess[str]":
    """Runs a program and returns its output."""
    words = [str(word) for word in command]
    return subprocess.run(words, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]


def small_vectors(folder: Path) -> Path:
    """A copy of the schema and of one file, to damage."""
    (folder / "utf-8").mkdir(parents=True)
    shutil.copy(VECTORS / "schema.json", folder)
    shutil.copy(VECTORS / "utf-8" / "standard-examples.json", folder / "utf-8")
    return folder


class FormsTest(unittest.TestCase):
    """scripts/export."""

    @classmethod
    def setUpClass(cls) -> None:
        """Exports everything once."""
        cls.folder = Path(tempfile.mkdtemp())
        cls.out = cls.folder / "out"
        cls.first = run(sys.executable, ROOT / "scripts" / "export", cls.out)

    @classmethod
    def tearDownClass(cls) -> None:
        """Removes the folder."""
        shutil.rmtree(cls.folder)

    def test_tables_hold_what_the_json_holds(self) -> None:
        """Every case has its line, and every leaf of a case its column."""
        self.assertEqual(self.first.returncode, 0, self.first.stderr)
        for path in sorted(VECTORS.glob("*/*.json")):
            file = json.loads(path.read_text("ascii"))
            table = self.out / "tsv" / path.parent.name / f"{path.stem}.tsv"
            lines = [line.split("\t") for line in table.read_text("ascii").splitlines()]
            ids = [line[0] for line in lines[1:]]
            self.assertEqual(sorted(set(ids)), sorted(case["id"] for case in file["tests"]))
            self.assertEqual({len(line) for line in lines}, {len(lines[0])})
            for line, case in zip(lines[1:], file["tests"]) if file["kind"] == "decode" else ():
                fields = dict(zip(lines[0], line))
                self.assertEqual(fields["bytes"], case["bytes"])
                for policy in file["policies"]:
                    self.assertEqual(fields[f"outputs.{policy}"], case["outputs"][policy])
                self.assertEqual(fields["spans"].count(":"), 3 * len(case["spans"]))

    def test_raw_files_are_the_bytes(self) -> None:
        """Each under its id, each in the index."""
        index = [line.split("\t") for line in (self.out / "raw" / "index.tsv").read_text("ascii").splitlines()[1:]]
        cases = {case["id"]: case for case in forms.whole_cases(forms.read_suite(VECTORS))}
        self.assertEqual([line[1] for line in index], list(cases))
        for path, name, verdict in index:
            self.assertEqual((self.out / "raw" / path).read_bytes(), forms.unhex(cases[name]["bytes"]))
            self.assertEqual(verdict == "ok", cases[name]["well_formed"])

    def test_sums_are_those_of_the_files(self) -> None:
        """All files but SHA256SUMS itself."""
        sums = dict(line.split("  ")[::-1] for line in (self.out / "SHA256SUMS").read_text("ascii").splitlines())
        files = {path.relative_to(self.out).as_posix() for path in self.out.rglob("*") if path.is_file()}
        self.assertEqual(files - {"SHA256SUMS"}, set(sums))
        for name, value in sums.items():
            self.assertEqual(hashlib.sha256((self.out / name).read_bytes()).hexdigest(), value)

    def test_refuses_bad_input_and_leaves_nothing(self) -> None:
        """Truncated JSON, a case that breaks the schema, a wrong count, an empty folder, an unknown form: exit 2."""
        def check(text: str, change: object) -> None:
            """Exports a damaged copy."""
            with tempfile.TemporaryDirectory() as name:
                folder = small_vectors(Path(name) / "vectors")
                change(folder / "utf-8" / "standard-examples.json")  # type: ignore[operator]
                got = run(sys.executable, ROOT / "scripts" / "export", Path(name) / "out", "--vectors", folder)
                self.assertEqual(got.returncode, 2, text)
                self.assertIn(text, got.stderr)
                self.assertEqual([path.name for path in Path(name).iterdir()], ["vectors"])

        def replaced(old: str, new: str) -> object:
            """A change of the file's text."""
            return lambda path: path.write_text(path.read_text("ascii").replace(old, new), "ascii")

        check("is no JSON", lambda path: path.write_text(path.read_text("ascii")[:2000], "ascii"))
        check("breaks the schema", replaced('"whatwg"', '"wathwg"'))
        check("breaks the schema", replaced('"C0AF"', '"C0A"'))
        check("says that it has", replaced('"count": ', '"count": 1'))
        check("no vectors", lambda path: path.unlink())
        check("is no JSON", lambda path: path.write_text("[" * 100000, "ascii"))
        check("schema.json is no JSON", lambda path: (path.parents[1] / "schema.json").write_text("{", "ascii"))
        for text in ("[]", '{"type": "odd"}', '{"$ref": "#/$defs/none"}', '{"pattern": "("}', '{"items": 1}', '{"maximum": 1}'):
            check("schema.json: ", lambda path, text=text: (path.parents[1] / "schema.json").write_text(text, "ascii"))
        got = run(sys.executable, ROOT / "scripts" / "export", self.folder / "other", "--form", "xml")
        self.assertEqual((got.returncode, (self.folder / "other").exists()), (2, False))

    def test_never_writes_over_anything(self) -> None:
        """A folder that is there already is exit 2."""
        got = run(sys.executable, ROOT / "scripts" / "export", self.out)
        self.assertEqual(got.returncode, 2)
        self.assertIn("already exists", got.stderr)

    # ---- the examples -----------------------------------------------------------------------------

    def passes_all(self, got: "subprocess.CompletedProcess[str]", but: str = "none") -> None:
        """An example ended well and says that all passed, for each question, `but` those that are named so."""
        lines: List[str] = got.stdout.splitlines()
        self.assertGreater(len(lines), 1, got.stderr)
        counts = []
        for line in lines:
            found = re.fullmatch(r"[a-zA-Z0-9(),' -]+: ([0-9]+) of ([0-9]+) passed", line)
            assert found is not None, line
            counts.append(int(found[2]))
            self.assertGreater(int(found[1]), 0.9 * counts[-1] if but in line else counts[-1] - 1, line + got.stderr)
        self.assertGreater(max(counts), 3000)
        self.assertGreater(min(counts), 80)
        self.assertTrue(got.returncode == 0 or but in got.stdout, got.stderr)

    def tool(self, name: str) -> str:
        """The path of a tool; skips the test if there is none."""
        path = shutil.which(name)
        if path is None:
            self.skipTest(f"{name} is not installed")
        return path

    def commands(self, example: str) -> List[str]:
        """The commands in the first lines of an example: in a checkout, and, if it is another one, in an installation."""
        head = (EXAMPLES / example).read_text("ascii").split("import", 1)[0].split("#include", 1)[0]
        return re.findall(r"^(?://| \*)?(?:\t| {4,5})((?:scripts/export|python3|node|go|java|rustc|cc) .*)$", head, re.MULTILINE)

    def runs_as_it_says(self, example: str, but: str = "none") -> None:
        """Runs the commands where the first lines say. /tmp is the folder of this test, and export has been called for it."""
        commands = self.commands(example)
        self.assertIn(len(commands), (1, 2), example)
        prefix = self.folder / f"installed-{example}"
        share, include = prefix / "share" / "utf8-assay", prefix / "include" / "utf8-assay"
        for folder, name, target in ((share, "vectors", VECTORS), (share, "tsv", self.out / "tsv"), (include, "assay_vectors.h", self.out / "assay_vectors.h")):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(target)
        for command, place in zip([commands[0], commands[-1]] if len(commands) == 2 else commands, (ROOT, share)):
            exported = re.match(r"scripts/export --form (?:tsv|header) (/tmp/\w+) && ", command)
            if exported:
                command = command[exported.end():].replace(exported[1], "/tmp/out")
            self.tool(command.split()[0])
            command = re.sub("^cc ", "cc -std=c11 -Wall -Wextra -Werror ", command.replace("/tmp/", f"{self.folder}/"))
            done = subprocess.run(command, shell=True, cwd=place, capture_output=True, text=True, check=False)
            self.passes_all(done, but)

    def test_python_example(self) -> None:
        """CPython passes all that it implements."""
        self.runs_as_it_says("check.py")

    def damage(self, path: Path) -> Dict[str, str]:
        """Makes every case false in all that an example looks at, the second one's input empty. The first one's outputs, as they were."""
        file = json.loads(path.read_text("ascii"))
        first = dict(file["tests"][0]["outputs"])
        file["tests"][1].update({"bytes": "-", "well_formed": True})
        for case in file["tests"]:
            case["well_formed"] = not case["well_formed"]
            case["outputs"] = {policy: "7F" if output == "-" else f"7F,{output}" for policy, output in case["outputs"].items()}
            case["spans"][:1] = [{"offset": 7, "length": 1, "fault": "overlong", "incomplete": False}]
        path.write_text(json.dumps(file), "ascii")
        return first

    # What makes a decoder throw for no bytes: the line after which it goes, and what it is.
    THROWS = {
        "check.py": ('those before the error, and its span."""\n', '    if not data:\n        raise ZeroDivisionError("planted")\n'),
        "check.mjs": ("const whole = (data) => scalars(", 'data.length === 0 ? null.planted : '),
        "check.go": ("func whole(data []byte, policy string) string {\n", 'if len(data) == 0 {\npanic("planted")\n}\n'),
        "Check.java": ("static String whole(byte[] data) {\n", 'if (data.length == 0) throw new IllegalStateException("planted");\n'),
        "check.rs": ("fn lossy(data: &[u8]) -> String {\n", 'if data.is_empty() { panic!("planted") }\n'),
    }

    def made_to_throw(self, example: str, folder: Path) -> Path:
        """A copy of an example, whose decoder throws for no bytes if the language can."""
        text = (EXAMPLES / example).read_text("ascii")
        if example in self.THROWS:
            after, plant = self.THROWS[example]
            self.assertEqual(text.count(after), 1, example)
            text = text.replace(after, after + plant)
        (folder / example).write_text(text, "ascii")
        return folder / example

    def add_category(self, path: Path, category: str, change: Dict[str, object]) -> None:
        """Writes another category, of one case: the second one of the file, which is empty, changed."""
        file = json.loads(path.read_text("ascii"))
        policies = file["tests"][0]["outputs"]
        case = {**file["tests"][1], "id": f"utf-8/{category}/one", "well_formed": True, "bytes": "-", "spans": [], "utf16": "-",
                "outputs": {policy: "-" for policy in policies}, **change}
        file.update({"category": category, "count": 1, "tests": [case]})
        (path.parent / f"{category}.json").write_text(json.dumps(file), "ascii")

    def test_examples_can_fail(self) -> None:
        """Wrong answers are counted for each question, the first case of each category is shown, with long rows cut, and the exit code is 1.
        A decoder that throws has failed that case."""
        ill = ("strict (verdict)", "ill-formed", "well-formed")
        with tempfile.TemporaryDirectory() as name:
            folder, out = small_vectors(Path(name) / "vectors"), Path(name) / "out"
            path = folder / "utf-8" / "standard-examples.json"
            self.add_category(path, "truncated", {})
            long = {policy: ",".join(["41"] * 299 + ["42"]) for policy in json.loads(path.read_text("ascii"))["policies"]}
            self.add_category(path, "well-formed", {"bytes": "41" * 300, "outputs": long})
            self.damage(path)
            made = run(sys.executable, ROOT / "scripts" / "export", "--vectors", folder, out)
            self.assertEqual(made.returncode, 0, made.stderr)
            tables, program = out / "tsv" / "utf-8", out / "check"
            for example, (question, given, wanted), thrown, others, build, command in (
                    ("check.py", ("strict", "- and an error at 0 of 1", "7F and an error at 7 of 1"), "raised ZeroDivisionError: planted",
                     ("strict", "whatwg", "skip", "surrogateescape"), [], [sys.executable, "SOURCE", folder]),
                    ("check.mjs", ill, "threw TypeError: ", ("whatwg",), [], ["node", "SOURCE", folder]),
                    ("check.go", ill, "panicked: planted", ("per-byte", "per-run"), [], ["go", "run", "SOURCE", folder]),
                    ("Check.java", ill, "threw java.lang.IllegalStateException: planted", ("jdk",), [], ["java", "SOURCE", tables]),
                    ("check.rs", ("strict", "0:1", "7:1"), "panicked", ("whatwg",), ["rustc", "SOURCE", "-o", program], [program, tables]),
                    ("check.c", ("strict of this file's decoder", "- and an error at 0", "7F and an error at 7"), "",
                     (), ["cc", f"-I{out}", "SOURCE", "-o", program], [program])):
                with self.subTest(example):
                    self.tool(str((build or command)[0]))
                    source = self.made_to_throw(example, Path(name))
                    if build:
                        self.assertEqual(run(*(source if word == "SOURCE" else word for word in build)).returncode, 0)
                    got = run(*(source if word == "SOURCE" else word for word in command))
                    self.assertEqual(got.returncode, 1, got.stderr)
                    rows = f"given   {given}\n    wanted  {wanted}\n"
                    self.assertIn(f"utf-8/standard-examples/c0afe080bff0818241: {question} of C0AFE080BFF0818241\n    {rows}", got.stderr)
                    self.assertLess(max(map(len, got.stderr.splitlines())), 140)
                    self.assertRegex(got.stderr, r"given   \.\.\.[41,]*41\n +wanted  \.\.\.[41,]*42\n")
                    if thrown:
                        self.assertRegex(got.stderr, f"utf-8/truncated: 1 of 1 cases failed, the first:\n  utf-8/truncated/one: .* of -\n    given   {thrown}")
                        self.assertIn("utf-8/standard-examples: 21 of 21 cases failed, the first:\n", got.stderr)
                    for other in others:
                        self.assertIn(f"{other}: 0 of 23 passed", got.stdout.splitlines())
                    self.assertNotIn("23 of 23", got.stdout)
            self.assertEqual(run(sys.executable, EXAMPLES / "check.py", name).returncode, 2)

    def test_the_positions_example_prints_the_bytes(self) -> None:
        """A decoder that takes F4 90 is shown with each text, which no other file has, in hex."""
        with tempfile.TemporaryDirectory() as name:
            folder, source = Path(name) / "complete", Path(name) / "positions.py"
            folder.mkdir()
            shutil.copy(VECTORS / "complete" / "utf-8-parts.tsv", folder)
            head, *lines = (VECTORS / "complete" / "utf-8-positions.tsv").read_text("ascii").splitlines(keepends=True)
            (folder / "utf-8-positions.tsv").write_text("".join([head, *(line for line in lines if "afe4a5e7" in line)]), "ascii")
            text = (EXAMPLES / "positions.py").read_text("ascii")
            wrong = text.replace("        data.decode(codec)\n", '        data.replace(b"\\xF4\\x90", b"\\xF4\\x80").decode(codec)\n')
            self.assertNotEqual(text, wrong)
            source.write_text(wrong, "ascii")
            done = run(sys.executable, source, name)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 10), done.stderr)
        for line in done.stderr.splitlines():
            offset, data = re.findall(r"^afe4a5e7 at (\d+): strict gives .*, not \(\d+, 1\): ([0-9a-f]+)$", line)[0]
            self.assertEqual(bytes.fromhex(data).find(b"\xF4\x90"), int(offset))

    def test_examples_are_formatted(self) -> None:
        """By the formatters of the languages."""
        for tool, options, suffix in (("rustfmt", ["--check"], "rs"), ("gofmt", ["-d"], "go"), ("node", ["--check"], "mjs")):
            for path in sorted(EXAMPLES.glob(f"*.{suffix}")):
                with self.subTest(path.name):
                    done = run(self.tool(tool), *options, path)
                    self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_javascript_example(self) -> None:
        """Node passes all that it implements."""
        self.runs_as_it_says("check.mjs")

    def test_java_example(self) -> None:
        """The JDK passes all that it implements."""
        self.runs_as_it_says("Check.java")

    def test_rust_example(self) -> None:
        """Rust passes all that it implements."""
        self.runs_as_it_says("check.rs")

    def test_examples_refuse_what_is_no_vectors(self) -> None:
        """Nothing to compare, or what cannot be read as vectors, is exit 2 and one sentence."""
        hexadecimal = "61F18080E180C262806380BF64"
        json_file = (VECTORS / "utf-8" / "standard-examples.json").read_text("ascii")
        table = (self.out / "tsv" / "utf-8" / "standard-examples.tsv").read_text("ascii")
        go, java, rust = (self.folder / f"refuse-{language}" for language in ("go", "java", "rust"))
        for language, build, command, inside, text, empty in (
                (sys.executable, [], [sys.executable, EXAMPLES / "check.py"], "utf-8/a.json", json_file, '{"tests": []}'),
                ("node", [], ["node", EXAMPLES / "check.mjs"], "utf-8/a.json", json_file, '{"tests": []}'),
                ("go", ["go", "build", "-o", go, EXAMPLES / "check.go"], [go], "utf-8/a.json", json_file, '{"tests": []}'),
                ("javac", ["javac", "-d", java, EXAMPLES / "Check.java"], ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", java, "Check"], "a.tsv", table, table.splitlines()[0]),
                ("rustc", ["rustc", "-o", rust, EXAMPLES / "check.rs"], [rust], "a.tsv", table, table.splitlines()[0])):
            with self.subTest(language), tempfile.TemporaryDirectory() as name:
                self.tool(language)
                self.assertEqual(run(*build).returncode if build else 0, 0)
                path = Path(name) / "vectors" / inside
                folder = Path(name) / "vectors"

                def check(said: str, *arguments: object, command: List[object] = command) -> None:
                    """Runs the example."""
                    got = run(*command, *arguments)
                    self.assertRegex(got.stderr, f"^.*{said}.*\n$")
                    self.assertEqual((got.returncode, got.stdout), (2, ""))

                check("usage: ")
                check("no vectors in .*vectors", folder)
                if language == "javac":
                    check("LEDGER.tsv: .*no table of scripts/export", VECTORS)
                path.parent.mkdir(parents=True)
                check("no vectors in .*vectors", folder)
                path.write_text(empty, "ascii")
                check("no vectors in .*vectors", folder)
                for damaged in (text[:text.index(hexadecimal) + 2], *(text.replace(hexadecimal, odd) for odd in ("ZZ", "+1", "616", "-61"))):
                    path.write_text(damaged, "ascii")
                    check("a\\.(json|tsv): ", folder)

    def test_c_example_refuses_no_vectors(self) -> None:
        """A header without a case of utf-8 is exit 2."""
        with tempfile.TemporaryDirectory() as name:
            folder, out, program = small_vectors(Path(name) / "vectors"), Path(name) / "out", Path(name) / "check-c"
            shutil.rmtree(folder / "utf-8")
            shutil.copytree(VECTORS / "cesu-8", folder / "cesu-8")
            made = run(sys.executable, ROOT / "scripts" / "export", "--form", "header", "--vectors", folder, out)
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertEqual(run(self.tool("cc"), f"-I{out}", EXAMPLES / "check.c", "-o", program).returncode, 0)
            got = run(program)
            self.assertEqual((got.returncode, got.stdout, got.stderr), (2, "", "no vectors of utf-8 in assay_vectors.h\n"))

    def test_digest_examples(self) -> None:
        """Python's and Rust's digests are those of the table, and of no other table."""
        table = VECTORS / "complete" / "utf-8-digests.tsv"
        damaged = self.folder / "damaged.tsv"
        damaged.write_text(re.sub(r"[0-9A-F]\n", "x\n", table.read_text("ascii")), "ascii")
        got = run(sys.executable, EXAMPLES / "digest.py", table)
        self.assertEqual(got.returncode, 0, got.stderr)
        self.assertEqual(got.stdout.splitlines(), [f"{name}: as it should be" for name in ("scalars", "bytes-1", "bytes-2")])
        program = self.folder / "digest-rust"
        built = run(self.tool("rustc"), "-O", EXAMPLES / "digest.rs", "-o", program)
        self.assertEqual(built.returncode, 0, built.stderr)
        got = run(program, table, 3)
        self.assertEqual((got.returncode, got.stdout.splitlines()), (0, [f"bytes-{length}: as it should be" for length in (1, 2, 3)]))
        got = run(program, damaged, 1)
        self.assertEqual((got.returncode, got.stdout), (1, "bytes-1: differs\n"))
        self.assertEqual(run(sys.executable, EXAMPLES / "digest.py", damaged).returncode, 1)
        damaged.write_text("", "ascii")
        for command, length in (([program], [1]), ([sys.executable, EXAMPLES / "digest.py"], [])):
            for arguments in ([], [self.folder / "missing", *length], [self.folder, *length], [damaged, *length]):
                got = run(*command, *arguments)
                self.assertEqual((got.returncode, got.stdout, len(got.stderr.splitlines())), (2, "", 1), got.stderr)
        self.assertEqual([run(program, table, length).returncode for length in ("0", "5", "x")], [2, 2, 2])

    def test_go_example(self) -> None:
        """Go passes all that it implements."""
        self.runs_as_it_says("check.go")

    def test_c_example(self) -> None:
        """The header compiles without a warning. The decoder of the example passes all; mbrtowc of glibc accepts values beyond U+10FFFF."""
        self.runs_as_it_says("check.c", "mbrtowc")


if __name__ == "__main__":
    unittest.main()
