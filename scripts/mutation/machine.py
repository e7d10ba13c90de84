# SPDX-License-Identifier: MIT
"""Mutants of machine code: changes one instruction of a linked program, without changing its length. Three families: an immediate plus or
minus one; two source registers swapped, if that makes another operation; a condition (of a jump, a set, a conditional move) inverted.
objdump disassembles the code, and `as` encodes what is not a change of bits.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import tempfile
from bisect import bisect_right
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Dict, FrozenSet, List, Mapping, Optional, Sequence, Set, Tuple

from .aarch64 import AArch64
from .isa import SWAP, Instruction, Isa, Mutant
from .x86 import X86

ISAS: Tuple[Isa, ...] = (X86(), AArch64())
E_MACHINE = slice(18, 20)  # of an ELF header


def isa_of(program: Path) -> Optional[Isa]:
    """Whose machine code a file has; None if it is no ELF file, or of none of these."""
    with program.open("rb") as file:
        head = file.read(E_MACHINE.stop)
    number = int.from_bytes(head[E_MACHINE], "little") if head.startswith(b"\x7fELF") else None
    return next((isa for isa in ISAS if isa.elf_machine == number), None)


def for_another_processor(name: str) -> str:
    """A command that is needed for a program that this processor does not run. Raises ValueError if it is not there."""
    if shutil.which(name) is None:
        raise ValueError(f"{name} is not there: `scripts/setup cross` installs it")
    return name


def command_of(program: Path) -> List[str]:
    """What runs a program: an emulator, if it is for another processor. Raises ValueError if there is none."""
    isa = isa_of(program)
    return [str(program)] if isa is None or isa.name == platform.machine() else [for_another_processor(f"qemu-{isa.name}"), str(program)]


def run(*command: str) -> str:
    """What a program prints. Raises ValueError if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(done.stderr.strip() or f"{command[0]} ended with {done.returncode}")
    return done.stdout


def tool(isa: Isa, name: str) -> str:
    """That of the GNU binutils which knows an instruction set; nm, readelf and addr2line read the files of any. Raises ValueError if it is not there."""
    return name if isa.name == platform.machine() else for_another_processor(f"{isa.name}-linux-gnu-{name}")


class Program:
    """A program with its symbols."""

    def __init__(self, path: Path) -> None:
        """Reads the functions."""
        isa = isa_of(path)
        if isa is None:
            raise ValueError(f"{path} is no program for one of the processors {', '.join(one.name for one in ISAS)}")
        self.path, self.isa = path, isa
        rows = [line.split() for line in run("nm", "-S", str(path)).splitlines()]
        functions = sorted((int(row[0], 16), int(row[1], 16), row[3]) for row in rows if len(row) == 4 and row[2] in "tT")
        self.begins = [begin for begin, _, _ in functions]
        self.functions = functions

    def at(self, address: int) -> Optional[Tuple[int, int, str]]:
        """The function with this address."""
        index = bisect_right(self.begins, address) - 1
        found = self.functions[index] if index >= 0 else None
        return found if found is not None and address < found[0] + found[1] else None

    def offset_of(self, name: str) -> int:
        """The offset in the file at which a function begins; ValueError if there is none."""
        for begin, _, other in self.functions:
            if other == name:
                for row in (line.split() for line in run("readelf", "-lW", str(self.path)).splitlines()):
                    if row[:1] == ["LOAD"] and int(row[2], 16) <= begin < int(row[2], 16) + int(row[4], 16):
                        return begin - int(row[2], 16) + int(row[1], 16)
        raise ValueError(f"{self.path} has no function {name}")

    @lru_cache(maxsize=None)
    def relocated(self) -> FrozenSet[int]:
        """The instructions that relocations say to have a part of the address of data. Raises ValueError if there are no relocations."""
        if self.isa.relocation is None:
            return frozenset()
        rows = [line.split() for line in run("readelf", "-rW", str(self.path)).splitlines()]
        found = frozenset(int(row[0], 16) for row in rows if len(row) > 2 and self.isa.relocation.match(row[2]))
        if not found:
            raise ValueError(f"{self.path} has no relocations of code: link it with --emit-relocs")
        return found

    @lru_cache(maxsize=None)
    def instructions(self, begin: int, size: int, name: str) -> List[Instruction]:
        """The instructions of a function."""
        listing = run(tool(self.isa, "objdump"), "-d", "-w", f"--start-address={begin}", f"--stop-address={begin + size}", str(self.path))
        found = []
        for match in filter(None, map(self.isa.line.match, listing.splitlines())):
            found.append(Instruction(int(match[1], 16), self.isa.code_of(match[2]), match[3], self.isa.split_operands(match[4].strip()), name))
        relocated, targets = self.relocated(), [self.isa.goes_to(one) for one in found]
        leave = [target is not None and not begin <= target < begin + size for target in targets]
        return [replace(one, is_linked=leaves or self.isa.names_data(one, one.address in relocated)) for one, leaves in zip(found, leave)]

    def reached(self, entries: Sequence[str]) -> Dict[str, List[Instruction]]:
        """The functions that some functions call or jump to, themselves among them. Raises ValueError."""
        pending = [row for row in self.functions if row[2] in entries]
        if len(pending) != len(entries):
            raise ValueError(f"{self.path}, a program for {self.isa.name}, does not have the functions {', '.join(entries)}")
        found: Dict[str, List[Instruction]] = {}
        seen: Set[int] = set()
        while pending:
            begin, size, name = pending.pop()
            if begin in seen:
                continue
            seen.add(begin)
            found[f"{name}@{begin:x}"] = code = self.instructions(begin, size, name)
            for one in code:
                target = self.isa.goes_to(one)
                if target is not None:
                    callee = self.at(target)
                    pending += [callee] if callee is not None and callee[0] not in seen else []
        return found


def assemble(isa: Isa, texts: Sequence[str]) -> List[Optional[bytes]]:
    """The code of each line; None if it cannot be assembled. Raises ValueError if the assembler fails for another reason than a line."""
    codes: List[Optional[bytes]] = [None] * len(texts)
    lines = dict(enumerate(texts))
    with tempfile.TemporaryDirectory() as folder:
        source, object_, raw = (Path(folder) / name for name in ("a.s", "a.o", "a.bin"))
        while lines:
            order = list(lines)
            source.write_text("".join(f"L{number}: {lines[number]}\n" for number in order) + "L_end:\n")
            done = subprocess.run([tool(isa, "as"), "-o", str(object_), str(source)], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                break
            refused = {int(number) for number in re.findall(r"a\.s:(\d+): Error", done.stderr)}
            if not refused:
                raise ValueError(done.stderr.strip() or f"as ended with {done.returncode}")
            for line in refused:
                del lines[order[line - 1]]
        if lines:
            run(tool(isa, "objcopy"), "-O", "binary", "-j", ".text", str(object_), str(raw))
            places = {name: int(at, 16) for at, _, name in (row.split() for row in run("nm", str(object_)).splitlines())}
            code = raw.read_bytes()
            for number, following in zip(order, [*(f"L{one}" for one in order[1:]), "L_end"]):
                codes[number] = code[places[f"L{number}"]:places[following]]
    return codes


def assembled_mutants(isa: Isa, code: Sequence[Instruction]) -> Tuple[List[Mutant], int]:
    """The mutants whose code is not longer than the instruction's, which is filled with NOPs; and how many are longer, or cannot be assembled."""
    pending = [one for instruction in code for one in isa.rewritten(instruction)]
    mutants, left_out = [], 0
    while pending:
        others = []
        for one, made in zip(pending, assemble(isa, [one.sources[0] for one in pending])):
            room = len(one.of.code) - len(made or b"")
            if made is not None and room >= 0:
                mutants += [Mutant(one.of, one.family, made + isa.nop * (room // len(isa.nop)), one.texts[0])] if made != one.of.code else []
            elif len(one.sources) > 1:
                others.append(replace(one, sources=one.sources[1:], texts=one.texts[1:]))
            else:
                left_out += 1
        pending = others
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


def only_equality_is_asked(isa: Isa, one: Instruction, code: Mapping[int, Instruction]) -> bool:
    """Whether every condition that may read the flags of a comparison asks only if both are equal. `code` has the instructions by their addresses; false
    if one that may come after it is not there."""
    pending, seen = list(isa.next_of(one) or ()), set()
    while pending:
        address = pending.pop()
        if address in seen:
            continue
        seen.add(address)
        following = code.get(address)
        after = None if following is None else isa.next_of(following)
        if following is None or after is None or isa.reads_flags(following) or isa.condition_of(following) not in (None, *isa.equality):
            return False
        if not isa.sets_flags(following):
            pending += after
    return True


def mutants_of(isa: Isa, code: Sequence[Instruction]) -> Tuple[List[Mutant], int]:
    """All mutants in the order of addresses, and how many are longer than the instruction, or cannot be assembled. Without those that compare the same two
    for equality; they have had a number, so that a change of what reads the flags changes no other label."""
    assembled, left_out = assembled_mutants(isa, code)
    found = assembled + [mutant for one in code for mutant in isa.changed(one)]
    found = numbered(sorted(found, key=lambda mutant: (mutant.of.address, mutant.family, mutant.text)))
    by_address = {one.address: one for one in code}
    return [one for one in found if not (one.family == SWAP and isa.compares_two(one.of) and only_equality_is_asked(isa, one.of, by_address))], left_out
