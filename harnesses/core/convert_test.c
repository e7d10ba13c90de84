/* SPDX-License-Identifier: MIT
 *
 * Claim: a conversion depends on its input alone. Its output, and the units between, are at addresses that the sizes
 * and the placement decide, whatever was converted before; and a codec that writes outside them crashes.
 */
#include "convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ADDRESSES = 4096, LENGTH_MAX = 300, LONG = 5000 };

/* Where the last conversion wrote: the units that were decoded, and the bytes. */
static struct place {
    void *units, *bytes;
    size_t unit_capacity, byte_capacity;
} place;

static struct assay_result decode(enum assay_policy policy, const uint8_t *bytes, size_t byte_count, uint32_t *units,
                                  size_t capacity)
{
    (void)policy;
    for (size_t i = 0; i < byte_count; i++)
        units[i] = bytes[i];
    place.units = units;
    place.unit_capacity = capacity;
    return (struct assay_result){.status = ASSAY_OK, .read = byte_count, .written = byte_count};
}

static struct assay_result encode(enum assay_policy policy, const uint32_t *units, size_t unit_count, uint8_t *bytes,
                                  size_t capacity)
{
    (void)policy;
    for (size_t i = 0; i < unit_count; i++)
        bytes[i] = (uint8_t)units[i];
    place.bytes = bytes;
    place.byte_capacity = capacity;
    return (struct assay_result){.status = ASSAY_OK, .read = unit_count, .written = unit_count};
}

static const struct assay_codec copier = {
    .encoding = "utf-8", .name = "copier", .decode_utf32 = decode, .encode_utf32 = encode};

static struct place converted(struct converter *converter, size_t byte_count)
{
    static const uint8_t text[LONG];
    const struct form form = {&copier, NULL};
    if (convert(converter, &form, &form, ASSAY_POLICY_STRICT, text, byte_count) != CONVERTED)
        exit(2);
    return place;
}

static bool is_same_address(const void *a, const void *b)
{
    return ((uintptr_t)a - (uintptr_t)b) % ADDRESSES == 0;
}

/* The lengths at which a converter that has converted other texts writes at other addresses than a new one. */
static size_t count_moved(enum placement placement)
{
    struct converter used = {.placement = placement};
    size_t moved = 0;
    for (size_t length = 0; length <= LENGTH_MAX; length++) {
        struct converter fresh = {.placement = placement};
        converted(&used, length * 7 % LENGTH_MAX);
        struct place now = converted(&used, length), first = converted(&fresh, length);
        moved += !is_same_address(now.units, first.units) || !is_same_address(now.bytes, first.bytes);
        converter_end(&fresh);
        if (length == LENGTH_MAX / 2)
            converted(&used, LONG);
    }
    converter_end(&used);
    return moved;
}

/* True if writing one byte ends another process. */
static bool is_guarded(volatile uint8_t *byte)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO); /* a sanitizer's report is not about this test */
        *byte = 0;
        _exit(0);
    }
    return waitpid(child, &status, 0) == child && !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static size_t count_unguarded(enum placement placement, size_t length)
{
    struct converter converter = {.placement = placement};
    converted(&converter, LONG);
    struct place at = converted(&converter, length);
    uint8_t *units = at.units, *bytes = at.bytes;
    bool at_end = placement == AT_END;
    size_t unguarded = !is_guarded(at_end ? units + at.unit_capacity * sizeof(uint32_t) : units - 1);
    unguarded += !is_guarded(at_end ? bytes + at.byte_capacity : bytes - 1);
    converter_end(&converter);
    return unguarded;
}

int main(void)
{
    size_t moved = 0, unguarded = 0;
    for (enum placement placement = AT_END; placement < PLACEMENT_COUNT; placement++) {
        moved += count_moved(placement);
        unguarded += count_unguarded(placement, LENGTH_MAX) + count_unguarded(placement, 1);
    }
    printf("%zu conversions at an address that earlier ones decided, %zu edges without a guard page\n", moved,
           unguarded);
    return moved + unguarded > 0 ? 1 : 0;
}
