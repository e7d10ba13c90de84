/* SPDX-License-Identifier: MIT */
#include "dice.h"

#include "../../codecs/assume.h"

/* splitmix64 (Steele, Lea and Flood 2014): any seed is good, including 0. */
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
    ASSUME(sides > 0);
    return (size_t)(next(dice) % sides);
}
