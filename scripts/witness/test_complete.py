# SPDX-License-Identifier: MIT
"""The complete tiers, the digests and the kill rates."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from witness import complete, digests, killrate, mutants, policies
from witness.automaton import ACCEPT, REJECT, automaton_of
from witness.rows import ALL, ENCODINGS, RELATIVES, UTF_8

ROOT = Path(__file__).resolve().parent.parent.parent


class CompleteTest(unittest.TestCase):
    """The W-method."""

    def setUp(self) -> None:
        """Derives the automaton."""
        self.automaton = policies.machine(UTF_8)

    def test_the_suffixes_tell_every_two_states_apart(self) -> None:
        """Without any one of the suffixes, two states are not distinguished."""
        suffixes = complete.characterisation(self.automaton)

        def classes(chosen: list) -> int:
            """How many sorts of state there are by these suffixes."""
            return len({tuple(self.automaton.walk(suffix, state) == ACCEPT for suffix in chosen) for state in range(9)})

        self.assertEqual(classes(suffixes), 9)
        for suffix in suffixes:
            self.assertLess(classes([other for other in suffixes if other != suffix]), 9)

    def test_kills_arbitrary_automata_of_as_many_states(self) -> None:
        """Automata with several wrong transitions at once, seed 1978: none of another language passes."""
        chance = random.Random(1978)
        strings = complete.transition_set(UTF_8)
        expected = [mutants.verdict(self.automaton, self.automaton.delta, text) for text in strings]
        different = 0
        for _ in range(60):
            table = [list(row) for row in self.automaton.delta]
            for _ in range(chance.choice((1, 2, 5, 200))):
                table[chance.choice((0, 2, 3, 4, 5, 6, 7, 8))][chance.randrange(256)] = chance.randrange(9)
            if mutants.equivalent(self.automaton, table):
                continue
            different += 1
            self.assertTrue(any(mutants.verdict(self.automaton, table, text) != good for text, good in zip(strings, expected)))
        self.assertGreater(different, 30)

    def test_does_not_kill_an_automaton_that_is_the_same(self) -> None:
        """A mutant that accepts the same language is recognised: unreachable copies of a state differ nowhere."""
        table = [*map(list, self.automaton.delta), list(self.automaton.delta[3])]
        table[0][0xE5] = 9 if self.automaton.delta[0][0xE5] == 3 else table[0][0xE5]
        self.assertTrue(mutants.equivalent(self.automaton, table, 3))
        table[0][0xC0] = 3
        self.assertFalse(mutants.equivalent(self.automaton, table, 3))


    def test_a_range_is_each_of_its_bytes(self) -> None:
        """What is written shorter for the relatives is the same strings, each once, with their verdicts."""
        self.assertEqual(complete.expanded("-"), [b""])
        self.assertEqual(complete.expanded("ED[A0-A2]80"), [b"\xED\xA0\x80", b"\xED\xA1\x80", b"\xED\xA2\x80"])
        for wrong in ("", "E", "[A0]", "[A0-B0][00-01]", "ed", "[A0-BG]"):
            with self.assertRaises(ValueError, msg=wrong):
                complete.expanded(wrong)
        for name in ("cesu-8", "utf-16be", "mutf-8-readutf"):
            encoding = ENCODINGS[name]
            strings = complete.transition_set(encoding)
            written = [(text, line.split(" ", 1)[1]) for line in complete.ranged_lines(encoding, strings)
                       for text in complete.expanded(line.split(" ")[0])]
            self.assertEqual(sorted(text for text, _ in written), sorted(strings), name)
            for text, verdict in written:
                self.assertEqual(verdict == "ok", not policies.spans(encoding, text))


class KillRateTest(unittest.TestCase):
    """What the files of the checkout kill."""

    @classmethod
    def setUpClass(cls) -> None:
        """Measures once."""
        cls.rates = killrate.of_checkout(ROOT)

    def test_the_relatives_tiers_kill_all_that_they_promise(self) -> None:
        """100 % of every encoding, by verdict alone."""
        for name in RELATIVES:
            rates = killrate.promised(ROOT, ENCODINGS[name])
            self.assertEqual(killrate.broken_promises(rates), [], name)
            has_classes = automaton_of(ENCODINGS[name]).class_count > 1  # else no byte can be in another class: WTF-16
            self.assertTrue(all((one.mutants > one.equivalent) is (has_classes or family != mutants.CLASS_MAP)
                                for row in rates.values() for family, one in row.items()), name)

    def test_the_families_have_their_sizes(self) -> None:
        """8 x 256 x 8, 256 x 11, 8 x 12 x 8, 8 x 12 x 12 x 8; none of the mutants accepts the same language."""
        for row in self.rates.values():
            self.assertEqual([row[family].mutants for family in mutants.FAMILIES], [16384, 2816, 768, 9216])
            self.assertEqual([row[family].equivalent for family in mutants.FAMILIES], [0, 0, 0, 0])

    def test_the_complete_tiers_kill_all_that_they_promise(self) -> None:
        """100 %, by verdict alone."""
        self.assertEqual(killrate.broken_promises(self.rates), [])

    def test_the_categories_kill_all_by_outcome(self) -> None:
        """By verdict alone, at least the share that was killed when this test was written."""
        for family, least in zip(mutants.FAMILIES, (38.9, 99.4, 72.1, 32.5)):
            self.assertEqual(self.rates[killrate.CATEGORIES][family].percent, 100)
            self.assertGreaterEqual(self.rates[killrate.CATEGORIES_BY_VERDICT][family].percent, least)

    def test_a_smaller_set_kills_less(self) -> None:
        """The measure can fall: without strings that begin with ED, mutants at ED survive."""
        automaton = policies.machine(UTF_8)
        strings = [text for text in complete.transition_set(UTF_8) if text[:1] != b"\xED"]
        killer = mutants.Killer(automaton, strings, True)
        got = mutants.rate(automaton, mutants.CLASS_TRANSITION, frozenset(), killer)
        self.assertLess(got.killed, got.mutants)

    def test_a_broken_promise_is_told(self) -> None:
        """A survivor in a family that a tier promises to kill is reported; one in another family is not."""
        whole = {name: {family: mutants.Rate(10, 0, 10) for family in mutants.FAMILIES} for name in self.rates}
        self.assertEqual(killrate.broken_promises(whole), [])
        whole[killrate.TRANSITIONS][mutants.CLASS_MAP] = mutants.Rate(10, 0, 9)
        whole[killrate.TRANSITIONS][mutants.EXTRA_STATE] = mutants.Rate(10, 0, 1)
        self.assertEqual(len(killrate.broken_promises(whole)), 1)

    def test_no_vectors_is_no_rate(self) -> None:
        """An empty folder is exit 2 with a reason, never a rate."""
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, str(ROOT / "scripts" / "kill-rate"), "--root", folder]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("no vectors", run.stderr)

    def test_refuses_a_damaged_tier(self) -> None:
        """A line that is empty, or no HEX with a verdict, is an error that shows it."""
        for line in ("", "C0", "C0 perhaps", "c0 ok", "C0 error 0 1"):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "vectors" / "complete" / "utf-8-transitions.txt"
                path.parent.mkdir(parents=True)
                path.write_text(f"# about\n41 ok\n{line}\n", "ascii")
                with self.assertRaisesRegex(ValueError, f"that FORMAT.md does not allow: {line!r}"):
                    killrate.complete_texts(Path(folder), "transitions")

    def test_an_index_by_edges_misses_nothing(self) -> None:
        """Whether a mutant is killed is the same when every input is tried, seed 9."""
        chance = random.Random(9)
        automaton = policies.machine(UTF_8)
        texts = chance.sample(killrate.readable_texts(ROOT), 150)
        for by_verdict in (True, False):
            killer = mutants.Killer(automaton, texts, by_verdict)
            for family in mutants.FAMILIES:
                for mutant in chance.sample(list(mutants.MAKERS[family](automaton)), 150):
                    table = mutant.table(automaton.delta)
                    slow = any(killer.judge(automaton, table, text, mutant.extra) != killer.judge(automaton, automaton.delta, text)
                               for text in texts)
                    self.assertEqual(killer.kills(mutant), slow)

    def test_the_outcome_of_the_real_automaton_is_that_of_the_witness(self) -> None:
        """The walk by which mutants are judged finds the witness's segments."""
        for name in ALL:
            encoding = ENCODINGS[name]
            scanner = policies.machine(encoding)
            for text in killrate.readable_texts(ROOT, encoding)[::7]:
                segments = [(one.offset + one.length, one.span is None) for one in policies.segments(encoding, text)]
                self.assertEqual(mutants.outcome(scanner, scanner.delta, text, unit=encoding.unit), segments, name)


class DigestsTest(unittest.TestCase):
    """The digests."""

    def test_agree_with_their_definition(self) -> None:
        """All strings of one and two bytes, one by one."""
        for length in (1, 2):
            texts = [bytes(text) for text in itertools.product(range(256), repeat=length)]
            spans = [policies.spans(UTF_8, text) for text in texts]
            whatwg = [digests.value_of(policies.decode(UTF_8, text, policies.WHATWG)) for text in texts]
            strict = [0 if span else value for span, value in zip(spans, whatwg)]
            for kind, values in ((digests.VERDICT, [int(not span) for span in spans]), (digests.STRICT, strict),
                                 (digests.WHATWG, whatwg)):
                self.assertEqual(digests.Digest(UTF_8, kind).of_length(length), digests.running(values))
            self.assertEqual(digests.well_formed_count(UTF_8, length), spans.count([]))

    def test_of_all_code_points_agrees_with_its_definition(self) -> None:
        """All scalar values, one by one."""
        values = (digests.value_of((code_point,)) for code_point in UTF_8.code_points())
        self.assertEqual(digests.of_code_points(UTF_8, digests.WHATWG), digests.running(values))
        ones = (1 for _ in UTF_8.code_points())
        self.assertEqual(digests.of_code_points(UTF_8, digests.VERDICT), digests.running(ones))

    def test_change_with_any_one_answer(self) -> None:
        """Both factors are odd, so no single wrong value is lost, wherever it stands."""
        values = list(range(50))
        for index in range(50):
            for wrong in (0, 1 << 63):
                changed = [*values[:index], values[index] ^ wrong ^ 1, *values[index + 1:]]
                self.assertNotEqual(digests.running(changed), digests.running(values))
        self.assertNotEqual(digests.value_of([0x41, 0x42]), digests.value_of([0x42, 0x41]))
        self.assertNotEqual(digests.value_of([0]), digests.value_of([0, 0]))

    def test_count_what_is_well_formed(self) -> None:
        """Strings of one to four bytes: known figures."""
        self.assertEqual([digests.well_formed_count(UTF_8, length) for length in range(1, 5)],
                         [128, 18304, 2650112, 383270912])

    def test_no_kind_takes_the_state_that_refuses_further(self) -> None:
        """Under `strict`, an error makes the whole string worth nothing."""
        self.assertEqual(digests.Digest(UTF_8, digests.STRICT).sums(REJECT, 3), (0, 0, 0))


if __name__ == "__main__":
    unittest.main()
