/* SPDX-License-Identifier: MIT
 *
 * Hints: what a run could not look at, because the subject offers or answers nothing of it; and what its answers
 * suggest to ask in another way.
 */
#include "run.h"

/* Requests of one kind: how many were left out, by the greeting or by the reply `skip`, and how many had an answer. */
struct kind {
    size_t left_out, answered, failed;
};

static struct kind count_kind(const struct run *run, bool (*is_of_kind)(const struct request *request), size_t left_out)
{
    struct kind kind = {.left_out = left_out};
    for (size_t i = 0; i < run->requests.count; i++) {
        const struct request *request = &run->requests.all[i];
        if (!is_of_kind(request))
            continue;
        kind.left_out += request->outcome == OUTCOME_SKIPPED;
        kind.answered += request->outcome == OUTCOME_ANSWERED;
        kind.failed += request_failed(run, request);
    }
    return kind;
}

/* How many ill-formed texts a program accepts, if it accepts them all; else 0. Texts of the positions tier are left out
 * that did not fail. */
static size_t count_accepted(const struct run *run)
{
    size_t accepted = 0;
    for (size_t i = 0; i < run->requests.count; i++) {
        const struct request *request = &run->requests.all[i];
        bool has_verdict = request->outcome == OUTCOME_ANSWERED && request_is_for_verdict(request);
        if (!has_verdict || request->probe == NULL || request_first_error(request, 0)->fault == ASSAY_FAULT_NONE)
            continue;
        if (request_difference(run, request) != DIFFERS_ACCEPTED)
            return 0;
        accepted++;
    }
    return accepted;
}

/* Where the policy that is nearest leaves over more than one answer in 20 to ill-formed text, none may be meant: says
 * what whatwg leaves over, which is the policy that most decoders follow. */
static void hint_policies(FILE *out, const struct run *run)
{
    enum { SHARE = 20 };
    for (size_t i = 0; i < run->encoding_count && run->settings.profile == NULL; i++) {
        const struct category *category = run->encodings[i].category;
        const struct fit *fit = &run->encodings[i].fits[POLICY_OWN];
        if (fit->profile == ASSAY_POLICY_WHATWG || SHARE * fit->left_over[fit->profile] <= fit->ill_formed)
            continue;
        fprintf(out,
                "hint: no policy fits %.*s well: %s, the nearest, leaves over %zu of %zu answers, whatwg %zu; "
                "--profile whatwg compares them with whatwg\n",
                (int)category_encoding_length(category), category->name, assay_policy_name(fit->profile),
                fit->left_over[fit->profile], fit->asked, fit->left_over[ASSAY_POLICY_WHATWG]);
    }
}

void report_hints(FILE *out, const struct run *run)
{
    hint_policies(out, run);
    const struct settings *settings = &run->settings;
    struct kind pieces = count_kind(run, request_is_in_pieces, run->requests.left_out.pieces);
    struct kind verdicts = count_kind(run, request_is_for_verdict, run->requests.left_out.verdicts);
    if (!settings->is_plain && !run->process.offer.says_chunks && pieces.failed > 0)
        fprintf(
            out,
            "hint: %zu requests about texts in pieces failed, and its reply to hello has no key chunks; a subject that "
            "takes whole texts only says chunks=no\n",
            pieces.failed);
    else if (!settings->is_plain && run->process.offer.ops[ASK_DECODE] && pieces.answered + pieces.failed == 0 &&
             pieces.left_out > 0)
        fprintf(out,
                "hint: it was not asked about texts in pieces (%zu requests); a subject that decodes them says "
                "chunks=yes, or chunks=late\n",
                pieces.left_out);
    size_t accepted = settings->is_plain && !settings->without_verdict ? count_accepted(run) : 0;
    if (accepted > 0)
        fprintf(
            out,
            "hint: it exits with 0 for each of the %zu ill-formed texts; a program that replaces errors, and always "
            "does, is tested with --no-verdict\n",
            accepted);
    if (!settings->without_verdict && verdicts.answered + verdicts.failed == 0 && verdicts.left_out > 0)
        fprintf(out,
                "hint: it gave no verdict (%zu requests): that it refuses ill-formed text was not seen; a subject that "
                "does answers validate, or decode under strict\n",
                verdicts.left_out);
}
