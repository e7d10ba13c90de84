/* SPDX-License-Identifier: MIT
 *
 * engine.h - every operation of a codec, over a table-driven automaton. Each codec of this folder includes it and
 * supplies the automaton's step. scripts/generate derives all tables.
 */
#ifndef ASSAY_DFA_ENGINE_H
#define ASSAY_DFA_ENGINE_H

#include "strings.h"

OPERATION_OF_ENGINE void dfa_walk(const struct automaton *dfa, const uint8_t *bytes, size_t byte_count,
                                  void (*visit)(void *context, const struct assay_step *step), void *context)
{
    uint32_t state = ACCEPT, payload = 0;
    for (size_t i = 0; i < byte_count;) {
        uint8_t byte = bytes[i];
        uint32_t next = next_state(dfa, state, byte), before = payload;
        bool refused = is_rejected(dfa, next), accepted = is_at_boundary(dfa, next);
        payload = add_payload(dfa, state, payload, byte);
        struct assay_step step = {i,        byte,   dfa->classes != NULL ? dfa->classes[byte] : ASSAY_NO_CLASS,
                                  state,    next,   accepted ? code_point_of(dfa, payload) : payload,
                                  accepted, refused};
        size_t past = bytes_past_lead(dfa, state);
        if (refused && past != NO_HALF) {
            struct token lead = token_of_lone_lead(dfa, 0, past, before);
            step.accepts = lead.event == CHARACTER;
            step.code_point = lead.code_point;
            i -= past;
        } else if (!refused || refused_length(dfa, state, 0) > 0) {
            i++;
        }
        visit(context, &step);
        state = refused ? ACCEPT : next;
    }
}

#endif
