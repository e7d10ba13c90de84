/* SPDX-License-Identifier: MIT
 *
 * Claim: every codec encodes as the reference does, and encoding undoes decoding. Well-formed bytes come back from
 * their code points and from their UTF-16; any bytes come back through surrogateescape. Where an encoding has more than
 * one spelling of a text, the text comes back, not the bytes.
 */
#include "../core/arena.h"
#include "../core/claim.h"
#include "../core/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Asks with room for the whole output. */
static struct answer ask_with_room(struct seat *seat, const struct assay_codec *codec, struct question question)
{
    question.capacity = capacity_for(question.operation, question.input_count);
    return ask(seat, codec, &question, AT_END);
}

static bool is_same(const struct answer *answer, const void *units, size_t size)
{
    return answer->result.status == ASSAY_OK && (size == 0 || memcmp(answer->output, units, size) == 0);
}

/* Decodes and encodes with one codec and compares the bytes; decodes again and compares the text. The reference's
 * decoded text is also encoded by every other codec. */
static void check_round_trip(struct examiner *examiner, const struct assay_codec *codec, enum assay_policy policy,
                             bool utf16, const uint8_t *bytes, size_t byte_count)
{
    static struct seat *decoding, *encoding, *again;
    if (decoding == NULL) {
        decoding = seat_new();
        encoding = seat_new();
        again = seat_new();
    }
    const struct question decode = {.operation = utf16 ? OP_DECODE_UTF16 : OP_DECODE_UTF32,
                                    .policy = policy,
                                    .input = bytes,
                                    .input_count = byte_count,
                                    .capacity = CAPACITY_ANY};
    struct breach breach = {.codec = codec, .bytes = bytes, .byte_count = byte_count, .question = &decode};
    struct answer decoded = ask_with_room(decoding, codec, decode);
    bool stopped = decoded.result.status != ASSAY_OK;
    claim_skip_absent(examiner, &decoded, decode.operation, policy);
    if (!answer_is_usable(&decoded))
        return;
    breach.law = LAW_ROUNDTRIP_STOPS;
    claim_law(examiner, !stopped || policy == ASSAY_POLICY_STRICT, &breach);
    if (stopped)
        return;
    struct question question = {.operation = utf16 ? OP_ENCODE_UTF16 : OP_ENCODE_UTF32,
                                .policy = policy,
                                .input = decoded.output,
                                .input_count = decoded.result.written,
                                .capacity = CAPACITY_ANY};
    if (codec == examiner->comparer.panel[0])
        compare(&examiner->comparer, &question);
    struct answer encoded = ask_with_room(encoding, codec, question);
    claim_skip_absent(examiner, &encoded, question.operation, policy);
    if (!answer_is_usable(&encoded))
        return;
    bool back = encoded.result.written == byte_count && is_same(&encoded, bytes, byte_count);
    breach.law = utf16 ? LAW_BYTES_BY_UTF16 : LAW_BYTES_BY_UTF32;
    if (spelling_is_canonical(codec, bytes, byte_count))
        claim_law(examiner, back, &breach);

    question = decode;
    question.input = encoded.output;
    question.input_count = encoded.result.written;
    struct answer repeated = ask_with_room(again, codec, question);
    if (!answer_is_usable(&repeated))
        return;
    size_t unit = operation_output_unit(question.operation);
    bool same = repeated.result.written == decoded.result.written &&
                is_same(&repeated, decoded.output, repeated.result.written * unit);
    breach.law = utf16 ? LAW_TEXT_IN_UTF16 : LAW_TEXT_IN_UTF32;
    claim_law(examiner, same, &breach);
}

static void check_round_trips(struct examiner *examiner, enum assay_policy policy, bool utf16, const uint8_t *bytes,
                              size_t byte_count)
{
    for (size_t i = 0; i < claim_codec_count(examiner); i++)
        check_round_trip(examiner, examiner->comparer.panel[i], policy, utf16, bytes, byte_count);
}

/* Memory for `count` units, kept from call to call. */
static void *room_for_units(size_t count)
{
    static void *memory;
    static size_t capacity;
    if (memory == NULL || count > capacity) {
        capacity = 2 * count + 64;
        free(memory);
        memory = malloc(capacity * sizeof(uint32_t));
    }
    if (memory == NULL)
        arena_fail(capacity * sizeof(uint32_t));
    return memory;
}

/* Reads the input as code units: most are valid, some are values that no encoding can hold. */
static size_t read_units(bool utf16, const uint8_t *bytes, size_t byte_count, void *units)
{
    size_t unit = utf16 ? 2 : 3, count = byte_count / unit;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = bytes + i * unit;
        if (utf16)
            ((uint16_t *)units)[i] = (uint16_t)(at[0] | at[1] << 8);
        else
            ((uint32_t *)units)[i] =
                at[2] == 0xFF ? 0xFFFF0000u | at[0] : at[0] | (uint32_t)at[1] << 8 | (at[2] & 0x1Fu) << 16;
    }
    return count;
}

/* Encodes with all the room that is needed, and `little` times with less. */
static void encode_units(struct comparer *comparer, enum assay_policy policy, bool utf16, const uint8_t *bytes,
                         size_t byte_count, struct dice *dice, size_t little)
{
    void *units = room_for_units(byte_count);
    size_t count = read_units(utf16, bytes, byte_count, units);
    struct question question = {.operation = utf16 ? OP_ENCODE_UTF16 : OP_ENCODE_UTF32,
                                .policy = policy,
                                .input = units,
                                .input_count = count,
                                .capacity = CAPACITY_ANY};
    compare(comparer, &question);
    for (; little > 0; little--) {
        question.capacity = dice_roll(dice, 3 * count + 2);
        compare(comparer, &question);
    }
}

static void check(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    enum { LITTLE_ROOMS = 4 };
    struct dice dice = claim_begin(examiner, bytes, byte_count);
    if (examiner->effort == SAMPLED) {
        enum assay_policy policy = claim_policy(examiner, &dice);
        bool utf16 = dice_roll(&dice, 2) == 0;
        switch (dice_roll(&dice, 3)) {
        case 0: check_round_trips(examiner, ASSAY_POLICY_STRICT, utf16, bytes, byte_count); break;
        case 1: check_round_trips(examiner, ASSAY_POLICY_SURROGATEESCAPE, utf16, bytes, byte_count); break;
        default: encode_units(&examiner->comparer, policy, utf16, bytes, byte_count, &dice, dice_roll(&dice, 4) == 0);
        }
        return;
    }
    for (size_t utf16 = 0; utf16 < 2; utf16++) {
        check_round_trips(examiner, ASSAY_POLICY_STRICT, utf16, bytes, byte_count);
        check_round_trips(examiner, ASSAY_POLICY_SURROGATEESCAPE, utf16, bytes, byte_count);
        for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
            encode_units(&examiner->comparer, policy, utf16, bytes, byte_count, &dice, LITTLE_ROOMS);
    }
}

const struct claim claim_roundtrip = {
    "roundtrip", "every codec encodes as the reference does, and decoding and encoding undo each other", check};
