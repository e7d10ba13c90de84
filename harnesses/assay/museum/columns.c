/* SPDX-License-Identifier: MIT
 *
 * The columns of the kill matrix: the golden vectors, each part of the enumeration, each theorem, each fuzzer.
 */
#include "museum.h"

#include "../prove/theorems.h"

#include <limits.h>
#include <string.h>

static void ask_readable(struct visit *visit)
{
    struct trials *trials = visit->exhibit->trials;
    visit->cases = &trials->asked;
    trials_survive_crashes();
    struct kill kill = trials_run_readable(trials, visit->codec);
    uint64_t cases = trials->asked;
    if (visit->has_kill_sets)
        visit->cell->digest = trials_kill_set(trials, visit->exhibit->mistake);
    if (kill.file != NULL)
        visit_end(visit, KILLED, cases, kill.file, kill.field);
    visit_end(visit, cases > 0 ? SURVIVED : NOT_ASKED, cases, "", "");
}

static void ask_complete(struct visit *visit)
{
    struct trials *trials = visit->exhibit->trials;
    visit->cases = &trials->asked;
    trials_survive_crashes();
    ask_tiers(visit);
    struct kill kill = trials_run_positions(trials, visit->codec);
    if (kill.file != NULL)
        visit_end(visit, KILLED, trials->asked, kill.file, kill.field);
    visit_end(visit, trials->asked > 0 ? SURVIVED : NOT_ASKED, trials->asked, "", "");
}

struct enumeration {
    struct visit *visit;
    struct sweep sweep;
};

/* answers of the reference, which is compared with itself, too */
static uint64_t of_reference;

static void on_answer(const struct assay_codec *codec)
{
    of_reference += codec == registry_reference(codec->encoding);
}

static void on_divergence(void *context, const struct divergence *divergence)
{
    struct enumeration *enumeration = context;
    if (divergence->codec == divergence->reference)
        cli_fail("%s: the reference contradicts itself", divergence->reference->encoding);
    visit_end(enumeration->visit, KILLED, enumeration->sweep.comparer.asked - of_reference,
              operation_name(divergence->question->operation), field_name(divergence->field));
}

/* Asks the exhibit and the reference only: the other codecs would take most of the time. */
static void ask_part(struct visit *visit)
{
    struct enumeration *all = cli_alloc(1, sizeof *all);
    struct sweep *sweep = &all->sweep;
    *all = (struct enumeration){.visit = visit,
                                .sweep = {.part = visit->column->name,
                                          .asks = UINT_MAX, /* whatever the exhibit offers */
                                          .stride = visit->stride,
                                          .sorts = json_object(),
                                          .shown = json_object(),
                                          .begun = visit->begun,
                                          .shown_at = visit->begun,
                                          .comparer = {.encoding = visit->exhibit->encoding,
                                                       .on_divergence = on_divergence,
                                                       .on_answer = on_answer,
                                                       .context = all}}};
    visit->cases = &sweep->comparer.asked;
    sweep_under_way = sweep;
    sweep_fails_fast = true;
    comparer_begin(&sweep->comparer);
    sweep->comparer.panel[1] = visit->codec;
    sweep->comparer.panel_size = 2;
    visit->column->part(sweep);
    uint64_t answers = sweep->comparer.asked - of_reference;
    if (sweep->comparer.diverged > 0) /* on_divergence() ends the visit if a question shows something */
        visit_end(visit, KILLED, answers, "what the part demands of a stream or of a round trip", "");
    visit_end(visit, answers > 0 ? SURVIVED : NOT_ASKED, answers, "", "");
}

static void ask_theorem(struct visit *visit)
{
    const struct assay_codec *codec = visit->codec;
    const struct registry_row row = {codec, codec->encoding, codec->name, CPU_ANY};
    const struct rules *rules = rules_of(codec->encoding);
    if (!visit->column->applies(codec))
        visit_end(visit, NOT_ASKED, 0, "", "");
    struct proof proof = {
        .row = &row, .codec = codec, .rules = rules, .kinds = kinds_of(rules), .stride = visit->stride};
    visit->cases = &proof.cases;
    visit->column->prove(&proof);
    if (proof.outcome == REFUTED)
        visit_end(visit, KILLED, proof.cases, proof.why, "refuted");
    visit_end(visit, proof.cases > 0 ? SURVIVED : NOT_ASKED, proof.cases, "", "");
}

const struct column columns[] = {
    {"vectors", VECTORS, "", "the readable files of the golden vectors", ask_readable, NULL, NULL, NULL},
    {"complete", VECTORS, "", "the complete tiers of the golden vectors: transitions, extra-state, positions",
     ask_complete, NULL, NULL, NULL},
#define PART(id, name, encoding, sentence, asks) \
    {name, ENUMERATION, encoding, sentence, ask_part, sweep_##id, NULL, NULL},
#define MINUTES_PART(id, name, encoding, sentence, asks)
#define HOURS_PART(id, name, encoding, sentence, asks)
#define LONG_PART(id, name, encoding, sentence, asks)
#include "../sweep/parts.def"
#undef PART
#undef MINUTES_PART
#undef HOURS_PART
#undef LONG_PART
#define THEOREM(id, holds, sentence, premises, shares) \
    {#id, PROOF, "", sentence, ask_theorem, NULL, applies_##id, prove_##id},
#include "../prove/theorems.def"
#undef THEOREM
#define ENGINE(id, sentence) {#id, FUZZING, "", sentence, NULL, NULL, NULL, NULL},
#include "../../museum/fuzzing.def"
};
const size_t column_count = sizeof columns / sizeof columns[0];
