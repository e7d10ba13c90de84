# SPDX-License-Identifier: MIT
"""The field report: about right, wrong and hostile subjects, in a browser, interrupted; and its readings of inputs."""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Dict, List, Tuple
from unittest.mock import patch

from field import ROOT, readings
from field import run as program
from field.asking import PROFILE, Plan, step_for
from field.changes import Changes
from field.entries import load_vectors
from field.readings import Reading
from field.readme_html import block, stories
from pages.screenshots import browser as find_browser
from pages.test_damage_page import can_import
from witness.schema import failures

SCRIPT = ROOT / "scripts" / "field-report"
ASSAY = os.environ.get("ASSAY", str(ROOT / "build" / "assay"))
SHOTS = Path(ASSAY).parent / "screenshots"
HOSTILE = f"{sys.executable} {ROOT / 'harnesses' / 'assay' / 'tests' / 'hostile.py'}"
SECONDS = 300  # nothing here takes 30
MARKUP = "<img src=x onerror=document.title=1>"
PUPPETEER = ROOT / "build" / "page" / "node_modules" / "puppeteer-core"

# Uses the page as a reader does, with a mouse and on a phone with a finger: opens a cell and closes it, chooses two subjects, filters. Prints what is then shown.
USE = r"""
const [modules, program, profile, page, cell] = process.argv.slice(1);
const screens = {desktop: {width: 1200, height: 900}, phone: {width: 390, height: 844, isMobile: true, hasTouch: true}};
(async () => {
  const browser = await require(modules).launch({executablePath: program, userDataDir: profile, headless: true, args: ['--no-sandbox', '--disable-gpu'], timeout: 120000});
  const seen = {};
  for (const [name, screen] of Object.entries(screens)) {
    const tab = await browser.newPage();
    const press = (selector) => name === 'phone' ? tab.tap(selector) : tab.click(selector);
    const textOf = (selector) => tab.$eval(selector, (element) => element.innerText);
    await tab.setViewport(screen);
    await tab.goto(`file://${page}`);
    await press(`#cells button[aria-label^="${cell}:"]`);
    await tab.waitForSelector('#box[open]', {timeout: 120000});
    const opened = await textOf('#content');
    await press('#box button[aria-label=close]');
    await tab.waitForSelector('#box:not([open])', {timeout: 120000});
    await tab.select('#one', 'lenient');
    await tab.select('#other', 'good');
    const chosen = await textOf('#differences');
    await tab.type('#filter', 'of-len');
    seen[name] = {opened, chosen, filtered: await textOf('#cells tbody'), out: await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth)};
  }
  console.log(JSON.stringify(seen));
  await browser.close();
})().catch((error) => { console.error(error); process.exit(1); });
"""


def row(name: str, command: str, build: str = "", version: str = "echo 1") -> str:
    """A row of a table."""
    return f'SUBJECT({name}, "of-{name}", "{name}-package", "{build}", "{command}", "{version}", "https://example.org/{name}")\n'


def start(folder: Path, table: str, *options: str) -> "subprocess.Popen[str]":
    """Starts the report of a table."""
    (folder / "table.def").write_text(table, "ascii")
    command = [sys.executable, str(SCRIPT), "--table", str(folder / "table.def"), "--out", str(folder / "out"), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "ASSAY": ASSAY})


def runs(pid: str) -> bool:
    """True if a process is there and has not ended."""
    try:
        return Path("/proc", pid, "stat").read_text("ascii", "replace").rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def browse(page: Path, place: str, profile: Path, *options: str) -> str:
    """What Chromium makes of a page."""
    browser = find_browser()
    if browser is None:
        raise unittest.SkipTest("NOT LOOKED AT: there is no Chromium")
    done = subprocess.run([browser, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", *options, f"file://{page}{place}"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True, timeout=SECONDS)
    return done.stdout


@unittest.skipUnless(can_import("jinja2"), "no Jinja2")
class ReportTest(unittest.TestCase):
    """A report of a table with one good subject, one that takes C0 80, and five that misbehave."""

    folder: Path
    done: Tuple[int, str, str]
    field: Dict[str, Any]

    @classmethod
    def setUpClass(cls) -> None:
        """Asks them once."""
        cls.folder = Path(tempfile.mkdtemp(prefix="field-test-"))
        table = (row("good", f"{HOSTILE} none") + row("lenient", f"{HOSTILE} whole") + row("aborting", f"{HOSTILE} abort")
                 + row("markup", f"{HOSTILE} form", version=f"echo '{MARKUP}'")
                 + row("noisy", f"{HOSTILE} noise") + row("broken", f"{HOSTILE} none", build="echo '<b>no</b>' >&2; false") + row("absent", "x", version="false"))
        child = start(cls.folder, table, "--seconds", "0.3")
        out, errors = child.communicate(timeout=SECONDS)
        cls.done = child.returncode, out, errors
        cls.field = json.loads((cls.folder / "out" / "field.json").read_text("ascii")) if child.returncode in (0, 1) else {}
        cls.subjects = {one["name"]: one for one in cls.field.get("subjects", [])}

    @classmethod
    def tearDownClass(cls) -> None:
        """Removes what was written."""
        shutil.rmtree(cls.folder, ignore_errors=True)

    def test_each_subject_fails_alone(self) -> None:
        """Subjects that cannot be asked are named with the reason, those that are not installed are listed, the others have their
        figures."""
        self.assertEqual(self.done[0], 1, self.done[2])
        self.assertEqual(list(self.subjects), ["good", "lenient", "aborting", "markup"])
        self.assertEqual([one["name"] for one in self.field["not_installed"]], ["absent"])
        reasons = {one["name"]: one["reason"] for one in self.field["could_not_be_asked"]}
        self.assertEqual(set(reasons), {"noisy", "broken"})
        self.assertIn("<b>no</b>", reasons["broken"])
        self.assertEqual({name: one["requests"]["troubled"] > 0 for name, one in self.subjects.items()}, {"good": False, "lenient": False, "aborting": True, "markup": True})
        self.assertEqual(self.subjects["good"]["requests"]["failed"], 0)
        self.assertEqual(self.field["implementations"], 4)
        self.assertIn("[6/6]", self.done[2])
        self.assertIn("4 subjects of 4 implementations", self.done[1])

    def test_entries_say_what_was_asked(self) -> None:
        """Categories, profile, failures with bytes, and the share; a subject of 0.3 s is asked a share."""
        good, markup = self.subjects["good"], self.subjects["markup"]
        self.assertGreater(good["every"], 0)
        self.assertLessEqual(good["cases_asked"], good["cases_all"])
        self.assertEqual({one["profile"] for one in good["profile"]}, {"strict", "whatwg"})
        self.assertEqual(good["behaviour"]["overlongs"]["accepted"], 0)
        self.assertGreater(good["behaviour"]["overlongs"]["asked"], 40)
        self.assertEqual(good["behaviour"]["surrogates"]["text"], "FFFD,FFFD,FFFD")
        self.assertEqual(good["behaviour"]["noncharacters"]["accepted"], good["behaviour"]["noncharacters"]["asked"])
        self.assertEqual(good["behaviour"]["feff"], {"first": "FEFF,41", "later": "41,FEFF,42", "with_signature": None})
        shown = [one for cases in markup["categories"].values() for one in cases["failures"]]
        self.assertIn("validate utf-8 C080", [one["asked"] for one in shown])
        self.assertIn("ok <script>alert(1)</script>", [one["got"] for one in shown])
        self.assertEqual(markup["residue"][0]["smallest"]["asked"], "validate utf-8 C080")
        self.assertEqual((markup["deviations"], markup["left_over"]), ([], markup["requests"]["failed"]))
        self.assertEqual(sum(cause["requests"] for cause in markup["residue"]), markup["left_over"])
        self.assertRegex(self.done[1], "neither policy nor deviation explains: lenient, aborting, markup\n")

    def test_obeys_its_schema(self) -> None:
        """The schema refuses fields that are missing, of another type or unknown."""
        schema = json.loads((Path(__file__).parent / "schema.json").read_text("ascii"))
        self.assertEqual(failures(self.field, schema, schema), [])
        self.assertEqual(self.field["program"]["command"][:2], ["scripts/field-report", "--table"])
        self.assertRegex((self.folder / "out" / "field.html").read_text("utf-8"), r"Made by utf8-assay [0-9.]+(, commit [0-9a-f]+(-dirty)?)?, on [0-9-]{10} [0-9:]{5} UTC: <code class=.command.>scripts/field-report --table ")
        for path, value in (("subjects.0.version", 3), ("subjects.0.unknown", 1), ("readings.inputs", None), ("divergences.0.html", "")):
            wrong: Any = copy.deepcopy(self.field)
            *way, last = path.split(".")
            place = wrong
            for word in way:
                place = place[int(word)] if word.isdigit() else place[word]
            place[last] = value
            self.assertNotEqual(failures(wrong, schema, schema), [], path)

    def test_the_page_counts_a_bug_once_and_only_while_it_is_there(self) -> None:
        """Of two subjects with the same divergence, one with another that is fixed, one that is asked as a third."""
        field = copy.deepcopy(self.field)
        for subject, status in zip(field["subjects"], ("still there", "still there", "asked as x")):
            subject["divergences"] = [{"name": "a", "status": status}, {"name": "b", "status": "fixed"}]
        (self.folder / "counted").mkdir()
        program.write(self.folder / "counted", field)
        self.assertIn(f">1 such bug is still there</a>, of {len(field['divergences'])} that are written down.", (self.folder / "counted" / "field.html").read_text("utf-8"))

    def test_page_opens_in_a_browser(self) -> None:
        """Offline from the file: the matrix is drawn, a cell opens, what subjects print is text, and two are compared."""
        page, profile = self.folder / "out" / "field.html", self.folder / "profile"
        category = next(name for name, cases in self.subjects["markup"]["categories"].items() if any("script" in one["got"] for one in cases["failures"]))
        SHOTS.mkdir(parents=True, exist_ok=True)
        dom = browse(page, f"#cell=markup/{category}", profile, "--dump-dom", f"--screenshot={SHOTS / 'field-cell.png'}", "--window-size=1200,1400",
                     "--blink-settings=preferredColorScheme=0")
        for said in ("<td>&lt;img src=x onerror=", "4 subjects of 4</output>", "&lt;b&gt;no&lt;/b&gt;</code>", "absent-package",
                     "<dialog id=\"box\" open", "<dd>ok &lt;script&gt;alert(1)&lt;/script&gt;</dd>"):
            self.assertTrue(said in dom, said)
        self.assertFalse("<img" in dom)
        dom = browse(page, "#differ=good/lenient", profile, "--dump-dom")
        self.assertRegex(dom.split('id="differences"')[1].split("</table>")[0],
                         r"<code>C0 80</code><div class=\"soft\">utf-8</div></td><td>refuses; reads U\+FFFD U\+FFFD</td><td>accepts; reads ")

    def test_page_is_used_with_mouse_and_finger(self) -> None:
        """On a desktop and on a phone: a cell opens with bytes, expected and got; two subjects are chosen; the matrix is filtered; nothing sticks out."""
        node, browser = shutil.which("node"), find_browser()
        if node is None or browser is None or not PUPPETEER.exists():
            self.skipTest("NOT LOOKED AT: there is no Node.js, Chromium or puppeteer-core (scripts/setup page installs them)")
        done = subprocess.run([node, "-e", USE, str(PUPPETEER), browser, str(self.folder / "used"), str(self.folder / "out" / "field.html"), "lenient, overlong"],
                              capture_output=True, text=True, check=False, timeout=SECONDS)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, seen in json.loads(done.stdout).items():
            with self.subTest(name):
                self.assertRegex(seen["opened"], r"lenient: utf-8/overlong[^|]*bytes\s+C0 80\s[^|]*expected\s+error 0 1 overlong\s+got\s+ok\s")
                self.assertRegex(seen["chosen"], r"lenient\s+good\s[^|]*C0 80\s+utf-8\s+accepts; reads [^|]*refuses; reads U\+FFFD U\+FFFD")
                self.assertEqual((seen["filtered"].split()[0], len(seen["filtered"].splitlines())), ("lenient", 1), seen["filtered"])
                self.assertEqual(seen["out"], 0)

    def test_a_report_is_compared_with_an_earlier_one(self) -> None:
        """With --baseline: the same answers are no change; a new failure, one that is gone, and a divergence that is fixed are."""
        path, table = self.folder / "earlier.json", row("lenient", f"{HOSTILE} whole")
        path.write_text(json.dumps(self.field), "ascii")
        child = start(self.folder, table, "--seconds", "0.01", "--baseline", str(path), "--out", str(self.folder / "again"))
        out = child.communicate(timeout=SECONDS)[0]
        self.assertEqual(child.returncode, 0, out)
        self.assertIn("not asked this time: good, aborting, markup\n", out)
        self.assertRegex(out, r"(?m)^since .* UTC: the answers of 0 of 1 subjects changed$")
        lenient = self.subjects["lenient"]
        self.assertIn("utf-8/overlong/c080 validate -", lenient["failed_first"])
        old = {**lenient, "version": "0", "failed_first": ["utf-8/overlong/c180 validate -", *lenient["failed_first"][1:]],
               "divergences": [{"name": "a", "status": "still there"}]}
        new = {**lenient, "divergences": [{"name": "a", "status": "fixed"}, {"name": "b", "status": "still there"}]}
        found = Changes({**self.field, "subjects": [old]}, {**self.field, "subjects": [new]})
        self.assertEqual(found.lines[:4], ["lenient (0, now 1):", f"    new failure: {lenient['failed_first'][0]}",
                                           "    fails no longer: utf-8/overlong/c180 validate -", "    divergence a: still there, now fixed"])
        self.assertEqual(found.found, 1)
        path.write_text(json.dumps({**self.field, "subjects": [{**lenient, "failed_first": ["x"]}]}), "ascii")
        child = start(self.folder, table, "--baseline", str(path), "--out", str(self.folder / "refused"))
        self.assertIn(f"--baseline: {path} is no field.json of this version", child.communicate(timeout=SECONDS)[1])
        self.assertEqual((child.returncode, (self.folder / "refused").exists()), (2, False))

    def test_page_has_the_requests_of_subjects(self) -> None:
        """Those that they offered in this run, whatever OPERATIONS.md says of the name; each other one with its reason, if it has one."""
        out = self.folder / "requests"
        out.mkdir()
        first, *others = self.field["subjects"]
        self.assertEqual(first["offers"], ["validate", "decode"])
        program.write(out, {**self.field, "subjects": [{**first, "name": "lua", "offers": ["validate"]}, *others]})
        table = (out / "field.html").read_text("utf-8").split('id="requests"')[1].split("</section>")[0]
        self.assertEqual(re.findall(r'<th scope="row">(.*?)</th>', table), ["lua", *(one["name"] for one in others)])
        number = re.search(r'<th scope="row">lua</th><td class="pass">.</td><td>no</td><td><a href="#reason-(\d+)">', table)
        assert number is not None
        self.assertIn(f'<li id="reason-{number[1]}">no state between calls', table)

    def test_page_loads_nothing(self) -> None:
        """No element names another file; data and page are whole, and nothing else is left in the folder."""
        text = (self.folder / "out" / "field.html").read_text("utf-8")
        self.assertNotRegex(text.split('id="data"')[0], r"(src|href)=\"(?!#|https://)|<link|@import|url\(")
        self.assertTrue(text.rstrip().endswith("</html>"))
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()), ["field.html", "field.json"])


@unittest.skipUnless(can_import("jinja2"), "no Jinja2")
class RefusalTest(unittest.TestCase):
    """Interrupted runs, and unknown names."""

    def test_interrupted_leaves_nothing(self) -> None:
        """Exit code 130: no file is written, and what the subject started is gone, also what has a session of its own."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            child = start(folder, row("silent", f"sh -c 'setsid sleep 1000 & echo $! >{folder}/pid; exec sleep 1000'"))
            limit = time.monotonic() + SECONDS
            while not (folder / "pid").exists() or not (folder / "pid").read_text("ascii").endswith("\n"):
                self.assertLess(time.monotonic(), limit)
                self.assertIsNone(child.poll())
                time.sleep(0.05)
            child.send_signal(signal.SIGINT)
            errors = child.communicate(timeout=SECONDS)[1]
            self.assertEqual(child.returncode, 130, errors)
            self.assertIn("interrupted", errors)
            self.assertEqual(list((folder / "out").iterdir()), [])
            pid = (folder / "pid").read_text("ascii").strip()
            if runs(pid):
                os.kill(int(pid), signal.SIGKILL)
                self.fail("what the subject started was left running")

    def test_without_subjects_it_cannot_run(self) -> None:
        """Exit code 2, no folder is made, and the old report stays."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "out").mkdir()
            (folder / "out" / "field.html").write_text("old", "ascii")
            child = start(folder, row("absent", "x", version="false"), "--out", str(folder / "new"))
            child.communicate(timeout=SECONDS)
            self.assertEqual((child.returncode, (folder / "new").exists()), (2, False))
            for options in (("--subjects", "nobody"), ("--subjects", "absent")):
                child = start(folder, row("absent", "x", version="false"), *options)
                errors = child.communicate(timeout=SECONDS)[1]
                self.assertEqual(child.returncode, 2)
                self.assertRegex(errors, r"^field-report: no subject that is installed matches")
            self.assertEqual([(path.name, path.read_text("ascii")) for path in (folder / "out").iterdir()], [("field.html", "old")])

    def test_says_that_it_cannot_write(self) -> None:
        """In the sentence that `assay` has for it, before a subject is asked."""
        with tempfile.TemporaryDirectory() as folder:
            child = start(Path(folder), row("good", f"{HOSTILE} none"), "--out", "/dev/null/there")
            out, errors = child.communicate(timeout=SECONDS)
        self.assertEqual((child.returncode, out, errors), (2, "", "field-report: /dev/null/there cannot be written: Not a directory\n"))

    def test_installs_before_it_needs_what_is_installed(self) -> None:
        """The page's packages may be among it; what cannot be installed ends the report."""
        with tempfile.TemporaryDirectory() as folder:
            for steps, code, made in (((["touch", f"{folder}/one"], ["false"], ["touch", f"{folder}/two"]), 2, {"one"}), ((["touch", f"{folder}/two"],), 7, {"one", "two"})):
                with patch.object(program, "INSTALL", steps), patch.object(program.shared, "require_packages", side_effect=SystemExit(7)):
                    with self.subTest(code), self.assertRaises(SystemExit) as ended:
                        sys.exit(program.main(["--install"]))
                self.assertEqual((ended.exception.code, set(os.listdir(folder))), (code, made))


class ReadingsTest(unittest.TestCase):
    """What two subjects make of an input."""

    def test_like_is_compared_with_like(self) -> None:
        """A verdict and a text say nothing of each other."""
        for one, other, expected in ((Reading(True, None), Reading(False, None), True), (Reading(True, None), Reading(None, "FFFD"), False),
                                     (Reading(None, "41"), Reading(None, "FFFD"), True), (Reading(False, "41"), Reading(None, "41"), False), (None, Reading(True, "41"), False)):
            self.assertEqual((readings.differ(one, other), readings.differ(other, one)), (expected, expected))

    def test_answers_become_readings(self) -> None:
        """Groups are joined, the subject's own practice counts before others, and a refusal stays one."""
        found = readings.readings_of([["a", "validate utf-8 C2", "error 0 1"], ["a", "decode utf-8 strict C2", "error"], ["a", "decode utf-8 whatwg C2", "ok FFFD"],
                                      ["a", "decode utf-8 own C2", "ok -"], ["b", "decode utf-8 own C2,41", "ok -|FFFD,41|-"], ["c", "decode utf-8 strict 41", "ok 41"]])
        self.assertEqual(found, {("utf-8", "C2"): Reading(False, "-"), ("utf-8", "C2,41"): Reading(None, "FFFD,41"), ("utf-8", "41"): Reading(True, "41")})

    def test_shortest_inputs_of_each_pair_are_kept(self) -> None:
        """An input that all read alike is not, and no pair has more than it is allowed."""
        names: List[str] = [f"{byte:02X}" for byte in range(0x80, 0x80 + 2 * readings.PER_PAIR)]
        one = {("utf-8", name): Reading(True, None) for name in names}
        other = {key: Reading(key[1] != "80" and int(key[1], 16) % 2 == 1, None) for key in one}
        table = readings.table({"one": one, "other": other, "third": one})
        self.assertEqual([row["pieces"] for row in table["inputs"]], names[::2])
        self.assertEqual(table["subjects"]["other"]["verdicts"], [0] * readings.PER_PAIR)

    def test_bits_of_a_sequence(self) -> None:
        """Whatever the rules say: overlong forms and surrogates have a value, a stray byte has none."""
        for data, expected in ((b"\x41", "41"), (b"\xC0\xAF", "2F"), (b"\xED\xA0\x80", "D800"), (b"\xFC\x84\x80\x80\x80\x80", "4000000"), (b"\x80", None), (b"\xC3", None),
                               (b"\xC3A", None), (b"", None), (b"\xFF", None)):
            self.assertEqual(readings.spelled(data), expected)


class PartsTest(unittest.TestCase):
    """Vectors, plan and stories."""

    def test_first_cases_exist(self) -> None:
        """Each glob chooses cases, some 480 in all, and the inputs of the behaviours are among them."""
        done = subprocess.run([ASSAY, "run", "--list", *PROFILE], stdout=subprocess.PIPE, text=True, check=True)
        self.assertTrue(400 <= len(done.stdout.splitlines()) <= 550, len(done.stdout.splitlines()))
        vectors = load_vectors(ROOT / "vectors")
        self.assertEqual(sorted(name for name, inputs in vectors.inputs.items() if len(inputs) > 20), ["noncharacters", "overlongs", "surrogates"])
        self.assertIn("C0AF", vectors.inputs["overlongs"])

    def test_share_follows_from_speed(self) -> None:
        """1 s for 10 of 1000 cases: all in 100 s, every tenth in 10 s; --all asks all."""
        first = {"seconds": 1.0, "categories": {"utf-8/a": {"passed": 6, "failed": 4, "skipped": 3}, "utf-16le/a": {"passed": 0, "failed": 0, "skipped": 9}}}
        counts = {"utf-8/a": 400, "utf-8/b": 600, "utf-16le/a": 5000}
        self.assertEqual([step_for(first, Plan(seconds, False, counts)) for seconds in (100, 10, 1000)], [1, 10, 1])
        self.assertEqual(step_for(first, Plan(1, True, counts)), 1)

    def test_stories_are_escaped(self) -> None:
        """Only code, links to https, emphasis and blocks become elements."""
        self.assertEqual(block("a <b> `<i>` [x](https://e.org/?a&b) [y](javascript:1)"),
                         '<p>a &lt;b&gt; <code>&lt;i&gt;</code> <a href="https://e.org/?a&amp;b">x</a> [y](javascript:1)</p>')
        self.assertEqual(block("set *do <not> flush*, `a*b*c`, 2 * 3 * 4"), "<p>set <em>do &lt;not&gt; flush</em>, <code>a*b*c</code>, 2 * 3 * 4</p>")
        self.assertEqual(block("    a <b>\n    c"), "<pre>a &lt;b&gt;\nc</pre>")
        self.assertEqual(block("> a\n> b"), "<blockquote>a b</blockquote>")
        self.assertEqual(block("- a\n- b\n  c"), "<ul><li>a</li><li>b c</li></ul>")
        for story in stories():
            self.assertIn("<pre>", story["html"])
            self.assertNotIn("asked    ", story["html"])


if __name__ == "__main__":
    unittest.main()
