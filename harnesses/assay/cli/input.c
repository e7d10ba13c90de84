/* SPDX-License-Identifier: MIT
 *
 * INPUT: hex digits, @FILE, or standard input.
 */
#include "internal.h"
#include "../../core/hex.h"

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

char *cli_hex(const uint8_t *bytes, size_t byte_count)
{
    char *hex = cli_alloc(2 * byte_count + 1, 1);
    hex_write(hex, bytes, byte_count);
    return hex;
}

/* An input is held in memory, and codecs get copies of it. The limit stops an endless input, such as /dev/zero. */
#define INPUT_MAX ((size_t)1 << 30)

/* Reads a file to its end. `name` is for messages. The caller frees `bytes`. Ends the program if reading fails or the
 * input is longer than INPUT_MAX. */
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

static _Noreturn void refuse(const char *text, const char *at)
{
    struct stat status;
    bool is_path = text[0] == '/' || (text[0] == '.' && strchr(text, '/') != NULL);
    if (is_path || (stat(text, &status) == 0 && S_ISREG(status.st_mode)))
        cli_fail("'%s' is no hex; a file is named with @: @%s", text, text);
    if (strchr(text, '/') != NULL)
        cli_fail("'%.60s' is no hex; a file is named with @, and the id of a golden case is taken by assay explain, "
                 "assay diff and assay minimise",
                 text);
    cli_fail("character %zu of '%.60s%s' is no hex digit; INPUT is hex pairs, with nothing or spaces between (C0 80), "
             "256*61 for 256 times such pairs, @FILE, or - for standard input",
             (size_t)(at - text) + 1, text, strlen(text) > 60 ? "..." : "");
}

/* Reads a count, such as the 256 of 256*61, if there is one at `*at`, and advances past it. */
static size_t read_repeats(const char *text, const char **at)
{
    size_t digits = strspn(*at, "0123456789");
    if (digits == 0 || (*at)[digits] != '*')
        return 1;
    size_t repeats = 0;
    for (size_t i = 0; i < digits && repeats <= INPUT_MAX; i++)
        repeats = repeats * 10 + (size_t)((*at)[i] - '0');
    if (repeats == 0 || repeats > INPUT_MAX)
        cli_fail("'%.60s': bytes can be repeated 1 to %zu times", *at, INPUT_MAX);
    *at += digits + 1;
    if (hex_value(**at) < 0)
        refuse(text, *at);
    return repeats;
}

/* Reads hex into `bytes`, or only counts if that is NULL. Returns the number of bytes. */
static size_t read_hex(const char *text, uint8_t *bytes)
{
    static const char separators[] = " \t\n";
    size_t digits = 0, byte_count = 0;
    for (const char *at = text + strspn(text, separators); *at != '\0'; at += strspn(at, separators)) {
        size_t begin = byte_count, repeats = digits % 2 == 0 ? read_repeats(text, &at) : 1;
        for (; *at != '\0' && strchr(separators, *at) == NULL; at++) {
            if (hex_value(*at) < 0)
                refuse(text, at);
            uint8_t *byte = bytes != NULL ? &bytes[byte_count] : &(uint8_t){0};
            *byte = (uint8_t)((digits % 2 == 0 ? 0 : *byte << 4) | hex_value(*at));
            byte_count += digits++ % 2;
        }
        size_t length = byte_count - begin;
        if (repeats > 1 && (digits % 2 != 0 || length > INPUT_MAX / repeats))
            cli_fail("'%.60s%s': what repeats is whole bytes, %zu at most in all", text, strlen(text) > 60 ? "..." : "",
                     INPUT_MAX);
        for (size_t i = length; i < length * repeats && bytes != NULL; i++)
            bytes[begin + i] = bytes[begin + i - length];
        byte_count = begin + length * repeats;
        if (byte_count > INPUT_MAX)
            cli_fail("the input is longer than %zu bytes", INPUT_MAX);
    }
    if (digits % 2 != 0)
        cli_fail("'%.60s%s' has an odd number of hex digits (%zu); a byte is two", text, strlen(text) > 60 ? "..." : "",
                 digits);
    return byte_count;
}

struct cli_input cli_input(const char *text)
{
    if (strcmp(text, "-") == 0)
        return read_all(stdin, "standard input");
    if (text[0] == '@')
        return read_file(text + 1);
    struct cli_input input = {NULL, read_hex(text, NULL)};
    input.bytes = cli_alloc(input.byte_count, 1);
    read_hex(text, input.bytes);
    return input;
}

/* Returns how many bytes from `at` on repeat the first `period` of them, in whole repetitions. */
static size_t repeated(const uint8_t *bytes, size_t byte_count, size_t at, size_t period)
{
    size_t end = at + period;
    while (end < byte_count && bytes[end] == bytes[end - period])
        end++;
    return (end - at) / period * period;
}

char *cli_input_text(const uint8_t *bytes, size_t byte_count)
{
    enum { PERIOD_MAX = 12, REPEATED_MIN = 48 };
    char *text;
    size_t size;
    FILE *out = cli_open_text(&text, &size);
    bool is_repeated = false;
    for (size_t at = 0, length; at < byte_count; at += length) {
        bool was_repeated = is_repeated;
        size_t period = 0, longest = REPEATED_MIN - 1;
        for (size_t other = 1; other <= PERIOD_MAX && at + other <= byte_count; other++)
            if ((length = repeated(bytes, byte_count, at, other)) > longest)
                period = other, longest = length;
        is_repeated = period > 0;
        length = is_repeated ? longest : 1;
        if (at > 0 && (is_repeated || was_repeated))
            fputc(' ', out);
        if (is_repeated)
            fprintf(out, "%zu*", length / period);
        hex_print(out, bytes + at, is_repeated ? period : 1, "");
    }
    fclose(out);
    return text;
}
