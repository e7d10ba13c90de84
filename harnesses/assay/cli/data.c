/* SPDX-License-Identifier: MIT
 *
 * The data that belongs to the program, and JSON.
 */
#include "internal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

/* Writes the path of this program without a zero at its end; returns its length, or -1. */
static ssize_t find_program(char *path, size_t capacity)
{
#ifdef __APPLE__
    uint32_t room = (uint32_t)capacity;
    return _NSGetExecutablePath(path, &room) == 0 ? (ssize_t)strlen(path) : -1;
#else
    return readlink("/proc/self/exe", path, capacity);
#endif
}

/* A program in a build folder finds links to its checkout. */
const char *cli_data(const char *name)
{
    static const char *const beside[] = {".", ASSAY_DATA_FROM_PROGRAM};
    static char found[4096 + 256];
    char program[4096];
    ssize_t length = find_program(program, sizeof program - 1);
    for (size_t i = 0; i < sizeof beside / sizeof beside[0] && length > 0; i++) {
        program[length] = '\0';
        snprintf(found, sizeof found, "%.*s/%s/%s", (int)(strrchr(program, '/') - program), program, beside[i], name);
        if (access(found, R_OK) == 0)
            return found;
    }
    snprintf(found, sizeof found, "%s/%s", ASSAY_DATA_DIR, name);
    return access(found, R_OK) == 0 ? found : NULL;
}

json_t *cli_json(json_t *value)
{
    if (value == NULL)
        cli_fail("a name or a text for the JSON is not UTF-8");
    return value;
}

json_t *cli_load_json(const char *path)
{
    struct stat status;
    json_error_t error = {0};
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        cli_fail("%s is no file", path);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        cli_fail("%s: %s", path, strerror(errno));
    json_t *json = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    if (json == NULL)
        cli_fail("%s: line %d, column %d: %s", path, error.line, error.column, error.text);
    fclose(file);
    return json;
}

void cli_print_json(json_t *value)
{
    if (json_dumpf(value, stdout, JSON_INDENT(2)) != 0)
        cli_fail_to_write("standard output", errno);
    putchar('\n');
    json_decref(value);
}
