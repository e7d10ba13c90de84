# SPDX-License-Identifier: MIT
"""`scripts/source-mutants` makes the mutants that it names, compiles them, and says which the vectors kill and which a rule explains."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from unittest import mock
from fnmatch import fnmatchcase
from pathlib import Path
from typing import List, Set

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from mutation import compiled, equivalence, runs, source  # noqa: E402

MUSEUM = Path(os.environ.get("ASSAY_MUSEUM", str(ROOT / "build" / "museum")))

SELDOM = str(20 * runs.RARELY)  # these mutants are known: a small share of the enumeration is enough
KILLED = ("operator: == as !=: if (*at != byte_count)", "operator: without !: return found;")
EQUIVALENT = "operator: >= as >: while (byte_count - at > BLOCK_BYTES && is_ascii_block(bytes + at))"
SURVIVOR = "operator: >= as >: for (; byte_count - at > BLOCK_BYTES; at += BLOCK_BYTES) {"
OFFER = "operator: || as &&: if ((dfa->encoding->policies >> policy & 1) == 0 && policy == ASSAY_POLICY_SURROGATEESCAPE)"
REFUSAL = "operator: == as !=: if ((encoding->policies >> policy & 1) != 0)"


def changed(code: str) -> List[str]:
    """What becomes of a line."""
    return [mutant.code.strip() for mutant in source.mutants_of_line(source.Line("a.h", 1, code, "f"), True)]


class MutantsTest(unittest.TestCase):
    """Of single lines."""

    def test_operators_constants_and_statements(self) -> None:
        """Each is changed once; a pointer is no product, a precondition and a declaration stay."""
        self.assertEqual(changed("    if (at < end && !*is_left)"), ["if (at <= end && !*is_left)", "if (at >= end && !*is_left)", "if (at < end || !*is_left)"])
        self.assertEqual(changed("    at += 2;"), ["at -= 2;", "at += 3;", "at += 1;", ";"])
        self.assertEqual(changed("    return true;"), ["return false;"])
        self.assertEqual(changed("    const uint8_t *end = bytes;"), [])
        self.assertEqual(changed("    ASSUME(at < end);"), [])

    def test_lines_without_comments_and_preprocessor(self) -> None:
        """Numbers stay, and each line knows its function."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.h").write_text("/* 1 + 1\n * 2 < 3 */\n#define A(x) \\\n    (x + 1)\nstatic int f(int x)\n{\n    return x; /* < 3 */\n}\n"
                                             "static __attribute__((cold, noinline)) int g(int x,\n")
            lines = source.lines_of(Path(folder), "a.h")
        self.assertEqual([(line.number, line.code, line.function) for line in lines if line.code.strip()],
                         [(5, "static int f(int x)", "f"), (6, "{", "f"), (7, "    return x;", "f"), (8, "}", "f"),
                          (9, "static __attribute__((cold, noinline)) int g(int x,", "g")])


class EnumerationTest(unittest.TestCase):
    """Of programs that end in each way."""

    def ask(self, script: str) -> str:
        """What becomes of a mutant that the enumeration asks by this shell script."""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "assay"
            program.write_text(f"#!/bin/sh\n{script}\n")
            program.chmod(0o755)
            mutant = next(iter(source.mutants_of_line(source.Line("a.h", 1, "    return true;", "f"), True)))
            result = runs.Result(mutant, runs.SURVIVED)
            runs.enumerate_one(program, runs.Asked(Path(folder), "", ["decode_utf16"], 1), result)
            return result.state

    def test_parts_that_are_asked_whole(self) -> None:
        """Their time in the share, which every survivor is asked first, is that of parts of the enumeration; `past-caches` is asked in the share only."""
        with tempfile.TemporaryDirectory() as folder:
            program, said = Path(folder) / "assay", Path(folder) / "said"
            program.write_text(f'#!/bin/sh\necho "$(ulimit -t) $*" >> "{said}"\n')
            program.chmod(0o755)
            mutant = next(iter(source.mutants_of_line(source.Line("a.h", 1, "    return true;", "f"), True)))
            for operation, stride, part, seconds in (("validate", 101, "--stride 1 far", 300), ("validate", 1010, "--stride 10 far", 300), ("validate", 101, "texts", 60), ("validate", 11, "texts", 300), ("validate", 11, "far", None), ("decode_utf16", 101, "past-caches", 300),
                                                     ("decode_utf16", 101, "far", 60), ("decode_utf16", 11, "far", 300), ("decode_utf16", 11, "past-caches", None)):
                said.write_text("")
                runs.enumerate_one(program, runs.Asked(Path(folder), "avx2", [operation], 1, stride=stride), runs.Result(mutant, runs.SURVIVED))
                limits = [int(line.split()[0]) for line in said.read_text().splitlines() if f" {part} " in f"{line} "]
                self.assertEqual(limits, [] if seconds is None else [seconds], (operation, stride, part))

    def test_each_part_is_asked(self) -> None:
        """That runs without being named, in its encoding, or in every one; a new row of parts.def, too. Those that kill most are first."""
        rows = [line.split('"') for line in (ROOT / "harnesses" / "assay" / "sweep" / "parts.def").read_text("utf-8").splitlines() if line.startswith("PART(")]
        self.assertLessEqual({"utf-8", "wtf-8", ""}, {row[3] for row in rows})
        for encoding in ("utf-8", "wtf-8", "utf-16le"):
            parts = [arguments[-1] for arguments in runs.enumerations(runs.Asked(Path(), "", runs.OPERATIONS, 1, stride=runs.RARELY, encoding=encoding), [])]
            self.assertCountEqual(parts, [row[1] for row in rows if row[3] in ("", encoding)], encoding)
            self.assertEqual(parts[:2], ["mixtures", "stretches"])

    def test_an_exit_code_is_a_kill_only_if_an_answer_was_wrong(self) -> None:
        """A part that has no question is passed over; what could not run, and an enumeration without a question, are errors."""
        nothing = 'echo "assay sweep: pieces: nothing was compared" >&2; exit 2'
        self.assertEqual(self.ask("exit 1"), runs.KILLED)
        self.assertEqual(self.ask("kill -SEGV $$"), runs.KILLED)
        self.assertEqual(self.ask("exit 0"), runs.SURVIVED)
        self.assertEqual(self.ask(f'case "$*" in *pieces) {nothing};; esac'), runs.SURVIVED)
        for script, reason in ((nothing, "no part of the enumeration asks about decode_utf16"), ("echo no codec >&2; exit 2", "no codec")):
            with self.assertRaisesRegex(ValueError, reason):
                self.ask(script)

    def test_far_with_undefined_behaviour(self) -> None:
        """Ends of a program about a library that ends where behaviour is undefined: those of an enumeration, with the same share of `far`."""
        nothing = 'echo "assay sweep: far: nothing was compared" >&2; exit 2'
        with tempfile.TemporaryDirectory() as folder:
            bench, program = mock.Mock(assay=Path(folder) / "assay"), Path(folder) / "assay"
            for script, state in (("exit 0", runs.SURVIVED), (nothing, runs.SURVIVED), ("exit 1", runs.KILLED), ("kill -SEGV $$", runs.KILLED),
                                  ('case "$*" in *"--stride 10 far") exit 1;; esac', runs.KILLED)):
                program.write_text(f"#!/bin/sh\n{script}\n")
                program.chmod(0o755)
                result = runs.Result(mock.Mock(), runs.SURVIVED)
                compiled.ask_far(bench, runs.Asked(Path(folder), "", ["validate"], 1, stride=1010), Path("mutant.so"), result, None)
                self.assertEqual((result.state, result.by), (state, compiled.UNDEFINED if state == runs.KILLED else ""), script)
            program.write_text("#!/bin/sh\necho no codec >&2; exit 2\n")
            with self.assertRaisesRegex(ValueError, "no codec"):
                compiled.ask_far(bench, runs.Asked(Path(folder), "", ["validate"], 1), Path("mutant.so"), result, None)

    def test_what_stands_for_the_reference_is_compared_with_it(self) -> None:
        """A codec with other answers, or that cannot be asked, is refused, before mutants are compared with it; a part that has no question is passed over."""
        differs, fails = "swar does not give the reference's answers", "swar could not be compared with the reference, exit code "
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "assay"
            asked = runs.Asked(Path(folder), "avx2", ["validate"], 1, against="swar")
            for script, refusal in (('case "$*" in *--against*) exit 1;; *"--only swar"*) exit 0;; esac; exit 2', None), ('case "$*" in *"--only swar"*pairs) exit 1;; esac', differs),
                                    ('case "$*" in *pairs) echo "nothing was compared" >&2; exit 2;; esac', None), ('case "$*" in *pairs) echo "there is no codec swar" >&2; exit 2;; esac', f"{fails}2: there is no codec swar"),
                                    ('case "$*" in *pairs) kill -SEGV $$;; esac', f"{fails}-11"), ('case "$*" in *pairs) exit 130;; esac', f"{fails}130")):
                program.write_text(f"#!/bin/sh\n{script}\n")
                program.chmod(0o755)
                if refusal is not None:
                    with self.assertRaisesRegex(ValueError, refusal):
                        runs.check_against(program, asked)
                else:
                    runs.check_against(program, asked)


class RulesTest(unittest.TestCase):
    """Of equivalent.def, and of the tables for one operation and for machine code."""

    def test_rows_name_lines_that_are_there(self) -> None:
        """And reasons that are there; a row without one is an error."""
        codecs = [path.stem.partition("_")[2] for path in equivalence.TABLE.parent.glob("equivalent_*.def") if path != equivalence.CODE_TABLE]
        decoding = [path.stem.rpartition("_")[::2] for path in equivalence.TABLE.parent.glob("code_*_*_*.def")]
        others = [path.stem.rpartition("_")[2] for path in equivalence.TABLE.parent.glob("code_others_*.def")]
        tables = [equivalence.code_rules(codec, [name.partition("_")[2]]) for name, codec in decoding] + [equivalence.code_rules(codec, ["count"]) for codec in others] + [equivalence.code_rules(codec, ["validate"]) for codec in codecs] + [equivalence.read(*equivalence.tables_for(operation)) for operation in source.IDS]
        for table in tables:
            rows = [(rule.file, rule.function, rule.text, rule.codecs, glob) for rule in table.rules for glob in rule.globs()]
            self.assertEqual([row for row, count in Counter(rows).items() if count > 1], [], "no row is within another")
        self.assertEqual({rule.reason for table in tables for rule in table.rules}, {name for table in tables for name in table.sentences}, "each reason is used")
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "equivalent.def"
            for row in ('EQUIVALENT(swar/validate.h, "no such line", "*", none)', 'REASON(a, "b")\nEQUIVALENT(swar/validate.h, "no such line", "*", a)', "REASON(a, b)",
                        'REASON(a, "b")\nEQUIVALENT(swar/validate.h, "{", "one|", a)'):
                table.write_text(row)
                with self.assertRaises(ValueError):
                    equivalence.read(table)

    def test_rows_about_validation_explain_nothing_else(self) -> None:
        """Of machine code, that operations share."""
        self.assertTrue(equivalence.code_rules("avx2", ["validate", "spans"]).rules)
        for codec in ("sse41", "avx2", "avx512", "neon"):
            self.assertTrue(equivalence.code_rules(codec, ["decode_utf16"]).rules)
        for codec, operations in (("avx512", ["decode_utf32"]), ("avx512", ["decode_utf16", "validate"]), ("avx512", ["validate", "count"])):
            self.assertEqual(equivalence.code_rules(codec, operations).rules, [], (codec, operations))

    def test_reasons_of_other_tables(self) -> None:
        """A row may have one; that table's rows are not read; a reason in neither is an error."""
        with tempfile.TemporaryDirectory() as folder:
            own, other = (Path(folder) / name for name in ("own.def", "other.def"))
            other.write_text('REASON(lent, "why")\nREASON(unused, "not")\nEQUIVALENT(swar/validate.h, "{", "*", lent)')
            own.write_text('EQUIVALENT(swar/validate.h, "}", "*", lent)')
            rules = equivalence.read(own, reasons=[other])
            self.assertEqual(([rule.text for rule in rules.rules], rules.sentences), (["}"], {"lent": "why"}))
            own.write_text('EQUIVALENT(swar/validate.h, "}", "*", neither)')
            with self.assertRaisesRegex(ValueError, "there is no reason neither"):
                equivalence.read(own, reasons=[other])

    def test_a_row_about_a_killed_mutant_is_reported(self) -> None:
        """Unless `list` kills it, which depends on the processor's vendor."""
        rules, mutant = mock.Mock(), mock.Mock()
        rules.places_of = lambda _, addresses: [[equivalence.Place("cpu.c", 1, "f")] for _ in addresses]
        rules.reason_for.return_value, mutant.label.return_value = "either_vendor", "swap"
        results = [runs.Result(mutant, runs.KILLED, by) for by in (runs.LIST, runs.ENUMERATION)] + [runs.Result(mutant, runs.SURVIVED)]
        self.assertEqual(runs.refuted_by(rules, mock.Mock(), results), ["cpu.c:1 f swap (either_vendor)"])

    def test_rules_explain_changes_that_are_made(self) -> None:
        """Each of the changes of a row about sources is one that source-mutants makes of a line with the row's text."""
        for rule in {rule for operation in source.IDS for rule in equivalence.read(*equivalence.tables_for(operation)).rules}:
            lines = [line for line in source.lines_of(equivalence.CODECS, rule.file) if rule.text in line.code]
            labels = [mutant.label() for mutant in source.mutants_of(equivalence.CODECS, lines)]
            for change in rule.globs():
                if change.startswith(source.FAMILIES):
                    self.assertTrue(any(fnmatchcase(label, f"*{change}*") for label in labels), f"{rule.file} {rule.text}: no mutant is {change}")

    def test_a_rule_explains_its_line_and_change_only(self) -> None:
        """Others survive."""
        line = next(line for line in source.lines_of(ROOT / "codecs", "swar/validate.h") if "< " in line.code)
        place = equivalence.Place(line.file, line.number, line.function)
        rules = equivalence.Rules([equivalence.Rule(line.file, line.function, line.code.strip(), "operator: < as <=*", "reason")], {"reason": "why"})
        self.assertEqual(rules.reason_for(place, "operator: < as <=: x"), "reason")
        self.assertIsNone(rules.reason_for(place, "operator: < as >=: x"))
        self.assertIsNone(rules.reason_for(equivalence.Place(line.file, 1, ""), "operator: < as <=: x"))
        both = equivalence.Rules([equivalence.Rule(line.file, "", "", "operator: || as &&:*|operator: & as |:*|operator: == as !=:*", "reason")], {"reason": "why"})
        for label, reason in (("operator: || as &&: x", "reason"), ("operator: & as |: x", "reason"), ("operator: == as !=: x", "reason"), ("operator: < as <=: x", None), ("immediate: add $0x1,%eax, +1", None)):
            self.assertEqual(both.reason_for(place, label), reason, label)


class ResultsTest(unittest.TestCase):
    """What the exit code says."""

    def test_survivors_and_wrong_rules_are_failures(self) -> None:
        """A killed and an equivalent mutant are none."""
        mutant = source.Mutant(source.Line("a.h", 1, "", "f"), source.OPERATOR, "", "")
        killed, equivalent, survivor = (runs.Result(mutant, state) for state in (runs.KILLED, runs.EQUIVALENT, runs.SURVIVED))
        self.assertTrue(runs.Results([killed, equivalent], source.FAMILIES).all_explained())
        self.assertFalse(runs.Results([killed, survivor], source.FAMILIES).all_explained())
        self.assertFalse(runs.Results([killed], source.FAMILIES, refuted=["a"]).all_explained())


@unittest.skipUnless(platform.machine() == "x86_64", "the flags are for another processor")
class RunsTest(unittest.TestCase):
    """A few mutants of the codec in plain C."""

    def test_kills_explains_and_names_survivors(self) -> None:
        """One mutant is killed by the vectors, one is equivalent by a rule, one survives without a rule; and a rule that explains a
        mutant that is killed is reported. So the command exits 1."""
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "equivalent.def"
            table.write_text('REASON(slow, "slower, and right")\nEQUIVALENT(swar/validate.h, "while (byte_count - at >= BLOCK_BYTES", "operator: >= as >: *", slow)\n'
                             'EQUIVALENT(swar/validate.h, "return !found;", "operator: without !:*", slow)\n')
            done = subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "source-mutants"), "swar", "--seconds", "3", "--stride", SELDOM, "--json", "--rules", str(table),
                                   *(word for glob in (*KILLED, EQUIVALENT, SURVIVOR) for word in ("--only", glob)), "--program", str(MUSEUM)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        report = json.loads(done.stdout)["swar"]
        self.assertEqual([label for labels in report["survivors"].values() for label in labels], [SURVIVOR])
        self.assertEqual([label for labels in report["equivalent"].values() for label in labels], [f"{EQUIVALENT} (slow)"])
        killed = [label for labels in report["killed"].values() for label in labels]
        self.assertCountEqual([label.split(" (utf-8/")[0] for label in killed], KILLED, "by the vectors")
        self.assertEqual([label.partition("swar_validate ")[2] for label in report["refuted"]], [f"{KILLED[1]} (slow)"])

    def test_a_codec_that_refuses_policies_is_killed(self) -> None:
        """No question calls its answers wrong: it may offer less."""
        done = subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "source-mutants"), "reference", "--operation", "decode_utf16", "--seconds", "3", "--stride", "0", "--json",
                               "--only", REFUSAL, "--program", str(MUSEUM)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["reference"]["killers"], {"offers less": 1})

    def test_a_codec_that_offers_other_policies_is_killed(self) -> None:
        """Those that its encoding does not have: no vector asks about them."""
        done = subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "source-mutants"), "mutf-8/dfa", "--operation", "to_well_formed", "--seconds", "3", "--stride", "0", "--json",
                               "--only", OFFER, "--program", str(MUSEUM)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["mutf-8/dfa"]["killers"], {"diff": 1})

    def test_codecs_of_other_encodings(self) -> None:
        """A sample of all that a pattern names, each with one operation; another run goes on with it."""
        begun, rest = self.sample("--sample", "3"), self.sample("--sample", "3", "--after", "3")
        self.assertTrue(any(name.startswith("utf-16") and " killed " in name for name in begun | rest))
        self.assertFalse(begun & rest)
        self.assertEqual(self.sample("--sample", "6"), begun | rest)

    def sample(self, *options: str) -> Set[str]:
        """The names of mutants, each with what became of it."""
        done = subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "source-mutants"), "utf-16[bl]e/dfa", "--operation", "one", "--file", "dfa/encode.h",
                               "--stride", "0", "--json", *options, "--program", str(MUSEUM)], capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return {f"{codec} {state} {place} {label}" for codec, report in json.loads(done.stdout).items()
                for state in ("killed", "survivors", "equivalent") for place, labels in report[state].items() for label in labels}


if __name__ == "__main__":
    unittest.main()
