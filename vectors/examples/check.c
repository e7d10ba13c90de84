/* SPDX-License-Identifier: CC0-1.0
 *
 * Holds a decoder of its own, and the C library's, against the golden vectors. In a checkout:
 *
 *     scripts/export --form header /tmp/header && cc -I/tmp/header vectors/examples/check.c -o /tmp/check-c && /tmp/check-c
 *
 * In share/utf8-assay of an installation:
 *
 *     cc -I../../include/utf8-assay vectors/examples/check.c -o /tmp/check-c && /tmp/check-c
 *
 * To test another, give it a row in `decoders`. mbrtowc of glibc 2.36 fails: it takes F4 90..BF and F5..FD, the old scheme of up to 6 bytes.
 */
#include "assay_vectors.h"

#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { SHOWN = 60 }; /* characters of a long row */

/* What comes before the first error, and where that is; at the end, if there is none. `code_points` has room for one a byte. */
struct decoded {
    uint32_t *code_points;
    size_t count, stopped_at;
};

/* ---- the decoders ---------------------------------------------------------------------------------------------------------- */

/* Reads one character of at most `byte_count` bytes, not 0; returns its length, or 0 if there is an error. */
static size_t decode_one(const unsigned char *bytes, size_t byte_count, uint32_t *code_point)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    size_t length = bytes[0] < 0x80 ? 1 : bytes[0] < 0xC0 ? 0 : bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : bytes[0] < 0xF8 ? 4 : 0;
    if (length == 0 || length > byte_count)
        return 0;
    uint32_t value = length == 1 ? bytes[0] : bytes[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (bytes[i] & 0x3F);
    }
    *code_point = value;
    return value < least[length - 1] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF) ? 0 : length;
}

static void decode_own(const unsigned char *bytes, size_t byte_count, struct decoded *decoded)
{
    size_t length = 1;
    while (decoded->stopped_at < byte_count && length > 0) {
        length = decode_one(bytes + decoded->stopped_at, byte_count - decoded->stopped_at, &decoded->code_points[decoded->count]);
        decoded->count += length > 0;
        decoded->stopped_at += length;
    }
}

static void decode_library(const unsigned char *bytes, size_t byte_count, struct decoded *decoded)
{
    mbstate_t state;
    memset(&state, 0, sizeof state);
    while (decoded->stopped_at < byte_count) {
        wchar_t wide = 0;
        size_t length = mbrtowc(&wide, (const char *)bytes + decoded->stopped_at, byte_count - decoded->stopped_at, &state);
        if (length == (size_t)-1 || length == (size_t)-2)
            break;
        decoded->code_points[decoded->count++] = (uint32_t)wide;
        decoded->stopped_at += length == 0 ? 1 : length; /* 0 says that the character is U+0000 */
    }
}

/* As a stream: the state holds the bytes of a character that came before. */
static void decode_library_in_pieces(const unsigned char *bytes, size_t byte_count, struct decoded *decoded)
{
    mbstate_t state;
    memset(&state, 0, sizeof state);
    for (size_t i = 0; i < byte_count; i++) {
        wchar_t wide = 0;
        size_t length = mbrtowc(&wide, (const char *)bytes + i, 1, &state);
        if (length == (size_t)-1)
            break;
        if (length == (size_t)-2)
            continue;
        decoded->code_points[decoded->count++] = (uint32_t)wide;
        decoded->stopped_at = i + 1;
    }
}

struct decoder {
    const char *name;
    void (*decode)(const unsigned char *bytes, size_t byte_count, struct decoded *decoded);
};

static const struct decoder decoders[] = {
    {"strict of this file's decoder", decode_own},
    {"strict of mbrtowc", decode_library},
    {"strict of mbrtowc in pieces of a byte", decode_library_in_pieces},
};

/* True if wcrtomb gives the bytes of well-formed input again. */
static bool encodes_again(const struct assay_vector *vector)
{
    const struct assay_vector_output *strict = &vector->outputs[ASSAY_VECTOR_STRICT];
    size_t at = 0;
    mbstate_t state;
    memset(&state, 0, sizeof state);
    for (size_t i = 0; i < strict->count; i++) {
        char bytes[MB_LEN_MAX];
        size_t length = wcrtomb(bytes, (wchar_t)strict->code_points[i], &state);
        if (length == (size_t)-1 || length > vector->byte_count - at || memcmp(bytes, vector->bytes + at, length) != 0)
            return false;
        at += length;
    }
    return at == vector->byte_count;
}

/* ---- asking ---------------------------------------------------------------------------------------------------------------- */

static bool is_same(const struct decoded *a, const struct decoded *b)
{
    return a->stopped_at == b->stopped_at && a->count == b->count &&
           (a->count == 0 || memcmp(a->code_points, b->code_points, a->count * sizeof *a->code_points) == 0);
}

/* Where two differ: the index of the first code point that is not the same. */
static size_t first_difference(const struct decoded *a, const struct decoded *b)
{
    size_t i = 0;
    while (i < a->count && i < b->count && a->code_points[i] == b->code_points[i])
        i++;
    return i;
}

/* A long row is cut so that the code point `at` is in it. */
static void print(const char *head, const struct decoded *decoded, size_t byte_count, size_t at)
{
    size_t i = at > SHOWN / 10 ? at - SHOWN / 10 : 0;
    int printed = 0;
    fprintf(stderr, "    %s%s", head, decoded->count == 0 ? "-" : i > 0 ? "..." : "");
    for (; i < decoded->count && printed < SHOWN; i++)
        printed += fprintf(stderr, "%lX%s", (unsigned long)decoded->code_points[i], i + 1 < decoded->count ? "," : "");
    fputs(i < decoded->count ? "..." : "", stderr);
    if (decoded->stopped_at < byte_count)
        fprintf(stderr, " and an error at %zu", decoded->stopped_at);
    fputc('\n', stderr);
}

static void print_failure(const struct assay_vector *vector, const char *name)
{
    fprintf(stderr, "%s: %s of ", vector->id, name);
    for (size_t i = 0; i < vector->byte_count && i < SHOWN / 2; i++)
        fprintf(stderr, "%02X", vector->bytes[i]);
    fputs(vector->byte_count == 0 ? "-\n" : vector->byte_count > SHOWN / 2 ? "...\n" : "\n", stderr);
}

/* The length of ENCODING/CATEGORY in an id. */
static size_t category_length(const char *id)
{
    return (size_t)(strrchr(id, '/') - id);
}

struct tally {
    const struct assay_vector *category; /* the first case of the category that is asked */
    size_t cases, failed, failed_in_category;
};

/* Counts a case, and says whether it is the first of its category that fails. */
static bool is_first_failure(struct tally *tally, const struct assay_vector *vector, bool passed)
{
    size_t length = category_length(vector->id);
    if (tally->category == NULL || category_length(tally->category->id) != length || memcmp(tally->category->id, vector->id, length) != 0) {
        tally->category = vector;
        tally->failed_in_category = 0;
    }
    tally->cases++;
    tally->failed += !passed;
    return !passed && tally->failed_in_category++ == 0;
}

static struct tally check_decoder(const struct decoder *decoder)
{
    struct tally tally = {NULL, 0, 0, 0};
    for (size_t i = 0; i < ASSAY_VECTOR_COUNT; i++) {
        const struct assay_vector *vector = &assay_vectors[i];
        if (strcmp(vector->encoding, "utf-8") != 0)
            continue;
        const struct assay_vector_output *strict = &vector->outputs[ASSAY_VECTOR_STRICT];
        struct decoded given = {malloc((vector->byte_count + 1) * sizeof(uint32_t)), 0, 0};
        struct decoded wanted = {(uint32_t *)strict->code_points, strict->count,
                                 vector->span_count > 0 ? vector->spans[0].offset : vector->byte_count};
        if (given.code_points == NULL)
            fprintf(stderr, "out of memory\n"), exit(2);
        decoder->decode(vector->bytes, vector->byte_count, &given);
        if (is_first_failure(&tally, vector, is_same(&given, &wanted))) {
            print_failure(vector, decoder->name);
            print("given   ", &given, vector->byte_count, first_difference(&given, &wanted));
            print("wanted  ", &wanted, vector->byte_count, first_difference(&given, &wanted));
        }
        free(given.code_points);
    }
    return tally;
}

static struct tally check_encoder(const char *name)
{
    struct tally tally = {NULL, 0, 0, 0};
    for (size_t i = 0; i < ASSAY_VECTOR_COUNT; i++) {
        const struct assay_vector *vector = &assay_vectors[i];
        if (strcmp(vector->encoding, "utf-8") != 0 || vector->span_count > 0)
            continue;
        if (is_first_failure(&tally, vector, encodes_again(vector)))
            print_failure(vector, name);
    }
    return tally;
}

static bool report(const char *name, struct tally tally)
{
    if (tally.cases == 0)
        fprintf(stderr, "no vectors of utf-8 in assay_vectors.h\n"), exit(2);
    printf("%s: %zu of %zu passed\n", name, tally.cases - tally.failed, tally.cases);
    return tally.failed == 0;
}

int main(void)
{
    const char *encoder = "strict of wcrtomb, of well-formed text";
    bool passed = true;
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
        return fprintf(stderr, "there is no locale C.UTF-8\n"), 2;
    for (size_t i = 0; i < sizeof decoders / sizeof decoders[0]; i++)
        passed &= report(decoders[i].name, check_decoder(&decoders[i]));
    passed &= report(encoder, check_encoder(encoder));
    return !passed;
}
