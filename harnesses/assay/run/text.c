/* SPDX-License-Identifier: MIT */
#include "text.h"

#include "../../core/hex.h"
#include "../cli.h"

#include <stdlib.h>
#include <string.h>

char *text_room(struct text *text, size_t more)
{
    if (text->length + more + 1 > text->capacity) {
        text->capacity = 2 * (text->length + more) + 64;
        text->bytes = realloc(text->bytes, text->capacity);
        if (text->bytes == NULL)
            cli_fail("out of memory (%zu bytes)", text->capacity);
    }
    return text->bytes + text->length;
}

void text_add_bytes(struct text *text, const void *bytes, size_t count)
{
    char *out = text_room(text, count);
    if (count > 0)
        memcpy(out, bytes, count);
    text->length += count;
}

void text_add(struct text *text, const char *word)
{
    text_add_bytes(text, word, strlen(word));
}

void text_add_char(struct text *text, char one)
{
    *text_room(text, 1) = one;
    text->length++;
}

void text_add_number(struct text *text, size_t number)
{
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    text_add_bytes(text, digits + at, sizeof digits - at);
}

void text_add_hex(struct text *text, const uint8_t *bytes, size_t count)
{
    hex_write(text_room(text, 2 * count + 1), bytes, count);
    text->length += 2 * count;
    if (count == 0)
        text_add_char(text, '-');
}

void text_add_scalar(struct text *text, uint32_t scalar)
{
    int shift = 28;
    while (shift > 0 && scalar >> shift == 0)
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        text_add_char(text, HEX_DIGITS[scalar >> shift & 15]);
}

void text_drop(struct text *text, size_t count)
{
    text->length -= count;
    if (count > 0 && text->length > 0)
        memmove(text->bytes, text->bytes + count, text->length);
}

char *text_end(struct text *text)
{
    *text_room(text, 1) = '\0';
    return text->bytes;
}

void text_free(struct text *text)
{
    free(text->bytes);
    *text = (struct text){0};
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

void trim_errors(struct text *errors)
{
    if (errors->length > ERRORS_KEPT)
        text_drop(errors, errors->length - ERRORS_KEPT);
}

/* The end is kept, because a traceback has its reason there, and whole lines of it. */
void print_errors(FILE *out, const struct text *errors)
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
