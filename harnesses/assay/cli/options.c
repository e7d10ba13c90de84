/* SPDX-License-Identifier: MIT
 *
 * The options of a command line, and the values that they take.
 */
#include "internal.h"
#include "../../../codecs/cpu_vendor.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool help;
bool cli_as_json;

enum { CODEC_OPTION, COLOR_OPTION, HELP_OPTION, COMMON_OPTIONS };
const struct cli_option cli_common_options[COMMON_OPTIONS + 1] = {
    [CODEC_OPTION] = {"codec", 0, "LIBRARY",
                      "add a loadable codec (a shared library that exports `assay_codec`); again for more, up to 16. "
                      "The environment variable ASSAY_CODECS=LIBRARY:... adds some to every command",
                      NULL, NULL},
    [COLOR_OPTION] = {"color", 0, "WHEN",
                      "colour: always, never, or auto (default: on a terminal, if NO_COLOR is not set)",
                      &cli_color_when, NULL},
    [HELP_OPTION] = {"help", 'h', NULL, "this text", NULL, &help},
};

static const struct cli_option *find_option(const struct cli_option *options, const char *word, size_t length)
{
    for (const struct cli_option *option = options; option->name != NULL; option++) {
        if (word[0] == '-' && strlen(option->name) == length - 1 && memcmp(option->name, word + 1, length - 1) == 0)
            return option;
        if (word[0] != '-' && length == 1 && option->letter == word[0])
            return option;
    }
    return NULL;
}

/* Adds a subject after those before it. */
static void add_subject(const struct cli_option *option, const char *value)
{
    size_t index = 0;
    while (index < CLI_SUBJECTS && option->text[index] != NULL)
        index++;
    if (index == CLI_SUBJECTS)
        cli_fail("--%s: %d are compared, and '%s' is one more", option->name, CLI_SUBJECTS, value);
    option->text[index] = value;
}

/* The last value of an option counts; only --codec and --subject may be repeated. */
static void set_option(const struct cli_option *option, const char *value)
{
    if (option == &cli_common_options[CODEC_OPTION])
        cli_add_library(option->name, value);
    else if (strcmp(option->argument, "SUBJECT") == 0)
        add_subject(option, value);
    else
        *option->text = strcmp(option->argument, "ENCODING") == 0 ? cli_encoding_name(value) : value;
}

static void consider_options(struct cli_nearest *nearest, const struct cli_option *options)
{
    for (const struct cli_option *option = options; option->name != NULL; option++)
        cli_consider(nearest, option->name);
}

/* `word` is an option without its first '-' and without its value. */
static _Noreturn void fail_for_option(const struct command *command, const char *word, size_t length)
{
    char wanted[64] = "";
    bool is_long = word[0] == '-' && length - 1 < sizeof wanted;
    if (is_long)
        memcpy(wanted, word + 1, length - 1);
    struct cli_nearest nearest = {.wanted = wanted};
    if (is_long) {
        consider_options(&nearest, command->options);
        consider_options(&nearest, cli_common_options);
    }
    cli_fail("there is no option '-%.*s'%s; see assay %s --help", (int)length, word, cli_did_you_mean(&nearest, "--"),
             command->name);
}

/* Reads "--name", "--name=value", "--name value" or "-n value". Returns how many words that was. */
static int take_option(const struct command *command, int left, char **argv)
{
    const char *word = argv[0] + 1;
    size_t length = strcspn(word, "=");
    const struct cli_option *option = find_option(command->options, word, length);
    if (option == NULL)
        option = find_option(cli_common_options, word, length);
    if (option == NULL)
        fail_for_option(command, word, length);
    if (option->argument == NULL) {
        if (word[length] == '=')
            cli_fail("--%s takes no value", option->name);
        *option->flag = true;
        return 1;
    }
    bool is_joined = word[length] == '=';
    const char *value = is_joined ? word + length + 1 : left > 1 ? argv[1] : "";
    if (value[0] == '\0')
        cli_fail("--%s needs a value: %s", option->name, option->argument);
    set_option(option, value);
    return is_joined ? 1 : 2;
}

/* Reads the options, which may stand anywhere before `--`, and moves the operands after them, in their order. */
static int take_options(const struct command *command, int argc, char **argv)
{
    char **operands = cli_alloc((size_t)argc, sizeof *operands);
    int at = 1, operand_count = 0, options_end = 1;
    while (at < argc && strcmp(argv[at], "--") != 0) {
        if (argv[at][0] != '-' || argv[at][1] == '\0') {
            operands[operand_count++] = argv[at++];
            continue;
        }
        for (int left = take_option(command, argc - at, argv + at); left > 0; left--)
            argv[options_end++] = argv[at++];
    }
    if (at < argc)
        argv[options_end++] = argv[at];
    memcpy(argv + options_end, operands, (size_t)operand_count * sizeof *operands);
    free(operands);
    return options_end;
}

int cli_parse(const struct command *command, int argc, char **argv, int *operand_count)
{
    cli_current_command = command->name;
    int at = take_options(command, argc, argv);
    if (help) {
        cli_print_help(command);
        exit(cli_finish(EXIT_CLEAN));
    }
    const char *unknown = cpu_unknown_override();
    if (unknown != NULL)
        cli_fail("ASSAY_WITHOUT: no instruction set is called '%.*s'", (int)strcspn(unknown, ", "), unknown);
    if (cpu_unknown_vendor() != NULL)
        cli_fail("ASSAY_VENDOR: '%s' is neither intel nor amd", cpu_unknown_vendor());
    cli_check_color();
    for (const struct cli_option *option = command->options; option->name != NULL; option++)
        cli_as_json |= strcmp(option->name, "json") == 0 && *option->flag;
    cli_load_libraries();
    int count = argc - at;
    if (count < command->operands_min)
        cli_fail("too few operands; usage: assay %s [OPTION...] %s", command->name, command->operands);
    if (command->operands_max >= 0 && count > command->operands_max)
        cli_fail("'%s' is one operand too many; %s", argv[at + command->operands_max],
                 command->operands != NULL && strstr(command->operands, "INPUT") != NULL
                     ? "hex with spaces needs quotes"
                     : "see its --help");
    *operand_count = count;
    return at;
}

bool cli_next_word(const char *option, const char **list, char *word, size_t room)
{
    if (*list == NULL)
        return false;
    size_t length = strcspn(*list, ",");
    if (length == 0)
        cli_fail("--%s: a name is empty; names are parted by one comma", option);
    if (length >= room)
        cli_fail("--%s: '%.40s...' is too long", option, *list);
    memcpy(word, *list, length);
    word[length] = '\0';
    *list = (*list)[length] == ',' ? *list + length + 1 : NULL;
    return true;
}

uint64_t cli_number(const char *option, const char *text, uint64_t least, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || number < least || number > most)
        cli_fail("--%s takes a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'", option, least, most, text);
    return number;
}

double cli_seconds(const char *option, const char *text, double least)
{
    enum { MOST = 3600 };
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end != '\0' || !(seconds >= least && seconds <= MOST))
        cli_fail("--%s takes seconds, from %g to %d, not '%s'", option, least, MOST, text);
    return seconds;
}
