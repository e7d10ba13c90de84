/* SPDX-License-Identifier: MIT
 *
 * The program that scripts/kill-rate calls: `museum decoders|lanes VECTORS ENCODING [STRIDE]` puts the golden vectors to
 * every STRIDEth mutant of the encoding, as `assay check` would, until one of them kills it, and prints a line for each:
 * its name, `killed`, `survived`, `equivalent` or `absent`, the file and the field that kill it or the reason, its sentence;
 * with a tab between them. `made` for VECTORS stands for inputs that all lane mutants differ on (made.c). What kills a
 * mutant is put to the plain decoder, too, which must pass.
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

/* ---- the range ------------------------------------------------------------------------------------- */

static sigjmp_buf before_crash;

static void on_crash(int signal)
{
    (void)signal;
    siglongjmp(before_crash, 1);
}

static void survive_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE};
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_NODEFER}; /* so there is no mask to restore */
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
}

struct range range_load(const char *vectors_folder, const char *encoding)
{
    static struct vectors vectors;
    struct range range = {.base = registry_reference(encoding), .vectors = &vectors};
    if (range.base == NULL)
        cli_fail("there is no encoding '%s'", encoding);
    char glob[128], with_signature[] = "utf-8-sig/";
    snprintf(glob, sizeof glob, "%s/", encoding);
    struct choice choice = {.globs = (char *[]){glob, with_signature}, .glob_count = strcmp(encoding, "utf-8") == 0 ? 2 : 1};
    vectors = vectors_load(vectors_folder, &choice);
    for (size_t i = 0; i < vectors.category_count; i++)
        for (size_t j = 0; j < vectors.categories[i].case_count; j++)
            range.shot_count += vectors.categories[i].cases[j].probe_count;
    if (range.shot_count == 0)
        cli_fail("%s has no vectors of %s", vectors_folder, encoding);
    range.shots = cli_alloc(range.shot_count, sizeof *range.shots);
    size_t at = 0;
    for (size_t i = 0; i < vectors.category_count; i++)
        for (size_t j = 0; j < vectors.categories[i].case_count; j++)
            for (size_t k = 0; k < vectors.categories[i].cases[j].probe_count; k++)
                range.shots[at++] = (struct shot){.probe = &vectors.categories[i].cases[j].probes[k], .file = vectors.categories[i].name,
                                                  .operation = vectors.categories[i].cases[j].probes[k].question.operation};
    range.shot_capacity = range.shot_count;
    range.seat = seat_new();
    return range;
}

/* False if it crashes. */
static bool ask_safely(struct range *range, const struct assay_codec *codec, const struct question *asked,
                       enum placement placement, struct answer *answer)
{
    if (sigsetjmp(before_crash, 0) != 0)
        return false;
    *answer = ask(range->seat, codec, asked, placement);
    return true;
}

static const char *probe_differs(struct range *range, const struct assay_codec *codec, const struct probe *probe)
{
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
        struct question asked;
        enum placement placement;
        if (!variant_apply(i, probe, &asked, &placement))
            continue;
        struct answer actual;
        if (!ask_safely(range, codec, &asked, placement, &actual))
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

/* A kill proves something only if the plain decoder passes where the mutant fails. The mutant is not asked again. */
static const struct assay_codec *plain_after_kill(struct range *range)
{
    static const struct mistake none = {"plain", "makes no mistake", .offers = OFFERS_WHOLE | OFFERS_FEED | OFFERS_ENCODE};
    return museum_codec(range->base, &none);
}

static _Noreturn void refuse_kill(const struct range *range, const char *field)
{
    cli_fail("%s: the plain decoder, which makes no mistake, fails the vectors, too: %s", range->base->encoding, field);
}

static const char *shoot_probe(struct range *range, const struct assay_codec *codec, const struct probe *probe)
{
    const char *field = probe_differs(range, codec, probe);
    const char *of_plain = field != NULL ? probe_differs(range, plain_after_kill(range), probe) : NULL;
    if (of_plain != NULL)
        refuse_kill(range, of_plain);
    return field;
}

static const char *conversion_fails(struct range *range, const struct assay_codec *codec, const struct conversion *conversion)
{
    struct form from = {.codec = codec}, to;
    if (!form_find(conversion->to, codec->name, &to))
        cli_fail("no codec of %s runs here", conversion->to);
    if (sigsetjmp(before_crash, 0) != 0)
        return "crash";
    enum outcome outcome = convert(&range->converter, &from, &to, conversion->policy, conversion->input, conversion->input_count);
    if (outcome == NOT_OFFERED)
        return NULL;
    return conversion_differs(conversion, outcome, &range->converter);
}

static const char *shoot_conversion(struct range *range, const struct assay_codec *codec, const struct conversion *conversion)
{
    const char *field = conversion_fails(range, codec, conversion);
    const char *of_plain = field != NULL ? conversion_fails(range, plain_after_kill(range), conversion) : NULL;
    if (of_plain != NULL)
        refuse_kill(range, of_plain);
    return field;
}

/* ---- the positions tier, of which no probe is kept -------------------------------------------------------- */

struct volley {
    struct range *range;
    const struct assay_codec *codec;
    uint32_t index; /* of the one question that is asked */
    bool offers[OPERATION_COUNT + 1][ASSAY_POLICY_COUNT]; /* the last: conversion */
    const char *field;
};

static bool is_index(void *context, const struct line *line, size_t offset, size_t index, enum operation operation,
                     enum assay_policy policy)
{
    (void)line, (void)offset, (void)operation, (void)policy;
    return index == ((const struct volley *)context)->index;
}

static bool shoot_line_probe(void *context, const struct probe *probe)
{
    struct volley *volley = context;
    volley->field = shoot_probe(volley->range, volley->codec, probe);
    return volley->field == NULL;
}

static bool shoot_line_conversion(void *context, const struct conversion *conversion)
{
    struct volley *volley = context;
    volley->field = shoot_conversion(volley->range, volley->codec, conversion);
    return volley->field == NULL;
}

const char *range_shoot_once(struct range *range, const struct assay_codec *codec, const struct shot *shot)
{
    struct volley volley = {.range = range, .codec = codec, .index = shot->index};
    if (shot->probe != NULL)
        return shoot_probe(range, codec, shot->probe);
    line_ask_at(shot->line, shot->offset, &(struct line_asker){.context = &volley, .probe = shoot_line_probe, .wants = is_index, .share = 1});
    return volley.field;
}

static bool is_offered(void *context, const struct line *line, size_t offset, size_t index, enum operation operation,
                       enum assay_policy policy)
{
    (void)line, (void)offset, (void)index;
    const struct volley *volley = context;
    return volley->offers[operation][policy];
}

/* What the codec does not offer need not be made. A conversion takes more than one operation. */
static void note_offers(struct volley *volley)
{
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
        for (enum operation operation = 0; operation < OPERATION_COUNT; operation++)
            volley->offers[operation][policy] = codec_offers(volley->codec, operation, policy);
        volley->offers[OPERATION_COUNT][policy] = true;
    }
}

/* As `assay check` asks a codec from outside. Parts of it come first: most mutants survive none of these. */
static const char *shoot_lines(struct range *range, const struct assay_codec *codec, const struct category *category)
{
    static const struct {
        size_t share, most_offsets;
    } passes[] = {{SHARE_OF_LOADED * 64, SIZE_MAX}, {SHARE_OF_LOADED, 31}, {SHARE_OF_LOADED * 8, SIZE_MAX}, {SHARE_OF_LOADED, SIZE_MAX}};
    struct volley volley = {.range = range, .codec = codec};
    note_offers(&volley);
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        struct line_asker asker = {.context = &volley, .probe = shoot_line_probe, .conversion = shoot_line_conversion,
                                   .share = passes[i].share, .wants = is_offered};
        for (size_t j = 0; j < category->case_count && volley.field == NULL; j++)
            if (category->cases[j].line != NULL && category->cases[j].line->offset_count <= passes[i].most_offsets)
                line_ask(category->cases[j].line, &asker);
    }
    return volley.field;
}

struct collection {
    struct range *range;
    const char *file;
    bool (*wants)(enum operation operation, enum assay_policy policy);
    const struct line *line;
    size_t offset;
    bool has[OPERATION_COUNT + 1][ASSAY_POLICY_COUNT]; /* of the text at hand */
};

/* Keeps the first of each operation and policy, and asks none. */
static bool collect(void *context, const struct line *line, size_t offset, size_t index, enum operation operation,
                    enum assay_policy policy)
{
    struct collection *collection = context;
    struct range *range = collection->range;
    if (collection->line != line || collection->offset != offset) {
        memset(collection->has, 0, sizeof collection->has);
        collection->line = line;
        collection->offset = offset;
    }
    if (collection->has[operation][policy] || !collection->wants(operation, policy))
        return false;
    collection->has[operation][policy] = true;
    if (range->shot_count == range->shot_capacity) {
        range->shot_capacity = 2 * range->shot_count + 64;
        range->shots = realloc(range->shots, range->shot_capacity * sizeof *range->shots);
        if (range->shots == NULL)
            cli_fail("out of memory");
    }
    range->shots[range->shot_count++] =
        (struct shot){NULL, collection->file, line, (uint32_t)offset, (uint32_t)index, operation};
    return false;
}

void range_add_positions(struct range *range, bool (*wants)(enum operation operation, enum assay_policy policy))
{
    static struct collection collection;
    collection = (struct collection){.range = range, .wants = wants};
    for (size_t i = 0; i < range->vectors->category_count; i++) {
        const struct category *category = &range->vectors->categories[i];
        collection.file = category->name;
        for (size_t j = 0; j < category->case_count; j++)
            if (category->cases[j].line != NULL)
                line_ask(category->cases[j].line, &(struct line_asker){.context = &collection, .wants = collect, .share = 1});
    }
}

struct fate range_shoot(struct range *range, const struct assay_codec *codec)
{
    struct fate fate = {0};
    for (size_t i = 0; i < range->shot_count; i++) {
        fate.field = range_shoot_once(range, codec, &range->shots[i]);
        if (fate.field != NULL) {
            fate.file = range->shots[i].file;
            return fate;
        }
    }
    for (size_t i = 0; i < range->vectors->category_count; i++) {
        const struct category *category = &range->vectors->categories[i];
        for (size_t j = 0; j < category->case_count; j++)
            for (size_t k = 0; k < category->cases[j].conversion_count; k++) {
                fate.field = shoot_conversion(range, codec, &category->cases[j].conversions[k]);
                fate.file = fate.field != NULL ? category->name : NULL;
                if (fate.file != NULL)
                    return fate;
            }
        fate.field = shoot_lines(range, codec, category);
        if (fate.field != NULL) {
            fate.file = category->name;
            return fate;
        }
    }
    return fate;
}

/* ---- decoders with one mistake ------------------------------------------------------------------------ */

static const char *reason_why_same(const struct mistake *mistake, const char *encoding)
{
    for (size_t i = 0; i < sizeof mistake->same / sizeof mistake->same[0]; i++)
        if (museum_has_word(mistake->same[i].encodings, encoding))
            return mistake->same[i].reason;
    return NULL;
}

static void shoot_decoder(struct range *range, const struct mistake *mistake)
{
    const char *encoding = range->base->encoding, *reason = reason_why_same(mistake, encoding);
    if (mistake->only != NULL && !museum_has_word(mistake->only, encoding)) {
        printf("%s\tabsent\t\t\t%s\n", mistake->name, mistake->sentence);
        return;
    }
    struct fate fate = range_shoot(range, museum_codec(range->base, mistake));
    if (fate.file != NULL && reason != NULL)
        cli_fail("%s: the decoder '%s' is said to be equivalent, and %s kills it", encoding, mistake->name, fate.file);
    const char *state = fate.file != NULL ? "killed" : reason != NULL ? "equivalent" : "survived";
    printf("%s\t%s\t%s\t%s\t%s\n", mistake->name, state, fate.file != NULL ? fate.file : reason != NULL ? reason : "",
           fate.file != NULL ? fate.field : "", mistake->sentence);
}

static void shoot_decoders(struct range *range, size_t stride)
{
    size_t number = 0;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const struct mistake *mistake = lists[i]; mistake->name != NULL; mistake++)
            if (number++ % stride == 0)
                shoot_decoder(range, mistake);
}

int main(int argc, char **argv)
{
    cli_start(argv[0]);
    bool is_lanes = argc > 1 && strcmp(argv[1], "lanes") == 0;
    if (argc < 4 || argc > 5 || !(is_lanes || strcmp(argv[1], "decoders") == 0)) {
        fputs("usage: museum decoders|lanes VECTORS ENCODING [STRIDE]\n", stderr);
        return EXIT_CANNOT_RUN;
    }
    static struct range range; /* its seat has no end of life, and stays in reach */
    size_t stride = argc > 4 ? (size_t)cli_number("STRIDE", argv[4], 1, 1u << 20) : 1;
    range = strcmp(argv[2], "made") == 0 ? range_make(argv[3]) : range_load(argv[2], argv[3]);
    survive_crashes();
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (is_lanes)
        shoot_lanes(&range, stride);
    else
        shoot_decoders(&range, stride);
    return cli_finish(EXIT_AS_IT_SHOULD_BE);
}
