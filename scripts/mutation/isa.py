# SPDX-License-Identifier: MIT
"""What mutants of machine code are, for any instruction set. A new one is a class in a file of its own, and an element of ISAS in machine.py."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Iterator, Optional, Sequence, Set, Tuple

IMMEDIATE, SWAP, CONDITION = "immediate", "swap", "condition"
FAMILIES = (CONDITION, IMMEDIATE, SWAP)


@dataclass(frozen=True)
class Instruction:
    """One of a program, as objdump shows it."""

    address: int
    code: bytes
    name: str
    operands: Tuple[str, ...]
    function: str = ""
    is_linked: bool = False  # has a part that the linker sets: the distance to another function, or the address of data

    def text(self) -> str:
        """The instruction as an assembler reads it."""
        return f"{self.name} {','.join(self.operands)}"


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


@dataclass(frozen=True)
class Rewritten:
    """A mutant that is to be assembled."""

    of: Instruction
    family: str
    sources: Sequence[str]  # the first that can be assembled is taken
    texts: Sequence[str]  # of its label, for each


class Isa(ABC):
    """An instruction set: how objdump shows it, and which mutants an instruction has."""

    name: str  # as of platform.machine(), and of the emulator qemu-NAME
    elf_machine: int  # e_machine of ELF files
    line: re.Pattern[str]  # of objdump: address, bytes, name, operands
    equality: Set[str]  # conditions that ask only if both of a comparison are equal
    relocation: Optional[re.Pattern[str]] = None  # of instructions whose immediate is a part of an address, if they do not show it
    nop: bytes
    trap: bytes  # as long as the shortest instruction

    @abstractmethod
    def code_of(self, shown: str) -> bytes:
        """The bytes in the order of memory, of the digits that objdump shows."""

    @abstractmethod
    def split_operands(self, text: str) -> Tuple[str, ...]:
        """At the commas that are in no parentheses."""

    @abstractmethod
    def goes_to(self, one: Instruction) -> Optional[int]:
        """The address that a jump or call goes to; None if the instruction is none, or finds it out."""

    @abstractmethod
    def next_of(self, one: Instruction) -> Optional[Sequence[int]]:
        """The addresses at which the program may go on in the function, or in its cold part; None if that is found out by the program."""

    def names_data(self, _one: Instruction, is_relocated: bool) -> bool:
        """Whether it has a part of the address of data."""
        return is_relocated

    @abstractmethod
    def in_another_program(self, mutant: Mutant, there: bytes) -> Optional[bytes]:
        """What the code of a mutant is in another program that has `there` in place of its instruction; None if that is another instruction."""

    @abstractmethod
    def condition_of(self, one: Instruction) -> Optional[str]:
        """The condition on flags that it asks."""

    @abstractmethod
    def sets_flags(self, one: Instruction) -> bool:
        """Whether it sets all flags that a condition asks."""

    @abstractmethod
    def reads_flags(self, one: Instruction) -> bool:
        """Whether it uses flags in another way than by a condition."""

    @abstractmethod
    def compares_two(self, one: Instruction) -> bool:
        """Whether it sets flags by a comparison that finds the same two equal if they are swapped."""

    @abstractmethod
    def changed(self, one: Instruction) -> Iterator[Mutant]:
        """The mutants that are made by changing bits."""

    @abstractmethod
    def rewritten(self, one: Instruction) -> Iterator[Rewritten]:
        """The mutants that an assembler makes."""

    def trap_at(self, of: Instruction) -> Mutant:
        """Ends the process where the instruction is executed."""
        return Mutant(of, "trap", self.trap * (len(of.code) // len(self.trap)), f"{of.text()}, as a trap")
