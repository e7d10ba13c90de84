/* SPDX-License-Identifier: MIT
 *
 * protocol.h - the line protocol assay/1 (vectors/PROTOCOL.md) for decoders that C or C++ can call. An adapter is a few
 * functions and a call of `speak`: it calls what a user of that library would call, and adds nothing.
 *
 *     begin  readies the decoder for a stream; false where the combination is not offered
 *     feed   decodes one chunk (a NUL follows it): calls `emit...` for what the decoder gives, and `error_at` if it
 *            reports where the error is
 *     reset  readies the same decoder for another stream; NULL: `reuse` is not offered
 *     encode encodes code points: calls `emit` for each byte, and `error_at` with the index of the first that it
 *            refuses
 *     encode_utf16  the same from UTF-16 code units
 *     decode_into   decodes a text into room for `room` units: calls `emit` for each unit, sets output.read_count to
 *            the number of bytes that it read, and returns NO_ROOM if it stopped for lack of room
 *     boundaries    calls `emit` for each offset up to `count`, with that at which the character around it begins
 *     to_well_formed  makes a text well-formed: calls `emit` for each byte
 *     transcode     converts a text from one encoding to another without a `begin`: calls `emit` for each byte
 *
 * What is NULL is not offered. A decoder that takes whole texts says chunks=no in its `offer` and gets one chunk.
 */
#ifndef ASSAY_PROTOCOL_H
#define ASSAY_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum verdict { WELL_FORMED, ILL_FORMED, NOT_OFFERED, NO_ROOM };

struct adapter {
    bool (*begin)(const char *operation, const char *encoding, const char *policy);
    enum verdict (*feed)(const unsigned char *bytes, size_t count, bool is_last);
    void (*reset)(void);
    enum verdict (*encode)(const uint32_t *points, size_t count);
    enum verdict (*encode_utf16)(const uint16_t *units, size_t count);
    enum verdict (*decode_into)(const char *units, size_t room, const unsigned char *bytes, size_t count);
    enum verdict (*boundaries)(const unsigned char *bytes, size_t count);
    enum verdict (*transcode)(const char *from, const char *to, const char *policy, const unsigned char *bytes,
                              size_t count);
    enum verdict (*to_well_formed)(const unsigned char *bytes, size_t count);
};

/* The decoder's output since the last `begin` or `reset`, and the error that it reported. */
static struct {
    uint32_t *points;
    size_t count, capacity, printed;
    long error_offset, error_length; /* -1: not stated */
    size_t read_count;               /* of `decode_into` */
} output;

static inline void *checked(void *memory)
{
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

static inline void emit(uint32_t point)
{
    if (output.count == output.capacity) {
        output.capacity = 2 * output.capacity + 64;
        output.points = (uint32_t *)checked(realloc(output.points, output.capacity * sizeof *output.points));
    }
    output.points[output.count++] = point;
}

static inline void emit_bytes(const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        emit(((const unsigned char *)bytes)[i]);
}

static inline void emit_utf32(const uint32_t *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        emit(points[i]);
}

/* Emits code units as they are, without joining pairs. */
static inline void emit_units(const uint16_t *units, size_t count)
{
    for (size_t i = 0; i < count; i++)
        emit(units[i]);
}

static inline void emit_utf16(const uint16_t *units, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool is_pair = (units[i] & 0xFC00) == 0xD800 && i + 1 < count && (units[i + 1] & 0xFC00) == 0xDC00;
        emit(is_pair ? 0x10000U + ((units[i] & 0x3FFU) << 10) + (units[i + 1] & 0x3FFU) : units[i]);
        i += is_pair;
    }
}

/* For a decoder of UTF-8 and UTF-16 with one practice of its own: returns whether it offers the request, and sets
 * *is_utf16. */
static inline bool begin_own(const char *encoding, const char *policy, bool *is_utf16)
{
    *is_utf16 = strcmp(encoding, "utf-16le") == 0;
    return (strcmp(encoding, "utf-8") == 0 || *is_utf16) && strcmp(policy, "own") == 0;
}

/* The length of the character that begins here, or 0. */
static inline size_t character_length(const unsigned char *at, size_t count)
{
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : at[0] < 0xF5 ? 4 : 0;
    if (length == 0 || length > count)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    bool is_bad = (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F) ||
                  (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F);
    return is_bad ? 0 : length;
}

/* Emits a library's text in UTF-8. Bytes that are ill-formed are shown as U+DC00 plus the byte, so that they differ
 * from all text. */
static inline void emit_utf8(const void *text, size_t count)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + count;
    for (size_t length; at<end; at += length> 0 ? length : 1) {
        length = character_length(at, (size_t)(end - at));
        uint32_t point = length == 0 ? 0xDC00U + at[0] : length == 1 ? at[0] : at[0] & (0x7FU >> length);
        for (size_t i = 1; i < length; i++)
            point = point << 6 | (at[i] & 0x3FU);
        emit(point);
    }
}

/* A result for `feed`: an error at this offset, in bytes from the beginning of the stream. */
static inline enum verdict error_at(size_t offset)
{
    output.error_offset = (long)offset;
    return ILL_FORMED;
}

static inline enum verdict error_of(size_t offset, size_t length)
{
    output.error_length = (long)length;
    return error_at(offset);
}

/* For encoders that take one code point: `encode_one` writes its bytes, 16 at most, and returns their number; 0: it
 * refuses it. */
static inline enum verdict encode_each(const uint32_t *points, size_t count,
                                       size_t (*encode_one)(uint32_t point, unsigned char *bytes))
{
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[16];
        size_t length = encode_one(points[i], bytes);
        if (length == 0)
            return error_at(i);
        emit_bytes(bytes, length);
    }
    return WELL_FORMED;
}

/* For encoders whose text is UTF-16: makes units of code points, which the caller frees, and sets *unit_count. Returns
 * NULL for text that UTF-16 does not have: values beyond Unicode, and a pair of surrogates. */
static inline uint16_t *utf16_of(const uint32_t *points, size_t count, size_t *unit_count)
{
    uint16_t *units = (uint16_t *)checked(malloc((2 * count + 1) * sizeof *units));
    *unit_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (points[i] > 0x10FFFF || (points[i] >> 10 == 0x37 && i > 0 && points[i - 1] >> 10 == 0x36)) {
            free(units);
            return NULL;
        }
        if (points[i] > 0xFFFF)
            units[(*unit_count)++] = (uint16_t)(0xD7C0 + (points[i] >> 10));
        units[(*unit_count)++] = (uint16_t)(points[i] > 0xFFFF ? 0xDC00 | (points[i] & 0x3FF) : points[i]);
    }
    return units;
}

/* Writes code points as UTF-32BE, which the caller frees. */
static inline unsigned char *utf32be(const uint32_t *points, size_t count)
{
    unsigned char *bytes = (unsigned char *)checked(malloc(4 * count + 1));
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (unsigned char)(points[i / 4] >> (24 - 8 * (i % 4)));
    return bytes;
}

/* Writes code units as UTF-16BE, which the caller frees. */
static inline unsigned char *utf16be(const uint16_t *units, size_t count)
{
    unsigned char *bytes = (unsigned char *)checked(malloc(2 * count + 1));
    for (size_t i = 0; i < 2 * count; i++)
        bytes[i] = (unsigned char)(units[i / 2] >> (8 - 8 * (i % 2)));
    return bytes;
}

static inline bool is_word(const char *word, const char *other)
{
    return strcmp(word, other) == 0;
}

/* For libraries whose strings end at a NUL. */
static inline bool has_nul(const unsigned char *bytes, size_t count)
{
    return count > 0 && memchr(bytes, 0, count) != NULL;
}

static inline void forget_output(void)
{
    output.count = output.printed = 0;
    output.error_offset = output.error_length = -1;
    output.read_count = 0;
}

#ifdef ASSAY_LOADABLE
#define main loadable_main
#include "loadable.h"
#else

/* ---- requests and replies ---------------------------------------------------------------------------------------- */

/* Decodes HEX in place: the bytes replace the digits. */
static inline size_t read_hex(char *hex)
{
    size_t count = 0;
    for (const char *at = hex; at[0] != '\0' && at[0] != '-' && at[1] != '\0'; at += 2) {
        char pair[3] = {at[0], at[1], '\0'};
        hex[count++] = (char)strtoul(pair, NULL, 16);
    }
    return count;
}

/* Prints a group: the output since the last one. */
static inline void print_group(FILE *out)
{
    if (output.printed == output.count)
        putc('-', out);
    for (size_t i = output.printed; i < output.count; i++)
        fprintf(out, "%s%X", i > output.printed ? "," : "", (unsigned)output.points[i]);
    output.printed = output.count;
}

static inline void print_error(FILE *out, char separator)
{
    if (output.error_offset >= 0)
        fprintf(out, "%c%ld", separator, output.error_offset);
    if (output.error_offset >= 0 && output.error_length >= 0)
        fprintf(out, "%c%ld", separator, output.error_length);
}

/* Returns the bytes of HEX, which the caller frees. A NUL follows them, for libraries whose strings end with one;
 * sanitizers notice reads after it. */
static inline unsigned char *terminated_bytes(char *hex, size_t *count)
{
    *count = read_hex(hex);
    unsigned char *bytes = (unsigned char *)checked(malloc(*count + 1));
    memcpy(bytes, hex, *count);
    bytes[*count] = '\0';
    return bytes;
}

/* Feeds the chunks and prints a group for each. `piece` is set to the one that decided the verdict. */
static inline enum verdict feed_chunks(const struct adapter *adapter, char *chunks, FILE *groups, int *piece)
{
    enum verdict verdict = WELL_FORMED;
    forget_output();
    for (char *next; verdict == WELL_FORMED && chunks != NULL; chunks = next) {
        next = strchr(chunks, ',');
        if (next != NULL)
            *next++ = '\0';
        size_t count;
        unsigned char *bytes = terminated_bytes(chunks, &count);
        verdict = adapter->feed(bytes, count, next == NULL);
        free(bytes);
        print_group(groups);
        if (verdict == WELL_FORMED && next != NULL)
            putc('|', groups);
        *piece += verdict == WELL_FORMED;
    }
    return verdict;
}

/* Answers `reuse`: streams joined by ";" go through one decoder, which is reset after each, and the output of each is
 * printed; nothing of them, if one is not offered. */
static inline void answer_reuse(const struct adapter *adapter, char **words, FILE *out)
{
    char *reply = NULL, *streams = words[4];
    size_t reply_size;
    bool is_offered = true;
    FILE *text = (FILE *)checked(open_memstream(&reply, &reply_size));
    for (char *next; streams != NULL; streams = next) {
        char *groups = NULL;
        size_t size;
        int piece = 0;
        FILE *memory = (FILE *)checked(open_memstream(&groups, &size));
        next = strchr(streams, ';');
        if (next != NULL)
            *next++ = '\0';
        enum verdict verdict = feed_chunks(adapter, streams, memory, &piece);
        fclose(memory);
        is_offered &= verdict != NOT_OFFERED;
        fputs(verdict == WELL_FORMED ? groups : "error", text);
        if (verdict != WELL_FORMED)
            print_error(text, ':');
        if (next != NULL)
            putc(';', text);
        adapter->reset();
        free(groups);
    }
    fclose(text);
    fprintf(out, is_offered ? "ok %s" : "skip not offered", reply);
    free(reply);
}

/* Answers `validate`, `decode` and `stop`, whose last field is CHUNKS. */
static inline void answer_text(const struct adapter *adapter, char **words, FILE *out)
{
    char *groups = NULL, *chunks = words[is_word(words[1], "decode") ? 4 : 3];
    size_t size;
    int piece = 0;
    FILE *memory = (FILE *)checked(open_memstream(&groups, &size));
    enum verdict verdict = feed_chunks(adapter, chunks, memory, &piece);
    fclose(memory);
    if (verdict == NOT_OFFERED)
        fputs("skip not offered", out);
    else if (verdict == WELL_FORMED)
        fprintf(out, is_word(words[1], "validate") ? "ok" : "ok %s", groups);
    else if (is_word(words[1], "stop"))
        fprintf(out, "error %d %s", piece, groups);
    else
        fputs("error", out);
    if (verdict == ILL_FORMED)
        print_error(out, ' ');
    free(groups);
}

/* Prints the reply whose output is bytes. */
static inline void print_bytes(enum verdict verdict, FILE *out)
{
    if (verdict == NOT_OFFERED) {
        fputs("skip not offered", out);
    } else if (verdict == ILL_FORMED) {
        fputs("error", out);
        print_error(out, ' ');
    } else {
        fputs(output.count == 0 ? "ok -" : "ok ", out);
        for (size_t i = 0; i < output.count; i++)
            fprintf(out, "%02X", (unsigned)output.points[i]);
    }
}

/* Answers `encode` and `encode-utf16`. */
static inline void answer_encode(const struct adapter *adapter, char **words, FILE *out)
{
    size_t count = 0, most = strlen(words[4]) + 1;
    uint32_t *points = (uint32_t *)checked(malloc(most * sizeof *points));
    uint16_t *units = (uint16_t *)checked(malloc(most * sizeof *units));
    for (char *at = words[4]; *at != '\0' && *at != '-'; at += *at == ',') {
        points[count] = (uint32_t)strtoul(at, &at, 16);
        units[count] = (uint16_t)points[count];
        count++;
    }
    forget_output();
    print_bytes(is_word(words[1], "encode") ? adapter->encode(points, count) : adapter->encode_utf16(units, count),
                out);
    free(points);
    free(units);
}

static inline void answer_into(const struct adapter *adapter, char **words, FILE *out)
{
    static const char *const replies[] = {"ok", "error", "skip not offered", "full"};
    size_t count;
    unsigned char *bytes = terminated_bytes(words[6], &count);
    forget_output();
    enum verdict verdict = adapter->decode_into(words[4], strtoul(words[5], NULL, 10), bytes, count);
    free(bytes);
    fputs(replies[verdict], out);
    if (verdict != NOT_OFFERED) {
        fprintf(out, " %zu ", output.read_count);
        print_group(out);
    }
    if (verdict == ILL_FORMED)
        print_error(out, ' ');
}

static inline void answer_boundaries(const struct adapter *adapter, char **words, FILE *out)
{
    size_t count;
    unsigned char *bytes = terminated_bytes(words[3], &count);
    forget_output();
    enum verdict verdict = adapter->boundaries(bytes, count);
    free(bytes);
    fputs(verdict == WELL_FORMED ? "ok " : "skip not offered", out);
    for (size_t i = 0; verdict == WELL_FORMED && i < output.count; i++)
        fprintf(out, "%s%u", i > 0 ? "," : "", (unsigned)output.points[i]);
}

static inline void answer_transcode(const struct adapter *adapter, char **words, FILE *out)
{
    size_t count;
    unsigned char *bytes = terminated_bytes(words[5], &count);
    forget_output();
    print_bytes(adapter->transcode(words[2], words[3], words[4], bytes, count), out);
    free(bytes);
}

static inline void answer_to_well_formed(const struct adapter *adapter, char **words, FILE *out)
{
    size_t count;
    unsigned char *bytes = terminated_bytes(words[4], &count);
    forget_output();
    print_bytes(adapter->to_well_formed(bytes, count), out);
    free(bytes);
}

/* Answers a request of `count` words. */
static inline void answer_words(const struct adapter *adapter, char **words, size_t count, FILE *out)
{
    const struct {
        const char *word;
        size_t count; /* of words */
        bool is_offered;
        void (*answer)(const struct adapter *adapter, char **words, FILE *out);
    } requests[] = {
        {"validate", 4, true, answer_text},
        {"decode", 5, true, answer_text},
        {"stop", 4, true, answer_text},
        {"reuse", 5, adapter->reset != NULL, answer_reuse},
        {"into", 7, adapter->decode_into != NULL, answer_into},
        {"encode", 5, adapter->encode != NULL, answer_encode},
        {"encode-utf16", 5, adapter->encode_utf16 != NULL, answer_encode},
        {"boundaries", 4, adapter->boundaries != NULL, answer_boundaries},
        {"to-well-formed", 5, adapter->to_well_formed != NULL, answer_to_well_formed},
        {"transcode", 6, adapter->transcode != NULL, answer_transcode},
    };
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        if (count != requests[i].count || !is_word(words[1], requests[i].word) || !requests[i].is_offered)
            continue;
        bool is_begun =
            is_word(words[1], "transcode") || adapter->begin(words[1], words[2], count == 4 ? "strict" : words[3]);
        if (is_begun) {
            requests[i].answer(adapter, words, out);
            return;
        }
    }
    fputs("skip not offered", out);
}

static inline void answer(const struct adapter *adapter, char *line, FILE *out)
{
    char *words[8] = {NULL};
    size_t count = 0;
    for (char *word = strtok(line, " "); word != NULL && count < 8; word = strtok(NULL, " "))
        words[count++] = word;
    fprintf(out, "%s ", count > 0 ? words[0] : "0");
    answer_words(adapter, words, count, out);
    putc('\n', out);
}

/* Speaks the protocol until input ends: answers all requests that have arrived, then writes. `offer` is what follows
 * NAME in the reply to hello. */
static inline int speak(const char *name, const char *offer, const struct adapter *adapter)
{
    size_t count = 0, capacity = 1 << 16;
    char *input = (char *)checked(malloc(capacity + 1));
    for (ssize_t got; (got = read(0, input + count, capacity - count)) > 0;) {
        char *line = input, *end;
        count += (size_t)got;
        for (; (end = (char *)memchr(line, '\n', count - (size_t)(line - input))) != NULL; line = end + 1) {
            *end = '\0';
            if (strncmp(line, "hello", 5) == 0)
                printf("hello assay/1 %s %s\n", name, offer);
            else
                answer(adapter, line, stdout);
        }
        fflush(stdout);
        count -= (size_t)(line - input);
        memmove(input, line, count);
        if (count == capacity)
            input = (char *)checked(realloc(input, (capacity *= 2) + 1));
    }
    free(input);
    free(output.points);
    return 0;
}

#endif /* ASSAY_LOADABLE */

#endif
