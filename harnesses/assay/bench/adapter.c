/* SPDX-License-Identifier: MIT
 *
 * What an adapter adds to the time of a peer: that of an empty peer (harnesses/subjects/empty/) less that of an empty
 * codec.
 */
#include "bench.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define DO_NOTHING(member, result, parameters, ...) \
    static result member parameters \
    { \
        return (result){0}; \
    }
#define OPERATION(id, member, name, shape, input, output, ...) SIGNATURE_##shape(DO_NOTHING, member, input, output)
#include "../../../codecs/operations.def"

/* harnesses/subjects/empty/empty_peer.c has the first of these names. */
#define EMPTY_PEER "empty-peer"
#define EMPTY_CODEC "empty-codec"

static const struct assay_codec empty_codec = {
    ASSAY_CODEC_HEADER("utf-8", EMPTY_CODEC),
#define OPERATION(id, member, ...) .member = member,
#include "../../../codecs/operations.def"
};

bool bench_is_empty(const char *name)
{
    return strcmp(name, EMPTY_PEER) == 0 || strcmp(name, EMPTY_CODEC) == 0;
}

/* Returns NULL if the peer was not built beside this program. */
static const struct assay_codec *empty_peer(void)
{
    const char *path = cli_data("subjects/empty/empty_peer.so");
    if (registry_find("utf-8", EMPTY_PEER) == NULL && path != NULL) {
        const char *complaint = registry_load(path);
        if (complaint != NULL)
            fprintf(stderr, "assay bench: times of peers include what their adapters take: %s\n", complaint);
    }
    const struct registry_row *row = registry_find("utf-8", EMPTY_PEER);
    return row != NULL ? row->codec : NULL;
}

size_t bench_add_empty(struct runner *runners, size_t count)
{
    bool any_peer = false;
    for (size_t i = 0; i < count; i++)
        any_peer |= runners[i].is_peer;
    const struct assay_codec *peer = any_peer ? empty_peer() : NULL;
    if (peer == NULL)
        return count;
    runners[count++] = (struct runner){.name = peer->name, .codec = peer, .is_empty = true, .is_peer = true};
    runners[count++] = (struct runner){.name = empty_codec.name, .codec = &empty_codec, .is_empty = true};
    return count;
}

/* Removes the runner from the list, and copies it to *removed. Returns false if the list does not have it. */
static bool remove_empty(struct runner *runners, size_t *count, bool is_peer, struct runner *removed)
{
    for (size_t i = 0; i < *count; i++) {
        if (!runners[i].is_empty || runners[i].is_peer != is_peer)
            continue;
        *removed = runners[i];
        memmove(runners + i, runners + i + 1, (--*count - i) * sizeof *runners);
        return true;
    }
    return false;
}

size_t bench_subtract_adapter(struct runner *runners, size_t count)
{
    struct runner peer, codec;
    bool has_peer = remove_empty(runners, &count, true, &peer),
         has_codec = remove_empty(runners, &count, false, &codec);
    if (!has_peer || !has_codec || peer.minimum_ns <= codec.minimum_ns)
        return count;
    double price_ns = peer.minimum_ns - codec.minimum_ns;
    for (size_t i = 0; i < count; i++) {
        struct runner *runner = &runners[i];
        runner->is_noisy |= runner->is_peer && !runner->is_direct && (peer.is_noisy || codec.is_noisy);
        double most_ns = runner->minimum_ns - codec.minimum_ns; /* no peer is faster than a codec that does nothing */
        if (!runner->is_peer || runner->is_direct || runner->differs || most_ns <= 0)
            continue;
        runner->adapter_ns = price_ns < most_ns ? price_ns : most_ns;
        runner->minimum_ns -= runner->adapter_ns;
        runner->median_ns -= runner->adapter_ns;
    }
    return count;
}
