# SPDX-License-Identifier: MIT
"""Mutants of the machine code of 64-bit ARM, as objdump shows it. An instruction has four bytes."""

from __future__ import annotations

import re
from typing import Iterator, Optional, Sequence, Set, Tuple

from .isa import CONDITION, IMMEDIATE, SWAP, Instruction, Isa, Mutant, Rewritten

# Swapping the first two sources of these changes nothing, unless the second is shifted; of csel, it is the condition turned round.
COMMUTATIVE = re.compile(r"(add|adc|and)s?|orr|eor|eon|tst|cmn|ccmn|mul|mneg|madd|msub|[us]m(add|sub|neg)l|[us]mul(l2?|h)|f?csel|cmeq|cmtst|[us](max|min)|[us]qadd|[us]r?hadd|"
                         r"[us]ab[ad](l2?)?|[us]addl2?|ml[as]|[us]ml[as]l2?|pmull?2?|r?addhn2?|sqr?dmulh")
SHIFT = re.compile("(lsl|lsr|asr|ror|[us]xt[bhwx])( .*)?")
COMPARES = re.compile("cmp|cmn|tst|ccm[pn]")  # has no destination
SELECTS = re.compile("csel|csinc|csinv|csneg|cset|csetm|cinc|cinv|cneg|fcsel|ccmp|ccmn|fccmp")  # their last operand is the condition
SETS_FLAGS = re.compile("cmp|cmn|tst|ccm[pn]|adds|subs|ands|bics|negs|fc?cmpe?")
READS_FLAGS = re.compile("adcs?|sbcs?|ngcs?|mrs|cfinv|axflag|xaflag|rmif")
TESTS = re.compile("cbn?z|tbn?z")  # a register, and jumps
BRANCH = re.compile(rf"bl?|b\.(\w\w)|{TESTS.pattern}")
REGISTER = re.compile(r"[wxbhsdqv]\d+(\.\d*[bhsdq])?|[wx]zr|w?sp|\{v\d+\.16b\}")
NUMBER = re.compile(r"(?<=#)-?(0x[0-9a-f]+|\d+)|(?<=\.[bhsd]\[)\d+(?=\])|(?<=\.[bhsd]\}\[)\d+(?=\])")
FLAGS = {"ccmp": 2, "ccmn": 2}  # the operand that is no number
WIDTHS = {"w": 32, "x": 64}

# Bits of an instruction: the distance of a conditional jump, and those that turn a condition round.
DISTANCE, DISTANCE_OF_BIT_TEST = 0x00FFFFE0, 0x0007FFE0
OF_BRANCH, OF_SELECT, OF_TEST = 1 << 0, 1 << 12, 1 << 24


def word_of(code: bytes) -> int:
    """The number that an instruction is."""
    return int.from_bytes(code, "little")


def linked_bits(one: Instruction) -> int:
    """Those that the linker sets, of an instruction that has mutants."""
    if not one.is_linked or not BRANCH.fullmatch(one.name):
        return 0
    return DISTANCE_OF_BIT_TEST if one.name.startswith("tb") else DISTANCE


class AArch64(Isa):
    """Little-endian."""

    name = "aarch64"
    elf_machine = 183
    line = re.compile(r"\s*([0-9a-f]+):\t([0-9a-f]{8}) \t(\S+)\s*([^<]*?)\s*(?:<.*|//.*)?$")
    equality = {"eq", "ne"}
    relocation = re.compile("R_AARCH64_ADD")  # the offset of data in its page looks like another summand
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
        elif TESTS.fullmatch(one.name):
            bit = OF_TEST
        else:
            return
        said = f"{one.name} {','.join(one.operands[:-1])}".rstrip() if BRANCH.fullmatch(one.name) else one.text()
        yield Mutant(one, CONDITION, (word_of(one.code) ^ bit).to_bytes(len(one.code), "little"), f"{said}, turned round")

    def rewritten(self, one: Instruction) -> Iterator[Rewritten]:
        yield from immediates(one)
        yield from swapped(one)

    def compares_two(self, one: Instruction) -> bool:
        return one.name in ("cmp", "ccmp") and not SHIFT.fullmatch(one.operands[-1])


def changes(number: int, width: Optional[int]) -> Iterator[Sequence[int]]:
    """One more, else twice as much; one less, else half as much: most masks have no neighbour that an instruction can have. A register begins again at 0."""
    yield (0,) if width is not None and number + 1 == 1 << width else (number + 1, 2 * number)
    yield (number - 1, number // 2)


def immediates(one: Instruction) -> Iterator[Rewritten]:
    """Each immediate, index of an element and distance that a register is shifted by; nothing of an address."""
    target = None if BRANCH.fullmatch(one.name) is None else int(one.operands[-1], 16)
    operands = one.operands if target is None else (*one.operands[:-1], f".{target - one.address:+#x}")
    if one.is_linked and target is None:
        return
    for index, operand in enumerate(operands):
        for match in NUMBER.finditer(operand) if not operand.startswith("[") and FLAGS.get(one.name) != index else ():
            for numbers in changes(int(match[0], 0), WIDTHS.get(operands[0][0])):
                texts = [f"{operand[:match.start()]}{number:#x}{operand[match.end():]}" for number in numbers]
                sources = [f"{one.name} {','.join([*operands[:index], text, *operands[index + 1:]])}" for text in texts]
                yield Rewritten(one, IMMEDIATE, sources, [f"{one.text()}, operand {index + 1} as {text}" for text in texts])


def swapped(one: Instruction) -> Iterator[Rewritten]:
    """The first two sources of registers, if that makes another operation; of a look-up, the table and the indices."""
    first = 0 if COMPARES.fullmatch(one.name) else 1
    if len(one.operands) < first + 2 or (COMMUTATIVE.fullmatch(one.name) and not SHIFT.fullmatch(one.operands[-1])):
        return
    a, b = one.operands[first:first + 2]
    if not REGISTER.fullmatch(a) or not REGISTER.fullmatch(b) or a.strip("{}") == b:
        return
    register, _, lanes = b.partition(".")
    pair = [f"{{{register}.16b}}", a[1:-1].replace("16b", lanes)] if a.startswith("{") else [b, a]
    text = f"{one.name} {','.join([*one.operands[:first], *pair, *one.operands[first + 2:]])}"
    yield Rewritten(one, SWAP, [text], [f"{one.text()}, as {text}"])
