/* SPDX-License-Identifier: MIT */
#include "build.h"

#include "../../../codecs/schemes/scheme.h"
#include "../cli.h"
#include "layout.h"

/* A step from LEB128 to UTF-8: its scheme, a scheme with the same layout, and what the step adds. */
static const struct step {
    const char *name, *drawn_as, *sentence;
} steps[] = {
    {"leb128", "leb128", "7 bits in a byte, lowest first; a tag tells the first byte of a character from the others"},
    {"counter-naive", "counter-naive",
     "a counter of the bytes that follow, in each byte: a lost byte is noticed, but not the first"},
    {"counter-terrible", "counter-terrible",
     "a start bit beside the counter: every lost byte is noticed, for 5 bits of tag and counter in 8"},
    {"counter-decent", "counter-decent", "one counter, in the first byte: lost and added bytes are still noticed"},
    {"unary", "unary",
     "the counter in unary, so that short characters have short counters; the highest bits first, so that bytes sort"},
    {"unary-freed", "unary-freed", "10 is freed for the bytes that follow, which are now known by themselves"},
    {"utf-8-unchecked", "utf-8-unchecked", "four bytes at most: 21 bits, as many as a scalar value has"},
    {"utf-8", "utf-8-unchecked", "without forms longer than needed, without surrogates, and nothing beyond U+10FFFF"},
};

enum { STEP_COUNT = sizeof steps / sizeof steps[0] };

static void print_step(const struct step *step, const uint8_t *bytes, size_t count)
{
    cli_print_heading(step->name);
    printf("  %s\n  ", step->sentence);
    layout_print_inline(registry_scheme(step->drawn_as), bytes, count);
}

void build_print(uint32_t scalar, bool as_json)
{
    json_t *rows = json_array();
    if (!as_json)
        printf("U+%04X (%u) in the steps from LEB128 to UTF-8; [tag] <counter> payload\n", scalar, scalar);
    for (const struct step *step = steps; step < steps + STEP_COUNT; step++) {
        uint8_t bytes[SCHEME_LONGEST];
        const struct scheme *scheme = registry_scheme(step->drawn_as);
        size_t count = scheme_encode(scheme, scalar, bytes);
        if (as_json)
            json_array_append_new(rows, json_pack("{s:s, s:s, s:o}", "name", step->name, "sentence", step->sentence,
                                                  "layout", layout_as_json(scheme, bytes, count, 0)));
        else
            print_step(step, bytes, count);
    }
    if (as_json)
        cli_print_json(json_pack("{s:I, s:O}", "code_point", (json_int_t)scalar, "steps", rows));
    json_decref(rows);
}
