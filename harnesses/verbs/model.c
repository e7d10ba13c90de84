/* SPDX-License-Identifier: MIT
 *
 * model.c - the verbs of codecs/simd one lane at a time, in plain C, for all instruction sets.
 */
#include "verbs.h"

#include <stdlib.h>
#include <string.h>

const char *const encoder_names[ENCODER_COUNT] = {"vec_encode16",
                                                  "vec_encode32",
                                                  "vec_encode_short(false",
                                                  "vec_encode_short(true",
                                                  "vec_encode_each16(&cesu8",
                                                  "vec_encode_each16(&mutf8"};

struct answer *next_answer(struct answers *answers, const char *call, size_t byte_count)
{
    if (answers->count == ANSWERS_MAX)
        abort();
    struct answer *answer = &answers->list[answers->count++];
    answer->call = call;
    answer->byte_count = byte_count;
    memset(answer->any, 0, byte_count);
    return answer;
}

/* Unicode 17.0, Table 3-7. */
static bool may_continue_in_utf8(int lead, int second)
{
    if (second < 0x80 || second > 0xBF || lead < 0xC2 || lead > 0xF4)
        return false;
    return lead == 0xE0   ? second >= 0xA0
           : lead == 0xED ? second <= 0x9F
           : lead == 0xF0 ? second >= 0x90
           : lead == 0xF4 ? second <= 0x8F
                          : true;
}

static bool fit(const uint32_t *wide, size_t count, uint32_t most)
{
    for (size_t i = 0; i < count; i++)
        if (wide[i] > most)
            return false;
    return true;
}

/* One lane of each operand, by the names of verbs.def. */
#define FOR_LANES \
    for (size_t i = 0; i < LANE_COUNT; i++) \
        for (int a = operands->A[i], b = operands->B[i], c = operands->C[i], t = operands->T >> i & 1, \
                 u = operands->U >> i & 1, once = ((void)a, (void)b, (void)c, (void)t, (void)u, 1); \
             once; once = 0)
#define UNIT(number) ((uint32_t)(A[2 * (number)] | A[2 * (number) + 1] << 8))

#define LANES(call, lane) \
    do { \
        uint8_t *bytes = next_answer(answers, #call, LANE_COUNT)->bytes; \
        FOR_LANES bytes[i] = (uint8_t)(lane); \
    } while (0);
#define TRUTHS_WHERE(call, where, lane) \
    do { \
        uint64_t bits = 0, any = 0; \
        FOR_LANES bits |= (uint64_t)((lane) ? 1 : 0) << i, any |= (uint64_t)((where) ? 0 : 1) << i; \
        struct answer *answer = next_answer(answers, #call, sizeof bits); \
        memcpy(answer->bytes, &bits, sizeof bits); \
        memcpy(answer->any, &any, sizeof any); \
    } while (0);
#define TRUTHS(call, lane) TRUTHS_WHERE(call, true, lane)
#define ALL(call, lane) \
    do { \
        bool all = true; \
        FOR_LANES all = all && (lane); \
        next_answer(answers, #call, 1)->bytes[0] = all; \
    } while (0);
#define UNITS_OUT(unit, call, chosen, value, only) \
    do { \
        struct answer *answer = next_answer(answers, #call, LANE_COUNT * sizeof(unit) + GUARD_BYTES); \
        size_t written = 0; \
        memset(answer->bytes, PATTERN, answer->byte_count); \
        FOR_LANES if (chosen) \
        { \
            unit written_unit = (unit)(value); \
            memcpy(answer->bytes + written++ * sizeof(unit), &written_unit, sizeof(unit)); \
        } \
        if (!(only)) \
            memset(answer->any + written * sizeof(unit), 0xFF, (LANE_COUNT - written) * sizeof(unit)); \
    } while (0);
#define OUT(unit, call, chosen, value) UNITS_OUT(unit, call, chosen, value, false)
#define OUT_ONLY(unit, call, chosen, value) UNITS_OUT(unit, call, chosen, value, true)
#define FEW_LANES LANES
#define FEW_OUT_ONLY OUT_ONLY
#define MANY_LANES LANES

void ask_model(const struct operands *operands, struct answers *answers)
{
    const uint8_t *A = operands->A, *B = operands->B, *text = operands->text, *some = operands->some,
                  *table = operands->entries;
    const uint32_t *wide = operands->wide, *ascii = operands->ascii;
    const uint8_t byte = operands->byte, high_byte = operands->high_byte, low_byte = operands->low_byte;
    const uint8_t first = operands->first, last = operands->last;
    size_t count = operands->count;
    answers->count = 0;
#include "verbs.def"
}

/* Table 3-6, and for one surrogate its three bytes. */
static size_t encode(uint32_t code_point, uint8_t *out)
{
    if (code_point < 0x80)
        return out[0] = (uint8_t)code_point, 1;
    size_t length = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code_point >>= 6)
        out[i] = (uint8_t)(0x80 | (code_point & 0x3F));
    out[0] = (uint8_t)((0xF00 >> length & 0xFF) | code_point);
    return length;
}

bool encode_by_model(enum encoder encoder, const void *units, size_t count, uint8_t *out, size_t *byte_count)
{
    bool of_32 = encoder == ENCODE_32 || encoder == ENCODE_SHORT_32;
    bool each = encoder == ENCODE_CESU8 || encoder == ENCODE_MUTF8;
    const uint16_t *units16 = units;
    const uint32_t *units32 = units;
    *byte_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t code_point = of_32 ? units32[i] : units16[i];
        bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
        if (code_point > 0x10FFFF || (is_surrogate && of_32))
            return false;
        if (is_surrogate) {
            bool is_pair = code_point < 0xDC00 && i + 1 < count && units16[i + 1] >= 0xDC00 && units16[i + 1] <= 0xDFFF;
            if (!is_pair && encoder != ENCODE_MUTF8)
                return false;
            if (is_pair && each)
                *byte_count += encode(code_point, out + *byte_count);
            if (is_pair)
                code_point =
                    each ? units16[i + 1] : 0x10000 + ((code_point - 0xD800) << 10) + (units16[i + 1] - 0xDC00u);
            i += is_pair;
        }
        if (code_point == 0 && encoder == ENCODE_MUTF8) {
            memcpy(out + *byte_count, "\xC0\x80", 2);
            *byte_count += 2;
        } else {
            *byte_count += encode(code_point, out + *byte_count);
        }
    }
    return true;
}
