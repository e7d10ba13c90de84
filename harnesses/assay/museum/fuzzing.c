/* SPDX-License-Identifier: MIT
 *
 * The columns of the fuzzers: measured by scripts/hunting/studies/exhibits.py, and kept in ../../museum/fuzzing.def.
 */
#include "museum.h"

#include <string.h>

const struct fuzzing fuzzing = {
#define MEASURED(date, processor, seconds) date, processor, seconds
#include "../../museum/fuzzing.def"
};

static const struct result {
    const char *engine, *exhibit, *encoding;
    unsigned hits, seeds;
    uint64_t executions;
    unsigned milliseconds;
    const char *target;
} results[] = {
#define FUZZED(engine, exhibit, encoding, hits, seeds, executions, milliseconds, target) \
    {#engine, exhibit, encoding, hits, seeds, executions, milliseconds, target},
#include "../../museum/fuzzing.def"
    {0},
};

/* Returns the row of an exhibit, or the last, which is empty. */
static const struct result *find(const char *engine, const struct exhibit *exhibit)
{
    const struct result *result = results;
    while (result->engine != NULL &&
           (strcmp(result->engine, engine) != 0 || strcmp(result->exhibit, exhibit->mistake->name) != 0 ||
            strcmp(result->encoding, exhibit->encoding) != 0))
        result++;
    return result;
}

static void fill_cell(struct cell *cell, const struct result *result)
{
    cell->fate = result->seeds == 0 ? NOT_ASKED : result->hits == 0 ? SURVIVED : KILLED;
    cell->hits = result->hits;
    cell->seeds = result->seeds;
    cell->cases = result->executions;
    cell->seconds = result->milliseconds / 1e3;
    snprintf(cell->by, sizeof cell->by, "%s", result->target != NULL ? result->target : "");
}

void fill_fuzzing(struct matrix *matrix)
{
    for (size_t column = 0; column < column_count; column++)
        for (size_t i = 0; columns[column].group == FUZZING && matrix->is_chosen[column] && i < matrix->exhibit_count;
             i++)
            fill_cell(&matrix->cells[i * column_count + column], find(columns[column].name, &matrix->exhibits[i]));
}
