/* SPDX-License-Identifier: MIT */
#include "examine.h"
#include "cli.h"

#include <unistd.h>

#define CLAIM(name) extern const struct claim claim_##name;
#include "../core/claims.def"

static const struct claim *const claims[] = {
#define CLAIM(name) &claim_##name,
#include "../core/claims.def"
};

/* When the examination began, and when its progress was shown last, in ns. */
struct shown {
    double begun, shown_at;
};

/* Says how far the examination of a large input is: on a terminal, before each question; elsewhere before the first
 * one, if there is long work, and then once a minute. */
static void show_progress(const struct examination *examination, const char *what, size_t done, size_t all,
                          struct shown *progress)
{
    bool on_terminal = isatty(STDERR_FILENO);
    size_t least = on_terminal ? EXAMINE_THOROUGH_MAX : CLI_LONG_BYTES;
    if (!examination->shows_progress || examination->byte_count <= least)
        return;
    if (done == all)
        cli_clear_progress();
    else if (on_terminal || done == 0 || cli_progress_is_due(&progress->shown_at))
        cli_print_progress(done, all, progress->begun, "%s %zu of %zu, about %zu bytes", what, done + 1, all,
                           examination->byte_count);
}

/* For a scheme (codecs/schemes/), only one claim is checked: that its decoders agree. `assay promises` shows what else
 * it keeps. */
static bool is_claimed(const struct examination *examination, const struct claim *claim)
{
    bool is_scheme = registry_scheme(examination->examiner->comparer.encoding) != NULL;
    return (examination->only == NULL || claim == examination->only) && (!is_scheme || claim == &claim_decode);
}

static void ask_everything(struct examination *examination)
{
    enum { CLAIM_COUNT = sizeof claims / sizeof claims[0] };
    struct shown progress = {cli_now_ns(), cli_now_ns()};
    examination->examiner->effort = THOROUGH;
    for (size_t i = 0; i < CLAIM_COUNT; i++) {
        show_progress(examination, "claim", i, CLAIM_COUNT, &progress);
        examination->under_way = claims[i];
        if (is_claimed(examination, claims[i]))
            claims[i]->check(examination->examiner, examination->bytes, examination->byte_count);
    }
    show_progress(examination, "claim", CLAIM_COUNT, CLAIM_COUNT, &progress);
}

/* Asks each question about a large input once, in one placement; at most EXAMINE_THOROUGH_MAX errors. */
static void ask_of_large(struct examination *examination)
{
    static const enum operation under_policies[] = {OP_COUNT, OP_DECODE_UTF32, OP_DECODE_UTF16, OP_TO_WELL_FORMED};
    enum { EACH = sizeof under_policies / sizeof under_policies[0], QUESTION_COUNT = 2 + EACH * ASSAY_POLICY_COUNT };
    struct comparer *comparer = &examination->examiner->comparer;
    struct question question = {.input = examination->bytes, .input_count = examination->byte_count};
    struct shown progress = {cli_now_ns(), cli_now_ns()};
    examination->under_way = NULL;
    comparer->once = true;
    for (size_t i = 0; i < QUESTION_COUNT; i++) {
        show_progress(examination, "question", i, QUESTION_COUNT, &progress);
        question.operation = i == 0 ? OP_VALIDATE : i == 1 ? OP_SPANS : under_policies[(i - 2) % EACH];
        question.policy = i < 2 ? ASSAY_POLICY_STRICT : (enum assay_policy)((i - 2) / EACH);
        question.capacity = i == 1 ? EXAMINE_THOROUGH_MAX : CAPACITY_ANY;
        compare(comparer, &question);
    }
    show_progress(examination, "question", QUESTION_COUNT, QUESTION_COUNT, &progress);
}

void examine(struct examination *examination)
{
    if (examination->is_thorough || examination->byte_count <= EXAMINE_THOROUGH_MAX)
        ask_everything(examination);
    else
        ask_of_large(examination);
}
