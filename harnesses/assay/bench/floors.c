/* SPDX-License-Identifier: MIT
 *
 * Floors, read from a file: the least ratio to the best peer that each of our codecs must reach.
 */
#include "bench.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char bench_floors_help[] =
    "floors: a file of lines `OPERATION SIZE TEXT RATIO`, the first three with * and ?; the last line that matches counts. RATIO is that of our "
    "best codec's rate to the best peer's. What follows a # is a comment. What has no floor or no peer is counted, and not checked.\n";

enum { FLOORS_MAX = 256 };

struct floor {
    char operation[32], size[32], text[64];
    double ratio;
};

struct floors {
    struct floor rows[FLOORS_MAX];
    size_t count;
};

/* A floor for an operation that does not exist would never be used, so such a name is an error. */
static bool is_operation(const char *glob)
{
    const struct bench_operation *row = bench_operations;
    while (row->name != NULL && fnmatch(glob, row->name, 0) != 0)
        row++;
    return row->name != NULL;
}

static void read_floor(struct floors *floors, char *line, size_t length, size_t number, const char *path)
{
    struct floor *row = &floors->rows[floors->count];
    char more;
    if (strlen(line) < length)
        cli_fail("--check: line %zu of %s has a NUL", number, path);
    line[strcspn(line, "#\n")] = '\0';
    if (line[strspn(line, " \t\r")] == '\0')
        return;
    if (floors->count == FLOORS_MAX)
        cli_fail("--check: %s has more than %d floors", path, FLOORS_MAX);
    if (sscanf(line, "%31s %31s %63s %lf %c", row->operation, row->size, row->text, &row->ratio, &more) != 4 ||
        !(row->ratio > 0) || !isfinite(row->ratio))
        cli_fail("--check: line %zu of %s is not OPERATION SIZE TEXT RATIO", number, path);
    if (!is_operation(row->operation))
        cli_fail("--check: line %zu of %s: there is no operation '%s'; see assay bench --help", number, path,
                 row->operation);
    floors->count++;
}

struct floors *bench_read_floors(const char *path)
{
    char *line = NULL;
    size_t room = 0;
    struct floors *floors = cli_alloc(1, sizeof *floors);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        cli_fail("--check: %s cannot be opened: %s", path, strerror(errno));
    floors->count = 0;
    ssize_t length;
    for (size_t number = 1; (length = getline(&line, &room, file)) >= 0; number++)
        read_floor(floors, line, (size_t)length, number, path);
    free(line);
    if (ferror(file))
        cli_fail("--check: %s cannot be read: %s", path, strerror(errno));
    fclose(file);
    if (floors->count == 0)
        cli_fail("--check: %s has no floor", path);
    return floors;
}

static const char *word(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static bool is_floor_of(const struct floor *row, const json_t *cell)
{
    return fnmatch(row->operation, word(cell, "operation"), 0) == 0 && fnmatch(row->size, word(cell, "size"), 0) == 0 &&
           fnmatch(row->text, word(cell, "text"), 0) == 0;
}

/* Returns 0 if the cell has no floor. */
static double floor_of(const json_t *cell, const struct floors *floors)
{
    double ratio = 0;
    for (const struct floor *row = floors->rows; row < floors->rows + floors->count; row++)
        if (is_floor_of(row, cell))
            ratio = row->ratio;
    return ratio;
}

/* The number of lines that match nothing that was measured: what was not chosen, or a name that is no text's. */
static size_t unused_floors(const json_t *cells, const struct floors *floors)
{
    size_t unused = 0;
    for (const struct floor *row = floors->rows; row < floors->rows + floors->count; row++) {
        size_t i = 0;
        while (i < json_array_size(cells) && !is_floor_of(row, json_array_get(cells, i)))
            i++;
        unused += i == json_array_size(cells);
    }
    return unused;
}

/* Returns 0 if a codec or a peer is missing or noisy. */
static double ratio_of(const json_t *cell)
{
    const json_t *codec = bench_best_of(cell, "codec"), *peer = bench_best_of(cell, "peer");
    if (codec == NULL || peer == NULL)
        return 0;
    return json_number_value(json_object_get(peer, "minimum_ns")) /
           json_number_value(json_object_get(codec, "minimum_ns"));
}

bool bench_is_below(const json_t *cell, const struct floors *floors)
{
    double ratio = ratio_of(cell);
    return ratio > 0 && ratio < floor_of(cell, floors);
}

bool bench_check_floors(const json_t *report, const struct floors *floors, const char *path)
{
    const json_t *cells = json_object_get(report, "cells");
    size_t checked = 0, below = 0, noisy = 0, count = json_array_size(cells);
    for (size_t i = 0; i < count; i++) {
        const json_t *cell = json_array_get(cells, i);
        checked += ratio_of(cell) > 0 && floor_of(cell, floors) > 0;
        noisy += bench_is_noisy(cell) && ratio_of(cell) == 0 && floor_of(cell, floors) > 0;
        if (!bench_is_below(cell, floors))
            continue;
        below++;
        fprintf(stderr,
                "below: %s of %s, %s bytes: %s has %.2f times the rate of %s, the floor is %.2f (looked at %d times)\n",
                word(cell, "operation"), word(cell, "text"), word(cell, "size"),
                word(bench_best_of(cell, "codec"), "name"), ratio_of(cell), word(bench_best_of(cell, "peer"), "name"),
                floor_of(cell, floors), (int)json_integer_value(json_object_get(cell, "looks")));
    }
    if (checked == 0 && noisy > 0)
        cli_fail("--check: nothing could be checked: a neighbour took part of the core in all %zu cells with a floor; "
                 "measure again when the machine has no other work",
                 noisy);
    if (checked == 0)
        cli_fail("--check: nothing that was measured has a floor in %s and a peer", path);
    fprintf(stderr, "assay bench: %zu of %zu figures have a floor in %s and a peer; %zu below", checked, count, path,
            below);
    if (noisy > 0)
        fprintf(stderr, "; %zu noisy, and not checked", noisy);
    size_t unused = unused_floors(cells, floors);
    if (unused > 0)
        fprintf(stderr, "; %zu of %zu lines of the file match nothing that was measured", unused, floors->count);
    fputc('\n', stderr);
    return below > 0;
}
