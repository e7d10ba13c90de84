/* SPDX-License-Identifier: MIT
 *
 * The codecs that --codec and options like it load, and those that the environment variable ASSAY_CODECS names for
 * every command and every fuzz target: paths, with colons between them. A command asks the codecs of the environment
 * that have the encoding it is about; a codec named by an option must have it.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { LOADED_MAX = 16 };
static struct loaded {
    const char *option, *library; /* the option that names it; NULL: ASSAY_CODECS does */
    size_t row;                   /* in the registry, once it is loaded */
    bool is_heard;
} loaded[LOADED_MAX];
static size_t loaded_count;

void cli_add_library(const char *option, const char *library)
{
    if (loaded_count == LOADED_MAX)
        cli_fail("%s: no more than %d libraries at once", library, LOADED_MAX);
    loaded[loaded_count++] = (struct loaded){.option = option, .library = library};
}

static void load(struct loaded *one)
{
    cli_start_supervisor();
    cli_divert_codecs();
    cli_call_begins("the loading of %s", one->library);
    const char *complaint = registry_load(one->library);
    cli_call_ends();
    if (complaint != NULL)
        cli_fail("%s%s: %s", one->option != NULL ? "--" : "", one->option != NULL ? one->option : "ASSAY_CODECS",
                 complaint);
    one->row = registry_count() - 1;
}

/* True if an option, or an earlier word of ASSAY_CODECS, names the library. */
static bool is_named(const char *library)
{
    for (const struct loaded *one = loaded; one < loaded + loaded_count; one++)
        if (strcmp(one->library, library) == 0)
            return true;
    return false;
}

static void add_libraries_of_environment(void)
{
    const char *paths = getenv("ASSAY_CODECS");
    while (paths != NULL && *paths != '\0') {
        size_t length = strcspn(paths, ":");
        char *library = memcpy(cli_alloc(length + 1, 1), paths, length);
        if (length > 0 && !is_named(library))
            cli_add_library(NULL, library);
        paths += length + (paths[length] == ':');
    }
}

void cli_load_libraries(void)
{
    add_libraries_of_environment();
    for (struct loaded *one = loaded; one < loaded + loaded_count; one++)
        load(one);
}

void cli_load(const char *option, const char *library)
{
    char *name = cli_alloc(strlen(library) + 1, 1);
    cli_add_library(option, strcpy(name, library));
    load(&loaded[loaded_count - 1]);
}

void cli_require_loaded_asked(bool (*is_asked)(const void *context, const struct registry_row *row),
                              const void *context, const char *why)
{
    for (const struct loaded *one = loaded; one < loaded + loaded_count; one++) {
        const struct registry_row *row = registry_at(one->row);
        if (one->option != NULL && !is_asked(context, row))
            cli_fail("--%s: %s is %s/%s, and nothing would be asked of it: %s", one->option, one->library,
                     row->encoding, row->name, why);
    }
}

void cli_require_loaded_chosen(bool (*is_asked)(const void *context, const struct registry_row *row),
                               const void *context)
{
    char why[64];
    snprintf(why, sizeof why, "see assay %s --help", cli_current_command);
    cli_require_loaded_asked(is_asked, context, why);
}

static bool has_encoding(const void *encoding, const struct registry_row *row)
{
    return strcmp(row->encoding, encoding) == 0;
}

void cli_require_loaded_encoding(const char *encoding)
{
    char why[128];
    snprintf(why, sizeof why, "the encoding here is %.60s (-e)", encoding);
    cli_require_loaded_asked(has_encoding, encoding, why);
}

const struct registry_row *cli_loaded_codec(const char **library)
{
    const struct loaded *found = NULL;
    for (const struct loaded *one = loaded; one < loaded + loaded_count; one++) {
        if (found != NULL && one->option != NULL)
            cli_fail("--%s: one library at a time", one->option);
        if (one->option != NULL)
            found = one;
    }
    if (found == NULL)
        return NULL;
    *library = found->library;
    return registry_at(found->row);
}

void cli_note_answered(const struct assay_codec *codec)
{
    for (struct loaded *one = loaded; one < loaded + loaded_count; one++)
        one->is_heard |= registry_at(one->row)->codec == codec;
}

void cli_require_loaded_answered(void)
{
    for (const struct loaded *one = loaded; one < loaded + loaded_count; one++)
        if (one->option != NULL && !one->is_heard)
            cli_fail("--%s: nothing was asked of %s/%s that it answers", one->option, registry_at(one->row)->encoding,
                     registry_at(one->row)->name);
}

void cli_print_libraries(FILE *out)
{
    for (const struct loaded *one = loaded; one < loaded + loaded_count; one++) {
        fputs(" --codec ", out);
        cli_quote(out, one->library);
    }
}

bool cli_is_loaded(const struct assay_codec *codec)
{
    for (const struct loaded *one = loaded; one < loaded + loaded_count; one++)
        if (registry_at(one->row)->codec == codec)
            return true;
    return false;
}

void cli_print_environment(FILE *out)
{
    for (const struct loaded *one = loaded; one < loaded + loaded_count; one++) {
        if (one->option != NULL)
            continue;
        fputs(" --codec ", out);
        cli_quote(out, one->library);
    }
}

void cli_print_loaded(FILE *out, const struct assay_codec *codec)
{
    for (const struct loaded *one = loaded; one < loaded + loaded_count; one++) {
        if (registry_at(one->row)->codec != codec)
            continue;
        fputs(" --codec ", out);
        cli_quote(out, one->library);
    }
}
