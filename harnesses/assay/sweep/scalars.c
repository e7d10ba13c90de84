/* SPDX-License-Identifier: MIT
 *
 * All scalar values, surrogates, and the values beyond U+10FFFF, in runs of 4,096; each also decoded after an error.
 */
#include "sweep.h"
#include "../../core/utf16.h"

#include <string.h>

enum { AT_ONCE = 4096, LAST_VALUE = 0x110FFF };

/* Writes a value as UTF-16; a surrogate is one unit. Returns the number of units, 0 if the encoding cannot hold the
 * value. */
static size_t put_if_held(const struct assay_codec *reference, uint32_t value, uint16_t units[2])
{
    uint8_t bytes[ASSAY_ENCODED_MAX(1)];
    if (reference->encode_utf32(ASSAY_POLICY_STRICT, &value, 1, bytes, sizeof bytes).status != ASSAY_OK)
        return 0;
    return utf16_write(value, units);
}

/* True if the encoding can hold both values, but not the second right after the first (WTF-8, section 4.1). */
static bool is_refused_after(const struct assay_codec *reference, uint32_t before, uint32_t value)
{
    const uint32_t both[] = {before, value};
    uint8_t bytes[ASSAY_ENCODED_MAX(2)];
    uint16_t units[2];
    struct assay_result encoded = reference->encode_utf32(ASSAY_POLICY_STRICT, both, 2, bytes, sizeof bytes);
    return encoded.status == ASSAY_ILL_FORMED && encoded.read == 1 && put_if_held(reference, value, units) > 0;
}

/* Encodes a run of values, decodes it in both forms, and encodes it from UTF-16. */
static void sweep_values(struct sweep *sweep, uint32_t first)
{
    static uint32_t values[AT_ONCE];
    static uint8_t bytes[ASSAY_ENCODED_MAX(AT_ONCE)];
    static uint16_t units[2 * AT_ONCE + ASSAY_HELD_MAX];
    for (uint32_t i = 0; i < AT_ONCE; i++)
        values[i] = first + i;
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        ask_all(sweep, OP_ENCODE_UTF32, policy, values, AT_ONCE);

    const struct assay_codec *reference = registry_reference(sweep->comparer.encoding);
    struct assay_result encoded = reference->encode_utf32(ASSAY_POLICY_SKIP, values, AT_ONCE, bytes, sizeof bytes);
    ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, bytes, encoded.written);
    ask_all(sweep, OP_COUNT, ASSAY_POLICY_STRICT, bytes, encoded.written);
    ask_all(sweep, OP_DECODE_UTF32, ASSAY_POLICY_STRICT, bytes, encoded.written);
    ask_all(sweep, OP_DECODE_UTF16, ASSAY_POLICY_STRICT, bytes, encoded.written);
    struct assay_result decoded =
        reference->decode_utf16(ASSAY_POLICY_STRICT, bytes, encoded.written, units, sizeof units / sizeof units[0]);
    ask_all(sweep, OP_ENCODE_UTF16, ASSAY_POLICY_STRICT, units, decoded.written);

    /* The reference must give back all values that the encoding can hold, in order. Units are compared, because in some
     * encodings a lead and the trail after it become one value. */
    static uint16_t expected[2 * AT_ONCE];
    size_t count = 0;
    for (size_t i = 0; i < AT_ONCE; i++)
        if (i == 0 || !is_refused_after(reference, values[i - 1], values[i]))
            count += put_if_held(reference, values[i], expected + count);
    if (decoded.status != ASSAY_OK || decoded.written != count || memcmp(units, expected, count * sizeof *units) != 0)
        note_failure(sweep, reference, "does not give back what it holds of the 4096 values from", 4, first);
}

/* Decodes a run of values, each after an error. */
static void sweep_after_errors(struct sweep *sweep, uint32_t first)
{
    static uint8_t bytes[AT_ONCE * (2 + ASSAY_ENCODED_MAX(1))];
    const struct assay_codec *reference = registry_reference(sweep->comparer.encoding);
    size_t count = 0;
    for (uint32_t value = first; value < first + AT_ONCE; value++) {
        count += put_error(sweep, bytes + count);
        count += reference->encode_utf32(ASSAY_POLICY_SKIP, &value, 1, bytes + count, ASSAY_ENCODED_MAX(1)).written;
    }
    ask_all(sweep, OP_DECODE_UTF32, ASSAY_POLICY_WHATWG, bytes, count);
    ask_all(sweep, OP_DECODE_UTF16, ASSAY_POLICY_WHATWG, bytes, count);
}

void sweep_scalars(struct sweep *sweep)
{
    for (uint32_t first = 0; first <= LAST_VALUE; first += AT_ONCE) {
        if (!count_input(sweep))
            continue;
        sweep->inputs += AT_ONCE - 1; /* one run in the sample stands for all its values */
        sweep_values(sweep, first);
        sweep_after_errors(sweep, first);
        show_progress(sweep, first, LAST_VALUE);
    }
}
