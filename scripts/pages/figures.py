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
        """How often it happened in excerpts, of one: `undetected` or `turned`."""
        return each_time(self.excerpt[kind], what)

    def mean_and_worst(self, experiment: str, kind: str, what: str) -> Tuple[float, int]:
        """`lost`, `strange` or `spread`, each time, and the most of it; both of one experiment, `excerpt` or `samples`: an excerpt ends
        what a whole text would go on with."""
        tally = {"excerpt": self.excerpt, "samples": self.samples}[experiment][kind]
        return each_time(tally, what), tally[f"{what}_worst"]

    @property
    def size(self) -> float:
        """Bytes a character, each text counting the same."""
        return sum(self.bytes_a_character.values()) / len(self.bytes_a_character)


def each_time(tally: Tally, what: str) -> float:
    """The mean; 0 if there was no time."""
    return tally[what] / tally["times"] if tally["times"] else 0.0


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
