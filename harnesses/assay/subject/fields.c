/* SPDX-License-Identifier: MIT
 *
 * Reads the fields of requests, and writes the replies that all of them share, one line each.
 */
#include "subject.h"
#include "../../core/hex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct arena bytes_buffer, units_buffer, output_buffer;

void *buffer_room(struct arena *buffer, size_t count, size_t unit)
{
    return arena_at_end(buffer, count * unit);
}

void reply_skip(const char *id, const char *reason)
{
    printf("%s skip %s\n", id, reason);
}

void reply_figure(size_t figure)
{
    if (figure == ASSAY_UNKNOWN)
        fputs(" ?", stdout);
    else
        printf(" %zu", figure);
}

void reply_bare_error(const char *id)
{
    printf("%s error\n", id);
}

void reply_error(const char *id, const struct assay_span *error)
{
    if (error->length == 0)
        return reply_bare_error(id);
    printf("%s error", id);
    reply_figure(error->offset);
    reply_figure(error->length);
    if (subject_names_faults && error->length != ASSAY_UNKNOWN)
        printf(" %s", assay_fault_name(error->fault));
    putchar('\n');
}

static void print_hex(const uint8_t *bytes, size_t byte_count)
{
    hex_print(stdout, bytes, byte_count, "");
    if (byte_count == 0)
        putchar('-');
}

void reply_bytes(const char *id, const uint8_t *bytes, size_t byte_count)
{
    printf("%s ok ", id);
    print_hex(bytes, byte_count);
    putchar('\n');
}

void print_scalars(const uint32_t *scalars, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%s%X", i > 0 ? "," : "", scalars[i]);
    if (count == 0)
        putchar('-');
}

bool subject_form(const char *name, struct form *form)
{
    return form_find(name, subject_row->name, form) && (!subject_is_alone || form->codec == subject_row->codec);
}

bool parse_bytes(struct arena *buffer, const char *field, uint8_t **bytes, size_t *byte_count)
{
    size_t length = strcmp(field, "-") == 0 ? 0 : strlen(field);
    *bytes = buffer_room(buffer, length / 2, 1);
    return cli_parse_hex(field, length, *bytes, byte_count);
}

bool parse_scalars(char *field, uint32_t **scalars, size_t *count)
{
    size_t most = strlen(field);
    uint32_t *parsed = buffer_room(&units_buffer, most, sizeof *parsed);
    *scalars = parsed + most;
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
        parsed[(*count)++] = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
        at = end;
        if (*at == '\0') {
            *scalars -= *count;
            memmove(*scalars, parsed, *count * sizeof *parsed);
            return true;
        }
    }
}

bool has_signature(const struct form *encoding, const char *chunks)
{
    const struct signature *signature = encoding->signature;
    size_t matched = 0, digit_count = signature != NULL ? 2 * signature->byte_count : 1;
    for (; signature != NULL && matched < digit_count && *chunks != '\0'; chunks++) {
        if (*chunks == ',' || *chunks == '-')
            continue;
        uint8_t byte = signature->bytes[matched / 2];
        if (toupper((unsigned char)*chunks) != HEX_DIGITS[matched % 2 == 0 ? byte >> 4 : byte & 0xF])
            return false;
        matched++;
    }
    return matched == digit_count;
}
