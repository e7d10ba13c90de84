/* SPDX-License-Identifier: MIT
 *
 * Claim: each codec has every operation of the reference of its encoding, and offers it under every policy; only the
 * published loop does not. A comparison skips what a codec does not offer, so a codec that stopped offering it would
 * pass every other test.
 */
#include "question.h"
#include "../../codecs/registry.h"

#include <stdio.h>
#include <string.h>

static bool is_published_loop(const struct assay_codec *codec)
{
    return strcmp(codec->encoding, "utf-8") == 0 && strcmp(codec->name, "hoehrmann_loop") == 0;
}

static bool offers_all(const struct assay_codec *codec)
{
    const struct assay_codec *reference = registry_reference(codec->encoding);
    for (enum operation operation = 0; operation < OPERATION_COUNT; operation++)
        if (codec_has(reference, operation) && !codec_has(codec, operation))
            return false;
    return !codec_offers_less(codec, reference);
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

int main(void)
{
    size_t codecs = 0, lacking = 0, unnoticed = count_unnoticed();
    for (size_t i = 0; i < registry_count(); i++) {
        const struct assay_codec *codec = registry_at(i)->codec;
        if (codec == NULL) /* this processor does not run it */
            continue;
        codecs++;
        if (offers_all(codec) == is_published_loop(codec)) {
            printf("%s/%s offers %s\n", codec->encoding, codec->name,
                   is_published_loop(codec) ? "everything now" : "less than the reference");
            lacking++;
        }
    }
    printf("%zu codecs, %zu offer what they should not, or less; %zu planted faults not noticed\n", codecs, lacking,
           unnoticed);
    return lacking + unnoticed > 0 ? 1 : 0;
}
