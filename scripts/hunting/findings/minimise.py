# SPDX-License-Identifier: MIT
"""The smallest input that still shows a finding: delta debugging (Zeller and Hildebrandt 2002), and letters in place of bytes that do not
matter."""

from __future__ import annotations

import time
from typing import Callable, Tuple

PLAIN = 0x61  # 'a'


class OutOfTime(Exception):
    """The deadline has passed."""


def minimise(data: bytes, shows: Callable[[bytes], bool], deadline: float,
             clock: Callable[[], float] = time.monotonic) -> Tuple[bytes, bool]:
    """The smallest input found, and True if nothing was left to try."""
    best = data

    def still(candidate: bytes) -> bool:
        nonlocal best
        if clock() >= deadline:
            raise OutOfTime
        if not shows(candidate):
            return False
        best = candidate
        return True

    try:
        while True:
            before = best
            make_plain(best, still)  # first: letters can be taken away one by one, characters of several bytes cannot
            remove_chunks(best, still)
            if best == before:
                return best, True
    except OutOfTime:
        return best, False


def remove_chunks(data: bytes, still: Callable[[bytes], bool]) -> bytes:
    """Removes chunks while the result still shows the finding: first the largest chunks, from the end of the input. Sizes are powers of
    two, so removing a chunk of a block or more leaves the offsets within a block as they are."""
    size = 1 << max(len(data) - 1, 1).bit_length() - 1
    while data:
        end = len(data)
        while end > 0:
            begin = max(end - size, 0)
            candidate = data[:begin] + data[begin + size:]
            if still(candidate):
                data = candidate
            end = begin
        if size == 1:
            break
        size //= 2
    return data


def between_sequences(data: bytes, begin: int, middle: int, end: int) -> int:
    """The first offset from `middle` on that is not inside a sequence of UTF-8 or a relative, because the rest of a cut sequence is an
    error; `middle` if there is none before `end`."""
    place = middle
    while place < end and data[place] & 0xC0 == 0x80:
        place += 1
    return place if begin < place < end else middle


def make_plain(data: bytes, still: Callable[[bytes], bool]) -> bytes:
    """Replaces the bytes that do not matter by a letter, halves first, so that those that matter stand out."""
    pending = [(0, len(data))] if data else []
    while pending:
        begin, end = pending.pop()
        candidate = data[:begin] + bytes([PLAIN]) * (end - begin) + data[end:]
        if candidate == data:
            continue
        if still(candidate):
            data = candidate
        elif end - begin > 1:
            middle = between_sequences(data, begin, (begin + end) // 2, end)
            pending += [(middle, end), (begin, middle)]
    return data
