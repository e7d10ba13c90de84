# SPDX-License-Identifier: MIT
"""What a page shows of `assay damage --json` and `assay promises --json`: sums over all texts, in the order of the road."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Tuple

KINDS = ("deleted", "inserted", "substituted", "duplicated", "swapped")

# The schemes as the document comes by them, then UTF-8, then what else there is.
ROAD = ("leb128", "counter-naive", "counter-terrible", "counter-decent", "unary", "unary-freed", "utf-8-unchecked", "utf-8",
        "utf-8-biased", "utf-8-rfc2279", "utf-16le", "cesu-8")

Tally = Dict[str, int]


@dataclass(frozen=True)
class Encoding:
    """One encoding: tallies by kind of damage, of excerpts and of samples; bytes a character, by text."""

    name: str
    laboratory: bool
    excerpt: Dict[str, Tally]
    samples: Dict[str, Tally]
    bytes_a_character: Dict[str, float]

    def share(self, kind: str, what: str) -> float:
        """How often it happened, of one: `undetected` or `turned`."""
        tally = self.excerpt[kind]
        return tally[what] / tally["times"] if tally["times"] else 0.0

    def mean(self, kind: str, what: str) -> float:
        """`lost`, `strange` or `spread`, each time."""
        tally = self.excerpt[kind]
        return tally[what] / tally["times"] if tally["times"] else 0.0

    def worst(self, kind: str, what: str) -> int:
        """The most of it, wherever it was."""
        return max(self.excerpt[kind][f"{what}_worst"], self.samples[kind][f"{what}_worst"])

    @property
    def size(self) -> float:
        """Bytes a character, each text counting the same."""
        return sum(self.bytes_a_character.values()) / len(self.bytes_a_character)


def add(tallies: List[Tally]) -> Tally:
    """Sums of counts, the greatest of what is worst."""
    return {name: (max if name.endswith("_worst") else sum)(tally[name] for tally in tallies) for name in tallies[0]}


def encodings_of(damage: Dict[str, Any]) -> List[Encoding]:
    """All encodings: those of the road first, in its order."""
    characters = {text["name"]: text["characters"] for text in damage["texts"]}
    found = [Encoding(row["name"], row["laboratory"],
                      {kind: add([text["excerpt"][kind] for text in row["texts"]]) for kind in KINDS},
                      {kind: add([text["samples"][kind] for text in row["texts"]]) for kind in KINDS},
                      {text["text"]: text["bytes"] / characters[text["text"]] for text in row["texts"]})
             for row in damage["encodings"]]
    place = {name: index for index, name in enumerate(ROAD)}
    return sorted(found, key=lambda encoding: place.get(encoding.name, len(ROAD)))


def on_the_road(encodings: List[Encoding]) -> List[Encoding]:
    """Those that the plots have room for."""
    return [encoding for encoding in encodings if encoding.name in ROAD]


def counterexamples(promises: List[Dict[str, Any]]) -> List[Tuple[str, str, str, str]]:
    """Encoding, promise, bytes, and what is said of them, of every promise that is not kept."""
    return [(row["encoding"], name, spaced(promise["counterexample"]["bytes"]), promise["counterexample"]["said"])
            for row in promises for name, promise in row["promises"].items() if not promise["kept"]]


def spaced(text: str) -> str:
    """Hex as people write it."""
    return " ".join(text[at:at + 2] for at in range(0, len(text), 2))
