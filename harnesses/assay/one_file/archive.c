/* SPDX-License-Identifier: MIT
 *
 * The archive that pack.c writes; it is unpacked in memory when the first file of it is asked for.
 */
#include "archive.h"
#include "../cli.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern const uint8_t archive_begin[]; /* carried.S */

struct entry {
    const char *name;
    uint8_t *bytes;
    size_t size;
};

static struct entry *all_entries;
static size_t entry_count;

static size_t fixed(const uint8_t *bytes, int byte_count)
{
    uint64_t value = 0;
    for (int i = byte_count; i-- > 0;)
        value = value << 8 | bytes[i];
    return (size_t)value;
}

static size_t number(const uint8_t **at)
{
    size_t value = 0;
    int shift = 0;
    for (; **at > 0x7F; shift += 7)
        value |= (size_t)(*(*at)++ & 0x7F) << shift;
    return value | (size_t) * (*at)++ << shift;
}

/* Decompresses the text that pack.c compressed. */
static uint8_t *unpack(void)
{
    const uint8_t *at = archive_begin + 8;
    uint8_t *plain = cli_alloc(fixed(archive_begin, 8), 1), *out = plain;
    for (;;) {
        size_t literals = number(&at);
        memcpy(out, at, literals);
        out += literals;
        at += literals;
        size_t copied = number(&at);
        if (copied == 0)
            return plain;
        size_t distance = number(&at);
        for (; copied > 0; copied--, out++) /* byte by byte, because the two may overlap */
            *out = *(out - distance);
    }
}

static void read_entries(void)
{
    if (all_entries != NULL)
        return;
    size_t capacity = 0;
    for (uint8_t *at = unpack(); *at != '\0';) {
        if (entry_count == capacity) {
            capacity = 2 * capacity + 64;
            all_entries = realloc(all_entries, capacity * sizeof *all_entries);
            if (all_entries == NULL)
                cli_fail("out of memory");
        }
        uint8_t *size_at = at + strlen((char *)at) + 1;
        all_entries[entry_count++] = (struct entry){(char *)at, size_at + 4, fixed(size_at, 4)};
        at = size_at + 4 + fixed(size_at, 4);
    }
}

bool archive_has(const char *path)
{
    return strncmp(path, ARCHIVE_PREFIX, strlen(ARCHIVE_PREFIX)) == 0;
}

/* Returns the rest of an entry's name after `folder/`; NULL if it is not in the folder. */
static const char *inside(const struct entry *entry, const char *folder, size_t length)
{
    return strncmp(entry->name, folder, length) == 0 && entry->name[length] == '/' ? entry->name + length + 1 : NULL;
}

const char *archive_path(const char *name)
{
    static char path[4096];
    read_entries();
    for (size_t i = 0; i < entry_count; i++)
        if (strcmp(all_entries[i].name, name) == 0 || inside(&all_entries[i], name, strlen(name)) != NULL) {
            snprintf(path, sizeof path, ARCHIVE_PREFIX "%s", name);
            return path;
        }
    return NULL;
}

FILE *archive_open(const char *path)
{
    read_entries();
    for (size_t i = 0; i < entry_count; i++)
        if (strcmp(all_entries[i].name, path + strlen(ARCHIVE_PREFIX)) == 0)
            return fmemopen(all_entries[i].bytes, all_entries[i].size, "r");
    errno = ENOENT;
    return NULL;
}

static int by_name(const void *one, const void *other)
{
    return strcmp((*(struct dirent *const *)one)->d_name, (*(struct dirent *const *)other)->d_name);
}

int archive_list(const char *folder, struct dirent ***entries, int (*filter)(const struct dirent *entry))
{
    const char *name = folder + strlen(ARCHIVE_PREFIX);
    bool is_there = false;
    int count = 0;
    read_entries();
    *entries = cli_alloc(entry_count + 1, sizeof **entries);
    for (size_t i = 0; i < entry_count; i++) {
        const char *rest = inside(&all_entries[i], name, strlen(name));
        if (rest == NULL)
            continue;
        is_there = true;
        struct dirent *entry = cli_alloc(1, sizeof *entry);
        snprintf(entry->d_name, sizeof entry->d_name, "%.*s", (int)strcspn(rest, "/"), rest);
        bool is_again =
            /* entries are in order, because pack.c sorts them */
            count > 0 && strcmp((*entries)[count - 1]->d_name, entry->d_name) == 0;
        if (is_again || (filter != NULL && !filter(entry)))
            free(entry);
        else
            (*entries)[count++] = entry;
    }
    if (is_there) {
        qsort(*entries, (size_t)count, sizeof **entries, by_name);
        return count;
    }
    free(*entries);
    errno = ENOENT;
    return -1;
}
