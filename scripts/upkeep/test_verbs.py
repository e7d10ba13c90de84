# SPDX-License-Identifier: MIT
"""Every verb of codecs/simd is compared with its scalar model (harnesses/verbs), and vec.h describes it."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIMD = ROOT / "codecs" / "simd"
VERB = re.compile(r"\bvec_[a-z0-9_]+\b(?!\.h)")
DEFINITION = re.compile(r"^(?:ALWAYS_INLINE|KERNEL_PART)\b[^({;]*?\b(vec_[a-z0-9_]+)\([^;]*?\)\n\{", re.M)
NO_VERBS = {"vec_sse41", "vec_avx2", "vec_avx512", "vec_neon"}
WITHIN = {"vec_later", "vec_narrow16", "vec_narrow32"}
"""What only other verbs use: not in the list of vec.h, but asked."""


def defined() -> set[str]:
    """The verbs that any instruction set defines."""
    return {verb for path in SIMD.rglob("*.h") for verb in DEFINITION.findall(path.read_text())}


def asked() -> set[str]:
    """What is called by harnesses/verbs."""
    folder = ROOT / "harnesses" / "verbs"
    text = "".join((folder / name).read_text() for name in ("verbs.def", "ask.c"))
    return {verb for bits in ("16", "32") for verb in VERB.findall(text.replace("##bits##", bits))}


class Verbs(unittest.TestCase):
    def test_every_verb_is_asked(self) -> None:
        verbs = defined()
        self.assertGreater(len(verbs), 50)
        self.assertEqual(verbs - asked(), set(), "add a call to harnesses/verbs/verbs.def")

    def test_every_verb_is_described(self) -> None:
        text = next(SIMD.rglob("vec.h")).read_text()
        described = set(VERB.findall(text[:text.index("*/")])) - NO_VERBS
        self.assertEqual(defined() - WITHIN, described)


if __name__ == "__main__":
    unittest.main()
