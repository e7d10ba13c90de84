# SPDX-License-Identifier: MIT
"""The complete tiers: test sets that provably distinguish automata, by the W-method.

Theorem (Vasilevskii 1973; Chow 1978). Let M be a minimal automaton with n states, all of them reachable, over an
alphabet S; Q a set of strings that reaches each state; W a set of strings of which, for every two states, one is
accepted from one of them only. An automaton over S with at most n + k states that agrees with M on the strings
Q . (S^0 + ... + S^(k+1)) . W takes the same language as M.
"""

from __future__ import annotations

import re
from collections import deque
from functools import lru_cache
from itertools import chain, combinations, product
from typing import Dict, Iterable, Iterator, List, Sequence, Set, Tuple

from .automaton import Automaton, automaton_of
from .policies import spans
from .rows import RELATIVES, Encoding

FOLDER = "vectors/complete"
LONGEST_SUFFIX = 3
LINE_FIELD = re.compile(r"(?:-|(?=[^-])((?:[0-9A-F]{2})*)(?:\[([0-9A-F]{2})-([0-9A-F]{2})\]((?:[0-9A-F]{2})*))?)")


def acceptance(automaton: Automaton, suffix: bytes) -> Tuple[bool, ...]:
    """For each state, whether it accepts a suffix."""
    return tuple(automaton.whole[automaton.walk(suffix, state)] for state in range(automaton.state_count))


def distinguishing_suffix(automaton: Automaton, left: int, right: int) -> bytes:
    """The shortest string of class representatives that only one of two states accepts."""
    pending, seen = deque([(left, right, b"")]), {(left, right)}
    while pending:
        left, right, suffix = pending.popleft()
        if automaton.whole[left] != automaton.whole[right]:
            return suffix
        for byte in automaton.representatives():
            pair = automaton.delta[left][byte], automaton.delta[right][byte]
            if pair not in seen:
                seen.add(pair)
                pending.append((*pair, suffix + bytes((byte,))))
    raise ValueError("no string tells two states apart: the automaton is not minimal")


def characterisation(automaton: Automaton) -> List[bytes]:
    """A small set W of suffixes of class representatives: every two states accept different ones."""
    states = range(automaton.state_count)
    short = (bytes(text) for length in range(LONGEST_SUFFIX + 1) for text in product(automaton.representatives(), repeat=length))
    by_effect: Dict[Tuple[bool, ...], bytes] = {}
    for suffix in chain(short, (distinguishing_suffix(automaton, *pair) for pair in combinations(states, 2))):
        by_effect.setdefault(acceptance(automaton, suffix), suffix)
    for size in range(1, len(by_effect) + 1):
        for effects in combinations(by_effect, size):
            if len(set(zip(*effects))) == len(states):
                return [by_effect[effect] for effect in effects]
    raise ValueError("the suffixes do not tell all states apart")


def w_method(automaton: Automaton, alphabet: Sequence[int], extra_states: int) -> List[bytes]:
    """Q . (S^0 + ... + S^(k+1)) . W, each string once, by length and then by value."""
    suffixes = characterisation(automaton)
    middles = [bytes(text) for length in range(extra_states + 2) for text in product(alphabet, repeat=length)]
    strings: Set[bytes] = {access + middle + suffix for access in automaton.access for middle in middles
                           for suffix in suffixes}
    return sorted(strings, key=lambda text: (len(text), text))


def transition_set(encoding: Encoding) -> List[bytes]:
    """Complete for automata with as many states as the standard's, over all 256 bytes."""
    return w_method(automaton_of(encoding), range(256), 0)


def extra_state_set(encoding: Encoding) -> List[bytes]:
    """Complete for automata with one more state that treat the bytes of a class alike."""
    automaton = automaton_of(encoding)
    return w_method(automaton, automaton.representatives(), 1)


@lru_cache(maxsize=1 << 16)
def verdict(encoding: Encoding, text: bytes) -> str:
    """The answer to `validate` in the line protocol."""
    found = spans(encoding, text)
    return f"error {found[0].offset} {found[0].length} {found[0].fault}" if found else "ok"


def lines(encoding: Encoding, strings: Iterable[bytes]) -> Iterator[str]:
    """One line per string: hex and verdict."""
    for text in strings:
        yield f"{text.hex().upper() or '-'} {verdict(encoding, text)}"


def ranged_lines(encoding: Encoding, strings: Sequence[bytes]) -> Iterator[str]:
    """One line for all strings that have the same verdict and differ in one byte, which takes all values of a range."""
    left = dict.fromkeys(strings)
    for text in strings:
        if text in left:
            alike = max((run_at(encoding, text, place, left) for place in range(len(text))), key=len, default=[text])
            for one in alike:
                del left[one]
            yield f"{as_range(alike)} {verdict(encoding, text)}"


def run_at(encoding: Encoding, text: bytes, place: int, left: Dict[bytes, None]) -> List[bytes]:
    """A string and the next ones in `left` that have the same verdict and differ in the byte at `place`, by 1 from each to the next."""
    run, said = [text], verdict(encoding, text)
    for byte in range(text[place] + 1, 256):
        other = text[:place] + bytes((byte,)) + text[place + 1:]
        if other not in left or verdict(encoding, other) != said:
            break
        run.append(other)
    return run


def as_range(run: Sequence[bytes]) -> str:
    """The strings of a run as hex, with `[A0-AF]` for the byte that differs."""
    first, last = run[0], run[-1]
    if first == last:
        return first.hex().upper() or "-"
    place = next(at for at in range(len(first)) if first[at] != last[at])
    return f"{first[:place].hex()}[{first[place]:02x}-{last[place]:02x}]{first[place + 1:].hex()}".upper()


def expanded(field: str) -> List[bytes]:
    """The strings of the first field of a line."""
    match = LINE_FIELD.fullmatch(field)
    if match is None:
        raise ValueError(f"neither HEX nor HEX with a range: {field[:60]!r}")
    before, low, high, after = match.groups()
    if low is None:
        return [bytes.fromhex(field.replace("-", ""))]
    return [bytes.fromhex(before) + bytes((byte,)) + bytes.fromhex(after) for byte in range(int(low, 16), int(high, 16) + 1)]


def render(encoding: Encoding, strings: Sequence[bytes], written: Iterable[str], premise: Sequence[str]) -> str:
    """The text of one tier."""
    head = ["# Generated by scripts/generate (scripts/witness/complete.py). CC0-1.0.",
            f"# {encoding.name}: {len(strings)} strings, a line each: HEX, then `ok` or `error OFFSET LENGTH FAULT`."]
    if encoding.name in RELATIVES:
        head[1] = f"# {encoding.name}: {len(strings)} strings: HEX, in which `[A0-AF]` is each byte of a range, then the verdict."
    return "\n".join([*head, *(f"# {line}" for line in premise), *written]) + "\n"


def texts(encoding: Encoding) -> Iterator[Tuple[str, str]]:
    """The tiers of an encoding, by path. Those of encodings other than UTF-8 use ranges, to be shorter."""
    count, classes = automaton_of(encoding).state_count, automaton_of(encoding).class_count
    write = ranged_lines if encoding.name in RELATIVES else lines
    transitions, extra = transition_set(encoding), extra_state_set(encoding)
    yield f"{FOLDER}/{encoding.name}-transitions.txt", render(encoding, transitions, write(encoding, transitions), (
        f"Premise: the decoder is a finite automaton with at most {count} states that reads byte by byte. Then, if all",
        "verdicts (ok or error) are as written here, it accepts exactly what is well-formed (W-method: Vasilevskii, Chow)."))
    yield f"{FOLDER}/{encoding.name}-extra-state.txt", render(encoding, extra, write(encoding, extra), (
        f"Premise: the decoder is a finite automaton with at most {count + 1} states that reads byte by byte and treats",
        f"the bytes of each of the {classes} classes of the standard's automaton alike. Then, if all",
        "verdicts are as written here, it accepts exactly what is well-formed (W-method: Vasilevskii, Chow)."))
