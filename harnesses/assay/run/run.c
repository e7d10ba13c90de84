/* SPDX-License-Identifier: MIT
 *
 * `assay run`: tests a subject with the golden vectors. The subject is a process that speaks the protocol, a plain
 * program, or a loadable codec. A loadable codec runs in a process of its own, so that it can end only that process.
 */
#include "run.h"

#include "../../../codecs/registry.h"
#include "../../core/convert.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TIME_LIMIT "5"                           /* unless --time-limit says otherwise */
enum { RESTARTS = 100, FRUITLESS_RESTARTS = 5 }; /* unless --restarts says otherwise */

static const char *start_limit = "20", *every = "1", *shrink = "5", *jobs, *restarts;
static bool only_list;
static struct run run_state; /* static, so that leak checkers find it if the program ends early */
#define settings run_state.settings
static const struct cli_option options[] = {
    {"plain", 0, NULL,
     "COMMAND is started for each input: bytes on standard input, exit 0 or 1, text as UTF-8 on standard output", NULL,
     &settings.is_plain},
    {"no-verdict", 0, NULL, "with --plain: ignore the exit code", NULL, &settings.without_verdict},
    {"no-output", 0, NULL, "with --plain: ignore standard output", NULL, &settings.without_output},
    {"profile", 'p', "POLICY", "compare the output for errors with this policy, whichever policy the request names",
     &settings.profile, NULL},
    {"encoding", 'e', "ENCODING", "ask for this encoding only (with --plain: default utf-8)", &settings.encoding, NULL},
    {"every", 0, "N", "ask the first and then every Nth case of each category (default 1: all)", &every, NULL},
    {"skip", 0, "FILE", "skip the cases listed there: one GLOB and a reason per line", &settings.skip, NULL},
    {"baseline", 0, "FILE", "known failures: exit 1 only on new failures, and on known ones that pass",
     &settings.baseline, NULL},
    {"write-baseline", 0, "FILE", "write the failures of this run as a baseline", &settings.new_baseline, NULL},
    {"vectors", 0, "DIR", "the folder that holds ENCODING/CATEGORY.json (default: the one of this program)",
     &settings.folder, NULL},
    {"time-limit", 0, "SECONDS", "time limit of a reply (default 5); one that comes within as long again is late",
     &settings.time_limit, NULL},
    {"start-limit", 0, "SECONDS", "time limit of the reply to hello (default 20)", &start_limit, NULL},
    {"restarts", 0, "N",
     "restart a subject that dies or hangs at most N times, also in succession (default 100; after 5 in succession without an answer, the next category is asked)",
     &restarts, NULL},
    {"shrink", 0, "SECONDS", "how long to ask for a shorter input for each cause, in all (default 5; 0: not at all)",
     &shrink, NULL},
    {"jobs", 'j', "N", "with --plain: run N at once (default: the number of processors)", &jobs, NULL},
    {"all", 'a', NULL, "every cause and category (else those with most failures, and those that were asked)", NULL,
     &settings.shows_all},
    {"thorough", 0, NULL, "ask about each text of the positions tier under each policy (else about a share, in turn)",
     NULL, &settings.is_thorough},
    {"policies", 0, NULL, "also print how many answers agree with each policy (with --json always: left_over)", NULL,
     &settings.shows_policies},
    {"quiet", 'q', NULL, "only failures and the last lines", NULL, &settings.is_quiet},
    {"list", 'l', NULL, "only list the cases: id and comment (with --json: as an array of objects)", NULL, &only_list},
    {"json", 0, NULL, "the same as JSON, with every failure", NULL, &settings.as_json},
    {"answers", 0, NULL, "with --json: also the answers to validate and decode that are as expected", NULL,
     &settings.with_answers},
    {"junit", 0, "FILE", "write a JUnit report to FILE, too; - is standard output, and the text goes to standard error",
     &settings.junit, NULL},
    {"html", 0, "FILE", "write a page with every cause to FILE, too", &settings.html, NULL},
    {"badge", 0, "FILE", "write the number of failed cases to FILE as a badge, an SVG image, too", &settings.badge,
     NULL},
    {0},
};

static void print_more(FILE *out)
{
    fputs(
        "GLOB chooses cases by id (* also matches /): utf-8/overlong, 'utf-8/museum/*cve*'. ENCODING/long-texts is made of the other cases: "
        "10,000 bytes in random pieces. COMMAND speaks the line protocol assay/1 "
        "(vectors/PROTOCOL.md): 11 lines of Python around a decoder, about 40 of C. What it does not offer is counted as skipped. Its output is compared with "
        "the policies that it names; its own practice (policy `own`, or --plain), with the policy that fits best, "
        "which is whatwg unless another leaves at least 10 % fewer answers unexplained; --profile chooses one. With --codec LIBRARY "
        "there is no COMMAND, and the codec crashes if it reads or writes past the end of its input or output; assay check looks "
        "before their begin, too.\n"
        "\n"
        "    assay run -- python3 my_subject.py\n"
        "    assay run --plain --no-verdict -- iconv -c -f UTF-8 -t UTF-8\n"
        "    assay run --codec ./libmine.so utf-8/overlong\n"
        "\n"
        "A subject that dies, hangs, or sends a malformed reply fails the case and is restarted. Its standard error is shown only if it "
        "dies. If it dies or hangs with many requests under way, these are asked again one by one, and the one that brings it about fails; if "
        "none does, no case fails, the last line says `died or hung`, and the exit code is 1. It hangs if there is no whole reply within "
        "--time-limit, nor within as long again. A reply that comes in that second period is late: it counts as an answer and does not change "
        "the exit code, because the machine may have been busy; the last line and --json (`late`) say how many there were.\n"
        "\n"
        "After SIGINT or SIGTERM the run reports what it has, says how many cases were not asked, writes none of its files (--junit, "
        "--html, --badge, --write-baseline), and ends with code 130 or 143.\n",
        out);
}

/* ---- choosing what is asked --------------------------------------------------------------------------------- */

/* A loadable codec is run by `assay subject`. */
static void choose_library(void)
{
    static char name[160];
    static char *command[] = {NULL, "subject", "--alone", "--faults", "--codec", NULL, name, NULL};
    const struct registry_row *row = cli_loaded_codec(&settings.library);
    if (row == NULL)
        return;
    if (settings.command[0] != NULL)
        cli_fail("there is a COMMAND after --, and a --codec, too: which of the two is the subject?");
    if (settings.is_plain)
        cli_fail("--plain: a loadable codec is no program");
    command[0] = (char *)cli_own_path();
    if (command[0] == NULL)
        cli_fail("--codec: this program does not find itself");
    snprintf(name, sizeof name, "%s/%s", row->encoding, row->name);
    command[5] = (char *)settings.library;
    settings.command = command;
}

static void try_outputs(void)
{
    const struct {
        const char *option, *path;
    } outputs[] = {{"junit", settings.junit},
                   {"html", settings.html},
                   {"badge", settings.badge},
                   {"write-baseline", settings.new_baseline}};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        if (outputs[i].path != NULL)
            cli_output_try(outputs[i].option, outputs[i].path);
}

/* Encodings that remove a signature have a name of their own here. */
static void check_encoding(void)
{
    if (settings.encoding != NULL && signature_find(settings.encoding) == NULL)
        settings.encoding = cli_encoding(settings.encoding)->encoding;
}

static void check_settings(void)
{
    choose_library();
    check_encoding();
    if (settings.command[0] == NULL && !only_list)
        cli_fail("there is no COMMAND: assay run [OPTION...] [GLOB...] -- COMMAND..., or --codec LIBRARY");
    if (settings.profile != NULL && assay_policy_parse(settings.profile) == ASSAY_POLICY_COUNT)
        cli_fail("--profile: there is no policy '%s'%s; assay explain --help names them", settings.profile,
                 cli_did_you_mean_policy(settings.profile));
    if (!settings.is_plain && (settings.without_verdict || settings.without_output))
        cli_fail("--no-verdict and --no-output are about --plain");
    if (settings.with_answers && !settings.as_json)
        cli_fail("--answers is about --json");
    if (settings.without_verdict && settings.without_output)
        cli_fail("with --no-verdict and --no-output nothing is left to compare");
    size_t allowed = restarts != NULL ? (size_t)cli_number("restarts", restarts, 0, 1000000) : RESTARTS;
    settings.limits = (struct limits){
        .start_seconds = cli_seconds("start-limit", start_limit, 0.01),
        .seconds = cli_seconds("time-limit", settings.time_limit != NULL ? settings.time_limit : TIME_LIMIT, 0.01),
        .restarts = allowed,
        .fruitless = restarts != NULL ? SIZE_MAX : FRUITLESS_RESTARTS,
        .reply_bytes = 1 << 20};
    settings.shrink_seconds = cli_seconds("shrink", shrink, 0);
    settings.every = (size_t)cli_number("every", every, 1, 1000000);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    settings.jobs = jobs != NULL                        ? (size_t)cli_number("jobs", jobs, 1, 64)
                    : processors > 0 && processors < 64 ? (size_t)processors
                                                        : 1;
    try_outputs();
}

static bool is_wanted(const struct category *category, const struct vector_case *test)
{
    const char *encoding = settings.encoding != NULL ? settings.encoding : settings.is_plain ? "utf-8" : NULL;
    if (encoding != NULL && (strlen(encoding) != category_encoding_length(category) ||
                             strncmp(encoding, category->name, category_encoding_length(category)) != 0))
        return false;
    return choice_has(&settings.choice, test->id);
}

uint8_t run_encoding(struct run *run, const struct category *category)
{
    size_t length = category_encoding_length(category), i = 0;
    while (i < run->encoding_count && strncmp(run->encodings[i].category->name, category->name, length + 1) != 0)
        i++;
    if (i == ENCODINGS_MAX)
        cli_fail("more than %d encodings", ENCODINGS_MAX);
    if (i == run->encoding_count)
        run->encodings[run->encoding_count++].category = category;
    return (uint8_t)i;
}

static void plan(struct run *run)
{
    size_t room = 0;
    for (size_t i = 0; i < run->vectors.category_count; i++)
        room += run->vectors.categories[i].case_count;
    run->tried = cli_alloc(room, sizeof *run->tried);
    for (const struct category *category = run->vectors.categories;
         category < run->vectors.categories + run->vectors.category_count; category++) {
        size_t wanted_count = 0;
        for (const struct vector_case *test = category->cases; test < category->cases + category->case_count; test++) {
            if (!is_wanted(category, test) || wanted_count++ % settings.every != 0)
                continue;
            struct tried *tried = &run->tried[run->tried_count++];
            *tried = (struct tried){.category = category,
                                    .test = test,
                                    .first = run->requests.count,
                                    .reason = ledger_reason(run, test->id)};
            if (tried->reason != NULL)
                tried->verdict = SKIPPED_BY_WISH;
            else
                requests_of_case(&run->requests, category, test, &run->process.offer);
            tried->request_count = run->requests.count - tried->first;
            for (size_t i = tried->first; i < run->requests.count; i++)
                run->requests.all[i].encoding = run_encoding(run, category);
        }
    }
    if (run->tried_count == 0)
        cli_fail("no case is of the encoding '%s' and matches",
                 settings.encoding != NULL ? settings.encoding : "utf-8");
}

/* ---- the run ------------------------------------------------------------------------------------------------- */

void run_show_progress(struct run *run, size_t done)
{
    done += run->asked;
    if (cli_progress_is_due(&run->shown_at))
        cli_print_progress(done, run->to_ask, run->begun, "%zu of %zu %s", done, run->to_ask,
                           settings.is_plain ? "starts" : "requests");
}

static void show_requests(size_t done, size_t count)
{
    (void)count;
    run_show_progress(&run_state, done);
}

static void ask_all(struct run *run)
{
    if (settings.is_plain)
        plain_offer(&run->process.offer, &settings);
    else
        process_start(&run->process, settings.command[0], settings.command, &settings.limits);
    plan(run);
    size_t before_positions = settings.is_plain ? plain_count_starts(&run->requests) : run->requests.count;
    run->to_ask = before_positions;
    positions_plan(run);
    cli_catch_interruptions();
    run->begun = run->shown_at = cli_now_ns();
    if (settings.is_plain)
        plain_ask(run, &run->requests, true);
    else
        process_ask(&run->process, run->requests.all, run->requests.count, show_requests);
    run->asked = before_positions;
    judge_policies(run, run->requests.all, run->requests.count);
    positions_ask(run);
    run->seconds = (cli_now_ns() - run->begun) / 1e9;
    cli_clear_progress();
}

static void write_files(struct run *run)
{
    if (settings.junit != NULL)
        report_junit(run);
    if (settings.html != NULL)
        report_html(run);
    if (settings.badge != NULL)
        report_badge(run);
    ledger_write_baseline(run);
}

/* After an interruption the files stay as they were: they are of whole runs. */
static void report(struct run *run)
{
    if (run->total.cases[SKIPPED_BY_WISH] == run->tried_count)
        cli_fail("nothing was compared: --skip names each case that was chosen (%zu)", run->tried_count);
    if (run->total.answered + run->total.troubled == 0 && cli_interruption == 0)
        cli_fail(
            "nothing was compared: %s offers nothing of what these cases ask (%zu requests skipped, %zu not offered)",
            run->process.offer.name, run->total.skipped, run->requests.not_offered);
    if (cli_interruption == 0)
        write_files(run);
    if (settings.as_json)
        report_json(run);
    else
        report_text(run);
}

static void list_cases(void)
{
    json_t *list = json_array();
    for (const struct category *category = run_state.vectors.categories;
         category < run_state.vectors.categories + run_state.vectors.category_count; category++) {
        size_t wanted_count = 0;
        for (const struct vector_case *test = category->cases; test < category->cases + category->case_count; test++) {
            if (!is_wanted(category, test) || wanted_count++ % settings.every != 0)
                continue;
            if (settings.as_json)
                json_array_append_new(list, json_pack("{s:s, s:s}", "id", test->id, "comment", test->comment));
            else
                printf("%s  %s\n", test->id, test->comment);
        }
    }
    if (settings.as_json)
        cli_print_json(list);
    else
        json_decref(list);
}

static bool is_option(const char *word, const struct cli_option *option)
{
    size_t length = strlen(option->name);
    return strncmp(word, "--", 2) == 0 && strncmp(word + 2, option->name, length) == 0 &&
           (word[2 + length] == '\0' || word[2 + length] == '=');
}

/* An option after COMMAND is COMMAND's, which may have one of this name. A user may have meant this program's. */
static void note_options_of_command(char **command)
{
    for (char **word = command; *word != NULL; word++)
        for (const struct cli_option *option = options; option->name != NULL; option++)
            if (word > command && is_option(*word, option))
                fprintf(stderr, "assay run: note: --%s is given to %s; before -- it is an option of assay run\n",
                        option->name, command[0]);
}

/* Splits the command line at `--`: the words after it are the subject's command, which cli_parse() returns as
 * operands. */
static void parse(int argc, char **argv)
{
    int count, command = 1;
    while (command < argc && strcmp(argv[command], "--") != 0)
        command++;
    int command_count = command < argc ? argc - command - 1 : 0;
    int at = cli_parse(&command_run, argc, argv, &count);
    settings.choice = (struct choice){.globs = argv + at, .glob_count = count - command_count, .with_long_texts = true};
    settings.command = argv + at + settings.choice.glob_count; /* argv ends with NULL */
    note_options_of_command(settings.command);
}

static void end_run(struct run *run)
{
    process_end(&run->process);
    requests_free(&run->requests);
    free(run->tried);
    for (size_t i = 0; i < run->cause_count; i++)
        cause_free(&run->causes[i]);
    free(run->causes);
    json_decref(run->known);
    json_decref(run->failing);
    json_decref(run->passing);
    vectors_free(&run->vectors);
}

static int run(int argc, char **argv)
{
    parse(argc, argv);
    check_settings();
    const char *folder = settings.folder != NULL ? settings.folder : vectors_folder();
    if (!only_list)
        ledger_read_skips(&run_state, folder);
    run_state.vectors = vectors_load(folder, &settings.choice);
    choice_require_matches(&settings.choice, &run_state.vectors, folder);
    if (only_list) {
        list_cases();
        vectors_free(&run_state.vectors);
        return EXIT_CLEAN;
    }
    ledger_read_baseline(&run_state);
    ask_all(&run_state);
    judge(&run_state);
    if (cli_interruption == 0)
        shrink_causes(&run_state);
    ledger_compare(&run_state);
    report(&run_state);
    bool is_well = run_state.new_failures == 0 && run_state.unexpected_passes == 0 && !run_is_troubled(&run_state);
    end_run(&run_state);
    if (cli_interruption != 0)
        return cli_code_of_interruption();
    return is_well ? EXIT_CLEAN : EXIT_DIVERGENCE;
}

const struct command command_run = {
    .name = "run",
    .sentence = "the golden vectors against any subject: a process, a program, a loadable codec",
    OPERANDS("[GLOB...] -- COMMAND...", 0, -1),
    .print_more = print_more,
    .options = options,
    .run = run,
};
