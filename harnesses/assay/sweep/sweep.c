/* SPDX-License-Identifier: MIT
 *
 * Enumeration: where luck is not needed. Every codec of an encoding is held against its reference on all short strings, on
 * all code points, on all pairs of tokens at all offsets that could matter to a block of any width, on such pairs in
 * pieces, with little room, and on UTF-16 units at every edge. The long run takes all pairs of units through WTF-8 and back.
 */
#include "../../core/arena.h"
#include "../../core/claim.h"
#include "../../core/convert.h"
#include "../../core/silence.h"
#include "../../core/tokens.h"
#include "../cli.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *stride_text = "1", *from_text, *encoding_text;
static bool as_json, fails_fast;
static const struct cli_option options[] = {
    {"encoding", 'e', "ENCODING", "which encoding (default utf-8); `all`: the whole family", &encoding_text, NULL},
    {"stride", 0, "N", "take only every Nth string, run of values, pair and unit (for slow builds; default 1)", &stride_text, NULL},
    {"from", 0, "UNIT", "unit-pairs: go on with this first unit, in hex, where a run was interrupted", &from_text, NULL},
    {"fail-fast", 0, NULL, "end after the first input that a codec is wrong about", NULL, &fails_fast},
    {"json", 0, NULL, "the summary as JSON", NULL, &as_json},
    {0},
};

/* One part of the enumeration under way. */
struct sweep {
    struct comparer comparer;
    const char *part;
    size_t stride, turn; /* every stride-th input is taken */
    size_t from;         /* the first unit of unit-pairs: the one to begin with, then the one under way */
    bool has_little_room; /* which `diff` asks with only at random */
    uint64_t inputs;
    json_t *sorts; /* of divergences: how many there are of each key */
    json_t *shown; /* keys of the letters that were, in this part or before */
    double begun, told; /* ns */
};

/* Counts it. Whether its letter is to be written: one of each key, as a codec that is wrong once is wrong a million times. */
static bool is_news(struct sweep *sweep, const char *key)
{
    json_int_t count = json_integer_value(json_object_get(sweep->sorts, key));
    json_object_set_new(sweep->sorts, key, json_integer(count + 1));
    bool known = json_object_get(sweep->shown, key) != NULL;
    json_object_set_new(sweep->shown, key, json_true());
    return !known;
}

/* Bytes to a unit in an input that `diff` is given: units are encoded of bytes, too (read_units in harnesses/fuzz/roundtrip.c). */
static size_t written_unit(const struct question *question)
{
    size_t unit = operation_input_unit(question->operation);
    return unit == 4 ? 3 : unit;
}

/* Whether `diff` of the input asks this, too, and a line holds it. Of pieces it asks everything only where there are few bytes, one
 * cut and all the room (harnesses/fuzz/stream.c). */
static bool can_be_written_out(const struct question *question)
{
    enum { LONGEST = 300, LONGEST_IN_PIECES = 47 };
    size_t byte_count = question->input_count * written_unit(question);
    if (question->cut_count > 1 || question->room > 0)
        return false;
    return byte_count > 0 && byte_count <= (question->cut_count > 0 ? LONGEST_IN_PIECES : LONGEST);
}

static void write_input(FILE *out, const struct question *question)
{
    size_t unit = operation_input_unit(question->operation);
    for (size_t i = 0; i < question->input_count; i++) {
        uint32_t value = unit == 1   ? ((const uint8_t *)question->input)[i]
                         : unit == 2 ? ((const uint16_t *)question->input)[i]
                                     : ((const uint32_t *)question->input)[i];
        for (size_t byte = 0; byte < written_unit(question); byte++, value >>= 8)
            fprintf(out, "%02X", (unsigned)(value & 0xFF));
    }
}

/* The command that shows it again, by the question if there is one; else the same part does. */
static void write_command(FILE *out, const struct sweep *sweep, const struct assay_codec *codec, const struct question *question)
{
    bool is_written_out = question != NULL && !sweep->has_little_room && can_be_written_out(question);
    cli_print_program(out);
    fputs(is_written_out ? " diff" : " sweep", out);
    cli_print_loaded(out, codec);
    if (strcmp(sweep->comparer.encoding, "utf-8") != 0)
        fprintf(out, " -e %s", sweep->comparer.encoding);
    if (!is_written_out && fails_fast)
        fputs(" --fail-fast", out);
    if (!is_written_out && sweep->from > 0)
        fprintf(out, " --from %zX", sweep->from);
    if (!is_written_out && sweep->stride > 1)
        fprintf(out, " --stride %zu", sweep->stride);
    fputc(' ', out);
    if (is_written_out)
        write_input(out, question);
    else
        fputs(sweep->part, out);
}

/* The same, owned by the caller. */
static char *command_for(const struct sweep *sweep, const struct assay_codec *codec, const struct question *question)
{
    char *command;
    size_t size;
    FILE *out = cli_open_text(&command, &size);
    write_command(out, sweep, codec, question);
    fclose(out);
    return command;
}

static const struct sweep *under_way;

/* The last line of the letter of a codec that gives no answer. */
static void write_again(FILE *out, const struct asking *silent)
{
    fprintf(out, "  %-13s ", "again");
    write_command(out, under_way, silent->codec, silent->question);
    fputc('\n', out);
}

static void on_divergence(void *context, const struct divergence *divergence)
{
    char key[256];
    report_key(divergence, key, sizeof key);
    if (!is_news(context, key))
        return;
    cli_clear_progress();
    char *again = command_for(context, divergence->codec, divergence->question);
    report_letter(stderr, divergence, again);
    free(again);
}

/* Whether nothing more is asked. */
static bool has_ended(uint64_t diverged)
{
    return fails_fast && diverged > 0;
}

static bool is_taken(struct sweep *sweep)
{
    if (has_ended(sweep->comparer.diverged))
        return false;
    if (sweep->turn++ % sweep->stride != 0)
        return false;
    sweep->inputs++;
    return true;
}

/* Once a second on a terminal, once a minute elsewhere. */
static void tell(struct sweep *sweep, size_t done, size_t all)
{
    double now = cli_now_ns();
    if (now < sweep->told + (isatty(STDERR_FILENO) ? 1e9 : 60e9))
        return;
    sweep->told = now;
    cli_print_progress(done, all, sweep->begun, "%s %s: %zu of %zu", sweep->comparer.encoding, sweep->part, done, all);
}

/* What is wrong without a question that shows it: of the reference itself, or of a codec that changes its mind. */
static void note_failure(struct sweep *sweep, const struct assay_codec *codec, const char *what, int digits, uint64_t value)
{
    char key[256];
    snprintf(key, sizeof key, "%s/%s %s", codec->encoding, codec->name, what);
    sweep->comparer.diverged++;
    if (!is_news(sweep, key))
        return;
    cli_clear_progress();
    char *again = command_for(sweep, codec, NULL);
    fprintf(stderr, "%s %0*" PRIX64 "\n  %-13s %s\n", key, digits, value, "again", again);
    free(again);
}

/* Long runs ask in one placement at a time, now this, now that. */
static void take_turns(struct sweep *sweep, size_t turn)
{
    sweep->comparer.once = true;
    sweep->comparer.placement = (enum placement)(turn % PLACEMENT_COUNT);
}

static void ask_all(struct sweep *sweep, enum operation operation, enum assay_policy policy, const void *input, size_t count)
{
    compare(&sweep->comparer, &(struct question){.operation = operation, .policy = policy, .input = input,
                                                 .input_count = count, .capacity = CAPACITY_ANY});
}

/* ---- all strings of 1 to 3 bytes ------------------------------------------------------------------ */

static void sweep_short_strings(struct sweep *sweep)
{
    for (size_t i = 0; i < 256 + 65536; i++) {
        uint8_t bytes[2] = {(uint8_t)(i < 256 ? i : (i - 256) >> 8), (uint8_t)(i - 256)};
        size_t count = i < 256 ? 1 : 2;
        if (!is_taken(sweep))
            continue;
        ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, bytes, count);
        ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, bytes, count);
        for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++) {
            ask_all(sweep, OP_DECODE_UTF32, policy, bytes, count);
            ask_all(sweep, OP_DECODE_UTF16, policy, bytes, count);
            ask_all(sweep, OP_TO_WELL_FORMED, policy, bytes, count);
        }
    }
}

/* The verdicts on all strings that begin with these two bytes: straight calls, on three bytes against a guard
 * page; what differs is asked again for the letter. */
static void sweep_third_bytes(struct sweep *sweep, uint8_t *bytes)
{
    const struct comparer *comparer = &sweep->comparer;
    for (size_t third = 0; third < 256; third++) {
        struct assay_span expected, actual;
        bytes[2] = (uint8_t)third;
        bool well_formed = comparer->panel[0]->validate(bytes, 3, &expected);
        const struct assay_codec *other = NULL; /* one that says something else */
        for (size_t i = 1; i < comparer->panel_size; i++) {
            if (comparer->panel[i]->validate == NULL) {
                sweep->comparer.skipped++;
                continue;
            }
            sweep->comparer.asked++;
            cli_heard(comparer->panel[i]);
            if (ask_well_formed(comparer->panel[i], bytes, 3, &actual) != well_formed ||
                (!well_formed && compare_spans(&expected, &actual) != FIELD_NONE))
                other = comparer->panel[i];
        }
        if (other != NULL) {
            uint64_t before = sweep->comparer.diverged;
            sweep->comparer.once = false;
            ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, bytes, 3);
            if (sweep->comparer.diverged == before)
                note_failure(sweep, other, "says one thing now and another then, of the bytes", 6,
                             (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2]);
        }
    }
}

/* The same strings in one input, parted by ASCII, so that what is decoded of each is seen too. */
static void sweep_joined(struct sweep *sweep, const uint8_t *begin)
{
    uint8_t joined[256 * 4];
    for (size_t third = 0; third < 256; third++)
        memcpy(joined + 4 * third, (uint8_t[]){begin[0], begin[1], (uint8_t)third, 'A'}, 4);
    ask_all(sweep, OP_DECODE_UTF32, ASSAY_POLICY_WHATWG, joined, sizeof joined);
    ask_all(sweep, OP_DECODE_UTF16, (enum assay_policy)((begin[0] + begin[1]) % ASSAY_POLICY_COUNT), joined, sizeof joined);
    ask_all(sweep, OP_TO_WELL_FORMED, (enum assay_policy)((begin[0] + begin[1]) % ASSAY_POLICY_COUNT), joined, sizeof joined);
}

static void sweep_strings(struct sweep *sweep)
{
    static struct arena arena;
    uint8_t *bytes = arena_at_end(&arena, 3);
    sweep_short_strings(sweep);
    for (size_t i = 0; i < 65536; i++) {
        bytes[0] = (uint8_t)(i >> 8);
        bytes[1] = (uint8_t)i;
        if (!is_taken(sweep))
            continue;
        sweep->inputs += 255; /* a taken prefix stands for its 256 strings */
        take_turns(sweep, i);
        sweep_third_bytes(sweep, bytes);
        sweep_joined(sweep, bytes);
        tell(sweep, i, 65536);
    }
}

/* ---- all scalar values, and what lies between and beyond ------------------------------------------- */

enum { AT_ONCE = 4096, LAST_VALUE = 0x110FFF };

/* A value as UTF-16, a surrogate being the unit it is; nothing, if the encoding has no bytes for it. */
static size_t put_if_held(const struct assay_codec *reference, uint32_t value, uint16_t units[2])
{
    uint8_t bytes[ASSAY_ENCODED_MAX(1)];
    if (reference->encode_utf32(ASSAY_POLICY_STRICT, &value, 1, bytes, sizeof bytes).status != ASSAY_OK)
        return 0;
    units[0] = (uint16_t)(value > 0xFFFF ? 0xD800 + ((value - 0x10000) >> 10) : value);
    units[1] = (uint16_t)(0xDC00 + (value & 0x3FF));
    return value > 0xFFFF ? 2 : 1;
}

/* A run of values is encoded, decoded in both forms, and encoded from UTF-16. */
static void sweep_values(struct sweep *sweep, uint32_t first)
{
    static uint32_t values[AT_ONCE];
    static uint8_t bytes[ASSAY_ENCODED_MAX(AT_ONCE)];
    static uint16_t units[2 * AT_ONCE + ASSAY_HELD_MAX];
    for (uint32_t i = 0; i < AT_ONCE; i++)
        values[i] = first + i;
    for (enum assay_policy policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
        ask_all(sweep, OP_ENCODE_UTF32, policy, values, AT_ONCE);

    const struct assay_codec *reference = registry_reference(sweep->comparer.encoding);
    struct assay_result encoded = reference->encode_utf32(ASSAY_POLICY_SKIP, values, AT_ONCE, bytes, sizeof bytes);
    ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, bytes, encoded.written);
    ask_all(sweep, OP_COUNT, ASSAY_POLICY_STRICT, bytes, encoded.written);
    ask_all(sweep, OP_DECODE_UTF32, ASSAY_POLICY_STRICT, bytes, encoded.written);
    ask_all(sweep, OP_DECODE_UTF16, ASSAY_POLICY_STRICT, bytes, encoded.written);
    struct assay_result decoded = reference->decode_utf16(ASSAY_POLICY_STRICT, bytes, encoded.written, units,
                                                          sizeof units / sizeof units[0]);
    ask_all(sweep, OP_ENCODE_UTF16, ASSAY_POLICY_STRICT, units, decoded.written);

    /* The reference itself: what it holds is back, in order. As units, since some join a lead and a trail side by side. */
    static uint16_t expected[2 * AT_ONCE];
    size_t count = 0;
    for (size_t i = 0; i < AT_ONCE; i++)
        count += put_if_held(reference, values[i], expected + count);
    if (decoded.status != ASSAY_OK || decoded.written != count || memcmp(units, expected, count * sizeof *units) != 0)
        note_failure(sweep, reference, "does not give back what it holds of the 4096 values from", 4, first);
}

static void sweep_scalars(struct sweep *sweep)
{
    for (uint32_t first = 0; first <= LAST_VALUE; first += AT_ONCE) {
        if (!is_taken(sweep))
            continue;
        sweep->inputs += AT_ONCE - 1; /* a taken run stands for its values */
        sweep_values(sweep, first);
        tell(sweep, first, LAST_VALUE);
    }
}

/* ---- pairs of tokens ---------------------------------------------------------------------------------- */

enum { NEAR = 160, GAPS = 18, TAIL_MAX = 70, LONGEST_TOKEN = sizeof ((struct token *)0)->bytes };

/* Not only NUL and not only spaces: each has hidden a bug of its own. */
static const uint32_t fillers[] = {0x00, ' ', 0xE9, 0x20AC, 0x1F600};
enum { SPACES = 1, FILLER_COUNT = sizeof fillers / sizeof fillers[0] };

/* Fills with whole characters; what is left over at the front becomes ASCII. */
static size_t fill(const struct sweep *sweep, uint8_t *out, size_t count, size_t filler)
{
    uint8_t character[ASSAY_ENCODED_MAX(1)];
    const struct assay_codec *reference = registry_reference(sweep->comparer.encoding);
    size_t length = reference->encode_utf32(ASSAY_POLICY_STRICT, &fillers[filler], 1, character, sizeof character).written;
    size_t front = count % length;
    memset(out, 'a', front);
    for (size_t at = front; at < count; at += length)
        memcpy(out + at, character, length);
    return count;
}

static const struct token_set *tokens_for(const struct sweep *sweep)
{
    const struct token_set *set = tokens_of(sweep->comparer.encoding);
    if (set == NULL)
        cli_fail("there are no tokens for %s", sweep->comparer.encoding);
    return set;
}

static size_t put_token(uint8_t *out, const struct token *token)
{
    memcpy(out, token->bytes, token->length);
    return token->length;
}

/* One input; which filler, gap, tail and question it gets turns with `turn`, so that each pair meets them all. With
 * `dirt`, an error is replaced at the beginning: decoders remember such things for a while. */
static void sweep_pair(struct sweep *sweep, uint8_t *input, const struct token *first, const struct token *second,
                       size_t offset, bool dirt, size_t turn)
{
    static const size_t tails[] = {0, 1, 3, 17, TAIL_MAX};
    size_t filler = dirt ? SPACES : turn % FILLER_COUNT, count = fill(sweep, input, offset, filler);
    if (dirt)
        input[0] = 0xFF;
    count += put_token(input + count, first);
    count += fill(sweep, input + count, turn / 3 % GAPS, (filler + 1) % FILLER_COUNT);
    count += put_token(input + count, second);
    count += fill(sweep, input + count, tails[turn / 7 % (sizeof tails / sizeof tails[0])], filler);
    take_turns(sweep, turn);
    ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
    enum assay_policy policy = dirt ? ASSAY_POLICY_WHATWG : (enum assay_policy)(turn / 11 % ASSAY_POLICY_COUNT);
    /* Twice, where codecs have most code of their own for what is beside an error. */
    static const enum operation operations[] = {OP_SPANS,        OP_DECODE_UTF32,   OP_DECODE_UTF16, OP_COUNT,
                                                 OP_DECODE_UTF16, OP_TO_WELL_FORMED, OP_TO_WELL_FORMED};
    ask_all(sweep, operations[turn / 2 % (sizeof operations / sizeof operations[0])], policy, input, count);
}

/* A few turns more a pair, so that what a pair gets at an offset depends on both its tokens: 163 in all, which is prime to
 * whatever turns, or an offset would meet some operations, fillers or policies only. */
static void sweep_pairs(struct sweep *sweep)
{
    static const size_t farther[] = {255, 256, 257, 4095, 4096, 4097, 8191, 65535, 65536};
    enum { FARTHER_COUNT = sizeof farther / sizeof farther[0], FAR_EVERY = 4 }; /* far out, a pair costs as much as hundreds near by */
    enum { AFTER_DIRT = 640, BLOCK = 64, TURNS_MORE = 163 - NEAR };
    static uint8_t input[65536 + 2 * LONGEST_TOKEN + GAPS + TAIL_MAX];
    const struct token_set *set = tokens_for(sweep);
    size_t turn = 0;
    for (size_t first = 0; first < set->count; first++) {
        for (size_t second = 0; second < set->count; second++) {
            for (size_t offset = 0; offset < NEAR; offset++, turn++)
                if (is_taken(sweep))
                    sweep_pair(sweep, input, &set->tokens[first], &set->tokens[second], offset, false, turn);
            if ((first + 2 * second) % FAR_EVERY == 0 && is_taken(sweep))
                sweep_pair(sweep, input, &set->tokens[first], &set->tokens[second], farther[(first + second) % FARTHER_COUNT], false,
                           turn);
            if (is_taken(sweep))
                sweep_pair(sweep, input, &set->tokens[first], &set->tokens[second], AFTER_DIRT + turn % BLOCK, true, turn);
            turn += TURNS_MORE;
        }
        tell(sweep, first, set->count);
    }
}

/* ---- pairs of tokens, in pieces ------------------------------------------------------------------------- */

enum { PIECE_GAPS = 4, CUTS_MAX = 2 * LONGEST_TOKEN + PIECE_GAPS };

/* A cut at `cut`, and those after it, up to `end`: no more, an empty piece, a short one, or one of each byte. */
static size_t choose_cuts(size_t cuts[CUTS_MAX], size_t cut, size_t end, size_t turn)
{
    size_t count = 0, to_end = end - cut;
    cuts[count++] = cut;
    switch (turn % 4) {
    case 0: break;
    case 1: cuts[count++] = cut; break;
    case 2: cuts[count++] = cut + (to_end > 0 ? 1 + turn / 4 % to_end : 0); break;
    default:
        while (cut < end)
            cuts[count++] = ++cut;
    }
    return count;
}

/* The input is cut at each place from `begin` to `end`; with what form, policy, cuts and room the pieces are asked turns, each form
 * with each policy with each sort of cuts. */
static void sweep_cuts(struct sweep *sweep, const uint8_t *input, size_t count, size_t begin, size_t end, size_t turn)
{
    enum { FORMS = 3 * ASSAY_POLICY_COUNT }; /* and policies: UTF-16, which has pairs, is asked two times in three */
    for (size_t cut = begin; cut <= end; cut++, turn++) {
        size_t cuts[CUTS_MAX];
        compare(&sweep->comparer, &(struct question){.operation = turn % 3 == 0 ? OP_FEED_UTF32 : OP_FEED_UTF16,
                                                     .policy = (enum assay_policy)(turn / 3 % ASSAY_POLICY_COUNT),
                                                     .input = input, .input_count = count, .capacity = CAPACITY_ANY,
                                                     .cuts = cuts, .cut_count = choose_cuts(cuts, cut, end, turn / FORMS),
                                                     .room = turn % 5 == 0 ? ASSAY_HELD_MAX + turn / 5 % 8 : 0});
    }
}

/* One turn more a cut, so that a pair meets each place in a block, and each way to be cut, in no order. */
static void sweep_pieces(struct sweep *sweep)
{
    enum { PLACES = 12 };
    static uint8_t input[NEAR + CUTS_MAX + TAIL_MAX];
    const struct token_set *set = tokens_for(sweep);
    size_t turn = 0;
    for (size_t pair = 0; pair < set->count * set->count; pair++) {
        const struct token *first = &set->tokens[pair / set->count], *second = &set->tokens[pair % set->count];
        for (size_t place = 0; place < PLACES; place++) {
            size_t begin = turn % NEAR, count = fill(sweep, input, begin, turn / NEAR % FILLER_COUNT);
            count += put_token(input + count, first);
            count += fill(sweep, input + count, turn / 2 % PIECE_GAPS, 0);
            count += put_token(input + count, second);
            size_t end = count;
            count += fill(sweep, input + count, turn / 3 % TAIL_MAX, turn / 5 % FILLER_COUNT);
            take_turns(sweep, turn / NEAR);
            if (is_taken(sweep))
                sweep_cuts(sweep, input, count, begin, end, turn);
            turn += end - begin + 1;
        }
        tell(sweep, pair, set->count * set->count);
    }
}

/* ---- with little room --------------------------------------------------------------------------------------- */

/* Units that the reference writes where there is room for all. */
static size_t needed_for(const struct comparer *comparer, struct question question)
{
    question.capacity = capacity_for(question.operation, question.input_count);
    return ask(comparer->reference_seat, comparer->panel[0], &question, AT_BEGIN).result.written;
}

/* With room for what stands before the token, for up to three units or six bytes more, and for all. Errors are counted also where
 * there is no room for them. */
static void sweep_rooms_behind(struct sweep *sweep, size_t offset, struct question question)
{
    struct question before = question;
    before.input_count = offset;
    size_t needed = needed_for(&sweep->comparer, before), most = needed + (question.operation == OP_TO_WELL_FORMED ? 6 : 3);
    for (question.capacity = needed; question.capacity <= most; question.capacity++)
        compare(&sweep->comparer, &question);
    question.capacity = CAPACITY_ANY;
    compare(&sweep->comparer, &question);
}

/* Each token behind 0 to 159 bytes: once behind an error and spaces, and near the end; once amid errors, of which there is a
 * block behind it, too. Under WHATWG, for which codecs have most code of their own, and one of the other policies in turn. */
static void sweep_decoders(struct sweep *sweep)
{
    enum { BLOCK = 64, OTHERS = ASSAY_POLICY_COUNT - 1 };
    static const enum operation operations[] = {OP_DECODE_UTF16, OP_DECODE_UTF32, OP_TO_WELL_FORMED};
    static uint8_t input[NEAR + LONGEST_TOKEN + BLOCK];
    const struct token_set *set = tokens_for(sweep);
    bool is_utf16 = encoding_is_utf16(registry_reference(sweep->comparer.encoding));
    int error = is_utf16 ? 0xDC : 0xFF; /* DCDC is a trail surrogate in either byte order */
    size_t unit_size = is_utf16 ? 2 : 1;
    for (size_t number = 0; number < set->count; number++) {
        for (size_t turn = 0; turn < 2 * NEAR; turn += unit_size) {
            if (!is_taken(sweep))
                continue;
            bool amid_errors = turn >= NEAR;
            size_t offset = turn % NEAR, count = fill(sweep, input, offset, SPACES);
            if (offset > 0)
                memset(input, error, amid_errors ? offset : unit_size);
            count += put_token(input + count, &set->tokens[number]);
            memset(input + count, error, BLOCK);
            count += amid_errors ? BLOCK : fill(sweep, input + count, unit_size, SPACES);
            take_turns(sweep, number + turn);
            enum assay_policy other = (enum assay_policy)((ASSAY_POLICY_WHATWG + 1 + sweep->inputs % OTHERS) % ASSAY_POLICY_COUNT);
            for (size_t i = 0; i < 2 * sizeof operations / sizeof operations[0]; i++)
                sweep_rooms_behind(sweep, offset, (struct question){.operation = operations[i / 2], .input = input, .input_count = count,
                                                                    .policy = i % 2 == 0 ? ASSAY_POLICY_WHATWG : other});
            sweep_rooms_behind(sweep, offset, (struct question){.operation = OP_SPANS, .input = input, .input_count = count});
            compare(&sweep->comparer, &(struct question){.operation = OP_SPANS, .input = input, .input_count = count, .capacity = turn % 3});
        }
        tell(sweep, number, set->count);
    }
}

/* In every room that is too little, and in what is enough. */
static void sweep_rooms_of(struct sweep *sweep, struct question question)
{
    size_t needed = needed_for(&sweep->comparer, question);
    for (question.capacity = 0; question.capacity <= needed; question.capacity++) {
        if (!is_taken(sweep))
            continue;
        take_turns(sweep, question.capacity);
        compare(&sweep->comparer, &question);
    }
}

/* Two code points by turns. */
static void sweep_encoders(struct sweep *sweep, const uint32_t pair[2])
{
    enum { COUNT = 80 };
    uint32_t code_points[COUNT];
    uint16_t units[2 * COUNT];
    size_t unit_count = 0;
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t value = code_points[i] = pair[i % 2];
        if (value > 0xFFFF)
            units[unit_count++] = (uint16_t)(0xD7C0 + (value >> 10));
        units[unit_count++] = (uint16_t)(value > 0xFFFF ? 0xDC00 + (value & 0x3FF) : value);
    }
    sweep_rooms_of(sweep, (struct question){.operation = OP_ENCODE_UTF16, .policy = ASSAY_POLICY_WHATWG, .input = units,
                                            .input_count = unit_count});
    sweep_rooms_of(sweep, (struct question){.operation = OP_ENCODE_UTF32, .policy = ASSAY_POLICY_WHATWG, .input = code_points,
                                            .input_count = COUNT});
}

static void sweep_rooms(struct sweep *sweep)
{
    enum { SORTS = FILLER_COUNT + 1 };
    uint32_t sorts[SORTS] = {[FILLER_COUNT] = 0xD800}; /* an error, or a lead surrogate */
    memcpy(sorts, fillers, sizeof fillers);
    sweep->has_little_room = true;
    comparer_begin(&sweep->comparer); /* the reference is asked how much room it takes before all are asked */
    sweep_decoders(sweep);
    for (size_t i = 0; i < SORTS * SORTS; i++)
        sweep_encoders(sweep, (uint32_t[]){sorts[i / SORTS], sorts[i % SORTS]});
}

/* ---- far from the beginning --------------------------------------------------------------------------------- */

/* Where a figure of 8 or 16 bits ends, and beyond. */
static const size_t far[] = {255, 256, 257, 65535, 65536, 65537, 70000};
enum { FAR_COUNT = sizeof far / sizeof far[0], FAR_MAX = 70000, AFTER_FAR = 64 };

/* Bytes that are one error, in units of the encoding: FF, or DC DC, a trail surrogate in either byte order. */
static size_t put_error(const struct sweep *sweep, uint8_t error[2])
{
    bool is_utf16 = encoding_is_utf16(registry_reference(sweep->comparer.encoding));
    memset(error, is_utf16 ? 0xDC : 0xFF, 2);
    return is_utf16 ? 2 : 1;
}

/* With all the room, and with room for all but the last unit of output. */
static void ask_with_and_without_the_last(struct sweep *sweep, struct question question)
{
    question.capacity = CAPACITY_ANY;
    compare(&sweep->comparer, &question);
    question.capacity = needed_for(&sweep->comparer, question);
    question.capacity -= question.capacity > 0;
    compare(&sweep->comparer, &question);
}

/* All that tells how many bytes, units or errors there are, or where one is. */
static void ask_about_figures(struct sweep *sweep, const uint8_t *input, size_t count, size_t error_at)
{
    static const enum operation operations[] = {OP_DECODE_UTF32, OP_DECODE_UTF16, OP_TO_WELL_FORMED};
    size_t cuts[] = {error_at / 3, error_at, error_at + (error_at < count)};
    ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
    ask_all(sweep, OP_BOUNDARY, ASSAY_POLICY_STRICT, input, count);
    ask_with_and_without_the_last(sweep, (struct question){.operation = OP_SPANS, .input = input, .input_count = count});
    for (enum assay_policy policy = ASSAY_POLICY_STRICT; policy <= ASSAY_POLICY_WHATWG; policy++) {
        ask_all(sweep, OP_COUNT, policy, input, count);
        for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
            ask_with_and_without_the_last(
                sweep, (struct question){.operation = operations[i], .policy = policy, .input = input, .input_count = count});
        for (enum operation feed = OP_FEED_UTF32; feed <= OP_FEED_UTF16; feed++)
            compare(&sweep->comparer, &(struct question){.operation = feed, .policy = policy, .input = input, .input_count = count,
                                                         .capacity = CAPACITY_ANY, .cuts = cuts, .cut_count = sizeof cuts / sizeof cuts[0]});
    }
}

/* Units that are encoded: one that no encoding of the family holds among many that all do. */
static void ask_encoders_about_figures(struct sweep *sweep, uint32_t filler, size_t error_at)
{
    static uint32_t code_points[FAR_MAX + AFTER_FAR];
    static uint16_t units[FAR_MAX + AFTER_FAR];
    size_t count = error_at + AFTER_FAR;
    for (size_t i = 0; i < count; i++) {
        code_points[i] = filler;
        units[i] = (uint16_t)(filler > 0xFFFF ? 0xFFFF : filler);
    }
    code_points[error_at] = 0x110000;
    units[error_at] = 0xD800;
    for (enum assay_policy policy = ASSAY_POLICY_STRICT; policy <= ASSAY_POLICY_WHATWG; policy++) {
        ask_with_and_without_the_last(sweep, (struct question){.operation = OP_ENCODE_UTF32, .policy = policy, .input = code_points, .input_count = count});
        ask_with_and_without_the_last(sweep, (struct question){.operation = OP_ENCODE_UTF16, .policy = policy, .input = units, .input_count = count});
    }
}

/* A long text of characters of each length with one error, then as many errors. */
static void sweep_long_texts(struct sweep *sweep)
{
    static uint8_t input[FAR_MAX + AFTER_FAR];
    uint8_t error[2];
    size_t unit = put_error(sweep, error);
    for (size_t i = 0; i < FAR_COUNT * FILLER_COUNT; i++) {
        size_t offset = far[i / FILLER_COUNT] / unit * unit, filler = i % FILLER_COUNT;
        if (!is_taken(sweep))
            continue;
        take_turns(sweep, i);
        fill(sweep, input, offset, filler);
        memcpy(input + offset, error, unit);
        fill(sweep, input + offset + unit, AFTER_FAR - unit, filler);
        ask_about_figures(sweep, input, offset + AFTER_FAR, offset);
        ask_encoders_about_figures(sweep, fillers[filler], offset);
    }
    for (size_t i = 0; i < FAR_COUNT; i++) {
        if (!is_taken(sweep))
            continue;
        memset(input, error[0], far[i]);
        ask_about_figures(sweep, input, far[i], 0);
    }
}

/* Each token at and around the end of a block, and then more ASCII than a codec takes in one stride. */
static void sweep_strides(struct sweep *sweep)
{
    enum { BLOCK = 64, AROUND = 3, BLOCKS = 4, STRIDE = 256 };
    static uint8_t input[BLOCKS * BLOCK + AROUND + 2 * STRIDE];
    const struct token_set *set = tokens_for(sweep);
    for (size_t number = 0; number < set->count; number++) {
        const struct token *token = &set->tokens[number];
        for (size_t turn = 0; turn < BLOCKS * (2 * AROUND + 1); turn++) {
            size_t end = (turn / (2 * AROUND + 1) + 1) * BLOCK - AROUND + turn % (2 * AROUND + 1);
            if (!is_taken(sweep))
                continue;
            take_turns(sweep, turn);
            size_t count = fill(sweep, input, end - token->length, SPACES);
            count += put_token(input + count, token);
            count += fill(sweep, input + count, STRIDE + BLOCK, SPACES);
            ask_all(sweep, OP_VALIDATE, ASSAY_POLICY_STRICT, input, count);
            ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, input, count);
            ask_all(sweep, OP_COUNT, ASSAY_POLICY_WHATWG, input, count);
            ask_all(sweep, OP_DECODE_UTF16, ASSAY_POLICY_WHATWG, input, count);
            ask_all(sweep, OP_DECODE_UTF32, ASSAY_POLICY_WHATWG, input, count);
            ask_all(sweep, OP_TO_WELL_FORMED, ASSAY_POLICY_WHATWG, input, count);
        }
    }
}

/* ---- streams in which much has passed ------------------------------------------------------------------------ */

static struct assay_result feed_one(const struct assay_codec *codec, enum operation operation, struct assay_stream *stream,
                                    const uint8_t *bytes, size_t byte_count, bool last)
{
    enum { PAGE_MAX = 1 << 16 };
    static uint32_t out[ASSAY_DECODED_MAX(PAGE_MAX)];
    asking_directly(codec, (struct question){.operation = operation, .input = bytes, .input_count = byte_count, .capacity = sizeof out / sizeof out[0]});
    struct assay_result result =
        codec_call(codec, operation, &(struct arguments){.stream = stream, .input = bytes, .input_count = byte_count, .last = last,
                                                         .output = out, .capacity = sizeof out / sizeof out[0]});
    asking_ends();
    return result;
}

/* One page again and again, and at each of these places, in a copy of the stream, an error: it is where as many bytes have passed,
 * modulo SIZE_MAX + 1. */
static void sweep_stream(struct sweep *sweep, const struct assay_codec *codec, enum operation operation, const uint64_t *places, size_t place_count)
{
    enum { PAGE = 4096 };
    static uint8_t page[PAGE];
    uint8_t error[2];
    uint64_t passed = 0;
    struct assay_stream stream, copy;
    size_t unit = put_error(sweep, error);
    fill(sweep, page, PAGE, SPACES);
    assay_stream_start(&stream, ASSAY_POLICY_STRICT);
    for (size_t i = 0; i < place_count; i++) {
        for (uint64_t end = places[i] / unit * unit; passed < end;) {
            size_t count = end - passed < PAGE ? (size_t)(end - passed) : PAGE;
            struct assay_result result = feed_one(codec, operation, &stream, page, count, false);
            if (result.status != ASSAY_OK || result.read != count || result.written != count / unit)
                return note_failure(sweep, codec, "does not take one more page of ASCII in a stream, after as many bytes:", 4, passed);
            passed += count;
        }
        copy = stream;
        struct assay_result result = feed_one(codec, operation, &copy, error, unit, true);
        sweep->comparer.asked++;
        if (result.status != ASSAY_ILL_FORMED || (result.error.offset != (size_t)passed && result.error.offset != ASSAY_UNKNOWN))
            note_failure(sweep, codec, "gives another offset to an error in a stream after as many bytes:", 4, passed);
        tell(sweep, i, place_count);
    }
}

static void sweep_streams_to(struct sweep *sweep, const uint64_t *places, size_t place_count)
{
    comparer_begin(&sweep->comparer);
    for (size_t i = 0; i < sweep->comparer.panel_size && !has_ended(sweep->comparer.diverged); i++)
        for (enum operation operation = OP_FEED_UTF32; operation <= OP_FEED_UTF16; operation++) {
            const struct assay_codec *codec = sweep->comparer.panel[i];
            sweep->inputs++;
            if (!codec_offers(codec, operation, ASSAY_POLICY_STRICT)) {
                sweep->comparer.skipped++;
                continue;
            }
            cli_heard(codec);
            sweep_stream(sweep, codec, operation, places, place_count);
        }
}

static void sweep_streams(struct sweep *sweep)
{
    static const uint64_t places[] = {UINT32_MAX, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1, (UINT64_C(1) << 32) + FAR_MAX};
    sweep_streams_to(sweep, places, sizeof places / sizeof places[0]);
}

static void sweep_far(struct sweep *sweep)
{
    uint64_t places[FAR_COUNT];
    for (size_t i = 0; i < FAR_COUNT; i++)
        places[i] = far[i];
    sweep_streams_to(sweep, places, FAR_COUNT);
    sweep_strides(sweep);
    sweep_long_texts(sweep);
}

/* ---- encoders, beyond a block --------------------------------------------------------------------------------- */

/* One character, or one half of one, after and before others: with all the room, with what the others before it need, and with a few
 * bytes more. */
static void sweep_one_amid(struct sweep *sweep, uint32_t filler, uint32_t one, size_t at)
{
    enum { AFTER = 40, NEAR_UNITS = 2 * (NEAR + AFTER), MORE = 4 };
    uint32_t code_points[NEAR + AFTER];
    uint16_t units[NEAR_UNITS];
    size_t unit_count = 0, units_before = 0;
    for (size_t i = 0; i < at + AFTER; i++) {
        uint32_t value = code_points[i] = i == at ? one : filler;
        units_before = i == at ? unit_count : units_before;
        if (value > 0xFFFF)
            units[unit_count++] = (uint16_t)(0xD7C0 + (value >> 10));
        units[unit_count++] = (uint16_t)(value > 0xFFFF ? 0xDC00 + (value & 0x3FF) : value);
    }
    struct question wide = {.operation = OP_ENCODE_UTF32, .policy = ASSAY_POLICY_WHATWG, .input = code_points, .input_count = at};
    struct question narrow = {.operation = OP_ENCODE_UTF16, .policy = ASSAY_POLICY_WHATWG, .input = units, .input_count = units_before};
    size_t wide_needed = needed_for(&sweep->comparer, wide), narrow_needed = needed_for(&sweep->comparer, narrow);
    ask_all(sweep, OP_ENCODE_UTF32, ASSAY_POLICY_STRICT, code_points, at + AFTER);
    ask_all(sweep, OP_ENCODE_UTF16, ASSAY_POLICY_STRICT, units, unit_count);
    wide.input_count = at + AFTER;
    narrow.input_count = unit_count;
    for (size_t more = 0; more <= MORE; more++) {
        wide.capacity = more < MORE ? wide_needed + more : CAPACITY_ANY;
        narrow.capacity = more < MORE ? narrow_needed + more : CAPACITY_ANY;
        compare(&sweep->comparer, &wide);
        compare(&sweep->comparer, &narrow);
    }
}

static void sweep_amid_others(struct sweep *sweep)
{
    static const uint32_t ones[] = {0x00, 'A', 0x7F, 0xE9, 0x7FF, 0x800, 0x20AC, 0xFFFF, 0x10000, 0x10FFFF, 0xD800, 0xDC80, 0xDFFF};
    enum { ONES = sizeof ones / sizeof ones[0] };
    comparer_begin(&sweep->comparer);
    for (size_t i = 0; i < NEAR * ONES * FILLER_COUNT; i++) {
        if (!is_taken(sweep))
            continue;
        take_turns(sweep, i);
        sweep_one_amid(sweep, fillers[i / ONES % FILLER_COUNT], ones[i % ONES], i / ONES / FILLER_COUNT);
        tell(sweep, i, NEAR * ONES * FILLER_COUNT);
    }
}

/* ---- UTF-16 units ------------------------------------------------------------------------------------------ */

/* Where a unit begins to be something else, in UTF-16 or in bytes. */
static const uint16_t edges[] = {0x0000, 0x0001, 0x0041, 0x007F, 0x0080, 0x07FF, 0x0800, 0x0FFF, 0x1000, 0xCFFF, 0xD000, 0xD7FF,
                                 0xD800, 0xD801, 0xD83D, 0xDBFF, 0xDC00, 0xDC80, 0xDE00, 0xDFFF, 0xE000, 0xFEFF, 0xFFFD, 0xFFFF};
enum { EDGE_COUNT = sizeof edges / sizeof edges[0], UNIT_COUNT = 0x10000 };

/* Three units, encoded by all, under every policy in turn; and what they are as bytes of UTF-16, where that is asked. */
static void sweep_triple(struct sweep *sweep, const uint16_t triple[3], size_t turn)
{
    enum assay_policy policy = (enum assay_policy)(turn % ASSAY_POLICY_COUNT);
    take_turns(sweep, turn / ASSAY_POLICY_COUNT);
    ask_all(sweep, OP_ENCODE_UTF16, ASSAY_POLICY_STRICT, triple, 3);
    ask_all(sweep, OP_ENCODE_UTF16, policy, triple, 3);
    if (!encoding_is_utf16(registry_reference(sweep->comparer.encoding)))
        return;
    uint8_t bytes[6];
    for (size_t i = 0; i < 3; i++)
        memcpy(bytes + 2 * i, (uint8_t[]){(uint8_t)triple[i], (uint8_t)(triple[i] >> 8)}, 2);
    if (strcmp(sweep->comparer.encoding, "utf-16be") == 0)
        for (size_t i = 0; i < sizeof bytes; i += 2)
            memcpy(bytes + i, (uint8_t[]){bytes[i + 1], bytes[i]}, 2);
    for (size_t length = 5; length <= sizeof bytes; length++) { /* the odd byte, too */
        ask_all(sweep, OP_SPANS, ASSAY_POLICY_STRICT, bytes, length);
        ask_all(sweep, OP_DECODE_UTF16, policy, bytes, length);
        ask_all(sweep, OP_DECODE_UTF32, policy, bytes, length);
        ask_all(sweep, OP_TO_WELL_FORMED, policy, bytes, length);
    }
}

/* The same three amid other units, where vectors take them; as code points, too. */
static void sweep_amid(struct sweep *sweep, const uint16_t triple[3], size_t turn)
{
    enum { AROUND = 96, PLACES = 61, FILLERS = 5 }; /* PLACES is prime, so that no unit of a triple, and no stride, is tied to some */
    static const uint16_t narrow_fillers[FILLERS][2] = {{'A', 'A'}, {0x0416, 0x0416}, {0x4E16, 0x4E16}, {0xD83D, 0xDE00}, {'A', 0x4E16}};
    static const uint32_t wide_fillers[FILLERS] = {'A', 0x0416, 0x4E16, 0x1F600, 0x10FFFF};
    size_t at = turn % PLACES, which = turn / PLACES % FILLERS;
    const uint16_t *filler = narrow_fillers[which];
    uint16_t units[AROUND];
    uint32_t code_points[AROUND];
    for (size_t i = 0; i < AROUND; i++) {
        units[i] = i < at ? filler[(at - i) % 2] : i < at + 3 ? triple[i - at] : filler[(i - at - 3) % 2];
        code_points[i] = i >= at && i < at + 3 ? triple[i - at] : wide_fillers[which];
    }
    if (at % 2 == 1) /* no half of a pair at either end */
        units[0] = 'A';
    if ((AROUND - 3 - at) % 2 == 1)
        units[AROUND - 1] = 'A';
    enum assay_policy policy = (enum assay_policy)(turn / PLACES / FILLERS % ASSAY_POLICY_COUNT);
    ask_all(sweep, OP_ENCODE_UTF16, ASSAY_POLICY_STRICT, units, AROUND);
    ask_all(sweep, OP_ENCODE_UTF16, policy, units, AROUND);
    ask_all(sweep, OP_ENCODE_UTF32, policy, code_points, AROUND);
}

static void sweep_units(struct sweep *sweep)
{
    for (size_t i = 0; i < EDGE_COUNT * EDGE_COUNT * EDGE_COUNT; i++) {
        const uint16_t triple[3] = {edges[i / EDGE_COUNT / EDGE_COUNT], edges[i / EDGE_COUNT % EDGE_COUNT], edges[i % EDGE_COUNT]};
        if (!is_taken(sweep))
            continue;
        for (size_t policy = 0; policy < ASSAY_POLICY_COUNT; policy++)
            sweep_triple(sweep, triple, policy + ASSAY_POLICY_COUNT * (i % PLACEMENT_COUNT));
        sweep_amid(sweep, triple, i);
        tell(sweep, i, EDGE_COUNT * EDGE_COUNT * EDGE_COUNT);
    }
}

/* All pairs with this first unit, in a row and parted by ASCII: every codec encodes as the reference does, and what it
 * decodes is what there was (WTF-8, sections 4 and 6.3). */
static void sweep_first_unit(struct sweep *sweep, uint16_t first)
{
    enum { UNITS = 3 * UNIT_COUNT };
    static uint16_t units[UNITS], back[UNITS + ASSAY_HELD_MAX];
    static uint8_t expected[ASSAY_ENCODED_MAX(UNITS)], bytes[ASSAY_ENCODED_MAX(UNITS)];
    const struct assay_codec *reference = registry_reference(sweep->comparer.encoding);
    for (size_t second = 0; second < UNIT_COUNT; second++)
        memcpy(units + 3 * second, (uint16_t[]){first, (uint16_t)second, 'A'}, 3 * sizeof *units);
    struct assay_result encoded = reference->encode_utf16(ASSAY_POLICY_STRICT, units, UNITS, expected, sizeof expected);
    sweep->inputs += UNIT_COUNT;
    for (size_t i = 0; i < registry_count(); i++) {
        const struct registry_row *row = registry_at(i);
        if (strcmp(row->encoding, sweep->comparer.encoding) != 0 || !registry_runs(row))
            continue;
        if (row->codec->encode_utf16 == NULL || row->codec->decode_utf16 == NULL) {
            sweep->comparer.skipped += 2;
            continue;
        }
        asking_directly(row->codec, (struct question){.operation = OP_ENCODE_UTF16, .input = units, .input_count = UNITS, .capacity = sizeof bytes});
        struct assay_result own = row->codec->encode_utf16(ASSAY_POLICY_STRICT, units, UNITS, bytes, sizeof bytes);
        asking_directly(row->codec, (struct question){.operation = OP_DECODE_UTF16, .input = expected, .input_count = encoded.written,
                                                      .capacity = sizeof back / sizeof back[0]});
        struct assay_result decoded = row->codec->decode_utf16(ASSAY_POLICY_STRICT, expected, encoded.written, back, sizeof back / sizeof back[0]);
        asking_ends();
        if (own.status == ASSAY_UNSUPPORTED || decoded.status == ASSAY_UNSUPPORTED) {
            sweep->comparer.skipped += 2;
            continue;
        }
        sweep->comparer.asked += 2;
        cli_heard(row->codec);
        if (own.status != ASSAY_OK || own.written != encoded.written || memcmp(bytes, expected, own.written) != 0)
            note_failure(sweep, row->codec, "encodes otherwise than the reference what begins with the unit", 4, first);
        else if (decoded.status != ASSAY_OK || decoded.written != UNITS || memcmp(back, units, sizeof units) != 0)
            note_failure(sweep, row->codec, "does not give back what begins with the unit", 4, first);
    }
}

static void sweep_unit_pairs(struct sweep *sweep)
{
    for (size_t first = sweep->from; first < UNIT_COUNT && !has_ended(sweep->comparer.diverged); first += sweep->stride) {
        sweep->from = first; /* for the command that shows a divergence again */
        sweep_first_unit(sweep, (uint16_t)first);
        tell(sweep, first, UNIT_COUNT);
    }
}

static void sweep_edge_pairs(struct sweep *sweep)
{
    for (size_t i = 0; i < EDGE_COUNT; i++)
        if (is_taken(sweep))
            sweep_first_unit(sweep, edges[i]);
}

/* ---- the command -------------------------------------------------------------------------------------------- */

static const struct part {
    const char *name;
    const char *encoding; /* the one that it is of; "": of each */
    const char *sentence;
    void (*run)(struct sweep *sweep);
    bool is_long; /* done only when it is asked for by name */
} parts[] = {
#define PART(id, name, encoding, sentence) {name, encoding, sentence, sweep_##id, false},
#define LONG_PART(id, name, encoding, sentence) {name, encoding, sentence, sweep_##id, true},
#include "parts.def"
#undef PART
#undef LONG_PART
};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

static void print_part(const struct sweep *sweep, double seconds)
{
    const char *key;
    json_t *count;
    printf("%-17s %-10s %10llu inputs, %10llu answers compared, %llu skipped, %llu divergences, %.1f s\n", sweep->comparer.encoding,
           sweep->part, (unsigned long long)sweep->inputs, (unsigned long long)sweep->comparer.asked,
           (unsigned long long)sweep->comparer.skipped, (unsigned long long)sweep->comparer.diverged, seconds);
    json_object_foreach(sweep->sorts, key, count)
        printf("%28s %10lld of the sort %s\n", "", (long long)json_integer_value(count), key);
}

static json_t *run_part(const struct part *part, const char *encoding, struct sweep sweep, uint64_t *diverged)
{
    sweep.comparer = (struct comparer){.encoding = encoding, .on_divergence = on_divergence, .context = &sweep, .on_answer = cli_heard};
    sweep.part = part->name;
    sweep.sorts = json_object();
    sweep.begun = sweep.told = cli_now_ns();
    under_way = &sweep;
    silence_again = write_again;
    part->run(&sweep);
    silence_again = NULL;
    double seconds = (cli_now_ns() - sweep.begun) / 1e9;
    if (sweep.comparer.asked == 0)
        cli_fail("%s: nothing was compared; is there only one codec? (assay list --long)", part->name);
    comparer_end(&sweep.comparer);
    *diverged += sweep.comparer.diverged;
    cli_clear_progress();
    if (!as_json)
        print_part(&sweep, seconds);
    fflush(stdout);
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:o, s:f}", "encoding", encoding, "part", part->name, "inputs",
                     (json_int_t)sweep.inputs, "asked", (json_int_t)sweep.comparer.asked, "skipped",
                     (json_int_t)sweep.comparer.skipped, "diverged", (json_int_t)sweep.comparer.diverged, "sorts", sweep.sorts,
                     "seconds", seconds);
}

static size_t parse_from(bool goes_on)
{
    char *end;
    if (from_text == NULL)
        return 0;
    if (!goes_on)
        cli_fail("--from goes on with `unit-pairs`: name that part, and no other");
    unsigned long unit = strtoul(from_text, &end, 16);
    if (!isxdigit((unsigned char)from_text[0]) || *end != '\0' || unit >= UNIT_COUNT)
        cli_fail("--from takes a unit in hex, from 0 to FFFF, not '%s'", from_text);
    return unit;
}

static void check_names(char **names, int count)
{
    char known[256] = "";
    for (size_t i = 0; i < PART_COUNT; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s %s", i > 0 ? "," : "", parts[i].name);
    for (int i = 0; i < count; i++) {
        size_t part = 0;
        while (part < PART_COUNT && strcmp(parts[part].name, names[i]) != 0)
            part++;
        if (part == PART_COUNT)
            cli_fail("there is no part '%s'; there are:%s", names[i], known);
    }
}

/* The names of parts that were given. */
struct names {
    char **words;
    int count;
};

/* Whether a part was named, or is among those that are done unasked. Each name was looked up before. */
static bool is_chosen(const struct part *part, const struct names *names)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->words[i], part->name) == 0)
            return true;
    return names->count == 0 && !part->is_long;
}

/* A part of one encoding is done for that one, unless another is asked for. */
static bool is_of(const struct part *part, const char *encoding, bool by_name)
{
    bool is_of_each = strcmp(part->encoding, "") == 0;
    if (encoding_text == NULL && by_name && !is_of_each)
        return strcmp(encoding, part->encoding) == 0;
    bool is_wanted = encoding_text == NULL ? strcmp(encoding, "utf-8") == 0
                                           : strcmp(encoding_text, "all") == 0 || strcmp(encoding_text, encoding) == 0;
    return is_wanted && (is_of_each || strcmp(part->encoding, encoding) == 0);
}

/* Schemes of the laboratory are not enumerated. */
static bool is_done(const struct part *part, const char *encoding, const struct names *names)
{
    return registry_scheme(encoding) == NULL && is_chosen(part, names) && is_of(part, encoding, names->count > 0);
}

static bool is_asked(const void *names, const struct registry_row *row)
{
    bool any = false;
    for (size_t part = 0; part < PART_COUNT; part++)
        any |= is_done(&parts[part], row->encoding, names);
    return any;
}

static void print_more(FILE *out)
{
    fputs("parts (default: all but long runs):\n", out);
    for (size_t i = 0; i < PART_COUNT; i++)
        fprintf(out, "  %-24s %s\n", parts[i].name, parts[i].sentence);
}

static int run(int argc, char **argv)
{
    enum { STRIDE_MAX = 1000000 };
    int count, at = cli_parse(&command_sweep, argc, argv, &count);
    size_t stride = (size_t)cli_number("stride", stride_text, 1, STRIDE_MAX), ran = 0;
    check_names(argv + at, count);
    size_t from = parse_from(count == 1 && strcmp(argv[at], "unit-pairs") == 0);
    if (encoding_text != NULL && strcmp(encoding_text, "all") != 0)
        cli_encoding(encoding_text);
    const struct names names = {argv + at, count};
    cli_loaded_are_asked(is_asked, &names);
    uint64_t diverged = 0;
    struct sweep sweep = {.stride = stride, .from = from, .shown = json_object()};
    json_t *summary = json_array();
    for (size_t i = 0; i < registry_count(); i++) {
        const char *encoding = registry_at(i)->encoding;
        if (!registry_is_reference(registry_at(i)))
            continue;
        for (size_t part = 0; part < PART_COUNT; part++)
            if (!has_ended(diverged) && is_done(&parts[part], encoding, &names)) {
                json_array_append_new(summary, run_part(&parts[part], encoding, sweep, &diverged));
                ran++;
            }
    }
    if (ran == 0)
        cli_fail("nothing of this is enumerated for %s", encoding_text);
    if (diverged == 0)
        cli_loaded_were_heard();
    json_decref(sweep.shown);
    if (as_json)
        cli_print_json(summary);
    else
        json_decref(summary);
    return diverged > 0 ? EXIT_DIVERGENCE : EXIT_AS_IT_SHOULD_BE;
}

const struct command command_sweep = {
    .name = "sweep",
    .sentence = "exhaustive enumeration: short strings, code points, token pairs, whole and in pieces, UTF-16 units",
    .operands = "[PART...]",
    .operands_max = -1,
    .print_more = print_more,
    .options = options,
    .run = run,
};
