/* SPDX-License-Identifier: MIT
 *
 * Claim: no check reports a correct codec that leaves out what codec.h allows, and each question that it cannot be
 * asked is counted as skipped. The test leaves out of partial.c each operation, policy and member of an error, each
 * operation under each policy, and each pair of operations, policies and members. It checks every claim on texts with
 * and without errors.
 */
#include "partial.h"
#include "../core/claim.h"
#include "../core/report.h"
#include "../core/tokens.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLAIM(name) extern const struct claim claim_##name;
#include "../core/claims.def"

static const struct claim *const claims[] = {
#define CLAIM(name) &claim_##name,
#include "../core/claims.def"
};
enum { CLAIM_COUNT = sizeof claims / sizeof claims[0] };

/* The codec in two forms: the registry's copy, and the library's, which leave_out() changes. */
static struct assay_codec *codec;
static const struct assay_codec *as_loaded;
static void (*leave_out)(const char *words);

static const char *left_out = "nothing";
static size_t accusations;

static void complain(const char *claim, const char *what)
{
    fprintf(stderr, "without %s, claim %s: %s\n", left_out, claim, what);
    accusations++;
}

static void on_divergence(void *claim, const struct divergence *divergence)
{
    char key[KEY_SIZE];
    if (divergence->codec != codec)
        return;
    report_key(divergence, key, sizeof key);
    complain(((const struct claim *)claim)->name, key);
}

static void on_breach(void *claim, const struct breach *breach)
{
    if (breach->codec == codec)
        complain(((const struct claim *)claim)->name, law_name(breach->law));
}

struct claim_tally {
    uint64_t asked, skipped;
};

/* Compares the codec only with the reference, so that no other answers are counted. */
static void limit_panel(struct comparer *comparer)
{
    static const struct assay_codec *panel[2];
    comparer_begin(comparer);
    panel[0] = comparer->panel[0];
    panel[1] = codec;
    memcpy(comparer->panel, panel, sizeof panel);
    comparer->panel_size = 2;
}

/* Writes random tokens, errors and characters; the same for the same seed. */
static size_t make_text(const char *encoding, uint8_t *text, size_t room, uint64_t seed)
{
    const struct token_set *set = tokens_of(encoding);
    struct dice dice = {seed};
    size_t count = 0;
    for (;;) {
        const struct token *token = &set->tokens[dice_roll(&dice, set->count)];
        if (token->length > room - count)
            return count;
        memcpy(text + count, token->bytes, token->length);
        count += token->length;
    }
}

static void check_claims(const char *encoding, struct claim_tally tallies[CLAIM_COUNT])
{
    enum { TEXTS = 3, LONGEST = 14 };
    memcpy(codec, as_loaded, sizeof *codec);
    for (size_t i = 0; i < CLAIM_COUNT; i++) {
        struct examiner examiner = {
            .comparer = {.encoding = encoding,
                         .on_divergence = on_divergence,
                         .context = (void *)claims[i],
                         .keep_going = true},
            .effort = THOROUGH,
            .on_breach = on_breach,
        };
        limit_panel(&examiner.comparer);
        for (uint64_t seed = 0; seed < TEXTS; seed++) {
            uint8_t text[LONGEST];
            size_t byte_count = make_text(encoding, text, sizeof text, seed);
            claims[i]->check(&examiner, text, byte_count);
        }
        tallies[i] = (struct claim_tally){examiner.comparer.asked, examiner.comparer.skipped};
        comparer_end(&examiner.comparer);
    }
}

/* A word for leave_out(), and whether it makes fewer questions possible. Members of an error are hidden, but still
 * asked for. */
struct item {
    char words[64];
    bool is_asked_less;
};

enum { ITEMS_MAX = OPERATION_COUNT + ASSAY_POLICY_COUNT + 2 + OPERATION_COUNT * ASSAY_POLICY_COUNT };
static struct item items[ITEMS_MAX];
static size_t item_count, plain_count; /* the number of items; of those before operations under a policy */

static void add_item(const char *words, bool is_asked_less)
{
    snprintf(items[item_count].words, sizeof items[item_count].words, "%s", words);
    items[item_count++].is_asked_less = is_asked_less;
}

/* Lists only what the reference offers. */
static void list_items(void)
{
    static const char *const members[] = {
#define OPERATION(id, member, ...) #member,
#include "../../codecs/operations.def"
    };
    const struct assay_codec *reference = registry_reference(codec->encoding);
    for (enum operation operation = 0; operation < OPERATION_COUNT; operation++)
        if (codec_offers(reference, operation, ASSAY_POLICY_WHATWG))
            add_item(members[operation], true);
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        if (codec_offers(reference, OP_DECODE_UTF32, policy))
            add_item(assay_policy_name(policy), true);
    add_item("offset", false);
    add_item("length", false);
    plain_count = item_count;
    for (enum operation operation = 0; operation < OPERATION_COUNT; operation++)
        for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
            if (operation_has_policy(operation) && codec_offers(reference, operation, policy)) {
                char words[sizeof items[0].words];
                snprintf(words, sizeof words, "%s:%s", members[operation], assay_policy_name(policy));
                add_item(words, true);
            }
}

/* True if the claim checks laws only: then each law is either asked or skipped, and the sum is constant. */
static bool has_laws_only(const struct claim *claim)
{
    return claim == &claim_convert || claim == &claim_promises;
}

static void check_without(const char *encoding, const char *words, bool is_asked_less,
                          const struct claim_tally all[CLAIM_COUNT])
{
    struct claim_tally tallies[CLAIM_COUNT];
    uint64_t skipped = 0, skipped_before = 0;
    left_out = words;
    leave_out(words);
    check_claims(encoding, tallies);
    for (size_t i = 0; i < CLAIM_COUNT; i++) {
        skipped += tallies[i].skipped;
        skipped_before += all[i].skipped;
        if (has_laws_only(claims[i]) && tallies[i].asked + tallies[i].skipped != all[i].asked + all[i].skipped)
            complain(claims[i]->name, "some laws were neither asked nor counted as skipped");
    }
    if (is_asked_less && skipped <= skipped_before)
        complain("any", "nothing was counted as skipped");
}

static void load(const char *encoding, const char *path)
{
    const char *complaint = registry_load(path);
    void *library = complaint == NULL ? dlopen(path, RTLD_NOW) : NULL;
    void *function = library != NULL ? dlsym(library, "partial_leave_out") : NULL;
    if (function == NULL) {
        fprintf(stderr, "partial_test: %s: %s\n", path, complaint != NULL ? complaint : dlerror());
        exit(2);
    }
    memcpy(&leave_out, &function, sizeof leave_out);
    as_loaded = dlsym(library, "assay_codec");
    codec = (struct assay_codec *)registry_find(encoding, "partial")->codec; /* a copy */
}

int main(int argc, char **argv)
{
    struct claim_tally all[CLAIM_COUNT];
    size_t checked = 1;
    const bool is_alone = argc == 4 && strcmp(argv[3], "alone") == 0;
    if (argc != 3 && !is_alone) {
        fprintf(stderr, "usage: %s ENCODING LIBRARY [alone]\nalone: no pairs are left out\n", argv[0]);
        return 2;
    }
    load(argv[1], argv[2]);
    list_items();
    check_claims(argv[1], all);
    for (size_t i = 0; i < item_count; i++, checked++)
        check_without(argv[1], items[i].words, items[i].is_asked_less, all);
    for (size_t i = 0; i < plain_count && !is_alone; i++)
        for (size_t j = i + 1; j < plain_count; j++, checked++) {
            char words[2 * sizeof items[0].words];
            snprintf(words, sizeof words, "%s %s", items[i].words, items[j].words);
            check_without(argv[1], words, items[i].is_asked_less || items[j].is_asked_less, all);
        }
    printf("%s: %zu codecs, %zu accusations\n", argv[1], checked, accusations);
    return accusations > 0 ? 1 : 0;
}
