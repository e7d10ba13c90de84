/* SPDX-License-Identifier: MIT
 *
 * Theorem `texts`: the loops around the kernels, in the codec as it is shipped. Strings of the kinds that a byte can
 * depend on, followed by a byte of each kind, are tried after each kind of text, at the end of the input and before
 * more text; the input ends before bytes that would continue it, and for some strings also at a guard page. PROOF.md
 * says which strings at which offsets. Each time the verdict and the first error must be those of the rules.
 */
#include "../../core/arena.h"
#include "../cli.h"
#include "kernels.h"
#include "strings.h"
#include "theorems.h"

#include <string.h>

enum {
    FILLERS = 4,
    FILLER_MAX = 8,
    NEAR = BLOCK_BYTES + STRIDE_BYTES + BLOCK_BYTES + BLOCK_BYTES - 1, /* a block, a stride, a block and a tail */
    EDGE = 48,
    AFTER_EDGE = BLOCK_BYTES + 16,       /* if there are many strings: across one edge of a block */
    NEAR_OF_WALKS = 2 * CHUNK_BYTES + 2, /* of automata */
    AFTER = STRIDE_BYTES + BLOCK_BYTES,
    AFTER_IN_LOOPS = LONG_LENGTH + BLOCK_BYTES, /* so that the text is long enough for loops */
    MANY = 20000,
    LEADS = 3,
    BESIDE = 88, /* bytes after an input that does not end at the guard page: more than 64, and 8 modulo 16 */
    /* Every 11th string is asked, and so on; where two of these apply, every 121st. These are primes that divide no
     * number of kinds of bytes: the last byte of string i is of kind i modulo that number, so each kind is asked as a
     * last byte. */
    AT_GUARD = 11, /* at the guard page, too, where a masked load takes 500 ns on a Zen 5 */
    IN_LOOPS = 11,
    AFTER_PREFETCHED = 17,
    AFTER_FAR = 257
};

/* The text around a string: fillers before it, all of one character but for the first few bytes, which are ASCII where
 * whole characters do not fit, and text after it. */
struct stage {
    struct proof *proof;
    struct arena arena;
    uint8_t filler[FILLER_MAX], ascii[FILLER_MAX];
    size_t filler_count, ascii_count;
    uint8_t *place; /* of the string */
    size_t after;   /* bytes after the string */
    size_t beside;  /* bytes between the end of the input and the guard page */
    size_t every;   /* strings 0, every, 2 * every, ... are asked */
    const struct string *string;
    struct assay_span error; /* of the string at this place; length 0: none */
};

static void choose_filler(struct stage *stage, size_t which)
{
    static const uint32_t characters[FILLERS] = {'A', 0xE9, 0x4E16, 0x1F600};
    const struct assay_codec *reference = registry_reference(stage->proof->codec->encoding);
    stage->filler_count =
        reference->encode_utf32(ASSAY_POLICY_STRICT, &characters[which], 1, stage->filler, FILLER_MAX).written;
    stage->ascii_count =
        reference->encode_utf32(ASSAY_POLICY_STRICT, &characters[0], 1, stage->ascii, FILLER_MAX).written;
}

/* Fills a number of bytes that whole fillers take. */
static void fill(const struct stage *stage, uint8_t *bytes, size_t byte_count)
{
    size_t filled = stage->filler_count < byte_count ? stage->filler_count : byte_count;
    memcpy(bytes, stage->filler, filled);
    for (size_t more; filled < byte_count; filled += more) {
        more = filled < byte_count - filled ? filled : byte_count - filled;
        memcpy(bytes + filled, bytes, more);
    }
}

/* Allocates room for strings of `count` bytes, writes fillers before and after them, and beside the input bytes that
 * continue characters: continuation bytes, or trail surrogates of UTF-16. */
static void prepare(struct stage *stage, size_t count, size_t before, size_t after)
{
    size_t whole = (before + stage->filler_count - 1) / stage->filler_count * stage->filler_count;
    stage->after = after / stage->filler_count * stage->filler_count;
    arena_reserve(&stage->arena, LEADS + whole + count + stage->after + stage->beside);
    stage->place = arena_at_end(&stage->arena, count + stage->after + stage->beside);
    fill(stage, stage->place - whole, whole);
    fill(stage, stage->place + count, stage->after);
    memset(stage->place + count + stage->after, stage->ascii_count == 2 ? 0xDC : 0x80, stage->beside);
}

/* Writes a string, and finds the rules' answer for it and the text after it. Returns false if the text does not end
 * between two characters: a string of UTF-16 with an odd byte. */
static bool put_string(struct stage *stage, const struct string *string)
{
    struct rule_event events[STRING_MAX + 2 * FILLER_MAX];
    uint8_t bytes[STRING_MAX + 2 * FILLER_MAX];
    size_t count = string->count;
    memcpy(stage->place, string->bytes, count);
    memcpy(bytes, string->bytes, count);
    for (size_t i = 0; i < 2 && stage->after > 0; i++, count += stage->filler_count)
        memcpy(bytes + count, stage->filler, stage->filler_count);
    size_t event_count = rules_run(stage->proof->rules, bytes, count, stage->after == 0, events);
    stage->string = string;
    stage->error = (struct assay_span){0};
    if (stage->after > 0 && rules_run(stage->proof->rules, bytes, count, true, events) != event_count)
        return false;
    for (size_t i = event_count; i-- > 0;)
        if (events[i].fault != ASSAY_FAULT_NONE)
            stage->error = (struct assay_span){events[i].offset, events[i].length, events[i].fault,
                                               events[i].fault == ASSAY_FAULT_TRUNCATED};
    return true;
}

/* True if the codec's answer is the expected one. Just before the text are leads, so a codec that reads them finds
 * another error. The first `ascii` bytes are overwritten by ASCII for this call. */
static bool answers_as_expected(const struct stage *stage, uint8_t *text, size_t byte_count, size_t ascii,
                                const struct assay_span *expected)
{
    static const uint8_t leads[LEADS] = {0xF1, 0xF1, 0xE1};
    const struct assay_codec *codec = stage->proof->codec;
    uint8_t kept[LEADS + FILLER_MAX];
    struct assay_span error = {0};
    bool is_right = expected->length == 0;
    memcpy(kept, text - LEADS, LEADS + ascii);
    memcpy(text - LEADS, leads, LEADS);
    for (size_t i = 0; i < ascii; i += stage->ascii_count)
        memcpy(text + i, stage->ascii, stage->ascii_count);
    bool is_said = codec->validate(text, byte_count, NULL) == is_right &&
                   codec->validate(text, byte_count, &error) == is_right && span_agrees(&error, expected);
    memcpy(text - LEADS, kept, LEADS + ascii);
    return is_said;
}

/* Asks about the string after `before` bytes of text. */
static bool ask_after(struct stage *stage, size_t before)
{
    size_t byte_count = before + stage->string->count + stage->after;
    struct assay_span expected = stage->error;
    if (expected.length > 0)
        expected.offset += before;
    stage->proof->cases++;
    note_asked(stage->proof, "validate", stage->string->bytes, stage->string->count);
    if (answers_as_expected(stage, stage->place - before, byte_count, before % stage->filler_count, &expected))
        return true;
    char what[96];
    snprintf(what, sizeof what, "after %zu byte%s, with %zu after it%s: the verdict, or the first error,", before,
             before == 1 ? "" : "s", stage->after, stage->beside > 0 ? "" : " and a guard page");
    return refute_on(stage->proof, stage->string->bytes, stage->string->count, what);
}

/* True if a string is to be checked now: it has this length, is in the sample, and is one of `every`. */
static bool is_asked(const struct stage *stage, const struct strings *strings, size_t i, size_t count)
{
    return strings->list[i].count == count && i % stage->proof->stride == stage->proof->offset &&
           i / stage->proof->stride % stage->every == 0;
}

/* Checks the offsets from `from` to `to`, with ASCII first. Of automata, which know no blocks of characters, and where
 * strings are many, only the offsets that whole fillers reach. */
static bool ask_range(struct stage *stage, const struct strings *strings, size_t count, size_t from, size_t to,
                      size_t after)
{
    bool is_whole = stage->proof->codec->walk != NULL || strings->count > MANY;
    size_t step = is_whole ? stage->filler_count : stage->ascii_count;
    from = (from + step - 1) / step * step;
    prepare(stage, count, to, after);
    for (size_t i = 0; i < strings->count; i++) {
        if (!is_asked(stage, strings, i, count) || !put_string(stage, &strings->list[i]))
            continue;
        for (size_t before = from; before <= to; before += step)
            if (!ask_after(stage, before))
                return false;
    }
    return true;
}

/* Checks long texts: those in which strides begin at a cache line, at offsets that reach each place of a line; and
 * those after a 4-byte character, for as long as the codec expects more of them and a little longer. */
static bool ask_long(struct stage *stage, const struct strings *strings, size_t count)
{
    enum { STEP = 7, PHASES = 4 };
    for (size_t i = 0; i < strings->count; i++) {
        if (!is_asked(stage, strings, i, count) || !put_string(stage, &strings->list[i]))
            continue;
        for (size_t before = 0; before <= NEAR; before += STEP * stage->filler_count)
            if (!ask_after(stage, before))
                return false;
        for (size_t phase = 0; phase < PHASES; phase++)
            if (!ask_after(stage, (FOURS_LENGTH + (phase + i % PHASES * PHASES) * 64) / stage->filler_count *
                                      stage->filler_count))
                return false;
    }
    return true;
}

/* Checks strings after `length` bytes of fillers: of those that are asked, every Nth (N is `every`). */
static bool ask_after_much(struct stage *stage, const struct strings *strings, size_t count, size_t length,
                           size_t every)
{
    prepare(stage, count, length + NEAR, AFTER);
    for (size_t i = 0; i < strings->count; i++) {
        if (i / stage->proof->stride % every != 0 || !is_asked(stage, strings, i, count) ||
            !put_string(stage, &strings->list[i]))
            continue;
        if (!ask_after(stage, (length + i % NEAR) / stage->filler_count * stage->filler_count))
            return false;
    }
    return true;
}

/* Checks every Nth string of one length (N is `every`) between fillers of one kind, `beside` bytes before the guard
 * page. */
static bool ask_strings(struct stage *stage, const struct strings *strings, size_t count, size_t every, size_t beside)
{
    stage->every = every;
    stage->beside = beside;
    bool walks = stage->proof->codec->walk != NULL, is_many = strings->count > MANY;
    size_t from = is_many ? EDGE : 0, to = walks ? NEAR_OF_WALKS : is_many ? AFTER_EDGE : NEAR;
    if (!ask_range(stage, strings, count, from, to, 0) || !ask_range(stage, strings, count, from, to, AFTER))
        return false;
    if (walks)
        return true;
    stage->every = every * IN_LOOPS;
    if (!ask_range(stage, strings, count, from, to, AFTER_IN_LOOPS) ||
        !ask_range(stage, strings, count, LONG_LENGTH + from, LONG_LENGTH + to, 0))
        return false;
    stage->every = every;
    if (is_many)
        return true;
    prepare(stage, count, FOURS_LENGTH + STRIDE_BYTES * 16, LONG_LENGTH);
    return ask_long(stage, strings, count) &&
           ask_after_much(stage, strings, count, PREFETCHED_LENGTH, AFTER_PREFETCHED) &&
           ask_after_much(stage, strings, count, FAR_LENGTH, AFTER_FAR);
}

bool applies_texts(const struct assay_codec *codec)
{
    return codec->validate != NULL;
}

void prove_texts(struct proof *proof)
{
    struct stage stage = {.proof = proof, .arena = {NULL, NULL}};
    size_t kinds = proof->kinds.count;
    if (kinds % AT_GUARD == 0 || kinds % AFTER_PREFETCHED == 0 || kinds % AFTER_FAR == 0)
        cli_fail("texts: %zu kinds of bytes: every Nth string would end in some of them only", kinds);
    struct strings strings = strings_of(proof->rules, &proof->kinds, proof->codec->walk == NULL);
    for (size_t filler = 0; filler < FILLERS && proof->outcome == PROVEN; filler++) {
        choose_filler(&stage, filler);
        for (size_t count = 1; count <= STRING_MAX; count++)
            if (!ask_strings(&stage, &strings, count, 1, BESIDE) || !ask_strings(&stage, &strings, count, AT_GUARD, 0))
                break;
    }
    snprintf(proof->found, sizeof proof->found, "%zu strings of kinds", strings.count);
    arena_release(&stage.arena);
    strings_free(&strings);
}
