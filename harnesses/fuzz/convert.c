/* SPDX-License-Identifier: MIT
 *
 * Claim: conversions between the encodings of the family obey the laws that their documents state or imply. There are
 * no expected values: each law compares one conversion with another.
 */
#include "../core/claim.h"
#include "../core/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENCODINGS_MAX = 32, CODECS_MAX = 64, SLOTS = 4 };

/* An input in the encoding of `codec`, with random choices: a third encoding, a target encoding, a policy, a cut. */
struct trial {
    const struct assay_codec *codec, *through, *to;
    enum assay_policy policy;
    const uint8_t *bytes;
    size_t byte_count, cut;
};

/* A codec does not offer what the law needs: the law is skipped. */
static bool is_not_offered;

/* The output of a conversion. `made` is false if the conversion failed or is not offered. */
struct string {
    bool made;
    const uint8_t *bytes;
    size_t byte_count;
};

/* Policies that every encoding offers. */
static const enum assay_policy policies[] = {ASSAY_POLICY_STRICT, ASSAY_POLICY_WHATWG, ASSAY_POLICY_PER_RUN,
                                             ASSAY_POLICY_SKIP};
enum { POLICIES = sizeof policies / sizeof policies[0] };

/* Each slot keeps the output of the last conversion into it. Laws compare slots, so they are placed differently: what a
 * decoder writes must not depend on where. */
static struct converter slots[SLOTS] = {
    {.placement = AT_END}, {.placement = AT_BEGIN}, {.placement = AT_END}, {.placement = AT_BEGIN}};

static struct string string_in(size_t slot, enum outcome outcome)
{
    is_not_offered |= outcome == NOT_OFFERED;
    return (struct string){outcome == CONVERTED, slots[slot].bytes, slots[slot].byte_count};
}

static struct string convert_into(size_t slot, const struct assay_codec *from, const struct assay_codec *to,
                                  enum assay_policy policy, const uint8_t *bytes, size_t byte_count)
{
    struct form source = {from, NULL}, target = {to, NULL};
    return string_in(slot, convert(&slots[slot], &source, &target, policy, bytes, byte_count));
}

static bool is_same(const struct string *a, const struct string *b)
{
    return a->made == b->made &&
           (!a->made || (a->byte_count == b->byte_count && memcmp(a->bytes, b->bytes, a->byte_count) == 0));
}

/* ---- facts about encodings ------------------------------------------------------------------------- */

/* `wider`: an encoding in which all well-formed bytes of this one are well-formed and have the same meaning. `order`:
 * the order in which bytes compare. */
static const struct encoding_facts {
    const char *encoding, *wider;
    enum order { NO_ORDER, BY_CODE_POINT, BY_CODE_UNIT } order;
} facts[] = {
    {"utf-8", "wtf-8", BY_CODE_POINT},          {"wtf-8", "generalized-utf-8", BY_CODE_POINT},
    {"generalized-utf-8", NULL, BY_CODE_POINT}, {"cesu-8", "cesu-8-jdk", BY_CODE_UNIT}, /* UTR 26, section 1 */
    {"cesu-8-jdk", NULL, BY_CODE_UNIT},         {"mutf-8", "mutf-8-readutf", NO_ORDER}, /* because of C0 80 */
    {"mutf-8-readutf", NULL, NO_ORDER},         {"utf-16le", "wtf-16le", NO_ORDER},
    {"utf-16be", "wtf-16be", BY_CODE_UNIT},     {"wtf-16le", NULL, NO_ORDER},
    {"wtf-16be", NULL, BY_CODE_UNIT},
};

/* Every text of every encoding can be written in this one, except for pairs of surrogate code points. */
static const char units_of_all[] = "wtf-16be";

static const struct encoding_facts *find_facts(const char *encoding)
{
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (strcmp(facts[i].encoding, encoding) == 0)
            return &facts[i];
    fprintf(stderr, "assay: the order of %s is not known; add its row to harnesses/fuzz/convert.c\n", encoding);
    exit(2);
}

static bool both_are_utf16(const struct assay_codec *a, const struct assay_codec *b)
{
    return encoding_is_utf16(a) && encoding_is_utf16(b);
}

/* True if surrogates survive this conversion. UTF-16 accepts them from encodings of bytes that hold them, but not from
 * WTF-16. */
static bool passes_surrogates(const struct assay_codec *from, const struct assay_codec *to)
{
    return encoding_holds_surrogates(encoding_is_utf16(to) && !encoding_is_utf16(from) ? from : to);
}

static bool validates(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count)
{
    is_not_offered |= codec->validate == NULL;
    return codec->validate != NULL && ask_well_formed(codec, bytes, byte_count, NULL);
}

/* ---- laws --------------------------------------------------------------------------------------------- */

/* Well-formed text converts to every encoding that holds it, and back to the same bytes (for UTF-16: WTF-8, 6.3). Text
 * that UTF-16 does not accept from WTF-16 is skipped. */
static bool text_comes_back(const struct trial *trial)
{
    const struct assay_codec *codec = trial->codec;
    struct string there = convert_into(0, codec, trial->to, ASSAY_POLICY_STRICT, trial->bytes, trial->byte_count);
    bool is_well_formed = validates(codec, trial->bytes, trial->byte_count);
    bool is_text = is_well_formed ||
                   (encoding_is_utf16(codec) && encoding_holds_surrogates(trial->to) && trial->byte_count % 2 == 0);
    bool is_held = (!encoding_holds_surrogates(codec) || passes_surrogates(codec, trial->to)) &&
                   !(encoding_is_utf16(trial->to) && has_surrogate_pair(codec, trial->bytes, trial->byte_count));
    if (!there.made)
        return !(is_text && is_held);
    if (!is_well_formed && both_are_utf16(codec, trial->to))
        return true;
    struct string back = convert_into(1, trial->to, codec, ASSAY_POLICY_STRICT, there.bytes, there.byte_count);
    return !spelling_is_canonical(codec, trial->bytes, trial->byte_count) ||
           (back.made && back.byte_count == trial->byte_count &&
            memcmp(back.bytes, trial->bytes, back.byte_count) == 0);
}

/* A conversion through a third encoding that holds the text gives the output of the direct conversion. */
static bool ways_agree(const struct trial *trial)
{
    const struct assay_codec *codec = trial->codec, *through = trial->through, *to = trial->to;
    struct string between = convert_into(0, codec, through, ASSAY_POLICY_STRICT, trial->bytes, trial->byte_count);
    if (!between.made || !spelling_is_canonical(codec, trial->bytes, trial->byte_count) ||
        (both_are_utf16(through, to) && encoding_holds_surrogates(codec)) ||
        (both_are_utf16(codec, to) && encoding_holds_surrogates(through)))
        return true;
    struct string direct = convert_into(1, codec, to, trial->policy, trial->bytes, trial->byte_count);
    struct string indirect = convert_into(2, through, to, trial->policy, between.bytes, between.byte_count);
    return is_same(&direct, &indirect);
}

/* True if a pair of surrogate code points (WTF-8, 4.1) is an error in only one of the two ways: only UTF-16 refuses
 * it. */
static bool pairs_are_errors_in_one(const struct trial *trial, const struct string *between)
{
    struct string own = convert_into(3, trial->codec, trial->codec, trial->policy, trial->bytes, trial->byte_count);
    return (encoding_is_utf16(trial->to) && has_surrogate_pair(trial->through, between->bytes, between->byte_count)) ||
           (encoding_is_utf16(trial->through) != encoding_is_utf16(trial->to) && own.made &&
            has_surrogate_pair(trial->codec, own.bytes, own.byte_count));
}

/* The first conversion replaces all errors; a second one, to an encoding that holds the same text, finds none. */
static bool errors_are_met_once(const struct trial *trial)
{
    const struct assay_codec *codec = trial->codec, *through = trial->through, *to = trial->to;
    struct string between = convert_into(0, codec, through, trial->policy, trial->bytes, trial->byte_count);
    if (!between.made || passes_surrogates(codec, through) != passes_surrogates(codec, to) ||
        (both_are_utf16(through, to) && encoding_holds_surrogates(codec)) || pairs_are_errors_in_one(trial, &between))
        return true;
    struct string direct = convert_into(1, codec, to, trial->policy, trial->bytes, trial->byte_count);
    struct string indirect = convert_into(2, through, to, ASSAY_POLICY_STRICT, between.bytes, between.byte_count);
    if (direct.made && indirect.made && !spelling_is_canonical(to, direct.bytes, direct.byte_count)) {
        /* Only one of the two ways may have joined surrogate pairs (WTF-8, 6.1); going through WTF-8 joins them in
         * both. */
        const struct assay_codec *wtf8 = registry_reference("wtf-8");
        direct = convert_into(0, to, wtf8, ASSAY_POLICY_STRICT, direct.bytes, direct.byte_count);
        indirect = convert_into(3, to, wtf8, ASSAY_POLICY_STRICT, indirect.bytes, indirect.byte_count);
    }
    return is_same(&direct, &indirect);
}

/* The output under a policy is well-formed, and converting it again does not change it. */
static bool conversion_is_final(const struct trial *trial)
{
    const struct assay_codec *codec = trial->codec;
    struct string once = convert_into(0, codec, codec, trial->policy, trial->bytes, trial->byte_count);
    if (!once.made)
        return trial->policy == ASSAY_POLICY_STRICT;
    struct string again = convert_into(1, codec, codec, trial->policy, once.bytes, once.byte_count);
    return validates(codec, once.bytes, once.byte_count) && is_same(&once, &again);
}

/* Makes the parts before and after the cut well-formed, in slots 0 and 1. Returns false if either fails. */
static bool split_at_cut(const struct trial *trial, struct string *left, struct string *right)
{
    const struct assay_codec *codec = trial->codec;
    *left = convert_into(0, codec, codec, ASSAY_POLICY_SKIP, trial->bytes, trial->cut);
    *right =
        convert_into(1, codec, codec, ASSAY_POLICY_SKIP, trial->bytes + trial->cut, trial->byte_count - trial->cut);
    return left->made && right->made;
}

static struct string concatenate_strings(struct converter *joined, const struct assay_codec *codec,
                                         const struct string *left, const struct string *right)
{
    enum outcome outcome = concatenate(joined, codec, left->bytes, left->byte_count, right->bytes, right->byte_count);
    is_not_offered |= outcome == NOT_OFFERED;
    return (struct string){outcome == CONVERTED, joined->bytes, joined->byte_count};
}

/* concat() gives the concatenation in UTF-16 (WTF-8, 6.5: convert both, concatenate, convert back), except for pairs of
 * surrogate code points, which UTF-16 refuses (4.1). */
static bool strings_join_as_utf16_does(const struct trial *trial)
{
    static struct converter buffer;
    const struct assay_codec *codec = trial->codec, *utf16 = registry_reference(units_of_all);
    struct string left, right;
    if (!split_at_cut(trial, &left, &right))
        return true;
    if (!concatenate_strings(&buffer, codec, &left, &right).made)
        return false;
    struct string first = convert_into(2, codec, utf16, ASSAY_POLICY_STRICT, left.bytes, left.byte_count);
    struct string second = convert_into(3, codec, utf16, ASSAY_POLICY_STRICT, right.bytes, right.byte_count);
    struct string whole = convert_into(0, codec, utf16, ASSAY_POLICY_STRICT, buffer.bytes, buffer.byte_count);
    if (has_surrogate_pair(codec, buffer.bytes, buffer.byte_count))
        return !whole.made;
    if (!first.made || !second.made || !whole.made || whole.byte_count != first.byte_count + second.byte_count ||
        memcmp(whole.bytes, first.bytes, first.byte_count) != 0 ||
        memcmp(whole.bytes + first.byte_count, second.bytes, second.byte_count) != 0)
        return false;
    struct string back = convert_into(1, utf16, codec, ASSAY_POLICY_STRICT, whole.bytes, whole.byte_count);
    return !spelling_is_canonical(codec, buffer.bytes, buffer.byte_count) ||
           (back.made && back.byte_count == buffer.byte_count &&
            memcmp(back.bytes, buffer.bytes, back.byte_count) == 0);
}

/* Text that is cut at a boundary and concatenated again is unchanged. */
static bool cuts_are_undone(const struct trial *trial)
{
    static struct converter buffer;
    const struct assay_codec *codec = trial->codec;
    struct string text = convert_into(0, codec, codec, ASSAY_POLICY_SKIP, trial->bytes, trial->byte_count);
    is_not_offered |= codec->boundary == NULL;
    if (!text.made || codec->boundary == NULL || trial->cut > text.byte_count)
        return true;
    size_t at = ask_boundary(codec, text.bytes, text.byte_count, trial->cut);
    if (at > trial->cut)
        return false;
    struct string left = {true, text.bytes, at}, right = {true, text.bytes + at, text.byte_count - at};
    struct string joined = concatenate_strings(&buffer, codec, &left, &right);
    return is_same(&joined, &text);
}

static int compare_bytes(const struct string *a, const struct string *b)
{
    size_t shared = a->byte_count < b->byte_count ? a->byte_count : b->byte_count;
    int difference = memcmp(a->bytes, b->bytes, shared);
    if (difference != 0)
        return difference > 0 ? 1 : -1;
    return (a->byte_count > b->byte_count) - (a->byte_count < b->byte_count);
}

/* Returns the code point (or lone surrogate) at *at in UTF-16BE, and advances *at past it. */
static uint32_t next_code_point(const struct string *text, size_t *at)
{
    const uint8_t *bytes = text->bytes + *at;
    uint32_t unit = (uint32_t)(bytes[0] << 8 | bytes[1]);
    bool is_pair = (bytes[0] & 0xFC) == 0xD8 && *at + 2 < text->byte_count && (bytes[2] & 0xFC) == 0xDC;
    *at += is_pair ? 4 : 2;
    return is_pair ? 0x10000 + ((unit & 0x3FF) << 10) + (uint32_t)((bytes[2] & 3) << 8 | bytes[3]) : unit;
}

static int compare_code_points(const struct string *a, const struct string *b)
{
    size_t at_a = 0, at_b = 0;
    while (at_a < a->byte_count && at_b < b->byte_count) {
        uint32_t left = next_code_point(a, &at_a), right = next_code_point(b, &at_b);
        if (left != right)
            return left > right ? 1 : -1;
    }
    return (at_a < a->byte_count) - (at_b < b->byte_count);
}

/* Returns whole characters of well-formed text, from the character at `place` on, at most LONGEST bytes. */
static struct string part_of(const struct string *text, const struct assay_codec *reference, size_t place)
{
    enum { LONGEST = 24 };
    size_t begin = reference->boundary(text->bytes, text->byte_count, place);
    size_t end = text->byte_count - begin > LONGEST
                     ? reference->boundary(text->bytes, text->byte_count, begin + LONGEST)
                     : text->byte_count;
    return (struct string){true, text->bytes + begin, end - begin};
}

/* Encodes a character next to which the order or the length changes. */
static struct string landmark(const struct assay_codec *codec, size_t number)
{
    static const uint32_t landmarks[] = {0x7F, 0x7FF, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
    static uint8_t bytes[ASSAY_ENCODED_MAX(1)];
    const uint32_t *character = &landmarks[number % (sizeof landmarks / sizeof landmarks[0])];
    is_not_offered |= codec->encode_utf32 == NULL;
    if (codec->encode_utf32 == NULL)
        return (struct string){0};
    asking_directly(codec,
                    (struct question){
                        .operation = OP_ENCODE_UTF32, .input = character, .input_count = 1, .capacity = sizeof bytes});
    struct assay_result encoded = codec->encode_utf32(ASSAY_POLICY_STRICT, character, 1, bytes, sizeof bytes);
    asking_ends();
    is_not_offered |= encoded.status == ASSAY_UNSUPPORTED;
    return (struct string){encoded.status == ASSAY_OK, bytes, encoded.written};
}

/* True if comparing bytes orders pairs of parts of the text as compare_utf16 does. */
static bool order_agrees_with(int (*compare_utf16)(const struct string *a, const struct string *b),
                              const struct trial *trial)
{
    enum { PAIRS = 14 };
    const struct assay_codec *codec = trial->codec, *reference = registry_reference(codec->encoding);
    const struct assay_codec *utf16 = registry_reference(units_of_all);
    struct string text = convert_into(0, codec, codec, ASSAY_POLICY_SKIP, trial->bytes, trial->byte_count);
    if (!text.made || !spelling_is_canonical(codec, text.bytes, text.byte_count))
        return true;
    for (size_t i = 0; i < PAIRS; i++) {
        struct string left = part_of(&text, reference, (trial->cut + i) % (text.byte_count + 1));
        struct string right = i % 2 == 0 ? landmark(codec, i / 2)
                                         : part_of(&text, reference, trial->cut * (i + 2) % (text.byte_count + 1));
        if (!right.made)
            return false;
        struct string first = convert_into(1, codec, utf16, ASSAY_POLICY_STRICT, left.bytes, left.byte_count);
        struct string second = convert_into(2, codec, utf16, ASSAY_POLICY_STRICT, right.bytes, right.byte_count);
        if (!first.made || !second.made)
            return false;
        if (compare_bytes(&left, &right) != compare_utf16(&first, &second))
            return false;
    }
    return true;
}

static bool order_is_that_of_code_points(const struct trial *trial)
{
    return find_facts(trial->codec->encoding)->order != BY_CODE_POINT || order_agrees_with(compare_code_points, trial);
}

static bool order_is_that_of_code_units(const struct trial *trial)
{
    return find_facts(trial->codec->encoding)->order != BY_CODE_UNIT || order_agrees_with(compare_bytes, trial);
}

/* Well-formed bytes are well-formed in the wider encoding, and decode to the same text. */
static bool wider_encoding_agrees(const struct trial *trial)
{
    const char *wider = find_facts(trial->codec->encoding)->wider;
    if (wider == NULL || !validates(trial->codec, trial->bytes, trial->byte_count))
        return true;
    const struct assay_codec *utf16 = registry_reference(units_of_all), *other = registry_reference(wider);
    struct string here = convert_into(0, trial->codec, utf16, ASSAY_POLICY_STRICT, trial->bytes, trial->byte_count);
    struct string there = convert_into(1, other, utf16, ASSAY_POLICY_STRICT, trial->bytes, trial->byte_count);
    return is_same(&here, &there) && there.made;
}

/* Lossy conversion from WTF-8 to UTF-8 replaces each surrogate in place, 3 bytes by 3 (WTF-8, 6.4). */
static bool loss_is_three_for_three(const struct trial *trial)
{
    static struct converter copy;
    const struct assay_codec *wtf8 = registry_reference("wtf-8"), *utf8 = registry_reference("utf-8");
    if (strcmp(trial->codec->encoding, "wtf-8") != 0)
        return true;
    enum outcome outcome = concatenate(&copy, wtf8, trial->bytes, trial->byte_count, NULL, 0);
    struct string in_place = {outcome == CONVERTED, copy.bytes, copy.byte_count};
    if (!in_place.made)
        return true;
    for (size_t at = 0; at + 2 < in_place.byte_count; at++)
        if (copy.bytes[at] == 0xED && copy.bytes[at + 1] >= 0xA0)
            memcpy(copy.bytes + at, (uint8_t[]){0xEF, 0xBF, 0xBD}, 3);
    struct string lossy = convert_into(0, trial->codec, utf8, ASSAY_POLICY_WHATWG, trial->bytes, trial->byte_count);
    return is_same(&lossy, &in_place);
}

/* ---- the claim --------------------------------------------------------------------------------------- */

/* A law, its check, and the random choices of a trial that the check uses. */
static const struct law_check {
    enum law law;
    bool (*holds)(const struct trial *trial);
    enum { POLICY = 1, THROUGH = 2, TO = 4, CUT = 8 } choices;
} law_checks[] = {
    {LAW_TEXT_BACK, text_comes_back, TO},
    {LAW_WAYS, ways_agree, POLICY | THROUGH | TO},
    {LAW_ERRORS, errors_are_met_once, POLICY | THROUGH | TO},
    {LAW_FINAL, conversion_is_final, POLICY},
    {LAW_JOINING, strings_join_as_utf16_does, CUT},
    {LAW_CUTS, cuts_are_undone, CUT},
    {LAW_CODE_POINTS, order_is_that_of_code_points, CUT},
    {LAW_CODE_UNITS, order_is_that_of_code_units, CUT},
    {LAW_WIDER, wider_encoding_agrees, 0},
    {LAW_LOSS, loss_is_three_for_three, 0},
};
enum { LAW_CHECKS = sizeof law_checks / sizeof law_checks[0] };

/* The reference of each encoding, and all codecs of `encoding`. */
static struct {
    const char *encoding;
    const struct assay_codec *family[ENCODINGS_MAX], *codecs[CODECS_MAX];
    size_t family_size, codec_count;
} panel;

static void find_panel(const char *encoding)
{
    if (panel.encoding == encoding)
        return;
    panel.encoding = encoding;
    panel.family_size = panel.codec_count = 0;
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (registry_is_reference(row) && registry_scheme(row->encoding) == NULL && panel.family_size < ENCODINGS_MAX)
            panel.family[panel.family_size++] = row->codec;
        if (registry_runs(row) && strcmp(row->encoding, encoding) == 0 && panel.codec_count < CODECS_MAX)
            panel.codecs[panel.codec_count++] = row->codec;
    }
}

static void choose(struct dice *dice, struct trial *trial)
{
    trial->through = panel.family[dice_roll(dice, panel.family_size)];
    trial->to = panel.family[dice_roll(dice, panel.family_size)];
    trial->policy = policies[dice_roll(dice, POLICIES)];
    trial->cut = dice_roll(dice, trial->byte_count + 1);
}

/* Describes the choices that the check uses; NULL if it uses none. Valid until the next call. */
static const char *describe_choices(const struct law_check *law_check, const struct trial *trial)
{
    static char words[160];
    size_t length = 0;
    if (law_check->choices & POLICY)
        length += (size_t)snprintf(words, sizeof words, "policy %s", assay_policy_name(trial->policy));
    if (law_check->choices & THROUGH)
        length += (size_t)snprintf(words + length, sizeof words - length, ", through %s", trial->through->encoding);
    if (law_check->choices & TO)
        length += (size_t)snprintf(words + length, sizeof words - length, "%sto %s", length > 0 ? ", " : "",
                                   trial->to->encoding);
    if (law_check->choices & CUT)
        length += (size_t)snprintf(words + length, sizeof words - length, "cut at %zu", trial->cut);
    return length > 0 ? words : NULL;
}

static void check_law(struct examiner *examiner, const struct law_check *law_check, const struct trial *trial)
{
    is_not_offered = false;
    bool holds = law_check->holds(trial);
    if (is_not_offered) {
        claim_skip(examiner);
        return;
    }
    claim_law(examiner, holds,
              &(struct breach){trial->codec, law_check->law, trial->bytes, trial->byte_count, NULL,
                               holds ? NULL : describe_choices(law_check, trial)});
}

static void check(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    enum { ROUNDS = 24, LARGE = 4096, FEW = 2 };
    static const uint8_t nothing[1];
    struct dice dice = claim_begin(examiner, bytes, byte_count);
    struct trial trial = {.bytes = byte_count > 0 ? bytes : nothing, .byte_count = byte_count};
    if (registry_scheme(examiner->comparer.encoding) != NULL)
        return; /* the laws apply only to the UTF family */
    find_panel(examiner->comparer.encoding);
    if (examiner->effort == SAMPLED) {
        trial.codec = panel.codecs[dice_roll(&dice, panel.codec_count)];
        const struct law_check *law_check = &law_checks[dice_roll(&dice, LAW_CHECKS)];
        choose(&dice, &trial);
        check_law(examiner, law_check, &trial);
        return;
    }
    for (size_t round = 0; round < (byte_count > LARGE ? FEW : ROUNDS); round++) {
        choose(&dice, &trial);
        for (size_t i = 0; i < panel.codec_count; i++) {
            trial.codec = panel.codecs[i];
            for (size_t law_check = 0; law_check < LAW_CHECKS; law_check++)
                check_law(examiner, &law_checks[law_check], &trial);
        }
    }
}

const struct claim claim_convert = {
    "convert", "conversions between the encodings of the family obey the laws of their documents", check};
