# SPDX-License-Identifier: MIT
"""Holds the vectors against real decoders, CPython's, Node's and the JDK's, wherever these implement a policy.

Expected values never come from here: this only says where others differ, and each difference must have a reason.
"""

from __future__ import annotations

import codecs
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

from . import policies
from .vectors import scalars

Files = Sequence[Dict[str, Any]]

ORACLES = Path(__file__).parent / "oracles"
PATIENCE = 300  # seconds for all lines of one oracle


@dataclass(frozen=True)
class Question:
    """What is asked of a decoder: pieces in a mode of its own, and what the vectors say the answer is."""

    id: str
    mode: str
    pieces: Tuple[str, ...]
    expected: str
    streamed: bool = False

    def line(self) -> str:
        """The question as the oracles read it."""
        return f"{self.mode} {','.join(self.pieces) or '-'}"


@dataclass(frozen=True)
class Difference:
    """A question that a decoder answered in another way."""

    question: Question
    answer: str


def unhex(text: str) -> bytes:
    """HEX as bytes."""
    return bytes.fromhex(text.replace("-", ""))


def in_utf16(groups: Sequence[str]) -> str:
    """Groups of SCALARS as groups of UTF-16 units."""
    def units(group: str) -> str:
        """One group."""
        return scalars(policies.utf16_units([int(one, 16) for one in group.split(",") if one != "-"]))
    return "|".join(units(group) for group in groups)


def streams_of(case: Dict[str, Any]) -> Iterator[Dict[str, Any]]:
    """The streams of a case: its own, or those it strings together."""
    yield from case.get("streams", [case] if "pieces" in case else [])


def questions(files: Iterable[Dict[str, Any]], modes: Dict[str, str]) -> Iterator[Question]:
    """Every case of an encoding that decodes, in each mode that implements a policy other than `strict`."""
    for file in files:
        for case in file["tests"]:
            for mode, policy in modes.items():
                if "bytes" in case:
                    expected = in_utf16([case["outputs"][policy], "-"])
                    yield Question(case["id"], mode, (case["bytes"],), expected)
                for stream in streams_of(case):
                    expected = in_utf16(stream["emitted"][policy])
                    if stream["pieces"]:  # without a piece there is no call that a decoder could answer
                        yield Question(case["id"], mode, tuple(stream["pieces"]), expected, True)


def strict_questions(files: Iterable[Dict[str, Any]], mode: str, with_span: bool) -> Iterator[Question]:
    """Every whole input under `strict`: the code points, or `error` with what the decoder says about it."""
    for file in files:
        for case in file["tests"]:
            if "bytes" in case:
                expected = in_utf16([case["outputs"][policies.STRICT], "-"])
                if case["spans"]:
                    span = case["spans"][0]
                    expected = f"error {span['offset']} {span['length']}" if with_span else "error"
                yield Question(case["id"], mode, (case["bytes"],), expected)


def encode_questions(files: Iterable[Dict[str, Any]], kind: str, mode: str, policy: str) -> Iterator[Question]:
    """Every case of a kind that encodes, under a policy: the bytes, or `error` and the unit at which it stops."""
    for file in files:
        for case in file["tests"]:
            if file["kind"] == kind:
                output = case["outputs"][policy]
                stopped = output["stopped_at"]
                expected = output["bytes"] if stopped is None else f"error {stopped}"
                yield Question(case["id"], mode, tuple(case["units"].split(",")), expected)


def joined(answer: str) -> str:
    """All groups of an answer as one."""
    return ",".join(group for group in answer.split("|") if group != "-") or "-"


def differences(asked: Sequence[Question], answers: Sequence[str]) -> List[Difference]:
    """Where the answers are not as expected; for a whole input, the group in which output came does not count."""
    if len(asked) != len(answers):
        raise ValueError(f"{len(answers)} answers to {len(asked)} questions")
    found = []
    for question, answer in zip(asked, answers):
        same = answer == question.expected if question.streamed else joined(answer) == joined(question.expected)
        if not same:
            found.append(Difference(question, answer))
    return found


def ask(command: Sequence[str], asked: Sequence[Question]) -> List[str]:
    """Puts all questions to a program; an error if it does not end well."""
    lines = "\n".join(question.line() for question in asked) + "\n"
    run = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, timeout=PATIENCE)
    if run.returncode:
        raise ValueError(f"{command[0]} ended with {run.returncode}: {run.stderr[-400:]}")
    return run.stdout.splitlines()


def ask_cpython(asked: Sequence[Question]) -> List[str]:
    """Puts all questions to the codecs of the running Python: a mode is `ENCODING:HANDLER`, or `encode:HANDLER`."""
    return [cpython_answer(*question.mode.split(":"), question.pieces) for question in asked]


def cpython_answer(encoding: str, handler: str, pieces: Sequence[str]) -> str:
    """What an incremental decoder gives for pieces, in UTF-16 units; bytes, of an encoder; or what the error says."""
    try:
        if encoding == "encode":
            text = "".join(chr(int(unit, 16)) for unit in pieces if unit != "-")
            return text.encode("utf-8", handler).hex().upper() or "-"
        if handler == "strict":
            return in_utf16([scalars([ord(c) for c in b"".join(map(unhex, pieces)).decode(encoding)]), "-"])
    except UnicodeDecodeError as error:
        return f"error {error.start} {error.end - error.start}"
    except UnicodeEncodeError as error:
        return f"error {error.start}"
    decoder = codecs.getincrementaldecoder(encoding)(handler)
    outputs = [decoder.decode(unhex(piece)) for piece in pieces] + [decoder.decode(b"", True)]
    return in_utf16([scalars([ord(c) for c in output]) for output in outputs])


def node_command() -> Optional[List[str]]:
    """How to run Node's oracle, or None where there is no Node."""
    node = shutil.which("node")
    return node and [node, str(ORACLES / "node.mjs")] or None


def jdk_command() -> Optional[List[str]]:
    """How to run the JDK's oracle, or None where there is no Java."""
    java = shutil.which("java")
    return java and [java, str(ORACLES / "Jdk.java")] or None


def cpython_questions(utf_8: Files, utf_8_sig: Files) -> List[Question]:
    """What CPython implements: all of whatwg, skip, surrogateescape and strict, pieces, and encoding."""
    held = [file for file in utf_8 if file["kind"] == "encode"]
    encodable = [{**file, "tests": [case for case in file["tests"] if fits_python(case)]} for file in held]
    return [*questions(utf_8, {"utf-8:replace": policies.WHATWG, "utf-8:ignore": policies.SKIP,
                               "utf-8:surrogateescape": policies.SURROGATEESCAPE}),
            *strict_questions(utf_8, "utf-8:strict", True),
            *questions(utf_8_sig, {"utf-8-sig:replace": policies.WHATWG}),
            *encode_questions(encodable, "encode", "encode:strict", policies.STRICT),
            *encode_questions(encodable, "encode", "encode:ignore", policies.SKIP),
            *encode_questions(encodable, "encode", "encode:surrogateescape", policies.SURROGATEESCAPE)]


def fits_python(case: Dict[str, Any]) -> bool:
    """Whether a str can hold the code points of a case."""
    return all(int(unit, 16) <= 0x10FFFF for unit in case["units"].split(",") if unit != "-")


def node_questions(utf_8: Files, utf_8_sig: Files) -> List[Question]:
    """What Node implements: whatwg whole and in pieces, with and without signature, strict by verdict, encoding."""
    return [*questions(utf_8, {"whatwg": policies.WHATWG}), *strict_questions(utf_8, "fatal", False),
            *questions(utf_8_sig, {"signature": policies.WHATWG}),
            *encode_questions(utf_8, "encode-utf16", "encode", policies.WHATWG)]


def jdk_questions(utf_8: Files, utf_8_sig: Files) -> List[Question]:
    """What the JDK implements: jdk whole and in pieces, skip, strict with offset and length; and String's own path."""
    del utf_8_sig
    strings = [one for one in questions(utf_8, {"string": policies.JDK}) if not one.streamed]
    return [*questions(utf_8, {"replace": policies.JDK, "ignore": policies.SKIP}), *strings,
            *strict_questions(utf_8, "report", True)]


@dataclass(frozen=True)
class Reason:
    """Why a decoder differs, and for which questions exactly."""

    text: str
    holds: Callable[[Difference], bool]


def is_late(difference: Difference) -> bool:
    """Whether only the time differs, and some piece ends after ED and the byte that makes it a surrogate."""
    question = difference.question
    if not question.streamed:
        return False
    so_far, held = b"", False
    for piece in question.pieces:
        so_far += unhex(piece)
        held = held or so_far[-2:-1] == b"\xED" and 0xA0 <= so_far[-1] <= 0xBF
    return held and joined(difference.answer) == joined(question.expected)


def loses_unfinished_signature(difference: Difference) -> bool:
    """Whether the stream is the beginning of a signature and no more, and nothing came out."""
    if difference.question.mode != "utf-8-sig:replace" or joined(difference.answer) != "-":
        return False
    return b"".join(map(unhex, difference.question.pieces)) in (b"\xEF", b"\xEF\xBB")


def takes_whole_surrogate(difference: Difference) -> bool:
    """Whether the same error is said to be as long as the surrogate, as far as it is there."""
    question = difference.question
    if question.mode != "report" or not question.expected.startswith("error"):
        return False
    text, offset = unhex(question.pieces[0]), int(question.expected.split()[1])
    third = text[offset + 2:offset + 3]
    length = 3 if third and 0x80 <= third[0] <= 0xBF else 2
    surrogate = text[offset] == 0xED and 0xA0 <= text[offset + 1] <= 0xBF
    return surrogate and difference.answer == f"error {offset} {length}"


ORACLE_REASONS: Dict[str, Tuple[Reason, ...]] = {
    "cpython": (
        Reason("CPython waits for the byte after ED A0..BF, though the error is certain; python/cpython#154520", is_late),
        Reason("CPython's utf-8-sig forgets EF or EF BB at the end of input; a truncated sequence is an error (D93b)",
               loses_unfinished_signature),
    ),
    "node": (),
    "jdk": (
        Reason("the JDK looks at a surrogate once all three bytes are there; the policy emits it as soon as it is certain",
               is_late),
        Reason("the JDK reports a surrogate as one error of three bytes (or of two, if the third is not there)",
               takes_whole_surrogate),
    ),
}
