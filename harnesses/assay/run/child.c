/* SPDX-License-Identifier: MIT */
#include "child.h"

#include "../cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* ---- children must not outlive this program --------------------------------------------------------- */

enum { LIVING_MAX = 256 };
static volatile pid_t living[LIVING_MAX];

/* Replaces `was` by `pid` in the list. 0 stands for a free place: (pid, 0) adds a process, (0, pid) removes it. */
static void note_living(pid_t pid, pid_t was)
{
    for (size_t i = 0; i < LIVING_MAX; i++) {
        if (living[i] == was) {
            living[i] = pid;
            return;
        }
    }
}

static void on_interruption(int number)
{
    if (cli_note_interruption(number))
        return;
    for (size_t i = 0; i < LIVING_MAX; i++)
        if (living[i] > 0)
            kill(-living[i], SIGKILL);
    signal(number, SIG_DFL);
    raise(number);
}

static void watch_interruptions(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    static bool is_watched;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && !is_watched; i++)
        if (signal(numbers[i], on_interruption) == SIG_IGN)
            signal(numbers[i], SIG_IGN);
    signal(SIGPIPE, SIG_IGN); /* writing to a subject that closed its input must not end this program */
    is_watched = true;
}

/* ---- starting ----------------------------------------------------------------------------------------- */

/* Opens three pipes: [i][0] for reading, [i][1] for writing. */
static bool open_pipes(int pipes[3][2])
{
    for (int i = 0; i < 3; i++) {
        if (pipe(pipes[i]) != 0) {
            while (i-- > 0) {
                close(pipes[i][0]);
                close(pipes[i][1]);
            }
            return false;
        }
        for (int end = 0; end < 2; end++)
            fcntl(pipes[i][end], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

static int spawn(pid_t *pid, char *const *command, int pipes[3][2])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all;
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipes[0][0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes[1][1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes[2][1], STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    int why = posix_spawnp(pid, command[0], &actions, &attributes, command, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return why;
}

int child_start(struct child *child, char *const *command)
{
    int pipes[3][2];
    *child = (struct child){.in = -1, .out = -1, .err = -1};
    watch_interruptions();
    if (!open_pipes(pipes))
        return errno;
    int why = spawn(&child->pid, command, pipes);
    close(pipes[0][0]);
    close(pipes[1][1]);
    close(pipes[2][1]);
    child->in = pipes[0][1];
    child->out = pipes[1][0];
    child->err = pipes[2][0];
    if (why != 0) {
        child->pid = 0;
        child_end(child);
        return why;
    }
    note_living(child->pid, 0);
    int *const ours[] = {&child->in, &child->out, &child->err};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        fcntl(*ours[i], F_SETFL, O_NONBLOCK);
    return 0;
}

/* ---- why it does not start ---------------------------------------------------------------------------------- */

/* Finds the file that a command's first word names, in the folders of PATH if it has no slash. False: there is none. */
static bool find_program(char *path, size_t room, const char *program)
{
    const char *folders = getenv("PATH");
    snprintf(path, room, "%s", program);
    if (strchr(program, '/') != NULL)
        return access(path, F_OK) == 0;
    for (int mode = X_OK;; mode = F_OK) { /* what may be executed goes first, as where a program is started */
        for (const char *at = folders; at != NULL && *at != '\0';) {
            size_t length = strcspn(at, ":");
            struct stat status;
            snprintf(path, room, "%.*s/%s", (int)length, at, program);
            if (length > 0 && access(path, mode) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode))
                return true;
            at += length + (at[length] == ':');
        }
        if (mode == F_OK)
            return false;
    }
}

/* Copies the interpreter that the first line of a file names, escaped. False: the line does not begin with #!. */
static bool read_interpreter(char *interpreter, size_t room, const char *path)
{
    char line[256] = "";
    FILE *file = fopen(path, "rb");
    bool has_one = file != NULL && fgets(line, sizeof line, file) != NULL && strncmp(line, "#!", 2) == 0;
    if (file != NULL)
        fclose(file);
    if (!has_one)
        return false;
    const char *begin = line + 2 + strspn(line + 2, " \t");
    char *shown = escaped(begin, strcspn(begin, " \t\n"), room - 1);
    snprintf(interpreter, room, "%s", shown);
    free(shown);
    return true;
}

void child_fail_to_start(const char *name, const char *program, int failed)
{
    char path[4096], interpreter[1024];
    struct stat status = {0};
    bool is_there = program[0] != '\0' && find_program(path, sizeof path, program),
         has_slash = strchr(program, '/') != NULL;
    bool is_file = stat(is_there ? path : program, &status) == 0 && S_ISREG(status.st_mode);
    bool is_script = is_there && is_file && read_interpreter(interpreter, sizeof interpreter, path);
    if (!is_there && !has_slash && is_file)
        cli_fail("cannot start %s: it is in no folder of PATH; the file in this folder is ./%s", name, program);
    if (is_there && S_ISDIR(status.st_mode))
        cli_fail("cannot start %s: it is a folder, no program", name);
    if (is_file && failed == ENOENT && is_script)
        cli_fail("cannot start %s: its first line names the interpreter %s, which does not exist", name, interpreter);
    if (is_file && failed == ENOENT)
        cli_fail("cannot start %s: the file exists, but not the loader or library that it asks for: was it built for "
                 "another system?",
                 name);
    if (is_file && failed == ENOEXEC)
        cli_fail("cannot start %s: it is no program of this machine, and has no #! line; if it is a script, name its "
                 "interpreter, too, as in: -- python3 FILE",
                 name);
    if (is_file && failed == EACCES && access(path, X_OK) != 0)
        cli_fail("cannot start %s: it may not be executed; chmod +x allows it, or, of a script, name its interpreter, "
                 "too, as in: -- python3 FILE",
                 name);
    cli_fail("cannot start %s: %s", name, strerror(failed));
}

/* ---- pipes ---------------------------------------------------------------------------------------------- */

static void close_end(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

void child_close_input(struct child *child)
{
    close_end(&child->in);
}

bool child_read(int descriptor, struct byte_string *text)
{
    enum { AT_ONCE = 1 << 16 };
    ssize_t got = read(descriptor, byte_string_room(text, AT_ONCE), AT_ONCE);
    if (got > 0)
        text->length += (size_t)got;
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

bool child_write(int descriptor, struct byte_string *text)
{
    ssize_t wrote = write(descriptor, text->bytes, text->length);
    if (wrote > 0)
        byte_string_drop(text, (size_t)wrote);
    return wrote >= 0 || errno == EAGAIN || errno == EINTR;
}

/* ---- the end ------------------------------------------------------------------------------------------- */

static bool has_ended(struct child *child)
{
    if (!child->has_status && waitpid(child->pid, &child->status, WNOHANG) == child->pid)
        child->has_status = true;
    return child->has_status;
}

void child_end(struct child *child)
{
    enum { PATIENCE_MS = 200 };
    close_end(&child->in);
    close_end(&child->out);
    close_end(&child->err);
    if (child->pid == 0)
        return;
    for (int i = 0; i < PATIENCE_MS && !has_ended(child); i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    child->is_killed = !child->has_status;
    kill(-child->pid, SIGKILL);
    while (!child->has_status) {
        if (waitpid(child->pid, &child->status, 0) == child->pid)
            child->has_status = true;
        else if (errno != EINTR)
            break;
    }
    note_living(0, child->pid);
    child->pid = 0;
}

void child_print_end(FILE *out, const struct child *child)
{
    if (!child->has_status)
        fputs("ended", out);
    else if (child->is_killed)
        fputs("closed its output, but did not end", out);
    else if (WIFSIGNALED(child->status))
        fprintf(out, "signal %d (%s)", WTERMSIG(child->status), strsignal(WTERMSIG(child->status)));
    else
        fprintf(out, "exit code %d", WEXITSTATUS(child->status));
}

void child_print_standstill(FILE *out, struct child *child)
{
    int status;
    if (!child->has_status && waitpid(child->pid, &status, WNOHANG | WUNTRACED) == child->pid) {
        if (WIFSTOPPED(status)) {
            fprintf(out, "; it is stopped by signal %d (%s)", WSTOPSIG(status), strsignal(WSTOPSIG(status)));
            return;
        }
        child->status = status;
        child->has_status = true;
    }
    if (!child->has_status)
        return;
    fputs("; it has ended (", out);
    child_print_end(out, child);
    fputs("), but a process that it started holds its output open", out);
}
