/* SPDX-License-Identifier: MIT
 *
 * "Did you mean": the candidate nearest to a word by edit distance.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 64 }; /* bytes; for longer words no nearest candidate is sought */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The number of bytes to insert, remove, replace or swap with their neighbour to change one word into the other
 * (optimal string alignment). */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][WORD_MAX + 1], a_count = strlen(a), b_count = strlen(b);
    size_t *before_last = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_count; j++)
        last[j] = j;
    for (size_t i = 1; i <= a_count; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_count; j++) {
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before_last[j - 2] + 1);
        }
        size_t *free_row = before_last;
        before_last = last;
        last = row;
        row = free_row;
    }
    return last[b_count];
}

void cli_consider(struct cli_nearest *nearest, const char *candidate)
{
    size_t length = strlen(nearest->wanted);
    if (length > WORD_MAX || strlen(candidate) > WORD_MAX)
        return;
    size_t distance = edit_distance(nearest->wanted, candidate);
    size_t limit =
        nearest->found != NULL ? nearest->distance : 1 + (length + 2) / 3; /* one edit per three bytes, at least one */
    if (distance >= limit)
        return;
    nearest->found = candidate;
    nearest->distance = distance;
}

const char *cli_did_you_mean(const struct cli_nearest *nearest, const char *before_word)
{
    static char text[WORD_MAX + 32];
    text[0] = '\0';
    if (nearest->found != NULL)
        snprintf(text, sizeof text, " (did you mean '%s%s'?)", before_word, nearest->found);
    return text;
}

const char *cli_did_you_mean_policy(const char *wanted)
{
    struct cli_nearest nearest = {.wanted = wanted};
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        cli_consider(&nearest, assay_policy_name(policy));
    return cli_did_you_mean(&nearest, "");
}

const char *cli_did_you_mean_codec(const char *wanted, const char *encoding)
{
    static char names[2][2 * WORD_MAX]; /* the nearest one, and the one that is considered */
    struct cli_nearest nearest = {.wanted = wanted};
    char *name = names[0];
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        bool has_slash = strchr(wanted, '/') != NULL;
        if (!registry_runs(row) || (encoding != NULL && strcmp(row->encoding, encoding) != 0))
            continue;
        snprintf(name, sizeof names[0], "%s%s%s", has_slash ? row->encoding : "", has_slash ? "/" : "", row->name);
        if (strcmp(name, wanted) == 0) /* the name is right: something else is wrong */
            return "";
        cli_consider(&nearest, name);
        if (nearest.found == name)
            name = name == names[0] ? names[1] : names[0];
    }
    return cli_did_you_mean(&nearest, "");
}
