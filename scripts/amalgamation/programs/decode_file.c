/* SPDX-License-Identifier: MIT
 *
 * Decodes a file of UTF-8 to UTF-16, and prints its bytes, the units, and the least nanoseconds of ROUNDS times that
 * decoding took, by the amalgamation or, with WITH_ICONV, WITH_ICU or WITH_SIMDUTF, by one of these.
 */
#if defined(WITH_ICONV)
#include <iconv.h>
#elif defined(WITH_ICU)
#include <unicode/ustring.h>
#elif defined(WITH_SIMDUTF)
#include <simdutf.h>
#else
#include "utf8_assay.h"
#endif
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define ROOM (1 << 26)

static char bytes[ROOM];
static uint16_t units[ROOM];

static size_t decode(size_t byte_count)
{
#if defined(WITH_ICONV)
    iconv_t descriptor = iconv_open("UTF-16LE", "UTF-8");
    char *from = bytes, *to = (char *)units;
    size_t to_left = sizeof units;
    iconv(descriptor, &from, &byte_count, &to, &to_left);
    iconv_close(descriptor);
    return (sizeof units - to_left) / sizeof units[0];
#elif defined(WITH_ICU)
    int32_t count = 0;
    UErrorCode error = U_ZERO_ERROR;
    u_strFromUTF8((UChar *)units, ROOM, &count, bytes, (int32_t)byte_count, &error);
    return (size_t)count;
#elif defined(WITH_SIMDUTF)
    return simdutf::convert_utf8_to_utf16le(bytes, byte_count, (char16_t *)units);
#else
    return utf8_assay_convert(UTF8_ASSAY_UTF_8, UTF8_ASSAY_UTF_16, UTF8_ASSAY_STRICT, bytes, byte_count, units, ROOM)
        .written;
#endif
}

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL)
        return 2;
    size_t byte_count = fread(bytes, 1, sizeof bytes, file), unit_count = 0;
    double least = 0;
    fclose(file);
    for (int i = 0; i < ROUNDS; i++) {
        double begin = now_ns();
        unit_count = decode(byte_count);
        double took = now_ns() - begin;
        least = i == 0 || took < least ? took : least;
    }
    printf("%zu %zu %.0f\n", byte_count, unit_count, least);
}
