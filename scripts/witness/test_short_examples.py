# SPDX-License-Identifier: MIT
"""The short examples of vectors/examples (Ruby, PHP, Perl, Lua): the decoder of the language passes; a wrong case and a missing folder are said."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

VECTORS = Path(__file__).resolve().parents[2] / "vectors"
EXAMPLES = {"check.rb": "ruby", "check.php": "php", "check.pl": "perl", "check.lua": "lua5.4"}


class ReadmeTest(unittest.TestCase):
    """The example in the READMEs."""

    def test_can_be_copied(self) -> None:
        """As it stands in the file, it passes with CPython's decoder, and fails with one that drops errors."""
        for folder in (VECTORS.parent, VECTORS):
            (code,) = re.findall(r"(?ms)^```sh\n(python3 - <<'EOF'\n.*?)^```$", (folder / "README.md").read_text("utf-8"))
            for handler, wanted in (("replace", 0), ("ignore", 1)):
                done = subprocess.run(["sh", "-c", code.replace('"replace"', f'"{handler}"')], cwd=folder, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, wanted, done.stderr)
            self.assertIn("AssertionError: utf-8/overlong/", done.stderr)


class ShortExamplesTest(unittest.TestCase):
    """Each, where its language is installed."""

    def test_each(self) -> None:
        """Exit code 0 if all pass, 1 with the id of a case that does not, 2 without vectors and without a folder."""
        tried = 0
        for name, tool in EXAMPLES.items():
            if shutil.which(tool) is None:
                print(f"skipped: {name} ({tool} is not installed)")
                continue
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                command = [tool, str(VECTORS / "examples" / name)]
                done = subprocess.run([*command, str(VECTORS)], capture_output=True, text=True, check=False)
                if name == "check.php" and done.returncode == 2:
                    self.assertIn("Debian has it in php-mbstring", done.stderr)
                    print("skipped: check.php (mbstring is not installed)")
                    continue
                tried += 1
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertRegex(done.stdout, r"^(\w+: (\d{4}) of \2 passed\n)+$")
                file = json.loads((VECTORS / "utf-8/overlong.json").read_text("ascii"))
                file["tests"][0].update({"well_formed": True, "outputs": {**file["tests"][0]["outputs"], "strict": "2F", "whatwg": "2F"}})
                head = {key: value for key, value in file.items() if key != "tests"}
                lines = ",\n".join(json.dumps(test, separators=(",", ":")) for test in file["tests"])
                (Path(folder) / "utf-8").mkdir()
                (Path(folder) / "utf-8/overlong.json").write_text(json.dumps(head)[:-1] + ',\n"tests": [\n' + lines + "\n]}\n", "ascii")
                done = subprocess.run([*command, folder], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertIn("utf-8/overlong/c080: ", done.stderr)
                self.assertIn("285 of 286 passed\n", done.stdout)
                done = subprocess.run([*command, f"{folder}/none"], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"no vectors in {folder}/none\n"))
                self.assertNotEqual(subprocess.run(command, capture_output=True, check=False).returncode, 0)
        if not tried:
            self.skipTest("none of the languages is installed")


if __name__ == "__main__":
    unittest.main()
