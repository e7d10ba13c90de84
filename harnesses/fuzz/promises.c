/* SPDX-License-Identifier: MIT
 *
 * Claim: every codec keeps the promises of its encoding (ASCII, no byte 00, synchronisation, order, ...: see promise.h)
 * on every text.
 */
#include "../core/promise.h"

static void check_codec(struct examiner *examiner, const struct assay_codec *codec, struct dice *dice,
                        const uint8_t *bytes, size_t byte_count)
{
    bool can_be_asked = promise_can_be_asked(codec);
    struct spelling text = can_be_asked ? spelling_of(codec, bytes, byte_count) : (struct spelling){0};
    bool concatenates = can_be_asked && spelling_concatenates(codec, &text);
    for (enum promise promise = 0; promise < PROMISE_COUNT; promise++) {
        char said[SAID_SIZE];
        if (!promise_is_claimed(promise, codec->encoding))
            continue;
        if (!can_be_asked)
            claim_skip(examiner);
        else
            claim_law(examiner, promise_holds(promise, codec, &text, concatenates, dice, said),
                      &(struct breach){codec, promise_law(promise), bytes, byte_count, NULL, said});
    }
}

static void check(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    struct dice dice = claim_begin(examiner, bytes, byte_count);
    for (size_t i = 0; i < claim_codec_count(examiner); i++)
        check_codec(examiner, examiner->comparer.panel[i], examiner->effort == SAMPLED ? &dice : NULL, bytes,
                    byte_count);
}

const struct claim claim_promises = {"promises", "every codec keeps what its encoding promises of text", check};
