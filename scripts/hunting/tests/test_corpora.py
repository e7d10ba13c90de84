# SPDX-License-Identifier: MIT
"""Tests of how corpora are merged, by a program that imitates libFuzzer."""

import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import List, Tuple

from hunting.engines.corpora import corpus_folder, merge_all
from hunting.plan import SHORT
from hunting.targets import Target
from hunting.trees import Tree

# As libFuzzer does: an input that ends it is saved to the path of its option, and left out of the merged corpus.
PROGRAM = """#!/bin/sh
for word; do case "$word" in -artifact_prefix=*) prefix=${word#*=};; -*) ;; *) into=${into-$word} from=$word;; esac; done
cp "$from/bad" "${prefix}crash-1" && cp "$from/good" "$into"
"""


class MergingTest(unittest.TestCase):
    """No finding is lost."""

    def test_what_ends_the_program_is_taken(self) -> None:
        """An input at which the program ends is removed from the corpus, so it is given to triage first."""
        with TemporaryDirectory() as name:
            root, target = Path(name), Target("decode", "utf-8")
            tree = Tree("libfuzzer", root)
            tree.program(target).write_text(PROGRAM)
            tree.program(target).chmod(0o755)
            folder = corpus_folder(root, target, SHORT)
            folder.mkdir(parents=True)
            for content in ("bad", "good", "more"):
                (folder / content).write_text(content)
            taken: List[Tuple[str, str]] = []
            rows = merge_all(root, tree, [target], 1, True, self.fail,
                             lambda path, of, log: taken.append((path.read_text(), f"{of.name} {log.is_file()}")))
            self.assertEqual(taken, [("bad", "decode True")])
            self.assertEqual([path.name for path in folder.iterdir()], ["good"])
            self.assertEqual([(row["before"], row["after"], row["note"]) for row in rows], [(3, 1, None)])


if __name__ == "__main__":
    unittest.main()
