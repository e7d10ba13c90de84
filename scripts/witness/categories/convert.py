# SPDX-License-Identifier: MIT
"""From one encoding to another: decoding, then encoding, each of which meets its own errors under the policy."""

from __future__ import annotations

from typing import Iterator, List

from .. import rows
from ..cases import Draft
from ..conversion import LOOSE, first_error, may_lose_pairs
from ..faults import SURROGATE_PAIR
from ..rows import ALL, WTF_16, Encoding
from ..samples import few, ill_formed, of_each_length, spaced, surrogates, written

ENCODINGS = ALL
KIND = "convert"
POLICIES = LOOSE
SURROGATES = ((0xD83D,), (0xDCA9,), (0xD83D, 0xDCA9), (0xDCA9, 0xD83D), (0xD83D, 0xD83D, 0xDCA9))


def cases(encoding: Encoding) -> Iterator[Draft]:
    """To each other encoding: text of all lengths, NUL, both ends of the BMP; surrogates of all sorts; errors. To WTF-16 only surrogates:
    the rest is as to UTF-16."""
    for name in ALL:
        for text in texts(encoding) if name not in WTF_16 or encoding.name in WTF_16 else surrogate_texts(encoding):
            comment = f"to {name}: {spaced(text) or 'nothing'}"
            yield Draft(comment, text, name=f"to-{name}-{text.hex() or 'empty'}{suffix(encoding, rows.ENCODINGS[name], text)}", to=name)


def suffix(source: Encoding, target: Encoding, text: bytes) -> str:
    """For pairs of surrogate code points in UTF-16: the ids without it are retired, because they made one character of a pair."""
    error = first_error(source, target, text) if may_lose_pairs(source, target) else None
    return "-refused" if error is not None and error.fault == SURROGATE_PAIR else ""


def surrogate_texts(encoding: Encoding) -> List[bytes]:
    """Surrogates alone, and between letters."""
    a, b = written(encoding, "A"), written(encoding, "B")
    return [text for values in SURROGATES for text in (surrogates(encoding, *values), a + surrogates(encoding, *values) + b)]


def texts(encoding: Encoding) -> List[bytes]:
    """What is worth converting."""
    a, b = written(encoding, "A"), written(encoding, "B")
    found = [b"", written(encoding, "\0"), b"".join(of_each_length(encoding)), written(encoding, "\uD7FF\uE000\uFFFF\U00010000")]
    found += surrogate_texts(encoding)
    wrong = ill_formed(encoding)
    return found + [a + text + b for text in few(encoding, wrong, 2)[::max(len(wrong) // 8, 1)]]
