/* SPDX-License-Identifier: MIT
 *
 * ask.c - the verbs of the instruction set in VEC_HEADER, compiled with its flags. With CANARY, one of them is wrong
 * about one pair of bytes in one lane.
 */
#include "verbs.h"

#include VEC_HEADER

#include "../../codecs/simd/tables/family.h"
#include "../../codecs/simd/tables/utf8.h"

#ifdef CANARY
static vec canary_subtract(vec a, vec b)
{
    enum { LANE = 37 };
    uint8_t first[VEC_BYTES], second[VEC_BYTES], difference[VEC_BYTES];
    vec_store(first, a);
    vec_store(second, b);
    vec_store(difference, vec_subtract(a, b));
    difference[LANE] = (uint8_t)(difference[LANE] + (first[LANE] == 0xC3 && second[LANE] == 0x9F));
    return vec_load(difference);
}
#define vec_subtract canary_subtract
#endif

static struct window window_of(const uint8_t *bytes, size_t count)
{
    return vec_window(vec_load_part(bytes, count), bytes, count);
}

static bool is_untouched(const void *out, size_t byte_count)
{
    const uint8_t *bytes = out;
    for (size_t i = 0; i < byte_count; i++)
        if (bytes[i] != PATTERN)
            return false;
    return true;
}

/* Of ASCII. */
#define WIDEN_ASCII(bits) \
    static void widen##bits##_ascii(uint##bits##_t *out, const uint8_t *some, size_t count) \
    { \
        uint8_t ascii[VEC_BYTES]; \
        for (size_t i = 0; i < count; i++) \
            ascii[i] = some[i] & 0x7F; \
        vec_widen##bits##_ascii(out, vec_load_part(ascii, count), ascii, count); \
    }
WIDEN_ASCII(16)
WIDEN_ASCII(32)
#undef WIDEN_ASCII

/* A unit beyond the reach that is overwritten is shown as one beyond all 64. */
static void put16_in_reach(uint16_t *out, vec low, vec high, uint64_t chosen)
{
    size_t reach = vec_put_reach(count_bits(chosen));
    vec_put16(out, low, high, chosen);
    if (reach < VEC_BYTES && !is_untouched(out + reach, (VEC_BYTES - reach) * sizeof *out))
        out[VEC_BYTES] = 0;
}

static void put32_in_reach(uint32_t *out, vec low, vec high, vec top, bool has_top, uint64_t chosen)
{
    size_t reach = vec_put_reach(count_bits(chosen));
    vec_put32(out, low, high, top, has_top, chosen);
    if (reach < VEC_BYTES && !is_untouched(out + reach, (VEC_BYTES - reach) * sizeof *out))
        out[VEC_BYTES] = 0;
}

static void narrow_units(uint16_t *out, const uint32_t *wide)
{
    vec v;
    if (vec_narrow_units(&v, wide))
        vec_store(out, v);
}

static uint64_t stored_bits(truth t)
{
    uint64_t bits;
    vec_store_bits(&bits, t);
    return bits;
}

/* Stores by way of a cache line of its own. An instruction set without such stores is asked about vec_store() again. */
static void store_past_caches(uint8_t *out, vec v)
{
#ifdef VEC_STORE_PAST_CACHES
    uint8_t line[VEC_BYTES] __attribute__((aligned(VEC_BYTES)));
    vec_store_past_caches(line, v);
    vec_end_stores_past_caches();
    memcpy(out, line, sizeof line);
#else
    vec_store(out, v);
#endif
}

#ifndef VEC_MANY_REGISTERS
static void narrow16(uint8_t *out, const uint32_t *ascii)
{
    uint16_t units[NARROW_UNITS];
    for (size_t i = 0; i < NARROW_UNITS; i++)
        units[i] = (uint16_t)ascii[i];
    vec_narrow16(out, units);
}

static void narrow32(uint8_t *out, const uint32_t *ascii)
{
    vec_narrow32(out, ascii);
}
#define FEW_LANES LANES
#define FEW_OUT_ONLY OUT_ONLY
#define MANY_LANES(call, lane) next_answer(answers, #call, 0);
#else
#define FEW_LANES(call, lane) next_answer(answers, #call, 0);
#define FEW_OUT_ONLY(unit, call, chosen, value) next_answer(answers, #call, 0);
#define MANY_LANES LANES
#endif

#define LANES(call, lane) \
    do { \
        vec asked = call; \
        vec_store(next_answer(answers, #call, VEC_BYTES)->bytes, asked); \
    } while (0);
#define TRUTHS(call, lane) \
    do { \
        uint64_t bits = vec_bits(call); \
        memcpy(next_answer(answers, #call, sizeof bits)->bytes, &bits, sizeof bits); \
    } while (0);
#define TRUTHS_WHERE(call, where, lane) TRUTHS(call, lane)
#define ALL(call, lane) next_answer(answers, #call, 1)->bytes[0] = call;
#define OUT(unit, call, chosen, value) \
    do { \
        struct answer *answer = next_answer(answers, #call, VEC_BYTES * sizeof(unit) + GUARD_BYTES); \
        unit *out = (unit *)(void *)answer->bytes; \
        memset(out, PATTERN, answer->byte_count); \
        call; \
    } while (0);
#define OUT_ONLY OUT

void ask_verbs(const struct operands *operands, struct answers *answers)
{
    const uint8_t *A = operands->A, *text = operands->text, *some = operands->some;
    const uint32_t *wide = operands->wide;
    const uint8_t byte = operands->byte, high_byte = operands->high_byte, low_byte = operands->low_byte;
    const uint8_t first = operands->first, last = operands->last;
    vec a = vec_load(A), b = vec_load(operands->B), c = vec_load(operands->C), table = vec_table(operands->entries);
    uint64_t T = operands->T;
    truth t = vec_truth(T), u = vec_truth(operands->U);
    size_t count = operands->count;
    struct refusal refusal = vec_refusal(&utf8);
#ifndef VEC_MANY_REGISTERS
    const uint32_t *ascii = operands->ascii;
#endif
    answers->count = 0;
#include "verbs.def"
}

struct encoded encode_by_verb(enum encoder encoder, const void *units, size_t count, uint8_t *out, size_t capacity)
{
    struct progress done = {0, 0};
    switch (encoder) {
    case ENCODE_16: done = vec_encode16(units, count, out, capacity); break;
    case ENCODE_32: done = vec_encode32(units, count, out, capacity); break;
    case ENCODE_CESU8: done = vec_encode_each16(&cesu8, units, count, out, capacity); break;
    case ENCODE_MUTF8: done = vec_encode_each16(&mutf8, units, count, out, capacity); break;
    default:
#ifdef VEC_ENCODE_SHORT
        done.written = vec_encode_short(encoder == ENCODE_SHORT_32, units, count, out, capacity);
#ifdef VEC_ENCODE_MIDDLE
        if (done.written == 0)
            done.written = vec_encode_middle(encoder == ENCODE_SHORT_32, units, count, out, capacity);
#endif
        done.read = done.written > 0 ? count : 0;
#endif
        break;
    }
    return (struct encoded){done.read, done.written};
}

size_t put_characters_by_verb(const uint8_t *text, uint64_t last_ends, uint64_t ends, uint32_t *out)
{
#ifdef VEC_CHARACTERS
    struct weights weights = vec_weights();
    return (size_t)(vec_put_characters(out, &weights, text + VEC_BYTES, last_ends, ends) - out);
#else
    (void)text, (void)last_ends, (void)ends, (void)out;
    return 0;
#endif
}
