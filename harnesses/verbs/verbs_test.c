/* SPDX-License-Identifier: MIT
 *
 * Claim: every verb of codecs/simd/isa/vec.h does what the scalar model says, in each lane, on the instruction set
 * VERBS_ISA. Usage: verbs_ISA [LANES]: each pair of bytes is tried in LANES of the 64 lanes (default 64). Exit code: 0
 * if all answers are equal, 1 if not, 2 if the operand is wrong, 77 if this CPU lacks the instructions.
 */
#include "verbs.h"
#include "../../codecs/cpu.h"
#include "../core/arena.h"
#include "../core/dice.h"
#include "../core/hex.h"
#include "../core/utf16.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPANDED_ISA(name) CPU_##name
#define CPU_OF(name) EXPANDED_ISA(name)

enum { DIFFERS = 1, CANNOT_RUN = 2, NOT_RUN = 77, PAIRS = 1 << 16, PAGE_BYTES = 4096, ENCODED_MAX = 3 * LANE_COUNT };

/* ---- operands ----------------------------------------------------------------------------------------------- */

/* Any bytes; those at the edges of comparisons; ASCII; zeros but for one. */
static void pick_bytes(struct dice *dice, uint8_t *bytes, size_t count)
{
    static const uint8_t edges[] = {0x00, 0x01, 0x3F, 0x40, 0x7F, 0x80, 0x81, 0xBF, 0xC0, 0xFE, 0xFF};
    size_t kind = dice_roll(dice, 4);
    for (size_t i = 0; i < count; i++)
        bytes[i] = kind == 0   ? (uint8_t)dice_roll(dice, 0x100)
                   : kind == 1 ? edges[dice_roll(dice, sizeof edges)]
                   : kind == 2 ? (uint8_t)dice_roll(dice, 0x80)
                               : 0;
    if (count > 0 && kind >= 2 && dice_roll(dice, 2) == 0)
        bytes[dice_roll(dice, count)] = (uint8_t)dice_roll(dice, 0x100);
}

static uint64_t pick_truths(struct dice *dice)
{
    uint8_t bytes[sizeof(uint64_t)];
    uint64_t truths;
    pick_bytes(dice, bytes, sizeof bytes);
    memcpy(&truths, bytes, sizeof truths);
    return dice_roll(dice, 8) == 0 ? ~truths : truths;
}

/* Up to 64 bytes that end where the arena ends, begin where it begins, or lie amid it. */
static const uint8_t *place(struct dice *dice, struct arena *arena, const uint8_t *bytes, size_t count)
{
    size_t where = dice_roll(dice, 3);
    uint8_t *some = where == 0   ? arena_at_end(arena, count)
                    : where == 1 ? arena_at_begin(arena, count)
                                 : arena_at_begin(arena, count) + LANE_COUNT + dice_roll(dice, LANE_COUNT);
    memcpy(some, bytes, count);
    return some;
}

static void pick_operands(struct dice *dice, struct arena *arena, struct operands *operands)
{
    pick_bytes(dice, operands->A, LANE_COUNT);
    pick_bytes(dice, operands->B, LANE_COUNT);
    pick_bytes(dice, operands->C, LANE_COUNT);
    pick_bytes(dice, operands->text, TEXT_BYTES);
    pick_bytes(dice, operands->entries, sizeof operands->entries);
    operands->T = pick_truths(dice);
    operands->U = pick_truths(dice);
    operands->byte = (uint8_t)dice_roll(dice, 0x100);
    operands->high_byte = operands->byte | 0x80;
    operands->low_byte = (uint8_t)dice_roll(dice, 0x81);
    operands->first = (uint8_t)dice_roll(dice, operands->byte + 1u);
    operands->last = operands->byte;
    bool are_narrow = dice_roll(dice, 2) == 0;
    for (size_t i = 0; i < LANE_COUNT / 2; i++)
        operands->wide[i] = (uint32_t)dice_roll(dice, are_narrow || dice_roll(dice, 32) > 0 ? 0x10000 : 0x110000);
    bool are_ascii = dice_roll(dice, 2) == 0;
    for (size_t i = 0; i < LANE_COUNT / 4; i++)
        operands->ascii[i] = (uint32_t)dice_roll(dice, are_ascii || dice_roll(dice, 16) > 0 ? 0x80 : 0x10000);
    operands->count = dice_roll(dice, LANE_COUNT + 1);
    operands->some = place(dice, arena, operands->text, operands->count);
}

/* 64 pairs of bytes; with a larger `turn`, the same ones in other lanes. */
static void set_pairs(struct operands *operands, size_t first_pair, size_t turn)
{
    for (size_t i = 0; i < LANE_COUNT; i++) {
        size_t pair = first_pair + (i + turn) % LANE_COUNT;
        operands->A[i] = (uint8_t)(pair >> 8);
        operands->B[i] = (uint8_t)pair;
    }
}

/* ---- answers -------------------------------------------------------------------------------------------------- */

static void print_bytes(const char *name, const uint8_t *bytes, size_t count)
{
    printf("  %-9s ", name);
    hex_print(stdout, bytes, count, " ");
    puts("");
}

static bool is_equal(const struct answer *expected, const struct answer *actual)
{
    for (size_t i = 0; i < actual->byte_count; i++)
        if (((expected->bytes[i] ^ actual->bytes[i]) & ~expected->any[i]) != 0)
            return false;
    return true;
}

/* Asks both, and prints the first difference. */
static bool agree(const struct operands *operands, size_t *asked)
{
    static struct answers expected, actual;
    ask_verbs(operands, &actual);
    ask_model(operands, &expected);
    if (actual.count != expected.count) {
        puts("the verbs and the model were asked different calls");
        return false;
    }
    *asked = 0;
    for (size_t i = 0; i < expected.count; i++) {
        const struct answer *model = &expected.list[i], *verb = &actual.list[i];
        *asked += verb->byte_count > 0;
        if (is_equal(model, verb))
            continue;
        printf("%s differs\n", model->call);
        print_bytes("a", operands->A, LANE_COUNT);
        print_bytes("b", operands->B, LANE_COUNT);
        print_bytes("c", operands->C, LANE_COUNT);
        print_bytes("some", operands->some, operands->count);
        printf("  t %016llX, u %016llX, byte %02X, low byte %02X, first %02X\n", (unsigned long long)operands->T,
               (unsigned long long)operands->U, operands->byte, operands->low_byte, operands->first);
        print_bytes("expected", model->bytes, model->byte_count);
        print_bytes("verb", verb->bytes, verb->byte_count);
        return false;
    }
    return true;
}

static bool lanes_agree(struct dice *dice, struct arena *arena, size_t lane_count)
{
    static struct operands operands;
    size_t asked = 0, rounds = lane_count * PAIRS / LANE_COUNT;
    for (size_t round = 0; round < rounds; round++) {
        pick_operands(dice, arena, &operands);
        if (round % 4 == 0 && !agree(&operands, &asked))
            return false;
        size_t first_pair = round * LANE_COUNT % PAIRS, turn = round * LANE_COUNT / PAIRS * (LANE_COUNT / lane_count);
        set_pairs(&operands, first_pair, turn);
        if (!agree(&operands, &asked))
            return false;
    }
    printf("%zu calls: every pair of bytes in %zu lanes\n", asked, lane_count);
    return asked > 0;
}

/* ---- verbs that encode ---------------------------------------------------------------------------------------- */

/* A code point of one length in a run, or of any; one in 64 is an error or a surrogate alone. */
static uint32_t pick_code_point(struct dice *dice, size_t kind)
{
    static const uint32_t after[] = {0x80, 0x800, 0xD800, 0x110000};
    static const uint32_t from[] = {0, 0x80, 0x800, 0x10000};
    if (dice_roll(dice, 64) == 0)
        return dice_roll(dice, 2) == 0 ? (uint32_t)(0xD800 + dice_roll(dice, 0x800)) : 0x110000;
    size_t length = kind < 4 ? kind : dice_roll(dice, 4);
    return from[length] + (uint32_t)dice_roll(dice, after[length] - from[length]);
}

static bool encoder_agrees(enum encoder encoder, struct dice *dice, size_t *read)
{
    uint16_t units16[LANE_COUNT];
    uint32_t units32[LANE_COUNT];
    uint8_t out[ENCODED_MAX + GUARD_BYTES], expected[2 * ENCODED_MAX];
    bool of_32 = encoder == ENCODE_32 || encoder == ENCODE_SHORT_32;
    size_t count = 1 + dice_roll(dice, LANE_COUNT), kind = dice_roll(dice, 6), byte_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t code_point = pick_code_point(dice, kind);
        units32[i] = code_point;
        units16[i] = (uint16_t)code_point;
        if (i + 1 < count && !of_32)
            i += utf16_write(code_point, units16 + i) - 1;
    }
    size_t capacity = dice_roll(dice, 4) == 0 ? dice_roll(dice, ENCODED_MAX + 1) : ENCODED_MAX;
    memset(out, PATTERN, sizeof out);
    const void *units = of_32 ? (const void *)units32 : units16;
    struct encoded done = encode_by_verb(encoder, units, count, out, capacity);
    *read += done.read;
    bool is_right = done.read <= count && done.written <= capacity &&
                    encode_by_model(encoder, units, done.read, expected, &byte_count) && byte_count == done.written &&
                    memcmp(out, expected, byte_count) == 0;
    if (is_right && !of_32 && done.read > 0 && done.read < count && units16[done.read - 1] >> 10 == 0xD800 >> 10)
        is_right = units16[done.read] >> 10 != 0xDC00 >> 10;
    for (size_t i = capacity; i < sizeof out; i++)
        is_right = is_right && out[i] == PATTERN;
    if (is_right)
        return true;
    printf("%s, %zu units, room for %zu) differs: read %zu, wrote %zu\n", encoder_names[encoder], count, capacity,
           done.read, done.written);
    print_bytes("units", units, count * (of_32 ? sizeof *units32 : sizeof *units16));
    print_bytes("out", out, done.written);
    return false;
}

static bool encoders_agree(struct dice *dice, size_t rounds)
{
    for (enum encoder encoder = 0; encoder < ENCODER_COUNT; encoder++) {
        size_t read = 0;
        for (size_t round = 0; round < rounds; round++)
            if (!encoder_agrees(encoder, dice, &read))
                return false;
        if (read == 0 && encoder != ENCODE_SHORT_16 && encoder != ENCODE_SHORT_32) {
            printf("%s) encodes nothing\n", encoder_names[encoder]);
            return false;
        }
        printf("%s): %zu units encoded\n", encoder_names[encoder], read);
    }
    return true;
}

/* Tests characters of any length; some end in the second 64 bytes. */
static bool characters_agree(struct dice *dice, size_t rounds, size_t *put)
{
    for (size_t round = 0; round < rounds; round++) {
        uint8_t text[TEXT_BYTES + 4] = {0};
        uint32_t expected[LANE_COUNT], out[2 * LANE_COUNT] = {0};
        uint64_t ends[TEXT_BYTES / LANE_COUNT + 1] = {0};
        size_t kind = dice_roll(dice, 6), expected_count = 0;
        for (size_t at = 0, length; at < TEXT_BYTES; at += length) {
            uint32_t code_point = pick_code_point(dice, kind);
            if (code_point > 0x10FFFF || code_point >> 11 == 0xD800 >> 11)
                code_point = 0xFFFD;
            encode_by_model(ENCODE_32, &code_point, 1, text + at, &length);
            size_t last = at + length - 1;
            ends[last / LANE_COUNT] |= (uint64_t)1 << last % LANE_COUNT;
            if (last / LANE_COUNT == 1)
                expected[expected_count++] = code_point;
        }
        size_t count = put_characters_by_verb(text, ends[0], ends[1], out);
        *put += count;
        if (count != 0 && (count != expected_count || memcmp(out, expected, count * sizeof *out) != 0)) {
            printf("vec_put_characters differs: %zu characters, not %zu\n", count, expected_count);
            print_bytes("text", text, TEXT_BYTES);
            return false;
        }
    }
    printf("%zu characters put\n", *put);
    return true;
}

int main(int argc, char **argv)
{
    enum { ROUNDS = 500 }; /* for each of the lanes */
    if (!cpu_has(CPU_OF(VERBS_ISA))) {
        printf("not run: this CPU has no %s, or ASSAY_WITHOUT takes it away\n", cpu_isa_name(CPU_OF(VERBS_ISA)));
        return NOT_RUN;
    }
    size_t lane_count = argc > 1 ? strtoul(argv[1], NULL, 10) : LANE_COUNT, put = 0;
    if (lane_count == 0 || LANE_COUNT % lane_count != 0) {
        fputs("usage: verbs_ISA [LANES], where LANES divides 64\n", stderr);
        return CANNOT_RUN;
    }
    struct arena arena = {NULL, NULL};
    arena_reserve(&arena, PAGE_BYTES);
    struct dice dice = {1};
    bool all_agree = lanes_agree(&dice, &arena, lane_count) && encoders_agree(&dice, lane_count * ROUNDS) &&
                     characters_agree(&dice, lane_count * ROUNDS, &put);
    arena_release(&arena);
    return all_agree ? 0 : DIFFERS;
}
