/* SPDX-License-Identifier: MIT
 *
 * JUnit XML, as build servers read it. The file is written under another name and then renamed, so that it is never
 * incomplete.
 */
#include "junit.h"

#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes text for XML 1.0. Everything that is not printable ASCII becomes \xHH: XML cannot represent most control
 * characters. */
static void put_xml(FILE *out, const char *text, size_t length)
{
    for (const char *at = text; at < text + length; at++) {
        switch (*at) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\n': fputc('\n', out); break;
        default:
            if (*at >= ' ' && *at <= '~')
                fputc(*at, out);
            else
                fprintf(out, "\\x%02X", (unsigned char)*at);
        }
    }
}

void junit_put_case(FILE *out, const struct junit_case *one)
{
    const char *name = strrchr(one->id, '/') + 1;
    fputs("<testcase classname=\"", out);
    for (const char *at = one->id; at + 1 < name; at++)
        put_xml(out, *at == '/' ? "." : at, 1); /* readers of JUnit take dots for separators of folders */
    fputs("\" name=\"", out);
    put_xml(out, name, strlen(name));
    if (one->failed) {
        fputs("\"><failure message=\"", out);
        put_xml(out, one->comment, strlen(one->comment));
        fputs("\">", out);
        put_xml(out, one->letters, strlen(one->letters));
        fputs("</failure></testcase>\n", out);
    } else {
        fputs(one->skipped ? "\"><skipped/></testcase>\n" : "\"/>\n", out);
    }
}

void junit_put_suite(FILE *out, const char *name, const char *vectors_version, const struct junit_counts *counts,
                     double seconds, const char *cases)
{
    fputs("<testsuite name=\"", out);
    put_xml(out, name, strlen(name));
    fprintf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"%.3f\">\n", counts->cases,
            counts->failed, counts->skipped, seconds);
    fprintf(out, "<properties><property name=\"utf8-assay\" value=\"%s\"/>", ASSAY_VERSION);
    if (vectors_version != NULL)
        fprintf(out, "<property name=\"vectors\" value=\"%s\"/>", vectors_version);
    fprintf(out, "</properties>\n%s</testsuite>\n", cases);
}

static _Noreturn void fail_junit(const char *path, int why)
{
    cli_fail("--junit: %s cannot be written: %s", path, strerror(why));
}

/* Returns the file that the finished report replaces, with links resolved; until then the old file stays. Returns NULL
 * if the report is written to the path directly: a device, a pipe, a dangling link. The caller frees it. */
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

/* Opens a new file next to the one that it will replace. The caller frees its name. */
static FILE *open_beside(const char *path, const char *target, char **name)
{
    size_t size = strlen(target) + sizeof ".XXXXXX";
    *name = cli_alloc(size, 1);
    snprintf(*name, size, "%s.XXXXXX", target);
    int descriptor = mkstemp(*name);
    if (descriptor < 0)
        fail_junit(path, errno);
    mode_t mask = (mode_t)umask(0);
    umask(mask);
    FILE *out = fchmod(descriptor, (mode_t)(0666 & ~mask)) == 0 ? fdopen(descriptor, "w") : NULL;
    if (out == NULL)
        fail_junit(path, errno);
    return out;
}

static int saved_output = -1; /* the original standard output, if the report goes there */

static void divert_text(void)
{
    fflush(stdout);
    saved_output = dup(STDOUT_FILENO);
    if (saved_output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        fail_junit("standard output", errno);
}

void junit_try(const char *path)
{
    if (strcmp(path, "-") == 0) {
        divert_text();
        return;
    }
    struct stat status;
    char *target = find_replaced(path), *name = NULL;
    if (target != NULL) {
        fclose(open_beside(path, target, &name));
        unlink(name);
    } else if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        fail_junit(path, EISDIR);
    } else if (access(path, W_OK) != 0 && errno != ENOENT) {
        fail_junit(path, errno);
    }
    free(name);
    free(target);
}

void junit_write(const char *path, const char *program, const struct junit_counts *counts, const char *suites)
{
    bool is_output = saved_output >= 0;
    char *target = is_output ? NULL : find_replaced(path), *name = NULL;
    FILE *out = is_output        ? fdopen(saved_output, "w")
                : target != NULL ? open_beside(path, target, &name)
                                 : fopen(path, "w");
    if (out == NULL)
        fail_junit(path, errno);
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n%s</testsuites>\n",
            program, counts->cases, counts->failed, suites);
    bool written = fflush(out) == 0 && !ferror(out);
    if (fclose(out) != 0 || !written || (target != NULL && rename(name, target) != 0)) {
        int why = errno;
        if (name != NULL)
            unlink(name);
        fail_junit(path, why);
    }
    free(name);
    free(target);
}
