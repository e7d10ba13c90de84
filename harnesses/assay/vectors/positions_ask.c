/* SPDX-License-Identifier: MIT
 *
 * The questions that a line of the positions tier asks. A text is the concatenation of parts, and so is each answer.
 */
#include "positions.h"

#include "../../core/utf16.h"
#include "ask.h"

#include <stdlib.h>
#include <string.h>

/* ---- a text ------------------------------------------------------------------------------------ */

/* A segment at its offset in the text. */
struct placed {
    const struct segment *segment;
    size_t offset, certain; /* its offset in the text */
};

struct text {
    const struct line *line;
    size_t offset; /* a member of the line */
    size_t unit;   /* of the input, in bytes */
    uint8_t *input;
    size_t count;          /* in units */
    size_t subject, after; /* offsets of the segments */
    struct placed *segments;
    size_t segment_count;
    struct assay_span *spans;
    size_t span_count;
    size_t subject_span; /* the index of the first span in or after the subject */
    size_t turn;         /* differs from question to question */
};

/* Memory that all texts use, one after the other. */
static struct {
    struct text text;
    size_t input_capacity, segment_capacity;
    uint32_t *output;
    size_t *written; /* units after each segment */
    size_t output_capacity, written_capacity;
    size_t cuts[1 << 13], written_after[1 << 13];
} at_hand;

static void *grow(void *memory, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity && memory != NULL)
        return memory;
    *capacity = 2 * wanted + 64;
    memory = realloc(memory, *capacity * size);
    if (memory == NULL)
        cli_fail("out of memory");
    return memory;
}

static void place_part(struct text *text, const struct part *part, size_t times)
{
    for (size_t i = 0; part != NULL && i < times; i++) {
        size_t begin = text->count;
        memcpy(text->input + begin * text->unit, part->input.units, part->input.count * text->unit);
        for (size_t j = 0; j < part->segment_count; j++) {
            const struct segment *segment = &part->segments[j];
            size_t certain = segment->certain == SIZE_MAX ? SIZE_MAX : begin + segment->certain;
            text->segments[text->segment_count++] = (struct placed){segment, text->count, certain};
            if (segment->fault != ASSAY_FAULT_NONE)
                text->spans[text->span_count++] = (struct assay_span){text->count, segment->length, segment->fault,
                                                                      segment->fault == ASSAY_FAULT_TRUNCATED};
            text->count += segment->length;
        }
    }
}

static size_t size_of(const struct part *part, size_t times)
{
    return part == NULL ? 0 : part->input.count * times;
}

/* Returns the text for one offset; makes it only if the current one is for another. `turn` chooses the variant of the
 * question. */
static const struct text *place_text(const struct line *line, size_t offset, size_t turn)
{
    struct text *text = &at_hand.text;
    text->turn = turn;
    if (text->line == line && text->offset == offset)
        return text;
    size_t units = line->filler->input.count / line->pad->input.count;
    size_t longest = size_of(line->before, 1) + offset * line->pad->input.count + line->subject->input.count +
                     size_of(line->after, line->times);
    text->line = line;
    text->offset = offset;
    text->unit = operation_input_unit(line->operation);
    text->input = grow(text->input, &at_hand.input_capacity, longest * text->unit, 1);
    size_t segments = at_hand.segment_capacity;
    text->spans = grow(text->spans, &segments, longest, sizeof *text->spans);
    text->segments = grow(text->segments, &at_hand.segment_capacity, longest, sizeof *text->segments);
    text->count = text->segment_count = text->span_count = 0;
    place_part(text, line->before, 1);
    place_part(text, line->pad, offset % units);
    place_part(text, line->filler, offset / units);
    text->subject = text->count;
    text->subject_span = text->span_count;
    place_part(text, line->subject, 1);
    text->after = text->count;
    place_part(text, line->after, line->times);
    return text;
}

/* ---- the expected output ------------------------------------------------------------------------- */

struct output {
    size_t unit; /* 1: bytes; 2: code points as UTF-16; 4: code points; 8: sizes */
    void *units;
    size_t count;
    const size_t *written; /* after each segment */
    size_t stop;           /* the segment at which the policy stops; the number of segments: it does not stop */
};

static void put(struct output *output, uint32_t value)
{
    if (output->unit == 1)
        ((uint8_t *)output->units)[output->count++] = (uint8_t)value;
    else if (output->unit == 4)
        ((uint32_t *)output->units)[output->count++] = value;
    else
        output->count += utf16_write(value, (uint16_t *)output->units + output->count);
}

/* Appends bytes to the expected output, for which make_output() has reserved room. `bytes` may be NULL if there are
 * none. */
static void append_bytes(struct output *output, const void *bytes, size_t count)
{
    if (count > 0)
        memcpy((uint8_t *)output->units + output->count, bytes, count);
    output->count += count;
}

/* Appends the output of to_well_formed for a segment: the bytes of a character; for an error, as many U+FFFD as the
 * policy writes. */
static void put_well_formed(struct output *output, const struct text *text, const struct placed *placed,
                            enum assay_policy policy)
{
    static uint8_t replacement[ASSAY_ENCODED_MAX(1)];
    static size_t replacement_count;
    static const struct assay_codec *replacement_of;
    if (placed->segment->fault == ASSAY_FAULT_NONE) {
        append_bytes(output, text->input + placed->offset, placed->segment->length);
        return;
    }
    if (replacement_of != text->line->tier->reference) {
        static const uint32_t code_point = 0xFFFD;
        replacement_of = text->line->tier->reference;
        replacement_count =
            replacement_of->encode_utf32(ASSAY_POLICY_STRICT, &code_point, 1, replacement, sizeof replacement).written;
    }
    for (size_t i = 0; i < placed->segment->outputs[policy].count; i++)
        append_bytes(output, replacement, replacement_count);
}

/* Makes the expected output under a policy, up to the segment where the policy stops. */
static struct output make_output(const struct text *text, enum operation operation, enum assay_policy policy)
{
    struct output output = {.unit = operation_output_unit(operation), .stop = text->segment_count};
    bool is_bytes = output.unit == 1;
    size_t most = 7 * text->count + 64;
    at_hand.written = grow(at_hand.written, &at_hand.written_capacity, most, sizeof *at_hand.written);
    at_hand.output = grow(at_hand.output, &at_hand.output_capacity, most, sizeof *at_hand.output);
    output.units = at_hand.output;
    output.written = at_hand.written;
    for (size_t i = 0; i < text->segment_count; i++) {
        const struct placed *placed = &text->segments[i];
        if (placed->segment->stops[policy]) {
            output.stop = i;
            break;
        }
        const struct units *own = &placed->segment->outputs[policy];
        if (operation == OP_TO_WELL_FORMED)
            put_well_formed(&output, text, placed, policy);
        else if (is_bytes)
            append_bytes(&output, own->units, own->count);
        else
            for (size_t j = 0; j < own->count; j++)
                put(&output, ((const uint32_t *)own->units)[j]);
        at_hand.written[i] = output.count;
    }
    return output;
}

static const struct assay_span *stop_of(const struct text *text, const struct output *output)
{
    size_t i = 0;
    if (output->stop == text->segment_count)
        return NULL;
    while (text->spans[i].offset != text->segments[output->stop].offset)
        i++;
    return &text->spans[i];
}

/* ---- questions --------------------------------------------------------------------------------- */

enum way {
    WHOLE,
    ROOM_BEFORE,
    ROOM_LESS,
    ROOM_MORE,
    ROOM_HALF,
    ROOM_ALL_BUT_ONE, /* capacities near the size of the output before the subject */
    CUT_NOWHERE,
    CUT_ONCE,
    CUT_EACH,
    CUT_BLOCKS /* pieces */
};

struct want {
    enum operation operation;
    enum way way;
    bool has_policy;
};

/* Each question asks one of these, in turn. Each is combined with every policy. */
static const struct want of_decoding[] = {
    {OP_VALIDATE, WHOLE, false},
    {OP_SPANS, WHOLE, false},
    {OP_DECODE_UTF32, WHOLE, true},
    {OP_DECODE_UTF16, WHOLE, true},
    {OP_FEED_UTF16, CUT_NOWHERE, true},
    {OP_FEED_UTF32, CUT_ONCE, true},
    {OP_FEED_UTF16, CUT_EACH, true},
    {OP_TO_WELL_FORMED, WHOLE, true},
    {OP_COUNT, WHOLE, true},
    {OP_DECODE_UTF32, ROOM_BEFORE, true},
    {OP_DECODE_UTF16, ROOM_ALL_BUT_ONE, true},
    {OP_FEED_UTF32, CUT_EACH, true},
    {OP_FEED_UTF16, CUT_ONCE, true},
    {OP_DECODE_UTF32, ROOM_MORE, true},
    {OP_DECODE_UTF16, ROOM_LESS, true},
    {OP_FEED_UTF32, CUT_BLOCKS, true},
    {OP_FEED_UTF16, CUT_BLOCKS, true},
    {OP_DECODE_UTF32, ROOM_HALF, true},
    {OP_DECODE_UTF16, ROOM_BEFORE, true},
    {OP_TO_WELL_FORMED, ROOM_BEFORE, true},
    {OP_DECODE_UTF32, ROOM_ALL_BUT_ONE, true},
    {OP_DECODE_UTF16, ROOM_MORE, true},
    {OP_TO_WELL_FORMED, ROOM_ALL_BUT_ONE, true},
    {OP_DECODE_UTF32, ROOM_LESS, true},
    {OP_DECODE_UTF16, ROOM_HALF, true},
    {OP_FEED_UTF32, CUT_NOWHERE, true},
    {OP_BOUNDARY, WHOLE, false},
    {OP_CONCAT, WHOLE, false},
    {OP_SPANS, ROOM_BEFORE, false},
    {OP_SPANS, ROOM_ALL_BUT_ONE, false},
};

static const enum way of_encoding[] = {WHOLE, ROOM_BEFORE, ROOM_ALL_BUT_ONE, ROOM_MORE, ROOM_HALF, ROOM_LESS};

/* Begins a question and chooses its variant. The same question always has the same variant. All questions for the
 * verdict, and one in SHIFTED_SHARE of the others, are also asked at a shifted address. */
static struct probe begin_probe(const struct text *text, enum operation operation, enum assay_policy policy)
{
    enum { SHIFTED_SHARE = 7 };
    struct probe probe = {.question = {.operation = operation,
                                       .policy = policy,
                                       .input = text->input,
                                       .input_count = text->count,
                                       .capacity = CAPACITY_ANY}};
    enum operation_shape shape = operation_shape(operation);
    bool fed = shape == SHAPE_FEED;
    bool has_one_room =
        shape == SHAPE_VERDICT || shape == SHAPE_COUNT || shape == SHAPE_BOUNDARY || shape == SHAPE_CONCAT;
    probe.variants = 1u << text->turn % (fed            ? 5
                                         : has_one_room ? 2
                                                        /* a question with exactly enough room is another variant */
                                                        : 4);
    if (shape == SHAPE_VERDICT || text->turn % SHIFTED_SHARE == 0)
        probe.variants |= 1u << VARIANT_SHIFTED;
    return probe;
}

/* Sets the answer for enough room. */
static void expect_all(struct probe *probe, const struct text *text, const struct output *output)
{
    const struct assay_span *stop = stop_of(text, output);
    probe->expected.output = output->units;
    probe->expected.result = (struct assay_result){.status = ASSAY_OK, .read = text->count, .written = output->count};
    if (stop != NULL)
        probe->expected.result = (struct assay_result){
            .status = ASSAY_ILL_FORMED, .read = stop->offset, .written = output->count, .error = *stop};
}

static size_t room_of(const struct text *text, const struct output *output, enum way way)
{
    size_t before = 0, i = 0;
    while (i < output->stop && text->segments[i].offset < text->subject)
        before = output->written[i++];
    switch (way) {
    case ROOM_LESS: return before > 0 ? before - 1 : 0;
    case ROOM_MORE: return before + 1;
    case ROOM_HALF: return before / 2;
    case ROOM_ALL_BUT_ONE: return output->count > 0 ? output->count - 1 : 0;
    default: return before;
    }
}

/* Limits the room. No variant has more. */
static void limit_room(struct probe *probe, size_t room)
{
    probe->question.capacity = room;
    probe->variants &= 3 | 1u << VARIANT_SHIFTED;
    probe->variants |= (probe->variants & 3) == 0;
}

/* Sets the answer for limited room: the output of a character or of an error is written whole or not at all. */
static void expect_limited(struct probe *probe, const struct text *text, const struct output *output, enum way way)
{
    size_t room = room_of(text, output, way), read = 0, written = 0, i = 0;
    limit_room(probe, room);
    while (i < output->stop && output->written[i] <= room) {
        written = output->written[i];
        read = text->segments[i].offset + text->segments[i].segment->length;
        i++;
    }
    if (i < output->stop)
        probe->expected.result = (struct assay_result){.status = ASSAY_OUTPUT_FULL, .read = read, .written = written};
}

static size_t cut(const struct text *text, enum way way, size_t *cuts)
{
    size_t count = 0;
    if (way == CUT_ONCE) {
        size_t length = text->after - text->subject;
        cuts[count++] = text->subject + text->subject % (length + 1);
    } else if (way == CUT_EACH) {
        size_t end = text->after + 2 < text->count ? text->after + 2 : text->count;
        for (size_t at = text->subject > 0 ? text->subject - 1 : 0; at <= end; at++)
            cuts[count++] = at;
    } else if (way == CUT_BLOCKS) {
        for (size_t at = 61; at < text->count && count < sizeof at_hand.cuts / sizeof *cuts - 1; at += 61)
            cuts[count++] = at;
    }
    return count;
}

/* Sets the answer for pieces: output must be written with the piece that makes it certain. */
static void expect_pieces(struct probe *probe, const struct text *text, const struct output *output, enum way way)
{
    size_t count = cut(text, way, at_hand.cuts), segment = 0, piece = 0;
    bool stops = output->stop < text->segment_count;
    memset(at_hand.written_after, 0, (count + 1) * sizeof *at_hand.written_after);
    for (; piece <= count; piece++) {
        size_t end = piece < count ? at_hand.cuts[piece] : SIZE_MAX;
        while (segment < output->stop && text->segments[segment].certain <= end)
            segment++;
        at_hand.written_after[piece] = segment > 0 ? output->written[segment - 1] : 0;
        if (stops && segment == output->stop && text->segments[segment].certain <= end)
            break;
    }
    if (stops && piece > 0 && at_hand.cuts[piece - 1] > probe->expected.result.read)
        probe->expected.result.read = at_hand.cuts[piece - 1]; /* bytes held from earlier pieces counted as read */
    probe->question.cuts = at_hand.cuts;
    probe->question.cut_count = count;
    probe->expected.written_after = at_hand.written_after;
}

static struct probe probe_output(const struct text *text, const struct want *want, enum assay_policy policy)
{
    struct probe probe = begin_probe(text, want->operation, policy);
    struct output output = make_output(text, want->operation, policy);
    expect_all(&probe, text, &output);
    if (want->way >= CUT_NOWHERE)
        expect_pieces(&probe, text, &output, want->way);
    else if (want->way != WHOLE)
        expect_limited(&probe, text, &output, want->way);
    return probe;
}

/* ---- questions whose answers have their own form ------------------------------------------------- */

static struct probe probe_verdict(const struct text *text)
{
    struct probe probe = begin_probe(text, OP_VALIDATE, ASSAY_POLICY_STRICT);
    if (text->span_count > 0)
        probe.expected.result = (struct assay_result){.status = ASSAY_ILL_FORMED, .error = text->spans[0]};
    return probe;
}

/* Asks for spans with little room: for those before the subject, or for all but the last. The codec must count all of
 * them. */
static struct probe probe_spans(const struct text *text, enum way way)
{
    struct probe probe = begin_probe(text, OP_SPANS, ASSAY_POLICY_STRICT);
    probe.expected.output = text->spans;
    probe.expected.result.written = text->span_count;
    if (way == ROOM_BEFORE)
        limit_room(&probe, text->subject_span);
    else if (way == ROOM_ALL_BUT_ONE)
        limit_room(&probe, text->span_count > 0 ? text->span_count - 1 : 0);
    return probe;
}

static struct probe probe_count(const struct text *text, enum assay_policy policy)
{
    static size_t counts[2];
    struct probe probe = begin_probe(text, OP_COUNT, policy);
    struct output utf32 = make_output(text, OP_DECODE_UTF32, policy);
    counts[0] = utf32.count;
    counts[1] = make_output(text, OP_DECODE_UTF16, policy).count;
    probe.expected.output = counts;
    probe.expected.result.written = 2;
    probe.expected.result.status = utf32.stop < text->segment_count ? ASSAY_ILL_FORMED : ASSAY_OK;
    return probe;
}

static struct probe probe_boundary(const struct text *text)
{
    struct probe probe = begin_probe(text, OP_BOUNDARY, ASSAY_POLICY_STRICT);
    make_output(text, OP_DECODE_UTF32, ASSAY_POLICY_WHATWG); /* reuses the memory */
    size_t *starts = at_hand.written;
    for (size_t i = 0; i < text->segment_count; i++)
        for (size_t j = 0; j < text->segments[i].segment->length; j++)
            starts[text->segments[i].offset + j] = text->segments[i].offset;
    starts[text->count] = text->count;
    probe.expected.output = starts;
    probe.expected.result.written = text->count + 1;
    return probe;
}

/* Concatenates the text before the subject and the rest. */
static struct probe probe_concat(const struct text *text)
{
    struct probe probe = begin_probe(text, OP_CONCAT, ASSAY_POLICY_STRICT);
    bool in_left = text->subject_span > 0;
    probe.question.cuts = &text->subject;
    probe.question.cut_count = 1;
    if (text->span_count == 0) {
        probe.expected.output = text->input;
        probe.expected.result = (struct assay_result){.read = text->count, .written = text->count};
        return probe;
    }
    probe.expected.result =
        (struct assay_result){.status = ASSAY_ILL_FORMED, .read = in_left ? 0 : text->subject, .error = text->spans[0]};
    probe.expected.result.error.offset -= in_left ? 0 : text->subject;
    return probe;
}

static struct probe probe_of(const struct text *text, const struct want *want, enum assay_policy policy)
{
    switch (want->operation) {
    case OP_VALIDATE: return probe_verdict(text);
    case OP_SPANS: return probe_spans(text, want->way);
    case OP_COUNT: return probe_count(text, policy);
    case OP_BOUNDARY: return probe_boundary(text);
    case OP_CONCAT: return probe_concat(text);
    default: return probe_output(text, want, policy);
    }
}

/* ---- which questions are asked ------------------------------------------------------------------- */

enum { ALWAYS = 2, FEW_OFFSETS = SHARE_OF_LOADED, SHORT_OFFSET = 1024 };

/* Returns a number that increases with each question and each offset, and begins differently in each line. The
 * quotients ensure that offsets that are multiples of 8 or 64 have all remainders by SHARE_OF_LOADED, too. */
static size_t turn_of(const struct line *line, size_t offset, size_t index)
{
    return index + line->number + offset + offset / 8 + offset / 64;
}

/* True if a loaded codec is asked this question about every text: verdict and errors, and all questions of a line with
 * few texts. */
static bool is_always_asked(const struct line *line, size_t offset, size_t index)
{
    return (index < ALWAYS && line->operation == OP_DECODE_UTF32) ||
           (line->offset_count <= FEW_OFFSETS && offset < SHORT_OFFSET);
}

/* The first question from `index` on that is asked about this text: each is asked about one text in `share`, at other
 * offsets in each line. */
static size_t next_turn(const struct line *line, size_t offset, size_t share, size_t index)
{
    if (share <= SHARE_OF_LOADED && is_always_asked(line, offset, index))
        return index;
    size_t late = turn_of(line, offset, index) % share;
    return late == 0 ? index : index + share - late;
}

static bool is_wanted(const struct line *line, size_t offset, const struct line_asker *asker, size_t index,
                      enum operation operation, enum assay_policy policy)
{
    return asker->wants == NULL || asker->wants(asker->context, line, offset, index, operation, policy);
}

/* Not under `skip`, which may join what stood on both sides of an error (WTF-8, section 6.5), nor under
 * surrogateescape, whose output is ill-formed. */
static bool gives_well_formed(const struct line *line, enum assay_policy policy)
{
    return policy != ASSAY_POLICY_SURROGATEESCAPE &&
           !(policy == ASSAY_POLICY_SKIP && strcmp(line->tier->reference->encoding, "wtf-8") == 0);
}

/* The questions about each text of a line that is no conversion. */
struct questions {
    const struct assay_codec *reference; /* lines of an encoding, an operation and policies have the same */
    enum operation operation;
    bool has_policy[ASSAY_POLICY_COUNT];
    struct {
        struct want want;
        enum assay_policy policy;
    } list[sizeof of_decoding / sizeof of_decoding[0] * ASSAY_POLICY_COUNT];
    size_t count;
};

static void add_questions(struct questions *questions, const struct line *line, struct want want)
{
    for (enum assay_policy policy = 0; policy < (want.has_policy ? ASSAY_POLICY_COUNT : 1); policy++) {
        if (!line->subject->has_policy[policy] ||
            (want.operation == OP_TO_WELL_FORMED && !gives_well_formed(line, policy)))
            continue;
        questions->list[questions->count].want = want;
        questions->list[questions->count++].policy = policy;
    }
}

static const struct questions *questions_of(const struct line *line)
{
    static struct questions questions;
    if (questions.reference == line->tier->reference && questions.operation == line->operation &&
        memcmp(questions.has_policy, line->subject->has_policy, sizeof questions.has_policy) == 0)
        return &questions;
    questions.reference = line->tier->reference;
    questions.operation = line->operation;
    memcpy(questions.has_policy, line->subject->has_policy, sizeof questions.has_policy);
    questions.count = 0;
    if (line->operation == OP_DECODE_UTF32)
        for (size_t i = 0; i < sizeof of_decoding / sizeof of_decoding[0]; i++)
            add_questions(&questions, line, of_decoding[i]);
    else
        for (size_t i = 0; i < sizeof of_encoding / sizeof of_encoding[0]; i++)
            add_questions(&questions, line, (struct want){line->operation, of_encoding[i], true});
    return &questions;
}

static bool ask_codecs(const struct line *line, size_t offset, const struct line_asker *asker)
{
    const struct questions *questions = questions_of(line);
    for (size_t index = next_turn(line, offset, asker->share, 0); index < questions->count;
         index = next_turn(line, offset, asker->share, index + 1)) {
        const struct want *want = &questions->list[index].want;
        enum assay_policy policy = questions->list[index].policy;
        if (!is_wanted(line, offset, asker, index, want->operation, policy))
            continue;
        const struct text *text = place_text(line, offset, turn_of(line, offset, index + 1) / asker->share);
        struct probe probe = probe_of(text, want, policy);
        if (!asker->probe(asker->context, &probe))
            return false;
    }
    return true;
}

static bool ask_conversion(const struct line *line, size_t offset, const struct line_asker *asker)
{
    size_t index = ALWAYS;
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
        if (!line->subject->has_policy[policy])
            continue;
        size_t own = index++;
        if (next_turn(line, offset, asker->share, own) != own ||
            !is_wanted(line, offset, asker, own, OPERATION_COUNT, policy))
            continue;
        const struct text *text = place_text(line, offset, 0);
        struct output output = make_output(text, OP_ENCODE_UTF32, policy);
        bool stops = policy == ASSAY_POLICY_STRICT && text->span_count > 0;
        struct conversion conversion = {line->to, policy, text->input,  text->count,
                                        stops,    {0},    output.units, output.count};
        if (stops)
            conversion.error = text->spans[0];
        if (!asker->conversion(asker->context, &conversion))
            return false;
    }
    return true;
}

bool line_ask_at(const struct line *line, size_t offset, const struct line_asker *asker)
{
    return line->to != NULL ? ask_conversion(line, offset, asker) : ask_codecs(line, offset, asker);
}

void line_ask(const struct line *line, const struct line_asker *asker)
{
    for (size_t i = 0; i < line->offset_count; i++)
        if (!line_ask_at(line, line->offsets[i], asker))
            return;
}
