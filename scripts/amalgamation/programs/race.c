/* SPDX-License-Identifier: MIT
 *
 * Threads call each function for the first time at the same moment, for every encoding that the file has, and count
 * wrong answers. With -fsanitize=thread, a data race ends the program with an error.
 */
#define _POSIX_C_SOURCE 200809L /* pthread_barrier_t */
#include "utf8_assay.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 8, ENCODINGS = UTF8_ASSAY_WTF_16BE, LENGTH = 1200 };

static pthread_barrier_t start;

/* The text has no bytes but 0x41: one 16-bit unit for each byte, or U+4141 for two of UTF-16. */
static size_t wrong_answers(enum utf8_assay_encoding encoding)
{
    uint8_t bytes[LENGTH], again[LENGTH];
    uint16_t units[LENGTH];
    struct utf8_assay_stream stream;
    struct utf8_assay_error error;
    const size_t unit_count = encoding < UTF8_ASSAY_UTF_16LE ? LENGTH : LENGTH / 2;
    memset(bytes, 0x41, sizeof bytes);
    const int is_valid = utf8_assay_validate(encoding, bytes, sizeof bytes, &error) == UTF8_ASSAY_OK;
    const size_t counted =
        utf8_assay_count(encoding, UTF8_ASSAY_UTF_16, UTF8_ASSAY_STRICT, bytes, sizeof bytes).written;
    const size_t decoded =
        utf8_assay_convert(encoding, UTF8_ASSAY_UTF_16, UTF8_ASSAY_WHATWG, bytes, sizeof bytes, units, LENGTH).written;
    const size_t encoded =
        utf8_assay_convert(UTF8_ASSAY_UTF_16, encoding, UTF8_ASSAY_WHATWG, units, unit_count, again, LENGTH).written;
    const size_t repaired =
        utf8_assay_to_well_formed(encoding, UTF8_ASSAY_WHATWG, bytes, sizeof bytes, again, LENGTH).written;
    utf8_assay_stream_start(&stream, encoding, encoding, UTF8_ASSAY_STRICT);
    const size_t fed = utf8_assay_stream_feed(&stream, bytes, sizeof bytes, 1, again, LENGTH).written;
    return (size_t)!is_valid + (counted != unit_count) + (decoded != unit_count) + (encoded != LENGTH) +
           (repaired != LENGTH) + (fed != LENGTH) + (memcmp(bytes, again, LENGTH) != 0);
}

static void *call_all(void *wrong)
{
    pthread_barrier_wait(&start);
    for (int encoding = 1; encoding <= ENCODINGS; encoding++)
        if (utf8_assay_implementation((enum utf8_assay_encoding)encoding) != NULL)
            *(size_t *)wrong += wrong_answers((enum utf8_assay_encoding)encoding);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    size_t wrong[THREADS] = {0}, all = 0;
    if (pthread_barrier_init(&start, NULL, THREADS) != 0)
        return 2;
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, call_all, &wrong[i]) != 0)
            return 2;
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        all += wrong[i];
    }
    printf("%d threads, %zu wrong answers\n", THREADS, all);
    return all != 0;
}
