/* SPDX-License-Identifier: MIT */
#include "convert.h"
#include "question.h"
#include "utf16.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD, LEAD_FIRST = 0xD800, TRAIL_FIRST = 0xDC00, TRAIL_LAST = 0xDFFF };

static const struct signature signatures[] = {
    {"utf-8-sig", "utf-8", {0xEF, 0xBB, 0xBF}, 3},
    {"utf-16le-sig", "utf-16le", {0xFF, 0xFE}, 2},
    {"utf-16be-sig", "utf-16be", {0xFE, 0xFF}, 2},
};
enum { SIGNATURE_COUNT = sizeof signatures / sizeof signatures[0] };

const struct signature *signature_find(const char *name)
{
    for (size_t i = 0; i < SIGNATURE_COUNT; i++)
        if (strcmp(signatures[i].name, name) == 0)
            return &signatures[i];
    return NULL;
}

const struct signature *signature_of(const char *encoding)
{
    for (size_t i = 0; i < SIGNATURE_COUNT; i++)
        if (strcmp(signatures[i].encoding, encoding) == 0)
            return &signatures[i];
    return NULL;
}

bool signature_begins(const struct signature *signature, const uint8_t *bytes, size_t byte_count)
{
    return signature != NULL && byte_count >= signature->byte_count &&
           memcmp(bytes, signature->bytes, signature->byte_count) == 0;
}

bool form_find(const char *encoding, const char *codec, struct form *form)
{
    form->signature = signature_find(encoding);
    if (form->signature != NULL)
        encoding = form->signature->encoding;
    const struct registry_row *row = registry_find(encoding, codec);
    form->codec = row != NULL && registry_runs(row) ? row->codec : registry_reference(encoding);
    return form->codec != NULL;
}

/* By the name, because this function is called more often than any other: utf-16le, utf-16be, wtf-16le, wtf-16be. */
bool encoding_is_utf16(const struct assay_codec *codec)
{
    return strcmp(codec->encoding, "") != 0 && strncmp(codec->encoding + 1, "tf-16", strlen("tf-16")) == 0;
}

bool encoding_holds_surrogates(const struct assay_codec *codec)
{
    const struct assay_codec *reference = registry_reference(codec->encoding);
    const uint32_t surrogate = LEAD_FIRST;
    uint8_t out[ASSAY_ENCODED_MAX(1)];
    return reference->encode_utf32(ASSAY_POLICY_STRICT, &surrogate, 1, out, sizeof out).status == ASSAY_OK;
}

bool spelling_is_canonical(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count)
{
    static const struct {
        const char *encoding, *canonical; /* and the encoding that accepts only the spelling that it writes itself */
    } rows[] = {{"generalized-utf-8", "wtf-8"}, {"mutf-8-readutf", "mutf-8"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].encoding, codec->encoding) == 0)
            return registry_reference(rows[i].canonical)->validate(bytes, byte_count, NULL);
    return true;
}

/* True if two adjacent surrogates remain two characters. */
static bool keeps_pairs(const struct assay_codec *codec)
{
    return strcmp(codec->encoding, "generalized-utf-8") == 0;
}

bool has_surrogate_pair(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count)
{
    return keeps_pairs(codec) && !spelling_is_canonical(codec, bytes, byte_count);
}

/* ---- memory ------------------------------------------------------------------------------------- */

static uint8_t *room_for_bytes(struct converter *converter, size_t byte_count)
{
    return converter->bytes = arena_at(&converter->output, byte_count, converter->placement);
}

static void *room_for_units(struct converter *converter, size_t unit_count, size_t unit_size)
{
    return arena_at(&converter->units, unit_count * unit_size, converter->placement);
}

static uint32_t *room_for_points(struct converter *converter, size_t count)
{
    return (void *)arena_at(&converter->points, count * sizeof(uint32_t), converter->placement);
}

void converter_end(struct converter *converter)
{
    arena_release(&converter->output);
    arena_release(&converter->units);
    arena_release(&converter->points);
    *converter = (struct converter){.placement = converter->placement};
}

/* ---- decoding and encoding, in either form --------------------------------------------------------- */

/* Code points, or UTF-16 units. */
struct text {
    void *units;
    size_t count, capacity;
    bool is_utf16;
};

static struct assay_result decode(const struct assay_codec *codec, enum assay_policy policy, const uint8_t *bytes,
                                  size_t byte_count, const struct text *text, size_t capacity)
{
    asking_directly(codec, (struct question){.operation = text->is_utf16 ? OP_DECODE_UTF16 : OP_DECODE_UTF32,
                                             .policy = policy,
                                             .input = bytes,
                                             .input_count = byte_count,
                                             .capacity = capacity});
    struct assay_result result = text->is_utf16 ? codec->decode_utf16(policy, bytes, byte_count, text->units, capacity)
                                                : codec->decode_utf32(policy, bytes, byte_count, text->units, capacity);
    asking_ends();
    return result;
}

static struct assay_result encode(const struct assay_codec *codec, enum assay_policy policy, const struct text *text,
                                  uint8_t *out, size_t capacity)
{
    asking_directly(codec, (struct question){.operation = text->is_utf16 ? OP_ENCODE_UTF16 : OP_ENCODE_UTF32,
                                             .policy = policy,
                                             .input = text->units,
                                             .input_count = text->count,
                                             .capacity = capacity});
    struct assay_result result = text->is_utf16 ? codec->encode_utf16(policy, text->units, text->count, out, capacity)
                                                : codec->encode_utf32(policy, text->units, text->count, out, capacity);
    asking_ends();
    return result;
}

/* True if the known figures of an error are possible: at least one unit, within the input. */
static bool is_within(const struct assay_span *error, size_t count)
{
    if (error->length == 0)
        return false;
    if (error->offset == ASSAY_UNKNOWN)
        return true;
    return error->offset < count && (error->length == ASSAY_UNKNOWN || error->length <= count - error->offset);
}

/* Returns the outcome that a codec's result means, for an input and a capacity of these sizes. */
static enum outcome outcome_of(const struct assay_result *result, size_t count, size_t capacity)
{
    if (result->status == ASSAY_UNSUPPORTED)
        return NOT_OFFERED;
    if (result->written > capacity)
        return CONTRACT_BROKEN;
    if (result->status == ASSAY_ILL_FORMED && is_within(&result->error, count))
        return INPUT_ILL_FORMED;
    return result->status == ASSAY_OK ? CONVERTED : CONTRACT_BROKEN;
}

static bool is_surrogate(uint32_t unit)
{
    return unit >= LEAD_FIRST && unit <= TRAIL_LAST;
}

bool encoding_is_big_endian(const struct assay_codec *codec)
{
    return encoding_is_utf16(codec) && codec->encoding[strlen("utf-16")] == 'b';
}

/* Writes the policy's output for an odd last byte, which is the only error of potentially ill-formed UTF-16. */
static enum outcome replace_odd_byte(struct text *text, enum assay_policy policy, size_t at, struct assay_span *error)
{
    if (policy == ASSAY_POLICY_STRICT) {
        *error = (struct assay_span){at, 1, ASSAY_FAULT_TRUNCATED, true};
        return INPUT_ILL_FORMED;
    }
    if (policy != ASSAY_POLICY_SKIP)
        ((uint16_t *)text->units)[text->count++] = REPLACEMENT;
    return CONVERTED;
}

/* Decodes potentially ill-formed UTF-16: an unpaired surrogate, which the codec refuses, is kept as a unit. */
static enum outcome decode_any_units(const struct assay_codec *codec, enum assay_policy policy, const uint8_t *bytes,
                                     size_t byte_count, struct text *text, struct assay_span *error)
{
    uint16_t *units = text->units;
    bool big_endian = encoding_is_big_endian(codec);
    if (decode(codec, policy, bytes, 0, text, text->capacity).status == ASSAY_UNSUPPORTED)
        return NOT_OFFERED;
    for (size_t left = byte_count;;) {
        size_t capacity = text->capacity - text->count;
        struct text rest = {.units = units + text->count, .is_utf16 = true};
        struct assay_result decoded = decode(codec, ASSAY_POLICY_STRICT, bytes, left, &rest, capacity);
        enum outcome outcome = outcome_of(&decoded, left, capacity);
        if (outcome != INPUT_ILL_FORMED && outcome != CONVERTED)
            return outcome;
        text->count += decoded.written;
        if (outcome == CONVERTED)
            return CONVERTED;
        if (decoded.read >= left) /* the error begins there, even if the codec does not report its offset */
            return CONTRACT_BROKEN;
        bytes += decoded.read;
        left -= decoded.read;
        if (left == 1)
            return replace_odd_byte(text, policy, byte_count - left, error);
        uint16_t unit = (uint16_t)(bytes[big_endian] | bytes[!big_endian] << 8);
        if (!is_surrogate(unit) || text->count == text->capacity)
            return CONTRACT_BROKEN;
        units[text->count++] = unit;
        bytes += 2;
        left -= 2;
    }
}

/* The reverse: encodes potentially ill-formed UTF-16. */
static enum outcome encode_any_units(const struct assay_codec *codec, const struct text *text, uint8_t *out,
                                     size_t capacity, size_t *written)
{
    uint16_t *units = text->units;
    bool big_endian = encoding_is_big_endian(codec);
    *written = 0;
    for (size_t at = 0;;) {
        struct text rest = {.units = units + at, .count = text->count - at, .is_utf16 = true};
        struct assay_result encoded = encode(codec, ASSAY_POLICY_STRICT, &rest, out + *written, capacity - *written);
        enum outcome outcome = outcome_of(&encoded, text->count - at, capacity - *written);
        if (outcome != INPUT_ILL_FORMED && outcome != CONVERTED)
            return outcome;
        *written += encoded.written;
        if (outcome == CONVERTED)
            return CONVERTED;
        if (encoded.read >= text->count - at)
            return CONTRACT_BROKEN;
        at += encoded.read;
        uint16_t unit = units[at++];
        if (!is_surrogate(unit) || capacity - *written < 2)
            return CONTRACT_BROKEN;
        out[*written + big_endian] = (uint8_t)unit;
        out[*written + !big_endian] = (uint8_t)(unit >> 8);
        *written += 2;
    }
}

/* ---- conversion ------------------------------------------------------------------------------------- */

/* True if UTF-16 keeps unpaired surrogates in this conversion: as the target, if the other encoding has surrogates; as
 * the source, always (an encoding without surrogates gives them only for escaped bytes). */
static bool decodes_any_units(const struct assay_codec *from, const struct assay_codec *to)
{
    return encoding_is_utf16(from) && encoding_holds_surrogates(to);
}

static bool encodes_any_units(const struct assay_codec *from, const struct assay_codec *to)
{
    return encoding_is_utf16(to) && !encoding_is_utf16(from);
}

/* Returns the place in the input of the unit that the other encoding cannot hold. It begins where decoding stops with
 * room for the units before it only, and ends where decoding stops with room for it, too (the output of an error is
 * written whole or not at all). Unknown if one of the two codecs does not report it. */
static struct assay_span locate(const struct assay_codec *codec, enum assay_policy policy, const uint8_t *bytes,
                                size_t byte_count, const struct text *text, const struct assay_span *unit)
{
    if (unit->offset == ASSAY_UNKNOWN)
        return (struct assay_span){ASSAY_UNKNOWN, ASSAY_UNKNOWN, unit->fault, false};
    size_t begin = decode(codec, policy, bytes, byte_count, text, unit->offset).read, end = begin;
    for (size_t more = 1; more <= ASSAY_HELD_MAX && end == begin; more++)
        end = decode(codec, policy, bytes, byte_count, text, unit->offset + more).read;
    if (begin >= end || end > byte_count)
        return (struct assay_span){ASSAY_UNKNOWN, ASSAY_UNKNOWN, unit->fault, false};
    return (struct assay_span){begin, end - begin, unit->fault, false};
}

/* True if the reference encodes under the policy, so that the policy has a meaning in the encoding. */
static bool is_policy_of(const struct assay_codec *codec, enum assay_policy policy)
{
    return codec_offers(registry_reference(codec->encoding), OP_ENCODE_UTF32, policy);
}

/* Encodes under a policy. Policies that describe decoders of UTF-8 mean no more for encoding than to replace, or to
 * give bytes back and stop. If one codec lacks a policy that others have, the conversion is not offered. */
static struct assay_result encode_under(const struct assay_codec *codec, enum assay_policy policy,
                                        const struct text *text, uint8_t *out, size_t capacity)
{
    struct assay_result result = encode(codec, policy, text, out, capacity);
    if (result.status == ASSAY_UNSUPPORTED && !is_policy_of(codec, policy))
        result = encode(codec, policy == ASSAY_POLICY_SURROGATEESCAPE ? ASSAY_POLICY_STRICT : ASSAY_POLICY_WHATWG, text,
                        out, capacity);
    return result;
}

static bool is_pair(uint32_t first, uint32_t second)
{
    return first >= LEAD_FIRST && first < TRAIL_FIRST && second >= TRAIL_FIRST && second <= TRAIL_LAST;
}

/* Writes code points as units. A trail that follows a lead is replaced or left out. */
static void write_without_pairs(struct text *text, enum assay_policy policy, const uint32_t *points, size_t count)
{
    uint16_t *units = text->units;
    text->count = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_error = i > 0 && is_pair(points[i - 1], points[i]);
        uint32_t point = is_error ? REPLACEMENT : points[i];
        if (is_error && policy == ASSAY_POLICY_SKIP)
            continue;
        text->count += utf16_write(point, units + text->count);
    }
}

/* Handles pairs of surrogate code points, which in `text`, decoded to units, look like other characters: each trail is
 * an error (WTF-8, section 4.1, leaves this to the converter). */
static enum outcome replace_pairs(struct converter *converter, const struct assay_codec *from, enum assay_policy policy,
                                  const uint8_t *bytes, size_t byte_count, struct text *text)
{
    if (from->decode_utf32 == NULL)
        return NOT_OFFERED;
    size_t capacity = ASSAY_DECODED_MAX(byte_count), pair = 1;
    uint32_t *points = room_for_points(converter, capacity);
    struct text in_points = {.units = points, .capacity = capacity};
    struct assay_result decoded = decode(from, policy, bytes, byte_count, &in_points, capacity);
    if (outcome_of(&decoded, byte_count, capacity) != CONVERTED)
        return outcome_of(&decoded, byte_count, capacity);
    while (pair < decoded.written && !is_pair(points[pair - 1], points[pair]))
        pair++;
    if (pair >= decoded.written)
        return CONVERTED;
    if (policy != ASSAY_POLICY_STRICT) {
        write_without_pairs(text, policy, points, decoded.written);
        return CONVERTED;
    }
    converter->error = locate(from, policy, bytes, byte_count, &in_points,
                              &(struct assay_span){pair, 1, ASSAY_FAULT_SURROGATE_PAIR, false});
    return NOT_HELD;
}

static bool offers(const struct assay_codec *from, const struct assay_codec *to, bool as_utf16)
{
    return as_utf16 ? from->decode_utf16 != NULL && to->encode_utf16 != NULL
                    : from->decode_utf32 != NULL && to->encode_utf32 != NULL;
}

static enum outcome convert_text(struct converter *converter, const struct assay_codec *from,
                                 const struct assay_codec *to, enum assay_policy policy, const uint8_t *bytes,
                                 size_t byte_count)
{
    struct text text = {.is_utf16 = encoding_is_utf16(from) || encoding_is_utf16(to),
                        .capacity = ASSAY_DECODED_MAX(byte_count)};
    if (!offers(from, to, text.is_utf16))
        return NOT_OFFERED;
    text.units = room_for_units(converter, text.capacity, text.is_utf16 ? sizeof(uint16_t) : sizeof(uint32_t));
    if (decodes_any_units(from, to)) {
        enum outcome outcome = decode_any_units(from, policy, bytes, byte_count, &text, &converter->error);
        if (outcome != CONVERTED)
            return outcome;
    } else {
        struct assay_result decoded = decode(from, policy, bytes, byte_count, &text, text.capacity);
        converter->error = decoded.error;
        if (outcome_of(&decoded, byte_count, text.capacity) != CONVERTED)
            return outcome_of(&decoded, byte_count, text.capacity);
        text.count = decoded.written;
    }

    if (keeps_pairs(from) && encodes_any_units(from, to)) {
        enum outcome outcome = replace_pairs(converter, from, policy, bytes, byte_count, &text);
        if (outcome != CONVERTED)
            return outcome;
    }

    size_t capacity = ASSAY_ENCODED_MAX(text.count);
    uint8_t *out = room_for_bytes(converter, capacity);
    if (encodes_any_units(from, to))
        return encode_any_units(to, &text, out, capacity, &converter->byte_count);
    struct assay_result encoded = encode_under(to, policy, &text, out, capacity);
    converter->byte_count = encoded.written;
    if (outcome_of(&encoded, text.count, capacity) != INPUT_ILL_FORMED)
        return outcome_of(&encoded, text.count, capacity);
    converter->error = locate(from, policy, bytes, byte_count, &text, &encoded.error);
    return NOT_HELD;
}

enum outcome convert(struct converter *converter, const struct form *from, const struct form *to,
                     enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    size_t skipped = signature_begins(from->signature, bytes, byte_count) ? from->signature->byte_count : 0;
    converter->error = (struct assay_span){0};
    enum outcome outcome = convert_text(converter, from->codec, to->codec, policy,
                                        skipped > 0 ? bytes + skipped : bytes, byte_count - skipped);
    if (converter->error.offset != ASSAY_UNKNOWN)
        converter->error.offset += skipped;
    return outcome;
}

/* ---- concatenation ------------------------------------------------------------------------------------ */

/* `strict` decodes all of a well-formed text, or reports an error. */
static enum outcome outcome_of_strict(const struct assay_result *result)
{
    return result->status == ASSAY_UNSUPPORTED ? NOT_OFFERED : CONTRACT_BROKEN;
}

/* Decodes both strings to UTF-16, concatenates these, and encodes the result: that is the definition if surrogates join
 * (WTF-8, section 6.5). */
static enum outcome concatenate_through_utf16(struct converter *converter, const struct assay_codec *codec,
                                              const uint8_t *left, size_t left_count, const uint8_t *right,
                                              size_t right_count)
{
    size_t capacity = ASSAY_DECODED_MAX(left_count) + ASSAY_DECODED_MAX(right_count);
    uint16_t *units = room_for_units(converter, capacity, sizeof *units);
    struct text text = {.units = units, .is_utf16 = true};
    struct assay_result first = decode(codec, ASSAY_POLICY_STRICT, left, left_count, &text, capacity);
    if (outcome_of(&first, left_count, capacity) != CONVERTED)
        return outcome_of_strict(&first);
    text.units = units + first.written;
    struct assay_result second =
        decode(codec, ASSAY_POLICY_STRICT, right, right_count, &text, capacity - first.written);
    if (outcome_of(&second, right_count, capacity - first.written) != CONVERTED)
        return outcome_of_strict(&second);
    text = (struct text){.units = units, .count = first.written + second.written, .is_utf16 = true};
    size_t room = ASSAY_ENCODED_MAX(text.count);
    struct assay_result encoded = encode(codec, ASSAY_POLICY_STRICT, &text, room_for_bytes(converter, room), room);
    converter->byte_count = encoded.written;
    return outcome_of(&encoded, text.count, room) == CONVERTED ? CONVERTED : outcome_of_strict(&encoded);
}

/* For a codec without `concat`: the bytes one after the other, if they are well-formed; else joins the strings by way
 * of UTF-16. */
static enum outcome concatenate_without_concat(struct converter *converter, const struct assay_codec *codec,
                                               const uint8_t *left, size_t left_count, const uint8_t *right,
                                               size_t right_count)
{
    if (codec->validate == NULL || codec->decode_utf16 == NULL || codec->encode_utf16 == NULL)
        return NOT_OFFERED;
    if (!ask_well_formed(codec, left, left_count, &converter->error) ||
        !ask_well_formed(codec, right, right_count, &converter->error))
        return INPUT_ILL_FORMED;
    uint8_t *out = room_for_bytes(converter, left_count + right_count);
    if (left_count > 0)
        memcpy(out, left, left_count);
    if (right_count > 0)
        memcpy(out + left_count, right, right_count);
    converter->byte_count = left_count + right_count;
    return ask_well_formed(codec, out, converter->byte_count, NULL)
               ? CONVERTED
               : concatenate_through_utf16(converter, codec, left, left_count, right, right_count);
}

enum outcome concatenate(struct converter *converter, const struct assay_codec *codec, const uint8_t *left,
                         size_t left_count, const uint8_t *right, size_t right_count)
{
    if (codec->concat == NULL)
        return concatenate_without_concat(converter, codec, left, left_count, right, right_count);
    size_t capacity = left_count + right_count;
    uint8_t *out = room_for_bytes(converter, capacity);
    asking_directly(codec, (struct question){
                               .operation = OP_CONCAT, .input = left, .input_count = left_count, .capacity = capacity});
    struct assay_result joined = codec->concat(left, left_count, right, right_count, out, capacity);
    asking_ends();
    converter->byte_count = joined.written;
    converter->error = joined.error;
    return outcome_of(&joined, capacity, capacity);
}
