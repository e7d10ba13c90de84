# SPDX-License-Identifier: MIT
"""`scripts/code-mutants` makes the mutants that it names, and the vectors kill those that they can show."""

from __future__ import annotations

import json
import os
import platform
import shutil
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

from mutation import aarch64, equivalence, isa, machine, record, runs, x86  # noqa: E402

X86, ARM = x86.X86(), aarch64.AArch64()
MUSEUM = Path(os.environ.get("ASSAY_MUSEUM", str(ROOT / "build" / "museum")))
# Of the enumeration, unless all of it is wanted (minutes): scripts/test --long.
QUICK = () if os.environ.get("ASSAY_MUTANTS") == "all" else ("--seconds", "3", "--stride", str(20 * runs.RARELY))  # a small share of the enumeration
TURNED = isa.Instruction(0x1000, bytes.fromhex("0f84aabb0000"), "je", ("1234",))
SHIFTED = isa.Instruction(0x1000, bytes.fromhex("c1e008"), "shl", ("$0x8", "%eax"))
SUBTRACTED = isa.Instruction(0x1000, bytes.fromhex("c5f5f8c2"), "vpsubb", ("%ymm2", "%ymm1", "%ymm0"))
ADDED = isa.Instruction(0x1000, bytes.fromhex("c5f5fcc2"), "vpaddb", ("%ymm2", "%ymm1", "%ymm0"))
XORED = isa.Instruction(0x1000, bytes.fromhex("62f36d482596"), "vpternlogd", ("$0x96", "%zmm6", "%zmm2", "%zmm0"))
ZERO = isa.Instruction(0x1000, bytes.fromhex("b900000000"), "mov", ("$0x0", "%ecx"))
ONES = isa.Instruction(0x1000, bytes.fromhex("48c7c0ffffffff"), "mov", ("$0xffffffffffffffff", "%rax"))
COMPARED = isa.Instruction(0x1000, bytes.fromhex("80bc248000000000"), "cmpb", ("$0x0", "0x80(%rsp)"))


class MutantsTest(unittest.TestCase):
    """Mutants of single instructions."""

    @unittest.skipUnless(platform.machine() == "x86_64", "as is for another processor")
    def test_one_instruction(self) -> None:
        """A condition, an immediate twice, a swap; none if the order of the sources does not matter."""
        mutants, left_out = machine.mutants_of(X86, [TURNED, SHIFTED, SUBTRACTED, ADDED])
        self.assertEqual(sorted((one.family, one.code.hex()) for one in mutants),
                         [("condition", "0f85aabb0000"), ("immediate", "c1e007"), ("immediate", "c1e009"), ("swap", "c5edf8c1")])
        self.assertEqual(left_out, 0)

    def test_symmetric_truth_tables(self) -> None:
        """A XOR B XOR C is the same with B and C swapped; `C ? A : B` is not."""
        self.assertIsNone(x86.swapped(XORED))
        self.assertEqual(x86.swapped(replace(XORED, operands=("$0xe4", *XORED.operands[1:]))), "vpternlogd $0xe4,%zmm2,%zmm6,%zmm0")

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
                mutants, _ = machine.mutants_of(X86, program.instructions(*program.functions[1]))
                self.assertEqual([one.text for one in mutants if one.of.name == "cmp"], [] if is_left_out else ["cmp %rdx,%r8, as cmp %r8,%rdx"], rest)

    def test_labels(self) -> None:
        """The function, and a number where it has several with the same text; a jump is named without its target."""
        of = [replace(TURNED, function="f.constprop.0"), replace(TURNED, address=0x1010, function="f.constprop.0"), replace(TURNED, address=0x1020, function="g")]
        self.assertEqual([one.label() for one in machine.mutants_of(X86, of)[0]],
                         ["1000 f condition: je, turned round, 1 of 2", "1010 f condition: je, turned round, 2 of 2", "1020 g condition: je, turned round"])

    def test_immediates_that_fit_several_widths(self) -> None:
        """The lowest byte changes, also of 0 and -1, and of no address."""
        self.assertEqual([one.code.hex() for of in (ZERO, ONES, COMPARED) for one in x86.immediate_mutants(of)],
                         ["b901000000", "b9ffffffff", "48c7c000000000", "48c7c0feffffff", "80bc248000000001", "80bc2480000000ff"])

    def test_the_same_instruction_in_another_program(self) -> None:
        """Its distance to what it names may be another one there, and is kept; nothing else may."""
        def changed(mutant: isa.Mutant, there: str) -> Optional[str]:
            code = X86.in_another_program(mutant, bytes.fromhex(there))
            return None if code is None else code.hex()

        of = isa.Instruction(0x1000, bytes.fromhex("803d4711220000"), "cmpb", ("$0x0", "0x221147(%rip)"), is_linked=True)
        more = next(x86.immediate_mutants(of))
        self.assertEqual(more.code.hex(), "803d4711220001")
        self.assertEqual(changed(more, "803d9988770000"), "803d9988770001")
        self.assertEqual(changed(X86.trap_at(of), "803d9988770000"), "cc" * 7)
        self.assertIsNone(changed(more, "803c9988770000"))
        self.assertIsNone(changed(more, "803d99887700"), "the file ends there")
        turned = next(x86.condition_mutants(TURNED))
        self.assertIsNone(changed(turned, "0f84aabb0001"))
        self.assertEqual(changed(replace(turned, of=replace(TURNED, is_linked=True)), "0f84aabb0001"), "0f85aabb0001")
        near = next(x86.condition_mutants(isa.Instruction(0x1000, bytes.fromhex("7410"), "je", ("1012",), is_linked=True)))
        self.assertEqual(changed(near, "7420"), "7520")
        self.assertIsNone(changed(near, "1074"))

    @unittest.skipUnless(platform.machine() == "x86_64", "as is for another processor")
    def test_swaps_that_are_left_out(self) -> None:
        """Those that cannot be assembled are counted with those that are longer."""
        shifted_by_register = isa.Instruction(0x1000, bytes.fromhex("d3e0"), "shl", ("%cl", "%eax"))
        longer = isa.Instruction(0x1000, bytes.fromhex("c5adf8c1"), "vpsubb", ("%ymm1", "%ymm10", "%ymm0"))
        self.assertEqual(machine.assemble(X86, ["shl %eax,%cl", "vpsubb %ymm10,%ymm1,%ymm0"]), [None, bytes.fromhex("c4c175f8c2")])
        self.assertEqual(machine.assembled_mutants(X86, [shifted_by_register, longer]), ([], 2))

    def test_an_assembler_that_fails(self) -> None:
        """For another reason than a line, it is asked once, not again and again."""
        failed = subprocess.CompletedProcess([], 1, "", "a.s: Fatal error: can't write 32 bytes to section .text of a.o: 'No space left on device'")
        with mock.patch.object(subprocess, "run", side_effect=[failed, AssertionError("asked again")]), self.assertRaisesRegex(ValueError, "No space left on device"):
            machine.assemble(X86, ["nop"])

    def test_interval(self) -> None:
        """Wilson's 95 % interval for 9 of 10."""
        low, high = runs.interval(9, 10)
        self.assertEqual((round(low, 1), round(high, 1)), (59.6, 98.2))


def arm(code: str, text: str, is_linked: bool = False) -> isa.Instruction:
    """An instruction of 64-bit ARM, as objdump shows it."""
    match = ARM.line.match(f"    1000:\t{code} \t{text}")
    assert match is not None, text
    return isa.Instruction(int(match[1], 16), ARM.code_of(match[2]), match[3], ARM.split_operands(match[4]), is_linked=is_linked)


class ArmTest(unittest.TestCase):
    """Mutants of single instructions of 64-bit ARM."""

    def test_what_objdump_shows(self) -> None:
        """Names of places and remarks are left out; a list of registers and an address are one operand."""
        self.assertEqual([arm(code, text).operands for code, text in (("54001068", "b.hi\t59fe8 <utf8_neon_validate+0x228>  // b.pmore"), ("4e040024", "tbl\tv4.16b, {v1.16b}, v4.16b"),
                                                                      ("3dc34801", "ldr\tq1, [x0, #3360]"), ("d65f03c0", "ret"))],
                         [("59fe8",), ("v4.16b", "{v1.16b}", "v4.16b"), ("q1", "[x0, #3360]"), ()])

    def test_conditions(self) -> None:
        """Of jumps, choices and comparisons; an unconditional jump has none."""
        for code, text, label, turned in (("54001068", "b.hi\t59fe8", "b.hi, turned round", "54001069"),
                                          ("36380c60", "tbz\tw0, #7, 59fe0", "tbz w0,#7, turned round", "37380c60"),
                                          ("35000747", "cbnz\tw7, 3d2a4", "cbnz w7, turned round", "34000747"),
                                          ("9a829151", "csel\tx17, x10, x2, ls", "csel x17,x10,x2,ls, turned round", "9a828151"),
                                          ("1a9f17e0", "cset\tw0, eq", "cset w0,eq, turned round", "1a9f07e0"),
                                          ("fa431044", "ccmp\tx2, x3, #0x4, ne", "ccmp x2,x3,#0x4,ne, turned round", "fa430044")):
            self.assertEqual([(one.text, one.code[::-1].hex()) for one in ARM.changed(arm(code, text))], [(label, turned)])
        for code, text in (("17ffff9e", "b\t59f14"), ("d65f03c0", "ret"), ("eb01005f", "cmp\tx2, x1")):
            self.assertEqual(list(ARM.changed(arm(code, text))), [])

    def test_sources_of_an_assembler(self) -> None:
        """Immediates, indices and the number of a bit change, addresses do not; sources are swapped if that makes another operation."""
        for code, text, expected in (("d3410425", "lsr\tx5, x1, #1", ["lsr x5,x1,#0x2", "lsr x5,x1,#0x0"]),
                                     ("0e013c00", "umov\tw0, v0.b[0]", ["umov w0,v0.b[0x1]", "umov w0,v0.b[-0x1]"]),
                                     ("36380c60", "tbz\tw0, #7, 118c", ["tbz w0,#0x8,.+0x18c", "tbz w0,#0x6,.+0x18c"]),
                                     ("6e147ac2", "ext\tv2.16b, v22.16b, v20.16b, #15", [*(f"ext v2.16b,v22.16b,v20.16b,#{number}" for number in ("0x10", "0xe")), "ext v2.16b,v20.16b,v22.16b,#15"]),
                                     ("4e040024", "tbl\tv4.16b, {v1.16b}, v4.16b", ["tbl v4.16b,{v4.16b},v1.16b"]),
                                     ("eb01005f", "cmp\tx2, x1", ["cmp x1,x2"]), ("eb010c5f", "cmp\tx2, x1, lsl #3", ["cmp x2,x1,lsl #0x4", "cmp x2,x1,lsl #0x2", "cmp x1,x2,lsl #3"]),
                                     ("fa431044", "ccmp\tx2, x3, #0x4, ne", ["ccmp x3,x2,#0x4,ne"]), ("9b227c20", "smull\tx0, w1, w2", []), ("0e0401a0", "tbl\tv0.8b, {v13.16b}, v4.8b", ["tbl v0.8b,{v4.16b},v13.8b"]),
                                     ("4d408448", "ld1\t{v8.d}[1], [x2]", ["ld1 {v8.d}[0x2],[x2]", "ld1 {v8.d}[0x0],[x2]"]), ("92800000", "mov\tx0, #0xffffffffffffffff", ["mov x0,#0x0", "mov x0,#0xfffffffffffffffe"]),
                                     ("f1000421", "cmp\tx1, #0x1", ["cmp x1,#0x2", "cmp x1,#0x0"]),
                                     ("3dc34801", "ldr\tq1, [x0, #3360]", []), ("a9bf7bfd", "stp\tx29, x30, [sp, #-16]!", []),
                                     ("3cc10440", "ldr\tq0, [x2], #16", ["ldr q0,[x2],#0x11", "ldr q0,[x2],#0xf"]),
                                     ("4e251c17", "and\tv23.16b, v0.16b, v5.16b", []), ("4ea11c20", "mov\tv0.16b, v1.16b", [])):
            self.assertEqual([one.sources[0] for one in ARM.rewritten(arm(code, text))], expected)
        self.assertEqual(list(ARM.rewritten(arm("91344000", "add\tx0, x0, #0xd10", is_linked=True))), [])

    def test_the_same_instruction_in_another_program(self) -> None:
        """The distance of a jump to another function is kept; one within the function is the same in both."""
        leaves = arm("54001068", "b.hi\t59fe8", is_linked=True)
        turned, trap = next(ARM.changed(leaves)), ARM.trap_at(leaves)
        for mutant, there, expected in ((turned, "54002068", "54002069"), (turned, "54001069", None), (trap, "54002068", "d4200000"), (next(ARM.changed(replace(leaves, is_linked=False))), "54002068", None)):
            code = ARM.in_another_program(mutant, bytes.fromhex(there)[::-1])
            self.assertEqual(None if code is None else code[::-1].hex(), expected)
        self.assertIsNone(ARM.in_another_program(turned, b""), "the file ends there")

    def test_comparisons_for_equality(self) -> None:
        """The same with the two swapped, unless something asks which is less, by a condition of a jump or of a choice."""
        compared = arm("eb01005f", "cmp\tx2, x1")
        for following, is_asked in (("b.eq\t1000", True), ("b.cc\t1000", False), ("csel\tx0, x1, x2, ne", True), ("csel\tx0, x1, x2, hi", False), ("ccmp\tx2, x3, #0x4, ne", True), ("adc\tx0, x1, x2", False), ("br\tx0", False)):
            code = [compared, *(replace(arm("00000000", text), address=0x1004 + 4 * number) for number, text in enumerate((following, "ret")))]
            self.assertEqual(machine.only_equality_is_asked(ARM, compared, {one.address: one for one in code}), is_asked, following)

    @unittest.skipUnless(shutil.which(machine.tool(ARM, "as")), "needs the assembler for 64-bit ARM")
    def test_what_cannot_be_assembled_is_left_out(self) -> None:
        """A shift by 64 is. What is halved to the same is no mutant; a mask without neighbours is doubled and halved."""
        mutants, left_out = machine.mutants_of(ARM, [arm("d37ffc25", "lsr\tx5, x1, #63"), arm("0e013c00", "umov\tw0, v0.b[0]"), arm("eb01005f", "cmp\tx2, x1"), arm("121a0400", "and\tw0, w0, #0xc0")])
        self.assertEqual([(one.text, one.code[::-1].hex()) for one in mutants], [("and w0,w0,#0xc0, operand 3 as #0x180", "12190400"), ("and w0,w0,#0xc0, operand 3 as #0x60", "121b0400"), ("lsr x5,x1,#63, operand 3 as #0x3e", "d37efc25"), ("umov w0,v0.b[0], operand 2 as v0.b[0x1]", "0e033c00"),
                                                                                 ("cmp x2,x1, as cmp x1,x2", "eb02003f")])
        self.assertEqual(left_out, 1)


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
                result = runs.Result(X86.trap_at(TURNED), runs.SURVIVED)
                runs.enumerate_one(program_in(folder, "assay", f'[ "$ASSAY_VENDOR" != {wrong} ]'), runs.Asked(Path(folder), codec, ["validate"], 1, vendors=runs.vendors_of(codec)), result)
                self.assertEqual(result.state, state, (wrong, codec))


class UnexecutedTest(unittest.TestCase):
    """Mutants that survive because nothing executes the instruction."""

    def run_two_at(self, executed_by: Optional[str]) -> Tuple[List[str], List[str]]:
        """What becomes of two mutants of an instruction that only one kind of question executes, of which only the first is wrong then; and what is asked after
        the share, of a trap or of a mutant."""
        mutants = [isa.Mutant(TURNED, family, TURNED.code, family) for family in (isa.CONDITION, isa.SWAP)]
        asked, said = runs.Asked(Path(), "avx2", ["validate"], 1), []

        def enumerate_patched(_program: object, _assay: object, some: runs.Asked, result: runs.Result[isa.Mutant]) -> None:
            kind = "others" if some.in_all_parts else "share" if some.stride >= runs.RARELY else "whole"
            said.extend([f"{kind} of {result.mutant.family}"] if kind != "share" else [])
            if kind == executed_by and result.mutant.family != isa.SWAP:
                result.state = runs.KILLED

        def run_some(_program: object, _asked: object, some: List[isa.Mutant], _inputs: object) -> List[runs.Result[isa.Mutant]]:
            return [runs.Result(one, runs.KILLED if executed_by == "vectors" and one.family == "trap" else runs.SURVIVED) for one in some]

        with mock.patch.object(runs, "enumerate_patched", enumerate_patched), mock.patch.object(runs, "run_some", run_some), \
                mock.patch.object(runs, "addresses_of", lambda *_: {TURNED.address}):
            results = runs.run(mock.Mock(isa=X86), mock.Mock(), asked, [], mutants, 1, mock.Mock(places_of=lambda _, addresses: [[] for _ in addresses]))
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
        mutants = [isa.Mutant(TURNED, family, TURNED.code, family) for family in (isa.CONDITION, isa.SWAP)]
        for share_first, expected in ((False, ["vectors: condition swap", "share: swap"]), (True, ["share: condition swap", "vectors: condition"])):
            said: List[str] = []

            def enumerate_patched(_program: object, _assay: object, some: runs.Asked, result: runs.Result[isa.Mutant]) -> None:
                if not some.in_all_parts:
                    said.append(result.mutant.family)
                    result.state, result.by = (runs.KILLED, runs.ENUMERATION) if result.mutant.family == isa.SWAP else (result.state, result.by)

            def run_some(_program: object, _asked: object, some: List[isa.Mutant], _inputs: object) -> List[runs.Result[isa.Mutant]]:
                said.extend(["vectors: " + " ".join(one.family for one in some)] if some else [])
                return [runs.Result(one, runs.KILLED, "a file") if one.family == isa.CONDITION else runs.Result(one, runs.SURVIVED) for one in some]

            asked = runs.Asked(Path(), "avx2", ["decode_utf16"], 1, runs.RARELY, share_first=share_first)
            with mock.patch.object(runs, "enumerate_patched", enumerate_patched), mock.patch.object(runs, "run_some", run_some):
                results = runs.run(mock.Mock(isa=X86), mock.Mock(), asked, [], mutants, 1, mock.Mock(places_of=lambda _, addresses: [[] for _ in addresses]))
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
            mutants = [X86.trap_at(replace(TURNED, address=address)) for address in range(1, 5)]
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
        self.assertRegex(self.run_mutants("--sample", "0", "--stride", "0", form="").stdout, r"(?m)^sse41 \d+ mutants need more room than the instruction has, or cannot be assembled$")

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
        mutant = isa.Mutant(isa.Instruction(begin, there, "mov", ()), isa.SWAP, refuses, "refuses")
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


@unittest.skipUnless(MUSEUM.exists() and isinstance(machine.isa_of(MUSEUM), aarch64.AArch64) and platform.machine() != ARM.name, "build/museum is not for 64-bit ARM, or this processor is")
class EmulatedTest(unittest.TestCase):
    """A few mutants of a codec for 64-bit ARM, run by an emulator."""

    def test_kills_by_the_vectors(self) -> None:
        """One of six at least."""
        done = subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "code-mutants"), "neon", "--sample", "6", "--stride", "0", "--seconds", "60", "--json", "--program", str(MUSEUM)],
                              capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertGreater(sum(json.loads(done.stdout)["neon"]["killers"].values()), 0)

    def test_enumerates(self) -> None:
        """The codec as it is survives a share; with a trap at its end, it does not."""
        program, assay = machine.Program(MUSEUM), machine.Program(MUSEUM.with_name("assay"))
        code = program.reached(["utf8_neon_boundary"])
        asked = runs.Asked(ROOT / "vectors", "neon", ["boundary"], 60, 101 * runs.RARELY, against="swar")
        one = next(one for instructions in code.values() for one in instructions if one.name == "ret")
        for mutant, state in ((isa.Mutant(one, isa.SWAP, one.code, "as it is"), runs.SURVIVED), (ARM.trap_at(one), runs.KILLED)):
            result = runs.Result(mutant, runs.SURVIVED)
            runs.enumerate_patched(program, assay, asked, result)
            self.assertEqual(result.state, state)

    def test_a_program_without_relocations(self) -> None:
        """It is refused."""
        with self.assertRaisesRegex(ValueError, "assay has no relocations of code: link it with --emit-relocs"):
            machine.Program(MUSEUM.with_name("assay")).reached(["utf8_neon_boundary"])


if __name__ == "__main__":
    unittest.main()
