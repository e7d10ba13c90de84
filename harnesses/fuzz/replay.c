/* SPDX-License-Identifier: MIT
 *
 * The replayer: runs a fuzz target over files and folders, with any compiler, asking every question. Exit 0 if
 * nothing was found, 1 if something was, 2 if a file cannot be read or there was none.
 *
 * A codec that is wrong once is wrong ten thousand times: there is one letter of each key, and in the end how many more
 * there would have been.
 */
#include "target.h"
#include "../core/silence.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static size_t files, findings, told;
static bool in_each_file; /* one of each key in each file, for a program that has to know them all */

/* What was found, by key. */
static struct sort {
    struct sort *next;
    size_t count;
    size_t file; /* the last that showed it, counted from 1 */
    char *key;
} *sorts;

static void count_finding(void)
{
    findings++;
}

static void fail(const char *path, const char *why)
{
    fprintf(stderr, "replay: %s: %s\n", path, why);
    exit(2);
}

static struct sort *find_sort(const char *key)
{
    struct sort *sort = sorts;
    while (sort != NULL && strcmp(sort->key, key) != 0)
        sort = sort->next;
    if (sort != NULL)
        return sort;
    sort = calloc(1, sizeof *sort);
    if (sort == NULL || (sort->key = strdup(key)) == NULL)
        fail(key, strerror(errno));
    sort->next = sorts;
    return sorts = sort;
}

static bool is_news(const char *key)
{
    struct sort *sort = find_sort(key);
    bool news = sort->count == 0 || (in_each_file && sort->file != files + 1);
    sort->count++;
    sort->file = files + 1;
    told += news;
    return news;
}

static void say_how_many_more(void)
{
    for (const struct sort *sort = sorts; sort != NULL; sort = sort->next)
        if (sort->count > 1)
            fprintf(stderr, "%zu more like %s\n", sort->count - 1, sort->key);
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
    size_t byte_count, before = told;
    uint8_t *bytes = read_whole(path, &byte_count);
    LLVMFuzzerTestOneInput(bytes, byte_count);
    if (told > before)
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
    in_each_file = argc > 1 && strcmp(argv[1], "--each-file") == 0;
    int first = in_each_file ? 2 : 1;
    if (argc <= first || argv[first][0] == '-') {
        fprintf(stderr,
                "usage: %s [--each-file] FILE-OR-FOLDER...\n"
                "Replays inputs through this fuzz target. One letter a key, with --each-file one in each file.\n",
                argv[0]);
        return 2;
    }
    LLVMFuzzerInitialize(&argc, &argv);
    silence_watch_alone();
    target_examiner.effort = THOROUGH;
    target_examiner.comparer.keep_going = true;
    target_is_news = is_news;
    target_after_finding = count_finding;
    for (int i = first; i < argc; i++)
        replay(argv[i]);
    if (files == 0) {
        fputs("replay: no file to replay\n", stderr);
        return 2;
    }
    if (!in_each_file)
        say_how_many_more();
    printf("%zu files replayed, %zu findings\n", files, findings);
    return findings > 0 ? 1 : 0;
}
