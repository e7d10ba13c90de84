/* SPDX-License-Identifier: MIT
 *
 * Theorem `characters`: every sequence that the rows have, decoded. The step of the rules finds the sequences, byte by
 * byte. They are decoded many at a time, each followed by A.
 */
#include "theorems.h"
#include "../../core/utf16.h"

#include <string.h>

enum { BATCH = 256, BATCH_BYTES = BATCH * (RULE_BYTES_MAX + 2) };

struct batch {
    struct proof *proof;
    uint8_t letter[2]; /* A */
    size_t letter_count;
    uint8_t bytes[BATCH_BYTES];
    size_t byte_count;
    uint32_t code_points[2 * BATCH];
    size_t count;
};

static bool is_letter(const struct rules *rules, const uint8_t *bytes, size_t byte_count)
{
    struct rule_step step = rules->step(bytes, byte_count, true, false);
    return step.fault == ASSAY_FAULT_NONE && step.code_point == 'A' && step.length == byte_count;
}

static void find_letter(struct batch *batch)
{
    static const uint8_t spellings[][2] = {{'A', 0}, {'A', 0}, {0, 'A'}};
    static const size_t lengths[] = {1, 2, 2};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        if (is_letter(batch->proof->rules, spellings[i], lengths[i])) {
            memcpy(batch->letter, spellings[i], lengths[i]);
            batch->letter_count = lengths[i];
            return;
        }
    cli_fail("the rules of %s have no letter A", batch->proof->rules->encoding);
}

static bool has_units(const struct batch *batch, const uint16_t *units, size_t count)
{
    size_t at = 0;
    for (size_t i = 0; i < batch->count; i++) {
        uint16_t expected[2];
        size_t length = utf16_write(batch->code_points[i], expected);
        if (at + length > count || memcmp(units + at, expected, length * sizeof *units) != 0)
            return false;
        at += length;
    }
    return at == count;
}

static const char *unlike(const struct batch *batch)
{
    struct proof *proof = batch->proof;
    const struct assay_codec *codec = proof->codec;
    uint32_t utf32[BATCH_BYTES];
    uint16_t utf16[BATCH_BYTES];
    note_asked(proof, "validate", batch->bytes, batch->byte_count);
    if (codec->validate != NULL && !codec->validate(batch->bytes, batch->byte_count, NULL))
        return "the verdict";
    note_asked(proof, "decode-utf32", batch->bytes, batch->byte_count);
    if (codec->decode_utf32 != NULL) {
        struct assay_result result =
            codec->decode_utf32(ASSAY_POLICY_STRICT, batch->bytes, batch->byte_count, utf32, BATCH_BYTES);
        if (result.status != ASSAY_OK || result.written != batch->count ||
            memcmp(utf32, batch->code_points, batch->count * sizeof *utf32) != 0)
            return "the output in UTF-32";
    }
    note_asked(proof, "decode-utf16", batch->bytes, batch->byte_count);
    if (codec->decode_utf16 != NULL) {
        struct assay_result result =
            codec->decode_utf16(ASSAY_POLICY_STRICT, batch->bytes, batch->byte_count, utf16, BATCH_BYTES);
        if (result.status != ASSAY_OK || !has_units(batch, utf16, result.written))
            return "the output in UTF-16";
    }
    return NULL;
}

static bool end_batch(struct batch *batch)
{
    const char *what = batch->count == 0 ? NULL : unlike(batch);
    if (what != NULL)
        return refute_on(batch->proof, batch->bytes, batch->byte_count, what);
    batch->byte_count = batch->count = 0;
    return true;
}

static bool add_character(struct batch *batch, const uint8_t *bytes, const struct rule_step *step)
{
    memcpy(batch->bytes + batch->byte_count, bytes, step->length);
    memcpy(batch->bytes + batch->byte_count + step->length, batch->letter, batch->letter_count);
    batch->byte_count += step->length + batch->letter_count;
    batch->code_points[batch->count++] = step->code_point;
    batch->code_points[batch->count++] = 'A';
    batch->proof->cases++;
    return batch->count < 2 * BATCH || end_batch(batch);
}

/* True if these bytes are a character, or may begin one. */
static bool is_under_way(const struct rules *rules, const uint8_t *bytes, size_t byte_count)
{
    struct rule_step step = rules->step(bytes, byte_count, false, false);
    return step.length == byte_count && (step.fault == ASSAY_FAULT_NONE || step.fault == ASSAY_FAULT_TRUNCATED);
}

/* Adds all characters that begin with these bytes. Bytes of one kind lead to the same, so only one of a kind is tried
 * before the last. */
static bool add_characters_of(struct batch *batch, uint8_t *bytes, size_t byte_count)
{
    const struct proof *proof = batch->proof;
    bool goes_on[KINDS_MAX];
    struct rule_step step = {0, 0, ASSAY_FAULT_TRUNCATED};
    if (byte_count > 0)
        step = proof->rules->step(bytes, byte_count, true, false);
    if (step.fault == ASSAY_FAULT_NONE && step.length == byte_count && !add_character(batch, bytes, &step))
        return false;
    if (byte_count > 0 && proof->rules->step(bytes, byte_count, false, false).fault != ASSAY_FAULT_TRUNCATED)
        return true;
    for (size_t kind = 0; kind < proof->kinds.count; kind++) {
        bytes[byte_count] = proof->kinds.first[kind];
        goes_on[kind] = is_under_way(proof->rules, bytes, byte_count + 1);
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        bytes[byte_count] = (uint8_t)byte;
        if (goes_on[proof->kinds.of[byte]] && !add_characters_of(batch, bytes, byte_count + 1))
            return false;
    }
    return true;
}

bool applies_characters(const struct assay_codec *codec)
{
    return codec->decode_utf32 != NULL || codec->decode_utf16 != NULL;
}

void prove_characters(struct proof *proof)
{
    struct batch *batch = cli_alloc(1, sizeof *batch);
    uint8_t bytes[RULE_BYTES_MAX];
    batch->proof = proof;
    find_letter(batch);
    if (add_characters_of(batch, bytes, 0))
        end_batch(batch);
    free(batch);
}
