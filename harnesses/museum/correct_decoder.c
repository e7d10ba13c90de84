/* SPDX-License-Identifier: MIT
 *
 * A decoder and encoder that are correct but for one mistake at a time, which the functions of mistake.h make.
 */
#include "mistake.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD };

const struct assay_codec *museum_base;
struct memory museum_left;
static const struct mistake *mistake;

#define CALL(place, ...) \
    do { \
        if (mistake->place != NULL) \
            mistake->place(__VA_ARGS__); \
    } while (0)

bool museum_has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; at != NULL && *at != '\0'; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
            return true;
    }
    return false;
}

static bool is_lead(uint32_t unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_trail(uint32_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

/* True for WTF-8: only it joins a lead and a trail surrogate that are given as code points. */
static bool joins_surrogates(void)
{
    return strcmp(museum_base->encoding, "wtf-8") == 0;
}

static bool is_offered(enum assay_policy policy)
{
    bool has_policy = mistake->policies == 0 || mistake->policies >> policy & 1;
    return has_policy && museum_base->count(policy, NULL, 0).status != ASSAY_UNSUPPORTED;
}

/* ---- steps: a character or an error each, from the reference ------------------------------------------ */

/* True if later bytes may change the first character or error. */
static bool is_open(const uint8_t *bytes, size_t byte_count, size_t context)
{
    struct assay_stream stream;
    uint32_t units[2];
    assay_stream_start(&stream, ASSAY_POLICY_STRICT);
    size_t expected = context > 0 ? 2 : 1;
    struct assay_result result = museum_base->feed_utf32(&stream, bytes, byte_count, false, units, expected);
    return result.status == ASSAY_OK && result.written < expected;
}

static struct step ask_step(const uint8_t *bytes, size_t count, size_t context)
{
    uint32_t units[2] = {0};
    struct assay_result result =
        museum_base->decode_utf32(ASSAY_POLICY_STRICT, bytes, count, units, context > 0 ? 2 : 1);
    if (result.read == context)
        return (struct step){.length = result.error.length, .fault = result.error.fault};
    return (struct step){.length = result.read - context, .code_point = units[context > 0]};
}

/* Everything that a step depends on. */
struct sight {
    const struct assay_codec *base;
    uint64_t bytes; /* the first AHEAD_MAX bytes */
    size_t ahead, context, all_seen;
};

static struct step find_step(const struct sight *sight)
{
    uint8_t bytes[3 + AHEAD_MAX] = {0xED, 0xA0, 0x80};
    size_t context = sight->context, count = context + sight->ahead;
    memcpy(bytes + context, &sight->bytes, AHEAD_MAX);
    struct step step = ask_step(bytes, count, context);
    step.open = !sight->all_seen && sight->ahead < AHEAD_MAX && is_open(bytes, count, context);
    return step;
}

/* Steps are cached: texts are long and have few different characters, and asking the reference is slow. */
static struct step right_step(const struct state *state)
{
    static struct {
        struct sight sight;
        struct step step;
    } known[1 << 12];
    struct sight sight = {.base = museum_base,
                          .ahead = state->ahead,
                          .context = state->memory->after_lead && joins_surrogates() ? 3 : 0,
                          .all_seen = state->last && state->ahead < AHEAD_MAX};
    memcpy(&sight.bytes, state->here, state->ahead);
    size_t slot =
        (size_t)((sight.bytes * 0x9E3779B97F4A7C15u >> 52 ^ sight.ahead ^ sight.context << 4 ^ sight.all_seen << 6) %
                 (1 << 12));
    if (memcmp(&known[slot].sight, &sight, sizeof sight) != 0) {
        known[slot].sight = sight;
        known[slot].step = find_step(&sight);
    }
    return known[slot].step;
}

/* ---- policies ------------------------------------------------------------------------------------------ */

/* The number of continuation bytes after this lead in RFC 2279, which has up to 6 bytes a character. */
static size_t old_scheme_continuations(uint8_t lead)
{
    size_t ones = 0;
    while (ones < 8 && lead & 0x80 >> ones)
        ones++;
    return ones >= 2 && ones <= 6 ? ones - 1 : 0;
}

static size_t bytes_to_absorb(const struct state *state, const struct step *error)
{
    size_t wanted = old_scheme_continuations(state->here[0]) + 1;
    if (state->policy == ASSAY_POLICY_JDK)
        return error->fault == ASSAY_FAULT_SURROGATE ? 2 : 0;
    return state->policy == ASSAY_POLICY_PER_SEQUENCE && wanted > error->length ? wanted - error->length : 0;
}

static size_t units_for_error(const struct state *state, const struct step *error)
{
    switch (state->policy) {
    case ASSAY_POLICY_PER_BYTE:
    case ASSAY_POLICY_SURROGATEESCAPE: return error->length;
    case ASSAY_POLICY_PER_RUN: return state->memory->in_run ? 0 : 1;
    case ASSAY_POLICY_SKIP: return 0;
    default: return 1;
    }
}

/* ---- output ------------------------------------------------------------------------------------------- */

/* The output: UTF-32, UTF-16 or spans; none if all are NULL. Units beyond the capacity, which only mistakes write, are
 * counted and not written. */
struct sink {
    uint32_t *utf32;
    uint16_t *utf16;
    bool counts_utf16;
    struct assay_span *spans;
    size_t span_count, span_capacity;
};

static void write_code_point(struct state *state, const struct sink *sink, uint32_t code_point)
{
    CALL(put, state, &code_point);
    uint16_t units[2] = {(uint16_t)code_point};
    size_t count = sink->counts_utf16 && code_point > 0xFFFF ? 2 : 1;
    if (count == 2) {
        units[0] = (uint16_t)(0xD7C0 + (code_point >> 10));
        units[1] = (uint16_t)(0xDC00 + (code_point & 0x3FF));
        CALL(pair, state, code_point, units);
    }
    for (size_t i = 0; i < count; i++, state->written++) {
        if (state->written < state->capacity && sink->utf32 != NULL)
            sink->utf32[state->written] = code_point;
        if (state->written < state->capacity && sink->utf16 != NULL)
            sink->utf16[state->written] = units[i];
    }
}

/* Writes the output of a step. Returns false, with nothing written, if there is no room for all of it. */
static bool write_step(struct state *state, const struct sink *sink, const struct step *step)
{
    size_t room = state->capacity - state->written, units = 1;
    bool is_error = step->fault != ASSAY_FAULT_NONE;
    if (is_error) {
        units = units_for_error(state, step);
        CALL(replace, state, step, &units);
    } else if (step->silent) {
        units = 0;
    }
    CALL(room, state, &room);
    if (room < (!is_error && units == 1 && sink->counts_utf16 && step->code_point > 0xFFFF ? 2 : units))
        return false;
    for (size_t i = 0; i < units; i++) {
        uint8_t byte = state->here[i < AHEAD_MAX ? i : AHEAD_MAX - 1];
        uint32_t error = state->policy == ASSAY_POLICY_SURROGATEESCAPE ? 0xDC00u + byte : REPLACEMENT;
        write_code_point(state, sink, is_error ? error : step->code_point);
    }
    return true;
}

/* ---- decoding ------------------------------------------------------------------------------------------- */

/* The bytes held from earlier pieces, followed by this piece. */
struct source {
    uint8_t held[AHEAD_MAX];
    size_t held_count;
    const struct state *state;
};

static size_t read_ahead(const struct source *source, size_t at, uint8_t here[AHEAD_MAX])
{
    size_t count = 0, end = source->held_count + source->state->byte_count;
    for (; count < AHEAD_MAX && at < end; count++, at++)
        here[count] = at < source->held_count ? source->held[at] : source->state->bytes[at - source->held_count];
    return count;
}

/* Writes or reports one step. ASSAY_OK: decoding continues. */
static enum assay_status take_step(struct state *state, struct sink *sink, struct step *step, struct assay_span *error)
{
    bool is_error = step->fault != ASSAY_FAULT_NONE;
    if (is_error && (state->policy == ASSAY_POLICY_STRICT || state->operation == OP_SPANS)) {
        CALL(span, state, error);
        if (state->operation != OP_SPANS)
            return ASSAY_ILL_FORMED;
        if (sink->span_count < sink->span_capacity)
            sink->spans[sink->span_count] = *error;
        sink->span_count++;
    } else if (!write_step(state, sink, step)) {
        return ASSAY_OUTPUT_FULL;
    }
    state->memory->absorb = (uint16_t)(is_error ? bytes_to_absorb(state, step) : 0);
    state->memory->in_run = is_error;
    state->memory->after_lead = !is_error && is_lead(step->code_point);
    CALL(after, state, step);
    return ASSAY_OK;
}

/* Keeps the bytes from `at` to `stop` in memory. Returns the number of bytes of this piece that were read. */
static size_t hold_bytes(struct memory *memory, const struct source *source, size_t at, size_t stop)
{
    uint8_t kept[AHEAD_MAX] = {0};
    memory->position += at;
    memory->held_count = (uint32_t)(stop - at < AHEAD_MAX ? stop - at : AHEAD_MAX);
    read_ahead(source, at, kept);
    memcpy(memory->held, kept, sizeof kept);
    return stop - source->held_count;
}

static struct assay_result run(struct state *state, struct sink *sink)
{
    struct memory *memory = state->memory;
    struct assay_result result = {.status = ASSAY_OK};
    uint8_t here[AHEAD_MAX] = {0};
    CALL(begin, state);
    struct source source = {.held_count = memory->held_count, .state = state};
    memcpy(source.held, memory->held, sizeof source.held);
    size_t at = 0, end = source.held_count + state->byte_count;
    bool hold = false;
    state->here = here;
    while (at < end && result.status == ASSAY_OK && !hold) {
        state->ahead = read_ahead(&source, at, here);
        state->at = (ptrdiff_t)at - (ptrdiff_t)source.held_count;
        if (memory->absorb > 0 && museum_is_continuation(here[0])) {
            memory->absorb--;
            at++;
            continue;
        }
        memory->absorb = 0;
        struct step step = right_step(state);
        CALL(step, state, &step);
        hold = step.open;
        if (hold)
            break;
        struct assay_span span = {(size_t)memory->position + at, step.length, step.fault,
                                  step.fault == ASSAY_FAULT_TRUNCATED};
        result.status = take_step(state, sink, &step, &span);
        if (result.status == ASSAY_OK)
            at = step.length < end - at ? at + step.length : end;
        else if (result.status == ASSAY_ILL_FORMED)
            result.error = span;
    }
    result.written = state->written;
    result.read = hold_bytes(memory, &source, at, hold ? end : at < source.held_count ? source.held_count : at);
    memory->calls++;
    CALL(end, state);
    CALL(result, state, &result);
    return result;
}

static struct assay_result decode(struct memory *memory, enum operation operation, enum assay_policy policy,
                                  const uint8_t *bytes, size_t byte_count, bool last, struct sink *sink,
                                  size_t capacity)
{
    if (operation != OP_VALIDATE && operation != OP_SPANS && !is_offered(policy))
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    struct state state = {.operation = operation,
                          .policy = policy,
                          .bytes = bytes,
                          .byte_count = byte_count,
                          .last = last,
                          .memory = memory,
                          .capacity = capacity};
    return run(&state, sink);
}

static bool validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    struct assay_result result = decode(&(struct memory){0}, OP_VALIDATE, ASSAY_POLICY_STRICT, bytes, byte_count, true,
                                        &(struct sink){0}, SIZE_MAX);
    if (error != NULL)
        *error = result.error;
    return result.status == ASSAY_OK;
}

static size_t spans(const uint8_t *bytes, size_t byte_count, struct assay_span *found, size_t capacity)
{
    struct sink sink = {.spans = found, .span_capacity = capacity};
    decode(&(struct memory){0}, OP_SPANS, ASSAY_POLICY_WHATWG, bytes, byte_count, true, &sink, SIZE_MAX);
    return sink.span_count;
}

static struct assay_count count(enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    struct assay_result utf32 =
        decode(&(struct memory){0}, OP_COUNT, policy, bytes, byte_count, true, &(struct sink){0}, SIZE_MAX);
    struct assay_result utf16 = decode(&(struct memory){0}, OP_COUNT, policy, bytes, byte_count, true,
                                       &(struct sink){.counts_utf16 = true}, SIZE_MAX);
    return (struct assay_count){utf32.status, utf32.written, utf16.written};
}

static struct assay_result decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint32_t *out, size_t capacity)
{
    return decode(&(struct memory){0}, OP_DECODE_UTF32, policy, bytes, byte_count, true, &(struct sink){.utf32 = out},
                  capacity);
}

static struct assay_result decode_utf16(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                        uint16_t *out, size_t capacity)
{
    struct sink sink = {.utf16 = out, .counts_utf16 = true};
    return decode(&(struct memory){0}, OP_DECODE_UTF16, policy, bytes, byte_count, true, &sink, capacity);
}

static struct assay_result feed(struct assay_stream *stream, enum operation operation, const uint8_t *bytes,
                                size_t byte_count, bool last, struct sink *sink, size_t capacity)
{
    struct memory memory;
    _Static_assert(sizeof memory <= sizeof stream->state, "a stream has room for it");
    memcpy(&memory, stream->state, sizeof memory);
    struct assay_result result = decode(&memory, operation, stream->policy, bytes, byte_count, last, sink, capacity);
    memcpy(stream->state, &memory, sizeof memory);
    return result;
}

static struct assay_result feed_utf32(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count, bool last,
                                      uint32_t *out, size_t capacity)
{
    return feed(stream, OP_FEED_UTF32, bytes, byte_count, last, &(struct sink){.utf32 = out}, capacity);
}

static struct assay_result feed_utf16(struct assay_stream *stream, const uint8_t *bytes, size_t byte_count, bool last,
                                      uint16_t *out, size_t capacity)
{
    return feed(stream, OP_FEED_UTF16, bytes, byte_count, last, &(struct sink){.utf16 = out, .counts_utf16 = true},
                capacity);
}

/* ---- encoding ------------------------------------------------------------------------------------------- */

static uint32_t unit_at(const struct encode_state *state, size_t at)
{
    return state->utf32 != NULL ? state->utf32[at] : state->utf16[at];
}

/* Makes the code point an error if it is one only because of the code point before it: a trail surrogate after a lead,
 * in WTF-16. */
static bool is_refused_after(const struct encode_state *state, struct encode_step *step)
{
    if (state->utf32 == NULL || state->at == 0 || !is_lead(unit_at(state, state->at - 1)) ||
        !is_trail(step->code_point))
        return false;
    struct assay_result pair =
        museum_base->encode_utf32(ASSAY_POLICY_STRICT, state->utf32 + state->at - 1, 2, step->bytes, AHEAD_MAX);
    step->fault = pair.error.fault;
    return pair.status == ASSAY_ILL_FORMED && pair.read == 1;
}

static struct encode_step right_encode_step(const struct encode_state *state)
{
    struct encode_step step = {.code_point = unit_at(state, state->at), .taken = 1};
    bool joins = state->utf16 != NULL || joins_surrogates(), has_next = state->at + 1 < state->unit_count;
    struct assay_result result;
    if (is_refused_after(state, &step))
        return step;
    if (joins && is_lead(step.code_point) && has_next && is_trail(unit_at(state, state->at + 1))) {
        step.code_point = 0x10000 + ((step.code_point - 0xD800) << 10) + (unit_at(state, state->at + 1) - 0xDC00);
        step.taken = 2;
    }
    if (state->utf16 != NULL)
        result =
            museum_base->encode_utf16(ASSAY_POLICY_STRICT, state->utf16 + state->at, step.taken, step.bytes, AHEAD_MAX);
    else
        result = museum_base->encode_utf32(ASSAY_POLICY_STRICT, &step.code_point, 1, step.bytes, AHEAD_MAX);
    step.length = result.written;
    step.fault = result.error.fault;
    return step;
}

/* Sets the output of an error under the policy. Returns false if encoding stops. */
static bool encode_error(enum assay_policy policy, bool in_run, struct encode_step *step)
{
    static const uint32_t replacement = REPLACEMENT;
    step->length = 0;
    switch (policy) {
    case ASSAY_POLICY_STRICT: return false;
    case ASSAY_POLICY_SKIP: return true;
    case ASSAY_POLICY_SURROGATEESCAPE:
        step->bytes[0] = (uint8_t)step->code_point;
        step->length = 1;
        return step->code_point >= 0xDC80 && step->code_point <= 0xDCFF;
    default:
        if (policy != ASSAY_POLICY_PER_RUN || !in_run)
            step->length =
                museum_base->encode_utf32(ASSAY_POLICY_STRICT, &replacement, 1, step->bytes, AHEAD_MAX).written;
        return true;
    }
}

static struct assay_result encode(struct encode_state state, uint8_t *out)
{
    struct assay_result result = {.status = ASSAY_OK};
    bool in_run = false;
    if (!is_offered(state.policy))
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    while (state.at < state.unit_count && result.status == ASSAY_OK) {
        struct encode_step step = right_encode_step(&state);
        CALL(encode, &state, &step);
        size_t room = state.capacity - state.written;
        CALL(encode_room, &state, &room);
        bool is_error = step.fault != ASSAY_FAULT_NONE;
        if (is_error && !encode_error(state.policy, in_run, &step)) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){state.at, step.taken, step.fault, false};
        } else if (room < step.length) {
            result.status = ASSAY_OUTPUT_FULL;
        } else {
            for (size_t i = 0; i < step.length; i++, state.written++)
                if (state.written < state.capacity)
                    out[state.written] = step.bytes[i];
            in_run = is_error;
            state.at += step.taken;
        }
    }
    result.read = state.at < state.unit_count ? state.at : state.unit_count;
    result.written = state.written;
    CALL(encode_result, &state, &result);
    return result;
}

static struct assay_result encode_utf32(enum assay_policy policy, const uint32_t *units, size_t unit_count,
                                        uint8_t *out, size_t capacity)
{
    static const uint32_t none;
    return encode((struct encode_state){.operation = OP_ENCODE_UTF32,
                                        .policy = policy,
                                        .utf32 = units == NULL ? &none : units,
                                        .unit_count = unit_count,
                                        .capacity = capacity},
                  out);
}

static struct assay_result encode_utf16(enum assay_policy policy, const uint16_t *units, size_t unit_count,
                                        uint8_t *out, size_t capacity)
{
    static const uint16_t none;
    return encode((struct encode_state){.operation = OP_ENCODE_UTF16,
                                        .policy = policy,
                                        .utf16 = units == NULL ? &none : units,
                                        .unit_count = unit_count,
                                        .capacity = capacity},
                  out);
}

/* ---- the codec -------------------------------------------------------------------------------------------- */

static unsigned offered_by(const struct mistake *one)
{
    bool whole_only = one->result != NULL || one->put != NULL;
    bool decodes = whole_only || one->begin || one->step || one->span || one->replace || one->room || one->pair ||
                   one->after || one->end;
    bool encodes = one->encode || one->encode_room || one->encode_result;
    if (one->offers != 0)
        return one->offers;
    return (decodes ? OFFERS_WHOLE | OFFERS_FEED : 0) | (encodes ? OFFERS_ENCODE : 0);
}

const struct assay_codec *museum_codec(const struct assay_codec *base, const struct mistake *one)
{
    static struct assay_codec codec;
    unsigned offers = offered_by(one);
    museum_base = base;
    museum_left = (struct memory){0};
    mistake = one;
    codec = one->wraps;
    codec.abi_version = ASSAY_ABI_VERSION;
    codec.struct_size = sizeof codec;
    codec.encoding = base->encoding;
    codec.name = one->name;
#define PLAIN(id, member) \
    if (offers & OFFERS(id) && codec.member == NULL) \
        codec.member = member;
    /* clang-format off */
    PLAIN(VALIDATE, validate)
    PLAIN(SPANS, spans)
    PLAIN(COUNT, count)
    PLAIN(DECODE_UTF32, decode_utf32)
    PLAIN(DECODE_UTF16, decode_utf16)
    PLAIN(FEED_UTF32, feed_utf32)
    PLAIN(FEED_UTF16, feed_utf16)
    PLAIN(ENCODE_UTF32, encode_utf32)
    PLAIN(ENCODE_UTF16, encode_utf16)
    /* clang-format on */
#undef PLAIN
    return &codec;
}
