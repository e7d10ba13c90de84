/* SPDX-License-Identifier: MIT
 *
 * decode_windows.h - the second tier of decoding: windows of 64 bytes, all on the same path, with errors or without.
 *
 * A byte is "taken" if it continues the character before it. A byte whose next byte is taken has no unit (except the
 * third of four bytes in UTF-16, which has a high surrogate). Every other byte has one unit: of the character that is
 * complete there, or U+FFFD for the error that ends there, whatever the error is. Whether a byte is taken depends on
 * the three bytes before it. A window includes these three, so nothing is carried from window to window but where the
 * next unit goes.
 *
 * In ASCII with errors hardly any byte is taken. Then each byte is a unit by itself (a "single"), at a quarter of the
 * work.
 */
#ifndef ASSAY_SIMD_BYTES_DECODE_WINDOWS_H
#define ASSAY_SIMD_BYTES_DECODE_WINDOWS_H

#include "scan_window.h"
#include "units.h"
#ifdef VEC_MANY_REGISTERS
#include "decode_windows_batch_avx512.h"
#else
#include "decode_windows_batch.h"
#endif

/* After about this many windows without a taken byte, singles are likely. */
#ifdef VEC_MANY_REGISTERS
enum { SINGLES_LIKELY = 2 };
#else
enum { SINGLES_LIKELY = 1 };
#endif

/* Decoding by windows; `at` is the first byte that is not decoded. */
struct window_decoder {
    struct scanner scanner;
    bool lossy;          /* replaces errors; if false, stops at the first one */
    size_t clean_count;  /* windows without errors since the last error */
    size_t singles_odds; /* grows with windows in which no byte is taken; not 0 only if the byte at `at` is not taken */
    size_t at;
    struct output out;
};

/* Updates the odds after `blocks` blocks. `taken`: the bytes that are taken in the last one. */
KERNEL_PART void update_odds(struct window_decoder *decoder, uint64_t taken, size_t blocks)
{
    if (decoder->singles_odds == 0 && taken != 0) /* as in most text that is not ASCII */
        return;
    /* All ones or zero; as a branch it would be unpredictable. */
    uint64_t next_is_free = hold_bits((taken >> (VEC_BYTES - 1)) - 1);
    size_t less = decoder->singles_odds / 4 & (size_t)next_is_free;
    decoder->singles_odds = taken != 0 ? less : decoder->singles_odds + (decoder->lossy ? blocks : 0);
}

/* Decodes the bytes of a window that the mask `inside` has. Returns false, with nothing done, if there is no room, or
 * at an error if not lossy, or at a surrogate that may be an error. If lossy, no branch depends on errors: in damaged
 * text they are unpredictable. */
KERNEL_PART bool put_window(enum form form, struct window_decoder *decoder, const struct window *window,
                            uint64_t inside)
{
    if (has_surrogates(decoder->scanner.encoding, window->back_1, window->now))
        return false;
    struct window_scan scan = scan_window(&decoder->scanner, window->back_1, window->now, inside);
    uint64_t is_calm = hold_bits((uint64_t)0 - (scan.errors == 0));
    uint64_t stops =
        hold_bits((uint64_t)decoder->lossy - 1); /* all ones or zero: gcc 12 compiles `&&` to a branch on is_calm */
    if ((stops & ~is_calm) != 0)
        return false;
    decoder->clean_count = (decoder->clean_count + 1) & (size_t)is_calm;
    update_odds(decoder, scan.taken, 1);
    uint64_t chosen = scan.chosen;
    bool has_fours = scan.fourths != 0;
    if (has_fours && form == UTF16)
        chosen |= scan.fourths >> 1 & inside;
    size_t count = count_bits(chosen), room = decoder->out.capacity - decoder->out.written;
    if (room < VEC_BYTES && count > room)
        return false;
    struct planes planes = planes_of(window);
    put_replacements(&planes, window->now, ASSAY_POLICY_WHATWG, vec_truth(scan.errors));
    if (has_fours)
        put_supplementary(form, &planes, window, &(struct fours){scan.fourths >> 1, scan.fourths});
    put_planes(form, &planes, form == UTF32 && has_fours, chosen,
               unit_at(form, decoder->out.units, decoder->out.written), room);
    decoder->out.written += count;
    return true;
}

/* Updates the odds and the count of clean windows after a batch of `count` windows. */
KERNEL_PART void update_odds_after_batch(struct window_decoder *decoder, const struct batch_scan *scans, size_t count)
{
    size_t clean_count = 0;
    while (clean_count < count && scans->errors[count - 1 - clean_count] == 0)
        clean_count++;
    decoder->clean_count = clean_count == count ? decoder->clean_count + clean_count : clean_count;
    if (count > 0)
        update_odds(decoder, scans->taken[count - 1], 1);
}

/* Decodes windows with any errors, while there is room for the most units that they may have, until about `enough` in a
 * row had no error, or singles are likely. Returns false if there is no room for one window. Else sets *goes_on to
 * false if the result of the next window depends on bytes outside it. */
KERNEL_PART bool put_window_batch(enum form form, struct window_decoder *decoder, size_t enough, const uint8_t *bytes,
                                  size_t byte_count, bool *goes_on)
{
    enum { FEW = 4 }; /* windows in the first batch: most runs of errors are short */
    const struct encoding *encoding = decoder->scanner.encoding;
    struct batch_scanner scanner = batch_scanner_of(encoding);
    struct unit_constants constants = unit_constants_of();
    struct batch_scan scans;
    size_t left = byte_count - decoder->at - 1, room = decoder->out.capacity - decoder->out.written;
    size_t fit = room < VEC_BYTES ? 0 : (room - VEC_BYTES) / SCANNED_BYTES + 1;
    size_t most = left / SCANNED_BYTES < fit ? left / SCANNED_BYTES : fit, wanted = FEW, all = 0, count;
    if (most == 0)
        return false;
    uint8_t *to = unit_at(form, decoder->out.units, decoder->out.written);
    do {
        wanted = most - all < wanted ? most - all : wanted;
        const uint8_t *window = bytes + decoder->at - REACH;
        count = scan_windows(form, encoding, &scanner, window, wanted, &scans);
        uint64_t likely_fours = fours_are_likely(&scans, count);
        for (size_t i = 0; i < count; i++, window += SCANNED_BYTES) {
            size_t units = put_scanned(form, &constants, window, &scans, i, likely_fours, to);
            to = unit_at(form, to, units);
            decoder->out.written += units;
        }
        all += count;
        decoder->at += count * SCANNED_BYTES;
        update_odds_after_batch(decoder, &scans, count);
        *goes_on = count == wanted;
        wanted = BATCH_WINDOWS;
    } while (*goes_on && all < most && decoder->clean_count < enough && decoder->singles_odds < SINGLES_LIKELY);
    return true;
}

/* Returns how many bytes before bytes[at] belong to the same character or unfinished sequence as bytes[at]: at most
 * REACH, and 0 if bytes[at] begins one. */
static size_t bytes_under_way(const struct encoding *encoding, const uint8_t *bytes, size_t at)
{
    const uint8_t *byte = bytes + at;
    if (at == 0 || !is_continuation(*byte))
        return 0;
    size_t back = 1;
    while (back < REACH && back < at && is_continuation(*(byte - back)))
        back++;
    uint8_t lead = *(byte - back);
    size_t length = 1u + (lead >= FIRST_BEYOND_CONTINUATIONS) + (lead >= encoding->first_lead_of_3) +
                    (lead >= encoding->first_lead_of_4);
    return back < length && may_continue(encoding, lead, *(byte - back + 1)) ? back : 0;
}

/* Decodes text in which every byte is a unit, if such text is likely to come next. Returns whether it did. */
KERNEL_PART bool put_likely_singles(enum form form, struct window_decoder *decoder, const struct window *window,
                                    const uint8_t *bytes, size_t byte_count)
{
    size_t from = decoder->at;
    if (decoder->singles_odds >= SINGLES_LIKELY)
        put_singles(form, decoder->scanner.encoding, ASCII_AND_ERRORS, bytes, byte_count, &decoder->at, &decoder->out);
    else if (vec_is_ascii(window->now))
        put_ascii(form, decoder->scanner.encoding, bytes, byte_count, &decoder->at, &decoder->out);
    else
        return false;
    update_odds(decoder, 0, (decoder->at - from) / VEC_BYTES);
    return decoder->at != from;
}

/* Decodes from *at, a character boundary, up to the first of: the end; an error, if not lossy; a surrogate whose result
 * depends on bytes outside its window; too little room; `enough` windows in a row without errors. Moves *at there, or
 * to a boundary one or two characters before. With `hold`, does not decode an unfinished sequence at the end. */
LONG_PART void decode_each_window(enum form form, const struct encoding *encoding, bool lossy, bool hold, size_t enough,
                                  const uint8_t *bytes, size_t byte_count, size_t *at, struct output *out)
{
    enum { ENOUGH_BYTES = 2 * REACH }; /* bytes for a window, and those that its first bytes depend on */
    if (*at == byte_count || (*at > 0 && *at < ENOUGH_BYTES))
        return;
    struct window_decoder decoder = {scanner_of(encoding), lossy, 0, 0, *at, *out};
    bool goes_on = true;
    if (*at == 0)
        put_ascii(form, encoding, bytes, byte_count, &decoder.at, &decoder.out);
    if (decoder.at == 0 && byte_count > SCANNED_BYTES) {
        struct window window = window_of_only(bytes, byte_count < VEC_BYTES ? byte_count : VEC_BYTES);
        goes_on = put_window(form, &decoder, &window, first_bits(SCANNED_BYTES));
        decoder.at += goes_on ? SCANNED_BYTES : 0;
    }
    while (goes_on && decoder.clean_count < enough && byte_count - decoder.at > SCANNED_BYTES) {
        struct window window = window_at(bytes + decoder.at - REACH);
        if (put_likely_singles(form, &decoder, &window, bytes, byte_count))
            continue;
        if (lossy && decoder.singles_odds < SINGLES_LIKELY &&
            put_window_batch(form, &decoder, enough, bytes, byte_count, &goes_on))
            continue;
        goes_on = put_window(form, &decoder, &window, inside_window());
        decoder.at += goes_on ? SCANNED_BYTES : 0;
    }
    size_t length = byte_count - decoder.at;
    if (goes_on && !hold && length > 0 && length <= SCANNED_BYTES) { /* the last window, with zeros after the end */
        size_t back = decoder.at < REACH ? 0 : REACH;
        struct window window =
            back == 0 ? window_of_only(bytes, length) : window_at_end(bytes + decoder.at - back, length + back);
        decoder.at += put_window(form, &decoder, &window, first_bits(length) << back) ? length : 0;
    }
    if (decoder.at > *at && decoder.at < byte_count) {
        size_t back = bytes_under_way(encoding, bytes, decoder.at);
        decoder.at -= back;
        decoder.out.written -= form == UTF16 && back == REACH; /* that of a high surrogate */
    }
    *at = decoder.at;
    out->written = decoder.out.written;
}

#endif
