/* SPDX-License-Identifier: MIT
 *
 * Reports the results of a run, as text, JSON and JUnit. What a subject printed is escaped wherever it is shown.
 */
#include "run.h"

#include "../../core/report.h"
#include "../junit.h"
#include "../provenance.h"
#include "reply.h"

#include <stdlib.h>
#include <string.h>

enum { CAUSES_SHOWN = 8, SHOWN_BYTES = 160, NOTE_BYTES = 4000, JUNIT_LETTERS = 3, JSON_REPLY = 1000 };

/* ---- one request ---------------------------------------------------------------------------------------- */

/* "s" after each number but 1. */
static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* Prints bytes; if there are many, the first ones. */
static void print_bytes(FILE *out, const uint8_t *bytes, size_t count)
{
    enum { MOST = 48 };
    report_hex(out, bytes, 1, count < MOST ? count : MOST);
    fprintf(out, "%s   (%zu byte%s)", count > MOST ? " ..." : "", count, plural(count));
}

static void print_input(FILE *out, const struct run *run, const struct request *request)
{
    if (request->conversion != NULL) {
        print_bytes(out, request->conversion->input, request->conversion->input_count);
        return;
    }
    size_t stream = request_stream(run, request);
    const struct question *question = &request->probe[stream].question;
    if (request->ask == ASK_ENCODE || request->ask == ASK_ENCODE_UTF16) {
        report_hex(out, question->input, operation_input_unit(question->operation), question->input_count);
        fprintf(out, "   (%zu unit%s)", question->input_count, plural(question->input_count));
    } else {
        print_bytes(out, question->input, question->input_count);
        if (stream > 0)
            fprintf(out, ", stream %zu", stream + 1);
    }
}

/* Prints what is wrong with the input, and the clause that the vectors are made from. */
static void print_standard(FILE *out, const struct run *run, const struct request *request)
{
    size_t stream = request_stream(run, request);
    const struct assay_span *error = request_first_error(request, stream);
    if (request->ask == ASK_BOUNDARIES)
        fputs("each byte is of a character, or of the maximal subpart of an error (Unicode, D93b)", out);
    else if (error->length == 0)
        fputs("the input is well-formed", out);
    else if (request->ask == ASK_ENCODE || request->ask == ASK_ENCODE_UTF16)
        fprintf(out, "unit %zu: %s", error->offset, assay_fault_sentence(error->fault));
    else if (request->conversion != NULL)
        report_span(out, error, request->conversion->input, request->conversion->input_count);
    else
        report_span(out, error, request->probe[stream].question.input, request->probe[stream].question.input_count);
}

/* True if the subject names policies besides its own practice: --profile would be about its answers under these. */
static bool offers_named_policies(const struct run *run)
{
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        if (policy != ASSAY_POLICY_STRICT && run->process.offer.policies[policy])
            return true;
    return false;
}

/* Prints the command so that a shell reads it back. */
static void print_command(FILE *out, const struct run *run, const struct request *request)
{
    const struct settings *settings = &run->settings;
    cli_print_program(out);
    fputs(" run", out);
    if (settings->is_plain)
        fprintf(out, " --plain%s%s", settings->without_verdict ? " --no-verdict" : "",
                settings->without_output ? " --no-output" : "");
    if (settings->is_thorough)
        fputs(" --thorough", out);
    if (settings->time_limit != NULL)
        fprintf(out, " --time-limit %s", settings->time_limit);
    /* which policy fits one case best is another question than which fits them all */
    const char *fitted = request->policy == POLICY_OWN && !offers_named_policies(run)
                             ? assay_policy_name(request_profile(run, request))
                             : NULL;
    if (settings->profile != NULL || fitted != NULL)
        fprintf(out, " --profile %s", settings->profile != NULL ? settings->profile : fitted);
    if (settings->folder != NULL) {
        fputs(" --vectors ", out);
        cli_quote(out, settings->folder);
    }
}

void report_again(FILE *out, const struct run *run, const struct request *request)
{
    print_command(out, run, request);
    fputc(' ', out);
    cli_quote(out, request->test->id);
    if (run->settings.library != NULL) {
        fputs(" --codec ", out);
        cli_quote(out, run->settings.library);
    } else {
        fputs(" --", out);
        for (char **word = run->settings.command; *word != NULL; word++) {
            fputc(' ', out);
            cli_quote(out, *word);
        }
    }
}

static void print_asked(FILE *out, const struct run *run, const struct request *request)
{
    (void)run;
    struct byte_string text = {0};
    request_write(&text, request);
    print_escaped(out, text.bytes, text.length, SHOWN_BYTES);
    byte_string_free(&text);
}

void report_compared_with(FILE *out, const struct run *run, const struct request *request)
{
    const char *policy = request_compared_with(run, request);
    if (policy != NULL)
        fprintf(out, "(%s) ", policy);
}

static void print_expected(FILE *out, const struct run *run, const struct request *request)
{
    report_compared_with(out, run, request);
    reply_write_expected(out, request, request_profile(run, request));
}

/* The reply, or how the request ended and what the subject wrote on standard error, which has several lines. */
static void print_got(FILE *out, const struct run *run, const struct request *request)
{
    (void)run;
    if (request->outcome != OUTCOME_ANSWERED)
        fprintf(out, "%s: ", outcome_name(request->outcome));
    if (request->reply == NULL)
        return;
    size_t most = request->outcome == OUTCOME_ANSWERED ? SHOWN_BYTES : NOTE_BYTES;
    const char *at = request->reply, *end = at + (request->reply_length < most ? request->reply_length : most),
               *line_end;
    while ((line_end = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        print_escaped(out, at, (size_t)(line_end - at), most);
        fputc('\n', out);
        at = line_end + 1;
    }
    print_escaped(out, at, (size_t)(end - at), most);
}

/* What a letter says of a request, in this order. */
static const struct {
    const char *name;
    void (*print)(FILE *out, const struct run *run, const struct request *request);
} facts[] = {{"asked", print_asked},
             {"bytes", print_input},
             {"expected", print_expected},
             {"got", print_got},
             {"standard", print_standard}};
enum { FACTS = sizeof facts / sizeof facts[0] };

void report_facts(const struct run *run, const struct request *request,
                  void (*take)(FILE *out, const char *name, const char *value), FILE *out)
{
    for (size_t i = 0; i < FACTS; i++) {
        char *value;
        size_t size;
        FILE *text = cli_open_text(&value, &size);
        facts[i].print(text, run, request);
        fclose(text);
        take(out, facts[i].name, value);
        free(value);
    }
}

/* What the standard says is prose, which is broken on a terminal; other facts are copied from there. Other lines of a
 * value stand under its first. */
static void print_fact(FILE *out, const char *name, const char *value)
{
    if (out == stdout && strcmp(name, "standard") == 0) {
        char *line;
        size_t size;
        FILE *text = cli_open_text(&line, &size);
        fprintf(text, "    %-10s %s", name, value);
        fclose(text);
        cli_print_line(line);
        return;
    }
    fprintf(out, "    %-10s ", name);
    for (; *value != '\0'; value++) {
        fputc(*value, out);
        if (*value == '\n')
            fprintf(out, "%15s", "");
    }
    fputc('\n', out);
}

void report_request(FILE *out, const struct run *run, const struct tried *tried, const struct request *request)
{
    fprintf(out, "  %s: %s\n", tried->test->id, tried->test->comment);
    report_facts(run, request, print_fact, out);
    fprintf(out, "    %-10s ", "again");
    report_again(out, run, request);
    fputc('\n', out);
}

/* ---- for a person ------------------------------------------------------------------------------------------ */

enum { LEAST_NAME = 32 }; /* columns of the name of a category */

static int widest_name(const struct run *run)
{
    size_t widest = LEAST_NAME;
    for (size_t i = 0; i < run->tried_count; i++)
        if (strlen(run->tried[i].category->name) > widest)
            widest = strlen(run->tried[i].category->name);
    return (int)widest;
}

size_t report_count_cases(const struct run *run, size_t first, size_t cases[SKIPPED_BY_WISH + 1])
{
    size_t i = first;
    for (enum verdict verdict = 0; verdict <= SKIPPED_BY_WISH; verdict++)
        cases[verdict] = 0;
    for (; i < run->tried_count && run->tried[i].category == run->tried[first].category; i++)
        cases[run->tried[i].verdict]++;
    return i;
}

bool report_lists(const struct run *run, const struct category *category, const size_t cases[SKIPPED_BY_WISH + 1])
{
    return cases[PASSED] + cases[FAILED] + cases[SKIPPED_BY_WISH] > 0 ||
           (run->settings.shows_all && offer_names(&run->process.offer, category));
}

void report_unlisted(FILE *out, const struct run *run)
{
    size_t count = 0, categories = 0, cases[SKIPPED_BY_WISH + 1];
    for (size_t i = 0, next; i < run->tried_count; i = next) {
        const struct category *category = run->tried[i].category;
        next = report_count_cases(run, i, cases);
        if (report_lists(run, category, cases) || !offer_names(&run->process.offer, category))
            continue;
        count += cases[SKIPPED];
        categories++;
    }
    if (categories > 0)
        fprintf(out, "not listed: %zu skipped case%s in %zu categor%s, which ask%s only what it does not offer%s\n",
                count, plural(count), categories, categories == 1 ? "y" : "ies", categories == 1 ? "s" : "",
                run->total.not_asked > 0 ? ", or were not asked" : "");
}

static void print_categories(const struct run *run)
{
    int width = widest_name(run);
    size_t cases[SKIPPED_BY_WISH + 1];
    printf("%-*s %7s %7s %7s\n", width, "category", "passed", "failed", "skipped");
    for (size_t i = 0, next; i < run->tried_count; i = next) {
        const struct category *category = run->tried[i].category;
        next = report_count_cases(run, i, cases);
        if (report_lists(run, category, cases))
            printf("%-*s %7zu %7zu %7zu\n", width, category->name, cases[PASSED], cases[FAILED],
                   cases[SKIPPED] + cases[SKIPPED_BY_WISH]);
    }
    report_unlisted(stdout, run);
}

/* Prints "utf-8 whatwg is whatwg: 9 of 9 answers": the policy that the subject names, and the one that its answers fit
 * best. */
static void print_fit(FILE *out, const struct category *category, unsigned policy, const struct fit *fit)
{
    char asked[64];
    enum assay_policy best = fit->profile;
    for (enum assay_policy each = 0; each < ASSAY_POLICY_COUNT; each++)
        if (fit->left_over[each] < fit->left_over[best])
            best = each;
    snprintf(asked, sizeof asked, "%.*s %s", (int)category_encoding_length(category), category->name,
             policy_word(policy));
    size_t left_over = fit->left_over[fit->profile];
    if (fit->ill_formed == 0 && policy == POLICY_OWN) {
        fprintf(out, "%-32s is not known: %zu answer%s, %zu left over, none to ill-formed input\n", asked, fit->asked,
                plural(fit->asked), left_over);
        return;
    }
    const char *relation = left_over == 0            ? "is"
                           : policy == POLICY_OWN    ? "is nearest to"
                           : left_over == fit->asked ? "is not"
                                                     : "is not always";
    fprintf(out, "%-32s %s %s: %zu of %zu answer%s, %zu left over", asked, relation, assay_policy_name(fit->profile),
            fit->asked - left_over, fit->asked, plural(fit->asked), left_over);
    if (best != fit->profile)
        fprintf(out, "; %s fits better, with %zu left over", assay_policy_name(best), fit->left_over[best]);
    fputc('\n', out);
}

/* Prints how many answers agree with each policy: one may fit clearly, or two about equally well. */
static void print_policies(FILE *out, const struct fit *fit)
{
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        if (fit->expected[policy] > 0)
            fprintf(out, "  %-30s %7zu of %zu answers\n", assay_policy_name(policy), fit->met[policy],
                    fit->expected[policy]);
}

void report_fits(FILE *out, const struct run *run, bool shows_policies)
{
    for (size_t i = 0; i < run->encoding_count; i++)
        for (unsigned policy = 0; policy < POLICY_NONE; policy++)
            if (run->encodings[i].fits[policy].asked > 0) {
                print_fit(out, run->encodings[i].category, policy, &run->encodings[i].fits[policy]);
                if (shows_policies)
                    print_policies(out, &run->encodings[i].fits[policy]);
            }
    size_t count = 0;
    for (size_t i = 0; i < run->cause_count; i++)
        count += run->causes[i].request->outcome == OUTCOME_NOT_UTF_8 ? run->causes[i].request_count : 0;
    if (count > 0)
        fprintf(out, "%zu output%s not UTF-8, which is right under no policy\n", count, count == 1 ? " is" : "s are");
}

void report_asked_by(FILE *out, const struct cause *cause)
{
    const char *separator = "";
    for (enum ask ask = 0; ask < ASK_COUNT; ask++)
        for (unsigned policy = 0; policy < POLICY_WORDS; policy++)
            if (cause->asked[ask][policy]) {
                fprintf(out, "%s%s%s%s", separator, ask_name(ask), policy == POLICY_NONE ? "" : " ",
                        policy == POLICY_NONE ? "" : policy_word(policy));
                separator = ", ";
            }
}

/* Prints a shorter request that fails in the same way, if one was found. */
static void print_shrunk(const struct run *run, const struct cause *cause)
{
    const struct shrunk *shrunk = &cause->shrunk;
    if (shrunk->asked == NULL)
        return;
    printf("    shrunk     to %zu byte%s in %zu piece%s\n      asked    %.*s\n      expected ", shrunk->byte_count,
           plural(shrunk->byte_count), shrunk->piece_count, plural(shrunk->piece_count), SHOWN_BYTES, shrunk->asked);
    report_compared_with(stdout, run, cause->request);
    printf("%.*s\n      got      %.*s\n", SHOWN_BYTES, shrunk->expected, SHOWN_BYTES, shrunk->got);
}

void report_remainder(FILE *out, const struct run *run, const struct cause *cause)
{
    const struct remainder *remainder = &cause->remainder;
    if (remainder->as != NULL)
        fprintf(out, "group %zu (%s): %s, which follows the first error, fails alone as the input there",
                (size_t)(remainder->as - run->causes) + 1, remainder->as->key, remainder->hex);
}

static void print_causes(const struct run *run)
{
    size_t shown = run->settings.shows_all || run->cause_count < CAUSES_SHOWN ? run->cause_count : CAUSES_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const struct cause *cause = &run->causes[i];
        printf("\n%zu. %s: %zu request%s of %zu case%s\n", i + 1, cause->key, cause->request_count,
               plural(cause->request_count), cause->case_count, plural(cause->case_count));
        fputs("  by ", stdout);
        report_asked_by(stdout, cause);
        putchar('\n');
        report_request(stdout, run, cause->smallest, cause->request);
        print_shrunk(run, cause);
        if (cause->remainder.as != NULL) {
            fputs("    as in      ", stdout);
            report_remainder(stdout, run, cause);
            putchar('\n');
        }
    }
    if (shown < run->cause_count)
        printf("\n%zu more cause%s: --all shows them\n", run->cause_count - shown, plural(run->cause_count - shown));
}

static void print_baseline(const struct run *run)
{
    const char *name;
    json_t *value;
    if (run->known == NULL)
        return;
    json_object_foreach (run->failing, name, value)
        if (json_object_get(run->known, name) == NULL)
            printf("new failure: %s\n", name);
    json_object_foreach (run->passing, name, value)
        if (json_object_get(run->known, name) != NULL && json_object_get(run->failing, name) == NULL)
            printf("passes, and the baseline says that it fails: %s\n", name);
    printf("baseline: %zu known, %zu new failure%s, %zu unexpected pass%s\n", json_object_size(run->known),
           run->new_failures, plural(run->new_failures), run->unexpected_passes,
           run->unexpected_passes == 1 ? "" : "es");
}

void report_troubles(FILE *out, const struct run *run)
{
    const struct run_tally *total = &run->total;
    const struct process *process = &run->process;
    if (process->restarts > 0) {
        fprintf(out, "started again %zu time%s; the last time: ", process->restarts, plural(process->restarts));
        const char *why = process->last_trouble != NULL ? process->last_trouble : "it ended";
        print_escaped(out, why, strcspn(why, "\n"), SHOWN_BYTES);
        fputc('\n', out);
    }
    if (process->unexplained > 0)
        fprintf(out,
                "it died or hung %zu time%s with many requests under way, and no request brings that about alone: no "
                "case failed for that, but the run did\n",
                process->unexplained, plural(process->unexplained));
    if (process->late > 0)
        fprintf(out,
                "%zu repl%s came after the time limit, but within as long again, perhaps because the machine was busy: "
                "counted as answered\n",
                process->late, process->late == 1 ? "y" : "ies");
    if (process->left_categories > 0)
        fprintf(
            out,
            "after %zu restarts in succession without an answer it was asked nothing more of a category, %zu time%s "
            "(--restarts N: only after N in all)\n",
            process->limits.fruitless, process->left_categories, plural(process->left_categories));
    if (process->has_given_up)
        fprintf(out, "given up after %zu restart%s (--restarts N allows more)\n", process->restarts - 1,
                plural(process->restarts - 1));
    if (total->not_asked > 0)
        fprintf(out, "%zu request%s not asked\n", total->not_asked, total->not_asked == 1 ? " was" : "s were");
}

void report_positions(FILE *out, const struct run *run)
{
    if (run->texts > 0)
        fprintf(out, "positions tier: %zu of %zu texts asked%s\n", run->texts_asked, run->texts,
                run->settings.is_thorough ? ", not in pieces"
                                          : ", each under one policy, not in pieces; --thorough asks about all");
}

size_t report_unnamed(FILE *out, const struct run *run)
{
    size_t count = 0;
    for (const struct tried *tried = run->tried; tried < run->tried + run->tried_count; tried++)
        count += tried->verdict == SKIPPED && !offer_names(&run->process.offer, tried->category);
    if (count > 0)
        fprintf(out, "not counted: %zu case%s of encodings that it does not name\n", count, plural(count));
    return count;
}

/* The last line. It names what no case shows: deaths and hangs, and late replies. */
static void print_summary(const struct run *run, size_t cases, size_t unnamed)
{
    const struct run_tally *total = &run->total;
    char *line;
    size_t length;
    FILE *out = cli_open_text(&line, &length);
    fprintf(
        out,
        "%zu case%s: %zu passed, %zu failed, %zu skipped (%zu by wish); %zu request%s answered, %zu failed, %zu skipped, %zu not offered",
        cases, plural(cases), total->cases[PASSED], total->cases[FAILED],
        total->cases[SKIPPED] + total->cases[SKIPPED_BY_WISH] - unnamed, total->cases[SKIPPED_BY_WISH], total->answered,
        plural(total->answered), total->failed, total->skipped, run->requests.not_offered);
    if (run->process.unexplained > 0)
        fprintf(out, "; died or hung %zu time%s in no case", run->process.unexplained,
                plural(run->process.unexplained));
    if (run->process.late > 0)
        fprintf(out, "; %zu late", run->process.late);
    fclose(out);
    cli_print_words(line, length);
    putchar('\n');
    free(line);
}

void report_text(const struct run *run)
{
    const struct run_tally *total = &run->total;
    const struct offer *offer = &run->process.offer;
    if (!run->settings.is_quiet) {
        printf("subject %s%s%s\n\n", offer->name, offer->version[0] != '\0' ? " " : "", offer->version);
        print_categories(run);
    }
    print_causes(run);
    fputs(run->cause_count > 0 || !run->settings.is_quiet ? "\n" : "", stdout);
    report_fits(stdout, run, run->settings.shows_policies);
    report_troubles(stdout, run);
    print_baseline(run);
    if (!run->settings.is_quiet) {
        report_hints(stdout, run);
        printf("%.1f s, %.0f answers a second\n", run->seconds,
               run->seconds > 0 ? (double)total->answered / run->seconds : 0);
    }
    report_positions(stdout, run);
    if (cli_interruption != 0)
        printf("interrupted: %zu case%s not asked\n", total->cases_not_asked,
               total->cases_not_asked == 1 ? " was" : "s were");
    size_t unnamed = report_unnamed(stdout, run);
    print_summary(run, run->tried_count - unnamed, unnamed);
}

/* ---- JSON -------------------------------------------------------------------------------------------------- */

/* Returns printed text as a JSON string. */
static json_t *json_text(char *text)
{
    json_t *value = json_string(text);
    free(text);
    return value;
}

static json_t *json_expected(const struct run *run, const struct request *request)
{
    char *text;
    size_t size;
    FILE *out = cli_open_text(&text, &size);
    reply_write_expected(out, request, request_profile(run, request));
    fclose(out);
    return json_text(text);
}

static json_t *json_failure(const struct run *run, const struct tried *tried, const struct request *request,
                            const char *const *keys)
{
    struct byte_string asked = {0};
    request_write(&asked, request);
    json_t *failure =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "id", tried->test->id, "comment", tried->test->comment,
                  "request", ask_name(request->ask), "policy", policy_word(request->policy), "asked",
                  byte_string_end(&asked), "outcome", outcome_name(request->outcome), "difference",
                  request->outcome == OUTCOME_ANSWERED ? difference_name(request_difference(run, request)) : "-",
                  "expected", json_expected(run, request));
    enum assay_policy compared = reply_expected_policy(request, request_profile(run, request));
    json_object_set_new(failure, "compared_with",
                        json_string(request->policy == POLICY_NONE ? "-" : assay_policy_name(compared)));
    size_t kept = request->reply_length < JSON_REPLY ? request->reply_length : JSON_REPLY;
    json_object_set_new(failure, "cause", json_string(keys[request->cause]));
    json_object_set_new(
        failure, "got",
        json_text(escaped(request->reply != NULL ? request->reply : "", request->reply != NULL ? kept : 0, kept)));
    byte_string_free(&asked);
    return failure;
}

static json_t *json_fit(const struct category *category, unsigned policy, const struct fit *fit)
{
    json_t *left_over = json_object();
    for (enum assay_policy each = 0; each < ASSAY_POLICY_COUNT; each++)
        json_object_set_new(left_over, assay_policy_name(each), json_integer((json_int_t)fit->left_over[each]));
    return json_pack("{s:s#, s:s, s:s, s:I, s:o}", "encoding", category->name, (int)category_encoding_length(category),
                     "asked_for", policy_word(policy), "profile", assay_policy_name(fit->profile), "answers",
                     (json_int_t)fit->asked, "left_over", left_over);
}

static json_t *json_fits(const struct run *run)
{
    json_t *fits = json_array();
    for (size_t i = 0; i < run->encoding_count; i++)
        for (unsigned policy = 0; policy < POLICY_NONE; policy++)
            if (run->encodings[i].fits[policy].asked > 0)
                json_array_append_new(fits,
                                      json_fit(run->encodings[i].category, policy, &run->encodings[i].fits[policy]));
    return fits;
}

static json_t *json_offers(const struct offer *offer)
{
    json_t *names = json_array();
    for (enum ask ask = 0; ask < ASK_COUNT; ask++)
        if (offer_has(offer, ask))
            json_array_append_new(names, json_string(ask_name(ask)));
    return names;
}

static json_t *json_cases(const size_t cases[SKIPPED_BY_WISH + 1])
{
    return json_pack("{s:I, s:I, s:I, s:I}", "passed", (json_int_t)cases[PASSED], "failed", (json_int_t)cases[FAILED],
                     "skipped", (json_int_t)cases[SKIPPED], "skipped_by_wish", (json_int_t)cases[SKIPPED_BY_WISH]);
}

static json_t *json_categories(const struct run *run)
{
    json_t *categories = json_object();
    size_t cases[SKIPPED_BY_WISH + 1];
    for (size_t i = 0, next; i < run->tried_count; i = next) {
        next = report_count_cases(run, i, cases);
        json_object_set_new(categories, run->tried[i].category->name, json_cases(cases));
    }
    return categories;
}

static json_t *json_again(const struct run *run, const struct request *request)
{
    char *text;
    size_t size;
    FILE *out = cli_open_text(&text, &size);
    report_again(out, run, request);
    fclose(out);
    json_t *value = (json_string)(text); /* the check of cli_json() would end the program */
    free(text);
    return value != NULL ? value : json_string("(not UTF-8)");
}

static json_t *json_asked_by(const struct cause *cause)
{
    char *text;
    size_t size;
    FILE *out = cli_open_text(&text, &size);
    report_asked_by(out, cause);
    fclose(out);
    return json_text(text);
}

/* Returns null if nothing shorter was found. */
static json_t *json_shrunk(const struct shrunk *shrunk)
{
    if (shrunk->asked == NULL)
        return json_null();
    return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I}", "asked", shrunk->asked, "expected", shrunk->expected, "got",
                     shrunk->got, "bytes", (json_int_t)shrunk->byte_count, "pieces", (json_int_t)shrunk->piece_count,
                     "attempts", (json_int_t)shrunk->attempts);
}

static json_t *json_remainder(const struct remainder *remainder)
{
    return remainder->as == NULL ? json_null()
                                 : json_pack("{s:s, s:s}", "cause", remainder->as->key, "bytes", remainder->hex);
}

static json_t *json_causes(const struct run *run)
{
    json_t *causes = json_array();
    for (size_t i = 0; i < run->cause_count; i++) {
        const struct cause *cause = &run->causes[i];
        struct byte_string asked = {0};
        request_write(&asked, cause->request);
        json_array_append_new(causes, json_pack("{s:s, s:I, s:I, s:o, s:s, s:s, s:o, s:o, s:o}", "cause", cause->key,
                                                "requests", (json_int_t)cause->request_count, "cases",
                                                (json_int_t)cause->case_count, "by", json_asked_by(cause), "smallest",
                                                cause->smallest->test->id, "asked", byte_string_end(&asked), "again",
                                                json_again(run, cause->request), "shrunk", json_shrunk(&cause->shrunk),
                                                "as_in", json_remainder(&cause->remainder)));
        byte_string_free(&asked);
    }
    return causes;
}

/* Returns [ID, request, answer] for each request to decode or validate; the answer is the expected one if all policies
 * expect it. */
static json_t *json_answers(const struct run *run)
{
    json_t *answers = json_array();
    for (size_t i = 0; i < run->requests.count; i++) {
        const struct request *request = &run->requests.all[i];
        if (request->outcome != OUTCOME_ANSWERED || request->probe == NULL ||
            (request->ask != ASK_VALIDATE && request->ask != ASK_DECODE && request->ask != ASK_STREAM))
            continue;
        struct byte_string asked = {0};
        request_write(&asked, request);
        json_t *answer = request->reply == NULL ? json_expected(run, request)
                                                : json_text(escaped(request->reply, request->reply_length, JSON_REPLY));
        json_array_append_new(answers, json_pack("[s, s, o]", request->test->id, byte_string_end(&asked), answer));
        byte_string_free(&asked);
    }
    return answers;
}

void report_json(const struct run *run)
{
    const struct run_tally *total = &run->total;
    json_t *failures = json_array();
    const char **keys = cli_alloc(run->cause_count + 1, sizeof *keys); /* the number of each cause */
    for (size_t i = 0; i < run->cause_count; i++)
        keys[run->causes[i].number] = run->causes[i].key;
    for (const struct tried *tried = run->tried; tried < run->tried + run->tried_count; tried++)
        for (size_t i = 0; i < tried->request_count; i++)
            if (request_failed(run, &run->requests.all[tried->first + i]))
                json_array_append_new(failures, json_failure(run, tried, &run->requests.all[tried->first + i], keys));
    free(keys);
    json_t *requests = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "answered", (json_int_t)total->answered, "late",
                                 (json_int_t)run->process.late, "failed", (json_int_t)total->failed, "troubled",
                                 (json_int_t)total->troubled, "skipped", (json_int_t)total->skipped, "not_asked",
                                 (json_int_t)total->not_asked, "not_offered", (json_int_t)run->requests.not_offered);
    json_t *report = json_pack("{s:o, s:s*, s:s, s:s, s:o, s:f, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "made",
                               provenance_as_json(), "vectors", run->vectors.version, "name", run->process.offer.name,
                               "version", run->process.offer.version, "offers", json_offers(&run->process.offer),
                               "seconds", run->seconds, "restarts", (json_int_t)run->process.restarts, "cases",
                               json_cases(total->cases), "requests", requests, "profiles", json_fits(run), "categories",
                               json_categories(run), "causes", json_causes(run), "failures", failures);
    json_object_set_new(
        report, "positions",
        json_pack("{s:I, s:I}", "texts", (json_int_t)run->texts, "asked", (json_int_t)run->texts_asked));
    if (run->process.last_trouble != NULL)
        json_object_set_new(
            report, "last_trouble",
            json_text(escaped(run->process.last_trouble, strlen(run->process.last_trouble), NOTE_BYTES)));
    json_object_set_new(report, "unexplained", json_integer((json_int_t)run->process.unexplained));
    json_object_set_new(report, "is_troubled", json_boolean(run_is_troubled(run)));
    json_object_set_new(report, "interrupted", json_boolean(cli_interruption != 0));
    json_object_set_new(report, "not_asked", json_integer((json_int_t)total->cases_not_asked));
    if (run->settings.with_answers)
        json_object_set_new(report, "answers", json_answers(run));
    if (run->known != NULL)
        json_object_set_new(report, "baseline",
                            json_pack("{s:I, s:I, s:I}", "known", (json_int_t)json_object_size(run->known),
                                      "new_failures", (json_int_t)run->new_failures, "unexpected_passes",
                                      (json_int_t)run->unexpected_passes));
    cli_print_json(report);
}

/* ---- JUnit ------------------------------------------------------------------------------------------------- */

/* A case that no vectors have, for what happened to the process and shows in no other case. */
static void put_trouble(FILE *out, const struct run *run)
{
    char *troubles;
    size_t size;
    FILE *text = cli_open_text(&troubles, &size);
    report_troubles(text, run);
    fclose(text);
    junit_put_case(out, &(struct junit_case){.id = "process/answers",
                                             .comment = "the subject runs until all is asked",
                                             .failed = true,
                                             .letters = troubles});
    free(troubles);
}

static char *letters_of(const struct run *run, const struct tried *tried)
{
    char *text;
    size_t size, count = 0;
    FILE *out = cli_open_text(&text, &size);
    for (size_t i = 0; i < tried->request_count; i++)
        if (request_failed(run, &run->requests.all[tried->first + i]) && count++ < JUNIT_LETTERS)
            report_request(out, run, tried, &run->requests.all[tried->first + i]);
    fclose(out);
    return text;
}

void report_junit(const struct run *run)
{
    char *suites, *text;
    size_t size, text_size;
    FILE *out = cli_open_text(&suites, &size);
    for (size_t i = 0; i < run->tried_count;) {
        const struct category *category = run->tried[i].category;
        struct junit_counts counts = {0};
        FILE *cases = cli_open_text(&text, &text_size);
        for (; i < run->tried_count && run->tried[i].category == category; i++) {
            const struct tried *tried = &run->tried[i];
            char *letters = letters_of(run, tried);
            struct junit_case one = {tried->test->id,
                                     tried->test->comment,
                                     tried->verdict == FAILED,
                                     tried->verdict >= SKIPPED,
                                     letters,
                                     NULL};
            junit_put_case(cases, &one);
            counts.cases++;
            counts.failed += one.failed;
            counts.skipped += one.skipped;
            free(letters);
        }
        fclose(cases);
        junit_put_suite(out, category->name, run->vectors.version, &counts, 0, text);
        free(text);
    }
    bool is_troubled = run_is_troubled(run);
    if (is_troubled) {
        const struct junit_counts one = {1, 1, 0};
        FILE *cases = cli_open_text(&text, &text_size);
        put_trouble(cases, run);
        fclose(cases);
        junit_put_suite(out, "process", run->vectors.version, &one, 0, text);
        free(text);
    }
    fclose(out);
    const struct junit_counts all = {run->tried_count + is_troubled, run->total.cases[FAILED] + is_troubled, 0};
    junit_write(run->settings.junit, "assay run", &all, suites);
    free(suites);
}
