/* SPDX-License-Identifier: MIT
 *
 * Reads cases whose input is bytes: whole, into limited room, and in pieces. Each case becomes all questions to which
 * its spans and outputs give the answer.
 */
#include "reader.h"

#include "../../core/convert.h"

#include <stdlib.h>
#include <string.h>

enum width { UTF32, UTF16, WIDTH_COUNT };

static const struct {
    enum operation decode, feed;
    const char *limits;
} widths[WIDTH_COUNT] = {
    [UTF32] = {OP_DECODE_UTF32, OP_FEED_UTF32, "utf32_limits"},
    [UTF16] = {OP_DECODE_UTF16, OP_FEED_UTF16, "utf16_limits"},
};

/* Bytes, their errors, and the expected output under each policy. */
struct text {
    struct units bytes;
    const struct assay_span *spans;
    size_t span_count;
    struct units outputs[ASSAY_POLICY_COUNT][WIDTH_COUNT];
    bool has_signature; /* a decoder must remove it */
};

static void read_text(struct reader *reader, const struct node *node, struct units bytes, struct text *text)
{
    struct node spans = node_field(node, "spans");
    text->bytes = bytes;
    text->spans = reader_spans(reader, &spans, "offset length fault incomplete", bytes.count, &text->span_count);
    text->has_signature = signature_begins(reader->signature, bytes.units, bytes.count);
    node_require_verdict(node, "well_formed", text->span_count);
}

/* Codecs do not remove signatures; their caller does. So the expected output of the codec is that of the vectors after
 * U+FEFF. */
static struct units with_signature(struct reader *reader, const struct text *text, struct units output)
{
    if (!text->has_signature)
        return output;
    uint32_t *units = pool_alloc(reader->pool, output.count + 1, sizeof *units);
    units[0] = 0xFEFF;
    if (output.count > 0)
        memcpy(units + 1, output.units, output.count * sizeof *units);
    return (struct units){units, output.count + 1};
}

static void set_output(struct reader *reader, struct text *text, enum assay_policy policy, struct units utf32)
{
    text->outputs[policy][UTF32] = with_signature(reader, text, utf32);
    text->outputs[policy][UTF16] = reader_utf16(reader, text->outputs[policy][UTF32]);
}

static struct call decode_call(const struct text *text, enum operation operation, enum assay_policy policy,
                               enum width width)
{
    return (struct call){operation, policy, text->bytes, text->outputs[policy][width],
                         policy == ASSAY_POLICY_STRICT && text->span_count > 0 ? text->spans : NULL};
}

static void ask_count(struct reader *reader, const struct text *text, enum assay_policy policy)
{
    size_t *counts = pool_alloc(reader->pool, WIDTH_COUNT, sizeof *counts);
    struct call call = decode_call(text, OP_COUNT, policy, UTF32);
    for (enum width width = 0; width < WIDTH_COUNT; width++)
        counts[width] = text->outputs[policy][width].count;
    call.output = (struct units){counts, WIDTH_COUNT};
    struct probe *probe = reader_add_call(reader, &call);
    probe->expected.result.read = 0; /* counting returns a status, and no number of bytes read */
    probe->expected.result.error = (struct assay_span){0};
}

/* True if each stretch between errors is written as an encoder writes it. If not, encoding its code points gives other
 * bytes. */
static bool is_spelled_as_encoded(const struct reader *reader, const struct text *text)
{
    const uint8_t *bytes = text->bytes.units;
    size_t begin = 0;
    for (size_t i = 0; i <= text->span_count; i++) {
        size_t end = i < text->span_count ? text->spans[i].offset : text->bytes.count;
        if (end > begin && !spelling_is_canonical(reader->reference, bytes + begin, end - begin))
            return false;
        begin = i < text->span_count ? end + text->spans[i].length : end;
    }
    return true;
}

/* The format does not have the bytes of to_well_formed, so they are composed here: up to the first error they are the
 * input's bytes; in all, they are the code points of the policy's output, encoded. That the reference encodes correctly
 * is checked by other vectors. */
static struct units well_formed_bytes(struct reader *reader, const struct text *text, enum assay_policy policy)
{
    struct units scalars = text->outputs[policy][UTF32];
    size_t capacity = ASSAY_ENCODED_MAX(scalars.count);
    if (text->span_count == 0)
        return text->bytes;
    if (policy == ASSAY_POLICY_STRICT)
        return (struct units){text->bytes.units, text->spans[0].offset};
    uint8_t *bytes = pool_alloc(reader->pool, capacity, 1);
    struct assay_result encoded =
        reader->reference->encode_utf32(ASSAY_POLICY_STRICT, scalars.units, scalars.count, bytes, capacity);
    return (struct units){bytes, encoded.written};
}

static void ask_to_well_formed(struct reader *reader, const struct text *text, enum assay_policy policy)
{
    struct call call = decode_call(text, OP_TO_WELL_FORMED, policy, UTF32);
    if (policy == ASSAY_POLICY_SURROGATEESCAPE || (text->span_count > 0 && !is_spelled_as_encoded(reader, text)))
        return;
    call.output = well_formed_bytes(reader, text, policy);
    reader_add_call(reader, &call);
}

/* Asks for spans with room for all, for none, and for all but the last. Each time, the codec must count all. */
static void ask_spans(struct reader *reader, const struct text *text)
{
    struct call spans = {OP_SPANS, ASSAY_POLICY_STRICT, text->bytes, {text->spans, text->span_count}, NULL};
    reader_add_call(reader, &spans)->expected.result.read = 0;
    const size_t rooms[] = {0, text->span_count - 1};
    for (size_t i = 0; i < (text->span_count > 1 ? 2 : text->span_count); i++) {
        struct probe *probe = reader_add_call(reader, &spans);
        probe->expected.result.read = 0;
        probe->question.capacity = rooms[i];
    }
}

/* Adds all questions about an input that is given whole. */
static void ask_whole(struct reader *reader, const struct text *text)
{
    struct call validate = decode_call(text, OP_VALIDATE, ASSAY_POLICY_STRICT, UTF32);
    validate.output = (struct units){0};
    reader_add_call(reader, &validate)->expected.result.read = 0;
    ask_spans(reader, text);
    reader_each_policy (reader, policy) {
        ask_count(reader, text, policy);
        ask_to_well_formed(reader, text, policy);
        for (enum width width = 0; width < WIDTH_COUNT; width++) {
            struct call decode = decode_call(text, widths[width].decode, policy, width);
            struct call feed = decode_call(text, widths[width].feed, policy, width);
            reader_add_call(reader, &decode);
            reader_add_call(reader, &feed)->expected.written_after = pool_alloc(reader->pool, 1, sizeof(size_t));
        }
    }
}

static void read_whole(struct reader *reader, const struct node *test, struct text *text)
{
    struct node bytes = node_field(test, "bytes"), outputs = node_field(test, "outputs"),
                utf16 = node_field(test, "utf16");
    read_text(reader, test, reader_bytes(reader, &bytes), text);
    node_require_fields(&outputs, reader->policies, "policy");
    reader_each_policy (reader, policy) {
        struct node output = node_field(&outputs, assay_policy_name(policy));
        set_output(reader, text, policy, reader_scalars(reader, &output, 0x10FFFF));
    }
    struct units whatwg = with_signature(reader, text, reader_scalars(reader, &utf16, 0xFFFF));
    text->outputs[ASSAY_POLICY_WHATWG][UTF16] = reader_utf16(reader, whatwg);
    ask_whole(reader, text);
}

void read_decode(struct reader *reader, const struct node *test)
{
    struct text text;
    read_whole(reader, test, &text);
}

void read_limited(struct reader *reader, const struct node *test)
{
    struct text text;
    read_whole(reader, test, &text);
    if (text.has_signature)
        node_refuse(test, "what room a signature takes that is then taken away, the format does not say");
    for (enum width width = 0; width < WIDTH_COUNT; width++) {
        struct node limits = node_field(test, widths[width].limits);
        node_require_fields(&limits, reader->policies, "policy");
        reader_each_policy (reader, policy) {
            struct node one = node_field(&limits, assay_policy_name(policy));
            struct call call = decode_call(&text, widths[width].decode, policy, width);
            reader_add_limits(reader, &one, &call);
        }
    }
}

/* ---- streams ----------------------------------------------------------------------------------- */

struct stream {
    struct text text;
    size_t piece_count;
    size_t error_piece; /* the piece that makes the first error certain; piece_count: the end does */
    const size_t *ends; /* of each piece, in bytes */
    const size_t *written_after[ASSAY_POLICY_COUNT][WIDTH_COUNT]; /* units written after each piece */
};

static struct units read_pieces(struct reader *reader, const struct node *pieces, struct stream *stream)
{
    stream->piece_count = node_count(pieces);
    struct units *parts = cli_alloc(stream->piece_count, sizeof *parts);
    size_t *ends = pool_alloc(reader->pool, stream->piece_count, sizeof *ends), byte_count = 0;
    for (size_t i = 0; i < stream->piece_count; i++) {
        struct node piece = node_item(pieces, i);
        parts[i] = reader_bytes(reader, &piece);
        ends[i] = byte_count += parts[i].count;
    }
    uint8_t *bytes = pool_alloc(reader->pool, byte_count, 1);
    for (size_t i = 0; i < stream->piece_count; i++)
        if (parts[i].count > 0)
            memcpy(bytes + ends[i] - parts[i].count, parts[i].units, parts[i].count);
    free(parts);
    stream->ends = ends;
    return (struct units){bytes, byte_count};
}

/* Concatenates the expected output of the pieces, and stores its length after each piece. */
static void read_emitted(struct reader *reader, const struct node *groups, enum assay_policy policy,
                         struct stream *stream)
{
    size_t count = node_count(groups), written = 0, longest = 0;
    if (count != stream->piece_count + 1)
        node_refuse(groups, "has %zu items; there are %zu pieces and the end", count, stream->piece_count);
    for (size_t i = 0; i < count; i++) {
        struct node group = node_item(groups, i);
        longest += strlen(node_text(&group)) / 2 + 1;
    }
    uint32_t *joined = pool_alloc(reader->pool, longest, sizeof *joined);
    size_t *written_after[WIDTH_COUNT], pairs = 0;
    for (enum width width = 0; width < WIDTH_COUNT; width++)
        stream->written_after[policy][width] = written_after[width] =
            pool_alloc(reader->pool, count, sizeof *written_after[width]);
    for (size_t i = 0; i < count; i++) {
        struct node group = node_item(groups, i);
        struct units units = reader_scalars(reader, &group, 0x10FFFF);
        for (size_t j = 0; j < units.count; j++) {
            joined[written++] = ((const uint32_t *)units.units)[j];
            pairs += joined[written - 1] > 0xFFFF;
        }
        bool after_signature = stream->text.has_signature &&
                               (i == stream->piece_count || stream->ends[i] >= reader->signature->byte_count);
        written_after[UTF32][i] = written + after_signature;
        written_after[UTF16][i] = written_after[UTF32][i] + pairs;
    }
    set_output(reader, &stream->text, policy, (struct units){joined, written});
}

static void read_stream_object(struct reader *reader, const struct node *node, struct stream *stream)
{
    struct node pieces = node_field(node, "pieces"), emitted = node_field(node, "emitted");
    struct node error_piece = node_field(node, "error_piece");
    read_text(reader, node, read_pieces(reader, &pieces, stream), &stream->text);
    if (json_is_null(error_piece.json) != (stream->text.span_count == 0))
        node_refuse(&error_piece, "is null if and only if there is no error");
    if (stream->text.span_count > 0)
        stream->error_piece = node_size(&error_piece, stream->piece_count);
    if (stream->text.span_count > 0 && stream->error_piece < stream->piece_count &&
        stream->ends[stream->error_piece] <= stream->text.spans[0].offset)
        node_refuse(&error_piece, "is before the piece that brings the first error, at %zu",
                    stream->text.spans[0].offset);
    node_require_fields(&emitted, reader->policies, "policy");
    reader_each_policy (reader, policy) {
        struct node groups = node_field(&emitted, assay_policy_name(policy));
        read_emitted(reader, &groups, policy, stream);
    }
}

/* Feeds a stream in its pieces. The end comes with the last piece, or separately after it, as a piece of no bytes. */
static void ask_feed(struct reader *reader, const struct stream *stream, enum assay_policy policy, enum width width,
                     bool end_apart)
{
    size_t cut_count = end_apart ? stream->piece_count : stream->piece_count - 1;
    size_t *written_after = pool_alloc(reader->pool, cut_count + 1, sizeof *written_after), last = cut_count;
    struct call call = decode_call(&stream->text, widths[width].feed, policy, width);
    struct probe *probe = reader_add_call(reader, &call);
    if (call.stop != NULL) {
        last = stream->error_piece < cut_count ? stream->error_piece : cut_count;
        size_t before = last > 0 ? stream->ends[last - 1] : 0;
        if (before > call.stop->offset) /* bytes held from earlier pieces counted as read */
            probe->expected.result.read = before;
        probe->stop_piece = last;
    }
    for (size_t i = 0; i <= last; i++) /* pieces after a stop have no output */
        written_after[i] = stream->written_after[policy][width][i];
    probe->question.cuts = stream->ends;
    probe->question.cut_count = cut_count;
    probe->expected.written_after = written_after;
}

/* Feeds several streams one after the other: the state of one must not affect the next. */
static void ask_streams(struct reader *reader, const struct stream *streams, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ask_whole(reader, &streams[i].text);
    reader_each_policy (reader, policy)
        for (enum width width = 0; width < WIDTH_COUNT; width++)
            for (int end_apart = 0; end_apart <= 1; end_apart++)
                for (size_t i = 0; i < count; i++)
                    if (end_apart || streams[i].piece_count > 0)
                        ask_feed(reader, &streams[i], policy, width, end_apart);
}

void read_stream(struct reader *reader, const struct node *test)
{
    struct stream stream = {0};
    read_stream_object(reader, test, &stream);
    ask_streams(reader, &stream, 1);
}

void read_reuse(struct reader *reader, const struct node *test)
{
    struct node array = node_field(test, "streams");
    size_t count = node_count(&array);
    if (count < 2)
        node_refuse(&array, "has %zu streams; to use a decoder again takes two", count);
    struct stream *streams = cli_alloc(count, sizeof *streams);
    for (size_t i = 0; i < count; i++) {
        struct node one = node_item(&array, i);
        node_require_fields(&one, STREAM_FIELDS, "field");
        read_stream_object(reader, &one, &streams[i]);
    }
    ask_streams(reader, streams, count);
    reader->stream_count = count;
    free(streams);
}
