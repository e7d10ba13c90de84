# SPDX-License-Identifier: MIT
"""Codecs that crash only where a law asks them: the report still names the codec and the question."""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from hunting.options import ROOT

BUILD = Path(os.environ.get("ASSAY_BUILD", ROOT / "build"))
COMPILER = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")

# The reference, but for an operation that it does not survive.
DYING = """
#include "reference/wtf8.c"
#include <stdlib.h>
static void die(void) { abort(); }
struct assay_codec assay_codec;
__attribute__((constructor)) static void begin(void)
{
    assay_codec = codec_wtf8_reference;
    assay_codec.name = "dying";
    assay_codec.MEMBER = (void *)die;
}
"""


@unittest.skipIf(COMPILER is None, "there is no C compiler")
class SilenceTest(unittest.TestCase):
    """The claims that ask codecs themselves."""

    def test_a_codec_that_dies_in_a_law_is_named(self) -> None:
        """This holds for each operation that laws ask for."""
        with TemporaryDirectory() as folder:
            begin = Path(folder) / "begin"
            begin.write_bytes(b"a\xC3\xA9\xED\xA0\x80")
            for claim, operations in (("convert", ("validate", "decode_utf16", "encode_utf16", "encode_utf32", "boundary", "concat")),
                                      ("promises", ("validate", "decode_utf32", "boundary")), ("decode", ("walk",))):
                for operation in operations:
                    library = Path(folder) / f"{operation}.so"
                    subprocess.run([str(COMPILER), "-shared", "-fPIC", "-w", "-I", str(ROOT / "codecs"), f"-DMEMBER={operation}",
                                    "-xc", "-", "-o", str(library)], input=DYING, text=True, check=True)
                    done = subprocess.run([str(BUILD / f"fuzz_{claim}-wtf-8"), str(begin)], capture_output=True, text=True, check=False,
                                          env={**os.environ, "ASSAY_CODECS": str(library)})
                    self.assertLess(done.returncode, 0, (claim, operation))
                    asked = "decode-utf32" if operation == "walk" else operation.replace("_", "-")  # whose steps a walk shows
                    self.assertIn(f"finding wtf8-{asked}-dying-abort\n", done.stderr, claim)


if __name__ == "__main__":
    unittest.main()
