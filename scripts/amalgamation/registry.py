# SPDX-License-Identifier: MIT
"""The rows of codecs.def, and the translation units that an amalgamation of some of them has."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, List, NamedTuple, Sequence, Tuple

# Methods that others replace: the reference and the automata in other forms are for comparison only. Of those left, each encoding
# has one in portable C, for processors without any of the instruction sets.
LEFT_OUT = re.compile(r"reference/|schemes/|dfa/(hoehrmann|shift|shift_bmi2)\.c")

PROCESSORS = {"x86_64": "__x86_64__", "i686": "__i386__", "aarch64": "__aarch64__", "wasm32": "__wasm32__"}


class Isa(NamedTuple):
    """A row ISA."""

    name: str
    processors: Tuple[str, ...]  # macros that compilers define for them
    flags: Tuple[str, ...]  # without -m: "avx2"

    @property
    def macros(self) -> List[str]:
        """What a compiler defines where these flags are given: __AVX2__."""
        return [f"__{flag.upper().replace('.', '_')}__" for flag in self.flags]


class Codec(NamedTuple):
    """A row CODEC."""

    encoding: str  # its id
    name: str
    file: str
    needs: str


class Unit(NamedTuple):
    """A translation unit: a file, compiled for an instruction set ("ANY" for none)."""

    file: str
    needs: str
    codecs: Tuple[Codec, ...]

    @property
    def prefix(self) -> str:
        """What the names of its file scope begin with."""
        stem = Path(self.file).stem
        if self.needs == "ANY":
            return f"{Path(self.file).parent.name}_"
        return f"{self.needs}_" if stem == "utf8" else f"{self.needs}_{stem}_"


class Registry:
    """codecs.def."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text("utf-8")
        self.encodings: Dict[str, str] = {name: key for key, name in re.findall(r'^ENCODING\((\w+), *"([^"]+)"\)', self.text, re.M)}
        self.isas: Dict[str, Isa] = {}
        for name, processors, flags in re.findall(r'^ISA\((\w+), *"([^"]*)", *"([^"]*)"\)', self.text, re.M):
            macros = tuple(macro for system, macro in PROCESSORS.items() if re.fullmatch(processors, system))
            self.isas[name] = Isa(name, macros, tuple(flag[len("-m"):] for flag in flags.split()))
        rows = re.findall(r"^CODEC\((\w+), *(\w+), *([\w./]+), *(\w+)\)", self.text, re.M)
        self.codecs = [Codec(*row) for row in rows if not LEFT_OUT.match(row[2])]
        if not self.encodings or not self.isas or not self.codecs:
            raise ValueError(f"{path} has no rows")

    def chosen(self, encodings: Sequence[str], simd: Sequence[str], isas: Sequence[str]) -> List[Codec]:
        """The codecs in portable C of these encodings (by name), and those of `simd`, some of these, for these instruction sets. Raises
        ValueError for names that it does not have."""
        for word, name, known in [("encoding", one, self.encodings) for one in (*encodings, *simd)] + [
                ("instruction set", one, self.isas) for one in isas]:
            if name not in known:
                raise ValueError(f"no {word} '{name}'; there are: {', '.join(known)}")
        for name in simd:
            if name not in encodings:
                raise ValueError(f"--simd names {name}, which --encodings does not; add it there")
        ids = [self.encodings[name] for name in encodings]
        simd_ids = [self.encodings[name] for name in simd]
        return [codec for codec in self.codecs
                if codec.encoding in ids and (codec.needs == "ANY" or (codec.needs in isas and codec.encoding in simd_ids))]

    @staticmethod
    def units(codecs: Sequence[Codec]) -> List[Unit]:
        """The translation units of the codecs: those of portable C first, then an instruction set after the other."""
        keys = sorted({(codec.file, codec.needs) for codec in codecs}, key=lambda key: (key[1] != "ANY", key[1], key[0]))
        return [Unit(file, needs, tuple(one for one in codecs if (one.file, one.needs) == (file, needs))) for file, needs in keys]

    def text_with(self, codecs: Sequence[Codec]) -> str:
        """codecs.def with these CODEC rows only, and no row SCHEME."""
        kept = {(codec.encoding, codec.name) for codec in codecs}
        lines = []
        for line in self.text.splitlines():
            row = re.match(r"CODEC\((\w+), *(\w+),", line)
            if not line.startswith("SCHEME(") and (row is None or row.groups() in kept):
                lines.append(line)
        return "\n".join(lines) + "\n"
