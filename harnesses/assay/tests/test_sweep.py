# SPDX-License-Identifier: MIT
"""Each part of the enumeration finds the fault that it exists for, in a loadable codec that is right otherwise."""

from __future__ import annotations

import json
import os
import re
import signal
import shlex
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Dict, NamedTuple

from .driver import ASSAY, COMPILER, ROOT, in_ordinary_build, loadable
from witness.automaton import ACCEPT, REJECT
from witness.digests import MASK, SAME_V, STRICT, STRING_FACTOR, VERDICT, WHATWG, Affine, Digest, after
from witness.rows import UTF_8


class Fault(NamedTuple):
    """A fault of codecs/faulty_part.c: the operations that the codec offers, the part's stride, and the key; an empty key if the part has
    no question to show."""

    part: str
    offered: str
    stride: int
    key: str
    shard: str = "1/1"


FAULTS = (
    Fault("strings", ".validate = accepts_three_alone", 64, "utf8-validate-planted-verdict"),
    Fault("strings", ".validate = accepts_ff_before_twelve", 7, "utf8-validate-planted-verdict"),
    Fault("joined", ".decode_utf32 = decodes_three_in_text", 64, "utf8-decode-utf32-planted-"),
    Fault("strings-of-4", ".validate = accepts_four_alone", 1, "utf8-validate-planted-verdict", "15653/16384"),
    Fault("strings-of-4-full", ".decode_utf32 = drops_last_of_four", 1021, "utf8-decode-utf32-planted-", "9/16384"),
    Fault("scalars", ".encode_utf32 = refuses_2f811", 1, "utf8-encode-utf32-planted-verdict"),
    Fault("scalars", ".decode_utf16 = mistakes_263a_after_error", 2, "utf8-decode-utf16-planted-output"),
    Fault("pairs", ".validate = accepts_c1_at_100", 7, "utf8-validate-planted-verdict"),
    Fault("pairs", ".decode_utf16 = accepts_in_last_block", 7, "utf8-decode-utf16-planted-"),
    Fault("pairs", ".decode_utf16 = decodes_in_a_circle", 1, "utf8-decode-utf16-planted-written"),
    Fault("pairs", ".concat = joins_without_last_lead", 7, "utf8-concat-planted-verdict"),
    Fault("amid-others", ".encode_utf32 = accepts_110000", 3, "utf8-encode-utf32-planted-"),
    Fault("pairs", ".concat = joins_cut_character", 3, "utf8-concat-planted-verdict"),
    Fault("pairs", ".boundary = looks_back_by_two", 7, "utf8-boundary-planted-output"),
    Fault("pieces", ".feed_utf32 = loses_byte_at_41", 1, "utf8-feed-utf32-planted-"),
    Fault("pieces", ".feed_utf16 = forgets_after_two_empty", 49, "utf8-feed-utf16-planted-"),
    Fault("pieces", ".validate = remembers_text_before", 49, ""),
    Fault("rooms", ".spans = counts_to_capacity", 29, "utf8-spans-planted-written"),
    Fault("rooms", ".decode_utf16 = looks_beyond_last_block", 7, "utf8-decode-utf16-planted-segv"),
    Fault("far", ".validate = validates_in_16_bits", 7, "utf8-validate-planted-offset"),
    Fault("far", ".feed_utf32 = feeds_in_16_bits", 999, ""),
    Fault("far", ".validate = accepts_c2_before_stride", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_c2_after_batch", 5, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = leaves_out_a_byte", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_c2_within_batch", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_strays_in_long_text", 7, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_block_at_long_end", 5, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = writes_two_errors", 7, "utf8-validate-planted-bounds"),
    Fault("far", ".validate = looks_before_text", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = looks_after_text", 1, ""),
    Fault("far", ".validate = accepts_same_in_each_block", 5, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_c2_amid_nuls", 5, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_c2_in_first_half", 5, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = reads_on_in_ascii", 1, "utf8-validate-planted-segv"),
    Fault("far", ".validate = splits_error_at_chunk", 5, "utf8-validate-planted-length"),
    Fault("far", ".validate = refuses_fours_in_tail", 7, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_block_of_errors", 3, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_solid_block", 5, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_82_after_b", 5, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_c0_at_each_place", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_solid_end", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_fifth_amid_ascii", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_fifth_amid_nuls", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = reads_on_after_fours", 1, "utf8-validate-planted-segv"),
    Fault("far", ".validate = reads_on_after_last_stride", 1, "utf8-validate-planted-segv"),
    Fault("far", ".validate = accepts_solid_third", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_solid_register", 7, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_c2_after_other_half", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = refuses_df_bf_without_error", 1, "utf8-validate-planted-no-error"),
    Fault("far", ".validate = accepts_80_after_nuls", 7, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_two_cut_fours", 3, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_cut_fours_at_end", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = loses_first_of_33", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_c0_amid_pairs", 7, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_leads_in_a_row", 7, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_leads_in_each_part", 7, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = refuses_much_other_than_ascii", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = refuses_fours_before_last_stride", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_after_much_ascii", 7, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_cut_fours_after_limit", 7, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_in_far_fours", 7, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_in_second_line", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_cut_fours_in_a_row", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_cut_four_amid_even", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_alternating", 1, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = takes_fourth_one_later", 7, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = accepts_begin_of_much", 3, "utf8-validate-planted-"),
    Fault("far", ".validate = accepts_after_much_prose", 5, "utf8-validate-planted-verdict"),
    Fault("far", ".validate = refuses_without_error", 1, "utf8-validate-planted-no-error"),
    Fault("far", ".decode_utf16 = absorbs_after_space", 7, "utf8-decode-utf16-planted-written"),
    Fault("far", ".decode_utf16 = loses_character_amid_errors", 7, "utf8-decode-utf16-planted-written"),
    Fault("far", ".decode_utf16 = loses_character_after_clean", 7, "utf8-decode-utf16-planted-written"),
    Fault("far", ".decode_utf16 = absorbs_c1_amid_twos", 1, "utf8-decode-utf16-planted-written"),
    Fault("past-caches", ".decode_utf16 = loses_lead_past_caches", 1, "utf8-decode-utf16-planted-written"),
    Fault("past-caches", ".decode_utf16 = forgets_error_past_caches", 2, "utf8-decode-utf16-planted-"),
    Fault("past-caches", ".decode_utf16 = reads_after_last_piece", 1, "utf8-decode-utf16-planted-segv"),
    Fault("stretches", ".decode_utf16 = goes_on_after_last_block", 1, "utf8-decode-utf16-planted-written"),
    Fault("stretches", ".decode_utf16 = loses_stray_after_block", 1, "utf8-decode-utf16-planted-written"),
    Fault("stretches", ".decode_utf16 = loses_cut_four_at_edge", 1, "utf8-decode-utf16-planted-written"),
    Fault("stretches", ".decode_utf16 = loses_stray_after_lone_two", 1, "utf8-decode-utf16-planted-written"),
    Fault("stretches", ".decode_utf16 = loses_same_in_lanes", 1, "utf8-decode-utf16-planted-written"),
    Fault("stretches", ".decode_utf16 = loses_cut_four_in_63", 97, "utf8-decode-utf16-planted-written"),
    Fault("amid-others", ".encode_utf16 = loses_lead_with_room_60", 1, "utf8-encode-utf16-planted-"),
    Fault("places", ".concat = joins_strays_after_letter", 3, "utf8-concat-planted-verdict"),
    Fault("places", ".decode_utf32 = repeats_ascii", 7, "utf8-decode-utf32-planted-output"),
    Fault("places", ".decode_utf16 = loses_table_by_place", 1, "utf8-decode-utf16-planted-written"),
    Fault("places", ".decode_utf16 = reads_less_after_ef", 1, "utf8-decode-utf16-planted-read"),
    Fault("places", ".decode_utf16 = loses_lead_after_begun", 1, "utf8-decode-utf16-planted-written"),
    Fault("places", ".decode_utf16 = loses_stray_twelve_later", 1, "utf8-decode-utf16-planted-written"),
    Fault("places", ".decode_utf16 = loses_ff_amid_twos", 1, "utf8-decode-utf16-planted-written"),
    Fault("places", ".decode_utf16 = takes_80s_amid_twos", 1, "utf8-decode-utf16-planted-written"),
    Fault("places", ".decode_utf16 = loses_f0_80_in_20", 1, "utf8-decode-utf16-planted-written"),
    Fault("places", ".decode_utf16 = repeats_ascii_after_twos", 7, "utf8-decode-utf16-planted-output"),
    Fault("pairs", ".decode_utf16 = writes_to_input", 7, "utf8-decode-utf16-planted-bounds"),
    Fault("pieces", ".feed_utf16 = feeds_and_writes", 49, "utf8-feed-utf16-planted-bounds"),
    Fault("rooms", ".concat = concatenates_and_writes", 29, "utf8-concat-planted-bounds"),
    Fault("mixtures", ".decode_utf16 = reads_on_with_room", 1, "utf8-decode-utf16-planted-segv"),
    Fault("mixtures", ".decode_utf16 = loses_after_four_lengths", 1, "utf8-decode-utf16-planted-written"),
    Fault("amid-others", ".encode_utf16 = refuses_e9_at_15", 1, "utf8-encode-utf16-planted-verdict"),
    Fault("units", ".encode_utf16 = refuses_pair_after_lead", 1, "utf8-encode-utf16-planted-verdict"),
    Fault("edge-pairs", ".encode_utf16 = refuses_pair_at_edge, .decode_utf16 = decodes", 1, ""),
    Fault("unit-pairs", ".encode_utf16 = refuses_other_pair, .decode_utf16 = decodes", 65536, ""),
)
# No single question shows these faults, or it is too long for a command line: the command to repeat names the part.
TOO_LONG = (".encode_utf32 = refuses_2f811", ".validate = remembers_text_before", ".decode_utf16 = mistakes_263a_after_error", ".feed_utf32 = feeds_in_16_bits", ".encode_utf16 = refuses_pair_at_edge", ".encode_utf16 = refuses_other_pair", ".validate = reads_on_in_ascii", ".validate = looks_after_text", ".decode_utf16 = loses_lead_past_caches")
# The question has room for less than the whole output, so the command to repeat names the operation.
LITTLE_ROOM = ("amid-others", "pieces", "rooms", "stretches", "places", "past-caches")
NOT_RUN = {"streams"}  # 4 GiB for each codec: feeds_in_32_bits is for manual runs


@unittest.skipIf(COMPILER is None, "there is no C compiler")
@unittest.skipIf(re.search(b"__[am]san_init", Path(ASSAY).read_bytes()), "what is enumerated is the same under a sanitizer")
class PartsTest(unittest.TestCase):
    """Without SIMD codecs, so that it takes less time."""

    def run_assay(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs a command of the program."""
        return subprocess.run([ASSAY, *words], capture_output=True, text=True, check=False,
                              env={**os.environ, "ASSAY_WITHOUT": "sse41,avx2,avx512,neon"})

    def sweep(self, fault: Fault, folder: Path) -> subprocess.CompletedProcess[str]:
        """Runs a part with the codec that has a fault."""
        macros: Dict[str, str] = {"WTF_8": ""} if fault.part in ("edge-pairs", "unit-pairs") else {}
        beginning = ("--from", "D8A5") if fault.part == "unit-pairs" else ()
        shard = ("--shard", fault.shard) if fault.shard != "1/1" else ()
        library = loadable(folder, "faulty_part", method="swar", OFFERED=fault.offered, **macros)
        operation = fault.offered.split()[0][1:].replace("_", "-")
        alone = ("--only", "planted", "--against", "swar", "--operation", operation) if not macros else ()
        return self.run_assay("sweep", "--fail-fast", "--stride", str(fault.stride), *beginning, *shard, *alone, "--codec", library, fault.part)

    @in_ordinary_build
    def test_each_part_finds_its_fault(self) -> None:
        """The report names the codec, what differs, and a command that shows it again; commands that are quick are run."""
        for fault in FAULTS:
            with tempfile.TemporaryDirectory() as folder:
                done = self.sweep(fault, Path(folder))
                self.assertEqual(done.returncode, 1, (fault, done.stdout, done.stderr))
                self.assertRegex(done.stdout, " of the sort " + (re.escape(fault.key) or "(utf-8|wtf-8)/planted "), fault)
                self.assertEqual(set(re.findall(r"(?m)^(?:utf-8|wtf-8)/(\w+) ", done.stderr)), {"planted"}, fault)
                again = re.findall(r"(?m)^  again +(\S.*)$", done.stderr)
                self.assertTrue(again, fault)
                for command in again:
                    without, program, name, *words = shlex.split(command)
                    self.assertEqual((without.split("=")[0], program), ("ASSAY_WITHOUT", ASSAY))
                    self.assertEqual(name == "diff", not fault.offered.startswith(TOO_LONG), (fault, command))
                    if name == "diff" or "--from" in words:
                        shown = self.run_assay(name, *words)
                        self.assertEqual((shown.returncode, fault.key in shown.stdout), (1, True), (fault, command, shown.stdout))
                self.assertEqual("--operation" in again[0], (fault.part in LITTLE_ROOM and not fault.offered.startswith(TOO_LONG)) or re.search("--(shifts|cuts)", again[0]) is not None, again)
                self.assertEqual("--from D8A5" in again[0], fault.part == "unit-pairs", again)

    def test_an_interrupted_enumeration_says_how_to_continue(self) -> None:
        """The command for the rest, with the options; the test interrupts as soon as the program handles it."""
        program = [ASSAY, "sweep", "--stride", "3", "--from", "10", "unit-pairs"]
        with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            while "SigCgt" not in (status := Path(f"/proc/{process.pid}/status").read_text()) or \
                    not int(re.findall(r"SigCgt:\s*(\w+)", status)[0], 16) & 1 << signal.SIGINT - 1:
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=300)[1]
        self.assertEqual(process.returncode, 130, said)
        self.assertRegex(said, r"interrupted; the rest: \S+ sweep -e wtf-8 --from [0-9A-F]+ --stride 3 unit-pairs\n$")

    def test_diff_asks_for_errors_with_little_room(self) -> None:
        """Errors without room are counted, too."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "faulty_part", method="swar", OFFERED=".spans = counts_to_capacity")
            done = self.run_assay("diff", "--codec", library, "41FF")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("  asked         spans, room for 0", done.stdout)

    def test_texts_and_output_are_at_addresses_that_no_length_gives(self) -> None:
        """Each command finds what depends on them, and says how to see it again."""
        for offered, key in ((".validate = accepts_by_address", "utf8-validate-planted-verdict"), (".decode_utf32 = decodes_by_address", "utf8-decode-utf32-planted-output")):
            with tempfile.TemporaryDirectory() as folder:
                library = loadable(Path(folder), "faulty_part", method="swar", OFFERED=offered)
                for words in (("sweep", "--fail-fast", "--only", "planted", "rooms"), ("sweep", "--fail-fast", "--only", "planted", "mixtures"),
                              ("check", "--fail-fast", "-c", "planted", "utf-8/blocks"), ("diff", "7A7A7AFF")):
                    if offered.startswith(".validate") and words[-1] in ("rooms", "mixtures"):
                        words = (*words[:-1], "pairs")
                    found = self.run_assay(*words[:1], "--codec", library, *words[1:])
                    self.assertEqual(found.returncode, 1, (offered, words, found))
                    self.assertIn(", addresses modulo 64: input ", found.stdout + found.stderr)
                    without, program, *again = shlex.split(re.findall(r"(?m)^  again +(\S.*)$", found.stdout + found.stderr)[0])
                    self.assertEqual((without.split("=")[0], program), ("ASSAY_WITHOUT", ASSAY))
                    shown = self.run_assay(*again)
                    self.assertEqual((shown.returncode, key in shown.stdout or words[0] == "check"), (1, True), (again, shown))

    def test_asks_only_what_is_offered(self) -> None:
        """A codec that does not validate, and makes no mistake, passes `far`."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "faulty_part", method="swar", OFFERED=".decode_utf16 = decodes")
            done = self.run_assay("sweep", "--only", "planted", "--stride", "101", "--codec", library, "far")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_help_says_how_long_parts_take(self) -> None:
        """Those that take minutes are named, and are parts."""
        said = re.findall(r"How long, [^:]*: (.*?) --stride", " ".join(self.run_assay("sweep", "--help").stdout.split()))
        self.assertEqual(len(said), 1)
        for part in ("far", "stretches", "places", "strings-of-4"):
            self.assertIn(f"{part} ", said[0])

    def test_a_part_with_nothing_to_ask_ends_at_once(self) -> None:
        """A codec that only validates: the parts that ask no verdict say so, and have no inputs; alone, they are an error."""
        parts = ("joined", "rooms", "past-caches", "stretches", "places", "mixtures", "amid-others", "units")
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "faulty_part", method="swar", OFFERED=".validate = accepts_three_alone")
            words = ("sweep", "--only", "planted", "--codec", library)
            rows = json.loads(self.run_assay(*words, "--json", "--stride", "1009", *parts, "pairs").stdout)
            self.assertEqual({row["part"] for row in rows if row.get("nothing_to_ask")}, set(parts))
            self.assertEqual([(row["part"], row["inputs"] > 0, row["asked"] > 0) for row in rows if not row.get("nothing_to_ask")], [("pairs", True, True)])
            self.assertEqual({(row["inputs"], row["asked"], row["skipped"], row["diverged"], str(row["sorts"])) for row in rows if row.get("nothing_to_ask")}, {(0, 0, 0, 0, "{}")})
            done = self.run_assay(*words, "joined", "units")
            self.assertEqual(done.stdout.splitlines(), [f"{'utf-8':17} {part:10} nothing to ask: --only and --operation leave none of its operations" for part in ("joined", "units")])
            self.assertEqual(done.returncode, 2)
            self.assertIn("nothing was compared: these parts ask nothing that --only and --operation leave\n", done.stderr)
            done = self.run_assay("sweep", "--operation", "concat", "--stride", "1009", "units", "rooms")
            self.assertRegex(done.stdout, r"\Autf-8 +rooms .* [1-9]\d* answers compared.*\nutf-8 +units +nothing to ask: .*\n\Z")

    def test_a_loaded_codec_may_refuse_inputs(self) -> None:
        """Whatever it is compared with."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "faulty_part", method="swar", OFFERED=".decode_utf16 = refuses_ill_formed")
            for words in (("mixtures",), ("--only", "planted", "mixtures"), ("--against", "swar", "mixtures"), ("--stride", "65537", "strings-of-4")):
                done = self.run_assay("sweep", "--codec", library, "--operation", "decode-utf16", *words)
                self.assertEqual((done.returncode, " 0 divergences" in done.stdout), (0, True), (words, done.stdout, done.stderr))

    def test_the_codec_to_compare_with_has_what_parts_ask_it(self) -> None:
        """Else it is refused, before it is asked."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "faulty_part", method="swar", OFFERED=".decode_utf16 = decodes")
            done = self.run_assay("sweep", "--codec", library, "--against", "planted", "past-caches")
        self.assertEqual((done.returncode, "--against: planted has no validate" in done.stderr), (2, True), done.stderr)

    def test_a_codec_that_never_answers_diverges(self) -> None:
        """Though nothing is compared then."""
        with tempfile.TemporaryDirectory() as folder:
            library = loadable(Path(folder), "faulty_part", method="swar", OFFERED=".decode_utf16 = never_answers")
            done = self.run_assay("sweep", "--only", "planted", "--operation", "decode-utf16", "--codec", library, "mixtures")
        self.assertEqual((done.returncode, "planted gives no answer" in done.stderr), (1, True), done.stdout + done.stderr)

    def test_texts_are_cut_where_codecs_cut_them(self) -> None:
        """The sizes in past_caches.c are those of the codecs."""
        asks = (ROOT / "harnesses/assay/sweep/past_caches.c").read_text()
        cuts = (ROOT / "codecs/simd/bytes/decode_past_caches.h").read_text()
        for name, other in (("PIECE", r"PIECE_BYTES = (\d+)"), ("PLAIN_PIECE", r"PLAIN_PIECE_BYTES \((1 << \d+)\)"), ("LEAST", r"PAST_CACHES_FROM \(\(size_t\)(32 << 20)\)")):
            self.assertEqual(re.findall(rf"\b{name} = ([\d <]+\d)", asks), re.findall(other, cuts), name)

    def test_every_part_has_a_fault(self) -> None:
        """All parts of parts.def."""
        named = re.findall(r'(?m)^(?:MINUTES_|HOURS_|LONG_)?PART\(\w+, *"([^"]+)"', (ROOT / "harnesses/assay/sweep/parts.def").read_text())
        self.assertEqual({fault.part for fault in FAULTS} | NOT_RUN, set(named))


def of_prefix(digest: Digest, prefix: bytes, remaining: int) -> int:
    """The digest of all strings that begin with a prefix."""
    def below(state: int, rest: bytes) -> Affine:
        if state == REJECT or not rest:
            return digest.sums(state, remaining)
        following, v, c = digest.step(state, rest[0], SAME_V)
        return after(below(following, rest[1:]), v, c)

    a, _, d = below(ACCEPT, prefix)
    return (a + d) & MASK


class ChunksTest(unittest.TestCase):
    """Some chunks of all strings of 4 bytes: shards, checkpoints, digests."""

    SHARD = "1933/2048"  # 8 chunks, which begin with F1 80..9F

    def setUp(self) -> None:
        """Creates a folder for checkpoints."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "checkpoint"

    def run_chunks(self, *words: str, code: int = 0) -> Dict[str, Any]:
        """Returns the report."""
        done = subprocess.run([ASSAY, "sweep", "--json", *words], capture_output=True, text=True, check=False,
                              env={**os.environ, "ASSAY_WITHOUT": "sse41,avx2,avx512,neon"})
        self.assertEqual(done.returncode, code, done.stderr)
        report = json.loads(done.stdout)
        return report if "--merge" in words else report[0]

    def refused(self, *words: str) -> str:
        """The reason why the command refuses to run."""
        done = subprocess.run([ASSAY, "sweep", *words], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""), words)
        return done.stderr

    def test_digests_are_those_of_the_definition(self) -> None:
        """Two chunks, F1 80..83 and 40 40..43 with two more bytes, as the Python witness computes them from the rows."""
        for lead, second in ((0xF1, 0x80), (0x40, 0x40)):
            digests = self.run_chunks("strings-of-4", "--shard", f"{(lead << 6) + (second >> 2) + 1}/16384")["digests"]
            for kind, name in ((VERDICT, "verdict"), (STRICT, "strict"), (WHATWG, "whatwg")):
                parts = (of_prefix(Digest(UTF_8, kind), bytes((lead, second + number)), 2) for number in range(4))
                expected = 0
                for part in parts:
                    expected = (expected * pow(STRING_FACTOR, 1 << 16, 1 << 64) + part) & MASK
                self.assertEqual(digests[name], f"{expected:016X}", name)
            self.assertEqual(digests["strings"], 1 << 18)

    def test_digests_do_not_depend_on_shards_or_interruptions(self) -> None:
        """Eight shards merged give the same as one run, as does a run that is killed and continued."""
        whole = self.run_chunks("strings-of-4", "--shard", self.SHARD)["digests"]
        files = [str(self.file) + str(number) for number in range(8)]
        for number, file in enumerate(files):
            self.run_chunks("strings-of-4", "--jobs", "1", "--shard", f"{8 * 1932 + number + 1}/16384", "--checkpoint", file)
        self.assertEqual(self.run_chunks("--merge", "--shard", self.SHARD, *files), whole)
        self.assertIn("chunks are in no file", self.refused("--merge", "--shard", self.SHARD, *files[1:]))
        self.assertIn("there before", self.refused("--merge", "--shard", self.SHARD, files[1], *files))

    def test_a_killed_run_continues(self) -> None:
        """Killed at any moment; finished chunks are not repeated."""
        words = ["strings-of-4", "--shard", self.SHARD, "--checkpoint", str(self.file), "--jobs", "1"]
        with subprocess.Popen([ASSAY, "sweep", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and not (self.file.exists() and b"\nchunk " in self.file.read_bytes()):
                time.sleep(0.01)
            process.kill()
        resumed = self.run_chunks(*words)
        self.assertLess(resumed["inputs"], 8 << 18)
        self.assertEqual(resumed["digests"], self.run_chunks("strings-of-4", "--shard", self.SHARD)["digests"])
        self.assertEqual(self.run_chunks(*words)["inputs"], 0)

    def test_a_damaged_checkpoint_is_refused(self) -> None:
        """Any changed byte, a truncated file, another shard, another file."""
        words = ("strings-of-4", "--shard", "15617/16384", "--checkpoint", str(self.file))
        self.run_chunks(*words)
        content = self.file.read_bytes()
        for place in range(0, len(content), 7):
            self.file.write_bytes(content[:place] + bytes((content[place] ^ 1,)) + content[place + 1:])
            self.assertIn("remove it to begin again", self.refused(*words), place)
        for other in (content[:-1], content[:40], b"", content + content, content.replace(b"\n", b"\0", 1)):
            self.file.write_bytes(other)
            self.assertIn("remove it to begin again", self.refused(*words))
        self.file.write_bytes(content)
        self.assertIn("another shard", self.refused(*words[:2], "15618/16384", *words[3:]))

    def test_refuses_options_that_do_not_fit(self) -> None:
        """Exit code 2, with the reason."""
        for words, reason in ((("--shard", "1/2"), "name that part"), (("strings", "--checkpoint", str(self.file)), "name that part"),
                              (("strings-of-4", "--shard", "3/2"), "I from 1 to N"), (("strings-of-4", "--shard", "0/2"), "I from 1 to N"),
                              (("strings-of-4", "--shard", "1/2x"), "I from 1 to N"), (("strings-of-4", "--shard", "1/99999"), "I from 1 to N"),
                              (("strings-of-4", "--checkpoint", str(self.file), "--stride", "2"), "leave out"), (("--merge",), "FILE"),
                              (("--merge", str(self.file)), "no such file"), (("--merge", "--encoding", "wtf-8", str(self.file)), "--encoding: --merge joins"),
                              (("--merge", "--stride", "7", str(self.file)), "--stride: --merge joins"), (("--merge", "--only", "nobody", str(self.file)), "--only: --merge joins")):
            self.assertIn(reason, self.refused(*words), words)

    def test_a_checkpoint_that_cannot_be_written(self) -> None:
        """Is refused before anything is enumerated: a file in no folder, a folder, a pipe."""
        pipe = Path(str(self.file) + ".pipe")
        os.mkfifo(pipe)
        for path, reason in ((self.file.parent / "none" / "file", "none/file: No such file"), (self.file.parent, "not a regular file"), (pipe, "not a regular file")):
            self.assertIn(reason, self.refused("strings-of-4", "--shard", "1/16384", "--checkpoint", str(path)), path)


if __name__ == "__main__":
    unittest.main()
