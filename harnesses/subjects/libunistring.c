/* SPDX-License-Identifier: MIT
 *
 * GNU libunistring: u8_check, and the conversions of <unistr.h> into the buffer that they are given.
 */
#include "subject.h"

#include <stdlib.h>
#include <unistr.h>

static size_t good_bytes(const uint8_t *bytes, size_t byte_count)
{
    const uint8_t *bad = u8_check(bytes, byte_count);
    return bad != NULL ? (size_t)(bad - bytes) : byte_count;
}

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    return subject_verdict(good_bytes(bytes, byte_count), byte_count, error);
}

/* Defines a conversion. `convert` returns NULL for ill-formed input; `check` then finds where the error is. */
#define CONVERSION(name, input_type, output_type, convert, check, room) \
    static struct assay_result name(enum assay_policy policy, const input_type *input, size_t count, output_type *out, \
                                    size_t capacity) \
    { \
        size_t written = capacity, good = count; \
        if (policy != ASSAY_POLICY_STRICT || capacity < (room)) \
            return SUBJECT_UNSUPPORTED; \
        if (convert(input, count, out, &written) == NULL) { \
            const input_type *bad = check(input, count); \
            good = bad != NULL ? (size_t)(bad - input) : 0; \
            written = capacity; \
            if (convert(input, good, out, &written) == NULL) \
                return subject_result(ASSAY_ILL_FORMED, 0, 0); \
        } \
        return subject_converted(good, count, written); \
    }

CONVERSION(decode_utf16, uint8_t, uint16_t, u8_to_u16, u8_check, ASSAY_DECODED_MAX(count))
CONVERSION(decode_utf32, uint8_t, uint32_t, u8_to_u32, u8_check, ASSAY_DECODED_MAX(count))
CONVERSION(encode_utf16, uint16_t, uint8_t, u16_to_u8, u16_check, ASSAY_ENCODED_MAX(count))
CONVERSION(encode_utf32, uint32_t, uint8_t, u32_to_u8, u32_check, ASSAY_ENCODED_MAX(count))

SUBJECT("libunistring"), .validate = validate, .decode_utf32 = decode_utf32, .decode_utf16 = decode_utf16,
                         .encode_utf32 = encode_utf32, .encode_utf16 = encode_utf16
}
;
