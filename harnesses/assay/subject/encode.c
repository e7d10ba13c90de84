/* SPDX-License-Identifier: MIT
 *
 * Answers the requests for bytes (encoding, to_well_formed, conversion, concatenation), and character
 * boundaries.
 */
#include "subject.h"

#include <string.h>

static struct converter converter;

/* False if a loaded codec fails although there was enough room, which is the codec's error. */
static bool is_done(const struct assay_result *result, size_t capacity)
{
    return result->status == ASSAY_OK && result->written <= capacity;
}

/* Writes the reply to encoding. */
static void reply_encoded(const char *id, const struct assay_result *result, const uint8_t *out, size_t capacity)
{
    if (result->status == ASSAY_UNSUPPORTED)
        return reply_skip(id, "this policy is not offered for this encoding");
    if (is_done(result, capacity))
        return reply_bytes(id, out, result->written);
    if (result->status != ASSAY_ILL_FORMED)
        return reply_bare_error(id);
    printf("%s error", id);
    reply_figure(result->error.offset);
    putchar('\n');
}

void subject_encode(const char *id, char **fields)
{
    struct form encoding;
    enum assay_policy policy = assay_policy_parse(fields[1]);
    uint32_t *scalars;
    size_t count;
    if (!subject_form(fields[0], &encoding) || encoding.signature != NULL || encoding.codec->encode_utf32 == NULL)
        return reply_skip(id, "encoding to this is not offered");
    if (policy == ASSAY_POLICY_COUNT)
        return reply_skip(id, "there is no such policy");
    if (!parse_scalars(fields[2], &scalars, &count))
        return reply_skip(id, "malformed SCALARS");
    size_t capacity = ASSAY_ENCODED_MAX(count);
    uint8_t *out = buffer_room(&output_buffer, capacity, 1);
    asking_directly(encoding.codec, (struct question){.operation = OP_ENCODE_UTF32,
                                                      .policy = policy,
                                                      .input = scalars,
                                                      .input_count = count,
                                                      .capacity = capacity});
    struct assay_result result = encoding.codec->encode_utf32(policy, scalars, count, out, capacity);
    asking_ends();
    reply_encoded(id, &result, out, capacity);
}

void subject_encode_utf16(const char *id, char **fields)
{
    struct form encoding;
    enum assay_policy policy = assay_policy_parse(fields[1]);
    uint32_t *scalars;
    size_t count;
    if (!subject_form(fields[0], &encoding) || encoding.signature != NULL || encoding.codec->encode_utf16 == NULL)
        return reply_skip(id, "encoding to this from UTF-16 is not offered");
    if (policy == ASSAY_POLICY_COUNT)
        return reply_skip(id, "there is no such policy");
    if (!parse_scalars(fields[2], &scalars, &count))
        return reply_skip(id, "malformed UNITS");
    uint16_t *units = buffer_room(&bytes_buffer, count, sizeof *units);
    for (size_t i = 0; i < count; i++) {
        units[i] = (uint16_t)scalars[i];
        if (scalars[i] > UINT16_MAX)
            return reply_skip(id, "malformed UNITS");
    }
    size_t capacity = ASSAY_ENCODED_MAX(count);
    uint8_t *out = buffer_room(&output_buffer, capacity, 1);
    asking_directly(encoding.codec, (struct question){.operation = OP_ENCODE_UTF16,
                                                      .policy = policy,
                                                      .input = units,
                                                      .input_count = count,
                                                      .capacity = capacity});
    struct assay_result result = encoding.codec->encode_utf16(policy, units, count, out, capacity);
    asking_ends();
    reply_encoded(id, &result, out, capacity);
}

void subject_boundaries(const char *id, char **fields)
{
    struct form encoding;
    uint8_t *bytes;
    size_t byte_count;
    if (!subject_form(fields[0], &encoding) || encoding.signature != NULL || encoding.codec->boundary == NULL)
        return reply_skip(id, "this encoding is not offered, or this codec does not know boundaries");
    if (!parse_bytes(&bytes_buffer, fields[1], &bytes, &byte_count))
        return reply_skip(id, "malformed HEX");
    printf("%s ok ", id);
    for (size_t i = 0; i <= byte_count; i++)
        printf("%s%zu", i > 0 ? "," : "", ask_boundary(encoding.codec, bytes, byte_count, i));
    putchar('\n');
}

void subject_to_well_formed(const char *id, char **fields)
{
    struct form encoding;
    enum assay_policy policy = assay_policy_parse(fields[1]);
    uint8_t *bytes;
    size_t byte_count;
    if (!subject_form(fields[0], &encoding) || encoding.signature != NULL || encoding.codec->to_well_formed == NULL)
        return reply_skip(id, "this encoding is not offered, or this codec does not make text well-formed");
    if (policy == ASSAY_POLICY_COUNT)
        return reply_skip(id, "there is no such policy");
    if (!parse_bytes(&bytes_buffer, fields[2], &bytes, &byte_count))
        return reply_skip(id, "malformed HEX");
    size_t capacity = ASSAY_ENCODED_MAX(byte_count);
    uint8_t *out = buffer_room(&output_buffer, capacity, 1);
    asking_directly(encoding.codec, (struct question){.operation = OP_TO_WELL_FORMED,
                                                      .policy = policy,
                                                      .input = bytes,
                                                      .input_count = byte_count,
                                                      .capacity = capacity});
    struct assay_result result = encoding.codec->to_well_formed(policy, bytes, byte_count, out, capacity);
    asking_ends();
    if (result.status == ASSAY_UNSUPPORTED)
        return reply_skip(id, "this policy is not offered for this encoding");
    if (is_done(&result, capacity))
        return reply_bytes(id, out, result.written);
    if (result.status != ASSAY_ILL_FORMED)
        return reply_bare_error(id);
    reply_error(id, &result.error);
}

/* Writes the reply to a conversion or a concatenation. */
static void reply_outcome(const char *id, enum outcome outcome)
{
    switch (outcome) {
    case CONVERTED: reply_bytes(id, converter.bytes, converter.byte_count); break;
    case INPUT_ILL_FORMED:
    case NOT_HELD: reply_error(id, &converter.error); break;
    case NOT_OFFERED: reply_skip(id, "this is not offered for this encoding"); break;
    default: reply_bare_error(id);
    }
}

void subject_transcode(const char *id, char **fields)
{
    struct form from, to;
    enum assay_policy policy = assay_policy_parse(fields[2]);
    uint8_t *bytes;
    size_t byte_count;
    if (!subject_form(fields[0], &from) || !subject_form(fields[1], &to) || to.signature != NULL)
        return reply_skip(id, "this pair of encodings is not offered");
    if (policy == ASSAY_POLICY_COUNT)
        return reply_skip(id, "there is no such policy");
    if (!parse_bytes(&bytes_buffer, fields[3], &bytes, &byte_count))
        return reply_skip(id, "malformed HEX");
    reply_outcome(id, convert(&converter, &from, &to, policy, bytes, byte_count));
}

void subject_concat(const char *id, char **fields)
{
    struct form encoding;
    char *comma = strchr(fields[1], ',');
    uint8_t *left, *right;
    size_t left_count, right_count;
    if (!subject_form(fields[0], &encoding) || encoding.signature != NULL)
        return reply_skip(id, "this encoding is not offered");
    if (comma == NULL || strchr(comma + 1, ',') != NULL)
        return reply_skip(id, "malformed HEX,HEX");
    *comma = '\0';
    if (!parse_bytes(&bytes_buffer, fields[1], &left, &left_count) ||
        !parse_bytes(&units_buffer, comma + 1, &right, &right_count))
        return reply_skip(id, "malformed HEX,HEX");
    enum outcome outcome = concatenate(&converter, encoding.codec, left, left_count, right, right_count);
    if (outcome == INPUT_ILL_FORMED)
        reply_bare_error(id); /* an offset would not say in which string it is */
    else
        reply_outcome(id, outcome);
}
