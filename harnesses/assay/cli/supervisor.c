/* SPDX-License-Identifier: MIT
 *
 * A process that waits for the program while a loaded codec runs in it. A codec that ends the process by a system call
 * of its own (Go's os.Exit is one), or by SIGKILL, leaves no time for a report: without the supervisor a check would
 * end in silence, with the codec's exit code, which may be 0.
 */
#include "internal.h"
#include "../../core/silence.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static volatile sig_atomic_t kept; /* the process that the supervisor waits for */

/* A terminal sends its signals to both processes; signals from other processes reach only the supervisor. */
static void forward(int number, siginfo_t *information, void *machine)
{
    (void)machine;
    if (information->si_code <= 0)
        kill(kept, number);
}

static void forward_signals(void)
{
    static const int numbers[] = {SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
    struct sigaction action = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO | SA_RESTART};
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaction(numbers[i], &action, NULL);
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

static _Noreturn void wait_for_program(const volatile bool *has_ended)
{
    int status;
    forward_signals();
    while (waitpid(kept, &status, 0) != kept)
        ;
    if (*has_ended || (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL))
        end_as(status);
    fprintf(stderr, "assay %s: ", cli_current_command);
    if (WIFSIGNALED(status))
        fputs("SIGKILL ended it: a loaded codec's, or another process's (is there enough memory?)", stderr);
    else
        fprintf(stderr, "a loaded codec ended the process by a system call, with exit code %d", WEXITSTATUS(status));
    fputs("; assay run --codec LIBRARY goes on after that, and names the input\n", stderr);
    fflush(stderr);
    _exit(EXIT_CANNOT_RUN);
}

volatile bool *cli_supervise(void)
{
    volatile bool *has_ended = mmap(NULL, sizeof *has_ended, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (has_ended == MAP_FAILED)
        cli_fail("out of memory");
    fflush(NULL);
    pid_t supervisor = getpid();
    kept = fork();
    if (kept < 0)
        cli_fail("no process for a loaded codec can be had: %s", strerror(errno));
    if (kept > 0)
        wait_for_program(has_ended);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != supervisor)
        _exit(EXIT_CANNOT_RUN);
    silence_start_clock();
    return has_ended;
}
