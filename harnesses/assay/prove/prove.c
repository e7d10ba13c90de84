/* SPDX-License-Identifier: MIT
 *
 * `assay prove`: the theorems of theorems.def, each about each codec that it applies to, on all cores.
 */
#include "kernels.h"
#include "../../core/hex.h"
#include "theorems.h"

#include <fnmatch.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

static const char *only_encoding, *only_theorem, *stride_text = "1", *seed_text = "0", *jobs_text, *kernels_library;
static bool as_json;
static const struct cli_option options[] = {
    {"encoding", 'e', "ENCODING", "only codecs of this encoding (default: all)", &only_encoding, NULL},
    {"theorem", 't', "THEOREM", "only this theorem (default: all)", &only_theorem, NULL},
    {"stride", 0, "N", "check only every Nth part of the largest enumerations; the rest is not proven then (default 1)",
     &stride_text, NULL},
    {"seed", 0, "N", "with --stride: begin at part N modulo the stride (default 0)", &seed_text, NULL},
    {"jobs", 'j', "N", "run N at once (default: one each core)", &jobs_text, NULL},
    {"kernels", 0, "LIBRARY",
     "the kernels of this shared library in place of our own (harnesses/assay/prove/kernels.h)", &kernels_library,
     NULL},
    {"json", 0, NULL, "the theorems as JSON", NULL, &as_json},
    {0},
};

static const struct theorem {
    const char *name, *holds, *sentence, *premises; /* the word in the report if the theorem holds for a codec */
    bool (*applies)(const struct assay_codec *codec);
    void (*prove)(struct proof *proof);
    bool (*shares)(const struct assay_codec *codec, const struct assay_codec *other);
} theorems[] = {
#define THEOREM(id, holds, sentence, premises, shares) \
    {#id, holds, sentence, premises, applies_##id, prove_##id, shares},
#include "theorems.def"
#undef THEOREM
};
enum { THEOREM_COUNT = sizeof theorems / sizeof theorems[0] };

/* ---- refutations ------------------------------------------------------------------------------------------- */

bool refute(struct proof *proof, const char *format, ...)
{
    va_list arguments;
    if (proof->outcome != PROVEN)
        return false;
    va_start(arguments, format);
    vsnprintf(proof->why, sizeof proof->why, format, arguments);
    va_end(arguments);
    proof->outcome = REFUTED;
    return false;
}

enum { SHOWN_SIZE = 2 * SHOWN_MAX + 4 };

/* Returns the bytes in hexadecimal; of many, the first. */
static const char *shown(char text[SHOWN_SIZE], const uint8_t *bytes, size_t byte_count)
{
    size_t count = byte_count < SHOWN_MAX ? byte_count : SHOWN_MAX;
    text[0] = '\0';
    hex_write(text, bytes, count);
    return count < byte_count ? strcat(text, "...") : text;
}

bool refute_on(struct proof *proof, const uint8_t *bytes, size_t byte_count, const char *what)
{
    char hex[SHOWN_SIZE];
    return refute(proof, "%s is not what the rules say of the %zu bytes %s", what, byte_count,
                  shown(hex, bytes, byte_count));
}

/* ---- codecs that crash: the theorem is refuted, and the others are proven ------------------------------------ */

static _Thread_local sigjmp_buf *after_crash; /* NULL: the prover itself crashes */

static void on_crash(int number)
{
    if (after_crash != NULL)
        siglongjmp(*after_crash, number);
    signal(number, SIG_DFL);
    raise(number);
}

/* In place of the handlers of silence.h, which know one question at a time, and here each thread has one. */
static void watch_crashes(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    const struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_NODEFER};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaction(numbers[i], &action, NULL);
}

static void refute_crash(struct proof *proof, int number)
{
    char hex[SHOWN_SIZE];
    if (proof->asked.operation == NULL)
        refute(proof, "%s, and no codec was asked", strsignal(number));
    else
        refute(proof, "%s in %s, asked about the %zu bytes %s", strsignal(number), proof->asked.operation,
               proof->asked.byte_count, shown(hex, proof->asked.bytes, proof->asked.byte_count));
}

/* ---- jobs, shared among threads ---------------------------------------------------------------------------- */

struct job {
    const struct theorem *theorem;
    struct proof proof;
};

struct work {
    struct job *jobs;
    size_t count, taken, done;
    double begun, shown_at; /* ns */
    pthread_mutex_t lock;
};

static void do_job(struct job *job)
{
    double begun = cli_now_ns();
    sigjmp_buf here;
    int crash = sigsetjmp(here, 0);
    if (crash == 0) {
        after_crash = &here;
        job->theorem->prove(&job->proof);
    }
    after_crash = NULL;
    if (crash != 0)
        refute_crash(&job->proof, crash);
    job->proof.seconds = (cli_now_ns() - begun) / 1e9;
    if (job->proof.outcome == PROVEN && job->proof.cases == 0)
        refute(&job->proof, "no case was looked at");
}

/* Refutes proofs whose shared part is refuted. */
static void refute_shared(struct work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        struct proof *proof = &work->jobs[i].proof;
        if (proof->shared != NULL && proof->shared->outcome == REFUTED)
            refute(proof, "what it shares with %s/%s is refuted", proof->shared->row->encoding,
                   proof->shared->row->name);
    }
}

static void *do_jobs(void *shared)
{
    struct work *work = shared;
    for (;;) {
        pthread_mutex_lock(&work->lock);
        struct job *job = work->taken < work->count ? &work->jobs[work->taken++] : NULL;
        if (job != NULL && (isatty(STDERR_FILENO) || cli_progress_is_due(&work->shown_at)))
            cli_print_progress(work->done, work->count, work->begun, "%zu of %zu: %s of %s/%s", work->taken,
                               work->count, job->theorem->name, job->proof.row->encoding, job->proof.row->name);
        pthread_mutex_unlock(&work->lock);
        if (job == NULL)
            return NULL;
        do_job(job);
        pthread_mutex_lock(&work->lock);
        work->done++;
        pthread_mutex_unlock(&work->lock);
    }
}

/* This thread works too: qemu may run programs that start no thread, but hang in pthread_create(). */
static void do_all(struct work *work, size_t thread_count)
{
    pthread_t *threads = cli_alloc(thread_count, sizeof *threads);
    work->begun = work->shown_at = cli_now_ns();
    pthread_mutex_init(&work->lock, NULL);
    for (size_t i = 1; i < thread_count; i++)
        if (pthread_create(&threads[i], NULL, do_jobs, work) != 0)
            cli_fail("no thread can be started: give --jobs %zu", i);
    do_jobs(work);
    for (size_t i = 1; i < thread_count; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&work->lock);
    cli_clear_progress();
    refute_shared(work);
    free(threads);
}

/* ---- the report ---------------------------------------------------------------------------------------------- */

static const char *word_for(const struct job *job)
{
    if (job->proof.outcome == REFUTED)
        return "REFUTED";
    return job->proof.stride > 1 ? "sampled" : job->theorem->holds;
}

static void print_theorem(const struct theorem *theorem, const struct work *work)
{
    char *text;
    size_t size;
    FILE *out = cli_open_text(&text, &size);
    fprintf(out, "%s: %s\n  Premises: %s\n", theorem->name, theorem->sentence, theorem->premises);
    fclose(out);
    cli_print_broken(stdout, text);
    free(text);
    for (size_t i = 0; i < work->count; i++) {
        const struct proof *proof = &work->jobs[i].proof;
        char name[128];
        if (work->jobs[i].theorem != theorem)
            continue;
        snprintf(name, sizeof name, "%s/%s", proof->row->encoding, proof->row->name);
        printf("  %-28s %-10s %13llu cases %7.2f s%s%s\n", name, word_for(&work->jobs[i]),
               (unsigned long long)proof->cases, proof->seconds, proof->found[0] != '\0' ? "  " : "", proof->found);
        if (proof->outcome != PROVEN)
            printf("    %s\n", proof->why);
    }
    putchar('\n');
}

static void print_as_json(const struct work *work)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < work->count; i++) {
        const struct theorem *theorem = work->jobs[i].theorem;
        const struct proof *proof = &work->jobs[i].proof;
        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:s, s:f, s:s}", "theorem", theorem->name, "sentence",
                            theorem->sentence, "premises", theorem->premises, "encoding", proof->row->encoding, "codec",
                            proof->row->name, "outcome", word_for(&work->jobs[i]), "cases", (json_int_t)proof->cases,
                            "found", proof->found, "seconds", proof->seconds, "why", proof->why));
    }
    cli_print_json(rows);
}

/* Prints how many outcomes have a word; nothing if none has. */
static void print_count(const struct work *work, const char *word)
{
    size_t count = 0;
    for (size_t i = 0; i < work->count; i++)
        count += strcmp(word_for(&work->jobs[i]), word) == 0;
    if (count > 0)
        printf("%zu %s, ", count, word);
}

static int report(const struct work *work)
{
    size_t refuted = 0;
    for (size_t i = 0; i < work->count; i++)
        refuted += work->jobs[i].proof.outcome == REFUTED;
    if (as_json) {
        print_as_json(work);
    } else {
        for (size_t i = 0; i < THEOREM_COUNT; i++)
            if (only_theorem == NULL || strcmp(only_theorem, theorems[i].name) == 0)
                print_theorem(&theorems[i], work);
        print_count(work, "proven");
        print_count(work, "enumerated");
        print_count(work, "sampled");
        printf("%zu refuted\n", refuted);
    }
    return refuted > 0 ? EXIT_DIVERGENCE : EXIT_CLEAN;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

struct choice {
    char **globs;
    int count;
};

static bool is_chosen(const void *context, const struct registry_row *row)
{
    const struct choice *choice = context;
    char name[128];
    bool fits = choice->count == 0;
    snprintf(name, sizeof name, "%s/%s", row->encoding, row->name);
    for (int i = 0; i < choice->count; i++)
        fits = fits || fnmatch(choice->globs[i], name, 0) == 0 || fnmatch(choice->globs[i], row->name, 0) == 0;
    return fits && registry_runs(row) && !registry_is_reference(row) && rules_of(row->encoding) != NULL &&
           (only_encoding == NULL || strcmp(only_encoding, row->encoding) == 0);
}

/* Returns the first proof of a theorem that shares a part with that about a codec; NULL if there is none. */
static const struct proof *shared_with(const struct work *work, const struct theorem *theorem,
                                       const struct assay_codec *codec)
{
    for (size_t i = 0; theorem->shares != NULL && i < work->count; i++)
        if (work->jobs[i].theorem == theorem && theorem->shares(work->jobs[i].proof.codec, codec))
            return &work->jobs[i].proof;
    return NULL;
}

static void add_jobs(struct work *work, const struct theorem *theorem, const struct choice *choice)
{
    size_t stride = (size_t)cli_number("stride", stride_text, 1, CLI_STRIDE_MAX),
           seed = (size_t)cli_number("seed", seed_text, 0, UINT32_MAX);
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (!is_chosen(choice, row) || !theorem->applies(row->codec))
            continue;
        const struct rules *rules = rules_of(row->encoding);
        work->jobs[work->count++] = (struct job){theorem,
                                                 {.row = row,
                                                  .codec = row->codec,
                                                  .rules = rules,
                                                  .kinds = kinds_of(rules),
                                                  .stride = stride,
                                                  .offset = seed % stride,
                                                  .shared = shared_with(work, theorem, row->codec)}};
        cli_note_answered(row->codec);
    }
}

static size_t thread_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return jobs_text != NULL ? (size_t)cli_number("jobs", jobs_text, 1, 1024) : cores > 0 ? (size_t)cores : 1;
}

static void print_theorems(FILE *out)
{
    fputs("theorems:\n", out);
    for (size_t i = 0; i < THEOREM_COUNT; i++)
        fprintf(out, "  %s: %s\n", theorems[i].name, theorems[i].sentence);
}

static int run(int argc, char **argv)
{
    int count, at = cli_parse(&command_prove, argc, argv, &count);
    const struct choice choice = {argv + at, count};
    if (only_encoding != NULL)
        cli_encoding(only_encoding);
    const char *complaint = kernels_library != NULL ? kernels_load(kernels_library) : NULL;
    if (complaint != NULL)
        cli_fail("--kernels: %s", complaint);
    cli_require_loaded_chosen(is_chosen, &choice);
    struct work work = {.jobs = cli_alloc(THEOREM_COUNT * registry_count(), sizeof *work.jobs)};
    bool is_known = false;
    struct cli_nearest nearest = {.wanted = only_theorem};
    for (size_t i = 0; i < THEOREM_COUNT; i++) {
        if (only_theorem != NULL)
            cli_consider(&nearest, theorems[i].name);
        if (only_theorem == NULL || strcmp(only_theorem, theorems[i].name) == 0) {
            is_known = true;
            add_jobs(&work, &theorems[i], &choice);
        }
    }
    if (!is_known)
        cli_fail("there is no theorem '%s'%s; assay prove --help lists them", only_theorem,
                 cli_did_you_mean(&nearest, ""));
    if (work.count == 0)
        cli_fail("no codec that runs here is chosen%s, or no theorem is about it (assay list --long)",
                 count == 1 ? cli_did_you_mean_codec(argv[at], only_encoding) : "");
    watch_crashes();
    do_all(&work, thread_count());
    cli_require_loaded_answered();
    int code = report(&work);
    free(work.jobs);
    return code;
}

const struct command command_prove = {
    .name = "prove",
    .sentence = "proofs about the codecs themselves, for all inputs: each with its premises and cases",
    OPERANDS("[CODEC...]", 0, -1),
    .print_more = print_theorems,
    .options = options,
    .run = run,
};
