/* SPDX-License-Identifier: MIT
 *
 * The reply to hello: name, version, and what the subject offers.
 */
#include "process.h"

#include "../../../codecs/registry.h"
#include "../../core/convert.h"
#include "../cli.h"

#include <stdlib.h>
#include <string.h>

/* Finds the next word and its length. Returns false if there is none. */
static bool next_word(const char **at, const char *end, const char **word, size_t *length)
{
    while (*at < end && **at == ' ')
        ++*at;
    *word = *at;
    while (*at < end && **at != ' ')
        ++*at;
    *length = (size_t)(*at - *word);
    return *length > 0;
}

static bool list_has(const char *list, size_t length, const char *word)
{
    size_t wanted = strlen(word);
    for (const char *at = list, *end = list + length; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        size_t item = (size_t)((comma != NULL ? comma : end) - at);
        if (item == wanted && memcmp(at, word, item) == 0)
            return true;
        at += item + 1;
    }
    return false;
}

static bool has_greeted; /* a restarted subject sends the same greeting again */

/* Warns once in a run about items of a list that assay/1 does not define: a misspelt word would silently omit
 * questions. */
static void warn_of_unknown(const char *what, const char *list, size_t length, bool (*is_known)(const char *word))
{
    for (const char *at = list, *end = list + length; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        size_t item = (size_t)((comma != NULL ? comma : end) - at);
        char *text = escaped(at, item, 80);
        if (item > 0 && !is_known(text) && !has_greeted)
            fprintf(stderr, "assay run: the subject offers the %s '%s', which assay/1 does not have: it is not asked\n",
                    what, text);
        free(text);
        at += item + 1;
    }
}

static bool is_encoding(const char *word)
{
    return signature_find(word) != NULL || registry_reference(word) != NULL;
}

static bool is_operation(const char *word)
{
    for (enum ask ask = 0; ask < ASK_COUNT; ask++)
        if (strcmp(ask_word(ask), word) == 0)
            return true;
    return false;
}

static bool is_policy(const char *word)
{
    for (unsigned policy = 0; policy < POLICY_NONE; policy++)
        if (strcmp(policy_word(policy), word) == 0)
            return true;
    return false;
}

static void read_encodings(struct offer *offer, const char *list, size_t length)
{
    warn_of_unknown("encoding", list, length, is_encoding);
    free(offer->encodings);
    offer->encodings = cli_alloc(length + 3, 1);
    offer->encodings[0] = ',';
    memcpy(offer->encodings + 1, list, length);
    offer->encodings[length + 1] = ',';
}

static void read_ops(struct offer *offer, const char *list, size_t length)
{
    warn_of_unknown("operation", list, length, is_operation);
    for (enum ask ask = 0; ask < ASK_COUNT; ask++)
        offer->ops[ask] = list_has(list, length, ask_word(ask));
}

static void read_policies(struct offer *offer, const char *list, size_t length)
{
    warn_of_unknown("policy", list, length, is_policy);
    for (unsigned policy = 0; policy < POLICY_NONE; policy++)
        offer->policies[policy] = list_has(list, length, policy_word(policy));
}

static void read_pair(struct offer *offer, const char *word, size_t length)
{
    static const struct {
        const char *key;
        void (*read)(struct offer *offer, const char *list, size_t length);
    } lists[] = {{"encodings=", read_encodings}, {"ops=", read_ops}, {"policies=", read_policies}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        size_t key = strlen(lists[i].key);
        if (length >= key && memcmp(word, lists[i].key, key) == 0)
            lists[i].read(offer, word + key, length - key);
    }
    offer->says_chunks |= length >= 7 && memcmp(word, "chunks=", 7) == 0;
    offer->in_pieces &= !(length == 9 && memcmp(word, "chunks=no", 9) == 0);
    offer->is_late |= length == 11 && memcmp(word, "chunks=late", 11) == 0;
}

static void keep_word(char *out, size_t room, const char *word, size_t length)
{
    char *text = escaped(word, length, 80);
    snprintf(out, room, "%s", text);
    free(text);
}

const char *offer_read(struct offer *offer, const char *line, size_t length)
{
    const char *at = line, *end = line + length, *word;
    size_t word_length;
    *offer = (struct offer){.in_pieces = true};
    memset(offer->ops, true, sizeof offer->ops);
    memset(offer->policies, true, sizeof offer->policies);
    offer->policies[POLICY_OWN] = false; /* only a subject that offers a policy has its own way */
    if (!next_word(&at, end, &word, &word_length) || word_length != 5 || memcmp(word, "hello", 5) != 0)
        return "it does not begin with `hello`";
    if (!next_word(&at, end, &word, &word_length) || word_length != 7 || memcmp(word, "assay/1", 7) != 0)
        return "it does not speak assay/1";
    if (!next_word(&at, end, &word, &word_length))
        return "it does not say its name";
    keep_word(offer->name, sizeof offer->name, word, word_length);
    while (next_word(&at, end, &word, &word_length)) {
        if (memchr(word, '=', word_length) != NULL)
            read_pair(offer, word, word_length);
        else if (offer->version[0] == '\0')
            keep_word(offer->version, sizeof offer->version, word, word_length);
    }
    has_greeted = true;
    return NULL;
}

void offer_free(struct offer *offer)
{
    free(offer->encodings);
    offer->encodings = NULL;
}
