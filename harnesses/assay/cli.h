/* SPDX-License-Identifier: MIT
 *
 * cli.h - what the commands of `assay` share: options, input, errors.
 *
 * Exit codes: 0 = clean, 1 = a divergence, a failed case or a regression, 2 = could not run (said why), 130 or 143 =
 * interrupted by SIGINT or SIGTERM.
 */
#ifndef ASSAY_CLI_H
#define ASSAY_CLI_H

#include "../../codecs/registry.h"

#include <jansson.h>
#include <signal.h>
#include <stdio.h>

enum { EXIT_CLEAN = 0, EXIT_DIVERGENCE = 1, EXIT_CANNOT_RUN = 2, EXIT_INTERRUPTED = 130 };

/* The greatest N of --stride. */
enum { CLI_STRIDE_MAX = 1000000 };

/* An option with the argument SUBJECT comes this many times: its `text` is an array. */
enum { CLI_SUBJECTS = 2 };

/* One option of a command. Its value goes to `text` or to `flag`; the other is NULL. */
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

/* Reads the options of a command; prints help and ends the program if that is requested. Returns the index in argv of
 * the first operand (options may stand anywhere before `--`; argv is reordered). *operand_count is the number of
 * operands. */
int cli_parse(const struct command *command, int argc, char **argv, int *operand_count);

/* What is being worked on besides the question, such as a case: the letter of a codec that gives no answer names it.
 * NULL: nothing. */
extern const char *cli_at_hand;

/* Must be called first: keeps the program's name for messages, and initialises what all commands need. */
void cli_start(const char *program);

/* Keeps the words of the command line in this order, in which options may stand anywhere; the words must stay valid. */
void cli_keep_words(int count, char **words);
extern char **cli_words; /* ends with NULL; NULL: not kept */

/* Says what is wrong, names the command, and ends the program with exit code 2. */
_Noreturn void cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same; then prints these lines, which are changed, indented. */
_Noreturn void cli_fail_quoting(char *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a user may have meant: of the candidates considered, the one nearest to `wanted` by edit distance. */
struct cli_nearest {
    const char *wanted, *found; /* found: NULL while none is near enough */
    size_t distance;
};
void cli_consider(struct cli_nearest *nearest, const char *candidate);

/* " (did you mean WORD?)", or "" if no candidate was near enough; valid until the next call. */
const char *cli_did_you_mean(const struct cli_nearest *nearest, const char *before_word);

/* The same for policies. */
const char *cli_did_you_mean_policy(const char *wanted);

/* The same for codecs that run here: of an encoding, or of all if it is NULL. The result is ENCODING/NAME if `wanted`
 * has a slash, and "" if a codec has that name. */
const char *cli_did_you_mean_codec(const char *wanted, const char *encoding);

/* Prints the manual page (roff) of all commands, or their completion for a shell (bash, zsh, fish; fails for
 * others). */
void cli_print_manual(FILE *out, const struct command *const *commands, size_t count);
void cli_print_completion(FILE *out, const char *shell, const struct command *const *commands, size_t count);

/* A whole input, owned by the caller (free). */
struct cli_input {
    uint8_t *bytes;
    size_t byte_count;
};

/* Reads INPUT: hex with or without spaces, @FILE, or - for standard input. In hex, 256*61 means 256 bytes 61. Fails
 * with exit code 2. */
struct cli_input cli_input(const char *input);

/* Returns the bytes in the form of INPUT. Long repetitions are written once, with a count: 2000*E282AC 80. The caller
 * frees the text. */
char *cli_input_text(const uint8_t *bytes, size_t byte_count);

/* Parses hex pairs; false if there is something else. `bytes` has room for strlen(hex) / 2. */
bool cli_parse_hex(const char *hex, size_t length, uint8_t *bytes, size_t *byte_count);

/* Hex pairs as a string; the caller frees it. */
char *cli_hex(const uint8_t *bytes, size_t byte_count);

/* Returns the number (MIBenum) of an encoding in IANA's registry of character sets; NULL if it is not registered. */
const char *cli_encoding_number(const char *encoding);

/* Returns the registry's name of an encoding that is named in another case, or by an IANA alias or number; else the
 * name itself. */
const char *cli_encoding_name(const char *name);

/* Returns the reference of an encoding. If it is unknown, lists the known ones and fails. */
const struct assay_codec *cli_encoding(const char *encoding);

/* Loads a codec from a library that an option of the command names, as --codec does; fails if it does not load. */
void cli_load(const char *option, const char *library);

/* Returns the codec that --codec loaded, and its library; NULL if there is none. Fails if there are several. Codecs of
 * ASSAY_CODECS do not count. */
const struct registry_row *cli_loaded_codec(const char **library);

/* Ends the program with exit code 2 if an option (--codec) loaded a codec that the command would not ask: the silence
 * would look like agreement. Codecs of ASSAY_CODECS are not checked. */
void cli_require_loaded_chosen(bool (*is_asked)(const void *context, const struct registry_row *row),
                               const void *context);

/* The same, and says why the codec would not be asked: "-c 'min' matches other names". */
void cli_require_loaded_asked(bool (*is_asked)(const void *context, const struct registry_row *row),
                              const void *context, const char *why);

/* The same for a command that asks the codecs of one encoding. */
void cli_require_loaded_encoding(const char *encoding);

/* Surround a call of a codec that is no question (question.h), so that the time is limited. */
void cli_call_begins(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_call_ends(void);

/* From this call on, the first SIGINT or SIGTERM sets cli_interruption to its number, and abandons a question that
 * silence_survivor would survive (silence.h): the command reports what it has, and returns cli_code_of_interruption().
 * One that
 * comes more than a second later ends the program. */
void cli_catch_interruptions(void);

/* From this call on, they end the program again: for a child process, whose parent has caught them. */
void cli_end_at_interruptions(void);
extern volatile sig_atomic_t cli_interruption; /* 0: none */
int cli_code_of_interruption(void);

/* For a handler of SIGINT and SIGTERM: true if the signal is to be ignored because it sets cli_interruption. */
bool cli_note_interruption(int number);

/* Notes that a codec has answered, if it is a loaded one. */
void cli_note_answered(const struct assay_codec *codec);

/* Ends the program with exit code 2 if a loaded codec never answered. */
void cli_require_loaded_answered(void);

/* Opens a stream into memory that grows. Closing it leaves the text in *text, for the caller to free. */
FILE *cli_open_text(char **text, size_t *size);

/* Shows progress, `done` of `all` since `begun` (cli_now_ns): on a terminal in place of the previous line, with an
 * estimate, cut to the terminal's width; elsewhere as a new line. */
void cli_print_progress(size_t done, size_t all, double begun, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* True once a second on a terminal, once a minute elsewhere; then sets *shown_at (cli_now_ns) to now. */
bool cli_progress_is_due(double *shown_at);

/* The escape sequence that begins a style on standard output, or ends it (CLI_PLAIN); "" where there is no colour. */
enum cli_style { CLI_PLAIN, CLI_HEADING, CLI_BAD, CLI_GOOD };
const char *cli_style(enum cli_style style);

/* Ends the line, and prints a heading with its line end, on standard output. */
void cli_print_heading(const char *heading);

/* Prints a letter to standard output; its heading, the expected answer and the codec's answer each have a style. */
void cli_print_letter(const char *letter);

/* An input of more bytes is long work: what a command does is said on standard error before it begins. */
enum { CLI_LONG_BYTES = 1 << 20 };

/* Removes the progress line, if standard error is a terminal. */
void cli_clear_progress(void);

/* Prints lines; those that are too long are broken between words. */
void cli_print_broken(FILE *out, const char *text);

/* Returns the columns of the terminal that standard output is; SIZE_MAX if it is not a terminal. */
size_t cli_columns(void);

/* Prints a line without its end to standard output. If the terminal is narrower, breaks it between words; the rest is
 * aligned with the words. */
void cli_print_words(const char *line, size_t length);

/* The same, and the end of the line. Frees the line. */
void cli_print_line(char *line);

/* Prints a line for each policy: its name, and what it does. */
void cli_print_policies(FILE *out);

/* Prints the name by which this program was called, after the variables of the environment that choose instruction
 * sets, if they are set. Each command that users are advised to run begins with it. */
void cli_print_program(FILE *out);

/* Prints a word, quoted for the shell if it needs that. */
void cli_quote(FILE *out, const char *word);

/* True if a codec came with --codec. */
bool cli_is_loaded(const struct assay_codec *codec);

/* Prints " --codec LIBRARY" if the codec was loaded, so that the printed command works. */
void cli_print_loaded(FILE *out, const struct assay_codec *codec);

/* Prints " --codec LIBRARY" for each codec of ASSAY_CODECS, so that the printed command works without that variable. */
void cli_print_environment(FILE *out);

/* Copies the next word of an option's list, separated by commas, and advances *list past it. Returns false after the
 * last word, or if the list is NULL. Ends the program if a word is empty or does not fit. */
bool cli_next_word(const char *option, const char **list, char *word, size_t room);

/* True if a word is UTF-8 that a report can contain. */
bool cli_is_text(const char *word);

/* Returns the whole number that an option was given; fails if it is not one from `least` to `most`. */
uint64_t cli_number(const char *option, const char *text, uint64_t least, uint64_t most);

/* Returns the seconds that an option was given, with or without a fraction; fails if they are not from `least` to an
 * hour. */
double cli_seconds(const char *option, const char *text, double least);

/* Returns the nanoseconds since an arbitrary moment. */
double cli_now_ns(void);

/* An allocation that does not fail. */
void *cli_alloc(size_t count, size_t size);

/* Returns the path of this program; NULL if the system does not provide it. */
const char *cli_own_path(void);

/* Returns the path of this file or folder ("vectors", "corpus/text") of the data that belongs to the program: in its
 * checkout if it runs from a build folder, else beside it where it is installed. NULL if there is none; valid until the
 * next call. */
const char *cli_data(const char *name);

struct dirent;

/* As fopen for reading, and as scandir with alphasort, for paths from cli_data(): a program of the preset `static`
 * carries its vectors. */
FILE *cli_open_data(const char *path);
int cli_list_data(const char *folder, struct dirent ***entries, int (*filter)(const struct dirent *entry));

/* Returns the value, or ends the program if it is NULL: out of memory, or text that is not UTF-8. So nothing is
 * silently missing from JSON. */
json_t *cli_json(json_t *value);
#define json_pack(...) cli_json(json_pack(__VA_ARGS__))
#define json_string(text) cli_json(json_string(text))
#define json_sprintf(...) cli_json(json_sprintf(__VA_ARGS__))

/* Ends the program with exit code 2: `what` ("standard output", a path) cannot be written, for the reason `why` (an
 * errno; 0 if unknown, as when an earlier write failed). */
_Noreturn void cli_fail_to_write(const char *what, int why);

/* A file that an option names ("junit" for --junit). What was at the path stays until the new file is whole, and is
 * replaced by it then; devices, pipes and standard output (the path "-") are written through. */
struct cli_output {
    FILE *file;
    const char *option, *path;
    char *target,
        *beside; /* what is replaced, and the name of the file until then; both NULL where it is written through */
};

/* Ends the program with exit code 2 if the file cannot be written, before the work instead of after it. Must be called
 * before anything is printed, and before the other two: with the path "-", all that is printed goes to standard error
 * from then on. */
void cli_output_try(const char *option, const char *path);

/* Opens the file, whose `file` is to be written. Fails with exit code 2. */
struct cli_output cli_output_open(const char *option, const char *path);

/* Puts the file in its place; where it could not be written, removes it, and fails with exit code 2. */
void cli_output_close(struct cli_output *output);

/* Flushes standard output; fails if it could not be written (a full disk, a closed pipe), else returns the exit
 * code. */
int cli_finish(int code);

/* Returns the JSON value in a file; fails, with a reason, if it is not a regular file or not JSON. */
json_t *cli_load_json(const char *path);

/* Prints a JSON value, releases it, and ends the line. */
void cli_print_json(json_t *value);

#endif
