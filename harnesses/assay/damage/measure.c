/* SPDX-License-Identifier: MIT
 *
 * One spoilt byte, and what decoding then makes of the text: U+FFFD for each error (`whatwg`), and characters. What is the
 * same at the beginning and at the end of both has come through; what lies between is lost, or strange.
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
        struct assay_result result = codec->encode_utf32(ASSAY_POLICY_STRICT, characters + i, 1, text.bytes + text.byte_count,
                                                         ASSAY_ENCODED_MAX(1));
        if (result.status != ASSAY_OK)
            cli_fail("%s has no U+%04X", codec->encoding, characters[i]);
        text.begins[i] = text.byte_count;
        text.byte_count += result.written;
    }
    text.begins[character_count] = text.byte_count;
    text.spoilt = cli_alloc(text.byte_count + 1, 1);
    text.out = cli_alloc(ASSAY_DECODED_MAX(text.byte_count + 1), sizeof *text.out);
    return text;
}

void damage_text_free(struct damage_text *text)
{
    free(text->bytes);
    free(text->begins);
    free(text->spoilt);
    free(text->out);
}

/* ---- one damage ------------------------------------------------------------------------------------ */

/* Characters from..to of a text: all of a short one, and of a long one what is needed. */
struct window {
    size_t from, to;
};

/* Spoils the byte at `at`; returns how many bytes there are then, 0 if that damage is none. */
static size_t spoil(const struct damage_text *text, struct window window, enum damage damage, size_t at, uint8_t value)
{
    const uint8_t *bytes = text->bytes + text->begins[window.from];
    size_t count = text->begins[window.to] - text->begins[window.from];
    at -= text->begins[window.from];
    size_t added = damage == DAMAGE_INSERTED || damage == DAMAGE_DUPLICATED, removed = damage == DAMAGE_DELETED;
    memcpy(text->spoilt, bytes, at);
    memcpy(text->spoilt + at + added, bytes + at + removed, count - at - removed);
    switch (damage) {
    case DAMAGE_DELETED: break;
    case DAMAGE_INSERTED: text->spoilt[at] = value; break;
    case DAMAGE_DUPLICATED: text->spoilt[at] = bytes[at]; break;
    case DAMAGE_SUBSTITUTED:
        if (bytes[at] == value)
            return 0;
        text->spoilt[at] = value;
        break;
    default:
        if (at + 1 >= count || bytes[at] == bytes[at + 1])
            return 0;
        text->spoilt[at] = bytes[at + 1];
        text->spoilt[at + 1] = bytes[at];
    }
    return count + added - removed;
}

static void count_worst(uint64_t *sum, uint64_t *worst, uint64_t figure)
{
    *sum += figure;
    if (*worst < figure)
        *worst = figure;
}

/* Tells what became of the text. Returns false, and counts nothing, if decoding is not in step again at the end of the
 * window: then more of the text has to be looked at. */
static bool measure(const struct damage_text *text, struct window window, size_t spoilt_count, size_t behind, struct tally *tally)
{
    const uint32_t *in = text->characters + window.from, *out = text->out;
    size_t in_count = window.to - window.from, strange = 0;
    bool well_formed = text->codec->validate(text->spoilt, spoilt_count, NULL);
    size_t out_count = text->codec->decode_utf32(ASSAY_POLICY_WHATWG, text->spoilt, spoilt_count, text->out,
                                                 ASSAY_DECODED_MAX(spoilt_count)).written;
    struct survivors same = survivors(in, in_count, out, out_count);
    if (same.tail == 0 && window.to < text->character_count)
        return false;
    for (size_t i = same.head; i < out_count - same.tail; i++)
        strange += out[i] != REPLACEMENT;
    size_t lost = in_count - same.head - same.tail, in_step = text->begins[window.to - same.tail];
    tally->times++;
    tally->undetected += well_formed;
    tally->turned += well_formed && lost > 0 && strange > 0;
    count_worst(&tally->lost, &tally->lost_worst, lost);
    count_worst(&tally->strange, &tally->strange_worst, strange);
    count_worst(&tally->spread, &tally->spread_worst, in_step > behind ? in_step - behind : 0);
    return true;
}

/* Where the bytes begin that the damage has not touched. */
static size_t behind(enum damage damage, size_t at)
{
    return damage == DAMAGE_INSERTED ? at : damage == DAMAGE_SWAPPED ? at + 2 : at + 1;
}

static bool try_window(const struct damage_text *text, struct window window, enum damage damage, size_t at, uint8_t value,
                       struct tally *tallies)
{
    size_t count = spoil(text, window, damage, at, value);
    return (count == 0 && damage != DAMAGE_DELETED) || measure(text, window, count, behind(damage, at), &tallies[damage]);
}

void tally_add(struct tally *sum, const struct tally *tally)
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

/* ---- many ------------------------------------------------------------------------------------------- */

void damage_exhaustively(struct damage_text *text, struct tally *tallies)
{
    struct window all = {0, text->character_count};
    for (size_t at = 0; at <= text->byte_count; at++) {
        for (unsigned value = 0; value < 256; value++) {
            try_window(text, all, DAMAGE_INSERTED, at, (uint8_t)value, tallies);
            if (at < text->byte_count)
                try_window(text, all, DAMAGE_SUBSTITUTED, at, (uint8_t)value, tallies);
        }
        if (at == text->byte_count)
            break;
        try_window(text, all, DAMAGE_DELETED, at, 0, tallies);
        try_window(text, all, DAMAGE_DUPLICATED, at, 0, tallies);
        try_window(text, all, DAMAGE_SWAPPED, at, 0, tallies);
    }
}

/* The character that the byte at `at` belongs to. */
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

/* Characters before the damage and after it that are decoded at first; what is not in step again needs the rest. */
enum { BEFORE = 4, AFTER = 12 };

void damage_sampled(const struct damage_text *text, struct dice *dice, size_t count, struct tally *tallies)
{
    for (size_t i = 0; i < count && text->byte_count > 1; i++) {
        enum damage damage = (enum damage)(i % DAMAGE_COUNT);
        size_t at = dice_roll(dice, text->byte_count - (damage == DAMAGE_SWAPPED)), character = character_at(text, at);
        uint8_t value = (uint8_t)dice_roll(dice, 256);
        struct window window = {character > BEFORE ? character - BEFORE : 0, character + AFTER};
        if (window.to > text->character_count)
            window.to = text->character_count;
        if (!try_window(text, window, damage, at, value, tallies)) {
            window.to = text->character_count;
            try_window(text, window, damage, at, value, tallies);
        }
    }
}
