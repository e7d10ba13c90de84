/* SPDX-License-Identifier: MIT */
#include "shorten.h"
#include "../cli.h"

#include <stdlib.h>
#include <string.h>

/* Replaces the input by the candidate if that still shows the finding. Returns whether it does. An answer that an
 * interruption cut short shows nothing. */
static bool try_shorter(struct shortening *shortening, const uint8_t *candidate, size_t byte_count)
{
    if (!shortening->shows(shortening->context, candidate, byte_count) || cli_interruption != 0)
        return false;
    memcpy(shortening->bytes, candidate, byte_count);
    shortening->byte_count = byte_count;
    return true;
}

static bool try_plain(struct shortening *shortening, uint8_t *candidate, size_t begin, size_t end)
{
    memcpy(candidate, shortening->bytes, shortening->byte_count);
    for (size_t at = begin; at < end; at++)
        candidate[at] = shortening->plain[at % shortening->unit];
    return memcmp(candidate, shortening->bytes, shortening->byte_count) == 0 ||
           try_shorter(shortening, candidate, shortening->byte_count);
}

/* Returns the middle, or the first place after it that is not inside a sequence of UTF-8 or its relatives: half a
 * sequence would be an error. */
static size_t middle_of(const struct shortening *shortening, size_t begin, size_t end)
{
    size_t unit = shortening->unit, middle = begin + ((end - begin) / unit + 1) / 2 * unit, at = middle;
    while (unit == 1 && at < end && (shortening->bytes[at] & 0xC0) == 0x80)
        at++;
    return at < end ? at : middle;
}

/* Halves first. */
static void make_plain(struct shortening *shortening, uint8_t *candidate, size_t begin, size_t end)
{
    if (begin == end || cli_interruption != 0 || try_plain(shortening, candidate, begin, end) ||
        end - begin <= shortening->unit)
        return;
    size_t middle = middle_of(shortening, begin, end);
    make_plain(shortening, candidate, begin, middle);
    make_plain(shortening, candidate, middle, end);
}

/* Tries to remove each chunk of `size` units, from the end, where truncation is one step. Sizes are powers of two, so
 * that a fault at the edge of a block stays there. */
static void remove_chunks(struct shortening *shortening, uint8_t *candidate, size_t size)
{
    for (size_t end = shortening->byte_count; end > 0 && cli_interruption == 0;) {
        size_t begin = end > size ? (end - size + shortening->unit - 1) / shortening->unit * shortening->unit : 0;
        size_t rest = shortening->byte_count - end;
        memcpy(candidate, shortening->bytes, begin);
        memcpy(candidate + begin, shortening->bytes + end, rest);
        try_shorter(shortening, candidate, begin + rest);
        end = begin;
    }
}

/* Replaces characters by letters first: letters can be removed one by one, characters of several units cannot. */
void shorten(struct shortening *shortening)
{
    uint8_t *candidate = cli_alloc(shortening->byte_count, 1), *before = cli_alloc(shortening->byte_count, 1);
    size_t count_before;
    do {
        count_before = shortening->byte_count;
        memcpy(before, shortening->bytes, count_before);
        make_plain(shortening, candidate, 0, shortening->byte_count);
        size_t size = shortening->unit;
        while (2 * size < shortening->byte_count)
            size *= 2;
        for (; size >= shortening->unit; size /= 2)
            remove_chunks(shortening, candidate, size);
    } while (cli_interruption == 0 &&
             (shortening->byte_count != count_before || memcmp(shortening->bytes, before, count_before) != 0));
    free(candidate);
    free(before);
}
