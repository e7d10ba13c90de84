/* SPDX-License-Identifier: MIT
 *
 * The commands that need processes of POSIX: they say that Windows does not have them, and fail.
 */
#include "../assay/cli.h"
#include "../assay/cli/internal.h"
#include "../assay/run/two_subjects.h"

static const struct cli_option no_options[] = {{0}};

/* An interruption ends the program (cli/interruption.c). */
volatile sig_atomic_t cli_interruption;

void cli_catch_interruptions(void)
{
}

int cli_code_of_interruption(void)
{
    return EXIT_INTERRUPTED;
}

/* There is no supervisor (cli/supervisor.c). */
struct supervised *cli_supervise(void)
{
    static struct supervised supervised;
    return &supervised;
}

int two_subjects_differ(const struct two_subjects *settings, const uint8_t *bytes, size_t byte_count, bool as_json)
{
    (void)settings, (void)bytes, (void)byte_count, (void)as_json;
    cli_fail("--subject is not offered on Windows");
}

#define NOT_OFFERED(command_name, what) \
    static int run_##command_name(int argc, char **argv) \
    { \
        (void)argc, (void)argv; \
        cli_current_command = #command_name; \
        cli_fail("not offered on Windows, where it would need another way to " what); \
    } \
    const struct command command_##command_name = {.name = #command_name, \
                                                   .sentence = "not offered on Windows", \
                                                   .operands_max = -1, \
                                                   .options = no_options, \
                                                   .run = run_##command_name}

NOT_OFFERED(minimise, "try an input in a process of its own");
NOT_OFFERED(run, "speak with a program");
NOT_OFFERED(sweep, "divide work among processes");
NOT_OFFERED(prove, "divide work among processes");
NOT_OFFERED(museum, "ask decoders that crash");
NOT_OFFERED(bench, "find the processor's caches");
NOT_OFFERED(damage, "divide work among processes");
