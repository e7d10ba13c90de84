/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include "../../codecs/cpu_vendor.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *expected, *only_encoding;
static bool as_json, as_table;
static const struct cli_option options[] = {
    {"encoding", 'e', "ENCODING", "only codecs of this encoding", &only_encoding, NULL},
    {"long", 'l', NULL, "every codec, what it needs, and whether it runs here (the default on a terminal)", NULL,
     &as_table},
    {"expect", 0, "ISA,...", "fail (exit 2) if this build or CPU cannot run one of these", &expected, NULL},
    {"json", 0, NULL, "every codec, as JSON", NULL, &as_json},
    {0},
};

/* The state of a codec on this CPU, in at most 37 bytes, so that a row fits a terminal of 80 columns. */
static const char *state_of(const struct registry_row *row)
{
    if (row->codec == NULL)
        return "does not run: for another processor";
    if (cpu_is_without(row->needs))
        return "does not run: ASSAY_WITHOUT names it";
    if (!registry_runs(row))
        return "does not run: this CPU lacks it";
    return cpu_emulates(row->needs) ? "runs, emulated: too slow to measure" : "runs";
}

/* The width of the longest "ENCODING/NAME". */
static int name_width(void)
{
    size_t width = 0;
    for (size_t i = 0; i < registry_count(); i++) {
        size_t length = strlen(registry_at(i)->encoding) + 1 + strlen(registry_at(i)->name);
        width = length > width ? length : width;
    }
    return (int)width;
}

static bool isa_runs(const char *isa)
{
    for (size_t i = 0; i < registry_count(); i++)
        if (strcmp(cpu_isa_name(registry_at(i)->needs), isa) == 0 && registry_runs(registry_at(i)))
            return true;
    return false;
}

static void check_exists(const char *name)
{
    struct cli_nearest nearest = {.wanted = name};
    for (enum cpu_isa isa = 0; isa < CPU_ISA_COUNT; isa++) {
        if (strcmp(cpu_isa_name(isa), name) == 0)
            return;
        cli_consider(&nearest, cpu_isa_name(isa));
    }
    cli_fail("--expect: no instruction set is called '%s'%s", name, cli_did_you_mean(&nearest, ""));
}

static void check_expected(void)
{
    char isa[64];
    for (const char *list = expected; cli_next_word("expect", &list, isa, sizeof isa);) {
        check_exists(isa);
        if (!isa_runs(isa))
            cli_fail("%s was expected, and no codec that needs it runs here", isa);
    }
}

static void print_more(FILE *out)
{
    fputs("Without --long, and not on a terminal, only the names of codecs that run, one a line.\n", out);
    fputs("In the environment, ASSAY_WITHOUT=ISA,... removes instruction sets; ASSAY_VENDOR=intel or amd says "
          "for whose processors codecs of x86 are tuned.\n",
          out);
}

static int run(int argc, char **argv)
{
    int count;
    cli_parse(&command_list, argc, argv, &count);
    if (only_encoding != NULL)
        cli_encoding(only_encoding);
    check_expected();
    as_table = as_table || isatty(STDOUT_FILENO);
    json_t *rows = json_array();
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (only_encoding != NULL && strcmp(row->encoding, only_encoding) != 0)
            continue;
        char name[128];
        snprintf(name, sizeof name, "%s/%s", row->encoding, row->name);
        if (as_json)
            json_array_append_new(rows, json_pack("{s:s, s:s*, s:s, s:s, s:b, s:b}", "encoding", row->encoding,
                                                  "iana_mib", cli_encoding_number(row->encoding), "codec", row->name,
                                                  "needs", cpu_isa_name(row->needs), "runs", registry_runs(row),
                                                  "emulated", cpu_emulates(row->needs)));
        else if (as_table)
            printf("%-*s  needs %-6s  %s\n", name_width(), name, cpu_isa_name(row->needs), state_of(row));
        else if (registry_runs(row))
            puts(name);
    }
    if (as_table)
        printf("tuned for %s\n", cpu_is_intel()
                                     ? "Intel: prefetched ASCII; stores past the caches; validation by loads"
                                     : "AMD: ASCII not prefetched; ordinary stores; validation with a shift");
    if (as_json)
        cli_print_json(rows);
    else
        json_decref(rows);
    return EXIT_CLEAN;
}

const struct command command_list = {
    .name = "list",
    .sentence = "every codec: encoding/name, what it needs, whether this CPU runs it",
    .print_more = print_more,
    .options = options,
    .run = run,
};
