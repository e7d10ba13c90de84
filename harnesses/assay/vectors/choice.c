/* SPDX-License-Identifier: MIT
 *
 * The choice of cases by the globs of a command line.
 */
#include "vectors.h"

#include "../cli.h"

#include <fnmatch.h>
#include <string.h>

bool choice_matches(const char *glob, const char *id)
{
    char path[256];
    snprintf(path, sizeof path, "%s", id);
    for (char *slash = path; slash != NULL; slash = strrchr(path, '/')) {
        if (slash != path)
            *slash = '\0';
        if (fnmatch(glob, path, 0) == 0)
            return true;
    }
    return false;
}

bool choice_has(const struct choice *choice, const char *id)
{
    for (int i = 0; i < choice->glob_count; i++)
        if (choice_matches(choice->globs[i], id))
            return true;
    return choice->glob_count == 0;
}

bool vectors_have_match(const struct vectors *vectors, const char *glob)
{
    for (size_t i = 0; i < vectors->category_count; i++)
        for (size_t j = 0; j < vectors->categories[i].case_count; j++)
            if (choice_matches(glob, vectors->categories[i].cases[j].id))
                return true;
    return false;
}

void choice_require_matches(const struct choice *choice, const struct vectors *vectors, const char *folder)
{
    for (int i = 0; i < choice->glob_count; i++)
        if (!vectors_have_match(vectors, choice->globs[i]))
            cli_fail("no case in %s matches '%s'", folder, choice->globs[i]);
}
