# SPDX-License-Identifier: MIT
"""Single entries of the tables of an automaton or of a vector kernel are changed in a loadable copy of the codec, and `assay prove` is asked."""

from __future__ import annotations

import ctypes
import itertools
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Tuple

REJECT, NO_HALF, STATE_BITS = 1, 0xFF, 6  # as in codecs/dfa/
SHARE = 61  # every 61st window is asked
SHARE_OF_TEXTS = 101  # and every 101st text first
OPERATIONS_OF_SHUFFLES = ("DECODE_UTF32", "DECODE_UTF16", "ENCODE_UTF32", "ENCODE_UTF16", "TO_WELL_FORMED")
SHARE_OF_MIXTURES = 11  # of a change that gives the same answers, every 11th mixture is asked
PAIRS, TWO_CONTINUATIONS = 48, 50  # in `struct encoding` of the vector kernels: the three tables of pairs of bytes; a constant

# ENTRY="table,index,value" changes an entry while the library is loaded; `patchable` has the tables, for whoever asks for their entries.
PATCH = """
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct patchable {
    const char *name;
    void *entries;
    size_t width, count;
};
const struct patchable patchable[] = {TABLES{NULL, NULL, 0, 0}};
static void __attribute__((constructor)) patch(void)
{
    char name[64];
    unsigned long long index, value;
    const char *entry = getenv("ENTRY");
    if (entry == NULL)
        return;
    for (const struct patchable *at = patchable; at->name != NULL; at++)
        if (sscanf(entry, "%63[^,],%llu,%llx", name, &index, &value) == 3 && strcmp(name, at->name) == 0 && index < at->count) {
            memcpy((char *)at->entries + index * at->width, &value, at->width); /* little-endian */
            return;
        }
    abort(); /* there is no such entry */
}
"""
OF_ARRAY = "{{\"{0}\", {0}, sizeof *{0}, sizeof {0} / sizeof *{0}}}, "
OF_ROWS = "\n#ifdef {1}\n{{\"{0}\", {0}, 1, sizeof {0}}},\n#endif\n"  # of a header with this guard, if the codec includes it
OF_STRUCT = "{{\"{0}\", &{0}, 1, offsetof(struct encoding, surrogates)}}, "  # the bytes before the first member that is none


class Patchable(ctypes.Structure):
    """As in PATCH."""

    _fields_ = [("name", ctypes.c_char_p), ("entries", ctypes.c_void_p), ("width", ctypes.c_size_t), ("count", ctypes.c_size_t)]


@dataclass(frozen=True)
class Codec:
    """A row of the registry: the encoding as in symbols and as in words, the codec, its file, the instruction set and its flags."""

    id_: str
    encoding: str
    name: str
    file: str
    isa: str
    flags: Tuple[str, ...]

    def is_automaton(self) -> bool:
        """Else it uses vectors."""
        return self.file.startswith("dfa/")


@dataclass(frozen=True)
class Question:
    """A theorem of `assay prove` or a part of `assay sweep`, and the words that ask about it."""

    name: str
    words: Tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """Another value for an entry of a table."""

    table: str
    index: int
    value: int

    def variable(self) -> Dict[str, str]:
        """The environment in which a library makes the change."""
        return {"ENTRY": f"{self.table},{self.index},{self.value:x}"}


def codecs_in(registry: str) -> List[Codec]:
    """Those with tables of their own. The published loops have the table of `hoehrmann2010`."""
    names = dict(re.findall(r'(?m)^ENCODING\((\w+), *"([^"]+)"\)', registry))
    flags = {name: tuple(text.split()) for name, text in re.findall(r'(?m)^ISA\((\w+), *"[^"]*", *"([^"]*)"\)', registry)}
    rows = re.findall(r"(?m)^CODEC\((\w+), *(\w+), *((?:dfa/|simd/utf8|simd/family)[^, ]*), *(\w+)\)", registry)
    return [Codec(id_, names[id_], name, file, isa, flags.get(isa, ())) for id_, name, file, isa in rows if name != "hoehrmann_loop"]


def only_of(codec: Codec, text: str) -> str:
    """A source without the paragraphs that define other codecs."""
    others = (paragraph for paragraph in text.split("\n\n") if not re.search(r"#define ENCODING ", paragraph) or
              (f"#define ENCODING {codec.id_}\n" in paragraph and ("#define CODEC " not in paragraph or f"#define CODEC {codec.name}\n" in paragraph)))
    return "\n\n".join(others)


@dataclass
class Workshop:
    """A copy of the sources whose tables can be changed, and the libraries that were made of it."""

    root: Path
    folder: Path
    compiler: str
    tables: Dict[str, List[str]] = field(default_factory=dict)  # by header: what PATCH has of each
    shuffles: List[str] = field(default_factory=list)  # the same of all tables of shuffles

    def __post_init__(self) -> None:
        shutil.copytree(self.root / "codecs", self.folder / "codecs")
        shutil.copytree(self.root / "harnesses" / "assay" / "prove", self.folder / "harnesses" / "assay" / "prove")
        for path in (self.folder / "codecs").rglob("*.h"):
            text = path.read_text("utf-8")
            arrays = re.findall(r"(?m)^static const (?:uint8_t|uint64_t) (\w+)\[", text) if path.parent.name == "dfa" else []
            structs = re.findall(r"(?m)^static const struct encoding (\w+) = ", text) if path.parent.name == "tables" else []
            shuffles = re.findall(r"(?m)^static const uint8_t (\w+)\[\d+\]\[\d+\]", text) if path.parent.name == "tables" else []
            self.tables[path.name] = [*map(OF_ARRAY.format, arrays), *map(OF_STRUCT.format, structs)]
            self.shuffles += [OF_ROWS.format(name, re.findall(r"(?m)^#ifndef (\w+)", text)[0]) for name in shuffles]
            if arrays or structs or shuffles:
                text = re.sub(r"(?m)^static const ((?:uint8_t|uint64_t) \w+\[)", r"static \1", text)
                path.write_text(re.sub(r"(?m)^static const (struct encoding \w+ = )", r"static \1" if structs else r"static const \1", text), "utf-8")

    def build(self, name: str, source: str, tables: Sequence[str], *flags: str) -> Path:
        """Compiles a source, with PATCH, to a library. A codec may ask for the processor's vendor."""
        path, library = self.folder / f"{name}.c", self.folder / f"{name}.so"
        path.write_text(source + PATCH.replace("TABLES", "".join(tables)), "utf-8")
        subprocess.run([self.compiler, "-std=c11", "-D_DEFAULT_SOURCE", "-shared", "-fPIC", "-w", *flags, "-o", str(library), str(path), str(self.folder / "codecs" / "cpu.c")], check=True)
        return library

    def codec(self, codec: Codec, of_shuffles: Sequence[str] = ()) -> Path:
        """A loadable copy of the codec, named `patched`. Of one with vectors, only its validation; or the operations whose ids are in
        `of_shuffles`, and the tables of shuffles that they have."""
        source = self.folder / "codecs" / codec.file
        copy = source.with_name(f"{codec.id_}_{codec.name}.c")
        copy.write_text(only_of(codec, source.read_text("utf-8")), "utf-8")
        header = f"{codec.id_}_tables.h" if codec.is_automaton() else "utf8.h" if codec.id_ == "utf8" else "family.h"
        tables = self.shuffles if of_shuffles else [row for row in self.tables[header] if codec.is_automaton() or f'"{codec.id_}"' in row]
        has = "|".join(f"OPERATION_BIT({operation})" for operation in of_shuffles or ("VALIDATE",))
        options = ("-O1",) if codec.is_automaton() else ("-O2", f"-DISA={codec.isa}", f"-DLACKS=(~({has}))")
        text = (f'#define codec_{codec.id_}_{codec.name} original\n#include "codecs/{copy.relative_to(self.folder / "codecs")}"\nstruct assay_codec assay_codec;\n'
                'static void __attribute__((constructor)) name_codec(void)\n{\n    assay_codec = original;\n    assay_codec.name = "patched";\n}\n')
        return self.build(f"{codec.id_}_{codec.name}{'_shuffles' if of_shuffles else ''}", text, tables, *options, *codec.flags)

    def kernels(self, codec: Codec) -> Path:
        """The kernels of a codec of UTF-8."""
        return self.build(f"kernels_{codec.isa}", '#include "harnesses/assay/prove/kernel.c"\n', [OF_STRUCT.format("utf8")], "-O2", f"-DISA={codec.isa}", "-DKERNELS_LOADED", *codec.flags)


def entries_in(library: Path) -> Dict[str, List[int]]:
    """The tables of a library, by name."""
    rows = (Patchable * 64).in_dll(ctypes.CDLL(str(library)), "patchable")
    found: Dict[str, List[int]] = {}
    for row in rows:
        if row.name is None:
            break
        raw = ctypes.string_at(row.entries, row.width * row.count)
        found[row.name.decode()] = [int.from_bytes(raw[at:at + row.width], "little") for at in range(0, len(raw), row.width)]
    return found


NOTHING = 0x80  # in a shuffle: no byte
ROW_ENDS = 11  # bits of a row of decode_shuffles: for eight bytes and the three before them, whether a character ends there


def bits_in(number: int) -> int:
    """How many bits are set."""
    return bin(number).count("1")


def is_text(row: int) -> bool:
    """Whether characters of one to four bytes can end at these places."""
    ends = [at for at in range(ROW_ENDS) if row >> at & 1]
    return all(following - end <= 4 for end, following in zip([-1, *ends], [*ends, ROW_ENDS]))


def is_of_errors(row: int) -> bool:
    """Whether five bytes can be replaced and dropped in this way: of an error the last byte is replaced, and up to two before it are dropped."""
    kinds = "".join("kept replaced dropped both".split()[(row >> at & 1) + 2 * (row >> at + 5 & 1)][0] for at in range(5))
    return re.fullmatch("(k|d{0,2}r)*d{0,2}", kinds) is not None


@dataclass(frozen=True)
class Shuffle:
    """A table of shuffles: the bytes of a row; how many of them, by its number and its entries, are places of bytes that are written; which rows can be needed."""

    width: int
    used: Callable[[int, Sequence[int]], int]
    is_needed: Callable[[int], bool] = lambda row: True
    has_count: bool = False  # the last entry of a row is a number, and no place


SHUFFLES = {
    "decode_shuffles": Shuffle(32, lambda row, _: 4 * bits_in(row >> 3), is_text),
    "spread_shuffles": Shuffle(32, lambda row, _: 4 * bits_in(row)),
    "compress_shuffles": Shuffle(16, lambda row, _: 2 * bits_in(row)),
    "encode_fours": Shuffle(16, lambda _, entries: entries[-1] + 4, has_count=True),
    "encode_eights": Shuffle(16, lambda _, entries: entries[-1] + 2, has_count=True),
    "replace_fives": Shuffle(16, lambda _, entries: entries[-1], is_of_errors, has_count=True),
}


def why_same_shuffle(codec: Codec, entries: Sequence[int], change: Change) -> Optional[str]:
    """Why a change of a table of shuffles gives the same answers; None if it does not."""
    shuffle = SHUFFLES[change.table]
    row, at = divmod(change.index, shuffle.width)
    if not shuffle.is_needed(row):
        return "no text needs this row"
    if at < shuffle.used(row, entries[row * shuffle.width:(row + 1) * shuffle.width]):
        return None
    if not shuffle.has_count or at < shuffle.width - 1:
        return "what comes next is written there"
    if change.table == "encode_eights" and "-mpopcnt" in codec.flags:
        return "the codec counts the bits of the row's number"
    return None


def asked_with(codec: Codec, tables: Dict[str, List[int]]) -> Dict[str, List[int]]:
    """The tables without those of other automata of the encoding."""
    suffixes = {name[len(codec.id_) + 1:]: name for name in tables}
    automata = [suffix for suffix in suffixes if re.match("dfa|shift|hoehrmann", suffix)]
    return {name: tables[name] for suffix, name in suffixes.items() if suffix not in automata or codec.name.startswith(suffix)}


def changes_of(codec: Codec, tables: Dict[str, List[int]], values: int) -> Iterator[Change]:
    """Of an automaton: each entry to the first `values` others in its part of the table. Of vectors: each bit."""
    for name, entries in asked_with(codec, tables).items():
        if name in SHUFFLES:
            yield from (Change(name, index, entry ^ 1 if entry < NOTHING else 0) for index, entry in enumerate(entries))
            continue
        if not codec.is_automaton():
            yield from (Change(name, index, entry ^ 1 << bit) for index, entry in enumerate(entries) for bit in range(8))
            continue
        parts = ((0, 256), (256, len(entries))) if len(entries) > 256 else ((0, len(entries)),)
        for begin, end in parts:
            others = list(dict.fromkeys(entries[begin:end]))
            yield from (Change(name, index, value) for index in range(begin, end) for value in [one for one in others if one != entries[index]][:values])


class Automaton:
    """What an entry of an automaton's tables is read for."""

    def __init__(self, codec: Codec, tables: Dict[str, List[int]], codecs: Path) -> None:
        """Of a codec below codecs/, whose generated data are read there."""
        data = (codecs / "dfa" / f"{codec.id_}_tables.h").read_text("utf-8")
        self.id_, self.tables, self.holds_surrogates, self.is_of_bytes = codec.id_, tables, ".holds_surrogates = true" in data, ".unit = 1," in data
        self.sorts, self.faults, self.payload = (tables[f"{codec.id_}_{name}"] for name in ("sorts", "faults", "payload"))
        self.sort_count = max(self.sorts) + 1
        self.state_count = len(self.faults) // self.sort_count
        self.past_lead = tables.get(f"{codec.id_}_past_lead", [NO_HALF] * self.state_count)
        own = next(name for name in asked_with(codec, tables) if re.search("_(dfa|shift|hoehrmann)", name))
        self.own, self.row = own, max(1, (len(tables[own]) - 256) // self.state_count)
        self.unused = set(range(self.row)) - set(tables[own][:256])  # classes
        self.next: Callable[[int, int], int] = lambda state, byte: (
            tables[own][byte] >> STATE_BITS * state & (1 << STATE_BITS) - 1 if own.endswith("_shift") else tables[own][256 + state * self.row + tables[own][byte]])
        self.refused = REJECT * (STATE_BITS if own.endswith("_shift") else 1 if own.endswith("2008") else self.row)

    def refusals(self, byte: int) -> List[int]:
        """The states that refuse a byte and name its fault. A complete lead is a character, where surrogates are."""
        return [state for state in range(self.state_count) if state != REJECT and self.next(state, byte) == self.refused and
                not (self.holds_surrogates and self.past_lead[state] != NO_HALF)]

    def why_same(self, change: Change) -> Optional[str]:
        """Why a change gives the same answers; None if it does not."""
        kind, index = change.table[len(self.id_) + 1:], change.index
        if change.table == self.own and index >= 256 and (index - 256) % self.row in self.unused:
            return "no byte has this class"
        if kind == "faults":
            state, sort = divmod(index, self.sort_count)
            if not any(self.sorts[byte] == sort and state in self.refusals(byte) for byte in range(256)):
                return "no byte of this sort is refused in this state"
        if kind == "sorts" and all(self.fault(state, self.sorts[index]) == self.fault(state, change.value) for state in self.refusals(index)):
            return "the states that refuse the byte have the same fault for both sorts"
        if kind == "payload" and index & self.payload[index] == index & change.value:
            return "the byte has the same bits under both masks"
        if kind == "payload" and all(self.next(state, index) == self.refused for state in range(self.state_count)):
            return "no state takes the byte"
        if kind == "past_lead" and index == REJECT:
            return "nothing is asked about the state that refuses"
        if kind == "past_lead" and not self.holds_surrogates and not any(index in self.refusals(byte) for byte in range(256)):
            return "the state refuses no byte, and the end of input is an error of its own"
        if kind == "past_lead" and (self.past_lead[index], change.value) == (0, NO_HALF) and self.is_of_bytes and not self.holds_surrogates:
            return "the error ends with the lead, for either reason"
        return None

    def fault(self, state: int, sort: int) -> int:
        """Of a byte of this sort in this state."""
        return self.faults[state * self.sort_count + sort]


def meaning_of(entries: Sequence[int], asks_surrogates: bool) -> List[Tuple[int, bool, bool]]:
    """What the entries of a vector kernel say of each pair of bytes by its nibbles: right, two continuation bytes, or wrong in another
    way; and, of a byte that may be in a sequence and a continuation byte, whether the first does not take the second, and whether surrogates decide."""
    high, low, second, (not_second, surrogate, two, *leads) = entries[:16], entries[16:32], entries[32:PAIRS], entries[PAIRS:TWO_CONTINUATIONS + 3]
    found = []
    for first, nibble, after in itertools.product(range(16), repeat=3):
        pair, byte = high[first] & low[nibble] & second[after], first << 4 | nibble
        may_go_on = after >> 2 == 2 and (byte >> 6 == 2 or leads[0] <= byte <= leads[1])
        found.append((0 if pair == 0 else 1 if pair == two else 2, may_go_on and pair & not_second != 0, asks_surrogates and may_go_on and pair & surrogate != 0))
    return found


def why_same_kernel(entries: Sequence[int], change: Change) -> Optional[str]:
    """Why a change of the tables of a vector kernel gives the same answers; None if it does not."""
    changed = [*entries[:change.index], change.value, *entries[change.index + 1:]]
    asks_surrogates = entries[PAIRS + 1] != 0  # else the tables decide
    if change.index < TWO_CONTINUATIONS and meaning_of(entries, asks_surrogates) == meaning_of(changed, asks_surrogates):
        return "no pair of bytes has another meaning"
    return None


def theorems_for(codec: Codec, library: Path, kernels: Optional[Path]) -> List[Question]:
    """What is asked, one after the other, until a theorem is refuted."""
    def theorem(name: str, *words: str) -> Question:
        return Question(name, ("prove", "-j", "1", "-t", name, *words))

    of_codec = ("--codec", str(library), "patched")
    if codec.is_automaton():
        return [theorem("automaton", *of_codec), theorem("characters", *of_codec)]
    of_kernels = [theorem("windows", "--stride", str(SHARE), "--kernels", str(kernels), f"utf-8/{codec.name}")] if kernels is not None else []
    return [*of_kernels, theorem("texts", "--stride", str(SHARE_OF_TEXTS), *of_codec), theorem("texts", *of_codec)]


def parts_for(library: Path, stride: int = 1) -> List[Question]:
    """What is asked about the tables of shuffles: every input, or a share."""
    return [Question("mixtures", ("sweep", "--fail-fast", "--only", "patched", "--stride", str(stride), "--codec", str(library), "mixtures"))]


def refuted_by(assay: Path, questions: Sequence[Question], change: Optional[Change]) -> Optional[str]:
    """The theorem that a change refutes, or the part in which a codec with it is wrong; None if there is none. Raises ValueError if one cannot be asked."""
    for question in questions:
        done = subprocess.run([str(assay), *question.words], capture_output=True, text=True, check=False, env={**os.environ, **(change.variable() if change else {})})
        if done.returncode not in (0, 1):
            raise ValueError(f"{change}: {question.name} ends with {done.returncode}: {done.stderr.strip()}")
        if done.returncode == 1:
            return question.name
    return None
