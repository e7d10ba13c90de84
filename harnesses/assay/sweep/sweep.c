/* SPDX-License-Identifier: MIT
 *
 * `assay sweep` - exhaustive enumeration instead of random inputs. Compares every codec of an encoding with the
 * reference on all short strings, all code points, all pairs of tokens at all offsets that could matter to a block of
 * any width, such pairs in pieces, with little room, and on UTF-16 units at every edge. A long run takes all pairs of
 * units through WTF-8 and back.
 */
#include "sweep.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *stride_text = "1", *from_text, *encoding_text;
bool sweep_fails_fast;
static bool as_json;
static const struct cli_option options[] = {
    {"encoding", 'e', "ENCODING", "which encoding (default utf-8); `all`: the whole family", &encoding_text, NULL},
    {"stride", 0, "N", "take only every Nth string, run of values, pair and unit (for slow builds; default 1)",
     &stride_text, NULL},
    {"from", 0, "UNIT", "unit-pairs: go on with this first unit, in hex, where a run was interrupted", &from_text,
     NULL},
    {"fail-fast", 0, NULL, "end after the first input that a codec is wrong about", NULL, &sweep_fails_fast},
    {"json", 0, NULL, "the summary as JSON", NULL, &as_json},
    {0},
};

static const struct part {
    const char *name;
    const char *encoding; /* the only encoding of the part; "": all */
    const char *sentence;
    void (*run)(struct sweep *sweep);
    bool is_long; /* runs only if it is named */
} parts[] = {
#define PART(id, name, encoding, sentence) {name, encoding, sentence, sweep_##id, false},
#define LONG_PART(id, name, encoding, sentence) {name, encoding, sentence, sweep_##id, true},
#include "parts.def"
#undef PART
#undef LONG_PART
};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

static void print_part(const struct sweep *sweep, double seconds)
{
    const char *key;
    json_t *count;
    printf("%-17s %-10s %10llu inputs, %10llu answers compared, %llu skipped, %llu divergences, %.1f s\n",
           sweep->comparer.encoding, sweep->part, (unsigned long long)sweep->inputs,
           (unsigned long long)sweep->comparer.asked, (unsigned long long)sweep->comparer.skipped,
           (unsigned long long)sweep->comparer.diverged, seconds);
    json_object_foreach(sweep->sorts, key, count)
        printf("%28s %10lld of the sort %s\n", "", (long long)json_integer_value(count), key);
}

static json_t *run_part(const struct part *part, const char *encoding, struct sweep sweep, uint64_t *diverged)
{
    sweep.comparer = (struct comparer){
        .encoding = encoding, .on_divergence = sweep_on_divergence, .context = &sweep, .on_answer = cli_heard};
    sweep.part = part->name;
    sweep.sorts = json_object();
    sweep.begun = sweep.shown_at = cli_now_ns();
    sweep_under_way = &sweep;
    silence_again = sweep_write_again;
    part->run(&sweep);
    silence_again = NULL;
    double seconds = (cli_now_ns() - sweep.begun) / 1e9;
    if (sweep.comparer.asked == 0)
        cli_fail("%s: nothing was compared; is there only one codec? (assay list --long)", part->name);
    comparer_end(&sweep.comparer);
    *diverged += sweep.comparer.diverged;
    cli_clear_progress();
    if (!as_json)
        print_part(&sweep, seconds);
    fflush(stdout);
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:o, s:f}", "encoding", encoding, "part", part->name, "inputs",
                     (json_int_t)sweep.inputs, "asked", (json_int_t)sweep.comparer.asked, "skipped",
                     (json_int_t)sweep.comparer.skipped, "diverged", (json_int_t)sweep.comparer.diverged, "sorts",
                     sweep.sorts, "seconds", seconds);
}

static size_t parse_from(bool goes_on)
{
    char *end;
    if (from_text == NULL)
        return 0;
    if (!goes_on)
        cli_fail("--from goes on with `unit-pairs`: name that part, and no other");
    unsigned long unit = strtoul(from_text, &end, 16);
    if (!isxdigit((unsigned char)from_text[0]) || *end != '\0' || unit >= UNIT_COUNT)
        cli_fail("--from takes a unit in hex, from 0 to FFFF, not '%s'", from_text);
    return unit;
}

static void check_names(char **names, int count)
{
    char known[256] = "";
    for (size_t i = 0; i < PART_COUNT; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s %s", i > 0 ? "," : "", parts[i].name);
    for (int i = 0; i < count; i++) {
        size_t part = 0;
        while (part < PART_COUNT && strcmp(parts[part].name, names[i]) != 0)
            part++;
        if (part == PART_COUNT)
            cli_fail("there is no part '%s'; there are:%s", names[i], known);
    }
}

/* The names of parts that the command line gives. */
struct names {
    char **words;
    int count;
};

/* True if a part is named, or runs without being named. All names are known to exist. */
static bool is_chosen(const struct part *part, const struct names *names)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->words[i], part->name) == 0)
            return true;
    return names->count == 0 && !part->is_long;
}

/* True if a part runs for an encoding. One that has only one encoding runs for it, unless another is asked for. */
static bool is_of(const struct part *part, const char *encoding, bool by_name)
{
    bool is_of_each = strcmp(part->encoding, "") == 0;
    if (encoding_text == NULL && by_name && !is_of_each)
        return strcmp(encoding, part->encoding) == 0;
    bool is_wanted = encoding_text == NULL ? strcmp(encoding, "utf-8") == 0
                                           : strcmp(encoding_text, "all") == 0 || strcmp(encoding_text, encoding) == 0;
    return is_wanted && (is_of_each || strcmp(part->encoding, encoding) == 0);
}

/* Schemes are not enumerated. */
static bool is_done(const struct part *part, const char *encoding, const struct names *names)
{
    return registry_scheme(encoding) == NULL && is_chosen(part, names) && is_of(part, encoding, names->count > 0);
}

static bool is_asked(const void *names, const struct registry_row *row)
{
    bool any = false;
    for (size_t part = 0; part < PART_COUNT; part++)
        any |= is_done(&parts[part], row->encoding, names);
    return any;
}

static void print_more(FILE *out)
{
    fputs("parts (default: all but long runs):\n", out);
    for (size_t i = 0; i < PART_COUNT; i++)
        fprintf(out, "  %-24s %s\n", parts[i].name, parts[i].sentence);
}

static int run(int argc, char **argv)
{
    enum { STRIDE_MAX = 1000000 };
    int count, at = cli_parse(&command_sweep, argc, argv, &count);
    size_t stride = (size_t)cli_number("stride", stride_text, 1, STRIDE_MAX), ran = 0;
    check_names(argv + at, count);
    size_t from = parse_from(count == 1 && strcmp(argv[at], "unit-pairs") == 0);
    if (encoding_text != NULL && strcmp(encoding_text, "all") != 0)
        cli_encoding(encoding_text);
    const struct names names = {argv + at, count};
    cli_loaded_are_asked(is_asked, &names);
    uint64_t diverged = 0;
    struct sweep sweep = {.stride = stride, .from = from, .shown = json_object()};
    json_t *summary = json_array();
    for (size_t i = 0; i < registry_count(); i++) {
        const char *encoding = registry_at(i)->encoding;
        if (!registry_is_reference(registry_at(i)))
            continue;
        for (size_t part = 0; part < PART_COUNT; part++)
            if (!has_ended(diverged) && is_done(&parts[part], encoding, &names)) {
                json_array_append_new(summary, run_part(&parts[part], encoding, sweep, &diverged));
                ran++;
            }
    }
    if (ran == 0)
        cli_fail("nothing of this is enumerated for %s", encoding_text);
    if (diverged == 0)
        cli_loaded_were_heard();
    json_decref(sweep.shown);
    if (as_json)
        cli_print_json(summary);
    else
        json_decref(summary);
    return diverged > 0 ? EXIT_DIVERGENCE : EXIT_AS_IT_SHOULD_BE;
}

const struct command command_sweep = {
    .name = "sweep",
    .sentence = "exhaustive enumeration: short strings, code points, token pairs, whole and in pieces, UTF-16 units",
    .operands = "[PART...]",
    .operands_max = -1,
    .print_more = print_more,
    .options = options,
    .run = run,
};
