/* SPDX-License-Identifier: MIT
 *
 * The replayer: runs a fuzz target over files and folders, with any compiler, asking every question. Exit 0 if
 * nothing was found, 1 if something was, 2 if a file cannot be read or there was none.
 */
#include "target.h"
#include "../core/silence.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static size_t files, findings;

static void count_finding(void)
{
    findings++;
}

static void fail(const char *path, const char *why)
{
    fprintf(stderr, "replay: %s: %s\n", path, why);
    exit(2);
}

/* Reads to the end, whatever the system says of the size: a pipe has none. */
static uint8_t *read_whole(const char *path, size_t *byte_count)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    size_t capacity = 0, got = 1;
    if (file == NULL)
        fail(path, strerror(errno));
    for (*byte_count = 0; got > 0; *byte_count += got) {
        if (*byte_count == capacity) {
            capacity = 2 * capacity + 4096;
            bytes = realloc(bytes, capacity);
            if (bytes == NULL)
                fail(path, strerror(errno));
        }
        got = fread(bytes + *byte_count, 1, capacity - *byte_count, file);
    }
    if (ferror(file))
        fail(path, strerror(errno));
    fclose(file);
    return bytes;
}

static void replay_file(const char *path)
{
    size_t byte_count, before = findings;
    uint8_t *bytes = read_whole(path, &byte_count);
    LLVMFuzzerTestOneInput(bytes, byte_count);
    if (findings > before)
        fprintf(stderr, "in %s\n", path);
    free(bytes);
    files++;
}

static void replay(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        fail(path, strerror(errno));
    bool may_wait = !S_ISREG(status.st_mode) && strncmp(path, "/dev/", strlen("/dev/")) != 0; /* a pipe that nobody writes to */
    if (!S_ISDIR(status.st_mode) && may_wait)
        fail(path, "no file, and none of /dev");
    if (!S_ISDIR(status.st_mode)) {
        replay_file(path);
        return;
    }
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0)
        fail(path, strerror(errno));
    for (int i = 0; i < count; i++) {
        char inner[4096];
        if (entries[i]->d_name[0] != '.') {
            if ((size_t)snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name) >= sizeof inner)
                fail(path, "the path is too long");
            replay(inner);
        }
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-') {
        fprintf(stderr, "usage: %s FILE-OR-FOLDER...\nReplays inputs through this fuzz target.\n", argv[0]);
        return 2;
    }
    LLVMFuzzerInitialize(&argc, &argv);
    silence_watch_alone();
    target_examiner.effort = THOROUGH;
    target_examiner.comparer.keep_going = true;
    target_after_finding = count_finding;
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    if (files == 0) {
        fputs("replay: no file to replay\n", stderr);
        return 2;
    }
    printf("%zu files replayed, %zu findings\n", files, findings);
    return findings > 0 ? 1 : 0;
}
