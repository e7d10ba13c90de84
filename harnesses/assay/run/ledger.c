/* SPDX-License-Identifier: MIT
 *
 * Two lists that a project keeps with its decoder, one entry a line: cases that are not asked, and failures that are
 * known. A line that begins with # is a comment.
 */
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct skip {
    char *glob, *reason;
    size_t line;
} * skips;
static size_t skip_count;

/* Calls `take` for each line that is not empty, without spaces at its ends. */
static void each_line(const char *option, const char *path, void (*take)(struct run *run, char *line, size_t number),
                      struct run *run)
{
    char *line = NULL;
    size_t room = 0, number = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        cli_fail("--%s: %s: %s", option, path, strerror(errno));
    while (getline(&line, &room, file) >= 0) {
        number++;
        line[strcspn(line, "\r\n")] = '\0';
        char *begin = line + strspn(line, " \t"), *end = begin + strlen(begin);
        while (end > begin && strchr(" \t", end[-1]) != NULL)
            *--end = '\0';
        if (!cli_is_text(begin))
            cli_fail("--%s: %s, line %zu: it is not UTF-8", option, path, number);
        if (begin[0] != '\0' && begin[0] != '#')
            take(run, begin, number);
    }
    if (ferror(file))
        cli_fail("--%s: %s: %s", option, path, strerror(errno));
    fclose(file);
    free(line);
}

static char *copy_of(const char *text)
{
    return strcpy(cli_alloc(strlen(text) + 1, 1), text);
}

static void take_skip(struct run *run, char *line, size_t number)
{
    size_t length = strcspn(line, " \t");
    if (line[length] == '\0')
        cli_fail("--skip: %s, line %zu: there is no reason after the glob", run->settings.skip, number);
    line[length] = '\0';
    skips = realloc(skips, (skip_count + 1) * sizeof *skips);
    if (skips == NULL)
        cli_fail("out of memory");
    const char *reason = line + length + 1;
    skips[skip_count++] = (struct skip){copy_of(line), copy_of(reason + strspn(reason, " \t")), number};
}

/* Loads only what these globs may match: a list is of use for a run of other cases, too. */
static void require_matches(const struct run *run, const char *folder)
{
    struct choice choice = run->settings.choice;
    choice.globs = cli_alloc(skip_count, sizeof *choice.globs);
    choice.glob_count = (int)skip_count;
    for (size_t i = 0; i < skip_count; i++)
        choice.globs[i] = skips[i].glob;
    struct vectors vectors = vectors_load(folder, &choice);
    for (size_t i = 0; i < skip_count; i++)
        if (!vectors_have_match(&vectors, skips[i].glob))
            cli_fail("--skip: %s, line %zu: no case matches '%s'", run->settings.skip, skips[i].line, skips[i].glob);
    vectors_free(&vectors);
    free(choice.globs);
}

void ledger_read_skips(struct run *run, const char *folder)
{
    if (run->settings.skip == NULL)
        return;
    each_line("skip", run->settings.skip, take_skip, run);
    if (skip_count > 0)
        require_matches(run, folder);
}

const char *ledger_reason(const struct run *run, const char *id)
{
    (void)run;
    for (size_t i = 0; i < skip_count; i++)
        if (choice_matches(skips[i].glob, id))
            return skips[i].reason;
    return NULL;
}

/* ---- the baseline: lines such as "utf-8/overlong/c080 decode whatwg" ---------------------------------- */

void ledger_key(char *key, size_t room, const struct request *request)
{
    snprintf(key, room, "%s %s %s", request->test->id, ask_name(request->ask), policy_word(request->policy));
}

static void take_known(struct run *run, char *line, size_t number)
{
    size_t words = 0;
    for (const char *at = line; *at != '\0'; at += strspn(at, " ")) {
        at += strcspn(at, " ");
        words++;
    }
    if (words != 3)
        cli_fail("--baseline: %s, line %zu: a line is ID REQUEST POLICY, as --write-baseline writes it",
                 run->settings.baseline, number);
    json_object_set_new(run->known, line, json_true());
}

void ledger_read_baseline(struct run *run)
{
    if (run->settings.baseline == NULL)
        return;
    run->known = json_object();
    each_line("baseline", run->settings.baseline, take_known, run);
}

void ledger_compare(struct run *run)
{
    char key[300];
    run->passing = json_object();
    run->failing = json_object();
    for (size_t i = 0; i < run->requests.count; i++) {
        const struct request *request = &run->requests.all[i];
        ledger_key(key, sizeof key, request);
        if (request_failed(run, request))
            json_object_set_new(run->failing, key, json_true());
        else if (request->outcome == OUTCOME_ANSWERED)
            json_object_set_new(run->passing, key, json_true());
    }
    const char *name;
    json_t *value;
    json_object_foreach (run->failing, name, value)
        run->new_failures += run->known == NULL || json_object_get(run->known, name) == NULL;
    if (run->known != NULL)
        json_object_foreach (run->known, name, value)
            run->unexpected_passes +=
                json_object_get(run->failing, name) == NULL && json_object_get(run->passing, name) != NULL;
}

void ledger_write_baseline(const struct run *run)
{
    const char *path = run->settings.new_baseline, *name;
    json_t *value;
    if (path == NULL)
        return;
    struct cli_output output = cli_output_open("write-baseline", path);
    fputs("# Failures that are known: ID REQUEST POLICY\n", output.file);
    json_object_foreach (run->failing, name, value)
        fprintf(output.file, "%s\n", name);
    cli_output_close(&output);
}
