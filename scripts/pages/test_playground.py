# SPDX-License-Identifier: MIT
"""The page in the browser: its parts, and the page itself if a browser and the module exist. ASSAY_PLAYGROUND=all does what takes long: it
builds the module, and tests everything in Chromium and Firefox. The module alone: test_module.py."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List
from unittest import mock

from pages.playground import module, page
from pages.playground.bundle import bundle
from pages.playground.runner import MODULES, absent, program_of
from pages.playground.vectors import compact

ROOT = Path(__file__).resolve().parents[2]
ASSAY = os.environ.get("ASSAY", str(ROOT / "build" / "assay"))
SHOTS = Path(ASSAY).parent / "screenshots"
HERE = Path(__file__).resolve().parent / "playground"
EVERYTHING = os.environ.get("ASSAY_PLAYGROUND") == "all"
SECONDS = 1800  # nothing here takes 300
SHORT = ("begins_and_fetches_nothing", "golden_cases_have_their_outputs")
ENCODINGS = ("utf-8", "wtf-8", "cesu-8", "mutf-8", "utf-16le")

# Text, form, how many times the text is repeated; the form found, the first 8 bytes in hex or the problem, how many bytes.
FORMS = [
    *((text, "auto", 1, "hex", "e4b896", 3) for text in ("E4 B8 96", "0xE4,0xB8,0x96", "e4:b8:96", "0xE4B896", " E4-b8\t96,\n")),
    *((text, "auto", 1, "escapes", "e4b896", 3) for text in ('"\\xE4\\xb8\\226"', "\\u4E16", "\\u{4e16}", "b'\\xE4\\xB8\\x96'")),
    *((text, "auto", 1, "array", "e4b896", 3) for text in (
        "{0xE4, 184, 0x96}", "&[0xE4u8, 0xb8, 0x96]", "unsigned char a[3] = {0xE4, 0xB8, 0x96};", "let a: [u8; 3] = [0xE4_u8, 184, 0b10010110];", "{0xE4, /* {lead} */ 0xB8, 0x96}", "{-28, -72, -106}")),
    ("%E4%b8%96", "auto", 1, "percent", "e4b896", 3), ("a%FFb", "auto", 1, "percent", "61ff62", 3), ("5LiW5A==", "auto", 1, "base64", "e4b896e4", 4), ("5LiW", "base64", 1, "base64", "e4b896", 3),
    *((text, "auto", 1, "text", text.encode().hex()[:16], len(text.encode())) for text in ("\u4e16\u754c", '{"a": 1, "b": [2]}', "see [1], [2]", "hello", "")),
    ("E4 B", "hex", 1, None, "This is no hex: the last pair of digits is incomplete.", 0), ("E4 XY", "hex", 1, None, "This is no hex: pairs of digits are needed, such as E4 B8 96.", 0),
    ("\\q", "escapes", 1, None, "There is no escape \\q.", 0), ("%zz", "percent", 1, None, "After % two hex digits are needed.", 0), ("{0x1FF, 2}", "auto", 1, None, "'0x1FF' is no byte.", 0),
    *((text, "auto", 1, "escapes", expected, len(expected) // 2) for text, expected in (
        ("\\uD83D\\ude00", "f09f9880"), ('"\\xE4\\xB8" "\\x96"', "e4b896"), ('u8"\\xE4\\""\n  "\\\\"', "e4225c"), ("'\\x41\" \"'", "41222022"))),
    *((text, "auto", 1, "array", "e4b896", 3) for text in ("{0xE4, // lead, {\n 0XB8, 0x96}", "new byte[] {(byte) 0xE4, (byte)0xB8, (byte) -106}", "[]byte{0xe4, 184, 0x96}")),
    ("E4\u00a0B8\u202f0X96\ufeff", "auto", 1, "hex", "e4b896", 3), ("_-_75LiW5A==", "auto", 1, "base64", "ffeffbe4b896e4", 7), ("variable=", "auto", 1, "text", b"variable".hex(), 9),
    *((text, "escapes", 1, None, f"{text[-6:]} is one half of a surrogate pair, which has no bytes in UTF-8.", 0) for text in ("\\uD800", "a\\ude00", "\\uD83D\\uDE00\\uDBFF")),
    ("\\x41\\q", "escapes", 1, None, "There is no escape \\q.", 0), ("A", "base64", 1, None, "This is no base64.", 0), ("E4 B8 96 ", "auto", 1 << 18, "hex", "e4b896e4b896e4b8", 3 << 18), ("E4B896", "auto", 1 << 18, "hex", "e4b896e4b896e4b8", 3 << 18),
    *((text, "auto", 1 << 18, "text", (text * 8).encode().hex()[:16], len(text) << 18) for text in ("{", "[1,", "/*", "'", "\\u", "a=")),
    ("E4 " * 3000 + "no hex", "auto", 1, "text", b"E4 E4 E4".hex(), 9006), ("%E4", "auto", 1 << 18, "percent", "e4" * 8, 1 << 18), ("\\xE4x", "auto", 1 << 18, "escapes", "e478" * 4, 2 << 18),
]


def cases(encoding: str, count: int) -> List[Dict[str, Any]]:
    """Some short golden cases, ill-formed for the most part."""
    tests = [test for name in ("swallowing", "blocks", "transitions", "surrogate") for path in (ROOT / "vectors" / encoding).glob(f"{name}.json")
             for test in json.loads(path.read_text("ascii"))["tests"] if 2 < len(test["bytes"]) < 40]
    return random.Random(1).sample(tests, count)


def scalars(text: str) -> str:
    """SCALARS of the vectors as the page shows code points."""
    return "(nothing)" if text == "-" else " ".join(word.rjust(4, "0") for word in text.split(","))


class PartsTest(unittest.TestCase):
    """What the page is made of, without a browser."""

    def test_modules_become_one_script(self) -> None:
        """In the order of imports, with a name of its own for each; what cannot be bundled is refused."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "a.mjs").write_text("import { two as zwei } from './b.mjs';\nconst one = 1;\nconsole.log(one + zwei);\n")
            (folder / "b.mjs").write_text("const one = 2;\nexport const two = one;\nexport async function wait() {}\n")
            if shutil.which("node"):
                done = subprocess.run(["node", "-e", bundle(folder / "a.mjs")], stdout=subprocess.PIPE, text=True, check=True, timeout=SECONDS)
                self.assertEqual(done.stdout, "3\n")
            self.assertIn("return {two, wait};", bundle(folder / "a.mjs"))
            for wrong in ("import x from './b.mjs';\n", "export default 1;\n", "import { y } from './c.mjs';\n"):
                (folder / "c.mjs").write_text(wrong)
                with self.assertRaises(ValueError, msg=wrong):
                    bundle(folder / "c.mjs")

    def test_says_that_the_module_is_built(self) -> None:
        """Before that, so that it is not silent meanwhile; a module that is given is not built."""
        with mock.patch.object(module.subprocess, "run", return_value=subprocess.CompletedProcess([], 0)), mock.patch("sys.stderr", io.StringIO()) as said:
            self.assertEqual(module.build(), ROOT / "build" / "wasm" / "assay.wasm")
        self.assertEqual(said.getvalue(), "building  build/wasm\n")
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "none.wasm").write_bytes(b"no module")
            done = subprocess.run([sys.executable, str(ROOT / "scripts/playground"), "--module", f"{name}/none.wasm", f"{name}/page.html"], capture_output=True, text=True, check=True, timeout=SECONDS)
        self.assertEqual(done.stderr, "")

    def test_forms_of_input(self) -> None:
        """How each form is read; which are refused, and why; a guess from the beginning of a long text that is wrong further on."""
        if not shutil.which("node"):
            self.skipTest("NOT LOOKED AT: the forms of input, as there is no Node.js (scripts/setup page installs it)")
        code = ("import(process.argv[1]).then(({readForm}) => console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0, 'utf-8')).map(([text, form, count]) => {"
                "const {form: found, bytes, problem} = readForm(text.repeat(count), form); return [found ?? null, bytes ? Buffer.from(bytes.subarray(0, 8)).toString('hex') : problem, bytes?.length ?? 0]; }))))")
        asked = json.dumps([[text, form, count] for text, form, count, *_ in FORMS])
        done = subprocess.run(["node", "-e", code, str(HERE / "forms.mjs")], input=asked, stdout=subprocess.PIPE, text=True, check=True, timeout=SECONDS)
        for (text, form, count, *expected), got in zip(FORMS, json.loads(done.stdout)):
            self.assertEqual(got, expected, (text, form, count))

    def test_doubts(self) -> None:
        """What is read as text, but looks like another form, is said to; ordinary text is not."""
        if not shutil.which("node"):
            self.skipTest("NOT LOOKED AT: the forms of input, as there is no Node.js (scripts/setup page installs it)")
        code = "import(process.argv[1]).then(({readForm}) => console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0, 'utf-8')).map((text) => readForm(text, 'auto').doubt))))"
        odd, base64 = "It looks like hex, but a pair of digits is incomplete.", "It may be base64: choose the form to read it so."
        doubts = {"41 4": odd, "0x41,0x100": odd, "E4 B8 9": odd, "w6k=": base64, "41 42": "", "hello": "", "face it": "", "": "", "8J+YgA==": "", "a=": "", "1 of 2": "", "0" * 5001: odd, "- " * 4096: ""}
        done = subprocess.run(["node", "-e", code, str(HERE / "forms.mjs")], input=json.dumps(list(doubts)), stdout=subprocess.PIPE, text=True, check=True, timeout=SECONDS)
        self.assertEqual(dict(zip(doubts, json.loads(done.stdout))), doubts)

    def test_vectors_are_those_of_the_set(self) -> None:
        """Each case of the kinds that browsers can be asked, and its expected output."""
        groups = compact(ROOT / "vectors")
        self.assertGreater(sum(len(group["tests"]) for group in groups), 9000)
        self.assertEqual({group["kind"] for group in groups}, {"decode", "stream", "reuse", "encode"})
        overlong = next(group for group in groups if (group["encoding"], group["category"]) == ("utf-8", "overlong"))
        source = json.loads((ROOT / "vectors" / "utf-8" / "overlong.json").read_text("ascii"))
        self.assertEqual(len(overlong["tests"]), source["count"])
        self.assertIn(["c080", "C080", "FFFD,FFFD", 0], overlong["tests"])

    def test_page_stands_alone(self) -> None:
        """It refers to no other file, its policy allows only its own script, and it is within its size."""
        text = page.page_of(b"\0asm", ROOT / "vectors")
        self.assertNotRegex(text.split("<body")[0] + text.split("</style>")[1].split('id="tables"')[0], r"src=|href=(?!\"#)|<link|@import|url\(")
        self.assertRegex(text, r"default-src 'none'; script-src 'sha256-[\w+/=]+' 'wasm-unsafe-eval'; style-src 'sha256-[\w+/=]+'; worker-src blob:")
        self.assertNotRegex(text, r"unsafe-inline|unsafe-eval'[^;]*unsafe|innerHTML|\{\{\w+\}\}")
        self.assertRegex(text, r"Made by utf8-assay \d+\.\d+\.\d+(, commit [\w.-]+)?, on \d{4}-\d\d-\d\d: <code class=\"command\">scripts/playground OUT\.html</code>")
        self.assertTrue(text.endswith("</html>\n"))


class BrowserTest(unittest.TestCase):
    """The page in browsers."""

    folder: Path
    wasm: Path

    @classmethod
    def setUpClass(cls) -> None:
        """Makes the page. The module is built if all is asked; else one that is there is taken."""
        if absent("node") is not None or not (MODULES / "node_modules" / "puppeteer-core").exists():
            raise unittest.SkipTest("NOT LOOKED AT: the page in a browser, as there is no Node.js or puppeteer-core (scripts/setup page installs them)")
        cls.wasm = module.build() if EVERYTHING else module.BUILT / "assay.wasm"
        if not cls.wasm.exists():
            raise unittest.SkipTest("NOT LOOKED AT: the page in a browser, as the module is not built (scripts/playground builds it)")
        cls.folder = Path(tempfile.mkdtemp(prefix="playground-test-"))
        made = subprocess.run([sys.executable, str(ROOT / "scripts/playground"), "--module", str(cls.wasm), str(cls.folder / "page.html")],
                              stdout=subprocess.PIPE, text=True, check=True, timeout=SECONDS)
        assert int(made.stdout.split()[-2].replace(",", "")) < 1_000_000, made.stdout

    @classmethod
    def tearDownClass(cls) -> None:
        """Removes it."""
        shutil.rmtree(cls.folder, ignore_errors=True)

    def others(self) -> Path:
        """What the checks need beside the page: one of a module with a fault, golden cases, and letters of `assay`."""
        wasm = self.wasm.read_bytes()
        row = bytes((2, 0, 0, 0, 0xC2, 0xDF, 0x80, 0xBF))
        self.assertIn(row, wasm, "the row U+0080..U+07FF of the reference is not where it was")
        (self.folder / "planted.wasm").write_bytes(wasm.replace(row, bytes((2, 0, 0, 0, 0xC0, 0xDF, 0x80, 0xBF))))
        planted = self.folder / "planted.html"
        planted.write_text(page.page_of((self.folder / "planted.wasm").read_bytes(), ROOT / "vectors"), "utf-8")
        tests = [(encoding, test) for encoding in ENCODINGS for test in cases(encoding, 4 if EVERYTHING else 3)]
        golden = [[encoding, test["bytes"], {policy: scalars(output) for policy, output in test["outputs"].items() if policy != "strict"}] for encoding, test in tests]
        letters = []
        for encoding, test in tests if EVERYTHING else []:
            said = subprocess.run([ASSAY, "explain", "-e", encoding, test["bytes"]], stdout=subprocess.PIPE, text=True, check=True, timeout=SECONDS).stdout
            letters.append([encoding, test["bytes"], [line.strip().rsplit(" (", 1)[0] for line in said.splitlines() if line.startswith("    ill-formed at")]])
        path = self.folder / "others.json"
        path.write_text(json.dumps({"planted": str(planted), "cases": golden, "letters": letters, "golden": cases("utf-8", 1)[0]}), "utf-8")
        return path

    def drive(self, browser: str) -> None:
        """Does all that is to be done in a browser."""
        program = program_of(browser)
        if program is None:
            self.skipTest(f"NOT LOOKED AT: the page in {browser}, which is not installed (scripts/setup page installs it)")
        SHOTS.mkdir(parents=True, exist_ok=True)
        command = ["node", str(HERE / "drive.mjs"), str(MODULES), browser, program, str(self.folder / "page.html"), str(self.others()), str(SHOTS)]
        done = subprocess.run([*command, *(["all"] if EVERYTHING else SHORT)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=SECONDS)
        self.assertEqual(done.returncode, 0, done.stdout)
        results = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        self.assertGreaterEqual(len(results), 34 if EVERYTHING else len(SHORT))
        for result in results:
            with self.subTest(browser=browser, check=result["name"]):
                self.assertIsNone(result["problem"], result["problem"])
            if result["said"]:
                print(f"{browser}: {result['said']}", file=sys.stderr)

    def test_in_chromium(self) -> None:
        """Each feature once; a short version in the ordinary run."""
        self.drive("chrome")

    @unittest.skipUnless(EVERYTHING, "Firefox is asked by scripts/test --long")
    def test_in_firefox(self) -> None:
        """The same."""
        self.drive("firefox")


if __name__ == "__main__":
    unittest.main()
