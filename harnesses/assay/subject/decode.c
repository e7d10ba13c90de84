/* SPDX-License-Identifier: MIT
 *
 * Answers the requests to validate and to decode: whole inputs, pieces, several streams, limited room.
 */
#include "subject.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void subject_validate(const char *id, char **fields)
{
    struct form encoding;
    struct assay_span error = {0}; /* a loaded codec may not set it */
    uint8_t *bytes;
    size_t byte_count;
    if (!subject_form(fields[0], &encoding) || encoding.codec->validate == NULL)
        reply_skip(id, "this encoding is not offered, or this codec does not validate");
    else if (!parse_bytes(&bytes_buffer, fields[1], &bytes, &byte_count))
        reply_skip(id, "malformed HEX");
    else if (ask_well_formed(encoding.codec, bytes, byte_count, &error))
        printf("%s ok\n", id);
    else
        reply_error(id, &error);
}

/* A stream of code points. The first may be a signature, which is dropped. */
struct decoding {
    struct form encoding;
    struct assay_stream stream;
    bool at_signature;
};

static struct assay_result decode_piece(struct decoding *decoding, const char *hex, size_t length, bool last,
                                        uint32_t **scalars, size_t *count)
{
    uint8_t *bytes = buffer_room(&bytes_buffer, length / 2, 1);
    size_t byte_count;
    cli_parse_hex(hex, length, bytes, &byte_count); /* are_chunks() has checked it */
    size_t capacity = ASSAY_DECODED_MAX(byte_count);
    *scalars = buffer_room(&units_buffer, capacity, sizeof **scalars);
    asking_directly(decoding->encoding.codec, (struct question){.operation = OP_FEED_UTF32,
                                                                .policy = decoding->stream.policy,
                                                                .input = bytes,
                                                                .input_count = byte_count,
                                                                .capacity = capacity});
    struct assay_result result =
        decoding->encoding.codec->feed_utf32(&decoding->stream, bytes, byte_count, last, *scalars, capacity);
    asking_ends();
    if (result.written > capacity) { /* the codec breaks its contract, so its output is ignored */
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

/* True if chunks are separated by commas, and each is HEX, `-` or empty. */
static bool are_chunks(const char *chunks)
{
    uint8_t *bytes = buffer_room(&bytes_buffer, strlen(chunks) / 2 + 1, 1);
    for (;; chunks++) {
        size_t length = strcspn(chunks, ","), byte_count;
        if (!(length == 1 && chunks[0] == '-') && !cli_parse_hex(chunks, length, bytes, &byte_count))
            return false;
        chunks += length;
        if (*chunks == '\0')
            return true;
    }
}

/* The result of a stream, complete before anything of it is written. */
struct streamed {
    enum assay_status status; /* OUTPUT_FULL: the codec broke its contract */
    struct assay_span error;
    const uint32_t *output, *ends; /* the end of the output of each chunk that was read */
    size_t groups;
};

static void read_stream(struct streamed *streamed, struct decoding *decoding, enum assay_policy policy,
                        const char *chunks)
{
    /* A byte takes two digits and makes at most one code point. There is one more group than commas. */
    size_t most = strlen(chunks) + ASSAY_HELD_MAX + 1, total = 0;
    uint32_t *output = buffer_room(&output_buffer, 2 * most, sizeof *output), *ends = output + most;
    *streamed = (struct streamed){.output = output, .ends = ends};
    assay_stream_start(&decoding->stream, policy);
    decoding->at_signature = has_signature(&decoding->encoding, chunks);
    for (const char *chunk = chunks; streamed->status == ASSAY_OK; chunk++) {
        size_t length = strcspn(chunk, ","), count;
        bool last = chunk[length] == '\0';
        uint32_t *scalars;
        struct assay_result result =
            decode_piece(decoding, chunk, chunk[0] == '-' ? 0 : length, last, &scalars, &count);
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

/* Reads a stream with a codec that decodes only whole inputs. */
static void read_whole(struct streamed *streamed, const struct decoding *decoding, enum assay_policy policy,
                       const char *hex)
{
    uint8_t *bytes;
    size_t byte_count;
    parse_bytes(&bytes_buffer, hex, &bytes, &byte_count); /* are_chunks() has checked it */
    size_t capacity = ASSAY_DECODED_MAX(byte_count);
    uint32_t *output = buffer_room(&output_buffer, capacity + 1, sizeof *output);
    const struct assay_codec *codec = decoding->encoding.codec;
    asking_directly(codec, (struct question){.operation = OP_DECODE_UTF32,
                                             .policy = policy,
                                             .input = bytes,
                                             .input_count = byte_count,
                                             .capacity = capacity});
    struct assay_result result = codec->decode_utf32(policy, bytes, byte_count, output + 1, capacity);
    asking_ends();
    bool drops = result.written > 0 && has_signature(&decoding->encoding, hex);
    output[0] = (uint32_t)result.written - drops;
    *streamed = (struct streamed){.status = result.written > capacity ? ASSAY_OUTPUT_FULL : result.status,
                                  .error = result.error,
                                  .output = output + 1 + drops,
                                  .ends = output,
                                  .groups = 1};
}

static bool find_decoder(const char *id, const char *encoding, struct decoding *decoding)
{
    if (subject_form(encoding, &decoding->encoding) && decoding->encoding.codec->feed_utf32 != NULL)
        return true;
    reply_skip(id, "this encoding is not offered, or this codec does not decode in pieces");
    return false;
}

void subject_decode(const char *id, char **fields)
{
    struct decoding decoding;
    struct streamed streamed;
    enum assay_policy policy = assay_policy_parse(fields[1]);
    bool is_whole = subject_form(fields[0], &decoding.encoding) && decoding.encoding.codec->feed_utf32 == NULL &&
                    decoding.encoding.codec->decode_utf32 != NULL && strchr(fields[2], ',') == NULL;
    if (!is_whole && !find_decoder(id, fields[0], &decoding))
        return;
    if (policy == ASSAY_POLICY_COUNT)
        return reply_skip(id, "there is no such policy");
    if (!are_chunks(fields[2]))
        return reply_skip(id, "malformed CHUNKS");
    if (is_whole)
        read_whole(&streamed, &decoding, policy, fields[2]);
    else
        read_stream(&streamed, &decoding, policy, fields[2]);
    if (streamed.status == ASSAY_UNSUPPORTED)
        return reply_skip(id, "this policy is not offered for this encoding");
    if (streamed.status == ASSAY_ILL_FORMED)
        return reply_error(id, &streamed.error);
    if (streamed.status != ASSAY_OK)
        return reply_bare_error(id);
    printf("%s ok ", id);
    print_groups(&streamed);
    putchar('\n');
}

/* Writes offset, length and fault of an error, each after the separator. */
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
    if (subject_names_faults && error->length != ASSAY_UNKNOWN)
        printf("%c%s", separator, assay_fault_name(error->fault));
}

void subject_stop(const char *id, char **fields)
{
    struct decoding decoding;
    struct streamed streamed;
    if (!find_decoder(id, fields[0], &decoding))
        return;
    if (!are_chunks(fields[1]))
        return reply_skip(id, "malformed CHUNKS");
    read_stream(&streamed, &decoding, ASSAY_POLICY_STRICT, fields[1]);
    if (streamed.status == ASSAY_UNSUPPORTED)
        return reply_skip(id, "this policy is not offered for this encoding");
    if (streamed.groups == 0)
        return reply_bare_error(id);
    printf(streamed.status == ASSAY_OK ? "%s ok " : "%s error %zu ", id, streamed.groups - 1);
    print_groups(&streamed);
    if (streamed.status != ASSAY_OK)
        print_error(&streamed.error, ' ');
    putchar('\n');
}

/* Ends the list at the separator. Returns the rest after it, or NULL if there is none. */
static char *cut(char *list, char separator)
{
    char *end = strchr(list, separator);
    if (end == NULL)
        return NULL;
    *end = '\0';
    return end + 1;
}

void subject_reuse(const char *id, char **fields)
{
    struct decoding decoding;
    struct streamed streamed;
    enum assay_policy policy = assay_policy_parse(fields[1]);
    if (!find_decoder(id, fields[0], &decoding))
        return;
    if (policy == ASSAY_POLICY_COUNT)
        return reply_skip(id, "there is no such policy");
    read_stream(&streamed, &decoding, policy, "-");
    if (streamed.status == ASSAY_UNSUPPORTED)
        return reply_skip(id, "this policy is not offered for this encoding");
    for (char *at = fields[2], *after = NULL; at != NULL; at = after) {
        after = strchr(at, ';') != NULL ? strchr(at, ';') + 1 : NULL;
        if (after != NULL)
            after[-1] = '\0';
        if (!are_chunks(at))
            return reply_skip(id, "malformed CHUNKS");
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

static struct assay_result decode_limited(const struct assay_codec *codec, bool is_narrow,
                                          const struct question *question, void *out)
{
    asking_directly(codec, *question);
    struct assay_result result =
        is_narrow
            ? codec->decode_utf16(question->policy, question->input, question->input_count, out, question->capacity)
            : codec->decode_utf32(question->policy, question->input, question->input_count, out, question->capacity);
    asking_ends();
    return result;
}

void subject_into(const char *id, char **fields)
{
    enum { ROOM_MAX = 1 << 24 };
    struct form encoding;
    uint8_t *bytes;
    size_t byte_count;
    char *end;
    bool is_narrow = strcmp(fields[2], "utf-16") == 0;
    unsigned long capacity = strtoul(fields[3], &end, 10);
    struct question question = {.operation = is_narrow ? OP_DECODE_UTF16 : OP_DECODE_UTF32,
                                .policy = assay_policy_parse(fields[1]),
                                .capacity = capacity};
    if (!subject_form(fields[0], &encoding) || encoding.signature != NULL ||
        (!is_narrow && strcmp(fields[2], "utf-32") != 0) ||
        (is_narrow ? encoding.codec->decode_utf16 == NULL : encoding.codec->decode_utf32 == NULL))
        return reply_skip(id, "this encoding is not offered, or not in these units");
    if (question.policy == ASSAY_POLICY_COUNT)
        return reply_skip(id, "there is no such policy");
    if (!isdigit((unsigned char)fields[3][0]) || *end != '\0' || capacity > ROOM_MAX)
        return reply_skip(id, "malformed ROOM");
    if (!parse_bytes(&bytes_buffer, fields[4], &bytes, &byte_count))
        return reply_skip(id, "malformed HEX");
    question.input = bytes;
    question.input_count = byte_count;
    void *output = buffer_room(&output_buffer, capacity, is_narrow ? sizeof(uint16_t) : sizeof(uint32_t));
    const uint16_t *narrow = output;
    const uint32_t *wide = output;
    struct assay_result result = decode_limited(encoding.codec, is_narrow, &question, output);
    static const char *const words[] = {[ASSAY_OK] = "ok", [ASSAY_ILL_FORMED] = "error", [ASSAY_OUTPUT_FULL] = "full"};
    if (result.status == ASSAY_UNSUPPORTED)
        return reply_skip(id, "this policy is not offered for this encoding");
    if (result.written > capacity || result.read > byte_count)
        return reply_bare_error(id);
    printf("%s %s %zu ", id, words[result.status], result.read);
    for (size_t i = 0; i < result.written; i++)
        printf("%s%X", i > 0 ? "," : "", is_narrow ? narrow[i] : wide[i]);
    if (result.written == 0)
        putchar('-');
    if (result.status == ASSAY_ILL_FORMED)
        print_error(&result.error, ' ');
    putchar('\n');
}
