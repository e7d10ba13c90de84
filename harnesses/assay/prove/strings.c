/* SPDX-License-Identifier: MIT */
#include "strings.h"

#include "../cli.h"

#include <stdlib.h>

enum {
    PLACES_MAX = 1 << 16,
    SEEN_MAX = 1 << 18,
    KIND_BITS = 6,
    NEAR_BYTES = 3,
    FAR_BYTES = 5,
    LONGEST_BEFORE = 2,
    ONE_MORE_MAX = 1 << 14
};

/* The end of some text without an error: the state of the rules there, and the kinds of the last bytes. */
struct place {
    struct rule_state state;
    uint64_t kinds;
    struct string text;
};

struct search {
    const struct rules *rules;
    const struct kinds *kinds;
    uint64_t mask; /* for the kinds that are used */
    struct place *places;
    size_t count;
    struct {
        uint64_t state, kinds;
        bool is_taken;
    } * seen; /* a hash table */
};

/* Returns false if the place was already there. */
static bool add_place(struct search *search, const struct place *place)
{
    uint64_t state = rule_state_identity(search->kinds, &place->state);
    size_t slot = (size_t)((state * UINT64_C(0x9E3779B97F4A7C15) ^ place->kinds) * UINT64_C(0xD6E8FEB86659FD93) >> 46);
    for (; search->seen[slot].is_taken; slot = (slot + 1) % SEEN_MAX)
        if (search->seen[slot].state == state && search->seen[slot].kinds == place->kinds)
            return false;
    if (search->count == PLACES_MAX)
        cli_fail("the rules have more contexts than %d", PLACES_MAX);
    search->seen[slot].state = state;
    search->seen[slot].kinds = place->kinds;
    search->seen[slot].is_taken = true;
    search->places[search->count++] = *place;
    return true;
}

/* Sets the place one byte later; false if that byte is an error. */
static bool follow(const struct search *search, const struct place *from, size_t kind, struct place *next)
{
    struct rule_event events[RULE_BYTES_MAX];
    *next = *from;
    next->text.bytes[next->text.count++] = search->kinds->first[kind];
    next->kinds = (next->kinds << KIND_BITS | kind) & search->mask;
    size_t count = rules_feed(search->rules, &next->state, search->kinds->first[kind], events);
    for (size_t i = 0; i < count; i++)
        if (events[i].fault != ASSAY_FAULT_NONE)
            return false;
    return true;
}

static void forget_places(struct search *search)
{
    for (size_t i = 0; i < SEEN_MAX; i++)
        search->seen[i].is_taken = false;
    search->count = 0;
}

/* Returns the most bytes that can be pending: all but the last of the longest character. */
static size_t longest_under_way(struct search *search)
{
    size_t longest = 0;
    search->mask = 0;
    add_place(search, &(struct place){.kinds = 0});
    for (size_t i = 0; i < search->count; i++)
        for (size_t kind = 0; kind < search->kinds->count; kind++) {
            struct place next;
            if (follow(search, &search->places[i], kind, &next) && add_place(search, &next) &&
                next.state.count > longest)
                longest = next.state.count;
        }
    return longest;
}

/* A byte that begins nothing may be refused only together with the next byte, so a byte of each kind follows it. Only
 * after texts of at most two bytes. */
static size_t add_one_more(const struct search *search, const struct place *from, const struct place *refused,
                           struct string *list)
{
    size_t count = 0;
    bool begins_nothing = from->state.count == 0 && refused->text.bytes[refused->text.count - 1] >= 0xC0;
    for (size_t kind = 0; kind < search->kinds->count && begins_nothing && from->text.count <= LONGEST_BEFORE; kind++) {
        list[count] = refused->text;
        list[count].bytes[list[count].count++] = search->kinds->first[kind];
        count++;
    }
    return count;
}

/* Finds all places that `look_back` bytes distinguish. Lists, for each place and kind, the text up to the place and one
 * byte of that kind. */
static size_t find_strings(struct search *search, size_t look_back, struct string *list)
{
    size_t count = 0;
    forget_places(search);
    search->mask = (UINT64_C(1) << KIND_BITS * look_back) - 1;
    add_place(search, &(struct place){.kinds = 0});
    for (size_t i = 0; i < search->count; i++)
        for (size_t kind = 0; kind < search->kinds->count; kind++) {
            struct place next;
            if (follow(search, &search->places[i], kind, &next))
                add_place(search, &next);
            else
                count += add_one_more(search, &search->places[i], &next, list + count);
            list[count++] = next.text;
        }
    return count;
}

struct strings strings_of(const struct rules *rules, const struct kinds *kinds, bool far)
{
    struct search search = {.rules = rules, .kinds = kinds};
    search.places = cli_alloc(PLACES_MAX, sizeof *search.places);
    search.seen = cli_alloc(SEEN_MAX, sizeof *search.seen);
    struct strings strings = {.list = cli_alloc(PLACES_MAX * kinds->count + ONE_MORE_MAX, sizeof *strings.list)};
    size_t look_back = longest_under_way(&search), most = far ? FAR_BYTES : NEAR_BYTES;
    look_back = look_back < NEAR_BYTES ? NEAR_BYTES : look_back < most ? look_back : most;
    do
        strings.count = find_strings(&search, look_back--, strings.list);
    while (strings.count > STRINGS_MAX);
    free(search.places);
    free(search.seen);
    return strings;
}

void strings_free(struct strings *strings)
{
    free(strings->list);
    strings->list = NULL;
}
