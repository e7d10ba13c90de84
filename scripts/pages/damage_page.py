# SPDX-License-Identifier: MIT
"""The figures of the damage page, from `assay damage --json` and `assay promises --json`: sums over all texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

KINDS = ("deleted", "inserted", "substituted", "duplicated", "swapped")

# The encodings that the plots show: the schemes in the order of the article, then UTF-8, then others.
PLOTTED = ("leb128", "counter-naive", "counter-terrible", "counter-decent", "unary", "unary-freed", "utf-8-unchecked", "utf-8",
        "utf-8-biased", "utf-8-rfc2279", "utf-16le", "cesu-8")

Tally = Dict[str, int]


@dataclass(frozen=True)
class Encoding:
    """One encoding: tallies of excerpts and of samples, by kind of damage; bytes per character, by text."""

    name: str
    laboratory: bool
    excerpt: Dict[str, Tally]
    samples: Dict[str, Tally]
    bytes_a_character: Dict[str, float]

    def share(self, kind: str, what: str) -> float:
        """The share of damages to excerpts that are `undetected` or `turned`, from 0 to 1."""
        return mean_of(self.excerpt[kind], what)

    def mean_and_worst(self, experiment: str, kind: str, what: str) -> Tuple[float, int]:
        """The mean and the maximum of `lost`, `strange` or `spread` in one experiment, `excerpt` or `samples`. The two are never mixed,
        because an excerpt ends sooner than a text."""
        tally = {"excerpt": self.excerpt, "samples": self.samples}[experiment][kind]
        return mean_of(tally, what), tally[f"{what}_worst"]

    @property
    def size(self) -> float:
        """Bytes per character; each text has the same weight."""
        return sum(self.bytes_a_character.values()) / len(self.bytes_a_character)


def mean_of(tally: Tally, what: str) -> float:
    """The mean; 0 if there were no damages."""
    return tally[what] / tally["times"] if tally["times"] else 0.0


def add(tallies: List[Tally]) -> Tally:
    """Adds tallies: sums of counts, maximum of `_worst`."""
    return {name: (max if name.endswith("_worst") else sum)(tally[name] for tally in tallies) for name in tallies[0]}


def encodings_of(damage: Dict[str, Any]) -> List[Encoding]:
    """All encodings: those of PLOTTED first, in its order."""
    characters = {text["name"]: text["characters"] for text in damage["texts"]}
    found = [Encoding(row["name"], row["laboratory"],
                      {kind: add([text["excerpt"][kind] for text in row["texts"]]) for kind in KINDS},
                      {kind: add([text["samples"][kind] for text in row["texts"]]) for kind in KINDS},
                      {text["text"]: text["bytes"] / characters[text["text"]] for text in row["texts"]})
             for row in damage["encodings"]]
    place = {name: index for index, name in enumerate(PLOTTED)}
    return sorted(found, key=lambda encoding: place.get(encoding.name, len(PLOTTED)))


def plotted(encodings: List[Encoding]) -> List[Encoding]:
    """The encodings of PLOTTED."""
    return [encoding for encoding in encodings if encoding.name in PLOTTED]


@dataclass(frozen=True)
class Misread:
    """Texts written in one encoding and read as another: shares of their lines, from 0 to 1, and where whole texts are noticed."""

    written: str
    read: str
    noticed: float
    turned: float
    texts_noticed: int
    offset: Optional[int]  # the median of the texts that are noticed; None if none is


def misread_of(report: Dict[str, Any]) -> List[Misread]:
    """The pairs of `assay damage --misread --json`, in its order."""
    found = []
    for pair in report["pairs"]:
        texts = pair["texts"]
        lines = sum(text["lines"] for text in texts) or 1
        offsets = sorted(text["offset"] for text in texts if text["noticed"])
        found.append(Misread(pair["written"], pair["read"], sum(text["lines_noticed"] for text in texts) / lines,
                             sum(text["lines_turned"] for text in texts) / lines, len(offsets),
                             offsets[len(offsets) // 2] if offsets else None))
    return found


def counterexamples(promises: List[Dict[str, Any]]) -> List[Tuple[str, str, str, str]]:
    """Encoding, promise, bytes and explanation of every promise that is not kept."""
    return [(row["encoding"], name, spaced(promise["counterexample"]["bytes"]), promise["counterexample"]["said"])
            for row in promises for name, promise in row["promises"].items() if not promise["kept"]]


def spaced(text: str) -> str:
    """Hex with a space between bytes."""
    return " ".join(text[at:at + 2] for at in range(0, len(text), 2))
