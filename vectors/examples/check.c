/* SPDX-License-Identifier: CC0-1.0
 *
 * Holds the C library's mbrtowc against the golden vectors:
 *     scripts/export --form header out && cc -Iout check.c && ./a.out
 */
#include "assay_vectors.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/* Whether the code points before the first span come out, and then an error exactly if there is a span. */
static bool passes(const struct assay_vector *vector)
{
    const struct assay_vector_output *expected = &vector->outputs[ASSAY_VECTOR_STRICT];
    mbstate_t state;
    memset(&state, 0, sizeof state);
    size_t at = 0, count = 0;
    while (at < vector->byte_count) {
        wchar_t wide = 0;
        size_t length = mbrtowc(&wide, (const char *)vector->bytes + at, vector->byte_count - at, &state);
        if (length == (size_t)-1 || length == (size_t)-2)
            return count == expected->count && vector->span_count > 0 && at == vector->spans[0].offset;
        if (count == expected->count || (uint32_t)wide != expected->code_points[count])
            return false;
        count++;
        at += length == 0 ? 1 : length; /* 0 says that the character is U+0000 */
    }
    return count == expected->count && vector->span_count == 0;
}

int main(void)
{
    size_t passed = 0, total = 0;
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
        return fprintf(stderr, "there is no locale C.UTF-8\n"), 2;
    for (size_t i = 0; i < ASSAY_VECTOR_COUNT; i++) {
        if (strcmp(assay_vectors[i].encoding, "utf-8") != 0)
            continue;
        total++;
        passed += passes(&assay_vectors[i]);
    }
    printf("strict: %zu of %zu passed\n", passed, total);
    return passed < total;
}
