/* SPDX-License-Identifier: MIT
 *
 * The codecs that --codec and options like it load.
 */
#include "internal.h"

#include <string.h>

enum { LOADED_MAX = 16 };
static struct loaded {
    const char *option, *library; /* the option that names it */
    size_t row;                   /* in the registry, once it is loaded */
    bool is_heard;
} loaded[LOADED_MAX];
static size_t loaded_count;
void cli_add_library(const char *option, const char *library)
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

void cli_load_libraries(void)
{
    for (struct loaded *one = loaded; one < loaded + loaded_count; one++)
        load(one);
}

void cli_load(const char *option, const char *library)
{
    char *name = cli_alloc(strlen(library) + 1, 1);
    cli_add_library(option, strcpy(name, library));
    load(&loaded[loaded_count - 1]);
}

void cli_loaded_are_asked(bool (*is_asked)(const void *context, const struct registry_row *row), const void *context)
{
    for (const struct loaded *one = loaded; one < loaded + loaded_count; one++) {
        const struct registry_row *row = registry_at(one->row);
        if (!is_asked(context, row))
            cli_fail("--%s: %s is %s/%s, and nothing would be asked of it; see assay %s --help", one->option,
                     one->library, row->encoding, row->name, cli_current_command);
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
