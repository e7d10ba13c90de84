# SPDX-License-Identifier: MIT
"""The codecs in WebAssembly, in Node.js and in browsers: golden vectors, enumeration, the seeds of the fuzzers. All of it with
ASSAY_PLAYGROUND=all, which builds the module; else a little, in Node.js, if the module is there."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import unittest
from pathlib import Path
from typing import List, Set, Tuple

from pages.playground import module
from pages.playground.runner import PLACES, SCRIPTS, SECONDS, absent, ask, command
from witness import corpus
from witness.rows import ALL, POLICIES

ROOT = Path(__file__).resolve().parents[2]
ASSAY = os.environ.get("ASSAY", str(ROOT / "build" / "assay"))
EVERYTHING = os.environ.get("ASSAY_PLAYGROUND") == "all"
LIMITS = ["--start-limit", str(SECONDS), "--time-limit", str(SECONDS)]  # a browser on a busy machine takes its time
IN_BROWSERS = ("reference", "wasm")  # codecs that are asked all vectors there
FEW = ["utf-8/overlong/*", "utf-8/streaming/*", "utf-8/limited-output/*", "utf-16le-sig/*", "utf-16le/convert/*"]
SEEDS = 60 if EVERYTHING else 10  # of each encoding; as many again are made of them by damage


def damaged(text: bytes, choice: random.Random) -> bytes:
    """One byte changed, lost or added."""
    at = choice.randrange(len(text))
    return text[:at] + choice.randbytes(choice.randrange(3)) + text[at + choice.randrange(2):]


def requests() -> List[str]:
    """What is asked about seeds of the fuzzers, and damaged ones (vectors/PROTOCOL.md)."""
    choice, made = random.Random(1), sorted(corpus.all_seeds(ROOT / "vectors").items())
    asked = []
    for encoding in ALL:
        texts = [text for name, text in made if name.startswith(f"{encoding}/")]
        for seed in choice.sample(texts, SEEDS):
            for text in (seed, damaged(seed, choice) or seed):
                pieces = ",".join(f"{byte:02X}" for byte in text)
                asked += [f"{word} {encoding} {text.hex().upper()}" for word in ("validate", "boundaries")]
                asked += [f"{word} {encoding} {policy} {text.hex().upper()}" for word in ("decode", "to-well-formed") for policy in POLICIES]
                asked += [f"decode {encoding} whatwg {pieces}", f"stop {encoding} {pieces}"]
    return [f"{number} {request}" for number, request in enumerate(asked)]


def agrees(expected: str, reply: str) -> bool:
    """True if the reply is the expected one, up to the first figure of an error that the codec does not report: `error ? ?`."""
    stated, unstated, _ = reply.partition(" ?")
    return expected == reply or bool(unstated) and expected.startswith(f"{stated} ")


def golden_cases(encodings: Set[str]) -> int:
    """How many golden cases are of these encodings, with a signature or without, and of conversions between two of them."""
    files = [path for path in (ROOT / "vectors").glob("*/*.json") if path.parent.name.replace("-sig", "") in encodings]
    return sum(test.get("to", "utf-8") in encodings for path in files for test in json.loads(path.read_text("utf-8")).get("tests", ()))


class ModuleTest(unittest.TestCase):
    """Wherever it runs."""

    wasm: Path
    test_wasm: Path

    @classmethod
    def setUpClass(cls) -> None:
        """Builds the module if everything is requested, else uses an existing one."""
        missing = absent("node")
        if missing is not None:
            raise unittest.SkipTest(f"NOT LOOKED AT: the module in WebAssembly, as there is no {missing} (scripts/setup page installs it)")
        if EVERYTHING:
            cls.wasm, cls.test_wasm = module.build(), module.build("assay-test")
        else:
            cls.wasm, cls.test_wasm = (module.BUILT / f"{name}.wasm" for name in ("assay", "assay-test"))
            if not cls.wasm.exists() or not cls.test_wasm.exists():
                raise unittest.SkipTest("NOT LOOKED AT: the module in WebAssembly, which is not built (preset wasm builds it)")

    def places(self) -> List[str]:
        """The places that are installed; prints a line for each other one."""
        missing = {place: absent(place) for place in (PLACES if EVERYTHING else PLACES[:1])}
        for place, name in missing.items():
            if name is not None:
                print(f"NOT LOOKED AT: the module in {place}, as there is no {name} (scripts/setup page installs it)", file=sys.stderr)
        return [place for place, name in missing.items() if name is None]

    def codecs(self) -> List[Tuple[str, str]]:
        """Encoding and name of each codec of the module that is of the family."""
        code = "import(process.argv[1]).then(async ({open}) => console.log(JSON.stringify((await open(require('fs').readFileSync(process.argv[2]))).codecs)))"
        done = subprocess.run(["node", "-e", code, str(SCRIPTS / "assay.mjs"), str(self.wasm)], stdout=subprocess.PIPE, text=True, check=True, timeout=SECONDS)
        return [(one["encoding"], one["name"]) for one in json.loads(done.stdout) if not one["isScheme"]]

    def test_imports_nothing(self) -> None:
        """The module needs nothing from its host, and exports what assay.mjs calls."""
        code = ("const m = new WebAssembly.Module(require('fs').readFileSync(process.argv[1]));"
                "console.log(JSON.stringify([WebAssembly.Module.imports(m), WebAssembly.Module.exports(m).map((one) => one.name)]))")
        done = subprocess.run(["node", "-e", code, str(self.wasm)], stdout=subprocess.PIPE, text=True, check=True, timeout=SECONDS)
        imports, exports = json.loads(done.stdout)
        self.assertEqual(imports, [])
        self.assertLessEqual({"memory", "take", "release", "ask", "feed", "walk"}, set(exports))

    def test_golden_vectors(self) -> None:
        """`assay run` asks codecs of the module every request that it answers: 0 failed; and no request is left out by those that do all."""
        codecs = self.codecs()
        names = sorted({name for _, name in codecs})
        for place in self.places():
            for name in (names if place == "node" else IN_BROWSERS) if EVERYTHING else ["wasm"]:
                done = subprocess.run([ASSAY, "run", *LIMITS, *([] if EVERYTHING else FEW), "--", *command(place, "subject.mjs", self.wasm, name)], stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, check=False, timeout=SECONDS)
                self.assertEqual(done.returncode, 0, f"{place}, {name}: {done.stdout[-2000:]}")
                found = re.search(r"(?m)^([\d,]+) cases: ([\d,]+) passed, 0 failed, .* requests answered, 0 failed, (\d+) skipped, .*$", done.stdout)
                assert found is not None, done.stdout[-2000:]
                if EVERYTHING and name in IN_BROWSERS:
                    own, every = {encoding for encoding, other in codecs if other == name}, {encoding for encoding, _ in codecs}
                    self.assertEqual(int(found[2].replace(",", "")), golden_cases(own), found[0])
                    self.assertTrue(own < every or int(found[3]) == 0, found[0])  # conversions to an encoding that has no such codec are skipped
                    print(f"{place}, {name}: {found[0]}", file=sys.stderr)

    def test_all_strings_of_up_to_three_bytes(self) -> None:
        """Every codec gives the published digests of UTF-8, or, in other encodings, those of its reference. Strings of three bytes are
        enumerated by all codecs in Node.js, and by those of UTF-8 in browsers."""
        rows = [line.split("\t") for line in (ROOT / "vectors/complete/utf-8-digests.tsv").read_text("ascii").splitlines()]
        published = {("utf-8", row[0][-1]): " ".join(row[3:]) for row in rows if row[0].startswith("bytes-")}
        for place in self.places():
            requests = [f"{encoding}/{name} {length}" for encoding, name in self.codecs()
                        for length in range(1, 2 if not EVERYTHING else 4 if place == "node" or encoding == "utf-8" else 3)]
            expected = dict(published)
            self.assertGreater(len(requests), 30)
            for request, reply in zip(requests, ask(command(place, "digests.mjs", self.test_wasm), requests)):
                encoding, length = request.split("/")[0], request[-1]
                self.assertEqual(reply, expected.setdefault((encoding, length), reply), (place, request))

    def test_seeds_of_the_fuzzers(self) -> None:
        """On seeds, and on damaged ones, every codec gives the answers of the native references."""
        asked = requests()
        expected = ask([ASSAY, "subject", "--faults", "utf-8/reference"], asked)
        self.assertLess(sum(" skip " in reply for reply in expected), len(asked) / 2)
        names = sorted({name for _, name in self.codecs()}) if EVERYTHING else ["wasm"]
        for place in self.places():
            for name in names:
                replies = ask(command(place, "subject.mjs", self.wasm, name), asked)
                compared = [row for row in zip(asked, expected, replies) if " skip " not in row[2]]
                self.assertGreaterEqual(len(compared), 2 * SEEDS, name)  # some codecs validate, of one encoding, and do nothing else
                self.assertEqual([row for row in compared if not agrees(row[1], row[2])][:3], [], (place, name))


if __name__ == "__main__":
    unittest.main()
