/* SPDX-License-Identifier: MIT
 *
 * decode.h - every operation of codec.inc but encoding, for UTF-16 as bytes (Unicode 17.0, D91, Table 3-5, and D97,
 * D98), and for WTF-16 (WTF-8, section 4), in which surrogates in no pair are no errors.
 *
 * A unit ends at every second byte. For each of these bytes, a window has the two bytes of the unit, or the four of a
 * surrogate pair; masks are about the last one. The byte order decides which of them is which. A block begins at a
 * character boundary and leaves a lead at its end to the next block, so the carry is only whether an error was last.
 */
#ifndef ASSAY_SIMD_UTF16_DECODE_H
#define ASSAY_SIMD_UTF16_DECODE_H

#include "../isa/vec.h"

struct carry {
    bool in_run; /* an error was last */
};

KERNEL_PART struct carry carry_at_boundary(size_t absorb, bool in_run, bool after_lead)
{
    (void)absorb, (void)after_lead; /* policies and encodings of bytes only */
    return (struct carry){in_run};
}

#include "../common/concat.h"
#include "../common/stream.h"

enum { UNIT_BYTES = 2, PAIR_BYTES = 4, STRIDE = 4 * VEC_BYTES };

/* The byte orders of the input, and of 16-bit units in the output; and whether a surrogate that is in no pair is a
 * character of the input (WTF-8, section 4). */
struct orders {
    bool from_big, to_big, takes_lone;
};

/* For decoding from the encoding, and for encoding in it. */
KERNEL_PART struct orders orders_of(const struct encoding *encoding)
{
    return (struct orders){encoding->big_endian, false, encoding->surrogates == JOINED};
}

KERNEL_PART struct orders orders_to(const struct encoding *encoding)
{
    return (struct orders){false, encoding->big_endian, encoding->surrogates == JOINED};
}

/* ---- marks ------------------------------------------------------------------------------------------------ */

/* The marks of a block: `length` bytes that end with a character or an error. Bit i of a mask is about byte i. */
struct marks {
    size_t length;
    uint64_t ends;   /* the last byte of a character, or of an error */
    uint64_t errors; /* the last byte of an error */
    uint64_t pairs;  /* the last byte of a supplementary character */
};

/* Bits of the bytes that end a unit. */
#define LAST_BYTES UINT64_C(0xAAAAAAAAAAAAAAAA)

/* The units whose high byte is in a range. */
KERNEL_PART uint64_t units_between(bool big_endian, vec v, uint8_t first, uint8_t last)
{
    uint64_t bits = vec_bits(vec_between(v, first, last));
    return (big_endian ? bits << 1 : bits) & LAST_BYTES;
}

/* The surrogates of a block. */
struct halves {
    uint64_t leads, trails;
};

KERNEL_PART struct halves halves_of(bool big_endian, vec v)
{
    uint64_t all = units_between(big_endian, v, 0xD8, 0xDF);
    if (all == 0)
        return (struct halves){0, 0};
    uint64_t leads = units_between(big_endian, v, 0xD8, 0xDB);
    return (struct halves){leads, all & ~leads};
}

/* True if each lead has a trail, and each trail a lead. *lead_before is the mask of a lead at the end of the block
 * before, and is updated. A lead at the end of the last block is not decided on. */
KERNEL_PART bool check_pairs(const struct halves *found, uint64_t *lead_before)
{
    bool paired = found->trails == (found->leads << UNIT_BYTES | *lead_before);
    if (paired)
        *lead_before = found->leads >> (VEC_BYTES - UNIT_BYTES);
    return paired;
}

/* The marks of up to 64 bytes. A lead at their end is left to the next block; if this is the last one, it is
 * unpaired. */
KERNEL_PART struct marks find_marks(struct orders orders, vec v, size_t length, bool is_last)
{
    struct halves found = halves_of(orders.from_big, v);
    uint64_t pairs = found.trails & found.leads << UNIT_BYTES, first_halves = pairs >> UNIT_BYTES;
    size_t whole = length - (!is_last && (found.leads >> (length - 1) & 1) != 0 ? UNIT_BYTES : 0);
    uint64_t inside = first_bits(whole), paired = orders.takes_lone ? ~UINT64_C(0) : pairs | first_halves;
    return (struct marks){whole, LAST_BYTES & inside & ~first_halves, (found.leads | found.trails) & inside & ~paired,
                          pairs};
}

/* Keeps the first `length` bytes. */
KERNEL_PART void limit_marks(struct marks *marks, size_t length)
{
    marks->length = length;
    marks->ends &= first_bits(length);
    marks->errors &= first_bits(length);
    marks->pairs &= first_bits(length);
}

/* What is written: the unit at each chosen end; for some of them U+FFFD. */
struct selection {
    uint64_t chosen, replaced;
};

/* `width`: bytes of an error. */
KERNEL_PART struct selection select_units(enum assay_policy policy, const struct marks *marks, unsigned width,
                                          bool in_run)
{
    uint64_t replaced = 0;
    if (policy == ASSAY_POLICY_WHATWG)
        replaced = marks->errors;
    else if (policy == ASSAY_POLICY_PER_RUN)
        replaced = marks->errors & ~(marks->errors << width | (uint64_t)in_run << (width - 1));
    return (struct selection){(marks->ends & ~marks->errors) | replaced, replaced};
}

KERNEL_PART bool ends_in_error(const struct marks *marks)
{
    return marks->length > 0 && (marks->errors >> (marks->length - 1) & 1) != 0;
}

/* ---- the end of the input ------------------------------------------------------------------------------------ */

KERNEL_PART bool unit_is(bool big_endian, const uint8_t *unit, uint8_t first_high)
{
    return (unit[big_endian ? 0 : 1] & 0xFC) == first_high;
}

KERNEL_PART bool is_lead(bool big_endian, const uint8_t *unit)
{
    return unit_is(big_endian, unit, 0xD8);
}

KERNEL_PART bool is_trail(bool big_endian, const uint8_t *unit)
{
    return unit_is(big_endian, unit, 0xDC);
}

/* The number of bytes in whole characters, or in errors that more input would not change. The rest, up to three bytes,
 * is cut by the end of the input: a lead, an odd byte, or both. `holds`: more input follows; if none does, a lone lead
 * may be a character. */
KERNEL_PART size_t whole_bytes(struct orders orders, const uint8_t *bytes, size_t byte_count, bool holds)
{
    size_t whole = byte_count / UNIT_BYTES * UNIT_BYTES;
    if (whole == 0 || (orders.takes_lone && !holds))
        return whole;
    return is_lead(orders.from_big, bytes + whole - UNIT_BYTES) ? whole - UNIT_BYTES : whole;
}

static struct assay_span cut_at(size_t whole, size_t byte_count)
{
    return (struct assay_span){whole, byte_count - whole, ASSAY_FAULT_TRUNCATED, true};
}

/* ---- errors ---------------------------------------------------------------------------------------------------- */

/* True if the next four blocks have no surrogate. */
KERNEL_PART bool stride_is_plain(bool big_endian, const uint8_t *bytes)
{
    const truth high_bytes = vec_truth(big_endian ? LAST_BYTES >> 1 : LAST_BYTES);
    truth surrogates[STRIDE / VEC_BYTES];
    for (size_t i = 0; i < STRIDE / VEC_BYTES; i++)
        surrogates[i] = vec_both(vec_between(vec_load(bytes + i * VEC_BYTES), 0xD8, 0xDF), high_bytes);
    return vec_neither(surrogates[0], surrogates[1]) && vec_neither(surrogates[2], surrogates[3]);
}

/* True if the next four blocks have no error. Adds to *pairs the surrogate pairs that end in them. */
KERNEL_PART bool check_stride(bool big_endian, const uint8_t *bytes, uint64_t *lead_before, size_t *pairs)
{
    for (size_t i = 0; i < STRIDE; i += VEC_BYTES) {
        struct halves found = halves_of(big_endian, vec_load(bytes + i));
        if (!check_pairs(&found, lead_before))
            return false;
        *pairs += count_bits(found.trails);
    }
    return true;
}

/* Advances by strides of four blocks while there is no error, from a character boundary to a character boundary. Adds
 * the surrogate pairs on the way to *pairs. */
KERNEL_PART size_t skip_clean_strides(bool big_endian, const uint8_t *bytes, size_t whole, size_t at, size_t *pairs)
{
    uint64_t lead_before = 0;
    for (; whole - at >= STRIDE; at += STRIDE) {
        if (lead_before == 0 && stride_is_plain(big_endian, bytes + at))
            continue;
        uint64_t lead = lead_before;
        size_t found = *pairs;
        if (!check_stride(big_endian, bytes + at, &lead, &found))
            break;
        lead_before = lead;
        *pairs = found;
    }
    return lead_before != 0 ? at - UNIT_BYTES : at;
}

/* The marks of the block at `at`; the input ends at `whole`. */
KERNEL_PART struct marks marks_at(struct orders orders, const uint8_t *bytes, size_t whole, size_t at)
{
    size_t left = whole - at;
    return left > VEC_BYTES ? find_marks(orders, vec_load(bytes + at), VEC_BYTES, false)
                            : find_marks(orders, vec_load_part(bytes + at, left), left, true);
}

/* Finds every error from a character boundary on: writes up to `capacity` of them and returns their number. If only the
 * first is asked for, returns 1 or 0. */
static size_t find_errors(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count, size_t at,
                          bool only_first, struct assay_span *spans, size_t capacity)
{
    struct orders orders = orders_of(encoding);
    size_t whole = whole_bytes(orders, bytes, byte_count, false), count = 0, pairs = 0;
    if (orders.takes_lone)
        at = whole;
    while ((at = skip_clean_strides(orders.from_big, bytes, whole, at, &pairs)) < whole) {
        struct marks marks = marks_at(orders, bytes, whole, at);
        for (uint64_t errors = marks.errors; errors != 0; errors &= errors - 1, count++)
            if (count < capacity)
                spans[count] = (struct assay_span){at + lowest(errors) + 1 - UNIT_BYTES, UNIT_BYTES,
                                                   ASSAY_FAULT_UNPAIRED_SURROGATE, false};
        if (only_first && count > 0)
            return 1;
        at += marks.length;
    }
    if (whole == byte_count)
        return count;
    if (count < capacity)
        spans[count] = cut_at(whole, byte_count);
    return count + 1;
}

static bool validate_in(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count,
                        struct assay_span *error)
{
    if (error != NULL)
        *error = (struct assay_span){0};
    return find_errors(encoding, bytes, byte_count, 0, true, error, error != NULL) == 0;
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

/* The window on up to 64 bytes at `at`. A full block includes the bytes before it, unless the input begins there. A
 * shorter one has zeros before it: it begins at a character boundary. */
KERNEL_PART struct window window_of(const uint8_t *bytes, size_t at, size_t length)
{
    return at >= PAIR_BYTES && length == VEC_BYTES ? window_at(bytes + at) : window_of_only(bytes + at, length);
}

/* The unit that ends at each byte. */
KERNEL_PART struct planes units_of(bool big_endian, const struct window *window)
{
    vec high = big_endian ? window->back_1 : window->now, low = big_endian ? window->now : window->back_1;
    return (struct planes){low, high, vec_fill(0)};
}

/* Joins the surrogate pairs that end at these bytes. The code point has its lowest ten bits from the trail and the next
 * six from the lead; the bits above are the next four of the lead plus one (Table 3-5). */
KERNEL_PART void set_supplementary(bool big_endian, struct planes *planes, const struct window *window, uint64_t pairs)
{
    vec lead_high = big_endian ? window->back_3 : window->back_2;
    vec lead_low = big_endian ? window->back_2 : window->back_3;
    vec middle = vec_or(vec_and(planes->high, vec_fill(0x03)), vec_shift(lead_low, 2, 0xFC, 0));
    vec top = vec_or(vec_shift(lead_low, -6, 0x03, 0), vec_shift(lead_high, 2, 0x0C, 0));
    planes->high = vec_select(vec_truth(pairs), middle, planes->high);
    planes->top = vec_keep(vec_truth(pairs), vec_add(top, vec_fill(1)));
}

/* Writes the `count` chosen units, for which there is room. */
KERNEL_PART void put_units(enum form form, bool big_endian, struct planes planes, bool has_top, uint64_t chosen,
                           size_t count, struct output *out)
{
    if (count == 0) /* the output may be NULL */
        return;
    if (form == UTF16 && big_endian)
        planes = (struct planes){planes.high, planes.low, planes.top};
    put_planes(form, &planes, has_top, chosen, unit_at(form, out->units, out->written), out->capacity - out->written);
    out->written += count;
}

/* Decodes the next `most` bytes, up to `whole`, or only their first character or error. Returns false, with nothing
 * done, if there is no room. */
KERNEL_PART bool decode_block(enum form form, struct orders orders, struct task *task, size_t whole, size_t most,
                              bool only_first)
{
    size_t left = whole - task->at, length = left < most ? left : most;
    struct window window = window_of(task->bytes, task->at, length);
    struct marks marks = find_marks(orders, window.now, length, length == left);
    if (only_first)
        limit_marks(&marks, lowest(marks.ends) + 1);
    bool stops = task->policy == ASSAY_POLICY_STRICT && marks.errors != 0;
    if (stops)
        limit_marks(&marks, lowest(marks.errors) + 1 - UNIT_BYTES);
    struct selection selection = select_units(task->policy, &marks, UNIT_BYTES, task->carry.in_run);
    uint64_t chosen = selection.chosen | (form == UTF16 ? marks.pairs >> UNIT_BYTES : 0);
    size_t count = count_bits(chosen);
    if (count > task->out.capacity - task->out.written)
        return false;

    struct planes planes = units_of(orders.from_big, &window);
    bool has_top = form == UTF32 && marks.pairs != 0;
    if (has_top)
        set_supplementary(orders.from_big, &planes, &window, marks.pairs);
    if (selection.replaced != 0)
        put_replacements(&planes, window.now, task->policy, vec_truth(selection.replaced));
    put_units(form, orders.to_big, planes, has_top, chosen, count, &task->out);
    task->at += marks.length;
    task->carry.in_run = marks.length > 0 ? ends_in_error(&marks) : task->carry.in_run;
    if (stops) {
        task->status = ASSAY_ILL_FORMED;
        task->error = (struct assay_span){task->at, UNIT_BYTES, ASSAY_FAULT_UNPAIRED_SURROGATE, false};
    }
    return true;
}

/* Decodes what the end of the input cuts; there is something. */
KERNEL_PART void decode_incomplete(enum form form, struct orders orders, struct task *task)
{
    struct marks marks = {1, 1, 1, 0};
    struct selection selection = select_units(task->policy, &marks, 1, task->carry.in_run);
    size_t count = count_bits(selection.chosen);
    if (task->policy == ASSAY_POLICY_STRICT) {
        task->status = ASSAY_ILL_FORMED;
        task->error = cut_at(task->at, task->byte_count);
    } else if (count > task->out.capacity - task->out.written) {
        task->status = ASSAY_OUTPUT_FULL;
    } else {
        struct planes planes = {vec_fill(REPLACEMENT & 0xFF), vec_fill(REPLACEMENT >> 8), vec_fill(0)};
        put_units(form, orders.to_big, planes, false, selection.chosen, count, &task->out);
        task->at = task->byte_count;
        task->carry.in_run = true;
    }
}

/* Writes a full block without errors: as UTF-16, its units in the order asked for; as UTF-32, each pair at its
 * trail. */
KERNEL_PART void put_clean_block(enum form form, struct orders orders, const uint8_t *bytes, size_t at, vec v,
                                 const struct halves *found, struct output *out)
{
    const size_t count = VEC_BYTES / UNIT_BYTES;
    void *to = unit_at(form, out->units, out->written);
    if (form == UTF16) {
        vec_store(to, orders.from_big != orders.to_big ? vec_swap(v) : v);
        out->written += count;
    } else if ((found->leads | found->trails) == 0) {
        vec_widen_units(to, orders.from_big ? vec_swap(v) : v);
        out->written += count;
    } else {
        struct window window = window_of(bytes, at, VEC_BYTES);
        struct planes planes = units_of(orders.from_big, &window);
        set_supplementary(orders.from_big, &planes, &window, found->trails);
        uint64_t chosen = LAST_BYTES & ~found->leads;
        put_units(form, false, planes, true, chosen, count_bits(chosen), out);
    }
}

/* Decodes full blocks while there is no error and there is room for as many units as a block may have. */
KERNEL_PART void decode_clean_run(enum form form, struct orders orders, struct task *task, size_t whole)
{
    const uint8_t *bytes = task->bytes;
    size_t at = task->at;
    struct output out = task->out;
    uint64_t lead_before = 0;
    for (; whole - at >= VEC_BYTES && out.capacity - out.written >= VEC_BYTES / UNIT_BYTES; at += VEC_BYTES) {
        vec v = vec_load(bytes + at);
        struct halves found = halves_of(orders.from_big, v);
        if (!check_pairs(&found, &lead_before))
            break;
        put_clean_block(form, orders, bytes, at, v, &found, &out);
    }
    if (lead_before != 0) { /* the lead at the end of the last block is decoded again */
        at -= UNIT_BYTES;
        out.written -= form == UTF16;
    }
    if (at > task->at)
        task->carry.in_run = false;
    task->at = at;
    task->out.written = out.written;
}

KERNEL_PART void decode_units(enum form form, struct orders orders, struct task *task)
{
    size_t whole = whole_bytes(orders, task->bytes, task->byte_count, task->hold), from = task->at;
    while (task->at < whole && task->status == ASSAY_OK) {
        if (!task->only_first)
            decode_clean_run(form, orders, task, whole);
        if (task->at < whole && !decode_block(form, orders, task, whole, VEC_BYTES, task->only_first) &&
            !decode_block(form, orders, task, whole, PAIR_BYTES, true))
            task->status = ASSAY_OUTPUT_FULL;
        if (task->only_first)
            break;
    }
    bool is_done = task->hold || (task->only_first && task->at > from);
    if (task->status == ASSAY_OK && task->at == whole && whole < task->byte_count && !is_done)
        decode_incomplete(form, orders, task);
}

static __attribute__((noinline)) void decode_units16(struct orders orders, struct task *task)
{
    decode_units(UTF16, orders, task);
}

static __attribute__((noinline)) void decode_units32(struct orders orders, struct task *task)
{
    decode_units(UTF32, orders, task);
}

KERNEL_PART void decode(enum form form, const struct encoding *encoding, struct task *task)
{
    struct orders orders = orders_of(encoding);
    if (form == UTF16)
        decode_units16(orders, task);
    else
        decode_units32(orders, task);
}

KERNEL_PART struct assay_result decode_whole(enum form form, const struct encoding *encoding, enum assay_policy policy,
                                             const uint8_t *bytes, size_t byte_count, void *units, size_t capacity)
{
    if (!offers(encoding, policy))
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    return decode_at_once(form, encoding, policy, bytes, byte_count, units, capacity);
}

KERNEL_PART void remember(struct memory *memory, const struct carry *carry)
{
    memory->in_run = carry->in_run;
}

static struct assay_count count_in(const struct encoding *encoding, enum assay_policy policy, const uint8_t *bytes,
                                   size_t byte_count)
{
    if (!offers(encoding, policy))
        return (struct assay_count){ASSAY_UNSUPPORTED, 0, 0};
    struct orders orders = orders_of(encoding);
    size_t whole = whole_bytes(orders, bytes, byte_count, false), at = 0, characters = 0, pairs = 0;
    bool in_run = false;
    for (;;) {
        size_t from = at, pairs_before = pairs;
        at = skip_clean_strides(orders.from_big, bytes, whole, from, &pairs);
        characters += (at - from) / UNIT_BYTES - (pairs - pairs_before);
        in_run = in_run && at == from;
        if (at == whole)
            break;
        struct marks marks = marks_at(orders, bytes, whole, at);
        bool stops = policy == ASSAY_POLICY_STRICT && marks.errors != 0;
        if (stops)
            limit_marks(&marks, lowest(marks.errors) + 1 - UNIT_BYTES);
        characters += count_bits(select_units(policy, &marks, UNIT_BYTES, in_run).chosen);
        pairs += count_bits(marks.pairs);
        if (stops)
            return (struct assay_count){ASSAY_ILL_FORMED, characters, characters + pairs};
        in_run = ends_in_error(&marks);
        at += marks.length;
    }
    bool is_cut = whole < byte_count;
    if (is_cut && (policy == ASSAY_POLICY_WHATWG || (policy == ASSAY_POLICY_PER_RUN && !in_run)))
        characters++;
    enum assay_status status = is_cut && policy == ASSAY_POLICY_STRICT ? ASSAY_ILL_FORMED : ASSAY_OK;
    return (struct assay_count){status, characters, characters + pairs};
}

/* ---- cutting and joining --------------------------------------------------------------------------------------- */

static size_t boundary_in(const struct encoding *encoding, const uint8_t *bytes, size_t byte_count, size_t at)
{
    if (at >= byte_count)
        return byte_count;
    size_t unit = at / UNIT_BYTES * UNIT_BYTES;
    if (unit == 0 || !is_lead(encoding->big_endian, bytes + unit - UNIT_BYTES))
        return unit;
    bool is_cut = byte_count - unit < UNIT_BYTES;
    if (is_cut && orders_of(encoding).takes_lone)
        return unit;
    return is_cut || is_trail(encoding->big_endian, bytes + unit) ? unit - UNIT_BYTES : unit;
}

/* Nothing to join: a well-formed string does not end with a lead, or a lead and a trail are a pair as soon as they are
 * neighbours. */
KERNEL_PART struct joint join_surrogates(const struct encoding *encoding, const uint8_t *left, size_t left_count,
                                         const uint8_t *right, size_t right_count)
{
    (void)encoding, (void)left, (void)left_count, (void)right, (void)right_count;
    return (struct joint){{0}, 0, 0};
}

#include "encode.h"

#endif
