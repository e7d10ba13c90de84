# SPDX-License-Identifier: MIT
"""One byte of a text is lost, added, changed, doubled or swapped with the next: what must come through all the same."""

from __future__ import annotations

from typing import Dict, Iterator, Tuple

from ..cases import Draft
from ..notes import STANDARD, Note
from ..rows import PRINCIPAL, Encoding
from ..samples import of_each_length, spaced, written

ENCODINGS = PRINCIPAL
NOTES = {"resynchronisation": Note(
    "is out of step for longer than the damage reaches",
    "A text with one bad byte loses characters that are whole; in an encoding of bytes, at most those whose bytes were touched.",
    (STANDARD,))}

# What comes in, or instead: a character, a continuation, leads of each length, and what begins nothing.
STRANGERS = (0x41, 0x80, 0xBF, 0xC3, 0xE4, 0xF0, 0xFF)


def damaged(text: bytes) -> Iterator[Tuple[str, str, bytes]]:
    """Every damage: name, sentence, and the damaged text."""
    for at, byte in enumerate(text):
        before, after = text[:at], text[at + 1:]
        yield f"lost-{at}", f"without byte {at}", before + after
        yield f"doubled-{at}", f"byte {at} twice", before + text[at:at + 1] + text[at:]
        if after and after[0] != byte:
            yield f"swapped-{at}", f"bytes {at} and {at + 1} swapped", before + after[:1] + text[at:at + 1] + after[1:]
        for stranger in STRANGERS:
            yield f"added-{at}-{stranger:02x}", f"{stranger:02X} before byte {at}", before + bytes((stranger,)) + text[at:]
            if stranger != byte:
                yield f"changed-{at}-{stranger:02x}", f"{stranger:02X} for byte {at}", before + bytes((stranger,)) + after


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Every damage to every byte of a character of each length, between letters; each outcome once. The first comment has the text."""
    text = written(encoding, "a") + b"".join(of_each_length(encoding)) + written(encoding, "z")
    outcomes: Dict[bytes, Tuple[str, str]] = {}
    for name, sentence, left in damaged(text):
        outcomes.setdefault(left, (name, sentence))
    for index, (left, (name, sentence)) in enumerate(outcomes.items()):
        yield Draft(sentence if index else f"{spaced(text)} {sentence}", left, ("resynchronisation",), name)
