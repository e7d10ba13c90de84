# SPDX-License-Identifier: MIT
"""The kill rates of the vectors that lie in a checkout, and what is promised of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict, List

from . import forms
from .complete import FOLDER as COMPLETE
from .mutants import (CLASS_MAP, CLASS_TRANSITION, EXTRA_STATE, FAMILIES, TRANSITION, Killer, Rate, equivalents, rate)
from .policies import machine
from .rows import UTF_8

CATEGORIES_BY_VERDICT, CATEGORIES = "categories, by verdict", "categories, by outcome"
TRANSITIONS, EXTRA = "transitions, by verdict", "extra state, by verdict"

# What the complete tiers prove, in families.
PROMISED = {TRANSITIONS: (TRANSITION, CLASS_MAP, CLASS_TRANSITION), EXTRA: (CLASS_TRANSITION, EXTRA_STATE)}

# A line of a complete tier: HEX, and the verdict.
LINE = re.compile(r"(-|([0-9A-F]{2})+) (ok|error [0-9]+ [0-9]+ [a-z-]+)")

Rates = Dict[str, Dict[str, Rate]]


def unhex(text: str) -> bytes:
    """HEX of the line protocol as bytes."""
    return bytes.fromhex(text.replace("-", ""))


def texts_of_case(case: Dict[str, Any]) -> List[bytes]:
    """The whole inputs of a case of any kind that decodes."""
    streams = case.get("streams", [case] if "pieces" in case else [])
    joined = [b"".join(unhex(piece) for piece in stream["pieces"]) for stream in streams]
    return joined + ([unhex(case["bytes"])] if "bytes" in case else [])


def readable_texts(root: Path) -> List[bytes]:
    """The inputs of the categories for UTF-8."""
    suite = forms.read_suite(root / "vectors")
    texts = [text for file in suite.values() if file["encoding"] == UTF_8.name
             for case in file["tests"] for text in texts_of_case(case)]
    if not texts:
        raise ValueError(f"no cases in {root / 'vectors' / UTF_8.name}")
    return texts


def complete_texts(root: Path, tier: str) -> List[bytes]:
    """The inputs of a complete tier for UTF-8."""
    path = root / COMPLETE / f"{UTF_8.name}-{tier}.txt"
    lines = [line for line in path.read_text("ascii").splitlines() if not line.startswith("#")]
    for line in lines:
        if not LINE.fullmatch(line):
            raise ValueError(f"{path} has a line that is not as FORMAT.md says: {line[:60]!r}")
    texts = [unhex(line.split()[0]) for line in lines]
    if not texts:
        raise ValueError(f"no strings in {path}")
    return texts


def of_checkout(root: Path) -> Rates:
    """The rates of each set, for each family of mutants."""
    automaton = machine(UTF_8)
    readable = readable_texts(root)
    killers = {
        CATEGORIES_BY_VERDICT: Killer(automaton, readable, True),
        CATEGORIES: Killer(automaton, readable, False),
        TRANSITIONS: Killer(automaton, complete_texts(root, "transitions"), True),
        EXTRA: Killer(automaton, complete_texts(root, "extra-state"), True),
    }
    same = {family: equivalents(automaton, family) for family in FAMILIES}
    return {name: {family: rate(automaton, family, same[family], killer) for family in FAMILIES}
            for name, killer in killers.items()}


def broken_promises(rates: Rates) -> List[str]:
    """A sentence for each family that a complete tier does not kill wholly."""
    return [f"{name}: {rates[name][family].killed} of {rates[name][family].mutants - rates[name][family].equivalent} "
            f"mutants of the family {family} are killed, not all"
            for name, families in PROMISED.items() for family in families
            if rates[name][family].killed != rates[name][family].mutants - rates[name][family].equivalent]
