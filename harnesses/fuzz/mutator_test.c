/* SPDX-License-Identifier: MIT
 *
 * The mutator stays within its buffer, repeats itself from the same seed, and brings about what the engines alone
 * rarely do: an ill-formed sequence over the edge of a block behind nothing but ASCII, and one behind 4,200 bytes.
 */
#include "mutator.h"
#include "../../codecs/registry.h"
#include "../core/arena.h"
#include "../core/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20000, CAPACITY_MAX = 8192 };

const char mutator_encoding[] = "utf-8";

static void require(bool holds, const char *claim)
{
    if (!holds) {
        fprintf(stderr, "mutator_test: it does not hold that %s\n", claim);
        exit(1);
    }
}

/* Mutates what it made before, with the buffer's end at a guard page. */
static size_t run(const char *encoding, size_t capacity, unsigned seed, uint8_t *last, void (*look)(const uint8_t *, size_t))
{
    static struct arena arena;
    setenv("ASSAY_ENCODING", encoding, 1);
    void *mutator = afl_custom_init(NULL, seed);
    uint8_t *bytes = arena_at_end(&arena, capacity), *out;
    size_t count = 1;
    bytes[0] = 'a';
    for (size_t round = 0; round < ROUNDS; round++) {
        size_t changed = afl_custom_fuzz(mutator, bytes, count, &out, bytes, count, capacity);
        require(changed <= capacity, "what is made fits");
        memmove(bytes, out, changed);
        count = round % 16 == 0 ? 1 : changed;
        if (look != NULL)
            look(bytes, changed);
    }
    memcpy(last, bytes, count);
    afl_custom_deinit(mutator);
    return count;
}

static size_t over_edges, behind_many;

static void look(const uint8_t *bytes, size_t count)
{
    struct assay_span span;
    if (registry_reference("utf-8")->validate(bytes, count, &span))
        return;
    over_edges += span.offset % 64 == 62 && span.length == 2;
    behind_many += span.offset >= 4200;
}

int main(void)
{
    static uint8_t one[CAPACITY_MAX], two[CAPACITY_MAX];
    for (size_t i = 0; i < sizeof token_sets / sizeof token_sets[0]; i++)
        for (size_t capacity = 1; capacity <= 257; capacity += capacity < 20 ? 1 : 79)
            run(token_sets[i].encoding, capacity, 1, one, NULL);
    size_t first = run("utf-8", CAPACITY_MAX, 7, one, look), second = run("utf-8", CAPACITY_MAX, 7, two, NULL);
    require(first == second && memcmp(one, two, first) == 0, "the same seed makes the same inputs");
    require(over_edges > ROUNDS / 1000, "the edge of a block comes up");
    require(behind_many > ROUNDS / 1000, "errors come up behind 4,200 bytes");
    printf("%zu inputs with a first error over the edge of a block, %zu with one behind 4,200 bytes, of %d\n", over_edges,
           behind_many, ROUNDS);
    return 0;
}
