/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "silence.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

enum { STACK_SIZE = 1 << 16 };

static const struct silence {
    int number;
    const char *name, *sentence;
} silences[] = {
    {SIGALRM, "timeout", "it had not ended when its time was over"},
    {SIGSEGV, "segv", "SIGSEGV: it reads or writes where it may not"},
    {SIGBUS, "bus", "SIGBUS: it reads or writes where nothing is"},
    {SIGILL, "ill", "SIGILL: a trap, or an instruction that this processor does not have"},
    {SIGFPE, "fpe", "SIGFPE: it divides by zero"},
    {SIGABRT, "abort", "SIGABRT: it calls abort()"},
    {0, "exit", "it ends the process, as exit() does"},
};
enum { ENGINE_TIMEOUT = 70 }; /* libFuzzer's default of -timeout_exitcode */
enum { SILENCES = sizeof silences / sizeof silences[0], CLOCK = 0, SIGNALS_FIRST = 1, ABORT = SILENCES - 2, EXIT };

struct survivor *silence_survivor;
void (*silence_again)(FILE *out, const struct asking *silent);

static struct sigaction before[SILENCES];
static void (*afterwards)(void);
static bool is_alone;

void silence_start_clock(void)
{
    static const struct itimerval each_second = {{1, 0}, {1, 0}};
    setitimer(ITIMER_REAL, &each_second, NULL);
}

static void print_letter(const struct asking *silent, const char *end, const char *sentence)
{
    char key[KEY_SIZE];
    report_silence_key(silent, end, key, sizeof key);
    report_silence_letter(stderr, silent, sentence);
    if (silence_again != NULL)
        silence_again(stderr, silent);
    fprintf(stderr, "finding %s\n", key);
}

static volatile sig_atomic_t seconds_of_letter;

/* Seconds are counted one by one: a process that was stopped loses one of them, not all. */
static void on_second_of_letter(int number)
{
    if (++seconds_of_letter < SILENCE_SECONDS) {
        alarm(1);
        return;
    }
    signal(number, SIG_DFL);
    raise(number);
}

/* Our codecs call the C library only to move bytes, so a letter can be printed after a crash. A loadable codec may hold
 * a lock of the library: then the program ends without a letter. */
static void print_last_letter(const struct silence *silence,
                              void (*say)(const struct asking *, const char *, const char *))
{
    const struct asking silent = asking;
    asking_ends(); /* from here on, a crash is not the codec's */
    struct sigaction alarmed = {.sa_handler = on_second_of_letter}, was;
    seconds_of_letter = 0;
    sigaction(SIGALRM, &alarmed, &was);
    unsigned left = alarm(1);
    say(&silent, silence->name, silence->sentence);
    alarm(left);
    sigaction(SIGALRM, &was, NULL);
    if (is_alone)
        silence_start_clock();
}

/* True if the signal is that of our own clock, and there is time left. */
static bool has_time_left(int number, const siginfo_t *information)
{
    if (number != SIGALRM || !is_alone || information->si_code == SI_USER)
        return false;
    if (asking.codec == NULL)
        return true;
    if (shown_question != NULL)
        shown_question->seconds++;
    return (size_t)++asking.seconds < SILENCE_SECONDS + (asking.question->input_count >> 20);
}

static void on_signal(int number, siginfo_t *information, void *machine)
{
    size_t i = 0;
    if (has_time_left(number, information))
        return;
    while (silences[i].number != number)
        i++;
    /* if no codec is running: raise it again with the default action */
    if (asking.codec == NULL && is_alone && i != CLOCK) {
        sigaction(number, &before[i], NULL);
        return;
    }
    if (asking.codec != NULL && silence_survivor != NULL && information->si_code != SI_USER) {
        print_last_letter(&silences[i], silence_survivor->heard);
        siglongjmp(silence_survivor->back, 1);
    }
    if (asking.codec != NULL)
        print_last_letter(&silences[i], print_letter);
    if ((before[i].sa_flags & SA_SIGINFO) != 0)
        before[i].sa_sigaction(number, information, machine);
    afterwards();
    abort();
}

#ifndef ASSAY_ONE_FILE /* a fuzzing engine loads no codec that could end the process */
static void on_exit_of_codec(void)
{
    if (silence_survivor != NULL) {
        print_last_letter(&silences[EXIT], silence_survivor->heard);
        siglongjmp(silence_survivor->back, 1);
    }
    print_last_letter(&silences[EXIT], print_letter);
    afterwards();
    _exit(1);
}

/* libFuzzer ends the process in its SIGALRM handler if a unit takes longer than -timeout, and also if it is interrupted
 * or out of memory. Only the first is about the codec. */
static void on_exit_of_engine(int code)
{
    if (code == ENGINE_TIMEOUT)
        print_last_letter(&silences[CLOCK], print_letter);
}

/* True if the code at the address is in the program itself. Codecs that are linked into the program do not end the
 * process, so such a caller is a fuzzing engine. */
static bool is_of_program(const void *address)
{
    Dl_info program, caller;
    return dladdr(silences, &program) != 0 && dladdr(address, &caller) != 0 && program.dli_fbase == caller.dli_fbase;
}

/* Redefines functions of the C library that end the process: loadable codecs are bound to the program's definitions
 * first. A handler of atexit() is not enough: _exit() does not call it, and it must not jump out of exit(). */
#define ENDS_PROCESS(name) \
    void name(int code) \
    { \
        if (asking.codec != NULL && is_of_program(__builtin_return_address(0))) \
            on_exit_of_engine(code); \
        else if (asking.codec != NULL) \
            on_exit_of_codec(); \
        ((void (*)(int))dlsym(RTLD_NEXT, #name))(code); \
        __builtin_unreachable(); \
    }
ENDS_PROCESS(exit)
ENDS_PROCESS(_exit)
ENDS_PROCESS(_Exit)
ENDS_PROCESS(quick_exit)
#endif

static void watch(size_t index)
{
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};
    sigaction(silences[index].number, &action, &before[index]);
}

/* Allocates a stack for the handler, for codecs that overflow theirs. */
static void find_stack(void)
{
    static char memory[STACK_SIZE];
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE) != 0)
        sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = sizeof memory}, NULL);
}

void silence_watch(void (*after)(void))
{
    afterwards = after;
    find_stack();
    for (size_t i = SIGNALS_FIRST; i < ABORT; i++)
        watch(i);
}

void silence_watch_alone(void)
{
    is_alone = true;
    watch(CLOCK);
    watch(ABORT);
    silence_start_clock();
}

bool silence_key_is_known(const struct assay_codec *codec, enum operation operation, bool (*is_known)(const char *key))
{
    for (size_t i = 0; i < SILENCES; i++)
        if (report_silence_key_is_known(codec, operation, silences[i].name, is_known))
            return true;
    return false;
}
