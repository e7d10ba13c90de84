/* SPDX-License-Identifier: MIT
 *
 * The patterns that are repeated.
 */
#include "cost.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns the units that a pattern decodes to, for operations that encode. Generalized UTF-8 can write every code
 * point, surrogates too. */
static struct form decoded(const uint8_t *bytes, size_t byte_count, enum operation operation)
{
    static const char any_code_point[] = "generalized-utf-8";
    size_t capacity = ASSAY_DECODED_MAX(byte_count);
    struct form form = {.units = cli_alloc(capacity, operation_output_unit(operation))};
    form.count = codec_call(registry_reference(any_code_point), operation,
                            &(struct arguments){.policy = ASSAY_POLICY_WHATWG,
                                                .input = bytes,
                                                .input_count = byte_count,
                                                .output = form.units,
                                                .capacity = capacity})
                     .written;
    return form;
}

static void add(struct patterns *patterns, const uint8_t *bytes, size_t byte_count)
{
    struct form own = {.units = memcpy(cli_alloc(byte_count + 1, 1), bytes, byte_count), .count = byte_count};
    patterns->all = realloc(patterns->all, (patterns->count + 1) * sizeof *patterns->all);
    if (patterns->all == NULL)
        arena_fail((patterns->count + 1) * sizeof *patterns->all);
    patterns->all[patterns->count++] = (struct pattern){.forms = {
                                                            [OF_BYTES] = own,
                                                            [OF_UTF16] = decoded(bytes, byte_count, OP_DECODE_UTF16),
                                                            [OF_UTF32] = decoded(bytes, byte_count, OP_DECODE_UTF32),
                                                        }};
}

static void add_tokens(struct patterns *patterns, const char *encoding)
{
    const struct token_set *set = tokens_of(encoding);
    for (size_t i = 0; i < set->count; i++)
        add(patterns, set->tokens[i].bytes, set->tokens[i].length);
}

static void add_file(struct patterns *patterns, const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + sizeof "@/";
    char *operand = cli_alloc(size, 1);
    snprintf(operand, size, "@%s/%s", folder, name);
    struct cli_input input = cli_input(operand);
    if (input.byte_count > 0)
        add(patterns, input.bytes, input.byte_count);
    free(input.bytes);
    free(operand);
}

static void add_seeds(struct patterns *patterns, const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0)
        cli_fail("%s: %s (scripts/seeds makes the folder)", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.')
            add_file(patterns, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

struct patterns patterns_of(const char *encoding, const char *seeds)
{
    struct patterns patterns = {0};
    add_tokens(&patterns, encoding);
    if (strcmp(encoding, "generalized-utf-8") != 0)
        add_tokens(&patterns, "generalized-utf-8");
    if (seeds != NULL) {
        size_t size = strlen(seeds) + strlen(encoding) + sizeof "/";
        char *folder = cli_alloc(size, 1);
        snprintf(folder, size, "%s/%s", seeds, encoding);
        add_seeds(&patterns, folder);
        free(folder);
    }
    return patterns;
}

void patterns_free(struct patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++)
        for (size_t form = 0; form < FORM_COUNT; form++)
            free(patterns->all[i].forms[form].units);
    free(patterns->all);
}
