# SPDX-License-Identifier: MIT
"""Digests: one number for a decoder's answers to all strings of a length, computed without enumerating the strings.

The running checksum (vectors/FORMAT.md) is an affine function of the state before: over all continuations of a prefix it adds
a * v + b * c + d, where v is the checksum of the string so far, c the bits of the unfinished character, and a, b, d
depend on the state and on how many bytes remain. So 2^32 strings take as many steps as there are states.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Iterable, Iterator, List, Tuple

from .automaton import ACCEPT, REJECT
from .faults import form_of
from .policies import REPLACEMENT, machine
from .rows import Encoding

PATH = "vectors/complete/utf-8-digests.tsv"
HEAD = "set\tstrings\twell_formed\tverdict\tstrict\twhatwg"

MASK = (1 << 64) - 1
STRING_FACTOR = 0x9E3779B97F4A7C15
CODE_POINT_FACTOR = 0x100000001B3
LONGEST = 4

VERDICT, STRICT, WHATWG = "verdict", "strict", "whatwg"
KINDS = (VERDICT, STRICT, WHATWG)

Affine = Tuple[int, int, int]  # a, b, d: the sum is a * v + b * c + d


def value_of(code_points: Iterable[int]) -> int:
    """The checksum of one accepted string, by definition; the recursion must agree with it."""
    value = 1
    for code_point in code_points:
        value = (value * CODE_POINT_FACTOR + code_point + 1) & MASK
    return value


def running(values: Iterable[int]) -> int:
    """The checksum over the values of many strings, by definition."""
    total = 0
    for value in values:
        total = (total * STRING_FACTOR + value) & MASK
    return total


def plus(left: Affine, right: Affine, factor: int = 1) -> Affine:
    """left + factor * right."""
    return ((left[0] + factor * right[0]) & MASK, (left[1] + factor * right[1]) & MASK,
            (left[2] + factor * right[2]) & MASK)


def after(rest: Affine, v: Affine, c: Affine) -> Affine:
    """The sum over the rest, after v and c became these affine functions of their values before."""
    return plus(plus((0, 0, rest[2]), v, rest[0]), c, rest[1])


def with_code_point(v: Affine, code_point: Affine) -> Affine:
    """v after one more code point."""
    return plus(plus((0, 0, 1), code_point), v, CODE_POINT_FACTOR)


SAME_V: Affine = (1, 0, 0)
SAME_C: Affine = (0, 1, 0)
NO_BITS: Affine = (0, 0, 0)


class Digest:
    """The sums for one encoding and one kind of checksum."""

    def __init__(self, encoding: Encoding, kind: str) -> None:
        """Prepares the automaton."""
        self.delta = machine(encoding).delta
        self.kind = kind
        self.sums = lru_cache(maxsize=None)(self._sums)

    def end(self, state: int) -> Affine:
        """The term of a string that ends in a state."""
        if state == ACCEPT:
            return (0, 0, 1) if self.kind == VERDICT else SAME_V
        return with_code_point(SAME_V, (0, 0, REPLACEMENT)) if self.kind == WHATWG else (0, 0, 0)

    def step(self, state: int, byte: int, v: Affine) -> Tuple[int, Affine, Affine]:
        """The next state, v and c after a byte; under `whatwg` a refused byte is read again."""
        following = self.delta[state][byte]
        if following == REJECT and self.kind == WHATWG:
            replaced = with_code_point(v, (0, 0, REPLACEMENT))
            return (ACCEPT, replaced, NO_BITS) if state == ACCEPT else self.step(ACCEPT, byte, replaced)
        form = form_of(byte)
        if state == ACCEPT:
            c = (0, 0, byte & form[1]) if form else NO_BITS
        else:
            c = (0, 64, byte & 0x3F)
        if following == ACCEPT:
            return ACCEPT, with_code_point(v, c), NO_BITS
        return following, v, c

    def _sums(self, state: int, remaining: int) -> Affine:
        """The sum over all continuations of `remaining` bytes, in order."""
        if state == REJECT:
            return (0, 0, 0)
        if not remaining:
            return self.end(state)
        block = pow(STRING_FACTOR, 256 ** (remaining - 1), 1 << 64)
        total: Affine = (0, 0, 0)
        for byte in range(256):
            following, v, c = self.step(state, byte, SAME_V)
            total = plus(after(self.sums(following, remaining - 1), v, c), total, block)
        return total

    def of_length(self, length: int) -> int:
        """The digest over all strings of a length."""
        a, _, d = self.sums(ACCEPT, length)
        return (a + d) & MASK  # v begins as 1, c as 0


def well_formed_count(encoding: Encoding, length: int) -> int:
    """The number of well-formed strings of a length."""
    sizes: List[int] = [1]
    for total in range(1, length + 1):
        sizes.append(sum((row.last - row.first + 1) * sizes[total - len(row.ranges)] for row in encoding.rows
                         if len(row.ranges) <= total))
    return sizes[length]


Stretch = Tuple[int, int, int, int]  # a, b, d, n: h becomes a * h + b * c + d, and c becomes c + n


def then(first: Stretch, second: Stretch) -> Stretch:
    """Two consecutive stretches of code points as one."""
    (a, b, d, n), (a2, b2, d2, n2) = first, second
    return a * a2 & MASK, a2 * b + b2 & MASK, a2 * d + b2 * n + d2 & MASK, n + n2


def stretch(length: int, one: Stretch) -> Stretch:
    """A stretch of `length` code points, by doubling."""
    whole: Stretch = (1, 0, 0, 0)
    while length:
        if length & 1:
            whole = then(whole, one)
        one = then(one, one)
        length >>= 1
    return whole


def of_code_points(encoding: Encoding, kind: str) -> int:
    """The digest over the sequence of each code point, in order."""
    one = (STRING_FACTOR, 0, 1, 1) if kind == VERDICT else (STRING_FACTOR, 1, CODE_POINT_FACTOR + 1, 1)
    total = 0
    for row in encoding.rows:
        a, b, d, _ = stretch(row.last - row.first + 1, one)
        total = a * total + b * row.first + d & MASK
    return total


def lines(encoding: Encoding) -> Iterator[str]:
    """The lines of the file."""
    yield HEAD
    count = sum(row.last - row.first + 1 for row in encoding.rows)
    yield "\t".join(["scalars", str(count), str(count), *(f"{of_code_points(encoding, kind):016X}" for kind in KINDS)])
    for length in range(1, LONGEST + 1):
        values = [Digest(encoding, kind).of_length(length) for kind in KINDS]
        count = well_formed_count(encoding, length)
        yield "\t".join([f"bytes-{length}", str(256 ** length), str(count), *(f"{value:016X}" for value in values)])


def render(encoding: Encoding) -> str:
    """The text of the file."""
    return "\n".join(lines(encoding)) + "\n"
