# SPDX-License-Identifier: MIT
"""Figures of the pages of documents/ that follow from the texts of the corpus, from Unicode's names and from the widths that a document gives its schemes."""

from __future__ import annotations

import itertools
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Callable, Dict, Tuple

from .rows import CESU_8, ENCODINGS, UTF_8, Encoding

TEXTS = Path(__file__).resolve().parents[2] / "corpus/text"


@lru_cache(maxsize=None)
def texts() -> Dict[str, str]:
    """The texts, by file name."""
    return {path.stem: path.read_text("utf-8") for path in sorted(TEXTS.glob("*.txt"))}


def by_leb128(code_point: int) -> int:
    """Chunks of seven bits; as many as `unary` needs, too, whose second byte has eight."""
    return max(1, -(-code_point.bit_length() // 7))


def by_start_bit_and_counters(code_point: int) -> int:
    """ASCII in one byte, all else in chunks of three bits; two chunks hold only ASCII."""
    return 1 if code_point < 0x80 else -(-code_point.bit_length() // 3)


def by_rows(encoding: Encoding) -> Callable[[int], int]:
    """The length of a code point's sequence."""
    def length(code_point: int) -> int:
        """By the row."""
        row = encoding.row_of_code_point(code_point)
        assert row is not None, code_point
        return len(row.ranges)
    return length


def bytes_a_character(length: Callable[[int], int], *names: str) -> int:
    """Hundredths of a byte: the mean of the texts, of which each counts the same; of those named, or of all."""
    chosen = [text for name, text in texts().items() if not names or name in names]
    counts = {char: length(ord(char)) for char in set("".join(chosen))}
    return round(100 * sum(sum(map(counts.__getitem__, text)) / len(text) for text in chosen) / len(chosen))


def lines_read_alike() -> int:
    """Percent of the lines that have the same bytes in UTF-8 and in CESU-8."""
    lines = [line for text in texts().values() for line in text.split("\n") if line]
    return round(100 * sum(UTF_8.encode(ord(max(line))) == CESU_8.encode(ord(max(line))) for line in lines) / len(lines))


def lost_in_utf_16() -> int:
    """The most characters of a text that are other ones if the first byte of its UTF-16 is lost, by CPython."""
    found = 0
    for text in texts().values():
        left = text.encode("utf-16-le")[1:].decode("utf-16-le", "replace")
        tail = next((at for at in range(len(left)) if text[-1 - at] != left[-1 - at]), len(left))
        found = max(found, len(text) - tail)
    return found


def best_of_two_bytes() -> Tuple[int, int]:
    """The division of the 128 byte values beyond ASCII into leads and continuations that gives most characters of two bytes, where three
    bytes hold the rest of the BMP and four all else. Returns the number of continuations and of these characters."""
    best = (0, 0)
    bmp, others = 0x10000 - 0x800 - 0x80, 0x100000
    for follows in range(1, 128):
        four = -(-others // follows ** 3)
        for two in range(128 - follows - four):
            three = 128 - follows - four - two
            if two * follows + three * follows ** 2 >= bmp:
                best = max(best, (two * follows, follows))
    return best[1], best[0]


def pairs_that_split() -> int:
    """The pairs of bytes that make two characters of U+00E9 if they come between its bytes, by CPython."""
    count = 0
    for middle in itertools.product(range(256), repeat=2):
        try:
            count += len((b"\xC3" + bytes(middle) + b"\xA9").decode()) == 2
        except UnicodeDecodeError:
            continue
    return count


def phonetic_extensions(script: str) -> int:
    """How many characters of the block Phonetic Extensions have a script in their names."""
    return sum(script in unicodedata.name(chr(code_point)) for code_point in range(0x1D00, 0x1D80))


FIGURES: Dict[str, Callable[[], int]] = {
    "changes_of_a_byte": lambda: 0xFF,
    "unseen_with_counters": lambda: 2**3 - 1,  # the tag, the start bit and 3 bits of counter stay, 3 bits change
    "unseen_with_one_counter": lambda: 2**6 - 1,  # the tag and the start bit stay, 6 bits change
    "beyond_the_last": lambda: 0x1FFFFF - 0x10FFFF,
    "texts": lambda: len(texts()),
    "characters": lambda: sum(map(len, texts().values())),
    "percent_of_bmp": lambda: round(100 * sum(char < "\U00010000" for text in texts().values() for char in text) / figure("characters")),
    "without_supplementary": lambda: sum(max(text) < "\U00010000" for text in texts().values()),
    "lines_read_alike": lines_read_alike,
    "leb128_bytes": lambda: bytes_a_character(by_leb128),
    "counters_bytes": lambda: bytes_a_character(by_start_bit_and_counters),
    "utf_8_bytes": lambda: bytes_a_character(by_rows(UTF_8)),
    "korean_leb128": lambda: bytes_a_character(by_leb128, "ko-hangul"),
    "korean_utf_16": lambda: bytes_a_character(by_rows(ENCODINGS["utf-16le"]), "ko-hangul"),
    "lost_in_utf_16": lost_in_utf_16,
    "bits_of_naive": lambda: 4 * 2 ** 3,
    "bits_of_terrible": lambda: 3 * 2 ** 3,
    "bytes_counted": lambda: 2 ** 3,
    "percent_of_marks": lambda: round(100 * (8 - 3) / 3),
    "two_bytes_at_best": lambda: best_of_two_bytes()[1],
    "follow_at_best": lambda: best_of_two_bytes()[0],
    "two_bytes_of_utf_8": lambda: sum(row.last - row.first + 1 for row in UTF_8.rows if len(row.ranges) == 2),
    "pairs_of_bytes": lambda: 256 ** 2,
    "pairs_that_split": pairs_that_split,
    "controls_of_ascii": lambda: sum(unicodedata.category(chr(value)) == "Cc" for value in range(0x80)),
    "greek_latin_e": lambda: sum("GREEK" in unicodedata.name(chr(code_point), "") for code_point in range(0xAB30, 0xAB70)),
    "greek_phonetic": lambda: phonetic_extensions("GREEK"),
    "cyrillic_phonetic": lambda: phonetic_extensions("CYRILLIC"),
    "bmp": lambda: sum(code_point < 0x10000 for code_point in ENCODINGS["generalized-utf-8"].code_points()),
}


def figure(name: str) -> int:
    """The figure of this name."""
    return FIGURES[name]()
