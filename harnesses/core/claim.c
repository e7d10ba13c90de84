/* SPDX-License-Identifier: MIT */
#include "claim.h"

#include "../../codecs/assume.h"

static const struct {
    const char *name, *sentence;
} laws[] = {
#define LAW(claim, id, name, encoding, operation, fault, sentence) {name, sentence},
#include "laws.def"
};

const char *law_name(enum law law)
{
    ASSUME((size_t)law < sizeof laws / sizeof laws[0]);
    return laws[law].name;
}

const char *law_sentence(enum law law)
{
    return laws[law].sentence;
}

void claim_law(struct examiner *examiner, bool holds, const struct breach *breach)
{
    examiner->comparer.asked++;
    if (holds)
        return;
    examiner->laws_broken++;
    examiner->on_breach(examiner->comparer.context, breach);
}

void claim_skip(struct examiner *examiner)
{
    examiner->comparer.skipped++;
}

void claim_skip_absent(struct examiner *examiner, const struct answer *answer, enum operation operation,
                       enum assay_policy policy)
{
    if (answer->absent && codec_offers(registry_reference(examiner->comparer.encoding), operation, policy))
        claim_skip(examiner);
}

size_t claim_codec_count(const struct examiner *examiner)
{
    return examiner->effort == THOROUGH ? examiner->comparer.panel_size : 1;
}

enum assay_policy claim_policy(struct examiner *examiner, struct dice *dice)
{
    if (examiner->policies == 0)
        examiner->policies = codec_policies(registry_reference(examiner->comparer.encoding), OP_DECODE_UTF32);
    ASSUME(examiner->policies != 0);
    size_t policy;
    do
        policy = dice_roll(dice, ASSAY_POLICY_COUNT);
    while ((examiner->policies >> policy & 1) == 0);
    return (enum assay_policy)policy;
}

struct dice claim_begin(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    struct dice dice = dice_from(bytes, byte_count);
    comparer_begin(&examiner->comparer);
    examiner->comparer.once = examiner->effort == SAMPLED;
    examiner->comparer.placement = (enum placement)dice_roll(&dice, PLACEMENT_COUNT);
    return dice;
}
