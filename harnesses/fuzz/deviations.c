/* SPDX-License-Identifier: MIT
 *
 * The rows of ../subjects/deviations.def that say what a decoder takes or refuses besides UTF-8. Under `strict` such a
 * row decides the whole answer: the place of the first error, and the text before it. A divergence is explained if the
 * answer is the one of the row.
 */
#include "deviations.h"

#include <string.h>

enum { TWO = 1 << 2, THREE = 1 << 3, FOUR = 1 << 4 }; /* lengths of overlong forms that are accepted */
enum { NUL = 1, LAST = 2, NONCHARACTERS = 4 };        /* sets of code points; LAST: U+FFFE and U+FFFF */
enum { REPLACED_BYTE = 0xDC00, TOP = 0x10FFFF };

struct taking {
    unsigned overlong; /* TWO, THREE, FOUR */
    unsigned refused;  /* NUL, LAST, NONCHARACTERS */
    uint32_t top;      /* the greatest value that is accepted; 0: U+10FFFF */
    uint32_t alone;    /* bytes from this one on are characters of their own; 0: none is */
    size_t lost_after; /* F5..F7 and three continuation bytes after more UTF-16 units than this are dropped; 0: never */
    bool surrogates;
    bool takes_c080;
    bool strays;      /* a continuation byte is the lead of two bytes */
    bool pairs;       /* two surrogates in a row are one character */
    bool signature;   /* one U+FEFF at the beginning is removed */
    bool only_text;   /* its validation accepts only UTF-8 */
    bool keeps_bytes; /* text that it accepts besides UTF-8 is passed on, which adapters show as U+DC00 plus the byte */
};

static const struct {
    const char *codec;
    struct taking taking;
    const char *sentence;
} deviations[] = {
#define TAKES(...) \
    { \
        __VA_ARGS__ \
    }
#define UTF8_DEVIATION(codec, takes, errors, sentence, words, source) {#codec, takes, sentence},
#define UTF16_DEVIATION(...)
#define ENCODE_DEVIATION(...)
#define OTHER_DEVIATION(...)
#include "../subjects/deviations.def"
};

static bool is_refused(const struct taking *taking, uint32_t value)
{
    bool is_noncharacter = value <= TOP && ((value & 0xFFFE) == 0xFFFE || (value >= 0xFDD0 && value <= 0xFDEF));
    return ((taking->refused & NUL) != 0 && value == 0) ||
           ((taking->refused & LAST) != 0 && (value == 0xFFFE || value == 0xFFFF)) ||
           ((taking->refused & NONCHARACTERS) != 0 && is_noncharacter);
}

/* True if the value may be written in a sequence of `length` bytes. */
static bool takes(const struct taking *taking, uint32_t value, size_t length)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000};
    bool is_overlong = value < smallest[length] && !(taking->takes_c080 && value == 0 && length == 2);
    return !(is_overlong && (taking->overlong & 1U << length) == 0) &&
           (taking->surrogates || value < 0xD800 || value > 0xDFFF) &&
           value <= (taking->top != 0 ? taking->top : TOP) && !is_refused(taking, value);
}

/* Returns the length of the sequence at `bytes` that is accepted, and sets its value; 0 if none is accepted. */
static size_t take(const struct taking *taking, const uint8_t *bytes, size_t left, uint32_t *value)
{
    uint8_t lead = bytes[0];
    size_t length = lead < 0x80   ? 1
                    : lead < 0xC0 ? (taking->strays ? 2 : 0)
                    : lead < 0xE0 ? 2
                    : lead < 0xF0 ? 3
                    : lead < 0xF8 ? 4
                    : lead < 0xFC ? 5
                    : lead < 0xFE ? 6
                                  : 0;
    *value = lead;
    if (taking->alone != 0 && lead >= taking->alone)
        return 1;
    if (length > 1)
        *value = lead & 0x7FU >> length;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
        *value = *value << 6 | (bytes[i] & 0x3FU);
    }
    return takes(taking, *value, length) ? length : 0;
}

/* Output that is compared with the answer, unit by unit. */
struct comparison {
    const struct answer *answer;
    size_t unit; /* bytes */
    size_t count;
    bool differs;
};

static void compare_unit(struct comparison *comparison, uint32_t unit)
{
    uint16_t narrow = (uint16_t)unit;
    const void *wanted = comparison->unit == 2 ? (const void *)&narrow : &unit;
    if (comparison->count >= comparison->answer->result.written)
        comparison->differs = true;
    else if (memcmp((const uint8_t *)comparison->answer->output + comparison->count * comparison->unit, wanted,
                    comparison->unit) != 0)
        comparison->differs = true;
    comparison->count++;
}

static void compare_value(struct comparison *comparison, uint32_t value)
{
    if (comparison->unit == 2 && value > 0xFFFF) {
        compare_unit(comparison, 0xD7C0 + (value >> 10));
        value = 0xDC00 | (value & 0x3FF);
    }
    compare_unit(comparison, value);
}

/* True if Xerces drops the sequence at `bytes`, after `units` UTF-16 units since the last one that it dropped. */
static bool is_lost(const struct taking *taking, const uint8_t *bytes, size_t left, size_t units)
{
    static const struct taking old_scheme = {.top = 0x1FFFFF};
    uint32_t value;
    return taking->lost_after > 0 && units > taking->lost_after && bytes[0] >= 0xF5 &&
           take(&old_scheme, bytes, left, &value) == 4;
}

/* Decodes as the deviating decoder does, up to the first error. Returns its offset, or `count`. */
static size_t decode(const struct taking *taking, const uint8_t *bytes, size_t count, struct comparison *comparison)
{
    static const struct taking utf8 = {0};
    size_t at = taking->signature && count >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    size_t units = 0; /* of UTF-16, since the last bytes that were dropped */
    for (size_t length; at < count; at += length) {
        uint32_t value, plain, trail;
        if (is_lost(taking, bytes + at, count - at, units)) {
            length = 4;
            units = 0;
            continue;
        }
        length = take(taking, bytes + at, count - at, &value);
        units += length == 4 ? 2 : 1;
        if (length == 0 || (comparison->unit == 2 && value > TOP))
            break;
        size_t second = taking->pairs && (value & 0xFFFFFC00) == 0xD800 && at + length < count
                            ? take(taking, bytes + at + length, count - at - length, &trail)
                            : 0;
        if (second > 0 && (trail & 0xFFFFFC00) == 0xDC00) {
            value = 0x10000 + ((value & 0x3FF) << 10 | (trail & 0x3FF));
            length += second;
        }
        if (comparison->unit == 0)
            continue;
        if (!taking->keeps_bytes || take(&utf8, bytes + at, count - at, &plain) == length)
            compare_value(comparison, value);
        else
            for (size_t i = 0; i < length; i++)
                compare_unit(comparison, REPLACED_BYTE + bytes[at + i]);
    }
    return at;
}

/* True if the deviation gives this answer to decoding or validating. */
static bool explains_decoding(const struct taking *taking, const struct question *question, const struct answer *answer)
{
    bool is_validation = question->operation == OP_VALIDATE;
    struct comparison comparison = {.answer = answer,
                                    .unit = is_validation ? 0 : operation_output_unit(question->operation)};
    if (is_validation && taking->only_text)
        return false;
    size_t good = decode(taking, question->input, question->input_count, &comparison);
    bool is_ok = good == question->input_count, is_stated = answer->result.error.offset != ASSAY_UNKNOWN;
    if (answer->result.status != (is_ok ? ASSAY_OK : ASSAY_ILL_FORMED) ||
        (!is_ok && is_stated && answer->result.error.offset != good))
        return false;
    return is_validation ||
           (!comparison.differs && comparison.count == answer->result.written && answer->result.read == good);
}

/* True if encoding stopped at the first unit that is refused. */
static bool explains_encoding(const struct taking *taking, const struct divergence *divergence)
{
    const struct question *question = divergence->question;
    const struct assay_result *result = &divergence->actual->result;
    size_t unit = operation_input_unit(question->operation), at = 0;
    for (uint32_t value; at < question->input_count; at++) {
        value = 0;
        if (unit == 2)
            value = ((const uint16_t *)question->input)[at];
        else
            value = ((const uint32_t *)question->input)[at];
        if (is_refused(taking, value))
            break;
    }
    return at < question->input_count && result->status == ASSAY_ILL_FORMED && result->read == at &&
           result->written <= divergence->expected->result.written &&
           (result->written == 0 ||
            memcmp(divergence->actual->output, divergence->expected->output, result->written) == 0);
}

static bool explains(const struct taking *taking, const struct divergence *divergence)
{
    const struct question *question = divergence->question;
    bool is_strict = !operation_has_policy(question->operation) || question->policy == ASSAY_POLICY_STRICT;
    if (!is_strict || !answer_is_usable(divergence->actual) || divergence->actual->wavers)
        return false;
    switch (question->operation) {
    case OP_VALIDATE:
    case OP_DECODE_UTF32:
    case OP_DECODE_UTF16: return explains_decoding(taking, question, divergence->actual);
    case OP_ENCODE_UTF32:
    case OP_ENCODE_UTF16: return explains_encoding(taking, divergence);
    default: return false;
    }
}

const char *deviation_of(const struct divergence *divergence)
{
    for (size_t i = 0; i < sizeof deviations / sizeof deviations[0]; i++)
        if (strcmp(deviations[i].codec, divergence->codec->name) == 0 && explains(&deviations[i].taking, divergence))
            return deviations[i].sentence;
    return NULL;
}
