/* SPDX-License-Identifier: MIT
 *
 * Decoders that refuse what is well-formed, or give another character for it.
 */
#include "../mistake.h"

#define OF_BYTES "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf"

static void refuse(const struct state *state, struct step *step)
{
    bool is_utf16 = museum_base->encoding[4] == '1';
    *step = (struct step){.length = is_utf16 && state->ahead > 1 ? 2 : 1, .fault = ASSAY_FAULT_INVALID_LEAD};
}

static void refuse_from_to(const struct state *state, struct step *step, uint32_t first, uint32_t last)
{
    if (step->fault == ASSAY_FAULT_NONE && !step->open && step->code_point >= first && step->code_point <= last)
        refuse(state, step);
}

#define REFUSES(name, first, last) \
    static void name(struct state *state, struct step *step) \
    { \
        refuse_from_to(state, step, first, last); \
    }

REFUSES(refuses_0080, 0x80, 0x80)
REFUSES(refuses_07ff, 0x7FF, 0x7FF)
REFUSES(refuses_0800, 0x800, 0x800)
REFUSES(refuses_d7ff, 0xD7FF, 0xD7FF)
REFUSES(refuses_e000, 0xE000, 0xE000)
REFUSES(refuses_leads_of_ee, 0xE800, 0xEFFF)
REFUSES(refuses_fdd0, 0xFDD0, 0xFDEF)
REFUSES(refuses_fffe, 0xFFFE, 0xFFFF)
REFUSES(refuses_feff, 0xFEFF, 0xFEFF)
REFUSES(refuses_10000, 0x10000, 0x10000)
REFUSES(refuses_fffff, 0xFFFFF, 0xFFFFF)
REFUSES(refuses_100000, 0x100000, 0x100000)
REFUSES(refuses_10ffff, 0x10FFFF, 0x10FFFF)
REFUSES(refuses_plane_16, 0x100000, 0x10FFFF)

static void refuses_planes_ends(struct state *state, struct step *step)
{
    if (step->code_point > 0xFFFF && (step->code_point & 0xFFFE) == 0xFFFE)
        refuse_from_to(state, step, 0x10000, 0x10FFFF);
}

static void ends_at_nul(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_NONE && step->code_point == 0 && !step->open)
        *step = (struct step){.length = state->byte_count, .silent = true};
}

static void loses_bit_6_after_e0(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_NONE && state->here[0] == 0xE0)
        step->code_point &= ~0x40u;
}

static void masks_second_byte_too_much(struct state *state, struct step *step)
{
    (void)state;
    if (step->fault == ASSAY_FAULT_NONE && step->length == 4)
        step->code_point &= ~0x20000u;
}

static void masks_20_bits(struct state *state, uint32_t *code_point)
{
    (void)state;
    *code_point &= 0xFFFFF;
}

static void masks_lead_of_two(struct state *state, struct step *step)
{
    (void)state;
    if (step->fault == ASSAY_FAULT_NONE && step->code_point >= 0x400 && step->code_point <= 0x7FF)
        step->code_point &= ~0x400u;
}

static void lead_of_9_bits(struct state *state, uint32_t code_point, uint16_t units[2])
{
    (void)state, (void)code_point;
    units[0] &= 0xFDFF;
}

static void without_10000(struct state *state, uint32_t code_point, uint16_t units[2])
{
    (void)state;
    units[0] = (uint16_t)(0xD800 + (code_point >> 10));
}

static void trail_of_9_bits(struct state *state, uint32_t code_point, uint16_t units[2])
{
    (void)state, (void)code_point;
    units[1] &= 0xFDFF;
}

static void halves_swapped(struct state *state, uint32_t code_point, uint16_t units[2])
{
    uint16_t lead = units[0];
    (void)state;
    if (code_point >= 0x100000)
        units[0] = units[1], units[1] = lead;
}

const struct mistake mistakes_refuses[] = {
    {"refuses-0080", "refuses U+0080: the range of two bytes begins one too late", .step = refuses_0080},
    {"refuses-07ff", "refuses U+07FF: the range of two bytes ends one too early", .step = refuses_07ff},
    {"refuses-0800", "refuses U+0800: the range of three bytes begins one too late", .step = refuses_0800},
    {"refuses-d7ff", "refuses U+D7FF, right before the surrogates", .step = refuses_d7ff},
    {"refuses-e000", "refuses U+E000, right after the surrogates", .step = refuses_e000},
    {"refuses-leads-of-ee", "refuses EE A0..BF, as if EE were ED", "encoding_rs 0.3.1", .step = refuses_leads_of_ee},
    {"refuses-fdd0", "refuses the noncharacters U+FDD0..U+FDEF", .step = refuses_fdd0},
    {"refuses-fffe", "refuses the noncharacters U+FFFE and U+FFFF", "dlang PR 5624, bionic", .step = refuses_fffe},
    {"refuses-planes-ends", "refuses the last two code points of each supplementary plane",
     .step = refuses_planes_ends},
    {"refuses-feff", "refuses U+FEFF", .step = refuses_feff},
    {"refuses-10000", "refuses U+10000: supplementary characters begin one too late", .step = refuses_10000},
    {"refuses-fffff", "refuses U+FFFFF, the last before F4", .step = refuses_fffff},
    {"refuses-100000", "refuses U+100000, the first after F3", .step = refuses_100000},
    {"refuses-10ffff", "refuses U+10FFFF: code points end one too early", "libuv", .step = refuses_10ffff},
    {"refuses-plane-16", "refuses U+100000..U+10FFFF", .step = refuses_plane_16},
    {"ends-at-nul", "takes U+0000 for the end of the input", .step = ends_at_nul},
    {"loses-bit-6-after-e0", "decodes E0 A1 80 to U+0800", "utf-8-misc#1", OF_BYTES, .step = loses_bit_6_after_e0},
    {"second-of-four-masked", "loses a bit of the second byte of four", NULL, "utf-8 generalized-utf-8 wtf-8",
     .step = masks_second_byte_too_much},
    {"masks-20-bits", "keeps only 20 bits of a code point", .put = masks_20_bits},
    {"lead-of-two-masked", "loses a bit of the lead of two bytes", NULL, OF_BYTES, .step = masks_lead_of_two},
    {"lead-of-9-bits", "gives a lead surrogate nine bits", .pair = lead_of_9_bits},
    {"trail-of-9-bits", "gives a trail surrogate nine bits", .pair = trail_of_9_bits},
    {"lead-without-10000", "computes a lead surrogate without subtracting 10000", .pair = without_10000},
    {"halves-swapped", "writes the halves of U+100000 and above in the wrong order", .pair = halves_swapped},
    END_OF_MISTAKES,
};
