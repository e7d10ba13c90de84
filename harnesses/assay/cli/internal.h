/* SPDX-License-Identifier: MIT
 *
 * What the files of this folder share; commands include ../cli.h alone.
 */
#ifndef ASSAY_CLI_INTERNAL_H
#define ASSAY_CLI_INTERNAL_H

#include "../cli.h"

/* The name of the command that runs; "" before cli_parse. Messages begin with it. */
extern const char *cli_current_command;

/* The options that every command has; ends with a row without name. */
extern const struct cli_option cli_common_options[];

/* The value of --color; cli_check_color fails if it is not auto, always or never. */
extern const char *cli_color_when;
void cli_check_color(void);

/* Prints the help of a command to standard output. */
void cli_print_help(const struct command *command);

/* Columns of the terminal that `out` is; elsewhere, the longest line to print. */
size_t cli_width(FILE *out);

/* Notes that `option` names a library, for cli_load_libraries to load. */
void cli_add_library(const char *option, const char *library);
void cli_load_libraries(void);

/* Before a library is loaded: goes on in a child, while this process waits and reports a codec that ends the child without a
 * word (supervisor.c). Does nothing the second time. */
void cli_start_keeper(void);

/* Makes that child and returns in it: where to write true before the program ends by its own doing. */
volatile bool *cli_keep(void);

#endif
