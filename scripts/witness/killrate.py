# SPDX-License-Identifier: MIT
"""The kill rates of the vectors in a checkout, and the rates that the complete tiers promise."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict, FrozenSet, List

from . import forms
from .automaton import automaton_of, scanner_of
from .complete import FOLDER as COMPLETE, expanded
from .mutants import (CLASS_MAP, CLASS_TRANSITION, EXTRA_STATE, FAMILIES, TRANSITION, Killer, Rate, equivalents, rate)
from .rows import UTF_8, Encoding

CATEGORIES_BY_VERDICT, CATEGORIES = "categories, by verdict", "categories, by outcome"
TRANSITIONS, EXTRA = "transitions, by verdict", "extra state, by verdict"

# The families of mutants that the complete tiers kill wholly.
PROMISED = {TRANSITIONS: (TRANSITION, CLASS_MAP, CLASS_TRANSITION), EXTRA: (CLASS_TRANSITION, EXTRA_STATE)}

# A line of a complete tier: HEX, with or without a range, and the verdict.
LINE = re.compile(r"([^ ]+) (ok|error [0-9]+ [0-9]+ [a-z-]+)")

NONE: FrozenSet[int] = frozenset()

Rates = Dict[str, Dict[str, Rate]]


def unhex(text: str) -> bytes:
    """The bytes of a HEX of the line protocol."""
    return bytes.fromhex(text.replace("-", ""))


def texts_of_case(case: Dict[str, Any]) -> List[bytes]:
    """The inputs of a case of any kind that decodes; pieces are joined."""
    streams = case.get("streams", [case] if "pieces" in case else [])
    joined = [b"".join(unhex(piece) for piece in stream["pieces"]) for stream in streams]
    return joined + ([unhex(case["bytes"])] if "bytes" in case else [])


def readable_texts(root: Path, encoding: Encoding = UTF_8) -> List[bytes]:
    """The inputs of the categories of an encoding."""
    suite = forms.read_suite(root / "vectors", encoding.name)
    texts = [text for file in suite.values() for case in file["tests"] for text in texts_of_case(case)]
    if not texts:
        raise ValueError(f"no cases in {root / 'vectors' / encoding.name}")
    return texts


def complete_texts(root: Path, tier: str, encoding: Encoding = UTF_8) -> List[bytes]:
    """The inputs of a complete tier."""
    path = root / COMPLETE / f"{encoding.name}-{tier}.txt"
    lines = [line for line in path.read_text("ascii").splitlines() if not line.startswith("#")]
    texts: List[bytes] = []
    for line in lines:
        match = LINE.fullmatch(line)
        try:
            texts += expanded(match[1] if match else "")
        except ValueError as error:
            raise ValueError(f"{path} has a line that FORMAT.md does not allow: {line[:60]!r}") from error
    if not texts:
        raise ValueError(f"no strings in {path}")
    return texts


def tier_killers(root: Path, encoding: Encoding) -> Dict[str, Killer]:
    """The complete tiers, by verdict."""
    language = automaton_of(encoding)
    return {TRANSITIONS: Killer(language, complete_texts(root, "transitions", encoding), True),
            EXTRA: Killer(language, complete_texts(root, "extra-state", encoding), True)}


def of_checkout(root: Path, encoding: Encoding = UTF_8) -> Rates:
    """The rates of each set for each family of mutants. The mutants are of the language's automaton, or, where offsets count, of
    the scanner."""
    language, scanner = automaton_of(encoding), scanner_of(encoding)
    readable = readable_texts(root, encoding)
    killers = {
        CATEGORIES_BY_VERDICT: Killer(language, readable, True),
        CATEGORIES: Killer(scanner, readable, False, encoding.unit),
        **tier_killers(root, encoding),
    }
    same = {family: equivalents(language, family) for family in FAMILIES}
    return {name: {family: rate(killer.automaton, family, same[family] if killer.automaton == language else NONE, killer)
                   for family in FAMILIES} for name, killer in killers.items()}


def promised(root: Path, encoding: Encoding) -> Rates:
    """The rates of the complete tiers alone, for the families that they promise to kill."""
    language = automaton_of(encoding)
    return {name: {family: rate(language, family, equivalents(language, family), killer) for family in PROMISED[name]}
            for name, killer in tier_killers(root, encoding).items()}


def broken_promises(rates: Rates) -> List[str]:
    """A sentence for each family that a complete tier does not kill wholly."""
    return [f"{name}: {rates[name][family].killed} of {rates[name][family].mutants - rates[name][family].equivalent} "
            f"mutants of the family {family} are killed, not all"
            for name, families in PROMISED.items() for family in families
            if rates[name][family].killed != rates[name][family].mutants - rates[name][family].equivalent]
