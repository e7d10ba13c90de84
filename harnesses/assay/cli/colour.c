/* SPDX-License-Identifier: MIT
 *
 * Colour on standard output: by --color, else on a terminal, if NO_COLOR (no-color.org) is unset or empty.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *cli_color_when = "auto";

static bool find_is_coloured(void)
{
    if (strcmp(cli_color_when, "auto") != 0)
        return strcmp(cli_color_when, "always") == 0;
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool is_wanted = no_color == NULL || no_color[0] == '\0';
    bool is_able = terminal != NULL && strcmp(terminal, "dumb") != 0;
    return is_wanted && is_able && isatty(STDOUT_FILENO);
}

void cli_check_color(void)
{
    if (strcmp(cli_color_when, "auto") != 0 && strcmp(cli_color_when, "always") != 0 &&
        strcmp(cli_color_when, "never") != 0)
        cli_fail("--color takes auto, always or never, not '%s'", cli_color_when);
}

static bool is_coloured(void)
{
    static bool is_known, answer;
    if (!is_known)
        answer = find_is_coloured();
    is_known = true;
    return answer;
}

const char *cli_style(enum cli_style style)
{
    static const char *const escapes[] = {
        [CLI_PLAIN] = "\33[0m", [CLI_HEADING] = "\33[1m", [CLI_BAD] = "\33[31m", [CLI_GOOD] = "\33[32m"};
    return is_coloured() ? escapes[style] : "";
}

void cli_print_heading(const char *heading)
{
    printf("\n%s%s%s\n", cli_style(CLI_HEADING), heading, cli_style(CLI_PLAIN));
}

/* The style of a line of a letter. `codec`, of `length` bytes, is the codec that the letter is about. */
static enum cli_style style_of(const char *line, const char *codec, size_t length)
{
    static const char good[] = "reference", also_good[] = "expected";
    if (line[0] != ' ')
        return CLI_HEADING;
    const char *label = line + strspn(line, " ");
    size_t label_length = strcspn(label, " \n");
    if (codec != NULL && label_length == length && memcmp(label, codec, length) == 0)
        return CLI_BAD;
    bool is_good = (label_length == sizeof good - 1 && memcmp(label, good, label_length) == 0) ||
                   (label_length == sizeof also_good - 1 && memcmp(label, also_good, label_length) == 0);
    return is_good ? CLI_GOOD : CLI_PLAIN;
}

/* True for a line with a command, which is not broken: a copy of it must run. */
static bool is_command(const char *line)
{
    return strncmp(line, "  again ", strlen("  again ")) == 0 || strncmp(line, "  diff ", strlen("  diff ")) == 0;
}

void cli_print_letter(const char *letter)
{
    const char *codec = NULL;
    size_t codec_length = 0;
    for (const char *line = letter; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        const char *slash = memchr(line, '/', length), *space = slash != NULL ? strchr(slash, ' ') : NULL;
        bool names_codec =
            line[0] != ' ' && slash != NULL && space != NULL && memchr(line, ':', (size_t)(slash - line)) == NULL;
        if (names_codec) {
            codec = slash + 1;
            codec_length = (size_t)(space - codec);
        }
        enum cli_style style = style_of(line, codec, codec_length);
        fputs(style != CLI_PLAIN ? cli_style(style) : "", stdout);
        if (is_command(line))
            fwrite(line, 1, length, stdout);
        else
            cli_print_words(line, length);
        puts(style != CLI_PLAIN ? cli_style(CLI_PLAIN) : "");
        line += length + (line[length] == '\n');
    }
}
