/* SPDX-License-Identifier: MIT */
#include "contexts.h"

#include "../cli.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES_MAX = 1 << 16 };

/* A place in the search through all texts without errors: the state of the rules, and the kinds of the last three
 * bytes. */
struct place {
    struct rule_state state;
    bool begins_nothing; /* the last byte begins nothing, and was let pass */
    uint8_t last[LOOK_BACK];
};

struct search {
    struct proof *proof;
    struct contexts *contexts;
    struct place *places;
    size_t count;
    uint64_t *identity_of; /* for each context, the identity of the state after it; 0: not seen yet */
};

size_t context_of(const struct contexts *contexts, const uint8_t bytes[LOOK_BACK])
{
    const uint8_t *of = contexts->kinds.of;
    return ((size_t)of[bytes[0]] * KINDS_MAX + of[bytes[1]]) * KINDS_MAX + of[bytes[2]];
}

/* A lead surrogate before is part of the identity only if what follows depends on it; if tables decide, nothing
 * does. */
static uint64_t identity_of(const struct search *search, const struct place *place)
{
    struct rule_state state = place->state;
    state.after_lead = false;
    return place->begins_nothing ? 1 : rule_state_identity(&search->contexts->kinds, &state);
}

static void add_place(struct search *search, const struct place *place)
{
    size_t context = context_of(search->contexts, place->last);
    uint64_t identity = identity_of(search, place);
    if (search->identity_of[context] == identity)
        return;
    if (search->identity_of[context] != 0) {
        refute_on(search->proof, place->last, LOOK_BACK,
                  "that three bytes decide: there are two states after them, and that");
        return;
    }
    search->identity_of[context] = identity;
    search->contexts->can_be[context] = true;
    search->contexts->ends_well[context] = place->state.count == 0 && !place->begins_nothing;
    search->contexts->count++;
    search->places[search->count++] = *place;
}

static enum context_verdict follow(struct search *search, const struct place *from, uint8_t byte)
{
    struct rule_event events[RULE_BYTES_MAX];
    struct place next = *from;
    memmove(next.last, next.last + 1, LOOK_BACK - 1);
    next.last[LOOK_BACK - 1] = byte;
    if (from->begins_nothing)
        return WRONG;
    size_t count = rules_feed(search->proof->rules, &next.state, byte, events);
    /* refused by itself, and not a continuation byte: it is let pass, as the first byte of a sequence would be */
    bool is_let_pass = count == 1 && from->state.count == 0 && events[0].fault != ASSAY_FAULT_NONE && byte >= 0xC0;
    for (size_t i = 0; i < count && !is_let_pass; i++)
        if (events[i].fault != ASSAY_FAULT_NONE)
            return WRONG;
    next.begins_nothing = is_let_pass;
    add_place(search, &next);
    return RIGHT;
}

struct contexts *contexts_of(struct proof *proof)
{
    struct search search = {.proof = proof, .contexts = cli_alloc(1, sizeof *search.contexts)};
    search.places = cli_alloc(PLACES_MAX, sizeof *search.places);
    search.identity_of = cli_alloc(CONTEXTS_MAX, sizeof *search.identity_of);
    search.contexts->kinds = proof->kinds;
    add_place(&search, &(struct place){.begins_nothing = false});
    for (size_t i = 0; i < search.count && proof->outcome == PROVEN; i++)
        for (size_t kind = 0; kind < proof->kinds.count; kind++) {
            struct place from = search.places[i];
            size_t context = context_of(search.contexts, from.last);
            search.contexts->verdicts[context][kind] = follow(&search, &from, proof->kinds.first[kind]);
        }
    free(search.places);
    free(search.identity_of);
    if (proof->outcome == PROVEN)
        return search.contexts;
    free(search.contexts);
    return NULL;
}
