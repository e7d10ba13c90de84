/* SPDX-License-Identifier: MIT
 *
 * `assay museum` - the kill matrix: which check notices which re-created bug of a real decoder, and after how many
 * answers.
 */
#include "museum.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CONTROL "control"

static const char *encoding_text, *stride_text = "101", *jobs_text, *folder, *columns_text;
static bool as_json, has_kill_sets;
static const struct cli_option options[] = {
    {"encoding", 'e', "ENCODING",
     "ask all in this encoding (default: utf-8, or the first in which the mistake is possible)", &encoding_text, NULL},
    {"columns", 0, "NAME,...", "ask these columns only", &columns_text, NULL},
    {"stride", 0, "N", "of enumerations and theorems, ask only every Nth input (default 101)", &stride_text, NULL},
    {"vectors", 0, "DIR", "the golden vectors (default: those of this checkout or installation)", &folder, NULL},
    {"kill-sets", 0, NULL, "ask all readable vectors; fail if two exhibits have the same kill set", NULL,
     &has_kill_sets},
    {"jobs", 'j', "N", "run N at once (default: one each core)", &jobs_text, NULL},
    {"json", 0, NULL, "the matrix as JSON", NULL, &as_json},
    {0},
};

/* The decoder without a mistake. It survives everything, so it is asked only if it is named. */
static const struct mistake control = {CONTROL, "makes no mistake",
                                       .offers = OFFERS_WHOLE | OFFERS_FEED | OFFERS_ENCODE};

static bool is_possible(const struct mistake *mistake, const char *encoding)
{
    return (mistake->only == NULL || museum_has_word(mistake->only, encoding)) &&
           museum_why_same(mistake, encoding) == NULL;
}

/* Returns the encoding to ask in; NULL if the mistake is not possible in the requested one. */
static const char *encoding_for(const struct mistake *mistake)
{
    if (encoding_text != NULL)
        return is_possible(mistake, encoding_text) ? encoding_text : NULL;
    for (size_t i = 0; i < registry_count(); i++) /* utf-8 is the first */
        if (registry_is_reference(registry_at(i)) && registry_scheme(registry_at(i)->encoding) == NULL &&
            is_possible(mistake, registry_at(i)->encoding))
            return registry_at(i)->encoding;
    return NULL;
}

/* Returns the vectors of an encoding, which are read once. */
static struct trials *trials_for(struct matrix *matrix, const char *encoding)
{
    for (size_t i = 0; i < matrix->exhibit_count; i++)
        if (strcmp(matrix->exhibits[i].encoding, encoding) == 0)
            return matrix->exhibits[i].trials;
    struct trials *trials = cli_alloc(1, sizeof *trials);
    *trials = trials_load(folder, encoding);
    return trials;
}

static bool is_named(const struct mistake *mistake, char **globs, int count)
{
    for (int i = 0; i < count; i++)
        if (fnmatch(globs[i], mistake->name, 0) == 0)
            return true;
    return false;
}

static void add_exhibit(struct matrix *matrix, const struct mistake *mistake)
{
    const char *encoding = encoding_for(mistake);
    if (encoding == NULL)
        return;
    struct exhibit exhibit = {mistake, encoding, trials_for(matrix, encoding)};
    matrix->exhibits[matrix->exhibit_count++] = exhibit;
}

/* Chooses the named exhibits; without names, those with an origin, which are mistakes of real decoders. */
static void choose_exhibits(struct matrix *matrix, char **globs, int count)
{
    size_t all = 1;
    while (museum_mistake(all - 1) != NULL)
        all++;
    matrix->exhibits = cli_alloc(all, sizeof *matrix->exhibits);
    for (size_t i = 0; i + 1 < all; i++) {
        const struct mistake *mistake = museum_mistake(i);
        if (count == 0 ? mistake->origin != NULL : is_named(mistake, globs, count))
            add_exhibit(matrix, mistake);
    }
    for (int i = 0; i < count; i++)
        if (strcmp(globs[i], CONTROL) == 0)
            add_exhibit(matrix, &control);
}

/* Fails if a name matches no exhibit: it is misspelt. */
static void check_names(char **globs, int count)
{
    for (int i = 0; i < count; i++) {
        struct cli_nearest nearest = {.wanted = globs[i]};
        bool is_found = strcmp(globs[i], CONTROL) == 0;
        for (size_t j = 0; museum_mistake(j) != NULL; j++) {
            is_found = is_found || is_named(museum_mistake(j), &globs[i], 1);
            cli_consider(&nearest, museum_mistake(j)->name);
        }
        if (!is_found)
            cli_fail("there is no exhibit '%s'%s; assay museum --help lists them", globs[i],
                     cli_did_you_mean(&nearest, ""));
    }
}

/* Marks the columns that are asked. Returns true if one of them is of the vectors or of the enumeration: an exhibit
 * that passes these is a survivor. */
static bool choose_columns(struct matrix *matrix)
{
    bool can_survive = columns_text == NULL;
    char word[64];
    matrix->is_chosen = cli_alloc(column_count, sizeof *matrix->is_chosen);
    for (size_t i = 0; i < column_count; i++)
        matrix->is_chosen[i] = columns_text == NULL;
    for (const char *list = columns_text; cli_next_word("columns", &list, word, sizeof word);) {
        size_t i = 0;
        while (i < column_count && strcmp(columns[i].name, word) != 0)
            i++;
        if (i == column_count)
            cli_fail("there is no column '%s'; assay museum --help lists them", word);
        matrix->is_chosen[i] = true;
        can_survive |= columns[i].group == VECTORS || columns[i].group == ENUMERATION;
    }
    return can_survive;
}

size_t first_kill(const struct matrix *matrix, size_t exhibit, enum group group)
{
    for (size_t column = 0; column < column_count; column++)
        if (columns[column].group == group && cell_at(matrix, exhibit, column)->fate == KILLED)
            return column;
    return column_count;
}

bool is_survivor(const struct matrix *matrix, size_t exhibit)
{
    return first_kill(matrix, exhibit, VECTORS) == column_count &&
           first_kill(matrix, exhibit, ENUMERATION) == column_count;
}

/* True if no column distinguishes two exhibits: the same vectors kill both, and in each other column both end with the
 * same answer. Columns of fuzzers, which depend on chance, do not count. */
static bool are_alike(const struct matrix *matrix, size_t a, size_t b)
{
    if (strcmp(matrix->exhibits[a].encoding, matrix->exhibits[b].encoding) != 0)
        return false;
    for (size_t column = 0; column < column_count && columns[column].group != FUZZING; column++) { /* the last group */
        const struct cell *left = cell_at(matrix, a, column), *right = cell_at(matrix, b, column);
        if (left->fate != right->fate || left->cases != right->cases || left->digest != right->digest)
            return false;
    }
    return true;
}

/* Prints pairs of exhibits that are alike. Returns how many there are. */
static size_t print_twins(const struct matrix *matrix)
{
    size_t count = 0;
    for (size_t i = 0; matrix->has_kill_sets && i < matrix->exhibit_count; i++)
        for (size_t j = i + 1; j < matrix->exhibit_count; j++)
            if (are_alike(matrix, i, j)) {
                fprintf(stderr, "%s and %s: nothing that was asked of %s tells them apart\n",
                        matrix->exhibits[i].mistake->name, matrix->exhibits[j].mistake->name,
                        matrix->exhibits[i].encoding);
                count++;
            }
    return count;
}

/* A loaded codec is not an exhibit. */
static bool is_asked(const void *context, const struct registry_row *row)
{
    (void)context, (void)row;
    return false;
}

static size_t jobs(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return jobs_text != NULL ? (size_t)cli_number("jobs", jobs_text, 1, 1024) : cores > 0 ? (size_t)cores : 1;
}

static void print_more(FILE *out)
{
    fputs(
        "exhibits (default: those with an origin; `control`, the decoder without a mistake, must survive, so the exit code is 1):\n",
        out);
    for (size_t i = 0; museum_mistake(i) != NULL; i++) {
        const struct mistake *mistake = museum_mistake(i);
        fprintf(out, "  %-30s %s%s%s%s\n", mistake->name, mistake->sentence, mistake->origin != NULL ? " (" : "",
                mistake->origin != NULL ? mistake->origin : "", mistake->origin != NULL ? ")" : "");
    }
    fputs("columns:\n", out);
    for (size_t i = 0; i < column_count; i++)
        fprintf(out, "  %-12s %s\n", columns[i].name, columns[i].sentence);
}

static int run(int argc, char **argv)
{
    int count, at = cli_parse(&command_museum, argc, argv, &count);
    static struct matrix matrix; /* static, so that leak checkers find the vectors, which are never freed */
    matrix.stride = (size_t)cli_number("stride", stride_text, 1, CLI_STRIDE_MAX);
    matrix.has_kill_sets = has_kill_sets;
    size_t at_once = jobs();
    if (encoding_text != NULL)
        encoding_text = cli_encoding(encoding_text)->encoding;
    if (folder == NULL)
        folder = vectors_folder();
    cli_require_loaded_chosen(is_asked, NULL);
    check_names(argv + at, count);
    bool can_survive = choose_columns(&matrix);
    choose_exhibits(&matrix, argv + at, count);
    if (matrix.exhibit_count == 0)
        cli_fail("no exhibit that is named is possible in %s", encoding_text);
    fill_cells(&matrix, folder, at_once);
    fill_fuzzing(&matrix);
    if (as_json)
        print_matrix_as_json(&matrix);
    else
        print_matrix(&matrix);
    size_t bad = print_twins(&matrix);
    for (size_t i = 0; can_survive && i < matrix.exhibit_count; i++)
        bad += is_survivor(&matrix, i);
    return bad > 0 ? EXIT_DIVERGENCE : EXIT_CLEAN;
}

const struct command command_museum = {
    .name = "museum",
    .sentence = "the kill matrix: decoders with real bugs of the past, and what notices each",
    OPERANDS("[EXHIBIT...]", 0, -1),
    .print_more = print_more,
    .options = options,
    .run = run,
};
