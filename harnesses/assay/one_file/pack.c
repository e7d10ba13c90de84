/* SPDX-License-Identifier: MIT
 *
 * pack OUTPUT FOLDER FILE... - compresses files of FOLDER into one file, which is linked into the program (archive.c
 * reads it).
 *
 * The text that is compressed: for each file its name, a NUL, its size in four bytes, least significant first, its
 * bytes; an empty name ends it. Compressed: the size of that text in eight bytes, then runs: the number of bytes that
 * follow as they are, these, the number of bytes to copy from before, and from how far before. Numbers have seven bits
 * in a byte, least significant first; the high bit says that another byte follows. Nothing to copy ends it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HASH_BITS = 17, CHAIN_MAX = 48, MATCH_MIN = 5 };

static struct text {
    uint8_t *bytes;
    size_t count, capacity;
} plain, packed;

static void fail(const char *what)
{
    perror(what);
    exit(2);
}

static void put(struct text *text, const void *bytes, size_t count)
{
    if (text->count + count > text->capacity) {
        text->capacity = 2 * (text->count + count);
        text->bytes = realloc(text->bytes, text->capacity);
        if (text->bytes == NULL)
            fail("pack");
    }
    memcpy(text->bytes + text->count, bytes, count);
    text->count += count;
}

static void put_fixed(struct text *text, uint64_t value, int byte_count)
{
    for (int i = 0; i < byte_count; i++)
        put(text, &(uint8_t){(uint8_t)(value >> 8 * i)}, 1);
}

static void put_number(size_t value)
{
    for (; value > 0x7F; value >>= 7)
        put(&packed, &(uint8_t){(uint8_t)(value | 0x80)}, 1);
    put(&packed, &(uint8_t){(uint8_t)value}, 1);
}

static void add_file(const char *folder, const char *name)
{
    char path[4096];
    uint8_t piece[1 << 16];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail(path);
    put(&plain, name, strlen(name) + 1);
    size_t size_at = plain.count;
    put_fixed(&plain, 0, 4);
    for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;)
        put(&plain, piece, got);
    fclose(file);
    size_t size = plain.count - size_at - 4;
    for (int i = 0; i < 4; i++)
        plain.bytes[size_at + (size_t)i] = (uint8_t)(size >> 8 * i);
}

static uint32_t hash_at(size_t at)
{
    uint32_t word;
    memcpy(&word, plain.bytes + at, sizeof word);
    return (word * 2654435761U ^ plain.bytes[at + 4] * 40503U) >> (32 - HASH_BITS);
}

static size_t match_length(size_t one, size_t other)
{
    size_t length = 0;
    while (other + length < plain.count && plain.bytes[one + length] == plain.bytes[other + length])
        length++;
    return length;
}

static void compress(void)
{
    uint32_t *heads = calloc(1 << HASH_BITS, sizeof *heads),
             *before = calloc(plain.count + 1, sizeof *before); /* each is a position + 1 */
    if (heads == NULL || before == NULL)
        fail("pack");
    size_t literals = 0;
    for (size_t at = 0; at < plain.count;) {
        size_t best = 0, distance = 0;
        if (at + MATCH_MIN <= plain.count) {
            uint32_t candidate = heads[hash_at(at)];
            for (int i = 0; i < CHAIN_MAX && candidate > 0; i++, candidate = before[candidate - 1]) {
                size_t length = match_length(candidate - 1, at);
                if (length > best) {
                    best = length;
                    distance = at - (candidate - 1);
                }
            }
        }
        size_t step = best >= MATCH_MIN ? best : 1;
        if (best >= MATCH_MIN) {
            put_number(at - literals);
            put(&packed, plain.bytes + literals, at - literals);
            put_number(best);
            put_number(distance);
            literals = at + best;
        }
        for (size_t end = at + step; at < end; at++)
            if (at + MATCH_MIN <= plain.count) {
                before[at] = heads[hash_at(at)];
                heads[hash_at(at)] = (uint32_t)at + 1;
            }
    }
    put_number(plain.count - literals);
    put(&packed, plain.bytes + literals, plain.count - literals);
    put_number(0);
    free(heads);
    free(before);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: pack OUTPUT FOLDER FILE...\n", stderr);
        return 2;
    }
    for (int i = 3; i < argc; i++)
        add_file(argv[2], argv[i]);
    put(&plain, "", 1);
    put_fixed(&packed, plain.count, 8);
    compress();
    FILE *out = fopen(argv[1], "wb");
    if (out == NULL || fwrite(packed.bytes, 1, packed.count, out) != packed.count || fclose(out) != 0)
        fail(argv[1]);
    return 0;
}
