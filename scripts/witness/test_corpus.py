# SPDX-License-Identifier: MIT
"""Seeds and dictionary as they lie in the checkout."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from witness import corpus, faults, policies, tokens
from witness.automaton import ACCEPT
from witness.rows import ENCODINGS, UTF_8

ROOT = Path(__file__).resolve().parent.parent.parent
MOST = 400
LONGEST = 512


class CorpusTest(unittest.TestCase):
    """What a fuzzer starts from."""

    def test_seeds_are_few_small_and_distinct(self) -> None:
        """Below 400 files, none empty, no two alike, well-formed and ill-formed ones among them."""
        texts = [path.read_bytes() for path in (ROOT / corpus.SEED_FOLDER / "utf-8").iterdir()]
        self.assertTrue(200 < len(texts) < MOST, len(texts))
        self.assertEqual(len(set(texts)), len(texts))
        self.assertTrue(all(0 < len(text) <= LONGEST for text in texts))
        well_formed = sum(not policies.spans(UTF_8, text) for text in texts)
        self.assertTrue(50 < well_formed < len(texts) - 50, well_formed)

    def test_seeds_reach_every_transition_on_classes(self) -> None:
        """Each state meets each class of bytes in some seed."""
        automaton = policies.machine(UTF_8)
        met = set()
        for path in (ROOT / corpus.SEED_FOLDER / "utf-8").iterdir():
            state = ACCEPT
            for byte in path.read_bytes():
                met.add((state, automaton.classes[byte]))
                following = automaton.delta[state][byte]
                if following == 1 and state != ACCEPT:
                    met.add((ACCEPT, automaton.classes[byte]))
                    following = automaton.delta[ACCEPT][byte]
                state = ACCEPT if following == 1 else following
        self.assertGreaterEqual(len(met), 0.9 * 8 * 12)

    def test_dictionaries_have_the_syntax_of_fuzzers(self) -> None:
        """NAME="VALUE", names and values each once, a token for each end of a row, and each fault that there is."""
        for encoding in [one for one in ENCODINGS.values() if not one.strips_bom]:
            text = (ROOT / corpus.DICTIONARIES / f"{encoding.name}.dict").read_text("ascii")
            lines = [line for line in text.splitlines() if not line.startswith("#")]
            matches = [re.fullmatch(r'([A-Za-z0-9_]+)="((?:\\x[0-9A-F]{2})+)"', line) for line in lines]
            self.assertTrue(all(matches))
            values = [bytes.fromhex(token[2].replace("\\x", "")) for token in matches if token]
            self.assertEqual(len(set(values)), len(lines))
            self.assertEqual(len({token[1] for token in matches if token}), len(lines))
            scanner = policies.machine(encoding)
            possible = {faults.fault_in(encoding, scanner, state, byte) for state in range(scanner.state_count)
                        for byte in range(256)}
            found = {span.fault for value in values for span in policies.spans(encoding, value)}
            self.assertLessEqual(possible - {None, faults.MISSING_CONTINUATION}, found, encoding.name)
            self.assertIn(faults.TRUNCATED, found, encoding.name)
            for row in encoding.rows:
                self.assertIn(row.encode(row.first), values)
                self.assertIn(row.encode(row.last), values)

    def test_tokens_fit_their_table(self) -> None:
        """Each encoding has a set; what is longer than a token is a filler."""
        header = (ROOT / tokens.PATH).read_text("ascii")
        for encoding in [one for one in ENCODINGS.values() if not one.strips_bom]:
            self.assertIn(f'{{"{encoding.name}", ', header)
            for name, text in corpus.tokens(encoding):
                self.assertTrue(0 < len(text) <= tokens.LONGEST or name.startswith("filler"), (encoding.name, name))


if __name__ == "__main__":
    unittest.main()
