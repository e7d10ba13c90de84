# SPDX-License-Identifier: MIT
"""Letters: that they show the bytes that matter, say what was asked, and how to see it again."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, List

from .driver import ASSAY, ROOT

CANARY = os.environ.get("ASSAY_CANARY", str(ROOT / "build" / "assay-canary"))
COMPILER = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
BUILD = Path(ASSAY).parent

Done = subprocess.CompletedProcess[str]

# The reference, but for what one operation makes of an exclamation mark.
CODEC = """
#include "codec.h"
#include <string.h>
extern const struct assay_codec codec_utf8_reference;
#define THE codec_utf8_reference
static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    (void)error;
    return THE.validate(bytes, count, NULL);
}
static struct assay_result decode_utf16(enum assay_policy policy, const uint8_t *bytes, size_t count, uint16_t *out, size_t capacity)
{
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    for (size_t i = 0; i < result.written; i++)
        if (out[i] == '!')
            SPOIL;
    return result;
}
static struct assay_result encode_utf16(enum assay_policy policy, const uint16_t *units, size_t count, uint8_t *out, size_t capacity)
{
    struct assay_result result = THE.encode_utf16(policy, units, count, out, capacity);
    for (size_t i = 0; i < result.written; i++)
        if (out[i] == '!')
            SPOIL;
    return result;
}
static struct assay_count count(enum assay_policy policy, const uint8_t *bytes, size_t count)
{
    struct assay_count result = THE.count(policy, bytes, count);
    result.utf16_units += memchr(bytes, '!', count) != NULL;
    return result;
}
__attribute__((visibility("default"))) extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "spoilt"), .OPERATION = OPERATION};
"""


def build(folder: Path, source: str, *options: str) -> str:
    """A loadable codec that has the reference at hand."""
    path, library = folder / "codec.c", folder / "codec.so"
    path.write_text(source)
    subprocess.run([str(COMPILER), "-std=c11", "-shared", "-fPIC", "-w", "-O1", *options, "-I", str(ROOT / "codecs"), "-o", str(library),
                    str(path), str(ROOT / "codecs/reference/utf8.c")], check=True)
    return str(library)


@unittest.skipIf(COMPILER is None, "there is no C compiler")
@unittest.skipIf(b"__msan_init" in Path(ASSAY).read_bytes(), "MemorySanitizer does not see what a library without it writes")
class LetterTest(unittest.TestCase):
    """Of a codec that is wrong somewhere in a long input."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def build(self, operation: str, spoil: str = "") -> str:
        """A codec that does one operation, and spoils it so."""
        return build(self.folder, CODEC, f"-DOPERATION={operation}", f"-DSPOIL={spoil}")

    def letters(self, library: str, text: bytes) -> List[str]:
        """Of `diff`."""
        path = self.folder / "input"
        path.write_bytes(text)
        done = subprocess.run([ASSAY, "diff", "--codec", library, f"@{path}"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        found = [letter for letter in done.stdout.split("\n\n") if " differs from " in letter]
        self.assertTrue(found, done.stdout)
        return found

    def test_the_window_is_where_the_answers_part(self) -> None:
        """Whatever differs: a unit of output, how much was written, how much was read."""
        text = ("\u00e9" * 30 + "!" + "\u20ac" * 30).encode()
        for operation, spoil in (("count", "(void)0"), ("decode_utf16", "out[i] = '?'"), ("decode_utf16", "result.written = i"),
                                 ("encode_utf16", "out[i] = '?'"), ("encode_utf16", "result.written = i")):
            given = text.decode().encode("utf-16le") if operation.startswith("encode") else text
            for letter in self.letters(self.build(operation, spoil), given):
                shown, = re.findall(r"(?m)^  (?:bytes|units) +((?:[0-9A-F]+ )+) ", letter)
                self.assertRegex(shown, r"\b(00)?21 ", (operation, spoil, letter))

    def test_an_error_that_is_left_unset_is_called_so(self) -> None:
        """Ill-formed, and no word of where: not "0 bytes, well-formed"."""
        done = subprocess.run([ASSAY, "diff", "--codec", self.build("validate"), "41FF"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("  spoilt        ill-formed, but its error has no bytes: was it left unset?\n", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^  spoilt +ill-formed +- +-$")

    @unittest.skipIf(sys.maxsize < 1 << 32, "these figures are those of 64 bits")
    def test_nonsense_is_called_out_of_range(self) -> None:
        """Each figure as the codec returned it, with what there can be at most; in the table and in JSON, where no number holds it, too."""
        library, most = build(self.folder, NONSENSE), (1 << 64) - 1
        done = subprocess.run([ASSAY, "diff", "--codec", library, "41C0"], capture_output=True, text=True, check=False)
        said = re.findall(r"(?m)^  nonsense +(.*)$", done.stdout)
        self.assertEqual((done.returncode, re.sub(" +", " ", said[0])), (1, "ill-formed, out of range out of range out of range"))
        for sentence in (f"ill-formed at {most - 4}, 3 bytes (outside the input of 2)",
                         f"{most - 8} spans (out of range: 2 at most); span 0: what was there before it was asked",
                         f"counts {most - 2} code points (out of range: 7 at most), {most - 1} UTF-16 units (out of range: 7 at most)",
                         "returns the status 77 (out of range: 3 at most)",
                         "writes A5A5A5A5 at 0 of 1 code point, what was there before it was asked",
                         f"says that it wrote {most - 5} UTF-16 units (out of range: 1 at most)",
                         f"says {most - 6} (out of range: 2 at most) at 0 of 3 offsets"):
            self.assertIn(sentence, said)
        self.assertNotRegex(done.stdout, "  -[0-9]")
        done = subprocess.run([ASSAY, "diff", "--json", "--codec", library, "41C0"], capture_output=True, text=True, check=False)
        row, = [row for row in json.loads(done.stdout)["codecs"] if row["codec"] == "nonsense"]
        self.assertEqual((row["error"]["offset"], row["code_points"], row["utf16_units"]), (None, None, None))

    def test_a_breach_says_what_the_law_is_and_what_was_asked(self) -> None:
        """And under which policy."""
        done = subprocess.run([ASSAY, "diff", "--codec", self.build("decode_utf16", "result.status = ASSAY_ILL_FORMED"), "41213F"],
                              capture_output=True, text=True, check=False)
        self.assertRegex(done.stdout, "breaks the law only-strict-stops\n  which says    under any policy but strict, decoding goes to the end\n"
                                      "  asked         decode-utf16, policy surrogateescape\n  bytes         41 21 3F ")


# It answers what no codec may: more than there can be, a status that there is not, output that it never wrote.
NONSENSE = """
#include "codec.h"
static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    if (error != NULL)
        *error = (struct assay_span){.offset = (size_t)-5, .length = 3};
    return false;
}
static size_t spans(const uint8_t *bytes, size_t count, struct assay_span *out, size_t capacity) { return (size_t)-9; }
static struct assay_count count_units(enum assay_policy policy, const uint8_t *bytes, size_t count)
{
    return (struct assay_count){ASSAY_OK, (size_t)-3, (size_t)-2};
}
static struct assay_result decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t count, uint32_t *out, size_t capacity)
{
    return (struct assay_result){.status = policy == ASSAY_POLICY_STRICT ? (enum assay_status)77 : ASSAY_OK, .read = (size_t)-4, .written = 1};
}
static struct assay_result decode_utf16(enum assay_policy policy, const uint8_t *bytes, size_t count, uint16_t *out, size_t capacity)
{
    return (struct assay_result){.written = (size_t)-6};
}
static size_t boundary(const uint8_t *bytes, size_t count, size_t at) { return (size_t)-7; }
__attribute__((visibility("default"))) extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "nonsense"), .validate = validate, .spans = spans,
    .count = count_units, .decode_utf32 = decode_utf32, .decode_utf16 = decode_utf16, .boundary = boundary};
"""


# It notes at which offset, behind nothing but spaces, the first error is that an operation is asked about.
SEEING = """
#include "codec.h"
#include <stdio.h>
extern const struct assay_codec codec_utf8_reference;
#define THE codec_utf8_reference
enum { SPANS, COUNT, UTF32, UTF16, WELL_FORMED, OPERATIONS, OFFSETS = 160 };
static bool seen[OFFSETS][OPERATIONS];
static void note(int operation, const uint8_t *bytes, size_t count)
{
    struct assay_span error;
    size_t at = 0;
    if (THE.validate(bytes, count, &error))
        return;
    while (at < error.offset && bytes[at] == ' ')
        at++;
    if (at == error.offset && at < OFFSETS)
        seen[at][operation] = true;
}
static size_t spans(const uint8_t *bytes, size_t count, struct assay_span *out, size_t capacity)
{
    return note(SPANS, bytes, count), THE.spans(bytes, count, out, capacity);
}
static struct assay_count count_units(enum assay_policy policy, const uint8_t *bytes, size_t count)
{
    return note(COUNT, bytes, count), THE.count(policy, bytes, count);
}
#define DECODE(operation, member, unit) \\
    static struct assay_result member(enum assay_policy policy, const uint8_t *bytes, size_t count, unit *out, size_t capacity) \\
    { \\
        return note(operation, bytes, count), THE.member(policy, bytes, count, out, capacity); \\
    }
DECODE(UTF32, decode_utf32, uint32_t)
DECODE(UTF16, decode_utf16, uint16_t)
DECODE(WELL_FORMED, to_well_formed, uint8_t)
__attribute__((destructor)) static void tell(void)
{
    for (int at = 0; at < OFFSETS; at++)
        for (int operation = 0; operation < OPERATIONS; operation++)
            if (!seen[at][operation])
                fprintf(stderr, "operation %d was not asked at %d\\n", operation, at);
}
__attribute__((visibility("default"))) extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "seeing"), .spans = spans, .count = count_units,
    .decode_utf32 = decode_utf32, .decode_utf16 = decode_utf16, .to_well_formed = to_well_formed};
"""


# It notes under which policies an empty piece came, and single bytes, one after the other.
HEARING = """
#include "codec.h"
#include <stdio.h>
extern const struct assay_codec codec_utf8_reference;
#define THE codec_utf8_reference
enum { EMPTY, BYTES, SORTS };
static bool heard[2][ASSAY_POLICY_COUNT][SORTS];
static void note(int form, enum assay_policy policy, size_t count, bool last, bool again)
{
    static size_t single;
    single = count == 1 && !again ? single + 1 : 0;
    heard[form][policy][EMPTY] |= count == 0 && !last && !again;
    heard[form][policy][BYTES] |= single == 3;
}
#define FEED(form, member, unit) \\
    static struct assay_result member(struct assay_stream *stream, const uint8_t *bytes, size_t count, bool last, unit *out, size_t capacity) \\
    { \\
        static bool again; \\
        note(form, stream->policy, count, last, again); \\
        struct assay_result result = THE.member(stream, bytes, count, last, out, capacity); \\
        again = result.status == ASSAY_OUTPUT_FULL; \\
        return result; \\
    }
FEED(0, feed_utf32, uint32_t)
FEED(1, feed_utf16, uint16_t)
__attribute__((destructor)) static void tell(void)
{
    for (int i = 0; i < 2 * ASSAY_POLICY_COUNT * SORTS; i++)
        if (!heard[0][0][i])
            fprintf(stderr, "form %d, policy %d: no %s\\n", i / SORTS / ASSAY_POLICY_COUNT, i / SORTS % ASSAY_POLICY_COUNT,
                    i % SORTS == EMPTY ? "empty piece" : "single bytes");
}
__attribute__((visibility("default"))) extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "hearing"), .feed_utf32 = feed_utf32, .feed_utf16 = feed_utf16};
"""


# It notes, of eight bytes in pieces, between which of them there were cuts.
CUT = """
#include "codec.h"
#include <stdio.h>
extern const struct assay_codec codec_utf8_reference;
#define THE codec_utf8_reference
enum { ALL = 8 };
static bool heard[2][ASSAY_POLICY_COUNT][1 << ALL];
#define FEED(form, member, unit) \\
    static struct assay_result member(struct assay_stream *stream, const uint8_t *bytes, size_t count, bool last, unit *out, size_t capacity) \\
    { \\
        static size_t at, cuts; \\
        at += count; \\
        cuts |= (size_t)1 << at % ALL; \\
        if (last && at == ALL) \\
            heard[form][stream->policy][cuts - 1] = true; /* the end is no cut */ \\
        struct assay_result result = THE.member(stream, bytes, count, last, out, capacity); \\
        if (last || result.status != ASSAY_OK) \\
            at = cuts = 0; \\
        return result; \\
    }
FEED(0, feed_utf32, uint32_t)
FEED(1, feed_utf16, uint16_t)
__attribute__((destructor)) static void tell(void)
{
    for (size_t i = 0; i < 2 * ASSAY_POLICY_COUNT; i++)
        for (size_t first = 1; first < ALL; first++)
            for (size_t second = first; second < ALL; second++)
                if (!heard[0][i][1u << first | 1u << second] || !heard[0][i][(1 << ALL) - 2])
                    fprintf(stderr, "form and policy %zu: not at %zu and %zu, or not byte by byte\\n", i, first, second);
}
__attribute__((visibility("default"))) extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "cut"), .feed_utf32 = feed_utf32, .feed_utf16 = feed_utf16};
"""


@unittest.skipIf(COMPILER is None, "there is no C compiler")
@unittest.skipIf(re.search(b"__[am]san_init", Path(ASSAY).read_bytes()), "what is enumerated is the same under a sanitizer")
class EnumerationTest(unittest.TestCase):
    """What `sweep` comes to, and `diff`."""

    def test_pairs_meet_every_operation_at_every_offset(self) -> None:
        """What turns with the pair is tied to no offset."""
        with tempfile.TemporaryDirectory() as folder:
            library = build(Path(folder), SEEING)
            self.assert_says_nothing("pairs", library, 11)

    def test_pieces_are_of_every_sort_under_every_policy(self) -> None:
        """In both forms."""
        with tempfile.TemporaryDirectory() as folder:
            self.assert_says_nothing("pieces", build(Path(folder), HEARING), 11)

    def test_diff_cuts_few_bytes_at_every_pair_of_places(self) -> None:
        """And at all of them, under every policy, in both forms."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([ASSAY, "diff", "--codec", build(Path(folder), CUT), "41E282ACF09F9880"], capture_output=True, text=True,
                                  check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def assert_says_nothing(self, part: str, library: str, stride: int) -> None:
        """What the codec has to say is what it misses."""
        done = subprocess.run([ASSAY, "sweep", "--stride", str(stride), "--codec", library, part], capture_output=True, text=True,
                              check=False, env={**os.environ, "ASSAY_WITHOUT": "sse41,avx2,avx512,neon"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class AgainTest(unittest.TestCase):
    """The line that shows it again."""

    def test_the_command_in_a_letter_of_enumeration_shows_it_again(self) -> None:
        """By the input, if it is short, else by the same part."""
        for part in ("strings", "pairs"):
            done = subprocess.run([CANARY, "sweep", "--stride", "31", part], capture_output=True, text=True, check=False)
            again, = re.findall(r"(?m)^  again +(.*)$", done.stderr)
            self.assertRegex(again, r" diff ([0-9A-F]{2})+$")
            told = subprocess.run(shlex.split(again), capture_output=True, text=True, check=False)
            self.assertEqual(told.returncode, 1, (again, told.stderr))
            self.assertIn("utf8-validate-canary-verdict", told.stdout)

    def test_pieces_are_shown_again_as_they_were_cut(self) -> None:
        """Many cuts, or little room, are not what `diff` asks for certain: then it is the same part."""
        program = BUILD / "assay-early"
        if not program.exists():
            self.skipTest("there is no plant")
        done = subprocess.run([program, "sweep", "--stride", "101", "pieces"], capture_output=True, text=True, check=False)
        letters = re.findall(r"(?m)^  asked +(.*)\n(?:.*\n)*?  again +(.*)$", done.stderr)
        self.assertTrue([asked for asked, _ in letters if re.search(r"at a time|cut at \d+ \d", asked)], done.stderr)
        for asked, again in letters:
            if re.search(r"at a time|cut at \d+ \d", asked):
                self.assertRegex(again, r" sweep --stride 101 pieces$", asked)
        for again in {again for _, again in letters}:
            self.assertEqual(subprocess.run(shlex.split(again), capture_output=True, check=False).returncode, 1, again)

    def replay(self, *words: Any) -> Done:
        """By the replayer that has the canary."""
        program = BUILD / "fuzz_decode-canary"
        if not program.exists():
            self.skipTest("there is no replayer")
        return subprocess.run([program, *words], capture_output=True, text=True, check=False)

    def test_a_replayer_goes_on_behind_what_it_cannot_read(self) -> None:
        """It says which that is; with a finding it is 1 all the same, without one 2. What never ends is not read to its end."""
        with tempfile.TemporaryDirectory() as folder:
            right, wrong, pipe, missing = (Path(folder) / name for name in ("right", "wrong", "pipe", "missing"))
            right.write_bytes(b"A")
            wrong.write_bytes(b"\xC0\x80")
            os.mkfifo(pipe)
            for name in ("itself", "again"):
                (Path(folder) / name).symlink_to(".")
            for words, code, said in (([missing, wrong], 1, "1 files replayed, 1 findings; 1 could not be replayed\n"),
                                      ([missing, right], 2, "1 files replayed, 0 findings; 1 could not be replayed\n"),
                                      ([folder, "/dev/zero"], 1, "2 files replayed, 1 findings; 4 could not be replayed\n"),
                                      ([missing], 2, "")):
                done = self.replay(*words)
                self.assertEqual((done.returncode, done.stdout), (code, said), done.stderr)
                self.assertEqual(f"in {wrong}\n" in done.stderr, code == 1)
            done = self.replay(missing, folder, "/dev/zero")
            self.assertEqual(re.findall(r"(?m)^replay: (.*)$", done.stderr),
                             [f"{missing}: No such file or directory",
                              *(f"{folder}/{name}: this link leads back to a folder that contains it" for name in ("again", "itself")),
                              f"{pipe}: not a regular file, and not in /dev",
                              "/dev/zero: longer than 64 MiB, or endless; cut it into smaller files, or pass it to `assay diff`"])

    def test_a_replayer_takes_options_anywhere(self) -> None:
        """And refuses those that there are not, as no file."""
        with tempfile.TemporaryDirectory() as folder:
            for name in "ab":
                (Path(folder) / name).write_bytes(b"\xC0\x80")
            for words in ((folder, "--each-file"), ("--each-file", "--", folder)):
                done = self.replay(*words)
                self.assertEqual((done.returncode, done.stderr.count("\nin ")), (1, 2), done.stderr)
            for words in ((folder, "--each"), ("-1", folder), ("-", folder)):
                done = self.replay(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("replay: no option is called '-", done.stderr)
        self.assertIn("1 = findings, 2 = no finding, but a file could not be replayed", self.replay("--help").stdout)

    def test_a_replayer_writes_one_letter_of_a_sort(self) -> None:
        """And how many more there are; asked for each file, one in each."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / name for name in "abc"]
            for path in paths:
                path.write_bytes(b"\xC0\x80")
            for words, shown, last in (((), paths[:1], "2 more like utf8-validate-canary-verdict\n"), (("--each-file",), paths, "")):
                done = self.replay(*words, *paths)
                self.assertEqual((done.returncode, done.stdout), (1, "3 files replayed, 3 findings\n"))
                self.assertEqual(done.stderr.count("utf-8/canary differs from utf-8/reference\n"), len(shown))
                self.assertEqual(re.findall(r"(?m)^in (.*)$", done.stderr), list(map(str, shown)))
                self.assertEqual(re.findall(r"(?m)^.* more like .*\n", done.stderr), [last] if last else [])


if __name__ == "__main__":
    unittest.main()
