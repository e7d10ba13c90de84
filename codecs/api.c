/* SPDX-License-Identifier: MIT
 *
 * The interface for applications (utf8_assay.h) over the codecs that are built in.
 *
 * Bytes to units is a codec's decoding, units to bytes its encoding. From one encoding of bytes to another, a codec
 * decodes to code points in a buffer on the stack, and another codec encodes these (struct pipe).
 */
#include "utf8_assay.h"

#include "assume.h"
#include "built_in.h"

#include <string.h>

/* utf8_assay.h has numbers that do not change, codec.h the lists: they must agree. */
#define X(id, ...) \
    _Static_assert((int)UTF8_ASSAY_FAULT_##id == (int)ASSAY_FAULT_##id, "faults have the numbers of codec.h");
ASSAY_FAULTS(X)
#undef X
#define X(id, ...) \
    _Static_assert((int)UTF8_ASSAY_##id == (int)ASSAY_POLICY_##id, "policies have the numbers of codec.h");
ASSAY_POLICIES(X)
#undef X
_Static_assert((int)UTF8_ASSAY_OK == (int)ASSAY_OK && (int)UTF8_ASSAY_ILL_FORMED == (int)ASSAY_ILL_FORMED &&
                   (int)UTF8_ASSAY_OUTPUT_FULL == (int)ASSAY_OUTPUT_FULL &&
                   (int)UTF8_ASSAY_UNSUPPORTED == (int)ASSAY_UNSUPPORTED,
               "statuses have the numbers of codec.h");

/* ---- encodings and their codecs ------------------------------------------------------------------------ */

static const char *const encoding_names[] = {
    [UTF8_ASSAY_UTF_8] = "utf-8",
    [UTF8_ASSAY_GENERALIZED_UTF_8] = "generalized-utf-8",
    [UTF8_ASSAY_WTF_8] = "wtf-8",
    [UTF8_ASSAY_CESU_8] = "cesu-8",
    [UTF8_ASSAY_CESU_8_JDK] = "cesu-8-jdk",
    [UTF8_ASSAY_MUTF_8] = "mutf-8",
    [UTF8_ASSAY_MUTF_8_READUTF] = "mutf-8-readutf",
    [UTF8_ASSAY_UTF_16LE] = "utf-16le",
    [UTF8_ASSAY_UTF_16BE] = "utf-16be",
    [UTF8_ASSAY_WTF_16LE] = "wtf-16le",
    [UTF8_ASSAY_WTF_16BE] = "wtf-16be",
    [UTF8_ASSAY_UTF_16] = "utf-16",
    [UTF8_ASSAY_UTF_32] = "utf-32",
};

enum { NAME_COUNT = sizeof encoding_names / sizeof encoding_names[0], OF_BYTES_LAST = UTF8_ASSAY_WTF_16BE };

enum {
    REGISTERED_COUNT = 0
#define ENCODING(id, name) +1
#include "codecs.def"
};
_Static_assert((int)REGISTERED_COUNT == (int)OF_BYTES_LAST,
               "every encoding of codecs.def has a number in utf8_assay.h");

unsigned utf8_assay_api_version(void)
{
    return UTF8_ASSAY_API_VERSION;
}

static bool is_of_bytes(enum utf8_assay_encoding encoding)
{
    return (unsigned)encoding - 1u < (unsigned)OF_BYTES_LAST; /* `encoding` may be any number, also a negative one */
}

static const struct assay_codec *found_codecs[OF_BYTES_LAST + 1];

/* Not inlined, so that codec_of() has no registers to save. Threads that make the first call at the same time find and
 * store the same pointer. */
static __attribute__((noinline)) const struct assay_codec *find_codec(enum utf8_assay_encoding encoding)
{
    const struct assay_codec *codec = built_in_fastest(encoding_names[encoding]);
    __atomic_store_n(&found_codecs[encoding], codec, __ATOMIC_RELAXED);
    return codec;
}

/* Returns the codec of an encoding; NULL if this build has none, or it is not an encoding of bytes. */
static inline const struct assay_codec *codec_of(enum utf8_assay_encoding encoding)
{
    if (!is_of_bytes(encoding))
        return NULL;
    const struct assay_codec *codec = __atomic_load_n(&found_codecs[encoding], __ATOMIC_RELAXED);
    return codec != NULL ? codec : find_codec(encoding);
}

const char *utf8_assay_encoding_name(enum utf8_assay_encoding encoding)
{
    return (unsigned)encoding < NAME_COUNT ? encoding_names[encoding] : NULL;
}

enum utf8_assay_encoding utf8_assay_encoding_by_name(const char *name)
{
    for (int i = 0; i < NAME_COUNT; i++) {
        enum utf8_assay_encoding encoding = (enum utf8_assay_encoding)i;
        if (encoding_names[i] != NULL && strcmp(encoding_names[i], name) == 0)
            return is_of_bytes(encoding) && codec_of(encoding) == NULL ? UTF8_ASSAY_NO_ENCODING : encoding;
    }
    return UTF8_ASSAY_NO_ENCODING;
}

const char *utf8_assay_implementation(enum utf8_assay_encoding encoding)
{
    const struct assay_codec *codec = codec_of(encoding);
    return codec != NULL ? codec->name : NULL;
}

static const struct {
    const char *name, *sentence;
} faults[] = {
#define X(id, name, sentence) {name, sentence},
    ASSAY_FAULTS(X)
#undef X
};

const char *utf8_assay_fault_name(int fault)
{
    return fault >= 0 && fault < ASSAY_FAULT_COUNT ? faults[fault].name : NULL;
}

const char *utf8_assay_fault_sentence(int fault)
{
    return fault >= 0 && fault < ASSAY_FAULT_COUNT ? faults[fault].sentence : NULL;
}

/* ---- results ------------------------------------------------------------------------------------------ */

static const struct assay_result unsupported = {.status = ASSAY_UNSUPPORTED};

/* Copied field by field, which `volatile` enforces: a compiler would load two fields at once, and such a load waits
 * until the codec's stores of both have reached the cache, which takes as long as half of a short conversion. */
static struct utf8_assay_error public_error(const volatile struct assay_span *span)
{
    return (struct utf8_assay_error){span->offset, span->length, (int)span->fault, span->incomplete};
}

static struct utf8_assay_result public_result(const volatile struct assay_result *result)
{
    return (struct utf8_assay_result){(int)result->status, result->read, result->written, public_error(&result->error)};
}

enum utf8_assay_status utf8_assay_validate(enum utf8_assay_encoding encoding, const void *bytes, size_t byte_count,
                                           struct utf8_assay_error *error)
{
    const struct assay_codec *codec = codec_of(encoding);
    struct assay_span span = {0};
    bool is_well_formed = codec == NULL || codec->validate(bytes, byte_count, error != NULL ? &span : NULL);
    if (error != NULL)
        *error = is_well_formed ? (struct utf8_assay_error){0} : public_error(&span);
    return codec == NULL ? UTF8_ASSAY_UNSUPPORTED : is_well_formed ? UTF8_ASSAY_OK : UTF8_ASSAY_ILL_FORMED;
}

/* ---- units to bytes ----------------------------------------------------------------------------------- */

static bool is_lead_surrogate(uint32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_trail_surrogate(uint32_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

/* If the output was full after a lead surrogate, and the trail after it is an error only because of that lead, sets
 * `read` back to before the lead: the next call must see both (WTF-8, section 4.1). */
static void give_back_lead(const struct assay_codec *codec, const uint32_t *units, struct assay_result *result)
{
    enum { PAIR_MAX = 14 };
    uint8_t out[PAIR_MAX];
    if (result->status != ASSAY_OUTPUT_FULL || result->read == 0 || !is_lead_surrogate(units[result->read - 1]) ||
        !is_trail_surrogate(units[result->read]))
        return;
    struct assay_result pair = codec->encode_utf32(ASSAY_POLICY_STRICT, units + result->read - 1, 2, out, sizeof out);
    if (pair.status != ASSAY_ILL_FORMED || pair.read == 0)
        return;
    result->read--;
    result->written -= pair.written;
}

static struct assay_result encode_once(const struct assay_codec *codec, enum assay_policy policy, bool is_utf16,
                                       const void *units, size_t unit_count, uint8_t *out, size_t capacity)
{
    return is_utf16 ? codec->encode_utf16(policy, units, unit_count, out, capacity)
                    : codec->encode_utf32(policy, units, unit_count, out, capacity);
}

/* Completes a result of encode_once() that is not OK. If the encoding lacks the policy, the policy is one that differs
 * from WHATWG only in how many U+FFFD replace ill-formed bytes. For encoding that makes no difference, so WHATWG is
 * used. The exception is surrogateescape, which stays unsupported. */
static __attribute__((noinline)) void finish_encoding(const struct assay_codec *codec, enum assay_policy policy,
                                                      bool is_utf16, const void *units, size_t unit_count, uint8_t *out,
                                                      size_t capacity, struct assay_result *result)
{
    if (result->status == ASSAY_UNSUPPORTED && policy != ASSAY_POLICY_SURROGATEESCAPE)
        *result = encode_once(codec, ASSAY_POLICY_WHATWG, is_utf16, units, unit_count, out, capacity);
    if (!is_utf16)
        give_back_lead(codec, units, result);
}

static struct assay_result encode(const struct assay_codec *codec, enum assay_policy policy, bool is_utf16,
                                  const void *units, size_t unit_count, uint8_t *out, size_t capacity)
{
    struct assay_result result = encode_once(codec, policy, is_utf16, units, unit_count, out, capacity);
    if (result.status != ASSAY_OK)
        finish_encoding(codec, policy, is_utf16, units, unit_count, out, capacity, &result);
    return result;
}

/* Encodes to 16-bit units in the byte order of the machine. A trail surrogate right after a lead is an error, because
 * UTF-16 would read the two as another code point (WTF-8, section 4.1). Two such errors are never next to each other.
 * Does not use the codec of WTF-16, which an amalgamation of chosen encodings may lack. */
static struct assay_result encode_units16(enum assay_policy policy, const uint32_t *units, size_t unit_count,
                                          uint8_t *out, size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    for (; result.read < unit_count; result.read++) {
        uint32_t unit = units[result.read];
        bool is_error = result.read > 0 && is_lead_surrogate(units[result.read - 1]) && is_trail_surrogate(unit);
        if (is_error && policy == ASSAY_POLICY_STRICT) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){result.read, 1, ASSAY_FAULT_SURROGATE_PAIR, false};
            return result;
        }
        uint16_t spelled[2] = {(uint16_t)(is_error ? 0xFFFD : unit), 0};
        size_t size = is_error && policy == ASSAY_POLICY_SKIP ? 0 : sizeof spelled[0];
        if (unit > 0xFFFF) {
            spelled[0] = (uint16_t)(0xD7C0 + (unit >> 10));
            spelled[1] = (uint16_t)(0xDC00 + (unit & 0x3FF));
            size = sizeof spelled;
        }
        if (capacity - result.written < size) {
            result.status = ASSAY_OUTPUT_FULL;
            return result;
        }
        memcpy(out + result.written, spelled, size);
        result.written += size;
    }
    return result;
}

static const struct assay_codec units16 = {ASSAY_CODEC_HEADER("utf-16", "units"), .encode_utf32 = encode_units16};

/* Adds the result for the rest of the input to that for the part before it. */
static void add_result(struct assay_result *total, const struct assay_result *rest)
{
    total->status = rest->status;
    total->error = rest->error;
    if (rest->status == ASSAY_ILL_FORMED)
        total->error.offset += total->read;
    total->read += rest->read;
    total->written += rest->written;
}

enum { SCRATCH_BYTES = 4096 };

static struct assay_result count_encoded(const struct assay_codec *codec, enum assay_policy policy, bool is_utf16,
                                         const void *units, size_t unit_count)
{
    uint8_t scratch[SCRATCH_BYTES];
    struct assay_result total = encode(codec, policy, is_utf16, units, unit_count, scratch, sizeof scratch);
    size_t unit_size = is_utf16 ? sizeof(uint16_t) : sizeof(uint32_t);
    while (total.status == ASSAY_OUTPUT_FULL) {
        const void *rest = total.read > 0 ? (const char *)units + total.read * unit_size : units;
        struct assay_result result =
            encode(codec, policy, is_utf16, rest, unit_count - total.read, scratch, sizeof scratch);
        add_result(&total, &result);
    }
    return total;
}

/* ---- bytes to units ----------------------------------------------------------------------------------- */

static struct assay_result count_decoded(const struct assay_codec *codec, enum assay_policy policy, bool is_utf16,
                                         const uint8_t *bytes, size_t byte_count)
{
    struct assay_count count = codec->count(policy, bytes, byte_count);
    struct assay_result result = {
        .status = count.status, .read = byte_count, .written = is_utf16 ? count.utf16_units : count.utf32_units};
    if (count.status == ASSAY_UNSUPPORTED)
        return unsupported;
    if (count.status == ASSAY_ILL_FORMED) {
        codec->validate(bytes, byte_count, &result.error);
        result.read = result.error.offset;
    }
    return result;
}

/* ---- bytes to bytes ----------------------------------------------------------------------------------- */

enum { CHUNK_UNITS = 1024, CHARACTER_MAX = 7, HELD_UNITS_MAX = 8 };

/* A conversion from bytes between two calls. */
struct pipe {
    int from, to; /* enum utf8_assay_encoding; NO_ENCODING if the pair is unsupported */
    struct assay_stream decoder;
    size_t position; /* bytes read since the start */
    uint32_t lead;   /* a lead surrogate that was read and not yet written, because a trail may follow; or 0 */
    bool is_in_run;  /* the last code point was one that `to` cannot hold */
};

_Static_assert(sizeof(struct pipe) <= sizeof(struct utf8_assay_stream), "the state of a stream has room");

static size_t encoded_length(const struct assay_codec *codec, enum assay_policy policy, uint32_t unit)
{
    uint8_t out[CHARACTER_MAX];
    return encode(codec, policy, false, &unit, 1, out, sizeof out).written;
}

static bool can_hold(const struct assay_codec *codec, uint32_t unit)
{
    return encoded_length(codec, ASSAY_POLICY_SKIP, unit) > 0;
}

/* Returns the offset of the first byte that was read and not yet decoded. If the input ends here, the held bytes become
 * an error that has as many bytes in the output. */
static size_t offset_of_held(const struct pipe *pipe, const struct assay_codec *from)
{
    struct assay_stream again = pipe->decoder;
    uint32_t units[HELD_UNITS_MAX];
    struct assay_result flushed = from->feed_utf32(&again, NULL, 0, true, units, HELD_UNITS_MAX);
    size_t begin = flushed.status == ASSAY_ILL_FORMED ? flushed.error.offset : pipe->position;
    for (size_t i = 0; i < flushed.written; i++)
        begin -= encoded_length(from, again.policy, units[i]);
    return begin;
}

/* Sets the place of a code point that `to` cannot hold: unit number `index` of this piece. Only the first may begin in
 * an earlier piece. Only STRICT and SURROGATEESCAPE stop, and under these each unit is encoded in the same bytes that
 * it was decoded from. */
static void locate_error(const struct pipe *pipe, const struct assay_codec *from, const uint8_t *bytes,
                         size_t byte_count, bool last, size_t index, uint32_t *units, uint32_t unit,
                         struct assay_result *result)
{
    struct pipe again = *pipe;
    size_t held = offset_of_held(pipe, from);
    result->read = index == 0 && held != pipe->position
                       ? 0
                       : from->feed_utf32(&again.decoder, bytes, byte_count, last, units, index).read;
    result->error.offset = index == 0 && held != pipe->position ? held : pipe->position + result->read;
    result->error.length = encoded_length(from, pipe->decoder.policy, unit);
}

/* Converts one chunk: decodes into `units`, and encodes these. */
static struct assay_result convert_chunk(struct pipe *pipe, const struct assay_codec *from,
                                         const struct assay_codec *to, const uint8_t *bytes, size_t byte_count,
                                         bool last, uint8_t *out, size_t capacity)
{
    uint32_t units[CHUNK_UNITS];
    struct pipe before = *pipe;
    enum assay_policy policy = pipe->decoder.policy;
    size_t held = pipe->lead != 0;
    units[0] = pipe->lead;
    struct assay_result decoded =
        from->feed_utf32(&pipe->decoder, bytes, byte_count, last, units + held, CHUNK_UNITS - held);
    size_t count = held + decoded.written, skipped = 0;
    bool is_end = decoded.status != ASSAY_OUTPUT_FULL && (last || decoded.status == ASSAY_ILL_FORMED);
    pipe->lead = 0;
    if (count > 0 && !is_end && is_lead_surrogate(units[count - 1]) && can_hold(to, units[count - 1]))
        pipe->lead = units[--count];
    if (policy == ASSAY_POLICY_PER_RUN && pipe->is_in_run)
        while (skipped < count && !can_hold(to, units[skipped]))
            skipped++;

    struct assay_result encoded = encode(to, policy, false, units + skipped, count - skipped, out, capacity);
    encoded.read += skipped;
    if (encoded.status == ASSAY_OK) {
        if (count > 0)
            pipe->is_in_run = !can_hold(to, units[count - 1]);
        encoded.status = decoded.status;
        encoded.error = decoded.error;
        encoded.read = decoded.read;
        return encoded;
    }
    /* Reads only as much as was written. The output of one error is decoded whole or not at all. */
    size_t index = encoded.read;
    uint32_t stopped_at = units[index], first = units[0];
    *pipe = before;
    if (encoded.status == ASSAY_ILL_FORMED) {
        locate_error(&before, from, bytes, byte_count, last, index - held, units, stopped_at, &encoded);
        pipe->lead = index >= held ? 0 : pipe->lead; /* the chunk was written */
        return encoded;
    }
    if (index < held)
        return (struct assay_result){.status = ASSAY_OUTPUT_FULL};
    decoded = from->feed_utf32(&pipe->decoder, bytes, byte_count, last, units + held, index - held);
    count = held + decoded.written;
    units[0] = held > 0 ? first : units[0];
    pipe->lead = 0;
    encoded = encode(to, policy, false, units + skipped, count > skipped ? count - skipped : 0, out, capacity);
    if (count > 0)
        pipe->is_in_run = !can_hold(to, units[count - 1]);
    return (struct assay_result){.status = ASSAY_OUTPUT_FULL, .read = decoded.read, .written = encoded.written};
}

static struct assay_result feed_pipe(struct pipe *pipe, const uint8_t *bytes, size_t byte_count, bool last,
                                     uint8_t *out, size_t capacity)
{
    const struct assay_codec *from = codec_of((enum utf8_assay_encoding)pipe->from),
                             *to = pipe->to == UTF8_ASSAY_UTF_16 ? &units16
                                                                 : codec_of((enum utf8_assay_encoding)pipe->to);
    struct assay_result total = {.status = ASSAY_OK};
    for (;;) {
        const uint8_t *here = total.read > 0 ? bytes + total.read : bytes;
        uint8_t *there = total.written > 0 ? out + total.written : out;
        struct assay_result result =
            convert_chunk(pipe, from, to, here, byte_count - total.read, last, there, capacity - total.written);
        total.status = result.status;
        total.error = result.error;
        total.read += result.read;
        total.written += result.written;
        pipe->position += result.read;
        if (result.status != ASSAY_OUTPUT_FULL || (result.read == 0 && result.written == 0))
            return total;
    }
}

/* True if a lead and a trail surrogate may be adjacent as two code points. */
static bool may_have_pairs(enum utf8_assay_encoding encoding)
{
    return encoding == UTF8_ASSAY_GENERALIZED_UTF_8;
}

/* ---- conversions -------------------------------------------------------------------------------------- */

static bool is_policy(enum utf8_assay_policy policy)
{
    return (unsigned)policy < ASSAY_POLICY_COUNT;
}

/* Sets up a pipe. Returns false if this build lacks one of the encodings, or if one of them lacks the policy. */
static bool open_pipe(struct pipe *pipe, enum utf8_assay_encoding from, enum utf8_assay_encoding to,
                      enum utf8_assay_policy policy)
{
    const struct assay_codec *source = codec_of(from), *target = codec_of(to);
    bool is_to_bytes = is_of_bytes(to);
    *pipe = (struct pipe){.from = UTF8_ASSAY_NO_ENCODING};
    if (source == NULL || !is_policy(policy) ||
        (is_to_bytes ? target == NULL : to != UTF8_ASSAY_UTF_16 && to != UTF8_ASSAY_UTF_32))
        return false;
    enum assay_policy offered = (enum assay_policy)policy;
    if (source->count(offered, NULL, 0).status == ASSAY_UNSUPPORTED ||
        (is_to_bytes && encode(target, offered, false, NULL, 0, NULL, 0).status == ASSAY_UNSUPPORTED))
        return false;
    pipe->from = (int)from;
    pipe->to = (int)to;
    assay_stream_start(&pipe->decoder, offered);
    return true;
}

static struct assay_result feed(struct pipe *pipe, const void *bytes, size_t byte_count, bool last, void *out,
                                size_t capacity)
{
    const struct assay_codec *from = codec_of((enum utf8_assay_encoding)pipe->from);
    if (from == NULL)
        return unsupported;
    if (pipe->to == UTF8_ASSAY_UTF_16 && may_have_pairs((enum utf8_assay_encoding)pipe->from)) {
        size_t units = capacity < SIZE_MAX / sizeof(uint16_t) ? capacity : SIZE_MAX / sizeof(uint16_t);
        struct assay_result result = feed_pipe(pipe, bytes, byte_count, last, out, units * sizeof(uint16_t));
        result.written /= sizeof(uint16_t);
        return result;
    }
    if (pipe->to == UTF8_ASSAY_UTF_16)
        return from->feed_utf16(&pipe->decoder, bytes, byte_count, last, out, capacity);
    if (pipe->to == UTF8_ASSAY_UTF_32)
        return from->feed_utf32(&pipe->decoder, bytes, byte_count, last, out, capacity);
    return feed_pipe(pipe, bytes, byte_count, last, out, capacity);
}

/* Not inlined, so that the conversions without a pipe have few registers to save. */
static __attribute__((noinline)) struct assay_result convert_piped(enum utf8_assay_encoding from,
                                                                   enum utf8_assay_encoding to,
                                                                   enum utf8_assay_policy policy, const void *input,
                                                                   size_t byte_count, void *output, size_t capacity)
{
    struct pipe pipe;
    if (!open_pipe(&pipe, from, to, policy))
        return unsupported;
    struct assay_result result = feed(&pipe, input, byte_count, true, output, capacity);
    if (pipe.lead != 0) /* the lead was read, but there was no room to write it: the next call reads it again */
        result.read -= encoded_length(codec_of(from), (enum assay_policy)policy, pipe.lead);
    return result;
}

struct utf8_assay_result utf8_assay_convert(enum utf8_assay_encoding from, enum utf8_assay_encoding to,
                                            enum utf8_assay_policy policy, const void *input, size_t unit_count,
                                            void *output, size_t capacity)
{
    const struct assay_codec *source = codec_of(from), *target = codec_of(to);
    enum assay_policy as = (enum assay_policy)policy;
    bool is_utf16 = from == UTF8_ASSAY_UTF_16;
    struct assay_result result;
    if (!is_policy(policy))
        return public_result(&unsupported);
    if (source != NULL && to == UTF8_ASSAY_UTF_16 && !may_have_pairs(from))
        result = source->decode_utf16(as, input, unit_count, output, capacity);
    else if (source != NULL && to == UTF8_ASSAY_UTF_32)
        result = source->decode_utf32(as, input, unit_count, output, capacity);
    else if (target == NULL || (!is_utf16 && from != UTF8_ASSAY_UTF_32))
        result = convert_piped(from, to, policy, input, unit_count, output, capacity);
    else {
        /* Not encode_once(): gcc copies a conditional result, by 16-byte loads that wait as in public_error(). */
        if (is_utf16)
            result = target->encode_utf16(as, input, unit_count, output, capacity);
        else
            result = target->encode_utf32(as, input, unit_count, output, capacity);
        if (result.status != ASSAY_OK)
            finish_encoding(target, as, is_utf16, input, unit_count, output, capacity, &result);
    }
    return public_result(&result);
}

static struct assay_result count_piped(struct pipe *pipe, const uint8_t *bytes, size_t byte_count)
{
    uint16_t scratch[SCRATCH_BYTES / sizeof(uint16_t)]; /* the output is bytes or 16-bit units */
    struct assay_result total = {.status = ASSAY_OUTPUT_FULL};
    while (total.status == ASSAY_OUTPUT_FULL) {
        struct assay_result result = feed(pipe, total.read > 0 ? bytes + total.read : bytes, byte_count - total.read,
                                          true, scratch, sizeof scratch / sizeof scratch[0]);
        total.status = result.status;
        total.error = result.error;
        total.read += result.read;
        total.written += result.written;
    }
    return total;
}

struct utf8_assay_result utf8_assay_count(enum utf8_assay_encoding from, enum utf8_assay_encoding to,
                                          enum utf8_assay_policy policy, const void *input, size_t unit_count)
{
    const struct assay_codec *source = codec_of(from), *target = codec_of(to);
    enum assay_policy as = (enum assay_policy)policy;
    struct assay_result result = unsupported;
    struct pipe pipe;
    if (!is_policy(policy))
        return public_result(&result);
    if (source != NULL && (to == UTF8_ASSAY_UTF_32 || (to == UTF8_ASSAY_UTF_16 && !may_have_pairs(from))))
        result = count_decoded(source, as, to == UTF8_ASSAY_UTF_16, input, unit_count);
    else if (target != NULL && (from == UTF8_ASSAY_UTF_16 || from == UTF8_ASSAY_UTF_32))
        result = count_encoded(target, as, from == UTF8_ASSAY_UTF_16, input, unit_count);
    else if (open_pipe(&pipe, from, to, policy))
        result = count_piped(&pipe, input, unit_count);
    return public_result(&result);
}

struct utf8_assay_result utf8_assay_to_well_formed(enum utf8_assay_encoding encoding, enum utf8_assay_policy policy,
                                                   const void *bytes, size_t byte_count, void *output, size_t capacity)
{
    const struct assay_codec *codec = codec_of(encoding);
    struct assay_result result = unsupported;
    if (codec != NULL && is_policy(policy))
        result = codec->to_well_formed((enum assay_policy)policy, bytes, byte_count, output, capacity);
    return public_result(&result);
}

struct utf8_assay_result utf8_assay_count_well_formed(enum utf8_assay_encoding encoding, enum utf8_assay_policy policy,
                                                      const void *bytes, size_t byte_count)
{
    const struct assay_codec *codec = codec_of(encoding);
    uint8_t scratch[SCRATCH_BYTES];
    struct assay_result total = {.status = ASSAY_OUTPUT_FULL};
    struct pipe pipe;
    if (codec == NULL || !is_policy(policy) || policy == UTF8_ASSAY_SURROGATEESCAPE)
        return public_result(&unsupported);
    /* whether a surrogate is kept depends on the output before it, which a stop would hide */
    if (encoding == UTF8_ASSAY_WTF_8) {
        total = open_pipe(&pipe, encoding, encoding, policy) ? count_piped(&pipe, bytes, byte_count) : unsupported;
        return public_result(&total);
    }
    while (total.status == ASSAY_OUTPUT_FULL) {
        const uint8_t *rest = total.read > 0 ? (const uint8_t *)bytes + total.read : bytes;
        struct assay_result result =
            codec->to_well_formed((enum assay_policy)policy, rest, byte_count - total.read, scratch, sizeof scratch);
        add_result(&total, &result);
    }
    return public_result(&total);
}

/* ---- streams ------------------------------------------------------------------------------------------ */

/* The state is copied in and out, so that its bytes may lie in memory of any type. */
enum utf8_assay_status utf8_assay_stream_start(struct utf8_assay_stream *stream, enum utf8_assay_encoding from,
                                               enum utf8_assay_encoding to, enum utf8_assay_policy policy)
{
    struct pipe pipe;
    bool is_supported = open_pipe(&pipe, from, to, policy);
    memcpy(stream->state, &pipe, sizeof pipe);
    return is_supported ? UTF8_ASSAY_OK : UTF8_ASSAY_UNSUPPORTED;
}

struct utf8_assay_result utf8_assay_stream_feed(struct utf8_assay_stream *stream, const void *bytes, size_t byte_count,
                                                int is_last, void *output, size_t capacity)
{
    struct pipe pipe;
    memcpy(&pipe, stream->state, sizeof pipe);
    struct assay_result result = feed(&pipe, bytes, byte_count, is_last != 0, output, capacity);
    memcpy(stream->state, &pipe, sizeof pipe);
    return public_result(&result);
}

struct utf8_assay_result utf8_assay_stream_finish(struct utf8_assay_stream *stream, void *output, size_t capacity)
{
    return utf8_assay_stream_feed(stream, NULL, 0, 1, output, capacity);
}
