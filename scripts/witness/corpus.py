# SPDX-License-Identifier: MIT
"""What fuzzers start with: small seeds, taken from the vectors, and dictionaries of tokens."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

from .policies import BOM, REPLACEMENT, machine
from .rows import ENCODINGS, Encoding
from .samples import (boundaries, boundary_code_points, completed, ill_formed, of_each_length, prefixes, refused_leads,
                      refused_pairs)
from .vectors import File

SEEDS_A_CATEGORY = 14
# Past bugs, and transitions, which have enough pairs of bytes after a character.
OTHER_COUNTS = {"museum": 1000, "standard-examples": 1000, "next-two-bytes": 72, "transitions": 180, "second-character": 4, "surrogate": 20}
BLOCKS = (16, 32, 64)


def seeds(file: File, taken: Dict[bytes, str]) -> Dict[str, bytes]:
    """Seeds of one category, without repeated bytes; chosen by a hash of their ids, so that new cases change few seeds."""
    tests = file["tests"] if file["kind"] == "decode" else []
    count = OTHER_COUNTS.get(file["category"], SEEDS_A_CATEGORY)
    chosen: Dict[str, bytes] = {}
    for case in sorted(tests, key=lambda case: hashlib.sha256(case["id"].encode("ascii")).digest())[:count]:
        text = bytes.fromhex(case["bytes"].replace("-", ""))
        name = f"{file['encoding']}/{file['category']}-{case['id'].rsplit('/', 1)[1]}"
        if text and taken.setdefault(text, name) == name:
            chosen[name] = text
    return chosen


def all_seeds(vectors: Path) -> Dict[str, bytes]:
    """The seeds of every encoding, from the vectors in a folder: ENCODING/NAME, and bytes. Raises ValueError if there is none."""
    made: Dict[str, bytes] = {}
    taken: Dict[str, Dict[bytes, str]] = {}
    for path in sorted(vectors.glob("*/*.json")):
        file = json.loads(path.read_text("ascii"))
        made.update(seeds(file, taken.setdefault(file["encoding"], {})))
    if not made:
        raise ValueError(f"{vectors} has no vectors from which seeds could be made")
    return made


def write_seeds(made: Dict[str, bytes], folder: Path) -> None:
    """Writes seeds, and the dictionary of each encoding, to a folder that holds nothing else; what was in it is removed."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    for encoding in ENCODINGS.values():
        if not encoding.strips_bom:  # `-sig` encodings have the same tokens
            write_dictionary(encoding.name, folder)


def write_dictionary(encoding: str, folder: Path) -> Path:
    """Writes the dictionary of an encoding to ENCODING.dict in a folder, and returns its path."""
    path = folder / f"{encoding}.dict"
    path.write_text(dictionary(ENCODINGS[encoding]), "ascii")
    return path


def tokens(encoding: Encoding) -> Iterator[Tuple[str, bytes]]:
    """Named tokens: characters at the edges of rows, each kind of error, and fillers of blocks."""
    for code_point, text in zip(boundary_code_points(encoding), boundaries(encoding)):
        yield f"character_U{code_point:04X}", text
    for name, code_point in (("byte_order_mark", BOM), ("replacement_character", REPLACEMENT)):
        yield name, encoding.encode(code_point) or b""
    for text in prefixes(encoding):
        yield f"unfinished_{text.hex().upper()}", text
    yield from refused_tokens(encoding)
    for text in ill_formed(encoding):
        if len(text) > 2 * (encoding.unit == 1):  # shorter ones are above
            yield f"ill_formed_{text.hex().upper()}", text
    for text in foreign(encoding):
        yield f"foreign_{text.hex().upper()}", text
    for character in of_each_length(encoding):
        for block in BLOCKS:
            yield f"filler_{len(character)}_of_{block}", character * (block // len(character))
        yield f"filler_{len(character)}_short_of_32", character * (31 // len(character))


def refused_tokens(encoding: Encoding) -> Iterator[Tuple[str, bytes]]:
    """Bytes that begin no sequence, and leads followed by a byte that is refused."""
    if encoding.unit > 1:  # every byte begins some code unit; refused ones are under ill_formed
        return
    for byte in (0x80, 0xBF, *refused_leads(encoding)):
        yield f"byte_{byte:02X}", bytes((byte,))
    chosen: Dict[Tuple[int, int], bytes] = {}
    for pair in refused_pairs(encoding):
        classes = machine(encoding).classes
        chosen[classes[pair[0]], classes[pair[1]]] = pair  # the last of each: the nearest to a well-formed one
    for pair in chosen.values():
        yield f"refused_{pair.hex().upper()}", completed(pair, 0xBF)


# Texts with another spelling in other encodings: NUL, lead, trail, a pair as code points and as one character.
FOREIGN = ((0x0000,), (0xD83D,), (0xDCA9,), (0xD83D, 0xDCA9), (0x1F4A9,))


def foreign(encoding: Encoding) -> List[bytes]:
    """The spellings in other encodings with the same size of units, if this encoding has another spelling or none."""
    found = []
    for other in ENCODINGS.values():
        for points in FOREIGN:
            spelled = [other.encode(point) for point in points]
            if other.unit == encoding.unit and None not in spelled:
                found.append(b"".join(one for one in spelled if one is not None))
    return list(dict.fromkeys(found))


def dictionary(encoding: Encoding) -> str:
    """The dictionary in the syntax that libFuzzer and AFL++ share."""
    lines: List[str] = []
    seen: List[bytes] = []
    for name, text in tokens(encoding):
        if text not in seen:
            seen.append(text)
            lines.append(f'{name}="' + "".join(f"\\x{byte:02X}" for byte in text) + '"')
    return "\n".join(lines) + "\n"
