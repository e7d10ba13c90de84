# SPDX-License-Identifier: MIT
"""The meaning of each flag: the kind of bug, its effect, and links to records of such bugs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Tuple

from .policies import BOM, REPLACEMENT


@dataclass(frozen=True)
class Note:
    """The kind of bug, its effect, and links to an issue, an advisory or a clause."""

    kind: str
    effect: str
    links: Tuple[str, ...] = ()


STANDARD = "https://www.unicode.org/versions/Unicode17.0.0/core-spec/chapter-3/"
RFC_3629 = "https://www.rfc-editor.org/rfc/rfc3629"


def cve(number: str) -> str:
    """The record of a vulnerability."""
    return f"https://www.cve.org/CVERecord?id=CVE-{number}"


NOTES: Dict[str, Note] = {
    "overlong-ascii": Note(
        "accepts a non-shortest form of an ASCII character",
        "A filter that looks for / or < in the bytes does not see it, and the decoder makes one all the same.",
        (cve("2000-0884"), cve("2008-2938"), RFC_3629 + "#section-10")),
    "surrogate-pair": Note(
        "takes two surrogates of three bytes for one character",
        "The text is CESU-8, in which two byte sequences stand for each supplementary character.",
        ("https://www.unicode.org/reports/tr26/",)),
    "old-scheme": Note(
        "accepts a form of 5 or 6 bytes",
        "Values that are no code points reach the program, or 5 bytes are replaced where others replace 1.",
        (RFC_3629 + "#section-3",)),
    "early": Note(
        "reports an error later than it is certain",
        "A stream holds back output, and an error is reported for a byte that is not to blame.",
        ("https://github.com/python/cpython/issues/154520", STANDARD)),
    "swallow": Note(
        "takes a well-formed neighbour for a part of the error",
        "A quotation mark or an angle bracket disappears, and what follows it changes its meaning.",
        (STANDARD,)),
    "incomplete": Note(
        "takes the end of input for the end of a character",
        "A sequence that is cut short vanishes, or the decoder reads past the end of its buffer.",
        (STANDARD,)),
    "single-bit": Note(
        "does not notice damage",
        "One bit flipped in storage or on a line gives other text, without an error.",
        ()),
    "block-edge": Note(
        "loses track at the edge of a block",
        "A vectorised decoder accepts, misplaces or miscounts what crosses the edges of its blocks or is in its tail.",
        ("https://github.com/simdjson/simdjson/issues/1169", "https://github.com/simdutf/simdutf/issues/458")),
    "standard-example": Note(
        "differs from an example that a standard prints",
        "A reader of the standard expects another result.",
        (STANDARD, RFC_3629)),
    "empty-piece": Note(
        "takes an empty piece for the end, or for a beginning",
        "Held bytes are flushed or forgotten when a read from the network gives nothing.",
        ("https://github.com/nodejs/node/issues/37466",)),
    "reuse": Note(
        "keeps state from one stream to the next",
        "The end of one text changes the beginning of another, which may be somebody else's.",
        ("https://bugzilla.mozilla.org/show_bug.cgi?id=2005419", "https://bugs.webkit.org/show_bug.cgi?id=312131")),
    "nul": Note(
        "treats U+0000 as the end or as nothing",
        "What follows is not checked, or the text is cut short.",
        ()),
    "bom": Note(
        "treats U+FEFF as a signature where it is a character",
        "A character is lost. In utf-8 every U+FEFF is text; utf-8-sig takes one away at the very beginning.",
        ("https://encoding.spec.whatwg.org/#utf-8-decode-without-bom",)),
    "noncharacter": Note(
        "refuses a noncharacter",
        "Noncharacters are scalar values and pass in UTF-8 (Corrigendum 9), though Perl, expat and SQLite differ.",
        ("https://www.unicode.org/versions/corrigendum9.html",)),
    "replacement-character": Note(
        "takes U+FFFD in the input for an error",
        "Text that was repaired once is refused, or is counted as damaged again.",
        ()),
}


def flags_of_content(code_points: List[int]) -> List[str]:
    """The flags that follow from the characters of a text."""
    found = {"nul": 0 in code_points, "bom": BOM in code_points, "replacement-character": REPLACEMENT in code_points,
             "noncharacter": any(c & 0xFFFE == 0xFFFE or 0xFDD0 <= c <= 0xFDEF for c in code_points)}
    return [flag for flag, holds in found.items() if holds]
