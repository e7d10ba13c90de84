# SPDX-License-Identifier: MIT
"""The rows, the automaton derived from them, and the published one."""

from __future__ import annotations

import unittest
from typing import Callable, Dict, List

from witness import automaton, faults, hoehrmann, tables
from witness.rows import UTF_8, WTF_8, Encoding, Row


def bijection(derived: automaton.Automaton, step: Callable[[int, int], int], start: int) -> Dict[int, int]:
    """Walks both automata at once, every byte an edge: which of their states is which of ours."""
    pairs = {automaton.ACCEPT: start}
    pending: List[int] = [automaton.ACCEPT]
    while pending:
        state = pending.pop()
        for byte in range(256):
            ours, theirs = derived.delta[state][byte], step(pairs[state], byte)
            if ours not in pairs:
                pairs[ours] = theirs
                pending.append(ours)
            if pairs[ours] != theirs:
                raise ValueError(f"state {ours} is both {pairs[ours]} and {theirs}, by byte {byte:02X}")
    if len(set(pairs.values())) != len(pairs):
        raise ValueError(f"two of our states are one of theirs: {pairs}")
    return pairs


def step_of(table: List[int], columns: int, premultiplied: bool) -> Callable[[int, int], int]:
    """One step of a decoder that walks a table in one of the two published forms."""
    factor = 1 if premultiplied else columns
    return lambda state, byte: table[256 + state * factor + table[byte]]


class RowsTest(unittest.TestCase):
    """The rows of Table 3-7."""

    def test_hold_every_scalar_value_once(self) -> None:
        """Unicode 17.0, D76: all code points but the surrogates."""
        expected = [n for n in range(0x110000) if not 0xD800 <= n <= 0xDFFF]
        self.assertEqual(list(UTF_8.code_points()), expected)

    def test_agree_with_the_bit_distribution_of_table_3_6(self) -> None:
        """Ranks in mixed radix and shifted bits are two roads to the same sequence."""
        for row in UTF_8.rows:
            for code_point in {row.first, row.first + 1, (row.first + row.last) // 2, row.last - 1, row.last}:
                sequence = row.encode(code_point)
                self.assertEqual(faults.reach(sequence), (code_point, code_point), sequence.hex())
                self.assertEqual(UTF_8.decode(sequence), code_point)

    def test_refuse_a_range_of_the_wrong_size(self) -> None:
        """A typing mistake in a row is an error when the module loads."""
        with self.assertRaises(ValueError):
            Row(0x0800, 0x0FFF, ((0xE0, 0xE0), (0x80, 0xBF), (0x80, 0xBF)))


class AutomatonTest(unittest.TestCase):
    """The derived automaton."""

    def setUp(self) -> None:
        """Derives it."""
        self.derived = tables.numbered(UTF_8)

    def test_is_the_published_one(self) -> None:
        """Isomorphic in both forms, with the same classes and the same numbers."""
        for table, columns, premultiplied, factor in ((hoehrmann.table_2008(), 16, False, 1),
                                                      (hoehrmann.table_2010(), 12, True, 12)):
            pairs = bijection(self.derived, step_of(table, columns, premultiplied), 0)
            self.assertEqual(pairs, {state: factor * state for state in range(9)})
            self.assertEqual(list(self.derived.classes), table[:256])

    def test_gives_the_published_tables_byte_for_byte(self) -> None:
        """What utf8_tables.h holds is what was published."""
        self.assertEqual(tables.hoehrmann_2008(self.derived), hoehrmann.table_2008())
        self.assertEqual(tables.hoehrmann_2010(self.derived), hoehrmann.table_2010())

    def test_differs_from_every_mutant_of_the_published_one(self) -> None:
        """The comparison sees each single wrong entry of the transition table."""
        good = hoehrmann.table_2008()
        for index in [256 + state * 16 + column for state in range(9) for column in range(12)]:
            table = list(good)
            table[index] = (table[index] + 1) % 9
            with self.assertRaises(ValueError, msg=str(index)):
                bijection(self.derived, step_of(table, 16, False), 0)

    def test_differs_from_a_misprint_of_the_classes(self) -> None:
        """A copy of the table in circulation has class 0 for E0, and so accepts E0 as a character of one byte."""
        table = hoehrmann.table_2010()
        table[0xE0] = 0
        with self.assertRaises(ValueError):
            bijection(self.derived, step_of(table, 12, True), 0)

    def test_takes_exactly_the_sequences_of_the_rows(self) -> None:
        """Every string of one or two bytes, against the rows themselves."""
        for first in range(256):
            self.assertEqual(self.derived.delta[0][first] == automaton.ACCEPT, UTF_8.decode((first,)) is not None)
            for second in range(256):
                two = self.derived.walk((first, second)) == automaton.ACCEPT
                each = UTF_8.decode((first,)) is not None and UTF_8.decode((second,)) is not None
                self.assertEqual(two, each or UTF_8.decode((first, second)) is not None)

    def test_is_refused_when_a_row_is_missing(self) -> None:
        """Representatives that no longer tell all states apart are an error, not a table."""
        for missing in range(len(UTF_8.rows)):
            rows = UTF_8.rows[:missing] + UTF_8.rows[missing + 1:]
            derived = automaton.automaton_of(Encoding("broken", rows))
            try:
                numbered = tables.numbered_as_published(derived)
            except ValueError:
                continue
            # Without U+E000..U+FFFF the structure stays, and only the class of EE and EF is another.
            self.assertNotEqual(list(numbered.classes), hoehrmann.classes(), missing)

    def test_is_minimal(self) -> None:
        """No two states have the same row once equal states are merged: refinement finds nothing more."""
        self.assertEqual(len(set(automaton.minimal_blocks(self.derived.delta, self.derived.whole))), self.derived.state_count)

    def test_would_be_minimised(self) -> None:
        """Two copies of one state become one."""
        delta = [list(row) for row in self.derived.delta] + [list(self.derived.delta[3])]
        delta[0][0xE5] = 9
        self.assertEqual(len(set(automaton.minimal_blocks(delta, [*self.derived.whole, False]))), 9)


class TablesTest(unittest.TestCase):
    """The other tables of the headers, for every encoding."""

    def setUp(self) -> None:
        """Derives the automata."""
        self.derived = tables.numbered(UTF_8)
        self.all = [(one, tables.numbered(one)) for one in tables.ENCODINGS.values()]

    def test_class_tables_walk_as_the_automaton_does(self) -> None:
        """All states, all bytes; a state that is multiplied still fits into a byte."""
        for one, derived in self.all:
            table = tables.hoehrmann_2010(derived)
            self.assertLess(max(table), 256, one.name)
            for state in range(derived.state_count):
                for byte in range(256):
                    following = table[256 + state * derived.class_count + table[byte]]
                    self.assertEqual(following, derived.class_count * derived.delta[state][byte], one.name)

    def test_shift_words_walk_as_the_automaton_does(self) -> None:
        """All states, all bytes, of those encodings whose states have room in a word."""
        having = [(one, derived) for one, derived in self.all if tables.has_shift_words(derived)]
        self.assertEqual([one.name for one, _ in having],
                         ["utf-8", "generalized-utf-8", "cesu-8", "cesu-8-jdk", "mutf-8-readutf", "utf-16le", "utf-16be", "wtf-16le",
                          "wtf-16be"])
        for one, derived in having:
            words = tables.shift_words(derived)
            self.assertLess(max(words), 1 << 64)
            for state in range(derived.state_count):
                for byte in range(256):
                    self.assertEqual(words[byte] >> (6 * state) & 63, 6 * derived.delta[state][byte], one.name)

    def test_faults_stand_exactly_where_a_byte_is_refused(self) -> None:
        """Exceptions: the row of the state that refuses, and states in which a lead surrogate only ends as a character, have none."""
        for one, derived in self.all:
            sorts, table = tables.sorted_faults(one, derived)
            for state in range(derived.state_count):
                ends = one.holds_surrogates and derived.back[state] is not None
                for byte in range(256):
                    refused = state != automaton.REJECT and derived.delta[state][byte] == automaton.REJECT
                    self.assertEqual(table[state][sorts[byte]] != "OK", refused and not ends, (one.name, state, byte))

    def test_one_state_remembers_a_lead(self) -> None:
        """In WTF-8 alone, and none but the state after a lead."""
        for one, derived in self.all:
            self.assertEqual(sum(derived.between), 2 if one is WTF_8 else 1, one.name)
            remembered = derived.walk(b"\xED\xA0\x80") if one is WTF_8 else automaton.ACCEPT
            self.assertEqual(tables.after_lead(derived), remembered, one.name)

    def test_faults_have_their_names(self) -> None:
        """One example of each clause."""
        for text, byte, fault in (("", 0xC0, faults.OVERLONG), ("", 0xF5, faults.OUT_OF_RANGE),
                                  ("", 0xF7, faults.OUT_OF_RANGE), ("", 0xF8, faults.INVALID_LEAD),
                                  ("", 0xFF, faults.INVALID_LEAD), ("", 0x80, faults.STRAY_CONTINUATION),
                                  ("E0", 0x9F, faults.OVERLONG), ("F0", 0x8F, faults.OVERLONG),
                                  ("ED", 0xA0, faults.SURROGATE), ("F4", 0x90, faults.OUT_OF_RANGE),
                                  ("C2", 0x41, faults.MISSING_CONTINUATION), ("E282", 0xC3, faults.MISSING_CONTINUATION)):
            self.assertEqual(faults.fault_of_bits(UTF_8, bytes.fromhex(text), byte), fault, text)
        with self.assertRaises(ValueError):
            faults.fault_of_bits(UTF_8, b"\xE0", 0xA0)

    def test_payload_is_what_the_published_class_shifts_to(self) -> None:
        """Hoehrmann's (0xFF >> class) gives the same bits of every byte that begins a character."""
        masks = tables.payloads(UTF_8, self.derived)
        for byte in range(256):
            if self.derived.delta[0][byte] != automaton.REJECT:
                self.assertEqual(byte & masks[byte], byte & 0xFF >> self.derived.classes[byte])

    def test_renumbering_keeps_the_language(self) -> None:
        """A renumbered automaton walks to corresponding states."""
        plain = automaton.automaton_of(UTF_8)
        for text in ("", "C2", "E282", "F09F92", "FF", "E29882"):
            bytes_ = bytes.fromhex(text)
            self.assertEqual(plain.walk(bytes_) == 0, self.derived.walk(bytes_) == 0)


if __name__ == "__main__":
    unittest.main()
