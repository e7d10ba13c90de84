/* SPDX-License-Identifier: MIT
 *
 * Lane mutants: decoders and encoders with one mistake at one lane of a block. There they miss one kind of error, or
 * write a wrong character of one length. A decoder that works on blocks has such a mistake if a mask, a table or a
 * shift is wrong.
 *
 * A mutant is {kind} x {block of 8, 16, 32, 64, 128 units} x {lane: where in the block the error or character begins} x
 * {in whole blocks, or after the last whole block} x {aspect: what is wrong, in which operation}. It offers only that
 * operation and, where it decodes, only the policy whatwg.
 *
 * A mutant answers correctly unless an error of its kind begins at its lane, so it is asked only the probes in which
 * one does. A run of the correct codec over all probes finds these (`note_place`), with the code by which the mutant
 * finds its lane. If no input can have the kind there, the mutant is equivalent (`why_nowhere`).
 */
#include "kill.h"
#include "../assay/cli.h"
#include "../core/convert.h"

#include <stdlib.h>
#include <string.h>

static const size_t blocks[] = {8, 16, 32, 64, 128};
enum { BLOCK_COUNT = sizeof blocks / sizeof blocks[0], EXTENT_COUNT = 2 };
static const char *const extents[EXTENT_COUNT] = {"whole", "rest"};

/* ---- kinds -------------------------------------------------------------------------------------------- */

/* What distinguishes the kinds. All members zero: no kind. */
struct key {
    uint8_t fault;  /* NONE: a wrong character of `length` bytes */
    uint8_t lead;   /* bytes of the sequence that the first byte begins; 0 if it does not matter */
    uint8_t length; /* of the error */
    uint8_t before; /* length of the character before it; 7: an error or nothing; 0 if it does not matter */
    uint8_t next;   /* 1: ASCII comes next; 2: something else; 0 if it does not matter */
};

/* A kind, defined by an example: the first step of these bytes that has the fault. An encoding lacks the kind if it has
 * no such step, or one that is the same as that of another example. */
static const struct kind {
    const char *name;
    enum assay_fault fault;
    uint8_t bytes[14];
    size_t count;
} kinds[] = {
#define KIND(name, fault, ...) {name, ASSAY_FAULT_##fault, {__VA_ARGS__}, sizeof(uint8_t[]){__VA_ARGS__}},
    /* clang-format off */
    KIND("overlong-2", OVERLONG, 0xC1, 0x81)
    KIND("overlong-3", OVERLONG, 0xE0, 0x81, 0x81)
    KIND("overlong-4", OVERLONG, 0xF0, 0x81, 0x81, 0x81)
    KIND("surrogate", SURROGATE, 0xED, 0xA1, 0x81)
    KIND("trail-after-lead", SURROGATE_PAIR, 0xED, 0xA1, 0x81, 0xED, 0xB1, 0x81)
    KIND("lead-alone-before-ascii", UNPAIRED_SURROGATE, 0xED, 0xA1, 0x81, 0x41)
    KIND("lead-alone-before-other", UNPAIRED_SURROGATE, 0xED, 0xA1, 0x81, 0xC3, 0x81)
    KIND("trail-alone", UNPAIRED_SURROGATE, 0xED, 0xB1, 0x81)
    KIND("out-of-range-f4", OUT_OF_RANGE, 0xF4, 0x91, 0x81, 0x81)
    KIND("out-of-range-f5", OUT_OF_RANGE, 0xF5, 0x81, 0x81, 0x81)
    KIND("invalid-lead", INVALID_LEAD, 0xFF)
    KIND("nul", INVALID_LEAD, 0x00)
    KIND("stray-after-error", STRAY_CONTINUATION, 0x81, 0x81)
    KIND("stray-after-1", STRAY_CONTINUATION, 0x41, 0x81)
    KIND("stray-after-2", STRAY_CONTINUATION, 0xC3, 0x81, 0x81)
    KIND("stray-after-3", STRAY_CONTINUATION, 0xE1, 0x81, 0x81, 0x81)
    KIND("stray-after-4", STRAY_CONTINUATION, 0xF1, 0x81, 0x81, 0x81, 0x81)
    KIND("stray-after-6", STRAY_CONTINUATION, 0xED, 0xA1, 0x81, 0xED, 0xB1, 0x81, 0x81)
    KIND("missing-2-of-2-before-ascii", MISSING_CONTINUATION, 0xC3, 0x41)
    KIND("missing-2-of-2-before-lead", MISSING_CONTINUATION, 0xC3, 0xC3, 0x81)
    KIND("missing-2-of-3-before-ascii", MISSING_CONTINUATION, 0xE1, 0x41)
    KIND("missing-2-of-3-before-lead", MISSING_CONTINUATION, 0xE1, 0xC3, 0x81)
    KIND("missing-3-of-3-before-ascii", MISSING_CONTINUATION, 0xE1, 0x81, 0x41)
    KIND("missing-3-of-3-before-lead", MISSING_CONTINUATION, 0xE1, 0x81, 0xC3, 0x81)
    KIND("missing-2-of-4-before-ascii", MISSING_CONTINUATION, 0xF1, 0x41)
    KIND("missing-2-of-4-before-lead", MISSING_CONTINUATION, 0xF1, 0xC3, 0x81)
    KIND("missing-3-of-4-before-ascii", MISSING_CONTINUATION, 0xF1, 0x81, 0x41)
    KIND("missing-3-of-4-before-lead", MISSING_CONTINUATION, 0xF1, 0x81, 0xC3, 0x81)
    KIND("missing-4-of-4-before-ascii", MISSING_CONTINUATION, 0xF1, 0x81, 0x81, 0x41)
    KIND("missing-4-of-4-before-lead", MISSING_CONTINUATION, 0xF1, 0x81, 0x81, 0xC3, 0x81)
    KIND("truncated-1-of-2", TRUNCATED, 0xC3)
    KIND("truncated-1-of-3", TRUNCATED, 0xE1)
    KIND("truncated-2-of-3", TRUNCATED, 0xE1, 0x81)
    KIND("truncated-1-of-4", TRUNCATED, 0xF1)
    KIND("truncated-2-of-4", TRUNCATED, 0xF1, 0x81)
    KIND("truncated-3-of-4", TRUNCATED, 0xF1, 0x81, 0x81)
    KIND("truncated-3-of-6", TRUNCATED, 0xED, 0xA1, 0x81)
    KIND("truncated-4-of-6", TRUNCATED, 0xED, 0xA1, 0x81, 0xED)
    KIND("truncated-5-of-6", TRUNCATED, 0xED, 0xA1, 0x81, 0xED, 0xB1)
    KIND("character-of-1", NONE, 0x41)
    KIND("character-of-2", NONE, 0xC3, 0x81)
    KIND("character-of-3", NONE, 0xE1, 0x81, 0x81)
    KIND("character-of-4", NONE, 0xF1, 0x81, 0x81, 0x81)
    KIND("character-of-6", NONE, 0xED, 0xA1, 0x81, 0xED, 0xB1, 0x81)
    /* clang-format on */
};
/* The kinds of UTF-16, in big-endian order. */
static const struct kind kinds_of_utf16[] = {
    /* clang-format off */
    KIND("trail-alone-after-error", UNPAIRED_SURROGATE, 0xDC, 0x41, 0xDC, 0x41)
    KIND("trail-alone-after-unit", UNPAIRED_SURROGATE, 0x00, 0x41, 0xDC, 0x41)
    KIND("trail-alone-after-pair", UNPAIRED_SURROGATE, 0xD8, 0x41, 0xDC, 0x41, 0xDC, 0x41)
    KIND("lead-alone-before-unit", UNPAIRED_SURROGATE, 0xD8, 0x41, 0x00, 0x41)
    KIND("lead-alone-before-lead", UNPAIRED_SURROGATE, 0xD8, 0x41, 0xD8, 0x41, 0xDC, 0x41)
    KIND("truncated-1", TRUNCATED, 0x00)
    KIND("truncated-2", TRUNCATED, 0xD8, 0x41)
    KIND("truncated-3", TRUNCATED, 0xD8, 0x41, 0xDC)
    KIND("unit", NONE, 0x00, 0x41)
    KIND("pair", NONE, 0xD8, 0x41, 0xDC, 0x41)
    /* clang-format on */
};
#undef KIND
enum { KINDS_MAX = sizeof kinds / sizeof kinds[0], NOWHERE = -1 };

static struct kind_of_encoding {
    const char *name;
    struct key key;
} present[KINDS_MAX];
static int present_count;
static bool is_utf16;

static size_t asked_for(uint8_t lead)
{
    return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
}

/* True if all continuation bytes follow that the lead requires; if not, another rule refuses the bytes, too. */
static bool is_complete(const struct state *state)
{
    size_t wanted = asked_for(state->here[0]);
    for (size_t i = 1; i < wanted; i++)
        if (i >= state->ahead || !museum_is_continuation(state->here[i]))
            return false;
    return true;
}

/* The length of the character before this step; 7 if there is an error or nothing before it. */
static uint8_t length_before(const struct state *state)
{
    return (uint8_t)(state->memory->own == 0 ? 7 : state->memory->own);
}

static struct key key_of_utf16(const struct state *state, const struct step *step)
{
    struct key key = {.fault = (uint8_t)step->fault, .length = (uint8_t)step->length};
    bool is_big = museum_base->encoding[6] == 'b';
    if (step->fault != ASSAY_FAULT_UNPAIRED_SURROGATE)
        return key;
    bool is_trail = state->here[is_big ? 0 : 1] >= 0xDC;
    key.lead = is_trail ? 1 : 2;
    if (is_trail)
        key.before = length_before(state);
    else
        key.next = state->here[is_big ? 2 : 3] >> 3 == 0x1B ? 2 : 1;
    return key;
}

/* Returns no kind if another rule than `fault` would also refuse the bytes. */
static struct key key_of(const struct state *state, const struct step *step)
{
    static const struct key no_kind = {.fault = ASSAY_FAULT_COUNT};
    struct key key = {.fault = (uint8_t)step->fault, .length = (uint8_t)step->length};
    if (is_utf16)
        return key_of_utf16(state, step);
    switch (step->fault) {
    case ASSAY_FAULT_OVERLONG:
    case ASSAY_FAULT_SURROGATE:
    case ASSAY_FAULT_SURROGATE_PAIR:
    case ASSAY_FAULT_OUT_OF_RANGE:
        key.lead = (uint8_t)asked_for(state->here[0]);
        key.next = state->here[0] >= 0xF5;
        return is_complete(state) ? key : no_kind;
    case ASSAY_FAULT_UNPAIRED_SURROGATE:
        key.next = (uint8_t)(step->length < 3 || state->ahead <= 3 ? 0 : state->here[3] < 0x80 ? 1 : 2);
        return is_complete(state) ? key : no_kind;
    case ASSAY_FAULT_INVALID_LEAD: key.next = state->here[0] == 0; return key;
    case ASSAY_FAULT_STRAY_CONTINUATION: key.before = length_before(state); return key;
    case ASSAY_FAULT_MISSING_CONTINUATION: key.next = state->here[step->length] < 0x80 ? 1 : 2; /* fall through */
    case ASSAY_FAULT_TRUNCATED: key.lead = (uint8_t)asked_for(state->here[0]); return key;
    default: return key;
    }
}

static void notes_length(struct state *state, const struct step *step)
{
    state->memory->own = step->fault == ASSAY_FAULT_NONE ? step->length : 7;
}

static int kind_of(const struct state *state, const struct step *step)
{
    struct key key = key_of(state, step);
    for (int i = 0; i < present_count; i++)
        if (memcmp(&present[i].key, &key, sizeof key) == 0)
            return i;
    return NOWHERE;
}

static struct key sought, found;

static void find_key(struct state *state, struct step *step)
{
    if (step->fault == (enum assay_fault)sought.fault && found.length == 0)
        found = key_of(state, step);
}

static void swap_bytes(uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i + 1 < count; i += 2) {
        uint8_t first = bytes[i];
        bytes[i] = bytes[i + 1];
        bytes[i + 1] = first;
    }
}

size_t lane_example(const struct assay_codec *base, size_t index, uint8_t bytes[16])
{
    is_utf16 = encoding_is_utf16(base);
    const struct kind *list = is_utf16 ? kinds_of_utf16 : kinds;
    if (index >= (is_utf16 ? sizeof kinds_of_utf16 / sizeof *list : KINDS_MAX))
        return 0;
    memcpy(bytes, list[index].bytes, list[index].count);
    if (is_utf16 && !encoding_is_big_endian(base))
        swap_bytes(bytes, list[index].count);
    return list[index].count;
}

static void find_kind(const struct assay_codec *base, const struct kind *kind, const uint8_t *bytes)
{
    static const struct mistake finder = {"finder", .offers = OFFERS(DECODE_UTF32), .step = find_key,
                                          .after = notes_length};
    uint32_t out[sizeof kind->bytes];
    found = (struct key){0};
    sought.fault = (uint8_t)kind->fault;
    museum_codec(base, &finder)->decode_utf32(ASSAY_POLICY_WHATWG, bytes, kind->count, out, sizeof kind->bytes);
    bool is_new = found.length > 0 && found.fault == sought.fault;
    for (int i = 0; i < present_count; i++)
        is_new &= memcmp(&present[i].key, &found, sizeof found) != 0;
    if (is_new)
        present[present_count++] = (struct kind_of_encoding){kind->name, found};
}

static void find_kinds(const struct assay_codec *base)
{
    uint8_t bytes[16];
    present_count = 0;
    for (size_t i = 0; lane_example(base, i, bytes) > 0; i++)
        find_kind(base, is_utf16 ? &kinds_of_utf16[i] : &kinds[i], bytes);
}

/* The number of bytes from the start of the kind that an input must have. */
static size_t bytes_needed(const struct key *key)
{
    if (key->fault == ASSAY_FAULT_NONE || key->fault == ASSAY_FAULT_TRUNCATED || is_utf16)
        return key->lead == 2 && is_utf16 ? 4 : key->length;
    if (key->fault == ASSAY_FAULT_UNPAIRED_SURROGATE)
        return key->next != 0 ? 4 : 3;
    if (key->fault == ASSAY_FAULT_MISSING_CONTINUATION)
        return key->length + 1u;
    return key->lead > key->length ? key->lead : key->length;
}

/* ---- kinds for encoding: a few, by code point and form ---------------------------------------------------- */

/* Named by the number of bytes of the character, or by why it cannot be encoded. */
static const char *const encode_kinds[] = {"encodes-0", "encodes-1", "encodes-2",    "encodes-3",     "encodes-4",
                                           "encodes-5", "encodes-6", "refuses-lead", "refuses-trail", "refuses-beyond"};
enum {
    ENCODE_KIND_COUNT = sizeof encode_kinds / sizeof encode_kinds[0],
    REFUSES_LEAD = 7,
    REFUSES_TRAIL,
    REFUSES_BEYOND
};

const uint32_t lane_code_points[LANE_CODE_POINT_COUNT] = {0, 0x41, 0xC1, 0x1041, 0x10441, 0xD841, 0xDC41, 0x110000};

static int encode_kind_of(const struct encode_step *step)
{
    if (step->fault == ASSAY_FAULT_NONE)
        return (int)step->length;
    return step->code_point > 0xFFFF ? REFUSES_BEYOND : step->code_point >= 0xDC00 ? REFUSES_TRAIL : REFUSES_LEAD;
}

/* True if the encoding has that kind. Tries an example. */
static bool has_encode_kind(const struct assay_codec *base, enum operation operation, int kind)
{
    for (size_t i = 0; i < LANE_CODE_POINT_COUNT; i++) {
        struct encode_step step = {.code_point = lane_code_points[i]};
        struct assay_result result =
            base->encode_utf32(ASSAY_POLICY_STRICT, &step.code_point, 1, step.bytes, AHEAD_MAX);
        step.length = result.written;
        step.fault = result.error.fault;
        if (encode_kind_of(&step) == kind && !(operation == OP_ENCODE_UTF16 && step.code_point > 0x10FFFF))
            return true;
    }
    return false;
}

/* ---- the mutant ------------------------------------------------------------------------------------------- */

/* The place where the mutant is wrong. */
static struct place {
    int kind;
    size_t block, lane, extent;
} wrong;

static bool is_in(size_t at, size_t count, size_t block, size_t extent)
{
    return (at - at % block + block <= count) == (extent == 0);
}

/* True if the mutant makes its mistake at a step of this kind, which begins at unit `at` of `count` units. It makes
 * none in an earlier piece, where `at` is negative. */
static bool is_wrong(int kind, ptrdiff_t at, size_t count)
{
    return kind == wrong.kind && at >= 0 && (size_t)at % wrong.block == wrong.lane &&
           is_in((size_t)at, count, wrong.block, wrong.extent);
}

/* Makes a character of an error, with the length that its lead requires if there are enough bytes. */
static void forget(const struct state *state, struct step *step)
{
    struct key key = key_of(state, step);
    size_t length = !is_utf16 && key.fault != ASSAY_FAULT_MISSING_CONTINUATION && key.fault != ASSAY_FAULT_TRUNCATED &&
                            key.lead > key.length
                        ? key.lead
                        : step->length;
    if (!is_utf16 && key.fault == ASSAY_FAULT_UNPAIRED_SURROGATE)
        length = 3;
    *step = (struct step){.length = length, .code_point = 'A'};
}

static void wrong_verdict(struct state *state, struct step *step)
{
    if (step->open || !is_wrong(kind_of(state, step), state->at, state->byte_count))
        return;
    if (step->fault != ASSAY_FAULT_NONE)
        forget(state, step);
    else
        step->fault = ASSAY_FAULT_INVALID_LEAD;
}

static void wrong_output(struct state *state, struct step *step)
{
    if (step->open || !is_wrong(kind_of(state, step), state->at, state->byte_count))
        return;
    if (step->fault != ASSAY_FAULT_NONE)
        forget(state, step);
    else
        step->code_point ^= 1;
}

static bool is_offset_wrong;

static void notes_offset(struct state *state, struct step *step)
{
    is_offset_wrong =
        !step->open && step->fault != ASSAY_FAULT_NONE && is_wrong(kind_of(state, step), state->at, state->byte_count);
}

static void wrong_offset(struct state *state, struct assay_span *span)
{
    (void)state;
    span->offset += is_offset_wrong;
}

static void wrong_encoding(const struct encode_state *state, struct encode_step *step)
{
    if (!is_wrong(encode_kind_of(step), (ptrdiff_t)state->at, state->unit_count))
        return;
    if (step->fault == ASSAY_FAULT_NONE) {
        step->bytes[step->length - 1] ^= 1;
    } else {
        step->fault = ASSAY_FAULT_NONE;
        step->bytes[0] = 'A';
        step->length = 1;
    }
}

static void note_decoded(struct state *state, struct step *step);
static void note_encoded(const struct encode_state *state, struct encode_step *step);

#define WHATWG_ONLY (1u << ASSAY_POLICY_WHATWG)
#define STRICT_ONLY (1u << ASSAY_POLICY_STRICT)
#define DECODES(name_, id, policies_, how) \
    {{name_, .offers = OFFERS(id), .policies = policies_, .step = how, .after = notes_length}, \
     {name_, .offers = OFFERS(id), .policies = policies_, .step = note_decoded, .after = notes_length}, \
     OP_##id},
#define ENCODES(name_, id, policies_) \
    {{name_, .offers = OFFERS(id), .policies = policies_, .encode = wrong_encoding}, \
     {name_, .offers = OFFERS(id), .policies = policies_, .encode = note_encoded}, \
     OP_##id},

/* Each aspect of an answer has a mutant, and a correct codec that records the lanes in which it occurs. */
static const struct aspect {
    struct mistake mutant, noter;
    enum operation operation;
} aspects[] = {
    DECODES("verdict", VALIDATE, 0, wrong_verdict){
        {"offset", .offers = OFFERS(VALIDATE), .step = notes_offset, .span = wrong_offset, .after = notes_length},
        {"offset", .offers = OFFERS(VALIDATE), .step = note_decoded, .after = notes_length},
        OP_VALIDATE},
    /* clang-format off */
    DECODES("spans", SPANS, 0, wrong_verdict)
    DECODES("utf32", DECODE_UTF32, WHATWG_ONLY, wrong_output)
    DECODES("utf16", DECODE_UTF16, WHATWG_ONLY, wrong_output)
    DECODES("feed", FEED_UTF16, WHATWG_ONLY, wrong_output)
    ENCODES("encode-utf32", ENCODE_UTF32, STRICT_ONLY)
    ENCODES("encode-utf32-whatwg", ENCODE_UTF32, WHATWG_ONLY)
    ENCODES("encode-utf16", ENCODE_UTF16, STRICT_ONLY)
    ENCODES("encode-utf16-whatwg", ENCODE_UTF16, WHATWG_ONLY)
    /* clang-format on */
};

/* ---- which probes have an error or character at each place -------------------------------------------------- */

/* The probes that are tried for a place. If none of them kills, others are unlikely to. Leaving some out can only make
 * a killed mutant count as a survivor. */
enum { PROBES_MAX = 128 };
static struct buckets {
    uint8_t counts[KINDS_MAX][BLOCK_COUNT][EXTENT_COUNT][128]; /* apart, so that all of them stay in the cache */
    uint32_t trials[KINDS_MAX][BLOCK_COUNT][EXTENT_COUNT][128][PROBES_MAX];
} buckets;
static uint32_t noted_trial;

static void note_place(int kind, ptrdiff_t at, size_t count)
{
    if (kind < 0 || at < 0)
        return;
    for (size_t i = 0; i < BLOCK_COUNT; i++) {
        size_t extent = is_in((size_t)at, count, blocks[i], 0) ? 0 : 1;
        uint8_t *count_here = &buckets.counts[kind][i][extent][(size_t)at % blocks[i]];
        if (*count_here == PROBES_MAX)
            continue;
        uint32_t *trials = buckets.trials[kind][i][extent][(size_t)at % blocks[i]];
        if (*count_here == 0 || trials[*count_here - 1] != noted_trial)
            trials[(*count_here)++] = noted_trial;
    }
}

static void note_decoded(struct state *state, struct step *step)
{
    if (!step->open)
        note_place(kind_of(state, step), state->at, state->byte_count);
}

static void note_encoded(const struct encode_state *state, struct encode_step *step)
{
    note_place(encode_kind_of(step), (ptrdiff_t)state->at, state->unit_count);
}

/* Notes the places of every question: for many of them, one question alone kills a mutant. */
static void note_places(struct trials *trials, const struct aspect *aspect)
{
    memset(buckets.counts, 0, sizeof buckets.counts);
    const struct assay_codec *codec = museum_codec(trials->base, &aspect->noter);
    for (size_t i = 0; i < trials->count; i++) {
        noted_trial = (uint32_t)i;
        if (trials->list[i].operation == aspect->operation)
            trials_run_one(trials, codec, &trials->list[i]);
    }
}

/* ---- all mutants ----------------------------------------------------------------------------------------------- */

/* Returns why no input can have the kind at the place; NULL if one can. `needed` units follow its start; `ends`: the
 * input ends after them; `is_first`: the input begins with it. */
static const char *why_nowhere(size_t needed, bool ends, bool is_first)
{
    if (is_first && wrong.lane != 0)
        return "the error before it is reported, and nothing after that";
    bool reaches_end = wrong.lane + needed >= wrong.block;
    if (wrong.extent == 0 && ends && !reaches_end)
        return "the input ends inside the block, which is then not whole";
    if (wrong.extent == 1 && reaches_end)
        return "its bytes reach the end of the block, which is then whole";
    return NULL;
}

static void run_place(struct trials *trials, const struct aspect *aspect, const char *kind, const uint32_t *probes,
                      size_t count, const char *reason)
{
    const char *field = NULL, *file = "";
    const struct assay_codec *codec = museum_codec(trials->base, &aspect->mutant);
    for (size_t i = 0; i < count && field == NULL; i++) {
        field = trials_run_one(trials, codec, &trials->list[probes[i]]);
        file = field != NULL ? trials->list[probes[i]].file : "";
    }
    if (count > 0 && reason != NULL)
        cli_fail("%s: no input is said to have %s at lane %zu of %zu, %s, and %s has one", trials->base->encoding, kind,
                 wrong.lane, wrong.block, extents[wrong.extent], trials->list[probes[0]].file);
    printf("%s/%s/%zu/%zu/%s\t%s\t%s\t%s\t\n", kind, aspect->mutant.name, wrong.block, wrong.lane,
           extents[wrong.extent],
           field != NULL    ? "killed"
           : reason != NULL ? "equivalent"
                            : "survived",
           field != NULL    ? file
           : reason != NULL ? reason
                            : "",
           field != NULL ? field : "");
}

static void run_kind(struct trials *trials, const struct aspect *aspect, const char *name, int kind, size_t needed,
                     bool ends, size_t stride)
{
    bool is_first = aspect->operation == OP_VALIDATE && present[kind].key.before == 7;
    static size_t number;
    bool encodes = aspect->operation == OP_ENCODE_UTF32 || aspect->operation == OP_ENCODE_UTF16;
    for (size_t i = 0; i < BLOCK_COUNT; i++)
        for (size_t extent = 0; extent < EXTENT_COUNT; extent++)
            for (size_t lane = 0; lane < blocks[i]; lane += is_utf16 && !encodes ? 2 : 1) {
                wrong = (struct place){kind, blocks[i], lane, extent};
                if (number++ % stride == 0)
                    run_place(trials, aspect, name, buckets.trials[kind][i][extent][lane],
                              buckets.counts[kind][i][extent][lane], why_nowhere(needed, ends, is_first));
            }
}

static bool is_of_an_aspect(enum operation operation, enum assay_policy policy)
{
    for (size_t i = 0; i < sizeof aspects / sizeof aspects[0]; i++)
        if (aspects[i].operation == operation &&
            (aspects[i].mutant.policies == 0 || aspects[i].mutant.policies >> policy & 1))
            return true;
    return false;
}

void run_lanes(struct trials *trials, size_t stride)
{
    find_kinds(trials->base);
    trials_add_positions(trials, is_of_an_aspect);
    for (const struct aspect *aspect = aspects; aspect < aspects + sizeof aspects / sizeof aspects[0]; aspect++) {
        note_places(trials, aspect);
        bool encodes = aspect->mutant.encode != NULL;
        for (int kind = 0; encodes && kind < ENCODE_KIND_COUNT; kind++)
            if (has_encode_kind(trials->base, aspect->operation, kind))
                run_kind(trials, aspect, encode_kinds[kind], kind,
                         aspect->operation == OP_ENCODE_UTF16 && (kind == 4 || kind == 6) ? 2 : 1, false, stride);
        for (int kind = 0; !encodes && kind < present_count; kind++) {
            const struct key *key = &present[kind].key;
            if (aspect->mutant.span == NULL || key->fault != ASSAY_FAULT_NONE)
                run_kind(trials, aspect, present[kind].name, kind, bytes_needed(key),
                         key->fault == ASSAY_FAULT_TRUNCATED, stride);
        }
    }
}
