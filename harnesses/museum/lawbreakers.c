/* SPDX-License-Identifier: MIT
 *
 * Template: a codec that breaks one law of harnesses/core/laws.def, as a shared library. A test shows that the law
 * catches it. The codec CODEC_NAME is the reference BASE with the operation MEMBER replaced by FAULT, one of the
 * functions below.
 */
#include "../../codecs/codec.h"

#include <string.h>

extern const struct assay_codec BASE;

/* Each library uses one of these functions. */
#define FAULT_OF_ONE static __attribute__((unused))

/* Accepts every input. */
FAULT_OF_ONE bool validate_anything(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    (void)bytes;
    (void)byte_count;
    if (error != NULL)
        *error = (struct assay_span){0};
    return true;
}

/* Returns every offset as a boundary. */
FAULT_OF_ONE size_t boundary_anywhere(const uint8_t *bytes, size_t byte_count, size_t at)
{
    (void)bytes;
    (void)byte_count;
    return at;
}

/* Copies bytes. If there are none, a pointer may be NULL. */
FAULT_OF_ONE void copy(uint8_t *out, const uint8_t *bytes, size_t byte_count)
{
    if (byte_count > 0)
        memcpy(out, bytes, byte_count);
}

/* Concatenates bytes, and does not join surrogates. */
FAULT_OF_ONE struct assay_result concat_bytes(const uint8_t *left, size_t left_count, const uint8_t *right,
                                              size_t right_count, uint8_t *out, size_t capacity)
{
    if (left_count + right_count > capacity)
        return (struct assay_result){.status = ASSAY_OUTPUT_FULL};
    copy(out, left, left_count);
    copy(out + left_count, right, right_count);
    return (struct assay_result){
        .status = ASSAY_OK, .read = left_count + right_count, .written = left_count + right_count};
}

/* Encodes each code point by itself, and does not join surrogates. */
FAULT_OF_ONE struct assay_result encode_apart(enum assay_policy policy, const uint32_t *units, size_t unit_count,
                                              uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    while (result.status == ASSAY_OK && result.read < unit_count) {
        struct assay_result one =
            BASE.encode_utf32(policy, units + result.read, 1, out + result.written, capacity - result.written);
        one.error.offset += result.read;
        result = (struct assay_result){one.status, result.read + one.read, result.written + one.written, one.error};
    }
    return result;
}

/* Drops the last unit of two or more. */
FAULT_OF_ONE struct assay_result drop_last(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                           uint32_t *out, size_t capacity)
{
    struct assay_result result = BASE.decode_utf32(policy, bytes, byte_count, out, capacity);
    if (result.written > 1)
        result.written--;
    return result;
}

/* Writes a second U+FFFD after output that ends in U+FFFD. */
FAULT_OF_ONE struct assay_result replace_twice(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                               uint16_t *out, size_t capacity)
{
    struct assay_result result = BASE.decode_utf16(policy, bytes, byte_count, out, capacity);
    if (policy == ASSAY_POLICY_WHATWG && result.written > 0 && result.written < capacity &&
        out[result.written - 1] == 0xFFFD)
        out[result.written++] = 0xFFFD;
    return result;
}

/* Adds two U+FFFD to output that ends with a surrogate, as a decoder does that replaces each byte. */
FAULT_OF_ONE struct assay_result replace_surrogates(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                                    uint32_t *out, size_t capacity)
{
    struct assay_result result = BASE.decode_utf32(policy, bytes, byte_count, out, capacity);
    if (policy != ASSAY_POLICY_STRICT && result.written > 0 && (out[result.written - 1] & ~0x7FFu) == 0xD800)
        for (size_t i = 0; i < 2 && result.written < capacity; i++)
            out[result.written++] = 0xFFFD;
    return result;
}

/* Maps units E000..FFFF to 0000..1FFF, so that the greatest units sort first. */
FAULT_OF_ONE struct assay_result decode_disordered(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                                   uint16_t *out, size_t capacity)
{
    struct assay_result result = BASE.decode_utf16(policy, bytes, byte_count, out, capacity);
    for (size_t i = 0; i < result.written && i < capacity; i++)
        if (out[i] >= 0xE000)
            out[i] = (uint16_t)(out[i] - 0xE000);
    return result;
}

/* Inverts the low 7 bits of each unit, which reverses the order of units that differ in these bits only. */
FAULT_OF_ONE struct assay_result decode_inverted(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                                 uint32_t *out, size_t capacity)
{
    struct assay_result result = BASE.decode_utf32(policy, bytes, byte_count, out, capacity);
    for (size_t i = 0; i < result.written; i++)
        out[i] ^= 0x7F;
    return result;
}

/* Accepts each byte as a character. */
FAULT_OF_ONE void walk_anywhere(const uint8_t *bytes, size_t byte_count,
                                void (*visit)(void *context, const struct assay_step *step), void *context)
{
    for (size_t i = 0; i < byte_count; i++)
        visit(context, &(struct assay_step){.offset = i, .byte = bytes[i], .code_point = bytes[i], .accepts = true});
}

/* Stops at the first error under every policy. */
FAULT_OF_ONE struct assay_result stop_always_utf16(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                                   uint16_t *out, size_t capacity)
{
    (void)policy;
    return BASE.decode_utf16(ASSAY_POLICY_STRICT, bytes, byte_count, out, capacity);
}

FAULT_OF_ONE struct assay_result stop_always_utf32(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                                   uint32_t *out, size_t capacity)
{
    (void)policy;
    return BASE.decode_utf32(ASSAY_POLICY_STRICT, bytes, byte_count, out, capacity);
}

/* Changes the last unit of the output of each piece. */
FAULT_OF_ONE struct assay_result feed_wrong(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count,
                                            bool last, uint16_t *out, size_t capacity)
{
    struct assay_result result = BASE.feed_utf16(stream, bytes, byte_count, last, out, capacity);
    if (result.written > 0)
        out[result.written - 1] ^= 1;
    return result;
}

/* Reads all pieces, and writes nothing. */
FAULT_OF_ONE struct assay_result feed_nothing(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count,
                                              bool last, uint32_t *out, size_t capacity)
{
    (void)stream, (void)bytes, (void)last, (void)out, (void)capacity;
    return (struct assay_result){.status = ASSAY_OK, .read = byte_count};
}

/* Changes the first byte of encoded text. */
FAULT_OF_ONE struct assay_result change_first(struct assay_result result, uint8_t *out)
{
    if (result.written > 0)
        out[0] ^= 1;
    return result;
}

FAULT_OF_ONE struct assay_result encode_utf32_wrong(enum assay_policy policy, const uint32_t *units, size_t unit_count,
                                                    uint8_t *out, size_t capacity)
{
    return change_first(BASE.encode_utf32(policy, units, unit_count, out, capacity), out);
}

FAULT_OF_ONE struct assay_result encode_utf16_wrong(enum assay_policy policy, const uint16_t *units, size_t unit_count,
                                                    uint8_t *out, size_t capacity)
{
    return change_first(BASE.encode_utf16(policy, units, unit_count, out, capacity), out);
}

/* Takes a policy that the encoding does not have for `whatwg`. */
FAULT_OF_ONE struct assay_result well_form_by_any_policy(enum assay_policy policy, const uint8_t *bytes,
                                                         size_t byte_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = BASE.to_well_formed(policy, bytes, byte_count, out, capacity);
    return result.status != ASSAY_UNSUPPORTED
               ? result
               : BASE.to_well_formed(ASSAY_POLICY_WHATWG, bytes, byte_count, out, capacity);
}

/* Copies the input unchanged. */
FAULT_OF_ONE struct assay_result well_form_nothing(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                                   uint8_t *out, size_t capacity)
{
    if (policy == ASSAY_POLICY_SURROGATEESCAPE)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    if (byte_count > capacity)
        return (struct assay_result){.status = ASSAY_OUTPUT_FULL};
    copy(out, bytes, byte_count);
    return (struct assay_result){.status = ASSAY_OK, .read = byte_count, .written = byte_count};
}

/* Writes one U+FFFD for each ill-formed byte under every policy that to_well_formed has. */
FAULT_OF_ONE struct assay_result well_form_each_byte(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                                     uint8_t *out, size_t capacity)
{
    if (policy == ASSAY_POLICY_SURROGATEESCAPE)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    return BASE.to_well_formed(ASSAY_POLICY_PER_BYTE, bytes, byte_count, out, capacity);
}

/* Changes the first byte, if it is ASCII. */
FAULT_OF_ONE struct assay_result change_well_formed(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                                    uint8_t *out, size_t capacity)
{
    struct assay_result result = BASE.to_well_formed(policy, bytes, byte_count, out, capacity);
    if (result.written > 0 && out[0] < 0x80)
        out[0] ^= 1;
    return result;
}

struct assay_codec assay_codec;

__attribute__((constructor)) static void begin(void)
{
    assay_codec = BASE;
    assay_codec.name = CODEC_NAME;
    assay_codec.MEMBER = FAULT;
}
