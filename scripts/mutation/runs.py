# SPDX-License-Identifier: MIT
"""Runs mutants by build/museum, then survivors by an enumeration, and says what became of each."""

from __future__ import annotations

import itertools
import math
import os
import re
import resource
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Dict, FrozenSet, Generic, Iterator, List, Mapping, Optional, Protocol, Sequence, Set, Tuple, TypeVar

from .equivalence import CODECS, VALIDATION, X86, Place, Rules
from .isa import Mutant
from .machine import Program, command_of

KILLED, SURVIVED, EQUIVALENT = "killed", "survived", "equivalent"
UNEXECUTED = "not executed"  # survives, as no question comes to the instruction
ENUMERATION, LIST = "enumeration", "list"
SHARED = "other operations"  # of the vectors: they share code
SAME_CODE = "the compiler makes the same machine code"
RARELY = 101  # of the enumeration, a mutant that a rule explains is asked every 101st input
WHOLE = {"past-caches"}  # parts of few inputs: none is left out, and only the share has them
FIRST = ("mixtures", "stretches")  # of the parts: their texts come to most loops of a codec, and a mutant that is killed is asked no more
PARTS = sorted(re.findall(r'(?m)^PART\(\w+, *"([^"]+)", *"([^"]*)"', (CODECS.parent / "harnesses" / "assay" / "sweep" / "parts.def").read_text("utf-8")),
               key=lambda part: FIRST.index(part[0]) if part[0] in FIRST else len(FIRST))  # each with its encoding, or with an empty one for every encoding
SECONDS_OF_ENUMERATION = 300  # of processor time, for each part; SSE4.1 takes more than 120 where it reads on after the first error
SECONDS_OF_SHARE = 60  # the same for a part of which one input in RARELY is asked, in less than 1 s; a mutant that loops takes all 60 s
EMULATED = 30  # times as much for a program for another processor: qemu-aarch64 takes 15 to 25 times as long with NEON as a Zen 3 with AVX2
OPERATIONS = re.findall(r"(?m)^OPERATION\(\w+, *(\w+),", (CODECS / "operations.def").read_text("utf-8"))
AGAINST = {"utf-8": "swar"}  # in the enumeration, stands for the reference, which takes ten times as long
VENDORS = ("", "amd", "intel")  # values of ASSAY_VENDOR; without one, it is the CPU's
ASKS_NOTHING = (b"nothing was compared", b"nothing would be asked", b"nothing of this is enumerated", b"nothing was asked of")  # of a part that has no question about these operations


@dataclass(frozen=True)
class Asked:
    """Which codec (empty: each mutant is a library), which of its operations, by which vectors, and the seconds of processor time for
    each mutant."""

    vectors: Path
    codec: str
    operations: Sequence[str]
    seconds: int
    stride: int = 1  # of the enumeration
    encoding: str = "utf-8"
    against: Optional[str] = None  # in the enumeration, in place of the reference
    vendors: Sequence[str] = VENDORS[:1]  # for whose processors it is asked, by the enumeration and by `far`
    share_first: bool = False  # of the enumeration, before the vectors
    in_all_parts: bool = False  # of the enumeration; otherwise, what only validates is asked where that is decided


def vendors_of(codec: str) -> Sequence[str]:
    """For whose processors a codec is asked: those of x86 choose some paths by the vendor."""
    return VENDORS[1:] if codec in X86 else VENDORS[:1]


class AnyMutant(Protocol):
    """Of machine code or of a source."""

    @property
    def family(self) -> str:
        """Which kind of change."""

    def label(self) -> str:
        """For a person."""


M = TypeVar("M", bound=AnyMutant)


@dataclass
class Result(Generic[M]):
    """What became of a mutant: `by` is the file that kills it, or the reason why it is equivalent, `field` what differs, or `time`
    or `crash`."""

    mutant: M
    state: str
    by: str = ""
    field: str = ""
    place: str = ""


@dataclass
class Results(Generic[M]):
    """Of all mutants of one codec."""

    results: List[Result[M]]
    families: Sequence[str]
    left_out: int = 0
    sampled_from: int = 0  # how many mutants there are, if these are a sample
    refuted: List[str] = field(default_factory=list)  # killed mutants that a rule calls equivalent, with its reason

    def all_explained(self) -> bool:
        """False if a mutant survives without a rule or is not executed, or a rule explains one that is killed."""
        return not alive(self.results) and not any(one.state == UNEXECUTED for one in self.results) and not self.refuted

    def figures(self) -> Iterator[Tuple[str, int, int]]:
        """Each family: the killed ones, and all that are not equivalent."""
        for family in self.families:
            states = [one.state for one in self.results if one.mutant.family == family]
            yield family, states.count(KILLED), len(states) - states.count(EQUIVALENT)

    def reasons(self, state: str) -> Dict[str, int]:
        """How many each file kills, and the enumeration; or how many are equivalent for each reason."""
        by = [one.by or one.field for one in self.results if one.state == state]
        return {name: by.count(name) for name in sorted(set(by), key=by.count, reverse=True)}

    def listed(self, state: str) -> Dict[str, List[str]]:
        """The labels of the mutants in this state, by place; that of each but a survivor with the reason."""
        found: Dict[str, List[str]] = {}
        for one in self.results:
            if one.state == state:
                found.setdefault(one.place, []).append(one.mutant.label() + (f" ({one.by or one.field})" if state != SURVIVED else ""))
        return dict(sorted(found.items()))

    def as_json(self) -> Dict[str, Any]:
        """All figures, and the survivors by name."""
        return {"killers": self.reasons(KILLED), "families": {family: {KILLED: killed, "mutants": all_} for family, killed, all_ in self.figures()}, "survivors": self.listed(SURVIVED), UNEXECUTED: self.listed(UNEXECUTED), KILLED: self.listed(KILLED),
                "equivalent": self.listed(EQUIVALENT), "reasons": self.reasons(EQUIVALENT), "refuted": self.refuted, "left_out": self.left_out, "sampled_from": self.sampled_from}

    def print(self, name: str) -> None:
        """The figures of a codec, and its survivors."""
        for family, killed, all_ in self.figures():
            low, high = interval(killed, all_)
            sampled = f", 95 % interval {low:.1f} to {high:.1f} %" if self.sampled_from else ""
            print(f"{name} {family}: {killed} of {all_} killed ({100 * killed / max(all_, 1):.1f} %{sampled})")
        if self.sampled_from:
            print(f"{name} is a sample of {self.sampled_from} mutants")
        for by, count in self.reasons(KILLED).items():
            print(f"  killed by {by}: {count}")
        for by, count in self.reasons(EQUIVALENT).items():
            print(f"  equivalent, {by}: {count}")
        for place, lines in self.listed(UNEXECUTED).items():
            print(f"  not executed: {len(lines)} in {place}")
        for place, lines in self.listed(SURVIVED).items():
            print(f"  {place}")
            for line in lines:
                print(f"    {line}")
        for line in self.refuted:
            print(f"  a rule explains this mutant, which is killed: {line}")


def interval(killed: int, all_: int) -> Tuple[float, float]:
    """Wilson's interval of 95 % for a share, in per cent."""
    if all_ == 0:
        return 0.0, 100.0
    z, share = 1.96, killed / all_
    middle, width = share + z * z / (2 * all_), z * math.sqrt(share * (1 - share) / all_ + z * z / (4 * all_ * all_))
    scale = 100 / (1 + z * z / all_)
    return (middle - width) * scale, (middle + width) * scale


def patch_of(mutant: Mutant) -> str:
    """The line that harnesses/museum/code_mutants.c reads."""
    return f"{mutant.of.address:x} {mutant.of.code.hex()} {mutant.code.hex()}\n"


def run_some(program: Path, asked: Asked, mutants: Sequence[M], inputs: Sequence[str], environment: Optional[Mapping[str, str]] = None) -> List[Result[M]]:
    """Runs them in one process, which reads a line for each. `environment` is that of the process, if it has one of its own. Raises ValueError."""
    mode = ["code", str(asked.vectors), asked.encoding, asked.codec] if asked.codec else ["loaded", str(asked.vectors), asked.encoding]
    done = subprocess.run([*command_of(program), *mode, ",".join(asked.operations), str(asked.seconds)], input="".join(inputs), capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0 or len(done.stdout.splitlines()) != len(mutants):
        raise ValueError(done.stderr.strip() or f"{program} ended with {done.returncode}")
    return [Result(mutant, *line.split("\t", 2)) for mutant, line in zip(mutants, done.stdout.splitlines())]


def limit_time(seconds: int = SECONDS_OF_ENUMERATION) -> None:
    """Of this process, which asks a mutant."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def seconds_for(command: Sequence[str], arguments: Sequence[str]) -> int:
    """Of processor time for a command and a command line of the enumeration."""
    is_share = "--stride" in arguments and int(arguments[arguments.index("--stride") + 1]) >= RARELY
    return (SECONDS_OF_SHARE if is_share else SECONDS_OF_ENUMERATION) * (EMULATED if len(command) > 1 else 1)


def far(asked: Asked) -> List[str]:
    """The part `far` for validation: one input in `stride // RARELY`, which is all of them for strides below 2 * RARELY."""
    return ["--stride", str(max(asked.stride // RARELY, 1)), "far"]


def enumerations(asked: Asked, options: Sequence[str]) -> Iterator[List[str]]:
    """Command lines that ask a codec exhaustively: for the verdict and errors, or for everything. `texts` has one byte of each kind,
    `pairs` the first and last character of each range; `far` has errors before, in and after much ASCII."""
    against = ["--against", asked.against] if asked.against else []
    operations = ["--operation", ",".join(asked.operations).replace("_", "-")] if asked.codec else []  # a library offers no others
    sweep = ["sweep", "-e", asked.encoding, "--fail-fast", "--only", asked.codec or "mutant", *against, *operations, *options]
    if set(asked.operations) <= VALIDATION and not asked.in_all_parts:
        if asked.stride >= RARELY:  # the share has all of it
            yield [*sweep, *far(asked)]
        yield ["prove", "-j", "1", "-t", "texts", "--stride", str(asked.stride), *options, f"{asked.encoding}/{asked.codec or 'mutant'}"]
        yield [*sweep, "--stride", str(asked.stride), "pairs"]
    else:
        for part in (name for name, encoding in PARTS if encoding in ("", asked.encoding)):
            if part not in WHOLE:
                yield [*sweep, "--stride", str(asked.stride), part]
            elif asked.stride >= RARELY:
                yield [*sweep, part]


def asks_nothing(done: subprocess.CompletedProcess[bytes]) -> bool:
    """Whether a part of the enumeration could not run because it has no question."""
    return done.returncode == 2 and any(words in done.stderr for words in ASKS_NOTHING)


def ask(assay: Path, arguments: Sequence[str], vendor: str, environment: Optional[Mapping[str, str]] = None) -> Optional[int]:
    """The exit code of a program that asks a codec, negative for a signal: 0 if all answers are right. None if it has no question about these operations.
    Raises ValueError if it could not ask."""
    command = command_of(assay)
    done = subprocess.run([*command, *arguments], capture_output=True, check=False, env={**os.environ, **(environment or {}), "ASSAY_VENDOR": vendor},
                          preexec_fn=partial(limit_time, seconds_for(command, arguments)))
    if asks_nothing(done):
        return None
    if done.returncode == 2:
        raise ValueError(done.stderr.decode(errors="replace").strip())
    return done.returncode


def enumerate_one(assay: Path, asked: Asked, result: Result[M], *options: str) -> None:
    """Asks a codec exhaustively, until an answer is wrong. Raises ValueError if it could not be asked, or nothing was asked."""
    asks = 0
    for arguments, vendor in itertools.product(enumerations(asked, options), asked.vendors):
        end = ask(assay, arguments, vendor)
        asks += end is not None
        if end:
            result.state, result.by = KILLED, ENUMERATION
            result.field = "" if end == 1 else f"ends with {end}"
            return
    if asks == 0:
        raise ValueError(f"no part of the enumeration asks about {', '.join(asked.operations)}")


def check_against(assay: Path, asked: Asked) -> None:
    """Asks the codec that stands for the reference what mutants are asked about these operations; not what enumerate_others() asks about all of them, which
    `assay sweep` compares without mutants. Raises ValueError if an answer is not the reference's, or it could not be asked."""
    itself = replace(asked, codec=asked.against, against=None)
    for arguments in [*enumerations(share_of(itself), []), *enumerations(itself, [])] if asked.against else ():
        if arguments[0] == "sweep":
            done = subprocess.run([*command_of(assay), *arguments], capture_output=True, check=False)
            if done.returncode != 0 and not asks_nothing(done):
                failed = "does not give the reference's answers" if done.returncode == 1 else f"could not be compared with the reference, exit code {done.returncode}"
                raise ValueError(f"{asked.against} {failed}: {done.stderr.decode(errors='replace').strip()}")


def says_other_vendor(assay: Path, copy: Path) -> bool:
    """Whether a copy, asked for whose processors it is tuned, says another vendor than the original."""
    def said(program: Path, vendor: str) -> Tuple[int, bytes]:
        done = subprocess.run([*command_of(program), "list", "--long"], capture_output=True, check=False, env={**os.environ, "ASSAY_VENDOR": vendor}, preexec_fn=limit_time)
        return done.returncode, done.stdout

    return any(said(assay, vendor) != said(copy, vendor) for vendor in VENDORS)


def write_patched(assay: Program, copy: Path, offset: int, mutant: Mutant) -> None:
    """Copies a program with a mutant at an offset. Raises ValueError if its instruction is not there, or the copy cannot be written. Other
    programs write it: what this process opens to write is open in a process that another thread forks, too, and Linux executes no such file."""
    with assay.path.open("rb") as file:
        file.seek(offset)
        code = assay.isa.in_another_program(mutant, file.read(len(mutant.of.code)))
    if code is None:
        raise ValueError(f"{assay.path} has other machine code than the mutants are of")
    for command in (["cp", str(assay.path), str(copy)], ["dd", f"of={copy}", "bs=1", f"seek={offset}", "conv=notrunc", "status=none"]):
        done = subprocess.run(command, input=code, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise ValueError(done.stderr.decode(errors="replace").strip())


def shift_of(program: Program, assay: Program, function: str, entry: str) -> int:
    """From the address of a function in one program to its place in the file of another, which is linked from the same objects. A function whose
    name several functions have is in the object of `entry`. Raises ValueError."""
    names = [[name for _, _, name in one.functions] for one in (program, assay)]
    anchor = function if all(some.count(function) == 1 for some in names) else entry
    return assay.offset_of(anchor) - next(begin for begin, _, name in program.functions if name == anchor)


def enumerate_patched(program: Program, assay: Program, asked: Asked, result: Result[Mutant]) -> None:
    """Asks a copy of the command line that has the mutant. Raises ValueError."""
    of, entry = result.mutant.of, f"utf8_{asked.codec}_{asked.operations[0]}"
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "assay"
        write_patched(assay, copy, of.address + shift_of(program, assay, of.function, entry), result.mutant)
        if len(asked.vendors) > 1 and says_other_vendor(assay.path, copy):
            result.state, result.by = KILLED, LIST
        else:
            enumerate_one(copy, asked, result)


def explain(rules: Rules, results: Sequence[Result[M]], places: Sequence[Sequence[Place]]) -> None:
    """Notes where survivors are from, innermost function first, and those that are equivalent by a rule."""
    for one, place in zip(results, places):
        one.place = str(place[0]) if place else ""
        reason = next((found for inner in place for found in [rules.reason_for(inner, one.mutant.label())] if found is not None), None)
        if reason is not None:
            one.state, one.by = EQUIVALENT, reason


def left_in(report: Dict[str, Any]) -> Set[str]:
    """The mutants that are neither killed nor of the same code in a report that --json made."""
    explained = {f"{place} {label.rpartition(' (')[0]}" for place, labels in report["equivalent"].items() for label in labels if not label.endswith(f"({SAME_CODE})")}
    return {f"{place} {label}" for place, labels in report["survivors"].items() for label in labels} | explained


def labels_left_in(report: Dict[str, Any]) -> Set[str]:
    """The labels of those that survive, are equivalent or are not executed. Those of machine code begin with an address."""
    with_reasons = (label for state in (EQUIVALENT, UNEXECUTED) for labels in report.get(state, {}).values() for label in labels)
    return {label for labels in report["survivors"].values() for label in labels} | {label.rpartition(" (")[0] for label in with_reasons}


def alive(results: Sequence[Result[M]]) -> List[Result[M]]:
    """What survives up to here."""
    return [one for one in results if one.state == SURVIVED]


def share_of(asked: Asked) -> Asked:
    """By the enumeration: what every survivor is asked first. It kills most, and shows whether a rule is wrong."""
    return replace(asked, stride=max(asked.stride, RARELY))


def has_more(asked: Asked, result: Result[M]) -> bool:
    """Whether the whole enumeration is to be asked: of a mutant that no rule explains."""
    return result.state == SURVIVED and asked.stride < RARELY


def ask_vectors(program: Program, asked: Asked, also: Sequence[str], left: Sequence[Result[Mutant]], jobs: int, pool: ThreadPoolExecutor) -> None:
    """Asks what is left, by the vectors; then what survives, with the operations `also`, which share code. Raises ValueError."""
    def ask_part(operations: Sequence[str], part: Sequence[Result[Mutant]]) -> None:
        more = replace(asked, operations=operations)
        for one, again in zip(part, run_some(program.path, more, [one.mutant for one in part], [patch_of(one.mutant) for one in part])):
            one.state, one.by, one.field = again.state, SHARED if operations is also and again.state == KILLED else again.by, again.field

    for operations in (asked.operations, also):
        some = alive(left)
        if operations:
            list(pool.map(partial(ask_part, operations), [some[begin::jobs] for begin in range(min(jobs, len(some)))]))


@lru_cache(maxsize=None)
def addresses_of(program: Program, codec: str, operation: str) -> FrozenSet[int]:
    """Of the instructions that an operation of a codec of UTF-8 may come to."""
    return frozenset(one.address for code in program.reached([f"utf8_{codec}_{operation}"]).values() for one in code)


def enumerate_others(program: Program, assay: Program, asked: Asked, result: Result[Mutant]) -> None:
    """Asks about all operations that come to the instruction by direct calls and jumps, a share of all parts. Raises ValueError."""
    operations = [one for one in OPERATIONS if result.mutant.of.address in addresses_of(program, asked.codec, one)]
    enumerate_patched(program, assay, replace(share_of(asked), operations=operations, in_all_parts=True), result)
    if result.state == KILLED:
        result.by = SHARED


def ask_rest(program: Program, assay: Program, asked: Asked, also: Sequence[str], results: Sequence[Result[Mutant]], pool: ThreadPoolExecutor) -> None:
    """Asks what survives the share: the whole enumeration, then a share about all operations that share the code. Raises ValueError."""
    asked_also = replace(asked, operations=[*asked.operations, *also])
    list(pool.map(lambda one: enumerate_patched(program, assay, asked_also, one), [one for one in results if has_more(asked, one)]))
    list(pool.map(lambda one: enumerate_others(program, assay, asked, one), alive(results)))


def note_unexecuted(program: Program, assay: Program, asked: Asked, also: Sequence[str], left: Sequence[Result[Mutant]], pool: ThreadPoolExecutor) -> None:
    """Of what survives the share: asks a trap in place of each instruction all that the mutant is asked. If the trap survives, no question executes the
    instruction, and its mutants need not be asked the rest: an instruction has several, and a trap that is executed ends at the first question. Raises ValueError."""
    asked_also = replace(asked, operations=[*asked.operations, *also])
    instructions = {one.mutant.of.address: one.mutant.of for one in alive(left)}.values()
    traps = [Result(program.isa.trap_at(of), SURVIVED) for of in instructions]
    list(pool.map(lambda one: enumerate_patched(program, assay, share_of(asked_also), one), traps))
    again = [one.mutant for one in alive(traps)]
    traps = run_some(program.path, asked_also, again, list(map(patch_of, again)))
    ask_rest(program, assay, asked, also, traps, pool)
    unexecuted = {one.mutant.of.address for one in alive(traps)}
    for one in alive(left):
        if one.mutant.of.address in unexecuted:
            one.state, one.by = UNEXECUTED, UNEXECUTED


def run(program: Program, assay: Program, asked: Asked, also: Sequence[str], mutants: Sequence[Mutant], jobs: int, rules: Rules) -> List[Result[Mutant]]:
    """Runs all of them, `jobs` at once: by the vectors, then with the operations `also`, and by a share of the enumeration, unless its stride is 0; or by the
    share first. What is left and no rule explains is asked the whole enumeration, and about all operations; it has then survived, or a trap says that nothing
    executes it. Raises ValueError."""
    results: List[Result[Mutant]] = sorted((Result(one, SURVIVED) for one in mutants), key=lambda one: one.mutant.of.address)
    share = share_of(replace(asked, operations=[*asked.operations, *also]))
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        for asks_share in (asked.share_first, not asked.share_first):
            if not asks_share:
                ask_vectors(program, asked, also, results, jobs, pool)
            elif asked.stride > 0:
                list(pool.map(lambda one: enumerate_patched(program, assay, share, one), alive(results)))
        left = alive(results)
        explain(rules, left, rules.places_of(program, [one.mutant.of.address for one in left]))
        if asked.stride > 0:
            note_unexecuted(program, assay, asked, also, left, pool)
            ask_rest(program, assay, asked, also, left, pool)
    return results


def refuted_by(rules: Rules, program: Program, results: Sequence[Result[Mutant]]) -> List[str]:
    """Those that are killed, and that a rule explains. What `list` says about the processor's vendor is left out: a rule may be about processors of
    the other."""
    killed = [Result(one.mutant, SURVIVED) for one in results if one.state == KILLED and one.by != LIST]
    explain(rules, killed, rules.places_of(program, [one.mutant.of.address for one in killed]))
    return [f"{one.place} {one.mutant.label()} ({one.by})" for one in killed if one.state == EQUIVALENT]
