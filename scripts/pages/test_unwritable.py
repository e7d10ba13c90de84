# SPDX-License-Identifier: MIT
"""Programs of scripts/ whose output cannot be written."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent
NO_FOLDER = "/dev/null/there"  # not even root can make it


class UnwritableTest(unittest.TestCase):
    """The sentence that `assay` has for it, without Python's words and names of temporary files."""

    def test_one_sentence_says_what_cannot_be_written(self) -> None:
        """A missing folder, and a full disk. Exit code 2, and nothing on standard output."""
        with tempfile.TemporaryDirectory() as folder:
            module = Path(folder) / "module"
            module.write_bytes(b"no module")
            missing = f"{NO_FOLDER} cannot be written: Not a directory"
            for program, words, said in (
                    ("amalgamate", ["--encodings", "utf-16le", "--isas", "", "--out", NO_FOLDER], missing),
                    ("assay-wasm", ["--module", module, NO_FOLDER], missing),
                    ("bench-table", ["--row", "none", "--json", NO_FOLDER], missing),
                    ("export", ["--form", "raw", NO_FOLDER], missing),
                    ("oss-fuzz/fill.py", ["somebody", "somebody@example.org", NO_FOLDER], missing),
                    ("playground", ["--module", module, NO_FOLDER], missing),
                    ("playground", ["--module", module, "/dev/full"], "/dev/full cannot be written: No space left on device"),
                    ("seeds", [NO_FOLDER], missing)):
                done = subprocess.run([sys.executable, "-B", SCRIPTS / program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"{Path(program).name}: {said}\n"), (program, words))


if __name__ == "__main__":
    unittest.main()
