/* SPDX-License-Identifier: MIT
 *
 * four_registers.h - the verbs that are the same wherever a vec is four registers of 16 bytes, and that do not depend
 * on the form of a truth. four_registers_units.h has the others. A template: needs load_tail.h, and
 *
 *   vec_part                             the type of a register
 *   PART_REGISTER                        the constraint for such a register in inline assembly, as a string
 *   fill_part(byte)                      16 times the same byte
 *   load_part(bytes), store_part(out, part)   16 bytes, at any address
 *   part_of_words(low, high)             16 bytes from two words
 *   shuffle_part(part, indices)          the byte at each index; 00 where an index is 80
 *   or_parts(a, b)                       bit by bit
 *   later_part(part, before, distance)   each byte `distance` places later, 1 to 3, after the last bytes of `before`
 */
#ifndef ASSAY_SIMD_ISA_FOUR_REGISTERS_H
#define ASSAY_SIMD_ISA_FOUR_REGISTERS_H

typedef struct {
    vec_part part[4];
} vec;
typedef vec truth;

enum { VEC_BLOCKS_AT_ONCE = 1 };

#include "window.h"

/* An operation on each part: of one, two and three vectors, and of a vector with an operand that is the same for all
 * parts. */
#define EACH(f, a) ((vec){{f((a).part[0]), f((a).part[1]), f((a).part[2]), f((a).part[3])}})
#define EACH_OF_2(f, a, b) \
    ((vec){{f((a).part[0], (b).part[0]), f((a).part[1], (b).part[1]), f((a).part[2], (b).part[2]), \
            f((a).part[3], (b).part[3])}})
#define EACH_OF_3(f, a, b, c) \
    ((vec){{f((a).part[0], (b).part[0], (c).part[0]), f((a).part[1], (b).part[1], (c).part[1]), \
            f((a).part[2], (b).part[2], (c).part[2]), f((a).part[3], (b).part[3], (c).part[3])}})
#define EACH_WITH(f, a, x) ((vec){{f((a).part[0], x), f((a).part[1], x), f((a).part[2], x), f((a).part[3], x)}})

ALWAYS_INLINE vec vec_load(const uint8_t *bytes)
{
    return (vec){{load_part(bytes), load_part(bytes + 16), load_part(bytes + 32), load_part(bytes + 48)}};
}

ALWAYS_INLINE vec_part load_piece(const uint8_t *bytes, size_t count, size_t number)
{
    struct piece piece = piece_of(bytes, count, number);
    return shuffle_part(load_part(piece.bytes), load_part(piece.shuffle));
}

ALWAYS_INLINE vec vec_load_part(const uint8_t *bytes, size_t count)
{
    ASSUME(count <= VEC_BYTES);
    if (count >= PIECE_BYTES)
        return (vec){{load_piece(bytes, count, 0), load_piece(bytes, count, 1), load_piece(bytes, count, 2),
                      load_piece(bytes, count, 3)}};
    struct words words = words_of(bytes, count);
    vec_part zero = fill_part(0);
    return (vec){{part_of_words(words.low, words.high), zero, zero, zero}};
}

ALWAYS_INLINE vec vec_later(vec v, size_t distance)
{
    return (vec){{later_part(v.part[0], fill_part(0), distance), later_part(v.part[1], v.part[0], distance),
                  later_part(v.part[2], v.part[1], distance), later_part(v.part[3], v.part[2], distance)}};
}

ALWAYS_INLINE struct window vec_window(vec now, const uint8_t *bytes, size_t count)
{
    (void)bytes, (void)count;
    return (struct window){now, vec_later(now, 1), vec_later(now, 2), vec_later(now, 3)};
}

ALWAYS_INLINE vec vec_fill(uint8_t byte)
{
    vec_part filled = fill_part(byte);
    return (vec){{filled, filled, filled, filled}};
}

ALWAYS_INLINE vec vec_table(const uint8_t entries[16])
{
    vec_part table = load_part(entries);
    __asm__("" : "+" PART_REGISTER(table));
    return (vec){{table, table, table, table}};
}

ALWAYS_INLINE vec vec_hold(vec v)
{
    __asm__(""
            : "+" PART_REGISTER(v.part[0]), "+" PART_REGISTER(v.part[1]), "+" PART_REGISTER(v.part[2]),
              "+" PART_REGISTER(v.part[3]));
    return v;
}

ALWAYS_INLINE vec vec_constant(uint8_t byte)
{
    vec_part filled = fill_part(byte);
    __asm__("" : "+" PART_REGISTER(filled));
    return (vec){{filled, filled, filled, filled}};
}

ALWAYS_INLINE void vec_store(void *out, vec v)
{
    uint8_t *bytes = out;
    store_part(bytes, v.part[0]);
    store_part(bytes + 16, v.part[1]);
    store_part(bytes + 32, v.part[2]);
    store_part(bytes + 48, v.part[3]);
}

ALWAYS_INLINE vec_part any_part(vec v)
{
    return or_parts(or_parts(v.part[0], v.part[1]), or_parts(v.part[2], v.part[3]));
}

#endif
