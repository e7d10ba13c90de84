/* SPDX-License-Identifier: MIT */
#include "question.h"
#include "arena.h"
#include "bytes.h"
#include "dice.h"

#include "../../codecs/assume.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define POISON(begin, size) __msan_poison(begin, size)
#endif
#endif
#ifndef POISON
#define POISON(begin, size) ((void)0)
#endif

enum { CANARY_BYTES = 64 };

struct seat {
    struct arena input, output, piece, right;
    size_t *written_after;
    size_t written_capacity;
};

struct seat *seat_new(void)
{
    struct seat *seat = calloc(1, sizeof *seat);
    if (seat == NULL)
        arena_fail(sizeof *seat);
    return seat;
}

void seat_free(struct seat *seat)
{
    if (seat == NULL)
        return;
    arena_release(&seat->input);
    arena_release(&seat->output);
    arena_release(&seat->piece);
    arena_release(&seat->right);
    free(seat->written_after);
    free(seat);
}

static const uint8_t fillings[PLACEMENT_COUNT] = {[AT_END] = 0xA5, [AT_BEGIN] = 0x5A};

bool is_filling(const void *bytes, size_t byte_count)
{
    bool any = false;
    for (size_t i = 0; i < PLACEMENT_COUNT; i++)
        any |= bytes_are(bytes, fillings[i], byte_count);
    return any;
}

/* Bytes of a canary before and after an output buffer: one is the shift. */
static size_t canary_before(size_t shift, enum placement placement)
{
    return placement == AT_END ? CANARY_BYTES : shift;
}

static size_t canary_after(size_t shift, enum placement placement)
{
    return placement == AT_END ? shift : CANARY_BYTES;
}

/* An output buffer of exactly `size` bytes: a guard page on one side, `shift` bytes away, a canary on the other and in
 * these bytes. */
static uint8_t *place_output(struct seat *seat, size_t size, size_t shift, enum placement placement)
{
    uint8_t *canary = arena_at(&seat->output, shift + size + CANARY_BYTES, placement);
    bytes_fill(canary, fillings[placement], shift + size + CANARY_BYTES);
    uint8_t *output = canary + canary_before(shift, placement);
    POISON(output, size);
    return output;
}

static bool canary_has_changed(const uint8_t *output, size_t size, size_t shift, enum placement placement)
{
    size_t before = canary_before(shift, placement);
    return !bytes_are(output - before, fillings[placement], before) ||
           !bytes_are(output + size, fillings[placement], canary_after(shift, placement));
}

static size_t *room_for_written(struct seat *seat, size_t count)
{
    if (count > seat->written_capacity) {
        seat->written_capacity = count * 2;
        seat->written_after = realloc(seat->written_after, seat->written_capacity * sizeof *seat->written_after);
        if (seat->written_after == NULL)
            arena_fail(seat->written_capacity * sizeof *seat->written_after);
    }
    return seat->written_after;
}

/* True if a call changed a copy of an input, which then has its bytes again. */
static bool has_changed(void *copy, const void *input, size_t byte_count)
{
    bool changed = byte_count > 0 && !bytes_equal(copy, input, byte_count); /* an empty input may be NULL */
    if (changed)
        bytes_copy(copy, input, byte_count);
    return changed;
}

/* An empty buffer may have the address NULL (codec.h). It has that in one of the two placements. */
static void *null_if_empty(void *buffer, size_t size, enum placement placement)
{
    return size == 0 && placement == AT_BEGIN ? NULL : buffer;
}

/* Beside the input, where no guard page is, are bytes that would begin or continue a character. */
void *seat_input(struct seat *seat, const struct question *question, enum placement placement)
{
    enum { BESIDE = 4, LEAD = 0xF4, CONTINUATION = 0x80 };
    size_t size = question->input_count * operation_input_unit(question->operation), shift = question->shift.input;
    size_t before = placement == AT_END ? BESIDE : shift, after = placement == AT_END ? shift : BESIDE;
    uint8_t *beside = arena_at(&seat->input, before + size + after, placement), *input = beside + before;
    bytes_fill(beside, LEAD, before);
    bytes_fill(input + size, CONTINUATION, after);
    bytes_copy(input, question->input, size);
    return null_if_empty(input, size, placement);
}

bool is_shifted(const struct question *question)
{
    return question->shift.input != 0 || question->shift.output != 0;
}

size_t alignment_of(size_t unit)
{
    return unit & (~unit + 1); /* the largest power of two that divides it */
}

struct shift shift_for(const struct question *question, size_t number)
{
    const uint64_t multiplier = UINT64_C(0x9E3779B97F4A7C15);
    enum { BITS = 32 };
    size_t input_unit = operation_input_unit(question->operation), size = question->input_count * input_unit, i = 0;
    const uint8_t *bytes = question->input;
    struct dice dice = {size * ASSAY_POLICY_COUNT * OPERATION_COUNT + question->policy * (uint64_t)OPERATION_COUNT +
                        question->operation};
    for (; size - i >= BYTES_WORD; i += BYTES_WORD) {
        dice.state = (dice.state ^ bytes_word(bytes + i)) * multiplier;
        dice.state ^= dice.state >> BITS;
    }
    for (; i < size; i++)
        dice.state = (dice.state ^ bytes[i]) * multiplier;
    size_t input = (dice_roll(&dice, SHIFT_MAX) + number) % SHIFT_MAX,
           output = (dice_roll(&dice, SHIFT_MAX) + number) % SHIFT_MAX;
    size_t output_alignment = alignment_of(operation_output_unit(question->operation));
    return (struct shift){input / input_unit * input_unit, output / output_alignment * output_alignment};
}

/* Feeds one piece of a stream. If calls have little room, there are as many as needed; the first has no room, and the
 * second room for one unit, so that a codec may have to stop between two characters that it holds. */
static struct assay_result feed_piece(struct answer *answer, const struct assay_codec *codec,
                                      const struct question *question, struct assay_stream *stream,
                                      const uint8_t *bytes, size_t byte_count, bool last, uint8_t *output, size_t unit)
{
    struct assay_result result;
    for (size_t call = 0;; call++) {
        size_t written = answer->result.written, left = question->capacity - written;
        size_t most = call < 2 ? call : question->room, room = question->room > 0 && most < left ? most : left;
        result = codec_call(codec, question->operation,
                            &(struct arguments){.stream = stream,
                                                .input = bytes,
                                                .input_count = byte_count,
                                                .last = last,
                                                .output = output == NULL ? NULL : output + written * unit,
                                                .capacity = room});
        answer->result.written += result.written;
        answer->result.read += result.read;
        answer->overran = result.written > room;
        if (answer->overran || result.status != ASSAY_OUTPUT_FULL || room == left)
            return result;
        answer->stuck = (room >= question->room && result.read == 0 && result.written == 0) || result.read > byte_count;
        if (answer->stuck)
            return result;
        if (result.read > 0) /* `bytes` of an empty piece is NULL, and NULL + 0 is undefined in C */
            bytes += result.read;
        byte_count -= result.read;
    }
}

/* Does what a caller may do between two pieces: copies the stream to another address, and starts another stream with a
 * byte that it must hold. A codec that keeps anything outside the stream then answers wrongly. */
static void copy_stream_and_start_another(const struct assay_codec *codec, const struct question *question,
                                          struct assay_stream *from, struct assay_stream *to)
{
    static const uint8_t held = 0xDF; /* the lead of a 2-byte sequence, or half a unit of UTF-16 */
    uint32_t output[ASSAY_HELD_MAX];
    *to = *from;
    assay_stream_start(from, question->policy);
    codec_call(codec, question->operation,
               &(struct arguments){
                   .stream = from, .input = &held, .input_count = 1, .output = output, .capacity = ASSAY_HELD_MAX});
}

static void feed(struct seat *seat, const struct assay_codec *codec, const struct question *question,
                 enum placement placement, uint8_t *output, struct answer *answer)
{
    struct assay_stream streams[2], *stream = &streams[0];
    assay_stream_start(stream, question->policy);
    size_t *written_after = room_for_written(seat, question->cut_count + 1), begin = 0,
           unit = operation_output_unit(question->operation);
    const uint8_t *input = question->input;
    for (size_t i = 0; i <= question->cut_count; i++)
        written_after[i] = 0;
    for (size_t i = 0; i <= question->cut_count; i++) {
        bool last = i == question->cut_count;
        size_t end = last ? question->input_count : question->cuts[i];
        ASSUME(begin <= end && end <= question->input_count);
        uint8_t *piece = arena_near(&seat->piece, end - begin, question->shift.input, placement);
        const uint8_t *from = end > begin ? input + begin : NULL; /* an empty input may be NULL */
        bytes_copy(piece, from, end - begin);
        struct assay_result result =
            feed_piece(answer, codec, question, stream, null_if_empty(piece, end - begin, placement), end - begin, last,
                       output, unit);
        answer->changed_input |= has_changed(piece, from, end - begin);
        answer->result.status = result.status;
        answer->result.error = result.error;
        written_after[i] = answer->result.written;
        begin = end;
        if (answer->overran || result.status != ASSAY_OK)
            break;
        if (question->room > 0 && !last) {
            struct assay_stream *to = &streams[stream == &streams[0]];
            copy_stream_and_start_another(codec, question, stream, to);
            stream = to;
        }
    }
    answer->written_after = written_after;
}

static struct assay_result boundaries(const struct assay_codec *codec, const struct question *question,
                                      const void *input, size_t *output)
{
    for (size_t at = 0; at <= question->input_count && at < question->capacity; at++)
        codec_call(
            codec, question->operation,
            &(struct arguments){.input = input, .input_count = question->input_count, .at = at, .output = &output[at]});
    return (struct assay_result){.written = question->input_count + 1};
}

/* Concatenates with each string at a guard page of its own. */
static void concatenate_at_pages(struct seat *seat, const struct assay_codec *codec, const struct question *question,
                                 enum placement placement, uint8_t *output, struct answer *answer)
{
    ASSUME(question->cut_count == 1 && question->cuts[0] <= question->input_count);
    size_t left_count = question->cuts[0], right_count = question->input_count - left_count;
    const uint8_t *input = question->input;
    const uint8_t *from = right_count > 0 ? input + left_count : NULL; /* an empty input may be NULL */
    uint8_t *left = arena_near(&seat->piece, left_count, question->shift.input, placement),
            *right = arena_near(&seat->right, right_count, question->shift.input, placement);
    bytes_copy(left, input, left_count);
    bytes_copy(right, from, right_count);
    answer->result = codec_call(codec, question->operation,
                                &(struct arguments){.input = null_if_empty(left, left_count, placement),
                                                    .input_count = left_count,
                                                    .right = null_if_empty(right, right_count, placement),
                                                    .right_count = right_count,
                                                    .output = output,
                                                    .capacity = question->capacity});
    answer->changed_input = has_changed(left, input, left_count) || has_changed(right, from, right_count);
}

struct asking asking;
struct shown_question *shown_question;

static void show_question(const struct assay_codec *codec, const struct question *question)
{
    struct shown_question *shown = shown_question;
    size_t byte_count = question->input_count * operation_input_unit(question->operation);
    if (shown->of != codec)
        snprintf(shown->codec, sizeof shown->codec, "%s/%s", codec->encoding, codec->name);
    shown->of = codec;
    shown->question = *question;
    shown->question.input = shown->input;
    shown->question.cuts = shown->cuts;
    shown->is_whole = byte_count <= sizeof shown->input && question->cut_count <= SHOWN_CUTS;
    if (shown->is_whole) {
        bytes_copy(shown->input, question->input, byte_count);
        for (size_t i = 0; i < question->cut_count; i++)
            shown->cuts[i] = question->cuts[i];
    }
    shown->number++;
    shown->is_under_way = true;
}

/* A signal may arrive between any two steps, so `codec` is set last and cleared first. */
static void asking_begins(const struct assay_codec *codec, const struct question *question)
{
    asking_ends();
    asking.question = question;
    asking.seconds = 0;
    if (shown_question != NULL)
        show_question(codec, question);
    atomic_signal_fence(memory_order_seq_cst);
    asking.codec = codec;
}

void asking_directly(const struct assay_codec *codec, struct question question)
{
    static struct question asked;
    asking_ends();
    asked = question;
    asking_begins(codec, &asked);
}

void asking_ends(void)
{
    asking.codec = NULL;
    atomic_signal_fence(memory_order_seq_cst);
    if (shown_question != NULL)
        shown_question->is_under_way = false;
}

bool ask_well_formed(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    asking_directly(codec, (struct question){.operation = OP_VALIDATE, .input = bytes, .input_count = byte_count});
    bool well_formed = codec->validate(bytes, byte_count, error);
    asking_ends();
    return well_formed;
}

size_t ask_boundary(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count, size_t at)
{
    asking_directly(
        codec, (struct question){.operation = OP_BOUNDARY, .input = bytes, .input_count = byte_count, .capacity = 1});
    size_t begin = codec->boundary(bytes, byte_count, at);
    asking_ends();
    return begin;
}

/* True if the verdict is different when `error` is NULL. */
static bool wavers(const struct assay_codec *codec, const struct question *question, const void *input,
                   enum assay_status status)
{
    struct question bare = *question;
    bare.without_error = true;
    asking_begins(codec, &bare);
    bool is_well_formed = codec->validate(input, question->input_count, NULL);
    asking_ends();
    return is_well_formed != (status == ASSAY_OK);
}

struct answer ask(struct seat *seat, const struct assay_codec *codec, const struct question *question,
                  enum placement placement)
{
    struct answer answer = {.absent = !codec_has(codec, question->operation)};
    if (answer.absent)
        return answer;

    enum operation_shape shape = operation_shape(question->operation);
    size_t capacity = question->capacity, output_unit = operation_output_unit(question->operation),
           output_size = capacity * output_unit;
    ASSUME(question->shift.input % operation_input_unit(question->operation) == 0 &&
           question->shift.output % alignment_of(output_unit) == 0);
    uint8_t *placed = place_output(seat, output_size, question->shift.output, placement),
            *output = null_if_empty(placed, output_size, placement);
    bool in_pieces = shape == SHAPE_FEED || shape == SHAPE_CONCAT; /* copied piece by piece */
    void *input = in_pieces                  ? NULL
                  : question->placed != NULL ? question->placed
                                             : seat_input(seat, question, placement);

    asking_begins(codec, question);
    switch (shape) {
    case SHAPE_FEED: feed(seat, codec, question, placement, output, &answer); break;
    case SHAPE_CONCAT: concatenate_at_pages(seat, codec, question, placement, output, &answer); break;
    case SHAPE_BOUNDARY: answer.result = boundaries(codec, question, input, (void *)output); break;
    default:
        answer.result = codec_call(codec, question->operation,
                                   &(struct arguments){.policy = question->policy,
                                                       .input = input,
                                                       .input_count = question->input_count,
                                                       .output = output,
                                                       .capacity = capacity});
    }
    asking_ends();
    answer.wavers = shape == SHAPE_VERDICT && wavers(codec, question, input, answer.result.status);
    if (!in_pieces)
        answer.changed_input =
            has_changed(input, question->input, question->input_count * operation_input_unit(question->operation));
    answer.absent = answer.result.status == ASSAY_UNSUPPORTED;
    answer.output = output;
    /* `spans` returns the number of errors, which may exceed the capacity; all other operations return how much they
     * wrote. */
    bool beyond = answer.result.written > capacity && shape != SHAPE_SPANS;
    answer.overran = answer.overran || answer.changed_input || beyond ||
                     canary_has_changed(placed, output_size, question->shift.output, placement);
    return answer;
}

bool codec_offers(const struct assay_codec *codec, enum operation operation, enum assay_policy policy)
{
    static struct seat *seat;
    static const size_t nowhere = 0;
    if (seat == NULL)
        seat = seat_new();
    const struct question question = {.operation = operation,
                                      .policy = policy,
                                      .capacity = capacity_for(operation, 0),
                                      .cuts = &nowhere,
                                      .cut_count = operation_shape(operation) == SHAPE_CONCAT};
    return !ask(seat, codec, &question, AT_END).absent;
}

unsigned codec_policies(const struct assay_codec *codec, enum operation operation)
{
    unsigned offered = 0;
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        offered |= (unsigned)codec_offers(codec, operation, policy) << policy;
    return offered;
}
