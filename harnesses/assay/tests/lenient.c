/* SPDX-License-Identifier: MIT
 *
 * A decoder of UTF-8 that accepts C0 80 as U+0000, in three forms: a loadable codec, with -DPLAIN a program that reads
 * one input, and with -DPROCESS one that speaks the line protocol.
 */
#include "codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the length of the first character and sets *scalar; for an error returns 0 and sets *error_length to the
 * length of its maximal subpart. */
static size_t take(const uint8_t *bytes, size_t count, uint32_t *scalar, size_t *error_length)
{
    static const struct {
        uint8_t first, last, low, high;
        size_t length;
    } rows[] = {{0x00, 0x7F, 0, 0, 1},       {0xC0, 0xC0, 0x80, 0x80, 2}, {0xC2, 0xDF, 0x80, 0xBF, 2},
                {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3},
                {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4},
                {0xF4, 0xF4, 0x80, 0x8F, 4}};
    *error_length = 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (bytes[0] < rows[i].first || bytes[0] > rows[i].last)
            continue;
        *scalar = rows[i].length == 1 ? bytes[0] : bytes[0] & (0xFFu >> (rows[i].length + 1));
        for (size_t at = 1; at < rows[i].length; at++) {
            uint8_t low = at == 1 ? rows[i].low : 0x80, high = at == 1 ? rows[i].high : 0xBF;
            *error_length = at;
            if (at == count || bytes[at] < low || bytes[at] > high)
                return 0;
            *scalar = *scalar << 6 | (bytes[at] & 0x3F);
        }
        return rows[i].length;
    }
    return 0;
}

static struct assay_result decode(enum assay_policy policy, const uint8_t *bytes, size_t count, uint32_t *out,
                                  size_t capacity)
{
    struct assay_result result = {0};
    if (policy != ASSAY_POLICY_STRICT)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    while (result.read < count && result.status == ASSAY_OK) {
        uint32_t scalar;
        size_t error_length, length = take(bytes + result.read, count - result.read, &scalar, &error_length);
        if (length == 0) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){.offset = result.read, .length = ASSAY_UNKNOWN};
        } else if (result.written == capacity) {
            result.status = ASSAY_OUTPUT_FULL;
        } else {
            out[result.written++] = scalar;
            result.read += length;
        }
    }
    return result;
}

#if defined PLAIN || defined PROCESS

enum { MOST = 1 << 16 };
static uint8_t input[MOST];
static uint32_t scalars[MOST];

#endif
#ifdef PLAIN

static void put(uint32_t scalar)
{
    if (scalar < 0x80)
        putchar((int)scalar);
    else if (scalar < 0x800)
        printf("%c%c", 0xC0 | scalar >> 6, 0x80 | (scalar & 0x3F));
    else if (scalar < 0x10000)
        printf("%c%c%c", 0xE0 | scalar >> 12, 0x80 | (scalar >> 6 & 0x3F), 0x80 | (scalar & 0x3F));
    else
        printf("%c%c%c%c", 0xF0 | scalar >> 18, 0x80 | (scalar >> 12 & 0x3F), 0x80 | (scalar >> 6 & 0x3F),
               0x80 | (scalar & 0x3F));
}

int main(void)
{
    struct assay_result result = decode(ASSAY_POLICY_STRICT, input, fread(input, 1, MOST, stdin), scalars, MOST);
    for (size_t i = 0; i < result.written && result.status == ASSAY_OK; i++)
        put(scalars[i]);
    return result.status == ASSAY_OK ? 0 : 1;
}

#elif defined PROCESS

static size_t parse(const char *hex)
{
    size_t count = 0;
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        input[count++] = (uint8_t)byte;
    return count;
}

int main(void)
{
    static char id[32], operation[32], policy[32], hex[1 << 17], line[1 << 17];
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strncmp(line, "hello", 5) == 0) {
            puts("hello assay/1 lenient encodings=utf-8 policies=strict ops=validate,decode chunks=no");
        } else {
            int fields = sscanf(line, "%31s validate %*s %131071s", id, hex);
            bool validates = fields == 2;
            if (!validates)
                sscanf(line, "%31s %31s %*s %31s %131071s", id, operation, policy, hex);
            struct assay_result result = decode(ASSAY_POLICY_STRICT, input, parse(hex), scalars, MOST);
            printf(result.status == ASSAY_OK ? "%s ok" : "%s error %zu", id, result.error.offset);
            for (size_t i = 0; i < result.written && result.status == ASSAY_OK && !validates; i++)
                printf("%c%X", i > 0 ? ',' : ' ', scalars[i]);
            puts(result.status == ASSAY_OK && !validates && result.written == 0 ? " -" : "");
        }
        fflush(stdout);
    }
    return 0;
}

#else

static bool validate(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    uint32_t *out = malloc((count + 1) * sizeof *out);
    struct assay_result result = decode(ASSAY_POLICY_STRICT, bytes, count, out, count);
    free(out);
    if (error != NULL)
        *error = result.error;
    return result.status == ASSAY_OK;
}

const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", "lenient"), .validate = validate,
                                        .decode_utf32 = decode};

#endif
