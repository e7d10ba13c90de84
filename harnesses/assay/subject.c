/* SPDX-License-Identifier: MIT
 *
 * One of our codecs as a subject: the line protocol `assay/1` on standard input and output. What a request
 * means is decided by the codec; here it is only taken apart and put together.
 */
#include "../core/convert.h"
#include "../core/question.h"
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool with_faults, is_alone;
static const struct cli_option options[] = {
    {"alone", 0, NULL, "offer the codec's own encoding only (else the others, too, by codecs of its name or by their references)", NULL, &is_alone},
    {"faults", 0, NULL, "name the fault after offset and length of an error", NULL, &with_faults},
    {0},
};

enum { FIELDS_MAX = 8 }; /* one more than any request has, so that it shows */

static const struct registry_row *subject_row;

/* Memory that grows with the largest request; the program answers any number of them. */
struct buffer {
    void *memory;
    size_t size;
};

static void *room(struct buffer *buffer, size_t count, size_t unit)
{
    if (count * unit > buffer->size) {
        buffer->size = 2 * count * unit;
        free(buffer->memory);
        buffer->memory = cli_alloc(buffer->size, 1);
    }
    return buffer->memory != NULL ? buffer->memory : room(buffer, 1, 1);
}

static struct buffer bytes_buffer, units_buffer, output_buffer;
static struct converter converter;

/* ---- replies: one line each ------------------------------------------------------------------- */

static void skip(const char *id, const char *reason)
{
    printf("%s skip %s\n", id, reason);
}

/* A figure of an error, or `?` for one that a loaded codec does not know. */
static void say_figure(size_t figure)
{
    if (figure == ASSAY_UNKNOWN)
        fputs(" ?", stdout);
    else
        printf(" %zu", figure);
}

static void say_bare_error(const char *id)
{
    printf("%s error\n", id);
}

/* A codec that breaks its contract, with an error of no byte, has said nothing of it. */
static void say_error(const char *id, const struct assay_span *error)
{
    if (error->length == 0)
        return say_bare_error(id);
    printf("%s error", id);
    say_figure(error->offset);
    say_figure(error->length);
    if (with_faults && error->length != ASSAY_UNKNOWN)
        printf(" %s", assay_fault_name(error->fault));
    putchar('\n');
}

static void print_hex(const uint8_t *bytes, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++)
        printf("%02X", bytes[i]);
    if (byte_count == 0)
        putchar('-');
}

static void say_bytes(const char *id, const uint8_t *bytes, size_t byte_count)
{
    printf("%s ok ", id);
    print_hex(bytes, byte_count);
    putchar('\n');
}

static void print_scalars(const uint32_t *scalars, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%s%X", i > 0 ? "," : "", scalars[i]);
    if (count == 0)
        putchar('-');
}

/* ---- fields of a request ------------------------------------------------------------------------ */

static bool find_form(const char *name, struct form *form)
{
    return form_find(name, subject_row->name, form) && (!is_alone || form->codec == subject_row->codec);
}

/* HEX, or `-` for none. */
static bool parse_bytes(struct buffer *buffer, const char *field, uint8_t **bytes, size_t *byte_count)
{
    size_t length = strcmp(field, "-") == 0 ? 0 : strlen(field);
    *bytes = room(buffer, length / 2 + 1, 1);
    return cli_parse_hex(field, length, *bytes, byte_count);
}

/* Code points, or `-` for none. What does not fit 32 bits is as far out of range as what does. */
static bool parse_scalars(char *field, uint32_t **scalars, size_t *count)
{
    *scalars = room(&units_buffer, strlen(field) + 1, sizeof **scalars);
    *count = 0;
    if (strcmp(field, "-") == 0)
        return true;
    if (field[strspn(field, "0123456789abcdefABCDEF,")] != '\0')
        return false;
    for (char *at = field;; at++) {
        char *end;
        if (*at == ',' || *at == '\0')
            return false;
        unsigned long long value = strtoull(at, &end, 16);
        (*scalars)[(*count)++] = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
        at = end;
        if (*at == '\0')
            return true;
    }
}

/* Whether the bytes of HEX or CHUNKS begin with the signature that the encoding removes: no other U+FEFF is one, not even the first
 * that a decoder gives after it skipped an error. */
static bool has_signature(const struct form *encoding, const char *chunks)
{
    static const char digits[] = "0123456789ABCDEF";
    const struct signature *signature = encoding->signature;
    size_t matched = 0, digit_count = signature != NULL ? 2 * signature->byte_count : 1;
    for (; signature != NULL && matched < digit_count && *chunks != '\0'; chunks++) {
        if (*chunks == ',' || *chunks == '-')
            continue;
        uint8_t byte = signature->bytes[matched / 2];
        if (toupper((unsigned char)*chunks) != digits[matched % 2 == 0 ? byte >> 4 : byte & 0xF])
            return false;
        matched++;
    }
    return matched == digit_count;
}

/* Whether a loaded codec has done with all its room what it had to; what it has not is an error of its own. */
static bool is_done(const struct assay_result *result, size_t capacity)
{
    return result->status == ASSAY_OK && result->written <= capacity;
}

/* ---- requests ------------------------------------------------------------------------------------- */

/* Fields after ID and OPERATION; each handler has as many as its row says, and answers with one line. */
typedef void handler(const char *id, char **fields);

static void validate(const char *id, char **fields)
{
    struct form encoding;
    struct assay_span error = {0}; /* a loaded codec may leave it as it is */
    uint8_t *bytes;
    size_t byte_count;
    if (!find_form(fields[0], &encoding) || encoding.codec->validate == NULL)
        skip(id, "this encoding is not offered, or this codec does not validate");
    else if (!parse_bytes(&bytes_buffer, fields[1], &bytes, &byte_count))
        skip(id, "malformed HEX");
    else if (ask_well_formed(encoding.codec, bytes, byte_count, &error))
        printf("%s ok\n", id);
    else
        say_error(id, &error);
}

/* A stream of code points from which the first, a signature, may have to be taken. */
struct decoding {
    struct form encoding;
    struct assay_stream stream;
    bool at_signature;
};

static struct assay_result decode_piece(struct decoding *decoding, const char *hex, size_t length, bool last,
                                        uint32_t **scalars, size_t *count)
{
    uint8_t *bytes = room(&bytes_buffer, length / 2 + 1, 1);
    size_t byte_count;
    cli_parse_hex(hex, length, bytes, &byte_count); /* decode() has looked at the form */
    size_t capacity = ASSAY_DECODED_MAX(byte_count);
    *scalars = room(&units_buffer, capacity, sizeof **scalars);
    asking_directly(decoding->encoding.codec, (struct question){.operation = OP_FEED_UTF32, .policy = decoding->stream.policy,
                                                                .input = bytes, .input_count = byte_count, .capacity = capacity});
    struct assay_result result =
        decoding->encoding.codec->feed_utf32(&decoding->stream, bytes, byte_count, last, *scalars, capacity);
    asking_ends();
    if (result.written > capacity) { /* a codec that breaks its contract; what it wrote is not looked at */
        result.status = ASSAY_OUTPUT_FULL;
        result.written = 0;
    }
    *count = result.written;
    if (decoding->at_signature && *count > 0) {
        decoding->at_signature = false;
        ++*scalars;
        --*count;
    }
    return result;
}

/* Pieces are joined by commas; each is HEX, `-` or empty. */
static bool are_chunks(const char *chunks)
{
    uint8_t *bytes = room(&bytes_buffer, strlen(chunks) / 2 + 1, 1);
    for (;; chunks++) {
        size_t length = strcspn(chunks, ","), byte_count;
        if (!(length == 1 && chunks[0] == '-') && !cli_parse_hex(chunks, length, bytes, &byte_count))
            return false;
        chunks += length;
        if (*chunks == '\0')
            return true;
    }
}

/* What came of a stream: all of it is known before any of it is said. */
struct streamed {
    enum assay_status status; /* OUTPUT_FULL: the codec did not do what it had to */
    struct assay_span error;
    const uint32_t *output, *ends; /* one end for each chunk that was read */
    size_t groups;
};

static void read_stream(struct streamed *streamed, struct decoding *decoding, enum assay_policy policy, const char *chunks)
{
    /* A byte has two digits here and makes at most one code point there; so many groups as commas. */
    size_t most = strlen(chunks) + ASSAY_HELD_MAX + 1, total = 0;
    uint32_t *output = room(&output_buffer, 2 * most, sizeof *output), *ends = output + most;
    *streamed = (struct streamed){.output = output, .ends = ends};
    assay_stream_start(&decoding->stream, policy);
    decoding->at_signature = has_signature(&decoding->encoding, chunks);
    for (const char *chunk = chunks; streamed->status == ASSAY_OK; chunk++) {
        size_t length = strcspn(chunk, ","), count;
        bool last = chunk[length] == '\0';
        uint32_t *scalars;
        struct assay_result result = decode_piece(decoding, chunk, chunk[0] == '-' ? 0 : length, last, &scalars, &count);
        streamed->status = total + count > most ? ASSAY_OUTPUT_FULL : result.status;
        streamed->error = result.error;
        if (streamed->status == ASSAY_OK || streamed->status == ASSAY_ILL_FORMED) {
            memcpy(output + total, scalars, count * sizeof *output);
            total += count;
            ends[streamed->groups++] = (uint32_t)total;
        }
        chunk += length;
        if (last)
            return;
    }
}

static void print_groups(const struct streamed *streamed)
{
    for (size_t i = 0; i < streamed->groups; i++) {
        size_t begin = i > 0 ? streamed->ends[i - 1] : 0;
        if (i > 0)
            putchar('|');
        print_scalars(streamed->output + begin, streamed->ends[i] - begin);
    }
}

/* A codec that decodes what is there at once, and nothing in pieces. */
static void read_whole(struct streamed *streamed, const struct decoding *decoding, enum assay_policy policy, const char *hex)
{
    uint8_t *bytes;
    size_t byte_count;
    parse_bytes(&bytes_buffer, hex, &bytes, &byte_count); /* decode() has looked at the form */
    size_t capacity = ASSAY_DECODED_MAX(byte_count);
    uint32_t *output = room(&output_buffer, capacity + 1, sizeof *output);
    const struct assay_codec *codec = decoding->encoding.codec;
    asking_directly(codec, (struct question){.operation = OP_DECODE_UTF32, .policy = policy, .input = bytes, .input_count = byte_count,
                                             .capacity = capacity});
    struct assay_result result = codec->decode_utf32(policy, bytes, byte_count, output + 1, capacity);
    asking_ends();
    bool drops = result.written > 0 && has_signature(&decoding->encoding, hex);
    output[0] = (uint32_t)result.written - drops;
    *streamed = (struct streamed){.status = result.written > capacity ? ASSAY_OUTPUT_FULL : result.status, .error = result.error,
                                  .output = output + 1 + drops, .ends = output, .groups = 1};
}

static bool find_decoder(const char *id, const char *encoding, struct decoding *decoding)
{
    if (find_form(encoding, &decoding->encoding) && decoding->encoding.codec->feed_utf32 != NULL)
        return true;
    skip(id, "this encoding is not offered, or this codec does not decode in pieces");
    return false;
}

static void decode(const char *id, char **fields)
{
    struct decoding decoding;
    struct streamed streamed;
    enum assay_policy policy = assay_policy_parse(fields[1]);
    bool is_whole = find_form(fields[0], &decoding.encoding) && decoding.encoding.codec->feed_utf32 == NULL &&
                    decoding.encoding.codec->decode_utf32 != NULL && strchr(fields[2], ',') == NULL;
    if (!is_whole && !find_decoder(id, fields[0], &decoding))
        return;
    if (policy == ASSAY_POLICY_COUNT)
        return skip(id, "there is no such policy");
    if (!are_chunks(fields[2]))
        return skip(id, "malformed CHUNKS");
    if (is_whole)
        read_whole(&streamed, &decoding, policy, fields[2]);
    else
        read_stream(&streamed, &decoding, policy, fields[2]);
    if (streamed.status == ASSAY_UNSUPPORTED)
        return skip(id, "this policy is not offered for this encoding");
    if (streamed.status == ASSAY_ILL_FORMED)
        return say_error(id, &streamed.error);
    if (streamed.status != ASSAY_OK)
        return say_bare_error(id);
    printf("%s ok ", id);
    print_groups(&streamed);
    putchar('\n');
}

/* Offset, length and fault of an error, each after the separator. */
static void print_error(const struct assay_span *error, char separator)
{
    const size_t figures[] = {error->offset, error->length};
    if (error->length == 0)
        return;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        putchar(separator);
        if (figures[i] == ASSAY_UNKNOWN)
            putchar('?');
        else
            printf("%zu", figures[i]);
    }
    if (with_faults && error->length != ASSAY_UNKNOWN)
        printf("%c%s", separator, assay_fault_name(error->fault));
}

static void stop(const char *id, char **fields)
{
    struct decoding decoding;
    struct streamed streamed;
    if (!find_decoder(id, fields[0], &decoding))
        return;
    if (!are_chunks(fields[1]))
        return skip(id, "malformed CHUNKS");
    read_stream(&streamed, &decoding, ASSAY_POLICY_STRICT, fields[1]);
    if (streamed.status == ASSAY_UNSUPPORTED)
        return skip(id, "this policy is not offered for this encoding");
    if (streamed.groups == 0)
        return say_bare_error(id);
    printf(streamed.status == ASSAY_OK ? "%s ok " : "%s error %zu ", id, streamed.groups - 1);
    print_groups(&streamed);
    if (streamed.status != ASSAY_OK)
        print_error(&streamed.error, ' ');
    putchar('\n');
}

/* Cuts at the separator, if there is one; the rest is after it, or NULL. */
static char *cut(char *list, char separator)
{
    char *end = strchr(list, separator);
    if (end == NULL)
        return NULL;
    *end = '\0';
    return end + 1;
}

static void reuse(const char *id, char **fields)
{
    struct decoding decoding;
    struct streamed streamed;
    enum assay_policy policy = assay_policy_parse(fields[1]);
    if (!find_decoder(id, fields[0], &decoding))
        return;
    if (policy == ASSAY_POLICY_COUNT)
        return skip(id, "there is no such policy");
    read_stream(&streamed, &decoding, policy, "-");
    if (streamed.status == ASSAY_UNSUPPORTED)
        return skip(id, "this policy is not offered for this encoding");
    for (char *at = fields[2], *after = NULL; at != NULL; at = after) {
        after = strchr(at, ';') != NULL ? strchr(at, ';') + 1 : NULL;
        if (after != NULL)
            after[-1] = '\0';
        if (!are_chunks(at))
            return skip(id, "malformed CHUNKS");
        if (after != NULL)
            after[-1] = ';';
    }
    printf("%s ok ", id);
    for (char *at = fields[2], *after; at != NULL; at = after) {
        after = cut(at, ';');
        read_stream(&streamed, &decoding, policy, at);
        if (at != fields[2])
            putchar(';');
        if (streamed.status == ASSAY_OK)
            print_groups(&streamed);
        else
            fputs("error", stdout);
        if (streamed.status == ASSAY_ILL_FORMED)
            print_error(&streamed.error, ':');
    }
    putchar('\n');
}

static struct assay_result decode_limited(const struct assay_codec *codec, bool is_narrow, const struct question *question, void *out)
{
    asking_directly(codec, *question);
    struct assay_result result = is_narrow ? codec->decode_utf16(question->policy, question->input, question->input_count, out, question->capacity)
                                           : codec->decode_utf32(question->policy, question->input, question->input_count, out, question->capacity);
    asking_ends();
    return result;
}

static void into(const char *id, char **fields)
{
    enum { ROOM_MAX = 1 << 24 };
    struct form encoding;
    uint8_t *bytes;
    size_t byte_count;
    char *end;
    bool is_narrow = strcmp(fields[2], "utf-16") == 0;
    unsigned long capacity = strtoul(fields[3], &end, 10);
    struct question question = {.operation = is_narrow ? OP_DECODE_UTF16 : OP_DECODE_UTF32, .policy = assay_policy_parse(fields[1]),
                                .capacity = capacity};
    if (!find_form(fields[0], &encoding) || encoding.signature != NULL || (!is_narrow && strcmp(fields[2], "utf-32") != 0) ||
        (is_narrow ? encoding.codec->decode_utf16 == NULL : encoding.codec->decode_utf32 == NULL))
        return skip(id, "this encoding is not offered, or not in these units");
    if (question.policy == ASSAY_POLICY_COUNT)
        return skip(id, "there is no such policy");
    if (!isdigit((unsigned char)fields[3][0]) || *end != '\0' || capacity > ROOM_MAX)
        return skip(id, "malformed ROOM");
    if (!parse_bytes(&bytes_buffer, fields[4], &bytes, &byte_count))
        return skip(id, "malformed HEX");
    question.input = bytes;
    question.input_count = byte_count;
    uint32_t *wide = room(&output_buffer, capacity, sizeof *wide);
    const uint16_t *narrow = (const uint16_t *)wide;
    struct assay_result result = decode_limited(encoding.codec, is_narrow, &question, wide);
    static const char *const words[] = {[ASSAY_OK] = "ok", [ASSAY_ILL_FORMED] = "error", [ASSAY_OUTPUT_FULL] = "full"};
    if (result.status == ASSAY_UNSUPPORTED)
        return skip(id, "this policy is not offered for this encoding");
    if (result.written > capacity || result.read > byte_count)
        return say_bare_error(id);
    printf("%s %s %zu ", id, words[result.status], result.read);
    for (size_t i = 0; i < result.written; i++)
        printf("%s%X", i > 0 ? "," : "", is_narrow ? narrow[i] : wide[i]);
    if (result.written == 0)
        putchar('-');
    if (result.status == ASSAY_ILL_FORMED)
        print_error(&result.error, ' ');
    putchar('\n');
}

/* The reply to encoding. */
static void say_encoded(const char *id, const struct assay_result *result, const uint8_t *out, size_t capacity)
{
    if (result->status == ASSAY_UNSUPPORTED)
        return skip(id, "this policy is not offered for this encoding");
    if (is_done(result, capacity))
        return say_bytes(id, out, result->written);
    if (result->status != ASSAY_ILL_FORMED)
        return say_bare_error(id);
    printf("%s error", id);
    say_figure(result->error.offset);
    putchar('\n');
}

static void encode(const char *id, char **fields)
{
    struct form encoding;
    enum assay_policy policy = assay_policy_parse(fields[1]);
    uint32_t *scalars;
    size_t count;
    if (!find_form(fields[0], &encoding) || encoding.signature != NULL || encoding.codec->encode_utf32 == NULL)
        return skip(id, "encoding to this is not offered");
    if (policy == ASSAY_POLICY_COUNT)
        return skip(id, "there is no such policy");
    if (!parse_scalars(fields[2], &scalars, &count))
        return skip(id, "malformed SCALARS");
    size_t capacity = ASSAY_ENCODED_MAX(count);
    uint8_t *out = room(&output_buffer, capacity, 1);
    asking_directly(encoding.codec, (struct question){.operation = OP_ENCODE_UTF32, .policy = policy, .input = scalars,
                                                      .input_count = count, .capacity = capacity});
    struct assay_result result = encoding.codec->encode_utf32(policy, scalars, count, out, capacity);
    asking_ends();
    say_encoded(id, &result, out, capacity);
}

static void encode_units(const char *id, char **fields)
{
    struct form encoding;
    enum assay_policy policy = assay_policy_parse(fields[1]);
    uint32_t *scalars;
    size_t count;
    if (!find_form(fields[0], &encoding) || encoding.signature != NULL || encoding.codec->encode_utf16 == NULL)
        return skip(id, "encoding to this from UTF-16 is not offered");
    if (policy == ASSAY_POLICY_COUNT)
        return skip(id, "there is no such policy");
    if (!parse_scalars(fields[2], &scalars, &count))
        return skip(id, "malformed UNITS");
    uint16_t *units = room(&bytes_buffer, count, sizeof *units);
    for (size_t i = 0; i < count; i++) {
        units[i] = (uint16_t)scalars[i];
        if (scalars[i] > UINT16_MAX)
            return skip(id, "malformed UNITS");
    }
    size_t capacity = ASSAY_ENCODED_MAX(count);
    uint8_t *out = room(&output_buffer, capacity, 1);
    asking_directly(encoding.codec, (struct question){.operation = OP_ENCODE_UTF16, .policy = policy, .input = units,
                                                      .input_count = count, .capacity = capacity});
    struct assay_result result = encoding.codec->encode_utf16(policy, units, count, out, capacity);
    asking_ends();
    say_encoded(id, &result, out, capacity);
}

static void boundaries(const char *id, char **fields)
{
    struct form encoding;
    uint8_t *bytes;
    size_t byte_count;
    if (!find_form(fields[0], &encoding) || encoding.signature != NULL || encoding.codec->boundary == NULL)
        return skip(id, "this encoding is not offered, or this codec does not know boundaries");
    if (!parse_bytes(&bytes_buffer, fields[1], &bytes, &byte_count))
        return skip(id, "malformed HEX");
    printf("%s ok ", id);
    for (size_t i = 0; i <= byte_count; i++)
        printf("%s%zu", i > 0 ? "," : "", ask_boundary(encoding.codec, bytes, byte_count, i));
    putchar('\n');
}

static void make_well_formed(const char *id, char **fields)
{
    struct form encoding;
    enum assay_policy policy = assay_policy_parse(fields[1]);
    uint8_t *bytes;
    size_t byte_count;
    if (!find_form(fields[0], &encoding) || encoding.signature != NULL || encoding.codec->to_well_formed == NULL)
        return skip(id, "this encoding is not offered, or this codec does not make text well-formed");
    if (policy == ASSAY_POLICY_COUNT)
        return skip(id, "there is no such policy");
    if (!parse_bytes(&bytes_buffer, fields[2], &bytes, &byte_count))
        return skip(id, "malformed HEX");
    size_t capacity = ASSAY_ENCODED_MAX(byte_count);
    uint8_t *out = room(&output_buffer, capacity, 1);
    asking_directly(encoding.codec, (struct question){.operation = OP_TO_WELL_FORMED, .policy = policy, .input = bytes,
                                                      .input_count = byte_count, .capacity = capacity});
    struct assay_result result = encoding.codec->to_well_formed(policy, bytes, byte_count, out, capacity);
    asking_ends();
    if (result.status == ASSAY_UNSUPPORTED)
        return skip(id, "this policy is not offered for this encoding");
    if (is_done(&result, capacity))
        return say_bytes(id, out, result.written);
    if (result.status != ASSAY_ILL_FORMED)
        return say_bare_error(id);
    say_error(id, &result.error);
}

/* The reply to what becomes of one encoding in another, or of two strings as one. */
static void say_outcome(const char *id, enum outcome outcome)
{
    switch (outcome) {
    case CONVERTED: say_bytes(id, converter.bytes, converter.byte_count); break;
    case INPUT_ILL_FORMED:
    case NOT_HELD: say_error(id, &converter.error); break;
    case NOT_OFFERED: skip(id, "this is not offered for this encoding"); break;
    default: say_bare_error(id);
    }
}

static void transcode(const char *id, char **fields)
{
    struct form from, to;
    enum assay_policy policy = assay_policy_parse(fields[2]);
    uint8_t *bytes;
    size_t byte_count;
    if (!find_form(fields[0], &from) || !find_form(fields[1], &to) || to.signature != NULL)
        return skip(id, "this pair of encodings is not offered");
    if (policy == ASSAY_POLICY_COUNT)
        return skip(id, "there is no such policy");
    if (!parse_bytes(&bytes_buffer, fields[3], &bytes, &byte_count))
        return skip(id, "malformed HEX");
    say_outcome(id, convert(&converter, &from, &to, policy, bytes, byte_count));
}

static void concat(const char *id, char **fields)
{
    struct form encoding;
    char *comma = strchr(fields[1], ',');
    uint8_t *left, *right;
    size_t left_count, right_count;
    if (!find_form(fields[0], &encoding) || encoding.signature != NULL)
        return skip(id, "this encoding is not offered");
    if (comma == NULL || strchr(comma + 1, ',') != NULL)
        return skip(id, "malformed HEX,HEX");
    *comma = '\0';
    if (!parse_bytes(&bytes_buffer, fields[1], &left, &left_count) ||
        !parse_bytes(&units_buffer, comma + 1, &right, &right_count))
        return skip(id, "malformed HEX,HEX");
    enum outcome outcome = concatenate(&converter, encoding.codec, left, left_count, right, right_count);
    if (outcome == INPUT_ILL_FORMED)
        say_bare_error(id); /* an offset could be one into either string */
    else
        say_outcome(id, outcome);
}

static const struct request {
    const char *operation, *form, *reply;
    size_t fields;
    handler *handle;
} requests[] = {
    {"validate", "ENCODING HEX", "ID ok", 2, validate},
    {"decode", "ENCODING POLICY CHUNKS", "ID ok SCALARS|SCALARS..., one for each chunk", 3, decode},
    {"stop", "ENCODING CHUNKS", "ID ok SCALARS|..., or ID error PIECE SCALARS|... OFFSET LENGTH", 2, stop},
    {"reuse", "ENCODING POLICY CHUNKS;CHUNKS...", "ID ok SCALARS|...;SCALARS|..., error:OFFSET:LENGTH for a stream", 3, reuse},
    {"into", "ENCODING POLICY UNITS ROOM HEX", "ID ok READ OUTPUT, ID full READ OUTPUT, or ID error READ OUTPUT OFFSET LENGTH", 5, into},
    {"encode", "ENCODING POLICY SCALARS", "ID ok HEX, or ID error INDEX", 3, encode},
    {"encode-utf16", "ENCODING POLICY UNITS", "ID ok HEX, or ID error INDEX", 3, encode_units},
    {"to-well-formed", "ENCODING POLICY HEX", "ID ok HEX", 3, make_well_formed},
    {"transcode", "FROM TO POLICY HEX", "ID ok HEX", 4, transcode},
    {"boundaries", "ENCODING HEX", "ID ok NUMBER,NUMBER..., one for each byte and for the end", 2, boundaries},
    {"concat", "ENCODING HEX,HEX", "ID ok HEX, or ID error", 2, concat},
};

static void say_hello(void)
{
    printf("hello assay/1 %s/%s " ASSAY_VERSION " encodings=", subject_row->encoding, subject_row->name);
    const char *separator = "";
    for (size_t i = 0; i < registry_count(); i++) {
        struct form encoding;
        const char *name = registry_at(i)->encoding;
        if (!registry_is_reference(registry_at(i)) || !find_form(name, &encoding))
            continue;
        const struct signature *signature = signature_of(name);
        printf("%s%s%s%s", separator, name, signature != NULL ? "," : "", signature != NULL ? signature->name : "");
        separator = ",";
    }
    fputs(" policies=", stdout);
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        printf("%s%s", policy > 0 ? "," : "", assay_policy_name(policy));
    fputs(" ops=", stdout);
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        printf("%s%s", i > 0 ? "," : "", requests[i].operation);
    puts(" chunks=yes");
}

/* A request is printable ASCII: nothing else could be told from the end of a line, or given back as an ID. */
static bool is_printable(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (line[i] < 0x20 || line[i] > 0x7E)
            return false;
    return true;
}

/* Should the codec give no answer, its letter on standard error is followed by the request, or by how it begins. */
static void keep_at_hand(const char *line, size_t length)
{
    enum { SHOWN = 120 };
    static char request[SHOWN + sizeof "..."];
    snprintf(request, sizeof request, "%.*s%s", SHOWN, line, length > SHOWN ? "..." : "");
    cli_at_hand = request;
}

static void answer(char *line, size_t length)
{
    char *fields[FIELDS_MAX];
    size_t count = 0;
    if (!is_printable(line, length))
        return skip("-", "a request that is not printable ASCII");
    keep_at_hand(line, length);
    for (char *field = strtok(line, " "); field != NULL && count < FIELDS_MAX; field = strtok(NULL, " "))
        fields[count++] = field;
    if (count == 0)
        return skip("-", "an empty request");
    if (strcmp(fields[0], "hello") == 0 && count == 2)
        return strcmp(fields[1], "assay/1") == 0 ? say_hello() : skip("hello", "this subject speaks assay/1");
    if (count == 1)
        return skip(fields[0], "a request is ID OPERATION FIELD...");
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        if (strcmp(fields[1], requests[i].operation) != 0)
            continue;
        if (count == requests[i].fields + 2)
            return requests[i].handle(fields[0], fields + 2);
        printf("%s skip the wrong number of fields: %s %s\n", fields[0], requests[i].operation, requests[i].form);
        return;
    }
    skip(fields[0], "this operation is not offered");
}

static void find_subject(char *name)
{
    char *slash = strchr(name, '/');
    if (slash == NULL)
        cli_fail("'%s' is no ENCODING/CODEC; assay list names them", name);
    *slash = '\0';
    subject_row = registry_find(name, slash + 1);
    if (subject_row == NULL) {
        cli_encoding(name); /* says so if it is the encoding that there is not */
        cli_fail("there is no codec '%s/%s'; assay list names them", name, slash + 1);
    }
    if (!registry_runs(subject_row))
        cli_fail("%s/%s needs %s, which does not run here", name, slash + 1, cpu_isa_name(subject_row->needs));
}

/* It is asked of other encodings under its name, too. */
static bool is_subject(const void *none, const struct registry_row *row)
{
    (void)none;
    return strcmp(row->name, subject_row->name) == 0;
}

/* The next byte of standard input, or EOF. Replies are written before it is waited for: one by one to who waits for each, many
 * at once to who sends ahead. */
static int next_byte(void)
{
    static char input[1 << 16];
    static ssize_t at, count;
    if (at == count) {
        if (fflush(stdout) != 0)
            cli_fail("standard output cannot be written");
        at = 0;
        do
            count = read(STDIN_FILENO, input, sizeof input);
        while (count < 0 && errno == EINTR);
        if (count < 0)
            cli_fail("standard input: %s", strerror(errno));
    }
    return count == 0 ? EOF : (unsigned char)input[at++];
}

/* Reads a request, without its end; false at the end of input. */
static bool read_line(char **line, size_t *capacity, size_t *length)
{
    enum { LINE_MAX_BYTES = 1 << 26 }; /* what never ends must not eat the machine */
    int byte;
    for (*length = 0; (byte = next_byte()) != EOF && byte != '\n'; (*line)[(*length)++] = (char)byte) {
        if (*length == LINE_MAX_BYTES)
            cli_fail("a request is longer than %d bytes; cut it into smaller ones", LINE_MAX_BYTES);
        if (*length + 1 < *capacity)
            continue;
        *capacity = 2 * *capacity + 4096; /* and room for the end of a string */
        *line = realloc(*line, *capacity);
        if (*line == NULL)
            cli_fail("a request is too long for the memory there is (beyond %zu bytes)", *length);
    }
    return byte == '\n' || *length > 0;
}

static void print_more(FILE *out)
{
    fputs("Speaks the line protocol assay/1: one request per line, one reply per line; fields are separated by one space.\n\n", out);
    fprintf(out, "  %-50s %s\n", "request", "reply");
    fprintf(out, "  %-50s %s\n", "hello assay/1", "hello assay/1 NAME VERSION encodings=... policies=... ops=... chunks=yes");
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        fprintf(out, "  ID %-14s %-32s %s\n", requests[i].operation, requests[i].form, requests[i].reply);
    fputs("\n"
          "For ill-formed input, validate, decode and transcode reply `ID error OFFSET LENGTH`: the offset of the first ill-formed subsequence "
          "and the length of its maximal subpart, in bytes of the input; ? if one is not known, nothing if neither is. INDEX is the index of "
          "the first scalar that encode refuses, from 0. The reply to any request may be `ID skip REASON`: it is not offered, or "
          "malformed. If the codec crashes or hangs, there is no reply: standard error contains the question, and the exit code is 1.\n"
          "\n"
          "HEX is pairs of digits, - for none. CHUNKS are the pieces of the input, each HEX, separated by commas; the last one is followed by "
          "the end of input. SCALARS are code points in hex, separated by commas, - for none; those of a chunk are the output after it "
          "was read: to `1 decode utf-8 whatwg E2,82AC41` the reply is `1 ok -|20AC,41`.\n"
          "\n",
          out);
    cli_print_policies(out);
}

static int run(int argc, char **argv)
{
    int count, at = cli_parse(&command_subject, argc, argv, &count);
    find_subject(argv[at]);
    cli_loaded_are_asked(is_subject, NULL);
    size_t capacity = 4096, length;
    static char *line; /* whoever fails does so deep inside, and leaves it */
    line = cli_alloc(capacity, 1);
    while (read_line(&line, &capacity, &length)) {
        if (length > 0 && line[length - 1] == '\r')
            length--;
        line[length] = '\0';
        answer(line, length);
        cli_at_hand = NULL;
    }
    free(line);
    return EXIT_AS_IT_SHOULD_BE;
}

const struct command command_subject = {
    .name = "subject",
    .sentence = "one of our codecs as a subject on standard input and output",
    .operands = "ENCODING/CODEC",
    .operands_min = 1,
    .operands_max = 1,
    .print_more = print_more,
    .options = options,
    .run = run,
};
