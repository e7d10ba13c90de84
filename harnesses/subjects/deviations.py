# SPDX-License-Identifier: MIT
"""THE DEVIATIONS of decoders by others from the policy that fits them best: at most five a subject, each a predicate, its mechanism in a
sentence, and where that is written: in the decoder's own document, or as a divergence in corpus/field. "" is neither: its document
is silent. `scripts/field-report` counts the failures that each explains; what is left over is the residue."""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, Dict, List, NamedTuple, Sequence, Tuple

from .mechanisms import (Mechanism, NONCHARACTERS, Result, Sequence as Cut, Utf16, Utf8, all_or_nothing, as_latin_1, as_perl_escape,
                         as_windows_1252, asked_for, blind, clisp, dropped, escaped, joined_pairs, jq, libvterm, maximal, question_marks,
                         sqlite_utf16le, sqlite_utf8, stops, tcl, to_next_lead, unchecked, with_second)

Failure = Dict[str, Any]  # of the report of `assay run --json`
GOT_MAX = 1000            # characters of a reply in that report


class Deviation(NamedTuple):
    """A row."""
    sentence: str
    source: str
    explains: Callable[[Failure], bool]
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
    """True if groups are this text; of a reply that the report cut, the beginning counts."""
    if len(got) >= GOT_MAX:
        return spelled(text).startswith(flat(groups))
    return flat(groups) == spelled(text) or joined_pairs([int(point, 16) for point in flat(groups).split(",") if point]) == list(text)


def gives(mechanism: Mechanism, encoding: str = "utf-8") -> Callable[[Failure], bool]:
    """Explains an answer that is what the mechanism gives: text, verdict, and the offset of the error if it is stated."""
    def explains(row: Failure) -> bool:
        asked, got = row["asked"].split(), row["got"].split()
        if asked[1] != encoding or row["request"] not in ("validate", "decode", "pieces", "stop", "reuse") or not got:
            return False
        is_strict = row["policy"] in ("strict", "-")
        if row["request"] == "reuse":
            return got[0] == "ok" and all(is_stream(given, mechanism(joined(stream)), is_strict)
                                          for given, stream in zip(got[1].split(";"), asked[-1].split(";")))
        text, first = mechanism(joined(asked[-1]))
        if got[0] == "ok":
            return (first is None or not is_strict) and (len(got) == 1 or is_text(row["got"], got[1], text))
        offset = got[3:4] if row["request"] == "stop" else got[1:2]
        return got[0] == "error" and first is not None and is_strict and offset in ([], ["?"], [str(first)])
    return explains


def is_stream(given: str, result: Result, is_strict: bool) -> bool:
    """True if a stream of `reuse` was answered with this text or error."""
    text, first = result
    if given.startswith("error"):
        return is_strict and first is not None and given.split(":")[1:2] in ([], ["?"], [str(first)])
    return (first is None or not is_strict) and is_text("", given, text)


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


def late(row: Failure) -> bool:
    """Explains a verdict that is right, but comes with a later piece than the one with which it is certain."""
    got, expected = row["got"].split(), row["expected"].split()
    return (row["request"] == "stop" and row["difference"] == "piece" and got[0] == expected[0] == "error" and int(got[1]) > int(expected[1]) and
            flat(got[2]) == flat(expected[2]) and got[3:4] in ([], ["?"], expected[3:4]))


def same_text(row: Failure) -> bool:
    """Explains the right text, cut otherwise."""
    def units(reply: str) -> List[str]:
        points = [int(point, 16) for point in flat(reply[3:]).split(",") if point]
        return [f"{unit:X}" for point in points for unit in ([point] if point < 0x10000 else [0xD7C0 + (point >> 10), 0xDC00 + (point & 0x3FF)])]
    return row["request"] == "pieces" and row["got"].startswith("ok ") and units(row["got"]) == units(row["expected"])


def without_signatures(row: Failure) -> bool:
    """Explains a text that differs only in U+FEFF."""
    def rest(reply: str) -> List[List[str]]:
        streams = [stream.split(":")[0] for stream in reply.split()[1].split(";")] if " " in reply else []
        return [[point for point in flat(stream).split(",") if point not in ("", "FEFF")] for stream in streams]
    return row["got"].startswith("ok ") and row["expected"].startswith("ok ") and rest(row["got"]) == rest(row["expected"])


def mapped(points: Callable[[int], bool], into: Tuple[str, ...]) -> Callable[[Failure], bool]:
    """Explains the expected text with some code points replaced."""
    def explains(row: Failure) -> bool:
        if not row["got"].startswith("ok ") or not row["expected"].startswith("ok ") or row["request"] not in ("decode", "pieces"):
            return False
        given = [point for point in flat(row["expected"].split()[1]).split(",") if point]
        return flat(row["got"].split()[1]) == ",".join(other for point in given for other in (into if points(int(point, 16)) else (point,)))
    return explains


def incomplete_signature(row: Failure) -> bool:
    """Explains an end of input within a signature that is no error."""
    def stream(text: str) -> str:
        return joined(text).hex().upper()
    return row["asked"].split()[1] == "utf-8-sig" and stream(row["asked"].split()[-1].split(";")[0]) in ("EF", "EFBB") and row["got"].startswith("ok ")


def split_character(row: Failure) -> bool:
    """Explains that text is refused because a piece ends within a character."""
    pieces = [joined(piece) for piece in row["asked"].split()[-1].split(",")]
    ends = [sum(map(len, pieces[:count + 1])) for count in range(len(pieces) - 1)]
    whole = b"".join(pieces)
    return row["request"] in ("pieces", "stop") and row["got"].startswith("error") and any(whole[end:end + 1] and whole[end] & 0xC0 == 0x80 for end in ends)


def after_incomplete(row: Failure) -> bool:
    """Explains the answers to all streams after one that ended within a character."""
    streams = row["asked"].split()[-1].split(";")
    return row["request"] == "reuse" and any(Utf8(cut=maximal)(joined(stream))[1] is not None for stream in streams[:-1])


def is_control(point: int) -> bool:
    """True for the code points that HTML calls controls, but for space characters, and for noncharacters."""
    return (point < 0x20 and point not in (0, 9, 10, 12, 13)) or 0x7F <= point < 0xA0 or point in NONCHARACTERS


def by_clisp(row: Failure) -> bool:
    """Explains CLISP's answers."""
    asked, got = row["asked"].split(), row["got"].split()
    data = joined(asked[-1])
    if asked[1] != "utf-8" or row["request"] not in ("validate", "decode"):
        return False
    text = clisp(data)
    if row["policy"] in ("strict", "-"):
        is_ok = text is not None and text == [point for point in text if point != 0xFFFD]
        return got[0] == "ok" and is_ok and (len(got) == 1 or is_text(row["got"], got[1], text or []))
    return got[0] == "error" if text is None else got[0] == "ok" and is_text(row["got"], got[1], text)


def swallowed(row: Failure) -> bool:
    """Explains an answer to input in which the lead of a character is right after a byte that no sequence has there."""
    data = joined(row["asked"].split()[-1])
    at = 0
    while at < len(data):
        points, first = Utf8(cut=maximal)(data[at:])
        if first is None:
            return False
        at += first + maximal(data, at + first)
        if data[at:at + 1] and data[at] >= 0xC0:
            return True
    return False


def lengths(row: Failure) -> bool:
    """Explains an error at the right place whose length differs."""
    return row["difference"] == "length"


LATE = Deviation("reports an error with a later piece than the one with which it is certain", "", late)
LAST = frozenset([0xFFFE, 0xFFFF])
ANY_LEAD = Cut(first=0xC0, last=0xFF)
OVERLONG, FOUR, FIVE, SIX = frozenset([2, 3, 4]), 0x1FFFFF, 0x3FFFFFF, 0x7FFFFFFF
SIGNATURE = Deviation("a leading U+FEFF is a signature, which is removed", "", gives(Utf8(signature=True, cut=maximal)))


BYTEWISE_SIGNATURE = Deviation(SIGNATURE.sentence, "", gives(Utf8(signature=True)))


def later_signature(folder: str) -> Deviation:
    """U+FEFF is lost, or kept, where it should not be."""
    return Deviation("loses or keeps U+FEFF where it should not", folder, without_signatures)


def takes(sentence: str, source: str, **what: Any) -> Deviation:
    """A decoder that takes more or less than UTF-8."""
    return Deviation(sentence, source, gives(Utf8(**what)))


SWALLOWS = Deviation("a byte that begins nothing takes bytes of the character after it along", "corpus/field/perl-swallows-a-neighbour", swallowed)


def utf16(sentence: str, source: str, **what: Any) -> List[Deviation]:
    """One of UTF-16, in both byte orders."""
    return [Deviation(f"UTF-16{name.upper()}: {sentence}", source, gives(Utf16(big=name == "be", **what), f"utf-16{name}")) for name in ("be", "le")]


ODD = "a byte after an unpaired lead surrogate, at the end, is an error of its own"
PASSES = "unpaired surrogates are passed on"
DEVIATIONS: Dict[str, List[Deviation]] = {
    "cpython": [LATE, Deviation("utf-8 with surrogatepass: an error has one byte", "", lengths),
                Deviation("an incomplete signature at the end is no error", "corpus/field/cpython-utf-8-sig-loses-the-end", incomplete_signature)],
    "pypy": [Deviation("utf-8 with surrogatepass: an error has one byte", "", lengths),
             Deviation("an incomplete signature at the end is no error", "corpus/field/cpython-utf-8-sig-loses-the-end", incomplete_signature)],
    "deno": [Deviation("a decoder that was used for an ill-formed stream keeps the signature of the next", "corpus/field/deno-text-decoder-keeps-a-signature-after-an-error",
                       lambda row: row["request"] == "reuse" and without_signatures(row)),
             later_signature("corpus/field/deno-text-decoder-loses-later-bom")],
    "node24": [later_signature("corpus/field/node-text-decoder-loses-later-bom")],
    "node26": [later_signature("corpus/field/node-text-decoder-loses-later-bom")],
    "npm_undici": [later_signature("corpus/field/undici-response-text-loses-a-second-signature")],
    "perl": [takes("noncharacters are errors; FE and FF take the continuation bytes after them along", "https://perldoc.perl.org/Encode", refused=NONCHARACTERS, cut=ANY_LEAD),
             takes("noncharacters are errors; else as whatwg", "https://perldoc.perl.org/Encode", refused=NONCHARACTERS, cut=maximal),
             SWALLOWS,
             *utf16("noncharacters are errors; a byte at the end is dropped", "", refused=NONCHARACTERS, odd=())],
    "jdk": [*utf16("an unpaired lead takes the unit after it along", "corpus/field/jdk-utf-16-swallows-a-character", swallows=True),
            Deviation("the halves of a pair come with their pieces, as strings of UTF-16 have them", "", same_text)],
    "ruby": utf16(ODD, "", odd_alone=True),
    "php": utf16(ODD, "", odd_alone=True),
    "mono": [takes("a continuation byte that cannot follow its lead is replaced with it", "", cut=with_second), *utf16(ODD, "", odd_alone=True)],
    "guile": [SIGNATURE, *utf16("an unpaired lead takes the unit after it along", "", swallows=True)],
    "sbcl": utf16("U+FFFE, U+FFFF and the like are errors", "", refused=NONCHARACTERS),
    "xerces": utf16(PASSES, "", keeps=True),
    "node_buffer": utf16(PASSES, "", keeps=True, odd=()),
    "node_string_decoder": utf16(PASSES, "", keeps=True, odd=()) + [
        Deviation("gives half of a pair with its piece", "corpus/field/node-string-decoder-returns-half-a-pair", same_text)],
    "glibc_iconv": [LATE],
    "glibc_mbrtowc": [LATE, takes("takes values up to 7FFFFFFF in six bytes", "", top=SIX)],
    "glib": [takes("g_utf8_to_ucs4 takes surrogates and values up to 7FFFFFFF", "", surrogates=True, top=SIX)],
    "libunistring": [takes("a lead C2..F7 takes its continuation bytes along", "", cut=Cut(last=0xF7))],
    "utfcpp": [takes("a lead C0..F7 takes all continuation bytes after it along", "", cut=Cut(first=0xC0, last=0xF7, all_trails=True))],
    "libxml2": [LATE],
    "expat": [LATE],
    "json_c": [takes("validates no more than the form of sequences", "corpus/field/json-c-validates-not", overlong=OVERLONG, surrogates=True, top=FOUR, keeps_bytes=True),
               Deviation("refuses a character that is in two pieces", "corpus/field/json-c-refuses-characters-in-pieces", split_character)],
    "yajl": [takes("validates no more than the form of sequences", "corpus/field/yajl-validates-not", overlong=OVERLONG, surrogates=True, top=FOUR, keeps_bytes=True)],
    "oniguruma": [takes("takes overlong forms, surrogates, values up to 1FFFFF, and F5..FF as characters of one byte", "", overlong=OVERLONG, surrogates=True, top=FOUR,
                        alone=0xF5)],
    "libxml2_check": [takes("takes overlong forms, surrogates, values up to 1FFFFF, and a continuation byte as a lead", "", overlong=OVERLONG, surrogates=True, top=FOUR,
                            strays=True)],
    "re2": [takes("takes surrogates", "", surrogates=True)],
    "libstdcxx": [takes("takes surrogates", "corpus/field/libstdcxx-codecvt-takes-surrogates", surrogates=True)],
    "qt5": [BYTEWISE_SIGNATURE],
    "qt6": [BYTEWISE_SIGNATURE],
    "slang": [takes("takes values up to 7FFFFFFF, but not U+FFFE and U+FFFF", "", top=SIX, refused=LAST)],
    "cups": [takes("takes values up to 1FFFFF", "", top=FOUR)],
    "fltk": [takes("takes surrogates; other bytes are read as windows-1252", "https://www.fltk.org/doc-1.3/group__fl__unicode.html", surrogates=True, put=as_windows_1252)],
    "xapian": [takes("takes surrogates; other bytes are read as ISO 8859-1", "corpus/field/xapian-utf8iterator-takes-surrogates", surrogates=True, put=as_latin_1)],
    "tcl": [takes("takes surrogates, in pairs, too, and C0 80 as U+0000; other bytes are read as ISO 8859-1", "",
                  surrogates=True, pairs=True, takes_c080=True, put=as_latin_1),
            Deviation("the same, but the lead of an incomplete sequence of four bytes may become a lead surrogate", "", gives(tcl))],
    "chromium": [Deviation("a byte that ends a sequence with an error goes back to the queue, where the next call finds it", "https://encoding.spec.whatwg.org/#utf-8-decoder",
                           put_back)],
    "firefox": [Deviation("a decoder that was used for an ill-formed stream keeps the signature of the next",
                          "corpus/field/firefox-text-decoder-keeps-a-signature-after-an-error", lambda row: row["request"] == "reuse" and without_signatures(row))],
    "nim": [Deviation("runes reads the bytes after a lead without a look at them", "", gives(partial(blind, replaces=False))),
            takes("validateUtf8 takes overlong forms, surrogates and values up to 1FFFFF", "corpus/field/nim-validateutf8-takes-overlong-forms",
                  overlong=frozenset([3, 4]), surrogates=True, top=FOUR)],
    "npm_protobufjs": [Deviation("reads the bytes after a lead without a look at them", "", gives(partial(blind, replaces=True)))],
    "jq": [Deviation("an incomplete sequence takes all bytes up to the end of the line along", "", gives(jq)),
           Deviation("loses U+0000 at the end", "corpus/field/jq-loses-nul-at-the-end", lambda row: row["expected"] == row["got"] + ",0" or row["asked"].endswith("00"))],
    "uconv": [Deviation("stops at the first error after some text", "", gives(stops))],
    "libvterm": [Deviation("takes values up to 7FFFFFFF; FE and FF end no sequence, and an incomplete one waits for more bytes, also at the end",
                           "", gives(libvterm))],
    "iconv_c": [Deviation("passes what is no UTF-8", "corpus/field/glibc-iconv-passes-what-is-no-utf-8", lambda row: row["difference"] == "-", "output is not UTF-8")],
    "icu_converter": [Deviation("CESU-8: unpaired surrogates are passed on", "", gives(Utf8(surrogates=True, top=0xFFFF, pairs=True, cut=asked_for), "cesu-8"))],
    "taglib": [Deviation("gives an empty text for ill-formed input", "", gives(all_or_nothing))],
    "pugixml": [takes("takes overlong forms, surrogates and values up to 1FFFFF; drops each other byte", "corpus/field/pugixml-as-wide-takes-overlong-forms",
                      overlong=OVERLONG, surrogates=True, top=FOUR, put=dropped)],
    "libbson": [takes("takes C0 80", "corpus/field/libbson-utf8-validate-takes-c080", overlong=frozenset([2]))],
    "duktape": [Deviation("a stream that ends within a character leaves its state to the next", "corpus/field/duktape-text-decoder-keeps-state-after-an-error",
                          after_incomplete)],
    "mujs": [takes("takes C0 80, and surrogates", "", takes_c080=True, surrogates=True)],
    "gumbo": [Deviation("controls become U+FFFD", "corpus/field/gumbo-replaces-controls", mapped(is_control, ("FFFD",)))],
    "cmark": [takes("a lead C0..F7 takes its continuation bytes along, and the rest of the line if that is too short", "corpus/field/cmark-drops-characters-at-the-end-of-a-line",
                    cut=Cut(first=0xC0, last=0xF7, to_end=True))],
    "perl_utf8_decode": [takes("takes surrogates and values up to 7FFFFFFF", "https://perldoc.perl.org/utf8", surrogates=True, top=SIX)],
    "perl_encode_lax": [takes("takes surrogates and values up to 7FFFFFFF; any lead takes its continuation bytes along", "https://perldoc.perl.org/Encode", surrogates=True,
                              top=SIX, cut=ANY_LEAD),
                        SWALLOWS],
    "perl_perlio": [takes("each byte of an error becomes \\xHH", "https://perldoc.perl.org/PerlIO::encoding", put=as_perl_escape, cut=maximal, end=False),
                    takes("the same; noncharacters are errors", "https://perldoc.perl.org/PerlIO::encoding", put=as_perl_escape, cut=maximal, end=False, refused=NONCHARACTERS),
                    SWALLOWS],
    "perl_unicode_utf8": [takes("noncharacters are errors", "", refused=NONCHARACTERS, cut=maximal)],
    "perl_json_xs": [takes("takes surrogates and values up to 7FFFFFFF", "", surrogates=True, top=SIX),
                     SWALLOWS],
    "perl_cpanel_json_xs": [takes("takes surrogates", "corpus/field/cpanel-json-xs-takes-what-is-beyond-unicode", surrogates=True),
                            SWALLOWS],
    "php_json_encode": [takes("an error goes on to the next byte that begins a character", "", cut=to_next_lead)],
    "php_htmlspecialchars": [takes("an error goes on to the next byte that begins a character", "", cut=to_next_lead)],
    "emacs": [takes("takes values up to 3FFFFF, as its manual has them", "https://www.gnu.org/software/emacs/manual/html_node/elisp/Text-Representations.html",
                    top=0x3FFF7F, put=escaped)],
    "python_ujson": [Deviation("reads the bytes after a lead without a look at them", "", gives(unchecked))],
    "npm_string_decoder": [takes("adjacent errors are one U+FFFD, but for an incomplete sequence at the end", "", by_run=True, end=True)],
    "boost_locale": [takes("drops a lead, its continuation bytes and the byte after them", "corpus/field/boost-locale-skips-a-neighbour",
                           cut=Cut(with_offender=True), put=dropped)],
    "boost_nowide": [takes("replaces a lead, its continuation bytes and the byte after them", "corpus/field/boost-nowide-replaces-a-neighbour",
                           cut=Cut(with_offender=True))],
    "clisp": [Deviation("skips continuation bytes without a lead; a lead takes as many bytes as it asks for", "corpus/field/clisp-skips-stray-bytes", by_clisp)],
    "mariadb": [takes("takes surrogates; each other byte becomes a question mark", "", surrogates=True, put=question_marks)],
    "d": [takes("replaces a lead C0..FF, up to three continuation bytes and the byte after them", "", cut=Cut(first=0xC0, last=0xFF, with_offender=True, longest=4))],
    "sqlite": [Deviation("checks little, as its document says", "https://www.sqlite.org/invalidutf.html", gives(sqlite_utf8)),
               Deviation("any surrogate makes a pair with the unit after it", "https://www.sqlite.org/invalidutf.html", gives(sqlite_utf16le, "utf-16le"))],
    "poco": [takes("replaces as many bytes as the lead asks for, whatever they are", "", cut=Cut(first=0xC0, last=0xF7, all_asked=True))],
}


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
