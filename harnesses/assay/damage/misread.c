/* SPDX-License-Identifier: MIT
 *
 * Text written in one encoding and read as another: how often the mistake is noticed, at which byte, and which text
 * results.
 *
 * The mistake is noticed if the bytes are ill-formed in the encoding that they are read as. If they are not, the result
 * is the same text or another text ("turned"), and nothing shows the mistake. Lines are counted too, each as a text of
 * its own, because most strings are short.
 */
#include "misread.h"

#include "../provenance.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 4, COLUMNS = 6 }; /* characters of an example; columns of a table */

/* The shortest line that is noticed, or that turned: its first characters as written, its first bytes, and the
 * characters that are read. */
struct example {
    size_t line_bytes; /* 0: no example */
    size_t written_count, read_count;
    uint32_t written[SHOWN], read[SHOWN];
    char hex[8 * SHOWN * 3 + 1];
    bool goes_on;
};

struct outcome {
    size_t byte_count;
    bool is_noticed, is_same;
    size_t offset; /* of the first error, if it is noticed */
    /* the number of characters with U+FFFD for each error, and how many of them are U+FFFD */
    size_t characters, errors;
    size_t lines, lines_noticed, lines_turned, lines_same;
};

struct pair {
    const struct assay_codec *written, *read;
    struct outcome *outcomes; /* for each text */
    struct example noticed, turned;
};

/* Buffers for the bytes of a text and for their decoded form. */
struct room {
    uint8_t *bytes;
    uint32_t *out;
};

/* ---- one pair ------------------------------------------------------------------------------------------ */

/* Encodes characters in one encoding, decodes the bytes as another, and returns the outcome. */
static struct outcome misread(const struct pair *pair, const uint32_t *characters, size_t count,
                              const struct room *room)
{
    struct assay_span error = {0};
    struct assay_result encoded =
        pair->written->encode_utf32(ASSAY_POLICY_STRICT, characters, count, room->bytes, ASSAY_ENCODED_MAX(count));
    if (encoded.status != ASSAY_OK)
        cli_fail("%s has no U+%04X", pair->written->encoding, characters[encoded.read]);
    struct outcome outcome = {.byte_count = encoded.written};
    outcome.is_noticed = !pair->read->validate(room->bytes, encoded.written, &error);
    outcome.offset = error.offset;
    struct assay_result decoded = pair->read->decode_utf32(ASSAY_POLICY_WHATWG, room->bytes, encoded.written, room->out,
                                                           ASSAY_DECODED_MAX(encoded.written));
    outcome.characters = decoded.written;
    if (outcome.is_noticed)
        for (size_t i = 0; i < decoded.written; i++)
            outcome.errors += room->out[i] == 0xFFFD;
    outcome.is_same = !outcome.is_noticed && decoded.written == count &&
                      memcmp(room->out, characters, count * sizeof *characters) == 0;
    return outcome;
}

/* Keeps the line as the example if it has fewer bytes than the one kept so far. */
static void keep_shortest(struct example *example, const struct outcome *line, const uint32_t *characters, size_t count,
                          const struct room *room)
{
    if (example->line_bytes > 0 && example->line_bytes <= line->byte_count)
        return;
    *example = (struct example){.line_bytes = line->byte_count, .goes_on = count > SHOWN || line->characters > SHOWN};
    example->written_count = count < SHOWN ? count : SHOWN;
    example->read_count = line->characters < SHOWN ? line->characters : SHOWN;
    memcpy(example->written, characters, example->written_count * sizeof *characters);
    memcpy(example->read, room->out, example->read_count * sizeof *room->out);
    size_t shown = line->byte_count < 8 * SHOWN ? line->byte_count : 8 * SHOWN;
    for (size_t i = 0; i < shown; i++)
        snprintf(example->hex + 3 * i, 4, "%02X ", room->bytes[i]);
    example->hex[3 * shown - 1] = '\0';
}

static void misread_lines(struct pair *pair, struct outcome *outcome, const struct text *text, const struct room *room)
{
    for (size_t begin = 0, end; begin < text->character_count; begin = end + 1) {
        for (end = begin; end < text->character_count && text->characters[end] != '\n';)
            end++;
        if (end == begin)
            continue;
        struct outcome line = misread(pair, text->characters + begin, end - begin, room);
        outcome->lines++;
        outcome->lines_noticed += line.is_noticed;
        outcome->lines_same += line.is_same;
        outcome->lines_turned += !line.is_noticed && !line.is_same;
        if (!line.is_same)
            keep_shortest(line.is_noticed ? &pair->noticed : &pair->turned, &line, text->characters + begin,
                          end - begin, room);
    }
}

static void misread_texts(struct pair *pair, const struct text *texts, size_t text_count)
{
    pair->outcomes = cli_alloc(text_count, sizeof *pair->outcomes);
    for (size_t i = 0; i < text_count; i++) {
        size_t most = ASSAY_ENCODED_MAX(texts[i].character_count);
        struct room room = {cli_alloc(most, 1), cli_alloc(ASSAY_DECODED_MAX(most), sizeof *room.out)};
        pair->outcomes[i] = misread(pair, texts[i].characters, texts[i].character_count, &room);
        misread_lines(pair, &pair->outcomes[i], &texts[i], &room);
        free(room.bytes);
        free(room.out);
    }
}

/* ---- as text --------------------------------------------------------------------------------------------- */

struct table {
    const struct pair *pairs; /* a row of `count` for each encoding that text is written in */
    size_t count, text_count;
};

static int by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

/* Sets the median offset of the first error, over the texts in which the mistake is noticed; false if there are
 * none. */
static bool median_offset(const struct table *table, const struct pair *pair, size_t *median)
{
    size_t *offsets = cli_alloc(table->text_count, sizeof *offsets), count = 0;
    for (size_t i = 0; i < table->text_count; i++)
        if (pair->outcomes[i].is_noticed)
            offsets[count++] = pair->outcomes[i].offset;
    qsort(offsets, count, sizeof *offsets, by_size);
    *median = count > 0 ? offsets[count / 2] : 0;
    free(offsets);
    return count > 0;
}

enum cell { TEXTS_NOTICED, LINES_NOTICED, LINES_TURNED, OFFSET, REPLACED };

static void print_cell(const struct table *table, const struct pair *pair, enum cell cell)
{
    struct outcome sum = {0};
    size_t texts = 0, median;
    for (size_t i = 0; i < table->text_count; i++) {
        const struct outcome *outcome = &pair->outcomes[i];
        texts += outcome->is_noticed;
        sum.lines += outcome->lines;
        sum.lines_noticed += outcome->lines_noticed;
        sum.lines_turned += outcome->lines_turned;
        sum.characters += outcome->characters;
        sum.errors += outcome->errors;
    }
    if (cell == TEXTS_NOTICED)
        printf("  %14zu", texts);
    else if (cell == OFFSET && median_offset(table, pair, &median))
        printf("  %14zu", median);
    else if (cell == OFFSET || (cell == REPLACED ? sum.characters : sum.lines) == 0)
        printf("  %14s", "-");
    else if (cell == REPLACED)
        printf("  %12.2f %%", 100 * (double)sum.errors / (double)sum.characters);
    else
        printf("  %12.2f %%",
               100 * (double)(cell == LINES_NOTICED ? sum.lines_noticed : sum.lines_turned) / (double)sum.lines);
}

static void print_table(const struct table *table, const char *title, enum cell cell)
{
    printf("\n%s\n", title);
    for (size_t from = 0; from < table->count; from += COLUMNS) {
        size_t to = from + COLUMNS < table->count ? from + COLUMNS : table->count;
        printf("%s  %-18s", from > 0 ? "\n" : "", "written, read as");
        for (size_t read = from; read < to; read++)
            printf("  %14.14s", table->pairs[read].read->encoding);
        putchar('\n');
        for (size_t written = 0; written < table->count; written++) {
            printf("  %-18s", table->pairs[written * table->count].written->encoding);
            for (size_t read = from; read < to; read++)
                print_cell(table, &table->pairs[written * table->count + read], cell);
            putchar('\n');
        }
    }
}

static void print_characters(const uint32_t *characters, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf(" U+%04X", characters[i]);
}

static void print_example(const struct pair *pair, const struct example *example, const char *what)
{
    if (example->line_bytes == 0)
        return;
    printf("  %s as %s, %s:", pair->written->encoding, pair->read->encoding, what);
    print_characters(example->written, example->written_count);
    printf(" = %s ->", example->hex);
    print_characters(example->read, example->read_count);
    puts(example->goes_on ? " ..." : "");
}

static void print_text(const struct table *table)
{
    printf("%zu text%s, written in each of %zu encodings and read as each. Read as another, a text is\n"
           "  noticed      if it is ill-formed in that encoding\n"
           "  turned       if it is well-formed and other text: nothing shows that it was misread\n"
           "  or the same.\n",
           table->text_count, table->text_count == 1 ? "" : "s", table->count);
    print_table(table, "texts that are noticed", TEXTS_NOTICED);
    print_table(table, "the byte at which they are noticed: the median of the texts", OFFSET);
    print_table(table, "lines that are noticed, each line by itself", LINES_NOTICED);
    print_table(table, "lines that turn", LINES_TURNED);
    print_table(table, "U+FFFD among the characters that the texts are read as (policy whatwg)", REPLACED);
    puts("\nthe shortest lines that turn, or are noticed: their first characters, bytes, and what these are read as");
    for (size_t i = 0; i < table->count * table->count; i++) {
        print_example(&table->pairs[i], &table->pairs[i].turned, "turned");
        print_example(&table->pairs[i], &table->pairs[i].noticed, "noticed");
    }
    puts(
        "\nNo command guesses the encoding of bytes from these figures: UTR 26 asks that none be detected, and text that turns would be guessed\n"
        "wrong. The encoding has to be stated beside the bytes.");
}

/* ---- as JSON ----------------------------------------------------------------------------------------------- */

static json_t *characters_as_json(const uint32_t *characters, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_integer(characters[i]));
    return array;
}

static json_t *example_as_json(const struct example *example)
{
    if (example->line_bytes == 0)
        return json_null();
    return json_pack("{s:o, s:s, s:o, s:b}", "written", characters_as_json(example->written, example->written_count),
                     "bytes", example->hex, "read", characters_as_json(example->read, example->read_count), "goes_on",
                     example->goes_on);
}

static json_t *outcome_as_json(const struct outcome *outcome, const char *name)
{
    json_t *object =
        json_pack("{s:s, s:I, s:b, s:b, s:I, s:I, s:I, s:I, s:I, s:I}", "text", name, "bytes",
                  (json_int_t)outcome->byte_count, "noticed", outcome->is_noticed, "same", outcome->is_same,
                  "characters", (json_int_t)outcome->characters, "replaced", (json_int_t)outcome->errors, "lines",
                  (json_int_t)outcome->lines, "lines_noticed", (json_int_t)outcome->lines_noticed, "lines_turned",
                  (json_int_t)outcome->lines_turned, "lines_same", (json_int_t)outcome->lines_same);
    if (outcome->is_noticed)
        json_object_set_new(object, "offset", json_integer((json_int_t)outcome->offset));
    return object;
}

static void print_as_json(const struct table *table, const struct text *texts)
{
    json_t *pairs = json_array();
    for (size_t i = 0; i < table->count * table->count; i++) {
        const struct pair *pair = &table->pairs[i];
        json_t *rows = json_array();
        for (size_t text = 0; text < table->text_count; text++)
            json_array_append_new(rows, outcome_as_json(&pair->outcomes[text], texts[text].name));
        json_array_append_new(pairs, json_pack("{s:s, s:s, s:o, s:o, s:o}", "written", pair->written->encoding, "read",
                                               pair->read->encoding, "texts", rows, "shortest_turned",
                                               example_as_json(&pair->turned), "shortest_noticed",
                                               example_as_json(&pair->noticed)));
    }
    cli_print_json(json_pack("{s:o, s:o}", "made", provenance_as_json(), "pairs", pairs));
}

/* ---- all pairs ---------------------------------------------------------------------------------------------- */

void misread_all(const struct assay_codec *const *codecs, size_t codec_count, const struct text *texts,
                 size_t text_count, bool as_json)
{
    double begun = cli_now_ns();
    struct pair *pairs = cli_alloc(codec_count * codec_count, sizeof *pairs);
    for (size_t written = 0; written < codec_count; written++) {
        cli_print_progress(written, codec_count, begun, "%zu of %zu encodings: %s", written + 1, codec_count,
                           codecs[written]->encoding);
        for (size_t read = 0; read < codec_count; read++) {
            struct pair *pair = &pairs[written * codec_count + read];
            *pair = (struct pair){.written = codecs[written], .read = codecs[read]};
            misread_texts(pair, texts, text_count);
        }
    }
    cli_clear_progress();
    struct table table = {pairs, codec_count, text_count};
    if (as_json)
        print_as_json(&table, texts);
    else
        print_text(&table);
    for (size_t i = 0; i < codec_count * codec_count; i++)
        free(pairs[i].outcomes);
    free(pairs);
}
