# SPDX-License-Identifier: MIT
"""Tests of which codec is probably wrong."""

import unittest
from typing import Any, Dict, Optional

from hunting.findings.opinions import Opinion, of_rows, which_is_wrong

GOOD: Dict[str, Any] = {"well_formed": True}
HERE, THERE = ({"well_formed": False, "error": {"offset": offset}} for offset in (3, 4))
SURE, VAGUE = Opinion("sure", False, 3), Opinion("vague", False)


class OpinionsTest(unittest.TestCase):
    """If two decoders differ and all others agree with one of them, the other is wrong."""

    def test_a_verdict_and_an_offset_count(self) -> None:
        """Verdict and offset are compared if they are given; without two answers, or without another decoder, no codec is wrong."""
        for heard, reference, codec, wrong in (
                ([SURE, VAGUE], HERE, GOOD, "codec"), ([SURE, VAGUE], GOOD, HERE, "reference"),
                ([SURE, VAGUE], HERE, THERE, "codec"), ([SURE, VAGUE], THERE, HERE, "reference"),
                ([VAGUE], HERE, THERE, None), ([SURE, Opinion("odd", True)], HERE, GOOD, None), ([SURE], THERE, GOOD, None),
                ([SURE], HERE, HERE, None), ([], HERE, GOOD, None), ([SURE], HERE, {}, None)):
            with self.subTest(heard=heard, reference=reference, codec=codec):
                expected: Optional[str] = wrong
                self.assertEqual(which_is_wrong(heard, {"codec": "reference", **reference}, {"codec": "codec", **codec}), expected)

    def test_loadable_codecs_are_heard(self) -> None:
        """Loadable codecs that validate are counted, with the offset if they give one."""
        rows = [{"codec": "icu", **HERE}, {"codec": "good", **GOOD}, {"codec": "bad", "well_formed": False}, {"codec": "mute"}]
        self.assertEqual(of_rows(rows), [Opinion("icu", False, 3), Opinion("good", True), Opinion("bad", False)])


if __name__ == "__main__":
    unittest.main()
