/* SPDX-License-Identifier: MIT
 *
 * SIGINT and SIGTERM, for commands that report what they have when they are interrupted.
 */
#include "../cli.h"
#include "../../core/silence.h"

#include <signal.h>

volatile sig_atomic_t cli_interruption;
static bool catches_interruptions;

/* `timeout` sends its signal twice at once: to the program, and to its group. */
bool cli_note_interruption(int number)
{
    static double noted_at;
    if (!catches_interruptions || (cli_interruption != 0 && cli_now_ns() - noted_at > 1e9))
        return false;
    if (cli_interruption == 0)
        noted_at = cli_now_ns();
    cli_interruption = number;
    return true;
}

static void on_interruption(int number)
{
    if (!cli_note_interruption(number)) {
        signal(number, SIG_DFL);
        raise(number);
    } else if (asking.codec != NULL && silence_survivor != NULL) {
        asking_ends();
        siglongjmp(silence_survivor->back, 1);
    }
}

void cli_catch_interruptions(void)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    catches_interruptions = true;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction action = {.sa_handler = on_interruption, .sa_flags = SA_RESTART | SA_NODEFER}, before;
        if (sigaction(numbers[i], &action, &before) == 0 && before.sa_handler != SIG_DFL)
            sigaction(numbers[i], &before, NULL); /* ignored, or a handler that calls cli_note_interruption() itself */
    }
}

void cli_end_at_interruptions(void)
{
    catches_interruptions = false;
}

int cli_code_of_interruption(void)
{
    return 128 + cli_interruption;
}
