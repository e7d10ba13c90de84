/* SPDX-License-Identifier: MIT
 *
 * decode.h - decoding, whole or in pieces, and counting. For each byte of a block the bytes of the unit that a
 * character ending there would have are computed, as planes; the marks then say which of them are real, and
 * those are brought together. Only a count of bits moves the output pointer, and nothing depends on what the
 * bytes are, so errors cost next to nothing.
 */
#ifndef ASSAY_SIMD_DECODE_H
#define ASSAY_SIMD_DECODE_H

#include "policy.h"

enum form { UTF16, UTF32 };
enum { REPLACEMENT = 0xFFFD, ESCAPE = 0xDC00 };

struct output {
    void *units;
    size_t capacity;
    size_t written;
};

/* Where in the input decoding stopped, and why. */
struct stop {
    enum assay_status status;
    size_t at;
    struct assay_span error;
};

/* A block on its way out: the bytes whose unit goes out, and those whose unit is for an error. */
struct selection {
    uint64_t chosen;
    struct replacements replacements;
};

ALWAYS_INLINE size_t units_of(const struct selection *selection)
{
    return count_bits(selection->chosen) + selection->replacements.before;
}

/* Characters of four bytes: where their third and their fourth bytes are. */
struct fours {
    uint64_t high_halves, fourths;
};

/* ---- units -------------------------------------------------------------------------------------- */

/* One plane for each byte of a unit. */
struct planes {
    vec low, high, top;
};

/* The low 16 bits of the character that ends at each byte. Each continuation byte has six bits: now, those are 0 to 5;
 * of the byte before 6 to 11; of the one before that 12 to 15. A lead of two has its bits 6 to 10 in the place
 * where a continuation byte has them, and zeros above (Unicode 17.0, Table 3-6). */
ALWAYS_INLINE struct planes planes_of(const uint8_t *bytes)
{
    vec now = vec_load(bytes), back_1 = vec_load(bytes - 1), back_2 = vec_load(bytes - 2);
    vec zero = vec_fill(0);
    vec from_back_2 = vec_select(vec_at_least(back_1, 0xC0), zero, vec_left(back_2, 4));
    vec low = vec_merge(0x3F, now, vec_left(back_1, 6));
    vec high = vec_merge(0x0F, vec_right(back_1, 2), from_back_2);
    return (struct planes){vec_select(vec_high(now), low, now), vec_select(vec_high(now), high, zero), zero};
}

/* Surrogates of characters of four bytes: the high one at the third byte, by when its bits are known, the low one at
 * the fourth. D7C0 is D800, less the 10000 >> 10 that is taken off the code point (Unicode 17.0, Table 3-5). */
ALWAYS_INLINE void put_surrogates(struct planes *planes, const uint8_t *bytes, const struct fours *fours)
{
    vec now = vec_load(bytes), back_1 = vec_load(bytes - 1), back_2 = vec_load(bytes - 2);
    truth high_halves = vec_truth(fours->high_halves), fourths = vec_truth(fours->fourths);
    vec middle = vec_merge(0xFC, vec_left(back_1, 2), vec_and(vec_right(now, 4), vec_fill(0x03)));
    vec carry = vec_select(vec_at_least(middle, 0x40), vec_fill(0xD8), vec_fill(0xD7));
    vec high_half = vec_add(vec_and(back_2, vec_fill(0x07)), carry);
    vec low_half = vec_merge(0x03, vec_right(back_1, 2), vec_fill(0xDC));
    planes->low = vec_select(high_halves, vec_add(middle, vec_fill(0xC0)), planes->low);
    planes->high = vec_select(high_halves, high_half, vec_select(fourths, low_half, planes->high));
}

/* Bits 16 to 20 of characters of four bytes. */
ALWAYS_INLINE void put_tops(struct planes *planes, const uint8_t *bytes, uint64_t fourths)
{
    vec back_2 = vec_right(vec_load(bytes - 2), 4), back_3 = vec_left(vec_load(bytes - 3), 2);
    vec top = vec_merge(0x03, back_2, vec_and(back_3, vec_fill(0x1C)));
    planes->top = vec_select(vec_truth(fourths), top, planes->top);
}

ALWAYS_INLINE void put_replacements(struct planes *planes, const uint8_t *bytes, enum assay_policy policy, uint64_t at)
{
    bool escape = policy == ASSAY_POLICY_SURROGATEESCAPE;
    vec low = escape ? vec_load(bytes) : vec_fill(REPLACEMENT & 0xFF);
    vec high = vec_fill(escape ? ESCAPE >> 8 : REPLACEMENT >> 8);
    planes->low = vec_select(vec_truth(at), low, planes->low);
    planes->high = vec_select(vec_truth(at), high, planes->high);
}

/* Writes the chosen units, and up to 64 in all. */
ALWAYS_INLINE void put_units(enum form form, enum assay_policy policy, const uint8_t *bytes, const struct fours *fours,
                             const struct selection *selection, void *out)
{
    struct planes planes = planes_of(bytes);
    if (selection->replacements.at != 0)
        put_replacements(&planes, bytes, policy, selection->replacements.at);
    if (form == UTF16) {
        if ((fours->high_halves | fours->fourths) != 0)
            put_surrogates(&planes, bytes, fours);
        vec_put16(out, planes.low, planes.high, selection->chosen);
    } else if (fours->fourths == 0) {
        vec_put32(out, planes.low, planes.high, planes.top, false, selection->chosen);
    } else {
        put_tops(&planes, bytes, fours->fourths);
        vec_put32(out, planes.low, planes.high, planes.top, true, selection->chosen);
    }
}

ALWAYS_INLINE void *unit_at(enum form form, void *units, size_t at)
{
    return form == UTF16 ? (void *)((uint16_t *)units + at) : (void *)((uint32_t *)units + at);
}

ALWAYS_INLINE void put_one(enum form form, struct output *out, uint32_t unit)
{
    if (form == UTF16)
        ((uint16_t *)out->units)[out->written++] = (uint16_t)unit;
    else
        ((uint32_t *)out->units)[out->written++] = unit;
}

/* Writes a block for which there is room. Where there is none for 64 units, they go through a buffer that has it. */
ALWAYS_INLINE void put_block(enum form form, enum assay_policy policy, const uint8_t *bytes, const struct fours *fours,
                             const struct selection *selection, struct output *out)
{
    for (size_t back = selection->replacements.before; back > 0; back--)
        put_one(form, out, policy == ASSAY_POLICY_SURROGATEESCAPE ? ESCAPE + *(bytes - back) : REPLACEMENT);
    size_t count = count_bits(selection->chosen);
    bool has_room = out->capacity - out->written >= VEC_BYTES;
    uint32_t buffer[VEC_BYTES];
    void *to = unit_at(form, out->units, out->written);
    put_units(form, policy, bytes, fours, selection, has_room ? to : buffer);
    if (!has_room && count > 0)
        memcpy(to, buffer, count * (form == UTF16 ? 2 : 4));
    out->written += count;
}

/* ---- where to stop -------------------------------------------------------------------------------- */

/* Cuts the selection down to the characters and errors that go out: those for which there is room and, under
 * `strict`, those before the first error. Returns OK if that is all of them; else *stop is how many bytes of the
 * block they are, or minus the bytes before it that the next character or error has. */
ALWAYS_INLINE enum assay_status cut(enum assay_policy policy, const struct marks *marks, const struct carry *carry,
                                    size_t room, struct selection *selection, ptrdiff_t *stop)
{
    bool strict = policy == ASSAY_POLICY_STRICT;
    uint64_t done = 0;
    enum assay_status status = ASSAY_OK;
    *stop = -(ptrdiff_t)carried_bytes(carry);
    for (uint64_t left = marks->ends | marks->errors; left != 0; left &= left - 1) {
        uint64_t upto = left ^ (left - 1);
        size_t needed = count_bits(selection->chosen & upto & ~done) + (done == 0 ? selection->replacements.before : 0);
        if (strict && (marks->errors & upto) != 0)
            status = ASSAY_ILL_FORMED;
        else if (needed > room)
            status = ASSAY_OUTPUT_FULL;
        if (status != ASSAY_OK)
            break;
        room -= needed;
        done = upto;
        *stop = (ptrdiff_t)count_bits(upto);
    }
    /* A high surrogate at the very end, whose low one will come in the next block: both or none. */
    if (status == ASSAY_OK && (selection->chosen & ~done) != 0) {
        if (room >= 2)
            return ASSAY_OK;
        status = ASSAY_OUTPUT_FULL;
    }
    if (status != ASSAY_OK) {
        selection->chosen &= done;
        selection->replacements.at &= done;
        if (done == 0)
            selection->replacements.before = 0;
    }
    return status;
}

/* The carry where a block stopped. What stopped it was not absorbed, so nothing after it is. */
ALWAYS_INLINE void carry_cut(struct carry *carry, const struct marks *marks, ptrdiff_t stop)
{
    bool in_run = stop > 0 ? (marks->errors >> (stop - 1) & 1) != 0 : carried_run(carry);
    *carry = carry_between(0, in_run);
}

/* ---- the loop --------------------------------------------------------------------------------------- */

/* What is to be decoded: from `at` on, which is between two characters. */
struct task {
    const struct encoding *encoding;
    enum assay_policy policy;
    const uint8_t *bytes;
    size_t byte_count;
    bool hold;       /* a sequence that the end cuts is left, and is no error */
    bool only_first; /* one character or error, and no more */
};

/* Only the first character or error of a block. Returns its length, or that of the block if it has none. */
ALWAYS_INLINE size_t keep_first(struct marks *marks, size_t length)
{
    uint64_t tokens = marks->ends | marks->errors;
    if (tokens == 0)
        return length;
    uint64_t kept = tokens ^ (tokens - 1);
    marks->ends &= kept;
    marks->errors &= kept;
    marks->strays &= kept;
    marks->high_halves &= kept;
    marks->open_1 &= kept;
    marks->open_2 &= kept;
    marks->open_3 &= kept;
    return count_bits(kept);
}

/* Decodes one block, and brings *at forward: to its end, or to where it stopped. */
ALWAYS_INLINE enum assay_status decode_block(enum form form, const struct task *task, const struct block *block,
                                             size_t *at, struct carry *carry, struct output *out,
                                             struct assay_span *error)
{
    struct marks marks = mark(task->encoding, block, carry, task->hold);
    size_t length = task->only_first ? keep_first(&marks, block->length) : block->length;
    struct selection selection = {marks.ends | (form == UTF16 ? marks.high_halves : 0), {0, 0}};
    if (marks.errors != 0) {
        selection.replacements = replacements_for(task->encoding, task->policy, block, &marks, carry, length);
        selection.chosen |= selection.replacements.at;
    } else {
        carry->absorb = 0;
    }
    size_t room = out->capacity - out->written;
    ptrdiff_t stop = 0;
    enum assay_status status = ASSAY_OK;
    /* One more than the units, for a low surrogate that is still to come. */
    if (units_of(&selection) + 1 > room || (marks.errors != 0 && task->policy == ASSAY_POLICY_STRICT))
        status = cut(task->policy, &marks, carry, room, &selection, &stop);
    struct fours fours = {marks.high_halves, marks.fourths};
    put_block(form, task->policy, block->bytes, &fours, &selection, out);
    if (status == ASSAY_OK) {
        carry_on(carry, &marks, length);
        *at += length;
        return ASSAY_OK;
    }
    if (status == ASSAY_ILL_FORMED)
        *error = span_at(task->encoding, block, &marks, lowest(marks.errors), *at);
    carry_cut(carry, &marks, stop);
    *at = (size_t)((ptrdiff_t)*at + stop);
    return status;
}

/* A block of ASCII, at once; false if this is not one, or there is no room for it. */
ALWAYS_INLINE bool decode_ascii(enum form form, const struct task *task, size_t at, struct output *out)
{
    if (task->byte_count - at < VEC_BYTES || at < REACH || out->capacity - out->written < VEC_BYTES)
        return false;
    vec now = vec_load(task->bytes + at);
    if (!vec_is_ascii(now))
        return false;
    if (form == UTF16)
        vec_widen16((uint16_t *)out->units + out->written, now);
    else
        vec_widen32((uint32_t *)out->units + out->written, now);
    out->written += VEC_BYTES;
    return true;
}

/* A block without errors: a character ends wherever no continuation byte comes next. False if this is not one, or if
 * there is no room for it, with one more for a low surrogate that the next block may have to put out. */
ALWAYS_INLINE bool decode_clean(enum form form, const struct task *task, size_t at, const struct carry *carry,
                                struct output *out)
{
    if (out->capacity - out->written <= VEC_BYTES || !is_clean(task->encoding, task->bytes, task->byte_count, at, carry))
        return false;
    const uint8_t *bytes = task->bytes + at;
    uint8_t lead_of_4 = task->encoding->first_lead_of_4;
    uint64_t ends = ~vec_bits(vec_between(vec_load(bytes + 1), 0x80, 0xBF));
    struct fours fours = {.high_halves = vec_bits(vec_at_least(vec_load(bytes - 2), lead_of_4))};
    fours.fourths = fours.high_halves << 1 | (bytes[-3] >= lead_of_4);
    struct selection selection = {ends | (form == UTF16 ? fours.high_halves : 0), {0, 0}};
    put_units(form, task->policy, bytes, &fours, &selection, unit_at(form, out->units, out->written));
    out->written += count_bits(selection.chosen);
    return true;
}

/* What is written may lie anywhere, as far as the compiler knows: what the loop works with has to be its own. */
ALWAYS_INLINE struct stop decode_from(enum form form, const struct task *given, size_t at, struct carry *given_carry,
                                      struct output *given_out)
{
    struct task task = *given;
    struct carry carry = *given_carry;
    struct output out = *given_out;
    struct stop stop = {.status = ASSAY_OK};
    struct edge edge;
    while (at < task.byte_count && stop.status == ASSAY_OK) {
        bool is_ascii = decode_ascii(form, &task, at, &out);
        if (is_ascii || decode_clean(form, &task, at, &carry, &out)) {
            carry_clean(&carry, !is_ascii);
            at += VEC_BYTES;
            continue;
        }
        carry_settle(task.encoding, &carry, task.bytes + at);
        struct block block = block_at(task.bytes, task.byte_count, at, &edge);
        stop.status = decode_block(form, &task, &block, &at, &carry, &out, &stop.error);
        if (task.only_first)
            break;
    }
    carry_settle(task.encoding, &carry, task.bytes + at);
    stop.at = at - carried_bytes(&carry);
    *given_carry = carry;
    *given_out = out;
    return stop;
}

static struct stop decode16_from(const struct task *task, size_t at, struct carry *carry, struct output *out)
{
    return decode_from(UTF16, task, at, carry, out);
}

static struct stop decode32_from(const struct task *task, size_t at, struct carry *carry, struct output *out)
{
    return decode_from(UTF32, task, at, carry, out);
}

ALWAYS_INLINE struct stop decode_form(enum form form, const struct task *task, size_t at, struct carry *carry,
                                      struct output *out)
{
    return form == UTF16 ? decode16_from(task, at, carry, out) : decode32_from(task, at, carry, out);
}

/* ---- whole and in pieces ------------------------------------------------------------------------------ */

ALWAYS_INLINE struct assay_result decode_whole(enum form form, const struct encoding *encoding, enum assay_policy policy,
                                               const uint8_t *bytes, size_t byte_count, void *units, size_t capacity)
{
    struct task task = {encoding, policy, bytes, byte_count, false, false};
    struct carry carry = carry_between(0, false);
    struct output out = {units, capacity, 0};
    struct stop stop = decode_form(form, &task, 0, &carry, &out);
    return (struct assay_result){stop.status, stop.at, out.written, stop.error};
}

/* What a stream remembers, kept in assay_stream.state. */
struct memory {
    uint64_t position;   /* in the stream, of the first byte held, or else of the next to come */
    uint8_t held[REACH]; /* a sequence that is well-formed so far */
    uint8_t held_count;
    uint8_t absorb; /* as in the carry */
    bool in_run;
};
_Static_assert(sizeof(struct memory) <= sizeof ((struct assay_stream *)0)->state, "a stream has room for its memory");

/* Takes what is held together with the first bytes of a new piece, and decodes the character or error that they make.
 * Four bytes are enough to know it. Returns how many bytes of the piece belong to it in stop.at; if it still is
 * not complete, all do, and are held. */
ALWAYS_INLINE struct stop decode_held(enum form form, const struct encoding *encoding, enum assay_policy policy,
                                      struct memory *memory, const uint8_t *bytes, size_t byte_count, bool last,
                                      struct output *out)
{
    uint8_t joined[REACH + 1];
    size_t held = memory->held_count, wanted = sizeof joined - held, more = byte_count < wanted ? byte_count : wanted;
    memcpy(joined, memory->held, held);
    if (more > 0)
        memcpy(joined + held, bytes, more);
    struct task task = {encoding, policy, joined, held + more, !last || more < byte_count, true};
    struct carry carry = carry_between(0, memory->in_run);
    struct stop stop = decode_form(form, &task, 0, &carry, out);
    if (stop.status != ASSAY_OK) {
        stop.error.offset += stop.status == ASSAY_ILL_FORMED ? (size_t)memory->position : 0;
    } else if (stop.at == 0) {
        memcpy(memory->held, joined, held + more);
        memory->held_count = (uint8_t)(held + more);
        stop.at = more;
    } else {
        memory->position += stop.at;
        memory->held_count = 0;
        memory->absorb = (uint8_t)carry.absorb;
        memory->in_run = carried_run(&carry);
        stop.at -= held;
    }
    return stop;
}

ALWAYS_INLINE struct assay_result decode_piece(enum form form, const struct encoding *encoding,
                                               struct assay_stream *stream, const uint8_t *bytes, size_t byte_count,
                                               bool last, void *units, size_t capacity)
{
    struct memory memory;
    struct output out = {units, capacity, 0};
    struct stop stop = {.at = 0};
    memcpy(&memory, stream->state, sizeof memory);
    if (memory.held_count > 0)
        stop = decode_held(form, encoding, stream->policy, &memory, bytes, byte_count, last, &out);
    if (stop.status == ASSAY_OK && memory.held_count == 0 && stop.at < byte_count) {
        struct task task = {encoding, stream->policy, bytes, byte_count, !last, false};
        struct carry carry = carry_between(memory.absorb, memory.in_run);
        size_t from = stop.at;
        stop = decode_form(form, &task, from, &carry, &out);
        if (stop.status == ASSAY_ILL_FORMED)
            stop.error.offset += (size_t)memory.position - from;
        memory.position += stop.at - from;
        memory.absorb = (uint8_t)carry.absorb;
        memory.in_run = carried_run(&carry);
        if (stop.status == ASSAY_OK) { /* what is left now waits for more */
            memory.held_count = (uint8_t)(byte_count - stop.at);
            memcpy(memory.held, bytes + stop.at, memory.held_count);
            stop.at = byte_count;
        }
    }
    memcpy(stream->state, &memory, sizeof memory);
    return (struct assay_result){stop.status, stop.at, out.written, stop.error};
}

/* ---- counting ------------------------------------------------------------------------------------------ */

static struct assay_count count_in(const struct encoding *encoding, enum assay_policy policy, const uint8_t *bytes,
                                   size_t byte_count)
{
    struct assay_count count = {ASSAY_OK, 0, 0};
    struct carry carry = carry_between(0, false);
    struct edge edge;
    for (size_t at = 0; at < byte_count; at += VEC_BYTES) {
        if (byte_count - at >= VEC_BYTES && at >= REACH && vec_is_ascii(vec_load(bytes + at))) {
            count.utf32_units += VEC_BYTES;
            carry_clean(&carry, false);
            continue;
        }
        if (is_clean(encoding, bytes, byte_count, at, &carry)) {
            count.utf32_units += VEC_BYTES - count_bits(vec_bits(vec_between(vec_load(bytes + at + 1), 0x80, 0xBF)));
            count.utf16_units += count_bits(vec_bits(vec_at_least(vec_load(bytes + at - 3), encoding->first_lead_of_4)));
            carry_clean(&carry, true);
            continue;
        }
        carry_settle(encoding, &carry, bytes + at);
        struct block block = block_at(bytes, byte_count, at, &edge);
        struct marks marks = mark(encoding, &block, &carry, false);
        struct selection selection = {marks.ends, {0, 0}};
        uint64_t fourths = marks.fourths;
        if (marks.errors != 0 && policy == ASSAY_POLICY_STRICT) {
            selection.chosen &= marks.errors ^ (marks.errors - 1);
            fourths &= marks.errors ^ (marks.errors - 1);
            count.status = ASSAY_ILL_FORMED;
        } else if (marks.errors != 0) {
            selection.replacements = replacements_for(encoding, policy, &block, &marks, &carry, block.length);
            selection.chosen |= selection.replacements.at;
        } else {
            carry.absorb = 0;
        }
        count.utf32_units += units_of(&selection);
        count.utf16_units += count_bits(fourths);
        if (count.status != ASSAY_OK)
            break;
        carry_on(&carry, &marks, block.length);
    }
    count.utf16_units += count.utf32_units;
    return count;
}

#endif
