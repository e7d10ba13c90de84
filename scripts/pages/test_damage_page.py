# SPDX-License-Identifier: MIT
"""The damage page: its sums are right, and it loads nothing else."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from html.parser import HTMLParser
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, Dict, List
from unittest import mock

from pages import damage_page

ROOT = Path(__file__).resolve().parents[2]
ASSAY = os.environ.get("ASSAY", str(ROOT / "build" / "assay"))
SCRIPT = ROOT / "scripts" / "damage-page"
VOID = {"meta", "br", "path", "use", "line", "img"}


def tally(times: int, **other: int) -> Dict[str, int]:
    """A tally in which all else is 0."""
    names = ("undetected", "turned", "lost", "lost_worst", "strange", "strange_worst", "spread", "spread_worst")
    return {"times": times, **dict.fromkeys(names, 0), **other}


def can_import(*names: str) -> bool:
    """True if this Python or the system's has these packages."""
    if all(importlib.util.find_spec(name) for name in names):
        return True
    return subprocess.run(["/usr/bin/python3", "-c", f"import {', '.join(names)}"], check=False, stderr=subprocess.DEVNULL).returncode == 0


def can_draw() -> bool:
    """True if the pages with plots can be made."""
    return can_import("jinja2", "matplotlib")


def run_script(name: str, *words: object, text: str, alone: bool = False) -> "subprocess.CompletedProcess[str]":
    """Runs a script that makes a page, with text on standard input: in this process if it has the packages, which take a second to import, or
    alone."""
    path, command = ROOT / "scripts" / name, [name, *map(str, words)]
    if alone or not all(importlib.util.find_spec(package) for package in ("jinja2", "matplotlib")):
        return subprocess.run([sys.executable, str(path), *command[1:]], input=text, text=True, check=False, capture_output=True)
    loader = SourceFileLoader(f"{name}_under_test", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    out, error = io.StringIO(), io.StringIO()
    with mock.patch.multiple(sys, argv=command, stdin=io.StringIO(text)), redirect_stdout(out), redirect_stderr(error):
        code = module.main(command[1:])
    return subprocess.CompletedProcess(command, code, out.getvalue(), error.getvalue())


def lost_sections(page: str) -> List[str]:
    """The sections without an anchor or a line in the contents, the links of a page to places that it does not have, and commands without what copies them."""
    places = set(re.findall(r' id="([^"]+)"', page))
    contents = re.search(r'<nav class="contents">(.*?)</nav>', page, re.DOTALL)
    listed = re.findall(r'href="#([^"]+)"', contents[1] if contents else "")
    sections = [attributes[len(' id="'):-1] for attributes in re.findall(r"<h2([^>]*)>", page)]
    return ([section for section in sections if section not in listed]
            + [place for place in re.findall(r'href="#([^"]+)"', page) if place not in places]
            + ([] if "navigator.clipboard" in page and sections else ["copy"]))


class Balance(HTMLParser):
    """Checks that each element is closed; counts rows and links to other files."""

    def __init__(self) -> None:
        super().__init__()
        self.open: List[str] = []
        self.rows = 0
        self.outside: List[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Pushes an element."""
        self.rows += tag == "tr"
        self.outside += [value for name, value in attrs if name in ("src", "href", "xlink:href") and not value.startswith("#")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        """Ignores an element without content."""

    def handle_endtag(self, tag: str) -> None:
        """Pops an element."""
        if tag not in VOID:
            assert self.open and self.open.pop() == tag, tag


class FiguresTest(unittest.TestCase):
    """Sums over texts."""

    def test_sums_and_worst(self) -> None:
        """Counts are added, worst cases are maxima, excerpts and samples are never mixed, and texts have the same weight."""
        kinds = damage_page.KINDS
        rows = [{"text": "a", "bytes": 20, "excerpt": {kind: tally(10, undetected=1, lost=5, lost_worst=2) for kind in kinds},
                 "samples": {kind: tally(5, lost=30, lost_worst=9) for kind in kinds}},
                {"text": "b", "bytes": 30, "excerpt": {kind: tally(30, undetected=3, lost=35, lost_worst=1) for kind in kinds},
                 "samples": {kind: tally(5) for kind in kinds}}]
        found, = damage_page.encodings_of({"texts": [{"name": "a", "characters": 10}, {"name": "b", "characters": 30}],
                                       "encodings": [{"name": "leb128", "laboratory": True, "texts": rows}]})
        self.assertEqual(found.share("deleted", "undetected"), 0.1)
        self.assertEqual(found.mean_and_worst("excerpt", "deleted", "lost"), (1.0, 2))
        self.assertEqual(found.mean_and_worst("samples", "deleted", "lost"), (3.0, 9))
        self.assertEqual(found.size, 1.5)

    def test_plotted_encodings_come_first(self) -> None:
        """In the order of PLOTTED; all others follow."""
        text = {"text": "a", "bytes": 1, "excerpt": {kind: tally(1) for kind in damage_page.KINDS},
                "samples": {kind: tally(1) for kind in damage_page.KINDS}}
        names = ["mutf-8", "utf-8", "leb128"]
        found = damage_page.encodings_of({"texts": [{"name": "a", "characters": 1}],
                                      "encodings": [{"name": name, "laboratory": False, "texts": [text]} for name in names]})
        self.assertEqual([encoding.name for encoding in found], ["leb128", "utf-8", "mutf-8"])
        self.assertEqual([encoding.name for encoding in damage_page.plotted(found)], ["leb128", "utf-8"])


    def test_shares_of_lines_that_are_misread(self) -> None:
        """Over all texts; the median is of the texts that are noticed."""
        texts = [{"lines": 4, "lines_noticed": 1, "lines_turned": 2, "noticed": True, "offset": 7},
                 {"lines": 6, "lines_noticed": 1, "lines_turned": 0, "noticed": False}]
        found, = damage_page.misread_of({"pairs": [{"written": "a", "read": "b", "texts": texts}]})
        self.assertEqual(found, damage_page.Misread("a", "b", 0.2, 0.2, 1, 7))


class PageTest(unittest.TestCase):
    """The page itself."""

    def test_is_made_and_stands_alone(self) -> None:
        """The page loads nothing else, and is the same for the same figures."""
        if not can_draw():
            self.skipTest("python3-jinja2 and python3-matplotlib are not installed")
        if not Path(ASSAY).exists():
            self.skipTest("there is no build/assay")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "text").write_text("a\u00e9\u20ac\U0001f600 <b>&\n", encoding="utf-8")
            for verb, words in (("damage", ["-s", "50", f"@{folder / 'text'}"]), ("promises", ["-e", "utf-8", "--stride", "9973"]),
                                ("misread", ["--misread", "-e", "utf-8,utf-16le,cesu-8", f"@{folder / 'text'}"])):
                with open(folder / verb, "wb") as out:
                    subprocess.run([ASSAY, "damage" if verb == "misread" else verb, "--json", *words], check=True, stdout=out, stderr=subprocess.DEVNULL)
            command = [sys.executable, str(SCRIPT), "--assay", ASSAY, "--damage", str(folder / "damage"), "--promises",
                       str(folder / "promises"), "--misread", str(folder / "misread")]
            subprocess.run([*command, str(folder / "page.html")], check=True)
            subprocess.run([*command, str(folder / "again.html")], check=True)
            page = (folder / "page.html").read_text(encoding="utf-8")
            self.assertEqual(page, (folder / "again.html").read_text(encoding="utf-8"))
            damage = json.loads((folder / "damage").read_bytes())
        encodings = damage["encodings"]
        parser = Balance()
        parser.feed(page)
        self.assertEqual((parser.open, parser.outside), ([], []))
        self.assertEqual(lost_sections(page), [])
        self.assertEqual(page.count('<code class="command">'), 3)
        self.assertGreater(parser.rows, 4 * len(encodings))
        for word in ("<svg", "var(--accent)", "counter-terrible", "EF BF BF F0 90 80 80", "prefers-color-scheme: dark"):
            self.assertIn(word, page)
        self.assertNotIn("#010203", page)
        self.assertIn("<td>cesu-8</td><td>1<br><small class=\"soft\">6</small></td><td>0</td><td>0</td>", page)  # a, U+00E9, U+20AC, then a surrogate at byte 6
        row, = (row for row in encodings if row["name"] == "utf-16le")
        for experiment, caption in (("excerpt", "All damages to excerpts"), ("samples", "50 samples over each whole text")):
            for what in ("lost", "spread"):
                tally_of = row["texts"][0][experiment]["deleted"]
                cell = f"<td>{tally_of[what] / tally_of['times']:,.2f} / {tally_of[f'{what}_worst']:,}</td>"
                table = page[page.index(caption, page.index({"lost": "Lost characters</a></h2>", "spread": "Until decoding is in step again</a></h2>"}[what])):]
                self.assertIn(cell, table[:table.index("</table>")])

    def test_a_section_out_of_the_contents_is_seen(self) -> None:
        """A section without an anchor, one that the contents lack, a link that leads nowhere, no button."""
        page = '<nav class="contents"><a href="#a">A</a></nav><h2 id="a">A</h2><script>navigator.clipboard</script>'
        self.assertEqual(lost_sections(page), [])
        self.assertEqual([lost_sections(page + more) for more in ("<h2>B</h2>", '<h2 id="b">B</h2>', '<a href="#c">C</a>')], [[""], ["b"], ["c"]])
        self.assertEqual(lost_sections(page.replace("navigator", "")), ["copy"])

    def test_says_what_is_wrong(self) -> None:
        """Exit code 2 and one line for a missing file, a file that is not JSON, a missing program."""
        if not can_draw():
            self.skipTest("python3-jinja2 and python3-matplotlib are not installed")
        for words in (["--damage", "/no/such/file"], ["--damage", str(SCRIPT)], ["--assay", "/no/such/program"], ["--assay", "/bin/true"],
                      ["--damage", "/dev/stdin"], ["--promises", "/dev/stdin", "--damage", "/dev/stdin"]):
            done = subprocess.run([sys.executable, str(SCRIPT), *words, "/dev/null"], check=False, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, input="[]")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, r"\A([0-9]+ of [0-9]+ encodings: [^\n]+\n)*damage-page: [^\n]+\n\Z")


if __name__ == "__main__":
    unittest.main()
