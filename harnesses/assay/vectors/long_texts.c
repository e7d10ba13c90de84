/* SPDX-License-Identifier: MIT
 *
 * Long texts, made of inputs of the vectors that do not end within a character, with the letter A after each. A is no
 * part of an error, so that the output for a long text is that of its inputs, one after the other. Only this whole
 * output is expected, not how much of it each piece brings.
 */
#include "long_texts.h"

#include "../../../codecs/registry.h"
#include "../../core/compare.h"
#include "../../core/convert.h"
#include "../../core/dice.h"
#include "../cli.h"

#include <string.h>

/* TEXT_LEAST is more than the buffers of 4,096 and 8,192 bytes through which decoders read streams. */
enum { TEXT_LEAST = 10000, EXCERPT_MOST = 64, LETTER_MOST = 4, TEXT_ROOM = TEXT_LEAST + EXCERPT_MOST + LETTER_MOST };

/* An input of the vectors, with its expected output under each policy; NULL: the encoding does not have that policy. */
struct excerpt {
    const struct probe *probes[ASSAY_POLICY_COUNT];
    bool is_well_formed, is_plain;
};

struct excerpts {
    struct excerpt *all;
    size_t count;
};

/* How often an excerpt of the second half of a text is one with errors: 1 of this number; 0: never. */
static const struct {
    const char *name, *comment;
    bool only_plain;
    size_t one_ill_formed_of;
} texts[] = {{"plain", "without controls, noncharacters and what markup gives a meaning to", true, 0},
             {"well-formed", "characters of each length and at each boundary", false, 0},
             {"ill-formed", "well-formed at first, then with errors", false, 4}};

static const struct {
    const char *name;
    size_t longest;
} cuts[] = {{"short", 16}, {"long", 6000}};

enum { TEXT_COUNT = sizeof texts / sizeof texts[0], CUTS_COUNT = sizeof cuts / sizeof cuts[0] };

/* ---- excerpts ------------------------------------------------------------------------------------ */

/* True for code points that XML, JSON, HTML and a terminal have as text. */
static bool is_plain(uint32_t point)
{
    bool is_noncharacter = (point & 0xFFFE) == 0xFFFE || (point >= 0xFDD0 && point <= 0xFDEF),
         is_surrogate = point >= 0xD800 && point <= 0xDFFF, is_line_end = point == 0x2028 || point == 0x2029;
    return point > 0x20 && (point < 0x7F || point > 0x9F) && !is_noncharacter && !is_surrogate && !is_line_end &&
           point != 0xFEFF && (point > 0x7F || strchr("\"&'<>\\`", (int)point) == NULL);
}

/* True if the last error of a probe of all errors is one that more bytes could have completed. */
static bool ends_in_character(const struct probe *probe)
{
    const struct assay_span *spans = probe->expected.output;
    size_t count = probe->expected.result.written;
    return count > 0 && spans[count - 1].fault == ASSAY_FAULT_TRUNCATED;
}

/* Reads the probes that decode the whole input of a case. Returns false if there are none, or if it is no excerpt. */
static bool read_excerpt(const struct vector_case *test, size_t unit_bytes, struct excerpt *excerpt)
{
    *excerpt = (struct excerpt){.is_plain = true};
    for (size_t i = 0; i < test->probe_count && test->stream_count == 0; i++) {
        const struct probe *probe = &test->probes[i];
        if (probe->question.capacity != CAPACITY_ANY)
            continue;
        if (probe->question.operation == OP_DECODE_UTF32)
            excerpt->probes[probe->question.policy] = probe;
        if (probe->question.operation == OP_SPANS && ends_in_character(probe))
            return false;
    }
    const struct probe *strict = excerpt->probes[ASSAY_POLICY_STRICT];
    if (strict == NULL)
        return false;
    const uint32_t *points = strict->expected.output;
    for (size_t i = 0; i < strict->expected.result.written; i++)
        excerpt->is_plain &= is_plain(points[i]);
    excerpt->is_well_formed = strict->expected.result.status == ASSAY_OK;
    excerpt->is_plain &= excerpt->is_well_formed;
    size_t count = strict->question.input_count;
    return count > 0 && count <= EXCERPT_MOST && count % unit_bytes == 0;
}

/* True if both have an output under the same policies. */
static bool are_alike(const struct excerpt *excerpt, const struct excerpt *other)
{
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        if ((excerpt->probes[policy] == NULL) != (other->probes[policy] == NULL))
            return false;
    return true;
}

static struct excerpts read_excerpts(struct pool **pool, size_t unit_bytes, const struct category *categories,
                                     size_t category_count)
{
    struct excerpts excerpts = {0};
    size_t most = 0;
    for (size_t i = 0; i < category_count; i++)
        most += categories[i].case_count;
    excerpts.all = pool_alloc(pool, most, sizeof *excerpts.all);
    for (size_t i = 0; i < category_count; i++) {
        for (size_t j = 0; j < categories[i].case_count; j++) {
            struct excerpt *excerpt = &excerpts.all[excerpts.count];
            excerpts.count +=
                read_excerpt(&categories[i].cases[j], unit_bytes, excerpt) && are_alike(excerpt, excerpts.all);
        }
    }
    return excerpts;
}

/* ---- texts --------------------------------------------------------------------------------------- */

struct letter {
    uint8_t bytes[LETTER_MOST];
    size_t byte_count;
};

/* A text that grows, and the output so far under each policy. */
struct text {
    uint8_t *bytes;
    size_t byte_count;
    struct answer expected[ASSAY_POLICY_COUNT];
    uint32_t *outputs[ASSAY_POLICY_COUNT]; /* NULL: the encoding does not have the policy */
};

static void add_output(struct text *text, enum assay_policy policy, const struct answer *answer)
{
    struct assay_result *result = &text->expected[policy].result;
    if (result->status == ASSAY_ILL_FORMED)
        return;
    if (answer->result.written > 0)
        memcpy(text->outputs[policy] + result->written, answer->output,
               answer->result.written * sizeof *text->outputs[policy]);
    result->written += answer->result.written;
    result->read = text->byte_count + answer->result.read;
    if (answer->result.status == ASSAY_ILL_FORMED) {
        result->status = ASSAY_ILL_FORMED;
        result->error = answer->result.error;
        result->error.offset += text->byte_count;
    }
}

static void add_bytes(struct text *text, const void *bytes, size_t count)
{
    memcpy(text->bytes + text->byte_count, bytes, count);
    text->byte_count += count;
}

static void add_excerpt(struct text *text, const struct excerpt *excerpt, const struct letter *letter)
{
    static const uint32_t point = 'A';
    const struct question *question = &excerpt->probes[ASSAY_POLICY_STRICT]->question;
    const struct answer of_letter = {.output = &point, .result = {.read = letter->byte_count, .written = 1}};
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        if (text->outputs[policy] != NULL)
            add_output(text, policy, &excerpt->probes[policy]->expected);
    add_bytes(text, question->input, question->input_count);
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        if (text->outputs[policy] != NULL)
            add_output(text, policy, &of_letter);
    add_bytes(text, letter->bytes, letter->byte_count);
}

static bool fits(const struct excerpt *excerpt, size_t kind, bool is_ill_formed)
{
    return is_ill_formed ? !excerpt->is_well_formed
                         : excerpt->is_well_formed && (excerpt->is_plain || !texts[kind].only_plain);
}

static bool have_one(const struct excerpts *excerpts, size_t kind, bool is_ill_formed)
{
    for (size_t i = 0; i < excerpts->count; i++)
        if (fits(&excerpts->all[i], kind, is_ill_formed))
            return true;
    return false;
}

/* Returns a text of that kind, whose byte_count is 0 if the excerpts have nothing for it. */
static struct text make_text(struct pool **pool, const struct excerpts *excerpts, size_t kind,
                             const struct letter *letter, struct dice *dice)
{
    struct text text = {0};
    size_t share = texts[kind].one_ill_formed_of;
    if (!have_one(excerpts, kind, false) || (share > 0 && !have_one(excerpts, kind, true)))
        return text;
    text.bytes = pool_alloc(pool, TEXT_ROOM, 1);
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        if (excerpts->all[0].probes[policy] != NULL)
            text.expected[policy].output = text.outputs[policy] = pool_alloc(pool, TEXT_ROOM, sizeof(uint32_t));
    while (text.byte_count < TEXT_LEAST) {
        bool is_ill_formed = share > 0 && 2 * text.byte_count > TEXT_LEAST && dice_roll(dice, share) == 0;
        const struct excerpt *excerpt;
        do
            excerpt = &excerpts->all[dice_roll(dice, excerpts->count)];
        while (!fits(excerpt, kind, is_ill_formed));
        add_excerpt(&text, excerpt, letter);
    }
    return text;
}

/* ---- cases --------------------------------------------------------------------------------------- */

static struct vector_case make_case(struct pool **pool, const char *category, size_t kind, size_t way,
                                    const struct text *text, struct dice *dice)
{
    struct probe *probes = pool_alloc(pool, ASSAY_POLICY_COUNT, sizeof *probes);
    size_t *ends = pool_alloc(pool, text->byte_count, sizeof *ends), cut_count = 0, probe_count = 0;
    for (size_t end = 0; (end += 1 + dice_roll(dice, cuts[way].longest)) < text->byte_count;)
        ends[cut_count++] = end;
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        if (text->outputs[policy] != NULL)
            probes[probe_count++] = (struct probe){.question = {.operation = OP_FEED_UTF32,
                                                                .policy = policy,
                                                                .input = text->bytes,
                                                                .input_count = text->byte_count,
                                                                .capacity = CAPACITY_ANY,
                                                                .cuts = ends,
                                                                .cut_count = cut_count},
                                                   .expected = text->expected[policy]};
    char id[100], comment[160];
    snprintf(id, sizeof id, "%s/%s-in-%s-pieces", category, texts[kind].name, cuts[way].name);
    snprintf(comment, sizeof comment, "%zu bytes in %zu pieces: %s", text->byte_count, cut_count + 1,
             texts[kind].comment);
    return (struct vector_case){
        .id = pool_keep(pool, id), .comment = pool_keep(pool, comment), .probes = probes, .probe_count = probe_count};
}

/* Returns false if the encoding removes a signature, which the vectors of its streams are about. */
static bool find_letter(const struct category *category, struct letter *letter)
{
    const uint32_t point = 'A';
    const struct assay_codec *reference = registry_reference(category->codec_encoding);
    char encoding[32];
    snprintf(encoding, sizeof encoding, "%.*s", (int)strcspn(category->name, "/"), category->name);
    if (signature_find(encoding) != NULL || reference == NULL)
        return false;
    letter->byte_count =
        reference->encode_utf32(ASSAY_POLICY_STRICT, &point, 1, letter->bytes, sizeof letter->bytes).written;
    return true;
}

struct category long_texts_make(struct pool **pool, const char *name, const struct category *categories,
                                size_t category_count)
{
    struct category category = {.name = name};
    struct letter letter;
    if (category_count == 0 || !find_letter(&categories[0], &letter))
        return category;
    category.codec_encoding = categories[0].codec_encoding;
    struct vector_case *cases = pool_alloc(pool, TEXT_COUNT * CUTS_COUNT, sizeof *cases);
    struct excerpts excerpts = read_excerpts(pool, letter.byte_count, categories, category_count);
    struct dice dice = dice_from((const uint8_t *)name, strlen(name));
    for (size_t kind = 0; kind < TEXT_COUNT && excerpts.count > 0; kind++) {
        struct text text = make_text(pool, &excerpts, kind, &letter, &dice);
        for (size_t way = 0; way < CUTS_COUNT && text.byte_count > 0; way++)
            cases[category.case_count++] = make_case(pool, name, kind, way, &text, &dice);
    }
    category.cases = cases;
    return category;
}
