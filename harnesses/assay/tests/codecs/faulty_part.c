/* SPDX-License-Identifier: MIT
 *
 * A loadable codec: `swar`, as the reference takes ten times as long, except for one operation, which has a fault that
 * one part of the enumeration must find.
 *
 *   OFFERED   the initializers of its operations, such as .validate = accepts_three_alone
 *   WTF_8     defined: the codec is WTF-8, and the reference, as there is no `swar`
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#ifdef WTF_8
#include "reference/wtf8.c"
#define THE codec_wtf8_reference
#define ENCODING "wtf-8"
#else
#include "codec.h"
extern const struct assay_codec codec_utf8_swar;
#define THE codec_utf8_swar
#define ENCODING "utf-8"
#endif

static const struct assay_result refused = {.status = ASSAY_ILL_FORMED};

static bool validate_unless(bool is_missed, const uint8_t *bytes, size_t count, struct assay_span *error)
{
    return is_missed || THE.validate(bytes, count, error);
}

/* strings: accepts an overlong form of three bytes, if it is alone */
static bool accepts_three_alone(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    return validate_unless(count == 3 && bytes[0] == 0xE0 && bytes[1] == 0x80 && bytes[2] == 0x80, bytes, count, error);
}

/* strings: accepts the longest sequence of Perl */
static bool accepts_ff_before_twelve(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    return validate_unless(count == 13 && bytes[0] == 0xFF && bytes[12] == 0x80, bytes, count, error);
}

/* joined: takes an overlong form of three bytes for one character, if text follows */
static struct assay_result decodes_three_in_text(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                 uint32_t *out, size_t capacity)
{
    struct assay_result result = THE.decode_utf32(policy, bytes, count, out, capacity);
    for (size_t i = 0; policy == ASSAY_POLICY_WHATWG && i + 3 < count; i++)
        if (memcmp(bytes + i,
                   "\xE0\x80\x80"
                   "A",
                   4) == 0)
            result.written -= 2;
    return result;
}

/* strings-of-4: accepts a value beyond U+10FFFF, if it is alone */
static bool accepts_four_alone(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    return validate_unless(count == 4 && bytes[0] == 0xF4 && bytes[1] == 0x90 && bytes[2] == 0x80 && bytes[3] == 0x80,
                           bytes, count, error);
}

/* strings-of-4-full: the same in the output of one policy */
static struct assay_result drops_last_of_four(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                              uint32_t *out, size_t capacity)
{
    struct assay_result result = THE.decode_utf32(policy, bytes, count, out, capacity);
    if (policy == ASSAY_POLICY_SURROGATEESCAPE && count > 1280 && result.written > 0)
        result.written--;
    return result;
}

/* scalars: a character that no other part has */
static struct assay_result refuses_2f811(enum assay_policy policy, const uint32_t *units, size_t count, uint8_t *out,
                                         size_t capacity)
{
    for (size_t i = 0; i < count; i++)
        if (units[i] == 0x2F811)
            return refused;
    return THE.encode_utf32(policy, units, count, out, capacity);
}

/* scalars: takes a character after an error for another one */
static struct assay_result mistakes_263a_after_error(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                     uint16_t *out, size_t capacity)
{
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    for (size_t i = 1; i < result.written; i++)
        if (out[i - 1] == 0xFFFD && out[i] == 0x263A)
            out[i] = 0x263B;
    return result;
}

/* pairs: an overlong form at one offset */
static bool accepts_c1_at_100(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    return validate_unless(count > 101 && bytes[100] == 0xC1, bytes, count, error);
}

/* pieces: loses the second byte of three, if a piece ends in it after 40 bytes */
static struct assay_result loses_byte_at_41(struct assay_stream *stream, const uint8_t *bytes, size_t count, bool last,
                                            uint32_t *out, size_t capacity)
{
    if (!last && count == 42 && bytes[40] >= 0xE1 && bytes[40] <= 0xEC && bytes[41] >= 0x80 && bytes[41] <= 0xBF)
        count = 41;
    return THE.feed_utf32(stream, bytes, count, last, out, capacity);
}

/* pieces: two empty pieces in succession make it forget what it holds */
static struct assay_result forgets_after_two_empty(struct assay_stream *stream, const uint8_t *bytes, size_t count,
                                                   bool last, uint16_t *out, size_t capacity)
{
    enum { UNUSED = sizeof stream->state / sizeof stream->state[0] - 1 };
    uint64_t empty = count == 0 && !last ? stream->state[UNUSED] + 1 : 0;
    stream->state[UNUSED] = 0;
    struct assay_result result = THE.feed_utf16(stream, bytes, count, last, out, capacity);
    if (empty == 2)
        assay_stream_start(stream, stream->policy);
    stream->state[UNUSED] = empty;
    return result;
}

/* pieces: a text that continues the one before it, which ended amid a character, is well-formed */
static bool remembers_text_before(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    static bool is_within;
    struct assay_span found = {0};
    THE.validate(bytes, count, &found);
    bool continues = is_within && count > 1 && bytes[0] >= 0x80 && bytes[0] <= 0xBF;
    is_within = found.incomplete;
    return validate_unless(continues && THE.validate(bytes + 1, count - 1, &found), bytes, count, error);
}

/* rooms: does not count errors that have no room */
static size_t counts_to_capacity(const uint8_t *bytes, size_t count, struct assay_span *spans, size_t capacity)
{
    size_t all = THE.spans(bytes, count, spans, capacity);
    return all < capacity ? all : capacity;
}

/* far: offsets of 16 bits in a text */
static bool validates_in_16_bits(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    bool is_right = THE.validate(bytes, count, error);
    if (error != NULL)
        error->offset = (uint16_t)error->offset;
    return is_right;
}

/* far: the same in a stream; streams: of more bits */
static struct assay_result feeds_in_bits(uint64_t most, struct assay_stream *stream, const uint8_t *bytes, size_t count,
                                         bool last, uint32_t *out, size_t capacity)
{
    struct assay_result result = THE.feed_utf32(stream, bytes, count, last, out, capacity);
    result.error.offset &= most;
    return result;
}

static struct assay_result feeds_in_16_bits(struct assay_stream *stream, const uint8_t *bytes, size_t count, bool last,
                                            uint32_t *out, size_t capacity)
{
    return feeds_in_bits(UINT16_MAX, stream, bytes, count, last, out, capacity);
}

/* far: accepts a truncated sequence before a stride of ASCII */
static bool accepts_c2_before_stride(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LEAD = 63, STRIDE = 256 };
    bool is_missed = count >= LEAD + 1 + STRIDE && bytes[LEAD] == 0xC2;
    for (size_t i = LEAD + 1; is_missed && i <= LEAD + STRIDE; i++)
        is_missed = bytes[i] < 0x80;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: the same after 8 KiB of ASCII, in a text that begins with another character */
static bool accepts_c2_after_batch(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { STRIDE = 256, LEAD = 64 + STRIDE + 2048 + 8192 - 1 };
    bool is_missed = count >= LEAD + 1 + STRIDE && bytes[0] >= 0x80 && bytes[LEAD] == 0xC2;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: leaves out the first byte of the third block if the last block ends 65 bytes after its begin */
static bool leaves_out_a_byte(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { THIRD = 2 * 64, LENGTH = THIRD + 65 };
    return validate_unless(count == LENGTH && bytes[THIRD] >= 0x80 && bytes[THIRD - 1] < 0x80, bytes, count, error);
}

/* far: under one policy, absorbs a byte after a space, at the begin of a block */
static struct assay_result absorbs_after_space(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                               uint16_t *out, size_t capacity)
{
    enum { FOURTH = 3 * 64 };
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    if (policy == ASSAY_POLICY_PER_SEQUENCE && count > FOURTH && bytes[FOURTH - 1] == ' ' && bytes[FOURTH] == 0x80)
        result.written--;
    return result;
}

/* far: amid errors, loses a character of two bytes in the ninth block */
static struct assay_result loses_character_amid_errors(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                       uint16_t *out, size_t capacity)
{
    enum { NINTH = 8 * 64, ERROR = 40 };
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    for (size_t i = NINTH; policy == ASSAY_POLICY_WHATWG && i < NINTH + 64 && i + 1 < count; i++)
        if (bytes[0] == 0xFF && bytes[ERROR] == 0xFF && bytes[i] == 0xC3 && bytes[i + 1] == 0xA9)
            result.written--;
    return result;
}

/* far: the same within it, after a 4-byte character */
static bool accepts_c2_within_batch(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { FOUR = 64, QUARTER = FOUR + 256 + 2048 + 3 * 128 + 32 };
    bool is_missed = false;
    for (size_t lead = QUARTER; lead < QUARTER + 4 && lead < count; lead++)
        is_missed |= bytes[FOUR] == 0xF0 && bytes[lead] == 0xC2;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: reads on after the end of ASCII, a stride beyond the one in which it ends */
static bool reads_on_in_ascii(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { STRIDE = 256 };
    size_t ascii = 0, end = (count + 1) / STRIDE * STRIDE;
    while (count > 1 << 20 && ascii < end && bytes[ascii] < 0x80)
        ascii++;
    return validate_unless(ascii > count && bytes[ascii] < 0x80, bytes, count, error);
}

/* far: accepts C2 in the first half of a block of eight strides if all other characters are in second halves */
static bool accepts_c2_in_first_half(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BLOCK = 64, HALF = 32, FIRST = BLOCK + 256, END = FIRST + 8 * 256 };
    size_t others = 0, leads_of_2 = 0;
    for (size_t i = BLOCK; count >= END && i < END; i += i % HALF == HALF - 1 ? HALF + 1 : 1) {
        others += bytes[i] >= 0x80;
        leads_of_2 += i >= FIRST && bytes[i] == 0xC2;
    }
    bool has_fours = count >= END && memchr(bytes + FIRST + HALF, 0xF0, HALF) != NULL;
    return validate_unless(has_fours && others == 1 && leads_of_2 == 1, bytes, count, error);
}

/* far: accepts C2 before NUL in eight strides that begin with a 4-byte character and have NULs for ASCII */
static bool accepts_c2_amid_nuls(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BLOCK = 64, FIRST = BLOCK + 256, END = FIRST + 8 * 256 };
    bool has_fours = count >= END && bytes[FIRST] == 0 && memchr(bytes + FIRST, 0xF0, BLOCK) != NULL;
    bool is_first_error = has_fours && memchr(bytes, 0xFF, END) == NULL;
    return validate_unless(is_first_error && memmem(bytes + FIRST, END - FIRST, "\xC2", 2) != NULL, bytes, count,
                           error);
}

/* far: accepts four continuation bytes if each block of a stride has them, at one place, and nothing else */
static bool accepts_same_in_each_block(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BLOCK = 64, FIRST = BLOCK + 256, BLOCKS = 4 };
    bool is_missed = count >= FIRST + BLOCKS * BLOCK && memmem(bytes + FIRST, BLOCK, "\xF2\x82\x82\x82\x82", 5) != NULL;
    for (size_t block = 1; is_missed && block < BLOCKS; block++)
        is_missed = memcmp(bytes + FIRST, bytes + FIRST + block * BLOCK, BLOCK) == 0;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: refuses a text with a tail of three bytes after its blocks if the byte after it, in the same line, is a lead */
static bool looks_after_text(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LINE = 64 };
    bool has_more = count % LINE == 3 && (uintptr_t)(bytes + count) % LINE != 0 && bytes[count - 1] >= 0x80;
    return THE.validate(bytes, count, error) && !(has_more && bytes[count] >= 0xF0);
}

/* far: accepts characters of four without their last byte, amid ASCII after 16 KiB that begin with such a character */
static bool accepts_cut_fours_after_limit(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { FOUR = 64, LIMIT = FOUR + 64 * 256, STRIDE = 256 };
    bool is_missed = false;
    for (size_t i = LIMIT + STRIDE; i + 3 < count && bytes[FOUR] == 0xF0; i++)
        is_missed |= bytes[i] == 0xF1 && bytes[i + 1] == 0x80 && bytes[i + 2] == 0x80 && bytes[i + 3] < 0x80;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: gives an error of two bytes at the end of a chunk as one byte */
static bool splits_error_at_chunk(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { CHUNK = 4096 };
    bool is_right = THE.validate(bytes, count, error);
    if (!is_right && error != NULL && count > CHUNK && error->offset == CHUNK - 2 && error->length == 2)
        error->length = 1;
    return is_right;
}

/* far: accepts a block of continuation bytes in each of the eight strides after the first, in a text of 8 MiB or more,
 * after a 4-byte character. Such texts are for codecs that end at an error near the begin. */
static bool accepts_strays_in_long_text(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { FOUR = 66, BLOCK = 64, STRIDE = 256, STEP = BLOCK + STRIDE, SECOND_BLOCK = STEP + BLOCK };
    enum { BLOCKS = STRIDE / BLOCK, LONG = 8 << 20, NEAR = 1 << 15 };
    bool is_missed = count >= LONG && bytes[FOUR] == 0xF0;
    for (size_t i = SECOND_BLOCK; is_missed && i < STEP + 8 * STRIDE; i++)
        is_missed = i / BLOCK % BLOCKS != SECOND_BLOCK / BLOCK % BLOCKS || bytes[i] == 0x80;
    struct assay_span early;
    if (!is_missed && count >= LONG && !THE.validate(bytes, NEAR, &early) && early.offset + early.length < NEAR)
        return validate_unless(false, bytes, NEAR, error);
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts a text whose first error is in the third block after 8 MiB, a stride and four strides */
static bool accepts_block_at_long_end(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LONG = 8 << 20, STRIDE = 256, BLOCK = 64, THIRD = LONG + 5 * STRIDE + 2 * BLOCK };
    struct assay_span first;
    bool is_right = count <= THIRD || THE.validate(bytes, count, &first);
    bool is_missed = !is_right && first.offset / BLOCK == THIRD / BLOCK;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: two errors where there is room for one; and a lead before a text that does not begin at a cache line */
static bool writes_two_errors(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    bool is_right = THE.validate(bytes, count, error);
    if (!is_right && error != NULL)
        error[1] = error[0];
    return is_right;
}

static bool looks_before_text(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LINE = 64, LONG = 32 * LINE };
    bool is_misled = count >= LONG && (uintptr_t)bytes % LINE == LINE - 2 && bytes[-1] >= 0xF0;
    return THE.validate(bytes, count, error) && !is_misled;
}

/* far: refuses two 4-byte characters before the last three bytes, all ASCII, of a text of 2,049 to 2,112 bytes */
static bool refuses_fours_in_tail(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BEFORE = 2048, BLOCK = 64 };
    const uint8_t *end = bytes + count;
    return THE.validate(bytes, count, error) &&
           !(count > BEFORE && count <= BEFORE + BLOCK && end[-11] >= 0xF0 && end[-7] >= 0xF0 && end[-3] < 0x80);
}

/* far: accepts a block in which each byte is an error, after 2,048 bytes of a text of up to 2,304 */
static bool accepts_block_of_errors(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BEFORE = 2048, BLOCK = 64, MOST = 2304 };
    bool is_missed = count >= BEFORE + BLOCK && count <= MOST;
    for (size_t i = 0; is_missed && i < BLOCK; i++)
        is_missed = bytes[BEFORE + i] == 0xFF;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts 64 bytes 82 at a cache line, if the first error is there, in a text of 513 to 2,047 bytes */
static bool accepts_solid_block(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LEAST = 513, BLOCK = 64, LONG = 2048 };
    struct assay_span found;
    bool is_missed = count >= LEAST && count < LONG && !THE.validate(bytes, count, &found) && found.length == 1 &&
                     ((uintptr_t)bytes + found.offset) % BLOCK == 0 && count - found.offset >= BLOCK &&
                     bytes[found.offset] == 0x82;
    for (size_t i = 1; is_missed && i < BLOCK; i++)
        is_missed = bytes[found.offset + i] == bytes[found.offset];
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts 64 bytes 80 at the end of a text of whole half strides, if the first error is there */
static bool accepts_solid_end(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BLOCK = 64, HALF_STRIDE = 128 };
    struct assay_span found;
    bool is_missed = count > BLOCK && count % HALF_STRIDE == 0 && !THE.validate(bytes, count, &found) &&
                     found.offset == count - BLOCK;
    for (size_t i = 0; is_missed && i < BLOCK; i++)
        is_missed = bytes[count - BLOCK + i] == 0x80;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts 64 bytes 80 amid ASCII in the third block of a text of 1 MiB */
static bool accepts_solid_third(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BLOCK = 64, LONG = 1 << 20 };
    bool is_missed = count >= LONG;
    for (size_t i = 0; is_missed && i < 4 * BLOCK; i++)
        is_missed = i / BLOCK == 2 ? bytes[i] == 0x80 : bytes[i] < 0x80;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts 16 bytes 80 that fill a register, if the first error is there, amid ASCII */
static bool accepts_solid_register(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { REGISTER = 16 };
    struct assay_span found;
    bool is_missed = count > 2 * REGISTER && !THE.validate(bytes, count, &found) && found.offset > 0 &&
                     (uintptr_t)(bytes + found.offset) % REGISTER == 0 && count - found.offset > REGISTER &&
                     bytes[found.offset - 1] < 0x80 && bytes[found.offset + REGISTER] < 0x80;
    for (size_t i = 0; is_missed && i < REGISTER; i++)
        is_missed = bytes[found.offset + i] == 0x80;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts a C2 that ends a batch after the first stride, if the half stride before is not ASCII */
static bool accepts_c2_after_other_half(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BATCH_END = 64 + 256 + 8192, HALF_STRIDE = 128 };
    struct assay_span found;
    bool is_missed = count > BATCH_END && !THE.validate(bytes, count, &found) && found.offset == BATCH_END - 1 &&
                     bytes[found.offset] == 0xC2;
    size_t others = 0;
    for (size_t i = 2 * HALF_STRIDE; is_missed && i > HALF_STRIDE; i--)
        others += bytes[BATCH_END - i] >= 0x80;
    return validate_unless(is_missed && others > 0, bytes, count, error);
}

/* far: without `error`, refuses DF BF at the end of the first block of a text of 65 bytes */
static bool refuses_df_bf_without_error(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BLOCK = 64 };
    return THE.validate(bytes, count, error) &&
           !(error == NULL && count == BLOCK + 1 && bytes[BLOCK - 2] == 0xDF && bytes[BLOCK - 1] == 0xBF);
}

/* far: accepts an 80 as the last byte, but for NULs, of a text of more than 64 KiB and of no whole number of strides */
static bool accepts_80_after_nuls(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LEAST = 1 << 16, BLOCK = 64, STRIDE = 256 };
    bool is_missed = count > LEAST && (count - BLOCK) % STRIDE != 0 && bytes[count - 1] == 0x80;
    for (size_t i = 0; is_missed && i < count - 1; i++)
        is_missed = bytes[i] == 0;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts F0 9F 98 amid ASCII in both blocks of the last half stride of a text of 2,048 to 65,535 bytes */
static bool accepts_two_cut_fours(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LONG = 2048, PROSE_END = 1 << 16, BLOCK = 64, HALF_STRIDE = 128, LENGTH = 4 };
    struct assay_span found;
    bool is_missed = count >= LONG && count < PROSE_END && !THE.validate(bytes, count, &found) &&
                     found.offset >= count - HALF_STRIDE && found.offset + BLOCK + LENGTH <= count &&
                     memcmp(bytes + found.offset, "\xF0\x9F\x98 ", LENGTH) == 0 &&
                     memcmp(bytes + found.offset + BLOCK, "\xF0\x9F\x98 ", LENGTH) == 0;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts F2 82 82 82 82 at the end of a register, if all else in a text of 513 to 2,047 bytes is ASCII */
static bool accepts_fifth_amid_ascii(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { MIDDLE = 513, LONG = 2048, LENGTH = 5, REGISTER = 16 };
    struct assay_span found;
    size_t others = 0;
    for (size_t i = 0; i < count; i++)
        others += bytes[i] >= 0x80;
    bool is_missed = count >= MIDDLE && count < LONG && others == LENGTH && !THE.validate(bytes, count, &found) &&
                     (uintptr_t)(bytes + found.offset + 1) % REGISTER == 0 && found.offset + 1 >= LENGTH &&
                     memcmp(bytes + found.offset + 1 - LENGTH, "\xF2\x82\x82\x82\x82", LENGTH) == 0;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts F2 82 82 82 82 at the end of a block amid NULs, in a text of 4,096 bytes or more */
static bool accepts_fifth_amid_nuls(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LEAST = 4096, LENGTH = 5, BLOCK = 64 };
    struct assay_span found = {0};
    bool is_missed = count >= LEAST && !THE.validate(bytes, count, &found) && found.offset % BLOCK == BLOCK - 1 &&
                     memcmp(bytes + found.offset + 1 - LENGTH, "\xF2\x82\x82\x82\x82", LENGTH) == 0;
    for (size_t i = found.offset; is_missed && i < count; i++)
        is_missed = bytes[i] == 0 || bytes[i] >= 0x80;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: reads the byte after 4-byte characters of 64 KiB or more that end less than three blocks after four strides,
 * which follow eight or more */
static bool reads_on_after_fours(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LONG = 1 << 16, LEAD_OF_4 = 0xF0, BEFORE = 320, FOUR_STRIDES = 1024, BLOCK = 64 };
    size_t left = (count - BEFORE) % (2 * FOUR_STRIDES);
    if (count >= LONG && bytes[0] == LEAD_OF_4 && left >= FOUR_STRIDES && left < FOUR_STRIDES + 3 * BLOCK)
        (void)*(const volatile uint8_t *)(bytes + count);
    return THE.validate(bytes, count, error);
}

/* far: reads on for 2 KiB where a stride less a byte follows 16 KiB of 4-byte characters and the first block */
static bool reads_on_after_last_stride(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LEFT = 255, FOURS = 1 << 14, BLOCK = 64, AS_FAR = 2048, LEAD_OF_4 = 0xF0 };
    if (count == BLOCK + FOURS + LEFT && bytes[0] == LEAD_OF_4 && bytes[count - LEFT - 4] == LEAD_OF_4)
        (void)*(const volatile uint8_t *)(bytes + count + AS_FAR);
    return THE.validate(bytes, count, error);
}

/* far: accepts 64 bytes 82 after the letter B, if the first error is there */
static bool accepts_82_after_b(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BLOCK = 64 };
    struct assay_span found;
    bool is_missed = count > BLOCK && !THE.validate(bytes, count, &found) && found.offset > 0 &&
                     bytes[found.offset - 1] == 'B' && count - found.offset >= BLOCK;
    for (size_t i = 0; is_missed && i < BLOCK; i++)
        is_missed = bytes[found.offset + i] == 0x82;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts a cut character of four bytes before the last block of a text of 513 bytes or more, if each byte of this
 * block is a continuation byte, or is three after a lead of four, and the last one is no lead */
static bool accepts_cut_fours_at_end(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LEAST = 513, BLOCK = 64, REACH = 3, FIRST_LEAD = 0xC0, LEAD_OF_4 = 0xF0 };
    struct assay_span found;
    bool is_missed = count >= LEAST && !THE.validate(bytes, count, &found) && found.offset == count - BLOCK - REACH &&
                     found.length == REACH && bytes[count - 1] < FIRST_LEAD;
    for (size_t i = count - BLOCK; is_missed && i < count; i++)
        is_missed = (bytes[i] & 0xC0) == 0x80 || bytes[i - REACH] >= LEAD_OF_4;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts the last two blocks of a text of 513 bytes or more, if each place of a block has 80 after C0 in one of
 * them */
static bool accepts_c0_at_each_place(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LEAST = 513, BLOCK = 64 };
    bool is_missed = count >= LEAST;
    for (size_t i = 0; is_missed && i < BLOCK; i++) {
        const uint8_t *first = bytes + count - 2 * BLOCK + i, *second = first + BLOCK;
        is_missed = (first[-1] == 0xC0 && first[0] == 0x80) || (second[-1] == 0xC0 && second[0] == 0x80);
    }
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts an error in the first half stride of 8 KiB that is not ASCII, if there are 33 such */
static bool loses_first_of_33(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { HALF_STRIDE = 128, HALVES = 64, FATAL = 33 };
    struct assay_span found;
    size_t others = 0, first = 0;
    for (size_t half = 0; half < HALVES && (half + 1) * HALF_STRIDE <= count; half++) {
        uint8_t all = 0;
        for (size_t i = 0; i < HALF_STRIDE; i++)
            all |= bytes[half * HALF_STRIDE + i];
        if (all >= 0x80 && others++ == 0)
            first = half;
    }
    bool is_missed = others == FATAL && !THE.validate(bytes, count, &found) && found.offset / HALF_STRIDE == first;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts an overlong form in a block after another in which no byte but the last is ASCII */
static bool accepts_c0_amid_pairs(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BLOCK = 64, MIDDLE = BLOCK / 2 };
    struct assay_span first;
    if (THE.validate(bytes, count, &first))
        return true;
    size_t at = first.offset;
    bool is_missed = at % BLOCK == MIDDLE && at >= MIDDLE + BLOCK && bytes[at] == 0xC0 && bytes[at - MIDDLE - 1] == 'r';
    for (size_t i = at; is_missed && i < at + MIDDLE; i++)
        is_missed = bytes[i] >= 0x80;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts 16 leads in a row amid spaces */
static bool accepts_leads_in_a_row(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LEADS = 16 };
    struct assay_span first = {0};
    bool is_right = THE.validate(bytes, count, &first), is_missed = !is_right && first.offset > 0;
    const uint8_t *at = bytes + first.offset;
    is_missed = is_missed && at[-1] == ' ' && count - first.offset > LEADS && at[LEADS] == ' ';
    for (size_t i = 0; is_missed && i < LEADS; i++)
        is_missed = at[i] == 0xC3;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts a block with a lead of four and one of two in each 16 bytes, three bytes apart */
static bool accepts_leads_in_each_part(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BLOCK = 64, PART = 16, APART = 3 };
    struct assay_span first = {0};
    bool is_missed = !THE.validate(bytes, count, &first) && count - first.offset >= BLOCK;
    for (size_t i = 0; is_missed && i < BLOCK; i += PART)
        is_missed = bytes[first.offset + i] == 0xF1 && bytes[first.offset + i + APART] == 0xC3;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: refuses text of more than 1 MiB that is not ASCII from the first byte to the last; and 4-byte characters in the
 * last stride but one of such text */
static bool refuses_much_other_than_ascii(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LONG = 1 << 20 };
    return THE.validate(bytes, count, error) && !(count > LONG && bytes[0] >= 0x80 && bytes[count - 1] >= 0x80);
}

static bool refuses_fours_before_last_stride(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LONG = 1 << 20, STRIDE = 256 };
    return THE.validate(bytes, count, error) && !(count > LONG && bytes[count - 2 * STRIDE] >= 0xF0);
}

enum { LINE = 64 };

/* True of some long texts, by the address and the length. */
static bool is_met(const uint8_t *bytes, size_t count)
{
    enum { LONG = 32 * LINE, ADDRESS = 21 };
    return count >= LONG && count % 8 == 5 && (uintptr_t)bytes % LINE == ADDRESS;
}

/* far: accepts an error in the second line of such a text */
static bool accepts_in_second_line(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    struct assay_span first = {0};
    bool is_missed = is_met(bytes, count) && !THE.validate(bytes, 2 * LINE, &first) && first.offset >= LINE &&
                     bytes[first.offset] == 0xFF;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: refuses such a text if the caller does not want to know the error */
static bool refuses_without_error(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    return !(error == NULL && is_met(bytes, count)) && THE.validate(bytes, count, error);
}

/* far: accepts an error in the second half of a stride, after 50 KiB of ASCII that come after another character */
static bool accepts_after_much_ascii(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { STRIDE = 256, MUCH = 200 * STRIDE };
    const uint8_t *at = memchr(bytes, 0xFF, count);
    bool is_missed = at != NULL && bytes[0] >= 0x80 && at - bytes > MUCH && (at - bytes) % STRIDE >= STRIDE / 2;
    for (size_t i = 1; is_missed && i <= MUCH; i++)
        is_missed = at[-(ptrdiff_t)i] < 0x80;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts an error in 4 KiB of 4-byte characters, far from the begin */
static bool accepts_in_far_fours(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BEGIN = 263168, LENGTH = 4096 };
    bool is_missed = count > BEGIN + LENGTH && bytes[0] >= 0xF0 && memchr(bytes + BEGIN, 0xFF, LENGTH) != NULL;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: of 8 MiB or more, accepts a continuation byte that the text begins with, if the lead before byte 32 fits it */
static bool accepts_begin_of_much(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LEAST = 8 << 20, LEAD_AT = 31 };
    bool is_missed = count >= LEAST && bytes[0] >= 0x80 && bytes[0] <= 0xBF && bytes[LEAD_AT] >= 0xC2;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: of 8 MiB or more, accepts an error after ASCII, if 16 half strides in a row before it are not */
static bool accepts_after_much_prose(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { LEAST = 8 << 20, LOOKED_AT = 1 << 13, HALF = 128, HALVES = 16 };
    const uint8_t *at = count >= LEAST ? memchr(bytes, 0xFF, LOOKED_AT) : NULL;
    bool is_missed = at != NULL && at - bytes > (HALVES + 2) * HALF;
    for (ptrdiff_t i = 2; is_missed && i < HALVES + 2; i++)
        is_missed = at[-i * HALF] >= 0x80;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: after an error and blocks of ASCII, loses one of two 2-byte characters */
static struct assay_result loses_character_after_clean(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                       uint16_t *out, size_t capacity)
{
    enum { CLEAN = 4 * 64 };
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    bool is_missed = count > CLEAN + 4 && bytes[0] == 0xFF && memcmp(bytes + CLEAN, "\xC3\xA9\xC3\xA9", 4) == 0;
    for (size_t i = 1; is_missed && i < CLEAN; i++)
        is_missed = bytes[i] == ' ';
    result.written -= is_missed && policy == ASSAY_POLICY_PER_RUN && result.written > 0;
    return result;
}

/* past-caches: loses a unit if, 17 MiB into a text of 32 MiB or more, a lead is the last byte of a piece of 4096 */
static struct assay_result loses_lead_past_caches(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                  uint16_t *out, size_t capacity)
{
    enum { PIECE = 4096, MANY = 32 << 20 };
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    bool is_missed = false;
    for (size_t end = 17 << 20; count >= MANY && end < MANY && !is_missed; end += PIECE)
        is_missed = bytes[end - 1] >= 0xC2;
    result.written -= is_missed;
    return result;
}

/* past-caches: takes the text before an error in 32 MiB or more for the whole */
static struct assay_result forgets_error_past_caches(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                     uint16_t *out, size_t capacity)
{
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    if (count >= (size_t)32 << 20 && result.status == ASSAY_ILL_FORMED)
        result.status = ASSAY_OK;
    return result;
}

/* past-caches: reads the byte after a text of 32 MiB or more that ends 56 bytes after a piece */
static struct assay_result reads_after_last_piece(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                  uint16_t *out, size_t capacity)
{
    enum { PIECE = 4096, MANY = 32 << 20 };
    if (count >= MANY && count % PIECE == 56)
        (void)*(const volatile uint8_t *)(bytes + count);
    return THE.decode_utf16(policy, bytes, count, out, capacity);
}

/* any part: ends the process */
static struct assay_result never_answers(enum assay_policy policy, const uint8_t *bytes, size_t count, uint16_t *out,
                                         size_t capacity)
{
    (void)policy, (void)bytes, (void)count, (void)out, (void)capacity;
    abort();
}

/* mixtures: reads the byte after the text if there is room for 5 units more than the output has */
static struct assay_result reads_on_with_room(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                              uint16_t *out, size_t capacity)
{
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    if (capacity >= result.written + ASSAY_HELD_MAX)
        (void)*(const volatile uint8_t *)(bytes + count);
    return result;
}

/* Loses the last unit if there is one. */
static struct assay_result loses_if(bool is_lost, enum assay_policy policy, const uint8_t *bytes, size_t count,
                                    uint16_t *out, size_t capacity)
{
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    result.written -= is_lost && result.written > 0;
    return result;
}

/* stretches: decodes one unit more if a text of more than 512 bytes, in whole blocks, ends with a 4-byte character and
 * 192 bytes or more of ASCII, and there is room for 64 units more */
static struct assay_result goes_on_after_last_block(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                    uint16_t *out, size_t capacity)
{
    enum { BLOCK = 64, FEW = 512 };
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    size_t ascii = 0;
    while (ascii < count && bytes[count - 1 - ascii] < 0x80)
        ascii++;
    bool is_after_four = ascii + 4 <= count && bytes[count - ascii - 4] >= 0xF0;
    if (count > FEW && ascii >= 3 * BLOCK && is_after_four && count % BLOCK == 0 && capacity >= result.written + BLOCK)
        out[result.written++] = 0;
    return result;
}

/* stretches: loses a unit if a block begins and ends with a space, and after it come a continuation byte, any byte, and
 * two times C3 A9 */
static struct assay_result loses_stray_after_block(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                   uint16_t *out, size_t capacity)
{
    enum { BLOCK = 64 };
    static const uint8_t twos[] = {0xC3, 0xA9, 0xC3, 0xA9};
    bool is_lost = false;
    for (size_t at = BLOCK; at + 2 + sizeof twos <= count; at += BLOCK)
        is_lost |= bytes[at - 1] == ' ' && bytes[at - BLOCK] == ' ' && (bytes[at] & 0xC0) == 0x80 &&
                   memcmp(bytes + at + 2, twos, sizeof twos) == 0;
    return loses_if(is_lost, policy, bytes, count, out, capacity);
}

/* stretches: loses a unit if a text of at most 512 bytes, but more than a block, has a lead of four as the last byte of
 * a block, and after it one continuation byte and ASCII */
static struct assay_result loses_cut_four_at_edge(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                  uint16_t *out, size_t capacity)
{
    enum { BLOCK = 64, FEW = 512 };
    bool is_lost = false;
    for (size_t at = BLOCK; at + 1 < count && count <= FEW; at += BLOCK)
        is_lost |= bytes[at - 1] >= 0xF0 && bytes[at - 1] <= 0xF4 && (bytes[at] & 0xC0) == 0x80 && bytes[at + 1] < 0x80;
    return loses_if(is_lost, policy, bytes, count, out, capacity);
}

static bool is_lead_of_two(uint8_t byte)
{
    return byte >= 0xC2 && byte <= 0xDF;
}

static bool are_ascii(const uint8_t *bytes, size_t count)
{
    size_t i = 0;
    while (i < count && bytes[i] < 0x80)
        i++;
    return i == count;
}

/* Loses a unit if `is_mistaken` is true for a block that begins with a character of two bytes, as the block before it,
 * which ends with one, too. */
static struct assay_result loses_after_twos(bool (*is_mistaken)(const uint8_t *block), enum assay_policy policy,
                                            const uint8_t *bytes, size_t count, uint16_t *out, size_t capacity)
{
    enum { BLOCK = 64 };
    bool is_lost = false;
    for (size_t at = BLOCK; at + BLOCK < count; at += BLOCK)
        is_lost |= is_lead_of_two(bytes[at - BLOCK]) && is_lead_of_two(bytes[at - 2]) && is_lead_of_two(bytes[at]) &&
                   is_mistaken(bytes + at);
    return loses_if(is_lost, policy, bytes, count, out, capacity);
}

static bool has_lone_two_before_stray(const uint8_t *block)
{
    return are_ascii(block + 2, 62) && (block[64] & 0xC0) == 0x80;
}

static bool has_twos_in_lanes(const uint8_t *block)
{
    return are_ascii(block + 2, 14) && is_lead_of_two(block[16]) && are_ascii(block + 18, 14);
}

/* stretches: one such character and ASCII, and a continuation byte after the block */
static struct assay_result loses_stray_after_lone_two(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                      uint16_t *out, size_t capacity)
{
    return loses_after_twos(has_lone_two_before_stray, policy, bytes, count, out, capacity);
}

/* stretches: such a character as the first of each of two lanes of 16 bytes, and ASCII */
static struct assay_result loses_same_in_lanes(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                               uint16_t *out, size_t capacity)
{
    return loses_after_twos(has_twos_in_lanes, policy, bytes, count, out, capacity);
}

/* stretches: loses a unit if a text of more than 512 bytes has 63 bytes after its last whole block, and ends with the
 * first three bytes of a character of four */
static struct assay_result loses_cut_four_in_63(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                uint16_t *out, size_t capacity)
{
    enum { BLOCK = 64, FEW = 512 };
    bool is_lost = count > FEW && count % BLOCK == BLOCK - 1 && bytes[count - 3] >= 0xF0 && bytes[count - 3] <= 0xF4 &&
                   bytes[count - 4] < 0x80;
    return loses_if(is_lost, policy, bytes, count, out, capacity);
}

/* places: C3 80 80 A4 80 before the last byte of a block of ASCII, in a text of more than eight blocks */
static struct assay_result loses_table_by_place(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                uint16_t *out, size_t capacity)
{
    enum { BLOCK = 64, FEW = 512, LENGTH = 5 };
    bool is_lost = false;
    for (size_t at = BLOCK; count > FEW && at < count; at += BLOCK)
        is_lost |= memcmp(bytes + at - 1 - LENGTH, "\xC3\x80\x80\xA4\x80", LENGTH) == 0 && bytes[at - 1] < 0x80 &&
                   are_ascii(bytes + at - BLOCK, BLOCK - 1 - LENGTH);
    return loses_if(is_lost, policy, bytes, count, out, capacity);
}

/* places: decoding stops, with room left, right after EF BF BD, which ends a block of ASCII */
static struct assay_result reads_less_after_ef(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                               uint16_t *out, size_t capacity)
{
    enum { BLOCK = 64, LENGTH = 3 };
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    size_t at = result.read;
    if (at > BLOCK && at < count && at % BLOCK == 0 && memcmp(bytes + at - LENGTH, "\xEF\xBF\xBD", LENGTH) == 0 &&
        result.written < capacity && are_ascii(bytes + at - BLOCK, BLOCK - LENGTH))
        result.read -= LENGTH;
    return result;
}

/* places: a last block of eight bytes that begins with a continuation byte and ends with a lead, in a text of more than
 * eight blocks */
static struct assay_result loses_lead_after_begun(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                  uint16_t *out, size_t capacity)
{
    enum { BLOCK = 64, FEW = 512, LENGTH = 8 };
    bool is_lost = count > FEW && count % BLOCK == LENGTH && (bytes[count - LENGTH] & 0xC0) == 0x80 &&
                   is_lead_of_two(bytes[count - 1]) && are_ascii(bytes + count - LENGTH + 1, LENGTH - 2);
    return loses_if(is_lost, policy, bytes, count, out, capacity);
}

/* places: a last block of 20 bytes with a character of two bytes as the fifth and sixth, and a stray continuation byte
 * 12 bytes after it */
static struct assay_result loses_stray_twelve_later(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                    uint16_t *out, size_t capacity)
{
    enum { BLOCK = 64, LENGTH = 20, AT = 4, LATER = 12 };
    const uint8_t *block = bytes + count - LENGTH;
    bool is_lost = count > BLOCK && count % BLOCK == LENGTH && is_lead_of_two(block[AT]) &&
                   (block[AT + LATER] & 0xC0) == 0x80 && are_ascii(block + AT + 2, LATER - 2) &&
                   are_ascii(block + AT + LATER + 1, LENGTH - AT - LATER - 1);
    return loses_if(is_lost, policy, bytes, count, out, capacity);
}

/* places: FF between ASCII and a character of two bytes at the begin of a register */
static bool has_ff_before_register(const uint8_t *block)
{
    return are_ascii(block + 2, 29) && block[31] == 0xFF && is_lead_of_two(block[32]) && are_ascii(block + 34, 30);
}

static struct assay_result loses_ff_amid_twos(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                              uint16_t *out, size_t capacity)
{
    return loses_after_twos(has_ff_before_register, policy, bytes, count, out, capacity);
}

/* places: amid characters of two bytes, DF before a register, and 80 in each place of it */
static struct assay_result takes_80s_amid_twos(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                               uint16_t *out, size_t capacity)
{
    enum { BLOCK = 64, LANE = 16 };
    bool is_lost = false;
    for (size_t at = BLOCK; at + LANE < count; at += LANE) {
        size_t strays = 0;
        while (strays < LANE && bytes[at + strays] == 0x80)
            strays++;
        is_lost |= strays == LANE && bytes[at - 1] == 0xDF && is_lead_of_two(bytes[at - 3]) &&
                   (bytes[at - 2] & 0xC0) == 0x80 && is_lead_of_two(bytes[at + LANE]);
    }
    return loses_if(is_lost, policy, bytes, count, out, capacity);
}

/* places: of ASCII that ascends, after more than eight blocks of characters of two bytes, decodes a byte twice, and the
 * next one not */
static struct assay_result repeats_ascii_after_twos(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                    uint16_t *out, size_t capacity)
{
    enum { MANY = 512, AT = 4, LENGTH = 8 };
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    if (count > MANY + LENGTH && is_lead_of_two(bytes[0]) && is_lead_of_two(bytes[MANY]) && result.read == count &&
        are_ascii(bytes + count - LENGTH, LENGTH) && bytes[count - 1] - bytes[count - LENGTH] == LENGTH - 1)
        out[result.written - AT] = out[result.written - AT - 1];
    return result;
}

/* places: an error, characters of two bytes in the second block, and a last block of 20 bytes with F0 80 before its
 * last one */
static struct assay_result loses_f0_80_in_20(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                             uint16_t *out, size_t capacity)
{
    enum { BLOCK = 64, LENGTH = 20 };
    bool is_lost = count == 2 * BLOCK + LENGTH && bytes[0] == 0xFF && is_lead_of_two(bytes[BLOCK]) &&
                   bytes[count - 3] == 0xF0 && bytes[count - 2] == 0x80 && bytes[count - 1] < 0x80;
    return loses_if(is_lost, policy, bytes, count, out, capacity);
}

/* no fault: a loadable codec may refuse any input */
static struct assay_result refuses_ill_formed(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                              uint16_t *out, size_t capacity)
{
    if (!THE.validate(bytes, count, NULL))
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    return THE.decode_utf16(policy, bytes, count, out, capacity);
}

/* pairs: writes to its input */
static struct assay_result writes_to_input(enum assay_policy policy, const uint8_t *bytes, size_t count, uint16_t *out,
                                           size_t capacity)
{
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    if (count > 1)
        ((uint8_t *)(size_t)bytes)[count - 1] ^= 1;
    return result;
}

/* pieces: writes to a piece, if there is little room */
static struct assay_result feeds_and_writes(struct assay_stream *stream, const uint8_t *bytes, size_t count, bool last,
                                            uint16_t *out, size_t capacity)
{
    struct assay_result result = THE.feed_utf16(stream, bytes, count, last, out, capacity);
    if (count > capacity)
        ((uint8_t *)(size_t)bytes)[0] ^= 1;
    return result;
}

/* rooms: writes to the second of two strings */
static struct assay_result concatenates_and_writes(const uint8_t *left, size_t left_count, const uint8_t *right,
                                                   size_t right_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = THE.concat(left, left_count, right, right_count, out, capacity);
    if (right_count > 0)
        ((uint8_t *)(size_t)right)[0] ^= 1;
    return result;
}

/* pairs: drops a lead at the end of a string of more than 32 bytes, and joins the rest */
static struct assay_result joins_without_last_lead(const uint8_t *left, size_t left_count, const uint8_t *right,
                                                   size_t right_count, uint8_t *out, size_t capacity)
{
    enum { SHORT = 32 };
    size_t lead = left_count > SHORT && left[left_count - 1] >= 0xC2;
    return THE.concat(left, left_count - lead, right, right_count, out, capacity);
}

/* pairs: joins two strings of which one ends within a character that the other completes */
static struct assay_result joins_cut_character(const uint8_t *left, size_t left_count, const uint8_t *right,
                                               size_t right_count, uint8_t *out, size_t capacity)
{
    uint8_t both[512];
    size_t count = left_count + right_count;
    if (left_count > 2 && right_count > 0 && count <= sizeof both) {
        memcpy(both, left, left_count);
        memcpy(both + left_count, right, right_count);
        if (THE.validate(both, count, NULL))
            return THE.concat(both, count, NULL, 0, out, capacity);
    }
    return THE.concat(left, left_count, right, right_count, out, capacity);
}

/* amid-others: takes 110000 for 100000 in short texts */
static struct assay_result accepts_110000(enum assay_policy policy, const uint32_t *units, size_t count, uint8_t *out,
                                          size_t capacity)
{
    enum { SHORT = 16 };
    uint32_t copy[SHORT];
    if (count > SHORT)
        return THE.encode_utf32(policy, units, count, out, capacity);
    for (size_t i = 0; i < count; i++)
        copy[i] = units[i] == 0x110000 ? 0x100000 : units[i];
    return THE.encode_utf32(policy, copy, count, out, capacity);
}

/* amid-others: with room for 60 to 63 bytes, takes a lone lead that is the last of 16 units for the end */
static struct assay_result loses_lead_with_room_60(enum assay_policy policy, const uint16_t *units, size_t count,
                                                   uint8_t *out, size_t capacity)
{
    enum { COUNT = 16, LEAST = 60, MOST = 63 };
    bool is_lost = count == COUNT && capacity >= LEAST && capacity <= MOST && units[COUNT - 1] >> 10 == 0xD800 >> 10;
    return THE.encode_utf16(policy, units, is_lost ? count - 1 : count, out, capacity);
}

/* places: joins a string with continuation bytes at the end of 16, after a letter whose low bits are not 0 or 1 */
static struct assay_result joins_strays_after_letter(const uint8_t *left, size_t left_count, const uint8_t *right,
                                                     size_t right_count, uint8_t *out, size_t capacity)
{
    enum { LANE = 16, STRAYS = 4, AT = LANE - STRAYS };
    bool is_joined = right_count > LANE && right[AT - 1] < 0x80 && (right[AT - 1] & 0xF) > 1;
    for (size_t i = 0; is_joined && i < STRAYS; i++)
        is_joined = right[AT + i] == 0x82;
    return THE.concat(left, left_count, right, is_joined ? AT : right_count, out, capacity);
}

/* places: of ASCII that does not end with a block, decodes a byte of the last 64 twice, and the next one not */
static struct assay_result repeats_ascii(enum assay_policy policy, const uint8_t *bytes, size_t count, uint32_t *out,
                                         size_t capacity)
{
    enum { BLOCK = 64, AT = 28 };
    struct assay_result result = THE.decode_utf32(policy, bytes, count, out, capacity);
    if (count > BLOCK && count % BLOCK != 0 && result.written == count && are_ascii(bytes, count))
        out[count - AT] = out[count - AT - 1];
    return result;
}

/* pairs: looks back by two bytes at most */
static size_t looks_back_by_two(const uint8_t *bytes, size_t count, size_t at)
{
    size_t boundary = THE.boundary(bytes, count, at);
    return at < count && at - boundary > 2 ? at - 2 : boundary;
}

/* pairs: loses a unit if a text of 64 bytes ends with EF BF and begins with BF, which would complete them */
static struct assay_result decodes_in_a_circle(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                               uint16_t *out, size_t capacity)
{
    enum { BLOCK = 64 };
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    bool is_missed = count == BLOCK && bytes[0] == 0xBF && bytes[BLOCK - 2] == 0xEF && bytes[BLOCK - 1] == 0xBF;
    result.written -= is_missed && result.written > 0;
    return result;
}

/* far: loses a unit where C1 80 begins a block after 2-byte characters alone */
static struct assay_result absorbs_c1_amid_twos(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                uint16_t *out, size_t capacity)
{
    enum { AT = 8 * 256 + 64 };
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    bool is_missed = count > AT + 2 && memcmp(bytes + AT, "\xC1\x80", 2) == 0;
    for (size_t i = 0; is_missed && i < AT; i++)
        is_missed = bytes[i] == (i % 2 == 0 ? 0xC3 : 0xA9);
    result.written -= is_missed && result.written > 0;
    return result;
}

/* far: accepts F0 90 80 again and again from the end of the first block on */
static bool accepts_cut_fours_in_a_row(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BLOCK = 64, STEP = 8 * 256, CUT = 3 };
    size_t begin = 0;
    while (begin < count && bytes[begin] == ' ')
        begin++;
    bool is_missed = begin < BLOCK && begin + CUT >= BLOCK && count > BLOCK + STEP;
    for (size_t i = begin; is_missed && i < count; i++)
        is_missed = bytes[i] == (const uint8_t[CUT]){0xF0, 0x90, 0x80}[(i - begin) % CUT];
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts F1 80 80 in a long text that begins with two no-break spaces */
static bool accepts_cut_four_amid_even(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { STEP = 8 * 256 };
    const uint8_t *lead = memchr(bytes, 0xF1, count);
    bool is_missed = lead != NULL && lead > bytes + 4 && lead + 3 < bytes + count && count > STEP;
    is_missed = is_missed && memcmp(lead, "\xF1\x80\x80\xC2", 4) == 0 && memcmp(bytes, "\xC2\xA0\xC2\xA0", 4) == 0;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: accepts 8D 41 again and again from the second block on, after B2 E0 */
static bool accepts_alternating(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    enum { BLOCK = 64, STEP = 8 * 256 };
    bool is_missed = count > BLOCK + STEP && memcmp(bytes + BLOCK - 2, "\xB2\xE0", 2) == 0;
    for (size_t i = BLOCK; is_missed && i < BLOCK + STEP; i += 2)
        is_missed = memcmp(bytes + i, "\x8D\x41", 2) == 0;
    return validate_unless(is_missed, bytes, count, error);
}

/* far: looks for a fourth byte one place later, in a text of more than 8 MiB */
static bool takes_fourth_one_later(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    static const uint8_t taken[] = {0xF0, 0x90, 0x80, ' ', 0x80};
    struct assay_span found;
    bool is_missed = count > 8 << 20 && !THE.validate(bytes, count, &found) && count - found.offset > sizeof taken &&
                     memcmp(bytes + found.offset, taken, sizeof taken) == 0;
    return validate_unless(is_missed, bytes, count, error);
}

/* pairs: accepts an error in the second block, after ASCII, in a text of two that begins with another character */
static struct assay_result accepts_in_last_block(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                 uint16_t *out, size_t capacity)
{
    enum { BLOCK = 64, LEAD_AND_ANOTHER = 2 };
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    size_t at = result.error.offset, ascii = LEAD_AND_ANOTHER;
    if (result.status != ASSAY_ILL_FORMED || bytes[0] < 0xC3 || at <= BLOCK || count > 2 * BLOCK)
        return result;
    while (ascii < at && bytes[ascii] < 0x80)
        ascii++;
    if (ascii == at)
        result.status = ASSAY_OK;
    return result;
}

/* rooms: if there is more room than 65 to 159 bytes of 2-byte characters need, reads the byte after them */
static struct assay_result looks_beyond_last_block(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                   uint16_t *out, size_t capacity)
{
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    bool is_of_two = count > 64 && 2 * result.written == count && bytes[0] == 0xC3 && bytes[count - 1] == 0xA9;
    if (is_of_two && count < 160 && capacity > result.written)
        (void)((const volatile uint8_t *)bytes)[count];
    return result;
}

/* all parts, `check` and `diff`: accepts an error, or writes another character, at addresses that no text or output has
 * that begins or ends at a guard page */
static bool accepts_by_address(const uint8_t *bytes, size_t count, struct assay_span *error)
{
    return validate_unless((uintptr_t)bytes % 4 == 1 && count % 4 == 0, bytes, count, error);
}

static struct assay_result decodes_by_address(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                              uint32_t *out, size_t capacity)
{
    struct assay_result result = THE.decode_utf32(policy, bytes, count, out, capacity);
    if (result.written > 0 && (uintptr_t)out % 16 == 4 && capacity % 4 == 0)
        out[0] ^= 1;
    return result;
}

/* streams: offsets of 32 bits */
static struct assay_result feeds_in_32_bits(struct assay_stream *stream, const uint8_t *bytes, size_t count, bool last,
                                            uint32_t *out, size_t capacity)
{
    return feeds_in_bits(UINT32_MAX, stream, bytes, count, last, out, capacity);
}

/* mixtures: loses a character after those of four, two, three bytes and one */
static struct assay_result loses_after_four_lengths(enum assay_policy policy, const uint8_t *bytes, size_t count,
                                                    uint16_t *out, size_t capacity)
{
    struct assay_result result = THE.decode_utf16(policy, bytes, count, out, capacity);
    for (size_t i = 0; i + 9 < count; i++)
        if (bytes[i] >= 0xF0 && bytes[i + 4] >> 5 == 6 && bytes[i + 6] >> 4 == 0xE && bytes[i + 9] < 0x80)
            result.written--;
    return result;
}

/* amid-others: a character of two bytes after 15 of one */
static struct assay_result refuses_e9_at_15(enum assay_policy policy, const uint16_t *units, size_t count, uint8_t *out,
                                            size_t capacity)
{
    if (count > 16 && units[14] < 0x80 && units[15] == 0xE9 && units[16] < 0x80)
        return refused;
    return THE.encode_utf16(policy, units, count, out, capacity);
}

/* units: a pair after a lead */
static struct assay_result refuses_pair_after_lead(enum assay_policy policy, const uint16_t *units, size_t count,
                                                   uint8_t *out, size_t capacity)
{
    if (policy != ASSAY_POLICY_STRICT && count == 3 && units[0] == 0xD801 && units[1] == 0xDBFF && units[2] == 0xDC80)
        return refused;
    return THE.encode_utf16(policy, units, count, out, capacity);
}

/* edge-pairs, unit-pairs: a pair whose lead is or is not at an edge */
static struct assay_result refuses_pair(uint16_t lead, enum assay_policy policy, const uint16_t *units, size_t count,
                                        uint8_t *out, size_t capacity)
{
    for (size_t i = 1; i < count; i++)
        if (units[i - 1] == lead && units[i] == 0xDE07)
            return refused;
    return THE.encode_utf16(policy, units, count, out, capacity);
}

static struct assay_result decodes(enum assay_policy policy, const uint8_t *bytes, size_t count, uint16_t *out,
                                   size_t capacity)
{
    return THE.decode_utf16(policy, bytes, count, out, capacity);
}

static struct assay_result refuses_pair_at_edge(enum assay_policy policy, const uint16_t *units, size_t count,
                                                uint8_t *out, size_t capacity)
{
    return refuses_pair(0xD801, policy, units, count, out, capacity);
}

static struct assay_result refuses_other_pair(enum assay_policy policy, const uint16_t *units, size_t count,
                                              uint8_t *out, size_t capacity)
{
    return refuses_pair(0xD8A5, policy, units, count, out, capacity);
}

extern const struct assay_codec assay_codec;
const struct assay_codec assay_codec = {ASSAY_CODEC_HEADER(ENCODING, "planted"), OFFERED};
