/* SPDX-License-Identifier: MIT
 *
 * A fuzz target: LLVMFuzzerTestOneInput for one claim and one encoding, called by libFuzzer, AFL++, OSS-Fuzz and
 * replay.c. Compiled once for all targets: target_claim.c and target_encoding.c say which claim and which encoding.
 *
 * A divergence prints its letter, then a line `finding KEY`, and ends the process. A codec that crashes does the same.
 * With ASSAY_EFFORT=thorough, each input is asked every question, as in the replayer; with =sampled, the replayer asks
 * a few, too.
 */
#include "target.h"
#include "deviations.h"
#include "mutator.h"
#include "../../codecs/cpu_vendor.h"
#include "../core/arena.h"
#include "../core/bytes.h"
#include "../core/silence.h"

#include <stdlib.h>
#include <string.h>

const char *mutator_encoding;

static bool print_every_letter(const char *key)
{
    (void)key;
    return true;
}

bool (*target_record_key)(const char *key) = print_every_letter;
void (*target_after_finding)(void) = abort;

/* Keys that are already found, separated by ':'. Findings with these keys are ignored, so that a hunt finds others. */
static const char *known_keys = "";

static bool is_known(const char *key)
{
    size_t length = strlen(key);
    for (const char *at = known_keys; (at = strstr(at, key)) != NULL; at += length)
        if ((at == known_keys || at[-1] == ':') && (at[length] == ':' || at[length] == '\0'))
            return true;
    return false;
}

/* Each kind of finding ends in its own function, so that engines that sort crashes by stack keep the kinds apart. */
#define ENDING(kind) \
    static void __attribute__((noinline)) finding_##kind(void) \
    { \
        target_after_finding(); \
        __asm__ volatile("" : : "r"(#kind) : "memory"); /* no tail call, no two alike */ \
    }
#define X(id, name) ENDING(id)
FIELDS(X)
#undef X
ENDING(LAW)
ENDING(SILENCE)

void target_silence(void)
{
    finding_SILENCE();
}

static void (*const endings[FIELD_COUNT])(void) = {
#define X(id, name) finding_##id,
    FIELDS(X)
#undef X
};

static unsigned long long excused; /* divergences that deviations.def lists */

static void on_divergence(void *context, const struct divergence *divergence)
{
    (void)context;
    char key[KEY_SIZE];
    report_key(divergence, key, sizeof key);
    if (deviation_of(divergence) != NULL) {
        excused++;
        return;
    }
    if (is_known(key))
        return;
    if (target_record_key(key)) {
        report_letter(stderr, divergence, NULL);
        fprintf(stderr, "finding %s\n", key);
    }
    endings[divergence->field]();
}

static void on_breach(void *context, const struct breach *breach)
{
    (void)context;
    char key[KEY_SIZE];
    report_breach_key(breach, key, sizeof key);
    if (is_known(key))
        return;
    if (target_record_key(key)) {
        report_breach(stderr, breach, NULL);
        fprintf(stderr, "finding %s\n", key);
    }
    finding_LAW();
}

/* True if the codec is known to crash or hang in this operation. Looks each pair up once. */
static bool has_known_silence(void *context, const struct assay_codec *codec, enum operation operation)
{
    enum { CODECS_MAX = 128 };
    static struct {
        const struct assay_codec *codec;
        unsigned looked_up, known; /* one bit for each operation */
    } memory[CODECS_MAX];
    (void)context;
    size_t i = 0;
    while (i + 1 < CODECS_MAX && memory[i].codec != NULL && memory[i].codec != codec)
        i++;
    memory[i].codec = codec;
    unsigned bit = 1u << operation;
    if ((memory[i].looked_up & bit) == 0 && silence_key_is_known(codec, operation, is_known))
        memory[i].known |= bit;
    memory[i].looked_up |= bit;
    return (memory[i].known & bit) != 0;
}

struct examiner target_examiner = {
    .comparer = {.on_divergence = on_divergence},
    .on_breach = on_breach,
};

/* Writes the codecs that ran and the numbers of answers, for the log. */
static void print_summary(void)
{
    const struct comparer *comparer = &target_examiner.comparer;
    fprintf(stderr, "ran %s", target_claim->name);
    for (size_t i = 0; i < registry_count(); i++)
        if (strcmp(registry_at(i)->encoding, target_encoding) == 0 && registry_runs(registry_at(i)))
            fprintf(stderr, " %s", registry_at(i)->name);
    fprintf(stderr, " (%llu answers compared, %llu skipped)\n", (unsigned long long)comparer->asked,
            (unsigned long long)comparer->skipped);
    if (excused > 0)
        fprintf(stderr,
                "not reported: %llu divergences of decoders by others that harnesses/subjects/deviations.def lists\n",
                excused);
}

static void load_codecs(const char *paths)
{
    char path[4096];
    while (*paths != '\0') {
        size_t length = strcspn(paths, ":");
        snprintf(path, sizeof path, "%.*s", (int)length, paths);
        const char *complaint = registry_load(path);
        if (complaint != NULL) {
            fprintf(stderr, "fuzz_%s: ASSAY_CODECS: %s\n", target_claim->name, complaint);
            exit(2);
        }
        paths += length + (paths[length] == ':');
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    mutator_encoding = target_examiner.comparer.encoding = target_encoding;
    const char *unknown = cpu_unknown_override();
    if (unknown != NULL) {
        fprintf(stderr, "fuzz_%s: ASSAY_WITHOUT: no instruction set is called '%.*s'\n", target_claim->name,
                (int)strcspn(unknown, ", "), unknown);
        exit(2);
    }
    if (cpu_unknown_vendor() != NULL) {
        fprintf(stderr, "fuzz_%s: ASSAY_VENDOR: '%s' is neither intel nor amd\n", target_claim->name,
                cpu_unknown_vendor());
        exit(2);
    }
    const char *paths = getenv("ASSAY_CODECS") != NULL ? getenv("ASSAY_CODECS") : target_codecs;
    if (paths != NULL) {
        load_codecs(paths);
        target_examiner.comparer.keep_going = true; /* after a listed deviation, compare the remaining codecs */
    }
    const char *effort = getenv("ASSAY_EFFORT");
    if (effort != NULL && strcmp(effort, "thorough") != 0 && strcmp(effort, "sampled") != 0) {
        fprintf(stderr, "fuzz_%s: ASSAY_EFFORT is 'sampled' or 'thorough', not '%s'\n", target_claim->name, effort);
        exit(2);
    }
    if (effort != NULL && strcmp(effort, "thorough") == 0)
        target_examiner.effort = THOROUGH;
    if (getenv("ASSAY_KNOWN") != NULL) {
        known_keys = getenv("ASSAY_KNOWN");
        target_examiner.comparer.keep_going = true; /* after a known divergence, compare the remaining codecs */
        if (*known_keys != '\0')
            target_examiner.comparer.should_skip = has_known_silence;
    }
    silence_watch(target_silence);
    atexit(print_summary);
    return 0;
}

/* Copies the input so that it ends at a guard page: some questions pass it to codecs without another copy. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    static struct arena arena;
    uint8_t *input = arena_at_end(&arena, byte_count);
    bytes_copy(input, bytes, byte_count);
    target_claim->check(&target_examiner, input, byte_count);
    return 0;
}
