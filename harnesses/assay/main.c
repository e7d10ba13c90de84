/* SPDX-License-Identifier: MIT
 *
 * assay - finds out what a decoder is really made of. A file or a folder a command; commands.def lists them.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "commands.def"
#undef COMMAND
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *to)
{
    char *usage;
    size_t size;
    FILE *out = cli_open_text(&usage, &size);
    fputs("usage: assay COMMAND [OPTION...] [INPUT]\n\n"
          "Tests decoders of UTF-8 and its family.\n\ncommands:\n",
          out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->sentence);
    fputs(
        "\nassay COMMAND --help describes one command. assay --version prints the version, assay --manual the manual page, and\n"
        "assay --completion bash (zsh, fish) the completion for a shell.\n"
        "ASSAY_WITHOUT=avx512,avx2 runs without these instruction sets.\n",
        out);
    fclose(out);
    cli_print_broken(to, usage);
    free(usage);
}

/* Without this option, MemorySanitizer would report what jansson, which is not instrumented, writes to the heap as
 * uninitialised. The buffers that codecs write to are poisoned by hand. */
const char *__msan_default_options(void);
const char *__msan_default_options(void)
{
    return "poison_in_malloc=0:poison_in_free=0";
}

/* Runs the command that the first word names. */
static int run_command(int argc, char **argv)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[0], commands[i]->name) == 0)
            return commands[i]->run(argc, argv);
    if (argv[0][0] == '-')
        cli_fail("there is no option '%s'; see assay --help", argv[0]);
    struct cli_nearest nearest = {.wanted = argv[0]};
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        cli_consider(&nearest, commands[i]->name);
    cli_fail("there is no command '%s'%s; see assay --help", argv[0], cli_did_you_mean(&nearest, ""));
}

/* Runs an option that stands in place of a command. Returns false if `word` is not one. */
static bool run_option(const char *word, const char *value)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        print_usage(stdout);
    else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        puts("assay " ASSAY_VERSION);
    else if (strcmp(word, "--manual") == 0)
        cli_print_manual(stdout, commands, COMMAND_COUNT);
    else if (strcmp(word, "--completion") == 0)
        cli_print_completion(stdout, value != NULL ? value : "", commands, COMMAND_COUNT);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    cli_start(argv[0]);
    cli_keep_words(argc, argv);
    if (argc < 2) {
        print_usage(stderr);
        exit(cli_finish(EXIT_CANNOT_RUN));
    }
    bool is_help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0;
    if (is_help && argc > 2)
        return run_command(2, (char *[]){argv[2], "--help", NULL});
    if (run_option(argv[1], argv[2]))
        return cli_finish(EXIT_CLEAN);
    return cli_finish(run_command(argc - 1, argv + 1));
}
