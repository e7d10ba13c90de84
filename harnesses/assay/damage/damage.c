/* SPDX-License-Identifier: MIT
 *
 * The effect of a lost, added, changed or swapped byte on text, in each encoding and scheme; and of reading text in
 * another encoding than it was written in (misread.c).
 */
#include "../provenance.h"
#include "damage.h"
#include "misread.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *only = NULL, *characters_text = "32", *samples_text = "2000", *seed_text = "1", *burst_text = "1";
static bool as_json, is_misread;
static const struct cli_option options[] = {
    {"encoding", 'e', "ENCODING,...", "only these encodings (default: all)", &only, NULL},
    {"burst", 'b', "N", "damage N bytes in a row, 1 to 8 (default 1)", &burst_text, NULL},
    {"characters", 'n', "N", "damage N characters in the middle of each text in every way (default 32)",
     &characters_text, NULL},
    {"samples", 's', "N", "how many damages are sampled all over each text in each encoding (default 2000)",
     &samples_text, NULL},
    {"seed", 0, "N", "seed of the samples (default 1)", &seed_text, NULL},
    {"misread", 0, NULL, "damage nothing: read texts of each encoding as each other one (default: without the schemes)",
     NULL, &is_misread},
    {"json", 0, NULL, "all figures, for each text, as JSON", NULL, &as_json},
    {0},
};

#define X(id, name, sentence) {name, sentence},
static const struct description {
    const char *name, *sentence;
} damages_of_byte[] = {DAMAGES(X)}, damages_of_burst[] = {BURST_DAMAGES(X)};
#undef X

/* ---- what is damaged ------------------------------------------------------------------------------- */

/* An encoding's figures for one text. */
struct figures {
    size_t byte_count;
    struct damage_tally excerpt[DAMAGE_COUNT], samples[DAMAGE_COUNT];
};

struct laboratory {
    const struct assay_codec **codecs;
    size_t codec_count;
    struct text *texts;
    size_t text_count;
    size_t excerpt_characters, samples, burst;
    uint64_t seed;
    struct figures *figures; /* a row of texts for each codec */
};

static const struct description *describe(const struct laboratory *laboratory, enum damage damage)
{
    return laboratory->burst == 1 ? &damages_of_byte[damage] : &damages_of_burst[damage];
}

/* Chooses the excerpt. It begins with the line that contains the middle of the text. */
static struct text read_text(const char *input, const char *name, size_t excerpt_characters)
{
    const struct assay_codec *utf8 = registry_reference("utf-8");
    if (!cli_is_text(name))
        cli_fail(
            "a name has bytes that are not UTF-8, which no report can hold; rename the file, or give it as standard input (-)");
    struct cli_input file = cli_input(input);
    struct text text = {.name = cli_alloc(strlen(name) + 1, 1)};
    strcpy(text.name, name);
    text.characters = cli_alloc(ASSAY_DECODED_MAX(file.byte_count), sizeof *text.characters);
    struct assay_result decoded = utf8->decode_utf32(ASSAY_POLICY_STRICT, file.bytes, file.byte_count, text.characters,
                                                     ASSAY_DECODED_MAX(file.byte_count));
    if (decoded.status != ASSAY_OK)
        cli_fail("%s is no text in UTF-8: ill-formed at %zu; assay explain shows more", name, decoded.error.offset);
    if (decoded.written == 0)
        cli_fail("%s is empty", name);
    text.character_count = decoded.written;
    text.excerpt_count = decoded.written < excerpt_characters ? decoded.written : excerpt_characters;
    text.excerpt = (decoded.written - text.excerpt_count) / 2;
    while (text.excerpt > 0 && text.characters[text.excerpt - 1] != '\n')
        text.excerpt--;
    free(file.bytes);
    return text;
}

static int is_text(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".txt") == 0;
}

/* All of corpus/text. */
static void read_corpus(struct laboratory *laboratory)
{
    const char *folder = cli_data("corpus/text");
    struct dirent **entries;
    int count = folder != NULL ? scandir(folder, &entries, is_text, alphasort) : 0;
    if (count <= 0)
        cli_fail("no texts beside this program; name some: assay damage @FILE...");
    laboratory->texts = cli_alloc((size_t)count, sizeof *laboratory->texts);
    for (int i = 0; i < count; i++) {
        char path[4096 + 256];
        snprintf(path, sizeof path, "@%s/%s", folder, entries[i]->d_name);
        *strrchr(entries[i]->d_name, '.') = '\0';
        laboratory->texts[laboratory->text_count++] =
            read_text(path, entries[i]->d_name, laboratory->excerpt_characters);
        free(entries[i]);
    }
    free(entries);
}

/* True if a comma-separated list contains the name. Ends the program if a name before it is not an encoding. */
static bool is_listed(const char *list, const char *name)
{
    char word[64];
    while (cli_next_word("encoding", &list, word, sizeof word))
        if (strcmp(cli_encoding(word)->encoding, name) == 0)
            return true;
    return false;
}

static bool is_damaged(const void *none, const struct registry_row *row)
{
    (void)none;
    bool is_usual = !is_misread || registry_scheme(row->encoding) == NULL;
    return registry_is_reference(row) && (only == NULL ? is_usual : is_listed(only, row->encoding));
}

static void find_codecs(struct laboratory *laboratory)
{
    laboratory->codecs = cli_alloc(registry_count(), sizeof *laboratory->codecs);
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (is_damaged(NULL, row))
            laboratory->codecs[laboratory->codec_count++] = row->codec;
    }
}

/* ---- the work --------------------------------------------------------------------------------------- */

/* Shows progress: on a terminal an estimate, elsewhere a line for each encoding. */
static void show_progress(const struct laboratory *laboratory, size_t codec, size_t text, double begun)
{
    size_t done = codec * laboratory->text_count + text, all = laboratory->codec_count * laboratory->text_count;
    if (isatty(STDERR_FILENO) || text == 0)
        cli_print_progress(done, all, begun, "%zu of %zu encodings: %s", codec + 1, laboratory->codec_count,
                           laboratory->codecs[codec]->encoding);
}

static void damage_one(const struct laboratory *laboratory, size_t codec, size_t index, struct figures *figures)
{
    const struct text *text = &laboratory->texts[index];
    struct damage_text excerpt =
        damage_text_new(laboratory->codecs[codec], text->characters + text->excerpt, text->excerpt_count);
    struct damage_text whole = damage_text_new(laboratory->codecs[codec], text->characters, text->character_count);
    struct dice dice = {laboratory->seed + index};
    figures->byte_count = whole.byte_count;
    damage_exhaustively(&excerpt, laboratory->burst, &dice, figures->excerpt);
    damage_sampled(&whole, laboratory->burst, &dice, laboratory->samples, figures->samples);
    damage_text_free(&excerpt);
    damage_text_free(&whole);
}

static void damage_all(struct laboratory *laboratory)
{
    double begun = cli_now_ns();
    laboratory->figures = cli_alloc(laboratory->codec_count * laboratory->text_count, sizeof *laboratory->figures);
    for (size_t codec = 0; codec < laboratory->codec_count; codec++)
        for (size_t text = 0; text < laboratory->text_count; text++) {
            show_progress(laboratory, codec, text, begun);
            damage_one(laboratory, codec, text, &laboratory->figures[codec * laboratory->text_count + text]);
        }
    cli_clear_progress();
}

/* ---- as text ------------------------------------------------------------------------------------------ */

static const struct figures *figures_of(const struct laboratory *laboratory, size_t codec)
{
    return &laboratory->figures[codec * laboratory->text_count];
}

static struct damage_tally sum_of(const struct laboratory *laboratory, size_t codec, enum damage damage, bool sampled)
{
    struct damage_tally sum = {0};
    for (size_t text = 0; text < laboratory->text_count; text++) {
        const struct figures *figures = &figures_of(laboratory, codec)[text];
        damage_tally_add(&sum, sampled ? &figures->samples[damage] : &figures->excerpt[damage]);
    }
    return sum;
}

static double share(uint64_t part, uint64_t all)
{
    return all > 0 ? (double)part / (double)all : 0;
}

/* Returns the mean of the texts' shares. Each text has the same weight, whatever its length. */
static double undetected_of_texts(const struct laboratory *laboratory, size_t codec, enum damage damage)
{
    double sum = 0;
    for (size_t text = 0; text < laboratory->text_count; text++) {
        const struct damage_tally *tally = &figures_of(laboratory, codec)[text].excerpt[damage];
        sum += share(tally->undetected, tally->times);
    }
    return sum / (double)laboratory->text_count;
}

/* Prints the 95 % confidence interval of the share (Wilson's score interval). */
static void print_interval(uint64_t part, uint64_t all)
{
    if (all == 0) {
        printf("  %15s", "-");
        return;
    }
    double n = (double)all, p = share(part, all), z = 1.96, square = z * z;
    double middle = (p + square / (2 * n)) / (1 + square / n);
    double half = z / (1 + square / n) * sqrt(p * (1 - p) / n + square / (4 * n * n));
    printf("  %5.2f..%6.2f %%", 100 * fmax(0, middle - half), 100 * fmin(1, middle + half));
}

enum cell { UNDETECTED, UNDETECTED_OF_TEXTS, INTERVAL, TURNED, LOST, STRANGE, SPREAD };

static void print_cell(enum cell cell, const struct damage_tally *tally)
{
    switch (cell) {
    case UNDETECTED: printf("  %13.2f %%", 100 * share(tally->undetected, tally->times)); break;
    case INTERVAL: print_interval(tally->undetected, tally->times); break;
    case TURNED: printf("  %13.2f %%", 100 * share(tally->turned, tally->times)); break;
    case LOST: printf("  %6.2f %8llu", share(tally->lost, tally->times), (unsigned long long)tally->lost_worst); break;
    case STRANGE:
        printf("  %6.2f %8llu", share(tally->strange, tally->times), (unsigned long long)tally->strange_worst);
        break;
    default: printf("  %6.2f %8llu", share(tally->spread, tally->times), (unsigned long long)tally->spread_worst);
    }
}

static void print_table(const struct laboratory *laboratory, const char *title, enum cell cell, bool sampled)
{
    printf("\n%s\n  %-18s", title, "");
    for (enum damage damage = 0; damage < DAMAGE_COUNT; damage++)
        printf("  %15s", describe(laboratory, damage)->name);
    putchar('\n');
    for (size_t codec = 0; codec < laboratory->codec_count; codec++) {
        printf("  %-18s", laboratory->codecs[codec]->encoding);
        for (enum damage damage = 0; damage < DAMAGE_COUNT; damage++) {
            struct damage_tally sum = sum_of(laboratory, codec, damage, sampled);
            if (cell == UNDETECTED_OF_TEXTS)
                printf("  %13.2f %%", 100 * undetected_of_texts(laboratory, codec, damage));
            else
                print_cell(cell, &sum);
        }
        putchar('\n');
    }
}

enum { COLUMNS = 8 };

static void print_sizes(const struct laboratory *laboratory)
{
    puts("\nbytes a character");
    for (size_t from = 0; from < laboratory->text_count; from += COLUMNS) {
        size_t to = from + COLUMNS < laboratory->text_count ? from + COLUMNS : laboratory->text_count;
        printf("%s  %-18s", from > 0 ? "\n" : "", "");
        for (size_t text = from; text < to; text++)
            printf(" %12.12s", laboratory->texts[text].name);
        putchar('\n');
        for (size_t codec = 0; codec < laboratory->codec_count; codec++) {
            printf("  %-18s", laboratory->codecs[codec]->encoding);
            for (size_t text = from; text < to; text++)
                printf(" %12.3f",
                       share(figures_of(laboratory, codec)[text].byte_count, laboratory->texts[text].character_count));
            putchar('\n');
        }
    }
}

static void print_text(const struct laboratory *laboratory)
{
    printf("%zu byte%s damaged; %zu text%s, %zu encoding%s.\n", laboratory->burst,
           laboratory->burst == 1 ? " is" : "s in a row are", laboratory->text_count,
           laboratory->text_count == 1 ? "" : "s", laboratory->codec_count, laboratory->codec_count == 1 ? "" : "s");
    for (enum damage damage = 0; damage < DAMAGE_COUNT; damage++)
        printf("  %-12s %s\n", describe(laboratory, damage)->name, describe(laboratory, damage)->sentence);
    printf("\nEvery damage to %zu character%s of each text:\n", laboratory->excerpt_characters,
           laboratory->excerpt_characters == 1 ? "" : "s");
    print_table(laboratory, "undetected: what is left is well-formed", UNDETECTED, false);
    print_table(laboratory, "undetected: mean of the texts, each with the same weight", UNDETECTED_OF_TEXTS, false);
    print_table(laboratory, "turned: undetected, and characters of the text have become others", TURNED, false);
    print_table(laboratory, "characters lost: mean, and worst", LOST, false);
    print_table(laboratory, "strange characters: mean, and worst", STRANGE, false);
    print_table(laboratory, "bytes after the damage until decoding is in step again: mean, and worst", SPREAD, false);
    printf("\n%zu damage%s all over each text, seed %llu:\n", laboratory->samples, laboratory->samples == 1 ? "" : "s",
           (unsigned long long)laboratory->seed);
    print_table(laboratory, "undetected", UNDETECTED, true);
    print_table(laboratory, "undetected, in all of the texts: interval of 95 % confidence", INTERVAL, true);
    print_table(laboratory, "characters lost: mean, and worst", LOST, true);
    print_table(laboratory, "bytes until in step: mean, and worst", SPREAD, true);
    print_sizes(laboratory);
}

/* ---- as JSON ------------------------------------------------------------------------------------------ */

static json_t *tally_as_json(const struct damage_tally *tally)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "times", (json_int_t)tally->times, "undetected",
                     (json_int_t)tally->undetected, "turned", (json_int_t)tally->turned, "lost",
                     (json_int_t)tally->lost, "lost_worst", (json_int_t)tally->lost_worst, "strange",
                     (json_int_t)tally->strange, "strange_worst", (json_int_t)tally->strange_worst, "spread",
                     (json_int_t)tally->spread, "spread_worst", (json_int_t)tally->spread_worst);
}

static json_t *tallies_as_json(const struct laboratory *laboratory, const struct damage_tally *tallies)
{
    json_t *object = json_object();
    for (enum damage damage = 0; damage < DAMAGE_COUNT; damage++)
        json_object_set_new(object, describe(laboratory, damage)->name, tally_as_json(&tallies[damage]));
    return object;
}

static void print_as_json(const struct laboratory *laboratory)
{
    json_t *texts = json_array(), *encodings = json_array();
    for (size_t text = 0; text < laboratory->text_count; text++)
        json_array_append_new(texts, json_pack("{s:s, s:I, s:I}", "name", laboratory->texts[text].name, "characters",
                                               (json_int_t)laboratory->texts[text].character_count, "excerpt",
                                               (json_int_t)laboratory->texts[text].excerpt_count));
    for (size_t codec = 0; codec < laboratory->codec_count; codec++) {
        json_t *rows = json_array();
        for (size_t text = 0; text < laboratory->text_count; text++) {
            const struct figures *figures = &figures_of(laboratory, codec)[text];
            json_array_append_new(rows, json_pack("{s:s, s:I, s:o, s:o}", "text", laboratory->texts[text].name, "bytes",
                                                  (json_int_t)figures->byte_count, "excerpt",
                                                  tallies_as_json(laboratory, figures->excerpt), "samples",
                                                  tallies_as_json(laboratory, figures->samples)));
        }
        const char *encoding = laboratory->codecs[codec]->encoding;
        json_array_append_new(encodings, json_pack("{s:s, s:b, s:o}", "name", encoding, "laboratory",
                                                   registry_scheme(encoding) != NULL, "texts", rows));
    }
    cli_print_json(json_pack("{s:o, s:I, s:I, s:I, s:o, s:o}", "made", provenance_as_json(), "seed",
                             (json_int_t)laboratory->seed, "burst", (json_int_t)laboratory->burst, "samples",
                             (json_int_t)laboratory->samples, "texts", texts, "encodings", encodings));
}

/* ---- the command ------------------------------------------------------------------------------------------- */

static void print_more(FILE *out)
{
    fputs(
        "TEXT is @FILE, or - for standard input, in UTF-8. The default is all of corpus/text.\n"
        "scripts/damage-page makes a page with plots from the output of --json.\n"
        "--misread does not say which encoding bytes are in: no command guesses it (UTR 26 asks that none be detected).\n",
        out);
}

static void refuse_damage_to_what_is_misread(void)
{
    if (strcmp(burst_text, "1") != 0 || strcmp(characters_text, "32") != 0 || strcmp(samples_text, "2000") != 0 ||
        strcmp(seed_text, "1") != 0)
        cli_fail("--misread damages nothing, so --burst, --characters, --samples and --seed say nothing of it");
}

static int run(int argc, char **argv)
{
    int count, at = cli_parse(&command_damage, argc, argv, &count);
    if (is_misread)
        refuse_damage_to_what_is_misread();
    struct laboratory laboratory = {.excerpt_characters = (size_t)cli_number("characters", characters_text, 0, 1000),
                                    .burst = (size_t)cli_number("burst", burst_text, 1, BURST_MAX),
                                    .samples = (size_t)cli_number("samples", samples_text, 0, 1000000000),
                                    .seed = cli_number("seed", seed_text, 0, UINT32_MAX)};
    if (laboratory.excerpt_characters == 0 && laboratory.samples == 0)
        cli_fail("nothing would be damaged: --characters and --samples are both 0");
    cli_require_loaded_chosen(is_damaged, NULL);
    find_codecs(&laboratory);
    if (count == 0)
        read_corpus(&laboratory);
    else
        laboratory.texts = cli_alloc((size_t)count, sizeof *laboratory.texts);
    for (int i = 0; i < count; i++) {
        if (argv[at + i][0] != '@' && strcmp(argv[at + i], "-") != 0)
            cli_fail("'%.60s' is no TEXT, which is @FILE, or - for standard input", argv[at + i]);
        laboratory.texts[laboratory.text_count++] =
            read_text(argv[at + i], argv[at + i], laboratory.excerpt_characters);
    }
    if (is_misread) {
        misread_all(laboratory.codecs, laboratory.codec_count, laboratory.texts, laboratory.text_count, as_json);
    } else {
        damage_all(&laboratory);
        if (as_json)
            print_as_json(&laboratory);
        else
            print_text(&laboratory);
    }
    for (size_t text = 0; text < laboratory.text_count; text++) {
        free(laboratory.texts[text].name);
        free(laboratory.texts[text].characters);
    }
    free(laboratory.texts);
    free(laboratory.figures);
    free((void *)laboratory.codecs);
    return EXIT_CLEAN;
}

const struct command command_damage = {
    .name = "damage",
    .sentence = "what a lost, added, changed or swapped byte does to text in each encoding scheme",
    OPERANDS("[TEXT...]", 0, -1),
    .print_more = print_more,
    .options = options,
    .run = run,
};
