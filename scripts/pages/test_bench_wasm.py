# SPDX-License-Identifier: MIT
"""`scripts/bench-wasm`: that its table is whole and its ratios are those of its rates, and that it times no codec that is wrong.
Nothing is said of how fast anything is."""

from __future__ import annotations

import subprocess
import sys
import unittest
from pathlib import Path
from typing import Dict, List
from urllib.parse import quote

from pages.playground import module
from pages.playground.runner import SECONDS, absent, ask, command

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ["ASCII", "Russian", "Chinese", "damaged"]


def bench(*words: str) -> "subprocess.CompletedProcess[str]":
    """Runs it."""
    return subprocess.run([sys.executable, str(ROOT / "scripts/bench-wasm"), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=SECONDS)


class BenchWasmTest(unittest.TestCase):
    """In Node.js."""

    wasm = module.BUILT / "assay.wasm"

    def setUp(self) -> None:
        """Takes the module that is there."""
        if absent("node") is not None or not self.wasm.exists():
            self.skipTest("NOT LOOKED AT: scripts/bench-wasm, as there is no Node.js or the module is not built (preset wasm builds it)")

    def test_table_is_whole(self) -> None:
        """A column for each text; well-formed text is validated, damaged text is not; a ratio is that of two rates."""
        done = bench("--milliseconds", "1", "--bytes", "16384", "--module", str(self.wasm), "node")
        self.assertEqual(done.returncode, 0, done.stderr)
        head, _, *lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.strip().splitlines()]
        self.assertEqual(head, ["node, GB/s", *TEXTS])
        rates: Dict[str, List[str]] = {name: cells for name, *cells in lines}
        self.assertLessEqual({"validate, wasm", "validate, hoehrmann_loop", "validate in place, wasm", "validate in place, wasm : validate in place, hoehrmann2010", "decode to UTF-16, wasm", "decode to a string, TextDecoder"}, set(rates))
        for name, cells in rates.items():
            above, _, below = name.partition(" : ")
            self.assertEqual([cell == "-" for cell in cells], [False] * 3 + [name.startswith("validate")], name)
            for index, cell in enumerate(cells):
                if below and cell != "-":
                    least, most = ((float(rates[above][index]) - sign * 0.005) / (float(rates[below][index]) + sign * 0.005) for sign in (1, -1))
                    self.assertTrue(least - 0.051 <= float(cell) <= most + 0.051, (name, index, least, cell, most))

    def test_wrong_answers_are_not_timed(self) -> None:
        """A decoder of the engine that differs from the codecs, and a place that does not exist, end it with a sentence."""
        with self.assertRaisesRegex(subprocess.SubprocessError, "hoehrmann_loop and TextDecoder differ"):
            wrong = "const {decode} = TextDecoder.prototype; TextDecoder.prototype.decode = function (bytes) { return this.encoding === 'utf-8' && bytes.length === 1 ? 'B' : decode.call(this, bytes); };"
            line = command("node", "bench.mjs", self.wasm)
            ask([line[0], "--import", f"data:text/javascript,{quote(wrong)}", *line[1:]], ["1 QQ=="])
        done = bench("--module", str(self.wasm), "netscape")
        self.assertEqual((done.returncode, done.stderr), (2, "bench-wasm: there is no place netscape; there are: node, chrome, firefox\n"))
        done = bench("--module", str(self.wasm), "--bytes", "15", "node")
        self.assertEqual((done.returncode, done.stderr), (2, "bench-wasm: --bytes 15: texts have 16 bytes or more\n"))


if __name__ == "__main__":
    unittest.main()
