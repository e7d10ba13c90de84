# SPDX-License-Identifier: MIT
"""The examples that the standard and its followers print, with their own bytes."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import Encoding

EXAMPLES = (
    ("C0AFE080BFF0818241", "Unicode 17.0, Table 3-8: non-shortest forms"),
    ("EDA080EDBFBFEDAF41", "Unicode 17.0, Table 3-9: surrogates"),
    ("F4919293FF4180BF42", "Unicode 17.0, Table 3-10: other ill-formed sequences"),
    ("E180E2F09192F1BF41", "Unicode 17.0, Table 3-11: truncated sequences"),
    ("61F18080E180C262806380BF64", "Unicode 6.0, Table 3-8: use of U+FFFD in UTF-8 conversion"),
    ("4DD0B0E4BA8CF0908C82", "Unicode 17.0, Table 3-4: U+004D U+0430 U+4E8C U+10302"),
    ("41E289A2CE912E", "RFC 3629, section 7: A, not identical to, Alpha, full stop"),
    ("ED959CEAB5ADEC96B4", "RFC 3629, section 7: Hangul"),
    ("E697A5E69CACE8AA9E", "RFC 3629, section 7: Japanese"),
    ("EFBBBFF0A38EB4", "RFC 3629, section 7: U+FEFF and U+233B4"),
    ("C080", "RFC 3629, section 3: U+0000 in two bytes"),
    ("2FC0AE2E2F", "RFC 3629, section 10: /../ with a full stop in two bytes"),
    ("EDA18CEDBEB4", "RFC 3629, section 3: D84C DFB4, which a naive decoder takes for U+233B4"),
    ("CEBAE1BDB9CF83CEBCCEB5", "Kuhn's decoder test, 1: the Greek word kosme"),
    ("C0AF", "Unicode 17.0, 3.9: ill-formed"),
    ("E09F80", "Unicode 17.0, 3.9: ill-formed, E0 9F"),
    ("F4808342", "Unicode 17.0, 3.9: F4 80 83 is a maximal subpart"),
    ("41C2C3B142", "Unicode 17.0, 3.9: C2, then the well-formed C3 B1"),
    ("41C2C341B142", "Unicode 17.0, 3.9: nothing but A, A and B is well-formed"),
    ("C1BF", "Unicode 17.0, 3.9: C1 begins nothing"),
    ("F08080", "Unicode 17.0, 3.9: F0 80 begins nothing"),
)


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Bytes and source; what must come out is computed as for any other case."""
    del encoding
    for text, source in EXAMPLES:
        yield Draft(source, bytes.fromhex(text), ("standard-example",), name=text.lower())
