/* SPDX-License-Identifier: MIT
 *
 * Bjoern Hoehrmann's automaton, "Flexible and Economical UTF-8 Decoder", in both published forms, and the loops that he
 * published over it. A table maps a byte to one of 12 classes, another one state and class to the next state.
 */
#include "utf8_tables.h"

/* The first form: states 0..8, each with a row of 16 entries. */
static inline uint64_t step_2008(uint64_t state, uint8_t byte)
{
    return utf8_hoehrmann2008[256 + state * 16 + utf8_hoehrmann2008[byte]];
}

/* The form of 2010: states are multiplied in advance by 12, the length of a row. */
static inline uint64_t step_2010(uint64_t state, uint8_t byte)
{
    return utf8_hoehrmann2010[256 + state + utf8_hoehrmann2010[byte]];
}

static const struct automaton utf8_hoehrmann2008_automaton = {&utf8, step_2008, utf8_hoehrmann2008, 1, UINT32_MAX};
#define ENCODING utf8
#define NAME "utf-8"
#define CODEC hoehrmann2008
#include "codec.inc"

static const struct automaton utf8_hoehrmann2010_automaton = {&utf8, step_2010, utf8_hoehrmann2010, utf8_class_count,
                                                              UINT32_MAX};
#define ENCODING utf8
#define NAME "utf-8"
#define CODEC hoehrmann2010
#include "codec.inc"

/* ---- the published loops ------------------------------------------------------------------------  * Validation,
 * counting and conversion as published, over his function `decode` (here published_step), without what engine.h adds:
 * no fast path for ASCII, and no look-ahead. They are here so that a rate relative to "Hoehrmann's decoder" is relative
 * to his own loop.  * Added are what codec.h asks for and his page leaves to the caller: the length of the input in
 * place of a NUL at its end, the room for output, and where an error begins, which is found again after the loop has
 * stopped. Validation says only whether there is an error. The policies are `strict` and `whatwg`, which is what his
 * remarks on error recovery come to. */
enum { PUBLISHED_ACCEPT = 0, PUBLISHED_REJECT = 12 };

ALWAYS_INLINE uint32_t published_step(uint32_t *state, uint32_t *code_point, uint32_t byte)
{
    uint32_t type = utf8_hoehrmann2010[byte];
    *code_point = *state != PUBLISHED_ACCEPT ? (byte & 0x3Fu) | (*code_point << 6) : (0xFFu >> type) & byte;
    *state = utf8_hoehrmann2010[256 + *state + type];
    return *state;
}

static bool published_validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    uint32_t state = PUBLISHED_ACCEPT, code_point = 0;
    for (size_t i = 0; i < byte_count; i++)
        published_step(&state, &code_point, bytes[i]);
    bool is_well_formed = state == PUBLISHED_ACCEPT;
    if (error != NULL)
        *error = is_well_formed ? (struct assay_span){0}
                                : (struct assay_span){ASSAY_UNKNOWN, ASSAY_UNKNOWN, ASSAY_FAULT_NONE, false};
    return is_well_formed;
}

/* Under `strict`, nothing is counted after an error, because REJECT is never left. */
static struct assay_count published_count(enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    struct assay_count count = {.status = ASSAY_OK};
    uint32_t state = PUBLISHED_ACCEPT, code_point = 0;
    if (policy != ASSAY_POLICY_STRICT)
        return (struct assay_count){.status = ASSAY_UNSUPPORTED};
    for (size_t i = 0; i < byte_count; i++)
        if (published_step(&state, &code_point, bytes[i]) == PUBLISHED_ACCEPT) {
            count.utf32_units++;
            count.utf16_units += code_point > 0xFFFF ? 2 : 1;
        }
    if (state != PUBLISHED_ACCEPT)
        count.status = ASSAY_ILL_FORMED;
    return count;
}

/* The start of the character that has its last read byte just before `end`. */
static size_t start_of_last_character(const uint8_t *bytes, size_t end)
{
    ASSUME(end > 0);
    size_t start = end - 1;
    while ((bytes[start] & 0xC0) == 0x80) {
        ASSUME(start > 0);
        start--;
    }
    return start;
}

static struct assay_result result_of_stop(enum assay_status status, size_t start, size_t written)
{
    struct assay_result result = {.status = status, .read = start, .written = written};
    if (status == ASSAY_ILL_FORMED)
        result.error = (struct assay_span){start, ASSAY_UNKNOWN, ASSAY_FAULT_NONE, false};
    return result;
}

/* Decodes to UTF-32 or to UTF-16. On REJECT the state is set to ACCEPT, and a byte that was refused inside a character
 * is read again. */
ALWAYS_INLINE struct assay_result published_decode(enum form form, enum assay_policy policy, const uint8_t *bytes,
                                                   size_t byte_count, void *units, size_t capacity)
{
    struct output out = {form, units, capacity, 0};
    uint32_t state = PUBLISHED_ACCEPT, before = PUBLISHED_ACCEPT, code_point = 0;
    if (policy != ASSAY_POLICY_STRICT && policy != ASSAY_POLICY_WHATWG)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    for (size_t i = 0; i < byte_count; before = state, i++) {
        published_step(&state, &code_point, bytes[i]);
        if (state == PUBLISHED_ACCEPT) {
            if (!emit(&out, code_point, 1))
                return result_of_stop(ASSAY_OUTPUT_FULL, start_of_last_character(bytes, i + 1), out.written);
        } else if (state == PUBLISHED_REJECT) {
            bool is_inside = before != PUBLISHED_ACCEPT;
            size_t start = is_inside ? start_of_last_character(bytes, i) : i;
            if (policy == ASSAY_POLICY_STRICT)
                return result_of_stop(ASSAY_ILL_FORMED, start, out.written);
            if (!emit(&out, REPLACEMENT, 1))
                return result_of_stop(ASSAY_OUTPUT_FULL, start, out.written);
            state = PUBLISHED_ACCEPT;
            i -= is_inside;
        }
    }
    if (state != PUBLISHED_ACCEPT && policy == ASSAY_POLICY_STRICT)
        return result_of_stop(ASSAY_ILL_FORMED, start_of_last_character(bytes, byte_count), out.written);
    if (state != PUBLISHED_ACCEPT && !emit(&out, REPLACEMENT, 1))
        return result_of_stop(ASSAY_OUTPUT_FULL, start_of_last_character(bytes, byte_count), out.written);
    return (struct assay_result){.status = ASSAY_OK, .read = byte_count, .written = out.written};
}

static struct assay_result published_decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                                  uint32_t *out, size_t capacity)
{
    return published_decode(TO_UTF32, policy, bytes, byte_count, out, capacity);
}

static struct assay_result published_decode_utf16(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                                  uint16_t *out, size_t capacity)
{
    return published_decode(TO_UTF16, policy, bytes, byte_count, out, capacity);
}

static void published_walk(const uint8_t *bytes, size_t byte_count,
                           void (*visit)(void *context, const struct assay_step *step), void *context)
{
    uint32_t state = PUBLISHED_ACCEPT, code_point = 0;
    for (size_t i = 0; i < byte_count;) {
        uint32_t before = state;
        published_step(&state, &code_point, bytes[i]);
        bool refused = state == PUBLISHED_REJECT;
        visit(context, &(struct assay_step){i, bytes[i], utf8_hoehrmann2010[bytes[i]], before, state, code_point,
                                            state == PUBLISHED_ACCEPT, refused});
        if (!refused || before == PUBLISHED_ACCEPT)
            i++;
        if (refused)
            state = PUBLISHED_ACCEPT;
    }
}

const struct assay_codec codec_utf8_hoehrmann_loop = {
    ASSAY_CODEC_HEADER("utf-8", "hoehrmann_loop"), .validate = published_validate,         .count = published_count,
    .decode_utf32 = published_decode_utf32,        .decode_utf16 = published_decode_utf16, .walk = published_walk,
};
