/* SPDX-License-Identifier: MIT
 *
 * All strings of 4 bytes. Those that begin with the same three bytes are a batch. The reference's answers about each
 * are put together to the answer that each codec must give.
 */
#include "chunks.h"

#include "../../core/arena.h"
#include "../../core/utf16.h"

#include <string.h>

enum {
    COUNT = 4,
    BATCH = 256,
    LETTER_MAX = 2,
    JOINED_MAX = BATCH * (COUNT + LETTER_MAX),
    PREFIXES_IN_CHUNK = STRINGS_IN_CHUNK / BATCH,
    /* One batch of BEFORE_GUARD is before the guard page, where a masked load takes 500 ns on a Zen 5; the others have
     * BESIDE bytes after them, as many as any codec loads at once. */
    BEFORE_GUARD = 251,
    BESIDE = 64
};

/* The reference's answer for one string: its first error, and its code points under `whatwg`. */
struct said {
    bool is_well_formed;
    struct assay_span error;
    uint32_t code_points[ASSAY_DECODED_MAX(COUNT)];
    size_t code_point_count;
};

/* The reference's answers for the 256 strings that begin with the same `byte_count` bytes. */
struct endings {
    bool is_known;
    uint8_t bytes[COUNT - 1];
    size_t byte_count;
    struct said of[BATCH];
};

/* The strings of a batch, and the reference's answer for each. */
struct batch {
    uint8_t *guard;  /* a guard page, before which are BESIDE continuation bytes */
    uint8_t *bytes;  /* one string, before the guard page or before these bytes */
    uint8_t *joined; /* all strings, each followed by an A */
    size_t joined_count;
    uint8_t kept[JOINED_MAX]; /* a copy of it */
    uint8_t letter[LETTER_MAX];
    size_t letter_count;
    bool is_well_formed[BATCH];
    struct assay_span errors[BATCH];
    uint16_t utf16[JOINED_MAX]; /* the output of `joined` under whatwg */
    size_t utf16_count;
};

static struct batch *new_batch(const struct sweep *sweep)
{
    static struct arena one, all;
    static struct batch batch;
    static const uint32_t a = 'A';
    const struct assay_codec *reference = registry_reference(sweep->comparer.encoding);
    batch.letter_count = reference->encode_utf32(ASSAY_POLICY_STRICT, &a, 1, batch.letter, LETTER_MAX).written;
    batch.joined_count = BATCH * (COUNT + batch.letter_count);
    arena_reserve(&one, COUNT + BESIDE);
    arena_reserve(&all, batch.joined_count);
    batch.guard = arena_at_end(&one, 0);
    batch.joined = arena_at_end(&all, batch.joined_count);
    return &batch;
}

/* The string of the batch in `joined`. */
static uint8_t *string_in_batch(const struct batch *batch, size_t last)
{
    return batch->joined + last * (COUNT + batch->letter_count);
}

/* Puts a string to its place in one store: a codec that loads its bytes together would wait for stores of
 * single ones. */
static void put_string(const struct batch *batch, size_t last)
{
    memcpy(batch->bytes, string_in_batch(batch, last), COUNT);
}

static void add_code_point(struct batch *batch, uint32_t code_point)
{
    batch->utf16_count += utf16_write(code_point, batch->utf16 + batch->utf16_count);
}

static const uint64_t value_factor = UINT64_C(0x100000001B3);

/* The value of an output, as vectors/FORMAT.md defines it. */
static uint64_t value_of(const uint32_t *code_points, size_t count)
{
    uint64_t value = 1;
    for (size_t i = 0; i < count; i++)
        value = value * value_factor + code_points[i] + 1;
    return value;
}

static struct said ask_reference(const struct assay_codec *reference, const uint8_t *bytes, size_t count)
{
    struct said said = {0};
    said.is_well_formed = reference->validate(bytes, count, &said.error);
    said.code_point_count =
        reference->decode_utf32(ASSAY_POLICY_WHATWG, bytes, count, said.code_points, ASSAY_DECODED_MAX(COUNT)).written;
    return said;
}

/* Returns the reference's answers for the strings that begin with these bytes. Answers for one byte or none are
 * kept. */
static const struct endings *endings_of(const struct assay_codec *reference, const uint8_t *bytes, size_t count)
{
    static struct endings of_none, of_one[BATCH], of_more;
    struct endings *endings = count == 0 ? &of_none : count == 1 ? &of_one[bytes[0]] : &of_more;
    uint8_t text[COUNT];
    if (endings->is_known && endings->byte_count == count && memcmp(endings->bytes, bytes, count) == 0)
        return endings;
    *endings = (struct endings){.is_known = true, .byte_count = count};
    memcpy(endings->bytes, bytes, count);
    memcpy(text, bytes, count);
    for (size_t last = 0; last < BATCH; last++) {
        text[count] = (uint8_t)last;
        endings->of[last] = ask_reference(reference, text, count + 1);
    }
    return endings;
}

/* Removes from the answer for `count` bytes the sequence that is unfinished at their end. Returns where that begins;
 * `count` if there is none. */
static size_t cut_open_end(const struct assay_codec *reference, const uint8_t *bytes, size_t count, struct said *said)
{
    struct assay_span errors[COUNT];
    size_t error_count = reference->spans(bytes, count, errors, COUNT);
    if (error_count == 0 || !errors[error_count - 1].incomplete)
        return count;
    said->is_well_formed = error_count == 1;
    said->code_point_count--;
    return errors[error_count - 1].offset;
}

/* Combines the answer for string number `last` of the batch from that for the bytes before `cut` and that for the
 * rest. */
static void add_answer(struct batch *batch, size_t last, size_t cut, const struct said *head, uint64_t head_value,
                       const struct said *rest, struct digests *digests)
{
    bool is_well_formed = batch->is_well_formed[last] = head->is_well_formed && rest->is_well_formed;
    struct assay_span *error = &batch->errors[last];
    uint64_t value = head_value;
    *error = head->is_well_formed ? rest->error : head->error;
    if (head->is_well_formed && !rest->is_well_formed)
        error->offset += cut;
    for (size_t i = 0; i < rest->code_point_count; i++)
        value = value * value_factor + rest->code_points[i] + 1;
    digests_add(digests,
                &(struct digests){is_well_formed, is_well_formed ? value : 0, value,
                                  is_well_formed ? 0 : error->offset * 65536 + error->length * 256 + error->fault});
    for (size_t i = 0; i < head->code_point_count; i++)
        add_code_point(batch, head->code_points[i]);
    for (size_t i = 0; i < rest->code_point_count; i++)
        add_code_point(batch, rest->code_points[i]);
    add_code_point(batch, 'A');
}

/* With `shares`, asks the reference once about what is final after three bytes, and for each fourth byte about the
 * rest. That this is the answer for the whole string is checked by the digests, which Python computes from whole
 * strings. */
static void fill_batch(const struct assay_codec *reference, struct batch *batch, size_t prefix, bool shares,
                       struct digests *digests)
{
    batch->utf16_count = 0;
    batch->bytes = batch->guard - COUNT - (prefix % BEFORE_GUARD == 0 ? 0 : BESIDE);
    memset(batch->guard - BESIDE, 0x80, BESIDE);
    for (size_t i = 0; i < COUNT - 1; i++)
        batch->bytes[i] = (uint8_t)(prefix >> 8 * (COUNT - 2 - i));
    struct said head = ask_reference(reference, batch->bytes, shares ? COUNT - 1 : 0);
    size_t cut = shares ? cut_open_end(reference, batch->bytes, COUNT - 1, &head) : 0;
    const struct endings *endings = endings_of(reference, batch->bytes + cut, COUNT - 1 - cut);
    uint64_t head_value = value_of(head.code_points, head.code_point_count);
    for (size_t last = 0; last < BATCH; last++) {
        uint8_t *string = string_in_batch(batch, last);
        add_answer(batch, last, cut, &head, head_value, &endings->of[last], digests);
        memcpy(string, batch->bytes, COUNT - 1);
        string[COUNT - 1] = (uint8_t)last;
        memcpy(string + COUNT, batch->letter, batch->letter_count);
    }
    memcpy(batch->kept, batch->joined, batch->joined_count);
}

/* Returns the number of the first string about which the codec is wrong; BATCH if there is none. */
static size_t find_wrong_verdict(const struct assay_codec *codec, const struct batch *batch)
{
    for (size_t last = 0; last < BATCH; last++) {
        put_string(batch, last);
        if (has_wrong_verdict(codec, batch->bytes, COUNT, batch->is_well_formed[last], &batch->errors[last]))
            return last;
    }
    return BATCH;
}

static bool has_wrong_output(const struct assay_codec *codec, const struct batch *batch)
{
    static uint16_t units[ASSAY_DECODED_MAX(JOINED_MAX)];
    struct assay_result result = codec->decode_utf16(ASSAY_POLICY_WHATWG, batch->joined, batch->joined_count, units,
                                                     ASSAY_DECODED_MAX(JOINED_MAX));
    bool has_changed_input = memcmp(batch->joined, batch->kept, batch->joined_count) != 0;
    memcpy(batch->joined, batch->kept, batch->joined_count);
    if (result.status == ASSAY_UNSUPPORTED && registry_is_loaded(codec)) /* it may refuse any input */
        return has_changed_input;
    return has_changed_input || result.status != ASSAY_OK || result.written != batch->utf16_count ||
           memcmp(units, batch->utf16, result.written * sizeof *units) != 0;
}

static void ask_codec(struct sweep *sweep, const struct assay_codec *codec, const void *context)
{
    const struct batch *batch = context;
    if (comparer_asks(&sweep->comparer, codec, OP_VALIDATE)) {
        asking_directly(codec,
                        (struct question){.operation = OP_VALIDATE, .input = batch->bytes, .input_count = COUNT});
        size_t wrong = find_wrong_verdict(codec, batch);
        asking_ends();
        sweep->comparer.asked += BATCH;
        if (wrong < BATCH) {
            put_string(batch, wrong);
            ask_again(sweep, codec,
                      (struct question){.operation = OP_VALIDATE, .input = batch->bytes, .input_count = COUNT});
        }
    } else {
        sweep->comparer.skipped++;
    }
    if (comparer_asks(&sweep->comparer, codec, OP_DECODE_UTF16) &&
        codec_offers(codec, OP_DECODE_UTF16, ASSAY_POLICY_WHATWG)) {
        asking_directly(codec, (struct question){.operation = OP_DECODE_UTF16,
                                                 .policy = ASSAY_POLICY_WHATWG,
                                                 .input = batch->joined,
                                                 .input_count = batch->joined_count,
                                                 .capacity = ASSAY_DECODED_MAX(JOINED_MAX)});
        bool is_wrong = has_wrong_output(codec, batch);
        asking_ends();
        sweep->comparer.asked++;
        if (is_wrong)
            ask_again(sweep, codec,
                      (struct question){.operation = OP_DECODE_UTF16,
                                        .policy = ASSAY_POLICY_WHATWG,
                                        .input = batch->joined,
                                        .input_count = batch->joined_count});
    } else {
        sweep->comparer.skipped++;
    }
}

/* Calls `run` for each batch of a chunk that is in the sample. */
static void run_batches(struct sweep *sweep, size_t chunk, struct digests *digests, bool shares,
                        void (*run)(struct sweep *sweep, const struct batch *batch, size_t prefix))
{
    struct batch *batch = new_batch(sweep);
    *digests = (struct digests){0};
    sweep->input_number =
        chunk * PREFIXES_IN_CHUNK; /* so that a stride samples the same strings in any order of chunks */
    for (size_t prefix = chunk * PREFIXES_IN_CHUNK; prefix < (chunk + 1) * PREFIXES_IN_CHUNK; prefix++) {
        if (!count_input(sweep))
            continue;
        sweep->inputs += BATCH - 1;
        fill_batch(sweep->comparer.panel[0], batch, prefix, shares, digests);
        run(sweep, batch, prefix);
    }
}

static void ask_verdict_and_output(struct sweep *sweep, const struct batch *batch, size_t prefix)
{
    (void)prefix;
    for (size_t i = 1; i < sweep->comparer.panel_size; i++)
        sweep_survive_codec(sweep, sweep->comparer.panel[i], ask_codec, batch);
}

static void run_chunk(struct sweep *sweep, size_t chunk, struct digests *digests)
{
    run_batches(sweep, chunk, digests, true, ask_verdict_and_output);
}

void sweep_strings_of_4(struct sweep *sweep)
{
    sweep_needs(&sweep->comparer, OP_SPANS);
    sweep_needs(&sweep->comparer, OP_DECODE_UTF32);
    sweep_in_chunks(sweep, run_chunk);
}

/* ---- every operation and policy -------------------------------------------------------------------------------- */

/* Offsets of the batch in its text: at the beginning of a block, and across its edges, so that each of the four bytes
 * is tried at different places. */
static const size_t offsets[] = {0, 14, 31, 62};

static void ask_everything_of(struct sweep *sweep, const uint8_t *text, size_t count, size_t cut)
{
    ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, text, count);
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
        ask_all(sweep, OP_COUNT, policy, text, count);
        ask_all(sweep, OP_DECODE_UTF32, policy, text, count);
        ask_all(sweep, OP_DECODE_UTF16, policy, text, count);
        ask_all(sweep, OP_TO_WELL_FORMED, policy, text, count);
        for (enum operation feed = OP_FEED_UTF32; feed <= OP_FEED_UTF16; feed++)
            sweep_compare(sweep, &(struct question){.operation = feed,
                                                    .policy = policy,
                                                    .input = text,
                                                    .input_count = count,
                                                    .capacity = CAPACITY_ANY,
                                                    .cuts = &cut,
                                                    .cut_count = 1});
    }
}

static void ask_everything(struct sweep *sweep, const struct batch *batch, size_t prefix)
{
    static uint8_t text[JOINED_MAX + 64];
    ask_verdict_and_output(sweep, batch, prefix);
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        alternate_placement(sweep, prefix + i);
        fill(sweep, text, offsets[i], SPACES);
        memcpy(text + offsets[i], batch->joined, batch->joined_count);
        ask_everything_of(sweep, text, offsets[i] + batch->joined_count, prefix % batch->joined_count);
        sweep->comparer.once = false;
    }
}

static void run_whole_chunk(struct sweep *sweep, size_t chunk, struct digests *digests)
{
    run_batches(sweep, chunk, digests, false, ask_everything);
}

void sweep_strings_of_4_full(struct sweep *sweep)
{
    sweep_in_chunks(sweep, run_whole_chunk);
}
