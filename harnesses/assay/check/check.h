/* SPDX-License-Identifier: MIT
 *
 * assay check: the golden vectors against the codecs. The expected answers are those of the vectors; the reference is
 * tested like all other codecs.
 */
#ifndef ASSAY_CHECK_H
#define ASSAY_CHECK_H

#include "../../core/report.h"
#include "../cli.h"
#include "../vectors/ask.h"
#include "../vectors/positions.h"

#include <jansson.h>
#include <stdio.h>

/* What the command line asks for. */
struct check_settings {
    const char *folder, *codec_glob, *junit_path;
    bool only_list, as_json, quiet, every_letter, own_folder, asks_everything, as_annotations, by_policy, fails_fast;
};
extern struct check_settings check_settings;

struct case_tally {
    size_t cases, failed; /* a case failed if any codec failed it */
    uint64_t compared, skipped;
};

struct silent_codec {
    const struct assay_codec *codec;
    size_t silences, left_out; /* questions without an answer; cases that were skipped after too many of these */
};

/* With --policies: the cases that asked a codec for answers under each policy. */
struct policy_tallies {
    struct policy_tally {
        size_t cases, failed;
        const struct vector_case *last, *last_failed; /* the cases that are counted */
    } of[ASSAY_POLICY_COUNT];
};

struct run {
    struct choice choice;
    const struct registry_row **codecs; /* those that run here and have an encoding of the vectors */
    size_t codec_count;
    struct seat *seat;
    struct converter converter;
    struct silent_codec *silent;
    size_t silent_count;
    struct policy_tallies *by_policy; /* of each codec; NULL without --policies */
    struct case_tally total;
    size_t not_asked; /* chosen cases after the first that failed, with --fail-fast; after an interruption */
    size_t letters, letters_shown;
    json_t *sorts; /* keys of the letters shown */
    json_t *categories, *failures;
    FILE *junit; /* in memory, until the run ends */
    struct {     /* the case that is checked now */
        const struct vector_case *test;
        const struct probe *probe; /* that is asked; NULL: a conversion is */
        struct case_tally tally;
        FILE *letters; /* all its letters, for JUnit */
    } now;
};

/* ---- cases.c ---- */

/* Asks every codec of the category's encoding about the case `run->now`. A codec that fails it once is not asked
 * further, except with --policies. */
void check_case(struct run *run, const struct category *category);

/* From this call on, a codec that gives no answer fails its case, and the run continues. NULL restores the usual
 * behaviour. */
void check_survive(struct run *run);

/* ---- silent.c ---- */

/* Counts that a codec gave no answer. */
void silent_count(struct run *run, const struct assay_codec *codec);

/* True if a codec gave no answer too often to be asked again; the case is then counted as skipped. */
bool silent_skip_case(struct run *run, const struct assay_codec *codec);

/* Reports the codecs that are no longer asked: prints them as text, or returns a JSON array, which the caller owns. For
 * text the array is empty. */
json_t *silent_report(const struct run *run);

/* The same as silent_skip_case(), without counting. */
bool silent_is_left_out(struct run *run, const struct assay_codec *codec);

/* ---- policies.c: only with --policies ---- */

void policies_begin(struct run *run);
void policies_end(struct run *run);

/* Counts an answer of the codec, in the case `run->now`. */
void policies_count(struct run *run, const struct assay_codec *codec, enum assay_policy policy, bool agrees);

/* Reports the counts: prints them as text, or returns a JSON array, which the caller owns. For text the array is
 * empty. */
json_t *policies_report(const struct run *run);

/* ---- failures.c: letters about the case `run->now`, printed or added to the JSON; none with --policies ---- */

void failure_divergence(struct run *run, const struct divergence *divergence);
void failure_silence(struct run *run, const struct asking *silent, const char *end, const char *sentence);
void failure_conversion(struct run *run, const struct assay_codec *codec, const struct conversion *conversion,
                        const char *field);

/* On a terminal, shows the name of the category in progress; NULL clears it. */
void check_show_progress(const char *category);

/* ---- report.c ---- */

/* Checks all categories that have a chosen case, and reports them. */
void check_all(struct run *run, const struct vectors *vectors);

#endif
