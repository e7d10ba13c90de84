/* SPDX-License-Identifier: MIT
 *
 * The replayer: runs a fuzz target over files and folders, with any compiler, asking every question. Exit 0 if
 * nothing was found, 1 if something was, which a file that cannot be read does not undo, 2 if one cannot or there was none.
 *
 * A codec that is wrong once is wrong ten thousand times: there is one letter of each key, and in the end how many more
 * there would have been.
 */
#include "target.h"
#include "../core/arena.h"
#include "../core/silence.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Every question is some two thousand passes over a file for every codec: hours for one of this size. */
#define FILE_MAX ((size_t)64 << 20)

static size_t files, unread, findings, told;
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

/* Of a file that is not replayed; the others are. */
static void pass_over(const char *path, const char *why)
{
    fprintf(stderr, "replay: %s: %s\n", path, why);
    unread++;
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
        arena_fail(sizeof *sort);
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

/* Reads to the end, whatever the system says of the size: a pipe has none. Owned by the caller; NULL if it could not be read. */
static uint8_t *read_whole(FILE *file, const char *path, size_t *byte_count)
{
    uint8_t *bytes = NULL;
    size_t capacity = 0, got = 1;
    for (*byte_count = 0; got > 0 && *byte_count <= FILE_MAX; *byte_count += got) {
        if (*byte_count == capacity) {
            capacity = 2 * capacity + 4096;
            bytes = realloc(bytes, capacity);
            if (bytes == NULL)
                arena_fail(capacity);
        }
        got = fread(bytes + *byte_count, 1, capacity - *byte_count, file);
    }
    if (!ferror(file) && *byte_count <= FILE_MAX)
        return bytes;
    pass_over(path, ferror(file) ? strerror(errno)
                                 : "more than 64 MiB, or without end; cut it into smaller files, or give it to `assay diff`");
    free(bytes);
    return NULL;
}

static void replay_file(const char *path)
{
    size_t byte_count, before = told;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        pass_over(path, strerror(errno));
        return;
    }
    uint8_t *bytes = read_whole(file, path, &byte_count);
    fclose(file);
    if (bytes == NULL)
        return;
    LLVMFuzzerTestOneInput(bytes, byte_count);
    if (told > before)
        fprintf(stderr, "in %s\n", path);
    free(bytes);
    files++;
}

/* A folder, and those that it was reached by. */
struct folder {
    const struct folder *above;
    dev_t device;
    ino_t number;
};

static bool lies_in_itself(const struct folder *folder)
{
    const struct folder *above = folder->above;
    while (above != NULL && (above->device != folder->device || above->number != folder->number))
        above = above->above;
    return above != NULL;
}

static void replay(const char *path, const struct folder *above);

static void replay_folder(const char *path, const struct folder *folder)
{
    struct dirent **entries;
    if (lies_in_itself(folder)) {
        pass_over(path, "the link leads back to a folder around it");
        return;
    }
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0) {
        pass_over(path, strerror(errno));
        return;
    }
    for (int i = 0; i < count; i++) {
        char inner[4096];
        bool fits = (size_t)snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name) < sizeof inner;
        if (entries[i]->d_name[0] != '.' && fits)
            replay(inner, folder);
        else if (!fits)
            pass_over(path, "the path is too long");
        free(entries[i]);
    }
    free(entries);
}

static void replay(const char *path, const struct folder *above)
{
    struct stat status;
    bool is_there = stat(path, &status) == 0;
    if (!is_there)
        pass_over(path, strerror(errno));
    else if (S_ISDIR(status.st_mode))
        replay_folder(path, &(struct folder){above, status.st_dev, status.st_ino});
    else if (S_ISREG(status.st_mode) || strncmp(path, "/dev/", strlen("/dev/")) == 0)
        replay_file(path);
    else /* a pipe that nobody writes to is waited for */
        pass_over(path, "no file, and none of /dev");
}

static void print_usage(FILE *out, const char *program)
{
    fprintf(out,
            "usage: %s [--each-file] FILE-OR-FOLDER...\n"
            "Replays inputs through this fuzz target. One letter a key, with --each-file one in each file.\n"
            "exit code: 0 = nothing was found, 1 = something was, 2 = nothing was, but not every file could be replayed, or none\n",
            program);
}

/* Takes the options, wherever they stand before `--`, and leaves the paths; how many these are. */
static int take_options(int argc, char **argv)
{
    int count = 0;
    bool are_over = false;
    for (int i = 1; i < argc; i++) {
        if (are_over || argv[i][0] != '-') {
            argv[++count] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            are_over = true;
        } else if (strcmp(argv[i], "--each-file") == 0) {
            in_each_file = true;
        } else if (strcmp(argv[i], "--help") == 0) {
            print_usage(stdout, argv[0]);
            exit(0);
        } else {
            fprintf(stderr, "replay: there is no option '%s'; a file of that name is ./%s\n", argv[i], argv[i]);
            exit(2);
        }
    }
    return count;
}

int main(int argc, char **argv)
{
    int path_count = take_options(argc, argv);
    if (path_count == 0) {
        print_usage(stderr, argv[0]);
        return 2;
    }
    LLVMFuzzerInitialize(&argc, &argv);
    silence_watch_alone();
    target_examiner.effort = THOROUGH;
    target_examiner.comparer.keep_going = true;
    target_is_news = is_news;
    target_after_finding = count_finding;
    for (int i = 1; i <= path_count; i++)
        replay(argv[i], NULL);
    if (files == 0) {
        fputs("replay: no file to replay\n", stderr);
        return 2;
    }
    if (!in_each_file)
        say_how_many_more();
    printf("%zu files replayed, %zu findings", files, findings);
    if (unread > 0)
        printf("; %zu could not be replayed", unread);
    putchar('\n');
    return findings > 0 ? 1 : unread > 0 ? 2 : 0;
}
