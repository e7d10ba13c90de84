# SPDX-License-Identifier: MIT
"""Holds the vectors against real decoders, CPython's, Node's and the JDK's, wherever these implement a policy.

Expected values never come from here: this only says where others differ, and each difference must have a reason.
"""

from __future__ import annotations

import codecs
import ctypes
import ctypes.util
import re
import shutil
import struct
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
    """What an incremental decoder gives for pieces, in UTF-16 units; bytes, of an encoder; or what the error says.

    `encode`, `encode-ENCODING`: code points in. `units`: UTF-16 units in, by way of CPython's own decoder of them.
    """
    values = [int(unit, 16) for unit in pieces if unit != "-"] if encoding.startswith(("encode", "units")) else []
    try:
        if encoding.startswith("encode"):
            return "".join(map(chr, values)).encode(encoding[len("encode-"):] or "utf-8", handler).hex().upper() or "-"
        if encoding == "units":
            text = struct.pack(f"<{len(values)}H", *values).decode("utf-16-le", handler)
            return text.encode("utf-8", handler).hex().upper() or "-"
        if handler in ("strict", "surrogatepass"):
            return in_utf16([scalars([ord(c) for c in b"".join(map(unhex, pieces)).decode(encoding, handler)]), "-"])
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
    encodable = fitting(utf_8)
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


# ---- the relatives ------------------------------------------------------------------------------

Suite = Dict[str, Files]  # the files of each encoding


def whole_only(asked: Iterable[Question]) -> Iterator[Question]:
    """Those that ask about an input that is there at once."""
    return (one for one in asked if not one.streamed)


def cpython_family_questions(suite: Suite) -> List[Question]:
    """CPython: generalized UTF-8 is its surrogatepass; WTF-8 is that of its UTF-16; and its two codecs of UTF-16."""
    asked = [*strict_questions(suite["generalized-utf-8"], "utf-8:surrogatepass", True),
             *encode_questions(fitting(suite["generalized-utf-8"]), "encode", "encode:surrogatepass", policies.STRICT),
             *encode_questions(suite["wtf-8"], "encode-utf16", "units:surrogatepass", policies.STRICT)]
    for name in ("utf-16-le", "utf-16-be"):
        files = suite[name.replace("16-", "16")]
        asked += [*strict_questions(files, f"{name}:strict", True),
                  *questions(files, {f"{name}:replace": policies.WHATWG, f"{name}:ignore": policies.SKIP}),
                  *encode_questions(fitting(files), "encode", f"encode-{name}:strict", policies.STRICT),
                  *encode_questions(fitting(files), "encode", f"encode-{name}:ignore", policies.SKIP)]
    return asked


def fitting(files: Files) -> List[Dict[str, Any]]:
    """The files that encode code points, with those of their cases that a str can hold."""
    return [{**file, "tests": [case for case in file["tests"] if fits_python(case)]} for file in files
            if file["kind"] == "encode"]


def jdk_family_questions(suite: Suite) -> List[Question]:
    """The JDK: its charset CESU-8 is the profile of that name; readUTF, writeUTF; UTF-16."""
    asked = [*strict_questions(suite["cesu-8-jdk"], "CESU-8:report", True),
             *questions(suite["cesu-8-jdk"], {"CESU-8:replace": policies.WHATWG, "CESU-8:ignore": policies.SKIP}),
             *strict_questions(suite["mutf-8-readutf"], "readUTF", False),
             *encode_questions(suite["mutf-8"], "encode-utf16", "writeUTF", policies.STRICT)]
    for name in ("utf-16le", "utf-16be"):
        asked += [*strict_questions(suite[name], f"{name}:report", True),
                  *questions(suite[name], {f"{name}:replace": policies.WHATWG, f"{name}:ignore": policies.SKIP})]
    return asked


def node_family_questions(suite: Suite) -> List[Question]:
    """Node: its decoders of UTF-16, whole and in pieces, and strings that are made well-formed."""
    asked: List[Question] = []
    for name in ("utf-16le", "utf-16be"):
        asked += [*questions(suite[name], {f"{name}:whatwg": policies.WHATWG}), *strict_questions(suite[name], f"{name}:fatal", False)]
    return asked + mending_questions(suite["utf-16be"])


def mending_questions(files: Files) -> List[Question]:
    """UTF-16 units with each unpaired surrogate replaced: what an encoder writes under `whatwg`, read as units."""
    found = []
    for file in files:
        for case in file["tests"] if file["kind"] == "encode-utf16" else ():
            units = scalars([unit for unit, in struct.iter_unpack(">H", unhex(case["outputs"][policies.WHATWG]["bytes"]))])
            found.append(Question(case["id"], "mend", tuple(case["units"].split(",")), units))
    return found


def icu_family_questions(suite: Suite) -> List[Question]:
    """ICU: its converter of CESU-8, which lets lone surrogates pass as the JDK's does, and those of UTF-16; whole."""
    asked = list(whole_only(questions(suite["cesu-8-jdk"], {"CESU-8": policies.WHATWG})))
    for name in ("utf-16le", "utf-16be"):
        asked += whole_only(questions(suite[name], {name.upper(): policies.WHATWG}))
    return asked


class Icu:
    """The converters of libicuuc."""

    def __init__(self, path: str) -> None:
        """Loads the library; its functions have its version in their names."""
        library = ctypes.CDLL(path)
        version = re.search(r"[.]so[.]([0-9]+)", path)
        suffix = f"_{version[1]}" if version else ""
        self.open, self.close, self.decode = (getattr(library, f"ucnv_{name}{suffix}") for name in ("open", "close", "toUChars"))
        self.open.restype = ctypes.c_void_p
        self.close.argtypes = (ctypes.c_void_p,)
        self.decode.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_char_p, ctypes.c_int32, ctypes.c_void_p)

    def ask(self, asked: Sequence[Question]) -> List[str]:
        """The units that come out of each whole input."""
        converters = {mode: self.converter(mode) for mode in {question.mode for question in asked}}
        answers = [self.answer(converters[question.mode], unhex(question.pieces[0])) for question in asked]
        for converter in converters.values():
            self.close(converter)
        return answers

    def converter(self, name: str) -> ctypes.c_void_p:
        """A converter by name."""
        status = ctypes.c_int(0)
        found = self.open(name.encode("ascii"), ctypes.byref(status))
        if status.value > 0:
            raise ValueError(f"ICU has no converter {name}: error {status.value}")
        return ctypes.c_void_p(found)

    def answer(self, converter: ctypes.c_void_p, text: bytes) -> str:
        """One whole input."""
        status, capacity = ctypes.c_int(0), 2 * len(text) + 8
        out = (ctypes.c_uint16 * capacity)()
        count = self.decode(converter, out, capacity, text, len(text), ctypes.byref(status))
        if status.value > 0:
            raise ValueError(f"ICU ends with error {status.value}")
        return scalars(out[:count]) + "|-"


def icu() -> Optional[Icu]:
    """ICU, or None where it is not installed."""
    path = ctypes.util.find_library("icuuc")
    return Icu(path) if path else None


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


def names_lead_alone(difference: Difference) -> bool:
    """Whether the same error is said to be the ED of a surrogate that is cut short, not its two bytes."""
    question = difference.question
    if question.mode != "utf-8:surrogatepass" or not question.expected.startswith("error"):
        return False
    text, (offset, length) = unhex(question.pieces[0]), map(int, question.expected.split()[1:])
    begun = length == 2 and text[offset] == 0xED and 0xA0 <= text[offset + 1] <= 0xBF
    return begun and difference.answer == f"error {offset} 1"


def gives_lead_at_once(difference: Difference) -> bool:
    """Whether only the time differs, in pieces that hold a lead surrogate of CESU-8."""
    question = difference.question
    if not question.mode.startswith("CESU-8:") or not question.streamed:
        return False
    holds = re.search(rb"\xED[\xA0-\xAF][\x80-\xBF]", b"".join(map(unhex, question.pieces)))
    return bool(holds) and joined(difference.answer) == joined(question.expected)


def without_swallowed_units(order: str, text: bytes, replacement: Tuple[int, ...]) -> List[int]:
    """UTF-16 as the JDK reads it: what follows a lead and is no trail is a part of the error."""
    units = [int.from_bytes(text[at:at + 2], order) for at in range(0, len(text) // 2 * 2, 2)]  # type: ignore[arg-type]
    found, at = [], 0
    while at < len(units):
        unit, following = units[at], units[at + 1:at + 2]
        if unit >> 11 != 0x1B:
            found.append(unit)
        elif unit < 0xDC00 and following and following[0] >> 10 == 0x37:
            found += [unit, *following]
            at += 1
        elif unit < 0xDC00 and not following:
            return found + list(replacement)  # with the odd byte after it
        else:
            found += replacement
            at += unit < 0xDC00
        at += 1
    return found + list(replacement if len(text) % 2 else ())


def swallows_a_unit(difference: Difference) -> bool:
    """Whether the error is that of an unpaired lead, and the unit after it is said to be a part of it."""
    question = difference.question
    name, _, action = question.mode.partition(":")
    if not name.startswith("utf-16"):
        return False
    order, text = {"utf-16le": "little", "utf-16be": "big"}[name], b"".join(map(unhex, question.pieces))
    if action == "report":
        if not question.expected.startswith("error"):
            return False
        offset = int(question.expected.split()[1])
        unit = int.from_bytes(text[offset:offset + 2], order)  # type: ignore[arg-type]
        return unit >> 10 == 0x36 and difference.answer == f"error {offset} 4"
    replacement = (policies.REPLACEMENT,) * (action == "replace")
    return joined(difference.answer) == scalars(without_swallowed_units(order, text, replacement))


def takes_four_bytes_for_one_error(difference: Difference) -> bool:
    """Whether only the number of replacements differs, for F0..F7 and the continuation bytes that they had in UTF-8."""
    question = difference.question
    if question.mode != "CESU-8" or not re.search(rb"[\xF0-\xF7][\x80-\xBF]", unhex(question.pieces[0])):
        return False

    def others(answer: str) -> List[str]:
        """All but the replacements."""
        return [unit for unit in joined(answer).split(",") if unit != "FFFD"]

    return others(difference.answer) == others(question.expected) and (
        difference.answer.count("FFFD") < question.expected.count("FFFD"))


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
    "cpython family": (
        Reason("CPython's surrogatepass is asked when a surrogate is not whole, and then ED alone is the error", names_lead_alone),
    ),
    "jdk family": (
        Reason("the JDK's CESU-8 gives a lead at once, as it gives units; code points have to wait for the trail",
               gives_lead_at_once),
        Reason("the JDK takes the unit after an unpaired lead for a part of the error, and so swallows a neighbour (D91)",
               swallows_a_unit),
    ),
    "node family": (),
    "icu family": (
        Reason("ICU's CESU-8 replaces F0..F7 with the continuation bytes after it once; no byte F0..FF begins anything (UTR 26)",
               takes_four_bytes_for_one_error),
    ),
}
