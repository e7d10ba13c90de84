# SPDX-License-Identifier: MIT
"""Mutants of the machine code of x86-64, as objdump shows it (AT&T syntax)."""

from __future__ import annotations

import re
from typing import Iterator, Optional, Sequence, Tuple

from .isa import CONDITION, IMMEDIATE, SWAP, Instruction, Isa, Mutant, Rewritten

OF_16_BITS = 0x66
PREFIXES = {OF_16_BITS, 0xF2, 0xF3}
WITH_OPERAND_SIZE = {0x68, 0x69, 0x81, 0xA9, 0xC7, 0xF7}  # opcodes with an immediate of four bytes, or of two
MOV_TO_REGISTER = range(0xB8, 0xC0)
DISTANCE_BYTES = 4

# Swapping the sources of these changes nothing.
COMMUTATIVE = re.compile(r"v?p(and|or|xor)[dq]?|v?(and|or|xor)p[sd]|vpadd[bwdq]|vpadd(us|s)[bw]|vp(max|min)[us][bwdq]|vpcmpn?equ?[bwdq]|"
                         r"vpmul(lw|ld|hw|huw|dq|udq)|vpmaddwd|vpavg[bw]|k(and|or|xor|xnor|add|ortest|test)[bwdq]|test[bwlq]?|v?ptest|xchg|"
                         r"vptestn?m[bwdq]|imul.*")
# What sets all flags that a condition reads, and what else reads flags.
SETS_FLAGS = re.compile(r"(cmp|test|add|sub|and|or|xor|neg)[bwlq]?|k(or)?test[bwdq]|v?ptest")
READS_FLAGS = re.compile(r"(adc|sbb|rc[lr]|lahf|pushf|cmc|adcx|adox).*")
CONDITIONAL = re.compile(r"(j|set|cmov)(n?[abceglopsz]|n?[abgl]e|p[eo])(?:,p[nt])?")
OF_DIFFERENT_KINDS = re.compile("rep|v?p?movmsk|v?mov[dq]|kmov|v?p?broadcast|mov[zs]|vextract|vpmov|vcvt")


class X86(Isa):
    """Of 64 bits."""

    name = "x86_64"
    elf_machine = 62
    line = re.compile(r"\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*\t(?:(?:notrack|bnd|data16|cs) )*(\S+)\s*([^#<]*)")
    equality = {"e", "ne"}
    nop, trap = b"\x90", b"\xCC"

    def code_of(self, shown: str) -> bytes:
        return bytes.fromhex(shown)

    def split_operands(self, text: str) -> Tuple[str, ...]:
        return tuple(part.strip() for part in re.split(r",(?![^(]*\))", text)) if text else ()

    def goes_to(self, one: Instruction) -> Optional[int]:
        return int(one.operands[0], 16) if one.name[0] in "jc" and len(one.operands) == 1 and re.fullmatch("[0-9a-f]+", one.operands[0]) else None

    def next_of(self, one: Instruction) -> Optional[Sequence[int]]:
        if one.name.startswith(("ret", "call", "ud2")):
            return []
        target = self.goes_to(one)
        if one.name == "jmp":
            return None if target is None else [target]
        return [*([] if target is None else [target]), one.address + len(one.code)]

    def names_data(self, one: Instruction, _is_relocated: bool) -> bool:
        return any("(%rip)" in operand for operand in one.operands)

    @staticmethod
    def linked_bytes(one: Instruction) -> range:
        """Where its code has the distance to what it names in memory, or to another function. Of an instruction with an immediate that objdump does not show,
        such as vpblendvb, this is one byte too late; none of these has mutants."""
        if not one.is_linked:
            return range(0)
        end = len(one.code) - (immediate_bytes(one.code) if one.operands[0][0] == "$" else 0)
        return range(max(1, end - DISTANCE_BYTES), end)  # the distance of a short jump has one byte

    def in_another_program(self, mutant: Mutant, there: bytes) -> Optional[bytes]:
        code, linked = mutant.of.code, self.linked_bytes(mutant.of)
        if len(there) != len(code) or any(there[i] != code[i] for i in range(len(code)) if i not in linked):
            return None
        return bytes(there[i] if mutant.code[i] == code[i] else mutant.code[i] for i in range(len(code)))

    def condition_of(self, one: Instruction) -> Optional[str]:
        found = CONDITIONAL.fullmatch(one.name)
        return None if found is None else found[2]

    def sets_flags(self, one: Instruction) -> bool:
        return SETS_FLAGS.fullmatch(one.name) is not None

    def reads_flags(self, one: Instruction) -> bool:
        return READS_FLAGS.fullmatch(one.name) is not None

    def compares_two(self, one: Instruction) -> bool:
        return one.name.startswith("cmp")

    def changed(self, one: Instruction) -> Iterator[Mutant]:
        yield from condition_mutants(one)
        yield from immediate_mutants(one)

    def rewritten(self, one: Instruction) -> Iterator[Rewritten]:
        text = swapped(one)
        if text is not None:
            yield Rewritten(one, SWAP, [text], [f"{one.text()}, as {text}"])


def is_symmetric(table: int) -> bool:
    """Whether vpternlog with this truth table does the same with its second and third source swapped."""
    return table >> 1 & 1 == table >> 2 & 1 and table >> 5 & 1 == table >> 6 & 1


def condition_mutants(one: Instruction) -> Iterator[Mutant]:
    """The condition is the lowest bit of the opcode."""
    if CONDITIONAL.fullmatch(one.name) is None:
        return
    code = bytearray(one.code)
    code[0 if code[0] >> 4 == 7 else code.index(0x0F) + 1] ^= 1
    yield Mutant(one, CONDITION, bytes(code), f"{one.name if one.name[0] == 'j' else one.text()}, turned round")


def immediate_bytes(code: bytes) -> int:
    """The width of the immediate of an instruction that has one, by its opcode: for 0 and -1, the bytes would fit several widths."""
    begin = next(index for index, byte in enumerate(code) if byte not in PREFIXES)
    has_rex, is_64_bits = code[begin] >> 4 == 4, code[begin] >> 3 == 9
    opcode = code[begin + has_rex]
    if is_64_bits and opcode in MOV_TO_REGISTER:
        return 8
    if opcode in WITH_OPERAND_SIZE or opcode in MOV_TO_REGISTER or (opcode < 0x40 and opcode & 7 == 5):
        return 2 if OF_16_BITS in code[:begin] else 4
    return 1


def immediate_mutants(one: Instruction) -> Iterator[Mutant]:
    """The immediate is at the end of the instruction."""
    match = re.fullmatch(r"\$0x([0-9a-f]+)", one.operands[0]) if one.operands else None
    if match is None:
        return
    width = immediate_bytes(one.code)
    value = int.from_bytes(one.code[-width:], "little")
    if len(one.code) > width and value == int(match[1], 16) % (1 << 8 * width):
        for change in (1, -1):
            changed = (value + change) % (1 << 8 * width)
            yield Mutant(one, IMMEDIATE, one.code[:-width] + changed.to_bytes(width, "little"), f"{one.text()}, {change:+d}")


def swapped(one: Instruction) -> Optional[str]:
    """The text of an instruction with its two sources swapped, or, if it has two operands, with these swapped."""
    if COMMUTATIVE.fullmatch(one.name):
        return None
    first = 1 if one.operands and one.operands[0].startswith("$") else 0
    registers = one.operands[first:]
    if not 2 <= len(registers) <= 3 or not all(re.match("%", register) for register in registers):
        return None
    a, b = registers[:2]
    if one.name.startswith("vpternlog") and is_symmetric(int(one.operands[0][1:], 16)):
        return None
    if a == b or (len(registers) == 2 and OF_DIFFERENT_KINDS.match(one.name)):
        return None
    if len(registers) == 2 and "{" in b:
        return None
    return f"{one.name} {','.join([*one.operands[:first], b, a, *registers[2:]])}"
