/* SPDX-License-Identifier: MIT
 *
 * The replayer: runs a fuzz target over files and folders, without a fuzzing engine, and asks every question. Exit
 * code: 1 if there was a finding; otherwise 2 if a file could not be read or there was no file; otherwise 0.
 *
 * It prints one letter for each key, and at the end how many more findings had that key: a codec that is wrong once is
 * often wrong 10,000 times.
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

/* In bytes. The questions are about 2,000 passes over a file for each codec: hours for a file of this size. */
#define FILE_MAX ((size_t)64 << 20)

static size_t files, skipped_files, findings, letters;
static bool in_each_file; /* print a letter for each key in each file, for programs that need the keys of each file */

/* The findings of each key. */
static struct key_record {
    struct key_record *next;
    size_t count;
    size_t file; /* the last file with this key, counted from 1 */
    char *key;
} * key_records;

static void count_finding(void)
{
    findings++;
}

static void skip_file(const char *path, const char *why)
{
    fprintf(stderr, "replay: %s: %s\n", path, why);
    skipped_files++;
}

static struct key_record *find_or_add_key(const char *key)
{
    struct key_record *record = key_records;
    while (record != NULL && strcmp(record->key, key) != 0)
        record = record->next;
    if (record != NULL)
        return record;
    record = calloc(1, sizeof *record);
    if (record == NULL || (record->key = strdup(key)) == NULL)
        arena_fail(sizeof *record);
    record->next = key_records;
    return key_records = record;
}

static bool record_key(const char *key)
{
    struct key_record *record = find_or_add_key(key);
    bool is_first = record->count == 0 || (in_each_file && record->file != files + 1);
    record->count++;
    record->file = files + 1;
    letters += is_first;
    return is_first;
}

static void print_repeats(void)
{
    for (const struct key_record *record = key_records; record != NULL; record = record->next)
        if (record->count > 1)
            fprintf(stderr, "%zu more like %s\n", record->count - 1, record->key);
}

/* Reads to the end of the file, not to the size of stat(): a pipe has no size. Returns memory for the caller to free,
 * or NULL if the file could not be read. */
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
    skip_file(path, ferror(file)
                        ? strerror(errno)
                        : "longer than 64 MiB, or endless; cut it into smaller files, or pass it to `assay diff`");
    free(bytes);
    return NULL;
}

static void replay_file(const char *path)
{
    size_t byte_count, before = letters;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        skip_file(path, strerror(errno));
        return;
    }
    uint8_t *bytes = read_whole(file, path, &byte_count);
    fclose(file);
    if (bytes == NULL)
        return;
    LLVMFuzzerTestOneInput(bytes, byte_count);
    if (letters > before)
        fprintf(stderr, "in %s\n", path);
    free(bytes);
    files++;
}

/* A folder, and the chain of folders that led to it. */
struct folder {
    const struct folder *parent;
    dev_t device;
    ino_t number;
};

static bool is_link_loop(const struct folder *folder)
{
    const struct folder *parent = folder->parent;
    while (parent != NULL && (parent->device != folder->device || parent->number != folder->number))
        parent = parent->parent;
    return parent != NULL;
}

static void replay(const char *path, const struct folder *parent);

/* Replays the entries in alphabetical order, without those whose names begin with a dot. */
static void replay_folder(const char *path, const struct folder *folder)
{
    struct dirent **entries;
    if (is_link_loop(folder)) {
        skip_file(path, "this link leads back to a folder that contains it");
        return;
    }
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0) {
        skip_file(path, strerror(errno));
        return;
    }
    for (int i = 0; i < count; i++) {
        char inner[4096];
        bool fits = (size_t)snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name) < sizeof inner;
        if (entries[i]->d_name[0] != '.' && fits)
            replay(inner, folder);
        else if (!fits)
            skip_file(path, "the path is too long");
        free(entries[i]);
    }
    free(entries);
}

static void replay(const char *path, const struct folder *parent)
{
    struct stat status;
    bool is_there = stat(path, &status) == 0;
    if (!is_there)
        skip_file(path, strerror(errno));
    else if (S_ISDIR(status.st_mode))
        replay_folder(path, &(struct folder){parent, status.st_dev, status.st_ino});
    else if (S_ISREG(status.st_mode) || strncmp(path, "/dev/", strlen("/dev/")) == 0)
        replay_file(path);
    else /* reading a pipe could block for ever */
        skip_file(path, "not a regular file, and not in /dev");
}

static void print_usage(FILE *out, const char *program)
{
    fprintf(
        out,
        "usage: %s [--each-file] FILE-OR-FOLDER...\n"
        "Replays inputs through this fuzz target. Prints one letter for each key; with --each-file, one for each key and file.\n"
        "exit code: 0 = no finding, 1 = findings, 2 = no finding, but a file could not be replayed, or there was none\n",
        program);
}

/* Parses the options, which may stand anywhere before `--`. Moves the paths to argv[1] and after; returns their
 * number. */
static int parse_options(int argc, char **argv)
{
    int count = 0;
    bool options_end = false;
    for (int i = 1; i < argc; i++) {
        if (options_end || argv[i][0] != '-') {
            argv[++count] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            options_end = true;
        } else if (strcmp(argv[i], "--each-file") == 0) {
            in_each_file = true;
        } else if (strcmp(argv[i], "--help") == 0) {
            print_usage(stdout, argv[0]);
            exit(0);
        } else {
            fprintf(stderr, "replay: no option is called '%s'; for a file of that name, write ./%s\n", argv[i],
                    argv[i]);
            exit(2);
        }
    }
    return count;
}

int main(int argc, char **argv)
{
    int path_count = parse_options(argc, argv);
    if (path_count == 0) {
        print_usage(stderr, argv[0]);
        return 2;
    }
    LLVMFuzzerInitialize(&argc, &argv);
    silence_watch_alone();
    if (getenv("ASSAY_EFFORT") == NULL)
        target_examiner.effort = THOROUGH;
    target_examiner.comparer.keep_going = true;
    target_record_key = record_key;
    target_after_finding = count_finding;
    for (int i = 1; i <= path_count; i++)
        replay(argv[i], NULL);
    if (files == 0) {
        fputs("replay: no file to replay\n", stderr);
        return 2;
    }
    if (!in_each_file)
        print_repeats();
    printf("%zu file%s replayed, %zu finding%s", files, files == 1 ? "" : "s", findings, findings == 1 ? "" : "s");
    if (skipped_files > 0)
        printf("; %zu could not be replayed", skipped_files);
    putchar('\n');
    return findings > 0 ? 1 : skipped_files > 0 ? 2 : 0;
}
