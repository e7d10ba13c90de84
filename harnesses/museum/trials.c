/* SPDX-License-Identifier: MIT
 *
 * Asks a mutant the questions of the golden vectors, as `assay check` does, until an answer is wrong.
 */
#include "kill.h"
#include "../assay/cli.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static sigjmp_buf before_crash;

static void on_crash(int signal)
{
    (void)signal;
    siglongjmp(before_crash, 1);
}

void trials_survive_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE};
    /* jumped out of without restoring the mask */
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_NODEFER};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
}

struct trials trials_load(const char *vectors_folder, const char *encoding)
{
    struct vectors *vectors = cli_alloc(1, sizeof *vectors);
    struct trials trials = {.base = registry_reference(encoding), .vectors = vectors};
    if (trials.base == NULL)
        cli_fail("there is no encoding '%s'", encoding);
    char glob[128], with_signature[] = "utf-8-sig/";
    snprintf(glob, sizeof glob, "%s/", encoding);
    struct choice choice = {.globs = (char *[]){glob, with_signature},
                            .glob_count = strcmp(encoding, "utf-8") == 0 ? 2 : 1};
    *vectors = vectors_load(vectors_folder, &choice);
    for (size_t i = 0; i < vectors->category_count; i++)
        for (size_t j = 0; j < vectors->categories[i].case_count; j++)
            trials.count += vectors->categories[i].cases[j].probe_count;
    if (trials.count == 0)
        cli_fail("%s has no vectors of %s", vectors_folder, encoding);
    trials.list = cli_alloc(trials.count, sizeof *trials.list);
    size_t at = 0;
    for (size_t i = 0; i < vectors->category_count; i++)
        for (size_t j = 0; j < vectors->categories[i].case_count; j++)
            for (size_t k = 0; k < vectors->categories[i].cases[j].probe_count; k++)
                trials.list[at++] =
                    (struct trial){.probe = &vectors->categories[i].cases[j].probes[k],
                                   .file = vectors->categories[i].name,
                                   .operation = vectors->categories[i].cases[j].probes[k].question.operation};
    trials.capacity = trials.count;
    trials.seat = seat_new();
    return trials;
}

/* Returns false if the codec crashes. */
static bool ask_safely(struct trials *trials, const struct assay_codec *codec, const struct question *asked,
                       enum placement placement, struct answer *answer)
{
    if (sigsetjmp(before_crash, 0) != 0)
        return false;
    *answer = ask(trials->seat, codec, asked, placement);
    return true;
}

/* Asks a question in each variant. Returns the name of the first field that differs, "crash", or NULL if none does. */
static const char *field_that_differs(struct trials *trials, const struct assay_codec *codec, const struct probe *probe)
{
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
        struct question asked;
        enum placement placement;
        if (!variant_apply(i, probe, &asked, &placement))
            continue;
        struct answer actual;
        if (!ask_safely(trials, codec, &asked, placement, &actual))
            return "crash";
        if (actual.absent)
            return NULL;
        trials->asked++;
        size_t index;
        enum field field = compare_answers(&asked, &probe->expected, &actual, &index);
        if (field != FIELD_NONE)
            return field_name(field);
    }
    return NULL;
}

/* A kill counts only if the decoder without the mistake passes the question. The mutant is not asked again. */
static const struct assay_codec *plain_after_kill(struct trials *trials)
{
    static const struct mistake none = {"plain", "makes no mistake",
                                        .offers = OFFERS_WHOLE | OFFERS_FEED | OFFERS_ENCODE};
    return museum_codec(trials->base, &none);
}

static _Noreturn void refuse_kill(const struct trials *trials, const char *field)
{
    cli_fail("%s: the plain decoder, which makes no mistake, fails the vectors, too: %s", trials->base->encoding,
             field);
}

static const char *run_probe(struct trials *trials, const struct assay_codec *codec, const struct probe *probe)
{
    const char *field = field_that_differs(trials, codec, probe);
    const char *of_plain = field != NULL ? field_that_differs(trials, plain_after_kill(trials), probe) : NULL;
    if (of_plain != NULL)
        refuse_kill(trials, of_plain);
    return field;
}

static const char *conversion_fails(struct trials *trials, const struct assay_codec *codec,
                                    const struct conversion *conversion)
{
    struct form from = {.codec = codec}, to;
    if (!form_find(conversion->to, codec->name, &to))
        cli_fail("no codec of %s runs here", conversion->to);
    if (sigsetjmp(before_crash, 0) != 0)
        return "crash";
    enum outcome outcome =
        convert(&trials->converter, &from, &to, conversion->policy, conversion->input, conversion->input_count);
    if (outcome == NOT_OFFERED)
        return NULL;
    trials->asked++;
    return conversion_differs(conversion, outcome, &trials->converter);
}

static const char *run_conversion(struct trials *trials, const struct assay_codec *codec,
                                  const struct conversion *conversion)
{
    const char *field = conversion_fails(trials, codec, conversion);
    const char *of_plain = field != NULL ? conversion_fails(trials, plain_after_kill(trials), conversion) : NULL;
    if (of_plain != NULL)
        refuse_kill(trials, of_plain);
    return field;
}

/* ---- the positions tier: its probes are made one by one, and not kept -------------------------------------- */

struct attempt {
    struct trials *trials;
    const struct assay_codec *codec;
    uint32_t index;                                       /* the number of the only question to ask */
    bool offers[OPERATION_COUNT + 1][ASSAY_POLICY_COUNT]; /* the last row: conversion */
    const char *field;
};

static bool is_index(void *context, const struct line *line, size_t offset, size_t index, enum operation operation,
                     enum assay_policy policy)
{
    (void)line, (void)offset, (void)operation, (void)policy;
    return index == ((const struct attempt *)context)->index;
}

static bool run_line_probe(void *context, const struct probe *probe)
{
    struct attempt *attempt = context;
    attempt->field = run_probe(attempt->trials, attempt->codec, probe);
    return attempt->field == NULL;
}

static bool run_line_conversion(void *context, const struct conversion *conversion)
{
    struct attempt *attempt = context;
    attempt->field = run_conversion(attempt->trials, attempt->codec, conversion);
    return attempt->field == NULL;
}

const char *trials_run_one(struct trials *trials, const struct assay_codec *codec, const struct trial *trial)
{
    struct attempt attempt = {.trials = trials, .codec = codec, .index = trial->index};
    if (trial->probe != NULL)
        return run_probe(trials, codec, trial->probe);
    line_ask_at(trial->line, trial->offset,
                &(struct line_asker){.context = &attempt, .probe = run_line_probe, .wants = is_index, .share = 1});
    return attempt.field;
}

static bool is_offered(void *context, const struct line *line, size_t offset, size_t index, enum operation operation,
                       enum assay_policy policy)
{
    (void)line, (void)offset, (void)index;
    const struct attempt *attempt = context;
    return attempt->offers[operation][policy];
}

/* Questions that the codec does not offer are not made. A conversion needs more than one operation. Returns false if
 * the codec, which is asked an empty text, crashes. */
static bool note_offers(struct attempt *attempt)
{
    if (sigsetjmp(before_crash, 0) != 0)
        return false;
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
        for (enum operation operation = 0; operation < OPERATION_COUNT; operation++)
            attempt->offers[operation][policy] = codec_offers(attempt->codec, operation, policy);
        attempt->offers[OPERATION_COUNT][policy] = true;
    }
    return true;
}

/* Asks as `assay check` asks a loadable codec. A part of the lines is asked first: few mutants survive it. */
static const char *run_lines(struct trials *trials, const struct assay_codec *codec, const struct category *category)
{
    static const struct {
        size_t share, most_offsets;
    } passes[] = {{SHARE_OF_LOADED * 64, SIZE_MAX},
                  {SHARE_OF_LOADED, 31},
                  {SHARE_OF_LOADED * 8, SIZE_MAX},
                  {SHARE_OF_LOADED, SIZE_MAX}};
    struct attempt attempt = {.trials = trials, .codec = codec};
    if (!note_offers(&attempt))
        return "crash";
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        struct line_asker asker = {.context = &attempt,
                                   .probe = run_line_probe,
                                   .conversion = run_line_conversion,
                                   .share = passes[i].share,
                                   .wants = is_offered};
        for (size_t j = 0; j < category->case_count && attempt.field == NULL; j++)
            if (category->cases[j].line != NULL && category->cases[j].line->offset_count <= passes[i].most_offsets)
                line_ask(category->cases[j].line, &asker);
    }
    return attempt.field;
}

struct collection {
    struct trials *trials;
    const char *file;
    bool (*wants)(enum operation operation, enum assay_policy policy);
    const struct line *line;
    size_t offset;
    bool has[OPERATION_COUNT + 1][ASSAY_POLICY_COUNT]; /* for the current text */
};

/* Keeps the first question for each operation and policy. Asks nothing. */
static bool collect(void *context, const struct line *line, size_t offset, size_t index, enum operation operation,
                    enum assay_policy policy)
{
    struct collection *collection = context;
    struct trials *trials = collection->trials;
    if (collection->line != line || collection->offset != offset) {
        memset(collection->has, 0, sizeof collection->has);
        collection->line = line;
        collection->offset = offset;
    }
    if (collection->has[operation][policy] || !collection->wants(operation, policy))
        return false;
    collection->has[operation][policy] = true;
    if (trials->count == trials->capacity) {
        trials->capacity = 2 * trials->count + 64;
        trials->list = realloc(trials->list, trials->capacity * sizeof *trials->list);
        if (trials->list == NULL)
            cli_fail("out of memory");
    }
    trials->list[trials->count++] =
        (struct trial){NULL, collection->file, line, (uint32_t)offset, (uint32_t)index, operation};
    return false;
}

void trials_add_positions(struct trials *trials, bool (*wants)(enum operation operation, enum assay_policy policy))
{
    static struct collection collection;
    collection = (struct collection){.trials = trials, .wants = wants};
    for (size_t i = 0; i < trials->vectors->category_count; i++) {
        const struct category *category = &trials->vectors->categories[i];
        collection.file = category->name;
        for (size_t j = 0; j < category->case_count; j++)
            if (category->cases[j].line != NULL)
                line_ask(category->cases[j].line,
                         &(struct line_asker){.context = &collection, .wants = collect, .share = 1});
    }
}

struct kill trials_run_readable(struct trials *trials, const struct assay_codec *codec)
{
    for (size_t i = 0; i < trials->count; i++) {
        const char *field = trials_run_one(trials, codec, &trials->list[i]);
        if (field != NULL)
            return (struct kill){trials->list[i].file, field};
    }
    for (size_t i = 0; i < trials->vectors->category_count; i++) {
        const struct category *category = &trials->vectors->categories[i];
        for (size_t j = 0; j < category->case_count; j++)
            for (size_t k = 0; k < category->cases[j].conversion_count; k++) {
                const char *field = run_conversion(trials, codec, &category->cases[j].conversions[k]);
                if (field != NULL)
                    return (struct kill){category->name, field};
            }
    }
    return (struct kill){0};
}

struct kill trials_run_positions(struct trials *trials, const struct assay_codec *codec)
{
    for (size_t i = 0; i < trials->vectors->category_count; i++) {
        const char *field = run_lines(trials, codec, &trials->vectors->categories[i]);
        if (field != NULL)
            return (struct kill){trials->vectors->categories[i].name, field};
    }
    return (struct kill){0};
}

struct kill trials_run(struct trials *trials, const struct assay_codec *codec)
{
    struct kill kill = trials_run_readable(trials, codec);
    return kill.file != NULL ? kill : trials_run_positions(trials, codec);
}

/* FNV-1a, of numbers. */
static uint64_t mix(uint64_t digest, uint64_t number)
{
    return (digest ^ number) * UINT64_C(0x100000001B3);
}

/* After a kill, the decoder without the mistake was asked, so the mutant is made again. */
uint64_t trials_kill_set(struct trials *trials, const struct mistake *mistake)
{
    const struct assay_codec *codec = museum_codec(trials->base, mistake);
    uint64_t digest = UINT64_C(0xCBF29CE484222325), number = trials->count;
    for (size_t i = 0; i < trials->count; i++)
        if (trials_run_one(trials, codec, &trials->list[i]) != NULL) {
            digest = mix(digest, i);
            codec = museum_codec(trials->base, mistake);
        }
    for (size_t i = 0; i < trials->vectors->category_count; i++) {
        const struct category *category = &trials->vectors->categories[i];
        for (size_t j = 0; j < category->case_count; j++)
            for (size_t k = 0; k < category->cases[j].conversion_count; k++, number++)
                if (run_conversion(trials, codec, &category->cases[j].conversions[k]) != NULL) {
                    digest = mix(digest, number);
                    codec = museum_codec(trials->base, mistake);
                }
    }
    return digest;
}
