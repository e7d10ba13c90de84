# SPDX-License-Identifier: MIT
"""`assay damage`: its figures against a recount with CPython, and the claims of "Inventing UTF-8" about the schemes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import unittest
from datetime import datetime, timezone
from functools import lru_cache
from typing import Any, Callable, Container, Dict, Iterator, List, Tuple, Union

from .test_cli import ASSAY, ROOT, Case, assay

TEXT = "aé€b😀\ncc中ñ'"
Tally = Dict[str, int]


def damage(*arguments: str, text: str = TEXT) -> Dict[str, Any]:
    """The JSON report for a text."""
    done = subprocess.run([ASSAY, "damage", "--json", *arguments, "-"], input=text.encode(), check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout)


def excerpt(encoding: str, text: str = TEXT) -> Dict[str, Tally]:
    """The exhaustive tallies for a text in which every character is damaged."""
    data, = damage("-e", encoding, "-s", "0", "-n", "1000", text=text)["encodings"]
    return data["texts"][0]["excerpt"]


def damaged(data: bytes) -> Iterator[Tuple[str, int, bytes]]:
    """All damages: kind, offset of the first byte after the damage, and the damaged text."""
    for at in range(len(data)):
        yield "deleted", at + 1, data[:at] + data[at + 1:]
        yield "duplicated", at + 1, data[:at + 1] + data[at:]
        if at + 1 < len(data) and data[at] != data[at + 1]:
            yield "swapped", at + 2, data[:at] + data[at + 1:at + 2] + data[at:at + 1] + data[at + 2:]
        for value in range(256):
            if data[at] != value:
                yield "substituted", at + 1, data[:at] + bytes((value,)) + data[at + 1:]
    for at in range(len(data) + 1):
        for value in range(256):
            yield "inserted", at, data[:at] + bytes((value,)) + data[at:]


def recount(text: str, codec: str) -> Dict[str, Tally]:
    """The tallies, computed with CPython's decoder."""
    tallies: Dict[str, Tally] = {}
    data = text.encode(codec)
    begins = [len(text[:index].encode(codec)) for index in range(len(text) + 1)]
    for kind, after, left in damaged(data):
        tally = tallies.setdefault(kind, dict.fromkeys(
            ("times", "undetected", "turned", "lost", "lost_worst", "strange", "strange_worst", "spread", "spread_worst"), 0))
        out = left.decode(codec, "replace")
        try:
            left.decode(codec)
            good = 1
        except UnicodeDecodeError:
            good = 0
        head = 0
        while head < min(len(text), len(out)) and text[head] == out[head]:
            head += 1
        tail = 0
        while tail < min(len(text), len(out)) - head and text[-1 - tail] == out[-1 - tail]:
            tail += 1
        lost, between = len(text) - head - tail, out[head:len(out) - tail]
        strange = len(between) - between.count("\ufffd")
        tally["times"] += 1
        tally["undetected"] += good
        tally["turned"] += 1 if good and lost and strange else 0
        for name, figure in (("lost", lost), ("strange", strange), ("spread", max(0, begins[len(text) - tail] - after))):
            tally[name] += figure
            tally[f"{name}_worst"] = max(tally[f"{name}_worst"], figure)
    return tallies


class FiguresTest(unittest.TestCase):
    """Damage to single bytes."""

    def test_equal_a_recount(self) -> None:
        """UTF-8, damage by damage, by CPython."""
        self.assertEqual(excerpt("utf-8"), recount(TEXT, "utf-8"))

    def test_count_all_damages(self) -> None:
        """For n bytes: n are lost or doubled, 255 n are changed, 256 (n + 1) are inserted."""
        for encoding, size in (("utf-8", len(TEXT.encode())), ("utf-16le", len(TEXT.encode("utf-16-le"))), ("leb128", 18)):
            times = {kind: tally["times"] for kind, tally in excerpt(encoding).items()}
            self.assertEqual((times["deleted"], times["duplicated"], times["substituted"], times["inserted"]),
                             (size, size, 255 * size, 256 * (size + 1)), encoding)
            self.assertTrue(0 < times["swapped"] < size)

    def test_follow_from_the_seed(self) -> None:
        """The same seed gives the same figures; another seed gives others."""
        first, again, other = (damage("-e", "utf-8,leb128", "-s", "200", "--seed", seed) for seed in ("7", "7", "8"))
        del first["made"], again["made"]
        self.assertEqual(first, again)
        self.assertEqual((first["seed"], other["seed"]), (7, 8))
        self.assertNotEqual([row["texts"][0]["samples"] for row in first["encodings"]],
                            [row["texts"][0]["samples"] for row in other["encodings"]])

    def test_samples_have_the_given_number(self) -> None:
        """The same number for each kind; swapping two equal bytes is no damage."""
        row, = damage("-e", "utf-8", "-s", "500")["encodings"]
        samples = row["texts"][0]["samples"]
        self.assertEqual([samples[kind]["times"] for kind in ("deleted", "inserted", "duplicated")], [100] * 3)
        for kind in ("substituted", "swapped"):
            self.assertTrue(80 < samples[kind]["times"] <= 100, samples[kind])

    def test_reports_its_provenance(self) -> None:
        """Version, commit (if the sources are in a repository), time and command, also with words that are not UTF-8."""
        before = datetime.now(timezone.utc).replace(microsecond=0)
        words = ["damage", "--misread", "--json", "-e", "utf-8"]
        done = subprocess.run([b"\xFF", *words, "-"], executable=ASSAY, input=b"a", check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        made = json.loads(done.stdout)["made"]
        self.assertEqual(made["command"], ["(not UTF-8)", *words, "-"])
        self.assertLessEqual(before, datetime.strptime(made["date"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc))
        if "commit" in made and (ROOT / ".git").exists():
            kind = subprocess.run(["git", "-C", ROOT, "cat-file", "-t", made["commit"].replace("-dirty", "")], stdout=subprocess.PIPE, text=True, check=False)
            self.assertEqual(kind.stdout, "commit\n", made)
        self.assertRegex(made["version"], r"^\d+\.\d+\.\d+$")

    def test_decodes_until_in_step_again(self) -> None:
        """A lost byte puts all of UTF-16 out of step, to the end of a long text."""
        row, = damage("-e", "utf-16le", "-s", "100", text="abcdefgh" * 500)["encodings"]
        self.assertGreater(row["texts"][0]["samples"]["deleted"]["spread_worst"], 4000)


def burst_recount(text: str, codec: str, count: int) -> Dict[str, Tuple[int, int, int]]:
    """By CPython: how often lost, zeroed, repeated and moved bursts are possible, undetected, and change characters."""
    whole, found = text.encode(codec), {}
    struck: Dict[str, Callable[[int], bytes]] = {
        "deleted": lambda at: whole[:at] + whole[at + count:],
        "zeroed": lambda at: whole[:at] + bytes(count) + whole[at + count:],
        "repeated": lambda at: whole[:at + count] + whole[at:],
        "moved": lambda at: whole[:at] + whole[at + count:at + 2 * count] + whole[at:at + count] + whole[at + 2 * count:],
    }
    for kind, strike in struck.items():
        places = range(len(whole) + 1 - (2 * count if kind == "moved" else count))
        results = [read(codec, strike(at)) for at in places if strike(at) != whole]
        undetected = [result for result in results if isinstance(result, str)]
        found[kind] = (len(results), len(undetected), sum(is_turned(text, result) for result in undetected))
    return found


def is_turned(text: str, result: str) -> bool:
    """True if characters are lost and others appear, between the common beginning and the common end of both texts."""
    most = min(len(text), len(result))
    head = next((at for at in range(most) if text[at] != result[at]), most)
    tail = next((at for at in range(most - head) if text[-1 - at] != result[-1 - at]), most - head)
    return head + tail < most


class BurstTest(Case):
    """Damage to several bytes in a row."""

    def test_is_that_of_a_recount(self) -> None:
        """Three encodings, 2 to 8 bytes, cell by cell by CPython; for random inserted bytes, 256 at each place."""
        for count in range(2, 9):
            for row in damage("-e", "utf-8,utf-16le,utf-16be", "-s", "0", "-n", "1000", "--burst", str(count))["encodings"]:
                tallies, codec = row["texts"][0]["excerpt"], row["name"]
                self.assertEqual({kind: tuple(tallies[kind][name] for name in ("times", "undetected", "turned")) for kind in tallies
                                  if kind != "inserted"}, burst_recount(TEXT, codec, count), (codec, count))
                self.assertEqual(tallies["inserted"]["times"], 256 * (len(TEXT.encode(codec)) + 1))

    def test_says_the_interval_of_what_is_sampled(self) -> None:
        """Wilson's 95 % interval; the table has means over the texts."""
        path = self.folder / "text"
        path.write_text("a" * 1000, encoding="utf-8")
        done = assay("damage", "-e", "utf-8", "-s", "500", "--burst", "2", f"@{path}")
        self.assertIn("2 bytes in a row are damaged", done.stdout)
        self.assertIn("mean of the texts", done.stdout)
        self.assertIn("96.30..100.00 %", done.stdout)  # 100 of 100 lost bursts are undetected

    def test_refuses_other_lengths(self) -> None:
        """Burst lengths of 1, and of more than eight bytes, are refused."""
        for count in ("0", "9", "x"):
            self.assertEqual(assay("damage", "--burst", count).returncode, 2)


def write(encoding: str, text: str) -> bytes:
    """Encodes a text in UTF-8, UTF-16 or CESU-8, by CPython."""
    if encoding != "cesu-8":
        return text.encode(encoding)
    units = text.encode("utf-16-be")
    return b"".join(chr(int.from_bytes(units[at:at + 2], "big")).encode("utf-8", "surrogatepass") for at in range(0, len(units), 2))


def read(encoding: str, data: bytes) -> Union[str, int]:
    """The text, or the offset of the first error; -1 for CESU-8, for which CPython does not find it."""
    try:
        if encoding != "cesu-8":
            return data.decode(encoding)
        text = data.decode("utf-8", "surrogatepass")
        return -1 if any(char > "\uffff" for char in text) else text.encode("utf-16-be", "surrogatepass").decode("utf-16-be")
    except UnicodeDecodeError as error:
        return error.start if encoding != "cesu-8" else -1


class MisreadTest(Case):
    """Text written in one encoding and read as another."""

    def recount(self, name: str, text: str, written: str, other: str) -> Dict[str, Any]:
        """A cell, by CPython."""
        data = write(written, text)
        whole, lines = read(other, data), [line for line in text.split("\n") if line]
        results = [read(other, write(written, line)) for line in lines]
        noticed = sum(isinstance(result, int) for result in results)
        same = sum(result == line for result, line in zip(results, lines))
        cell = {"text": name, "bytes": len(data), "noticed": isinstance(whole, int), "same": whole == text, "lines": len(lines),
                "lines_noticed": noticed, "lines_turned": len(lines) - noticed - same, "lines_same": same}
        if other != "cesu-8":
            out = data.decode(other, "replace")
            cell.update(characters=len(out), replaced=out.count("\ufffd") if isinstance(whole, int) else 0)
        if isinstance(whole, int) and whole >= 0:
            cell["offset"] = whole
        return cell

    def test_cells_are_those_of_a_recount(self) -> None:
        """Six pairs, each text of the corpus, each line: figure by figure by CPython, which shares no code with the program."""
        names = ("utf-8", "cesu-8", "utf-16le", "utf-16be")
        pairs = json.loads(assay("damage", "--misread", "-e", ",".join(names), "--json").stdout)["pairs"]
        self.assertEqual([(pair["written"], pair["read"]) for pair in pairs], [(written, other) for written in names for other in names])
        cells = {(pair["written"], pair["read"]): pair["texts"] for pair in pairs}
        for pair in (("utf-8", "cesu-8"), ("cesu-8", "utf-8"), ("utf-8", "utf-16le"), ("utf-16le", "utf-8"), ("utf-16be", "utf-16le"),
                     ("cesu-8", "cesu-8")):
            self.assertGreater(len(cells[pair]), 20)
            for cell in cells[pair]:
                text = (ROOT / "corpus/text" / f"{cell['text']}.txt").read_bytes().decode()
                expected = self.recount(cell["text"], text, *pair)
                self.assertEqual({name: cell.get(name) for name in expected}, expected, pair)

    def test_says_what_it_turns_into(self) -> None:
        """The shortest line that turns into another, the shortest that is noticed; an encoding read as itself never differs."""
        path = self.folder / "text"
        path.write_text("ab\nab\U0001F600\n\n\u00e9\n", encoding="utf-8")
        done = assay("damage", "--misread", "-e", "utf-8,utf-16le,cesu-8", f"@{path}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("  utf-8 as utf-16le, turned: U+0061 U+0062 = 61 62 -> U+6261\n", done.stdout)
        self.assertIn("  utf-8 as cesu-8, noticed: U+0061 U+0062 U+1F600 = 61 62 F0 9F 98 80 -> U+0061 U+0062 U+FFFD U+FFFD ...\n", done.stdout)
        self.assertNotIn("utf-8 as utf-8", done.stdout)
        self.assertIn("No command guesses the encoding", done.stdout)

    def test_reads_the_encodings_unless_schemes_are_named(self) -> None:
        """Without -e, --misread uses the encodings of the vectors, and damages nothing."""
        path = self.folder / "text"
        path.write_text("a", encoding="utf-8")
        names = {pair["read"] for pair in json.loads(assay("damage", "--misread", "--json", f"@{path}").stdout)["pairs"]}
        self.assertTrue({"utf-8", "utf-16be", "mutf-8"} <= names)
        self.assertNotIn("leb128", names)
        named = json.loads(assay("damage", "--misread", "--json", "-e", "leb128,utf-8", f"@{path}").stdout)["pairs"]
        self.assertEqual(len(named), 4)
        for option in ("--burst", "--samples", "--characters", "--seed"):
            self.assert_refused(assay("damage", "--misread", option, "3", f"@{path}"), "damages nothing")


FIGURE = re.compile(r"([0-9][0-9,.]*)( %)?<!--([\w-]+)(?:/(\d))? ([\w+]+) (\w+)-->")


@lru_cache(maxsize=None)
def tallies_of_corpus(encoding: str, burst: str) -> Dict[str, Tally]:
    """For each kind of damage: the sums over the texts of the corpus, and the worst of all."""
    done = assay("damage", "-e", encoding, "-s", "0", "--json", *(["--burst", burst] if burst else []))
    sums: Dict[str, Tally] = {}
    for text in json.loads(done.stdout)["encodings"][0]["texts"]:
        for kind, tally in text["excerpt"].items():
            for name, count in tally.items():
                before = sums.setdefault(kind, {}).get(name, 0)
                sums[kind][name] = max(before, count) if name.endswith("_worst") else before + count
    return sums


def wrong_counts(page: str, encodings: Container[str]) -> List[str]:
    """The figures of a page about some encodings (ENCODING, or ENCODING/BYTES for a burst) that differ from the counted ones."""
    wrong = []
    for written, percent, encoding, burst, kinds, name in FIGURE.findall(page):
        if f"{encoding}/{burst}" not in encodings:
            continue
        tallies = [tallies_of_corpus(encoding, burst)[kind] for kind in kinds.split("+")]
        count, times = (sum(tally[field] for tally in tallies) for field in (name, "times"))
        decimals = len(written.partition(".")[2])
        if written != (f"{100 * count / times:.{decimals}f}" if percent else f"{count:,}"):
            wrong.append(f"{written}{percent} ({encoding} {burst} {kinds} {name}): {count} of {times}")
    return wrong


class PageTest(unittest.TestCase):
    """The figures in the page about "Inventing UTF-8"."""

    def test_figures_of_the_page_are_counted_again(self) -> None:
        """Figures of LEB128 and of three lost bytes in UTF-8; with ASSAY_DAMAGE=all those of all schemes. A changed figure is noticed."""
        page = (ROOT / "scripts/witness/documents/inventing-utf8.md").read_text("utf-8")
        named = {f"{encoding}/{burst}" for _, _, encoding, burst, _, _ in FIGURE.findall(page)}
        self.assertLess({"leb128/", "utf-8/3", "unary-freed/"}, named)
        asked = named if os.environ.get("ASSAY_DAMAGE") == "all" else {"leb128/", "utf-8/3"}
        self.assertEqual(wrong_counts(page, asked), [])
        for written in ("949", "72 %", "344,576", "12.5 %"):
            self.assertEqual(len(wrong_counts(page.replace(f"{written}<!--", f"{int(written[0]) % 9 + 1}{written[1:]}<!--", 1), asked)), 1, written)


class ClaimsTest(unittest.TestCase):
    """"Inventing UTF-8", section by section, as figures over a short text. See scripts/witness/documents/inventing-utf8.md."""

    def test_leb128_lets_deleted_chunks_through(self) -> None:
        """Before "We need a counter!"."""
        self.assertGreater(excerpt("leb128")["deleted"]["turned"], 0)
        self.assertGreater(excerpt("leb128")["inserted"]["turned"], 0)

    def test_the_naive_counter_takes_a_lost_first_chunk(self) -> None:
        """"We need a counter!": of one character, exactly the loss of the first byte is undetected; no repeated byte is."""
        tallies = excerpt("counter-naive", "\u8329")
        self.assertEqual((tallies["deleted"]["times"], tallies["deleted"]["turned"]), (4, 1))
        self.assertEqual(tallies["duplicated"]["undetected"], 0)

    def test_start_bit_and_counters_leave_no_lost_or_added_byte_undetected(self) -> None:
        """"We need a start bit!" and all later schemes: a lost or added byte turns no character into another."""
        for scheme in ("counter-terrible", "counter-decent", "unary-freed", "utf-8-unchecked", "utf-8-biased", "utf-8-rfc2279",
                       "utf-8"):
            tallies = excerpt(scheme)
            self.assertEqual([tallies[kind]["turned"] for kind in ("deleted", "inserted", "duplicated")], [0, 0, 0], scheme)
            self.assertEqual(tallies["deleted"]["lost_worst"], 1)
            self.assertGreater(min(tallies[kind]["undetected"] for kind in ("deleted", "inserted")), 0)  # whole ASCII characters

    def test_only_counters_in_every_byte_detect_swaps_within_a_character(self) -> None:
        """"We can now detect [...] all the error cases we explored" is true except for the swap."""
        for scheme in ("counter-terrible", "counter-naive"):
            self.assertEqual(excerpt(scheme, "\u20ac")["swapped"]["undetected"], 0, scheme)
        for scheme in ("counter-decent", "unary-freed", "utf-8"):
            self.assertEqual(excerpt(scheme, "\u20ac")["swapped"]["undetected"], 1, scheme)

    def test_faults_of_utf_8_stay_local(self) -> None:
        """At most three bytes after the damage, and two characters if two bytes are swapped."""
        for kind, tally in excerpt("utf-8").items():
            self.assertLessEqual(tally["spread_worst"], 3)
            self.assertLessEqual(tally["lost_worst"], 2 if kind == "swapped" else 1)


class UseTest(Case):
    """Arguments and output."""

    def test_says_each_table(self) -> None:
        """As text: a row for each encoding, progress on standard error."""
        path = self.folder / "text"
        path.write_text(TEXT, encoding="utf-8")
        done = assay("damage", "-e", "leb128,utf-8", "-s", "10", f"@{path}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "1 of 2 encodings: utf-8\n2 of 2 encodings: leb128\n")
        for word in ("undetected", "turned", "lost", "strange", "in step", "seed 1", "bytes a character"):
            self.assertIn(word, done.stdout)

    def test_refuses_unknown_texts(self) -> None:
        """Unknown encodings, wrong numbers and files are refused."""
        bad, empty = self.folder / "bad", self.folder / "empty"
        bad.write_bytes(b"abc\xff")
        empty.write_bytes(b"")
        for arguments, word in ((["-e", "utf-9"], "utf-9"), (["-e", ""], "a value: ENCODING"), (["-n", "0", "-s", "0"], "nothing would be damaged"), (["-e", "utf-8,"], "empty"), (["414243"], "TEXT"), ([b"@n\xff"], "UTF-8"), (["-s", "-1"], "samples"),
                                (["-n", "x"], "characters"), (["--seed", "99999999999"], "seed"),
                                ([f"@{bad}"], "ill-formed at 3"), ([f"@{empty}"], "empty"), (["@/no/such/file"], "/no/such")):
            self.assert_refused(assay("damage", *arguments), word)


if __name__ == "__main__":
    unittest.main()
