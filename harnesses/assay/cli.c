/* SPDX-License-Identifier: MIT */
#include "cli.h"
#include "../core/silence.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool has_ended;
static const char *current_command = "";
const char *cli_at_hand;

void cli_fail(const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    fprintf(stderr, "assay%s%s: ", current_command[0] != '\0' ? " " : "", current_command);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    asking_ends();
    has_ended = true;
    exit(EXIT_CANNOT_RUN);
}

/* A codec that gives no answer is the last that is heard of. */
static void on_silence(void)
{
    if (cli_at_hand != NULL)
        fprintf(stderr, "in %s\n", cli_at_hand);
    fflush(stdout);
    _exit(EXIT_DIVERGENCE);
}

/* exit() is called here, once all is done and written, and nowhere else. */
static void on_exit_of_codec(void)
{
    if (has_ended)
        return;
    fprintf(stderr, "assay %s: a codec that was loaded calls exit()\n", current_command);
    _exit(EXIT_CANNOT_RUN);
}

void *cli_alloc(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        cli_fail("out of memory (%zu times %zu bytes)", count, size);
    return memory;
}

static void *allocate_for_json(size_t size)
{
    return cli_alloc(1, size);
}

FILE *cli_open_text(char **text, size_t *size)
{
    *text = NULL;
    FILE *out = open_memstream(text, size);
    if (out == NULL)
        cli_fail("out of memory");
    return out;
}

/* Columns of the terminal that it is, or as many as a line should have elsewhere. */
static size_t width_of(FILE *out)
{
    enum { ELSEWHERE = 128 };
    struct winsize size;
    bool is_known = isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return is_known ? size.ws_col : ELSEWHERE;
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
        snprintf(line + length, sizeof line - length, ", about %.0f s more", spent * (double)(all - done) / (double)done);
    if (on_terminal)
        fprintf(stderr, "\r\33[K%.*s", (int)width_of(stderr) - 1, line);
    else
        fprintf(stderr, "%s\n", line);
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

/* ---- commands that show something again ------------------------------------------------------- */

bool cli_is_text(const char *word)
{
    return registry_reference("utf-8")->validate((const uint8_t *)word, strlen(word), NULL);
}

/* A word as a shell reads it back. What is not text is written in hex, so that a letter always is. */
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

static const char *cli_program = "assay";

void cli_start(const char *program)
{
    if (program != NULL)
        cli_program = program;
    json_set_alloc_funcs(allocate_for_json, free);
    atexit(on_exit_of_codec);
    silence_watch(on_silence);
    silence_watch_alone();
}

void cli_print_program(FILE *out)
{
    cli_quote(out, cli_program);
}

/* ---- options -------------------------------------------------------------------------------- */

enum { LOADED_MAX = 16 };
static struct loaded {
    const char *option, *library; /* the option that names it */
    size_t row;                   /* in the registry, once it is loaded */
    bool is_heard;
} loaded[LOADED_MAX];
static size_t loaded_count;
static bool help;

enum { CODEC_OPTION, HELP_OPTION, COMMON_OPTIONS };
static const struct cli_option common_options[COMMON_OPTIONS + 1] = {
    [CODEC_OPTION] = {"codec", 0, "LIBRARY", "add a loadable codec (a shared library that exports `assay_codec`); again for more", NULL, NULL},
    [HELP_OPTION] = {"help", 'h', NULL, "this text", NULL, &help},
};

static void print_option(FILE *out, const struct cli_option *option)
{
    char left[64];
    snprintf(left, sizeof left, "%c%c%s--%s%s%s", option->letter ? '-' : ' ', option->letter ? option->letter : ' ',
             option->letter ? ", " : "  ", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    fprintf(out, "  %-26s %s\n", left, option->sentence);
}

/* Where words begin that stand behind a name, two spaces or more after it; 0 if there is no name. */
static size_t find_words(const char *line, size_t length)
{
    enum { NAME_MAX = 48 };
    size_t words = 0;
    for (size_t i = 2; i < length && i < NAME_MAX; i++)
        if (line[i - 2] == ' ' && line[i - 1] == ' ' && line[i] != ' ')
            words = i;
    return words;
}

/* A line, broken between words where there are too few columns for it; what is left over stands under the words. */
static void print_line(FILE *out, const char *line, size_t length, size_t width)
{
    size_t words = find_words(line, length), column = 0;
    while (words < width && length > width - column) {
        size_t end = width - column;
        while (end > words - column && line[end] != ' ')
            end--;
        if (end == words - column) /* one word, and longer than that */
            break;
        fprintf(out, "%.*s\n%*s", (int)end, line, (int)words, "");
        line += end + 1;
        length -= end + 1;
        column = words;
    }
    fprintf(out, "%.*s\n", (int)length, line);
}

void cli_print_broken(FILE *out, const char *text)
{
    for (const char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        print_line(out, line, (size_t)(end - line), width_of(out));
}

static void write_help(FILE *out, const struct command *command)
{
    fprintf(out, "usage: assay %s [OPTION...]%s%s\n\n%s\n\noptions:\n", command->name, command->operands != NULL ? " " : "",
            command->operands != NULL ? command->operands : "", command->sentence);
    for (const struct cli_option *option = command->options; option->name != NULL; option++)
        print_option(out, option);
    for (const struct cli_option *option = common_options; option->name != NULL; option++)
        print_option(out, option);
    if (command->operands != NULL && strstr(command->operands, "INPUT") != NULL)
        fputs("\nINPUT is hex (spaces allowed), @FILE, or - for standard input.\n", out);
    if (command->print_more != NULL) {
        fputc('\n', out);
        command->print_more(out);
    }
    fputs("\nexit code: 0 = as it should be, 1 = a divergence, a failed case or a regression, 2 = could not run\n", out);
}

static void print_help(const struct command *command)
{
    char *text;
    size_t size;
    FILE *out = cli_open_text(&text, &size);
    write_help(out, command);
    fclose(out);
    cli_print_broken(stdout, text);
    free(text);
}

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

static void add_library(const char *option, const char *library)
{
    if (loaded_count == LOADED_MAX)
        cli_fail("--%s: no more than %d libraries at once", option, LOADED_MAX);
    loaded[loaded_count++] = (struct loaded){.option = option, .library = library};
}

static void load(struct loaded *one)
{
    const char *complaint = registry_load(one->library);
    if (complaint != NULL)
        cli_fail("--%s: %s", one->option, complaint);
    one->row = registry_count() - 1;
}

void cli_load(const char *option, const char *library)
{
    char *name = cli_alloc(strlen(library) + 1, 1);
    add_library(option, strcpy(name, library));
    load(&loaded[loaded_count - 1]);
}

/* The last value of an option holds; --codec alone may come more than once. */
static void set_option(const struct cli_option *option, const char *value)
{
    if (option == &common_options[CODEC_OPTION])
        add_library(option->name, value);
    else
        *option->text = value;
}

/* "--name", "--name=value", "--name value", "-n value". Returns how many words it took. */
static int take_option(const struct command *command, int left, char **argv)
{
    const char *word = argv[0] + 1;
    size_t length = strcspn(word, "=");
    const struct cli_option *option = find_option(command->options, word, length);
    if (option == NULL)
        option = find_option(common_options, word, length);
    if (option == NULL)
        cli_fail("there is no option '%s'; see assay %s --help", argv[0], command->name);
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

/* Takes the options, wherever they stand before `--`, and moves the operands behind them, in their order. */
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
    current_command = command->name;
    int at = take_options(command, argc, argv);
    if (help) {
        print_help(command);
        exit(cli_finish(EXIT_AS_IT_SHOULD_BE));
    }
    const char *unknown = cpu_unknown_override();
    if (unknown != NULL)
        cli_fail("ASSAY_WITHOUT: no instruction set is called '%.*s'", (int)strcspn(unknown, ", "), unknown);
    for (size_t i = 0; i < loaded_count; i++)
        load(&loaded[i]);
    int count = argc - at;
    if (count < command->operands_min)
        cli_fail("too few operands; usage: assay %s [OPTION...] %s", command->name, command->operands);
    if (command->operands_max >= 0 && count > command->operands_max)
        cli_fail("'%s' is one operand too many; hex with spaces needs quotes",
                 argv[at + command->operands_max]);
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

double cli_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

void cli_loaded_are_asked(bool (*is_asked)(const void *context, const struct registry_row *row), const void *context)
{
    for (const struct loaded *one = loaded; one < loaded + loaded_count; one++) {
        const struct registry_row *row = registry_at(one->row);
        if (!is_asked(context, row))
            cli_fail("--%s: %s is %s/%s, and nothing would be asked of it; see assay %s --help", one->option, one->library,
                     row->encoding, row->name, current_command);
    }
}

const struct registry_row *cli_loaded_codec(const char **library)
{
    if (loaded_count == 0)
        return NULL;
    if (loaded_count > 1)
        cli_fail("--%s: one library at a time", loaded[1].option);
    *library = loaded[0].library;
    return registry_at(loaded[0].row);
}

void cli_heard(const struct assay_codec *codec)
{
    for (struct loaded *one = loaded; one < loaded + loaded_count; one++)
        one->is_heard |= registry_at(one->row)->codec == codec;
}

void cli_loaded_were_heard(void)
{
    for (const struct loaded *one = loaded; one < loaded + loaded_count; one++)
        if (!one->is_heard)
            cli_fail("--%s: nothing was asked of %s/%s that it answers", one->option, registry_at(one->row)->encoding,
                     registry_at(one->row)->name);
}

/* Letters and digits alone, in lower case: "UTF_8" and "utf8" are the same. */
static void simplify(const char *name, char *out, size_t room)
{
    size_t length = 0;
    for (; *name != '\0' && length + 1 < room; name++)
        if (isalnum((unsigned char)*name))
            out[length++] = (char)tolower((unsigned char)*name);
    out[length] = '\0';
}

/* " did you mean utf-8 or ...?": encodings whose name is the same but for how it is spelt, or begins so; nothing if there are none. */
static void suggest_encodings(const char *encoding, bool by_beginning, char *out, size_t room)
{
    char wanted[64], name[64];
    simplify(encoding, wanted, sizeof wanted);
    out[0] = '\0';
    for (size_t i = 0; i < registry_count() && wanted[0] != '\0'; i++) {
        simplify(registry_at(i)->encoding, name, sizeof name);
        if (registry_is_reference(registry_at(i)) && strncmp(name, wanted, by_beginning ? strlen(wanted) : sizeof name) == 0)
            snprintf(out + strlen(out), room - strlen(out), "%s %s", out[0] == '\0' ? " did you mean" : " or", registry_at(i)->encoding);
    }
    if (out[0] != '\0')
        snprintf(out + strlen(out), room - strlen(out), "?");
}

const struct assay_codec *cli_encoding(const char *encoding)
{
    const struct assay_codec *reference = registry_reference(encoding);
    if (reference != NULL)
        return reference;
    char known[512] = "";
    for (size_t i = 0; i < registry_count(); i++) {
        const char *name = registry_at(i)->encoding;
        size_t length = strlen(known);
        if (registry_is_reference(registry_at(i)))
            snprintf(known + length, sizeof known - length, " %s", name);
    }
    static const char *const guesses[] = {"auto", "detect", "guess"};
    for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++)
        if (strcmp(encoding, guesses[i]) == 0)
            cli_fail("an encoding is never guessed here: the same bytes are text in several, and CESU-8, say, should not be "
                     "auto-detected (UTR 26). Ask whoever wrote them, then name one of:%s", known);
    if (strcmp(encoding, "utf-8-sig") == 0)
        cli_fail("utf-8-sig is utf-8 that may begin with a signature; name utf-8, or take it away with: assay convert utf-8-sig utf-8");
    char suggestion[512];
    suggest_encodings(encoding, false, suggestion, sizeof suggestion);
    if (suggestion[0] == '\0')
        suggest_encodings(encoding, true, suggestion, sizeof suggestion);
    cli_fail("there is no encoding '%s';%s there are:%s", encoding, suggestion, known);
}

bool cli_is_loaded(const struct assay_codec *codec)
{
    for (const struct loaded *one = loaded; one < loaded + loaded_count; one++)
        if (registry_at(one->row)->codec == codec)
            return true;
    return false;
}

void cli_print_loaded(FILE *out, const struct assay_codec *codec)
{
    for (const struct loaded *one = loaded; one < loaded + loaded_count; one++) {
        if (registry_at(one->row)->codec != codec)
            continue;
        fprintf(out, " --%s ", one->option);
        cli_quote(out, one->library);
    }
}

/* ---- input ------------------------------------------------------------------------------------ */

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool cli_parse_hex(const char *hex, size_t length, uint8_t *bytes, size_t *byte_count)
{
    *byte_count = 0;
    for (size_t i = 0; i < length; i += 2) {
        if (i + 1 == length || hex_value(hex[i]) < 0 || hex_value(hex[i + 1]) < 0)
            return false;
        bytes[(*byte_count)++] = (uint8_t)(hex_value(hex[i]) << 4 | hex_value(hex[i + 1]));
    }
    return true;
}

/* An input is held whole, and codecs are asked with copies of it: what never ends must not eat the machine. */
#define INPUT_MAX ((size_t)1 << 30)

static struct cli_input read_all(FILE *file, const char *name)
{
    struct cli_input input = {NULL, 0};
    size_t capacity = 0, got;
    do {
        if (input.byte_count == capacity) {
            capacity = capacity > 0 ? capacity * 2 : 1 << 16;
            input.bytes = realloc(input.bytes, capacity);
            if (input.bytes == NULL)
                cli_fail("%s: too large for the memory there is (beyond %zu bytes)", name, input.byte_count);
        }
        got = fread(input.bytes + input.byte_count, 1, capacity - input.byte_count, file);
        input.byte_count += got;
        if (input.byte_count > INPUT_MAX)
            cli_fail("%s: more than %zu bytes; cut it into smaller inputs", name, INPUT_MAX);
    } while (got > 0);
    if (ferror(file))
        cli_fail("%s: %s", name, strerror(errno));
    return input;
}

static struct cli_input read_file(const char *path)
{
    struct stat status;
    if (path[0] == '\0')
        cli_fail("@ names no file");
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        cli_fail("%s: %s", path, strerror(errno));
    if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode))
        cli_fail("%s is a folder; name a file", path);
    struct cli_input input = read_all(file, path);
    fclose(file);
    return input;
}

struct cli_input cli_input(const char *text)
{
    if (strcmp(text, "-") == 0)
        return read_all(stdin, "standard input");
    if (text[0] == '@')
        return read_file(text + 1);
    size_t length = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (strchr(" \t\n", *at) != NULL)
            continue;
        if (hex_value(*at) < 0)
            cli_fail("character %zu of '%.60s%s' is no hex digit; INPUT is hex pairs, with nothing or spaces between (C0 80), "
                     "@FILE, or - for standard input", (size_t)(at - text) + 1, text, strlen(text) > 60 ? "..." : "");
        length++;
    }
    if (length % 2 != 0)
        cli_fail("'%.60s%s' has an odd number of hex digits (%zu); a byte is two", text, strlen(text) > 60 ? "..." : "",
                 length);
    struct cli_input input = {cli_alloc(length / 2, 1), 0};
    unsigned value = 0;
    length = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (hex_value(*at) < 0)
            continue;
        value = value << 4 | (unsigned)hex_value(*at);
        if (++length % 2 == 0)
            input.bytes[input.byte_count++] = (uint8_t)value;
    }
    return input;
}

/* ---- data -------------------------------------------------------------------------------------- */

/* A program in a build folder finds links to its checkout. */
const char *cli_data(const char *name)
{
    static const char *const beside[] = {".", ASSAY_DATA_FROM_PROGRAM};
    static char found[4096 + 256];
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    for (size_t i = 0; i < sizeof beside / sizeof beside[0] && length > 0; i++) {
        program[length] = '\0';
        snprintf(found, sizeof found, "%.*s/%s/%s", (int)(strrchr(program, '/') - program), program, beside[i], name);
        if (access(found, R_OK) == 0)
            return found;
    }
    snprintf(found, sizeof found, "%s/%s", ASSAY_DATA_DIR, name);
    return access(found, R_OK) == 0 ? found : NULL;
}

json_t *cli_json(json_t *value)
{
    if (value == NULL)
        cli_fail("a name or a text for the JSON is not UTF-8");
    return value;
}

json_t *cli_load_json(const char *path)
{
    struct stat status;
    json_error_t error = {0};
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        cli_fail("%s is no file", path);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        cli_fail("%s: %s", path, strerror(errno));
    json_t *json = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    if (json == NULL)
        cli_fail("%s: line %d, column %d: %s", path, error.line, error.column, error.text);
    fclose(file);
    return json;
}

int cli_finish(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        cli_fail("standard output cannot be written");
    has_ended = true;
    return code;
}

void cli_print_json(json_t *value)
{
    if (json_dumpf(value, stdout, JSON_INDENT(2)) != 0)
        cli_fail("cannot write JSON");
    putchar('\n');
    json_decref(value);
}
