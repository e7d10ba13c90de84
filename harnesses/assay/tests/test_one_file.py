# SPDX-License-Identifier: MIT
"""The program of preset `static` gives the same results as that of this build, alone in an empty folder; and the action that runs it in
other projects. scripts/test --long builds it here; otherwise a build that exists is tested."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

from .driver import ASSAY, ROOT

BUILT = ROOT / "build" / "static" / "assay"
ACTION = ROOT / ".github" / "actions" / "test-decoder"
SIZE_MAX = 6_000_000


def without_time(value: Any) -> Any:
    """A report without its seconds and its provenance."""
    if isinstance(value, dict):
        return {key: without_time(one) for key, one in value.items() if key not in ("seconds", "made")}
    return [without_time(one) for one in value] if isinstance(value, list) else value


class SourceTest(unittest.TestCase):
    """Needs no build."""

    def test_the_json_of_one_file_has_what_commands_call(self) -> None:
        """That program is linked with one_file/ in place of jansson, and is not built each day."""
        folder = ROOT / "harnesses" / "assay"
        texts = {path: re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL) for path in folder.rglob("*.[ch]") if "tests" not in path.parts}
        declared = set(re.findall(r"\bjson_\w+", texts[folder / "one_file" / "jansson.h"]))
        own = {name for text in texts.values() for name in re.findall(r"(?m)^(?:static )?(?:json_t \*|void |bool |const char \*)(json_\w+)\(", text)}
        called = {name for path, text in texts.items() if "one_file" not in path.parts for name in re.findall(r"\b(json_\w+)\s*\(", text)}
        self.assertIn("json_object_foreach", called & declared)
        self.assertEqual(called - declared - own, set())


class OneFileTest(unittest.TestCase):
    """build/static/assay."""

    def setUp(self) -> None:
        if os.environ.get("ASSAY_STATIC") == "build":
            for words in (["cmake", "--preset", "static"], ["cmake", "--build", "--preset", "static"]):
                subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
        if not BUILT.exists():
            self.skipTest("there is no build/static/assay: cmake --preset static && cmake --build --preset static, which needs musl-tools")
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.assay = shutil.copy(BUILT, self.folder)

    def say(self, program: Any, words: List[str]) -> "subprocess.CompletedProcess[str]":
        """Runs a command in the empty folder."""
        return subprocess.run([program, *words], cwd=self.folder, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False)

    def test_is_one_file_of_a_few_megabytes(self) -> None:
        """It needs no shared library, and is small enough to be downloaded."""
        self.assertLess(BUILT.stat().st_size, SIZE_MAX)
        self.assertIn("statically linked", subprocess.run(["file", self.assay], capture_output=True, text=True, check=True).stdout)

    def test_reports_are_the_same(self) -> None:
        """Reports on all vectors and on a wrong subject are the same, with JSON by another library."""
        for words in (["run", "--json", "--", str(ASSAY), "subject", "--alone", "utf-8/reference"], ["explain", "--json", "41EDA080F09F9880"], ["list", "--json"],
                      ["check", "--json", "utf-8/museum", "wtf-8/concat"], ["diff", "--json", "C080"],
                      ["run", "--json", "--plain", "--no-verdict", "--", "tr", "a-z", "A-Z"], ["list", "--no-such-option"]):
            one, other = (self.say(program, words) for program in (self.assay, ASSAY))
            with self.subTest(" ".join(words)):
                self.assertEqual((one.returncode, one.stderr), (other.returncode, other.stderr))
                if "--json" in words and other.stdout:
                    self.assertEqual(*(without_time(json.loads(done.stdout.replace(str(program), "assay"))) for program, done in ((self.assay, one), (ASSAY, other))))
                    self.assertEqual(one.stdout.count("\n"), other.stdout.count("\n"))

    def test_says_which_build_loads_libraries(self) -> None:
        """The static program refuses --codec, and says which build loads libraries."""
        library = self.folder / "some.so"
        library.write_bytes(b"\x7fELF")
        done = self.say(self.assay, ["run", "--codec", str(library)])
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot load a shared library; one that is built with `cmake --preset dev` can", done.stderr)

    def test_malformed_json_is_refused_at_its_line(self) -> None:
        """The message has the line; a repeated key and text that is not UTF-8 are refused, too."""
        folder = self.folder / "vectors" / "utf-8"
        folder.mkdir(parents=True)
        for text, where in ((b'{\n "a": 1,\n "a": 2}', "line 3"), (b'{"a": [1, 2}', "line 1, column 12"), (b'\n{"a": "\xff"}', "line 2"), (b'{"a": 01}', "line 1"),
                            (b'{"a": "\\ud800"}', "line 1"), (b"[" * 100000, "too deep"), (b"{} x", "end of file expected")):
            (folder / "wrong.json").write_bytes(text)
            done = self.say(self.assay, ["check", "--vectors", "vectors"])
            self.assertEqual(done.returncode, 2, text)
            self.assertIn(where, done.stderr, text)

    def test_the_action_asks_a_decoder(self) -> None:
        """The last step of the action: exit code, summary, reports."""
        for decoder, options, code in ((f"{self.assay} subject --alone utf-8/reference", "utf-8/overlong utf-8/surrogate", 0), ("cat", "--no-verdict utf-8/overlong", 1)):
            names = {name: str(self.folder / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
            variables: Dict[str, str] = {**os.environ, **names, "RUNNER_TEMP": str(self.folder), "DECODER": decoder, "OPTIONS": options,
                                         "IS_PLAIN": "yes" if decoder == "cat" else "no"}
            done = subprocess.run([ACTION / "ask"], cwd=self.folder, env=variables, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertIn("cases: ", Path(names["GITHUB_STEP_SUMMARY"]).read_text("utf-8"))
            outputs = dict(line.split("=", 1) for line in Path(names["GITHUB_OUTPUT"]).read_text("utf-8").splitlines())
            self.assertTrue(all(Path(path).stat().st_size > 0 for path in outputs.values()), outputs)


if __name__ == "__main__":
    unittest.main()
