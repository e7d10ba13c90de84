/* SPDX-License-Identifier: MIT
 *
 * The references for UTF-16 and for potentially ill-formed UTF-16 (WTF-16), both in two byte orders, as streams of
 * bytes. UTF-16LE and UTF-16BE: Unicode 17.0, D91, Table 3-5, and D97, D98. WTF-16: the specification of WTF-8, section
 * 4; any sequence of units has an interpretation, in which a surrogate that is in no pair is a code point of its own.
 * The only error there is an odd byte at the end. Offsets and lengths are in bytes.
 *
 * The policies for ill-formed UTF-16 are `strict`, `whatwg` (one U+FFFD for each unpaired surrogate, and for an end
 * inside a code unit or a pair), `per-run` and `skip`. The other policies are about bytes that UTF-16 does not have,
 * and are not offered.
 */
#include "loop.h"

static uint32_t code_unit(const struct encoding *encoding, const uint8_t *bytes)
{
    uint32_t first = bytes[0], second = bytes[1];
    return encoding->big_endian ? first << 8 | second : second << 8 | first;
}

static struct step lone_surrogate(const struct encoding *encoding, uint32_t unit)
{
    return (struct step){2, unit, encoding->refuses_pairs ? ASSAY_FAULT_NONE : ASSAY_FAULT_UNPAIRED_SURROGATE};
}

static struct step step_by_units(const struct encoding *encoding, const struct ahead *ahead)
{
    ASSUME(ahead->count > 0);
    if (ahead->count < 2)
        return (struct step){ahead->count, 0, ASSAY_FAULT_TRUNCATED};
    uint32_t unit = code_unit(encoding, ahead->bytes);
    if (is_trail(unit))
        return lone_surrogate(encoding, unit);
    if (!is_lead(unit))
        return (struct step){2, unit, ASSAY_FAULT_NONE};
    if (ahead->count < 4 && ahead->last && encoding->refuses_pairs)
        return lone_surrogate(encoding, unit);
    if (ahead->count < 4)
        return (struct step){ahead->count, 0, ASSAY_FAULT_TRUNCATED};
    uint32_t next = code_unit(encoding, ahead->bytes + 2);
    if (!is_trail(next))
        return lone_surrogate(encoding, unit);
    return (struct step){4, scalar_of_pair(unit, next), ASSAY_FAULT_NONE};
}

/* Units begin at even offsets. This unit may belong to a step that begins at the one before. If the unit before is an
 * unpaired trail, its step begins and ends there, which has the same length. */
static size_t start_near_by_units(const uint8_t *bytes, size_t at)
{
    (void)bytes;
    size_t unit = at / 2 * 2;
    return unit >= 2 ? unit - 2 : 0;
}

static size_t put_unit(uint32_t unit, bool big_endian, uint8_t *out)
{
    out[0] = (uint8_t)(big_endian ? unit >> 8 : unit & 0xFF);
    out[1] = (uint8_t)(big_endian ? unit & 0xFF : unit >> 8);
    return 2;
}

static size_t encode_by_units(const struct encoding *encoding, uint32_t code_point, uint8_t out[LONGEST])
{
    bool is_surrogate = is_lead(code_point) || is_trail(code_point);
    if ((is_surrogate && !encoding->refuses_pairs) || code_point > LAST_CODE_POINT)
        return 0;
    if (code_point <= 0xFFFF)
        return put_unit(code_point, encoding->big_endian, out);
    return put_unit(lead_of(code_point), encoding->big_endian, out) +
           put_unit(trail_of(code_point), encoding->big_endian, out + 2);
}

#define BY_UNITS \
    .step = step_by_units, .start_near = start_near_by_units, .encode = encode_by_units, .policies = POLICIES_OF_ALL

static const struct encoding utf16le = {BY_UNITS, .big_endian = false};
#define ENCODING utf16le
#define NAME "utf-16le"
#include "codec.inc"

static const struct encoding utf16be = {BY_UNITS, .big_endian = true};
#define ENCODING utf16be
#define NAME "utf-16be"
#include "codec.inc"

static const struct encoding wtf16le = {BY_UNITS, .big_endian = false, .refuses_pairs = true};
#define ENCODING wtf16le
#define NAME "wtf-16le"
#include "codec.inc"

static const struct encoding wtf16be = {BY_UNITS, .big_endian = true, .refuses_pairs = true};
#define ENCODING wtf16be
#define NAME "wtf-16be"
#include "codec.inc"
