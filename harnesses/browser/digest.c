/* SPDX-License-Identifier: MIT
 *
 * For tests of the module: digests of a codec's answers to all strings of a set, as vectors/FORMAT.md defines them
 * ("The complete tiers").
 */
#include "../../codecs/registry.h"

enum { OUTPUT_MAX = 16 };

static uint64_t value_of(enum assay_policy policy, const struct assay_codec *codec, const uint8_t *bytes,
                         size_t byte_count)
{
    uint32_t output[OUTPUT_MAX];
    struct assay_result result = codec->decode_utf32(policy, bytes, byte_count, output, OUTPUT_MAX);
    if (result.status == ASSAY_ILL_FORMED)
        return 0;
    uint64_t value = 1;
    for (size_t i = 0; i < result.written; i++)
        value = value * UINT64_C(0x100000001B3) + output[i] + 1;
    return value;
}

/* All strings of 1 to 3 bytes. `column`: 0 the verdict, 1 strict, 2 whatwg. */
__attribute__((export_name("digest"))) uint64_t digest(uint32_t row, uint32_t byte_count, uint32_t column)
{
    const struct assay_codec *codec = registry_at(row)->codec;
    uint64_t digest = 0;
    for (uint32_t number = 0; number < UINT32_C(1) << 8 * byte_count; number++) {
        uint8_t bytes[3];
        for (uint32_t i = 0; i < byte_count; i++)
            bytes[i] = (uint8_t)(number >> 8 * (byte_count - 1 - i));
        uint64_t value =
            column == 0 ? codec->validate(bytes, byte_count, NULL)
                        : value_of(column == 1 ? ASSAY_POLICY_STRICT : ASSAY_POLICY_WHATWG, codec, bytes, byte_count);
        digest = digest * UINT64_C(0x9E3779B97F4A7C15) + value;
    }
    return digest;
}
