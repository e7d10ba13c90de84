/* SPDX-License-Identifier: MIT
 *
 * Names and aliases of encodings, and suggestions for a misspelt one.
 */
#include "internal.h"

#include "../../core/convert.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Aliases in IANA's registry of character sets, with their MIBenum. Names and aliases are compared without regard to
 * case (RFC 2978, section 2.3). The other encodings are not registered; WTF-8 and WTF-16 must not be (WTF-8, section
 * 1). */
static const struct {
    const char *alias, *number, *encoding;
} iana_aliases[] = {
    {"csUTF8", "106", "utf-8"},        {"csCESU8", "1016", "cesu-8"},
    {"csCESU-8", "1016", "cesu-8"}, /* as UTR 26 registers it */
    {"csUTF16BE", "1013", "utf-16be"}, {"csUTF16LE", "1014", "utf-16le"},
};
enum { ALIAS_COUNT = sizeof iana_aliases / sizeof iana_aliases[0] };

const char *cli_encoding_number(const char *encoding)
{
    for (size_t i = 0; i < ALIAS_COUNT; i++)
        if (strcmp(encoding, iana_aliases[i].encoding) == 0)
            return iana_aliases[i].number;
    return NULL;
}

const char *cli_encoding_name(const char *name)
{
    for (size_t i = 0; i < ALIAS_COUNT; i++)
        if (strcasecmp(name, iana_aliases[i].alias) == 0 || strcmp(name, iana_aliases[i].number) == 0)
            return iana_aliases[i].encoding;
    for (size_t i = 0; i < registry_count(); i++)
        if (strcasecmp(name, registry_at(i)->encoding) == 0)
            return registry_at(i)->encoding;
    return name;
}

/* Copies letters and digits only, in lower case: "UTF_8" and "utf8" are the same. */
static void simplify(const char *name, char *out, size_t room)
{
    size_t length = 0;
    for (; *name != '\0' && length + 1 < room; name++)
        if (isalnum((unsigned char)*name))
            out[length++] = (char)tolower((unsigned char)*name);
    out[length] = '\0';
}

/* Writes " (did you mean 'utf-8' or '...'?)", with the encodings that have or begin with the same letters and digits;
 * "" if there are none. */
static void suggest_encodings(const char *encoding, bool by_beginning, char *out, size_t room)
{
    char wanted[64], name[64];
    simplify(encoding, wanted, sizeof wanted);
    out[0] = '\0';
    for (size_t i = 0; i < registry_count() && wanted[0] != '\0'; i++) {
        simplify(registry_at(i)->encoding, name, sizeof name);
        if (registry_is_reference(registry_at(i)) &&
            strncmp(name, wanted, by_beginning ? strlen(wanted) : sizeof name) == 0)
            snprintf(out + strlen(out), room - strlen(out), "%s '%s'", out[0] == '\0' ? " (did you mean" : " or",
                     registry_at(i)->encoding);
    }
    if (out[0] != '\0')
        snprintf(out + strlen(out), room - strlen(out), "?)");
}

const struct assay_codec *cli_encoding(const char *encoding)
{
    const struct assay_codec *reference = registry_reference(cli_encoding_name(encoding));
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
            cli_fail(
                "an encoding is never guessed here: the same bytes are text in several, and CESU-8, for one, should not be "
                "auto-detected (UTR 26). Ask whoever wrote them, then name one of:%s",
                known);
    const struct signature *signature = signature_find(encoding);
    if (signature != NULL)
        cli_fail("%s is %s that may begin with a signature; name %s, or remove it with: assay convert %s %s",
                 signature->name, signature->encoding, signature->encoding, signature->name, signature->encoding);
    char suggestion[512];
    suggest_encodings(encoding, false, suggestion, sizeof suggestion);
    if (suggestion[0] == '\0')
        suggest_encodings(encoding, true, suggestion, sizeof suggestion);
    if (suggestion[0] != '\0')
        cli_fail("there is no encoding '%s'%s; there are:%s", encoding, suggestion, known);
    struct cli_nearest nearest = {.wanted = encoding};
    for (size_t i = 0; i < registry_count(); i++)
        if (registry_is_reference(registry_at(i)))
            cli_consider(&nearest, registry_at(i)->encoding);
    cli_fail("there is no encoding '%s'%s; there are:%s", encoding, cli_did_you_mean(&nearest, ""), known);
}
