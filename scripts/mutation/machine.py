# SPDX-License-Identifier: MIT
"""Mutants of machine code: changes one instruction of a linked program, without changing its length. Three families: an immediate plus or
minus one; two source registers swapped, if that makes another operation; a condition (of a jump, a set, a conditional move) inverted.
objdump disassembles the code, and `as` encodes swapped operands.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

IMMEDIATE, SWAP, CONDITION = "immediate", "swap", "condition"
FAMILIES = (CONDITION, IMMEDIATE, SWAP)
OF_16_BITS = 0x66
PREFIXES = {OF_16_BITS, 0xF2, 0xF3}
WITH_OPERAND_SIZE = {0x68, 0x69, 0x81, 0xA9, 0xC7, 0xF7}  # opcodes with an immediate of four bytes, or of two
MOV_TO_REGISTER = range(0xB8, 0xC0)
DISTANCE_BYTES = 4
NOP, TRAP = b"\x90", b"\xCC"

# Swapping the sources of these changes nothing.
COMMUTATIVE = re.compile(r"v?p(and|or|xor)[dq]?|v?(and|or|xor)p[sd]|vpadd[bwdq]|vpadd(us|s)[bw]|vp(max|min)[us][bwdq]|vpcmpn?equ?[bwdq]|"
                         r"vpmul(lw|ld|hw|huw|dq|udq)|vpmaddwd|vpavg[bw]|k(and|or|xor|xnor|add|ortest|test)[bwdq]|test[bwlq]?|v?ptest|xchg|"
                         r"vptestn?m[bwdq]|imul.*")
# What sets all flags that a condition reads, and what else reads flags.
SETS_FLAGS = re.compile(r"(cmp|test|add|sub|and|or|xor|neg)[bwlq]?|k(or)?test[bwdq]|v?ptest")
READS_FLAGS = re.compile(r"(adc|sbb|rc[lr]|lahf|pushf|cmc|adcx|adox).*")
CONDITIONAL = re.compile(r"(j|set|cmov)(n?[abceglopsz]|n?[abgl]e|p[eo])(?:,p[nt])?")
OF_DIFFERENT_KINDS = re.compile("rep|v?p?movmsk|v?mov[dq]|kmov|v?p?broadcast|mov[zs]|vextract|vpmov|vcvt")


@dataclass(frozen=True)
class Instruction:
    """One of a program, as objdump shows it."""

    address: int
    code: bytes
    name: str
    operands: Tuple[str, ...]
    function: str = ""
    leaves: bool = False  # a jump or call out of the function

    def text(self) -> str:
        """The instruction as an assembler reads it."""
        return f"{self.name} {','.join(self.operands)}"

    def relative(self) -> range:
        """Where its code has the distance to what it names in memory, or to another function: another program that has the same function has another
        one there. Of an instruction with an immediate that objdump does not show, such as vpblendvb, this is one byte too late; none of these has mutants."""
        if self.leaves:  # the distance of a short jump has one byte
            return range(max(1, len(self.code) - DISTANCE_BYTES), len(self.code))
        if not any("(%rip)" in operand for operand in self.operands):
            return range(0)
        end = len(self.code) - (immediate_bytes(self.code) if self.operands[0][0] == "$" else 0)
        return range(end - DISTANCE_BYTES, end)

    def changed_at(self, there: bytes, code: bytes) -> Optional[bytes]:
        """What the code of a mutant is in another program that has `there` in its place; None if that is another instruction."""
        relative = self.relative()
        if len(there) != len(self.code) or any(there[i] != self.code[i] for i in range(len(self.code)) if i not in relative):
            return None
        return bytes(there[i] if code[i] == self.code[i] else code[i] for i in range(len(code)))


@dataclass(frozen=True)
class Mutant:
    """The bytes that take the place of an instruction."""

    of: Instruction
    family: str
    code: bytes
    text: str

    def label(self) -> str:
        """For a person, and for rules: without what compilers append to the name of a function."""
        return f"{self.of.address:x} {self.of.function.partition('.')[0]} {self.family}: {self.text}"


def trap_at(of: Instruction) -> Mutant:
    """Ends the process where the instruction is executed."""
    return Mutant(of, "trap", TRAP * len(of.code), f"{of.text()}, as a trap")


def is_symmetric(table: int) -> bool:
    """Whether vpternlog with this truth table does the same with its second and third source swapped."""
    return table >> 1 & 1 == table >> 2 & 1 and table >> 5 & 1 == table >> 6 & 1


def split_operands(text: str) -> Tuple[str, ...]:
    """At the commas that are in no parentheses."""
    return tuple(part.strip() for part in re.split(r",(?![^(]*\))", text)) if text else ()


def goes_to(name: str, operands: Sequence[str]) -> Optional[int]:
    """The address that a jump or call goes to; None if the instruction is none, or finds it out."""
    return int(operands[0], 16) if name[0] in "jc" and len(operands) == 1 and re.fullmatch("[0-9a-f]+", operands[0]) else None


class Program:
    """A program with its symbols."""

    def __init__(self, path: Path) -> None:
        """Reads the functions."""
        self.path = path
        rows = [line.split() for line in self.run("nm", "-S", str(path)).splitlines()]
        functions = sorted((int(row[0], 16), int(row[1], 16), row[3]) for row in rows if len(row) == 4 and row[2] in "tT")
        self.begins = [begin for begin, _, _ in functions]
        self.functions = functions

    @staticmethod
    def run(*command: str) -> str:
        """What a program prints. Raises ValueError if it fails."""
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ValueError(done.stderr.strip() or f"{command[0]} ended with {done.returncode}")
        return done.stdout

    def at(self, address: int) -> Optional[Tuple[int, int, str]]:
        """The function with this address."""
        index = bisect_right(self.begins, address) - 1
        found = self.functions[index] if index >= 0 else None
        return found if found is not None and address < found[0] + found[1] else None

    def offset_of(self, name: str) -> int:
        """The offset in the file at which a function begins; ValueError if there is none."""
        for begin, _, other in self.functions:
            if other == name:
                for row in (line.split() for line in self.run("readelf", "-lW", str(self.path)).splitlines()):
                    if row[:1] == ["LOAD"] and int(row[2], 16) <= begin < int(row[2], 16) + int(row[4], 16):
                        return begin - int(row[2], 16) + int(row[1], 16)
        raise ValueError(f"{self.path} has no function {name}")

    @lru_cache(maxsize=None)
    def instructions(self, begin: int, size: int, name: str) -> List[Instruction]:
        """The instructions of a function."""
        found = []
        listing = self.run("objdump", "-d", "-w", f"--start-address={begin}", f"--stop-address={begin + size}", str(self.path))
        for line in listing.splitlines():
            match = re.match(r"\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*\t(?:(?:notrack|bnd|data16|cs) )*(\S+)\s*([^#<]*)", line)
            if match is not None:
                operands = split_operands(match[4].strip())
                leaves = goes_to(match[3], operands) is not None and not begin <= goes_to(match[3], operands) < begin + size
                found.append(Instruction(int(match[1], 16), bytes.fromhex(match[2]), match[3], operands, name, leaves))
        return found

    def reached(self, entries: Sequence[str]) -> Dict[str, List[Instruction]]:
        """The functions that some functions call or jump to, themselves among them. Raises ValueError."""
        pending = [row for row in self.functions if row[2] in entries]
        if len(pending) != len(entries):
            raise ValueError(f"{self.path} does not have the functions {', '.join(entries)}")
        found: Dict[str, List[Instruction]] = {}
        seen: Set[int] = set()
        while pending:
            begin, size, name = pending.pop()
            if begin in seen:
                continue
            seen.add(begin)
            found[f"{name}@{begin:x}"] = code = self.instructions(begin, size, name)
            for one in code:
                target = goes_to(one.name, one.operands)
                if target is not None:
                    callee = self.at(target)
                    pending += [callee] if callee is not None and callee[0] not in seen else []
        return found


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


def assemble(texts: Sequence[str]) -> List[Optional[bytes]]:
    """The code of each line; None if it cannot be assembled. Raises ValueError if the assembler fails for another reason than a line."""
    codes: List[Optional[bytes]] = [None] * len(texts)
    lines = dict(enumerate(texts))
    with tempfile.TemporaryDirectory() as folder:
        source, object_, raw = (Path(folder) / name for name in ("a.s", "a.o", "a.bin"))
        while lines:
            order = list(lines)
            source.write_text("".join(f"L{number}: {lines[number]}\n" for number in order) + "L_end:\n")
            done = subprocess.run(["as", "-o", str(object_), str(source)], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                break
            refused = {int(number) for number in re.findall(r"a\.s:(\d+): Error", done.stderr)}
            if not refused:
                raise ValueError(done.stderr.strip() or f"as ended with {done.returncode}")
            for line in refused:
                del lines[order[line - 1]]
        if lines:
            Program.run("objcopy", "-O", "binary", "-j", ".text", str(object_), str(raw))
            places = {name: int(at, 16) for at, _, name in (row.split() for row in Program.run("nm", str(object_)).splitlines())}
            code = raw.read_bytes()
            for number, following in zip(order, [*(f"L{one}" for one in order[1:]), "L_end"]):
                codes[number] = code[places[f"L{number}"]:places[following]]
    return codes


def swap_mutants(code: Sequence[Instruction]) -> Tuple[List[Mutant], int]:
    """The mutants whose code is not longer than the instruction's, which is filled with NOPs; and how many are longer, or cannot be assembled."""
    pairs = [(one, text) for one in code for text in [swapped(one)] if text is not None]
    mutants, left_out = [], 0
    for (one, text), made in zip(pairs, assemble([text for _, text in pairs])):
        if made is None or len(made) > len(one.code):
            left_out += 1
        elif made != one.code:
            mutants.append(Mutant(one, SWAP, made + NOP * (len(one.code) - len(made)), f"{one.text()}, as {text}"))
    return mutants, left_out


def numbered(mutants: Sequence[Mutant]) -> List[Mutant]:
    """Those with the same text in one function get numbers, in the order of addresses: a rule may be about some of them."""
    def place(mutant: Mutant) -> Tuple[str, str, str]:
        return mutant.of.function, mutant.family, mutant.text

    of_each = Counter(map(place, mutants))
    numbers: Counter[Tuple[str, str, str]] = Counter()
    found = []
    for mutant in mutants:
        numbers[place(mutant)] += 1
        count = of_each[place(mutant)]
        found.append(mutant if count == 1 else replace(mutant, text=f"{mutant.text}, {numbers[place(mutant)]} of {count}"))
    return found


def next_of(one: Instruction) -> List[int]:
    """The addresses at which the program may go on in the function, or in its cold part."""
    if one.name.startswith(("ret", "call", "ud2")):
        return []
    target = goes_to(one.name, one.operands)
    return [*([] if target is None else [target]), *([] if one.name == "jmp" else [one.address + len(one.code)])]


def only_equality_is_asked(one: Instruction, code: Mapping[int, Instruction]) -> bool:
    """Whether every condition that may read the flags of a comparison asks only if both are equal. `code` has the instructions by their addresses; false
    if one that may come after it is not there."""
    pending, seen = next_of(one), set()
    while pending:
        address = pending.pop()
        if address in seen:
            continue
        seen.add(address)
        following = code.get(address)
        if following is None or READS_FLAGS.fullmatch(following.name) or (following.name == "jmp" and not next_of(following)):
            return False
        condition = CONDITIONAL.fullmatch(following.name)
        if condition is not None and condition[2] not in ("e", "ne"):
            return False
        if not SETS_FLAGS.fullmatch(following.name):
            pending += next_of(following)
    return True


def mutants_of(code: Sequence[Instruction]) -> Tuple[List[Mutant], int]:
    """All mutants in the order of addresses, and how many swaps are longer than the instruction, or cannot be assembled. Without those that compare the same two
    for equality; they have had a number, so that a change of what reads the flags changes no other label."""
    swaps, left_out = swap_mutants(code)
    found = swaps + [mutant for one in code for mutant in (*condition_mutants(one), *immediate_mutants(one))]
    found = numbered(sorted(found, key=lambda mutant: (mutant.of.address, mutant.family, mutant.text)))
    by_address = {one.address: one for one in code}
    return [one for one in found if not (one.family == SWAP and one.of.name.startswith("cmp") and only_equality_is_asked(one.of, by_address))], left_out
