/* SPDX-License-Identifier: MIT
 *
 * Long streams: errors at offsets that 8, 16 or 32 bits cannot hold.
 */
#include "far.h"

static struct assay_result feed_one(const struct assay_codec *codec, enum operation operation,
                                    struct assay_stream *stream, const uint8_t *bytes, size_t byte_count, bool last)
{
    enum { PAGE_MAX = 1 << 16 };
    static uint32_t out[ASSAY_DECODED_MAX(PAGE_MAX)];
    asking_directly(codec, (struct question){.operation = operation,
                                             .input = bytes,
                                             .input_count = byte_count,
                                             .capacity = sizeof out / sizeof out[0]});
    struct assay_result result = codec_call(codec, operation,
                                            &(struct arguments){.stream = stream,
                                                                .input = bytes,
                                                                .input_count = byte_count,
                                                                .last = last,
                                                                .output = out,
                                                                .capacity = sizeof out / sizeof out[0]});
    asking_ends();
    return result;
}

/* The places in a stream where an error is tried, and the operation that is used. */
struct long_stream {
    enum operation operation;
    const uint64_t *places;
    size_t place_count;
};

/* Feeds a page of ASCII repeatedly. At each of these places, feeds an error to a copy of the stream: its offset must be
 * the number of bytes before it, modulo SIZE_MAX + 1. */
static void sweep_stream(struct sweep *sweep, const struct assay_codec *codec, const void *context)
{
    enum { PAGE = 4096 };
    const struct long_stream *which = context;
    static uint8_t page[PAGE];
    uint8_t error[2];
    uint64_t passed = 0;
    struct assay_stream stream, copy;
    size_t unit = put_error(sweep, error), length = unit;
    if (!comparer_asks(&sweep->comparer, codec, which->operation) ||
        !codec_offers(codec, which->operation, ASSAY_POLICY_STRICT)) {
        sweep->comparer.skipped++;
        return;
    }
    cli_note_answered(codec);
    if (codec->validate != NULL &&
        ask_well_formed(codec, error, unit, NULL)) /* in WTF-16, only half a unit at the end is an error */
        length = 1;
    fill(sweep, page, PAGE, SPACES);
    assay_stream_start(&stream, ASSAY_POLICY_STRICT);
    for (size_t i = 0; i < which->place_count; i++) {
        for (uint64_t end = which->places[i] / unit * unit; passed < end;) {
            size_t count = end - passed < PAGE ? (size_t)(end - passed) : PAGE;
            struct assay_result result = feed_one(codec, which->operation, &stream, page, count, false);
            if (result.status != ASSAY_OK || result.read != count || result.written != count / unit)
                return note_failure(
                    sweep, codec, "does not take one more page of ASCII in a stream, after as many bytes:", 4, passed);
            passed += count;
        }
        copy = stream;
        struct assay_result result = feed_one(codec, which->operation, &copy, error, length, true);
        sweep->comparer.asked++;
        if (result.status != ASSAY_ILL_FORMED ||
            (result.error.offset != (size_t)passed && result.error.offset != ASSAY_UNKNOWN))
            note_failure(sweep, codec, "gives another offset to an error in a stream after as many bytes:", 4, passed);
        show_progress(sweep, i, which->place_count);
    }
}

static void sweep_streams_to(struct sweep *sweep, const uint64_t *places, size_t place_count)
{
    comparer_begin(&sweep->comparer);
    for (size_t i = 0; i < sweep->comparer.panel_size && !has_ended(sweep->comparer.diverged); i++)
        for (enum operation operation = OP_FEED_UTF32; operation <= OP_FEED_UTF16; operation++) {
            const struct assay_codec *codec = sweep->comparer.panel[i];
            sweep->inputs++;
            sweep_survive_codec(sweep, codec, sweep_stream, &(struct long_stream){operation, places, place_count});
        }
}

void sweep_streams(struct sweep *sweep)
{
    static const uint64_t places[] = {UINT32_MAX, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1,
                                      (UINT64_C(1) << 32) + FAR_MAX};
    sweep_streams_to(sweep, places, sizeof places / sizeof places[0]);
}

void far_streams(struct sweep *sweep)
{
    uint64_t places[FAR_COUNT];
    for (size_t i = 0; i < FAR_COUNT; i++)
        places[i] = far[i];
    sweep_streams_to(sweep, places, FAR_COUNT);
}
