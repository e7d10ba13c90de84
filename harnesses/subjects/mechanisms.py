# SPDX-License-Identifier: MIT
"""How decoders by others treat ill-formed input if none of our policies describes it. Each mechanism computes the text and the place of the
first error for any input, so an answer is explained only if it equals the mechanism's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, FrozenSet, List, Optional, Sequence as Pieces, Tuple

Text = List[int]
Result = Tuple[Text, Optional[int]]  # the offset of the first error; None: there is none
Mechanism = Callable[[bytes], Result]

NONCHARACTERS = frozenset([*range(0xFDD0, 0xFDF0), *(plane << 16 | last for plane in range(17) for last in (0xFFFE, 0xFFFF))])
LENGTHS = ((0x80, 1), (0xC0, 0), (0xE0, 2), (0xF0, 3), (0xF8, 4), (0xFC, 5), (0xFE, 6), (0xFF, 7))  # of leads below these; FF: 13
SMALLEST = (0, 0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000, 0x80000000)  # value of a length


def replaced(bad: bytes) -> Text:
    """One U+FFFD."""
    return [0xFFFD] if bad else []


def dropped(bad: bytes) -> Text:
    """Nothing."""
    return [] if bad else []


def escaped(bad: bytes) -> Text:
    """As `surrogateescape`."""
    return [0xDC00 + byte for byte in bad]


def question_marks(bad: bytes) -> Text:
    """One question mark for each byte."""
    return [0x3F] * len(bad)


def as_latin_1(bad: bytes) -> Text:
    """Each byte as the code point of its value."""
    return list(bad)


def as_windows_1252(bad: bytes) -> Text:
    """As WHATWG's windows-1252: bytes that it leaves out are the code points of their values."""
    return [ord(char) if char != "\N{REPLACEMENT CHARACTER}" else byte
            for byte in bad for char in bytes([byte]).decode("cp1252", "replace")]


def as_perl_escape(bad: bytes) -> Text:
    r"""\xHH for each byte."""
    return [ord(char) for byte in bad for char in f"\\x{byte:02X}"]


def length_of(lead: int) -> int:
    """The length that a lead requires in the old scheme, which Perl extends to FE and FF; 0 for a continuation byte."""
    return next((length for limit, length in LENGTHS if lead < limit), 13)


def continuations(data: bytes, at: int, most: int) -> int:
    """The number of bytes from `at` on that are the lead and its continuation bytes, `most` at most."""
    count = 1
    while count < most and at + count < len(data) and data[at + count] & 0xC0 == 0x80:
        count += 1
    return count


def last_of_all(data: bytes, at: int) -> int:
    """The offset of the last byte that the lead at `at` asks for, whatever the bytes are."""
    return at + max(1, length_of(data[at])) - 1


def offender_or_last(data: bytes, at: int) -> int:
    """The offset of the byte after the lead at `at` that is no continuation byte, or of the last one that the lead asks for."""
    asked = max(1, length_of(data[at]))
    return at + min(continuations(data, at, asked), asked - 1)


def third_of_surrogate(data: bytes, at: int) -> int:
    """The offset of the byte after ED A0..BF; else that of the lead."""
    return at + 2 if data[at] == 0xED and data[at + 1:at + 2] >= b"\xA0" else at


def end_of_input(data: bytes, at: int) -> int:
    """The offset after the last byte."""
    del at
    return len(data)


def maximal(data: bytes, at: int) -> int:
    """A maximal subpart (Unicode 17.0, D93b)."""
    lead, second = data[at], data[at + 1] if at + 1 < len(data) else 0
    low, high = {0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F), 0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}.get(lead, (0x80, 0xBF))
    return continuations(data, at, length_of(lead) - 1) if 0xC2 <= lead <= 0xF4 and low <= second <= high else 1


def one_byte(data: bytes, at: int) -> int:
    """One byte."""
    return 1 if at < len(data) else 0


@dataclass(frozen=True)
class Sequence:
    """A lead and those of its continuation bytes that are there."""
    first: int = 0xC2  # of the leads that ask for any
    last: int = 0xF4
    with_offender: bool = False  # and the byte after them that is none
    to_end: bool = False         # and everything, where fewer bytes are left than it asks for
    all_asked: bool = False      # and as many bytes as it asks for, whatever they are
    all_trails: bool = False     # and all continuation bytes after it, more than it asks for
    longest: int = 13

    def __call__(self, data: bytes, at: int) -> int:
        asked = min(length_of(data[at]), self.longest)
        if asked < 2 or not self.first <= data[at] <= self.last:
            return 1
        left = len(data) - at
        if (self.all_asked or self.to_end) and asked > left:
            return left
        count = asked if self.all_asked else continuations(data, at, left if self.all_trails else asked)
        return count + 1 if self.with_offender and count < min(asked, left) else count


def to_next_lead(data: bytes, at: int) -> int:
    """PHP's: as many bytes as the lead asks for, but only to the next byte that begins a character."""
    most = length_of(data[at]) if 0xC2 <= data[at] <= 0xF4 else 1
    count = 1
    while count < most and at + count < len(data) and not (data[at + count] < 0x80 or 0xC2 <= data[at + count] <= 0xF4):
        count += 1
    return count


def with_second(data: bytes, at: int) -> int:
    """A maximal subpart; after a lead E0..F4 also a continuation byte that cannot follow it."""
    count = maximal(data, at)
    return 2 if count == 1 and 0xE0 <= data[at] <= 0xF4 and continuations(data, at, 2) == 2 else count


def asked_for(data: bytes, at: int) -> int:
    """A lead and its continuation bytes, if the first of these can follow it; all can follow ED."""
    low = {0xE0: 0xA0, 0xF0: 0x90}.get(data[at], 0x80)
    is_second = at + 1 < len(data) and low <= data[at + 1] <= (0x8F if data[at] == 0xF4 else 0xBF)
    return continuations(data, at, length_of(data[at])) if 0xC2 <= data[at] <= 0xF4 and is_second else 1


def unlike_or_last(data: bytes, at: int) -> int:
    """The offset of the byte that cannot follow the lead at `at` in UTF-8, or of the last one that the lead asks for."""
    return at + min(asked_for(data, at), max(1, length_of(data[at])) - 1)


def joined_pairs(text: Text) -> Text:
    """Text in which a lead surrogate and a trail surrogate are one character."""
    out: Text = []
    for point in text:
        if out and out[-1] & ~0x3FF == 0xD800 and point & ~0x3FF == 0xDC00:
            out[-1] = 0x10000 + ((out[-1] & 0x3FF) << 10 | point & 0x3FF)
        else:
            out.append(point)
    return out


@dataclass(frozen=True)
class Utf8:
    """A decoder of the old scheme: what it accepts besides UTF-8, how it cuts what it does not accept, and what it writes for that."""
    overlong: FrozenSet[int] = frozenset()  # lengths
    surrogates: bool = False
    top: int = 0x10FFFF
    refused: FrozenSet[int] = frozenset()  # code points
    cut: Callable[[bytes, int], int] = one_byte
    put: Callable[[bytes], Text] = replaced
    by_run: bool = False     # once for adjacent errors
    signature: bool = False  # one U+FEFF at the beginning is removed
    takes_c080: bool = False
    strays: bool = False     # a continuation byte is the lead of two bytes
    alone: int = 0x100       # bytes from here on are characters of their own
    pairs: bool = False      # two surrogates in a row are one character
    end: bool = True         # an incomplete sequence at the end is an error; else it is dropped
    only_text: bool = False  # its validation accepts only UTF-8
    keeps_bytes: bool = False  # what it accepts besides UTF-8 is passed on unchanged, which adapters show as `escaped`
    by_piece: bool = False   # in pieces, it decodes each by itself, after the bytes that it held back
    lost_after: int = 0      # F5..F7 and three continuation bytes are dropped if more UTF-16 units than this came after the last ones; 0: are an error

    def takes(self, value: int, length: int) -> bool:
        """True if the decoder accepts this value in a sequence of `length` bytes."""
        is_overlong = value < SMALLEST[length] and not (self.takes_c080 and (value, length) == (0, 2))
        return not ((is_overlong and length not in self.overlong) or (0xD800 <= value < 0xE000 and not self.surrogates) or
                    value > self.top or value in self.refused)

    def __call__(self, data: bytes) -> Result:
        text: Text = []
        units = 0  # of UTF-16, since the last bytes that were dropped
        at, first, is_run = 3 if self.signature and data.startswith(b"\xEF\xBB\xBF") else 0, None, False
        while at < len(data):
            length = length_of(data[at]) or (2 if self.strays else 0)
            value = data[at] & (0x7F >> length if length > 1 else 0x7F)
            for byte in data[at + 1:at + length]:
                value = value << 6 | byte & 0x3F
            is_whole = 1 <= length <= 6 and continuations(data, at, length) == length
            if data[at] >= self.alone:
                text.append(data[at])
                length, is_run = 1, False
            elif is_whole and 0xF5 <= data[at] <= 0xF7 and 0 < self.lost_after < units:
                units = 0
            elif is_whole and self.takes(value, length):
                units += 2 if length == 4 else 1
                is_plain = Utf8.takes(UNICODE, value, length)
                text += [value] if is_plain or not self.keeps_bytes else escaped(data[at:at + length])
                is_run = False
            else:
                first = at if first is None else first
                is_dropped = not self.end and 0xC2 <= data[at] <= 0xF4 and at + length > len(data) and maximal(data, at) == len(data) - at
                length = length if is_whole and value in self.refused and value >= SMALLEST[length] else self.cut(data, at)
                text += [] if (self.by_run and is_run) or is_dropped else self.put(data[at:at + length])
                is_run = True
            at += length
        return joined_pairs(text) if self.pairs else text, first


UNICODE = Utf8()


# The states of Perl's automaton (perl.h, PL_strict_utf8_dfa_tab) after the first byte, for its classes of leads in the order of its table.
PERL_LEADS = ((0xC2, 0xDF), (0xE1, 0xEC), (0xEE, 0xEE), (0xEF, 0xEF), (0xF4, 0xF4), (0xF1, 0xF3), (0xE0, 0xE0), (0xF0, 0xF0))
PERL_CLASSES = (2, 3, 3, 4, 5, 6, 7, 8)
PERL_AFTER = {2: "one", 3: "two", 4: "EF", 5: "F4", 6: "F1", 7: "E0", 8: "F0"}


def perl_class(byte: int) -> int:
    """The class of a byte: 0 is ASCII, 1 begins nothing or is ED, 9 is a continuation byte."""
    if byte < 0x80:
        return 0
    return 9 if byte < 0xC0 else next((number for (low, high), number in zip(PERL_LEADS, PERL_CLASSES) if low <= byte <= high), 1)


def perl_next(state: str, byte: int) -> str:
    """The state after a byte; "" is rejected, "end" accepted."""
    if byte & 0xC0 != 0x80 or (state, byte) in (("EFBF", 0xBE), ("EFBF", 0xBF)):
        return ""
    if state in ("one", "EFBF") or (state == "EFB7" and not 0x90 <= byte < 0xB0):
        return "end"
    if state == "EF":
        return {0xB7: "EFB7", 0xBF: "EFBF"}.get(byte, "one")
    if state == "two":
        return "one"
    if state == "nF":
        return "EFBF" if byte == 0xBF else "one"
    low, high = {"E0": (0xA0, 0xBF), "F0": (0x90, 0xBF), "F1": (0x80, 0xBF), "F4": (0x80, 0x8F), "EFB7": (1, 0)}[state]
    return "" if not low <= byte <= high else "one" if state == "E0" else "nF" if byte & 0xF == 0xF else "two"


def perl_swallowed(data: bytes, at: int) -> int:
    """The number of bytes that Perl's utf8n_to_uvchr drops together with a first byte that begins nothing; 0 if it drops none. It looks up
    the second byte before it notices that the first was rejected, so the class after that of the second byte decides."""
    if perl_class(data[at]) not in (1, 9) or at + 1 == len(data):
        return 0
    state, end = PERL_AFTER.get(perl_class(data[at + 1]) + 1, "") if perl_class(data[at + 1]) > 0 else "", at + 2
    while state not in ("", "end") and end < len(data):
        state, end = perl_next(state, data[end]), end + 1
    return end - at if state == "end" else 0


@dataclass(frozen=True)
class Swallowing:
    """Perl's cut of ill-formed bytes: with the character after them, or else as `otherwise` cuts."""
    otherwise: Callable[[bytes, int], int]

    def __call__(self, data: bytes, at: int) -> int:
        return perl_swallowed(data, at) or self.otherwise(data, at)


PERL = Utf8(surrogates=True, top=0x7FFFFFFF)  # what Perl reads in a string that it has taken for UTF-8


def perl_json(data: bytes, taken: "Utf8") -> Result:
    """JSON::XS: a text of which each piece is taken, or begins with a byte that takes a character along, is kept as it is, and then read
    by the lengths of its leads, where U+0000 stands for what has no value."""
    text: Text = []
    at = 0
    while at < len(data):
        length = length_of(data[at]) or 1
        is_taken = taken(data[at:at + length])[1] is None
        count = length if is_taken else perl_swallowed(data, at)
        if count == 0:
            return [], at
        at += count
    at = 0
    while at < len(data):
        length = {0xFE: 7}.get(data[at], length_of(data[at]) or 1) if not 0xC0 <= data[at] < 0xC2 else 2
        piece = data[at:at + length]
        points, first = PERL(piece)
        if first is None:
            text += points
        else:
            value, count = piece[0] & 0x7F, perl_swallowed(piece, 0)
            for byte in piece[1:count]:
                value = value << 6 | byte & 0x3F
            text.append(value if count > 0 else 0)
        at += length
    return text, None


def perl_json_xs(data: bytes) -> Result:
    """JSON::XS: takes surrogates and values up to 7FFFFFFF."""
    return perl_json(data, PERL)


def perl_cpanel_json_xs(data: bytes) -> Result:
    """Cpanel::JSON::XS 4.35: takes surrogates."""
    return perl_json(data, Utf8(surrogates=True))


@dataclass(frozen=True)
class Utf16:
    """A decoder of UTF-16: how it treats unpaired surrogates, an odd byte at the end, and some code points."""
    big: bool
    keeps: bool = False           # passes unpaired surrogates on
    trails: bool = False          # those of these that are trails
    last_trail: int = 0xDFFF      # the greatest unit that is a trail after a lead; its lowest ten bits count
    put: Tuple[int, ...] = (0xFFFD,)
    swallows: bool = False        # an unpaired lead takes the unit after it along
    odd: Tuple[int, ...] = (0xFFFD,)  # in place of a byte at the end
    odd_alone: bool = True        # also after a lead; else the two are one error
    odd_unlike: bool = False      # only a byte that cannot begin a trail surrogate is alone
    refused: FrozenSet[int] = frozenset()
    signatures: int = 0           # as many U+FEFF at the beginning are removed, and EF BB BF there is an error

    def __call__(self, data: bytes) -> Result:
        if self.signatures > 0 and data.startswith(b"\xEF\xBB\xBF"):
            return [], 0
        order = "big" if self.big else "little"
        units = [int.from_bytes(data[at:at + 2], order) for at in range(0, len(data) - 1, 2)]  # type: ignore[arg-type]
        text: Text = []
        at, first, left = 0, None, False
        while at < self.signatures and units[at:at + 1] == [0xFEFF]:
            at += 1
        while at < len(units):
            unit, after = units[at], units[at + 1] if at + 1 < len(units) else 0
            is_lead, is_pair = unit & 0xFC00 == 0xD800, unit & 0xFC00 == 0xD800 and 0xDC00 <= after <= self.last_trail
            value = 0x10000 + ((unit & 0x3FF) << 10 | after & 0x3FF) if is_pair else unit
            is_bad = unit & 0xF800 == 0xD800 and not is_pair and not (self.trails and not is_lead)
            left = is_bad and is_lead and at + 1 == len(units)
            if (is_bad and not self.keeps) or value in self.refused:
                first = 2 * at if first is None else first
                text += self.put
            else:
                text.append(value)
            at += 2 if is_pair or (is_bad and is_lead and self.swallows) else 1
        if len(data) % 2 == 1:
            first = len(data) - 1 if first is None else first
            is_alone = self.odd_alone and not (self.odd_unlike and (not self.big or 0xDC <= data[-1] <= 0xDF))
            text += self.odd if is_alone or not left else ()
        return text, first


def unchecked(data: bytes) -> Result:
    """ujson's decoder: bytes after a lead need only bit 7, and their low six bits count; a continuation byte without a lead stands for itself."""
    text: Text = []
    at = 0
    while at < len(data):
        length = length_of(data[at]) or 1
        value = data[at] & (0x7F >> length) if length > 1 else data[at]
        for byte in data[at + 1:at + length]:
            value = value << 6 | byte & 0x3F
        is_rest = at + length <= len(data) and all(byte >= 0x80 for byte in data[at + 1:at + length])
        if length > 4 or not is_rest or (length > 1 and value < SMALLEST[length]):
            return text, at
        text.append(value)
        at += length
    return text, None


def all_or_nothing(data: bytes) -> Result:
    """An empty text if there is an error."""
    text, first = UNICODE(data)
    return (text, None) if first is None else ([], first)


def sqlite_utf8(data: bytes) -> Result:
    """SQLite's READ_UTF8: a lead takes all continuation bytes after it, other bytes are themselves, and what it does not take is U+FFFD; then
    WRITE_UTF16, which keeps 20 bits."""
    text: Text = []
    at = 0
    while at < len(data):
        value = data[at]
        at += 1
        if value >= 0xC0:
            value = value & 0x1F if value < 0xE0 else value & 0x0F if value < 0xF0 else value & 7 if value < 0xF8 else value & 3 if value < 0xFC else value & 1 if value < 0xFE else 0
            while at < len(data) and data[at] & 0xC0 == 0x80:
                value = (value << 6 | data[at] & 0x3F) & 0xFFFFFFFF
                at += 1
            if value < 0x80 or value & 0xFFFFF800 == 0xD800 or value & 0xFFFFFFFE == 0xFFFE:
                value = 0xFFFD
        above = value - 0x10000
        text.append(value if above < 0 else 0x10000 + ((above >> 18 & 3) << 18 | (above >> 10 & 0xC0) << 10 | (value >> 10 & 0x3F) << 10 | value & 0x3FF))
    return text, None


def sqlite_utf16le(data: bytes) -> Result:
    """SQLite's READ_UTF16LE: a signature says the byte order; any surrogate makes a pair with the unit after it; one at the end is written as three bytes."""
    is_big = data.startswith(b"\xFE\xFF")
    units = [data[at] << 8 | data[at + 1] if is_big else data[at + 1] << 8 | data[at] for at in range(0, len(data) - 1, 2)]
    text: Text = []
    at = 1 if units[:1] == [0xFEFF] else 0
    while at < len(units):
        unit = units[at]
        at += 1
        if unit & 0xF800 == 0xD800 and at < len(units):
            text.append((units[at] & 0x3FF) + ((unit & 0x3F) << 10) + (((unit & 0x3C0) + 0x40) << 10))
            at += 1
        else:
            text += escaped(chr(unit).encode("utf-8", "surrogatepass")) if unit & 0xF800 == 0xD800 else [unit]
    return text, None


def libxml2_utf8(data: bytes) -> Result:
    """UTF8ToUTF16LE of libxml2 2.9.14: a byte that ends a character too soon is read as its last one; what is incomplete at the end is an error here."""
    text: Text = []
    at = 0
    while at < len(data):
        length, begin = length_of(data[at]), at
        if not 1 <= length <= 4 or at + length > len(data):
            return text, at
        value = data[at] & (0x7F >> length if length > 1 else 0x7F)
        for byte in data[at + 1:at + length]:
            at += 1
            if byte & 0xC0 != 0x80:
                break
            value = value << 6 | byte & 0x3F
        if value > 0x10FFFF:
            return text, begin
        text.append(value)
        at += 1
    return text, None


def emacs_utf16(is_big: bool, data: bytes) -> Result:
    """Emacs': an unpaired trail is kept. The bytes of a lead without a trail are given as two characters, before each unit up to the next lead, or up to
    a trail, which makes a pair. A byte at the end is kept as a byte."""
    text: Text = []
    lead = b""
    for at in range(0, len(data) - 1, 2):
        unit = int.from_bytes(data[at:at + 2], "big" if is_big else "little")
        if lead and unit & 0xFC00 == 0xDC00:
            text.append(0x10000 + ((int.from_bytes(lead, "big" if is_big else "little") & 0x3FF) << 10 | unit & 0x3FF))
            lead = b""
            continue
        text += lead
        if unit & 0xFC00 == 0xD800:
            lead = data[at:at + 2]
        else:
            text.append(unit)
    rest = data[len(data) & ~1:]
    return text + (list(rest) if rest < b"\x80" else escaped(rest)), None


def pike_utf16(is_big: bool, pieces: Pieces[bytes]) -> List[Text]:
    """Pike's, the text of each piece: unpaired surrogates are kept, and the two of a pair that is cut; a signature of either byte order
    is removed that begins a piece, and decides for that piece; a byte at the end is left out."""
    groups: List[Text] = []
    held = b""
    for piece in pieces:
        data, order = held + piece, "big" if is_big else "little"
        if data[:2] in (b"\xFE\xFF", b"\xFF\xFE"):
            data, order = data[2:], "big" if data[0] == 0xFE else "little"
        count = len(data) & ~1
        held = data[count:]
        groups.append(joined_pairs([int.from_bytes(data[at:at + 2], order) for at in range(0, count, 2)]))  # type: ignore[arg-type]
    return groups


def pike_utf16_whole(is_big: bool, data: bytes) -> Result:
    """The same of a text in one piece, where a byte at the end is an error."""
    return pike_utf16(is_big, [data])[0], len(data) - 1 if len(data) % 2 else None


def pike_utf16_joined(is_big: bool, pieces: Pieces[bytes]) -> Result:
    """The same of a text in pieces."""
    return [point for group in pike_utf16(is_big, pieces) for point in group], None


def tcl(data: bytes) -> Result:
    """Tcl 8.6's: surrogates are taken, and pairs of them are characters; of an incomplete sequence of four bytes with two continuation bytes,
    at the end, the lead becomes a lead surrogate, if the byte in memory after the end is a continuation byte; other bytes are read as ISO 8859-1."""
    text: Text = []
    at = 0
    taken = Utf8(surrogates=True, takes_c080=True)
    while at < len(data):
        length = max(1, length_of(data[at]))
        points, first = taken(data[at:at + length])
        if first is None:
            text += points
            at += length
        elif maximal(data, at) == 3 == len(data) - at:
            text.append(0xD7C0 + ((data[at] & 7) << 8 | (data[at + 1] & 0x3F) << 2 | data[at + 2] >> 4 & 3))
            at += 1
        else:
            text.append(data[at])
            at += 1
    return joined_pairs(text), None


def blind(data: bytes, replaces: bool) -> Result:
    """The lead alone decides; of the bytes after it the low six bits count. With `replaces` (protobufjs) bytes that are missing count as 0,
    a continuation byte without a lead is dropped, overlong forms and what is above U+10FFFF become U+FFFD, and pairs of surrogates are joined;
    without (Nim) such bytes are themselves, and a lead without them becomes U+FFFD."""
    text: Text = []
    at = 0
    while at < len(data):
        length = length_of(data[at]) if data[at] < (0xF8 if replaces else 0xFE) else 4 if replaces else 1
        if length == 0 or (not replaces and at + length > len(data)):
            text += [] if replaces else [data[at] if length == 0 else 0xFFFD]
            at += 1
            continue
        value = data[at] & (0x7F if length == 1 and data[at] < 0x80 else 0xFF if length == 1 else 0x7F >> length)
        for byte in [*data[at + 1:at + length], 0, 0, 0][:length - 1]:
            value = value << 6 | byte & 0x3F
        text.append(0xFFFD if replaces and (value < SMALLEST[length] or value > 0x10FFFF) else value)
        at += length
    return joined_pairs(text) if replaces else text, None


def stops(data: bytes) -> Result:
    """The text up to the first error after it; errors before any text are skipped."""
    while UNICODE(data)[1] == 0:
        data = data[maximal(data, 0):]
    first = UNICODE(data)[1]
    return UNICODE(data[:first])[0], None


def clisp(data: bytes) -> Optional[Text]:
    """CLISP's with U+FFFD as its input error action; None: it reports an error. A lead takes as many bytes as it asks for, whatever they are;
    a continuation byte without a lead is skipped; an incomplete end is dropped; text of which nothing is left is an error."""
    text: Text = []
    at = 0
    while at < len(data):
        length = length_of(data[at]) if data[at] < 0xF8 else 1
        if length == 0:
            at += 1
        elif at + length > len(data):
            return text or None
        else:
            points, first = UNICODE(data[at:at + length])
            text += points if first is None else [0xFFFD]
            at += length
    return text if text or not data else None


def jq(data: bytes) -> Result:
    """jq -R's: line by line, which have their line feed; of an incomplete sequence to the end of the line."""
    text: Text = []
    for line in data.splitlines(keepends=True) if b"\r" not in data else [data]:
        text += Utf8(cut=Sequence(to_end=True))(line)[0]
    return text, None


def jq_without_nul(data: bytes) -> Result:
    """The same, without U+0000 at the end: of a last line that has no line feed jq guesses the length; one of U+0000 only keeps one."""
    at = data.rfind(b"\n") + 1
    return jq(data[:at] + (data[at:].rstrip(b"\0") or data[at:at + 1]))


def libvterm(pieces: Pieces[bytes]) -> Result:
    """libvterm's: FE and FF are U+FFFD and end no sequence; one that is incomplete at the end waits for more bytes. Pieces that begin with
    ASCII have a decoder of their own, so that they wait for the next of these."""
    text: Text = []
    sequences = {True: b"", False: b""}
    taken = Utf8(top=0x7FFFFFFF, refused=frozenset([0xFFFE, 0xFFFF]))
    for piece in pieces:
        sequence = sequences[piece < b"\x80"]
        for byte in piece:
            if byte >= 0xFE or (byte & 0xC0 == 0x80 and not sequence):
                text.append(0xFFFD)
                continue
            if sequence and byte & 0xC0 != 0x80:
                text.append(0xFFFD)
                sequence = b""
            sequence += bytes([byte])
            if len(sequence) == length_of(sequence[0]):
                points, first = taken(sequence)
                text += points if first is None else [0xFFFD]
                sequence = b""
        sequences[piece < b"\x80"] = sequence
    return text, None


def incomplete(data: bytes) -> int:
    """The number of bytes at the end that are a lead and fewer continuation bytes than it asks for."""
    return next((count for count in range(1, min(6, len(data) + 1)) if count < length_of(data[-count]) and continuations(data, len(data) - count, 6) == count), 0)


def surrogates_when_whole(pieces: Pieces[bytes]) -> List[Text]:
    """Java's, of CESU-8: each unit of UTF-16 comes with the piece that has its last byte."""
    decode, left = Utf8(surrogates=True, top=0xFFFF, put=dropped), b""
    groups: List[Text] = []
    for piece in pieces:
        data = left + piece
        end = len(data) - incomplete(data)
        groups.append(decode(data[:end])[0])
        left = data[end:]
    return groups


def string_decoder(pieces: Pieces[bytes]) -> List[Text]:
    """Node's StringDecoder, of UTF-16LE: keeps an odd byte for the next piece, and a lead surrogate at the end of bytes that are even in
    number; what was kept comes when the unit, or the pair, is whole."""
    decode = Utf16(big=False, keeps=True, odd=())
    groups: List[Text] = []
    left, missing = b"", 0
    for piece in pieces:
        left, rest, missing = left + piece[:missing], piece[missing:], max(0, missing - len(piece))
        whole = b"" if missing else left
        if not missing:
            missing = len(rest) % 2 or (2 if b"\xD8" <= rest[-1:] < b"\xDC" else 0)
            left, rest = rest[len(rest) - missing:], rest[:len(rest) - missing]
        groups.append(decode(whole + rest)[0])
    groups[-1] += decode(left)[0]
    return groups


def expat_defers(pieces: Pieces[bytes], first: int) -> int:
    """The index of the piece with which Expat reports the error at `first`: since 2.6.0 it does not parse an incomplete character again before
    twice as many bytes are there as when it was parsed in vain, or the end. The first piece comes with a tag, so something of it is parsed."""
    data, at, before = b"", 0, 0
    for number, piece in enumerate(pieces):
        data += piece
        begin, is_last = at, number == len(pieces) - 1
        if not is_last and len(data) - at < 2 * before:
            continue
        while at < first and at + length_of(data[at]) <= len(data):
            at += length_of(data[at])
        if at == first < len(data) and first + max(1, length_of(data[first])) <= len(data):
            return number
        before = len(data) - at if at == begin and number > 0 else 0
    return len(pieces) - 1


def npm_string_decoder(pieces: Pieces[bytes]) -> List[Text]:
    """npm's string_decoder, of UTF-8: keeps a lead C0..F7 among the last three bytes of a piece, with the continuation bytes after it, if it
    asks for more. The continuation bytes of the next pieces join it, whether or not they can follow it; if they are too few, all are one U+FFFD."""
    decode = Utf8(cut=maximal)
    groups: List[Text] = []
    left, missing = b"", 0
    for piece in pieces:
        count = continuations(b"\xFF" + piece, 0, missing + 1) - 1 if missing else 0
        joined, rest = left + piece[:count], piece[count:]
        if missing > count and not rest:
            left, missing = joined, missing - count
            groups.append([])
            continue
        text = [0xFFFD] if missing > count else decode(joined)[0]
        at = max([len(rest) - back for back in (1, 2, 3) if rest[-back:][:1] >= b"\xC0" and back <= len(rest)], default=len(rest))
        asked = length_of(rest[at]) if at < len(rest) and rest[at] < 0xF8 else 0
        left = rest[at:] if 0 < len(rest) - at < asked and continuations(rest, at, asked) == len(rest) - at else b""
        missing = asked - len(left) if left else 0
        groups.append(text + decode(rest[:len(rest) - len(left)])[0])
    groups[-1] += [0xFFFD] if left else []
    return groups


def without_end(data: bytes) -> Result:
    """Pike's Charset.decoder: nobody tells it that the text has ended, so that an incomplete sequence there is no error."""
    first, end = UNICODE(data)[1], len(data) - incomplete(data)
    return UNICODE(data[:end] if first == end and data[end] < 0xF8 else data)


@dataclass(frozen=True)
class InPieces:
    """A decoder that decodes each piece by itself, after the bytes that it held back of the pieces before."""
    decode: Mechanism
    held: Callable[[bytes], int] = incomplete  # the number of bytes at the end that it holds back
    is_ended: bool = True  # not of the last piece; else these are dropped

    def __call__(self, pieces: Pieces[bytes]) -> Result:
        text: Text = []
        left, before = b"", 0
        for number, piece in enumerate(pieces):
            data = left + piece
            end = len(data) - (self.held(data) if number + 1 < len(pieces) or not self.is_ended else 0)
            more, first = self.decode(data[:end])
            text += more
            if first is not None:
                return text, before + first
            left, before = data[end:], before + end
        return text, None


def encoded_in_old_scheme(point: int, longest: int = 6) -> bytes:
    """A value up to 7FFFFFFF, in up to six bytes, or FFFFFFFF in seven; what does not fit into the lead is lost."""
    if point < 0x80:
        return bytes([point])
    length = next(length for length in range(2, longest + 1) if length == longest or point < SMALLEST[length + 1])
    trails = [0x80 | point >> 6 * shift & 0x3F for shift in range(length - 1)][::-1]
    return bytes([((0xFF00 >> length) | point >> 6 * (length - 1)) & 0xFF, *trails])


def bytes_of(text: Text, encoding: str, longest: int = 6) -> bytes:
    """Text in an encoding, with surrogates and values up to 7FFFFFFF as they are."""
    if encoding == "utf-8":
        return b"".join(encoded_in_old_scheme(point, longest) for point in text)
    units = [unit for point in text for unit in ([point] if point < 0x10000 else [0xD7C0 + (point >> 10), 0xDC00 | point & 0x3FF])]
    return b"".join(encoded_in_old_scheme(unit) if encoding == "cesu-8" else unit.to_bytes(2, "big" if encoding == "utf-16be" else "little") for unit in units)


@dataclass(frozen=True)
class Encoder:
    """How code points, or units of UTF-16, are encoded that are none of Unicode's characters."""
    surrogates: bool = False  # are encoded like characters
    trails: bool = False      # those of these that are trails are, too
    top: int = 0x10FFFF       # the greatest value that is encoded
    refused: FrozenSet[int] = frozenset()
    put: Optional[int] = None  # is encoded in place of all others; None: they are errors
    drops: bool = False       # they are left out
    longest: int = 6          # bytes of a character
    swallows: bool = False    # an unpaired lead takes the unit after it along
    last_trail: int = 0xDFFF  # the greatest unit that is a trail after a lead; its lowest ten bits count
    joins: bool = False       # a lead and the unit after it are one character, whatever the unit is
    after: bool = False       # an unpaired lead is reported at the unit after it

    def takes(self, point: int) -> bool:
        """True if the value is encoded."""
        is_surrogate = 0xD800 <= point < 0xE000
        return point <= self.top and point not in self.refused and (not is_surrogate or self.surrogates or (self.trails and point >= 0xDC00))

    def __call__(self, units: Pieces[int], are_utf16: bool) -> Result:
        """The code points that are encoded, and the index of the first error."""
        text: Text = []
        at = 0
        while at < len(units):
            unit, following = units[at], units[at + 1] if at + 1 < len(units) else None
            is_lead = are_utf16 and 0xD800 <= unit < 0xDC00 and following is not None
            if is_lead and following is not None and (self.joins or 0xDC00 <= following <= self.last_trail):
                text.append(0x10000 + ((unit - 0xD800) << 10) + (following - 0xDC00 if self.joins else following & 0x3FF))
                at += 1
            elif self.takes(unit):
                text.append(unit)
            elif self.put is None and not self.drops:
                return text, at + (1 if self.after and is_lead else 0)
            else:
                text += [] if self.put is None else [self.put]
                at += 1 if self.swallows and is_lead else 0
            at += 1
        return text, None


def replacing(mechanism: Mechanism) -> Mechanism:
    """The same, where errors are no reason to stop."""
    return lambda data: (mechanism(data)[0], None)


def qt_next(data: bytes, at: int) -> Tuple[int, Optional[int]]:
    """The length of what Qt's fromUtf8 reads at `at`, and the code point, or None for an error, which has one byte. Length 0: it is incomplete."""
    length = length_of(data[at]) if data[at] < 0x80 or 0xC2 <= data[at] <= 0xF4 else 0
    if length > len(data) - at == continuations(data, at, length):
        return 0, None
    points, first = UNICODE(data[at:at + length])
    return (length, points[0]) if length > 0 and first is None else (1, None)


@dataclass(frozen=True)
class QtInPieces:
    """Qt's decoders in pieces: what is held back is one error, and nothing at the end of the text; a leading U+FEFF is removed."""
    takes_one_more: bool      # what is held back and an error takes the first byte of the piece along
    ends_when_empty: bool     # an empty piece ends what is held back
    signature_waits: bool     # for the first character, not only for the first character or error

    def __call__(self, pieces: Pieces[bytes]) -> Result:
        text: Text = []
        left, has_begun = b"", False
        for piece in pieces:
            if not piece and not (self.ends_when_empty and left):
                continue
            data, at = left + piece, 0
            while at < len(data):
                is_held = at == 0 and len(left) > 0
                count, point = qt_next(data, at)
                if count == 0 and piece:
                    break
                if point is None:
                    text.append(0xFFFD)
                elif has_begun or point != 0xFEFF:
                    text.append(point)
                has_begun |= point is not None or not self.signature_waits
                at += count if not is_held or point is not None else len(left) + (1 if self.takes_one_more else 0)
            left = data[at:]
        return text, None


def unicode_incomplete(data: bytes) -> int:
    """The same as `incomplete` of leads C2..F4."""
    count = incomplete(data)
    return count if count > 0 and 0xC2 <= data[-count] <= 0xF4 else 0


def perl_held(data: bytes) -> int:
    """The number of bytes at the end that Perl's Encode leaves under STOP_AT_PARTIAL: they begin a character of `UTF-8`."""
    at = len(data) - incomplete(data)
    return len(data) - at if at < len(data) and 0xC2 <= data[at] <= 0xF4 and maximal(data, at) == len(data) - at else 0


def perl_lax_held(data: bytes) -> int:
    """The same of `utf8`, which has values up to 7FFFFFFF, in no more bytes than they need."""
    at = len(data) - incomplete(data)
    if at == len(data) or data[at] < 0xC2:
        return 0
    least = {0xE0: 0xA0, 0xF0: 0x90, 0xF8: 0x88, 0xFC: 0x84}.get(data[at], 0x80)
    return len(data) - at if at + 1 == len(data) or data[at + 1] >= least else 0


def tcl_in_pieces(pieces: Pieces[bytes]) -> List[Text]:
    """A channel of Tcl 8.6, which takes three bytes for a whole sequence: both texts that it makes of sequences of four bytes that are cut there.
    The lead is read as ISO 8859-1 in one, and is a lead surrogate in the other; it depends on the channel's buffers."""
    decode = Utf8(surrogates=True, takes_c080=True, put=as_latin_1)
    plain: Text = []
    halves: Text = []
    left = b""
    for number, piece in enumerate(pieces):
        data = left + piece
        count = incomplete(data) if number + 1 < len(pieces) else 0
        end = len(data) - (count if count < 3 else 0)
        text = decode(data[:end])[0]
        plain += text
        halves += text
        if count == 3 == length_of(data[-3]) - 1:
            halves[-3] = 0xD7C0 + ((data[-3] & 7) << 8 | (data[-2] & 0x3F) << 2 | data[-1] >> 4 & 3)
        left = data[end:]
    return [joined_pairs(plain), joined_pairs(halves)]
