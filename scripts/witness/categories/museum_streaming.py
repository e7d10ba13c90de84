# SPDX-License-Identifier: MIT
"""The museum's second room: real bugs that show only when the input comes in pieces."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..exhibits import MEMORY, STATE, SWALLOWS, Exhibit, notes_of, stream_drafts
from ..rows import Encoding

KIND = "stream"

EXHIBITS = (
    Exhibit("chromium-468458744", STATE, "What was kept of F0 damaged the characters after it.",
            ("https://issues.chromium.org/issues/468458744",), ("F0 | C3 80 2A 2A",)),
    Exhibit("webkit-304181", STATE, "The kept bytes were not moved up after a whole character.",
            ("https://bugs.webkit.org/show_bug.cgi?id=304181",), ("E2 | 82 AC F0 | 9F 92 A9", "F0 9F | 92 A9 E2 | 82 AC")),
    Exhibit("node-26115", STATE, "What was kept was lost at an empty flush.",
            ("https://github.com/nodejs/node/issues/26115",), ("E2 |", "E2 | 82 |")),
    Exhibit("node-37466", STATE, "What was kept was lost at an empty flush.",
            ("https://github.com/nodejs/node/issues/37466",), ("E2 |",)),
    Exhibit("node-22626", STATE, "An error in three pieces was given wrongly.",
            ("https://github.com/nodejs/node/issues/22626",), ("F6 | 9B | D1",)),
    Exhibit("dart-43737", STATE, "An error whose third byte is ASCII was given wrongly.",
            ("https://github.com/dart-lang/sdk/issues/43737",), ("F2 80 7F", "F2 80 | 7F", "F2 | 80 | 7F")),
    Exhibit("bpo-24214", STATE, "A surrogate that was cut in two made the decoder stop.",
            ("https://bugs.python.org/issue24214",), ("ED A4 | 80", "ED | A4 80", "ED | A4 | 80")),
    Exhibit("cpython-154520", STATE, "ED A0 is certain to be ill-formed, and was reported with the byte after it.",
            ("https://github.com/python/cpython/issues/154520",), ("ED A0 | 80", "ED | A0 | 80")),
    Exhibit("haskell-text-330", SWALLOWS, "The first character of the next piece was lost.",
            ("https://github.com/haskell/text/issues/330",), ("C2 | 61 62 63",)),
    Exhibit("nginx-1261", MEMORY, "A character in three pieces made the decoder read past the second.",
            ("https://github.com/nginx/nginx/pull/1261",), ("E2 | 98 | 83", "F0 | 9F | 98 | 80")),
)

NOTES = notes_of(EXHIBITS)


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Each bug in the pieces that show it."""
    del encoding
    yield from stream_drafts(EXHIBITS)
