/* SPDX-License-Identifier: MIT
 *
 * JSON as text (RFC 8259): reading it, and writing it as jansson does. Refuses an object with a key twice, and U+0000
 * in a string.
 */
#include "jansson.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 512 };

struct parser {
    const char *begin, *at, *end;
    json_error_t *error;
    char *buffer; /* of a string; has room for the whole input */
    int depth;
};

static json_t *refuse(struct parser *parser, const char *why)
{
    if (parser->error->text[0] != '\0')
        return NULL;
    parser->error->line = 1;
    const char *line = parser->begin;
    for (const char *at = parser->begin; at < parser->at; at++)
        if (*at == '\n') {
            parser->error->line++;
            line = at + 1;
        }
    parser->error->column = (int)(parser->at - line) + 1;
    snprintf(parser->error->text, sizeof parser->error->text, "%s", why);
    return NULL;
}

static char look(struct parser *parser)
{
    while (parser->at < parser->end && strchr(" \t\r\n", *parser->at) != NULL)
        parser->at++;
    return parser->at < parser->end ? *parser->at : '\0';
}

static int four_digits(struct parser *parser)
{
    int value = 0;
    for (int i = 0; i < 4; i++, parser->at++) {
        if (parser->at == parser->end || !isxdigit((unsigned char)*parser->at))
            return -1;
        value = value << 4 | (*parser->at <= '9' ? *parser->at - '0' : (*parser->at & 0xDF) - 'A' + 10);
    }
    return value;
}

static size_t put_utf8(char *out, uint32_t point)
{
    size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const uint8_t leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length; i-- > 1; point >>= 6)
        out[i] = (char)(0x80 | (point & 0x3F));
    out[0] = (char)(leads[length] | point);
    return length;
}

/* Reads what follows a backslash. Returns the number of bytes written, 0 if it is no escape. */
static size_t read_escape(struct parser *parser, char *out)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char letter = parser->at < parser->end ? *parser->at++ : '\0';
    const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
    if (found != NULL) {
        *out = values[found - letters];
        return 1;
    }
    int point = letter == 'u' ? four_digits(parser) : -1;
    if ((point & ~0x3FF) == 0xD800 && parser->end - parser->at > 6 && parser->at[0] == '\\' && parser->at[1] == 'u') {
        parser->at += 2;
        int trail = four_digits(parser);
        point = (trail & ~0x3FF) == 0xDC00 ? 0x10000 + ((point & 0x3FF) << 10 | (trail & 0x3FF)) : -1;
    }
    return point <= 0 || (point & ~0x7FF) == 0xD800 ? 0 : put_utf8(out, (uint32_t)point);
}

/* Reads a string into the buffer. Returns its length, or SIZE_MAX. */
static size_t read_text(struct parser *parser)
{
    size_t count = 0;
    for (parser->at++; parser->at < parser->end && *parser->at != '"';) {
        char byte = *parser->at++;
        size_t length = 1;
        if (byte == '\\')
            length = read_escape(parser, parser->buffer + count);
        else
            parser->buffer[count] = byte;
        if (length == 0 || (byte >= 0 && byte < 0x20)) {
            refuse(parser, length == 0 ? "invalid escape" : "a control character in a string");
            return SIZE_MAX;
        }
        count += length;
    }
    if (parser->at == parser->end) {
        refuse(parser, "a string without an end");
        return SIZE_MAX;
    }
    parser->at++;
    parser->buffer[count] = '\0';
    return count;
}

static json_t *read_string(struct parser *parser)
{
    size_t count = read_text(parser);
    json_t *value = count != SIZE_MAX ? json_stringn(parser->buffer, count) : NULL;
    return value != NULL ? value : refuse(parser, "a string that is not UTF-8");
}

static json_t *read_number(struct parser *parser)
{
    const char *begin = parser->at;
    size_t length = strspn(begin, "+-0123456789.eE"),
           digits = strspn(begin + (*begin == '-'), "0123456789") + (*begin == '-');
    const char *first = begin + (*begin == '-');
    if (!isdigit((unsigned char)*first) || (*first == '0' && isdigit((unsigned char)first[1])))
        return refuse(parser, "invalid token");
    char *end = NULL;
    json_t *value = digits == length ? json_integer(strtoll(begin, &end, 10)) : json_real(strtod(begin, &end));
    parser->at = end;
    if (end == begin + length)
        return value;
    json_decref(value);
    return refuse(parser, "invalid number");
}

static json_t *read_value(struct parser *parser);

/* Reads the members of an object, or the items of an array, up to `end`. */
static json_t *read_all(struct parser *parser, json_t *into, char end)
{
    parser->at++;
    for (bool is_first = true; look(parser) != end; is_first = false) {
        if (!is_first && *parser->at != ',')
            break;
        parser->at += !is_first;
        char *key = NULL;
        if (end == '}') {
            size_t count = look(parser) == '"' ? read_text(parser) : SIZE_MAX;
            if (count == SIZE_MAX || look(parser) != ':')
                break;
            key = strdup(parser->buffer);
            parser->at++;
        }
        bool is_twice = key != NULL && json_object_get(into, key) != NULL;
        json_t *value = is_twice ? refuse(parser, "duplicate object key") : read_value(parser);
        bool is_put = value != NULL &&
                      (key != NULL ? json_object_set_new(into, key, value) : json_array_append_new(into, value)) == 0;
        free(key);
        if (!is_put)
            break;
    }
    if (parser->error->text[0] == '\0' && look(parser) == end) {
        parser->at++;
        return into;
    }
    json_decref(into);
    return refuse(parser, end == '}' ? "expected a member, or }" : "expected a value, or ]");
}

static json_t *read_word(struct parser *parser)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(parser->at, words[i], strlen(words[i])) == 0) {
            parser->at += strlen(words[i]);
            return i < 2 ? json_boolean(i == 0) : json_null();
        }
    return refuse(parser, "invalid token");
}

static json_t *read_value(struct parser *parser)
{
    char byte = look(parser);
    if (++parser->depth > DEPTH_MAX)
        return refuse(parser, "too deep");
    json_t *value = byte == '{'                                   ? read_all(parser, json_object(), '}')
                    : byte == '['                                 ? read_all(parser, json_array(), ']')
                    : byte == '"'                                 ? read_string(parser)
                    : byte == '-' || isdigit((unsigned char)byte) ? read_number(parser)
                                                                  : read_word(parser);
    parser->depth--;
    return value;
}

json_t *json_loadf(FILE *file, size_t flags, json_error_t *error)
{
    (void)flags;
    size_t count = 0, capacity = 1 << 16;
    char *text = malloc(capacity);
    for (size_t got; text != NULL && (got = fread(text + count, 1, capacity - count - 1, file)) > 0;) {
        count += got;
        if (capacity - count < 2)
            text = realloc(text, capacity *= 2);
    }
    char *buffer = malloc(count + 1);
    *error = (json_error_t){0};
    if (text == NULL || buffer == NULL) {
        snprintf(error->text, sizeof error->text, "out of memory");
        free(text);
        free(buffer);
        return NULL;
    }
    text[count] = '\0';
    struct parser parser = {.begin = text, .at = text, .end = text + count, .error = error, .buffer = buffer};
    json_t *value = read_value(&parser);
    if (value != NULL && (look(&parser), parser.at < parser.end)) {
        json_decref(value);
        value = refuse(&parser, "end of file expected");
    }
    free(text);
    free(buffer);
    return value;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

static void write_string(const char *text, size_t count, FILE *file)
{
    static const char letters[] = "\"\\bfnrt", values[] = "\"\\\b\f\n\r\t";
    putc('"', file);
    for (size_t i = 0; i < count; i++) {
        const char *found = text[i] != '\0' ? strchr(values, text[i]) : NULL;
        if (found != NULL)
            fprintf(file, "\\%c", letters[found - values]);
        else if ((unsigned char)text[i] < 0x20)
            fprintf(file, "\\u%04X", (unsigned)text[i]);
        else
            putc(text[i], file);
    }
    putc('"', file);
}

/* Writes a real number with a point or an exponent, so that it is read as a real again, and the exponent without + and
 * zeros. */
static void write_real(double value, FILE *file)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    char *exponent = strchr(text, 'e');
    if (strchr(text, '.') == NULL && exponent == NULL)
        strcat(text, ".0");
    if (exponent == NULL) {
        fputs(text, file);
        return;
    }
    fprintf(file, "%.*se%s%s", (int)(exponent - text), text, exponent[1] == '-' ? "-" : "",
            exponent + 2 + strspn(exponent + 2, "0"));
}

static void write_line(FILE *file, size_t spaces)
{
    fprintf(file, "\n%*s", (int)spaces, "");
}

static void write_value(const json_t *value, FILE *file, size_t indent, size_t depth)
{
    bool is_object = json_is_object(value);
    size_t count = is_object ? json_object_size(value) : json_array_size(value);
    switch (json_typeof(value)) {
    case JSON_STRING: write_string(json_string_value(value), json_string_length(value), file); return;
    case JSON_INTEGER: fprintf(file, "%lld", json_integer_value(value)); return;
    case JSON_REAL: write_real(json_number_value(value), file); return;
    case JSON_TRUE: fputs("true", file); return;
    case JSON_FALSE: fputs("false", file); return;
    case JSON_OBJECT:
    case JSON_ARRAY: break;
    default: fputs("null", file); return;
    }
    putc(is_object ? '{' : '[', file);
    for (size_t i = 0; i < count; i++) {
        const char *key = NULL;
        json_t *one = json_array_get(value, i);
        write_line(file, indent * (depth + 1));
        if (is_object && json_object_member(value, i, &key, &one)) {
            write_string(key, strlen(key), file);
            fputs(": ", file);
        }
        write_value(one, file, indent, depth + 1);
        if (i + 1 < count)
            putc(',', file);
    }
    if (count > 0)
        write_line(file, indent * depth);
    putc(is_object ? '}' : ']', file);
}

int json_dumpf(const json_t *value, FILE *file, size_t indent)
{
    write_value(value, file, indent, 0);
    return ferror(file) != 0 ? -1 : 0;
}
