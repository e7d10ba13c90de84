/* SPDX-License-Identifier: MIT */
#include "ask.h"

#include <string.h>

static const struct variant {
    enum placement placement;
    bool ample;  /* how much more room there is than needed */
    size_t room; /* feeding: room for a call, as little as always suffices; 0: all the room there is */
} variants[VARIANT_COUNT] = {
    {AT_END, false, 0},  {AT_BEGIN, false, 0},           {AT_END, true, 0},
    {AT_BEGIN, true, 0}, {AT_END, true, ASSAY_HELD_MAX}, [VARIANT_SHIFTED] = {AT_BEGIN, false, 0},
};

bool variant_apply(size_t index, const struct probe *probe, struct question *asked, enum placement *placement)
{
    const struct variant *variant = &variants[index];
    *asked = probe->question;
    *placement = variant->placement;
    asked->room = variant->room;
    if ((variant->room > 0 && operation_shape(asked->operation) != SHAPE_FEED) ||
        (probe->variants != 0 && (probe->variants >> index & 1) == 0))
        return false;
    if (index == VARIANT_SHIFTED)
        asked->shift = shift_for(asked, 0);
    if (asked->capacity != CAPACITY_ANY)
        return !variant->ample;
    size_t needed = probe->expected.result.written;
    asked->capacity = variant->ample ? capacity_for(asked->operation, asked->input_count) : needed;
    return !variant->ample || asked->capacity > needed;
}

const char *conversion_differs(const struct conversion *expected, enum outcome outcome, const struct converter *actual)
{
    if (expected->stops != (outcome == INPUT_ILL_FORMED || outcome == NOT_HELD) || outcome == CONTRACT_BROKEN)
        return field_name(FIELD_VERDICT);
    enum field field = expected->stops ? compare_spans(&expected->error, &actual->error) : FIELD_NONE;
    if (field != FIELD_NONE)
        return field_name(field);
    if (!expected->stops && actual->byte_count != expected->output_count)
        return field_name(FIELD_WRITTEN);
    if (!expected->stops && actual->byte_count > 0 && memcmp(actual->bytes, expected->output, actual->byte_count) != 0)
        return field_name(FIELD_OUTPUT);
    return NULL;
}
