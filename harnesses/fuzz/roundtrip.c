/* SPDX-License-Identifier: MIT
 *
 * Claim: every codec encodes as the reference does, and decoding and encoding undo each other: well-formed
 * bytes come back from their code points and from their UTF-16, and any bytes come back through surrogateescape.
 * Where an encoding has more than one spelling of a text, it is the text that comes back.
 */
#include "../core/claim.h"
#include "../core/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes through the reference, one way or the other, with room for all. */
static struct answer ask_reference(struct seat *seat, const struct assay_codec *reference, struct question question)
{
    question.capacity = capacity_for(question.operation, question.input_count);
    return ask(seat, reference, &question, AT_END);
}

static bool is_same(const struct answer *answer, const void *units, size_t size)
{
    return answer->result.status == ASSAY_OK && (size == 0 || memcmp(answer->output, units, size) == 0);
}

/* Decodes with the reference, has every codec encode the outcome, and looks whether the bytes are back; decodes once
 * more, and looks whether the text is. */
static void there_and_back(struct examiner *examiner, enum assay_policy policy, bool utf16, const uint8_t *bytes,
                           size_t byte_count)
{
    static struct seat *decoding, *encoding, *again;
    if (decoding == NULL) {
        decoding = seat_new();
        encoding = seat_new();
        again = seat_new();
    }
    const struct assay_codec *reference = registry_reference(examiner->comparer.encoding);
    struct question question = {utf16 ? OP_DECODE_UTF16 : OP_DECODE_UTF32, policy, bytes, false, byte_count, 0, NULL, 0, 0};
    struct answer decoded = ask_reference(decoding, reference, question);
    bool stopped = decoded.result.status != ASSAY_OK;
    if (decoded.absent)
        return;
    claim_law(examiner, reference, "only-strict-stops", !stopped || policy == ASSAY_POLICY_STRICT, bytes, byte_count);
    if (stopped)
        return;
    question = (struct question){.operation = utf16 ? OP_ENCODE_UTF16 : OP_ENCODE_UTF32, .policy = policy, .input = decoded.output,
                                 .input_count = decoded.result.written, .capacity = CAPACITY_ANY};
    compare(&examiner->comparer, &question);
    struct answer encoded = ask_reference(encoding, reference, question);
    bool back = encoded.result.written == byte_count && is_same(&encoded, bytes, byte_count);
    if (spelling_is_canonical(reference, bytes, byte_count))
        claim_law(examiner, reference, utf16 ? "bytes-come-back-through-utf-16" : "bytes-come-back-through-utf-32", back, bytes,
                  byte_count);

    question = (struct question){.operation = utf16 ? OP_DECODE_UTF16 : OP_DECODE_UTF32, .policy = policy, .input = encoded.output,
                                 .input_count = encoded.result.written};
    struct answer repeated = ask_reference(again, reference, question);
    size_t unit = operation_output_unit(question.operation);
    bool same = repeated.result.written == decoded.result.written && is_same(&repeated, decoded.output, repeated.result.written * unit);
    claim_law(examiner, reference, utf16 ? "text-comes-back-in-utf-16" : "text-comes-back-in-utf-32", same, bytes, byte_count);
}

/* Room for as many units as any input has had, once for all. */
static void *room_for_units(size_t count)
{
    static void *memory;
    static size_t capacity;
    if (memory == NULL || count > capacity) {
        capacity = 2 * count + 64;
        free(memory);
        memory = malloc(capacity * sizeof(uint32_t));
    }
    if (memory == NULL) {
        fputs("assay: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

/* The input's bytes as code units: mostly sensible ones, but also what no encoding can hold. */
static size_t read_units(bool utf16, const uint8_t *bytes, size_t byte_count, void *units)
{
    size_t unit = utf16 ? 2 : 3, count = byte_count / unit;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = bytes + i * unit;
        if (utf16)
            ((uint16_t *)units)[i] = (uint16_t)(at[0] | at[1] << 8);
        else
            ((uint32_t *)units)[i] = at[2] == 0xFF ? 0xFFFF0000u | at[0] : at[0] | (uint32_t)at[1] << 8 | (at[2] & 0x1Fu) << 16;
    }
    return count;
}

/* With as much room as is needed, and `little` times with less. */
static void encode_units(struct comparer *comparer, enum assay_policy policy, bool utf16, const uint8_t *bytes,
                         size_t byte_count, struct dice *dice, size_t little)
{
    void *units = room_for_units(byte_count);
    size_t count = read_units(utf16, bytes, byte_count, units);
    struct question question = {.operation = utf16 ? OP_ENCODE_UTF16 : OP_ENCODE_UTF32, .policy = policy, .input = units,
                                .input_count = count, .capacity = CAPACITY_ANY};
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
        case 0: there_and_back(examiner, ASSAY_POLICY_STRICT, utf16, bytes, byte_count); break;
        case 1: there_and_back(examiner, ASSAY_POLICY_SURROGATEESCAPE, utf16, bytes, byte_count); break;
        default: encode_units(&examiner->comparer, policy, utf16, bytes, byte_count, &dice,
                              dice_roll(&dice, 4) == 0);
        }
        return;
    }
    for (size_t utf16 = 0; utf16 < 2; utf16++) {
        there_and_back(examiner, ASSAY_POLICY_STRICT, utf16, bytes, byte_count);
        there_and_back(examiner, ASSAY_POLICY_SURROGATEESCAPE, utf16, bytes, byte_count);
        for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
            encode_units(&examiner->comparer, policy, utf16, bytes, byte_count, &dice, LITTLE_ROOMS);
    }
}

const struct claim claim_roundtrip = {
    "roundtrip", "every codec encodes as the reference does, and decoding and encoding undo each other", check};
