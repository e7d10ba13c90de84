# SPDX-License-Identifier: MIT
"""`scripts/hunt --subjects NAME,...` and `scripts/hunt -- COMMAND...`: decoders that are processes, hunted with generated input. It is slow
beside a fuzz target: each batch of input goes over the line protocol, to the subject and to the reference, or with --against to another
subject, and the two answers are compared. What harnesses/subjects/deviations.def explains is counted and is no finding; a finding is
minimised by asking the subject."""

from __future__ import annotations

import argparse
import json
import random
import select
import shlex
import subprocess
import sys
import time
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

from field import ROOT  # which makes the package `subjects` importable
from subjects.deviations import NOT_UTF_8, explained, flat, shown
from subjects.subjects import ASSAY, HERE, rows

from .files import write_file
from .findings.minimise import minimise

BATCH, LENGTH_MAX, REPLY_SECONDS, MINIMISE_SECONDS, KEYS_MAX = 64, 200, 30, 30, 8
START_SECONDS = 20  # as `assay run` has them
ROW_START_SECONDS = 300  # an adapter may have to be compiled first
ERRORS_KEPT = 1000  # bytes of standard error
POLICIES = ("whatwg", "jdk", "per-byte", "per-sequence", "per-run", "skip", "surrogateescape")  # what `own` may be
TOKENS = [bytes.fromhex(token) for token in ("C080", "C0AF", "E08080", "EDA080", "EDB080", "EFBBBF", "EFBFBF", "F0808080", "F09F9880", "F4908080", "F888808080",
                                             "FE", "FF", "80", "C2", "E2", "E282", "F0", "F09F", "41", "00", "0A", "E282AC", "C3A9")]

NOT_PLAIN = "; a program that reads bytes and writes text has --plain before it"
NO_TEXT = "skip its output is not UTF-8: "  # what subjects.py says of a plain program, before the bytes

Pieces = List[bytes]


class Request(NamedTuple):
    """What is asked about an input: `validate`, or `decode` under a policy that the subject names; `own` is compared with another one."""
    word: str
    policy: str
    compared_with: str


class NoAnswer(Exception):
    """Raised with what a subject did instead of answering."""


class Speaker:
    """A process that speaks the line protocol."""

    def __init__(self, command: Sequence[str], start_seconds: Optional[float] = None) -> None:
        self.command, self.process = command, None  # type: Sequence[str], Optional[subprocess.Popen[bytes]]
        self.start_seconds = START_SECONDS if start_seconds is None else start_seconds
        self.errors = b""  # the end of its standard error
        self.offer: Dict[str, List[str]] = {}

    def start(self) -> None:
        """Starts it and reads its offer. Raises NoAnswer."""
        self.stop()
        self.errors = b""
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        try:
            words = self.ask_lines(["hello assay/1"], self.start_seconds)[0].split()
        except NoAnswer as problem:
            errors = "".join(f"\n    {line}" for line in self.errors.decode("utf-8", "backslashreplace").splitlines())
            raise NoAnswer(f"{problem} (to `hello assay/1`){errors or NOT_PLAIN}") from None
        if words[:2] != ["hello", "assay/1"]:
            raise NoAnswer(f"it does not speak assay/1{NOT_PLAIN}")
        self.offer = {key: value.split(",") for key, equals, value in (word.partition("=") for word in words[3:]) if equals}

    def stop(self) -> None:
        """Ends it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
                assert pipe is not None
                pipe.close()
            self.process = None

    def read(self, seconds: float) -> Optional[bytes]:
        """What it says next, b"" at the end; None if that takes longer. Standard error is read, too, so that it does not wait for that."""
        assert self.process is not None and self.process.stdout is not None and self.process.stderr is not None
        until, pipes = time.monotonic() + seconds, [self.process.stdout, self.process.stderr]
        while True:
            ready = select.select(pipes, [], [], max(0.0, until - time.monotonic()))[0]
            if self.process.stderr in ready:
                said = self.process.stderr.read(1 << 16)
                self.errors = (self.errors + said)[-ERRORS_KEPT:]
                pipes = pipes if said else pipes[:1]
            if self.process.stdout in ready:
                return self.process.stdout.read(1 << 16)
            if time.monotonic() > until:
                return None

    def ask_lines(self, lines: Sequence[str], seconds: float) -> List[str]:
        """The line that answers each line. Raises NoAnswer."""
        assert self.process is not None and self.process.stdin is not None
        said, until = b"", time.monotonic() + seconds
        try:
            self.process.stdin.write("".join(line + "\n" for line in lines).encode("ascii"))
        except BrokenPipeError:
            self.read(1)
            raise NoAnswer("it ended") from None
        while said.count(b"\n") < len(lines):
            got = self.read(until - time.monotonic())
            if got is None:
                raise NoAnswer(f"no answer in {seconds:g} s")
            if not got:
                raise NoAnswer("it ended")
            said += got
        return said.decode("ascii", "backslashreplace").splitlines()

    def ask(self, requests: Sequence[str]) -> List[str]:
        """The reply to each request, without its ID; starts it first where that is necessary. Raises NoAnswer."""
        if self.process is None:
            self.start()
        lines = self.ask_lines([f"{number} {request}" for number, request in enumerate(requests)], REPLY_SECONDS)
        for number, line in enumerate(lines):
            if not line.startswith(f"{number} "):
                raise NoAnswer(f"a reply out of step: {line[:80]}")
        return [line.split(" ", 1)[1] for line in lines]


def speaker_of(subject: str) -> Speaker:
    """What speaks the protocol: the adapter of a row of subjects.def or of a plain program, or else the subject is a command."""
    if subject in {row.name for row in rows()}:
        return Speaker([sys.executable, "-B", str(HERE / "subjects.py"), "--speak", subject], ROW_START_SECONDS)
    if subject.startswith("--"):
        return Speaker([sys.executable, "-B", str(HERE / "subjects.py"), "--speak", "--", subject])
    return Speaker(shlex.split(subject))


def offered(speaker: Speaker, encoding: str = "utf-8") -> Tuple[List[str], List[str]]:
    """The operations, and the policies of decoding, that it offers for an encoding."""
    if encoding not in speaker.offer.get("encodings", [encoding]):
        return [], []
    operations = speaker.offer.get("ops", ["validate", "decode"])
    return operations, speaker.offer.get("policies", []) if "decode" in operations else []


def written(request: Request, pieces: Pieces, policy: str) -> str:
    """The request as a line, without its ID."""
    chunks = ",".join(piece.hex().upper() or "-" for piece in pieces)
    return f"validate utf-8 {chunks}" if request.word == "validate" else f"decode utf-8 {policy} {chunks}"


def difference(expected: str, got: str) -> str:
    """In what two replies differ; "" if in nothing that both state."""
    if NO_TEXT in (expected[:len(NO_TEXT)], got[:len(NO_TEXT)]):
        return "output" if expected != got and all(reply.startswith(("ok", NO_TEXT)) for reply in (expected, got)) else ""
    one, other = expected.split(), got.split()
    if other[:1] == ["skip"] or one[:1] == ["skip"]:
        return ""
    if other[:1] not in (["ok"], ["error"]):
        return "malformed reply"
    if one[0] != other[0]:
        return "accepted" if other[0] == "ok" else "refused"
    if one[0] == "ok":
        return "output" if len(one) > 1 and len(other) > 1 and flat(one[1]) != flat(other[1]) else ""
    return "offset" if len(other) > 1 and other[1] not in ("?", one[1]) else ""


@lru_cache(maxsize=None)
def seeds_of_vectors() -> List[bytes]:
    """The inputs of all vectors that decode a whole input. They are not to be changed: every hunt has the same."""
    files = [json.loads(path.read_text("ascii")) for path in sorted((ROOT / "vectors" / "utf-8").glob("*.json"))]
    return [bytes.fromhex(test["bytes"].replace("-", "")) for file in files if file["kind"] == "decode" for test in file["tests"]]


class Inputs:
    """Generated inputs: seeds from the vectors, changed, joined, and with tokens in them."""

    def __init__(self, dice: random.Random) -> None:
        self.dice, self.seeds = dice, seeds_of_vectors()

    def changed(self, data: bytes) -> bytes:
        """The bytes after one change."""
        at, end = sorted(self.dice.randrange(len(data) + 1) for _ in range(2))
        way = self.dice.randrange(5)
        if way == 0:
            return data[:at] + data[end:]
        if way == 1:
            return data[:at] + self.dice.choice(TOKENS) + data[at:]
        if way == 2:
            return data[:at] + self.dice.choice(self.seeds) + data[at:]
        if way == 3 and at < len(data):
            return data[:at] + bytes([data[at] ^ 1 << self.dice.randrange(8)]) + data[at + 1:]
        return data[:at] + bytes([self.dice.randrange(256)]) + data[at:]

    def next(self) -> bytes:
        """The next input."""
        data = self.dice.choice(self.seeds)
        for _ in range(self.dice.randrange(1, 5)):
            data = self.changed(data)
        return data[:LENGTH_MAX]

    def cut(self, data: bytes) -> Pieces:
        """The bytes in two to four pieces."""
        ends = sorted(self.dice.randrange(len(data) + 1) for _ in range(self.dice.randrange(1, 4)))
        return [data[begin:end] for begin, end in zip([0, *ends], [*ends, len(data)])]


class Hunt:
    """The hunt of one subject."""

    def __init__(self, name: str, out: Path, dice: random.Random, spoken: str = "", against: str = "") -> None:
        """`spoken`: the command, if it is no row; `against`: the subject, row or command, that it is compared with in place of the reference."""
        self.name, self.out, self.inputs, self.spoken, self.against = name, out, Inputs(dice), spoken or name, against
        self.subject = speaker_of(self.spoken)
        self.reference = speaker_of(against) if against else Speaker([ASSAY, "subject", "--alone", "utf-8/reference"])
        self.requests: List[Request] = []
        self.takes_pieces = False
        self.asked = self.deviations = 0
        self.found: Dict[str, str] = {}  # letters, by key
        self.seen: Set[str] = set()      # keys of what was found, before it was minimised

    def begin(self) -> None:
        """Starts both, and finds out which policy `own` is. Raises NoAnswer."""
        self.reference.start()
        self.subject.start()
        operations, policies = offered(self.subject)
        self.takes_pieces = all(one.offer.get("chunks", ["yes"]) != ["no"] for one in (self.subject, self.reference))
        others = offered(self.reference)
        if "validate" in operations and "validate" in others[0]:
            self.requests.append(Request("validate", "-", "-"))
        for policy in policies:
            if self.against:
                self.requests += [Request("decode", policy, policy)] if policy in others[1] else []
            elif policy == "own":
                seeds = self.inputs.seeds[::20]
                given = self.subject.ask([f"decode utf-8 own {seed.hex().upper() or '-'}" for seed in seeds])
                fits = {one: sum(not difference(expected, got) for expected, got in zip(
                    self.reference.ask([f"decode utf-8 {one} {seed.hex().upper() or '-'}" for seed in seeds]), given)) for one in POLICIES}
                self.requests.append(Request("decode", "own", max(POLICIES, key=lambda one: fits[one])))
            elif policy in ("strict", *POLICIES):
                self.requests.append(Request("decode", policy, policy))
        if not self.requests:
            raise NoAnswer(f"it offers nothing for UTF-8{' that the other one does' if self.against else ''}")

    def differing(self, asked: Sequence[Tuple[Request, Pieces]]) -> List[Optional[Tuple[str, str, str]]]:
        """For each input: the difference that no deviation explains, and both replies; None if there is none. Raises NoAnswer."""
        expected = self.reference.ask([written(request, pieces, request.compared_with) for request, pieces in asked])
        got = self.subject.ask([written(request, pieces, request.policy) for request, pieces in asked])
        result: List[Optional[Tuple[str, str, str]]] = []
        for (request, pieces), one, other in zip(asked, expected, got):
            what = difference(one, other)
            row: Dict[str, Any] = {"id": "", "asked": written(request, pieces, request.policy), "expected": one, "got": other, "policy": request.policy,
                                   "request": "pieces" if len(pieces) > 1 else request.word, "outcome": "answered", "difference": what}
            if other.startswith(NO_TEXT):
                row.update(outcome=NOT_UTF_8, got=shown(bytes.fromhex(other[len(NO_TEXT):])))
            is_explained = bool(what) and what != "malformed reply" and not explained(self.name, [row])[1]
            self.deviations += is_explained
            result.append((what, one, other) if what and not is_explained else None)
        self.asked += len(asked)
        return result

    def fails(self, request: Request, pieces: Pieces, what: str) -> bool:
        """True if this input is a finding of the same kind. No answer is one, too."""
        try:
            one = self.differing([(request, pieces)])[0]
        except NoAnswer:
            self.subject.stop()
            return what == "no answer"
        return one is not None and one[0] == what

    @staticmethod
    def key(request: Request, pieces: Pieces, what: str) -> str:
        """What findings of one kind share."""
        return "-".join([request.word, request.policy.strip("-") or "verdict", "pieces" if len(pieces) > 1 else "whole", what.replace(" ", "-")])

    def minimise(self, request: Request, pieces: Pieces, what: str) -> Pieces:
        """A shorter input in fewer pieces of which the same is true."""
        return minimised(pieces, lambda one: self.fails(request, one, what))

    def note(self, request: Request, pieces: Pieces, what: str) -> None:
        """Minimises a finding, and writes it down, if it is the first of its key."""
        if self.key(request, pieces, what) in self.seen or len(self.found) == KEYS_MAX:
            return
        self.seen.add(self.key(request, pieces, what))
        shortest = self.minimise(request, pieces, what)
        key = self.key(request, shortest, what)
        if key in self.found:
            return
        try:
            one = self.differing([(request, shortest)])[0]
        except NoAnswer as problem:
            self.subject.stop()
            one = ("no answer", "", str(problem))
        data, replies = b"".join(shortest), one or (what, "?", "it is not found again")
        letter = (f"{self.name} differs from {self.against or 'utf-8/reference'}\n  asked         {written(request, shortest, request.policy)}; {replies[0]}\n"
                  f"  bytes         {data.hex(' ').upper()}   ({len(data)} bytes in {len(shortest)} pieces, found in {sum(map(len, pieces))})\n"
                  f"  {'the other' if self.against else 'reference':13} {replies[1]}   ({request.compared_with})\n  {self.name:13} {replies[2]}\n"
                  f"  again         build/assay diff --subject {shlex.quote(self.spoken)} --subject {shlex.quote(self.against or 'build/assay subject utf-8/reference')} {data.hex().upper() or '-'}\n")
        self.found[key] = letter
        folder = self.out / f"{self.name}-{key}"
        folder.mkdir(parents=True, exist_ok=True)
        write_file(folder / "input", b"".join(pieces))
        write_file(folder / "minimised", data)
        write_file(folder / "letter.txt", letter.encode("utf-8"))
        print(letter, flush=True)

    def batch(self) -> None:
        """Asks about a batch of inputs."""
        asked = []
        for _ in range(BATCH):
            request, data = self.inputs.dice.choice(self.requests), self.inputs.next()
            is_cut = self.takes_pieces and request.word == "decode" and self.inputs.dice.randrange(2) == 1
            asked.append((request, self.inputs.cut(data) if is_cut else [data]))
        try:
            for (request, pieces), one in zip(asked, self.differing(asked)):
                if one is not None:
                    self.note(request, pieces, one[0])
        except NoAnswer:
            self.subject.stop()
            for request, pieces in asked:
                if self.fails(request, pieces, "no answer"):
                    self.note(request, pieces, "no answer")

    def run(self, seconds: float) -> None:
        """Hunts for so long. Raises NoAnswer if it cannot begin."""
        try:
            self.begin()
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                self.batch()
        finally:
            self.subject.stop()
            self.reference.stop()


def minimised_in(pieces: Pieces, number: int, fails: Callable[[Pieces], bool], until: float) -> Pieces:
    """The pieces, one of them minimised."""
    def with_piece(piece: bytes) -> Pieces:
        return [*pieces[:number], piece, *pieces[number + 1:]]
    return with_piece(minimise(pieces[number], lambda piece: fails(with_piece(piece)), until)[0])


def minimised(pieces: Pieces, fails: Callable[[Pieces], bool]) -> Pieces:
    """Fewer pieces, then a smaller input in each, as long as `fails` holds, until nothing can be left out or made plain."""
    at = len(pieces) - 1
    while at > 0:
        joined = [*pieces[:at - 1], pieces[at - 1] + pieces[at], *pieces[at + 1:]]
        pieces, at = (joined if fails(joined) else pieces), at - 1
    before: Optional[Pieces] = None
    until = time.monotonic() + MINIMISE_SECONDS
    while before != pieces:
        before = pieces
        for number in range(len(pieces)):
            pieces = minimised_in(pieces, number, fails, until)
    return pieces


def main(words: Sequence[str]) -> int:
    """Exit code 0 = nothing found, 1 = a finding, 2 = a subject could not be asked, and nothing found."""
    parser = argparse.ArgumentParser(prog="scripts/hunt", usage="scripts/hunt [OPTION...] --subjects NAME,...\n       scripts/hunt [OPTION...] -- COMMAND...", allow_abbrev=False,
                                     description="Hunts decoders that are processes: those of harnesses/subjects/, or COMMAND, which speaks the line protocol of vectors/PROTOCOL.md. "
                                                 "A COMMAND of --plain [--no-verdict] [--no-output] PROGRAM... reads bytes and writes text; it is started for each input.")
    parser.add_argument("--subjects", nargs="?", const="", default="", metavar="NAME,...", help="their names in harnesses/subjects/subjects.def")
    parser.add_argument("--against", default="", metavar="SUBJECT", help="compare with this one, a name or a command (an older release, say), and not with the reference")
    parser.add_argument("--seconds", type=float, default=60, metavar="N", help="how long, in all (default 60)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1, 1 << 31), metavar="N", help="seed of all random numbers (default: a random one; it is printed)")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "hunt-subjects", metavar="DIR", help="where findings go (default build/hunt-subjects)")
    at = words.index("--") if "--" in words else len(words)
    given, command = parser.parse_args(words[:at]), shlex.join(words[at + 1:])
    if bool(command) == bool(given.subjects):
        parser.error("either --subjects NAME,... or -- COMMAND...")
    names = ["subject"] if command else list(dict.fromkeys(given.subjects.split(",")))
    unknown = set(names) - {row.name for row in rows()} - ({"subject"} if command else set())
    if unknown:
        parser.error(f"--subjects: no row of subjects.def is named {', '.join(sorted(unknown))}")
    print(f"seed {given.seed}", flush=True)
    found = refused = 0
    for name in names:
        hunt = Hunt(name, given.out, random.Random(f"{given.seed} {name}"), command, given.against)
        try:
            hunt.run(given.seconds / len(names))
        except (NoAnswer, OSError) as problem:
            refused += 1
            print(f"{name}: could not be asked: {problem}")
            continue
        found += len(hunt.found)
        count = len(hunt.found)
        print(f"{name}: {hunt.asked} answers, {hunt.deviations} by a listed deviation, {count} finding{'' if count == 1 else 's'}{f' in {given.out}' if count else ''}", flush=True)
    return 1 if found else 2 if refused else 0
