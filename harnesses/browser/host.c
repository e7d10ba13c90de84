/* SPDX-License-Identifier: MIT
 *
 * The functions that core/convert.c needs from the harness, for the module: memory, which release() frees, and
 * questions, which are not recorded, because nothing reads the record after a trap.
 */
#include "../core/arena.h"
#include "../core/operation.h"
#include "../core/question.h"

uint32_t take(uint32_t byte_count); /* module.c */

/* There are no guard pages. */
void arena_reserve(struct arena *arena, size_t byte_count)
{
    enum { ALIGNMENT = 16 };
    size_t size = (byte_count / ALIGNMENT + 1) * ALIGNMENT;
    arena->begin = (uint8_t *)(uintptr_t)take((uint32_t)size);
    arena->end = arena->begin + size;
}

_Noreturn void arena_fail(size_t byte_count)
{
    __builtin_trap();
}

void asking_directly(const struct assay_codec *codec, struct question question)
{
}

void asking_ends(void)
{
}

bool ask_well_formed(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    return codec->validate(bytes, byte_count, error);
}

bool codec_offers(const struct assay_codec *codec, enum operation operation, enum assay_policy policy)
{
    uint32_t output[ASSAY_ENCODED_MAX(1)];
    struct arguments nothing = {
        .policy = policy, .input = output, .output = output, .capacity = capacity_for(operation, 0)};
    return codec_has(codec, operation) && codec_call(codec, operation, &nothing).status != ASSAY_UNSUPPORTED;
}
