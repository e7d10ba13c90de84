/* SPDX-License-Identifier: MIT
 *
 * strings.h - from strings to strings: where one may be cut, concatenation, well-formed text from any.
 */
#ifndef ASSAY_SWAR_STRINGS_H
#define ASSAY_SWAR_STRINGS_H

#include "decode.h"

/* ---- cutting and joining ---------------------------------------------------------------------------- */

/* A lead never continues a character, so only a sequence with a lead before `at` can reach past `at`. */
static size_t swar_boundary(const uint8_t *bytes, size_t byte_count, size_t at)
{
    for (size_t back = 1; at < byte_count && back < LONGEST && back <= at; back++)
        if (!is_continuation(bytes[at - back]))
            return next_token(bytes + at - back, byte_count - at + back).length > back ? at - back : at;
    return at;
}

static struct assay_result swar_concat(const uint8_t *left, size_t left_count, const uint8_t *right, size_t right_count,
                                       uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_ILL_FORMED};
    if (!swar_validate(left, left_count, &result.error))
        return result;
    result.read = left_count;
    if (!swar_validate(right, right_count, &result.error))
        return result;
    if (capacity < left_count + right_count)
        return (struct assay_result){.status = ASSAY_OUTPUT_FULL};
    if (left_count > 0) /* an empty string may be NULL */
        memcpy(out, left, left_count);
    if (right_count > 0)
        memcpy(out + left_count, right, right_count);
    return (struct assay_result){
        .status = ASSAY_OK, .read = left_count + right_count, .written = left_count + right_count};
}

/* ---- well-formed text from any ---------------------------------------------------------------------- */

/* Copies the characters from result->read to `end` for which there is room. */
static void copy_characters(struct assay_result *result, const uint8_t *bytes, size_t end, uint8_t *out,
                            size_t capacity)
{
    ASSUME(result->read <= end && result->written <= capacity);
    size_t room = capacity - result->written, from = result->read;
    size_t stop = end - from <= room ? end : boundary_before(bytes, from, from + room);
    if (stop > from) /* an empty string may be NULL */
        memcpy(out + result->written, bytes + from, stop - from);
    result->read = stop;
    result->written += stop - from;
    result->status = stop < end ? ASSAY_OUTPUT_FULL : ASSAY_OK;
}

static void put_replacements(struct assay_result *result, size_t times, uint8_t *out, size_t capacity)
{
    static const uint8_t replacement[] = {0xEF, 0xBF, 0xBD}; /* U+FFFD */
    result->status = capacity - result->written < times * sizeof replacement ? ASSAY_OUTPUT_FULL : ASSAY_OK;
    for (; result->status == ASSAY_OK && times > 0; times--) {
        memcpy(out + result->written, replacement, sizeof replacement);
        result->written += sizeof replacement;
    }
}

static struct assay_result swar_to_well_formed(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                               uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = policy == ASSAY_POLICY_SURROGATEESCAPE ? ASSAY_UNSUPPORTED : ASSAY_OK};
    size_t look_again = 0,
           ahead = capacity + BLOCK_BYTES + WORD_BYTES; /* more is not copied: a caller with little room calls often */
    uint8_t absorb = 0;
    bool in_run = false;
    while (result.status == ASSAY_OK && result.read < byte_count) {
        size_t at = result.read;
        if (absorb > 0 && is_continuation(bytes[at])) {
            absorb--;
            result.read++;
            continue;
        }
        absorb = 0;
        size_t clean = skip(bytes, byte_count - at > ahead ? at + ahead : byte_count, at, &look_again, NULL);
        if (clean > at) {
            copy_characters(&result, bytes, clean, out, capacity);
            in_run = false;
            continue;
        }
        struct token token = next_token(bytes + at, byte_count - at);
        bool is_error = token.fault != ASSAY_FAULT_NONE;
        if (!is_error) {
            copy_characters(&result, bytes, at + token.length, out, capacity);
        } else if (policy == ASSAY_POLICY_STRICT) {
            result.status = ASSAY_ILL_FORMED;
            result.error = span_of(&token, at);
        } else {
            put_replacements(&result, replacements_for(policy, token.length, in_run), out, capacity);
            result.read += result.status == ASSAY_OK ? token.length : 0;
            absorb = absorbed(policy, bytes[at], &token);
        }
        in_run = is_error;
    }
    return result;
}

#endif
