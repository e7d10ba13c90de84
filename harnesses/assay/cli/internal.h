/* SPDX-License-Identifier: MIT
 *
 * Declarations that the files of this folder share. Commands include only ../cli.h.
 */
#ifndef ASSAY_CLI_INTERNAL_H
#define ASSAY_CLI_INTERNAL_H

#include "../cli.h"
#include "../../core/question.h"

/* The name of the running command; "" before cli_parse(). Messages begin with it. */
extern const char *cli_current_command;

/* The options that every command has; ends with a row without name. */
extern const struct cli_option cli_common_options[];

/* The value of --color; cli_check_color fails if it is not auto, always or never. */
extern const char *cli_color_when;
void cli_check_color(void);

/* Prints the help of a command to standard output. */
void cli_print_help(const struct command *command);

/* Returns the columns of the terminal that `out` is; if it is not one, the length of the longest line to print. */
size_t cli_width(FILE *out);

/* Notes that `option` names a library, for cli_load_libraries to load. */
void cli_add_library(const char *option, const char *library);
void cli_load_libraries(void);

/* Called before a library is loaded. Continues in a child process, while this process waits and reports a codec that
 * ends the child silently, or never answers (supervisor.c). Does nothing the second time. */
void cli_start_supervisor(void);

/* What the child process tells the supervisor, in memory that they share. */
struct supervised {
    volatile bool has_ended; /* the program ends itself */
    volatile int code;       /* then: the exit code. A library's destructor may end the process with another one */
    volatile bool is_mute;   /* its message could not be written */
    char direct_call[4200];  /* a call of a codec that is no question: "the walk of utf-8/mine"; "" for none */
    struct shown_question shown;
};

/* Starts the child process and returns in it. */
struct supervised *cli_supervise(void);

/* Prints the options that name the loaded codecs, as far as known before the first was loaded. */
void cli_print_libraries(FILE *out);

/* With --json, gives what codecs print to standard error, until cli_print_json(). */
void cli_divert_codecs(void);
extern bool cli_as_json;

#endif
