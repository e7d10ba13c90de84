/* SPDX-License-Identifier: MIT
 *
 * Applies one damage and decodes the text, with U+FFFD for each error (`whatwg`). The characters that the original and
 * the result have in common at the beginning and at the end survived; of those between, the original's are lost, and
 * the result's are strange.
 */
#include "damage.h"

#include "../../core/survivors.h"

#include <stdlib.h>
#include <string.h>

enum { REPLACEMENT = 0xFFFD };

/* ---- a text in an encoding ------------------------------------------------------------------------ */

struct damage_text damage_text_new(const struct assay_codec *codec, const uint32_t *characters, size_t character_count)
{
    struct damage_text text = {.codec = codec, .characters = characters, .character_count = character_count};
    text.bytes = cli_alloc(ASSAY_ENCODED_MAX(character_count), 1);
    text.begins = cli_alloc(character_count + 1, sizeof *text.begins);
    for (size_t i = 0; i < character_count; i++) {
        struct assay_result result = codec->encode_utf32(ASSAY_POLICY_STRICT, characters + i, 1,
                                                         text.bytes + text.byte_count, ASSAY_ENCODED_MAX(1));
        if (result.status != ASSAY_OK)
            cli_fail("%s has no U+%04X", codec->encoding, characters[i]);
        text.begins[i] = text.byte_count;
        text.byte_count += result.written;
    }
    text.begins[character_count] = text.byte_count;
    text.damaged = cli_alloc(text.byte_count + BURST_MAX, 1);
    text.out = cli_alloc(ASSAY_DECODED_MAX(text.byte_count + BURST_MAX), sizeof *text.out);
    return text;
}

void damage_text_free(struct damage_text *text)
{
    free(text->bytes);
    free(text->begins);
    free(text->damaged);
    free(text->out);
}

/* ---- one damage ------------------------------------------------------------------------------------ */

/* Characters from..to of a text: of a short text all, of a long one those around the damage. */
struct excerpt {
    size_t from, to;
};

/* One damage: its kind, the offset of the first damaged byte, the number of damaged bytes, and the new bytes. */
struct event {
    enum damage damage;
    size_t at, count;
    uint8_t values[BURST_MAX];
};

/* Returns the number of bytes of the text that the damage changes or removes. */
static size_t count_damaged(const struct event *event)
{
    switch (event->damage) {
    case DAMAGE_INSERTED: return 0;
    case DAMAGE_SWAPPED: return 2 * event->count;
    default: return event->count;
    }
}

/* Writes the bytes that replace the damaged ones. Returns their number. */
static size_t put_damage(uint8_t *to, const uint8_t *from, const struct event *event)
{
    size_t count = event->count;
    switch (event->damage) {
    case DAMAGE_DELETED: return 0;
    case DAMAGE_INSERTED:
    case DAMAGE_SUBSTITUTED: memcpy(to, event->values, count); return count;
    case DAMAGE_DUPLICATED:
        memcpy(to, from, count);
        memcpy(to + count, from, count);
        return 2 * count;
    default:
        memcpy(to, from + count, count);
        memcpy(to + count, from, count);
        return 2 * count;
    }
}

/* Applies the damage. Returns false if it changes nothing, or does not fit before the end of the excerpt. */
static bool apply_damage(const struct damage_text *text, struct excerpt excerpt, const struct event *event,
                         size_t *damaged_count)
{
    const uint8_t *bytes = text->bytes + text->begins[excerpt.from];
    size_t count = text->begins[excerpt.to] - text->begins[excerpt.from], at = event->at - text->begins[excerpt.from];
    if (at > count || count_damaged(event) > count - at)
        return false;
    memcpy(text->damaged, bytes, at);
    size_t new_count = put_damage(text->damaged + at, bytes + at, event), after = at + count_damaged(event);
    memcpy(text->damaged + at + new_count, bytes + after, count - after);
    *damaged_count = count - count_damaged(event) + new_count;
    return new_count != count_damaged(event) || memcmp(text->damaged + at, bytes + at, new_count) != 0;
}

static void count_worst(uint64_t *sum, uint64_t *worst, uint64_t figure)
{
    *sum += figure;
    if (*worst < figure)
        *worst = figure;
}

/* Counts the effects. `after` is the first byte after the damage. Returns false, and counts nothing, if decoding is not
 * in step again at the end of the excerpt: then more of the text must be decoded. */
static bool count_effects(const struct damage_text *text, struct excerpt excerpt, size_t damaged_count, size_t after,
                          struct damage_tally *tally)
{
    const uint32_t *in = text->characters + excerpt.from, *out = text->out;
    size_t in_count = excerpt.to - excerpt.from, strange = 0;
    bool well_formed = text->codec->validate(text->damaged, damaged_count, NULL);
    size_t out_count = text->codec
                           ->decode_utf32(ASSAY_POLICY_WHATWG, text->damaged, damaged_count, text->out,
                                          ASSAY_DECODED_MAX(damaged_count))
                           .written;
    struct survivors same = survivors(in, in_count, out, out_count);
    if (same.tail == 0 && excerpt.to < text->character_count)
        return false;
    for (size_t i = same.head; i < out_count - same.tail; i++)
        strange += out[i] != REPLACEMENT;
    size_t lost = in_count - same.head - same.tail, in_step = text->begins[excerpt.to - same.tail];
    tally->times++;
    tally->undetected += well_formed;
    tally->turned += well_formed && lost > 0 && strange > 0;
    count_worst(&tally->lost, &tally->lost_worst, lost);
    count_worst(&tally->strange, &tally->strange_worst, strange);
    count_worst(&tally->spread, &tally->spread_worst, in_step > after ? in_step - after : 0);
    return true;
}

static bool try_window(const struct damage_text *text, struct excerpt excerpt, const struct event *event,
                       struct damage_tally *tallies)
{
    size_t count;
    return !apply_damage(text, excerpt, event, &count) ||
           count_effects(text, excerpt, count, event->at + count_damaged(event), &tallies[event->damage]);
}

void damage_tally_add(struct damage_tally *sum, const struct damage_tally *tally)
{
    sum->times += tally->times;
    sum->undetected += tally->undetected;
    sum->turned += tally->turned;
    sum->lost += tally->lost;
    sum->strange += tally->strange;
    sum->spread += tally->spread;
    if (sum->lost_worst < tally->lost_worst)
        sum->lost_worst = tally->lost_worst;
    if (sum->strange_worst < tally->strange_worst)
        sum->strange_worst = tally->strange_worst;
    if (sum->spread_worst < tally->spread_worst)
        sum->spread_worst = tally->spread_worst;
}

/* ---- all damages ------------------------------------------------------------------------------------ */

/* Random bytes. A burst that is substituted becomes 00, as lost sectors and cleared memory do. */
static struct event burst_at(enum damage damage, size_t at, size_t count, struct dice *dice)
{
    struct event event = {.damage = damage, .at = at, .count = count};
    for (size_t i = 0; i < count && damage == DAMAGE_INSERTED; i++)
        event.values[i] = (uint8_t)dice_roll(dice, 256);
    return event;
}

/* Applies every damage at every place: to a single byte with every value, to a burst of inserted bytes with 256 random
 * ones. */
void damage_exhaustively(const struct damage_text *text, size_t burst, struct dice *dice, struct damage_tally *tallies)
{
    struct excerpt all = {0, text->character_count};
    for (size_t at = 0; at <= text->byte_count; at++)
        for (enum damage damage = 0; damage < DAMAGE_COUNT; damage++) {
            bool has_values = damage == DAMAGE_INSERTED || (damage == DAMAGE_SUBSTITUTED && burst == 1);
            for (unsigned value = 0; value < (has_values ? 256 : 1); value++) {
                struct event event =
                    burst > 1 ? burst_at(damage, at, burst, dice) : (struct event){damage, at, 1, {(uint8_t)value}};
                try_window(text, all, &event, tallies);
            }
        }
}

/* Returns the character that contains the byte at `at`. */
static size_t character_at(const struct damage_text *text, size_t at)
{
    size_t low = 0, high = text->character_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (text->begins[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The numbers of characters before and after the damage that are decoded at first. If decoding is not in step again
 * after them, the rest is decoded, too. */
enum { BEFORE = 4, AFTER = 12 };

void damage_sampled(const struct damage_text *text, size_t burst, struct dice *dice, size_t count,
                    struct damage_tally *tallies)
{
    for (size_t i = 0; i < count && text->byte_count >= 2 * burst; i++) {
        struct event event = {.damage = (enum damage)(i % DAMAGE_COUNT), .count = burst};
        event.at = dice_roll(dice, text->byte_count + 1 - count_damaged(&event) - (event.damage == DAMAGE_INSERTED));
        size_t character = character_at(text, event.at);
        if (burst > 1)
            event = burst_at(event.damage, event.at, burst, dice);
        else
            event.values[0] = (uint8_t)dice_roll(dice, 256);
        struct excerpt excerpt = {character > BEFORE ? character - BEFORE : 0, character + AFTER};
        if (excerpt.to > text->character_count)
            excerpt.to = text->character_count;
        if (!try_window(text, excerpt, &event, tallies)) {
            excerpt.to = text->character_count;
            try_window(text, excerpt, &event, tallies);
        }
    }
}
