/* SPDX-License-Identifier: MIT
 *
 * Asks each codec the questions of one case.
 */
#include "check.h"

#include "../../core/operation.h"
#include "../../core/silence.h"

#include <stdlib.h>
#include <string.h>

/* Asks one question in each variant. Returns true if all answers are as expected. */
static bool ask_probe(struct run *run, const struct assay_codec *codec, const struct probe *probe)
{
    const struct assay_codec expectation = {ASSAY_CODEC_HEADER(codec->encoding, "expected")};
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
        struct question asked;
        enum placement placement;
        if (!variant_apply(i, probe, &asked, &placement))
            continue;
        struct answer actual = ask(run->seat, codec, &asked, placement);
        if (actual.absent) {
            run->now.tally.skipped++;
            return true;
        }
        run->now.tally.compared++;
        cli_note_answered(codec);
        size_t index = 0;
        enum field field = compare_answers(&asked, &probe->expected, &actual, &index);
        if (field == FIELD_NONE)
            continue;
        failure_divergence(run,
                           &(struct divergence){&expectation, codec, &asked, &probe->expected, &actual, field, index});
        return false;
    }
    return true;
}

/* Asks for a conversion. The codec of the other encoding is the one with the same name, or else the reference. */
static bool ask_conversion(struct run *run, const struct assay_codec *codec, const struct conversion *conversion)
{
    struct form from = {.codec = codec}, to;
    if (!form_find(conversion->to, codec->name, &to))
        cli_fail("no codec of %s runs here", conversion->to);
    if (silent_skip_case(run, to.codec))
        return true;
    enum outcome outcome =
        convert(&run->converter, &from, &to, conversion->policy, conversion->input, conversion->input_count);
    if (outcome == NOT_OFFERED) {
        run->now.tally.skipped++;
        return true;
    }
    run->now.tally.compared++;
    cli_note_answered(codec);
    cli_note_answered(to.codec);
    const char *field = conversion_differs(conversion, outcome, &run->converter);
    if (field != NULL)
        failure_conversion(run, codec, conversion, field);
    return field == NULL;
}

/* ---- a codec that gives no answer ---- */

static struct run *surviving; /* the run that continues after a codec gave no answer */

static void on_silence(const struct asking *silent, const char *end, const char *sentence)
{
    failure_silence(surviving, silent, end, sentence);
    silent_count(surviving, silent->codec);
}

static struct survivor survivor = {.heard = on_silence};

void check_survive(struct run *run)
{
    surviving = run;
    silence_survivor = run != NULL ? &survivor : NULL;
}

/* Asks one of the two; the other is NULL. A codec that gives no answer has failed, unless the run was interrupted. */
static bool ask_and_survive(struct run *run, const struct assay_codec *codec, const struct probe *probe,
                            const struct conversion *conversion)
{
    if (cli_interruption != 0)
        return true;
    if (sigsetjmp(survivor.back, 0) != 0)
        return cli_interruption != 0;
    run->now.probe = probe;
    return probe != NULL ? ask_probe(run, codec, probe) : ask_conversion(run, codec, conversion);
}

/* The same, and counts the answer under its policy. */
static bool ask_and_count(struct run *run, const struct assay_codec *codec, const struct probe *probe,
                          const struct conversion *conversion)
{
    uint64_t compared = run->now.tally.compared;
    bool agrees = ask_and_survive(run, codec, probe, conversion);
    bool is_answered = !agrees || run->now.tally.compared > compared;
    if (run->by_policy != NULL && is_answered && (probe == NULL || operation_has_policy(probe->question.operation)))
        policies_count(run, codec, probe != NULL ? probe->question.policy : conversion->policy, agrees);
    return agrees;
}

/* True if a codec that has failed a case is asked the other questions too. */
static bool is_asked_further(struct run *run, const struct assay_codec *codec)
{
    return run->by_policy != NULL && !silent_is_left_out(run, codec);
}

static bool is_asked(struct run *run, size_t codec, const struct category *category)
{
    const struct registry_row *row = run->codecs[codec];
    return strcmp(row->encoding, category->codec_encoding) == 0 && !silent_skip_case(run, row->codec);
}

/* ---- a line of the positions tier: the codecs take turns with each question ---- */

struct line_run {
    struct run *run;
    bool *agrees; /* for each codec: true if it is asked further */
    bool passed;
};

/* Asks the codecs that have agreed so far. Returns true if one is asked further. */
static bool ask_line(struct line_run *line, const struct probe *probe, const struct conversion *conversion)
{
    bool any = false;
    for (size_t i = 0; i < line->run->codec_count; i++) {
        if (!line->agrees[i])
            continue;
        const struct assay_codec *codec = line->run->codecs[i]->codec;
        bool agrees = ask_and_count(line->run, codec, probe, conversion);
        line->agrees[i] = agrees || is_asked_further(line->run, codec);
        line->passed &= agrees;
        any |= line->agrees[i];
    }
    return any && cli_interruption == 0;
}

static bool ask_line_probe(void *context, const struct probe *probe)
{
    return ask_line(context, probe, NULL);
}

static bool ask_line_conversion(void *context, const struct conversion *conversion)
{
    return ask_line(context, NULL, conversion);
}

/* Asks all codecs, and then the loaded ones again, with a larger share of the questions. Not so with --policies, which
 * does not look for rare mistakes. */
static bool check_line(struct run *run, const struct category *category)
{
    struct line_run line = {run, cli_alloc(run->codec_count, sizeof *line.agrees), true};
    struct line_asker asker = {.context = &line,
                               .probe = ask_line_probe,
                               .conversion = ask_line_conversion,
                               .share = check_settings.asks_everything ? 1 : SHARE_OF_BUILT_IN};
    bool any_loaded = false, asks_once = check_settings.asks_everything || check_settings.by_policy;
    for (size_t i = 0; i < run->codec_count; i++)
        line.agrees[i] = is_asked(run, i, category);
    line_ask(run->now.test->line, &asker);
    for (size_t i = 0; i < run->codec_count; i++) {
        line.agrees[i] = line.agrees[i] && !asks_once && cli_is_loaded(run->codecs[i]->codec);
        any_loaded |= line.agrees[i];
    }
    asker.share = SHARE_OF_LOADED;
    if (any_loaded)
        line_ask(run->now.test->line, &asker);
    free(line.agrees);
    return line.passed;
}

/* ---- a case ---- */

/* Asks a codec all questions of the case. Returns true if its answers are as expected. */
static bool ask_all(struct run *run, const struct assay_codec *codec)
{
    const struct vector_case *test = run->now.test;
    bool agrees = true;
    for (size_t i = 0; i < test->probe_count && (agrees || is_asked_further(run, codec)); i++)
        agrees &= ask_and_count(run, codec, &test->probes[i], NULL);
    for (size_t i = 0; i < test->conversion_count && (agrees || is_asked_further(run, codec)); i++)
        agrees &= ask_and_count(run, codec, NULL, &test->conversions[i]);
    return agrees;
}

void check_case(struct run *run, const struct category *category)
{
    bool passed = true;
    cli_at_hand = run->now.test->id;
    if (run->now.test->line != NULL)
        passed = check_line(run, category);
    else
        for (size_t i = 0; i < run->codec_count; i++)
            if (is_asked(run, i, category))
                passed &= ask_all(run, run->codecs[i]->codec);
    cli_at_hand = NULL;
    run->now.tally.cases++;
    run->now.tally.failed += !passed;
}
