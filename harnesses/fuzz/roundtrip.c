/* SPDX-License-Identifier: MIT
 *
 * Claim: every codec encodes as the reference does, and decoding and encoding undo each other: well-formed
 * bytes come back from their code points and from their UTF-16, and any bytes come back through surrogateescape.
 */
#include "../core/claim.h"

#include <string.h>

enum { UNITS_MAX = 1024 };

/* Decodes with the reference, has every codec encode the outcome, and looks whether the bytes are back. */
static void there_and_back(struct examiner *examiner, enum assay_policy policy, bool utf16, const uint8_t *bytes,
                           size_t byte_count)
{
    static struct seat *decoding, *encoding;
    if (decoding == NULL) {
        decoding = seat_new();
        encoding = seat_new();
    }
    const struct assay_codec *reference = registry_reference(examiner->comparer.encoding);
    struct question question = {utf16 ? OP_DECODE_UTF16 : OP_DECODE_UTF32, policy, bytes, false, byte_count, 0, NULL, 0, 0};
    question.capacity = capacity_for(question.operation, byte_count);
    struct answer decoded = ask(decoding, reference, &question, AT_END);
    if (decoded.absent || decoded.result.status != ASSAY_OK)
        return;
    question.operation = utf16 ? OP_ENCODE_UTF16 : OP_ENCODE_UTF32;
    question.input = decoded.output;
    question.input_count = decoded.result.written;
    question.capacity = CAPACITY_ANY;
    compare(&examiner->comparer, &question);
    question.capacity = byte_count;
    struct answer encoded = ask(encoding, reference, &question, AT_END);
    bool back = encoded.result.status == ASSAY_OK && encoded.result.written == byte_count &&
                memcmp(encoded.output, bytes, byte_count) == 0;
    claim_law(examiner, utf16 ? "bytes-come-back-through-utf-16" : "bytes-come-back-through-utf-32", back, bytes,
              byte_count);
}

/* The input's bytes as code units: mostly sensible ones, but also what no encoding can hold. */
static void encode_units(struct comparer *comparer, enum assay_policy policy, bool utf16, const uint8_t *bytes,
                         size_t byte_count, struct dice *dice)
{
    static union {
        uint32_t utf32[UNITS_MAX];
        uint16_t utf16[UNITS_MAX];
    } units;
    size_t unit = utf16 ? 2 : 3, count = byte_count / unit < UNITS_MAX ? byte_count / unit : UNITS_MAX;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = bytes + i * unit;
        if (utf16)
            units.utf16[i] = (uint16_t)(at[0] | at[1] << 8);
        else
            units.utf32[i] = at[2] == 0xFF ? 0xFFFF0000u | at[0] : at[0] | (uint32_t)at[1] << 8 | (at[2] & 0x1Fu) << 16;
    }
    struct question question = {utf16 ? OP_ENCODE_UTF16 : OP_ENCODE_UTF32, policy, &units, false, count, CAPACITY_ANY, NULL, 0, 0};
    compare(comparer, &question);
    if (dice_roll(dice, 4) == 0) {
        question.capacity = dice_roll(dice, 3 * count + 2);
        compare(comparer, &question);
    }
}

static void check(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    struct dice dice = claim_begin(examiner, bytes, byte_count);
    if (examiner->effort == SAMPLED) {
        enum assay_policy policy = (enum assay_policy)dice_roll(&dice, ASSAY_POLICY_COUNT);
        bool utf16 = dice_roll(&dice, 2) == 0;
        switch (dice_roll(&dice, 3)) {
        case 0: there_and_back(examiner, ASSAY_POLICY_STRICT, utf16, bytes, byte_count); break;
        case 1: there_and_back(examiner, ASSAY_POLICY_SURROGATEESCAPE, utf16, bytes, byte_count); break;
        default: encode_units(&examiner->comparer, policy, utf16, bytes, byte_count, &dice);
        }
        return;
    }
    for (size_t utf16 = 0; utf16 < 2; utf16++) {
        there_and_back(examiner, ASSAY_POLICY_STRICT, utf16, bytes, byte_count);
        there_and_back(examiner, ASSAY_POLICY_SURROGATEESCAPE, utf16, bytes, byte_count);
        for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
            encode_units(&examiner->comparer, policy, utf16, bytes, byte_count, &dice);
    }
}

const struct claim claim_roundtrip = {
    "roundtrip", "every codec encodes as the reference does, and decoding and encoding undo each other", check};
