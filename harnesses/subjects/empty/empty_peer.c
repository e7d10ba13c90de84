/* SPDX-License-Identifier: MIT
 *
 * empty_peer.c - an adapter over a library that does nothing. `assay bench` measures how much longer it takes than a
 * codec that does nothing, and subtracts that from the times of peers, whose users would call the libraries themselves.
 *
 * It does what the adapters of this folder do: examines policy and room, calls the library as a shared object's
 * functions are called, and makes a result of the answer.
 */
#include "../subject.h"

#if defined(__clang__) || !defined(__GNUC__)
#define EXPORTED __attribute__((noinline, visibility("default")))
#else
#define EXPORTED __attribute__((noipa, visibility("default")))
#endif

size_t assay_empty_library(const void *input, size_t count, const void *out);

EXPORTED size_t assay_empty_library(const void *input, size_t count, const void *out)
{
    __asm__ volatile("" : "+r"(input), "+r"(count), "+r"(out));
#ifdef SPINS /* for a test: an adapter that takes this long */
    for (volatile int i = 0; i < SPINS; i++) {}
#endif
    return count;
}

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    return subject_verdict(assay_empty_library(bytes, byte_count, NULL), byte_count, error);
}

static struct assay_count count(enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    struct assay_count units = {ASSAY_UNSUPPORTED, 0, 0};
    if (policy == ASSAY_POLICY_STRICT) {
        size_t unit_count = assay_empty_library(bytes, byte_count, NULL);
        units = (struct assay_count){ASSAY_OK, unit_count, unit_count};
    }
    return units;
}

#define CONVERSION(name, input_type, output_type) \
    static struct assay_result name(enum assay_policy policy, const input_type *input, size_t unit_count, \
                                    output_type *out, size_t capacity) \
    { \
        if (policy > ASSAY_POLICY_WHATWG || capacity < unit_count) \
            return SUBJECT_UNSUPPORTED; \
        return subject_converted(assay_empty_library(input, unit_count, out), unit_count, unit_count); \
    }

CONVERSION(decode_utf16, uint8_t, uint16_t)
CONVERSION(decode_utf32, uint8_t, uint32_t)
CONVERSION(encode_utf16, uint16_t, uint8_t)
CONVERSION(encode_utf32, uint32_t, uint8_t)
CONVERSION(to_well_formed, uint8_t, uint8_t)

SUBJECT("empty-peer"), .validate = validate, .count = count, .decode_utf32 = decode_utf32, .decode_utf16 = decode_utf16,
                       .encode_utf32 = encode_utf32, .encode_utf16 = encode_utf16, .to_well_formed = to_well_formed
}
;
