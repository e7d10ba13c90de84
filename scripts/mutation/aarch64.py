# SPDX-License-Identifier: MIT
"""Mutants of the machine code of 64-bit ARM, as objdump shows it. An instruction has four bytes."""

from __future__ import annotations

import re
from typing import Iterator, Optional, Sequence, Set, Tuple

from .isa import CONDITION, IMMEDIATE, SWAP, Instruction, Isa, Mutant, Rewritten

# Swapping the first two sources of these changes nothing, unless the second is shifted; of csel, it is the condition turned round.
COMMUTATIVE = re.compile(r"adds?|ands?|orr|eor|eon|mul|madd|msub|[us]mull|[us]mulh|csel|cmeq|cmtst|[us](max|min)|[us]qadd|[us]r?hadd|[us]ab[ad]|[us]addl2?|ml[as]|pmull?2?")
SHIFT = re.compile("(lsl|lsr|asr|ror|[us]xt[bhwx])( .*)?")
COMPARES = re.compile("cmp|ccmp")  # has no destination
SELECTS = re.compile("csel|csinc|csinv|csneg|cset|csetm|cinc|cinv|cneg|fcsel|ccmp|ccmn|fccmp")  # their last operand is the condition
SETS_FLAGS = re.compile("cmp|cmn|tst|adds|subs|ands|bics|negs|fcmpe?")
READS_FLAGS = re.compile("adcs?|sbcs?|ngcs?|mrs|cfinv|axflag|xaflag|rmif")
BRANCH = re.compile(r"bl?|b\.(\w\w)|cbn?z|tbn?z")
REGISTER = re.compile(r"[wxbhsdqv]\d+(\.\d*[bhsdq])?|[wx]zr|w?sp|\{v\d+\.16b\}")
NUMBER = re.compile(r"(?<=#)-?(0x[0-9a-f]+|\d+)|(?<=\.[bhsd]\[)\d+(?=\])")

# Bits of an instruction: of distances, of the offset of data in its page, and those that turn a condition round.
ADR, BRANCH_26, BRANCH_19, BRANCH_14, OFFSET = 0x60FFFFE0, 0x03FFFFFF, 0x00FFFFE0, 0x0007FFE0, 0x003FFC00
OF_BRANCH, OF_SELECT, OF_COMPARE_AND_BRANCH = 1 << 0, 1 << 12, 1 << 24


def word_of(code: bytes) -> int:
    """The number that an instruction is."""
    return int.from_bytes(code, "little")


def linked_bits(one: Instruction) -> int:
    """Those that the linker sets."""
    if not one.is_linked:
        return 0
    if one.name in ("adr", "adrp"):
        return ADR
    if one.name in ("b", "bl"):
        return BRANCH_26
    if BRANCH.fullmatch(one.name):
        return BRANCH_14 if one.name[0] == "t" else BRANCH_19
    return OFFSET


class AArch64(Isa):
    """Little-endian."""

    name = "aarch64"
    elf_machine = 183
    line = re.compile(r"\s*([0-9a-f]+):\t([0-9a-f]{8}) \t(\S+)\s*([^<]*?)\s*(?:<.*|//.*)?$")
    equality = {"eq", "ne"}
    relocation = re.compile("R_AARCH64_(ADR|ADD|LDST)")
    nop, trap = bytes.fromhex("1f2003d5"), bytes.fromhex("000020d4")

    def code_of(self, shown: str) -> bytes:
        return bytes.fromhex(shown)[::-1]

    def split_operands(self, text: str) -> Tuple[str, ...]:
        return tuple(part.strip() for part in re.split(r",(?![^\[]*\])(?![^{]*\})", text)) if text else ()

    def goes_to(self, one: Instruction) -> Optional[int]:
        return int(one.operands[-1], 16) if BRANCH.fullmatch(one.name) else None

    def next_of(self, one: Instruction) -> Optional[Sequence[int]]:
        if one.name in ("ret", "bl", "blr", "brk", "udf"):
            return []
        if one.name == "br":
            return None
        target = self.goes_to(one)
        return [*([] if target is None else [target]), *([] if one.name == "b" else [one.address + len(one.code)])]

    def in_another_program(self, mutant: Mutant, there: bytes) -> Optional[bytes]:
        linked, code, changed = linked_bits(mutant.of), word_of(mutant.of.code), word_of(mutant.code)
        if len(there) != len(mutant.code) or (word_of(there) ^ code) & ~linked:
            return None
        return mutant.code if (code ^ changed) & linked else (word_of(there) ^ code ^ changed).to_bytes(len(there), "little")

    def condition_of(self, one: Instruction) -> Optional[str]:
        if SELECTS.fullmatch(one.name):
            return one.operands[-1]
        branch = BRANCH.fullmatch(one.name)
        return None if branch is None else branch[1]

    def sets_flags(self, one: Instruction) -> bool:
        return SETS_FLAGS.fullmatch(one.name) is not None

    def reads_flags(self, one: Instruction) -> bool:
        return READS_FLAGS.fullmatch(one.name) is not None

    def changed(self, one: Instruction) -> Iterator[Mutant]:
        """The condition is turned round."""
        if self.condition_of(one) is not None:
            bit = OF_SELECT if SELECTS.fullmatch(one.name) else OF_BRANCH
        elif re.fullmatch("cbn?z|tbn?z", one.name):
            bit = OF_COMPARE_AND_BRANCH
        else:
            return
        said = f"{one.name} {','.join(one.operands[:-1])}".rstrip() if BRANCH.fullmatch(one.name) else one.text()
        yield Mutant(one, CONDITION, (word_of(one.code) ^ bit).to_bytes(len(one.code), "little"), f"{said}, turned round")

    def rewritten(self, one: Instruction) -> Iterator[Rewritten]:
        """Each immediate, index of an element and distance that a register moves by one more and one less, not those of addresses; the sources swapped."""
        target, operands = self.goes_to(one), one.operands
        if target is not None:
            operands = (*operands[:-1], f".{target - one.address:+#x}")
        for index, operand in enumerate(operands if not one.is_linked else ()):
            for match in NUMBER.finditer(operand) if not operand.startswith("[") else ():
                for changed in (int(match[0], 0) + 1, int(match[0], 0) - 1):
                    text = f"{operand[:match.start()]}{changed:#x}{operand[match.end():]}"
                    yield Rewritten(one, IMMEDIATE, f"{one.name} {','.join([*operands[:index], text, *operands[index + 1:]])}", f"{one.text()}, operand {index + 1} as {text}")
        first, is_shifted = 0 if COMPARES.fullmatch(one.name) else 1, bool(operands) and SHIFT.fullmatch(operands[-1])
        a, b = (*operands[first:first + 2], "", "")[:2]
        if (is_shifted or not COMMUTATIVE.fullmatch(one.name)) and REGISTER.fullmatch(a) and REGISTER.fullmatch(b) and not re.fullmatch("ld.*|st.*", one.name):
            a, b = (f"{{{b}}}", a[1:-1]) if a.startswith("{") else (b, a)
            if a != operands[first]:
                text = f"{one.name} {','.join([*operands[:first], a, b, *operands[first + 2:]])}"
                yield Rewritten(one, SWAP, text, f"{one.text()}, as {text}")
