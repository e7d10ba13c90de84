/* SPDX-License-Identifier: MIT
 *
 * Claim: the reference keeps what its encoding promises (ASCII, no byte 00, synchronisation, order, and so on: see
 * promise.h) on every text.
 */
#include "../core/promise.h"

static void check(struct examiner *examiner, const uint8_t *bytes, size_t byte_count)
{
    struct dice dice = claim_begin(examiner, bytes, byte_count);
    const struct assay_codec *reference = registry_reference(examiner->comparer.encoding);
    struct spelling text = spelling_of(reference, bytes, byte_count);
    for (enum promise promise = 0; promise < PROMISE_COUNT; promise++) {
        char said[SAID_SIZE];
        if (promise_is_claimed(promise, reference->encoding))
            claim_law(examiner, reference, promise_name(promise),
                      promise_holds(promise, reference, &text, examiner->effort == SAMPLED ? &dice : NULL, said), bytes, byte_count);
    }
}

const struct claim claim_promises = {"promises", "the reference keeps what its encoding promises of text", check};
