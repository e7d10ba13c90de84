/* SPDX-License-Identifier: MIT
 *
 * Claim: where assumptions are checked, one that is false ends the program with file, line and condition, in codecs/
 * and in harnesses/core; one that is true is evaluated once. Where they are not checked, none is evaluated.
 */
#include "../../codecs/assume.h"
#include "../../codecs/registry.h"
#include "dice.h"
#include "question.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void roll_no_dice(void)
{
    struct dice dice = {0};
    dice_roll(&dice, 0);
}

static void name_no_policy(void)
{
    assay_policy_name(ASSAY_POLICY_COUNT);
}

static void cut_beyond_the_input(void)
{
    const size_t cut = 4;
    ask(seat_new(), registry_reference("utf-8"),
        &(struct question){
            .operation = OP_FEED_UTF32, .input = "abc", .input_count = 3, .capacity = 8, .cuts = &cut, .cut_count = 1},
        AT_END);
}

static const struct {
    void (*violate)(void);
    const char *file, *condition;
} violations[] = {
    {roll_no_dice, "dice.c", "sides > 0"},
    {name_no_policy, "registry.c", "(unsigned)policy < ASSAY_POLICY_COUNT"},
    {cut_beyond_the_input, "question.c", "begin <= end && end <= question->input_count"},
};

/* Runs a function that violates an assumption in another process. Returns whether it was aborted; `said` is what it
 * wrote to standard error. */
static bool dies_of(void (*violate)(void), char *said, size_t room)
{
    int ends[2], status;
    size_t length = 0;
    ssize_t count;
    if (pipe(ends) != 0)
        exit(2);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        violate();
        _exit(0);
    }
    close(ends[1]);
    while ((count = read(ends[0], said + length, room - 1 - length)) > 0)
        length += (size_t)count;
    said[length] = '\0';
    close(ends[0]);
    return waitpid(child, &status, 0) == child && !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* True if the first line is FILE:LINE: false: CONDITION. */
static bool is_as_promised(const char *said, const char *file, const char *condition)
{
    char expected[256];
    const char *name = strstr(said, file), *line = name != NULL ? name + strlen(file) : NULL;
    snprintf(expected, sizeof expected, ": false: %s\n", condition);
    if (line == NULL || *line != ':' || strspn(line + 1, "0123456789") == 0)
        return false;
    line += 1 + strspn(line + 1, "0123456789");
    return strncmp(line, expected, strlen(expected)) == 0;
}

int main(void)
{
    int evaluated = 0, failures = 0;
    ASSUME(++evaluated > 0);
#ifdef ASSAY_CHECKS_ASSUMPTIONS
    for (size_t i = 0; i < sizeof violations / sizeof violations[0]; i++) {
        char said[4096];
        bool died = dies_of(violations[i].violate, said, sizeof said);
        if (died && is_as_promised(said, violations[i].file, violations[i].condition))
            continue;
        fprintf(stderr, "%s: %s, and said: %s\n", violations[i].condition,
                died ? "ended the program" : "did not end the program", said);
        failures++;
    }
    failures += evaluated != 1;
    printf("%zu violations, %d failures\n", sizeof violations / sizeof violations[0], failures);
#else
    (void)violations, (void)dies_of, (void)is_as_promised;
    failures += evaluated != 0;
    printf("assumptions are not checked: %d evaluated\n", evaluated);
#endif
    return failures > 0 ? 1 : 0;
}
