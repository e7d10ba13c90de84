/* SPDX-License-Identifier: MIT
 *
 * Hints: what a run could not look at, because the subject offers or answers nothing of it; and what its answers
 * suggest to ask in another way.
 */
#include "run.h"

#include <string.h>

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

static bool decodes_whole(const struct request *request)
{
    return request->ask == ASK_DECODE;
}

/* The verdicts on texts. Texts of the positions tier are left out that did not fail. */
struct verdicts {
    size_t well_formed, refused; /* texts that are, and how many of them it calls ill-formed */
    size_t ill_formed, accepted; /* and the other way */
};

static struct verdicts count_verdicts(const struct run *run)
{
    struct verdicts verdicts = {0};
    for (size_t i = 0; i < run->requests.count; i++) {
        const struct request *request = &run->requests.all[i];
        if (request->outcome != OUTCOME_ANSWERED || !request_is_for_verdict(request) || request->probe == NULL)
            continue;
        bool is_well_formed = request_first_error(request, 0)->fault == ASSAY_FAULT_NONE;
        enum difference difference = request_difference(run, request);
        verdicts.well_formed += is_well_formed;
        verdicts.refused += is_well_formed && difference == DIFFERS_REFUSED;
        verdicts.ill_formed += !is_well_formed;
        verdicts.accepted += !is_well_formed && difference == DIFFERS_ACCEPTED;
    }
    return verdicts;
}

/* How many well-formed texts, not empty, a program has answered with no text, if it has written nothing for any other,
 * either; else 0. A reply that is not kept is as every policy expects. */
static size_t count_unwritten(const struct run *run)
{
    static const char nothing[] = "ok -";
    size_t count = 0;
    for (size_t i = 0; i < run->requests.count; i++) {
        const struct request *request = &run->requests.all[i];
        if (request->ask != ASK_DECODE || request->probe == NULL || request->probe->question.input_count == 0)
            continue;
        if (request->outcome != OUTCOME_ANSWERED || request->reply == NULL ||
            request->reply_length != strlen(nothing) || memcmp(request->reply, nothing, strlen(nothing)) != 0)
            return 0;
        count += request_first_error(request, 0)->fault == ASSAY_FAULT_NONE;
    }
    return count;
}

static void hint_verdicts(FILE *out, const struct run *run, size_t unwritten)
{
    const struct settings *settings = &run->settings;
    const struct verdicts verdicts = count_verdicts(run);
    bool refuses_all = verdicts.well_formed > 0 && verdicts.refused == verdicts.well_formed && verdicts.accepted == 0;
    if (refuses_all)
        fprintf(out, "hint: it refuses every text, all %zu well-formed ones, too%s\n", verdicts.refused,
                settings->is_plain ? ": a plain program reads the text from standard input, and exits with 0 if it is "
                                     "well-formed, with 1 if not"
                                   : "");
    if (settings->is_plain && verdicts.accepted > 0 && verdicts.accepted == verdicts.ill_formed)
        fprintf(out,
                "hint: it exits with 0 for all ill-formed texts (%zu); a program that replaces errors, and always "
                "does, is tested with --no-verdict\n",
                verdicts.accepted);
    if (unwritten > 0 && verdicts.refused < verdicts.well_formed)
        fprintf(out,
                "hint: it wrote nothing, not even for the %zu well-formed texts; --no-output compares the "
                "verdict alone\n",
                unwritten);
}

/* About texts in pieces: that they failed, where the greeting does not say that the subject takes them; or that it was
 * not asked, or did not answer, where it decodes whole ones. */
static void hint_pieces(FILE *out, const struct run *run)
{
    const struct settings *settings = &run->settings;
    struct kind pieces = count_kind(run, request_is_in_pieces, run->requests.left_out.pieces);
    struct kind whole = count_kind(run, decodes_whole, 0);
    bool is_silent = pieces.answered + pieces.failed == 0 && pieces.left_out > 0 && whole.answered + whole.failed > 0;
    if (settings->is_plain)
        return;
    if (!run->process.offer.says_chunks && pieces.failed > 0)
        fprintf(
            out,
            "hint: %zu requests about texts in pieces failed, and its reply to hello has no key chunks; a subject that "
            "takes whole texts only says chunks=no\n",
            pieces.failed);
    else if (is_silent && settings->library != NULL)
        fprintf(out, "hint: it was not asked about texts in pieces (%zu requests): the codec has no feed_utf32\n",
                pieces.left_out);
    else if (is_silent)
        fprintf(out,
                "hint: it was not asked about texts in pieces (%zu requests); a subject that decodes them says "
                "chunks=yes, or chunks=late\n",
                pieces.left_out);
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
    struct kind verdicts = count_kind(run, request_is_for_verdict, run->requests.left_out.verdicts);
    size_t unwritten = run->settings.is_plain ? count_unwritten(run) : 0;
    if (unwritten == 0) /* no output shows no policy */
        hint_policies(out, run);
    hint_pieces(out, run);
    hint_verdicts(out, run, unwritten);
    if (!run->settings.without_verdict && verdicts.answered + verdicts.failed == 0 && verdicts.left_out > 0)
        fprintf(out,
                "hint: it gave no verdict (%zu requests): that it refuses ill-formed text was not seen; a subject that "
                "does answers validate, or decode under strict\n",
                verdicts.left_out);
}
