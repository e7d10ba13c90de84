/* SPDX-License-Identifier: MIT
 *
 * well_formed_batch.h - U+FFFD for errors, as bytes, for instruction sets that shuffle 16 bytes and have nothing better. Windows are
 * looked at as by decode_lossy_batch.h; then of each five bytes, by one shuffle, any stay, go, or become U+FFFD. Where errors are few,
 * what is between them is copied.
 */
#ifndef ASSAY_SIMD_BYTES_WELL_FORMED_BATCH_H
#define ASSAY_SIMD_BYTES_WELL_FORMED_BATCH_H

#include "scan_window.h"
#include "../tables/replace_shuffles.h"

enum {
    MENDED_BYTES = 55,                             /* of a window: what is before and after these decides on them */
    MENDED_BEFORE = REACH + 1,                     /* bytes before them are looked at */
    MENDED_READ = MENDED_BYTES + VEC_BYTES,        /* from them on, so many may be loaded */
    MENDED_WRITTEN = 3 * MENDED_BYTES + VEC_BYTES, /* so many are overwritten at the most */
    MENDED_AT_ONCE = 8,
    FEW_ERRORS = 2
};

/* What does not stay: the last bytes of errors, in whose place U+FFFD goes out, and the others of them. */
struct gone {
    uint64_t replaced, dropped;
};

/* Looks at a window; false if it has surrogates that neighbours decide on. An error has three bytes at the most. */
KERNEL_PART bool look_to_mend(const struct look *look, const uint8_t *bytes, struct gone *gone)
{
    vec back_1 = vec_load(bytes - MENDED_BEFORE), now = vec_load(bytes - REACH);
    uint64_t inside = first_bits(MENDED_BYTES) << REACH;
    truth begun = vec_both(vec_at_least(back_1, FIRST_BEYOND_CONTINUATIONS), vec_is_continuation(now));
    if (vec_neither(begun, begun) && !look->encoding->refuses_00) { /* whatever is not ASCII is an error of one byte */
        *gone = (struct gone){(vec_bits(vec_high(now)) & inside) >> REACH, 0};
        return true;
    }
    if (has_surrogates(look->encoding, back_1, now))
        return false;
    struct due due = look_at(look, back_1, now, ~(uint64_t)0 >> 1);
    uint64_t one_before = (due.errors & due.taken) >> 1, two_before = (one_before & due.taken) >> 1;
    *gone = (struct gone){(due.errors & inside) >> REACH, ((one_before | two_before) & inside) >> REACH};
    return true;
}

/* Where in the table the row for the first five of some bits, and five more of others, is, in bytes. */
ALWAYS_INLINE size_t row_of_five(uint64_t bits, unsigned number)
{
    unsigned left = (68 - 10 * number) % 64;
    return (size_t)((bits << left | bits >> (64 - left)) & 0x3FF0);
}

/* Writes five bytes, or what becomes of them; returns where the next go. */
KERNEL_PART uint8_t *put_five(uint8_t *out, const uint8_t *bytes, half replacement, size_t row)
{
    put_half(out, units_shuffle(half_before(bytes, replacement), row_at(repair_fives, row)));
    return out + last_of(repair_fives, row);
}

/* Writes a window; returns where the next goes. */
KERNEL_PART uint8_t *put_fives(uint8_t *out, const uint8_t *bytes, const struct gone *gone, half replacement)
{
    const uint64_t evens = UINT64_C(0x7C1F07C1F07C1F); /* every other five bits, the lowest first */
    uint64_t first = (gone->replaced & evens) | (gone->dropped & evens) << 5;
    uint64_t second = (gone->replaced >> 5 & evens) | (gone->dropped & ~evens);
#pragma GCC unroll 5
    for (unsigned i = 0; i < 5; i++, bytes += 10) {
        out = put_five(out, bytes, replacement, row_of_five(first, i));
        out = put_five(out, bytes + 5, replacement, row_of_five(second, i));
    }
    return put_five(out, bytes, replacement, row_of_five(first, 5));
}

/* The same, error by error: what is before each is followed by too much, and that by what comes next. */
KERNEL_PART uint8_t *put_between(uint8_t *out, const uint8_t *bytes, const struct gone *gone)
{
    size_t from = 0;
    uint64_t left = gone->replaced | gone->dropped | (uint64_t)1 << MENDED_BYTES;
    for (uint64_t errors = gone->replaced; errors != 0; errors &= errors - 1) {
        vec_store(out, vec_load(bytes + from));
        out += lowest(left) - from;
        memcpy(out, "\xEF\xBF\xBD", 3);
        out += 3;
        from = lowest(errors) + 1;
        left &= ~first_bits(from);
    }
    vec_store(out, vec_load(bytes + from));
    return out + lowest(left) - from;
}

KERNEL_PART uint8_t *put_mended(uint8_t *out, const uint8_t *bytes, const struct gone *gone, half replacement)
{
    return count_bits(gone->replaced) <= FEW_ERRORS ? put_between(out, bytes, gone)
                                                    : put_fives(out, bytes, gone, replacement);
}

/* Repair under way. `at` may be amid a character, of which as much is written, or an error, of which nothing is. */
struct mend {
    struct look look;
    half replacement;
    bool in_error;
    size_t calm; /* windows without errors, the last ones */
};

KERNEL_PART struct mend mend_of(const struct encoding *encoding)
{
    static const uint8_t bytes[sizeof(half)] = {[12] = 0xEF, 0xBF, 0xBD};
    struct mend mend = {look_of(encoding), {0}, false, 0};
    memcpy(&mend.replacement, bytes, sizeof bytes);
    return mend;
}

KERNEL_PART void weigh_gone(struct mend *mend, const struct gone *gone)
{
    mend->calm = gone->replaced != 0 ? 0 : mend->calm + 1;
    mend->in_error = gone->dropped >> (MENDED_BYTES - 1) != 0;
}

/* Repairs windows that have all they may look at around them, and room for all that they may become, until there were
 * `enough` without errors. False if one has surrogates. */
KERNEL_PART bool mend_freely(struct mend *given, size_t enough, struct repair *repair)
{
    struct mend mend = *given;
    struct gone gone[MENDED_AT_ONCE];
    const uint8_t *bytes = repair->bytes + repair->at;
    uint8_t *out = repair->out + repair->written;
    size_t left = repair->byte_count - repair->at, room = repair->capacity - repair->written, count;
    size_t readable = left < MENDED_READ ? 0 : (left - MENDED_READ) / MENDED_BYTES + 1, done = 0;
    bool goes_on = true;
    do {
        size_t fit = room < MENDED_WRITTEN ? 0 : (room - MENDED_WRITTEN) / (3 * MENDED_BYTES) + 1;
        size_t most = readable - done < fit ? readable - done : fit;
        most = most < MENDED_AT_ONCE ? most : MENDED_AT_ONCE;
        for (count = 0; goes_on && count < most && mend.calm < enough; count += goes_on) {
            goes_on = look_to_mend(&mend.look, bytes + count * MENDED_BYTES, &gone[count]);
            if (goes_on)
                weigh_gone(&mend, &gone[count]);
        }
        uint8_t *from = out;
        for (size_t i = 0; i < count; i++, bytes += MENDED_BYTES)
            out = put_mended(out, bytes, &gone[i], mend.replacement);
        room -= (size_t)(out - from);
        done += count;
    } while (count == MENDED_AT_ONCE);
    repair->at = (size_t)(bytes - repair->bytes);
    repair->written = (size_t)(out - repair->out);
    given->calm = mend.calm;
    given->in_error = mend.in_error;
    return goes_on;
}

/* Repairs one window, or what is left, by way of buffers; false if it has surrogates, or there is no room. */
KERNEL_PART bool mend_apart(struct mend *mend, struct repair *repair)
{
    uint8_t bytes[MENDED_BEFORE + MENDED_READ] = {0}, out[MENDED_WRITTEN];
    size_t left = repair->byte_count - repair->at, before = repair->at < MENDED_BEFORE ? repair->at : MENDED_BEFORE;
    size_t count = left < MENDED_BYTES ? left : MENDED_BYTES, around = left < MENDED_READ ? left : MENDED_READ;
    memcpy(bytes + MENDED_BEFORE - before, repair->bytes + repair->at - before, before + around);
    struct gone gone;
    if (!look_to_mend(&mend->look, bytes + MENDED_BEFORE, &gone))
        return false;
    gone.replaced &= first_bits(count);
    put_mended(out, bytes + MENDED_BEFORE, &gone, mend->replacement);
    size_t size = count - count_bits(gone.dropped) + 2 * count_bits(gone.replaced);
    if (size > repair->capacity - repair->written)
        return false;
    weigh_gone(mend, &gone);
    repair->written = append(repair->out, repair->written, out, size);
    repair->at += count;
    return true;
}

#endif
