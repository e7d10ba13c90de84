/* SPDX-License-Identifier: MIT
 *
 * Files that options name. A file is written under another name and then renamed, so that it is never incomplete and
 * what was there is not lost. The name - is standard output.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int codecs_diverted_from = -1; /* standard output, while what codecs print goes to standard error */
static int saved_output = -1;         /* standard output, if a file goes there */
static const char *diverted;          /* by which option */

static _Noreturn void fail(const char *option, const char *path, int why)
{
    char what[4200];
    snprintf(what, sizeof what, "--%s: %.4000s", option, path);
    cli_fail_to_write(what, why);
}

/* Returns the file that the finished one replaces, with links resolved; until then the old file stays. Returns NULL if
 * the path is written to directly: a device, a pipe, a dangling link. The caller frees it. */
static char *find_replaced(const char *path)
{
    struct stat status;
    char *target = realpath(path, NULL);
    if (target == NULL && lstat(path, &status) != 0)
        return strcpy(cli_alloc(strlen(path) + 1, 1), path);
    /* /dev/stdout is written through, even if it is a file */
    bool is_device = strncmp(path, "/dev/", strlen("/dev/")) == 0;
    if (target != NULL && !is_device && stat(target, &status) == 0 && S_ISREG(status.st_mode))
        return target;
    free(target);
    return NULL;
}

/* A new file beside the one that it replaces. */
static void open_beside(struct cli_output *output)
{
    size_t size = strlen(output->target) + sizeof ".XXXXXX";
    output->beside = cli_alloc(size, 1);
    snprintf(output->beside, size, "%s.XXXXXX", output->target);
    int descriptor = mkstemp(output->beside);
    if (descriptor < 0)
        fail(output->option, output->path, errno);
    mode_t mask = (mode_t)umask(0);
    umask(mask);
    output->file = fchmod(descriptor, (mode_t)(0666 & ~mask)) == 0 ? fdopen(descriptor, "wb") : NULL;
}

static bool is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0;
}

void cli_divert_codecs(void)
{
    if (!cli_as_json || codecs_diverted_from >= 0 || diverted != NULL)
        return;
    fflush(stdout);
    codecs_diverted_from = dup(STDOUT_FILENO);
    if (codecs_diverted_from < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        cli_fail_to_write("standard output", errno);
}

/* Codecs may print at the end of the process, too. */
void cli_print_json(json_t *value)
{
    fflush(stdout);
    bool goes_out = codecs_diverted_from >= 0 && diverted == NULL;
    if (goes_out && dup2(codecs_diverted_from, STDOUT_FILENO) < 0)
        cli_fail_to_write("standard output", errno);
    if (json_dumpf(value, stdout, JSON_INDENT(2)) != 0)
        cli_fail_to_write("standard output", errno);
    putchar('\n');
    json_decref(value);
    if (goes_out && fflush(stdout) == 0)
        dup2(STDERR_FILENO, STDOUT_FILENO);
}

/* What is printed goes to standard error from now on. */
static void divert_text(const char *option)
{
    if (diverted != NULL)
        cli_fail("--%s and --%s: only one of them can go to standard output", diverted, option);
    fflush(stdout);
    saved_output = dup(codecs_diverted_from >= 0 ? codecs_diverted_from : STDOUT_FILENO);
    if (saved_output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        fail(option, "standard output", errno);
    diverted = option;
}

struct cli_output cli_output_open(const char *option, const char *path)
{
    struct cli_output output = {.option = option, .path = is_standard_output(path) ? "standard output" : path};
    if (!is_standard_output(path))
        output.target = find_replaced(path);
    if (is_standard_output(path))
        output.file = fdopen(saved_output, "wb");
    else if (output.target != NULL)
        open_beside(&output);
    else
        output.file = fopen(path, "wb");
    if (output.file == NULL)
        fail(option, path, errno);
    return output;
}

/* An earlier write failed, and its reason is lost: another write fails for the same reason. */
static int reason_of_failure(FILE *file)
{
    clearerr(file);
    errno = 0;
    if (fputc('\n', file) == EOF || fflush(file) != 0)
        return errno;
    return 0;
}

void cli_output_close(struct cli_output *output)
{
    bool is_written = fflush(output->file) == 0 && !ferror(output->file);
    int why = is_written ? 0 : reason_of_failure(output->file);
    bool is_closed = fclose(output->file) == 0;
    if (!is_written || !is_closed || (output->target != NULL && rename(output->beside, output->target) != 0)) {
        why = why != 0 ? why : errno;
        if (output->beside != NULL)
            unlink(output->beside);
        fail(output->option, output->path, why);
    }
    free(output->beside);
    free(output->target);
}

void cli_output_try(const char *option, const char *path)
{
    if (is_standard_output(path)) {
        divert_text(option);
        return;
    }
    struct stat status;
    struct cli_output output = {.option = option, .path = path, .target = find_replaced(path)};
    if (output.target != NULL) {
        open_beside(&output);
        if (output.file != NULL)
            fclose(output.file);
        unlink(output.beside);
    } else if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        fail(option, path, EISDIR);
    } else if (access(path, W_OK) != 0 && errno != ENOENT) {
        fail(option, path, errno);
    }
    free(output.beside);
    free(output.target);
}
