/* SPDX-License-Identifier: MIT
 *
 * The files that belong to the program, and JSON.
 */
#include "internal.h"
#ifdef ASSAY_ONE_FILE
#include "../one_file/archive.h"
#endif

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

/* The path of this program without links, or NULL; freed by the caller. */
static char *find_program(void)
{
#ifdef __APPLE__
    char name[4096];
    uint32_t room = sizeof name;
    return _NSGetExecutablePath(name, &room) == 0 ? realpath(name, NULL) : NULL;
#else
    char name[4096];
    ssize_t length = readlink("/proc/self/exe", name, sizeof name - 1);
    if (length > 0) {
        name[length] = '\0';
        return strdup(name);
    }
#ifdef AT_EXECFN
    const char *started = (const char *)getauxval(AT_EXECFN);
    return started != NULL ? realpath(started, NULL) : NULL; /* in case /proc is not mounted */
#else
    return NULL;
#endif
#endif
}

const char *cli_own_path(void)
{
    static char *program;
    if (program == NULL)
        program = find_program();
    return program;
}

/* A build folder has links to the checkout. */
const char *cli_data(const char *name)
{
    static const char *const beside[] = {"", "/" ASSAY_DATA_FROM_PROGRAM};
    static char found[4096 + 256];
    const char *program = cli_own_path();
#ifdef ASSAY_ONE_FILE
    if (archive_path(name) != NULL)
        return archive_path(name);
#endif
    for (size_t i = 0; i < sizeof beside / sizeof beside[0] && program != NULL; i++) {
        snprintf(found, sizeof found, "%.*s%s/%s", (int)(strrchr(program, '/') - program), program, beside[i], name);
        if (access(found, R_OK) == 0)
            return found;
    }
    snprintf(found, sizeof found, "%s/%s", ASSAY_DATA_DIR, name);
    return access(found, R_OK) == 0 ? found : NULL;
}

FILE *cli_open_data(const char *path)
{
#ifdef ASSAY_ONE_FILE
    if (archive_has(path))
        return archive_open(path);
#endif
    return fopen(path, "rb");
}

int cli_list_data(const char *folder, struct dirent ***entries, int (*filter)(const struct dirent *entry))
{
#ifdef ASSAY_ONE_FILE
    if (archive_has(folder))
        return archive_list(folder, entries, filter);
#endif
    return scandir(folder, entries, filter, alphasort);
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
    FILE *file = cli_open_data(path);
    if (file == NULL)
        cli_fail("%s: %s", path, strerror(errno));
    json_t *json = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    if (json == NULL)
        cli_fail("%s: line %d, column %d: %s", path, error.line, error.column, error.text);
    fclose(file);
    return json;
}
