/* SPDX-License-Identifier: MIT
 *
 * Shows by enumeration which encoding keeps which promise of UTF-8, and for a broken promise the smallest text that
 * breaks it.
 *
 * It checks all characters alone, each next to the following one, all strings of one and two bytes, and strings of two
 * and three representative characters; every damage of the latter, too. Fuzzing (harnesses/fuzz/promises.c) goes on
 * from there.
 */
#include "../core/hex.h"
#include "../core/promise.h"
#include "cli.h"
#include "provenance.h"

#include <stdlib.h>
#include <string.h>

static const char *only_encoding, *codec_name = "reference", *stride_text = "1", *string_stride_text = "1";
static bool as_json;
static const struct cli_option options[] = {
    {"encoding", 'e', "ENCODING", "only this encoding, or all (default all)", &only_encoding, NULL},
    {"codec-name", 'c', "CODEC", "this codec of each (default reference)", &codec_name, NULL},
    {"stride", 0, "N", "test only every Nth character, alone and next to another (default 1)", &stride_text, NULL},
    {"string-stride", 0, "N",
     "test only every Nth string of two bytes, of three characters, and of damaged text (default 1)",
     &string_stride_text, NULL},
    {"json", 0, NULL, "the same as JSON, with every counterexample", NULL, &as_json},
    {0},
};

/* The results for one codec. */
struct search {
    const struct assay_codec *codec;
    size_t stride, string_stride;
    uint64_t looked_at[PROMISE_COUNT];
    struct spelling smallest[PROMISE_COUNT]; /* the counterexample; it has no bytes if there is none */
    char said[PROMISE_COUNT][SAID_SIZE];
};

#define ALL_BUT_LOCAL (~(1u << PROMISE_LOCAL))
#define ORDERS (1u << PROMISE_SORTS | 1u << PROMISE_SORTS_UTF16)

static bool is_refuted(const struct search *search, enum promise promise)
{
    return search->smallest[promise].byte_count > 0;
}

/* Checks a set of promises on a text. Skips promises for which a counterexample as small is known. */
static void check_text(struct search *search, const struct spelling *text, unsigned promises)
{
    bool concatenates = spelling_concatenates(search->codec, text);
    for (enum promise promise = 0; promise < PROMISE_COUNT; promise++) {
        char said[SAID_SIZE];
        if ((promises >> promise & 1) == 0 ||
            (is_refuted(search, promise) && search->smallest[promise].byte_count <= text->byte_count))
            continue;
        search->looked_at[promise]++;
        if (promise_holds(promise, search->codec, text, concatenates, NULL, said))
            continue;
        search->smallest[promise] = *text;
        memcpy(search->said[promise], said, sizeof said);
    }
}

/* The same for a text of these characters. Does nothing if the codec cannot encode one of them. */
static void check_characters(struct search *search, const uint32_t *characters, size_t count, unsigned promises)
{
    struct spelling text = {0};
    for (size_t i = 0; i < count; i++)
        if (!spelling_add(&text, search->codec, characters[i]))
            return;
    check_text(search, &text, promises);
}

static void check_short_strings(struct search *search)
{
    for (size_t i = 0; i < 256 + 65536; i += i < 256 ? 1 : search->string_stride) {
        uint8_t bytes[2] = {(uint8_t)(i < 256 ? i : (i - 256) >> 8), (uint8_t)(i - 256)};
        size_t count = i < 256 ? 1 : 2;
        struct spelling text = spelling_of(search->codec, bytes, count);
        if (text.byte_count == count)
            check_text(search, &text, ALL_BUT_LOCAL & ~ORDERS);
    }
}

/* Characters at the ends of ranges, next to these, and some in between. */
static const uint32_t representatives[] = {
    0,      1,      0x29,   0x41,   0x7F,   0x80,   0x81,   0x87,    0x8F,    0x9F,    0xBF,    0xE9,     0xFF,
    0x100,  0x129,  0x1FF,  0x200,  0x7FF,  0x800,  0x87F,  0x880,   0xFFF,   0x1000,  0x20AC,  0x4E2D,   0xD7FF,
    0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFEFF, 0xFFFF, 0x10000, 0x1F600, 0x3FFFF, 0x40000, 0x10FFFF,
};
enum { REPRESENTATIVES = sizeof representatives / sizeof representatives[0] };

/* Checks one character alone, and with the next: if each sorts before the next, all are in order. */
static void check_character(struct search *search, uint32_t character)
{
    uint32_t and_next[2] = {character, character == 0xD7FF ? 0xE000 : character + 1};
    check_characters(search, and_next, 1, ALL_BUT_LOCAL);
    check_characters(search, and_next, 2, ORDERS);
}

static void check_all_characters(struct search *search)
{
    for (size_t i = 0; i < REPRESENTATIVES; i++)
        check_character(search, representatives[i]);
    for (size_t character = 0; character <= 0x10FFFF; character += search->stride)
        check_character(search, (uint32_t)character);
}

static void check_representatives(struct search *search)
{
    for (size_t a = 0; a < REPRESENTATIVES; a++)
        for (size_t b = 0; b < REPRESENTATIVES; b++) {
            uint32_t characters[3] = {representatives[a], representatives[b], 0};
            check_characters(search, characters, 2, ALL_BUT_LOCAL);
            for (size_t c = (a + b) % search->string_stride; c < REPRESENTATIVES; c += search->string_stride) {
                characters[2] = representatives[c];
                check_characters(search, characters, 3, ALL_BUT_LOCAL & ~ORDERS);
            }
        }
}

static void check_damage(struct search *search)
{
    static const uint32_t characters[] = {0x41, 0x42, 0xE9, 0x20AC, 0xD83D, 0xDE00, 0x1F600};
    enum { COUNT = sizeof characters / sizeof characters[0] };
    for (size_t i = 0; i < COUNT * COUNT * COUNT; i += search->string_stride)
        check_characters(
            search, (uint32_t[]){characters[i / COUNT / COUNT], characters[i / COUNT % COUNT], characters[i % COUNT]},
            3, 1u << PROMISE_LOCAL);
}

/* ---- what is said of it ------------------------------------------------------------------------------ */

static const char *verdict(const struct search *search, enum promise promise)
{
    bool claimed = promise_is_claimed(promise, search->codec->encoding);
    if (is_refuted(search, promise))
        return claimed ? "BROKEN" : "no";
    return claimed ? "yes" : "(yes)";
}

enum { ENCODING_WIDTH = 18 }; /* columns of an encoding's name */

static void print_row(const struct search *search, enum promise first, enum promise end)
{
    printf("%-*s", ENCODING_WIDTH, search->codec->encoding);
    for (enum promise promise = first; promise < end; promise++)
        printf("  %*s", (int)strlen(promise_name(promise)), verdict(search, promise));
    putchar('\n');
}

/* Prints the verdicts on as many promises from `first` on as fit the terminal, at least one. Returns the promise after
 * them. */
static enum promise print_table(const struct search *searches, size_t count, enum promise first)
{
    size_t width = ENCODING_WIDTH;
    enum promise end = first;
    do
        width += 2 + strlen(promise_name(end++));
    while (end < PROMISE_COUNT && width + 2 + strlen(promise_name(end)) <= cli_columns());
    printf("\n%-*s", ENCODING_WIDTH, "");
    for (enum promise promise = first; promise < end; promise++)
        printf("  %s", promise_name(promise));
    putchar('\n');
    for (size_t i = 0; i < count; i++)
        print_row(&searches[i], first, end);
    return end;
}

static void print_counterexamples(const struct search *search)
{
    for (enum promise promise = 0; promise < PROMISE_COUNT; promise++) {
        const struct spelling *text = &search->smallest[promise];
        if (text->byte_count == 0)
            continue;
        char *line;
        size_t size;
        FILE *out = cli_open_text(&line, &size);
        fprintf(out, "%-*s  %-15s ", ENCODING_WIDTH, search->codec->encoding, promise_name(promise));
        for (size_t i = 0; i < text->character_count; i++) {
            fprintf(out, " U+%04X = ", text->characters[i]);
            hex_print(out, text->bytes + text->begins[i], text->begins[i + 1] - text->begins[i], " ");
            fputc(i + 1 < text->character_count ? ',' : ':', out);
        }
        fprintf(out, " %s", search->said[promise]);
        fclose(out);
        cli_print_line(line);
    }
}

static void print_text(const struct search *searches, size_t count)
{
    for (enum promise promise = 0; promise < PROMISE_COUNT; promise++) {
        char line[256];
        snprintf(line, sizeof line, "%-15s  %s", promise_name(promise), promise_sentence(promise));
        cli_print_words(line, strlen(line));
        putchar('\n');
    }
    for (enum promise first = 0; first < PROMISE_COUNT;)
        first = print_table(searches, count, first);
    cli_print_broken(
        stdout,
        "\nyes: relied on, and kept; (yes): kept; no: not kept, and not relied on; BROKEN: relied on, and not kept\n\n"
        "the smallest texts that show it\n");
    for (size_t i = 0; i < count; i++)
        print_counterexamples(&searches[i]);
}

static json_t *as_object(const struct search *search, enum promise promise)
{
    const struct spelling *text = &search->smallest[promise];
    json_t *object =
        json_pack("{s:b, s:b, s:I}", "claimed", promise_is_claimed(promise, search->codec->encoding), "kept",
                  !is_refuted(search, promise), "looked_at", (json_int_t)search->looked_at[promise]);
    if (!is_refuted(search, promise))
        return object;
    char hex[2 * SPELLING_BYTES + 1];
    json_t *characters = json_array();
    for (size_t i = 0; i < text->character_count; i++)
        json_array_append_new(characters, json_integer(text->characters[i]));
    hex_write(hex, text->bytes, text->byte_count);
    json_object_set_new(
        object, "counterexample",
        json_pack("{s:o, s:s, s:s}", "characters", characters, "bytes", hex, "said", search->said[promise]));
    return object;
}

static void print_as_json(const struct search *searches, size_t count)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *kept = json_object();
        for (enum promise promise = 0; promise < PROMISE_COUNT; promise++)
            json_object_set_new(kept, promise_name(promise), as_object(&searches[i], promise));
        json_array_append_new(rows, json_pack("{s:s, s:s, s:o}", "encoding", searches[i].codec->encoding, "codec",
                                              searches[i].codec->name, "promises", kept));
    }
    cli_print_json(json_pack("{s:o, s:o}", "made", provenance_as_json(), "encodings", rows));
}

/* ---- the command ------------------------------------------------------------------------------------------ */

/* Fails if the codec can neither encode nor decode any character that the encoding holds: it breaks no promise, but
 * keeps none. */
static void require_characters(const struct assay_codec *codec)
{
    for (size_t i = 0; i < REPRESENTATIVES; i++) {
        struct spelling expected = {0}, own = {0};
        if (spelling_add(&expected, registry_reference(codec->encoding), representatives[i]) &&
            !(spelling_add(&own, codec, representatives[i]) && spelling_is_read(codec, &own)))
            cli_fail("%s/%s does not encode U+%04X and decode it again: it has no text to make a promise of",
                     codec->encoding, codec->name, representatives[i]);
    }
}

static void search_one(struct search *search)
{
    check_short_strings(search);
    check_all_characters(search);
    check_representatives(search);
    check_damage(search);
}

static bool is_asked(const void *none, const struct registry_row *row)
{
    (void)none;
    return registry_runs(row) && strcmp(row->name, codec_name) == 0 &&
           (only_encoding == NULL || strcmp(row->encoding, only_encoding) == 0);
}

static int run(int argc, char **argv)
{
    int operands;
    cli_parse(&command_promises, argc, argv, &operands);
    size_t count = 0, stride = (size_t)cli_number("stride", stride_text, 1, CLI_STRIDE_MAX),
           string_stride = (size_t)cli_number("string-stride", string_stride_text, 1, CLI_STRIDE_MAX);
    if (only_encoding != NULL && strcmp(only_encoding, "all") == 0)
        only_encoding = NULL;
    if (only_encoding != NULL)
        cli_encoding(only_encoding);
    cli_require_loaded_chosen(is_asked, NULL);
    struct search *searches = cli_alloc(registry_count(), sizeof *searches);
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (is_asked(NULL, row) && row->codec->encode_utf32 != NULL && promise_can_be_asked(row->codec))
            searches[count++] = (struct search){.codec = row->codec, .stride = stride, .string_stride = string_stride};
    }
    if (count == 0)
        cli_fail(
            "no codec '%s'%s that runs here validates, encodes, and decodes to UTF-32 under strict, skip and whatwg; assay list names them",
            codec_name, cli_did_you_mean_codec(codec_name, only_encoding));
    for (size_t i = 0; i < count; i++)
        require_characters(searches[i].codec);
    bool broken = false;
    double begun = cli_now_ns();
    for (size_t i = 0; i < count; i++) {
        cli_print_progress(i, count, begun, "%zu of %zu encodings: %s", i + 1, count, searches[i].codec->encoding);
        search_one(&searches[i]);
        for (enum promise promise = 0; promise < PROMISE_COUNT; promise++)
            broken |= is_refuted(&searches[i], promise) && promise_is_claimed(promise, searches[i].codec->encoding);
    }
    cli_clear_progress();
    if (as_json)
        print_as_json(searches, count);
    else
        print_text(searches, count);
    free(searches);
    return broken ? EXIT_DIVERGENCE : EXIT_CLEAN;
}

const struct command command_promises = {
    .name = "promises",
    .sentence = "which encoding keeps what UTF-8 promises, and the smallest text on which it does not",
    .options = options,
    .run = run,
};
