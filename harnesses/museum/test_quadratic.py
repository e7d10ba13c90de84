# SPDX-License-Identifier: MIT
"""A quadratic decoder is reported; others in the same run are not."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Tuple

BUILD = Path(os.environ.get("ASSAY", "build/assay")).resolve().parent
PLANT = BUILD / "libquadratic.so"


def cost(*arguments: str) -> Tuple[int, str, str]:
    """Exit code, output and errors of the program `cost`."""
    done = subprocess.run([str(BUILD / "cost"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr


@unittest.skipUnless((BUILD / "cost").exists(), "cost is not built here: it needs Linux, and a build without sanitizers")
class QuadraticTest(unittest.TestCase):
    """harnesses/cost, asked about museum/quadratic.c."""

    def test_accuses_the_plant_alone(self) -> None:
        """The plant is reported for the operation that is quadratic, and no other; the other counted codecs pass."""
        code, out, _ = cost("-e", "utf-8", "--units", "256", "--json", "--codec", str(PLANT))
        report = json.loads(out)
        self.assertEqual(code, 1)
        self.assertEqual({row["codec"] for row in report["rows"]}, {"reference", "swar", "quadratic"})
        self.assertEqual([(row["codec"], row["operation"]) for row in report["rows"] if row["quadratic"]], [("quadratic", "spans")])
        worst = next(row for row in report["rows"] if row["quadratic"])
        self.assertGreater(worst["ratio"], 3.5)
        self.assertEqual(worst["ratio"], worst["blocks"][1] / worst["blocks"][0])
        self.assertIn("utf-8/hoehrmann2010", report["not_counted"])

    def test_writes_a_letter(self) -> None:
        """The operation, the pattern and both counts."""
        code, out, _ = cost("-e", "utf-8", "--units", "64", "--codec", str(PLANT))
        self.assertEqual(code, 1)
        self.assertRegex(out, r"utf-8/quadratic takes 3\.\d\d times the work for twice the input\n  asked         spans, in one call\n"
                              r"  pattern       [0-9A-F]+, repeated to 256 and to 512 units\n  blocks        \d+ and \d+; at most 2\.5 times")

    def test_counts_what_longer_inputs_do_not_confirm(self) -> None:
        """At 64 units fixed costs matter: such ratios are counted, and are not failures."""
        code, out, _ = cost("-e", "utf-8", "--units", "64", "--json")
        report = json.loads(out)
        self.assertEqual((code, report["quadratic"]), (0, 0))
        self.assertGreater(report["unconfirmed"], 0)
        self.assertEqual(report["unconfirmed"], sum(row["unconfirmed"] for row in report["rows"]))

    def test_twice_the_input_of_concat_is_twice_as_long(self) -> None:
        """Half of 256 units has room for this pattern once, half of 512 for three of them."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "utf-8").mkdir()
            (Path(folder) / "utf-8" / "seed").write_bytes(b"ab\xFF" * 23 + b"c")
            report = json.loads(cost("-e", "utf-8", "--units", "256", "--json", folder)[1])
        self.assertEqual([row["unconfirmed"] for row in report["rows"] if row["operation"] == "concat"], [0, 0])

    def test_measuring_nothing_is_a_failure(self) -> None:
        """No codec of this encoding is counted in the sample, which is a failure."""
        code, _, errors = cost("-e", "cesu-8")
        self.assertEqual(code, 2)
        self.assertIn("nothing was measured", errors)


if __name__ == "__main__":
    unittest.main()
