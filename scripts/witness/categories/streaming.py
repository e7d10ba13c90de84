# SPDX-License-Identifier: MIT
"""Text that arrives in pieces: what is certain comes out with the piece that makes it so, whatever the cuts."""

from __future__ import annotations

from itertools import combinations
from typing import Iterator, List, Sequence, Tuple

from ..cases import Draft, pieces_name
from ..rows import ALL, Encoding
from ..samples import boundaries, few, ill_formed, of_each_length, spaced, surrogates, written

ENCODINGS = ALL
KIND = "stream"
Pieces = Tuple[bytes, ...]

# Errors that a second or third piece makes certain, completes or takes back; the last ones are long in the old scheme.
LONGER = ("EDA080", "EDA0BDEDB2A9", "F09F92", "E282C3A9", "F0C3802A2A", "F69BD1", "E28240", "80E282AC41", "F4908080",
          "F880808080", "FC8080808080", "EFBBBF41", "41EFBBBF", "C2", "E282AC", "F09F92A9", "C080", "E0809F", "F08F80")

# Halves that wait for each other, or for nothing.
SURROGATES = ((0xD83D,), (0xDE00,), (0xD83D, 0xDE00), (0xD83D, 0xD83D), (0xDE00, 0xD83D))


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Each sequence cut once at each place, cut byte by byte, with empty pieces, and in every three pieces."""
    seen = set()
    for text in texts(encoding):
        for pieces, flags in [*cuts(text)]:
            if pieces not in seen:
                seen.add(pieces)
                yield Draft(comment_of(pieces), flags=flags, name=pieces_name(pieces), pieces=pieces)
    yield Draft("nothing at all, not even a piece", name="no-piece")
    a, b, euro = written(encoding, "A"), written(encoding, "B"), written(encoding, "\u20AC")
    for pieces in ((b"",), (b"", b"", b""), (a, b"", b), (a * 63, euro[:1], euro[1:] + a * 63)):
        yield Draft(comment_of(pieces), flags=("empty-piece",) if b"" in pieces else (), pieces=pieces,
                    name=pieces_name(pieces) if len(b"".join(pieces)) < 9 else "euro-between-63-and-63")


def texts(encoding: Encoding) -> Iterator[bytes]:
    """The sequences worth cutting."""
    yield from few(encoding, [text for text in boundaries(encoding) if len(text) > 1], 3)
    yield from (text + written(encoding, "A") for text in few(encoding, ill_formed(encoding), 2) if len(text) > 1)
    yield from (prefix + b"\x80" for prefix in ill_formed(encoding) if len(prefix) == 1)
    yield from (surrogates(encoding, *values) for values in SURROGATES)
    characters = of_each_length(encoding)
    yield from few(encoding, [left + right for left in characters for right in characters if len(left) > 1], 3)
    yield from (bytes.fromhex(text) for text in LONGER if encoding.unit == 1)


def cuts(text: bytes) -> List[Tuple[Pieces, Tuple[str, ...]]]:
    """The ways in which one text arrives, with the flags of each."""
    whole = len(text)
    found: List[Tuple[Pieces, Tuple[str, ...]]] = [(cut(text, (at,)), ()) for at in range(1, whole)]
    if whole <= 4:
        found += [(cut(text, places), ()) for places in combinations(range(1, whole), 2)]
    bytewise = cut(text, range(1, whole))
    found.append((bytewise, ()))
    if whole <= 4:
        hollow = [piece for byte in bytewise for piece in (byte, b"")]
        found.append(((b"", *hollow), ("empty-piece",)))
    return found


def cut(text: bytes, places: Sequence[int]) -> Pieces:
    """The text in pieces that begin at these places."""
    ends = [0, *places, len(text)]
    return tuple(text[start:end] for start, end in zip(ends, ends[1:]))


def comment_of(pieces: Pieces) -> str:
    """The pieces as people write them."""
    shown = " | ".join(spaced(piece) if len(piece) < 9 else f"{len(piece)} bytes" for piece in pieces)
    return f"{shown} |" if pieces and not pieces[-1] else shown
