/* SPDX-License-Identifier: MIT
 *
 * All mistakes of decoders/.
 */
#include "mistake.h"

extern const struct mistake MISTAKE_LISTS_DECLARED;
static const struct mistake *const lists[] = {MISTAKE_LISTS};

const struct mistake *museum_mistake(size_t index)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const struct mistake *mistake = lists[i]; mistake->name != NULL; mistake++)
            if (index-- == 0)
                return mistake;
    return NULL;
}

const char *museum_why_same(const struct mistake *mistake, const char *encoding)
{
    for (size_t i = 0; i < sizeof mistake->same / sizeof mistake->same[0]; i++)
        if (museum_has_word(mistake->same[i].encodings, encoding))
            return mistake->same[i].reason;
    return NULL;
}
