# SPDX-License-Identifier: MIT
"""Mutants of the C sources: one operator, constant or statement of a line is changed, and the codec compiled again.

Only lines that have machine code in the functions of an operation are changed, and the constants of the enums in their files."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Sequence, Set, Tuple

from .equivalence import CODECS
from .machine import Program

# Of binutils 2.40, addr2line takes the first header of an object for the object's source, so that this header's lines are missed.
ADDR2LINE = shutil.which("llvm-addr2line") or "addr2line"

OPERATOR, CONSTANT, STATEMENT = "operator", "constant", "statement"
FAMILIES = (OPERATOR, CONSTANT, STATEMENT)

# Binary operators and assignments stand between spaces, as clang-format writes them; a pointer's asterisk does not.
BINARY = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",), "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",),
          "%": ("/",), "&": ("|",), "|": ("&",), "^": ("|",), "<<": (">>",), ">>": ("<<",), "&&": ("||",), "||": ("&&",), "+=": ("-=",), "-=": ("+=",), "|=": ("&=", "="),
          "&=": ("|=", "="), "^=": ("|=",), "<<=": (">>=",), ">>=": ("<<=",)}
WORDS = {"++": "--", "--": "++", "true": "false", "false": "true"}
TOKEN = re.compile(r"(?<= )(<<=|>>=|[-+|&^]=|<<|>>|<=|>=|==|!=|&&|\|\||[-<>+*/%&|^])(?= )|(\+\+|--|\btrue\b|\bfalse\b)|([!~])(?=[\w(])|"
                   r"(?<![\w.])(0x[0-9A-Fa-f]+|[0-9]+)([uUlL]*)(?![\w.])")
OF_AN_ENUM = re.compile(r"\s*(enum (\w+ )?\{ )?[A-Z][A-Z0-9_]* = ")
DECLARATION = re.compile(r"\s*(const |static |struct |enum |u?int\d*(_t)? |size_t |bool |vec |truth |unsigned |__m\d+i? |__mmask|char |typedef )")
WHOLE_STATEMENT = re.compile(r"\s*[\w*(][^;{}]*;\s*$")
IDS = {member: id_ for id_, member in re.findall(r"(?m)^OPERATION\((\w+), *(\w+),", (CODECS / "operations.def").read_text("utf-8"))}
FUNCTION = re.compile(r"^[A-Za-z_](?:.*__attribute__\(\(.*?\)\))?.*?(\w+)\([^;]*$")


@dataclass(frozen=True)
class Line:
    """One of a file below codecs/, without comments; `function` is the one it is in, or empty."""

    file: str
    number: int
    code: str
    function: str

    def place(self) -> str:
        """For a person."""
        return f"{self.file}:{self.number} {self.function}".rstrip()


@dataclass(frozen=True)
class Mutant:
    """What takes the place of a line."""

    line: Line
    family: str
    code: str
    text: str

    def label(self) -> str:
        """For a person."""
        return f"{self.family}: {self.text}: {self.code.strip() or 'nothing'}"


def without_comments(text: str) -> str:
    """With as many characters in each line."""
    return re.sub(r"/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.DOTALL)


@lru_cache(maxsize=None)
def lines_of(codecs: Path, file: str) -> Sequence[Line]:
    """Of a file of codecs/; those of the preprocessor are empty."""
    found, function, in_macro = [], "", False
    for number, code in enumerate(without_comments((codecs / file).read_text("utf-8")).split("\n"), 1):
        is_macro, in_macro = in_macro or code.startswith("#"), code.endswith("\\") and (in_macro or code.startswith("#"))
        match = FUNCTION.match(code)
        if match is not None and not is_macro:
            function = match[1]
        found.append(Line(file, number, "" if is_macro else code.rstrip(), function))
        if code == "}":
            function = ""
    return found


def places_of(program: Program, addresses: Sequence[int]) -> Dict[int, Set[Tuple[str, int]]]:
    """The files below codecs/, and the numbers of the lines, of the code at each of these addresses: where it is from, and where that was inlined."""
    said = subprocess.run([ADDR2LINE, "-a", "-i", "-e", str(program.path)], input="".join(f"{address:x}\n" for address in addresses), capture_output=True, text=True, check=True).stdout
    found = {}
    for block in re.split(r"(?m)^0x(?=[0-9a-f]+$)", said)[1:]:
        address, _, places = block.partition("\n")
        found[int(address, 16)] = {(os.path.normpath(file), int(number)) for file, number in re.findall(r"(?m)^.*?\bcodecs/(\S+):(\d+)", places)}
    return found


def lines_at(places: Set[Tuple[str, int]], codecs: Path) -> List[Line]:
    """The lines of these places, and those of enums in the same files."""
    found = []
    for file in sorted({file for file, _ in places if file.endswith((".c", ".h")) and (codecs / file).is_file()}):
        found += [line for line in lines_of(codecs, file) if (file, line.number) in places or OF_AN_ENUM.match(line.code)]
    return found


def changes_of(match: re.Match[str]) -> Iterator[Tuple[str, str]]:
    """The family of a token's changes, and what stands in its place."""
    binary, word, unary, number, suffix = match.groups()
    if binary is not None:
        yield from ((OPERATOR, other) for other in BINARY[binary])
    elif word is not None:
        yield CONSTANT if word.isalpha() else OPERATOR, WORDS[word]
    elif unary is not None:
        yield OPERATOR, ""
    else:
        yield CONSTANT, f"{int(number, 0) + 1}{suffix}"
        if int(number, 0) > 0:
            yield CONSTANT, f"{int(number, 0) - 1}{suffix}"


def mutants_of_line(line: Line, is_first: bool) -> Iterator[Mutant]:
    """All of one line. `is_first`: a statement begins there."""
    if re.match(r"\s*(ASSUME|static_assert|_Static_assert)\b", line.code):
        return
    for match in TOKEN.finditer(line.code):
        for family, other in changes_of(match):
            yield Mutant(line, family, line.code[:match.start()] + other + line.code[match.end():], f"{match[0]} as {other}" if other else f"without {match[0]}")
    if is_first and WHOLE_STATEMENT.match(line.code) and not DECLARATION.match(line.code) and not line.code.strip().startswith(("return", "goto")):
        yield Mutant(line, STATEMENT, ";", "deleted")


def mutants_of(codecs: Path, reached: Sequence[Line]) -> List[Mutant]:
    """All, in the order of the sources."""
    found: List[Mutant] = []
    texts = {file: lines_of(codecs, file) for file in {line.file for line in reached}}
    for line in reached:
        before = next((other.code for other in reversed(texts[line.file][:line.number - 1]) if other.code.strip()), "")
        found += mutants_of_line(line, before.rstrip().endswith((";", "{", "}", ")", "else", ":")))
    return found


@dataclass(frozen=True)
class Build:
    """How a codec is compiled: its encoding, in symbols, its file below codecs/, its name, the flags, and the only operations that it has then."""

    compiler: str
    encoding: str
    file: str
    name: str
    flags: Sequence[str]
    operations: Sequence[str]

    def command(self, folder: Path, library: Path) -> List[str]:
        """The mutant is a codec named `mutant`, in a copy of codecs/."""
        wrapper = folder / f"{self.name}.c"
        wrapper.write_text(f'#define codec_{self.encoding}_{self.name} original\n#include "codecs/{self.file}"\nstruct assay_codec assay_codec;\n'
                           'static __attribute__((constructor)) void name_mutant(void)\n{\n    assay_codec = original;\n    assay_codec.name = "mutant";\n}\n', "utf-8")
        has = "|".join(f"OPERATION_BIT({IDS[operation]})" for operation in self.operations)
        return [self.compiler, "-std=c11", "-D_DEFAULT_SOURCE", "-O2", "-w", "-shared", "-fPIC", "-Wl,--build-id=none", f"-DISA={self.name}",
                f"-DLACKS=(~({has}))", *self.flags, "-o", str(library), str(wrapper), str(folder / "codecs" / "cpu.c")]

    def text_of(self, codecs: Path, file: str) -> str:
        """Of a file below codecs/; without the codecs of other encodings, as many lines."""
        text = (codecs / file).read_text("utf-8")
        others = rf'(?m)^#define ENCODING (?!{self.encoding}\n)\w+\n(?:#define .*\n)*#include ".*"$'
        return text if file != self.file else re.sub(others, lambda match: "\n" * match[0].count("\n"), text)


def limit_compiler() -> None:
    """Of this process: a minute of processor time. By the clock, a busy machine would refuse mutants."""
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


class Workshop:
    """A copy of codecs/ in which one file at a time is changed."""

    def __init__(self, codecs: Path, folder: Path, build: Build) -> None:
        """Makes the copy."""
        self.codecs, self.folder, self.build = codecs, folder, build
        shutil.copytree(codecs, folder / "codecs", dirs_exist_ok=True)
        self.write(build.file, build.text_of(codecs, build.file))

    def write(self, file: str, text: str) -> None:
        """To the copy."""
        (self.folder / "codecs" / file).write_text(text, "utf-8")

    def compile(self, mutant: Optional[Mutant], library: Path) -> bool:
        """False if the compiler refuses it."""
        text = "" if mutant is None else self.build.text_of(self.codecs, mutant.line.file)
        if mutant is not None:
            lines = text.split("\n")
            lines[mutant.line.number - 1] = mutant.code
            self.write(mutant.line.file, "\n".join(lines))
        try:
            done = subprocess.run(self.build.command(self.folder, library), capture_output=True, check=False, preexec_fn=limit_compiler)
            return done.returncode == 0
        finally:
            if mutant is not None:
                self.write(mutant.line.file, text)
