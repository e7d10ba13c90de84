/* SPDX-License-Identifier: MIT
 *
 * The predicates of ../subjects/deviations.def.
 */
#include "deviations.h"

#include <string.h>

static bool contains_nul(const struct question *question)
{
    const uint8_t *units = question->input;
    size_t unit = operation_input_unit(question->operation);
    for (size_t i = 0; i < question->input_count; i++) {
        uint32_t value = 0;
        memcpy(&value, units + i * unit, unit);
        if (value == 0)
            return true;
    }
    return false;
}

/* True for decoding of UTF-8 with a surrogate or a lead of the old scheme in it. */
static bool decodes_old_scheme(const struct question *question)
{
    const uint8_t *bytes = question->input;
    if (question->operation != OP_DECODE_UTF32 && question->operation != OP_DECODE_UTF16)
        return false;
    for (size_t i = 0; i + 1 < question->input_count; i++)
        if ((bytes[i] == 0xED && bytes[i + 1] >= 0xA0) || (bytes[i] == 0xF4 && bytes[i + 1] >= 0x90) ||
            bytes[i] >= 0xF5)
            return true;
    return false;
}

static const struct {
    const char *codec;
    bool (*applies)(const struct question *question);
    const char *sentence;
} deviations[] = {
#define DEVIATION(codec, predicate, sentence, document) {codec, predicate, sentence},
#include "../subjects/deviations.def"
};

const char *deviation_of(const struct divergence *divergence)
{
    for (size_t i = 0; i < sizeof deviations / sizeof deviations[0]; i++)
        if (strcmp(deviations[i].codec, divergence->codec->name) == 0 && deviations[i].applies(divergence->question))
            return deviations[i].sentence;
    return NULL;
}
