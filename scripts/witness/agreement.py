# SPDX-License-Identifier: MIT
"""Compares the vectors with real decoders (CPython, Node, JDK, ICU) under the policies that these implement.

No expected value comes from here. Each difference must have a reason.
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
    """A question for a decoder: pieces, a mode of the decoder, and the answer of the vectors."""

    id: str
    mode: str
    pieces: Tuple[str, ...]
    expected: str
    streamed: bool = False

    def line(self) -> str:
        """The question as a line for an oracle."""
        return f"{self.mode} {','.join(self.pieces) or '-'}"


@dataclass(frozen=True)
class Difference:
    """A question, and a decoder's answer that differs."""

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
    """The streams of a case: itself, or those of kind `reuse`."""
    yield from case.get("streams", [case] if "pieces" in case else [])


def questions(files: Iterable[Dict[str, Any]], modes: Dict[str, str]) -> Iterator[Question]:
    """All decoding cases of an encoding, in each mode that implements a policy other than `strict`."""
    for file in files:
        for case in file["tests"]:
            for mode, policy in modes.items():
                if "bytes" in case:
                    expected = in_utf16([case["outputs"][policy], "-"])
                    yield Question(case["id"], mode, (case["bytes"],), expected)
                for stream in streams_of(case):
                    expected = in_utf16(stream["emitted"][policy])
                    if stream["pieces"]:  # without a piece there is no call to the decoder
                        yield Question(case["id"], mode, tuple(stream["pieces"]), expected, True)


def strict_questions(files: Iterable[Dict[str, Any]], mode: str, with_span: bool) -> Iterator[Question]:
    """All whole inputs under `strict`. Answer: the code points, or `error` with the span that the decoder reports."""
    for file in files:
        for case in file["tests"]:
            if "bytes" in case:
                expected = in_utf16([case["outputs"][policies.STRICT], "-"])
                if case["spans"]:
                    span = case["spans"][0]
                    expected = f"error {span['offset']} {span['length']}" if with_span else "error"
                yield Question(case["id"], mode, (case["bytes"],), expected)


def encode_questions(files: Iterable[Dict[str, Any]], kind: str, mode: str, policy: str) -> Iterator[Question]:
    """All cases of an encoding kind under a policy. Answer: the bytes, or `error` and the index of the unit at which it stops."""
    for file in files:
        for case in file["tests"]:
            if file["kind"] == kind:
                output = case["outputs"][policy]
                stopped = output["stopped_at"]
                expected = output["bytes"] if stopped is None else f"error {stopped}"
                yield Question(case["id"], mode, tuple(case["units"].split(",")), expected)


def joined(answer: str) -> str:
    """The groups of an answer, joined."""
    return ",".join(group for group in answer.split("|") if group != "-") or "-"


def differences(asked: Sequence[Question], answers: Sequence[str]) -> List[Difference]:
    """The answers that are not as expected. For a whole input, only the joined output is compared."""
    if len(asked) != len(answers):
        raise ValueError(f"{len(answers)} answers to {len(asked)} questions")
    found = []
    for question, answer in zip(asked, answers):
        same = answer == question.expected if question.streamed else joined(answer) == joined(question.expected)
        if not same:
            found.append(Difference(question, answer))
    return found


def ask(command: Sequence[str], asked: Sequence[Question]) -> List[str]:
    """Runs a program with all questions; raises an error if it fails."""
    lines = "\n".join(question.line() for question in asked) + "\n"
    run = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, timeout=PATIENCE)
    if run.returncode:
        raise ValueError(f"{command[0]} ended with {run.returncode}: {run.stderr[-400:]}")
    return run.stdout.splitlines()


def ask_cpython(asked: Sequence[Question]) -> List[str]:
    """Asks the codecs of this Python. A mode is `ENCODING:HANDLER` or `encode:HANDLER`."""
    return [cpython_answer(*question.mode.split(":"), question.pieces) for question in asked]


def cpython_answer(encoding: str, handler: str, pieces: Sequence[str]) -> str:
    """The output of an incremental decoder in UTF-16 units, the bytes of an encoder, or the error.

    The input is bytes; for `encode` and `encode-ENCODING`, code points; for `units`, UTF-16 units, which CPython decodes first.
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
    """The command of Node's oracle, or None if Node is not installed."""
    node = shutil.which("node")
    return node and [node, str(ORACLES / "node.mjs")] or None


def jdk_command() -> Optional[List[str]]:
    """The command of the JDK's oracle, or None if Java is not installed."""
    java = shutil.which("java")
    return java and [java, str(ORACLES / "Jdk.java")] or None


def cpython_questions(utf_8: Files, utf_8_sig: Files) -> List[Question]:
    """CPython implements whatwg, skip, surrogateescape and strict, whole and in pieces, and encoding."""
    encodable = fitting(utf_8)
    return [*questions(utf_8, {"utf-8:replace": policies.WHATWG, "utf-8:ignore": policies.SKIP,
                               "utf-8:surrogateescape": policies.SURROGATEESCAPE}),
            *strict_questions(utf_8, "utf-8:strict", True),
            *questions(utf_8_sig, {"utf-8-sig:replace": policies.WHATWG}),
            *encode_questions(encodable, "encode", "encode:strict", policies.STRICT),
            *encode_questions(encodable, "encode", "encode:ignore", policies.SKIP),
            *encode_questions(encodable, "encode", "encode:surrogateescape", policies.SURROGATEESCAPE)]


def fits_python(case: Dict[str, Any]) -> bool:
    """True if a str can hold the code points of a case."""
    return all(int(unit, 16) <= 0x10FFFF for unit in case["units"].split(",") if unit != "-")


def node_questions(utf_8: Files, utf_8_sig: Files) -> List[Question]:
    """Node implements whatwg, whole and in pieces, with and without signature; the verdict of strict; encoding."""
    return [*questions(utf_8, {"whatwg": policies.WHATWG}), *strict_questions(utf_8, "fatal", False),
            *questions(utf_8_sig, {"signature": policies.WHATWG}),
            *encode_questions(utf_8, "encode-utf16", "encode", policies.WHATWG)]


def jdk_questions(utf_8: Files, utf_8_sig: Files) -> List[Question]:
    """The JDK implements jdk, whole and in pieces, skip, strict with offset and length; and String has its own code."""
    del utf_8_sig
    strings = [one for one in questions(utf_8, {"string": policies.JDK}) if not one.streamed]
    return [*questions(utf_8, {"replace": policies.JDK, "ignore": policies.SKIP}), *strings,
            *strict_questions(utf_8, "report", True)]


# ---- the relatives ------------------------------------------------------------------------------

Suite = Dict[str, Files]  # the files of each encoding


def whole_only(asked: Iterable[Question]) -> Iterator[Question]:
    """The questions about an input in one piece."""
    return (one for one in asked if not one.streamed)


def cpython_family_questions(suite: Suite) -> List[Question]:
    """CPython: surrogatepass is generalized UTF-8; WTF-8 is surrogatepass after UTF-16; two codecs of UTF-16, which are WTF-16 under surrogatepass."""
    asked = [*strict_questions(suite["generalized-utf-8"], "utf-8:surrogatepass", True),
             *encode_questions(fitting(suite["generalized-utf-8"]), "encode", "encode:surrogatepass", policies.STRICT),
             *encode_questions(suite["wtf-8"], "encode-utf16", "units:surrogatepass", policies.STRICT)]
    for name in ("utf-16-le", "utf-16-be"):
        files = suite[name.replace("16-", "16")]
        asked += [*strict_questions(files, f"{name}:strict", True),
                  *questions(files, {f"{name}:replace": policies.WHATWG, f"{name}:ignore": policies.SKIP}),
                  *encode_questions(fitting(files), "encode", f"encode-{name}:strict", policies.STRICT),
                  *encode_questions(fitting(files), "encode", f"encode-{name}:ignore", policies.SKIP)]
        files = suite[name.replace("utf-16-", "wtf-16")]
        without_pairs = [{**file, "tests": [case for case in file["tests"] if not case["errors"]]} for file in fitting(files)]
        asked += [*strict_questions(files, f"{name}:surrogatepass", True),
                  *encode_questions(without_pairs, "encode", f"encode-{name}:surrogatepass", policies.STRICT)]
    return asked


def fitting(files: Files) -> List[Dict[str, Any]]:
    """The files of kind `encode`, with the cases whose code points a str can hold."""
    return [{**file, "tests": [case for case in file["tests"] if fits_python(case)]} for file in files
            if file["kind"] == "encode"]


def jdk_family_questions(suite: Suite) -> List[Question]:
    """The JDK: charset CESU-8 is the profile `cesu-8-jdk`; readUTF; writeUTF; UTF-16."""
    asked = [*strict_questions(suite["cesu-8-jdk"], "CESU-8:report", True),
             *questions(suite["cesu-8-jdk"], {"CESU-8:replace": policies.WHATWG, "CESU-8:ignore": policies.SKIP}),
             *strict_questions(suite["mutf-8-readutf"], "readUTF", False),
             *encode_questions(suite["mutf-8"], "encode-utf16", "writeUTF", policies.STRICT)]
    for name in ("utf-16le", "utf-16be"):
        asked += [*strict_questions(suite[name], f"{name}:report", True),
                  *questions(suite[name], {f"{name}:replace": policies.WHATWG, f"{name}:ignore": policies.SKIP})]
    return asked


def node_family_questions(suite: Suite) -> List[Question]:
    """Node: UTF-16 decoders, whole and in pieces, with and without signature, and toWellFormed."""
    asked: List[Question] = []
    for name in ("utf-16le", "utf-16be"):
        asked += [*questions(suite[name], {f"{name}:whatwg": policies.WHATWG}), *strict_questions(suite[name], f"{name}:fatal", False),
                  *questions(suite[f"{name}-sig"], {f"{name}:signature": policies.WHATWG})]
    return asked + to_well_formed_questions(suite["utf-16be"])


def to_well_formed_questions(files: Files) -> List[Question]:
    """UTF-16 units made well-formed: the output of an encoder under `whatwg`, as units."""
    found = []
    for file in files:
        for case in file["tests"] if file["kind"] == "encode-utf16" else ():
            units = scalars([unit for unit, in struct.iter_unpack(">H", unhex(case["outputs"][policies.WHATWG]["bytes"]))])
            found.append(Question(case["id"], "to-well-formed", tuple(case["units"].split(",")), units))
    return found


def icu_family_questions(suite: Suite) -> List[Question]:
    """ICU: the converter of CESU-8, which accepts lone surrogates as the JDK does, and those of UTF-16; whole inputs."""
    asked = list(whole_only(questions(suite["cesu-8-jdk"], {"CESU-8": policies.WHATWG})))
    for name in ("utf-16le", "utf-16be"):
        asked += whole_only(questions(suite[name], {name.upper(): policies.WHATWG}))
    return asked


class Icu:
    """The converters of libicuuc."""

    def __init__(self, path: str) -> None:
        """Loads the library, whose functions have its version in their names."""
        library = ctypes.CDLL(path)
        version = re.search(r"[.]so[.]([0-9]+)", path)
        suffix = f"_{version[1]}" if version else ""
        self.open, self.close, self.decode = (getattr(library, f"ucnv_{name}{suffix}") for name in ("open", "close", "toUChars"))
        self.open.restype = ctypes.c_void_p
        self.close.argtypes = (ctypes.c_void_p,)
        self.decode.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_char_p, ctypes.c_int32, ctypes.c_void_p)

    def ask(self, asked: Sequence[Question]) -> List[str]:
        """The output of each whole input, in units."""
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
        """Converts one whole input."""
        status, capacity = ctypes.c_int(0), 2 * len(text) + 8
        out = (ctypes.c_uint16 * capacity)()
        count = self.decode(converter, out, capacity, text, len(text), ctypes.byref(status))
        if status.value > 0:
            raise ValueError(f"ICU ends with error {status.value}")
        return scalars(out[:count]) + "|-"


def icu() -> Optional[Icu]:
    """ICU, or None if it is not installed."""
    path = ctypes.util.find_library("icuuc")
    return Icu(path) if path else None


@dataclass(frozen=True)
class Reason:
    """The reason why a decoder differs, and the exact differences that it explains."""

    text: str
    holds: Callable[[Difference], bool]


def is_late(difference: Difference) -> bool:
    """True if only the time of output differs, and a piece ends after ED and the byte that makes it a surrogate."""
    question = difference.question
    if not question.streamed:
        return False
    so_far, held = b"", False
    for piece in question.pieces:
        so_far += unhex(piece)
        held = held or so_far[-2:-1] == b"\xED" and 0xA0 <= so_far[-1] <= 0xBF
    return held and joined(difference.answer) == joined(question.expected)


def loses_unfinished_signature(difference: Difference) -> bool:
    """True if the stream is an incomplete signature, and there was no output."""
    if difference.question.mode != "utf-8-sig:replace" or joined(difference.answer) != "-":
        return False
    return b"".join(map(unhex, difference.question.pieces)) in (b"\xEF", b"\xEF\xBB")


def takes_whole_surrogate(difference: Difference) -> bool:
    """True if the decoder reports the same error with the length of the whole surrogate, as far as it is there."""
    question = difference.question
    if question.mode != "report" or not question.expected.startswith("error"):
        return False
    text, offset = unhex(question.pieces[0]), int(question.expected.split()[1])
    third = text[offset + 2:offset + 3]
    length = 3 if third and 0x80 <= third[0] <= 0xBF else 2
    surrogate = text[offset] == 0xED and 0xA0 <= text[offset + 1] <= 0xBF
    return surrogate and difference.answer == f"error {offset} {length}"


def names_lead_alone(difference: Difference) -> bool:
    """True if the decoder reports the same error as ED alone, for a truncated surrogate of two bytes."""
    question = difference.question
    if question.mode != "utf-8:surrogatepass" or not question.expected.startswith("error"):
        return False
    text, (offset, length) = unhex(question.pieces[0]), map(int, question.expected.split()[1:])
    begun = length == 2 and text[offset] == 0xED and 0xA0 <= text[offset + 1] <= 0xBF
    return begun and difference.answer == f"error {offset} 1"


def gives_lead_at_once(difference: Difference) -> bool:
    """True if only the time of output differs, and the pieces contain a lead surrogate of CESU-8."""
    question = difference.question
    if not question.mode.startswith("CESU-8:") or not question.streamed:
        return False
    holds = re.search(rb"\xED[\xA0-\xAF][\x80-\xBF]", b"".join(map(unhex, question.pieces)))
    return bool(holds) and joined(difference.answer) == joined(question.expected)


def without_swallowed_units(order: str, text: bytes, replacement: Tuple[int, ...]) -> List[int]:
    """Decodes UTF-16 as the JDK does: a unit after a lead that is not a trail is part of the error."""
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
    """True if the error is an unpaired lead, and the decoder includes the unit after it."""
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
    """True if only the number of replacements differs, for F0..F7 and the continuation bytes after it."""
    question = difference.question
    if question.mode != "CESU-8" or not re.search(rb"[\xF0-\xF7][\x80-\xBF]", unhex(question.pieces[0])):
        return False

    def others(answer: str) -> List[str]:
        """The answer without replacements."""
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
