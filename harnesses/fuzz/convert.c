/* SPDX-License-Identifier: MIT
 *
 * Claim: conversions between the encodings of the family keep to the laws that their documents state or imply. No
 * expected value is written down: what is compared is always one conversion with another.
 */
#include "../core/claim.h"
#include "../core/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENCODINGS_MAX = 32, CODECS_MAX = 64, BENCHES = 4 };

/* One question: a codec of the encoding that the bytes are in, and what chance adds. */
struct trial {
    const struct assay_codec *codec, *through, *to;
    enum assay_policy policy;
    const uint8_t *bytes;
    size_t byte_count, cut;
};

/* Whether something that a law needs is not offered by one of the codecs: then the law decides nothing. */
static bool needs_more;

/* Bytes in an encoding; `made` is false if there are none, because of an error, or because that is not offered. */
struct string {
    bool made;
    const uint8_t *bytes;
    size_t byte_count;
};

/* Policies that every encoding offers. */
static const enum assay_policy policies[] = {ASSAY_POLICY_STRICT, ASSAY_POLICY_WHATWG, ASSAY_POLICY_PER_RUN, ASSAY_POLICY_SKIP};
enum { POLICIES = sizeof policies / sizeof policies[0] };

/* Each bench holds what was made on it last. */
static struct converter benches[BENCHES];

static struct string made_on(size_t bench, enum outcome outcome)
{
    needs_more |= outcome == NOT_OFFERED;
    return (struct string){outcome == CONVERTED, benches[bench].bytes, benches[bench].byte_count};
}

static struct string turn(size_t bench, const struct assay_codec *from, const struct assay_codec *to, enum assay_policy policy,
                          const uint8_t *bytes, size_t byte_count)
{
    struct form source = {from, false}, target = {to, false};
    return made_on(bench, convert(&benches[bench], &source, &target, policy, bytes, byte_count));
}

static bool is_same(const struct string *a, const struct string *b)
{
    return a->made == b->made &&
           (!a->made || (a->byte_count == b->byte_count && memcmp(a->bytes, b->bytes, a->byte_count) == 0));
}

/* ---- what the laws know of an encoding ------------------------------------------------------------- */

/* An encoding that takes more: what is well-formed here is so there, and says the same. And by what binary order goes. */
static const struct relative {
    const char *encoding, *wider;
    enum order { NO_ORDER, BY_CODE_POINT, BY_CODE_UNIT } order;
} relatives[] = {
    {"utf-8", "wtf-8", BY_CODE_POINT},
    {"wtf-8", "generalized-utf-8", BY_CODE_POINT},
    {"generalized-utf-8", NULL, BY_CODE_POINT},
    {"cesu-8", "cesu-8-jdk", BY_CODE_UNIT}, /* UTR 26, section 1 */
    {"cesu-8-jdk", NULL, BY_CODE_UNIT},
    {"mutf-8", "mutf-8-readutf", NO_ORDER}, /* for C0 80 */
    {"mutf-8-readutf", NULL, NO_ORDER},
    {"utf-16le", NULL, NO_ORDER},
    {"utf-16be", NULL, BY_CODE_UNIT},
};

static const struct relative *find_relative(const char *encoding)
{
    for (size_t i = 0; i < sizeof relatives / sizeof relatives[0]; i++)
        if (strcmp(relatives[i].encoding, encoding) == 0)
            return &relatives[i];
    fprintf(stderr, "assay: no order is known of %s; it needs a row in harnesses/fuzz/convert.c\n", encoding);
    exit(2);
}

/* Whether surrogates pass from one to the other: UTF-16 holds what it is given by those who hold them. */
static bool passes_surrogates(const struct assay_codec *from, const struct assay_codec *to)
{
    return encoding_is_utf16(to) ? encoding_holds_surrogates(from) : encoding_holds_surrogates(to);
}

/* From one UTF-16 to the other, text has to be well-formed, though either holds what others give it. */
static bool both_are_utf16(const struct assay_codec *a, const struct assay_codec *b)
{
    return encoding_is_utf16(a) && encoding_is_utf16(b);
}

static bool validates(const struct assay_codec *codec, const uint8_t *bytes, size_t byte_count)
{
    needs_more |= codec->validate == NULL;
    return codec->validate != NULL && ask_well_formed(codec, bytes, byte_count, NULL);
}

/* ---- laws --------------------------------------------------------------------------------------------- */

/* Well-formed text converts to whatever holds it, and comes back. WTF-8, 6.3, is this for UTF-16. */
static bool text_comes_back(const struct trial *trial)
{
    const struct assay_codec *codec = trial->codec;
    struct string there = turn(0, codec, trial->to, ASSAY_POLICY_STRICT, trial->bytes, trial->byte_count);
    bool is_text = validates(codec, trial->bytes, trial->byte_count) ||
                   (encoding_is_utf16(codec) && encoding_holds_surrogates(trial->to) && trial->byte_count % 2 == 0);
    bool is_held = !encoding_holds_surrogates(codec) || passes_surrogates(codec, trial->to);
    if (!there.made)
        return !(is_text && is_held);
    struct string back = turn(1, trial->to, codec, ASSAY_POLICY_STRICT, there.bytes, there.byte_count);
    return !spelling_is_canonical(codec, trial->bytes, trial->byte_count) ||
           (back.made && back.byte_count == trial->byte_count && memcmp(back.bytes, trial->bytes, back.byte_count) == 0);
}

/* By way of a third encoding that holds the text, a conversion gives what it gives straight. */
static bool ways_agree(const struct trial *trial)
{
    const struct assay_codec *codec = trial->codec, *through = trial->through, *to = trial->to;
    struct string between = turn(0, codec, through, ASSAY_POLICY_STRICT, trial->bytes, trial->byte_count);
    if (!between.made || !spelling_is_canonical(codec, trial->bytes, trial->byte_count) ||
        (both_are_utf16(through, to) && encoding_holds_surrogates(codec)) ||
        (both_are_utf16(codec, to) && encoding_holds_surrogates(through)))
        return true;
    struct string straight = turn(1, codec, to, trial->policy, trial->bytes, trial->byte_count);
    struct string around = turn(2, through, to, trial->policy, between.bytes, between.byte_count);
    return is_same(&straight, &around);
}

/* Errors are met by the first conversion; behind it, one that holds the same goes on without any. */
static bool errors_are_met_once(const struct trial *trial)
{
    const struct assay_codec *codec = trial->codec, *through = trial->through, *to = trial->to;
    struct string between = turn(0, codec, through, trial->policy, trial->bytes, trial->byte_count);
    if (!between.made || passes_surrogates(codec, through) != passes_surrogates(codec, to) ||
        (both_are_utf16(through, to) && encoding_holds_surrogates(codec)))
        return true;
    struct string straight = turn(1, codec, to, trial->policy, trial->bytes, trial->byte_count);
    struct string around = turn(2, through, to, ASSAY_POLICY_STRICT, between.bytes, between.byte_count);
    if (straight.made && around.made && !spelling_is_canonical(to, straight.bytes, straight.byte_count)) {
        const struct assay_codec *joining = registry_reference("wtf-8"); /* generalized UTF-8: pairs are joined by some (6.1) */
        straight = turn(0, to, joining, ASSAY_POLICY_STRICT, straight.bytes, straight.byte_count);
        around = turn(3, to, joining, ASSAY_POLICY_STRICT, around.bytes, around.byte_count);
    }
    return is_same(&straight, &around);
}

/* What a policy made of anything is well-formed, and stays what it is. */
static bool repair_is_final(const struct trial *trial)
{
    const struct assay_codec *codec = trial->codec;
    struct string repaired = turn(0, codec, codec, trial->policy, trial->bytes, trial->byte_count);
    if (!repaired.made)
        return trial->policy == ASSAY_POLICY_STRICT;
    struct string again = turn(1, codec, codec, trial->policy, repaired.bytes, repaired.byte_count);
    return validates(codec, repaired.bytes, repaired.byte_count) && is_same(&repaired, &again);
}

/* The two sides of the cut, made well-formed, on benches 0 and 1. */
static bool cut_in_two(const struct trial *trial, struct string *left, struct string *right)
{
    const struct assay_codec *codec = trial->codec;
    *left = turn(0, codec, codec, ASSAY_POLICY_SKIP, trial->bytes, trial->cut);
    *right = turn(1, codec, codec, ASSAY_POLICY_SKIP, trial->bytes + trial->cut, trial->byte_count - trial->cut);
    return left->made && right->made;
}

static struct string join(struct converter *joining, const struct assay_codec *codec, const struct string *left,
                          const struct string *right)
{
    enum outcome outcome = concatenate(joining, codec, left->bytes, left->byte_count, right->bytes, right->byte_count);
    needs_more |= outcome == NOT_OFFERED;
    return (struct string){outcome == CONVERTED, joining->bytes, joining->byte_count};
}

/* Concatenation is what it is of the UTF-16 (WTF-8, 6.5: convert both, concatenate, convert back). */
static bool strings_join_as_utf16_does(const struct trial *trial)
{
    static struct converter joining;
    const struct assay_codec *codec = trial->codec, *utf16 = registry_reference("utf-16be");
    struct string left, right;
    if (!cut_in_two(trial, &left, &right))
        return true;
    if (!join(&joining, codec, &left, &right).made)
        return false;
    struct string first = turn(2, codec, utf16, ASSAY_POLICY_STRICT, left.bytes, left.byte_count);
    struct string second = turn(3, codec, utf16, ASSAY_POLICY_STRICT, right.bytes, right.byte_count);
    struct string whole = turn(0, codec, utf16, ASSAY_POLICY_STRICT, joining.bytes, joining.byte_count);
    if (!first.made || !second.made || !whole.made || whole.byte_count != first.byte_count + second.byte_count ||
        memcmp(whole.bytes, first.bytes, first.byte_count) != 0 ||
        memcmp(whole.bytes + first.byte_count, second.bytes, second.byte_count) != 0)
        return false;
    struct string back = turn(1, utf16, codec, ASSAY_POLICY_STRICT, whole.bytes, whole.byte_count);
    return !spelling_is_canonical(codec, joining.bytes, joining.byte_count) ||
           (back.made && back.byte_count == joining.byte_count && memcmp(back.bytes, joining.bytes, back.byte_count) == 0);
}

/* Where a cut is allowed, both sides are well-formed, and together they are what was cut. */
static bool cuts_are_undone(const struct trial *trial)
{
    static struct converter joining;
    const struct assay_codec *codec = trial->codec;
    struct string text = turn(0, codec, codec, ASSAY_POLICY_SKIP, trial->bytes, trial->byte_count);
    needs_more |= codec->boundary == NULL;
    if (!text.made || codec->boundary == NULL || trial->cut > text.byte_count)
        return true;
    size_t at = ask_boundary(codec, text.bytes, text.byte_count, trial->cut);
    if (at > trial->cut)
        return false;
    struct string left = {true, text.bytes, at}, right = {true, text.bytes + at, text.byte_count - at};
    struct string joined = join(&joining, codec, &left, &right);
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

/* The code point at a place in UTF-16BE, a lone surrogate being one; moves the place behind it. */
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

/* A part of well-formed text, of whole characters, from the place on. */
static struct string part_of(const struct string *text, const struct assay_codec *reference, size_t place)
{
    enum { LONGEST = 24 };
    size_t begin = reference->boundary(text->bytes, text->byte_count, place);
    size_t end = text->byte_count - begin > LONGEST ? reference->boundary(text->bytes, text->byte_count, begin + LONGEST)
                                                    : text->byte_count;
    return (struct string){true, text->bytes + begin, end - begin};
}

/* Characters beside which order changes from one form to another. */
static struct string landmark(const struct assay_codec *codec, size_t number)
{
    static const uint32_t landmarks[] = {0x7F, 0x7FF, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
    static uint8_t bytes[ASSAY_ENCODED_MAX(1)];
    const uint32_t *character = &landmarks[number % (sizeof landmarks / sizeof landmarks[0])];
    needs_more |= codec->encode_utf32 == NULL;
    if (codec->encode_utf32 == NULL)
        return (struct string){0};
    asking_directly(codec, (struct question){.operation = OP_ENCODE_UTF32, .input = character, .input_count = 1, .capacity = sizeof bytes});
    struct assay_result encoded = codec->encode_utf32(ASSAY_POLICY_STRICT, character, 1, bytes, sizeof bytes);
    asking_ends();
    needs_more |= encoded.status == ASSAY_UNSUPPORTED;
    return (struct string){encoded.status == ASSAY_OK, bytes, encoded.written};
}

/* Whether the order of the bytes is what comparing parts of the text as UTF-16BE gives. */
static bool order_is(int (*compare_utf16)(const struct string *a, const struct string *b), const struct trial *trial)
{
    enum { PAIRS = 14 };
    const struct assay_codec *codec = trial->codec, *reference = registry_reference(codec->encoding);
    const struct assay_codec *utf16 = registry_reference("utf-16be");
    struct string text = turn(0, codec, codec, ASSAY_POLICY_SKIP, trial->bytes, trial->byte_count);
    if (!text.made || !spelling_is_canonical(codec, text.bytes, text.byte_count))
        return true;
    for (size_t i = 0; i < PAIRS; i++) {
        struct string left = part_of(&text, reference, (trial->cut + i) % (text.byte_count + 1));
        struct string right = i % 2 == 0 ? landmark(codec, i / 2)
                                         : part_of(&text, reference, trial->cut * (i + 2) % (text.byte_count + 1));
        if (!right.made) /* the codec does not encode it */
            return false;
        struct string first = turn(1, codec, utf16, ASSAY_POLICY_STRICT, left.bytes, left.byte_count);
        struct string second = turn(2, codec, utf16, ASSAY_POLICY_STRICT, right.bytes, right.byte_count);
        if (!first.made || !second.made)
            return false;
        if (compare_bytes(&left, &right) != compare_utf16(&first, &second))
            return false;
    }
    return true;
}

static bool order_is_that_of_code_points(const struct trial *trial)
{
    return find_relative(trial->codec->encoding)->order != BY_CODE_POINT || order_is(compare_code_points, trial);
}

static bool order_is_that_of_code_units(const struct trial *trial)
{
    return find_relative(trial->codec->encoding)->order != BY_CODE_UNIT || order_is(compare_bytes, trial);
}

/* What is well-formed is so in the encoding that takes more, and says the same. */
static bool wider_encoding_agrees(const struct trial *trial)
{
    const char *wider = find_relative(trial->codec->encoding)->wider;
    if (wider == NULL || !validates(trial->codec, trial->bytes, trial->byte_count))
        return true;
    const struct assay_codec *utf16 = registry_reference("utf-16be"), *other = registry_reference(wider);
    struct string here = turn(0, trial->codec, utf16, ASSAY_POLICY_STRICT, trial->bytes, trial->byte_count);
    struct string there = turn(1, other, utf16, ASSAY_POLICY_STRICT, trial->bytes, trial->byte_count);
    return is_same(&here, &there) && there.made;
}

/* Lossy conversion from WTF-8 to UTF-8 works in place: three bytes, each time, for three (WTF-8, 6.4). */
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
    struct string lossy = turn(0, trial->codec, utf8, ASSAY_POLICY_WHATWG, trial->bytes, trial->byte_count);
    return is_same(&lossy, &in_place);
}

/* ---- the claim --------------------------------------------------------------------------------------- */

/* A law, and what of a trial matters to it. */
static const struct charge {
    enum law law;
    bool (*holds)(const struct trial *trial);
    enum { POLICY = 1, THROUGH = 2, TO = 4, CUT = 8 } matters;
} charges[] = {
    {LAW_TEXT_BACK, text_comes_back, TO},
    {LAW_WAYS, ways_agree, POLICY | THROUGH | TO},
    {LAW_ERRORS, errors_are_met_once, POLICY | THROUGH | TO},
    {LAW_REPAIR, repair_is_final, POLICY},
    {LAW_JOINING, strings_join_as_utf16_does, CUT},
    {LAW_CUTS, cuts_are_undone, CUT},
    {LAW_CODE_POINTS, order_is_that_of_code_points, CUT},
    {LAW_CODE_UNITS, order_is_that_of_code_units, CUT},
    {LAW_WIDER, wider_encoding_agrees, 0},
    {LAW_LOSS, loss_is_three_for_three, 0},
};
enum { CHARGES = sizeof charges / sizeof charges[0] };

/* The references of the family, and the codecs of the encoding in question. */
static struct {
    const char *encoding;
    const struct assay_codec *family[ENCODINGS_MAX], *codecs[CODECS_MAX];
    size_t family_size, codec_count;
} company;

static void find_company(const char *encoding)
{
    if (company.encoding == encoding)
        return;
    company.encoding = encoding;
    company.family_size = company.codec_count = 0;
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (registry_is_reference(row) && registry_scheme(row->encoding) == NULL && company.family_size < ENCODINGS_MAX)
            company.family[company.family_size++] = row->codec;
        if (registry_runs(row) && strcmp(row->encoding, encoding) == 0 && company.codec_count < CODECS_MAX)
            company.codecs[company.codec_count++] = row->codec;
    }
}

static void roll(struct dice *dice, struct trial *trial)
{
    trial->through = company.family[dice_roll(dice, company.family_size)];
    trial->to = company.family[dice_roll(dice, company.family_size)];
    trial->policy = policies[dice_roll(dice, POLICIES)];
    trial->cut = dice_roll(dice, trial->byte_count + 1);
}

/* What of the trial matters, as words; NULL if nothing does. Good until the next. */
static const char *how(const struct charge *charge, const struct trial *trial)
{
    static char words[160];
    size_t length = 0;
    if (charge->matters & POLICY)
        length += (size_t)snprintf(words, sizeof words, "policy %s", assay_policy_name(trial->policy));
    if (charge->matters & THROUGH)
        length += (size_t)snprintf(words + length, sizeof words - length, ", through %s", trial->through->encoding);
    if (charge->matters & TO)
        length += (size_t)snprintf(words + length, sizeof words - length, "%sto %s", length > 0 ? ", " : "", trial->to->encoding);
    if (charge->matters & CUT)
        length += (size_t)snprintf(words + length, sizeof words - length, "cut at %zu", trial->cut);
    return length > 0 ? words : NULL;
}

static void put_on_trial(struct examiner *examiner, const struct charge *charge, const struct trial *trial)
{
    needs_more = false;
    bool holds = charge->holds(trial);
    if (needs_more) {
        claim_skip(examiner);
        return;
    }
    claim_law(examiner, holds, &(struct breach){trial->codec, charge->law, trial->bytes, trial->byte_count, NULL,
                                                holds ? NULL : how(charge, trial)});
}

static void check(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    enum { ROUNDS = 24, LARGE = 4096, FEW = 2 };
    static const uint8_t nothing[1];
    struct dice dice = claim_begin(examiner, bytes, byte_count);
    struct trial trial = {.bytes = byte_count > 0 ? bytes : nothing, .byte_count = byte_count};
    if (registry_scheme(examiner->comparer.encoding) != NULL)
        return; /* the laws are those of the family */
    find_company(examiner->comparer.encoding);
    if (examiner->effort == SAMPLED) {
        trial.codec = company.codecs[dice_roll(&dice, company.codec_count)];
        const struct charge *charge = &charges[dice_roll(&dice, CHARGES)];
        roll(&dice, &trial);
        put_on_trial(examiner, charge, &trial);
        return;
    }
    for (size_t round = 0; round < (byte_count > LARGE ? FEW : ROUNDS); round++) {
        roll(&dice, &trial);
        for (size_t i = 0; i < company.codec_count; i++) {
            trial.codec = company.codecs[i];
            for (size_t charge = 0; charge < CHARGES; charge++)
                put_on_trial(examiner, &charges[charge], &trial);
        }
    }
}

const struct claim claim_convert = {
    "convert", "conversions between the encodings of the family keep to the laws of their documents", check};
