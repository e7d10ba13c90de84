/* SPDX-License-Identifier: MIT
 *
 * Start and end of the program: failures, memory, exit codes, the time.
 */
#include "internal.h"
#include "../../../codecs/inline.h"
#include "../../core/silence.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef SANITIZES
#include <sanitizer/common_interface_defs.h>
#endif

static struct supervised alone, *supervised = &alone; /* shared with the supervisor once a codec is loaded */
const char *cli_current_command = "";
const char *cli_at_hand;

/* Prints text as it is, but for control characters and bytes that are no UTF-8, which files and names may have: a
 * terminal obeys the former. These are written in hex. */
static void put_text(FILE *out, const char *text)
{
    bool is_text = cli_is_text(text);
    unsigned char before = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; before = *at++) {
        bool is_c1 = (*at == 0xC2 && at[1] < 0xA0) || (before == 0xC2 && *at < 0xA0); /* U+0080..U+009F */
        if (*at >= ' ' && *at != 0x7F && (*at < 0x80 || is_text) && !is_c1)
            fputc(*at, out);
        else
            fprintf(out, "\\x%02X", *at);
    }
}

static void print_failure(const char *format, va_list arguments)
{
    static char text[8192]; /* no memory may be left */
    fflush(stdout);
    fprintf(stderr, "assay%s%s: ", cli_current_command[0] != '\0' ? " " : "", cli_current_command);
    vsnprintf(text, sizeof text, format, arguments);
    put_text(stderr, text);
    fputc('\n', stderr);
    supervised->is_mute = ferror(stderr) != 0;
}

static void note_end(int code)
{
    supervised->code = code;
    supervised->has_ended = true;
}

static _Noreturn void end_after_failure(void)
{
    asking_ends();
    note_end(EXIT_CANNOT_RUN);
    exit(EXIT_CANNOT_RUN);
}

void cli_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_failure(format, arguments);
    va_end(arguments);
    end_after_failure();
}

void cli_fail_quoting(char *lines, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_failure(format, arguments);
    va_end(arguments);
    for (char *line = strtok(lines, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        fputs("    ", stderr);
        put_text(stderr, line);
        fputc('\n', stderr);
    }
    end_after_failure();
}

/* Ends the program after a codec that gave no answer: nothing more can be asked in this process. */
static void on_silence(void)
{
    if (cli_at_hand != NULL)
        fprintf(stderr, "in %s\n", cli_at_hand);
    fflush(stdout);
    note_end(EXIT_DIVERGENCE);
    _exit(EXIT_DIVERGENCE);
}

/* The program itself calls exit() only after has_ended is set; any other call is a codec's, in an atexit() handler or a
 * thread of its own. */
static void on_exit_of_codec(void)
{
    if (supervised->has_ended || supervised->direct_call[0] != '\0')
        return;
    fprintf(stderr, "assay %s: a codec that was loaded calls exit(), or ends the thread that asks it\n",
            cli_current_command);
    note_end(EXIT_CANNOT_RUN);
    _exit(EXIT_CANNOT_RUN);
}

#ifdef SANITIZES
/* A sanitizer ends the process by a system call after its report. The supervisor must not blame the codec for this. */
static void on_report(void)
{
    supervised->has_ended = true;
}
#endif

void cli_start_supervisor(void)
{
    if (supervised != &alone)
        return;
    supervised = cli_supervise();
    shown_question = &supervised->shown;
}

void cli_call_begins(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    supervised->shown.number++;
    vsnprintf(supervised->direct_call, sizeof supervised->direct_call, format, arguments);
    va_end(arguments);
}

void cli_call_ends(void)
{
    supervised->direct_call[0] = '\0';
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

static const char *cli_program = "assay";

#ifdef SIGXFSZ
/* A write beyond the limit of a file's size fails then, and is reported. A handler, unlike SIG_IGN, ends with the
 * program: subjects do not inherit it. */
static void on_full_file(int number)
{
    (void)number;
}
#endif

void cli_start(const char *program)
{
    if (program != NULL)
        cli_program = program;
    json_set_alloc_funcs(allocate_for_json, free);
    atexit(on_exit_of_codec);
    silence_watch(on_silence);
    silence_watch_alone();
#ifdef SIGXFSZ
    signal(SIGXFSZ, on_full_file);
#endif
#ifdef SANITIZES
    __sanitizer_set_death_callback(on_report);
#endif
}

char **cli_words;

void cli_keep_words(int count, char **words)
{
    cli_words = cli_alloc((size_t)count + 1, sizeof *cli_words);
    memcpy(cli_words, words, (size_t)count * sizeof *cli_words);
}

void cli_print_program(FILE *out)
{
    static const char *const settings[] = {"ASSAY_WITHOUT", "ASSAY_VENDOR"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const char *value = getenv(settings[i]);
        if (value == NULL || value[0] == '\0')
            continue;
        fprintf(out, "%s=", settings[i]);
        cli_quote(out, value);
        fputc(' ', out);
    }
    cli_quote(out, cli_program);
}

_Noreturn void cli_fail_to_write(const char *what, int why)
{
    cli_fail("%s cannot be written%s%s", what, why != 0 ? ": " : "", why != 0 ? strerror(why) : "");
}

int cli_finish(int code)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (errno == 0) { /* an earlier write failed and its reason is lost: another write fails for the same reason */
            clearerr(stdout);
            fputc('\n', stdout);
            fflush(stdout);
        }
        cli_fail_to_write("standard output", errno);
    }
    note_end(code);
    return code;
}

double cli_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}
