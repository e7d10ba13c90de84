/* SPDX-License-Identifier: MIT
 *
 * A checkpoint: a text file with the results of a shard's chunks, which ends with a checksum of everything before it.
 * It is written under another name and then renamed, so it is never half written.
 */
#include "chunks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char title[] = "assay sweep checkpoint 1\n";

/* FNV-1a. */
static uint64_t sum_of(uint64_t sum, const void *bytes, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++)
        sum = (sum ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001B3);
    return sum;
}

static const uint64_t sum_of_nothing = UINT64_C(0xCBF29CE484222325);

uint64_t program_sum(void)
{
    static uint8_t buffer[1 << 16];
    uint64_t sum = sum_of_nothing;
    FILE *file = fopen("/proc/self/exe", "rb");
    if (file == NULL)
        cli_fail("a checkpoint needs /proc/self/exe, to know its program again: %s", strerror(errno));
    for (size_t count; (count = fread(buffer, 1, sizeof buffer, file)) > 0;)
        sum = sum_of(sum, buffer, count);
    fclose(file);
    return sum;
}

static void write_text(const struct chunks *chunks, FILE *out)
{
    fputs(title, out);
    fprintf(out, "part %s of %s\n", chunks->part, chunks->encoding);
    fprintf(out, "program %016" PRIX64 "\n", chunks->program);
    fprintf(out, "shard %zu of %zu\n", chunks->shard, chunks->shard_count);
    for (size_t i = chunks->from; i < chunks->to; i++)
        if (chunks->is_done[i]) {
            fprintf(out, "chunk %zu", i);
#define X(name) fprintf(out, " %016" PRIX64, chunks->of[i].name);
            DIGESTS(X)
#undef X
            fputc('\n', out);
        }
}

void chunks_write(const struct chunks *chunks, const char *path)
{
    char *text, beside[4096];
    size_t size;
    FILE *out = cli_open_text(&text, &size);
    write_text(chunks, out);
    fclose(out);
    if ((size_t)snprintf(beside, sizeof beside, "%s.new", path) >= sizeof beside)
        cli_fail("%.100s...: the path is too long", path);
    FILE *file = fopen(beside, "w");
    if (file == NULL)
        cli_fail("%s: %s", path, strerror(errno));
    fwrite(text, 1, size, file);
    fprintf(file, "end %016" PRIX64 "\n", sum_of(sum_of_nothing, text, size));
    bool is_written = fflush(file) == 0 && fsync(fileno(file)) == 0 && ferror(file) == 0;
    if (fclose(file) != 0 || !is_written || rename(beside, path) != 0)
        cli_fail("%s: %s", path, strerror(errno));
    free(text);
}

/* Returns the whole file; NULL if there is none. */
static char *read_text(const char *path, size_t *size)
{
    enum { LARGEST = CHUNK_COUNT * 128 };
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        cli_fail("%s: not a regular file", path);
    FILE *file = fopen(path, "r");
    if (file == NULL && errno == ENOENT)
        return NULL;
    if (file == NULL)
        cli_fail("%s: %s", path, strerror(errno));
    char *text = cli_alloc(LARGEST, 1);
    *size = fread(text, 1, LARGEST - 1, file);
    if (ferror(file))
        cli_fail("%s: %s", path, strerror(errno));
    fclose(file);
    return text;
}

static _Noreturn void refuse(const char *path, const char *why)
{
    cli_fail("%s %s: remove it to begin again", path, why);
}

/* Checks the last line, and removes it. */
static void check_sum(char *text, size_t size, const char *path)
{
    char expected[32];
    size_t length = strlen("end 0123456789ABCDEF\n");
    if (size < length || strlen(text) != size)
        refuse(path, "is no checkpoint, or is damaged");
    snprintf(expected, sizeof expected, "end %016" PRIX64 "\n", sum_of(sum_of_nothing, text, size - length));
    if (strcmp(text + size - length, expected) != 0)
        refuse(path, "is no checkpoint, or is damaged: its checksum is not that of its content");
    text[size - length] = '\0';
}

static void read_chunk(struct chunks *chunks, const char *line, const char *path)
{
    size_t i;
    struct digests digests;
    if (sscanf(line, "chunk %zu %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64, &i, &digests.verdict, &digests.strict,
               &digests.whatwg, &digests.errors) != 5 ||
        i < chunks->from || i >= chunks->to)
        refuse(path, "has a chunk that is not of its shard");
    if (chunks->is_done[i])
        refuse(path, "has a chunk that was there before");
    chunks->is_done[i] = true;
    chunks->of[i] = digests;
}

bool chunks_read(struct chunks *chunks, const char *path)
{
    char part[128], expected[128];
    size_t size, shard, shard_count;
    uint64_t program;
    char *text = read_text(path, &size), *place = NULL;
    if (text == NULL)
        return false;
    check_sum(text, size, path);
    snprintf(expected, sizeof expected, "part %s of %s", chunks->part, chunks->encoding);
    if (strncmp(text, title, strlen(title)) != 0)
        refuse(path, "is no checkpoint of this version");
    char *line = strtok_r(text + strlen(title), "\n", &place);
    if (line == NULL || snprintf(part, sizeof part, "%s", line) < 0 || strcmp(part, expected) != 0)
        refuse(path, "is the checkpoint of another part or encoding");
    line = strtok_r(NULL, "\n", &place);
    if (line == NULL || sscanf(line, "program %" SCNx64, &program) != 1 || program != chunks->program)
        refuse(path, "was written by another build of this program");
    line = strtok_r(NULL, "\n", &place);
    if (line == NULL || sscanf(line, "shard %zu of %zu", &shard, &shard_count) != 2 || shard < 1 ||
        shard > shard_count || shard_count > CHUNK_COUNT)
        refuse(path, "names no shard");
    if (chunks->shard_count != 0 && (shard != chunks->shard || shard_count != chunks->shard_count))
        refuse(path, "is the checkpoint of another shard");
    chunks_choose(chunks, shard, shard_count);
    while ((line = strtok_r(NULL, "\n", &place)) != NULL)
        read_chunk(chunks, line, path);
    free(text);
    return true;
}

void chunks_merge(struct chunks *all, char **paths, int count)
{
    size_t from = all->from, to = all->to, shard = all->shard, shard_count = all->shard_count;
    for (int i = 0; i < count; i++) {
        all->shard_count = 0;
        if (!chunks_read(all, paths[i]))
            cli_fail("%s: there is no such file", paths[i]);
    }
    all->from = from;
    all->to = to;
    all->shard = shard;
    all->shard_count = shard_count;
    size_t done = chunks_done(all);
    if (done < to - from)
        cli_fail("%zu of %zu chunks are in no file: run the shards that are missing or unfinished", to - from - done,
                 to - from);
}
