/* SPDX-License-Identifier: MIT
 *
 * Theorem `lanes`: a kernel's result in a lane depends on the byte there and the three before it, in every lane in the
 * same way. Its result for a number of blocks is the OR of the results for each. Whether blocks are ASCII is decided by
 * the OR of their bytes.
 */
#include "lanes.h"

#include "theorems.h"

#include <string.h>

enum { REACH_BACK = 3, TERMS_MAX = 256 };

/* The terms of one lane that are about one block, moved so that the lane's byte is at 0, in the order of their
 * numbers. */
struct part {
    expression terms[TERMS_MAX];
    size_t count;
};

static void add_term(struct part *part, expression term)
{
    size_t at = part->count++;
    for (; at > 0 && part->terms[at - 1] > term; at--)
        part->terms[at] = part->terms[at - 1];
    part->terms[at] = term;
}

static bool same_part(const struct part *a, const struct part *b)
{
    return a->count == b->count && memcmp(a->terms, b->terms, a->count * sizeof a->terms[0]) == 0;
}

/* Assigns each term to the part of its block: it must depend on the byte of this lane in one block, and those before
 * it. */
static bool part_terms(struct proof *proof, const char *form, expression lane, int number, struct part *parts,
                       size_t block_count)
{
    expression terms[TERMS_MAX];
    size_t count = expression_terms(lane, terms, TERMS_MAX);
    for (size_t i = 0; i < count; i++) {
        int first, last, block;
        if (!expression_reach(terms[i], &first, &last))
            return refute(proof, "lane %d of %s has a term that does not depend on the input", number, form);
        for (block = 0; block < (int)block_count; block++)
            if (first >= block * BLOCK_BYTES + number - REACH_BACK && last <= block * BLOCK_BYTES + number)
                break;
        if (block == (int)block_count)
            return refute(proof, "lane %d of %s depends on the bytes from %d to %d", number, form, first, last);
        add_term(&parts[block], expression_shift(terms[i], -(block * BLOCK_BYTES + number)));
    }
    return true;
}

/* Proves that all lanes of all blocks of a form of the kernel are the same function of the bytes there and before: that
 * of `first`, which is set if it has no terms. */
static bool prove_form(struct proof *proof, enum kernel_form form, size_t byte_count, struct part *first)
{
    const char *name = kernel_form_name(form);
    size_t block_count = byte_count / BLOCK_BYTES;
    expression lanes[BLOCK_BYTES];
    bool of_utf8 = strcmp(proof->codec->encoding, "utf-8") == 0, of_avx512 = strcmp(proof->codec->name, "avx512") == 0;
    (of_avx512 ? lanes_of_avx512 : lanes_of_each)(of_utf8, form, byte_count, lanes);
    for (int lane = 0; lane < BLOCK_BYTES; lane++) {
        struct part parts[STEP_BYTES / BLOCK_BYTES] = {{.count = 0}};
        if (!part_terms(proof, name, lanes[lane], lane, parts, block_count))
            return false;
        if (first->count == 0)
            *first = parts[0];
        for (size_t block = 0; block < block_count; block++) {
            proof->cases++;
            if (!same_part(&parts[block], first))
                return refute(proof,
                              "lane %d of block %zu of %zu bytes of %s is another function than lane 0 of block 0",
                              lane, block, byte_count, name);
        }
    }
    if (form == KERNEL_IS_ASCII && (first->count != 1 || first->terms[0] != expression_byte(0)))
        return refute(proof, "the lanes of %s are not the OR of the bytes there", name);
    return first->count > 0 || refute(proof, "the lanes of %s depend on nothing", name);
}

bool applies_lanes(const struct assay_codec *codec)
{
    return kernels_of(codec->encoding, codec->name) != NULL;
}

void prove_lanes(struct proof *proof)
{
    expressions_begin();
    for (enum kernel_form form = 0; form < KERNEL_FORM_COUNT && proof->outcome == PROVEN; form++) {
        struct part first = {.count = 0};
        if (form == KERNEL_BLOCK)
            prove_form(proof, form, BLOCK_BYTES, &first);
        else
            for (size_t byte_count = STRIDE_BYTES / 2; byte_count <= STEP_BYTES; byte_count *= 2)
                if (!prove_form(proof, form, byte_count, &first))
                    break;
    }
    expressions_end();
}
