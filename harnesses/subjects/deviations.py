# SPDX-License-Identifier: MIT
"""Reads deviations.def, the deviations of decoders by others, and defines the predicates that it names: each is true for answers that its
mechanism gives. `scripts/field-report` counts the failures that each explains; failures that none explains are the residue."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, Callable, Dict, FrozenSet, List, NamedTuple, Optional, Sequence, Tuple

from .mechanisms import (Encoder, Mechanism, NONCHARACTERS, Result, Sequence as Cut, Swallowing, Text, InPieces, QtInPieces, Utf16, Utf8, all_or_nothing, as_latin_1, as_perl_escape,
                         as_windows_1252, asked_for, blind, bytes_of, clisp, continuations, dropped, emacs_utf16, end_of_input, escaped, expat_defers, joined_pairs, jq, jq_without_nul, libxml2_utf8,
                         last_of_all, length_of, libvterm, maximal, npm_string_decoder, offender_or_last, perl_cpanel_json_xs, perl_held, perl_json_xs, perl_lax_held, pike_utf16, pike_utf16_joined, pike_utf16_whole, question_marks, sqlite_utf16le,
                         replacing, sqlite_utf8, stops, string_decoder, surrogates_when_whole, tcl, tcl_in_pieces, third_of_surrogate, to_next_lead, unchecked, unicode_incomplete, unlike_or_last,
                         with_second, without_end)

Failure = Dict[str, Any]  # of the report of `assay run --json`
Predicate = Callable[[Failure], bool]
GOT_MAX = 1000            # the most characters of a reply in that report


class Deviation(NamedTuple):
    """A row."""
    sentence: str
    words: str   # of the document at `source`
    source: str
    explains: Predicate
    outcome: str = "answered"


def joined(chunks: str) -> bytes:
    """The bytes of CHUNKS."""
    return bytes.fromhex(chunks.replace(",", "").replace("-", ""))


def spelled(text: Sequence[int]) -> str:
    """SCALARS, without a sign for none."""
    return ",".join(f"{point:X}" for point in text)


def flat(groups: str) -> str:
    """The SCALARS of all groups."""
    return ",".join(part for part in groups.split("|") if part != "-")


def is_text(got: str, groups: str, text: Sequence[int]) -> bool:
    """True if groups are this text. Of a reply that the report cut, only the beginning is compared."""
    if len(got) >= GOT_MAX:
        return spelled(text).startswith(flat(groups))
    return flat(groups) == spelled(text)


def gives(mechanism: Mechanism, encoding: str = "utf-8") -> Callable[[Failure], bool]:
    """Explains an answer that equals the mechanism's: text, verdict, and the offset of the error if it is stated."""
    def explains(row: Failure) -> bool:
        asked, got = row["asked"].split(), row["got"].split()
        if isinstance(mechanism, Utf16) and mechanism.keeps and encodes(encoding, Encoder(surrogates=True))(row):
            return True
        if isinstance(mechanism, (Utf8, Utf16)) and is_refused(row, mechanism.refused):
            return True
        if asked[1] != encoding or row["request"] not in ("validate", "decode", "pieces", "stop", "reuse", "to-well-formed") or not got:
            return False
        if row["request"] == "validate" and isinstance(mechanism, Utf8) and mechanism.only_text:
            return False
        is_strict = row["policy"] in ("strict", "-")
        if row["request"] == "reuse":
            return got[0] == "ok" and all(is_stream(given, mechanism(joined(stream)), is_strict)
                                          for given, stream in zip(got[1].split(";"), asked[-1].split(";")))
        is_by_piece = row["request"] == "pieces" and isinstance(mechanism, Utf8) and mechanism.by_piece
        text, first = InPieces(mechanism)(pieces_of(asked[-1])) if is_by_piece else mechanism(joined(asked[-1]))
        if got[0] == "ok":
            is_given = len(got) == 1 or (got[1].lower() == (bytes_of(text, encoding).hex() or "-") if row["request"] == "to-well-formed" else is_text(row["got"], got[1], text))
            return (first is None or not is_strict) and is_given
        at = 3 if row["request"] == "stop" else 1
        is_as_expected = row["expected"].startswith("error ") and row["expected"].split()[at] == str(first)  # so something else is wrong
        if got[0] != "error" or first is None or not is_strict or got[at:at + 1] not in ([], ["?"], [str(first)]):
            return False
        return not is_as_expected or (isinstance(mechanism, Utf8) and row["difference"] == "length" and
                                      got[at + 1:] == [str(mechanism.cut(joined(asked[-1]), first))])
    return explains


def is_stream(given: str, result: Result, is_strict: bool) -> bool:
    """True if a stream of `reuse` was answered with this text or error."""
    text, first = result
    if given.startswith("error"):
        return is_strict and first is not None and given.split(":")[1:2] in ([], ["?"], [str(first)])
    return (first is None or not is_strict) and is_text("", given, text)


def pieces_of(chunks: str) -> List[bytes]:
    """The pieces of CHUNKS."""
    return [joined(piece) for piece in chunks.split(",")]


def gives_in_pieces(mechanism: Callable[[Sequence[bytes]], Result], encoding: str = "utf-8", also_whole: bool = False) -> Predicate:
    """Explains an answer about a text in pieces, or about several of them, that equals the mechanism's."""
    def explains(row: Failure) -> bool:
        asked, got, is_strict = row["asked"].split(), row["got"].split(), row["policy"] == "strict"
        requests = ("pieces", "reuse", "decode") if also_whole else ("pieces", "reuse")
        if asked[1] != encoding or row["request"] not in requests or not got or (len(got) < 2 and got[0] == "ok"):
            return False
        if row["request"] == "reuse":
            return got[0] == "ok" and all(is_stream(given, mechanism(pieces_of(stream)), is_strict) for given, stream in zip(got[1].split(";"), asked[-1].split(";")))
        text, first = mechanism(pieces_of(asked[-1]))
        if got[0] == "ok":
            return (first is None or not is_strict) and is_text(row["got"], got[1], joined_pairs(text))
        return got[0] == "error" and is_strict and row["expected"].startswith("ok ") and first is not None and got[1:2] in ([], ["?"], [str(first)])
    return explains


def put_back(row: Failure) -> bool:
    """Explains a byte that ends a sequence with an error and is read again with the next stream."""
    before, answers = b"", row["got"].split()[-1].split(";")
    for stream, given in zip(row["asked"].split()[-1].split(";"), answers):
        data = before + joined(stream)
        first = Utf8(cut=maximal)(data)[1]
        if not is_stream(given, (Utf8()(data)[0], first), True):
            return False
        end = len(data) if first is None else first + maximal(data, first)
        before = data[end:end + 1] if end > (first or 0) and first is not None else b""
    return row["request"] == "reuse"


def piece_of(pieces: Sequence[bytes], at: int) -> int:
    """The index of the piece that has the byte at this offset; the last one for the end of input."""
    ends = list(accumulate(map(len, pieces)))
    return next((number for number, end in enumerate(ends) if at < end), len(pieces) - 1)


def late_with(reported: Callable[[Sequence[bytes], int], int]) -> Predicate:
    """Explains the right error and text, where the error comes with the piece of this index."""
    def explains(row: Failure) -> bool:
        got, expected = row["got"].split(), row["expected"].split()
        if row["request"] != "stop" or row["difference"] != "piece" or [got[0], expected[0]] != ["error", "error"]:
            return False
        pieces = pieces_of(row["asked"].split()[-1])
        return (int(got[1]) == reported(pieces, int(expected[3])) and
                flat(got[2]) == flat(expected[2]) and got[3:4] in ([], ["?"], expected[3:4]))
    return explains


def late(certain: Callable[[bytes, int], int]) -> Predicate:
    """Explains the right error and text, where the error comes with the piece of the byte at this offset."""
    return late_with(lambda pieces, first: piece_of(pieces, certain(b"".join(pieces), first)))


def groups_by_piece(encoding: str, cut: Callable[[Sequence[bytes]], List[Text]]) -> Predicate:
    """Explains the groups that `cut` makes of the pieces. Of a reply that the report cut, only the beginning is compared."""
    def explains(row: Failure) -> bool:
        asked, got = row["asked"].split(), row["got"].split()
        if row["request"] not in ("decode", "pieces", "stop") or asked[1] != encoding or got[:1] != ["ok"]:
            return False
        groups = "|".join(spelled(joined_pairs(group)) or "-" for group in cut(pieces_of(asked[-1])))
        return groups.startswith(got[1]) if len(row["got"]) >= GOT_MAX else groups == got[1]
    return explains


def groups_of(stream: str) -> List[List[str]]:
    """The groups of a reply, or of a stream in it."""
    return [[] if group == "-" else group.split(",") for group in stream.split("|")]


def texts_of(row: Failure) -> Optional[Tuple[List[List[str]], List[List[str]]]]:
    """The expected and the given groups of a request for one stream; None if one of them is an error."""
    one, other = row["expected"].split(), row["got"].split()
    if row["request"] not in ("decode", "pieces", "stop") or not row["asked"].split()[1].endswith("-sig") or [one[0], *other[:1]] != ["ok", "ok"]:
        return None
    return groups_of(one[1]), groups_of(other[1])


def keeps_signature_after_error(row: Failure) -> bool:
    """Explains a text that begins with U+FEFF because an earlier stream of the same decoder had an error."""
    if row["request"] != "reuse" or not row["got"].startswith("ok ") or not row["expected"].startswith("ok "):
        return False
    expected, got, is_kept = row["expected"].split()[1].split(";"), row["got"].split()[1].split(";"), False
    for number, (one, other) in enumerate(zip(expected, got)):
        is_error = one.startswith("error")
        if is_error and not other.startswith("error"):
            return False
        if not is_error and flat(one) != flat(other):
            if number == 0 or not expected[number - 1].startswith("error") or flat(other) != ",".join(["FEFF", *filter(None, [flat(one)])]):
                return False
            is_kept = True
    return is_kept


def drops_signature_of_each_chunk(row: Failure) -> bool:
    """Explains that each chunk whose text begins with U+FEFF loses it."""
    texts = texts_of(row)
    return texts is not None and row["request"] == "pieces" and [group[1:] if group[:1] == ["FEFF"] else group for group in texts[0]] == texts[1]


def drops_signature_after_cut(row: Failure) -> bool:
    """Explains that U+FEFF is lost after the first character, or after the signature, where that is completed only in a later chunk."""
    texts = texts_of(row)
    if texts is None or not any(texts[0]):
        return False
    expected, number = texts[0], next(number for number, group in enumerate(texts[0]) if group)
    at = 0 if expected[number][0] == "FEFF" else 1
    first = [group[:at] + group[at + 1:] if index == number and group[at:at + 1] == ["FEFF"] else group for index, group in enumerate(expected)]
    return number > 0 and first == texts[1]


def drops_second_signature(row: Failure) -> bool:
    """Explains that U+FEFF at the beginning of the text, after the signature, is lost."""
    texts = texts_of(row)
    return texts is not None and flat(row["expected"].split()[1]) == ",".join(["FEFF", *filter(None, [flat(row["got"].split()[1])])])


def mapped(points: Callable[[int], bool], into: Tuple[str, ...]) -> Callable[[Failure], bool]:
    """Explains the expected text with some code points replaced."""
    def explains(row: Failure) -> bool:
        if not row["got"].startswith("ok ") or not row["expected"].startswith("ok ") or row["request"] not in ("decode", "pieces"):
            return False
        given = [point for point in flat(row["expected"].split()[1]).split(",") if point]
        return flat(row["got"].split()[1]) == ",".join(other for point in given for other in (into if points(int(point, 16)) else (point,)))
    return explains


def incomplete_signature(row: Failure) -> bool:
    """Explains an empty text for a stream that ends within a signature, if the other streams are right."""
    asked, got, expected = row["asked"].split(), row["got"].split(), row["expected"].split()
    if asked[1] != "utf-8-sig" or got[:1] != ["ok"] or row["request"] not in ("decode", "pieces", "stop", "reuse"):
        return False
    streams, is_one = asked[-1].split(";"), row["request"] != "reuse"
    wanted = [" ".join(expected[1:])] if is_one else expected[1].split(";")
    return any(joined(stream) in (b"\xEF", b"\xEF\xBB") for stream in streams) and all(
        flat(given) == "" if joined(stream) in (b"\xEF", b"\xEF\xBB") else given == want or (given.startswith("error") and want.startswith("error"))
        for stream, given, want in zip(streams, got[1].split(";"), wanted))


def cuts_before_continuation(chunks: str) -> List[int]:
    """The offsets of continuation bytes that begin a piece."""
    pieces, whole = pieces_of(chunks), joined(chunks)
    return [end for end in accumulate(len(piece) for piece in pieces[:-1]) if end < len(whole) and whole[end] & 0xC0 == 0x80]


def split_character(row: Failure) -> bool:
    """Explains a refusal of text of which a piece ends within a character; of several streams, the others are as they should be."""
    if row["request"] == "reuse" and row["got"].startswith("ok "):
        streams = zip(row["asked"].split()[-1].split(";"), row["got"].split()[1].split(";"), row["expected"].split()[1].split(";"))
        return all(given.startswith("error") and bool(want.startswith("error") or cuts_before_continuation(stream)) or given == want for stream, given, want in streams)
    return row["request"] in ("pieces", "stop") and row["got"].startswith("error") and bool(cuts_before_continuation(row["asked"].split()[-1]))


def split_character_of_cesu8(row: Failure) -> bool:
    """Explains a refusal of CESU-8 of which a piece ends within a character that is no pair of surrogates."""
    asked = row["asked"].split()
    data = joined(asked[-1]) if asked[1] == "cesu-8" else b""
    leads = [data[:end].rstrip(bytes(range(0x80, 0xC0))) for end in cuts_before_continuation(asked[-1])] if data else []
    is_surrogate = [lead[-1:] == b"\xED" and data[len(lead):len(lead) + 1] >= b"\xA0" for lead in leads]
    return row["request"] in ("pieces", "stop") and row["got"].startswith("error") and not all(is_surrogate)


def goes_on_after_error(row: Failure) -> bool:
    """Explains that a stream begins with the bytes of the incomplete character with which the stream before it ended."""
    asked, got, before = row["asked"].split(), row["got"].split(), b""
    if row["request"] != "reuse" or got[:1] != ["ok"]:
        return False
    for stream, given in zip(asked[-1].split(";"), got[1].split(";")):
        data = before + joined(stream)
        text, first = Utf8(cut=maximal)(data)
        before = data[len(data) if first is None else first:]
        if before and (before[0] < 0xC2 or maximal(before, 0) < len(before) or continuations(before, 0, length_of(before[0])) < len(before)):
            before = b""
        if not is_stream(given, (text[1:] if text[:1] == [0xFEFF] and asked[1] == "utf-8-sig" else text, first), True):
            return False
    return True


def is_control(point: int) -> bool:
    """True for the code points that HTML calls controls, without space characters, and for noncharacters."""
    return (point < 0x20 and point not in (0, 9, 10, 12, 13)) or 0x7F <= point < 0xA0 or point in NONCHARACTERS


def reads_as_clisp(row: Failure) -> bool:
    """Explains CLISP's answers."""
    asked, got = row["asked"].split(), row["got"].split()
    if asked[1] != "utf-8" or row["request"] not in ("validate", "decode"):
        return False
    data = joined(asked[-1])
    text = clisp(data)
    if row["policy"] in ("strict", "-"):
        is_ok = text is not None and text == [point for point in text if point != 0xFFFD]
        return got[0] == "ok" and is_ok and (len(got) == 1 or is_text(row["got"], got[1], text or []))
    return got[0] == "error" if text is None else got[0] == "ok" and is_text(row["got"], got[1], text)


def one_byte_long(row: Failure) -> bool:
    """Explains an error of one byte at the right place, where ED and A0..BF begin it."""
    asked, expected, got = row["asked"].split(), row["expected"].split(), row["got"].split()
    if asked[1] != "generalized-utf-8" or row["difference"] != "length" or row["request"] not in ("validate", "decode", "to-well-formed"):
        return False
    at = int(expected[1])
    return got == ["error", expected[1], "1"] and joined(asked[-1])[at:at + 2] >= b"\xED\xA0" and joined(asked[-1])[at] == 0xED


def units_of(scalars: str) -> List[int]:
    """The numbers of SCALARS or UNITS."""
    return [int(unit, 16) for unit in scalars.replace("-", "").split(",") if unit]


def encodes(encoding: str, encoder: Encoder) -> Predicate:
    """Explains bytes that the encoder gives, or an error where it has one. `encoding` may be the beginning of several names."""
    def explains(row: Failure) -> bool:
        asked, got = row["asked"].split(), row["got"].split()
        if row["request"] not in ("encode", "encode-utf16") or not asked[1].startswith(encoding):
            return False
        text, first = encoder(units_of(asked[-1]), row["request"] == "encode-utf16")
        if first is not None:
            return got in (["error"], ["error", str(first)])
        return row["got"].lower() == f"ok {bytes_of(text, asked[1], encoder.longest).hex() or '-'}"
    return explains


def encodes_all_or_nothing(row: Failure) -> bool:
    """Explains that ill-formed UTF-16 has no bytes."""
    return row["request"] == "encode-utf16" and row["got"] == "ok -" and Encoder()(units_of(row["asked"].split()[-1]), True)[1] is not None


def encodes_no_surrogates(row: Failure) -> bool:
    """Explains that CESU-8 is not made of unpaired surrogates."""
    asked = row["asked"].split()
    return (row["request"] in ("encode", "encode-utf16") and asked[1].startswith("cesu-8") and row["got"] == "error" and row["expected"].startswith("ok ") and
            Encoder()(units_of(asked[-1]), row["request"] == "encode-utf16")[1] is not None)


def loses_second_lead_at_end(row: Failure) -> bool:
    """Explains that the last unit is lost if it and the one before it are unpaired leads."""
    units = units_of(row["asked"].split()[-1])
    if row["request"] != "encode-utf16" or len(units) < 2 or not all(0xD800 <= unit < 0xDC00 for unit in units[-2:]):
        return False
    return row["got"].upper() == f"OK {bytes_of(Encoder(put=0xFFFD)(units[:-1], True)[0], 'utf-8').hex().upper()}"


def encodes_as_mariadb(row: Failure) -> bool:
    """Explains a question mark in place of one byte of UTF-32 or UTF-16, most significant byte first, after which the next byte begins a character."""
    asked, text, at = row["asked"].split(), [], 0
    size = {"encode": 4, "encode-utf16": 2}.get(row["request"], 0)
    data = b"".join(unit.to_bytes(size, "big") for unit in units_of(asked[-1])) if size else b""
    while at < len(data):
        unit, trail = int.from_bytes(data[at:at + size], "big"), int.from_bytes(data[at + 2:at + 4], "big")
        if size == 2 and 0xD800 <= unit < 0xDC00 <= trail < 0xE000 and at + 4 <= len(data):
            text.append(0x10000 + ((unit & 0x3FF) << 10 | trail & 0x3FF))
            at += 4
        elif at + size <= len(data) and unit <= 0x10FFFF and (size == 4 or not 0xD800 <= unit < 0xE000):
            text.append(unit)
            at += size
        else:
            text.append(0x3F)
            at += 1
    return size > 0 and row["got"] == f"ok {bytes_of(text, 'utf-8').hex().upper()}"


def encodes_as_perlio(row: Failure) -> bool:
    r"""Explains \x{H} in place of surrogates, noncharacters and what is beyond Unicode."""
    asked, taken = row["asked"].split(), Encoder(refused=NONCHARACTERS)
    text = [unit for point in units_of(asked[-1]) for unit in ([point] if taken.takes(point) else map(ord, f"\\x{{{point:04X}}}"))]
    return row["request"] == "encode" and asked[1] == "utf-8" and row["got"] == f"ok {bytes_of(text, 'utf-8').hex().upper()}"


def reads_a_lead_without_room(row: Failure) -> bool:
    """Explains a lead surrogate that was read though its pair has no room."""
    asked, expected, got = row["asked"].split(), row["expected"].split(), row["got"].split()
    if row["request"] != "into" or [expected[0], *got[:1]] != ["full", "full"] or not asked[1].startswith("utf-16"):
        return False
    at, order = int(expected[1]), "big" if asked[1] == "utf-16be" else "little"
    unit = int.from_bytes(joined(asked[-1])[at:at + 2], order)  # type: ignore[arg-type]
    return got[1:] == [str(at + 2), expected[2]] and 0xD800 <= unit < 0xDC00


def is_refused(row: Failure, refused: FrozenSet[int]) -> bool:
    """True if a text with one of these code points was not encoded."""
    return row["request"] == "encode" and row["got"] == "error" and row["expected"].startswith("ok ") and not refused.isdisjoint(units_of(row["asked"].split()[-1]))


def encodes_without_first_feff(encodings: str) -> Predicate:
    """Explains that the U+FEFF is lost with which the text begins, in encodings whose names begin so."""
    def explains(row: Failure) -> bool:
        asked, expected = row["asked"].split(), row["expected"].split()
        feff = bytes_of([0xFEFF], asked[1]).hex().upper()
        return (row["request"] == "encode" and asked[1].startswith(encodings) and units_of(asked[-1])[:1] == [0xFEFF] and
                row["got"] == f"ok {expected[-1][len(feff):] or '-'}")
    return explains


def stops_when_full(row: Failure) -> bool:
    """Explains that an error is not reported if there is no more room for output before it."""
    asked, expected, got = row["asked"].split(), row["expected"].split(), row["got"].split()
    return row["request"] == "into" and [expected[0], *got[:1]] == ["error", "full"] and got[1:] == expected[1:3] and len(units_of(got[2])) == int(asked[4])


def writes_half_a_pair(row: Failure) -> bool:
    """Explains a lead surrogate in the last unit that there is room for, where its pair was read, or, but for UTF-8, itself."""
    asked, got = row["asked"].split(), row["got"].split()
    if row["request"] != "into" or asked[3] != "utf-16" or got[:1] != ["full"]:
        return False
    data, read, given = joined(asked[-1]), int(got[1]), units_of(got[2])
    if len(given) != int(asked[4]) or not given or not 0xD800 <= given[-1] < 0xDC00:
        return False
    text = Encoder(surrogates=True)(given, True)[0][:-1]
    pair = next((point for point in range(0x10000 + ((given[-1] - 0xD800) << 10), 0x10000 + ((given[-1] - 0xD7FF) << 10))
                 if data.startswith(bytes_of([*text, point], asked[1]))), None)
    return pair is not None and (read == len(bytes_of([*text, pair], asked[1])) or (asked[1] != "utf-8" and read == len(bytes_of([*text, given[-1]], asked[1]))))


def transcodes_old_scheme(row: Failure) -> bool:
    """Explains sequences of the old scheme that come through as they are, and an error after them."""
    asked = row["asked"].split()
    if asked[:3] != ["transcode", "utf-8", "utf-8"] and asked[:2] != ["to-well-formed", "utf-8"]:
        return False
    first = Utf8(top=0x7FFFFFFF)(joined(asked[-1]))[1]
    return row["got"] == (f"ok {asked[-1]}" if first is None else f"error {first}")


def transcodes_surrogates_of_cesu8(row: Failure) -> bool:
    """Explains unpaired surrogates that come through as they are."""
    asked = row["asked"].split()
    return (row["request"] == "transcode" and asked[1:3] == ["cesu-8", "cesu-8"] and row["got"] == f"ok {asked[-1]}" and
            Utf8(surrogates=True, top=0xFFFF)(joined(asked[-1]))[1] is None)


def transcodes_as_libxml2(row: Failure) -> bool:
    """Explains unpaired trails that come through from UTF-16; and from UTF-8, what libxml2 takes."""
    asked = row["asked"].split()
    if row["request"] != "transcode" or not row["got"].startswith("ok "):
        return False
    data, order = joined(asked[-1]), "big" if asked[1] == "utf-16be" else "little"
    text, first = (libxml2_utf8(data) if asked[1] == "utf-8" else
                   Encoder(trails=True)([int.from_bytes(data[at:at + 2], order) for at in range(0, len(data), 2)], True))  # type: ignore[arg-type]
    return first is None and row["got"] == f"ok {bytes_of(text, asked[2]).hex().upper() or '-'}"


def encodes_utf16_as_sqlite(row: Failure) -> bool:
    """Explains UTF-8 that SQLite makes of units; what is ill-formed in it is `escaped`."""
    if row["request"] != "encode-utf16":
        return False
    text = sqlite_utf16le(bytes_of(units_of(row["asked"].split()[-1]), "utf-16le"))[0]
    data = b"".join(bytes([point & 0xFF]) if 0xDC80 <= point < 0xDD00 else bytes_of([point], "utf-8") for point in text)
    return row["got"] == f"ok {data.hex().upper() or '-'}"


def encodes_as_poco(row: Failure) -> bool:
    """Explains surrogates that are encoded, and values beyond Unicode of which UTF-16 has the lowest 20 bits."""
    asked = row["asked"].split()
    if row["request"] != "encode" or not asked[1].startswith("utf-16"):
        return encodes("utf-8", Encoder(surrogates=True))(row) and row["request"] == "encode"
    text = [point if point <= 0xFFFF else 0x10000 + ((point - 0x10000) & 0xFFFFF) for point in units_of(asked[-1])]
    return row["got"] == f"ok {bytes_of(text, asked[1]).hex().upper()}"


def units_to_utf8(row: Failure) -> Optional[List[int]]:
    """The units of which a request makes UTF-8: those that it names, or those of UTF-16BE; None for other requests, and half a unit."""
    asked = row["asked"].split()
    if row["request"] == "encode-utf16" and asked[1] == "utf-8":
        return units_of(asked[-1])
    if row["request"] != "transcode" or asked[1:3] != ["utf-16be", "utf-8"]:
        return None
    data = joined(asked[-1])
    return None if len(data) % 2 else [int.from_bytes(data[at:at + 2], "big") for at in range(0, len(data), 2)]


def falls_back_to_bytes(row: Failure) -> bool:
    """Explains ill-formed UTF-8 whose bytes become UTF-16BE, a unit each, and ill-formed UTF-16 whose units become their low bytes, up to a NUL."""
    asked, units = row["asked"].split(), units_to_utf8(row)
    if row["request"] == "transcode" and asked[1:3] == ["utf-8", "utf-16be"]:
        data = joined(asked[-1])
        return Utf8()(data)[1] is not None and row["got"] == f"ok {bytes_of(data, 'utf-16be').hex().upper()}"
    if units is None or Encoder()(units, True)[1] is None:
        return False
    return row["got"] == f"ok {bytes(unit & 0xFF for unit in units).split(bytes(1))[0].hex().upper() or '-'}"


def refuses_a_last_unit_of_three_bytes(row: Failure) -> bool:
    """Explains that well-formed UTF-16 whose last unit is from 800 on and in no pair is refused."""
    units = units_to_utf8(row) or [0]
    return row["got"] == "error" and Encoder()(units, True)[1] is None and units[-1] >= 0x800 and units[-1] & 0xF800 != 0xD800


def pairs_any_surrogates(row: Failure) -> bool:
    """Explains UTF-16 in which any surrogate makes a pair with the unit after it, and an error where there is none."""
    asked = row["asked"].split()
    text: Text = []
    if row["request"] == "encode-utf16" and asked[1] == "utf-8":
        units, size, rest = units_of(asked[-1]), 1, 0
    elif row["request"] == "transcode" and asked[1:3] == ["utf-16le", "utf-8"]:
        data, size = joined(asked[-1]), 2
        units, rest = [int.from_bytes(data[at:at + 2], "little") for at in range(0, len(data) - 1, 2)], len(data) % 2
    else:
        return False
    at = 0
    while at < len(units) and (units[at] & 0xF800 != 0xD800 or at + 1 < len(units)):
        is_pair = units[at] & 0xF800 == 0xD800
        text.append(0x10000 + ((units[at] & 0x3FF) << 10 | units[at + 1] & 0x3FF) if is_pair else units[at])
        at += 2 if is_pair else 1
    if at < len(units) or rest:
        return row["got"] == f"error {at * size}"
    return row["got"] == f"ok {bytes_of(text, 'utf-8').hex() or '-'}"


def waits_for_a_trail(row: Failure) -> bool:
    """Explains that an unpaired lead surrogate at the end is not converted, and that a pair in WTF-8 is reported at its lead."""
    asked, expected, got = row["asked"].split(), row["expected"].split(), row["got"].split()
    if row["request"] == "transcode" and expected[-1:] == ["surrogate-pair"]:
        return got == ["error", str(int(expected[1]) - 3)]
    if row["request"] == "encode-utf16" and asked[1] == "wtf-8":
        units = units_of(asked[-1])
        return 0xD800 <= units[-1] < 0xDC00 and got == ["error", str(len(units) - 1)]
    if row["request"] != "transcode" or asked[1] not in ("wtf-8", "wtf-16le"):
        return False
    data, size = joined(asked[-1]), 3 if asked[1] == "wtf-8" else 2
    is_lead = data[-3:-2] == b"\xED" and 0xA0 <= data[-2] < 0xB0 if asked[1] == "wtf-8" else 0xD8 <= data[-1] < 0xDC
    return is_lead and got == ["error", str(len(data) - size)]


def transcodes_as_gnat(row: Failure) -> bool:
    """Explains units of UTF-16 that come through as they are, and UTF-8 whose values beyond Unicode become two units; from UTF-8 to itself, the
    loss of a second signature."""
    asked = row["asked"].split()
    if row["request"] == "to-well-formed":
        signatures = "EFBBBF" * 2 if asked[1] == "utf-8" else ""
        return asked[-1].startswith(signatures) and row["got"] == f"ok {asked[-1][len(signatures):] or '-'}"
    if row["request"] != "transcode" or not asked[2].startswith("utf-16"):
        return False
    data, order = joined(asked[-1]), "big" if asked[1] == "utf-16be" else "little"
    text, first = (Utf8(overlong=frozenset([2, 3, 4]), surrogates=True, top=0x1FFFFF)(data) if asked[1] == "utf-8" else
                   ([int.from_bytes(data[at:at + 2], order) for at in range(0, len(data), 2)], None))  # type: ignore[arg-type]
    return first is None and row["got"] == f"ok {bytes_of(text, asked[2]).hex().upper() or '-'}"


def either(*predicates: Predicate) -> Predicate:
    """Explains what one of them explains."""
    return lambda row: any(predicate(row) for predicate in predicates)


def finds_boundaries(mechanism: Utf8) -> Predicate:
    """Explains boundaries where each byte is alone that is in no character that the mechanism takes."""
    def explains(row: Failure) -> bool:
        asked = row["asked"].split()
        if row["request"] != "boundaries" or asked[1] != "utf-8":
            return False
        data, at, found = joined(asked[-1]), 0, []
        while at < len(data):
            length = max(1, length_of(data[at]))
            count = length if at + length <= len(data) and mechanism(data[at:at + length])[1] is None else 1
            found += [at] * count
            at += count
        return row["got"] == "ok " + ",".join(map(str, [*found, at]))
    return explains


def finds_boundaries_at_leads(row: Failure) -> bool:
    """Explains boundaries of UTF-8 at each byte that is no continuation byte, and nowhere else."""
    asked = row["asked"].split()
    if row["request"] != "boundaries" or asked[1] != "utf-8":
        return False
    data = joined(asked[-1])
    leads = accumulate((at if byte & 0xC0 != 0x80 else 0 for at, byte in enumerate(data)), max)
    return row["got"] == "ok " + ",".join(map(str, [*leads, len(data)]))


def reads_pieces_as_tcl(row: Failure) -> bool:
    """Explains the text that a channel of Tcl makes of pieces. Of a reply that the report cut, only the beginning is compared."""
    asked, got = row["asked"].split(), row["got"].split()
    if row["request"] != "pieces" or asked[1] != "utf-8" or got[:1] != ["ok"]:
        return False
    given, texts = flat(got[1]).split(","), [spelled(text).split(",") for text in tcl_in_pieces(pieces_of(asked[-1]))]
    is_cut = len(row["got"]) >= GOT_MAX
    return (is_cut or len(given) == len(texts[0])) and all(point in points for point, *points in zip(given[:-1] if is_cut else given, *texts))


def shown(data: bytes) -> str:
    """Output that is not UTF-8, as `assay run` prints it."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7F and byte != 0x5C else f"\\x{byte:02X}" for byte in data)


def passes_old_scheme(row: Failure) -> bool:
    """Explains output that is not UTF-8: the sequences of the old scheme as they are, without anything else that is ill-formed."""
    data, given = joined(row["asked"].split()[-1]), b""
    while data:
        length = max(1, length_of(data[0]))
        is_taken = Utf8(top=0x7FFFFFFF)(data[:length])[1] is None
        given, data = given + (data[:length] if is_taken else b""), data[length if is_taken else 1:]
    return row["got"] == shown(given)


SWALLOWING = Swallowing(Cut(first=0xC0, last=0xFF))
PREDICATES: Dict[str, Predicate] = {
    **{predicate.__name__: predicate for predicate in (
        one_byte_long, incomplete_signature, keeps_signature_after_error, drops_signature_of_each_chunk, drops_signature_after_cut,
        drops_second_signature, split_character, split_character_of_cesu8, put_back, goes_on_after_error, reads_as_clisp, reads_pieces_as_tcl,
        passes_old_scheme, stops_when_full, finds_boundaries_at_leads, transcodes_old_scheme, transcodes_as_gnat, pairs_any_surrogates, waits_for_a_trail, transcodes_as_libxml2,
        encodes_utf16_as_sqlite, encodes_as_poco, falls_back_to_bytes, refuses_a_last_unit_of_three_bytes, encodes_all_or_nothing, encodes_as_perlio, encodes_as_mariadb, loses_second_lead_at_end,
        reads_a_lead_without_room)},
    "waits_for_third_of_surrogate": late(third_of_surrogate),
    "waits_for_offender_or_last": late(offender_or_last),
    "waits_for_last": late(last_of_all),
    "waits_as_for_utf8": late(unlike_or_last),
    "notices_with_first_byte": late(lambda data, at: at + 2),
    "notices_with_first_byte_of_either": late(lambda data, at: at if data[at] >= 0xDC else at + 2),
    "waits_for_end": late(end_of_input),
    "waits_for_more": late_with(expat_defers),
    "gives_surrogates_when_whole_and_encodes_none": either(groups_by_piece("cesu-8-jdk", surrogates_when_whole), encodes_no_surrogates),
    "gives_each_surrogate_of_cesu8_when_whole": groups_by_piece("cesu-8", surrogates_when_whole),
    "cuts_utf16_as_string_decoder": groups_by_piece("utf-16le", string_decoder),
    "joins_pieces_as_string_decoder": groups_by_piece("utf-8", npm_string_decoder),
    "replaces_controls": mapped(is_control, ("FFFD",)),
    "reads_as_tcl": gives(tcl),
    "reads_as_nim": gives(partial(blind, replaces=False)),
    "reads_as_protobufjs": gives(partial(blind, replaces=True)),
    "reads_as_jq": gives(jq),
    "reads_as_jq_without_nul": gives(jq_without_nul),
    "stops_at_error": gives(stops),
    "encodes_without_first_feff": encodes_without_first_feff("utf-16"),
    "encodes_utf8_without_first_feff": encodes_without_first_feff("utf-8"),
    "reads_as_libvterm": gives_in_pieces(libvterm, also_whole=True),
    "reads_pieces_as_qt5": gives_in_pieces(QtInPieces(takes_one_more=False, ends_when_empty=True, signature_waits=True)),
    "reads_pieces_as_qt6": gives_in_pieces(QtInPieces(takes_one_more=True, ends_when_empty=False, signature_waits=False)),
    "reads_pieces_as_pike": gives_in_pieces(lambda pieces: without_end(b"".join(pieces))),
    "reads_utf16_as_emacs": either(*(gives(partial(emacs_utf16, order == "be"), f"utf-16{order}") for order in ("be", "le"))),
    "reads_utf16_as_pike": either(*(gives(partial(pike_utf16_whole, order == "be"), f"utf-16{order}") for order in ("be", "le"))),
    "reads_pieces_of_utf16_as_pike": either(*(groups_by_piece(f"utf-16{order}", partial(pike_utf16, order == "be")) for order in ("be", "le")),
                                            *(gives_in_pieces(partial(pike_utf16_joined, order == "be"), f"utf-16{order}") for order in ("be", "le"))),
    "reads_pieces_as_perl": gives_in_pieces(InPieces(replacing(Utf8(refused=NONCHARACTERS, cut=SWALLOWING)), perl_held)),
    "reads_pieces_as_perl_lax": gives_in_pieces(InPieces(replacing(Utf8(surrogates=True, top=0x7FFFFFFF, cut=SWALLOWING)), perl_lax_held)),
    "reads_pieces_as_perlio": gives_in_pieces(InPieces(replacing(Utf8(refused=NONCHARACTERS, cut=SWALLOWING, put=as_perl_escape, end=False)), perl_held)),
    "reads_pieces_as_nowide": gives_in_pieces(InPieces(replacing(Utf8(cut=Cut(with_offender=True))), unicode_incomplete, is_ended=False)),
    "passes_surrogates_of_cesu8": either(gives(Utf8(surrogates=True, top=0xFFFF, pairs=True, cut=asked_for), "cesu-8"), encodes("cesu-8", Encoder(surrogates=True)),
                                         transcodes_surrogates_of_cesu8),
    "fills_and_splits_pairs": either(stops_when_full, writes_half_a_pair),
    "finds_boundaries_of_bytes": finds_boundaries(Utf8(surrogates=True)),
    "finds_boundaries_of_emacs": finds_boundaries(Utf8(top=0x3FFF7F)),
    "all_or_nothing_is_text": gives(all_or_nothing),
    "reads_as_json_xs": gives(perl_json_xs),
    "reads_as_cpanel_json_xs": gives(perl_cpanel_json_xs),
    "reads_unchecked": gives(unchecked),
    "reads_as_sqlite": gives(sqlite_utf8),
    "reads_utf16_as_sqlite": gives(sqlite_utf16le, "utf-16le"),
}
NOT_UTF_8 = "output is not UTF-8"
OUTCOMES = {"passes_old_scheme": NOT_UTF_8}  # the outcome of the failures that a predicate is asked about, if not "answered"

LENGTHS = {"TWO": 2, "THREE": 3, "FOUR": 4}
REFUSED = {"NUL": frozenset([0]), "LAST": frozenset([0xFFFE, 0xFFFF]), "NONCHARACTERS": NONCHARACTERS}
VALUES: Dict[str, Any] = {
    "true": True, "false": False, "nothing": (), "swallowing": SWALLOWING,
    **{function.__name__: function for function in (maximal, with_second, to_next_lead, as_latin_1, as_windows_1252, as_perl_escape, dropped, escaped, question_marks)}}
ROW = re.compile(r'^(?:UTF8_DEVIATION\((\w+), TAKES\((.*?)\), ERRORS\((.*?)\)|UTF16_DEVIATION\((\w+), READS\((.*?)\)|ENCODE_DEVIATION\((\w+), ([\w-]+), ENCODES\((.*?)\)|OTHER_DEVIATION\((\w+), (\w+)), "([^"]*)", "([^"]*)", "([^"]*)"\)$')
OF_CUT = {field.name for field in fields(Cut)}


def value_of(member: str, text: str) -> Any:
    """The value of a member in TAKES, ERRORS or READS."""
    if member == "overlong":
        return frozenset(LENGTHS[word] for word in text.split(" | "))
    return REFUSED[text] if member == "refused" else VALUES[text] if text in VALUES else int(text, 0)


def members_of(text: str) -> Dict[str, Any]:
    """The members that are named; those of a cut are combined."""
    given = dict(re.findall(r"\.(\w+) = ([^,]+)", text))
    members = {member: value_of(member, value) for member, value in given.items() if value != "sequence"}
    if given.get("cut") == "sequence":
        of_cut = {member: members.pop(member) for member in OF_CUT & set(members)}
        members["cut"] = Cut(**of_cut)
    return members


def deviations_of(line: str) -> List[Tuple[str, Deviation]]:
    """The deviations of a row, each with its subject."""
    match = ROW.match(line)
    assert match is not None, line
    subject8, takes, errors, subject16, reads, encoding_subject, encoding, members, subject, predicate, sentence, words, source = match.groups()
    sentence = sentence.replace("\\\\", "\\")
    if subject8:
        return [(subject8, Deviation(sentence, words, source, gives(Utf8(**members_of(f"{takes}, {errors}")))))]
    if subject16:
        return [(subject16, Deviation(f"UTF-16{order.upper()}: {sentence}", words, source, gives(Utf16(big=order == "be", **members_of(reads)), f"utf-16{order}")))
                for order in ("be", "le")]
    if encoding_subject:
        return [(encoding_subject, Deviation(sentence, words, source, encodes(encoding, Encoder(**members_of(members)))))]
    return [(subject, Deviation(sentence, words, source, PREDICATES[predicate], OUTCOMES.get(predicate, "answered")))]


def read_deviations(table: Path = Path(__file__).with_name("deviations.def")) -> Dict[str, List[Deviation]]:
    """The table, by subject."""
    found: Dict[str, List[Deviation]] = {}
    for line in table.read_text("ascii").splitlines():
        if re.match(r"\w+_DEVIATION\(", line):
            for subject, deviation in deviations_of(line):
                found.setdefault(subject, []).append(deviation)
    return found


DEVIATIONS = read_deviations()


def explained(subject: str, failures: Sequence[Failure]) -> Tuple[Dict[int, int], List[Failure]]:
    """How many failures each deviation of a subject explains, by its number, and the failures that are left over."""
    counts: Dict[int, int] = {}
    rest = []
    for row in failures:
        number = next((number for number, deviation in enumerate(DEVIATIONS.get(subject, [])) if row["outcome"] == deviation.outcome and deviation.explains(row)), None)
        if number is None:
            rest.append(row)
        else:
            counts[number] = counts.get(number, 0) + 1
    return counts, rest
