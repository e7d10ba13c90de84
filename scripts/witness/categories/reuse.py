# SPDX-License-Identifier: MIT
"""One decoder, several streams: whatever the stream before ended with, a new stream begins without its state."""

from __future__ import annotations

from typing import Iterator, Tuple

from ..cases import Draft, pieces_name
from ..rows import PRINCIPAL, Encoding
from ..samples import short_prefixes, spaced, surrogates, unique, written

ENCODINGS = PRINCIPAL
KIND = "reuse"

# The ends that leave the most state: an error, an unfinished sequence, an error that would absorb, a byte order mark.
ERRORS = ("FF", "C0", "80", "EDA0", "F880", "E28241", "F0C3")


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Each sort of end, and then bytes that would continue it if anything had been kept."""
    befores = [bytes.fromhex(text) for text in ERRORS] if encoding.unit == 1 else []
    befores += short_prefixes(encoding) + [surrogates(encoding, 0xD83D)]
    for before in unique(iter(befores)):
        for after in afters(encoding):
            name = f"{before.hex()}-then-{after.hex()}"
            yield Draft(f"a stream of {spaced(before)}, and then one of {spaced(after)}", flags=("reuse",), name=name,
                        streams=((before,), (after,)))
    if encoding.unit > 1:
        return
    cut = ((b"\xF0", b"\x9F"), (b"", b"\x92\xA9"), (b"\xF0\x9F", b"\x92\xA9"))
    yield Draft("cut short, then its rest alone, then the whole", flags=("reuse",), streams=cut,
                name="-then-".join(pieces_name(pieces) for pieces in cut))


def afters(encoding: Encoding) -> Tuple[bytes, ...]:
    """What would continue the stream before: the rest of a character; a whole one; a signature; the other half."""
    rest = b"\x80\x80\x80A" if encoding.unit == 1 else b"\xDC\xDC"
    return rest, written(encoding, "\u20AC"), written(encoding, "\uFEFFA"), surrogates(encoding, 0xDE00)
