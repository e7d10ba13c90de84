/* SPDX-License-Identifier: MIT
 *
 * The help of a command, from its row.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static void print_option(FILE *out, const struct cli_option *option)
{
    char left[64];
    snprintf(left, sizeof left, "%c%c%s--%s%s%s", option->letter ? '-' : ' ', option->letter ? option->letter : ' ',
             option->letter ? ", " : "  ", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    fprintf(out, "  %-26s %s\n", left, option->sentence);
}

static void write_help(FILE *out, const struct command *command)
{
    fprintf(out, "usage: assay %s [OPTION...]%s%s\n\n%s\n\noptions:\n", command->name,
            command->operands != NULL ? " " : "", command->operands != NULL ? command->operands : "",
            command->sentence);
    for (const struct cli_option *option = command->options; option->name != NULL; option++)
        print_option(out, option);
    for (const struct cli_option *option = cli_common_options; option->name != NULL; option++)
        print_option(out, option);
    if (command->operands != NULL && strstr(command->operands, "INPUT") != NULL)
        fputs("\nINPUT is hex (spaces allowed; 256*61 is 256 times that byte), @FILE, or - for standard input.\n", out);
    if (command->print_more != NULL) {
        fputc('\n', out);
        command->print_more(out);
    }
    fputs("\nexit code: 0 = as it should be, 1 = a divergence, a failed case or a regression, 2 = could not run\n",
          out);
}

void cli_print_help(const struct command *command)
{
    char *text;
    size_t size;
    FILE *out = cli_open_text(&text, &size);
    write_help(out, command);
    fclose(out);
    cli_print_broken(stdout, text);
    free(text);
}
