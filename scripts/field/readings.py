# SPDX-License-Identifier: MIT
"""The readings of inputs by subjects: whether they accept an input, and the text that they decode. Two readings are compared where both
state the same."""

from __future__ import annotations

import itertools
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

POLICIES = ("own", "whatwg", "jdk", "per-byte", "per-sequence", "per-run", "skip", "surrogateescape")  # the first that a subject has is its text
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16le", "utf-16be")
LONGEST, PER_PAIR, INPUTS_MAX = 16, 6, 3000

Input = Tuple[str, str]  # encoding; HEX, or several joined by commas: the pieces
Answers = Sequence[Sequence[str]]
SHARED: Dict[Any, Any] = {}


class Reading(NamedTuple):
    """One subject's reading of one input."""
    accepts: Optional[bool]
    text: Optional[str]  # SCALARS


def joined(reply: str) -> str:
    """The groups of a reply as one text."""
    words = [group for group in reply.split("|") if group != "-"]
    return ",".join(words) or "-"


def readings_of(answers: Answers) -> Dict[Input, Reading]:
    """A subject's readings of all its inputs, whatever their length."""
    accepts: Dict[Input, bool] = {}
    texts: Dict[Input, Tuple[int, str]] = {}
    for _, asked, reply in answers:
        word, encoding, *policy, chunks = asked.split(" ")
        key = (encoding, chunks)
        is_ok = reply == "ok" or reply.startswith("ok ")
        if word == "validate":
            accepts[key] = is_ok
        elif policy == ["strict"]:
            accepts.setdefault(key, is_ok)
        if word == "decode" and is_ok:
            rank = POLICIES.index(policy[0]) if policy[0] in POLICIES else len(POLICIES)
            texts[key] = min(texts.get(key, (99, "")), (rank, joined(reply[3:])))
    return {key: Reading(accepts.get(key), texts[key][1] if key in texts else None) for key in {**accepts, **texts}}


def size_of(key: Input) -> Tuple[int, int, str, str]:
    """The key by which inputs are sorted: the fewest bytes first, then the fewest pieces."""
    return len(key[1].replace(",", "").replace("-", "")) // 2, key[1].count(","), key[0], key[1]


def differ(one: Optional[Reading], other: Optional[Reading]) -> bool:
    """True if two readings differ in the verdict or in the text. What one of them does not state is not compared."""
    if one is None or other is None:
        return False
    if one.accepts is not None and other.accepts is not None and one.accepts != other.accepts:
        return True
    return one.text is not None and other.text is not None and one.text != other.text


def groups_of(mine: List[Optional[Reading]]) -> Dict[Reading, int]:
    """The subjects that have each reading, as bits."""
    groups: Dict[Reading, int] = {}
    for index, reading in enumerate(mine):
        if reading is not None:
            groups[reading] = groups.get(reading, 0) | 1 << index
    return groups


def bits(number: int) -> List[int]:
    """The indexes of the bits that are set."""
    return [index for index in range(number.bit_length()) if number >> index & 1]


class Wanted:
    """The pairs of subjects for which more inputs are wanted."""

    def __init__(self, count: int) -> None:
        self.left = {pair: PER_PAIR for pair in itertools.combinations(range(count), 2)}
        self.partners = [((1 << count) - 1) & ~(1 << index) for index in range(count)]

    def take(self, one: int, other: int) -> bool:
        """Counts an input for each pair of a subject of one group and a subject of the other. Returns False if no such pair wants it."""
        found = [(first, second) for first in bits(one) if self.partners[first] & other for second in bits(self.partners[first] & other)]
        for first, second in found:
            pair = (min(first, second), max(first, second))
            self.left[pair] -= 1
            if not self.left[pair]:
                self.partners[first] &= ~(1 << second)
                self.partners[second] &= ~(1 << first)
        return bool(found)


def chosen(subjects: List[Dict[Input, Reading]]) -> List[Input]:
    """The shortest inputs such that each pair of subjects has PER_PAIR inputs that it reads differently, if there are that many."""
    wanted = Wanted(len(subjects))
    kept = []
    for key in sorted({key for readings in subjects for key in readings}, key=size_of):
        groups = groups_of([readings.get(key) for readings in subjects])
        differing = [pair for pair in itertools.combinations(groups, 2) if differ(*pair)]
        if any([wanted.take(groups[one], groups[other]) for one, other in differing]):
            kept.append(key)
        if len(kept) == INPUTS_MAX:
            break
    return kept


def kept_for_page(readings: Dict[Input, Reading]) -> Dict[Input, Reading]:
    """The readings of short inputs. Equal keys, and equal readings, of all subjects are one object, to save memory."""
    return {SHARED.setdefault(key, key): SHARED.setdefault(reading, reading) for key, reading in readings.items()
            if key[0] in ENCODINGS and size_of(key)[0] <= LONGEST}


def table(named: Dict[str, Dict[Input, Reading]]) -> Dict[str, Any]:
    """The chosen inputs, their texts, and for each subject two numbers per input: its verdict (1 accepted, 0 refused, -1 not stated), and
    the index of its text, or -1."""
    inputs = chosen(list(named.values()))
    texts: Dict[str, int] = {}
    rows = {}
    for name, readings in named.items():
        mine = [readings.get(key, Reading(None, None)) for key in inputs]
        rows[name] = {"verdicts": [-1 if one.accepts is None else int(one.accepts) for one in mine],
                      "texts": [-1 if one.text is None else texts.setdefault(one.text, len(texts)) for one in mine]}
    return {"inputs": [{"encoding": encoding, "pieces": pieces} for encoding, pieces in inputs], "texts": list(texts), "subjects": rows}


# ---- behaviour ---------------------------------------------------------------------------------------------

def spelled(data: bytes) -> Optional[str]:
    """The code point that the bits of one sequence stand for, whatever the rules say; None if it is not one sequence."""
    ones = f"{data[0]:08b}".index("0") if data and data[0] < 0xFF else 8
    if len(data) != max(ones, 1) or ones in (1, 8) or any(byte >> 6 != 2 for byte in data[1:]):
        return None
    value = data[0] & (0x7F >> ones)
    for byte in data[1:]:
        value = value << 6 | byte & 0x3F
    return f"{value:X}"


def taken(readings: Dict[Input, Reading], inputs: List[str]) -> Dict[str, Any]:
    """Counts the inputs in UTF-8 that are accepted: by the verdict or, without one, by the text that is read."""
    asked: Set[str] = set()
    accepted: Set[str] = set()
    for hexadecimal in inputs:
        reading = readings.get(("utf-8", hexadecimal))
        if reading is None:
            continue
        asked.add(hexadecimal)
        is_read = reading.text is not None and reading.text == spelled(bytes.fromhex(hexadecimal))
        if reading.accepts or (reading.accepts is None and is_read):
            accepted.add(hexadecimal)
    example = min(accepted, key=lambda one: (len(one), one), default=None)
    return {"asked": len(asked), "accepted": len(accepted), "smallest": example}


def text_of(readings: Dict[Input, Reading], encoding: str, pieces: str) -> Optional[str]:
    """The text that is read from one input, or None."""
    reading = readings.get((encoding, pieces))
    return reading.text if reading else None


def cuts(readings: Dict[Input, Reading]) -> Dict[str, Any]:
    """Counts the inputs in pieces that are read as the same bytes in one piece are."""
    asked, same, example = 0, 0, None
    for key in sorted((key for key in readings if "," in key[1]), key=size_of):
        whole = readings.get((key[0], key[1].replace(",", "").replace("-", "") or "-"))
        if whole is None:
            continue
        asked += 1
        if differ(readings[key], whole):
            example = example or {"encoding": key[0], "pieces": key[1]}
        else:
            same += 1
    return {"asked": asked, "same": same, "smallest": example}


def behaviour(readings: Dict[Input, Reading], inputs: Dict[str, List[str]]) -> Dict[str, Any]:
    """The behaviour of a subject: overlong forms, surrogates, U+FEFF, noncharacters and cuts."""
    return {"overlongs": {**taken(readings, inputs["overlongs"]), "text": text_of(readings, "utf-8", "C0AF")},
            "surrogates": {**taken(readings, inputs["surrogates"]), "text": text_of(readings, "utf-8", "EDA080")},
            "noncharacters": taken(readings, inputs["noncharacters"]),
            "feff": {"first": text_of(readings, "utf-8", "EFBBBF41") or text_of(readings, "utf-8", "EFBBBF"), "later": text_of(readings, "utf-8", "41EFBBBF42"),
                     "with_signature": text_of(readings, "utf-8-sig", "EFBBBF41")},
            "cuts": cuts(readings)}
