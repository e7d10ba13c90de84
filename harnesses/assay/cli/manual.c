/* SPDX-License-Identifier: MIT
 *
 * The manual page, in the macros of man(7), from the rows of the commands.
 */
#include "internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Prints text in roff: escapes backslashes and hyphens, and lines that begin with a control character. */
static void print_roff(FILE *out, const char *text)
{
    bool at_line_start = true;
    for (; *text != '\0'; text++) {
        if (at_line_start && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
        at_line_start = *text == '\n';
    }
}

static void print_option_roff(FILE *out, const struct cli_option *option)
{
    fputs(".TP\n", out);
    if (option->letter != 0)
        fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB", out);
    print_roff(out, "--");
    print_roff(out, option->name);
    fputs("\\fR", out);
    if (option->argument != NULL) {
        fputs(" \\fI", out);
        print_roff(out, option->argument);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    print_roff(out, option->sentence);
    fputc('\n', out);
}

/* Prose is filled; lines that begin with a space (tables, examples) are printed as they are. */
static void print_more_roff(FILE *out, const struct command *command)
{
    char *text;
    size_t size;
    FILE *more = cli_open_text(&text, &size);
    command->print_more(more);
    fclose(more);
    bool is_table = false;
    fputs(".PP\n", out);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if ((line[0] == ' ') != is_table)
            fputs(is_table ? ".fi\n.PP\n" : ".nf\n", out);
        else if (!is_table)
            fputs(".PP\n", out);
        is_table = line[0] == ' ';
        print_roff(out, line);
        fputc('\n', out);
    }
    if (is_table)
        fputs(".fi\n", out);
    free(text);
}

static void print_command_roff(FILE *out, const struct command *command)
{
    fprintf(out, ".SS \"%s\"\n", command->name);
    print_roff(out, command->sentence);
    fprintf(out, "\n.PP\n\\fBassay %s\\fR [\\fIOPTION\\fR...] ", command->name);
    print_roff(out, command->operands != NULL ? command->operands : "");
    fputc('\n', out);
    for (const struct cli_option *option = command->options; option->name != NULL; option++)
        print_option_roff(out, option);
    if (command->print_more != NULL)
        print_more_roff(out, command);
}

void cli_print_manual(FILE *out, const struct command *const *commands, size_t count)
{
    fputs(
        ".\\\" Made by `assay --manual`.\n.TH ASSAY 1 \"\" \"utf8\\-assay " ASSAY_VERSION "\" \"User Commands\"\n"
        ".SH NAME\nassay \\- test decoders of UTF\\-8 and its family\n"
        ".SH SYNOPSIS\n\\fBassay\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIINPUT\\fR]\n.br\n"
        "\\fBassay\\fR \\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR | \\fB\\-\\-manual\\fR | \\fB\\-\\-completion\\fR \\fISHELL\\fR\n"
        ".SH DESCRIPTION\n"
        "\\fBassay\\fR compares decoders of UTF\\-8, WTF\\-8, generalized UTF\\-8, CESU\\-8, Modified UTF\\-8 and UTF\\-16 with each other "
        "and with golden vectors, and explains each byte of an input.\n"
        "\\fIINPUT\\fR is hex (spaces allowed), @\\fIFILE\\fR, or \\- for standard input.\n"
        ".SH COMMANDS\n",
        out);
    for (size_t i = 0; i < count; i++)
        print_command_roff(out, commands[i]);
    fputs(".SH OPTIONS OF EVERY COMMAND\n", out);
    for (const struct cli_option *option = cli_common_options; option->name != NULL; option++)
        print_option_roff(out, option);
    fputs(
        ".SH EXIT STATUS\n"
        ".TP\n0\nas it should be\n.TP\n1\na divergence, a failed case or a regression\n.TP\n2\ncould not run; standard error says why\n"
        ".SH ENVIRONMENT\n.TP\nASSAY_WITHOUT\ninstruction sets not to use, separated by commas: avx512,avx2\n"
        ".TP\nNO_COLOR\nif it is set and not empty, output has no colour\n",
        out);
}
