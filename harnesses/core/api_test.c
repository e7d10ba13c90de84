/* SPDX-License-Identifier: MIT
 *
 * Claim: the interface for applications (codecs/utf8_assay.h) gives, for every pair of encodings and every policy, what
 * the reference of the one decodes and the reference of the other encodes: as a whole, counted, with limited room and
 * resumed, and in pieces.
 *
 * Texts are made at random of the tokens of an encoding (tokens.h); most are short, some are longer than any buffer of
 * the implementation. Texts of up to 9 units are also converted with every capacity, and cut at every place. Buffers
 * have exactly the size that the interface asks for.
 */
#include "../../codecs/registry.h"
#include "../../codecs/utf8_assay.h"
#include "dice.h"
#include "hex.h"
#include "tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OF_BYTES_LAST = 0
#define ENCODING(id, name) +1
#include "../../codecs/codecs.def"
    ,
    TEXTS = 60,
    TOKENS_MAX = 24,
    SHORT = 9, /* units, of a text that is converted with every capacity and cut at every place */
    LONG_TOKENS = 3000,
    PROGRESS = UTF8_ASSAY_PROGRESS_MIN
};

static struct dice dice;
static size_t failed, asked;

/* A conversion and its expected result. */
struct task {
    enum utf8_assay_encoding from, to;
    enum utf8_assay_policy policy;
    const void *input;
    size_t unit_count;
    struct utf8_assay_result expected;
    const char *expected_output;
};

static void *allocated(size_t byte_count)
{
    void *memory = malloc(byte_count > 0 ? byte_count : 1);
    if (memory == NULL)
        abort();
    return memory;
}

static size_t unit_size(enum utf8_assay_encoding encoding)
{
    return encoding == UTF8_ASSAY_UTF_16 ? sizeof(uint16_t) : encoding == UTF8_ASSAY_UTF_32 ? sizeof(uint32_t) : 1;
}

static const struct assay_codec *reference_of(enum utf8_assay_encoding encoding)
{
    return registry_reference(utf8_assay_encoding_name(encoding));
}

/* ---- the expected result ------------------------------------------------------------------------------ */

static struct utf8_assay_result public_result(const struct assay_result *result)
{
    return (struct utf8_assay_result){
        (int)result->status,
        result->read,
        result->written,
        {result->error.offset, result->error.length, (int)result->error.fault, result->error.incomplete}};
}

static struct assay_result encode(enum utf8_assay_encoding to, enum utf8_assay_policy policy, bool is_utf16,
                                  const void *units, size_t count, uint8_t *out)
{
    const struct assay_codec *codec = reference_of(to);
    size_t room = ASSAY_ENCODED_MAX(count);
    bool is_for_bytes = policy == UTF8_ASSAY_JDK || policy == UTF8_ASSAY_PER_BYTE || policy == UTF8_ASSAY_PER_SEQUENCE;
    enum assay_policy as =
        is_for_bytes ? ASSAY_POLICY_WHATWG : (enum assay_policy)policy; /* one U+FFFD for each code point */
    return is_utf16 ? codec->encode_utf16(as, units, count, out, room)
                    : codec->encode_utf32(as, units, count, out, room);
}

/* Sets the place, in the input, of the code point at `index` of its decoded form. */
static void place_error(const struct task *task, size_t index, struct utf8_assay_result *result)
{
    const struct assay_codec *codec = reference_of(task->from);
    enum assay_policy policy = (enum assay_policy)task->policy;
    uint32_t *units = allocated((index + 1) * sizeof *units);
    size_t begin = codec->decode_utf32(policy, task->input, task->unit_count, units, index).read;
    size_t end = codec->decode_utf32(policy, task->input, task->unit_count, units, index + 1).read;
    free(units);
    result->read = begin;
    result->error.offset = begin;
    result->error.length = end - begin;
}

/* From bytes to bytes: decodes, then encodes what was decoded. Of the errors of the two steps, the one that is first in
 * the text counts. */
static void expect_bytes(struct task *task, char *output)
{
    size_t room = ASSAY_DECODED_MAX(task->unit_count);
    uint32_t *units = allocated(room * sizeof *units);
    struct assay_result decoded =
        reference_of(task->from)
            ->decode_utf32((enum assay_policy)task->policy, task->input, task->unit_count, units, room);
    struct assay_result encoded = {.status = ASSAY_UNSUPPORTED};
    if (decoded.status != ASSAY_UNSUPPORTED)
        encoded = encode(task->to, task->policy, false, units, decoded.written, (uint8_t *)output);
    task->expected = public_result(encoded.status == ASSAY_OK ? &decoded : &encoded);
    task->expected.written = encoded.written;
    if (encoded.status == ASSAY_ILL_FORMED)
        place_error(task, encoded.read, &task->expected);
    free(units);
}

/* To UTF-16 units in the byte order of the machine, by the reference of WTF-16: a pair of surrogate code points is an
 * error. */
static void expect_units16(struct task *task, char *output)
{
    struct task twin = *task;
    twin.to = *(const uint8_t *)&(const uint16_t){1} == 1 ? UTF8_ASSAY_WTF_16LE : UTF8_ASSAY_WTF_16BE;
    expect_bytes(&twin, output);
    task->expected = twin.expected;
    task->expected.written /= sizeof(uint16_t);
}

/* Sets the expected result of a task; `output` has room for it. */
static void expect(struct task *task, char *output)
{
    enum assay_policy policy = (enum assay_policy)task->policy;
    size_t room = ASSAY_DECODED_MAX(task->unit_count);
    struct assay_result result;
    task->expected_output = output;
    if (task->to == UTF8_ASSAY_UTF_16 && task->from == UTF8_ASSAY_GENERALIZED_UTF_8) {
        expect_units16(task, output);
        return;
    }
    if (task->to == UTF8_ASSAY_UTF_16)
        result = reference_of(task->from)
                     ->decode_utf16(policy, task->input, task->unit_count, (uint16_t *)(void *)output, room);
    else if (task->to == UTF8_ASSAY_UTF_32)
        result = reference_of(task->from)
                     ->decode_utf32(policy, task->input, task->unit_count, (uint32_t *)(void *)output, room);
    else if (task->from == UTF8_ASSAY_UTF_16 || task->from == UTF8_ASSAY_UTF_32)
        result = encode(task->to, task->policy, task->from == UTF8_ASSAY_UTF_16, task->input, task->unit_count,
                        (uint8_t *)output);
    else {
        expect_bytes(task, output);
        return;
    }
    task->expected = public_result(&result);
}

/* ---- the comparison ----------------------------------------------------------------------------------- */

static void complain(const struct task *task, const char *asked_for, const struct utf8_assay_result *got)
{
    if (failed++ > 20)
        return;
    printf("%s to %s, policy %d, %s, input of %zu units: ", utf8_assay_encoding_name(task->from),
           utf8_assay_encoding_name(task->to), (int)task->policy, asked_for, task->unit_count);
    size_t byte_count = task->unit_count * unit_size(task->from);
    hex_print(stdout, task->input, byte_count < 64 ? byte_count : 64, " ");
    const struct utf8_assay_result *results[] = {&task->expected, got};
    for (size_t i = 0; i < 2; i++)
        printf("\n  %s status %d, read %zu, written %zu, error at %zu, length %zu, fault %d, incomplete %d",
               i == 0 ? "expected" : "got", results[i]->status, results[i]->read, results[i]->written,
               results[i]->error.offset, results[i]->error.length, results[i]->error.fault,
               results[i]->error.incomplete);
    printf("\n");
}

static bool is_same_error(const struct utf8_assay_error *a, const struct utf8_assay_error *b)
{
    return a->offset == b->offset && a->length == b->length && a->fault == b->fault && a->incomplete == b->incomplete;
}

/* Compares a result for the whole input. `output` is NULL for a count. */
static void compare(const struct task *task, const char *asked_for, struct utf8_assay_result got, const char *output)
{
    asked++;
    if (got.status != task->expected.status || got.read != task->expected.read ||
        got.written != task->expected.written || !is_same_error(&got.error, &task->expected.error) ||
        (output != NULL && memcmp(output, task->expected_output, got.written * unit_size(task->to)) != 0))
        complain(task, asked_for, &got);
}

static void check_whole(const struct task *task)
{
    struct utf8_assay_result count =
        utf8_assay_count(task->from, task->to, task->policy, task->input, task->unit_count);
    compare(task, "counted", count, NULL);
    char *output = allocated(count.written * unit_size(task->to));
    compare(
        task, "whole",
        utf8_assay_convert(task->from, task->to, task->policy, task->input, task->unit_count, output, count.written),
        output);
    free(output);
}

static const void *rest_of(const struct task *task, size_t read)
{
    return (const char *)task->input + read * unit_size(task->from);
}

/* Chooses little room, much room, or a few units less than the rest needs. */
static size_t choose_capacity(const struct task *task, size_t written)
{
    size_t left = task->expected.written - written;
    size_t missing = dice_roll(&dice, 8);
    switch (dice_roll(&dice, 4)) {
    case 0: return PROGRESS + dice_roll(&dice, 9000);
    case 1: return left > PROGRESS + missing ? left - missing : PROGRESS;
    default: return PROGRESS + dice_roll(&dice, 40);
    }
}

/* Converts in several calls: each has limited room and continues with the unread rest. */
static void check_resumed(const struct task *task)
{
    char *all = allocated(task->expected.written * unit_size(task->to));
    struct utf8_assay_result total = {.status = UTF8_ASSAY_OUTPUT_FULL};
    while (total.status == UTF8_ASSAY_OUTPUT_FULL) {
        size_t capacity = choose_capacity(task, total.written), size = unit_size(task->to);
        char *output = allocated(capacity * size);
        struct utf8_assay_result result =
            utf8_assay_convert(task->from, task->to, task->policy, rest_of(task, total.read),
                               task->unit_count - total.read, output, capacity);
        if (result.written > capacity || total.written + result.written > task->expected.written ||
            (result.status == UTF8_ASSAY_OUTPUT_FULL && result.read == 0)) {
            complain(task, "resumed", &result);
            total = task->expected;
        } else {
            memcpy(all + total.written * size, output, result.written * size);
            result.error.offset += result.status == UTF8_ASSAY_ILL_FORMED ? total.read : 0;
            result.read += total.read;
            result.written += total.written;
            total = result;
        }
        free(output);
    }
    compare(task, "resumed", total, all);
    free(all);
}

/* Feeds pieces of random length into random room. What a stream reads is less than the expected `read` if an error
 * begins in an earlier piece, so that is not compared under ILL_FORMED. */
static void check_stream(const struct task *task)
{
    size_t size = unit_size(task->to), fed = 0, piece = 0;
    char *all = allocated(task->expected.written * size);
    struct utf8_assay_stream stream;
    struct utf8_assay_result total = {.status =
                                          (int)utf8_assay_stream_start(&stream, task->from, task->to, task->policy)};
    bool is_last = false;
    while (total.status != UTF8_ASSAY_ILL_FORMED && total.status != UTF8_ASSAY_UNSUPPORTED &&
           !(is_last && total.status == UTF8_ASSAY_OK)) {
        if (total.status == UTF8_ASSAY_OK) {
            bool is_at_end = fed == task->unit_count;
            piece = fed + dice_roll(&dice, dice_roll(&dice, 4) == 0 ? task->unit_count - fed + 1 : 4);
            piece = piece < task->unit_count ? piece : task->unit_count;
            is_last = is_at_end || (piece == task->unit_count && dice_roll(&dice, 2) == 0);
        }
        size_t capacity = choose_capacity(task, total.written);
        char *output = allocated(capacity * size), *bytes = allocated(piece - fed);
        memcpy(bytes, rest_of(task, fed), piece - fed);
        struct utf8_assay_result result =
            is_last && piece == fed ? utf8_assay_stream_finish(&stream, output, capacity)
                                    : utf8_assay_stream_feed(&stream, bytes, piece - fed, is_last, output, capacity);
        if (total.written + result.written > task->expected.written) {
            complain(task, "in pieces", &result);
            result = (struct utf8_assay_result){.status = UTF8_ASSAY_UNSUPPORTED};
        }
        memcpy(all + total.written * size, output, result.written * size);
        fed += result.read;
        result.written += total.written;
        total = result;
        free(output);
        free(bytes);
    }
    total.read = total.status == UTF8_ASSAY_ILL_FORMED ? task->expected.read : fed;
    compare(task, "in pieces", total, all);
    free(all);
}

/* Converts with each capacity that does not suffice. What is written is the beginning of the whole output, the next
 * character or error has no room, and the rest, converted after it, gives the rest of the output. */
static void check_each_capacity(const struct task *task)
{
    size_t size = unit_size(task->to);
    for (size_t capacity = 0; capacity < task->expected.written; capacity++) {
        char *output = allocated(capacity * size), *rest = allocated(task->expected.written * size);
        struct utf8_assay_result begun =
            utf8_assay_convert(task->from, task->to, task->policy, task->input, task->unit_count, output, capacity);
        bool is_full = begun.status == UTF8_ASSAY_OUTPUT_FULL && begun.written <= capacity &&
                       begun.read <= task->unit_count && is_same_error(&begun.error, &(struct utf8_assay_error){0});
        if (!is_full || memcmp(output, task->expected_output, begun.written * size) != 0) {
            complain(task, "with too little room", &begun);
        } else {
            const void *unread = rest_of(task, begun.read);
            size_t left = task->unit_count - begun.read;
            struct utf8_assay_result again =
                utf8_assay_convert(task->from, task->to, task->policy, unread, left, rest, capacity - begun.written);
            if (again.status != UTF8_ASSAY_OUTPUT_FULL || again.written != 0)
                complain(task, "with the room that was left", &again);
            memcpy(rest, output, begun.written * size);
            again = utf8_assay_convert(task->from, task->to, task->policy, unread, left, rest + begun.written * size,
                                       task->expected.written - begun.written);
            again.error.offset += again.status == UTF8_ASSAY_ILL_FORMED ? begun.read : 0;
            again.read += begun.read;
            again.written += begun.written;
            compare(task, "after too little room", again, rest);
        }
        free(output);
        free(rest);
    }
}

/* Feeds a piece with no room at first, and with one unit more each time that nothing was read or written. Adds to
 * *total. */
static void feed_with_least_room(const struct task *task, struct utf8_assay_stream *stream, size_t begin, size_t end,
                                 bool is_last, char *all, struct utf8_assay_result *total)
{
    size_t size = unit_size(task->to), capacity = 0;
    do {
        char *output = allocated(capacity * size);
        struct utf8_assay_result result =
            utf8_assay_stream_feed(stream, rest_of(task, begin), end - begin, is_last, output, capacity);
        if (result.written > capacity || total->written + result.written > task->expected.written ||
            (result.status == UTF8_ASSAY_OUTPUT_FULL && capacity > PROGRESS)) {
            complain(task, "in pieces, with the least room", &result);
            result = (struct utf8_assay_result){.status = UTF8_ASSAY_UNSUPPORTED};
        }
        memcpy(all + total->written * size, output, result.written * size);
        free(output);
        capacity = result.read + result.written > 0 ? 0 : capacity + 1;
        begin += result.read;
        total->status = result.status;
        total->error = result.error;
        total->read += result.read;
        total->written += result.written;
    } while (total->status == UTF8_ASSAY_OUTPUT_FULL);
}

/* Feeds two pieces, cut at each place, and pieces of one byte; the end comes with the last piece, or alone after it. */
static void check_each_cut(const struct task *task)
{
    for (size_t cut = 0; cut <= 2 * task->unit_count + 1; cut++) {
        bool is_end_alone = cut % 2 == 1;
        size_t step = cut / 2 > 0 ? cut / 2 : 1, begin = 0;
        char *all = allocated(task->expected.written * unit_size(task->to));
        struct utf8_assay_stream stream;
        struct utf8_assay_result total = {
            .status = (int)utf8_assay_stream_start(&stream, task->from, task->to, task->policy)};
        while (total.status == UTF8_ASSAY_OK && begin < task->unit_count) {
            size_t end = begin + step < task->unit_count ? begin + step : task->unit_count;
            feed_with_least_room(task, &stream, begin, end, !is_end_alone && end == task->unit_count, all, &total);
            begin = end;
            step = cut / 2 > 0 ? task->unit_count : 1;
        }
        if (total.status == UTF8_ASSAY_OK && (is_end_alone || task->unit_count == 0))
            feed_with_least_room(task, &stream, begin, begin, true, all, &total);
        total.read = total.status == UTF8_ASSAY_ILL_FORMED ? task->expected.read : total.read;
        compare(task, "in pieces, with the least room", total, all);
        free(all);
    }
}

static void check_to_well_formed(const struct task *task)
{
    size_t room = UTF8_ASSAY_MAX_FROM_BYTES(task->unit_count);
    char *expected = allocated(2 * room), *output = allocated(room);
    struct assay_result repaired = reference_of(task->from)
                                       ->to_well_formed((enum assay_policy)task->policy, task->input, task->unit_count,
                                                        (uint8_t *)expected, 2 * room);
    struct task repair = *task;
    repair.to = task->from;
    repair.expected = public_result(&repaired);
    repair.expected_output = expected;
    compare(&repair, "repair, counted",
            utf8_assay_count_well_formed(task->from, task->policy, task->input, task->unit_count), NULL);
    compare(&repair, "repair",
            utf8_assay_to_well_formed(task->from, task->policy, task->input, task->unit_count, output, room), output);
    free(expected);
    free(output);
}

static void check_text(enum utf8_assay_encoding from, const void *input, size_t unit_count)
{
    static const enum utf8_assay_encoding forms[] = {UTF8_ASSAY_UTF_16, UTF8_ASSAY_UTF_32};
    bool is_of_bytes = (int)from <= (int)OF_BYTES_LAST;
    size_t target_count = OF_BYTES_LAST + (is_of_bytes ? 2 : 0);
    char *expected = allocated(ASSAY_ENCODED_MAX(ASSAY_DECODED_MAX(unit_count)) * sizeof(uint32_t));
    for (size_t i = 0; i < target_count; i++)
        for (int policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
            struct task task = {
                .from = from, .policy = (enum utf8_assay_policy)policy, .input = input, .unit_count = unit_count};
            task.to = i < OF_BYTES_LAST ? (enum utf8_assay_encoding)(i + 1) : forms[i - OF_BYTES_LAST];
            expect(&task, expected);
            check_whole(&task);
            if (from != UTF8_ASSAY_WTF_8)
                check_resumed(&task);
            if (is_of_bytes)
                check_stream(&task);
            if (unit_count <= SHORT && task.expected.status != UTF8_ASSAY_UNSUPPORTED) {
                if (from != UTF8_ASSAY_WTF_8)
                    check_each_capacity(&task);
                if (is_of_bytes)
                    check_each_cut(&task);
            }
            if (is_of_bytes && i == 0)
                check_to_well_formed(&task);
        }
    free(expected);
}

/* ---- texts -------------------------------------------------------------------------------------------- */

/* Checks a text of tokens. If one_in is 1, it has only tokens; else it has many ASCII letters between them. */
static void check_tokens(enum utf8_assay_encoding from, size_t count, size_t one_in)
{
    const struct token_set *set = tokens_of(utf8_assay_encoding_name(from));
    uint8_t *bytes = allocated(count * sizeof set->tokens[0].bytes);
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        const struct token *token = &set->tokens[dice_roll(&dice, one_in) == 0 ? dice_roll(&dice, set->count) : 1];
        memcpy(bytes + length, token->bytes, token->length);
        length += token->length;
    }
    bytes = realloc(bytes, length > 0 ? length : 1); /* allocated, so that a read beyond the end is noticed */
    if (bytes == NULL)
        abort();
    struct utf8_assay_error error;
    struct assay_span span = {0};
    bool is_valid = reference_of(from)->validate(bytes, length, &span);
    enum utf8_assay_status status = utf8_assay_validate(from, bytes, length, &error);
    asked++;
    if (status != (is_valid ? UTF8_ASSAY_OK : UTF8_ASSAY_ILL_FORMED) || error.offset != span.offset ||
        error.length != span.length || error.fault != (int)span.fault || error.incomplete != (int)span.incomplete) {
        printf("%s: wrong verdict on %zu bytes\n", utf8_assay_encoding_name(from), length);
        failed++;
    }
    check_text(from, bytes, length);
    free(bytes);
}

/* Letters, then two surrogates: the implementation's buffers then end before, between and after them. */
static void check_surrogates(enum utf8_assay_encoding from, size_t letters)
{
    static const char surrogates[] = "\xED\xA0\xBD\xED\xB8\x80z";
    size_t length = letters + sizeof surrogates - 1;
    char *bytes = allocated(length);
    memset(bytes, 'a', letters);
    memcpy(bytes + letters, surrogates, sizeof surrogates - 1);
    check_text(from, bytes, length);
    free(bytes);
}

static uint32_t random_unit(enum utf8_assay_encoding form)
{
    static const uint32_t edges[] = {0,      'a',    0x7F,    0x80,     0x7FF,    0x800,     0xD7FF,
                                     0xD800, 0xDBFF, 0xDC00,  0xDC80,   0xDCFF,   0xDFFF,    0xE000,
                                     0xFFFD, 0xFFFF, 0x10000, 0x10FFFF, 0x110000, 0xFFFFFFFF};
    return edges[dice_roll(&dice, form == UTF8_ASSAY_UTF_16 ? 16 : sizeof edges / sizeof edges[0])];
}

static void check_units(enum utf8_assay_encoding form, size_t count)
{
    char *units = allocated(count * unit_size(form));
    for (size_t i = 0; i < count; i++) {
        uint32_t unit = random_unit(form);
        uint16_t half = (uint16_t)unit;
        memcpy(units + i * unit_size(form), form == UTF8_ASSAY_UTF_16 ? (void *)&half : (void *)&unit, unit_size(form));
    }
    check_text(form, units, count);
    free(units);
}

/* ---- what is refused ---------------------------------------------------------------------------------- */

static void check_refusals(void)
{
    uint8_t bytes[4] = "abc", out[64];
    struct utf8_assay_stream stream;
    const bool refusals[] = {
        utf8_assay_validate(UTF8_ASSAY_UTF_16, bytes, 3, NULL) == UTF8_ASSAY_UNSUPPORTED,
        utf8_assay_validate((enum utf8_assay_encoding)77, bytes, 3, NULL) == UTF8_ASSAY_UNSUPPORTED,
        utf8_assay_validate((enum utf8_assay_encoding) - 1, bytes, 3, NULL) == UTF8_ASSAY_UNSUPPORTED,
        utf8_assay_convert((enum utf8_assay_encoding) - 2, UTF8_ASSAY_UTF_16, UTF8_ASSAY_STRICT, bytes, 3, out, 1)
                .status == UTF8_ASSAY_UNSUPPORTED,
        utf8_assay_convert(UTF8_ASSAY_UTF_16, UTF8_ASSAY_UTF_32, UTF8_ASSAY_STRICT, NULL, 0, out, 1).status ==
            UTF8_ASSAY_UNSUPPORTED,
        utf8_assay_convert(UTF8_ASSAY_UTF_8, UTF8_ASSAY_WTF_8, (enum utf8_assay_policy)8, bytes, 3, out, 9).status ==
            UTF8_ASSAY_UNSUPPORTED,
        utf8_assay_count(UTF8_ASSAY_UTF_8, UTF8_ASSAY_NO_ENCODING, UTF8_ASSAY_STRICT, bytes, 3).status ==
            UTF8_ASSAY_UNSUPPORTED,
        utf8_assay_stream_start(&stream, UTF8_ASSAY_UTF_16, UTF8_ASSAY_UTF_8, UTF8_ASSAY_STRICT) ==
            UTF8_ASSAY_UNSUPPORTED,
        utf8_assay_stream_feed(&stream, bytes, 3, 1, out, sizeof out).status == UTF8_ASSAY_UNSUPPORTED,
        utf8_assay_encoding_by_name("utf-9") == UTF8_ASSAY_NO_ENCODING,
        utf8_assay_encoding_by_name("utf-16le") == UTF8_ASSAY_UTF_16LE,
        utf8_assay_encoding_name((enum utf8_assay_encoding)20) == NULL,
        utf8_assay_encoding_name((enum utf8_assay_encoding) - 1) == NULL,
        utf8_assay_implementation((enum utf8_assay_encoding) - 1) == NULL,
        utf8_assay_implementation(UTF8_ASSAY_UTF_16) == NULL,
        utf8_assay_fault_name(ASSAY_FAULT_COUNT) == NULL,
        strcmp(utf8_assay_fault_name(UTF8_ASSAY_FAULT_OVERLONG), "overlong") == 0,
        utf8_assay_api_version() == UTF8_ASSAY_API_VERSION,
    };
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        asked++;
        if (!refusals[i]) {
            printf("check_refusals: row %zu is false\n", i);
            failed++;
        }
    }
}

/* Each encoding has exactly the policies that the comment of enum utf8_assay_policy lists, as input and as output. */
static void check_policies(void)
{
    const unsigned every = 0xFF, escape = 1u << UTF8_ASSAY_SURROGATEESCAPE;
    const unsigned of_relatives = every & ~(escape | 1u << UTF8_ASSAY_JDK | 1u << UTF8_ASSAY_PER_SEQUENCE);
    const unsigned of_utf16 =
        1u << UTF8_ASSAY_STRICT | 1u << UTF8_ASSAY_WHATWG | 1u << UTF8_ASSAY_PER_RUN | 1u << UTF8_ASSAY_SKIP;
    for (int encoding = 1; encoding <= OF_BYTES_LAST; encoding++) {
        bool is_utf8 = encoding == UTF8_ASSAY_UTF_8;
        unsigned input = is_utf8 ? every : encoding < UTF8_ASSAY_UTF_16LE ? of_relatives : of_utf16;
        const struct {
            int from, to;
            unsigned policies;
        } rows[] = {{encoding, UTF8_ASSAY_UTF_16, input},
                    {encoding, UTF8_ASSAY_UTF_32, input},
                    {encoding, UTF8_ASSAY_UTF_8, input},
                    {UTF8_ASSAY_UTF_16, encoding, is_utf8 ? every : every & ~escape},
                    {UTF8_ASSAY_UTF_32, encoding, is_utf8 ? every : every & ~escape},
                    {UTF8_ASSAY_UTF_8, encoding, is_utf8 ? every : every & ~escape}};
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            for (unsigned policy = 0; policy <= UTF8_ASSAY_SURROGATEESCAPE; policy++) {
                bool is_offered =
                    utf8_assay_count((enum utf8_assay_encoding)rows[i].from, (enum utf8_assay_encoding)rows[i].to,
                                     (enum utf8_assay_policy)policy, NULL, 0)
                        .status != UTF8_ASSAY_UNSUPPORTED;
                asked++;
                if (is_offered != (rows[i].policies >> policy & 1)) {
                    printf("check_policies: from %d to %d, policy %u: %s\n", rows[i].from, rows[i].to, policy,
                           is_offered ? "offered" : "unsupported");
                    failed++;
                }
            }
        }
    }
}

int main(int argc, char **argv)
{
    size_t texts = argc > 1 ? strtoul(argv[1], NULL, 10) : TEXTS;
    dice.state = argc > 2 ? strtoul(argv[2], NULL, 10) : 27;
    check_refusals();
    check_policies();
    for (int from = 1; from <= OF_BYTES_LAST; from++) {
        for (size_t i = 0; i < texts; i++)
            check_tokens((enum utf8_assay_encoding)from, dice_roll(&dice, TOKENS_MAX), 1 + dice_roll(&dice, 2) * 9);
        for (size_t i = 0; i < texts; i++)
            check_tokens((enum utf8_assay_encoding)from, 1 + i % 2, 1);
        check_tokens((enum utf8_assay_encoding)from, LONG_TOKENS, 1);
        check_tokens((enum utf8_assay_encoding)from, LONG_TOKENS, 900);
        for (size_t back = 0; back < 8; back++) {
            check_surrogates((enum utf8_assay_encoding)from, 1026 - back);
            check_surrogates((enum utf8_assay_encoding)from, 4098 - back);
        }
    }
    for (size_t i = 0; i < 2 * texts; i++)
        check_units(i % 2 == 0 ? UTF8_ASSAY_UTF_16 : UTF8_ASSAY_UTF_32,
                    dice_roll(&dice, i < texts ? TOKENS_MAX : 2000));
    printf("%zu answers, %zu wrong\n", asked, failed);
    return failed == 0 && asked > 0 ? 0 : 1;
}
