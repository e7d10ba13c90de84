/* SPDX-License-Identifier: MIT
 *
 * INPUT: hex digits, @FILE, or standard input.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool cli_parse_hex(const char *hex, size_t length, uint8_t *bytes, size_t *byte_count)
{
    *byte_count = 0;
    for (size_t i = 0; i < length; i += 2) {
        if (i + 1 == length || hex_value(hex[i]) < 0 || hex_value(hex[i + 1]) < 0)
            return false;
        bytes[(*byte_count)++] = (uint8_t)(hex_value(hex[i]) << 4 | hex_value(hex[i + 1]));
    }
    return true;
}

/* An input is held in memory whole, and codecs get copies of it. The limit stops an endless input, such as /dev/zero. */
#define INPUT_MAX ((size_t)1 << 30)

/* Reads a file to its end. `name` is for messages. The caller frees `bytes`. Ends the program if reading fails or the input
 * is longer than INPUT_MAX. */
static struct cli_input read_all(FILE *file, const char *name)
{
    struct cli_input input = {NULL, 0};
    size_t capacity = 0, got;
    do {
        if (input.byte_count == capacity) {
            capacity = capacity > 0 ? capacity * 2 : 1 << 16;
            input.bytes = realloc(input.bytes, capacity);
            if (input.bytes == NULL)
                cli_fail("%s: too large for the memory there is (beyond %zu bytes)", name, input.byte_count);
        }
        got = fread(input.bytes + input.byte_count, 1, capacity - input.byte_count, file);
        input.byte_count += got;
        if (input.byte_count > INPUT_MAX)
            cli_fail("%s: more than %zu bytes; cut it into smaller inputs", name, INPUT_MAX);
    } while (got > 0);
    if (ferror(file))
        cli_fail("%s: %s", name, strerror(errno));
    return input;
}

static struct cli_input read_file(const char *path)
{
    struct stat status;
    if (path[0] == '\0')
        cli_fail("@ names no file");
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        cli_fail("%s: %s", path, strerror(errno));
    if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode))
        cli_fail("%s is a folder; name a file", path);
    struct cli_input input = read_all(file, path);
    fclose(file);
    return input;
}

struct cli_input cli_input(const char *text)
{
    if (strcmp(text, "-") == 0)
        return read_all(stdin, "standard input");
    if (text[0] == '@')
        return read_file(text + 1);
    size_t length = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (strchr(" \t\n", *at) != NULL)
            continue;
        if (hex_value(*at) < 0)
            cli_fail(
                "character %zu of '%.60s%s' is no hex digit; INPUT is hex pairs, with nothing or spaces between (C0 80), "
                "@FILE, or - for standard input",
                (size_t)(at - text) + 1, text, strlen(text) > 60 ? "..." : "");
        length++;
    }
    if (length % 2 != 0)
        cli_fail("'%.60s%s' has an odd number of hex digits (%zu); a byte is two", text, strlen(text) > 60 ? "..." : "",
                 length);
    struct cli_input input = {cli_alloc(length / 2, 1), 0};
    unsigned value = 0;
    length = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (hex_value(*at) < 0)
            continue;
        value = value << 4 | (unsigned)hex_value(*at);
        if (++length % 2 == 0)
            input.bytes[input.byte_count++] = (uint8_t)value;
    }
    return input;
}
