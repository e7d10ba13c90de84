/* SPDX-License-Identifier: MIT
 *
 * The program that scripts/kill-rate runs: `museum decoders|lanes VECTORS ENCODING [STRIDE]` asks every STRIDEth mutant
 * of the encoding the questions of the golden vectors, as `assay check` does, until an answer is wrong, which kills the
 * mutant. It prints a line for each mutant, separated by tabs: its name; `killed`, `survived`, `equivalent` or
 * `absent`; the file that kills it, or the reason; the field that differs; its sentence. With `made` for VECTORS, the
 * questions are inputs on which every lane mutant is wrong (made.c). The plain decoder is also asked each question that
 * kills, and must answer it correctly.
 *
 * Exit codes: 0 = ran, 2 = could not run, or the plain decoder fails.
 */
#include "kill.h"
#include "../assay/cli.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

extern const struct mistake MISTAKE_LISTS_DECLARED;
static const struct mistake *const lists[] = {MISTAKE_LISTS};

/* ---- the trials ------------------------------------------------------------------------------------- */

static sigjmp_buf before_crash;

static void on_crash(int signal)
{
    (void)signal;
    siglongjmp(before_crash, 1);
}

static void survive_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE};
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_NODEFER}; /* so no mask must be restored */
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
}

struct trials trials_load(const char *vectors_folder, const char *encoding)
{
    static struct vectors vectors;
    struct trials trials = {.base = registry_reference(encoding), .vectors = &vectors};
    if (trials.base == NULL)
        cli_fail("there is no encoding '%s'", encoding);
    char glob[128], with_signature[] = "utf-8-sig/";
    snprintf(glob, sizeof glob, "%s/", encoding);
    struct choice choice = {.globs = (char *[]){glob, with_signature},
                            .glob_count = strcmp(encoding, "utf-8") == 0 ? 2 : 1};
    vectors = vectors_load(vectors_folder, &choice);
    for (size_t i = 0; i < vectors.category_count; i++)
        for (size_t j = 0; j < vectors.categories[i].case_count; j++)
            trials.count += vectors.categories[i].cases[j].probe_count;
    if (trials.count == 0)
        cli_fail("%s has no vectors of %s", vectors_folder, encoding);
    trials.list = cli_alloc(trials.count, sizeof *trials.list);
    size_t at = 0;
    for (size_t i = 0; i < vectors.category_count; i++)
        for (size_t j = 0; j < vectors.categories[i].case_count; j++)
            for (size_t k = 0; k < vectors.categories[i].cases[j].probe_count; k++)
                trials.list[at++] =
                    (struct trial){.probe = &vectors.categories[i].cases[j].probes[k],
                                   .file = vectors.categories[i].name,
                                   .operation = vectors.categories[i].cases[j].probes[k].question.operation};
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

static const char *probe_differs(struct trials *trials, const struct assay_codec *codec, const struct probe *probe)
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
        size_t index;
        enum field field = compare_answers(&asked, &probe->expected, &actual, &index);
        if (field != FIELD_NONE)
            return field_name(field);
    }
    return NULL;
}

/* A kill counts only if the plain decoder passes the question that kills. The mutant is not asked again. */
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
    const char *field = probe_differs(trials, codec, probe);
    const char *of_plain = field != NULL ? probe_differs(trials, plain_after_kill(trials), probe) : NULL;
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

/* ---- the positions tier: its probes are made one by one and not kept --------------------------------------- */

struct attempt {
    struct trials *trials;
    const struct assay_codec *codec;
    uint32_t index;                                       /* number of the one question to ask */
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

/* Questions that the codec does not offer are not made. A conversion needs more than one operation. */
static void note_offers(struct attempt *attempt)
{
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
        for (enum operation operation = 0; operation < OPERATION_COUNT; operation++)
            attempt->offers[operation][policy] = codec_offers(attempt->codec, operation, policy);
        attempt->offers[OPERATION_COUNT][policy] = true;
    }
}

/* Asks as `assay check` asks a loadable codec. A part of the lines comes first: few mutants survive it. */
static const char *run_lines(struct trials *trials, const struct assay_codec *codec, const struct category *category)
{
    static const struct {
        size_t share, most_offsets;
    } passes[] = {{SHARE_OF_LOADED * 64, SIZE_MAX},
                  {SHARE_OF_LOADED, 31},
                  {SHARE_OF_LOADED * 8, SIZE_MAX},
                  {SHARE_OF_LOADED, SIZE_MAX}};
    struct attempt attempt = {.trials = trials, .codec = codec};
    note_offers(&attempt);
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

/* Keeps the first question for each operation and policy. Asks none. */
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

struct kill trials_run(struct trials *trials, const struct assay_codec *codec)
{
    struct kill kill = {0};
    for (size_t i = 0; i < trials->count; i++) {
        kill.field = trials_run_one(trials, codec, &trials->list[i]);
        if (kill.field != NULL) {
            kill.file = trials->list[i].file;
            return kill;
        }
    }
    for (size_t i = 0; i < trials->vectors->category_count; i++) {
        const struct category *category = &trials->vectors->categories[i];
        for (size_t j = 0; j < category->case_count; j++)
            for (size_t k = 0; k < category->cases[j].conversion_count; k++) {
                kill.field = run_conversion(trials, codec, &category->cases[j].conversions[k]);
                kill.file = kill.field != NULL ? category->name : NULL;
                if (kill.file != NULL)
                    return kill;
            }
        kill.field = run_lines(trials, codec, category);
        if (kill.field != NULL) {
            kill.file = category->name;
            return kill;
        }
    }
    return kill;
}

/* ---- decoders with one mistake ------------------------------------------------------------------------ */

static const char *reason_why_same(const struct mistake *mistake, const char *encoding)
{
    for (size_t i = 0; i < sizeof mistake->same / sizeof mistake->same[0]; i++)
        if (museum_has_word(mistake->same[i].encodings, encoding))
            return mistake->same[i].reason;
    return NULL;
}

static void run_decoder(struct trials *trials, const struct mistake *mistake)
{
    const char *encoding = trials->base->encoding, *reason = reason_why_same(mistake, encoding);
    if (mistake->only != NULL && !museum_has_word(mistake->only, encoding)) {
        printf("%s\tabsent\t\t\t%s\n", mistake->name, mistake->sentence);
        return;
    }
    struct kill kill = trials_run(trials, museum_codec(trials->base, mistake));
    if (kill.file != NULL && reason != NULL)
        cli_fail("%s: the decoder '%s' is said to be equivalent, and %s kills it", encoding, mistake->name, kill.file);
    const char *state = kill.file != NULL ? "killed" : reason != NULL ? "equivalent" : "survived";
    printf("%s\t%s\t%s\t%s\t%s\n", mistake->name, state,
           kill.file != NULL ? kill.file
           : reason != NULL  ? reason
                             : "",
           kill.file != NULL ? kill.field : "", mistake->sentence);
}

static void run_decoders(struct trials *trials, size_t stride)
{
    size_t number = 0;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const struct mistake *mistake = lists[i]; mistake->name != NULL; mistake++)
            if (number++ % stride == 0)
                run_decoder(trials, mistake);
}

int main(int argc, char **argv)
{
    cli_start(argv[0]);
    bool is_lanes = argc > 1 && strcmp(argv[1], "lanes") == 0;
    if (argc < 4 || argc > 5 || !(is_lanes || strcmp(argv[1], "decoders") == 0)) {
        fputs("usage: museum decoders|lanes VECTORS ENCODING [STRIDE]\n", stderr);
        return EXIT_CANNOT_RUN;
    }
    static struct trials trials; /* static, so that leak checkers find its seat, which is never freed */
    size_t stride = argc > 4 ? (size_t)cli_number("STRIDE", argv[4], 1, 1u << 20) : 1;
    trials = strcmp(argv[2], "made") == 0 ? trials_make(argv[3]) : trials_load(argv[2], argv[3]);
    survive_crashes();
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (is_lanes)
        run_lanes(&trials, stride);
    else
        run_decoders(&trials, stride);
    return cli_finish(EXIT_AS_IT_SHOULD_BE);
}
