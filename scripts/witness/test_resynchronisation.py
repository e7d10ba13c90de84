# SPDX-License-Identifier: MIT
"""What the vectors of one damaged byte promise: the witness itself must not be out of step."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any, Dict, List

VECTORS = Path(__file__).resolve().parent.parent.parent / "vectors"


def file_of(encoding: str) -> Dict[str, Any]:
    """The vectors of an encoding."""
    return json.loads((VECTORS / encoding / "resynchronisation.json").read_text("ascii"))


def code_points(output: str) -> List[int]:
    """Code points of an output as the format writes them."""
    return [int(code, 16) for code in output.split(",")] if output not in ("", "-") else []


def lost(text: List[int], out: List[int]) -> int:
    """How many characters are not in the common beginning and end."""
    head = 0
    while head < min(len(text), len(out)) and text[head] == out[head]:
        head += 1
    tail = 0
    while tail < min(len(text), len(out)) - head and text[-1 - tail] == out[-1 - tail]:
        tail += 1
    return len(text) - head - tail


class ResynchronisationTest(unittest.TestCase):
    """Compares with the undamaged text, which is that of the comment: its bytes, then the damage."""

    def worst(self, encoding: str) -> int:
        """The most characters that any damage of one byte loses, under `skip` and under `whatwg`."""
        file = file_of(encoding)
        text = [case for case in file["tests"] if case["id"].endswith("/lost-0")][0]
        whole = bytes.fromhex(text["comment"].split(" without")[0])
        codec = {"utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}.get(encoding, "utf-8")
        characters = [ord(character) for character in whole.decode(codec, "surrogatepass")]
        figures = [lost(characters, code_points(case["outputs"][policy]))
                   for case in file["tests"] if "/swapped-" not in case["id"] for policy in ("skip", "whatwg")]
        self.assertGreater(len(figures), 200)
        return max(figures)

    def test_damage_stays_where_it_is(self) -> None:
        """A lost, added, doubled or changed byte costs one character at most."""
        for encoding in ("utf-8", "wtf-8"):
            self.assertEqual(self.worst(encoding), 1, encoding)

    def test_utf_16_as_bytes_does_not(self) -> None:
        """A lost byte costs every character: the check sees it."""
        for encoding in ("utf-16le", "utf-16be"):
            self.assertGreater(self.worst(encoding), 3, encoding)


if __name__ == "__main__":
    unittest.main()
