# SPDX-License-Identifier: MIT
"""The smallest input that still shows the same thing: delta debugging (Zeller and Hildebrandt 2002), then plain bytes."""

from __future__ import annotations

import time
from typing import Callable, Tuple

PLAIN = 0x61  # 'a'


class OutOfTime(Exception):
    """The deadline came first."""


def minimise(data: bytes, shows: Callable[[bytes], bool], deadline: float,
             clock: Callable[[], float] = time.monotonic) -> Tuple[bytes, bool]:
    """The smallest form found, and whether nothing was left to try when it ended."""
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
            remove_chunks(best, still)
            make_plain(best, still)
            if best == before:
                return best, True
    except OutOfTime:
        return best, False


def remove_chunks(data: bytes, still: Callable[[bytes], bool]) -> bytes:
    """Takes away what can be, in ever smaller chunks; from the end, where truncation is one step."""
    size = max(len(data) // 2, 1)
    while data:
        end = len(data)
        while end > 0:
            begin = max(end - size, 0)
            candidate = data[:begin] + data[end:]
            if still(candidate):
                data = candidate
            end = begin
        if size == 1:
            break
        size //= 2
    return data


def make_plain(data: bytes, still: Callable[[bytes], bool]) -> bytes:
    """Turns every byte that does not matter into a letter, halves first, so that those that matter stand out."""
    pending = [(0, len(data))] if data else []
    while pending:
        begin, end = pending.pop()
        candidate = data[:begin] + bytes([PLAIN]) * (end - begin) + data[end:]
        if candidate == data:
            continue
        if still(candidate):
            data = candidate
        elif end - begin > 1:
            middle = (begin + end) // 2
            pending += [(middle, end), (begin, middle)]
    return data
