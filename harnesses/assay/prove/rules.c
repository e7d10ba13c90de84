/* SPDX-License-Identifier: MIT */
#include "rules.h"

#include <string.h>

#define ENCODING(id, name) extern const struct rules rules_##id;
#include "../../../codecs/codecs.def"

static const struct rules *const all_rules[] = {
#define ENCODING(id, name) &rules_##id,
#include "../../../codecs/codecs.def"
};

const struct rules *rules_of(const char *encoding)
{
    for (size_t i = 0; i < sizeof all_rules / sizeof all_rules[0]; i++)
        if (strcmp(all_rules[i]->encoding, encoding) == 0)
            return all_rules[i];
    return NULL;
}

struct kinds kinds_of(const struct rules *rules)
{
    struct kinds kinds = {.count = 0};
    for (unsigned byte = 0; byte < 256; byte++) {
        size_t kind = 0;
        while (kind < kinds.count && !rules->are_alike(kinds.first[kind], (uint8_t)byte))
            kind++;
        if (kind == kinds.count)
            kinds.first[kinds.count++] = (uint8_t)byte;
        kinds.of[byte] = (uint8_t)kind;
    }
    return kinds;
}

static bool is_lead_surrogate(uint32_t code_point)
{
    return code_point >= 0xD800 && code_point <= 0xDBFF;
}

/* Removes the events that are certain from the pending bytes. */
static size_t take_events(const struct rules *rules, struct rule_state *state, bool last, struct rule_event *events)
{
    size_t count = 0, at = 0;
    while (at < state->count) {
        struct rule_step step = rules->step(state->pending + at, state->count - at, last, state->after_lead);
        if (step.fault == ASSAY_FAULT_TRUNCATED && !last)
            break;
        events[count++] = (struct rule_event){at, step.length, step.code_point, step.fault};
        state->after_lead = step.fault == ASSAY_FAULT_NONE && is_lead_surrogate(step.code_point);
        at += step.length;
    }
    memmove(state->pending, state->pending + at, state->count - at);
    state->count -= at;
    return count;
}

size_t rules_feed(const struct rules *rules, struct rule_state *state, uint8_t byte, struct rule_event *events)
{
    state->pending[state->count++] = byte;
    return take_events(rules, state, false, events);
}

size_t rules_run(const struct rules *rules, const uint8_t *bytes, size_t byte_count, bool last,
                 struct rule_event *events)
{
    struct rule_state state = {.count = 0};
    size_t count = 0;
    for (size_t i = 0; i < byte_count || (last && i == byte_count); i++) {
        size_t begin = i - state.count;
        size_t more = i < byte_count ? rules_feed(rules, &state, bytes[i], events + count)
                                     : take_events(rules, &state, true, events + count);
        for (size_t event = count; event < count + more; event++)
            events[event].offset += begin;
        count += more;
    }
    return count;
}

uint64_t rule_state_identity(const struct kinds *kinds, const struct rule_state *state)
{
    uint64_t identity = 2 + (uint64_t)state->after_lead; /* the leading bits: the number of bytes */
    for (size_t i = 0; i < state->count; i++)
        identity = identity * 64 + kinds->of[state->pending[i]];
    return identity;
}
