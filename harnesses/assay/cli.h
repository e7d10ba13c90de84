/* SPDX-License-Identifier: MIT
 *
 * cli.h - what the commands of `assay` share: options, input, errors.
 *
 * Exit codes: 0 = as it should be, 1 = a divergence, a failed case or a regression, 2 = could not run (said why).
 */
#ifndef ASSAY_CLI_H
#define ASSAY_CLI_H

#include "../../codecs/registry.h"

#include <jansson.h>
#include <stdio.h>

enum { EXIT_AS_IT_SHOULD_BE = 0, EXIT_DIVERGENCE = 1, EXIT_CANNOT_RUN = 2 };

/* An option with the argument SUBJECT comes as often: its `text` is an array. */
enum { CLI_SUBJECTS = 2 };

/* One option of a command. Exactly one of `text` and `flag` is where its value goes. */
struct cli_option {
    const char *name;     /* "json" for --json */
    char letter;          /* 'e' for -e, or 0 */
    const char *argument; /* "ENCODING", or NULL for a flag */
    const char *sentence;
    const char **text;
    bool *flag;
};

/* One command. commands.def lists them all. */
struct command {
    const char *name;
    const char *sentence;
    const char *operands;              /* for the usage line, "INPUT"; NULL for none */
    int operands_min, operands_max;    /* max < 0: any number */
    void (*print_more)(FILE *out);     /* help printed under the options; may be NULL */
    const struct cli_option *options;  /* ends with a row without name */
    int (*run)(int argc, char **argv); /* argv[0] is the command; returns the exit code */
};
#define OPERANDS(words, least, most) .operands = (words), .operands_min = (least), .operands_max = (most)

#define COMMAND(name) extern const struct command command_##name;
#include "commands.def"
#undef COMMAND

/* Reads the options of a command; prints help and ends the program if it is asked for. Returns the first operand's
 * index in argv (options may stand anywhere before `--`; argv is reordered); *operand_count is the number of operands. */
int cli_parse(const struct command *command, int argc, char **argv, int *operand_count);

/* What else is being worked on, such as a case: the letter of a codec that gives no answer names it. NULL for nothing. */
extern const char *cli_at_hand;

/* Must be called first: keeps the name of the program for messages, and sets up what all commands need. */
void cli_start(const char *program);

/* Says what is wrong, names the command, and ends the program with exit code 2. */
_Noreturn void cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What a user may have meant: of the candidates considered, the nearest to `wanted` by edit distance. */
struct cli_nearest {
    const char *wanted, *found; /* found: NULL while none is near enough */
    size_t distance;
};
void cli_consider(struct cli_nearest *nearest, const char *candidate);

/* " (did you mean WORD?)", or "" if no candidate was near enough; valid until the next call. */
const char *cli_did_you_mean(const struct cli_nearest *nearest, const char *before_word);

/* The same of the policies. */
const char *cli_did_you_mean_policy(const char *wanted);

/* The same, with the nearest codec that runs here: of an encoding, or of all if it is NULL. ENCODING/NAME if `wanted` has a slash;
 * "" if one is called so. */
const char *cli_did_you_mean_codec(const char *wanted, const char *encoding);

/* Prints the manual page (roff), or the completion of a shell (bash, zsh, fish; fails for others), of all commands. */
void cli_print_manual(FILE *out, const struct command *const *commands, size_t count);
void cli_print_completion(FILE *out, const char *shell, const struct command *const *commands, size_t count);

/* A whole input, owned by the caller (free). */
struct cli_input {
    uint8_t *bytes;
    size_t byte_count;
};

/* Reads INPUT: hex with or without spaces, @FILE, or - for standard input. In hex, 256*61 means 256 bytes 61. Fails with exit
 * code 2. */
struct cli_input cli_input(const char *input);

/* Returns the bytes in the form of INPUT. Long repetitions are written once, with a count: 2000*E282AC 80. The caller frees the
 * text. */
char *cli_input_text(const uint8_t *bytes, size_t byte_count);

/* Parses hex pairs; false if there is something else. `bytes` has room for strlen(hex) / 2. */
bool cli_parse_hex(const char *hex, size_t length, uint8_t *bytes, size_t *byte_count);

/* Hex pairs as a string; the caller frees it. */
char *cli_hex(const uint8_t *bytes, size_t byte_count);

/* The number (MIBenum) of an encoding in the registry of character sets of IANA; NULL if it is not registered. */
const char *cli_encoding_number(const char *encoding);

/* The registry's name of an encoding that is named in another case, or by an alias or number of IANA; else the name itself. */
const char *cli_encoding_name(const char *name);

/* The reference of an encoding; fails, and lists those there are, if it is unknown. */
const struct assay_codec *cli_encoding(const char *encoding);

/* Loads a codec from a library that an option of the command's own names, as --codec does; fails if it does not load. */
void cli_load(const char *option, const char *library);

/* The codec that --codec loaded, and its library; NULL if there is none. Fails if there are several. What ASSAY_CODECS names does not
 * count. */
const struct registry_row *cli_loaded_codec(const char **library);

/* Ends the program with exit code 2 if an option (--codec) loaded a codec that the command would not ask: silence would look like
 * agreement. Codecs of ASSAY_CODECS are not looked at. */
void cli_require_loaded_chosen(bool (*is_asked)(const void *context, const struct registry_row *row),
                               const void *context);

/* Notes that a codec has answered, if it is a loaded one. */
void cli_note_answered(const struct assay_codec *codec);

/* Ends the program with exit code 2 if a loaded codec never answered. */
void cli_require_loaded_answered(void);

/* A stream into memory that grows; closing it leaves the text in *text, for the caller to free. */
FILE *cli_open_text(char **text, size_t *size);

/* Shows progress, `done` of `all` since `begun` (cli_now_ns): on a terminal in place of the line before, with an estimate, cut to the
 * terminal's width; elsewhere as a new line. */
void cli_print_progress(size_t done, size_t all, double begun, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* True once a second on a terminal, once a minute elsewhere; then sets *shown_at (cli_now_ns) to now. */
bool cli_progress_is_due(double *shown_at);

/* The escape sequence that begins a style on standard output, or ends it (CLI_PLAIN); "" where there is no colour. */
enum cli_style { CLI_PLAIN, CLI_HEADING, CLI_BAD, CLI_GOOD };
const char *cli_style(enum cli_style style);

/* Ends the line, and prints a heading with its line end, on standard output. */
void cli_print_heading(const char *heading);

/* Prints a letter to standard output: its heading, the expected answer and the codec's each in a style. */
void cli_print_letter(const char *letter);

/* Takes away the line that says how far it is, where standard error is a terminal. */
void cli_clear_progress(void);

/* Prints lines, those that are too long broken between words. */
void cli_print_broken(FILE *out, const char *text);

/* Columns of the terminal that standard output is; SIZE_MAX if it is none. */
size_t cli_columns(void);

/* Prints a line without its end to standard output; on a terminal that is narrower, broken between words, the rest under the words. */
void cli_print_words(const char *line, size_t length);

/* The same with the end of the line; frees the line. */
void cli_print_line(char *line);

/* A line for each policy: its name, and what it does. */
void cli_print_policies(FILE *out);

/* Prints the name that this program was called by, with which each command begins that users are advised to run. */
void cli_print_program(FILE *out);

/* Prints a word, quoted for the shell if it needs that. */
void cli_quote(FILE *out, const char *word);

/* Whether a codec came with --codec. */
bool cli_is_loaded(const struct assay_codec *codec);

/* " --codec LIBRARY" if the codec was loaded, so that a command can be shown again. */
void cli_print_loaded(FILE *out, const struct assay_codec *codec);

/* " --codec LIBRARY" for each that ASSAY_CODECS names, so that a command can be shown again without it. */
void cli_print_environment(FILE *out);

/* Copies the next word of an option's list, separated by commas, and steps over it; false after the last, or if the list is
 * NULL. Ends the program where a word is empty or does not fit. */
bool cli_next_word(const char *option, const char **list, char *word, size_t room);

/* Whether a word is UTF-8 and can be in a report. */
bool cli_is_text(const char *word);

/* The whole number that an option was given; fails if it is none from `least` to `most`. */
uint64_t cli_number(const char *option, const char *text, uint64_t least, uint64_t most);

/* Nanoseconds, from no particular moment on. */
double cli_now_ns(void);

/* An allocation that does not fail. */
void *cli_alloc(size_t count, size_t size);

/* The path of this program; NULL if the system does not say it. */
const char *cli_own_path(void);

/* The file or folder of that name ("vectors", "corpus/text") that belongs to this program: in its checkout if it is run from a
 * build folder, else beside what was installed with it. NULL if there is none; valid until the next call. */
const char *cli_data(const char *name);

struct dirent;

/* As fopen for reading and scandir with alphasort, of what cli_data found: a program of the preset `static` carries its vectors. */
FILE *cli_open_data(const char *path);
int cli_list_data(const char *folder, struct dirent ***entries, int (*filter)(const struct dirent *entry));

/* Nothing is left out of JSON in silence: memory that runs out, and text that is no UTF-8, end the program. */
json_t *cli_json(json_t *value);
#define json_pack(...) cli_json(json_pack(__VA_ARGS__))
#define json_string(text) cli_json(json_string(text))
#define json_sprintf(...) cli_json(json_sprintf(__VA_ARGS__))

/* Ends the program with exit code 2: `what` ("standard output", a path) cannot be written, for the reason `why` (errno; 0: not
 * known, as when a write before the last one failed). */
_Noreturn void cli_fail_to_write(const char *what, int why);

/* Ends standard output; fails if it could not be written (a full disk, a closed pipe), else returns the exit code. */
int cli_finish(int code);

/* The JSON value in a file; fails, and says where, if it is no regular file or not JSON. */
json_t *cli_load_json(const char *path);

/* Prints a JSON value, releases it, and ends the line. */
void cli_print_json(json_t *value);

#endif
