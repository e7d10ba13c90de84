/* SPDX-License-Identifier: MIT
 *
 * Claim: every intrinsic of codecs/simd/isa/emulated_avx512.h gives the result of its instruction. Usage:
 * emulation_test [canary]; the canary is a wrong emulation. Exit code: 0 if all results are equal, 1 if not, 77 if this
 * CPU lacks the instructions.
 */
#include "ask.h"
#include "../../codecs/cpu.h"
#include "../core/dice.h"
#include "../core/hex.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 20000, DIFFERS = 1, NOT_RUN = 77 };

/* Returns a random byte, one at the edge of a comparison, or one with at most 1 bit. */
static uint8_t pick_byte(struct dice *dice, size_t kind)
{
    static const uint8_t edges[] = {0x00, 0x01, 0x3F, 0x40, 0x7F, 0x80, 0x81, 0xBF, 0xC0, 0xFE, 0xFF};
    return kind == 0   ? (uint8_t)dice_roll(dice, 256)
           : kind == 1 ? edges[dice_roll(dice, sizeof edges)]
                       : (uint8_t)(dice_roll(dice, 16) == 0 ? 1 << dice_roll(dice, 8) : 0);
}

static void pick_bytes(struct dice *dice, uint8_t bytes[REGISTER_BYTES])
{
    size_t kind = dice_roll(dice, 3);
    for (size_t i = 0; i < REGISTER_BYTES; i++)
        bytes[i] = pick_byte(dice, kind);
}

/* A quarter of the 4-byte lanes of b equal those of a. Of eight masks, one is 0 and one has all bits. */
static void pick_operands(struct dice *dice, struct operands *operands)
{
    pick_bytes(dice, operands->a);
    pick_bytes(dice, operands->b);
    pick_bytes(dice, operands->c);
    uint8_t mask[REGISTER_BYTES];
    pick_bytes(dice, mask);
    memcpy(&operands->mask, mask, sizeof operands->mask);
    for (size_t i = 0; i < REGISTER_BYTES; i += 4)
        if (dice_roll(dice, 4) == 0)
            memcpy(operands->b + i, operands->a + i, 4);
    size_t kind = dice_roll(dice, 8);
    operands->mask = kind == 0 ? 0 : kind == 1 ? UINT64_MAX : operands->mask;
}

static void print_bytes(const char *name, const uint8_t *bytes, size_t count)
{
    printf("  %-13s ", name);
    hex_print(stdout, bytes, count, " ");
    puts("");
}

static int print_difference(const struct operands *operands, const struct answer *expected, const struct answer *actual)
{
    printf("%s differs\n", expected->call);
    print_bytes("a", operands->a, sizeof operands->a);
    print_bytes("b", operands->b, sizeof operands->b);
    print_bytes("c", operands->c, sizeof operands->c);
    printf("  %-13s %016" PRIX64 "\n", "mask", operands->mask);
    print_bytes("instruction", expected->bytes, expected->byte_count);
    print_bytes("emulation", actual->bytes, actual->byte_count);
    return DIFFERS;
}

int main(int argc, char **argv)
{
    if (!cpu_has(CPU_avx512)) {
        puts("not run: this CPU has no AVX-512, or ASSAY_WITHOUT takes it away");
        return NOT_RUN;
    }
    bool is_canary = argc > 1 && strcmp(argv[1], "canary") == 0;
    static struct answers expected, actual;
    struct dice dice = {1};
    for (size_t round = 0; round < ROUNDS; round++) {
        struct operands operands;
        pick_operands(&dice, &operands);
        ask_instructions(&operands, &expected);
        (is_canary ? ask_canary : ask_emulation)(&operands, &actual);
        for (size_t i = 0; i < expected.count; i++)
            if (memcmp(expected.list[i].bytes, actual.list[i].bytes, expected.list[i].byte_count) != 0)
                return print_difference(&operands, &expected.list[i], &actual.list[i]);
    }
    printf("%zu calls, %d times each: the emulation agrees with the instructions\n", expected.count, ROUNDS);
    return 0;
}
