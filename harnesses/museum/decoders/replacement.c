/* SPDX-License-Identifier: MIT
 *
 * Decoders that give too many U+FFFD or too few, or drop what is next to an error.
 */
#include "../mistake.h"

#define OF_BYTES "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf"
#define IN_WTF16 "wtf-16le wtf-16be"

static bool is_error(const struct step *step)
{
    return !step->open && step->fault != ASSAY_FAULT_NONE;
}

static void swallows_offender(struct state *state, struct step *step)
{
    if (is_error(step) && step->fault == ASSAY_FAULT_MISSING_CONTINUATION && state->ahead > step->length)
        step->length++;
}

static void swallows_lead(struct state *state, struct step *step)
{
    if (is_error(step) && step->fault == ASSAY_FAULT_MISSING_CONTINUATION && state->here[step->length] >= 0xC2)
        step->length++;
}

static void swallows_ascii_after_two(struct state *state, struct step *step)
{
    if (is_error(step) && step->length == 2 && state->ahead > 2 && state->here[2] < 0x80)
        step->length++;
}

static void stray_swallows_next(struct state *state, struct step *step)
{
    if (is_error(step) && step->fault == ASSAY_FAULT_STRAY_CONTINUATION && state->ahead >= 4 && state->here[1] == 0xE2)
        step->length = 4;
}

static void advances_by_three(struct state *state, struct step *step)
{
    if (is_error(step) && state->ahead >= 3)
        step->length = 3;
}

static void replaces_lone(struct state *state, struct step *step)
{
    (void)state;
    if (!is_error(step) && step->code_point >= 0xD800 && step->code_point <= 0xDFFF)
        *step = (struct step){.length = step->length, .fault = ASSAY_FAULT_UNPAIRED_SURROGATE};
}

static void drops_lone_lead(struct state *state, struct step *step)
{
    (void)state;
    if (!is_error(step) && step->code_point >= 0xD800 && step->code_point <= 0xDBFF)
        step->silent = true;
}

static void unpaired_swallows_next(struct state *state, struct step *step)
{
    if (is_error(step) && step->fault == ASSAY_FAULT_UNPAIRED_SURROGATE && state->ahead >= 4)
        step->length = 4;
}

static void each_byte_by_itself(struct state *state, struct step *step)
{
    (void)state;
    if (is_error(step))
        step->length = 1;
}

static void overlong_as_one(struct state *state, struct step *step)
{
    if (is_error(step) && step->fault == ASSAY_FAULT_OVERLONG && state->ahead > 1 &&
        museum_is_continuation(state->here[1]))
        step->length = 2;
}

static void surrogate_as_one(struct state *state, struct step *step)
{
    if (is_error(step) && step->fault == ASSAY_FAULT_SURROGATE && state->ahead > 2 &&
        museum_is_continuation(state->here[2]))
        step->length = 3;
}

static void truncated_by_bytes(struct state *state, const struct step *step, size_t *units)
{
    if (state->policy == ASSAY_POLICY_WHATWG && step->fault == ASSAY_FAULT_TRUNCATED)
        *units = step->length;
}

static void missing_by_bytes(struct state *state, const struct step *step, size_t *units)
{
    if (state->policy == ASSAY_POLICY_WHATWG && step->fault == ASSAY_FAULT_MISSING_CONTINUATION)
        *units = step->length;
}

static void truncated_by_one(struct state *state, const struct step *step, size_t *units)
{
    if (state->policy == ASSAY_POLICY_PER_BYTE && step->fault == ASSAY_FAULT_TRUNCATED)
        *units = 1;
}

static void two_as_one(struct state *state, const struct step *step, size_t *units)
{
    (void)step;
    if (state->policy == ASSAY_POLICY_WHATWG && state->memory->in_run && state->memory->own % 2 == 1)
        *units = 0;
}

static void counts_errors(struct state *state, const struct step *step)
{
    state->memory->own = step->fault != ASSAY_FAULT_NONE ? state->memory->own + 1 : 0;
}

static void gives_up_after_64(struct state *state, const struct step *step, size_t *units)
{
    (void)step;
    if (state->memory->own >= 64)
        *units = 0;
}

static void counts_all_errors(struct state *state, const struct step *step)
{
    state->memory->own += step->fault != ASSAY_FAULT_NONE;
}

static void run_never_ends(struct state *state, const struct step *step)
{
    state->memory->own |= step->fault != ASSAY_FAULT_NONE;
    state->memory->in_run = state->memory->own != 0;
}

static void run_ends_at_fault(struct state *state, const struct step *step)
{
    if (step->fault == ASSAY_FAULT_MISSING_CONTINUATION || step->fault == ASSAY_FAULT_UNPAIRED_SURROGATE)
        state->memory->in_run = false;
}

static void absorbs_one_more(struct state *state, const struct step *step)
{
    (void)step;
    if (state->memory->absorb > 0)
        state->memory->absorb++;
}

static void absorbs_too_little(struct state *state, const struct step *step)
{
    (void)step;
    if (state->memory->absorb > 1)
        state->memory->absorb = 1;
}

static void skips_nothing_at_end(struct state *state, const struct step *step, size_t *units)
{
    if (state->policy == ASSAY_POLICY_SKIP && step->fault == ASSAY_FAULT_TRUNCATED)
        *units = 1;
}

static void question_mark(struct state *state, uint32_t *code_point)
{
    if (*code_point == 0xFFFD && state->memory->calls == 0 && state->here[0] != 0xEF)
        *code_point = '?';
}

static void escapes_as_bytes(struct state *state, uint32_t *code_point)
{
    if (state->policy == ASSAY_POLICY_SURROGATEESCAPE && *code_point >= 0xDC80 && *code_point <= 0xDC8F)
        *code_point -= 0x80;
}

static void misses_ill_formed_output(struct state *state, struct assay_result *result)
{
    if (result->status == ASSAY_ILL_FORMED && state->written > 0)
        result->written--;
}

const struct mistake mistakes_replacement[] = {
    {"swallows-offender", "takes the byte that cannot follow for a part of the error",
     "PHP 8.1#8360, vte#158, Boost.Nowide and Boost.Locale 1.74", OF_BYTES, .step = swallows_offender},
    {"swallows-lead", "takes a lead that cannot follow for a part of the error", "vte#158", OF_BYTES,
     .step = swallows_lead},
    {"swallows-ascii", "takes ASCII after an error of two bytes for a part of it", "haskell/text#330", OF_BYTES,
     .step = swallows_ascii_after_two},
    {"stray-swallows-next", "loses U+20AC after a stray continuation", "Perl Encode 3.17", OF_BYTES,
     .step = stray_swallows_next},
    {"advances-by-three", "continues three bytes after the start of an error", "samber/lo PR 1007", .same = AT_THE_END,
     .step = advances_by_three},
    {"unpaired-swallows-next", "takes the unit after an unpaired surrogate for a part of the error",
     "expat CVE-2026-93990, the JDK", "utf-16le utf-16be", .step = unpaired_swallows_next},
    {"replaces-lone", "gives U+FFFD for an unpaired surrogate, as decoders of UTF-16 do",
     "TextDecoder, for strings of JavaScript", IN_WTF16, .step = replaces_lone},
    {"drops-lone-lead", "gives nothing for an unpaired lead", NULL, IN_WTF16, .step = drops_lone_lead},
    {"each-byte-by-itself", "gives one U+FFFD for each byte of a maximal subpart", "feross/buffer PR 305",
     .same = AT_THE_END, .step = each_byte_by_itself},
    {"overlong-as-one", "gives one U+FFFD for an overlong lead and its continuation", NULL,
     "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8", .step = overlong_as_one},
    {"surrogate-as-one", "gives one U+FFFD for a surrogate", "corefx#36163", "utf-8", .step = surrogate_as_one},
    {"truncated-by-bytes", "gives one U+FFFD for each byte of a truncated sequence", "rust#56786", .same = AT_THE_END,
     .replace = truncated_by_bytes},
    {"missing-by-bytes", "gives one U+FFFD for each byte of an unfinished sequence", NULL, OF_BYTES,
     .replace = missing_by_bytes},
    {"truncated-by-one", "under per-byte, gives one U+FFFD for a whole truncated sequence", NULL, OF_BYTES,
     .replace = truncated_by_one},
    {"two-as-one", "gives one U+FFFD for two errors side by side", "protoc-gen-validate PR 1379", .same = AT_THE_END,
     .replace = two_as_one, .after = counts_errors},
    {"gives-up-after-64", "gives no U+FFFD after 64 errors", .same = AT_THE_END, .replace = gives_up_after_64,
     .after = counts_all_errors},
    {"run-never-ends", "under per-run, gives one U+FFFD for all errors", .same = AT_THE_END, .after = run_never_ends},
    {"run-ends-at-fault", "under per-run, starts a new run after some faults", .same = AT_THE_END,
     .after = run_ends_at_fault},
    {"absorbs-one-more", "under jdk or per-sequence, takes one continuation more for a part of the error", NULL,
     "utf-8", .after = absorbs_one_more},
    {"absorbs-one-only", "under jdk or per-sequence, takes one continuation at most for a part of the error", NULL,
     "utf-8", .after = absorbs_too_little},
    {"skip-replaces-at-end", "under skip, gives U+FFFD for a truncated sequence", .replace = skips_nothing_at_end},
    {"question-mark", "gives ? for U+FFFD", .offers = OFFERS_WHOLE, .put = question_mark},
    {"escapes-as-bytes", "under surrogateescape, gives U+DC00..U+DC0F for 80..8F", NULL, "utf-8",
     .put = escapes_as_bytes},
    {"loses-last-before-error", "under strict, loses the last character before the error", .offers = OFFERS_WHOLE,
     .result = misses_ill_formed_output},
    END_OF_MISTAKES,
};
