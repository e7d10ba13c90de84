/* SPDX-License-Identifier: MIT
 *
 * iconv of the C library. A descriptor is opened once a thread, and reset before each string.
 */
#include "subject.h"

#include <errno.h>
#include <iconv.h>

#define IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define UTF16 (IS_BIG_ENDIAN ? "UTF-16BE" : "UTF-16LE")
#define UTF32 (IS_BIG_ENDIAN ? "UTF-32BE" : "UTF-32LE")

#define CONVERSION(name, input_type, output_type, from, to, room) \
    static struct assay_result name(enum assay_policy policy, const input_type *input, size_t count, output_type *out, \
                                    size_t capacity) \
    { \
        static _Thread_local iconv_t descriptor; \
        char *from_at = (char *)input, *to_at = (char *)out; \
        size_t input_left = count * sizeof *input, output_left = capacity * sizeof *out; \
        if (policy != ASSAY_POLICY_STRICT || capacity < (room)) \
            return SUBJECT_UNSUPPORTED; \
        if (descriptor == NULL) \
            descriptor = iconv_open(to, from); \
        if (descriptor == (iconv_t)-1) \
            return SUBJECT_UNSUPPORTED; \
        iconv(descriptor, NULL, NULL, NULL, NULL); \
        iconv(descriptor, &from_at, &input_left, &to_at, &output_left); \
        return subject_converted(count - input_left / sizeof *input, count, capacity - output_left / sizeof *out); \
    }

CONVERSION(decode_utf16, uint8_t, uint16_t, "UTF-8", UTF16, ASSAY_DECODED_MAX(count))
CONVERSION(decode_utf32, uint8_t, uint32_t, "UTF-8", UTF32, ASSAY_DECODED_MAX(count))
CONVERSION(encode_utf16, uint16_t, uint8_t, UTF16, "UTF-8", ASSAY_ENCODED_MAX(count))
CONVERSION(encode_utf32, uint32_t, uint8_t, UTF32, "UTF-8", ASSAY_ENCODED_MAX(count))

SUBJECT("iconv"), .decode_utf32 = decode_utf32, .decode_utf16 = decode_utf16, .encode_utf32 = encode_utf32,
                  .encode_utf16 = encode_utf16
}
;
