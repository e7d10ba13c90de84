/* SPDX-License-Identifier: CC0-1.0
 *
 * Holds the C library's mbrtowc against the golden vectors:
 *     scripts/export --form header out && cc -Iout check.c && ./a.out
 */
#include "assay_vectors.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { SHOWN = 10 }; /* of those that fail */

/* What comes before the first error, and where that is; at the end, if there is none. */
struct decoded {
    const uint32_t *code_points;
    size_t count, stopped_at;
};

/* `code_points` has room for one a byte. */
static struct decoded decode(const struct assay_vector *vector, uint32_t *code_points)
{
    struct decoded decoded = {code_points, 0, 0};
    mbstate_t state;
    memset(&state, 0, sizeof state);
    while (decoded.stopped_at < vector->byte_count) {
        wchar_t wide = 0;
        size_t length = mbrtowc(&wide, (const char *)vector->bytes + decoded.stopped_at, vector->byte_count - decoded.stopped_at, &state);
        if (length == (size_t)-1 || length == (size_t)-2)
            break;
        code_points[decoded.count++] = (uint32_t)wide;
        decoded.stopped_at += length == 0 ? 1 : length; /* 0 says that the character is U+0000 */
    }
    return decoded;
}

static bool is_same(const struct decoded *a, const struct decoded *b)
{
    return a->stopped_at == b->stopped_at && a->count == b->count &&
           (a->count == 0 || memcmp(a->code_points, b->code_points, a->count * sizeof *a->code_points) == 0);
}

static void print(const struct decoded *decoded, size_t byte_count)
{
    for (size_t i = 0; i < decoded->count; i++)
        fprintf(stderr, "%s%lX", i > 0 ? "," : "", (unsigned long)decoded->code_points[i]);
    fputs(decoded->count == 0 ? "-" : "", stderr);
    if (decoded->stopped_at < byte_count)
        fprintf(stderr, " and an error at %zu", decoded->stopped_at);
}

static void print_failure(const struct assay_vector *vector, const struct decoded *given, const struct decoded *wanted)
{
    fprintf(stderr, "%s: strict of ", vector->id);
    for (size_t i = 0; i < vector->byte_count; i++)
        fprintf(stderr, "%02X", vector->bytes[i]);
    fputs(vector->byte_count == 0 ? "-: " : ": ", stderr);
    print(given, vector->byte_count);
    fputs(", not ", stderr);
    print(wanted, vector->byte_count);
    fputc('\n', stderr);
}

int main(void)
{
    size_t failed = 0, total = 0;
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
        return fprintf(stderr, "there is no locale C.UTF-8\n"), 2;
    for (size_t i = 0; i < ASSAY_VECTOR_COUNT; i++) {
        const struct assay_vector *vector = &assay_vectors[i];
        if (strcmp(vector->encoding, "utf-8") != 0)
            continue;
        uint32_t *code_points = malloc((vector->byte_count + 1) * sizeof *code_points);
        if (code_points == NULL)
            return fprintf(stderr, "out of memory\n"), 2;
        const struct assay_vector_output *strict = &vector->outputs[ASSAY_VECTOR_STRICT];
        struct decoded given = decode(vector, code_points);
        struct decoded wanted = {strict->code_points, strict->count,
                                 vector->span_count > 0 ? vector->spans[0].offset : vector->byte_count};
        total++;
        if (!is_same(&given, &wanted) && failed++ < SHOWN)
            print_failure(vector, &given, &wanted);
        free(code_points);
    }
    if (total == 0)
        return fprintf(stderr, "no vectors of utf-8 in assay_vectors.h\n"), 2;
    printf("strict: %zu of %zu passed\n", total - failed, total);
    return failed > 0;
}
