/* SPDX-License-Identifier: MIT
 *
 * Each cell is filled by a child process: an exhibit may crash, and keeps state from call to call.
 */
#include "museum.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CPU_SECONDS_MAX = 3600 };

static struct visit *visit_under_way;

_Noreturn void visit_end(struct visit *visit, enum fate fate, uint64_t cases, const char *by, const char *field)
{
    struct cell *cell = visit->cell;
    cell->cases = cases;
    cell->seconds = (cli_now_ns() - visit->begun) / 1e9;
    snprintf(cell->by, sizeof cell->by, "%s", by);
    snprintf(cell->field, sizeof cell->field, "%s", field);
    cell->fate = fate;
    asking_ends(); /* from here on, the codec does not end the process */
    _exit(EXIT_CLEAN);
}

static void on_crash(int signal)
{
    (void)signal;
    visit_end(visit_under_way, KILLED, *visit_under_way->cases + 1, "", "crash");
}

/* Installs handlers that replace those of the command line, which would print a letter. */
static void prepare_for_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], on_crash);
    setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_SECONDS_MAX, CPU_SECONDS_MAX});
}

/* Opens a file for what a child writes to standard error. It is shown only if the child cannot run. */
static FILE *open_complaints(void)
{
    FILE *file = tmpfile();
    if (file == NULL)
        cli_fail("no temporary file can be made: %s", strerror(errno));
    return file;
}

static void show_complaints(FILE *file)
{
    char line[1024];
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL)
        fputs(line, stderr);
}

struct child {
    pid_t process; /* 0: none */
    size_t cell;
    FILE *complaints;
};

static _Noreturn void run_in_child(struct visit *visit, FILE *complaints)
{
    static const uint64_t none;
    dup2(fileno(complaints), STDERR_FILENO);
    visit_under_way = visit;
    visit->cases = &none;
    prepare_for_crashes();
    visit->codec = museum_codec(visit->exhibit->trials->base, visit->exhibit->mistake);
    visit->column->ask(visit);
    abort(); /* each column ends the process */
}

static void start(struct child *child, struct matrix *matrix, size_t cell, const char *vectors_folder)
{
    struct visit visit = {.exhibit = &matrix->exhibits[cell / column_count],
                          .column = &columns[cell % column_count],
                          .cell = &matrix->cells[cell],
                          .stride = matrix->stride,
                          .has_kill_sets = matrix->has_kill_sets,
                          .vectors_folder = vectors_folder,
                          .begun = cli_now_ns()};
    bool is_of_encoding =
        visit.column->encoding[0] == '\0' || strcmp(visit.column->encoding, visit.exhibit->encoding) == 0;
    if (!is_of_encoding || visit.column->ask == NULL || !matrix->is_chosen[cell % column_count])
        return;
    *child = (struct child){.cell = cell, .complaints = open_complaints()};
    fflush(NULL);
    child->process = fork();
    if (child->process < 0)
        cli_fail("no process can be started: %s", strerror(errno));
    if (child->process == 0)
        run_in_child(&visit, child->complaints);
}

static void judge(struct child *child, const struct matrix *matrix, int status)
{
    if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_CLEAN) {
        const char *name = matrix->exhibits[child->cell / column_count].mistake->name;
        cli_clear_progress();
        show_complaints(child->complaints);
        if (WIFSIGNALED(status))
            cli_fail("%s: the column %s ended by signal %d (SIGXCPU: after %d seconds)", name,
                     columns[child->cell % column_count].name, WTERMSIG(status), CPU_SECONDS_MAX);
        cli_fail("%s: the column %s could not be asked", name, columns[child->cell % column_count].name);
    }
    fclose(child->complaints);
    child->process = 0;
}

static void wait_for_child(struct child *children, size_t at_once, const struct matrix *matrix)
{
    int status;
    pid_t process = wait(&status);
    if (process < 0 && errno == EINTR) /* the command line's clock */
        return;
    for (size_t i = 0; i < at_once; i++)
        if (process > 0 && children[i].process == process)
            judge(&children[i], matrix, status);
}

static size_t running(const struct child *children, size_t at_once)
{
    size_t count = 0;
    for (size_t i = 0; i < at_once; i++)
        count += children[i].process != 0;
    return count;
}

void fill_cells(struct matrix *matrix, const char *vectors_folder, size_t at_once)
{
    struct child *children = cli_alloc(at_once, sizeof *children);
    size_t count = matrix->exhibit_count * column_count;
    double begun = cli_now_ns(), shown_at = begun;
    matrix->cells =
        mmap(NULL, count * sizeof *matrix->cells, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (matrix->cells == MAP_FAILED)
        cli_fail("out of memory");
    for (size_t next = 0; next < count || running(children, at_once) > 0;) {
        for (size_t i = 0; i < at_once && next < count; i++)
            while (children[i].process == 0 && next < count)
                start(&children[i], matrix, next++, vectors_folder);
        if (running(children, at_once) > 0)
            wait_for_child(children, at_once, matrix);
        if (cli_progress_is_due(&shown_at))
            cli_print_progress(next, count, begun, "%zu of %zu cells", next, count);
    }
    matrix->seconds = (cli_now_ns() - begun) / 1e9;
    cli_clear_progress();
    free(children);
}
