/* SPDX-License-Identifier: MIT
 *
 * decode_lossy.h - decoding straight on: every block takes the same path, be it clean or full of errors.
 *
 * Nearly all that decoding wants to know of a byte is whether the next one is taken as a continuation byte. If it is,
 * the byte has no unit (but the third of four in UTF-16, a high surrogate). If not, a unit goes out: of the character
 * that is complete there, or else for the error that ends there, and whether something was cut, or refused, or never
 * began, is all the same. A byte is taken by what the three bytes before it are; so each block is looked at together
 * with these three, and nothing at all is remembered from block to block but where the next one goes.
 *
 * Where text is ASCII but for errors, hardly any byte is taken, and what follows from that is a quarter of the work.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_LOSSY_H
#define ASSAY_SIMD_BYTES_DECODE_LOSSY_H

#include "scan_window.h"
#include "units.h"
#ifndef VEC_MANY_REGISTERS
#include "decode_lossy_batch.h"
#endif

/* How many windows or so without a byte that is taken make singles likely. */
#ifdef VEC_MANY_REGISTERS
enum { LIKELY = 2 };
#else
enum { LIKELY = 1 };
#endif

/* Decoding under way: `at` is where the next block is. */
struct straight {
    struct look look;
    bool lossy;  /* errors are replaced; else they end it */
    size_t calm;  /* windows without errors, the last ones */
    size_t apart; /* how likely singles come next, if errors are replaced; not 0 only if the next byte is not taken */
    size_t at;
    struct output out;
};

/* After so many blocks with these bytes taken: singles are likely where they were until now. */
KERNEL_PART void weigh(struct straight *straight, uint64_t taken, size_t blocks)
{
    if (straight->apart == 0 && taken != 0) /* as in most text that is not ASCII */
        return;
    uint64_t next_is_free = hold_bits((taken >> (VEC_BYTES - 1)) - 1); /* all ones, or zero: no branch could predict it */
    size_t less = straight->apart / 4 & (size_t)next_is_free;
    straight->apart = taken != 0 ? less : straight->apart + (straight->lossy ? blocks : 0);
}

/* Decodes the bytes of a window that are `inside`. False, and nothing is done, if there is no room, or an error that
 * ends it, or a surrogate that may be one. Whether there is an error, where they are replaced, decides on no branch: in dirty
 * text it cannot be predicted. */
KERNEL_PART bool put_window(enum form form, struct straight *straight, const struct window *window, uint64_t inside)
{
    if (has_surrogates(straight->look.encoding, window->back_1, window->now))
        return false;
    struct due due = look_at(&straight->look, window->back_1, window->now, inside);
    if (!straight->lossy && due.errors != 0)
        return false;
    uint64_t is_calm = hold_bits((uint64_t)0 - (due.errors == 0));
    straight->calm = (straight->calm + 1) & (size_t)is_calm;
    weigh(straight, due.taken, 1);
    uint64_t chosen = due.chosen;
    bool has_fours = due.fourths != 0;
    if (has_fours && form == UTF16)
        chosen |= due.fourths >> 1 & inside;
    size_t count = count_bits(chosen), room = straight->out.capacity - straight->out.written;
    if (room < VEC_BYTES && count > room)
        return false;
    struct planes planes = planes_of(window);
    put_replacements(&planes, window->now, ASSAY_POLICY_WHATWG, vec_truth(due.errors));
    if (has_fours)
        put_supplementary(form, &planes, window, &(struct fours){due.fourths >> 1, due.fourths});
    put_planes(form, &planes, form == UTF32 && has_fours, chosen,
               unit_at(form, straight->out.units, straight->out.written), room);
    straight->out.written += count;
    return true;
}

#ifndef VEC_MANY_REGISTERS
/* The same for windows that had these dues, as far as that matters after the last one. */
KERNEL_PART void weigh_all(struct straight *straight, const struct dues *dues, size_t count)
{
    size_t calm = 0;
    while (calm < count && dues->errors[count - 1 - calm] == 0)
        calm++;
    straight->calm = calm == count ? straight->calm + calm : calm;
    if (count > 0)
        weigh(straight, dues->taken[count - 1], 1);
}

/* Decodes windows with whatever errors, as long as there is room for all that they may have, until there were `enough`
 * without errors, or singles are likely; or so. False if there is room for none. *goes_on is then whether the next one is
 * not decided on by neighbours that are not in it. */
KERNEL_PART bool put_dirty(enum form form, struct straight *straight, size_t enough, const uint8_t *bytes,
                           size_t byte_count, bool *goes_on)
{
    enum { FEW = 4 }; /* windows, before there are reasons to look at more */
    const struct encoding *encoding = straight->look.encoding;
    struct looks looks = looks_of(encoding);
    struct dirty dirty = dirty_of();
    struct dues dues;
    size_t left = byte_count - straight->at - 1, room = straight->out.capacity - straight->out.written;
    size_t fit = room < VEC_BYTES ? 0 : (room - VEC_BYTES) / STRAIGHT_BYTES + 1;
    size_t most = left / STRAIGHT_BYTES < fit ? left / STRAIGHT_BYTES : fit, wanted = FEW, all = 0, count;
    if (most == 0)
        return false;
    uint8_t *to = unit_at(form, straight->out.units, straight->out.written);
    do {
        wanted = most - all < wanted ? most - all : wanted;
        const uint8_t *window = bytes + straight->at - REACH;
        count = look_ahead(form, encoding, &looks, window, wanted, &dues);
        for (size_t i = 0; i < count; i++, window += STRAIGHT_BYTES) {
            size_t units = put_due(form, &dirty, window, &dues, i, to);
            to = unit_at(form, to, units);
            straight->out.written += units;
        }
        all += count;
        straight->at += count * STRAIGHT_BYTES;
        weigh_all(straight, &dues, count);
        *goes_on = count == wanted;
        wanted = WINDOWS;
    } while (*goes_on && all < most && straight->calm < enough && straight->apart < LIKELY);
    return true;
}
#endif

/* How many bytes before the one at `at` are part of the same character, or of what could be one. */
static size_t bytes_under_way(const struct encoding *encoding, const uint8_t *bytes, size_t at)
{
    const uint8_t *byte = bytes + at;
    if (at == 0 || !is_continuation(*byte))
        return 0;
    size_t back = 1;
    while (back < REACH && back < at && is_continuation(*(byte - back)))
        back++;
    uint8_t lead = *(byte - back);
    size_t length = 1u + (lead >= FIRST_BEYOND_CONTINUATIONS) + (lead >= encoding->first_lead_of_3) +
                    (lead >= encoding->first_lead_of_4);
    return back < length && may_continue(encoding, lead, *(byte - back + 1)) ? back : 0;
}

/* Decodes what has a unit for each byte, if it is likely that this is it, and it is. */
KERNEL_PART bool put_likely_singles(enum form form, struct straight *straight, const struct window *window,
                                    const uint8_t *bytes, size_t byte_count)
{
    size_t from = straight->at;
    if (straight->apart >= LIKELY)
        put_singles(form, straight->look.encoding, ASCII_AND_ERRORS, bytes, byte_count, &straight->at, &straight->out);
    else if (vec_is_ascii(window->now))
        put_ascii(form, straight->look.encoding, bytes, byte_count, &straight->at, &straight->out);
    else
        return false;
    weigh(straight, 0, (straight->at - from) / VEC_BYTES);
    return straight->at != from;
}

/* Decodes from *at on, which is between two characters, as far as that goes: to the end, or to an error, unless those
 * are replaced by maximal subparts, or to surrogates on which neighbours decide, or to where there is no room, or, if more
 * is left, until there were `enough` windows without errors in a row. Brings *at there, or to a character or two before. */
KERNEL_PART void decode_straight(enum form form, const struct encoding *encoding, bool lossy, bool hold, size_t enough,
                                 const uint8_t *bytes, size_t byte_count, size_t *at, struct output *out)
{
    enum { ENOUGH_BYTES = 2 * REACH }; /* for a window, and what is looked back at from its beginning */
    if (*at == byte_count || (*at > 0 && *at < ENOUGH_BYTES))
        return;
    struct straight straight = {look_of(encoding), lossy, 0, 0, *at, *out};
    bool goes_on = true;
    if (*at == 0)
        put_ascii(form, encoding, bytes, byte_count, &straight.at, &straight.out);
    if (straight.at == 0 && byte_count > STRAIGHT_BYTES) {
        struct window window = window_of_only(bytes, byte_count < VEC_BYTES ? byte_count : VEC_BYTES);
        goes_on = put_window(form, &straight, &window, first_bits(STRAIGHT_BYTES));
        straight.at += goes_on ? STRAIGHT_BYTES : 0;
    }
    while (goes_on && straight.calm < enough && byte_count - straight.at > STRAIGHT_BYTES) {
        struct window window = window_at(bytes + straight.at - REACH);
        if (put_likely_singles(form, &straight, &window, bytes, byte_count))
            continue;
#ifndef VEC_MANY_REGISTERS
        if (lossy && straight.apart < LIKELY && put_dirty(form, &straight, enough, bytes, byte_count, &goes_on))
            continue;
#endif
        goes_on = put_window(form, &straight, &window, inside_window());
        straight.at += goes_on ? STRAIGHT_BYTES : 0;
    }
    size_t length = byte_count - straight.at;
    if (goes_on && !hold && length > 0 && length <= STRAIGHT_BYTES) { /* with zeros after the end */
        size_t back = straight.at < REACH ? 0 : REACH;
        struct window window = back == 0 ? window_of_only(bytes, length)
                                         : window_at_end(bytes + straight.at - back, length + back);
        straight.at += put_window(form, &straight, &window, first_bits(length) << back) ? length : 0;
    }
    if (straight.at > *at && straight.at < byte_count) {
        size_t back = bytes_under_way(encoding, bytes, straight.at);
        straight.at -= back;
        straight.out.written -= form == UTF16 && back == REACH; /* a high surrogate */
    }
    *at = straight.at;
    out->written = straight.out.written;
}

#endif
