/* SPDX-License-Identifier: MIT */
#include "trial.h"
#include "../../core/silence.h"
#include "../cli.h"
#include "../examine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the child ---------------------------------------------------------------------------------- */

static struct {
    const struct trial *trial;
    struct examination *examination;
    FILE *out;    /* to the parent: each finding, followed by its letter; the last one has no key */
    json_t *keys; /* keys of the findings that were written */
    FILE *letter; /* in memory: `text`, of `size` bytes */
    char *text;
    size_t size;
} child;

_Noreturn static void end_child(void)
{
    fwrite(&(struct finding){.key = ""}, sizeof(struct finding), 1, child.out);
    fclose(child.out);
    _exit(EXIT_CLEAN);
}

static bool is_wanted(const char *key)
{
    const struct finding *wanted = child.trial->wanted;
    return wanted != NULL ? strcmp(key, wanted->key) == 0 : json_object_get(child.keys, key) == NULL;
}

static FILE *begin_letter(void)
{
    return child.letter = cli_open_text(&child.text, &child.size);
}

/* Ends the letter, and writes it with its finding to the parent. */
static void put_finding(struct finding *finding)
{
    fclose(child.letter);
    finding->claim = child.examination->under_way;
    finding->letter_size = child.size;
    json_object_set_new(child.keys, finding->key, json_true());
    fwrite(finding, sizeof *finding, 1, child.out);
    fputs(child.text, child.out);
    free(child.text);
    if (child.trial->wanted != NULL || finding->is_silence)
        end_child();
}

static void on_divergence(void *context, const struct divergence *divergence)
{
    (void)context;
    struct finding finding = {.codec = divergence->codec, .operation = divergence->question->operation};
    report_key(divergence, finding.key, sizeof finding.key);
    if (!is_wanted(finding.key))
        return;
    report_letter(begin_letter(), divergence, child.trial->again);
    put_finding(&finding);
}

static void on_breach(void *context, const struct breach *breach)
{
    (void)context;
    struct finding finding = {.codec = breach->codec, .operation = OPERATION_COUNT};
    report_breach_key(breach, finding.key, sizeof finding.key);
    if (!is_wanted(finding.key))
        return;
    report_breach(begin_letter(), breach, child.trial->again);
    put_finding(&finding);
}

/* Nothing is asked after a codec gave no answer. */
static void on_silence(const struct asking *silent, const char *end, const char *sentence)
{
    struct finding finding = {.codec = silent->codec, .operation = silent->question->operation, .is_silence = true};
    report_silence_key(silent, end, finding.key, sizeof finding.key);
    if (is_wanted(finding.key)) {
        FILE *out = begin_letter();
        report_silence_letter(out, silent, sentence);
        if (child.trial->again != NULL)
            fprintf(out, "  %-13s %s\n", "again", child.trial->again);
        put_finding(&finding);
    }
    end_child();
}

/* True for codecs and operations that a key does not name: they need not be asked. */
static bool is_beside(void *context, const struct assay_codec *codec, enum operation operation)
{
    const struct finding *wanted = context;
    return wanted->operation != OPERATION_COUNT && (codec != wanted->codec || operation != wanted->operation);
}

_Noreturn static void run_child(const struct trial *trial, int pipe_end)
{
    static struct survivor survivor = {.heard = on_silence};
    struct examiner examiner = {.comparer = {.encoding = trial->encoding,
                                             .on_divergence = on_divergence,
                                             .on_answer = cli_note_answered,
                                             .context = (void *)trial->wanted,
                                             .should_skip = trial->wanted != NULL ? is_beside : NULL,
                                             .keep_going = true},
                                .on_breach = on_breach};
    struct examination examination = {.examiner = &examiner,
                                      .bytes = trial->bytes,
                                      .byte_count = trial->byte_count,
                                      .is_thorough = trial->is_thorough,
                                      .shows_progress = trial->wanted == NULL,
                                      .only = trial->wanted != NULL ? trial->wanted->claim : NULL};
    cli_end_at_interruptions();
    child.trial = trial;
    child.examination = &examination;
    child.keys = json_object();
    child.out = fdopen(pipe_end, "w");
    if (child.out == NULL)
        cli_fail("out of memory");
    silence_survivor = &survivor;
    silence_start_clock();
    examine(&examination);
    if (trial->wanted == NULL && json_object_size(child.keys) == 0)
        cli_require_loaded_answered();
    end_child();
}

/* ---- the parent --------------------------------------------------------------------------------- */

/* Returns whether the child ended normally. */
static bool read_findings(FILE *in, struct finding **findings, size_t *count)
{
    struct finding finding;
    while (fread(&finding, sizeof finding, 1, in) == 1) {
        if (finding.key[0] == '\0')
            return true;
        finding.letter = cli_alloc(finding.letter_size + 1, 1);
        if (fread(finding.letter, 1, finding.letter_size, in) != finding.letter_size)
            return false;
        *findings = realloc(*findings, (*count + 1) * sizeof **findings);
        if (*findings == NULL)
            cli_fail("out of memory");
        (*findings)[(*count)++] = finding;
    }
    return false;
}

size_t trial_run(const struct trial *trial, struct finding **findings)
{
    int ends[2], status = 0;
    size_t count = 0;
    *findings = NULL;
    fflush(NULL);
    if (pipe(ends) != 0)
        cli_fail("no pipe can be opened");
    pid_t process = fork();
    if (process < 0)
        cli_fail("no process can be started");
    if (process == 0) {
        close(ends[0]);
        dup2(STDERR_FILENO, STDOUT_FILENO); /* what a codec prints must not get into the report */
        run_child(trial, ends[1]);
    }
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    if (in == NULL)
        cli_fail("out of memory");
    bool is_whole = read_findings(in, findings, &count);
    fclose(in);
    waitpid(process, &status, 0);
    if (!is_whole && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_CANNOT_RUN)
        exit(cli_finish(EXIT_CANNOT_RUN)); /* the child has printed the reason */
    if (!is_whole && trial->wanted == NULL)
        cli_fail("the process that asks ended %s %d before all was asked",
                 WIFSIGNALED(status) ? "by signal" : "with exit code",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return count;
}
