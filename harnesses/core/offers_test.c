/* SPDX-License-Identifier: MIT
 *
 * Claim: each codec offers each operation of the reference of its encoding under each policy under which the reference
 * does; only the published loop offers less. A comparison skips what a codec does not offer, so a codec that stopped
 * offering it would pass every other test. A codec may not refuse an input under a policy that it offers.
 */
#include "../../codecs/registry.h"
#include "compare.h"
#include "question.h"

#include <stdio.h>
#include <string.h>

static const unsigned STRICT = 1u << ASSAY_POLICY_STRICT,
                      DECODED = 1u << ASSAY_POLICY_STRICT | 1u << ASSAY_POLICY_WHATWG;

static bool is_published_loop(const struct assay_codec *codec)
{
    return strcmp(codec->encoding, "utf-8") == 0 && strcmp(codec->name, "hoehrmann_loop") == 0;
}

/* The loop has no other operation. Its verdict has no policy. */
static unsigned policies_of_loop(enum operation operation)
{
    switch (operation) {
    case OP_VALIDATE: return (1u << ASSAY_POLICY_COUNT) - 1;
    case OP_COUNT: return STRICT;
    case OP_DECODE_UTF32:
    case OP_DECODE_UTF16: return DECODED;
    default: return 0;
    }
}

static bool offers_all(const struct assay_codec *codec)
{
    const struct assay_codec *reference = registry_reference(codec->encoding);
    for (enum operation operation = 0; operation < OPERATION_COUNT; operation++)
        if (codec_policies(codec, operation) !=
            (is_published_loop(codec) ? policies_of_loop(operation) : codec_policies(reference, operation)))
            return false;
    return true;
}

static struct assay_result refuse(enum assay_policy policy, const uint8_t *bytes, size_t byte_count, uint16_t *units,
                                  size_t capacity)
{
    if (policy == ASSAY_POLICY_STRICT)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    return registry_reference("utf-8")->decode_utf16(policy, bytes, byte_count, units, capacity);
}

/* Two codecs that offer less must be found: one without an operation, and one without a policy of it. */
static size_t count_unnoticed(void)
{
    struct assay_codec lacks = *registry_reference("utf-8"), refuses = lacks;
    lacks.decode_utf16 = NULL;
    refuses.decode_utf16 = refuse;
    return (size_t)offers_all(&lacks) + offers_all(&refuses);
}

/* Refuses what does not fit, instead of saying so. */
static struct assay_result refuse_little_room(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                              uint16_t *units, size_t capacity)
{
    if (capacity < byte_count)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    return registry_reference("utf-8")->decode_utf16(policy, bytes, byte_count, units, capacity);
}

static void ignore(void *context, const struct divergence *divergence)
{
    (void)context, (void)divergence;
}

/* A codec of this project that offers a policy and refuses an input under it must diverge; a loaded one may. */
static size_t count_wrong_about_refusals(void)
{
    struct assay_codec refuses = *registry_reference("utf-8");
    refuses.decode_utf16 = refuse_little_room;
    const struct question question = {
        .operation = OP_DECODE_UTF16, .input = (const uint8_t *)"ab", .input_count = 2, .capacity = 1};
    size_t wrong = 0;
    registry_add(&refuses);
    const struct assay_codec *loaded = registry_at(registry_count() - 1)->codec, *both[] = {&refuses, loaded};
    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++) {
        struct comparer comparer = {.encoding = "utf-8", .on_divergence = ignore};
        comparer_begin(&comparer);
        comparer.panel[1] = both[i];
        comparer.panel_size = 2;
        wrong += compare(&comparer, &question) != (both[i] == loaded);
        comparer_end(&comparer);
    }
    return wrong;
}

int main(void)
{
    size_t codecs = 0, wrong = 0, unnoticed = count_unnoticed() + count_wrong_about_refusals();
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (!registry_runs(row) || registry_is_loaded(row->codec))
            continue;
        codecs++;
        if (!offers_all(row->codec)) {
            printf("%s/%s does not offer what it should\n", row->encoding, row->name);
            wrong++;
        }
    }
    printf("%zu codecs, %zu of them do not offer what they should; %zu planted faults not noticed\n", codecs, wrong,
           unnoticed);
    return codecs == 0 || wrong + unnoticed > 0 ? 1 : 0;
}
