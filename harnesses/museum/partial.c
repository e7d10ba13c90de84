/* SPDX-License-Identifier: MIT
 *
 * A correct codec that does not offer everything, as codec.h allows: the reference BASE without what a list of words
 * names. No check may report it. The words come from the environment variable ASSAY_PARTIAL when it is loaded, or from
 * partial_leave_out:
 *
 *   decode_utf16       the operation is absent
 *   jdk                every operation returns ASSAY_UNSUPPORTED under this policy
 *   decode_utf16:jdk   one operation returns ASSAY_UNSUPPORTED under this policy
 *   offset, length     this member of an error is ASSAY_UNKNOWN
 */
#include "partial.h"
#include "../core/question.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct assay_codec BASE;

static unsigned unsupported[OPERATION_COUNT]; /* one bit for each policy */
static bool hides_offset, hides_length;

static void hide(struct assay_span *error)
{
    if (error->length > 0 && hides_offset)
        error->offset = ASSAY_UNKNOWN;
    if (error->length > 0 && hides_length)
        *error = (struct assay_span){error->offset, ASSAY_UNKNOWN, ASSAY_FAULT_NONE, false};
}

static bool is_unsupported(enum operation operation, enum assay_policy policy)
{
    return (unsupported[operation] >> policy & 1) != 0;
}

/* ---- the operations --------------------------------------------------------------------------- */

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    bool well_formed = BASE.validate(bytes, byte_count, error);
    if (!well_formed && error != NULL)
        hide(error);
    return well_formed;
}

static size_t spans(const uint8_t *bytes, size_t byte_count, struct assay_span *spans, size_t capacity)
{
    size_t count = BASE.spans(bytes, byte_count, spans, capacity);
    for (size_t i = 0; i < count && i < capacity; i++)
        hide(&spans[i]);
    return count;
}

static struct assay_count count(enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    if (is_unsupported(OP_COUNT, policy))
        return (struct assay_count){.status = ASSAY_UNSUPPORTED};
    return BASE.count(policy, bytes, byte_count);
}

static size_t boundary(const uint8_t *bytes, size_t byte_count, size_t at)
{
    return BASE.boundary(bytes, byte_count, at);
}

static struct assay_result concat(const uint8_t *left, size_t left_count, const uint8_t *right, size_t right_count,
                                  uint8_t *out, size_t capacity)
{
    struct assay_result result = BASE.concat(left, left_count, right, right_count, out, capacity);
    hide(&result.error);
    return result;
}

#define PARTIAL_CONVERT(id, member, in, out) \
    static struct assay_result member(enum assay_policy policy, const in *units, size_t unit_count, out *to, \
                                      size_t capacity) \
    { \
        if (is_unsupported(OP_##id, policy)) \
            return (struct assay_result){.status = ASSAY_UNSUPPORTED}; \
        struct assay_result result = BASE.member(policy, units, unit_count, to, capacity); \
        hide(&result.error); \
        return result; \
    }

#define PARTIAL_FEED(id, member, in, out) \
    static struct assay_result member(struct assay_stream *stream, const in *bytes, size_t byte_count, bool last, \
                                      out *to, size_t capacity) \
    { \
        if (is_unsupported(OP_##id, stream->policy)) \
            return (struct assay_result){.status = ASSAY_UNSUPPORTED}; \
        struct assay_result result = BASE.member(stream, bytes, byte_count, last, to, capacity); \
        hide(&result.error); \
        return result; \
    }
#define PARTIAL_VERDICT(...) /* each of these shapes has one operation, which is defined above */
#define PARTIAL_SPANS(...)
#define PARTIAL_COUNT(...)
#define PARTIAL_BOUNDARY(...)
#define PARTIAL_CONCAT(...)
#define OPERATION(id, member, name, shape, input, output, ...) PARTIAL_##shape(id, member, input, output)
#include "../../codecs/operations.def"

/* ---- leaving out operations ------------------------------------------------------------------------ */

struct assay_codec assay_codec;

static void offer_everything(void)
{
    memset(unsupported, 0, sizeof unsupported);
    hides_offset = hides_length = false;
    assay_codec = (struct assay_codec){.abi_version = ASSAY_ABI_VERSION,
                                       .struct_size = sizeof assay_codec,
                                       .encoding = BASE.encoding,
                                       .name = "partial"};
#define OPERATION(id, member, ...) assay_codec.member = BASE.member != NULL ? member : NULL;
#include "../../codecs/operations.def"
}

static unsigned policies_named(const char *name)
{
    unsigned policies = 0;
#define X(id, policy_name, sentence) policies |= strcmp(policy_name, name) == 0 ? 1u << ASSAY_POLICY_##id : 0;
    ASSAY_POLICIES(X)
#undef X
    return policies;
}

static void leave_out(const char *word)
{
    const char *colon = strchr(word, ':');
    unsigned policies = policies_named(colon != NULL ? colon + 1 : word);
    bool is_known = false;
#define OPERATION(id, member, ...) \
    if (policies != 0 && (colon == NULL || strncmp(#member ":", word, sizeof #member) == 0)) { \
        unsupported[OP_##id] |= policies; \
        is_known = true; \
    } else if (strcmp(#member, word) == 0) { \
        assay_codec.member = NULL; \
        is_known = true; \
    }
#include "../../codecs/operations.def"
    hides_offset |= strcmp(word, "offset") == 0;
    hides_length |= strcmp(word, "length") == 0;
    if (is_known || strcmp(word, "offset") == 0 || strcmp(word, "length") == 0)
        return;
    fprintf(stderr, "partial: '%s' is no operation, policy or member that can be left out\n", word);
    abort();
}

void partial_leave_out(const char *words)
{
    enum { LONGEST = 256 };
    char word[LONGEST];
    offer_everything();
    for (int length; sscanf(words, " %255s%n", word, &length) == 1; words += length)
        leave_out(word);
}

__attribute__((constructor)) static void begin(void)
{
    const char *words = getenv("ASSAY_PARTIAL");
    partial_leave_out(words != NULL ? words : "");
}
