/* SPDX-License-Identifier: MIT
 *
 * A process that waits for the program while a loaded codec runs in it. A codec that ends the process by a system call
 * of its own (Go's os.Exit is one), or by SIGKILL, leaves no time for a report: without the supervisor a check would
 * end in silence, with the codec's exit code, which may be 0. One that stops the process, or blocks signals, would stop
 * it for ever: the supervisor has a clock of its own, and ends it. Processes that a codec leaves end with it.
 */
#include "internal.h"
#include "../../../codecs/inline.h"
#include "../../core/silence.h"
#include "../one_question.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static volatile sig_atomic_t kept; /* the process that the supervisor waits for */

/* ---- signals: the program's ends are not the codec's ---- */

static const int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM};
enum { FORWARDED = sizeof forwarded / sizeof forwarded[0] };

/* A terminal sends its signals to both processes; signals from other processes reach only the supervisor. */
static void forward(int number, siginfo_t *information, void *machine)
{
    (void)machine;
    if (information->si_code <= 0)
        kill(kept, number);
}

/* The supervisor's own clock interrupts waitpid() each second. */
static void forward_signals(void)
{
    for (size_t i = 0; i < FORWARDED; i++) {
        struct sigaction action = {.sa_sigaction = forward,
                                   .sa_flags = SA_SIGINFO | (forwarded[i] == SIGALRM ? 0 : SA_RESTART)};
        sigaction(forwarded[i], &action, NULL);
    }
    silence_start_clock();
}

static bool is_forwarded(int number)
{
    size_t i = 0;
    while (i < FORWARDED && forwarded[i] != number)
        i++;
    return i < FORWARDED;
}

/* ---- a codec that never answers: the time limit of silence.h needs the codec's process to run its handler ---- */

enum { EXTRA_SECONDS = 5 };

/* Seconds of one question, or of one direct call. Those in which this process was stopped, too, do not count. */
struct patience {
    unsigned number, seconds_of_handler, seconds;
};

static unsigned limit_of(const struct supervised *supervised)
{
    size_t unit_count = supervised->direct_call[0] == '\0' ? supervised->shown.question.input_count : 0;
    return SILENCE_SECONDS + EXTRA_SECONDS + (unsigned)(unit_count >> 20);
}

/* True if a debugger has the process: it may stop it for as long as it likes. */
static bool is_traced(pid_t process)
{
    char path[64], line[256];
    int tracer = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *status = fopen(path, "r");
    if (status == NULL)
        return false;
    while (fgets(line, sizeof line, status) != NULL && sscanf(line, "TracerPid: %d", &tracer) != 1)
        ;
    fclose(status);
    return tracer != 0;
}

/* To be called each second. */
static bool is_overdue(const struct supervised *supervised, struct patience *patience)
{
    const struct shown_question *shown = &supervised->shown;
    bool waits = supervised->direct_call[0] != '\0' || shown->is_under_way;
    if (!waits || shown->number != patience->number || shown->seconds != patience->seconds_of_handler ||
        is_traced(kept)) {
        *patience = (struct patience){shown->number, shown->seconds, 0};
        return false;
    }
    return ++patience->seconds >= limit_of(supervised);
}

static void print_question(const struct shown_question *shown)
{
    fprintf(stderr, "%s, asked to %s %zu unit%s,", shown->codec, operation_name(shown->question.operation),
            shown->question.input_count, shown->question.input_count == 1 ? "" : "s");
}

static void print_again(const struct supervised *supervised)
{
    const struct shown_question *shown = &supervised->shown;
    fputs("; again: ", stderr);
    cli_print_program(stderr);
    if (supervised->direct_call[0] != '\0' || !shown->is_whole) {
        for (char **word = cli_words != NULL ? cli_words + 1 : NULL; word != NULL && *word != NULL; word++) {
            fputc(' ', stderr);
            cli_quote(stderr, *word);
        }
    } else {
        fputs(" diff", stderr);
        cli_print_libraries(stderr);
        fprintf(stderr, " -e %.*s", (int)strcspn(shown->codec, "/"), shown->codec);
        one_question_write(stderr, &shown->question);
    }
    fputc('\n', stderr);
}

static void print_overdue(const struct supervised *supervised)
{
    fprintf(stderr, "assay %s: ", cli_current_command);
    if (supervised->direct_call[0] != '\0')
        fprintf(stderr, "%s", supervised->direct_call);
    else
        print_question(&supervised->shown);
    fprintf(stderr, " had not ended after %u seconds, and was killed", limit_of(supervised));
    print_again(supervised);
}

/* ---- the end ---- */

/* Kills the processes that a codec started and left: as a subreaper, this process is their parent now. */
static void kill_orphans(void)
{
    enum { ROUNDS_MAX = 100 }; /* their children come next */
    for (int round = 0; round < ROUNDS_MAX; round++) {
        int process;
        FILE *orphans = fopen("/proc/thread-self/children", "r");
        if (orphans == NULL)
            return;
        while (fscanf(orphans, "%d", &process) == 1)
            kill(process, SIGKILL);
        fclose(orphans);
        if (waitpid(-1, NULL, 0) < 0 && errno == ECHILD)
            return;
    }
}

/* Ends as the supervised process did. */
static _Noreturn void end_as(int status)
{
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    _exit(EXIT_CANNOT_RUN);
}

static void print_status(int status)
{
    if (WIFSIGNALED(status))
        fprintf(stderr, "signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        fprintf(stderr, "exit code %d", WEXITSTATUS(status));
}

/* Ends as the program wanted to, whatever a library's destructor did afterwards, or by the signal that the user sent. A
 * sanitizer reports leaks after the program's end, by an exit code of its own. */
static _Noreturn void end_as_program(const struct supervised *supervised, int status)
{
#ifndef SANITIZES
    if (supervised->has_ended)
        _exit(supervised->code);
#endif
    (void)supervised;
    end_as(status);
}

/* Reports a codec that has ended the program. Does not return if the program has ended itself, and could say why. */
static void report_end(const struct supervised *supervised, int status)
{
    bool is_program = supervised->has_ended || (WIFSIGNALED(status) && is_forwarded(WTERMSIG(status)));
    if (is_program && !supervised->is_mute)
        end_as_program(supervised, status);
    fprintf(stderr, "assay %s: ", cli_current_command);
    if (supervised->is_mute) {
        fputs("its report cannot be written: a loaded codec has closed standard output and standard error\n", stderr);
        return;
    }
    if (supervised->direct_call[0] != '\0') {
        fprintf(stderr, "%s ended the process: ", supervised->direct_call);
        print_status(status);
        fputc('\n', stderr);
        return;
    }
    bool is_crash = WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL;
    if (is_crash && supervised->shown.is_under_way) {
        print_question(&supervised->shown);
        fputs(" ended the process: ", stderr);
        print_status(status);
        print_again(supervised);
        return;
    }
    if (is_crash) {
        fputs("a loaded codec ended the process: ", stderr);
        print_status(status);
    } else if (WIFSIGNALED(status)) {
        fputs("SIGKILL ended it: a loaded codec's, or another process's (is there enough memory?)", stderr);
    } else {
        fprintf(stderr, "a loaded codec ended the process by a system call, with exit code %d", WEXITSTATUS(status));
    }
    fputs("; assay run --codec LIBRARY goes on after that, and names the input\n", stderr);
}

static _Noreturn void wait_for_program(const struct supervised *supervised)
{
    int status;
    bool is_killed = false;
    struct patience patience = {0};
    forward_signals();
    while (waitpid(kept, &status, 0) != kept) {
        if (is_killed || !is_overdue(supervised, &patience))
            continue;
        is_killed = true;
        print_overdue(supervised);
        kill(kept, SIGKILL);
    }
    kill_orphans();
    if (!is_killed)
        report_end(supervised, status);
    fflush(stderr);
    _exit(EXIT_CANNOT_RUN);
}

struct supervised *cli_supervise(void)
{
    struct supervised *supervised =
        mmap(NULL, sizeof *supervised, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (supervised == MAP_FAILED)
        cli_fail("out of memory");
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
    fflush(NULL);
    pid_t supervisor = getpid();
    kept = fork();
    if (kept < 0)
        cli_fail("no process for a loaded codec can be had: %s", strerror(errno));
    if (kept > 0)
        wait_for_program(supervised);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != supervisor)
        _exit(EXIT_CANNOT_RUN);
    silence_start_clock();
    return supervised;
}
