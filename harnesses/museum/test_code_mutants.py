# SPDX-License-Identifier: MIT
"""`scripts/code-mutants` makes the mutants that it names, and the vectors kill those that they can show."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Dict, List, Optional, Tuple
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from mutation import equivalence, machine, record, runs  # noqa: E402

MUSEUM = Path(os.environ.get("ASSAY_MUSEUM", str(ROOT / "build" / "museum")))
# Of the enumeration, unless all of it is wanted (minutes): scripts/test --long.
QUICK = () if os.environ.get("ASSAY_MUTANTS") == "all" else ("--seconds", "3", "--stride", str(20 * runs.RARELY))  # a small share of the enumeration
TURNED = machine.Instruction(0x1000, bytes.fromhex("0f84aabb0000"), "je", ("1234",))
SHIFTED = machine.Instruction(0x1000, bytes.fromhex("c1e008"), "shl", ("$0x8", "%eax"))
SUBTRACTED = machine.Instruction(0x1000, bytes.fromhex("c5f5f8c2"), "vpsubb", ("%ymm2", "%ymm1", "%ymm0"))
ADDED = machine.Instruction(0x1000, bytes.fromhex("c5f5fcc2"), "vpaddb", ("%ymm2", "%ymm1", "%ymm0"))
XORED = machine.Instruction(0x1000, bytes.fromhex("62f36d482596"), "vpternlogd", ("$0x96", "%zmm6", "%zmm2", "%zmm0"))
ZERO = machine.Instruction(0x1000, bytes.fromhex("b900000000"), "mov", ("$0x0", "%ecx"))
ONES = machine.Instruction(0x1000, bytes.fromhex("48c7c0ffffffff"), "mov", ("$0xffffffffffffffff", "%rax"))
COMPARED = machine.Instruction(0x1000, bytes.fromhex("80bc248000000000"), "cmpb", ("$0x0", "0x80(%rsp)"))


class MutantsTest(unittest.TestCase):
    """Mutants of single instructions."""

    @unittest.skipUnless(platform.machine() == "x86_64", "as is for another processor")
    def test_one_instruction(self) -> None:
        """A condition, an immediate twice, a swap; none if the order of the sources does not matter."""
        mutants, left_out = machine.mutants_of([TURNED, SHIFTED, SUBTRACTED, ADDED])
        self.assertEqual(sorted((one.family, one.code.hex()) for one in mutants),
                         [("condition", "0f85aabb0000"), ("immediate", "c1e007"), ("immediate", "c1e009"), ("swap", "c5edf8c1")])
        self.assertEqual(left_out, 0)

    def test_symmetric_truth_tables(self) -> None:
        """A XOR B XOR C is the same with B and C swapped; `C ? A : B` is not."""
        self.assertIsNone(machine.swapped(XORED))
        self.assertEqual(machine.swapped(replace(XORED, operands=("$0xe4", *XORED.operands[1:]))), "vpternlogd $0xe4,%zmm2,%zmm6,%zmm0")

    @unittest.skipUnless(platform.machine() == "x86_64", "as is for another processor")
    def test_comparisons_for_equality(self) -> None:
        """The same with the two swapped, unless something later may ask which is less."""
        compared = "cmp %rdx, %r8\n"
        for rest, is_left_out in (("je 1f\n add %rax, %rax\n 1: ret", True),
                                  ("je 1f\n vpxor %ymm0, %ymm0, %ymm0\n setne %al\n 1: test %al, %al\n jb 1b\n ret", True),
                                  ("jb 1f\n 1: ret", False),
                                  ("je 1f\n ret\n 1: mov %rax, %rbx\n seta %al\n ret", False),
                                  ("jmp 1f\n ret\n 1: bt $1, %rax\n cmovbe %rax, %rbx\n ret", False),
                                  ("1: jne 1b\n sbb %eax, %eax\n ret", False),
                                  ("jmp *%rax", False),
                                  ("je elsewhere\n ret", False)):
            with tempfile.TemporaryDirectory() as folder:
                object_ = Path(folder) / "f.o"
                subprocess.run(["as", "-o", str(object_)], input=f"elsewhere: ret\n .size elsewhere, .-elsewhere\n f: {compared}{rest}\n .size f, .-f\n", text=True, check=True)
                program = machine.Program(object_)
                mutants, _ = machine.mutants_of(program.instructions(*program.functions[1]))
                self.assertEqual([one.text for one in mutants if one.of.name == "cmp"], [] if is_left_out else ["cmp %rdx,%r8, as cmp %r8,%rdx"], rest)

    def test_labels(self) -> None:
        """The function, and a number where it has several with the same text; a jump is named without its target."""
        of = [replace(TURNED, function="f.constprop.0"), replace(TURNED, address=0x1010, function="f.constprop.0"), replace(TURNED, address=0x1020, function="g")]
        self.assertEqual([one.label() for one in machine.mutants_of(of)[0]],
                         ["1000 f condition: je, turned round, 1 of 2", "1010 f condition: je, turned round, 2 of 2", "1020 g condition: je, turned round"])

    def test_immediates_that_fit_several_widths(self) -> None:
        """The lowest byte changes, also of 0 and -1, and of no address."""
        self.assertEqual([one.code.hex() for of in (ZERO, ONES, COMPARED) for one in machine.immediate_mutants(of)],
                         ["b901000000", "b9ffffffff", "48c7c000000000", "48c7c0feffffff", "80bc248000000001", "80bc2480000000ff"])

    def test_the_same_instruction_in_another_program(self) -> None:
        """Its distance to what it names may be another one there, and is kept; nothing else may."""
        of = machine.Instruction(0x1000, bytes.fromhex("803d4711220000"), "cmpb", ("$0x0", "0x221147(%rip)"))
        more = next(machine.immediate_mutants(of))
        self.assertEqual(more.code.hex(), "803d4711220001")
        self.assertEqual(of.changed_at(bytes.fromhex("803d9988770000"), more.code), bytes.fromhex("803d9988770001"))
        self.assertEqual(of.changed_at(bytes.fromhex("803d9988770000"), machine.trap_at(of).code), machine.TRAP * 7)
        self.assertIsNone(of.changed_at(bytes.fromhex("803c9988770000"), more.code))
        self.assertIsNone(of.changed_at(bytes.fromhex("803d99887700"), more.code), "the file ends there")
        self.assertIsNone(TURNED.changed_at(bytes.fromhex("0f84aabb0001"), TURNED.code))
        near = machine.Instruction(0x1000, bytes.fromhex("7410"), "je", ("1012",), leaves=True)
        self.assertEqual(near.changed_at(bytes.fromhex("7420"), bytes.fromhex("7510")), bytes.fromhex("7520"))
        self.assertIsNone(near.changed_at(bytes.fromhex("7410")[::-1], bytes.fromhex("7510")))
        turned = next(machine.condition_mutants(TURNED))
        self.assertEqual(replace(TURNED, leaves=True).changed_at(bytes.fromhex("0f84aabb0001"), turned.code).hex(), "0f85aabb0001")

    @unittest.skipUnless(platform.machine() == "x86_64", "as is for another processor")
    def test_swaps_that_are_left_out(self) -> None:
        """Those that cannot be assembled are counted with those that are longer."""
        shifted_by_register = machine.Instruction(0x1000, bytes.fromhex("d3e0"), "shl", ("%cl", "%eax"))
        longer = machine.Instruction(0x1000, bytes.fromhex("c5adf8c1"), "vpsubb", ("%ymm1", "%ymm10", "%ymm0"))
        self.assertEqual(machine.assemble(["shl %eax,%cl", "vpsubb %ymm10,%ymm1,%ymm0"]), [None, bytes.fromhex("c4c175f8c2")])
        self.assertEqual(machine.swap_mutants([shifted_by_register, longer]), ([], 2))

    def test_an_assembler_that_fails(self) -> None:
        """For another reason than a line, it is asked once, not again and again."""
        failed = subprocess.CompletedProcess([], 1, "", "a.s: Fatal error: can't write 32 bytes to section .text of a.o: 'No space left on device'")
        with mock.patch.object(subprocess, "run", side_effect=[failed, AssertionError("asked again")]), self.assertRaisesRegex(ValueError, "No space left on device"):
            machine.assemble(["nop"])

    def test_interval(self) -> None:
        """Wilson's 95 % interval for 9 of 10."""
        low, high = runs.interval(9, 10)
        self.assertEqual((round(low, 1), round(high, 1)), (59.6, 98.2))


def program_in(folder: str, name: str, script: str) -> Path:
    """A shell script."""
    path = Path(folder) / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


# The reference, but for one answer.
MUTANT = """
#include "codec.h"
#include <signal.h>
extern const struct assay_codec codec_utf8_reference;
static struct assay_result decode(enum assay_policy policy, const uint8_t *bytes, size_t count, uint16_t *out, size_t capacity)
{
    struct assay_result result = codec_utf8_reference.decode_utf16(policy, bytes, count, out, capacity);
    FAULT
    return result;
}
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "mutant"), .decode_utf16 = decode};
"""
# The vectors have no empty text under each policy in turn. Whoever asks what a codec offers asks that.
CRASHES_WHEN_ASKED_WHAT_IT_OFFERS = """
    static unsigned in_turn;
    in_turn = count == 0 && policy == in_turn ? in_turn + 1 : 0;
    if (in_turn == ASSAY_POLICY_COUNT)
        raise(SIGSEGV);
"""


def said_of(folder: str, fault: str, vectors: Path = ROOT / "vectors") -> Tuple[str, ...]:
    """What `museum loaded` says of the reference with a fault in decoding to UTF-16: its state, the file that kills it, the field that differs."""
    source, library = Path(folder) / "mutant.c", Path(folder) / "mutant.so"
    source.write_text(MUTANT.replace("FAULT", fault))
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-I", ROOT / "codecs", "-o", library, source, ROOT / "codecs" / "reference" / "utf8.c"], check=True)
    done = subprocess.run([MUSEUM, "loaded", vectors, "utf-8", "decode_utf16", "20"], input=f"{library}\n", capture_output=True, text=True, check=True)
    return tuple(done.stdout[:-1].split("\t"))


class LoadedTest(unittest.TestCase):
    """`museum loaded`, with mutants written for it."""

    def test_a_crash_when_asked_what_it_offers(self) -> None:
        """Is an answer, as every crash."""
        with tempfile.TemporaryDirectory() as folder:
            state, file, field = said_of(folder, CRASHES_WHEN_ASKED_WHAT_IT_OFFERS)
            self.assertEqual((state, file[:6], field), ("killed", "utf-8/", "crash"))

    def test_a_file_with_a_long_name(self) -> None:
        """Is named whole, with the field."""
        vectors = json.loads((ROOT / "vectors" / "utf-8" / "well-formed.json").read_text("utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            name = "long-" * 31 + "name"  # an id may have 200 characters
            (Path(folder) / "utf-8").mkdir()
            tests = [{**test, "id": test["id"].replace(vectors["category"], name)} for test in vectors["tests"]]
            (Path(folder) / "utf-8" / f"{name}.json").write_text(json.dumps({**vectors, "category": name, "tests": tests}), "utf-8")
            self.assertEqual(said_of(folder, "result.written /= 2;", Path(folder)), ("killed", f"utf-8/{name}", "written"))


class VendorsTest(unittest.TestCase):
    """The codecs of x86 are tuned for the vendor that ASSAY_VENDOR names."""

    def test_a_program_that_says_another_vendor(self) -> None:
        """Than the one that is named, or without one, than the original."""
        with tempfile.TemporaryDirectory() as folder:
            assay, same, *others = (program_in(folder, str(number), f"echo tuned for {said}") for number, said in
                                    enumerate(("${ASSAY_VENDOR:-amd}", "${ASSAY_VENDOR:-amd}", "amd", "${ASSAY_VENDOR:-intel}", "${ASSAY_VENDOR:-amd}; kill -SEGV $$")))
            self.assertFalse(runs.says_other_vendor(assay, same))
            self.assertEqual([runs.says_other_vendor(assay, other) for other in others], [True, True, True])

    def test_x86_is_enumerated_as_tuned_for_each(self) -> None:
        """A mutant may be wrong as tuned for one only."""
        with tempfile.TemporaryDirectory() as folder:
            for wrong, codec, state in (("amd", "avx512", runs.KILLED), ("intel", "avx512", runs.KILLED), ("intel", "avx2", runs.KILLED), ("intel", "neon", runs.SURVIVED)):
                result = runs.Result(machine.trap_at(TURNED), runs.SURVIVED)
                runs.enumerate_one(program_in(folder, "assay", f'[ "$ASSAY_VENDOR" != {wrong} ]'), runs.Asked(Path(folder), codec, ["validate"], 1, vendors=runs.vendors_of(codec)), result)
                self.assertEqual(result.state, state, (wrong, codec))


class UnexecutedTest(unittest.TestCase):
    """Mutants that survive because nothing executes the instruction."""

    def run_two_at(self, executed_by: Optional[str]) -> Tuple[List[str], List[str]]:
        """What becomes of two mutants of an instruction that only one kind of question executes, of which only the first is wrong then; and what is asked after
        the share, of a trap or of a mutant."""
        mutants = [machine.Mutant(TURNED, family, TURNED.code, family) for family in (machine.CONDITION, machine.SWAP)]
        asked, said = runs.Asked(Path(), "avx2", ["validate"], 1), []

        def enumerate_patched(_program: object, _assay: object, some: runs.Asked, result: runs.Result[machine.Mutant]) -> None:
            kind = "others" if some.in_all_parts else "share" if some.stride >= runs.RARELY else "whole"
            said.extend([f"{kind} of {result.mutant.family}"] if kind != "share" else [])
            if kind == executed_by and result.mutant.family != machine.SWAP:
                result.state = runs.KILLED

        def run_some(_program: object, _asked: object, some: List[machine.Mutant], _inputs: object) -> List[runs.Result[machine.Mutant]]:
            return [runs.Result(one, runs.KILLED if executed_by == "vectors" and one.family == "trap" else runs.SURVIVED) for one in some]

        with mock.patch.object(runs, "enumerate_patched", enumerate_patched), mock.patch.object(runs, "run_some", run_some), \
                mock.patch.object(runs, "addresses_of", lambda *_: {TURNED.address}):
            results = runs.run(mock.Mock(), mock.Mock(), asked, [], mutants, 1, mock.Mock(places_of=lambda _, addresses: [[] for _ in addresses]))
        return [one.state for one in results], said

    def test_a_trap_is_asked_all_that_mutants_are(self) -> None:
        """Then mutants are asked the rest only if the trap does not survive."""
        states: Dict[Optional[str], List[str]] = {"share": [runs.KILLED, runs.SURVIVED], "vectors": [runs.SURVIVED] * 2, "whole": [runs.KILLED, runs.SURVIVED],
                                                  "others": [runs.KILLED, runs.SURVIVED], None: [runs.UNEXECUTED] * 2}
        of_mutants = ["whole of condition", "whole of swap", "others of condition", "others of swap"]
        asked = {"share": of_mutants[1::2], "vectors": of_mutants, "whole": ["whole of trap", *of_mutants[:2], of_mutants[3]],
                 "others": ["whole of trap", "others of trap", *of_mutants], None: ["whole of trap", "others of trap"]}
        for executed_by, expected in states.items():
            self.assertEqual(self.run_two_at(executed_by), (expected, asked[executed_by]), executed_by)


class OrderTest(unittest.TestCase):
    """What is asked first: the vectors, or a share of the enumeration."""

    def test_what_is_asked_first_leaves_the_rest(self) -> None:
        """Each kills one of two mutants, which the other is not asked about if it comes later."""
        mutants = [machine.Mutant(TURNED, family, TURNED.code, family) for family in (machine.CONDITION, machine.SWAP)]
        for share_first, expected in ((False, ["vectors: condition swap", "share: swap"]), (True, ["share: condition swap", "vectors: condition"])):
            said: List[str] = []

            def enumerate_patched(_program: object, _assay: object, some: runs.Asked, result: runs.Result[machine.Mutant]) -> None:
                if not some.in_all_parts:
                    said.append(result.mutant.family)
                    result.state, result.by = (runs.KILLED, runs.ENUMERATION) if result.mutant.family == machine.SWAP else (result.state, result.by)

            def run_some(_program: object, _asked: object, some: List[machine.Mutant], _inputs: object) -> List[runs.Result[machine.Mutant]]:
                said.extend(["vectors: " + " ".join(one.family for one in some)] if some else [])
                return [runs.Result(one, runs.KILLED, "a file") if one.family == machine.CONDITION else runs.Result(one, runs.SURVIVED) for one in some]

            asked = runs.Asked(Path(), "avx2", ["decode_utf16"], 1, runs.RARELY, share_first=share_first)
            with mock.patch.object(runs, "enumerate_patched", enumerate_patched), mock.patch.object(runs, "run_some", run_some):
                results = runs.run(mock.Mock(), mock.Mock(), asked, [], mutants, 1, mock.Mock(places_of=lambda _, addresses: [[] for _ in addresses]))
            self.assertEqual([(one.state, one.by) for one in results], [(runs.KILLED, "a file"), (runs.KILLED, runs.ENUMERATION)])
            families = [one for one in said if ":" not in one]
            self.assertEqual(sorted([one for one in said if ":" in one] + ["share: " + " ".join(families)]), sorted(expected))


class RecordTest(unittest.TestCase):
    """A file of what became of mutants."""

    def test_a_run_goes_on(self) -> None:
        """A line that was not written whole is asked again, and what a rule explains only now; a record of another program, or of other vectors, is refused."""
        with tempfile.TemporaryDirectory() as folder:
            path, vectors, programs = Path(folder) / "avx2.jsonl", Path(folder) / "vectors", [machine.Program(MUSEUM)]
            vectors.mkdir()
            asked, rules = runs.Asked(vectors, "avx2", ["validate"], 1), equivalence.Rules([], {})
            mutants = [machine.trap_at(replace(TURNED, address=address)) for address in range(1, 5)]
            killed, explained, survivor = (runs.Result(mutant, state) for mutant, state in zip(mutants, (runs.KILLED, runs.EQUIVALENT, runs.SURVIVED)))
            record.Record(path, programs, asked, []).add([killed, explained, survivor])
            with path.open("a", encoding="utf-8") as file:
                file.write('{"label": ')
            again = record.Record(path, programs, asked, [])
            self.assertEqual(again.known_of(programs[0], rules, mutants), ([killed, survivor], [mutants[1], mutants[3]]))
            again.add([runs.Result(mutants[1], runs.KILLED), runs.Result(mutants[3], runs.KILLED)])
            self.assertEqual(record.Record(path, programs, asked, []).known_of(programs[0], rules, mutants)[1], [])
            for other in ((programs * 2, asked, []), (programs, replace(asked, stride=101), []), (programs, asked, ["spans"])):
                with self.assertRaisesRegex(ValueError, "is of another program, or of other questions"):
                    record.Record(path, *other)
            (vectors / "new.json").write_text("{}", "utf-8")
            with self.assertRaisesRegex(ValueError, "of other questions"):
                record.Record(path, programs, asked, [])


@unittest.skipUnless(platform.machine() == "x86_64", "the machine code is for another processor")
class RunsTest(unittest.TestCase):
    """A few mutants of the codec of the oldest instruction set."""

    def run_mutants(self, *words: str, program: Path = MUSEUM, form: str = "--json") -> subprocess.CompletedProcess[str]:
        """Runs the command, which prints JSON, or, with an empty form, lines."""
        return subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "code-mutants"), "sse41", *words, *form.split(), "--program", str(program)],
                              capture_output=True, text=True, check=False)

    def test_what_is_left_out_is_said(self) -> None:
        """The count has both kinds."""
        self.assertRegex(self.run_mutants("--sample", "0", "--stride", "0", form="").stdout, r"(?m)^sse41 \d+ swaps need more room than the instruction has, or cannot be assembled$")

    def test_instructions_that_other_operations_reach(self) -> None:
        """They are left out: all of those that the operation itself reaches, and of concatenation those that validate. What is no operation is refused."""
        counts = []
        for words in (("concat",), ("concat", "--beyond", "validate,spans"), ("concat", "--beyond", "concat")):
            done = self.run_mutants("--operations", *words, "--sample", "0", "--stride", "0")
            counts.append(json.loads(done.stdout)["sse41"]["sampled_from"])
        self.assertTrue(counts[0] > counts[1] > counts[2] == 0, counts)
        for option in ("--operations", "--beyond"):
            done = self.run_mutants(option, "validate,nothing")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("nothing is not one of validate, spans", done.stderr)

    def test_a_share_of_nothing_cannot_be_first(self) -> None:
        """Stride 0 leaves the enumeration out."""
        done = self.run_mutants("--share-first", "--stride", "0")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--share-first: --stride 0 leaves the enumeration out", done.stderr)

    def test_what_is_no_program_cannot_run(self) -> None:
        """One that is not there, or a file that is none: exit 2, and one line that names it."""
        for program in (Path("/nonexistent/museum"), Path(__file__)):
            done = self.run_mutants(program=program)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertRegex(done.stderr, rf"\Acode-mutants: [^\n]*{program}[^\n]*\n\Z")

    def test_a_limit_of_time_that_the_codec_needs(self) -> None:
        """It is refused: each mutant would be killed by it."""
        done = self.run_mutants("--operations", "decode_utf16", "--sample", "1", "--seconds", "1", "--stride", "0")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"utf-8/sse41 takes [0-9.]+ s as it is shipped: mutants need at least twice as much, not 1 s")

    def test_a_mutant_that_offers_less_is_killed(self) -> None:
        """Its function returns ASSAY_UNSUPPORTED at once: no question calls that wrong."""
        program, refuses = machine.Program(MUSEUM), bytes.fromhex("c7 07 03000000 4889f8 c3")  # movl $3,(%rdi); mov %rdi,%rax; ret
        begin = next(begin for begin, _, name in program.functions if name == "utf8_sse41_decode_utf16")
        with MUSEUM.open("rb") as file:
            file.seek(program.offset_of("utf8_sse41_decode_utf16"))
            there = file.read(len(refuses))
        mutant = machine.Mutant(machine.Instruction(begin, there, "mov", ()), machine.SWAP, refuses, "refuses")
        asked = runs.Asked(ROOT / "vectors", "sse41", ["decode_utf16"], 60)
        self.assertEqual([(one.state, one.by) for one in runs.run_some(MUSEUM, asked, [mutant], [runs.patch_of(mutant)])], [(runs.KILLED, "policies")])

    def test_kills_and_names_survivors(self) -> None:
        """Each mutant is killed, survives, or is equivalent by a row, which depends on the compiler's options; not all survive."""
        done = self.run_mutants("--sample", "4", *QUICK)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        report = json.loads(done.stdout)["sse41"]
        families = report["families"].values()
        alive, unexecuted, explained = (sum(map(len, report[state].values())) for state in ("survivors", runs.UNEXECUTED, runs.EQUIVALENT))
        self.assertEqual(sum(one["mutants"] for one in families) + explained, 4)
        self.assertEqual(sum(one["killed"] for one in families), 4 - alive - unexecuted - explained)
        self.assertLess(alive, 3)
        self.assertGreater(sum(count for name, count in report["killers"].items() if name != runs.ENUMERATION), 0, "by the vectors")
        self.assertGreater(report["sampled_from"], 1000)


if __name__ == "__main__":
    unittest.main()
