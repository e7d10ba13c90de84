/* SPDX-License-Identifier: MIT
 *
 * The elements of inputs that several parts use.
 */
#include "sweep.h"

#include "../../core/dice.h"

#include <string.h>

size_t put_filler(const struct sweep *sweep, size_t filler, uint8_t character[ASSAY_ENCODED_MAX(1)])
{
    const struct assay_codec *reference = registry_reference(sweep->comparer.encoding);
    return reference->encode_utf32(ASSAY_POLICY_STRICT, &fillers[filler], 1, character, ASSAY_ENCODED_MAX(1)).written;
}

size_t fill(const struct sweep *sweep, uint8_t *out, size_t count, size_t filler)
{
    uint8_t character[ASSAY_ENCODED_MAX(1)];
    size_t length = put_filler(sweep, filler, character);
    size_t front = count % length;
    memset(out, 'a', front);
    if (length == 1) { /* most are ASCII, and some are long */
        memset(out, character[0], count);
        return count;
    }
    for (size_t at = front; at < count; at += length)
        memcpy(out + at, character, length);
    return count;
}

static const uint32_t range_begin[] = {' ', 0x80, 0x800, 0x10000}, range_end[] = {0x7F, 0x800, 0xD800, 0x110000};
_Static_assert(sizeof range_begin / sizeof range_begin[0] == RANGE_COUNT, "one for each");

size_t put_at_random(const struct sweep *sweep, struct dice *dice, size_t range, uint8_t out[ASSAY_ENCODED_MAX(1)])
{
    uint32_t code_point = range_begin[range] + (uint32_t)dice_roll(dice, range_end[range] - range_begin[range]);
    return registry_reference(sweep->comparer.encoding)
        ->encode_utf32(ASSAY_POLICY_STRICT, &code_point, 1, out, ASSAY_ENCODED_MAX(1))
        .written;
}

void fill_at_random(const struct sweep *sweep, struct dice *dice, uint8_t *out, size_t count)
{
    uint8_t character[ASSAY_ENCODED_MAX(1)];
    for (size_t at = 0, length; at < count; at += length) {
        length = put_at_random(sweep, dice, dice_roll(dice, RANGE_COUNT), character);
        if (length > count - at)
            length = put_filler(sweep, SPACES, character);
        memcpy(out + at, character, length);
    }
}

size_t put_ascii(const struct sweep *sweep, uint8_t byte, uint8_t *out, size_t count)
{
    if (tokens_for(sweep)->unit > 1)
        return fill(sweep, out, count, SPACES);
    memset(out, byte, count);
    return count;
}

const struct token_set *tokens_for(const struct sweep *sweep)
{
    const struct token_set *set = tokens_of(sweep->comparer.encoding);
    if (set == NULL)
        cli_fail("there are no tokens for %s", sweep->comparer.encoding);
    return set;
}

size_t put_token(uint8_t *out, const struct token *token)
{
    memcpy(out, token->bytes, token->length);
    return token->length;
}

size_t needed_for(const struct comparer *comparer, struct question question)
{
    question.capacity = capacity_for(question.operation, question.input_count);
    return ask(comparer->reference_seat, comparer->panel[0], &question, AT_BEGIN).result.written;
}

size_t put_error(const struct sweep *sweep, uint8_t error[2])
{
    bool is_utf16 = encoding_is_utf16(registry_reference(sweep->comparer.encoding));
    memset(error, is_utf16 ? 0xDC : 0xFF, 2);
    return is_utf16 ? 2 : 1;
}
