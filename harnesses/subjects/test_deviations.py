# SPDX-License-Identifier: MIT
"""The deviations of subjects: their rows; and the mechanisms, which without any deviation are the policies of the vectors."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import unittest
from typing import Any, Dict, List

from subjects.deviations import DEVIATIONS, GOT_MAX, PREDICATES, explained, gives, spelled
from subjects.divergences import FIELD
from subjects.mechanisms import NONCHARACTERS, Sequence, Utf8, Utf16, dropped, escaped, jq_without_nul, maximal, perl_cpanel_json_xs, perl_json_xs, perl_swallowed, sqlite_utf8, tcl, unchecked
from subjects.subjects import ASSAY, HERE, rows

VECTORS = FIELD.parents[1] / "vectors"
# A file of source code, in the version that the address names.
CODE = re.compile(r"^https://[^ ]*(/blob/|/src/|[?;&]hb?=|@|/release/)[^ ]*\d[^ ]*$")


def cases(encoding: str) -> List[Dict[str, Any]]:
    """All cases of an encoding that decode a whole input."""
    files = [json.loads(path.read_text("ascii")) for path in sorted((VECTORS / encoding).glob("*.json"))]
    return [test for file in files if file["kind"] == "decode" for test in file["tests"]]


def failure(asked: str, got: str, request: str = "decode", policy: str = "own", outcome: str = "answered") -> Dict[str, Any]:
    """A failure as in the report of `assay run`."""
    return {"id": "utf-8/overlong/c0af", "asked": asked, "expected": "ok FFFD,FFFD", "got": got, "request": request, "policy": policy, "outcome": outcome,
            "difference": "output", "cause": "some"}


class DeviationsTest(unittest.TestCase):
    """The table, and what its rows explain."""

    def test_rows(self) -> None:
        """Each row is about a subject, which has at most five, and has a reason: the words of a document, an existing divergence, or a file
        of source code in one version."""
        self.assertLessEqual(set(DEVIATIONS), {row.name for row in rows()})
        for name, deviations in DEVIATIONS.items():
            self.assertLessEqual(len(deviations), 5, name)
            self.assertEqual(len({one.sentence for one in deviations}), len(deviations), name)
            for one in deviations:
                is_divergence = (FIELD.parents[1] / one.source / "README.md").exists() and one.source.startswith("corpus/field/")
                is_document = one.source.startswith("https://") and len(one.words) > 10
                self.assertTrue((is_divergence and one.words == "") or is_document or CODE.search(one.source), (name, one.source))

    def test_what_several_share_is_decided(self) -> None:
        """PROFILES.md has a row for each deviation that subjects of several implementations have, and for no other."""
        implementations = {row.name: row.implementation for row in rows()}
        text = (HERE / "deviations.def").read_text("ascii")
        subjects: Dict[str, List[str]] = {}
        for kind, subject, mechanism in re.findall(r'^(\w+)_DEVIATION\((\w+), (.*?), "', text, re.MULTILINE):
            subjects.setdefault(f"{kind} {mechanism}", []).append(subject)
        shared = {" ".join(names) for names in subjects.values() if len({implementations[name] for name in names}) > 1}
        decided = (HERE / "PROFILES.md").read_text("utf-8").split("## Behaviours that several subjects share")[1]
        self.assertEqual(set(re.findall(r"^\| ([a-z0-9_ ]+) \| (?!behaviour)", decided, re.MULTILINE)), shared)

    def test_where_the_report_cuts_a_reply(self) -> None:
        """After GOT_MAX characters, which is where a comparison with a mechanism ends."""
        wordy = ("import sys\nfor line in sys.stdin:\n    print('hello assay/1 wordy encodings=utf-8 policies=whatwg ops=decode' if line.startswith('hello') "
                 "else line.split()[0] + ' ok ' + ','.join(['2F'] * 1000), flush=True)\n")
        done = subprocess.run([ASSAY, "run", "--json", "utf-8/overlong/c0af", "--", sys.executable, "-c", wordy], stdout=subprocess.PIPE, check=False)
        self.assertEqual({len(row["got"]) for row in json.loads(done.stdout)["failures"]}, {GOT_MAX})

    def test_no_predicate_is_left_over(self) -> None:
        """Each predicate is named in a row."""
        used = {one.explains for deviations in DEVIATIONS.values() for one in deviations}
        self.assertEqual({name for name, predicate in PREDICATES.items() if predicate not in used}, set())

    def test_what_perl_takes_along(self) -> None:
        """A byte that begins nothing, and the character after it if the class after that of its lead accepts its other bytes."""
        for data, count in (("C0E89AA7", 4), ("80E282AC41", 4), ("F5F2B6A9BE", 4), ("EDC090", 3), ("C041", 0), ("80C2BF", 0), ("E8E89AA7", 0),
                            ("C0EF8080", 0), ("C0EF808080", 5), ("80", 0), ("C0E1BF", 0)):
            self.assertEqual(perl_swallowed(bytes.fromhex(data), 0), count, data)
        for data, text in (("F8E89AA7", [0x1E286A7]), ("80E282AC41", [0, 0x20AC, 0x41]), ("C0E89AA7", [0, 0, 0])):
            self.assertEqual(perl_json_xs(bytes.fromhex(data)), (text, None), data)
        for data, result in (("94F4ABBFBF", ([0, 0x12BFFF], None)), ("F4ABBFBF", ([], 0)), ("EDA080", ([0xD800], None))):
            self.assertEqual(perl_cpanel_json_xs(bytes.fromhex(data)), result, data)

    def test_with_which_piece_an_error_is_reported(self) -> None:
        """As Python, iconv, expat (2.5.0, and with later security updates, which wait for more) and libxml2 answered; another piece is not explained."""
        for name, asked, answers in (("cpython", "EDA4,80,-", {1}), ("glibc_iconv", "F6,9B,D1,-", {2}), ("glibc_mbrtowc", "F0,80,80,80,41", {3}), ("expat", "F280,7F,-", {2}),
                                     ("expat", "ED,A4,80,-", {2, 3}), ("expat", "ED,A4,80,41,41,-", {2, 3}), ("expat", "EDA480,41,-", {0}), ("libxml2", "F0,C3802A2A,-", {2})):
            for given in range(6):
                row = failure(f"stop utf-8 {asked}", f"error {given} {'|'.join('-' * (given + 1))}", "stop", "strict")
                row.update({"difference": "piece", "expected": "error 0 - 0 1 surrogate"})
                self.assertEqual(len(explained(name, [row])[1]), 0 if given in answers else 1, (name, asked, given))
        row.update({"asked": "stop utf-8 F080,41,-", "got": "error 1 -|-"})
        self.assertEqual([len(explained(name, [row])[1]) for name in ("cpython", "glibc_iconv", "expat")], [1, 0, 1])

    def test_with_which_piece_half_a_pair_comes(self) -> None:
        """As the JDK and Node's StringDecoder answered; another cut of the same text is not explained."""
        for name, asked, got, is_explained in (
                ("jdk", "cesu-8-jdk own EDAFBF,EDBFBF,-", "DBFF|DFFF|-", True), ("jdk", "cesu-8-jdk own EDAFBF,EDBFBF,-", "-|DBFF,DFFF|-", False),
                ("jdk", "cesu-8-jdk own EDAFBFEDBFBF41", "10FFFF,41", True), ("jdk", "cesu-8-jdk own EDAFBF,EDBFBF,-", "DBFF|DFFE|-", False),
                ("node_string_decoder", "utf-16le own 3D,D8,00,DE,-", "-|D83D|-|DE00|-", True), ("node_string_decoder", "utf-16le own 3DD800,DE", "D83D|DE00", True),
                ("node_string_decoder", "utf-16le own 3DD8,00,DE", "-|-|1F600", True), ("node_string_decoder", "utf-16le own 3DD8,00DE", "D83D|DE00", False)):
            row = failure(f"decode {asked}", f"ok {got}", "pieces")
            self.assertEqual(len(explained(name, [row])[1]), 0 if is_explained else 1, (name, asked, got))

    def test_what_joins_a_lead_that_a_piece_cuts(self) -> None:
        """As string_decoder 1.3.0 of npm answered; the policy's answer and another cut are not explained."""
        for asked, got, is_explained in (("F0,8041", "-|FFFD,41", True), ("F0,8041", "-|FFFD,FFFD,41", False), ("E2,FF41", "-|FFFD,FFFD,41", True), ("E2,FF41", "-|FFFD,41", False),
                                         ("F0,8080", "-|FFFD", True), ("4190EDA0", "41,FFFD,FFFD", True), ("EDA041", "FFFD,41", False), ("C0,80,41", "-|FFFD,FFFD|41", True), ("F7,8080,80", "-|-|FFFD,FFFD,FFFD,FFFD", True), ("E282,AC41", "-|20AC,41", True)):
            row = failure(f"decode utf-8 own {asked}", f"ok {got}", "pieces" if "," in asked else "decode")
            self.assertEqual(len(explained("npm_string_decoder", [row])[1]), 0 if is_explained else 1, (asked, got))

    def test_what_ruby_does_not_join(self) -> None:
        """A character of CESU-8 in two pieces, but not a pair of surrogates, nor what is cut between characters."""
        predicate = PREDICATES["split_character_of_cesu8"]
        for chunks, got, is_explained in (("C2,80", "error", True), ("E2,82,AC", "error", True), ("41,ED80,80", "error", True), ("EDA0,BDEDB880", "error", False),
                                          ("EDA0BD,EDB8,80", "error", False), ("C280,41", "error", False), ("C2,80", "ok 80", False)):
            self.assertEqual(predicate(failure(f"decode cesu-8 strict {chunks}", got, "pieces", "strict")), is_explained, (chunks, got))

    def test_what_encoders_write(self) -> None:
        """As these answered; the answer next to it is not explained."""
        for name, asked, got, is_explained in (
                ("utf8proc", "encode D83D,110000", "error 1", True), ("utf8proc", "encode D800", "ok EDA080", True), ("utf8proc", "encode D83D,110000", "error 0", False),
                ("libidn", "encode 7FFFFFFF", "ok FDBFBFBFBFBF", True), ("libbson", "encode 1FFFFF", "ok F7BFBFBF", True), ("libbson", "encode 7FFFFFFF", "ok FDBFBFBFBFBF", False),
                ("xapian", "encode 41,7FFFFFFF,42", "ok 4142", True), ("pugixml", "encode 7FFFFFFF", "ok FFBFBFBF", True), ("fltk", "encode 110000", "ok EFBFBD", True),
                ("cups", "encode FEFF,41", "ok 41", True), ("cups", "encode FEFF,41", "ok -", False), ("boost_nowide", "encode-utf16 D800,41,42", "ok EFBFBD42", True),
                ("xerces", "encode-utf16 D800,41", "ok E29181", True), ("xerces", "encode-utf16 D800", "ok EDA080", False), ("poco", "encode-utf16 D800,E000", "ok F0908080", True),
                ("poco", "encode-utf16 D800,FFFF", "ok F0908FBF", True), ("poco", "encode-utf16 D800,E001", "ok F0908082", False), ("glib", "encode-utf16 D800,41", "error 1", True), ("glib", "encode-utf16 41,D800", "error 1", True),
                ("taglib", "encode-utf16 41,D800", "ok -", True), ("taglib", "encode-utf16 41", "ok -", False)):
            request, units = asked.split()
            row = failure(f"{request} utf-8 strict {units}", got, request, "strict")
            row["expected"] = "ok EFBBBF41" if units == "FEFF,41" else "error 0"
            self.assertEqual(len(explained(name, [row])[1]), 0 if is_explained else 1, (name, asked, got))

    def test_what_encoders_of_languages_write(self) -> None:
        """The same, of those that have a mechanism of their own."""
        for name, asked, expected, got, is_explained in (
                ("perl_perlio", "encode 41,D800,FFFE", "error 1", "ok 415C787B443830307D5C787B464646457D", True), ("perl_perlio", "encode D800", "error 0", "ok EDA080", False),
                ("perl_unicode_utf8", "encode FFFE,41", "ok EFBFBE41", "ok EFBFBD41", True), ("perl_utf8_decode", "encode FFFFFFFF", "error 0", "ok FE83BFBFBFBFBF", True),
                ("npm_buffer", "encode-utf16 41,D800,D800", "ok -", "ok 41efbfbd", True), ("npm_buffer", "encode-utf16 D800,D800,41", "ok -", "ok efbfbd41", False),
                ("mariadb", "encode-utf16 DBFF,41", "error 0", "ok 3FEFBC803F", True), ("mariadb", "encode-utf16 DBFF,41", "error 0", "ok 3F41", False),
                ("mariadb", "encode 110000", "error 0", "ok 3F3F3F3F", True), ("d", "encode-utf16 D800,41", "ok -", "ok EFBFBD", True),
                ("sbcl", "encode FFFE", "ok FEFF", "error", True), ("sbcl", "encode FFFD", "ok FDFF", "error", False), ("jdk", "encode-utf16 D800", "ok EDA080", "error", True),
                ("jdk", "encode-utf16 D83D,DE00", "ok EDA0BDEDB880", "error", False)):
            request, units = asked.split()
            row = failure(f"{request} {'cesu-8-jdk' if name == 'jdk' else 'utf-8'} strict {units}", got, request, "strict")
            row["expected"] = expected
            self.assertEqual(len(explained(name, [row])[1]), 0 if is_explained else 1, (name, asked, got))

    def test_where_characters_begin_and_what_is_transcoded(self) -> None:
        """As FLTK, Oniguruma, GNAT and glibc answered; the answer next to it is not explained."""
        for name, asked, got, is_explained in (
                ("fltk", "boundaries utf-8 EDA080E080", "ok 0,0,0,3,4,5", True), ("fltk", "boundaries utf-8 E0A0", "ok 0,0,2", False), ("oniguruma", "boundaries utf-8 C080", "ok 0,0,2", True),
                ("nim", "boundaries utf-8 EDA08041", "ok 0,0,0,3,4", True), ("nim", "boundaries utf-8 EDA08041", "ok 0,0,2,3,4", False),
                ("gnat", "to-well-formed utf-16be strict DCA9", "ok DCA9", True), ("gnat", "to-well-formed utf-8 strict EFBBBFEFBBBF41", "ok 41", True),
                ("gnat", "to-well-formed utf-8 strict EFBBBF41EFBBBF", "ok 41", False), ("gnat", "to-well-formed utf-8 strict C0AF", "ok 2F", True), ("gnat", "to-well-formed utf-8 strict C0AF", "ok C0AF", False),
                ("racket", "transcode utf-16le utf-8 strict 3DD84100", "ok f09f9181", True), ("racket", "transcode utf-16le utf-8 strict 4100DC", "error 2", True),
                ("racket", "transcode utf-16le utf-8 strict 41003DD8", "error 0", False), ("racket", "transcode wtf-16le wtf-8 strict A9DC3DD8", "error 2", True),
                ("racket", "transcode wtf-16le wtf-8 strict 3DD8A9DC", "error 0", False), ("racket", "transcode wtf-8 wtf-16le strict 41EDA0BD", "error 1", True),
                ("racket", "transcode wtf-8 wtf-16le strict 41EDB2A9", "error 1", False), ("racket", "encode-utf16 wtf-8 strict 41,D800", "error 1", True),
                ("glibc_iconv", "to-well-formed utf-8 strict F9848484848441", "error 5", True), ("glibc_iconv", "to-well-formed utf-8 strict F9848484848441", "error 4", False), ("glibc_iconv", "to-well-formed utf-8 strict F984848484", "ok F984848484", True),
                ("libxml2_check", "transcode utf-8 utf-16be strict 41F0908042", "ok 00410400", True), ("libxml2_check", "transcode utf-8 utf-16be strict 41F0908042", "ok 004104000042", False),
                ("libxml2_check", "transcode utf-16be utf-8 strict DCA9", "ok EDB2A9", True), ("libxml2_check", "transcode utf-16be utf-8 strict D83D", "ok EDA0BD", False),
                ("openssl", "transcode utf-8 utf-16be strict 418042", "ok 004100800042", True), ("openssl", "transcode utf-8 utf-16be strict 41", "ok 0042", False),
                ("openssl", "transcode utf-16be utf-8 strict 0041DC000042", "ok 41", True), ("openssl", "transcode utf-16be utf-8 strict 0041D83D", "ok 41", False),
                ("openssl", "encode-utf16 utf-8 strict 41,3042", "error", True), ("openssl", "encode-utf16 utf-8 strict 3042,41", "error", False), ("openssl", "encode-utf16 utf-8 strict D83D,DE00", "error", False),
                ("sqlite", "encode-utf16 utf-8 strict DC00,41", "ok F0908181", True), ("sqlite", "encode-utf16 utf-8 strict DC00,41", "ok F0908082", False),
                ("poco", "encode utf-16be strict 110000", "ok D800DC00", True), ("poco", "encode utf-16be strict 110000", "ok FFFD", False),
                ("d", "to-well-formed utf-8 own 41EDA08080", "ok 41EFBFBDEFBFBD", True), ("d", "to-well-formed utf-8 own 41EDA08080", "ok 41EFBFBDEFBFBDEFBFBD", False),
                ("ruby", "to-well-formed utf-16be own D80000", "ok FFFDFFFD", True), ("ruby", "to-well-formed utf-16be own D80000", "ok FFFDFFFC", False),
                ("cpython", "to-well-formed generalized-utf-8 strict EDA041", "error 0 1", True), ("cpython", "to-well-formed generalized-utf-8 strict EDA041", "error 0 3", False),
                ("gnat", "transcode utf-16le utf-16be strict A9DC", "ok DCA9", True), ("gnat", "transcode utf-8 utf-16le strict F4A08080", "ok 40DC00DC", True),
                ("gnat", "transcode utf-16le utf-8 strict A9DC", "ok EDB2A9", False), ("glibc_iconv", "transcode utf-8 utf-8 strict F4A08080", "ok F4A08080", True),
                ("glibc_iconv", "transcode utf-8 utf-8 strict EDA080", "ok EDA080", False), ("icu_converter", "transcode cesu-8 cesu-8 strict EDA080", "ok EDA080", True),
                ("mono", "into utf-16be strict utf-16 1 857CDA78DF53", "full 4 857C", True), ("mono", "into utf-16be strict utf-16 1 857C857C", "full 4 857C", False)):
            row = failure(asked, got, asked.split()[0], "own" if " own " in asked else "strict")
            row.update({"expected": "full 2 857C"} if asked.startswith("into") else {"expected": "error 0 2 truncated", "difference": "length"} if name == "cpython" else {"expected": "ok -"})
            self.assertEqual(len(explained(name, [row])[1]), 0 if is_explained else 1, (name, asked, got))

    def test_what_has_no_room(self) -> None:
        """As iconv, ICU and Xerces answered: `full` in place of an error where no room is left, and half a pair; the answer next to it is not explained."""
        for name, asked, expected, got, is_explained in (
                ("glibc_iconv", "utf-32 1 41FF42", "error 1 41 1 1", "full 1 41", True), ("glibc_iconv", "utf-32 2 41FF42", "error 1 41 1 1", "full 1 41", False),
                ("glibc_iconv", "utf-32 1 41FF42", "error 1 41 1 1", "full 2 41", False), ("icu_converter", "utf-16 1 F2B6A9BE", "full 0 -", "full 4 DA9A", True),
                ("icu_converter", "utf-16 1 F2B6A9BE", "full 0 -", "full 3 DA9A", False), ("icu_converter", "utf-16 1 F2B6A9BE", "full 0 -", "full 4 DA9B", False)):
            row = failure(f"into utf-8 strict {asked}", got, "into", "strict")
            row["expected"] = expected
            self.assertEqual(len(explained(name, [row])[1]), 0 if is_explained else 1, (name, asked, got))
        for got, is_explained in (("full 2 DA78", True), ("full 4 DA78", True), ("full 3 DA78", False)):
            row = failure("into utf-16be strict utf-16 1 DA78DF53", got, "into", "strict")
            self.assertEqual(len(explained("xerces", [row])[1]), 0 if is_explained else 1, got)

    def test_what_gnat_does_not_encode(self) -> None:
        """U+FFFE and U+FFFF; in UTF-16, a U+FEFF that begins the text."""
        for asked, expected, got, is_explained in (("utf-8 strict 41,FFFF", "ok 41EFBFBF", "error", True), ("utf-8 strict 41,FFFD", "ok 41EFBFBD", "error", False),
                                                   ("utf-16be strict FEFF,41", "ok FEFF0041", "ok 0041", True), ("utf-16le strict FEFF", "ok FFFE", "ok -", True),
                                                   ("utf-16be strict 41,FEFF", "ok 0041FEFF", "ok 0041", False), ("utf-8 strict FEFF", "ok EFBBBF", "ok -", False)):
            row = {**failure(f"encode {asked}", got, "encode", "strict"), "expected": expected}
            self.assertEqual(len(explained("gnat", [row])[1]), 0 if is_explained else 1, asked)

    def test_what_is_encoded_besides_unicode(self) -> None:
        """By wcrtomb, GLib and ICU's CESU-8; other bytes, and an error at another place, are not explained. Perl refuses noncharacters."""
        for name, asked, expected, got, is_explained in (
                ("glibc_mbrtowc", "utf-8 strict 41,110000", "error 1", "ok 41F4908080", True), ("glibc_mbrtowc", "utf-8 strict 7FFFFFFF", "error 0", "ok FDBFBFBFBFBF", True),
                ("glibc_mbrtowc", "utf-8 strict 110000", "error 0", "ok F4908081", False), ("glibc_mbrtowc", "utf-8 strict D800", "error 0", "ok EDA080", False),
                ("glib", "utf-8 strict D800", "error 0", "ok EDA080", True), ("glib", "utf-8 strict D800,FFFFFFFF", "error 0", "error 1", True),
                ("glib", "utf-8 strict D800,FFFFFFFF", "error 0", "error 2", False), ("icu_converter", "cesu-8 strict D800,10000", "error 0", "ok EDA080EDA080EDB080", True),
                ("icu_converter", "utf-8 strict D800", "error 0", "ok EDA080", False), ("perl", "utf-16le strict FDD0", "ok D0FD", "error", True), ("perl", "utf-8 strict FDCF", "ok EFB78F", "error", False)):
            row = {**failure(f"encode {asked}", got, "encode", "strict"), "expected": expected}
            self.assertEqual(len(explained(name, [row])[1]), 0 if is_explained else 1, (name, asked, got))

    def test_a_character_in_pieces_of_several_streams(self) -> None:
        """json-c refuses one that is cut, also in a later stream; a stream that is refused without a cut is not explained."""
        for last, got, is_explained in (("F09F,92A9,-", "ok error;error;error", True), ("F09F,92A9,-", "ok error;41;error", False), ("F09F92A9,-", "ok error;error;error", False)):
            row = {**failure(f"reuse utf-8 strict F0,9F,-;-,92A9,-;{last}", got, "reuse", "strict"), "expected": "ok error:0:2:truncated;error:0:1:stray-continuation;-|1F4A9|-"}
            self.assertEqual(len(explained("json_c", [row])[1]), 0 if is_explained else 1, (last, got))

    def test_what_decoders_make_of_pieces(self) -> None:
        """As Qt, libvterm, Perl, Tcl and Pike answered; another text, and the same text of other pieces, is not explained."""
        for name, asked, got, is_explained in (
                ("qt6", "own F0,C3802A2A", "FFFD|FFFD,2A,2A", True), ("qt6", "own F0,C3802A2A", "FFFD,2A,2A", False), ("qt6", "own F0,41", "FFFD", True),
                ("qt6", "own F041,42", "FFFD,41|42", True), ("qt6", "own F041,42", "FFFD,42", False), ("qt6", "own EF,BB,BF41", "41", True), ("qt6", "own 41,E282", "41", True),
                ("qt5", "own F0,C3802A2A", "FFFD,C0,2A,2A", True), ("qt5", "own F0,41", "FFFD", False), ("qt5", "own E2,-,82AC", "FFFD,FFFD,FFFD", True), ("qt6", "own E2,-,82AC", "20AC", True),
                ("qt5", "own FF,EFBBBF", "FFFD", True), ("qt6", "own FF,EFBBBF", "FFFD,FEFF", True), ("qt5", "own E282,41", "FFFD,41", True),
                ("libvterm", "own E0A0,41", "41", True), ("libvterm", "own E0A0,41", "FFFD,41", False), ("libvterm", "own E0A0,41,80", "41,800", True), ("libvterm", "own E0A041", "FFFD,41", True),
                ("libvterm", "own 41E2,82AC", "41|FFFD,FFFD", True), ("libvterm", "own 41E2,82AC", "41|20AC", False), ("libvterm", "own 41E2,82,41", "41|FFFD|FFFD,41", True),
                ("perl", "own C0,E89AA7", "FFFD,86A7", True), ("perl", "own EDA0,80", "FFFD,FFFD", True), ("perl", "own C0E89AA7,41", "FFFD,41", True), ("perl", "own C0E89AA7,41", "FFFD,86A7,41", False),
                ("perl_encode_lax", "own F8,80,80,80,80", "FFFD,FFFD,FFFD,FFFD", True), ("perl_encode_lax", "own F8,88,80,80,80", "200000", True), ("perl_encode_lax", "own F8,80,80", "FFFD,FFFD,FFFD", False),
                ("perl_perlio", "own 41,E2", "41", True), ("perl_perlio", "own F0,41", "5C,78,46,30,41", True),
                ("tcl", "own F09F98,80", "F0,9F,98,80", True), ("tcl", "own F09F,9880", "1F600", True), ("tcl", "own F09F,9880", "F0,9F,98,80", False),
                ("tcl", "own F09F98,8041", "D83D,9F,98,80,41", True), ("tcl", "own F09F98,8041", "D83E,9F,98,80,41", False),
                ("pike", "strict 41,E2", "41", True), ("pike", "strict 41,FF", "41", False), ("pike", "strict 41,E2", "41,FFFD", False)):
            row = failure(f"decode utf-8 {asked}", f"ok {got}", "pieces" if "," in asked else "decode", asked.split()[0])
            self.assertEqual(len(explained(name, [row])[1]), 0 if is_explained else 1, (name, asked, got))
        for got, is_explained in (("ok FFFD;41", True), ("ok FFFD;FEFF,41", False)):
            row = failure("reuse utf-8 own F0,41;EFBBBF,41", got, "reuse")
            self.assertEqual(len(explained("qt6", [row])[1]), 0 if is_explained else 1, got)
        row = failure("decode utf-8 strict " + "41" * 40 + "," + "41" * 33 + "F6B6A9BE", "ok " + ",".join(["41"] * 73), "pieces", "strict")
        self.assertEqual([len(explained("xerces", [one])[1]) for one in (row, {**row, "asked": row["asked"].replace("41" * 33, "41" * 32)})], [0, 1])

    def test_what_decoders_of_utf_16_make_of_pairs_and_signatures(self) -> None:
        """As Emacs and Pike answered; the answer next to it is not explained."""
        for name, asked, got, is_explained in (
                ("emacs", "utf-16be own D83D004100420043", "D8,3D,41,D8,3D,42,D8,3D,43", True), ("emacs", "utf-16be own D83D00410042", "D8,3D,41,42", False),
                ("emacs", "utf-16le own 3DD8410000DE4200", "3D,D8,41,1F600,42", True), ("emacs", "utf-16le own 41003DD8", "41", True), ("emacs", "utf-16le own 00DE41", "DE00,41", True),
                ("emacs", "utf-16be own 0041D8", "41,DCD8", True), ("emacs", "utf-16be own D83DD83DDE00", "D8,3D,1F600", True),
                ("poco", "utf-16be own D800FFFF0041", "103FF,41", True), ("poco", "utf-16be own D8000041DC00", "FFFD,DC00", True), ("poco", "utf-16be own D80000410042", "FFFD,41,42", False),
                ("pike", "utf-16be strict FFFE4100D83D", "41,3DD8", True), ("pike", "utf-16be strict FEFFFEFF", "FEFF", True), ("pike", "utf-16be strict DE00D83D", "DE00,D83E", False),
                ("pike", "utf-16be strict D83D,DE00", "D83D|DE00", True), ("pike", "utf-16be strict 0041,FEFF0042", "41|42", True), ("pike", "utf-16be strict 0041,FEFF0042", "41|FEFF,43", False),
                ("pike", "utf-16be strict FFFE4100,0041", "41|41", True), ("pike", "utf-16le strict 41,00D8,-", "-|41|-", True)):
            row = failure(f"decode {asked}", f"ok {got}", "pieces" if "," in asked else "decode", asked.split()[1])
            self.assertEqual(len(explained(name, [row])[1]), 0 if is_explained else 1, (name, asked, got))
        row = failure("reuse utf-16be strict 00,-;FEFF0041,-", "ok -|-;41|-", "reuse", "strict")
        self.assertEqual([len(explained("pike", [one])[1]) for one in (row, {**row, "got": "ok -|-;42|-"})], [0, 1])

    def test_where_jq_loses_u_0000(self) -> None:
        """As printf ... | jq -Rsj . does: at the end of a last line that has other characters."""
        for data, text in (("4100", [0x41]), ("410000", [0x41]), ("410042", [0x41, 0, 0x42]), ("0000", [0]), ("410A0000", [0x41, 0xA, 0]), ("", [])):
            self.assertEqual(jq_without_nul(bytes.fromhex(data))[0], text, data)

    def test_mechanisms_without_deviation_are_policies(self) -> None:
        """For every case of the vectors: text, and the offset of the first error."""
        policies = {"whatwg": Utf8(cut=maximal), "per-byte": Utf8(), "per-run": Utf8(by_run=True), "skip": Utf8(put=dropped), "surrogateescape": Utf8(put=escaped),
                    "per-sequence": Utf8(cut=Sequence(first=0xC0, last=0xFD))}
        tests = cases("utf-8")
        self.assertGreater(len(tests), 7000)
        for test in tests:
            for policy, mechanism in policies.items():
                text, first = mechanism(bytes.fromhex(test["bytes"].replace("-", "")))
                self.assertEqual(spelled(text) or "-", test["outputs"][policy], (test["id"], policy))
                self.assertEqual(first, test["spans"][0]["offset"] if test["spans"] else None, test["id"])
        for encoding in ("utf-16le", "utf-16be"):
            for test in cases(encoding):
                text, first = Utf16(big=encoding == "utf-16be", odd_alone=False)(bytes.fromhex(test["bytes"].replace("-", "")))
                self.assertEqual(spelled(text) or "-", test["outputs"]["whatwg"], test["id"])
                self.assertEqual(first, test["spans"][0]["offset"] if test["spans"] else None, test["id"])

    def test_well_formed_text_is_left_alone(self) -> None:
        """Also by the mechanisms of single subjects."""
        for text in ("", "A\u00e9\u20ac\U0001f600", "\ud7ff\ue000\U0010ffff"):
            for mechanism in (sqlite_utf8, tcl, Utf8(refused=NONCHARACTERS - {0x10FFFF})):
                self.assertEqual(mechanism(text.encode()), ([ord(char) for char in text], None), mechanism)

    def test_what_single_decoders_take(self) -> None:
        """ujson looks at bit 7 of the bytes after a lead; Ruby's UTF-16, whether the last byte can begin a trail surrogate; Xerces drops a lead
        from F5 on after 33 units, counted anew after each such lead; GNAT removes two signatures of UTF-16."""
        for text, result in ((b"\xE2\x41\x42", ([], 0)), (b"\xE2\xC3\x82", ([0x20C2], None)), (b"A\x80", ([0x41, 0x80], None))):
            self.assertEqual(unchecked(text), result, text)
        for count, high, first in ((32, b"\xF6\xB6\xA9\xBE", 32), (33, b"\xF6\xB6\xA9\xBE", None), (33, b"\xF6\xB6\xA9\xBE" * 2, 37), (33, b"\xF6\xB6\xA9A", 33),
                                   (33, b"\xF4\x90\x80\x80", 33), (545, b"\xF6\xB6\xA9\xBE", None)):
            self.assertEqual(Utf8(lost_after=32)(b"A" * count + high)[1], first, (count, high))
        for text, result in ((b"\xFE\xFF\xFE\xFF\xFE\xFF", ([0xFEFF], None)), (b"\0A\xFE\xFF", ([0x41, 0xFEFF], None)), (b"\xEF\xBB\xBF\0", ([], 0))):
            self.assertEqual(Utf16(big=True, signatures=2)(text), result, text)
        for is_big, text, count in ((True, b"\xD8\0\x41", 2), (True, b"\xD8\0\xDC", 1), (False, b"\0\xD8\x41", 1), (True, b"\0A\x41", 2)):
            self.assertEqual(len(Utf16(big=is_big, odd_unlike=True)(text)[0]), count, text)

    def test_only_the_answer_of_the_mechanism_is_explained(self) -> None:
        """Another text, verdict, offset, encoding or outcome is not explained; of a reply that the report cut, the beginning counts."""
        takes = gives(Utf8(overlong=frozenset([2])))
        for row, is_explained in ((failure("decode utf-8 own C0AF", "ok 2F"), True), (failure("decode utf-8 own C0AF", "ok 2E"), False),
                                  (failure("decode utf-8 own C0,AF", "ok -|2F", "pieces"), True), (failure("decode utf-8 own C0AF", "error 0"), False),
                                  (failure("validate utf-8 C0AF", "ok", "validate", "-"), True), (failure("validate utf-8 C0AF", "error 0", "validate", "-"), False),
                                  (failure("validate utf-8 41E0", "error 1", "validate", "-"), True), (failure("validate utf-8 41E0", "error 0", "validate", "-"), False),
                                  (failure("decode cesu-8 own C0AF", "ok 2F"), False), (failure("decode utf-8 own " + "C0AF" * 400, ("ok " + "2F," * 400)[:GOT_MAX]), True)):
            self.assertEqual(takes(row), is_explained, row)
        glib = failure("decode utf-8 strict EDA080", "ok D800", policy="strict")
        self.assertEqual([len(explained("glib", [row])[1]) for row in (glib, {**glib, "asked": "validate utf-8 EDA080", "request": "validate", "policy": "-", "got": "ok"})], [0, 1])
        counts, left = explained("libbson", [failure("validate utf-8 C080", "ok", "validate", "-"), failure("validate utf-8 C080", "", "validate", "-", "crashed"),
                                             failure("validate utf-8 EDA080", "ok", "validate", "-")])
        self.assertEqual((counts, [row["asked"] + row["outcome"] for row in left]), ({0: 1}, ["validate utf-8 C080crashed", "validate utf-8 EDA080answered"]))


if __name__ == "__main__":
    unittest.main()
