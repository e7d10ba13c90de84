/* SPDX-License-Identifier: MIT
 *
 * The kill matrix as text and as JSON.
 */
#include "../provenance.h"
#include "museum.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 30, ENCODING_WIDTH = 17, CELL_WIDTH = 12 };

static const char *const fates[FATE_COUNT] = {"not asked", "survived", "killed"};
static const char *const groups[GROUP_COUNT] = {"vectors", "enumeration", "proof", "fuzzing"};

/* True if the column asks any exhibit. */
static bool is_used(const struct matrix *matrix, size_t column)
{
    for (size_t i = 0; i < matrix->exhibit_count; i++)
        if (cell_at(matrix, i, column)->fate != NOT_ASKED)
            return true;
    return false;
}

static bool has_fuzzing(const struct matrix *matrix)
{
    bool has = false;
    for (size_t column = 0; column < column_count; column++)
        has |= columns[column].group == FUZZING && is_used(matrix, column);
    return has;
}

/* A number in at most five characters. */
static void print_short(uint64_t number, char *text, size_t room)
{
    static const struct {
        uint64_t unit;
        const char *letter;
    } scales[] = {{1000000000, "G"}, {1000000, "M"}, {1000, "k"}};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
        if (number >= 10 * scales[i].unit) {
            snprintf(text, room, "%llu%s", (unsigned long long)(number / scales[i].unit), scales[i].letter);
            return;
        }
    snprintf(text, room, "%llu", (unsigned long long)number);
}

static void print_fuzzed_cell(const struct cell *cell)
{
    char executions[16] = "-", text[48];
    if (!is_censored(cell))
        print_short(cell->cases, executions, sizeof executions);
    snprintf(text, sizeof text, "%u/%u %s", cell->hits, cell->seeds, executions);
    printf(" %*s", CELL_WIDTH, text);
}

static void print_cell(const struct cell *cell)
{
    char text[32];
    if (cell->seeds > 0) {
        print_fuzzed_cell(cell);
        return;
    }
    print_short(cell->cases, text, sizeof text);
    printf(" %*s", CELL_WIDTH, cell->fate == NOT_ASKED ? "-" : cell->fate == SURVIVED ? "alive" : text);
}

static void print_rows(const struct matrix *matrix)
{
    printf("%-*s %-*s", NAME_WIDTH, "exhibit", ENCODING_WIDTH, "encoding");
    for (size_t column = 0; column < column_count; column++)
        if (is_used(matrix, column))
            printf(" %*s", CELL_WIDTH, columns[column].name);
    putchar('\n');
    for (size_t i = 0; i < matrix->exhibit_count; i++) {
        printf("%-*s %-*s", NAME_WIDTH, matrix->exhibits[i].mistake->name, ENCODING_WIDTH,
               matrix->exhibits[i].encoding);
        for (size_t column = 0; column < column_count; column++)
            if (is_used(matrix, column))
                print_cell(cell_at(matrix, i, column));
        putchar('\n');
    }
}

static int by_size(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* For a column: how many exhibits it asked and killed; the median of answers before a kill; the time of all its
 * cells. */
struct column_tally {
    size_t asked, killed;
    uint64_t median;
    double seconds;
};

static struct column_tally tally_of(const struct matrix *matrix, size_t column)
{
    struct column_tally tally = {0};
    size_t counted = 0;
    uint64_t *cases = cli_alloc(matrix->exhibit_count, sizeof *cases);
    for (size_t i = 0; i < matrix->exhibit_count; i++) {
        const struct cell *cell = cell_at(matrix, i, column);
        tally.asked += cell->fate != NOT_ASKED;
        tally.seconds += cell->seconds;
        tally.killed += cell->fate == KILLED;
        if (cell->fate == KILLED && !is_censored(cell))
            cases[counted++] = cell->cases;
    }
    qsort(cases, counted, sizeof *cases, by_size);
    tally.median = counted > 0 ? cases[counted / 2] : 0;
    free(cases);
    return tally;
}

static size_t killed_by(const struct matrix *matrix, enum group group)
{
    size_t count = 0;
    for (size_t i = 0; i < matrix->exhibit_count; i++)
        count += first_kill(matrix, i, group) < column_count;
    return count;
}

static size_t survivors(const struct matrix *matrix)
{
    size_t count = 0;
    for (size_t i = 0; i < matrix->exhibit_count; i++)
        count += is_survivor(matrix, i);
    return count;
}

void print_matrix(const struct matrix *matrix)
{
    printf(
        "A cell is the number of answers until one is wrong. alive: none was; -: the exhibit offers nothing of that.\n"
        "Of enumerations and theorems, one input in %zu is asked.\n",
        matrix->stride);
    if (has_fuzzing(matrix))
        printf(
            "Of fuzzers, which were not run now: attempts that found the mistake, of all; the median of executions, or - if it "
            "is not known,\nbecause half of the attempts found nothing in %u s (%s, %s).\n",
            fuzzing.seconds, fuzzing.date, fuzzing.processor);
    putchar('\n');
    print_rows(matrix);
    printf("\n%-12s %6s of %-6s %16s %10s\n", "column", "killed", "asked", "median answers", "seconds");
    for (size_t column = 0; column < column_count; column++) {
        struct column_tally tally = tally_of(matrix, column);
        if (is_used(matrix, column))
            printf("%-12s %6zu of %-6zu %16llu %10.1f\n", columns[column].name, tally.killed, tally.asked,
                   (unsigned long long)tally.median, tally.seconds);
    }
    putchar('\n');
    for (size_t i = 0; i < matrix->exhibit_count; i++)
        if (is_survivor(matrix, i))
            printf("%s %s of %s: %s\n", "survives", matrix->exhibits[i].mistake->name, matrix->exhibits[i].encoding,
                   matrix->exhibits[i].mistake->sentence);
    printf(
        "%zu exhibit%s: vectors kill %zu, enumeration %zu, theorems refute %zu; %zu survive vectors and enumeration (%.1f s)\n",
        matrix->exhibit_count, matrix->exhibit_count == 1 ? "" : "s", killed_by(matrix, VECTORS),
        killed_by(matrix, ENUMERATION), killed_by(matrix, PROOF), survivors(matrix), matrix->seconds);
}

/* ---- JSON --------------------------------------------------------------------------------------------------- */

/* Of a fuzzer, medians that are not known are null. */
static json_t *fuzzed_cell_as_json(const struct cell *cell)
{
    json_t *row = json_pack("{s:s, s:I, s:f, s:s, s:s, s:i, s:i}", "fate", fates[cell->fate], "cases",
                            (json_int_t)cell->cases, "seconds", cell->seconds, "by", cell->by, "field", "", "hits",
                            (int)cell->hits, "seeds", (int)cell->seeds);
    if (is_censored(cell)) {
        json_object_set_new(row, "cases", json_null());
        json_object_set_new(row, "seconds", json_null());
    }
    return row;
}

static json_t *cell_as_json(const struct cell *cell)
{
    if (cell->seeds > 0)
        return fuzzed_cell_as_json(cell);
    return json_pack("{s:s, s:I, s:f, s:s, s:s}", "fate", fates[cell->fate], "cases", (json_int_t)cell->cases,
                     "seconds", cell->seconds, "by", cell->by, "field", cell->field);
}

static json_t *exhibit_as_json(const struct matrix *matrix, size_t index)
{
    const struct exhibit *exhibit = &matrix->exhibits[index];
    json_t *cells = json_object();
    for (size_t column = 0; column < column_count; column++)
        if (is_used(matrix, column))
            json_object_set_new(cells, columns[column].name, cell_as_json(cell_at(matrix, index, column)));
    json_t *row = json_pack("{s:s, s:s, s:s, s:s?, s:b, s:o}", "name", exhibit->mistake->name, "encoding",
                            exhibit->encoding, "sentence", exhibit->mistake->sentence, "origin",
                            exhibit->mistake->origin, "survives", is_survivor(matrix, index), "cells", cells);
    if (matrix->has_kill_sets)
        json_object_set_new(row, "kill_set",
                            json_sprintf("%016llX", (unsigned long long)cell_at(matrix, index, 0)->digest));
    return row;
}

void print_matrix_as_json(const struct matrix *matrix)
{
    json_t *header = json_array(), *rows = json_array();
    for (size_t column = 0; column < column_count; column++) {
        struct column_tally tally = tally_of(matrix, column);
        if (is_used(matrix, column))
            json_array_append_new(header, json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:f}", "name", columns[column].name,
                                                    "group", groups[columns[column].group], "sentence",
                                                    columns[column].sentence, "asked", (json_int_t)tally.asked,
                                                    "killed", (json_int_t)tally.killed, "median_cases",
                                                    (json_int_t)tally.median, "seconds", tally.seconds));
    }
    for (size_t i = 0; i < matrix->exhibit_count; i++)
        json_array_append_new(rows, exhibit_as_json(matrix, i));
    json_t *measured = has_fuzzing(matrix) ? json_pack("{s:s, s:s, s:i}", "date", fuzzing.date, "processor",
                                                       fuzzing.processor, "seconds_max", (int)fuzzing.seconds)
                                           : json_null();
    cli_print_json(json_pack("{s:o, s:I, s:f, s:o, s:o, s:o}", "made", provenance_as_json(), "stride",
                             (json_int_t)matrix->stride, "seconds", matrix->seconds, "fuzzing", measured, "columns",
                             header, "exhibits", rows));
}
