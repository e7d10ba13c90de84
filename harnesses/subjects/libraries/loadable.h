/* SPDX-License-Identifier: MIT
 *
 * loadable.h - makes a loadable codec (codec.h) of an adapter that includes protocol.h, where ASSAY_LOADABLE is the
 * name of the codec. `subjects.py --loadable` compiles adapters so, for fuzz_subjects and `assay run --codec`.
 *
 * A verdict comes from `validate`, a text from `decode` under `strict`, both for UTF-8. An adapter that does not take
 * every input offers no `validate`, which cannot decline. An ill-formed text of which the adapter does not say where
 * the error is has no answer to `decode`.
 */
#ifndef ASSAY_LOADABLE_H
#define ASSAY_LOADABLE_H

#include "../subject.h"

#define LOADABLE_TEXT(name) #name
#define LOADABLE_NAME(name) LOADABLE_TEXT(name)

static struct adapter loaded_adapter;
static const char *loaded_offer = "";

int main(void); /* main() of the adapter, which is not called here */

/* Replaces the function that answers on standard output. */
static inline int speak(const char *name, const char *offer, const struct adapter *adapter)
{
    (void)name;
    loaded_offer = offer;
    loaded_adapter = *adapter;
    return 0;
}

static inline enum verdict loadable_feed(const char *operation, const uint8_t *bytes, size_t count)
{
    if (!loaded_adapter.begin(operation, "utf-8", "strict"))
        return NOT_OFFERED;
    forget_output();
    unsigned char *terminated = (unsigned char *)checked(malloc(count + 1));
    if (count > 0)
        memcpy(terminated, bytes, count);
    terminated[count] = '\0';
    enum verdict verdict = loaded_adapter.feed(terminated, count, true);
    free(terminated);
    return verdict;
}

static bool loadable_validate(const uint8_t *bytes, size_t byte_count, struct assay_span *error)
{
    bool is_well_formed = loadable_feed("validate", bytes, byte_count) == WELL_FORMED;
    subject_verdict(is_well_formed             ? byte_count
                    : output.error_offset >= 0 ? (size_t)output.error_offset
                                               : ASSAY_UNKNOWN,
                    byte_count, error);
    return is_well_formed;
}

static struct assay_result loadable_decode(const uint8_t *bytes, size_t byte_count)
{
    enum verdict verdict = loadable_feed("decode", bytes, byte_count);
    size_t good = byte_count;
    if (verdict == ILL_FORMED && output.error_offset >= 0) {
        good = (size_t)output.error_offset;
        verdict = loadable_feed("decode", bytes, good);
    }
    return verdict == WELL_FORMED ? subject_converted(good, byte_count, output.count) : SUBJECT_UNSUPPORTED;
}

static struct assay_result loadable_decode_utf32(enum assay_policy policy, const uint8_t *bytes, size_t byte_count,
                                                 uint32_t *out, size_t capacity)
{
    struct assay_result result =
        policy == ASSAY_POLICY_STRICT ? loadable_decode(bytes, byte_count) : SUBJECT_UNSUPPORTED;
    if (result.status == ASSAY_UNSUPPORTED || result.written > capacity)
        return SUBJECT_UNSUPPORTED;
    if (result.written > 0)
        memcpy(out, output.points, result.written * sizeof *out);
    return result;
}

static struct assay_codec loadable_codec(void)
{
    struct assay_codec codec = {ASSAY_CODEC_HEADER("utf-8", LOADABLE_NAME(ASSAY_LOADABLE))};
    codec.validate = loadable_validate;
    codec.decode_utf32 = loadable_decode_utf32;
    return codec;
}

#ifdef __cplusplus
extern "C" struct assay_codec assay_codec;
#endif
struct assay_codec assay_codec = {ASSAY_CODEC_HEADER("utf-8", LOADABLE_NAME(ASSAY_LOADABLE))};

static inline bool loadable_takes_every_input(void)
{
    static const char *const peculiar[] = {"", "\x01", "\xEF\xBF\xBE", "\"\\<&\r", "\x7F"};
    for (size_t i = 0; i < sizeof peculiar / sizeof peculiar[0]; i++)
        if (loadable_feed("validate", (const uint8_t *)peculiar[i], strlen(peculiar[i])) == NOT_OFFERED)
            return false;
    return loadable_feed("validate", (const uint8_t *)"", 1) != NOT_OFFERED;
}

__attribute__((constructor)) static void loadable_begin(void)
{
    main();
    assay_codec = loadable_codec();
    if (strstr(loaded_offer, "validate") == NULL || !loadable_takes_every_input())
        assay_codec.validate = NULL;
    if (strstr(loaded_offer, "decode") == NULL)
        assay_codec.decode_utf32 = NULL;
}

#endif
