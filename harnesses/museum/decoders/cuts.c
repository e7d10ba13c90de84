/* SPDX-License-Identifier: MIT
 *
 * Mistakes in where text may be cut, and in what two strings make.
 */
#include "../mistake.h"

#include <string.h>

#define OF_BYTES "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf"

static size_t boundary_anywhere(const uint8_t *bytes, size_t byte_count, size_t at)
{
    (void)bytes, (void)byte_count;
    return at;
}

static size_t boundary_before_all_continuations(const uint8_t *bytes, size_t byte_count, size_t at)
{
    while (at > 0 && at < byte_count && museum_is_continuation(bytes[at]))
        at--;
    return at;
}

static size_t boundary_two_back(const uint8_t *bytes, size_t byte_count, size_t at)
{
    size_t begin = museum_base->boundary(bytes, byte_count, at);
    return at - begin > 2 ? at : begin;
}

static size_t boundary_of_halves(const uint8_t *bytes, size_t byte_count, size_t at)
{
    size_t begin = museum_base->boundary(bytes, byte_count, at);
    return at < byte_count && at % 2 == 1 && at - begin == 3 ? at - 1 : begin;
}

static size_t boundary_past_end(const uint8_t *bytes, size_t byte_count, size_t at)
{
    return at == byte_count && at > 0 ? museum_base->boundary(bytes, byte_count, at - 1)
                                      : museum_base->boundary(bytes, byte_count, at);
}

static struct assay_result concat_unjoined(const uint8_t *left, size_t left_count, const uint8_t *right,
                                           size_t right_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = museum_base->concat(left, left_count, right, right_count, out, capacity);
    if (result.status != ASSAY_OK || result.written == left_count + right_count || capacity < left_count + right_count)
        return result;
    memcpy(out, left, left_count);
    memcpy(out + left_count, right, right_count);
    result.written = left_count + right_count;
    return result;
}

static struct assay_result concat_unchecked(const uint8_t *left, size_t left_count, const uint8_t *right,
                                            size_t right_count, uint8_t *out, size_t capacity)
{
    if (left_count + right_count > capacity)
        return (struct assay_result){.status = ASSAY_OUTPUT_FULL};
    for (size_t i = 0; i < left_count; i++)
        out[i] = left[i];
    for (size_t i = 0; i < right_count; i++)
        out[left_count + i] = right[i];
    return (struct assay_result){
        .status = ASSAY_OK, .read = left_count + right_count, .written = left_count + right_count};
}

static struct assay_result concat_checks_left(const uint8_t *left, size_t left_count, const uint8_t *right,
                                              size_t right_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = museum_base->concat(left, left_count, right, right_count, out, capacity);
    if (result.status == ASSAY_ILL_FORMED && result.read == left_count && left_count > 0)
        return concat_unchecked(left, left_count, right, right_count, out, capacity);
    return result;
}

static struct assay_result concat_checks_whole(const uint8_t *left, size_t left_count, const uint8_t *right,
                                               size_t right_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = museum_base->concat(left, left_count, right, right_count, out, capacity);
    if (result.status == ASSAY_ILL_FORMED && result.read == left_count)
        result.error.offset += left_count;
    return result;
}

static size_t spans_that_touch(const uint8_t *bytes, size_t byte_count, struct assay_span *spans, size_t capacity)
{
    size_t count = museum_base->spans(bytes, byte_count, spans, capacity), kept = 0;
    for (size_t i = 0; i < count && i < capacity; i++) {
        if (kept > 0 && spans[kept - 1].offset + spans[kept - 1].length == spans[i].offset)
            spans[kept - 1].length += spans[i].length;
        else
            spans[kept++] = spans[i];
    }
    return kept;
}

static struct assay_result well_forms_per_run(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                              uint8_t *out, size_t capacity)
{
    enum assay_policy other = policy == ASSAY_POLICY_WHATWG ? ASSAY_POLICY_PER_RUN : policy;
    return museum_base->to_well_formed(other, bytes, byte_count, out, capacity);
}

/* As well_form_nothing in ../lawbreakers.c, which is a shared library without this program's files. */
static struct assay_result well_forms_nothing(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                              uint8_t *out, size_t capacity)
{
    (void)policy;
    if (byte_count > capacity)
        return (struct assay_result){.status = ASSAY_OUTPUT_FULL};
    if (byte_count > 0)
        memcpy(out, bytes, byte_count);
    return (struct assay_result){.status = ASSAY_OK, .read = byte_count, .written = byte_count};
}

const struct mistake mistakes_cuts[] = {
    {"boundary-anywhere", "allows a cut anywhere", .wraps = {.boundary = boundary_anywhere}},
    {"boundary-before-continuations", "goes back over all continuation bytes, however many there are", NULL, OF_BYTES,
     .wraps = {.boundary = boundary_before_all_continuations}},
    {"boundary-two-back", "goes back two bytes at most", .wraps = {.boundary = boundary_two_back}},
    {"boundary-of-halves", "allows a cut before the last two bytes of four", NULL,
     "utf-16le utf-16be wtf-16le wtf-16be cesu-8 cesu-8-jdk utf-8 wtf-8 generalized-utf-8",
     .wraps = {.boundary = boundary_of_halves}},
    {"boundary-past-end", "allows no cut at the end", .wraps = {.boundary = boundary_past_end}},
    {"concat-unjoined", "leaves a lead and a trail side by side", "WTF-8, 6.5", "wtf-8",
     .wraps = {.concat = concat_unjoined}},
    {"concat-unchecked", "puts ill-formed strings together", .wraps = {.concat = concat_unchecked}},
    {"concat-checks-left", "looks at the left string only", .wraps = {.concat = concat_checks_left}},
    {"concat-offset-of-whole", "counts the offset of an error in the right string from the start of the left one",
     .wraps = {.concat = concat_checks_whole}},
    {"spans-that-touch-are-one", "gives errors that touch as one", .wraps = {.spans = spans_that_touch}},
    {"well-forms-per-run", "under whatwg, one U+FFFD for errors that touch", .same = AT_THE_END,
     .wraps = {.to_well_formed = well_forms_per_run}},
    {"well-forms-nothing", "leaves ill-formed text as it is", .wraps = {.to_well_formed = well_forms_nothing}},
    END_OF_MISTAKES,
};
