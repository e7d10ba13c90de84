/* SPDX-License-Identifier: MIT
 *
 * The kernels of kernels.h for the instruction set ISA. A kernel passes what it found in each lane to vec_is_zero();
 * here that verb is replaced by one that keeps its argument.
 */
#include "kernels.h"

#include "../../../codecs/simd/isa/chosen.h"

static _Thread_local uint64_t lanes_seen;

ALWAYS_INLINE bool keep_and_ask(vec v)
{
    lanes_seen = vec_bits(vec_any(v, 0xFF));
    return vec_is_zero(v);
}
#define vec_is_zero keep_and_ask
#include "../../../codecs/simd/bytes/validate.h"
#undef vec_is_zero

_Static_assert((size_t)VEC_BYTES == BLOCK_BYTES && (size_t)STRIDE == STRIDE_BYTES, "blocks and strides of the prover");
_Static_assert((size_t)FEW_MAX == FEW_LENGTH && (size_t)LONG == LONG_LENGTH && (size_t)VERY_LONG == PROSE_END &&
                   (size_t)WITH_FOURS_AT_LEAST == FOURS_LENGTH && (size_t)PREFETCHED == PREFETCHED_LENGTH &&
                   (size_t)FAR_BYTES == FAR_LENGTH,
               "lengths that the prover tries");

#include "../../../codecs/simd/tables/family.h"
#include "../../../codecs/simd/tables/utf8.h"

KERNEL_PART void wrong_lanes(const struct encoding *encoding, enum kernel_form form, const uint8_t *bytes, size_t count,
                             uint64_t *wrong)
{
    struct strides strides = strides_of(encoding);
    struct tables tables = tables_of(encoding);
    for (size_t i = 0; i < count; i++, bytes += STRIDE) {
        if (form == KERNEL_BLOCK) {
            struct window window = window_at(bytes + i % STRIDE_BLOCKS * VEC_BYTES);
            keep_and_ask(wrong_bytes(&tables, &window));
        } else {
            enum looking_back back = kernel_shifts_all(form)       ? BY_SHIFTS
                                     : form == KERNEL_BY_ONE_SHIFT ? BY_ONE_SHIFT
                                                                   : BY_LOADS;
            blocks_are_wrong(&strides, kernel_refuses_fours(form), back, bytes, STRIDE);
        }
        wrong[i] = lanes_seen;
    }
}

#ifdef VEC_VALIDATE_FILE
#define HAS_OTHER_FORMS true
#else
#define HAS_OTHER_FORMS false
#endif
#define NAME_EXPANDED(encoding, isa) kernels_##encoding##_##isa
#define NAME(encoding, isa) NAME_EXPANDED(encoding, isa)
#ifdef KERNELS_LOADED /* a library to load: its kernels, which are for this encoding, are called `kernels` */
#define kernels_utf8_loaded kernels
#define KERNELS_NAME(id) NAME(id, loaded)
#else
#define KERNELS_NAME(id) NAME(id, ISA)
#endif
#define TEXT_EXPANDED(word) #word
#define TEXT(word) TEXT_EXPANDED(word)

#define KERNELS(id, name) \
    static void wrong_lanes_##id(enum kernel_form form, const uint8_t *strides, size_t count, uint64_t *wrong) \
    { \
        switch (form) { \
        case KERNEL_BLOCK: wrong_lanes(&id, KERNEL_BLOCK, strides, count, wrong); break; \
        case KERNEL_BLOCKS: wrong_lanes(&id, KERNEL_BLOCKS, strides, count, wrong); break; \
        case KERNEL_BLOCKS_WITHOUT_FOURS: wrong_lanes(&id, KERNEL_BLOCKS_WITHOUT_FOURS, strides, count, wrong); break; \
        case KERNEL_BY_ONE_SHIFT: wrong_lanes(&id, KERNEL_BY_ONE_SHIFT, strides, count, wrong); break; \
        case KERNEL_BY_SHIFTS: wrong_lanes(&id, KERNEL_BY_SHIFTS, strides, count, wrong); break; \
        default: wrong_lanes(&id, KERNEL_BY_SHIFTS_WITHOUT_FOURS, strides, count, wrong); break; \
        } \
    } \
    static bool is_cut_before_##id(const uint8_t *bytes) \
    { \
        return is_cut_before(&id, bytes); \
    } \
    static bool has_fours_before_##id(const uint8_t *bytes) \
    { \
        return has_fours_before(&id, bytes); \
    } \
    static size_t next_other_##id(const uint8_t *begin, const uint8_t *end, size_t from) \
    { \
        struct batch batch = batch_at(&id, true, begin, end); \
        return next_other(&id, &batch, from); \
    } \
    const struct kernels KERNELS_NAME(id) = \
        {name,           TEXT(ISA), wrong_lanes_##id, is_cut_before_##id, has_fours_before_##id, next_other_##id, \
         HAS_OTHER_FORMS};

KERNELS(utf8, "utf-8")
KERNELS(generalized, "generalized-utf-8")
