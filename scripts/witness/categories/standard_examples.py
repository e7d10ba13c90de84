# SPDX-License-Identifier: MIT
"""The examples that the standard and its followers print, with their own bytes."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..rows import ALL, Encoding

ENCODINGS = ALL

UTF_8 = (
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

WTF_8 = (
    ("F09F92A9", "WTF-8, section 6.1: the pair D83D DCA9 is one character"),
    ("EDA0BD", "WTF-8, section 3.3: a lead surrogate byte sequence"),
    ("EDB2A9", "WTF-8, section 3.3: a trail surrogate byte sequence"),
    ("EDA0BDEDB2A9", "WTF-8, section 6: a surrogate pair byte sequence is ill-formed"),
    ("EDA0BDEDB880", "WTF-8, section 6: another surrogate pair byte sequence"),
    ("EDB2A9EDA0BD", "WTF-8, section 3.1: trail and lead are no pair"),
)

CESU_8 = (
    ("4D61EDAE80EDB080", "UTR 26, section 2.1: U+004D U+0061 U+F0000"),
    ("4D61F3B08080", "UTR 26, section 2.1: the bit pattern 1111xxxx is illegal in any byte"),
    ("EDAE80", "UTR 26, section 2.1: half of a supplementary character"),
    ("C080", "UTR 26, section 2.1: the shortest form rules apply"),
)

JAVA = (
    ("C080", "java.io.DataInput, Modified UTF-8: the null byte is encoded in two bytes"),
    ("00", "java.io.DataInput, Modified UTF-8: so that strings never have embedded nulls"),
    ("EDA0BDEDB2A9", "java.io.DataInput, Modified UTF-8: supplementary characters are surrogate pairs"),
    ("F09F92A9", "java.io.DataInput, Modified UTF-8: only the one-, two- and three-byte forms are used"),
    ("E09F80", "java.io.DataInput.readUTF: three bytes that match 1110xxxx 10xxxxxx 10xxxxxx"),
    ("C1BF", "java.io.DataInput.readUTF: two bytes that match 110xxxxx 10xxxxxx"),
)

UTF_16BE = (
    ("004D04304E8CD800DF02", "Unicode 17.0, Table 3-4: U+004D U+0430 U+4E8C U+10302"),
    ("FEFF004D", "Unicode 17.0, D97: in UTF-16BE an initial FE FF is U+FEFF"),
    ("FFFE4D00", "Unicode 17.0, D97: and FF FE is U+FFFE"),
    ("D8000041", "Unicode 17.0, D91: D800 not followed by a trail"),
    ("0041DC00", "Unicode 17.0, D91: DC00 not preceded by a lead"),
)

UTF_16LE = (
    ("4D0030048C4E00D802DF", "Unicode 17.0, Table 3-4: U+004D U+0430 U+4E8C U+10302"),
    ("FFFE4D00", "Unicode 17.0, D97: in UTF-16LE an initial FF FE is U+FEFF"),
    ("FEFF004D", "Unicode 17.0, D97: and FE FF is U+FFFE"),
    ("00D84100", "Unicode 17.0, D91: D800 not followed by a trail"),
    ("410000DC", "Unicode 17.0, D91: DC00 not preceded by a lead"),
)

WTF_16BE = (
    ("D83DDCA9", "WTF-8, section 3.2: a surrogate 16-bit code unit pair"),
    ("D83D", "WTF-8, section 3.2: a lead surrogate 16-bit code unit, unpaired"),
    ("DCA9", "WTF-8, section 3.2: a trail surrogate 16-bit code unit, unpaired"),
    ("DCA9D83D", "WTF-8, section 4.2: trail and lead are no pair"),
    ("D83DD83DDCA9", "WTF-8, section 4.2: the unit after a lead is no trail, so the lead is a code point of its own"),
    ("0041D83D0042", "WTF-8, section 4: an isolated surrogate code point"),
    ("D83DDC", "WTF-8, section 4: a sequence of 16-bit code units has no half of one"),
)

WTF_16LE = (
    ("3DD8A9DC", "WTF-8, section 3.2: a surrogate 16-bit code unit pair"),
    ("3DD8", "WTF-8, section 3.2: a lead surrogate 16-bit code unit, unpaired"),
    ("A9DC", "WTF-8, section 3.2: a trail surrogate 16-bit code unit, unpaired"),
    ("A9DC3DD8", "WTF-8, section 4.2: trail and lead are no pair"),
    ("3DD83DD8A9DC", "WTF-8, section 4.2: the unit after a lead is no trail, so the lead is a code point of its own"),
    ("41003DD84200", "WTF-8, section 4: an isolated surrogate code point"),
    ("3DD8A9", "WTF-8, section 4: a sequence of 16-bit code units has no half of one"),
)

EXAMPLES = {
    "utf-8": UTF_8, "generalized-utf-8": WTF_8, "wtf-8": WTF_8, "cesu-8": CESU_8, "cesu-8-jdk": CESU_8, "mutf-8": JAVA,
    "mutf-8-readutf": JAVA, "utf-16le": UTF_16LE, "utf-16be": UTF_16BE,
    "wtf-16le": WTF_16LE, "wtf-16be": WTF_16BE,
}


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Bytes and source; what must come out is computed as for any other case."""
    for text, source in EXAMPLES[encoding.name]:
        yield Draft(source, bytes.fromhex(text), ("standard-example",), name=text.lower())
