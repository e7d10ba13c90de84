/* SPDX-License-Identifier: MIT
 *
 * Decoders that take what is ill-formed: a rule is missing, or a range ends too late.
 */
#include "../mistake.h"

#define OF_BYTES "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8 mutf-8-readutf"
#define WITH_OVERLONGS "utf-8 generalized-utf-8 wtf-8 cesu-8 cesu-8-jdk mutf-8"
#define WITH_FOUR_BYTES "utf-8 generalized-utf-8 wtf-8"

/* If all continuation bytes of the lead follow, makes them and the lead one character. */
static void take(const struct state *state, struct step *step)
{
    uint8_t lead = state->here[0];
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    uint32_t code_point = lead & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (i >= state->ahead || !museum_is_continuation(state->here[i]))
            return;
        code_point = code_point << 6 | (state->here[i] & 0x3Fu);
    }
    *step = (struct step){.length = length, .code_point = code_point};
}

static bool begins(const struct state *state, const struct step *step, uint8_t low, uint8_t high)
{
    return step->fault != ASSAY_FAULT_NONE && state->here[0] >= low && state->here[0] <= high;
}

static void overlong_of_two(struct state *state, struct step *step)
{
    if (begins(state, step, 0xC0, 0xC1))
        take(state, step);
}

static void overlong_c1(struct state *state, struct step *step)
{
    if (begins(state, step, 0xC1, 0xC1))
        take(state, step);
}

static void overlong_of_three(struct state *state, struct step *step)
{
    if (begins(state, step, 0xE0, 0xE0))
        take(state, step);
}

static void overlong_e0_9f(struct state *state, struct step *step)
{
    if (begins(state, step, 0xE0, 0xE0) && state->ahead > 1 && state->here[1] == 0x9F)
        take(state, step);
}

static void overlong_of_four(struct state *state, struct step *step)
{
    if (begins(state, step, 0xF0, 0xF0))
        take(state, step);
}

static void overlong_f0_8f(struct state *state, struct step *step)
{
    if (begins(state, step, 0xF0, 0xF0) && state->ahead > 1 && state->here[1] == 0x8F)
        take(state, step);
}

static void beyond_f4(struct state *state, struct step *step)
{
    if (begins(state, step, 0xF4, 0xF4))
        take(state, step);
}

static void beyond_f5(struct state *state, struct step *step)
{
    if (begins(state, step, 0xF5, 0xF7))
        take(state, step);
}

static void f7_alone(struct state *state, struct step *step)
{
    if (begins(state, step, 0xF7, 0xF7))
        take(state, step);
}

static void surrogates(struct state *state, struct step *step)
{
    if (begins(state, step, 0xED, 0xED))
        take(state, step);
}

static void trail_surrogates(struct state *state, struct step *step)
{
    if (begins(state, step, 0xED, 0xED) && state->ahead > 1 && state->here[1] >= 0xB0)
        take(state, step);
}

static void last_byte_c0(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_MISSING_CONTINUATION && step->length == 3 && state->ahead > 3 &&
        state->here[3] == 0xC0)
        *step = (struct step){.length = 4, .code_point = 0x10FFC0};
}

static void old_scheme(struct state *state, struct step *step)
{
    size_t length = state->here[0] >= 0xFC ? 6 : 5;
    if (!begins(state, step, 0xF8, 0xFD) || state->ahead < length)
        return;
    for (size_t i = 1; i < length; i++)
        if (!museum_is_continuation(state->here[i]))
            return;
    *step = (struct step){.length = length, .code_point = 0x4000000};
}

static void stray_as_latin_1(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_STRAY_CONTINUATION)
        *step = (struct step){.length = 1, .code_point = state->here[0]};
}

static void lone_c3_as_latin_1(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_MISSING_CONTINUATION && state->here[0] == 0xC3)
        *step = (struct step){.length = 1, .code_point = state->here[0]};
}

static void continuation_unchecked(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_MISSING_CONTINUATION && step->length == 1 && state->here[0] < 0xE0)
        *step = (struct step){.length = 2, .code_point = (state->here[0] & 0x1Fu) << 6 | (state->here[1] & 0x3Fu)};
}

static void third_byte_unchecked(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_MISSING_CONTINUATION && step->length == 2 && state->here[0] < 0xF0)
        *step = (struct step){.length = 3, .code_point = 0x1000};
}

static void fourth_byte_unchecked(struct state *state, struct step *step)
{
    (void)state;
    if (step->fault == ASSAY_FAULT_MISSING_CONTINUATION && step->length == 3)
        *step = (struct step){.length = 4, .code_point = 0x10000};
}

static void ff_dropped(struct state *state, struct step *step)
{
    if (begins(state, step, 0xFF, 0xFF) && step->fault == ASSAY_FAULT_INVALID_LEAD)
        *step = (struct step){.length = 1, .silent = true};
}

static void lone_halves(struct state *state, struct step *step)
{
    bool is_big_endian = museum_base->encoding[6] == 'b';
    uint8_t first = state->here[0], second = state->here[1];
    if (step->fault == ASSAY_FAULT_UNPAIRED_SURROGATE)
        *step = (struct step){.length = 2, .code_point = is_big_endian ? first * 256u + second : second * 256u + first};
}

static void lone_halves_of_three(struct state *state, struct step *step)
{
    if (step->fault == ASSAY_FAULT_UNPAIRED_SURROGATE)
        take(state, step);
}

const struct mistake mistakes_accepts[] = {
    {"overlong-of-two", "takes C0 and C1 with a continuation", "IIS MS00-078, Tomcat CVE-2008-2938", WITH_OVERLONGS,
     .step = overlong_of_two},
    {"overlong-c1", "takes C1 with a continuation", "libunicode#145, encode_unicode#6", WITH_OVERLONGS,
     .step = overlong_c1},
    {"overlong-of-three", "takes E0 80..9F with a continuation", "woodstox PR 291", WITH_OVERLONGS,
     .step = overlong_of_three},
    {"overlong-e0-9f", "takes E0 9F with a continuation: the range begins one too early", NULL, WITH_OVERLONGS,
     .step = overlong_e0_9f},
    {"overlong-of-four", "takes F0 80..8F with two continuations", "faster-utf8-validator before 2b0ad07",
     WITH_FOUR_BYTES, .step = overlong_of_four},
    {"overlong-f0-8f", "takes F0 8F with two continuations", "simdjson#1187", WITH_FOUR_BYTES, .step = overlong_f0_8f},
    {"beyond-f4", "takes F4 90..BF with two continuations", "utfcpp 4.1.0, branchless-utf8#3", WITH_FOUR_BYTES,
     .step = beyond_f4},
    {"beyond-f5", "takes F5..F7 with three continuations", "json-voorhees#207", WITH_FOUR_BYTES, .step = beyond_f5},
    {"beyond-f7", "takes F7 with three continuations", "branchless-utf8#3", WITH_FOUR_BYTES, .step = f7_alone},
    {"surrogates", "takes ED A0..BF with a continuation", "Crystal PR 3870, WAVM PR 286, Ladybird#5310", "utf-8 wtf-8",
     .step = surrogates},
    {"trail-surrogates", "refuses lead surrogates only", NULL, "utf-8 wtf-8", .step = trail_surrogates},
    {"last-byte-c0", "takes C0 for the last byte of four", "fmt PR 3044", WITH_FOUR_BYTES, .step = last_byte_c0},
    {"old-scheme", "takes F8..FD with four or five continuations", "glibc 2.36 mbrtowc", OF_BYTES, .step = old_scheme},
    {"stray-as-latin-1", "gives a stray continuation as a character of Latin-1", "SQLite, Tcl 8.6", OF_BYTES,
     .step = stray_as_latin_1},
    {"lone-c3-as-latin-1", "gives C3 without a continuation as U+00C3", "vlang#27630", OF_BYTES,
     .step = lone_c3_as_latin_1},
    {"second-byte-unchecked", "takes any byte after C2..DF", "expat CVE-2022-25235", OF_BYTES,
     .step = continuation_unchecked},
    {"third-byte-unchecked", "takes any byte as the third of three", NULL, OF_BYTES, .step = third_byte_unchecked},
    {"fourth-byte-unchecked", "takes any byte as the fourth", "libxml2 2.9.14, UTF8ToUTF16LE", WITH_FOUR_BYTES,
     .step = fourth_byte_unchecked},
    {"ff-dropped", "drops FF", "libunicode#145", OF_BYTES, .step = ff_dropped},
    {"lone-halves", "takes unpaired surrogates for characters", NULL, "utf-16le utf-16be", .step = lone_halves},
    {"lone-halves-of-three", "takes unpaired surrogates for characters", "the JDK's CESU-8", "cesu-8",
     .step = lone_halves_of_three},
    END_OF_MISTAKES,
};
