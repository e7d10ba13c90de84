/* SPDX-License-Identifier: MIT
 *
 * Characters of all lengths, one after the other, in every order. A codec may look up how it moves the bytes of several
 * characters at once, by where these end: so every row of such a table is asked for.
 */
#include "sweep.h"
#include "../../core/utf16.h"

#include <string.h>

/* ROW_BYTES: eight bytes, and the three before them in which their first character may begin; fewer amid errors, of
 * which there are more sequences. ROW_CHARACTERS: the characters that an encoder may take at once, if they have up to
 * two bytes, and else. */
enum { ROW_BYTES = 11, ROW_BYTES_AMID_ERRORS = 8, ROW_CHARACTERS = 4, ROW_SHORT_CHARACTERS = 8 };

enum { ELEMENT_MAX = 7, MIXTURE_MAX = 16, MIXTURE_BYTES_MAX = MIXTURE_MAX * ASSAY_ENCODED_MAX(1) };

/* A character that is as long as the first code point, or the begin of one: an error. */
struct element {
    uint32_t first, step;
    size_t lacks; /* bytes at its end */
};

/* The elements of an encoding, and how long a sequence of them has to be. */
struct alphabet {
    const struct assay_codec *reference;
    struct element elements[ELEMENT_MAX];
    size_t count, enough;
    bool has_errors;
};

struct mixture {
    uint8_t bytes[MIXTURE_BYTES_MAX];
    uint32_t code_points[MIXTURE_MAX];
    size_t byte_count, count;
    bool has_long; /* a character of more than two bytes, or an error */
};

/* Appends a character. The low six bits of its bytes differ; those of its first byte, from those of the byte before. */
static void append(const struct alphabet *alphabet, const struct element *element, struct mixture *mixture)
{
    uint32_t code_point = element->first + element->step * (uint32_t)mixture->count;
    size_t size = alphabet->reference
                      ->encode_utf32(ASSAY_POLICY_STRICT, &code_point, 1, mixture->bytes + mixture->byte_count,
                                     ASSAY_ENCODED_MAX(1))
                      .written;
    mixture->byte_count += size - element->lacks;
    mixture->code_points[mixture->count++] = code_point;
    mixture->has_long |= size > 2;
}

/* A character of each length that the encoding has; then, if wanted, the longest one without its last bytes. */
static struct alphabet alphabet_of(const struct sweep *sweep, bool has_errors)
{
    static const struct element each[] = {{'A', 1, 0}, {0xBC, 0x60, 0}, {0x1CCC, 0x6ED, 0}, {0x2608B, 0x6C0A, 0}};
    enum { EACH = sizeof each / sizeof each[0], LACKS_MAX = 3 };
    size_t unit = tokens_for(sweep)->unit, length = 0;
    struct alphabet alphabet = {.reference = registry_reference(sweep->comparer.encoding),
                                .enough = unit * (has_errors ? ROW_BYTES_AMID_ERRORS : ROW_BYTES),
                                .has_errors = has_errors};
    for (size_t i = 0; i < EACH; i++) {
        struct mixture alone = {0};
        append(&alphabet, &each[i], &alone);
        if (alone.byte_count > length)
            alphabet.elements[alphabet.count++] = each[i];
        length = alone.byte_count;
    }
    for (size_t lacks = unit; has_errors && lacks <= LACKS_MAX; lacks += unit) {
        struct element *error = &alphabet.elements[alphabet.count++];
        *error = each[EACH - 1];
        error->lacks = lacks;
    }
    return alphabet;
}

static bool is_enough(const struct alphabet *alphabet, const struct mixture *mixture)
{
    size_t count = alphabet->has_errors || mixture->has_long ? ROW_CHARACTERS : ROW_SHORT_CHARACTERS;
    return mixture->byte_count >= alphabet->enough && mixture->count >= count;
}

/* Replaces two of the longest characters before `end` by others with many bits: the fillers end in 80, and it
 * makes no difference if they are added to another character. */
static void vary_last(const struct alphabet *alphabet, uint8_t *end)
{
    struct mixture two = {0};
    append(alphabet, &(struct element){0x5ABF5, 0, 0}, &two);
    append(alphabet, &(struct element){0x5ABF5, 0, 0}, &two);
    memcpy(end - two.byte_count, two.bytes, two.byte_count);
}

/* Asks decoders about the mixture after other characters, and before more ASCII than a block. It begins three bytes
 * before one of the eight groups of eight bytes in a block. With errors in it, there are more of them beside it, since
 * few errors may be replaced in another way. */
static void ask_decoders(struct sweep *sweep, const struct alphabet *alphabet, const struct mixture *mixture,
                         size_t number)
{
    enum { BLOCK = 64, GROUP = 8, AROUND = 3 * BLOCK, ERRORS = 3 };
    static uint8_t input[(2 * AROUND + 2 * ERRORS) * sizeof(uint16_t) + MIXTURE_BYTES_MAX];
    uint8_t error[2];
    size_t unit = put_error(sweep, error), errors = alphabet->has_errors ? ERRORS * unit : 0;
    size_t begin = (2 * BLOCK + number % GROUP * GROUP - (ROW_BYTES - GROUP)) * unit;
    size_t count = fill(sweep, input, begin - errors, number % FILLER_COUNT);
    if (number % FILLER_COUNT == FOUR_BYTES)
        vary_last(alphabet, input + count);
    memset(input + count, error[0], errors);
    memcpy(input + begin, mixture->bytes, mixture->byte_count);
    count = begin + mixture->byte_count;
    memset(input + count, error[0], errors);
    count += errors;
    count += fill(sweep, input + count, AROUND * unit, SPACES);
    enum assay_policy policy = alphabet->has_errors && number % 2 != 0 ? ASSAY_POLICY_SKIP : ASSAY_POLICY_WHATWG;
    ask_all(sweep, OP_DECODE_UTF32, policy, input, count);
    ask_all(sweep, OP_DECODE_UTF16, policy, input, count);
    ask_all(sweep, OP_TO_WELL_FORMED, ASSAY_POLICY_WHATWG, input, count);
}

/* Asks encoders about its characters after a multiple of eight others. */
static void ask_encoders(struct sweep *sweep, const struct mixture *mixture, size_t number)
{
    enum { OTHERS_MAX = 8 * ROW_SHORT_CHARACTERS, AFTER = 160 };
    uint32_t code_points[OTHERS_MAX + MIXTURE_MAX + AFTER];
    uint16_t units[2 * (OTHERS_MAX + MIXTURE_MAX + AFTER)];
    size_t before = number % 8 * ROW_SHORT_CHARACTERS, end = before + mixture->count, count = end + AFTER, written = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_other = i < before || i >= end;
        code_points[i] = is_other ? fillers[number % FILLER_COUNT] : mixture->code_points[i - before];
        written += utf16_write(code_points[i], units + written);
    }
    ask_all(sweep, OP_ENCODE_UTF32, ASSAY_POLICY_WHATWG, code_points, count);
    ask_all(sweep, OP_ENCODE_UTF16, ASSAY_POLICY_WHATWG, units, written);
}

/* Asks about each mixture that begins with this one and is just long enough. */
static void sweep_from(struct sweep *sweep, const struct alphabet *alphabet, const struct mixture *mixture,
                       size_t *number)
{
    if (is_enough(alphabet, mixture)) {
        size_t variant = (*number)++;
        if (!count_input(sweep))
            return;
        alternate_placement(sweep, variant);
        for (size_t i = 0; i < FILLER_COUNT; i++) {
            ask_decoders(sweep, alphabet, mixture, variant + i);
            if (!alphabet->has_errors)
                ask_encoders(sweep, mixture, variant + i);
        }
        return;
    }
    for (size_t i = 0; i < alphabet->count; i++) {
        struct mixture longer = *mixture;
        append(alphabet, &alphabet->elements[i], &longer);
        sweep_from(sweep, alphabet, &longer, number);
    }
}

void sweep_mixtures(struct sweep *sweep)
{
    size_t number = 0;
    comparer_begin(&sweep->comparer);
    for (int has_errors = 0; has_errors < 2; has_errors++) {
        struct alphabet alphabet = alphabet_of(sweep, has_errors);
        sweep_from(sweep, &alphabet, &(struct mixture){0}, &number);
    }
}
