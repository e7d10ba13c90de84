/* SPDX-License-Identifier: MIT
 *
 * run.h - what the parts of `assay run` share: the settings and the results.
 */
#ifndef ASSAY_RUN_RUN_H
#define ASSAY_RUN_RUN_H

#include "../cli.h"
#include "process.h"

/* The settings of the command line. */
struct settings {
    const char *folder, *encoding, *profile, *skip, *baseline, *new_baseline, *junit, *html, *badge, *time_limit;
    bool is_plain, without_verdict, without_output, is_thorough, as_json, is_quiet, shows_all, shows_policies,
        with_answers;
    struct choice choice;
    struct limits limits;
    double shrink_seconds; /* for all causes */
    size_t jobs, every;    /* 1: all cases; N: every Nth case of a category */
    char **command;        /* ends with NULL */
    const char *library;   /* a loadable codec instead of a command */
};

/* How well the answers to requests that name a policy fit each policy. */
struct fit {
    size_t asked;                         /* requests with an answer that may depend on the policy */
    size_t ill_formed;                    /* of these, how many have ill-formed input, so that it does */
    size_t left_over[ASSAY_POLICY_COUNT]; /* of these, how many differ from the policy */
    size_t expected[ASSAY_POLICY_COUNT],
        met[ASSAY_POLICY_COUNT]; /* answers that the vectors have under this policy, and how many of them agree */
    enum assay_policy profile;   /* the policy that they are compared with */
    bool is_chosen;              /* the profile does not change any more */
};

enum { ENCODINGS_MAX = 32 };

enum verdict { PASSED, FAILED, SKIPPED, SKIPPED_BY_WISH };

/* A case and its requests, which are adjacent. */
struct tried {
    const struct category *category;
    const struct vector_case *test;
    size_t first, request_count; /* the index of the first request */
    enum verdict verdict;
    const char *reason; /* of SKIPPED_BY_WISH */
};

enum { CAUSE_KEY_MAX = 200 };

/* The shortest request found that fails in the same way as a cause's request, as text. `asked` is NULL if there is no
 * shorter one. */
struct shrunk {
    char *asked, *expected, *got; /* the request as it was sent, and both replies */
    size_t byte_count, piece_count;
    size_t attempts; /* requests that were sent to find it */
};

/* Requests that failed in the same way. */
struct cause {
    char key[CAUSE_KEY_MAX];
    size_t request_count, case_count;
    bool asked[ASK_COUNT][POLICY_WORDS]; /* the words of these requests */
    const struct tried *last;            /* the case that was counted last */
    const struct tried *smallest;        /* the one with the fewest bytes and the simplest request */
    const struct request *request;       /* of that one */
    struct shrunk shrunk;                /* made from it */
    struct remainder {
        const struct cause *as; /* another one; NULL: none is known */
        char *hex;              /* the bytes */
    } remainder;                /* what is left of that input after its first errors, and still fails */
    size_t number;              /* as in struct request */
};

struct run_tally {
    size_t cases[SKIPPED_BY_WISH + 1];
    size_t answered, failed, skipped, troubled, not_asked; /* requests */
    size_t cases_not_asked;                                /* or not wholly: because the run was interrupted */
};

struct run {
    struct settings settings;
    struct vectors vectors;
    struct process process;
    struct requests requests;
    struct tried *tried;
    size_t tried_count;
    size_t texts, texts_asked; /* of the positions tier, in lines of which the subject offers a request */
    struct {
        const struct category *category; /* one of these per encoding */
        struct fit fits[POLICY_NONE];
    } encodings[ENCODINGS_MAX];
    size_t encoding_count;
    struct cause *causes; /* those with most requests first */
    size_t cause_count;
    struct run_tally total;
    json_t *known;             /* the baseline: keys of known failures; NULL: no baseline */
    json_t *failing, *passing; /* keys of this run's failures, and of requests that passed */
    size_t new_failures, unexpected_passes;
    double seconds;
    /* Starts of a plain program, or requests to a process: those of the parts of the run that are done, and all. */
    size_t asked, to_ask;
    double begun, shown_at; /* the first of them; the last report of progress (cli_now_ns) */
};

/* True if a request failed. (judge.c) */
bool request_failed(const struct run *run, const struct request *request);
enum difference request_difference(const struct run *run, const struct request *request);

/* The policy with whose expected answer the request is compared. */
enum assay_policy request_profile(const struct run *run, const struct request *request);

/* The name of the policy with which the answer was compared, if the request does not name it: the one that fits the
 * subject's own practice best, or that of --profile. NULL: it names it, or has no policy. */
const char *request_compared_with(const struct run *run, const struct request *request);

/* The stream of a `reuse` request whose answer differs first; 0 for all other requests. */
size_t request_stream(const struct run *run, const struct request *request);

/* The first error that the vectors state for `strict` in a stream, also if the policy continues after it. Its fault is
 * NONE if they state none: the input is well-formed, or boundaries are asked. */
const struct assay_span *request_first_error(const struct request *request, size_t stream);

/* True if requests were not asked, or if the subject ended or hung and no request, asked alone, brought that about
 * again: a failure that no case shows. (judge.c) */
bool run_is_troubled(const struct run *run);

/* Counts the answers under each policy, and decides which policy those of each encoding are compared with: for its own
 * practice, as soon as there are answers to ill-formed text. */
void judge_policies(struct run *run, const struct request *requests, size_t count);

/* Decides which cases passed, and the causes of failures. */
void judge(struct run *run);

/* Asks the subject for a shorter request for each cause, until shrink_seconds are over. (shrink.c) */
void shrink_causes(struct run *run);
void cause_free(struct cause *cause);

/* The cause of a request to validate or to decode a whole input, which failed; NULL: it has not failed in this way
 * before. (judge.c) */
const struct cause *cause_of(const struct run *run, const struct request *request);

/* Lists of cases that are not asked, each with a reason, and of known failures. A glob of the first that matches no
 * case of the folder's vectors ends the program with exit code 2, before other vectors are loaded. (ledger.c) */
void ledger_read_skips(struct run *run, const char *folder);
const char *ledger_reason(const struct run *run, const char *id);
void ledger_read_baseline(struct run *run);
void ledger_key(char *key, size_t room, const struct request *request);
void ledger_compare(struct run *run);
void ledger_write_baseline(const struct run *run);

/* (plain.c) */
void plain_offer(struct offer *offer, const struct settings *settings);
size_t plain_count_starts(const struct requests *requests);
void plain_ask(struct run *run, struct requests *requests, bool shows_progress);

/* The positions tier: counts its texts, and adds to `to_ask` what will be asked about them; asks about a share of them,
 * or all. (positions.c) */
void positions_plan(struct run *run);
void positions_ask(struct run *run);

/* Shows how far the run is, if that is due: with this part of it, `done` starts or requests further than `asked`.
 * (run.c) */
void run_show_progress(struct run *run, size_t done);

/* The index of the encoding of a category among those of the run. (run.c) */
uint8_t run_encoding(struct run *run, const struct category *category);

/* Prints "(per-sequence) " before an expected reply, if the request does not name the policy that it is of. */
void report_compared_with(FILE *out, const struct run *run, const struct request *request);

/* Prints how many texts of the positions tier were asked, if any could be. (report.c) */
void report_positions(FILE *out, const struct run *run);

/* Prints what a subject leaves out that most decoders can be asked, and how its greeting would say it. (hints.c) */
void report_hints(FILE *out, const struct run *run);

/* (report.c) */
void report_text(const struct run *run);
void report_json(const struct run *run);
void report_junit(const struct run *run);
void report_badge(const struct run *run);
void report_html(const struct run *run);
void report_request(FILE *out, const struct run *run, const struct tried *tried, const struct request *request);

/* The parts of that letter: each fact and its value, which may have several lines; the command that asks the case
 * again, and compares a request's answer with the same policy. */
void report_facts(const struct run *run, const struct request *request,
                  void (*take)(FILE *out, const char *name, const char *value), FILE *out);
void report_again(FILE *out, const struct run *run, const struct request *request);

/* Counts the verdicts of the category of a case, and returns the index of the first case after it. */
size_t report_count_cases(const struct run *run, size_t first, size_t cases[SKIPPED_BY_WISH + 1]);

/* True if a table shows a category: with --all each one of the encodings that the subject names, else those of which a
 * case was asked or listed in the file of --skip. */
bool report_lists(const struct run *run, const struct category *category, const size_t cases[SKIPPED_BY_WISH + 1]);

/* Prints how many cases are of categories that a table does not show, and why. */
void report_unlisted(FILE *out, const struct run *run);

/* The same for cases of encodings that the subject does not name, none of which was asked; returns how many they
 * are. */
size_t report_unnamed(FILE *out, const struct run *run);

/* "group 2: E0 81 81, ...": a cause whose smallest input shows another one, too. Nothing if none is known. */
void report_remainder(FILE *out, const struct run *run, const struct cause *cause);

/* "validate, decode strict": what the requests of a cause were. */
void report_asked_by(FILE *out, const struct cause *cause);

/* Prints a line for each trouble with the process: restarts, why, what was not asked for that, and late replies. */
void report_troubles(FILE *out, const struct run *run);

/* Prints a line for each policy of each encoding that was asked: which it is, how many answers are left over. */
void report_fits(FILE *out, const struct run *run, bool shows_policies);

#endif
