/* SPDX-License-Identifier: MIT
 *
 * Enumeration: where luck is not needed. Every codec is held against the reference on all short strings, on all
 * scalar values, and on all pairs of tokens at all offsets that could matter to a block of any width.
 */
#include "../core/arena.h"
#include "../core/claim.h"
#include "../core/report.h"
#include "../core/tokens.h"
#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *stride_text = "1";
static bool as_json;
static const struct cli_option options[] = {
    {"stride", 0, "N", "check only every Nth string and pair (for slow builds; default 1)", &stride_text, NULL},
    {"json", 0, NULL, "the summary as JSON", NULL, &as_json},
    {0},
};

enum { LETTERS_MAX = 20 };

/* One part of the enumeration under way. */
struct sweep {
    struct comparer comparer;
    const char *part;
    size_t stride, turn; /* every stride-th input is taken */
    uint64_t inputs, letters;
    time_t told;
};

static void on_divergence(void *context, const struct divergence *divergence)
{
    struct sweep *sweep = context;
    if (sweep->letters < LETTERS_MAX)
        report_letter(stderr, divergence, NULL);
    else if (sweep->letters == LETTERS_MAX)
        fputs("... and more\n", stderr);
    sweep->letters++;
}

static bool is_taken(struct sweep *sweep)
{
    if (sweep->turn++ % sweep->stride != 0)
        return false;
    sweep->inputs++;
    return true;
}

/* Once a second, on a terminal only. */
static void tell(struct sweep *sweep, size_t done, size_t all)
{
    time_t now = time(NULL);
    if (!isatty(STDERR_FILENO) || now == sweep->told)
        return;
    sweep->told = now;
    fprintf(stderr, "\r%s: %zu %%  ", sweep->part, 100 * done / all);
}

/* Long runs ask in one placement at a time, now this, now that. */
static void take_turns(struct sweep *sweep, size_t turn)
{
    sweep->comparer.once = true;
    sweep->comparer.placement = (enum placement)(turn % PLACEMENT_COUNT);
}

static void ask_all(struct sweep *sweep, enum operation operation, enum assay_policy policy, const void *input, size_t count)
{
    compare(&sweep->comparer, &(struct question){.operation = operation, .policy = policy, .input = input,
                                                 .input_count = count, .capacity = CAPACITY_ANY});
}

/* ---- all strings of 1 to 3 bytes ------------------------------------------------------------------ */

static void sweep_short_strings(struct sweep *sweep)
{
    for (size_t i = 0; i < 256 + 65536; i++) {
        uint8_t bytes[2] = {(uint8_t)(i < 256 ? i : (i - 256) >> 8), (uint8_t)(i - 256)};
        size_t count = i < 256 ? 1 : 2;
        if (!is_taken(sweep))
            continue;
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, bytes, count);
        ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, bytes, count);
        for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
            ask_all(sweep, OP_DECODE_UTF32, policy, bytes, count);
            ask_all(sweep, OP_DECODE_UTF16, policy, bytes, count);
        }
    }
}

/* What a codec does not know of a span is not held against it. */
static bool is_same_span(const struct assay_span *expected, const struct assay_span *actual)
{
    if (actual->length == ASSAY_UNKNOWN)
        return actual->offset == ASSAY_UNKNOWN || actual->offset == expected->offset;
    return actual->offset == expected->offset && actual->length == expected->length &&
           actual->fault == expected->fault && actual->incomplete == expected->incomplete;
}

/* The verdicts on all strings that begin with these two bytes: straight calls, on three bytes against a guard
 * page; what differs is asked again for the letter. */
static void sweep_third_bytes(struct sweep *sweep, uint8_t *bytes)
{
    const struct comparer *comparer = &sweep->comparer;
    for (size_t third = 0; third < 256; third++) {
        struct assay_span expected, actual;
        bytes[2] = (uint8_t)third;
        bool well_formed = comparer->panel[0]->validate(bytes, 3, &expected), all_agree = true;
        for (size_t i = 1; i < comparer->panel_size; i++) {
            if (comparer->panel[i]->validate == NULL)
                continue;
            sweep->comparer.asked++;
            all_agree &= comparer->panel[i]->validate(bytes, 3, &actual) == well_formed &&
                         (well_formed || is_same_span(&expected, &actual));
        }
        if (!all_agree) {
            uint64_t before = sweep->comparer.diverged;
            sweep->comparer.once = false;
            ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, bytes, 3);
            if (sweep->comparer.diverged == before)
                cli_fail("%02X %02X %02X: a codec says one thing now and another then", bytes[0], bytes[1], bytes[2]);
        }
    }
}

/* The same strings in one input, parted by ASCII, so that what is decoded of each is seen too. */
static void sweep_joined(struct sweep *sweep, const uint8_t *begin)
{
    uint8_t joined[256 * 4];
    for (size_t third = 0; third < 256; third++)
        memcpy(joined + 4 * third, (uint8_t[]){begin[0], begin[1], (uint8_t)third, 'A'}, 4);
    ask_all(sweep, OP_DECODE_UTF32, ASSAY_POLICY_WHATWG, joined, sizeof joined);
    ask_all(sweep, OP_DECODE_UTF16, (enum assay_policy)((begin[0] + begin[1]) % ASSAY_POLICY_COUNT), joined, sizeof joined);
}

static void sweep_strings(struct sweep *sweep)
{
    static struct arena arena;
    uint8_t *bytes = arena_at_end(&arena, 3);
    sweep_short_strings(sweep);
    for (size_t i = 0; i < 65536; i++) {
        bytes[0] = (uint8_t)(i >> 8);
        bytes[1] = (uint8_t)i;
        if (!is_taken(sweep))
            continue;
        sweep->inputs += 255; /* a taken prefix stands for its 256 strings */
        take_turns(sweep, i);
        sweep_third_bytes(sweep, bytes);
        sweep_joined(sweep, bytes);
        tell(sweep, i, 65536);
    }
}

/* ---- all scalar values, and what lies between and beyond ------------------------------------------- */

enum { AT_ONCE = 4096, LAST_VALUE = 0x110FFF };

/* A run of values is encoded, decoded in both forms, and encoded from UTF-16. */
static void sweep_values(struct sweep *sweep, uint32_t first)
{
    static uint32_t values[AT_ONCE];
    static uint8_t bytes[ASSAY_ENCODED_MAX(AT_ONCE)];
    static uint16_t units[2 * AT_ONCE + ASSAY_HELD_MAX];
    for (uint32_t i = 0; i < AT_ONCE; i++)
        values[i] = first + i;
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        ask_all(sweep, OP_ENCODE_UTF32, policy, values, AT_ONCE);

    const struct assay_codec *reference = registry_reference(sweep->comparer.encoding);
    struct assay_result encoded = reference->encode_utf32(ASSAY_POLICY_SKIP, values, AT_ONCE, bytes, sizeof bytes);
    ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, bytes, encoded.written);
    ask_all(sweep, OP_COUNT, ASSAY_POLICY_STRICT, bytes, encoded.written);
    ask_all(sweep, OP_DECODE_UTF32, ASSAY_POLICY_STRICT, bytes, encoded.written);
    ask_all(sweep, OP_DECODE_UTF16, ASSAY_POLICY_STRICT, bytes, encoded.written);
    struct assay_result decoded = reference->decode_utf16(ASSAY_POLICY_STRICT, bytes, encoded.written, units,
                                                          sizeof units / sizeof units[0]);
    ask_all(sweep, OP_ENCODE_UTF16, ASSAY_POLICY_STRICT, units, decoded.written);

    /* The reference itself: what was no surrogate and not out of range is back, in order. */
    static uint32_t back[AT_ONCE + ASSAY_HELD_MAX];
    struct assay_result again = reference->decode_utf32(ASSAY_POLICY_STRICT, bytes, encoded.written, back,
                                                        sizeof back / sizeof back[0]);
    size_t expected = 0;
    bool same = true;
    for (size_t i = 0; i < AT_ONCE; i++)
        if (values[i] <= 0x10FFFF && (values[i] < 0xD800 || values[i] > 0xDFFF))
            same = same && expected < again.written && back[expected++] == values[i];
    if (!same || expected != again.written)
        cli_fail("the reference does not give back the scalar values from U+%04X on", first);
}

static void sweep_scalars(struct sweep *sweep)
{
    for (uint32_t first = 0; first <= LAST_VALUE; first += AT_ONCE) {
        sweep->inputs += AT_ONCE;
        sweep_values(sweep, first);
        tell(sweep, first, LAST_VALUE);
    }
}

/* ---- pairs of tokens ---------------------------------------------------------------------------------- */

enum { NEAR = 160, GAPS = 18, TAIL_MAX = 70 };

/* Not only NUL and not only spaces: each has hidden a bug of its own. */
static const char *const fillers[] = {"\0", " ", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
static const size_t filler_lengths[] = {1, 1, 2, 3, 4};
enum { FILLER_COUNT = sizeof filler_lengths / sizeof filler_lengths[0] };

/* Fills with whole characters; what is left over at the front becomes ASCII. */
static size_t fill(uint8_t *out, size_t count, size_t filler)
{
    size_t length = filler_lengths[filler], front = count % length;
    memset(out, 'a', front);
    for (size_t at = front; at < count; at += length)
        memcpy(out + at, fillers[filler], length);
    return count;
}

static size_t put_token(uint8_t *out, const struct token *token)
{
    memcpy(out, token->bytes, token->length);
    return token->length;
}

/* One input; which filler, gap, tail and question it gets turns with `turn`, so that each pair meets them all. */
static void sweep_pair(struct sweep *sweep, uint8_t *input, const struct token *first, const struct token *second,
                       size_t offset, size_t turn)
{
    static const size_t tails[] = {0, 1, 3, 17, TAIL_MAX};
    size_t filler = turn % FILLER_COUNT, count = fill(input, offset, filler);
    count += put_token(input + count, first);
    count += fill(input + count, turn / 3 % GAPS, (filler + 1) % FILLER_COUNT);
    count += put_token(input + count, second);
    count += fill(input + count, tails[turn / 7 % (sizeof tails / sizeof tails[0])], filler);
    take_turns(sweep, turn);
    ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
    enum assay_policy policy = (enum assay_policy)(turn / 11 % ASSAY_POLICY_COUNT);
    static const enum operation operations[] = {OP_SPANS, OP_DECODE_UTF32, OP_DECODE_UTF16, OP_COUNT, OP_DECODE_UTF16};
    ask_all(sweep, operations[turn / 2 % (sizeof operations / sizeof operations[0])], policy, input, count);
}

static void sweep_pairs(struct sweep *sweep)
{
    static const size_t far[] = {255, 256, 257, 4095, 4096, 4097, 8191, 65535, 65536};
    enum { FAR_COUNT = sizeof far / sizeof far[0] };
    static uint8_t input[65536 + 2 * sizeof ((struct token *)0)->bytes + GAPS + TAIL_MAX];
    const struct token_set *set = tokens_of(sweep->comparer.encoding);
    size_t turn = 0;
    for (size_t first = 0; first < set->count; first++) {
        for (size_t second = 0; second < set->count; second++)
            for (size_t offset = 0; offset < NEAR; offset++, turn++)
                if (is_taken(sweep))
                    sweep_pair(sweep, input, &set->tokens[first], &set->tokens[second], offset, turn);
        for (size_t i = 0; i < FAR_COUNT; i++, turn++)
            if (is_taken(sweep))
                sweep_pair(sweep, input, &set->tokens[first], &set->tokens[(first + i) % set->count], far[i], turn);
        tell(sweep, first, set->count);
    }
}

/* ---- the verb -------------------------------------------------------------------------------------------- */

static const struct part {
    const char *name;
    const char *sentence;
    void (*run)(struct sweep *sweep);
} parts[] = {
    {"strings", "all strings of 1 to 3 bytes", sweep_strings},
    {"scalars", "all values from 0 to 110FFF: the scalar values, surrogates, and what lies beyond", sweep_scalars},
    {"pairs", "all pairs of tokens at offsets 0..159 and far out, with every filler", sweep_pairs},
};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

static int run(int argc, char **argv);
const struct verb verb_sweep = {"sweep", "exhaustive enumeration: short strings, scalar values, token pairs", run};

static json_t *run_part(const struct part *part, size_t stride, uint64_t *diverged)
{
    struct sweep sweep = {.comparer = {.encoding = "utf-8", .on_divergence = on_divergence}, .part = part->name, .stride = stride};
    sweep.comparer.context = &sweep;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    part->run(&sweep);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    if (sweep.comparer.asked == 0)
        cli_fail("%s: nothing was compared; is there only one codec? (assay list --long)", part->name);
    comparer_end(&sweep.comparer);
    *diverged += sweep.comparer.diverged;
    if (isatty(STDERR_FILENO))
        fputs("\r                        \r", stderr);
    if (!as_json)
        printf("%-8s %10llu inputs, %10llu answers compared, %llu divergences, %.1f s\n", part->name,
               (unsigned long long)sweep.inputs, (unsigned long long)sweep.comparer.asked,
               (unsigned long long)sweep.comparer.diverged, seconds);
    fflush(stdout);
    return json_pack("{s:s, s:I, s:I, s:I, s:f}", "part", part->name, "inputs", (json_int_t)sweep.inputs, "asked",
                     (json_int_t)sweep.comparer.asked, "diverged", (json_int_t)sweep.comparer.diverged, "seconds", seconds);
}

static size_t parse_stride(void)
{
    enum { STRIDE_MAX = 1000000 };
    char *end;
    unsigned long stride = strtoul(stride_text, &end, 10);
    if (!isdigit((unsigned char)stride_text[0]) || *end != '\0' || stride == 0 || stride > STRIDE_MAX)
        cli_fail("--stride takes a whole number from 1 to %d, not '%s'", STRIDE_MAX, stride_text);
    return stride;
}

static const struct part *find_part(const char *name)
{
    for (size_t i = 0; i < PART_COUNT; i++)
        if (strcmp(parts[i].name, name) == 0)
            return &parts[i];
    cli_fail("there is no part '%s'; there are: strings, scalars, pairs", name);
}

static int run(int argc, char **argv)
{
    char help[512] = "parts (default: all):\n";
    for (size_t i = 0; i < PART_COUNT; i++) {
        size_t length = strlen(help);
        snprintf(help + length, sizeof help - length, "  %-24s %s\n", parts[i].name, parts[i].sentence);
    }
    int count, at = cli_parse(&(struct cli){&verb_sweep, "[PART...]", 0, -1, help, options}, argc, argv, &count);
    size_t stride = parse_stride();
    const struct part *chosen[PART_COUNT] = {0};
    size_t chosen_count = 0;
    if (count > PART_COUNT)
        cli_fail("there are only %d parts", PART_COUNT);
    for (int i = 0; i < count; i++)
        chosen[chosen_count++] = find_part(argv[at + i]);
    for (size_t i = 0; count == 0 && i < PART_COUNT; i++)
        chosen[chosen_count++] = &parts[i];

    uint64_t diverged = 0;
    json_t *summary = json_array();
    for (size_t i = 0; i < chosen_count; i++)
        json_array_append_new(summary, run_part(chosen[i], stride, &diverged));
    if (as_json)
        cli_print_json(summary);
    else
        json_decref(summary);
    return diverged > 0 ? EXIT_DIVERGENCE : EXIT_AS_IT_SHOULD_BE;
}
