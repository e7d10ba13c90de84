# SPDX-License-Identifier: MIT
"""-DASSAY_ISAS builds the codecs of the named instruction sets only; a name that is none is refused."""

import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = f"""cmake_minimum_required(VERSION 3.16)
include([[{ROOT}/codecs/registry.cmake]])
message("${{built}}")
"""


def built(isas: str, processor: str = "x86_64") -> "subprocess.CompletedProcess[str]":
    """What CMake would build for this processor, as its message."""
    with TemporaryDirectory() as folder:
        script = Path(folder, "isas.cmake")
        script.write_text(SCRIPT)
        return subprocess.run(["cmake", f"-DCMAKE_SYSTEM_PROCESSOR={processor}", f"-DASSAY_ISAS={isas}", "-P", str(script)],
                              stderr=subprocess.PIPE, text=True, timeout=60)


class IsasTest(unittest.TestCase):
    def test_builds_what_is_named_and_portable_codecs(self) -> None:
        self.assertEqual(built("avx2").stderr.strip(), "avx2;ANY")
        self.assertEqual(built("avx512,sse41").stderr.strip(), "sse41;avx512;ANY")

    def test_builds_all_of_the_processor_if_none_is_named(self) -> None:
        self.assertEqual(built("").stderr.strip(), "sse41;bmi2;avx2;avx512;ANY")
        self.assertEqual(built("", "aarch64").stderr.strip(), "neon;ANY")

    def test_refuses_what_the_processor_cannot_have(self) -> None:
        for name in ("neon", "avx3"):
            done = built(f"avx2,{name}")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(f"ASSAY_ISAS: '{name}' is no instruction set of this processor", " ".join(done.stderr.split()))


if __name__ == "__main__":
    unittest.main()
