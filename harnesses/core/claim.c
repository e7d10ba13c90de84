/* SPDX-License-Identifier: MIT */
#include "claim.h"

void claim_law(struct examiner *examiner, const struct assay_codec *codec, const char *law, bool holds, const uint8_t *bytes,
               size_t byte_count)
{
    examiner->comparer.asked++;
    if (holds)
        return;
    examiner->laws_broken++;
    examiner->on_breach(examiner->comparer.context, &(struct breach){codec, law, bytes, byte_count});
}

/* splitmix64 (Steele, Lea and Flood 2014): any seed will do, including 0. */
static uint64_t next(struct dice *dice)
{
    uint64_t z = dice->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

struct dice dice_from(const uint8_t *bytes, size_t byte_count)
{
    struct dice dice = {byte_count};
    for (size_t i = byte_count > 4 ? byte_count - 4 : 0; i < byte_count; i++)
        dice.state = dice.state << 8 | bytes[i];
    return dice;
}

size_t dice_roll(struct dice *dice, size_t sides)
{
    return (size_t)(next(dice) % sides);
}

struct dice claim_begin(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    struct dice dice = dice_from(bytes, byte_count);
    examiner->comparer.once = examiner->effort == SAMPLED;
    examiner->comparer.placement = (enum placement)dice_roll(&dice, PLACEMENT_COUNT);
    return dice;
}
