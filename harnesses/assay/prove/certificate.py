# SPDX-License-Identifier: MIT
"""The verdicts that theorem `windows` should find, computed from the Python witness's rows alone: `certificate.py [ENCODING [STRIDE
[OFFSET]]]`. Prints their CRC-32, which `assay prove -t windows` also prints. It shares neither code nor rows with that command. For each
three bytes that can end text without an error, in order: the bytes, then a bit for each byte that may follow, 1 if it is refused. A byte
that begins nothing is accepted, and every byte after it is refused.
"""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from typing import Dict, FrozenSet, List, Optional, Tuple, Union

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
from witness.rows import ENCODINGS, Row  # noqa: E402  pylint: disable=wrong-import-position

Open = FrozenSet[Tuple[Row, int]]  # the rows that the current character may belong to, and how many of its bytes were read
State = Union[Open, str]
BETWEEN, NOTHING = "between two characters", "after a byte that begins nothing"


class Automaton:
    """The rows of an encoding, byte by byte."""

    def __init__(self, encoding: str) -> None:
        """All states that text without an error can be in."""
        self.rows = ENCODINGS[encoding].read_rows
        self.known: Dict[FrozenSet[State], List[Optional[bytes]]] = {}
        states: List[State] = [BETWEEN]
        for state in states:
            for byte in range(256):
                following = self.step(state, byte)
                if following is not None and following not in states:
                    states.append(following)
        self.states = frozenset(states)

    def step(self, state: State, byte: int) -> Optional[State]:
        """The next state; None if the byte is refused."""
        if state == NOTHING:
            return None
        under_way = [(row, 0) for row in self.rows] if state == BETWEEN else state
        fitting = [(row, count + 1) for row, count in under_way if row.ranges[count][0] <= byte <= row.ranges[count][1]]
        if any(count == len(row.ranges) for row, count in fitting):
            return BETWEEN
        if not fitting:
            return NOTHING if state == BETWEEN and byte >= 0xC0 else None
        return frozenset(fitting)

    def after(self, states: FrozenSet[State], byte: int) -> FrozenSet[State]:
        """The states after a byte, from any of these states."""
        return frozenset(state for state in (self.step(state, byte) for state in states) if state is not None)

    def verdicts(self, states: FrozenSet[State]) -> List[Optional[bytes]]:
        """For each third byte after two bytes that lead to these states: which of the 256 next bytes are refused, as bits."""
        if states not in self.known:
            rows: List[Optional[bytes]] = []
            for third in range(256):
                context = self.after(states, third)
                refused = sum(1 << byte for byte in range(256) if not self.after(context, byte))
                rows.append(bytes((third,)) + refused.to_bytes(32, "little") if context else None)
            self.known[states] = rows
        return self.known[states]


def certificate(encoding: str, stride: int = 1, offset: int = 0) -> str:
    """The CRC-32 of the verdicts after every stride-th pair of first bytes."""
    automaton = Automaton(encoding)
    crc = 0
    for pair in range(offset, 0x10000, stride):
        first = bytes((pair >> 8, pair & 0xFF))
        rows = automaton.verdicts(automaton.after(automaton.after(automaton.states, first[0]), first[1]))
        crc = zlib.crc32(b"".join(first + row for row in rows if row is not None), crc)
    return f"{crc:08X}"


if __name__ == "__main__":
    print(certificate(sys.argv[1] if len(sys.argv) > 1 else "utf-8", *map(int, sys.argv[2:])))
