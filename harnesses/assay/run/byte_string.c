/* SPDX-License-Identifier: MIT */
#include "byte_string.h"

#include "../../core/hex.h"
#include "../cli.h"

#include <stdlib.h>
#include <string.h>

char *byte_string_room(struct byte_string *text, size_t more)
{
    if (text->length + more + 1 > text->capacity) {
        text->capacity = 2 * (text->length + more) + 64;
        text->bytes = realloc(text->bytes, text->capacity);
        if (text->bytes == NULL)
            cli_fail("out of memory (%zu bytes)", text->capacity);
    }
    return text->bytes + text->length;
}

void byte_string_add_bytes(struct byte_string *text, const void *bytes, size_t count)
{
    char *out = byte_string_room(text, count);
    if (count > 0)
        memcpy(out, bytes, count);
    text->length += count;
}

void byte_string_add(struct byte_string *text, const char *word)
{
    byte_string_add_bytes(text, word, strlen(word));
}

void byte_string_add_char(struct byte_string *text, char one)
{
    *byte_string_room(text, 1) = one;
    text->length++;
}

void byte_string_add_number(struct byte_string *text, size_t number)
{
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    byte_string_add_bytes(text, digits + at, sizeof digits - at);
}

void byte_string_add_hex(struct byte_string *text, const uint8_t *bytes, size_t count)
{
    hex_write(byte_string_room(text, 2 * count + 1), bytes, count);
    text->length += 2 * count;
    if (count == 0)
        byte_string_add_char(text, '-');
}

void byte_string_add_scalar(struct byte_string *text, uint32_t scalar)
{
    int shift = 28;
    while (shift > 0 && scalar >> shift == 0)
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        byte_string_add_char(text, HEX_DIGITS[scalar >> shift & 15]);
}

void byte_string_drop(struct byte_string *text, size_t count)
{
    text->length -= count;
    if (count > 0 && text->length > 0)
        memmove(text->bytes, text->bytes + count, text->length);
}

char *byte_string_end(struct byte_string *text)
{
    *byte_string_room(text, 1) = '\0';
    return text->bytes;
}

void byte_string_free(struct byte_string *text)
{
    free(text->bytes);
    *text = (struct byte_string){0};
}

void print_escaped(FILE *out, const char *bytes, size_t count, size_t most)
{
    size_t shown = count < most ? count : most;
    for (size_t i = 0; i < shown; i++) {
        if (bytes[i] >= ' ' && bytes[i] <= '~')
            fputc(bytes[i], out);
        else
            fprintf(out, "\\x%02X", (unsigned char)bytes[i]);
    }
    if (shown < count)
        fprintf(out, "... (%zu bytes)", count);
}

char *escaped(const char *bytes, size_t count, size_t most)
{
    char *result;
    size_t size;
    FILE *out = cli_open_text(&result, &size);
    print_escaped(out, bytes, count, most);
    fclose(out);
    return result;
}

enum { ERRORS_KEPT = 4000, ERRORS_SHOWN = 1000 };

void trim_errors(struct byte_string *errors)
{
    if (errors->length > ERRORS_KEPT)
        byte_string_drop(errors, errors->length - ERRORS_KEPT);
}

/* Only the end is printed, because a traceback has its reason there; only whole lines. */
void print_errors(FILE *out, const struct byte_string *errors)
{
    if (errors->length == 0)
        return;
    const char *at = errors->bytes, *end = at + errors->length, *line_end;
    while (end > at && end[-1] == '\n')
        end--;
    if (end == at)
        return;
    bool is_cut = end - at > ERRORS_SHOWN;
    if (is_cut) {
        at = end - ERRORS_SHOWN;
        line_end = memchr(at, '\n', ERRORS_SHOWN);
        at = line_end != NULL ? line_end + 1 : at;
    }
    const char *separator = memchr(at, '\n', (size_t)(end - at)) != NULL ? "\n" : " ";
    fprintf(out, "; on standard error:%s", is_cut ? " ..." : "");
    for (; at < end; at = line_end + 1) {
        line_end = memchr(at, '\n', (size_t)(end - at));
        line_end = line_end != NULL ? line_end : end;
        fputs(separator, out);
        print_escaped(out, at, (size_t)(line_end - at), ERRORS_SHOWN);
    }
}
