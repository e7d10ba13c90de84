/* SPDX-License-Identifier: MIT
 *
 * strings.h - operations whose output is a string: boundaries, concatenation, to_well_formed.
 */
#ifndef ASSAY_DFA_STRINGS_H
#define ASSAY_DFA_STRINGS_H

#include "encode.h"

/* ---- boundaries and concatenation -------------------------------------------------------------- */

/* Walks from ASSAY_HELD_MAX bytes before `at`. If that is inside a character, the bytes that remain of it decode as
 * errors or as characters, and the walk is at a true boundary after them. A character has at most ASSAY_HELD_MAX + 1
 * bytes. */
OPERATION_OF_ENGINE size_t dfa_boundary(const struct automaton *dfa, const uint8_t *bytes, size_t byte_count, size_t at)
{
    size_t start = (at > ASSAY_HELD_MAX ? at - ASSAY_HELD_MAX : 0) / dfa->encoding->unit * dfa->encoding->unit,
           end = start;
    uint32_t state = ACCEPT;
    if (at >= byte_count)
        return byte_count;
    while (end <= at) {
        start = end;
        struct token token = next_token(dfa, state, 0, bytes + start, byte_count - start);
        if (token.event == END)
            token = last_token(dfa, &token);
        state = token.state;
        end = start + token.taken - token.again;
    }
    return start;
}

/* True if a well-formed string ends with a lead surrogate after which the automaton refuses the start of the other
 * string. */
ALWAYS_INLINE bool refuses_to_follow(const struct automaton *dfa, const uint8_t *left, size_t left_count,
                                     const uint8_t *right, size_t right_count)
{
    size_t length = surrogate_length(dfa->encoding);
    if (dfa->encoding->after_lead == 0 || left_count < length || right_count < length)
        return false;
    uint32_t state = ACCEPT;
    for (size_t i = left_count - length; i < left_count; i++)
        state = next_state(dfa, state, left[i]);
    return state == dfa->encoding->after_lead * dfa->scale &&
           is_rejected(dfa, next_state(dfa, next_state(dfa, state, right[0]), right[1]));
}

OPERATION_OF_ENGINE struct assay_result dfa_concat(const struct automaton *dfa, const uint8_t *left, size_t left_count,
                                                   const uint8_t *right, size_t right_count, uint8_t *out,
                                                   size_t capacity)
{
    struct assay_result result = {.status = ASSAY_ILL_FORMED};
    if (!dfa_validate(dfa, left, left_count, &result.error))
        return result;
    if (!dfa_validate(dfa, right, right_count, &result.error)) {
        result.read = left_count;
        return result;
    }
    uint8_t joint[LONGEST];
    size_t joint_count = 0, cut = 0;
    if (refuses_to_follow(dfa, left, left_count, right, right_count)) {
        cut = surrogate_length(dfa->encoding);
        struct token lead = next_token(dfa, ACCEPT, 0, left + left_count - cut, cut);
        struct token trail = next_token(dfa, ACCEPT, 0, right, cut);
        joint_count = encode_one(dfa->encoding, (lead.code_point << 10) + trail.code_point - PAIR_BIAS, joint);
    }
    size_t left_kept = left_count - cut, right_kept = right_count - cut;
    if (left_kept + joint_count + right_kept > capacity)
        return (struct assay_result){.status = ASSAY_OUTPUT_FULL};
    if (left_kept > 0)
        memcpy(out, left, left_kept);
    if (joint_count > 0)
        memcpy(out + left_kept, joint, joint_count);
    if (right_kept > 0)
        memcpy(out + left_kept + joint_count, right + cut, right_kept);
    return (struct assay_result){
        .status = ASSAY_OK, .read = left_count + right_count, .written = left_kept + joint_count + right_kept};
}

/* ---- to_well_formed ----------------------------------------------------------------------------- */

/* What replaces a token: bytes, written `times` times after `taken_back` bytes of the output are dropped. */
struct substitute {
    const uint8_t *bytes;
    size_t length, times, taken_back;
};

/* After an error, a character is kept, unless it is a trail, the output ends with a lead, and the automaton refuses the
 * two in a row: then they become the one character `joint`. */
ALWAYS_INLINE struct substitute substitute_after_error(const struct automaton *dfa, const uint8_t *bytes, size_t length,
                                                       uint32_t code_point, const uint8_t *out, size_t written,
                                                       uint8_t joint[LONGEST])
{
    if (!refuses_to_follow(dfa, out, written, bytes, length))
        return (struct substitute){bytes, length, 1, 0};
    size_t cut = surrogate_length(dfa->encoding);
    struct token lead = next_token(dfa, ACCEPT, 0, out + written - cut, cut);
    return (struct substitute){
        joint, encode_one(dfa->encoding, (lead.code_point << 10) + code_point - PAIR_BIAS, joint), 1, cut};
}

/* Writes the substitute. Returns false, with nothing written, if there is no room. */
ALWAYS_INLINE bool put_substitute(struct assay_result *result, const struct substitute *substitute, uint8_t *out,
                                  size_t capacity)
{
    if (substitute->length * substitute->times > capacity - result->written + substitute->taken_back)
        return false;
    ASSUME(result->written >= substitute->taken_back);
    result->written -= substitute->taken_back;
    for (size_t time = 0; time < substitute->times; time++)
        for (size_t i = 0; i < substitute->length; i++)
            out[result->written++] = substitute->bytes[i];
    return true;
}

OPERATION_OF_ENGINE struct assay_result dfa_to_well_formed(const struct automaton *dfa, enum assay_policy policy,
                                                           const uint8_t *bytes, size_t byte_count, uint8_t *out,
                                                           size_t capacity)
{
    struct assay_result result = {.status = ASSAY_OK};
    uint8_t replacement[LONGEST], joint[LONGEST], absorb = 0;
    size_t replacement_length = encode_one(dfa->encoding, REPLACEMENT, replacement);
    uint32_t state = ACCEPT;
    bool after_error = false;
    if ((dfa->encoding->policies >> policy & 1) == 0 || policy == ASSAY_POLICY_SURROGATEESCAPE)
        return (struct assay_result){.status = ASSAY_UNSUPPORTED};
    while (result.read < byte_count) {
        const uint8_t *here = bytes + result.read;
        if (absorb > 0 && is_continuation(dfa, *here)) {
            absorb--;
            result.read++;
            continue;
        }
        struct token token = next_token(dfa, state, 0, here, byte_count - result.read);
        if (token.event == END)
            token = last_token(dfa, &token);
        size_t length = token.taken - token.again;
        bool is_error = token.event != CHARACTER;
        if (is_error && policy == ASSAY_POLICY_STRICT) {
            result.status = ASSAY_ILL_FORMED;
            result.error = (struct assay_span){result.read, length, token.fault, token.fault == ASSAY_FAULT_TRUNCATED};
            break;
        }
        struct substitute substitute = {here, length, 1, 0};
        if (is_error)
            substitute =
                (struct substitute){replacement, replacement_length, replacements_for(policy, length, after_error), 0};
        else if (after_error)
            substitute = substitute_after_error(dfa, here, length, token.code_point, out, result.written, joint);
        if (!put_substitute(&result, &substitute, out, capacity)) {
            result.status = ASSAY_OUTPUT_FULL;
            break;
        }
        absorb = is_error ? absorbed_after(policy, *here, token.fault) : 0;
        after_error = is_error;
        state = token.state;
        result.read += length;
    }
    return result;
}

#endif
