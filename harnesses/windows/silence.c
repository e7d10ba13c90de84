/* SPDX-License-Identifier: MIT
 *
 * What core/silence.c and cli/supervisor.c do on other systems, as far as Windows offers it: a codec that crashes gets
 * its letter, and the program ends. A codec that hangs, or ends the process by a call of its own, gets none; and no run
 * goes on after a crash.
 */
#include "../core/silence.h"

#include <windows.h>

static const struct silence {
    DWORD code;
    const char *name, *sentence;
} silences[] = {
    {EXCEPTION_ACCESS_VIOLATION, "segv", "it reads or writes where it may not"},
    {EXCEPTION_STACK_OVERFLOW, "segv", "its stack overflows"},
    {EXCEPTION_ILLEGAL_INSTRUCTION, "ill", "a trap, or an instruction that this processor does not have"},
    {EXCEPTION_INT_DIVIDE_BY_ZERO, "fpe", "it divides by zero"},
};
enum { SILENCES = sizeof silences / sizeof silences[0] };

struct survivor *silence_survivor;
void (*silence_again)(FILE *out, const struct asking *silent);
static void (*afterwards)(void);

static void print_letter(const struct silence *silence)
{
    const struct asking silent = asking;
    char key[KEY_SIZE];
    asking.codec = NULL; /* from here on, a crash is not the codec's */
    report_silence_key(&silent, silence->name, key, sizeof key);
    report_silence_letter(stderr, &silent, silence->sentence);
    if (silence_again != NULL)
        silence_again(stderr, &silent);
    fprintf(stderr, "finding %s\n", key);
}

static LONG WINAPI on_exception(EXCEPTION_POINTERS *exception)
{
    for (const struct silence *silence = silences; silence < silences + SILENCES; silence++)
        if (asking.codec != NULL && silence->code == exception->ExceptionRecord->ExceptionCode) {
            print_letter(silence);
            afterwards();
            ExitProcess(1);
        }
    return EXCEPTION_CONTINUE_SEARCH;
}

void silence_watch(void (*after)(void))
{
    afterwards = after;
    AddVectoredExceptionHandler(1, on_exception);
}

void silence_watch_alone(void)
{
}

void silence_start_clock(void)
{
}

bool silence_key_is_known(const struct assay_codec *codec, enum operation operation, bool (*is_known)(const char *key))
{
    for (size_t i = 0; i < SILENCES; i++)
        if (report_silence_key_is_known(codec, operation, silences[i].name, is_known))
            return true;
    return false;
}
