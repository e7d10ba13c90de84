/* SPDX-License-Identifier: MIT */
#include "silence.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { KEY_SIZE = 256 };

static const struct silence {
    int number;
    const char *name, *sentence;
} silences[] = {
    {SIGALRM, "timeout", "it had not ended when its time was over"},
    {SIGSEGV, "segv", "SIGSEGV: it reads or writes where it may not"},
    {SIGBUS, "bus", "SIGBUS: it reads or writes where nothing is"},
    {SIGILL, "ill", "SIGILL: a trap, or an instruction that this processor does not have"},
    {SIGFPE, "fpe", "SIGFPE: it divides by zero"},
};
enum { SILENCES = sizeof silences / sizeof silences[0] };

static struct sigaction before[SILENCES];
static void (*afterwards)(void);

/* None of our codecs calls the C library for more than moving bytes, so that a letter can be printed where one died. A loaded
 * one may have been stopped while it held a lock of the library: then there is no letter, but an end. */
static void say_last_words(const char *name, const char *sentence)
{
    enum { SECONDS = 10 };
    char key[KEY_SIZE];
    struct sigaction alarmed = {.sa_handler = SIG_DFL}, was;
    sigaction(SIGALRM, &alarmed, &was);
    unsigned left = alarm(SECONDS);
    report_silence_key(&asking, name, key, sizeof key);
    report_silence_letter(stderr, &asking, sentence);
    fprintf(stderr, "finding %s\n", key);
    asking.codec = NULL;
    alarm(left);
    sigaction(SIGALRM, &was, NULL);
}

static void on_signal(int number, siginfo_t *information, void *machine)
{
    size_t i = 0;
    while (silences[i].number != number)
        i++;
    if (asking.codec != NULL)
        say_last_words(silences[i].name, silences[i].sentence);
    if ((before[i].sa_flags & SA_SIGINFO) != 0)
        before[i].sa_sigaction(number, information, machine);
    afterwards();
    abort();
}

static void watch(size_t index, void (*after)(void))
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_NODEFER};
    afterwards = after;
    sigaction(silences[index].number, &action, &before[index]);
}

void silence_watch(void (*after)(void))
{
    for (size_t i = 1; i < SILENCES; i++)
        watch(i, after);
}

void silence_watch_clock(void (*after)(void))
{
    watch(0, after);
}

bool silence_is_known(const struct assay_codec *codec, enum operation operation, bool (*is_known)(const char *key))
{
    struct question question = {.operation = operation};
    char key[KEY_SIZE];
    for (size_t i = 0; i < SILENCES; i++) {
        report_silence_key(&(struct asking){codec, &question}, silences[i].name, key, sizeof key);
        if (is_known(key))
            return true;
    }
    return false;
}
