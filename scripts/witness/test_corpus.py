# SPDX-License-Identifier: MIT
"""What fuzzers start with, made of the vectors of the checkout."""

from __future__ import annotations

import re
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import List, Set

from witness import corpus, faults, mutants, policies, tokens
from witness.rows import ALL, ENCODINGS

ROOT = Path(__file__).resolve().parent.parent.parent
MOST = 400
LONGEST = 512


class CorpusTest(unittest.TestCase):
    """What a fuzzer starts from."""

    @staticmethod
    def seeds(name: str) -> List[bytes]:
        """The seeds of an encoding."""
        return [text for path, text in corpus.all_seeds(ROOT / "vectors").items() if path.startswith(f"{name}/")]

    def test_seeds_are_written_whole(self) -> None:
        """Seeds of an earlier run are removed. A folder without vectors is refused."""
        with TemporaryDirectory() as folder:
            seeds, old = Path(folder) / "seeds", Path(folder) / "seeds/utf-8/old"
            old.parent.mkdir(parents=True)
            old.write_bytes(b"old")
            with self.assertRaises(ValueError):
                corpus.all_seeds(Path(folder) / "vectors")
            corpus.write_seeds(corpus.all_seeds(ROOT / "vectors"), seeds)
            found = {path.relative_to(seeds).as_posix(): path.read_bytes() for path in seeds.rglob("*") if path.is_file()}
            tokens_of = {name: found.pop(name) for name in list(found) if "/" not in name}
            self.assertEqual(found, corpus.all_seeds(ROOT / "vectors"))
            self.assertEqual(sorted(tokens_of), sorted(f"{name}.dict" for name in ENCODINGS if not ENCODINGS[name].strips_bom))
            self.assertEqual(tokens_of["utf-8.dict"].decode("ascii"), corpus.dictionary(ENCODINGS["utf-8"]))

    def test_seeds_are_few_small_and_distinct(self) -> None:
        """Below 400 files an encoding, none empty, no two alike, well-formed and ill-formed ones among them."""
        for name in ALL:
            texts = self.seeds(name)
            self.assertTrue(100 < len(texts) < MOST, (name, len(texts)))
            self.assertEqual(len(set(texts)), len(texts), name)
            self.assertTrue(all(0 < len(text) <= LONGEST for text in texts), name)
            well_formed = sum(not policies.spans(ENCODINGS[name], text) for text in texts)
            least = 10 if name.startswith("wtf-16") else 20  # ill-formed ones: in WTF-16 only the end of a text can be
            self.assertTrue(20 < well_formed < len(texts) - least, (name, well_formed))

    def test_seeds_reach_every_transition_on_classes(self) -> None:
        """Nine of ten pairs of a state and a class of bytes are met in some seed, in every encoding."""
        for name in ALL:
            encoding = ENCODINGS[name]
            scanner, met = policies.machine(encoding), set()
            for text in self.seeds(name):
                taken: Set[mutants.Edge] = set()
                mutants.outcome(scanner, scanner.delta, text, taken=taken, unit=encoding.unit)
                met |= {(state, scanner.classes[byte]) for state, byte in taken}
            self.assertGreaterEqual(len(met), 0.9 * (scanner.state_count - 1) * scanner.class_count, name)

    def test_dictionaries_have_the_syntax_of_fuzzers(self) -> None:
        """NAME="VALUE", names and values each once, a token for each end of a row, and each fault that there is."""
        for encoding in [one for one in ENCODINGS.values() if not one.strips_bom]:
            lines = corpus.dictionary(encoding).splitlines()
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
        """Each encoding has a set; a longer one than a token is a filler."""
        header = (ROOT / tokens.PATH).read_text("ascii")
        for encoding in [one for one in ENCODINGS.values() if not one.strips_bom]:
            self.assertIn(f'{{"{encoding.name}", ', header)
            for name, text in corpus.tokens(encoding):
                self.assertTrue(0 < len(text) <= tokens.LONGEST or name.startswith("filler"), (encoding.name, name))


if __name__ == "__main__":
    unittest.main()
