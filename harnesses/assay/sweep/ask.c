/* SPDX-License-Identifier: MIT
 *
 * Asks the questions of the enumeration. For a divergence, writes the letter, once for each key, and the command that
 * repeats the question.
 */
#include "sweep.h"

#include "../../core/claim.h"
#include "../../core/dice.h"
#include "../one_question.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Counts a key. Returns true if it is new: its letter is then written. There is one letter for each key, since a codec
 * that is wrong once may be wrong a million times. */
static bool add_key(struct sweep *sweep, const char *key)
{
    json_int_t count = json_integer_value(json_object_get(sweep->sorts, key));
    json_object_set_new(sweep->sorts, key, json_integer(count + 1));
    bool known = json_object_get(sweep->shown, key) != NULL;
    json_object_set_new(sweep->shown, key, json_true());
    return !known;
}

/* Writes the command that repeats a question: `diff` with the input, and with the question if that is needed; or, if
 * the input is too long, the command that repeats the part. */
static void write_command(FILE *out, const struct sweep *sweep, const struct assay_codec *codec,
                          const struct question *question)
{
    bool is_in_diff = question != NULL && !sweep->has_little_room && one_question_is_in_diff(question);
    char *input = question != NULL && question->input_count > 0 ? one_question_input(question, is_in_diff) : NULL;
    bool is_written_out = input != NULL;
    free(input);
    if (is_written_out) {
        one_question_write_diff(out, codec, question, is_in_diff);
        return;
    }
    cli_print_program(out);
    fputs(" sweep", out);
    cli_print_loaded(out, codec);
    if (strcmp(sweep->comparer.encoding, "utf-8") != 0)
        fprintf(out, " -e %s", sweep->comparer.encoding);
    if (sweep_fails_fast)
        fputs(" --fail-fast", out);
    if (sweep->from > 0)
        fprintf(out, " --from %zX", sweep->from);
    if (sweep->stride > 1)
        fprintf(out, " --stride %zu", sweep->stride);
    fprintf(out, " %s", sweep->part);
}

void sweep_write_rest(FILE *out, const struct sweep *sweep)
{
    fputc(' ', out);
    write_command(out, sweep, NULL, NULL);
    for (size_t i = 0; i < registry_count(); i++)
        cli_print_loaded(out, registry_at(i)->codec);
    fputc('\n', out);
}

/* Returns the command that repeats a question; the caller frees it. */
static char *command_for(const struct sweep *sweep, const struct assay_codec *codec, const struct question *question)
{
    char *command;
    size_t size;
    FILE *out = cli_open_text(&command, &size);
    write_command(out, sweep, codec, question);
    fclose(out);
    return command;
}

struct sweep *sweep_under_way;

void sweep_write_again(FILE *out, const struct asking *silent)
{
    fprintf(out, "  %-13s ", "again");
    write_command(out, sweep_under_way, silent->codec, silent->question);
    fputc('\n', out);
}

void sweep_on_silence(struct sweep *sweep, const struct asking *silent, const char *end, const char *sentence)
{
    char key[KEY_SIZE];
    report_silence_key(silent, end, key, sizeof key);
    sweep->comparer.diverged++;
    if (!add_key(sweep, key))
        return;
    cli_clear_progress();
    report_silence_letter(stderr, silent, sentence);
    sweep_write_again(stderr, silent);
    fprintf(stderr, "finding %s\n", key);
}

void sweep_on_divergence(void *context, const struct divergence *divergence)
{
    char key[KEY_SIZE];
    report_key(divergence, key, sizeof key);
    if (!add_key(context, key))
        return;
    cli_clear_progress();
    char *again = command_for(context, divergence->codec, divergence->question);
    report_letter(stderr, divergence, again);
    free(again);
}

bool has_ended(uint64_t diverged)
{
    return sweep_fails_fast && diverged > 0;
}

bool count_input(struct sweep *sweep)
{
    if (has_ended(sweep->comparer.diverged))
        return false;
    if (sweep->input_number++ % sweep->stride != 0)
        return false;
    sweep->inputs++;
    return true;
}

void show_progress(struct sweep *sweep, size_t done, size_t all)
{
    if (cli_progress_is_due(&sweep->shown_at))
        cli_print_progress(done, all, sweep->begun, "%s %s: %zu of %zu", sweep->comparer.encoding, sweep->part, done,
                           all);
}

void note_failure(struct sweep *sweep, const struct assay_codec *codec, const char *what, int digits, uint64_t value)
{
    char key[KEY_SIZE];
    snprintf(key, sizeof key, "%s/%s %s", codec->encoding, codec->name, what);
    sweep->comparer.diverged++;
    if (!add_key(sweep, key))
        return;
    cli_clear_progress();
    char *again = command_for(sweep, codec, NULL);
    fprintf(stderr, "%s %0*" PRIX64 "\n  %-13s %s\n", key, digits, value, "again", again);
    free(again);
}

void alternate_placement(struct sweep *sweep, size_t number)
{
    sweep->comparer.once = true;
    sweep->comparer.placement = (enum placement)(number % PLACEMENT_COUNT);
}

void ask_all(struct sweep *sweep, enum operation operation, enum assay_policy policy, const void *input, size_t count)
{
    sweep_compare(
        sweep,
        &(struct question){
            .operation = operation, .policy = policy, .input = input, .input_count = count, .capacity = CAPACITY_ANY});
}

void ask_joined(struct sweep *sweep, const void *input, size_t count, size_t left_count)
{
    sweep_compare(sweep, &(struct question){.operation = OP_CONCAT,
                                            .input = input,
                                            .input_count = count,
                                            .capacity = CAPACITY_ANY,
                                            .cuts = &left_count,
                                            .cut_count = 1});
}

void ask_again(struct sweep *sweep, const struct assay_codec *codec, struct question question)
{
    const uint8_t *bytes = question.input;
    const struct assay_codec *both[] = {sweep->comparer.panel[0], codec};
    struct comparer all = sweep->comparer;
    sweep->comparer.panel = both;
    sweep->comparer.panel_size = sizeof both / sizeof both[0];
    sweep->comparer.once = is_shifted(&question);
    sweep->comparer.placement = AT_BEGIN;
    question.capacity = CAPACITY_ANY;
    sweep_compare(sweep, &question);
    sweep->comparer.panel = all.panel;
    sweep->comparer.panel_size = all.panel_size;
    sweep->comparer.once = all.once;
    sweep->comparer.placement = all.placement;
    if (sweep->comparer.diverged == all.diverged)
        note_failure(sweep, codec, "gives two answers to one question, of strings that begin with", 6,
                     (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2]);
}

void ask_with_rooms(struct sweep *sweep, struct dice *dice, struct question question)
{
    enum { MORE_MAX = 128 };
    size_t needed = needed_for(&sweep->comparer, question);
    const size_t rooms[] = {needed > 0 ? dice_roll(dice, needed) : 0, needed, needed + 1 + dice_roll(dice, MORE_MAX),
                            capacity_for(question.operation, question.input_count)};
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        question.capacity = rooms[i];
        sweep_compare(sweep, &question);
    }
}

enum assay_policy roll_policy(struct dice *dice)
{
    const enum assay_policy policies[] = {ASSAY_POLICY_WHATWG, ASSAY_POLICY_WHATWG, ASSAY_POLICY_STRICT,
                                          (enum assay_policy)dice_roll(dice, ASSAY_POLICY_COUNT)};
    return policies[dice_roll(dice, sizeof policies / sizeof policies[0])];
}

void ask_all_decoders(struct sweep *sweep, struct dice *dice, enum assay_policy policy, const uint8_t *text,
                      size_t count)
{
    static const enum operation operations[] = {OP_DECODE_UTF16, OP_DECODE_UTF32, OP_TO_WELL_FORMED};
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        ask_with_rooms(
            sweep, dice,
            (struct question){.operation = operations[i], .policy = policy, .input = text, .input_count = count});
}
