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
    """Runs a program and keeps what it says."""
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

    def passes_all(self, got: "subprocess.CompletedProcess[str]") -> None:
        """An example ended well and says that all passed, under each policy."""
        self.assertEqual(got.returncode, 0, got.stderr)
        lines: List[str] = got.stdout.splitlines()
        self.assertGreater(len(lines), 0)
        for line in lines:
            found = re.fullmatch(r"[a-z() -]+: ([0-9]+) of ([0-9]+) passed", line)
            self.assertIsNotNone(found, line)
            self.assertEqual(found and found[1], found and found[2], line)
            self.assertGreater(int(found[2]) if found else 0, 3000)

    def tool(self, name: str) -> str:
        """Where a tool is, or a skipped test."""
        path = shutil.which(name)
        if path is None:
            self.skipTest(f"{name} is not installed")
        return path

    def test_python_example(self) -> None:
        """CPython passes all that it implements."""
        self.passes_all(run(sys.executable, EXAMPLES / "check.py", VECTORS))

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

    def test_examples_can_fail(self) -> None:
        """A decoder that does not do as expected is counted under each policy, the first ten cases are named, and the exit code says so;
        no vectors is no success."""
        with tempfile.TemporaryDirectory() as name:
            folder, out = small_vectors(Path(name) / "vectors"), Path(name) / "out"
            first = self.damage(folder / "utf-8" / "standard-examples.json")
            made = run(sys.executable, ROOT / "scripts" / "export", "--vectors", folder, out)
            self.assertEqual(made.returncode, 0, made.stderr)
            tables, c, rust = out / "tsv" / "utf-8", out / "check-c", out / "check-rust"
            verdict = {"strict (verdict)": "ill-formed, not well-formed"}
            python = {"strict": "('-', [(0, 1)]), not ('7F', [(7, 1)])"}
            for strict, others, build, command in (
                    (python, ("whatwg", "skip", "surrogateescape"), [], [sys.executable, EXAMPLES / "check.py", folder]),
                    (verdict, ("whatwg",), [], ["node", EXAMPLES / "check.mjs", folder]),
                    (verdict, ("per-byte", "per-run"), [], ["go", "run", EXAMPLES / "check.go", folder]),
                    (verdict, ("jdk",), [], ["java", EXAMPLES / "Check.java", tables]),
                    ({"strict": "0:1, not 7:1"}, ("whatwg",), ["rustc", EXAMPLES / "check.rs", "-o", rust], [rust, tables]),
                    ({"strict": "- and an error at 0, not 7F and an error at 7"}, (), ["cc", f"-I{out}", EXAMPLES / "check.c", "-o", c], [c])):
                with self.subTest(str((build or command)[0])):
                    self.tool(str((build or command)[0]))
                    self.assertEqual(run(*build).returncode if build else 0, 0)
                    got = run(*command)
                    named = [line for line in got.stderr.splitlines() if line.startswith("utf-8/standard-examples/")]
                    self.assertEqual((got.returncode, len(named)), (1, 10), got.stderr)
                    for policy, said in {**strict, **{policy: f"{first[policy]}, not 7F,{first[policy]}" for policy in others}}.items():
                        self.assertIn(f"{policy}: 0 of 21 passed", got.stdout.splitlines())
                        self.assertIn(f"utf-8/standard-examples/c0afe080bff0818241: {policy} of C0AFE080BFF0818241: {said}", named)
                        self.assertIn(f": {policy} of -: ", got.stderr)
            self.assertEqual(run(sys.executable, EXAMPLES / "check.py", name).returncode, 2)

    def test_javascript_example(self) -> None:
        """Node passes all that it implements."""
        self.passes_all(run(self.tool("node"), EXAMPLES / "check.mjs", VECTORS))

    def test_java_example(self) -> None:
        """The JDK passes all that it implements."""
        self.passes_all(run(self.tool("java"), EXAMPLES / "Check.java", self.out / "tsv" / "utf-8"))

    def test_rust_example(self) -> None:
        """Rust passes all that it implements."""
        program = self.folder / "check-rust"
        built = run(self.tool("rustc"), EXAMPLES / "check.rs", "-o", program)
        self.assertEqual(built.returncode, 0, built.stderr)
        self.passes_all(run(program, self.out / "tsv" / "utf-8"))

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
        self.passes_all(run(self.tool("go"), "run", EXAMPLES / "check.go", VECTORS))

    def test_c_example(self) -> None:
        """The header compiles without a warning; glibc before 2.37 takes what is beyond U+10FFFF, so not all pass."""
        program = self.folder / "check-c"
        built = run(self.tool("cc"), "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{self.out}", EXAMPLES / "check.c",
                    "-o", program)
        self.assertEqual(built.returncode, 0, built.stderr)
        got = run(program)
        self.assertRegex(got.stdout, r"^strict: [0-9]{4,} of [0-9]{4,} passed\n$")
        passed, total = map(int, re.findall("[0-9]+", got.stdout))
        self.assertGreater(passed, 0.9 * total)


if __name__ == "__main__":
    unittest.main()
