/* SPDX-License-Identifier: MIT
 *
 * well_formed_batch.h - replaces errors by U+FFFD, as bytes, on instruction sets whose best shuffle is of 16 bytes.
 * Windows are scanned as in decode_windows.h; then one shuffle for each five bytes keeps, drops or replaces any of
 * them. Where errors are few, the bytes between them are copied instead.
 */
#ifndef ASSAY_SIMD_BYTES_WELL_FORMED_BATCH_H
#define ASSAY_SIMD_BYTES_WELL_FORMED_BATCH_H

#include "scan_window.h"
#include "../tables/replace_shuffles.h"

enum {
    REPLACED_BYTES = 55,                               /* of a window; the bytes around them decide about these */
    REPLACED_BEFORE = REACH + 1,                       /* bytes before them are read */
    REPLACED_READ = REPLACED_BYTES + VEC_BYTES,        /* bytes from their first one on may be read */
    REPLACED_WRITTEN = 3 * REPLACED_BYTES + VEC_BYTES, /* bytes may be overwritten */
    REPLACED_AT_ONCE = 8,
    FEW_ERRORS = 2
};

/* The bytes of errors: the last one of each, which is replaced by U+FFFD, and the others, which are dropped. */
struct gone {
    uint64_t replaced, dropped;
};

/* Scans a window. Returns false if it has surrogates that depend on bytes outside it. An error has three bytes at
 * most. */
KERNEL_PART bool scan_to_replace(const struct scanner *scanner, const uint8_t *bytes, struct gone *gone)
{
    vec back_1 = vec_load(bytes - REPLACED_BEFORE), now = vec_load(bytes - REACH);
    uint64_t inside = first_bits(REPLACED_BYTES) << REACH;
    truth begun = vec_both(vec_at_least(back_1, FIRST_BEYOND_CONTINUATIONS), vec_is_continuation(now));
    if (vec_neither(begun, begun) &&
        !scanner->encoding->refuses_00) { /* all bytes that are not ASCII are errors of one byte */
        *gone = (struct gone){(vec_bits(vec_high(now)) & inside) >> REACH, 0};
        return true;
    }
    if (has_surrogates(scanner->encoding, back_1, now))
        return false;
    struct window_scan scan = scan_window(scanner, back_1, now, ~(uint64_t)0 >> 1);
    uint64_t one_before = (scan.errors & scan.taken) >> 1, two_before = (one_before & scan.taken) >> 1;
    *gone = (struct gone){(scan.errors & inside) >> REACH, ((one_before | two_before) & inside) >> REACH};
    return true;
}

/* The byte offset of the table's row for the ten bits that start at bit 10 * number. */
ALWAYS_INLINE size_t row_of_five(uint64_t bits, unsigned number)
{
    unsigned left = (68 - 10 * number) % 64;
    return (size_t)((bits << left | bits >> (64 - left)) & 0x3FF0);
}

/* Writes five bytes with replacements; returns the end of the output. */
KERNEL_PART uint8_t *put_five(uint8_t *out, const uint8_t *bytes, half replacement, size_t row)
{
    put_half(out, units_shuffle(half_before(bytes, replacement), row_at(replace_fives, row)));
    return out + last_of(replace_fives, row);
}

/* Writes a window, five bytes at a time; returns the end of the output. */
KERNEL_PART uint8_t *put_fives(uint8_t *out, const uint8_t *bytes, const struct gone *gone, half replacement)
{
    const uint64_t evens = UINT64_C(0x7C1F07C1F07C1F); /* five bits, then none, alternately; the lowest five first */
    uint64_t first = (gone->replaced & evens) | (gone->dropped & evens) << 5;
    uint64_t second = (gone->replaced >> 5 & evens) | (gone->dropped & ~evens);
#pragma GCC unroll 5
    for (unsigned i = 0; i < 5; i++, bytes += 10) {
        out = put_five(out, bytes, replacement, row_of_five(first, i));
        out = put_five(out, bytes + 5, replacement, row_of_five(second, i));
    }
    return put_five(out, bytes, replacement, row_of_five(first, 5));
}

/* The same, error by error. Each copy of 64 bytes may write too much; the next one overwrites that. */
KERNEL_PART uint8_t *put_between(uint8_t *out, const uint8_t *bytes, const struct gone *gone)
{
    size_t from = 0;
    uint64_t left = gone->replaced | gone->dropped | (uint64_t)1 << REPLACED_BYTES;
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

KERNEL_PART uint8_t *put_replaced(uint8_t *out, const uint8_t *bytes, const struct gone *gone, half replacement)
{
    return count_bits(gone->replaced) <= FEW_ERRORS ? put_between(out, bytes, gone)
                                                    : put_fives(out, bytes, gone, replacement);
}

/* Between two windows, the position may be inside a sequence. The bytes of a character before the position are written;
 * those of an error (in_error) are not. */
struct window_replacer {
    struct scanner scanner;
    half replacement;
    bool in_error;
    size_t clean_count; /* windows without errors since the last error */
};

KERNEL_PART struct window_replacer window_replacer_of(const struct encoding *encoding)
{
    static const uint8_t bytes[sizeof(half)] = {[12] = 0xEF, 0xBF, 0xBD};
    struct window_replacer replacer = {scanner_of(encoding), {0}, false, 0};
    memcpy(&replacer.replacement, bytes, sizeof bytes);
    return replacer;
}

KERNEL_PART void count_clean(struct window_replacer *replacer, const struct gone *gone)
{
    replacer->clean_count = gone->replaced != 0 ? 0 : replacer->clean_count + 1;
    replacer->in_error = gone->dropped >> (REPLACED_BYTES - 1) != 0;
}

/* Replaces errors in windows while there are enough bytes around them and room for the longest result, until `enough`
 * windows in a row had no error. Returns false at a window with surrogates. */
KERNEL_PART bool replace_windows_with_room(struct window_replacer *given, size_t enough, struct well_formed_task *task)
{
    struct window_replacer replacer = *given;
    struct gone gone[REPLACED_AT_ONCE];
    const uint8_t *bytes = task->bytes + task->at;
    uint8_t *out = task->out + task->written;
    size_t left = task->byte_count - task->at, room = task->capacity - task->written, count;
    size_t readable = left < REPLACED_READ ? 0 : (left - REPLACED_READ) / REPLACED_BYTES + 1, done = 0;
    bool goes_on = true;
    do {
        size_t fit = room < REPLACED_WRITTEN ? 0 : (room - REPLACED_WRITTEN) / (3 * REPLACED_BYTES) + 1;
        size_t most = readable - done < fit ? readable - done : fit;
        most = most < REPLACED_AT_ONCE ? most : REPLACED_AT_ONCE;
        for (count = 0; goes_on && count < most && replacer.clean_count < enough; count += goes_on) {
            goes_on = scan_to_replace(&replacer.scanner, bytes + count * REPLACED_BYTES, &gone[count]);
            if (goes_on)
                count_clean(&replacer, &gone[count]);
        }
        uint8_t *from = out;
        for (size_t i = 0; i < count; i++, bytes += REPLACED_BYTES)
            out = put_replaced(out, bytes, &gone[i], replacer.replacement);
        room -= (size_t)(out - from);
        done += count;
    } while (count == REPLACED_AT_ONCE);
    task->at = (size_t)(bytes - task->bytes);
    task->written = (size_t)(out - task->out);
    given->clean_count = replacer.clean_count;
    given->in_error = replacer.in_error;
    return goes_on;
}

/* Replaces errors in one window, or in the last bytes, by way of buffers. Returns false, with nothing done, if it has
 * surrogates or there is no room. */
KERNEL_PART bool replace_window_in_buffers(struct window_replacer *replacer, struct well_formed_task *task)
{
    uint8_t bytes[REPLACED_BEFORE + REPLACED_READ] = {0}, out[REPLACED_WRITTEN];
    size_t left = task->byte_count - task->at, before = task->at < REPLACED_BEFORE ? task->at : REPLACED_BEFORE;
    size_t count = left < REPLACED_BYTES ? left : REPLACED_BYTES, around = left < REPLACED_READ ? left : REPLACED_READ;
    memcpy(bytes + REPLACED_BEFORE - before, task->bytes + task->at - before, before + around);
    struct gone gone;
    if (!scan_to_replace(&replacer->scanner, bytes + REPLACED_BEFORE, &gone))
        return false;
    gone.replaced &= first_bits(count);
    put_replaced(out, bytes + REPLACED_BEFORE, &gone, replacer->replacement);
    size_t size = count - count_bits(gone.dropped) + 2 * count_bits(gone.replaced);
    if (size > task->capacity - task->written)
        return false;
    count_clean(replacer, &gone);
    task->written = append(task->out, task->written, out, size);
    task->at += count;
    return true;
}

#endif
