/* SPDX-License-Identifier: MIT */
#include "promise.h"

#include "bytes.h"
#include "survivors.h"
#include "utf16.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum law promise_law(enum promise promise)
{
    static const enum law laws[] = {
#define X(id) LAW_##id,
        PROMISES(X)
#undef X
    };
    return laws[promise];
}

const char *promise_name(enum promise promise)
{
    return law_name(promise_law(promise));
}

const char *promise_sentence(enum promise promise)
{
    return law_sentence(promise_law(promise));
}

/* ---- which encoding makes which promise ------------------------------------------------------------- */

#define ONE(id) (1u << PROMISE_##id)
#define UTF8_PROMISES \
    (ONE(ASCII) | ONE(NO_ZERO) | ONE(SYNC) | ONE(SORTS) | ONE(DISJOINT) | ONE(LOCAL) | ONE(CONCATENATES))

/* WTF-8 does not promise concatenation (section 6.5). CESU-8 has the order of UTF-16 (UTR 26, 1). Modified UTF-8 has no
 * byte 00, and is ASCII except for U+0000. If a lead and a trail surrogate are one character of six bytes together, and
 * code points alone, the other promises fail: two such adjacent code points read as one character. For the schemes: the
 * promises that "Inventing UTF-8" claims. */
static const struct {
    const char *encoding;
    unsigned promises;
} claims[] = {
    {"utf-8", UTF8_PROMISES},
    {"generalized-utf-8", UTF8_PROMISES},
    {"wtf-8", UTF8_PROMISES & ~ONE(CONCATENATES)},
    {"cesu-8", (UTF8_PROMISES & ~ONE(SORTS)) | ONE(SORTS_UTF16)},
    {"cesu-8-jdk", ONE(ASCII) | ONE(NO_ZERO) | ONE(SORTS_UTF16)},
    {"mutf-8", ONE(NO_ZERO)},
    {"mutf-8-readutf", ONE(NO_ZERO)},
    {"utf-16le", ONE(CONCATENATES)},
    {"utf-16be", ONE(CONCATENATES) | ONE(SORTS_UTF16)},
    {"wtf-16be", ONE(SORTS_UTF16)},
    {"leb128", ONE(CONCATENATES)},
    {"counter-naive", ONE(ASCII) | ONE(NO_ZERO) | ONE(CONCATENATES)},
    {"counter-terrible", ONE(ASCII) | ONE(NO_ZERO) | ONE(SYNC) | ONE(DISJOINT) | ONE(LOCAL) | ONE(CONCATENATES)},
    {"counter-decent", ONE(ASCII) | ONE(NO_ZERO) | ONE(SYNC) | ONE(DISJOINT) | ONE(LOCAL) | ONE(CONCATENATES)},
    {"unary", ONE(CONCATENATES)},
    {"unary-freed", UTF8_PROMISES & ~ONE(ASCII)},
    {"utf-8-unchecked", UTF8_PROMISES & ~ONE(ASCII)},
    {"utf-8-biased", UTF8_PROMISES},
    {"utf-8-rfc2279", UTF8_PROMISES},
#define EXCEPT(claim, encoding) EXCEPT_##claim(encoding)
#define EXCEPT_promises(encoding) {encoding, 0},
#include "claims.def"
#undef EXCEPT_promises
};

bool promise_is_claimed(enum promise promise, const char *encoding)
{
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++)
        if (strcmp(claims[i].encoding, encoding) == 0)
            return (claims[i].promises >> promise & 1) != 0;
    fprintf(stderr, "assay: nothing is known of what %s promises; it needs a row in harnesses/core/promise.c\n",
            encoding);
    exit(2);
}

static bool offers_what_checks_need(const struct assay_codec *codec)
{
    return codec->validate != NULL && codec_offers(codec, OP_DECODE_UTF32, ASSAY_POLICY_STRICT) &&
           codec_offers(codec, OP_DECODE_UTF32, ASSAY_POLICY_SKIP) &&
           codec_offers(codec, OP_DECODE_UTF32, ASSAY_POLICY_WHATWG);
}

/* Remembers the last codec: a fuzzer has one, and asks for each input. */
bool promise_can_be_asked(const struct assay_codec *codec)
{
    static const struct assay_codec *last;
    static bool can_be_asked;
    if (codec != last)
        can_be_asked = offers_what_checks_need(codec);
    last = codec;
    return can_be_asked;
}

/* ---- texts ------------------------------------------------------------------------------------------ */

bool spelling_add(struct spelling *spelling, const struct assay_codec *codec, uint32_t character)
{
    if (spelling->character_count == SPELLING_CHARACTERS)
        return false;
    size_t room = SPELLING_BYTES - spelling->byte_count;
    asking_directly(codec, (struct question){
                               .operation = OP_ENCODE_UTF32, .input = &character, .input_count = 1, .capacity = room});
    struct assay_result result =
        codec->encode_utf32(ASSAY_POLICY_STRICT, &character, 1, spelling->bytes + spelling->byte_count, room);
    asking_ends();
    if (result.status != ASSAY_OK || result.written == 0 || result.written > room)
        return false;
    spelling->characters[spelling->character_count++] = character;
    spelling->byte_count += result.written;
    spelling->begins[spelling->character_count] = spelling->byte_count;
    return true;
}

/* Ignores a count that is larger than the capacity. */
static struct assay_result decode_some(const struct assay_codec *codec, enum assay_policy policy, const uint8_t *bytes,
                                       size_t byte_count, uint32_t *out, size_t capacity)
{
    asking_directly(codec, (struct question){.operation = OP_DECODE_UTF32,
                                             .policy = policy,
                                             .input = bytes,
                                             .input_count = byte_count,
                                             .capacity = capacity});
    struct assay_result result = codec->decode_utf32(policy, bytes, byte_count, out, capacity);
    asking_ends();
    if (result.read > byte_count || result.written > capacity)
        result.read = result.written = 0;
    return result;
}

static size_t decode(const struct assay_codec *codec, enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                     uint32_t *out, size_t capacity)
{
    return decode_some(codec, policy, bytes, byte_count, out, capacity).written;
}

/* With room for one character, decoding stops after it. */
struct spelling spelling_of(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count)
{
    struct spelling spelling = {0};
    size_t most = byte_count < SPELLING_BYTES ? byte_count : SPELLING_BYTES;
    while (spelling.byte_count < most && spelling.character_count < SPELLING_CHARACTERS) {
        struct assay_result one =
            decode_some(codec, ASSAY_POLICY_STRICT, bytes + spelling.byte_count, most - spelling.byte_count,
                        &spelling.characters[spelling.character_count], 1);
        if (one.written == 0 || one.read == 0)
            break;
        spelling.byte_count += one.read;
        spelling.begins[++spelling.character_count] = spelling.byte_count;
    }
    while (spelling.character_count > 0 && !ask_well_formed(codec, bytes, spelling.byte_count, NULL))
        spelling.byte_count = spelling.begins[--spelling.character_count];
    bytes_copy(spelling.bytes, bytes, spelling.byte_count);
    return spelling;
}

/* Room for a text after any damage. */
#define OUT_CAPACITY ASSAY_DECODED_MAX(SPELLING_BYTES + 1)

static bool decodes_to(const struct assay_codec *codec, enum assay_policy policy, const uint8_t *bytes,
                       size_t byte_count, const uint32_t *characters, size_t count)
{
    uint32_t out[OUT_CAPACITY];
    return decode(codec, policy, bytes, byte_count, out, OUT_CAPACITY) == count &&
           bytes_equal(out, characters, count * sizeof *out);
}

/* ---- the checks -------------------------------------------------------------------------------------- */

static bool keeps_ascii(const struct spelling *text, char *said)
{
    for (size_t i = 0; i < text->character_count; i++) {
        uint32_t character = text->characters[i];
        size_t length = text->begins[i + 1] - text->begins[i];
        if (character < 0x80 && (length != 1 || text->bytes[text->begins[i]] != character)) {
            snprintf(said, SAID_SIZE, "U+%04X is not the byte %02X", character, character);
            return false;
        }
        for (size_t at = text->begins[i]; character >= 0x80 && at < text->begins[i + 1]; at++)
            if (text->bytes[at] < 0x80) {
                snprintf(said, SAID_SIZE, "U+%04X has the byte %02X in it", character, text->bytes[at]);
                return false;
            }
    }
    return true;
}

static bool keeps_no_zero(const struct spelling *text, char *said)
{
    for (size_t i = 0; i < text->character_count; i++)
        for (size_t at = text->begins[i]; at < text->begins[i + 1]; at++)
            if (text->bytes[at] == 0 && text->characters[i] != 0) {
                snprintf(said, SAID_SIZE, "U+%04X has the byte 00 in it", text->characters[i]);
                return false;
            }
    return true;
}

static bool keeps_sync(const struct assay_codec *codec, const struct spelling *text, char *said)
{
    for (size_t cut = 0, before = 0, after = 0; cut <= text->byte_count; cut++) {
        while (before < text->character_count && text->begins[before + 1] <= cut)
            before++;
        while (text->begins[after] < cut)
            after++;
        size_t begin = text->begins[before];
        if (!decodes_to(codec, ASSAY_POLICY_SKIP, text->bytes, cut, text->characters, before))
            snprintf(said, SAID_SIZE, "decoding up to byte %zu gives other characters than the text has there", cut);
        else if (!decodes_to(codec, ASSAY_POLICY_SKIP, text->bytes + cut, text->byte_count - cut,
                             text->characters + after, text->character_count - after))
            snprintf(said, SAID_SIZE, "decoding from byte %zu on gives other characters than the text has there", cut);
        else if (codec->boundary != NULL && ask_boundary(codec, text->bytes, text->byte_count, cut) != begin)
            snprintf(said, SAID_SIZE, "byte %zu is said to belong to a character that begins at another than byte %zu",
                     cut, begin);
        else
            continue;
        return false;
    }
    return true;
}

/* Negative, 0 or positive; a prefix is less. Not by memcmp(), which a sanitizer intercepts. */
static int order_of_bytes(const struct spelling *text, size_t a, size_t b)
{
    size_t a_at = text->begins[a], b_at = text->begins[b];
    for (; a_at < text->begins[a + 1] && b_at < text->begins[b + 1]; a_at++, b_at++)
        if (text->bytes[a_at] != text->bytes[b_at])
            return text->bytes[a_at] < text->bytes[b_at] ? -1 : 1;
    return (a_at < text->begins[a + 1]) - (b_at < text->begins[b + 1]);
}

/* A number that sorts as the UTF-16 units of the code point do. */
static uint64_t utf16_key(uint32_t character)
{
    uint16_t units[2] = {0};
    utf16_write(character, units);
    return (uint64_t)units[0] << 16 | units[1];
}

static bool keeps_order(const struct spelling *text, bool as_utf16, char *said)
{
    for (size_t i = 0; i + 1 < text->character_count; i++) {
        uint32_t a = text->characters[i], b = text->characters[i + 1];
        uint64_t a_key = as_utf16 ? utf16_key(a) : a, b_key = as_utf16 ? utf16_key(b) : b;
        int order = order_of_bytes(text, i, i + 1);
        if ((order > 0) != (a_key > b_key) || (order < 0) != (a_key < b_key)) {
            snprintf(said, SAID_SIZE, "U+%04X comes %s U+%04X, its bytes do not", a, a_key < b_key ? "before" : "after",
                     b);
            return false;
        }
    }
    return true;
}

static bool keeps_disjoint(const struct assay_codec *codec, const struct spelling *text, char *said)
{
    for (size_t from = 0, character = 0; from < text->byte_count; from++) {
        character += text->begins[character + 1] <= from;
        for (size_t to = from + 1; to <= text->byte_count && to - from <= ASSAY_ENCODED_MAX(1); to++) {
            uint32_t inner[2];
            bool is_whole = text->begins[character] == from && text->begins[character + 1] == to;
            if (is_whole || !ask_well_formed(codec, text->bytes + from, to - from, NULL) ||
                decode(codec, ASSAY_POLICY_STRICT, text->bytes + from, to - from, inner, 2) != 1)
                continue;
            if (to - from == 1)
                snprintf(said, SAID_SIZE, "byte %zu is U+%04X", from, inner[0]);
            else
                snprintf(said, SAID_SIZE, "bytes %zu to %zu are U+%04X", from, to - 1, inner[0]);
            return false;
        }
    }
    return true;
}

/* True if at most two characters are lost by a change at byte `at`: if `replaces`, it gets the value, or is removed if
 * the value is negative; else a byte of that value is inserted before it. */
static bool survives(const struct assay_codec *codec, const struct spelling *text, size_t at, int value, bool replaces,
                     char *said)
{
    uint8_t damaged[SPELLING_BYTES + 1];
    uint32_t out[OUT_CAPACITY];
    size_t added = value >= 0, removed = replaces;
    memcpy(damaged, text->bytes, at);
    if (value >= 0)
        damaged[at] = (uint8_t)value;
    memcpy(damaged + at + added, text->bytes + at + removed, text->byte_count - at - removed);
    size_t count = decode(codec, ASSAY_POLICY_WHATWG, damaged, text->byte_count + added - removed, out, OUT_CAPACITY);
    struct survivors same = survivors(text->characters, text->character_count, out, count);
    size_t lost = text->character_count - same.head - same.tail;
    if (lost <= 2)
        return true;
    if (value < 0)
        snprintf(said, SAID_SIZE, "without byte %zu, %zu characters are lost", at, lost);
    else
        snprintf(said, SAID_SIZE, "with %02X %s byte %zu, %zu characters are lost", (unsigned)value,
                 replaces ? "in place of" : "before", at, lost);
    return false;
}

static bool keeps_local(const struct assay_codec *codec, const struct spelling *text, struct dice *dice, char *said)
{
    if (text->byte_count == 0)
        return true;
    if (dice != NULL) {
        size_t at = dice_roll(dice, text->byte_count);
        int value = (int)dice_roll(dice, 257) - 1;
        return survives(codec, text, at, value, value < 0 || dice_roll(dice, 2) == 0, said);
    }
    for (size_t at = 0; at < text->byte_count; at++)
        for (int value = -1; value < 256; value++)
            if (!survives(codec, text, at, value, true, said) ||
                (value >= 0 && !survives(codec, text, at, value, false, said)))
                return false;
    return true;
}

bool spelling_is_read(const struct assay_codec *codec, const struct spelling *text)
{
    return decodes_to(codec, ASSAY_POLICY_STRICT, text->bytes, text->byte_count, text->characters,
                      text->character_count);
}

bool spelling_concatenates(const struct assay_codec *codec, const struct spelling *text)
{
    return ask_well_formed(codec, text->bytes, text->byte_count, NULL) && spelling_is_read(codec, text);
}

/* Says why the text does not concatenate. Returns false. */
static bool breaks_concatenation(const struct assay_codec *codec, const struct spelling *text, char *said)
{
    bool is_well_formed = ask_well_formed(codec, text->bytes, text->byte_count, NULL);
    snprintf(said, SAID_SIZE, "%s",
             is_well_formed ? "together they are other characters" : "each is well-formed, both together are not");
    return false;
}

bool promise_holds(enum promise promise, const struct assay_codec *codec, const struct spelling *text,
                   bool concatenates, struct dice *dice, char said[SAID_SIZE])
{
    if (concatenates == (promise == PROMISE_CONCATENATES)) /* kept, or it cannot be checked */
        return true;
    switch (promise) {
    case PROMISE_ASCII: return keeps_ascii(text, said);
    case PROMISE_NO_ZERO: return keeps_no_zero(text, said);
    case PROMISE_SYNC: return keeps_sync(codec, text, said);
    case PROMISE_SORTS: return keeps_order(text, false, said);
    case PROMISE_SORTS_UTF16: return keeps_order(text, true, said);
    case PROMISE_DISJOINT: return keeps_disjoint(codec, text, said);
    case PROMISE_LOCAL: return keeps_local(codec, text, dice, said);
    default: return breaks_concatenation(codec, text, said);
    }
}
