# SPDX-License-Identifier: MIT
"""A build that checks assumptions (codecs/assume.h) checks them in every codec, whatever instruction set it is for."""

import json
import os
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ASSAY", str(ROOT / "build" / "assay"))).parent
COMMANDS = BUILD / "compile_commands.json"


class Assumptions(unittest.TestCase):
    @unittest.skipUnless(COMMANDS.exists(), "this build has no compile_commands.json")
    def test_are_checked_in_all_codecs_or_in_none(self) -> None:
        commands = [row for row in json.loads(COMMANDS.read_text("utf-8")) if "codecs/CMakeFiles/" in row["command"]]
        checked = [row for row in commands if "-DASSAY_CHECKS_ASSUMPTIONS" in row["command"]]
        self.assertGreater(len(commands), 10)
        self.assertIn(len(checked), (0, len(commands)), sorted({row["file"] for row in commands} - {row["file"] for row in checked}))
        if "ASSAY_CHECK_ASSUMPTIONS:BOOL=ON" in (BUILD / "CMakeCache.txt").read_text("utf-8"):
            self.assertEqual(len(checked), len(commands))


if __name__ == "__main__":
    unittest.main()
