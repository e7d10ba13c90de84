/* SPDX-License-Identifier: MIT */
#include "golden.h"

#include "vectors.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENCODING_IF_NONE_IS_NAMED "utf-8"

/* True if a word looks like an id, and is no path. */
static bool is_id(const char *word)
{
    return strchr("@/.", word[0]) == NULL && strchr(word, '/') != NULL && access(word, F_OK) != 0;
}

static char *copy(const char *text)
{
    char *own = cli_alloc(strlen(text) + 1, 1);
    return strcpy(own, text);
}

static struct cli_input copy_bytes(const void *bytes, size_t count)
{
    struct cli_input input = {cli_alloc(count, 1), count};
    if (count > 0)
        memcpy(input.bytes, bytes, count);
    return input;
}

/* Returns the bytes of a case: its input if that is bytes; its expected output if the input is code points or UTF-16
 * units; the input of its first conversion if it converts. */
static struct cli_input bytes_of(const struct vector_case *test)
{
    for (const struct probe *probe = test->probes; probe < test->probes + test->probe_count; probe++) {
        const struct question *question = &probe->question;
        if (operation_input_unit(question->operation) == 1)
            return copy_bytes(question->input, question->input_count);
        if (probe->expected.result.status == ASSAY_OK)
            return copy_bytes(probe->expected.output, probe->expected.result.written);
    }
    if (test->conversion_count > 0)
        return copy_bytes(test->conversions[0].input, test->conversions[0].input_count);
    cli_fail("%s encodes, and no policy gives bytes for it; assay check --list has its comment", test->id);
}

static const struct vector_case *find(const struct vectors *vectors, const char *id, const struct category **category)
{
    for (size_t i = 0; i < vectors->category_count; i++)
        for (size_t j = 0; j < vectors->categories[i].case_count; j++)
            if (strcmp(vectors->categories[i].cases[j].id, id) == 0) {
                *category = &vectors->categories[i];
                return &vectors->categories[i].cases[j];
            }
    if (strstr(id, "/positions/") != NULL)
        cli_fail("%s is a line of the positions tier, many texts; assay run names one that fails, and assay check %s "
                 "prints the command of assay diff for it",
                 id, id);
    cli_fail("there is no golden case '%s' in %s (assay check --list lists them); a file is named with @: @%s", id,
             vectors_folder(), id);
}

/* Returns the encoding of a category by the protocol's name (utf-8-sig), or that of the codecs that it is about. */
static char *encoding_of(const struct category *category, bool by_protocol)
{
    if (!by_protocol)
        return copy(category->codec_encoding);
    size_t length = category_encoding_length(category);
    char *encoding = cli_alloc(length + 1, 1);
    memcpy(encoding, category->name, length);
    encoding[length] = '\0';
    return encoding;
}

struct golden golden_find(char *id, bool by_protocol, const char **encoding)
{
    if (!is_id(id))
        return (struct golden){0};
    struct choice choice = {.globs = &id, .glob_count = 1, .without_positions = true};
    struct vectors vectors = vectors_load(vectors_folder(), &choice);
    const struct category *category;
    const struct vector_case *test = find(&vectors, id, &category);
    struct golden golden = {copy(test->id), copy(test->comment), encoding_of(category, by_protocol), bytes_of(test),
                            test->stream_count};
    vectors_free(&vectors);
    if (strcmp(*encoding, ENCODING_IF_NONE_IS_NAMED) != 0 && strcmp(*encoding, golden.encoding) != 0)
        cli_fail("%s is in %s, not in %s (-e)", id, golden.encoding, *encoding);
    *encoding = golden.encoding;
    return golden;
}

struct cli_input golden_whole_input(const struct golden *golden, const char *input)
{
    if (golden->stream_count > 0)
        cli_fail("%s is %zu streams, one after the other; assay run and assay check ask about all of them", golden->id,
                 golden->stream_count);
    return golden_input(golden, input);
}

struct cli_input golden_input(const struct golden *golden, const char *input)
{
    return golden->id != NULL ? golden->input : cli_input(input);
}

void golden_free(struct golden *golden)
{
    free(golden->id);
    free(golden->comment);
    free(golden->encoding);
}
