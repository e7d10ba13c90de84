/* SPDX-License-Identifier: MIT
 *
 * Theorem `automaton`: a table-driven codec and the rows, as a product of two automata. Takes each of the 256 bytes
 * from each reachable pair of states; the state of the codec is the one that its walk shows.
 */
#include "../../../codecs/dfa/automaton.h"
#include "theorems.h"

#include <string.h>

_Static_assert((size_t)CHUNK == CHUNK_BYTES, "chunks of the prover");

enum { ACCESS_MAX = 48, PAIRS_MAX = 4096 };

/* A pair of states, and a string that leads there. */
struct pair {
    uint32_t of_codec;
    uint64_t of_rules;
    struct rule_state rules;
    size_t access_count;
    uint8_t access[ACCESS_MAX];
};

struct product {
    struct proof *proof;
    struct pair pairs[PAIRS_MAX];
    size_t count;
};

struct watch {
    uint32_t state;
};

static void watch_step(void *context, const struct assay_step *step)
{
    struct watch *watch = context;
    watch->state = step->rejects ? 0 : step->after;
}

static uint32_t state_after(struct proof *proof, const uint8_t *bytes, size_t byte_count)
{
    struct watch watch = {0};
    note_asked(proof, "walk", bytes, byte_count);
    proof->codec->walk(bytes, byte_count, watch_step, &watch);
    return watch.state;
}

/* Adds a pair if it is new. */
static bool add_pair(struct product *product, const struct pair *pair)
{
    for (size_t i = 0; i < product->count; i++)
        if (product->pairs[i].of_codec == pair->of_codec && product->pairs[i].of_rules == pair->of_rules)
            return true;
    if (product->count == PAIRS_MAX || pair->access_count + 1 >= ACCESS_MAX)
        return refute_on(
            product->proof, pair->access, pair->access_count,
            "the state after it: of codec and rows together there are more pairs than any of our automata has; the verdict");
    product->pairs[product->count++] = *pair;
    return true;
}

static bool follow(struct product *product, const struct pair *from, uint8_t byte)
{
    struct rule_event events[RULE_BYTES_MAX];
    struct pair next = *from;
    next.access[next.access_count++] = byte;
    if (!agrees_on(product->proof, next.access, next.access_count))
        return false;
    rules_feed(product->proof->rules, &next.rules, byte, events);
    next.of_rules = rule_state_identity(&product->proof->kinds, &next.rules);
    next.of_codec = state_after(product->proof, next.access, next.access_count);
    return add_pair(product, &next);
}

static bool has_error(const struct rule_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (events[i].fault != ASSAY_FAULT_NONE)
            return true;
    return false;
}

/* Finds `byte_count` bytes that complete the unfinished sequence of a state of the rules; false if there are none. */
static bool find_end(const struct proof *proof, const struct rule_state *state, uint8_t *bytes, size_t byte_count)
{
    struct rule_event events[RULE_BYTES_MAX];
    if (byte_count == 0)
        return state->count == 0;
    for (size_t kind = 0; kind < proof->kinds.count; kind++) {
        struct rule_state next = *state;
        bytes[0] = proof->kinds.first[kind];
        if (!has_error(events, rules_feed(proof->rules, &next, bytes[0], events)) &&
            find_end(proof, &next, bytes + 1, byte_count - 1))
            return true;
    }
    return false;
}

/* Finds the fewest such bytes and returns how many; 0 if there are none (after half a trail surrogate). */
static size_t find_shortest_end(const struct proof *proof, const struct pair *pair, uint8_t *bytes)
{
    for (size_t count = 0; count < RULE_BYTES_MAX - pair->rules.count; count++)
        if (find_end(proof, &pair->rules, bytes, count))
            return count;
    return 0;
}

/* Validation checks the state only after each 64 bytes (skip_well_formed in codecs/dfa/automaton.h), so a refusal must
 * last: after an error, any byte, then bytes that would complete the sequence of any state, then zeros to the end of a
 * chunk, and one more. */
static bool stays_refused(struct product *product, const uint8_t *refused, size_t refused_count)
{
    for (size_t i = 0; i < product->count; i++) {
        uint8_t bytes[2 * CHUNK], end[RULE_BYTES_MAX];
        size_t end_count = find_shortest_end(product->proof, &product->pairs[i], end);
        for (unsigned byte = 0; byte < 256; byte++) {
            memset(bytes, 0, sizeof bytes);
            memcpy(bytes, refused, refused_count);
            bytes[refused_count] = (uint8_t)byte;
            memcpy(bytes + refused_count + 1, end, end_count);
            if (!agrees_on(product->proof, bytes, sizeof bytes))
                return false;
        }
    }
    return true;
}

/* The same after the shortest string with an error that the product has found. */
static bool all_stay_refused(struct product *product)
{
    for (size_t i = 0; i < product->count; i++)
        for (unsigned byte = 0; byte < 256; byte++) {
            struct rule_event events[RULE_BYTES_MAX];
            struct pair next = product->pairs[i];
            next.access[next.access_count++] = (uint8_t)byte;
            size_t count = rules_feed(product->proof->rules, &next.rules, (uint8_t)byte, events);
            if (has_error(events, count))
                return stays_refused(product, next.access, next.access_count);
        }
    /* So in WTF-16, where only the end of the input can be an error. An automaton that refuses a byte there was refuted
     * when the product was made. */
    return true;
}

static size_t states_of_codec(const struct product *product)
{
    size_t count = 0;
    for (size_t i = 0; i < product->count; i++) {
        size_t j = 0;
        while (product->pairs[j].of_codec != product->pairs[i].of_codec)
            j++;
        count += j == i;
    }
    return count;
}

bool applies_automaton(const struct assay_codec *codec)
{
    return codec->walk != NULL;
}

void prove_automaton(struct proof *proof)
{
    struct product *product = cli_alloc(1, sizeof *product);
    struct pair start = {.of_rules = rule_state_identity(&proof->kinds, &(struct rule_state){.count = 0})};
    product->proof = proof;
    add_pair(product, &start);
    for (size_t i = 0; i < product->count && proof->outcome == PROVEN; i++)
        for (unsigned byte = 0; byte < 256; byte++) {
            struct pair from = product->pairs[i];
            if (!follow(product, &from, (uint8_t)byte))
                break;
        }
    if (proof->outcome == PROVEN)
        all_stay_refused(product);
    snprintf(proof->found, sizeof proof->found, "%zu states, %zu kinds of bytes, %zu pairs of states",
             states_of_codec(product), proof->kinds.count, product->count);
    free(product);
}
