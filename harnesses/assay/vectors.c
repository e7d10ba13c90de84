/* SPDX-License-Identifier: MIT */
#include "vectors.h"

#include "../core/compare.h"
#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define UNPOISON(begin, size) __msan_unpoison(begin, size)
#endif
#endif

/* ---- memory: all of it lives as long as the vectors ------------------------------------------- */

enum { BLOCK_BYTES = 1 << 20 };

struct pool {
    struct pool *before; /* an older block, full */
    size_t used, size;
    _Alignas(max_align_t) uint8_t bytes[];
};

static void *pool_alloc(struct pool **pool, size_t count, size_t size)
{
    size_t wanted = (count * size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
    if (*pool == NULL || (*pool)->size - (*pool)->used < wanted) {
        size_t block_bytes = wanted > BLOCK_BYTES ? wanted : BLOCK_BYTES;
        struct pool *block = cli_alloc(1, sizeof *block + block_bytes);
        block->before = *pool;
        block->size = block_bytes;
        *pool = block;
    }
    void *memory = (*pool)->bytes + (*pool)->used;
    (*pool)->used += wanted;
    return memory;
}

static char *keep(struct pool **pool, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(pool_alloc(pool, size, 1), text, size);
}

void vectors_free(struct vectors *vectors)
{
    while (vectors->pool != NULL) {
        struct pool *before = vectors->pool->before;
        free(vectors->pool);
        vectors->pool = before;
    }
}

/* ---- a value of a file, and where it stands ---------------------------------------------------- */

struct node {
    const json_t *json;
    const struct node *parent; /* NULL: the file */
    const char *key;           /* in the object `parent`; the file's path; NULL for an item of an array */
    size_t index;              /* in the array `parent` */
    const char *id;            /* of a case, as soon as it is known */
};

/* Whether there was a path to say. */
static bool say_path(FILE *out, const struct node *node)
{
    if (node->parent == NULL || node->id != NULL)
        return false;
    bool inside = say_path(out, node->parent);
    if (node->key == NULL)
        fprintf(out, "[%zu]", node->index);
    else
        fprintf(out, "%s%s", inside ? "." : ", field ", node->key);
    return true;
}

_Noreturn static void refuse(const struct node *node, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void refuse(const struct node *node, const char *format, ...)
{
    char *text;
    size_t size;
    FILE *out = cli_open_text(&text, &size);
    const struct node *file = node, *test = NULL;
    for (; file->parent != NULL; file = file->parent)
        test = file->id != NULL ? file : test;
    fputs(file->key, out);
    if (test != NULL)
        fprintf(out, ", case %s", test->id);
    say_path(out, node);
    fputs(": ", out);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fclose(out);
    cli_fail("%s", text);
}

static struct node field(const struct node *object, const char *key)
{
    return (struct node){.json = json_object_get(object->json, key), .parent = object, .key = key};
}

static struct node item(const struct node *array, size_t index)
{
    return (struct node){.json = json_array_get(array->json, index), .parent = array, .index = index};
}

/* Whether `name` is one of the words of `names`. */
static bool is_among(const char *names, const char *name, size_t length)
{
    for (const char *at = names; *at != '\0';) {
        at += strspn(at, " ");
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, name, length) == 0)
            return true;
        at += word;
    }
    return false;
}

/* An object with exactly these fields, which are what `sort` says. */
static void demand_fields(const struct node *object, const char *names, const char *sort)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object->json))
        refuse(object, "is not an object");
    json_object_foreach((json_t *)object->json, key, value)
        if (!is_among(names, key, strlen(key)))
            refuse(&(struct node){.parent = object, .key = key}, "there is no %s of this name here", sort);
    for (const char *at = names + strspn(names, " "); *at != '\0'; at += strspn(at, " ")) {
        char name[32];
        size_t length = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (json_object_get(object->json, name) == NULL)
            refuse(&(struct node){.parent = object, .key = name}, "this %s is missing", sort);
        at += length;
    }
}

static size_t item_count(const struct node *array)
{
    if (!json_is_array(array->json))
        refuse(array, "is not an array");
    return json_array_size(array->json);
}

/* Text of printable ASCII, as the format has it. */
static const char *text_of(const struct node *node)
{
    const char *text = json_string_value(node->json);
    if (text == NULL)
        refuse(node, "is not a string");
    if (strlen(text) != json_string_length(node->json) || text[0] == '\0')
        refuse(node, "is empty, or holds U+0000");
    for (const char *at = text; *at != '\0'; at++)
        if (*at < ' ' || *at > '~')
            refuse(node, "holds what is not printable ASCII");
    return text;
}

static bool truth_of(const struct node *node)
{
    if (!json_is_boolean(node->json))
        refuse(node, "is neither true nor false");
    return json_is_true(node->json);
}

/* A size, offset or index that is at most `largest`. */
static size_t size_of(const struct node *node, size_t largest)
{
    if (!json_is_integer(node->json) || json_integer_value(node->json) < 0)
        refuse(node, "is no number from 0 on");
    unsigned long long value = (unsigned long long)json_integer_value(node->json);
    if (value > largest)
        refuse(node, "%llu is more than the %zu that there can be", value, largest);
    return (size_t)value;
}

/* ---- the notations ----------------------------------------------------------------------------- */

static const char hex_digits[] = "0123456789ABCDEF";

/* Bytes, 16-bit units or 32-bit units. */
struct units {
    const void *units;
    size_t count;
};

/* What the cases of one file are read with. */
struct reader {
    struct pool **pool;
    struct probe *probes; /* of the case in hand */
    size_t probe_count, probe_capacity;
    const struct conversion *conversions; /* likewise */
    size_t conversion_count;
    bool strips_bom; /* its decoders take away one U+FEFF at the very beginning */
    bool has_policy[ASSAY_POLICY_COUNT];
    char policies[128]; /* their names, with a space between them */
};

/* The policies that the file has, in order; ASSAY_POLICY_COUNT after the last. */
static enum assay_policy policy_from(const struct reader *reader, enum assay_policy policy)
{
    while (policy < ASSAY_POLICY_COUNT && !reader->has_policy[policy])
        policy++;
    return policy;
}

static enum assay_policy first_policy(const struct reader *reader)
{
    return policy_from(reader, 0);
}

static enum assay_policy next_policy(const struct reader *reader, enum assay_policy policy)
{
    return policy_from(reader, policy + 1);
}

static struct units bytes_of(struct reader *reader, const struct node *node)
{
    const char *hex = text_of(node);
    size_t length = strlen(hex), byte_count = 0;
    if (strcmp(hex, "-") == 0)
        return (struct units){0};
    uint8_t *bytes = pool_alloc(reader->pool, length / 2 + 1, 1);
    if (hex[strspn(hex, hex_digits)] != '\0' || !cli_parse_hex(hex, length, bytes, &byte_count))
        refuse(node, "'%.40s' is neither upper-case hex, two digits a byte, nor -", hex);
    return (struct units){bytes, byte_count};
}

/* 32-bit units that are at most `largest`. */
static struct units scalars_of(struct reader *reader, const struct node *node, uint32_t largest)
{
    const char *at = text_of(node);
    size_t count = 0;
    if (strcmp(at, "-") == 0)
        return (struct units){0};
    uint32_t *units = pool_alloc(reader->pool, strlen(at) / 2 + 1, sizeof *units);
    for (;;) {
        size_t digits = strspn(at, hex_digits);
        if (digits == 0 || digits > 8 || (digits > 1 && at[0] == '0') || (at[digits] != ',' && at[digits] != '\0'))
            refuse(node, "'%.40s' is neither upper-case hex without leading zeros, joined by commas, nor -", at);
        unsigned long value = strtoul(at, NULL, 16);
        if (value > largest)
            refuse(node, "%lX is beyond %lX", value, (unsigned long)largest);
        units[count++] = (uint32_t)value;
        at += digits;
        if (*at++ == '\0')
            return (struct units){units, count};
    }
}

/* Units that are at most FFFF, as 16-bit units; others become two (Unicode 17.0, Table 3-5). */
static struct units utf16_of(struct reader *reader, struct units scalars)
{
    const uint32_t *from = scalars.units;
    uint16_t *units = pool_alloc(reader->pool, 2 * scalars.count, sizeof *units);
    size_t count = 0;
    for (size_t i = 0; i < scalars.count; i++) {
        if (from[i] > 0xFFFF)
            units[count++] = (uint16_t)(0xD7C0 + (from[i] >> 10));
        units[count++] = (uint16_t)(from[i] > 0xFFFF ? 0xDC00 + (from[i] & 0x3FF) : from[i]);
    }
    return (struct units){units, count};
}

static enum assay_fault fault_of(const struct node *node)
{
    const char *name = text_of(node);
    for (enum assay_fault fault = ASSAY_FAULT_NONE + 1; fault < ASSAY_FAULT_COUNT; fault++)
        if (strcmp(assay_fault_name(fault), name) == 0)
            return fault;
    refuse(node, "there is no fault '%.40s'", name);
}

/* Errors in order, none over another, within an input of `limit` units. */
static const struct assay_span *spans_of(struct reader *reader, const struct node *array, const char *fields, size_t limit,
                                         size_t *count)
{
    size_t after = 0;
    *count = item_count(array);
    struct assay_span *spans = pool_alloc(reader->pool, *count, sizeof *spans);
    for (size_t i = 0; i < *count; i++) {
        struct node one = item(array, i);
        demand_fields(&one, fields, "field");
        struct node offset = field(&one, "offset"), length = field(&one, "length"), fault = field(&one, "fault");
        struct node incomplete = field(&one, "incomplete");
        spans[i].offset = size_of(&offset, limit);
        spans[i].length = size_of(&length, limit - spans[i].offset);
        spans[i].fault = fault_of(&fault);
        spans[i].incomplete = incomplete.json != NULL && truth_of(&incomplete);
        if (spans[i].offset < after || spans[i].length == 0)
            refuse(&one, "is empty, or begins before the end of the one before it");
        after = spans[i].offset + spans[i].length;
    }
    return spans;
}

/* A field that repeats what the list of errors says. */
static void demand_verdict(const struct node *test, const char *key, size_t error_count)
{
    struct node verdict = field(test, key);
    if (truth_of(&verdict) != (error_count == 0))
        refuse(&verdict, "says otherwise than the list of errors, which has %zu", error_count);
}

/* ---- questions --------------------------------------------------------------------------------- */

static struct probe *add_probe(struct reader *reader)
{
    if (reader->probe_count == reader->probe_capacity) {
        reader->probe_capacity = 2 * reader->probe_capacity + 64;
        reader->probes = realloc(reader->probes, reader->probe_capacity * sizeof *reader->probes);
        if (reader->probes == NULL)
            cli_fail("out of memory");
    }
    struct probe *probe = &reader->probes[reader->probe_count++];
    *probe = (struct probe){.question.capacity = CAPACITY_ANY};
    return probe;
}

/* A call of decode or encode, and all that comes out. */
struct call {
    enum operation operation;
    enum assay_policy policy;
    struct units input, output;
    const struct assay_span *stop; /* the error at which the policy stops, or NULL */
};

static struct probe *add_call(struct reader *reader, const struct call *call)
{
    struct probe *probe = add_probe(reader);
    probe->question.operation = call->operation;
    probe->question.policy = call->policy;
    probe->question.input = call->input.units;
    probe->question.input_count = call->input.count;
    probe->expected.output = call->output.units;
    probe->expected.result = (struct assay_result){.status = ASSAY_OK, .read = call->input.count, .written = call->output.count};
    if (call->stop != NULL) {
        probe->expected.result.status = ASSAY_ILL_FORMED;
        probe->expected.result.read = call->stop->offset;
        probe->expected.result.error = *call->stop;
    }
    return probe;
}

static enum assay_status status_of(const struct node *node, const struct call *call)
{
    const char *name = text_of(node);
    if (strcmp(name, "error") == 0 && call->stop == NULL)
        refuse(node, "says error, and there is none at which the policy stops");
    if (strcmp(name, "error") == 0)
        return ASSAY_ILL_FORMED;
    if (strcmp(name, "ok") != 0 && strcmp(name, "full") != 0)
        refuse(node, "there is no status '%.40s'", name);
    return name[0] == 'o' ? ASSAY_OK : ASSAY_OUTPUT_FULL;
}

/* The same call with room for few units. */
static void add_limits(struct reader *reader, const struct node *limits, const struct call *call)
{
    size_t count = item_count(limits);
    if (count == 0)
        refuse(limits, "is empty");
    for (size_t i = 0; i < count; i++) {
        struct node one = item(limits, i);
        demand_fields(&one, "capacity read written status", "field");
        struct node capacity = field(&one, "capacity"), read = field(&one, "read"), written = field(&one, "written");
        struct node status = field(&one, "status");
        struct probe *probe = add_call(reader, call);
        struct assay_result *result = &probe->expected.result;
        probe->question.capacity = size_of(&capacity, call->output.count);
        result->status = status_of(&status, call);
        result->read = size_of(&read, call->input.count);
        result->written = size_of(&written, probe->question.capacity);
        if (result->status != ASSAY_ILL_FORMED)
            result->error = (struct assay_span){0};
    }
}

/* ---- decoding ---------------------------------------------------------------------------------- */

enum width { UTF32, UTF16, WIDTH_COUNT };

static const struct {
    enum operation decode, feed;
    const char *limits;
} widths[WIDTH_COUNT] = {
    [UTF32] = {OP_DECODE_UTF32, OP_FEED_UTF32, "utf32_limits"},
    [UTF16] = {OP_DECODE_UTF16, OP_FEED_UTF16, "utf16_limits"},
};

/* Bytes, their errors, and what comes out under each policy. */
struct text {
    struct units bytes;
    const struct assay_span *spans;
    size_t span_count;
    struct units outputs[ASSAY_POLICY_COUNT][WIDTH_COUNT];
    bool has_signature; /* one that the decoder is to take away */
};

static void read_text(struct reader *reader, const struct node *node, struct units bytes, struct text *text)
{
    static const uint8_t signature[] = {0xEF, 0xBB, 0xBF};
    struct node spans = field(node, "spans");
    text->bytes = bytes;
    text->spans = spans_of(reader, &spans, "offset length fault incomplete", bytes.count, &text->span_count);
    text->has_signature = reader->strips_bom && bytes.count >= sizeof signature &&
                          memcmp(bytes.units, signature, sizeof signature) == 0;
    demand_verdict(node, "well_formed", text->span_count);
}

/* Codecs know nothing of signatures: it is their caller who takes one away. What is expected of the codec is
 * therefore the output that the vectors have, with U+FEFF before it. */
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
    text->outputs[policy][UTF16] = utf16_of(reader, text->outputs[policy][UTF32]);
}

static struct call decode_call(const struct text *text, enum operation operation, enum assay_policy policy, enum width width)
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
    struct probe *probe = add_call(reader, &call);
    probe->expected.result.read = 0; /* counting says no more than a status */
    probe->expected.result.error = (struct assay_span){0};
}

/* Everything that can be asked of an input that is there at once. */
static void ask_whole(struct reader *reader, const struct text *text)
{
    struct call validate = decode_call(text, OP_VALIDATE, ASSAY_POLICY_STRICT, UTF32);
    validate.output = (struct units){0};
    add_call(reader, &validate)->expected.result.read = 0;
    struct call spans = {OP_SPANS, ASSAY_POLICY_STRICT, text->bytes, {text->spans, text->span_count}, NULL};
    add_call(reader, &spans)->expected.result.read = 0;
    for (enum assay_policy policy = first_policy(reader); policy < ASSAY_POLICY_COUNT; policy = next_policy(reader, policy)) {
        ask_count(reader, text, policy);
        for (enum width width = 0; width < WIDTH_COUNT; width++) {
            struct call decode = decode_call(text, widths[width].decode, policy, width);
            struct call feed = decode_call(text, widths[width].feed, policy, width);
            add_call(reader, &decode);
            add_call(reader, &feed)->expected.marks = pool_alloc(reader->pool, 1, sizeof(size_t));
        }
    }
}

static void read_whole(struct reader *reader, const struct node *test, struct text *text)
{
    struct node bytes = field(test, "bytes"), outputs = field(test, "outputs"), utf16 = field(test, "utf16");
    read_text(reader, test, bytes_of(reader, &bytes), text);
    demand_fields(&outputs, reader->policies, "policy");
    for (enum assay_policy policy = first_policy(reader); policy < ASSAY_POLICY_COUNT; policy = next_policy(reader, policy)) {
        struct node output = field(&outputs, assay_policy_name(policy));
        set_output(reader, text, policy, scalars_of(reader, &output, 0x10FFFF));
    }
    struct units whatwg = with_signature(reader, text, scalars_of(reader, &utf16, 0xFFFF));
    text->outputs[ASSAY_POLICY_WHATWG][UTF16] = utf16_of(reader, whatwg);
    ask_whole(reader, text);
}

static void read_decode(struct reader *reader, const struct node *test)
{
    struct text text;
    read_whole(reader, test, &text);
}

static void read_limited(struct reader *reader, const struct node *test)
{
    struct text text;
    read_whole(reader, test, &text);
    if (text.has_signature)
        refuse(test, "what room a signature takes that is then taken away, the format does not say");
    for (enum width width = 0; width < WIDTH_COUNT; width++) {
        struct node limits = field(test, widths[width].limits);
        demand_fields(&limits, reader->policies, "policy");
        for (enum assay_policy policy = first_policy(reader); policy < ASSAY_POLICY_COUNT; policy = next_policy(reader, policy)) {
            struct node one = field(&limits, assay_policy_name(policy));
            struct call call = decode_call(&text, widths[width].decode, policy, width);
            add_limits(reader, &one, &call);
        }
    }
}

/* ---- streams ----------------------------------------------------------------------------------- */

struct stream {
    struct text text;
    size_t piece_count;
    size_t error_piece; /* with which the first error is certain; piece_count: with the end */
    const size_t *ends; /* of each piece, in bytes */
    const size_t *marks[ASSAY_POLICY_COUNT][WIDTH_COUNT]; /* how much has come out after each piece */
};

static struct units read_pieces(struct reader *reader, const struct node *pieces, struct stream *stream)
{
    stream->piece_count = item_count(pieces);
    struct units *parts = cli_alloc(stream->piece_count, sizeof *parts);
    size_t *ends = pool_alloc(reader->pool, stream->piece_count, sizeof *ends), byte_count = 0;
    for (size_t i = 0; i < stream->piece_count; i++) {
        struct node piece = item(pieces, i);
        parts[i] = bytes_of(reader, &piece);
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

/* Joins what comes out with each piece, and notes how much it was by then. */
static void read_emitted(struct reader *reader, const struct node *groups, enum assay_policy policy, struct stream *stream)
{
    size_t count = item_count(groups), written = 0, longest = 0;
    if (count != stream->piece_count + 1)
        refuse(groups, "has %zu items; there are %zu pieces and the end", count, stream->piece_count);
    for (size_t i = 0; i < count; i++) {
        struct node group = item(groups, i);
        longest += strlen(text_of(&group)) / 2 + 1;
    }
    uint32_t *joined = pool_alloc(reader->pool, longest, sizeof *joined);
    size_t *marks[WIDTH_COUNT], pairs = 0;
    for (enum width width = 0; width < WIDTH_COUNT; width++)
        stream->marks[policy][width] = marks[width] = pool_alloc(reader->pool, count, sizeof *marks[width]);
    for (size_t i = 0; i < count; i++) {
        struct node group = item(groups, i);
        struct units units = scalars_of(reader, &group, 0x10FFFF);
        for (size_t j = 0; j < units.count; j++) {
            joined[written++] = ((const uint32_t *)units.units)[j];
            pairs += joined[written - 1] > 0xFFFF;
        }
        bool after_signature = stream->text.has_signature && (i == stream->piece_count || stream->ends[i] >= 3);
        marks[UTF32][i] = written + after_signature;
        marks[UTF16][i] = marks[UTF32][i] + pairs;
    }
    set_output(reader, &stream->text, policy, (struct units){joined, written});
}

static void read_stream_object(struct reader *reader, const struct node *node, struct stream *stream)
{
    struct node pieces = field(node, "pieces"), emitted = field(node, "emitted"), error_piece = field(node, "error_piece");
    read_text(reader, node, read_pieces(reader, &pieces, stream), &stream->text);
    if (json_is_null(error_piece.json) != (stream->text.span_count == 0))
        refuse(&error_piece, "is null if and only if there is no error");
    if (stream->text.span_count > 0)
        stream->error_piece = size_of(&error_piece, stream->piece_count);
    if (stream->text.span_count > 0 && stream->error_piece < stream->piece_count &&
        stream->ends[stream->error_piece] <= stream->text.spans[0].offset)
        refuse(&error_piece, "is before the piece that brings the first error, at %zu", stream->text.spans[0].offset);
    demand_fields(&emitted, reader->policies, "policy");
    for (enum assay_policy policy = first_policy(reader); policy < ASSAY_POLICY_COUNT; policy = next_policy(reader, policy)) {
        struct node groups = field(&emitted, assay_policy_name(policy));
        read_emitted(reader, &groups, policy, stream);
    }
}

/* A stream in its pieces. Its end comes by itself, after the last piece, or is said with the last piece. */
static void ask_feed(struct reader *reader, const struct stream *stream, enum assay_policy policy, enum width width,
                     bool end_apart)
{
    size_t cut_count = end_apart ? stream->piece_count : stream->piece_count - 1;
    size_t *marks = pool_alloc(reader->pool, cut_count + 1, sizeof *marks), last = cut_count;
    struct call call = decode_call(&stream->text, widths[width].feed, policy, width);
    struct probe *probe = add_call(reader, &call);
    if (call.stop != NULL) {
        last = stream->error_piece < cut_count ? stream->error_piece : cut_count;
        size_t before = last > 0 ? stream->ends[last - 1] : 0;
        if (before > call.stop->offset) /* what was held of earlier pieces counts as read */
            probe->expected.result.read = before;
    }
    for (size_t i = 0; i <= last; i++) /* after a stop there is no piece */
        marks[i] = stream->marks[policy][width][i];
    probe->question.cuts = stream->ends;
    probe->question.cut_count = cut_count;
    probe->expected.marks = marks;
}

/* Streams one after the other through the same operation: what the one leaves behind must not reach the next. */
static void ask_streams(struct reader *reader, const struct stream *streams, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ask_whole(reader, &streams[i].text);
    for (enum assay_policy policy = first_policy(reader); policy < ASSAY_POLICY_COUNT; policy = next_policy(reader, policy))
        for (enum width width = 0; width < WIDTH_COUNT; width++)
            for (int end_apart = 0; end_apart <= 1; end_apart++)
                for (size_t i = 0; i < count; i++)
                    if (end_apart || streams[i].piece_count > 0)
                        ask_feed(reader, &streams[i], policy, width, end_apart);
}

#define STREAM_FIELDS "pieces well_formed spans error_piece emitted"

static void read_stream(struct reader *reader, const struct node *test)
{
    struct stream stream = {0};
    read_stream_object(reader, test, &stream);
    ask_streams(reader, &stream, 1);
}

static void read_reuse(struct reader *reader, const struct node *test)
{
    struct node array = field(test, "streams");
    size_t count = item_count(&array);
    if (count < 2)
        refuse(&array, "has %zu streams; to use a decoder again takes two", count);
    struct stream *streams = cli_alloc(count, sizeof *streams);
    for (size_t i = 0; i < count; i++) {
        struct node one = item(&array, i);
        demand_fields(&one, STREAM_FIELDS, "field");
        read_stream_object(reader, &one, &streams[i]);
    }
    ask_streams(reader, streams, count);
    free(streams);
}

/* ---- encoding ---------------------------------------------------------------------------------- */

static void read_encode_with(struct reader *reader, const struct node *test, enum operation operation)
{
    struct node units = field(test, "units"), errors = field(test, "errors"), outputs = field(test, "outputs");
    struct node limits = field(test, "limits");
    struct units input = scalars_of(reader, &units, operation == OP_ENCODE_UTF16 ? 0xFFFF : UINT32_MAX);
    if (operation == OP_ENCODE_UTF16)
        input = utf16_of(reader, input);
    size_t error_count;
    const struct assay_span *spans = spans_of(reader, &errors, "offset length fault", input.count, &error_count);
    demand_verdict(test, "encodable", error_count);
    demand_fields(&outputs, reader->policies, "policy");
    demand_fields(&limits, reader->policies, "policy");
    for (enum assay_policy policy = first_policy(reader); policy < ASSAY_POLICY_COUNT; policy = next_policy(reader, policy)) {
        struct node output = field(&outputs, assay_policy_name(policy)), limit = field(&limits, assay_policy_name(policy));
        demand_fields(&output, "bytes stopped_at", "field");
        struct node bytes = field(&output, "bytes"), stopped_at = field(&output, "stopped_at");
        struct call call = {operation, policy, input, bytes_of(reader, &bytes), NULL};
        if (!json_is_null(stopped_at.json)) {
            size_t offset = size_of(&stopped_at, input.count), i = 0;
            while (i < error_count && spans[i].offset != offset)
                i++;
            if (i == error_count)
                refuse(&stopped_at, "there is no error at unit %zu", offset);
            call.stop = &spans[i];
        }
        add_call(reader, &call);
        add_limits(reader, &limit, &call);
    }
}

static void read_encode(struct reader *reader, const struct node *test)
{
    read_encode_with(reader, test, OP_ENCODE_UTF32);
}

static void read_encode_utf16(struct reader *reader, const struct node *test)
{
    read_encode_with(reader, test, OP_ENCODE_UTF16);
}

/* ---- slicing, concatenation, conversion ---------------------------------------------------------- */

static void read_boundaries(struct reader *reader, const struct node *test)
{
    struct node input = field(test, "input"), array = field(test, "boundaries");
    struct units bytes = bytes_of(reader, &input);
    size_t count = item_count(&array);
    if (count != bytes.count + 1)
        refuse(&array, "has %zu items; there are %zu bytes and the end", count, bytes.count);
    size_t *boundaries = pool_alloc(reader->pool, count, sizeof *boundaries);
    for (size_t i = 0; i < count; i++) {
        struct node one = item(&array, i);
        boundaries[i] = size_of(&one, i);
    }
    struct call call = {OP_BOUNDARY, ASSAY_POLICY_STRICT, bytes, {boundaries, count}, NULL};
    add_call(reader, &call)->expected.result.read = 0;
}

static struct assay_span error_of(const struct node *error, size_t limit)
{
    struct node offset = field(error, "offset"), length = field(error, "length"), fault = field(error, "fault");
    struct node incomplete = field(error, "incomplete");
    struct assay_span span = {.offset = size_of(&offset, limit)};
    span.length = size_of(&length, limit - span.offset);
    span.fault = fault_of(&fault);
    span.incomplete = truth_of(&incomplete);
    return span;
}

/* A field that is null exactly where there is an error. */
static struct units bytes_or_null(struct reader *reader, const struct node *node, bool is_error)
{
    if (json_is_null(node->json) != is_error)
        refuse(node, "is null if and only if there is an error");
    return is_error ? (struct units){0} : bytes_of(reader, node);
}

static void read_concat(struct reader *reader, const struct node *test)
{
    struct node left_field = field(test, "left"), right_field = field(test, "right"), error = field(test, "error");
    struct node joined = field(test, "joined");
    struct units left = bytes_of(reader, &left_field), right = bytes_of(reader, &right_field);
    uint8_t *both = pool_alloc(reader->pool, left.count + right.count, 1);
    if (left.count > 0)
        memcpy(both, left.units, left.count);
    if (right.count > 0)
        memcpy(both + left.count, right.units, right.count);
    struct call call = {OP_CONCAT, ASSAY_POLICY_STRICT, {both, left.count + right.count}, {0}, NULL};
    call.output = bytes_or_null(reader, &joined, !json_is_null(error.json));
    struct probe *probe = add_call(reader, &call);
    size_t *cut = pool_alloc(reader->pool, 1, sizeof *cut);
    *cut = left.count;
    probe->question.cuts = cut;
    probe->question.cut_count = 1;
    if (json_is_null(error.json))
        return;
    demand_fields(&error, "string offset length fault incomplete", "field");
    struct node string = field(&error, "string");
    bool in_right = size_of(&string, 1) == 1;
    probe->expected.result.status = ASSAY_ILL_FORMED;
    probe->expected.result.read = in_right ? left.count : 0;
    probe->expected.result.error = error_of(&error, in_right ? right.count : left.count);
}

static void read_convert(struct reader *reader, const struct node *test)
{
    struct node to = field(test, "to"), input = field(test, "input"), error = field(test, "error");
    struct node outputs = field(test, "outputs");
    struct units bytes = bytes_of(reader, &input);
    if (registry_reference(text_of(&to)) == NULL)
        refuse(&to, "no codec is there for an encoding '%.40s'", text_of(&to));
    struct conversion common = {keep(reader->pool, text_of(&to)), ASSAY_POLICY_STRICT, bytes.units, bytes.count,
                                !json_is_null(error.json), {0}, NULL, 0};
    if (common.stops) {
        demand_fields(&error, "offset length fault incomplete", "field");
        common.error = error_of(&error, bytes.count);
    }
    demand_fields(&outputs, reader->policies, "policy");
    struct conversion *conversions = pool_alloc(reader->pool, ASSAY_POLICY_COUNT, sizeof *conversions);
    reader->conversions = conversions;
    for (enum assay_policy policy = first_policy(reader); policy < ASSAY_POLICY_COUNT; policy = next_policy(reader, policy)) {
        struct node output = field(&outputs, assay_policy_name(policy));
        struct conversion *conversion = &conversions[reader->conversion_count++];
        *conversion = common;
        conversion->policy = policy;
        conversion->stops = common.stops && policy == ASSAY_POLICY_STRICT;
        struct units written = bytes_or_null(reader, &output, conversion->stops);
        conversion->output = written.units;
        conversion->output_count = written.count;
    }
}

/* ---- files ------------------------------------------------------------------------------------- */

#define CASE_FIELDS "id comment flags "
#define DECODE_FIELDS CASE_FIELDS "bytes well_formed spans outputs utf16"
#define ENCODE_FIELDS CASE_FIELDS "units encodable errors outputs limits"

static const struct kind {
    const char *name, *fields;
    void (*read)(struct reader *reader, const struct node *test);
} kinds[] = {
    {"decode", DECODE_FIELDS, read_decode},
    {"limited", DECODE_FIELDS " utf32_limits utf16_limits", read_limited},
    {"stream", CASE_FIELDS STREAM_FIELDS, read_stream},
    {"reuse", CASE_FIELDS "streams", read_reuse},
    {"encode", ENCODE_FIELDS, read_encode},
    {"encode-utf16", ENCODE_FIELDS, read_encode_utf16},
    {"boundaries", CASE_FIELDS "input boundaries", read_boundaries},
    {"concat", CASE_FIELDS "left right joined error", read_concat},
    {"convert", CASE_FIELDS "to input error outputs", read_convert},
};

static const struct kind *kind_of(const struct node *node)
{
    const char *name = text_of(node);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    refuse(node, "there is no kind '%.40s'", name);
}

/* The codecs of utf-8-sig are those of utf-8, with a caller who takes the signature away. */
static const char *codec_encoding_of(const struct node *node, struct reader *reader)
{
    const char *encoding = text_of(node);
    reader->strips_bom = strcmp(encoding, "utf-8-sig") == 0;
    const struct assay_codec *reference = registry_reference(reader->strips_bom ? "utf-8" : encoding);
    if (reference == NULL)
        refuse(node, "no codec is there for an encoding '%.40s'", encoding);
    return reference->encoding;
}

/* Which policies each test has. The first two are what every encoding has, and what the format builds upon. */
static void read_policies(struct reader *reader, const struct node *array)
{
    size_t count = item_count(array);
    for (size_t i = 0; i < count; i++) {
        struct node one = item(array, i);
        enum assay_policy policy = assay_policy_parse(text_of(&one));
        if (policy == ASSAY_POLICY_COUNT)
            refuse(&one, "there is no policy '%.40s'", text_of(&one));
        if (reader->has_policy[policy])
            refuse(&one, "stands here twice");
        reader->has_policy[policy] = true;
        strcat(strcat(reader->policies, " "), assay_policy_name(policy));
    }
    if (!reader->has_policy[ASSAY_POLICY_STRICT] || !reader->has_policy[ASSAY_POLICY_WHATWG])
        refuse(array, "must have strict and whatwg");
}

static void demand_notes(const struct node *file)
{
    struct node notes = field(file, "notes");
    const char *flag;
    json_t *value;
    if (!json_is_object(notes.json))
        refuse(&notes, "is not an object");
    json_object_foreach((json_t *)notes.json, flag, value)
    {
        struct node note = field(&notes, flag);
        demand_fields(&note, "kind effect links", "field");
        struct node links = field(&note, "links");
        item_count(&links);
    }
}

static void demand_flags(const struct node *file, const struct node *test)
{
    struct node flags = field(test, "flags"), notes = field(file, "notes");
    size_t count = item_count(&flags);
    for (size_t i = 0; i < count; i++) {
        struct node flag = item(&flags, i);
        const char *name = text_of(&flag);
        if (json_object_get(notes.json, name) == NULL)
            refuse(&flag, "no note says what '%.40s' means", name);
    }
}

enum { LONGEST_ID = 200 };

/* An id that begins with the name of the category, and that no case before has. */
static void demand_id(const struct node *id, const char *category, json_t *seen)
{
    const char *text = text_of(id);
    size_t length = strlen(category);
    if (strncmp(text, category, length) != 0 || text[length] != '/' || text[length + 1] == '\0')
        refuse(id, "'%.80s' does not begin with %s/", text, category);
    if (text[strlen(text) - 1] == '/')
        refuse(id, "'%.80s' ends in /, and names no case", text);
    if (strlen(text) > LONGEST_ID)
        refuse(id, "has %zu characters; %d are enough", strlen(text), LONGEST_ID);
    if (json_object_get(seen, text) != NULL)
        refuse(id, "there is another case '%s' before this one", text);
    json_object_set_new(seen, text, json_true());
}

static void read_cases(struct reader *reader, const struct node *file, const struct kind *kind, struct category *category)
{
    struct node tests = field(file, "tests"), declared = field(file, "count");
    category->case_count = item_count(&tests);
    if (size_of(&declared, SIZE_MAX) != category->case_count || category->case_count == 0)
        refuse(&declared, "says %zu, and there are %zu tests", size_of(&declared, SIZE_MAX), category->case_count);
    struct vector_case *cases = pool_alloc(reader->pool, category->case_count, sizeof *cases);
    json_t *seen = json_object();
    for (size_t i = 0; i < category->case_count; i++) {
        struct node test = item(&tests, i);
        demand_fields(&test, kind->fields, "field");
        struct node id = field(&test, "id"), comment = field(&test, "comment");
        demand_id(&id, category->name, seen);
        test.id = cases[i].id = keep(reader->pool, text_of(&id));
        cases[i].comment = keep(reader->pool, text_of(&comment));
        demand_flags(file, &test);
        reader->probe_count = reader->conversion_count = 0;
        kind->read(reader, &test);
        struct probe *probes = pool_alloc(reader->pool, reader->probe_count, sizeof *probes);
        if (reader->probe_count > 0) /* a conversion has none */
            memcpy(probes, reader->probes, reader->probe_count * sizeof *probes);
        cases[i].probes = probes;
        cases[i].probe_count = reader->probe_count;
        cases[i].conversions = reader->conversions;
        cases[i].conversion_count = reader->conversion_count;
    }
    json_decref(seen);
    category->cases = cases;
}

/* MemorySanitizer does not see what jansson, which is not instrumented, writes to its stack, and would take it for
 * uninitialised wherever a function of ours was there before. */
static __attribute__((noinline)) void forget_stack(void)
{
#ifdef UNPOISON
    char below[1 << 16];
    UNPOISON(below, sizeof below);
#endif
}

static json_t *load_json(const char *path)
{
    forget_stack();
    return cli_load_json(path);
}

static struct category read_file(struct pool **pool, const char *path, const char *name)
{
    json_t *json = load_json(path);
    struct node file = {.json = json, .key = path};
    struct reader reader = {.pool = pool};
    demand_fields(&file, "suite version unicode license encoding category kind policies about count notes tests", "field");
    struct node suite = field(&file, "suite"), encoding = field(&file, "encoding"), category_name = field(&file, "category");
    struct node kind = field(&file, "kind"), policies = field(&file, "policies");
    static const char *const texts[] = {"version", "unicode", "license", "about"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct node text = field(&file, texts[i]);
        text_of(&text);
    }
    if (strcmp(text_of(&suite), "utf8-assay") != 0)
        refuse(&suite, "'%.40s' is not the suite utf8-assay", text_of(&suite));
    struct category category = {.name = name, .codec_encoding = codec_encoding_of(&encoding, &reader)};
    size_t length = strlen(text_of(&encoding));
    if (strncmp(name, text_of(&encoding), length) != 0 || name[length] != '/' ||
        strcmp(name + length + 1, text_of(&category_name)) != 0)
        refuse(&category_name, "says %s/%s, which is not where the file lies", text_of(&encoding), text_of(&category_name));
    demand_notes(&file);
    read_policies(&reader, &policies);
    read_cases(&reader, &file, kind_of(&kind), &category);
    free(reader.probes);
    json_decref(json);
    return category;
}

/* ---- folders ----------------------------------------------------------------------------------- */

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int is_category(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return is_shown(entry) && length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static char *join(struct pool **pool, const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = pool_alloc(pool, size, 1);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static void free_entries(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

/* Whether a glob may match an id in this category: they begin alike, as far as the glob stands for itself. */
static bool may_match(const char *glob, const char *category)
{
    size_t literal = strcspn(glob, "*?[\\"), length = strlen(category);
    return strncmp(glob, category, literal < length ? literal : length) == 0;
}

static bool is_wanted(const struct choice *choice, const char *category)
{
    for (int i = 0; i < choice->glob_count; i++)
        if (may_match(choice->globs[i], category))
            return true;
    return choice->glob_count == 0;
}

static void read_encoding(struct vectors *vectors, struct category **categories, const char *folder, const char *encoding,
                          const struct choice *choice)
{
    struct dirent **files;
    const char *path = join(&vectors->pool, folder, encoding);
    int count = scandir(path, &files, is_category, alphasort);
    if (count < 0 && errno == ENOTDIR)
        return;
    if (count < 0)
        cli_fail("%s: %s", path, strerror(errno));
    *categories = realloc(*categories, (vectors->category_count + (size_t)count + 1) * sizeof **categories);
    if (*categories == NULL)
        cli_fail("out of memory");
    for (int i = 0; i < count; i++) {
        char *name = join(&vectors->pool, encoding, files[i]->d_name);
        name[strlen(name) - strlen(".json")] = '\0';
        if (is_wanted(choice, name))
            (*categories)[vectors->category_count++] =
                read_file(&vectors->pool, join(&vectors->pool, path, files[i]->d_name), name);
    }
    free_entries(files, count);
}

const char *vectors_folder(void)
{
    const char *folder = cli_data("vectors");
    if (folder == NULL)
        cli_fail("no vectors beside this program, nor in %s; --vectors DIR says where they are", ASSAY_DATA_DIR "/vectors");
    return folder;
}

struct vectors vectors_load(const char *folder, const struct choice *choice)
{
    struct vectors vectors = {0};
    struct category *categories = NULL;
    struct dirent **encodings;
    int count = scandir(folder, &encodings, is_shown, alphasort);
    if (count < 0)
        cli_fail("%s: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++)
        read_encoding(&vectors, &categories, folder, encodings[i]->d_name, choice);
    free_entries(encodings, count);
    if (vectors.category_count == 0 && choice->glob_count == 0)
        cli_fail("%s holds no vectors: there is no ENCODING/CATEGORY.json in it", folder);
    size_t size = vectors.category_count * sizeof *categories;
    if (size > 0)
        vectors.categories = memcpy(pool_alloc(&vectors.pool, 1, size), categories, size);
    free(categories);
    return vectors;
}
