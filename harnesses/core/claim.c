/* SPDX-License-Identifier: MIT */
#include "claim.h"

const char *law_name(enum law law)
{
    static const char *const names[] = {
#define LAW(claim, id, name, encoding, operation, fault) name,
#include "laws.def"
    };
    return names[law];
}

void claim_law(struct examiner *examiner, const struct assay_codec *codec, enum law law, bool holds, const uint8_t *bytes,
               size_t byte_count)
{
    examiner->comparer.asked++;
    if (holds)
        return;
    examiner->laws_broken++;
    examiner->on_breach(examiner->comparer.context, &(struct breach){codec, law, bytes, byte_count});
}

size_t claim_witnesses(const struct examiner *examiner)
{
    return examiner->effort == THOROUGH ? examiner->comparer.panel_size : 1;
}

static unsigned policies_of(const struct assay_codec *reference)
{
    unsigned offered = 0;
    for (unsigned policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        if (reference->count((enum assay_policy)policy, NULL, 0).status != ASSAY_UNSUPPORTED)
            offered |= 1u << policy;
    return offered;
}

enum assay_policy claim_policy(struct examiner *examiner, struct dice *dice)
{
    if (examiner->policies == 0)
        examiner->policies = policies_of(registry_reference(examiner->comparer.encoding));
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
