# SPDX-License-Identifier: MIT
"""The vectors against CPython, Node and the JDK, wherever these are installed and implement the policy."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Callable, List, Optional, Sequence

from witness import agreement
from witness.agreement import Difference, Question
from witness.rows import RELATIVES, WITH_SIGNATURE

ROOT = Path(__file__).resolve().parent.parent.parent


def files(encoding: str) -> list:
    """The files of an encoding, parsed."""
    return [json.loads(path.read_text("ascii")) for path in sorted((ROOT / "vectors" / encoding).glob("*.json"))]


class AgreementTest(unittest.TestCase):
    """Every difference has a reason, and every reason a difference."""

    @classmethod
    def setUpClass(cls) -> None:
        """Reads the files once."""
        cls.utf_8, cls.utf_8_sig = files("utf-8"), files("utf-8-sig")
        cls.suite = {name: files(name) for name in (*RELATIVES, *WITH_SIGNATURE)}

    def check(self, name: str, asked: List[Question], ask: Callable[[Sequence[Question]], List[str]], least: int = 9000) -> None:
        """Asks, and holds each difference against the reasons."""
        self.assertGreater(len(asked), least)
        reasons = agreement.ORACLE_REASONS[name]
        uses = [0] * len(reasons)
        for difference in agreement.differences(asked, ask(asked)):
            holding = [index for index, reason in enumerate(reasons) if reason.holds(difference)]
            self.assertEqual(len(holding), 1, difference)
            uses[holding[0]] += 1
        for reason, count in zip(reasons, uses):
            self.assertGreater(count, 0, f"{name} no longer differs: {reason.text}")

    def check_program(self, name: str, asked: List[Question], command: Optional[List[str]], least: int = 9000) -> None:
        """The same, for a program, if it is installed."""
        if command is None:
            self.skipTest(f"{name} is not installed")
        self.check(name, asked, lambda questions: agreement.ask(command, questions), least)

    def test_cpython_agrees(self) -> None:
        """whatwg, skip, surrogateescape, strict with offset and length, pieces, signature, encoding."""
        self.check("cpython", agreement.cpython_questions(self.utf_8, self.utf_8_sig), agreement.ask_cpython)

    def test_cpython_agrees_on_the_complete_tiers(self) -> None:
        """Verdict, offset and length of every string."""
        for path in sorted((ROOT / "vectors" / "complete").glob("utf-8-*.txt")):
            lines = [line.split(" ") for line in path.read_text("ascii").splitlines() if not line.startswith("#")]
            self.assertGreater(len(lines), 5000)
            for text, *verdict in lines:
                answer = agreement.cpython_answer("utf-8", "strict", (text,)).split(" ")
                expected = verdict[:3] if verdict[0] == "error" else ["ok"]
                self.assertEqual(answer if answer[0] == "error" else ["ok"], expected, text)

    def test_node_agrees(self) -> None:
        """whatwg, verdict, pieces, signature, encoding from UTF-16."""
        self.check_program("node", agreement.node_questions(self.utf_8, self.utf_8_sig), agreement.node_command())

    def test_jdk_agrees(self) -> None:
        """jdk, skip, strict with offset and length, pieces."""
        self.check_program("jdk", agreement.jdk_questions(self.utf_8, self.utf_8_sig), agreement.jdk_command())

    def test_cpython_agrees_on_the_relatives(self) -> None:
        """surrogatepass is generalized UTF-8, WTF-8 by way of UTF-16, and WTF-16; both byte orders of UTF-16."""
        self.check("cpython family", agreement.cpython_family_questions(self.suite), agreement.ask_cpython, 4000)

    def test_node_agrees_on_utf_16(self) -> None:
        """whatwg whole and in pieces, with and without signature, strict by verdict, and toWellFormed."""
        self.check_program("node family", agreement.node_family_questions(self.suite), agreement.node_command(), 2000)

    def test_jdk_agrees_on_the_relatives(self) -> None:
        """CESU-8, readUTF, writeUTF, UTF-16."""
        self.check_program("jdk family", agreement.jdk_family_questions(self.suite), agreement.jdk_command(), 6000)

    def test_icu_agrees_on_the_relatives(self) -> None:
        """CESU-8 and UTF-16, whole."""
        icu = agreement.icu()
        if icu is None:
            self.skipTest("ICU is not installed")
        self.check("icu family", agreement.icu_family_questions(self.suite), icu.ask, 1500)

    def test_reasons_for_the_relatives_are_narrow(self) -> None:
        """Another output, another length, another encoding is not waved through."""
        late = Question("id", "CESU-8:replace", ("EDA080", "EDB080"), "-|D800,DC00|-", True)
        self.assertTrue(agreement.gives_lead_at_once(Difference(late, "D800|DC00|-")))
        self.assertFalse(agreement.gives_lead_at_once(Difference(late, "D800|FFFD|-")))
        unit = Question("id", "utf-16be:replace", ("D8000041",), "FFFD,41|-")
        self.assertTrue(agreement.swallows_a_unit(Difference(unit, "FFFD|-")))
        self.assertFalse(agreement.swallows_a_unit(Difference(unit, "41|-")))
        length = Question("id", "utf-16le:report", ("00D84100",), "error 0 2")
        self.assertTrue(agreement.swallows_a_unit(Difference(length, "error 0 4")))
        self.assertFalse(agreement.swallows_a_unit(Difference(length, "error 0 3")))
        four = Question("id", "CESU-8", ("F0B08041",), "FFFD,FFFD,FFFD,41|-")
        self.assertTrue(agreement.takes_four_bytes_for_one_error(Difference(four, "FFFD,41|-")))
        self.assertFalse(agreement.takes_four_bytes_for_one_error(Difference(four, "FFFD,42|-")))
        lead = Question("id", "utf-8:surrogatepass", ("EDA041",), "error 0 2")
        self.assertTrue(agreement.names_lead_alone(Difference(lead, "error 0 1")))
        self.assertFalse(agreement.names_lead_alone(Difference(lead, "error 1 1")))

    def test_sees_a_wrong_expectation(self) -> None:
        """A damaged output, offset or time of output is a difference that no reason explains."""
        asked = agreement.cpython_questions(self.utf_8, self.utf_8_sig)[::50]
        answers = [question.expected for question in asked]
        self.assertEqual(agreement.differences(asked, answers), [])
        for damaged in (0, len(asked) // 2, len(asked) - 1):  # from here on
            wrong = [*answers[:damaged], *("error 999 1" for _ in answers[damaged:])]
            found = agreement.differences(asked, wrong)
            self.assertEqual([one.question for one in found], asked[damaged:])
            for difference in found:
                for reasons in agreement.ORACLE_REASONS.values():
                    self.assertFalse(any(reason.holds(difference) for reason in reasons))

    def test_reasons_are_narrow(self) -> None:
        """Late output of anything but a surrogate, or another length of its error, is not waved through."""
        late = Question("id", "utf-8:replace", ("E0", "80"), "-|FFFD,FFFD|-", True)
        self.assertFalse(agreement.is_late(Difference(late, "-|-|FFFD,FFFD")))
        lost = Question("id", "utf-8:replace", ("ED", "A0"), "-|FFFD,FFFD|-", True)
        self.assertTrue(agreement.is_late(Difference(lost, "-|-|FFFD,FFFD")))
        self.assertFalse(agreement.is_late(Difference(lost, "-|-|FFFD")))
        length = Question("id", "report", ("EDA080",), "error 0 1")
        self.assertTrue(agreement.takes_whole_surrogate(Difference(length, "error 0 3")))
        self.assertFalse(agreement.takes_whole_surrogate(Difference(length, "error 0 2")))
        other = Question("id", "report", ("E08080",), "error 0 1")
        self.assertFalse(agreement.takes_whole_surrogate(Difference(other, "error 0 3")))

    def test_a_program_that_fails_is_no_agreement(self) -> None:
        """A crash or a missing answer is an error, never silence."""
        asked = [Question("id", "whatwg", ("41",), "41|-")]
        with self.assertRaises(ValueError):
            agreement.ask(["false"], asked)
        with self.assertRaises(ValueError):
            agreement.differences(asked, [])


if __name__ == "__main__":
    unittest.main()
