/* SPDX-License-Identifier: MIT
 *
 * Claim: every codec keeps what its encoding promises (ASCII, no byte 00, synchronisation, order, and so on: see
 * promise.h) on every text.
 */
#include "../core/promise.h"

static bool decodes_under(const struct assay_codec *codec, enum assay_policy policy)
{
    asking_directly(codec, (struct question){.operation = OP_DECODE_UTF32, .policy = policy});
    struct assay_result result = codec->decode_utf32(policy, NULL, 0, NULL, 0);
    asking_ends();
    return result.status != ASSAY_UNSUPPORTED;
}

/* A loaded codec need not offer what a promise is looked for with: decoding that stops at errors, skips and replaces them. */
static bool reads_text(const struct assay_codec *codec)
{
    return codec->validate != NULL && codec->decode_utf32 != NULL && decodes_under(codec, ASSAY_POLICY_STRICT) &&
           decodes_under(codec, ASSAY_POLICY_SKIP) && decodes_under(codec, ASSAY_POLICY_WHATWG);
}

static void check_codec(struct examiner *examiner, const struct assay_codec *codec, struct dice *dice, const uint8_t *bytes,
                        size_t byte_count)
{
    struct spelling text = spelling_of(codec, bytes, byte_count);
    for (enum promise promise = 0; promise < PROMISE_COUNT; promise++) {
        char said[SAID_SIZE];
        if (promise_is_claimed(promise, codec->encoding))
            claim_law(examiner, promise_holds(promise, codec, &text, dice, said),
                      &(struct breach){codec, promise_law(promise), bytes, byte_count, NULL, said});
    }
}

static void check(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    struct dice dice = claim_begin(examiner, bytes, byte_count);
    for (size_t i = 0; i < claim_witnesses(examiner); i++)
        if (reads_text(examiner->comparer.panel[i]))
            check_codec(examiner, examiner->comparer.panel[i], examiner->effort == SAMPLED ? &dice : NULL, bytes, byte_count);
}

const struct claim claim_promises = {"promises", "every codec keeps what its encoding promises of text", check};
