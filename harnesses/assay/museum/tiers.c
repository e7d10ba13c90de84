/* SPDX-License-Identifier: MIT
 *
 * The strings of complete/ENCODING-transitions.txt and -extra-state.txt (vectors/FORMAT.md): one on each line, HEX in
 * which `[A0-AF]` stands for each byte of a range, then `ok` or `error OFFSET LENGTH FAULT`.
 */
#include "museum.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { STRING_MAX = 64 };

/* A line of a tier: its strings differ in the byte at `ranged`, if the line has a range. */
struct tier_line {
    uint8_t bytes[STRING_MAX];
    size_t count, ranged;
    unsigned low, high;
    struct answer expected;
};

static bool parse_bytes(const char *hex, size_t length, struct tier_line *line)
{
    size_t count;
    if (line->count + length / 2 > STRING_MAX || !cli_parse_hex(hex, length, line->bytes + line->count, &count))
        return false;
    line->count += count;
    return true;
}

static bool parse_string(const char *hex, size_t length, struct tier_line *line)
{
    const char *range = memchr(hex, '[', length);
    line->low = line->high = 0;
    line->ranged = SIZE_MAX;
    line->count = 0;
    if (length == 1 && hex[0] == '-')
        return true;
    if (range == NULL)
        return parse_bytes(hex, length, line);
    const char *after = range + strlen("[A0-AF]");
    if (after > hex + length || sscanf(range, "[%2X-%2X]", &line->low, &line->high) != 2 ||
        !parse_bytes(hex, (size_t)(range - hex), line))
        return false;
    line->ranged = line->count;
    return parse_bytes("00", 2, line) && parse_bytes(after, (size_t)(hex + length - after), line);
}

static bool parse_verdict(const char *text, struct answer *expected)
{
    size_t offset, length, fault = 0;
    char name[32];
    *expected = (struct answer){.result = {.status = ASSAY_OK}};
    if (strcmp(text, "ok\n") == 0)
        return true;
    if (sscanf(text, "error %zu %zu %31s\n", &offset, &length, name) != 3)
        return false;
    while (fault < ASSAY_FAULT_COUNT && strcmp(assay_fault_name((enum assay_fault)fault), name) != 0)
        fault++;
    expected->result.status = ASSAY_ILL_FORMED;
    expected->result.error =
        (struct assay_span){offset, length, (enum assay_fault)fault, fault == ASSAY_FAULT_TRUNCATED};
    return fault < ASSAY_FAULT_COUNT;
}

static void ask_string(struct visit *visit, const struct tier_line *line, const char *name)
{
    struct trials *trials = visit->exhibit->trials;
    const struct probe probe = {
        .question = {.operation = OP_VALIDATE, .input = line->bytes, .input_count = line->count},
        .expected = line->expected};
    const char *field =
        trials_run_one(trials, visit->codec, &(struct trial){.probe = &probe, .operation = OP_VALIDATE});
    if (field != NULL)
        visit_end(visit, KILLED, trials->asked, name, field);
}

static void ask_line(struct visit *visit, struct tier_line *line, const char *name)
{
    for (unsigned byte = line->low; byte <= line->high; byte++) {
        if (line->ranged != SIZE_MAX)
            line->bytes[line->ranged] = (uint8_t)byte;
        ask_string(visit, line, name);
    }
}

static void ask_tier(struct visit *visit, const char *tier)
{
    char path[4096], name[64], text[256];
    snprintf(name, sizeof name, "complete/%s-%s", visit->exhibit->encoding, tier);
    snprintf(path, sizeof path, "%s/%s.txt", visit->vectors_folder, name);
    FILE *file = cli_open_data(path);
    if (file == NULL && errno == ENOENT) /* a set of vectors with few files */
        return;
    if (file == NULL)
        cli_fail("%s: %s", path, strerror(errno));
    for (size_t number = 1; fgets(text, sizeof text, file) != NULL; number++) {
        struct tier_line line;
        size_t length = strcspn(text, " ");
        if (text[0] == '#')
            continue;
        if (text[length] == '\0' || !parse_string(text, length, &line) ||
            !parse_verdict(text + length + 1, &line.expected))
            cli_fail("%s:%zu is not as FORMAT.md says", path, number);
        ask_line(visit, &line, name);
    }
    fclose(file);
}

void ask_tiers(struct visit *visit)
{
    ask_tier(visit, "transitions");
    ask_tier(visit, "extra-state");
}
