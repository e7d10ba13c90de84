/* SPDX-License-Identifier: MIT
 *
 * Claim: copies and fills by asan_replacements.c write the right bytes, and AddressSanitizer reports a copy that is one
 * byte too long. `asan_replacements_test sound` tests the copies; `asan_replacements_test FAULT` commits one fault.
 * Built without AddressSanitizer, it tests the functions for code that is not instrumented, which check nothing.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 600, AROUND = 16 };

static char global[40];
static volatile size_t length; /* volatile, so that the compiler cannot inline the copies */

/* True if the `count` bytes at `begin` are those of `inside`, and all bytes around them are 1. */
static int is_right(const uint8_t *bytes, size_t begin, size_t count, const uint8_t *inside)
{
    for (size_t i = 0; i < LONGEST + 2 * AROUND; i++)
        if (bytes[i] != (i >= begin && i - begin < count ? inside[i - begin] : 1))
            return 0;
    return 1;
}

/* Tests every length, at every offset in a granule of shadow, and the bytes around the copy. */
static int copies_are_right(void)
{
    static uint8_t from[LONGEST], threes[LONGEST], to[LONGEST + 2 * AROUND];
    for (size_t i = 0; i < LONGEST; i++) {
        from[i] = (uint8_t)(4 + i % 251); /* a prime, so that no two steps of a copy move the same bytes */
        threes[i] = 3;
    }
    for (length = 0; length <= LONGEST; length++)
        for (size_t offset = AROUND; offset < 2 * AROUND; offset++) {
            memset(to, 1, sizeof to);
            memcpy(to + offset, from, length);
            if (!is_right(to, offset, length, from))
                return 0;
            memset(to + offset, 3, length);
            if (!is_right(to, offset, length, threes))
                return 0;
            memmove(to + offset, from, length);
            if (!is_right(to, offset, length, from))
                return 0;
        }
    for (size_t i = 0; i < LONGEST; i++)
        to[i] = (uint8_t)(i % 251);
    length = 100;
    memmove(to + 3, to, length);
    for (size_t i = 0; i < length; i++)
        if (to[3 + i] != i)
            return 0;
    return 1;
}

/* new[] and delete[] by their linker names. */
void *_Znam(size_t byte_count);
void _ZdaPv(void *bytes);

static int allocation_works(void)
{
    uint8_t *bytes = _Znam(LONGEST);
    memset(bytes, 0, LONGEST);
    memset(bytes + 1, 7, LONGEST - 2);
    int right = bytes[0] == 0 && bytes[1] == 7 && bytes[LONGEST - 2] == 7 && bytes[LONGEST - 1] == 0;
    _ZdaPv(bytes);
    return right;
}

static int commit_fault(const char *fault)
{
    char local[40], other[80];
    char *heap = malloc(sizeof local);
    if (heap == NULL)
        return 2;
    memset(local, 0, sizeof local);
    length = sizeof local + 1;
    if (strcmp(fault, "read-stack") == 0)
        memcpy(other, local, length);
    else if (strcmp(fault, "write-stack") == 0)
        memset(local, 1, length);
    else if (strcmp(fault, "write-heap") == 0)
        memset(heap, 1, length);
    else if (strcmp(fault, "copy-global") == 0)
        memmove(other, global, length);
    else if (strcmp(fault, "before-heap") == 0)
        memcpy(other, heap - 1, length - 1);
    else if (strcmp(fault, "overlap") == 0)
        memcpy(other, other + 1, length);
    printf("not caught %d\n", other[0] + local[0] + heap[0]);
    free(heap);
    return 1;
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 2) {
        fprintf(stderr, "usage: asan_replacements_test sound|FAULT\n");
        return 2;
    }
    if (strcmp(arguments[1], "sound") != 0)
        return commit_fault(arguments[1]);
    int sound = copies_are_right() && allocation_works();
    printf("%s\n", sound ? "sound" : "not sound");
    return !sound;
}
