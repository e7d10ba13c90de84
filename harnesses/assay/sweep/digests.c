/* SPDX-License-Identifier: MIT
 *
 * Computes digests over strings in order, of chunks and of ranges of chunks, and compares them with the published
 * ones.
 */
#include "chunks.h"

#include <inttypes.h>
#include <string.h>

static const uint64_t string_factor = UINT64_C(0x9E3779B97F4A7C15);

void digests_add(struct digests *digests, const struct digests *values)
{
#define X(name) digests->name = digests->name * string_factor + values->name;
    DIGESTS(X)
#undef X
}

void chunks_choose(struct chunks *chunks, size_t shard, size_t shard_count)
{
    chunks->shard = shard;
    chunks->shard_count = shard_count;
    chunks->from = CHUNK_COUNT * (shard - 1) / shard_count;
    chunks->to = CHUNK_COUNT * shard / shard_count;
}

size_t chunks_done(const struct chunks *chunks)
{
    size_t count = 0;
    for (size_t i = chunks->from; i < chunks->to; i++)
        count += chunks->is_done[i];
    return count;
}

/* Returns the factor to the power of 2^18, the number of strings in a chunk, by squaring it 18 times. */
static uint64_t factor_of_chunk(void)
{
    uint64_t factor = string_factor;
    for (size_t strings = 1; strings < STRINGS_IN_CHUNK; strings *= 2)
        factor *= factor;
    return factor;
}

struct digests chunks_digests(const struct chunks *chunks)
{
    struct digests all = {0};
    uint64_t factor = factor_of_chunk();
    for (size_t i = chunks->from; i < chunks->to; i++) {
#define X(name) all.name = all.name * factor + chunks->of[i].name;
        DIGESTS(X)
#undef X
    }
    return all;
}

json_t *chunks_as_json(const struct chunks *chunks)
{
    struct digests digests = chunks_digests(chunks);
    json_t *object = json_pack("{s:I}", "strings", (json_int_t)(chunks->to - chunks->from) * STRINGS_IN_CHUNK);
#define X(name) json_object_set_new(object, #name, json_sprintf("%016" PRIX64, digests.name));
    DIGESTS(X)
#undef X
    return object;
}

const char *chunks_unlike_published(const struct chunks *chunks)
{
    char path[4096], line[256];
    const char *folder = cli_data("vectors");
    struct digests ours = chunks_digests(chunks), theirs = {0};
    if (strcmp(chunks->encoding, "utf-8") != 0 || chunks->to - chunks->from < CHUNK_COUNT || folder == NULL)
        return NULL;
    snprintf(path, sizeof path, "%s/complete/utf-8-digests.tsv", folder);
    FILE *file = cli_open_data(path);
    if (file == NULL)
        return NULL;
    bool is_there = false;
    while (fgets(line, sizeof line, file) != NULL)
        is_there |= sscanf(line, "bytes-4 %*u %*u %" SCNx64 " %" SCNx64 " %" SCNx64, &theirs.verdict, &theirs.strict,
                           &theirs.whatwg) == 3;
    fclose(file);
    if (is_there && ours.verdict == theirs.verdict && ours.strict == theirs.strict && ours.whatwg == theirs.whatwg)
        return NULL;
    return "the digests are not those of vectors/complete/utf-8-digests.tsv";
}
