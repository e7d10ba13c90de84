/* SPDX-License-Identifier: MIT
 *
 * Printing for people: progress, policies, words quoted for a shell, lines broken between words.
 */
#include "internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

FILE *cli_open_text(char **text, size_t *size)
{
    *text = NULL;
    FILE *out = open_memstream(text, size);
    if (out == NULL)
        cli_fail("out of memory");
    return out;
}

/* Returns the columns of the terminal that `out` is; `elsewhere` if it is not one. */
static size_t columns_of(FILE *out, size_t elsewhere)
{
    struct winsize size;
    bool is_known = isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return is_known ? size.ws_col : elsewhere;
}

size_t cli_width(FILE *out)
{
    enum { ELSEWHERE = 128 };
    return columns_of(out, ELSEWHERE);
}

size_t cli_columns(void)
{
    return columns_of(stdout, SIZE_MAX);
}

void cli_print_progress(size_t done, size_t all, double begun, const char *format, ...)
{
    char line[256];
    bool on_terminal = isatty(STDERR_FILENO);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    size_t length = strlen(line);
    double spent = (cli_now_ns() - begun) / 1e9;
    if (on_terminal && done > 0)
        snprintf(line + length, sizeof line - length, ", about %.0f s more",
                 spent * (double)(all - done) / (double)done);
    if (on_terminal)
        fprintf(stderr, "\r\33[K%.*s", (int)cli_width(stderr) - 1, line);
    else
        fprintf(stderr, "%s\n", line);
}

bool cli_progress_is_due(double *shown_at)
{
    double now = cli_now_ns();
    if (now < *shown_at + (isatty(STDERR_FILENO) ? 1e9 : 60e9))
        return false;
    *shown_at = now;
    return true;
}

void cli_clear_progress(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\33[K", stderr);
}

void cli_print_policies(FILE *out)
{
    fputs("policies:\n", out);
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        fprintf(out, "  %-16s %s\n", assay_policy_name(policy), assay_policy_sentence(policy));
}

bool cli_is_text(const char *word)
{
    return registry_reference("utf-8")->validate((const uint8_t *)word, strlen(word), NULL);
}

/* Prints a word so that a shell reads it back. Bytes that are not text are written in hex, so that letters are always
 * text. */
void cli_quote(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
    const char *control = word;
    while (*control != '\0' && (unsigned char)*control >= 0x20 && *control != 0x7F)
        control++;
    bool is_text = *control == '\0' && cli_is_text(word);
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
        return;
    }
    fputs(is_text ? "'" : "$'", out);
    for (; *word != '\0'; word++) {
        if (is_text && *word == '\'')
            fputs("'\\''", out);
        else if (is_text || strchr(plain, *word) != NULL)
            fputc(*word, out);
        else
            fprintf(out, "\\x%02X", (unsigned char)*word);
    }
    fputc('\'', out);
}

/* The column at which the words begin, after a name and at least two spaces; if the line has no such name, at its first
 * word. */
static size_t find_words(const char *line, size_t length)
{
    enum { NAME_MAX = 48 };
    size_t indent = 0;
    while (indent < length && line[indent] == ' ')
        indent++;
    for (size_t i = indent + 2; i < length && i < NAME_MAX; i++)
        if (line[i - 2] == ' ' && line[i - 1] == ' ' && line[i] != ' ')
            return i;
    return indent;
}

/* The number of bytes of a line that fit in `width` columns; colour sequences take none. */
static size_t count_fitting(const char *line, size_t length, size_t width)
{
    size_t end = 0;
    for (size_t column = 0; end < length && column < width; end++) {
        if (line[end] == '\33')
            while (end + 1 < length && line[end] != 'm')
                end++;
        else
            column++;
    }
    return end;
}

/* Prints a line without its end, broken between words if it is too long; the rest is aligned with the words. */
static void print_line(FILE *out, const char *line, size_t length, size_t width)
{
    size_t words = find_words(line, length), column = 0;
    for (size_t end; words < width && (end = count_fitting(line, length, width - column)) < length;) {
        while (end > words - column && line[end] != ' ')
            end--;
        if (end == words - column) /* a single word that is longer than the line */
            break;
        fprintf(out, "%.*s\n%*s", (int)end, line, (int)words, "");
        line += end + 1;
        length -= end + 1;
        column = words;
    }
    fwrite(line, 1, length, out);
}

void cli_print_broken(FILE *out, const char *text)
{
    for (const char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        print_line(out, line, (size_t)(end - line), cli_width(out));
        fputc('\n', out);
    }
}

void cli_print_words(const char *line, size_t length)
{
    print_line(stdout, line, length, cli_columns());
}

void cli_print_line(char *line)
{
    cli_print_words(line, strlen(line));
    putchar('\n');
    free(line);
}
