# SPDX-License-Identifier: MIT
"""The texts of the positions tier: every kind of error, after characters of each length, before each sort of text."""

from __future__ import annotations

from functools import lru_cache
from itertools import cycle, product
from typing import Dict, Iterator, List, Optional, Sequence, Tuple

from . import encoders, faults, policies
from .automaton import REJECT
from .conversion import may_lose_pairs
from .positions import CONVERT, DECODE, ENCODE, ENCODE_UTF16, EVERY, FOLDER, LONG, OF_UNITS, PAD, Sketch, Tier, Units, encoded, table
from .rows import ALL, ENCODINGS, UTF_8, WTF_8, WTF_16, Encoding
from .samples import (BREAKERS as EVERY_BREAKER, bit_pattern, completed as spelled_out, completion, ill_formed, leads, refused_leads, refused_pairs,
                      short_prefixes, surrogates, unique)

# Characters by how many bytes UTF-8 has for them: both ends of each length, noncharacters, second bytes of all sorts.
SORTS = (
    (0x20, 0x7F, 0x30),
    (0xE9, 0x7FF, 0x80, 0x430),
    (0x4E16, 0xFDD0, 0xD3FE, 0x800, 0xFFFF, 0xD7FF, 0xE000, 0x20AC),
    (0x1F4A9, 0x10000, 0x5F03F, 0xEFFFE, 0x10FFFF, 0x50000, 0xB6A7E, 0x9A123),
)
CHARACTERS = (0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xCFFF, 0xD000, 0xD3FE, 0xD7FF, 0xE000, 0xFDD0, 0xFDEF, 0xFEFF,
              0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x1FFFF, 0x3FFFF, 0x40000, 0xEFFFE, 0xFFFFF, 0x100000, 0x10FFFF)
REFUSED = (0xD800, 0xDBFF, 0xDC00, 0xDC7F, 0xDC80, 0xDCFF, 0xDD00, 0xDFFF, 0x110000, 0x1FFFFF, 0x80000041, 0xFFFFFFFF)
HALVES = ((0xD800, 0x41), (0xDBFF, 0x41), (0xD83D, 0xE9), (0xD83D, 0xD7FF), (0xDABC, 0xE000), (0xDC00,), (0xDFFF,), (0xDEAD,),
          (0xDC00, 0xD800, 0x41), (0xD800, 0xD800, 0xDC00), (0xDBFF, 0xDFFF, 0xDFFF), (0xD800, 0xDC00), (0xDBFF, 0xDFFF))
LIMITS = ((0x7F, 0x80), (0x7FF, 0x800), (0xFFFF, 0x10000))  # the last character of each length, and the first of the next
# Two values beside the bounds of leads and of trails, which are no pair.
NO_PAIRS = ((0xD7FF, 0xDC00), (0xDC00, 0xDC00), (0xDBFF, 0xDBFF), (0xDBFF, 0xE000))
BREAKERS = (0x41, 0xC3, 0xE4, 0xFF)  # what comes in place of a continuation byte, wherever an error may stand
SECONDS = (0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF)  # both ends of each range that a second byte may be in
# What depends on the character before it: whole blocks and the end of input after each length of character.
AFTER_EACH = (faults.STRAY_CONTINUATION, faults.UNPAIRED_SURROGATE)
WHOLE_BLOCK, HALF_BLOCK = 131, 66  # units that fill any block of up to 128, or 64, after an error
STRIDE = 256
MANY = "511-513,131071-131073"
AT_STRIDES = "61-66,125-130,253-258"
IN_A_BATCH = "318-450"  # after a block and a stride of ASCII: a decoder may look for what is not ASCII in much text at once
BEYOND = "131-136"  # the first lanes of a block of 128, after a character that is longer than their number
WELL_FORMED = "65537-65568"  # more characters than 8 bits can count in each lane of 64
MIXED, MIXED_COUNT = {1: 0x61, 2: 0x3B1, 3: 0x4E00}, 25  # the first of some characters of each length, and how many
APART = "1-130"
BLOCKS = "16,32,48,64,96,128,192,256"
RUNS = (17, 33, 65)  # more errors than a block of 16, 32 or 64 bytes holds
# What a decoder may treat in its own way wherever it stands: between errors as well.
AMID = ((policies.BOM,), (0xFFFD,), (0xD, 0xA), (0,), (PAD,), (0xE9,), (0x4E16,), (0x1F4A9,))


def in_bytes(encoding: Encoding, code_points: Sequence[int]) -> List[Units]:
    """The characters that the encoding has, in its bytes."""
    sequences = [encoding.encode(code_point) for code_point in code_points]
    return [tuple(sequence) for sequence in sequences if sequence is not None]


@lru_cache(maxsize=None)
def refusals(encoding: Encoding) -> Tuple[bytes, ...]:
    """The least and the greatest byte of each class that a state of the scanner refuses, after a shortest text that leads to the state. A
    character that such a byte begins is completed, so that another one may follow."""
    scanner = policies.machine(encoding)
    found = []
    for state in (state for state in range(scanner.state_count) if state != REJECT):
        for number in range(scanner.class_count):
            members = [byte for byte in range(256) if scanner.classes[byte] == number]
            for byte in (members[0], members[-1]):
                if scanner.delta[state][byte] == REJECT:
                    found.append(completed(encoding, scanner.access[state] + bytes((byte,))))
    return tuple(text for text in unique(iter(found)) if policies.spans(encoding, text))


def completed(encoding: Encoding, text: bytes) -> bytes:
    """The text, with its last character completed if it is cut."""
    last = policies.segments(encoding, text)[-1]
    return text + completion(encoding, text[last.offset:], range(255, -1, -1)) if last.known_after is None else text


def by_fault(encoding: Encoding, texts: Sequence[bytes]) -> List[bytes]:
    """The texts in order of their first faults, and of the lengths of these."""
    def key(text: bytes) -> Tuple[str, int]:
        span = policies.spans(encoding, text)[0]
        return span.fault, span.length
    return sorted(texts, key=key)


def fault_in(encoding: Encoding, text: bytes) -> Optional[str]:
    """The first fault of a text, if it has one."""
    return next((span.fault for span in policies.spans(encoding, text)), None)


@lru_cache(maxsize=None)
def errors(encoding: Encoding) -> Tuple[bytes, ...]:
    """The texts with each kind of error. Their errors do not depend on the text after them. WTF-16 has no such error: the surrogates that
    are one in UTF-16."""
    halves = [surrogates(encoding, *values) for values in HALVES]
    if encoding.unit > 1 and encoding.holds_surrogates:
        return tuple(unique(iter(halves)))
    texts = [*ill_formed(encoding), *halves]
    texts += [prefix + bytes((byte,)) for prefix in short_prefixes(encoding) for byte in BREAKERS if encoding.unit == 1]
    found = [*refusals(encoding), *(completed(encoding, text) for text in texts)]
    return tuple(by_fault(encoding, unique(text for text in found if policies.spans(encoding, text))))


def unfinished(encoding: Encoding) -> List[bytes]:
    """The texts that end inside a character, one for each way."""
    return [text for text in unique(iter([*policies.machine(encoding).access, *short_prefixes(encoding)])) if policies.spans(encoding, text) and
            policies.spans(encoding, text)[-1].fault == faults.TRUNCATED]


def begun(encoding: Encoding) -> List[Units]:
    """The beginnings of characters that more text makes errors; in WTF-16, which has none, a lead that stays a character of its own."""
    found = [tuple(text) for text in unfinished(encoding) if len(text) % encoding.unit == 0]
    return found or [tuple(surrogates(encoding, 0xD83D))]


def decode_sketches(encoding: Encoding) -> Iterator[Sketch]:
    """Each kind of error after characters of each length, and before a block of ASCII, of others, and the end of input."""
    fillers = [cycle(in_bytes(encoding, sort)) for sort in SORTS]
    blank, pad = in_bytes(encoding, (0x20, PAD))
    for text in errors(encoding):
        one, two, three, four = (next(filler) for filler in fillers)
        subject = tuple(text)
        yield Sketch(DECODE, one, subject, blank, WHOLE_BLOCK)
        yield Sketch(DECODE, two, subject, two, HALF_BLOCK)
        yield Sketch(DECODE, three, subject)
        yield Sketch(DECODE, four, subject, four, HALF_BLOCK // 2)
        if fault_in(encoding, text) in AFTER_EACH:
            yield Sketch(DECODE, one, subject)
            yield Sketch(DECODE, two, subject)
            yield Sketch(DECODE, three, subject, blank, WHOLE_BLOCK)
            yield Sketch(DECODE, four, subject)
            for filler in (two, three, four):
                yield Sketch(DECODE, filler, subject, blank, WHOLE_BLOCK, offsets=BEYOND)
    for text in unfinished(encoding):
        for filler in fillers:
            yield Sketch(DECODE, next(filler), tuple(text))
    for index, subject in enumerate(in_bytes(encoding, CHARACTERS)):
        yield Sketch(DECODE, next(fillers[index % 4]), subject, blank, HALF_BLOCK)
        yield Sketch(DECODE, next(fillers[(index + 1) % 4]), subject)
    for filler in (filler for sort in SORTS for filler in in_bytes(encoding, sort)):
        yield Sketch(DECODE, filler, tuple(errors(encoding)[-1]), filler, WHOLE_BLOCK // len(filler))
    yield from stride_sketches(encoding)
    yield from open_sketches(encoding)
    yield from beside_errors(encoding)
    if encoding.name not in WTF_16:
        yield beyond_blocks(DECODE, min(nearest_errors(encoding), key=len), 64, pad)
    amid = [tuple(text) + pad for text in errors(encoding)]
    for filler, text in zip(amid[1:] + amid[:1], errors(encoding)):
        yield Sketch(DECODE, filler, tuple(text), blank, HALF_BLOCK // 2)
    if encoding.unit == 1:
        yield from breaker_sketches(encoding)
        yield from lead_sketches(encoding)
    yield from last_sketches(encoding)
    yield from bound_sketches(encoding)
    if encoding.spells_pairs or encoding is WTF_8:
        yield from apart_sketches(encoding, DECODE)
    if encoding.unit == 1 and encoding.spells_pairs and encoding.holds_surrogates:
        yield from held_sketches(encoding)
    if encoding is UTF_8:
        yield from plane_sketches()
        yield from word_sketches()
        for times in (12, WHOLE_BLOCK):
            yield from mixed_sketches(DECODE, times)
    for sort in SORTS if encoding is UTF_8 else SORTS[1:2] if encoding.unit == 1 else SORTS[3:]:
        yield Sketch(DECODE, in_bytes(encoding, sort)[0], blank, offsets=WELL_FORMED)


def stride_sketches(encoding: Encoding) -> Iterator[Sketch]:
    """Cut characters before 256 ASCII bytes; errors and characters far from the start; more errors than 16 bits can count."""
    blank, pad = in_bytes(encoding, (0x20, PAD))
    fillers = [in_bytes(encoding, sort)[0] for sort in SORTS]
    chosen = one_of_each_fault(encoding)
    for text in chosen:
        yield Sketch(DECODE, blank, tuple(text), blank, STRIDE, offsets=AT_STRIDES)
    for index, filler in enumerate(fillers):
        yield Sketch(DECODE, filler, tuple(chosen[index % len(chosen)]), filler, 3, offsets=LONG)
    if encoding.name in WTF_16:  # its only error, far from the start
        yield Sketch(DECODE, fillers[0], tuple(unfinished(encoding)[0]), offsets=LONG)
    yield Sketch(DECODE, tuple(chosen[0]) + pad, blank, blank, 3, offsets=MANY)


def open_sketches(encoding: Encoding) -> Iterator[Sketch]:
    """Cut characters and lone leads before ASCII; and refused leads and pairs, with as many continuation bytes as their first byte asks
    for."""
    fillers = cycle([in_bytes(encoding, sort)[0] for sort in SORTS])
    (blank,) = in_bytes(encoding, (0x20,))
    for subject in begun(encoding):
        yield Sketch(DECODE, next(fillers), subject, blank, WHOLE_BLOCK)
        yield Sketch(DECODE, next(fillers), subject, blank, 2 * STRIDE, offsets=AT_STRIDES)
    if encoding.name not in WTF_16:
        yield Sketch(DECODE, blank, begun(encoding)[0], blank, 2 * STRIDE, offsets=IN_A_BATCH)
    if encoding.unit > 1:
        return
    for lead in leads(encoding):
        yield Sketch(DECODE, next(fillers), (lead,), blank, HALF_BLOCK)
    refused = [pair for pair in refused_pairs(encoding) if pair[1] in SECONDS]
    for pair in (*refused, *(bytes((lead,)) for lead in refused_leads(encoding) if lead >= 0xC0)):
        for fill in (0x80, 0xBF):
            yield Sketch(DECODE, next(fillers), tuple(spelled_out(pair, fill)))


def beside_errors(encoding: Encoding) -> Iterator[Sketch]:
    """Each error right after another one; each sort of text between two errors; runs of errors of each length; and a character that the end
    of input cuts right after an error."""
    fillers = cycle([in_bytes(encoding, sort)[0] for sort in SORTS])
    (blank,) = in_bytes(encoding, (0x20,))
    shortest = list({fault_in(encoding, text): tuple(text) for text in errors(encoding) if len(text) == encoding.unit}.values())
    chosen = nearest_errors(encoding)
    amid = [tuple(text) for text in texts_amid(encoding)]
    pairs = [(*before, *text) for before, text in zip(cycle(shortest), errors(encoding))]
    for pair in dict.fromkeys([*pairs, *(one + two for one in chosen for two in chosen)]):
        yield Sketch(DECODE, next(fillers), pair)
    for error in chosen:
        for text in amid:
            yield Sketch(DECODE, next(fillers), error + text + error, blank, 5)
        for count in RUNS:
            yield Sketch(DECODE, next(fillers), error, error, count - 1)
    for error in shortest:
        for subject in (*amid, *chosen):
            yield Sketch(DECODE, error, subject, blank, 5, error)
    cut = [tuple(text) for text in unfinished(encoding)]
    before_cuts = begun(encoding)
    for index, end_of_input in enumerate(cut):
        for error in (chosen[index % len(chosen)], shortest[index % len(shortest)], before_cuts[(index + 1) % len(before_cuts)]):
            yield Sketch(DECODE, next(fillers), error + end_of_input)


def breaker_sketches(encoding: Encoding) -> Iterator[Sketch]:
    """Cut characters, followed by each sort of byte that a decoder may take for a continuation byte."""
    fillers = cycle([in_bytes(encoding, sort)[0] for sort in SORTS])
    (blank,) = in_bytes(encoding, (0x20,))
    texts = [completed(encoding, prefix + bytes((byte,))) for prefix in short_prefixes(encoding) for byte in EVERY_BREAKER]
    for text in unique(iter(texts)):
        if text not in errors(encoding) and policies.spans(encoding, text):
            yield Sketch(DECODE, next(fillers), tuple(text), blank, 5)


def lead_sketches(encoding: Encoding) -> Iterator[Sketch]:
    """The characters of each lead, one for each end of a range that a second byte may be in."""
    fillers = cycle([in_bytes(encoding, sort)[0] for sort in SORTS])
    (blank,) = in_bytes(encoding, (0x20,))
    refused = set(refused_pairs(encoding))
    for lead in leads(encoding):
        pairs = [pair for pair in (bytes((lead, second)) for second in SECONDS) if pair not in refused]
        yield Sketch(DECODE, next(fillers), tuple(b"".join(completed(encoding, pair) for pair in pairs)), blank, 5)


def last_sketches(encoding: Encoding) -> Iterator[Sketch]:
    """Errors that depend on the character before them, as the last of the input and in the first lanes of its last block of 128."""
    for text in errors(encoding):
        if fault_in(encoding, text) in AFTER_EACH:
            for sort in SORTS:
                yield Sketch(DECODE, in_bytes(encoding, sort)[0], tuple(text), offsets=BEYOND)


def bound_sketches(encoding: Encoding) -> Iterator[Sketch]:
    """What a bound that is off by one takes or joins, amid text: a decoder may have another path near the end of input. The greatest
    non-shortest form of each length; and values that are no pair, in one line if all of them are characters."""
    blank, pad = in_bytes(encoding, (0x20, PAD))
    for sort, (value, _) in zip(SORTS[1:] if encoding.unit == 1 else (), LIMITS):
        filler = in_bytes(encoding, sort)[0]
        text = bit_pattern(value, len(filler))
        if fault_in(encoding, text) == faults.OVERLONG:
            yield Sketch(DECODE, filler, tuple(text), blank, HALF_BLOCK)
            yield Sketch(DECODE, blank, tuple(text), filler, 5)
            yield Sketch(DECODE, filler, tuple(text), filler, 5)
            yield Sketch(DECODE, blank, tuple(unfinished(encoding)[-1] + text), blank, 5)
    texts = [surrogates(encoding, *values) + bytes(pad) for values in NO_PAIRS] if encoding.spells_pairs or encoding is WTF_8 else []
    for text in [b"".join(texts)] if texts and encoding.holds_surrogates else texts[1:3]:
        yield Sketch(DECODE, blank, tuple(text), blank, 5)


def plane_sketches() -> Iterator[Sketch]:
    """For decoders that have a word for each bit of 64 bytes, or compare some bits of a word: bytes that look like a lead or a continuation byte if one of the bits is not
    tested, amid others that do not; a stray byte seven bytes before a cut character, which a bit that is moved to a wrong byte hides; and
    64 bytes, found by z3, that are taken for well-formed if the words are transposed with `|` in place of `&`."""
    for filler, subject in ((0x20, b"\x42\x82"), (0x20, b"\xC3\x82\x82"), (0x41, b"\x21\x41\x82"), (0x41, b"\xC3\x20"), (0x61, b"\x82aaaaaa\xC3"), (0x41, b"\xF8\x90\x80\x80")):
        yield Sketch(DECODE, (filler,), tuple(subject), (filler,), HALF_BLOCK)
    transposed = tuple(b"\x93\x5A\xF8\x5A\x70\xBC\x1E\x16")
    yield Sketch(DECODE, (PAD,), transposed, transposed, 7, offsets="0")


def word_sketches() -> Iterator[Sketch]:
    """The greatest non-shortest form of four bytes, before bytes that make it U+1FFFF in a decoder that loads a word, and does not mask
    those after the last byte: with other text after it, such a decoder only takes another path."""
    yield Sketch(DECODE, (PAD,), tuple(bit_pattern(0xFFFF, 4)), (0, 1, 0), 5)


def apart_sketches(encoding: Encoding, operation: str) -> Iterator[Sketch]:
    """A lead and a trail that are no pair, because characters are between them: a decoder or encoder may pass these in blocks, and forget
    to note that the lead is no longer the last."""
    lead, trail = ((value,) if operation in OF_UNITS else tuple(surrogates(encoding, value)) for value in (0xD83D, 0xDE00))
    for sort in (SORTS[0], SORTS[2]):
        filler = (sort[0],) if operation in OF_UNITS else in_bytes(encoding, sort)[0]
        yield Sketch(operation, filler, trail, before=lead, offsets=APART)


def held_sketches(encoding: Encoding) -> Iterator[Sketch]:
    """A lead that is a character of its own, and a character with the first byte of a trail; then an error. A stream holds bytes of both
    characters, and may have room for the first only: what is written then is no longer held, and the offset of the error counts it."""
    (blank,) = in_bytes(encoding, (0x20,))
    for value in (0xD800, 0xD7FF):
        yield Sketch(DECODE, blank, tuple(surrogates(encoding, 0xDBFF, value)), tuple(errors(encoding)[-1]), 1)


def mixed_sketches(operation: str, times: int) -> Iterator[Sketch]:
    """Texts that begin with a few characters, of lengths in every order: decoders look up what to do with such a window in a table by its
    lengths, and encoders by the lengths that its units will have. Each window is in two parts, which others have, too. A decoder may look
    windows up only where more than a block of text is left."""
    for lengths, half in ((1, 2, 3), 2), ((1, 2), 3):
        if operation == DECODE or half == 2:
            for before, after in product(product(lengths, repeat=half), repeat=2):
                yield Sketch(operation, (0x20,), mixed(operation, after, half), (0x20,), times, mixed(operation, before, 0), "0")


def bit_sketches(operation: str) -> Iterator[Sketch]:
    """Units that differ from a letter by one bit, amid ASCII: an encoder that passes ASCII in words or vectors may have a mask without this
    bit in one lane, or drop the bit when it narrows the units."""
    for bit in range(8, 16 if operation == ENCODE_UTF16 else 32):
        yield Sketch(operation, (PAD,), (PAD | 1 << bit,), (PAD,), WHOLE_BLOCK)


def window_sketches(operation: str) -> Iterator[Sketch]:
    """Texts that contain every window of eight units of 1 or 2 bytes, and every window of four of 1 to 3, in few units: an encoder takes one window
    at a time and looks it up by its lengths. At each of 16 offsets: it may take two or four windows at a time, each with a table."""
    for lengths, size in ((1, 2), 8), ((1, 2, 3), 4):
        cycle_of_lengths = de_bruijn(lengths, size)
        points = [MIXED[length] + index % MIXED_COUNT for index, length in enumerate([*cycle_of_lengths, *cycle_of_lengths[:size]])]
        for filler in (PAD,), (MIXED[2],):
            for offsets in "0-7", "8-15":
                yield Sketch(operation, filler, tuple(points), (0x20,), HALF_BLOCK // 2, offsets=offsets)


def de_bruijn(symbols: Sequence[int], size: int) -> List[int]:
    """The shortest cycle that has every sequence of `size` symbols: the Lyndon words whose lengths divide it, in order (Fredricksen and
    Maiorana, 1978). It begins with the last symbol, and ends with the first."""
    found: List[int] = []
    word = [-1]
    while word:
        word[-1] += 1
        if size % len(word) == 0:
            found += word
        word = (word * size)[:size]
        while word and word[-1] == len(symbols) - 1:
            word.pop()
    return [symbols[-1 - index] for index in found]


def mixed(operation: str, lengths: Sequence[int], place: int) -> Units:
    """Characters of these lengths, which differ by their places."""
    points = [MIXED[length] + place + index for index, length in enumerate(lengths)]
    return tuple(points) if operation == ENCODE_UTF16 else tuple(b"".join(filter(None, map(UTF_8.encode, points))))


def nearest_errors(encoding: Encoding) -> List[Units]:
    """One error of each fault; for UTF-16, which has one fault, each way for a surrogate to be lone."""
    halves = [surrogates(encoding, *values) for values in HALVES] if encoding.unit > 1 else one_of_each_fault(encoding)
    return [tuple(text) for text in halves if text in errors(encoding)]


def texts_amid(encoding: Encoding) -> List[bytes]:
    """The texts of AMID that the encoding has."""
    spelled = [[encoding.encode(point) for point in points] for points in AMID]
    return [b"".join(filter(None, sequences)) for sequences in spelled if None not in sequences]


def one_of_each_fault(encoding: Encoding) -> List[bytes]:
    """The last text of each fault, which is the nearest to being well-formed."""
    return list({fault_in(encoding, text): text for text in errors(encoding)}.values())


def encode_sketches(encoding: Encoding, operation: str) -> Iterator[Sketch]:
    """Characters, refused units and halves of pairs at each unit; runs of refused units, with and without characters between them."""
    wide = operation == ENCODE_UTF16
    spelled = policies.utf16_units if wide else list
    fillers = [cycle([tuple(spelled([point])) for point in sort]) for sort in SORTS]
    subjects = [tuple(spelled([point])) for point in CHARACTERS if encoding.encode(point) is not None]
    subjects += [values for values in HALVES]
    subjects += [(value,) for value in REFUSED if not wide or value <= 0xFFFF]
    for index, subject in enumerate(subjects):
        for turn, filler in enumerate(fillers):
            chosen = next(filler)
            yield Sketch(operation, chosen, subject, *((chosen, WHOLE_BLOCK) if (turn + index) % 2 else ()))
    refused = [subject for subject in subjects if any(segment.fault for segment in encoded(encoding, operation, subject))]
    for index, filler in enumerate(fillers):
        for subject in (subjects[len(CHARACTERS) // 2], *refused[index::4][:1]):
            yield Sketch(operation, next(filler), subject, (PAD,), 3, offsets=LONG)
    for index, error in enumerate(refused):
        yield Sketch(operation, next(fillers[index % 4]), error + subjects[index % len(subjects)] + error)
    for index, (error, count) in enumerate(zip(refused, RUNS)):
        yield Sketch(operation, next(fillers[index]), error + (PAD,), error + (PAD,), count - 1)
    yield from limit_sketches(operation)
    if wide or encoding.holds_surrogates:
        yield from apart_sketches(encoding, operation)
    if not wide:  # a negative number, whose last byte is a letter
        yield Sketch(operation, (PAD,), (0xFFFFFF00 | PAD,), (PAD,), WHOLE_BLOCK)
    if encoding is UTF_8 and wide:
        yield from mixed_sketches(operation, 12)
    if encoding is UTF_8 or encoding.unit == 1 and wide:
        yield from window_sketches(operation)
        yield from bit_sketches(operation)
    # Of UTF-16, with few policies, four lines in succession: so `assay check`, which asks a share of the questions, asks each policy.
    for error in [subject for subject in refused if len(subject) == 1][:1 if encoding.unit == 1 else 4]:
        yield beyond_blocks(operation, error, 16, (PAD,))


def beyond_blocks(operation: str, error: Units, block: int, pad: Units) -> Sketch:
    """An error that ends a block, whole blocks without one, and an error right after these: two runs of errors, each with its own output."""
    return Sketch(operation, pad, error, before=pad * ((block - len(error)) // len(pad)) + error, offsets=BLOCKS)


def limit_sketches(operation: str) -> Iterator[Sketch]:
    """Characters of two lengths by turns, so that each lane of a block has both; U+0000, which may have two bytes, amid ASCII on both sides; and a lone
    trail before pairs, so that a block may begin with the trail and end in a lead, which belongs to the next block."""
    wide = operation == ENCODE_UTF16
    for low, high in LIMITS:
        one, both = (tuple(policies.utf16_units(points) if wide else points) for points in ([low], [low, high]))
        yield Sketch(operation, both, one, both, HALF_BLOCK // len(both))
    yield Sketch(operation, (PAD,), (0,), (PAD,), WHOLE_BLOCK)
    if wide:
        yield Sketch(operation, (PAD,), (0xDC00,), (0xD83D, 0xDCA9), HALF_BLOCK // 2)


def convert_sketches(encoding: Encoding, target: str) -> Iterator[Sketch]:
    """Conversions to another encoding: each fault, characters of each length, surrogates."""
    fillers = [in_bytes(encoding, sort)[0] for sort in SORTS]
    # The ids of the lines with DBFF DFFF are retired where a pair is an error: they made one character of it.
    pair = (0xD83D, 0xDE00) if may_lose_pairs(encoding, ENCODINGS[target]) else (0xDBFF, 0xDFFF)
    subjects = [tuple(surrogates(encoding, *values)) for values in ((0xD800, 0x41), (0xDFFF,), pair)]
    if target not in WTF_16:  # to which all but surrogates is as to UTF-16
        subjects = [*map(tuple, one_of_each_fault(encoding)), *in_bytes(encoding, (0xE9, 0xFFFF, 0x10FFFF)), *subjects]
    for index, subject in enumerate(dict.fromkeys(subjects)):
        for filler in (fillers[0], fillers[1 + index % 3]):
            yield Sketch(CONVERT + target, filler, subject, filler, 5)


def signature_sketches(encoding: Encoding) -> Iterator[Sketch]:
    """Signatures: one U+FEFF is removed at the very beginning; every other one stays, at any offset."""
    mark, blank = in_bytes(encoding, (policies.BOM, 0x20))
    fillers = [in_bytes(encoding, sort)[0] for sort in SORTS]
    for filler in fillers:
        for before, offsets in ((mark, EVERY), ((), "1-130")):
            yield Sketch(DECODE, filler, mark, blank, 3, before, offsets)
            yield Sketch(DECODE, filler, mark + mark, (), 0, before, offsets)
        for text in one_of_each_fault(encoding):
            yield Sketch(DECODE, filler, tuple(text), blank, HALF_BLOCK, mark)


def sketches_of(encoding: Encoding) -> Iterator[Sketch]:
    """All lines of an encoding."""
    if encoding.strips_bom:
        yield from signature_sketches(encoding)
        return
    yield from decode_sketches(encoding)
    yield from encode_sketches(encoding, ENCODE)
    yield from encode_sketches(encoding, ENCODE_UTF16)
    for target in ALL:
        yield from convert_sketches(encoding, target)


@lru_cache(maxsize=None)
def tier(encoding: Encoding) -> Tier:
    """All lines of an encoding, with their parts."""
    made = Tier(encoding)
    for sketch in sketches_of(encoding):
        made.add(sketch)
    return made


def texts(encoding: Encoding) -> Dict[str, str]:
    """The two tables of an encoding, by path."""
    return {f"{FOLDER}/{encoding.name}-parts.tsv": table(tier(encoding).part_rows()),
            f"{FOLDER}/{encoding.name}-positions.tsv": table(tier(encoding).line_rows())}


def case_digests() -> Dict[str, str]:
    """The digest of what each line asks, by id."""
    return {name: digest for encoding in ENCODINGS.values() for name, digest in tier(encoding).digests().items()}
