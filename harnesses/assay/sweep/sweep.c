/* SPDX-License-Identifier: MIT
 *
 * `assay sweep` - exhaustive enumeration instead of random inputs. It compares every codec of an encoding with the
 * reference on all short strings, all code points, all pairs of tokens at all offsets that could matter to a block of
 * any width, such pairs in pieces and with little room, and UTF-16 units at the edges of all ranges. A long run
 * converts all pairs of units to WTF-8 and back.
 */
#include "../one_question.h"
#include "chunks.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *stride_text = "1", *from_text, *encoding_text, *only_text, *against_text, *operations_text,
                  *shard_text = "1/1", *jobs_text;
bool sweep_fails_fast;
static bool as_json, merges;
static const struct cli_option options[] = {
    {"encoding", 'e', "ENCODING", "which encoding (default utf-8); `all`: the whole family", &encoding_text, NULL},
    {"stride", 0, "N", "take only every Nth string, run of values, pair and unit (for slow builds; default 1)",
     &stride_text, NULL},
    {"only", 0, "CODEC", "compare only this codec with the reference", &only_text, NULL},
    {"against", 0, "CODEC", "compare with this codec in place of the reference, which takes longer", &against_text,
     NULL},
    {"operation", 0, "OPERATION,...", "ask only about these operations: validate, spans, feed-utf16 ...",
     &operations_text, NULL},
    {"from", 0, "UNIT", "unit-pairs: go on with this first unit, in hex, where a run was interrupted", &from_text,
     NULL},
    {"shard", 0, "I/N", "strings-of-4: only the Ith of N parts of all strings", &shard_text, NULL},
    {"checkpoint", 0, "FILE", "strings-of-4: keep what is done in FILE, and go on from it", &chunk_options.checkpoint,
     NULL},
    {"merge", 0, NULL, "strings-of-4: join the checkpoints of all shards (FILE...) and print their digests", NULL,
     &merges},
    {"jobs", 'j', "N", "strings-of-4: run N processes (default: one each core)", &jobs_text, NULL},
    {"fail-fast", 0, NULL, "end after the first input that a codec is wrong about", NULL, &sweep_fails_fast},
    {"json", 0, NULL, "the summary as JSON", NULL, &as_json},
    {0},
};

/* The groups of operations in parts.def, one bit for each operation. */
enum {
    VERDICT = 1u << OP_VALIDATE,
    SPANS = 1u << OP_SPANS,
    COUNT = 1u << OP_COUNT,
    DECODE = 1u << OP_DECODE_UTF32 | 1u << OP_DECODE_UTF16,
    FEED = 1u << OP_FEED_UTF32 | 1u << OP_FEED_UTF16,
    ENCODE = 1u << OP_ENCODE_UTF32 | 1u << OP_ENCODE_UTF16,
    BOUNDARY = 1u << OP_BOUNDARY,
    CONCAT = 1u << OP_CONCAT,
    REPAIR = 1u << OP_TO_WELL_FORMED,
};

static const struct part {
    const char *name;
    const char *encoding; /* the only encoding of the part; "": all */
    const char *sentence;
    unsigned asks; /* operations, one bit each */
    void (*run)(struct sweep *sweep);
    bool is_long; /* runs only if it is named */
    bool has_chunks;
} parts[] = {
#define PART(id, name, encoding, sentence, asks) {name, encoding, sentence, asks, sweep_##id, false, false},
#define MINUTES_PART(id, name, encoding, sentence, asks) {name, encoding, sentence, asks, sweep_##id, false, true},
#define LONG_PART(id, name, encoding, sentence, asks) {name, encoding, sentence, asks, sweep_##id, true, false},
#define HOURS_PART(id, name, encoding, sentence, asks) {name, encoding, sentence, asks, sweep_##id, true, true},
#include "parts.def"
#undef PART
#undef MINUTES_PART
#undef HOURS_PART
#undef LONG_PART
};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

/* Prints the digests over all strings of this run and of the runs that it continues. */
static void print_digests(const json_t *digests)
{
    const char *key;
    json_t *value;
    if (digests == NULL)
        return;
    printf("%28s digests of %lld strings:", "", (long long)json_integer_value(json_object_get(digests, "strings")));
    json_object_foreach ((json_t *)digests, key, value)
        if (json_is_string(value))
            printf(" %s %s", key, json_string_value(value));
    putchar('\n');
}

static void print_part(const struct sweep *sweep, double seconds)
{
    const char *key;
    json_t *value;
    printf("%-17s %-10s %10llu inputs, %10llu answers compared, %llu skipped, %llu divergence%s, %.1f s\n",
           sweep->comparer.encoding, sweep->part, (unsigned long long)sweep->inputs,
           (unsigned long long)sweep->comparer.asked, (unsigned long long)sweep->comparer.skipped,
           (unsigned long long)sweep->comparer.diverged, sweep->comparer.diverged == 1 ? "" : "s", seconds);
    json_object_foreach (sweep->sorts, key, value)
        printf("%28s %10lld of the sort %s\n", "", (long long)json_integer_value(value), key);
    if (sweep->known > 0)
        printf("%28s %10zu chunks of %d strings were in the checkpoint\n", "", sweep->known, STRINGS_IN_CHUNK);
    print_digests(sweep->digests);
}

/* Returns the place of the codec that an option names. */
static size_t place_of(const struct comparer *comparer, const char *option, const char *name)
{
    for (size_t i = 1; i < comparer->panel_size; i++)
        if (strcmp(comparer->panel[i]->name, name) == 0)
            return i;
    cli_fail("--%s: no codec %s/%s runs here beside the reference (assay list --long)", option, comparer->encoding,
             name);
}

void sweep_needs(const struct comparer *comparer, enum operation operation)
{
    const struct assay_codec *first = comparer->panel[0];
    if (!codec_has(first, operation))
        cli_fail("--against: %s has no %s, which is asked of it in place of the reference", first->name,
                 operation_name(operation));
}

/* Leaves the codec that --only names, and the one of --against in place of the reference. */
static void choose_codecs(struct comparer *comparer)
{
    comparer_begin(comparer);
    size_t against = against_text != NULL ? place_of(comparer, "against", against_text) : 0,
           only = only_text != NULL ? place_of(comparer, "only", only_text) : 1;
    if (against == only && only_text != NULL)
        cli_fail("--against: %s would be compared with itself", only_text);
    comparer->panel[0] = comparer->panel[against];
    sweep_needs(comparer, OP_VALIDATE);
    if (only_text != NULL) {
        comparer->panel[1] = comparer->panel[only];
        comparer->panel_size = 2;
    } else if (against > 0) {
        comparer_leave_out(comparer, comparer->panel[0]); /* its second place */
    }
}

/* Returns the operations that --operation does not name, one bit each. */
static unsigned operations_left_out(void)
{
    char word[32];
    unsigned chosen = 0;
    if (operations_text == NULL)
        return 0;
    for (const char *list = operations_text; cli_next_word("operation", &list, word, sizeof word);)
        chosen |= 1u << one_question_parse_operation(word);
    return ~chosen;
}

/* True if an option leaves a part nothing to ask: the codecs that are compared have none of its operations. A part in
 * chunks has digests, whatever it asks. */
static bool has_nothing_to_ask(const struct part *part, const struct sweep *sweep)
{
    if (part->has_chunks || (only_text == NULL && operations_text == NULL))
        return false;
    for (size_t i = 1; i < sweep->comparer.panel_size; i++)
        for (enum operation operation = 0; operation < OPERATION_COUNT; operation++)
            if ((sweep->asks >> operation & 1) != 0 &&
                comparer_asks(&sweep->comparer, sweep->comparer.panel[i], operation))
                return false;
    return true;
}

/* Of all parts. */
struct totals {
    uint64_t asked, diverged;
};

/* A part that asks nothing is an error, unless an option may have left out all that it asks: a codec that only
 * validates is not asked by some parts. */
static json_t *run_part(const struct part *part, const char *encoding, struct sweep sweep, struct totals *totals)
{
    sweep.comparer = (struct comparer){.encoding = encoding,
                                       .on_divergence = sweep_on_divergence,
                                       .context = &sweep,
                                       .on_answer = cli_note_answered,
                                       .should_skip = sweep_leaves_out,
                                       .shifts = 1,
                                       .left_out = operations_left_out()};
    choose_codecs(&sweep.comparer);
    sweep.part = part->name;
    sweep.asks = part->asks;
    sweep.sorts = json_object();
    sweep.begun = sweep.shown_at = cli_now_ns();
    sweep_under_way = &sweep;
    silence_again = sweep_write_again;
    bool is_left_out = has_nothing_to_ask(part, &sweep);
    if (!is_left_out)
        part->run(&sweep);
    silence_again = NULL;
    double seconds = (cli_now_ns() - sweep.begun) / 1e9;
    if (sweep.comparer.asked == 0 && sweep.comparer.diverged == 0 && sweep.known == 0 && only_text == NULL &&
        operations_text == NULL)
        cli_fail("%s: nothing was compared; is there only one codec? (assay list --long)", part->name);
    comparer_end(&sweep.comparer);
    totals->asked += sweep.comparer.asked + sweep.known;
    totals->diverged += sweep.comparer.diverged;
    cli_clear_progress();
    if (!as_json && is_left_out)
        printf("%-17s %-10s nothing to ask: --only and --operation leave none of its operations\n", encoding,
               part->name);
    else if (!as_json)
        print_part(&sweep, seconds);
    fflush(stdout);
    json_t *row = json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:o, s:f}", "encoding", encoding, "part", part->name,
                            "inputs", (json_int_t)sweep.inputs, "asked", (json_int_t)sweep.comparer.asked, "skipped",
                            (json_int_t)sweep.comparer.skipped, "diverged", (json_int_t)sweep.comparer.diverged,
                            "sorts", sweep.sorts, "seconds", seconds);
    if (sweep.digests != NULL)
        json_object_set_new(row, "digests", sweep.digests);
    if (is_left_out)
        json_object_set_new(row, "nothing_to_ask", json_true());
    return row;
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

/* Returns the part in chunks if it is the only one that is named; else NULL. */
static const struct part *part_in_chunks(char **names, int count)
{
    for (size_t i = 0; count == 1 && i < PART_COUNT; i++)
        if (parts[i].has_chunks && strcmp(parts[i].name, names[0]) == 0)
            return &parts[i];
    return NULL;
}

static void parse_chunk_options(const struct part *part, size_t stride)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const char *library;
    char rest;
    chunk_options.jobs = jobs_text != NULL ? (size_t)cli_number("jobs", jobs_text, 1, 1024)
                         : cores > 0       ? (size_t)cores
                                           : 1;
    if (sscanf(shard_text, "%zu/%zu%c", &chunk_options.shard, &chunk_options.shard_count, &rest) != 2 ||
        chunk_options.shard < 1 || chunk_options.shard > chunk_options.shard_count ||
        chunk_options.shard_count > CHUNK_COUNT)
        cli_fail("--shard takes I/N, I from 1 to N, N at most %d, not '%s'", CHUNK_COUNT, shard_text);
    if (part == NULL && (chunk_options.shard_count > 1 || chunk_options.checkpoint != NULL))
        cli_fail("--shard and --checkpoint are for `strings-of-4`: name that part, and no other");
    if (chunk_options.checkpoint != NULL && (stride > 1 || cli_loaded_codec(&library) != NULL))
        cli_fail("--checkpoint is of all strings and of our own codecs: leave out --stride and --codec");
}

/* Refuses options that say what is enumerated. */
static void check_merge_options(void)
{
    const bool is_of_utf8 = encoding_text != NULL && strcmp(encoding_text, "utf-8") == 0;
    const struct {
        const char *name;
        const char *given;
    } others[] = {
        {"encoding", is_of_utf8 ? NULL : encoding_text},
        {"stride", strcmp(stride_text, "1") == 0 ? NULL : stride_text},
        {"from", from_text},
        {"only", only_text},
        {"against", against_text},
        {"operation", operations_text},
        {"checkpoint", chunk_options.checkpoint},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].given != NULL)
            cli_fail("--%s: --merge joins checkpoints of all strings of UTF-8, which have that from their own run",
                     others[i].name);
}

/* Prints the digests of the shards whose checkpoints are named. */
static int merge(char **paths, int count)
{
    static struct chunks chunks;
    if (count == 0)
        cli_fail("--merge needs the checkpoints of the shards: FILE...");
    chunks = (struct chunks){.part = "strings-of-4", .encoding = "utf-8", .program = program_sum()};
    chunks_choose(&chunks, chunk_options.shard, chunk_options.shard_count);
    chunks_merge(&chunks, paths, count);
    json_t *digests = chunks_as_json(&chunks);
    if (as_json) {
        cli_print_json(digests);
    } else {
        print_digests(digests);
        json_decref(digests);
    }
    const char *complaint = chunks_unlike_published(&chunks);
    if (complaint != NULL)
        fprintf(stderr, "%s\n", complaint);
    return complaint != NULL ? EXIT_DIVERGENCE : EXIT_CLEAN;
}

static void check_names(char **names, int count)
{
    char known[256] = "";
    for (size_t i = 0; i < PART_COUNT; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s %s", i > 0 ? "," : "", parts[i].name);
    for (int i = 0; i < count; i++) {
        struct cli_nearest nearest = {.wanted = names[i]};
        size_t part = 0;
        while (part < PART_COUNT && strcmp(parts[part].name, names[i]) != 0)
            cli_consider(&nearest, parts[part++].name);
        if (part == PART_COUNT)
            cli_fail("there is no part '%s'%s; there are:%s", names[i], cli_did_you_mean(&nearest, ""), known);
    }
}

/* The names of parts on the command line. */
struct names {
    char **words;
    int count;
};

/* True if a part is named, or runs without being named. The names are already checked. */
static bool is_chosen(const struct part *part, const struct names *names)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->words[i], part->name) == 0)
            return true;
    return names->count == 0 && !part->is_long;
}

/* True if a part runs for an encoding. A part that has only one encoding runs for that one, unless another is
 * requested. */
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
    fputs(
        "\n"
        "How long, of UTF-8 with all codecs: far 6 minutes, stretches 20, places 2, strings-of-4 7 to 20 on two cores, each other part about a minute or less. "
        "With --only, one codec: far 1 minute, stretches 1 to 3, others up to 10 seconds. --fail-fast ends at the first divergence, --stride 101 takes a sample.\n",
        out);
}

static int run(int argc, char **argv)
{
    int count, at = cli_parse(&command_sweep, argc, argv, &count);
    size_t stride = (size_t)cli_number("stride", stride_text, 1, CLI_STRIDE_MAX), ran = 0;
    if (merges) {
        check_merge_options();
        parse_chunk_options(&parts[0], stride);
        return merge(argv + at, count);
    }
    check_names(argv + at, count);
    parse_chunk_options(part_in_chunks(argv + at, count), stride);
    size_t from = parse_from(count == 1 && strcmp(argv[at], "unit-pairs") == 0);
    if (encoding_text != NULL && strcmp(encoding_text, "all") != 0)
        cli_encoding(encoding_text);
    if (only_text != NULL && chunk_options.checkpoint != NULL)
        cli_fail("--only: a checkpoint is of all codecs");
    if ((operations_text != NULL || against_text != NULL) && chunk_options.checkpoint != NULL)
        cli_fail("--%s: a checkpoint is of all operations, compared with the reference",
                 operations_text != NULL ? "operation" : "against");
    const struct names names = {argv + at, count};
    cli_require_loaded_chosen(is_asked, &names);
    struct totals totals = {0};
    struct sweep sweep = {.stride = stride, .from = from, .shown = json_object()};
    json_t *summary = json_array();
    for (size_t i = 0; i < registry_count(); i++) {
        const char *encoding = registry_at(i)->encoding;
        if (!registry_is_reference(registry_at(i)))
            continue;
        for (size_t part = 0; part < PART_COUNT; part++)
            if (!has_ended(totals.diverged) && is_done(&parts[part], encoding, &names)) {
                json_array_append_new(summary, run_part(&parts[part], encoding, sweep, &totals));
                ran++;
            }
    }
    if (ran == 0)
        cli_fail("nothing of this is enumerated for %s", encoding_text);
    if (totals.asked == 0 && totals.diverged == 0) /* a codec that gives no answer diverges, and is not compared */
        cli_fail("nothing was compared: these parts ask nothing that --only and --operation leave");
    if (totals.diverged == 0)
        cli_require_loaded_answered();
    json_decref(sweep.shown);
    if (as_json)
        cli_print_json(summary);
    else
        json_decref(summary);
    return totals.diverged > 0 ? EXIT_DIVERGENCE : EXIT_CLEAN;
}

const struct command command_sweep = {
    .name = "sweep",
    .sentence = "exhaustive enumeration: short strings, code points, token pairs, whole and in pieces, UTF-16 units",
    OPERANDS("[PART...]", 0, -1),
    .print_more = print_more,
    .options = options,
    .run = run,
};
