/* SPDX-License-Identifier: MIT
 *
 * Codecs that give no answer, because they crash, hang or end the process: this counts as a divergence, and the
 * enumeration continues without them.
 */
#include "sweep.h"

#include "../../../codecs/assume.h"

#include <unistd.h>

enum { CODECS_MAX = 256 };

static struct silent_codec {
    const struct assay_codec *codec;
    size_t silences;
    bool is_in_step; /* it gave no answer in the current step */
} silent_codecs[CODECS_MAX];
static size_t silent_count;

bool sweep_leaves_out(void *context, const struct assay_codec *codec, enum operation operation)
{
    (void)context;
    (void)operation;
    for (const struct silent_codec *silent = silent_codecs; silent < silent_codecs + silent_count; silent++)
        if (silent->codec == codec)
            return silent->is_in_step || silent->silences >= SILENCES_MAX;
    return false;
}

static void count_silence(const struct assay_codec *codec)
{
    struct silent_codec *silent = silent_codecs;
    while (silent < silent_codecs + silent_count && silent->codec != codec)
        silent++;
    ASSUME(silent < silent_codecs + CODECS_MAX);
    silent_count += silent == silent_codecs + silent_count;
    silent->codec = codec;
    silent->is_in_step = true;
    if (++silent->silences == SILENCES_MAX)
        fprintf(stderr, "%s/%s gave no answer %d times: it is not asked any more\n", codec->encoding, codec->name,
                SILENCES_MAX);
}

static void on_silence(const struct asking *silent, const char *end, const char *sentence)
{
    sweep_on_silence(sweep_under_way, silent, end, sentence);
    count_silence(silent->codec);
    if (sweep_under_way->comparer.panel[0] == silent->codec) /* nothing is left to compare with */
        _exit(cli_finish(EXIT_DIVERGENCE));
}

static void end_step(void)
{
    for (struct silent_codec *silent = silent_codecs; silent < silent_codecs + silent_count; silent++)
        silent->is_in_step = false;
}

void sweep_survive(struct sweep *sweep, void (*step)(struct sweep *sweep, const void *context), const void *context)
{
    if (sweep->comparer.should_skip != sweep_leaves_out) { /* `assay museum` installs its own handlers */
        step(sweep, context);
        return;
    }
    const uint64_t asked = sweep->comparer.asked, skipped = sweep->comparer.skipped;
    struct survivor *const outer = silence_survivor; /* saves that of an outer step */
    struct survivor here = {.heard = on_silence};
    silence_survivor = &here;
    if (sigsetjmp(here.back, 0) != 0) {
        sweep->comparer.asked = asked;
        sweep->comparer.skipped = skipped;
    }
    step(sweep, context);
    silence_survivor = outer;
    if (outer == NULL)
        end_step();
}

struct codec_step {
    const struct assay_codec *codec;
    sweep_step *run;
    const void *context;
};

static void run_unless_left_out(struct sweep *sweep, const void *context)
{
    const struct codec_step *step = context;
    if (sweep_leaves_out(NULL, step->codec, OPERATION_COUNT))
        sweep->comparer.skipped++;
    else
        step->run(sweep, step->codec, step->context);
}

void sweep_survive_codec(struct sweep *sweep, const struct assay_codec *codec, sweep_step *step, const void *context)
{
    sweep_survive(sweep, run_unless_left_out, &(struct codec_step){codec, step, context});
}

static void compare_step(struct sweep *sweep, const void *question)
{
    compare(&sweep->comparer, question);
}

void sweep_compare(struct sweep *sweep, const struct question *question)
{
    enum { SHIFTED_SHARE = 5 };
    ASSUME((sweep->asks >> question->operation & 1) != 0); /* parts.def says so */
    sweep_survive(sweep, compare_step, question);
    if (!sweep->comparer.once || sweep->asked_once++ % SHIFTED_SHARE > 0 || has_ended(sweep->comparer.diverged))
        return;
    enum placement placement = sweep->comparer.placement;
    struct question shifted = *question;
    shifted.shift = shift_for(question, 0);
    sweep->comparer.placement = AT_BEGIN;
    sweep_survive(sweep, compare_step, &shifted);
    sweep->comparer.placement = placement;
}
