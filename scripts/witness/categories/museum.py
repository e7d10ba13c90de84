# SPDX-License-Identifier: MIT
"""The museum: each input on which a decoder in real use was wrong, with what it did; a decoder must do as written here."""

from __future__ import annotations

from typing import Iterator

from ..cases import Draft
from ..exhibits import ACCEPTS, EDGE, MISCOUNTS, REFUSES, SWALLOWS, WRONG, Exhibit, decode_drafts, notes_of
from ..notes import cve
from ..rows import Encoding


def github(path: str) -> str:
    """A thread or commit on GitHub."""
    return f"https://github.com/{path}"


TAKEN = (
    Exhibit("iis-ms00-078", ACCEPTS, "IIS took C0 AF and C1 9C for / and \\, and so left the document root.",
            (cve("2000-0884"),), ("C0AF", "C19C", "2E2E C0AF 2E2E")),
    Exhibit("tomcat-2008-2938", ACCEPTS, "Tomcat took C0 AE for a full stop: directory traversal.",
            (cve("2008-2938"),), ("C0AE", "C0AE C0AE 2F")),
    Exhibit("php-2010-3870", ACCEPTS, "utf8_decode of PHP took non-shortest forms, also of quotation marks and brackets.",
            (cve("2010-3870"),), ("C0A7", "C0BC", "E080BC")),
    Exhibit("expat-2022-25235", ACCEPTS, "expat did not look at continuation bytes in names.",
            (cve("2022-25235"),), ("DB25", "CC01", "E02485", "E0A4C5", "9BA5")),
    Exhibit("simdjson-1187", ACCEPTS, "The fallback kernel took an overlong form of four bytes.",
            (github("simdjson/simdjson/issues/1187"),), ("F08FBFBF",)),
    Exhibit("faster-utf8-validator-2b0ad07", ACCEPTS, "F0 80 to F0 8F were taken; its own test left F0 out.",
            (github("zwegner/faster-utf8-validator/commit/2b0ad07"),), ("F0808080", "F08FBFBF")),
    Exhibit("utfcpp-4-1-0", ACCEPTS, "Values beyond U+10FFFF were taken.", (github("nemtrif/utfcpp"),), ("F4908080",)),
    Exhibit("branchless-utf8-3", ACCEPTS, "Values beyond U+10FFFF were taken.",
            (github("skeeto/branchless-utf8/issues/3"),), ("F4908080", "F7BFBFBF")),
    Exhibit("lexbor-354", ACCEPTS, "A host name in overlong ASCII was taken.",
            (github("lexbor/lexbor/issues/354"),), ("C1A5", "C1A5 C1B8 C1A1")),
    Exhibit("msgpackr-177", ACCEPTS, "C0 AF was taken, only on the path for strings of 64 bytes and less.",
            (github("kriszyp/msgpackr/issues/177"),), ("C0AF", "20*62 C0AF", "20*63 C0AF")),
    Exhibit("woodstox-291", ACCEPTS, "An XML parser took overlong forms of < and /.",
            (github("FasterXML/woodstox/pull/291"),), ("C0BC", "E080AF")),
    Exhibit("libunicode-145", ACCEPTS, "Overlong forms and values beyond U+10FFFF were taken, and FF was dropped.",
            (github("contour-terminal/libunicode/issues/145"),), ("C1BF", "E08080", "F0808080", "F58FBFBF", "FF")),
    Exhibit("encode-unicode-6", ACCEPTS, "An overlong form of two bytes was taken.",
            (github("tormol/encode_unicode/issues/6"),), ("C192",)),
    Exhibit("json-voorhees-207", ACCEPTS, "Five bytes, a surrogate and a value beyond U+10FFFF were taken.",
            (github("tgockel/json-voorhees/issues/207"),), ("F880808080", "EDA080", "F5808080")),
    Exhibit("crystal-3870", ACCEPTS, "A surrogate was taken.", (github("crystal-lang/crystal/pull/3870"),), ("EDA080",)),
    Exhibit("wavm-286", ACCEPTS, "A surrogate was taken.", (github("WAVM/WAVM/pull/286"),), ("EDA080",)),
    Exhibit("ladybird-5310", ACCEPTS, "A surrogate was taken, and F4 A1 B0 BD for 121C3D.",
            (github("LadybirdBrowser/ladybird/issues/5310"),), ("EDA080", "F4A1B0BD")),
    Exhibit("vlang-27630", ACCEPTS, "A lead alone became U+00C3.", (github("vlang/v/issues/27630"),), ("C3",)),
    Exhibit("glibc-2-36", ACCEPTS, "mbrtowc in C.UTF-8 took values beyond U+10FFFF, and five and six bytes.",
            ("https://sourceware.org/glibc/",), ("F4919293", "F888808080", "FC8480808080")),
    Exhibit("sqlite", ACCEPTS, "A continuation byte alone became U+0080.", ("https://sqlite.org/",), ("80",)),
    Exhibit("java-readutf", ACCEPTS, "DataInput.readUTF takes overlong forms of three bytes.",
            ("https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/io/DataInput.html",), ("E09F80",)),
    Exhibit("tcl-8-6", ACCEPTS, "Ill-formed bytes became the Latin-1 characters of the same number.",
            ("https://www.tcl-lang.org/",), ("80", "FF", "E282", "C3")),
    Exhibit("xerces-c-3-2-4", ACCEPTS, "After 33 characters a lead F5 to F7 was dropped with its continuation bytes.",
            (github("apache/xerces-c"),), ("20*33 F6B6A9BE",)),
    Exhibit("fmt-3044", ACCEPTS, "A fourth byte that is no continuation was taken.",
            (github("fmtlib/fmt/pull/3044"),), ("F48FBFC0",)),
    Exhibit("haskell-text-61", ACCEPTS, "A lead at the end vanished, and the result was empty.",
            (github("haskell/text/issues/61"),), ("C2",)),
    Exhibit("fastvalidate-utf-8-24", ACCEPTS, "A walk of the automaton that is not refused was taken for well-formed.",
            (github("lemire/fastvalidate-utf-8/issues/24"),), ("C2", "E282", "F09F92")),
)

REFUSED = (
    Exhibit("bionic-nonchar", REFUSES, "U+FFFE was refused.", ("https://android.googlesource.com/platform/bionic/",),
            ("EFBFBE",)),
    Exhibit("phobos-5624", REFUSES, "U+FFFE and U+FFFF were refused.", (github("dlang/phobos/pull/5624"),),
            ("EFBFBE", "EFBFBF")),
    Exhibit("libuv-4092", REFUSES, "The lead of four bytes was not masked, and every such character was refused.",
            (github("libuv/libuv/pull/4092"),), ("F09F9384", "F0908080")),
    Exhibit("libuv-5021", REFUSES, "The last code point failed an assertion.", (github("libuv/libuv/pull/5021"),),
            ("F48FBFBF",)),
)

EDGES = (
    Exhibit("simdjson-1169", EDGE, "The check at the end was forgotten when the input filled whole blocks.",
            (github("simdjson/simdjson/issues/1169"),), ("20*63 FF",)),
    Exhibit("simdutf-458", EDGE, "An error in the last byte of a block was not seen.",
            (github("simdutf/simdutf/issues/458"),), ("20*63 FF",)),
    Exhibit("simdutf-454", EDGE, "A lead in the last byte of a block was not seen.",
            (github("simdutf/simdutf/issues/454"),), ("20*63 C2",)),
    Exhibit("haskell-text-490", EDGE, "A lead at the end of a block, before ASCII, was not seen.",
            (github("haskell/text/issues/490"),), ("20*127 D8 20*128",)),
    Exhibit("simdjson-1346", EDGE, "80 next to an edge was hidden by the NUL that filled the block.",
            (github("simdjson/simdjson/pull/1346"),), ("00*63 80", "00*64 80", "00*64 80 00*63")),
    Exhibit("utf8-791bc60", EDGE, "C2 at the end of a block and C2 80 at the start of the next were taken.",
            (github("cyb70289/utf8/commit/791bc60"),), ("20*15 C2 C280", "20*31 C2 C280", "20*63 C2 C280")),
    Exhibit("faster-utf8-validator-fa3753f", EDGE, "What was carried over went stale when a block of ASCII was skipped.",
            (github("zwegner/faster-utf8-validator/commit/fa3753f"),),
            ("20*15 C2 20*16 80", "20*31 C2 20*32 80", "20*63 C2 20*64 80")),
    Exhibit("simdutf-381", EDGE, "After a block of ASCII, the next three bytes were not looked at.",
            (github("simdutf/simdutf/pull/381"),), ("20*64 FF", "20*65 FF", "20*66 FF", "20*16 FF", "20*32 FF")),
    Exhibit("coreclr-24235", EDGE, "A stray 80 after a character was taken for ASCII.",
            (github("dotnet/coreclr/pull/24235"),), ("E78B8080", "E78B8080 41414141")),
)

OUTPUTS = (
    Exhibit("utf-8-misc-1", WRONG, "Every scalar value was taken, 395776 of them as another: verdicts alone show nothing.",
            (github("hoehrmann/utf-8-misc/issues/1"),), ("E0A180", "E0BFBF", "ED8180", "F1818080", "F2818080", "F3818080")),
    Exhibit("libuv-4609", WRONG, "From U+1001 on, characters of three bytes became pairs of UTF-16 units: 1000 for FFFF.",
            (github("libuv/libuv/pull/4609"),), ("E18081", "E282AC", "EFBFBD")),
    Exhibit("encoding-rs-0-3-1", WRONG, "Characters that begin with EE were decoded wrongly.",
            (github("hsivonen/encoding_rs"),), ("EE8080", "EE9A80", "EEBFBF")),
    Exhibit("wtf-8-8", WRONG, "The encoder of the specification wrote U+0800 as C0 A0 80.",
            (github("SimonSapin/wtf-8/issues/8"),), ("C0A080", "E0A080")),
    Exhibit("php-8360", MISCOUNTS, "One replacement where two are due.", (github("php/php-src/issues/8360"),), ("DFC0",)),
    Exhibit("corefx-36163", MISCOUNTS, "One byte of three vanished.", (github("dotnet/corefx/issues/36163"),), ("EDA090",)),
    Exhibit("pypy-3116", MISCOUNTS, "Under surrogateescape, the second byte of a truncated sequence was lost.",
            ("https://github.com/pypy/pypy/issues/3116",), ("E0A0",)),
    Exhibit("feross-buffer-305", MISCOUNTS, "A truncated sequence of two bytes was replaced twice.",
            (github("feross/buffer/pull/305"),), ("E0AC",)),
    Exhibit("rust-56786", MISCOUNTS, "Three replacements on Unix, one on Windows.",
            (github("rust-lang/rust/issues/56786"),), ("EDA080",)),
    Exhibit("go-11733", MISCOUNTS, "C0 was said to want a further byte.", (github("golang/go/issues/11733"),), ("C0",)),
    Exhibit("protoc-gen-validate-1379", MISCOUNTS, "Twenty bytes were counted as ten characters.",
            (github("bufbuild/protoc-gen-validate/pull/1379"),), ("C0*20",)),
    Exhibit("lo-1007", SWALLOWS, "After an error the length of U+FFFD was skipped, not that of the error.",
            (github("samber/lo/pull/1007"),), ("FF41424344", "E28241424344")),
    Exhibit("llvm-60177", MISCOUNTS, "A bad second byte at the end was reported as an unfinished sequence.",
            (github("llvm/llvm-project/issues/60177"),), ("E080", "EDA0", "F080", "F490")),
    Exhibit("vte-158", SWALLOWS, "The character that breaks a sequence off was lost.",
            (github("alacritty/vte/issues/158"),), ("C24142", "C2C3A9")),
    Exhibit("perl-encode-3-17", SWALLOWS, "After a stray byte the next character was lost.",
            (github("dankogai/p5-encode"),), ("80E282AC41",)),
    Exhibit("p5-encode-88", SWALLOWS, "The text was cut short at the error.",
            (github("dankogai/p5-encode/issues/88"),), ("4D75F16F7A",)),
    Exhibit("contour-980", SWALLOWS, "The decoder never came to an end.",
            (github("contour-terminal/contour/issues/980"),), ("C627F932",)),
    Exhibit("dfa-not-fed-again", SWALLOWS, "A walk of the automaton did not read the byte that refused again.",
            ("https://bjoern.hoehrmann.de/utf-8/decoder/dfa/",), ("C2C280", "E2C3A9", "F09F41", "E282E282AC")),
    Exhibit("dfa-not-reset", SWALLOWS, "A walk of the automaton went on from the state that refuses.",
            ("https://bjoern.hoehrmann.de/utf-8/decoder/dfa/",), ("FF41", "C041", "80C3A9")),
)

NOTES = notes_of((*TAKEN, *REFUSED, *EDGES, *OUTPUTS))


def cases(encoding: Encoding) -> Iterator[Draft]:
    """Each bug that shows on a whole input."""
    del encoding
    yield from decode_drafts((*TAKEN, *REFUSED, *EDGES, *OUTPUTS))
