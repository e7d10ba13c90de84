/* SPDX-License-Identifier: MIT
 *
 * Errors in a text of 1 MiB. A codec may choose another loop after much text of one kind, or by how far it is.
 */
#include "far.h"

#include "../../core/dice.h"

#include <string.h>

enum { LENGTH = 1 << 20 };

/* Asks about the text with an error in place of the unit at `at`, which begins a character. Returns false if that is no
 * error in the encoding. The reference is asked about the error and what follows only. */
static bool ask_with_error(struct sweep *sweep, uint8_t *input, size_t at)
{
    enum { ENOUGH = 64 };
    uint8_t error[2], kept[2];
    size_t unit = put_error(sweep, error);
    struct far_text text = {.bytes = input, .count = LENGTH};
    memcpy(kept, input + at, unit);
    memcpy(input + at, error, unit);
    bool is_error = !ask_well_formed(sweep->comparer.panel[0], input + at, LENGTH - at < ENOUGH ? LENGTH - at : ENOUGH,
                                     &text.error);
    text.error.offset += at;
    if (is_error)
        far_ask_all(sweep, &text);
    memcpy(input + at, kept, unit);
    return is_error;
}

/* Characters of each kind, ASCII after one other, and errors at random places; in 4-byte characters, for which a codec
 * may use another loop for some strides, an error in each stride of the first 300 KiB, too. */
void far_very_long(struct sweep *sweep)
{
    enum { STRIDES = (300 << 10) / STRIDE, AT_RANDOM = 40 };
    static uint8_t input[LENGTH];
    for (size_t filler = SPACES; filler < FILLER_COUNT; filler++) {
        uint8_t character[ASSAY_ENCODED_MAX(1)];
        size_t length = put_filler(sweep, filler, character);
        fill(sweep, input, LENGTH, filler);
        if (filler == SPACES)
            fill(sweep, input, 2, TWO_BYTES);
        for (size_t number = filler == FOUR_BYTES ? 0 : STRIDES; number < STRIDES + AT_RANDOM; number++) {
            struct dice dice =
                dice_from((const uint8_t[]){(uint8_t)filler, (uint8_t)(number >> 8), (uint8_t)number}, 3);
            bool is_in_stride = number < STRIDES;
            size_t least = is_in_stride ? number * STRIDE : 0;
            size_t place = least + dice_roll(&dice, is_in_stride ? STRIDE : LENGTH - sizeof character);
            if (count_input(sweep) && !ask_with_error(sweep, input, LENGTH % length + place / length * length))
                return;
        }
    }
}

/* ASCII, but for blocks that one byte fills: each choice of the four of the first stride, and of the second. */
void far_filled_strides(struct sweep *sweep)
{
    enum { BLOCKS = STRIDE / BLOCK, CHOICES = 1 << BLOCKS, STRIDES = 2 };
    static const uint8_t bytes[] = {0x80, 0xC2, 0xFF};
    static _Alignas(BLOCK) uint8_t input[LENGTH];
    fill(sweep, input, LENGTH, SPACES);
    for (size_t number = 0; number < sizeof bytes * CHOICES * STRIDES; number++) {
        if (!count_input(sweep))
            continue;
        struct far_text text = {.bytes = input, .count = LENGTH};
        uint8_t *stride = input + number % STRIDES * STRIDE;
        for (size_t i = 0; i < BLOCKS; i++)
            if ((number / STRIDES % CHOICES >> i & 1) != 0)
                memset(stride + i * BLOCK, bytes[number / STRIDES / CHOICES], BLOCK);
        text.is_well_formed = ask_well_formed(sweep->comparer.panel[0], input, LENGTH, &text.error);
        far_ask_all(sweep, &text);
        fill(sweep, stride, STRIDE, SPACES);
    }
}
