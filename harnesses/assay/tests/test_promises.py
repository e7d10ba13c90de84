# SPDX-License-Identifier: MIT
"""`assay promises`: which promises each encoding keeps, and that every check catches a codec that breaks its promise."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any, Dict

from .driver import COMPILER, is_built_with, loadable
from .test_cli import ASSAY, Case, assay, printed_on_terminal

STRIDE = "--stride=997"
UTF_8 = ".first = {0, 0, UNARY_FREED}, .rest = {2, 2, NO_COUNTER}, .longest = 4, .last = 0x10FFFF"
LOW_END_FIRST = UTF_8 + ", .low_end_first = true"
LEB128 = ".first = {1, 0}, .rest = {1, 1}, .low_end_first = true, .longest = 3, .last = 0x10FFFF"
NAIVE = ".first = {1, 1, COUNT_DOWN}, .rest = {1, 1, COUNT_DOWN}, .longest = 6, .last = 0x10FFFF"
UNARY = ".first = {0, 0, UNARY}, .rest = {0, 0, NO_COUNTER}, .longest = 3, .last = 0x10FFFF"


class PromisesTest(Case):
    """The table, and its counterexamples."""

    rows: Dict[str, Dict[str, Any]]
    made: Dict[str, Any]

    @classmethod
    def setUpClass(cls) -> None:
        """Runs the command once."""
        done = assay("promises", "--json", STRIDE)
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        cls.made = report["made"]
        cls.rows = {row["encoding"]: row["promises"] for row in report["encodings"]}

    def test_reports_its_provenance(self) -> None:
        """Version, date and command; the commit where there is a checkout."""
        self.assertEqual(self.made["command"][1:], ["promises", "--json", STRIDE])
        self.assertLessEqual({"version", "date", "command"}, set(self.made))

    def test_shows_progress(self) -> None:
        """A line for each encoding; on a terminal in place, with an estimate, and removed at the end."""
        plain = assay("promises", "--stride=99999", "--string-stride=999").stderr.splitlines()
        self.assertEqual([line.split(": ")[1] for line in plain], list(self.rows))
        self.assertEqual(plain[1], f"2 of {len(self.rows)} encodings: generalized-utf-8")
        said = printed_on_terminal("promises", "--stride=99999", "--string-stride=999").split("\r\33[K")
        self.assertEqual(said[:2], ["", plain[0]])
        self.assertRegex(said[2], rf"\A{plain[1]}, about [0-9]+ s more\Z")
        self.assertEqual((len(said), said[-1]), (len(plain) + 2, ""))

    def broken(self, encoding: str) -> Dict[str, str]:
        """The bytes of the counterexamples."""
        return {name: row["counterexample"]["bytes"] for name, row in self.rows[encoding].items() if not row["kept"]}

    def test_utf_8_keeps_all(self) -> None:
        """"How UTF-8 Encoding Works", "The Design Goals", and the others; the order is not that of UTF-16."""
        self.assertEqual(self.broken("utf-8"), {"sorts-as-utf-16": "EFBFBFF0908080"})
        for name, row in self.rows["utf-8"].items():
            self.assertGreater(row["looked_at"], 0, name)

    def test_what_is_claimed_is_kept(self) -> None:
        """All encodings keep what they claim; the exit code is 0."""
        for encoding, row in self.rows.items():
            for name, promise in row.items():
                self.assertTrue(promise["kept"] or not promise["claimed"], (encoding, name))

    def test_the_order_of_cesu_8_is_that_of_utf_16(self) -> None:
        """UTR 26; UTF-16BE has the same order, and neither has that of code points: U+FFFF and U+10000 show it."""
        self.assertEqual(self.broken("cesu-8"), {"sorts": "EFBFBFEDA080EDB080"})
        self.assertEqual(self.broken("utf-16be")["sorts"], "FFFFD800DC00")
        self.assertNotIn("sorts-as-utf-16", self.broken("utf-16be"))
        self.assertEqual(self.broken("utf-16le")["sorts-as-utf-16"], "FF000001")

    def test_wtf_8_is_not_closed_under_concatenation(self) -> None:
        """WTF-8, 6.5: a lead surrogate, then a trail."""
        self.assertEqual(self.broken("wtf-8").pop("concatenates"), "EDA080EDB080")
        self.assertNotIn("concatenates", self.broken("generalized-utf-8"))

    def test_lone_surrogates_that_pair_cost_synchronisation(self) -> None:
        """In CESU-8 as the JDK reads it, and in Modified UTF-8, another character begins in the middle of six bytes."""
        for encoding in ("cesu-8-jdk", "mutf-8"):
            self.assertEqual({self.broken(encoding)[name] for name in ("synchronises", "disjoint", "concatenates")}, {"EDA080EDB080"})

    def test_a_character_between_two_surrogates_must_not_be_lost(self) -> None:
        """Without the A, D83D A DE00 is one character: three are lost. WTF-8 refuses the pair, and loses two."""
        for encoding in ("cesu-8-jdk", "mutf-8", "mutf-8-readutf"):
            self.assertEqual(self.broken(encoding)["local"], "EDA0BD41EDB880")
        self.assertNotIn("local", {**self.broken("wtf-8"), **self.broken("generalized-utf-8")})

    def test_what_the_schemes_break(self) -> None:
        """In LEB128 other characters contain ASCII bytes, also 00; in the naive counter characters contain characters; schemes with the low
        end first do not sort."""
        self.assertEqual({self.broken("leb128")[name] for name in ("ascii", "no-zero", "synchronises", "disjoint")}, {"0081"})
        self.assertEqual({self.broken("counter-naive")[name] for name in ("synchronises", "disjoint")}, {"A09088"})
        for scheme in ("leb128", "counter-naive", "counter-terrible", "counter-decent"):
            self.assertIn("sorts", self.broken(scheme))
        self.assertIn("local", self.broken("unary"))
        self.assertEqual(set(self.broken("utf-8-biased")), {"sorts-as-utf-16"})
        self.assertEqual(self.broken("utf-8-unchecked")["ascii"], "C080")

    def test_prints_text(self) -> None:
        """A row, and the counterexamples of one encoding."""
        done = assay("promises", "-e", "wtf-8", STRIDE)
        self.assertRegex(done.stdout, r"(?m)^wtf-8 +yes +yes +yes +yes +no +yes +yes +no$")
        self.assertIn("U+D800 = ED A0 80, U+DC00 = ED B0 80: each is well-formed", done.stdout)

    def test_all_is_an_encoding(self) -> None:
        """The default by name, as of `explain` and `sweep`."""
        done = assay("promises", "-e", "all", "--json", "--stride=99999", "--string-stride=999")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row["encoding"] for row in json.loads(done.stdout)["encodings"]], list(self.rows))

    def test_refuses_unknown_words(self) -> None:
        """Unknown encodings and codecs, and wrong strides, are refused."""
        for arguments, word in ((["-e", "utf-9"], "utf-9"), (["-c", "guess"], "guess"), (["--stride", "0"], "stride"),
                                (["--string-stride", "0"], "string-stride")):
            self.assert_refused(assay("promises", *arguments), word)

    def test_strides_leave_out_what_they_say(self) -> None:
        """Strides apply to strings, with and without damage; all characters, alone and in pairs, are always checked."""
        all_of_them, some = (json.loads(assay("promises", "--json", "-e", "utf-8", STRIDE, f"--string-stride={stride}").stdout)["encodings"][0]["promises"]
                             for stride in (1, 11))
        for name in ("local", "synchronises", "concatenates"):
            self.assertLess(7 * some[name]["looked_at"], all_of_them[name]["looked_at"], name)
            self.assertGreater(some[name]["looked_at"], 10, name)
        self.assertEqual(some["sorts"], all_of_them["sorts"])


class PlantedTest(Case):
    """Codecs that claim to be UTF-8 and break a promise: each check catches one, and the exit code is 1."""

    def check(self, name: str, scheme: str, refuses_ab: int = 0) -> Dict[str, Any]:
        """Builds the codec, and returns the promises that it breaks."""
        if COMPILER is None:
            self.skipTest("there is no C compiler")
        if is_built_with("msan"):
            self.skipTest("MemorySanitizer does not see what a library without it writes")
        library = loadable(self.folder, "planted", name, SCHEME=scheme, REFUSES_AB=str(refuses_ab))
        done = assay("promises", "--json", STRIDE, "--codec", library, "-e", "utf-8", "-c", "planted")
        self.assertLess(done.returncode, 2, done.stderr)
        row, = json.loads(done.stdout)["encodings"]
        broken = {key: value for key, value in row["promises"].items() if value["claimed"] and not value["kept"]}
        self.assertEqual(done.returncode, 1 if broken else 0)
        return broken

    def test_a_correct_codec_passes(self) -> None:
        """The same code with the marks of UTF-8 breaks no promise."""
        self.assertEqual(self.check("honest", UTF_8), {})

    def test_each_check_catches_one(self) -> None:
        """A scheme for each promise of UTF-8."""
        for name, scheme, promises in (
                ("leb128", LEB128, {"ascii", "no-zero", "synchronises", "sorts", "disjoint"}),
                ("naive", NAIVE, {"synchronises", "disjoint"}),
                ("low_end_first", LOW_END_FIRST, {"sorts"}),
                ("unary", UNARY, {"ascii", "no-zero", "synchronises", "disjoint", "local"})):
            self.assertEqual(set(self.check(name, scheme)), promises, name)
        self.assertEqual(set(self.check("refuses", UTF_8, 1)), {"concatenates"})

    def test_marks_alone_do_not_sort(self) -> None:
        """UTF-8 with the low end first, as all earlier schemes of the document: U+009F and U+00A0."""
        self.assertEqual(self.check("low_end", LOW_END_FIRST)["sorts"]["counterexample"]["bytes"], "DF84C085")


if __name__ == "__main__":
    unittest.main()
